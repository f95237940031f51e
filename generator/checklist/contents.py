"""The first part of a check list: every design of every kind, small, with its number, its name and a box to tick."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from generator.checklist.cells import Columns, Scale, captioned, picture, scale_for
from generator.checklist.inventory import Inventory, KindOfParts, ListedPart
from generator.checklist.setting import GREY, ListSetter, ListStyle
from generator.checklist.things import TICK, ListBlock, ListThing, rule, side_by_side, stacked, tick_box
from generator.errors import Place
from generator.model.drawing import Paint
from generator.model.game import Design
from generator.model.phrases import counted, phrase
from generator.model.text import RichText

Named = Callable[[Design], tuple[RichText, Place | None] | None]
"""What a design is called and where the data say it; None where it has no name of its own."""

_KIND = ListStyle(9.5, least=7.0, bold=True, phrases=True)
_FACTS = ListStyle(6.5, paint=GREY)
_NAME = ListStyle(6.5, phrases=True)
_ID = ListStyle(6.0, paint=GREY)
_COUNT = ListStyle(9.0, least=6.0, bold=True)
_ROW_GAP, _KIND_GAP = 2.8, 4.4
_COUNT_SHARE = 0.36
"""How much of a heading's width the number of pieces may take."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A kind whose pictures, each `span` columns wide, stand in one row that needs so many columns."""

    kind: KindOfParts
    cells: Sequence[ListBlock]
    span: int
    columns: int


@dataclass(frozen=True, slots=True)
class ContentsSetter:
    """Sets the kinds of an inventory in the columns of a page."""

    lang: str
    setter: ListSetter
    columns: Columns
    accent: Paint
    named: Named

    def blocks(self, inventory: Inventory) -> Iterator[ListBlock]:
        """All kinds in the order of the data, small ones side by side where they fit; then the total."""
        row: list[_Row] = []
        for kind in inventory.kinds:
            cells, span = self._cells(kind)
            wanted = max(len(cells) * span, min(2, self.columns.number))
            if sum(other.columns for other in row) + wanted > self.columns.number:
                yield from self._beside(row)
                row = []
            if wanted > self.columns.number:
                yield from self._rows(kind, cells, span)
            else:
                row.append(_Row(kind, cells, span, wanted))
        yield from self._beside(row)
        yield self._total(inventory)

    def _beside(self, row: Sequence[_Row]) -> Iterator[ListBlock]:
        """Kinds that need one row each, from left to right; the last one's heading reaches to the right edge."""
        placed, at = [], 0
        for number, one in enumerate(row, start=1):
            columns = one.columns if number < len(row) else self.columns.number - at
            heading = self._heading(one.kind, self.columns.span(columns))
            placed.append(stacked([heading, self._row(one.cells, one.span)], at * self.columns.pitch))
            at += one.columns
        if placed:
            yield side_by_side(placed, _KIND_GAP)

    def _rows(self, kind: KindOfParts, cells: Sequence[ListBlock], span: int) -> Iterator[ListBlock]:
        """A kind that fills the page's width, in as many rows as it takes."""
        heading = self._heading(kind, self.columns.width)
        again = self._heading(kind, self.columns.width, continued=True)
        yield replace(heading, above=_KIND_GAP, keep=True)
        number = self.columns.number // span
        for start in range(0, len(cells), number):
            block = self._row(cells[start : start + number], span)
            yield replace(block, above=_ROW_GAP, again=again) if start else block

    def _row(self, cells: Iterable[ListBlock], span: int) -> ListBlock:
        placed = [stacked([cell], at * span * self.columns.pitch) for at, cell in enumerate(cells)]
        return replace(side_by_side(placed, 0.0), above=2.0)

    def _heading(self, kind: KindOfParts, width: float, *, continued: bool = False) -> ListBlock:
        """A line with the kind's name and its number of pieces under a rule, and a line with its measures."""
        lang, flat = self.lang, kind.kind.form in ("card", "board", "pad")
        name = kind.kind.name[lang]
        shown = phrase("continued", lang, title=name) if continued else name
        number = counted("flat_pieces" if flat else "solid_pieces", lang, kind.count)
        size = f"{kind.kind.size.width:.4g} × {kind.kind.size.height:.4g} mm"
        facts = f"{size} · {counted('designs', lang, len(kind.parts))}"
        if kind.alike:
            facts += f" · {phrase('alike', lang)}"
        text, aside = self.setter.text, width * _COUNT_SHARE
        title = text(shown, width - aside - 1, _KIND, kind.kind.place, f"kind {kind.kind.id}")
        count = text(number, aside, replace(_KIND, align="end", paint=self.accent), None, f"count {kind.kind.id}")
        small = text(facts, width, _FACTS)
        below = 1.2 + max(title.box.height, count.box.height) + 0.8
        things = (
            rule(0, 0, width),
            title.moved(0, 1.2),
            count.moved(width - aside, 1.2),
            small.moved(0, below),
        )
        return ListBlock(below + small.box.height + 0.4, things)

    def _cells(self, kind: KindOfParts) -> tuple[list[ListBlock], int]:
        """The kind's back, where it has one, and its fronts, each so many columns wide."""
        scale = scale_for(kind.kind.size, self.columns)
        cells = [self._front(kind, part, scale) for part in kind.parts]
        if kind.back is not None:
            shown = picture(kind.back, kind.kind, scale.factor, f"back {kind.kind.id}")
            words = phrase("back_picture" if kind.backs == 1 else "back_example", self.lang)
            label = self.setter.text(words, self.columns.span(scale.columns), replace(_NAME, paint=GREY))
            cells.insert(0, captioned(shown, [[label]]))
        return cells, scale.columns

    def _front(self, kind: KindOfParts, part: ListedPart, scale: Scale) -> ListBlock:
        design, width = part.design, self.columns.span(scale.columns)
        shown = picture(part.front, kind.kind, scale.factor, f"front {design.id}")
        left = TICK + 1.4
        number = self.setter.text(f"×{design.count}", width - left, _COUNT, None, f"count {design.id}")
        lines: list[list[ListThing]] = [[tick_box(0, 0, design.id), number.moved(left, 0)]]
        own = self.named(design)
        if own is not None:
            lines.append([self.setter.text(own[0], width, _NAME, own[1], f"name {design.id}")])
        elif len(kind.parts) > 1:
            # The kind's name stands above all of them; what tells them apart is the id.
            lines.append([self.setter.text(design.id.split("/", 1)[1], width, _ID, design.place, f"name {design.id}")])
        return captioned(shown, lines)

    def _total(self, inventory: Inventory) -> ListBlock:
        width, lang = self.columns.width, self.lang
        style = ListStyle(11, least=8.0, bold=True, paint=self.accent)
        words = f"{phrase('total', lang)}  {counted('designs', lang, inventory.designs)}"
        number = counted("all_pieces", lang, inventory.count)
        left = self.setter.text(words, width / 2 - 1, style)
        right = self.setter.text(number, width / 2, replace(style, align="end"), None, "total")
        thick = 0.5
        things = (
            rule(0, 0, width, self.accent, thick),
            left.moved(0, thick + 1.6),
            right.moved(width / 2, thick + 1.6),
        )
        return ListBlock(thick + 1.6 + max(left.box.height, right.box.height), things, _KIND_GAP)
