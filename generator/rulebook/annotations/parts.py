"""The parts of a face that have a name: what a template draws in an element with an `id`, and the box of its ink."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.model import outline
from generator.model.drawing import Group, Item, Picture, Placed, Shape, TextRun, parts_of
from generator.model.geometry import Matrix, map_box, times
from generator.model.outline import Clip, clipped
from generator.rulebook.annotations.anchored import all_around
from generator.svg.inked import ink_box
from generator.text.fonts import FontBook
from generator.units import Rect


class Part(NamedTuple):
    """A named part of a face, in the coordinates of what was asked: its box, and whether it is words alone."""

    box: Rect
    words: bool


def parts_of_face(items: Sequence[Item], matrix: Matrix, fonts: FontBook) -> dict[str, Part]:
    """By its id what every named group of a face paints, where it paints anything; an id met again is passed over."""
    found: dict[str, Part] = {}
    for group, at in _named(items, matrix):
        leaves = [*_leaves((group,), at, (), fonts)]
        box = all_around(box for box, _ in leaves)
        if box is not None and group.id not in found:
            found[group.id] = Part(box, all(words for _, words in leaves))
    return found


def words_of_face(items: Sequence[Item], matrix: Matrix, fonts: FontBook) -> tuple[Rect, ...]:
    """The boxes of all words and signs of a face that somebody may want to read, a line each."""
    return tuple([box for box, words in _leaves(items, matrix, (), fonts) if words])


def _named(items: Sequence[Item], matrix: Matrix) -> Iterator[tuple[Group, Matrix]]:
    """The groups with an id, each with the matrix around it."""
    for item in items:
        if isinstance(item, Group):
            if item.id:
                yield item, matrix
            yield from _named(item.items, times(matrix, item.matrix))
        elif isinstance(item, Placed):
            yield from _named(item.symbol.items, times(matrix, item.matrix))


def _leaves(
    items: Sequence[Item], matrix: Matrix, clips: tuple[Clip, ...], fonts: FontBook
) -> Iterator[tuple[Rect, bool]]:
    """The box of everything that is painted, as far as it is not cut off, and whether it is words."""
    for item in items:
        if isinstance(item, (Group, Placed)):
            inner, cut = times(matrix, item.matrix), clips
            if isinstance(item, Group) and item.clip:
                cut = (*clips, (item.clip, inner, item.clip_even_odd))
            yield from _leaves(parts_of(item), inner, cut, fonts)
            continue
        box = clipped(_box(item, matrix, fonts), clips)
        if box is not None:
            yield box, isinstance(item, TextRun)


def _box(item: Shape | TextRun | Picture, matrix: Matrix, fonts: FontBook) -> Rect | None:
    if isinstance(item, Shape):
        return outline.bounds(item.path, matrix) if item.path and (item.fill or item.stroke) else None
    if isinstance(item, TextRun):
        return ink_box(item, matrix, fonts)
    (x, y), (right, bottom) = map_box(matrix, item.x, item.y, item.x + item.width, item.y + item.height)
    return Rect(x, y, right - x, bottom - y)
