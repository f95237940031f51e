"""Changes of Fortuna's data, and what its checks say of them."""

from typing import Any

from game_changes import Change, card, rule, setup, switch

from generator.game.model import SetupItem

FINDINGS: dict[str, str] = {}
READINGS = {"FC-11": "E22", "FC-14": "E3", "FC-18": "E3"}
"""The readings that other checks depend on."""


def limit(**numbers: Any) -> Change:
    return rule("limits", **numbers)


FAILS = [
    ("FC-01", card("reel/6-wheat", count=4), "computed 79, expected 78"),
    ("FC-01", rule(per_number=12), "computed 78, expected 72"),
    ("FC-02", card("reel/6-wheat", count=2), "13, 12]}"),
    ("FC-02", rule(per_number=12), "computed {per number: 12}, expected {per number: 13}"),
    ("FC-03", card("reel/2-goddess", count=2), "goddess: 7"),
    (
        "FC-04",
        card("reel/2-goddess", number=2, icon="wheel"),
        "missing: 2-goddess; too many: 2-wheel; misnamed: reel/2-god",
    ),
    ("FC-04", card("reel/2-goddess", id="reel/2-wheel"), "misnamed: reel/2-wheel"),
    ("FC-04", card("reel/6-wheat", count=4), "30 designs, 79 different cards"),
    ("FC-04", card("reel/6-wheat", id="reel/7-wheat", number=7, icon="wheat"), "missing: 6-wheat"),
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
    ("FC-17", card("reel/6-wheat", count=8), "computed 86, expected 90"),
    ("FC-19", rule(wheel_total=11), "computed [2, 3, 4, 5, 6], expected [1, 2,"),
    ("FC-19", rule(wheel_total=6), "computed [1, 2, 3, 4, 5], expected"),
    ("FC-11", switch("refill_in_progress", "stop"), "3 players: up to 8, but 3 if a refill stops"),
    ("FC-11", rule(end_pile=9), "End pile of 9"),
    ("FC-14", switch("ten_value", "ten"), "11 numbers: 0-10"),
    ("FC-18", switch("ten_value", "none"), "the first is 1 with 9 discards: 9"),
    ("FC-33", rule(pass_discard=2), "computed {pass_discard: 2}, expected {pass_discard: 1}"),
    ("FC-34", card("score_sheet/sheet", count=0), "computed {score sheets: 0}, expected {score sheets: 4}"),
]
