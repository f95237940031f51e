"""Spreadsheets of games: each kind of component as a CSV file that the game can read in its list's place."""

from collections.abc import Iterable, Sequence

from generator.commands.order import Job, Made, Order
from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.export.tables import kind_table
from generator.model.game import Game


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
        game, problems = job.workshop.game, list[Problem]()
        for kind in game.kinds.values():
            if not self.kinds or kind.id in self.kinds:
                try:
                    table = kind_table(game, kind)
                except ProblemsFound as found:
                    problems += found.problems
                    continue
                job.files.put(self.out / game.id / "csv" / f"{kind.id}.csv", table)
        if problems:
            raise ProblemsFound(problems)
        return Made()
