"""The data of journey18 hold what its draft states, and its texts follow the rules' numbers."""

from collections import Counter

import pytest
from game_changes import Change, card, every, rule, switch
from journey18_tables import GAME, SUITS, arranged, asked
from shipped_games import PROJECT

from generator.base.errors import ProblemsFound
from generator.drawing.templates.game_templates import Templates
from generator.drawing.templates.template_values import GameViews
from generator.game.model import Effect, Game
from generator.rules.engine.facts import read_rule_texts
from generator.rules.engine.table import Seed, Table
from generator.rules.journey18.data import events_of, facts_of, limits_of
from generator.rules.journey18.rules import RULES


def test_the_box_holds_what_the_draft_states(game: Game) -> None:
    """7 locations, 30 events, 5 stories, 6 items, a summary; 5 letters, 3 pawns and our sheets; one effect a suit."""
    assert {kind.id: (kind.count, kind.stated) for kind in game.kinds.values()} == {
        "location": (7, 7),
        "event": (30, 30),
        "story": (5, 5),
        "item": (6, 6),
        "summary": (1, 1),
        "letter": (5, 5),
        "pawn": (3, 3),
        "spare_pawn": (0, None),
        "score_sheet": (1, None),
        "log_sheet": (3, None),
    }
    places = {design.id.partition("/")[2]: design.fields for design in game.kinds["location"].designs}
    assert {(fields["black"], fields["red"]) for name, fields in places.items() if fields["last"]} == {(0, 0)}
    assert sorted(fields["name"]["ja"] for fields in places.values()) == sorted(
        ["湾岸道路", "浜辺", "小さな町", "大都会", "無人駅", "廃坑", "千年樹"]
    )
    does = {
        suit: {tuple(e.op for e in event.effects) for event in events_of(game) if event.suit == suit} for suit in SUITS
    }
    assert does == {
        "red": {("step_black",)},
        "green": {("copy_neighbour",)},
        "blue": {("swap_events",)},
        "yellow": {("draw_cards", "return_cards")},
        "white": {("bring_black",)},
    }


def test_the_summary_says_what_the_events_do(game: Game) -> None:
    (summary,) = game.kinds["summary"].designs
    assert {suit: summary.fields[suit] for suit in SUITS} == {event.suit: event.effects for event in events_of(game)}


def test_told_apart_are_suits_keys_and_card_icons(game: Game) -> None:
    assert game.told_apart == (SUITS, ("circle", "square", "triangle"), ("black_card", "red_card"))
    for group in game.told_apart:
        assert len({game.icons[name].letter for name in group} - {""}) == len(group)


def test_limits_and_lists_are_read(game: Game) -> None:
    assert limits_of(game).most_points == {"plain": 45, "camera": 65}
    assert limits_of(game).best_points == {"plain": 38, "camera": 54}
    assert read_rule_texts(game, "suits") == SUITS
    with pytest.raises(ProblemsFound, match=r"rules\.stated\.nothing must be a list of texts"):
        read_rule_texts(game, "stated", "nothing")


def test_switches_are_read(game: Game) -> None:
    _, switches = facts_of(game)
    assert (switches.camera, switches.single_event_bonus, switches.solve_per_turn) == ("union", 1, 1)


def test_words_and_pictures_are_complete(game: Game) -> None:
    words = game.sections["words"]
    assert tuple(words["suits"]) == tuple(words["stories"]) == SUITS
    assert tuple(words["parts"]) == game.sections["rules"]["numbers"]
    (summary,) = game.kinds["summary"].designs
    assert {*words["phases"], *words["memories"], *SUITS} <= set(summary.fields)
    assert Counter(design.fields["emblem"] for design in game.kinds["event"].designs) == dict.fromkeys(
        (design.fields["emblem"] for design in game.kinds["story"].designs), 6
    )


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
        (rule("score", "letter", to=3), "item/camera", "note", ("レターは3、", "letter\u00a03, ")),
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


def test_questions_that_are_not_known_are_told() -> None:
    table = arranged({})
    for question, told in (("colunm 1", "column"), ("column", "as `column day`"), ("column x", "a day is 'x'")):
        with pytest.raises(LookupError, match=told):
            asked(table, question)


@pytest.mark.parametrize(
    ("change", "told"), [(rule("days", to=11), "11 days"), (rule("move_total", to=5), "a move of 5 has no rest")]
)
def test_data_that_do_not_fit_are_told(change: Change, told: str) -> None:
    with pytest.raises(ProblemsFound, match=told):
        RULES.box(change(GAME), 1, {})


def test_numbers_come_from_the_data() -> None:
    table = Table(RULES, RULES.box(rule("hand", to=2)(GAME), 1, {}), Seed(1))
    assert len(table.list_zones()["hand"]) == 3
    assert limits_of(GAME).fewest_turns == table.box.numbers["fewest_turns"]
