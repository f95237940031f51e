"""Faces repainted by what each thing on them is: grounds and art as tints with outlines, text black, icons in shape."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from math import hypot, sqrt
from typing import Literal

from generator.dataclass import dataclass
from generator.model.colour import BLACK, WHITE, luminance, mix
from generator.model.drawing import (
    Drawing,
    Gradient,
    Group,
    Item,
    Paint,
    Picture,
    Placed,
    Role,
    Shape,
    Symbol,
    TextRun,
    parts_of,
    walk,
    with_parts,
)
from generator.model.geometry import IDENTITY, Matrix, times

Tone = Literal["ground", "art", "icon", "pale icon", "letters", "around letters", "line"]
"""What a paint is for: a pale icon is one made for a dark ground; `line` is an outline or a stroke of art."""

PALE = 0.3
"""An icon all of whose paints are lighter was made for a dark ground: on a tint it has to be dark itself."""

DARK = "#6a6a6a"
"""Around what is light on a badge."""


@dataclass(frozen=True, slots=True)
class PaintManner:
    """How faces are repainted.

    `tones` give the new colour of each; `text` is the paint of type. `outline` is the width of the lines around filled
    art, `thickest` the most that strokes of art keep, both in mm on paper, however large or small the art is placed.
    `picture` makes something of a bitmap, whose unit is so many mm.
    """

    tones: Mapping[Tone, Callable[[str], str]]
    text: Paint
    outline: float
    thickest: float
    picture: Callable[[Picture, float], Item]


@dataclass(slots=True)
class Repainter:
    """Repaints faces in a manner; `hex` resolves a paint to `#rrggbb`. The same face gives the same again.

    Cut lines, folds and glue areas stay.
    """

    hex: Callable[[Paint], str]
    manner: PaintManner
    _drawings: dict[int, tuple[Drawing, Drawing]] = field(default_factory=dict)
    _symbols: dict[tuple[int, Role, str], tuple[Symbol, Symbol]] = field(default_factory=dict)

    def drawing(self, drawing: Drawing) -> Drawing:
        """The face repainted; its size, stamps and text frames stay."""
        known = self._drawings.get(id(drawing))
        if known is None:
            stamps = tuple(replace(stamp, paint=self.manner.text) for stamp in drawing.stamps)
            new = replace(drawing, items=self.items(drawing.items), stamps=stamps)
            # The face is kept with it: an id is only good as long as its object lives.
            known = self._drawings[id(drawing)] = (drawing, new)
        return known[1]

    def items(self, items: tuple[Item, ...], role: Role | None = None, at: Matrix = IDENTITY) -> tuple[Item, ...]:
        """Things repainted, whose units `at` takes to mm; in a symbol they are what its place says (`role`)."""
        return tuple(new for item in items for new in self._item(item, role, at))

    def _item(self, item: Item, role: Role | None, at: Matrix) -> Iterator[Item]:
        if isinstance(item, Group):
            yield replace(item, items=self.items(item.items, role, times(at, item.matrix)))
        elif isinstance(item, Placed):
            yield replace(item, symbol=self._symbol(item.symbol, item.role, times(at, item.matrix)))
        elif isinstance(item, TextRun):
            yield item._replace(paint=self.manner.text)
        elif isinstance(item, Picture):
            yield self.manner.picture(item, _thinnest(at))
        else:
            yield self._shape(item, role or item.role, _thinnest(at), badge=True)

    def _symbol(self, symbol: Symbol, role: Role, at: Matrix) -> Symbol:
        # Icons get no outlines: one repainted picture serves all sizes.
        size = "" if role == "icon" else f"{_thinnest(at):.3g}"
        known = self._symbols.get((id(symbol), role, size))
        if known is None:
            if role == "icon":
                pale = min((luminance(paint) for paint in self._paints(symbol.items)), default=0.0) > PALE
                items = tuple(self._icon(item, pale) for item in symbol.items)
            else:
                items = self.items(symbol.items, role, at)
            known = self._symbols[id(symbol), role, size] = (symbol, replace(symbol, items=items))
        return known[1]

    def _icon(self, item: Item, pale: bool) -> Item:
        """A part of an icon; all of them are changed alike, so that what was told apart within it still is."""
        if isinstance(item, (Group, Placed)):
            return with_parts(item, tuple(self._icon(part, pale) for part in parts_of(item)))
        if isinstance(item, Shape):
            return self._shape(item, "icon", 1.0, pale=pale)
        return next(self._item(item, "icon", IDENTITY))

    def _shape(self, shape: Shape, role: Role, unit: float, *, pale: bool = False, badge: bool = False) -> Shape:
        """A shape of a role, `unit` mm to its unit; of an icon it is a part of its picture, or a `badge` below one."""
        if role == "ground":
            return replace(shape, fill=self._fill(shape.fill, "ground"), stroke=self._paint(shape.stroke, "ground"))
        if role in ("art", "frame") or (role == "icon" and badge and shape.fill is not None):
            fill, stroke = self._fill(shape.fill, "art"), self._paint(shape.stroke, "line")
            width = min(shape.width, self.manner.thickest / unit) if stroke else 0.0
            if stroke is None and isinstance(shape.fill, str):
                light = role == "icon" and luminance(self.hex(shape.fill)) > PALE
                stroke, width = DARK if light else self._paint(shape.fill, "line"), self.manner.outline / unit
            return replace(shape, fill=fill, stroke=stroke, width=width)
        if role == "text":
            around: Tone = "letters" if shape.fill else "around letters"
            return replace(shape, fill=self._fill(shape.fill, "letters"), stroke=self._paint(shape.stroke, around))
        if role == "icon":
            tone: Tone = "pale icon" if pale else "icon"
            return replace(shape, fill=self._fill(shape.fill, tone), stroke=self._paint(shape.stroke, tone))
        return shape

    def _fill(self, fill: Paint | Gradient | None, tone: Tone) -> Paint | Gradient | None:
        if isinstance(fill, Gradient):
            return replace(fill, stops=tuple((offset, self._repainted(paint, tone)) for offset, paint in fill.stops))
        return self._paint(fill, tone)

    def _paint(self, paint: Paint | None, tone: Tone) -> Paint | None:
        return None if paint is None else self._repainted(paint, tone)

    def _repainted(self, paint: Paint, tone: Tone) -> Paint:
        return self.manner.tones[tone](self.hex(paint))

    def _paints(self, items: tuple[Item, ...]) -> Iterator[str]:
        """All colours of an icon."""
        for item, _ in walk(items):
            if isinstance(item, Shape):
                stops = [paint for _, paint in item.fill.stops] if isinstance(item.fill, Gradient) else [item.fill]
                yield from (self.hex(paint) for paint in (*stops, item.stroke) if paint is not None)


def _thinnest(at: Matrix) -> float:
    """How many mm a unit is in the direction in which it is shortest, so that no outline is thinner than it should."""
    a, b, c, d, _, _ = at
    half, det = (a * a + b * b + c * c + d * d) / 2, a * d - b * c
    least = sqrt(max(half - hypot((a * a + b * b - c * c - d * d) / 2, a * c + b * d), 0.0))
    return least if det and least > 0.001 else 1.0


def share(colour: str, of_ink: float) -> str:
    """The colour with that share of its ink: white for none, itself for all."""
    return mix(WHITE, colour, of_ink)


def no_darker(colour: str, least: float) -> str:
    """Mixed with white as far as the luminance `least` demands."""
    return _until(colour, WHITE, lambda shade: luminance(shade) >= least)


def no_lighter(colour: str, most: float) -> str:
    """Mixed with black as far as the luminance `most` demands."""
    return _until(colour, BLACK, lambda shade: luminance(shade) <= most)


def _until(colour: str, end: str, enough: Callable[[str], bool]) -> str:
    """The first colour on the way to another that is enough."""
    least, most = 0.0, 0.0 if enough(colour) else 1.0
    for _ in range(12):
        middle = (least + most) / 2
        least, most = (least, middle) if enough(mix(colour, end, middle)) else (middle, most)
    return mix(colour, end, most)
