"""Gambler's ruin: a fair coin is tossed, who loses pays one; it ends when one of two has nothing left.

With a coins against b the first ruins the second in a / (a + b) of the games, which have a * b turns in the mean.
"""

from dataclasses import replace

from known import bare

from generator.rules.engine.kernel import Record, draw_below, kernel, next_chances


@kernel
def set_up(s: Record, f: Record) -> None:
    s.points[0], s.points[1] = f.first, f.second


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Tosses, and the loser pays."""
    s.turn += 1
    winner = draw_below(next_chances(s.rng, 0), 2)
    s.points[winner] += 1
    s.points[1 - winner] -= 1
    if s.points[1 - winner] == 0:
        s.won[winner], s.over = 1, 1
    s.seat = 1 - s.seat


RULES = replace(bare.RULES, set_up=set_up, apply=apply)
