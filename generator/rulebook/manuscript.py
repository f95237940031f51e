"""A rulebook's Markdown as its template gives it: lines with their places, and what is found to be wrong with them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from generator.errors import Place, Problem
from generator.templates.templating import Written


@dataclass(slots=True)
class Manuscript:
    """The lines of one rulebook, counted from 0; `problems` grows while they are read.

    `sources` are the templates as they are written, by file.
    """

    written: Written
    problems: list[Problem] = field(default_factory=list)
    sources: Mapping[str, str] = field(default_factory=dict)

    def place(self, line: int) -> Place:
        """Where a line stands in its template."""
        places = self.written.places
        return places[min(max(line, 0), len(places) - 1)]

    def begins(self, line: int) -> Place:
        """Where a line stands, with the column at which its line of the template begins."""
        place = self.place(line)
        lines = self.sources.get(place.file, "").split("\n")
        source = lines[place.line - 1] if place.line <= len(lines) else ""
        return replace(place, column=len(source) - len(source.lstrip()) + 1)

    def problem(self, line: int, what: str, hint: str = "") -> None:
        """Something wrong in a line."""
        self.problems.append(Problem(self.place(line), what, hint))
