"""PDF objects: writes numbers, texts, dates, streams, the file itself, and the structure tree."""

import hashlib
import re
import string
import sys
import zlib
from array import array
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache
from typing import BinaryIO, NamedTuple, TypeAlias

from generator.base.display_list import LAYOUT, Kind, Tag, Tags
from generator.base.geometry import PT_PER_MM, Matrix

_COMMAND = re.compile(r" ?([MLCZ]) ?")
_BRACKETS = re.compile(r"[\\()]")
_NAME_LETTERS = frozenset(string.ascii_letters + string.digits + "+-_.")
_OPERATORS = {"M": " m", "L": " l", "C": " c", "Z": "h"}


def add_object(document: "PdfFile", body: bytes | str) -> int:
    """Add a finished object and return its number. A stream is bytes, any other object text."""
    number = document.reserve()
    document.fill(number, body)
    return number


def make_stream(entries: str, data: bytes, packed: bool = False) -> bytes:
    """Return a stream object with dictionary `entries`, Flate-compressed unless it is `packed` with its own filter."""
    if not packed:
        data, entries = compress_data(data), f"{entries}/Filter/FlateDecode"
    return b"<<%s/Length %d>>\nstream\n%s\nendstream\n" % (entries.encode("ascii"), len(data), data)


@lru_cache(maxsize=1 << 10)  # books repeat the streams of their pages and of their pieces
def compress_data(data: bytes) -> bytes:
    """Return Flate data. Most streams hold about a kilobyte, and zlib starts eight times faster with a small window."""
    if len(data) > 1 << 13:
        return zlib.compress(data, 6)
    packer = zlib.compressobj(6, zlib.DEFLATED, 13, 6)
    return packer.compress(data) + packer.flush()


@lru_cache(maxsize=1 << 14)
def encode_number(value: float, places: int = 3) -> str:
    """Return a PDF number with at most `places` decimals and never an exponent: `12.5`, `-3`, `0`."""
    text = f"{value:.{places}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def encode_numbers(values: tuple[float, ...] | list[float], places: int = 3) -> str:
    """Return numbers separated by spaces, each rounded to `places` decimals."""
    return " ".join([encode_number(value, places) for value in values])


@lru_cache(maxsize=4096)
def encode_matrix(values: Matrix) -> str:
    """Return the `cm` operator. Factors keep six significant digits, since art can use units of any size."""
    a, b, c, d, e, f = values
    factors = " ".join(map(_encode_factor, (a, b, c, d)))
    return f"{factors} {encode_number(e, 4)} {encode_number(f, 4)} cm"


def _encode_factor(value: float) -> str:
    text = f"{value:.6g}"
    if "e" in text:
        return encode_number(value, 10)
    return "0" if text == "-0" else text


@lru_cache(maxsize=1 << 14)
def encode_path(outline: str) -> str:
    """Return the path operators of a canonical outline ("M 0 0 L 63 0 Z" -> "0 0 m 63 0 l h")."""
    parts = _COMMAND.split(outline)
    return " ".join(
        [coordinates + _OPERATORS[letter] for letter, coordinates in zip(parts[1::2], parts[2::2], strict=True)]
    )


def encode_name(text: str) -> str:
    """Return a PDF name object: bytes other than letters, digits and `+-_.` are spelled as #xx."""
    return "/" + "".join(
        char if char in _NAME_LETTERS else "".join(f"#{b:02X}" for b in char.encode()) for char in text
    )


def encode_short_text(text: str) -> str:
    """Return the shortest PDF text string for frequent texts: plain characters in parentheses."""
    if not (text.isascii() and text.isprintable()):
        return encode_text(text)
    plain = _BRACKETS.sub(r"\\\g<0>", text)
    return f"({plain})"


def encode_text(text: str) -> str:
    """Return a PDF text string in UTF-16BE with a byte order mark, as hex: `<FEFF00AD>`."""
    return f"<FEFF{text.encode('utf-16-be').hex().upper()}>"


# ReportLab's document keeps all objects until the end, and packs none of them together.

