"""Results as plain text: one alone, two side by side, and the cost of a missing card."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import floor, isfinite, log10, sqrt
from typing import TypeAlias

from generator.base.dataclass import dataclass
from generator.base.errors import Problem, ProblemsFound, as_lines
from generator.books.measure_names import WIN_IN_TURN, Interval
from generator.lab.chunks import Cell
from generator.lab.findings import MIDDLE, ArmDifference, broken_laws, findings, judgements, sound, value
from generator.lab.measures import BROKEN, LEADS, OF_COURSE, STEPS, Sums
from generator.lab.results import Result, sorted_cells
from generator.lab.statistics.intervals import Verdict, chance_of, holm, moments, quantile_interval, quantile_of_normal

BAND = (0.05, 0.25, MIDDLE, 0.75, 0.95)
"""Quantiles of a band: 90 % of games lie between the outer ones, half of them between the inner ones."""

_MOSTLY = 0.9
"""Minimum share of games won by the final leader in points, for points to show who leads."""


def leads_are_told(result: Result, cell: Cell, arm: str) -> bool:
    """Return True if most points usually win. Otherwise points do not show who leads."""
    ends = result.cells[cell, arm].measures.get(LEADS[-1])
    return ends is not None and value(result, LEADS[-1], ends).at >= _MOSTLY


def bands(result: Result, cell: Cell, arm: str) -> Mapping[str, tuple[tuple[float, ...], ...]]:
    """Return for `best score` and `worst score` the values at BAND after each of STEPS, if games were followed."""
    measures = result.cells[cell, arm].measures
    found = {}
    for which in ("best score", "worst score"):
        if f"{which}: {STEPS[0]}" in measures:
            steps = (measures[f"{which}: {step}"] for step in STEPS)
            found[which] = tuple(tuple(quantile_interval(one, share).at for share in BAND) for one in steps)
    return found


def untold(result: Result, cell: Cell, arm: str) -> frozenset[str]:
    """Return the measures that are not listed separately.

    These are points during games, and leads if points do not show who leads.
    """
    return OF_COURSE - frozenset(LEADS) if leads_are_told(result, cell, arm) else OF_COURSE


def course_rows(result: Result, cell: Cell, arm: str) -> Iterator[list[str]]:
    """Yield the rows of a text table: a column for each of STEPS, rows for the median and the 90 % limits."""
    found = bands(result, cell, arm)
    if not found:
        return
    yield ["after so much of the turns", *STEPS]
    for which, steps in found.items():
        for name, at in (("middle", 2), ("5 % have less than", 0), ("5 % have more than", 4)):
            yield [f"  {which}, {name}", *(f"{step[at]:g}" for step in steps)]


def no_leads(result: Result, cell: Cell, arm: str) -> str:
    """Return a note if leads were measured but points do not show who leads, or an empty string."""
    ends = result.cells[cell, arm].measures.get(LEADS[-1])
    if ends is None or leads_are_told(result, cell, arm):
        return ""
    share = value(result, LEADS[-1], ends).at
    return f"who leads is not told: most points at the end win only {100 * share:.0f} % of the games"


_AIMS = {"met": "met", "missed": "missed", "open": "not yet known"}
_MARGINS = {"met": "no difference that matters", "missed": "a difference that matters", "open": "not yet known"}


Compared: TypeAlias = Callable[[Result, Cell, list[ArmDifference], int], Iterator[str]]
"""Function that yields the lines of a table's differences, given their number in the whole result."""


def result_text(result: Result, compared: Compared | None = None) -> str:
    """Return a result as text. `compared` replaces the lines of a table's differences."""
    return as_lines(_iter_result_lines(result, compared or _all_compared))


def _iter_result_lines(result: Result, compared: Compared) -> Iterator[str]:
    about = result.about
    yield f"{about['game']}, draft {about['draft']}: run {about['experiment']['run']}, {method_text(result)}"
    yield from result.asked.question.values()
    for cell, arm, games in broken_laws(result):
        yield f"{arm}, {table_text(cell)}: a law is broken in {games:,} games; their figures are left out"
    found = findings(result)
    for cell in dict.fromkeys(place[0] for place, _ in sorted_cells(result)):
        yield ""
        yield f"{table_text(cell)}: {result.games(cell):,} games of each arm"
        if len(result.arms) > 1:
            yield from compared(result, cell, [one for one in found if one.cell == cell], len(found))
        elif sound(result, cell, result.arms[0]):
            yield from _figures(result, cell)
        yield from _judged(result, cell)
    yield ""
    yield "Bots are not people: with good players it may be otherwise."


