"""Findings of a result for its report: effects of arms, with names and sentences in one language."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, sqrt
from typing import Any

from generator.base.errors import Problem, ProblemsFound
from generator.base.languages import phrase
from generator.books.measure_names import (
    Interval,
    MeasureNames,
    count_interval_decimals,
    counts_points,
    format_change,
    format_change_with_margin,
    format_number,
    name_bots,
)
from generator.books.page.blocks import Text
from generator.drawing.faces.game_drawing import Workshop, strip_markup
from generator.game.data_fields import format_value
from generator.game.model import Reading
from generator.game.rich_text import LineBreak, Plain
from generator.lab.chunks import Cell
from generator.lab.findings import ArmDifference, find_broken_laws, find_differences, measure_interval
from generator.lab.measures import BROKEN, Histogram, Sums
from generator.lab.reports.report_book import ReportPhrases
from generator.lab.result_text import BAND
from generator.lab.results import Result
from generator.lab.statistics import Verdict, compute_moments, quantile_interval
from generator.rules.engine.contract import Rules
from generator.rules.engine.table import piece_name

MUCH, SOME = 0.5, 0.2
"""A change of at least this many standard deviations between games counts as large, or as medium."""


@dataclass(frozen=True, slots=True)
class ArmEffect:
    """The effect of an arm on a measure: mean difference to the first arm on the same seeds, with its interval.

    It is in the measure's units, for shares in percentage points. `stands`: it is significant among all arms and
    measures of the table. `strength` is its size in standard deviations of the first arm's games. `same`: all games
    have equal values. `verdict`: "met" within the measure's margin, "missed" outside, else "open"; None: no margin.
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
        return self.by.excludes_value(0.0)

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
    """The results at one table of an experiment: players, number of games, and effects by arm and measure."""

    result: Result
    cell: Cell
    games: int
    sums: Mapping[str, Sums]
    units: Mapping[str, float]
    effects: Mapping[tuple[str, str], ArmEffect]

    def find_effect(self, arm: str, measure: str) -> ArmEffect | None:
        """Return the effect of an arm on a measure, or None if it is not measured here."""
        return self.effects.get((arm, measure))

    def find_standing(self, arm: str) -> list[ArmEffect]:
        """Return the significant effects of an arm, the strongest first."""
        standing = (one for (name, _), one in self.effects.items() if name == arm and one.stands)
        return sorted(standing, key=lambda one: -one.strength)

    def find_histogram(self, arm: str, measure: str) -> Histogram:
        """Return an arm's histogram of a measure: value (a whole number) -> number of games."""
        return self.sums[arm].measures[measure]

    def mean_interval(self, arm: str, measure: str, parts: int = 1) -> Interval:
        """Return the interval of an arm's mean or share, in the measure's units; `parts` of these hold together."""
        found = measure_interval(self.result, measure, self.find_histogram(arm, measure), parts)
        return found.divide_by(1 / percent_factor(self.result, measure))

    def find_quantile(self, arm: str, measure: str, share: float) -> Interval:
        """Return the interval of the value that this share of an arm's games does not exceed."""
        return quantile_interval(self.find_histogram(arm, measure), share).divide_by(self.units[measure])

    def find_quantiles(self, arm: str, measure: str) -> tuple[float, ...]:
        """Return an arm's values at the five quantiles 5, 25, 50, 75 and 95 %, in the measure's units."""
        return tuple(self.find_quantile(arm, measure, share).at for share in BAND)

    def identical_share(self, arm: str) -> float:
        """Return the share of games with the same moves as in the first arm."""
        return self.sums[arm].against.identical / max(1, self.sums[arm].games)


