"""journey18 played to the end: laws, both modes, hidden cards, every switch and item choice, every example."""

from random import Random
from typing import Any

import pytest
from engine_laws import check_conservation, play
from journey18_tables import CHOICES, GAME, ITEMS, SWITCHES, WITH_LETTERS, after, arranged, asked, box, written

from generator.play.batch import MatchRunner
from generator.rules.engine.kernel import INTERPRETED, seed_chance
from generator.rules.engine.table import Seed, Table
from generator.rules.journey18.data import facts_of, most_turns
from generator.rules.journey18.rules import RULES

# Laws of every game


@pytest.mark.parametrize(
    "items",
    [pytest.param(items, marks=() if number % 8 == 0 else pytest.mark.slow) for number, items in enumerate(CHOICES)],
    ids="+".join,
)
def test_every_choice_of_items_can_be_played(items: tuple[str, ...]) -> None:
    """All 64 choices keep every piece and every law."""
    check_conservation(RULES, [box(items=items)], 2)


@pytest.mark.slow
def test_switches_together_can_be_played() -> None:
    random = Random(18)
    boxes = []
    for _ in range(30):
        chosen = {switch: value for switch, value in SWITCHES if random.random() < 0.4}
        boxes.append(box(items=random.choice(CHOICES), **chosen))
    check_conservation(RULES, boxes, 2)


def test_games_stay_within_their_bounds() -> None:
    facts, _ = facts_of(GAME)
    for items in ((), ("rucksack",), ITEMS):
        opened = box(items=items)
        most = most_turns(facts, opened.numbers["events"], items)  # type: ignore[arg-type]
        for game in range(60):
            table = play(Table(RULES, opened, Seed(3, game)), Random(game))
            assert table.state.turn <= most
            assert table.compute_places() == (1,) or table.compute_scores() == (0,)


@pytest.mark.parametrize(
    ("law", "field", "value"),
    [
        ("C18-CONS-CARD", "nhand", 0), ("C18-CONS-LETTER", "spent", 1), ("C18-DECK-ID", "turn", 9),
        ("C18-DISCARD-ID", "sevens", 9), ("C18-MOD7", "drift", 1), ("C18-HAND-SIZE", "phase", 3),
        ("C18-ONE-SOLVE", "solves", 2),
    ],
)  # fmt: skip
def test_a_broken_law_is_told(law: str, field: str, value: int) -> None:
    table = Table(RULES, box(), Seed(1))
    facts = INTERPRETED.make_record(table.box.numbers)
    assert RULES.broken(table.state, facts) == 0
    setattr(table.state, field, value)
    assert RULES.laws[RULES.broken(table.state, facts) - 1] == law


def test_an_overfull_location_and_a_win_too_cheap_are_told() -> None:
    """C18-CAP and C18-BOUND name themselves too."""
    table = Table(RULES, box(), Seed(1))
    facts = INTERPRETED.make_record(table.box.numbers)
    facts.room = [0] * 7
    while not sum(table.state.ncolumn):
        assert RULES.broken(table.state, facts) == 0
        table.apply(table.list_legal_moves()[0])
    assert RULES.laws[RULES.broken(table.state, facts) - 1] == "C18-CAP"
    won = Table(RULES, box(), Seed(1))
    won.state.result = won.state.over = 1
    assert RULES.laws[RULES.broken(won.state, INTERPRETED.make_record(won.box.numbers)) - 1] == "C18-BOUND"


def test_an_empty_hand_is_told() -> None:
    """C18-LEGAL names itself when no card is there to be played."""
    table = Table(RULES, box(), Seed(1))
    facts = INTERPRETED.make_record(table.box.numbers)
    facts.hand = facts.draw = table.state.nhand = 0
    table.state.deck, table.state.ndeck = list(range(30)), 30
    assert RULES.laws[RULES.broken(table.state, facts) - 1] == "C18-LEGAL"


# What the player can't see