def method_text(result: Result) -> str:
    """Return a description of the confidence of its intervals."""
    each = f"{result.asked.confidence:.4g}".removeprefix("0.").ljust(2, "0")
    how = f"{each[:2]}.{each[2:]}" if len(each) > 2 else each
    return f"intervals of {how} %{', which hold at every look' if result.looked else ''}"


def table_text(cell: Cell) -> str:
    """Return the players of a table as text."""
    return f"{cell.players} player{'s' * (cell.players > 1)}, {cell.shown}"


def _all_compared(result: Result, cell: Cell, found: list[ArmDifference], family: int) -> Iterator[str]:
    return compared_lines(result, cell, found, family, result.arms[1:])


def compared_lines(
    result: Result, cell: Cell, found: list[ArmDifference], family: int, others: Iterable[str]
) -> Iterator[str]:
    """Yield the significant differences of some arms, then the rest, then the verdicts by margins."""
    standing = [one for one in found if one.stands]
    how = "sequences of equal parts" if result.looked else "Holm"
    yield f" against '{result.arms[0]}', what stands among all {family:,} differences ({how}):"
    arms = dict.fromkeys(one.arm for one in standing)
    for arm in arms:
        yield f"  {arm} ({same_text(result.cells[cell, arm])})"
        rows = [_make_effect_row(result, one) for one in standing if one.arm == arm]
        yield from (f"    {line}" for line in aligned(rows))
    if not arms:
        yield "  nothing"
    rest = [arm for arm in others if arm not in arms and sound(result, cell, arm)]
    if rest:
        yield f"  nothing that stands: {', '.join(f'{arm} ({same_text(result.cells[cell, arm])})' for arm in rest)}"
    margins = [one for one in found if one.verdict is not None]
    if margins:
        yield " by the margins:"
        rows = [[one.arm, *_make_effect_row(result, one)[:3], _of_margin(result, one)] for one in margins]
        yield from (f"  {line}" for line in aligned(rows))


def same_text(sums: Sums) -> str:
    """Return the share of an arm's games that equal those of the first arm."""
    return f"{sums.against.identical / max(1, sums.games):.1%} the same games".replace("%", " %")


def _make_effect_row(result: Result, one: ArmDifference) -> list[str]:
    share = one.measure in result.shares
    saved = f"pairs save {one.saved:.2g} x" if not 0.95 < one.saved < 1.05 else ""
    return [result.asked.label(one.measure), *gap_texts(one.gap, share=share), saved]


def _of_margin(result: Result, one: ArmDifference) -> str:
    margin, verdict = result.asked.margins[one.measure], _MARGINS[str(one.verdict)]
    return f"{verdict} (±{100 * margin:g} pp)" if one.measure in result.shares else f"{verdict} (±{margin:g})"


def gap_texts(gap: Interval, *, share: bool) -> list[str]:
    """Return a difference and its interval, for shares in percentage points, with significant digits only."""
    scale, unit = (100, " pp") if share else (1, "")
    digits = _digits(gap.half * scale)
    at, low, high = (f"{part * scale:+.{digits}f}" for part in (gap.at, gap.low, gap.high))
    return [f"{at}{unit}", f"({low} to {high})"]


def value_text(found: Interval, *, share: bool) -> str:
    """Return a figure with its interval."""
    scale, unit = (100, " %") if share else (1, "")
    digits = _digits(found.half * scale)
    at, low, high = (f"{part * scale:.{digits}f}" for part in (found.at, found.low, found.high))
    return f"{at}{unit} ({low} to {high})"


def _digits(half: float) -> int:
    """Return the decimals that show two digits of the half width, or 1 if it is 0 or infinite."""
    return min(6, max(0, 1 - floor(log10(half)))) if isfinite(half) and half > 0 else 1


