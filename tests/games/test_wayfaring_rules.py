"""The course of play of wayfaring against worked examples: set-up, turns, troubles, passing, fainting, winning."""

from dataclasses import replace
from typing import Any

import pytest
from wayfaring_game import loaded

from generator.games.wayfaring.facts import Facts, Switches, facts_of
from generator.games.wayfaring.rules import (
    Seat,
    appearing,
    asked,
    can_draw,
    clockwise,
    deal,
    drawn,
    first_display,
    leaders_at_cap,
    marked,
    next_seat,
    passed,
    phases,
    settle,
    trouble_targets,
)

ALL = (True, True, True)


@pytest.fixture(scope="module")
def rules() -> tuple[Facts, Switches]:
    """The numbers and readings of the game's data."""
    return facts_of(loaded())


def seat(hand: int, memories: int = 0, need: int = 10, *, active: bool = True) -> Seat:
    """A player with so many cards and memories."""
    return Seat(hand, memories, need, active)


@pytest.mark.parametrize(("players", "hands", "deck"), [(2, 12, 68), (3, 18, 62), (4, 24, 56)])
def test_set_up_leaves_what_is_not_dealt(rules: tuple[Facts, Switches], players: int, hands: int, deck: int) -> None:
    """T-01: six cards each out of 80, three characters out of 20."""
    assert deal(players, 80, 20, rules[0]) == (hands, deck, 3, 17)


def test_the_first_display_skips_advanced_characters(rules: tuple[Facts, Switches]) -> None:
    """T-03: P16 and P17 are set aside on the way to three ordinary characters; the rest is not looked at."""
    order = ["P01", "P16", "P02", "P17", "P03", "P04", "P18"]
    found = first_display(order, {"P16", "P17", "P18", "P19", "P20"}, rules[0])
    assert found == (("P01", "P02", "P03"), ("P16", "P17"), 5)
    short = first_display(["P16", "P01"], {"P16"}, rules[0])
    assert short == (("P01",), ("P16",), 2)


def test_the_display_is_filled_up_as_far_as_its_deck_lasts(rules: tuple[Facts, Switches]) -> None:
    """T-15: two appear beside one on display; none beside three or more; no more than there are."""
    facts = rules[0]
    assert [appearing(on_display, 17, facts) for on_display in (0, 1, 3, 5)] == [3, 2, 0, 0]
    assert appearing(0, 2, facts) == 2


def test_the_first_turn_has_no_draw_phase(rules: tuple[Facts, Switches]) -> None:
    """T-04 and E36: nothing in turn 1, one card in every other; a wrong turning takes the second main phase."""
    facts = rules[0]
    assert [drawn(turn, facts) for turn in (1, 2, 3)] == [0, 1, 1]
    assert phases(1, facts) == ("main_1", "move", "main_2", "end")
    assert phases(2, facts) == ("draw", "main_1", "move", "main_2", "end")
    assert phases(2, facts, skip_main_2=True) == ("draw", "main_1", "move", "end")


def test_turns_go_clockwise_past_those_who_are_out() -> None:
    """The next active seat to the left, around the table; a single one left comes after itself."""
    assert [next_seat(n, ALL) for n in range(3)] == [1, 2, 0]
    assert next_seat(0, (True, False, True)) == 2
    assert next_seat(1, (False, True, False)) == 1
    assert clockwise(1, ALL) == (2, 0, 1)


def test_who_is_asked_for_an_intervention(rules: tuple[Facts, Switches]) -> None:
    """E19b: from the left of whoever declared, that player last; or from the turn player on."""
    switches = rules[1]
    assert asked(1, 0, ALL, switches) == (2, 0, 1)
    assert asked(1, 0, (False, True, True), switches) == (2, 1)
    first = replace(switches, intervention_order="turn_player_first")
    assert asked(1, 0, ALL, first) == (0, 1, 2)
    assert asked(1, 2, ALL, first) == (2, 0, 1)


def test_troubles_go_to_other_paths_that_are_not_empty(rules: tuple[Facts, Switches]) -> None:
    """T-06: only the path with a card; none at all for a second trouble this turn, nor for players who are out."""
    facts, switches = rules
    assert trouble_targets((0, 0, 1), 0, ALL, (0, 0, 0), facts, switches) == (2,)
    assert trouble_targets((2, 3, 1), 0, ALL, (0, 0, 0), facts, switches) == (1, 2)
    assert trouble_targets((2, 3, 1), 0, ALL, (0, 0, 1), facts, switches) == ()
    assert trouble_targets((2, 3, 1), 1, (True, True, False), (0, 0, 0), facts, switches) == (0,)


