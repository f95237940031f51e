"""Points in Fortuna as kernels: of sets and of seats."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.fortuna.effects import can_be

ICON_BITS = 8
ICON_MASK = 255
"""Icons of a set are tallied in one integer, so many bits for each; the wild one last."""


@kernel
def icon_of(tally: int, icon: int) -> int:
    """How often an icon is in a tally."""
    return (tally >> (ICON_BITS * icon)) & ICON_MASK


@kernel
def best_icon(f: Record, tally: int) -> int:
    """How often the most frequent icon of a tally is there, wild ones added."""
    most = 0
    for icon in range(f.icons):
        most = max(most, icon_of(tally, icon))
    return most + icon_of(tally, f.icons)


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    """The points of each seat's sets."""
    for seat in range(s.players):
        points[seat] = s.points[seat]


@kernel
def place(s: Record, f: Record, places: Row) -> None:
    """Most points first; of equals, the earlier seat."""
    for seat in range(s.players):
        places[seat] = 1
        for other in range(s.players):
            if s.points[other] > s.points[seat] or (s.points[other] == s.points[seat] and other < seat):
                places[seat] += 1


@kernel
def promise(s: Record, f: Record) -> int:
    """The most points for the set whose cards are being picked, by the cards still to pick from."""
    start = s.seat * f.width
    rest = 0
    able = 0
    for i in range(start, start + s.hand_n[s.seat]):
        card = s.hand[i]
        if card >= s.last and can_be(s, f, card, s.set_number):
            able += 1
            rest += f.unit[card]
    size = s.set_number if s.set_number > 0 else min(f.zero_set_max, s.used + able)
    most = 0
    for icon in range(f.icons):
        laid = icon_of(s.tally, icon) + icon_of(s.tally, f.icons)
        held = icon_of(rest, icon) + icon_of(rest, f.icons)
        most = max(most, laid + min(held, size - s.used))
    total: int = size * most
    return total
