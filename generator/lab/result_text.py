"""Results as plain text: a single result, two compared, and the cost of a forbidden card."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import floor, isfinite, log10, sqrt
from typing import TypeAlias

from generator.base.errors import join_lines
from generator.base.languages import phrase
from generator.books.measure_names import WIN_IN_TURN, Interval
from generator.commands.plain_text import align_columns
from generator.lab.chunks import Cell
from generator.lab.findings import (
    MIDDLE,
    ArmDifference,
    find_broken_laws,
    find_differences,
    is_sound,
    judge_aims,
    measure_interval,
)
from generator.lab.measures import BROKEN, COURSE_MEASURES, LEADS, STEPS, Sums
from generator.lab.results import Result, sort_cells
from generator.lab.statistics import (
    adjust_holm,
    chance_of_mean,
    compute_moments,
    quantile_interval,
    quantile_of_normal,
    share_interval,
)
from generator.lab.verdicts import SHARE_MARGIN, SPREAD_MARGIN, judge_readings

BAND = (0.05, 0.25, MIDDLE, 0.75, 0.95)
"""Five quantiles: 90 % of games lie between the outer ones, half of them between the inner ones."""

_MOSTLY = 0.9
"""Points show who leads if the player with the most points at the end wins at least this share of games."""


def are_leads_known(result: Result, cell: Cell, arm: str) -> bool:
    """Return True if the player with the most points usually wins, so that points show who leads; False if unknown."""
    ends = result.cells[cell, arm].measures.get(LEADS[-1])
    return ends is not None and measure_interval(result, LEADS[-1], ends).at >= _MOSTLY


def find_bands(result: Result, cell: Cell, arm: str) -> Mapping[str, tuple[tuple[float, ...], ...]]:
    """Return, for `best score` and `worst score` if measured, the quantiles BAND at each part (STEPS) of a game."""
    measures = result.cells[cell, arm].measures
    found = {}
    for which in ("best score", "worst score"):
        if f"{which}: {STEPS[0]}" in measures:
            steps = (measures[f"{which}: {step}"] for step in STEPS)
            found[which] = tuple(tuple(quantile_interval(one, share).at for share in BAND) for one in steps)
    return found


def hidden_measures(result: Result, cell: Cell, arm: str) -> frozenset[str]:
    """Return the measures without a line of their own: points during games, and leads unless points show who leads."""
    return COURSE_MEASURES - frozenset(LEADS) if are_leads_known(result, cell, arm) else COURSE_MEASURES


_AIMS = {"met": "met", "missed": "missed", "open": "not yet known"}
_MARGINS = {"met": "no difference that matters", "missed": "a difference that matters", "open": "not yet known"}


ComparisonLines: TypeAlias = Callable[[Result, Cell, list[ArmDifference], int], Iterator[str]]
"""Returns the lines about one table's differences; its last argument is the number of differences in the result."""


NOT_PEOPLE = "Bots are not people: skilled players may get other results."


def format_result(result: Result, compared: ComparisonLines | None = None) -> str:
    """Return a result as text. `compared`, if given, writes the lines about differences."""
    return join_lines(frame_lines(result, _iter_result_lines(result, compared)))


def frame_lines(result: Result, body: Iterable[str], *notes: str) -> Iterator[str]:
    """Yield the text of a result: heading, question, broken laws, then `body` and notes."""
    about, each = result.about, f"{result.asked.confidence:.4g}".removeprefix("0.").ljust(2, "0")
    percent = f"{each[:2]}.{each[2:]}" if len(each) > 2 else each
    how = f"intervals of {percent} %{', which hold at every look' if result.looked else ''}"
    yield f"{about['game']}, draft {about['draft']}: run {about['experiment']['run']}, {how}"
    yield from result.asked.question.values()
    for cell, arm, games in find_broken_laws(result):
        yield f"{arm}, {format_table(cell)}: a law is broken in {games:,} games; their figures are left out"
    yield from body
    yield from ("", *notes, NOT_PEOPLE)


def _iter_result_lines(result: Result, compared: ComparisonLines | None) -> Iterator[str]:
    found = find_differences(result)
    if result.asked.unreached is not None:
        yield from _iter_verdict_lines(result)
    for cell in dict.fromkeys(place[0] for place, _ in sort_cells(result)):
        yield ""
        yield f"{format_table(cell)}: {result.count_games(cell):,} games of each arm"
        if len(result.arms) > 1:
            here = [one for one in found if one.cell == cell]
            if compared is None:
                yield from format_differences(result, cell, here, len(found), result.arms[1:])
            else:
                yield from compared(result, cell, here, len(found))
        elif is_sound(result, cell, result.arms[0]):
            yield from _figure_lines(result, cell)
        yield from _aim_lines(result, cell)


