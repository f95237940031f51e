"""Options of validate, list, schema and trust."""

import os
import sys
from pathlib import Path
from typing import Any

import click

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
from generator.commands.user_folders import REUSE, open_cache, trust_file


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
@click.option(
    "--processes", type=click.IntRange(1, 256), metavar="N", help="Number of processes (default: one for each core)."
)
@click.option("--fast", is_flag=True, help="Compile the rules first (needs the extra `fast`).")
@REUSE
@PROJECT
@click.pass_obj
def validate(obj: Path | None, /, **options: Any) -> None:
    """Check counts, texts, set-up, books and simulated games.

    The exit code is 0 unless a check fails. Press Ctrl+C to stop the simulation early: pnp reports the games played so
    far and exits with code 130. Run the same command again to continue.
    """
    from generator.checks.validation_games import QUICK, ValidationPlay
    from generator.commands import validate as command

    project, games, store = open_project(obj, options), options["games"], open_cache(options)
    rehearsal = ValidationPlay(
        games=QUICK if options["number"] is None else options["number"],
        processes=options["processes"] or os.cpu_count() or 1,
        trusted=options["trusted"],
        kernels=Path(click.get_app_dir("pnp"), "kernels") if options["fast"] else None,
        told=progress(),
    )
    verdict = command.validate(
        project, games, options["form"], strict=options["strict"], rehearsal=rehearsal, store=store
    )
    if verdict.failed or not is_quiet():
        say_text(_colour_report(verdict.report) if options["form"] == "text" else verdict.report)
    for path in () if is_quiet() else verdict.schemas:
        say(f"{path_from_here(path)}: updated", err=True)
    if verdict.stopped:
        sys.exit(STOPPED)
    if verdict.failed:
        sys.exit(1)
    if options["form"] == "text":
        say_passed(verdict.passed, verdict.doubtful)


_HEADS = {"fail": "red", "finding": "yellow", "undecided": "yellow", "pass": "green"}


def _colour_report(report: str) -> str:
    """Return the report with the headings of its lists, such as `fail (2)`, in colours."""
    lines = []
    for line in report.splitlines(keepends=True):
        colour = _HEADS.get(line.partition(" (")[0])
        lines.append(colour_text(line, fg=colour, bold=True) if colour else line)
    return "".join(lines)


@click.command("list")
@GAMES
@FORMAT
@PROJECT
@click.pass_obj
def list_games(obj: Path | None, /, **options: Any) -> None:
    """List games and components with their counts.

    If a component states a count, the list shows the stated count beside the actual one.
    """
    from generator.commands.validate import list_components

    say_text(list_components(open_project(obj, options), options["games"], options["form"]))


@click.command()
@GAMES
@click.option("--check", is_flag=True, help="Write nothing, and fail if a schema is out of date.")
@PROJECT
@click.pass_obj
def schema(obj: Path | None, /, **options: Any) -> None:
    """Write JSON schemas for completion in editors.

    pnp writes data/<game>/schema.json. Editors use it to complete and check the data files.
    """
    from generator.commands.schema_files import write_schemas

    for path in write_schemas(open_project(obj, options), options["games"], check_only=options["check"]):
        say(path_from_here(path))


@click.command()
@click.option("--remove", is_flag=True, help="Stop trusting this project.")
@PROJECT
@click.pass_obj
def trust(obj: Path | None, /, **options: Any) -> None:
    """Allow the Python rules of this project to run.

    Rules are Python programs and can do whatever you can. Trust only authors you know. The permission ends when the
    code changes. pnp stores it in your settings folder.
    """
    from generator.commands.trust import store_trust

    code = store_trust(trust_file(), open_project(obj, options), trusted=not options["remove"])
    if options["remove"]:
        say("Rules of this project run only with --trust-rules.")
        return
    for path in code:
        say(path_from_here(path))
    say("These files run without --trust-rules until one of them changes.")
