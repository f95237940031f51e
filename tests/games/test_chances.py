"""Chances by purpose: what one thing draws moves nothing else, so that games under different rules stay in step."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shipped_games import game_and_rules

from generator.play.bot_registry import BotChances
from generator.play.series import Series
from generator.rules.engine.kernel import (
    INTERPRETED,
    PURPOSES,
    CompiledMode,
    Row,
    begin_stream,
    draw_below,
    draw_chance32,
    next_chances,
    seed_chance,
    shuffle,
)
from generator.rules.engine.table import Seed, Table

DECK, DICE = 0, 1
SEEDS = st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**32 - 1))


def seeded(run: int, game: int, purposes: int = 2) -> Row:
    rng = [0] * (PURPOSES + purposes)
    seed_chance(rng, run, game)
    return rng


def drawn(rng: Row, number: int = 4) -> list[int]:
    return [draw_chance32(rng) for _ in range(number)]


@given(SEEDS, st.lists(st.integers(0, 5), max_size=6))
def test_a_purpose_gets_the_same_whatever_others_draw(seed: tuple[int, int], thrown: list[int]) -> None:
    """Dice thrown between two shuffles, few or many, do not move the second."""
    quiet, loud = seeded(*seed), seeded(*seed)
    for rng, dice in ((quiet, []), (loud, thrown)):
        next_chances(rng, DECK)
        for number in dice:
            drawn(next_chances(rng, DICE), number)
    assert drawn(next_chances(quiet, DECK)) == drawn(next_chances(loud, DECK))


@given(SEEDS)
def test_each_time_is_another(seed: tuple[int, int]) -> None:
    rng = seeded(*seed)
    rows = [drawn(rng), drawn(next_chances(rng, DECK)), drawn(next_chances(rng, DECK)), drawn(next_chances(rng, DICE))]
    assert len({tuple(row) for row in rows}) == 4


@pytest.mark.parametrize("change", ["run", "game", "purpose", "time"])
def test_neighbouring_streams_have_nothing_in_common(change: str) -> None:
    """Of the bits of the first two numbers half differ, whatever is one more: 64 bits, 5,000 pairs."""
    differing = 0
    for number in range(5000):
        one, other = seeded(7, number), seeded(7, number)
        if change == "run":
            one, other = seeded(number, 7), seeded(number + 1, 7)
        if change == "game":
            other = seeded(7, number + 1)
        if change == "time":
            next_chances(other, DECK)
        purpose = DICE if change == "purpose" else DECK
        pairs = zip(drawn(next_chances(one, DECK), 2), drawn(next_chances(other, purpose), 2), strict=True)
        differing += sum((a ^ b).bit_count() for a, b in pairs)
    bits = 64 * 5000

    assert abs(differing - bits / 2) < 5 * math.sqrt(bits) / 2


@given(SEEDS, st.integers(1, 60))
def test_one_card_more_trades_places_with_one(seed: tuple[int, int], number: int) -> None:
    """Two arms whose decks differ by a card deal nearly the same: all cards but one lie where they lay."""
    fewer, more = list(range(number)), list(range(number + 1))
    shuffle(next_chances(seeded(*seed), DECK), fewer, 0, number)
    shuffle(next_chances(seeded(*seed), DECK), more, 0, number + 1)
    moved = [place for place in range(number) if fewer[place] != more[place]]
    assert len(moved) <= 1
    assert all(more[place] == number for place in moved)


@given(SEEDS, st.integers(0, 2**32 - 1))
def test_what_a_bot_imagines_is_not_what_will_come(seed: tuple[int, int], other: int) -> None:
    """Chances seeded anew are those of another game for every purpose: a bot that looks ahead sees no real deck."""
    real, imagined = seeded(*seed), seeded(*seed)
    next_chances(imagined, DECK)
    seed_chance(imagined, *((seed[0] ^ 1, other)))
    assert drawn(next_chances(imagined, DECK)) != drawn(next_chances(real, DECK))
    assert imagined[PURPOSES + DECK] == 1


@pytest.mark.slow
def test_both_modes_draw_the_same(tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    told = []
    for mode in (INTERPRETED, CompiledMode(str(tmp_path))):
        rng = mode.make_row(PURPOSES + 2)
        mode.prepare_kernel(seed_chance)(rng, 2**63 + 5, 2**32 - 1)
        mode.prepare_kernel(begin_stream)(rng, 12)
        told.append([int(mode.prepare_kernel(draw_below)(rng, 1000)) for _ in range(20)])
        told[-1] += list(map(int, rng))
    assert told[0] == told[1]


@pytest.mark.parametrize("name", ["fortuna", "journey8", "journey18", "wayfaring", "xanadu"])
def test_readings_leave_the_deal_in_step(name: str) -> None:
    """Whatever is read otherwise: the decks of the same seed lie as they lay. Two readings deal out other cards."""
    game, rules = game_and_rules(name)
    in_force = Table.deal(rules, rules.box(game, game.players.most, {}), Seed(3))
    moved = {}
    for switch, value in ((one.switch, value) for one in game.readings.values() for value in one.choices if one.switch):
        if f"{switch}: {value}" not in rules.unplayable:
            table = Table.deal(rules, rules.box(game, game.players.most, {switch: value}), Seed(3))
            moved[switch, value] = deck_of(table) != deck_of(in_force)
    assert len(moved) > 20, "the test must see readings"
    assert [key for key in moved if moved[key]] == OTHER_DEALS.get(name, [])


OTHER_DEALS = {"journey8": [("equal_turns", "no_start_card"), ("equal_turns", "remove_fix")]}


def deck_of(table: Table) -> list[int]:
    return list(table.state.main if hasattr(table.state, "main") else table.state.deck)


def test_choices_of_a_turn_move_no_other_turn() -> None:
    few, many = BotChances(Seed(1, 2)), BotChances(Seed(1, 2))
    draw_below(few.begin_turn(1), 6)
    for _ in range(5):
        draw_below(many.begin_turn(1), 6)
    assert [draw_below(few.begin_turn(2), 1000) for _ in range(5)] == [
        draw_below(many.begin_turn(2), 1000) for _ in range(5)
    ]


def test_a_table_of_bots_has_the_luck_of_a_series() -> None:
    game, rules = game_and_rules("fortuna")
    box = rules.box(game, 3, {})
    played = next(Series(rules, box, INTERPRETED).play_games(4, 9, 1))
    table, luck = Table(rules, box, Seed(4, 9)), BotChances(Seed(4, 9))
    while not table.is_over:
        legal = table.list_legal_moves()
        table.apply(
            legal[draw_below(luck.begin_turn(int(table.state.turn)), len(legal))] if len(legal) > 1 else legal[0]
        )

    assert (len(table.moves), table.compute_scores()) == (played.moves, played.scores)
