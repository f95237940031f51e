"""From an order to the print sheets of one game: which faces in which languages, laid out, labelled, written."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from generator.checks.counts import stated_counts
from generator.delivery import Delivery
from generator.errors import Problem, ProblemsFound, did_you_mean
from generator.faces.workshop import Workshop
from generator.model.drawing import Drawing, Item
from generator.model.edition import first_language, second_language
from generator.model.game import Design, FaceName, Game
from generator.model.ink import Inks
from generator.model.phrases import phrase
from generator.model.sheet import Backs, Document, Face, Page, Piece
from generator.model.subject import subject_of
from generator.sheets.backs import backs_in_use
from generator.sheets.dealing import DoesNotFit
from generator.sheets.layout import Overprint, page_by_page
from generator.sheets.order import Draw, chosen_designs, idle_patterns, pieces
from generator.sheets.overprint import IN_SECOND, Overprinter
from generator.sheets.settings import SheetSettings
from generator.sheets.two_languages import TwoLanguages

Progress = Callable[[str], None]

OWN_PAPER: tuple[Backs, ...] = ("separate", "fold")
"""Where backs may lie on sheets of their own, so that they are cut out by themselves."""


@dataclass(frozen=True, slots=True)
class PrintLook:
    """How the print sheets of a prototype look otherwise than the game: with less ink, in other inks, marked, numbered.

    `thinned` changes faces after their stamps are on; hashes are those of the faces as they are drawn.
    """

    thinned: Callable[[Workshop], Callable[[Drawing], Drawing]] | None = None
    inks: Callable[[Game], Inks] | None = None
    prototype: bool = False
    numbers: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """What is printed: languages (all if empty), folder, sheet settings, ids by pattern, copies of each design, look.

    `ja+en` among the languages means both on one card, where templates offer it. `parts`, where given, are the only
    copies that are printed, by the id of their design: those that a box lacks since something changed.
    """

    languages: tuple[str, ...]
    out: Path
    sheets: SheetSettings
    only: tuple[str, ...] = ()
    copies: int | None = None
    look: PrintLook = PrintLook()
    parts: Mapping[str, range] | None = None

    @property
    def file(self) -> str:
        """The files' name: a selection must not take the place of the whole."""
        if self.parts is not None:
            return "changed"
        return "selection" if self.only or self.copies is not None else "sheets"


def write_sheets(workshop: Workshop, order: Order, files: Delivery, progress: Progress) -> Mapping[str, Document]:
    """The print sheets of one game, a PDF for each language that the order asks for and the game has.

    Answers with these documents by language or pair of languages; none when the order picks nothing of this game.
    ProblemsFound with everything wrong.
    """
    printed = lay_sheets(workshop, order, progress)
    look, write = order.look, workshop.write
    if look.inks:
        write = partial(write, inks=look.inks(workshop.game))
    for edition, document in printed.items():
        progress(f"{workshop.game.id}: {order.file}.{edition}.pdf")
        target = order.out / workshop.game.id / f"{order.file}.{edition}.pdf"
        files.write(target, partial(write, document))
    return printed


def lay_sheets(workshop: Workshop, order: Order, progress: Progress) -> dict[str, Document]:
    """The print sheets of one game as documents that are not written yet; ProblemsFound with everything wrong."""
    game = workshop.game
    designs = chosen_designs(game, order.only)
    editions = editions_of(game, order.languages) if designs else ()
    for edition in editions:
        progress(f"{game.id}: faces ({edition})")
        workshop.draw_all(designs, filter(None, (edition, second_language(edition))))
    problems = [*wrong_counts(game, designs, order), *workshop.problems]
    if problems:
        raise ProblemsFound(problems)
    offered = [edition for edition in editions if _offered(workshop, edition, designs)]
    printed: dict[str, Document] = {}
    for edition in offered:
        pages, backs = _pages(workshop, edition, order)
        printed[edition] = document_of(game, edition, pages, backs)
    return printed


def _offered(workshop: Workshop, edition: str, designs: Iterable[Design]) -> bool:
    """Whether an edition shows all its languages: on a face, on an other side, or on copies in the second."""
    if not second_language(edition) or workshop.offers(edition):
        return True
    tongues = TwoLanguages(workshop, edition)
    return any(tongues.behind(design) or tongues.again(design) for design in designs)


