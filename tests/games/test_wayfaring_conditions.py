"""Paths, conditions and chances of wayfaring against worked examples and against brute force."""

from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples
from wayfaring_game import effect, loaded

from generator.games.wayfaring.cards import parts_of
from generator.games.wayfaring.chances import (
    at_least_once,
    expected_before,
    most_players_sure,
    most_redraws,
    none_before,
    path_cards_used,
    sure_from,
    without,
)
from generator.games.wayfaring.conditions import Standing, Table, holds, payable, possible, usable, works
from generator.games.wayfaring.facts import Facts, facts_of
from generator.games.wayfaring.paths import (
    Placed,
    in_shape,
    last_hidden,
    memories,
    moved,
    needed,
    next_card,
    placed,
    recalled,
    troubles,
    visited,
    won_by_effect,
    won_by_move,
)
from generator.model.game import Effect, Game

TERRAIN = {"D02": "mountain", "D05": "water", "D12": "shrine"}


@pytest.fixture(scope="module")
def game() -> Game:
    """The game as its data folder describes it."""
    return loaded()


@pytest.fixture(scope="module")
def facts(game: Game) -> Facts:
    """The numbers of the game's data."""
    return facts_of(game)[0]


def path(told: str) -> tuple[Placed, ...]:
    """A path as examples write it: `D02+ T01-`, + for face up, from the past to the future."""
    return tuple(
        Placed(code[:-1], code[-1] == "+", "trouble" if code[0] == "T" else "destination", TERRAIN.get(code[:-1], ""))
        for code in told.split()
    )


def told(cards: tuple[Placed, ...]) -> str:
    """The same the other way round."""
    return " ".join(card.card + ("+" if card.face_up else "-") for card in cards)


def test_face_up_cards_are_memories_and_destinations_are_visited() -> None:
    """E56: a trouble counts as a memory only; face-down cards count for nothing."""
    mixed = path("D02+ T01+ D05+ D12- T02-")
    assert (memories(mixed), visited(mixed), troubles(mixed)) == (3, 2, 1)
    assert [visited(mixed, terrain) for terrain in ("mountain", "water", "shrine")] == [1, 1, 0]


def test_a_move_goes_to_the_past_end_of_what_is_hidden() -> None:
    """T-05: the face-down card furthest in the past is turned up; what is placed comes to the future end."""
    assert told(moved(path("D02+ D05- T01-"))) == "D02+ D05+ T01-"
    assert told(placed(path("D02+"), Placed("T01", face_up=True, kind="trouble"))) == "D02+ T01-"
    assert next_card(path("D02+")) is None
    with pytest.raises(ValueError, match="no face-down card"):
        moved(path("D02+"))


def test_the_future_end_is_buried_and_the_past_end_recalled() -> None:
    """T-17: Headwind takes the last face-down card, here a trouble; a recalled card lies face up before all others."""
    assert last_hidden(path("D01+ D02- T01-")) == 2
    assert last_hidden(path("D01+")) is None
    assert told(recalled(path("D01+ D02-"), Placed("D12", face_up=False))) == "D12+ D01+ D02-"


@given(st.lists(st.sampled_from(["place", "move", "recall"]), max_size=12))
@examples(40)
def test_paths_keep_their_shape(steps: list[str]) -> None:
    """Whatever is placed, moved onto or recalled, face-up cards lie on the past side."""
    cards: tuple[Placed, ...] = ()
    for number, step in enumerate(steps):
        new = Placed(f"D{number}", face_up=False)
        if step == "place":
            cards = placed(cards, new)
        elif step == "recall":
            cards = recalled(cards, new)
        elif next_card(cards) is not None:
            cards = moved(cards)
        assert in_shape(cards)
    assert not in_shape(path("D01- D02+"))


def test_curses_raise_what_is_needed(facts: Facts) -> None:
    """Ten memories; each Laughing Mask one more; other curses nothing."""
    mask, bell = effect("need_more", n=1), effect("end_discard", n=1)
    assert [needed(curses, facts) for curses in ((), (mask,), (mask, bell, mask))] == [10, 11, 12]


def test_a_move_wins_with_a_card_in_hand_and_an_effect_without() -> None:
    """T-25, E53: the tenth memory wins at once, but one that was moved onto only with a card in hand."""
    nine, ten = path("D02+ " * 9 + "D05-"), path("D02+ " * 10)
    assert [won_by_move(cards, 10, hand) for cards, hand in ((nine, 3), (ten, 1), (ten, 0))] == [False, True, False]
    assert won_by_effect(ten, 10, 0)
    assert not won_by_effect(ten, 10, 0, needs_hand=True)
    assert won_by_effect(ten, 10, 1, needs_hand=True)
    assert not won_by_effect(ten, 11, 1)


