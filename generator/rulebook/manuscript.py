"""A rulebook's Markdown as its template gives it: lines with their places, and what is found to be wrong with them."""

from dataclasses import dataclass, field

from generator.draw.templating import Written
from generator.errors import Place, Problem


@dataclass(slots=True)
class Manuscript:
    """The lines of one rulebook, counted from 0; `problems` grows while they are read."""

    written: Written
    problems: list[Problem] = field(default_factory=list)

    def place(self, line: int) -> Place:
        """Where a line stands in its template."""
        places = self.written.places
        return places[min(max(line, 0), len(places) - 1)]

    def problem(self, line: int, what: str, hint: str = "") -> None:
        """Something wrong in a line."""
        self.problems.append(Problem(self.place(line), what, hint))
