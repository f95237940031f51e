"""Tables of a book: columns as wide as their words want, a head that is repeated, rows that stay whole."""

from collections.abc import Sequence
from dataclasses import replace

from generator.rulebook.book import Table, Term, Text
from generator.rulebook.paragraphs import Made, Setter, TypeLine, term_anchor
from generator.rulebook.pictures import TALLEST_SHARE
from generator.rulebook.strips import Strip, Thing, kept, rule
from generator.rulebook.style import HAIR, THICK
from generator.rulebook.textblocks import PARAGRAPH_GAP, baseline, line_thing, lines_as_strips
from generator.units import Rect

_BETWEEN = 3.4
_PAD = 0.85
_WHOLE = 7
"""A table of at most so many rows is not parted."""

_TALL_ROW = 0.15
"""Of a column's height: taller rows may stand alone."""

_FULL = 0.62
"""A table that wants more than this share of its column's width takes it all."""

_AIR = 1.4
"""How much wider than its words want a column of a narrow table becomes."""


class TableSetter:
    """Sets tables in a book's small type."""

    def __init__(self, setter: Setter, height: float):
        self._setter, self._height = setter, height
        self._style = setter.look.note

    def strips(self, table: Table, x: float, width: float, part: int) -> list[Strip]:
        """A table's caption, head and rows; the head is repeated with every part of it."""
        bold = replace(self._style, bold=True, paint=self._setter.look.accent)
        headed = any(table.head)
        head = [self._setter.make(cell, bold) for cell in table.head]
        rows = [[self._setter.make(cell, self._style) for cell in row] for row in table.rows]
        widths = self._widths([head, *rows] if headed else rows, width)
        total = sum(widths) + _BETWEEN * (len(widths) - 1)
        frame = (x, total, table.align, part)
        top = self._row(head, widths, frame, THICK, self._setter.look.accent) if headed else None
        again = (replace(top, keep=True, terms=()),) if top is not None else ()
        made = [
            replace(self._row(row, widths, frame, HAIR), again=again, anchors=_defined(texts))
            for row, texts in zip(rows, table.rows, strict=True)
        ]
        made = self._together(made, sum(strip.height for strip in made))
        if top is not None:
            made = [replace(top, keep=True), *made]
        if table.caption:
            lines = self._setter.lines(table.caption, replace(self._style, bold=True), width)
            caption = lines_as_strips(lines, self._setter.look, self._style, x, width, part, "caption")
            made = [*(replace(strip, keep=True, flows=False) for strip in caption), *made]
        if made:
            unit = self._setter.look.unit
            made[0] = replace(made[0], above=PARAGRAPH_GAP * unit, snap=True)
            made[-1] = replace(made[-1], height=made[-1].height + 0.6 * unit)
        return made

    def _together(self, rows: list[Strip], height: float) -> list[Strip]:
        """A small table whole; of another the first two and the last two rows, unless they are tall."""
        tall = max((row.height for row in rows), default=0.0)
        if tall > self._height * TALLEST_SHARE:
            self._setter.too_tall("a row of a table", tall)
        if len(rows) <= _WHOLE and height <= self._height / 2:
            return kept(rows)
        if tall > self._height * _TALL_ROW:
            return rows
        last = len(rows) - 1
        return [replace(row, keep=at in (0, last - 1)) if at < last else row for at, row in enumerate(rows)]

    def _widths(self, rows: Sequence[Sequence[Made]], width: float) -> list[float]:
        """The columns' widths: what their words want, or between that and their widest word where it is too much."""
        count = max((len(row) for row in rows), default=0)
        wanted = [max((row[at].natural for row in rows if at < len(row)), default=0.0) + 0.05 for at in range(count)]
        room = width - _BETWEEN * (count - 1)
        if sum(wanted) <= room:
            spare = room - sum(wanted)
            if sum(wanted) < room * _FULL:
                spare = min(spare, sum(wanted) * (_AIR - 1))
            return [want + spare * want / sum(wanted) if sum(wanted) else 0.0 for want in wanted]
        least = [max((row[at].narrowest for row in rows if at < len(row)), default=0.0) + 0.05 for at in range(count)]
        least = [max(low, min(want, 9.0)) for low, want in zip(least, wanted, strict=True)]
        spare = room - sum(least)
        if spare <= 0:
            return [low * room / sum(least) for low in least]
        # A column with one very long cell must not starve the others: what it wants counts as its root.
        appetite = [max(want - low, 0.0) ** 0.75 for want, low in zip(wanted, least, strict=True)]
        return _shared(least, wanted, appetite, spare)

    def _row(
        self,
        cells: Sequence[Made],
        widths: Sequence[float],
        frame: tuple[float, float, Sequence[str], int],
        line: float,
        paint: str = "",
    ) -> Strip:
        x, total, align, part = frame
        style, things = self._style, list[Thing]()
        lines = [cell.lines(wide) for cell, wide in zip(cells, widths, strict=False)]
        height = max((len(cell) for cell in lines), default=1) * style.pitch + 2 * _PAD
        left = x
        for cell, wide, to in zip(lines, widths, align, strict=False):
            for at, text in enumerate(cell):
                things.append(self._cell(text, Rect(left, _PAD + at * style.pitch, wide, style.pitch), to, part))
            left += wide + _BETWEEN
        things.append(
            rule(x, height - line, total, paint, line) if paint else rule(x, height - line, total, width=line)
        )
        terms = tuple(dict.fromkeys(term for cell in lines for text in cell for term in text.terms))
        return Strip(height, tuple(things), terms=terms)

    def _cell(self, line: TypeLine, box: Rect, to: str, part: int) -> Thing:
        indent = (box.width - line.width) * {"left": 0.0, "centre": 0.5, "right": 1.0}[to]
        return line_thing(line, "table", indent, baseline(self._setter.look, self._style, box.height), box, part)


def _shared(least: list[float], wanted: list[float], appetite: list[float], spare: float) -> list[float]:
    """`least` widths and the spare room by appetite, none more than is wanted while another is short."""
    widths, hungry = list(least), [at for at in range(len(least)) if appetite[at] > 0]
    while hungry and spare > 1e-6:
        total = sum(appetite[at] for at in hungry)
        shares = {at: spare * appetite[at] / total for at in hungry}
        for at in hungry:
            given = min(shares[at], wanted[at] - widths[at])
            widths[at] += given
            spare -= given
        hungry = [at for at in hungry if wanted[at] - widths[at] > 1e-6]
    return [width + spare / len(widths) for width in widths] if spare > 1e-6 else widths


def _defined(row: Sequence[Text]) -> tuple[str, ...]:
    """The anchor of the term that a row begins with: there a glossary says what it means."""
    first = row[0][0] if row and row[0] else None
    return (term_anchor(first.id),) if isinstance(first, Term) else ()
