"""Upright pages: paragraphs in vertical lines from right to left, as a prologue in Japanese has them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from generator.errors import Place
from generator.model.drawing import Group
from generator.model.structure import Tag, Tags
from generator.pages.blocks import Text, Upright
from generator.pages.lines import baseline, line_thing
from generator.pages.setter import Setter, TypeLine
from generator.pages.strips import Role, Thing
from generator.pages.style import TypeStyle
from generator.units import Rect

_LARGER, _LEADING = 1.12, 1.85
_LONGEST_EMS = 40
"""A longer column is hard to read."""

_LYING_SHARE = 0.78


class _Column(NamedTuple):
    line: TypeLine
    style: TypeStyle
    above: bool
    tags: Tags


def upright_pages(setter: Setter, upright: Upright, rooms: Sequence[Rect], part: int) -> list[list[Thing]]:
    """The things of each page; `rooms` are those of a left and of a right page, the first page's first.

    Columns are whole characters long; a text that fills a page goes on on the next one.
    """
    look = setter.look
    body = TypeStyle(look.body.size * _LARGER, _LEADING, align="justify", vertical=True)
    count = min(int(rooms[0].height / body.em + 1e-6), _LONGEST_EMS)
    length = count * body.em
    columns: list[_Column] = []
    if upright.title:
        bold = replace(body, bold=True, title=True, size=body.size * 1.3, paint=look.accent, align="start")
        columns += _columns(setter, upright.title, bold, length, _way(part), upright.origin.place)
    for number, paragraph in enumerate(upright.paragraphs, start=1):
        columns += _columns(setter, paragraph, body, length, _way(part, number), upright.origin.part(number - 1))
    pages: list[list[Thing]] = [[]]
    room = rooms[0]
    right = room.right
    for column in columns:
        gap = body.pitch / 2 if column.above and pages[-1] else 0.0
        if pages[-1] and right - gap - body.pitch < room.x - 1e-6:
            pages.append([])
            room = rooms[(len(pages) - 1) % len(rooms)]
            right, gap = room.right, 0.0
        right -= gap + body.pitch
        top = room.y + (room.height - length) / 2
        box = Rect(right, top, body.pitch, length)
        items = (Group(column.line.items, (1.0, 0.0, 0.0, 1.0, round(body.pitch / 2, 3), 0.0)),)
        role: Role = "heading" if column.style.title else "paragraph"
        drawn = items if column.line.items else ()
        pages[-1].append(Thing(role, box, drawn, part=part, terms=column.line.terms, tags=column.tags))
    return pages


def _columns(
    setter: Setter, text: Text, style: TypeStyle, length: float, tags: Tags, place: Place | None
) -> list[_Column]:
    return [_Column(line, style, not at, tags) for at, line in enumerate(setter.lines(text, style, length, place))]


def _way(part: int, paragraph: int = 0) -> Tags:
    """Where the title, or a paragraph from 1, is in the book's structure."""
    return (Tag("Sect", part), Tag("P", paragraph + 1) if paragraph else Tag("H1", 1))


def lying_pages(setter: Setter, upright: Upright, rooms: Sequence[Rect], part: int) -> list[list[Thing]]:
    """The same text in lines, for a language without columns: a narrower block in the upper part of its page."""
    look = setter.look
    body = replace(look.lead, paint="ink", leading=look.lead.leading * 1.12, align="start")
    width = rooms[0].width * _LYING_SHARE
    gap = body.pitch / 2
    rows: list[tuple[TypeLine, TypeStyle, float, Tags]] = []
    if upright.title:
        style = replace(look.heading(2), paint=look.accent)
        lines = setter.lines(upright.title, style, width, upright.origin.place)
        rows += [(line, style, 0.0, _way(part)) for line in lines]
    for number, paragraph in enumerate(upright.paragraphs, start=1):
        lines = setter.lines(paragraph, body, width, upright.origin.part(number - 1))
        tags = _way(part, number)
        rows += [(line, body, 0.0 if at or not rows else gap, tags) for at, line in enumerate(lines)]
    pages: list[list[Thing]] = [[]]
    room, total = rooms[0], sum(style.pitch + above for _, style, above, _ in rows)
    y = max(0.0, (room.height - total) / 3)
    for line, style, above, tags in rows:
        y += above
        if pages[-1] and y + style.pitch > room.height:
            pages.append([])
            room, y = rooms[(len(pages) - 1) % len(rooms)], 0.0
        box = Rect(room.x + (room.width - width) / 2, room.y + y, width, style.pitch)
        role: Role = "heading" if style.title else "paragraph"
        pages[-1].append(line_thing(line, role, 0.0, baseline(look, style, style.pitch), box, part, tags))
        y += style.pitch
    return pages
