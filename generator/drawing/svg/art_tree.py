"""The tree of an art file: elements with places, values with units, notes about what is left out."""

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from typing import TypeAlias
from xml.parsers import expat

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.files import BOUNDS, MalformedXml, parse_xml, read_declared_encoding
from generator.drawing.svg.elements import MOST_ELEMENTS
from generator.drawing.svg.values import LengthBasis, list_numbers, parse_length

_MOST = 10


class ArtNotes:
    """Gathers what is to be said of a file; each sentence once, at the first line that it is true of."""

    def __init__(self, file: str):
        self._file = file
        self._said: dict[str, str] = {}
        self._missed = 0

    def add(self, at: str, what: str) -> None:
        """Add a note on the element at a stamp (`line:column`)."""
        if what not in self._said:
            self._said[what] = at

    def sort_notes(self) -> tuple[str, ...]:
        """Return at most ten notes in the order of the file, without repeats."""
        lines = sorted(self._said.items(), key=lambda said: [int(part) for part in said[1].split(":") if part])
        shown = [f"{self._file}:{at}: {what}" if at else f"{self._file}: {what}" for what, at in lines[:_MOST]]
        if len(lines) > _MOST:
            shown[-1] = f"{shown[-1]}; and {len(lines) - _MOST} more of this file"
        return tuple(shown)


# Nothing outside the file is read. A DOCTYPE is passed over; of entities only plain ones are taken, as Illustrator
# declares for namespaces and styles: none of them can name another or lead anywhere, and all together stay small.

DEEPEST = 120
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_XML = {"xml:space", "xml:lang"}
_WORDED = frozenset(["text", "tspan", "textPath", "tref", "a", "style", "title", "desc"])
_LONGEST_VALUE = 100_000
_LONG_ONES = {"d": 4_000_000, "points": 4_000_000, "href": 64_000_000}
"""Characters of an attribute's value; of outlines and pictures more."""

_MOST_DEFAULTS = 50
"""Attributes that a DOCTYPE may declare: each with a default stands in every element that has its name."""

_MOST_ENTITIES, _LONGEST_ENTITY, _MOST_GROWN = 200, 4_000, 4_000_000
"""So many may be declared, of so many characters, and so many may stand in the file through them."""

_PACKED = b"\x1f\x8b"


