"""Project readers: recognise the source program; read CardMaker and Magic Set Editor."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from xml.parsers import expat

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.extensions import OWN, Addition, find_additions
from generator.base.files import is_file, is_folder, read_file
from generator.base.geometry import MM_PER_INCH
from generator.exchange.cardmaker_layouts import ElementReader
from generator.exchange.deck_scripts import is_nandeck, is_squib, read_nandeck, read_squib
from generator.exchange.foreign_project import (
    POKER,
    TABLES,
    ArchiveFiles,
    FolderFiles,
    ForeignFiles,
    FoundDeck,
    FoundProject,
    FoundTable,
    add_deck,
    parse_decimal,
    read_plain,
    take_pictures,
    write_csv,
)
from generator.exchange.layout_items import MOST_ITEMS, FoundLayout
from generator.game.table_rows import MOST_CELLS, MOST_COLUMNS

_DPI = 300.0


def is_cardmaker(files: ForeignFiles) -> bool:
    """Return True if there is a CardMaker project."""
    return bool(files.find_by_suffix(".cmp"))


def read_cardmaker(files: ForeignFiles, foreign: FoundProject) -> None:
    """Add a deck for each layout and each table that it refers to."""
    taken: set[str] = set()
    for project in files.find_by_suffix(".cmp"):
        for layout in _read_layouts(files.load_text(project), project):
            name = layout.given.get("Name") or "cards"
            dpi = parse_decimal(layout.given.get("dpi", "")) or _DPI
            pixels = (parse_decimal(layout.given.get(side, "")) for side in ("width", "height"))
            width, height = (side and side * MM_PER_INCH / dpi for side in pixels)
            size = foreign.check_card_size(project, layout.line, width, height, POKER)
            drawn: FoundLayout | None = None
            for line, path in layout.references:
                table = files.find_file(path, project)
                if not table:
                    what = f"the layout '{name}' refers to the table '{path}', which is not there"
                    foreign.leave_out(project, line, what)
                elif table in taken:
                    what = (
                        f"the layout '{name}' shows the table '{table}' once more: make a kind of it, if you want both"
                    )
                    foreign.leave_out(project, layout.line, what)
                else:
                    taken.add(table)
                    drawn = drawn or _read_elements(layout, foreign, project, dpi)
                    add_deck(files, foreign, table, size=size, counts="*", layout=drawn)
            if layout.elements and not layout.references:
                what = f"the layout '{name}' has no table, so it makes no cards"
                foreign.leave_out(project, layout.line, what)
    for defines in files.find_by_suffix("_defines.csv"):
        what = "words that stand for others (@[...]): write them out, or put them under `words:`"
        foreign.leave_out(defines, 1, what)


@dataclass(slots=True)
class _Layout:
    """A layout with its line and attributes, its tables, and its elements with line and column."""

    line: int
    given: Mapping[str, str]
    references: list[tuple[int, str]] = field(default_factory=list)
    elements: list[tuple[int, int, Mapping[str, str]]] = field(default_factory=list)


def _read_elements(layout: _Layout, foreign: FoundProject, file: str, dpi: float) -> FoundLayout | None:
    """Return the items of a layout from back to front. Its first element is in front."""
    for line, _, _ in layout.elements[MOST_ITEMS : MOST_ITEMS + 1]:
        what = f"this element and those after it: a layout has at most {MOST_ITEMS} items"
        foreign.leave_out(file, line, what)
    reader = ElementReader(foreign, file, dpi)
    elements = layout.elements[:MOST_ITEMS]
    items = [item for line, column, given in reversed(elements) for item in reader.read_element(given, line, column)]
    return FoundLayout(file, tuple(items)) if items else None


def _read_layouts(text: str, name: str) -> list[_Layout]:
    """Return the layouts of a project's XML without entities of its own, which could grow without bound."""
    if re.search(r"<!(DOCTYPE|ENTITY)", text):
        raise ProblemsFound([Problem(Place(name), "the project declares a document type", "take the line out")])
    layouts = list[_Layout]()
    parser = expat.ParserCreate()

    def begin(tag: str, given: dict[str, str]) -> None:
        line = parser.CurrentLineNumber
        if tag == "Layout":
            layouts.append(_Layout(line, given))
        elif layouts and tag == "Reference":
            layouts[-1].references.append((line, given.get("RelativePath", "")))
        elif layouts and tag == "Element":
            layouts[-1].elements.append((line, parser.CurrentColumnNumber + 1, given))

    parser.StartElementHandler = begin
    try:
        parser.Parse(re.sub(r"^<\?xml[^>]*\?>", "", text).encode("utf-8"), True)
    except expat.ExpatError as error:
        what = f"the project is not well-formed XML: {expat.ErrorString(error.code)}"
        raise ProblemsFound([Problem(Place(name, error.lineno, error.offset + 1), what, "save it again")]) from error
    return layouts


