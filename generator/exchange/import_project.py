"""Import a project of another program as one that builds at once."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import click

from generator.base.errors import Problem, ProblemsFound, to_one_line
from generator.base.files import ProgressListener, Resources, no_progress, read_file, write_in_folder
from generator.commands.command_line import say, say_text
from generator.commands.new import make_project, suggest_name
from generator.commands.options import QUIET, VERBOSE, AddedChoice, is_quiet, path_from_here, progress
from generator.commands.starters import copy_starter, write_game_schema
from generator.drawing.faces.game_drawing import Workshop
from generator.exchange.foreign_project import FoundLayout, FoundProject, read_project
from generator.exchange.foreign_tables import FoundKind, read_foreign_kind
from generator.exchange.layout_templates import FIRST_LINE, write_fonts
from generator.exchange.project_files import (
    NO_GLYPH,
    NO_GLYPH_ART,
    FirstFace,
    ImportedGame,
    format_unset,
    write_components,
    write_import_report,
    write_template,
)
from generator.game.data_fields import id_from_text
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.packs import LAYOUT
from generator.game.project import find_bundled_root, find_project
from generator.text.fonts import Font
from generator.text.glyph_cache import get_glyph_cache

TRIED_SIZES = (6.5, 4.0)
"""Text sizes (pt) to try for the texts of a kind. Text that doesn't fit then is left out and reported."""

_STYLES = (("body", False), ("body", True), ("title", False))
"""The families of the first templates, in regular and bold."""

_FALLBACKS = (
    "BIZUDPGothic_400Regular.ttf", "NotoEmoji_400Regular.ttf", "NotoSansHebrew_400Regular.ttf",
    "NotoSansArabic_400Regular.ttf", "NotoSansThai_400Regular.ttf",
)  # fmt: skip
"""Bundled fonts for characters that the families of a new project lack, in order."""
MOST_ROWS, MOST_CELLS = 20_000, 400_000
"""Largest number of cards, and of cells, of all tables: every card is drawn to see if its texts fit."""

_MOST_SHOWN = 40
"""Largest number of fields on a first template. More would not fit."""

_NO_ROOM = "does not fit"
_ROUNDS = 40
"""Largest number of rounds to correct a project and check it again."""

_DRAWN_AT_ONCE = 20
"""Designs drawn between two progress messages."""


_MOST_LISTED = 20
"""Maximum number of files, and of things not imported, that the command lists."""


@click.command(name="import")
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("name", default="")
@click.option(
    "--as",
    "program",
    type=AddedChoice("importers"),
    help="Program that made SOURCE (default: recognise it from its files).",
)
@QUIET
@VERBOSE
def import_(source: Path, name: str, program: str | None) -> None:
    """Convert a project of another program.

    SOURCE is a folder, a .zip or an .mse-set. pnp writes the new project to the folder NAME. It copies tables
    unchanged and runs no code from SOURCE. IMPORT.md lists everything that could not be converted.
    """
    made = import_project(Path.cwd(), source, name, program or "", progress())
    shown = [] if is_quiet() else [path_from_here(path) for path in made.files]
    for path in shown[:_MOST_LISTED]:
        say(path)
    if len(shown) > _MOST_LISTED:
        say(f"and {len(shown) - _MOST_LISTED} more")
    if made.unread:
        things = "1 thing" if len(made.unread) == 1 else f"{len(made.unread)} things"
        say(err=True)
        say(f"From {made.program}; {things} could not be imported (IMPORT.md lists all):", err=True)
        for one in made.unread[:_MOST_LISTED]:
            say(one, err=True)
        if len(made.unread) > _MOST_LISTED:
            say(f"and {len(made.unread) - _MOST_LISTED} more", err=True)
    if shown:
        say_text(f"\nNow:  cd {to_one_line(path_from_here(made.root))}\n      pnp build\n")


class ImportedProject(NamedTuple):
    """The new project's folder and files, the source program, and what was not imported."""

    root: Path
    files: tuple[Path, ...]
    program: str
    unread: tuple[str, ...]


def import_project(
    parent: Path, source: Path, name: str, program: str = "", progress: ProgressListener = no_progress
) -> ImportedProject:
    """Import the folder or archive `source` as the project `parent`/`name`.

    Raise ProblemsFound if nothing can be imported. Report to `progress`.
    """
    progress(f"reading {source.name}")
    found = read_project(source, source.as_posix(), program)
    called = name or suggest_name(source.resolve().stem if source.is_file() else source.resolve().name) or "imported"
    unread: list[str] = []
    files = make_project(parent, called, partial(_write_project, foreign=found, unread=unread, progress=progress))
    progress("")
    return ImportedProject(parent / called, files, found.program, tuple(unread))


