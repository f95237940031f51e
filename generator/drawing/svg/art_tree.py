"""The tree of an art file: elements with places, values with units, notes about what is left out."""

import colorsys
import gzip
import io
import math
import re
import zlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple, TypeAlias
from xml.parsers import expat

from generator.base.display_list import Paint
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.files import BOUNDS, MalformedXml, parse_xml, read_declared_encoding
from generator.base.geometry import NUMBER, Matrix, read_transform, scan_numbers
from generator.drawing.svg.elements import MOST_ELEMENTS

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


_LENGTH = re.compile(rf"\s*({NUMBER.pattern})\s*([A-Za-z]+|%)?\s*\Z")
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\Z")
_COLOUR_FUNCTION = re.compile(r"(rgba?|hsla?)\(\s*([^()]*?)\s*\)\Z", re.IGNORECASE)
_DEGREES = {"deg": 1.0, "rad": 180 / math.pi, "grad": 0.9, "turn": 360.0}
_LARGEST = 1e9

UNITS = {"": 1.0, "px": 1.0, "pt": 96 / 72, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "q": 96 / 101.6}
"""User units in each: a pixel is one, and an inch has 96."""


class LengthBasis(NamedTuple):
    """What lengths are relative to: the font's size, and the viewport's sides, all in user units."""

    em: float = 16.0
    width: float = 100.0
    height: float = 100.0

    def find_percentage_base(self, axis: str) -> float:
        """Return the base of a percentage: the width for `x`, the height for `y`, otherwise the diagonal."""
        if axis == "x":
            return self.width
        return self.height if axis == "y" else math.sqrt((self.width**2 + self.height**2) / 2)


def parse_length(text: str, measure: LengthBasis, axis: str = "") -> float:
    """Return a length in user units. Raise Unfit if the text is not a length."""
    match = _LENGTH.match(text)
    if match is None:
        raise InvalidInput(f"'{text.strip()[:40]}' is not a length")
    return _to_user_units(float(match[1]), match[2] or "", measure, axis)


def _to_user_units(number: float, given: str, measure: LengthBasis, axis: str) -> float:
    value, unit = number, given.lower()
    if unit == "%":
        value *= measure.find_percentage_base(axis) / 100
    elif unit in ("em", "rem"):
        value *= measure.em
    elif unit in ("ex", "ch"):
        value *= measure.em / 2
    elif unit in UNITS:
        value *= UNITS[unit]
    else:
        raise InvalidInput(f"'{number:g}{given[:20]}' has an unknown unit")
    if not -_LARGEST < value < _LARGEST:
        raise InvalidInput(f"'{number:g}{given}' is too large")
    return value


def parse_lengths(text: str, measure: LengthBasis, axis: str = "") -> list[float]:
    """Return lengths that are separated like numbers in SVG. Raise Unfit if one is invalid."""
    found, rest = scan_numbers(text)
    if rest:
        raise InvalidInput(f"'{rest[:40]}' is not a length")
    return [_to_user_units(value, unit, measure, axis) for value, unit in found]


def list_numbers(text: str) -> list[float]:
    """Return the numbers at the start of a text, up to the first one that is invalid or too large."""
    return [
        value for value, _ in takewhile(lambda found: not found[1] and abs(found[0]) <= _LARGEST, scan_numbers(text)[0])
    ]


def parse_one_number(text: str) -> float:
    """Return a single number. Raise Unfit if it is invalid or too large."""
    found = list_numbers(text)
    if len(found) != 1 or not NUMBER.fullmatch(text.strip()):
        raise InvalidInput(f"'{text.strip()[:40]}' is not a number")
    return found[0]


def parse_share(text: str) -> float:
    """Return a number or percentage as a fraction from 0 to 1."""
    text = text.strip()
    value = parse_one_number(text[:-1]) / 100 if text.endswith("%") else parse_one_number(text)
    return min(1.0, max(0.0, value))


class AlphaColour(NamedTuple):
    """A paint and how much of it covers, 0 to 1."""

    paint: Paint
    alpha: float = 1.0


BLACK = AlphaColour("#000000")


