"""The whole program on a page: YAML -> model -> drawings -> sheets -> PDF, and the checks that read the same model."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

from generator.checks.counts import stated_counts
from generator.checks.record import Check
from generator.delivery import Delivery, delivery
from generator.draw.workshop import Workshop
from generator.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.games.registry import checking_functions
from generator.load.game import load_game
from generator.load.json_schema import game_schema
from generator.load.project import Project
from generator.model.edition import first_language, second_language
from generator.model.game import Game
from generator.model.phrases import phrase
from generator.model.sheet import Backs, Document, Page
from generator.sheets.backs import backs_in_use
from generator.sheets.dealing import DoesNotFit
from generator.sheets.layout import lay_out
from generator.sheets.order import chosen_designs, idle_patterns, pieces
from generator.sheets.settings import SheetSettings

Progress = Callable[[str], None]

REPORT_LANGUAGE = "en"
"""Of the data's own sentences in reports, as the program's are English; a game without it speaks its first language."""


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


@dataclass(frozen=True, slots=True)
class Made:
    """The files of a build, and the checks that failed."""

    files: tuple[Path, ...]
    failed: tuple[Check, ...] = ()


def build(project: Project, names: tuple[str, ...], order: Order, progress: Progress) -> Made:
    """Everything of the games: print sheets in each language and a validation report."""
    from generator.checks.report import as_text  # sheets alone need no report

    failed: list[Check] = []

    def make(workshop: Workshop, files: Delivery) -> None:
        game = workshop.game
        write_sheets(workshop, order, files, progress)
        progress(f"{game.id}: validation")
        checks = _checks(workshop)
        failed.extend(check for check in checks if check.status == "fail")
        _write_text(files, order.out / game.id / "validation.txt", as_text([(game, checks)], REPORT_LANGUAGE))

    return Made(_make(project, names, make, progress), tuple(failed))


def sheets(project: Project, names: tuple[str, ...], order: Order, progress: Progress) -> Made:
    """The games' print sheets alone."""
    return Made(_make(project, names, lambda workshop, files: write_sheets(workshop, order, files, progress), progress))


def validate(project: Project, names: tuple[str, ...], form: str, *, strict: bool) -> tuple[str, bool]:
    """The report of all checks, and whether anything failed."""
    from generator.checks.report import as_json, as_text

    results: list[tuple[Game, tuple[Check, ...]]] = []

    def check(workshop: Workshop, _files: Delivery) -> None:
        results.append((workshop.game, _checks(workshop)))

    _make(project, names, check, lambda _doing: None)
    bad = {"fail", "finding", "undecided"} if strict else {"fail"}
    failed = any(one.status in bad for _, checks in results for one in checks)
    report = as_json if form == "json" else as_text
    return report(results, REPORT_LANGUAGE), failed


def listing(project: Project, names: tuple[str, ...], form: str) -> str:
    """The games and their components with stated and actual count."""
    games, problems = _load(project, names)
    if problems:
        raise ProblemsFound(problems)
    if form == "json":
        return (
            json.dumps({"format": 1, "games": [_listed(game) for game in games]}, ensure_ascii=False, indent=2) + "\n"
        )
    return "\n".join(line for game in games for line in _lines(game)) + "\n"


def schemas(project: Project, names: tuple[str, ...], *, check_only: bool) -> tuple[Path, ...]:
    """Write each game's JSON Schema beside its data; or only say which are out of date."""
    problems: list[Problem] = []
    with delivery() as files:
        for name in project.choose(names):
            folder = project.folder(name)
            target = folder / "schema.json"
            try:
                text = json.dumps(game_schema(folder, project.resources), ensure_ascii=False, indent=2) + "\n"
            except ProblemsFound as found:
                problems += found.problems
                continue
            if not check_only:
                _write_text(files, target, text)
            elif not target.is_file() or target.read_text(encoding="utf-8") != text:
                place = Place(project.resources.shown(target))
                problems.append(Problem(place, "the schema is out of date", f"run `pnp schema {name}`"))
        if problems:
            raise ProblemsFound(problems)
        return files.hand_over()


def write_sheets(workshop: Workshop, order: Order, files: Delivery, progress: Progress) -> None:
    """The print sheets of one game, a PDF for each language; ProblemsFound with everything wrong with its faces."""
    game = workshop.game
    problems = [*_contradicted_counts(game), *_idle_options(game, order)]
    designs = chosen_designs(game, order.only)
    editions = _editions(game, order)
    for edition in editions:
        progress(f"{game.id}: faces ({edition})")
        workshop.draw_all(designs, [edition])
    problems += workshop.problems or _idle_editions(workshop, editions)
    if problems:
        raise ProblemsFound(problems)
    for edition in editions:
        progress(f"{game.id}: sheets.{edition}.pdf")
        pages, backs = _pages(workshop, edition, order)
        lang = first_language(edition)
        title = f"{game.title[lang]} – {phrase('sheets', lang)}"
        subject = f"{phrase('draft', lang, draft=game.draft)}. {game.credit} {game.licence}"
        document = Document(title, lang, pages, subject=subject, date=game.date, backs=backs)
        files.write(order.out / game.id / f"sheets.{edition}.pdf", partial(workshop.write, document))


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


