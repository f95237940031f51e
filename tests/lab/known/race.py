"""A race with a die of six sides: seats throw in turn, who first has gone `rules.fields` fields wins."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

from known import bare

from generator.rules.engine.kernel import Record, draw_below, kernel, next_chances

SIDES = 6


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Goes on by what is thrown."""
    s.turn += 1
    s.points[s.seat] += 1 + draw_below(next_chances(s.rng, 0), 6)
    if s.points[s.seat] >= f.fields:
        s.won[s.seat], s.over = 1, 1
    s.seat = (s.seat + 1) % s.players


@cache
def sums(throws: int) -> tuple[Fraction, ...]:
    """How likely so many throws come to 0, 1, 2 ..."""
    if not throws:
        return (Fraction(1),)
    before = sums(throws - 1)
    return tuple(
        sum((before[total - side] for side in range(1, SIDES + 1) if 0 <= total - side < len(before)), Fraction())
        / SIDES
        for total in range(len(before) + SIDES)
    )


def not_there(fields: int, throws: int) -> Fraction:
    """How likely so many throws don't reach so many fields."""
    return sum(sums(throws)[:fields], Fraction())


def wins(fields: int, players: int) -> list[Fraction]:
    """How often each seat wins: it arrives with a throw with which no seat before it did, and none after it earlier."""
    found = [Fraction()] * players
    for throw in range(1, fields + 1):
        before, after = not_there(fields, throw - 1), not_there(fields, throw)
        for seat in range(players):
            found[seat] += (before - after) * after**seat * before ** (players - 1 - seat)
    return found


def turns(fields: int, players: int) -> Fraction:
    """How many turns a race has: the sum of how likely it is to go on after each."""
    found = Fraction()
    for turn in range(fields * players):
        round_, seats = divmod(turn, players)
        found += not_there(fields, round_ + 1) ** seats * not_there(fields, round_) ** (players - seats)
    return found


RULES = replace(bare.RULES, apply=apply)
