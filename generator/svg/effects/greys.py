"""What a mask shows as greys: its lightness is no colour on paper, and its type is no text that anybody reads."""

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from generator.model.drawing import Gradient, Group, Item, Paint, Picture, Shape
from generator.svg.bitmaps import picture_file
from generator.svg.effects.outlined import outlined
from generator.svg.foreign.guest import keep
from generator.text.fonts import FontBook


def in_greys(items: tuple[Item, ...], grey: Callable[[Paint], Paint], fonts: FontBook) -> tuple[Item, ...]:
    """The items in greys, their type as outlines."""
    done: list[Item] = []
    for item in items:
        if isinstance(item, Shape):
            stroke = grey(item.stroke) if item.stroke is not None else None
            done.append(replace(item, fill=_filled(item.fill, grey), stroke=stroke))
        elif isinstance(item, Picture):
            done.append(_grey_picture(item))
        elif isinstance(item, Group):
            done.append(replace(item, items=in_greys(item.items, grey, fonts)))
        elif isinstance(item, tuple):
            path = outlined((item,), fonts)
            if path:
                done.append(Shape(path, grey(item.paint), role=item.role))
        else:
            symbol = replace(item.symbol, items=in_greys(item.symbol.items, grey, fonts))
            done.append(replace(item, symbol=symbol))
    return tuple(done)


def _filled(fill: Paint | Gradient | None, grey: Callable[[Paint], Paint]) -> Paint | Gradient | None:
    if isinstance(fill, Gradient):
        return replace(fill, stops=tuple([(offset, grey(paint)) for offset, paint in fill.stops]))
    return grey(fill) if fill is not None else None


def _grey_picture(picture: Picture) -> Picture:
    opened, _ = picture_file(Path(picture.source))
    out = io.BytesIO()
    opened.convert("RGBA").convert("LA").save(out, format="PNG", compress_level=6)
    kept = keep(out.getvalue())
    return replace(picture, asset=kept.asset, source=kept.source)
