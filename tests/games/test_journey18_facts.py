"""The data of journey18 hold what its draft states, and each named check fails when the data stop doing so."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from game_changes import Change, after, card, every, results, setup, switch
from journey18_game import SUITS, rule

from generator.base.errors import ProblemsFound
from generator.game.model import Effect, Example, Game, SetupItem
from generator.rules.engine.facts import read_rule_texts
from generator.rules.journey18.state import events_of, facts_of, limits_of
from generator.rules.registry import load_bundled_checks

FUNCTIONS = load_bundled_checks("journey18")
FINDINGS = {"C18-REF-COMPONENT": "E4", "C18-REF-PHASE": "E3", "C18-VALUE-CAMERA": "E2", "C18-VALUE-KEY": "E1"}  # fmt: skip
INVARIANTS = (
    *("C18-CONS-CARD", "C18-CONS-LETTER", "C18-DECK-ID", "C18-DISCARD-ID", "C18-MOD7"),
    *("C18-CAP", "C18-HAND-SIZE", "C18-LEGAL", "C18-ONE-SOLVE", "C18-BOUND"),
)


def without(kind: str) -> Change:
    return lambda game: replace(game, kinds={name: known for name, known in game.kinds.items() if name != kind})


def expecting(example: str, **answers: Any) -> Change:
    return lambda game: _with_example(game, example, lambda known: {"expected": {**known.expected, **answers}})


def played_with(example: str, **options: Any) -> Change:
    return lambda game: _with_example(game, example, lambda _: {"options": options})


def _with_example(game: Game, name: str, parts: Callable[[Example], dict[str, Any]]) -> Game:
    assert name in [example.id for example in game.examples]
    examples = (replace(known, **parts(known)) if known.id == name else known for known in game.examples)
    return replace(game, examples=tuple(examples))


def test_the_box_holds_what_the_draft_states(game: Game) -> None:
    """7 locations, 30 events, 5 stories, 6 items, a summary; 5 letters, 3 pawns and our sheets; one effect a suit."""
    assert {kind.id: (kind.count, kind.stated) for kind in game.kinds.values()} == {
        "location": (7, 7),
        "event": (30, 30),
        "story": (5, 5),
        "item": (6, 6),
        "summary": (1, 1),
        "letter": (5, 5),
        "pawn": (3, 3),
        "spare_pawn": (0, None),
        "score_sheet": (1, None),
        "log_sheet": (3, None),
    }
    places = {design.id.partition("/")[2]: design.fields for design in game.kinds["location"].designs}
    assert {(fields["black"], fields["red"]) for name, fields in places.items() if fields["last"]} == {(0, 0)}
    assert sorted(fields["name"]["ja"] for fields in places.values()) == sorted(
        ["湾岸道路", "浜辺", "小さな町", "大都会", "無人駅", "廃坑", "千年樹"]
    )
    does = {
        suit: {tuple(e.op for e in event.effects) for event in events_of(game) if event.suit == suit} for suit in SUITS
    }
    assert does == {
        "red": {("step_black",)},
        "green": {("copy_neighbour",)},
        "blue": {("swap_events",)},
        "yellow": {("draw_cards", "return_cards")},
        "white": {("bring_black",)},
    }


def test_the_summary_says_what_the_events_do(game: Game) -> None:
    (summary,) = game.kinds["summary"].designs
    assert {suit: summary.fields[suit] for suit in SUITS} == {event.suit: event.effects for event in events_of(game)}


def test_told_apart_are_suits_keys_and_card_icons(game: Game) -> None:
    assert game.told_apart == (SUITS, ("circle", "square", "triangle"), ("black_card", "red_card"))
    for group in game.told_apart:
        assert len({game.icons[name].letter for name in group} - {""}) == len(group)


def test_named_checks_pass_but_for_four_findings(game: Game) -> None:
    """Every check of the data holds, the draft's four slips are found, and ten wait for test games."""
    found = results(game)
    assert {name for name, (status, _) in found.items() if status == "finding"} == set(FINDINGS)
    assert {spec.id: spec.reading for spec in game.checks if spec.id in FINDINGS} == FINDINGS
    assert tuple(name for name, (status, _) in found.items() if status == "undecided") == INVARIANTS
    assert {status for name, (status, _) in found.items() if name not in {*FINDINGS, *INVARIANTS}} == {"pass"}, found
    assert len(found) == 31
    assert found["C18-CARDS"][1] == "{cards: 49, sheets: 6}"
    assert found["C18-SETUP"][1] == "{hand: 1, deck: 29, rucksack: 28}"
    assert found["C18-ICON-KEY"][1] == "in all 10/10/10; in a suit 2/2/2; with a number 2/2/1"
    assert found["C18-CAP-SOLVE"][1].endswith("room for 15, in 48 of 56 ways to stand")
    assert found["C18-REF-COMPONENT"][1] == "7 of 8; not found: フラグカード"
    assert found["C18-REF-PHASE"][1] == "0 of 1; not found: 1:移動フェイズ"
    assert found["C18-RESIDUE"][1].startswith(
        "modulo 7: start 0, goal 4; a move phase changes it by 0, an effect by 1,"
    )
    assert found["C18-MIN-TURNS"][1] == "16 turns and 2 loops take 18 cards of 29 (plain), 28 (rucksack)"
    assert found["C18-MAX-SCORE"][1] == "plain: 45, camera: 65"
    assert found["C18-BEST-LOOPS"][1] == "4 loops"
    assert found["C18-BEST-SCORE"][1] == "plain: 38, camera: 54, each reached by an example"
    assert found["C18-MAX-TURNS"][1] == "plain: 34, rucksack: 33"


