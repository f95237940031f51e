"""Solved deals in plain text: how many can be won, beside how many bots win that don't know the order of the cards."""

from collections import Counter
from collections.abc import Iterator

from generator.errors import as_lines
from generator.lab.results import Result, sorted_cells
from generator.lab.statistics.intervals import exact_limits, share_interval
from generator.lab.winning.deals import Solved
from generator.lab.winning.solver import Outcome

WIN = "win of seat 1"
"""The measure of the bots' games."""


def winnable(outcomes: list[Outcome]) -> tuple[float, float]:
    """Limits of the share of all deals that can be won, with 95 % confidence (Clopper and Pearson 1934).

    The lower one takes every open deal for lost, the upper one for won.
    """
    won, still = sum(one.moves is not None for one in outcomes), sum(one.open for one in outcomes)
    if not outcomes:
        return 0.0, 1.0
    return exact_limits(won, len(outcomes))[0], exact_limits(won + still, len(outcomes))[1]


def solved_table(solved: Solved, played: Result | None) -> str:
    """Three kinds of lines for each arm, never one: who knows the order of the cards, and each bot, who does not."""
    return as_lines(line for arm in solved.arms for line in _lines(arm, solved, played))


def _lines(arm: str, solved: Solved, played: Result | None) -> Iterator[str]:
    outcomes = solved.of(arm)
    low, high = winnable(outcomes)
    won, still = sum(one.moves is not None for one in outcomes), sum(one.open for one in outcomes)
    lost = Counter(one.lost for one in outcomes if one.lost)
    yield f"{arm}: {len(outcomes):,} deals"
    yield (
        f"  order of cards known   {low:7.2%} to {high:7.2%}   {won:,} won, {sum(lost.values()):,} lost"
        f" ({lost['hopeless']:,} by bounds, {lost['searched']:,} searched through), {still:,} open"
    )
    widths = Counter(one.width for one in outcomes if one.moves is not None)
    yield "    won by a search of width " + ", ".join(f"{width or 'all'}: {n:,}" for width, n in sorted(widths.items()))
    for (cell, name), sums in sorted_cells(played) if played is not None else ():
        if name == arm:
            wins = sums.measures[WIN][1]
            share = share_interval(wins, sums.games)
            yield f"  {cell.shown:22} {share.low:7.2%} to {share.high:7.2%}   {wins:,} of {sums.games:,}"
