"""Rich text as plain characters: icons and components by name, ruby without its readings."""

from collections.abc import Callable
from typing import TypeAlias

from generator.errors import Place, Problem
from generator.model.game import Design, Game
from generator.model.markup import MarkupError, parse_markup
from generator.model.text import Icon, LineBreak, Plain, Reference, Ruby

Called: TypeAlias = Callable[[Design, str], str]
"""What players call a design in a language, in plain characters."""


def plain(game: Game, text: str, lang: str, called: Called, place: Place | None, problems: list[Problem]) -> str:
    """The text without its markup; what can't be read goes to the problems, and the text is then empty."""
    try:
        rich = parse_markup(text)
    except MarkupError as mistake:
        problems.append(Problem(place, f"wrong markup: {mistake.what}", "mend it"))
        return ""
    parts: list[str] = []
    for inline in rich:
        match inline:
            case Plain():
                parts.append(inline.text)
            case Ruby():
                parts.extend(inline.base)
            case Icon():
                parts.append(_icon(game, inline.name, lang))
            case Reference():
                parts.append(_component(game, inline.component, lang, called))
            case LineBreak():
                parts.append("\n")
    return "".join(parts).strip()


def _icon(game: Game, name: str, lang: str) -> str:
    return game.icons[name].name[lang] if name in game.icons else name


def _component(game: Game, name: str, lang: str, called: Called) -> str:
    known = next((design for design in game.designs() if design.id == name), None)
    return called(known, lang) if known is not None else name
