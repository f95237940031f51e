"""A seat has an advantage that was planted: the first wins 2 points in a hundred more than its fair share."""

from dataclasses import replace

from known import bare

from generator.rules.engine.kernel import Record, draw_below, kernel, next_chances


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Of 50 lots for each seat the first has one for each seat more, the others share what is left."""
    s.turn += 1
    lots = 50 + s.players
    winner = 0
    if draw_below(next_chances(s.rng, 0), 50 * s.players) >= lots:
        winner = 1 + draw_below(s.rng, s.players - 1)
    s.won[winner], s.points[winner], s.over = 1, 1, 1


RULES = replace(bare.RULES, apply=apply)
