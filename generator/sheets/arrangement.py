"""What every way of laying pieces on a sheet tells the page composer."""

from collections.abc import Collection
from typing import Protocol

from generator.model.drawing import Item
from generator.model.sheet import Turn
from generator.sheets.imposition import Axis
from generator.units import Rect, Size


class Arrangement(Protocol):
    """Where the pieces of one sheet lie, counted from 0; page coordinates in mm. Hashable: equal ones look alike."""

    @property
    def paper(self) -> Size:
        """The sheet."""

    @property
    def capacity(self) -> int:
        """How many pieces it holds."""

    @property
    def fold(self) -> Axis | None:
        """About which line the sheet is folded, where backs lie beside their fronts."""

    @property
    def turn(self) -> Turn:
        """How far fronts are turned, degrees clockwise."""

    @property
    def art(self) -> Rect:
        """All that faces may cover: fronts, with a fold also backs, and the bleed around them."""

    def slot(self, index: int) -> Rect:
        """The trim of a piece; it may reach beyond the paper where only a part of it is printed."""

    def clip(self, index: int, bleed: float, taken: Collection[int]) -> Rect:
        """What may be printed of a face with so much bleed; `taken` are the slots that hold a piece."""

    def cuts(self, taken: Collection[int]) -> tuple[list[float], list[float]]:
        """The x of vertical and y of horizontal straight cuts that marks at the paper's edge stand for, ascending."""

    def over(self) -> tuple[Item, ...]:
        """What is printed over the fronts: joins of tiles; nothing on most sheets."""