class Node:
    """An element: its local name, attributes by their plain names, and what stands in it, words and elements in order.

    `declared` are the properties that attributes, style sheets and `style` give it, filled in by the cascade. A name is
    empty where the element is not SVG's.
    """

    __slots__ = ("at", "attributes", "declared", "parent", "parts", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], at: str, parent: "Node | None"):
        self.tag, self.attributes, self.at, self.parent = tag, attributes, at, parent
        self.parts: list[Part] = []
        self.declared: dict[str, str] = {}

    @property
    def children(self) -> "Iterator[Node]":
        """The elements in it that are SVG's."""
        return (part for part in self.parts if isinstance(part, Node) and part.tag)

    def join_words(self) -> str:
        """Return the text directly inside the element."""
        return "".join([part for part in self.parts if isinstance(part, str)])

    def iter_nodes(self) -> "Iterator[Node]":
        """Yield the node and all nodes below it, in the order of the file."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed([*node.children]))


Part: TypeAlias = Node | str


class _NodeBuilder:
    def __init__(self, locate: Callable[[str], Place], references: int, encoding: str | None):
        self.root: Node | None = None
        self._locate, self._references = locate, references
        self._open: list[Node] = []
        self._spaces: list[dict[str, str]] = [{}]
        self._count = self._entities = self._defaults = 0
        self.parser = parser = expat.ParserCreate(encoding)
        parser.buffer_text = True
        parser.StartElementHandler = self._start_element
        parser.EndElementHandler = self._end_element
        parser.CharacterDataHandler = self._add_characters
        parser.EntityDeclHandler = self._declare_entity
        parser.AttlistDeclHandler = self._declare_attribute
        parser.ExternalEntityRefHandler = self._refuse_external

    def break_cycle(self) -> None:
        """Undo the circle of parser and handlers."""
        parser = self.parser
        parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None
        parser.EntityDeclHandler = parser.ExternalEntityRefHandler = parser.AttlistDeclHandler = None

    def find_place(self) -> str:
        """Return the position of the parser."""
        return f"{self.parser.CurrentLineNumber}:{self.parser.CurrentColumnNumber + 1}"

    def _refuse_file(self, what: str, hint: str) -> None:
        raise ProblemsFound([Problem(self._locate(self.find_place()), what, hint)])

    def _declare_entity(self, name: str, is_parameter: bool, value: str | None, *_: object) -> None:
        self._entities += 1
        plain = value is not None and not is_parameter and "&" not in value and "%" not in value
        length = len(value or "")
        grown = self._references * length > _MOST_GROWN or length > _LONGEST_ENTITY
        if not plain or grown or self._entities > _MOST_ENTITIES:
            what = f"the DOCTYPE declares the entity '{name}'"
            self._refuse_file(what, "leave the DOCTYPE out, or save as plain SVG")

    def _declare_attribute(self, *_: object) -> None:
        self._defaults += 1
        if self._defaults > _MOST_DEFAULTS:
            what = f"the DOCTYPE declares more than {_MOST_DEFAULTS} attributes"
            self._refuse_file(what, "leave the DOCTYPE out, or save as plain SVG")

    def _refuse_external(self, *_: object) -> int:
        what = "the drawing refers to another file by an entity"
        self._refuse_file(what, "leave the DOCTYPE out, or save as plain SVG")
        return 0

    def _start_element(self, tag: str, given: dict[str, str]) -> None:
        spaces = self._spaces[-1]
        own = {name[6:]: text for name, text in given.items() if name.startswith("xmlns:")}
        if "xmlns" in given:
            own[""] = given["xmlns"]
        if own:
            spaces = {**spaces, **own}
        self._spaces.append(spaces)
        above = self._open[-1] if self._open else None
        prefix, _, local = tag.rpartition(":")
        space = spaces.get(prefix)
        is_svg = space == _SVG or (space is None and prefix in ("", "svg")) or (above is None and local == "svg")
        if prefix == "" and space not in (None, _SVG) and above is not None and above.parent is None:
            is_svg = is_svg or (above.tag == "svg" and spaces is self._spaces[1])  # a root of an unusual namespace
        node = Node(
            local if is_svg else "", _read_attributes(given, spaces) if is_svg else {}, self.find_place(), above
        )
        self._count += 1
        for name, text in node.attributes.items():
            most = _LONG_ONES.get(name, _LONGEST_VALUE)
            if len(text) > most:
                what = f"the drawing is too large: the attribute '{name[:40]}' has more than {most:,} characters"
                self._refuse_file(what, "simplify it")
        if self._count > MOST_ELEMENTS:
            self._refuse_file(f"the drawing is too large: more than {MOST_ELEMENTS:,} elements", "simplify it")
        if len(self._open) >= DEEPEST:
            self._refuse_file(f"the drawing is too large: nested more than {DEEPEST} deep", "ungroup some of it")
        if above is None:
            self.root = node
        elif above.tag:
            above.parts.append(node)
        self._open.append(node)

    def _end_element(self, _tag: str) -> None:
        self._open.pop()
        self._spaces.pop()

    def _add_characters(self, text: str) -> None:
        if self._open[-1].tag in _WORDED:
            self._open[-1].parts.append(text)


def _read_attributes(given: dict[str, str], spaces: dict[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, text in given.items():
        prefix, colon, local = name.partition(":")
        if not colon:
            if name != "xmlns":
                found[name] = text
        elif name in _XML:
            found[name] = text
        elif local == "href" and (spaces.get(prefix) == _XLINK or prefix == "xlink"):
            found.setdefault("href", text)
    if "href" in given:
        found["href"] = given["href"]
    return found


def unpack_drawing(data: bytes) -> bytes:
    """Return the bytes of a drawing, unpacked if it is an .svgz. Raise Unfit if that fails or is too large."""
    if not data.startswith(_PACKED):
        return data
    most, hint = BOUNDS["markup"]
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            found = packed.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidInput("the compressed data in the file is damaged", "save it again as plain .svg") from error
    if len(found) > most:
        raise InvalidInput(f"what is packed in the file has more than {most:,} bytes", hint)
    return found


def _find_encoding(data: bytes) -> str | None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00", b"<\x00")):
        return None
    if read_declared_encoding(data).lower() not in ("", "utf-8", "utf8"):
        return None
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "iso-8859-1"
    return None


def read_nodes(data: bytes, locate: Callable[[str], Place], notes: ArtNotes | None = None) -> Node:
    """Return the root element of a drawing. Raise ProblemsFound if it is malformed, too large or not an <svg>."""
    try:
        data = unpack_drawing(data).lstrip(b" \t\r\n")
    except InvalidInput as unfit:
        raise ProblemsFound([Problem(locate("1:1"), str(unfit), unfit.hint)]) from unfit
    encoding = _find_encoding(data)
    if encoding is not None and notes is not None:
        notes.add("1:1", "the file is not UTF-8; pnp reads it as ISO-8859-1")
    reading = _NodeBuilder(locate, data.count(b"&"), encoding)
    try:
        parse_xml(reading.parser, data)
    except MalformedXml as error:
        hint = error.hint or "open it in a drawing program and save it again"
        what = f"the markup is not well-formed: {error}"
        raise ProblemsFound([Problem(locate(f"{error.line}:{error.column}"), what, hint)]) from error
    finally:
        reading.break_cycle()
    root = reading.root
    if root is None or root.tag != "svg":
        raise ProblemsFound([Problem(locate("1:1"), "the outermost element is not <svg>", "save the drawing as SVG")])
    return root


def index_by_id(root: Node) -> dict[str, Node]:
    """Return the elements of a drawing by id. For a repeated id, keep the first element."""
    found: dict[str, Node] = {}
    for node in root.iter_nodes():
        name = node.attributes.get("id")
        if name:
            found.setdefault(name, node)
    return found


def read_natural_size(root: Node) -> tuple[float, float]:
    """Return the width and height that a drawing states. A missing or percentage value is 0."""
    view = list_numbers(root.attributes.get("viewBox", ""))
    sides = []
    for name in ("width", "height"):
        text = root.attributes.get(name, "").strip()
        try:
            value = 0.0 if not text or text.endswith("%") or text == "auto" else parse_length(text, LengthBasis())
        except InvalidInput:
            value = 0.0
        sides.append(max(value, 0.0))
    width, height = sides
    if len(view) == 4 and view[2] > 0 and view[3] > 0:
        if not width and not height:
            return view[2], view[3]
        if not width or not height:
            return (width or height * view[2] / view[3], height or width * view[3] / view[2])
    return width, height
