"""Findings: how much each arm changes the measures, whether that is significant, and whether aims are met."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from generator.books.measure_names import Interval
from generator.lab.chunks import Cell
from generator.lab.measures import BROKEN, Histogram
from generator.lab.results import MeasureAim, Result, sort_cells
from generator.lab.statistics import (
    Verdict,
    adjust_holm,
    chance_of_pairs,
    difference_interval,
    difference_sequence,
    judge_interval,
    mean_interval,
    mean_sequence,
    quantile_interval,
    saved_games_factor,
    share_interval,
    share_sequence,
)

MIDDLE = 0.5


@dataclass(frozen=True, slots=True)
class ArmDifference:
    """How much an arm changes a measure at a table. `gap` is in the measure's units, for shares from -1 to 1.

    `stands`: True if it is significant among all differences. `saved`: factor by which common seeds reduce the games
    needed. `verdict`: whether the gap lies within the measure's margin, or None without a margin.
    """

    cell: Cell
    arm: str
    measure: str
    gap: Interval
    stands: bool
    saved: float
    verdict: Verdict | None


def is_sound(result: Result, cell: Cell, arm: str) -> bool:
    """Return True if no game broke a law of the rules. Otherwise the figures are invalid."""
    return not _count_broken(result, cell, arm) and not _count_broken(result, cell, result.arms[0])


def _count_broken(result: Result, cell: Cell, arm: str) -> int:
    return sum(times for value, times in result.cells[cell, arm].measures.get(BROKEN, Histogram()).items() if value)


def find_broken_laws(result: Result) -> Iterator[tuple[Cell, str, int]]:
    """Yield tables and arms with their number of games that broke a law of the rules, if any."""
    for (cell, arm), _ in sort_cells(result):
        if games := _count_broken(result, cell, arm):
            yield cell, arm, games


def find_differences(result: Result) -> list[ArmDifference]:
    """Return how much each arm changes each measure, by table, arm and measure, without arms that broke laws.

    Significance is among all differences of the result together: by Holm's method, or, if somebody looked early, by
    sequences that share the confidence equally.
    """
    pairs = [
        (cell, arm, measure, gaps)
        for (cell, arm), sums in sort_cells(result)
        for measure, gaps in sums.against.differences.items()
        if measure != BROKEN and is_sound(result, cell, arm)
    ]
    if not pairs:
        return []
    beyond = 1 - result.asked.confidence
    adjusted = [] if result.looked else adjust_holm([chance_of_pairs(gaps) for *_, gaps in pairs])
    found = []
    for number, (cell, arm, measure, gaps) in enumerate(pairs):
        if result.looked:
            stands = _gap_interval(result, measure, gaps, 1 - beyond / len(pairs)).excludes_value(0)
        else:
            stands = adjusted[number] < beyond
        gap = _gap_interval(result, measure, gaps, result.asked.confidence)
        mine, other = (result.cells[cell, one].measures[measure] for one in (arm, result.arms[0]))
        verdict = _judge_margin(result, measure, gap)
        found.append(ArmDifference(cell, arm, measure, gap, stands, saved_games_factor(mine, other, gaps), verdict))
    return found


def _gap_interval(result: Result, measure: str, gaps: Histogram, confidence: float) -> Interval:
    whole = result.whole[measure]
    share = whole if measure in result.shares else 0
    if result.looked:
        return difference_sequence(gaps, result.looked, confidence, whole=share).divide_by(whole)
    return difference_interval(gaps, confidence, whole=share).divide_by(whole)


def _judge_margin(result: Result, measure: str, gap: Interval) -> Verdict | None:
    margin = result.asked.margins.get(measure)
    return None if margin is None else judge_interval(gap, -margin, margin)


def measure_interval(result: Result, measure: str, histogram: Mapping[int, int], parts: int = 1) -> Interval:
    """Return the confidence interval of a measure's mean or share; `parts` such intervals hold simultaneously."""
    whole, confidence = result.whole[measure], 1 - (1 - result.asked.confidence) / parts
    share = measure in result.shares
    if share and not set(histogram) - {0, whole}:
        seen, games = histogram.get(whole, 0), sum(histogram.values())
        return share_sequence(seen, games, confidence) if result.looked else share_interval(seen, games, confidence)
    if result.looked:
        found = mean_sequence(histogram, result.looked, confidence).divide_by(whole)
    else:
        found = mean_interval(histogram, confidence).divide_by(whole)
    return Interval(found.at, max(0.0, found.low), min(1.0, found.high)) if share else found