def _write_project(
    root: Path, game: str, *, foreign: FoundProject, unread: list[str], progress: ProgressListener
) -> None:
    """Write all files into `root`, corrected until every face can be drawn. Add what is left out to `unread`."""
    resources = Resources((root,), shown_from=root)
    kinds, lang = list(_read_kinds(foreign, resources)), "en"
    if not kinds:
        raise ProblemsFound([Problem(None, one) for one in foreign.unread])
    if any(kind.is_japanese for kind in kinds):
        lang = "ja"
    copy_starter(root, game, LAYOUT, (lang,))
    home, drawn = root / "data" / game, root / "templates" / game
    for path, data in foreign.pictures.items():
        write_in_folder(drawn, path, data)
    look = read_file(home / "look.yaml", "own") + write_fonts(foreign, lang).encode()
    write_in_folder(home, "look.yaml", look)
    taken = ImportedGame(game, lang, foreign, kinds, {kind.id: _make_first_face(kind, foreign) for kind in kinds})
    asked = frozenset(kind.id for kind in kinds)
    for _ in range(_ROUNDS):
        for kind in taken.kinds:
            write_in_folder(home, kind.file, kind.deck.table.data)
            write_in_folder(drawn, f"{kind.id}.svg", write_template(kind, taken.faces[kind.id], foreign).encode())
        write_in_folder(home, "components.yaml", write_components(taken).encode())
        if taken.unset:
            write_in_folder(drawn, f"icons/{NO_GLYPH}.svg", NO_GLYPH_ART.encode())
        try:
            loaded = load_game(home, find_project(root).resources)
        except ProblemsFound as stopped:
            taken = _mend_tables(root, taken, stopped.problems)
            continue
        fonts = Workshop(loaded, find_project(root).resources).fonts
        cases = [get_glyph_cache(fonts, family, taken.lang, bold, italic=False, spacing=0) for family, bold in _STYLES]
        signs = sorted({sign for kind in taken.kinds for sign in kind.signs} - set(taken.unset))
        for case in cases:
            case.get_groups("\n".join(signs))
        if missing := [sign for sign in signs if any(case.find_missing(sign) for case in cases)]:
            taken = replace(taken, unset=(*taken.unset, *_add_fonts(root, game, missing)))
            continue
        wrong = _find_wrong_kinds(loaded, root, asked, progress)
        asked = frozenset(wrong)
        if not wrong:
            break
        taken = replace(taken, faces={kind.id: _make_room(kind, taken, wrong) for kind in taken.kinds})
    if taken.unset:
        what = f"no bundled font has {format_unset(taken.unset)}: cards show a crossed box in their place"
        hint = "add a font that has them to look.yaml, then remove them from `emoji:` in components.yaml"
        foreign.leave_out("texts", 0, f"{what}; {hint}")
    unread += dict.fromkeys(foreign.unread)
    write_in_folder(root, "IMPORT.md", write_import_report(taken, unread).encode())
    write_game_schema(root, game)


def _read_kinds(foreign: FoundProject, resources: Resources) -> Iterator[FoundKind]:
    ids: set[str] = set()
    files: dict[str, str] = {}
    rows = cells = 0
    for deck in foreign.decks:
        plain = id_from_text(deck.name)[:40].strip("-").replace("-", "_") or "card"
        plain = f"k_{plain}" if plain[0].isdigit() else plain
        name, n = plain, 2
        while name in ids or f"{name}.svg" in foreign.pictures:
            name, n = f"{plain}_{n}", n + 1
        file = files.get(deck.table.file) or PurePosixPath(deck.table.file).name
        while file in files.values() and deck.table.file not in files:
            file = f"{name}-{file}"
        try:
            kind = read_foreign_kind(deck, name, file, foreign, resources)
        except ProblemsFound as stopped:
            _report_table(foreign, deck.table.file, stopped.problems)
            continue
        rows, cells = rows + kind.rows, cells + (kind.rows + 20) * len(kind.fields)
        if rows > MOST_ROWS or cells > MOST_CELLS:
            what = f"an import takes at most {MOST_ROWS:,} cards and {MOST_CELLS:,} cells of all its tables"
            problem = Problem(None, what, "split the table, or add it to `designs:` afterwards")
            _report_table(foreign, deck.table.file, [problem])
            rows, cells = rows - kind.rows, cells - (kind.rows + 20) * len(kind.fields)
            continue
        yield kind
        ids.add(name)
        files[deck.table.file] = file


def _make_first_face(kind: FoundKind, foreign: FoundProject) -> FirstFace:
    """Return a face without the fields beyond those that a card can show, and report how many these are."""
    rest = [one.name for one in kind.fields if one.name != kind.title][_MOST_SHOWN:]
    if rest:
        what = f"{len(rest)} columns are read, but not on the template yet: it shows {_MOST_SHOWN} at first"
        foreign.leave_out(kind.deck.table.file, 1, what)
    return FirstFace(without=tuple(rest))


def _report_table(foreign: FoundProject, file: str, problems: Sequence[Problem]) -> None:
    for problem in problems[:3]:
        line = problem.place.line if problem.place else 0
        foreign.leave_out(file, line, f"the table could not be imported: {problem.what}; {problem.hint}")