@pytest.mark.parametrize(
    ("situation", "met", "missed"),
    [
        (effect("visited", n=1), Standing(path("D02+")), Standing(path("D02- T01+"))),
        (effect("terrain", of="water", n=1), Standing(path("D05+")), Standing(path("D02+ D05-"))),
        (effect("troubles", n=1), Standing(path("T01+")), Standing(path("D02+ T01-"))),
        (effect("companions", n=2), Standing(companions=2), Standing(companions=1)),
        (effect("cursed", n=1), Standing(cursed=1), Standing()),
        (effect("hand_max", n=3), Standing(hand=3), Standing(hand=4)),
    ],
)
def test_situations_hold_from_their_number_on(situation: Effect, met: Standing, missed: Standing) -> None:
    """T-11, T-13: each situation of the cards, just met and just missed."""
    assert holds(situation, met)
    assert not holds(situation, missed)


@pytest.mark.parametrize(
    ("deed", "can", "can_not"),
    [
        ([effect("discard", n=2)], Standing(hand=2), Standing(hand=1)),
        (
            [effect("discard", n=1, type="destination")],
            Standing(hand=1, destinations=1),
            Standing(hand=3, destinations=0),
        ),
        ([effect("discard", n=1), effect("discard", n=2)], Standing(hand=3), Standing(hand=2)),
        ([effect("mark", k=1)], Standing(marks=1), Standing(marks=2)),
        ([effect("mark", k=-1)], Standing(marks=1), Standing(marks=0)),
        ([effect("bury", who="self")], Standing(path("D02+ D05-")), Standing(path("D02+"))),
    ],
)
def test_deeds_are_paid_in_full(deed: list[Effect], can: Standing, can_not: Standing, facts: Facts) -> None:
    """E17: discards together, a marker within what is allowed, a face-down card of one's own."""
    assert payable(deed, can, facts)
    assert not payable(deed, can_not, facts)


def test_a_gift_to_others_can_always_be_paid(facts: Facts) -> None:
    """Senji's deed asks for nothing of one's own."""
    assert payable([effect("vitality", n=1, who="each_other")], Standing(), facts)


@pytest.mark.parametrize(
    ("step", "can", "can_not"),
    [
        (effect("vitality", n=1), (Standing(), Table()), (Standing(), Table(drawable=False))),
        (effect("vitality", n=1), (Standing(), Table()), (Standing(gains_vitality=False), Table())),
        (
            effect("vitality", n=1, who="each_other"),
            (Standing(gains_vitality=False), Table()),
            (Standing(), Table(drawable=False)),
        ),
        (effect("fatigue", n=2), (Standing(hand=1), Table()), (Standing(), Table(other_hands=True))),
        (
            effect("fatigue", n=1, who="one_other"),
            (Standing(), Table(other_hands=True)),
            (Standing(hand=3), Table()),
        ),
        (effect("discard", n=2), (Standing(hand=1), Table()), (Standing(), Table())),
        (
            effect("discard", n=1, type="destination"),
            (Standing(hand=1, destinations=1), Table()),
            (Standing(hand=1), Table()),
        ),
        (effect("place", n=2), (Standing(hand=1, destinations=1), Table()), (Standing(hand=4), Table())),
        (effect("move", n=1), (Standing(path("D02-")), Table()), (Standing(path("D02+")), Table())),
        (effect("mark", k=-1), (Standing(marks=1), Table()), (Standing(), Table())),
        (effect("bury", who="self"), (Standing(path("D02-")), Table()), (Standing(), Table(hidden=True))),
        (effect("bury", who="any"), (Standing(), Table(hidden=True)), (Standing(), Table())),
        (effect("dismiss", n=1), (Standing(), Table(on_display=1)), (Standing(), Table(character_deck=9))),
        (effect("appear", n=1), (Standing(), Table(character_deck=1)), (Standing(), Table(on_display=3))),
        (effect("join"), (Standing(), Table(joinable=True)), (Standing(), Table(on_display=3))),
        (effect("recall", n=1), (Standing(), Table(discarded_destinations=1)), (Standing(), Table(discards=9))),
        (effect("recover", type="any"), (Standing(), Table(discards=1)), (Standing(), Table())),
        (
            effect("recover", type="destination"),
            (Standing(), Table(discards=1, discarded_destinations=1)),
            (Standing(), Table(discards=1)),
        ),
        (
            effect("recover", type="any", other_design=True),
            (Standing(), Table(discards=2, other_discards=1)),
            (Standing(), Table(discards=1)),
        ),
        (effect("negate"), (Standing(), Table(answers_intervention=True)), (Standing(), Table())),
    ],
)
def test_steps_are_possible_if_they_can_do_anything(
    step: Effect, can: tuple[Standing, Table], can_not: tuple[Standing, Table]
) -> None:
    """Each operation of a card that may be used, just possible and just not."""
    assert possible(step, *can)
    assert not possible(step, *can_not)
    assert usable([step], *can)
    assert not usable([step], *can_not)


