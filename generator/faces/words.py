"""Rich text as plain characters: icons and components by name, ruby without its readings; what a design says so."""

from collections.abc import Callable, Container
from typing import TypeAlias

from generator.errors import Place, Problem, ProblemsFound
from generator.faces.face import Artist
from generator.model.game import Design, Effect, Game
from generator.model.markup import MarkupError, icons_for, parse_markup
from generator.model.text import Icon, LineBreak, Plain, Reference, Ruby, Words

Called: TypeAlias = Callable[[Design, str], str]
"""What players call a design in a language, in plain characters."""


def design_texts(
    artist: Artist,
    game: Game,
    design: Design,
    lang: str,
    called: Called,
    problems: list[Problem],
    without: Container[str] = (),
) -> dict[str, str]:
    """What the texts of a design say, by field, filled in as its templates read them; `without` some, or empty ones."""
    texts = {}
    for field, value in design.fields.items():
        if field in without or not isinstance(value, Words):
            continue
        try:
            said = artist.says(design, lang, "card", field)
        except ProblemsFound as found:
            problems += found.problems
            continue
        if isinstance(said, str) and said.strip():
            texts[field] = plain(game, said, lang, called, design.source.place(field, lang), problems)
    return texts


def effect_texts(
    artist: Artist, game: Game, design: Design, lang: str, called: Called, problems: list[Problem]
) -> dict[str, str]:
    """What the effects of a design say, by field: some cards show them without a text that has them."""
    texts = {}
    for field, value in design.fields.items():
        if isinstance(value, tuple) and value and all(isinstance(one, Effect) for one in value):
            try:
                said = [str(one["text"]) for one in artist.says(design, lang, "card", field)]
            except ProblemsFound as found:
                problems += found.problems
                continue
            place = design.source.place(field)
            texts[field] = "\n".join(plain(game, text, lang, called, place, problems) for text in said)
    return texts


def plain(game: Game, text: str, lang: str, called: Called, place: Place | None, problems: list[Problem]) -> str:
    """The text without its markup; what can't be read goes to the problems, and the text is then empty."""
    try:
        rich = parse_markup(icons_for((icon.id, icon.emoji) for icon in game.icons.values())(text))
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
