"""Check list and cover sheet of a game: what is in the box, the paper to print on and the steps of making it.

The check list is a document with a box to tick for each design. The cover sheet comes before the sheets in their PDF,
with small pictures of them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from generator.base.display_list import Drawing, Paint
from generator.base.errors import Place, Problem, ProblemsFound
from generator.base.geometry import Size
from generator.base.languages import count_phrase, phrase
from generator.books.inventory import Inventory, KindOfParts, ListedPart, SheetGroup, Sides, make_inventory
from generator.books.page.blocks import Artwork, Halves, Lettering, Part, Row, RuledLine, Stack, TickBox
from generator.books.page.list_pages import (
    Columns,
    ListPages,
    Scale,
    add_caption,
    choose_scale,
    cut_artwork,
    make_frame,
    rows_from_cells,
)
from generator.books.page.page_style import ASIDE, COUNT, FACTS, KIND, NAME, SECTION, SMALL, TEXT, THICK, TICK, TITLE
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Design, Game
from generator.game.presets import Sleeves
from generator.game.print_pages import Backs, Document, Page
from generator.game.rich_text import (
    MarkupError,
    Plain,
    RichText,
    Ruby,
    make_emoji_replacer,
    parse_markup,
    to_plain_text,
)
from generator.sheets.settings import SheetSettings

Named = Callable[[Design], tuple[RichText, Place | None] | None]
"""A design's name and its place in the data; None without an own name."""

_ROW_GAP, _KIND_GAP = 2.8, 4.4
_COUNT_SHARE = 0.36


@dataclass(frozen=True, slots=True)
class CheckListContents:
    """Lays out the pictures of a check list: every design of every kind, in the columns of a page."""

    lang: str
    columns: Columns
    accent: Paint
    named: Named

    def make_parts(self, inventory: Inventory) -> Iterator[Stack | Row]:
        """Yield all kinds in the order of the data, small ones side by side if they fit; then the total."""
        row: list[tuple[KindOfParts, Sequence[tuple[Part, int]], int]] = []
        for kind in inventory.kinds:
            cells = list(self._make_cells(kind))
            wanted = max(sum(span for _, span in cells), min(2, self.columns.number))
            if sum(taken for _, _, taken in row) + wanted > self.columns.number:
                yield from self._place_beside(row)
                row = []
            if wanted > self.columns.number:
                yield replace(self._make_heading(kind, self.columns.width), above=_KIND_GAP, keep=True)
                again = self._make_heading(kind, self.columns.width, continued=True)
                for at, line in enumerate(rows_from_cells(cells, self.columns)):
                    yield Stack((line,), _ROW_GAP if at else 2.0, again=again if at else None)
            else:
                row.append((kind, cells, wanted))
        yield from self._place_beside(row)
        yield self._make_total(inventory)

    def _place_beside(self, row: Sequence[tuple[KindOfParts, Sequence[tuple[Part, int]], int]]) -> Iterator[Row]:
        """Yield kinds side by side as one row, or nothing if `row` is empty; the last heading extends to the margin.

        `row` has for each kind its cells, as from `_make_cells`, and the number of columns that the kind takes.
        """
        placed: list[tuple[float, Part]] = []
        at = 0
        for number, (kind, cells, wanted) in enumerate(row, start=1):
            span = wanted if number < len(row) else self.columns.number - at
            heading = self._make_heading(kind, self.columns.measure_span(span))
            pictures = (replace(one, above=2.0) for one in rows_from_cells(cells, self.columns))
            placed.append((at * self.columns.pitch, Stack((heading, *pictures))))
            at += wanted
        if placed:
            yield Row(placed, _KIND_GAP)

    def _make_heading(self, kind: KindOfParts, width: float, *, continued: bool = False) -> Stack:
        """Return a kind's heading: a line across, its name and number of pieces, then size and number of designs."""
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

    def _make_cells(self, kind: KindOfParts) -> Iterator[tuple[Part, int]]:
        """Yield pictures with captions: the kind's back, if any, then its fronts, each with its width in columns."""
        scale = choose_scale(kind.kind.size, self.columns)
        if kind.back is not None:
            words = phrase("back_picture" if kind.backs == 1 else "back_example", self.lang)
            label = Lettering(words, replace(NAME, paint=ASIDE.paint), self.columns.measure_span(scale.columns))
            shown = self._make_artwork(kind, kind.back, scale, f"back {kind.kind.id}")
            yield add_caption(shown, [[(0.0, label)]]), scale.columns
        for part in kind.parts:
            yield self._make_front(kind, part, scale), scale.columns

    def _make_artwork(self, kind: KindOfParts, drawing: Drawing, scale: Scale, name: str) -> Artwork:
        return cut_artwork(drawing, kind.kind.outline, kind.kind.corner, scale.factor, name)

    def _make_front(self, kind: KindOfParts, part: ListedPart, scale: Scale) -> Part:
        design, width = part.design, self.columns.measure_span(scale.columns)
        left = TICK + 1.4
        number = Lettering(f"×{design.count}", COUNT, width - left, name=f"count {design.id}")
        lines: list[list[tuple[float, Part]]] = [[(0.0, TickBox(design.id)), (left, number)]]
        own, name = self.named(design), f"name {design.id}"
        if own is not None:
            lines.append([(0.0, Lettering(own[0], NAME, width, own[1], name))])
        elif len(kind.parts) > 1:
            # The kind's name is the heading of all designs; their ids distinguish them.
            lines.append([(0.0, Lettering(design.id.split("/", 1)[1], SMALL, width, design.place, name))])
        return add_caption(self._make_artwork(kind, part.front, scale, f"front {design.id}"), lines)

    def _make_total(self, inventory: Inventory) -> Stack:
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
_WEIGHTS = {"card": "card", "pad": "pad", "cube": "fold", "standee": "fold"}
"""The phrase for the paper of each form; all others are boards."""

