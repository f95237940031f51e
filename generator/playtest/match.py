"""Whole games between bots, one after another or many at once, from numbered seeds."""

from collections.abc import Callable, Iterable

from generator.games.engine.contract import SECRETS, Box, Rules
from generator.games.engine.kernel import INTERPRETED, Mode, Record, Row
from generator.games.engine.table import Seed, Table, fresh_state
from generator.playtest import loop
from generator.playtest.bots import Bot, Engine, Luck, Seated, find_bot
from generator.playtest.series import MOST_MOVES, Series, columns_of
from generator.playtest.tally import PlayedGame, Tally
from generator.playtest.telling import gives_away


def is_kept(rules: Rules, box: Box, seed: Seed) -> bool:
    """Whether in one random game nobody sees what it can't tell apart, nor hears a hidden card named.

    What a seat observes must be the same when all that it can't see is mixed; and what it is told of others' moves must
    name no card that it sees neither before nor after.
    """
    table, seats = Table(rules, box, seed), range(box.players)
    bot = Seated(rules, box, seed, "random")
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
    """Plays games of one box, every seat by the same bot. Equal seeds give equal games, wherever they are played."""

    def __init__(self, rules: Rules, box: Box, bot: str, mode: Mode = INTERPRETED):
        self.rules, self.box, self.bot = rules, box, bot
        self._engine = Engine(rules, box, mode)
        self._mode = mode
        self._seats, self._measured = mode.row(box.players), mode.row(max(1, len(rules.measures)))
        self._set_up, self._score, self._place = map(mode.kernel, (rules.set_up, rules.score, rules.place))
        self._measure = mode.kernel(rules.measure)
        if bot == "random":
            self._series = Series(rules, box, mode)
        else:
            self._chooser: Bot = find_bot(bot, rules)
            self._broken = mode.kernel(rules.broken)

    def play(self, seed: Seed) -> PlayedGame:
        """One game from its deal to its end."""
        if self.bot == "random":
            return next(self._series.play_games(seed.run, seed.game, 1))
        state = fresh_state(self.rules, self.box, seed, self._mode)
        self._set_up(state, self._engine.facts)
        return self._play_with_bots(state, seed)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of a game's figures."""
        return columns_of(self.rules, self.box)

    def figures(self, run: int, first: int, games: int) -> Row:
        """The figures of the games with these numbers one after another, each in the order of `columns`."""
        if self.bot == "random":
            return self._series.game_figures(run, first, games)
        return [number for played in self._play_games(run, first, games) for number in played.figures]

    def tally(self, run: int, first: int, games: int) -> Tally:
        """The figures of the games with these numbers.

        The first of a run is played twice, as it must not differ, and looked through for secrets told.
        """
        tally = Tally()
        for played in self._play_games(run, first, games):
            if played.game == 0:
                tally.repeat(played, self.play(Seed(run, 0)))
                if self.bot == "random" and SECRETS in self.rules.answers.values():
                    tally.look(0, kept=is_kept(self.rules, self.box, Seed(run, 0)))
            tally.add(played)
        return tally

    def _play_games(self, run: int, first: int, games: int) -> Iterable[PlayedGame]:
        if self.bot == "random":
            return self._series.play_games(run, first, games)
        return (self.play(Seed(run, game)) for game in range(first, first + games))

    def _play_with_bots(self, state: Record, seed: Seed) -> PlayedGame:
        engine, figures = self._engine, [0] * loop.FIGURES
        peaks, luck = [0] * len(self.rules.supplies), Luck(seed)
        while not state.over and figures[loop.MOVES] < MOST_MOVES:
            legal = engine.legal(state)
            if not legal:
                break
            figures[loop.MOVES] += 1
            if len(legal) > 1:
                figures[loop.CHOICES] += 1
                figures[loop.WIDEST] = max(figures[loop.WIDEST], len(legal))
                view = engine.view(state, legal, luck.taste(int(state.turn)))
                move = self._chooser(view)
            else:
                move = legal[0]
            figures[loop.DIGEST] = loop.digest(figures[loop.DIGEST], move)
            engine.apply(state, engine.facts, move)
            peaks = list(map(max, peaks, engine.taken(state)))
            figures[loop.BROKEN] = figures[loop.BROKEN] or self._broken(state, engine.facts)
        figures[loop.ENDED] = state.over
        return self._play(state, seed, figures, tuple(peaks))

    def _play(self, state: Record, seed: Seed, figures: list[int], peaks: tuple[int, ...]) -> PlayedGame:
        self._measure(state, self._engine.facts, self._measured)
        return PlayedGame(
            game=seed.game,
            ended=bool(figures[loop.ENDED]),
            moves=int(figures[loop.MOVES]),
            choices=int(figures[loop.CHOICES]),
            turns=int(state.turn),
            widest=int(figures[loop.WIDEST]),
            scores=self._by_seat(state, self._score),
            places=self._by_seat(state, self._place),
            peaks=peaks,
            short=tuple([int(times) for times in state.short[: len(self.rules.supplies)]]),
            broken=int(figures[loop.BROKEN]),
            hole=int(state.hole),
            digest=figures[loop.DIGEST],
            measured=tuple([int(number) for number in self._measured[: len(self.rules.measures)]]),
        )

    def _by_seat(self, state: Record, kernel: Callable[..., None]) -> tuple[int, ...]:
        for seat in range(self.box.players):
            self._seats[seat] = 0
        kernel(state, self._engine.facts, self._seats)
        return tuple([int(number) for number in self._seats])
