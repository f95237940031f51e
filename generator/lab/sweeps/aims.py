"""Whether arms meet all aims of an experiment, at all tables, with statements that may be many and looked at often."""

from collections.abc import Iterable, Iterator, Mapping

from generator.lab.chunks import Cell
from generator.lab.enquiry import Aim
from generator.lab.findings import sound
from generator.lab.results import Result
from generator.lab.statistics.intervals import mean_interval, share_interval
from generator.lab.statistics.sequences import mean_sequence, share_sequence
from generator.lab.statistics.verdicts import Verdict, judged


def verdicts_of(result: Result, cells: Iterable[Cell], confidence: float) -> dict[str, Verdict]:
    """Of each arm, in their order: "met" where it meets all aims at all tables, "missed" where it misses any.

    Each single statement has this confidence; by sequences where somebody looks before the end.
    """
    tables = tuple(cells)
    return {arm: _together(_verdicts(result, tables, arm, confidence)) for arm in result.arms}


def settled(verdicts: Iterable[Verdict]) -> bool:
    """Whether the first arm that meets the aims is known, or that none does."""
    for verdict in verdicts:
        if verdict != "missed":
            return verdict == "met"
    return True


def _together(verdicts: Iterable[Verdict]) -> Verdict:
    found = set(verdicts)
    return "missed" if "missed" in found else "open" if found != {"met"} else "met"


def _verdicts(result: Result, cells: tuple[Cell, ...], arm: str, confidence: float) -> Iterator[Verdict]:
    for cell in cells:
        if (cell, arm) not in result.cells:
            yield "open"
            continue
        if not sound(result, cell, arm):
            yield "missed"
            continue
        for measure, aim in result.asked.aims.items():
            if measure in result.cells[cell, arm].measures:
                yield aim_verdict(result, measure, aim, cell, arm, confidence)


def aim_verdict(result: Result, measure: str, aim: Aim, cell: Cell, arm: str, confidence: float) -> Verdict:
    """Whether an arm meets one aim at one table.

    The middle of a number lies within the limits if fewer than half of all games lie below them, and fewer than half
    above: these are shares, of which sequences hold at every look.
    """
    histogram, whole = result.cells[cell, arm].measures[measure], result.whole[measure]
    low, high = aim.limits(cell.players)
    if measure in result.shares:
        if set(histogram) <= {0, whole}:
            seen, games = histogram.get(whole, 0), sum(histogram.values())
            share = share_sequence if result.looked else share_interval
            return judged(share(seen, games, confidence), low, high)
        if result.looked:
            found = mean_sequence(histogram, result.looked, confidence)
        else:
            found = mean_interval(histogram, confidence)
        return judged(found.divided(whole), low, high)
    outside: Mapping[str, int] = {
        "below": sum(times for number, times in histogram.items() if number < low * whole),
        "above": sum(times for number, times in histogram.items() if number > high * whole),
    }
    share, games = share_sequence if result.looked else share_interval, sum(histogram.values())
    verdicts = [judged(share(seen, games, (1 + confidence) / 2), 0.0, 0.5) for seen in outside.values()]
    return _together(verdicts)
