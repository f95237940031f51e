"""The arithmetic of draft 8 against worked examples: deals, rows, keys, effects, and the counters that it can need."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement, permutations
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples

from generator.game.model import Effect
from generator.rules.journey8.data import (
    KEY,
    Facts,
    Removal,
    Switches,
    can_occur,
    count_deal,
    counters_added,
    counters_in_play,
    effect_worth,
    longest_row,
    most_keys,
    most_rises,
    most_turns,
    rising_row,
    tops_less_bottoms,
)

FACTS = Facts(
    numbers=(1, 2, 3, 4, 5, 6, 7),
    colours={"red": 7, "blue": 7, "yellow": 7},
    jokers=3,
    removed={2: Removal(2, 6, 5), 3: Removal(3, 3, 2), 4: Removal(4, 0, 3)},
    hand=1, story=1, sone=3, counters=64, draw=1, gift=1, extra_plays=1, hand_limit=5, run=2,
)  # fmt: skip
SWITCHES = Switches(
    events="provisional", equal_turns="off", key_end=3, end_check="turn_end", run_count="groups",
    joker_colour="declared", event_order="from_start", event_optional=False, joker_memory="none", supply="infinite",
    extra_after_third=True, passing="free",
)  # fmt: skip


def row(signs: str) -> tuple[bool, ...]:
    return tuple(sign == KEY for sign in signs)


def effect(op: str, **values: Any) -> Effect:
    return Effect(op, values)


@pytest.mark.parametrize(
    ("players", "removed", "deck", "counters", "row_length"), [(2, 6, 15, 6, 18), (3, 3, 17, 9, 21), (4, 0, 19, 12, 23)]
)
def test_set_up_deals_what_the_draft_says(
    players: int, removed: int, deck: int, counters: int, row_length: int
) -> None:
    """Y1: removed cards, deck and counters for two, three and four; the row is as long as the box or the turns allow."""
    dealt = count_deal(players, FACTS, SWITCHES)
    assert dealt == (removed, players, 1, deck)
    assert removed + dealt.in_game == FACTS.cards == 24
    assert counters_in_play(players, (), FACTS) == counters
    assert longest_row(dealt, FACTS, SWITCHES) == row_length
    assert rising_row(dealt, FACTS, SWITCHES) == deck + 1
    two_extra = replace(FACTS, extra_plays=2)
    assert rising_row(dealt, two_extra, SWITCHES) == deck + 4
    assert rising_row(dealt, two_extra, replace(SWITCHES, key_end="off")) == 2 * deck + 1
    assert longest_row(dealt, replace(FACTS, extra_plays=0), SWITCHES) == deck + 1


@pytest.mark.parametrize(
    ("switch", "turns"), [("off", (15, 17, 19)), ("no_start_card", (16, 18, 20)), ("remove_fix", (16, 18, 16))]
)
def test_equal_turns_can_be_had_in_two_ways(
    switch: Literal["off", "no_start_card", "remove_fix"], turns: tuple[int, ...]
) -> None:
    """E3: as written nobody shares evenly; without the first story card, or with other removals, everybody does."""
    changed = replace(SWITCHES, equal_turns=switch)
    found = tuple(most_turns(count_deal(players, FACTS, changed).deck, FACTS) for players in (2, 3, 4))
    assert found == turns
    shares = {turns % players == 0 for players, turns in zip((2, 3, 4), found, strict=True)}
    assert shares == {switch != "off"}


@pytest.mark.parametrize(
    ("signs", "switches", "possible"),
    [
        ("□□■■□■■□□□", {}, False),
        ("□□■■□■■□□□", {"key_end": "off"}, True),
        ("□□■■□■■", {}, True),
        ("□□■■□■□", {}, True),
        ("□□■■□■□□", {}, False),
        ("□□■■□■□", {"extra_after_third": False}, False),
        ("□□■■□■□", {"end_check": "immediate"}, False),
        ("□□■■□■", {"end_check": "immediate"}, True),
        ("□□■■□□□□", {}, True),
        ("■□□", {}, False),
    ],
)
def test_a_row_ends_with_the_turn_of_the_third_key(signs: str, switches: dict[str, Any], possible: bool) -> None:
    """E4, E5, E16: one extra play may follow the third key and no more; the first card of a story is no key."""
    assert can_occur(row(signs), FACTS, replace(SWITCHES, **switches)) is possible


def test_no_more_than_four_keys_come_about() -> None:
    """Two before the last turn and two in it; three if that turn's extra play is barred; as many plays if keys end nothing."""
    assert most_keys(15, FACTS, SWITCHES) == 4
    assert most_keys(15, FACTS, replace(SWITCHES, extra_after_third=False)) == 3
    assert most_keys(15, FACTS, replace(SWITCHES, end_check="immediate")) == 3
    assert most_keys(15, FACTS, replace(SWITCHES, key_end="off")) == 30
    assert most_keys(1, FACTS, SWITCHES) == 2


def test_only_larger_numbers_bring_counters() -> None:
    """Y21: two players, rises of 4 and 6: 16 counters."""
    assert counters_in_play(2, (4, 6), FACTS) == 16


def test_gains_bring_counters_from_the_supply() -> None:
    parts = [effect("gain", side="sone", n=2), effect("turn", n=1), effect("all_gain", side="sone", n=1)]
    assert counters_added(parts, 4) == 6
    assert counters_added([effect("give", n=2), effect("drop", side="sone", n=2)], 4) == 0


@pytest.mark.parametrize(
    ("given", "value"),
    [
        (effect("gain", side="coherence", n=2), 2), (effect("drop", side="coherence", n=2), -2),
        (effect("turn", n=3), 6), (effect("turn_back", n=2), -4), (effect("give", n=2), 2),
        (effect("take_one", n=3), -3), (effect("take_each", n=2), -4),
        (effect("all_gain", side="sone", n=2), 0), (effect("discard_this"), 0),
    ],
)  # fmt: skip
def test_an_effect_is_worth_the_counters_that_it_brings(given: Effect, value: int) -> None:
    assert effect_worth([given], 3) == value
    assert effect_worth([given], 2) == (value if given.op != "take_each" else value / 2)


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
