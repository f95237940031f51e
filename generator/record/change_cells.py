"""The cells of a list of changes: a design's old and new picture, how many go out and in, what it is called."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from generator.checklist.cells import GUTTER, Columns, captioned, picture, scale_for
from generator.checklist.setting import GREY, ListSetter, ListStyle
from generator.checklist.things import HAIR, RULE, TICK, ListBlock, ListThing, side_by_side, stacked, tick_box
from generator.model.drawing import Drawing, Shape
from generator.model.edition import first_language
from generator.model.game import Kind
from generator.model.outline import rectangle
from generator.model.phrases import phrase
from generator.record.changes import Change, Changes, Hashes, pictures_of, sides_to_see
from generator.record.editions import Edition
from generator.record.parts import EditionDesign
from generator.units import Rect, Size

_COUNT = ListStyle(9.0, least=6.0, bold=True)
_NAME = ListStyle(6.5, phrases=True)
_SMALL = ListStyle(6.0, paint=GREY)
_ARROW = 4.4
"""mm between an old picture and its new one, where the arrow stands."""

_PAIR = Size(60.0, 26.0)
"""mm: how large an old and a new picture are at most, so that one sees what changed."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A block that is so many columns wide."""

    block: ListBlock
    columns: int


@dataclass(frozen=True, slots=True)
class CellSetter:
    """Sets the cells of changes in the columns of a page."""

    changes: Changes
    setter: ListSetter
    columns: Columns
    seen: set[Hashes] = field(default_factory=set)

    def cells(self, change: Change) -> Iterator[Cell]:
        """A cell for each side that is to be looked at; the first one has the numbers and the name.

        A side that changed as one above did is not shown again: the front alone says which piece it is.
        """
        compared = sides_to_see(self.changes, change, self.seen)
        for number, face in enumerate(compared or ("front",)):
            old, new = pictures_of(self.changes, change, face)
            shown = self._shown(change, old, new, paired=bool(compared))
            columns = min(self.columns.number, max(1, ceil((shown[-1].box.right + GUTTER) / self.columns.pitch - 1e-6)))
            width = self.columns.span(columns)
            lines = [] if number else self._lines(change, width)
            named = (face,) if compared else change.faces
            if len(change.faces) > 1 or named not in ((), ("front",)):
                label = phrase("and", self._lang).join(phrase(one, self._lang) for one in named)
                lines.append([self.setter.text(label, width, _SMALL, None, f"side {change.id} {face}")])
            yield Cell(_under(shown, lines), columns)

    @property
    def _lang(self) -> str:
        return first_language(self.changes.lang)

    def _shown(self, change: Change, old: Drawing | None, new: Drawing | None, *, paired: bool) -> list[ListThing]:
        """The old picture, an arrow and the new one; one picture alone where there is nothing to compare."""
        sides = [(self.changes.since, change.before, old, "old"), (self.changes.until, change.after, new, "new")]
        if not paired:
            sides = sides[:1] if change.sort == "removed" else sides[1:]
        known = [side for side in sides if side[1] is not None]
        sizes = [edition.kinds[design.kind].size for edition, design, _, _ in known if design]
        factor = min(self._factor(size, paired=len(known) > 1) for size in sizes)
        things: list[ListThing] = []
        for edition, design, drawing, when in known:
            if design is None:
                continue
            if things:
                things.append(_arrow(things[-1].box))
            thing = self._picture(edition, design, drawing, factor, f"{when} {change.id}")
            things.append(thing.moved(things[-1].box.right if things else 0.0, 0.0))
        return things

    def _factor(self, size: Size, *, paired: bool) -> float:
        """How large a piece is drawn, 1 for its true size."""
        if not paired:
            return scale_for(size, self.columns).factor
        widest = min(_PAIR.width, (self.columns.width - _ARROW) / 2)
        return min(widest / size.width, _PAIR.height / size.height, 1.0)

    def _picture(
        self, edition: Edition, design: EditionDesign, drawing: Drawing | None, factor: float, name: str
    ) -> ListThing:
        """A face as it is cut out; an empty frame that says so where there is no picture of it."""
        kind = edition.kinds[design.kind]
        if drawing is not None:
            cut = Kind(kind.id, kind.name, kind.size, (), corner=kind.corner, outline=kind.outline)
            return picture(drawing, cut, factor, name)
        box = Rect(0, 0, kind.size.width * factor, kind.size.height * factor)
        frame = Shape(rectangle(box), stroke=RULE, width=HAIR, role="frame")
        words = self.setter.text(phrase("changes_no_picture", self._lang), box.width, replace(_SMALL, least=2.0))
        return ListThing("picture", box, (frame, *words.items), name)

    def _lines(self, change: Change, width: float) -> list[list[ListThing]]:
        """The numbers with a box to tick where something is to be done, the name, the id where it tells more."""
        tick = [tick_box(0, 0, change.id)] if change.to_print or change.take_out else []
        left = TICK + 1.4 if tick else 0.0
        number = self.setter.text(numbers(change), width - left, _COUNT, None, f"count {change.id}")
        lines = [[*tick, number.moved(left, 0)]]
        name = self.changes.name(change)
        if name:
            lines.append([self.setter.text(name, width, _NAME, None, f"name {change.id}")])
        shown = change.id
        if change.sort == "renamed" and change.before:
            shown = f"{change.before.id} → {change.id}"
        lines.append([self.setter.text(shown, width, _SMALL, None, f"id {change.id}")])
        return lines


def numbers(change: Change) -> str:
    """`−3 +3` of an exchanged design, `3 → 5  +2` where only the number of copies is another."""
    parts = [f"−{change.take_out}"] if change.take_out else []
    parts += [f"+{change.to_print}"] if change.to_print else []
    before, after = change.before, change.after
    if before and after and before.count != after.count and change.sort != "changed":
        parts.insert(0, f"{before.count} → {after.count} ")
    return " ".join(parts) or f"×{after.count if after else 0}"


def in_rows(cells: Sequence[Cell], columns: Columns) -> Iterator[ListBlock]:
    """The cells from left to right, row below row; side by side as far as the columns reach."""
    row: list[ListBlock] = []
    at = 0
    for cell in cells:
        if row and at + cell.columns > columns.number:
            yield side_by_side(row, 0.0)
            row, at = [], 0
        row.append(stacked([cell.block], at * columns.pitch))
        at += cell.columns
    if row:
        yield side_by_side(row, 0.0)


def _under(shown: Sequence[ListThing], lines: Sequence[Sequence[ListThing]]) -> ListBlock:
    """Pictures with lines under them."""
    high = max(thing.box.height for thing in shown)
    whole = Rect(0, 0, shown[-1].box.right, high)
    block = captioned(ListThing("picture", whole, ()), lines)
    return ListBlock(block.height, (*shown, *block.things[1:]))


def _arrow(left: Rect) -> ListThing:
    """A small arrow to the right of a picture, half way down."""
    size = Size(_ARROW, 2.4)
    box = Rect(left.right, max(0.0, (left.height - size.height) / 2), size.width, size.height)
    path = "M 1 0 L 3.4 1.2 L 1 2.4 Z"
    return ListThing("rule", box, (Shape(path, GREY, role="frame"),), "arrow")