def _iter_verdict_lines(result: Result) -> Iterator[str]:
    """Yield one line for each reading, in the order in which to decide them."""
    yield ""
    yield "what to decide first, by turns, points, seats and endings:"
    rows = []
    for one in judge_readings(result):
        more, main = [""], one.main
        if main is not None and one.verdict != "never":
            share = main.measure in result.shares
            label, gap = result.asked.find_label(main.measure), " ".join(format_gap(main.gap, share=share))
            more = [f"{label} {gap} with {format_table(main.cell)}"]
            least, most = (f"{end * (100 if share else 1):+.3g}" for end in one.reach)
            more += [f"{least} to {most} at all tables"] if least != most else []
            more += [f"needs {one.games:,} games"] if one.games else []
        elif one.verdict == "never":
            more = [f"it matters in {one.where}" if one.where else "no position found in which it matters"]
        rows.append([one.arm, phrase(f"verdict_{one.verdict}", "en"), "; ".join(more)])
    yield from align_columns(rows, "  ")
    yield f"  too small: within {100 * SHARE_MARGIN:.0f} % of the games or {SPREAD_MARGIN:g} standard deviations"


def format_table(cell: Cell) -> str:
    """Return the number of players and the bots of a table as text."""
    return f"{cell.players} player{'s' * (cell.players > 1)}, {cell.bot_names}"


def format_differences(
    result: Result, cell: Cell, differences: list[ArmDifference], family: int, others: Iterable[str]
) -> Iterator[str]:
    """Yield lines: significant differences, then arms in `others` without one, then verdicts by margins.

    `family` is the number of differences that were tested together.
    """
    standing = [one for one in differences if one.stands]
    how = "sequences of equal parts" if result.looked else "Holm"
    yield f" significant differences from '{result.arms[0]}', of {family:,} tested ({how}):"
    arms = dict.fromkeys(one.arm for one in standing)
    for arm in arms:
        yield f"  {arm} ({format_identical(result.cells[cell, arm])})"
        rows = [_make_effect_row(result, one) for one in standing if one.arm == arm]
        yield from align_columns(rows, "    ")
    if not arms:
        yield "  none"
    rest = [arm for arm in others if arm not in arms and is_sound(result, cell, arm)]
    if rest:
        same = ", ".join(f"{arm} ({format_identical(result.cells[cell, arm])})" for arm in rest)
        yield f"  not significant: {same}"
    margins = [one for one in differences if one.verdict is not None]
    if margins:
        yield " by the margins:"
        rows = []
        for one in margins:
            scale, unit = (100, " pp") if one.measure in result.shares else (1, "")
            verdict = f"{_MARGINS[str(one.verdict)]} (±{scale * result.asked.margins[one.measure]:g}{unit})"
            rows.append([one.arm, *_make_effect_row(result, one)[:3], verdict])
        yield from align_columns(rows, "  ")


def format_identical(sums: Sums) -> str:
    """Return a sentence with the share of an arm's games that are identical to those of the first arm."""
    return f"{sums.against.identical / max(1, sums.games):.1%} identical games".replace("%", " %")


def _make_effect_row(result: Result, one: ArmDifference) -> list[str]:
    share = one.measure in result.shares
    saved = f"pairs save {one.saved:.2g} x" if not 0.95 < one.saved < 1.05 else ""
    if one.differ is not None:
        by = f", by {' '.join(format_gap(one.size, share=share))}" if one.size is not None else ""
        saved = f"{format_interval(one.differ, share=True)} of the games differ{by}"
    return [result.asked.find_label(one.measure), *format_gap(one.gap, share=share), saved]


def format_gap(gap: Interval, *, share: bool) -> list[str]:
    """Return a difference and its interval, for shares in percentage points, with significant digits only."""
    scale, unit = (100, " pp") if share else (1, "")
    digits = _count_digits(gap.half * scale)
    at, low, high = (f"{part * scale:+.{digits}f}" for part in (gap.at, gap.low, gap.high))
    return [f"{at}{unit}", f"({low} to {high})"]


def format_interval(found: Interval, *, share: bool) -> str:
    """Return a figure with its interval: `49.3 % (48.1 to 50.5)`; a share in percent."""
    scale, unit = (100, " %") if share else (1, "")
    digits = _count_digits(found.half * scale)
    at, low, high = (f"{part * scale:.{digits}f}" for part in (found.at, found.low, found.high))
    return f"{at}{unit} ({low} to {high})"


def _count_digits(half: float) -> int:
    """Return how many decimals show two digits of a half width; 1 if it is 0 or infinite."""
    return min(6, max(0, 1 - floor(log10(half)))) if isfinite(half) and half > 0 else 1