HEAD = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
"""The version (the first with /Duplex) and bytes that mark the file as binary for mailers."""

MOST_PACKED = 200
"""Maximum number of objects in an object stream: readers must unpack all of them to read one."""

LARGEST_PACK = 1 << 16
"""Maximum size of an object stream (bytes)."""

_OPEN, _PACKED = 1 << 56, 2 << 56
_FIRST_FREE = 65535


class PdfFile:
    """A PDF that is written to `out` object by object; `pages` is the object number of the page tree.

    Dictionaries and arrays, which are text, are packed together. Streams, which are bytes, are written at once.
    """

    def __init__(self, out: BinaryIO):
        self._out = out
        self._length = 0
        self._digest = hashlib.blake2b(digest_size=16)
        self._rows = array("Q", [_FIRST_FREE])  # by number: kind, place in the file or pack, place in that
        self._pack: list[str] = []
        self._packed: list[int] = []  # numbers of the objects in the pack
        self._pack_size = self._pack_number = 0
        self._write_bytes(HEAD)
        self.pages = self.reserve()

    def reserve(self) -> int:
        """Return the number of an object that is written later."""
        self._rows.append(0)
        return len(self._rows) - 1

    def fill(self, number: int, body: str | bytes) -> None:
        """Write the body of a reserved number (between `obj` and `endobj`): ASCII text, or a stream's bytes."""
        if isinstance(body, bytes):
            self._rows[number] = _OPEN | self._length << 16
            self._write_bytes(b"%d 0 obj\n%sendobj\n" % (number, body))
            return
        if not self._pack:
            self._pack_number = self.reserve()
        self._rows[number] = _PACKED | self._pack_number << 16 | len(self._pack)
        self._pack.append(body)
        self._packed.append(number)
        self._pack_size += len(body)
        if len(self._pack) == MOST_PACKED or self._pack_size > LARGEST_PACK:
            self._write_pack()

    def write_trailer(self, root: int, info: int) -> None:
        """Write the remaining objects; `root` is the catalog's number, `info` the document information's."""
        if self._pack:
            self._write_pack()
        number, place = self.reserve(), self._length
        self._rows[number] = _OPEN | place << 16
        if sys.byteorder == "little":
            self._rows.byteswap()
        mark = self._digest.hexdigest()
        entries = f"/Type/XRef/Size {len(self._rows)}/W[1 5 2]/Root {root} 0 R/Info {info} 0 R/ID[<{mark}><{mark}>]"
        self.fill(number, make_stream(entries, self._rows.tobytes()))
        self._out.write(b"startxref\n%d\n%%%%EOF\n" % place)

    def _write_pack(self) -> None:
        places, at = list[str](), 0
        for number, body in zip(self._packed, self._pack, strict=True):
            places.append(f"{number} {at}")
            at += len(body) + 1
        head = " ".join(places)
        entries = f"/Type/ObjStm/N {len(places)}/First {len(head) + 1}"
        data = "\n".join([head, *self._pack]).encode("ascii")
        self._pack, self._packed, self._pack_size = [], [], 0
        self.fill(self._pack_number, make_stream(entries, data))

    def _write_bytes(self, data: bytes) -> None:
        self._out.write(data)
        self._digest.update(data)
        self._length += len(data)


_ARTIFACTS: dict[Kind, str] = {
    "Layout": "/Type/Layout",
    "Pagination": "/Type/Pagination",
    "Header": "/Type/Pagination/Subtype/Header",
    "Footer": "/Type/Pagination/Subtype/Footer",
}


class _Content(NamedTuple):
    page: int
    number: int


class _Annotation(NamedTuple):
    page: int
    object: int


