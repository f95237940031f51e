"""Fortuna's arithmetic against the worked examples that its draft gives or that follow from it by hand."""

from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples

from generator.rules.fortuna.data import (
    Facts,
    Play,
    Switches,
    count_refill,
    fewest_drawn,
    iter_plays,
    iter_turns,
    list_hand_sizes,
    list_values,
    most_drawn,
    most_held,
    set_points,
    wheel_turns,
)

FACTS = Facts(
    numbers=(1, 2, 3, 4, 5, 6),
    copies={"lightning": 3, "wheat": 3, "helmet": 3, "wheel": 3, "goddess": 1},
    wild="goddess", modulus=10, hand=7, end_pile=7, draw=1, pass_discard=1, wheel_total=10, refill_minus=2,
    one_card_discard=1, zero_set_min=1, zero_set_max=6,
)  # fmt: skip
SWITCHES = Switches(
    ten_value="zero", zero_set_max=6, zero_all_in=False, number_fix="at_play", same_number_scope="player",
    discard_key="printed", wheel_trigger="pass_only", wheel_condition="exact", wheel_destination="not_source",
    wheel_optional=True, allin_source="player_choice", face_down_icons="none", refill_counts="hand_cards",
    refill_in_progress="complete", one_card_discard_after_trigger=True, turn_draw_after_trigger=True,
    all_in_after_trigger=True, end_pile_exhausted="finish_turn", tie_break="seat_order",
)  # fmt: skip


@pytest.mark.parametrize(
    ("base", "discards", "expected"),
    [
        (6, 2, (6, 7, 8)), (3, 2, (3, 4, 5)), (4, 0, (4,)), (8, 3, (8, 9, 0, 1)), (6, 4, (6, 7, 8, 9, 0)),
        (6, 5, (6, 7, 8, 9, 0, 1)), (1, 8, (1, 2, 3, 4, 5, 6, 7, 8, 9)),
        (1, 9, (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)), (6, 16, (6, 7, 8, 9, 0, 1, 2, 3, 4, 5)),
    ],
)  # fmt: skip
def test_a_card_counts_as_its_number_and_upwards(base: int, discards: int, expected: tuple[int, ...]) -> None:
    """F-01 to F-03: one number more for each discard, the tens dropped."""
    assert list_values(base, discards, FACTS, SWITCHES) == expected


def test_ten_can_be_read_in_three_ways() -> None:
    """F-02: the draft's example 8, 9, 1 comes out if 10 does not exist; a 10 may also stay a 10."""
    assert list_values(8, 3, FACTS, replace(SWITCHES, ten_value="none")) == (8, 9, 1)
    assert list_values(8, 3, FACTS, replace(SWITCHES, ten_value="ten")) == (8, 9, 10, 1)
    assert list_values(6, 14, FACTS, replace(SWITCHES, ten_value="ten"))[-1] == 0


@given(st.integers(1, 6), st.integers(0, 100))
@examples(60)
def test_values_are_digits_that_start_with_the_number(base: int, discards: int) -> None:
    found = list_values(base, discards, FACTS, SWITCHES)
    assert found[0] == base
    assert len(found) == min(discards + 1, 10)
    assert set(found) <= set(range(10))


@pytest.mark.parametrize(
    ("size", "icons", "points"),
    [
        (4, ["helmet"] * 3 + ["wheel"], 12),
        (2, ["goddess"] * 2, 4),
        (1, ["goddess"], 1),
        (1, ["wheat"], 1),
        (9, ["helmet"] * 8, 72),
        (5, ["lightning", "lightning", "wheat", "wheat", "goddess"], 15),
        (2, ["lightning"], 2),
        (3, [], 0),
    ],
)
def test_a_set_scores_its_size_times_its_best_icon(size: int, icons: list[str], points: int) -> None:
    """F-24, F-26, F-27 and the like: a goddess joins the best icon, a face-down card adds to the size alone."""
    assert set_points(size, icons, "goddess") == points


