"""The command `validate`: results of checks and of games between bots."""

import os
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click

from generator.base.errors import gather_problems, raise_problems
from generator.checks.check_report import REPORT_LANGUAGE, Check, checks_to_json, checks_to_text
from generator.checks.game_checks import STOPPED as STOPPED_CHECK
from generator.checks.validation import has_added_checks, run_checks
from generator.checks.validation_games import QUICK, ValidationPlay, add_game_checks
from generator.checks.visible_items import Context
from generator.commands.command_line import STOPPED, colour_text, say, say_text
from generator.commands.options import (
    FORMAT,
    GAMES,
    PROJECT,
    is_quiet,
    open_project,
    path_from_here,
    progress,
    say_passed,
)
from generator.commands.orders import iter_workshops, load_games
from generator.commands.rulebook import check_books
from generator.commands.schema import update_schemas
from generator.commands.settings import REUSE
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Game
from generator.game.project import Project
from generator.rules.registry import load_checks, trusted_folder


@click.command()
@GAMES
@FORMAT
@click.option("--strict", is_flag=True, help="Treat findings and undecided checks as failures.")
@click.option(
    "--games",
    "number",
    type=click.IntRange(0, 10_000_000),
    metavar="N",
    help="Play N random games for each number of players, and N/20 with each other bot (default: a few).",
)
@click.option("--processes", type=click.IntRange(1, 256), metavar="N",
              help="Number of processes (default: one for each core).")  # fmt: skip
@click.option("--fast", is_flag=True, help="Compile the rules first (needs the extra `fast`).")
@REUSE
@PROJECT
@click.pass_obj
def validate(obj: Path | None, /, **options: Any) -> None:
    """Check counts, texts, set-up, books and simulated games.

    The exit code is 0 unless a check fails. Press Ctrl+C to stop the simulation early: pnp reports the games played so
    far and exits with code 130. Run the same command again to continue.
    """
    project, games = open_project(obj, options), options["games"]
    rehearsal = ValidationPlay(
        games=QUICK if options["number"] is None else options["number"],
        processes=options["processes"] or os.cpu_count() or 1,
        trusted=options["trusted"],
        kernels=Path(click.get_app_dir("pnp"), "kernels") if options["fast"] else None,
        told=progress(),
    )
    verdict = validate_games(project, games, options["form"], options["strict"], rehearsal)
    if verdict.failed or not is_quiet():
        lines = verdict.report.splitlines(keepends=True)
        if options["form"] == "text":
            heads = ((line, _HEADS.get(line.partition(" (")[0])) for line in lines)
            lines = [colour_text(line, fg=colour, bold=True) if colour else line for line, colour in heads]
        say_text("".join(lines))
    for path in () if is_quiet() else verdict.schemas:
        say(f"{path_from_here(path)}: updated", err=True)
    if verdict.stopped:
        sys.exit(STOPPED)
    if verdict.failed:
        sys.exit(1)
    if options["form"] == "text":
        say_passed(verdict.passed, verdict.doubtful)


_HEADS = {"fail": "red", "finding": "yellow", "undecided": "yellow", "pass": "green"}
"""Colours of the headings of a report's lists, such as `fail (2)`."""


class ValidationResult(NamedTuple):
    """Result of validation: the report, whether a check failed, and whether the user stopped it.

    `schemas` are the schema files that were updated. `passed` is the number of checks that passed. `doubtful` are
    checks that found something or are undecided.
    """

    report: str
    failed: bool
    stopped: bool
    schemas: tuple[Path, ...] = ()
    passed: int = 0
    doubtful: tuple[Check, ...] = ()


def validate_games(
    project: Project, names: tuple[str, ...], form: str, strict: bool, rehearsal: ValidationPlay
) -> ValidationResult:
    """Run all checks; report as `form` (json, text). `strict`: all that don't pass fail. Raise ProblemsFound."""
    results: list[tuple[Game, tuple[Check, ...]]] = []
    games, problems = load_games(project, names)
    stopped = False
    for workshop in iter_workshops(project, games):
        with gather_problems(problems):
            if not stopped:
                checks = run_game_checks(project, workshop, rehearsal)
                books = check_books(project, workshop, trusted=rehearsal.trusted)
                results.append((workshop.game, (*checks, *books)))
                stopped = was_stopped(results[-1][1])
        del workshop
    if project.store is not None:
        project.store.remove_oldest()
    raise_problems(problems)
    others = [one for _, checks in results for one in checks if one.status != "pass"]
    doubtful = tuple(one for one in others if one.status != "fail")
    passed = sum(len(checks) for _, checks in results) - len(others)
    failed = bool(others) if strict else len(others) > len(doubtful)
    report = checks_to_json if form == "json" else checks_to_text
    schemas = update_schemas(project, games)
    return ValidationResult(report(results, REPORT_LANGUAGE), failed, stopped, schemas, passed, doubtful)


def run_game_checks(project: Project, workshop: Workshop, rehearsal: ValidationPlay) -> tuple[Check, ...]:
    """Return a game's checks, from the store or run; those that need play are decided by playing the game."""
    game, folder, kept = workshop.game, project.find_folder(workshop.game.id), workshop.kept
    if game.has_own_rules or has_added_checks():
        kept = None  # they may be any program
    known = kept.get("checks", tuple[Check, ...], kept.game, rehearsal.games) if kept is not None else None
    if known:  # every game has some
        return tuple(known)
    functions = load_checks(game, trusted_folder(folder, rehearsal.trusted))
    drawings = workshop.draw_all(game.designs(), game.languages)
    context = Context(dict(drawings), workshop.fonts, cache(workshop.draw_silhouette), workshop.measure_face)
    checks = run_checks(game, context, workshop.artist.compute_value, functions, REPORT_LANGUAGE)
    decided = add_game_checks(game, folder, project.root, rehearsal, checks, kept)
    if kept is not None and not workshop.problems and not was_stopped(decided):  # what is missing has not been noted
        kept.put("checks", decided, kept.game, rehearsal.games)
    return decided


def was_stopped(checks: Iterable[Check]) -> bool:
    """Return True if the user stopped the games that were played for these checks."""
    return any(check.id == STOPPED_CHECK for check in checks)