_INDENT, _DIGIT = TICK + 2.2, 6.0
_ENTRY_GAP = 2.0
_TITLE_SHARE = 0.68


@dataclass(frozen=True, slots=True)
class CheckListSections:
    """The sections of a game's check list in one language."""

    game: Game
    lang: str
    accent: Paint

    def make_head(self, digest: str, pages: ListPages, kind: str = "check_list") -> Part:
        """Return the large title, with draft, date and `digest` at the right, and below it the phrase named `kind`."""
        game, lang, at = self.game, self.lang, self.game.places.place
        wide = pages.width * _TITLE_SHARE
        title = Lettering(game.title[lang], replace(TITLE, paint=self.accent), wide, at("title"), "title")
        facts = [phrase("draft", lang, draft=game.draft), *filter(None, [game.date]), digest]
        return pages.make_head(title, phrase(kind, lang).capitalize(), facts, at("draft"))

    def make_heading(self, name: str, width: float, above: float = 6.0) -> Part:
        """Return the title of a section, whose phrase in the program's words is `name`; it stays with the next part."""
        title = Lettering(phrase(name, self.lang), replace(SECTION, paint=self.accent), width)
        return Stack((title,), above, keep=True, below=0.6)

    def list_paper(self, inventory: Inventory, paper: str, width: float) -> Iterator[Part]:
        """Yield an entry for each group of sheets: contents and printed sides; then the number of sheets of `paper`."""
        yield self.make_heading("paper", width)
        for group in inventory.groups:
            yield self._describe_sheets(group, {one.kind.id: one.count for one in inventory.kinds}, width)
        words = count_phrase("papers", self.lang, inventory.papers, paper=paper)
        total = Lettering(words, replace(TEXT, bold=True, align="end"), width, name="papers", above=1.4)
        yield Stack((RuledLine(width), total), _ENTRY_GAP)

    def _describe_sheets(self, group: SheetGroup, counts: Mapping[str, int], width: float) -> Part:
        lang, kinds = self.lang, [self.game.kinds[kind] for kind in group.kinds]
        span = "sheet_single" if group.first == group.last else "sheet_range"
        sheets = phrase(span, lang, first=group.first, last=group.last)
        names = phrase("and", lang).join(f"{kind.name[lang]} ×{counts[kind.id]}" for kind in kinds)
        sizes = phrase("and", lang).join(f"{size.width:.4g} × {size.height:.4g}" for size in group.sizes)
        weights = dict.fromkeys(phrase(f"weight_{_WEIGHTS.get(kind.form, 'board')}", lang) for kind in kinds)
        small = f"{sizes} mm · {phrase(_SIDES[group.sides], lang)} · {count_phrase('some_pieces', lang, group.count)}"
        made = " · ".join([*weights, *([phrase("cuts", lang, n=group.cuts)] if group.cuts else ())])
        room, number = width - _INDENT, f"{group.first}-{group.last}"
        lines = (
            Lettering(sheets, replace(TEXT, bold=True), room, name=f"sheets {number}"),
            Lettering(names, TEXT, room, kinds[0].place, above=1.1),
            Lettering(small, FACTS, room, name=f"held {number}", above=1.1),
            Lettering(made, FACTS, room, name=f"stock {number}", above=0.6),
        )
        return _make_entry(width, f"sheets {number}", (_INDENT, Stack(lines)))

    def list_steps(self, sentences: Iterable[str], width: float) -> Iterator[Part]:
        """Yield a heading, and the steps as numbered sentences, each with a box to tick."""
        yield self.make_heading("making", width)
        for number, sentence in enumerate(sentences, start=1):
            digit = Lettering(f"{number}", replace(TEXT, bold=True, paint=self.accent), 5.0)
            text = Lettering(sentence, TEXT, width - _INDENT - _DIGIT, name=f"step {number}")
            yield _make_entry(width, f"step {number}", (_INDENT, digit), (_INDENT + _DIGIT, text))

    def list_extras(self, wanted: Sequence[tuple[RichText, Place | None]], width: float) -> Iterator[Part]:
        """Yield a heading and the things that players must bring, given with their places; nothing without any."""
        if wanted:
            yield self.make_heading("not_included", width)
        for number, (words, place) in enumerate(wanted):
            name = f"not included {number}"
            yield _make_entry(width, name, (_INDENT, Lettering(words, TEXT, width - _INDENT, place, name)))

    def make_foot(self, width: float, kind: str = "check_list") -> Lettering:
        """Return the line at the foot of each page: title, draft, and the phrase named `kind` (what list it is)."""
        game, lang = self.game, self.lang
        words = f"{game.title[lang]} · {phrase('draft', lang, draft=game.draft)} · {phrase(kind, lang)}"
        return Lettering(words, FACTS, width, game.places.place("title"))