@pytest.mark.parametrize(
    ("check", "change", "figures"),
    [
        ("C18-EVENTS", card("event/red-6", number=5), "missing: red-6; too many: red-5; misnamed: event/red-6"),
        ("C18-EVENTS", card("event/red-6", count=2), "31 cards; too many: red-6"),
        ("C18-EVENTS", rule("numbers", to=(1, 2, 3, 4, 5, 6, 7)), "missing: red-7, green-7"),
        ("C18-LOCATIONS", card("location/beach", count=0), "cards: 6"),
        ("C18-LOCATIONS", card("location/beach", last=True), "last: 2"),
        ("C18-STORIES", card("story/red", suit="blue"), "suits: [blue, green"),
        ("C18-STORIES", card("story/red", count=2), "cards: 6"),
        ("C18-STORIES", card("letter/letter", count=4), "letters: 4"),
        ("C18-ITEMS", rule("penalties", "tent", to=9), "penalty: 21"),
        ("C18-ITEMS", card("item/tent", item="map"), "items: [camera, lantern, map, map"),
        ("C18-PAWNS", card("pawn/black", count=3), "computed 4, expected 3"),
        ("C18-CARDS", card("item/tent", count=7), "cards: 55, sheets: 7"),
        ("C18-SETUP", setup(SetupItem(2, "event")), "hand: 2"),
        ("C18-SETUP", rule("rucksack", "hand", to=3), "rucksack: 27"),
        ("C18-SETUP", card("event/red-6", count=2), "deck: 30"),
        ("C18-HAND", rule("draw", to=2), "computed [3, 4, 5]"),
        ("C18-HAND", rule("radio", "seen", to=2), "computed [2, 3, 5]"),
        ("C18-RESIDUE", rule("days", to=6), "modulo 6: start 0, goal 3 (the limits say 4); a move phase changes it by 1"),
        ("C18-RESIDUE", rule("move_total", to=8), "changes it by 1"),
        ("C18-RESIDUE", rule("limits", "residue", "goal", to=3), "goal 4 (the limits say 3)"),
        ("C18-RESIDUE", rule("limits", "residue", "start", to=1), "start 0 (the limits say 1)"),
        ("C18-RESIDUE", every("event", effects=()), "by nothing, so the goal is out of reach"),
        ("C18-RESIDUE", every("event", effects=(Effect("step_black", {"steps": 7}),)), "out of reach"),
        ("C18-MIN-TURNS", card("pawn/black", count=3), "21 (the limits say 16) turns"),
        ("C18-MIN-TURNS", rule("numbers", to=(7,)), "can't place"),
        ("C18-MIN-TURNS", rule("loop_cost", to=7), "take 30 cards"),
        ("C18-MIN-TURNS", rule("limits", "fewest_loops", to=3), "2 (the limits say 3) loops"),
        ("C18-MIN-TURNS", rule("hand", to=13), "take 18 cards of 17 (plain)"),
        ("C18-BEST-LOOPS", rule("numbers", to=(2, 3, 4, 5, 6)), "6 (the limits say 4) loops"),
        ("C18-BEST-LOOPS", rule("numbers", to=(7,)), "None (the limits say 4) loops"),
        ("C18-BEST-LOOPS", rule("limits", "best_loops", to=2), "4 (the limits say 2) loops"),
        ("C18-MAX-TURNS", rule("draw", to=2), "plain: 17 (the limits say 34)"),
        ("C18-MAX-TURNS", card("letter/letter", count=6), "rucksack: 34 (the limits say 33)"),
        ("C18-MAX-TURNS", rule("limits", "most_turns", "plain", to=29), "plain: 34 (the limits say 29)"),
    ],
)  # fmt: skip
def test_each_check_fails_on_data_that_break_it(game: Game, check: str, change: Change, figures: str) -> None:
    status, shown = results(change(game))[check]
    assert status == "fail", shown
    assert figures in shown


