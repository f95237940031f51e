"""The report of an experiment's result, by measure and by unclear rule, and its files."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from generator.base.errors import raise_problems
from generator.base.languages import phrase
from generator.base.output_files import open_delivery
from generator.books.measure_names import WIN, format_change_with_margin, format_number, format_with_margin
from generator.books.page.blocks import Block, Book, Table, Text
from generator.books.page.book_pages import typeset_book
from generator.books.web_page import make_web_page
from generator.commands.orders import unused_languages
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.game.model import Reading
from generator.game.project import Project
from generator.game.rich_text import LineBreak, Plain
from generator.lab.card_experiments import CardReport
from generator.lab.experiment import read_result_text
from generator.lab.experiment_runs import open_lab_game, read_result_file, stamps_of
from generator.lab.findings import is_card_result, judge_aims
from generator.lab.reports.report_book import (
    PAGE,
    ReportWriter,
    capitalise,
    make_heading,
    make_named_rows,
    make_paragraph,
    make_warning,
)
from generator.lab.reports.report_figures import Charts, format_percent
from generator.lab.reports.report_findings import (
    LabTable,
    ReportNames,
    ReportSentences,
    ResultFindings,
    entry_sort_key,
    percent_factor,
)
from generator.lab.result_text import are_leads_known, find_bands, hidden_measures, is_restriction_result
from generator.lab.results import Result, read_result
from generator.lab.skill_result import SkillResult
from generator.lab.skill_run import SkillReport, read_skill_file
from generator.lab.statistics import Verdict
from generator.lab.verdicts import find_margin, judge_readings
from generator.rules.engine.contract import Rules

SECONDS = 20
"""Assumed time that a player needs for a decision (seconds). It was not measured."""

_SHARES = (0.43, 0.39, 0.18)
"""Widths of the columns of a table of readings, as shares: reading, changes, identical games."""

_SIDES: tuple[Literal["left"], Literal["left"], Literal["right"]] = ("left", "left", "right")
_MOST_BANDS = 6
_MOST_MAPPED = 60
"""Maximum number of rows in the heat map of all arms; the rest is left out."""
_MANY_VALUES = 15
"""A measure with at least this many different values is shown by quantiles, others by a histogram."""


class ResultReport(ReportWriter):
    """The report of an experiment's result. `stale`: the game's data have changed since."""

    _said: ReportSentences

    def __init__(self, result: Result, workshop: Workshop, lang: str, rules: Rules | None, *, stale: bool = False):
        self._result, self._findings = result, ResultFindings(result)
        self._names = ReportNames(workshop, rules, result, lang)
        super().__init__(result, workshop, ReportSentences(self._findings, self._names, lang), stale)
        self._charts = Charts(self._pen, self._findings, self._names, self._said)
        self._pictured = tuple(grid for grid in result.grids if grid.walks or len(grid.varied_ranges) < 3)
        self._moved = tuple(name for name in self._findings.measures if self._findings.is_changed(name))

    def make_book(self) -> Book:
        """Return the report. Raise ProblemsFound with all texts (names, questions) that can't be set."""
        findings, said = self._findings, self._said
        facts = [said.describe_table(table) for table in findings.tables]
        facts.append(said.get_phrase("games_each", n=f"{findings.tables[0].games:,}"))
        told = (
            (*self._iter_summary(), *self._iter_measures(), *self._iter_entries())
            if findings.arms
            else self._iter_single_arm()
        )
        kind = "_without" if is_restriction_result(self._result) else "" if findings.arms else "_alone"
        blocks = (*told, *self._iter_method(self._method_lines()))
        return self._finish_book(said.get_phrase(f"title{kind}"), facts, blocks, self._names.problems)

    def _iter_summary(self) -> Iterator[Block]:
        yield from self._iter_question("question_without" if is_restriction_result(self._result) else "question")
        screened = any(grid.walks for grid in self._result.grids)
        if not screened:  # points of walks are not to be told one by one
            yield make_named_rows(self._said.summarise_findings())
        for grid in self._result.grids:
            for point, why in grid.missing.items():
                yield make_paragraph(self._phrase("missing", arm=point, why=why), "note")
        for table in () if screened or len(self._findings.arms) > _MOST_MAPPED else self._findings.tables:
            if len(self._findings.tables) > 1:
                yield make_heading(3, self._said.describe_table(table), f"map-{self._findings.tables.index(table)}")
            moved = tuple(name for name in self._moved if name in table.units)
            yield self._charts.draw_map(
                table, moved, self._unchanged_measures() if table is self._findings.tables[-1] else []
            )

    def _iter_question(self, name: str) -> Iterator[Block]:
        """Yield the question, warnings, verdicts. `name`: the phrase if the experiment has no question of its own."""
        games = f"{self._findings.tables[0].games:,}"
        own = self._result.asked.question.get(self._said.lang)
        yield from self._iter_opening(own or self._phrase(name, n=len(self._findings.arms), games=games))
        for cell, arm, broken in self._findings.broken:
            table = next(table for table in self._findings.tables if table.cell == cell)
            words = {"arm": self._arm_name(arm), "table": self._said.describe_table(table), "games": f"{broken:,}"}
            yield make_warning(self._phrase("broken", **words))
        rows = tuple(self._iter_verdicts())
        if rows:
            head = tuple((Plain(self._phrase(f"head_{part}")),) for part in ("what", "found", "wanted", "verdict"))
            yield Table(head, rows, ("left", "left", "left", "left"), (Plain(self._phrase("verdicts")),))

    def _iter_verdicts(self) -> Iterator[tuple[Text, ...]]:
        result, findings = self._result, self._findings
        for judged in judge_readings(result) if result.asked.unreached is not None else ():
            wanted = told = ""
            if judged.main is not None and judged.verdict != "never":
                percents = percent_factor(result, judged.main.measure)
                change = format_change_with_margin(judged.main.gap.divide_by(1 / percents))
                told = f"{self._names.measure_name(judged.main.measure)} {change}"
                wanted = f"±{find_margin(result, judged.main) * percents:.3g}"
            said = phrase(f"verdict_{judged.verdict}", self._said.lang)
            if judged.games:
                said = phrase("verdict_needs", self._said.lang, said=said, games=f"{judged.games:,}")
            verdict = Plain(said, bold=judged.verdict == "changes")
            yield (Plain(self._arm_name(judged.arm)),), (Plain(told),), (Plain(wanted),), (verdict,)
        for table in findings.tables:
            for arm in result.arms:
                for measure, found, how in judge_aims(result, table.cell, arm):
                    percents = percent_factor(result, measure)
                    ends = result.asked.aims[measure].find_limits(table.cell.players)
                    wanted = "–".join(f"{end * percents:.4g}" for end in ends)
                    told = format_with_margin(found.divide_by(1 / percents))
                    yield self._verdict_row(arm, measure, told, wanted, how)
            for (arm, measure), one in table.effects.items():
                if one.verdict is not None:
                    wanted = f"±{result.asked.margins[measure] * percent_factor(result, measure):.4g}"
                    told = format_change_with_margin(one.by)
                    yield self._verdict_row(arm, measure, told, wanted, one.verdict)

    def _verdict_row(self, arm: str, measure: str, found: str, wanted: str, verdict: Verdict) -> tuple[Text, ...]:
        what = f"{self._arm_name(arm)}: {self._names.measure_name(measure)}"
        said = self._phrase(f"verdict_{verdict}")
        return (Plain(what),), (Plain(found),), (Plain(wanted),), (Plain(said, bold=verdict != "open"),)

    def _arm_name(self, arm: str) -> str:
        if arm == self._findings.base:
            return self._phrase("as_it_is")
        return " ".join(filter(None, self._names.arm_name(arm)))

    def _iter_single_arm(self) -> Iterator[Block]:
        """Yield the figures of a single arm: numbers, shares with intervals, events that never happened."""
        yield from self._iter_question("question_alone")
        yield make_paragraph(self._phrase("not_people"), "note")
        findings, shares = self._findings, self._result.shares
        cells = [table.cell for table in findings.tables]
        beside = frozenset[str]().union(*(hidden_measures(self._result, cell, findings.base) for cell in cells))
        told = [name for name in findings.measures if name not in beside]
        for at, measure in enumerate(name for name in told if name not in shares):
            yield make_heading(2, capitalise(self._names.measure_name(measure)), f"measure-{at}")
            yield self._charts.draw_table_bands(measure)
        yield from self._iter_course()
        yield from self._iter_seats()
        alone = all(table.cell.players == 1 for table in findings.tables)
        seen = [name for name in told if (alone if name.startswith(WIN) else name in shares)]
        ever = [
            name
            for name in seen
            if any(one.mean_interval(findings.base, name).at for one in findings.tables if name in one.units)
        ]
        if ever:
            yield make_heading(2, self._phrase("shares"), "shares")
            yield self._charts.draw_shares(ever)
        never = [self._names.measure_name(name) for name in seen if name not in ever]
        if never:
            yield make_paragraph(self._phrase("never", names=self._join(never)), "note")

    def _iter_course(self) -> Iterator[Block]:
        """Yield a chart of points during games, or a note if they don't show who leads; nothing if not measured."""
        findings = self._findings
        tables = [table for table in findings.tables if find_bands(self._result, table.cell, findings.base)]
        if not tables:
            return
        yield make_heading(2, self._phrase("course"), "course")
        for table in tables:
            if len(findings.tables) > 1:
                yield make_heading(3, self._said.describe_table(table), f"course-{findings.tables.index(table)}")
            yield self._charts.draw_course(table)
        silent = [table for table in tables if table.cell.players > 1]
        silent = [one for one in silent if not are_leads_known(self._result, one.cell, findings.base)]
        if silent:
            where = self._join(map(self._said.describe_table, silent))
            yield make_paragraph(self._phrase("no_leads", tables=where), "note")

    def _unchanged_measures(self) -> list[str]:
        """Return the names of measures without significant changes; the seats' measures get one common name."""
        still = [name for name in self._findings.measures if name not in self._moved]
        seats = [name for name in self._findings.measures if name.startswith(WIN)]
        if len(seats) > 1 and set(seats) <= set(still):
            still = [name for name in still if name not in seats[1:]]
            return [self._phrase("all_wins") if name == seats[0] else self._names.measure_name(name) for name in still]
        return list(map(self._names.measure_name, still))

    def _iter_measures(self) -> Iterator[Block]:
        yield make_heading(1, self._phrase("by_measure"), "measures")
        findings = self._findings
        for at, measure in enumerate(self._moved):
            yield make_heading(2, capitalise(self._names.measure_name(measure)), f"measure-{at}")
            table = next(table for table in findings.tables if measure in table.units)
            for each in findings.tables:
                if measure in each.units:
                    said = self._format_present(measure, each)
                    if len(findings.tables) > 1:
                        said = self._phrase("where_now", table=self._said.describe_table(each), said=said)
                    yield make_paragraph(said)
            for grid in self._pictured:
                for each in findings.tables:
                    if measure in each.units:
                        draw = self._charts.draw_tornado if grid.walks else self._charts.draw_grid
                        yield draw(each, grid, measure)
            if self._pictured:
                continue
            yield self._charts.draw_dots(measure)
            if measure in self._result.shares:
                continue
            large = [arm for arm in findings.sort_arms() if (one := table.find_effect(arm, measure)) and one.grade > 1]
            large.sort(key=lambda arm: -table.effects[arm, measure].strength)
            if len(large) > 1 and len(table.find_histogram(findings.base, measure)) >= _MANY_VALUES:
                yield self._charts.draw_arm_bands(table, large[:_MOST_BANDS], measure)
            elif large:
                yield self._charts.draw_histogram_pair(table, large[0], measure)
        yield from self._iter_seats()

    def _iter_seats(self) -> Iterator[Block]:
        findings = self._findings
        for players in sorted({table.cell.players for table in findings.tables}):
            known = [table.units for table in findings.tables if table.cell.players == players]
            if players > 1 and all(f"{WIN}{seat}" in units for units in known for seat in range(1, players + 1)):
                yield make_heading(2, self._phrase("seats", n=players), f"seats-{players}")
                yield self._charts.draw_seats(players)

    def _format_present(self, measure: str, table: LabTable) -> str:
        base = self._findings.base
        mean = format_with_margin(table.mean_interval(base, measure))
        if measure in self._result.shares:
            return self._phrase("now_share", n=mean)
        ends = [format_number(table.find_quantile(base, measure, share).at, 0) for share in (0.25, 0.75, 0.05, 0.95)]
        unit = self._said.add_unit(measure, mean)
        told = dict(zip(("low", "high", "least", "most"), ends, strict=True))
        return self._phrase("now" if told["low"] != told["high"] else "now_narrow", n=unit, **told)

    def _iter_entries(self) -> Iterator[Block]:
        entries: dict[str, Reading] = {}
        own = []
        points = {name for grid in self._pictured for name in grid.arms}
        for arm in self._findings.arms:
            if arm in points:
                continue
            found = self._names.find_reading(arm)
            if found is None:
                own.append(arm)
            else:
                entries.setdefault(found[0].id, found[0])
        if entries or own:
            yield make_heading(1, self._phrase("by_entry"), "entries")
        for entry in sorted(entries.values(), key=lambda one: entry_sort_key(one.id)):
            arms = [
                arm for arm in self._findings.arms if (found := self._names.find_reading(arm)) and found[0] is entry
            ]
            quoted = entry.passage and self._said.lang == self._game.languages[0]
            passage = f"\u2002{phrase('quoted', self._said.lang, text=entry.passage)}" if quoted else ""
            yield make_heading(3, f"{entry.id}{passage}", f"entry-{entry.id}")
            yield make_paragraph(self._names.describe_problem(entry), "note")
            now = ((Plain(self._names.describe_reading(entry), bold=True),), (Plain(self._phrase("as_it_is")),), ())
            yield Table((), (now, *self._iter_outcomes(arms)), _SIDES, shares=_SHARES)
        if own:
            yield Table((), tuple(self._iter_outcomes(own)), _SIDES, shares=_SHARES)

    def _iter_outcomes(self, arms: list[str]) -> Iterator[tuple[Text, ...]]:
        several = len(self._findings.tables) > 1
        for arm in arms:
            for at, table in enumerate(self._findings.tables):
                changes = self._said.describe_changes(arm, table)
                if several:
                    changes = (Plain(self._said.describe_table(table)), LineBreak(), *changes)
                words = (Plain(self._names.arm_name(arm)[1]),) if not at else ()
                yield (
                    words,
                    changes,
                    (Plain(self._phrase("same_moves", n=format_percent(table.identical_share(arm)))),),
                )

    def _method_lines(self) -> Iterator[str]:
        result, said, table = self._result, self._said, self._findings.tables[0]
        run = result.about["experiment"]["run"]
        yield said.get_phrase("method_games", n=f"{table.games:,}", run=run, last=table.games - 1)
        yield said.get_phrase(
            "method_bots", bots=said.join_words(dict.fromkeys(map(said.describe_table, self._findings.tables)))
        )
        kinds = ["looked"] if result.looked else ["intervals", "holm"]
        for kind in ["pairs", *kinds, "sizes", "ties"] if self._findings.arms else [kinds[0], "ties"]:
            yield said.get_phrase(f"method_{kind}")
        if "decisions" in table.units:
            minutes = table.find_quantile(self._findings.base, "decisions", 0.5).at * SECONDS / 60
            yield said.get_phrase("method_minutes", seconds=SECONDS, minutes=f"{minutes:.0f}")
        yield said.get_phrase("method_not_people")