def judge_aims(result: Result, cell: Cell, arm: str) -> Iterator[tuple[str, Interval, Verdict]]:
    """Yield each measure that has an aim, with its interval and the verdict."""
    sums = result.cells[cell, arm]
    for measure, aim in result.asked.aims.items():
        if measure in sums.measures and is_sound(result, cell, arm):
            histogram = sums.measures[measure]
            if measure in result.shares:
                found = measure_interval(result, measure, histogram)
            else:
                found = quantile_interval(histogram, MIDDLE, result.asked.confidence).divide_by(result.whole[measure])
            yield measure, found, judge_interval(found, *aim.find_limits(cell.players))


def widest_half(result: Result, cells: Iterable[Cell]) -> float:
    """Return the largest half width among the intervals of all shares and their changes."""
    halves = [0.0]
    for cell in cells:
        for arm in result.arms:
            sums = result.cells[cell, arm]
            for measure in result.shares - {BROKEN}:
                if arm != result.arms[0] and measure in sums.against.differences:
                    gaps = sums.against.differences[measure]
                    halves.append(_gap_interval(result, measure, gaps, result.asked.confidence).half)
                elif arm == result.arms[0] and measure in sums.measures:
                    halves.append(measure_interval(result, measure, sums.measures[measure]).half)
    return max(halves)


def are_margins_decided(result: Result, cells: Iterable[Cell]) -> bool:
    """Return True if it is decided for every margin whether the change is smaller."""
    for cell in cells:
        for arm in result.arms[1:]:
            gaps = result.cells[cell, arm].against.differences
            for measure in result.asked.margins:
                if measure in gaps:
                    gap = _gap_interval(result, measure, gaps[measure], result.asked.confidence)
                    if _judge_margin(result, measure, gap) == "open":
                        return False
    return True


def judge_arms(result: Result, cells: Iterable[Cell], confidence: float) -> dict[str, Verdict]:
    """Return for each arm in order "met" (all aims at all tables), "missed" (at least one) or "open".

    Each single statement has this confidence. Early looks use sequences.
    """
    tables = tuple(cells)
    return {arm: _combine_verdicts(_iter_verdicts(result, tables, arm, confidence)) for arm in result.arms}


def is_settled(verdicts: Iterable[Verdict]) -> bool:
    """Return True if the first arm that meets all aims is known, or if it is known that none does."""
    for verdict in verdicts:
        if verdict != "missed":
            return verdict == "met"
    return True


def _combine_verdicts(verdicts: Iterable[Verdict]) -> Verdict:
    found = set(verdicts)
    return "missed" if "missed" in found else "open" if found != {"met"} else "met"


def _iter_verdicts(result: Result, cells: tuple[Cell, ...], arm: str, confidence: float) -> Iterator[Verdict]:
    for cell in cells:
        if (cell, arm) not in result.cells:
            yield "open"
            continue
        if not is_sound(result, cell, arm):
            yield "missed"
            continue
        for measure, aim in result.asked.aims.items():
            if measure in result.cells[cell, arm].measures:
                yield judge_aim(result, measure, aim, cell, arm, confidence)


def judge_aim(result: Result, measure: str, aim: MeasureAim, cell: Cell, arm: str, confidence: float) -> Verdict:
    """Return the verdict on one aim for an arm at a table.

    The median is within the limits if fewer than half of all games are below them and fewer than half above. Both are
    shares, and sequences of shares are valid at every look.
    """
    histogram, whole = result.cells[cell, arm].measures[measure], result.whole[measure]
    low, high = aim.find_limits(cell.players)
    if measure in result.shares:
        if set(histogram) <= {0, whole}:
            seen, games = histogram.get(whole, 0), sum(histogram.values())
            share = share_sequence if result.looked else share_interval
            return judge_interval(share(seen, games, confidence), low, high)
        if result.looked:
            found = mean_sequence(histogram, result.looked, confidence)
        else:
            found = mean_interval(histogram, confidence)
        return judge_interval(found.divide_by(whole), low, high)
    outside: Mapping[str, int] = {
        "below": sum(times for number, times in histogram.items() if number < low * whole),
        "above": sum(times for number, times in histogram.items() if number > high * whole),
    }
    share, games = share_sequence if result.looked else share_interval, sum(histogram.values())
    verdicts = [judge_interval(share(seen, games, (1 + confidence) / 2), 0.0, 0.5) for seen in outside.values()]
    return _combine_verdicts(verdicts)
