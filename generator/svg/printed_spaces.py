"""The spaces that a face prints for pieces: groups with `data-space`, and the closed outlines painted in them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from generator.model import outline
from generator.model.drawing import Drawing, Group, Item, Placed, Shape, visit
from generator.model.geometry import IDENTITY, Matrix, map_point, scale_of, times
from generator.model.outline import Clip, clipped
from generator.svg.pieces_on_spaces import FINE, TOLERANCE, Polygon, box
from generator.units import Rect

SPACE, HOLDS, PILE = "space", "holds", "pile"
"""What the group says, without the `data-` of the template."""

_NO_PLACES = ("icon", "text")
"""Roles in which nothing is a place for pieces."""

_Around = tuple[Matrix, tuple[Clip, ...]]

_MOST = 1000
"""Places of one space, beyond which a number is surely a slip."""


class PrintedSpace(NamedTuple):
    """A group of a face where pieces lie: the id of the group, the kind of the pieces, and how many.

    `holds` is None for a pile, which has no limit. `outlines` are what it paints, in face coordinates, equal ones once;
    `cut_off` counts those that a clip or the cut takes a part of. `fault` is what is wrong with the group itself.
    """

    id: str
    piece: str
    holds: int | None
    outlines: tuple[Polygon, ...]
    cut_off: int = 0
    fault: str = ""


def printed_spaces(drawing: Drawing) -> Iterator[PrintedSpace]:
    """The spaces of a face in drawing order."""
    trim = (outline.rectangle(Rect(0, 0, drawing.width, drawing.height)), IDENTITY, False)
    around: _Around = (IDENTITY, (trim,))
    for item, (matrix, clips) in visit(drawing.items, around, _inside):
        if isinstance(item, Group) and (data := dict(item.data)).keys() & {SPACE, HOLDS, PILE}:
            yield _space(item, data, *_inside(item, (matrix, clips)))


def _inside(item: Group | Placed, around: _Around) -> _Around:
    """What is around the items of a group or a placed symbol: their matrix, and what clips them."""
    matrix, clips = times(around[0], item.matrix), around[1]
    if isinstance(item, Group) and item.clip:
        clips = (*clips, (item.clip, matrix, item.clip_even_odd))
    return matrix, clips


def _space(group: Group, data: dict[str, str], matrix: Matrix, clips: tuple[Clip, ...]) -> PrintedSpace:
    whole: dict[tuple[tuple[float, float], ...], Polygon] = {}
    cut_off = 0
    for polygon, around in _outlines(group.items, matrix, clips):
        if _is_whole(box(polygon), around):
            whole.setdefault(tuple(sorted({(round(x, 2), round(y, 2)) for x, y in polygon})), polygon)
        else:
            cut_off += 1
    holds, fault = _number(data)
    return PrintedSpace(group.id, data.get(SPACE, ""), holds, tuple(whole.values()), cut_off, fault)


def space_fault(data: Mapping[str, str]) -> str:
    """What is wrong with what a group says of pieces that lie in it; empty where it says nothing, or says it well."""
    return _number(data)[1] if data.keys() & {SPACE, HOLDS, PILE} else ""


def _number(data: Mapping[str, str]) -> tuple[int | None, str]:
    """How many pieces the group says, None for any number; and what is wrong with what it says."""
    holds, pile = data.get(HOLDS), data.get(PILE)
    if SPACE not in data:
        return None, "has no data-space that says what lies there"
    if (holds is None) == (pile is None):
        return None, "needs data-holds or data-pile, and not both"
    if holds is None:
        return None, "" if pile == "yes" else f'has data-pile="{pile}"; write "yes", or data-holds'
    if not (holds.isascii() and holds.isdigit() and len(holds) < 9 and 1 <= int(holds) <= _MOST):
        return None, f'has data-holds="{holds[:20]}"; write a whole number from 1 to {_MOST}'
    return int(holds), ""


def _outlines(
    items: Sequence[Item], matrix: Matrix, clips: tuple[Clip, ...]
) -> Iterator[tuple[Polygon, tuple[Clip, ...]]]:
    """Every closed or filled line that is painted, and what clips it; text and icons are no places."""
    for item, (at, around) in visit(items, (matrix, clips), _unless_told):
        if isinstance(item, Shape) and item.role not in _NO_PLACES and (item.fill or item.stroke):
            scale = scale_of(at)
            for loop in outline.flatten(item.path, FINE / scale) if scale else ():
                if (loop.closed or item.fill) and len(loop.points) > 2:
                    yield tuple([map_point(at, point) for point in loop.points]), around


def _unless_told(item: Group | Placed, around: _Around) -> _Around | None:
    """As `_inside`, but texts and icons are not gone into."""
    return None if isinstance(item, Placed) and item.role in _NO_PLACES else _inside(item, around)


def _is_whole(box: Rect, clips: tuple[Clip, ...]) -> bool:
    left = clipped(box, clips)
    return left is not None and left.holds(box, slack=TOLERANCE)
