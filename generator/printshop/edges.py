"""A face on a cut of another size or with more bleed than it was made for: centred, its edge mirrored outwards."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from generator.dataclass import dataclass
from generator.model.drawing import Drawing, Group, Item, Placed, StampPlace, Symbol, TextFrame, TextRun
from generator.model.geometry import Matrix
from generator.model.outline import rectangle
from generator.units import Rect, Size

INSET = 0.2
"""How far inside its own bleed a face is mirrored, mm: there all of its shapes go on, so that no seam shows."""

_BEYOND = 1.0  # mm; the face's own end cuts there
_SLACK = 1e-3


def art_beyond_cut(face: Drawing, trim: Size, reach: float) -> Drawing:
    """The face as one of the size `trim` whose art reaches `reach` mm beyond it; the same where it does already.

    What the face shows stays as large as it is. At the end of its own bleed its ground and art are mirrored, so that no
    paper shows.
    """
    dx, dy = (trim.width - face.width) / 2, (trim.height - face.height) / 2
    drawn = Rect(dx, dy, face.width, face.height).grown(face.bleed)
    wanted = Rect(0, 0, trim.width, trim.height).grown(reach)
    at_home = abs(dx) < _SLACK / 2 and abs(dy) < _SLACK / 2
    short = not drawn.holds(wanted, _SLACK)
    if at_home and not short:
        return face
    items: tuple[Item, ...] = (Placed(_symbol(face.items, face), (1, 0, 0, 1, dx, dy), True, "art"),)
    ground = _without_text(face.items) if short else ()
    if ground:
        axes = drawn.grown(-min(INSET, face.bleed / 2))
        items = (*items, *_mirror_symbol(_symbol(ground, face), axes, wanted, (dx, dy)))
    return replace(
        face,
        width=trim.width,
        height=trim.height,
        bleed=reach,
        items=items,
        stamps=tuple([_moved_stamp(stamp, dx, dy) for stamp in face.stamps]),
        frames=tuple([_moved_frame(frame, dx, dy) for frame in face.frames]),
    )


def _symbol(items: tuple[Item, ...], face: Drawing) -> Symbol:
    bleed = face.bleed
    return Symbol("face", items, (-bleed, -bleed, face.width + 2 * bleed, face.height + 2 * bleed))


def _without_text(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """What may reach the cut: a reader of the file finds each word once."""
    kept: list[Item] = []
    for item in items:
        if isinstance(item, Group):
            inner = _without_text(item.items)
            if inner:
                kept.append(replace(item, items=inner, data=()))
        elif not isinstance(item, TextRun) and item.role in ("ground", "art", "frame"):
            kept.append(item)
    return tuple(kept)


def _mirror_symbol(symbol: Symbol, axes: Rect, wanted: Rect, shift: tuple[float, float]) -> Iterator[Group]:
    """The symbol mirrored at each side of `axes` beyond which something is `wanted`, and at two where they meet.

    What runs off an edge goes on straight, and nothing jumps where the strip begins.
    """
    whole = axes.united(wanted)
    across = list(_spans(whole.x, axes.x, axes.right, whole.right, shift[0]))
    down = list(_spans(whole.y, axes.y, axes.bottom, whole.bottom, shift[1]))
    for column, row in product(across, down):
        if column.mirrored or row.mirrored:
            matrix: Matrix = (column.scale, 0.0, 0.0, row.scale, column.shift, row.shift)
            strip = Rect(column.start, row.start, column.end - column.start, row.end - row.start)
            yield Group((Placed(symbol, matrix, clip=True, role="art"),), clip=rectangle(strip))


@dataclass(frozen=True, slots=True)
class _Span:
    """A stretch of one axis, and how the symbol comes to lie on it: as it is, or mirrored at an edge."""

    start: float
    end: float
    scale: float
    shift: float

    @property
    def mirrored(self) -> bool:
        return self.scale < 0


def _spans(start: float, low: float, high: float, end: float, shift: float) -> Iterator[_Span]:
    """Before, on and after the part `low` to `high` that stays as it is."""
    if low - start > _SLACK:
        yield _Span(start - _BEYOND, low, -1.0, 2 * low - shift)
    yield _Span(low, high, 1.0, shift)
    if end - high > _SLACK:
        yield _Span(high, end + _BEYOND, -1.0, 2 * high - shift)


def _moved_stamp(stamp: StampPlace, dx: float, dy: float) -> StampPlace:
    return replace(stamp, x=stamp.x + dx, y=stamp.y + dy)


def _moved_frame(frame: TextFrame, dx: float, dy: float) -> TextFrame:
    return frame._replace(x=frame.x + dx, y=frame.y + dy)