def aligned(rows: Iterable[list[str]]) -> Iterator[str]:
    """Yield the rows as lines with aligned columns."""
    known = list(rows)
    if not known:
        return
    widths = [max(map(len, column)) for column in zip(*known, strict=True)]
    for row in known:
        yield "  ".join(part.ljust(width) for part, width in zip(row, widths, strict=True)).rstrip()


def _judged(result: Result, cell: Cell) -> Iterator[str]:
    rows = []
    for arm in result.arms:
        for measure, found, verdict in judgements(result, cell, arm):
            rows.append(
                [arm, result.asked.label(measure), aim_text(result, cell, measure, found), _aim_verdict(verdict)]
            )
    if rows:
        yield " aims:"
        yield from (f"  {line}" for line in aligned(rows))


def _aim_verdict(verdict: Verdict) -> str:
    return _AIMS[verdict]


def aim_text(result: Result, cell: Cell, measure: str, found: Interval) -> str:
    """Return the interval of a measure and its aim."""
    share = measure in result.shares
    low, high = result.asked.aims[measure].limits(cell.players)
    limits = f"{100 * low:.4g} to {100 * high:.4g} %" if share else f"{low:g} to {high:g}"
    told = value_text(found, share=True) if share else f"{found.at:g} ({found.low:g} to {found.high:g})"
    return f"{told}, wanted {limits}"


def _figures(result: Result, cell: Cell) -> Iterator[str]:
    """Yield the figures of a single arm: median and mean of numbers, all seats, shares, events that never happened."""
    sums = result.cells[cell, result.arms[0]]
    seats = [name for name in sums.measures if name.startswith("win of seat ")]
    never: list[str] = []
    rows: list[list[str]] = []
    beside = untold(result, cell, result.arms[0])
    for name, histogram in sums.measures.items():
        share, label = name in result.shares, result.asked.label(name)
        if name == BROKEN or name in beside:
            continue
        if share:
            found = value(result, name, histogram, len(seats) if name in seats else 1)
            if set(histogram) == {0}:
                never.append(f"{label} (below {100 * found.high:.2g} %)")
            else:
                rows.append([label, value_text(found, share=True), _fair(cell, found) if name in seats else ""])
        else:
            mean = value_text(value(result, name, histogram), share=False)
            rows.append([label, f"mean {mean}", _band(result, name, sums)])
    yield from (f"  {line}" for line in aligned(rows))
    if never:
        yield f"  never: {', '.join(never)}"
    if said := no_leads(result, cell, result.arms[0]):
        yield f"  {said}"
    yield from (f"  {line}" for line in aligned(course_rows(result, cell, result.arms[0])))


def _fair(cell: Cell, found: Interval) -> str:
    """Return a comparison of a seat's wins with its fair share. The intervals of all seats hold together."""
    fair = 1 / cell.players
    if cell.players == 1 or not found.clear_of(fair):
        return f"fair is {fair:.1%}".replace("%", " %") if cell.players > 1 else ""
    return f"{'more' if found.at > fair else 'less'} than its fair {fair:.1%}".replace("%", " %")


def _band(result: Result, name: str, sums: Sums) -> str:
    histogram, whole = sums.measures[name], result.whole[name]
    middle = quantile_interval(histogram, MIDDLE, result.asked.confidence).divided(whole)
    least, most = (quantile_interval(histogram, share).divided(whole).at for share in (0.05, 0.95))
    return f"middle {middle.at:g} ({middle.low:g} to {middle.high:g}), 90 % lie from {least:g} to {most:g}"


@dataclass(frozen=True, slots=True)
class _Pair:
    """A measure of an arm in two results: its values, their gap, and the probability of that gap by chance."""

    table: str
    arm: str
    measure: str
    values: tuple[Interval, Interval]
    gap: Interval
    chance: float


def both_text(first: Result, second: Result) -> str:
    """Return a comparison of two results with the same tables and arms.

    Their games are treated as having different seeds, because only sums are stored. So the intervals are rather too
    wide.
    """
    return as_lines(_iter_comparison_lines(first, second))


def same_game(first: Result, second: Result) -> None:
    """Raise ProblemsFound for results of two games, whose measures have the same names but other meanings."""
    games = [str(one.about["game"]) for one in (first, second)]
    if games[0] != games[1]:
        what = f"these are results of two games, {games[0]} and {games[1]}"
        raise ProblemsFound([Problem(None, what, "give two of the same")])