def test_cards_seen_at_the_ends_of_the_deck_stay() -> None:
    known, mixed = 0, 0
    for game in range(20):
        table = Table(RULES, box(items=["radio", "tent"]), Seed(5, game))

        def watch(now: Table, _legal: tuple[int, ...]) -> None:
            nonlocal known, mixed
            before = list(now.state.deck[: now.state.ndeck])
            copy = INTERPRETED.copy(now.state)
            seed_chance(copy.rng, 9, 9)
            RULES.blind(copy, INTERPRETED.make_record(now.box.numbers), 0)
            assert sorted(copy.deck) == sorted(now.state.deck)
            low, high = now.state.known_bottom, now.state.ndeck - now.state.known_top
            assert low >= 0
            assert high >= 0
            assert now.state.known_top >= min(1, now.state.ndeck), "the Radio always shows a card"
            if low < high:
                assert copy.deck[:low] == before[:low]
                assert copy.deck[high : now.state.ndeck] == before[high:]
                mixed += copy.deck[low:high] != before[low:high]
            known += now.state.known_top + now.state.known_bottom

        play(table, Random(game), watch)
    assert known > 100
    assert mixed > 100


def test_what_is_seen_of_the_deck() -> None:
    """A returned card is known on top; drawing it leaves the rest unknown; with the Radio the next card is seen."""
    given = {"phase": "event", "white": 3, "columns": {3: ["Y5"]}, "deck": ["G2", "R1"], "hand": ["W1"]}
    given |= {"solved": ["green"]}
    assert asked(after(arranged(given), "draw", "top W1"), "seen") == ["W1"]
    assert asked(after(arranged(given), "draw", "bottom W1"), "seen") == []
    assert asked(after(arranged(given, items=["radio"]), "draw", "bottom W1"), "seen") == ["R1"]
    named = {"radio": "named_moments", "items": ["radio"]}
    loop = {"white": 6, "hand": ["G3"], "deck": ["Y2", "B5"]}
    assert asked(after(arranged(loop, items=["radio"]), "play G3"), "seen") == ["B5"]
    assert asked(after(arranged(loop, **named), "play G3"), "seen") == []


# Readings that change what can be done


@pytest.mark.parametrize(
    ("options", "given", "moves"),
    [
        ({"memory_power": "after"}, {}, ["memory 2 4", "memory 2 6", "memory 1 5", "memory 3 5"]),
        ({"memory_power": "solved_count"}, {"letters": 1}, ["memory 2 3", "memory 2 7", "memory 4 5", "memory 5 7"]),
        ({"memory_direction": "per_step"}, {}, ["memory 2 5", "memory 2 3", "memory 2 7", "memory 4 5", "memory 5 7"]),
        ({"memory_backward_wrap": False}, {}, ["memory 2 3", "memory 2 7", "memory 4 5"]),
        ({}, {}, ["memory 2 3", "memory 2 7", "memory 4 5", "memory 5 7"]),
    ],
)
def test_how_far_a_location_memory_moves(options: dict[str, Any], given: dict[str, Any], moves: list[str]) -> None:
    """With two letters: before paying 2, after it 1; step by step also 0; past day 1 only if the days form a ring."""
    table = arranged({"phase": "refill", "black": [2, 5], "solved": ["red", "green"], **given}, **options)
    assert sorted(written(table)) == sorted(["pass", *moves])


def test_memories_used_together() -> None:
    """One after the other the power falls; taken together it stays, unless they are used apart."""
    given = {"phase": "refill", "black": [1, 1], "solved": ["red", "green", "blue"]}
    falling = after(arranged(given), "memory 1 4")
    kept = after(arranged(given, memory_multi="simultaneous"), "memory 1 4")
    assert "memory 1 6" in written(falling)
    assert "memory 1 6" not in written(kept)
    assert "memory 1 7" in written(kept)
    apart = written(after(kept, "apart"))
    assert "memory 1 6" in apart
    assert "memory 1 7" not in apart
    assert "apart" not in apart, "there is nothing to part until the next is used"
    assert "apart" not in written(falling)


def test_a_letter_before_the_move_where_days_form_no_ring() -> None:
    """A pawn that can't go back over day 1 may go back before it moves on, so there is a moment for that."""
    given = {"white": 1, "black": [6, 6], "hand": ["G3"], "solved": ["red"]}
    waits = after(arranged(given, memory_backward_wrap=False), "play G3")
    assert "memory 5 6" in written(waits)
    assert RULES.say(waits.state, waits.box, 0).phrase == "go_on_move"
    assert not any(move.startswith("memory") for move in written(after(arranged(given), "play G3")))


