"""A book's title above the columns of its only page: what it is, for whom, with the cover's picture at its right."""

from dataclasses import replace

from generator.errors import Place
from generator.model.drawing import Placed, Symbol
from generator.model.structure import Kind, Tag, Tags
from generator.pages.blocks import Cover, Figure
from generator.pages.cover import COVER
from generator.pages.lines import stacked
from generator.pages.setter import Setter
from generator.pages.strips import Role, Thing, rule
from generator.pages.style import TypeStyle
from generator.units import Rect

_SIZES = (30.0, 26.0, 22.0, 19.0, 16.0)
"""Points of the title; the first at which it takes one line, else the last."""

_ON_SHEETS = 14.0
"""Points of the line below the title of a sheet, which is seen from across the table."""

_THICK, _GAP = 1.6, 3.0
_WIDEST = 0.4
"""Of the page's width: how wide the picture may be."""


def masthead_things(setter: Setter, cover: Cover, room: Rect) -> list[Thing]:
    """The title in a room as wide as the page's columns, mm."""
    look, place = setter.look, cover.origin.part
    picture = _picture(cover.picture, room) if cover.picture is not None else None
    width = room.width if picture is None else picture.box.x - _GAP - room.x
    things = [rule(room.x, room.y, room.width, look.accent, _THICK)]
    y = room.y + _THICK + _GAP
    styles = [TypeStyle(size, 1.2, True, title=True, phrases=True, paint=look.accent) for size in _SIZES]
    style = next((one for one in styles if setter.make(cover.title, one, place(0)).natural <= width), styles[-1])
    sheet = look.format.opening == "sheet"
    below = replace(
        look.lead, bold=True, paint=look.accent if sheet else "ink", align="start", size=_ON_SHEETS if sheet else 12.0
    )
    facts = replace(look.note, align="start")
    said: tuple[tuple[str, TypeStyle, Role, Tags, Place | None], ...] = (
        (cover.title, style, "heading", _way("H1", 1), place(0)),
        (cover.subtitle, below, "paragraph", _way("P", 2), place(1)),
        (" · ".join(cover.facts), facts, "paragraph", _way("P", 4), place(2)),
    )
    for words, manner, role, tags, origin in said:
        lines = setter.lines(words, manner, width, origin) if words else []
        things += stacked(setter.look, lines, manner, (room.x, y), width, role, tags)
        y += manner.pitch * len(lines) + (_GAP / 4 if lines else 0.0)
    if y > room.bottom:
        setter.too_tall("the title", y - room.y, place(0))
    return [*things, picture] if picture is not None else things


def _picture(figure: Figure, room: Rect) -> Thing:
    """The picture at the right, as large as the room below the rule allows."""
    drawing, top = figure.drawing, room.y + _THICK + _GAP / 2
    scale = min((room.bottom - top) / drawing.height, room.width * _WIDEST / drawing.width)
    wide, high = drawing.width * scale, drawing.height * scale
    box = Rect(room.right - wide, top + (room.bottom - top - high) / 2, wide, high)
    symbol = Symbol("figure:cover", drawing.items, (0.0, 0.0, drawing.width, drawing.height))
    placed = Placed(symbol, (scale, 0.0, 0.0, scale, 0.0, 0.0), clip=True, role="art")
    return Thing("figure", box, (placed,), alt=figure.alt, tags=_way("Figure", 3, figure.alt) if figure.alt else ())


def _way(kind: Kind, number: int, alt: str = "") -> Tags:
    return (Tag("Sect", COVER), Tag(kind, number, alt=alt))
