"""Set text: sets rich text in a box or on a line at the largest size that fits, and labels."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from itertools import groupby
from math import cos, radians, sin
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from generator.base.display_list import Item, Paint, Role, TextFrame, TextRun
from generator.base.geometry import MM_PER_PT
from generator.base.languages import explain_unsettable, is_airy, is_right_to_left, needs_shaping
from generator.game.rich_text import LineBreak, RichText
from generator.text.fonts import Font, FontBook, FontChain
from generator.text.glyph_cache import is_cjk
from generator.text.glyph_rows import Anchor, Gap, GlyphRow, IconFinder, LineSpot, SetText, TextBox
from generator.text.kinsoku import ANYWHERE, QUARTER, Edge, Phrasing, find_quarters, get_phrasing
from generator.text.line_breaks import Hyphens, Line, Spacing, avoid_widow, fill_lines, get_hyphens, wrap_lines
from generator.text.line_items import Rooms, compute_ruby_size, make_solid_run, set_groups
from generator.text.paragraphs import StyledText, cut_wide_groups
from generator.text.vertical_text import lay_on_side, set_column

if TYPE_CHECKING:
    from generator.text.bidi_lines import SingleLines


Fitting: TypeAlias = Callable[[GlyphRow, int, int, float], list[float]]

_MOST_SPREAD = 500.0  # 1/1000 em between characters: a line looser than this stays ragged


def fit_line(galley: GlyphRow, start: int, end: int, slack: float) -> list[float]:
    """Distribute `slack` (1/1000 em) over a line, or remove it if negative. Return the space after each group.

    A line that would become too loose, or has no gap that may open, keeps its natural rooms.
    """
    places, gaps = galley.find_gaps(start, end)
    if slack < 0:
        return _tighten_rooms(galley.get_natural_rooms(start, end), start, places, gaps, -slack)
    room_to_open = room_to_widen = 0.0
    count = end - start - 1
    for _, _, _, opened, widened, spread in gaps:
        room_to_open += opened
        room_to_widen += widened
        if not spread:
            count -= 1
    opening = min(1.0, slack / room_to_open) if room_to_open else 0.0
    slack -= opening * room_to_open
    widening = min(1.0, slack / room_to_widen) if room_to_widen else 0.0
    slack -= widening * room_to_widen
    if slack > 0.001 and (count <= 0 or slack > count * _MOST_SPREAD):
        return galley.get_natural_rooms(start, end)
    even = slack / count if slack > 0.001 else 0.0
    rooms = [even] * (end - start)
    rooms[-1] = 0.0
    start += 1
    for place, (width, _, _, opened, widened, spread) in zip(places, gaps, strict=True):
        rooms[place - start] = width + opened * opening + widened * widening + (even if spread else 0.0)
    return rooms


def _tighten_rooms(rooms: list[float], start: int, places: list[int], gaps: list[Gap], excess: float) -> list[float]:
    room_to_close = sum(gap.close for gap in gaps)
    room_to_tighten = sum(gap.tighten for gap in gaps)
    closing = min(1.0, excess / room_to_close) if room_to_close else 0.0
    excess -= closing * room_to_close
    tightening = min(1.0, excess / room_to_tighten) if room_to_tighten else 0.0
    for place, gap in zip(places, gaps, strict=True):
        rooms[place - 1 - start] -= gap.close * closing + gap.tighten * tightening
    return rooms


__all__ = ["Anchor", "IconFinder", "SetText", "TextBox", "set_box", "set_line"]

_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""The share of a line's width that is left of its anchor."""
_OTHER = {"start": "end", "middle": "middle", "end": "start"}
"""The anchor with the same effect on a line that begins at the right."""

_STEP = 0.25  # pt
_SLACK = 1e-6  # mm
_RUBY_CLEAR = 1.08  # em of a line with ruby that its own type takes


class _Block(NamedTuple):
    """A text broken into lines at one size: row, lines and space above of each paragraph; `excess` in mm."""

    paragraphs: list[tuple[GlyphRow, list[Line], float]]
    size: float
    measure: float
    pitch: float
    ascent: float
    height: float
    excess: float


