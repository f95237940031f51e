"""A move in words: the data's phrase for it, filled in with numbers and the names of pieces."""

import re
from collections import defaultdict
from collections.abc import Mapping
from string import Formatter
from typing import Any

from generator.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.games.engine.contract import Said
from generator.model.game import Design, Game
from generator.model.markup import MarkupError, parse_markup, plain_text
from generator.model.text import Words


def move_text(game: Game, said: Said, lang: str) -> str:
    """The phrase of `moves` in the data with its `{names}` filled in; ProblemsFound for one that the data lack."""
    values = {name: _format_value(game, value, lang) for name, value in said.values.items()}
    if said.phrase not in game.moves:
        what = f"the rules make a move '{said.phrase}', which has no words"
        place = game.places.place("moves") or game.places.place("rules_module")
        raise ProblemsFound([Problem(place, what, f"add `{said.phrase}: ...` to `moves`")])
    try:
        return game.moves[said.phrase][lang].format_map(values)
    except KeyError as error:
        what = f"moves.{said.phrase} names '{{{error.args[0]}}}', which the rules don't tell of this move"
        place = game.places.place("moves", said.phrase, lang)
        raise ProblemsFound([Problem(place, what, did_you_mean(str(error.args[0]), values))]) from error


def piece_name(game: Game, piece: str, lang: str) -> str:
    """What players call a copy or a design: by its kind's `called`, else its title or name, else kind and id.

    ProblemsFound where that can't be read, or where `{{ ... }}` in it waits to be filled in, which templates alone do.
    """
    design = game.design(piece.split("#", maxsplit=1)[0])
    kind = game.kinds[design.kind]
    if kind.called is not None:
        named = {name for _, name, _, _ in Formatter().parse(kind.called[lang])}
        values = {
            name: field_text(game, value, lang, design.source.place(name, lang))
            for name, value in design.fields.items()
            if name in named
        }
        return kind.called[lang].format_map({"id": design.id.split("/")[1], **values})
    for name in ("title", "name"):
        own = design.fields.get(name)
        if isinstance(own, Words):
            return _plain(own[lang], design.source.place(name, lang))
    kind_name = _plain(kind.name[lang], game.places.place("components", kind.id, "name", lang))
    return f"{kind_name} {design.id.split('/')[1]}" if len(kind.designs) > 1 else kind_name


def piece_names(game: Game, lang: str, problems: list[Problem]) -> dict[str, str]:
    """What players call each design, by its id; a name that can't be read goes to the problems, the id in its stead."""
    names = {}
    for design in game.designs():
        try:
            names[design.id] = piece_name(game, design.id, lang)
        except ProblemsFound as found:
            problems += found.problems
            names[design.id] = design.id
    return names


def zone_name(game: Game, zone: str, lang: str) -> str:
    """What players call a place for pieces: of `set 2 6 down` the data's name of `set-down`, with `{n}` 2 and `{m}` 6.

    A place that the data don't name is called as the rules call it.
    """
    kind = zone_kind(zone)
    if kind not in game.zones:
        return zone
    numbers = defaultdict(str, zip("nm", re.findall(r"\d+", zone), strict=False))
    return game.zones[kind].name[lang].format_map(numbers)


def zone_kind(zone: str) -> str:
    """A place for pieces as the data name it: `set-down` for `set 2 6 down`."""
    return "-".join(re.sub(r"\d", "", zone).split())


def _format_value(game: Game, value: Any, lang: str) -> str:
    if isinstance(value, tuple):
        return ("、" if lang == "ja" else ", ").join(_format_value(game, entry, lang) for entry in value)
    if isinstance(value, Design):
        return piece_name(game, value.id, lang)
    return field_text(game, value, lang)


def field_text(game: Game, value: Any, lang: str, place: Place | None = None) -> str:
    """A value as players say it: texts in their language, icons by name; ProblemsFound at `place` for wrong markup."""
    if isinstance(value, Words):
        return _plain(value[lang], place)
    if isinstance(value, str) and value in game.icons:
        return _plain(game.icons[value].name[lang], game.places.place("icons", value, "name", lang))
    if isinstance(value, Mapping):
        return ""
    return str(value)


def _plain(text: str, place: Place | None) -> str:
    try:
        return plain_text(parse_markup(text)).replace("\n", " ")
    except MarkupError as mistake:
        what, hint = f"wrong markup: {mistake.what}", "mend it"
        if "{{" in text or "{%" in text:
            what = f"players call a piece by '{text}', and no name is filled in"
            hint = "write it without {{ }}, or give its kind a `called:` of other fields"
        raise ProblemsFound([Problem(place, what, hint)]) from mistake
