"""Whole games between bots, one after another or many at once, from numbered seeds."""

from collections.abc import Sequence

from generator.games.engine.contract import SECRETS, Box, Rules
from generator.games.engine.kernel import INTERPRETED, Mode, Row
from generator.games.engine.table import Seed, Table
from generator.playtest.bots import Seated
from generator.playtest.series import APART, MOST_MOVES, Alike, Series
from generator.playtest.tally import PlayedGame, Tally
from generator.playtest.telling import gives_away


def is_kept(rules: Rules, box: Box, seed: Seed) -> bool:
    """Whether in one random game nobody sees what it can't tell apart, nor hears a hidden card named.

    What a seat observes must be the same when all that it can't see is mixed; and what it is told of others' moves must
    name no card that it sees neither before nor after.
    """
    table, seats = Table(rules, box, seed), range(box.players)
    bot = Seated(rules, box, seed, ("random",))
    seen = [table.observed(seat) for seat in seats]
    while not table.over and len(table.moves) < MOST_MOVES:
        mover, move = table.seat, bot.choose(table.state, table.legal())
        said, lain = rules.say(table.state, box, move), table.zones()
        heard = [rules.tell(table.state, box, move, seat, said) if rules.tell else said for seat in seats]
        table.apply(move)
        for seat in seats:
            before, seen[seat] = seen[seat], table.observed(seat)
            words = heard[seat]
            if seat != mover and words is not None and gives_away(words, lain, table.zones(), before, seen[seat]):
                return False
            if table.as_seen(seat, len(table.moves)).observed(seat) != seen[seat]:
                return False
    return True


class Matches:
    """Plays games of one box, by one bot on all seats or one on each. Equal seeds give equal games, wherever played.

    With `followed` the figures tell how the points stood as the games went, too.
    """

    def __init__(
        self, rules: Rules, box: Box, bots: Sequence[str], mode: Mode = INTERPRETED, *, followed: bool = False
    ):
        self.rules, self.box, self.bots = rules, box, tuple(bots)
        self._series = Series(rules, box, mode, bots=bots, followed=followed)

    def play(self, seed: Seed) -> PlayedGame:
        """One game from its deal to its end."""
        return next(self._series.play_games(seed.run, seed.game, 1))

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of a game's figures."""
        return self._series.columns

    def figures(self, run: int, first: int, games: int, alike: Alike = APART, most: int = MOST_MOVES) -> Row:
        """The figures of the games with these numbers one after another, each in the order of `columns`."""
        return self._series.game_figures(run, first, games, alike, most)

    def tally(self, run: int, first: int, games: int) -> Tally:
        """The figures of the games with these numbers.

        The first of a run is played twice, as it must not differ, and looked through for secrets told.
        """
        tally = Tally()
        for played in self._series.play_games(run, first, games):
            if played.game == 0:
                tally.repeat(played, self.play(Seed(run, 0)))
                if self.bots == ("random",) and SECRETS in self.rules.answers.values():
                    tally.look(0, kept=is_kept(self.rules, self.box, Seed(run, 0)))
            tally.add(played)
        return tally
