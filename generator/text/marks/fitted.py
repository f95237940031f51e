"""A single line that must have, or not exceed, a length."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from generator.model.drawing import TextFrame, TextRun
from generator.text.textbox import SetText, TextBox
from generator.units import MM_PER_PT

_SLACK = 1e-6  # mm
_CLOSEST = -0.2
"""Ems between letters: closer they would lie over each other."""


def shrunk(done: SetText, box: TextBox, again: Callable[[TextBox], SetText], sizes: Iterable[float]) -> SetText:
    """The line at the first of the sizes at which it is not longer than its box is wide, or else at the last."""
    for size in sizes:
        if _length(done.frame, box) <= box.width + _SLACK:
            return done
        if size < done.frame.size:
            done = again(replace(box, size=size))
    over = _length(done.frame, box) - box.width
    return done._replace(overflow=over) if over > _SLACK else done


def drawn_out(done: SetText, box: TextBox, again: Callable[[TextBox], SetText]) -> SetText:
    """The line as long as it is to be, by the same room between all its letters; `overflow` where it has none to lose.

    A line of one letter stays as it is.
    """
    letters = sum(bool(cluster) for item in done.items if isinstance(item, TextRun) for cluster in item.clusters)
    if letters < 2:
        return done
    em = box.size * MM_PER_PT
    room = (box.drawn_out - _length(done.frame, box)) / (letters - 1) / em
    if room < _CLOSEST:
        return done._replace(overflow=(_CLOSEST - room) * (letters - 1) * em)
    return again(replace(box, spacing=box.spacing + room * 1000))


def _length(frame: TextFrame, box: TextBox) -> float:
    return frame.height if box.vertical else frame.width