def _make_entry(width: float, name: str, *parts: tuple[float, Part]) -> Part:
    """Return a list entry under a grey rule: a box to tick called `name`, and `parts`, each with its x (mm)."""
    return Stack((RuledLine(width), Row(((0.0, TickBox(name)), *parts), _ENTRY_GAP / 2 + 0.6)), _ENTRY_GAP / 2)


_PRINT: dict[Backs, str] = {"long": "print_long", "short": "print_short", "separate": "print_separate"}


def write_steps(inventory: Inventory, lang: str, file: str, paper: str) -> Iterator[str]:
    """Yield the steps of making the game as sentences; `file` is the file of the print sheets, `paper` their paper."""
    kinds = inventory.kinds
    rows = [kind for kind in kinds if kind.lie != "packed" and kind.tiles == 1]
    packed = [kind for kind in kinds if kind.lie == "packed"]
    tiled = [kind for kind in kinds if kind.lie != "packed" and kind.tiles > 1]

    yield phrase(_PRINT.get(inventory.backs, "print_one_side"), lang, file=file, paper=paper)
    yield phrase("measure", lang)
    if any(group.sides == "folded" for group in inventory.groups):
        yield phrase("fold_sheets", lang)
    if rows:
        yield phrase("cut_rows", lang, names=_join_names(rows, lang))
    if tiled:
        parts = [phrase("in_parts", lang, title=kind.kind.name[lang], n=kind.tiles) for kind in tiled]
        yield phrase("join_boards", lang, names=phrase("and", lang).join(parts))
    if packed:
        yield phrase("cut_round", lang, names=_join_names(packed, lang))
    if any(group.sides == "separate" for group in inventory.groups):
        yield phrase("glue_backs", lang)
    radii = {kind.kind.corner for kind in rows if kind.kind.form == "card"}
    if any(radii):  # cards are shuffled and drawn, so their corners wear
        yield phrase("round_corners", lang, radius=f"{max(radii):g}")
    for form, words in (("cube", "fold_cubes"), ("standee", "fold_standees")):
        folded = [kind for kind in packed if kind.kind.form == form]
        if folded:
            yield phrase(words, lang, names=_join_names(folded, lang))
    yield phrase("sort", lang, n=inventory.count)


def name_paper(settings: SheetSettings, lang: str) -> str:
    """Return the name of the paper of print sheets, or its size if it has none."""
    sides = {"width": f"{settings.paper.width:g}", "height": f"{settings.paper.height:g}"}
    return settings.paper_name or phrase("own_paper", lang, **sides)


def _join_names(kinds: Sequence[KindOfParts], lang: str) -> str:
    return phrase("and", lang).join(kind.kind.name[lang] for kind in kinds)


def _take_stock(workshop: Workshop, sheets: Document) -> Inventory:
    face = lambda design, side: workshop.draw_face(design, side, sheets.lang)  # noqa: E731
    return make_inventory(workshop.game, sheets.pages, sheets.backs, face, workshop.digest_face)


_TWO_COLUMNS, _BETWEEN = 150.0, 10.0
_NAME_FIELDS = ("name", "title")
"""Fields that may hold a design's name; the first one present is used."""


