"""The command `new`: make a project from a starter or a drawing, in a new or an existing folder, or show all starters.

Existing files are never overwritten.
"""

import base64
import csv
import html
import io
import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import click

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound, WrongUsage, raise_problems
from generator.base.files import DEVICES, is_file, list_files, read_file, write_in_folder
from generator.base.geometry import CARD_SIZES, MM_PER_INCH, scan_numbers
from generator.base.output_files import lock_folders, open_delivery
from generator.commands.command_line import say, say_text
from generator.commands.guide import copy_guides
from generator.commands.options import path_from_here
from generator.commands.starters import (
    LANGUAGES,
    copy_files,
    copy_starter,
    describe_starters,
    find_starter,
    read_starter,
    write_game_schema,
)
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.svg.layout_objects import DOTS, SAME_SIZE
from generator.drawing.svg.tree import Element, find_link, read_art_tree
from generator.drawing.svg.values import MM, convert_length, list_numbers
from generator.drawing.svg_writer import write_policy
from generator.drawing.templates.renderer import find_drawn_fields
from generator.drawing.templates.template_sources import read_template
from generator.game.load_game import load_game
from generator.game.model import Design, Game
from generator.game.packs import LAYOUT, LAYOUTS, PACK_FILE, STARTERS
from generator.game.project import find_bundled_root, find_project

CURRENT_FOLDER = "."
"""The name that asks for a project in the current folder."""

LONGEST = 60
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_OWN_FOLDERS = ("common", "data", "fonts", "output", "records", "templates")

GALLERY = "gallery"
DRAWING = "drawing"
"""The starter that needs a file: the drawing of a card becomes its template."""


class StarterName(click.Choice):  # type: ignore[type-arg]  # before click 8.2 it takes no type
    """The name of a starter that comes with pnp, or the name or folder of another pack."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name if it is a starter's or a pack's folder, else raise BadParameter."""
        return value if is_file(find_starter(value) / PACK_FILE) else super().convert(value, param, ctx)


@click.command()
@click.argument("name", required=False)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--from",
    "starter",
    type=StarterName([*STARTERS, DRAWING, GALLERY]),
    default="cards",
    show_default=True,
    help="Starter: a small game (cards, board, csv), an empty project (blank), a layout, your drawing with FILE, or a"
    " pack's name or folder; gallery shows all.",
)
@click.option("--lang", "langs", type=click.Choice(["ja", "en"]), multiple=True,
              help="Language of the project (default: both).")  # fmt: skip
def new(name: str | None, file: Path | None, starter: str, langs: tuple[str, ...]) -> None:
    """Start a project from a starter.

    pnp creates the folder NAME with a project that builds at once. Change it into your own game. Use . for the current
    folder; pnp keeps the files in it. Run `pnp new --from gallery` to see pictures of all starters.

    `pnp new NAME --from drawing FILE.svg` makes your drawing of a card the template. Its placeholders and the names of
    its objects become the columns of a table.
    """
    if starter == GALLERY:
        lines = write_gallery(Path.cwd(), langs)
        for each, line in lines.items():
            say(f"{each:<10}{line}")
        say()
        page = path_from_here(Path.cwd() / PAGE)
        say(f"{page} shows each. Begin with one:  pnp new my-game --from {next(iter(lines))}")
        return
    if name is None:
        raise click.UsageError("Missing argument 'NAME'.")
    if (starter == DRAWING) != (file is not None):
        wrong = "Missing argument 'FILE'." if file is None else f"Got unexpected extra argument ({file})"
        raise click.UsageError(f"{wrong} Write: pnp new {name} --from drawing FILE.svg")
    for path in new_project(Path.cwd(), name, starter, langs, file):
        say(path_from_here(path))
    steps = ["pnp build"] if name == CURRENT_FOLDER else [f"cd {name}", "pnp build"]
    say_text(
        "\nNow:  "
        + "\n      ".join(steps)
        + "\n\nThen open README.md in the new folder. It explains which file to change.\n"
    )


def new_project(
    parent: Path, name: str, starter: str, langs: tuple[str, ...] = (), drawing: Path | None = None
) -> tuple[Path, ...]:
    """Make the project `parent`/`name` from a starter in some of its languages (or all). Return its files.

    The starter `drawing` needs the file of a `drawing`. With the name `.` the project is made in `parent` and named
    after that folder.
    """

    def from_starter(made: Path, game: str) -> None:
        chosen = tuple(lang for lang in LANGUAGES if lang in (langs or LANGUAGES))
        if drawing is not None:
            write_drawing_starter(made, game, drawing, chosen)
        else:
            copy_starter(made, game, starter, chosen)
        write_game_schema(made, game)

    return make_project(parent, name, from_starter)


