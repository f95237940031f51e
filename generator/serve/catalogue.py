"""What the page knows of a game, as JSON takes it: kinds, designs with names and places, what can be filtered by."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from generator.errors import Problem, ProblemsFound
from generator.faces.workshop import Workshop
from generator.model.game import Design, Game, Kind
from generator.model.markup import MarkupError, parse_markup, plain_text
from generator.model.text import Words
from generator.rulebook.volumes import volume_languages
from generator.serve.show import Show
from generator.units import plain

NAMES = ("name", "title")
"""Fields that say what a design is called, the first that it has."""

FEW = 12
"""Different values of a field that can be chosen from."""


def list_entry(show: Show) -> dict[str, Any]:
    """A line of the list of games; a game that could never be read has its folder's name."""
    game = show.game
    return {
        "id": show.name,
        "title": dict(game.title.items()) if game else {},
        "draft": game.draft if game else "",
        "languages": list(game.languages) if game else [],
        "count": sum(kind.count for kind in game.kinds.values()) if game else 0,
        "generation": show.generation,
        "problems": len(show.problems),
    }


def game_entry(show: Show) -> dict[str, Any]:
    """Everything but pictures and their words."""
    game, workshop = show.game, show.workshop
    if game is None or workshop is None:
        return {
            **list_entry(show),
            "stale": True,
            "kinds": [],
            "filters": [],
            "book": False,
            "problems": problem_entries(show),
        }
    kinds = [_kind(workshop, kind) for kind in game.kinds.values()]
    return {
        **list_entry(show),
        "stale": show.stale,
        "kinds": kinds,
        "filters": _filters(game),
        "book": _has_book(workshop),
        "problems": problem_entries(show),
    }


def _has_book(workshop: Workshop) -> bool:
    """Whether there is a rulebook, or at least one that is begun."""
    try:
        return bool(volume_languages(workshop))
    except ProblemsFound:
        return True


def problem_entries(show: Show) -> list[dict[str, Any]]:
    """The problems of a game, each with the designs that it is about."""
    return [{**_problem(problem), "designs": list(designs)} for problem, designs in show.told]


def _problem(problem: Problem) -> dict[str, Any]:
    place = problem.place
    return {"place": str(place) if place else "", "what": problem.what, "hint": problem.hint}


def _kind(workshop: Workshop, kind: Kind) -> dict[str, Any]:
    return {
        "id": kind.id,
        "name": dict(kind.name.items()),
        "width": round(kind.size.width, 3),
        "height": round(kind.size.height, 3),
        "form": kind.form,
        "corner": kind.corner if kind.form == "card" and not kind.outline else 0,
        "outlined": bool(kind.outline),
        "count": kind.count,
        "stated": kind.stated,
        "option": kind.option if kind.left_out else "",
        "designs": [_design(workshop, kind, design) for design in kind.designs],
    }


def _design(workshop: Workshop, kind: Kind, design: Design) -> dict[str, Any]:
    fields = {name: value for name, value in design.fields.items() if _plain(value) is not None}
    return {
        "id": design.id,
        "name": {lang: _name(workshop, kind, design, lang) for lang in workshop.game.languages},
        "count": design.count,
        "faces": list(kind.faces(design)),
        "place": str(design.place),
        "fields": {name: _plain(value) for name, value in fields.items()},
    }


def _name(workshop: Workshop, kind: Kind, design: Design, lang: str) -> str:
    """What a reader calls a design; its kind's name where it has none, or one that can't be read."""
    own = next((name for name in NAMES if design.fields.get(name)), None)
    try:
        said = workshop.artist.says(design, lang, "card", own) if own else ""
        text = plain_text(parse_markup(str(said))).replace("\n", " ") if said else ""
    except (ProblemsFound, MarkupError):
        text = ""  # drawing the face says what is wrong with it
    return text or kind.name[lang]


def _plain(value: Any) -> str | None:
    """A value that a reader may look for or choose by; None for texts, effects and what is not given."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return plain(value)
    if isinstance(value, str) and value and "\n" not in value and "{" not in value:
        return value
    if isinstance(value, tuple) and value and all(isinstance(part, (str, int)) for part in value):
        return ", ".join(map(str, value))
    return None


def _filters(game: Game) -> list[dict[str, Any]]:
    """Fields by whose values designs fall into a few groups: suits, colours, numbers, terrains."""
    return list(_with_few_values(game.designs(), game))


def _with_few_values(designs: Iterable[Design], game: Game) -> Iterator[dict[str, Any]]:
    values: dict[str, Counter[str]] = {}
    for design in designs:
        for name, value in design.fields.items():
            plain = _plain(value)
            if plain is not None and name not in NAMES:
                values.setdefault(name, Counter())[plain] += 1
    for name, counted in values.items():
        if 2 <= len(counted) <= FEW and sum(counted.values()) >= 2 * len(counted):
            shown = [{"value": value, "label": _label(game, value), "designs": n} for value, n in counted.items()]
            yield {"field": name, "values": sorted(shown, key=_by_number) if _numbers(counted) else shown}


def _label(game: Game, value: str) -> Mapping[str, str]:
    """A value in the words of the game, where an icon bears its name."""
    icon = game.icons.get(value)
    words = icon.name if icon else Words(dict.fromkeys(game.languages, value.replace("_", " ")))
    return dict(words.items())


def _numbers(values: Iterable[str]) -> bool:
    return all(value.lstrip("-").replace(".", "", 1).isdecimal() for value in values)


def _by_number(entry: dict[str, Any]) -> float:
    return float(entry["value"])
