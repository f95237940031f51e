"""Variants of faces: with low ink, in high contrast, and in large print."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from functools import partial
from math import hypot, sqrt
from typing import Any, Literal, TypeVar, cast

from generator.base.colour import (
    BLACK,
    WHITE,
    lightness_from_luminance,
    luminance_from_lightness,
    measure_luminance,
    mix_colours,
)
from generator.base.display_list import (
    Drawing,
    Gradient,
    Group,
    Item,
    Paint,
    Picture,
    PlacedSymbol,
    Role,
    Shape,
    Symbol,
    TextRun,
    format_mm,
    get_inner_items,
    replace_inner_items,
    walk_leaves,
)
from generator.base.geometry import IDENTITY, Matrix, Rect, multiply
from generator.base.outlines import rectangle_path
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Kind
from generator.game.print_pages import Document

Tone = Literal["ground", "art", "icon", "pale icon", "letters", "around letters", "line"]
"""What a paint is used for. A `pale icon` was made for dark backgrounds; `line` is an outline or a stroke of art."""

PALE_LUMINANCE = 0.3
"""An icon whose paints are all lighter than this luminance was made for dark backgrounds, and must be darkened."""

BADGE_GROUND = "#6a6a6a"
"""Background that light parts of a badge (an icon with its own background) get."""


@dataclass(frozen=True, slots=True)
class PaintManner:
    """How to recolour faces. `tones` has a function for each use of a paint (`Tone`); `text` is the paint of type.

    `outline` is the width of the lines around filled art, and `thickest` the maximum width of strokes in art. Both are
    in mm on paper, however large or small the art is. `picture` converts a bitmap, given the mm of one of its units.
    """

    tones: Mapping[Tone, Callable[[str], str]]
    text: Paint
    outline: float
    thickest: float
    picture: Callable[[Picture, float], Item]


@dataclass(slots=True)
class Repainter:
    """Recolours faces, but not cut lines, folds and glue areas. Equal faces give the same object."""

    hex: Callable[[Paint], str]
    manner: PaintManner
    _drawings: dict[int, tuple[Drawing, Drawing]] = field(default_factory=dict)
    _symbols: dict[tuple[int, Role, str], tuple[Symbol, Symbol]] = field(default_factory=dict)

    def repaint_drawing(self, drawing: Drawing) -> Drawing:
        """Return the recoloured face with unchanged size, stamps and text frames."""
        known = self._drawings.get(id(drawing))
        if known is None:
            stamps = tuple(stamp._replace(paint=self.manner.text) for stamp in drawing.stamps)
            new = drawing._replace(items=self.repaint_items(drawing.items), stamps=stamps)
            # Keep the face as well: an id is valid only while its object exists.
            known = self._drawings[id(drawing)] = (drawing, new)
        return known[1]

    def repaint_items(
        self, items: tuple[Item, ...], role: Role | None = None, at: Matrix = IDENTITY
    ) -> tuple[Item, ...]:
        """Return recoloured items; `at` maps their units to mm. Items in a symbol have its `role`."""
        return tuple(new for item in items for new in self._repaint_item(item, role, at))

    def _repaint_item(self, item: Item, role: Role | None, to_mm: Matrix) -> Iterator[Item]:
        if isinstance(item, Group):
            yield item._replace(items=self.repaint_items(item.items, role, multiply(to_mm, item.matrix)))
        elif isinstance(item, PlacedSymbol):
            yield item._replace(symbol=self._repaint_symbol(item.symbol, item.role, multiply(to_mm, item.matrix)))
        elif isinstance(item, TextRun):
            yield item._replace(paint=self.manner.text)
        elif isinstance(item, Picture):
            yield self.manner.picture(item, _measure_shortest_unit(to_mm))
        else:
            yield self._repaint_shape(item, role or item.role, _measure_shortest_unit(to_mm), badge=True)

    def _repaint_symbol(self, symbol: Symbol, role: Role, at: Matrix) -> Symbol:
        # Icons get no outlines: one repainted picture serves all sizes.
        size = "" if role == "icon" else f"{_measure_shortest_unit(at):.3g}"
        known = self._symbols.get((id(symbol), role, size))
        if known is None:
            if role == "icon":
                shades = [measure_luminance(paint) for paint in self._collect_paints(symbol.items)]
                pale = min(shades, default=0.0) > PALE_LUMINANCE
                items = tuple(self._repaint_icon_part(item, pale) for item in symbol.items)
            else:
                items = self.repaint_items(symbol.items, role, at)
            known = self._symbols[id(symbol), role, size] = (symbol, symbol._replace(items=items))
        return known[1]

    def _repaint_icon_part(self, item: Item, pale: bool) -> Item:
        if isinstance(item, (Group, PlacedSymbol)):
            parts = tuple(self._repaint_icon_part(part, pale) for part in get_inner_items(item))
            return replace_inner_items(item, parts)
        if isinstance(item, Shape):
            return self._repaint_shape(item, "icon", 1.0, pale=pale)
        return next(self._repaint_item(item, "icon", IDENTITY))

    def _repaint_shape(
        self, shape: Shape, role: Role, unit: float, *, pale: bool = False, badge: bool = False
    ) -> Shape:
        """Recolour a shape by its role; `unit` is its unit in mm. `pale` icons get a light tone, a `badge` is art."""
        if role == "ground":
            return self._repaint_both(shape, "ground", "ground")
        if role in ("art", "frame") or (role == "icon" and badge and shape.fill is not None):
            fill, stroke = self._repaint_fill(shape.fill, "art"), self._repaint_optional(shape.stroke, "line")
            width = min(shape.width, self.manner.thickest / unit) if stroke else 0.0
            if stroke is None and isinstance(shape.fill, str):
                light = role == "icon" and measure_luminance(self.hex(shape.fill)) > PALE_LUMINANCE
                stroke = BADGE_GROUND if light else self._repaint_optional(shape.fill, "line")
                width = self.manner.outline / unit
            return shape._replace(fill=fill, stroke=stroke, width=width)
        if role == "text":
            return self._repaint_both(shape, "letters", "letters" if shape.fill else "around letters")
        if role == "icon":
            tone: Tone = "pale icon" if pale else "icon"
            return self._repaint_both(shape, tone, tone)
        return shape

    def _repaint_both(self, shape: Shape, fill: Tone, stroke: Tone) -> Shape:
        painted = self._repaint_optional(shape.stroke, stroke)
        return shape._replace(fill=self._repaint_fill(shape.fill, fill), stroke=painted)

    def _repaint_fill(self, fill: Paint | Gradient | None, tone: Tone) -> Paint | Gradient | None:
        if isinstance(fill, Gradient):
            return fill._replace(stops=tuple((offset, self._repaint(paint, tone)) for offset, paint in fill.stops))
        return self._repaint_optional(fill, tone)

    def _repaint_optional(self, paint: Paint | None, tone: Tone) -> Paint | None:
        return None if paint is None else self._repaint(paint, tone)

    def _repaint(self, paint: Paint, tone: Tone) -> Paint:
        return self.manner.tones[tone](self.hex(paint))

    def _collect_paints(self, items: tuple[Item, ...]) -> Iterator[str]:
        for item, _ in walk_leaves(items):
            if isinstance(item, Shape):
                stops = [paint for _, paint in item.fill.stops] if isinstance(item.fill, Gradient) else [item.fill]
                yield from (self.hex(paint) for paint in (*stops, item.stroke) if paint is not None)


def _measure_shortest_unit(at: Matrix) -> float:
    a, b, c, d, _, _ = at
    half, det = (a * a + b * b + c * c + d * d) / 2, a * d - b * c
    least = sqrt(max(half - hypot((a * a + b * b - c * c - d * d) / 2, a * c + b * d), 0.0))
    return least if det and least > 0.001 else 1.0


def mix_with_white(colour: str, of_ink: float) -> str:
    """Return the colour with this share of its ink: 0 gives white, 1 the colour itself."""
    return mix_colours(WHITE, colour, of_ink)


def lighten_to(colour: str, least: float) -> str:
    """Return a colour mixed with white until its luminance (0 to 1) is at least `least`."""
    return _mix_until(colour, WHITE, lambda shade: measure_luminance(shade) >= least)


def darken_to(colour: str, most: float) -> str:
    """Return a colour mixed with black until its luminance (0 to 1) is at most `most`."""
    return _mix_until(colour, BLACK, lambda shade: measure_luminance(shade) <= most)


def _mix_until(colour: str, end: str, is_enough: Callable[[str], bool]) -> str:
    least, most = 0.0, 0.0 if is_enough(colour) else 1.0
    for _ in range(12):
        middle = (least + most) / 2
        least, most = (least, middle) if is_enough(mix_colours(colour, end, middle)) else (middle, most)
    return mix_colours(colour, end, most)


LEAST_CONTRAST = 7.0
"""WCAG 2.2, success criterion 1.4.6 (AAA). It is also used for icons, for which 1.4.11 requires less."""

ICON_MOST = 0.045
"""Maximum luminance of dark icons, which still shows their hues."""

ART_LEAST = LEAST_CONTRAST * (ICON_MOST + 0.05) - 0.05
"""Minimum luminance of art, so that dark icons on it have enough contrast."""

GROUND_LEAST = 0.75
"""Minimum luminance of backgrounds, which are lighter than the art on them."""

LINE_LEAST = LEAST_CONTRAST * 0.05 - 0.05 + 0.005
"""Minimum luminance of outlines, so that black text across them is legible."""

LINE_MOST = 0.33
"""Maximum luminance of outlines, so that the shapes of art stay visible."""

HIGH_CONTRAST_OUTLINE, HIGH_CONTRAST_STROKE = 0.18, 0.4
"""Widths of lines around filled art and of strokes in art, on paper (mm)."""

PICTURE_OPACITY = 0.3
"""Opacity of bitmaps, which makes them as light as art or lighter: black becomes #b3b3b3 on white."""