_LONGEST_TITLE = 1000
"""Titles of more characters than this are not balanced to even lines, because that would take too long."""


def set_box(rich: RichText, box: TextBox, fonts: FontBook, icon: IconFinder) -> SetText:
    """Set a text at the largest size, `size` to `min_size`, that fits its box. Raise KeyError for an unknown family."""
    makeup = StyledText(rich, box, fonts, icon)
    parting = find_hyphens(box, fonts)
    bed = lay_on_side(box) if box.vertical else box
    manners: tuple[Phrasing | None, ...] = (None,)
    if box.phrases and len(makeup.text) <= _LONGEST_TITLE:
        # Titles get even lines. Running text that does not fit by phrases is filled like any other.
        even = (ANYWHERE,) if box.text_role == "title" else ()
        manners = (get_phrasing(fonts.memo, box.lang), *even, None)
    tried = (_break_at_size(makeup, bed, size, phrases, parting) for phrases in manners for size in iter_sizes(bed))
    for block in tried:
        if block.excess <= _SLACK:
            break
    items, lines = _place_lines(makeup, block, bed)
    where, shrunk = (box.x, box.y, box.width, box.height), block.size / box.size
    frame = TextFrame(*where, block.size, box.text_role, makeup.text, lines, shrunk=shrunk)
    overflow = block.excess if block.excess > _SLACK else 0.0
    notes = makeup.notes if parting is None else makeup.notes + parting.notes
    lacks = makeup.unknown_icons, makeup.unturned, block.height, notes, makeup.unweighted
    return SetText(items, frame, makeup.missing, overflow, *lacks)


def has_uneven_lines(rich: RichText, box: TextBox) -> bool:
    """Return True if lines of a text differ in indent or size, so that `generator.text.text_blocks` must set it."""
    return box.indent > 0 or any(not isinstance(inline, LineBreak) and inline.manner.size > 1 for inline in rich)


def find_hyphens(box: TextBox, fonts: FontBook) -> Hyphens | None:
    """Return the hyphenation for a box, or None if its words must not be split."""
    return get_hyphens(fonts.memo, box.lang) if box.hyphenate and not box.spacing and not is_cjk(box.lang) else None


def set_line(
    rich: RichText, x: float, y: float, box: TextBox, anchor: Anchor, fonts: FontBook, icon: IconFinder
) -> SetText:
    """Set a line with its anchor at (x, y) (mm), at the box's size or, if it must fit, down to `min_size`."""
    done = _set_line(rich, x, y, box, anchor, fonts, icon)
    if not box.width and not box.drawn_out:
        return done

    def again(other: TextBox) -> SetText:
        return _set_line(rich, x, y, other, anchor, fonts, icon)

    return stretch_line(done, box, again) if box.drawn_out else shrink_line(done, box, again, iter_sizes(box))


def _set_line(
    rich: RichText, x: float, y: float, box: TextBox, anchor: Anchor, fonts: FontBook, icon: IconFinder
) -> SetText:
    makeup = StyledText(rich, box, fonts, icon, one_line=True)
    items: list[Item] = []
    em = box.size * MM_PER_PT
    width = 0.0
    if box.vertical:
        x, y = y, -x
    if (sort := makeup.single) is not None and sort.font is not None and sort.lead != Edge.SPACE and not box.vertical:
        width = (sort.width - sort.right - sort.left) * em / 1000
        x -= width * _SHARE[anchor]
        left, drawn = x - sort.left * (box.size * MM_PER_PT / 1000), (sort.glyphs, sort.clusters, (), box.paint)
        items.append(TextRun(left, y, box.size, sort.font.key, *drawn))
    for galley, _ in makeup.build_paragraphs(box.size) if not items else ():
        count = len(galley.widths)
        end = galley.trim_spaces(0, count)
        width = galley.measure_width(0, end) * em / 1000
        x -= width * _SHARE[_OTHER[anchor] if galley.mixed and is_right_to_left(box.lang) else anchor]
        if galley.row and end == count and not box.vertical:
            items.append(make_solid_run(galley, 0, end, x, y, box.size, box.paint))
        elif end:
            spot = LineSpot(x, y, box.size, box.paint, x + width)
            _choose_setter(galley, box)(galley, 0, end, count, None, spot, items)
    ascent, descent = makeup.extent
    height = (ascent + descent) * em
    frame = TextFrame(x, y - ascent * em, width, height, box.size, box.text_role, makeup.text, (makeup.text,))
    if box.vertical:
        frame = frame._replace(x=-(frame.y + frame.height), y=frame.x, width=frame.height, height=frame.width)
    return SetText(tuple(items), frame, makeup.missing, 0.0, makeup.unknown_icons, makeup.unturned, notes=makeup.notes)


