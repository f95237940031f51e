"""Findings of a result for its report, with names and sentences in one language."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import inf, sqrt
from typing import Any

from generator.base.dataclass import dataclass
from generator.base.errors import Problem, ProblemsFound
from generator.base.languages import count_phrase, phrase
from generator.books.measure_names import (
    Interval,
    MeasureNames,
    bot_names,
    change,
    change_with_margin,
    places_of,
    scores,
    written,
)
from generator.books.page.blocks import Text
from generator.drawing.faces.game_drawing import Workshop, plain
from generator.game.data_fields import value_name
from generator.game.model import Design, Reading
from generator.game.rich_text import LineBreak, Plain
from generator.lab.chunks import Cell
from generator.lab.findings import ArmDifference, broken_laws, findings, value
from generator.lab.measures import BROKEN, Histogram, Sums
from generator.lab.results import Result
from generator.lab.statistics.intervals import Verdict, moments, quantile_interval
from generator.rules.engine.contract import Rules
from generator.rules.engine.table import piece_name

MUCH, SOME = 0.5, 0.2
"""Minimum size of a large and of a medium change (standard deviations between games)."""


@dataclass(frozen=True, slots=True)
class ArmEffect:
    """Change by an arm in a measure: the mean difference to the first arm on the same seeds, with its interval.

    It is in the measure's units, for shares in percentage points. `stands`: it is significant among all arms and
    measures of the table. `strength` is its size in standard deviations of the first arm's games. `same`: all games
    have equal values. `verdict`: whether it lies within the measure's margin, or None without a margin.
    """

    arm: str
    measure: str
    by: Interval
    stands: bool
    strength: float
    same: bool
    verdict: Verdict | None = None

    @property
    def clear(self) -> bool:
        """True if its own interval excludes 0."""
        return self.by.clear_of(0.0)

    @property
    def sign(self) -> int:
        """1 for a significant rise, -1 for a significant fall, else 0."""
        return (1 if self.by.at > 0 else -1) if self.stands else 0

    @property
    def grade(self) -> int:
        """0 if not significant, else 1 to 3 for a small, medium or large change."""
        return 0 if not self.stands else 3 if self.strength >= MUCH else 2 if self.strength >= SOME else 1


@dataclass(frozen=True, slots=True)
class LabTable:
    """One table of an experiment: players, games of each arm, and effects by arm and measure."""

    result: Result
    cell: Cell
    games: int
    sums: Mapping[str, Sums]
    units: Mapping[str, float]
    effects: Mapping[tuple[str, str], ArmEffect]

    def effect(self, arm: str, measure: str) -> ArmEffect | None:
        """Return the effect of an arm on a measure, or None if it is not measured here."""
        return self.effects.get((arm, measure))

    def histogram(self, arm: str, measure: str) -> Histogram:
        """Return the number of an arm's games by value. Values are multiplied by `units`."""
        return self.sums[arm].measures[measure]

    def mean(self, arm: str, measure: str, parts: int = 1) -> Interval:
        """Return the interval of an arm's mean or share in the measure's units. `parts` intervals hold together."""
        found = value(self.result, measure, self.histogram(arm, measure), parts)
        return found.divided(1 / percent_of(self.result, measure))

    def quantile(self, arm: str, measure: str, share: float) -> Interval:
        """Return the interval of the value that this share of an arm's games does not exceed."""
        return quantile_interval(self.histogram(arm, measure), share).divided(self.units[measure])

    def identical(self, arm: str) -> float:
        """Return the share of games with the same moves as in the first arm."""
        return self.sums[arm].against.identical / max(1, self.sums[arm].games)


