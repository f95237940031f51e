"""Marks on faces: stamps with draft and hash, numbers in rings, and guides for proofs."""

from collections.abc import Callable, Iterator

from generator.base.display_list import Drawing, Group, Item, Paint, Shape, StampPlace, Symbol, TextRun, format_mm
from generator.base.geometry import MM_PER_PT, QUARTER, Matrix, Rect, make_turn_into_box
from generator.game.model import Kind
from generator.game.print_pages import Placement
from generator.game.rich_text import RING

HASH_SHOWN = 6
"""Number of hash characters on a face: people can compare six at a glance."""

NARROW = 25.0
"""A face gets a stamp only if its width and height are at least this (mm)."""

_INSET, _SIZE, _DESCENDERS = 3.0, 4.0, 0.2
"""A stamp's distance from the cut (mm), its type size (points), and its depth below the baseline (em)."""

StampTypeset = Callable[[str, StampPlace], tuple[Item, ...]]


def add_stamps(drawing: Drawing, text: str, default_place: StampPlace | None, typeset: StampTypeset) -> Drawing:
    """Return the face with the stamp `text` set by `typeset` at the template's places, else at a default place."""
    places = drawing.stamps or ((default_place,) if default_place else ())
    items = [item for place in places for item in typeset(f"{place.note} · {text}" if place.note else text, place)]
    size, said = (drawing.width, drawing.height, drawing.bleed), (drawing.lang, drawing.title, drawing.description)
    return Drawing(*size, (*drawing.items, *items), *said, frames=drawing.frames)


def has_stamp(kind: Kind) -> bool:
    """Return True if faces of this kind get a stamp: none on small, folded or shaped pieces, which it would spoil."""
    flat = kind.form not in ("token", "cube", "standee") and not kind.outline
    return flat and min(kind.size.width, kind.size.height) >= NARROW


def find_foot_place(drawing: Drawing, kind: Kind) -> StampPlace:
    """Return a stamp's place at the middle of the lower edge, in the kind's safe zone and 3 mm or more from the cut."""
    above = max(_INSET, kind.safe) + _DESCENDERS * _SIZE * MM_PER_PT
    return StampPlace(drawing.width / 2, drawing.height - above, _SIZE)


RING_SIDE = 4.0
"""Side of a ring's box in a picture (mm)."""

RING_IN_TEXT = 3.5
"""Side of a ring's box in a text (mm), a little taller than the words."""

LINE = 0.32
_PAPER: Paint = "#ffffff"
_DIGITS = (7.6, 7.0)
"""Type size of one digit and of two digits in a ring (points). In a text they appear as 6 points."""

_RISE = 0.36
"""Distance from the middle of digits down to their baseline (em)."""

RingTypeset = Callable[[str, float, float, float], tuple[Item, ...]]
"""Sets a text centred at (x, y) on the baseline (mm), in a size in points. Arguments: text, x, y, size."""


def draw_ring_symbol(number: str, paint: Paint, typeset: RingTypeset) -> Symbol:
    """Return a number in a ring on white, as a symbol in a box of RING_SIDE mm."""
    middle, radius = RING_SIDE / 2, RING_SIDE / 2 - LINE / 2 - 0.05
    size = _DIGITS[0] if len(number) == 1 else _DIGITS[1]
    digits = [
        item._replace(paint=paint, role="text")
        for item in typeset(number, middle, middle + _RISE * size * MM_PER_PT, size)
        if isinstance(item, TextRun)
    ]
    ring = Shape(draw_circle_path(middle, middle, radius), _PAPER, paint, LINE, role="frame")
    return Symbol(f"{RING}{number}", (ring, *digits), (0.0, 0.0, RING_SIDE, RING_SIDE))


def draw_circle_path(x: float, y: float, radius: float) -> str:
    """Return the path of a circle around (x, y), as four cubic curves."""
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
"""Width of the finest line that is sure to be printed."""

_SAFE_DASH = (1.0, 0.7)
"""Dash and gap of the safe zone's line in the guides (mm)."""


def draw_guides(placement: Placement, safe: float, corner: float, outline: str = "") -> Iterator[Item]:
    """Yield guides: bleed orange, frames grey, box `safe` mm in cyan, cut (radius `corner`, or `outline`) magenta."""
    yield _draw_guide(draw_rounded_box(placement.clip, 0), BLEED)
    for frame in placement.drawing.frames:
        box = map_box_to_page(placement, Rect(frame.x, frame.y, frame.width, frame.height))
        yield _draw_guide(draw_rounded_box(box, 0), FRAME, _THIN)
    zone = placement.trim.grow(-safe)
    if zone.width > 0 and zone.height > 0:
        yield _draw_guide(draw_rounded_box(zone, 0), SAFE, dash=_SAFE_DASH)
    if outline:
        yield Group((_draw_guide(outline, TRIM),), to_page(placement))
    else:
        yield _draw_guide(draw_rounded_box(placement.trim, corner), TRIM)


def map_box_to_page(placement: Placement, box: Rect) -> Rect:
    """Return the box on the page (mm) of a box in face coordinates."""
    trim, turn = placement.trim, placement.turn
    if turn == 0:
        return box.move(trim.x, trim.y)
    if turn == 90:
        return Rect(trim.right - box.bottom, trim.y + box.x, box.height, box.width)
    if turn == 180:
        return Rect(trim.right - box.right, trim.bottom - box.bottom, box.width, box.height)
    return Rect(trim.x + box.y, trim.bottom - box.right, box.height, box.width)


def to_page(placement: Placement) -> Matrix:
    """Return the matrix from face coordinates to page coordinates."""
    return make_turn_into_box(placement.trim, placement.turn, placement.scale)


def draw_rounded_box(box: Rect, radius: float) -> str:
    """Return the path of a box with rounded corners (mm)."""
    r = max(0.0, min(radius, box.width / 2, box.height / 2))
    left, top, right, bottom = box.x, box.y, box.right, box.bottom
    if not r:
        return _join_path("M", left, top, "L", right, top, "L", right, bottom, "L", left, bottom, "Z")
    k = r * (1 - QUARTER)
    return _join_path(
        *("M", left + r, top, "L", right - r, top, "C", right - k, top, right, top + k, right, top + r),
        *("L", right, bottom - r, "C", right, bottom - k, right - k, bottom, right - r, bottom),
        *("L", left + r, bottom, "C", left + k, bottom, left, bottom - k, left, bottom - r),
        *("L", left, top + r, "C", left, top + k, left + k, top, left + r, top, "Z"),
    )


def _join_path(*parts: str | float) -> str:
    return " ".join(part if isinstance(part, str) else format_mm(part) for part in parts)


def _draw_guide(path: str, paint: str, width: float = _HAIR, dash: tuple[float, ...] = ()) -> Item:
    return Shape(path=path, stroke=paint, width=width, dash=dash, role="guide")
