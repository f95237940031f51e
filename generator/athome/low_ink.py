"""Faces that cost little ink: grounds and art become thin tints with outlines, text black, icons keep their shapes."""

from collections.abc import Callable, Iterator
from dataclasses import field, replace
from math import hypot, sqrt
from typing import Literal

from generator.dataclass import dataclass
from generator.faces.workshop import Workshop
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
from generator.model.outline import rectangle
from generator.units import Rect

Tone = Literal["ground", "art", "icon", "pale icon", "line"]

_SHARE: dict[Tone, float] = {"ground": 0.07, "art": 0.14}
"""How much of a colour's ink is left on what is filled."""

LINE = 0.6
"""And on outlines: they alone show the shapes."""

ICON_LEAST = 0.2
"""The luminance that no icon goes below, so that black text on it has a contrast of 5 to 1."""

PALE = 0.3
"""An icon all of whose paints are lighter was made for a dark ground: on a tint it has to be dark itself."""

PALE_MOST = 0.14
"""The luminance that such an icon then has at most."""

DARK = "#6a6a6a"
"""Around what is light on a badge."""

OUTLINE = 0.1
"""Around filled art, mm on paper, however large or small the art is placed."""

THICKEST = 0.3
"""Of strokes that draw art, mm on paper."""

BITMAP = "#eeeeee"
"""Stands for a picture, whose pixels nobody knows how to thin out and keep."""


@dataclass(slots=True)
class LowInk:
    """Turns faces into such of little ink; `hex` resolves a paint to `#rrggbb`. The same face gives the same again.

    Black text is read on all that is left below it: no tint and no icon is darker than `ICON_LEAST`. Cut lines, folds
    and glue areas stay.
    """

    hex: Callable[[Paint], str]
    _drawings: dict[int, tuple[Drawing, Drawing]] = field(default_factory=dict)
    _symbols: dict[tuple[int, Role, str], tuple[Symbol, Symbol]] = field(default_factory=dict)

    def drawing(self, drawing: Drawing) -> Drawing:
        """The face with less ink; its size, stamps and text frames stay."""
        known = self._drawings.get(id(drawing))
        if known is None:
            stamps = tuple(replace(stamp, paint="ink") for stamp in drawing.stamps)
            thin = replace(drawing, items=self.items(drawing.items), stamps=stamps)
            # The face is kept with it: an id is only good as long as its object lives.
            known = self._drawings[id(drawing)] = (drawing, thin)
        return known[1]

    def items(self, items: tuple[Item, ...], role: Role | None = None, at: Matrix = IDENTITY) -> tuple[Item, ...]:
        """Things with less ink, whose units `at` takes to mm; in a symbol they are what its place says (`role`)."""
        return tuple(thin for item in items for thin in self._item(item, role, at))

    def _item(self, item: Item, role: Role | None, at: Matrix) -> Iterator[Item]:
        if isinstance(item, Group):
            yield replace(item, items=self.items(item.items, role, times(at, item.matrix)))
        elif isinstance(item, Placed):
            yield replace(item, symbol=self._symbol(item.symbol, item.role, times(at, item.matrix)))
        elif isinstance(item, TextRun):
            yield item._replace(paint="ink")
        elif isinstance(item, Picture):
            box = rectangle(Rect(item.x, item.y, item.width, item.height))
            width = OUTLINE / _thinnest(at)
            yield Shape(path=box, fill=BITMAP, stroke=_share("#000000", LINE), width=width, role=item.role)
        else:
            yield self._shape(item, role or item.role, _thinnest(at), badge=True)

    def _symbol(self, symbol: Symbol, role: Role, at: Matrix) -> Symbol:
        # Icons get no outlines: one thin picture serves all sizes.
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
            width = min(shape.width, THICKEST / unit) if stroke else 0.0
            if stroke is None and isinstance(shape.fill, str):
                light = role == "icon" and luminance(self.hex(shape.fill)) > PALE
                stroke, width = DARK if light else self._paint(shape.fill, "line"), OUTLINE / unit
            return replace(shape, fill=fill, stroke=stroke, width=width)
        if role in ("icon", "text"):
            tone: Tone = "pale icon" if pale else "icon"
            return replace(shape, fill=self._fill(shape.fill, tone), stroke=self._paint(shape.stroke, tone))
        return shape

    def _fill(self, fill: Paint | Gradient | None, tone: Tone) -> Paint | Gradient | None:
        if isinstance(fill, Gradient):
            return replace(fill, stops=tuple((offset, self._thin(paint, tone)) for offset, paint in fill.stops))
        return self._paint(fill, tone)

    def _paint(self, paint: Paint | None, tone: Tone) -> Paint | None:
        return None if paint is None else self._thin(paint, tone)

    def _thin(self, paint: Paint, tone: Tone) -> Paint:
        colour = self.hex(paint)
        if tone == "icon":
            return _no_darker(colour, ICON_LEAST)
        if tone == "pale icon":
            return _no_lighter(colour, PALE_MOST)
        if tone == "line":
            return _share(colour, LINE)
        return _share(colour, _SHARE[tone])

    def _paints(self, items: tuple[Item, ...]) -> Iterator[str]:
        """All colours of an icon."""
        for item, _ in walk(items):
            if isinstance(item, Shape):
                stops = [paint for _, paint in item.fill.stops] if isinstance(item.fill, Gradient) else [item.fill]
                yield from (self.hex(paint) for paint in (*stops, item.stroke) if paint is not None)


def thinner(workshop: Workshop) -> Callable[[Drawing], Drawing]:
    """What makes a game's faces cost little ink."""
    return LowInk(workshop.hex).drawing


def _thinnest(at: Matrix) -> float:
    """How many mm a unit is in the direction in which it is shortest, so that no outline is thinner than it should."""
    a, b, c, d, _, _ = at
    half, det = (a * a + b * b + c * c + d * d) / 2, a * d - b * c
    least = sqrt(max(half - hypot((a * a + b * b - c * c - d * d) / 2, a * c + b * d), 0.0))
    return least if det and least > 0.001 else 1.0


def _share(colour: str, share: float) -> str:
    """The colour with that share of its ink: white for none, itself for all."""
    return mix(WHITE, colour, share)


def _no_darker(colour: str, least: float) -> str:
    """Mixed with white as far as the luminance `least` demands."""
    return _until(colour, WHITE, lambda shade: luminance(shade) >= least)


def _no_lighter(colour: str, most: float) -> str:
    """Mixed with black as far as the luminance `most` demands."""
    return _until(colour, BLACK, lambda shade: luminance(shade) <= most)


def _until(colour: str, end: str, enough: Callable[[str], bool]) -> str:
    """The first colour on the way to another that is enough."""
    least, most = 0.0, 0.0 if enough(colour) else 1.0
    for _ in range(12):
        middle = (least + most) / 2
        least, most = (least, middle) if enough(mix(colour, end, middle)) else (middle, most)
    return mix(colour, end, most)
