"""Project files: what the workbench of the live page lists, reads and writes, tables by cell, and its questions."""

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
from generator.game.table_files import decode_table
from generator.game.yaml_edits import replace_yaml_value
from generator.live.cursor import CursorRequest, make_cursor_request
from generator.live.draft_text import WrittenCell, read_cells
from generator.live.editor_project import GameNames, OpenProject, translate_description
from generator.live.gallery import Gallery

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
        """Return the answer to a question that `read_question` returned. Raise ProblemsFound if there is none."""
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
        """Return a table with the changes of `TableText.change`, given as JSON; None if `changes` are not valid.

        `data` is the table's present text; without it, that of the file counts.
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
        """Make a table file the designs of a kind. Return the file to change and its new text. Raise ProblemsFound."""
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
        """Return a table file's cells for the editor, with names in these languages (see `describe_table`)."""
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
    """Return the method that answers the page's question `[name, values...]`, and the values; None if it is invalid."""
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


_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
"""The first bytes of a text, which name its encoding."""


class TableText:
    """The text of a CSV file, or of `data`, with its encoding. Raises ProblemsFound if it is no text."""

    def __init__(self, path: Path, shown: str, data: bytes | None = None):
        self._shown, self._raw = shown, read_file(path, "table") if data is None else data
        self._text = decode_table(self._raw, shown, japanese=True)
        self._mark = next((mark for mark in _MARKS if self._raw.startswith(mark)), b"")
        self._codec = _MARKS.get(self._mark, "utf-8" if self._text.encode() == self._raw else "cp932")
        self._starts = [0, *(at + 1 for at, sign in enumerate(self._text) if sign == "\n")]
        self.rows = list(read_cells(self._text))
        if self.rows and [cell.text for cell in self.rows[-1]] == [""]:
            self.rows.pop()  # behind the last line's end

    @property
    def separator(self) -> str:
        """Return the character between two cells, such as a comma."""
        row = next((row for row in self.rows if len(row) > 1), None)
        return self._text[self._find(row[0])[1]] if row else ","

    def change(self, changes: list[Mapping[str, Any]]) -> bytes:
        """Return the file with other cells: each change has row and column (from 1) and text, or row and `gone`.

        Rows and cells that are missing are added. All other bytes stay.
        """
        edits: list[tuple[int, int, str]] = []
        added: dict[int, dict[int, str]] = {}
        for change in changes:
            row, column, text = change["row"] - 1, change.get("column", 0) - 1, change.get("text", "")
            if row < len(self.rows) and change.get("gone"):
                end = self._find(self.rows[row][-1])[1]
                edits.append((self._find(self.rows[row][0])[0], self._text.find("\n", end) + 1 or len(self._text), ""))
            elif row < len(self.rows) and column < len(self.rows[row]):
                start, end = self._find(self.rows[row][column])
                edits.append((start, end, self._quote(text, quoted=self._text[start:end].startswith('"'))))
            else:
                added.setdefault(row, {})[column] = text
        for row, cells in sorted(added.items()):
            have = len(self.rows[row]) if row < len(self.rows) else 0
            texts = [self._quote(cells.get(column, "")) for column in range(have, max(cells) + 1)]
            line = self.separator.join(texts)
            if have:
                end = self._find(self.rows[row][-1])[1]
                edits.append((end, end, f"{self.separator}{line}"))
            else:
                begin = self._line_end if self._text and not self._text.endswith("\n") and row == len(self.rows) else ""
                edits.append((len(self._text), len(self._text), f"{begin}{line}{self._line_end}"))
        return self._splice(edits)

    @property
    def _line_end(self) -> str:
        return "\r\n" if "\r\n" in self._text else "\n"

    def _find(self, cell: WrittenCell) -> tuple[int, int]:
        """Return where a cell with its quotes begins and ends in the text."""
        start, end = self._starts[cell.line] + cell.start, self._starts[cell.last] + cell.end
        return start, end - self._text[start:end].endswith("\r")

    def _quote(self, text: str, *, quoted: bool = False) -> str:
        needs = quoted or any(sign in text for sign in (self.separator, '"', "\n", "\r")) or text != text.strip()
        return '"{}"'.format(text.replace('"', '""')) if needs else text

    def _encode(self, text: str) -> bytes:
        try:
            return text.encode(self._codec)
        except UnicodeEncodeError as error:
            what = f"the table is in Shift_JIS, which has no '{text[error.start]}'"
            raise ProblemsFound([Problem(Place(self._shown), what, "save the table as `CSV UTF-8`")]) from error

    def _splice(self, edits: list[tuple[int, int, str]]) -> bytes:
        """Return the bytes with parts of the text replaced; `edits` have start, end and new text."""
        pieces, done = [self._mark], 0
        byte = len(self._mark)
        for start, end, text in sorted(edits, key=lambda edit: edit[:2]):
            length = len(self._text[done:start].encode(self._codec))
            pieces += [self._raw[byte : byte + length], self._encode(text)]
            byte += length + len(self._text[start:end].encode(self._codec))
            done = end
        return b"".join([*pieces, self._raw[byte:]])


def describe_table(table: TableText, names: GameNames | None, path: Path) -> dict[str, Any]:
    """Return a table as `rows` of texts, the `header`'s row (from 1), and the names that each column takes."""
    rows = [[cell.text for cell in row] for row in table.rows]
    columns, header = [], 1
    for column in range(1, max(map(len, rows), default=0) + 1):
        kind, field, row = names.find_column(path, column) if names else ("", "", 0)
        header = row or header
        found = names.list_field_values(kind, field) if names and field else []
        columns.append({"field": field, "names": [{"name": one.name, "about": one.about} for one in found]})
    return {"rows": rows, "header": header, "columns": columns}
