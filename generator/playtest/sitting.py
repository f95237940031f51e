"""A game that people and bots play at one table: bots choose by themselves, people's choices come from outside."""

from collections.abc import Iterable, Iterator, Mapping

from generator.dataclass import dataclass
from generator.games.engine.table import IllegalMove, Table
from generator.playtest.bots import Seated
from generator.playtest.series import MOST_MOVES
from generator.playtest.telling import Teller, Told


@dataclass(frozen=True, slots=True)
class MadeMove:
    """A move that was made, and what each pair of eyes was told of it."""

    move: int
    told: Mapping[int, Told]


class Sitting:
    """A table with the seats (from 0) that people sit on; bots have all others.

    `bot` names one kind for all seats, or one for each, between commas (`greedy,random,greedy`). `eyes` are told what
    happens: those of people, or of whoever watches.

    Bots choose as in a batch: a game without people is the very game that a batch plays from the same seed.
    """

    def __init__(self, table: Table, people: Iterable[int], bot: str):
        self.people, self.bot = frozenset(people), bot
        self.eyes = self.people
        self._begin(table)

    def _begin(self, table: Table) -> None:
        self.table = table
        self._bots = Seated(table.rules, table.box, table.seed, self.bot.split(","))
        self._teller: Teller | None = None

    @property
    def stuck(self) -> bool:
        """Whether the game goes on without end, or can't go on."""
        return not self.table.over and (len(self.table.moves) >= MOST_MOVES or not self.table.legal())

    @property
    def waits(self) -> bool:
        """Whether a person has to choose."""
        return not self.table.over and self.table.seat in self.people and not self.stuck

    def dealt(self, lang: str) -> Mapping[int, tuple[str, ...]]:
        """What each pair of eyes is told of the deal."""
        return Teller(Table(self.table.rules, self.table.box, self.table.seed), self.eyes, lang).dealt()

    def bots_play(self, lang: str) -> Iterator[MadeMove]:
        """Each move of bots, up to a person's choice or the end."""
        while not (self.table.over or self.stuck or self.table.seat in self.people):
            legal = self.table.legal()
            yield self.make(self._bots.choose(self.table.state, legal), lang)

    def make(self, move: int, lang: str) -> MadeMove:
        """Makes a move for the seat whose choice it is; IllegalMove for one that isn't legal."""
        if move not in self.table.legal():
            raise IllegalMove(f"{move} is no legal move now")
        if self._teller is None or self._teller.lang != lang:
            self._teller = Teller(self.table, self.eyes, lang)
        return MadeMove(move, self._teller.make(move))

    def take_up(self, moves: Iterable[int]) -> None:
        """Plays a game again from its deal; IllegalMove, with the place of the move, for one that does not fit."""
        self._begin(Table(self.table.rules, self.table.box, self.table.seed))
        for number, move in enumerate(moves, 1):
            self._pass_over()
            try:
                self.table.apply(move)
            except IllegalMove as error:
                raise IllegalMove(f"move {number}: {error}") from error

    def make_again(self, move: int, lang: str) -> MadeMove:
        """Makes the next move of a game that was played before, whoever made it; IllegalMove where it does not fit."""
        if move not in self.table.legal():
            raise IllegalMove(f"move {len(self.table.moves) + 1}: {move} is no legal move now")
        self._pass_over()
        return self.make(move, lang)

    def _pass_over(self) -> None:
        """If a bot made the next move, it has used up what it chose by."""
        table = self.table
        if not table.over and table.seat not in self.people:
            self._bots.pass_over(table.state, table.legal())

    @property
    def last_choice(self) -> int:
        """How many moves were made before the last choice of a person; -1 where there is none."""
        last = -1
        for number, seat in enumerate(self.table.seats):
            if seat in self.people:
                last = number
        return last

    def undo(self) -> None:
        """Takes back everything since the last choice of a person, and that; IllegalMove where there is none."""
        last = self.last_choice
        if last < 0:
            raise IllegalMove("no person has chosen yet")
        self.take_up(self.table.moves[:last])
