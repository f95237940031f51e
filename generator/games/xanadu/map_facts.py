"""What the data of draft 18 say of the town: its places, the draft's figures of it, and the example town."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generator.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.games.engine.facts import FactReader, texts_of
from generator.games.xanadu.town import Area, Town
from generator.model.game import Game


@dataclass(frozen=True, slots=True)
class TownMap:
    """The town: places by id, the one that is the Port, both figures, and a board for each place as an example."""

    town: Town
    port: str
    figure: tuple[str, ...]
    zones: tuple[str, ...]
    example: Mapping[str, str]


def map_of(game: Game) -> TownMap:
    """The map of the data; ProblemsFound with all that is missing or malformed."""
    town = _town(game)
    port, example = _given(game, "port"), _given(game, "example")
    problems = []
    if port not in town:
        problems.append(Problem(_place(game, "port"), "rules.map.port is no place", did_you_mean(str(port), town)))
    if not isinstance(example, Mapping) or not all(isinstance(board, str) for board in example.values()):
        problems.append(
            Problem(_place(game, "example"), "rules.map.example must name boards by place", "write {p0: x}")
        )
    if problems:
        raise ProblemsFound(problems)
    figure, zones = (names_of(game, "map", name) for name in ("figure", "zones"))
    return TownMap(town, str(port), figure, zones, example)


def names_of(game: Game, *path: str) -> tuple[str, ...]:
    """A list of names below `rules` that can't be empty; ProblemsFound if it is."""
    return texts_of(game, *path, fewest=1)


def spot(game: Game, name: str) -> Place | None:
    """Where the data describe a place of the map."""
    entries = game.sections["rules"]["map"]["positions"]
    number = next((n for n, entry in enumerate(entries) if entry.get("id") == name), len(entries))
    return game.places.place("rules", "map", "positions", number)


def _town(game: Game) -> Town:
    reader = FactReader(game)
    numbers = reader.rows("map", "positions", columns=("row", "x", "zone"))
    reader.finish()
    town: dict[str, Area] = {}
    problems = []
    for n, row in enumerate(numbers):
        entry, place = game.sections["rules"]["map"]["positions"][n], game.places.place("rules", "map", "positions", n)
        name, beside = entry.get("id"), entry.get("next")
        if not isinstance(name, str) or name in town:
            problems.append(Problem(place, f"a place of the map needs an id of its own, not {name}", "write `id: p0`"))
        elif not isinstance(beside, tuple):
            problems.append(Problem(place, f"{name} does not say what is next to it", "add `next: [p1, p3]`"))
        else:
            town[name] = Area(row["row"], row["x"], row["zone"], beside)
    if problems:
        raise ProblemsFound(problems)
    return town


def _given(game: Game, name: str) -> Any:
    return game.sections["rules"]["map"].get(name)


def _place(game: Game, name: str) -> Place | None:
    return game.places.place("rules", "map", name)
