"""Edits of templates: the literal numbers of one start tag, changed in place."""

import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from generator.base.errors import InvalidInput
from generator.base.geometry import NUMBER
from generator.drawing.svg.values import parse_length
from generator.drawing.templates.template_sources import blank_tags, find_jinja_tags

EDITABLE = ("x", "y", "width", "height", "font-size")
"""Attributes whose numbers can be changed."""

MOST = 10_000.0
"""Largest number that is written, in any unit."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_TAG = re.compile(r"<[A-Za-z_][\w:.-]*")
_ATTRIBUTE = re.compile(r"\s*([^\s=<>\"'/]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_LITERAL = re.compile(rf"\s*({NUMBER.pattern})\s*(mm|cm|in|pt|px|Q|)\s*")
_SIZE_IN_STYLE = re.compile(r"(?:^|;)\s*font-size\s*:([^;]*)")


class Literal(NamedTuple):
    """A number in a template: where it begins and ends in the source, its text, and its unit."""

    begin: int
    end: int
    text: str
    unit: str

    @property
    def per(self) -> float:
        """The user units (mm, unless a group is scaled) of one of its unit."""
        return parse_length(f"1{self.unit}")


def find_literals(source: str, line: int, column: int) -> dict[str, Literal]:
    """Return the literal numbers of the start tag at a place, by attribute. Leave out expressions and repeated names.

    Line and column count from 1; a byte order mark counts as no character, and every line end as one.
    """
    start = _find_offset(source, line, column)
    if not _TAG.match(source, start):
        return {}
    found: dict[str, Literal | None] = {}
    for name, begin, end in _iter_values(source, start):
        match = _LITERAL.fullmatch(source, begin, end)
        literal = Literal(*match.span(1), match[1], match[2]) if match else None
        found[name] = None if name in found else literal
    return {name: literal for name, literal in found.items() if literal is not None and name in EDITABLE}


def _iter_values(source: str, start: int) -> Iterator[tuple[str, int, int]]:
    """Yield each attribute's name with begin and end of its value. Jinja's tags around attributes are skipped."""
    bare = _blank_jinja(source)
    tag = _TAG.match(source, start)
    position = tag.end() if tag else len(source)
    while (position := _skip_space(bare, position)) < len(bare) and bare[position] not in "<>":
        match = _ATTRIBUTE.match(bare, position)
        if match is None:
            position += 1
            continue
        begin, end = match.span(2) if match[2] is not None else match.span(3)
        yield match[1], begin, end
        if match[1] == "style":
            for size in _SIZE_IN_STYLE.finditer(source[begin:end]):
                yield "font-size", begin + size.start(1), begin + size.end(1)
        position = match.end()


@lru_cache(maxsize=8)
def _blank_jinja(source: str) -> str:
    return blank_tags(source, find_jinja_tags(source))


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _find_offset(source: str, line: int, column: int) -> int:
    """Return the offset of a place, or the end of the source if there is no such place."""
    if column < 1 or line < 1:
        return len(source)
    starts = [int(source.startswith("\ufeff")), *(found.end() for found in _LINE_END.finditer(source))]
    return min(starts[line - 1] + column - 1, len(source)) if line <= len(starts) else len(source)


Change = tuple[str, float | str]
"""The number that is in the template, as its text, and the new one: a number to be rounded, or its exact text."""


def change_numbers(source: str, line: int, column: int, changes: Mapping[str, Change]) -> tuple[str, dict[str, Change]]:
    """Return the source with changed numbers in the start tag at a place, and the changes that undo this.

    A new number keeps its unit and has at least the decimals that the old one is padded to. Raise InvalidInput for a
    number that isn't there as its change says, or that would be out of range.
    """
    literals = find_literals(source, line, column)
    undo: dict[str, Change] = {}
    edits: list[tuple[int, int, str]] = []
    for name, (old, new) in changes.items():
        literal = literals.get(name)
        if literal is None or literal.text != old:
            what = f"{name} is not the number {old} here" if literal else f"{name} is not a plain number here"
            raise InvalidInput(what, "change it in the file")
        text = new if isinstance(new, str) else _format_number(new, literal)
        if not NUMBER.fullmatch(text) or not abs(float(text)) <= MOST or (name not in "xy" and float(text) <= 0):
            above = " above 0" if name not in "xy" else ""
            raise InvalidInput(f"{name} can't become {text[:20]}", f"use a number{above} up to {MOST:g}")
        edits.append((literal.begin, literal.end, text))
        undo[name] = (text, old)
    for begin, end, text in sorted(edits, reverse=True):
        source = source[:begin] + text + source[end:]
    return source, undo


def _format_number(value: float, like: Literal) -> str:
    """Return a number to hundredths (in, cm: thousandths), or finer if the old one is, in the old one's style."""
    if not math.isfinite(value):
        return str(value)
    decimals = 0 if "e" in like.text.lower() else len(like.text.partition(".")[2])
    text = f"{value:.{max(decimals, 3 if like.per > 1 else 2)}f}"
    padded = decimals if like.text.endswith("0") else 0
    while text.endswith("0") and len(text.partition(".")[2]) > padded:
        text = text[:-1]
    text = text.rstrip(".")
    if float(text) == 0:
        text = text.lstrip("-")
    bare = like.text.lstrip("+-").startswith(".") and text.lstrip("-").startswith("0.")
    return text.replace("0.", ".", 1) if bare else text