def document_of(game: Game, edition: str, pages: tuple[Page, ...], backs: Backs) -> Document:
    """The print sheets of a language, or of two, as a document."""
    lang = first_language(edition)
    title = f"{game.title[lang]} – {phrase('sheets', lang)}"
    return Document(title, lang, pages, subject=subject_of(game, lang), date=game.date, backs=backs, tagged=True)


def idle_options(games: Sequence[Game], order: Order) -> Iterable[Problem]:
    """Languages and patterns of the order that no game has anything for."""
    yield from idle_languages(games, order.languages)
    idle = [set(idle_patterns(game, order.only)) for game in games]
    ids = [design.id for game in games for design in game.designs()]
    for pattern in sorted(set.intersection(*idle)) if idle else ():
        of = f"of {games[0].id}" if len(games) == 1 else "of any game"
        yield Problem(None, f"--only '{pattern}' picks no component {of}", did_you_mean(pattern, ids))


def idle_languages(games: Sequence[Game], languages: Iterable[str]) -> Iterable[Problem]:
    """Languages that were asked for and that no game has."""
    for edition in languages:
        wrong = [(game, found) for game in games if (found := _wrong_language(game, edition))]
        if games and len(wrong) == len(games):
            game, (what, hint) = wrong[0]
            yield Problem(game.places.place("languages"), f"--lang {edition}: {what}", hint)


def unmade_editions(games: Sequence[Game], order: Order, made: frozenset[str]) -> Iterable[Problem]:
    """Pairs of languages that were asked for and that no template offers."""
    for edition in order.languages:
        if second_language(edition) and edition not in made:
            of = f"of {games[0].id}" if len(games) == 1 else "of any game"
            what = f"--lang {edition}: no template {of} offers two languages"
            yield Problem(None, what, "use {{ second... }} in one")


def editions_of(game: Game, asked: Sequence[str]) -> tuple[str, ...]:
    """Languages in the order of the game, then pairs of them in that of the command; wrong ones are left out."""
    single = [lang for lang in game.languages if not asked or lang in asked]
    pairs = [edition for edition in asked if second_language(edition) and not _wrong_language(game, edition)]
    return tuple(dict.fromkeys([*single, *pairs]))


def _wrong_language(game: Game, edition: str) -> tuple[str, str] | None:
    """What is wrong with a language or pair of languages that was asked for, and a way out."""
    languages = edition.split("+")
    for lang in languages:
        if lang not in game.languages:
            whose = "no language of this game" if lang == edition else f"'{lang}' is no language of this game"
            return whose, did_you_mean(lang, game.languages)
    if len(languages) > 2:
        return "a card has room for two languages", "join two of them"
    if len(set(languages)) < len(languages):
        return "the same language twice", "join two different ones"
    return None


def _pages(workshop: Workshop, edition: str, order: Order) -> tuple[tuple[Page, ...], Backs]:
    """The laid out pages, and how backs are really printed: `none` where no piece has one."""
    problems: list[Problem] = []
    coming, backs = coming_pages(workshop, edition, order, problems)
    pages = tuple(coming)
    if problems:
        raise ProblemsFound(problems)
    return pages, backs


def coming_pages(
    workshop: Workshop, edition: str, order: Order, problems: list[Problem], later: Callable[[Draw], Draw] | None = None
) -> tuple[Iterator[Page], Backs]:
    """The same pages, laid one after another; what does not fit on paper ends them and goes to `problems`."""
    game, lang = workshop.game, first_language(edition)
    draw, overprint = _drawn(workshop, edition, order)
    overprint = overprint and _in_its_language(overprint, workshop, edition, order)
    printed = list(_pieces(workshop, edition, order, later(draw) if later else draw))
    draft = phrase("draft", lang, draft=game.draft)

    def label(sheet: int, of: int, digest: str, side: str) -> str:
        numbered = phrase("sheet", lang, sheet=sheet, of=of)
        return f"{game.title[lang]} · {draft} · {numbered} · {phrase(side, lang)} · {edition} · {digest}"

    settings = replace(
        order.sheets,
        fold_note=phrase("fold_note", lang),
        part_note=phrase("part_note", lang, part="{part}", columns="{columns}", rows="{rows}"),
        glue_note=phrase("glue_note", lang, part="{part}", next="{next}"),
        cut_note=phrase("cut_note", lang, first="{first}", then="{then}", last="{last}", size="{size}"),
    )

    def pages() -> Iterator[Page]:
        try:
            yield from page_by_page(printed, settings, label, workshop.typeset, workshop.digest, overprint)
        except DoesNotFit as error:
            larger = "choose other stock" if settings.stock else "choose a larger --paper"
            problems.extend(_misfits(game, error, larger))

    return pages(), backs_in_use(printed, settings.backs)


