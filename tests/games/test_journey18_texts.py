"""Every text of journey18 can be set in both languages, and those on cards follow the rules' numbers."""

import pytest
from game_changes import Change, card, every, switch
from journey18_game import PROJECT, rule

from generator.drawing.templates.renderer import Templates
from generator.drawing.templates.template_values import GameViews
from generator.game.model import Effect, Game


def test_phrases_say_what_effects_take(game: Game) -> None:
    """The numbers of an effect stand in its phrase; one card is no "1 cards"."""
    (yellow,) = (design for design in game.designs() if design.id == "event/yellow-2")
    assert _phrases(game, yellow.id, "ja") == "山から1枚引く。それから手札を1枚、山のいちばん上か下へ戻す。"
    assert _phrases(game, yellow.id, "en").startswith("Draw 1 card. Then return 1\u00a0card from")
    more = every("event", effects=(Effect("draw_cards", {"cards": 2}), Effect("step_black", {"steps": 3})))(game)
    assert _phrases(more, yellow.id, "en").startswith("Draw 2 cards. You **must** move one black pawn by 3")


def _phrases(game: Game, design: str, lang: str) -> str:
    (which,) = (known for known in game.designs() if known.id == design)
    effects = _views(game).make_variables(which, "front", lang)["card"]["effects"]
    return ("" if lang == "ja" else " ").join(effect["text"] for effect in effects)


@pytest.mark.parametrize(
    ("change", "design", "field", "shown"),
    [
        (rule("penalties", "tent", to=8), "item/tent", "penalty", ("−8VP", "−8 VP")),
        (rule("rucksack", "hand", to=4), "item/rucksack", "text", ("手札が3枚増える。準備で4枚引く", "3 more")),
        (switch("camera", "score_text"), "item/camera", "text", ("山の残りは1枚1VP", "counts 1 VP, each letter\u00a02\u00a0VP")),
        (rule("score", "letter", to=3), "item/camera", "note", ("順に1、3、4VP", "1, 3 and 4 VP")),
        (rule("days", to=9), "summary/summary", "end", ("9日目", "day 9")),
        (rule("move_total", to=8), "summary/summary", "move", ("「8−数字」", "8 minus")),
        (switch("single_event_bonus", "full"), "summary/summary", "scoring", ("1枚だけなら4VP", "(4\u00a0for a single")),
        (card("event/red-3", number=5), "event/red-3", "title", ("現|あらわ}る　第5話", "Dealer, Part 5")),
    ],
)  # fmt: skip
def test_card_texts_follow_the_rules(
    game: Game, change: Change, design: str, field: str, shown: tuple[str, str]
) -> None:
    changed = change(game)
    views = _views(changed)
    (which,) = (known for known in changed.designs() if known.id == design)
    for lang, words in zip(("ja", "en"), shown, strict=True):
        assert words in views.make_variables(which, "front", lang)["card"][field]


def _views(game: Game) -> GameViews:
    templates = Templates("journey18", PROJECT.resources)
    return GameViews(game, templates.expand_text, templates.functions)
