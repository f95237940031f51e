"""What an interval says of an aim: it is met, it is missed, or nobody knows yet."""

from typing import Literal

from generator.lab.numbers import Interval

Verdict = Literal["met", "missed", "open"]


def judged(found: Interval, low: float, high: float) -> Verdict:
    """Whether a value lies within an aim's limits, both included.

    Both one-sided tests together are the test for equivalence (Schuirmann, Journal of Pharmacokinetics 15, 1987): an
    interval inside the limits proves that the aim is met, one that lies wholly outside that it is missed.
    """
    if low <= found.low and found.high <= high:
        return "met"
    if found.high < low or high < found.low:
        return "missed"
    return "open"