def _aim_lines(result: Result, cell: Cell) -> Iterator[str]:
    rows = []
    for arm in result.arms:
        for measure, found, verdict in judge_aims(result, cell, arm):
            told = format_aim(result, cell, measure, found)
            rows.append([arm, result.asked.find_label(measure), told, _AIMS[verdict]])
    if rows:
        yield " aims:"
        yield from align_columns(rows, "  ")


def format_aim(result: Result, cell: Cell, measure: str, interval: Interval) -> str:
    """Return a measure's interval and the limits of its aim: `49 % (48 to 50), wanted 45 to 55 %`."""
    share = measure in result.shares
    low, high = result.asked.aims[measure].find_limits(cell.players)
    limits = f"{100 * low:.4g} to {100 * high:.4g} %" if share else f"{low:g} to {high:g}"
    told = (
        format_interval(interval, share=True) if share else f"{interval.at:g} ({interval.low:g} to {interval.high:g})"
    )
    return f"{told}, wanted {limits}"


def _figure_lines(result: Result, cell: Cell) -> Iterator[str]:
    """Yield the figures of a single arm: numbers (median, mean), seats, shares, and events that never happened."""
    sums = result.cells[cell, result.arms[0]]
    seats = [name for name in sums.measures if name.startswith("win of seat ")]
    never: list[str] = []
    rows: list[list[str]] = []
    beside = hidden_measures(result, cell, result.arms[0])
    for name, histogram in sums.measures.items():
        share, label = name in result.shares, result.asked.find_label(name)
        if name == BROKEN or name in beside:
            continue
        if share:
            found = measure_interval(result, name, histogram, len(seats) if name in seats else 1)
            if set(histogram) == {0}:
                never.append(f"{label} (below {100 * found.high:.2g} %)")
            else:
                fair = _compare_fair_share(cell, found) if name in seats else ""
                rows.append([label, format_interval(found, share=True), fair])
        else:
            mean = f"mean {format_interval(measure_interval(result, name, histogram), share=False)}"
            if len(histogram) == 1:
                least = share_interval(sums.games, sums.games, result.asked.confidence).low
                mean = f"always {next(iter(histogram)) / result.whole[name]:g} (in {100 * least:.3g} % or more)"
            values, whole = sums.measures[name], result.whole[name]
            middle = quantile_interval(values, MIDDLE, result.asked.confidence).divide_by(whole)
            least, most = (quantile_interval(values, share).divide_by(whole).at for share in (0.05, 0.95))
            band = f"median {middle.at:g} ({middle.low:g} to {middle.high:g}), 90 % from {least:g} to {most:g}"
            rows.append([label, mean, band])
    yield from align_columns(rows, "  ")
    if never:
        yield f"  never: {', '.join(never)}"
    ends = sums.measures.get(LEADS[-1])
    if ends is not None and not are_leads_known(result, cell, result.arms[0]):
        won = measure_interval(result, LEADS[-1], ends).at
        yield f"  the leader is not shown: most points at the end win only {100 * won:.0f} % of the games"
    rows = [["after this share of the turns", *STEPS]]
    for which, steps in find_bands(result, cell, result.arms[0]).items():
        for name, at in (("median", 2), ("5 % have less than", 0), ("5 % have more than", 4)):
            rows.append([f"  {which}, {name}", *(f"{step[at]:g}" for step in steps)])
    yield from align_columns(rows if len(rows) > 1 else (), "  ")


def _compare_fair_share(cell: Cell, interval: Interval) -> str:
    fair = 1 / cell.players
    if cell.players == 1 or not interval.excludes_value(fair):
        return f"fair is {fair:.1%}".replace("%", " %") if cell.players > 1 else ""
    return f"{'more' if interval.at > fair else 'less'} than its fair {fair:.1%}".replace("%", " %")


@dataclass(frozen=True, slots=True)
class _Pair:
    """A measure of an arm in two results: both values, their difference, and the probability of that by chance."""

    table: str
    arm: str
    measure: str
    values: tuple[Interval, Interval]
    gap: Interval
    chance: float


def compare_results(first: Result, second: Result) -> str:
    """Return the differences between two results with the same tables and arms as text.

    Their games are treated as having different seeds, because only sums are stored. So the intervals are rather too
    wide.
    """
    return join_lines(_iter_comparison_lines(first, second))


