"""The whole program on a page: YAML -> model -> drawings -> sheets -> PDF, and the checks that read the same model."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.cache.store import Store
from generator.checks.record import Check
from generator.delivery import Delivery, delivery
from generator.errors import Place, Problem, ProblemsFound
from generator.faces.workshop import Workshop
from generator.files import is_file, read_file
from generator.games.registry import OWN_SUFFIX, checking_functions, rules_of
from generator.jobs.at_once import make_at_once
from generator.jobs.every_game import load_games, make_files
from generator.jobs.in_passing import too_many_faces, write_in_passing
from generator.jobs.unchanged import unless_kept
from generator.load.json_schema import game_schema
from generator.load.project import Project
from generator.model.game import Game
from generator.press import (
    BookOrder,
    Order,
    PrintLook,
    Progress,
    idle_languages,
    idle_options,
    one_language_notes,
    unmade_editions,
    write_check_lists,
    write_rulebooks,
    write_sheets,
)
from generator.rulebook.played import Engine

if TYPE_CHECKING:
    from generator.jobs.record import RecordOrder
    from generator.rehearsal import Rehearsal

REPORT_LANGUAGE = "en"
"""Of the data's own sentences in reports, as the program's are English; a game without it speaks its first language."""


@dataclass(frozen=True, slots=True)
class Build:
    """The files of a build, the checks that failed, and what else the user should know."""

    files: tuple[Path, ...]
    failed: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()


def build(
    project: Project,
    names: tuple[str, ...],
    order: Order,
    progress: Progress,
    rehearsal: "Rehearsal",
    record: "RecordOrder | None" = None,
    store: Store | None = None,
) -> Build:
    """Everything of the games: print sheets and a check list in each language, rulebooks, a validation report.

    With `record` what is printed is kept under its name too. Here and below, what `store` has from earlier runs is not
    made again.
    """
    from generator.jobs.record import recorded

    alone = replace(rehearsal, processes=1)  # each game has a process then
    make = partial(_everything, project, order, alone if len(project.choose(names)) > 1 else rehearsal, record)
    made = _print(project, names, order, progress, make, store, rehearsal.processes)
    return replace(made, files=recorded(project, record, made.files)) if record else made


def sheets(
    project: Project,
    names: tuple[str, ...],
    order: Order,
    progress: Progress,
    store: Store | None = None,
    processes: int = 1,
) -> Build:
    """The games' print sheets alone."""
    return _print(project, names, order, progress, partial(_sheets, order), store, processes)


class Verdict(NamedTuple):
    """What validating says: the report, whether anything failed, whether the user has stopped it half-way."""

    report: str
    failed: bool
    stopped: bool


class _Printed(NamedTuple):
    """What is known of a printed game beside its files: its editions, checks that failed, what else to say."""

    editions: tuple[str, ...]
    failed: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()


def _sheets(order: Order, progress: Progress, workshop: Workshop, files: Delivery) -> _Printed:
    def make() -> _Printed:
        written = write_in_passing if too_many_faces(workshop, order) else write_sheets
        printed = tuple(written(workshop, order, files, progress))
        return _Printed(printed, notes=one_language_notes(workshop, order, printed))

    return unless_kept(workshop, files, order.out, _key("sheets", order), make, _Printed)


def _everything(
    project: Project,
    order: Order,
    rehearsal: "Rehearsal",
    record: "RecordOrder | None",
    progress: Progress,
    workshop: Workshop,
    files: Delivery,
) -> _Printed:
    def make() -> _Printed:
        return _print_all(project, order, rehearsal, progress, workshop, files)

    own_rules = workshop.game.rules_module.endswith(OWN_SUFFIX)  # they may be any program
    key = None if own_rules else _key("everything", order, rehearsal.games)
    printed = unless_kept(workshop, files, order.out, key, make, _Printed)
    if record and printed.editions:
        from generator.jobs.record import keep_record

        keep_record(project, record, progress, workshop, files)
    return printed


