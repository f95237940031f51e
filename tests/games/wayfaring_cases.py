"""Changes of wayfaring's data, and what its checks say of them."""

from game_changes import Change, after, card, every, rule, setup, stated, without_kind
from wayfaring_game import effect, without_rule

from generator.game.model import SetupItem
from generator.game.rich_text import Words
from generator.rules.wayfaring.data import CARDS, facts_of, limits_of, parts_of, vocabulary_of

FINDINGS = {
    "W3-SIGNS": "E1", "W3-NEXT-TURN": "E2", "W3-END-PHASE": "E3", "W3-COUNTS": "E6", "W3-SUMMARY": "E25",
    "W3-RECRUITED": "E31", "W3-ACTION": "E32", "W3-INTERVENTION": "E33", "W3-FIGURES": "E38", "W3-SECTIONS": "E39",
    "W3-DECK": "E48",
}  # fmt: skip
READINGS: dict[str, str] = {}

BOX = (("destination", 42), ("trouble", 18), ("cursed", 6), ("intervention", 14), ("character", 20))


def deal_of(**changed: int) -> Change:
    """The game whose set-up takes another number of some kind."""
    return setup(*(SetupItem(changed.get(kind, take), kind) for kind, take in BOX))


def row(**columns: tuple[int, ...]) -> Change:
    """The game with other limits for two, three and four players."""
    return after(
        *(rule("limits", "table", n, name, to=to) for name, values in columns.items() for n, to in enumerate(values))
    )


