"""Two results beside each other: a draft and the next, weak bots and strong ones."""

from collections.abc import Iterator
from math import sqrt

from generator.dataclass import dataclass
from generator.errors import Problem, ProblemsFound, as_lines
from generator.lab.chunks import Cell
from generator.lab.findings import sound, value
from generator.lab.measures import BROKEN
from generator.lab.numbers import Interval
from generator.lab.results import Result, sorted_cells
from generator.lab.statistics.families import chance_of, holm
from generator.lab.statistics.intervals import moments, quantile_of_normal
from generator.lab.sums import Sums
from generator.lab.told import aligned, gap_texts, table_text, value_text


@dataclass(frozen=True, slots=True)
class _Pair:
    """A measure of an arm that both have: its values, how far the second is from the first, by what chance."""

    table: str
    arm: str
    measure: str
    values: tuple[Interval, Interval]
    gap: Interval
    chance: float


def both_text(first: Result, second: Result) -> str:
    """What both results measured at the same tables in the same arms, and where they differ.

    Their games are taken as of different seeds, because only sums are kept: the intervals are rather too wide.
    """
    return as_lines(_lines(first, second))


def same_game(first: Result, second: Result) -> None:
    """ProblemsFound for results of two games: what they measure has the same names, and means something else."""
    games = [str(one.about["game"]) for one in (first, second)]
    if games[0] != games[1]:
        what = f"these are results of two games, {games[0]} and {games[1]}"
        raise ProblemsFound([Problem(None, what, "give two of the same")])


def _lines(first: Result, second: Result) -> Iterator[str]:
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
        yield from (f"  {line}" for line in aligned([_row(first, *both) for both in shown]))
        if not shown:
            yield "  nothing that stands"
    yield ""
    yield f"'stands': no work of chance among all {len(pairs):,} differences (Holm)"


def _row(first: Result, one: _Pair, sure: bool) -> list[str]:
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