class TagElement:
    """An element of the structure tree that can still get contents: its tag, object number and contents so far."""

    __slots__ = ("_known", "kids", "number", "tag")

    def __init__(self, tag: Tag, number: int):
        self.tag, self.number = tag, number
        self.kids: list[TagElement | int | _Content | _Annotation] = []  # for finished elements only their numbers
        self._known: dict[tuple[Kind, int], TagElement] | None = None  # most have no children

    def find_child(self, tag: Tag, pdf: PdfFile) -> "TagElement":
        """Return the child for this tag's kind and number, or a new one if there is none or the number is 0."""
        if not tag.number:
            self.kids.append(child := TagElement(tag, pdf.reserve()))
            return child
        if self._known is None:
            self._known = {}
        found = self._known.get((tag.kind, tag.number))
        if found is None:
            found = self._known[tag.kind, tag.number] = TagElement(tag, pdf.reserve())
            self.kids.append(found)
        return found

    def sort_children(self) -> "list[TagElement | int | _Content | _Annotation]":
        """Return the contents, sorted if all are numbered: a figure may be printed before the text it follows."""
        elements = [kid for kid in self.kids if isinstance(kid, TagElement) and kid.tag.number]
        if len(elements) < len(self.kids):
            return self.kids
        return [*sorted(elements, key=lambda element: element.tag.number)]


TagContext: TypeAlias = TagElement | Tag
"""What the current content belongs to: an element of the structure tree, or an artifact."""


class Marks:
    """Marks the content of one page for the structure tree; `here` is what the current content belongs to."""

    def __init__(self, structure: "Structure", page: int):
        self.here: TagContext = LAYOUT[0]
        self.owners = array("Q")  # by marked sequence, the number of the element that has it
        self._structure, self._page = structure, page
        self._outer: list[tuple[TagContext, TagElement | None, TagElement | None]] = []

    def enter_tags(self, tags: Tags) -> None:
        """Let content belong to these tags until `leave_tags`. Outside all tags, or in artifacts, it is an artifact."""
        around, parent, ends = self.here, None, None
        outermost = not self._outer
        if outermost or isinstance(around, TagElement):  # content inside an artifact has no meaning
            above = around if isinstance(around, TagElement) else self._structure.document
            for tag in tags:
                if not tag.is_content:
                    self.here = tag
                    break
                if not tag.number and ends is None:
                    parent, ends = above, self._structure.find_child(above, tag)
                    self.here = above = ends
                else:
                    self.here = above = self._structure.find_child(above, tag)
        self._outer.append((around, parent, ends))

    def leave_tags(self) -> None:
        """End the innermost tags. Write their element if it can't get more content."""
        self.here, parent, ended = self._outer.pop()
        if parent is not None and ended is not None:
            self._structure.end_element(parent, ended)

    def begin_sequence(self) -> str:
        """Return the operator that begins a marked sequence in the current context; EMC ends it."""
        here = self.here
        if isinstance(here, Tag):
            return f"/Artifact<<{_ARTIFACTS[here.kind]}>>BDC"
        here.kids.append(_Content(self._page, len(self.owners)))
        self.owners.append(here.number)
        return f"/{here.tag.kind}<</MCID {len(self.owners) - 1}>>BDC"


