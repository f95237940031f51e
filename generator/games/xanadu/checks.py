"""How checks say what they found; and the check of the texts: no damaged digit of the draft is printed."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from generator.errors import Place
from generator.games.engine.check import Outcome, check
from generator.model.game import Design, Effect, Game
from generator.model.text import Words

ALONE = re.compile(r"(?<![A-Za-z])[@AB](?![A-Za-z])")
"""A character that stood for a circled digit; in English an A is a word."""

FILLED_IN = re.compile(r"\{[{%].*?[}%]\}", re.DOTALL)


def short(design: Design) -> str:
    """A design's own name, without its kind."""
    return design.id.split("/", 1)[1]


def name_and_place(design: Design) -> str:
    """A design with the line that describes it: `lotus (data/xanadu/boards.yaml:123)`."""
    return at(short(design), design.place)


def at(name: str, place: Place | None) -> str:
    """A name with the line that it stands in."""
    return f"{name} ({place.file}:{place.line})" if place else name


def outcome(figures: str, faults: Iterable[str]) -> Outcome:
    """Figures, and after them every fault; good without faults."""
    listed = list(faults)
    return Outcome(not listed, "; ".join([figures, *listed]))


def for_players(game: Game, row: Callable[[int], tuple[bool, str]]) -> Outcome:
    """What holds for every number of players, with the figures of each."""
    found = {players: row(players) for players in game.players}
    figures = "; ".join(f"{players} players: {shown}" for players, (_, shown) in found.items())
    return Outcome(bool(found) and all(ok for ok, _ in found.values()), figures)


@check
def text_restored(game: Game) -> Outcome:
    """No text that is printed has @ in it, and no Japanese one a single A or B."""
    faults, seen = [], 0
    for path, lang, text in _printed_texts(game):
        seen += 1
        rest = FILLED_IN.sub("", text)
        found = ALONE.findall(rest) if lang == "ja" else [sign for sign in rest if sign == "@"]
        faults += [f"{path}: {' '.join(found)}"] if found else []
    return outcome(f"{seen} texts", faults)


def _printed_texts(game: Game) -> Iterator[tuple[str, str, str]]:
    """(where, language, text) of everything that can be printed: names, cards, words, phrases, rules."""
    parts: dict[str, Any] = {kind.id: kind.name for kind in game.kinds.values()}
    parts |= {icon.id: icon.name for icon in game.icons.values()}
    parts |= {operation.id: operation.says for operation in game.operations.values()}
    parts |= {design.id: design.fields for design in game.designs()}
    parts |= {"words": game.sections.get("words", {}), "variants": game.sections.get("rules", {}).get("variants", ())}
    for name, value in parts.items():
        yield from _texts(name, value)


def _texts(path: str, value: Any) -> Iterator[tuple[str, str, str]]:
    if isinstance(value, Words):
        yield from ((path, lang, text) for lang, text in value.items())
    elif isinstance(value, Effect):
        return
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield from _texts(f"{path}.{name}", part)
    elif isinstance(value, tuple):
        for number, part in enumerate(value):
            yield from _texts(f"{path}.{number}", part)
