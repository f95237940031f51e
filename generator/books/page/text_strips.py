"""Headings, paragraphs, single lines and pages of vertical text as strips of a column."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from generator.base.display_list import Drawing, Group, Item, Kind, PlacedSymbol, Symbol, Tag, Tags
from generator.base.errors import Place
from generator.base.geometry import Rect
from generator.books.page.blocks import Heading, Paragraph, Text, VerticalText
from generator.books.page.page_style import THICK, Look, TypeStyle
from generator.books.page.strips import Lane, Role, Strip, Thing, make_rule, prevent_orphans, snap_to_grid
from generator.books.page.text_setter import TextSetter, TypeLine, plain_from_text

_ABOVE = {1: 4.0, 2: 2.4, 3: 1.4}
"""Space above a heading by level (half lines)."""

_STRETCH, _SHRINK = {1: 6, 2: 5, 3: 3}, {1: 1, 2: 1, 3: 0}
"""Half lines by which the space above a heading may grow and shrink to fill a page, by level."""

_BELOW = {1: 0.9, 2: 0.45, 3: 0.2}
_RULE_GAP = 1.4
_FREE = 0.78
"""Share of the width that a chapter's title may take beside a drawing at the right, above its line."""

PARAGRAPH_GAP = 1.0
"""Space between paragraphs (half lines)."""

HEADINGS: Mapping[int, Kind] = {1: "H1", 2: "H2", 3: "H3"}
"""Structure tags of headings by level."""


def find_baseline(look: Look, style: TypeStyle, height: float) -> float:
    """Return the distance from a line's top down to its baseline that centres small letters in `height` mm."""
    return height / 2 + style.em * (0.38 if look.cjk else 0.27)


def thing_from_line(
    line: TypeLine, role: Role, x: float, drop: float, box: Rect, part: int, tags: Sequence[Tag] = ()
) -> Thing:
    """Return a line as a thing in `box`, from `x` mm, its baseline `drop` mm below the box's top, in block `part`."""
    areas = tuple(area._replace(box=area.box.move(x, drop)) for area in line.areas)
    return Thing(role, box, move_items(line, x, drop), areas, part, terms=line.terms, tags=tuple(tags))


def move_items(line: TypeLine, x: float, y: float) -> tuple[Item, ...]:
    """Return the items of a line, moved by (x, y) mm."""
    if not line.items:
        return ()
    return (Group(line.items, (1.0, 0.0, 0.0, 1.0, round(x, 3), round(y, 3))),)


def strips_from_lines(
    lines: Sequence[TypeLine], look: Look, style: TypeStyle, lane: Lane, role: Role = "paragraph", tags: Tags = ()
) -> list[Strip]:
    """Return each line as a strip as high as the line distance; tagged as a paragraph unless `tags` are given."""
    drop = find_baseline(look, style, style.pitch)
    box = Rect(lane.x, 0, lane.width, style.pitch)
    strips = []
    for at, line in enumerate(lines):
        things = (thing_from_line(line, role, 0.0, drop, box, lane.part, tags or (Tag("P", lane.part),)),)
        ending = line.text if 0 < at == len(lines) - 1 else ""
        strips.append(Strip(style.pitch, things, flows=True, terms=line.terms, ending=ending))
    return strips


def set_text_strips(setter: TextSetter, text: Text, style: TypeStyle, lane: Lane, place: Place | None) -> list[Strip]:
    """Return a text as strips, one for each line, so that a page may end between them; problems are at `place`."""
    lines = setter.set_lines(text, style, lane.width, place)
    return prevent_orphans(strips_from_lines(lines, setter.look, style, lane))


def add_room_above(strips: list[Strip], above: float) -> list[Strip]:
    """Return the strips with this space above the first, which begins on the grid."""
    if not strips:
        return []
    return [strips[0]._replace(above=above, snap=True), *strips[1:]]


def find_paragraph_style(look: Look, paragraph: Paragraph) -> TypeStyle:
    """Return the style of a paragraph's role."""
    note = replace(look.note, align=look.body.align)  # small, but aligned like running text
    return {"body": look.body, "lead": look.lead, "note": note}[paragraph.role]


def set_heading(setter: TextSetter, heading: Heading, lane: Lane, depth: int = 0) -> Strip:
    """Return a title as one strip of whole half lines, for a chapter with a rule. `depth` is its level in the PDF."""
    look = setter.look
    style, unit = look.find_heading_style(heading.level), look.unit
    lines = setter.set_lines(heading.text, style, lane.width, heading.origin.place)
    tall = style.pitch * len(lines)
    ruled = heading.level == 1
    below = _BELOW[heading.level] * unit + (_RULE_GAP + THICK if ruled else 0.0)
    height = snap_to_grid(tall + below, unit)
    top = height - below - tall
    things = []
    tag = Tag(HEADINGS[depth or heading.level], lane.part)
    for at, line in enumerate(lines):
        box = Rect(lane.x, top + at * style.pitch, lane.width, style.pitch)
        drop = find_baseline(look, style, style.pitch)
        things.append(thing_from_line(line, "heading", 0.0, drop, box, lane.part, (tag,)))
    foot = top + tall + _RULE_GAP / 2
    if ruled and look.rule is not None and max((line.width for line in lines), default=0.0) <= _FREE * lane.width:
        scale = lane.width / look.rule.width
        things.append(place_drawing(look.rule, lane.x, foot + THICK - look.rule.height * scale, scale, "chapter:rule"))
    elif ruled:
        things.append(make_rule(lane.x, foot, lane.width, look.accent, THICK))
    level, terms = heading.level, tuple(dict.fromkeys(term for line in lines for term in line.terms))
    strip = Strip(height, tuple(things), _ABOVE[level] * unit, snap=True, keep=True, heading=heading, terms=terms)
    anchors = (heading.anchor,)
    return strip._replace(stretch=_STRETCH[level], shrink=_SHRINK[level], opens=ruled, anchors=anchors)


