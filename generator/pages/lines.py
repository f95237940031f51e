"""Headings, paragraphs and single lines of a book as strips of a column."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from generator.errors import Place
from generator.model.drawing import Group, Item
from generator.model.structure import Kind, Tag, Tags
from generator.pages.blocks import Heading, Paragraph, Text
from generator.pages.setter import Setter, TypeLine, plain
from generator.pages.strips import Lane, Role, Strip, Thing, on_grid, rule, without_orphans
from generator.pages.style import THICK, Look, TypeStyle
from generator.units import Rect

_ABOVE = {1: 4.0, 2: 2.4, 3: 1.4}
"""By a heading's level, the room above it in half lines."""

_STRETCH, _SHRINK = {1: 4, 2: 3, 3: 2}, {1: 1, 2: 1, 3: 0}
"""By its level, so many half lines the room above a heading may grow and give way where that fills a page."""

_BELOW = {1: 0.9, 2: 0.45, 3: 0.2}
_RULE_GAP = 1.4
PARAGRAPH_GAP = 1.0
"""Half lines between paragraphs."""

HEADINGS: Mapping[int, Kind] = {1: "H1", 2: "H2", 3: "H3"}
"""By its level, what a heading is in the book's structure."""


def baseline(look: Look, style: TypeStyle, height: float) -> float:
    """Where the baseline of a line `height` mm high is, from its top, so that the type looks centred in it."""
    return height / 2 + style.em * (0.38 if look.cjk else 0.27)


def line_thing(
    line: TypeLine, role: Role, x: float, drop: float, box: Rect, part: int, tags: Sequence[Tag] = ()
) -> Thing:
    """A line in a box, from `x` on and its baseline `drop` mm from the box's top."""
    areas = tuple(replace(area, box=area.box.moved(x, drop)) for area in line.areas)
    return Thing(role, box, move_items(line, x, drop), areas, part, terms=line.terms, tags=tuple(tags))


def move_items(line: TypeLine, x: float, y: float) -> tuple[Item, ...]:
    """What a line draws, moved by (x, y) mm."""
    if not line.items:
        return ()
    return (Group(line.items, (1.0, 0.0, 0.0, 1.0, round(x, 3), round(y, 3))),)


def lines_as_strips(
    lines: Sequence[TypeLine], look: Look, style: TypeStyle, lane: Lane, role: Role = "paragraph", tags: Tags = ()
) -> list[Strip]:
    """Lines of running text, each a strip of its pitch; a paragraph unless `tags` say something else."""
    drop = baseline(look, style, style.pitch)
    box = Rect(lane.x, 0, lane.width, style.pitch)
    way = tags or (Tag("P", lane.part),)
    last = len(lines) - 1
    return [
        Strip(
            style.pitch,
            (line_thing(line, role, 0.0, drop, box, lane.part, way),),
            flows=True,
            terms=line.terms,
            ending=line.text if at == last and at else "",
        )
        for at, line in enumerate(lines)
    ]


def text_strips(setter: Setter, text: Text, style: TypeStyle, lane: Lane, place: Place | None) -> list[Strip]:
    """A text that is written at a place, as strips that a page break may part."""
    lines = setter.lines(text, style, lane.width, place)
    return without_orphans(lines_as_strips(lines, setter.look, style, lane))


def add_room_above(strips: list[Strip], above: float) -> list[Strip]:
    """The strips with so much room above the first, which begins on the grid."""
    if not strips:
        return []
    return [replace(strips[0], above=above, snap=True), *strips[1:]]


def paragraph_style(look: Look, paragraph: Paragraph) -> TypeStyle:
    """The style of a paragraph's role."""
    note = replace(look.note, align=look.body.align)  # running text, if small
    return {"body": look.body, "lead": look.lead, "note": note}[paragraph.role]


def heading_strip(setter: Setter, heading: Heading, lane: Lane, depth: int = 0) -> Strip:
    """A title in one strip of whole half lines, its last line close to the text below; a chapter's has a rule.

    `depth` is its level in the book's structure, which skips none.
    """
    look = setter.look
    style, unit = look.heading(heading.level), look.unit
    lines = setter.lines(heading.text, style, lane.width, heading.origin.place)
    tall = style.pitch * len(lines)
    ruled = heading.level == 1
    below = _BELOW[heading.level] * unit + (_RULE_GAP + THICK if ruled else 0.0)
    height = on_grid(tall + below, unit)
    top = height - below - tall
    things = []
    tag = Tag(HEADINGS[depth or heading.level], lane.part)
    for at, line in enumerate(lines):
        box = Rect(lane.x, top + at * style.pitch, lane.width, style.pitch)
        things.append(line_thing(line, "heading", 0.0, baseline(look, style, style.pitch), box, lane.part, (tag,)))
    if ruled:
        things.append(rule(lane.x, top + tall + _RULE_GAP / 2, lane.width, look.accent, THICK))
    return Strip(
        height,
        tuple(things),
        above=_ABOVE[heading.level] * unit,
        snap=True,
        keep=True,
        stretch=_STRETCH[heading.level],
        shrink=_SHRINK[heading.level],
        opens=heading.level == 1,
        heading=heading,
        anchors=(heading.anchor,),
        terms=tuple(dict.fromkeys(term for line in lines for term in line.terms)),
    )


def heading_words(heading: Heading) -> str:
    """A title as running heads and the outline show it."""
    return " ".join(plain(heading.text).split())


def stacked(
    look: Look,
    lines: list[TypeLine],
    style: TypeStyle,
    at: tuple[float, float],
    width: float,
    role: Role,
    tags: Tags,
) -> list[Thing]:
    """Lines one below the other from a place (mm), at the pitch of their style."""
    x, y = at
    drop = baseline(look, style, style.pitch)
    return [
        line_thing(line, role, 0.0, drop, Rect(x, y + number * style.pitch, width, style.pitch), 0, tags)
        for number, line in enumerate(lines)
    ]
