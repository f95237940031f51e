"""The tree of a template's elements, and the part of SVG that templates may use."""

import re
from collections.abc import Callable
from xml.parsers import expat

from generator.base.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.base.files import MalformedXml, parse_xml
from generator.drawing.templates.template_sources import STAMP

PAINTED = frozenset(
    [
        *("fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit"),
        *("stroke-dasharray", "fill-rule", "clip-rule", "color", "font-family", "font-size", "font-weight"),
        *("font-style", "text-anchor", "letter-spacing", "font-feature-settings"),
    ]
)
"""Inherited properties, as attributes or in `style`."""

_ALL = PAINTED | {"id", "style", "transform", "clip-path"}
_VIEW = frozenset(["viewBox", "preserveAspectRatio"])
_BOX = frozenset(["x", "y", "width", "height"])
_LINK = frozenset(["href", "xlink:href"])
_WORDS = frozenset(["text-role", "lang", "writing-mode", "aloud"])
_FLOW = frozenset(["line-height", "text-align", "text-indent", "valign", "hyphenate", "phrases", "text-wrap"])
_SHADE = frozenset(["id", "gradientUnits", "gradientTransform", "spreadMethod"]) | _LINK

SHAPES = frozenset(["rect", "circle", "ellipse", "line", "polyline", "polygon", "path"])

ATTRIBUTES: dict[str, frozenset[str]] = {
    "svg": _ALL | _VIEW | _BOX | {"version", "xmlns", "xmlns:xlink", "xml:lang", "xml:space"},
    "g": _ALL,
    "defs": _ALL,
    "symbol": _ALL | _VIEW,
    "use": _ALL | _BOX | _LINK | {"preserveAspectRatio"},
    "rect": _ALL | _BOX | {"rx", "ry"},
    "circle": _ALL | {"cx", "cy", "r"},
    "ellipse": _ALL | {"cx", "cy", "rx", "ry"},
    "line": _ALL | {"x1", "y1", "x2", "y2"},
    "polyline": _ALL | {"points"},
    "polygon": _ALL | {"points"},
    "path": _ALL | {"d"},
    "text": _ALL | _WORDS | _BOX | {"min-size", "textLength"},
    "textbox": _ALL | _WORDS | _BOX | _FLOW | {"min-size"},
    "stamp": frozenset(["x", "y", "font-size", "text-anchor", "fill", "note", "id"]),
    "image": _ALL | _BOX | _LINK | {"preserveAspectRatio", "fit", "focus", "rx", "ry"},
    "linearGradient": _SHADE | {"x1", "y1", "x2", "y2"},
    "radialGradient": _SHADE | {"cx", "cy", "r", "fx", "fy"},
    "stop": frozenset(["id", "offset", "stop-color", "style"]),
    "clipPath": frozenset(["id", "clipPathUnits", "transform"]),
    "title": frozenset(["id"]),
    "desc": frozenset(["id"]),
}

CLEARED = frozenset(["fill-opacity", "stroke-opacity", "paint-order"])
"""Inherited properties of templates. Files that use them are read as drawings of other programs."""

EFFECTS = frozenset(["opacity", "mask", "filter", "mix-blend-mode", "shadow"])
"""Properties of a template's element that apply to all that it draws. They are not inherited."""

_PAINTING = SHAPES | {"g", "use", "text", "textbox", "image", "svg"}
_STEP = frozenset(["id", "in", "result", "x", "y", "width", "height", "color-interpolation-filters", "style"])
_FLOOD = frozenset(["flood-color", "flood-opacity"])
_TABLE = frozenset(["type", "tableValues", "slope", "intercept", "amplitude", "exponent", "offset"])

FILTER_STEPS: dict[str, frozenset[str]] = {
    "feGaussianBlur": _STEP | {"stdDeviation"},
    "feOffset": _STEP | {"dx", "dy"},
    "feFlood": _STEP | _FLOOD,
    "feDropShadow": _STEP | _FLOOD | {"dx", "dy", "stdDeviation"},
    "feMerge": _STEP,
    "feBlend": _STEP | {"in2", "mode"},
    "feComposite": _STEP | {"in2", "operator", "k1", "k2", "k3", "k4"},
    "feColorMatrix": _STEP | {"type", "values"},
    "feComponentTransfer": _STEP,
    "feMorphology": _STEP | {"operator", "radius"},
}
FILTER_PARTS: dict[str, frozenset[str]] = {
    "feMergeNode": frozenset(["in"]),
    **dict.fromkeys(("feFuncR", "feFuncG", "feFuncB", "feFuncA"), _TABLE),
}

