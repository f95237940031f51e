"""What checks and games between bots say of the games, as a report."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from generator.cache.store import Store
from generator.checks.record import Check
from generator.commands.order import load_games, workshops
from generator.commands.rehearsal import Rehearsal
from generator.commands.schema import keep_schemas
from generator.errors import ProblemsFound
from generator.faces.workshop import Workshop
from generator.games.registry import OWN_SUFFIX, checking_functions, trusted_folder
from generator.load.project import Project
from generator.model.game import Game

REPORT_LANGUAGE = "en"
"""Of the data's own sentences in reports, as the program's are English; a game without it speaks its first language."""


class Verdict(NamedTuple):
    """What validating says: the report, whether anything failed, whether the user has stopped it half-way.

    `schemas` are those that were written anew, as the data may say something else now. `passed` is the number of checks
    that passed, `doubtful` are those that found something or are undecided.
    """

    report: str
    failed: bool
    stopped: bool
    schemas: tuple[Path, ...] = ()
    passed: int = 0
    doubtful: tuple[Check, ...] = ()


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
    from generator.commands.rulebook import book_checks

    results: list[tuple[Game, tuple[Check, ...]]] = []
    games, problems = load_games(project, names)
    stopped = False
    for workshop in workshops(project, games, store):
        try:
            if not stopped:
                checks = checks_of(project, workshop, rehearsal)
                books = book_checks(project, workshop, trusted=rehearsal.trusted)
                results.append((workshop.game, (*checks, *books)))
                stopped = was_stopped(results[-1][1])
        except ProblemsFound as found:
            problems += found.problems
        del workshop
    if store is not None:
        store.tidy()
    if problems:
        raise ProblemsFound(problems)
    others = [one for _, checks in results for one in checks if one.status != "pass"]
    doubtful = tuple(one for one in others if one.status != "fail")
    passed = sum(len(checks) for _, checks in results) - len(others)
    failed = bool(others) if strict else len(others) > len(doubtful)
    report = as_json if form == "json" else as_text
    schemas = keep_schemas(project, games)
    return Verdict(report(results, REPORT_LANGUAGE), failed, stopped, schemas, passed, doubtful)


def checks_of(project: Project, workshop: Workshop, rehearsal: "Rehearsal") -> tuple[Check, ...]:
    """What all checks say of a game, those that take play decided by playing it."""
    from generator.checks.context import Context
    from generator.checks.run import run_checks
    from generator.commands.rehearsal import with_play

    game, folder, kept = workshop.game, project.folder(workshop.game.id), workshop.kept
    if game.rules_module.endswith(OWN_SUFFIX):
        kept = None  # they may be any program
    known = kept.get("checks", tuple[Check, ...], kept.game, rehearsal.games) if kept is not None else None
    if known:  # every game has some
        return tuple(known)
    functions = checking_functions(game, trusted_folder(folder, rehearsal.trusted))
    drawings = workshop.draw_all(game.designs(), game.languages)
    context = Context(dict(drawings), workshop.ink, workshop.advance, cache(workshop.silhouette))
    checks = run_checks(game, context, workshop.compute, functions, REPORT_LANGUAGE)
    decided = with_play(game, folder, project.root, rehearsal, checks, kept)
    if kept is not None and not workshop.problems and not was_stopped(decided):  # what is missing has not been noted
        kept.put("checks", decided, kept.game, rehearsal.games)
    return decided


def was_stopped(checks: Iterable[Check]) -> bool:
    """Whether the user has stopped the games that were played for these."""
    from generator.checks.played import STOPPED

    return any(check.id == STOPPED for check in checks)
