"""How long a table thinks for somebody who waits: counted in moves that bots try, so that all machines agree on it."""

from collections.abc import Callable
from dataclasses import replace

from generator.errors import Problem, ProblemsFound
from generator.games.engine.contract import Rules
from generator.games.engine.kernel import Record

Gone = Callable[[], bool]
"""Whether nobody waits for an answer any more."""

MOST_TRIES = 1_000_000
"""Moves that a bot may try for one choice, each as often as the rules' `effort` says: 10 to 15 seconds of work."""

ENOUGH_TRIES = 250_000
"""Moves tried after which an answer shows what bots have done so far: the page asks on."""


def never() -> bool:
    """Return False: who can't be seen to leave stays."""
    return False


class Patience:
    """Rules that count the moves tried by them. `gone` tells whether nobody waits for the answer any more."""

    def __init__(self, rules: Rules):
        self._given = rules
        self.gone: Gone = never
        self.rules = replace(rules, apply=self._apply, blind=self._blind)
        self.begin_choice()

    def begin_choice(self) -> None:
        """Count from zero again."""
        self.tries = self._looks = 0

    def _apply(self, s: Record, f: Record, move: int) -> None:
        self.tries += self._given.effort
        if self.tries > MOST_TRIES:
            raise ProblemsFound([self._too_long()])
        self._given.apply(s, f, move)

    def _blind(self, s: Record, f: Record, seat: int) -> None:
        """A bot looks at the table: before it thinks, and for each playout."""
        self._looks += 1
        if self.gone():
            raise ProblemsFound([Problem(None, "the page that asked for this waits no longer", "ask again")])
        self._given.blind(s, f, seat)

    def _too_long(self) -> Problem:
        effort, playouts = self._given.effort, self._looks - 2  # one look is the bot's own, one playout is not done
        each = f" (each counts {effort} times in this game)" if effort > 1 else ""
        what = f"this choice takes too long at a table: the bot has tried more than {MOST_TRIES:,} moves{each}"
        bot = f"search:{playouts // 2} or less" if playouts > 1 else "another bot, such as greedy"
        return Problem(None, what, f"take {bot}, or use `pnp play`")
