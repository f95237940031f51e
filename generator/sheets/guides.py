"""Proof overlay for one placed face: trim, safe zone, printed bleed and text frames; never part of a print."""

from collections.abc import Iterator

from generator.model.drawing import Group, Item, Shape, number
from generator.model.geometry import QUARTER, Matrix, turn_into_box
from generator.model.sheet import Placement
from generator.units import MM_PER_PT, Rect

TRIM = "#ff00ff"
SAFE = "#00aeef"
BLEED = "#f7941d"
FRAME = "#8c8c8c"

_HAIR = 0.25 * MM_PER_PT
_THIN = 0.25 * MM_PER_PT
"""A finer line may not be printed at all."""

_SAFE_DASH = (1.0, 0.7)
"""Handle length of a cubic curve that stands for a quarter circle of radius 1."""


def guide_items(placement: Placement, safe: float, corner: float, outline: str = "") -> Iterator[Item]:
    """Bleed edge orange, text frames grey, safe zone cyan dashed, trim magenta with its corners rounded.

    A piece with an `outline` (face coordinates) is cut there instead.
    """
    yield _outline(rounded_box(placement.clip, 0), BLEED)
    for frame in placement.drawing.frames:
        box = on_page(placement, Rect(frame.x, frame.y, frame.width, frame.height))
        yield _outline(rounded_box(box, 0), FRAME, _THIN)
    zone = placement.trim.grown(-safe)
    if zone.width > 0 and zone.height > 0:
        yield _outline(rounded_box(zone, 0), SAFE, dash=_SAFE_DASH)
    if outline:
        yield Group((_outline(outline, TRIM),), to_page(placement))
    else:
        yield _outline(rounded_box(placement.trim, corner), TRIM)


def on_page(placement: Placement, box: Rect) -> Rect:
    """A box given in face coordinates, where it lies on the page."""
    trim, turn = placement.trim, placement.turn
    if turn == 0:
        return box.moved(trim.x, trim.y)
    if turn == 90:
        return Rect(trim.right - box.bottom, trim.y + box.x, box.height, box.width)
    if turn == 180:
        return Rect(trim.right - box.right, trim.bottom - box.bottom, box.width, box.height)
    return Rect(trim.x + box.y, trim.bottom - box.right, box.height, box.width)


def to_page(placement: Placement) -> Matrix:
    """From face to page coordinates."""
    return turn_into_box(placement.trim, placement.turn)


def rounded_box(box: Rect, radius: float) -> str:
    """The path of a box with rounded corners (mm)."""
    r = max(0.0, min(radius, box.width / 2, box.height / 2))
    left, top, right, bottom = box.x, box.y, box.right, box.bottom
    if not r:
        return _path("M", left, top, "L", right, top, "L", right, bottom, "L", left, bottom, "Z")
    k = r * (1 - QUARTER)
    return _path(
        *("M", left + r, top, "L", right - r, top, "C", right - k, top, right, top + k, right, top + r),
        *("L", right, bottom - r, "C", right, bottom - k, right - k, bottom, right - r, bottom),
        *("L", left + r, bottom, "C", left + k, bottom, left, bottom - k, left, bottom - r),
        *("L", left, top + r, "C", left, top + k, left + k, top, left + r, top, "Z"),
    )


def _path(*parts: str | float) -> str:
    return " ".join(part if isinstance(part, str) else number(part) for part in parts)


def _outline(path: str, paint: str, width: float = _HAIR, dash: tuple[float, ...] = ()) -> Item:
    return Shape(path=path, stroke=paint, width=width, dash=dash, role="guide")
