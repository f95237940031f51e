"""How many counters draft 8 can need at most: an exact dynamic program over the cards that a story can be made of."""

from collections.abc import Iterable, Mapping
from itertools import product


def most_rises(numbers: Mapping[int, int], jokers: int, length: int, *, fresh: bool = True) -> int:
    """The most counters that larger numbers can bring in a story of at most `length` cards (the first one included).

    `numbers` says how many bookmarks there are of each. `fresh` jokers (E11) are declared anew by whoever plays next
    to them; otherwise a joker keeps its number.

    What is maximised is the sum of all n - l, where n is played to the right of a smaller l. Extra plays need not be
    looked at: a second play on a key brings no more than the same card played without that key, and where the key is a
    joker, it could have taken the place of the card that it equals. So a story is a row with one card a turn, and as
    everybody may play the card just drawn, every row can come about.

    Cut a row wherever it does not rise. Each piece brings its last number less its first, so the row brings the sum of
    its tops less the sum of its bottoms; and any tops and bottoms, lined up in any pairs, bring at least that much. A
    fresh joker does more: at the end of one piece and the beginning of the next it is a top as the largest number and a
    bottom as the smallest, with a single card.
    """
    low, high = min(numbers), max(numbers)
    filled = tops_less_bottoms(numbers.items(), length)
    best = 0
    for pieces in range(length + 1):
        for double in range(min(jokers, max(pieces - 1, 0)) + 1 if fresh else 1):
            if 2 * pieces - double > length:
                continue
            for tops, bottoms in product(range(jokers - double + 1), repeat=2):
                sides = (pieces - double - tops, pieces - double - bottoms)
                if double + tops + bottoms <= jokers and sides in filled:
                    wild = (double + tops) * high - (double + bottoms) * low
                    best = max(best, wild + filled[sides])
    return best


def tops_less_bottoms(cards: Iterable[tuple[int, int]], most: int) -> Mapping[tuple[int, int], int]:
    """For each (tops, bottoms) that can be filled, the largest sum of tops less the sum of bottoms.

    `cards` are (number, how many of it); a card is a top, a bottom or unused. At most `most` cards are used.
    """
    best = {(0, 0): 0}
    for number, copies in cards:
        ways = [(tops, bottoms) for tops, bottoms in product(range(copies + 1), repeat=2) if tops + bottoms <= copies]
        after: dict[tuple[int, int], int] = {}
        for (tops, bottoms), value in best.items():
            for more_tops, more_bottoms in ways:
                sides = (tops + more_tops, bottoms + more_bottoms)
                if sum(sides) <= most:
                    reached = value + number * (more_tops - more_bottoms)
                    after[sides] = max(after.get(sides, reached), reached)
        best = after
    return best
