"""A column of a rulebook: strips below each other at their heights, on the grid, with the grounds of boxes around."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from generator.pages.strips import Frame, Strip, on_grid

SLACK = 1e-4
"""mm: what rounding may add to a full column."""


@dataclass(frozen=True, slots=True)
class Put:
    """A strip at its height in a column, mm from its top; `again`: it is repeated from another column."""

    strip: Strip
    y: float
    again: bool = False


@dataclass(frozen=True, slots=True)
class Level:
    """How far a column is filled, mm, and the frame of what stands lowest; `begun` is False at its very top."""

    y: float = 0.0
    frame: Frame | None = None
    begun: bool = False

    def top(self, strip: Strip, unit: float) -> float:
        """Where a strip stands below it, on a grid of `unit` mm."""
        y, frame, own = self.y, self.frame, strip.frame
        if frame is not None and frame is not own:
            y += frame.pad
        if self.begun:
            y += strip.above
        if own is not None and frame is not own:
            y = (on_grid(y, unit) if strip.snap else y) + own.pad
        return on_grid(y, unit) if strip.snap else y

    def below(self, strip: Strip, unit: float) -> "Level":
        """The level with a strip set below it, and above that, at a column's top, what is repeated there."""
        level = self
        if strip.again and not self.begun:
            for head in strip.again:
                level = Level(level.top(head, unit) + head.height, head.frame, True)
        return Level(level.top(strip, unit) + strip.height, strip.frame, True)

    @property
    def bottom(self) -> float:
        """Where it ends with the ground of a box, mm."""
        return self.y + (self.frame.pad if self.frame is not None else 0.0)


class Column:
    """A column with its strips, so many mm high, on a grid of `unit` mm."""

    def __init__(self, height: float, unit: float, strips: Iterable[Strip] = ()):
        self.puts: list[Put] = []
        self._height, self._unit = height, unit
        self._level = Level()
        for strip in strips:
            for head in strip.again if not self.puts else ():
                self._put(head, again=True)
            self._put(strip)

    @property
    def used(self) -> float:
        """How much of it is full, 0 to 1."""
        return self._level.y / self._height

    def _put(self, strip: Strip, again: bool = False) -> None:
        self.puts.append(Put(strip, self._level.top(strip, self._unit), again))
        self._level = Level(self.puts[-1].y + strip.height, strip.frame, True)


def fits(strips: Sequence[Strip], height: float, unit: float) -> bool:
    """Whether strips find room in an empty column."""
    level = Level()
    for strip in strips:
        level = level.below(strip, unit)
    return level.bottom <= height + SLACK
