"""Plays for rulebooks: sets up tables, plays examples, and describes results of games between bots."""

from collections.abc import Callable, Iterable

from generator.base.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.base.languages import phrase
from generator.books.measure_names import (
    Interval,
    MeasureNames,
    count_interval_decimals,
    counts_points,
    format_change_with_margin,
    format_number,
    is_share,
    name_bots,
)
from generator.books.page.blocks import Book
from generator.game.data_fields import VERDICTS, LabFinding, LabFindings, format_value
from generator.game.model import Example, Game, Reading
from generator.play.example_runs import find_example_faults, find_move
from generator.rules.engine.contract import Rules
from generator.rules.engine.table import Seed, Table
from generator.rules.registry import hash_rules

Engine = Callable[[], Rules | None]
"""Returns a game's rules, or None if it has none. Raises ProblemsFound for rules that pnp must not run."""


class RulebookPlay:
    """Sets up tables and plays examples for a game's books, with one report per fault.

    `books` caches read books. `has_added_blocks`: a package made parts of them, maybe from other files.
    """

    def __init__(self, game: Game, engine: Engine):
        self._game, self._engine = game, engine
        self._faults: dict[str, list[str]] = {}
        self.books: dict[tuple[str, str], tuple[Book, set[str]]] = {}
        self.has_added_blocks = False
        self._counts: list[int] | None = None

    def find_example(self, name: str, place: Place | None, problems: list[Problem]) -> Example | None:
        """Return the example with this id if it can be played; otherwise report the fault and return None."""
        known = {example.id: example for example in self._game.examples}
        if name not in known:
            problems.append(Problem(place, f"unknown example '{name}'", did_you_mean(name, known)))
            return None
        example = known[name]
        rules = self._load_rules(place, problems)
        if rules is None:
            return None
        if name not in self._faults:
            self._faults[name] = find_example_faults(self._game, rules, example)
        hint = "correct the example or the rules"
        problems.extend(Problem(place, f"the example {name} fails: {fault}", hint) for fault in self._faults[name])
        return None if self._faults[name] else example

    def arrange_example(self, example: Example, *, after: bool) -> Table | None:
        """Return the table of an example, before or after its moves, or None for a game without rules."""
        rules = self._engine()
        if rules is None:
            return None
        box = rules.box(self._game, example.players, example.options)
        table = Table.arrange(rules, box, Seed(0), example.given)
        for move in example.moves if after else ():
            table.apply(find_move(table, move))
        return table

    def set_up_table(self, players: int, place: Place | None, problems: list[Problem]) -> Table | None:
        """Return the table set up for a number of players, or None if that fails, which is reported."""
        if players not in tuple(self._game.players):
            most = self._game.players
            what = f"there is no set-up for {players} players"
            problems.append(Problem(place, what, f"this game is for {most.fewest} to {most.most}"))
            return None
        rules = self._load_rules(place, problems)
        if rules is None:
            return None
        try:
            return Table.deal(rules, rules.box(self._game, players, {}), Seed(1))
        except ProblemsFound as found:
            problems.extend(found.problems)
        except ValueError as error:
            problems.append(Problem(place, f"the game can't be set up: {error}", ""))
        return None

    def allows_players(self, players: int) -> bool:
        """Return True if this number of players can play."""
        return players in tuple(self._game.players)

    def lay_table(self, players: int, example_name: str, place: Place | None, problems: list[Problem]) -> Table | None:
        """Return the table at the beginning of the example `example_name`, or as set up if that is empty.

        Return None for a problem, which is reported, and for a game without rules, which is no problem here.
        """
        try:
            if self._engine() is None:
                return None
        except ProblemsFound as found:
            problems.extend(found.problems)
            return None
        if not example_name:
            return self.set_up_table(players, place, problems)
        example = self.find_example(example_name, place, problems)
        return self.arrange_example(example, after=False) if example is not None else None

    def load_rules(self, problems: list[Problem]) -> Rules | None:
        """Return the rules. Return None for a game without rules, or if they can't be loaded, which is reported."""
        try:
            return self._engine()
        except ProblemsFound as found:
            problems.extend(found.problems)
            return None

    def describe_state(self, players: int) -> str:
        """Return a hash of data and rules for a number of players; '' without rules or if that many can't play."""
        rules = self._engine()
        return hash_rules(self._game, rules, players) if rules is not None and self.allows_players(players) else ""

    def count_once(self, count: Callable[[], list[int]]) -> list[int]:
        """Return the counts of the game's lines. `count` runs once: books in all languages have the same counts."""
        if self._counts is None:
            self._counts = count()
        return self._counts

    @property
    def runs_on(self) -> bool:
        """Return True if the rules have no `deal` of their own, so that tables may show the first choice instead."""
        rules = self._engine()
        return rules is not None and rules.deal is None

    def _load_rules(self, place: Place | None, problems: list[Problem]) -> Rules | None:
        try:
            rules = self._engine()
        except ProblemsFound as found:
            problems.extend(found.problems)
            return None
        if rules is None:
            what = "this game has no playable rules, so examples and situations are not available"
            problems.append(Problem(place, what, "add rules (docs/rules.md), or remove it"))
        return rules


