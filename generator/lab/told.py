"""A result in plain text: a table with one line for each arm."""

from collections.abc import Iterator

from generator.lab.results import Result, sorted_cells
from generator.lab.sums import Histogram, Sums
from generator.playtest.statistics import Z95


def moments(histogram: Histogram) -> tuple[float, float]:
    """Mean and variance of the values; 0 for none."""
    games = sum(histogram.values())
    if not games:
        return 0.0, 0.0
    mean = sum(value * times for value, times in histogram.items()) / games
    return mean, sum((value - mean) ** 2 * times for value, times in histogram.items()) / games


def readings_table(result: Result) -> str:
    """What each arm changes, with 95 % intervals: only what lies clear of 0."""
    return "".join(f"{line}\n" for line in _lines(result))


def _lines(result: Result) -> Iterator[str]:
    for cell in dict.fromkeys(place[0] for place, _ in sorted_cells(result)):
        yield f"{cell.players} players, {cell.shown}, {result.games(cell):,} games of each arm"
        for arm in result.arms[1:]:
            sums = result.cells[cell, arm]
            found = "; ".join(_changes(result, sums)) or "nothing clear of chance"
            yield f"  {arm:32} same games {sums.against.identical / max(1, sums.games):6.1%}  {found}"


def _changes(result: Result, sums: Sums) -> Iterator[str]:
    for name, histogram in sums.against.differences.items():
        mean, variance = moments(histogram)
        half = Z95 * (variance / max(1, sums.games)) ** 0.5
        if abs(mean) > half:
            whole = result.whole[name] / (100 if name in result.shares else 1)
            unit = " pp" if name in result.shares else ""
            yield f"{name} {mean / whole:+.2f} ±{half / whole:.2f}{unit}"