def iter_sizes(box: TextBox) -> Iterator[float]:
    """Yield the sizes to try for a text, from largest to smallest, pt."""
    size = box.size
    while size > box.min_size:
        yield size
        size -= _STEP
    yield min(box.min_size, box.size)


def measure_pitch(box: TextBox, size: float, has_ruby: bool) -> tuple[float, float]:
    """Return the distance between lines at this size, and the height of ruby above the first line (mm)."""
    em, ruby = size * MM_PER_PT, compute_ruby_size(size) * MM_PER_PT if has_ruby else 0.0
    leading = box.leading or (1.5 if is_airy(box.lang) else 1.25)
    return max(leading * em, em * _RUBY_CLEAR + ruby) if ruby else leading * em, ruby


def find_first_baseline(box: TextBox, ascent: float, height: float, lift: float) -> float:
    """Return the first baseline of a text `height` mm high in its box. In the middle, `lift` centres its letters."""
    y, spare = box.y + ascent, box.height - height
    if box.valign == "middle":
        y += spare / 2 if spare < 0 else min(spare, max(0.0, spare / 2 + lift))
    elif box.valign == "bottom":
        y += spare
    return y


def _break_at_size(
    makeup: StyledText, box: TextBox, size: float, phrases: Phrasing | None, parting: Hyphens | None
) -> _Block:
    em = size * MM_PER_PT
    measure = box.width / em * 1000
    pitch, ruby = measure_pitch(box, size, makeup.has_ruby)
    manner = Spacing(box.align == "justify", box.align == "middle" or phrases is not None)
    by_words = phrases is not None or not is_cjk(box.lang)
    paragraphs = []
    count, above, too_wide = 0, 0.0, 0.0
    for galley, fresh in makeup.build_paragraphs(size):
        parted, lines, excess = break_row(galley, measure, manner if by_words else None, phrases, parting)
        room = pitch / 2 if fresh else 0.0
        paragraphs.append((parted, lines, room))
        count += len(lines)
        above += room
        too_wide = max(too_wide, excess)
    ascent, descent = makeup.extent
    height = (ascent + descent) * em + ruby + max(count - 1, 0) * pitch + above
    excess = max(height - box.height, too_wide * em / 1000)
    return _Block(paragraphs, size, measure, pitch, ascent * em + ruby, height, excess)


def break_row(
    galley: GlyphRow, measure: float, manner: Spacing | None, phrases: Phrasing | None, parting: Hyphens | None
) -> tuple[GlyphRow, list[Line], float]:
    """Break a row into lines (without `manner`, each as full as possible). Return row, lines, excess (1/1000 em)."""
    excess = 0.0
    if manner is not None:
        parts = galley.break_at_phrases(phrases) if phrases else galley
        wrapped = wrap_lines(parts, measure, manner, parting)
        if wrapped is not None:
            return *wrapped, 0.0
        excess = parts.measure_widest_chunk() - measure
    widest = max(galley.widths)
    if widest > measure:
        excess = max(excess, widest - measure)
        galley = cut_wide_groups(galley, measure)
    lines = fill_lines(galley, measure)
    return galley, lines if manner else avoid_widow(galley, measure, lines), excess


