"""Series: plays many games between bots in one call, or one game move by move."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from generator.play import game_loop
from generator.play.bot_registry import BotKernels
from generator.play.bots import Rows, raise_unbound
from generator.play.game_loop import LUCK, extend_digest, seed_luck
from generator.play.tally import PlayedGame
from generator.rules.engine.contract import Box, Rules
from generator.rules.engine.kernel import INTERPRETED, Mode, Numbers, Record, Row, begin_stream, kernel, seed_chance
from generator.rules.engine.table import Seed, fresh_state

MOST_MOVES = 5000
"""A game with more moves than this is treated as endless and cut off."""


@dataclass(frozen=True, slots=True)
class SharedChances:
    """How many successive games share one deal, and how many share the random numbers after the deal (1: none)."""

    dealt: int = 1
    drawn: int = 1


OWN_CHANCES = SharedChances()
"""No games share a deal or random numbers."""


def list_figure_columns(rules: Rules, box: Box, *, followed: bool = False) -> tuple[str, ...]:
    """Return the names of the figures of a game with this box, with those of its course if it is followed."""
    supplies, measures = [one.id for one in rules.supplies], [one.check for one in rules.measures]
    course = game_loop.list_course_columns() if followed else ()
    return game_loop.list_game_columns(box.players, supplies, measures) + course


def pad_rows(numbers: Numbers) -> dict[str, Any]:
    """Return the fields with their lists padded with zeros to standard lengths.

    Machine code depends on the lengths of rows. So boxes for other numbers of players, and those with a few more copies
    of a design, share compiled code.
    """
    return {name: value if isinstance(value, int) else _pad_row(value) for name, value in numbers.items()}


def _pad_row(row: Any) -> Any:
    behind = common_length(len(row)) - len(row)
    if not row or isinstance(row[0], int):
        return [*row, *([0] * behind)]
    width = common_length(max(map(len, row)))
    return [*([*inner, *([0] * (width - len(inner)))] for inner in row), *([0] * width for _ in range(behind))]


def common_length(length: int) -> int:
    """Return the smallest of the lengths 8, 12, 16, 24, 32, 48, 64 ... that is not below `length`."""
    step = 1 << max(2, (length - 1).bit_length() - 2)
    return next(number * step for number in (2, 3, 4) if number * step >= length)


class _SeatedTable:
    """A table with bots on its seats, compiled or not (`mode`). Rows have standard lengths if that saves compiling."""

    def __init__(self, rules: Rules, box: Box, mode: Mode, bots: Sequence[str]):
        self._mode, self._players = mode, box.players
        numbers, blank = box.numbers, INTERPRETED.read_numbers(fresh_state(rules, box, Seed(0), INTERPRETED))
        self._lengths = {name: 0 if isinstance(value, int) else len(value) for name, value in blank.items()}
        if mode.by_length and rules.roomy:
            numbers, blank = pad_rows(numbers), pad_rows(blank)
        self._facts = mode.make_record(numbers)
        self._blank = mode.make_table(mode.make_record(blank))
        self._table = mode.make_table(self._blank[0])
        seated = BotKernels(rules, box, mode, bots, self._blank[0])
        self._choose, self._at_hand = seated.choose, (seated.scratch, seated.tasks)
        self._name = f"{seated.name}_{rules.name}"


class Series(_SeatedTable):
    """Plays games with one game box; equal seeds give equal games, compiled or not.

    `bots` names one bot for all seats, or one for each; unknown names raise ValueError. Without `watch`, peaks and
    broken laws are not recorded; with `followed`, the points during the games are.
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
        super().__init__(rules, box, mode, bots)
        self._watch = game_loop.FOLLOWED if followed else game_loop.WATCHED if watch else 0
        self._supplies, self._measures = len(rules.supplies), len(rules.measures)
        self.columns = list_figure_columns(rules, box, followed=followed)
        name = self._name
        steps = {step: getattr(rules, step) for step in ("legal", "apply", "demand", "broken")}
        ends = {step: getattr(rules, step) for step in ("score", "place", "measure")}
        note = mode.bind(game_loop.note_points, f"note_{name}", {"score": rules.score}, inner=True)
        steps |= {"choose": self._choose, "note": note}
        parts = {
            "set_up": rules.set_up,
            "put": mode.put,
            "play_one": mode.bind(game_loop.play_to_end, f"play_on_{name}", steps, inner=True),
            "tell_game": mode.bind(game_loop.fill_end_figures, f"tell_end_{name}", ends, inner=True),
        }
        self._play = mode.bind(game_loop.play_series, f"play_series_{name}", parts)
        supplies, room = max(1, self._supplies), 1 + (MOST_MOVES + 2) * box.players if followed else 1
        longest = (game_loop.LUCK, rules.most(box), supplies, supplies, box.players, max(1, self._measures), room)
        self._rows = tuple(map(mode.make_row, longest))

    def play_games(self, run: int, first: int, games: int) -> Iterator[PlayedGame]:
        """Play games `first` to `first + games - 1` and yield them."""
        told = list(map(int, self.game_figures(run, first, games)))
        width = len(self.columns)
        for number in range(games):
            yield self._read_game(first + number, told[number * width : (number + 1) * width])

    def game_figures(
        self, run: int, first: int, games: int, alike: SharedChances = OWN_CHANCES, most: int = MOST_MOVES
    ) -> Row:
        """Return these games' `columns`, game after game, each up to `most` moves; `alike`: the chances they share."""
        told = self._mode.make_row(games * len(self.columns))
        numbers = (self._supplies, self._measures, run, first, games, most, self._watch, alike.dealt, alike.drawn)
        self._play(self._table, self._blank, self._facts, self._rows, *self._at_hand, told, numbers)
        return told

    def _read_game(self, game: int, figures: Sequence[int]) -> PlayedGame:
        seats, supplies = self._players, self._supplies
        parts = [seats, seats, supplies, supplies, self._measures]
        starts = [game_loop.BY_SEAT + sum(parts[:n]) for n in range(len(parts))]
        rows = [tuple(figures[start : start + n]) for start, n in zip(starts, parts, strict=True)]
        scores, places, peaks, short, measured = rows
        if figures[game_loop.ENDED] and not all(1 <= place <= max(seats, 2) for place in places):
            raise ValueError(f"`place` gives {', '.join(map(str, places))}; places count from 1, for winners")
        return PlayedGame(
            game=game,
            ended=bool(figures[game_loop.ENDED]),
            moves=figures[game_loop.MOVES],
            choices=figures[game_loop.CHOICES],
            turns=figures[game_loop.TURNS],
            widest=figures[game_loop.WIDEST],
            scores=scores,
            places=places,
            peaks=peaks,
            short=short,
            broken=figures[game_loop.BROKEN],
            hole=figures[game_loop.HOLE],
            digest=figures[game_loop.DIGEST],
            measured=measured,
        )


