"""Print sheets of very many faces: each is drawn when its page is laid, and let go of soon afterwards."""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from generator.cache.store import Store
from generator.commands.editions import editions_of
from generator.commands.order import Job
from generator.commands.printing import PrintLook, PrintOrder, coming_pages, document_of, wrong_counts
from generator.errors import Problem, ProblemsFound
from generator.faces.workshop import Printing, Workshop
from generator.load.game import load_game
from generator.load.project import Project
from generator.model.drawing import Drawing
from generator.model.edition import second_language
from generator.model.game import Design, FaceName
from generator.model.sheet import Face, Undrawn
from generator.sheets.layout import Ahead
from generator.sheets.order import Draw, lie_of, pick_designs

FEW_FACES = 1_000
"""So many are all drawn before the first sheet is laid, by one process: problems are said sooner, and faces are kept.

To start others takes as long as to draw fifty.
"""

MUCH_GARBAGE = 100_000
"""Objects more than before, after which Python looks for garbage among them: few templates leave any in circles."""


@contextmanager
def _garbage_looked_for() -> Iterator[None]:
    """Commands look for no garbage by themselves; that of very many faces would come to more than the faces."""
    looked, often = gc.isenabled(), gc.get_threshold()
    _look_for_garbage()
    try:
        yield
    finally:
        gc.set_threshold(*often)
        gc.unfreeze()
        if not looked:
            gc.disable()


def _look_for_garbage() -> None:
    gc.freeze()  # what is there already is none
    gc.set_threshold(MUCH_GARBAGE, *gc.get_threshold()[1:])
    gc.enable()


def too_many_faces(job: Job, order: PrintOrder) -> bool:
    """Whether there are more faces than memory should hold; not so where they are changed, or kept for later runs.

    Where several processes draw, taking them from what is kept would take as long as drawing them.
    """
    workshop, game = job.workshop, job.workshop.game
    faces = sum(len(game.kinds[design.kind].faces(design)) for design in pick_designs(game, order.only))
    faces *= len(editions_of(game, order.languages))
    plain = (
        order.look in (PrintLook(), PrintLook(clean=True))
        and order.parts is None
        and not any(map(second_language, order.languages))
    )
    return plain and faces > FEW_FACES and (job.processes > 1 or not workshop.keeps(faces))


@_garbage_looked_for()
def write_in_passing(job: Job, order: PrintOrder) -> tuple[str, ...]:
    """The print sheets that `write_sheets` writes; answers with their languages.

    ProblemsFound with everything wrong when all is written, and nobody gets that.
    """
    workshop, game = job.workshop, job.workshop.game
    designs = pick_designs(game, order.only)
    editions = editions_of(game, order.languages)
    problems = list(wrong_counts(game, designs, order))
    with _helpers(job, order) as helped:
        for edition in editions:
            job.progress(f"{game.id}: {order.file}.{edition}.pdf")
            unfit: list[Problem] = []
            source = helped(edition)
            later = partial(_later, workshop, source.face)
            pages, backs = coming_pages(workshop, edition, order, unfit, later, source.expect)
            document = document_of(game, edition, (), backs)
            target = order.out / game.id / f"{order.file}.{edition}.pdf"
            job.files.write(target, partial(workshop.write, document, coming=pages))
            _look_at(workshop, edition, [design for design in designs if unfit or not _is_printed(design, order)])
            problems += unfit
    problems += workshop.problems
    if problems:
        raise ProblemsFound(problems)
    return editions


def _is_printed(design: Design, order: PrintOrder) -> bool:
    return bool(design.count if order.copies is None else order.copies)


def _look_at(workshop: Workshop, edition: str, designs: Sequence[Design]) -> None:
    """Draw what is on no page: it may have problems too."""
    for design in designs:
        workshop.let_go()
        workshop.draw_all([design], [edition])


def _later(workshop: Workshop, drawn: Draw, draw: Draw) -> Draw:
    """Draws faces when they are asked for; those at once of which size and bleed are not known before."""
    kinds = workshop.game.kinds

    def now(design: Design, face: FaceName) -> Drawing:
        found = drawn(design, face)
        size, bleed = kinds[design.kind].size, kinds[design.kind].bleed
        return found.drawn() if found else Drawing(size.width, size.height, bleed, ())  # with problems nobody gets it

    def later(design: Design, face: FaceName) -> Face | None:
        kind = kinds[design.kind]
        if lie_of(kind) == "packed" or not kind.template(design, face):
            return draw(design, face)
        return Undrawn(kind.size.width, kind.size.height, kind.bleed, now, design, face)

    return later


class _Source(NamedTuple):
    """Where the faces of an edition come from, and who is told which are expected."""

    face: Draw
    expect: Ahead | None = None


@contextmanager
def _helpers(job: Job, order: PrintOrder) -> Iterator[Callable[[str], _Source]]:
    """The source of each edition's faces: other processes draw them where there may be several."""
    workshop = job.workshop

    def wanted(edition: str) -> Printing:
        return Printing(edition, fronts=order.sheets.backs == "none", clean=order.look.clean)

    if job.processes < 2 or order.sheets.guides:
        yield lambda edition: _Source(partial(workshop.printed_in_passing, wanted(edition)))
        return
    from generator.faces.helped import HelpedFaces, helping  # with half of `multiprocessing`

    opener = partial(_opened, job.project, workshop.game.id, job.store)
    with helping(workshop, opener, job.processes) as pool:

        def source(edition: str) -> _Source:
            helped = HelpedFaces(workshop, pool, job.processes, wanted(edition))
            return _Source(helped.face, helped.expect)

        yield source


def _opened(project: Project, name: str, store: Store | None) -> Workshop:
    """In another process that is not forked."""
    _look_for_garbage()
    return Workshop(load_game(project.folder(name), project.resources), project.resources, store=store)
