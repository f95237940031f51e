"""A coin of as many sides as there are seats is tossed once: each seat wins one in so many games."""

from dataclasses import replace

from known import bare

from generator.rules.engine.kernel import Record, draw_below, kernel, next_chances


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    s.turn += 1
    winner = draw_below(next_chances(s.rng, 0), s.players)
    s.won[winner], s.points[winner], s.over = 1, 1, 1


RULES = replace(bare.RULES, apply=apply)
