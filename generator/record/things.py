"""A game taken apart for comparing: each thing by its id, with what it is called and the values that make it up."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from generator.model.game import Game, Kind
from generator.model.text import Words
from generator.units import Size

_NOT_FREE = ("id", "place", "designs", "source")


@dataclass(frozen=True, slots=True)
class Described:
    """One thing of a group: its name by language if it has one, its values by name, where its values are marked."""

    values: Any
    name: Words | None = None
    marked_at: str = ""


Things = Mapping[str, Described]


def things_of(game: Game) -> dict[str, Things]:
    """The things of each group but components and kinds' pieces, which an edition knows too."""
    return {group: make(game) for group, make in _MAKERS.items()}


def kind_values(kind: Kind) -> dict[str, Any]:
    """What a kind says of all its designs."""
    return {
        "name": kind.name,
        "size": _size(kind.size),
        "form": kind.form,
        "shape": kind.shape,
        "outline": kind.outline,
        "corner": kind.corner,
        "foot": kind.foot,
        "bleed": kind.bleed,
        "safe": kind.safe,
        "stated": kind.stated,
        "called": kind.called,
        "option": kind.option,
        "spaces": tuple(
            {"id": space.id, "for": space.piece, "holds": space.holds, "pile": space.pile, "each": space.each}
            for space in kind.spaces
        ),
    }


def _size(size: Size) -> str:
    return f"{size.width:g} x {size.height:g} mm"


def _facts(game: Game) -> Things:
    facts = {
        "title": game.title,
        "draft": game.draft,
        "date": game.date,
        "languages": game.languages,
        "players": {"fewest": game.players.fewest, "most": game.players.most},
        "minutes": game.minutes,
        "age": game.age,
        "overview": game.overview,
        "credit": game.credit,
        "licence": game.licence,
        "source": game.origin,
        "not_included": game.not_included,
        "told_apart": game.told_apart,
        "rules_module": game.rules_module,
    }
    return {name: Described(value, marked_at=name) for name, value in facts.items()}


def _section(name: str) -> Callable[[Game], Things]:
    """A free-form section: one thing, told by the paths of its values."""
    return lambda game: {name: Described(game.sections.get(name, {}), marked_at=name)}


def _switches(game: Game) -> Things:
    return {name: Described(value) for name, value in game.switches.items()}


def _readings(game: Game) -> Things:
    return {
        reading.id: Described(
            {
                "passage": reading.passage,
                "problem": reading.problem,
                "reading": reading.reading,
                "switch": reading.switch,
                "choices": reading.choices,
                "value": None if reading.switch else reading.value,
            },
            reading.reading,
            f"readings.{reading.id}",
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


def _glossary(game: Game) -> Things:
    return {
        entry.id: Described(
            {"term": entry.term, "says": entry.says, "kana": entry.kana}, entry.term, f"glossary.{entry.id}"
        )
        for entry in game.glossary.values()
    }


def _parts(section: str, of: Callable[[Game], Iterator[Any]], name: str) -> Callable[[Game], Things]:
    """Things that are values of the model: all that they hold but their places."""

    def make(game: Game) -> Things:
        return {
            part.id: Described(
                {field: getattr(part, field) for field in part.__slots__ if field not in _NOT_FREE},
                getattr(part, name),
                f"{section}.{part.id}",
            )
            for part in of(game)
        }

    return make


def _palette(game: Game) -> Things:
    return {
        name: Described({"srgb": colour.srgb, "cmyk": colour.cmyk, "spot": colour.spot}, marked_at=f"palette.{name}")
        for name, colour in game.palette.items()
    }


def _fonts(game: Game) -> Things:
    return {
        name: Described({"regular": family.regular, "bold": family.bold, "italic": family.italic})
        for name, family in game.fonts.items()
    }


def _marks(game: Game) -> Things:
    return {path: Described(status) for path, status in game.marks.items()}


_MAKERS: Mapping[str, Callable[[Game], Things]] = {
    "facts": _facts,
    "rules": _section("rules"),
    "switches": _switches,
    "readings": _readings,
    "setup": _setup,
    "glossary": _glossary,
    "moves": _words_by_name("moves", lambda game: game.moves),
    "zones": _parts("zones", lambda game: iter(game.zones.values()), "name"),
    "checks": _parts("checks", lambda game: iter(game.checks), "says"),
    "examples": _parts("examples", lambda game: iter(game.examples), "says"),
    "words": _section("words"),
    "icons": _parts("icons", lambda game: iter(game.icons.values()), "name"),
    "operations": _parts("operations", lambda game: iter(game.operations.values()), "says"),
    "palette": _palette,
    "fonts": _fonts,
    "marks": _marks,
}
