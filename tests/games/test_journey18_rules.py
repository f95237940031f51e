"""The arithmetic of journey18 against worked examples, and how good a won game can be: wider and closer bounds."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from journey18_tables import CHOICES, GAME, box
from tests_support import examples

from generator.game.model import Effect
from generator.rules.journey18.data import (
    STEP,
    Event,
    Facts,
    Location,
    Points,
    Switches,
    best_points,
    bound_drift,
    bound_shifts,
    compute_residue,
    facts_of,
    fewest_loops,
    find_capacity,
    is_even,
    iter_endings,
    iter_stands,
    limits_of,
    locations_of,
    loops_at_least,
    most_left,
    most_points,
    most_turns,
    passes_last_day,
    placements_to_win,
    residues_within_reach,
    shortest_trip,
    single_event_points,
    step_day,
)

FACTS = Facts(
    days=7,
    first_day=1,
    white_pawns=1,
    black_pawns=2,
    letters=5,
    suits=("red", "green", "blue", "yellow", "white"),
    numbers=(1, 2, 3, 4, 5, 6),
    key_icons=("circle", "square", "triangle"),
    hand=1,
    rucksack_hand=2,
    radio_seen=1,
    draw=1,
    move_total=7,
    loop_cost=1,
    memory_cost=1,
    penalties={"lantern": 2, "map": 3, "radio": 2, "camera": 3, "rucksack": 2, "tent": 10},
    score=Points(1, 2, 4),
    camera={
        "union": Points(2, 1, 6),
        "item_text": Points(2, 1, 4),
        "score_text": Points(1, 2, 6),
        "union_letter2": Points(2, 2, 6),
    },
)
SWITCHES = Switches(
    camera="union", single_event_bonus=1, next_turn_from="refill", suit_once="applied", yellow="forced",
    yellow_empty="lose", blue_pair="any_equal", swapped_out_resolves=False, green_copies_green=False,
    green_source="any", solve="optional", solve_per_turn=1, letter_windows="all", memory_power="before",
    memory_multi="sequential", memory_direction="single", memory_backward_wrap=True, lantern_bonus="placed",
    radio="always", tent_empty="lose", print_proxies=False,
)  # fmt: skip
TRIP = (
    *(Location("coast", 2, 1, False), Location("beach", 3, 1, False), Location("town", 3, 1, False)),
    *(Location("city", 4, 0, False), Location("station", 1, 1, False), Location("mine", 2, 2, False)),
    Location("tree", 0, 0, True),
)


@pytest.mark.parametrize(
    ("day", "distance", "arrives", "loop"),
    [
        (1, 4, 5, False),  # X1
        (3, 4, 7, False),  # X2: stopping on the last day
        (5, 6, 4, True),  # X3
        (7, 1, 1, True),  # X4: leaving the last day
        (6, 3, 2, True),  # X6
        (1, -1, 7, False),  # X13: a step back from the first day
        (2, -3, 6, False),  # X22
    ],
)
def test_days_form_a_ring(day: int, distance: int, arrives: int, loop: bool) -> None:
    """Pawns go round; passing the last day is a loop, stopping on it and going back are none."""
    assert step_day(day, distance, 7) == arrives
    assert (distance > 0 and passes_last_day(day, distance, 7)) == loop


@given(st.integers(1, 7), st.integers(1, 7), st.sampled_from(FACTS.numbers), st.integers(2, 12))
@examples(60)
def test_moves_keep_the_residue(white: int, black: int, number: int, days: int) -> None:
    """Where the two moves of a turn add up to a full round, the residue never changes; elsewhere it always drifts."""
    facts = replace(FACTS, days=days, move_total=days)
    start = (min(white, days), min(black, days))
    ends = (step_day(start[0], number, days), step_day(start[1], days - number, days))
    assert compute_residue(start, days) == compute_residue(ends, days)
    assert bound_drift(facts) == {0}
    assert bound_drift(replace(facts, move_total=days + 1)) == {1}


def test_all_pawns_on_the_last_day_need_a_shift() -> None:
    """Start 0, goal 4: one step of red leads there over several turns, and seven steps never do."""
    assert compute_residue((1, 1, 1), 7) == 0
    assert compute_residue((7, 7, 7), 7) == 4
    assert compute_residue((5, 4, 1), 7) == 0  # X1
    assert residues_within_reach(0, (), 7) == {0}
    assert residues_within_reach(0, (1,), 7) == set(range(7))
    assert residues_within_reach(1, (2,), 6) == {1, 3, 5}


def test_only_steps_shift() -> None:
    step_two, draw = Effect(STEP, {"steps": 2}), Effect("draw_cards", {"cards": 1})
    assert bound_shifts([Event("a", "red", 1, "circle", (draw, step_two)), Event("b", "blue", 1, "square", ())]) == {2}


def test_the_shortest_trip_places_three_events_for_each_story() -> None:
    """15 events and a last turn without: 16 turns; five on the way to day 7, six a lap later: two loops."""
    assert placements_to_win(FACTS) == 15
    assert shortest_trip(FACTS, "turns") == 16
    assert shortest_trip(FACTS, "loops") == 2


@pytest.mark.parametrize(("suits", "turns", "laps"), [(1, 4, 0), (2, 7, 1), (3, 10, 1), (4, 13, 2), (6, 19, 3)])
def test_fewer_stories_make_shorter_trips(suits: int, turns: int, laps: int) -> None:
    """Three turns a story and one more; a loop as soon as the days before the last don't suffice."""
    facts = replace(FACTS, suits=FACTS.suits[:1] * suits)
    assert shortest_trip(facts, "turns") == turns
    assert shortest_trip(facts, "loops") == laps


