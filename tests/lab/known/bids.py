"""A game without any chance: each seat names a number from 0 to 9, those with the highest win.

Greedy always names 9 and so wins, of two seats against random, 0.9 + 0.1 / 2 of the games: 19 times as many.
"""

from dataclasses import replace

from known import bare

from generator.rules.engine.kernel import Record, Row, kernel


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    for number in range(10):
        moves[number] = number
    return 10


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Names it; after the last, the highest win."""
    s.turn += 1
    s.points[s.seat] = move
    s.seat = (s.seat + 1) % s.players
    if s.turn == s.players:
        s.over, best = 1, 0
        for seat in range(s.players):
            best = max(best, s.points[seat])
        for seat in range(s.players):
            s.won[seat] = 1 if s.points[seat] == best else 0


RULES = replace(bare.RULES, legal=legal, apply=apply)
