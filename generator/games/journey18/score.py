"""Points in journey18 as kernels."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.journey18.moves import Result


@kernel
def key_bonuses(s: Record, f: Record) -> int:
    """Points for locations whose events all show one key icon."""
    total = 0
    for day in range(f.last):
        number = s.ncolumn[day]
        if number == 0 or number < f.least[s.place[day]]:
            continue
        start = day * f.rows
        agree = 1
        for i in range(start + 1, start + number):
            if f.key[s.column[i]] != f.key[s.column[start]]:
                agree = 0
        if agree == 1:
            total += f.single_points if number == 1 else f.key_points
    return total


@kernel
def points_now(s: Record, f: Record) -> int:
    """What the trip would be worth if it ended well now."""
    total: int = s.ndeck * f.deck_points + s.letters * f.letter_points + key_bonuses(s, f) - f.penalty
    return total


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    """Points as they stand; a trip that failed has none."""
    points[0] = 0 if s.result == Result.LOST else points_now(s, f)


@kernel
def place(s: Record, f: Record, places: Row) -> None:
    """First for a trip that reached its end, second for any other."""
    places[0] = 1 if s.result == Result.WON else 2
