"""Boxes laid in rows, side by side, in the order given: what is unpacked on an online table lies nowhere on another."""

from collections.abc import Sequence

from generator.dataclass import dataclass
from generator.units import Rect, Size

_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Laid:
    """Where each box lies, and the size of them all together, in the boxes' own units."""

    boxes: tuple[Rect, ...]
    size: Size


def in_rows(sizes: Sequence[Size], width: float, gap: float) -> Laid:
    """Rows from the top left, `gap` apart; a row is at most `width` long unless a single box is longer."""
    boxes: list[Rect] = []
    x = y = high = longest = 0.0
    for size in sizes:
        if x and x + size.width > width + _SLACK:
            x, y, high = 0.0, y + high + gap, 0.0
        boxes.append(Rect(x, y, size.width, size.height))
        high = max(high, size.height)
        longest = max(longest, x + size.width)
        x += size.width + gap
    return Laid(tuple(boxes), Size(longest, y + high))
