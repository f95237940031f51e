"""Print sheets: makes the print sheets of a game from an order."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any, BinaryIO

from generator.base.display_list import Drawing, Item
from generator.base.errors import Problem, raise_problems
from generator.base.geometry import Size, paper_size
from generator.base.languages import first_language, phrase, second_language
from generator.checks.check_report import check_stated_counts
from generator.commands.orders import Job, Order, Progress, editions_of
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.game.model import Design, FaceName, Game
from generator.game.print_pages import Backs, Document, Face, Page, Piece
from generator.sheets.imposition import resolve_backs
from generator.sheets.pieces import IN_SECOND, Draw, Overprinter, TwoLanguages, make_pieces, pick_designs
from generator.sheets.place_pieces import DoesNotFit, Sheet, place_on_sheets, suggest_smaller_margin
from generator.sheets.settings import SheetSettings
from generator.sheets.sheet_pages import Overprint, find_longest_label, iter_sheet_pages
from generator.sheets.slug import Label

if TYPE_CHECKING:
    from generator.base.colour import Inks
    from generator.game.presets import Sleeves


OWN_PAPER: tuple[Backs, ...] = ("separate", "fold")
"""Values of --backs with which backs are printed separately from their fronts and need cut lines of their own."""

A4 = SheetSettings(paper_size("A4"), "A4")


@dataclass(frozen=True, slots=True)
class PrintLook:
    """Options that change the look of print sheets: less ink, grey, larger, high contrast, clean.

    `prototype` prints this word, `numbers` each copy's number. Less ink and high contrast change stamped faces; hashes
    are of the original ones. With `clean` the faces have no stamp; the draft is printed in the sheet's margin only.
    """

    low_ink: bool = False
    grey: bool = False
    prototype: bool = False
    numbers: bool = False
    large_print: bool = False
    high_contrast: bool = False
    clean: bool = False

    @property
    def suffix(self) -> str:
        """Return the end of file names that keeps accessible editions apart from the usual one: `-large-print` ..."""
        return f"{'-high-contrast' if self.high_contrast else ''}{'-large-print' if self.large_print else ''}"


@dataclass(frozen=True, slots=True)
class PrintOrder(Order):
    """Order for print sheets: settings of the sheets, copies of each design (None: its count), and look.

    `ja+en` in `languages` means both on one card, if the templates offer it. `parts` limits printing to these copies of
    each design id. It is used to print what changed. With `sleeves`, each file begins with a cover sheet that names
    those that fit.
    """

    sheets: SheetSettings = A4
    copies: int | None = None
    look: PrintLook = PrintLook()
    parts: Mapping[str, range] | None = None
    sleeves: "tuple[Sleeves, ...] | None" = None

    @property
    def file(self) -> str:
        """Name of the files without language and ending; selections and accessible editions have names of their own."""
        if self.parts is not None:
            return "changed"
        name = "selection" if self.only or self.copies is not None else "sheets"
        return f"{name}{self.look.suffix}"

    def list_grounds(self) -> tuple[Any, ...]:
        """Return the fields that decide the sheets of an edition besides the game: all but languages and folder."""
        return tuple([getattr(self, one.name) for one in fields(self) if one.name not in ("languages", "out")])

    def for_cache(self, _game: Game) -> Order | None:
        """Return the order itself: the files depend on all of it."""
        return self


class PrintSheets(Mapping[str, Document]):
    """The print sheets of one game as unwritten documents, by language or pair of languages.

    They are laid out when they are first asked for. Raises ProblemsFound if anything does not fit.
    """

    def __init__(self, workshop: Workshop, order: PrintOrder, editions: Sequence[str]):
        self._workshop, self._order = workshop, order
        self._made: dict[str, Document | None] = dict.fromkeys(editions)

    def __getitem__(self, edition: str) -> Document:
        made = self._made[edition]
        if made is None:
            problems: list[Problem] = []
            coming, backs = iter_pages(self._workshop, edition, self._order, problems)
            pages = tuple(coming)
            raise_problems(problems)
            made = self._made[edition] = make_document(self._workshop.game, edition, pages, backs)
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


def impose_sheets(workshop: Workshop, order: PrintOrder, progress: Progress) -> PrintSheets:
    """Draw the faces of one game and return its print sheets.

    They are empty if the order picks nothing of this game. Raise ProblemsFound with all problems.
    """
    game = workshop.game
    designs = pick_designs(game, order.only)
    editions = editions_of(game, order.languages) if designs else ()
    for edition in editions:
        progress(f"{game.id}: faces ({edition})")
        workshop.draw_all(designs, filter(None, (edition, second_language(edition))))
    raise_problems([*check_counts(game, designs, order), *workshop.problems])

    def differs(edition: str) -> bool:
        if not second_language(edition) or workshop.has_both_languages(edition):
            return True
        tongues = TwoLanguages(workshop, edition)  # its other side or extra copies may show the second language
        return any(tongues.shows_behind(design) or tongues.prints_again(design) for design in designs)

    return PrintSheets(workshop, order, [*filter(differs, editions)])


def list_sheets(workshop: Workshop, edition: str, order: PrintOrder) -> list[Sheet]:
    """Return the sheets of an edition with their pieces, whose faces are drawn. Raise DoesNotFit."""
    pieces = list(_iter_pieces(workshop, edition, order, _draw_and_overprint(workshop, edition, order)[0]))
    backs, text = resolve_backs(pieces, order.sheets.backs), find_longest_label(_make_label(workshop.game, edition))
    return place_on_sheets(pieces, order.sheets, backs, text, workshop.digest_face)


def write_sheets(job: Job, order: PrintOrder, printed: Mapping[str, Document]) -> tuple[str, ...]:
    """Write the print sheets of one game and return their editions."""
    game = job.workshop.game
    inks = inks_of(order, game)

    def write(edition: str, out: BinaryIO) -> None:
        document = printed[edition]
        if order.sleeves is not None:
            from generator.books.check_list import add_cover_sheet  # few orders want one

            name, accent = f"{order.file}.{edition}.pdf", find_accent(game.palette)
            document = add_cover_sheet(job.workshop, document, order.sheets, order.sleeves, name, accent)
        job.workshop.write_document(document, out, inks=inks)

    for edition in printed:
        name = f"{order.file}.{edition}.pdf"
        job.progress(f"{game.id}: {name}")
        job.write_edition(order.out / game.id / name, edition, partial(write, edition), order.list_grounds())
    return tuple(printed)


def inks_of(order: PrintOrder, game: Game) -> "Inks | None":
    """Return the inks for the order's look, or None for the game's own inks."""
    if not order.look.grey:
        return None
    from generator.drawing.pdf.pdf_pictures import GreyInks

    return GreyInks(game)


def make_document(game: Game, edition: str, pages: tuple[Page, ...], backs: Backs) -> Document:
    """Return an edition's print sheets as a document in its first language; `backs` is the mode used."""
    lang = first_language(edition)
    title = f"{game.title[lang]} – {phrase('sheets', lang)}"
    return Document(title, lang, pages, subject=game.subject(lang), date=game.date, backs=backs, tagged=True)


