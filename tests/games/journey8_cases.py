"""Changes of draft 8's data, and what its checks say of them."""

from dataclasses import replace
from typing import Any

from game_changes import Change, after, card, row, rule, setup, switch, variant

from generator.game.model import Game, SetupItem
from generator.rules.journey8.data import example_of, facts_of, key_count_modes, limits_of, worth_of

FINDINGS = {"C8-EFFECTS": "E2", "C8-EQUAL-TURNS": "E3", "C8-EXAMPLE-LEGAL": "E4", "C8-TERMS": "E15"}
READINGS: dict[str, str] = {}


def limit(**values: Any) -> Change:
    return rule("limits", **values)


def table(players: int, **numbers: int) -> Change:
    return row("limits", "table", where=("players", players), **numbers)


def removed(players: int, **numbers: int) -> Change:
    return row("removed", where=("players", players), **numbers)


def effects_settled(game: Game) -> Game:
    """The game after its designer has taken the effects over: none of them is marked as a proposal."""
    return replace(game, marks={path: mark for path, mark in game.marks.items() if not path.endswith(".effects")})


FAILS = [
    ("C8-BOOKMARKS", card("bookmark/red-3", number=4), "missing: red-3; too many: red-4; misnamed: bookmark/red-3"),
    ("C8-BOOKMARKS", card("bookmark/red-3", count=2), "too many: red-3"),
    ("C8-BOOKMARKS", card("bookmark/red-3", id="bookmark/red-8", number=8), "missing: red-3; too many: red-8"),
    ("C8-BOOKMARKS", rule(colours={"red": 7, "blue": 7, "yellow": 6}), "21 cards"),
    ("C8-CARDS", card("joker/storyteller-1", count=2), "computed {cards: 25, blanks: 2}, expected {cards: 24, blanks: 3}"),
    ("C8-CARDS", limit(sheets=2), "sheets: 2"),
    ("C8-CHANGELIST", card("bookmark/red-7", number=8), "highest: 8"),
    ("C8-CHANGELIST", rule(change_list={"colours": 4, "lowest": 1, "highest": 6, "jokers": 0}), "expected {colours: 4"),
    ("C8-WORTH", card("bookmark/red-7", effects=()), "1 of 24 differ: bookmark/red-7: +0 for +4"),
    ("C8-WORTH", rule(worth={"number_less": 3, "players": 4}), "1 of 24 differ: bookmark/yellow-1: -3 for -2"),
    ("C8-INGAME", removed(2, cards=5), "24 - 5 = 19 (the limits say 18)"),
    ("C8-INGAME", card("joker/storyteller-1", count=2), "25 - 6 = 19 (the limits say 18)"),
    ("C8-SETUP", rule(hand=2), "4 + 1 + 13 (the limits say 15) = 18"),
    ("C8-SETUP", setup(SetupItem(20, "bookmark"), SetupItem(3, "joker")), "set-up takes 23 of 24 cards"),
    ("C8-SETUP", setup(SetupItem(7, "bookmark", True), SetupItem(3, "joker")), "set-up takes 3 of 24 cards"),
    ("C8-SETUP", rule(sone=4), "8 (the limits say 6) counters"),
    ("C8-SETUP", switch("equal_turns", "no_start_card"), "2 + 0 + 16 (the limits say 15)"),
    ("C8-EQUAL-TURNS-NOSTART", removed(3, cards=4), "3 players: 17 turns, 2 over"),
    ("C8-EQUAL-TURNS-NOSTART", rule(draw=2), "3 players: 9 turns, 3 each; 4 players: 10 turns, 2 over"),
    ("C8-ROWMAX", table(4, row=24), "4 players: 23 (the limits say 24)"),
    ("C8-ROWMAX", rule(extra_plays=0), "3 players: 18 (the limits say 21)"),
    ("C8-START-COUNTERS", card("counter/counter", count=11), "computed false"),
    ("C8-COUNTER-BOUND", card("counter/counter", count=48), "4 players: 64 of 48"),
    ("C8-COUNTER-BOUND", card("counter/counter", count=63), "4 players: 64 of 63"),
    ("C8-COUNTER-BOUND", rule(sone=4), "4 players: 68 of 64"),
    ("C8-COUNTER-BOUND", card("joker/storyteller-3", count=2), "4 players: 70 of 64"),
    ("C8-COUNTER-BOUND", card("bookmark/red-6", number=7), "4 players: 65 of 64"),
    ("C8-COUNTER-BOUND", rule(extra_plays=2), "of 64"),
    ("C8-REVERSE-POSSIBLE", rule(run=3), "4 equal numbers: none"),
    ("C8-KEYMAX", switch("extra_after_third", False), "2 players: 3 (the limits say 4)"),
    ("C8-KEYMAX", switch("key_end", 4), "5 (the limits say 4)"),
    ("C8-KEYMAX", limit(keys=3), "4 (the limits say 3)"),
    ("C8-EXAMPLE-COUNT", rule(example={"row": "□□■■□■□□□□", "mode": "normal"}), "side by side: 1, so reverse"),
    ("C8-VARIANTS", variant("V-NOREV", sets={"revers": "off"}), "V-NOREV sets 'revers', which does not exist; did you"),
    ("C8-VARIANTS", variant("V-NOREV", sets={"reverse": "never"}), "V-NOREV sets reverse to never; it can be off"),
    ("C8-VARIANTS", variant("V-FORCE", sets={"pass": "free"}), "sets pass to free; it can be forbidden, hand_limit"),
    ("C8-VARIANTS", variant("V-NOREV", sets={}), "V-NOREV can be played, but sets nothing"),
    ("C8-VARIANTS", variant("V-DICE", sets={"reverse": "off"}), "V-DICE is data_missing, but sets something"),
    ("C8-VARIANTS", variant("V-NOREV", status="redy"), "V-NOREV has the status 'redy'; did you mean 'ready'?"),
    ("C8-VARIANTS", variant("V-DICE-a", of="V-DIE"), "V-DICE-a belongs to 'V-DIE', which is no variant"),
    ("C8-VARIANTS", variant("V-DICE-a", id="V-DICE-b"), "V-DICE-b stands there twice"),
    ("C8-VARIANTS", rule(options={"pass": {"value": "free", "choices": ("free",)}}), "pass is both a switch and an op"),
    ("C8-VARIANTS", switch("supply", "endless"), "the option supply has the value endless"),
    ("C8-VARIANTS", rule(variants=()), "0 of 0"),
    ("C8-VARIANTS", rule(variants="V-NOREV"), "rules.variants is not a list"),
    ("C8-VARIANTS", rule(variants=({"status": "ready"}, 7)), "variant 1 has no text for `id`; variant 2 has no text"),
    ("C8-VARIANTS", variant("V-NOREV", sets="reverse"), "V-NOREV: `sets` is not a mapping"),
    ("C8-VARIANTS", rule(options={"pass": "free"}), "rules.options is not a mapping of names to"),
    ("C8-EFFECTS", after(effects_settled, card("bookmark/red-4", effects=())), "no effect: bookmark/red-4"),
    ("C8-STATED", rule(gift=2), "computed {gift: 2}, expected {gift: 1}"),
    ("C8-PROPOSED", card("score_sheet/score-sheet", count=3), "computed {score sheets: 3}, expected {score sheets: 4}"),
]  # fmt: skip
"""No effect may be empty, even if all are the draft's own; a mark on a kind marks the effects of its cards."""
HOLDS = [("C8-COUNTER-BOUND", after(rule(counters=48), switch("supply", "finite")))]
SETTLED = [
    ("C8-EFFECTS", effects_settled),
    ("C8-EQUAL-TURNS", switch("equal_turns", "no_start_card")),
    ("C8-EQUAL-TURNS", switch("equal_turns", "remove_fix")),
    ("C8-EXAMPLE-LEGAL", switch("key_end", "off")),
    ("C8-EXAMPLE-LEGAL", rule(example={"row": "□□■■□■■", "mode": "normal"})),
    ("C8-TERMS", rule(double_terms=())),
]
MALFORMED = [
    (rule(removed=({"players": 2, "cards": 6, "level": 5},)), facts_of, "rules.removed has no row for 3 players"),
    (limit(table=()), limits_of, "rules.limits.table has no row for 2 players"),
    (rule(example={"row": "□x", "mode": "normal"}), example_of, "rules.example.row must be a row of ■"),
    (rule(example={"row": "□■", "mode": "reverze"}), example_of, "did you mean 'reverse'?"),
    (rule(worth={"number_less": 3}), worth_of, "rules.worth.players is missing"),
    (rule(key_count_modes=({"keys": 0, "mode": "norml"},)), key_count_modes, "did you mean 'normal'?"),
]
