"""From a stranger's project to one of one's own, which builds at once; what could not come over is told."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from generator.commands.begin.new import LAYOUT, lay_out, likely_name, make_project, write_schema
from generator.errors import Problem, ProblemsFound
from generator.faces.workshop import Workshop
from generator.files import write_below
from generator.intake.columns import KindFound, kind_of
from generator.intake.found import FoundProject, Unread
from generator.intake.reading import read_project
from generator.intake.writing import FirstFace, Taken, components, report, template, unset_words
from generator.load.game import load_game
from generator.load.project import find_project
from generator.load.tables.made_ids import id_of
from generator.model.game import Game
from generator.model.resources import Resources

LEASTS = (6.5, 4.0)
"""Sizes of type in points at which the texts of a kind are tried; what does not fit then is left out, and told."""

_NO_ROOM = "does not fit"
_ROUNDS = 40
"""So often a project is put right and looked at again."""


class Brought(NamedTuple):
    """The new project's folder and files, the program it came from, what did not come over."""

    root: Path
    files: tuple[Path, ...]
    program: str
    unread: tuple[Unread, ...]


def bring(parent: Path, source: Path, name: str, program: str = "") -> Brought:
    """Make the project `parent`/`name` of a stranger's folder or archive; ProblemsFound where nothing can come over."""
    found = read_project(source, source.as_posix(), program)
    called = name or likely_name(source.resolve().stem if source.is_file() else source.resolve().name) or "imported"
    unread: list[Unread] = []
    files = make_project(parent, called, partial(_write, found=found, told=unread))
    return Brought(parent / called, files, found.program, tuple(unread))


def _write(made: Path, game: str, *, found: FoundProject, told: list[Unread]) -> None:
    """All files into the folder `made`, put right until every face can be drawn."""
    resources = Resources((made,), shown_from=made)
    dropped: dict[str, set[str]] = {}
    kinds, lang = list(_kinds(found, dropped, resources)), "en"
    if not kinds:
        raise ProblemsFound([Problem(None, str(one)) for one in found.unread])
    if any(kind.japanese for kind in kinds):
        lang = "ja"
    lay_out(made, game, LAYOUT, (lang,))
    for path, data in found.pictures.items():
        write_below(made / "templates" / game, path, data)
    taken = Taken(game, lang, found, kinds, {kind.id: FirstFace() for kind in kinds})
    asked = frozenset(kind.id for kind in kinds)
    for _ in range(_ROUNDS):
        _write_game(made, taken)
        try:
            loaded = load_game(made / "data" / game, find_project(made).resources)
        except ProblemsFound as stopped:
            taken = _mended(made, taken, stopped.problems)
            continue
        unset = _unset(loaded, made, taken)
        if unset:
            taken = _with(taken, unset=(*taken.unset, *unset))
            continue
        wrong = _wrong_kinds(loaded, made, asked)
        asked = frozenset(wrong)
        if not wrong:
            break
        taken = _with(taken, faces={kind.id: _roomier(kind, taken, wrong) for kind in taken.kinds})
    if taken.unset:
        them = "it" if len(taken.unset) == 1 else "them"
        what = f"not both typefaces here, for texts and titles, have {unset_words(taken.unset)}: left out on cards"
        hint = f"add a font that has {them} to both families of look.yaml"
        found.unread.append(Unread("texts", 0, f"{what}; {hint}"))
    told += dict.fromkeys(found.unread)
    write_below(made, "IMPORT.md", report(taken, [str(one) for one in told]).encode())
    write_schema(made, game)


def _kinds(found: FoundProject, dropped: dict[str, set[str]], resources: Resources) -> Iterator[KindFound]:
    ids: set[str] = set()
    files: dict[str, str] = {}
    for deck in found.decks:
        plain = id_of(deck.name)[:40].strip("-").replace("-", "_") or "card"
        plain = f"k_{plain}" if plain[0].isdigit() else plain
        name, n = plain, 2
        while name in ids or f"{name}.svg" in found.pictures:
            name, n = f"{plain}_{n}", n + 1
        file = files.get(deck.table.file) or PurePosixPath(deck.table.file).name
        while file in files.values() and deck.table.file not in files:
            file = f"{name}-{file}"
        try:
            yield kind_of(deck, name, file, found, resources, dropped.get(name, ()))
        except ProblemsFound as stopped:
            found.unread += _of_table(deck.table.file, stopped.problems)
            continue
        ids.add(name)
        files[deck.table.file] = file


