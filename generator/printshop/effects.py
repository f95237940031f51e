"""Groups that are painted as one, for files that know no transparency: each becomes a transparent picture first.

What is then made of pictures is the business of `generator.printshop.flattening`. How a group's colours are blended
with those below it is left out: it lies on them as it is.
"""

import io
from collections.abc import Callable, Iterable
from dataclasses import replace

from PIL import Image

from generator.model.drawing import Group, Item, Picture, Placed, parts_of, visit
from generator.model.geometry import IDENTITY, Matrix, scale_of, times
from generator.model.outline import rectangle
from generator.model.reach import reach
from generator.svg.foreign.guest import keep
from generator.units import MM_PER_INCH, Rect

Render = Callable[[tuple[Item, ...], Rect, float], Image.Image]
"""Items in a box of their own units as pixels (RGBA), so many to a unit: an artist's `render`."""

_FINE = 600.0
"""Dots an inch: what is sharp within such a group stays so."""

_MOST_PIXELS = 30_000_000


def mixes(items: Iterable[Item]) -> bool:
    """Whether any of the items is, or holds, a group that is painted as one."""
    return any(isinstance(item, Group) and item.as_one for item, _ in visit(items, True, lambda _, around: around))


def opened_up(item: Group | Placed) -> Group:
    """A placed symbol as a group: what it becomes depends on its place."""
    if isinstance(item, Group):
        return item
    return Group(item.symbol.items, item.matrix, rectangle(Rect(*item.symbol.box)) if item.clip else "")


def with_pictures(items: tuple[Item, ...], matrix: Matrix, render: Render) -> tuple[Item, ...]:
    """The items, on a face through `matrix`, with a picture for each group that is painted as one."""
    done: list[Item] = []
    for item in items:
        if isinstance(item, Group) and item.as_one:
            done += _pictured(item, matrix, render)
        elif isinstance(item, (Group, Placed)) and mixes(parts_of(item)):
            group = opened_up(item)
            inner = with_pictures(group.items, times(matrix, group.matrix), render)
            done.append(replace(group, items=inner))
        else:
            done.append(item)
    return tuple(done)


def _pictured(group: Group, matrix: Matrix, render: Render) -> list[Item]:
    """A group as a picture; nothing where it paints nothing."""
    shown = replace(group, matrix=IDENTITY, blend="normal")
    box = reach((shown,))
    if box is None or box.width <= 0 or box.height <= 0:
        return []
    fine = _FINE / MM_PER_INCH * scale_of(times(matrix, group.matrix))
    image = render((shown,), box, min(fine, (_MOST_PIXELS / (box.width * box.height)) ** 0.5))
    out = io.BytesIO()
    image.save(out, format="PNG", compress_level=6)
    kept = keep(out.getvalue())
    picture = Picture(kept.asset, kept.source, box.x, box.y, box.width, box.height)
    return [picture if group.matrix == IDENTITY else Group((picture,), group.matrix)]
