"""A foreign project: recognises its program; its files within limits, decks, tables, pictures and items of layouts."""

import csv
import io
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Literal, NamedTuple
from xml.sax.saxutils import unescape

from generator.base.archives import convert_archive_errors, open_archive
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound, locate_fault, raise_problems
from generator.base.extensions import OWN, Addition, find_additions
from generator.base.files import BOUNDS, PICTURES, Contents, is_file, is_folder, is_inside, read_file, to_relative_path
from generator.base.geometry import Rect, Size, format_num
from generator.drawing.svg.values import parse_colour

MOST_ITEMS = 200
"""Largest number of items of one layout."""


class HeadedColumn(NamedTuple):
    """The place in a text where the cell of a column goes, by the heading of this column."""

    heading: str


Part = str | HeadedColumn


@dataclass(frozen=True, slots=True)
class LaidItem:
    """One item of a layout, on a line of its file. `box` is in mm from the corner where the card is cut.

    A line goes from a corner of its box to the opposite one. A place shows the column of its name, if there is one.
    `parts` are the words and columns of a text, or of the path of a picture. `native` is the size of a pixel (mm) of a
    picture without width or height. `pivot` is the point around which it is turned by `turn` degrees. `cards` are the
    first and last cards that show it; all do if it is empty. `swaps` are marks in texts, and what they are here.
    """

    line: int
    tag: Literal["text", "picture", "rect", "ellipse", "line", "ground", "place"]
    box: Rect
    parts: tuple[Part, ...] = ()
    family: str = ""
    points: float = 12.0
    bold: bool = False
    italic: bool = False
    fill: str = "none"
    stroke: str = "none"
    stroke_width: float = 0.0
    radius: float = 0.0
    align: str = "left"
    valign: str = "top"
    turn: float = 0.0
    pivot: tuple[float, float] = (0.0, 0.0)
    opacity: float = 1.0
    fit: str = "stretch"
    native: float = 0.0
    cards: tuple[tuple[int, int], ...] = ()
    swaps: tuple[tuple[str, str], ...] = ()


class FoundLayout(NamedTuple):
    """The layout of a deck: its file in the source project, and its items from back to front."""

    file: str
    items: tuple[LaidItem, ...]


FORMATS = (("<b>", "**"), ("</b>", "**"), ("<i>", "*"), ("</i>", "*"), ("<br>", "\n"), ("<br/>", "\n"))
"""Marks in texts of other programs, and what they are here."""


def split_columns(text: str, mark: str) -> tuple[Part, ...]:
    """Return the words and columns of a text. `mark` is the pattern of a column, with its heading as the group."""
    parts = re.split(mark, text)
    return tuple(HeadedColumn(part.strip()) if n % 2 else part for n, part in enumerate(parts) if part or n % 2)


def read_colour(text: Part, note: Callable[[str], None]) -> str:
    """Return a colour for a template, or `[heading]` for that of a column.

    Tell `note` of gradients, whose first colour remains, and of unknown colours.
    """
    if isinstance(text, HeadedColumn):
        return f"[{text.heading}]"
    plain = re.sub(r"^0x(?=[0-9a-f]{6})", "#", text.strip().lower().replace("_", ""))
    found = re.search(r"#(?:[0-9a-f]{12}|[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})(?![0-9a-f])", plain)
    if found is not None and found[0] != plain:
        note(f"the gradient '{text.strip()[:60]}' is its first colour now")
    plain = found[0] if found is not None else plain
    if len(plain) == 13:
        plain = "#" + plain[1:3] + plain[5:7] + plain[9:11]
    if re.fullmatch(r"#[0-9a-f]{6}00|#[0-9a-f]{3}0|empty|transparent|", plain):
        return "none"
    if re.fullmatch(r"black|#0000?f?|#000000(ff)?", plain):
        return "ink"
    if parse_colour(plain) is None:
        note(f"the colour '{text.strip()[:60]}' is not known here: it is black now")
        return "ink"
    return plain


