"""Draft 8 played: its laws hold in every game, its worked examples come out, and what can't be played is refused."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import engine_laws as laws
import pytest
from game_changes import card as changed_card
from journey8_game import GAME, arranged, do

from generator.base.errors import ProblemsFound
from generator.game.model import Effect
from generator.play.example_runs import find_example_faults
from generator.rules.engine.kernel import INTERPRETED
from generator.rules.engine.table import IllegalMove, Seed, Table
from generator.rules.journey8.rules import RULES
from generator.rules.journey8.state import LAWS, key_runs

BOXES = laws.boxes_of(RULES, GAME)
BOUNDS = {2: 54, 3: 59, 4: 64}
"""The most counters that play can need, by number of players (dossier 1.2 b)."""


def test_rows_hold_nothing_beyond_their_cards() -> None:
    def check(state: Any, cards: int) -> None:
        assert not any(state.deck[: state.top])
        for row, number in ((state.story, state.laid), (state.discards, state.thrown), (state.removed, state.aside)):
            assert not any(row[number:])
        for seat in range(4):
            assert not any(state.hand[seat * cards + state.held[seat] : (seat + 1) * cards])

    for table in laws.tables(RULES, BOXES, 5):
        facts = INTERPRETED.make_record(table.box.numbers)

        def watch(now: Table, _legal: tuple[int, ...], facts: Any = facts) -> None:
            check(now.state, len(now.box.cards))
            seen = INTERPRETED.copy(now.state)
            RULES.blind(seen, facts, now.seat)
            check(seen, len(now.box.cards))

        watch(laws.play(table, Random(table.seed.game), watch), ())


def test_the_order_of_the_deck_is_hidden_when_its_cards_are_known() -> None:
    """Once hands lie open everybody knows which cards are left in the deck, but not which is next."""
    table = arranged(2, story=["red-1"], hands=[["red-2", "red-3"], []], deck=["red-4", "red-5", "red-6"], at="scoring")
    other = arranged(2, story=["red-1"], hands=[["red-2", "red-3"], []], deck=["red-6", "red-4", "red-5"], at="scoring")
    facts = INTERPRETED.make_record(table.box.numbers)
    for one in (table, other):
        RULES.blind(one.state, facts, 0)
    assert INTERPRETED.read_numbers(table.state) == INTERPRETED.read_numbers(other.state)


def test_values_go_by_what_the_seat_can_see() -> None:
    options = {"events": "none"}
    one = arranged(2, options, story=["red-1"], hands=[["red-2"], ["red-7"]])
    other = arranged(2, options, story=["red-1"], hands=[["red-2"], ["blue-1"]])
    facts = INTERPRETED.make_record(one.box.numbers)
    assert RULES.value(one.state, facts, 0) == RULES.value(other.state, facts, 0)
    assert RULES.value(one.state, facts, 1) != RULES.value(other.state, facts, 1)


# Games against the dossier's bounds


def test_games_keep_within_the_dossier_s_bounds() -> None:
    """At most 15, 17 and 19 turns, and 54, 59 and 64 counters before scoring; 4 keys, in 2 runs at most."""
    for table in laws.tables(RULES, BOXES, 100):
        peak = 0

        def watch(now: Table, _legal: tuple[int, ...]) -> None:
            nonlocal peak
            if not now.state.scoring:
                peak = max(peak, sum(now.state.sone) + sum(now.state.coherence))

        laws.play(table, Random(table.seed.game), watch)
        facts = INTERPRETED.make_record(table.box.numbers)
        assert peak <= BOUNDS[table.box.players]
        assert table.state.turn <= {2: 15, 3: 17, 4: 19}[table.box.players]
        assert table.state.keys_laid <= 4
        assert key_runs(facts, table.state.keys, table.state.laid) <= 2


def test_the_bounds_of_counters_are_reached() -> None:
    """The dossier's bounds are exact: there are games that need 54, 59 and 64 counters, and with one fewer run short."""
    examples = {example.players: example for example in GAME.examples if example.id.startswith("BOUND-")}
    for players, bound in BOUNDS.items():
        assert examples[players].expected["counters"] == bound
        assert find_example_faults(GAME, RULES, examples[players]) == []
        game = changed_card("counter/counter", count=bound - 1)(GAME)
        short = replace(examples[players], expected={"short": 1})
        assert find_example_faults(game, RULES, short) == []


