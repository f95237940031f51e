"""Looks: matches what a look shows with the fields of a kind, and writes the kind's template."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from generator.base.errors import Problem, did_you_mean, raise_problems
from generator.game.model import Game, Kind
from generator.game.packs import LOOK_FILE, PackFiles
from generator.game.table_header import Header

_FITTING: Mapping[str, tuple[str, ...]] = {
    "words": ("words", "text", "choice"), "text": ("words", "text", "choice"), "integer": ("integer", "number"),
}  # fmt: skip
"""The types of fields that fit each type that a look asks for. Others need the same type."""


def write_look(found: PackFiles, game: Game, kind: Kind, asked: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return the files that give a kind the look, by path in the project, and notes for the user.

    `asked` names the field for single values. Raise ProblemsFound for each required value that no field fits.
    """
    pack = found.pack
    fields, notes, problems = _match_fields(found, game, kind, asked)
    raise_problems(problems)
    template = f"templates/{game.id}/{kind.front}.svg"
    wants = pack.wants or {}
    if empty := [f"{want} ({spec.type})" for want, spec in wants.items() if want not in fields]:
        what = f"{kind.id} has no fields for {', '.join(empty)}; these places stay empty"
        notes.append(f"{what}; add fields and run the command again, or write `--match {empty[0].split()[0]}=FIELD`")
    hidden = [name for name in kind.fields if name not in fields.values()]
    if hidden:
        notes.append(f"not on the card: {', '.join(hidden)}; add them to {template}")
    lines = [f"{{# The look {pack.label}, {pack.licence}. It is yours now: change what you like. #}}"]
    values = {want: f"card.{fields[want]}" if want in fields else "none" for want in wants}
    lines += (f"{{% set {want} = {value} %}}" for want, value in values.items())
    text = found.contents[LOOK_FILE].decode("utf-8-sig")
    made = {template: "\n".join([*lines, text])}
    if pack.palette or pack.fonts:
        made[f"data/{game.id}/look-{pack.name}.yaml"] = "\n".join([*_iter_data(found, game), ""])
    return made, notes


def _match_fields(
    found: PackFiles, game: Game, kind: Kind, asked: Mapping[str, str]
) -> tuple[dict[str, str], list[str], list[Problem]]:
    """Return the field of each value, as tables match their headings, with notes and problems."""
    wants = found.pack.wants or {}
    header = Header(wants, ("",), found.pack.columns or {})
    headings = game.places["components"].value[kind.id].get("columns") or {}
    names = {name: name for name in kind.fields}
    names |= {heading: str(name).partition(".")[0] for heading, name in headings.items()}
    fields, notes, problems = dict[str, str](), list[str](), list[Problem]()
    for want, name in asked.items():
        if want not in wants or name not in kind.fields:
            wrong, known = (want, wants) if want not in wants else (name, kind.fields)
            of = "the look" if known is wants else kind.id
            problems.append(Problem(None, f"--match {want}={name}: {of} has no '{wrong}'", did_you_mean(wrong, known)))
    for heading, name in [*((want, name) for want, name in asked.items()), *names.items()]:
        want = heading if asked.get(heading) == name else (header.find_key(heading) or ("",))[0]
        if want not in wants or want in fields or name not in kind.fields or name in fields.values():
            continue
        wanted = wants[want].type
        if kind.fields[name].type in _FITTING.get(wanted, (wanted,)):
            fields[want] = name
        else:
            other = f"the look shows '{want}' as {wanted}"
            notes.append(f"'{name}' is of type {kind.fields[name].type}, but {other}")
    for want, spec in wants.items():
        free = [name for name, one in kind.fields.items() if one.type == spec.type and name not in fields.values()]
        if want not in fields and spec.type in ("picture", "icon") and len(free) == 1:
            fields[want] = free[0]  # the only one of a kind is meant, whatever its name is
        elif want not in fields and not spec.optional:
            what = f"the look '{found.pack.name}' needs '{want}' ({spec.type}), and no field of '{kind.id}' fits"
            hint = f"write `--match {want}=FIELD` (fields: {', '.join(kind.fields) or 'none'}), or add a column"
            problems.append(Problem(kind.place, what, hint))
    return fields, notes, problems


def _iter_data(found: PackFiles, game: Game) -> Iterator[str]:
    """Yield the lines of the data file with the look's colours and fonts, in the languages of the game."""
    pack, fonts = found.pack, found.source.value.get("fonts") or {}
    yield f"# Colours and fonts of the look {pack.label}."
    yield from ["palette:", *(f"  {name}: {json.dumps(colour)}" for name, colour in (pack.palette or {}).items())]
    own: Any = next(iter(game.places["fonts"].value.values()))
    yield from ["fonts:"] if fonts else []
    for name, family in dict[str, Any](fonts).items():
        yield f"  {name}:"
        for lang in game.languages:
            yield f"    {lang}: {json.dumps(family.get(lang, own.get(lang)), ensure_ascii=False)}"
