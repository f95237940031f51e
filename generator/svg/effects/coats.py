"""Outlines whose fill or line is not opaque, is a pattern, or comes in another order than usual."""

from dataclasses import replace

from generator.model.drawing import Gradient, Group, Item, Mask, Paint, Shape
from generator.svg.paint import Style, Tiles, Veiled, parted


def clearer(items: tuple[Item, ...], covers: float) -> tuple[Item, ...]:
    """Items painted as one that covers so much (0 to 1); nothing where it covers nothing."""
    if covers >= 1 or not items:
        return items
    return (Group(items, opacity=covers),) if covers > 0 else ()


def coated(
    shape: Shape, fill: Gradient | Veiled | Tiles | Paint | None, stroke: Paint | None, style: Style
) -> tuple[Item, ...]:
    """An outline (a shape with its path and role alone) filled and stroked as its style has it."""
    filled = clearer(_filled(replace(shape, even_odd=style.even_odd), fill), _covers(fill) * style.fill_opacity)
    lined = line_of(shape, stroke, style)
    return (*lined, *filled) if style.stroke_first else (*filled, *lined)


def line_of(shape: Shape, stroke: Paint | None, style: Style) -> tuple[Item, ...]:
    """The line around an outline, alone."""
    if stroke is None:
        return ()
    paint, covers = parted(stroke)
    line = replace(
        shape, stroke=paint, width=style.width, cap=style.cap, join=style.join, miter=style.miter, dash=style.dash
    )
    return clearer((line,), covers * style.stroke_opacity)


def _covers(fill: Gradient | Veiled | Tiles | Paint | None) -> float:
    return parted(fill)[1] if isinstance(fill, str) else 1.0


def _filled(shape: Shape, fill: Gradient | Veiled | Tiles | Paint | None) -> tuple[Item, ...]:
    if fill is None:
        return ()
    if isinstance(fill, str):
        return (replace(shape, fill=parted(fill)[0]),)
    if isinstance(fill, Gradient):
        return (replace(shape, fill=fill),)
    if isinstance(fill, Veiled):
        shown = Mask((replace(shape, fill=fill.alphas),))
        return (Group((replace(shape, fill=fill.gradient),), mask=shown),)
    return (Group(fill, clip=shape.path, clip_even_odd=shape.even_odd),) if fill else ()
