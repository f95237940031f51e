"""A game taken apart for comparing: each thing by its id, with what it is called and the values that make it up."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from generator.dataclass import dataclass
from generator.model.data_fields import values_of
from generator.model.game import Game, Kind
from generator.model.text import Words


@dataclass(frozen=True, slots=True)
class Described:
    """One thing of a group: its name by language if it has one, its values by name, where its values are marked."""

    values: Any
    name: Words | None = None
    marked_at: str = ""


Things = Mapping[str, Described]


def things_of(game: Game) -> dict[str, Things]:
    """The things of each group but components and kinds' pieces, which a version knows too."""
    return {group: make(game) for group, make in _MAKERS.items()}


def kind_values(kind: Kind) -> dict[str, Any]:
    """What a kind says of all its designs."""
    told = values_of(kind, "designs", "fields", "front", "back", "two_faced")
    spaces = tuple({"id": space.id, **values_of(space)} for space in kind.spaces)
    return told | {"size": f"{kind.size.width:g} x {kind.size.height:g} mm", "spaces": spaces}


def _facts(game: Game) -> Things:
    return {name: Described(value, marked_at=name) for name, value in game.facts.items()}


def _section(name: str) -> Callable[[Game], Things]:
    """A free-form section: one thing, told by the paths of its values."""
    return lambda game: {name: Described(game.sections.get(name, {}), marked_at=name)}


def _switches(game: Game) -> Things:
    return {name: Described(value) for name, value in game.switches.items()}


def _readings(game: Game) -> Things:
    """Readings without the value of a switch, which is told among the switches."""
    return {
        reading.id: Described(
            values_of(reading) | ({"value": None} if reading.switch else {}), reading.reading, f"readings.{reading.id}"
        )
        for reading in game.readings.values()
    }


def _setup(game: Game) -> Things:
    found: dict[str, Described] = {}
    for item in game.setup:
        name = f"{item.kind} for each player" if item.each_player else item.kind
        known = sum(other == name or other.startswith(f"{name} (") for other in found)
        found[f"{name} ({known + 1})" if known else name] = Described(item.take)
    return found


def _words_by_name(section: str, of: Callable[[Game], Mapping[str, Words]]) -> Callable[[Game], Things]:
    return lambda game: {name: Described(words, marked_at=f"{section}.{name}") for name, words in of(game).items()}


def _parts(section: str, of: Callable[[Game], Iterable[Any]], name: str) -> Callable[[Game], Things]:
    """Things that are values of the model: all that the data say of them."""
    return lambda game: {
        part.id: Described(values_of(part, "takes"), getattr(part, name), f"{section}.{part.id}") for part in of(game)
    }


def _palette(game: Game) -> Things:
    return {name: Described(values_of(one), marked_at=f"palette.{name}") for name, one in game.palette.items()}


def _fonts(game: Game) -> Things:
    return {name: Described(values_of(family)) for name, family in game.fonts.items()}


def _marks(game: Game) -> Things:
    return {path: Described(status) for path, status in game.marks.items()}


_MAKERS: Mapping[str, Callable[[Game], Things]] = {
    "facts": _facts,
    "rules": _section("rules"),
    "switches": _switches,
    "readings": _readings,
    "setup": _setup,
    "glossary": _parts("glossary", lambda game: game.glossary.values(), "term"),
    "moves": _words_by_name("moves", lambda game: game.moves),
    "zones": _parts("zones", lambda game: game.zones.values(), "name"),
    "checks": _parts("checks", lambda game: game.checks, "says"),
    "examples": _parts("examples", lambda game: game.examples, "says"),
    "words": _section("words"),
    "icons": _parts("icons", lambda game: game.icons.values(), "name"),
    "operations": _parts("operations", lambda game: game.operations.values(), "says"),
    "palette": _palette,
    "fonts": _fonts,
    "marks": _marks,
}
