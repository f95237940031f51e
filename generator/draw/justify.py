"""Fits a line to its measure: blanks of punctuation give way or open first, then the room beside Latin, then all gaps."""

from generator.draw.galley import Galley, Gap

_MOST_SPREAD = 500.0  # 1/1000 em between characters, or more than a word space: a line looser than this stays ragged


class Fitted:
    """The room between a line's sorts: `even` at every plain pair, `widths[n]` before the sort `places[n]` instead."""

    __slots__ = ("even", "places", "widths")

    def __init__(self, even: float, places: list[int], widths: list[float]):
        self.even, self.places, self.widths = even, places, widths


def natural(galley: Galley, start: int, end: int) -> Fitted:
    """The line as it comes."""
    places, gaps = galley.gaps_within(start, end)
    return Fitted(0.0, places, [gap.width for gap in gaps])


def fit(galley: Galley, start: int, end: int, slack: float) -> Fitted:
    """The line with `slack` (1/1000 em) spread over it, or taken out of it where negative.

    A line that would come out too loose, or has no gap that may open, is left as it comes.
    """
    places, gaps = galley.gaps_within(start, end)
    if slack < 0:
        return Fitted(0.0, places, _tightened(gaps, -slack))
    opened = _share(slack, [gap.open for gap in gaps])
    slack -= sum(opened)
    widened = _share(slack, [gap.widen for gap in gaps])
    slack -= sum(widened)
    even = 0.0
    if slack > 0.005:
        plain = end - start - 1 - len(gaps)
        spread = plain + sum(gap.spread for gap in gaps)
        even = slack / spread if spread else 0.0
        if not spread or even > _MOST_SPREAD:
            return natural(galley, start, end)
    widths = [
        gap.width + more + wider + (even if gap.spread else 0.0)
        for gap, more, wider in zip(gaps, opened, widened, strict=True)
    ]
    return Fitted(even, places, widths)


def _tightened(gaps: list[Gap], excess: float) -> list[float]:
    closed = _share(excess, [gap.close for gap in gaps])
    excess -= sum(closed)
    tightened = _share(excess, [gap.tighten for gap in gaps])
    return [gap.width - less - least for gap, less, least in zip(gaps, closed, tightened, strict=True)]


def _share(amount: float, room: list[float]) -> list[float]:
    """As much of the amount as there is room for, in proportion to the room."""
    whole = sum(room)
    if amount <= 0 or whole <= 0:
        return [0.0] * len(room)
    ratio = min(1.0, amount / whole)
    return [part * ratio for part in room]
