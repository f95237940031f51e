"""The game's rules as a rulebook needs them: tables that are set up, examples that were played and held."""

from collections.abc import Callable

from generator.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.games.engine.contract import Rules
from generator.games.engine.table import Seed, Table
from generator.model.game import Example, Game
from generator.playtest.examples import faults, find_move
from generator.playtest.state import state_of

Engine = Callable[[], Rules | None]
"""Gives the rules that a game is played by, None for a game without any; ProblemsFound for rules that may not run."""


class RulebookPlay:
    """Plays for one game's rulebooks; what can't be played or doesn't hold goes to the problems, each once."""

    def __init__(self, game: Game, engine: Engine):
        self._game, self._engine = game, engine
        self._faults: dict[str, list[str]] = {}

    def example(self, name: str, place: Place | None, problems: list[Problem]) -> Example | None:
        """An example that holds; None for a problem."""
        known = {example.id: example for example in self._game.examples}
        if name not in known:
            problems.append(Problem(place, f"unknown example '{name}'", did_you_mean(name, known)))
            return None
        example = known[name]
        rules = self._rules(place, problems)
        if rules is None:
            return None
        if name not in self._faults:
            self._faults[name] = faults(self._game, rules, example)
        hint = "mend the example or the rules"
        problems.extend(Problem(place, f"the example {name} fails: {fault}", hint) for fault in self._faults[name])
        return None if self._faults[name] else example

    def arranged(self, example: Example, *, after: bool) -> Table | None:
        """The table that an example gives, or to which its moves lead; None without rules."""
        rules = self._engine()
        if rules is None:
            return None
        box = rules.box(self._game, example.players, example.options)
        table = Table.arranged(rules, box, Seed(0), example.given)
        for move in example.moves if after else ():
            table.apply(find_move(table, move))
        return table

    def set_up(self, players: int, place: Place | None, problems: list[Problem]) -> Table | None:
        """The table set up for so many players; None for a problem."""
        if players not in tuple(self._game.players):
            most = self._game.players
            what = f"there is no set-up for {players} players"
            problems.append(Problem(place, what, f"this game is for {most.fewest} to {most.most}"))
            return None
        rules = self._rules(place, problems)
        if rules is None:
            return None
        try:
            return Table.dealt(rules, rules.box(self._game, players, {}), Seed(1))
        except ProblemsFound as found:
            problems.extend(found.problems)
        except ValueError as error:
            problems.append(Problem(place, f"the game can't be set up: {error}", ""))
        return None

    def seats(self, players: int) -> bool:
        """Whether so many can play."""
        return players in tuple(self._game.players)

    def laid(self, players: int, named: str, place: Place | None, problems: list[Problem]) -> Table | None:
        """The table of a plan: that of an example `named` for its number of players, else as it is set up.

        None for a problem, and for a game without rules, which is none here.
        """
        try:
            if self._engine() is None:
                return None
        except ProblemsFound as found:
            problems.extend(found.problems)
            return None
        if not named:
            return self.set_up(players, place, problems)
        example = self.example(named, place, problems)
        return self.arranged(example, after=False) if example is not None else None

    def rules(self, problems: list[Problem]) -> Rules | None:
        """The rules; None for a problem, which is told, and for a game without any, which is none here."""
        try:
            return self._engine()
        except ProblemsFound as found:
            problems.extend(found.problems)
            return None

    def state(self, players: int) -> str:
        """The state in which so many would play the game now; empty where they can't."""
        rules = self._engine()
        return state_of(self._game, rules, players) if rules is not None and self.seats(players) else ""

    @property
    def runs_on(self) -> bool:
        """Whether rules that have no deal of their own may have played on to the first choice."""
        rules = self._engine()
        return rules is not None and rules.deal is None

    def _rules(self, place: Place | None, problems: list[Problem]) -> Rules | None:
        try:
            rules = self._engine()
        except ProblemsFound as found:
            problems.extend(found.problems)
            return None
        if rules is None:
            what = "this game has no rules that can be played, so there are no examples and situations"
            problems.append(Problem(place, what, "bring rules (docs/rules.md), or leave it out"))
        return rules