_FONTS = (
    (
        r"cinzel|trajan|copperplate|castellar|felix|uncial",
        ("Cinzel", "Cinzel_600SemiBold", "Cinzel_900Black", "Cinzel_600SemiBold", "BIZUDMincho"),
    ),
    (
        r"(?<!sans)[ -]serif|^serif|times|garamond|georgia|palatino|antiqua|cambria|caslon|bodoni|roman|mincho",
        ("EB Garamond", "EBGaramond_400Regular", "EBGaramond_700Bold", "EBGaramond_400Regular_Italic", "BIZUDMincho"),
    ),
)
"""What names of fonts contain, and the bundled font like them: its name, its files, its Japanese companion."""

_PLAIN_FONT = (
    *("Source Sans 3", "SourceSans3_400Regular", "SourceSans3_700Bold"),
    *("SourceSans3_400Regular_Italic", "BIZUDPGothic"),
)


def find_bundled_font(name: str, lang: str) -> tuple[str, Iterator[str]]:
    """Return the bundled font closest to a font of this name, and a line of look.yaml for each cut: `bold: [files]`."""
    font = next((font for names, font in _FONTS if re.search(names, name.casefold())), _PLAIN_FONT)
    called, regular, bold, italic, japanese = font

    def iter_cuts() -> Iterator[str]:
        for cut, first in (("regular", regular), ("bold", bold), ("italic", italic)):
            beside = [f"{japanese}_{'700Bold' if cut == 'bold' else '400Regular'}"] if lang == "ja" else []
            files = dict.fromkeys([first, *beside, "SourceSans3_400Regular", "NotoEmoji_400Regular"])
            yield f"{cut}: [{', '.join(f'{file}.ttf' for file in files)}]"

    return called, iter_cuts()


MOST_FILES = 20_000
MOST_UNPACKED = 512 * 1024 * 1024
"""Largest size of an archive's files, or of all pictures together (bytes). More is an attack."""

_PASSED_OVER = ("_output", "output", "node_modules", "__pycache__", "__MACOSX")
"""Folders of generated files, which are not sources."""


class ForeignFiles:
    """Files by their paths with slashes, as their owner knows them; `shown` is the name of the whole in messages."""

    def __init__(self, shown: str, names: Iterable[str]):
        self.shown = shown
        self.names: list[str] = []
        self.refused: dict[str, InvalidInput] = {}
        """Files whose names can't be used, and why."""
        every = sorted(names)
        folders = {above.as_posix() for name in every for above in PurePosixPath(name).parents}
        for name in every:
            if name in folders:
                self.refused[name] = InvalidInput("a folder has the same name", "rename the file")
                continue
            try:
                self.names.append(to_relative_path(name).as_posix())
            except InvalidInput as unfit:
                self.refused[name] = unfit
        self._same = dict[str, list[str]]()
        for one in self.names:
            self._same.setdefault(one.casefold(), []).append(one)

    def find_by_suffix(self, *suffixes: str) -> list[str]:
        """Return the files with one of these suffixes, ignoring case."""
        return [name for name in self.names if name.lower().endswith(suffixes)]

    def read(self, name: str, contents: Contents) -> bytes:
        """Return the bytes of a file. Raise InvalidInput if it can't be read or is too large for its `contents`."""
        raise NotImplementedError

    def load_text(self, name: str) -> str:
        """Return a text file, in whatever encoding. Raise InvalidInput if it can't be read."""
        data = self.read(name, "markup")
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return data.decode("utf-16", "replace")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return data.decode("cp1252", "replace")

    def find_file(self, name: str, base: str = "") -> str:
        """Return the path of the file `name`, relative to the script `base` which names it or to the project, or ""."""
        wanted = name.replace("\\", "/").removeprefix("./")
        home = PurePosixPath(base).parent
        for path in (home / wanted, PurePosixPath(wanted)):
            plain = os.path.normpath(path.as_posix()).replace("\\", "/")
            if same := self._same.get(plain.casefold()):
                return plain if plain in same else same[0]
        return ""


