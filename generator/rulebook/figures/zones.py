"""The zones that a block asks for: of the table when play begins, or as an example has it."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from generator.errors import Problem
from generator.games.engine.contract import ALL_SEEN
from generator.games.engine.table import Table
from generator.model.game import Example
from generator.rulebook.faces import Faces
from generator.rulebook.fenced import Body
from generator.rulebook.figures.situations import ZoneRow, is_named, zone_rows
from generator.rulebook.played import RulebookPlay


class ZoneReader:
    """Reads them for one book; what can't be shown goes to `problems`."""

    def __init__(self, faces: Faces, played: RulebookPlay, problems: list[Problem]):
        self._faces, self._played, self._problems = faces, played, problems

    def rows(
        self, body: Body, example: Example | None, after: bool | None = None, zones: Sequence[str] | None = None
    ) -> list[ZoneRow] | None:
        """The zones that a block shows of an example or of a set-up, its own `zones` by default; None for a problem."""
        place = body.place()
        if example is None and "example" in body:
            example = self._played.example(body.text("example"), body.place("example"), self._problems)
            if example is None:
                return None
        if example is not None:
            table = self._played.arranged(example, after=body.flag("after") if after is None else after)
        else:
            players = body.number("players", 1, 100)
            if players is None:
                body.problem("a situation needs `players` or `example`", "add `players: ...`")
                return None
            table = self._played.set_up(int(players), body.place("players"), self._problems)
        if table is None:
            return None
        eyes: int | None = ALL_SEEN
        if body.text("seat") != "all":
            seat = body.number("seat", 1, table.box.players)
            eyes = None if seat is None else int(seat) - 1
        hidden = [str(zone) for zone in body.entries("hidden")]
        wanted = [str(zone) for zone in body.entries("zones")] if zones is None else zones
        unknown = self._unknown(body, table, example, [*wanted, *hidden])
        if unknown:
            return None
        rows = zone_rows(table, self._faces, wanted, eyes, hidden, place, vacant=zones is not None)
        if not rows:
            body.problem("the situation shows no zone", f"there are {', '.join(table.zones())}", "zones")
        return rows or None

    def _unknown(self, body: Body, table: Table, example: Example | None, wanted: Sequence[str]) -> bool:
        """Whether some of these zones are none, of which it tells: those that an example has later may be named."""
        known = dict.fromkeys(table.zones())
        if example is not None:
            end = self._played.arranged(example, after=True)
            known |= dict.fromkeys(end.zones() if end is not None else ())
        unknown = [
            zone
            for zone in wanted
            if not is_named(table.box.game, zone) and not any(fnmatchcase(name, zone) for name in known)
        ]
        for zone in unknown:
            body.problem(f"the situation has no zone '{zone}'", f"there are {', '.join(known)}", "zones")
        return bool(unknown)
