"""The arithmetic of draft 8 against worked examples: deals, plays, keys, effects at the end, and who wins."""

from dataclasses import replace
from typing import Any, Literal

import pytest
from journey8_oracle import (
    Card,
    Counters,
    Final,
    Step,
    Table,
    effect_applied,
    key_runs,
    mode,
    mode_by_count,
    step,
    total,
    winners,
)

from generator.game.model import Effect
from generator.rules.journey8.data import (
    KEY,
    Facts,
    Mode,
    Removal,
    Switches,
    can_occur,
    count_deal,
    counters_added,
    counters_in_play,
    effect_worth,
    keeps_number,
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

COLOURS = {"R": "red", "B": "blue", "Y": "yellow"}


def card(code: str) -> Card:
    """`R5` is the red 5; `J:R5` a joker that was declared to be like it."""
    joker, _, rest = code.rpartition(":")
    return Card(COLOURS[rest[0]], int(rest[1:]), bool(joker))


def row(signs: str) -> tuple[bool, ...]:
    return tuple(sign == KEY for sign in signs)


def effect(op: str, **values: Any) -> Effect:
    return Effect(op, values)


@pytest.mark.parametrize(
    ("players", "removed", "deck", "counters", "row_length"),
    [(2, 6, 15, 6, 18), (3, 3, 17, 9, 21), (4, 0, 19, 12, 23)],
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
    ("players", "left", "new", "sone", "expected"),
    [
        (2, "B2", "R6", 3, Step(0, 4, 0, False)),
        (2, "R6", "Y1", 3, Step(0, 0, 3, False)),
        (3, "R5", "R3", 3, Step(2, 0, 1, False)),
        (4, "R5", "R6", 0, Step(0, 1, 0, False)),
        (2, "B4", "R4", 3, Step(0, 0, 0, True)),
        (2, "R4", "R1", 3, Step(1, 0, 2, False)),
        (2, "R7", "J:R1", 3, Step(1, 0, 2, False)),
        (2, "R7", "J:B1", 3, Step(0, 0, 3, False)),
        (2, "Y3", "J:Y3", 3, Step(1, 0, 0, True)),
        (2, "J:R1", "J:B7", 3, Step(0, 6, 0, False)),
        (4, "R5", "R6", 2, Step(2, 1, 0, False)),
    ],
)
def test_a_play_gives_then_gains_or_turns(players: int, left: str, new: str, sone: int, expected: Step) -> None:
    """Y2 to Y14: gifts for the same colour first, then the difference up or, as far as sone is left, down."""
    assert step(card(new), card(left), sone, players - 1, FACTS, SWITCHES) == expected


def test_a_joker_may_be_of_every_colour_at_once() -> None:
    """E7 read the other way: next to a joker the colour is always the same."""
    always = replace(SWITCHES, joker_colour="always_same")
    assert step(card("J:B1"), card("R7"), 3, 1, FACTS, always) == (1, 0, 2, False)
    assert step(card("B2"), card("J:R1"), 3, 1, FACTS, always) == (1, 1, 0, False)
    assert step(card("B2"), card("R1"), 3, 1, FACTS, always) == (0, 1, 0, False)


def test_a_joker_can_be_declared_in_14_ways_and_two_in_26() -> None:
    """One joker: colour same or not, seven numbers. Two: same or not, thirteen differences."""
    jokers = [Card(colour, number, joker=True) for colour in COLOURS.values() for number in FACTS.numbers]
    assert len({step(new, card("R4"), 9, 1, FACTS, SWITCHES) for new in jokers}) == 14
    assert len({step(new, left, 9, 1, FACTS, SWITCHES) for new in jokers for left in jokers}) == 26


@pytest.mark.parametrize(
    ("signs", "expected"),
    [
        ("□□■■□", "reverse"),
        ("□■■■", "reverse"),
        ("□■□■□■", "normal"),
        ("□■■□■■", "normal"),
        ("□■□■■", "reverse"),
        ("□■■■■", "reverse"),
        ("□□■■□■■□□□", "normal"),
        ("□□□", "normal"),
    ],
)
def test_keys_side_by_side_turn_the_mode(signs: str, expected: Mode) -> None:
    """Y15, all rows, and a row without keys."""
    assert mode(row(signs), FACTS, SWITCHES) == expected


def test_three_keys_in_a_row_may_count_as_two_places() -> None:
    """E6 read the other way: each pair of neighbours counts."""
    pairs = replace(SWITCHES, run_count="adjacent_pairs")
    assert [key_runs(row(signs), FACTS, pairs) for signs in ("□■■□", "□■■■", "□■■■■", "□■□■")] == [1, 2, 3, 0]
    assert mode(row("□■■■"), FACTS, pairs) == "normal"


def test_the_number_of_keys_may_decide_instead() -> None:
    """V-KEYCOUNT: up to one key Normal, two keys no hand numbers, three and more Reverse."""
    modes: dict[int, Mode] = {0: "normal", 2: "ignored", 3: "reverse"}
    found = [mode_by_count(keys, modes) for keys in range(6)]
    assert found == ["normal", "normal", "ignored", "reverse", "reverse", "reverse"]


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


def test_the_least_total_wins_and_coherence_breaks_ties() -> None:
    """Y17 and Y19: 5 and 5, more coherence wins; 1 and 1 with equal coherence is a draw."""
    first = [Final(7, 2, 4), Final(1, 4, 0)]
    assert [total(final, "normal") for final in first] == [5, 5]
    assert winners(first, "normal") == (0,)
    assert winners([Final(9, 1, 0), Final(5, 4, 0), Final(1, 1, 7), Final(3, 0, 0)], "normal") == (2,)
    draw = [Final(2, 1, 2), Final(2, 1, 2)]
    assert [total(final, "normal") for final in draw] == [1, 1]
    assert winners(draw, "normal") == (0, 1)


def test_reverse_and_ignored_hands_take_the_most() -> None:
    finals = [Final(7, 2, 4), Final(10, 3, 0), Final(0, 0, 3)]
    assert [total(final, "reverse") for final in finals] == [9, 7, 3]
    assert winners(finals, "reverse") == (0,)
    assert [total(final, "ignored") for final in finals] == [2, -3, 3]
    assert winners(finals, "ignored") == (2,)


def test_only_larger_numbers_bring_counters() -> None:
    """Y21: two players, rises of 4 and 6: 16 counters."""
    assert counters_in_play(2, (4, 6), FACTS) == 16


def test_effects_at_the_end_follow_the_examples() -> None:
    """Y23 to Y26: a joker's three sone; then one from the other; as much as there is; one from each who has some."""
    joker = [effect("gain", side="sone", n=3), effect("discard_this")]
    table: Table = (Counters(1, 0), Counters(3, 0))
    for part in joker:
        table = effect_applied(part, 0, table)
    assert table == ((4, 0), (3, 0))
    assert not keeps_number(joker)
    assert total(Final(0, *table[0]), "normal") == 4

    table = effect_applied(effect("take_one", n=1), 0, table, chosen=(1,))
    assert table == ((5, 0), (2, 0))
    assert total(Final(2, *table[0]), "normal") == 7

    assert effect_applied(effect("drop", side="sone", n=4), 0, (Counters(3, 2), Counters(0, 0)))[0] == (0, 2)
    assert total(Final(7, 0, 2), "normal") == 5

    three = (Counters(0, 0), Counters(2, 0), Counters(0, 0))
    after = effect_applied(effect("take_each", n=1), 0, three)
    assert after == ((1, 0), (1, 0), (0, 0))
    assert total(Final(1, *after[0]), "normal") == 2


@pytest.mark.parametrize(
    ("given", "chosen", "mine", "others", "value"),
    [
        (effect("gain", side="coherence", n=2), (), (2, 3), ((2, 2), (0, 1)), 2),
        (effect("drop", side="coherence", n=2), (), (2, 0), ((2, 2), (0, 1)), -2),
        (effect("turn", n=3), (), (0, 3), ((2, 2), (0, 1)), 6),
        (effect("turn_back", n=2), (), (3, 0), ((2, 2), (0, 1)), -4),
        (effect("give", n=2), (1, 2), (0, 1), ((3, 2), (1, 1)), 2),
        (effect("give", n=3), (1, 1, 2), (0, 1), ((4, 2), (0, 1)), 3),
        (effect("take_one", n=3), (1,), (4, 1), ((0, 2), (0, 1)), -3),
        (effect("take_one", n=1), (), (2, 1), ((2, 2), (0, 1)), -1),
        (effect("take_each", n=2), (), (4, 1), ((0, 2), (0, 1)), -4),
        (effect("all_gain", side="sone", n=2), (), (4, 1), ((4, 2), (2, 1)), 0),
        (effect("discard_this"), (), (2, 1), ((2, 2), (0, 1)), 0),
    ],
)
def test_every_operation_goes_as_far_as_counters_allow(
    given: Effect, chosen: tuple[int, ...], mine: tuple[int, int], others: tuple[tuple[int, int], ...], value: int
) -> None:
    """From 2 sone and 1 coherence, against (2, 2) and (0, 1): nobody ever falls below nothing. And each one's worth."""
    table = (Counters(2, 1), Counters(2, 2), Counters(0, 1))
    assert effect_applied(given, 0, table, chosen) == (mine, *others)
    assert effect_worth([given], 3) == value
    assert effect_worth([given], 2) == (value if given.op != "take_each" else value / 2)


def test_an_unknown_operation_is_a_mistake_of_ours() -> None:
    """The data may have more operations than the rules know; they are never passed over in silence."""
    with pytest.raises(ValueError, match="swap"):
        effect_applied(effect("swap", n=1), 0, (Counters(0, 0),))


def test_gains_bring_counters_from_the_supply() -> None:
    """Turning and giving move counters, gaining adds them, for all players if all gain."""
    parts = [effect("gain", side="sone", n=2), effect("turn", n=1), effect("all_gain", side="sone", n=1)]
    assert counters_added(parts, 4) == 6
    assert counters_added([effect("give", n=2), effect("drop", side="sone", n=2)], 4) == 0
