"""Changes of journey18's data, and what its checks say of them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from game_changes import Change, after, card, every, rule, setup, switch, without_kind

from generator.game.model import Effect, Example, Game, SetupItem
from generator.rules.registry import load_program_checks

FINDINGS = {"C18-REF-COMPONENT": "E4", "C18-REF-PHASE": "E3", "C18-VALUE-CAMERA": "E2", "C18-VALUE-KEY": "E1"}  # fmt: skip
READINGS = {
    **dict.fromkeys(("C18-ICON-LOC", "C18-ICON-KEY", "C18-CAP-SOLVE"), "E26"),
    **dict.fromkeys(("C18-MAX-SCORE", "C18-BEST-SCORE"), "E2"),
    "C18-ONE-SOLVE": "E20b",
}

every_event_once = load_program_checks("journey18")["every_event_once"]


def expecting(example: str, **answers: Any) -> Change:
    return lambda game: _with_example(game, example, lambda known: {"expected": {**known.expected, **answers}})


def played_with(example: str, **options: Any) -> Change:
    return lambda game: _with_example(game, example, lambda _: {"options": options})


def _with_example(game: Game, name: str, parts: Callable[[Example], dict[str, Any]]) -> Game:
    assert name in [example.id for example in game.examples]
    examples = (replace(known, **parts(known)) if known.id == name else known for known in game.examples)
    return replace(game, examples=tuple(examples))


FAILS = [
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
    ("C18-PAWNS", card("pawn/black", count=3), "computed {black: 3}, expected {black: 2}"),
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
    ("C18-ROOM", card("location/beach", black=2), "computed {black: 14}, expected {black: 15}"),
    ("C18-EFFECTS", every("event", effects=()), "computed {red: 0, yellow: 0}, expected {red: 6, yellow: 12}"),
    ("C18-CAMERA", rule("camera", "union", "letter", to=2), "computed {union: {deck: 2, letter: 2"),
    ("C18-PROPOSED", rule("first_day", to=2), "computed {first_day: 2}, expected {first_day: 1}"),
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
]  # fmt: skip
SETTLED = [
    ("C18-REF-COMPONENT", rule("stated", "components", to=("イベントカード", "ポーン", "レターキューブ"))),
    ("C18-REF-PHASE", rule("stated", "phases", to=("1:手札補充フェイズ", "2:移動フェイズ"))),
    ("C18-VALUE-CAMERA", rule("camera", "score_text", to={"deck": 2, "letter": 1, "key": 4})),
    ("C18-VALUE-KEY", rule("stated", "single_event", to=4)),
]
MALFORMED = [
    (rule("days", to="seven"), every_event_once, "rules.days must be a whole number"),
    (rule("camera", to={}), every_event_once, "rules.camera.union is missing"),
    (rule("suits", to="red"), every_event_once, "rules.suits must be a list of texts"),
    (without_kind("event"), every_event_once, "there is no component 'event'"),
    (without_kind("pawn"), every_event_once, "there is no component 'pawn'"),
    (without_kind("letter"), every_event_once, "there is no component 'letter'"),
]