class FolderFiles(ForeignFiles):
    """The files of a folder."""

    def __init__(self, folder: Path, shown: str):
        self._folder = folder
        super().__init__(shown, _walk_below(folder, shown))

    def read(self, name: str, contents: Contents) -> bytes:
        """Return the bytes. Also raise InvalidInput for a link that leads out of the folder."""
        path = self._folder / name
        if not is_inside(path, self._folder):
            raise InvalidInput("the file is a link that leads out of the project", "copy the file into it")
        return read_file(path, contents)


class ArchiveFiles(ForeignFiles):
    """The files of a zip archive. Their size is checked before anything is unpacked."""

    def __init__(self, data: bytes, shown: str):
        self._archive = open_archive(data)
        inside = [one for one in self._archive.infolist() if not one.is_dir()]
        if len(inside) > MOST_FILES or sum(one.file_size for one in inside) > MOST_UNPACKED:
            what = f"the archive has more than {MOST_FILES:,} files or {MOST_UNPACKED >> 20} MB"
            raise ProblemsFound([Problem(Place(shown), what, "unpack it, and import the folder without what is large")])
        self._inside = {one.filename: one for one in inside}
        super().__init__(shown, self._inside)
        for one in inside:
            if stat.S_ISLNK(one.external_attr >> 16):
                self.refused[one.filename] = InvalidInput("it is a link", "replace it with the file")
            elif self._inside[one.filename] is not one:
                self.refused[one.filename] = InvalidInput("the archive has two files of this name", "remove one")
        self.names = [name for name in self.names if name not in self.refused]

    def read(self, name: str, contents: Contents) -> bytes:
        """Return the bytes of a member. Raise InvalidInput if they are damaged or larger than such a file may be."""
        entry, (most, hint) = self._inside[name], BOUNDS[contents]
        if entry.file_size > most:
            raise InvalidInput(f"the file has {entry.file_size:,} bytes, more than {most:,}", hint)
        with convert_archive_errors():
            return self._archive.read(entry)


def _walk_below(folder: Path, display_name: str) -> Iterator[str]:
    count = 0
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one not in _PASSED_OVER)
        for name in names:
            count += 1
            if count > MOST_FILES:
                what = f"the folder has more than {MOST_FILES:,} files"
                raise ProblemsFound([Problem(Place(display_name), what, "import the folder of the game alone")])
            if not name.startswith("."):
                yield (Path(path) / name).relative_to(folder).as_posix()


POKER = Size(63.0, 88.0)
"""Default size of a card (mm)."""

LONGEST_PATH = 200
"""Largest number of characters of a cell that may name a file."""

_LEAST_SIDE, _MOST_SIDE = 5.0, 2000.0
"""Smallest and largest side of a card (mm). Anything else is a typing error."""

_FIGURE = re.compile(r"(?:[0-9]{1,9}(?:[.][0-9]{0,9})?|[.][0-9]{1,9})")


