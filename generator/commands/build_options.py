"""Options of build, sheets and rulebook."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.base.files import list_files
from generator.commands.command_line import colour_text, pnp, say
from generator.commands.options import (
    GAMES,
    LANG,
    OUT,
    PAGES,
    PRINTING,
    PROJECT,
    open_project,
    order_from_options,
    order_of,
    progress,
    say_done,
    say_files,
    say_notes,
    say_passed,
)
from generator.commands.user_folders import REUSE, open_cache
from generator.versions.commands import make_record_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.checks.check_report import Check
    from generator.game.project import Project


@pnp.command()
@PRINTING
@REUSE
@click.option(
    "--snapshot",
    "--record",
    "record",
    metavar="NAME",
    help="Save a snapshot in records/<game>/NAME.json, for `pnp changed`.",
)
@click.option("--replace", "replaced", is_flag=True, help="Overwrite an existing snapshot of this name.")
@click.option("--strict", is_flag=True, help="Exit with code 1 if a check fails, finds something or is undecided.")
@click.pass_obj
def build(obj: Path | None, /, **options: Any) -> None:
    """Build sheets, rulebooks and the validation report.

    Without GAMES, pnp builds every game of the project. It writes the files even if a check fails, so that you can
    look at the result.
    """
    from generator.commands.build_games import BuildOrder
    from generator.commands.orders import carry_out
    from generator.versions.record_games import record_files

    project = open_project(obj, options)
    record = make_record_order(options, project)
    order = order_of(options, project, BuildOrder, record=record)
    done = carry_out(project, options["games"], order, progress(), open_cache(options), os.cpu_count() or 1)
    say_files(record_files(project, record, done.files) if record else done.files)
    say_notes(done.notes)
    _warn_stale_books(project, options)
    if options["strict"]:
        report_refused_checks([*done.failed_checks, *done.doubtful_checks])
    elif done.failed_checks:
        said = f"validation: {len(done.failed_checks)} failed"
        say(f"{colour_text(said, fg='red', bold=True)}; see validation.txt, or run pnp validate", err=True)
        return
    say_passed(done.passed_count, done.doubtful_checks)


def report_refused_checks(checks: "Sequence[Check]") -> None:
    """Print each check that a strict build rejects, one per line. Exit with 1 if there are any."""
    from generator.checks.check_report import format_report_line

    for check in checks:
        say(f"{colour_text(check.status, fg='red', bold=True)}: {format_report_line(check)}", err=True)
    if checks:
        raise SystemExit(1)


@pnp.command()
@PRINTING
@REUSE
@click.pass_obj
def sheets(obj: Path | None, /, **options: Any) -> None:
    """Build the print sheets.

    Without GAMES, pnp builds the sheets of every game of the project.
    """
    from generator.commands.orders import carry_out
    from generator.commands.sheets import SheetsOrder

    project = open_project(obj, options)
    order = order_of(options, project, SheetsOrder)
    done = carry_out(project, options["games"], order, progress(), open_cache(options), os.cpu_count() or 1)
    say_done(done)


@pnp.command()
@GAMES
@LANG
@OUT
@click.option(
    "--page", type=click.Choice(PAGES, case_sensitive=False), default="A5", show_default=True, help="Size of the pages."
)
@click.option(
    "--leaflet", is_flag=True, help="Also write a leaflet: A4 or Letter pages in two columns, without a cover."
)
@click.option("--epub", is_flag=True, help="Also write an EPUB for e-readers.")
@click.option(
    "--large-print", is_flag=True, help="Write only pages that are 1.4 times as large, on the next paper size."
)
@click.option(
    "--high-contrast", is_flag=True, help="Write only pages with black text and dark icons on pale backgrounds."
)
@click.option(
    "--braille",
    is_flag=True,
    help="Also write <book>.<lang>.brf for braille embossers, in English and German (needs liblouis).",
)
@click.option("--proof", is_flag=True, help="List layout faults: empty page ends, split boxes, stray lines.")
@REUSE
@PROJECT
@click.pass_obj
def rulebook(obj: Path | None, /, **options: Any) -> None:
    """Build the rulebooks and quick starts.

    pnp writes pages, a booklet to fold, a web page and a quick start in each language.
    """
    from generator.commands.orders import carry_out
    from generator.commands.rulebook import BookOrder

    if options["large_print"] and (options["page"] == "Letter" or options["leaflet"] or options["epub"]):
        raise click.UsageError(
            "--large-print writes only pages of --page A5, B5 or A4; leave --leaflet, --epub and Letter out"
        )
    if options["high_contrast"] and (options["leaflet"] or options["epub"]):
        raise click.UsageError("--high-contrast writes only pages; leave --leaflet and --epub out")
    project = open_project(obj, options)
    order = order_from_options(BookOrder, options)
    done = carry_out(project, options["games"], order, progress(), open_cache(options), os.cpu_count() or 1)
    say_done(done)
    _warn_stale_books(project, options)


def _warn_stale_books(project: "Project", options: dict[str, Any]) -> None:
    """Print a note for each translated book whose original has changed."""
    if options["languages"] and any(path.suffix == ".po" for path in list_files(project.root / "data", links=True)):
        from generator.exchange.translate_game import find_stale_books  # few projects have translations

        say_notes(find_stale_books(project, options["games"], options["languages"]))
