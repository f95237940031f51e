"""Three coins decide: one that is dealt, one that the first seat lays as it likes, one that is tossed after that.

The first of two seats wins with two heads. To know the dealt one leaves it at 3/4 or 1/4: a variance of 1/16, a quarter
of all there is. To know the tossed one, too, leaves half of it to the choice.
"""

from dataclasses import replace

from known import bare

from generator.rules.engine.kernel import Record, Row, draw_below, kernel, next_chances


@kernel
def set_up(s: Record, f: Record) -> None:
    s.deal = draw_below(next_chances(s.rng, 0), 2)


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    moves[0], moves[1] = 0, 1
    return 2


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    s.turn += 1
    winner = 0 if s.deal + move + draw_below(next_chances(s.rng, 0), 2) >= 2 else 1
    s.won[winner], s.points[winner], s.over = 1, 1, 1


RULES = replace(bare.RULES, set_up=set_up, legal=legal, apply=apply)