OF_TEMPLATES: dict[str, frozenset[str]] = {
    **{tag: names | CLEARED | EFFECTS if tag in _PAINTING else names for tag, names in ATTRIBUTES.items()},
    "stop": ATTRIBUTES["stop"] | {"stop-opacity"},
    "textPath": frozenset(["id", "startOffset"]) | _LINK,
    "mask": frozenset(["id", "maskUnits", "maskContentUnits", "mask-type", "style"]) | _BOX,
    "pattern": frozenset(["id", "patternUnits", "patternContentUnits", "patternTransform"]) | _BOX | _VIEW | _LINK,
    "filter": frozenset(["id", "filterUnits", "primitiveUnits", "color-interpolation-filters", "style"]) | _BOX,
    **FILTER_STEPS,
    **FILTER_PARTS,
}
"""Like `ATTRIBUTES`, for templates, which also have effects."""

NEVER_DRAWN = frozenset(
    [
        *("defs", "symbol", "linearGradient", "radialGradient", "stop", "clipPath", "title", "desc"),
        *("mask", "pattern", "filter"),
    ]
)
"""Elements that are drawn only by reference, or that describe their parent."""

_HERE = "say it in the template, on the <use> that shows the drawing"
_INSTEAD = {
    **dict.fromkeys((*EFFECTS, *CLEARED, "stop-opacity", "pattern"), _HERE),
    "class": "write its properties as attributes or in style=",
    "font-variant": 'write font-feature-settings="smcp", or {caps:text} in the text',
    "text-decoration": "write {underline:text} or {strike:text} in the text",
    "tspan": "write the text in one <text>, with **bold** or {colour:text} where needed",
    "script": "templates are drawn, not run",
    "foreignObject": "use <textbox> for flowed text",
    "a": "printed paper has no links",
    "stroke-dashoffset": "begin the line elsewhere",
}


def has_effects(attributes: dict[str, str]) -> bool:
    """Return True if an element has effects, or may have them in its `style`."""
    if not EFFECTS.isdisjoint(attributes):
        return True
    return "style" in attributes and any(name in attributes["style"] for name in EFFECTS)


def suggest_element(tag: str) -> str:
    """Return a hint for an element that is not in the subset."""
    if tag == "style":
        return "write the properties as attributes or in style="
    return _INSTEAD.get(tag) or did_you_mean(tag, ATTRIBUTES)


def suggest_attribute(name: str, known: frozenset[str]) -> str:
    """Return a hint for an attribute or property that is not in the subset."""
    return _INSTEAD.get(name) or did_you_mean(name, known)


DEEPEST = 60
MOST_ELEMENTS = 50_000
"""Maximum elements of a drawing with all that it shows. Each segment of a long outline counts as two elements."""
TEXTUAL = frozenset(["text", "textbox", "textPath", "title", "desc"])

_LONE_AMPERSAND = re.compile(rb"&[^;<&]*\Z")
_STAMPED = re.compile(rf' {STAMP}="([^"]*)"'.encode())


class Element:
    """One element. `at` is its stamp; `source` is its markup up to its closing tag, equal for equal elements."""

    __slots__ = ("at", "attributes", "children", "source", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str], at: str):
        self.tag = tag
        self.attributes = attributes
        self.at = at
        self.children: list[Element] = []
        self.text = ""
        self.source = b""

    def child_text(self, tag: str) -> str:
        """Return the text of the first child with that tag, spaces collapsed, or an empty string."""
        for child in self.children:
            if child.tag == tag:
                return " ".join(child.text.split())
        return ""


def find_link(element: Element) -> str:
    """Return what an element refers to."""
    return (element.attributes.get("href") or element.attributes.get("xlink:href") or "").strip()


