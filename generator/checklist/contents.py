"""What a check list shows: every design with its number and a box to tick, the paper, the steps, what the box lacks."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from generator.checklist.inventory import Inventory, KindOfParts, ListedPart, SheetGroup, Sides
from generator.dataclass import dataclass
from generator.errors import Place
from generator.model.drawing import Drawing, Paint
from generator.model.game import Design, Game
from generator.model.phrases import count_phrase, phrase
from generator.model.text import RichText
from generator.pages.blocks import Artwork, Lettering, Part, Row, RuledLine, Stack, TickBox
from generator.pages.cells import Columns, Scale, add_caption, cut_artwork, in_rows, scale_for
from generator.pages.lists import ListPages
from generator.pages.style import ASIDE, COUNT, FACTS, KIND, NAME, SECTION, SMALL, TEXT, THICK, TICK, TITLE

Named = Callable[[Design], tuple[RichText, Place | None] | None]
"""What a design is called and where the data say it; None where it has no name of its own."""

_ROW_GAP, _KIND_GAP = 2.8, 4.4
_COUNT_SHARE = 0.36
"""How much of a heading's width the number of pieces may take."""


@dataclass(frozen=True, slots=True)
class CheckListContents:
    """The kinds of an inventory in the columns of a page."""

    lang: str
    columns: Columns
    accent: Paint
    named: Named

    def parts(self, inventory: Inventory) -> Iterator[Stack | Row]:
        """All kinds in the order of the data, small ones side by side where they fit; then the total."""
        row: list[tuple[KindOfParts, Sequence[tuple[Part, int]], int]] = []
        for kind in inventory.kinds:
            cells = list(self._cells(kind))
            wanted = max(sum(span for _, span in cells), min(2, self.columns.number))
            if sum(taken for _, _, taken in row) + wanted > self.columns.number:
                yield from self._beside(row)
                row = []
            if wanted > self.columns.number:
                yield from self._rows(kind, cells)
            else:
                row.append((kind, cells, wanted))
        yield from self._beside(row)
        yield self._total(inventory)

    def _beside(self, row: Sequence[tuple[KindOfParts, Sequence[tuple[Part, int]], int]]) -> Iterator[Row]:
        """Kinds that need one row each, from left to right; the last one's heading reaches to the right edge."""
        placed: list[tuple[float, Part]] = []
        at = 0
        for number, (kind, cells, wanted) in enumerate(row, start=1):
            heading = self._heading(kind, self.columns.span(wanted if number < len(row) else self.columns.number - at))
            pictures = (replace(one, above=2.0) for one in in_rows(cells, self.columns))
            placed.append((at * self.columns.pitch, Stack((heading, *pictures))))
            at += wanted
        if placed:
            yield Row(placed, _KIND_GAP)

    def _rows(self, kind: KindOfParts, cells: Sequence[tuple[Part, int]]) -> Iterator[Stack]:
        """A kind that fills the page's width, in as many rows as it takes."""
        yield replace(self._heading(kind, self.columns.width), above=_KIND_GAP, keep=True)
        again = self._heading(kind, self.columns.width, continued=True)
        for at, row in enumerate(in_rows(cells, self.columns)):
            yield Stack((row,), _ROW_GAP if at else 2.0, again=again if at else None)

    def _heading(self, kind: KindOfParts, width: float, *, continued: bool = False) -> Stack:
        """A line with the kind's name and its number of pieces under a rule, and a line with its measures."""
        lang, flat = self.lang, kind.kind.form in ("card", "board", "pad")
        name = kind.kind.name[lang]
        shown = phrase("continued", lang, title=name) if continued else name
        number = count_phrase("flat_pieces" if flat else "solid_pieces", lang, kind.count)
        size = f"{kind.kind.size.width:.4g} × {kind.kind.size.height:.4g} mm"
        facts = f"{size} · {count_phrase('designs', lang, len(kind.parts))}"
        if kind.alike:
            facts += f" · {phrase('alike', lang)}"
        aside = width * _COUNT_SHARE
        title = Lettering(shown, KIND, width - aside - 1, kind.kind.place, f"kind {kind.kind.id}")
        right = replace(KIND, align="end", paint=self.accent)
        count = Lettering(number, right, aside, name=f"count {kind.kind.id}")
        line = Row(((0.0, title), (width - aside, count)), above=1.2)
        return Stack((RuledLine(width), line, Lettering(facts, ASIDE, width, above=0.8)), below=0.4)

    def _cells(self, kind: KindOfParts) -> Iterator[tuple[Part, int]]:
        """The kind's back, where it has one, and its fronts, each so many columns wide."""
        scale = scale_for(kind.kind.size, self.columns)
        if kind.back is not None:
            words = phrase("back_picture" if kind.backs == 1 else "back_example", self.lang)
            label = Lettering(words, replace(NAME, paint=ASIDE.paint), self.columns.span(scale.columns))
            shown = self._picture(kind, kind.back, scale, f"back {kind.kind.id}")
            yield add_caption(shown, [[(0.0, label)]]), scale.columns
        for part in kind.parts:
            yield self._front(kind, part, scale), scale.columns

    def _picture(self, kind: KindOfParts, drawing: Drawing, scale: Scale, name: str) -> Artwork:
        return cut_artwork(drawing, kind.kind.outline, kind.kind.corner, scale.factor, name)

    def _front(self, kind: KindOfParts, part: ListedPart, scale: Scale) -> Part:
        design, width = part.design, self.columns.span(scale.columns)
        left = TICK + 1.4
        number = Lettering(f"×{design.count}", COUNT, width - left, name=f"count {design.id}")
        lines: list[list[tuple[float, Part]]] = [[(0.0, TickBox(design.id)), (left, number)]]
        own, name = self.named(design), f"name {design.id}"
        if own is not None:
            lines.append([(0.0, Lettering(own[0], NAME, width, own[1], name))])
        elif len(kind.parts) > 1:
            # The kind's name stands above all of them; what tells them apart is the id.
            lines.append([(0.0, Lettering(design.id.split("/", 1)[1], SMALL, width, design.place, name))])
        return add_caption(self._picture(kind, part.front, scale, f"front {design.id}"), lines)

    def _total(self, inventory: Inventory) -> Stack:
        width, lang = self.columns.width, self.lang
        style = replace(SECTION, paint=self.accent)
        words = f"{phrase('total', lang)}  {count_phrase('designs', lang, inventory.designs)}"
        left = Lettering(words, style, width / 2 - 1)
        number = count_phrase("all_pieces", lang, inventory.count)
        right = Lettering(number, replace(style, align="end"), width / 2, name="total")
        line = Row(((0.0, left), (width / 2, right)), above=THICK + 1.6)
        return Stack((RuledLine(width, self.accent, THICK), line), _KIND_GAP)


