"""The tree of an SVG file: elements with places, attributes by plain names, and the properties they declare."""

import io
import re
import zlib
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Literal, NamedTuple, NoReturn, TypeAlias
from xml.parsers import expat

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound, locate_fault
from generator.base.files import BOUNDS, MalformedXml, parse_xml, read_declared_encoding
from generator.drawing.svg.values import LengthBasis, list_numbers, parse_length
from generator.drawing.svg.vocabulary import OF_TEMPLATES
from generator.drawing.templates.template_sources import STAMP

PROPERTIES = frozenset(
    [
        *("alignment-baseline", "baseline-shift", "clip-path", "clip-rule", "color", "color-interpolation"),
        *("color-interpolation-filters", "cursor", "data-role", "direction", "display", "dominant-baseline"),
        *("fill", "fill-opacity", "fill-rule", "filter", "flood-color", "flood-opacity", "font", "font-family"),
        *("font-feature-settings", "font-kerning", "font-size", "font-size-adjust", "font-stretch", "font-style"),
        *("font-variant", "font-weight", "image-rendering", "isolation", "letter-spacing", "lighting-color"),
        *("line-height", "marker", "marker-end", "marker-mid", "marker-start", "mask", "mask-type"),
        *("mix-blend-mode", "opacity", "overflow", "paint-order", "pointer-events", "shadow", "shape-rendering"),
        *("stop-color", "stop-opacity", "stroke", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap"),
        *("stroke-linejoin", "stroke-miterlimit", "stroke-opacity", "stroke-width", "text-anchor"),
        *("text-decoration", "text-rendering", "text-transform", "transform", "transform-box"),
        *("transform-origin", "unicode-bidi", "vector-effect", "visibility", "white-space", "word-spacing"),
        *("writing-mode"),
    ]
)
"""Properties with a meaning here, as attributes as well as in style sheets."""

GEOMETRY = frozenset(["x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "d"])
_DECLARATION = r"(?:[^;\"'(]|\"[^\"]*\"|'[^']*'|\((?:[^()\"']|\"[^\"]*\"|'[^']*'|\([^()]*\))*\))+"
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


class Element:
    """An element: its local name, attributes by their plain names, and what is in it, words and elements in order.

    `at` is its stamp: the template's, or `line:column`. `source` is its markup up to its closing tag, equal for equal
    elements of templates. `rules` are the declarations of style sheets, the weightiest last.
    """

    __slots__ = ("_properties", "at", "attributes", "children", "parent", "parts", "rules", "source", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], at: str, parent: "Element | None" = None):
        self.tag, self.attributes, self.at, self.parent = tag, attributes, at, parent
        self.children: list[Element] = []
        self.parts: list[Element | str] = []
        self.rules: tuple[Declaration, ...] = ()
        self.source = b""
        self._properties: dict[str, str] | None = None

    def add_child(self, child: "Element") -> None:
        """Add an element at the end."""
        self.children.append(child)
        self.parts.append(child)

    @property
    def properties(self) -> dict[str, str]:
        """Return the properties from attributes, style sheets and `style`, merged on first use."""
        if self._properties is None:
            self._properties = self.merge_declarations()
        return self._properties

    @properties.setter
    def properties(self, given: dict[str, str]) -> None:
        self._properties = given

    def merge_declarations(self) -> dict[str, str]:
        """Return the properties that are given. Geometry in `style` and style sheets becomes attributes."""
        given = {name: text.strip() for name, text in self.attributes.items() if name in PROPERTIES}
        style = self.attributes.get("style")
        if style is None and not self.rules:
            return given
        own = [*self.rules, *read_declarations(style or "")]
        for each in chain(*([one for one in own if one.important is heavy] for heavy in (False, True))):
            given[each.name] = each.value
            if each.name in GEOMETRY:
                value = each.value
                if each.name == "d":
                    value = re.sub(r"(?s)\Apath\(\s*(['\"])(.*)\1\s*\)\Z", r"\2", value)
                self.attributes[each.name] = value
        return given

    @property
    def text(self) -> str:
        """Return the text directly inside the element."""
        return "".join([part for part in self.parts if isinstance(part, str)])

    def join_words(self) -> str:
        """Return the text inside the element and the elements in it."""
        return "".join([part if isinstance(part, str) else part.join_words() for part in self.parts])

    def child_text(self, tag: str) -> str:
        """Return the text of the first child with that tag, spaces collapsed, or an empty string."""
        for child in self.children:
            if child.tag == tag:
                return " ".join(child.text.split())
        return ""

    def iter_elements(self) -> "Iterator[Element]":
        """Yield the element and all below it, in the order of the file."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.children))


def find_link(element: Element) -> str:
    """Return the text of an element's `href`, such as `#id` or a file, or ''."""
    return element.attributes.get("href", "").strip()


class Declaration(NamedTuple):
    """A property with its value; `important` if marked `!important`."""

    name: str
    value: str
    important: bool


def read_declarations(text: str) -> Iterator[Declaration]:
    """Yield the declarations of a `style` attribute. Skip anything else, as CSS does."""
    if "/*" in text:
        text = _COMMENT.sub("", text)
    for part in re.findall(_DECLARATION, text):
        name, colon, value = part.partition(":")
        if colon and value.strip():
            name, value = name.strip(), value.strip()
            bare, mark, rest = value.rpartition("!")
            important = mark != "" and rest.strip().lower() == "important"
            name = name if name.startswith("--") else name.lower()
            yield Declaration(name, bare.strip() if important else value, important)


_MOST = 10


class ArtNotes:
    """Collects notes on a file: each sentence once, at the first line that it applies to."""

    def __init__(self, file: str):
        self._file = file
        self._said: dict[str, str] = {}
        self._missed = 0

    def add(self, at: str, what: str) -> None:
        """Note `what` about the element at a stamp (`line:column`), unless the same was noted before."""
        if what not in self._said:
            self._said[what] = at

    def add_value(self, at: str, name: str, text: str, mistake: ValueError) -> None:  # noqa: ARG002
        """Note that the value `text` of `name` can't be read and is ignored. The reason, `mistake`, is left out."""
        self.add(at, f"{name}: '{text.strip()[:40]}' is not understood")

    def sort_notes(self) -> tuple[str, ...]:
        """Return at most ten notes in the order of the file, without repeats."""
        lines = sorted(self._said.items(), key=lambda said: [int(part) for part in said[1].split(":") if part])
        shown = [f"{self._file}:{at}: {what}" if at else f"{self._file}: {what}" for what, at in lines[:_MOST]]
        if len(lines) > _MOST:
            shown[-1] = f"{shown[-1]}; and {len(lines) - _MOST} more of this file"
        return tuple(shown)


# Nothing outside the file is read. Templates have no DOCTYPE. That of an art file is ignored except for plain entities,
# which Illustrator declares for namespaces and styles: none of them can name another, and all together stay small.

DEEPEST, DEEPEST_ART = 60, 120
MOST_ELEMENTS = 50_000
"""Maximum elements of a drawing with all that it shows. Each segment of a long outline counts as two elements."""

TEXTUAL = frozenset(["text", "textbox", "textPath", "title", "desc"])
_WORDED_IN_TEMPLATES = TEXTUAL | {"style", "tspan"}
_WORDED = _WORDED_IN_TEMPLATES | {"tref", "a"}
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_LONGEST_VALUE = 100_000
_LONG_ONES = {"d": 4_000_000, "points": 4_000_000, "href": 64_000_000}
"""Maximum characters of an attribute's value in art files."""

_MOST_DEFAULTS = 50
"""Attributes that a DOCTYPE may declare: each with a default appears in every element that has its name."""

_MOST_ENTITIES, _LONGEST_ENTITY, _MOST_GROWN = 200, 4_000, 4_000_000
"""Entities that may be declared, characters of each, and characters that they may add to the file."""

PACKED = b"\x1f\x8b"
_LONE_AMPERSAND = re.compile(rb"&[^;<&]*\Z")
_STAMPED = re.compile(rf' {STAMP}="([^"]*)"'.encode())

Profile: TypeAlias = Literal["template", "art"]
"""Whose file it is. `template`: a template's output, strict, with stamps. `art`: a drawing of any program, lenient."""


class _TreeBuilder:
    def __init__(self, markup: bytes, locate: Callable[[str], Place], profile: Profile, encoding: str | None = None):
        self.parser = parser = expat.ParserCreate(encoding)
        parser.buffer_text = True
        parser.StartElementHandler = self._start_element
        parser.EndElementHandler = self._end_element
        parser.CharacterDataHandler = self._add_characters
        if profile == "art":
            parser.EntityDeclHandler = self._declare_entity
            parser.AttlistDeclHandler = self._declare_attribute
            outside = "the drawing refers to another file by an entity"
            parser.ExternalEntityRefHandler = lambda *_: self._refuse_entities(outside)
        else:
            parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._markup, self._locate, self._profile = markup, locate, profile
        self._deepest = DEEPEST_ART if profile == "art" else DEEPEST
        self.root: Element | None = None
        self.open: list[Element] = []
        self._spaces: list[dict[str, str]] = [{}]
        self._starts: list[int] = []
        self._last = ""
        self._count = self._entities = self._defaults = 0
        self.problems: list[Problem] = []

    def _start_element(self, tag: str, attributes: dict[str, str]) -> None:
        above = self.open[-1] if self.open else None
        if self._profile == "template":
            at, around = attributes.pop(STAMP, ""), above.at if above else ""
            written = at.partition(":")[0] == around.partition(":")[0] or self._locate(at).line if at else False
            at = at if written else around or at  # the parent's place, for an element that this program did not write
        else:
            at = f"{self.parser.CurrentLineNumber}:{self.parser.CurrentColumnNumber + 1}"
        self._last = at
        spaces = self._spaces[-1]
        if any(":" in name or name == "xmlns" for name in attributes):
            spaces = self._read_spaces(attributes)
        self._spaces.append(spaces)
        element = Element(self._find_tag(tag, spaces, above), attributes, at, above)
        self._check_size(element)
        if above is None:
            self.root = element
        elif element.tag and above.tag:
            above.add_child(element)
        self.open.append(element)
        self._starts.append(self.parser.CurrentByteIndex)

    def _read_spaces(self, attributes: dict[str, str]) -> dict[str, str]:
        """Return the namespaces in an element by prefix. Give its attributes their plain names."""
        spaces = {**self._spaces[-1]}
        prefixed = [name for name in attributes if ":" in name or name == "xmlns"]
        for name in prefixed:
            if name.startswith("xmlns"):
                spaces[name[6:]] = attributes.pop(name)
        for name in prefixed:
            prefix, _, local = name.partition(":")
            if local == "href" and (prefix == "xlink" or spaces.get(prefix) == _XLINK):
                attributes.setdefault("href", attributes.pop(name))
            elif prefix not in ("xml", "xmlns") and (self._profile == "art" or prefix in spaces):
                del attributes[name]
        return spaces

    def _find_tag(self, tag: str, spaces: dict[str, str], above: Element | None) -> str:
        """Return the local name of an element of SVG, else "" (in a template, the tag if its prefix is unknown)."""
        prefix, _, local = tag.rpartition(":")
        space = spaces.get(prefix)
        if space == _SVG or (space is None and prefix in ("", "svg")) or (above is None and local == "svg"):
            return local
        if self._profile != "art" and (prefix not in spaces or not prefix):
            return tag
        if not prefix and above is not None and (above.parent is None or above.tag) and spaces is self._spaces[1]:
            return local  # a root of an unusual namespace
        return ""

    def _check_size(self, element: Element) -> None:
        self._count += 1
        too = ""
        if self._count > MOST_ELEMENTS:
            too = f"more than {MOST_ELEMENTS:,} elements"
        elif len(self.open) >= self._deepest:
            too = f"nested more than {self._deepest} deep"
        elif self._profile == "art":
            for name, text in element.attributes.items():
                if len(text) > (most := _LONG_ONES.get(name, _LONGEST_VALUE)):
                    too = f"the attribute '{name[:40]}' has more than {most:,} characters"
        if too:
            raise ProblemsFound([Problem(self._locate(element.at), f"the drawing is too large: {too}", "simplify it")])

    def _end_element(self, tag: str) -> None:  # noqa: ARG002
        element, start = self.open.pop(), self._starts.pop()
        self._spaces.pop()
        if self._profile != "art":
            element.source = self._markup[start : self.parser.CurrentByteIndex]

    def _add_characters(self, data: str) -> None:
        element = self.open[-1]
        if element.tag in (_WORDED if self._profile == "art" else _WORDED_IN_TEMPLATES):
            element.parts.append(data)
        elif self._profile != "art" and not data.isspace() and element.tag in OF_TEMPLATES:
            words = " ".join(data.split())
            shown = words if len(words) <= 30 else f"{words[:30]}..."
            what = f"text '{shown}' is directly inside <{element.tag}>"
            self.problems.append(Problem(self._locate(self._last), what, "put it in a <text> or <textbox>"))

    def _refuse_doctype(self, *_: object) -> None:
        raise ProblemsFound([Problem(self.find_place(), "a DOCTYPE is not allowed", "leave it out")])

    def _refuse_entities(self, what: str) -> NoReturn:
        hint = "leave the DOCTYPE out, or save as plain SVG"
        at = f"{self.parser.CurrentLineNumber}:{self.parser.CurrentColumnNumber + 1}"
        raise ProblemsFound([Problem(self._locate(at), what, hint)])

    def _declare_entity(self, name: str, is_parameter: bool, value: str | None, *_: object) -> None:
        self._entities += 1
        plain = value is not None and not is_parameter and "&" not in value and "%" not in value
        length = len(value or "")
        grown = self._markup.count(b"&") * length > _MOST_GROWN or length > _LONGEST_ENTITY
        if not plain or grown or self._entities > _MOST_ENTITIES:
            self._refuse_entities(f"the DOCTYPE declares the entity '{name}'")

    def _declare_attribute(self, *_: object) -> None:
        self._defaults += 1
        if self._defaults > _MOST_DEFAULTS:
            self._refuse_entities(f"the DOCTYPE declares more than {_MOST_DEFAULTS} attributes")

    def find_place(self) -> Place:
        """Return the parser's place. In a template's output it is the last tag before it, or the first tag."""
        if self._profile != "template":
            return self._locate(f"{self.parser.ErrorLineNumber}:{self.parser.ErrorColumnNumber + 1}")
        before = _STAMPED.findall(self._markup, 0, max(0, self.parser.ErrorByteIndex))
        first = None if before else _STAMPED.search(self._markup)
        return self._locate(before[-1].decode() if before else first[1].decode() if first else "")

    def get_markup_before(self) -> bytes:
        """Return the markup shortly before the mistake."""
        end = max(0, self.parser.ErrorByteIndex)
        return self._markup[max(0, end - 40) : end]


def parse_markup_tree(
    data: bytes, locate: Callable[[str], Place], profile: Profile, encoding: str | None = None
) -> tuple[Element, list[Problem]]:
    """Return the root, and problems with loose text. Raise ProblemsFound if malformed. `locate` reads `line:column`."""
    if not data.strip():
        raise ProblemsFound([Problem(locate(""), "the file is empty", "draw an <svg> in it")])
    handler = _TreeBuilder(data, locate, profile, encoding)
    try:
        parse_xml(handler.parser, data)
    except MalformedXml as error:
        raise ProblemsFound([*handler.problems, _explain_malformed(error, handler, locate)]) from error
    finally:
        # Break the reference cycle of parser and handlers, so that no garbage collection is needed.
        parser = handler.parser
        parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None
        parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = None
        parser.ExternalEntityRefHandler = parser.AttlistDeclHandler = None
    if handler.root is None:
        raise ValueError("expat lets no document without an element pass")
    return handler.root, handler.problems


_LAST_NAME = r"([^\s<>=]+)\s*=\s*$"
_REASONS = {
    "not well-formed (invalid token)": (
        "this character is not allowed here",
        "check the quotes; write &lt; for a < in a text",
    ),
    "mismatched tag": ("this closing tag has no opening tag", "remove it, or add the opening tag"),
    "no element found": ("there is no element", "draw an <svg>"),
    "syntax error": ("it does not begin with an element", "begin it with <svg>"),
    "junk after document element": ("there is content after </svg>", "remove it, or put it before </svg>"),
    "duplicate attribute": ("an attribute is given twice", "remove one of them"),
    "undefined entity": ("a name between & and ; is unknown", "write the character itself"),
    "unbound prefix": ("a prefix before a colon is unknown", "declare it on <svg>, as in xmlns:xlink"),
}
"""The parser's reasons in plain words, with a hint."""


def _explain_malformed(error: MalformedXml, handler: _TreeBuilder, locate: Callable[[str], Place]) -> Problem:
    reason = str(error)
    what, hint = _REASONS.get(reason, (reason, error.hint or "check quotes, brackets and closing tags"))
    if handler.open and reason in ("mismatched tag", "no element found", "unclosed token"):
        still = handler.open[-1]
        line = locate(still.at).line
        what = f"<{still.tag}> of line {line} is still open" if line else f"<{still.tag}> is still open"
        hint = f"write </{still.tag}> before this"
    elif reason == "not well-formed (invalid token)":
        near = handler.get_markup_before()
        if _LONE_AMPERSAND.search(near):
            what, hint = "an ampersand needs an escape", "write &amp; instead"
        elif name := re.search(_LAST_NAME, near.decode("utf-8", "replace")):
            what, hint = f"the value of {name[1]} has no quotes", f'write {name[1]}="..."'
    return Problem(handler.find_place(), f"the markup is not well-formed: {what}", hint)


# Art files


def unpack_drawing(data: bytes) -> bytes:
    """Return the bytes of a drawing, unpacked if it is an .svgz. Raise InvalidInput if that fails or is too large."""
    if not data.startswith(PACKED):
        return data
    most, hint = BOUNDS["markup"]
    try:
        import gzip

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


def read_art_tree(data: bytes, locate: Callable[[str], Place], notes: ArtNotes | None = None) -> Element:
    """Return the root element of a drawing. Raise ProblemsFound if it is malformed, too large or not an <svg>."""
    with locate_fault(locate("1:1")):
        data = unpack_drawing(data).lstrip(b" \t\r\n")
    encoding = _find_encoding(data)
    if encoding is not None and notes is not None:
        notes.add("1:1", "the file is not UTF-8; pnp reads it as ISO-8859-1")
    root, _ = parse_markup_tree(data, locate, "art", encoding)
    if root.tag != "svg":
        raise ProblemsFound([Problem(locate("1:1"), "the outermost element is not <svg>", "save the drawing as SVG")])
    return root


def index_by_id(root: Element) -> dict[str, Element]:
    """Return the elements of a drawing by id. For a repeated id, keep the first element."""
    found: dict[str, Element] = {}
    for element in root.iter_elements():
        name = element.attributes.get("id")
        if name:
            found.setdefault(name, element)
    return found


def read_natural_size(root: Element) -> tuple[float, float]:
    """Return the width and height that a drawing states (user units). Missing ones follow from the viewBox or are 0."""
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
