"""Edits of templates: the literal numbers of one start tag, changed in place."""

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

_MOST = 10_000.0
_LINE_END = re.compile(r"\r\n|\r|\n")
_TAG = re.compile(r"<[A-Za-z_][\w:.-]*")
_PIECE = re.compile(r"([^\s=<>\"'/]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')|([<>])|\S")
_LITERAL = re.compile(rf"\s*({NUMBER.pattern})\s*(mm|cm|in|pt|pc|px|Q|)\s*")
_blank_jinja = lru_cache(maxsize=8)(lambda source: blank_tags(source, find_jinja_tags(source)))
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
    found: dict[str, Literal | None] = {}
    for name, begin, end in _iter_values(source, _find_offset(source, line, column)):
        match = _LITERAL.fullmatch(source, begin, end)
        literal = Literal(*match.span(1), match[1], match[2]) if match else None
        found[name] = None if name in found else literal
    return {name: literal for name, literal in found.items() if literal is not None and name in EDITABLE}


def _iter_values(source: str, start: int) -> Iterator[tuple[str, int, int]]:
    """Yield each attribute of the start tag at an offset, with begin and end of its value. Jinja's tags are skipped."""
    tag = _TAG.match(source, start)
    for piece in _PIECE.finditer(_blank_jinja(source), tag.end() if tag else len(source)):
        if piece[4]:
            return
        if piece[1]:
            begin, end = piece.span(3 if piece[2] is None else 2)
            yield piece[1], begin, end
            for size in _SIZE_IN_STYLE.finditer(source[begin:end]) if piece[1] == "style" else ():
                yield "font-size", begin + size.start(1), begin + size.end(1)


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
            raise InvalidInput(f"{name} is not the plain number {old} here", "change it in the file")
        text = new if isinstance(new, str) else _format_number(new, literal)
        if not NUMBER.fullmatch(text) or not abs(float(text)) <= _MOST or (name not in "xy" and float(text) <= 0):
            raise InvalidInput(f"{name} can't become {text[:20]}", f"use a number up to {_MOST:g}, for sizes above 0")
        edits.append((literal.begin, literal.end, text))
        undo[name] = (text, old)
    for begin, end, text in sorted(edits, reverse=True):
        source = source[:begin] + text + source[end:]
    return source, undo


def _format_number(value: float, like: Literal) -> str:
    """Return a number to hundredths (in, cm: thousandths), or finer if the old one is, in the old one's style."""
    if not abs(value) <= _MOST:
        return str(value)
    decimals = 0 if "e" in like.text.lower() else len(like.text.partition(".")[2])
    whole, _, part = f"{value:.{max(decimals, 3 if like.per > 1 else 2)}f}".partition(".")
    kept = decimals if like.text.endswith("0") else 0
    part = part[:kept] + part[kept:].rstrip("0")
    text = f"{whole}.{part}" if part else whole
    if float(text) == 0:
        text = text.lstrip("-")
    bare = like.text.lstrip("+-").startswith(".") and text.lstrip("-").startswith("0.")
    return text.replace("0.", ".", 1) if bare else text
