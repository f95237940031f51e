"""Callouts: numbers around a piece, each with a line to the part that it tells of."""

from collections.abc import Sequence
from typing import NamedTuple

from generator.faces.ring import SIDE, circle
from generator.faces.workshop import Workshop
from generator.model.drawing import Item, Paint, Placed, Shape
from generator.model.text import RING
from generator.rulebook.annotations.anchored import Anchored
from generator.rulebook.annotations.leaders import RADIUS, Leader, Target, leaders
from generator.units import Rect

_LINE, _CASING = 0.28, 0.8
"""mm: a leader, and the paper's white that parts it from the art below."""

_DOT, _AROUND = 0.55, 0.82
"""mm: the dot at its end, and the white around that."""

_WHITE: Paint = "#ffffff"


class CalledOut(NamedTuple):
    """A figure with its numbers, and the names of what they tell of: the first is number 1."""

    figure: Anchored
    names: tuple[str, ...]


def call_out(
    figure: Anchored, targets: Sequence[Target], words: Sequence[Rect], workshop: Workshop, paint: Paint
) -> CalledOut:
    """The figure with a number for each target; Unfit where one finds no place. `words` are the boxes of the piece's.

    Numbers go up in reading order: above the piece, at its left, at its right, below.
    """
    made = leaders(targets, figure.box, words)
    lines = [item for one in made for item in _casing(one)]
    lines += [item for one in made for item in _line(one, paint)]
    rings: list[Item] = []
    box = figure.box
    for number, one in enumerate(made, start=1):
        x, y = one.ring
        sign = workshop.sign(f"{RING}{number}", paint)
        if sign is not None:
            shift = (1.0, 0.0, 0.0, 1.0, round(x - SIDE / 2, 3), round(y - SIDE / 2, 3))
            rings.append(Placed(sign, shift, role="mark"))
        box = box.united(Rect(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS))
    done = Anchored((*figure.items, *lines, *rings), box, figure.anchors, figure.words)
    return CalledOut(done, tuple([one.name for one in made]))


def _path(one: Leader) -> str:
    spots = (one.dot, one.ring) if one.straight else (one.dot, one.exit, one.ring)
    return "M " + " L ".join(f"{x:.3f} {y:.3f}" for x, y in spots)


def _casing(one: Leader) -> tuple[Item, ...]:
    line = Shape(_path(one), stroke=_WHITE, width=_CASING, cap="round", join="round", role="mark")
    return line, Shape(circle(*one.dot, _AROUND), _WHITE, role="mark")


def _line(one: Leader, paint: Paint) -> tuple[Item, ...]:
    line = Shape(_path(one), stroke=paint, width=_LINE, cap="round", join="round", role="mark")
    return line, Shape(circle(*one.dot, _DOT), paint, role="mark")
