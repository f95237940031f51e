"""Groups that are blended with what lies below them, for presses.

Those that are multiplied stay so: inks do that, plate by plate. What makes lighter would go wrong there, as black has a
plate of its own: such groups become pictures that are blended in screen colours already, and then lie on what is below
as others do. What is painted as one where a file knows no transparency is the business of
`generator.printshop.flattening`.
"""

import io
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PIL import Image

from generator.model.drawing import Drawing, Group, Item, Picture, Placed, visit
from generator.model.geometry import IDENTITY, Matrix, inverse, scale_of, times
from generator.model.outline import rectangle
from generator.model.reach import reach
from generator.model.sheet import Document
from generator.svg.foreign.effects import MIXES, blended
from generator.svg.foreign.guest import keep
from generator.units import MM_PER_INCH, Rect

Render = Callable[[tuple[Item, ...], Rect, float], Image.Image]
"""Items in a box of their own units as pixels (RGBA), so many to a unit: an artist's `render`."""

_FINE = 600.0
"""Dots an inch: what is sharp within such a group stays so."""

_MOST_PIXELS = 30_000_000


def opened_up(item: Group | Placed) -> Group:
    """A placed symbol as a group: what it becomes depends on its place."""
    if isinstance(item, Group):
        return item
    return Group(item.symbol.items, item.matrix, rectangle(Rect(*item.symbol.box)) if item.clip else "")


def _rendered(group: Group, matrix: Matrix, render: Render) -> tuple[Image.Image, Rect, float] | None:
    """What a group shows as pixels, in which box of its own coordinates, how many to a unit; None for nothing."""
    shown = replace(group, matrix=IDENTITY, blend="normal")
    box = reach((shown,))
    if box is None or box.width <= 0 or box.height <= 0:
        return None
    fine = _FINE / MM_PER_INCH * scale_of(times(matrix, group.matrix))
    fine = min(fine, (_MOST_PIXELS / (box.width * box.height)) ** 0.5)
    return render((shown,), box, fine), box, fine


def _picture(image: Image.Image, box: Rect, _fine: float) -> Picture:
    out = io.BytesIO()
    image.save(out, format="PNG", compress_level=6)
    kept = keep(out.getvalue())
    return Picture(kept.asset, kept.source, box.x, box.y, box.width, box.height)


Around = Callable[[tuple[Item, ...]], tuple[Item, ...]]
"""All that is painted before some items of a group, with these in their places."""


def within(around: Around, before: tuple[Item, ...], group: Group, inner: tuple[Item, ...]) -> tuple[Item, ...]:
    """All that is painted before some items of a group that stands behind others."""
    return around((*before, replace(group, items=inner)))


def blended_on_screen(
    items: tuple[Item, ...], matrix: Matrix, render: Render, around: Around = tuple
) -> tuple[Item, ...]:
    """The items, on a face through `matrix`, with a picture for each group that is blended but not multiplied."""
    if not _blends(items):
        return items
    done: list[Item] = []
    for at, item in enumerate(items):
        if isinstance(item, Group) and item.blend in _ON_SCREEN:
            done += _blended(item, matrix, render, around(items[:at]))
        elif isinstance(item, (Group, Placed)) and not (isinstance(item, Group) and item.as_one) and _blends((item,)):
            group = opened_up(item)
            put = partial(within, around, items[:at], group)
            done.append(replace(group, items=blended_on_screen(group.items, times(matrix, group.matrix), render, put)))
        else:
            done.append(item)
    return tuple(done)


def document_on_screen(document: Document, render: Render) -> Document:
    """The document with `blended_on_screen` done to its faces; those that need none of it are the same objects."""
    done: dict[int, tuple[Drawing, Drawing]] = {}
    pages = []
    for page in document.pages:
        placements = []
        for put in page.placements:
            face = put.drawing
            if id(face) not in done:
                items = blended_on_screen(face.items, IDENTITY, render)
                done[id(face)] = face, face if items is face.items else replace(face, items=items)
            placements.append(replace(put, drawing=done[id(face)][1]))
        pages.append(replace(page, placements=tuple(placements)))
    return replace(document, pages=tuple(pages))


_ON_SCREEN = MIXES - {"multiply"}


def _blends(items: tuple[Item, ...]) -> bool:
    inner = visit(items, True, lambda _, around: around)
    return any(isinstance(item, Group) and item.blend in _ON_SCREEN for item, _ in inner)


def _blended(group: Group, matrix: Matrix, render: Render, below: tuple[Item, ...]) -> list[Item]:
    """A group as a picture of what it makes of the colours below it."""
    shown, face = _rendered(group, matrix, render), inverse(times(matrix, group.matrix))
    if shown is None or face is None:
        return []
    image, box, fine = shown
    ground = Image.new("RGBA", image.size, "white")
    if below:
        ground = Image.alpha_composite(ground, render((Group(below, face),), box, fine))
    picture = _picture(blended(image, ground, group.blend), box, fine)
    return [picture if group.matrix == IDENTITY else Group((picture,), group.matrix)]
