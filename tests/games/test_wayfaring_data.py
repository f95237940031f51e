"""The data of wayfaring hold what its rules say; its cards say and show what the data hold."""

from collections import Counter
from dataclasses import fields, replace
from typing import Any

import pytest
from game_changes import after, card, rule, switch
from game_texts import faces_of
from tests_support import quick
from wayfaring_game import PROJECT, effect

from generator.base.display_list import Drawing, Shape, TextRun
from generator.checks.visible_items import Context, PaintedItem, find_ink_box, find_leaves
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Game
from generator.rules.wayfaring.data import CARDS, DECK, Switches, facts_of, parts_of


def test_the_box_holds_two_decks_and_their_markers(game: Game) -> None:
    """80 cards with one back, 20 characters with another, four summaries with two faces, eight and one markers."""
    assert {kind.id: (len(kind.designs), kind.count) for kind in game.kinds.values()} == {
        "destination": (14, 42),
        "trouble": (6, 18),
        "cursed": (3, 6),
        "intervention": (7, 14),
        "character": (20, 20),
        "summary": (1, 4),
        "pass_marker": (1, 8),
        "start_marker": (1, 1),
    }
    backs = {kind.id: {design.back for design in kind.designs} for kind in game.kinds.values()}
    assert all(backs[kind] == {"deck_back"} for kind in DECK)
    assert (backs["character"], backs["summary"]) == ({"character_back"}, {"summary_back"})
    assert backs["pass_marker"] == backs["start_marker"] == {""}
    assert {kind.stated for kind in game.kinds.values()} == {None}


def test_ids_number_the_cards_of_each_kind(game: Game) -> None:
    """D01 to D14, T01 to T06, C01 to C03, I01 to I07, P01 to P20, in this order."""
    letters = {"destination": "D", "trouble": "T", "cursed": "C", "intervention": "I", "character": "P"}
    for kind, letter in letters.items():
        designs = game.kinds[kind].designs
        assert [design.id for design in designs] == [f"{kind}/{letter}{n:02}" for n in range(1, len(designs) + 1)]


def test_icons_of_a_group_have_letters_of_their_own(game: Game) -> None:
    """Kinds of cards, terrains, kinds of characters and timings can be told apart by letter as well."""
    assert game.told_apart == (
        ("destination", "trouble", "cursed", "intervention"),
        ("mountain", "water", "village", "shrine"),
        ("human", "fey", "spirit", "arcane"),
        ("own_turn", "intervene"),
    )
    for group in game.told_apart:
        assert len({game.icons[name].letter for name in group}) == len(group)


def test_the_rules_know_every_switch(game: Game) -> None:
    assert set(game.switches) == {field.name for field in fields(Switches)}


def test_every_choice_of_every_switch_can_be_read(game: Game) -> None:
    for reading in game.readings.values():
        for choice in reading.choices:
            _, switches = facts_of(switch(reading.switch, choice)(game)) if choice != reading.value else facts_of(game)
            assert getattr(switches, reading.switch) == choice


def test_the_status_of_what_the_draft_does_not_state(game: Game) -> None:
    marks = game.marks
    assert {marks.get(f"components.{kind}.designs") for kind in CARDS} == {"provisional"}
    assert [marks.get(f"rules.{name}") for name in ("memories", "refill", "limits")] == [
        "related", "provisional", "derived",
    ]  # fmt: skip
    given = ("hand", "display", "draw", "per_turn", "moves", "passes", "phases", "actions")
    assert {marks.get(f"rules.{name}") for name in given} == {None}
    assert {marks[f"words.{name}"] for name in ("memory", "vitality", "fatigue", "faint", "kinds")} == {"related"}


def test_the_facts_are_those_of_the_data(game: Game) -> None:
    facts, switches = facts_of(game)
    assert (facts.hand, facts.display, facts.draw, facts.moves, facts.passes, facts.memories) == (6, 3, 1, 1, 2, 10)
    assert facts.per_turn == {"destination": 1, "trouble": 1, "recruit": 1}
    assert facts.characters == 20
    assert [(action.sign, action.timing) for action in facts.actions] == [*((sign, "own_turn") for sign in "①②③④⑤"), *((sign, "intervene") for sign in "⑥⑦")]  # fmt: skip
    assert facts.phases == ("draw", "main_1", "move", "main_2", "end")
    assert set(facts.main_phases) < set(facts.phases)
    assert facts.windows[switches.intervention_windows] == ("recruit", "intervention", "main_done")
    words = game.sections["words"]
    assert tuple(words["phases"]) == facts.phases
    assert tuple(words["actions"]) == tuple(action.id for action in facts.actions)


