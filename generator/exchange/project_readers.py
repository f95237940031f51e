"""Project readers: CardMaker and Magic Set Editor."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any
from xml.parsers import expat

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.geometry import MM_PER_INCH, Rect
from generator.exchange.foreign_project import (
    FORMATS,
    MOST_ITEMS,
    POKER,
    ForeignFiles,
    FoundDeck,
    FoundLayout,
    FoundProject,
    FoundTable,
    LaidItem,
    Program,
    add_deck,
    parse_decimal,
    read_colour,
    split_columns,
    write_csv,
)
from generator.game.table_rows import MOST_CELLS, MOST_COLUMNS

_SCREEN = 96.0
"""Dots per inch that CardMaker's sizes of type are for, whatever the layout's are."""

_INTEGER = re.compile(r"-?[0-9]{1,6}", re.ASCII)
_COLUMN = r"@\[(?!!)([^\]\n]{1,100})\]"
_LONGEST_TEXT = 20_000
_COMPUTED = re.compile(r"#\(|^(?:#\w+)?##|#(?:sc|bg|nosave)|@\[!|\{\{?@|^#[0-9]|^[~]")
_SHAPE = re.compile(r"#(\w+);([0-9]+);([0-9]+|-);([0-9]+|-)(?:;([0-9]+))?#", re.ASCII)
_TAG = re.compile(r"</?[a-z]+(?:=[^<>]*)?>")
_ACROSS, _DOWN = ("left", "center", "right"), ("top", "middle", "bottom")


class ElementReader:
    """Reads the elements of a layout with `dpi` dots per inch."""

    def __init__(self, foreign: FoundProject, file: str, dpi: float):
        self._foreign, self._file, self._pixel = foreign, file, MM_PER_INCH / dpi
        self._points = _SCREEN / dpi
        self._line, self._column, self._name = 1, 1, ""

    def read_element(self, given: Mapping[str, str], line: int, column: int) -> list[LaidItem]:
        """Return the items of an element with the attributes `given`: ground, itself, border; [] if it is not drawn."""
        self._line, self._column = line, column
        self._name = given.get("name") or given.get("type") or "Element"
        if given.get("enabled") == "false":
            return []
        if given.get("layoutreference"):
            self._note("it refers to an element of another layout; copy it")
            return []
        x, y, width, height, thick = (
            self._read_pixels(given, name, usual)
            for name, usual in (("x", "0"), ("y", "0"), ("width", "40"), ("height", "40"), ("borderthickness", "0"))
        )
        box = Rect(x, y, width, height)
        turn = parse_decimal(given.get("rotation", "").lstrip("-")) or 0.0
        opacity = self._read_integer(given, "opacity", "255")
        common: dict[str, Any] = {
            "line": line,
            "turn": -turn if given.get("rotation", "").startswith("-") else turn,
            "pivot": (x + width / 2, y + height / 2),
            "opacity": min(max(opacity / 255, 0.0), 1.0),
        }
        ground = read_colour(given.get("backgroundcolor", ""), self._note)
        border = read_colour(given.get("bordercolor", ""), self._note) if thick > 0 else "none"
        items = [
            LaidItem(tag="rect", box=box, fill=ground, **common) if ground != "none" else None,
            self._make_item(given, box, common),
            LaidItem(tag="rect", box=box, stroke=border, stroke_width=thick, **common) if border != "none" else None,
        ]
        return [item for item in items if item is not None]

    def _note(self, what: str) -> None:
        self._foreign.leave_out(self._file, self._line, f"the element '{self._name}': {what}")

    def _read_integer(self, given: Mapping[str, str], name: str, usual: str) -> int:
        text = given.get(name, usual).strip()
        if _INTEGER.fullmatch(text):
            return int(text)
        what = f"`{name}` of the element '{self._name}' is '{text[:40]}', which is no whole number"
        place = Place(self._file, self._line, self._column)
        self._foreign.problems.append(Problem(place, what, "write a number of pixels"))
        return int(usual)

    def _read_pixels(self, given: Mapping[str, str], name: str, usual: str) -> float:
        return self._read_integer(given, name, usual) * self._pixel

    def _make_item(self, given: Mapping[str, str], box: Rect, common: dict[str, Any]) -> LaidItem | None:
        said, kind = given.get("variable", "")[:_LONGEST_TEXT], given.get("type", "Text")
        colour = read_colour(given.get("elementcolor", "0x000000FF"), self._note)
        if kind == "Shape":
            return self._make_shape(said, box, colour, common)
        if kind not in ("Text", "FormattedText", "Graphic"):
            self._note(f"'{kind}' can't be converted; draw it in the template")
            return None
        if not said.strip():
            return None
        if _COMPUTED.search(said):
            self._note(f"'{' '.join(said.split())[:60]}' is computed; write it into the template")
            return None
        if kind == "Graphic":
            if given.get("tilesize"):
                self._note("its picture is not repeated; use a pattern")
            fit = "contain" if given.get("lockaspect") == "true" else "stretch"
            if given.get("keeporiginalsize") == "true":
                box, fit = Rect(box.x, box.y, 0.0, 0.0), "contain"
            parts = split_columns(said.strip(), _COLUMN)
            return LaidItem(tag="picture", box=box, parts=parts, fit=fit, native=self._pixel, **common)
        return self._make_text(given, said, kind == "FormattedText", box, colour, common)

    def _make_text(
        self, given: Mapping[str, str], said: str, formatted: bool, box: Rect, colour: str, common: dict[str, Any]
    ) -> LaidItem:
        family, size, bold, _, italic, *_ = [*given.get("font", "").split(";"), *[""] * 6][:6]
        swaps = (("\\n", "\n"), *(FORMATS if formatted else ()))
        known = [old for old, _ in FORMATS]
        if formatted and (others := sorted({tag for tag in _TAG.findall(said) if tag not in known})):
            self._note(f"{', '.join(others)[:80]} in its text can't be converted: it is left out")
            said = _TAG.sub(lambda tag: tag[0] if tag[0] in known else "", said)
        outline = self._read_pixels(given, "outlinethickness", "0")
        across, down = (self._read_integer(given, name, "0") for name in ("horizontalalign", "verticalalign"))
        align = "justify" if given.get("justifiedtext") == "true" else _ACROSS[across if across in (1, 2) else 0]
        return LaidItem(
            tag="text", box=box, parts=split_columns(said, _COLUMN), family=family or "Arial",
            points=(parse_decimal(size) or 12.0) * self._points, bold=bold == "1", italic=italic == "1", fill=colour,
            stroke=read_colour(given.get("outlinecolor", ""), self._note) if outline > 0 else "none",
            stroke_width=outline, align=align, valign=_DOWN[down if down in (1, 2) else 0], swaps=swaps, **common,
        )  # fmt: skip

    def _make_shape(self, said: str, box: Rect, colour: str, common: dict[str, Any]) -> LaidItem | None:
        shape = _SHAPE.fullmatch(said.strip())
        if shape is None or shape[1] not in ("rect", "roundedrect", "ellipse"):
            self._note(f"the shape '{said[:60]}' can't be converted; draw it in the template")
            return None
        width, height = (
            side if text == "-" else min(int(text), 100_000) * self._pixel
            for text, side in ((shape[3], box.width), (shape[4], box.height))
        )
        thick = min(int(shape[2]), 100_000) * self._pixel
        paint = {"fill": colour} if not thick else {"stroke": colour, "stroke_width": thick}
        radius = min(int(shape[5] or 0), 100_000) * self._pixel
        tag: Any = "ellipse" if shape[1] == "ellipse" else "rect"
        return LaidItem(tag=tag, box=Rect(box.x, box.y, width, height), radius=radius, **paint, **common)


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
                    what = f"the layout '{name}' refers to the table '{path}', which does not exist"
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
    """A CardMaker layout: line and attributes; its tables (line, path); its elements (line, column, attributes)."""

    line: int
    given: Mapping[str, str]
    references: list[tuple[int, str]] = field(default_factory=list)
    elements: list[tuple[int, int, Mapping[str, str]]] = field(default_factory=list)


def _read_elements(layout: _Layout, foreign: FoundProject, file: str, dpi: float) -> FoundLayout | None:
    """Return a layout's items from back to front (its first element is in front), or None if it has no items."""
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
_ELEMENT = re.compile(r"</?[a-z][^<>]*>")


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
    """Yield keys `depth` tabs deep, their line numbers (from `first` on) and values: the text, or the deeper lines."""
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
            for match in _ELEMENT.finditer(text):
                name = match[0].strip("</>").partition(":")[0].partition("-")[0]
                tags.setdefault(name, [0])[0] += 1
            card[key] = _ELEMENT.sub("", text)
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


MAGIC_SET_EDITOR = Program("Magic Set Editor", is_magic_set, read_magic_set)
CARDMAKER = Program("CardMaker", is_cardmaker, read_cardmaker)
