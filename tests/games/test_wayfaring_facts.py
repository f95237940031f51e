"""The data of wayfaring hold what its rules say: the box, the readings, the status of every value, and its numbers."""

from collections import Counter
from dataclasses import fields, replace
from typing import Any

import pytest
from game_changes import Change, switch
from wayfaring_game import rule, without_rule

from generator.base.errors import ProblemsFound
from generator.game.model import Game
from generator.rules.wayfaring.data import CARDS, DECK, Switches, facts_of, limits_of, parts_of, vocabulary_of


def test_the_box_holds_two_decks_and_their_markers(game: Game) -> None:
    """80 cards with one back, 20 characters with another, four summaries with two faces, eight and one markers."""
    assert {kind.id: (len(kind.designs), kind.count) for kind in game.kinds.values()} == {
        "destination": (14, 42),
        "trouble": (6, 18),
        "cursed": (3, 6),
        "intervention": (7, 14),
        "character": (20, 20),
        "summary": (1, 4),
        "pass_marker": (1, 8),
        "start_marker": (1, 1),
    }
    backs = {kind.id: {design.back for design in kind.designs} for kind in game.kinds.values()}
    assert all(backs[kind] == {"deck_back"} for kind in DECK)
    assert (backs["character"], backs["summary"]) == ({"character_back"}, {"summary_back"})
    assert backs["pass_marker"] == backs["start_marker"] == {""}
    assert {kind.stated for kind in game.kinds.values()} == {None}


def test_ids_number_the_cards_of_each_kind(game: Game) -> None:
    """D01 to D14, T01 to T06, C01 to C03, I01 to I07, P01 to P20, in this order."""
    letters = {"destination": "D", "trouble": "T", "cursed": "C", "intervention": "I", "character": "P"}
    for kind, letter in letters.items():
        designs = game.kinds[kind].designs
        assert [design.id for design in designs] == [f"{kind}/{letter}{n:02}" for n in range(1, len(designs) + 1)]


def test_icons_of_a_group_have_letters_of_their_own(game: Game) -> None:
    """Kinds of cards, terrains, kinds of characters and timings can be told apart by letter as well."""
    assert game.told_apart == (
        ("destination", "trouble", "cursed", "intervention"),
        ("mountain", "water", "village", "shrine"),
        ("human", "fey", "spirit", "arcane"),
        ("own_turn", "intervene"),
    )
    for group in game.told_apart:
        assert len({game.icons[name].letter for name in group}) == len(group)


def test_the_rules_know_every_switch(game: Game) -> None:
    assert set(game.switches) == {field.name for field in fields(Switches)}


def test_every_choice_of_every_switch_can_be_read(game: Game) -> None:
    for reading in game.readings.values():
        for choice in reading.choices:
            _, switches = facts_of(switch(reading.switch, choice)(game)) if choice != reading.value else facts_of(game)
            assert getattr(switches, reading.switch) == choice


def test_the_status_of_what_the_draft_does_not_state(game: Game) -> None:
    marks = game.marks
    assert {marks.get(f"components.{kind}.designs") for kind in CARDS} == {"provisional"}
    assert [marks.get(f"rules.{name}") for name in ("memories", "refill", "limits")] == [
        "related", "provisional", "derived",
    ]  # fmt: skip
    given = ("hand", "display", "draw", "per_turn", "moves", "passes", "phases", "actions")
    assert {marks.get(f"rules.{name}") for name in given} == {None}
    assert {marks[f"words.{name}"] for name in ("memory", "vitality", "fatigue", "faint", "kinds")} == {"related"}


def test_the_facts_are_those_of_the_data(game: Game) -> None:
    facts, switches = facts_of(game)
    assert (facts.hand, facts.display, facts.draw, facts.moves, facts.passes, facts.memories) == (6, 3, 1, 1, 2, 10)
    assert facts.per_turn == {"destination": 1, "trouble": 1, "recruit": 1}
    assert facts.characters == 20
    assert [(action.sign, action.timing) for action in facts.actions] == [*((sign, "own_turn") for sign in "①②③④⑤"), *((sign, "intervene") for sign in "⑥⑦")]  # fmt: skip
    assert facts.phases == ("draw", "main_1", "move", "main_2", "end")
    assert set(facts.main_phases) < set(facts.phases)
    assert facts.windows[switches.intervention_windows] == ("recruit", "intervention", "main_done")
    words = game.sections["words"]
    assert tuple(words["phases"]) == facts.phases
    assert tuple(words["actions"]) == tuple(action.id for action in facts.actions)


def test_parts_name_where_an_effect_stands(game: Game) -> None:
    parts = Counter(part.part for part in parts_of(game))
    assert parts == {
        "arrival": 18, "occurrence": 6, "intervention": 7, "ability": 23, "cost": 12,
        "deed": 8, "situation": 12, "curse": 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (without_rule("passes"), "rules.passes is missing"),
        (rule("hand", to="six"), "rules.hand must be a whole number, 1 or more"),
        (rule("hand", to=0), "rules.hand must be a whole number, 1 or more"),
        (rule("memories", to=0), "rules.memories must be a whole number, 1 or more"),
        (rule("turns", to=0), "rules.turns must be a whole number, 1 or more"),
        (without_rule("phases"), "rules.phases must be a list of texts"),
        (without_rule("actions"), "rules.actions must be a list of actions"),
        (rule("actions", 0, to={"id": "place"}), "rules.actions must be a list of actions"),
        (without_rule("windows"), "rules.windows must hold lists by name"),
        (rule("windows", to={}), "rules.windows must hold lists by name"),
        (without_rule("windows", "standard"), "which rules.windows does not have"),
    ],
)
def test_what_the_rules_need_is_asked_for(game: Game, change: Change, told: str) -> None:
    with pytest.raises(ProblemsFound) as found:
        facts_of(change(game))
    assert told in str(found.value)


def test_limits_have_a_row_for_every_number_of_players(game: Game) -> None:
    rows: Any = game.sections["rules"]["limits"]["table"]
    with pytest.raises(ProblemsFound, match="no row for 4 players"):
        limits_of(rule("limits", "table", to=rows[:2])(game))
    with pytest.raises(ProblemsFound, match=r"rules\.limits\.redraw\.in must be a whole number, 1 or more"):
        limits_of(rule("limits", "redraw", "in", to=0)(game))


def test_the_vocabulary_names_operations_that_exist(game: Game) -> None:
    with pytest.raises(ProblemsFound, match="unknown operation 'negat'") as found:
        vocabulary_of(rule("vocabulary", "ability", to=("negat",))(game))
    assert "negate" in str(found.value.problems[0].hint)
    with pytest.raises(ProblemsFound, match="no component 'cursed'"):
        list(parts_of(replace(game, kinds={name: kind for name, kind in game.kinds.items() if name != "cursed"})))