def make_check_list(
    workshop: Workshop, sheets: Document, settings: SheetSettings, file: str, accent: Paint
) -> Document:
    """Return the check list for the print sheets of a game, in their language; `file` is the sheets' name.

    `settings` give the paper and its unprintable margin. Raise ProblemsFound with every text that can't be set.
    """
    game, lang = workshop.game, sheets.lang
    stock = _take_stock(workshop, sheets)
    words = GameWords(workshop, lang, [])
    pages = ListPages(workshop, settings, lang, accent, "the check list")
    sections = CheckListSections(game, lang, accent)
    first, *more = CheckListContents(lang, Columns(pages.width), accent, words.find_name).make_parts(stock)
    paper = name_paper(settings, lang)
    two = pages.width >= _TWO_COLUMNS
    width = (pages.width - _BETWEEN) / 2 if two else pages.width
    # Paper and missing things at the left, steps at the right; in one column on narrow paper.
    left = [*sections.list_paper(stock, paper, width), *sections.list_extras(words.read_extras(), width)]
    right = list(sections.list_steps(write_steps(stock, lang, file, paper), width))
    parts = [
        sections.make_head(stock.digest, pages),
        sections.make_heading("contents", pages.width),
        replace(first, above=2.0),
        *more,
        *([Halves(left, right, width + _BETWEEN, above=6.5)] if two else [*left, *right]),
    ]
    title = f"{game.title[lang]} – {phrase('check_list', lang)}"
    return pages.make_document(title, parts, sections.make_foot(pages.foot_width), sheets.subject, words.problems)


_FOLDS = Size(84.0, 30.0)
"""Size of the drawings of how to fold cubes and standees, three steps side by side (mm)."""

_MOST_PICTURES = 48
"""If there are more sheets, only the first of each group has a picture."""


def add_cover_sheet(
    workshop: Workshop, sheets: Document, settings: SheetSettings, sleeves: Iterable[Sleeves], file: str, accent: Paint
) -> Document:
    """Return print sheets with a cover sheet before them, in their language.

    `file` is the sheets' name. `accent` colours the cover, which names the tightest of the `sleeves` that fit.
    It takes whole sheets of paper, so that fronts and backs stay together in duplex printing. Raise
    ProblemsFound with every text that can't be set.
    """
    game, lang = workshop.game, sheets.lang
    stock = _take_stock(workshop, sheets)
    if settings.stock:
        stock = replace(stock, groups=tuple(replace(group, cuts=0) for group in stock.groups))
    pages = ListPages(workshop, settings, lang, accent, "the cover sheet")
    sections = CheckListSections(game, lang, accent)
    fronts = {page.sheet: page for page in sheets.pages if page.side == "front"}
    if len(fronts) > _MOST_PICTURES:
        fronts = {group.first: fronts[group.first] for group in stock.groups}
    columns, paper = Columns(pages.width), name_paper(settings, lang)
    wide, label = columns.measure_span(1), replace(NAME, align="middle")
    size = Size(wide, wide * settings.paper.height / settings.paper.width)
    cells = list[tuple[Part, int]]()
    for number in fronts:
        picture = Artwork(size, (make_frame(size),), f"small {number}", "artifact")
        cells.append((add_caption(picture, [[(0.0, Lettering(f"{number}", label, size.width))]]), 1))
    width = (pages.width - _BETWEEN) / 2
    right = [
        *sections.list_steps(write_steps(stock, lang, file, paper), width),
        *_draw_folds(workshop, stock, lang, width),
        *_list_sleeves(stock, sleeves, sections, width),
    ]
    parts = [
        sections.make_head(stock.digest, pages, "cover_sheet"),
        sections.make_heading("small_sheets", pages.width),
        *(replace(row, above=2.4) for row in rows_from_cells(cells, columns)),
        Halves(list(sections.list_paper(stock, paper, width)), right, width + _BETWEEN, above=6.0),
    ]
    small = {f"small {number}": page for number, page in fronts.items()}
    foot = sections.make_foot(pages.foot_width, "cover_sheet")
    cover = pages.make_document(sheets.title, parts, foot, sheets.subject, small=small)
    faces = [page._replace(side="back" if at % 2 else "front", sheet=0) for at, page in enumerate(cover.pages)]
    if len(faces) % 2:  # many printers skip an empty page, so this one has words
        edge = max(settings.margin) + 10
        words = workshop.set_label(str(foot.text), edge, edge, 6.0, "start", 0.0)
        faces.append(Page(settings.paper, "back", 0, (), tuple(words)))
    return replace(sheets, pages=(*faces, *sheets.pages))