def _lighten_art(colour: str) -> str:
    """Return a colour of art made so much lighter that black gets ART_LEAST and lighter colours stay lighter."""
    floor = lightness_from_luminance(ART_LEAST)
    least = luminance_from_lightness(floor + (100 - floor) * lightness_from_luminance(measure_luminance(colour)) / 100)
    return lighten_to(colour, min(1.0, max(ART_LEAST + 0.005, least)))


HIGH_CONTRAST = PaintManner(
    tones={
        "ground": partial(lighten_to, least=GROUND_LEAST),
        "art": _lighten_art,
        # in an icon of several colours, light parts become white, all others dark
        "icon": lambda colour: WHITE if measure_luminance(colour) > PALE_LUMINANCE else darken_to(colour, ICON_MOST),
        "pale icon": partial(darken_to, most=ICON_MOST),
        "letters": lambda _colour: BLACK,
        "around letters": lambda _colour: WHITE,
        "line": lambda colour: lighten_to(darken_to(colour, LINE_MOST), LINE_LEAST),
    },
    text=BLACK,
    outline=HIGH_CONTRAST_OUTLINE,
    thickest=HIGH_CONTRAST_STROKE,
    picture=lambda picture, _unit: Group((picture,), opacity=PICTURE_OPACITY),
)
"""High contrast: black text; dark icons in their own hues; backgrounds and art as light tints of their hues."""


