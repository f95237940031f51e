"""A text made up once that gives its lines one by one, at any measure, for columns and pages that part it."""

from dataclasses import replace
from typing import NamedTuple

from generator.model.drawing import Item
from generator.model.scripts import is_airy
from generator.model.text import LineBreak, RichText
from generator.text.fonts import FontBook
from generator.text.galley import Galley
from generator.text.linebreak import Line
from generator.text.makeup import Makeup
from generator.text.phrasing import Phrasing, phrasing
from generator.text.ruby import ruby_size
from generator.text.textbox import IconFinder, TextBox
from generator.text.textset import broken_lines, parting_of, put_line, uneven
from generator.text.typecase import is_cjk
from generator.text.wordwrap import Spacing
from generator.units import MM_PER_PT

_RUBY_CLEAR = 1.08  # em of a line with ruby that its own type takes
_SLACK = 1e-6  # mm


class SetLine(NamedTuple):
    """A line as it was set, from x = 0 on the baseline y = 0 (a column: down from y = 0, its middle at x = 0).

    `width` is its natural width (a column's length) in mm, without what justifying adds.
    """

    items: tuple[Item, ...]
    text: str
    width: float


class Passage:
    """A text in the style of its box, at the box's size; place, width and height of the box don't count.

    `above` and `below` are how far a line's type reaches from its baseline (ruby included), `pitch` the way from one
    baseline to the next, `natural` the width on one line and `narrowest` that of the widest part that cannot be
    broken, all in mm. KeyError: unknown family.
    """

    def __init__(self, rich: RichText, box: TextBox, fonts: FontBook, icon: IconFinder):
        makeup = Makeup(rich, box, fonts, icon)
        self._box, self._em = box, box.size * MM_PER_PT
        self._galleys = [galley for galley, _ in makeup.paragraphs(box.size)]
        cjk = is_cjk(box.lang)
        self._parting = parting_of(box, fonts)
        self._phrases: Phrasing | None = phrasing(fonts.memo, box.lang) if box.phrases else None
        by_words = box.phrases or not cjk
        self._manner = Spacing(box.align == "justify", box.align == "middle" or box.phrases) if by_words else None
        self.missing, self.unknown_icons, self.unturned = makeup.missing, makeup.unknown_icons, makeup.unturned
        self.unweighted = makeup.unweighted
        ruby = ruby_size(box.size) * MM_PER_PT if makeup.has_ruby else 0.0
        leading = box.leading or (1.5 if is_airy(box.lang) else 1.25)
        ascent, descent = makeup.extent
        if uneven(rich, box):  # all its lines are as high as the largest of its type asks
            tallest = max(inline.manner.size for inline in rich if not isinstance(inline, LineBreak))
            ascent, descent, leading = ascent * tallest, descent * tallest, leading * tallest
        self.above, self.below = ascent * self._em + ruby, descent * self._em
        self.pitch = max(leading * self._em, self._em * _RUBY_CLEAR + ruby if ruby else 0.0)

    @property
    def natural(self) -> float:
        """How wide the text is where nothing breaks it, mm."""
        widths = [galley.natural_width(0, galley.without_spaces(0, len(galley.widths))) for galley in self._galleys]
        return max(widths, default=0.0) * self._em / 1000

    @property
    def narrowest(self) -> float:
        """The width of its widest unbreakable part, mm."""
        return max((galley.chunk_width() for galley in self._galleys), default=0.0) * self._em / 1000

    def lines(self, measure: float, beside: int = 0, narrow: float = 0.0) -> tuple[list[SetLine], float]:
        """Its lines at a measure (mm), the first `beside` of them at a `narrow` one, and what is too wide by how much.

        Beside a figure no word is hyphenated, as the rest of the text is broken anew below it.
        """
        done: list[SetLine] = []
        excess = 0.0
        for galley in self._galleys:
            rest: Galley | None = galley
            if len(done) < beside:
                parted, lines, wide = self._broken(galley, narrow, parted=False)
                taken = lines[: beside - len(done)]
                done += [self._set(parted, line, narrow) for line in taken]
                after = taken[-1].after
                # What follows is broken anew, unless a line had to be cut inside a word.
                rest = _behind(parted, after) if after < len(parted.widths) else None
                excess = max(excess, wide)
            if rest is not None:
                parted, lines, wide = self._broken(rest, measure, parted=True)
                done += [self._set(parted, line, measure) for line in lines]
                excess = max(excess, wide)
        return done, excess if excess > _SLACK else 0.0

    def _broken(self, galley: Galley, measure: float, parted: bool) -> tuple[Galley, list[Line], float]:
        parting = self._parting if parted else None
        wide = measure / self._em * 1000
        found = broken_lines(galley, wide, self._manner, self._phrases, parting)
        if found[2] > 0 and self._phrases is not None:
            found = broken_lines(galley, wide, self._manner, None, parting)
        return found[0], found[1], found[2] * self._em / 1000

    def _set(self, galley: Galley, line: Line, measure: float) -> SetLine:
        items: list[Item] = []
        # A vertical box is set as one that lies on its side; its lines are columns at x = 0 here.
        box = replace(self._box, x=0.0, y=0.0, width=measure)
        put_line(galley, line, 0.0, box.size, measure / self._em * 1000, box, items)
        width = galley.natural_width(line.start, line.end) * self._em / 1000
        return SetLine(tuple(items), "".join(galley.texts[line.start : line.end]), width)


def _behind(galley: Galley, start: int) -> Galley:
    """The sorts of a galley from `start` on."""
    return Galley(galley.sorts[start:], None if galley.paints is None else galley.paints[start:])
