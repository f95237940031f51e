"""Fortuna's laws can break, what can't be played is refused, and what the rules don't say is noted."""

from collections.abc import Callable
from random import Random
from typing import Any

import engine_laws as laws
import pytest
from fortuna_game import boxes, loaded
from game_changes import rule

from generator.base.errors import ProblemsFound
from generator.rules.engine.contract import Box
from generator.rules.engine.kernel import INTERPRETED, next_chances, seed_chance, shuffle
from generator.rules.engine.table import Seed, Table
from generator.rules.fortuna.rules import RULES
from generator.rules.fortuna.state import LAWS, Chance, Gap, Move, Phase, Use

# Laws that can break


def moment(wanted: Callable[[Any], Any], box: Box) -> Any:
    """The first state of random games that is as wanted."""
    for game in range(100):
        table, random = Table(RULES, box, Seed(5, game)), Random(game)
        while not wanted(table.state) and not table.is_over:
            table.apply(random.choice(table.list_legal_moves()))
        if wanted(table.state):
            return table.state
    raise AssertionError("no such state was met")


def acting(kind: int) -> Callable[[Any], Any]:
    """Whether a turn of this kind has just ended, and not by a Wheel."""
    return lambda s: s.phase == Phase.ACTION and s.kind == kind and not s.wheeled and s.discards > 9 and not s.trigger


def ended(s: Any) -> Any:
    return s.over


def add(**numbers: int) -> Callable[[Any], None]:
    """Adds to fields; to the entry of a row for seat 0 or for the last discard's pile."""

    def change(s: Any) -> None:
        for name, number in numbers.items():
            row = getattr(s, name)
            if isinstance(row, list):
                row[s.pile if name == "count" else 0] += number
            else:
                setattr(s, name, row + number)

    return change


def last_seat_had_more(s: Any) -> None:
    """The seat of the last turn had one more card before it."""
    s.before[(s.turn - 2) % s.players] += 1


def empty_hand(s: Any) -> None:
    s.laid += s.hand_n[s.seat]
    s.hand_n[s.seat] = 0


@pytest.mark.parametrize(
    ("law", "wanted", "change"),
    [
        ("FC-20", ended, add(discards=1)),
        ("FC-21", acting(Use.PASSED), empty_hand),
        ("FC-22", acting(Use.PASSED), last_seat_had_more),
        ("FC-23", acting(Use.PLAYED), last_seat_had_more),
        ("FC-25", lambda s: s.phase == Phase.FROM, add(count=1)),
        ("FC-25", lambda s: s.phase == Phase.FROM, add(kind=Use.PLAYED - Use.PASSED)),
        ("FC-25", acting(Use.PASSED), lambda s: s.count.__setitem__(s.pile, 10 - s.pile)),
        ("FC-26", lambda s: s.trigger and s.phase == Phase.ACTION, add(first_end=-1)),
        ("FC-27", ended, add(turn=1, first_end=-1)),
        ("FC-28", ended, lambda s: setattr(s, "trigger", 0)),
        ("FC-29", ended, add(turn=30, first_end=-30)),
        ("FC-31", ended, add(points=1)),
        ("FC-32", ended, add(sets=1)),
    ],
)
def test_each_law_can_break(law: str, wanted: Callable[[Any], Any], change: Callable[[Any], None]) -> None:
    box = boxes()[0]
    facts = INTERPRETED.make_record(box.numbers)
    state = moment(wanted, box)
    assert RULES.broken(state, facts) == 0
    change(state)
    assert RULES.broken(state, facts) == LAWS.index(law) + 1


def test_counting_the_whole_set_breaks_the_law_of_hands() -> None:
    """FC-24: with refills by set size, hands don't shrink by a card with each play as soon as an All-in set is played."""
    box = boxes(refill_counts="set_size")[0]
    facts = INTERPRETED.make_record({**box.numbers, "play_hand_law": 1})
    broken = all_ins = 0
    for game in range(50):
        table, random, lost, all_in = Table(RULES, box, Seed(3, game)), Random(game), False, False
        while not table.is_over:
            plays = [move for move in table.list_legal_moves() if move >= Move.PLAY]
            move = random.choice(plays or table.list_legal_moves())
            all_in |= Move.ALL_IN <= move < Move.CARD
            table.apply(move)
            lost |= RULES.broken(table.state, facts) == LAWS.index("FC-23") + 1
        assert all_in or not lost
        broken, all_ins = broken + lost, all_ins + all_in
    assert broken > 0.9 * all_ins > 40


