"""A game's files become the frozen model, or every problem that they have, each with its place."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests_support import TinyProject

from generator.base.errors import ProblemsFound
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project
from generator.game.rich_text import Words

GAME = "data/tiny/game.yaml"


def load(project: TinyProject, game: str = "tiny") -> Game:
    found = find_project(project.root)
    return load_game(found.find_folder(game), found.resources)


def problems(project: TinyProject) -> list[str]:
    with pytest.raises(ProblemsFound) as found:
        load(project)
    return [str(problem) for problem in found.value.problems]


def test_a_game_is_read_whole(tiny: TinyProject) -> None:
    game = load(tiny)
    kind = game.kinds["card"]
    one = kind.designs[0]

    assert (game.id, game.title, game.draft, game.languages) == ("tiny", Words({"en": "Tiny"}), "1", ("en",))
    assert (kind.count, kind.stated, kind.size.width, kind.size.height) == (5, 5, 40.0, 60.0)
    assert one.id == "card/one"
    assert list(one.copies()) == ["card/one#1", "card/one#2"]
    assert one.fields == {"title": Words({"en": "One"}), "value": 1, "mark": "star"}
    assert kind.designs[1].fields["mark"] is None
    assert str(one.place) == f"{GAME}:22:9"
    assert str(one.source.place("value")) == f"{GAME}:22:48"
    assert [item.take for item in game.setup] == [1]


def test_sections_may_stand_in_any_file(tiny: TinyProject) -> None:
    tiny.write("data/tiny/more/b.yaml", "palette:\n  blue: '#0000ff'\nicons:\n  moon: {name: Moon, colour: bleu}\n")
    assert problems(tiny) == ["data/tiny/more/b.yaml:4:30: unknown colour 'bleu'; did you mean 'blue'?"]


def test_a_section_given_twice_is_refused(tiny: TinyProject) -> None:
    tiny.write("data/tiny/b.yaml", "title: Other\npalette: {red: '#000000'}\n")
    assert problems(tiny) == [
        "data/tiny/game.yaml:2:1: 'title' is already given in data/tiny/b.yaml; remove or rename one of them",
        "data/tiny/game.yaml:27:3: 'palette.red' is already given in data/tiny/b.yaml; remove or rename one of them",
    ]


FAULTS = yaml.safe_load((Path(__file__).parent / "faults_of_a_game.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault["new"][:24])
def test_each_fault_has_its_place_and_sentence(tiny: TinyProject, fault: dict[str, Any]) -> None:
    tiny.change(GAME, fault["old"], fault["new"])
    assert problems(tiny) == [f"{GAME}:{line}" for line in fault["said"]]


def test_a_missing_translation_is_a_problem(tiny: TinyProject) -> None:
    tiny.change(GAME, "languages: [en]", "languages: [ja, en]")
    said = problems(tiny)
    assert f"{GAME}:2:8: title is a text without a language; write {{ja: ..., en: ...}}" in said
    tiny.change(GAME, "title: Tiny", "title: {en: Tiny}")
    assert f"{GAME}:2:8: title has no text in 'ja'; add `ja: ...`" in problems(tiny)


def test_whose_a_game_is_may_be_one_text_for_all_languages(tiny: TinyProject) -> None:
    tiny.change(GAME, "languages: [en]", "languages: [ja, en]")
    tiny.change(GAME, "credit: Somebody", "credit: {en: Somebody}")
    said = problems(tiny)
    assert f"{GAME}:7:9: credit has no text in 'ja'; add `ja: ...`" in said
    assert not [line for line in said if "licence" in line]
    tiny.change(GAME, "languages: [ja, en]", "languages: [en]")
    game = load(tiny)
    assert (game.credit, game.licence) == (Words({"en": "Somebody"}), Words({"en": "all rights reserved"}))


def test_statuses_name_existing_values(tiny: TinyProject) -> None:
    text = (tiny.root / GAME).read_text()
    tiny.write(GAME, text + "provisional: [components.card.designs.two.count, players.most]\nderived: [rules.hand]\n")
    assert problems(tiny) == [
        f"{GAME}:31:11: 'rules.hand' names no value of this file; write the path of a value, as `rules.hand`"
    ]
    tiny.write(GAME, text + "provisional: [components.card.designs.two.count, players.most]\n")
    assert load(tiny).marks == {"components.card.designs.two.count": "provisional", "players.most": "provisional"}


def test_a_place_for_pieces_is_a_name_or_says_more(tiny: TinyProject) -> None:
    """Its name alone, or under `name` beside `make_back`; which of both, its words have their place."""
    tiny.write("data/tiny/play.yaml", "zones:\n  deck: deck\n  lost: {name: turned over, back: true}\n")
    zones = load(tiny).zones
    assert {name: (zone.name, zone.back) for name, zone in zones.items()} == {"deck": (Words({"en": "deck"}), False), "lost": (Words({"en": "turned over"}), True)}  # fmt: skip
    assert [str(zone.place) for zone in zones.values()] == ["data/tiny/play.yaml:2:9", "data/tiny/play.yaml:3:16"]


ZONES = [
    ("{back: true}", ["2:9: 'name' is missing in zones.lost; add `name: ...`"]),
    ("{name: x, bakc: true}", ["2:19: unknown field 'bakc' in zones.lost; did you mean 'back'?"]),
    ("{name: x, back: yes please}", ["2:25: zones.lost.back must be true or false, not 'yes please'; write true or false"]),
    ("{name: {fr: x}, back: true}", [
        "2:16: zones.lost.name has no text in 'en'; add `en: ...`",
        "2:17: zones.lost.name.fr is not a language of this game; remove it, or add 'fr' to `languages`; known: en",
    ]),
    ("{fr: x}", [
        "2:9: zones.lost has no text in 'en'; add `en: ...`",
        "2:10: zones.lost.fr is not a language of this game; remove it, or add 'fr' to `languages`; known: en",
    ]),
    ("3", ["2:9: zones.lost.name must be text, not 3; write `name: \"3\"`"]),
]  # fmt: skip


@pytest.mark.parametrize(("written", "said"), ZONES)
def test_wrong_places_for_pieces_are_told(tiny: TinyProject, written: str, said: list[str]) -> None:
    tiny.write("data/tiny/play.yaml", f"zones:\n  lost: {written}\n")
    assert problems(tiny) == [f"data/tiny/play.yaml:{one}" for one in said]


def test_a_folder_without_game_file_says_so(tiny: TinyProject) -> None:
    tiny.write("data/other/cards.yaml", "title: x\n")
    with pytest.raises(
        ProblemsFound, match=r"data/other: the game has no game\.yaml; write one, with `format: 1` in it"
    ):
        load(tiny, "other")


def test_a_data_file_linked_from_outside_is_refused(tiny: TinyProject, tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("rules: {hand: 7}\n")
    (tiny.root / "data/tiny/rules.yaml").symlink_to(outside)
    assert problems(tiny) == ["data/tiny/rules.yaml: the file is outside the game's folder; copy it to this folder"]


def test_readings_and_checks_hold_together(tiny: TinyProject) -> None:
    tiny.write(
        "data/tiny/readings.yaml",
        "readings:\n"
        "  - {id: E1, problem: p, reading: r, switch: s, value: c, choices: [a, b]}\n"
        "  - {id: E1, problem: p, reading: r, switch: s, value: a, choices: [a, b]}\n"
        "checks:\n"
        "  - {id: T-1, says: s, computed: 1, expected: '2'}\n",
    )

    assert problems(tiny) == [
        'data/tiny/readings.yaml:5:34: computed in entry 1 of checks must be text, not 1; write `computed: "1"`'
    ]
    tiny.change("data/tiny/readings.yaml", "computed: 1, expected: '2'", "computed: '1', reading: E9")
    assert problems(tiny) == [
        "data/tiny/readings.yaml:2:56: the switch 's' is set to 'c', which is not one of its choices; known: a, b",
        "data/tiny/readings.yaml:3:10: the reading E1 is given twice; give one of them a new number",
        "data/tiny/readings.yaml:3:46: the switch 's' already belongs to E1; give each switch to one reading",
        "data/tiny/readings.yaml:5:5: the check T-1 needs `computed` and `expected`, or `function`, "
        "or `undecided: true`; give one of them",
        "data/tiny/readings.yaml:5:48: unknown reading 'E9'; did you mean 'E1'?",
    ]


def test_choices_are_named_as_the_data_write_them(tiny: TinyProject) -> None:
    tiny.write(
        "data/tiny/readings.yaml",
        "readings: [{id: E1, problem: p, reading: r, switch: s, value: never, choices: [false, true]}]\n",
    )
    assert problems(tiny) == [
        "data/tiny/readings.yaml:1:63: the switch 's' is set to 'never', which is not one of its choices; known: false, true"
    ]


OPERATIONS = """\
operations:
  gain: {takes: {n: {type: integer, min: 1}, who: {type: choice, choices: [you, all], optional: true}}, says: 'Gain {{ n }}'}