class Findings:
    """All findings of one result. Raise ProblemsFound if no game has been played."""

    def __init__(self, result: Result):
        self.result = result
        self.base, self.arms = result.arms[0], result.arms[1:]
        cells = sorted({cell for cell, _ in result.cells}, key=lambda cell: (cell.players, cell.bots))
        found = findings(result)
        self.tables = tuple(
            _table(result, cell, (one for one in found if one.cell == cell)) for cell in cells if result.games(cell)
        )
        self.broken = tuple(broken_laws(result))
        """Tables and arms with games that broke a law of the game. Their figures are left out."""
        if not self.tables:
            raise ProblemsFound([Problem(None, "the result holds no games", "play some: pnp lab readings GAME")])

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """All measures of any table, in order."""
        return tuple(dict.fromkeys(name for table in self.tables for name in table.units))

    def effects(self, arm: str, measure: str) -> tuple[ArmEffect, ...]:
        """Return the effects of an arm on a measure, at each table that has it."""
        return tuple(found for table in self.tables if (found := table.effect(arm, measure)) is not None)

    def weight(self, arm: str) -> float:
        """Return the strength of an arm's greatest significant change, or 0."""
        standing = (one.strength for (name, _), one in self._all() if name == arm and one.stands)
        return max(standing, default=0.0)

    def grade(self, arm: str) -> int:
        """Return the grade of an arm's greatest change: 0 if none is significant, else 1 to 3."""
        return max((one.grade for (name, _), one in self._all() if name == arm), default=0)

    def by_weight(self) -> tuple[str, ...]:
        """Return the arms, the greatest change first. Arms without significant changes keep their order."""
        return tuple(sorted(self.arms, key=lambda arm: -self.weight(arm)))

    def moved(self, measure: str) -> bool:
        """Return True if any arm changes the measure significantly."""
        return any(one.stands for (_, name), one in self._all() if name == measure)

    def two_ways(self, arm: str, measure: str) -> bool:
        """Return True if the measure rises significantly at one table and falls at another with as many players."""
        signs: dict[int, set[int]] = {}
        for table in self.tables:
            found = table.effect(arm, measure)
            if found is not None:
                signs.setdefault(table.cell.players, set()).add(found.sign)
        return any({1, -1} <= seen for seen in signs.values())

    def _all(self) -> list[tuple[tuple[str, str], ArmEffect]]:
        return [pair for table in self.tables for pair in table.effects.items()]


def _table(result: Result, cell: Cell, found: Iterable[ArmDifference]) -> LabTable:
    sums = {arm: result.cells[cell, arm] for arm in result.arms if (cell, arm) in result.cells}
    base = sums[result.arms[0]]
    units = {name: result.whole[name] / percent_of(result, name) for name in base.measures if name != BROKEN}
    effects = {}
    for one in found:
        by = one.gap.divided(1 / percent_of(result, one.measure))
        spread = sqrt(moments(base.measures[one.measure])[2]) / units[one.measure]
        strength = 0.0 if not by.at else abs(by.at) / spread if spread else inf
        differences = sums[one.arm].against.differences[one.measure]
        same = not any(times for gap, times in differences.items() if gap)
        effects[one.arm, one.measure] = ArmEffect(one.arm, one.measure, by, one.stands, strength, same, one.verdict)
    return LabTable(result, cell, result.games(cell), sums, units, effects)


def percent_of(result: Result, measure: str) -> int:
    """Return the factor for display: 100 for shares, else 1."""
    return 100 if measure in result.shares else 1