def make_project(parent: Path, name: str, write: Callable[[Path, str], None]) -> tuple[Path, ...]:
    """Call `write` with a temporary folder and a game name, then move the files to `parent`/`name`.

    The folder may exist and hold other files. Raise ProblemsFound for an invalid name, for each file that already
    exists, and if the folder can't be written to.
    """
    target = parent if name == CURRENT_FOLDER else parent / name
    shown = Path() if name == CURRENT_FOLDER else Path(name)
    game = suggest_name(target.name) or target.name if name == CURRENT_FOLDER else name
    if wrong := _check_name(game):
        raise WrongUsage(wrong)
    raise_problems(_check_target(target, name))
    there = target.is_dir()
    home = target if there else parent
    try:
        home.stat()  # a tray would make the folder
        with open_delivery() as room:
            made = room.open_temporary_folder(home) / "project"
            write(made, game)
            files = [path.relative_to(made) for path in list_files(made)]
            with lock_folders([home]):  # somebody else may make it at the same time
                raise_problems(
                    _find_conflicts(target, files, shown) if there else _check_target(target, name, new=True)
                )
                if there:
                    _move_files(made, files, target)
                else:
                    made.rename(target)
    except OSError as error:
        what = f"the project can't be made: {error.strerror or error}"
        raise ProblemsFound([Problem(Place(name), what, "choose a folder that you may write to")]) from error
    return tuple(target / file for file in files)


def _find_conflicts(target: Path, files: list[Path], shown_path: Path) -> list[Problem]:
    """Return a problem for each file, link or file in place of a folder that blocks the project's files."""
    found = {}
    for file in files:
        for folder in reversed(file.parents[:-1]):
            if os.path.lexists(target / folder) and ((target / folder).is_symlink() or not (target / folder).is_dir()):
                found[folder] = "the project needs a folder here, but a file is in its place"
        if os.path.lexists(target / file):
            found[file] = "this exists already, but the project needs a file of that name"
    hint = "move it, or choose a new folder"
    return [Problem(Place((shown_path / path).as_posix()), what, hint) for path, what in found.items()]


def _move_files(source: Path, files: list[Path], target: Path) -> None:
    """Move the files to their places. If one can't be moved, undo all moves and raise OSError."""
    moved: list[Path] = []
    folders: list[Path] = []
    try:
        for file in files:
            for folder in (target / parent for parent in reversed(file.parents[:-1])):
                if not folder.exists():
                    folder.mkdir()
                    folders.append(folder)
            (source / file).rename(target / file)
            moved.append(target / file)
    except BaseException:
        for path in moved:
            path.unlink()
        for folder in reversed(folders):
            folder.rmdir()
        raise


def _check_name(name: str) -> list[Problem]:
    """Return at most one problem for a name that is invalid on some system or in some command."""
    if not _NAME.fullmatch(name):
        likely = suggest_name(name)
        example = likely if likely and not _check_name(likely) else "my-game"
        hint = f"use the letters a-z, digits, - and _, as in '{example}'"
        return [Problem(None, f"'{name}' is not a valid project name", hint)]
    if len(name) > LONGEST:
        return [Problem(None, f"the name has {len(name)} letters", f"use at most {LONGEST}; the title may be longer")]
    if name in DEVICES:
        return [Problem(None, f"'{name}' is the name of a device on Windows", f"choose another, as '{name}-game'")]
    if name in _OWN_FOLDERS:
        what = f"'{name}' is the name of a folder that every project contains"
        return [Problem(None, what, f"choose another, as '{name}-game'")]
    if (find_bundled_root() / "templates" / name).is_dir():
        what = f"'{name}' is the name of a game that comes with pnp, whose templates would replace missing ones"
        return [Problem(None, what, f"choose another, as 'my-{name}'")]
    return []


def suggest_name(name: str) -> str:
    """Return the valid name closest to the text, or an empty string if there is none."""
    likely = re.sub(r"[^a-z0-9_]+", "-", name.lower()).strip("-_")[:LONGEST]
    return likely if _NAME.fullmatch(likely) else ""


def _check_target(target: Path, name: str, *, new: bool = False) -> list[Problem]:
    if os.path.lexists(target) and (new or target.is_symlink() or not target.is_dir()):
        return [Problem(Place(name), "a file or folder of this name exists already", "choose another name, or move it")]
    return []


# The gallery is one page with pictures of each starter's pieces.