class ResultFindings:
    """All effects found in one result. Raises ProblemsFound if no game has been played."""

    def __init__(self, result: Result):
        self.result = result
        self.base, self.arms = result.arms[0], result.arms[1:]
        cells = sorted({cell for cell, _ in result.cells}, key=lambda cell: (cell.players, cell.bots, cell.options))
        found = find_differences(result)
        self.tables = tuple(
            _make_table(result, cell, (one for one in found if one.cell == cell))
            for cell in cells
            if result.count_games(cell)
        )
        self.broken = tuple(find_broken_laws(result))
        """Tables and arms with games that broke a law of the rules. Their figures are left out."""
        if not self.tables:
            raise ProblemsFound([Problem(None, "the result contains no games", "run pnp lab readings GAME")])

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """All measures of any table, in the order of their first appearance."""
        return tuple(dict.fromkeys(name for table in self.tables for name in table.units))

    def find_effects(self, arm: str, measure: str) -> tuple[ArmEffect, ...]:
        """Return the effects of an arm on a measure, at each table that has it."""
        return tuple(found for table in self.tables if (found := table.find_effect(arm, measure)) is not None)

    def arm_weight(self, arm: str) -> float:
        """Return the strength of an arm's greatest significant change, or 0."""
        return max((one.strength for table in self.tables for one in table.find_standing(arm)), default=0.0)

    def arm_grade(self, arm: str) -> int:
        """Return the grade of an arm's greatest change: 0 if none is significant, else 1 to 3."""
        return max((one.grade for (name, _), one in self._all_effects() if name == arm), default=0)

    def sort_arms(self) -> tuple[str, ...]:
        """Return the arms, the greatest change first. Arms without significant changes keep their order."""
        return tuple(sorted(self.arms, key=lambda arm: -self.arm_weight(arm)))

    def is_changed(self, measure: str) -> bool:
        """Return True if any arm changes the measure significantly."""
        return any(one.stands for (_, name), one in self._all_effects() if name == measure)

    def is_ambiguous(self, arm: str, measure: str) -> bool:
        """Return True if a measure rises at one table and falls at another with the same number of players."""
        signs: dict[int, set[int]] = {}
        for table in self.tables:
            found = table.find_effect(arm, measure)
            if found is not None:
                signs.setdefault(table.cell.players, set()).add(found.sign)
        return any({1, -1} <= seen for seen in signs.values())

    def _all_effects(self) -> list[tuple[tuple[str, str], ArmEffect]]:
        return [pair for table in self.tables for pair in table.effects.items()]


def _make_table(result: Result, cell: Cell, arm_differences: Iterable[ArmDifference]) -> LabTable:
    sums = {arm: result.cells[cell, arm] for arm in result.arms if (cell, arm) in result.cells}
    base = sums[result.arms[0]]
    units = {name: result.whole[name] / percent_factor(result, name) for name in base.measures if name != BROKEN}
    effects = {}
    for one in arm_differences:
        by = one.gap.divide_by(1 / percent_factor(result, one.measure))
        spread = sqrt(compute_moments(base.measures[one.measure])[2]) / units[one.measure]
        strength = 0.0 if not by.at else abs(by.at) / spread if spread else inf
        differences = sums[one.arm].against.differences[one.measure]
        same = not any(times for gap, times in differences.items() if gap)
        effects[one.arm, one.measure] = ArmEffect(one.arm, one.measure, by, one.stands, strength, same, one.verdict)
    return LabTable(result, cell, result.count_games(cell), sums, units, effects)


def percent_factor(result: Result, measure: str) -> int:
    """Return the factor for display: 100 (percent) for shares, else 1."""
    return 100 if measure in result.shares else 1


