"""A game on the table: whose choice it is, legal moves in words, moves made and taken back, scores, saving."""

from collections.abc import Mapping, Sequence
from typing import Any

from generator.dataclass import dataclass
from generator.games.engine.contract import ALL_SEEN, Box, Observation, Rules, Said, Zones
from generator.games.engine.kernel import INTERPRETED, Mode, Record, seed_chance
from generator.games.engine.observing import SAMPLES, common_observation, visible_zones
from generator.games.engine.phrases import move_text

SAVE_FORMAT = 2


class IllegalMove(ValueError):
    """A move that the state does not allow; the state is as it was."""


@dataclass(frozen=True, slots=True)
class Seed:
    """Which game of which run: equal seeds shuffle equally."""

    run: int
    game: int = 0


class Table:
    """One game being played with the pieces of a box. `moves` are all that were made, so seed and moves replay it."""

    def __init__(self, rules: Rules, box: Box, seed: Seed, mode: Mode = INTERPRETED):
        self._open(rules, box, seed, mode)
        mode.kernel(rules.set_up)(self.state, self._facts)

    @classmethod
    def dealt(cls, rules: Rules, box: Box, seed: Seed, mode: Mode = INTERPRETED) -> "Table":
        """The table as it is laid before play begins; equal seeds begin to play from it. It can't be saved."""
        table = object.__new__(cls)
        table._open(rules, box, seed, mode)
        mode.kernel(rules.deal or rules.set_up)(table.state, table._facts)
        return table

    @classmethod
    def arranged(
        cls, rules: Rules, box: Box, seed: Seed, given: Mapping[str, Any], mode: Mode = INTERPRETED
    ) -> "Table":
        """A situation instead of a deal; ValueError for one that can't be. It can't be saved."""
        table = object.__new__(cls)
        table._open(rules, box, seed, mode)
        rules.arrange(table.state, box, given)
        return table

    def _open(self, rules: Rules, box: Box, seed: Seed, mode: Mode) -> None:
        self.rules, self.box, self.seed = rules, box, seed
        self._mode = mode
        self._facts = mode.record(box.numbers)
        self._row = mode.row(rules.most(box))
        self._seats = mode.row(box.players)
        self._states: list[Record] = []
        self.moves: list[int] = []
        self.state = fresh_state(rules, box, seed, mode)

    @property
    def seat(self) -> int:
        """Whose choice it is, from 0."""
        return int(self.state.seat)

    @property
    def seats(self) -> tuple[int, ...]:
        """Whose choice each of the moves was."""
        return tuple([int(state.seat) for state in self._states])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.over)

    @property
    def before(self) -> Record | None:
        """The state before the last move; None before any."""
        return self._states[-1] if self._states else None

    def legal(self) -> tuple[int, ...]:
        """The legal moves, ascending; none after the end."""
        if self.over:
            return ()
        number = self._mode.kernel(self.rules.legal)(self.state, self._facts, self._row)
        return tuple([int(self._row[i]) for i in range(number)])

    def apply(self, move: int) -> None:
        """Makes a legal move; IllegalMove for any other."""
        if move not in self.legal():
            raise IllegalMove(f"{move} is no legal move now")
        self._states.append(self._mode.copy(self.state))
        self.moves.append(move)
        self._mode.kernel(self.rules.apply)(self.state, self._facts, move)

    def undo(self) -> None:
        """Takes the last move back; IllegalMove when there is none."""
        if not self.moves:
            raise IllegalMove("no move has been made")
        self.state = self._mode.copy(self._states.pop())  # a clone may go back to the same one
        self.moves.pop()

    def clone(self) -> "Table":
        """The same game on another table: what happens there changes nothing here."""
        twin = object.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin.state = self._mode.copy(self.state)
        twin.moves, twin._states = self.moves[:], self._states[:]
        twin._row, twin._seats = self._mode.row(len(self._row)), self._mode.row(len(self._seats))
        return twin

    def scores(self) -> tuple[int, ...]:
        """Each seat's points as they stand."""
        return self._by_seat(self.rules.score)

    def places(self) -> tuple[int, ...]:
        """Each seat's place at the end; a lone player who loses is 2nd."""
        return self._by_seat(self.rules.place)

    def zones(self) -> Zones:
        """Where every printed piece is now."""
        return self.rules.zones(self.state, self.box)

    def as_seen(self, seat: int, chance: int = 0) -> "Table":
        """The table as far as the seat can know: what is hidden is mixed, for each `chance` in another way."""
        seen = self.clone()
        seed_chance(seen.state.rng, chance, seat)
        self._mode.kernel(self.rules.blind)(seen.state, self._facts, seat)
        return seen

    def observed(self, seat: int) -> Observation:
        """What the seat can know of the table now; all of it for ALL_SEEN."""
        if self.rules.observe is not None:
            return self.rules.observe(self.state, self.box, seat)
        if seat == ALL_SEEN:
            return Observation(visible_zones(self.zones()))
        samples = [self.as_seen(seat, chance) for chance in range(SAMPLES)]
        return common_observation([sample.zones() for sample in samples], [sample.scores() for sample in samples])

    def followed(self, seat: int) -> tuple[Said, ...]:
        """What the last move, or the deal, has brought about without a choice, as the seat can know it."""
        return tuple(self.rules.follow(self.before, self.state, self.box, seat)) if self.rules.follow else ()

    def write(self, move: int) -> str:
        """A move in the game's short notation."""
        return self.rules.write(self.state, self.box, move)

    def text(self, move: int, lang: str) -> str:
        """A move in words."""
        return move_text(self.box.game, self.rules.say(self.state, self.box, move), lang)

    def save(self) -> dict[str, Any]:
        """Everything that `resume` needs, as plain values for JSON."""
        return {
            "format": SAVE_FORMAT,
            "game": self.box.game.id,
            "draft": self.box.game.draft,
            "players": self.box.players,
            "options": dict(self.box.options),
            "seed": [self.seed.run, self.seed.game],
            "moves": list(self.moves),
        }

    def _by_seat(self, kernel: Any) -> tuple[int, ...]:
        for seat in range(self.box.players):
            self._seats[seat] = 0
        self._mode.kernel(kernel)(self.state, self._facts, self._seats)
        return tuple([int(self._seats[seat]) for seat in range(self.box.players)])


def fresh_state(rules: Rules, box: Box, seed: Seed, mode: Mode) -> Record:
    """A state before set-up: players and chance set, all else 0."""
    state = mode.record(rules.state(box))
    state.players = box.players
    seed_chance(state.rng, seed.run, seed.game)
    return state


def replay(rules: Rules, box: Box, seed: Seed, moves: Sequence[int], mode: Mode = INTERPRETED) -> Table:
    """The game that these moves lead to; IllegalMove, which names the place of the first move that doesn't fit."""
    table = Table(rules, box, seed, mode)
    for number, move in enumerate(moves, 1):
        try:
            table.apply(move)
        except IllegalMove as error:
            raise IllegalMove(f"move {number}: {error}") from error
    return table