class Names:
    """Names for one report. A measure without a name keeps that of the result."""

    def __init__(self, workshop: Workshop, rules: Rules | None, result: Result, lang: str):
        self._workshop, self._game, self._result, self._lang = workshop, workshop.game, result, lang
        self.problems: list[Problem] = []
        """Problems with the texts of the data."""
        self._arms: Mapping[str, Any] = result.about["experiment"]["arms"]
        alone = max(cell.players for cell, _ in result.cells) == 1
        self._measures = MeasureNames(self._game, rules, lang, alone=alone)

    def measure(self, name: str) -> str:
        """Return the long name of a measure, from the experiment or the program."""
        return self._result.asked.labels.get(name) or self._measures.called(name, "measure")

    def brief(self, name: str) -> str:
        """Return the short name of a measure for a narrow column."""
        return self._result.asked.labels.get(name) or self._measures.called(name, "brief")

    def unit(self, name: str) -> str:
        """Return the unit of a measure if its name lacks it: percentage points for shares, else points or nothing."""
        if name in self._result.shares:
            return phrase("lab_unit_points_of_share", self._lang)
        return phrase("lab_unit_points", self._lang) if self.scores(name) else ""

    def scores(self, name: str) -> bool:
        """Return True if a measure counts points."""
        return scores(name)

    def reading(self, arm: str) -> tuple[Reading, str] | None:
        """Return the only reading that an arm changes, with its new meaning, or None if it changes anything else."""
        asked = self._arms[arm]
        if len(asked["readings"]) != 1 or asked["values"]:
            return None
        name, value = next(iter(asked["readings"].items()))
        entry = self._game.readings.get(name)
        return (entry, self._means(entry, value)) if entry is not None else None

    def problem(self, reading: Reading) -> str:
        """Return what is unclear in an entry's passage."""
        return self._filled(reading, "problem", reading.problem[self._lang])

    def in_force(self, reading: Reading) -> str:
        """Return the present reading of an entry in words."""
        if reading.means:
            return self._means(reading, reading.value)
        return self._filled(reading, "reading", reading.reading[self._lang])

    def arm(self, name: str) -> tuple[str, str]:
        """Return an arm's entry number and reading in words, or its own name with an empty number."""
        found = self.reading(name)
        return (found[0].id, found[1]) if found is not None else ("", name)

    def players(self, bots: tuple[str, ...]) -> str:
        """Return the players at a table, each named once."""
        return bot_names(bots, self._lang)

    def _means(self, reading: Reading, value: object) -> str:
        name = value_name(value)
        if name not in reading.means:
            return f"{reading.switch}: {name}"
        return self._filled(reading, "means", reading.means[name][self._lang])

    def _filled(self, reading: Reading, part: str, words: str) -> str:
        """Return a text of an entry as plain characters, with its values filled in."""
        views = self._workshop.artist.views
        said = str(views.entry({"says": words}, f"{part}.{reading.id}", self._lang, reading.place)["says"])
        return plain(self._game, said, self._lang, self._called_piece, reading.place, self.problems)

    def _called_piece(self, design: Design, lang: str) -> str:
        return piece_name(self._game, design.id, lang)


_MOST_CHANGES = 3
_MOST_LEADING = 3
_OF_READINGS = (
    *("title", "question", "as_it_is", "now", "now_narrow", "now_share", "still", "map_key", "map_alt", "seats_key"),
    *("method_games", "method_holm", "method_sizes", "method_minutes"),
)
"""Phrases about readings. Other arms use variants of them."""


def by_number(entry: str) -> tuple[int, str]:
    """Return a sort key: E2 before E10, entries without a number first."""
    return int("".join(filter(str.isdecimal, entry)) or 0), entry


def capital(words: str) -> str:
    """Return the words with a capital first letter."""
    return words[:1].upper() + words[1:]


