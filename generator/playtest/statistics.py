"""What a number of games lets one say: shares with their intervals, bounds for what was never seen."""

import math
from collections.abc import Mapping

Z95 = 1.959963984540054
"""Of the normal distribution: 95 % lie within so many standard deviations."""


def wilson(seen: int, of: int, z: float = Z95) -> tuple[float, float]:
    """The interval that holds a share with 95 % confidence when it was seen so often (Wilson 1927)."""
    if not of:
        return 0.0, 1.0
    share, square = seen / of, z * z
    centre = (share + square / (2 * of)) / (1 + square / of)
    half = z / (1 + square / of) * math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    # At the ends the formula misses 0 and 1 by the rounding alone.
    return (0.0 if seen == 0 else max(0.0, centre - half), 1.0 if seen == of else min(1.0, centre + half))


def never_seen(of: int) -> float:
    """The largest share that is still believable at 95 % for what did not happen in so many games; about 3 / of."""
    return 1 - 0.05 ** (1 / of) if of else 1.0


def quantile(histogram: Mapping[int, int], share: float) -> int:
    """The least value that at least this share of the cases does not exceed; ValueError for no cases."""
    total = sum(histogram.values())
    if not total:
        raise ValueError("no cases")
    reached = 0
    for value in sorted(histogram):
        reached += histogram[value]
        if reached >= share * total:
            return value
    return max(histogram)


def mean(histogram: Mapping[int, int]) -> float:
    """The mean of the cases; 0 for none."""
    total = sum(histogram.values())
    return sum(value * number for value, number in histogram.items()) / total if total else 0.0
