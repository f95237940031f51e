"""Everything of the games: print sheets, check lists, rulebooks, a validation report."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from generator.cache.store import Store
from generator.checklist.document import accent, check_list
from generator.commands.printing import Order, Progress, one_language_notes, write_sheets
from generator.commands.record import RecordOrder
from generator.commands.rehearsal import Rehearsal
from generator.commands.rulebook import BookOrder, engine_of, write_rulebooks
from generator.commands.sheets import Build, Printed, order_key, printed_games
from generator.commands.unchanged import unless_kept
from generator.commands.validate import REPORT_LANGUAGE, checks_of
from generator.delivery import Delivery
from generator.faces.workshop import Workshop
from generator.games.registry import OWN_SUFFIX
from generator.load.project import Project
from generator.model.edition import second_language
from generator.model.sheet import Document


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
    from generator.commands.record import recorded

    alone = replace(rehearsal, processes=1)  # each game has a process then
    make = partial(_everything, project, order, alone if len(project.choose(names)) > 1 else rehearsal, record)
    made = printed_games(project, names, order, progress, make, store, rehearsal.processes)
    return replace(made, files=recorded(project, record, made.files)) if record else made


def _everything(
    project: Project,
    order: Order,
    rehearsal: "Rehearsal",
    record: "RecordOrder | None",
    progress: Progress,
    workshop: Workshop,
    files: Delivery,
) -> Printed:
    def make() -> Printed:
        return _print_all(project, order, rehearsal, progress, workshop, files)

    own_rules = workshop.game.rules_module.endswith(OWN_SUFFIX)  # they may be any program
    key = None if own_rules else order_key("everything", order, rehearsal.games)
    printed = unless_kept(workshop, files, order.out, key, make, Printed)
    if record and printed.editions:
        from generator.commands.record import keep_record

        keep_record(project, record, progress, workshop, files)
    return printed


def _print_all(
    project: Project, order: Order, rehearsal: "Rehearsal", progress: Progress, workshop: Workshop, files: Delivery
) -> Printed:
    from generator.checks.report import as_text  # sheets alone need no report

    game = workshop.game
    printed = write_sheets(workshop, order, files, progress)
    if not printed:
        return Printed(())
    write_check_lists(workshop, printed, order, files, progress)
    if order.file == "sheets":
        book_order = BookOrder(order.languages, order.out)
        write_rulebooks(workshop, engine_of(project, game, trusted=rehearsal.trusted), book_order, files, progress)
    progress(f"{game.id}: validation")
    checks = checks_of(project, workshop, rehearsal)
    report = as_text([(game, checks)], REPORT_LANGUAGE)
    files.put(order.out / game.id / "validation.txt", report.encode("utf-8"))
    failed = tuple(check for check in checks if check.status == "fail")
    return Printed(tuple(printed), failed, one_language_notes(workshop, order, printed))


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
        made = check_list(workshop, document, order.sheets, name, accent(game.palette))
        files.write(order.out / game.id / f"components.{edition}.pdf", partial(workshop.write, made))
