"""The check of draft 18 about its texts: nothing of the draft's damaged digits is left in what we print."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from generator.games.engine.check import Outcome, check
from generator.games.xanadu.figures import told
from generator.model.game import Effect, Game
from generator.model.text import Words

ALONE = re.compile(r"(?<![A-Za-z])[@AB](?![A-Za-z])")
"""A character that stood for a circled digit; in English an A is a word."""

FILLED_IN = re.compile(r"\{[{%].*?[}%]\}", re.DOTALL)


@check
def text_restored(game: Game) -> Outcome:
    """No text that is printed has @ in it, and no Japanese one a single A or B."""
    faults, seen = [], 0
    for path, lang, text in _printed(game):
        seen += 1
        rest = FILLED_IN.sub("", text)
        found = ALONE.findall(rest) if lang == "ja" else [sign for sign in rest if sign == "@"]
        faults += [f"{path}: {' '.join(found)}"] if found else []
    return told(f"{seen} texts", faults)


def _printed(game: Game) -> Iterator[tuple[str, str, str]]:
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
