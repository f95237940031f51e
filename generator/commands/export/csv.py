"""Spreadsheets of games: each kind of component as a CSV file that the game can read in its list's place."""

from collections.abc import Iterable, Iterator, Sequence

from generator.commands.order import Job, Made, Order
from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.export.tables import kind_table
from generator.load.anchors import lent_anchors
from generator.load.project import Project
from generator.load.sections import parse_all
from generator.model.game import Game, Kind
from generator.model.source import Map, Source

_SHOWN = 6
"""So many lines that use an anchor are named."""


@dataclass(frozen=True, slots=True)
class CsvOrder(Order):
    """Which kinds come as OUT/<game>/csv/<kind>.csv, all without any; `data` is where people keep the games."""

    kinds: tuple[str, ...] = ()
    data: str = ""

    def missing_problems(self, games: Sequence[Game], _made: Sequence[Made]) -> Iterable[Problem]:
        """A kind that is asked for and in none of the games."""
        known = {kind for game in games for kind in game.kinds}
        for kind in self.kinds:
            if kind not in known:
                yield Problem(Place(self.data), f"no game has components '{kind}'", did_you_mean(kind, known))

    def make(self, job: Job) -> Made:
        """The tables of one game; ProblemsFound with all that stops it."""
        game, problems, notes = job.workshop.game, list[Problem](), list[str]()
        for kind in game.kinds.values():
            if not self.kinds or kind.id in self.kinds:
                try:
                    table = kind_table(game, kind)
                except ProblemsFound as found:
                    problems += found.problems
                    continue
                job.files.put(self.out / game.id / "csv" / f"{kind.id}.csv", table)
                notes += _lent(job.project, game, kind)
        if problems:
            raise ProblemsFound(problems)
        return Made(notes=tuple(notes))


def _lent(project: Project, game: Game, kind: Kind) -> Iterator[str]:
    """What would go with the list, if the table took its place: anchors that other lines use."""
    for path, root in parse_all(project.folder(game.id), project.resources):
        listed = root.get("components")
        if isinstance(listed, Map) and kind.id in listed and isinstance(listed[kind.id].get("designs"), list):
            lent = lent_anchors(path, kind.id)
            used = ", ".join(f"*{name} ({_lines(lines)})" for name, lines in lent.items())
            if used:
                place = Source(project.resources.shown(path), listed[kind.id]).place("designs")
                hint = "before the table takes its place, write these values out where they are used"
                yield f"{place}: other lines use anchors of the list of {kind.id}; {hint}: {used}"


def _lines(numbers: Sequence[int]) -> str:
    """`line 3`, `lines 3, 5 and 7 more`."""
    shown = ", ".join(map(str, numbers[:_SHOWN]))
    more = f" and {len(numbers) - _SHOWN} more" if len(numbers) > _SHOWN else ""
    return f"line{'s' if len(numbers) > 1 else ''} {shown}{more}"
