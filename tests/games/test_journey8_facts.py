"""Draft 8's data hold what the draft states, and each named check fails when the data stop doing so."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from game_changes import Change, after, card, result, results, setup, switch, variant

from generator.base.errors import ProblemsFound
from generator.game.model import Effect, Game, SetupItem
from generator.rules.engine.settings import read_choices, read_settings
from generator.rules.journey8.data import (
    effect_worth,
    effects_of,
    example_of,
    facts_of,
    key_count_modes,
    limits_of,
    worth_of,
)

PROJECT = Path(__file__).parents[2]


FINDINGS = {"C8-EFFECTS": "E2", "C8-EQUAL-TURNS": "E3", "C8-EXAMPLE-LEGAL": "E4", "C8-TERMS": "E15"}
"""The checks that disagree with the draft as it is, and the passages that they are about."""


def rule(**values: Any) -> Change:
    return lambda game: replace(game, sections={**game.sections, "rules": {**game.sections["rules"], **values}})


def limit(**values: Any) -> Change:
    return lambda game: rule(limits={**game.sections["rules"]["limits"], **values})(game)


def table(players: int, **numbers: int) -> Change:
    """The game with other limits for a number of players."""

    def change(game: Game) -> Game:
        rows = game.sections["rules"]["limits"]["table"]
        return limit(table=tuple({**row, **numbers} if row["players"] == players else row for row in rows))(game)

    return change


def removed(players: int, **numbers: int) -> Change:
    """The game with other cards laid aside for a number of players."""

    def change(game: Game) -> Game:
        rows = game.sections["rules"]["removed"]
        return rule(removed=tuple({**row, **numbers} if row["players"] == players else row for row in rows))(game)

    return change


def effects_settled(game: Game) -> Game:
    """The game after its designer has taken the effects over: none of them is marked as a proposal."""
    return replace(game, marks={path: mark for path, mark in game.marks.items() if not path.endswith(".effects")})


def test_the_box_holds_what_the_draft_states(game: Game) -> None:
    """21 bookmarks, seven of each colour and three of each number, and three jokers, all with one back; our counters."""
    bookmarks, jokers = game.kinds["bookmark"], game.kinds["joker"]
    colours = Counter(design.fields["colour"] for design in bookmarks.designs)
    numbers = Counter(design.fields["number"] for design in bookmarks.designs)

    assert bookmarks.count == bookmarks.stated == 21
    assert jokers.count == jokers.stated == 3
    assert colours == {"red": 7, "blue": 7, "yellow": 7}
    assert numbers == dict.fromkeys(range(1, 8), 3)
    assert {(design.back, design.count) for design in (*bookmarks.designs, *jokers.designs)} == {("back", 1)}
    beside = {kind.id: (kind.count, kind.stated) for kind in game.kinds.values() if kind.form != "card"}
    assert beside == {"counter": (64, None), "start_marker": (0, None), "score_sheet": (4, None)}
    assert game.told_apart == (("red", "blue", "yellow", "joker"), ("sone", "coherence"))
    assert [(icon.id, icon.letter) for icon in game.icons.values()][:3] == [("red", "R"), ("blue", "B"), ("yellow", "Y")]  # fmt: skip


def test_checks_agree_or_are_findings_about_the_draft(game: Game) -> None:
    """What the data compute holds; four passages of the draft disagree; the rest waits for games to be played."""
    found = results(game)
    status = {name: state for name, (state, _) in found.items()}
    assert {name for name in status if status[name] == "finding"} == set(FINDINGS)
    assert {spec.id: spec.reading for spec in game.checks if spec.reading} == FINDINGS
    assert {name for name in status if status[name] == "fail"} == set()
    assert {name for name in status if status[name] == "undecided"} == {
        spec.id for spec in game.checks if spec.undecided
    }
    assert Counter(status.values()) == {"pass": 14, "finding": 4, "undecided": 15}


@pytest.mark.parametrize(
    ("check", "figures"),
    [
        ("C8-BOOKMARKS", "21 cards, 21 pairs of colour and number"),
        ("C8-CARDS", "{cards: 24, sheets: 3, blanks: 3}"),
        ("C8-EFFECTS", "0 of 24 cards have an effect in the draft; proposed for 24; 22 different ones in all"),
        ("C8-WORTH", "3 players, number less 3: all 24 cards"),
        ("C8-INGAME", "2 players: 24 - 6 = 18; 3 players: 24 - 3 = 21; 4 players: 24 - 0 = 24"),
        ("C8-EQUAL-TURNS", "2 players: 15 turns, 1 over; 3 players: 17 turns, 2 over; 4 players: 19 turns, 3 over"),
        ("C8-EQUAL-TURNS-NOSTART", "2 players: 16 turns, 8 each; 3 players: 18 turns, 6 each; 4 players: 20 turns, 5 each"),
        ("C8-ROWMAX", "2 players: 18; 3 players: 21; 4 players: 23"),
        ("C8-KEYMAX", "2 players: 4; 3 players: 4; 4 players: 4"),
        ("C8-EXAMPLE-COUNT", "places with keys side by side: 2, so normal"),
        ("C8-EXAMPLE-LEGAL", "4 keys, 3 cards after the last; keys that end the game: 3"),
        ("C8-TERMS", "computed [秘密の鍵], expected []"),
        ("C8-VARIANTS", "12 of 17 variants can be played"),
    ],
)  # fmt: skip
def test_figures_are_those_that_follow_by_hand(game: Game, check: str, figures: str) -> None:
    assert result(game, check)[1] == figures


def test_counters_are_bounded_for_every_table(game: Game) -> None:
    """54, 59 and 64 in play; with the proposed effects at the end 65, 71 and 77, which may be settled on paper."""
    figures = result(game, "C8-COUNTER-BOUND")[1]
    assert [part.split(" (")[0] for part in figures.split("; ")] == [
        "2 players: 54 of 64", "3 players: 59 of 64", "4 players: 64 of 64",
    ]  # fmt: skip
    assert [part.split("(")[1].split(" ")[0] for part in figures.split("; ")] == ["65", "71", "77"]
    tempting = {"effects": (Effect("gain", {"side": "sone", "n": 9}),)}
    jokers = [card(f"joker/storyteller-{n}", **tempting) for n in (1, 2, 3)]
    assert "(78 at most" in result(after(*jokers)(game), "C8-COUNTER-BOUND")[1]
    without = result(switch("events", "none")(game), "C8-COUNTER-BOUND")[1]
    assert "(54 at most" in without


@pytest.mark.parametrize(
    ("check", "change", "figures"),
    [
        ("C8-BOOKMARKS", card("bookmark/red-3", number=4), "missing: red-3; more than once: red-4; misnamed: bookmark/red-3"),
        ("C8-BOOKMARKS", card("bookmark/red-3", count=2), "more than once: red-3"),
        ("C8-BOOKMARKS", card("bookmark/red-3", id="bookmark/red-8", number=8), "missing: red-3; not foreseen: red-8"),
        ("C8-BOOKMARKS", rule(colours={"red": 7, "blue": 7, "yellow": 6}), "21 cards"),
        ("C8-CARDS", card("joker/storyteller-1", count=2), "computed {cards: 25, sheets: 3, blanks: 2}"),
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
    ],
)  # fmt: skip
def test_each_check_fails_on_data_that_break_it(game: Game, check: str, change: Change, figures: str) -> None:
    status, shown = result(change(game), check)
    assert figures in shown
    assert status == "fail", shown


@pytest.mark.parametrize(
    ("check", "change"),
    [
        ("C8-EFFECTS", effects_settled),
        ("C8-EQUAL-TURNS", switch("equal_turns", "no_start_card")),
        ("C8-EQUAL-TURNS", switch("equal_turns", "remove_fix")),
        ("C8-EXAMPLE-LEGAL", switch("key_end", "off")),
        ("C8-EXAMPLE-LEGAL", rule(example={"row": "□□■■□■■", "mode": "normal"})),
        ("C8-TERMS", rule(double_terms=())),
    ],
)
def test_a_finding_goes_when_the_designer_settles_it(game: Game, check: str, change: Change) -> None:
    """Each disagreement with the draft hangs on its data: the reading, the row, the terms, the effects that are ours."""
    assert result(game, check)[0] == "finding"
    assert result(change(game), check)[0] == "pass"


def test_a_card_without_effect_is_missed(game: Game) -> None:
    """Even when all effects are the draft's own, none may be empty; and those alike are counted once."""
    status, figures = result(after(effects_settled, card("bookmark/red-4", effects=()))(game), "C8-EFFECTS")
    assert status == "finding"
    assert figures.startswith("23 of 24 cards have an effect in the draft; proposed for 0; 21 different")