def iter_pages(
    workshop: Workshop,
    edition: str,
    order: PrintOrder,
    problems: list[Problem],
    later: Callable[[Draw], Draw] | None = None,
) -> tuple[Iterator[Page], Backs]:
    """Return an iterator over the pages, which makes them one by one, and the mode of backs that is used.

    The first page that does not fit ends the iteration and adds to `problems`. `later` delays the drawing of faces
    until their pages are laid out.
    """
    game, lang = workshop.game, first_language(edition)
    draw, overprint = _draw_and_overprint(workshop, edition, order)
    second = second_language(edition)
    if overprint and second:  # copies that are repeated in the second language speak it
        first, other = overprint, _draw_and_overprint(workshop, second, order)[1] or overprint
        overprint = lambda piece: (other if IN_SECOND in piece.id.partition("#")[2] else first)(piece)  # noqa: E731
    printed = list(_iter_pieces(workshop, edition, order, later(draw) if later else draw))
    label = _make_label(game, edition)
    settings = replace(
        order.sheets,
        fold_note=phrase("fold_note", lang),
        part_note=phrase("part_note", lang, part="{part}", columns="{columns}", rows="{rows}"),
        glue_note=phrase("glue_note", lang, part="{part}", next="{next}"),
        cut_note=phrase("cut_note", lang, first="{first}", then="{then}", last="{last}", size="{size}"),
    )

    def pages() -> Iterator[Page]:
        try:
            yield from iter_sheet_pages(printed, settings, label, workshop.set_label, workshop.digest_face, overprint)
        except DoesNotFit as error:
            larger = "choose other stock" if settings.stock else "choose a larger --paper"
            problems.extend(_misfit_problems(game, error, larger))

    return pages(), resolve_backs(printed, settings.backs)


def _make_label(game: Game, edition: str) -> Label:
    lang = first_language(edition)
    draft = phrase("draft", lang, draft=game.draft)

    def label(sheet: int, of: int, digest: str, side: str) -> str:
        numbered = phrase("sheet", lang, sheet=sheet, of=of)
        return f"{game.title[lang]} · {draft} · {numbered} · {phrase(side, lang)} · {edition} · {digest}"

    return label


def _iter_pieces(workshop: Workshop, edition: str, order: PrintOrder, draw: Draw) -> Iterator[Piece]:
    """Yield every copy to print, drawn by `draw`. Copies in a second language follow the others of their kind."""
    chosen, tongues = pick_designs(workshop.game, order.only), TwoLanguages(workshop, edition)
    second = tongues.second
    draw_second = _draw_and_overprint(workshop, second, order)[0] if second else draw

    def behind(design: Design) -> Face | None:
        return draw_second(design, "front") if second and tongues.shows_behind(design) else None

    lined = order.sheets.backs in OWN_PAPER
    for own in workshop.game.kinds.values():
        kind = own
        if order.look.large_print:
            from generator.drawing.faces.face_variants import enlarge_kind

            kind = enlarge_kind(own)
        designs = [design for design in chosen if design.kind == kind.id]
        yield from make_pieces(kind, designs, draw, order.copies, lined, order.parts, behind)
        again = [design for design in designs if second and tongues.prints_again(design)]
        for piece in make_pieces(kind, again, draw_second, order.copies, lined, order.parts):
            yield piece._replace(id=f"{piece.id}{IN_SECOND}{second}")