def recolour_document(document: Document, hex_of: Callable[[Paint], str]) -> Document:
    """Return a book in high contrast; `hex_of` resolves paints to `#rrggbb`. Its pages must hold no placed faces."""
    painter = Repainter(hex_of, HIGH_CONTRAST)
    pages = tuple(page._replace(items=painter.repaint_items(page.items)) for page in document.pages)
    return replace(document, pages=pages)


def recolour_high_contrast(workshop: Workshop) -> Callable[[Drawing], Drawing]:
    """Return a function that recolours a game's faces in high contrast."""
    return Repainter(workshop.hex_of_paint, HIGH_CONTRAST).repaint_drawing


GROUND, ART = 0.07, 0.14
"""Shares of ink that filled backgrounds and filled art keep in the low-ink variant."""

LINE = 0.6
"""Share of ink that outlines keep in the low-ink variant; only they show the shapes."""

ICON_LEAST = 0.2
"""Minimum luminance of icons, so that black text on them has a contrast of 5 to 1."""

PALE_MOST = 0.14
"""Maximum luminance of icons that were made for dark grounds."""

LOW_INK_OUTLINE = 0.1
"""Width of lines around filled art on paper (mm), however large or small the art is placed."""

LOW_INK_STROKE = 0.3
"""Maximum width of strokes in art on paper (mm)."""

