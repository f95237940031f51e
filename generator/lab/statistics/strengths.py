"""Strengths from pairs: what is preferred to what, on one scale."""

from collections.abc import Mapping
from math import exp

from generator.lab.numbers import Interval
from generator.lab.statistics.intervals import USUAL, quantile_of_normal

_LOOSE = 9.0
"""The variance of what strengths are taken to be before any pair is seen: what always wins must not become infinite."""


def strengths(wins: Mapping[tuple[str, str], int], confidence: float = USUAL) -> dict[str, Interval]:
    """How likely each is preferred to an average one, from 0 to 1; `wins`: (one, other) -> how often one was.

    Bradley and Terry's model (Biometrika 39, 1952): the odds between two are the ratio of their strengths. Fitted as
    the most likely logarithms of strengths under a normal prior; intervals by the curvature there. Pairs are taken as
    independent of each other.
    """
    import numpy as np
    from scipy.optimize import minimize

    names = sorted({name for pair in wins for name in pair})
    if not names:
        return {}
    places = {name: at for at, name in enumerate(names)}
    first = np.array([places[one] for one, _ in wins])
    second = np.array([places[other] for _, other in wins])
    times = np.array(list(wins.values()), dtype=float)

    def cost(levels):  # type: ignore[no-untyped-def]
        gaps = levels[first] - levels[second]
        slope = -times / (1 + np.exp(gaps))
        by = np.bincount(first, slope, len(names)) - np.bincount(second, slope, len(names))
        return times @ np.logaddexp(0, -gaps) + levels @ levels / (2 * _LOOSE), by + levels / _LOOSE

    levels = minimize(cost, np.zeros(len(names)), jac=True, method="L-BFGS-B").x
    share = 1 / (1 + np.exp(levels[second] - levels[first]))
    weights = times * share * (1 - share)
    curvature = np.eye(len(names)) / _LOOSE
    for one, other, weight in zip(first, second, weights, strict=True):
        curvature[one, one] += weight
        curvature[other, other] += weight
        curvature[one, other] -= weight
        curvature[other, one] -= weight
    spread = np.linalg.inv(curvature)
    errors = np.sqrt(np.diag(spread) - 2 * spread.mean(axis=0) + spread.mean())
    centre, z = float(levels.mean()), quantile_of_normal(confidence)
    found = {}
    for name, at in places.items():
        level, half = float(levels[at]) - centre, z * float(errors[at])
        found[name] = Interval(_chance(level), _chance(level - half), _chance(level + half))
    return found


def _chance(level: float) -> float:
    return 1 / (1 + exp(-level))
