"""Presets other than print shops as the model has them: paper, perforated stock, sleeves, pictures for shop pages."""

from collections.abc import Iterator
from typing import Any

from generator.errors import Problem, did_you_mean
from generator.model.preset import PictureSize, Sleeves, SleeveSize
from generator.model.sizes import CARD_SIZES
from generator.model.source import Source

_SLACK = 1e-6


def paper(data: Any, source: Source, problems: list[Problem]) -> dict[str, Any]:
    """Plain paper; a margin must leave something of it."""
    if 2 * data.margin >= min(data.size.width, data.size.height):
        what = f"margins of {data.margin:g} mm leave nothing of the paper"
        problems.append(Problem(source.place("margin"), what, "write a smaller one"))
    return {}


def stock(data: Any, source: Source, problems: list[Problem]) -> dict[str, Any]:
    """A perforated sheet; its cells must lie on the paper."""
    for side, room, first, number, length, gap in (
        ("columns", data.paper.width, data.left, data.columns, data.cell.width, data.gap_x),
        ("rows", data.paper.height, data.top, data.rows, data.cell.height, data.gap_y),
    ):
        end = first + number * length + (number - 1) * gap
        if end > room + _SLACK:
            what = f"{number} {side} end at {end:g} mm, and the paper at {room:g} mm"
            problems.append(Problem(source.place(side), what, "correct the cells or where they begin"))
    return {}


def sleeves(data: Any, source: Source, problems: list[Problem]) -> dict[str, Any]:
    """A table of sleeves; the cards that it names must be known and fit."""
    table = tuple(SleeveSize(entry.id, entry.name, entry.inner, tuple(entry.cards)) for entry in data.sleeves)
    made = Sleeves("", "", "", "", least=data.least, most=data.most, sleeves=table)
    problems += _place_problems(made, source)
    return {"sleeves": table}


def pictures(data: Any, source: Source, problems: list[Problem]) -> dict[str, Any]:
    """The pictures of a shop page; each is a file of its own name."""
    sizes = [
        PictureSize(one.id, one.name, (one.pixels[0], one.pixels[1]), one.scene, one.titled) for one in data.pictures
    ]
    problems += _given_twice([one.id for one in sizes], "pictures", source)
    return {"pictures": tuple(sizes)}


def _given_twice(ids: list[str], what: str, source: Source) -> Iterator[Problem]:
    for n, name in enumerate(ids):
        if name in ids[:n]:
            yield Problem(source.place(what, n, "id"), f"the id '{name}' is given twice", "rename one of them")


def _place_problems(made: Sleeves, source: Source) -> Iterator[Problem]:
    yield from _given_twice([sleeve.id for sleeve in made.sleeves], "sleeves", source)
    for n, sleeve in enumerate(made.sleeves):
        for m, name in enumerate(sleeve.cards):
            place = source.place("sleeves", n, "cards", m)
            if name not in CARD_SIZES:
                yield Problem(place, f"unknown card size '{name}'", did_you_mean(name, CARD_SIZES))
            elif sleeve not in made.fitting(CARD_SIZES[name].size):
                what = f"a {name} card does not fit into {sleeve.inner.width:g} x {sleeve.inner.height:g} mm"
                yield Problem(place, what, "correct `inner`, or `least` and `most` play")