def _iter_comparison_lines(first: Result, second: Result) -> Iterator[str]:
    for which, one in (("first", first), ("second", second)):
        yield f"{which}: {one.about['game']}, draft {one.about['draft']}, run {one.about['experiment']['run']}"
    pairs = list(_pairs(first, second))
    if not pairs:
        yield "they have no table, arm and measure in common"
        return
    stands = [chance < 1 - first.asked.confidence for chance in holm([one.chance for one in pairs])]
    for table, arm in dict.fromkeys((one.table, one.arm) for one in pairs):
        yield ""
        yield f"{table}, {arm}:"
        here = [(one, sure) for one, sure in zip(pairs, stands, strict=True) if (one.table, one.arm) == (table, arm)]
        shown = here if arm in (first.arms[0], second.arms[0]) else [both for both in here if both[1]]
        yield from (f"  {line}" for line in aligned([_make_comparison_row(first, *both) for both in shown]))
        if not shown:
            yield "  nothing that stands"
    yield ""
    yield f"'stands': no work of chance among all {len(pairs):,} differences (Holm)"


def _make_comparison_row(first: Result, one: _Pair, sure: bool) -> list[str]:
    share = one.measure in first.shares
    told = [value_text(found, share=share) for found in one.values]
    return [first.asked.label(one.measure), *told, *gap_texts(one.gap, share=share), "stands" if sure else ""]


def _pairs(first: Result, second: Result) -> Iterator[_Pair]:
    for (cell, arm), sums in sorted_cells(first):
        other = second.cells.get((cell, arm))
        if other is None or not sound(first, cell, arm) or not sound(second, cell, arm):
            continue
        for measure in sums.measures:
            if measure in other.measures and measure != BROKEN and first.whole[measure] == second.whole[measure]:
                yield _pair((first, sums), (second, other), cell, arm, measure)


def _pair(one: tuple[Result, Sums], other: tuple[Result, Sums], cell: Cell, arm: str, measure: str) -> _Pair:
    histograms = [sums.measures[measure] for _, sums in (one, other)]
    values = [value(result, measure, sums.measures[measure]) for result, sums in (one, other)]
    games, means, variances = zip(*map(moments, histograms), strict=True)
    whole = one[0].whole[measure]
    spread = sum(variance / max(1, number) for variance, number in zip(variances, games, strict=True))
    gap, half = means[1] - means[0], quantile_of_normal(one[0].asked.confidence) * sqrt(spread)
    found = Interval(gap, gap - half, gap + half).divided(whole)
    return _Pair(table_text(cell), arm, measure, (values[0], values[1]), found, chance_of(gap, spread * 2, 2))


def goes_without(result: Result) -> bool:
    """Return True if the result is one of restricted play."""
    return any("without" in arm for arm in result.about["experiment"]["arms"].values())


def without_text(result: Result) -> str:
    """Return a result of restricted play as text."""
    return as_lines(_iter_restriction_lines(result))


def _iter_restriction_lines(result: Result) -> Iterator[str]:
    about = result.about
    yield f"{about['game']}, draft {about['draft']}: run {about['experiment']['run']}, {method_text(result)}"
    for cell, arm, games in broken_laws(result):
        yield f"{arm}, {table_text(cell)}: a law is broken in {games:,} games; their figures are left out"
    found = [one for one in findings(result) if one.measure == WIN_IN_TURN]
    for cell in dict.fromkeys(place[0] for place, _ in sorted_cells(result)):
        yield ""
        yield f"{table_text(cell)}: {result.games(cell):,} games of each, share of wins of one seat that goes"
        rows = [
            _make_restriction_row(result, cell, one)
            for one in sorted(found, key=lambda one: one.gap.at)
            if one.cell == cell
        ]
        yield from (f"  {line}" for line in aligned(rows))
    yield ""
    yield f"*: no work of chance among all {len(found):,} differences (Holm)."
    yield "Bots are not people: with good players it may be otherwise."


def _make_restriction_row(result: Result, cell: Cell, one: ArmDifference) -> list[str]:
    sums = result.cells[cell, one.arm]
    same = f"{sums.against.identical / max(1, sums.games):.0%} the same games".replace("%", " %")
    return [one.arm, *gap_texts(one.gap, share=True), "*" if one.stands else "", same]
