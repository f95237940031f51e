"""How good a won game of journey18 can be: the closer bounds, which are never above those of the dossier, and reached."""

from dataclasses import replace
from itertools import combinations

import pytest
from journey18_tables import CHOICES, GAME, box

from generator.rules.journey18.box import (
    best_points,
    fewest_loops,
    iter_endings,
    loops_at_least,
    most_points,
    shortest_trip,
)
from generator.rules.journey18.state import Location, facts_of, limits_of, locations_of

FACTS, SWITCHES = facts_of(GAME)
TRIP = locations_of(GAME)


@pytest.mark.parametrize(
    ("turns", "recalls", "laps"),
    [(16, 0, 4), (16, 5, 4), (17, 0, 5), (17, 1, 5), (17, 2, 4), (20, 0, 7), (31, 0, None)],
)
def test_the_cards_make_the_white_pawn_loop(turns: int, recalls: int, laps: int | None) -> None:
    """16 different cards add up to 34 at least, the way to day 7 and four laps; what comes back may be a 1 again."""
    assert loops_at_least(FACTS, turns, recalls) == laps


@pytest.mark.parametrize("suits", [1, 2])
def test_no_choice_of_cards_loops_less(suits: int) -> None:
    """All ways to play as many different cards as the shortest game has turns: those that end on day 7 loop so often."""
    facts = replace(FACTS, suits=FACTS.suits[:suits])
    cards = [number for number in FACTS.numbers for _ in facts.suits]
    turns = shortest_trip(facts, "turns")
    assert turns is not None
    ways = {sum(played) for played in combinations(cards, turns)}
    laps = loops_at_least(facts, turns, 0)
    assert laps is not None
    assert min((way - 6) // 7 for way in ways if way % 7 == 6) >= laps


def test_the_fewest_loops() -> None:
    """A story takes different cards, so that even memories can't bring more than the last card back."""
    assert fewest_loops(FACTS) == 4
    assert fewest_loops(replace(FACTS, letters=0)) == 4
    assert fewest_loops(replace(FACTS, suits=FACTS.suits[:1])) == 1


@pytest.mark.parametrize(
    ("items", "most"), [((), [9, 7]), (("rucksack",), [8, 6]), (("tent",), [13, 12]), (("map", "radio"), [10, 9])]
)
def test_most_cards_left(items: tuple[str, ...], most: list[int]) -> None:
    """29 (28 with the Rucksack) less 16 draws and four loops, which the Tent gives back, with a letter spent or without.

    Without the Map a letter brings the second black pawn to day 7, or else that takes a turn and a loop more. With the
    Map the letter may bring a card back.
    """
    left = set(iter_endings(FACTS, 30, items))
    assert [max(cards for cards, letters in left if letters == held) for held in (4, 5)] == most


def test_a_deck_too_small_wins_no_game() -> None:
    """20 cards go in the shortest game, and memories bring four of them back."""
    assert (0, 0) in set(iter_endings(FACTS, 17, ()))
    assert list(iter_endings(FACTS, 16, ())) == []
    assert best_points(FACTS, SWITCHES, 16, TRIP, ()) is None


@pytest.mark.parametrize(
    ("camera", "points"), [("union", 54), ("item_text", 44), ("score_text", 45), ("union_letter2", 54)]
)
def test_the_best_score(camera: str, points: int) -> None:
    """Without items 9 + 4 x 2 + 5 x 4 + 1 = 38; with the Camera letters become cards where these are worth more."""
    switches = replace(SWITCHES, camera=camera)  # type: ignore[arg-type]
    assert best_points(FACTS, switches, 30, TRIP, ()) == 38
    assert best_points(FACTS, switches, 30, TRIP, ("camera",)) == points


def test_items_cost_points() -> None:
    """The Tent keeps the loops' cards and costs ten points; all six items cost 22, and then all bonuses can be had."""
    assert best_points(FACTS, SWITCHES, 30, TRIP, ("tent",)) == 12 + 10 + 21 - 10
    assert best_points(FACTS, SWITCHES, 30, TRIP, ("map",)) == 9 + 10 + 21 - 3
    assert best_points(FACTS, SWITCHES, 30, TRIP, ("lantern",)) == 9 + 8 + 24 - 2
    assert best_points(FACTS, SWITCHES, 30, TRIP, tuple(FACTS.penalties)) == (12 + 5) * 2 + 36 - 22


def test_a_location_scores_what_it_has_room_for() -> None:
    for room, points in ((0, 0), (1, 1), (2, 4), (3, 4)):
        only = (Location("location/here", room, 0, False), Location("location/tree", 0, 0, True))
        assert best_points(FACTS, SWITCHES, 30, only, ()) == 9 + 8 + points


def test_dear_memories_leave_letters_over() -> None:
    dear = replace(FACTS, memory_cost=2)
    assert best_points(dear, SWITCHES, 30, TRIP, ("camera",)) == (9 + 1) * 2 + 1 + 31 - 3


def test_a_trip_may_be_impossible() -> None:
    """Cards that only go round a whole week never leave the first day."""
    around = replace(FACTS, numbers=(7,))
    assert fewest_loops(around) is None
    assert list(iter_endings(around, 30, ())) == []
    assert best_points(around, SWITCHES, 30, TRIP, ()) is None


@pytest.mark.parametrize("items", CHOICES, ids="-".join)
def test_the_closer_bound_is_never_above_the_wider(items: tuple[str, ...]) -> None:
    closer, wider = best_points(FACTS, SWITCHES, 30, TRIP, items), most_points(FACTS, SWITCHES, 30, items)
    assert closer is not None
    assert wider is not None
    assert closer <= wider


def test_an_example_is_as_short_as_a_won_game_can_be() -> None:
    """The example that reaches the best score plays the fewest cards, and loops as seldom as the closer limits say."""
    limits = limits_of(GAME)
    (best,) = (example for example in GAME.examples if example.expected.get("scores") == [limits.best_points["plain"]])
    assert sum(move.startswith("play ") for move in best.moves) == limits.fewest_turns
    assert best.expected["loops"] == limits.best_loops


@pytest.mark.parametrize(("items", "points"), [((), 38), (("camera",), 54)])
def test_test_games_are_held_to_the_closer_bounds(items: tuple[str, ...], points: int) -> None:
    """C18-BOUND lets no test game win with fewer loops, or with more points, than the closer bounds."""
    numbers = box(items=items).numbers
    assert (numbers["fewest_loops"], numbers["most_points"]) == (4, points)