class FindingLines:
    """Writes lines about stored results of bot games (findings). Results of older data or rules are only mentioned.

    `problems` receives faults that keep the rules from being loaded.
    """

    def __init__(self, game: Game, lang: str, played: RulebookPlay, problems: list[Problem]):
        self._game, self._lang, self._played, self._problems = game, lang, played, problems

    def list_lines(self, reading: Reading) -> Iterable[str]:
        """Yield a line about what other readings of this unclear rule do in games, if any were played."""
        found = [(one, table) for table in self._game.findings for one in table.entries if one.reading == reading.id]
        if found and not all(self._is_current(table) for _, table in found):
            yield phrase("found_before", self._lang, game=self._game.id)
        elif found:
            lines = (self.describe_finding(*pair, several=len(found) > 1) for pair in found)
            yield phrase("found", self._lang, what=phrase("found_next", self._lang).join(lines))

    def list_tables(self) -> Iterable[str]:
        """Yield for each stored series a line with the number of games and the bots that played."""
        for table in self._game.findings:
            if self._is_current(table):
                yield phrase(
                    "found_in", self._lang, games=f"{table.games:,}", who=self._name_table(table), run=table.run
                )
            else:
                yield phrase("found_before", self._lang, game=self._game.id)

    def rank_readings(self) -> Iterable[tuple[Reading, str, str]]:
        """Yield all unclear rules in the order in which to decide them, each with its verdict and what was found.

        Those that games can't answer come last: they have no other reading that can be played.
        """
        found: dict[str, list[tuple[LabFinding, LabFindings]]] = {}
        for table in self._game.findings:
            for one in table.entries if self._is_current(table) else ():
                found.setdefault(one.reading, []).append((one, table))
        ranked = {
            name: min(pairs, key=lambda pair: (VERDICTS.index(pair[0].verdict), -pair[0].size))
            for name, pairs in found.items()
        }
        for name, (first, _) in sorted(
            ranked.items(), key=lambda pair: (VERDICTS.index(pair[1][0].verdict), -pair[1][0].size)
        ):
            pairs = found[name]
            lines = (self.describe_finding(*pair, several=len(pairs) > 1) for pair in pairs)
            yield (
                self._game.readings[name],
                phrase(f"verdict_{first.verdict}", self._lang),
                phrase("found_next", self._lang).join(lines),
            )
        for reading in self._game.readings.values():
            if reading.id not in ranked:
                told = "verdict_unplayed" if reading.switch and len(reading.choices) > 1 else "verdict_people"
                yield reading, phrase(told, self._lang), ""

    def describe_finding(self, finding: LabFinding, table: LabFindings, *, several: bool) -> str:
        """Return the effect of another reading on the results; name the reading's value if there are several."""
        said = phrase(f"verdict_{finding.verdict}", self._lang)
        if finding.verdict == "never" and finding.where:
            said = phrase("verdict_with", self._lang, verdict=said, more=finding.where)
        elif finding.change:
            said = phrase("verdict_with", self._lang, verdict=said, more=self._describe_change(finding, table))
        if finding.games:
            said = phrase("verdict_needs", self._lang, said=said, games=f"{finding.games:,}")
        return phrase("found_of", self._lang, value=format_value(finding.value), what=said) if several else said

    def _describe_change(self, finding: LabFinding, table: LabFindings) -> str:
        names = MeasureNames(self._game, self._played.load_rules(self._problems), self._lang, alone=table.players == 1)
        measure, by = finding.measure, Interval(*finding.change)
        told = format_change_with_margin(by)
        if is_share(measure) or counts_points(measure):
            unit = phrase("lab_unit_points_of_share" if is_share(measure) else "lab_unit_points", self._lang)
            told = phrase("lab_with_unit", self._lang, n=told, unit=unit)
        if len(set(finding.reach)) > 1:
            places = count_interval_decimals(by)
            low, high = (format_number(end, places, signed=True) for end in finding.reach)
            told = phrase("verdict_reach", self._lang, change=told, low=low, high=high)
        return f"{names.get_name(measure, 'brief')}\u00a0{told} ({self._name_table(table)})"

    def _name_table(self, table: LabFindings) -> str:
        seats = phrase("players" if table.players > 1 else "lab_alone", self._lang, n=table.players)
        bots = " ".join(filter(None, (name_bots(table.bots, self._lang), table.options.replace(",", ", "))))
        return phrase("lab_at_table", self._lang, players=seats, bots=bots)

    def _is_current(self, table: LabFindings) -> bool:
        rules = self._played.load_rules(self._problems)
        return rules is not None and self._played.describe_state(table.players) == table.state
