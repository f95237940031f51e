"""The counters that draft 8 can need at most: exact, by a closed form for its deck and by trying everything on others."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples

from generator.rules.journey8.data import most_rises, tops_less_bottoms

BOOKMARKS = dict.fromkeys(range(1, 8), 3)
JOKER = 0


@pytest.mark.parametrize("turns", range(8, 21))
def test_the_draft_s_deck_follows_its_closed_form(turns: int) -> None:
    """Three jokers bring 6 twice each; the rest are the h highest less the h lowest bookmarks, h = (T - 2) / 2."""
    numbers = sorted(number for number, copies in BOOKMARKS.items() for _ in range(copies))
    h = (turns - 2) // 2
    assert most_rises(BOOKMARKS, 3, turns + 1) == 18 + sum(numbers[-h:]) - sum(numbers[:h])


@pytest.mark.parametrize(("players", "turns", "rises", "counters"), [(2, 15, 48, 54), (3, 17, 50, 59), (4, 19, 52, 64)])
def test_the_draft_s_tables_need_54_59_and_64_counters(players: int, turns: int, rises: int, counters: int) -> None:
    """The figures of the dossier for two, three and four players, three sone each at the start."""
    assert most_rises(BOOKMARKS, 3, turns + 1) == rises
    assert players * 3 + rises == counters


@given(
    st.dictionaries(st.integers(1, 4), st.integers(1, 2), min_size=1, max_size=4),
    st.integers(0, 2),
    st.integers(0, 5),
    st.booleans(),
)
@examples(40)
def test_no_row_of_cards_rises_further(numbers: dict[int, int], jokers: int, length: int, fresh: bool) -> None:
    rows = _Rows(numbers, fresh=fresh)
    found = most_rises(numbers, jokers, length, fresh=fresh)
    assert found == max(rows.best(row) for row in _choices(numbers, jokers, length))


@pytest.mark.parametrize(
    ("numbers", "jokers", "turns"),
    [
        ({1: 2, 2: 2, 3: 2}, 1, 3),
        ({1: 2, 2: 2, 3: 2}, 1, 4),
        ({1: 1, 2: 1, 3: 1}, 2, 2),
        ({1: 2, 3: 2, 5: 1}, 2, 4),
        ({1: 2, 4: 3}, 3, 5),
        ({2: 3, 3: 3}, 0, 3),
    ],
)
def test_no_game_brings_more_counters(numbers: dict[int, int], jokers: int, turns: int) -> None:
    """Every deck and every decision of small games of two, with keys and their extra plays: never more, and as much."""
    assert most_rises(numbers, jokers, turns + 1) == _Games(numbers, jokers, turns).best()


def test_tops_and_bottoms_are_filled_from_the_same_cards() -> None:
    filled = tops_less_bottoms([(1, 1), (5, 2)], most=2)
    assert filled == {(0, 0): 0, (0, 1): -1, (1, 0): 5, (0, 2): -6, (2, 0): 10, (1, 1): 4}
    assert max(map(sum, tops_less_bottoms([(1, 1), (5, 2)], most=9))) == 3


class _Rows:
    """All orders of some cards, with jokers declared in every way."""

    def __init__(self, numbers: dict[int, int], *, fresh: bool):
        self._span = range(min(numbers), max(numbers) + 1)
        self._fresh = fresh

    def best(self, cards: tuple[int, ...]) -> int:
        """The most that any order of these cards rises."""
        if not self._fresh and JOKER in cards:
            rest = list(cards)
            rest.remove(JOKER)
            return max(self.best((*rest, number)) for number in self._span)
        starts = (self._from(card, tuple(_without(cards, card))) for card in sorted(set(cards)))
        return max(starts, default=0)

    @cache  # noqa: B019 - lives as long as the test
    def _from(self, left: int, rest: tuple[int, ...]) -> int:
        ways = (self._rise(left, card) + self._from(card, tuple(_without(rest, card))) for card in set(rest))
        return max(ways, default=0)

    def _rise(self, left: int, card: int) -> int:
        low = self._span[0] if left == JOKER else left
        high = self._span[-1] if card == JOKER else card
        return max(high - low, 0)


class _Games:
    """All games of two players with one card each, over all decks: the most counters that larger numbers bring."""

    def __init__(self, numbers: dict[int, int], jokers: int, turns: int):
        self._span = range(min(numbers), max(numbers) + 1)
        self._box = tuple(sorted([JOKER] * jokers + [number for number, n in numbers.items() for _ in range(n)]))
        self._turns = turns

    def best(self) -> int:
        starts = set(permutations(self._box, 3))
        return max(self._game(story, mine, other) for story, mine, other in starts)

    def _game(self, story: int, mine: int, other: int) -> int:
        deck = _without(_without(_without(self._box, story), mine), other)
        return self._turn(deck, ((mine,), (other,)), story, self._turns, 0)

    @cache  # noqa: B019 - lives as long as the test
    def _turn(self, deck: tuple[int, ...], hands: tuple[tuple[int, ...], ...], left: int, turns: int, keys: int) -> int:
        """The most that can still come when the first of `hands` is to move; the deck's cards may come in any order."""
        if turns == 0 or keys >= 3:
            return 0
        best = 0
        for drawn in set(deck):
            hand = tuple(sorted((*hands[0], drawn)))
            for rise, new_hand, new_left, key in self._plays(hand, left):
                after = (_without(deck, drawn), (*hands[1:], new_hand), new_left, turns - 1, keys + key)
                best = max(best, rise + self._turn(*after))
        return best

    def _plays(self, hand: tuple[int, ...], left: int) -> Iterator[tuple[int, tuple[int, ...], int, int]]:
        """Pass, a play, or a key and another play: (rise, hand, last card, keys)."""
        yield 0, hand, left, 0
        for card in set(hand):
            rest = _without(hand, card)
            for rise, key in self._outcomes(card, left):
                yield rise, rest, card, key
                if key:
                    for extra in set(rest):
                        yield from (
                            (rise + more, _without(rest, extra), extra, 1 + second)
                            for more, second in self._outcomes(extra, card)
                        )

    def _outcomes(self, card: int, left: int) -> set[tuple[int, bool]]:
        cards = self._span if card == JOKER else (card,)
        lefts = self._span if left == JOKER else (left,)
        return {(max(n - low, 0), n == low) for n in cards for low in lefts}


def _choices(numbers: dict[int, int], jokers: int, length: int) -> Iterator[tuple[int, ...]]:
    """Every multiset of at most `length` cards of the box."""
    box = {**numbers, JOKER: jokers}
    for size in range(length + 1):
        for cards in combinations_with_replacement(sorted(box), size):
            if all(cards.count(card) <= box[card] for card in set(cards)):
                yield cards


def _without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]
