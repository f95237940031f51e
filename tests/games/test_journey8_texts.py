"""What draft 8's cards say is composed from the data, in both languages, and can be set."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from generator.draw.markup import parse_markup
from generator.draw.templating import Templates
from generator.draw.view import GameViews
from generator.load.game import load_game
from generator.load.project import find_project
from generator.model.game import Effect, Game
from generator.model.text import Icon, Plain, Words

PROJECT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def game() -> Game:
    """Draft 8 as its data folder describes it."""
    project = find_project(PROJECT)
    return load_game(project.folder("journey8"), project.resources)


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
        (
            "bookmark/yellow-7",
            "en",
            "Message by the Millennium Tree",
            "Give 2 sone to other players, split as you like, then discard 2.",
        ),
        (
            "joker/storyteller-1",
            "ja",
            "狂言回し 其の一",
            "ソーンを3個得て、このカードを捨て札にする（数字は数えない）。",
        ),
        (
            "joker/storyteller-1",
            "en",
            "Storyteller I",
            "Gain 3 sone, then discard this card; its number does not count.",
        ),
    ],
)
def test_titles_and_texts_are_composed(game: Game, name: str, lang: str, title: str, text: str) -> None:
    """A title is a place and what is heard there; a text is a sentence for each operation, or for two that are joined."""
    face = _faces(game)(name, lang)
    assert (face["card"]["title"], face["card"]["text"]) == (title, text)


def test_a_changed_effect_changes_the_text(game: Game) -> None:
    """No text says an effect apart from the data."""
    effects = (Effect("drop", {"side": "sone", "n": 5, "part": None}),)
    kind = game.kinds["bookmark"]
    designs = [replace(design, fields={**design.fields, "effects": effects}) for design in kind.designs]
    changed = replace(game, kinds={**game.kinds, "bookmark": replace(kind, designs=tuple(designs))})
    assert _faces(changed)("bookmark/red-7", "en")["card"]["text"] == "Discard 5 sone."


def test_joined_effects_say_each_its_own_number(game: Game) -> None:
    """Two gains told as one name both numbers when these differ."""
    effects = (
        Effect("gain", {"side": "sone", "n": 2, "part": "one"}),
        Effect("gain", {"side": "coherence", "n": 1, "part": "other"}),
    )
    kind = game.kinds["bookmark"]
    designs = [replace(design, fields={**design.fields, "effects": effects}) for design in kind.designs]
    changed = replace(game, kinds={**game.kinds, "bookmark": replace(kind, designs=tuple(designs))})
    assert _faces(changed)("bookmark/red-3", "ja")["card"]["text"] == "ソーンを2個、コヒーレンスを1個得る。"
    assert _faces(changed)("bookmark/red-3", "en")["card"]["text"] == "Gain 2 sone and 1 coherence."


def test_every_text_is_well_formed_in_both_languages(game: Game) -> None:
    """With all values filled in, the markup of every text can be read, and its icons exist."""
    faces = _faces(game)
    texts = [
        text for lang in game.languages for design in game.designs() for text in _texts(faces(design.id, lang)["card"])
    ]
    for lang in game.languages:
        face = faces("joker/storyteller-1", lang)
        texts += [text for section in ("words", "rules", "icons") for text in _texts(face[section])]
        templates = Templates("journey8", find_project(PROJECT).resources)
        assert game.overview is not None
        known = [game.title, game.overview, *(kind.name for kind in game.kinds.values())]
        known += [part for reading in game.readings.values() for part in (reading.problem, reading.reading)]
        known += [check.says for check in game.checks]
        texts += [templates.expand(words[lang], face, None) for words in known]
    assert len(texts) > 500
    for text in texts:
        assert "{{" not in text
        tree = parse_markup(text)
        assert {item.name for item in tree if isinstance(item, Icon)} <= set(game.icons)
        assert not any("**" in item.text for item in tree if isinstance(item, Plain)), text


def _faces(game: Game) -> Callable[[str, str], Mapping[str, Any]]:
    """What a template sees for the front of a design in a language."""
    templates = Templates("journey8", find_project(PROJECT).resources)
    views = GameViews(game, templates.expand, templates.functions)
    designs = {design.id: design for design in game.designs()}
    return lambda name, lang: views.of(designs[name], "front", lang)


def _texts(value: Any) -> Iterator[str]:
    """Every text below a value as templates see it."""
    if isinstance(value, (str, Words)):
        yield str(value)
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)
    elif hasattr(value, "__iter__"):
        for name in value:
            yield from _texts(value[name])
