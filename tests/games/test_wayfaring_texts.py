"""What wayfaring's cards say is composed from the data, in both languages, and can be set."""

from dataclasses import replace
from typing import Any

import pytest
from game_changes import after, card
from game_texts import faces_of
from wayfaring_game import effect, rule

from generator.game.model import Game


@pytest.mark.parametrize(
    ("name", "field", "ja", "en"),
    [
        ("destination/D01", "text", "{fey}〈妖〉：活力2。", "{fey} Fey: vitality 2."),
        ("destination/D05", "text", "移動を1回行ってよい。", "You may move once."),
        (
            "destination/D12",
            "text",
            "自分のパスマーカーを1個取り除く。その後、{spirit}〈霊〉：活力1。",
            "Remove 1 of your pass markers; then {spirit} Spirit: vitality 1.",
        ),
        (
            "destination/D13",
            "text",
            "登場中のキャラクター1人を人物の山の一番下に置く。その後、キャラクターが1人登場する。",
            "Put 1 character on display on the bottom of the character deck; then 1 character appears.",
        ),
        ("trouble/T03", "text", "疲労2。", "Fatigue 2."),
        ("trouble/T05", "text", "このターンの第二メインフェイズを行わない。", "There is no Main 2 this turn."),
        (
            "trouble/T06",
            "text",
            "パスマーカーを1個得る（2個を超えては得ない）。",
            "Gain 1 pass marker (you never have more than 2).",
        ),
        ("cursed/C01", "curse_text", "勝利に必要な旅の思い出が1枚増える。", "You need 1 more travel memory to win."),
        (
            "cursed/C03",
            "curse_text",
            "活力を得られない（ドローフェイズでは引く）。",
            "You gain no vitality, but still draw in the Draw phase.",
        ),
        (
            "intervention/I05",
            "text",
            "{human}〈人〉：旅路を1つ選び、そこで最も未来にある裏向きのカード1枚を、表を見ずに山札の一番下に置く。",
            "{human} Human: choose a path and put its face-down card furthest in the future on the bottom of the deck, unseen.",
        ),
        ("intervention/I06", "text", "他のプレイヤー1人に疲労1を与える。", "Another player of your choice suffers fatigue 1."),
        (
            "intervention/I07",
            "text",
            "捨て札から「忘れ物」以外のカードを1枚選び、手札に加える。",
            "Take 1 card of your choice other than Left Behind from the discards into your hand.",
        ),
        (
            "character/P03",
            "condition",
            "自分の旅路に表向きの{water}〈水〉の旅先が1枚以上ある。",
            "1 or more face-up {water} Water Destinations on your path.",
        ),
        ("character/P03", "text", "手札を2枚捨てる：移動を1回行ってよい。", "Discard 2 cards from your hand: you may move once."),
        ("character/P07", "condition", "他のプレイヤーは全員、活力1。", "Each other player gains vitality 1."),
        ("character/P08", "condition", "手札の旅先カードを1枚捨てる。", "Discard 1 Destination card from your hand."),
        ("character/P09", "condition", "自分の手札が3枚以下である。", "3 or fewer cards in your hand."),
        (
            "character/P19",
            "text",
            "手札の旅先カードを2枚まで、①とは別に自分の旅路に置いてよい。",
            "You may place up to 2 Destination cards from your hand on your path (not counted for action 1).",
        ),
    ],
)  # fmt: skip
def test_texts_are_composed_of_phrases(game: Game, name: str, field: str, ja: str, en: str) -> None:
    """Effects, conditions and curses read as a native writer would put them, in both languages."""
    faces = faces_of(game)
    assert [faces(name, lang)["card"][field] for lang in game.languages] == [ja, en]


@pytest.mark.parametrize(
    ("name", "parts", "en"),
    [
        ("destination/D02", {"effects": (effect("vitality", n=4, kind="arcane"),)}, "{arcane} Arcane: vitality 4."),
        ("destination/D05", {"effects": (effect("move", n=3),)}, "You may move up to 3 times."),
        ("destination/D09", {"effects": (effect("appear", n=2),)}, "2 characters appear."),
        ("intervention/I06", {"effects": (effect("fatigue", n=2, who="one_other", kind="fey"),)}, "{fey} Fey: another player of your choice suffers fatigue 2."),
        (
            "character/P12",
            {"cost": (effect("discard", n=1), effect("bury", who="self"))},
            "Discard 1 card from your hand, put the face-down card furthest in the future of your path on the bottom of the deck, unseen: vitality 1.",
        ),
        ("character/P12", {"cost": None}, "Vitality 1."),
    ],
)  # fmt: skip
def test_a_changed_effect_changes_the_text(game: Game, name: str, parts: dict[str, Any], en: str) -> None:
    filled = {field: _with_all(game, value) for field, value in parts.items()}
    assert faces_of(card(name, **filled)(game))(name, "en")["card"]["text"] == en


def test_a_changed_rule_changes_the_texts(game: Game) -> None:
    changed = after(rule("passes", to=4), rule("memories", to=12), rule("refill", to=5))(game)
    faces = faces_of(changed)
    assert "more than 4" in faces("trouble/T06", "en")["card"]["text"]
    assert "4個を超えて" in faces("character/P13", "ja")["card"]["condition"]
    summary = faces("summary/summary", "ja")["words"]["aid"]
    assert "カードが12枚" in summary["lines"]["victory"]["says"]
    assert "5回目のパス" in summary["lines"]["fainting"]["says"]
    assert "5人になるまで" in summary["phases"]["end"]


def test_words_name_every_choice_of_the_data(game: Game) -> None:
    words = game.sections["words"]
    for group, names in (
        ("terrains", game.told_apart[1]),
        ("kinds", game.told_apart[2]),
        ("timings", game.told_apart[3]),
    ):
        assert tuple(words[group]) == names
    for group in ("terrains", "kinds"):
        for name, text in words[group].items():
            for lang in game.languages:
                assert text[lang].startswith(f"{{{name}}}")
                assert game.icons[name].name[lang] in text[lang]


def test_sentences_end_once_and_begin_large(game: Game) -> None:
    """Composed texts have one full stop at their end; English ones begin with a capital, a digit or an icon."""
    faces = faces_of(game)
    for design in game.designs():
        for field in {"text", "condition", "curse_text"} & set(design.fields):
            ja, en = (faces(design.id, lang)["card"][field] for lang in ("ja", "en"))
            assert ja.endswith("。")
            assert "。。" not in ja
            assert en.endswith(".")
            assert not en.endswith("..")
            assert "  " not in en
            assert not en[0].islower()


def _with_all(game: Game, value: Any) -> Any:
    """Effects with everything that their operations may take, as the loader fills them in."""
    optional = dict.fromkeys(("who", "kind", "type", "other_design"))
    return value and tuple(replace(part, values={**optional, **part.values}) for part in value)