put = legal = apply = broken = set_up = place = choose = raise_unbound

Allowed: TypeAlias = Callable[[Record, int, Sequence[int]], Sequence[int]]
"""Takes state, seat and its legal moves; returns the moves from which a bot may choose, at least one."""


@kernel
def deal_game(table: Row, blank: Row, f: Record, luck: Row, run: int, game: int) -> None:
    """Set up game number `game` of a run in the first record of the table; seed its and the bots' random numbers."""
    put(table, 0, blank, 0)
    s = table[0]
    seed_chance(s.rng, run, game)
    seed_luck(luck, run, game)
    set_up(s, f)


@kernel
def offer_moves(table: Row, f: Record, moves: Row) -> int:
    """Write the legal moves into `moves`. Return their number, 0 at the end of the game."""
    s = table[0]
    if s.over:
        return 0
    return legal(s, f, moves)


@kernel
def choose_move(
    table: Row, f: Record, luck: Row, moves: Row, number: int, scratch: Rows, tasks: Row, begun: int
) -> int:
    """Return the move of the current seat's bot. Start a stream of random numbers unless `begun` is this turn."""
    s = table[0]
    if s.turn != begun:
        begin_stream(luck, s.turn)
    return choose(table, f, luck, moves, number, scratch, tasks)


@kernel
def make_move(table: Row, f: Record, move: int) -> int:
    """Make a move. Return the number (from 1) of the law of the rules that it broke, or 0."""
    s = table[0]
    apply(s, f, move)
    return broken(s, f)


@kernel
def fill_places(table: Row, f: Record, seats: Row) -> None:
    """Write each seat's final place (1: the winner) into `seats`."""
    s = table[0]
    for seat in range(len(seats)):
        seats[seat] = 0
    place(s, f, seats)


class StepSeries(_SeatedTable):
    """Plays games between bots and stops before each move, so that the caller can look at the state.

    `broken` is 1 + the index of the first law that was broken in the game; `digest` is a hash of its moves.
    """

    def __init__(self, rules: Rules, box: Box, mode: Mode, bots: Sequence[str]):
        super().__init__(rules, box, mode, bots)
        self._row, self._luck, self._seats = map(mode.make_row, (rules.most(box), LUCK, box.players))
        steps = {step: getattr(rules, step) for step in ("legal", "apply", "broken", "set_up", "place")}
        steps |= {"put": mode.put, "choose": self._choose}
        self._open, self._offer, self._decide, self._make, self._finish = (
            mode.bind(step, f"{step.__name__}_{self._name}", steps)
            for step in (deal_game, offer_moves, choose_move, make_move, fill_places)
        )
        self.broken = self.digest = 0

    @property
    def state(self) -> Record:
        """The present state, in the form for interpreted rules; do not change it."""
        record = self._table[0]
        if not self._mode.by_length:
            return record
        told = self._mode.read_numbers(record)
        return INTERPRETED.make_record({name: told[name][:n] if n else told[name] for name, n in self._lengths.items()})

    def play_game(self, seed: Seed, allowed: Allowed | None = None) -> Iterator[tuple[int, int, Sequence[int]]]:
        """Play a game; before each move yield seat, move and legal moves. `allowed` limits the moves of bots."""
        self._open(self._table, self._blank, self._facts, self._luck, seed.run, seed.game)
        self.broken = self.digest = 0
        begun = -1
        for _ in range(MOST_MOVES):
            number = int(self._offer(self._table, self._facts, self._row))
            if not number:
                return
            seat, moves = int(self._table[0].seat), [int(self._row[at]) for at in range(number)]
            if allowed is not None and number > 1:
                chosen_from = allowed(self.state, seat, moves)
                number = len(chosen_from)
                for at, move in enumerate(chosen_from):
                    self._row[at] = move
            move = int(self._row[0])
            if number > 1:
                move = int(self._decide(self._table, self._facts, self._luck, self._row, number, *self._at_hand, begun))
                begun = int(self._table[0].turn)
            yield seat, move, moves
            self.digest = extend_digest(self.digest, move)
            law = int(self._make(self._table, self._facts, move))
            self.broken = self.broken or law

    def find_winners(self) -> tuple[int, ...]:
        """Return the seats that won the last game."""
        self._finish(self._table, self._facts, self._seats)
        return tuple(seat for seat in range(self._players) if self._seats[seat] == 1)
