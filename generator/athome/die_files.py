"""Die lines as files: SVG in mm, and DXF R12 in ASCII with lines, and with arcs as the bulges of polylines."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from generator.athome.dielines import LAYERS, DieLines, Layer
from generator.model.drawing import number
from generator.model.geometry import Point
from generator.model.outline import Segment, Subpath, flatten, subpaths

_STROKES: dict[Layer, str] = {
    "cut": 'fill="none" stroke="#ff0000" stroke-width="0.1"',
    "fold": 'fill="none" stroke="#0000ff" stroke-width="0.1" stroke-dasharray="3 1.5"',
    "registration": 'fill="#000000" stroke="none"',
}
_ACI: dict[Layer, int] = {"cut": 1, "fold": 5, "registration": 7}
"""AutoCAD's colour numbers: red, blue, black or white."""

_ROUND = 0.01
"""A curve that stays so near a circle, mm, is an arc."""

_FINE = 0.01
"""How near the lines that stand for any other curve follow it, mm."""


def svg_file(lines: DieLines, title: str) -> bytes:
    """An SVG of the sheet's size with a group for each layer that has lines."""
    width, height = number(lines.size.width), number(lines.size.height)
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm"',
        f'  viewBox="0 0 {width} {height}">',
        f"<title>{_escape(title)}</title>",
    ]
    for layer in LAYERS:
        if lines.paths[layer]:
            parts.append(f'<g id="{layer}" {_STROKES[layer]}>')
            parts += [f'<path d="{path}"/>' for path in lines.paths[layer]]
            parts.append("</g>")
    return ("\n".join([*parts, "</svg>"]) + "\n").encode("utf-8")


def dxf_file(lines: DieLines) -> bytes:
    """A DXF with a layer CUT, FOLD and REGISTRATION; the sheet's lower left corner is the origin, y up, units mm."""
    pairs = [*_header(lines), *_tables(), (0, "SECTION"), (2, "ENTITIES")]
    for layer in LAYERS:
        for path in lines.paths[layer]:
            for subpath in subpaths(path):
                pairs += _entity(subpath, layer, lines.size.height)
    pairs += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code:3d}\n{value}\n" for code, value in pairs).encode("ascii")


Pair = tuple[int, str]


def _header(lines: DieLines) -> Iterator[Pair]:
    yield from ((0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009"))
    # R12 itself knows no units; programs that write it nevertheless say here that these are millimetres.
    yield from ((9, "$INSUNITS"), (70, "4"))
    yield from ((9, "$EXTMIN"), (10, "0"), (20, "0"), (30, "0"))
    yield from ((9, "$EXTMAX"), (10, number(lines.size.width)), (20, number(lines.size.height)), (30, "0"))
    yield (0, "ENDSEC")


def _tables() -> Iterator[Pair]:
    yield from ((0, "SECTION"), (2, "TABLES"))
    yield from ((0, "TABLE"), (2, "LTYPE"), (70, "1"))
    yield from ((0, "LTYPE"), (2, "CONTINUOUS"), (70, "0"), (3, "Solid line"), (72, "65"), (73, "0"), (40, "0"))
    yield (0, "ENDTAB")
    yield from ((0, "TABLE"), (2, "LAYER"), (70, str(len(LAYERS))))
    for layer in LAYERS:
        yield from ((0, "LAYER"), (2, layer.upper()), (70, "0"), (62, str(_ACI[layer])), (6, "CONTINUOUS"))
    yield from ((0, "ENDTAB"), (0, "ENDSEC"))


def _entity(subpath: Subpath, layer: Layer, height: float) -> Iterator[Pair]:
    """A single line as LINE, anything else as one POLYLINE."""
    name = layer.upper()
    corners = list(_corners(subpath, height))
    if len(corners) == 2 and not subpath.closed and not corners[0].bulge:
        (x, y, _), (u, v, _) = corners
        yield from ((0, "LINE"), (8, name), (10, number(x)), (20, number(y)), (30, "0"))
        yield from ((11, number(u)), (21, number(v)), (31, "0"))
        return
    yield from ((0, "POLYLINE"), (8, name), (66, "1"), (10, "0"), (20, "0"), (30, "0"))
    yield (70, "1" if subpath.closed else "0")
    for x, y, bulge in corners:
        yield from ((0, "VERTEX"), (8, name), (10, number(x)), (20, number(y)), (30, "0"))
        if bulge:
            yield (42, f"{bulge:.8f}")
    yield from ((0, "SEQEND"), (8, name))


class _Corner(NamedTuple):
    """A vertex, y up; `bulge` is the tangent of a quarter of the angle of the arc that begins there, 0 for a line."""

    x: float
    y: float
    bulge: float


def _corners(subpath: Subpath, height: float) -> Iterator[_Corner]:
    for segment in subpath.segments:
        if math.dist(segment[0], segment[-1]) < 1e-9:
            continue
        bulge = 0.0 if len(segment) == 2 else _bulge(segment)
        if bulge is not None:
            yield _Corner(segment[0][0], height - segment[0][1], bulge)
            continue
        for point in _polygon(segment)[:-1]:
            yield _Corner(point[0], height - point[1], 0.0)
    end = subpath.segments[-1][-1] if subpath.segments else subpath.start
    if not subpath.closed or math.dist(end, subpath.start) > 1e-9:
        yield _Corner(end[0], height - end[1], 0.0)


def _bulge(curve: Segment) -> float | None:
    """The bulge, y up, of the arc that a cubic stands for; None where it is no arc of a circle."""
    (x0, y0), first, second, (x1, y1) = curve  # type: ignore[misc]
    middle = _at(curve, 0.5)
    chord = math.dist((x0, y0), (x1, y1))
    # How far the curve's middle lies to the left of the chord, as seen on paper with y down.
    rise = ((x1 - x0) * (middle[1] - y0) - (y1 - y0) * (middle[0] - x0)) / chord
    if abs(rise) < 1e-6:
        flat = all(abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / chord < _ROUND for x, y in (first, second))
        return 0.0 if flat else None
    radius = (chord * chord / 4 + rise * rise) / (2 * abs(rise))
    towards = (rise - math.copysign(radius, rise)) / chord
    centre = ((x0 + x1) / 2 - (y1 - y0) * towards, (y0 + y1) / 2 + (x1 - x0) * towards)
    if any(abs(math.dist(_at(curve, step / 8), centre) - radius) > _ROUND for step in range(9)):
        return None
    return rise / (chord / 2)


def _at(curve: Segment, t: float) -> Point:
    u = 1 - t
    weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
    x, y = (sum(weight * point[axis] for weight, point in zip(weights, curve, strict=True)) for axis in (0, 1))
    return x, y


def _polygon(curve: Segment) -> tuple[Point, ...]:
    words = [number(value) for point in curve for value in point]
    return flatten(f"M {' '.join(words[:2])} C {' '.join(words[2:])}", _FINE)[0].points


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
