"""Restricted play: one seat, in each game another, may not use a card, or a kind of card; the others may."""

from collections.abc import Sequence
from typing import Any

from generator.dataclass import dataclass
from generator.games.engine.contract import Box, Rules
from generator.games.engine.kernel import Mode, Record
from generator.games.engine.table import Seed
from generator.playtest.stepping import Stepped
from generator.playtest.telling import named_designs


@dataclass(frozen=True, slots=True)
class Without:
    """What may not be used: a design's id, or that of a kind for all of its designs.

    To use a card is any move that names it (as `say` of the rules tells it), but for those with the phrases of `may`.
    """

    cards: str
    may: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        """The same for a file."""
        return {"cards": self.cards, "may": list(self.may)}

    def names(self, design: str) -> bool:
        """Whether a design is meant."""
        return self.cards in (design, design.partition("/")[0])


class Restricted:
    """Games in which seat `game % players` goes without a card, unless nothing else is legal; figures as of a series.

    Choices are made by the same chances as in games without the restriction, so that both are the same game until the
    seat would have used the card.
    """

    def __init__(self, rules: Rules, box: Box, bots: Sequence[str], mode: Mode, without: Without):
        self._rules, self._box, self._without = rules, box, without
        self._steps = Stepped(rules, box, mode, bots)
        self.columns = ("digest", "broken", *(f"place {seat + 1}" for seat in range(box.players)))

    def figures(self, run: int, first: int, games: int) -> list[int]:
        """Of each game a digest of its moves, the first law broken, and each seat's place: 1, or 2 for all others."""
        told: list[int] = []
        for game in range(first, first + games):
            kept = game % self._box.players

            def allowed(state: Record, seat: int, moves: Sequence[int], kept: int = kept) -> Sequence[int]:
                return self._allowed(state, moves) if seat == kept else moves

            for _ in self._steps.game(Seed(run, game), allowed):
                pass
            winners = self._steps.winners()
            told += [self._steps.digest, self._steps.broken]
            told += [1 if seat in winners else 2 for seat in range(self._box.players)]
        return told

    def _allowed(self, state: Record, moves: Sequence[int]) -> Sequence[int]:
        free = [move for move in moves if not self._uses(state, move)]
        return free or moves

    def _uses(self, state: Record, move: int) -> bool:
        said = self._rules.say(state, self._box, move)
        return said.phrase not in self._without.may and any(map(self._without.names, named_designs(said)))
