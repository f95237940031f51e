"""Sheets: the print sheets alone, face by face if there are very many."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from generator.base.display_list import Drawing
from generator.base.errors import Problem, ProblemsFound
from generator.base.languages import second_language
from generator.commands.orders import GameOutput, Job, editions_of
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
from generator.drawing.faces.game_drawing import PrintedFaces, Workshop
from generator.game.model import Design, FaceName
from generator.game.print_pages import Face, LazyFace
from generator.sheets.pieces import Draw, choose_lie, pick_designs

FEW_FACES = 1_000
"""Up to this number, all faces are drawn before the first sheet: problems show sooner and faces are cached."""

MUCH_GARBAGE = 100_000
"""Number of new objects that triggers garbage collection. Few templates leave reference cycles."""


@contextmanager
def _garbage_collected() -> Iterator[None]:
    """Enable garbage collection, which commands disable. Very many faces would leave too much garbage."""
    looked, often = gc.isenabled(), gc.get_threshold()
    _collect_garbage()
    try:
        yield
    finally:
        gc.set_threshold(*often)
        gc.unfreeze()
        if not looked:
            gc.disable()


def _collect_garbage() -> None:
    gc.freeze()  # what is there already is none
    gc.set_threshold(MUCH_GARBAGE, *gc.get_threshold()[1:])
    gc.enable()


def has_too_many_faces(job: Job, order: PrintOrder) -> bool:
    """Return True if there are too many faces to keep in memory. False if a look changes them or they are cached."""
    workshop, game = job.workshop, job.workshop.game
    faces = sum(len(game.kinds[design.kind].faces(design)) for design in pick_designs(game, order.only))
    faces *= len(editions_of(game, order.languages))
    plain = (
        order.look in (PrintLook(), PrintLook(clean=True))
        and order.parts is None
        and not any(map(second_language, order.languages))
    )
    return plain and faces > FEW_FACES and not workshop.is_caching_faces(faces)


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
        _check_unprinted(workshop, edition, [design for design in designs if unfit or not _is_printed(design, order)])
        problems += unfit
    problems += workshop.problems
    if problems:
        raise ProblemsFound(problems)
    return editions


def _is_printed(design: Design, order: PrintOrder) -> bool:
    return bool(design.count if order.copies is None else order.copies)


def _check_unprinted(workshop: Workshop, edition: str, designs: Sequence[Design]) -> None:
    """Draw the designs that are on no page, to find their problems."""
    for design in designs:
        workshop.forget_faces()
        workshop.draw_all([design], [edition])


def _draw_later(workshop: Workshop, drawn: Draw, draw: Draw) -> Draw:
    """Return a function that draws faces lazily. Faces of unknown size or bleed are drawn at once."""
    kinds = workshop.game.kinds

    def now(design: Design, face: FaceName) -> Drawing:
        found = drawn(design, face)
        size, bleed = kinds[design.kind].size, kinds[design.kind].bleed
        return (
            found.to_drawing() if found else Drawing(size.width, size.height, bleed, ())
        )  # with problems nobody gets it

    def later(design: Design, face: FaceName) -> Face | None:
        kind = kinds[design.kind]
        if choose_lie(kind) == "packed" or not kind.template(design, face):
            return draw(design, face)
        return LazyFace(kind.size.width, kind.size.height, kind.bleed, now, design, face)

    return later


@dataclass(frozen=True, slots=True)
class SheetsOrder(PrintOrder):
    """Order for print sheets: a PDF for each requested language that the game has."""

    def make(self, job: Job) -> GameOutput:
        """Make the print sheets of one game, or nothing if the order picks none of it. Raise ProblemsFound."""
        if has_too_many_faces(job, self):
            editions = write_sheets_lazily(job, self)
        else:
            editions = write_sheets(job, self, impose_sheets(job.workshop, self, job.progress))
        return GameOutput(editions, notes=sheet_notes(job.workshop, self, editions))
