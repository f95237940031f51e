"""From the project to die lines: a file for each run of sheets that a machine cuts alike."""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from generator.athome.die_files import dxf_file, svg_file
from generator.athome.dielines import DieLines, die_lines
from generator.commands.every_game import load_games, make_files
from generator.commands.printing import Order, Progress, idle_options, lay_sheets
from generator.delivery import Delivery
from generator.errors import Problem
from generator.faces.workshop import Workshop
from generator.load.project import Project

Format = Literal["svg", "dxf"]


def dielines(
    project: Project, names: tuple[str, ...], order: Order, form: Format, progress: Progress
) -> tuple[Path, ...]:
    """Write the die lines of the sheets that the same order would print; ProblemsFound with everything wrong.

    ValueError where backs lie across a fold.
    """
    games, problems = load_games(project, names)

    def make(workshop: Workshop, files: Delivery) -> None:
        game = workshop.game
        for edition, document in lay_sheets(workshop, order, progress).items():
            digits = len(str(max(page.sheet for page in document.pages)))
            for lines in die_lines(document, game.kinds, registered=order.sheets.registration is not None):
                numbers = _numbers(lines, digits)
                target = order.out / game.id / "dielines" / f"{order.file}.{edition}.{numbers}.{form}"
                title = f"{document.title} {numbers}"
                made = svg_file(lines, title) if form == "svg" else dxf_file(lines)
                files.put(target, made)

    def finish() -> Iterable[Problem]:
        progress("")
        return ()

    return make_files(project, games, [*problems, *idle_options(games, order)], make, finish)


def _numbers(lines: DieLines, digits: int) -> str:
    """The sheets' numbers as a file name has them: `03`, `01-09` for a run, `03.back` for backs on their own paper."""
    first, last = lines.sheets[0], lines.sheets[-1]
    numbers = f"{first:0{digits}d}" if first == last else f"{first:0{digits}d}-{last:0{digits}d}"
    return numbers if lines.side == "front" else f"{numbers}.back"