# What can't be played, and what the rules don't say


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"draw": 0}, "rules.draw must be 1 or more"),
        ({"pass_discard": 0}, "rules.pass_discard must be 1 or more"),
        ({"hand": 18}, "78 reel cards are too few for 4 hands of 18"),
        ({"draw": 2}, "hands may grow to 48 cards, more than can be played with"),
    ],
)
def test_numbers_that_nobody_can_play_with_are_refused(numbers: dict[str, int], message: str) -> None:
    options = {"ten_value": "ten"} if numbers == {"draw": 2} else {}
    with pytest.raises(ProblemsFound, match=message):
        RULES.box(rule(**numbers)(loaded()), 3, options)


@pytest.mark.parametrize(
    "numbers",
    [
        {"draw": 2},
        {"refill_minus": 0},
        {"pass_discard": 2},
        {"one_card_discard": 2},
        {"one_card_discard": 0},
        {"zero_set_min": 2},
    ],
)
def test_other_numbers_can_be_played(numbers: dict[str, int]) -> None:
    laws.check_conservation(RULES, [RULES.box(rule(**numbers)(loaded()), 3, {})], 5)


def test_a_set_of_zero_keeps_to_its_fewest_cards() -> None:
    """Where a set of 0 takes two cards at least, it can't be left at one, nor begun with one."""
    box = RULES.box(rule(zero_set_min=2)(loaded()), 3, {})

    def table(*hand: str) -> Table:
        given = {"hands": {1: list(hand)}, "drawn": True, "piles": {6: 4}, "main": 10}
        return Table.arrange(RULES, box, Seed(1), given)

    three = table("6L1", "6W1", "6H1", "1L1")
    three.apply(Move.PLAY)
    assert [three.write_move(move) for move in three.list_legal_moves()] == ["card 6L1", "card 6W1"]
    three.apply(three.list_legal_moves()[0])
    assert [three.write_move(move) for move in three.list_legal_moves()] == ["card 6W1", "card 6H1"]
    three.apply(three.list_legal_moves()[0])
    assert [three.write_move(move) for move in three.list_legal_moves()] == ["card 6H1", "done"]
    assert Move.PLAY not in table("6L1", "1L1").list_legal_moves()


def test_set_up_deals_in_order() -> None:
    """Each player gets seven cards running, the next seven are the End pile as they lie, the rest is the main deck."""
    box = boxes()[0]
    state = Table(RULES, box, Seed(5)).state
    rng, deck = [0] * len(state.rng), list(range(78))
    seed_chance(rng, 5, 0)
    shuffle(next_chances(rng, Chance.DECK), deck, 0, 78)
    deck.reverse()
    assert state.hand[8:15] == sorted(deck[7:14])
    assert state.hand[:8] == sorted([*deck[:7], deck[28]])
    assert state.end[::-1] == deck[21:28]
    assert state.main[state.main_n - 1 :: -1] == deck[29:]


def test_who_has_no_card_is_passed_over() -> None:
    """Without the draw after the trigger a hand may be empty: the turn goes on, and a hole in the rules is noted."""
    given = {"seat": 2, "trigger": True, "hands": {3: ["4L1"]}}
    table = Table.arrange(RULES, boxes(turn_draw_after_trigger=False)[0], Seed(1), given)
    assert (table.seat, table.state.hole) == (2, Gap.EMPTY_HAND)
    assert RULES.holes[Gap.EMPTY_HAND - 1].reading == "E23"


def test_a_game_without_an_end_pile_ends_with_the_deck() -> None:
    box = RULES.box(rule(end_pile=0)(loaded()), 3, {})
    table = laws.play(Table(RULES, box, Seed(1)), Random(1))
    assert (table.state.hole, table.state.main_n) == (Gap.NOTHING_TO_DRAW, 0)
    assert table.state.short[0] > 0
