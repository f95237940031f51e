"""Options of build, sheets and rulebook."""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from generator.base.errors import ProblemsFound
from generator.base.extensions import find_additions
from generator.commands.command_line import CommandTable, colour_text, say, say_text
from generator.commands.options import (
    FORMAT,
    GAMES,
    LANG,
    OUT,
    PAGES,
    PRINTING,
    PROJECT,
    open_project,
    order_from_options,
    order_of,
    path_from_here,
    progress,
    say_done,
    say_files,
    say_notes,
    say_passed,
)
from generator.commands.settings import locate_setting_errors
from generator.commands.user_folders import REUSE, open_cache

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.checks.check_report import Check
    from generator.commands.orders import Order
    from generator.game.project import Project


class BuildStep(NamedTuple):
    """What a package adds to `pnp build`: options, the order that they ask for, and which of its files to list."""

    options: tuple[click.Option, ...]
    make_order: "Callable[[dict[str, Any], Project], Order | None]"
    list_files: "Callable[[Project, Any, Iterable[Path]], tuple[Path, ...]]"


class _BuildCommand(click.Command):
    """The command `build`, with the options that packages add."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        *own, help_option = super().get_params(ctx)
        return [*own, *(option for step in _iter_build_steps() for option in step.options), help_option]


def _iter_build_steps() -> Iterator[BuildStep]:
    for addition in find_additions("build_steps").entries.values():
        yield addition.load(BuildStep)


@click.command(cls=_BuildCommand)
@PRINTING
@REUSE
@click.option("--strict", is_flag=True, help="Exit with code 1 if a check fails, finds something or is undecided.")
@FORMAT
@click.pass_obj
def build(obj: Path | None, /, **options: Any) -> None:
    """Build sheets, rulebooks and the validation report.

    Without GAMES, pnp builds every game of the project. It writes the files even if a check fails, so that you can
    look at the result.
    """
    from generator.checks.check_report import check_to_json
    from generator.commands.build_games import BuildOrder
    from generator.commands.orders import carry_out

    as_json = options["form"] == "json"
    with _problems_as_json() if as_json else nullcontext():
        project = open_project(obj, options)
        asked = [(step, more) for step in _iter_build_steps() if (more := step.make_order(options, project))]
        order = order_of(options, project, BuildOrder, further=tuple(more for _, more in asked))
        done = carry_out(project, options["games"], order, progress(), open_cache(options), os.cpu_count() or 1)
        files = done.files
        for step, more in asked:
            files = step.list_files(project, more, files)
    if as_json:
        failed, doubtful = (list(map(check_to_json, checks)) for checks in (done.failed_checks, done.doubtful_checks))
        results = {"passed": done.passed_count, "failed": failed, "doubtful": doubtful}
        _say_json({"files": list(map(path_from_here, files)), "notes": done.notes, "checks": results})
        raise SystemExit(int(options["strict"] and bool(failed or doubtful)))
    say_files(files)
    say_notes(done.notes)
    _say_package_notes(project, options)
    if options["strict"]:
        report_refused_checks([*done.failed_checks, *done.doubtful_checks])
    elif done.failed_checks:
        said = f"validation: {len(done.failed_checks)} failed"
        say(f"{colour_text(said, fg='red', bold=True)}; see validation.txt, or run pnp validate", err=True)
        return
    say_passed(done.passed_count, done.doubtful_checks)


@contextmanager
def _problems_as_json() -> Iterator[None]:
    """Print the problems of the user's files as JSON, and exit with 1."""
    try:
        with locate_setting_errors(click.get_current_context()):
            yield
    except ProblemsFound as found:
        _say_json({"problems": [asdict(problem) for problem in found.problems]})
        raise SystemExit(1) from found


def _say_json(document: dict[str, Any]) -> None:
    say_text(json.dumps({"format": 1, **document}, ensure_ascii=False, indent=2) + "\n")


def report_refused_checks(checks: "Sequence[Check]") -> None:
    """Print each check that a strict build rejects, one per line. Exit with 1 if there are any."""
    from generator.checks.check_report import format_report_line

    for check in checks:
        say(f"{colour_text(check.status, fg='red', bold=True)}: {format_report_line(check)}", err=True)
    if checks:
        raise SystemExit(1)


@click.command()
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


@click.command()
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
    _say_package_notes(project, options)


def _say_package_notes(project: "Project", options: dict[str, Any]) -> None:
    for addition in find_additions("notes").entries.values():
        say_notes(addition.load(Callable)(project, options["games"], options["languages"]))


@click.group(cls=CommandTable)
def export() -> None:
    """Export to online tables and spreadsheets."""
