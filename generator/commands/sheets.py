"""The print sheets of games alone."""

from generator.commands.in_passing import too_many_faces, write_in_passing
from generator.commands.order import Job, Made
from generator.commands.printing import PrintOrder, lay_sheets, sheet_notes, write_sheets
from generator.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class SheetsOrder(PrintOrder):
    """Print sheets: a PDF for each language that the order asks for and the game has."""

    def make(self, job: Job) -> Made:
        """The print sheets of one game; none when the order picks nothing of it. ProblemsFound."""
        if too_many_faces(job, self):
            editions = write_in_passing(job, self)
        else:
            editions = write_sheets(job, self, lay_sheets(job.workshop, self, job.progress))
        return Made(editions, notes=sheet_notes(job.workshop, self, editions))
