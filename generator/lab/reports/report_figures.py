"""Figures of a report: charts with descriptions for readers who can't see them."""

from collections.abc import Sequence

from generator.base.languages import count_phrase
from generator.books.measure_names import (
    WIN,
    Interval,
    count_decimals,
    count_interval_decimals,
    format_change,
    format_change_with_margin,
    format_number,
    format_with_margin,
)
from generator.books.page.blocks import Figure
from generator.lab.measures import STEPS
from generator.lab.reports.chart_pen import Pen
from generator.lab.reports.charts import (
    BandRow,
    Dot,
    DotAxis,
    DotRow,
    FanPart,
    HeatCell,
    HeatRow,
    HistogramSide,
    draw_bands,
    draw_fan_chart,
    draw_heat_map,
    draw_histograms,
    draw_interval_dots,
)
from generator.lab.reports.report_book import capitalise, make_figure
from generator.lab.reports.report_findings import ArmEffect, LabTable, ReportNames, ReportSentences, ResultFindings
from generator.lab.result_text import find_bands
from generator.lab.statistics import judge_interval
from generator.lab.sweep_text import find_influences
from generator.lab.sweeps import SweepGrid

FAIR = 2.0
"""A seat's wins count as fair if they differ by at most this from its equal share (percentage points)."""

_MOST_ROWS = 12
_SAME = "="