def _idle_editions(workshop: Workshop, editions: Iterable[str]) -> Iterable[Problem]:
    for edition in editions:
        if second_language(edition) and not workshop.offers(edition):
            what = f"--lang {edition}: no template of {workshop.game.id} offers two languages"
            yield Problem(None, what, "use {{ second... }} in one")


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
        )
    ]
    draft = phrase("draft", lang, draft=game.draft)

    def label(sheet: int, of: int, digest: str, side: str) -> str:
        numbered = phrase("sheet", lang, sheet=sheet, of=of)
        return f"{game.title[lang]} · {draft} · {numbered} · {phrase(side, lang)} · {edition} · {digest}"

    settings = replace(order.sheets, fold_note=phrase("fold_note", lang))
    try:
        pages = lay_out(printed, settings, label, workshop.typeset, workshop.digest)
        return pages, backs_in_use(printed, settings.backs)
    except DoesNotFit as error:
        raise ProblemsFound(_misfits(game, error)) from error


def _misfits(game: Game, error: DoesNotFit) -> Iterable[Problem]:
    places = {design.id: game.places.place("components", design.kind, "size") for design in game.designs()}
    for misfit in error.misfits:
        yield Problem(places[misfit.ids[0].split("#")[0]], str(misfit), "choose a larger --paper or a smaller --margin")


def _contradicted_counts(game: Game) -> Iterable[Problem]:
    for check in stated_counts(game):
        if check.status == "fail":
            yield Problem(check.place, f"{check.sentence}: {check.figures}", "change a count, or `stated`")


def _idle_options(game: Game, order: Order) -> Iterable[Problem]:
    for edition in order.languages:
        wrong = _wrong_language(game, edition)
        if wrong:
            what, hint = wrong
            yield Problem(game.places.place("languages"), f"--lang {edition}: {what}", hint)
    ids = [design.id for design in game.designs()]
    for pattern in idle_patterns(game, order.only):
        yield Problem(None, f"--only '{pattern}' picks no component of {game.id}", did_you_mean(pattern, ids))


def _checks(workshop: Workshop) -> tuple[Check, ...]:
    from generator.checks.context import Context
    from generator.checks.run import run

    game = workshop.game
    drawings = workshop.draw_all(game.designs(), game.languages)
    context = Context(dict(drawings), workshop.ink, workshop.advance, workshop.silhouette)
    return run(game, context, workshop.compute, checking_functions(game), REPORT_LANGUAGE)


def _load(project: Project, names: tuple[str, ...]) -> tuple[list[Game], list[Problem]]:
    games: list[Game] = []
    problems: list[Problem] = []
    for name in project.choose(names):
        try:
            games.append(load_game(project.folder(name), project.resources))
        except ProblemsFound as found:
            problems += found.problems
    return games, problems


def _make(
    project: Project, names: tuple[str, ...], make: Callable[[Workshop, Delivery], None], progress: Progress
) -> tuple[Path, ...]:
    """Do something with every game; all files reach their places together, or none does and every problem is said."""
    games, problems = _load(project, names)
    with delivery() as files:
        for game in games:
            try:
                make(Workshop(game, project.resources), files)
            except ProblemsFound as found:
                problems += found.problems
        progress("")
        if problems:
            raise ProblemsFound(problems)
        return files.hand_over()


def _write_text(files: Delivery, target: Path, text: str) -> None:
    def put(stream: BinaryIO) -> None:
        stream.write(text.encode("utf-8"))

    files.write(target, put)


def _listed(game: Game) -> dict[str, object]:
    kinds = [
        {"id": kind.id, "name": dict(kind.name.items()), "stated": kind.stated, "count": kind.count}
        | {"designs": [{"id": design.id, "count": design.count} for design in kind.designs]}
        for kind in game.kinds.values()
    ]
    players = {"fewest": game.players.fewest, "most": game.players.most}
    return {
        "id": game.id,
        "title": dict(game.title.items()),
        "draft": game.draft,
        "languages": list(game.languages),
        "players": players,
        "kinds": kinds,
    }


def _lines(game: Game) -> Iterable[str]:
    lang = game.languages[0]
    players = f"{game.players.fewest}-{game.players.most} players"
    yield f"{game.id}: {game.title[lang]}, draft {game.draft}, {players}, {', '.join(game.languages)}"
    for kind in game.kinds.values():
        stated = "not stated" if kind.stated is None else f"{kind.stated} stated"
        sides = f"{kind.size.width:g} x {kind.size.height:g} mm"
        yield f"  {kind.id:<16} {kind.count:>4}  ({stated}, {len(kind.designs)} designs, {sides})  {kind.name[lang]}"
