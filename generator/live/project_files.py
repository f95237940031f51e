"""Project files: what the workbench of the live page lists, reads and writes, and what it asks about them."""

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import Any

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound, locate_fault
from generator.base.files import PICTURES, is_file, is_inside, list_files, read_file, to_relative_path
from generator.base.output_files import deliver_file
from generator.base.picture_files import check_picture_bytes
from generator.game.model import Game
from generator.game.yaml_edits import replace_yaml_value
from generator.live.cursor import CursorRequest, make_cursor_request
from generator.live.editor_project import GameNames, OpenProject, translate_description
from generator.live.gallery import Gallery
from generator.live.table_cells import TableText, describe_table

FOLDERS = ("data", "templates", "fonts", "presets", "profiles", "packs", "records", "sessions")
"""Folders of a project whose files a page may read and write."""

_FONTS = (".ttf", ".otf")
_FONT_STARTS = (b"\0\1\0\0", b"OTTO", b"true")
_BELONGS = {
    **dict.fromkeys(PICTURES, "templates/{}/pictures"),
    **dict.fromkeys(_FONTS, "fonts"),
    **dict.fromkeys((".csv", ".tsv", ".xlsx", ".ods", ".yaml", ".yml", ".txt", ".json", ".py"), "data/{}"),
    **dict.fromkeys((".svg", ".md"), "templates/{}"),
}
"""Types of files that a reader may add, with the folder where each belongs."""

_MOST_ROWS, _MOST_COLUMNS = 1_000_000, 1_000


class ProjectFiles:
    """The files of a gallery's project. Paths are relative to its folder, and lead nowhere else."""

    def __init__(self, gallery: Gallery):
        self._root, self._gallery = gallery.root, gallery
        self._open = OpenProject(self._root, self._find_game)
        self._asking, self._writing = Lock(), Lock()

    def answer_question(self, question: tuple[Callable[..., Any], list[Any]]) -> Any:
        """Return the answer to a question of `read_question`. Raise ProblemsFound if there is none."""
        with self._asking:
            return question[0](self, *question[1])

    def find(self, path: str) -> Path:
        """Return the place of a file. Raise ProblemsFound if the project has no place for a file of this path."""
        with locate_fault(Place(path)):
            place = self._root / to_relative_path(path)
            if _is_shown(PurePosixPath(path).parts) and is_shown(place, self._root):
                return place
        what = "the project has no place for it"
        raise ProblemsFound([Problem(Place(path), what, f"begin its path with {', '.join(FOLDERS)}, and /")])

    def read(self, path: str) -> bytes | None:
        """Return a file's bytes, or None if there is none."""
        place = self.find(path)
        with locate_fault(Place(path)):
            return read_file(place, "picture") if is_file(place) else None

    def write(self, path: str, data: bytes | None, seen: str) -> bool:
        """Replace a file by these bytes, or delete it (None), if its SHA-256 is still the one `seen` ('': no file).

        Return False, and change nothing, if it is another now.
        """
        place = self.find(path)
        with self._writing:
            now = self.read(path)
            if (sha256(now).hexdigest() if now is not None else "") != seen:
                return False
            if data is not None:
                self.admit(path, data, "")
                deliver_file(Path(os.path.realpath(place)), data, at_home=True)
            elif now is not None:
                try:
                    place.unlink()
                except OSError as error:
                    what = f"the file can't be deleted: {error.strerror}"
                    raise ProblemsFound([Problem(Place(path), what, "allow writing in its folder")]) from error
        return True

    def admit(self, path: str, data: bytes, game: str) -> str:
        """Return the path of a file that the reader adds. A bare name belongs into a folder of the game, by its type.

        Raise ProblemsFound for a name or a content that the project can't have.
        """
        with locate_fault(Place(path)):
            inner = self._place_file(path, data, game)
        self.find(inner)
        return inner

    def _place_file(self, path: str, data: bytes, game: str) -> str:
        inner = to_relative_path(path)
        suffix = inner.suffix.lower()
        if suffix not in _BELONGS:
            what = f"files that end in {suffix}" if suffix else "files without an ending"
            raise InvalidInput(f"{what} are of no use here", f"add files that end in {', '.join(_BELONGS)}")
        if len(inner.parts) == 1:
            inner = PurePosixPath(_BELONGS[suffix].format(game or self._gallery.list_games()[0]["id"]), inner)
            if not data:
                raise InvalidInput("the file is empty, it has 0 bytes", "save it again in the program that made it")
        if (self._root / inner).is_dir() or any((self._root / above).is_file() for above in inner.parents):
            raise InvalidInput("a part of its path is both a file and a folder", "choose another name")
        if suffix in PICTURES and data:
            check_picture_bytes(data, inner.name)
        if suffix in _FONTS and not data.startswith(_FONT_STARTS):
            raise InvalidInput("it is not a font, despite its name", "save it as .ttf or .otf")
        return inner.as_posix()

    def change_table(self, path: str, changes: str, data: bytes | None = None) -> bytes | None:
        """Return a table with the changes of `TableText.change`, given as JSON, or None for what are no changes.

        `data` is the table's text, if it is not the file's.
        """
        try:
            found = json.loads(changes)
        except (ValueError, RecursionError):
            return None
        good = isinstance(found, list) and found and all(map(_is_change, found))
        return TableText(self.find(path), path, data).change(found) if good else None

    def list_paths(self) -> list[str]:
        """Return the paths of all files."""
        return list_below(self._root, FOLDERS)

    def use_table(self, path: str, kind: str) -> tuple[str, str]:
        """Make a table the designs of a kind, in place of what they are. Return the file to change, and its new text.

        Raise ProblemsFound if the kind's designs are not found.
        """
        names = self._find_names("/".join([*path.split("/")[:2], "game.yaml"]), ())
        place = names.find_place("components", kind, "designs") if names else None
        try:
            file = self._root / (place.file if place else "")
            table = os.path.relpath(self.find(path), file.parent).replace(os.sep, "/")
            text = replace_yaml_value(read_file(file, "data").decode(), ("components", kind, "designs"), table)
        except (InvalidInput, LookupError) as error:
            what = f"the designs of '{kind}' were not found"
            raise ProblemsFound([Problem(Place(path), what, "correct the other problems first")]) from error
        return file.relative_to(self._root).as_posix(), text

    def show_table(self, path: str, languages: Iterable[str]) -> Any:
        """Return a table's cells, see `describe_table`."""
        place = self.find(path)
        return describe_table(TableText(place, path), self._find_names(path, languages), place)

    def find_offers(self, path: str, text: str, offset: int, languages: Iterable[str]) -> dict[str, Any]:
        """Return the completions at an offset of a file's text.

        Each name has a type and a description, and replaces the text from `start` to `end`.
        """
        asked = self._find_cursor(path, text, offset, languages)
        found = asked.find_offers() if asked else None
        names = [
            {"name": one.name, "sort": one.sort, "about": translate_description(one.about, self._open.languages)}
            for one in (found.names if found else ())
        ]
        return {"names": names, "start": found.start if found else 0, "end": found.end if found else 0}

    def find_hint(self, path: str, text: str, offset: int, languages: Iterable[str]) -> dict[str, str]:
        """Return the hint at an offset: `said` in Markdown, `face` as `lang:side:design`."""
        asked = self._find_cursor(path, text, offset, languages)
        shown = asked.find_hint() if asked else None
        design, side, lang = (shown.face if shown else None) or ("", "", "")
        return {"said": shown.text if shown else "", "face": f"{lang}:{side}:{design}" if design else ""}

    def _find_names(self, path: str, languages: Iterable[str]) -> GameNames | None:
        cursor = self._find_cursor(path, "", 0, languages)
        return cursor.names if cursor else None

    def _find_cursor(self, path: str, text: str, offset: int, languages: Iterable[str]) -> CursorRequest | None:
        self._open.languages = tuple(one.split("-")[0] for one in languages)
        file = self._open.find_file(self.find(path))
        return make_cursor_request(self._open, file, text, offset) if file else None

    def _find_game(self, name: str) -> Game | None:
        lent = self._gallery.lend_game(name)
        return lent.workshop.game if lent else None