class Charts:
    """Draws the charts of one report."""

    def __init__(self, pen: Pen, findings: ResultFindings, names: ReportNames, sentences: ReportSentences):
        self._pen, self._findings, self._names, self._said = pen, findings, names, sentences
        self._phrase, self._join = sentences.get_phrase, sentences.join_words

    def draw_map(self, table: LabTable, measures: Sequence[str], still: Sequence[str]) -> Figure:
        """Return a heat map of arms (rows) and measures (columns). `still` are the names of unchanged measures."""
        rows = []
        for arm in self._findings.sort_arms():
            cells = [self._effect_cell(table.find_effect(arm, name)) for name in measures]
            rows.append(
                HeatRow(*self._names.arm_name(arm), [*cells, HeatCell(format_percent(table.identical_share(arm)))])
            )
        columns = [*map(self._names.brief_name, measures), self._phrase("brief_identical")]
        alt = self._phrase("map_alt", table=self._said.describe_table(table))
        key = self._said.explain_once("map_key")
        key += self._phrase("still", names=self._join(still)) if still else ""
        return make_figure(draw_heat_map(self._pen, columns, rows, alt), key)

    def draw_dots(self, measure: str) -> Figure:
        """Return a dot chart of the changes of a measure, the largest first; arms without clear change share a row."""
        findings = self._findings
        tables = [table for table in findings.tables if measure in table.units]
        clear = [arm for arm in findings.arms if any(one.clear for one in findings.find_effects(arm, measure))]
        clear.sort(key=lambda arm: -max(abs(one.by.at) for one in findings.find_effects(arm, measure)))
        rows, told = [], []
        for arm in clear[:_MOST_ROWS]:
            head, words = self._names.arm_name(arm)
            dots = []
            for at, table in enumerate(tables):
                if one := table.find_effect(arm, measure):
                    sign = (1 if one.by.at > 0 else -1) if one.clear else 0
                    dots.append(Dot(one.by, one.stands, sign, at, format_change_with_margin(one.by)))
            rows.append(DotRow(head, words, dots))
            told.append(f"{head or words} {dots[0].told}")
        others = [
            one for arm in findings.arms if arm not in clear[:_MOST_ROWS] for one in findings.find_effects(arm, measure)
        ]
        if others:
            reach = Interval(0.0, min(one.by.low for one in others), max(one.by.high for one in others))
            most = max(-reach.low, reach.high)
            within = self._phrase("within", n=format_number(most, count_decimals(most)))
            count = len({one.arm for one in others})
            words = count_phrase("lab_others", self._said.lang, count)
            rows.append(DotRow("", words, [Dot(reach, filled=False, told=within)], folded=True))
        unit = self._names.unit_name(measure)
        name = self._phrase("axis_change", unit=unit) if unit else self._phrase("axis_plain_change")
        axis = DotAxis(name, line_name=self._phrase("as_it_is"), bars=True, signed=True)
        alt = self._phrase("dots_alt", measure=self._names.measure_name(measure), found=self._join(told))
        key = self._explain_dots("dots_key")
        return make_figure(draw_interval_dots(self._pen, rows, axis, alt), key)

    def draw_grid(self, table: LabTable, grid: SweepGrid, measure: str) -> Figure:
        """Return a heat map of a measure over two varied numbers, or dots with intervals over one."""
        shown = grid.varied_ranges or grid.axes[:1]
        names = [f"{shown[0].brief} = {shown[0].format_value(one)}" for one in shown[0].values]
        across = (
            [f"{shown[1].brief} = {shown[1].format_value(one)}" for one in shown[1].values] if len(shown) > 1 else [""]
        )
        base = table.mean_interval(self._findings.base, measure)
        heat, dots, told = list[HeatRow](), list[DotRow](), list[str]()
        for at, name in enumerate(names):
            arms = grid.arms[at * len(across) : (at + 1) * len(across)]
            heat.append(HeatRow("", name, [self._point_cell(table, arm, measure) for arm in arms]))
            for arm, column in zip(arms, across, strict=True):
                if self._has_figures(table, arm, measure):
                    lies, found = table.mean_interval(arm, measure), table.find_effect(arm, measure)
                    told.append(f"{f'{name} {column}'.strip()}: {format_with_margin(lies)}")
                    dot = Dot(lies, not found or found.stands, found.sign if found else 0, 0, format_with_margin(lies))
                    dots.append(DotRow("", name, [dot]))
        alt = self._phrase("grid_alt", measure=self._names.measure_name(measure), found=self._join(told))
        if len(shown) > 1:
            return make_figure(draw_heat_map(self._pen, across, heat, alt), self._said.explain_once("grid_key"))
        unit = "%" if measure in self._findings.result.shares else self._names.unit_name(measure)
        axis = DotAxis(unit, base.at, self._phrase("as_it_is"))
        return make_figure(draw_interval_dots(self._pen, dots, axis, alt), self._said.explain_once("curve_key"))

    def draw_tornado(self, table: LabTable, grid: SweepGrid, measure: str) -> Figure:
        """Return a chart of how much each varied number influences a measure, the strongest first."""
        times = 100 if measure in self._findings.result.shares else 1
        rows, told = [], []
        for one in find_influences(self._findings.result, table.cell, grid, measure):
            strength, half = one.strength * times, one.half * times
            lies = Interval(strength, max(0.0, strength - half), strength + half)
            said = self._phrase(
                "tornado_told",
                n=format_number(strength, count_interval_decimals(lies)),
                spread=f"{one.spread * times:.2g}",
            )
            name = grid.axes[one.axis].brief
            rows.append(DotRow("", name, [Dot(lies, filled=True, sign=1 if strength else 0, told=said)]))
            told.append(f"{name} {said}")
        alt = self._phrase("tornado_alt", measure=self._names.measure_name(measure), found=self._join(told))
        axis = DotAxis(self._names.unit_name(measure), bars=True)
        return make_figure(draw_interval_dots(self._pen, rows, axis, alt), self._said.explain_once("tornado_key"))

    def _has_figures(self, table: LabTable, arm: str, measure: str) -> bool:
        """Return True if an arm has results for a measure: it could be played and broke no law of the rules."""
        return arm == self._findings.base or table.find_effect(arm, measure) is not None

    def _point_cell(self, table: LabTable, arm: str, measure: str) -> HeatCell:
        if not self._has_figures(table, arm, measure):
            return HeatCell("")
        found = table.find_effect(arm, measure)
        lies = table.mean_interval(arm, measure)
        told = format_number(lies.at, count_interval_decimals(lies))
        return HeatCell(told, found.sign, found.grade) if found else HeatCell(f"{_SAME} {told}")

    def draw_histogram_pair(self, table: LabTable, arm: str, measure: str) -> Figure:
        """Return a histogram of a measure in an arm, and below it the unchanged game's."""
        base, now = self._findings.base, self._phrase("as_it_is")
        if len(self._findings.tables) > 1:
            now = self._phrase("of_table", n=now, table=self._said.describe_table(table))
        sides = [
            HistogramSide(name, table.find_histogram(one, measure), table.find_quantile(one, measure, 0.5).at)
            for one, name in ((base, now), (arm, " ".join(filter(None, self._names.arm_name(arm)))))
        ]
        alt = self._phrase("pair_alt", measure=self._names.measure_name(measure), arm=sides[1].name)
        drawing = draw_histograms(self._pen, sides[0], sides[1], table.units[measure], alt)
        return make_figure(drawing, self._phrase("pair_key", measure=capitalise(self._names.measure_name(measure))))

    def draw_arm_bands(self, table: LabTable, arms: Sequence[str], measure: str) -> Figure:
        """Return a chart with the distribution of a measure in each of several arms."""
        named = [(self._findings.base, ("", self._phrase("as_it_is")))]
        named += [(arm, self._names.arm_name(arm)) for arm in arms]
        rows = [
            BandRow(
                *name,
                table.find_quantiles(arm, measure),
                found.sign if (found := table.find_effect(arm, measure)) else 0,
            )
            for arm, name in named
        ]
        measure = self._names.measure_name(measure)
        alt = self._phrase("bands_alt", measure=measure)
        return make_figure(draw_bands(self._pen, rows, measure, alt), self._said.explain_once("bands_key"))

    def draw_table_bands(self, measure: str) -> Figure:
        """Return a chart with the distribution of a measure at each table in the unchanged game."""
        rows = [
            BandRow("", self._said.describe_table(table), table.find_quantiles(self._findings.base, measure), 1)
            for table in self._findings.tables
            if measure in table.units
        ]
        name = self._names.measure_name(measure)
        alt = self._phrase("bands_alt", measure=name)
        return make_figure(draw_bands(self._pen, rows, name, alt), self._said.explain_once("bands_key"))

    def draw_course(self, table: LabTable) -> Figure:
        """Return a chart of points during games at a table in the unchanged game."""
        found = find_bands(self._findings.result, table.cell, self._findings.base)
        names = {"best score": "best_score", "worst score": "worst_score"}
        words = {which: self._phrase(f"brief_{names[which]}") for which in found}
        if table.cell.players == 1:
            words = dict.fromkeys(found, self._phrase("brief_score_alone"))
        parts = [FanPart(words[which], steps, 1 - 2 * at) for at, (which, steps) in enumerate(found.items())]
        told = [
            self._phrase(
                "course_told",
                measure=part.name,
                half=format_number(part.steps[len(part.steps) // 2 - 1][2], 0),
                end=format_number(part.steps[-1][2], 0),
            )
            for part in parts
        ]
        alt = self._phrase("course_alt", found=self._join(told))
        drawing = draw_fan_chart(self._pen, parts, STEPS, self._phrase("axis_course"), alt)
        return make_figure(drawing, self._said.explain_once("course_key"))

    def draw_shares(self, measures: Sequence[str]) -> Figure:
        """Return a chart of how many games (share) have each event, in the unchanged game."""
        rows, told = [], []
        for measure in measures:
            tables = [(at, table) for at, table in enumerate(self._findings.tables) if measure in table.units]
            means = [(at, table.mean_interval(self._findings.base, measure)) for at, table in tables]
            dots = [Dot(mean, filled=True, kind=at, told=f"{format_with_margin(mean)} %") for at, mean in means]
            rows.append(DotRow("", self._names.measure_name(measure), dots))
            told.append(f"{self._names.measure_name(measure)} {dots[0].told}")
        alt = self._phrase("shares_alt", found=self._join(told))
        key = self._explain_dots("shares_key")
        return make_figure(draw_interval_dots(self._pen, rows, DotAxis(self._phrase("axis_games")), alt), key)

    def _explain_dots(self, name: str) -> str:
        """Return the phrase `name` that explains dot charts, on first use; for several tables also what shapes mean."""
        key, tables = self._said.explain_once(name), self._findings.tables
        if not key or len(tables) == 1:
            return key
        return key + self._phrase("dots_tables", tables=self._join(map(self._said.describe_table, tables)))

    def draw_seats(self, players: int) -> Figure:
        """Return a chart of each seat's share of wins and its fair share, in the unchanged game."""
        tables = [table for table in self._findings.tables if table.cell.players == players]
        fair = 100 / players
        rows, told = [], []
        for seat in range(1, players + 1):
            dots = []
            for at, table in enumerate(tables):
                found = table.mean_interval(self._findings.base, f"{WIN}{seat}", players)
                verdict = judge_interval(found, fair - FAIR, fair + FAIR)
                sign = 0 if verdict != "missed" else 1 if found.at > fair else -1
                dots.append(Dot(found, verdict != "open", sign, at, f"{format_with_margin(found)} %"))
            rows.append(DotRow("", self._phrase("seat", n=seat), dots))
            told.append(f"{self._phrase('seat', n=seat)} {dots[0].told}")
        line = self._phrase("fair", share=format_number(fair, 0 if fair == int(fair) else 1))
        axis = DotAxis(self._phrase("axis_wins"), fair, line, FAIR)
        alt = self._phrase("seats_alt", found=self._join(told))
        key = self._said.explain_once("seats_key", margin=format_number(FAIR, 0))
        return make_figure(draw_interval_dots(self._pen, rows, axis, alt), key)

    def _effect_cell(self, found: ArmEffect | None) -> HeatCell:
        if found is None:
            return HeatCell("")
        if not found.stands:
            return HeatCell(_SAME) if found.same else HeatCell("", dotted=True)
        return HeatCell(format_change(found.by), found.sign, found.grade)


def format_percent(share: float) -> str:
    """Return a share as whole percent; `100 %` and `0 %` only if it is exact."""
    whole = round(100 * share)
    if whole in (0, 100) and share not in (0.0, 1.0):
        return "<1%" if whole == 0 else ">99%"
    return f"{whole}%"