def test_a_trip_may_be_impossible() -> None:
    """Cards that only go round a whole week never leave the first day."""
    assert shortest_trip(replace(FACTS, numbers=(7,)), "turns") is None
    assert most_left(replace(FACTS, numbers=(7,)), 30, ()) is None


def test_a_deck_too_small_wins_no_game() -> None:
    """18 cards go in the shortest game."""
    assert most_left(FACTS, 19, ()) == 0
    assert most_left(FACTS, 18, ()) is None
    assert most_points(FACTS, SWITCHES, 18, ()) is None


def test_a_single_event_scores_by_its_reading() -> None:
    assert single_event_points(FACTS.score, SWITCHES) == 1
    assert single_event_points(FACTS.camera["union"], replace(SWITCHES, single_event_bonus="full")) == 6
    assert single_event_points(FACTS.score, replace(SWITCHES, single_event_bonus=0)) == 0


def test_the_longest_game() -> None:
    assert most_turns(FACTS, 30, ()) == 34
    assert most_turns(FACTS, 30, ("rucksack",)) == 33
    assert most_turns(replace(FACTS, memory_cost=2), 30, ()) == 31


def test_the_lantern_adds_red_icons() -> None:
    """15 events in all without it, 21 with it."""
    assert sum(find_capacity(place, lantern=False) for place in TRIP) == 15
    assert sum(find_capacity(place, lantern=True) for place in TRIP) == 21


def test_pawns_stand_where_there_is_room() -> None:
    """Three pawns on six places: 48 of 56 ways, and all but three with the Lantern."""
    ways = list(iter_stands(TRIP, 3))
    assert len(ways) == 48
    assert ("city", "city", "city") in ways
    assert not any("tree" in way or way.count("station") > 1 for way in ways)
    assert len(list(iter_stands(TRIP, 3, lantern=True))) == 55
    assert list(iter_stands(TRIP[-1:], 1)) == []


@pytest.mark.parametrize(
    ("counts", "fair"),
    [
        ((2, 2, 2), True),
        ((2, 2, 1), True),
        ((3, 2, 1), False),
        ((3, 1, 1), False),
        ((10, 10, 10), True),
        ((0, 3, 3), False),
    ],
)
def test_even_is_as_even_as_the_total_allows(counts: tuple[int, ...], fair: bool) -> None:
    """5 over 3 is 2, 2 and 1; 6 over 3 must be 2 each."""
    assert is_even(dict(enumerate(counts))) == fair  # type: ignore[arg-type]


FACTS, SWITCHES = facts_of(GAME)
PLACES = locations_of(GAME)


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


def test_a_deck_too_small_for_the_loops_wins_no_game() -> None:
    """20 cards go in the shortest game, and memories bring four of them back."""
    assert (0, 0) in set(iter_endings(FACTS, 17, ()))
    assert list(iter_endings(FACTS, 16, ())) == []
    assert best_points(FACTS, SWITCHES, 16, PLACES, ()) is None


@pytest.mark.parametrize(
    ("camera", "points"), [("union", 54), ("item_text", 44), ("score_text", 45), ("union_letter2", 54)]
)
def test_the_best_score(camera: str, points: int) -> None:
    """Without items 9 + 4 x 2 + 5 x 4 + 1 = 38; with the Camera letters become cards where these are worth more."""
    switches = replace(SWITCHES, camera=camera)  # type: ignore[arg-type]
    assert best_points(FACTS, switches, 30, PLACES, ()) == 38
    assert best_points(FACTS, switches, 30, PLACES, ("camera",)) == points


def test_items_cost_points() -> None:
    """The Tent keeps the loops' cards and costs ten points; all six items cost 22, and then all bonuses can be had."""
    assert best_points(FACTS, SWITCHES, 30, PLACES, ("tent",)) == 12 + 10 + 21 - 10
    assert best_points(FACTS, SWITCHES, 30, PLACES, ("map",)) == 9 + 10 + 21 - 3
    assert best_points(FACTS, SWITCHES, 30, PLACES, ("lantern",)) == 9 + 8 + 24 - 2
    assert best_points(FACTS, SWITCHES, 30, PLACES, tuple(FACTS.penalties)) == (12 + 5) * 2 + 36 - 22


def test_a_location_scores_what_it_has_room_for() -> None:
    for room, points in ((0, 0), (1, 1), (2, 4), (3, 4)):
        only = (Location("location/here", room, 0, False), Location("location/tree", 0, 0, True))
        assert best_points(FACTS, SWITCHES, 30, only, ()) == 9 + 8 + points


def test_dear_memories_leave_letters_over() -> None:
    dear = replace(FACTS, memory_cost=2)
    assert best_points(dear, SWITCHES, 30, PLACES, ("camera",)) == (9 + 1) * 2 + 1 + 31 - 3


def test_a_trip_that_goes_round_reaches_no_end() -> None:
    around = replace(FACTS, numbers=(7,))
    assert fewest_loops(around) is None
    assert list(iter_endings(around, 30, ())) == []
    assert best_points(around, SWITCHES, 30, PLACES, ()) is None


@pytest.mark.parametrize("items", CHOICES, ids="-".join)
def test_the_closer_bound_is_never_above_the_wider(items: tuple[str, ...]) -> None:
    closer, wider = best_points(FACTS, SWITCHES, 30, PLACES, items), most_points(FACTS, SWITCHES, 30, items)
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
