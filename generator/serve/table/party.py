"""A game under way with all that each person was told of it: the sitting of `pnp play`, for a page instead of lines."""

from collections.abc import Iterator, Mapping, Sequence

from generator.games.engine.contract import ALL_SEEN
from generator.games.engine.table import Table
from generator.playtest.bots import Seated
from generator.playtest.sitting import Sitting
from generator.playtest.telling import Told, common_news
from generator.serve.table.patience import ENOUGH_TRIES, Patience


class Party:
    """A sitting that goes to any moment of its game, and remembers what was told on the way.

    Eyes are the seats of people (from 0); where bots play alone there is one pair, from which nothing is hidden.
    """

    def __init__(self, sitting: Sitting, lang: str, patience: Patience):
        self.sitting, self.lang, self.patience = sitting, lang, patience
        if not sitting.people:
            sitting.eyes = frozenset([ALL_SEEN])
        self._dealt = sitting.dealt(lang)
        self._told: list[Mapping[int, Told]] = []

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.sitting.table

    def go_to(self, moves: Sequence[int]) -> None:
        """The game as it was, or will be, after these moves; IllegalMove, with its number, for one that doesn't fit."""
        now, common = self.table.moves, 0
        for before, wanted in zip(now, moves, strict=False):
            if before != wanted:
                break
            common += 1
        if common < len(now):
            self.sitting.take_up(now[:common])
            del self._told[common:]
        for move in moves[common:]:
            self._told.append(self.sitting.make_again(move, self.lang).told)

    def bots_play(self, most: int | None) -> None:
        """Bots choose up to a person's choice or the end, so many times at most, or until they have tried enough."""
        tries = 0
        self.patience.begin_choice()
        for made in self.sitting.bots_play(self.lang) if most != 0 else ():
            self._told.append(made.told)
            most = most - 1 if most is not None else None
            tries += self.patience.tries
            if most == 0 or tries > ENOUGH_TRIES:
                return
            self.patience.begin_choice()

    @property
    def bots_turn(self) -> bool:
        """Whether a bot has to choose."""
        table = self.table
        return not (table.over or self.sitting.stuck or table.seat in self.sitting.people)

    def hint(self, bot: str) -> int:
        """What a bot would choose in the place of the person whose choice it is, by what that seat sees.

        ValueError for an unknown bot.
        """
        table = self.table
        self.patience.begin_choice()
        return Seated(table.rules, table.box, table.seed, (bot,)).choose(table.state, table.legal())

    def log(self, readers: Sequence[int]) -> Iterator[tuple[int, Told]]:
        """What these eyes were told, each with how many moves were made before; what several may all read."""
        for at, told in enumerate(self._told):
            one = common_news([told[eye] for eye in readers])
            if one.text or one.then:
                yield at, one

    def dealt(self, readers: Sequence[int]) -> tuple[str, ...]:
        """What they were all told of the deal."""
        first, *others = (self._dealt[eye] for eye in readers)
        return tuple(line for line in first if all(line in other for other in others))
