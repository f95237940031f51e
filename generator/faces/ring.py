"""A number in a ring, by which a picture's parts are found in the words about them: drawn, as few fonts have such."""

from collections.abc import Callable

from generator.model.drawing import Item, Paint, Shape, Symbol, TextRun
from generator.model.geometry import QUARTER
from generator.model.text import RING
from generator.units import MM_PER_PT

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

Typeset = Callable[[str, float, float, float], tuple[Item, ...]]
"""A line of words with its middle at (x, y) on the baseline in mm, so many points large."""


def ring_symbol(number: str, paint: Paint, typeset: Typeset) -> Symbol:
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