_SET = "set"
_SETTINGS = (
    "has styling", "styling data", "time created", "time modified", "notes", "extra data", "stylesheet version",
)  # fmt: skip
_STARTS = {b"\x89PNG": ".png", b"\xff\xd8\xff": ".jpg", b"GIF8": ".gif", b"RIFF": ".webp", b"BM": ".bmp"}
_BOLD, _ITALIC = re.compile(r"</?b>"), re.compile(r"</?i(?:-flavor)?>")
_SYMBOL = re.compile(r"<sym(?:-auto)?>([^<]*)</sym(?:-auto)?>")
_TAG = re.compile(r"</?[a-z][^<>]*>")


def is_magic_set(files: ForeignFiles) -> bool:
    """Return True if there is a set written by Magic Set Editor."""
    return any("mse" in files.load_text(name)[:200] for name in _find_sets(files))


def read_magic_set(files: ForeignFiles, foreign: FoundProject) -> None:
    """Add a deck with each set's cards, and their pictures."""
    for name in _find_sets(files):
        text = files.load_text(name)
        cards, title = [], ""
        tags: dict[str, list[int]] = {}
        for key, line, inner in _iter_blocks(text.splitlines(), 0, 1):
            if key == "card":
                cards.append(_read_card(inner, tags))
            elif key == "set info":
                title = next((" ".join(value) for own, _, value in _iter_blocks(inner, 1, line) if own == "title"), "")
            elif key not in ("mse version", "game", "game version"):
                what = f"`{key}`: how the editor draws the cards; the template in templates/ does that"
                foreign.leave_out(name, line, what)
        for tag, times in tags.items():
            foreign.leave_out(name, 1, f"`<{tag}>` in texts ({times[0]} times): taken out")
        if cards:
            _add_cards(files, foreign, name, title or PurePosixPath(files.shown).stem, cards)
        else:
            foreign.leave_out(name, 1, "the set has no cards")


def _find_sets(files: ForeignFiles) -> list[str]:
    return [name for name in files.names if PurePosixPath(name).name == _SET]


def _iter_blocks(lines: list[str], depth: int, first: int) -> Iterator[tuple[str, int, list[str]]]:
    """Yield the keys at a depth with their lines and values: the text, or the lines indented deeper."""
    key, at, inner = "", 0, list[str]()
    for number, line in enumerate(lines, first):
        level = len(line) - len(line.lstrip("\t"))
        if level == depth and ":" in line and line.strip():
            if key:
                yield key, at, inner
            key, _, value = line.strip().partition(":")
            at, inner = number, [value.strip()] if value.strip() else []
        elif key and (level > depth or not line.strip()):
            inner.append(line)
    if key:
        yield key, at, inner


