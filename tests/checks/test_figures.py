"""`pnp figures`: statistics agree with scipy, planted problems are found, and every report says the same."""

import json
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from conftest import Pnp
from scipy.stats import hypergeom
from shipped_games import GAMES
from tests_support import TinyProject, project_files

from generator.checks.deck_figures import TextPassage, chance_of, list_variants

SUITS, NUMBERS = ("club", "heart", "spade", "rose"), range(1, 11)


def deck_of_forty(tiny: TinyProject, *without: tuple[str, int], suits: Iterable[str] = SUITS) -> None:
    """Make the tiny game a spreadsheet deck: four suits of ten numbers, without some of them."""
    cards = [pair for pair in product(suits, NUMBERS) if pair not in without]
    rows = [f"{suit}-{n},{suit} {n},{suit},{n},{n * 2},Draw {n} cards" for suit, n in cards]
    tiny.write("data/tiny/deck.csv", "\n".join(["id,title,suit,value,cost,text", *rows]) + "\n")
    whole = project_files("tiny")["data/tiny/game.yaml"]
    before, after = whole.split("    stated: 5\n")[0], whole.split("setup:")[1]
    fields = "{title: words, suit: {type: choice, choices: [club, heart, spade, rose]}, value: {type: integer}, "
    fields += "cost: {type: integer}, text: {type: words, optional: true}}"
    table = f"    fields: {fields}\n    designs: deck.csv\nsetup:"
    tiny.write("data/tiny/game.yaml", f"{before}{table}{after.replace('take: 1', 'take: 5')}")
    tiny.write("templates/tiny/card.svg", CARD)


CARD = """<svg xmlns="http://www.w3.org/2000/svg">
  <textbox x="3" y="5" width="34" height="10" font-family="body" font-size="9pt" text-role="title">{{ card.title }}</textbox>
  <textbox x="3" y="20" width="34" height="30" font-family="body" font-size="9pt" min-size="6.5pt">{{ card.text }}</textbox>
</svg>
"""


def report(pnp: Pnp, *more: str) -> Any:
    return json.loads(pnp("figures", "--format", "json", *more, code=0).out)["games"][0]


def rows_of(found: Any, topic: str, of: str = "") -> list[dict[str, Any]]:
    return [row for table in found["tables"] if table["topic"] == topic and of in table["of"] for row in table["rows"]]


def hints_of(found: Any) -> list[str]:
    return [hint["sentence"] for hint in found["hints"]]


@pytest.mark.parametrize(("copies", "deck", "hand"), [(4, 40, 5), (1, 7, 7), (13, 78, 7), (0, 5, 2), (40, 40, 3)])
def test_chances_agree_with_scipy(copies: int, deck: int, hand: int) -> None:
    for least in (1, 2, 3):
        assert float(chance_of(least, copies, deck, hand)) == pytest.approx(hypergeom.sf(least - 1, deck, copies, hand))


def test_a_spreadsheet_deck_has_curves_crosses_and_odds(tiny: TinyProject, pnp: Pnp) -> None:
    deck_of_forty(tiny)
    found = report(pnp)

    assert rows_of(found, "pieces") == [{"kind": "card", "designs": 40, "pieces": 40, "stated": ""}]
    assert rows_of(found, "values", "card.suit")[0] == {"value": "club", "pieces": 10, "share": 0.25}
    spread = {"field": "card.value", "pieces": 40, "least": 1, "mean": 5.5, "median": 5.5, "most": 10}
    assert rows_of(found, "spread")[0] == spread
    cross = rows_of(found, "cross", "suit × value")
    assert [row["suit"] for row in cross] == list(SUITS) and {row["3"] for row in cross} == {1}
    odds = next(row for row in rows_of(found, "odds") if row["value"] == "suit rose")
    assert odds["chance_2"] == pytest.approx(hypergeom.sf(1, 40, 10, 5)) and odds["expected"] == 1.25
    assert hints_of(found) == []


def test_values_are_weighted_by_copies(tiny: TinyProject, pnp: Pnp) -> None:
    found = report(pnp)

    assert [(row["value"], row["pieces"]) for row in rows_of(found, "values", "card.value")] == [("1", 2), ("2", 3)]
    assert rows_of(found, "spread")[0]["mean"] == 1.6


