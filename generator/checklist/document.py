"""From a game's print sheets to its check list as a document of A4 or other paper, ready to be written."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from generator.checklist.cells import Columns
from generator.checklist.contents import ContentsSetter
from generator.checklist.inventory import Inventory, KindOfParts, take_stock
from generator.checklist.sections import SectionSetter
from generator.checklist.setting import ListSetter
from generator.checklist.things import ListBlock, ListThing, NoRoom, paged, stacked
from generator.errors import Place, Problem, ProblemsFound
from generator.faces.workshop import LABEL_FAMILY, Workshop
from generator.model.colour import bytes_of, contrast
from generator.model.drawing import Paint
from generator.model.game import Colour, Design
from generator.model.markup import MarkupError, parse_markup
from generator.model.phrases import phrase
from generator.model.sheet import Backs, Document, Page
from generator.model.text import Plain, RichText, Ruby
from generator.sheets.settings import SheetSettings
from generator.text.typecase import is_cjk
from generator.units import Rect

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


MARGIN, FOOT = 13.0, 8.0
"""mm of A4; smaller paper has smaller margins. The foot is what a page keeps free below its body."""

_EASE = 0.5
"""mm: some letters are a little taller than their font says."""

_TWO_COLUMNS, _BETWEEN = 150.0, 10.0
_LEAST_CONTRAST, _LEAST_SATURATION = 4.5, 0.6
NAME_FIELDS = ("name", "title")
"""Fields that hold what a design is called, the first that it has."""


def check_list(workshop: Workshop, sheets: Document, settings: SheetSettings, file: str, accent: Paint) -> Document:
    """The check list to a game's laid out print sheets, in their language; `file` is the sheets' name.

    `settings` give the paper and what the printer can't reach. ProblemsFound with every text that can't be set.
    """
    game, lang = workshop.game, sheets.lang
    stock = take_stock(game, sheets.pages, sheets.backs, lambda d, face: workshop.face(d, face, lang), workshop.digest)
    western = next((other for other in game.languages if not is_cjk(other)), "")
    setter = ListSetter(lang, game.fonts, LABEL_FAMILY, workshop.fonts, workshop.artist.icon, western)
    words = _Words(workshop, lang)
    room = body_of(settings)
    sections = SectionSetter(game, lang, setter, accent)
    contents = ContentsSetter(lang, setter, Columns(room.width), accent, words.name)
    blocks = [
        sections.head(stock.digest, room.width),
        sections.heading("contents", room.width),
        *_close(contents.blocks(stock)),
        *_rest(sections, stock, words, settings, file, room),
    ]
    title = f"{game.title[lang]} – {phrase('check_list', lang)}"
    try:
        leaves = paged(blocks, room)
    except NoRoom:
        what = f"the check list finds no room on {settings.paper_name} with margins of {settings.margin:g} mm"
        raise ProblemsFound([Problem(None, what, "choose a larger --paper or a smaller --margin")]) from None
    pages = tuple(
        leaf_of(settings, number, [*leaf, *_foot(sections, number, len(leaves), room)])
        for number, leaf in enumerate(leaves, start=1)
    )
    problems = [*setter.problems, *words.problems, *workshop.problems]
    if problems:
        raise ProblemsFound(problems)
    return Document(title, lang, pages, subject=sheets.subject, date=game.date)


def accent(palette: Mapping[str, Colour]) -> Paint:
    """The game's first strong colour that can be read on white, else its first readable one, else ink."""
    readable = [name for name, colour in palette.items() if contrast(colour.srgb, "#ffffff") >= _LEAST_CONTRAST]
    strong = [name for name in readable if _saturation(palette[name].srgb) >= _LEAST_SATURATION]
    return next(iter([*strong, *(name for name in readable if name != "ink")]), "ink")


def _saturation(srgb: str) -> float:
    parts = bytes_of(srgb)
    return (max(parts) - min(parts)) / max(*parts, 1)


def body_of(settings: SheetSettings) -> Rect:
    """Where the body of a page of a list stands on the paper, mm."""
    paper = settings.paper
    margin = max(settings.margin, min(MARGIN, paper.width / 15))
    height = paper.height - 2 * margin - FOOT
    return Rect(margin, margin + _EASE, paper.width - 2 * margin, height - _EASE)


def _rest(
    sections: SectionSetter, stock: Inventory, words: "_Words", settings: SheetSettings, file: str, room: Rect
) -> Sequence[ListBlock]:
    """Paper and what is not included at the left, the steps at the right; one below the other on narrow paper."""
    lang = sections.lang
    paper = settings.paper_name or phrase(
        "own_paper", lang, width=f"{settings.paper.width:g}", height=f"{settings.paper.height:g}"
    )
    two = room.width >= _TWO_COLUMNS
    width = (room.width - _BETWEEN) / 2 if two else room.width
    left = [*sections.paper(stock, paper, width), *sections.not_included(words.not_included(), width)]
    right = list(sections.steps(steps(stock, lang, file, paper), width))
    columns = [stacked(left), stacked(right, width + _BETWEEN)]
    height = max(column.height for column in columns)
    if not two or height > room.height:
        return [*left, *right]
    return [ListBlock(height, tuple(chain.from_iterable(column.things for column in columns)), above=6.5)]


def _close(blocks: Iterable[ListBlock]) -> Iterator[ListBlock]:
    """The blocks, the first of them close to the heading above it."""
    first, *more = blocks
    yield replace(first, above=2.0)
    yield from more


def _foot(sections: SectionSetter, number: int, of: int, room: Rect) -> list[ListThing]:
    foot = sections.foot(number, of, room.width)
    return [thing.moved(room.x, room.bottom + FOOT - foot.height) for thing in foot.things]


def leaf_of(settings: SheetSettings, number: int, things: Sequence[ListThing]) -> Page:
    """A page of a list with its things."""
    return Page(settings.paper, "front", number, (), tuple(thing.drawn() for thing in things))


class _Words:
    """The game's own words in one language, as its faces show them; what is wrong with them goes to `problems`."""

    def __init__(self, workshop: Workshop, lang: str):
        self._workshop, self._lang = workshop, lang
        self.problems: list[Problem] = []

    def name(self, design: Design) -> tuple[RichText, Place | None] | None:
        """What a design is called, by a field or by its id, and where the data say it."""
        for field in NAME_FIELDS:
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
            rich = parse_markup(" ".join(text.split()))
        except MarkupError as mistake:
            self.problems.append(Problem(place, f"wrong markup: {mistake.what}", "mend it"))
            return (Plain(text),)
        return tuple(
            Plain("".join(part.base), part.bold, part.emphasis, part.colour) if isinstance(part, Ruby) else part
            for part in rich
        )