_SIDES: dict[Sides, str] = {
    "one": "one_side",
    "both": "both_sides",
    "folded": "folded_sides",
    "separate": "separate_sides",
}
_INDENT, _DIGIT = TICK + 2.2, 6.0
_ENTRY_GAP = 2.0
_TITLE_SHARE = 0.68


@dataclass(frozen=True, slots=True)
class CheckListSections:
    """The sections of a game's check list in one language."""

    game: Game
    lang: str
    accent: Paint

    def head(self, digest: str, pages: ListPages) -> Part:
        """The title, large; draft, date and digest at the right."""
        game, lang, at = self.game, self.lang, self.game.places.place
        wide = pages.width * _TITLE_SHARE
        title = Lettering(game.title[lang], replace(TITLE, paint=self.accent), wide, at("title"), "title")
        kind = phrase("check_list", lang).capitalize()
        facts = [phrase("draft", lang, draft=game.draft), *filter(None, [game.date]), digest]
        return pages.head(title, kind, facts, at("draft"))

    def heading(self, name: str, width: float, above: float = 6.0) -> Part:
        """A section's title, kept with what follows."""
        title = Lettering(phrase(name, self.lang), replace(SECTION, paint=self.accent), width)
        return Stack((title,), above, keep=True, below=0.6)

    def paper(self, inventory: Inventory, paper: str, width: float) -> Iterator[Part]:
        """Which sheets there are, what is on them and on which sides, and how many pieces of paper that takes."""
        yield self.heading("paper", width)
        for group in inventory.groups:
            yield self._sheets(group, width)
        words = count_phrase("papers", self.lang, inventory.papers, paper=paper)
        total = Lettering(words, replace(TEXT, bold=True, align="end"), width, name="papers", above=1.4)
        yield Stack((RuledLine(width), total), _ENTRY_GAP)

    def _sheets(self, group: SheetGroup, width: float) -> Part:
        lang = self.lang
        span = "sheet_single" if group.first == group.last else "sheet_range"
        sheets = phrase(span, lang, first=group.first, last=group.last)
        names = phrase("and", lang).join(self.game.kinds[kind].name[lang] for kind in group.kinds)
        sizes = phrase("and", lang).join(f"{size.width:.4g} × {size.height:.4g}" for size in group.sizes)
        small = f"{sizes} mm · {phrase(_SIDES[group.sides], lang)} · {count_phrase('some_pieces', lang, group.count)}"
        room, number = width - _INDENT, f"{group.first}-{group.last}"
        lines = (
            Lettering(sheets, replace(TEXT, bold=True), room, name=f"sheets {number}"),
            Lettering(names, TEXT, room, self.game.kinds[group.kinds[0]].place, above=1.1),
            Lettering(small, FACTS, room, name=f"held {number}", above=1.1),
        )
        return _entry(width, f"sheets {number}", (_INDENT, Stack(lines)))

    def steps(self, sentences: Iterable[str], width: float) -> Iterator[Part]:
        """The steps, numbered, each with a box to tick."""
        yield self.heading("making", width)
        for number, sentence in enumerate(sentences, start=1):
            digit = Lettering(f"{number}", replace(TEXT, bold=True, paint=self.accent), 5.0)
            text = Lettering(sentence, TEXT, width - _INDENT - _DIGIT, name=f"step {number}")
            yield _entry(width, f"step {number}", (_INDENT, digit), (_INDENT + _DIGIT, text))

    def not_included(self, wanted: Sequence[tuple[RichText, Place | None]], width: float) -> Iterator[Part]:
        """What players bring themselves; nothing where a game needs nothing."""
        if wanted:
            yield self.heading("not_included", width)
        for number, (words, place) in enumerate(wanted):
            name = f"not included {number}"
            yield _entry(width, name, (_INDENT, Lettering(words, TEXT, width - _INDENT, place, name)))

    def foot(self, width: float) -> Lettering:
        """What stands at the foot of each page."""
        game, lang = self.game, self.lang
        words = f"{game.title[lang]} · {phrase('draft', lang, draft=game.draft)} · {phrase('check_list', lang)}"
        return Lettering(words, FACTS, width, game.places.place("title"))


def _entry(width: float, name: str, *parts: tuple[float, Part]) -> Part:
    """An entry of a list under a quiet rule, with a box to tick."""
    return Stack((RuledLine(width), Row(((0.0, TickBox(name)), *parts), _ENTRY_GAP / 2 + 0.6)), _ENTRY_GAP / 2)