def test_a_missing_card_and_a_missing_suit_are_found(tiny: TinyProject, pnp: Pnp) -> None:
    deck_of_forty(tiny, ("heart", 3))
    assert hints_of(report(pnp)) == [
        "data/tiny/game.yaml:13:5: card: suit × value: no piece has heart 3",
        "data/tiny/game.yaml:13:5: card: suit × cost: no piece has heart 6",
    ]

    deck_of_forty(tiny, suits=SUITS[:3])
    assert "data/tiny/game.yaml:16:34: card.suit: no piece has the choice 'rose'" in hints_of(report(pnp))


def test_the_hand_is_that_of_set_up_or_as_asked(tiny: TinyProject, pnp: Pnp) -> None:
    deck_of_forty(tiny)
    assert [table["of"] for table in report(pnp)["tables"] if table["topic"] == "odds"] == ["card: 5 / 40"]
    assert [table["of"] for table in report(pnp, "--hand", "9")["tables"] if table["topic"] == "odds"] == [
        "card: 9 / 40"
    ]
    assert pnp("figures", "--hand", "41", code=1).said == [
        "--hand 41: the deck of card has only 40 cards; ask for a smaller hand"
    ]
    assert pnp("figures", "--deck", "cart", "--hand", "3", code=1).said == [
        "--deck cart: tiny has no cards of this kind; did you mean 'card'?"
    ]
    tiny.change("data/tiny/game.yaml", "take: 5", "take: 1")
    assert pnp("figures", "--deck", "card", code=1).said == ["tiny: no hand is known; write --hand N --deck KIND: card"]
    assert pnp("figures", "--hand", "0", code=2)


def test_without_a_hand_in_set_up_the_report_says_how_to_name_one(tiny: TinyProject, pnp: Pnp) -> None:
    assert "Opening hands: set-up names no single deck; write --hand N --deck KIND." in pnp("figures").out


def test_dominated_designs_need_directions_and_equal_texts(tiny: TinyProject, pnp: Pnp) -> None:
    deck_of_forty(tiny)
    rows = "a,A,club,3,2,\nb,B,club,4,2,\nc,C,club,5,2,Draw a card\nd,D,club,9,9,\n"
    tiny.write("data/tiny/deck.csv", f"id,title,suit,value,cost,text\n{rows}")
    tiny.change("data/tiny/game.yaml", "take: 5", "take: 1")
    assert not [one for one in hints_of(report(pnp)) if "never better" in one]

    tiny.change("data/tiny/game.yaml", "value: {type: integer}", "value: {type: integer, better: more}")
    said = "data/tiny/deck.csv:2:1: card/a is never better than card/b in value, cost, and worse in one of them"
    assert [one for one in hints_of(report(pnp)) if "never better" in one] == [said]


def test_a_direction_is_for_numbers_only(tiny: TinyProject, pnp: Pnp) -> None:
    tiny.change("data/tiny/game.yaml", "title: words", "title: {type: words, better: more}")
    assert pnp("figures", code=1).said == [
        "data/tiny/game.yaml:18:36: `better` has no effect: only numbers have a better, "
        "but this field has the type words; remove it"
    ]


def variants(lang: str, *texts: str) -> list[tuple[str, str]]:
    found = list_variants([TextPassage(text, f"text {n}") for n, text in enumerate(texts)], lang)
    return [(hint.values["one"], hint.values["other"]) for hint in found]


@pytest.mark.parametrize(
    ("lang", "texts", "said"),
    [
        ("en", ("Put it on the discard pile.", "Shuffle the discards."), ("discards", "discard pile")),
        ("en", ("Take it from the draw pile.", "The draw deck is empty."), ("draw deck", "draw pile")),
        ("en", ("Read the set-up.", "The setup is short."), ("setup", "set-up")),
        ("en", ("A colour.", "Two colors."), ("color", "colour")),
        ("ja", ("捨て札に置く。", "捨札を混ぜる。"), ("捨札", "捨て札")),
        ("ja", ("プレイヤーが引く。", "プレーヤーは捨てる。"), ("プレイヤー", "プレーヤー")),
    ],
)
def test_two_words_for_one_thing_are_found(lang: str, texts: tuple[str, ...], said: tuple[str, str]) -> None:
    assert variants(lang, *texts) == [said]