class Sentences:
    """Sentences of one report."""

    def __init__(self, findings: Findings, names: Names, lang: str):
        self._findings, self._names, self._lang = findings, names, lang
        self._of_readings = all(names.reading(arm) is not None for arm in findings.arms)
        self._confidence = f"{100 * findings.result.asked.confidence:.4g}"

    def say(self, name: str, **values: object) -> str:
        """Return one of the lab's phrases. All may use the confidence."""
        numbers = "_numbers" if not self._of_readings and name in _OF_READINGS else ""
        return phrase(f"lab_{name}{numbers}", self._lang, confidence=self._confidence, **values)

    def others(self, number: int) -> str:
        """Return a phrase for this number of further readings."""
        return count_phrase("lab_others", self._lang, number)

    def listed(self, words: Iterable[str]) -> str:
        """Return the words joined into a list."""
        return phrase("and", self._lang).join(words)

    def table(self, table: LabTable) -> str:
        """Return the players at a table."""
        seats = phrase("players", self._lang, n=table.cell.players) if table.cell.players > 1 else self.say("alone")
        return self.say("at_table", players=seats, bots=self._names.players(table.cell.bots))

    def found(self) -> list[tuple[Text, Text]]:
        """Return the summary lines, each with its head: large, small, no and ambiguous changes."""
        findings = self._findings
        lines: list[tuple[str, str]] = []
        turning = {arm: said for arm in findings.arms if (said := self._turning(arm))}
        leading = [arm for arm in findings.by_weight() if findings.grade(arm) > 1 and arm not in turning]
        for arm in leading[:_MOST_LEADING]:
            head, words = self._names.arm(arm)
            changes = self._strongest(arm)
            said = self.say("found_arm" if head else "found_own_arm", reading=words, changes=changes)
            lines.append((head, said))
        lines += [(self._entry(arm), self.say("found_two_ways", found=said)) for arm, said in turning.items()]
        told = {self._entry(arm) for arm in (*leading[:_MOST_LEADING], *turning)}
        for name, least, most in (("found_also", 2, 3), ("found_small", 1, 1), ("found_nothing", 0, 0)):
            entries = [entry for entry in self._graded(least, most) if entry not in told]
            if entries:
                games = f"{findings.tables[0].games:,}"
                lines.append((self.say(f"head_{name}"), self.say(name, entries=self.listed(entries), games=games)))
        lines.append((self.say("head_not_people"), self.say("not_people")))
        return [((Plain(head, bold=True),), (Plain(said),)) for head, said in lines]

    def changes_of(self, arm: str, table: LabTable) -> Text:
        """Return the significant changes of an arm at a table, or a note if there are none."""
        found = [one for name in table.units if (one := table.effect(arm, name)) is not None]
        standing = [one for one in found if one.stands]
        if not standing:
            return (Plain(self.say("all_same" if all(one.same for one in found) else "nothing_sure")),)
        parts: list[Plain | LineBreak] = []
        for one in sorted(standing, key=lambda one: -one.strength):
            unit = self.with_unit(one.measure, change_with_margin(one.by))
            parts += [LineBreak(), Plain(f"{self._names.measure(one.measure)}\u2002"), Plain(unit, bold=one.grade > 1)]
        return tuple(parts[1:])

    def with_unit(self, measure: str, told: str) -> str:
        """Return a number with its unit, if it has one."""
        unit = self._names.unit(measure)
        return self.say("with_unit", n=told, unit=unit) if unit else told

    def _strongest(self, arm: str) -> str:
        """Return an arm's greatest changes at its most affected table, named if there are several."""
        tables = self._findings.tables

        def standing(table: LabTable) -> list[ArmEffect]:
            found = [one for name in table.units if (one := table.effect(arm, name)) is not None and one.stands]
            return sorted(found, key=lambda one: -one.strength)

        most = max(tables, key=lambda table: max((one.strength for one in standing(table)), default=0.0))
        changes = self._changes(standing(most)[:_MOST_CHANGES])
        return changes if len(tables) == 1 else self.say("where", table=self.table(most), changes=changes)

    def _changes(self, effects: Sequence[ArmEffect]) -> str:
        said = []
        for at, one in enumerate(effects):
            way = "rises" if one.by.at > 0 else "falls"
            way += "_score" if self._names.scores(one.measure) and one.measure != "spread" else ""
            last = "" if at == len(effects) - 1 else "_on"
            told = written(abs(one.by.at), places_of(one.by))
            measure = self._names.measure(one.measure)
            said.append(self.say(f"{way}{last}", measure=measure, n=self.with_unit(one.measure, told)))
        return self.listed(said)

    def _entry(self, arm: str) -> str:
        head, words = self._names.arm(arm)
        return head or words

    def _graded(self, least: int, most: int) -> list[str]:
        """Return the entries whose greatest change by any reading has a grade in this range."""
        grades: dict[str, int] = {}
        for arm in self._findings.arms:
            entry = self._entry(arm)
            grades[entry] = max(grades.get(entry, 0), self._findings.grade(arm))
        return sorted((entry for entry, grade in grades.items() if least <= grade <= most), key=by_number)

    def _turning(self, arm: str) -> str:
        """Return the changes of an arm that depend on the players, or an empty string."""
        said = []
        for measure in self._findings.measures:
            if self._findings.two_ways(arm, measure):
                each = [
                    (one, self.table(table)) for table in self._findings.tables if (one := table.effect(arm, measure))
                ]
                told = [self.say("of_table", n=change(one.by), table=table) for one, table in each if one.stands]
                said.append(f"{self._names.measure(measure)} {self.listed(told)}")
        return self.listed(said)
