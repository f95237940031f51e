"""Build: print sheets, check lists, rulebooks and a validation report of games."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from generator.base.languages import second_language
from generator.books.check_list import make_check_list
from generator.checks.check_report import checks_to_text
from generator.checks.validation import has_added_checks
from generator.checks.validation_games import QUICK, ValidationPlay
from generator.commands.orders import GameOutput, Job, Order
from generator.commands.print_sheets import PrintOrder, impose_sheets, sheet_notes, write_sheets
from generator.commands.rulebook import write_books
from generator.commands.schema_files import NAME, outdated_schema
from generator.commands.validate import REPORT_LANGUAGE, run_game_checks
from generator.drawing.faces.game_drawing import find_accent
from generator.game.model import Game
from generator.game.print_pages import Document
from generator.rules.registry import OWN_SUFFIX


@dataclass(frozen=True, slots=True)
class BuildOrder(PrintOrder):
    """Order for print sheets and a check list in each language, rulebooks and a validation report.

    `plays` games are played for the report. With `trusted`, the game's own rules may run. `further` are orders of
    packages for the same games.
    """

    plays: int = QUICK
    trusted: bool = False
    further: tuple[Order, ...] = ()

    def for_cache(self, game: Game) -> Order | None:
        """Return the order without further ones. Return None if own rules or checks of packages may be any program."""
        return None if game.rules_module.endswith(OWN_SUFFIX) or has_added_checks() else replace(self, further=())

    def make(self, job: Job) -> GameOutput:
        """Make all files of one game."""
        workshop, game, folder = job.workshop, job.workshop.game, self.out / job.workshop.game.id
        printed = impose_sheets(workshop, self, job.progress)
        editions = write_sheets(job, self, printed)
        if not printed:
            return GameOutput()
        if self.file == "sheets":  # what goes with them speaks of the whole
            write_check_lists(job, self, printed)
            write_books(job, self.languages, self.out, trusted=self.trusted)
        job.progress(f"{game.id}: validation")
        rehearsal = ValidationPlay(self.plays, job.processes, self.trusted)
        checks = run_game_checks(job.project, workshop, rehearsal)
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
    """Write a check list for the sheets of each single language."""
    game = job.workshop.game
    for edition, document in sheets.items():
        if second_language(edition):
            continue
        job.progress(f"{game.id}: components.{edition}.pdf")
        name = f"{order.file}.{edition}.pdf"
        made = make_check_list(job.workshop, document, order.sheets, name, find_accent(game.palette))
        job.files.write(order.out / game.id / f"components.{edition}.pdf", partial(job.workshop.write_document, made))