@pytest.mark.parametrize(
    ("lang", "texts"),
    [
        ("en", ("The event deck.", "Three events.", "He discards a card.", "The discard pile.", "Set up the game.", "Set-up")),
        ("en", ("The player’s hand.", "All players.", "Both ends.", "The end pile.")),
        ("ja", ("6を4枚出す。", "4枚で出す。", "カードを引く。", "カート", "コートとコト", "手の札と手札")),
    ],
)  # fmt: skip
def test_other_pairs_of_words_are_left_alone(lang: str, texts: tuple[str, ...]) -> None:
    assert variants(lang, *texts) == []


def test_texts_that_say_the_same_in_other_words_are_hints_and_series_are_not(tiny: TinyProject, pnp: Pnp) -> None:
    deck_of_forty(tiny)
    texts = ["Draw 2 cards from your hand.", "Draw two cards from the hand.", "Draw 3 cards from your hand."]
    rows = "".join(f"{n},T{n},club,{n},{n},{text}\n" for n, text in enumerate(texts, 1))
    tiny.write("data/tiny/deck.csv", f"id,title,suit,value,cost,text\n{rows}")
    tiny.change("data/tiny/game.yaml", "take: 5", "take: 1")
    found = report(pnp)

    said = "card/2 says the same as card/1 (en) in other words: 'two … the' instead of '2 … your'"
    assert [one.split(": ", 1)[1] for one in hints_of(found) if "same as" in one] == [said]
    assert {"design": "card/1", "beside": "card/3", "old": "2", "new": "3"} in rows_of(found, "alike")


def test_long_texts_show_how_far_they_are_shrunk(tiny: TinyProject, pnp: Pnp) -> None:
    deck_of_forty(tiny)
    text = "A long text that must become smaller because its box is far too low for it at nine points. " * 3
    tiny.change("data/tiny/deck.csv", "club,7,14,Draw 7 cards", f"club,7,14,{text.strip()}")
    row = rows_of(report(pnp), "shrunk")[0]

    assert row["design"] == "card/club-7 front" and row["characters"] == len(text.strip())
    assert row["shrunk"] == pytest.approx(row["points"] / 9, abs=0.001) and row["shrunk"] < 1


BOOK = "# Play {#play}\n\nPlay a card from your hand. Stars count twice.\n"


def test_what_no_page_of_the_rulebook_mentions_is_found(tiny: TinyProject, pnp: Pnp) -> None:
    tiny.change("data/tiny/game.yaml", "setup:", f"{PLAY}setup:")
    tiny.write("templates/tiny/rulebook.en.md", BOOK)
    assert [one.split(": ", 1)[1] for one in hints_of(report(pnp))] == [
        "no page of the rulebook (en) mentions the zone market ('black market')",
        "no page of the rulebook (en) mentions the move bribe ('bribe the guard with {card}')",
        "no page of the rulebook (en) mentions the effect steal ('Steal {{ n }} coins.')",
        "the rulebook (en) never asks the switch jokers of E1, and no example shows it",
    ]

    more = "Bribe a guard, steal coins or visit the black market. {% if switches.jokers %}Jokers count.{% endif %}\n"
    tiny.write("templates/tiny/rulebook.en.md", f"{BOOK}\n{more}")
    assert hints_of(report(pnp)) == []


def test_an_icon_that_players_see_needs_words(tiny: TinyProject, pnp: Pnp) -> None:
    """An icon on no face, such as one for the designer's notes, does not."""
    tiny.change("data/tiny/game.yaml", "icons:\n", "icons:\n  draft: {name: from the draft}\n")
    tiny.write("templates/tiny/icons/draft.svg", '<svg viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/></svg>')
    tiny.write("templates/tiny/rulebook.en.md", BOOK.replace("Stars", "Suns"))
    assert [one.split(": ", 1)[1] for one in hints_of(report(pnp))] == [
        "no page of the rulebook (en) shows or mentions the icon star ('Star')"
    ]