def test_a_mark_on_what_holds_the_effects_counts(game: Game) -> None:
    """Whoever marks all cards of a kind as a proposal has marked their effects."""
    marked = replace(effects_settled(game), marks={"components.joker": "provisional"})
    assert "21 of 24 cards have an effect in the draft; proposed for 3" in result(marked, "C8-EFFECTS")[1]


def test_a_finite_supply_may_run_out(game: Game) -> None:
    """With 48 counters and a supply that ends (E12) there is nothing to complain about."""
    small = after(rule(counters=48), switch("supply", "finite"))(game)
    assert result(small, "C8-COUNTER-BOUND")[0] == "pass"


def test_jokers_that_keep_their_number_need_fewer_counters(game: Game) -> None:
    """E11 read the other way: a joker is a top or a bottom, but not both."""
    figures = result(switch("joker_memory", "keep_declared")(game), "C8-COUNTER-BOUND")[1]
    assert [part.split(": ")[1].split(" ")[0] for part in figures.split("; ")] == ["46", "51", "56"]


def test_every_check_can_fail(game: Game) -> None:
    """The tests above cover all checks that the data decide, so that none holds for want of anything to look at."""
    marks = test_each_check_fails_on_data_that_break_it.pytestmark  # type: ignore[attr-defined]
    broken = {case[0] for mark in marks for case in mark.args[1]}
    assert broken | set(FINDINGS) == {spec.id for spec in game.checks if not spec.undecided}