PICTURE_STAND_IN = "#eeeeee"
"""Colour that replaces a picture, since thinning out its pixels would lose it."""


def _outline_picture(picture: Picture, unit: float) -> Item:
    box = rectangle_path(Rect(picture.x, picture.y, picture.width, picture.height))
    line, width = mix_with_white("#000000", LINE), LOW_INK_OUTLINE / unit
    return Shape(box, PICTURE_STAND_IN, line, width, role=picture.role)


_lighten_icon = partial(lighten_to, least=ICON_LEAST)

LOW_INK = PaintManner(
    tones={
        "ground": partial(mix_with_white, of_ink=GROUND),
        "art": partial(mix_with_white, of_ink=ART),
        "icon": _lighten_icon,
        "pale icon": partial(darken_to, most=PALE_MOST),
        "letters": _lighten_icon,
        "around letters": _lighten_icon,
        "line": partial(mix_with_white, of_ink=LINE),
    },
    text="ink",
    outline=LOW_INK_OUTLINE,
    thickest=LOW_INK_STROKE,
    picture=_outline_picture,
)
"""Low ink: fills become tints. Black text stays legible, as nothing below it is darker than `ICON_LEAST`."""


def recolour_low_ink(workshop: Workshop) -> Callable[[Drawing], Drawing]:
    """Return a function that recolours a game's faces with low ink."""
    return Repainter(workshop.hex_of_paint, LOW_INK).repaint_drawing


ENLARGEMENT = 2**0.5
"""Enlargement factor: the ratio of a paper size to the next."""

_MATRIX: Matrix = (ENLARGEMENT, 0.0, 0.0, ENLARGEMENT, 0.0, 0.0)
_Thing = TypeVar("_Thing")
_SIDES, _BOX = ("width", "height"), ("x", "y", "width", "height")


def _enlarge(thing: _Thing, *names: str) -> _Thing:
    """Return a copy with the attributes `names` multiplied by ENLARGEMENT."""
    lengths = {name: getattr(thing, name) * ENLARGEMENT for name in names}
    copy: Any = replace if is_dataclass(thing) else type(thing)._replace  # type: ignore[attr-defined]
    return cast("_Thing", copy(thing, **lengths))


def enlarge_kind(kind: Kind) -> Kind:
    """Return the kind in large print: its size, margins and cut outline."""
    steps = (part if part.isalpha() else format_mm(float(part) * ENLARGEMENT) for part in kind.outline.split())
    large = _enlarge(kind, "bleed", "safe", "corner", "foot")
    return replace(large, size=_enlarge(kind.size, *_SIDES), outline=" ".join(steps))


def make_enlarger() -> Callable[[Drawing], Drawing]:
    """Return a function that enlarges faces; the same face gives the same result."""
    known: dict[int, tuple[Drawing, Drawing]] = {}

    def enlarge(drawing: Drawing) -> Drawing:
        if id(drawing) not in known:
            stamps = tuple(_enlarge(stamp, "x", "y", "size") for stamp in drawing.stamps)
            frames = tuple(_enlarge(frame, *_BOX, "size") for frame in drawing.frames)
            large = _enlarge(drawing, *_SIDES, "bleed")
            large = large._replace(items=(Group(drawing.items, _MATRIX),), stamps=stamps, frames=frames)
            known[id(drawing)] = drawing, large  # both, as an id is valid only while its object exists
        return known[id(drawing)][1]

    return enlarge


def enlarge_document(document: Document) -> Document:
    """Return a book's pages in large print, with links and outline. The pages must hold no placed faces."""
    pages = []
    for page in document.pages:
        links = tuple(_enlarge(link, "y")._replace(box=_enlarge(link.box, *_BOX)) for link in page.links)
        size, items = _enlarge(page.size, *_SIDES), (Group(page.items, _MATRIX),)
        pages.append(page._replace(size=size, items=items, links=links))
    return replace(document, pages=tuple(pages), outline=tuple(_enlarge(mark, "y") for mark in document.outline))