class _TreeBuilder:
    def __init__(self, markup: bytes, locate: Callable[[str], Place], stamped: bool):
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start_element
        self.parser.EndElementHandler = self._end_element
        self.parser.CharacterDataHandler = self._add_characters
        self.parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._markup = markup
        self._locate = locate
        self._stamped = stamped
        self.root: Element | None = None
        self.open: list[Element] = []
        self._starts: list[int] = []
        self._last = ""
        self._count = 0
        self.problems: list[Problem] = []

    def _start_element(self, tag: str, attributes: dict[str, str]) -> None:
        above = self.open
        if self._stamped:
            at = self._find_stamp(attributes.pop(STAMP, ""), above[-1].at if above else "")
        else:
            at = f"{self.parser.CurrentLineNumber}:{self.parser.CurrentColumnNumber + 1}"
        self._last = at
        element = Element(tag, attributes, at)
        self._count += 1
        if above:
            above[-1].children.append(element)
            if self._count > MOST_ELEMENTS or len(above) >= DEEPEST:
                too_deep = len(above) >= DEEPEST
                too = f"nested more than {DEEPEST} deep" if too_deep else f"more than {MOST_ELEMENTS:,} elements"
                what = f"the drawing is too large: {too}"
                raise ProblemsFound([Problem(self._locate(element.at), what, "simplify it")])
        else:
            self.root = element
        above.append(element)
        self._starts.append(self.parser.CurrentByteIndex)

    def _find_stamp(self, own: str, above: str) -> str:
        """Return an element's stamp, or its parent's if it has none or a forged one."""
        if own and (own.partition(":")[0] == above.partition(":")[0] or self._locate(own).line):
            return own
        return above or own

    def _end_element(self, tag: str) -> None:  # noqa: ARG002
        self.open.pop().source = self._markup[self._starts.pop() : self.parser.CurrentByteIndex]

    def _add_characters(self, data: str) -> None:
        element = self.open[-1]
        if element.tag in TEXTUAL:
            element.text += data
        elif not data.isspace() and element.tag in OF_TEMPLATES:
            words = " ".join(data.split())
            shown = words if len(words) <= 30 else f"{words[:30]}..."
            what = f"text '{shown}' is directly inside <{element.tag}>"
            self.problems.append(Problem(self._locate(self._last), what, "put it in a <text> or <textbox>"))

    def break_cycle(self) -> None:
        """Break the reference cycle of parser and handler, so that no garbage collection is needed."""
        self.parser.StartElementHandler = self.parser.EndElementHandler = None
        self.parser.CharacterDataHandler = self.parser.StartDoctypeDeclHandler = None

    def _refuse_doctype(self, *_: object) -> None:
        raise ProblemsFound([Problem(self.find_place(), "a DOCTYPE is not allowed", "leave it out")])

    def find_place(self) -> Place:
        """Return the parser's place. In a template's output it is the last tag before it, or the first tag."""
        if not self._stamped:
            return self._locate(f"{self.parser.ErrorLineNumber}:{self.parser.ErrorColumnNumber + 1}")
        before = _STAMPED.findall(self._markup, 0, max(0, self.parser.ErrorByteIndex))
        first = None if before else _STAMPED.search(self._markup)
        return self._locate(before[-1].decode() if before else first[1].decode() if first else "")

    def get_markup_before(self) -> bytes:
        """Return the markup before the mistake, as far as it matters."""
        end = max(0, self.parser.ErrorByteIndex)
        return self._markup[max(0, end - 40) : end]


def parse_markup_tree(markup: str, locate: Callable[[str], Place], *, stamped: bool) -> tuple[Element, list[Problem]]:
    """Return the root element, and problems with loose text. Raise ProblemsFound for malformed markup.

    `stamped` markup comes from a template and has `_at` attributes; otherwise an element's stamp is `line:column`.
    `locate` converts a stamp to a place, and an empty one to the file.
    """
    data = markup.strip().encode() if stamped else markup.encode()
    if not data.strip():
        raise ProblemsFound([Problem(locate(""), "the file is empty", "draw an <svg> in it")])
    handler = _TreeBuilder(data, locate, stamped)
    try:
        parse_xml(handler.parser, data)
    except MalformedXml as error:
        raise ProblemsFound([*handler.problems, _explain_malformed(error, handler, locate)]) from error
    finally:
        handler.break_cycle()
    if handler.root is None:
        raise ValueError("expat lets no document without an element pass")
    return handler.root, handler.problems


_LAST_NAME = re.compile(r"([^\s<>=]+)\s*=\s*$")
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
        elif name := _LAST_NAME.search(near.decode("utf-8", "replace")):
            what, hint = f"the value of {name[1]} has no quotes", f'write {name[1]}="..."'
    return Problem(handler.find_place(), f"the markup is not well-formed: {what}", hint)
