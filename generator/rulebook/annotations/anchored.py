"""A figure while it is composed: its items in mm, and by name where everything lies that something may point at.

Whatever composes a picture (pieces side by side, a board, zones, a table) gives one of these; what explains it
(arrows, halos, callouts, what is faded) is made of the anchors alone and never asks what the picture shows.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from generator.dataclass import dataclass
from generator.model.drawing import Drawing, Group, Item
from generator.model.outline import rectangle
from generator.rulebook.layouts import drawing_of
from generator.units import Rect


class Anchor(NamedTuple):
    """Something of a figure that has a name: the box around it, its outline, and which items are it, by their places.

    The outline is a path in the figure's mm, empty for the box itself. A part of an item has no items of its own.
    """

    box: Rect
    outline: str = ""
    items: tuple[int, ...] = ()

    @property
    def path(self) -> str:
        """Its outline, or that of its box."""
        return self.outline or rectangle(self.box)


@dataclass(frozen=True, slots=True)
class Anchored:
    """A figure's items in mm, the box around all, its anchors by name, and the boxes of words no line may cross.

    Names are those that a writer uses: a piece's number from 1, a space, `zone`, `zone N`, a place of the table.
    """

    items: tuple[Item, ...]
    box: Rect
    anchors: Mapping[str, Anchor]
    words: tuple[Rect, ...] = ()

    def drawing(self, lang: str, title: str) -> Drawing:
        """The figure as a drawing that begins at the upper left corner of its box."""
        return drawing_of(self.items, self.box, lang, title)

    def moved(self, x: float, y: float) -> "Anchored":
        """The figure x mm further right and y mm further down, its outlines as boxes."""
        shift = (1.0, 0.0, 0.0, 1.0, round(x, 3), round(y, 3))
        return Anchored(
            tuple([Group((item,), shift) for item in self.items]),
            self.box.moved(x, y),
            {name: Anchor(one.box.moved(x, y), "", one.items) for name, one in self.anchors.items()},
            tuple([box.moved(x, y) for box in self.words]),
        )


def all_around(boxes: Iterable[Rect]) -> Rect | None:
    """The box around boxes; None around none."""
    whole: Rect | None = None
    for box in boxes:
        whole = box if whole is None else whole.united(box)
    return whole
