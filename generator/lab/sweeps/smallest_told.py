"""The smallest change in plain text: what was screened and how, what was confirmed, and the answer."""

from collections.abc import Iterator

from generator.errors import as_lines
from generator.lab.findings import judgements
from generator.lab.results import Result
from generator.lab.sweeps.smallest import Smallest
from generator.lab.told import aim_text, aligned, table_text

_NUMBERS = ("nothing", "1 number", "{n} numbers")
_VERDICTS = {"met": "meets all aims", "missed": "misses an aim", "open": "not yet known"}


def smallest_text(found: Smallest) -> str:
    """All that is known of the smallest change."""
    return as_lines(_lines(found))


def _lines(found: Smallest) -> Iterator[str]:
    about, asked = found.screened.about, found.screened.asked
    run, points, left = about["experiment"]["run"], found.points(), found.left()
    yield f"{about['game']}, draft {about['draft']}: the smallest change that meets the aims"
    yield from asked.question.values()
    yield ""
    games = max((sums.games for sums in found.screened.cells.values()), default=0)
    yield f"screened in {games:,} games of run {run} each: {len(points)} points, {len(points) - len(left)} miss an aim"
    missing = {name: why for grid in found.screened.grids for name, why in grid.missing.items()}
    yield from (f"  can't be played: {name}: {why}" for name, why in missing.items())
    verdicts = found.verdicts()
    if verdicts:
        each = f"{len(left)} x {found.statements} statements hold together with {100 * asked.confidence:g} %"
        yield f"confirmed in fresh games, of run {run + 1}, at every look; {each}:"
        yield from (f"  {line}" for line in aligned(_rows(found)))
    yield ""
    yield from _answer(found)
    yield ""
    yield "Bots are not people: with good players it may be otherwise."


def _rows(found: Smallest) -> Iterator[list[str]]:
    points, verdicts = {point.arm: point for point in found.points()}, found.verdicts()
    for result in found.confirmed:
        for arm in result.arms:
            if arm not in verdicts or not any(arm == name for _, name in result.cells):
                continue
            point = points[arm]
            size = f"by {point.size:.2g}" if point.changed else ""
            games = max(sums.games for (_, name), sums in result.cells.items() if name == arm)
            changed = _NUMBERS[min(point.changed, 2)].format(n=point.changed)
            yield [arm, changed, size, f"{games:,} games", _VERDICTS[verdicts[arm]]]


def _answer(found: Smallest) -> Iterator[str]:
    """The verdict, what the best point's aims came to, and what is not known of smaller changes."""
    verdicts, best, left = found.verdicts(), found.best(), found.left()
    smaller = list(verdicts)[: list(verdicts).index(best)] if best else list(verdicts)
    unknown = [arm for arm in smaller if verdicts[arm] == "open"]
    untried = len(left) - len(verdicts)
    if best:
        base = best == found.screened.arms[0]
        yield "No change is needed: the game meets the aims as it is." if base else f"The smallest change: {best}"
        result = next(one for one in found.confirmed if best in one.arms)
        yield from (f"  {line}" for line in aligned(_reached(result, best)))
        if unknown:
            yield f"Of smaller ones nobody knows yet whether they do: {', '.join(unknown)}"
    elif unknown:
        yield f"None of those tried is known to meet the aims; not decided: {', '.join(unknown)}"
        yield "More games may decide it: raise `at most` in the experiment."
    elif not untried:
        yield "None of those tried meets the aims."
    if not best and untried:
        yield f"Not tried on fresh games yet: {untried}"


def _reached(result: Result, arm: str) -> Iterator[list[str]]:
    for cell in dict.fromkeys(cell for cell, name in result.cells if name == arm):
        for measure, lies, _ in judgements(result, cell, arm):
            yield [table_text(cell), result.asked.label(measure), aim_text(result, cell, measure, lies)]
