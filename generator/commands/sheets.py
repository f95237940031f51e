"""The command `sheets`, and the options of all commands that print sheets."""

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from generator.base.display_list import Drawing
from generator.base.errors import Problem, ProblemsFound, raise_problems
from generator.base.geometry import paper_size
from generator.base.languages import second_language
from generator.commands.command_line import say
from generator.commands.options import (
    COPIES,
    EDGE,
    GAMES,
    OFFERED_LANGS,
    ONLY,
    OUT,
    PROJECT,
    combine_options,
    find_paper,
    open_project,
    order_from_options,
    parse_address,
    progress,
    read_length,
    say_done,
    say_warnings,
)
from generator.commands.orders import GameOutput, Job, carry_out, editions_of
from generator.commands.print_sheets import (
    PrintLook,
    PrintOrder,
    check_counts,
    impose_sheets,
    iter_pages,
    make_document,
    sheet_notes,
    write_sheets,
)
from generator.commands.settings import REUSE, find_printer
from generator.drawing.faces.game_drawing import PrintedFaces, Workshop, find_accent
from generator.game.model import Design, FaceName
from generator.game.print_pages import Face, LazyFace
from generator.game.project import Project, list_preset_ids
from generator.sheets.pieces import Draw, choose_lie, pick_designs
from generator.sheets.settings import SheetSettings

if TYPE_CHECKING:
    from generator.game.presets import Preset, Sleeves

FEW_FACES = 1_000
"""With up to this many faces, all are drawn before the first sheet, so that problems show early."""

MUCH_GARBAGE = 100_000
"""Garbage collection starts after this many new objects, because few templates leave reference cycles."""

BACKS = ("none", "separate", "long", "short", "fold")
PRINTING = combine_options((
    GAMES, OFFERED_LANGS, OUT,
    click.option("--paper", default="A4", show_default=True,
                 help="A3, A4, A5, B4, B5, Hagaki, Letter, Legal, Tabloid, or a paper listed by `pnp presets`."),
    click.option("--perforated", "--stock", "stock", metavar="ID",
                 help="Perforated stock listed by `pnp presets`; each cell holds one card."),
    EDGE,
    click.option("--gap", default="0mm", show_default=True,
                 help="Gap between cards; with 0mm, neighbours share a cut."),
    click.option("--backs", type=click.Choice(BACKS), default="long", show_default=True,
                 help="How to print backs: duplex (long or short edge), folded over, on separate sheets, or none."),
    ONLY, COPIES,
    click.option("--stacked", is_flag=True,
                 help="Order cards for a cut through all sheets at once, so that the stacks are in order."),
    click.option("--registration", metavar="ID",
                 help="Print marks for this cutting machine, listed by `pnp presets --kind cutter`."),
    click.option("--show", type=click.Choice(["guides"]), help="Overlay trim, safe zone and text boxes on each face."),
    click.option("--printer", metavar="NAME",
                 help="Correct the backs with the values stored by `pnp calibrate --set NAME`."),
    click.option("--low-ink", is_flag=True, help="Save ink: print backgrounds and art as light tints with outlines."),
    click.option("--large-print", is_flag=True,
                 help="Print all pieces 1.4 times as large, for players with low vision."),
    click.option("--high-contrast", is_flag=True, help="Print black text and dark icons on pale backgrounds and art."),
    click.option("--grey", is_flag=True, help="Print in grey only, for printers with black ink."),
    click.option("--prototype", is_flag=True, help="Print PROTOTYPE in the margin of each front if it fits."),
    click.option("--numbers", is_flag=True, help="Number the cards of each kind in their stamps, such as 12/49."),
    click.option("--clean", is_flag=True,
                 help="Print no draft number, hash or note on faces; the sheet margins show the draft number."),
    PROJECT,
))  # fmt: skip
COVER_SHEET = click.option(
    "--cover-sheet", is_flag=True, help="Begin each PDF with a sheet 0: small pictures, paper, cuts, folds, sleeves."
)


@click.command()
@PRINTING
@click.option("--feedback", is_flag=True,
              help="Also write feedback.<lang>.pdf, a form for each seat, and feedback.<lang>.csv.")  # fmt: skip
@click.option("--url", default="", callback=lambda _context, _option, text: parse_address(text), metavar="URL",
              help="Address in the QR code of the form (default: game and draft).")  # fmt: skip
@COVER_SHEET
@REUSE
@click.pass_obj
def sheets(obj: Path | None, /, **options: Any) -> None:
    """Build the print sheets.

    Without GAMES, pnp builds the sheets of every game of the project.
    """
    if options["url"] and not options["feedback"]:
        raise click.UsageError("--url is the address on the form; add --feedback")
    project = open_project(obj, options)
    order = print_order_from_options(options, project, SheetsOrder)
    done = carry_out(project, options["games"], order, progress(), os.cpu_count() or 1)
    say_done(done)


