"""Games between bots move by move, for who looks on or takes moves away; the moves are those of a batch."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from generator.games.engine.contract import Box, Rules
from generator.games.engine.kernel import INTERPRETED, Kernel, Mode, Record, Row, begin_stream, kernel, seed_chance
from generator.games.engine.table import Seed, fresh_state
from generator.playtest.loop import LUCK, digest, seed_luck
from generator.playtest.players.choosing import unbound
from generator.playtest.players.seated import Bots
from generator.playtest.series import MOST_MOVES, roomy

put: Kernel = unbound
legal: Kernel = unbound
apply: Kernel = unbound
broken: Kernel = unbound
set_up: Kernel = unbound
place: Kernel = unbound
choose: Kernel = unbound

Allowed: TypeAlias = Callable[[Record, int, Sequence[int]], Sequence[int]]
"""State, seat and its legal moves -> those that it may choose from, one at least."""


@kernel
def open_game(table: Row, blank: Row, f: Record, luck: Row, run: int, game: int) -> None:
    """Deals a game of a run onto the table, and starts the chances that choices go by."""
    put(table, 0, blank, 0)
    s = table[0]
    seed_chance(s.rng, run, game)
    seed_luck(luck, run, game)
    set_up(s, f)


@kernel
def offer(table: Row, f: Record, moves: Row) -> int:
    """Fills in the legal moves and says how many; 0 at the end."""
    s = table[0]
    if s.over:
        return 0
    number: int = legal(s, f, moves)
    return number


@kernel
def decide(
    table: Row, f: Record, luck: Row, moves: Row, number: int, scratch: tuple[Row, ...], tasks: Row, begun: int
) -> int:
    """What the bot of the seat chooses; the first choice of a turn begins the turn's stream of chances."""
    s = table[0]
    if s.turn != begun:
        begin_stream(luck, s.turn)
    return choose(table, f, luck, moves, number, scratch, tasks)  # type: ignore[no-any-return]


@kernel
def make(table: Row, f: Record, move: int) -> int:
    """Makes a move, and says which law is broken then, 0 for none."""
    s = table[0]
    apply(s, f, move)
    return broken(s, f)  # type: ignore[no-any-return]


@kernel
def finish(table: Row, f: Record, seats: Row) -> None:
    """Each seat's place."""
    s = table[0]
    for seat in range(len(seats)):
        seats[seat] = 0
    place(s, f, seats)


class Stepped:
    """One game after another by the bots of its seats, in any mode, with a stop before each move.

    `broken` is 1 + the place of the first law that was broken in the game, `digest` stands for its moves.
    """

    def __init__(self, rules: Rules, box: Box, mode: Mode, bots: Sequence[str]):
        self._mode, self._players = mode, box.players
        numbers, blank = box.numbers, INTERPRETED.numbers(fresh_state(rules, box, Seed(0), INTERPRETED))
        self._lengths = {name: 0 if isinstance(value, int) else len(value) for name, value in blank.items()}
        if mode.by_length and rules.roomy:
            numbers, blank = roomy(numbers), roomy(blank)
        self._facts = mode.record(numbers)
        self._blank = mode.table(mode.record(blank))
        self._table = mode.table(self._blank[0])
        self._row, self._luck, self._seats = mode.row(rules.most(box)), mode.row(LUCK), mode.row(box.players)
        seated = Bots(rules, box, mode, bots, self._blank[0])
        self._at_hand = (seated.scratch, seated.tasks)
        name = f"{seated.name}_{rules.legal.__module__.replace('.', '_')}"
        steps = {step: getattr(rules, step) for step in ("legal", "apply", "broken", "set_up", "place")}
        steps |= {"put": mode.put, "choose": seated.choose}
        self._open, self._offer, self._decide, self._make, self._finish = (
            mode.bind(step, f"{step.__name__}_{name}", steps) for step in (open_game, offer, decide, make, finish)
        )
        self.broken = self.digest = 0

    @property
    def state(self) -> Record:
        """The game as it stands, as rules in plain Python read it; not to be changed."""
        record = self._table[0]
        if not self._mode.by_length:
            return record
        told = self._mode.numbers(record)
        return INTERPRETED.record({name: told[name][:n] if n else told[name] for name, n in self._lengths.items()})

    def game(self, seed: Seed, allowed: Allowed | None = None) -> Iterator[tuple[int, int, Sequence[int]]]:
        """Plays a game: seat, move and all legal moves, before each move is made. It has ended when they have.

        With `allowed` a choice is made among fewer moves than are legal.
        """
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
            self.digest = digest(self.digest, move)
            law = int(self._make(self._table, self._facts, move))
            self.broken = self.broken or law

    def winners(self) -> tuple[int, ...]:
        """The seats that have won the game that has been played."""
        self._finish(self._table, self._facts, self._seats)
        return tuple(seat for seat in range(self._players) if self._seats[seat] == 1)
