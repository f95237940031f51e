"""What lies on a page of a check list, in blocks that are set one below the other and broken into pages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from generator.model.drawing import Group, Item, Shape
from generator.model.outline import rectangle
from generator.units import MM_PER_PT, Rect

RULE = "#bdbdbd"
"""The grey of quiet lines."""

HAIR = 0.3 * MM_PER_PT
TICK = 4.0
_TICK_LINE = 0.8 * MM_PER_PT
_SLACK = 1e-6

ThingRole = Literal["text", "tick", "picture", "rule"]


@dataclass(frozen=True, slots=True)
class ListThing:
    """Something placed: its box in mm, what it draws (coordinates from the box's corner), its name."""

    role: ThingRole
    box: Rect
    items: tuple[Item, ...]
    name: str = ""

    def moved(self, dx: float, dy: float) -> "ListThing":
        """The same thing, dx mm to the right and dy mm down."""
        return replace(self, box=self.box.moved(dx, dy))

    def drawn(self) -> Group:
        """It on its page; a program that reads the display list finds tick boxes by their id."""
        matrix = (1.0, 0.0, 0.0, 1.0, round(self.box.x, 3), round(self.box.y, 3))
        return Group(self.items, matrix, id=self.role, data=(("name", self.name),) if self.name else ())


@dataclass(frozen=True, slots=True)
class ListBlock:
    """Things that stay together; `above` is the room before it unless it begins a page.

    `keep`: the next block stands on the same page. `again`: what is repeated above it where it begins a page.
    """

    height: float
    things: tuple[ListThing, ...]
    above: float = 0.0
    keep: bool = False
    again: "ListBlock | None" = None


class NoRoom(Exception):
    """A block is taller than a page."""


def tick_box(x: float, y: float, name: str) -> ListThing:
    """An empty square to be ticked, with its upper left corner at (x, y) mm."""
    inset = _TICK_LINE / 2
    path = rectangle(Rect(0, 0, TICK, TICK).grown(-inset))
    return ListThing(
        "tick", Rect(x, y, TICK, TICK), (Shape(path, "#ffffff", "ink", _TICK_LINE, join="round", role="frame"),), name
    )


def rule(x: float, y: float, length: float, paint: str = RULE, width: float = HAIR) -> ListThing:
    """A horizontal line from (x, y), `width` mm thick below it."""
    bar = Rect(0, 0, length, width)
    return ListThing("rule", bar.moved(x, y), (Shape(rectangle(bar), paint, role="frame"),))


def stacked(blocks: Iterable[ListBlock], x: float = 0.0) -> ListBlock:
    """The blocks one below the other as one, moved `x` mm to the right."""
    things: list[ListThing] = []
    y = 0.0
    for block in blocks:
        y += block.above if things else 0.0
        things += [thing.moved(x, y) for thing in block.things]
        y += block.height
    return ListBlock(y, tuple(things))


def side_by_side(blocks: Sequence[ListBlock], above: float) -> ListBlock:
    """Blocks that have their places from left to right already, as one."""
    things = tuple(thing for block in blocks for thing in block.things)
    return ListBlock(max(block.height for block in blocks), things, above)


def paged(blocks: Sequence[ListBlock], room: Rect) -> list[list[ListThing]]:
    """The things of each page, moved into the room (mm). NoRoom when a block and what it repeats fill more than a page.

    Blocks that are kept together begin a new page together, as far as one page holds them.
    """
    pages: list[list[ListThing]] = [[]]
    y = 0.0
    for at, block in enumerate(blocks):
        above = block.above if pages[-1] else 0.0
        if pages[-1] and y + above + _kept_height(blocks, at, room.height) > room.height + _SLACK:
            pages.append([])
            y = above = 0.0
            if block.again is not None:
                pages[-1] += [thing.moved(room.x, room.y) for thing in block.again.things]
                y, above = block.again.height, block.above
        y += above
        if y + block.height > room.height + _SLACK:
            raise NoRoom
        pages[-1] += [thing.moved(room.x, room.y + y) for thing in block.things]
        y += block.height
    return pages


def _kept_height(blocks: Sequence[ListBlock], at: int, most: float) -> float:
    """The height of a block with those that it is kept together with; its own where they fill more than a page."""
    height = blocks[at].height
    for before, block in zip(blocks[at:], blocks[at + 1 :], strict=False):
        if not before.keep:
            break
        height += block.above + block.height
    return height if height <= most else blocks[at].height
