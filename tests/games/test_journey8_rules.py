"""The arithmetic of draft 8 against worked examples: deals, plays, keys, effects at the end, and who wins."""

from dataclasses import replace
from typing import Any, Literal

import pytest

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
    most_turns,
    rising_row,
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
        (effect("gain", side="coherence", n=2), 2),
        (effect("drop", side="coherence", n=2), -2),
        (effect("turn", n=3), 6),
        (effect("turn_back", n=2), -4),
        (effect("give", n=2), 2),
        (effect("take_one", n=3), -3),
        (effect("take_each", n=2), -4),
        (effect("all_gain", side="sone", n=2), 0),
        (effect("discard_this"), 0),
    ],
)
def test_an_effect_is_worth_the_counters_that_it_brings(given: Effect, value: int) -> None:
    assert effect_worth([given], 3) == value
    assert effect_worth([given], 2) == (value if given.op != "take_each" else value / 2)