def _key(what: str, order: Order, *more: Any) -> tuple[Any, ...] | None:
    """What files of an order rest on beside their game; None where the order's look has functions of its own."""
    asked = (what, order.languages, order.sheets, order.only, order.copies, *more)
    return asked if order.look == PrintLook() else None


def _print_all(
    project: Project, order: Order, rehearsal: "Rehearsal", progress: Progress, workshop: Workshop, files: Delivery
) -> _Printed:
    from generator.checks.report import as_text  # sheets alone need no report

    game = workshop.game
    printed = write_sheets(workshop, order, files, progress)
    if not printed:
        return _Printed(())
    write_check_lists(workshop, printed, order, files, progress)
    if order.file == "sheets":
        book_order = BookOrder(order.languages, order.out)
        write_rulebooks(workshop, _engine(project, game, trusted=rehearsal.trusted), book_order, files, progress)
    progress(f"{game.id}: validation")
    checks = _checks(project, workshop, rehearsal)
    report = as_text([(game, checks)], REPORT_LANGUAGE)
    files.put(order.out / game.id / "validation.txt", report.encode("utf-8"))
    failed = tuple(check for check in checks if check.status == "fail")
    return _Printed(tuple(printed), failed, one_language_notes(workshop, order, printed))


def _print(
    project: Project,
    names: tuple[str, ...],
    order: Order,
    progress: Progress,
    make: Callable[[Progress, Workshop, Delivery], _Printed],
    store: Store | None,
    processes: int,
) -> Build:
    """What the order asks for, of every game that it picks something of."""
    games, problems = load_games(project, names)
    failed: list[Check] = []
    notes: list[str] = []

    def finish(all_printed: list[_Printed]) -> Iterable[Problem]:
        progress("")
        failed.extend(check for printed in all_printed for check in printed.failed)
        notes.extend(note for printed in all_printed for note in printed.notes)
        return unmade_editions(games, order, frozenset(name for printed in all_printed for name in printed.editions))

    made = partial(make, _told(games, progress, processes))
    files = make_at_once(
        project, games, [*problems, *idle_options(games, order)], made, finish, order.out, store, processes
    )
    return Build(files, tuple(failed), tuple(notes))


def _told(games: Sequence[Game], progress: Progress, processes: int) -> Progress:
    """Who is told what is being made of one game: nobody, where several are made at a time."""
    if processes <= 1 or len(games) <= 1:
        return progress
    progress(f"{len(games)} games")
    return _silent


def _silent(_doing: str) -> None:
    """The progress of several games at a time: their lines would be one over the other."""


def rulebooks(
    project: Project,
    names: tuple[str, ...],
    order: BookOrder,
    progress: Progress,
    *,
    trusted: bool,
    store: Store | None = None,
    processes: int = 1,
) -> Build:
    """The games' rulebooks alone; ProblemsFound where there is none to make."""
    games, problems = load_games(project, names)

    def finish(made: list[int]) -> Iterable[Problem]:
        progress("")
        if not any(made):
            what = f"{' and '.join(game.id for game in games)}: there is no rulebook"
            yield Problem(None, what, "write templates/<game>/rulebook.<lang>.md (docs/rulebook.md)")

    make = partial(_books, project, order, _told(games, progress, processes), trusted)
    problems += idle_languages(games, order.languages)
    return Build(make_at_once(project, games, problems, make, finish, order.out, store, processes))


def _books(
    project: Project, order: BookOrder, progress: Progress, trusted: bool, workshop: Workshop, files: Delivery
) -> int:
    return write_rulebooks(workshop, _engine(project, workshop.game, trusted=trusted), order, files, progress)