def _mend_tables(root: Path, taken: ImportedGame, problems: Sequence[Problem]) -> ImportedGame:
    """Return the data without the tables in `problems`, and report these. Raise ProblemsFound if none or all are."""
    found, kinds, touched = taken.found, list[FoundKind](), False
    for kind in taken.kinds:
        stem = kind.file.partition(".xls")[0]
        mine = [one for one in problems if one.place and one.place.file.partition(".xls")[0].endswith(stem)]
        if not mine:
            kinds.append(kind)
            continue
        touched = True
        _report_table(found, kind.deck.table.file, mine)
        (root / "data" / taken.game / kind.file).unlink()
    if not touched or not kinds:
        raise ProblemsFound(problems)
    return replace(taken, kinds=kinds)


def _add_fonts(root: Path, game: str, missing: Sequence[str]) -> list[str]:
    """Add the bundled fonts that have the missing characters to the families; return what none of them has."""
    added, left = list[str](), list(missing)
    for name in _FALLBACKS:
        path = find_bundled_root() / "fonts" / name
        font = Font(path, read_file(path, "own"))
        if any(font.find_glyph(sign) for sign in left):
            added.append(name)
            left = [sign for sign in left if not font.find_glyph(sign)]
    folder = root / "data" / game
    text = read_file(folder / "look.yaml", "own").decode("utf-8")
    added = [name for name in added if name not in text]
    if not added:
        return list(missing)  # the fonts contain them, but can't set them
    write_in_folder(folder, "look.yaml", text.replace(".ttf]", f".ttf, {', '.join(added)}]").encode())
    return left


def _find_wrong_kinds(
    game: Game, root: Path, wanted: frozenset[str], progress: ProgressListener
) -> dict[str, list[Problem]]:
    """Return the requested kinds with faces that fail, each with its problems. Text that doesn't fit comes last."""
    wrong = {}
    for name in sorted(wanted & game.kinds.keys()):
        workshop = Workshop(game, find_project(root).resources)
        designs = game.kinds[name].designs
        for number, design in enumerate(designs):
            if number % _DRAWN_AT_ONCE == 0:
                progress(f"drawing {name}: {number} of {len(designs)} designs")
            workshop.draw_all((design,), game.languages)
        if workshop.problems:
            wrong[name] = sorted(workshop.problems, key=lambda one: _NO_ROOM in one.what)
    return wrong


def _make_room(kind: FoundKind, taken: ImportedGame, wrong: Mapping[str, Sequence[Problem]]) -> FirstFace:
    """Return the next try of a kind that did not fit: smaller type, then without its longest text. Report that.

    Other problems come from pictures: those are left out first, with a report.
    """
    face = taken.faces[kind.id]
    if kind.id not in wrong:
        return face
    if kind.deck.layout is not None and face.laid_out:
        return _leave_items(kind.deck.layout, kind.id, face, taken.found, wrong[kind.id])
    shown = [one.name for one in kind.fields if one.shows and one.name not in face.without]
    if _NO_ROOM not in wrong[kind.id][0].what and shown:
        what = f"its pictures are not on the template yet: {wrong[kind.id][0].what}"
        taken.found.leave_out(kind.deck.table.file, 1, what)
        return replace(face, without=(*face.without, *shown))
    smaller = [least for least in TRIED_SIZES if least < face.least]
    if smaller:
        return replace(face, least=smaller[0])
    rest = [one for one in kind.fields if one.name not in face.without and one.name != kind.title]
    rest = rest or [one for one in kind.fields if one.name not in face.without]
    if not rest:
        return face
    longest = max(rest, key=lambda one: one.longest)
    what = f"the column '{longest.heading}' is too long for the card: it is read, but not on the template yet"
    taken.found.leave_out(kind.deck.table.file, 1, what)
    return replace(face, without=(*face.without, longest.name))


def _leave_items(
    layout: FoundLayout, name: str, face: FirstFace, found: FoundProject, problems: Sequence[Problem]
) -> FirstFace:
    """Return a layout's next try: smaller type, then without failing items, then without layout. Report these."""
    if face.least > TRIED_SIZES[-1] and all(_NO_ROOM in one.what for one in problems):
        return replace(face, least=TRIED_SIZES[-1])
    hidden = dict[int, Problem]()
    for one in problems:
        if at := re.search(rf"\b{re.escape(name)}\.svg:(\d+)", str(one)):
            hidden.setdefault(int(at[1]), one)
    new = {line: one for line, one in hidden.items() if line not in face.hidden and line >= FIRST_LINE}
    for line, one in new.items():
        item = layout.items[line - FIRST_LINE]
        found.leave_out(layout.file, item.line, f"left out of the template: {one.what}")
    if new:
        return replace(face, hidden=(*face.hidden, *new))
    found.leave_out(layout.file, 1, f"the layout could not be drawn: {problems[0].what}")
    return replace(face, laid_out=False, least=TRIED_SIZES[0])
