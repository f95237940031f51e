"""Markup to a tree of elements that know their place and their source; only well-formed XML without DTDs passes."""

import re
from collections.abc import Callable
from xml.parsers import expat

from generator.draw.svg_lines import STAMP
from generator.draw.svg_subset import ATTRIBUTES
from generator.errors import Place, Problem, ProblemsFound

DEEPEST = 60
MOST_ELEMENTS = 50_000
TEXTUAL = frozenset(["text", "textbox", "title", "desc"])

_STAMPED = re.compile(rf' {STAMP}="([^"]*)"'.encode())


class Element:
    """One element. `at` is its stamp; `source` is its markup as far as its closing tag, equal for equal elements."""

    __slots__ = ("at", "attributes", "children", "source", "tag", "text")

    def __init__(self, tag: str, attributes: dict[str, str], at: str):
        self.tag = tag
        self.attributes = attributes
        self.at = at
        self.children: list[Element] = []
        self.text = ""
        self.source = b""

    def child_text(self, tag: str) -> str:
        """The text of the first child with that tag, spaces collapsed; empty when there is none."""
        for child in self.children:
            if child.tag == tag:
                return " ".join(child.text.split())
        return ""


class _Handler:
    """Builds the tree while expat reads."""

    def __init__(self, markup: bytes, locate: Callable[[str], Place], stamped: bool):
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.StartDoctypeDeclHandler = self._doctype
        self._markup = markup
        self._locate = locate
        self._stamped = stamped
        self.root: Element | None = None
        self.open: list[Element] = []
        self._starts: list[int] = []
        self._last = ""
        self._count = 0
        self.problems: list[Problem] = []

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if self._stamped:
            at = attributes.pop(STAMP, None) or (self.open[-1].at if self.open else "")
        else:
            at = str(self.parser.CurrentLineNumber)
        self._last = at
        element = Element(tag, attributes, at)
        self._count += 1
        if self.open:
            self.open[-1].children.append(element)
            if self._count > MOST_ELEMENTS or len(self.open) >= DEEPEST:
                self._stop(element)
        else:
            self.root = element
        self.open.append(element)
        self._starts.append(self.parser.CurrentByteIndex)

    def _end(self, tag: str) -> None:  # noqa: ARG002
        self.open.pop().source = self._markup[self._starts.pop() : self.parser.CurrentByteIndex]

    def _characters(self, data: str) -> None:
        element = self.open[-1]
        if element.tag in TEXTUAL:
            element.text += data
        elif element.tag in ATTRIBUTES and not data.isspace():
            words = " ".join(data.split())
            shown = words if len(words) <= 30 else f"{words[:30]}..."
            what = f"text '{shown}' stands loose in <{element.tag}>"
            self.problems.append(Problem(self._locate(self._last), what, "put it into a <text> or <textbox>"))

    def let_go(self) -> None:
        """Undo the circle of parser and handler, which would wait for the garbage collector."""
        self.parser.StartElementHandler = self.parser.EndElementHandler = None
        self.parser.CharacterDataHandler = self.parser.StartDoctypeDeclHandler = None

    def _doctype(self, *_: object) -> None:
        place = self._locate(str(self.parser.CurrentLineNumber)) if not self._stamped else self._locate("0:1")
        raise ProblemsFound([Problem(place, "a DOCTYPE is not allowed", "leave it out")])

    def _stop(self, element: Element) -> None:
        too = (
            f"nested more than {DEEPEST} deep" if len(self.open) >= DEEPEST else f"more than {MOST_ELEMENTS:,} elements"
        )
        raise ProblemsFound([Problem(self._locate(element.at), f"the drawing is too large: {too}")])


def parse_markup_tree(markup: str, locate: Callable[[str], Place], *, stamped: bool) -> tuple[Element, list[Problem]]:
    """The root element and what is wrong with loose text; ProblemsFound when the markup is not well-formed.

    `stamped` markup comes from a template and carries `_at` attributes; otherwise an element's stamp is its line.
    `locate` turns a stamp into a place.
    """
    data = markup.strip().encode() if stamped else markup.encode()
    handler = _Handler(data, locate, stamped)
    try:
        handler.parser.Parse(data, True)
    except expat.ExpatError as error:
        raise ProblemsFound([*handler.problems, _malformed(error, handler, data, locate, stamped)]) from error
    finally:
        handler.let_go()
    if handler.root is None:
        raise ProblemsFound([Problem(None, "the template yields no markup")])
    return handler.root, handler.problems


def _malformed(
    error: expat.ExpatError, handler: _Handler, data: bytes, locate: Callable[[str], Place], stamped: bool
) -> Problem:
    """The complaint, placed at the last tag that starts before the error: in a template that is all one can know."""
    if stamped:
        before = _STAMPED.findall(data, 0, max(0, handler.parser.ErrorByteIndex))
        place = locate(before[-1].decode() if before else "0:1")
    else:
        place = locate(str(error.lineno))
    reason = expat.ErrorString(error.code)
    hint = ""
    if handler.open and reason in ("mismatched tag", "no element found", "unclosed token"):
        still = handler.open[-1]
        hint = f"<{still.tag}> of line {locate(still.at).line} is still open"
    elif reason == "undefined entity":
        hint = "write the character itself"
    elif reason == "unbound prefix":
        hint = "declare the prefix on <svg>"
    return Problem(place, f"the markup is not well-formed: {reason}", hint)
