"""From a game's print sheets to its check list as a document of A4 or other paper, ready to be written."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from generator.checklist.contents import CheckListContents, CheckListSections
from generator.checklist.inventory import Inventory, KindOfParts, take_stock
from generator.errors import Place, Problem, ProblemsFound
from generator.faces.workshop import Workshop
from generator.model.drawing import Paint
from generator.model.game import Design
from generator.model.markup import MarkupError, icons_for, parse_markup
from generator.model.phrases import phrase
from generator.model.sheet import Backs, Document
from generator.model.text import Plain, RichText, Ruby
from generator.pages.blocks import Halves
from generator.pages.cells import Columns
from generator.pages.lists import ListPages
from generator.sheets.settings import SheetSettings

_PRINT: dict[Backs, str] = {"long": "print_long", "short": "print_short", "separate": "print_separate"}


def steps(inventory: Inventory, lang: str, file: str, paper: str) -> Iterator[str]:
    """The sentences, each a step; `file` is the print sheets' name, `paper` what they are printed on."""
    kinds = inventory.kinds
    rows = [kind for kind in kinds if kind.lie != "packed" and kind.tiles == 1]
    packed = [kind for kind in kinds if kind.lie == "packed"]
    tiled = [kind for kind in kinds if kind.lie != "packed" and kind.tiles > 1]

    yield phrase(_PRINT.get(inventory.backs, "print_one_side"), lang, file=file, paper=paper)
    yield phrase("measure", lang)
    if any(group.sides == "folded" for group in inventory.groups):
        yield phrase("fold_sheets", lang)
    if rows:
        yield phrase("cut_rows", lang, names=_names(rows, lang))
    if tiled:
        parts = [phrase("in_parts", lang, title=kind.kind.name[lang], n=kind.tiles) for kind in tiled]
        yield phrase("join_boards", lang, names=phrase("and", lang).join(parts))
    if packed:
        yield phrase("cut_round", lang, names=_names(packed, lang))
    if any(group.sides == "separate" for group in inventory.groups):
        yield phrase("glue_backs", lang)
    yield from _corners(rows, lang)
    for form, words in (("cube", "fold_cubes"), ("standee", "fold_standees")):
        folded = [kind for kind in packed if kind.kind.form == form]
        if folded:
            yield phrase(words, lang, names=_names(folded, lang))
    yield phrase("sort", lang, n=inventory.count)


def _corners(rows: Sequence[KindOfParts], lang: str) -> Iterator[str]:
    """Cards alone: they are shuffled and drawn, so their corners suffer."""
    radii = {kind.kind.corner for kind in rows if kind.kind.form == "card"}
    if any(radii):
        yield phrase("round_corners", lang, radius=f"{max(radii):g}")


def _names(kinds: Sequence[KindOfParts], lang: str) -> str:
    return phrase("and", lang).join(kind.kind.name[lang] for kind in kinds)


_TWO_COLUMNS, _BETWEEN = 150.0, 10.0
_NAME_FIELDS = ("name", "title")
"""Fields that hold what a design is called, the first that it has."""


def check_list(workshop: Workshop, sheets: Document, settings: SheetSettings, file: str, accent: Paint) -> Document:
    """The check list to a game's laid out print sheets, in their language; `file` is the sheets' name.

    `settings` give the paper and what the printer can't reach. ProblemsFound with every text that can't be set.
    """
    game, lang = workshop.game, sheets.lang
    stock = take_stock(game, sheets.pages, sheets.backs, lambda d, face: workshop.face(d, face, lang), workshop.digest)
    words = OwnWords(workshop, lang, [])
    pages = ListPages(workshop, settings, lang, accent, "the check list")
    sections = CheckListSections(game, lang, accent)
    first, *more = CheckListContents(lang, Columns(pages.width), accent, words.name).parts(stock)
    paper = settings.paper_name or phrase(
        "own_paper", lang, width=f"{settings.paper.width:g}", height=f"{settings.paper.height:g}"
    )
    two = pages.width >= _TWO_COLUMNS
    width = (pages.width - _BETWEEN) / 2 if two else pages.width
    # Paper and what is not included at the left, the steps at the right; one below the other on narrow paper.
    left = [*sections.paper(stock, paper, width), *sections.not_included(words.not_included(), width)]
    right = list(sections.steps(steps(stock, lang, file, paper), width))
    parts = [
        sections.head(stock.digest, pages),
        sections.heading("contents", pages.width),
        replace(first, above=2.0),
        *more,
        *([Halves(left, right, width + _BETWEEN, above=6.5)] if two else [*left, *right]),
    ]
    title = f"{game.title[lang]} – {phrase('check_list', lang)}"
    return pages.document(title, parts, sections.foot(pages.foot_width), sheets.subject, words.problems)


class OwnWords:
    """The game's own words in one language, as its faces show them; what is wrong with them goes to `problems`."""

    def __init__(self, workshop: Workshop, lang: str, problems: list[Problem]):
        self._workshop, self._lang, self.problems = workshop, lang, problems
        self._icons_in = icons_for((icon.id, icon.emoji) for icon in workshop.game.icons.values())

    def name(self, design: Design) -> tuple[RichText, Place | None] | None:
        """What a design is called, by a field or by its id, and where the data say it."""
        for field in _NAME_FIELDS:
            place = design.source.place(field, self._lang)
            said = self._said(design, "card", field)
            if isinstance(said, str) and said.strip():
                return self._rich(said, place), place
        spelt = self._spelt(design)
        return ((Plain(spelt),), design.place) if spelt else None

    def _spelt(self, design: Design) -> str:
        """An id of numbers and icons in words, `6-wheat` as `6 小麦`; empty where it has other parts."""
        icons = self._workshop.game.icons
        parts = design.id.split("/", 1)[1].split("-")
        if any(part not in icons and not part.isdigit() for part in parts):
            return ""
        return " ".join(icons[part].name[self._lang] if part in icons else part for part in parts)

    def not_included(self) -> list[tuple[RichText, Place | None]]:
        """What the draft asks players to bring."""
        game = self._workshop.game
        first = next(game.designs())
        said = self._said(first, "game", "not_included") if game.not_included else ()
        places = [game.places.place("not_included", n, self._lang) for n in range(len(game.not_included))]
        return [(self._rich(text, place), place) for text, place in zip(said or (), places, strict=False)]

    def _said(self, design: Design, *path: str) -> Any:
        try:
            return self._workshop.artist.says(design, self._lang, *path)
        except ProblemsFound as found:
            self.problems += found.problems
            return None

    def _rich(self, text: str, place: Place | None) -> RichText:
        """A text without the readings above its characters: it is too small for them here."""
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
