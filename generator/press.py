"""From an order to the print sheets of one game: which faces in which languages, laid out, labelled, written."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

from generator.checklist.document import accent, check_list
from generator.checks.colour import contrast
from generator.checks.counts import stated_counts
from generator.delivery import Delivery
from generator.draw.workshop import Workshop
from generator.errors import Problem, ProblemsFound, did_you_mean
from generator.model.edition import first_language, second_language
from generator.model.game import Design, Game
from generator.model.phrases import phrase
from generator.model.sheet import Backs, Document, Page
from generator.rulebook.booklet import booklet
from generator.rulebook.pages import typeset
from generator.rulebook.played import Engine, Played
from generator.rulebook.source import read_book, rulebook_languages
from generator.rulebook.web import html
from generator.sheets.backs import backs_in_use
from generator.sheets.dealing import DoesNotFit
from generator.sheets.layout import lay_out
from generator.sheets.order import chosen_designs, idle_patterns, pieces
from generator.sheets.settings import SheetSettings

Progress = Callable[[str], None]

OWN_PAPER: tuple[Backs, ...] = ("separate", "fold")
"""Where backs may lie on sheets of their own, so that they are cut out by themselves."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is printed: languages (all if empty), folder, sheet settings, ids by pattern, copies of each design.

    `ja+en` among the languages means both on one card, where templates offer it.
    """

    languages: tuple[str, ...]
    out: Path
    sheets: SheetSettings
    only: tuple[str, ...] = ()
    copies: int | None = None

    @property
    def file(self) -> str:
        """The files' name: a selection must not take the place of the whole."""
        return "selection" if self.only or self.copies is not None else "sheets"


def write_sheets(workshop: Workshop, order: Order, files: Delivery, progress: Progress) -> Mapping[str, Document]:
    """The print sheets of one game, a PDF for each language that the order asks for and the game has.

    Answers with these documents by language or pair of languages; none when the order picks nothing of this game.
    ProblemsFound with everything wrong.
    """
    game = workshop.game
    designs = chosen_designs(game, order.only)
    editions = _editions(game, order) if designs else ()
    for edition in editions:
        progress(f"{game.id}: faces ({edition})")
        workshop.draw_all(designs, [edition])
    problems = [*_contradicted_counts(game), *_nothing_to_print(game, designs, order), *workshop.problems]
    if problems:
        raise ProblemsFound(problems)
    offered = [edition for edition in editions if not second_language(edition) or workshop.offers(edition)]
    printed: dict[str, Document] = {}
    for edition in offered:
        progress(f"{game.id}: {order.file}.{edition}.pdf")
        pages, backs = _pages(workshop, edition, order)
        lang = first_language(edition)
        title = f"{game.title[lang]} – {phrase('sheets', lang)}"
        subject = f"{phrase('draft', lang, draft=game.draft)}. {game.credit} {game.licence}"
        document = printed[edition] = Document(title, lang, pages, subject=subject, date=game.date, backs=backs)
        files.write(order.out / game.id / f"{order.file}.{edition}.pdf", partial(workshop.write, document))
    return printed


def write_check_lists(
    workshop: Workshop, sheets: Mapping[str, Document], order: Order, files: Delivery, progress: Progress
) -> None:
    """A check list to the sheets of each single language; none to a selection, as a list speaks of the whole."""
    if order.file != "sheets":
        return
    game = workshop.game
    for edition, document in sheets.items():
        if second_language(edition):
            continue
        progress(f"{game.id}: components.{edition}.pdf")
        name = f"{order.file}.{edition}.pdf"
        made = check_list(workshop, document, order.sheets, name, accent(game.palette, contrast))
        files.write(order.out / game.id / f"components.{edition}.pdf", partial(workshop.write, made))


@dataclass(frozen=True, slots=True)
class BookOrder:
    """Which rulebooks are made: languages (all if empty), folder, page format."""

    languages: tuple[str, ...]
    out: Path
    page: str = "A5"


def write_rulebooks(workshop: Workshop, engine: Engine, order: BookOrder, files: Delivery, progress: Progress) -> int:
    """Pages, booklet and web page of a game's rulebook in each language; how many, none where it has no templates.

    ProblemsFound with everything wrong in any language.
    """
    game = workshop.game
    problems: list[Problem] = []
    played = Played(game, engine)
    paint = accent(game.palette, contrast)
    made = 0
    for lang in rulebook_languages(workshop):
        if order.languages and lang not in order.languages:
            continue
        progress(f"{game.id}: rulebook.{lang}")
        try:
            book = read_book(workshop, lang, played)
            document = typeset(book, workshop, order.page, paint)
            folder, folded, page = order.out / game.id, booklet(document), html(book, workshop, paint)
        except ProblemsFound as found:
            problems += found.problems
            continue
        files.write(folder / f"rulebook.{lang}.pdf", partial(workshop.write, document))
        files.write(folder / f"rulebook-booklet.{lang}.pdf", partial(workshop.write, folded))
        files.write(folder / f"rulebook.{lang}.html", partial(_write_text, page))
        made += 1
    if problems:
        raise ProblemsFound(problems)
    return made


def _write_text(text: str, out: BinaryIO) -> None:
    out.write(text.encode("utf-8"))


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


def _editions(game: Game, order: Order) -> tuple[str, ...]:
    """Languages in the order of the game, then pairs of them in that of the command; wrong ones are left out."""
    single = [lang for lang in game.languages if not order.languages or lang in order.languages]
    pairs = [edition for edition in order.languages if second_language(edition) and not _wrong_language(game, edition)]
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
    game, lang = workshop.game, first_language(edition)
    chosen = chosen_designs(game, order.only)
    printed = [
        piece
        for kind in game.kinds.values()
        for piece in pieces(
            kind,
            [design for design in chosen if design.kind == kind.id],
            partial(workshop.printed, edition),
            order.copies,
            order.sheets.backs in OWN_PAPER,
        )
    ]
    draft = phrase("draft", lang, draft=game.draft)

    def label(sheet: int, of: int, digest: str, side: str) -> str:
        numbered = phrase("sheet", lang, sheet=sheet, of=of)
        return f"{game.title[lang]} · {draft} · {numbered} · {phrase(side, lang)} · {edition} · {digest}"

    settings = replace(
        order.sheets,
        fold_note=phrase("fold_note", lang),
        part_note=phrase("part_note", lang, part="{part}", columns="{columns}", rows="{rows}"),
        glue_note=phrase("glue_note", lang, part="{part}", next="{next}"),
    )
    try:
        pages = lay_out(printed, settings, label, workshop.typeset, workshop.digest)
        return pages, backs_in_use(printed, settings.backs)
    except DoesNotFit as error:
        raise ProblemsFound(_misfits(game, error)) from error


def _misfits(game: Game, error: DoesNotFit) -> Iterable[Problem]:
    places = {design.id: game.places.place("components", design.kind, "size") for design in game.designs()}
    for misfit in error.misfits:
        kind = misfit.ids[0].split("/")[0]
        others = next((f", or print other parts with --only '{other}/*'" for other in game.kinds if other != kind), "")
        yield Problem(places[misfit.ids[0].split("#")[0]], str(misfit), f"choose a larger --paper{others}")


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