def _of_table(file: str, problems: Sequence[Problem]) -> Iterator[Unread]:
    for problem in problems[:3]:
        line = problem.place.line if problem.place else 0
        yield Unread(file, line, f"the table did not come over: {problem.what}; {problem.hint}")


def _write_game(made: Path, taken: Taken) -> None:
    data, drawn = made / "data" / taken.game, made / "templates" / taken.game
    for kind in taken.kinds:
        write_below(data, kind.file, kind.deck.table.data)
        write_below(drawn, f"{kind.id}.svg", template(kind, taken.faces[kind.id], taken.unset).encode())
    write_below(data, "components.yaml", components(taken).encode())


def _with(taken: Taken, **changed: object) -> Taken:
    return replace(taken, **changed)  # type: ignore[arg-type]


def _mended(made: Path, taken: Taken, problems: Sequence[Problem]) -> Taken:
    """Without what the tables' reader refuses: a column, where it says which, or a whole table; told, each once."""
    found, kinds, touched = taken.found, list[KindFound](), False
    for kind in taken.kinds:
        mine = [
            one
            for one in problems
            if one.place and one.place.file.partition(".xls")[0].endswith(kind.file.partition(".xls")[0])
        ]
        if not mine:
            kinds.append(kind)
            continue
        touched = True
        found.unread += _of_table(kind.deck.table.file, mine)
        (made / "data" / taken.game / kind.file).unlink()
    if not touched or not kinds:
        raise ProblemsFound(problems)
    return _with(taken, kinds=kinds)


def _unset(game: Game, made: Path, taken: Taken) -> list[str]:
    """The signs of all texts that not every typeface has, as far as they are not left out already."""
    workshop = Workshop(game, find_project(made).resources)
    chains = [workshop.fonts.chain(family, taken.lang) for family in ("body", "title")]
    signs = sorted({sign for kind in taken.kinds for sign in kind.signs} - set(taken.unset))
    return [
        sign for sign in signs
        if sign not in "\n\r\t\ufe0e\ufe0f" and not all(any(font.glyph(sign) for font in chain) for chain in chains)
    ]  # fmt: skip


def _wrong_kinds(game: Game, made: Path, asked: frozenset[str]) -> dict[str, Problem]:
    """Of the kinds that are asked for those of which not every face can be drawn, each with its worst problem.

    That a text finds no room is the least of them.
    """
    wrong = {}
    for name in sorted(asked & game.kinds.keys()):
        workshop = Workshop(game, find_project(made).resources)
        workshop.draw_all(game.kinds[name].designs, game.languages)
        if workshop.problems:
            wrong[name] = min(workshop.problems, key=lambda one: _NO_ROOM in one.what)
    return wrong


def _roomier(kind: KindFound, taken: Taken, wrong: Mapping[str, Problem]) -> FirstFace:
    """The next try of a kind that did not fit: smaller type, then without its longest text, which is told.

    What is wrong in any other way lies with its pictures: they are left out first, and told.
    """
    face = taken.faces[kind.id]
    if kind.id not in wrong:
        return face
    shown = [one.name for one in kind.fields if one.shows and one.name not in face.without]
    if _NO_ROOM not in wrong[kind.id].what and shown:
        what = f"its pictures are not on the template yet: {wrong[kind.id].what}"
        taken.found.unread.append(Unread(kind.deck.table.file, 1, what))
        return FirstFace(face.least, (*face.without, *shown))
    smaller = [least for least in LEASTS if least < face.least]
    if smaller:
        return FirstFace(smaller[0], face.without)
    rest = [one for one in kind.fields if one.name not in face.without and one.name != kind.title]
    if not rest:
        return face
    longest = max(rest, key=lambda one: one.longest)
    what = f"the column '{longest.heading}' is too long for the card: it is read, but not on the template yet"
    taken.found.unread.append(Unread(kind.deck.table.file, 1, what))
    return FirstFace(face.least, (*face.without, longest.name))