def is_shown(path: Path, root: Path) -> bool:
    """Return True if a file is really inside the project's folders and not hidden; links are followed."""
    there = Path(os.path.realpath(path))
    return is_inside(path, root) and _is_shown(there.relative_to(os.path.realpath(root)).parts)


def _is_shown(parts: tuple[str, ...]) -> bool:
    return len(parts) > 1 and parts[0] in FOLDERS and not any(part.startswith((".", "__")) for part in parts)


def list_below(root: Path, folders: Iterable[str]) -> list[str]:
    """Return the paths of all files below some folders that are not hidden."""
    inner = [path.relative_to(root) for folder in folders for path in list_files(root / folder)]
    return sorted(path.as_posix() for path in inner if not re.search(r"(^|/)(\.|__pycache__/)", path.as_posix()))


_QUESTIONS: Mapping[str, list[Any]] = {
    "files": [ProjectFiles.list_paths], "table": [ProjectFiles.show_table, str, list],
    "use": [ProjectFiles.use_table, str, str], "offers": [ProjectFiles.find_offers, str, str, int, list],
    "hint": [ProjectFiles.find_hint, str, str, int, list],
}  # fmt: skip
"""The page's questions: what answers each, and the types of its values. A list has texts."""


def read_question(given: Any) -> tuple[Callable[..., Any], list[Any]] | None:
    """Return what answers a question of the page, and its values; None for what is no question."""
    name, *values = given if isinstance(given, list) and given else [None]
    answer, *shape = _QUESTIONS.get(str(name), [None])
    texts = [one for value in values if isinstance(value, list) for one in value]
    good = [*map(type, values)] == shape and all(isinstance(one, str) for one in texts)
    return (answer, values) if answer and good else None


def _is_change(change: Any) -> bool:
    match change:
        case {"row": int(row), "column": int(column), "text": str(), **rest}:
            return 1 <= row <= _MOST_ROWS and 1 <= column <= _MOST_COLUMNS and not rest
        case {"row": int(row), "gone": True, **rest}:
            return 1 <= row <= _MOST_ROWS and not rest
    return False