class Structure:
    """The structure tree of a tagged PDF. Elements without a tag number are written at their end; others may go on."""

    def __init__(self, pdf: PdfFile) -> None:
        self._pdf = pdf
        self._root = pdf.reserve()
        self.document = TagElement(Tag("Document"), pdf.reserve())
        self._pages: list[Marks] = []
        self._heights: dict[int, float] = {}
        self._links = array("Q")

    def begin_page(self, number: int, height: float) -> Marks:
        """Return the marks of the next page; `number` is its object number, `height` is in points."""
        self._pages.append(Marks(self, number))
        self._heights[number] = height
        return self._pages[-1]

    def find_child(self, element: TagElement, tag: Tag) -> TagElement:
        """Return the child of an element for a tag."""
        return element.find_child(tag, self._pdf)

    def end_element(self, parent: TagElement, element: TagElement) -> None:
        """Write the last child of a parent, and keep only its number."""
        self._write_element(element, parent.number)
        parent.kids[-1] = element.number

    def add_link(self, tags: Tags, page: int, annotation: int) -> int:
        """Attach an annotation to the last element of `tags`, after all pages. Return its key in the parent tree."""
        element = self.document
        for tag in tags:
            element = self.find_child(element, tag)
        element.kids.append(_Annotation(page, annotation))
        self._links.append(element.number)
        return len(self._pages) + len(self._links) - 1

    def write_root(self) -> int:
        """Write the remaining elements. Return the number of the structure's root."""
        pdf = self._pdf
        self._write_element(self.document, self._root)
        rows = [f"[{' '.join([f'{owner} 0 R' for owner in marks.owners])}]" for marks in self._pages]
        rows += [f"{element} 0 R" for element in self._links]
        tree = add_object(pdf, f"<</Nums[{' '.join([f'{key} {row}' for key, row in enumerate(rows)])}]>>")
        top = f"/K {self.document.number} 0 R/ParentTree {tree} 0 R/ParentTreeNextKey {len(rows)}"
        pdf.fill(self._root, f"<</Type/StructTreeRoot{top}>>")
        return self._root

    def _write_element(self, element: TagElement, above: int) -> None:
        kids = element.sort_children()
        own = next((kid.page for kid in kids if isinstance(kid, _Content)), 0)
        page = f"/Pg {own} 0 R" if own else ""
        content = f"/K[{' '.join([_format_kid(kid, own) for kid in kids])}]" if kids else ""
        head = f"<</S/{element.tag.kind}/P {above} 0 R{page}"
        self._pdf.fill(element.number, f"{head}{self._format_entries(element, own)}{content}>>")
        for kid in kids:
            if isinstance(kid, TagElement):
                self._write_element(kid, element.number)

    def _format_entries(self, element: TagElement, page: int) -> str:
        """Return an element's dictionary entries except its parent and children; `page` is its first page."""
        tag = element.tag
        texts = {"Alt": tag.alt, "ActualText": tag.actual, "Lang": tag.lang}
        said = "".join(f"/{key}{encode_short_text(text)}" for key, text in texts.items() if text)
        if tag.scope:
            said += f"/A<</O/Table/Scope/{tag.scope}>>"
        if tag.listing:
            said += f"/A<</O/List/ListNumbering/{tag.listing}>>"
        if tag.box is not None and page:
            top, box = self._heights[page] / PT_PER_MM, tag.box  # mm with y down, on a page measured in points
            corners = (box.x, top - box.bottom, box.right, top - box.y)
            said += f"/A<</O/Layout/BBox[{encode_numbers([value * PT_PER_MM for value in corners])}]>>"
        return said


def _format_kid(kid: TagElement | int | _Content | _Annotation, own: int) -> str:
    if isinstance(kid, int):
        return f"{kid} 0 R"
    if isinstance(kid, TagElement):
        return f"{kid.number} 0 R"
    if isinstance(kid, _Annotation):
        page = "" if kid.page == own else f"/Pg {kid.page} 0 R"
        return f"<</Type/OBJR/Obj {kid.object} 0 R{page}>>"
    return str(kid.number) if kid.page == own else f"<</Type/MCR/Pg {kid.page} 0 R/MCID {kid.number}>>"


_DATE = r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z.*|([-+])(\d\d)'?(\d\d)?'?)?"


def parse_pdf_date(said: str) -> datetime | None:
    """Return the time of a PDF date (D:20260131120000+09'00'; UTC without a zone), or None if it is invalid."""
    match = re.fullmatch(_DATE, said)
    if not match:
        return None
    year, month, day, hour, minute, second, sign, hours, minutes = match.groups()
    away = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    try:
        zone = timezone(-away if sign == "-" else away) if away else UTC
        return datetime(
            int(year), int(month or 1), int(day or 1), int(hour or 0), int(minute or 0), int(second or 0), tzinfo=zone
        )
    except ValueError:  # the 31st of February, 25 o'clock
        return None


def format_pdf_date(moment: datetime) -> str:
    """Return a time with its zone as a PDF date: D:20260131120000+09'00'."""
    zone = f"{moment:%z}"
    return f"D:{moment.year:04d}{moment:%m%d%H%M%S}{zone[:3]}'{zone[3:5]}'"
