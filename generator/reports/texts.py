"""What a report says in words: sentences of one language about effects, made of the program's phrases."""

from collections.abc import Iterable, Sequence

from generator.lab.numbers import change, change_with_margin, places_of, written
from generator.model.phrases import count_phrase, phrase
from generator.model.text import LineBreak, Plain
from generator.pages.blocks import Text
from generator.reports.findings import ArmEffect, Findings, LabTable
from generator.reports.names import Names

_MOST_CHANGES = 3
_MOST_LEADING = 3
_OF_READINGS = (
    *("title", "question", "as_it_is", "now", "now_narrow", "now_share", "still", "map_key", "map_alt", "seats_key"),
    *("method_games", "method_holm", "method_sizes", "method_minutes"),
)
"""Phrases that speak of readings, and have others where arms are anything else."""


def by_number(entry: str) -> tuple[int, str]:
    """E2 before E10; what has no number before all."""
    return int("".join(filter(str.isdecimal, entry)) or 0), entry


def capital(words: str) -> str:
    """The words as they begin a title or a sentence."""
    return words[:1].upper() + words[1:]


class Sentences:
    """Sentences of one report."""

    def __init__(self, findings: Findings, names: Names, lang: str):
        self._findings, self._names, self._lang = findings, names, lang
        self._of_readings = all(names.reading(arm) is not None for arm in findings.arms)
        self._confidence = f"{100 * findings.result.asked.confidence:.4g}"

    def say(self, name: str, **values: object) -> str:
        """One of the lab's phrases; all may say how sure intervals are."""
        numbers = "_numbers" if not self._of_readings and name in _OF_READINGS else ""
        return phrase(f"lab_{name}{numbers}", self._lang, confidence=self._confidence, **values)

    def others(self, number: int) -> str:
        """So many readings that are not told one by one."""
        return count_phrase("lab_others", self._lang, number)

    def listed(self, words: Iterable[str]) -> str:
        """Words one after the other."""
        return phrase("and", self._lang).join(words)

    def table(self, table: LabTable) -> str:
        """Who sits at a table."""
        seats = phrase("players", self._lang, n=table.cell.players) if table.cell.players > 1 else self.say("alone")
        return self.say("at_table", players=seats, bots=self._names.players(table.cell.bots))

    def found(self) -> list[tuple[Text, Text]]:
        """What was found, line by line behind a word: what changes most, little, nothing, and what as one plays."""
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
        """All that an arm certainly changes at a table; that nothing is certain, or that all games are the same."""
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
        """A number with its unit where it has one."""
        unit = self._names.unit(measure)
        return self.say("with_unit", n=told, unit=unit) if unit else told

    def _strongest(self, arm: str) -> str:
        """An arm's greatest changes at the table where it changes most, which is told where there are several."""
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
        """Entries by the greatest change that any of their readings makes."""
        grades: dict[str, int] = {}
        for arm in self._findings.arms:
            entry = self._entry(arm)
            grades[entry] = max(grades.get(entry, 0), self._findings.grade(arm))
        return sorted((entry for entry, grade in grades.items() if least <= grade <= most), key=by_number)

    def _turning(self, arm: str) -> str:
        """What an arm changes one way or the other as one plays, with who plays; empty for none."""
        said = []
        for measure in self._findings.measures:
            if self._findings.two_ways(arm, measure):
                each = [
                    (one, self.table(table)) for table in self._findings.tables if (one := table.effect(arm, measure))
                ]
                told = [self.say("of_table", n=change(one.by), table=table) for one, table in each if one.stands]
                said.append(f"{self._names.measure(measure)} {self.listed(told)}")
        return self.listed(said)