@pytest.mark.parametrize(
    ("change", "read", "message"),
    [
        (rule(removed=({"players": 2, "cards": 6, "level": 5},)), facts_of, "rules.removed has no row for 3 players"),
        (limit(table=()), limits_of, "rules.limits.table has no row for 2 players"),
        (rule(example={"row": "□x", "mode": "normal"}), example_of, "rules.example.row must be a row of ■"),
        (rule(example={"row": "□■", "mode": "reverze"}), example_of, "did you mean 'reverse'?"),
        (rule(worth={"number_less": 3}), worth_of, "rules.worth.players is missing"),
        (rule(key_count_modes=({"keys": 0, "mode": "norml"},)), key_count_modes, "did you mean 'normal'?"),
    ],
)
def test_malformed_facts_are_told_with_a_way_out(
    game: Game, change: Change, read: Callable[[Game], object], message: str
) -> None:
    with pytest.raises(ProblemsFound, match=message.replace(".", r"\.").replace("?", r"\?")):
        read(change(game))


def test_each_effect_is_worth_its_number_less_three(game: Game) -> None:
    for name, effects in effects_of(game).items():
        number = 0 if name.startswith("joker/") else int(name[-1])
        assert effect_worth(effects, 3) == number - 3, name


def test_facts_and_switches_are_read(game: Game) -> None:
    facts, switches = facts_of(game)
    assert (facts.cards, switches.key_end, switches.passing) == (24, 3, "free")


def test_variants_change_the_game_in_force(game: Game) -> None:
    """What a variant sets is not what the game has anyway, and the thresholds of V-KEYCOUNT cover every number of keys."""
    known, now = read_choices(game), read_settings(game)
    assert set(now) == set(known)
    assert now["reverse"] == "on"
    assert known["equal_turns"] == ("off", "no_start_card", "remove_fix")
    assert key_count_modes(game) == {0: "normal", 2: "ignored", 3: "reverse"}