@dataclass(frozen=True, slots=True)
class SheetsOrder(PrintOrder):
    """Order for print sheets: a PDF for each requested language that the game has.

    With `feedback` also a form for players, whose QR code leads to `url`.
    """

    feedback: bool = False
    url: str = ""

    def make(self, job: Job) -> GameOutput:
        """Make the print sheets of one game, or nothing if the order picks none of it. Raise ProblemsFound."""
        workshop, game = job.workshop, job.workshop.game
        faces = sum(len(game.kinds[design.kind].faces(design)) for design in pick_designs(game, self.only))
        faces *= len(editions_of(game, self.languages))
        plain = (
            self.look in (PrintLook(), PrintLook(clean=True))
            and self.parts is None
            and self.sleeves is None
            and not any(map(second_language, self.languages))
        )
        if plain and faces > FEW_FACES and not workshop.is_caching_faces(faces):
            editions = write_sheets_lazily(job, self)  # page by page, to save memory
        else:
            editions = write_sheets(job, self, impose_sheets(job.workshop, self, job.progress))
        if self.feedback:
            self._write_feedback(job)
        return GameOutput(editions, notes=sheet_notes(job.workshop, self, editions))

    def _write_feedback(self, job: Job) -> None:
        """Write the form and its table in each language. Raise ProblemsFound."""
        from generator.commands.feedback_form import make_feedback_form, make_feedback_table  # few orders ask for it

        workshop = job.workshop
        for lang in self.pick_languages(workshop.game):
            try:
                form = make_feedback_form(workshop, lang, find_accent(workshop.game.palette), self.url)
            except ValueError as error:
                raise ProblemsFound([Problem(None, f"--url: {error}", "write a shorter address")]) from error
            target = self.out / workshop.game.id / f"feedback.{lang}.pdf"
            job.files.write(target, partial(workshop.write_document, form))
            job.files.put(target.with_suffix(".csv"), make_feedback_table(workshop, lang))


Printed = TypeVar("Printed", bound=PrintOrder)
Chosen = TypeVar("Chosen", bound="Preset")


def print_order_from_options(options: dict[str, Any], project: Project, kind: type[Printed], **more: Any) -> Printed:
    """Make an order of the given kind from the printing options and the project's presets.

    Raise ProblemsFound for a broken or unknown stock preset. Warn of unverified figures.
    """
    if options["registration"] and options["backs"] == "fold":
        raise click.BadParameter(
            "a cutting machine can't take folded sheets; choose other --backs", param_hint="--registration"
        )
    if options["large_print"] and (options["prototype"] or options["numbers"] or options["stock"]):
        raise click.UsageError("--large-print excludes --prototype, --numbers and --perforated; leave them out")
    if options["clean"] and (options["prototype"] or options["numbers"]):
        raise click.UsageError("--clean excludes --prototype and --numbers; leave one of them out")
    if options.get("cover_sheet") and (options["only"] or options["copies"] is not None or options["large_print"]):
        raise click.UsageError("--cover-sheet describes the whole game; leave out --only, --copies and --large-print")
    if options["high_contrast"] and options["low_ink"]:
        raise click.UsageError("--high-contrast and --low-ink exclude each other; leave one out")
    settings = _stock_settings(options, project) if options["stock"] else _paper_settings(options, project)
    if settings.margin.covers(settings.paper):
        what = f"margins of {settings.margin} mm cover the whole paper; write smaller ones"
        raise click.BadParameter(what, param_hint="--margin")
    gap, printer = read_length(options, "gap"), find_printer(options["printer"])
    if printer and options["backs"] not in ("long", "short") and _is_on_command_line("printer"):
        what = f"--printer has no effect with --backs {options['backs']}; use --backs long or short"
        say(f"warning: {what}", err=True)
    if options.get("cover_sheet"):
        more["sleeves"] = load_sleeves(project)
    cutter = None
    if options["registration"]:
        from generator.game.presets import Cutter

        cutter = _load_preset(project, options["registration"], Cutter)
    settings = replace(
        settings,
        gap=gap,
        backs=options["backs"],
        guides=options["show"] == "guides",
        printer=printer,
        registration=cutter,
        stacked=options["stacked"],
    )
    return order_from_options(kind, options, sheets=settings, look=order_from_options(PrintLook, options), **more)


def load_sleeves(project: Project) -> "tuple[Sleeves, ...]":
    """Return all presets of sleeves. Raise ProblemsFound with the faults of any preset."""
    from generator.game.preset_files import load_presets  # few orders name any
    from generator.game.presets import Sleeves

    return tuple(preset for preset in load_presets(project.resources) if isinstance(preset, Sleeves))


