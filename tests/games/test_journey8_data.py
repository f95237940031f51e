"""Draft 8's data hold what the draft states, and its cards say what they hold."""

from collections import Counter

from game_changes import after, card, every, result, switch
from game_texts import faces_of

from generator.game.model import Effect, Game
from generator.rules.engine.settings import read_choices, read_settings
from generator.rules.journey8.data import effect_worth, effects_of, facts_of, key_count_modes


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
    beside = {
        kind.id: (kind.count, kind.stated) for kind in game.kinds.values() if kind.id not in ("bookmark", "joker")
    }
    assert beside == {"counter": (64, None), "start_marker": (0, None), "score_sheet": (4, None), "aid": (4, None)}
    assert game.told_apart == (("red", "blue", "yellow", "joker"), ("sone", "coherence"))
    assert [(icon.id, icon.letter) for icon in game.icons.values()][:3] == [("red", "R"), ("blue", "B"), ("yellow", "Y")]  # fmt: skip


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


def test_jokers_that_keep_their_number_need_fewer_counters(game: Game) -> None:
    """E11 read the other way: a joker is a top or a bottom, but not both."""
    figures = result(switch("joker_memory", "keep_declared")(game), "C8-COUNTER-BOUND")[1]
    assert [part.split(": ")[1].split(" ")[0] for part in figures.split("; ")] == ["46", "51", "56"]


def test_each_effect_is_worth_its_number_less_three(game: Game) -> None:
    for name, effects in effects_of(game).items():
        number = 0 if name.startswith("joker/") else int(name[-1])
        assert effect_worth(effects, 3) == number - 3, name


def test_facts_and_switches_are_read(game: Game) -> None:
    facts, switches = facts_of(game)
    assert (facts.cards, switches.key_end, switches.passing) == (24, 3, "free")


def test_variants_change_the_game_in_force(game: Game) -> None:
    known, now = read_choices(game), read_settings(game)
    assert set(now) == set(known)
    assert now["reverse"] == "on"
    assert known["equal_turns"] == ("off", "no_start_card", "remove_fix")
    assert key_count_modes(game) == {0: "normal", 2: "ignored", 3: "reverse"}


def test_a_changed_effect_changes_the_text(game: Game) -> None:
    effects = (Effect("drop", {"side": "sone", "n": 5, "part": None}),)
    changed = every("bookmark", effects=effects)(game)
    assert faces_of(changed)("bookmark/red-7", "en")["card"]["text"] == "Discard 5 sone."


def test_joined_effects_say_each_its_own_number(game: Game) -> None:
    effects = (
        Effect("gain", {"side": "sone", "n": 2, "part": "one"}),
        Effect("gain", {"side": "coherence", "n": 1, "part": "other"}),
    )
    changed = every("bookmark", effects=effects)(game)
    assert faces_of(changed)("bookmark/red-3", "ja")["card"]["text"] == "ソーンを2個、コヒーレンスを1個得る。"
    assert faces_of(changed)("bookmark/red-3", "en")["card"]["text"] == "Gain 2 sone and 1 coherence."
