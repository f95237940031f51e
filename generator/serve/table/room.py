"""The tables of all games on show: finds a game with its rules, and has a question answered."""

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any

from generator.commands.session import rules_to_play
from generator.dataclass import dataclass
from generator.errors import Problem, ProblemsFound
from generator.faces.workshop import Workshop
from generator.games.engine.contract import Rules
from generator.model.game import Game
from generator.serve.table import answers
from generator.serve.table.asked import Query
from generator.serve.table.patience import Gone, never


@dataclass(frozen=True, slots=True)
class LentGame:
    """What a table needs of a game on show; `turn` runs something while nobody else draws, `trusted` its own code."""

    workshop: Workshop
    folder: Path
    trusted: bool
    turn: Callable[[Callable[[], Any]], Any]


_ASKED: Mapping[str, Callable[[answers.Hosted, answers.Shelf, Query], dict[str, Any]]] = {
    "at": answers.at_table,
    "hint": answers.hint,
    "save": answers.save,
    "resume": answers.resume,
}


class PlayRoom:
    """Answers what is asked of tables; `lend` gives a game by its name, None for an unknown one."""

    def __init__(self, lend: Callable[[str], LentGame | None]):
        self._lend = lend
        self._shelf = answers.Shelf()
        self._lock = Lock()
        self._rules: dict[str, tuple[Game, Rules | None, tuple[Problem, ...]]] = {}

    def answer(self, name: str, what: str, query: Query, gone: Gone = never) -> dict[str, Any] | None:
        """The answer to a question about a game; None for what there is not, ProblemsFound for what can't be.

        `gone` tells whether nobody waits for it any more: then thinking ends.
        """
        lent = self._lend(name)
        if lent is None:
            return None
        rules, problems = self._rules_of(lent)
        if what == "setup":
            return lent.turn(lambda: answers.setup(lent.workshop, rules, problems, query))  # type: ignore[no-any-return]
        if what not in _ASKED:
            return None
        if rules is None:
            raise ProblemsFound(problems)
        hosted = answers.Hosted(lent.workshop.game, rules, lent.workshop, lent.turn, gone)
        return _ASKED[what](hosted, self._shelf, query)

    def _rules_of(self, lent: LentGame) -> tuple[Rules | None, tuple[Problem, ...]]:
        """The rules of a game as it is now, or why there are none; read again when its files change."""
        game = lent.workshop.game
        with self._lock:
            known = self._rules.get(game.id)
            if known is None or known[0] is not game:
                try:
                    known = (game, rules_to_play(game, lent.folder, lent.trusted), ())
                except ProblemsFound as found:
                    known = (game, None, found.problems)
                self._rules[game.id] = known
            return known[1], known[2]
