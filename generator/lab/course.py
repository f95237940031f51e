"""How games go: points after each tenth of the turns, and whether points say who leads."""

from collections.abc import Iterator, Mapping

from generator.lab.chunks import Cell
from generator.lab.findings import MIDDLE, value
from generator.lab.measures import LEADS, OF_COURSE, STEPS
from generator.lab.results import Result
from generator.lab.statistics.intervals import quantile_interval

BAND = (0.05, 0.25, MIDDLE, 0.75, 0.95)
"""The quantiles of a band: nine of ten games lie between the outer ones, half of them between the inner."""

_MOSTLY = 0.9
"""So many games must be won by who has most points at the end for points to say who leads before."""


def leads_are_told(result: Result, cell: Cell, arm: str) -> bool:
    """Whether most points are what wins: where they are not, nobody leads by them."""
    ends = result.cells[cell, arm].measures.get(LEADS[-1])
    return ends is not None and value(result, LEADS[-1], ends).at >= _MOSTLY


def bands(result: Result, cell: Cell, arm: str) -> Mapping[str, tuple[tuple[float, ...], ...]]:
    """Of `best score` and `worst score`, where games were followed, the values at BAND after each of STEPS."""
    measures = result.cells[cell, arm].measures
    found = {}
    for which in ("best score", "worst score"):
        if f"{which}: {STEPS[0]}" in measures:
            steps = (measures[f"{which}: {step}"] for step in STEPS)
            found[which] = tuple(tuple(quantile_interval(one, share).at for share in BAND) for one in steps)
    return found


def untold(result: Result, cell: Cell, arm: str) -> frozenset[str]:
    """Measures that are no figures of their own: points on the way, and who leads where points don't say so."""
    return OF_COURSE - frozenset(LEADS) if leads_are_told(result, cell, arm) else OF_COURSE


def course_rows(result: Result, cell: Cell, arm: str) -> Iterator[list[str]]:
    """A table in plain text: a column for each of STEPS, rows for the middle and the limits of nine of ten games."""
    found = bands(result, cell, arm)
    if not found:
        return
    yield ["after so much of the turns", *STEPS]
    for which, steps in found.items():
        for name, at in (("middle", 2), ("5 % have less than", 0), ("5 % have more than", 4)):
            yield [f"  {which}, {name}", *(f"{step[at]:g}" for step in steps)]


def no_leads(result: Result, cell: Cell, arm: str) -> str:
    """That points don't say who leads, where it was asked and is so; else empty."""
    ends = result.cells[cell, arm].measures.get(LEADS[-1])
    if ends is None or leads_are_told(result, cell, arm):
        return ""
    share = value(result, LEADS[-1], ends).at
    return f"who leads is not told: most points at the end win only {100 * share:.0f} % of the games"
