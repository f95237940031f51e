"""Icon checks: how fine the drawings of icons are at the smallest size at which faces show them."""

import math
from collections.abc import Iterable, Iterator
from functools import reduce
from operator import and_, or_

from generator.base.display_list import PlacedSymbol, visit_items
from generator.base.errors import Place
from generator.base.geometry import IDENTITY, find_scale, multiply
from generator.checks.check_report import Check, Status
from generator.checks.visible_items import Context, Mask, list_distinct_faces
from generator.game.data_fields import FinestDetails
from generator.game.model import Game

_Spots = set[tuple[int, int]]

_LONG = 2.5
"""A thin part counts if its length is this multiple of its width. Tips of corners are shorter."""

_SOLID = 0.6
"""The area of such a part is at least this share of that of a straight one."""


def check_icon_grid(game: Game, context: Context) -> Iterator[Check]:
    """Check the strokes, gaps and live area of each icon's drawing at the smallest size at which a face shows it.

    What is finer fails if the game states `limits`. Otherwise it is only told: tips and tapers are fine on purpose.
    """
    limits, sizes = game.limits, measure_icon_sizes(game, context)
    wrong: Status = "fail" if game.places.place("limits") else "pass"
    fine = 0
    for icon in game.icons.values():
        mask = context.silhouette(icon.id) if icon.id in sizes else None
        if mask is None:
            continue
        found = list(_find_faults(mask, sizes[icon.id], limits))
        fine += not found
        if found:
            file = f"{icon.art}.svg"
            place = Place(f"templates/{game.id}/icons/{file}", 1, 1)
            sentence = f"{icon.id} is finely drawn for {sizes[icon.id]:.2g} mm, its smallest size on a face"
            yield Check(f"icons.grid.{icon.id}", "icon", wrong, sentence, "; ".join(found), place)
    if fine:
        wanted = f"strokes from {limits.stroke:g} mm, gaps from {limits.gap:g} mm, {limits.live:.0%} of the box"
        yield Check("icons.grid", "icon", "pass", f"{fine} icons are plain enough where they are smallest", wanted)


def _find_faults(mask: Mask, size: float, limits: FinestDetails) -> Iterator[str]:
    """Yield what is too fine in an icon printed `size` mm large, with the spot in hundredths of its box."""
    side = max(len(mask), *map(len, mask))
    edge = side // 4  # empty room around the icon, in which gaps end
    wide = side + 2 * edge
    stride = wide + math.floor(max(limits.stroke, limits.gap) / size * side) + 1
    rows = (int("".join("1" if pixel else "0" for pixel in reversed(row)), 2) for row in mask if row)
    ink = sum(row << (y + edge) * stride + edge for y, row in enumerate(rows))
    if not ink:
        return
    box = sum((1 << wide) - 1 << y * stride for y in range(wide))
    for what, limit, hint in (("stroke", limits.stroke, "thicken"), ("gap", limits.gap, "widen")):
        thin = find_thinnest(ink if what == "stroke" else box ^ ink, stride, math.floor(limit / size * side))
        if thin is not None:
            (x, y), width = thin
            told = (
                f"a {what} of {width / side * size:.2f} mm near {100 * (x - edge) // side}, {100 * (y - edge) // side}"
            )
            yield f"{told} of 100; {hint} it to {limit:g} mm, or print the icon larger"
    extent = _measure_length(_list_spots(ink, stride)) / side
    if extent < limits.live:
        yield f"it fills {extent:.0%} of its box; draw it larger, up to {limits.live:.0%} or more"


def measure_icon_sizes(game: Game, context: Context) -> dict[str, float]:
    """Return the smallest size (mm, the longer side of its box) at which any face shows each icon."""
    sizes: dict[str, float] = {}
    for face in (face for kind in game.kinds.values() for face in list_distinct_faces(game, kind, context)):
        for item, around in visit_items(face.drawing.items, IDENTITY, lambda item, at: multiply(at, item.matrix)):
            if isinstance(item, PlacedSymbol) and item.symbol.name.startswith("icon:"):
                size = max(item.symbol.box[2:]) * find_scale(multiply(around, item.matrix))
                name = item.symbol.name.removeprefix("icon:")
                sizes[name] = min(size, sizes.get(name, size))
    return sizes


def find_thinnest(area: int, stride: int, most: int) -> tuple[tuple[int, int], int] | None:
    """Return a spot in the thinnest long part of an area, and its width (pixels). Return None if it is over `most`.

    The area has a bit for each pixel, rows of `stride` bits; the last `most` + 1 of each row are 0.
    """
    for width in range(2, most + 2):
        disc = [
            y * stride + x
            for x in range(width)
            for y in range(width)
            if (2 * x - width + 1) ** 2 + (2 * y - width + 1) ** 2 <= width * width
        ]
        kept = reduce(and_, (area >> step for step in disc))
        lost = area & ~reduce(or_, (kept << step for step in disc))
        long = [part for part in _split_parts(_list_spots(lost, stride)) if _is_strip(part, width)]
        if long:
            spots = sorted(max(long, key=_measure_length), key=lambda spot: (sum(spot), spot))
            return spots[len(spots) // 2], width - 1
    return None


def _list_spots(area: int, stride: int) -> _Spots:
    return {(at % stride, at // stride) for at, bit in enumerate(reversed(f"{area:b}")) if bit == "1"}


def _is_strip(part: _Spots, width: int) -> bool:
    """Return True for what is long and nearly `width` wide, and False for the rough edge of a wider part."""
    length = _measure_length(part)
    return length > _LONG * width and len(part) > _SOLID * (width - 1) * length


def _measure_length(part: Iterable[tuple[int, int]]) -> int:
    columns, rows = [x for x, _ in part], [y for _, y in part]
    return max(max(columns) - min(columns), max(rows) - min(rows)) + 1


def _split_parts(spots: _Spots) -> Iterable[_Spots]:
    left = set(spots)
    while left:
        waiting, part = [left.pop()], _Spots()
        while waiting:
            x, y = waiting.pop()
            part.add((x, y))
            near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & left
            left -= near
            waiting += near
        yield part
