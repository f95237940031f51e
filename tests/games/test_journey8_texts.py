"""What draft 8's cards say is composed from the data, in both languages, and can be set."""

from dataclasses import replace
from pathlib import Path

import pytest
from game_texts import faces_of

from generator.game.model import Effect, Game

PROJECT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("name", "lang", "title", "text"),
    [
        ("bookmark/red-2", "ja", "浜辺のざわめき", "ソーンを1個得る。"),
        ("bookmark/red-2", "en", "Murmur at the Beach", "Gain 1 sone."),
        ("bookmark/red-7", "ja", "千年樹のざわめき", "ソーンを4個捨てる。"),
        ("bookmark/blue-1", "ja", "湾岸道路の共鳴", "コヒーレンス1個をソーンに戻す。"),
        ("bookmark/red-3", "ja", "小さな町のざわめき", "ソーンとコヒーレンスを1個ずつ得る。"),
        ("bookmark/red-3", "en", "Murmur in the Small Town", "Gain 1 sone and 1 coherence."),
        ("bookmark/blue-3", "ja", "小さな町の共鳴", "ソーンを2個得て、1個をコヒーレンスにする。"),
        ("bookmark/blue-3", "en", "Resonance in the Small Town", "Gain 2 sone, then turn 1 to coherence."),
        ("bookmark/yellow-2", "ja", "浜辺の伝言", "ソーンを持つ他のプレイヤー1人から、1個受け取る。"),
        ("bookmark/yellow-5", "ja", "無人駅の伝言", "他のプレイヤー1人にソーンを1個渡し、1個捨てる。"),
        ("bookmark/yellow-7", "ja", "千年樹の伝言", "他のプレイヤーにソーンを合わせて2個渡し、2個捨てる。"),
        ("bookmark/yellow-7", "en", "Message by the Millennium Tree", "Give 2 sone to other players, split as you like, then discard 2."),
        ("joker/storyteller-1", "ja", "狂言回し 其の一", "ソーンを3個得て、このカードを捨て札にする（数字は数えない）。"),
        ("joker/storyteller-1", "en", "Storyteller I", "Gain 3 sone, then discard this card; its number does not count."),
    ],
)  # fmt: skip
def test_titles_and_texts_are_composed(game: Game, name: str, lang: str, title: str, text: str) -> None:
    face = faces_of(game)(name, lang)
    assert (face["card"]["title"], face["card"]["text"]) == (title, text)


def test_a_changed_effect_changes_the_text(game: Game) -> None:
    effects = (Effect("drop", {"side": "sone", "n": 5, "part": None}),)
    kind = game.kinds["bookmark"]
    designs = [replace(design, fields={**design.fields, "effects": effects}) for design in kind.designs]
    changed = replace(game, kinds={**game.kinds, "bookmark": replace(kind, designs=tuple(designs))})
    assert faces_of(changed)("bookmark/red-7", "en")["card"]["text"] == "Discard 5 sone."


def test_joined_effects_say_each_its_own_number(game: Game) -> None:
    effects = (
        Effect("gain", {"side": "sone", "n": 2, "part": "one"}),
        Effect("gain", {"side": "coherence", "n": 1, "part": "other"}),
    )
    kind = game.kinds["bookmark"]
    designs = [replace(design, fields={**design.fields, "effects": effects}) for design in kind.designs]
    changed = replace(game, kinds={**game.kinds, "bookmark": replace(kind, designs=tuple(designs))})
    assert faces_of(changed)("bookmark/red-3", "ja")["card"]["text"] == "ソーンを2個、コヒーレンスを1個得る。"
    assert faces_of(changed)("bookmark/red-3", "en")["card"]["text"] == "Gain 2 sone and 1 coherence."