def test_a_marker_may_be_gained_by_anybody() -> None:
    """Gaining a pass marker is possible even with as many as may be had."""
    assert all(possible(effect("mark", k=1), Standing(marks=marks), Table()) for marks in (0, 2))


def test_a_step_marked_with_a_kind_may_be_played_for_nothing() -> None:
    """T-23: Headwind is offered without a Human, works only with one; unmarked steps always work."""
    headwind = effect("bury", who="any", kind="human")
    assert usable([headwind], Standing(), Table())
    assert [works(headwind, kinds) for kinds in ((), {"fey"}, {"fey", "human"})] == [False, False, True]
    assert works(effect("vitality", n=1, kind=None), ())
    assert works(effect("vitality", n=1), ())


def test_every_condition_and_step_of_the_cards_is_known(game: Game, facts: Facts) -> None:
    """The rules can answer for whatever stands on a card, except what only befalls players."""
    for part in parts_of(game):
        if part.part == "situation":
            assert isinstance(holds(part.effect, Standing()), bool)
        elif part.part in {"cost", "deed"}:
            assert isinstance(payable([part.effect], Standing(), facts), bool)
        elif part.part not in {"curse", "occurrence"}:
            assert isinstance(possible(part.effect, Standing(), Table()), bool)


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda _: holds(effect("weather", n=1), Standing()), "unknown situation 'weather'"),
        (lambda facts: payable([effect("move", n=1)], Standing(), facts), "'move' is neither a cost nor a deed"),
        (lambda _: possible(effect("fly"), Standing(), Table()), "unknown operation 'fly'"),
    ],
)
def test_what_the_rules_do_not_know_is_a_mistake(facts: Facts, ask: Any, told: str) -> None:
    """An operation without rules is an error, never silently nothing."""
    with pytest.raises(ValueError, match=told):
        ask(facts)


def test_hands_without_a_wanted_card_follow_by_counting() -> None:
    """TC-08 on a deck small enough to deal out every hand, and the figures of the real one."""
    hands = list(combinations(range(9), 3))
    lacking = sum(not any(card < 4 for card in hand) for hand in hands)
    assert without(9, 4, 3) == Fraction(lacking, len(hands))
    chance = without(80, 42, 6)
    assert chance == Fraction(2760681, 300500200)
    assert [round(float(at_least_once(chance, players)), 4) for players in (2, 3, 4)] == [0.0183, 0.0273, 0.0362]


def test_set_aside_characters_follow_by_shuffling() -> None:
    """TC-09 on all orders of a small deck, and the figures of the real one."""
    orders = list(permutations("aaoooo"))
    before = [_before(order, taken=2) for order in orders]
    assert expected_before(2, 2, 4) == Fraction(sum(before), len(orders))
    assert none_before(2, 2, 4) == Fraction(before.count(0), len(orders))
    assert expected_before(5, 3, 15) == Fraction(15, 16)
    assert none_before(5, 3, 15) == Fraction(455, 1140)


def _before(order: tuple[str, ...], taken: int) -> int:
    """How many `a` come up before so many `o` have."""
    ordinary = 0
    for place, card in enumerate(order):
        ordinary += card == "o"
        if ordinary == taken:
            return place + 1 - taken
    raise AssertionError(order)


def test_bounds_follow_from_hands_and_memories() -> None:
    """TC-06, TC-07, TC-10: destinations that must exist, redraws that can happen, path cards that are used up."""
    assert [sure_from(players, 6) for players in (2, 3, 4, 7, 8)] == [7, 13, 19, 37, 43]
    assert [most_players_sure(wanted, 6) for wanted in (42, 43, 36, 37, 1, 0)] == [7, 8, 6, 7, 1, 0]
    assert most_redraws(80, 42, 6) == 6
    assert [path_cards_used(players, 10) for players in (2, 3, 4)] == [19, 28, 37]
    assert [path_cards_used(players, 10, 2) for players in (2, 3, 4)] == [21, 30, 39]
