"""How a book begins that has no cover page: its title in the first column, or above the columns of its only page."""

from collections.abc import Sequence
from dataclasses import replace

from generator.errors import Problem, ProblemsFound
from generator.pages.blocks import Book, Cover
from generator.pages.cover import cover_things
from generator.pages.leaflets.masthead import masthead_things
from generator.pages.leaves import Leaf
from generator.pages.setter import Setter
from generator.pages.strips import Strip, on_grid
from generator.units import Rect

_GAP = 4.0
"""mm between the title of a sheet and its columns."""

_TITLE_SHARE = 0.4
"""Of a leaflet's first column: what its title takes with the picture."""

_MASTHEAD_SHARE = 0.3
"""Of the first column: what a masthead may take."""


class Overfull(ProblemsFound):
    """A book has more than its one page holds: `share` of that page's columns."""

    def __init__(self, problem: Problem, share: float):
        super().__init__([problem])
        self.share = share


def title_strip(setter: Setter, cover: Cover, height: float) -> Strip:
    """The cover at the head of the first column, which is `height` mm high; a masthead is as high as its words."""
    if setter.look.format.opening == "masthead":
        room = Rect(0, 0, setter.look.column, height * _MASTHEAD_SHARE)
        things = masthead_things(setter, _pictured(cover), room)
        bottom = on_grid(max(thing.box.bottom for thing in things), setter.look.unit)
        return Strip(bottom, tuple(things), opens=True)
    room = Rect(0, 0, setter.look.column, height * _TITLE_SHARE)
    return Strip(room.height, tuple(cover_things(setter, _pictured(cover), room)), opens=True)


def head_sheet(setter: Setter, book: Book, leaves: Sequence[Leaf], height: float) -> None:
    """The title above the columns (`height` mm) of the only page, which has no number; Overfull if there are more."""
    look, room, columns = setter.look, setter.look.room(1), setter.look.format.columns
    if len(leaves) > 1:
        more = columns * sum(leaf.bottom for leaf in leaves[1:])
        what = f"{book.name} ({look.lang}): about {more:.0f} mm of a column too long for one {look.format.name}"
        hint = "write less, or take less of the rulebook (`take:`, `most:`)"
        raise Overfull(Problem(book.origin.place, what, hint), 1 + more / (columns * height))
    leaves[0].plain = True
    top = look.format.bottom
    above = Rect(room.x, top, room.width, room.y - top - _GAP)
    leaves[0].things += masthead_things(setter, _pictured(book.cover), above)


def _pictured(cover: Cover) -> Cover:
    """A cover without a ground, which needs a page."""
    return replace(cover, picture=cover.shown, ground=None, ink="")