def _read_card(lines: list[str], tags: dict[str, list[int]]) -> dict[str, str]:
    card = {}
    for key, _, value in _iter_blocks(lines, 1, 1):
        if key not in _SETTINGS:
            text = "\n".join(line.strip("\t") for line in value).strip("\n")
            text = re.sub(r"([\\*{}])", r"\\\1", text)
            text = _SYMBOL.sub(r"(\1)", _ITALIC.sub("*", _BOLD.sub("**", text)))
            for match in _TAG.finditer(text):
                name = match[0].strip("</>").partition(":")[0].partition("-")[0]
                tags.setdefault(name, [0])[0] += 1
            card[key] = _TAG.sub("", text)
    return card


def _add_cards(files: ForeignFiles, foreign: FoundProject, name: str, title: str, cards: list[dict[str, str]]) -> None:
    filled = {key for card in cards for key, value in card.items() if value}
    headings = [key for key in dict.fromkeys(key for card in cards for key in card) if key in filled]
    if len(headings) > MOST_COLUMNS or len(headings) * len(cards) > MOST_CELLS:
        what = f"{len(cards):,} cards with {len(headings):,} fields: a table has at most "
        hint = f"{MOST_COLUMNS} fields and {MOST_CELLS:,} cells; split the set"
        foreign.leave_out(name, 1, what + hint)
        return
    taken = dict[str, str]()
    for card in cards:
        for key, value in card.items():
            picture = files.find_file(value, name) if value and "\n" not in value and "image" in key else ""
            if picture:
                if picture not in taken:
                    taken[picture] = _add_picture(files, foreign, picture)
                card[key] = taken[picture]
    data = write_csv(headings, ([card.get(key, "") for key in headings] for card in cards))
    foreign.decks.append(FoundDeck(title, FoundTable("cards.csv", data, marked=True), POKER))


def _add_picture(files: ForeignFiles, foreign: FoundProject, name: str) -> str:
    """Add a picture, which has no suffix in a set. Return its name with a suffix."""
    try:
        data = files.read(name, "picture")
    except InvalidInput as unfit:
        foreign.leave_out(name, 0, f"{unfit}; {unfit.hint}")
        return name
    ending = next((end for start, end in _STARTS.items() if data.startswith(start)), "")
    if ending in ("", ".bmp"):
        foreign.leave_out(name, 0, "a picture of a form that is not read: save it as PNG")
        return name
    named = name if name.lower().endswith(ending) else f"{name}{ending}"
    foreign.pictures[f"pictures/{PurePosixPath(named).name}"] = data
    return PurePosixPath(named).name


class Program(NamedTuple):
    """A program whose projects can be read: its name, the function that recognises them, and the reader."""

    name: str
    knows: Callable[[ForeignFiles], bool]
    reads: Callable[[ForeignFiles, FoundProject], None]


MAGIC_SET_EDITOR = Program("Magic Set Editor", is_magic_set, read_magic_set)
CARDMAKER = Program("CardMaker", is_cardmaker, read_cardmaker)
SQUIB = Program("Squib", is_squib, read_squib)
NANDECK = Program("nanDECK", is_nandeck, read_nandeck)
COMPONENT_STUDIO = Program("Component.Studio", lambda _files: False, read_plain)
TABLE_FOLDER = Program("a folder of tables and pictures", lambda files: bool(files.find_by_suffix(*TABLES)), read_plain)


def list_importers() -> Mapping[str, Addition]:
    """Return the importers by the words of `--as`, in the order of recognition: those of other packages first."""
    found = find_additions("importers").entries
    return dict(sorted(found.items(), key=lambda item: item[1].package == OWN))


def read_project(path: Path, display_name: str, program: str = "") -> FoundProject:
    """Return the contents of a folder, an archive or one file. Raise ProblemsFound if there is nothing to read."""
    try:
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
        if found.problems:
            raise ProblemsFound(found.problems)
        take_pictures(files, found)
    except InvalidInput as unfit:
        raise ProblemsFound([Problem(Place(display_name), str(unfit), unfit.hint)]) from unfit
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
