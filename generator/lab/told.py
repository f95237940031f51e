"""A result in plain text: first what stands, then shortly the rest; of one arm alone, the figures of its games."""

from collections.abc import Callable, Iterable, Iterator
from math import floor, isfinite, log10
from typing import TypeAlias

from generator.errors import as_lines
from generator.lab.chunks import Cell
from generator.lab.course import course_rows, no_leads, untold
from generator.lab.findings import MIDDLE, ArmDifference, broken_laws, findings, judgements, sound, value
from generator.lab.measures import BROKEN
from generator.lab.numbers import Interval
from generator.lab.results import Result, sorted_cells
from generator.lab.statistics.intervals import quantile_interval
from generator.lab.statistics.verdicts import Verdict
from generator.lab.sums import Sums

_AIMS = {"met": "met", "missed": "missed", "open": "not yet known"}
_MARGINS = {"met": "no difference that matters", "missed": "a difference that matters", "open": "not yet known"}


Compared: TypeAlias = Callable[[Result, Cell, list[ArmDifference], int], Iterator[str]]
"""Lines of a table's differences, of how many there are in the whole result."""


def result_text(result: Result, compared: Compared | None = None) -> str:
    """All that a result says; `compared` has the lines of a table's differences where they are told in another way."""
    return as_lines(_lines(result, compared or _all_compared))


def _lines(result: Result, compared: Compared) -> Iterator[str]:
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
    """How sure its intervals are."""
    each = f"{result.asked.confidence:.4g}".removeprefix("0.").ljust(2, "0")
    how = f"{each[:2]}.{each[2:]}" if len(each) > 2 else each
    return f"intervals of {how} %{', which hold at every look' if result.looked else ''}"


def table_text(cell: Cell) -> str:
    """Who sits at a table."""
    return f"{cell.players} player{'s' * (cell.players > 1)}, {cell.shown}"


def _all_compared(result: Result, cell: Cell, found: list[ArmDifference], family: int) -> Iterator[str]:
    return compared_lines(result, cell, found, family, result.arms[1:])


def compared_lines(
    result: Result, cell: Cell, found: list[ArmDifference], family: int, others: Iterable[str]
) -> Iterator[str]:
    """What stands of some arms first, then the rest, then what is judged by margins."""
    standing = [one for one in found if one.stands]
    how = "sequences of equal parts" if result.looked else "Holm"
    yield f" against '{result.arms[0]}', what stands among all {family:,} differences ({how}):"
    arms = dict.fromkeys(one.arm for one in standing)
    for arm in arms:
        yield f"  {arm} ({same_text(result.cells[cell, arm])})"
        rows = [_row(result, one) for one in standing if one.arm == arm]
        yield from (f"    {line}" for line in aligned(rows))
    if not arms:
        yield "  nothing"
    rest = [arm for arm in others if arm not in arms and sound(result, cell, arm)]
    if rest:
        yield f"  nothing that stands: {', '.join(f'{arm} ({same_text(result.cells[cell, arm])})' for arm in rest)}"
    margins = [one for one in found if one.verdict is not None]
    if margins:
        yield " by the margins:"
        rows = [[one.arm, *_row(result, one)[:3], _of_margin(result, one)] for one in margins]
        yield from (f"  {line}" for line in aligned(rows))


def same_text(sums: Sums) -> str:
    """How many games of an arm went as those of the first."""
    return f"{sums.against.identical / max(1, sums.games):.1%} the same games".replace("%", " %")


def _row(result: Result, one: ArmDifference) -> list[str]:
    share = one.measure in result.shares
    saved = f"pairs save {one.saved:.2g} x" if not 0.95 < one.saved < 1.05 else ""
    return [result.asked.label(one.measure), *gap_texts(one.gap, share=share), saved]


def _of_margin(result: Result, one: ArmDifference) -> str:
    margin, verdict = result.asked.margins[one.measure], _MARGINS[str(one.verdict)]
    return f"{verdict} (±{100 * margin:g} pp)" if one.measure in result.shares else f"{verdict} (±{margin:g})"


def gap_texts(gap: Interval, *, share: bool) -> list[str]:
    """A difference and its interval, in points of a percent for shares, with no more digits than are known."""
    scale, unit = (100, " pp") if share else (1, "")
    digits = _digits(gap.half * scale)
    at, low, high = (f"{part * scale:+.{digits}f}" for part in (gap.at, gap.low, gap.high))
    return [f"{at}{unit}", f"({low} to {high})"]


def value_text(found: Interval, *, share: bool) -> str:
    """A figure with its interval."""
    scale, unit = (100, " %") if share else (1, "")
    digits = _digits(found.half * scale)
    at, low, high = (f"{part * scale:.{digits}f}" for part in (found.at, found.low, found.high))
    return f"{at}{unit} ({low} to {high})"


def _digits(half: float) -> int:
    """So many places that the half width has two figures; one where all is known, or nothing."""
    return min(6, max(0, 1 - floor(log10(half)))) if isfinite(half) and half > 0 else 1


def aligned(rows: Iterable[list[str]]) -> Iterator[str]:
    """Lines with their columns one below the other."""
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
    """Where a measure with an aim lies, and where it should."""
    share = measure in result.shares
    low, high = result.asked.aims[measure].limits(cell.players)
    limits = f"{100 * low:.4g} to {100 * high:.4g} %" if share else f"{low:g} to {high:g}"
    told = value_text(found, share=True) if share else f"{found.at:g} ({found.low:g} to {found.high:g})"
    return f"{told}, wanted {limits}"


def _figures(result: Result, cell: Cell) -> Iterator[str]:
    """The figures of one arm alone: numbers by their middle and their mean, seats together, shares, what never was."""
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
    """How a seat stands to its fair share; the intervals of all seats hold together."""
    fair = 1 / cell.players
    if cell.players == 1 or not found.clear_of(fair):
        return f"fair is {fair:.1%}".replace("%", " %") if cell.players > 1 else ""
    return f"{'more' if found.at > fair else 'less'} than its fair {fair:.1%}".replace("%", " %")


def _band(result: Result, name: str, sums: Sums) -> str:
    histogram, whole = sums.measures[name], result.whole[name]
    middle = quantile_interval(histogram, MIDDLE, result.asked.confidence).divided(whole)
    least, most = (quantile_interval(histogram, share).divided(whole).at for share in (0.05, 0.95))
    return f"middle {middle.at:g} ({middle.low:g} to {middle.high:g}), 90 % lie from {least:g} to {most:g}"