# Examples


def test_questions_that_are_unknown_are_refused() -> None:
    table = arranged(2)
    for question, words in (("sonne", ()), ("keys", ("now",)), ("mode", ("□x",))):
        with pytest.raises(LookupError):
            RULES.ask(table.state, table.box, question, words)


# Boxes


def test_data_that_the_rules_can_t_play_are_refused() -> None:
    """An effect that nobody has written, and cards that the rules' tables do not foresee, are problems."""
    unknown = changed_card("bookmark/red-1", effects=(Effect("burn", {"n": 1}),))(GAME)
    more = changed_card("bookmark/red-1", count=2)(GAME)
    eight = changed_card("bookmark/red-1", number=8)(GAME)
    green = changed_card("bookmark/red-1", colour="green")(GAME)
    counters = changed_card("counter/counter", id="counter/other")(GAME)
    counters = replace(
        counters,
        kinds={
            **counters.kinds,
            "counter": replace(
                counters.kinds["counter"], designs=counters.kinds["counter"].designs + GAME.kinds["counter"].designs
            ),
        },
    )
    rules = GAME.sections["rules"]
    aside = [{**row, "cards": 21} for row in rules["removed"]]
    no_deck = replace(GAME, sections={**GAME.sections, "rules": {**rules, "removed": tuple(aside)}})
    for game, told in (
        (unknown, "burn"),
        (more, "25 cards"),
        (eight, "number 8"),
        (green, "colour green"),
        (counters, "one design"),
        (no_deck, "leave no deck"),
    ):
        with pytest.raises(ProblemsFound, match=told):
            RULES.box(game, 2, {})


def test_effects_are_played_as_the_data_have_them() -> None:
    game = changed_card("bookmark/red-7", effects=(Effect("gain", {"side": "coherence", "n": 6}),))(GAME)
    box = RULES.box(game, 2, {})
    table = Table.arrange(RULES, box, Seed(0), {"at": "scoring", "hands": [["red-7"], []]})
    assert (table.state.sone[0], table.state.coherence[0]) == (3, 6)


# Laws


@pytest.mark.parametrize(
    ("law", "change"),
    [
        ("C8-CONS-CARD", {"top": 9}), ("C8-CONS-CARD", {"story": [23] * 24}),
        ("C8-CONS-COUNTER", {"supply": 5}), ("C8-RISES", {"rises": 1}), ("C8-NONNEG", {"sone": [-1, 7, 0, 0]}),
        ("C8-ONE-EXTRA", {"plays": 2}), ("C8-TURNS", {"turn": 16}), ("C8-TURNS", {"scoring": 1}),
        ("C8-DRAW", {"dry": 1}), ("C8-ROW", {"longest": 0}),
    ],
)  # fmt: skip
def test_a_broken_law_is_told(law: str, change: Mapping[str, Any]) -> None:
    table = Table(RULES, BOXES[0], Seed(1))
    facts = INTERPRETED.make_record(
        {**BOXES[0].numbers, **{name: change[name] for name in change if name == "longest"}}
    )
    assert RULES.broken(table.state, INTERPRETED.make_record(BOXES[0].numbers)) == 0
    for name, value in change.items():
        if name != "longest":
            setattr(table.state, name, value)
    assert LAWS[RULES.broken(table.state, facts) - 1] == law


def test_illegal_moves_are_refused() -> None:
    with pytest.raises(IllegalMove, match="play red-6"):
        do(arranged(2, story=["red-1"], hands=[["red-6"], []]), "play red-7")
