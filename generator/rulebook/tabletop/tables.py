"""What blocks ask of the plan of the table: the table as it is set up, or as an example has it."""

from collections.abc import Sequence

from generator.errors import Problem, did_you_mean
from generator.games.engine.contract import Zones
from generator.model.game import Example
from generator.model.table.plan import TablePlan
from generator.playtest.laying import PLAYERS
from generator.rulebook.fenced import Body
from generator.rulebook.played import RulebookPlay
from generator.rulebook.tabletop.layout import TableRoom
from generator.rulebook.tabletop.picture import TablePicture, TablePictures

_HEIGHT = 138.0
"""mm that a picture of the table may be high, where nothing else is asked for."""

_SLACK = 0.01
_LEAST, _MOST = 20.0, 400.0


class TableMaker:
    """Makes the pictures of the table in one book; what can't be shown goes to `problems`."""

    def __init__(self, plan: TablePlan | None, pictures: TablePictures, played: RulebookPlay, problems: list[Problem]):
        self._plan, self._pictures, self._played, self._problems = plan, pictures, played, problems

    def players(self, body: Body) -> int:
        """For how many a block shows the table set up."""
        return int(body.number("players", 1, 100) or (self._plan.usual if self._plan is not None else 1))

    def table(
        self,
        body: Body,
        example: Example | None,
        width: float,
        after: bool | None,
        most: float,
        *,
        numbered: bool,
        by: float = 1.0,
    ) -> TablePicture | None:
        """The table when play begins, or as an example has it, no wider than `width` mm; None for a problem.

        Its scale is `most` at most, it is `by` of its usual height, and so are its gaps. `numbered`: places have the
        numbers that the text gives them.
        """
        if self._plan is None:
            body.problem("the data have no plan of the table", "write the section `tabletop:` (docs/rulebook.md)")
            return None
        before, high = len(self._problems), body.number("height", _LEAST, _MOST) or _HEIGHT
        room = TableRoom(width, high * by, by)
        if example is None and "example" in body:
            example = self._played.example(body.text("example"), body.place("example"), self._problems)
        if len(self._problems) > before:
            return None
        if example is not None:
            arranged = self._played.arranged(example, after=body.flag("after") if after is None else after)
            if arranged is None:
                return None
            return self._laid(body, self._plan, arranged.zones(), example.players, numbered, (room, most))
        players = self.players(body)
        if not self._played.seats(players):
            body.problem(f"there is no set-up for {players} players", "name another number", "players")
            return None
        named = self._plan.example.replace(PLAYERS, str(players))
        table = self._played.laid(players, named, body.place(), self._problems)
        if len(self._problems) > before:
            return None
        zones = table.zones() if table is not None else {}
        return self._laid(body, self._plan, zones, players, numbered, (room, most))

    def _laid(
        self, body: Body, plan: TablePlan, zones: Zones, players: int, numbered: bool, limits: tuple[TableRoom, float]
    ) -> TablePicture | None:
        """A table with pieces in these zones, laid out by the plan within limits; None for a problem."""
        only, before = [str(name) for name in body.entries("only")], len(self._problems)
        for name in only:
            if name not in plan.places:
                body.problem(f"unknown place '{name}'", did_you_mean(name, plan.places), "only")
        if len(self._problems) > before:
            return None
        room, most = limits
        made = self._pictures.composed(plan, zones, players, room, only, body.place(), most, numbered=numbered)
        for name in only:
            if name not in made.places:
                body.problem(f"nothing lies at '{name}' then", "leave it out, or give the place `room:`", "only")
        self._tell(body, made.homeless)
        box = made.figure.box
        if box.width > room.width + _SLACK or box.height > room.height + _SLACK:
            what = f"the table has no room in {room.width:.0f} x {room.height:.0f} mm, however small its pieces"
            body.problem(what, "show a part of it with `only: [places]`, or shorten the places' names")
        return made if len(self._problems) == before else None

    def _tell(self, body: Body, homeless: Sequence[tuple[str, int, str]]) -> None:
        for name, number, under in homeless:
            what = f"{number} pieces at '{name}' find no space on what lies at '{under}'"
            body.problem(what, "name spaces of its template in the plan of the table")