def _draw_folds(workshop: Workshop, stock: Inventory, lang: str, width: float) -> Iterator[Part]:
    """Yield, for each form in `stock` that is folded (cube, standee), a drawing in three steps of how it is made."""
    for form in dict.fromkeys(kind.kind.form for kind in stock.kinds if kind.kind.form in ("cube", "standee")):
        drawn = workshop.artist.draw_background(f"common/fold_{form}.svg", _FOLDS, lang)
        if drawn is not None:
            names = phrase("and", lang).join(k.kind.name[lang] for k in stock.kinds if k.kind.form == form)
            title = Lettering(names, NAME, width)
            yield Stack((title, Artwork(_FOLDS, drawn.items, f"fold {form}", above=1.0)), above=3.0)


def _list_sleeves(
    stock: Inventory, tables: Iterable[Sleeves], sections: CheckListSections, width: float
) -> Iterator[Part]:
    """Yield a heading and, for each size of cards, a sleeve that fits or that none does; nothing without cards."""
    lang, sizes = sections.lang, dict.fromkeys(one.kind.size for one in stock.kinds if one.kind.form == "card")
    if sizes:
        yield sections.make_heading("sleeves", width)
    for size in sizes:
        shown = f"{size.width:g} × {size.height:g}"
        fitting = [sleeve for table in tables for sleeve in table.find_fitting(size)]
        line = phrase("no_sleeve", lang, size=shown)
        if fitting:
            inner = f"{fitting[0].inner.width:g} × {fitting[0].inner.height:g}"
            line = phrase("sleeve", lang, size=shown, sleeve=fitting[0].name, inner=inner)
        yield Lettering(line, TEXT, width, name=f"sleeve {shown}", above=1.4)


class GameWords:
    """Reads names and other texts of a game in one language. It adds faults of the texts to `problems`."""

    def __init__(self, workshop: Workshop, lang: str, problems: list[Problem]):
        self._workshop, self._lang, self.problems = workshop, lang, problems
        self._icons_in = make_emoji_replacer((icon.id, icon.emoji) for icon in workshop.game.icons.values())

    def find_name(self, design: Design) -> tuple[RichText, Place | None] | None:
        """Return a design's name, from a field or its id, and its place in the data; None without a name."""
        for field in _NAME_FIELDS:
            place = design.source.place(field, self._lang)
            said = self._get_name_field(design, "card", field)
            if isinstance(said, str) and said.strip():
                return self._parse_rich_text(said, place), place
        icons = self._workshop.game.icons
        parts = design.id.split("/", 1)[1].split("-")
        if any(part not in icons and not part.isdigit() for part in parts):
            return None
        spelt = " ".join(icons[part].name[self._lang] if part in icons else part for part in parts)
        return ((Plain(spelt),), design.place) if spelt else None

    def read_extras(self) -> list[tuple[RichText, Place | None]]:
        """Return the things that the draft asks players to bring."""
        game = self._workshop.game
        first = next(game.designs())
        said = self._get_name_field(first, "game", "not_included") if game.not_included else ()
        places = [game.places.place("not_included", n, self._lang) for n in range(len(game.not_included))]
        return [(self._parse_rich_text(text, place), place) for text, place in zip(said or (), places, strict=False)]

    def _get_name_field(self, design: Design, *path: str) -> Any:
        try:
            return self._workshop.artist.read_field(design, self._lang, *path)
        except ProblemsFound as found:
            self.problems += found.problems
            return None

    def _parse_rich_text(self, text: str, place: Place | None) -> RichText:
        """Parse a text and drop its ruby (small readings above characters), for which the type here is too small."""
        try:
            rich = parse_markup(self._icons_in(" ".join(text.split())))
        except MarkupError as mistake:
            self.problems.append(Problem(place, f"wrong markup: {mistake.what}", "mend it"))
            return (Plain(text),)
        return tuple(
            Plain("".join(part.base), part.bold, part.emphasis, part.colour, part.manner)
            if isinstance(part, Ruby)
            else part
            for part in rich
        )


def find_design_names(workshop: Workshop, problems: list[Problem]) -> Mapping[str, Mapping[str, str]]:
    """Return the name of each design by language, {} for a design without a name. Add faults to `problems`."""
    words = {lang: GameWords(workshop, lang, problems) for lang in workshop.game.languages}
    found = {}
    for design in workshop.game.designs():
        names = {lang: own.find_name(design) for lang, own in words.items()}
        found[design.id] = {lang: " ".join(to_plain_text(name[0]).split()) for lang, name in names.items() if name}
    return found
