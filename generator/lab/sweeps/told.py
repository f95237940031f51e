"""A sweep in plain text: a line for each value of one number, a map with numbers for two."""

from collections.abc import Iterator, Mapping

from generator.lab.chunks import Cell
from generator.lab.findings import ArmDifference, sound, value
from generator.lab.measures import BROKEN
from generator.lab.numbers import Interval
from generator.lab.results import Result
from generator.lab.sweeps.grids import SweepGrid
from generator.lab.sweeps.morris import Influence, influences
from generator.lab.told import aligned, compared_lines, gap_texts, result_text, same_text, value_text

_ABSENT = "-"


def sweep_text(result: Result) -> str:
    """All that a result says, its grids as grids; a result without any as always."""
    return result_text(result, _compared if result.grids else None)


def _compared(result: Result, cell: Cell, found: list[ArmDifference], family: int) -> Iterator[str]:
    points = {name for grid in result.grids if grid.walks or len(grid.turned) < 3 for name in grid.arms}
    others = [arm for arm in result.arms[1:] if arm not in points]
    if others:
        rest = [one for one in found if one.arm not in points]
        yield from compared_lines(result, cell, rest, family, others)
    for grid in result.grids:
        if grid.walks:
            yield from _screened(result, cell, grid)
        elif len(grid.turned) < 3:
            yield from _grid(result, cell, grid, [one for one in found if one.arm in grid.arms], family)
        for name, why in grid.missing.items():
            yield f"  can't be played: {name}: {why}"


def _grid(result: Result, cell: Cell, grid: SweepGrid, found: list[ArmDifference], family: int) -> Iterator[str]:
    """One grid: of each measure that any point certainly changes how it goes with the numbers."""
    how = "sequences of equal parts" if result.looked else "Holm"
    names = " and ".join(axis.name for axis in grid.turned)
    yield f" by {names}, against '{result.arms[0]}'; * stands among all {family:,} differences ({how}):"
    yield from (f"  with {axis.name}={axis.said(axis.values[0])}" for axis in grid.axes if axis not in grid.turned)
    measures = list(dict.fromkeys(one.measure for one in found))
    moved = [name for name in measures if any(one.stands for one in found if one.measure == name)]
    for measure in moved:
        of_arm = {one.arm: one for one in found if one.measure == measure}
        yield f"  {result.asked.label(measure)}"
        lines = _map if len(grid.turned) == 2 else _curve
        yield from (f"    {line}" for line in lines(result, cell, grid, measure, of_arm))
    still = [result.asked.label(name) for name in measures if name not in moved]
    if still:
        yield f"  nothing that stands: {', '.join(still)}"
    same = [name for name in dict.fromkeys(grid.arms) if _all_same(result, cell, name)]
    if same:
        yield f"  100 % the same games: {', '.join(same)}"


def influences_of(result: Result, cell: Cell, grid: SweepGrid, measure: str) -> list[Influence]:
    """What each number of a screening does to a measure, the strongest first."""
    points = list(grid.points())
    lies = {point: _lies(result, cell, arm, measure) for point, arm in zip(points, grid.arms, strict=True)}
    return influences(grid.levels, points, {point: one.at for point, one in lies.items() if one is not None})


def _screened(result: Result, cell: Cell, grid: SweepGrid) -> Iterator[str]:
    """A screening: for each measure that any number moves how strongly each does, over its whole range."""
    yield f" screened by Morris' method: {grid.walks} walks, drawn by {grid.run}, through {len(grid.turned)} numbers:"
    still = []
    for measure in result.cells[cell, result.arms[0]].measures:
        found = [] if measure == BROKEN else influences_of(result, cell, grid, measure)
        if not any(one.strength for one in found):
            still += [result.asked.label(measure)] if measure != BROKEN else []
            continue
        scale, unit = (100, " pp") if measure in result.shares else (1, "")
        rows = [["", "mu*", "mu", "sigma"]]
        for one in found:
            parts = (f"{one.strength * scale:.3g}{unit}", f"{one.lean * scale:+.3g}", f"{one.spread * scale:.3g}")
            rows.append([grid.axes[one.axis].name, *parts])
        known = (_lies(result, cell, arm, measure) for arm in dict.fromkeys(grid.arms))
        half = max((lies.half for lies in known if lies is not None), default=0.0)
        yield f"  {result.asked.label(measure)}, at each point to ±{half * scale:.2g}{unit} or less"
        yield from (f"    {line}" for line in aligned(rows))
    if still:
        yield f"  moved by none: {', '.join(still)}"


def _curve(
    result: Result, cell: Cell, grid: SweepGrid, measure: str, of_arm: Mapping[str, ArmDifference]
) -> Iterator[str]:
    """A line for each value of one number: where the measure lies, what the value changes."""
    share, rows = measure in result.shares, []
    for said, arm in zip(_values(grid, 0), grid.arms, strict=True):
        lies = _lies(result, cell, arm, measure)
        row = [said, value_text(lies, share=share) if lies else _ABSENT, arm if arm == result.arms[0] else "", "", ""]
        if lies and arm in of_arm:
            gap, within = gap_texts(of_arm[arm].gap, share=share)
            row[2:] = [gap + "*" * of_arm[arm].stands, within, same_text(result.cells[cell, arm])]
        rows.append(row)
    return aligned(rows)


def _map(
    result: Result, cell: Cell, grid: SweepGrid, measure: str, of_arm: Mapping[str, ArmDifference]
) -> Iterator[str]:
    """The means of two numbers' points, a row for each value of the first; below, how wide the intervals are."""
    share, across, halves = measure in result.shares, _values(grid, 1), [0.0]
    rows = [["", *across]]
    for at, said in enumerate(_values(grid, 0)):
        row = [said]
        for arm in grid.arms[at * len(across) : (at + 1) * len(across)]:
            lies = _lies(result, cell, arm, measure)
            if lies is None:
                row.append(_ABSENT)
                continue
            halves.append(lies.half)
            mark = "=" if arm == result.arms[0] else "*" if arm in of_arm and of_arm[arm].stands else ""
            row.append(value_text(lies, share=share).partition(" (")[0] + mark)
        rows.append(row)
    yield from aligned(rows)
    yield f"each to ±{max(halves) * (100 if share else 1):.2g}{' pp' if share else ''} or less"


def _lies(result: Result, cell: Cell, arm: str, measure: str) -> Interval | None:
    """Where a measure lies in a point's games; None for a point that can't be played, or breaks a law."""
    if (cell, arm) not in result.cells or not sound(result, cell, arm):
        return None
    return value(result, measure, result.cells[cell, arm].measures[measure])


def _values(grid: SweepGrid, which: int) -> list[str]:
    axes = grid.turned or grid.axes[:1]
    return [axes[which].said(one) for one in axes[which].values]


def _all_same(result: Result, cell: Cell, arm: str) -> bool:
    """Whether a point's games went move by move as the first arm's, and all that is counted was the same."""
    sums = result.cells.get((cell, arm))
    if sums is None or arm == result.arms[0] or sums.against.identical < sums.games:
        return False
    return not any(any(gaps) for gaps in sums.against.differences.values())