@pytest.mark.parametrize(("base", "threshold"), [(1, 9), (2, 8), (3, 7), (4, 6), (5, 5), (6, 4)])
def test_the_wheel_turns_at_ten_exactly(base: int, threshold: int) -> None:
    """F-15, F-17: one discard fewer or more does nothing, unless ten and more is meant."""
    turned = [n for n in range(1, 20) if wheel_turns(base, n, FACTS, SWITCHES)]
    assert turned == [threshold]
    at_least = replace(SWITCHES, wheel_condition="at_least")
    assert wheel_turns(base, threshold + 1, FACTS, at_least)
    assert not wheel_turns(base, threshold - 1, FACTS, at_least)


def test_a_small_hand_fills_large_sets_up() -> None:
    """Two cards in hand: a 1 and a 2 are complete, from 3 on all cards go in; a 0 is never filled up."""
    found = set(iter_plays(2, FACTS, SWITCHES))
    assert {Play(0, 1, 1), Play(0, 2, 2), Play(1, 1, 1), Play(2, 2, 2), Play(9, 2, 9)} <= found
    assert {play.number for play in found if play.all_in} == {3, 4, 5, 6, 7, 8, 9}
    filled = set(iter_plays(2, FACTS, replace(SWITCHES, zero_all_in=True)))
    assert filled - found == {Play(0, 2, 6)}
    assert set(iter_plays(0, FACTS, SWITCHES)) == set()


@pytest.mark.parametrize(
    ("play", "cards"),
    [
        (Play(5, 5, 5), 3), (Play(8, 8, 8), 6), (Play(2, 2, 2), 0), (Play(1, 1, 1), 0), (Play(0, 3, 3), 1),
        (Play(9, 5, 9), 3), (Play(2, 1, 2), 0),
    ],
)  # fmt: skip
def test_a_refill_is_two_fewer_than_came_from_hand(play: Play, cards: int) -> None:
    """F-04, F-12, F-14: what fills an All-in set up is not counted, and nothing is drawn below zero."""
    assert count_refill(play, FACTS, SWITCHES) == cards


def test_an_all_in_set_may_be_counted_whole() -> None:
    """With the other reading of E13 the same All-in set of 9 draws seven cards."""
    assert count_refill(Play(9, 5, 9), FACTS, replace(SWITCHES, refill_counts="set_size")) == 7


def test_each_turn_leaves_the_hand_that_the_examples_give() -> None:
    """F-04 and F-07 leave six of seven cards; a pass leaves seven; after the trigger 3 of 4 leave 1."""
    assert {turn.hand for turn in iter_turns(7, FACTS, SWITCHES)} == {7, 6}
    assert (4, 6) in set(iter_turns(7, FACTS, SWITCHES))
    after = set(iter_turns(3, FACTS, SWITCHES, after_trigger=True))
    assert (1, 1) in after
    assert (1, 2) in after
    assert all(turn.drawn == 1 for turn in after)


def test_switches_change_the_turns_after_the_trigger() -> None:
    """E19, E23, E38: no discard after a one-card set, no draw for the turn, no All-in set."""
    usual = Counter(iter_turns(2, FACTS, SWITCHES, after_trigger=True))
    kept = Counter(iter_turns(2, FACTS, replace(SWITCHES, one_card_discard_after_trigger=False), after_trigger=True))
    assert (usual - kept, kept - usual) == ({(1, 1): 2}, {(1, 2): 2})
    undrawn = set(iter_turns(2, FACTS, replace(SWITCHES, turn_draw_after_trigger=False), after_trigger=True))
    assert undrawn == {(0, 1), (0, 0)}
    barred = Counter(iter_turns(2, FACTS, replace(SWITCHES, all_in_after_trigger=False), after_trigger=True))
    assert usual - barred == {(1, 0): 6}


def test_hands_stay_between_none_and_the_first_hand() -> None:
    """Every hand from 0 to 7 can be reached, none above; with its turn's draw a hand has 8 cards at most."""
    assert list_hand_sizes(FACTS, SWITCHES) == frozenset(range(8))
    assert most_held(FACTS, SWITCHES) == 8
    assert max(list_hand_sizes(replace(FACTS, refill_minus=0), SWITCHES)) > 7


def test_draws_are_bounded_both_ways() -> None:
    """Round by round a player draws 7, 6, 5 ... cards at most, and one at least."""
    assert list(islice(most_drawn(FACTS, SWITCHES), 5)) == [7, 13, 18, 22, 25]
    assert fewest_drawn(FACTS, SWITCHES) == 1