def test_parts_name_where_an_effect_stands(game: Game) -> None:
    parts = Counter(part.part for part in parts_of(game))
    assert parts == {
        "arrival": 18, "occurrence": 6, "intervention": 7, "ability": 23, "cost": 12,
        "deed": 8, "situation": 12, "curse": 3,
    }  # fmt: skip


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
    assert "が12枚" in summary["lines"]["victory"]["says"]
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


def front(game: Game, name: str) -> Drawing:
    """The front of one card in Japanese, drawn without a problem."""
    drawn = Workshop(game, PROJECT.resources)
    design = next(design for design in game.designs() if design.id == name)
    face = drawn.draw_face(design, "front", "ja")
    assert drawn.problems == ()
    assert face is not None
    return face


def test_every_card_has_a_picture_of_its_own(game: Game) -> None:
    """50 designs, 50 pictures: none is shared within a kind."""
    kinds = [kind for kind in game.kinds.values() if "picture" in kind.designs[0].fields]
    assert sum(len(kind.designs) for kind in kinds) == 50
    for kind in kinds:
        assert set(Counter(design.fields["picture"] for design in kind.designs).values()) == {1}


@pytest.mark.parametrize(
    ("name", "picture"),
    [
        ("destination/D01", "rapids"),
        ("trouble/T01", "barrier"),
        ("cursed/C01", "bell"),
        ("intervention/I01", "hat"),
        ("character/P01", "fox"),
    ],
)
def test_a_card_shows_the_picture_that_its_data_name(game: Game, name: str, picture: str) -> None:
    assert front(card(name, picture=picture)(game), name) != front(game, name)


@pytest.mark.slow
@pytest.mark.parametrize("lang", quick(["ja", "en"], "en"))
def test_rule_texts_of_a_kind_are_of_one_size(game: Game, lang: str) -> None:
    workshop = Workshop(game, PROJECT.resources)
    sizes: dict[str, set[float]] = {}
    for design in game.designs():
        face = workshop.draw_face(design, "front", lang)
        assert face is not None, workshop.problems
        if design.kind in ("destination", "trouble", "intervention", "character"):
            found = {frame.size for frame in face.frames if frame.text_role == "rule"}
            sizes.setdefault(design.kind, set()).update(found)
    assert [len(found) for found in sizes.values()] == [1, 1, 1, 1]


def test_names_stand_in_the_middle_of_their_slips(game: Game) -> None:
    def column(name: str) -> float:
        return next(frame.x + frame.width / 2 for frame in front(game, name).frames if frame.text_role == "title")

    assert column("destination/D09") == pytest.approx(column("destination/D10"))
    assert column("character/P01") == pytest.approx(column("character/P02"))


def test_only_stamps_say_that_a_card_is_a_proposal(game: Game) -> None:
    for name in ("destination/D01", "trouble/T01", "cursed/C01", "intervention/I01", "character/P01"):
        face = front(game, name)
        assert [stamp.note for stamp in face.stamps] == ["仮"]
        assert not [frame for frame in face.frames if "仮" in frame.text]


@pytest.mark.slow
def test_readings_keep_clear_of_the_frame_of_their_slip(game: Game) -> None:
    workshop = Workshop(game, PROJECT.resources)
    context = Context({}, workshop.fonts, workshop.draw_silhouette)
    looked = 0
    for design in game.designs():
        face = workshop.draw_face(design, "front", "ja")
        assert face is not None
        leaves = find_leaves(face, context)
        slip = max((one.box.right for one in leaves if is_slip(one)), default=None)
        for one in leaves if slip is not None else ():
            box = find_ink_box(one, context) if isinstance(one.leaf, TextRun) and one.leaf.size < 9 else None
            if box is not None and 9 < box.x < slip and 13 < box.y < 50:
                looked += 1
                assert slip - box.right >= 1.0, (design.id, one.leaf)
    assert looked


def is_slip(one: PaintedItem) -> bool:
    """Whether this is the paper that comes in from the left edge, behind the name."""
    box = one.box
    return (
        isinstance(one.leaf, Shape)
        and one.leaf.fill == "paper"
        and box is not None
        and box.x <= -3
        and 13 < box.y < 14
        and box.right < 20
    )