def _iter_comparison_lines(first: Result, second: Result) -> Iterator[str]:
    for which, one in (("first", first), ("second", second)):
        yield f"{which}: {one.about['game']}, draft {one.about['draft']}, run {one.about['experiment']['run']}"
    pairs = []
    for (cell, arm), sums in sort_cells(first):
        other = second.cells.get((cell, arm))
        if other is None or not is_sound(first, cell, arm) or not is_sound(second, cell, arm):
            continue
        pairs += [
            _make_pair((first, sums), (second, other), cell, arm, measure)
            for measure in sums.measures
            if measure in other.measures and measure != BROKEN and first.whole[measure] == second.whole[measure]
        ]
    if not pairs:
        yield "the results have no table, arm and measure in common"
        return
    stands = [chance < 1 - first.asked.confidence for chance in adjust_holm([one.chance for one in pairs])]
    for table, arm in dict.fromkeys((one.table, one.arm) for one in pairs):
        yield ""
        yield f"{table}, {arm}:"
        here = [(one, sure) for one, sure in zip(pairs, stands, strict=True) if (one.table, one.arm) == (table, arm)]
        shown = here if arm in (first.arms[0], second.arms[0]) else [both for both in here if both[1]]
        rows = []
        for pair, sure in shown:
            share, name = pair.measure in first.shares, first.asked.find_label(pair.measure)
            told = [*(format_interval(one, share=share) for one in pair.values), *format_gap(pair.gap, share=share)]
            rows.append([name, *told, "significant" if sure else ""])
        yield from align_columns(rows, "  ")
        if not shown:
            yield "  not significant"
    yield ""
    yield f"'significant': among all {len(pairs):,} differences (Holm)"


def _make_pair(first: tuple[Result, Sums], second: tuple[Result, Sums], cell: Cell, arm: str, measure: str) -> _Pair:
    histograms = [sums.measures[measure] for _, sums in (first, second)]
    values = [measure_interval(result, measure, sums.measures[measure]) for result, sums in (first, second)]
    games, means, variances = zip(*map(compute_moments, histograms), strict=True)
    whole = first[0].whole[measure]
    spread = sum(variance / max(1, number) for variance, number in zip(variances, games, strict=True))
    gap, half = means[1] - means[0], quantile_of_normal(first[0].asked.confidence) * sqrt(spread)
    found = Interval(gap, gap - half, gap + half).divide_by(whole)
    return _Pair(format_table(cell), arm, measure, (values[0], values[1]), found, chance_of_mean(gap, spread * 2, 2))


def is_restriction_result(result: Result, kind: str = "without") -> bool:
    """Return True if the arms make one seat play without a card (`kind` "without") or by a strategy ("strategy")."""
    return any(kind in arm for arm in result.about["experiment"]["arms"].values())


def format_restriction_result(result: Result) -> str:
    """Return a result as text in which one seat goes without a card or plays a strategy."""
    found = [one for one in find_differences(result) if one.measure == WIN_IN_TURN]
    note = f"*: significant among {len(found):,} differences (Holm)."
    lines = _iter_strategy_lines if is_restriction_result(result, "strategy") else _iter_restriction_lines
    body = (
        line
        for cell in dict.fromkeys(place[0] for place, _ in sort_cells(result))
        for line in ("", *lines(result, cell, [one for one in found if one.cell == cell]))
    )
    return join_lines(frame_lines(result, body, note))


def _iter_restriction_lines(result: Result, cell: Cell, found: list[ArmDifference]) -> Iterator[str]:
    yield f"{format_table(cell)}: {result.count_games(cell):,} games of each, change in one seat's share of wins"
    found = sorted(found, key=lambda one: one.gap.at)
    yield from align_columns(
        [[*_format_change(one), format_identical(result.cells[cell, one.arm])] for one in found], "  "
    )


def _iter_strategy_lines(result: Result, cell: Cell, found: list[ArmDifference]) -> Iterator[str]:
    shares = {
        arm: format_interval(
            measure_interval(result, WIN_IN_TURN, result.cells[cell, arm].measures[WIN_IN_TURN]), share=True
        )
        for arm in result.arms
    }
    fair = f"fair is {100 / cell.players:.1f} %" if cell.players > 1 else f"the bot wins {shares[result.arms[0]]}"
    yield f"{format_table(cell)}: {result.count_games(cell):,} games of each, wins of a seat that plays so ({fair})"
    told = result.about["experiment"]["arms"]
    found = sorted(found, key=lambda one: -one.gap.at)
    rows = [
        [one.arm, shares[one.arm], *_format_change(one)[1:], told[one.arm]["strategy"]["sentence"]] for one in found
    ]
    yield from align_columns(rows, "  ")
    strong = [one.arm for one in found if one.stands and one.gap.at > 0]
    yield f" wins too often: {', '.join(strong)}" if strong else " no strategy wins too often"


def _format_change(one: ArmDifference) -> list[str]:
    return [one.arm, *format_gap(one.gap, share=True), "*" if one.stands else ""]