PAGE = "gallery.html"
_MARK = "<!-- made by pnp new --from gallery -->"
_DPI = 100.0
_SHOWN = 4
"""Number of pieces shown for a starter: the first of each kind, then others."""

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
body { color: #222; background: #f4f1ea; }
section { margin: 2rem 0; padding: 1rem 1.25rem; background: #fff; border-radius: 0.6rem; }
h2 { margin: 0 0 0.2rem; }
p { margin: 0 0 0.8rem; }
div { display: flex; flex-wrap: wrap; gap: 0.8rem; align-items: center; }
img { max-height: 20rem; max-width: 100%; }
code { background: #eee; padding: 0.1em 0.35em; }
"""


def write_gallery(folder: Path, langs: tuple[str, ...] = ()) -> Mapping[str, str]:
    """Write the page with pictures of all starters into a folder, in the first of the languages (default: English).

    Return a description of each starter. Raise ProblemsFound if another file has its name or it can't be written.
    """
    page, lang = folder / PAGE, langs[0] if langs else "en"
    lines = dict(sorted(describe_starters().items(), key=lambda one: one[0] not in LAYOUTS))
    try:
        if page.is_symlink() or (page.exists() and not _is_ours(page)):
            what = "this exists already, but is not a gallery from pnp"
            raise ProblemsFound([Problem(Place(PAGE), what, "move it, or change to another folder")])
        text = "\n".join(_iter_page(lines, lang)) + "\n"
        write_in_folder(folder, PAGE, text.encode())
    except OSError as error:
        what = f"the gallery can't be written: {error.strerror or error}"
        raise ProblemsFound([Problem(Place(PAGE), what, "choose a folder that you may write to")]) from error
    return lines


def _is_ours(page: Path) -> bool:
    try:
        return _MARK.encode() in read_file(page, "own")[:200]
    except InvalidInput:
        return False


def _iter_page(lines: Mapping[str, str], lang: str) -> Iterator[str]:
    from generator.sheets.raster import draw_fronts, encode_png  # starting a project draws nothing

    yield f'<!doctype html>\n{_MARK}\n<html lang="en"><meta charset="utf-8">{write_policy()}'
    yield "<title>pnp new: what to begin from</title>"
    yield f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
    yield "<h1>What to begin from</h1>"
    for name, line in lines.items():
        yield f"<section><h2>{name}</h2><p>{html.escape(line)}: <code>pnp new my-game --from {name}</code></p><div>"
        with open_starter(name, (lang,) if lang in LANGUAGES else ()) as workshop:
            shown = pick_first_designs(workshop.game)[:_SHOWN]
            # Outside the pieces the pictures are transparent.
            for kind, image in draw_fronts(workshop, shown, lang, lambda _face: _DPI):
                data = base64.b64encode(encode_png(image, _DPI)).decode("ascii")
                yield f'<img alt="{html.escape(kind.name[lang], quote=True)}" src="data:image/png;base64,{data}">'
        yield "</div></section>"
    yield "</html>"


@contextmanager
def open_starter(starter: str, langs: tuple[str, ...] = ()) -> Iterator[Workshop]:
    """Yield the workshop of a temporary project from a starter, in some of its languages (or all)."""
    with tempfile.TemporaryDirectory() as room:
        new_project(Path(room), "my-game", starter, langs)
        root = Path(room) / "my-game"
        game = load_game(root / "data/my-game", find_project(root).resources)
        yield Workshop(game, find_project(root).resources)


def pick_first_designs(game: Game) -> list[Design]:
    """Return all designs: the first of each kind, then the others."""
    firsts = [kind.designs[0] for kind in game.kinds.values()]
    return [*firsts, *(one for one in game.designs() if one not in firsts)]


_BLEED = 3.0
"""Width in mm of the bleed that print services ask for."""

_SHORTEST, _LONGEST = 20.0, 450.0
"""Plausible lengths of a card's longer side in mm, by which the resolution of a drawing in pixels is found."""

_CARDS = 3
_KIND = """\
# yaml-language-server: $schema=schema.json
# The contents of the box. Each row of cards.csv is one card; `count` is the number of copies to print.

components:
  card:
    name:   {{ja: カード, en: Card}}
    size:   {size}
    bleed:  {bleed:g}                 # mm of the drawing beyond the cut
    front:  card                 # templates/@name@/card.svg, your drawing (docs/templates.md)
    fields:                      # the columns of cards.csv; docs/data.md lists all types
{fields}    designs: cards.csv
"""


def write_drawing_starter(target: Path, game: str, drawing: Path, langs: tuple[str, ...]) -> None:
    """Write a project whose cards are drawn by an SVG file, `drawing`, with three cards as examples, into `target`.

    Raise ProblemsFound, with places in the drawing, if it can't be read or its cards can't be drawn.
    """
    shown = drawing.as_posix()
    source = read_template(drawing, shown)
    root = read_art_tree(source.encode(), lambda at: Place(shown, *map(int, at.split(":"))) if at else Place(shown))
    shown_fields = find_drawn_fields(source)
    fields = shown_fields or {"title": "words"}
    size, bleed = find_card_size(root)
    kind = _KIND.format(size=size, bleed=bleed, fields="".join(f"      {name}: {fields[name]}\n" for name in fields))
    template = f"templates/{game}/card.svg"
    write_in_folder(target, template, read_file(drawing, "markup"))
    for name in dict.fromkeys(find_link(one) for one in root.iter_elements() if one.tag == "image"):
        path, found = PurePosixPath(name), drawing.parent / name
        if name and ":" not in name and not path.is_absolute() and ".." not in path.parts and found.is_file():
            write_in_folder(target, f"templates/{game}/{path}", read_file(found, "picture"))
    files, guides = read_starter(LAYOUT)
    copy_guides(target, guides)
    problems: tuple[Problem, ...] = ()
    for short in (False, True):  # long values show more, but may not fit
        table = _write_table(fields, short).encode("utf-8-sig")
        own = {"data/game/components.yaml": kind.encode(), "data/game/cards.csv": table}
        copy_files(target, game, {**files, **own}, langs)
        problems = _draw_cards(target, game)
        if not problems and not shown_fields:
            hint = "write {{ card.title }} into a text, or name an object card.title (pnp guide templates)"
            problems = (Problem(Place(shown), "no text or object of the drawing changes from card to card", hint),)
        if not problems:
            return
    moved = []
    for problem in problems:  # the project is not there yet: all is said of the drawing
        at = problem.place if problem.place is not None and problem.place.file == template else Place(shown)
        words = (text.replace(template, shown) for text in (problem.what, problem.hint))
        moved.append(Problem(replace(at, file=shown), *words))
    raise ProblemsFound(moved)


def find_card_size(root: Element) -> tuple[str, float]:
    """Return the size of a drawing's card, as it is written in YAML, and its bleed in mm.

    A document that is as large as a known card with bleed has bleed. One in pixels has the resolution that makes it a
    known card, or else a card of plausible size.
    """
    sides = [scan_numbers(root.attributes.get(name, ""))[0][:1] for name in ("width", "height")]
    view = list_numbers(root.attributes.get("viewBox", ""))
    units = [unit for side in sides for _, unit in side]
    if len(units) == 2 and not {"", "px", "%"} & {*units}:
        sizes = [(*(convert_length(number, unit, MM) for ((number, unit),) in sides), SAME_SIZE)]
    else:
        width, height = (side[0][0] for side in sides) if units and "%" not in units and all(sides) else view[2:]
        pixels = [MM_PER_INCH / dots for dots in DOTS]
        sizes = [(width * pixel, height * pixel, SAME_SIZE + pixel / 2) for pixel in pixels]
    for width, height, slack in sizes:
        for bleed in (0.0, _BLEED):
            for named in CARD_SIZES.values():
                across, down = named.size.width + 2 * bleed, named.size.height + 2 * bleed
                if max(abs(width - across), abs(height - down)) <= slack:
                    return named.name, bleed
    fitting = (size for size in sizes if _SHORTEST <= max(size[:2]) <= _LONGEST)
    width, height, _ = next(fitting, sizes[0])
    return f"[{width:.4g}, {height:.4g}]", 0.0


def _write_table(fields: dict[str, str], short: bool) -> str:
    """Return CSV of cards with `fields` (types by name): numbers for words if `short`; the last lacks optional ones."""
    columns = ["id", "count"]
    for name, kind in fields.items():
        columns += [f"{name}.{lang}" for lang in LANGUAGES] if kind == "words" else [name]
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for number in range(1, _CARDS + 1):
        row = [f"card-{number}", "1"]
        for column in columns[2:]:
            name = column.partition(".")[0]
            label = str(number) if short else f"{name.replace('_', ' ').capitalize()} {number}"
            if "optional" in fields[name]:
                label = str(number) if number < _CARDS and "text" in fields[name] else ""
            row.append(label)
        writer.writerow(row)
    return out.getvalue()


def _draw_cards(target: Path, game: str) -> tuple[Problem, ...]:
    resources = find_project(target).resources
    try:
        loaded = load_game(target / "data" / game, resources)
    except ProblemsFound as found:
        return tuple(found.problems)
    workshop = Workshop(loaded, resources)
    workshop.draw_all(loaded.designs(), loaded.languages)
    return workshop.problems
