"""Die lines of games: a file for each run of sheets that a machine cuts alike."""

from typing import Literal

from generator.athome.die_files import dxf_file, svg_file
from generator.athome.dielines import DieLines, die_lines
from generator.commands.order import Job, Made, Order
from generator.commands.printing import PrintOrder, lay_sheets
from generator.dataclass import dataclass
from generator.model.game import Game

Format = Literal["svg", "dxf"]


@dataclass(frozen=True, slots=True)
class DieOrder(PrintOrder):
    """The die lines of the sheets that the same order would print; ValueError where backs lie across a fold."""

    form: Format = "svg"

    def for_cache(self, _game: Game) -> Order | None:
        """Not kept: they lie in a folder of their own."""
        return None

    def make(self, job: Job) -> Made:
        """The die lines of one game."""
        game = job.workshop.game
        printed = lay_sheets(job.workshop, self, job.progress)
        for edition, document in printed.items():
            digits = len(str(max(page.sheet for page in document.pages)))
            for lines in die_lines(document, game.kinds, registered=self.sheets.registration is not None):
                numbers = _numbers(lines, digits)
                target = self.out / game.id / "dielines" / f"{self.file}.{edition}.{numbers}.{self.form}"
                title = f"{document.title} {numbers}"
                job.files.put(target, svg_file(lines, title) if self.form == "svg" else dxf_file(lines))
        return Made(tuple(printed))


def _numbers(lines: DieLines, digits: int) -> str:
    """The sheets' numbers as a file name has them: `03`, `01-09` for a run, `03.back` for backs on their own paper."""
    first, last = lines.sheets[0], lines.sheets[-1]
    numbers = f"{first:0{digits}d}" if first == last else f"{first:0{digits}d}-{last:0{digits}d}"
    return numbers if lines.side == "front" else f"{numbers}.back"