FAILS = [
    ("TC-18", rule("draw", to=2), "computed {draw: 2}, expected {draw: 1}"),
    ("TC-19", card("character/P03", cost=()), "computed {costs: 13}, expected {costs: 15}"),
    ("TC-01", card("trouble/T01", count=4), "copies: [[3], [4, 3], [2], [2]]"),
    ("TC-01", rule("limits", "deck", to=81), "deck: 81"),
    ("TC-02", card("character/P15", advanced=True), "ordinary: 14, advanced: 6"),
    ("TC-02", card("character/P01", count=2), "copies: [2, 1]"),
    ("TC-03", card("intervention/I01", count=1), "99 (the data say 100) cards"),
    ("TC-03", card("intervention/I02", id="intervention/I01"), "twice: intervention/I01#1, intervention/I01#2"),
    ("TC-04", card("destination/D01", terrain="water"), "mountain 9 (the data say 12), water 12 (the data say 9)"),
    ("TC-04", card("destination/D01", terrain="moor"), "moor 3 (the data say 0)"),
    ("TC-04", every("character", kinds=("human",)), "arcane 0 (the data say 4)"),
    ("TC-04", card("character/P19", kinds=("human",)), "no kind 0 (the data say 1)"),
    ("TC-04", card("character/P12", kinds=("spirit", "spirit")), "a kind twice: character/P12"),
    ("TC-05", rule("hand", to=5), "2 players: 10 (the data say 12) + 70 (the data say 68) = 80"),
    ("TC-05", rule("display", to=4), "4 + 16 (the data say 17) = 20"),
    ("TC-05", deal_of(trouble=17), "set-up takes 17 of 18 trouble cards"),
    ("TC-05", setup(SetupItem(21, "destination", each_player=True)), "set-up takes 0 of 42 destination cards"),
    ("TC-06", rule("hand", to=15), "4 players: 46 (the data say 19) of 42"),
    (
        "TC-06",
        after(rule("hand", to=15), row(sure=(16, 31, 46)), rule("limits", "most_players_sure", to=3)),
        "4 players: 46 of 42; up to 3 players",
    ),
    ("TC-06", rule("limits", "most_players_sure", to=6), "up to 7 (the data say 6) players"),
    (
        "TC-06",
        after(card("destination/D01", count=0), card("destination/D02", count=0)),
        "19 of 36; up to 6 (the data say 7)",
    ),
    ("TC-07", rule("limits", "most_redraws", to=5), "6 (the data say 5) redraws"),
    (
        "TC-07",
        after(rule("hand", to=12), rule("limits", "most_redraws", to=3)),
        "3 redraws; 2 players: 36 of 56 cards; 3 players: 36 of 44 cards; 4 players: 36 of 32 cards",
    ),
    ("TC-07", rule("hand", to=12), "3 (the data say 6) redraws; 2 players: 36 of 56 cards"),
    ("TC-08", rule("hand", to=5), "(the data say 2760681/300500200)"),
    ("TC-08", rule("limits", "table", 2, "redraws", to=363), "4 players: 362 (the data say 363) in 10000"),
    ("TC-08", rule("limits", "redraw", "of", to=2760682), "(the data say 2760682/300500200)"),
    ("TC-09", rule("display", to=16), "15 ordinary characters for a display of 16"),
    ("TC-09", rule("display", to=15), "15 for a display of 15"),
    ("TC-09", rule("limits", "aside", "most", to=4), "at most 5 (the data say 4)"),
    ("TC-09", card("character/P15", advanced=True), "set aside 1.2 (the data say 0.9375)"),
    ("TC-10", rule("memories", to=20), "4 players: 77 (the data say 37) or 79 (the data say 39)"),
    ("TC-10", after(rule("memories", to=16), row(path=(31, 46, 61), masked=(33, 48, 63))), "4 players: 61 or 63"),
    ("TC-10", card("cursed/C01", curse=(effect("need_more", n=2),)), "2 players: 19 or 23 (the data say 21)"),
    ("TC-10", card("trouble/T01", count=1), "of 58 (the data say 60) path cards"),
    ("TC-11", card("character/P16", situation=(effect("terrain", of="mountain", n=13),)), "terrain mountain 13"),
    ("TC-11", card("character/P04", situation=(effect("troubles", n=19),)), "character/P04 asks for troubles 19"),
    ("TC-11", card("character/P19", situation=(effect("companions", n=20),)), "asks for companions 20"),
    ("TC-11", card("character/P14", situation=(effect("cursed", n=7),)), "asks for cursed 7"),
    ("TC-11", card("character/P09", situation=(effect("hand_max", n=0),)), "asks for hand_max 0"),
    ("TC-11", every("character", kinds=("human",)), "no character is fey; no character is spirit"),
    ("TC-12", card("character/P18", deed=(effect("discard", n=7),)), "at most 7 of 6 cards; character/P18 asks"),
    ("TC-12", card("character/P08", deed=(effect("discard", n=2, type="destination"),)), "character/P08 asks"),
    ("TC-12", card("character/P03", cost=(effect("discard", n=9),)), "character/P03 asks"),
    ("TC-12", rule("passes", to=0), "character/P13 asks"),
    ("TC-12", card("character/P13", deed=(effect("mark", k=-1),)), "character/P13 asks"),
    ("TC-12", card("character/P11", deed=(effect("bury", who="any"),)), "character/P11 asks"),
    ("TC-13", card("pass_marker/marker", count=7), "box: 7"),
    ("TC-13", rule("passes", to=3), "foreseen: 12"),
    ("TC-14", rule("limits", "sheets", "deck", to=8), "deck: 8"),
    ("TC-14", card("character/P01", count=9), "characters: 4, characters_spare: 8"),
    ("TC-15", card("trouble/T01", effects=(effect("negate"),)), "trouble/T01 has negate as occurrence"),
    ("TC-15", card("intervention/I02", effects=()), "join is on no card"),
    ("TC-15", card("cursed/C03", curse=()), "no_vitality is on no card"),
    ("TC-15", rule("vocabulary", "situation", to=("visited",)), "character/P03 has terrain as situation"),
    ("TC-15", rule("vocabulary", "curse", to=("need_more", "end_discard")), "no_vitality may stand nowhere"),
    (
        "TC-15",
        card("character/P05", effects=(effect("vitality", n=1, who=None, kind="fey"),)),
        "character/P05 marks its ability with a kind",
    ),
    ("TC-16", card("destination/D01", name=Words({"ja": "霧の峠", "en": " "})), "destination/D01 has a text without 'en'"),
    ("TC-16", card("destination/D01", text=Words({"en": "Fog."})), "destination/D01 has a text without 'ja'"),
    ("TC-16", card("character/P01", name=None), "character/P01 has no name"),
    ("TC-17", card("character/P01", situation=None), "character/P01 has no condition"),
    ("TC-17", card("character/P01", deed=(effect("bury", who="self"),)), "character/P01 has situation and deed"),
    ("TC-17", card("character/P01", timing="intervene"), "own_turn 13, intervene 7"),
    ("TC-17", rule("limits", "conditions", "deed", to=8), "the data say situation 8"),
    ("W3-SIGNS-RESTORED", rule("draft", "signs", to=("@", "A", "B")), "@AB restored: ①②③"),
    ("W3-SIGNS-RESTORED", rule("draft", "signs", to=("@", "A", "B", "C", "D", "E", "?")), "restored"),
]  # fmt: skip
HOLDS = [
    ("TC-11", card("character/P01", situation=(effect("visited", n=42),))),
    ("TC-11", card("character/P17", situation=(effect("terrain", of="water", n=9),))),
    ("TC-11", card("character/P04", situation=(effect("troubles", n=18),))),
    ("TC-11", card("character/P19", situation=(effect("companions", n=19),))),
    ("TC-11", card("character/P14", situation=(effect("cursed", n=6),))),
    ("TC-11", card("character/P09", situation=(effect("hand_max", n=1),))),
    ("TC-12", card("character/P18", deed=(effect("discard", n=6),))),
    ("TC-12", rule("passes", to=1)),
    ("TC-12", card("character/P13", deed=(effect("mark", k=2),))),
]
SETTLED = [
    ("W3-SIGNS", rule("draft", "signs", to=("①", "②", "③", "④", "⑤", "⑥", "⑦"))),
    ("W3-NEXT-TURN", rule("draft", "next_turn", to={"sign": "@", "phase": "draw"})),
    ("W3-END-PHASE", rule("end_phase", to=("turn_ends", "next_player", "curses", "refill", "phase_ends"))),
    ("W3-COUNTS", after(*(stated(kind, 1) for kind in CARDS))),
    ("W3-SUMMARY", rule("draft", "set_up", "told", to=("start_player", "decks"))),
    ("W3-RECRUITED", rule("draft", "names_for_recruited", to=("キャラクター",))),
    ("W3-ACTION", rule("draft", "meanings", "行動", to=("main_action",))),
    ("W3-INTERVENTION", rule("draft", "meanings", "介入", to=("timing",))),
    ("W3-DECK", rule("draft", "meanings", "山札", to=("deck",))),
    ("W3-FIGURES", rule("draft", "figures", "there", to=("1", "2", "3"))),
    ("W3-SECTIONS", rule("draft", "sections", "there", to=("3−3", "3−4", "4−4"))),
]
MALFORMED = [
    (without_rule("passes"), facts_of, "rules.passes is missing"),
    (rule("hand", to="six"), facts_of, "rules.hand must be a whole number, 1 or more"),
    (rule("hand", to=0), facts_of, "rules.hand must be a whole number, 1 or more"),
    (rule("memories", to=0), facts_of, "rules.memories must be a whole number, 1 or more"),
    (rule("turns", to=0), facts_of, "rules.turns must be a whole number, 1 or more"),
    (without_rule("phases"), facts_of, "rules.phases must be a list of texts"),
    (without_rule("actions"), facts_of, "rules.actions must be a list of actions"),
    (rule("actions", 0, to={"id": "place"}), facts_of, "rules.actions must be a list of actions"),
    (without_rule("windows"), facts_of, "rules.windows must hold lists by name"),
    (rule("windows", to={}), facts_of, "rules.windows must hold lists by name"),
    (without_rule("windows", "standard"), facts_of, "which rules.windows does not have"),
    (rule("limits", "table", to=()), limits_of, "rules.limits.table has no row for 2 players"),
    (rule("limits", "redraw", "in", to=0), limits_of, "rules.limits.redraw.in must be a whole number, 1 or more"),
    (rule("vocabulary", "ability", to=("negat",)), vocabulary_of, "did you mean 'negate'?"),
    (without_kind("cursed"), lambda game: list(parts_of(game)), "no component 'cursed'"),
]