def sheet_notes(workshop: Workshop, order: PrintOrder, printed: Iterable[str]) -> tuple[str, ...]:
    """Return notes on the sheets of the editions `printed`: kinds in one language, margins that would save sheets."""
    editions, designs = tuple(printed), pick_designs(workshop.game, order.only)
    notes = [note for edition in editions for note in TwoLanguages(workshop, edition).list_notes(designs)]
    return (*notes, *_margin_notes(workshop, order, editions))


def _margin_notes(workshop: Workshop, order: PrintOrder, editions: tuple[str, ...]) -> Iterator[str]:
    """Yield a note for each card size that needs fewer sheets with a smaller margin."""
    game, settings = workshop.game, order.sheets
    cards: dict[tuple[Size, float, bool], dict[str, int]] = {}
    for design in pick_designs(game, order.only):
        kind = game.kinds[design.kind]
        if kind.form == "card" and not kind.outline:
            folded = settings.backs == "fold" and bool(design.back)
            of_size = cards.setdefault((kind.size, kind.bleed, folded), {})
            of_size[kind.id] = of_size.get(kind.id, 0) + (design.count if order.copies is None else order.copies)
    for (size, bleed, folded), counts in cards.items() if editions else ():
        known = suggest_smaller_margin(
            settings, size, bleed, folded, find_longest_label(_make_label(game, editions[0]))
        )
        copies = sum(counts.values())
        if known is not None and ceil(copies / known[1]) < ceil(copies / known[0]):
            now, more, margin = known
            where = f" on {settings.paper_name}" if settings.paper_name else ""
            sheets = f"{ceil(copies / now)} sheets become {ceil(copies / more)}"
            better = f"{more} with --margin {margin:g}mm ({sheets})"
            yield f"{game.id}: {', '.join(counts)}: {now} to a sheet{where}; {better}"


def _draw_and_overprint(workshop: Workshop, edition: str, order: PrintOrder) -> tuple[Draw, Overprint | None]:
    """Return a function that draws faces for printing, and one that returns what is printed over a copy, or None."""
    look = order.look
    if look.large_print:
        from generator.drawing.faces.face_variants import make_enlarger  # few orders want it

        enlarge, as_it_is = make_enlarger(), replace(look, large_print=False)
        plain, _ = _draw_and_overprint(workshop, edition, replace(order, look=as_it_is))
        return lambda design, face: (drawn := plain(design, face)) and enlarge(drawn.to_drawing()), None
    face: Callable[[Design, FaceName], Drawing | None] = partial(workshop.draw_printed, edition, clean=look.clean)
    items: Overprint | None = None
    if look.prototype or look.numbers:
        marks = Overprinter(workshop, edition, prototype=look.prototype, numbers=look.numbers, copies=order.copies)
        face, items = marks.draw_face, marks.draw_overprint
    if not (look.high_contrast or look.low_ink):
        return face, items
    from generator.drawing.faces.face_variants import recolour_high_contrast, recolour_low_ink

    repainted = (recolour_high_contrast if look.high_contrast else recolour_low_ink)(workshop)

    def draw(design: Design, side: FaceName) -> Face | None:
        drawing = face(design, side)
        return drawing and repainted(drawing)

    def overprint(piece: Piece) -> tuple[Item, ...]:
        return repainted(piece.front.to_drawing()._replace(items=items(piece))).items if items else ()

    return draw, overprint if items else None


def _misfit_problems(game: Game, error: DoesNotFit, larger: str) -> Iterable[Problem]:
    places = {design.id: game.places.place("components", design.kind, "size") for design in game.designs()}
    too_large = {piece.split("/")[0] for misfit in error.misfits for piece in misfit.ids}
    printed = [kind.id for kind in game.kinds.values() if kind.count and not kind.left_out]
    other = next((kind for kind in printed if kind not in too_large), "")
    others = f", or print other parts with --only '{other}/*'" if other else ""
    for misfit in error.misfits:
        yield Problem(places[misfit.ids[0].split("#")[0]], str(misfit), f"{larger}{others}")


def check_counts(game: Game, designs: Sequence[Design], order: PrintOrder) -> Iterable[Problem]:
    """Yield a problem for each count that differs from the stated one, and if the picked designs have no copies."""
    for check in check_stated_counts(game):
        if check.status == "fail":
            yield Problem(check.place, f"{check.sentence}: {check.figures}", "change a count, or `stated`")
    if not designs or order.copies is not None or any(design.count for design in designs):
        return
    kind = game.kinds[designs[0].kind]
    if kind.left_out:
        place = game.places.place("components", kind.id, "option")
        what = f"nothing to print: {kind.id} is not printed while the switch {kind.option} is off"
    else:
        place, what = designs[0].source.place("count"), f"nothing to print: the count of {designs[0].id} is 0"
    yield Problem(place, what, "print some with --copies 1")
