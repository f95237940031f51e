"""The command `build`: print sheets, check lists, rulebooks and a validation report of games."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import click

from generator.base.errors import ProblemsFound
from generator.base.extensions import find_additions
from generator.base.languages import second_language
from generator.books.check_list import make_check_list
from generator.books.rulebook.book_templates import VOLUMES
from generator.checks.check_report import REPORT_LANGUAGE, check_to_json, checks_to_text, format_report_line
from generator.checks.validation import has_added_checks
from generator.checks.validation_games import QUICK, ValidationPlay
from generator.commands.command_line import colour_text, say, say_text
from generator.commands.options import FORMAT, open_project, path_from_here, progress, say_files, say_notes, say_passed
from generator.commands.orders import GameOutput, Job, Order, carry_out
from generator.commands.print_sheets import PrintOrder, impose_sheets, sheet_notes, write_sheets
from generator.commands.rulebook import say_package_notes, write_books
from generator.commands.schema import NAME, outdated_schema
from generator.commands.settings import REUSE, locate_setting_errors
from generator.commands.sheets import COVER_SHEET, PRINTING, print_order_from_options
from generator.commands.validate import run_game_checks
from generator.drawing.faces.game_drawing import find_accent
from generator.game.model import Game
from generator.game.print_pages import Document
from generator.game.project import Project


class BuildStep(NamedTuple):
    """What a package adds to `pnp build`: options, a function that makes an order of them, one that lists its files."""

    options: tuple[click.Option, ...]
    make_order: Callable[[dict[str, Any], Project], Order | None]
    list_files: Callable[[Project, Any, Iterable[Path]], tuple[Path, ...]]


class _BuildCommand(click.Command):
    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        *own, help_option = super().get_params(ctx)
        return [*own, *(option for step in _iter_build_steps() for option in step.options), help_option]


def _iter_build_steps() -> Iterator[BuildStep]:
    for addition in find_additions("build_steps").entries.values():
        yield addition.load(BuildStep)


@click.command(cls=_BuildCommand)
@PRINTING
@COVER_SHEET
@REUSE
@click.option("--strict", is_flag=True, help="Exit with code 1 if a check fails, finds something or is undecided.")
@FORMAT
@click.pass_obj
def build(obj: Path | None, /, **options: Any) -> None:
    """Build sheets, rulebooks and the validation report.

    Without GAMES, pnp builds every game of the project. It writes the files even if a check fails, so that you can
    look at the result.
    """
    as_json = options["form"] == "json"
    with _problems_as_json() if as_json else nullcontext():
        project = open_project(obj, options)
        asked = [(step, more) for step in _iter_build_steps() if (more := step.make_order(options, project))]
        order = print_order_from_options(options, project, BuildOrder, further=tuple(more for _, more in asked))
        done = carry_out(project, options["games"], order, progress(), os.cpu_count() or 1)
        files = done.files
        for step, more in asked:
            files = step.list_files(project, more, files)
    failed = [check for made in done.made for check in made.failed]
    doubtful = [check for made in done.made for check in made.doubtful]
    passed = sum(made.passed for made in done.made)
    if as_json:
        listed = {"failed": [*map(check_to_json, failed)], "doubtful": [*map(check_to_json, doubtful)]}
        _say_json(
            {"files": list(map(path_from_here, files)), "notes": done.notes, "checks": {"passed": passed, **listed}}
        )
        raise SystemExit(int(options["strict"] and bool(failed or doubtful)))
    say_files(files)
    say_notes(done.notes)
    say_package_notes(project, options)
    if options["strict"]:
        refused = (*failed, *doubtful)
        for check in refused:
            say(f"{colour_text(check.status, fg='red', bold=True)}: {format_report_line(check)}", err=True)
        if refused:
            raise SystemExit(1)
    elif failed:
        said = f"validation: {len(failed)} failed"
        say(f"{colour_text(said, fg='red', bold=True)}; see validation.txt, or run pnp validate", err=True)
        return
    say_passed(passed, doubtful)


@contextmanager
def _problems_as_json() -> Iterator[None]:
    try:
        with locate_setting_errors(click.get_current_context()):
            yield
    except ProblemsFound as found:
        _say_json({"problems": [asdict(problem) for problem in found.problems]})
        raise SystemExit(1) from found


def _say_json(document: dict[str, Any]) -> None:
    say_text(json.dumps({"format": 1, **document}, ensure_ascii=False, indent=2) + "\n")


@dataclass(frozen=True, slots=True)
class BuildOrder(PrintOrder):
    """Order for print sheets and a check list in each language, rulebooks and a validation report.

    `plays` games are played for the report. With `trusted`, the game's own rules may run. `further` are orders that
    other packages add.
    """

    plays: int = QUICK
    trusted: bool = False
    further: tuple[Order, ...] = ()

    def for_cache(self, game: Game) -> Order | None:
        """Return the order without `further` as cache key; None (no cache) if custom rules or checks can run code."""
        return None if game.has_own_rules or has_added_checks() else replace(self, further=())

    def make(self, job: Job) -> GameOutput:
        """Make all files of one game."""
        workshop, game, folder = job.workshop, job.workshop.game, self.out / job.workshop.game.id
        printed = impose_sheets(workshop, self, job.progress)
        if not printed:
            return GameOutput()
        whole = self.file == "sheets"  # what goes with them speaks of the whole
        books = partial(write_books, languages=self.languages, out=self.out, trusted=self.trusted)
        texts: list[Callable[[Job], object]] = [partial(books, volumes=(volume,)) for volume in VOLUMES]
        texts.append(partial(write_check_lists, order=self, sheets=printed))
        with job.share(texts) if whole else nullcontext(lambda: None) as make_texts:
            editions = write_sheets(job, self, printed)
            job.progress(f"{game.id}: validation")
            try:
                checks = run_game_checks(job.project, workshop, ValidationPlay(self.plays, job.processes, self.trusted))
            except ProblemsFound:
                make_texts()  # its problems come first
                raise
            job.progress(f"{game.id}: books")
            make_texts()
        job.files.put(folder / "validation.txt", checks_to_text([(game, checks)], REPORT_LANGUAGE).encode("utf-8"))
        failed = tuple(check for check in checks if check.status == "fail")
        doubtful = tuple(check for check in checks if check.status in ("finding", "undecided"))
        passed = len(checks) - len(failed) - len(doubtful)
        return GameOutput(editions, failed, sheet_notes(workshop, self, editions), doubtful=doubtful, passed=passed)

    def finish_game(self, job: Job, made: GameOutput) -> None:
        """Update the game's schema for editors if it is outdated, and carry out further orders."""
        folder = job.project.find_folder(job.workshop.game.id)
        schema = outdated_schema(job.workshop.game, folder)
        if schema is not None:
            job.files.put(folder / NAME, schema, at_home=True)
        for order in self.further if made.editions else ():
            order.make(job)


def write_check_lists(job: Job, order: PrintOrder, sheets: Mapping[str, Document]) -> None:
    """Write a check list of the pieces for the sheets of each edition in one language; those in two have none."""
    game = job.workshop.game

    def write(edition: str, out: BinaryIO) -> None:
        name, accent = f"{order.file}.{edition}.pdf", find_accent(game.palette)
        made = make_check_list(job.workshop, sheets[edition], order.sheets, name, accent)
        job.workshop.write_document(made, out)

    for edition in sheets:
        if not second_language(edition):
            job.progress(f"{game.id}: components.{edition}.pdf")
            target = order.out / game.id / f"components.{edition}.pdf"
            job.write_edition(target, edition, partial(write, edition), order.list_grounds())