def _pieces(workshop: Workshop, edition: str, order: Order, draw: Draw) -> Iterator[Piece]:
    """Every copy to print; those that come in the second language too follow the others of their kind."""
    chosen, tongues = chosen_designs(workshop.game, order.only), TwoLanguages(workshop, edition)
    second = tongues.second
    draw_second = _drawn(workshop, second, order)[0] if second else draw

    def behind(design: Design) -> Face | None:
        return draw_second(design, "front") if tongues.behind(design) else None

    lined = order.sheets.backs in OWN_PAPER
    for kind in workshop.game.kinds.values():
        designs = [design for design in chosen if design.kind == kind.id]
        yield from pieces(kind, designs, draw, order.copies, lined, order.parts, behind)
        again = [design for design in designs if tongues.again(design)]
        for piece in pieces(kind, again, draw_second, order.copies, lined, order.parts):
            yield replace(piece, id=f"{piece.id}{IN_SECOND}{second}")


def _in_its_language(overprint: Overprint, workshop: Workshop, edition: str, order: Order) -> Overprint:
    """The same; a copy in the second language of an edition is stamped in that."""
    second = second_language(edition)
    other = _drawn(workshop, second, order)[1] if second else None
    return lambda piece: (other if other and IN_SECOND in piece.id.partition("#")[2] else overprint)(piece)


def one_language_notes(workshop: Workshop, order: Order, printed: Iterable[str]) -> tuple[str, ...]:
    """What of printed editions like `ja+en` is in the first language alone, a line for each kind."""
    designs = chosen_designs(workshop.game, order.only)
    return tuple(note for edition in printed for note in TwoLanguages(workshop, edition).notes(designs))


def _drawn(workshop: Workshop, edition: str, order: Order) -> tuple[Draw, Overprint | None]:
    """How faces are drawn for printing, and what each copy bears beside its design."""
    look = order.look
    if not (look.thinned or look.prototype or look.numbers):
        return partial(workshop.printed, edition), None
    overprinter = Overprinter(workshop, edition, prototype=look.prototype, numbers=look.numbers, copies=order.copies)
    if look.thinned is None:
        return overprinter.face, overprinter.items
    thinned = look.thinned(workshop)

    def draw(design: Design, face: FaceName) -> Face | None:
        drawing = overprinter.face(design, face)
        return drawing and thinned(drawing)

    def overprint(piece: Piece) -> tuple[Item, ...]:
        return thinned(replace(piece.front.drawn(), items=overprinter.items(piece))).items

    return draw, overprint


def _misfits(game: Game, error: DoesNotFit, larger: str) -> Iterable[Problem]:
    places = {design.id: game.places.place("components", design.kind, "size") for design in game.designs()}
    too_large = {piece.split("/")[0] for misfit in error.misfits for piece in misfit.ids}
    printed = [kind.id for kind in game.kinds.values() if kind.count and not kind.left_out]
    other = next((kind for kind in printed if kind not in too_large), "")
    others = f", or print other parts with --only '{other}/*'" if other else ""
    for misfit in error.misfits:
        yield Problem(places[misfit.ids[0].split("#")[0]], str(misfit), f"{larger}{others}")


def wrong_counts(game: Game, designs: Sequence[Design], order: Order) -> Iterable[Problem]:
    """What is wrong with the numbers of what is to be printed."""
    return (*_contradicted_counts(game), *_nothing_to_print(game, designs, order))


def _nothing_to_print(game: Game, designs: Sequence[Design], order: Order) -> Iterable[Problem]:
    """Designs were picked, but of none is anything counted."""
    if not designs or order.copies is not None or any(design.count for design in designs):
        return
    kind = game.kinds[designs[0].kind]
    if kind.left_out:
        place = game.places.place("components", kind.id, "option")
        what = f"nothing to print: {kind.id} is left out while the switch {kind.option} is off"
    else:
        place, what = designs[0].source.place("count"), f"nothing to print: the count of {designs[0].id} is 0"
    yield Problem(place, what, "print some with --copies 1")


def _contradicted_counts(game: Game) -> Iterable[Problem]:
    for check in stated_counts(game):
        if check.status == "fail":
            yield Problem(check.place, f"{check.sentence}: {check.figures}", "change a count, or `stated`")
