"""Players of the program's own. A bot sees what its seat sees: the state that it gets is mixed where it is hidden."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from generator.dataclass import dataclass
from generator.errors import did_you_mean
from generator.games.engine.contract import Box, Rules
from generator.games.engine.kernel import INTERPRETED, Mode, Record, Row, begin_stream, below, chance32, seed_chance
from generator.games.engine.table import Seed
from generator.playtest.loop import LUCK, seed_luck


@dataclass(slots=True)
class Choice:
    """A choice as a seat sees it: the legal moves, and a state with all that is hidden mixed at random."""

    seat: int
    legal: tuple[int, ...]
    state: Record
    engine: "Engine"
    random: Random

    def after(self, move: int, state: Record | None = None) -> Record:
        """A state of its own in which the move has been made."""
        state = self.engine.mode.copy(self.state if state is None else state)
        self.engine.apply(state, self.engine.facts, move)
        return state


class Engine:
    """A game's kernels in one mode, with its facts: what bots and matches run."""

    def __init__(self, rules: Rules, box: Box, mode: Mode):
        self.rules, self.box, self.mode = rules, box, mode
        self.facts = mode.record(box.numbers)
        self.apply, self.value, self.demand = map(mode.kernel, (rules.apply, rules.value, rules.demand))
        self._legal, self._blind = map(mode.kernel, (rules.legal, rules.blind))
        self._moves = mode.row(rules.most(box))
        self._taken = mode.row(max(1, len(rules.supplies)))

    def legal(self, state: Record) -> tuple[int, ...]:
        """The legal moves; none after the end."""
        if state.over:
            return ()
        number = self._legal(state, self.facts, self._moves)
        return tuple([int(move) for move in self._moves[:number]])

    def view(self, state: Record, legal: tuple[int, ...], random: Random) -> Choice:
        """What the seat whose choice it is sees of the state."""
        seat = int(state.seat)
        seen = self.mode.copy(state)
        seed_chance(seen.rng, random.getrandbits(64), 0)
        self._blind(seen, self.facts, seat)
        return Choice(seat, legal, seen, self, random)

    def taken(self, state: Record) -> tuple[int, ...]:
        """How many pieces of each supply are in use."""
        self.demand(state, self.facts, self._taken)
        return tuple([int(number) for number in self._taken[: len(self.rules.supplies)]])

    def taken_of(self, state: Record, supply: int) -> int:
        """How many pieces of one supply are in use."""
        self.demand(state, self.facts, self._taken)
        return int(self._taken[supply])


Bot = Callable[[Choice], int]
"""Chooses one of the view's legal moves."""


def random_bot(view: Choice) -> int:
    """Any legal move."""
    return view.random.choice(view.legal)


def greedy_bot(view: Choice) -> int:
    """A move after which things look best, by the rules' own measure."""
    return _best(view, lambda move: view.engine.value(view.after(move), view.engine.facts, view.seat))


@dataclass(frozen=True, slots=True)
class _Position:
    """Where the seat's own choices lead: the first of them, the state, and how good that looks; chance parts equals."""

    first: int
    state: Record
    worth: tuple[int, float]


def look_ahead_bot(view: Choice) -> int:
    """The first step towards the best position that it finds, going on from the most promising ones side by side.

    It follows its own choices only: a position in which another seat is to move, or the game is over, stays as it is.
    """
    positions = _most_promising([_position_after(view, move, view.after(move)) for move in view.legal])
    tried, before = len(view.legal), 0
    while before < tried < LOOK_AHEAD_MOVES and len({position.first for position in positions}) > 1:
        before = tried
        ahead: list[_Position] = []
        for position in positions:
            moves = view.engine.legal(position.state) if position.state.seat == view.seat else ()
            tried += len(moves)
            ahead += [_position_after(view, position.first, view.after(move, position.state)) for move in moves] or [
                position
            ]
        positions = _most_promising(ahead)
    return positions[0].first


LOOK_AHEAD_MOVES = 400
"""About how many moves the look-ahead bot tries for one choice."""

LOOK_AHEAD_WIDTH = 24
"""How many positions it goes on from in each round."""


def _position_after(view: Choice, first: int, state: Record) -> _Position:
    worth = int(view.engine.value(state, view.engine.facts, view.seat))
    return _Position(first, state, (worth, view.random.random()))


def _most_promising(positions: list[_Position]) -> list[_Position]:
    """The best first; the others are given up."""
    return sorted(positions, key=lambda position: position.worth, reverse=True)[:LOOK_AHEAD_WIDTH]


def hoarding_bot(supply: int) -> Bot:
    """A bot that tries to use up a supply: it takes the move after which most of its pieces are in use."""

    def choose(view: Choice) -> int:
        return _best(view, lambda move: view.engine.taken_of(view.after(move), supply))

    return choose


def find_bot(name: str, rules: Rules) -> Bot:
    """`random`, `greedy`, `look-ahead` or `hoard:<supply>`; ValueError with a way out for any other."""
    known: dict[str, Bot] = {"random": random_bot, "greedy": greedy_bot, "look-ahead": look_ahead_bot}
    known |= {f"hoard:{supply.id}": hoarding_bot(at) for at, supply in enumerate(rules.supplies)}
    if name not in known:
        raise ValueError(f"unknown bot '{name}'; {did_you_mean(name, known)}")
    return known[name]


def bot_names(rules: Rules) -> Sequence[str]:
    """All bots that can play the game."""
    return ("random", "greedy", "look-ahead", *(f"hoard:{supply.id}" for supply in rules.supplies))


class Luck:
    """The chances by which bots choose in one game, apart from the game's own, in a stream for each turn.

    They are the same in a batch, at a table and after undo, and what was chosen among in one turn moves no other.
    """

    def __init__(self, seed: Seed):
        self._row, self._turn = INTERPRETED.row(LUCK), -1
        seed_luck(self._row, seed.run, seed.game)

    def below(self, turn: int, number: int) -> int:
        """One of 0 ... number - 1, for a choice in this turn."""
        return below(self._at(turn), number)

    def taste(self, turn: int) -> Random:
        """Chances in plenty for one choice in this turn."""
        row = self._at(turn)
        return Random(chance32(row) << 32 | chance32(row))  # noqa: S311 - a bot's taste is no secret

    def _at(self, turn: int) -> Row:
        if turn != self._turn:
            self._turn = turn
            begin_stream(self._row, turn)
        return self._row


class Seated:
    """A bot at a table: makes the very choices that a batch makes in the game of the same seed."""

    def __init__(self, rules: Rules, box: Box, seed: Seed, name: str):
        self._engine, self._luck = Engine(rules, box, INTERPRETED), Luck(seed)
        self._choose = find_bot(name, rules)
        self._at_random = name == "random"

    def choose(self, state: Record, legal: tuple[int, ...]) -> int:
        """One of the legal moves."""
        if len(legal) == 1:
            return legal[0]
        if self._at_random:
            return legal[self._luck.below(int(state.turn), len(legal))]
        return self._choose(self._engine.view(state, legal, self._luck.taste(int(state.turn))))

    def pass_over(self, state: Record, legal: tuple[int, ...]) -> None:
        """Goes past a choice that it made earlier, in a game that is played again up to here."""
        if len(legal) == 1:
            return
        if self._at_random:
            self._luck.below(int(state.turn), len(legal))
        else:
            self._luck.taste(int(state.turn))


def _best(view: Choice, worth: Callable[[int], Any]) -> int:
    """The legal move of greatest worth, at random among equals."""
    worths = [(worth(move), move) for move in view.legal]
    top = max(value for value, _ in worths)
    return view.random.choice([move for value, move in worths if value == top])
