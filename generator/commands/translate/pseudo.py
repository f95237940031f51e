"""A game in a language that is none, to be looked at before anybody translates it."""

from collections.abc import Iterator
from pathlib import Path

from generator.commands.images import ImageOrder, drawn_pictures
from generator.commands.order import Progress
from generator.commands.rulebook import engine_of
from generator.commands.translate.texts import Original, TranslatedFiles, book_of, header_of, original
from generator.delivery import delivery
from generator.errors import ProblemsFound
from generator.load.game import load_game
from generator.load.po import Catalogue, Translation
from generator.load.project import Project
from generator.translation.pseudo import PSEUDO, is_hard_wired, pseudo
from generator.translation.stage import Stage, is_tight, staged
from generator.writers.svg import spoken


def show_pseudo(
    project: Project, game: str, source: str, out: Path, dpi: float, progress: Progress, *, trusted: bool = False
) -> TranslatedFiles:
    """Write pictures of all faces, and the books that can be set; told is what does not fit, and what is hard-wired.

    ProblemsFound where anything else is wrong.
    """
    of = original(project, game, source)
    entries = tuple(_entries(of))
    books = {one.volume: book_of(of, one, PSEUDO, entries)[0] for one in of.templates}
    catalogue = Catalogue(header_of(of, PSEUDO, {}), entries)
    with staged(of.project, of.game, PSEUDO, catalogue, books) as stage, delivery() as files:
        progress(f"{of.game}: {PSEUDO}")
        problems = stage.problems(engine_of(of.project, stage.game, trusted=trusted))
        if not all(map(is_tight, problems)):
            raise ProblemsFound(problems)
        folder = out / of.game / "pseudo"
        for name, data in drawn_pictures(stage.workshop, ImageOrder((PSEUDO,), Path(), dpi=dpi), progress):
            files.put(folder / name, data)
        for name, data in stage.books.items():
            files.put(folder / name, data)
        progress("")
        return TranslatedFiles(files.hand_over(), (*map(str, problems), *_hard_wired(stage)))


def _entries(of: Original) -> Iterator[Translation]:
    game = load_game(of.folder, of.project.resources)
    terms = {entry.term[of.source].casefold(): entry.id for entry in game.glossary.values()}
    for unit in of.units:
        yield Translation(unit.key, unit.source, pseudo(unit.source, {**{one: one for one in game.glossary}, **terms}))


def _hard_wired(stage: Stage) -> Iterator[str]:
    """Each text of a face that no translation reaches, with the faces that show it."""
    found: dict[str, list[str]] = {}
    for design in stage.game.designs():
        for side in stage.game.kinds[design.kind].faces(design):
            drawing = stage.workshop.face(design, side, stage.lang)
            for line in spoken(drawing).split("\n") if drawing is not None else ():
                if is_hard_wired(line):
                    found.setdefault(line.strip(), []).append(f"{design.id} ({side})")
    for line, faces in found.items():
        more = f" and {len(faces) - 1} more" if len(faces) > 1 else ""
        yield f"“{line}” is hard-wired: no text of the data, on {faces[0]}{more}"