def parse_decimal(text: str) -> float | None:
    """Return a plain decimal number such as `2.75`, or None for anything else, such as `1.2.3`, `nan` or `1e999`."""
    return float(text) if _FIGURE.fullmatch(text.strip()) else None


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table: its file in the source project, its bytes, and the name of its sheet in a workbook.

    `marked` is True if its texts were converted to this program's markup, so that marks for bold and italic are not
    plain characters.
    """

    file: str
    data: bytes
    sheet: str = ""
    marked: bool = False


@dataclass(frozen=True, slots=True)
class FoundDeck:
    """Cards of one size from one table, to become a kind.

    `size` (mm) is that of the cut card. `counts` is the heading of the number of copies, if the program states it.
    `layout` is what stands on the cards, if it was found.
    """

    name: str
    table: FoundTable
    size: Size = POKER
    counts: str = ""
    layout: FoundLayout | None = None


@dataclass(slots=True)
class FoundProject:
    """What was read: the source program, decks, pictures by path, a line for each thing not imported, and problems."""

    program: str
    decks: list[FoundDeck] = field(default_factory=list)
    pictures: dict[str, bytes] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    _names: dict[str, str] = field(default_factory=dict)

    def leave_out(self, file: str, line: int, what: str) -> None:
        """Report something that was not imported, with its file as the owner knows it and its line (0: all lines)."""
        self.unread.append(f"{file}:{line}: {what}" if line else f"{file}: {what}")

    def check_card_size(self, file: str, line: int, width: float | None, height: float | None, usual: Size) -> Size:
        """Return a card's size (mm). Report an impossible size, or one that is no number, and return the usual one."""
        sides = [round(side, 2) for side in (width, height) if side is not None]
        if len(sides) == 2 and all(_LEAST_SIDE <= side <= _MOST_SIDE for side in sides):
            return Size(*sides)
        taken = f"{format_num(usual.width)} x {format_num(usual.height)} mm"
        what = f"the size of the cards is not one that cards can have, so they are {taken} now"
        self.leave_out(file, line, f"{what}; write `size:` in components.yaml")
        return usual

    def index_pictures(self) -> Mapping[str, str]:
        """Return each picture's path by the names in tables: `/a/fox.png`, an end such as `fox.png`, a stem as `fox.`.

        Names are in lower case; if several pictures match one, the first gets it. All must have been added before.
        """
        if not self._names:
            for path in self.pictures:
                lower = path.casefold()
                name = PurePosixPath(lower)
                ends = [
                    lower[at + 1 :] for at, sign in enumerate(lower) if sign == "/" and len(lower) - at <= LONGEST_PATH
                ]
                for known in (f"/{lower}", lower, *ends, f"{name.stem}."):
                    self._names.setdefault(known, path)
        return self._names

    def add_unread(self, file: str, found: Mapping[str, Sequence[int]], why: Mapping[str, str], other: str) -> None:
        """Report each command in `found` once, at its first line, with what to do: `why` by name, or else `other`."""
        for name, lines in found.items():
            times = f" ({len(lines)} times)" if len(lines) > 1 else ""
            self.leave_out(file, lines[0], f"`{name}`{times}: {why.get(name, other)}")


class Program(NamedTuple):
    """A program whose projects can be read: its name, the function that recognises them, and the reader."""

    name: str
    knows: Callable[[ForeignFiles], bool]
    reads: Callable[[ForeignFiles, FoundProject], None]


TABLES = (".csv", ".tsv", ".xlsx", ".xlsm", ".ods")
ART = (*PICTURES, ".svg")
FONTS = (".ttf", ".otf", ".ttc", ".woff", ".woff2")

MOST_DECKS = 200
"""Largest number of tables to import. Further ones, or those beyond 64 MiB together, belong into another project."""

_MOST_PICTURES = 5_000
_SHEETS = "xl/workbook.xml"
"""The part of a workbook that lists its sheets."""