class ReportNames:
    """Names of arms and measures in one report. A measure without a display name keeps its internal name."""

    def __init__(self, workshop: Workshop, rules: Rules | None, result: Result, lang: str):
        self._workshop, self._game, self._result, self._lang = workshop, workshop.game, result, lang
        self.problems: list[Problem] = []
        """Problems found in texts of the game's data."""
        self._arms: Mapping[str, Any] = result.about["experiment"]["arms"]
        alone = max(cell.players for cell, _ in result.cells) == 1
        self._measures = MeasureNames(self._game, rules, lang, alone=alone)

    def measure_name(self, name: str) -> str:
        """Return the long name of a measure, from the experiment or the program."""
        return self._result.asked.labels.get(name) or self._measures.get_name(name, "measure")

    def brief_name(self, name: str) -> str:
        """Return the short name of a measure for a narrow column."""
        return self._result.asked.labels.get(name) or self._measures.get_name(name, "brief")

    def unit_name(self, name: str) -> str:
        """Return the unit of a measure if its name lacks it: percentage points for shares, else points or nothing."""
        if name in self._result.shares:
            return phrase("lab_unit_points_of_share", self._lang)
        return phrase("lab_unit_points", self._lang) if counts_points(name) else ""

    def find_reading(self, arm: str) -> tuple[Reading, str] | None:
        """Return the unclear rule and the reading that an arm tries, if that is its only change; else None."""
        asked = self._arms[arm]
        if len(asked["readings"]) != 1 or asked["values"]:
            return None
        name, value = next(iter(asked["readings"].items()))
        entry = self._game.readings.get(name)
        return (entry, self._describe_value(entry, value)) if entry is not None else None

    def describe_problem(self, reading: Reading) -> str:
        """Return the description of an unclear rule."""
        return self._fill_text(reading, "problem", reading.problem[self._lang])

    def describe_reading(self, reading: Reading) -> str:
        """Return the reading of an unclear rule that the game uses now."""
        if reading.means:
            return self._describe_value(reading, reading.value)
        return self._fill_text(reading, "reading", reading.reading[self._lang])

    def arm_name(self, name: str) -> tuple[str, str]:
        """Return the id and the words of the reading that an arm changes; ('', the arm's name) if it changes none."""
        found = self.find_reading(name)
        return (found[0].id, found[1]) if found is not None else ("", name)

    def _describe_value(self, reading: Reading, value: object) -> str:
        name = format_value(value)
        if name not in reading.means:
            return f"{reading.switch}: {name}"
        return self._fill_text(reading, "means", reading.means[name][self._lang])

    def _fill_text(self, reading: Reading, part: str, words: str) -> str:
        views = self._workshop.artist.views
        said = str(views.make_view({"says": words}, f"{part}.{reading.id}", self._lang, reading.place)["says"])
        name_design = lambda design, lang: piece_name(self._game, design.id, lang)  # noqa: E731 - as short as its use
        return strip_markup(self._game, said, self._lang, name_design, reading.place, self.problems)


_MOST_CHANGES = 3
_MOST_LEADING = 3
_READING_PHRASES = (
    *("title", "question", "as_it_is", "now", "now_narrow", "now_share", "still", "map_key", "map_alt", "seats_key"),
    *("method_games", "method_holm", "method_sizes", "method_minutes"),
)
"""Phrases that name readings. There are variants of them for experiments with other arms."""


def entry_sort_key(entry: str) -> tuple[int, str]:
    """Return a sort key: E2 before E10, entries without a number first."""
    return int("".join(filter(str.isdecimal, entry)) or 0), entry