PLAY = """moves:
  play: play {card}
  bribe: bribe the guard with {card}
zones:
  hand: hand of player {n}
  market: black market
operations:
  steal: {takes: {n: {type: integer}}, says: "Steal {{ n }} coins."}
readings:
  - {id: E1, problem: Unclear., reading: They count., switch: jokers, value: true, choices: [true, false]}
"""


def test_without_a_rulebook_nothing_is_a_gap(tiny: TinyProject, pnp: Pnp) -> None:
    tiny.change("data/tiny/game.yaml", "setup:", f"{PLAY}setup:")
    said = pnp("figures", code=0).out
    assert "no page" not in said and "There is no rulebook, so nothing is compared with it." in said


COSTS = """id: my-shop
kind: costs
name: My shop
source: its price list
date: 2026-01-31
verified: true
size: A4
currency: EUR
sheet: 0.5
side: 0.25
ink: 2
cut: 30
outline: 60
"""


def test_costs_follow_from_sheets_sides_ink_and_cuts(tiny: TinyProject, pnp: Pnp) -> None:
    tiny.write("presets/my-shop.yaml", COSTS)
    found = report(pnp)
    paper = rows_of(found, "paper")[0]
    mine = next(row for row in rows_of(found, "costs") if row["preset"] == "my-shop")

    assert (paper["sheets"], paper["sides"], paper["singly"]) == (1, 1, 0) and 0 < paper["ink"] < 0.1
    assert (mine["sheet_price"], mine["side_price"], mine["state"]) == (0.5, 0.25, "verified")
    assert mine["copy"] == pytest.approx(0.75 + 2 * paper["ink"], abs=0.01)
    assert mine["minutes"] == paper["cuts"] * 30 / 60
    assert {row["state"] for row in rows_of(found, "costs") if row["preset"] != "my-shop"} == {"unverified"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("sheet: 0.5", "sheet: -1", "presets/my-shop.yaml:9:8: sheet is -1, but must be at least 0"),
        ("sheet: 0.5", "shet: 1", "presets/my-shop.yaml:9:1: unknown field 'shet'; did you mean 'sheet'?"),
        ("currency: EUR", "currency: euro", "presets/my-shop.yaml:8:11: currency is 'euro'"),
    ],
)
def test_a_wrong_price_says_where(tiny: TinyProject, pnp: Pnp, old: str, new: str, said: str) -> None:
    tiny.write("presets/my-shop.yaml", COSTS.replace(old, new))
    lines = pnp("figures", code=1).said
    assert any(line.startswith(said) for line in lines), lines


@pytest.mark.slow
def test_a_starter_has_pages_in_both_languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp) -> None:
    monkeypatch.chdir(tmp_path)
    pnp("new", "deck", "--from", "csv", code=0)
    monkeypatch.chdir(tmp_path / "deck")
    assert pnp("figures", "--format", "html", code=0).out.splitlines() == [
        "output/deck/figures.ja.html",
        "output/deck/figures.en.html",
    ]
    japanese = (tmp_path / "deck/output/deck/figures.ja.html").read_text(encoding="utf-8")
    assert "クロス集計" in japanese and "確認してほしいこと" in japanese
    assert "Opening hand" in (tmp_path / "deck/output/deck/figures.en.html").read_text(encoding="utf-8")
    found = report(pnp)
    assert (
        hints_of(found) == []
        and {"of": "kite: 3 / 24"}.items()
        <= next(table for table in found["tables"] if table["topic"] == "odds").items()
    )


JUDGED = {"xanadu": ["data/xanadu/skills.yaml:32:22: skill.on_tier: no piece has the choice 'lower'"]}
"""The hints about the five games that were read and stay: no skill happens to ask for a lower request."""


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_five_games_have_no_hint_that_was_not_judged(game: str, pnp: Pnp) -> None:
    assert hints_of(report(pnp, game)) == JUDGED.get(game, [])