def validate(
    project: Project,
    names: tuple[str, ...],
    form: str,
    *,
    strict: bool,
    rehearsal: "Rehearsal",
    store: Store | None = None,
) -> Verdict:
    """The report of all checks; of those so far, where the user has stopped it while games were played."""
    from generator.checks.report import as_json, as_text

    results: list[tuple[Game, tuple[Check, ...]]] = []
    stopped = False

    def check(workshop: Workshop, _files: Delivery) -> None:
        nonlocal stopped
        if not stopped:
            results.append((workshop.game, _checks(project, workshop, rehearsal)))
            stopped = _stopped(results[-1][1])

    make_files(project, *load_games(project, names), check, store=store)
    bad = {"fail", "finding", "undecided"} if strict else {"fail"}
    failed = any(one.status in bad for _, checks in results for one in checks)
    report = as_json if form == "json" else as_text
    return Verdict(report(results, REPORT_LANGUAGE), failed, stopped)


def _stopped(checks: Iterable[Check]) -> bool:
    from generator.checks.played import STOPPED

    return any(check.id == STOPPED for check in checks)


def listing(project: Project, names: tuple[str, ...], form: str) -> str:
    """The games and their components with stated and actual count."""
    games, problems = load_games(project, names)
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
                files.put(target, text.encode("utf-8"), at_home=True)
            elif not is_file(target) or read_file(target, "list") != text.encode():
                place = Place(project.resources.shown(target))
                problems.append(Problem(place, "the schema is out of date", f"run `pnp schema {name}`"))
        if problems:
            raise ProblemsFound(problems)
        return files.hand_over()


def _checks(project: Project, workshop: Workshop, rehearsal: "Rehearsal") -> tuple[Check, ...]:
    from generator.checks.context import Context
    from generator.checks.run import run
    from generator.rehearsal import trusted_folder, with_play

    game, folder, kept = workshop.game, project.folder(workshop.game.id), workshop.kept
    if game.rules_module.endswith(OWN_SUFFIX):
        kept = None  # they may be any program
    known = kept.get("checks", tuple[Check, ...], kept.game, rehearsal.games) if kept is not None else None
    if known is not None:
        return tuple(known)
    functions = checking_functions(game, trusted_folder(folder, rehearsal.trusted))
    drawings = workshop.draw_all(game.designs(), game.languages)
    context = Context(dict(drawings), workshop.ink, workshop.advance, workshop.silhouette)
    checks = run(game, context, workshop.compute, functions, REPORT_LANGUAGE)
    decided = with_play(game, folder, project.root, rehearsal, checks, kept)
    if kept is not None and not workshop.problems and not _stopped(decided):  # what is missing has not been noted
        kept.put("checks", decided, kept.game, rehearsal.games)
    return decided


def _engine(project: Project, game: Game, *, trusted: bool) -> Engine:
    """The game's rules when somebody asks for them."""
    from generator.rehearsal import trusted_folder

    return cache(lambda: rules_of(game, trusted_folder(project.folder(game.id), trusted)))


def _listed(game: Game) -> dict[str, object]:
    kinds = [
        {"id": kind.id, "name": dict(kind.name.items()), "stated": kind.stated, "count": kind.count}
        | ({"option": {"switch": kind.option, "on": not kind.left_out}} if kind.option else {})
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
    lang = REPORT_LANGUAGE if REPORT_LANGUAGE in game.languages else game.languages[0]
    players = f"{game.players.fewest}-{game.players.most} players"
    yield f"{game.id}: {game.title[lang]}, draft {game.draft}, {players}, {', '.join(game.languages)}"
    for kind in game.kinds.values():
        stated = "not stated" if kind.stated is None else f"{kind.stated} stated"
        designs = "1 design" if len(kind.designs) == 1 else f"{len(kind.designs)} designs"
        facts = [stated, designs, f"{kind.size.width:g} x {kind.size.height:g} mm"]
        if kind.option:
            facts.append(f"option {kind.option}: {'off' if kind.left_out else 'on'}")
        yield f"  {kind.id:<16} {kind.count:>4}  ({', '.join(facts)})  {kind.name[lang]}"