@pytest.mark.parametrize(
    ("check", "change", "figures"),
    [
        ("C18-ICON-LOC", card("location/beach", black=0), "beach 0/1"),
        ("C18-ICON-LOC", card("location/millennium-tree", red=1), "millennium-tree 0/1"),
        ("C18-ICON-KEY", card("event/red-1", key="square"), "in all 11/10/9"),
        ("C18-ICON-KEY", card("event/red-1", key="sun"), "no key icon: sun"),
        ("C18-ICON-KEY", after(card("event/red-1", key="square"), card("event/red-2", key="circle")), "3/1/1 or 3/2/0 or 2/2/1"),
        ("C18-CAP-SOLVE", every("location", black=0), "room for 0, in 0 of 56"),
        ("C18-CAP-SOLVE", every("event", suit="red"), "0 events in a suit"),
        ("C18-MAX-SCORE", switch("camera", "item_text"), "camera: 53 (the limits say 65)"),
        ("C18-MAX-SCORE", rule("score", "key", to=5), "plain: 51 (the limits say 45)"),
        ("C18-MAX-SCORE", switch("single_event_bonus", 7), "plain: 63 (the limits say 45)"),
        ("C18-MAX-SCORE", rule("loop_cost", to=7), "plain: None"),
        ("C18-BEST-SCORE", switch("camera", "item_text"), "camera: 44 (the limits say 54); no example"),
        ("C18-BEST-SCORE", rule("score", "key", to=5), "plain: 43 (the limits say 38), camera: 54; no example"),
        ("C18-BEST-SCORE", card("location/unstaffed-station", black=2), "plain: 41 (the limits say 38)"),
        ("C18-BEST-SCORE", rule("loop_cost", to=7), "plain: None"),
        ("C18-BEST-SCORE", rule("limits", "best_points", "plain", to=45), "plain: 38 (the limits say 45), camera: 54,"),
        ("C18-BEST-SCORE", expecting("best", scores=[37]), "camera: 54; no example reaches it: plain"),
        ("C18-BEST-SCORE", played_with("best-camera", items=["camera"], camera="union"), "reaches it: camera"),
        ("C18-BEST-SCORE", played_with("best-camera", items=["camera", "map"]), "reaches it: camera"),
    ],
)  # fmt: skip
def test_a_reading_of_the_draft_turns_a_failure_into_a_finding(
    game: Game, check: str, change: Change, figures: str
) -> None:
    status, shown = results(change(game))[check]
    assert status == "finding", shown
    assert figures in shown


@pytest.mark.parametrize(
    ("check", "change"),
    [
        ("C18-REF-COMPONENT", rule("stated", "components", to=("イベントカード", "ポーン", "レターキューブ"))),
        ("C18-REF-PHASE", rule("stated", "phases", to=("1:手札補充フェイズ", "2:移動フェイズ"))),
        ("C18-VALUE-CAMERA", rule("camera", "score_text", to={"deck": 2, "letter": 1, "key": 4})),
        ("C18-VALUE-KEY", rule("stated", "single_event", to=4)),
    ],
)
def test_a_mended_draft_has_no_findings(game: Game, check: str, change: Change) -> None:
    """The findings come from what the draft says, so that they go when it is put right."""
    assert results(change(game))[check][0] == "pass"


def test_every_check_can_fail(game: Game) -> None:
    """The tests above cover all checks but those for test games, so that none holds for want of anything to look at."""
    cases = [
        case
        for test in (
            test_each_check_fails_on_data_that_break_it,
            test_a_reading_of_the_draft_turns_a_failure_into_a_finding,
            test_a_mended_draft_has_no_findings,
        )
        for mark in test.pytestmark  # type: ignore[attr-defined]
        for case in mark.args[1]
    ]
    assert {case[0] for case in cases} == {spec.id for spec in game.checks if not spec.undecided}


@pytest.mark.parametrize(
    ("change", "needs"),
    [
        (rule("days", to="seven"), "rules.days must be a whole number"),
        (rule("camera", to={}), "rules.camera.union is missing"),
        (rule("suits", to="red"), "rules.suits must be a list of texts"),
        (without("event"), "there is no component 'event'"),
        (without("pawn"), "there is no component 'pawn'"),
        (without("letter"), "there is no component 'letter'"),
    ],
)
def test_missing_facts_are_problems_with_places(game: Game, change: Change, needs: str) -> None:
    with pytest.raises(ProblemsFound) as found:
        FUNCTIONS["every_event_once"](change(game))
    assert needs in str(found.value)
    assert all(problem.place is not None for problem in found.value.problems)


def test_limits_and_lists_are_read(game: Game) -> None:
    assert limits_of(game).most_points == {"plain": 45, "camera": 65}
    assert limits_of(game).best_points == {"plain": 38, "camera": 54}
    assert read_rule_texts(game, "suits") == SUITS
    with pytest.raises(ProblemsFound, match=r"rules\.stated\.nothing must be a list of texts"):
        read_rule_texts(game, "stated", "nothing")


def test_switches_are_read(game: Game) -> None:
    _, switches = facts_of(game)
    assert (switches.camera, switches.single_event_bonus, switches.solve_per_turn) == ("union", 1, 1)


def test_words_and_pictures_are_complete(game: Game) -> None:
    words = game.sections["words"]
    assert tuple(words["suits"]) == tuple(words["stories"]) == SUITS
    assert tuple(words["parts"]) == game.sections["rules"]["numbers"]
    (summary,) = game.kinds["summary"].designs
    assert {*words["phases"], *words["memories"], *SUITS} <= set(summary.fields)
    assert Counter(design.fields["emblem"] for design in game.kinds["event"].designs) == dict.fromkeys(
        (design.fields["emblem"] for design in game.kinds["story"].designs), 6
    )
