"""How a book begins that has no cover page: its title in the first column, or above the columns of a sheet."""

from collections.abc import Sequence
from dataclasses import replace

from generator.errors import Problem, ProblemsFound
from generator.pages.blocks import Book, Cover
from generator.pages.cover import cover_things
from generator.pages.leaflets.masthead import masthead_things
from generator.pages.leaves import Leaf
from generator.pages.setter import Setter
from generator.pages.strips import Strip, on_grid
from generator.pages.style import Look
from generator.units import Rect

_SHEET_TITLE = 31.0
"""mm: how high the title of a sheet is."""

_TITLE_SHARE = 0.4
"""Of a leaflet's first column: what its title takes with the picture."""

_MASTHEAD_SHARE = 0.3
"""Of the first column: what a masthead may take."""


class Overfull(ProblemsFound):
    """A book has more than its sheet holds: `share` of the columns of its pages."""

    def __init__(self, problem: Problem, share: float):
        super().__init__([problem])
        self.share = share


def title_strip(setter: Setter, cover: Cover, height: float) -> Strip:
    """The cover at the head of the first column, which is `height` mm high; a masthead is as high as its words.

    On a sheet it stands across the columns.
    """
    if setter.look.format.opening == "sheet":
        room = Rect(0, 0, setter.look.room(1).width, _SHEET_TITLE)
        title = Strip(room.height, tuple(masthead_things(setter, _pictured(cover), room)))
        return Strip(0.0, flows=True, wide=title)
    if setter.look.format.opening == "masthead":
        room = Rect(0, 0, setter.look.column, height * _MASTHEAD_SHARE)
        things = masthead_things(setter, _pictured(cover), room)
        bottom = on_grid(max(thing.box.bottom for thing in things), setter.look.unit)
        return Strip(bottom, tuple(things), opens=True)
    room = Rect(0, 0, setter.look.column, height * _TITLE_SHARE)
    return Strip(room.height, tuple(cover_things(setter, _pictured(cover), room)), opens=True)


def check_sheet(book: Book, leaves: Sequence[Leaf], look: Look, height: float) -> None:
    """Leave the pages of a sheet without numbers. Raise Overfull if there are more than its format allows.

    `height` is that of a page's columns, mm.
    """
    columns, sides = look.format.columns, look.format.sides
    if len(leaves) > sides:
        more = columns * sum(leaf.bottom for leaf in leaves[sides:])
        much = f"about {more:.0f} mm of a column too long for both sides of one {look.format.name}"
        hint = "write less, or take less of the rulebook (`take:`, `most:`)"
        problem = Problem(book.origin.place, f"{book.name} ({look.lang}): {much}", hint)
        raise Overfull(problem, 1 + more / (sides * columns * height))
    for leaf in leaves:
        leaf.plain = True


def _pictured(cover: Cover) -> Cover:
    """A cover without a ground, which needs a page."""
    return replace(cover, picture=cover.shown, ground=None, ink="")
