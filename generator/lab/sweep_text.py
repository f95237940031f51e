"""Sweeps (experiments over ranges of values) as plain text, and the smallest change that meets all aims."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from generator.base.errors import join_lines
from generator.books.measure_names import Interval
from generator.commands.plain_text import align_columns
from generator.lab.chunks import Cell
from generator.lab.findings import ArmDifference, is_sound, judge_aims, judge_arms, measure_interval
from generator.lab.measures import BROKEN
from generator.lab.result_text import (
    NOT_PEOPLE,
    format_aim,
    format_differences,
    format_gap,
    format_identical,
    format_interval,
    format_result,
    format_table,
)
from generator.lab.results import Result
from generator.lab.statistics import Verdict
from generator.lab.sweeps import Influence, SweepGrid, compute_influences

_ABSENT = "-"


def format_sweep(result: Result) -> str:
    """Return a result as text; results over ranges of values are tables."""
    return format_result(result, _compare_points if result.grids else None)


def _compare_points(result: Result, cell: Cell, differences: list[ArmDifference], family: int) -> Iterator[str]:
    points = {name for grid in result.grids if grid.walks or len(grid.varied_ranges) < 3 for name in grid.arms}
    others = [arm for arm in result.arms[1:] if arm not in points]
    if others:
        rest = [one for one in differences if one.arm not in points]
        yield from format_differences(result, cell, rest, family, others)
    for grid in result.grids:
        if grid.walks:
            yield from _screening_lines(result, cell, grid)
        elif len(grid.varied_ranges) < 3:
            yield from _grid_lines(result, cell, grid, [one for one in differences if one.arm in grid.arms], family)
        for name, why in grid.missing.items():
            yield f"  can't be played: {name}: {why}"


def _grid_lines(
    result: Result, cell: Cell, grid: SweepGrid, differences: list[ArmDifference], family: int
) -> Iterator[str]:
    """Yield the lines of a grid: a table for each measure that changes significantly (of `family` tests) at a point."""
    how = "sequences of equal parts" if result.looked else "Holm"
    names = " and ".join(axis.name for axis in grid.varied_ranges)
    yield f" by {names}, compared with '{result.arms[0]}'; *: significant among {family:,} differences ({how}):"
    yield from (
        f"  with {axis.name}={axis.format_value(axis.values[0])}"
        for axis in grid.axes
        if axis not in grid.varied_ranges
    )
    measures = list(dict.fromkeys(one.measure for one in differences))
    moved = [name for name in measures if any(one.stands for one in differences if one.measure == name)]
    for measure in moved:
        of_arm = {one.arm: one for one in differences if one.measure == measure}
        yield f"  {result.asked.find_label(measure)}"
        lines = _map_lines if len(grid.varied_ranges) == 2 else _curve_lines
        yield from (f"    {line}" for line in lines(result, cell, grid, measure, of_arm))
    still = [result.asked.find_label(name) for name in measures if name not in moved]
    if still:
        yield f"  not significant: {', '.join(still)}"
    same = [name for name in dict.fromkeys(grid.arms) if _is_identical(result, cell, name)]
    if same:
        yield f"  100 % identical games: {', '.join(same)}"


def find_influences(result: Result, cell: Cell, grid: SweepGrid, measure: str) -> list[Influence]:
    """Return how much each varied number influences a measure (Morris' method), the strongest first."""
    points = list(grid.iter_points())
    lies = {point: _point_interval(result, cell, arm, measure) for point, arm in zip(points, grid.arms, strict=True)}
    return compute_influences(grid.levels, points, {point: one.at for point, one in lies.items() if one is not None})


def _screening_lines(result: Result, cell: Cell, grid: SweepGrid) -> Iterator[str]:
    """Yield for each measure a line about the influence of each varied number over its whole range."""
    walks = f"{grid.walks} walks, drawn by {grid.run}, through {len(grid.varied_ranges)} numbers"
    yield f" screened by Morris' method: {walks}:"
    still = []
    for measure in result.cells[cell, result.arms[0]].measures:
        found = [] if measure == BROKEN else find_influences(result, cell, grid, measure)
        if not any(one.strength for one in found):
            still += [result.asked.find_label(measure)] if measure != BROKEN else []
            continue
        scale, unit = (100, " pp") if measure in result.shares else (1, "")
        rows = [["", "mu*", "mu", "sigma"]]
        for one in found:
            parts = (f"{one.strength * scale:.3g}{unit}", f"{one.lean * scale:+.3g}", f"{one.spread * scale:.3g}")
            rows.append([grid.axes[one.axis].name, *parts])
        known = (_point_interval(result, cell, arm, measure) for arm in dict.fromkeys(grid.arms))
        half = max((lies.half for lies in known if lies is not None), default=0.0)
        yield f"  {result.asked.find_label(measure)}, at each point to ±{half * scale:.2g}{unit} or less"
        yield from align_columns(rows, "    ")
    if still:
        yield f"  not affected: {', '.join(still)}"


def _curve_lines(
    result: Result, cell: Cell, grid: SweepGrid, measure: str, of_arm: Mapping[str, ArmDifference]
) -> Iterator[str]:
    """Yield a line for each value of the only varied number: the measure's interval and its change (from `of_arm`)."""
    share, rows = measure in result.shares, []
    for said, arm in zip(_format_values(grid, 0), grid.arms, strict=True):
        lies = _point_interval(result, cell, arm, measure)
        beside = [arm if arm == result.arms[0] else "", "", ""]
        if lies and arm in of_arm:
            gap, within = format_gap(of_arm[arm].gap, share=share)
            beside = [gap + "*" * of_arm[arm].stands, within, format_identical(result.cells[cell, arm])]
        rows.append([said, format_interval(lies, share=share) if lies else _ABSENT, *beside])
    return align_columns(rows)


def _map_lines(
    result: Result, cell: Cell, grid: SweepGrid, measure: str, of_arm: Mapping[str, ArmDifference]
) -> Iterator[str]:
    """Yield a table of means over two varied numbers (rows: the first) and how wide intervals are. `*`: significant."""
    share, across, halves = measure in result.shares, _format_values(grid, 1), [0.0]
    rows = [["", *across]]
    for at, said in enumerate(_format_values(grid, 0)):
        row = [said]
        for arm in grid.arms[at * len(across) : (at + 1) * len(across)]:
            lies = _point_interval(result, cell, arm, measure)
            if lies is None:
                row.append(_ABSENT)
                continue
            halves.append(lies.half)
            mark = "=" if arm == result.arms[0] else "*" if arm in of_arm and of_arm[arm].stands else ""
            row.append(format_interval(lies, share=share).partition(" (")[0] + mark)
        rows.append(row)
    yield from align_columns(rows)
    yield f"each to ±{max(halves) * (100 if share else 1):.2g}{' pp' if share else ''} or less"


def _point_interval(result: Result, cell: Cell, arm: str, measure: str) -> Interval | None:
    """Return the interval of a measure at a point; None if it can't be played or broke a law of the rules."""
    if (cell, arm) not in result.cells or not is_sound(result, cell, arm):
        return None
    return measure_interval(result, measure, result.cells[cell, arm].measures[measure])


def _format_values(grid: SweepGrid, which: int) -> list[str]:
    axes = grid.varied_ranges or grid.axes[:1]
    return [axes[which].format_value(one) for one in axes[which].values]


def _is_identical(result: Result, cell: Cell, arm: str) -> bool:
    sums = result.cells.get((cell, arm))
    if sums is None or arm == result.arms[0] or sums.against.identical < sums.games:
        return False
    return not any(any(gaps) for gaps in sums.against.differences.values())


LOT = 6
"""Number of points that are confirmed together in the same games, the smallest changes first."""


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """A combination of values: its arm, the number of changed values, and the total size of the change."""

    arm: str
    changed: int
    size: float


@dataclass(slots=True)
class SmallestChange:
    """State of the search for the smallest change: first all points were screened, then some were confirmed."""

    screened: Result
    confirmed: list[Result] = field(default_factory=list)

    @property
    def statements(self) -> int:
        """Return the number of statements about one point: aims times tables."""
        return max(1, len(self.screened.asked.aims) * len({cell for cell, _ in self.screened.cells}))

    def sort_points(self) -> Sequence[SweepPoint]:
        """Return all playable points, the smallest change first. The unchanged game comes before all."""
        found = {self.screened.arms[0]: SweepPoint(self.screened.arms[0], 0, 0.0)}
        for grid in self.screened.grids:
            for arm, (changed, size) in zip(grid.arms, grid.weights, strict=True):
                if arm not in grid.missing:
                    found.setdefault(arm, SweepPoint(arm, changed, size))
        return sorted(found.values(), key=lambda one: (one.changed, one.size))

    def remaining_points(self) -> Sequence[SweepPoint]:
        """Return the points that were not shown to miss an aim in the screening.

        The confidence covers all statements about one point. So at most one in 20 points that meet the aims is lost.
        """
        confidence = 1 - (1 - self.screened.asked.confidence) / self.statements
        cells = dict.fromkeys(cell for cell, _ in self.screened.cells)
        verdicts = judge_arms(self.screened, cells, confidence)
        return [one for one in self.sort_points() if verdicts[one.arm] != "missed"]

    def split_lots(self) -> Iterator[Sequence[SweepPoint]]:
        """Yield the remaining points in batches, which are played one after another until a point meets all aims."""
        left = self.remaining_points()
        for first in range(0, len(left), LOT):
            yield left[first : first + LOT]

    @property
    def confidence(self) -> float:
        """Confidence of each single statement, so that all together have the experiment's confidence (Bonferroni)."""
        return 1 - (1 - self.screened.asked.confidence) / (self.statements * max(1, len(self.remaining_points())))

    def judge_points(self) -> dict[str, Verdict]:
        """Return for each confirmed point's arm "met", "missed" or "open" (its aims); the smallest change first."""
        found: dict[str, Verdict] = {}
        for result in self.confirmed:
            found |= judge_arms(result, dict.fromkeys(cell for cell, _ in result.cells), self.confidence)
        return found

    def find_best(self) -> str:
        """Return the arm with the smallest change that is known to meet all aims, or ''."""
        return next((arm for arm, verdict in self.judge_points().items() if verdict == "met"), "")


_NUMBERS = ("nothing", "1 number", "{n} numbers")
_VERDICTS = {"met": "meets all aims", "missed": "misses an aim", "open": "not yet known"}


def format_smallest(found: SmallestChange) -> str:
    """Return the state of the search for the smallest change as text."""
    return join_lines(_smallest_lines(found))


def _smallest_lines(smallest: SmallestChange) -> Iterator[str]:
    about, asked = smallest.screened.about, smallest.screened.asked
    run, points, left = about["experiment"]["run"], smallest.sort_points(), smallest.remaining_points()
    yield f"{about['game']}, draft {about['draft']}: the smallest change that meets the aims"
    yield from asked.question.values()
    yield ""
    games = max((sums.games for sums in smallest.screened.cells.values()), default=0)
    yield f"screened in {games:,} games of run {run} each: {len(points)} points, {len(points) - len(left)} miss an aim"
    missing = {name: why for grid in smallest.screened.grids for name, why in grid.missing.items()}
    yield from (f"  can't be played: {name}: {why}" for name, why in missing.items())
    verdicts = smallest.judge_points()
    if verdicts:
        each = f"{len(left)} x {smallest.statements} statements hold together with {100 * asked.confidence:g} %"
        yield f"confirmed in fresh games, of run {run + 1}, at every look; {each}:"
        yield from align_columns(_point_rows(smallest), "  ")
    yield ""
    yield from _answer_lines(smallest)
    yield ""
    yield NOT_PEOPLE


def _point_rows(smallest: SmallestChange) -> Iterator[list[str]]:
    points, verdicts = {point.arm: point for point in smallest.sort_points()}, smallest.judge_points()
    for result in smallest.confirmed:
        for arm in result.arms:
            if arm not in verdicts or not any(arm == name for _, name in result.cells):
                continue
            point = points[arm]
            size = f"by {point.size:.2g}" if point.changed else ""
            games = max(sums.games for (_, name), sums in result.cells.items() if name == arm)
            changed = _NUMBERS[min(point.changed, 2)].format(n=point.changed)
            yield [arm, changed, size, f"{games:,} games", _VERDICTS[verdicts[arm]]]


def _answer_lines(smallest: SmallestChange) -> Iterator[str]:
    verdicts, best, left = smallest.judge_points(), smallest.find_best(), smallest.remaining_points()
    smaller = list(verdicts)[: list(verdicts).index(best)] if best else list(verdicts)
    unknown = [arm for arm in smaller if verdicts[arm] == "open"]
    untried = len(left) - len(verdicts)
    if best:
        base = best == smallest.screened.arms[0]
        yield "No change is needed: the game meets the aims as it is." if base else f"The smallest change: {best}"
        result = next(one for one in smallest.confirmed if best in one.arms)
        rows = [
            [format_table(cell), result.asked.find_label(measure), format_aim(result, cell, measure, lies)]
            for cell in dict.fromkeys(cell for cell, name in result.cells if name == best)
            for measure, lies, _ in judge_aims(result, cell, best)
        ]
        yield from align_columns(rows, "  ")
        if unknown:
            yield f"Not yet known for smaller changes: {', '.join(unknown)}"
    elif unknown:
        yield f"No tested change is known to meet the aims; undecided: {', '.join(unknown)}"
        yield "More games may decide it: raise `at most` in the experiment."
    elif not untried:
        yield "No tested change meets the aims."
    if not best and untried:
        yield f"Not yet tested in fresh games: {untried}"
