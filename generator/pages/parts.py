"""The parts of lists set: texts, boxes to tick and pictures, side by side and below each other, with their heights."""

from collections.abc import Iterable

from generator.model.drawing import Shape
from generator.model.outline import rectangle
from generator.pages.blocks import Artwork, Halves, Lettering, ListPart, Part, Row, RuledLine, Stack, TickBox
from generator.pages.makeup.ways import fill_columns
from generator.pages.setter import Setter
from generator.pages.strips import Strip, Thing, rule
from generator.pages.style import HAIR, RULE, TICK, TICK_LINE
from generator.units import Rect

_DOWN = {"top": 0.0, "middle": 0.5, "low": 1.0}


class PartSetter:
    """Sets parts for columns `height` mm high."""

    def __init__(self, setter: Setter, height: float):
        self._setter, self._height = setter, height

    def strips(self, part: ListPart) -> list[Strip]:
        """A part in one strip; the parts of halves each in one where a column can't hold them together."""
        if not isinstance(part, Halves):
            return [self.strip(part)]
        both = self.strip(Row(((0.0, Stack(part.left)), (part.pitch, Stack(part.right))), part.above))
        return [both] if both.height <= self._height else [self.strip(one) for one in (*part.left, *part.right)]

    def pages(self, parts: Iterable[ListPart], room: Rect) -> list[list[Thing]]:
        """The things of each page that the parts fill, in its room (mm). NoRoom where one is taller than that."""
        columns = fill_columns([strip for part in parts for strip in self.strips(part)], room.height)
        return [
            [thing.moved(room.x, room.y + put.y) for put in column.puts for thing in put.strip.things]
            for column in columns
        ]

    def strip(self, part: Part) -> Strip:
        """A part, from x = 0."""
        if isinstance(part, Lettering):
            done = self._setter.set_in_box(part.text, part.style, part.width, part.place)
            box = Rect(0, 0, part.width, done.taken)
            return Strip(done.taken, (Thing("text", box, done.items, name=part.name),), part.above)
        if isinstance(part, RuledLine):
            return Strip(0.0, (rule(0, 0, part.width, part.paint, part.thick),), part.above)
        if isinstance(part, TickBox):
            square = rectangle(Rect(0, 0, TICK, TICK).grown(-TICK_LINE / 2))
            drawn = Shape(square, "#ffffff", "ink", TICK_LINE, join="round", role="frame")
            return Strip(TICK, (Thing("tick", Rect(0, 0, TICK, TICK), (drawn,), name=part.name),))
        if isinstance(part, Artwork):
            return Strip(part.size.height, (self._art(part),), part.above)
        if isinstance(part, Stack):
            return self._stack(part)
        strips = [(x, self.strip(one)) for x, one in part.parts]
        high = max(strip.above + strip.height for _, strip in strips)
        things = []
        for at, (x, strip) in enumerate(strips):
            down = _DOWN[part.lie] * (high - strip.height) if at or part.lie != "low" else 0.0
            things += [thing.moved(x, strip.above + down) for thing in strip.things]
        return Strip(high, tuple(things), part.above)

    def _art(self, art: Artwork) -> Thing:
        box, items = Rect(0, 0, art.size.width, art.size.height), art.items
        if art.words is not None:
            frame = Shape(rectangle(box), stroke=RULE, width=HAIR, role="frame")
            said = self._setter.set_in_box(art.words.text, art.words.style, art.words.width, art.words.place)
            items = (frame, *said.items)
        return Thing(art.role, box, items, name=art.name)

    def _stack(self, stack: Stack) -> Strip:
        strips = [self.strip(part) for part in stack.parts]
        things: list[Thing] = []
        y = 0.0
        for at, strip in enumerate(strips):
            y += strips[at - 1].height + strip.above if at else 0.0
            things += [thing.moved(0, y) for thing in strip.things]
        again = (self.strip(stack.again),) if stack.again is not None else ()
        high = y + (strips[-1].height if strips else 0.0) + stack.below
        return Strip(high, tuple(things), stack.above, keep=stack.keep, again=again)
