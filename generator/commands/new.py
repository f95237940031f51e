"""New: make a project from a starter, in a new or an existing folder. Existing files are never overwritten."""

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from generator.base.errors import Place, Problem, ProblemsFound, WrongUsage
from generator.base.extensions import find_additions
from generator.base.files import DEVICES, Resources, list_files, read_file, write_in_folder
from generator.base.output_files import lock_folders, open_delivery
from generator.commands.schema_files import NAME, schema_text
from generator.game.json_schema import read_game_schema
from generator.game.project import find_bundled_root
from generator.game.yaml_edits import remove_table_languages, remove_yaml_languages

LAYOUTS: Mapping[str, str] = {
    "fantasy": "creatures and spells with a picture, a cost and a text",
    "economy": "buildings that cost and produce goods",
    "stats": "trump cards: a picture and figures to compare",
    "tarot": "large cards that are all picture",
    "domino": "tiles with two ends to lay beside each other",
    "hexagons": "land for a map that is laid anew each time",
    "mat": "a board for each player with tracks and places for cards",
    "dice": "stickers for the faces of dice",
    "standee": "figures that stand, printed on both sides and folded",
}
"""Starters that are not games yet: a few pieces with their template and a picture. Each has a description."""

STARTERS = {"cards": ("cards",), "board": ("board",), "csv": ("cards", "csv"), "blank": ("layout", "blank")} | {
    name: ("layout", name) for name in LAYOUTS
}
"""Folders from which each starter is composed. The last file of a name takes precedence."""
LAYOUT = "layout"
"""The files that all layouts share. An import adds the rest."""

GUIDES = {
    "cards": ("rulebook.md", "rules.md"),
    "board": ("rulebook.md", "rules.md"),
    "csv": ("rulebook.md", "rules.md", "spreadsheets.md"),
} | dict.fromkeys(("blank", *LAYOUTS), ("data.md", "rulebook.md", "spreadsheets.md", "templates.md"))
"""The guides that the comments of each starter mention. They are copied, because installed programs have no docs."""

LANGUAGES = {"ja": "Japanese", "en": "English"}
"""Languages of the starters in the order of `languages`, with the names used in their READMEs."""

GAME_PLACEHOLDER = "game"
"""Folder name in a starter's data/ and templates/ that stands for the game's name."""

COMPILED = "__pycache__"
"""Folder that pip leaves beside the starters' programs when it installs the wheel."""

CURRENT_FOLDER = "."
"""The name that asks for a project in the current folder."""

LONGEST = 60
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_OWN_FOLDERS = ("common", "data", "fonts", "output", "records", "templates")


def new_project(parent: Path, name: str, starter: str, langs: tuple[str, ...] = ()) -> tuple[Path, ...]:
    """Make the project `parent`/`name` from a starter in some of its languages (or all). Return its files.

    With the name `.` the project is made in `parent` and named after that folder.
    """

    def from_starter(made: Path, game: str) -> None:
        copy_starter(made, game, starter, tuple(lang for lang in LANGUAGES if lang in (langs or LANGUAGES)))
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
    problems = list(_check_target(target, name))
    if problems:
        raise ProblemsFound(problems)
    there = target.is_dir()
    home = target if there else parent
    try:
        home.stat()  # a tray would make the folder
        with open_delivery() as room:
            made = room.open_temporary_folder(home) / "project"
            write(made, game)
            files = [path.relative_to(made) for path in list_files(made)]
            with lock_folders([home]):  # somebody else may make it at the same time
                problems = list(
                    _find_conflicts(target, files, shown) if there else _check_target(target, name, new=True)
                )
                if problems:
                    raise ProblemsFound(problems)
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


def project_title(name: str) -> str:
    """Return a title made from a project's name: `night-market_2` becomes Night Market 2."""
    return " ".join(word.capitalize() for word in re.split(r"[-_]+", name) if word)


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


def copy_starter(target: Path, name: str, starter: str, langs: tuple[str, ...]) -> None:
    """Copy the starter's files, with the name and the title filled in."""
    added = find_additions("starters", tuple(STARTERS)).entries.get(starter)
    sources = [find_bundled_root() / "starters" / folder for folder in STARTERS.get(starter, (starter,))]
    for source in [added.find_folder()] if added else sources:
        for path in list_files(source):
            if COMPILED not in path.parts and _is_for_languages(path, langs):
                parts = [name if part == GAME_PLACEHOLDER else part for part in path.relative_to(source).parts]
                write_in_folder(target, "/".join(parts), _fill_placeholders(path, name, langs))
    for guide in GUIDES.get(starter, GUIDES["blank"]):
        write_in_folder(target / "docs", guide, _fill_placeholders(find_bundled_root() / "docs" / guide, name, langs))


def write_game_schema(target: Path, name: str) -> None:
    """Write the schema for editors beside the data."""
    data = target / "data" / name
    schema = read_game_schema(data, Resources((target, find_bundled_root()), shown_from=target))
    write_in_folder(data, NAME, schema_text(schema).encode())


def _is_for_languages(path: Path, langs: tuple[str, ...]) -> bool:
    """Return True if the file is for one of the languages or for all: `rulebook.ja.md` is for one."""
    return not any(f".{lang}." in path.name for lang in LANGUAGES if lang not in langs)


def _set_languages(text: str, langs: tuple[str, ...]) -> str:
    """Return the text unchanged for several languages.

    For one language, set its `languages:` line and add a comment on how to add another.
    """
    if len(langs) > 1:
        return text
    first, second = langs[0], next(lang for lang in LANGUAGES if lang not in langs)
    comment = f"for another as well: [{first}, {second}], and each text as {{{first}: ..., {second}: ...}}"
    return re.sub(r"(?m)^languages: .*$", f"{f'languages: [{first}]':<33}# {comment}", text)


def _fill_placeholders(source: Path, name: str, langs: tuple[str, ...]) -> bytes:
    """Return a starter's file. In texts, the name and title replace their placeholders."""
    data = read_file(source, "own")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:  # a spreadsheet, a picture
        return data
    text = text.replace("@name@", name).replace("@title@", project_title(name))
    text = text.replace("@lang@", langs[-1]).replace("@languages@", " and ".join(LANGUAGES[lang] for lang in langs))
    if source.suffix == ".yaml":
        text = remove_yaml_languages(_set_languages(text, langs), LANGUAGES, langs)
    elif source.suffix == ".csv":
        text = remove_table_languages(text, LANGUAGES, langs)
    return text.encode("utf-8")
