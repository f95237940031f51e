"""Colour blindness: paints, gradients and bitmaps as people with other colour vision see them."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from PIL import Image, ImageFilter

from generator.base.colour import (
    DEFICIENCIES,
    Light,
    Rgb,
    hex_from_rgb,
    light_from_rgb,
    mix_colours,
    rgb_from_hex,
    srgb_from_linear,
)
from generator.base.display_list import (
    Drawing,
    Gradient,
    Group,
    Item,
    Paint,
    Picture,
    PlacedSymbol,
    Shape,
    Symbol,
    TextRun,
)
from generator.base.files import read_file
from generator.base.picture_files import open_picture_file

Drawn = TypeVar("Drawn", Drawing, Symbol)

_BETWEEN = 8
"""Number of parts into which a gradient between two stops is split, because simulated colours don't change evenly."""

_LATTICE = 33
"""Number of colours along each edge of the lookup cube for bitmaps; values between them are interpolated."""


@dataclass(frozen=True, slots=True)
class ColourVision:
    """A kind of colour vision: its name, and the matrix applied to linear-light red, green and blue."""

    name: str
    matrix: tuple[Light, Light, Light]

    def convert_hex(self, colour: str) -> str:
        """Return a colour `#rrggbb` as this vision sees it. Raise ValueError for any other form."""
        return hex_from_rgb(self.convert_rgb(*rgb_from_hex(colour)))

    def convert_rgb(self, red: float, green: float, blue: float) -> Rgb:
        """Return sRGB red, green and blue (0..1) as this vision sees them."""
        light = light_from_rgb((red, green, blue))
        first, second, third = (
            srgb_from_linear(min(1.0, max(0.0, sum(share * value for share, value in zip(row, light, strict=True)))))
            for row in self.matrix
        )
        return (first, second, third)


_GREY = (0.2126, 0.7152, 0.0722)

COLOUR_VISIONS = (
    *(ColourVision(name, matrix) for name, matrix in DEFICIENCIES.items()),
    ColourVision("grey", (_GREY, _GREY, _GREY)),
)
"""The kinds of colour vision in a proof: the colour blindnesses, and a black-and-white print."""


@dataclass(slots=True)
class VisionSimulator:
    """Redraws things for one kind of colour vision.

    `resolve` returns a paint as `#rrggbb`. Converted bitmaps are written into `folder`. The same drawing or symbol
    always gives the same object, so that a PDF stores each once.
    """

    eye: ColourVision
    resolve: Callable[[Paint], str]
    folder: Path
    _known: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    _pictures: dict[str, tuple[str, str]] = field(default_factory=dict)

    def convert_drawing(self, drawing: Drawn) -> Drawn:
        """Return a face or a symbol as this vision sees it."""
        known = self._known.get(id(drawing))
        if known is None:
            known = self._known[id(drawing)] = drawing, drawing._replace(items=self.convert_items(drawing.items))
        made: Drawn = known[1]
        return made

    def convert_items(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """Return the items as this vision sees them. Only colours change."""
        return tuple([self._convert_item(item) for item in items])

    def _convert_item(self, item: Item) -> Item:
        if isinstance(item, TextRun):
            return item._replace(paint=self._convert_paint(item.paint))
        if isinstance(item, Shape):
            stroke = self._convert_paint(item.stroke) if item.stroke else item.stroke
            fill = item.fill
            if isinstance(fill, Gradient):
                fine = _refine_stops(fill.stops, self.resolve)
                fill = fill._replace(stops=tuple((offset, self.eye.convert_hex(colour)) for offset, colour in fine))
            elif fill is not None:
                fill = self._convert_paint(fill)
            return item._replace(fill=fill, stroke=stroke)
        if isinstance(item, Group):
            return item._replace(items=self.convert_items(item.items))
        if isinstance(item, PlacedSymbol):
            return item._replace(symbol=self.convert_drawing(item.symbol))
        return self._convert_picture(item)

    def _convert_paint(self, paint: Paint) -> Paint:
        return self.eye.convert_hex(self.resolve(paint))

    def _convert_picture(self, picture: Picture) -> Picture:
        if picture.asset not in self._pictures:
            image = open_picture_file(Path(picture.source))[0]
            whole = image.convert("RGBA")
            table = ImageFilter.Color3DLUT.generate(_LATTICE, self.eye.convert_rgb)
            seen: Image.Image = whole.convert("RGB").filter(table)
            seen.putalpha(whole.getchannel("A"))
            seen = seen if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info else seen.convert("RGB")
            path = self.folder / f"{self.eye.name}-{picture.asset}.png".replace(" ", "-")
            seen.save(path, format="PNG")
            self._pictures[picture.asset] = hashlib.sha256(read_file(path, "picture")).hexdigest(), str(path)
        asset, source = self._pictures[picture.asset]
        return picture._replace(asset=asset, source=source)


def _refine_stops(stops: tuple[tuple[float, Paint], ...], resolve: Callable[[Paint], str]) -> list[tuple[float, str]]:
    """Return a gradient's stops, with more stops in between that are mixed in sRGB."""
    known = [(offset, resolve(paint)) for offset, paint in stops]
    fine = known[:1]
    for (start, one), (end, other) in pairwise(known):
        parts = _BETWEEN if end > start and one != other else 1
        for step in range(1, parts + 1):
            share = step / parts
            fine.append((start + (end - start) * share, mix_colours(one, other, share)))
    return fine