@lru_cache(maxsize=4096)
def parse_colour(text: str) -> AlphaColour | None:
    """Return a CSS colour by its name or numbers, or None if it is not a colour."""
    text = text.strip()
    lower = text.lower()
    if lower == "transparent":
        return AlphaColour("#000000", 0.0)
    if _HEX.match(text):
        digits = lower[1:]
        if len(digits) <= 4:
            digits = "".join([digit * 2 for digit in digits])
        return AlphaColour(f"#{digits[:6]}", int(digits[6:], 16) / 255 if len(digits) == 8 else 1.0)
    match = _COLOUR_FUNCTION.match(text)
    if match:
        try:
            return _parse_colour_numbers(match[1].lower(), [word for word in re.split(r"[\s,/]+", match[2]) if word])
        except ValueError:
            return None
    from PIL import ImageColor

    if lower not in ImageColor.colormap:
        return None
    # Not from the table itself: Pillow puts other values into it for names that anything has asked for.
    return AlphaColour("#" + "".join([f"{part:02x}" for part in ImageColor.getrgb(lower)]))


def _parse_colour_numbers(kind: str, words: list[str]) -> AlphaColour | None:
    if len(words) not in (3, 4):
        return None
    alpha = parse_share(words[3]) if len(words) == 4 else 1.0
    if kind.startswith("rgb"):
        parts = [
            parse_one_number(word[:-1]) * 2.55 if word.endswith("%") else parse_one_number(word) for word in words[:3]
        ]
    else:
        light, full = (parse_share(word if word.endswith("%") else f"{word}%") for word in (words[2], words[1]))
        parts = [255 * part for part in colorsys.hls_to_rgb(parse_angle(words[0]) / 360 % 1, light, full)]
    return AlphaColour("#" + "".join([f"{round(min(255.0, max(0.0, part))):02x}" for part in parts]), alpha)


def parse_angle(text: str) -> float:
    """Return an angle in degrees. Raise Unfit if the text is not an angle."""
    found, rest = scan_numbers(text)
    if len(found) != 1 or rest:
        raise InvalidInput(f"'{text.strip()[:40]}' is not an angle")
    return _resolve_number(*found[0], "a", LengthBasis())


def _resolve_number(value: float, unit: str, kind: str, measure: LengthBasis) -> float:
    if not abs(value) <= _LARGEST:
        raise InvalidInput(f"'{value:g}' is too large")
    if kind == "a":
        if (unit or "deg").lower() not in _DEGREES:
            raise InvalidInput(f"'{value:g}{unit[:20]}' is not an angle")
        return value * _DEGREES[(unit or "deg").lower()]
    if kind in "xy":
        return _to_user_units(value, unit, measure, kind)
    if unit:
        raise InvalidInput(f"'{value:g}{unit[:20]}' is not a number")
    return value


def parse_transforms(text: str, measure: LengthBasis) -> Matrix:
    """Return the matrix of a list of transforms in SVG or CSS syntax. Raise Unfit if it is malformed."""
    result = read_transform(text, lambda value, unit, kind: _resolve_number(value, unit, kind, measure))
    if not all(abs(part) < _LARGEST for part in result):
        raise InvalidInput("the transform is too large")
    return result


_ALIGN = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
_ASPECT = re.compile(r"x(Min|Mid|Max)Y(Min|Mid|Max)\Z")


class Aspect(NamedTuple):
    """How a box is fitted into another: where it stands in spare room (0 to 1), and whether it is cut or stretched."""

    x: float = 0.5
    y: float = 0.5
    how: str = "meet"


def parse_aspect_ratio(text: str) -> Aspect:
    """Return a preserveAspectRatio, or the default if it is malformed."""
    words = [word for word in text.split() if word != "defer"]
    if words and words[0] == "none":
        return Aspect(how="none")
    match = _ASPECT.match(words[0]) if words else None
    if match is None:
        return Aspect()
    return Aspect(_ALIGN[match[1]], _ALIGN[match[2]], "slice" if words[1:2] == ["slice"] else "meet")


Box = tuple[float, float, float, float]


def fit_with_aspect(inner: Box, outer: Box, how: Aspect) -> Matrix:
    """Return the matrix that fits one box into another. Both boxes have sides above 0."""
    across, down = outer[2] / inner[2], outer[3] / inner[3]
    if how.how != "none":
        across = down = (max if how.how == "slice" else min)(across, down)
    x = outer[0] + (outer[2] - inner[2] * across) * how.x - inner[0] * across
    y = outer[1] + (outer[3] - inner[3] * down) * how.y - inner[1] * down
    return (across, 0.0, 0.0, down, x, y)


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