def test_a_letter_after_a_resolution_that_is_forced() -> None:
    given = {"phase": "resolution", "white": 3, "black": [1, 2], "solved": ["red"], "deck": ["G2", "R1"]}
    forced, free = (after(arranged(given, solve=solve), "pass") for solve in ("forced", "optional"))
    assert any(move.startswith("memory") for move in written(forced)), "before the next turn begins"
    assert not any(move.startswith("memory") for move in written(free)), "nothing has changed since it was declined"


def test_letters_only_at_the_start_and_the_end() -> None:
    """With `letter_windows: turn_start_end` no letter comes between effects or before solving."""
    given = {**WITH_LETTERS, "columns": {3: ["R2"]}}
    assert any(move.startswith("memory") for move in written(arranged(given)))
    narrow = arranged(given, letter_windows="turn_start_end")
    assert not any(move.startswith("memory") for move in written(narrow))
    assert any(move.startswith("memory") for move in written(after(narrow, "black 1 5")))


def test_yellow_with_an_empty_deck() -> None:
    """It loses the game, or is left out; optional, it can be declined. No hole: the draft says that it loses."""
    given = {"phase": "event", "white": 3, "columns": {3: ["Y5"]}, "deck": ["G2"], "hand": ["W1"], "black": [1, 1]}
    empty = {**given, "deck": [], "solved": ["green"]}
    assert after(arranged(empty), "draw").compute_places() == (2,)
    assert after(arranged(empty), "draw").state.hole == 0
    assert after(arranged(empty), "draw").state.short[0] == 1
    assert not after(arranged(empty, yellow_empty="skip"), "draw").is_over
    assert written(arranged(given)) == ["top G2", "top W1", "bottom G2", "bottom W1"]
    assert written(arranged(given, yellow="optional")) == ["pass", "draw"]


def test_the_tent_with_an_empty_deck() -> None:
    """A loop loses the game, or costs nothing. No hole: the draft says that whoever can't draw has lost."""
    given = {"white": 6, "hand": ["G3"], "deck": []}
    lost = after(arranged(given, items=["tent"]), "play G3")
    assert (lost.is_over, lost.compute_places()) == (True, (2,))
    assert (lost.state.hole, lost.state.short[0]) == (0, 1)
    assert not after(arranged(given, items=["tent"], tent_empty="safe"), "play G3").is_over


def test_blue_pairs() -> None:
    given = {"phase": "event", "white": 2, "columns": {2: ["B3", "W5"], 4: ["R5"], 6: ["Y3"]}}
    assert written(arranged(given, blue_pair="own_number")) == ["pass", "swap B3 Y3"]


def test_an_event_that_is_swapped_away() -> None:
    given = {"phase": "event", "white": 3, "black": [1, 2], "columns": {3: ["B2", "R4"], 4: ["W4"]}}
    assert asked(after(arranged(given), "swap R4 W4"), "applied") == ["blue"]
    still = after(arranged(given, swapped_out_resolves=True), "swap R4 W4")
    assert set(written(still)) == {"black 2 2", "black 2 7", "black 1 1", "black 1 3"}


def test_what_green_may_copy() -> None:
    columns = {2: ["B6", "G2"], 3: ["R2", "G1", "W3"], 4: ["Y1", "Y2"]}
    given = {"phase": "event", "white": 3, "black": [1, 5], "columns": columns}
    table = after(arranged(given), "black 2 5")
    assert written(table) == ["pass", "copy R2", "copy Y2", "copy W3"]
    assert "copy R2" not in written(after(arranged(given, green_source="unused_only"), "black 2 5"))
    assert asked(after(table, "copy R2", "black 3 5", "pass"), "applied") == ["red", "green"]
    chain = after(arranged(given, green_copies_green="chain"), "black 2 5", "copy G2")
    assert written(chain) == ["pass", "copy B6"], "not back to the first green one"


def test_a_declined_effect() -> None:
    """It leaves its suit to a later event of the same suit, unless only the first one counts."""
    given = {"phase": "event", "white": 3, "black": [1, 5], "columns": {3: ["W1", "W2"]}}
    assert "black 1 3" in written(after(arranged(given), "pass"))
    assert "black 1 3" not in written(after(arranged(given, suit_once="first_card_only"), "pass"))


