"""The cells of a list of changes: a design's old and new picture, how many go out and in, what it is called."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil

from generator.model.drawing import Drawing
from generator.model.edition import first_language
from generator.model.phrases import phrase
from generator.pages.blocks import Artwork, Lettering, Part, Row, TickBox
from generator.pages.cells import GUTTER, Columns, before_and_after, captioned, cut_out, no_picture, scale_for
from generator.pages.style import COUNT, NAME, SMALL, TICK
from generator.record.changes import Change, Changes, Hashes, pictures_of, sides_to_see
from generator.record.editions import Edition
from generator.units import Size

_ARROW = 4.4
"""mm between an old picture and its new one, where the arrow stands."""

_PAIR = Size(60.0, 26.0)
"""mm: how large an old and a new picture are at most, so that one sees what changed."""


@dataclass(frozen=True, slots=True)
class ChangeCells:
    """The cells of changes in the columns of a page."""

    changes: Changes
    columns: Columns
    seen: set[Hashes] = field(default_factory=set)

    def cells(self, change: Change) -> Iterator[tuple[Part, int]]:
        """A cell for each side that is to be looked at, and its columns; the first one has the numbers and the name.

        A side that changed as one above did is not shown again: the front alone says which piece it is.
        """
        compared = sides_to_see(self.changes, change, self.seen)
        for number, face in enumerate(compared or ("front",)):
            old, new = pictures_of(self.changes, change, face)
            shown, wide = self._shown(change, old, new, paired=bool(compared))
            columns = min(self.columns.number, max(1, ceil((wide + GUTTER) / self.columns.pitch - 1e-6)))
            width = self.columns.span(columns)
            lines = [] if number else self._lines(change, width)
            named = (face,) if compared else change.faces
            if len(change.faces) > 1 or named not in ((), ("front",)):
                label = phrase("and", self._lang).join(phrase(one, self._lang) for one in named)
                lines.append([(0.0, Lettering(label, SMALL, width, name=f"side {change.id} {face}"))])
            yield captioned(shown, lines), columns

    @property
    def _lang(self) -> str:
        return first_language(self.changes.lang)

    def _shown(self, change: Change, old: Drawing | None, new: Drawing | None, *, paired: bool) -> tuple[Part, float]:
        """The old picture, an arrow and the new one, and their width; one picture where there is nothing to compare."""
        sides = [(self.changes.since, change.before, old, "old"), (self.changes.until, change.after, new, "new")]
        if not paired:
            sides = sides[:1] if change.sort == "removed" else sides[1:]
        known = [(edition, design, drawing, when) for edition, design, drawing, when in sides if design]
        factor = min(self._factor(edition.kinds[one.kind].size, paired=len(known) > 1) for edition, one, _, _ in known)
        arts = [
            picture_of(edition, one.kind, drawing, factor, f"{when} {change.id}", self._lang)
            for edition, one, drawing, when in known
        ]
        if len(arts) == 1:
            return arts[0], arts[0].size.width
        pair, wide = before_and_after(arts[0], arts[1], _ARROW)
        return Row(pair), wide

    def _factor(self, size: Size, *, paired: bool) -> float:
        """How large a piece is drawn, 1 for its true size."""
        if not paired:
            return scale_for(size, self.columns).factor
        widest = min(_PAIR.width, (self.columns.width - _ARROW) / 2)
        return min(widest / size.width, _PAIR.height / size.height, 1.0)

    def _lines(self, change: Change, width: float) -> list[list[tuple[float, Part]]]:
        """The numbers with a box to tick where something is to be done, the name, the id where it tells more."""
        tick: list[tuple[float, Part]] = [(0.0, TickBox(change.id))] if change.to_print or change.take_out else []
        left = TICK + 1.4 if tick else 0.0
        lines = [[*tick, (left, Lettering(numbers(change), COUNT, width - left, name=f"count {change.id}"))]]
        name = self.changes.name(change)
        if name:
            lines.append([(0.0, Lettering(name, NAME, width, name=f"name {change.id}"))])
        shown = change.id
        if change.sort == "renamed" and change.before:
            shown = f"{change.before.id} → {change.id}"
        lines.append([(0.0, Lettering(shown, SMALL, width, name=f"id {change.id}"))])
        return lines


def picture_of(edition: Edition, kind: str, drawing: Drawing | None, factor: float, name: str, lang: str) -> Artwork:
    """A face of a kind as it is cut out; an empty frame that says so where there is no picture of it."""
    cut = edition.kinds[kind]
    if drawing is not None:
        return cut_out(drawing, cut.outline, cut.corner, factor, name)
    size = Size(cut.size.width * factor, cut.size.height * factor)
    return no_picture(size, phrase("changes_no_picture", lang), name)


def numbers(change: Change) -> str:
    """`−3 +3` of an exchanged design, `3 → 5  +2` where only the number of copies is another."""
    parts = [f"−{change.take_out}"] if change.take_out else []
    parts += [f"+{change.to_print}"] if change.to_print else []
    before, after = change.before, change.after
    if before and after and before.count != after.count and change.sort != "changed":
        parts.insert(0, f"{before.count} → {after.count} ")
    return " ".join(parts) or f"×{after.count if after else 0}"