def _place_lines(makeup: StyledText, block: _Block, box: TextBox) -> tuple[tuple[Item, ...], tuple[str, ...]]:
    items: list[Item] = []
    texts: list[str] = []
    y = find_first_baseline(box, block.ascent, block.height, makeup.lift * block.size * MM_PER_PT)
    for galley, lines, room in block.paragraphs:
        y += room
        for line in lines:
            put_line(galley, line, y, block.size, block.measure, box, items)
            texts.append("".join(galley.texts[line.start : line.end]))
            y += block.pitch
    return tuple(items), tuple(texts)


def _choose_setter(galley: GlyphRow, box: TextBox) -> Callable[..., None]:
    if galley.mixed:
        from generator.text.bidi_lines import set_mixed  # here, as few games have such writing

        return partial(set_mixed, downwards=box.vertical)
    return set_column if box.vertical else set_groups


def put_line(
    galley: GlyphRow,
    line: Line,
    y: float,
    size: float,
    measure: float,
    box: TextBox,
    items: list[Item],
    fitting: Fitting = fit_line,
) -> None:
    """Append the items of a line of `measure` (1/1000 em) in a box; y is its baseline (a column's middle), mm.

    `fitting` returns the room after each of its groups if it is adjusted to the measure.
    """
    start, end, after, hangs, last = line
    if end <= start:
        return
    edge = end - 1 if hangs else end
    slack = measure - galley.measure_width(start, edge)
    align, x = box.align, box.x
    rooms: Rooms = None
    if slack < -0.001 or (align == "justify" and not last):
        rooms = fitting(galley, start, edge, slack)
        if hangs:
            rooms[-1:] = galley.rooms[edge], 0.0
    if slack > 0 and align in ("middle", "end"):
        x += slack * (size * MM_PER_PT / 1000) * (0.5 if align == "middle" else 1.0)
    if rooms is None and galley.row and after == end and not box.vertical:
        items.append(make_solid_run(galley, start, end, x, y, size, box.paint))
        return
    if galley.mixed and align != "middle" and is_right_to_left(box.lang):
        x = box.x
        if align != "end":  # the remaining slack is at the left
            taken = sum(rooms) - sum(galley.get_natural_rooms(start, edge)) if rooms is not None else 0.0
            x += (slack - taken) * (size * MM_PER_PT / 1000)
    put = _choose_setter(galley, box)
    put(galley, start, end, after, rooms, LineSpot(x, y, size, box.paint, box.x + box.width), items)


_CLOSEST = -0.2
"""Minimum room between letters, in ems: with less they would overlap."""


def shrink_line(done: SetText, box: TextBox, again: Callable[[TextBox], SetText], sizes: Iterable[float]) -> SetText:
    """Return the line, set by `again`, at the first size that fits its box's width, or at the last with `overflow`."""
    for size in sizes:
        if _measure_length(done.frame, box) <= box.width + _SLACK:
            return done
        if size < done.frame.size:
            done = again(replace(box, size=size))
            done = done._replace(frame=done.frame._replace(shrunk=size / box.size))
    over = _measure_length(done.frame, box) - box.width
    return done._replace(overflow=over) if over > _SLACK else done


def stretch_line(done: SetText, box: TextBox, again: Callable[[TextBox], SetText]) -> SetText:
    """Return the line set `again`, spaced equally to its required length; `overflow` if it can't shrink enough."""
    letters = sum(bool(cluster) for item in done.items if isinstance(item, TextRun) for cluster in item.clusters)
    if letters < 2:
        return done
    em = box.size * MM_PER_PT
    room = (box.drawn_out - _measure_length(done.frame, box)) / (letters - 1) / em
    if room < _CLOSEST:
        return done._replace(overflow=(_CLOSEST - room) * (letters - 1) * em)
    return again(replace(box, spacing=box.spacing + room * 1000))


def _measure_length(frame: TextFrame, box: TextBox) -> float:
    return frame.height if box.vertical else frame.width