def _paper_settings(options: dict[str, Any], project: Project) -> SheetSettings:
    """Return settings for plain paper, given by the name of its size or by a preset's id, which sets the margin."""
    name = options["paper"]
    if name in list_preset_ids(project.resources):
        from generator.game.presets import Paper

        given = _is_on_command_line("margin")
        preset = _load_preset(project, name, Paper, warned=not given)
        return SheetSettings(preset.size, preset.name, options["margin"] if given else preset.margin)
    paper = find_paper(name)
    return SheetSettings(paper_size(paper), paper, options["margin"])


def _stock_settings(options: dict[str, Any], project: Project) -> SheetSettings:
    """Return settings for perforated sheets. They have their own paper size and are neither folded nor machine cut."""
    if _is_on_command_line("paper"):
        raise click.UsageError("--perforated sets the paper; leave --paper out")
    if _is_on_command_line("gap"):
        raise click.UsageError("--perforated sets the gaps; leave --gap out")
    if options["backs"] == "fold":
        raise click.BadParameter("perforated sheets can't be folded; choose other --backs", param_hint="--backs")
    if options["registration"]:
        raise click.BadParameter("perforated sheets need no cutting machine; leave it out", param_hint="--registration")
    from generator.game.presets import Stock

    stock = _load_preset(project, options["stock"], Stock)
    return SheetSettings(stock.paper, stock.name, options["margin"], stock=stock)


def _load_preset(project: Project, name: str, wanted: type[Chosen], *, warned: bool = True) -> Chosen:
    """Return a preset by its id and warn (if `warned`) of unverified figures. Raise ProblemsFound if not `wanted`."""
    from generator.game.preset_files import find_preset  # few orders name one
    from generator.game.presets import PRESETS

    kind = next(kind for kind, one in PRESETS.items() if one is wanted)
    preset = find_preset(project.resources, name, kind)
    if not isinstance(preset, wanted):
        raise TypeError(f"a preset of {kind} is {type(preset)}")
    say_warnings(filter(None, [preset.check_figures()] if warned else []))
    return preset


def _is_on_command_line(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


# Very many faces are drawn one after another, as their pages are written.


@contextmanager
def _garbage_collected() -> Iterator[None]:
    """Enable garbage collection in a `with` block; commands disable it, but very many faces need it."""
    looked, often = gc.isenabled(), gc.get_threshold()
    gc.freeze()  # what is there already is none
    gc.set_threshold(MUCH_GARBAGE, *often[1:])
    gc.enable()
    try:
        yield
    finally:
        gc.set_threshold(*often)
        gc.unfreeze()
        if not looked:
            gc.disable()


@_garbage_collected()
def write_sheets_lazily(job: Job, order: PrintOrder) -> tuple[str, ...]:
    """Write the same sheets as `write_sheets` with little memory, and return their editions.

    Raise ProblemsFound with all problems after writing. The files are then not delivered.
    """
    workshop, game = job.workshop, job.workshop.game
    designs = pick_designs(game, order.only)
    editions = editions_of(game, order.languages)
    problems = list(check_counts(game, designs, order))
    for edition in editions:
        job.progress(f"{game.id}: {order.file}.{edition}.pdf")
        unfit: list[Problem] = []
        wanted = PrintedFaces(edition, fronts=order.sheets.backs == "none", clean=order.look.clean)
        later = partial(_draw_later, workshop, partial(workshop.draw_next_printed, wanted))
        pages, backs = iter_pages(workshop, edition, order, unfit, later)
        document = make_document(game, edition, (), backs)
        target = order.out / game.id / f"{order.file}.{edition}.pdf"
        job.files.write(target, partial(workshop.write_document, document, coming=pages))
        for design in designs:  # those that are on no page may have problems too
            if unfit or not (design.count if order.copies is None else order.copies):
                workshop.forget_faces()
                workshop.draw_all([design], [edition])
        problems += unfit
    problems += workshop.problems
    raise_problems(problems)
    return editions


def _draw_later(workshop: Workshop, drawn: Draw, draw: Draw) -> Draw:
    """Return `draw`, but its faces of known size and bleed are drawn by `drawn` only when they are written."""
    kinds = workshop.game.kinds

    def now(design: Design, face: FaceName) -> Drawing:
        found = drawn(design, face)
        size, bleed = kinds[design.kind].size, kinds[design.kind].bleed
        # A face with problems is replaced, as its file is not delivered.
        return found.to_drawing() if found else Drawing(size.width, size.height, bleed, ())

    def later(design: Design, face: FaceName) -> Face | None:
        kind = kinds[design.kind]
        if choose_lie(kind) == "packed" or not kind.template(design, face):
            return draw(design, face)
        return LazyFace(kind.size.width, kind.size.height, kind.bleed, now, design, face)

    return later