class ReportSentences(ReportPhrases):
    """Writes the sentences of one report."""

    def __init__(self, findings: ResultFindings, names: ReportNames, lang: str):
        super().__init__(lang, findings.result.asked.confidence)
        self._findings, self._names = findings, names
        self._of_readings = all(names.find_reading(arm) is not None for arm in findings.arms)

    def get_phrase(self, name: str, **values: object) -> str:
        """Return one of the lab's phrases; if the arms are not readings, in the variant for other arms."""
        numbers = "_numbers" if not self._of_readings and name in _READING_PHRASES else ""
        return super().get_phrase(f"{name}{numbers}", **values)

    def describe_table(self, table: LabTable) -> str:
        """Return the number of players and the bots at a table in words."""
        bots = name_bots(table.cell.bots, self.lang)
        return self.get_phrase("at_table", players=self.describe_players(table.cell.players), bots=bots)

    def summarise_findings(self) -> list[tuple[str, str]]:
        """Return the lines of a summary with their titles: large, small, no and contradictory changes."""
        findings = self._findings
        lines: list[tuple[str, str]] = []
        turning = {arm: said for arm in findings.arms if (said := self._describe_ambiguous(arm))}
        leading = [arm for arm in findings.sort_arms() if findings.arm_grade(arm) > 1 and arm not in turning]
        for arm in leading[:_MOST_LEADING]:
            head, words = self._names.arm_name(arm)
            standing = [(table, table.find_standing(arm)) for table in findings.tables]
            table, effects = max(standing, key=lambda pair: max((one.strength for one in pair[1]), default=0.0))
            changes = self._join_changes(effects[:_MOST_CHANGES])
            if len(standing) > 1:
                changes = self.get_phrase("where", table=self.describe_table(table), changes=changes)
            said = self.get_phrase("found_arm" if head else "found_own_arm", reading=words, changes=changes)
            lines.append((head, said))
        lines += [
            (self._entry_name(arm), self.get_phrase("found_two_ways", found=said)) for arm, said in turning.items()
        ]
        told = {self._entry_name(arm) for arm in (*leading[:_MOST_LEADING], *turning)}
        grades: dict[str, int] = {}  # of the greatest change by any reading of an entry
        for arm in findings.arms:
            entry = self._entry_name(arm)
            grades[entry] = max(grades.get(entry, 0), findings.arm_grade(arm))
        for name, sort in (("found_also", (2, 3)), ("found_small", (1,)), ("found_nothing", (0,))):
            entries = sorted({entry for entry in grades if grades[entry] in sort} - told, key=entry_sort_key)
            if entries:
                games = f"{findings.tables[0].games:,}"
                said = self.get_phrase(name, entries=self.join_words(entries), games=games)
                lines.append((self.get_phrase(f"head_{name}"), said))
        lines.append((self.get_phrase("head_not_people"), self.get_phrase("not_people")))
        return lines

    def describe_changes(self, arm: str, table: LabTable) -> Text:
        """Return the significant changes of an arm at a table, or a note if there are none."""
        standing = table.find_standing(arm)
        if not standing:
            all_same = all(one.same for (name, _), one in table.effects.items() if name == arm)
            return (Plain(self.get_phrase("all_same" if all_same else "nothing_sure")),)
        parts: list[Plain | LineBreak] = []
        for one in standing:
            unit = self.add_unit(one.measure, format_change_with_margin(one.by))
            parts += [
                LineBreak(),
                Plain(f"{self._names.measure_name(one.measure)}\u2002"),
                Plain(unit, bold=one.grade > 1),
            ]
        return tuple(parts[1:])

    def add_unit(self, measure: str, told: str) -> str:
        """Return a formatted number (`told`) with the unit of the measure behind it, if the measure has one."""
        unit = self._names.unit_name(measure)
        return self.get_phrase("with_unit", n=told, unit=unit) if unit else told

    def _join_changes(self, effects: Sequence[ArmEffect]) -> str:
        said = []
        for at, one in enumerate(effects):
            way = "rises" if one.by.at > 0 else "falls"
            way += "_score" if counts_points(one.measure) and one.measure != "spread" else ""
            last = "" if at == len(effects) - 1 else "_on"
            told = format_number(abs(one.by.at), count_interval_decimals(one.by))
            measure = self._names.measure_name(one.measure)
            said.append(self.get_phrase(f"{way}{last}", measure=measure, n=self.add_unit(one.measure, told)))
        return self.join_words(said)

    def _entry_name(self, arm: str) -> str:
        head, words = self._names.arm_name(arm)
        return head or words

    def _describe_ambiguous(self, arm: str) -> str:
        """Return the changes of an arm that have opposite directions with different bots, or ''."""
        said = []
        for measure in self._findings.measures:
            if self._findings.is_ambiguous(arm, measure):
                told = [
                    self.get_phrase("of_table", n=format_change(one.by), table=self.describe_table(table))
                    for table in self._findings.tables
                    if (one := table.find_effect(arm, measure)) and one.stands
                ]
                said.append(f"{self._names.measure_name(measure)} {self.join_words(told)}")
        return self.join_words(said)
