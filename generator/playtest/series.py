"""Many games between bots in one go, from numbered seeds: what compiled rules are fast at."""

from collections.abc import Iterator, Sequence
from typing import Any

from generator.dataclass import dataclass
from generator.games.engine.contract import Box, Rules
from generator.games.engine.kernel import INTERPRETED, Mode, Numbers, Row
from generator.games.engine.table import Seed, fresh_state
from generator.playtest import course, loop
from generator.playtest.players.seated import Bots
from generator.playtest.tally import PlayedGame

MOST_MOVES = 5000
"""A game that takes more moves is held to be endless."""


@dataclass(frozen=True, slots=True)
class Alike:
    """So many games one after another are dealt alike, and have alike what chance brings after the deal."""

    dealt: int = 1
    drawn: int = 1


APART = Alike()
"""Each game has its own chances."""


def columns_of(rules: Rules, box: Box, *, followed: bool = False) -> tuple[str, ...]:
    """The names of the figures of a game with this box; with those of its course where it is followed."""
    supplies, measures = [one.id for one in rules.supplies], [one.check for one in rules.measures]
    return loop.columns(box.players, supplies, measures) + (course.columns() if followed else ())


def roomy(numbers: Numbers) -> dict[str, Any]:
    """The same fields in rows of common lengths, with zeros behind.

    Machine code goes by the lengths of rows. So boxes for other numbers of players, and those in which a design has a
    few copies more, share what was compiled for one of them.
    """
    return {name: value if isinstance(value, int) else _in_room(value) for name, value in numbers.items()}


def _in_room(row: Any) -> Any:
    behind = common_length(len(row)) - len(row)
    if not row or isinstance(row[0], int):
        return [*row, *([0] * behind)]
    width = common_length(max(map(len, row)))
    return [*([*inner, *([0] * (width - len(inner)))] for inner in row), *([0] * width for _ in range(behind))]


def common_length(length: int) -> int:
    """The next of 8, 12, 16, 24, 32, 48, 64 ..."""
    step = 1 << max(2, (length - 1).bit_length() - 2)
    return next(number * step for number in (2, 3, 4) if number * step >= length)


class Series:
    """Plays games of one box. Equal seeds give equal games, in any series and any mode.

    `bots` names one bot for all seats, or one for each; ValueError for names that aren't known. Without `watch` neither
    peaks nor broken laws are looked for; `followed` games tell how the points stood as they went.
    """

    def __init__(
        self,
        rules: Rules,
        box: Box,
        mode: Mode,
        *,
        bots: Sequence[str] = ("random",),
        watch: bool = True,
        followed: bool = False,
    ):
        self._watch = loop.FOLLOWED if followed else loop.WATCHED if watch else 0
        self._players, self._supplies, self._measures = box.players, len(rules.supplies), len(rules.measures)
        self.columns = columns_of(rules, box, followed=followed)
        self._mode = mode
        numbers, blank = box.numbers, INTERPRETED.numbers(fresh_state(rules, box, Seed(0), INTERPRETED))
        if mode.by_length and rules.roomy:
            numbers, blank = roomy(numbers), roomy(blank)
        self._facts = mode.record(numbers)
        self._blank = mode.table(mode.record(blank))
        self._table = mode.table(self._blank[0])
        name = rules.name
        steps = {step: getattr(rules, step) for step in ("legal", "apply", "demand", "broken")}
        ends = {step: getattr(rules, step) for step in ("score", "place", "measure")}
        seated = Bots(rules, box, mode, bots, self._blank[0])
        self._at_hand = (seated.scratch, seated.tasks)
        name = f"{seated.name}_{name}"
        note = mode.bind(course.note, f"note_{name}", {"score": rules.score}, inner=True)
        steps |= {"choose": seated.choose, "note": note}
        parts = {
            "set_up": rules.set_up,
            "put": mode.put,
            "play_one": mode.bind(loop.play_on, f"play_on_{name}", steps, inner=True),
            "tell_game": mode.bind(loop.tell_end, f"tell_end_{name}", ends, inner=True),
        }
        self._play = mode.bind(loop.play_series, f"play_series_{name}", parts)
        supplies, room = max(1, self._supplies), course.row_length(box.players, MOST_MOVES) if followed else 1
        longest = (loop.LUCK, rules.most(box), supplies, supplies, box.players, max(1, self._measures), room)
        self._rows = [mode.row(length) for length in longest]

    def play_games(self, run: int, first: int, games: int) -> Iterator[PlayedGame]:
        """The games with these numbers."""
        told = list(map(int, self.game_figures(run, first, games)))
        width = len(self.columns)
        for number in range(games):
            yield self._game(first + number, told[number * width : (number + 1) * width])

    def game_figures(self, run: int, first: int, games: int, alike: Alike = APART, most: int = MOST_MOVES) -> Row:
        """The figures of these games one after another, each in the order of `columns`; of `most` moves at most."""
        told = self._mode.row(games * len(self.columns))
        numbers = (self._supplies, self._measures, run, first, games, most, self._watch, alike.dealt, alike.drawn)
        self._play(self._table, self._blank, self._facts, *self._rows, *self._at_hand, told, *numbers)
        return told

    def _game(self, game: int, told: Sequence[int]) -> PlayedGame:
        seats, supplies = self._players, self._supplies
        parts = [seats, seats, supplies, supplies, self._measures]
        starts = [loop.BY_SEAT + sum(parts[:n]) for n in range(len(parts))]
        rows = [tuple(told[start : start + n]) for start, n in zip(starts, parts, strict=True)]
        scores, places, peaks, short, measured = rows
        return PlayedGame(
            game=game,
            ended=bool(told[loop.ENDED]),
            moves=told[loop.MOVES],
            choices=told[loop.CHOICES],
            turns=told[loop.TURNS],
            widest=told[loop.WIDEST],
            scores=scores,
            places=places,
            peaks=peaks,
            short=short,
            broken=told[loop.BROKEN],
            hole=told[loop.HOLE],
            digest=told[loop.DIGEST],
            measured=measured,
        )
