"""Gradients as PDF shadings, padded at both ends; those without extent are one colour."""

from collections.abc import Callable
from typing import Any

from generator.model.drawing import Gradient, Paint
from generator.model.ink import Ink
from generator.writers.pdf_inks import in_one_space
from generator.writers.pdf_objects import add, numbers

_NARROW = 0.005
"""How much of a gradient an edge at its very end gets, so that the padding beyond takes the outer colour.

Renderers compute 256 colours from 0 up, so what happens in the last 1/256 doesn't show."""


def solid(gradient: Gradient) -> Paint | None:
    """The one paint of a gradient that has no extent (SVG: its last stop's), None for a true gradient."""
    a, b, c, d, _, _ = gradient.matrix
    line = gradient.line
    flat = line[:2] == line[2:] if gradient.kind == "linear" else line[2] <= 0
    if flat or a * d - b * c == 0:
        return gradient.stops[-1][1]
    return None


def shading(document: Any, gradient: Gradient, inks: Callable[[Paint], Ink]) -> int:
    """Write the shading in the gradient's own space; its object number."""
    stops = _in_order(gradient.stops, inks)
    space, values = in_one_space([ink for _, ink in stops])
    function = add(document, _function([offset for offset, _ in stops], [numbers(each) for each in values]))
    kind = 2 if gradient.kind == "linear" else 3
    return add(
        document,
        f"<</ShadingType {kind}/ColorSpace{space}/Coords[{numbers(_coordinates(gradient), 4)}]"
        f"/Extend[true true]/Function {function} 0 R>>",
    )


def _coordinates(gradient: Gradient) -> tuple[float, ...]:
    if gradient.kind == "linear":
        return gradient.line
    cx, cy, r, fx, fy = gradient.line
    # A focus on or outside the circle would leave part of the plane unpainted; SVG moves it inside.
    away = ((fx - cx) ** 2 + (fy - cy) ** 2) ** 0.5
    reach = 0.99 * r
    if away > reach:
        fx, fy = cx + (fx - cx) * reach / away, cy + (fy - cy) * reach / away
    return (fx, fy, 0.0, cx, cy, r)


def _in_order(stops: tuple[tuple[float, Paint], ...], inks: Callable[[Paint], Ink]) -> list[tuple[float, Ink]]:
    """Stops from 0 to 1, each at or after the one before (SVG moves a stop that goes back)."""
    result: list[tuple[float, Ink]] = []
    reached = 0.0
    for offset, paint in stops:
        reached = min(max(offset, reached), 1.0)
        result.append((reached, inks(paint)))
    if result[0][0] > 0:
        result.insert(0, (0.0, result[0][1]))
    if result[-1][0] < 1:
        result.append((1.0, result[-1][1]))
    if result[-2][0] > 1 - _NARROW:
        result.insert(-1, (1 - _NARROW, result[-1][1]))
    return result


def _function(offsets: list[float], colours: list[str]) -> str:
    """A stitching function of linear pieces; a hard edge is a bound where one colour ends and another begins."""
    last = len(offsets) - 1
    places = [0.0, *(min(max(place, _NARROW), 1 - _NARROW) for place in offsets[1:last]), 1.0]
    pieces, bounds = [], []
    for index in range(last):
        if places[index + 1] - places[index] > 1e-5:
            pieces.append(f"<</FunctionType 2/Domain[0 1]/C0[{colours[index]}]/C1[{colours[index + 1]}]/N 1>>")
            bounds.append(places[index + 1])
    if len(pieces) == 1:
        return pieces[0]
    return (
        f"<</FunctionType 3/Domain[0 1]/Functions[{''.join(pieces)}]/Bounds[{numbers(bounds[:-1], 5)}]"
        f"/Encode[{' '.join(['0 1'] * len(pieces))}]>>"
    )