def write_csv(headings: Iterable[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Return a table as CSV in UTF-8 with a byte order mark."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return out.getvalue().encode("utf-8-sig")


def read_plain(files: ForeignFiles, foreign: FoundProject) -> None:
    """Add each table of the folder as a deck."""
    for name in files.find_by_suffix(*TABLES):
        add_deck(files, foreign, name)


def add_deck(files: ForeignFiles, foreign: FoundProject, table: str, sheet: str = "", **more: Any) -> None:
    """Add a table of the project as a deck. `sheet` is the name or the number of a sheet; `more` is for FoundDeck."""
    try:
        data = files.read(table, "table")
    except InvalidInput as unfit:
        foreign.leave_out(table, 0, f"{unfit}; {unfit.hint}")
        return
    left = BOUNDS["table"][0] - sum(len(deck.table.data) for deck in foreign.decks)
    if len(foreign.decks) >= MOST_DECKS or len(data) > left:
        what = f"this table: an import takes at most {MOST_DECKS} tables and {BOUNDS['table'][0] >> 20} MiB of them"
        foreign.leave_out(table, 0, f"{what}; import the rest as another project")
        return
    sheet = _read_sheet_name(data, int(sheet)) if sheet.isdecimal() else sheet
    foreign.decks.append(FoundDeck(sheet or PurePosixPath(table).stem, FoundTable(table, data, sheet), **more))


def _read_sheet_name(workbook: bytes, number: int) -> str:
    """Return the name of a workbook's sheet, counted from 0, or an empty string (the first) if unknown."""
    try:
        with convert_archive_errors(), open_archive(workbook) as archive:
            part = archive.getinfo(_SHEETS)
            text = archive.read(part).decode("utf-8") if part.file_size < MOST_UNPACKED >> 6 else ""
    except InvalidInput:
        return ""
    names = [
        unescape(name, {"&quot;": '"', "&apos;": "'"})
        for name in re.findall(r'<(?:\w+:)?sheet\s[^>]*?\bname="([^"]*)"', text)
    ]
    return names[number] if 0 < number < len(names) else ""


def take_pictures(files: ForeignFiles, foreign: FoundProject) -> None:
    """Add all pictures of the project within limits, and a note about fonts, which must be copied by hand."""
    left = MOST_UNPACKED
    for name in files.find_by_suffix(*ART)[:_MOST_PICTURES]:
        try:
            data = files.read(name, "markup" if name.lower().endswith(".svg") else "picture")
        except InvalidInput as unfit:
            foreign.leave_out(name, 0, f"{unfit}; {unfit.hint}")
            continue
        left -= len(data)
        if left < 0:
            foreign.leave_out(name, 0, "this picture and those after it: together they are too large")
            return
        foreign.pictures[name] = data
    for name in files.find_by_suffix(*ART)[_MOST_PICTURES : _MOST_PICTURES + 1]:
        foreign.leave_out(name, 0, f"this picture and those after it: there are more than {_MOST_PICTURES:,}")
    for name in files.find_by_suffix(*FONTS):
        foreign.leave_out(name, 0, "a font; copy it to fonts/ and name it in look.yaml if its licence allows")


COMPONENT_STUDIO = Program("Component.Studio", lambda _files: False, read_plain)
TABLE_FOLDER = Program("a folder of tables and pictures", lambda files: bool(files.find_by_suffix(*TABLES)), read_plain)


def list_importers() -> Mapping[str, Addition]:
    """Return the importers by the words of `--as`, in the order of recognition: those of other packages first."""
    found = find_additions("importers").entries
    return dict(sorted(found.items(), key=lambda item: item[1].package == OWN))


def read_project(path: Path, display_name: str, program: str = "") -> FoundProject:
    """Return the contents of `path` (in messages `display_name`). Guess the `program` if "". Raise ProblemsFound."""
    with locate_fault(Place(display_name)):
        files = _open_files(path, display_name)
        importers = list_importers()
        readers: Iterable[Program] = (one.load(Program) for one in importers.values())
        reader = (
            importers[program].load(Program) if program else next((one for one in readers if one.knows(files)), None)
        )
        if reader is None:
            what = "there are no tables and no files of a supported program"
            hint = f"name the folder of a project, or say what it is with --as ({', '.join(importers)})"
            raise ProblemsFound([Problem(Place(display_name), what, hint)])
        found = FoundProject(reader.name)
        for file, unfit in files.refused.items():
            found.leave_out(file, 0, f"{unfit}; {unfit.hint}")
        reader.reads(files, found)
        raise_problems(found.problems)
        take_pictures(files, found)
    if not found.decks:
        hint = f"it was read as {found.program}; say what else it is with --as ({', '.join(importers)})"
        told = "; ".join(found.unread[:3])
        raise ProblemsFound(
            [Problem(Place(display_name), f"there are no cards in it{f': {told}' if told else ''}", hint)]
        )
    return found


def _open_files(path: Path, display_name: str) -> ForeignFiles:
    if is_folder(path):
        return FolderFiles(path, display_name)
    if not is_file(path):
        raise ProblemsFound(
            [Problem(Place(display_name), "the folder or file does not exist", "name the folder of a project")]
        )
    if path.suffix.lower() in (".mse-set", ".zip"):
        return ArchiveFiles(read_file(path, "kept"), display_name)
    hint = "name the folder that it lies in"
    raise ProblemsFound([Problem(Place(display_name), "a project is a folder, a .zip or an .mse-set", hint)])