# Labels change with each card and sheet, so kerning and line breaking are not worth their time.

LabelAnchor = Literal["start", "middle", "end"]

_ELLIPSIS = "…"

NO_GLYPH = "?"
"""Character that replaces one which no font has, or which can't be set."""


class Labeller:
    """Sets labels; each character uses the first font that has it."""

    def __init__(self, fonts: FontChain):
        self._fonts = fonts
        self._known: dict[str, tuple[Font, int, float]] = {}

    @cached_property
    def _single_lines(self) -> "SingleLines":
        from generator.text.bidi_lines import SingleLines  # here, as few games have such names

        return SingleLines(self._fonts, NO_GLYPH)

    def set(
        self, text: str, x: float, y: float, size: float, anchor: LabelAnchor, angle: float, paint: Paint, role: Role
    ) -> tuple[TextRun, ...]:
        """Return the line with its anchor at (x, y) mm on the baseline; `size` in points, `angle` clockwise."""
        if not text:
            return ()
        if needs_shaping(text):
            begin = -_SHARE[anchor] * self.measure_width(text, size)
            turn = radians(angle)
            left, base = x + begin * cos(turn), y + begin * sin(turn)
            runs_on = self._single_lines.make_runs(text, left, base, size, angle, paint)
            return tuple([run._replace(role=role) for run in runs_on])
        sorts, parted = self._find_glyphs(text)
        fonts, glyphs, advances = zip(*sorts, strict=True)
        em = size * MM_PER_PT / 1000
        along = -_SHARE[anchor] * sum(advances) * em
        across, down = (cos(radians(angle)), sin(radians(angle))) if angle else (1.0, 0.0)
        runs = []
        start = 0
        for font, stretch in groupby(fonts):
            end = start + len(list(stretch))
            spot, shown = (x + along * across, y + along * down), (glyphs[start:end], tuple(text[start:end]))
            moves = advances[start:end]
            natural = not parted or not any(start < at < end for at in parted)
            runs.append(TextRun(*spot, size, font.key, *shown, () if natural else moves, paint, angle, role))
            along += sum(moves) * em
            start = end
        return tuple(runs)

    def set_level_line(
        self, text: str, x: float, y: float, size: float, anchor: LabelAnchor = "start", paint: Paint = "ink"
    ) -> tuple[TextRun, ...]:
        """Return a level line of a page with its anchor at (x, y) mm on the baseline, `size` in points."""
        return self.set(text, x, y, size, anchor, 0.0, paint, "text")

    def measure_width(self, text: str, size: float) -> float:
        """Return the width in mm of a text in one line, at `size` pt."""
        if needs_shaping(text):
            return self._single_lines.measure_width(text, size)
        return sum([advance for _, _, advance in self._find_glyphs(text)[0]]) * size * MM_PER_PT / 1000

    def shorten_text(self, text: str, size: float, width: float) -> str:
        """Return the text, shortened with an ellipsis to `width` mm if needed."""
        if self.measure_width(text, size) <= width:
            return text
        while text and self.measure_width(text + _ELLIPSIS, size) > width:
            text = text[:-1]
        return text + _ELLIPSIS

    def _find_glyphs(self, text: str) -> tuple[list[tuple[Font, int, float]], tuple[int, ...]]:
        """Return font, glyph and advance (1/1000 em) of each character, and after which ones a quarter em follows."""
        known = self._known
        sorts = [known.get(char) or self._look_up_glyph(char) for char in text]
        parted = find_quarters(text)
        for at in parted:
            font, glyph, advance = sorts[at - 1]
            sorts[at - 1] = font, glyph, advance + QUARTER
        return sorts, parted

    def _look_up_glyph(self, char: str) -> tuple[Font, int, float]:
        found = None if explain_unsettable(char) else self._fonts.find(char)
        font = found or self._fonts[0]
        glyph = font.find_glyph(char if found else NO_GLYPH)
        self._known[char] = (font, glyph, font.measure_advance(glyph))
        return self._known[char]