def test_troubles_may_be_limited_for_each_opponent(rules: tuple[Facts, Switches]) -> None:
    """E15 read the other way: one on each path, the total being no matter."""
    each = replace(rules[1], trouble_limit="per_opponent")
    assert trouble_targets((2, 3, 1), 0, ALL, (0, 0, 1), rules[0], each) == (1,)


def test_the_third_pass_is_fainting(rules: tuple[Facts, Switches]) -> None:
    """T-04, E8, E9: one marker for each pass; with two already, a further one is too many, forced or not."""
    facts, switches = rules
    assert [passed(marks, facts, switches) for marks in (0, 1, 2)] == [1, 2, None]
    assert passed(2, facts, switches, forced=True) is None
    free = replace(switches, forced_pass_counts=False)
    assert passed(2, facts, free, forced=True) == 2
    assert passed(2, facts, free) is None


def test_effects_on_pass_markers_make_nobody_faint(rules: tuple[Facts, Switches]) -> None:
    """Held at the Barrier gives no third marker, and none is taken from nobody."""
    assert [marked(marks, 1, rules[0]) for marks in (0, 1, 2)] == [1, 2, 2]
    assert [marked(marks, -1, rules[0]) for marks in (0, 1, 2)] == [0, 0, 1]


@pytest.mark.parametrize(
    ("deck", "discards", "reshuffled", "possible"),
    [(1, 0, 1, True), (0, 1, 0, True), (0, 5, 0, True), (0, 5, 1, False), (0, 0, 0, False)],
)
def test_the_discards_become_the_deck_once_a_turn(
    rules: tuple[Facts, Switches], deck: int, discards: int, reshuffled: int, possible: bool
) -> None:
    """E28: from the deck, or else from discards that have not been shuffled this turn."""
    facts, switches = rules
    assert can_draw(deck, discards, reshuffled, facts, switches) is possible
    assert can_draw(deck, discards, reshuffled, facts, replace(switches, deck_out="none")) is bool(deck)


@pytest.mark.parametrize(
    ("seats", "turn_player", "expected"),
    [
        ([seat(0), seat(3), seat(2)], 0, ((0,), ())),
        ([seat(0), seat(3)], 0, ((0,), (1,))),
        ([seat(1), seat(0), seat(2)], 0, ((1,), ())),
        ([seat(0, 3), seat(0, 2)], 0, ((0, 1), (0,))),
        ([seat(0, 2), seat(0, 2)], 1, ((1, 0), (0, 1))),
        ([seat(0, 1), seat(0, 4), seat(0, 5)], 1, ((1, 2, 0), (2,))),
        ([seat(0, 9, active=False), seat(0, 2), seat(0, 1)], 1, ((1, 2), (1,))),
        ([seat(0, 10), seat(3, 9), seat(2)], 0, ((0,), ())),
        ([seat(1, 10), seat(3, 10), seat(2)], 1, ((), (1,))),
        ([seat(1, 10), seat(3, 9), seat(2)], 1, ((), (0,))),
        ([seat(1, 10, 11), seat(3, 9), seat(2)], 0, ((), ())),
        ([seat(2), seat(0, active=False), seat(0, active=False)], 0, ((), (0,))),
    ],
)
def test_empty_hands_faint_and_somebody_may_win(
    rules: tuple[Facts, Switches], seats: list[Seat], turn_player: int, expected: Any
) -> None:
    """T-25 to T-27: fainting comes first, all at once; then the last one left, equals together, or enough memories."""
    assert settle(seats, turn_player, rules[1]) == expected


def test_where_fainting_is_a_rest_only_memories_win(rules: tuple[Facts, Switches]) -> None:
    """E54: nobody is left alone at the table, and a player with an empty hand has not won."""
    rest = replace(rules[1], fainting="rest")
    assert settle([seat(0, 3), seat(3)], 0, rest) == ((0,), ())
    assert settle([seat(0, 10), seat(3)], 0, rest) == ((0,), ())
    assert settle([seat(0, 3), seat(3, 10)], 0, rest) == ((0,), (1,))


def test_a_game_without_end_goes_to_memories_then_cards() -> None:
    """At the last turn foreseen: most memories, then most cards in hand; equals share; those out have no part."""
    assert leaders_at_cap([seat(2, 5), seat(4, 5), seat(9, 4)]) == (1,)
    assert leaders_at_cap([seat(4, 5), seat(4, 5), seat(9, 9, active=False)]) == (0, 1)
