"""A rulebook's first page: its title, its picture, the facts of the game."""

from dataclasses import replace
from itertools import takewhile

from generator.errors import Place
from generator.model.drawing import Placed, Symbol
from generator.model.structure import Kind, Tag, Tags
from generator.pages.blocks import Cover, Figure
from generator.pages.lines import baseline, line_thing
from generator.pages.setter import Setter, TypeLine
from generator.pages.strips import Role, Thing, rule
from generator.pages.style import HAIR, Look, TypeStyle
from generator.units import Rect

COVER = 1
"""Its place among the parts of the book's structure."""

_LARGEST, _LEAST, _STEP = 38.0, 16.0, 2.0
_MOST_LINES = 2
_THICK = 1.6
_GAP = 6.0
_ENLARGED = 1.8
"""How much larger than its figure a cover's picture may be: it is drawn in vectors."""


def cover_things(setter: Setter, cover: Cover, room: Rect) -> list[Thing]:
    """The cover in a room (mm): title and line above, facts at the foot, the picture between them."""
    look = setter.look
    things = [rule(room.x, room.y, room.width, look.accent, _THICK)]
    place = cover.origin.part
    title, style = _title(setter, cover.title, room.width, place(0))
    y = room.y + _THICK + _GAP
    things += _lines(look, title, style, (room.x, y), room.width, "heading", _way("H1", 1))
    y += style.pitch * len(title) + _GAP / 2
    below = replace(look.lead, paint="ink", align="start")
    subtitle = setter.lines(cover.subtitle, below, room.width, place(1)) if cover.subtitle else []
    things += _lines(look, subtitle, below, (room.x, y), room.width, "paragraph", _way("P", 2))
    y += below.pitch * len(subtitle) + _GAP

    facts = replace(look.body, bold=True, align="start", paint=look.accent)
    lines = setter.lines(" · ".join(cover.facts), facts, room.width, place(2)) if cover.facts else []
    foot = room.bottom - facts.pitch * len(lines)
    least = y if cover.picture is None else y + 2.5 + _GAP
    if least > foot:
        longest = place(1) if len(subtitle) > len(title) else place(0)
        setter.too_tall("what the cover says", room.height + least - foot, longest)
    things += _lines(look, lines, facts, (room.x, foot), room.width, "paragraph", _way("P", 4))
    if lines:
        things.append(rule(room.x, foot - 2.5, room.width, look.accent, HAIR * 2))
    if cover.picture is not None:
        things.append(_picture(cover.picture, Rect(room.x, y, room.width, foot - 2.5 - _GAP - y)))
    return things


def _title(setter: Setter, words: str, width: float, place: Place | None) -> tuple[list[TypeLine], TypeStyle]:
    """The title at the largest size at which it takes at most two lines."""
    sizes = (_LARGEST - step * _STEP for step in range(int((_LARGEST - _LEAST) / _STEP) + 1))
    largest = setter.look.format.larger
    style = TypeStyle(_LEAST * largest, 1.25, True, title=True, phrases=True, paint=setter.look.accent)
    for size in takewhile(lambda size: size > _LEAST, sizes):
        tried = replace(style, size=size * largest)
        made = setter.make(words, tried, place)
        if made.narrowest <= width and len(made.lines(width)) <= _MOST_LINES:
            style = tried
            break
    return setter.lines(words, style, width, place), style


def _lines(
    look: Look,
    lines: list[TypeLine],
    style: TypeStyle,
    at: tuple[float, float],
    width: float,
    role: Role,
    tags: Tags,
) -> list[Thing]:
    x, y = at
    drop = baseline(look, style, style.pitch)
    return [
        line_thing(line, role, 0.0, drop, Rect(x, y + number * style.pitch, width, style.pitch), 0, tags)
        for number, line in enumerate(lines)
    ]


def _picture(figure: Figure, room: Rect) -> Thing:
    """The picture in the middle of its room, as large as that allows."""
    drawing = figure.drawing
    scale = max(0.01, min(room.width / drawing.width, room.height / drawing.height, _ENLARGED))
    box = Rect(0, 0, drawing.width * scale, drawing.height * scale)
    box = box.moved(room.x + (room.width - box.width) / 2, room.y + (room.height - box.height) / 2)
    symbol = Symbol("figure:cover", drawing.items, (0.0, 0.0, drawing.width, drawing.height))
    placed = Placed(symbol, (scale, 0.0, 0.0, scale, 0.0, 0.0), clip=True, role="art")
    tags = _way("Figure", 3, figure.alt) if figure.alt else ()
    return Thing("figure", box, (placed,), alt=figure.alt, tags=tags)


def _way(kind: Kind, number: int, alt: str = "") -> Tags:
    return (Tag("Sect", COVER), Tag(kind, number, alt=alt))
