"""Fortuna's data hold what its draft states, and each named check fails when the data stop doing so."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from game_changes import Change, results, setup, switch

from generator.base.display_list import TextRun
from generator.checks.visible_items import iter_visible_leaves
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Game, SetupItem
from generator.game.project import find_project
from generator.rules.fortuna.rules import RULES

HERE = Path(__file__).parent


def rule(**numbers: Any) -> Change:
    return lambda game: replace(game, sections={**game.sections, "rules": {**game.sections["rules"], **numbers}})


def limit(**numbers: Any) -> Change:
    return lambda game: rule(limits={**game.sections["rules"]["limits"], **numbers})(game)


def reel(card: str, **parts: Any) -> Change:
    """The game with one design of its reel cards changed."""

    def change(game: Game) -> Game:
        kind = game.kinds["reel"]
        designs = tuple(replace(d, **parts) if d.id == f"reel/{card}" else d for d in kind.designs)
        assert designs != kind.designs
        return replace(game, kinds={**game.kinds, "reel": replace(kind, designs=designs)})

    return change


def test_the_box_holds_what_the_draft_states(game: Game) -> None:
    """78 cards: 13 of each number, 18 of each ordinary icon, six goddesses; three aids, a board, a pad of four leaves."""
    numbers, icons = Counter[int](), Counter[str]()
    for design in game.kinds["reel"].designs:
        numbers[design.fields["number"]] += design.count
        icons[design.fields["icon"]] += design.count
    assert game.kinds["reel"].count == game.kinds["reel"].stated == 78
    assert numbers == dict.fromkeys(range(1, 7), 13)
    assert icons == {"lightning": 18, "wheat": 18, "helmet": 18, "wheel": 18, "goddess": 6}
    assert game.kinds["aid"].count == 3
    assert (game.kinds["discard_board"].form, game.kinds["discard_board"].count) == ("board", 1)
    assert (game.kinds["score_sheet"].form, game.kinds["score_sheet"].count) == ("pad", 4)
    assert game.told_apart == (("lightning", "wheat", "helmet", "wheel", "goddess"),)


@pytest.mark.parametrize(("most", "modulus"), [(4, 10), (3, 10), (4, 8)])
def test_the_score_sheet_has_room_for_every_set(game: Game, most: int, modulus: int) -> None:
    """A row for each number that a set can have, in a column for each player who can take part."""
    changed = replace(rule(modulus=modulus)(game), players=replace(game.players, most=most))
    drawn = Workshop(changed, find_project(HERE).resources)
    sheet = drawn.draw_face(changed.kinds["score_sheet"].designs[0], "front", "en")
    assert drawn.problems == ()
    assert sheet is not None
    texts = Counter(one.leaf.text for one in iter_visible_leaves(sheet) if isinstance(one.leaf, TextRun))
    assert texts["="] == most * modulus
    assert [texts[str(number)] for number in range(modulus + 1)] == [1, *[1 + most] * (modulus - 1), 0]


def test_every_named_check_passes(game: Game) -> None:
    """FC-01 to FC-19 are there and hold; the figures are those that follow from the draft by hand."""
    found = {check: result for check, result in results(game).items() if check not in RULES.laws}
    assert list(found) == [f"FC-{number:02}" for number in range(1, 20)]
    assert {status for status, _ in found.values()} == {"pass"}, found
    assert found["FC-01"][1] == "78"
    assert found["FC-02"][1] == "{per number: 13, cards: [13, 13, 13, 13, 13, 13]}"
    assert found["FC-05"][1] == "3 players: 21 + 7 + 50 = 78; 4 players: 28 + 7 + 43 = 78"
    assert found["FC-07"][1] == "3 players, main deck of 50: round 3; 4 players, main deck of 43: round 2"
    assert found["FC-08"][1] == "3 players: turn 51, round 17; 4 players: turn 44, round 11"
    assert found["FC-10"][1] == "refill of 6 at most, End pile of 7"
    assert found["FC-13"][1] == "between turns 0-7, after the draw 1-8"
    assert found["FC-15"][1] == "0: 36, 1: 1, 2: 4, 3: 9, 4: 16, 5: 25, 6: 36, 7: 49, 8: 64, 9: 72"
    assert found["FC-16"][1] == "largest hand 8; beyond it: 9"


@pytest.mark.parametrize(
    ("check", "change", "figures"),
    [
        ("FC-01", reel("6-wheat", count=4), "computed 79, expected 78"),
        ("FC-01", rule(per_number=12), "computed 78, expected 72"),
        ("FC-02", reel("6-wheat", count=2), "13, 12]}"),
        ("FC-02", rule(per_number=12), "per number: 12, cards: [13,"),
        ("FC-03", reel("2-goddess", count=2), "goddess: 7"),
        ("FC-04", reel("2-goddess", fields={"number": 2, "icon": "wheel"}), "missing: 2-goddess; misnamed: reel/2-god"),
        ("FC-04", reel("2-goddess", id="reel/2-wheel"), "77 different cards"),
        ("FC-04", reel("6-wheat", count=4), "30 designs, 79 different cards"),
        ("FC-04", reel("6-wheat", id="reel/7-wheat", fields={"number": 7, "icon": "wheat"}), "missing: 6-wheat"),
        ("FC-05", rule(hand=8), "3 players: 21 + 7 + 50 = 78"),
        ("FC-05", setup(SetupItem(6, "reel", True), SetupItem(7, "reel")), "18 + 7 + 53 (the limits say 50) = 78"),
        ("FC-06", rule(hand=18), "computed false"),
        ("FC-07", rule(refill_minus=0), "main deck of 50: round 2 (the limits say 3)"),
        ("FC-07", setup(SetupItem(7, "reel", True)), "main deck of 57: round 4 (the limits say 3)"),
        ("FC-08", rule(draw=2), "round 9 (the limits say 17)"),
        ("FC-08", rule(draw=0), "need not end"),
        ("FC-08", setup(SetupItem(7, "reel", True)), "turn 58, round 20 (the limits say 17)"),
        ("FC-09", rule(wheel_total=15), "1: never of 13"),
        ("FC-10", rule(end_pile=6), "refill of 6 at most, End pile of 6"),
        ("FC-10", switch("refill_counts", "set_size"), "refill of 7 at most"),
        ("FC-12", rule(zero_set_max=9), "(0 by its reading: up to 6)"),
        ("FC-12", rule(zero_set_min=0), "0: 0-6"),
        ("FC-12", switch("zero_set_max", 5), "up to 5"),
        ("FC-13", rule(refill_minus=0), "between turns"),
        ("FC-13", switch("turn_draw_after_trigger", False), "after the draw 0-8"),
        ("FC-15", limit(most_points=(36, 1, 4, 9, 16, 25, 36, 49, 64, 81)), "9: 72 (the limits say 81)"),
        ("FC-15", switch("face_down_icons", "count"), "9: 81 (the limits say 72)"),
        ("FC-16", rule(hand=8), "beyond it: none (the limits say 9)"),
        ("FC-16", limit(all_in_only=(8, 9)), "beyond it: 9 (the limits say 8-9)"),
        ("FC-17", reel("6-wheat", count=8), "computed 86, expected 90"),
        ("FC-19", rule(wheel_total=11), "computed [2, 3, 4, 5, 6], expected [1, 2,"),
        ("FC-19", rule(wheel_total=6), "computed [1, 2, 3, 4, 5], expected"),
    ],
)
def test_each_check_fails_on_data_that_break_it(game: Game, check: str, change: Change, figures: str) -> None:
    status, shown = results(change(game))[check]
    assert status == "fail", shown
    assert figures in shown


@pytest.mark.parametrize(
    ("check", "change", "reading", "figures"),
    [
        ("FC-11", switch("refill_in_progress", "stop"), "E22", "3 players: up to 8, but 3 if a refill stops"),
        ("FC-11", rule(end_pile=9), "E22", "End pile of 9"),
        ("FC-14", switch("ten_value", "ten"), "E3", "11 numbers: 0-10"),
        ("FC-18", switch("ten_value", "none"), "E3", "the first is 1 with 9 discards: 9"),
    ],
)
def test_a_reading_of_the_draft_turns_a_failure_into_a_finding(
    game: Game, check: str, change: Change, reading: str, figures: str
) -> None:
    changed = change(game)
    status, shown = results(changed)[check]
    assert status == "finding"
    assert figures in shown
    assert next(spec for spec in changed.checks if spec.id == check).reading == reading


def test_every_check_can_fail(game: Game) -> None:
    """The two tests above cover all checks, so that none holds for want of anything to look at."""
    cases = [
        case
        for test in (test_each_check_fails_on_data_that_break_it, test_a_reading_of_the_draft_turns_a_failure_into_a_finding)
        for mark in test.pytestmark  # type: ignore[attr-defined]
        for case in mark.args[1]
    ]  # fmt: skip
    assert {case[0] for case in cases} == {spec.id for spec in game.checks if not spec.undecided}
