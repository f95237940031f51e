"""A text made up once that gives its lines one by one, at any measure, for columns and pages that part it."""

from dataclasses import replace
from typing import NamedTuple

from generator.model.drawing import Item
from generator.model.scripts import is_airy
from generator.model.text import LineBreak, RichText
from generator.text.fonts import FontBook
from generator.text.galley import Galley
from generator.text.kinsoku import is_latin
from generator.text.linebreak import Line, fill_lines
from generator.text.makeup import Makeup, cut
from generator.text.phrasing import Phrasing, phrasing
from generator.text.ruby import ruby_size
from generator.text.solid import PHRASE, WORD, SolidText, rooms
from generator.text.textbox import IconFinder, TextBox
from generator.text.textset import broken_lines, fit, parting_of, put_line, uneven
from generator.text.typecase import is_cjk
from generator.text.wordwrap import Spacing
from generator.units import MM_PER_PT

_RUBY_CLEAR = 1.08  # em of a line with ruby that its own type takes
_SLACK = 1e-6  # mm
_WIDEST_GAP = 250.0  # 1/1000 em between the signs of a justified line


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
    broken (in Japanese lines that may be short, of its widest word), all in mm; `easiest` is that of its widest phrase.
    Japanese is set solid, and the lines of each paragraph are weighed all together. KeyError: unknown family.
    """

    def __init__(self, rich: RichText, box: TextBox, fonts: FontBook, icon: IconFinder):
        makeup = Makeup(rich, box, fonts, icon)
        self._box, self._em, self._memo = box, box.size * MM_PER_PT, fonts.memo
        self._galleys = [galley for galley, _ in makeup.paragraphs(box.size)]
        cjk = is_cjk(box.lang)
        self._parting = parting_of(box, fonts)
        self._phrases: Phrasing | None = phrasing(fonts.memo, box.lang) if box.phrases else None
        by_words, even = box.phrases or not cjk, box.align == "middle" or box.phrases
        self._solid = None if by_words else [self._paragraph(galley) for galley in self._galleys]
        self._manner = Spacing(box.align == "justify", even, running=True) if by_words else None
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
        if self._solid is not None and self._ragged:
            return max((one.widest(WORD - 1) for one in self._solid), default=0.0) * self._em / 1000
        return max((galley.chunk_width() for galley in self._galleys), default=0.0) * self._em / 1000

    @property
    def easiest(self) -> float:
        """The width of its widest phrase, where it is broken at phrases, mm."""
        if self._solid is None or not self._ragged:
            return self.narrowest
        return max((one.widest(PHRASE - 1) for one in self._solid), default=0.0) * self._em / 1000

    def lines(self, measure: float, beside: int = 0, narrow: float = 0.0) -> tuple[list[SetLine], float]:
        """Its lines at a measure (mm), the first `beside` of them at a `narrow` one, and what is too wide by how much.

        Beside a figure no word is hyphenated, as the rest of the text is broken anew below it.
        """
        done: list[SetLine] = []
        excess = 0.0
        for at, galley in enumerate(self._galleys):
            if self._solid is not None:
                ahead = max(beside - len(done), 0)
                whole, lines, wide = self._weighed(self._solid[at], measure, ahead, narrow)
                if not ahead and any(self._gapes(whole, line, measure) for line in lines):
                    lines = [line._replace(last=True) for line in lines]
                for number, line in enumerate(lines):
                    done.append(self._set(whole, line, narrow if number < ahead else measure, solid=True))
                excess = max(excess, wide)
                continue
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

    @property
    def _ragged(self) -> bool:
        return self._box.align != "justify"

    def _paragraph(self, galley: Galley) -> SolidText:
        box = self._box
        return SolidText(galley, phrasing(self._memo, box.lang) if self._ragged else None, self._ragged)

    def _weighed(
        self, paragraph: SolidText, measure: float, beside: int, narrow: float
    ) -> tuple[Galley, list[Line], float]:
        """The lines of a paragraph set solid; what is wider than its measure is cut, and told by how much it was."""
        scale = 1000 / self._em
        galley, excess = paragraph.galley, 0.0
        lines = paragraph.lines(measure * scale, beside, narrow * scale)
        if lines is None:
            least = min(measure, narrow) * scale if beside else measure * scale
            excess = max(galley.chunk_width() - least, 0.0)
            galley = cut(galley, least)
            lines = fill_lines(galley, least)
        return galley, lines, excess / scale

    def _gapes(self, galley: Galley, line: Line, measure: float) -> bool:
        """Whether a line would be spaced out to be as long as its measure (mm): its paragraph is flush left then."""
        if line.last:
            return False
        signs = [text for text in galley.texts[line.start : line.end] if not is_latin(text[:1])]
        slack = measure / self._em * 1000 - galley.natural_width(line.start, line.end)
        return slack > _WIDEST_GAP * max(len(signs) - 1, 1)

    def _set(self, galley: Galley, line: Line, measure: float, solid: bool = False) -> SetLine:
        items: list[Item] = []
        # A vertical box is set as one that lies on its side; its lines are columns at x = 0 here.
        box = replace(self._box, x=0.0, y=0.0, width=measure)
        put_line(galley, line, 0.0, box.size, measure / self._em * 1000, box, items, rooms if solid else fit)
        width = galley.natural_width(line.start, line.end) * self._em / 1000
        return SetLine(tuple(items), "".join(galley.texts[line.start : line.end]), width)


def _behind(galley: Galley, start: int) -> Galley:
    """The sorts of a galley from `start` on."""
    return Galley(galley.sorts[start:], None if galley.paints is None else galley.paints[start:])
