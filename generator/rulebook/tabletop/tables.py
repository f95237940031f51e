"""What blocks ask of the plan of the table: the table as it is set up, or as an example has it."""

from collections.abc import Sequence

from generator.errors import Problem, did_you_mean
from generator.games.engine.contract import Zones
from generator.games.engine.table import Table
from generator.model.game import Example
from generator.model.tabletop.plan import TablePlan
from generator.playtest.laying import PLAYERS
from generator.rulebook.annotations.anchored import Anchored
from generator.rulebook.fenced import Body
from generator.rulebook.layouts import WIDTH
from generator.rulebook.played import RulebookPlay
from generator.rulebook.tabletop.picture import TablePictures
from generator.units import Size

_HEIGHT = 138.0
"""mm that a picture of the table may be high, where nothing else is asked for."""

_SLACK = 0.01
_LEAST, _MOST = 20.0, 400.0


class TableMaker:
    """Makes the pictures of the table in one book; what can't be shown goes to `problems`."""

    def __init__(self, plan: TablePlan | None, pictures: TablePictures, played: RulebookPlay, problems: list[Problem]):
        self._plan, self._pictures, self._played, self._problems = plan, pictures, played, problems

    def set_up(self, body: Body) -> tuple[Anchored, str, int] | None:
        """The table when play begins, with what it shows in words and for how many players; None for a problem."""
        if self._plan is None:
            self._no_plan(body)
            return None
        if "example" in body:
            example = self._played.example(body.text("example"), body.place("example"), self._problems)
            return self._as_arranged(body, example) if example is not None else None
        before = len(self._problems)
        players = int(body.number("players", 1, 100) or self._plan.usual)
        if not self._played.seats(players):
            body.problem(f"there is no set-up for {players} players", "name another number", "players")
            return None
        named = self._plan.example.replace(PLAYERS, str(players))
        table = self._played.laid(players, named, body.place(), self._problems)
        if len(self._problems) > before:
            return None
        return self.laid(body, table.zones() if table is not None else {}, players)

    def _as_arranged(self, body: Body, example: Example) -> tuple[Anchored, str, int] | None:
        table: Table | None = self._played.arranged(example, after=body.flag("after"))
        return self.laid(body, table.zones(), example.players) if table is not None else None

    def laid(self, body: Body, zones: Zones, players: int) -> tuple[Anchored, str, int] | None:
        """A table with pieces in these zones, laid out by the plan; None for a problem."""
        if self._plan is None:
            self._no_plan(body)
            return None
        only, before = [str(name) for name in body.entries("only")], len(self._problems)
        for name in only:
            if name not in self._plan.places:
                body.problem(f"unknown place '{name}'", did_you_mean(name, self._plan.places), "only")
        height = body.number("height", _LEAST, _MOST) or _HEIGHT
        if len(self._problems) > before:
            return None
        figure, alt, homeless = self._pictures.composed(
            self._plan, zones, players, Size(WIDTH, height), only, body.place()
        )
        self._tell(body, homeless)
        if figure.box.width > WIDTH + _SLACK or figure.box.height > height + _SLACK:
            what = f"the table has no room in {WIDTH:.0f} x {height:.0f} mm, however small its pieces"
            body.problem(what, "show a part of it with `only: [places]`, or shorten the places' names")
        return (figure, alt, players) if len(self._problems) == before else None

    def _tell(self, body: Body, homeless: Sequence[tuple[str, int, str]]) -> None:
        for name, number, under in homeless:
            what = f"{number} pieces at '{name}' find no space on what lies at '{under}'"
            body.problem(what, "name spaces of its template in the plan of the table")

    def _no_plan(self, body: Body) -> None:
        body.problem("the data have no plan of the table", "write the section `tabletop:` (docs/rulebook.md)")