def write_report_pdf(book: Book, workshop: Workshop) -> bytes:
    """Return the pages as PDF. Raise ProblemsFound for text that can't be set."""
    out = io.BytesIO()
    workshop.write_document(typeset_book(book, workshop, PAGE, find_accent(workshop.game.palette)), out)
    return out.getvalue()


def make_report_html(book: Book, workshop: Workshop) -> bytes:
    """Return the web page. Raise ProblemsFound for text that can't be set."""
    return make_web_page(book, workshop, find_accent(workshop.game.palette)).encode()


def write_report(
    project: Project, source: Path, out: Path, languages: tuple[str, ...], kinds: tuple[str, ...], *, trusted: bool
) -> tuple[Path, ...]:
    """Write a result's report in each language (all if empty) and kind (pdf, html). Return its files.

    Raise ProblemsFound if the file is not a result, and with every text that can't be set.
    """
    result = read_skill_file(source) or read_result_file(source)
    of = open_lab_game(project, str(result.about["game"]), trusted=trusted)
    stale = stamps_of(of)["data"] != result.about["data"]
    raise_problems(unused_languages([of.game], languages))
    with open_delivery() as files:
        for lang in of.game.languages:
            if languages and lang not in languages:
                continue
            workshop = Workshop(of.game, project.resources)
            if isinstance(result, SkillResult):
                book = SkillReport(result, workshop, lang, stale=stale).make_book()
            else:
                report = CardReport if is_card_result(result) else ResultReport
                book = report(result, workshop, lang, of.rules, stale=stale).make_book()
            for kind in kinds:
                content = write_report_pdf(book, workshop) if kind == "pdf" else make_report_html(book, workshop)
                files.put(out / of.game.id / f"{source.stem}.{lang}.{kind}", content)
        return files.hand_over()


def find_duration(project: Project, game: str, folder: Path, *, trusted: bool) -> tuple[int, int, int] | None:
    """Return the minutes that nine of ten games last, at least and at most, and the number of games.

    They come from `lab-report.json` in the folder, with the lab's seconds for each decision. Return None without this
    file, or if the game's data have changed since. Raise ProblemsFound for a damaged file, or rules that can't run.
    """
    path = folder / "lab-report.json"
    if not path.is_file():
        return None
    result = read_result(read_result_text(path), str(path))
    if stamps_of(open_lab_game(project, game, trusted=trusted))["data"] != result.about["data"]:
        return None
    findings = ResultFindings(result)
    ends = [
        [table.find_quantile(findings.base, "decisions", share).at * SECONDS / 60 for share in (0.05, 0.95)]
        for table in findings.tables
        if "decisions" in table.units
    ]
    games = sum(table.games for table in findings.tables)
    return (round(min(least for least, _ in ends)), round(max(most for _, most in ends)), games) if ends else None
