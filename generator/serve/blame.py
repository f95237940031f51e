"""Which designs a problem is about: those that its line describes, or that its template draws."""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise

from generator.errors import Problem
from generator.model.game import CUBE_FACES, Design, Game, Kind
from generator.model.resources import Resources


class Blame:
    """Knows where each design of a game stands in the data, and which template files draw it.

    For files that can't be read it knows where designs stood when they last could.
    """

    def __init__(self, game: Game | None = None, resources: Resources | None = None):
        self._lines: dict[str, list[tuple[int, int, str]]] = {}
        self._drawn_by: dict[str, list[str]] = {}
        self._order: dict[str, int] = {}
        self._met: dict[Problem, list[str]] = {}
        if game is not None and resources is not None:
            self._learn(game, resources)

    def add(self, problems: Iterable[Problem], design: str) -> None:
        """Problems that were met while a design was drawn."""
        for problem in problems:
            self._met.setdefault(problem, []).append(design)

    def designs(self, problem: Problem) -> tuple[str, ...]:
        """The ids of the designs concerned, in the order of the data; none where nothing tells."""
        found = list(self._met.get(problem, ()))
        if problem.place is not None:
            found += self._drawn_by.get(problem.place.file, ())
            lines = self._lines.get(problem.place.file, [])
            before = bisect_right(lines, problem.place.line, key=lambda entry: entry[0])
            if before and problem.place.line <= lines[before - 1][1]:
                found.append(lines[before - 1][2])
        return tuple(sorted(set(found), key=lambda design: self._order.get(design, 0)))

    def _learn(self, game: Game, resources: Resources) -> None:
        files: dict[str, str] = {}
        self._order = {design.id: number for number, design in enumerate(game.designs())}
        for design in game.designs():
            first, last = _span(design)
            self._lines.setdefault(design.place.file, []).append((first, last, design.id))
            for template in sorted(_templates(game.kinds[design.kind], design)):
                if template not in files:
                    files[template] = _file(game.id, template, resources)
                self._drawn_by.setdefault(files[template], []).append(design.id)
        self._lines = {file: _joined(sorted(lines)) for file, lines in self._lines.items()}


def _span(design: Design) -> tuple[int, int]:
    """The first line of a design, and the first after its fields begin: there a broken one may be noticed."""
    first = design.place.line
    fields = design.source.value if isinstance(design.source.value, dict) else {}
    return first, max([first, *(design.source.place(field).line for field in fields)]) + 1


def _joined(lines: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """The same with what lies between two designs of a kind, which is the first one's text."""
    joined = [
        (first, following[0] - 1 if _kind(following) == _kind((first, last, name)) else last, name)
        for (first, last, name), following in pairwise(lines)
    ]
    return [*joined, *lines[-1:]]


def _kind(entry: tuple[int, int, str]) -> str:
    return entry[2].split("/")[0]


def _templates(kind: Kind, design: Design) -> set[str]:
    return {name for face in CUBE_FACES if (name := kind.template(design, face))}


def _file(game: str, template: str, resources: Resources) -> str:
    """A template's file as problems name it; empty where there is none."""
    for folder in (game, "common"):
        path = resources.find("templates", f"{folder}/{template}.svg")
        if path is not None:
            return resources.shown(path)
    return ""