"""


def test_effects_are_operations_with_values(tiny: TinyProject) -> None:
    """A field of effects holds operations; what one takes and the card leaves out is None if it is optional."""
    tiny.write("data/tiny/operations.yaml", OPERATIONS)
    tiny.change(
        GAME,
        "      mark: {type: icon, optional: true}",
        "      does: effects\n      mark: {type: icon, optional: true}",
    )
    tiny.change(GAME, "value: 1, mark: star", "value: 1, does: [{op: gain, n: 2}]")
    tiny.change(GAME, "value: 2}", "value: 2, does: []}")
    one = load(tiny).kinds["card"].designs[0]
    assert [(effect.op, dict(effect.values)) for effect in one.fields["does"]] == [("gain", {"n": 2, "who": None})]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("[{op: gian, n: 2}]", "23:63: op in entry 1 of does names the unknown operation 'gian'; did you mean 'gain'?"),
        ("[{n: 2}]", "23:58: op in entry 1 of does names no operation; write {op: ...}"),
        ("[{op: gain}]", "23:58: entry 1 of does has no 'n', which 'gain' requires; add `n: ...`"),
        ("[{op: gain, n: 0}]", "23:72: n in entry 1 of does is 0, but must be at least 1; change the number, or `min` of the field"),
        ("[{op: gain, n: 1, m: 1}]", "23:75: m in entry 1 of does is not a parameter of 'gain'; known: n, who"),
        ("gain", "23:57: does must be a list of operations, not 'gain'; write it in [ ]"),
    ],
)  # fmt: skip
def test_wrong_effects_have_their_place(tiny: TinyProject, written: str, said: str) -> None:
    tiny.write("data/tiny/operations.yaml", OPERATIONS)
    tiny.change(
        GAME,
        "      mark: {type: icon, optional: true}",
        "      does: effects\n      mark: {type: icon, optional: true}",
    )
    tiny.change(GAME, "value: 1, mark: star", f"value: 1, does: {written}")
    tiny.change(GAME, "value: 2}", "value: 2, does: []}")
    assert problems(tiny) == [f"{GAME}:{said}"]


def test_a_two_faced_design_needs_both_faces(tiny: TinyProject) -> None:
    tiny.change(GAME, "    front: card\n", "    front: card\n    back: card\n    two_faced: true\n")
    assert load(tiny).kinds["card"].designs[0].back == "card"
    tiny.change(GAME, "{id: two, count: 3,", "{id: two, back: '', count: 3,")
    assert problems(tiny) == [
        f"{GAME}:25:25: card/two has one face, but both faces of a card are used in play; "
        "add `back:` with the other face's template"
    ]


@pytest.mark.parametrize(("shape", "height"), [("round", 20.0), ("square", 20.0), ("hexagon", 23.094010767585033)])
def test_one_number_is_the_size_of_what_is_even(tiny: TinyProject, shape: str, height: float) -> None:
    tiny.change(GAME, "size: [40, 60]", f"size: 20\n    form: token\n    shape: {shape}")
    kind = load(tiny).kinds["card"]
    assert (kind.form, kind.shape, kind.size.width) == ("token", shape, 20.0)
    assert kind.size.height == pytest.approx(height)
