"""The key to a figure's numbers: a list beside the picture where that leaves room, else in two columns below it."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

from generator.errors import Place
from generator.model.structure import Tag
from generator.model.text import RING, Icon
from generator.pages.blocks import Figure, Text
from generator.pages.lines import baseline, line_thing
from generator.pages.setter import Setter
from generator.pages.strips import Thing
from generator.pages.style import TypeStyle
from generator.units import Rect

LEAST_EMS = 13.0
"""em: a key narrower than this does not stand beside its picture."""

GAP = 5.0
"""mm between the picture and the key beside it, and between two columns of a key."""

_INDENT = 1.7
_BETWEEN = 0.35
"""em: from a number to its words; of a line's pitch: between two entries."""

_RING_EMS = 1.25


class KeySetter:
    """Sets the keys of one book's figures."""

    def __init__(self, setter: Setter):
        self._setter = setter

    def width_beside(self, picture: float, column: float) -> float:
        """How wide a key beside a picture would be, mm; 0 where there is too little room for one."""
        room = column - picture - GAP
        return room if room >= LEAST_EMS * self._style.em else 0.0

    def things(self, figure: Figure, width: float, columns: int, part: int) -> tuple[list[Thing], float]:
        """The key from (0, 0) in a width, mm, in so many columns of nearly equal height; and its height."""
        wide = (width - GAP * (columns - 1)) / columns
        entries = [
            self._entry(text, number, wide, part, figure.origin.part(number - 1))
            for number, text in enumerate(figure.key, start=1)
        ]
        between = _BETWEEN * self._style.pitch
        things: list[Thing] = []
        tall = 0.0
        for column, some in enumerate(_in_columns(entries, columns)):
            y = 0.0
            for lines, high in some:
                things += [thing.moved(column * (wide + GAP), y) for thing in lines]
                y += high + between
            tall = max(tall, y - between)
        return things, tall

    @property
    def _style(self) -> TypeStyle:
        return replace(self._setter.look.note, paint="ink")

    def _entry(
        self, text: Text, number: int, width: float, part: int, place: Place | None
    ) -> tuple[list[Thing], float]:
        """A number and its words, and how high they are, mm."""
        style, look = self._style, self._setter.look
        item = (Tag("L", part + 1, listing="Decimal"), Tag("LI", number))
        indent = _INDENT * style.em
        drop = baseline(look, style, style.pitch)
        ring = (Icon(f"{RING}{number}", look.accent, _RING_EMS * style.em),)
        mark = self._setter.lines(ring, style, 2 * indent, place)[0]
        box = Rect(0, 0, indent, style.pitch)
        things = [line_thing(mark, "list", 0.0, drop, box, part, (*item, Tag("Lbl", 1)))]
        lines = self._setter.lines(text, style, width - indent, place)
        for at, line in enumerate(lines):
            box = Rect(indent, at * style.pitch, width - indent, style.pitch)
            things.append(line_thing(line, "list", 0.0, drop, box, part, (*item, Tag("LBody", 2))))
        return things, max(1, len(lines)) * style.pitch


_Entry = tuple[list[Thing], float]


def _in_columns(entries: Sequence[_Entry], columns: int) -> list[Sequence[_Entry]]:
    """The entries in their order, in columns of which the first is never the shorter one by more than an entry."""
    if columns == 1:
        return [entries]
    total = sum(high for _, high in entries)
    taken, at = 0.0, 0
    while at < len(entries) and taken + entries[at][1] / 2 < total / 2:
        taken += entries[at][1]
        at += 1
    at = max(at, ceil(len(entries) / 2) if len({high for _, high in entries}) == 1 else 1)
    return [entries[:at], entries[at:]]
