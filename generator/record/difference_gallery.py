"""Old and new pictures in pairs for the printable comparison, as many beside each other as the width takes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from generator.checklist.cells import captioned, picture
from generator.checklist.setting import GREY, Setter, Style
from generator.checklist.things import HAIR, RULE, Block, Thing, side_by_side, stacked
from generator.faces.workshop import Workshop
from generator.model.drawing import Shape
from generator.model.game import Kind
from generator.model.outline import rectangle
from generator.model.phrases import phrase
from generator.model.text import Words
from generator.record.differences import Difference
from generator.record.editions import Edition
from generator.record.portraits import Pair, pairs
from generator.record.wording import name_of
from generator.units import Rect

_HIGH, _BETWEEN, _ARROW, _ABOVE = 35.0, 8.0, 5.0, 3.0
"""mm: how high pictures are at most, so that small letters can be read; the room between pairs, within, above them."""

_NAME, _SMALL = Style(6.5), Style(6.0, paint=GREY)


@dataclass(frozen=True, slots=True)
class Gallery:
    """The pairs of pictures of a comparison in a language, on a page `width` mm wide that `workshop` writes."""

    found: Difference
    states: tuple[Edition, Edition]
    lang: str
    setter: Setter
    workshop: Workshop
    width: float

    def rows(self) -> Iterator[Block]:
        """Rows of pairs; none where nothing looks different."""
        row: list[Block] = []
        at = 0.0
        for pair in pairs(self.found, *self.states, self.lang):
            cell, wide = self._cell(pair)
            if row and at + wide > self.width:
                yield side_by_side(row, _ABOVE)
                row, at = [], 0.0
            row.append(stacked([cell], at))
            at += wide + _BETWEEN
        if row:
            yield side_by_side(row, _ABOVE)

    def _cell(self, pair: Pair) -> tuple[Block, float]:
        """A pair with its caption, and its width, mm."""
        since, until = self.states
        sides = [(since, pair.before), (until, pair.entry.id)]
        sizes = [one.kinds[one.designs[design].kind].size for one, design in sides]
        room = (self.width - _BETWEEN) / 2 - _ARROW
        factor = min([1.0, *(_HIGH / size.height for size in sizes), room / sum(size.width for size in sizes)])
        old, new = (self._picture(one, design, pair, factor) for one, design in sides)
        new = new.moved(old.box.width + _ARROW, 0)
        wide = new.box.right
        between = Rect(old.box.width, max(0.0, old.box.height / 2 - 1.2), _ARROW, 2.4)
        arrow = Thing("rule", between, (Shape("M 1.3 0 L 3.7 1.2 L 1.3 2.4 Z", GREY, role="frame"),), "arrow")
        name = self.setter.text(name_of(pair.entry, self.lang) or pair.entry.id, wide, _NAME)
        more = f" +{len(pair.also)}" if pair.also else ""
        small = self.setter.text(f"{pair.entry.id} {phrase(pair.face, self.lang)}{more}", wide, _SMALL)
        whole = Thing("picture", Rect(0, 0, wide, max(old.box.height, new.box.height)), ())
        block = captioned(whole, [[name], [small]])
        return Block(block.height, (old, arrow, new, *block.things[1:])), wide

    def _picture(self, one: Edition, design: str, pair: Pair, factor: float) -> Thing:
        """A side as it is cut out; an empty frame that says so where there is no picture of it."""
        kind = one.kinds[one.designs[design].kind]
        drawing = one.face(design, pair.face, self.lang, self.workshop)
        if drawing is not None:
            cut = Kind(kind.id, Words(kind.name), kind.size, (), corner=kind.corner, outline=kind.outline)
            return picture(drawing, cut, factor, f"{'new' if one is self.states[1] else 'old'} {design} {pair.face}")
        box = Rect(0, 0, kind.size.width * factor, kind.size.height * factor)
        words = self.setter.text(phrase("changes_no_picture", self.lang), box.width, replace(_SMALL, least=2.0))
        frame = Shape(rectangle(box), stroke=RULE, width=HAIR, role="frame")
        return Thing("picture", box, (frame, *words.items), f"no picture {design} {pair.face}")