def test_solving() -> None:
    """One may be left unsolved unless solving is forced; a letter may lead to a second only if it is read so."""
    columns = {2: ["Y1", "W1"], 4: ["Y5"], 5: ["W3"], 6: ["Y3", "W6"]}
    given = {"phase": "resolution", "white": 2, "black": [4, 6], "columns": columns}
    assert written(arranged(given)) == ["pass", "solve yellow"]
    assert written(arranged(given, solve="forced")) == ["solve yellow"]
    assert "solve white" not in written(after(arranged(given), "solve yellow"))
    again = after(arranged(given, solve_per_turn="many_sequential"), "solve yellow")
    assert "solve white" not in written(again)
    assert "solve white" in written(after(again, "memory 5 6"))


@pytest.mark.parametrize(
    ("white", "black", "columns", "suits"),
    [
        (2, [4, 4], {2: ["Y1"], 4: ["Y5"]}, []),
        (2, [4, 4], {2: ["Y1"], 4: ["Y5", "Y6"]}, ["yellow"]),
        (2, [2, 4], {2: ["Y1"], 4: ["Y5"]}, []),
        (2, [2, 4], {2: ["Y1", "Y2"], 4: ["Y5"]}, ["yellow"]),
        (4, [2, 4], {2: ["Y1"], 4: ["Y5", "Y6"]}, ["yellow"]),
        (4, [4, 4], {4: ["Y5", "Y6", "Y1"]}, ["yellow"]),
        (4, [4, 4], {4: ["Y5", "Y6", "R1"]}, []),
        (2, [4, 7], {2: ["Y1"], 4: ["Y5"]}, []),
    ],
)
def test_pawns_that_share_a_location(white: int, black: list[int], columns: Any, suits: list[str]) -> None:
    given = {"phase": "resolution", "white": white, "black": black, "columns": columns}
    assert asked(arranged(given), "solvable") == suits


def test_a_window_in_which_nothing_has_changed_is_left_out() -> None:
    """Letters declined at the end of a turn are not asked for again before the draw; used ones leave it open."""
    given = {"phase": "resolution", "white": 2, "hand": ["R1"], "solved": ["green", "blue"]}
    assert written(after(arranged(given), "pass"))[0].startswith("play")
    assert written(after(arranged(given), "memory 1 3"))[0] == "pass"


def test_a_full_column_with_the_lantern() -> None:
    """For a key bonus the added room must be filled too, if it is read so."""
    given = {"won": True, "deck": [], "solved": "all", "letters": 0, "columns": {1: ["R1", "Y1"]}}
    assert arranged(given, items=["lantern"]).compute_scores() == (4 - 2,)
    assert arranged(given, items=["lantern"], lantern_bonus="full_column").compute_scores() == (-2,)
    no_more_room = {**given, "columns": {4: ["R1", "Y1"]}}  # the Metropolis: the Lantern adds nothing there
    assert arranged(no_more_room, items=["lantern"], lantern_bonus="full_column").compute_scores() == (4 - 2,)
    full = {**given, "columns": {1: ["R1", "Y1", "R6"]}}
    assert arranged(full, items=["lantern"], lantern_bonus="full_column").compute_scores() == (4 - 2,)


def test_a_letter_before_a_loop() -> None:
    """An Adventure Memory saves a game whose deck is empty when the white pawn is about to loop."""
    given = {"white": 6, "hand": ["G3"], "deck": [], "discard": ["R1"], "solved": ["red"]}
    table = after(arranged(given), "play G3")
    assert "recall R1" in written(table)
    assert not after(table, "recall R1").is_over
    assert after(arranged(given), "play G3", "pass").is_over


# Bots


@pytest.mark.slow  # looks ahead through whole games
def test_the_look_ahead_wins() -> None:
    wins = {
        bot: sum(MatchRunner(RULES, box(), (bot,)).play(Seed(2, game)).places == (1,) for game in range(3))
        for bot in ("greedy", "look-ahead")
    }
    assert wins["look-ahead"] > wins["greedy"]


def test_value_reads_only_what_is_seen() -> None:
    for game in range(20):
        table = Table(RULES, box(), Seed(4, game))
        facts = INTERPRETED.make_record(table.box.numbers)

        def watch(now: Table, _legal: tuple[int, ...], facts: Any = facts) -> None:
            copy = INTERPRETED.copy(now.state)
            seed_chance(copy.rng, 1, 2)
            RULES.blind(copy, facts, 0)
            assert RULES.value(copy, facts, 0) == RULES.value(now.state, facts, 0)

        play(table, Random(game), watch)
