"""Bots at a table, one choice at a time: what plays beside people makes the very choices that a batch makes."""

from collections.abc import Sequence

from generator.games.engine.contract import Box, Rules
from generator.games.engine.kernel import INTERPRETED, Record, Row, begin_stream, chance32
from generator.games.engine.table import Seed, fresh_state
from generator.playtest.loop import LUCK, seed_luck
from generator.playtest.players.seated import Bots, each_seat


class Luck:
    """The chances by which bots choose in one game, apart from the game's own, in a stream for each turn.

    They are the same in a batch, at a table and after undo, and what was chosen among in one turn moves no other.
    """

    def __init__(self, seed: Seed):
        self._row, self._turn = INTERPRETED.row(LUCK), -1
        seed_luck(self._row, seed.run, seed.game)

    def at(self, turn: int) -> Row:
        """The chances for the next choice in this turn, behind those that earlier ones have taken."""
        if turn != self._turn:
            self._turn = turn
            begin_stream(self._row, turn)
        return self._row


class Seated:
    """Bots at a table: one for all seats, or one for each. They choose as in a batch's game of the same seed."""

    def __init__(self, rules: Rules, box: Box, seed: Seed, bots: Sequence[str]):
        self._names = each_seat(bots, box.players)
        self._bots = Bots(rules, box, INTERPRETED, bots, fresh_state(rules, box, Seed(0), INTERPRETED))
        self._facts, self._luck = INTERPRETED.record(box.numbers), Luck(seed)

    def choose(self, state: Record, legal: tuple[int, ...]) -> int:
        """One of the legal moves."""
        if len(legal) == 1:
            return legal[0]
        luck = self._luck.at(int(state.turn))
        chosen: int = self._bots.choose(
            [state], self._facts, luck, legal, len(legal), self._bots.scratch, self._bots.tasks
        )
        return chosen

    def pass_over(self, state: Record, legal: tuple[int, ...]) -> None:
        """Goes past a choice that it made earlier, in a game that is played again up to here."""
        if len(legal) > 1:
            luck = self._luck.at(int(state.turn))
            for _ in range(1 if self._names[state.seat] == "random" else 2):
                chance32(luck)
