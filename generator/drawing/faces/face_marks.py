"""Marks on faces: stamps of draft and hash, numbers in rings, guides of proofs."""

from collections.abc import Callable, Iterator
from functools import cache

from generator.base.display_list import Drawing, Group, Item, Paint, Shape, StampPlace, Symbol, TextRun, number
from generator.base.geometry import MM_PER_PT, QUARTER, Matrix, Rect, turn_into_box
from generator.game.model import Kind
from generator.game.print_pages import Placement
from generator.game.rich_text import RING

HASH_SHOWN = 6
"""Characters of a face's hash on the face: a designer's eye compares six at a glance."""

NARROW = 25.0
"""A face that measures less, mm, has no room for a stamp."""

_INSET, _SIZE, _DESCENDERS = 3.0, 4.0, 0.2
"""mm from the cut; points; em below the baseline."""

StampTypeset = Callable[[str, StampPlace], tuple[Item, ...]]


def stamped(drawing: Drawing, text: str, unasked: StampPlace | None, typeset: StampTypeset) -> Drawing:
    """The face with its stamps where the template wants them; without any, in the place that it gets `unasked`."""
    places = drawing.stamps or ((unasked,) if unasked else ())
    items = [item for place in places for item in typeset(f"{place.note} · {text}" if place.note else text, place)]
    size, said = (drawing.width, drawing.height, drawing.bleed), (drawing.lang, drawing.title, drawing.description)
    return Drawing(*size, (*drawing.items, *items), *said, frames=drawing.frames)


def bears_stamp(kind: Kind) -> bool:
    """Return True if faces of this kind carry a stamp. It would spoil small, folded and shaped pieces."""
    flat = kind.form not in ("token", "cube", "standee") and not kind.outline
    return flat and min(kind.size.width, kind.size.height) >= NARROW


def foot(drawing: Drawing, kind: Kind) -> StampPlace:
    """The middle of the lower edge, within the kind's safe zone and 3 mm from the cut at least."""
    return _foot(drawing.width, drawing.height, max(_INSET, kind.safe))


@cache
def _foot(width: float, height: float, inset: float) -> StampPlace:
    return StampPlace(width / 2, height - inset - _DESCENDERS * _SIZE * MM_PER_PT, _SIZE)


SIDE = 4.0
"""mm: the box of a ring where it stands in a picture."""

AMONG_WORDS = 3.5
"""mm: the same in a text, a little taller than its words are."""

LINE = 0.32
_PAPER: Paint = "#ffffff"
_DIGITS = (7.6, 7.0)
"""Points of one digit, and of two: of 6 points among words, too."""

_RISE = 0.36
"""em from the middle of digits down to their baseline."""

RingTypeset = Callable[[str, float, float, float], tuple[Item, ...]]
"""A line of words with its middle at (x, y) on the baseline in mm, so many points large."""


def ring_symbol(number: str, paint: Paint, typeset: RingTypeset) -> Symbol:
    """The number in its ring on paper's white, in a box of SIDE mm."""
    middle, radius = SIDE / 2, SIDE / 2 - LINE / 2 - 0.05
    size = _DIGITS[0] if len(number) == 1 else _DIGITS[1]
    digits = [
        item._replace(paint=paint, role="text")
        for item in typeset(number, middle, middle + _RISE * size * MM_PER_PT, size)
        if isinstance(item, TextRun)
    ]
    ring = Shape(circle(middle, middle, radius), _PAPER, paint, LINE, role="frame")
    return Symbol(f"{RING}{number}", (ring, *digits), (0.0, 0.0, SIDE, SIDE))


def circle(x: float, y: float, radius: float) -> str:
    """A circle as a path."""
    k = QUARTER * radius
    spots = (
        (x + radius, y + k, x + k, y + radius, x, y + radius),
        (x - k, y + radius, x - radius, y + k, x - radius, y),
        (x - radius, y - k, x - k, y - radius, x, y - radius),
        (x + k, y - radius, x + radius, y - k, x + radius, y),
    )
    curves = " ".join("C " + " ".join(f"{value:.3f}" for value in spot) for spot in spots)
    return f"M {x + radius:.3f} {y:.3f} {curves} Z"


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