def place_drawing(drawing: Drawing, x: float, y: float, scale: float, name: str, role: Role = "artifact") -> Thing:
    """Return a drawing, `scale` times as large, with its corner at (x, y) (mm). Figures are clipped to their box."""
    symbol = Symbol(name, drawing.items, (0.0, 0.0, drawing.width, drawing.height))
    placed = PlacedSymbol(symbol, (scale, 0.0, 0.0, scale, 0.0, 0.0), clip=role == "figure", role="art")
    return Thing(role, Rect(x, y, drawing.width * scale, drawing.height * scale), (placed,))


def plain_heading(heading: Heading) -> str:
    """Return a title as shown in running heads and the outline."""
    return " ".join(plain_from_text(heading.text).split())


def stack_lines(
    look: Look, lines: Sequence[TypeLine], style: TypeStyle, room: Rect, role: Role, tags: Tags
) -> list[Thing]:
    """Return lines one below the other from the corner of `room` (mm), at the line distance of their style."""
    drop = find_baseline(look, style, style.pitch)
    things = []
    for at, line in enumerate(lines):
        box = Rect(room.x, room.y + at * style.pitch, room.width, style.pitch)
        things.append(thing_from_line(line, role, 0.0, drop, box, 0, tags))
    return things


_LARGER, _LEADING = 1.12, 1.85
_LONGEST_EMS = 40
"""Maximum length of a legible vertical column (em)."""

_LYING_SHARE = 0.78


class _TextColumn(NamedTuple):
    line: TypeLine
    style: TypeStyle
    above: bool
    tags: Tags


def set_vertical_pages(
    setter: TextSetter, upright: VerticalText, rooms: Sequence[Rect], part: int
) -> list[list[Thing]]:
    """Return things page by page, in columns of whole characters; `rooms` are those of a left and a right page."""
    look = setter.look
    body = TypeStyle(look.body.size * _LARGER, _LEADING, align="justify", vertical=True)
    count = min(int(rooms[0].height / body.em + 1e-6), _LONGEST_EMS)
    length = count * body.em
    columns: list[_TextColumn] = []
    if upright.title:
        bold = replace(body, bold=True, title=True, size=body.size * 1.3, paint=look.accent, align="start")
        columns += _set_columns(setter, upright.title, bold, length, _make_tags(part), upright.origin.place)
    for number, paragraph in enumerate(upright.paragraphs, start=1):
        tags, place = _make_tags(part, number), upright.origin.get_part_place(number - 1)
        columns += _set_columns(setter, paragraph, body, length, tags, place)
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


def _set_columns(
    setter: TextSetter, text: Text, style: TypeStyle, length: float, tags: Tags, place: Place | None
) -> list[_TextColumn]:
    lines = setter.set_lines(text, style, length, place)
    return [_TextColumn(line, style, not at, tags) for at, line in enumerate(lines)]


def _make_tags(part: int, paragraph: int = 0) -> Tags:
    return (Tag("Sect", part), Tag("P", paragraph + 1) if paragraph else Tag("H1", 1))


def set_horizontal_pages(
    setter: TextSetter, upright: VerticalText, rooms: Sequence[Rect], part: int
) -> list[list[Thing]]:
    """Return a vertical text for other languages, page by page: horizontal lines, a narrow block in the upper part."""
    look = setter.look
    body = replace(look.lead, leading=look.lead.leading * 1.12, align="start")
    width = rooms[0].width * _LYING_SHARE
    gap = body.pitch / 2
    rows: list[tuple[TypeLine, TypeStyle, float, Tags]] = []
    if upright.title:
        style = replace(look.find_heading_style(2), paint=look.accent)
        lines = setter.set_lines(upright.title, style, width, upright.origin.place)
        rows += [(line, style, 0.0, _make_tags(part)) for line in lines]
    for number, paragraph in enumerate(upright.paragraphs, start=1):
        lines = setter.set_lines(paragraph, body, width, upright.origin.get_part_place(number - 1))
        tags = _make_tags(part, number)
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
        pages[-1].append(thing_from_line(line, role, 0.0, find_baseline(look, style, style.pitch), box, part, tags))
        y += style.pitch
    return pages
