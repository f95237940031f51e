"""Xanadu's data hold what the draft states, mark what is ours, and are told where they are malformed."""

from collections import Counter
from collections.abc import Callable

import pytest
from game_changes import Change
from xanadu_game import position, rule

from generator.base.errors import ProblemsFound
from generator.checks.check_report import check_stated_counts
from generator.game.model import Design, Effect, Game
from generator.rules.engine.facts import code_name_from_choice
from generator.rules.engine.facts import code_numbers as numbers_of
from generator.rules.engine.settings import read_choices
from generator.rules.xanadu.box import READINGS, UNPLAYABLE
from generator.rules.xanadu.data import facts_of, limits_of, map_of, names_of, request_facts_of, shortage_of
from generator.rules.xanadu.state import Reading


def numbers(game: Game, kind: str) -> dict[str, int]:
    return {design.id.split("/")[1]: design.count for design in game.kinds[kind].designs}


def test_the_box_holds_what_the_draft_states(game: Game) -> None:
    """Every number of the draft's inventory; VP tokens are ours, as are the aids, of which nothing is stated."""
    assert {kind.id: kind.count for kind in game.kinds.values() if kind.stated is not None} == {
        "area_board": 10, "company_board": 5, "action_board": 1, "request": 60, "daily_card": 5, "skill": 30,
        "resource": 105, "share": 60, "worker": 30, "dispatch": 60, "start_marker": 1,
    }  # fmt: skip
    assert {check.status for check in check_stated_counts(game)} == {"pass"}
    assert numbers(game, "resource") == {"normal": 60, "fine": 30, "superb": 15}
    assert numbers(game, "vp") == {"vp-1": 30, "vp-5": 15, "vp-10": 15, "vp-30": 20}
    assert numbers(game, "share") == dict.fromkeys(["red", "blue", "green", "yellow", "purple"], 12)
    assert numbers(game, "worker") == dict.fromkeys(["red", "blue", "green", "yellow", "purple"], 6)
    assert {kind.id: kind.count for kind in game.kinds.values() if kind.stated is None} == {
        "vp": 80, "round_track": 1, "zone_map": 1, "player_aid": 5,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "read", "message"),
    [
        (rule("limits", table=()), limits_of, "rules.limits.table has no row for 3 players"),
        (rule("limits", vp={}), limits_of, "rules.limits.vp.worth is missing"),
        (rule("rows", fulfil=(1, 2, 4)), facts_of, "rules.rows.fulfil has a space 4"),
        (rule("start", goods=(6, 0)), facts_of, "rules.start.goods has no number for each of 3 grades"),
        (rule("growth", limit=(3, 4)), facts_of, "rules.growth.limit ends before lid 2"),
        (rule("growth", opens_worker=("warehous",)), facts_of, "did you mean 'warehouse'?"),
        (rule("growth", opens_worker=()), facts_of, "rules.growth.opens_worker must be a list of texts"),
        (rule(shortage=(((0, "fulfill"),),)), shortage_of, "this is no placement"),
        (rule("requests", worth={"normal": 1}), request_facts_of, "rules.requests.worth.fine is missing"),
        (rule("map", port="p11"), map_of, "rules.map.port is no place"),
        (rule("map", example=("lantern",)), map_of, "rules.map.example must name boards by place"),
        (position("p3", id="p2"), map_of, "a place of the map needs an id of its own, not p2"),
        (position("p3", next="p2"), map_of, "p3 does not say what is next to it"),
        (rule(types="food"), lambda game: names_of(game, "types"), "rules.types must be a list of texts"),
    ],
)
def test_malformed_facts_are_told_with_a_way_out(
    game: Game, change: Change, read: Callable[[Game], object], message: str
) -> None:
    with pytest.raises(ProblemsFound, match=message.replace(".", r"\.").replace("?", r"\?")):
        read(change(game))


def test_facts_and_switches_are_read(game: Game) -> None:
    facts = facts_of(game)
    assert (facts.rounds, facts.growth.handed_out, facts.switches["daily_model"]) == (6, 11, "draft18")


def test_what_the_draft_does_not_say_is_marked(game: Game) -> None:
    ours = {path for path, mark in game.marks.items() if mark == "provisional"}
    assert {"components.request.designs", "components.skill.designs", "components.vp.designs.vp-1.count"} <= ours
    assert {"rules.growth.layouts", "rules.rows", "rules.variants", "operations"} <= ours
    assert not {
        path for path in ours if path.startswith(("rules.majority", "rules.spaces")) and path != "rules.majority_plus"
    }
    assert not {path for path in game.marks if path.endswith(".stated")}


def test_every_kind_of_skill_is_there(game: Game) -> None:
    skills = game.kinds["skill"].designs
    assert Counter(design.fields["timing"] for design in skills) == {
        "passive": 6, "activated": 6, "on_fulfil": 11, "install": 4, "round_end": 1, "final": 2,
    }  # fmt: skip
    used = {effect.op for design in (*skills, *game.kinds["company_board"].designs) for effect in effects(design)}
    assert used == set(game.operations)


def effects(design: Design) -> tuple[Effect, ...]:
    return tuple(design.fields["effects"])


def test_every_choice_has_a_name(game: Game) -> None:
    """Kernels know by name whatever a switch or option that they look at can be set to, and no name is left over."""
    known = read_choices(game)
    named = {
        code_name_from_choice(choice)
        for name in READINGS
        for choice in known[name]
        if f"{name}: {choice}" not in UNPLAYABLE
    }
    assert named == set(numbers_of(Reading))
