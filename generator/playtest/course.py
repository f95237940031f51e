"""The course of a game: each seat's points as they stand after every turn, and what they say once it is over.

A row keeps it: how many times points were noted, then each time those of every seat, first of all before any move.
"""

from generator.games.engine.kernel import Kernel, Record, Row, kernel
from generator.playtest.players.choosing import unbound

score: Kernel = unbound

STEPS = 10
"""Parts of a game's turns at whose ends one looks at the points."""

# What is told of a course: how often another seat alone took the lead, when it last did so (in % of the turns), the
# seats that led at half of the game and at its end, as bits; then most and fewest points at each step.
CHANGES, LAST, HALF, END = range(4)
BY_STEP = 4
TOLD = BY_STEP + 2 * STEPS


def columns() -> tuple[str, ...]:
    """The names of the numbers that `tell_course` tells, in their order."""
    steps = [f"{which} at {step}" for which in ("best", "worst") for step in range(1, STEPS + 1)]
    return ("lead changes", "last lead change", "led at half", "led at end", *steps)


def row_length(players: int, most_moves: int) -> int:
    """Of a row that has room for the longest game."""
    return 1 + (most_moves + 2) * players


@kernel
def note(s: Record, f: Record, course: Row, points: Row) -> None:
    """Notes each seat's points."""
    for seat in range(s.players):
        points[seat] = 0
    score(s, f, points)
    at = 1 + course[0] * s.players
    for seat in range(s.players):
        course[at + seat] = points[seat]
    course[0] += 1


@kernel
def leaders(course: Row, time: int, players: int) -> int:
    """Those who had most points then, as bits."""
    at = 1 + time * players
    best = course[at]
    for seat in range(1, players):
        best = max(best, course[at + seat])
    found = 0
    for seat in range(players):
        if course[at + seat] == best:
            found |= 1 << seat
    return found


@kernel
def tell_course(course: Row, players: int, told: Row, at: int) -> None:
    """Fills in what a course says, from `at` on. Who leads with others has not taken the lead from anybody."""
    turns = course[0] - 1
    for i in range(TOLD):
        told[at + i] = 0
    led = 0
    for time in range(turns + 1):
        now = leaders(course, time, players)
        if now & (now - 1) == 0:
            if led and now != led:
                told[at + CHANGES] += 1
                told[at + LAST] = 100 * time // turns
            led = now
    told[at + HALF] = leaders(course, turns // 2, players)
    told[at + END] = leaders(course, turns, players)
    for step in range(STEPS):
        first = 1 + turns * (step + 1) // STEPS * players
        best = worst = course[first]
        for seat in range(1, players):
            best = max(best, course[first + seat])
            worst = min(worst, course[first + seat])
        told[at + BY_STEP + step] = best
        told[at + BY_STEP + STEPS + step] = worst
