"""Xanadu's data hold what the draft states; its cards say and show it; slips in its files are named with their line."""

import re
import shutil
from collections import Counter
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import Pnp
from game_changes import after, every, result, rule, switch
from game_texts import faces_of, texts_in
from jinja2 import Environment, FileSystemLoader
from tests_support import quick
from xanadu_game import PROJECT, loaded

from generator.base.display_list import Drawing, Shape
from generator.base.path_data import to_canonical_path
from generator.checks.check_report import check_stated_counts
from generator.checks.visible_items import FaceLayers, iter_visible_leaves
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.svg.face_areas import find_printed_spaces
from generator.game.model import Design, Effect, Game
from generator.game.project import find_project
from generator.rules.xanadu.data import facts_of


def numbers(game: Game, kind: str) -> dict[str, int]:
    return {design.id.split("/")[1]: design.count for design in game.kinds[kind].designs}


def test_the_box_holds_what_the_draft_states(game: Game) -> None:
    assert {kind.id: kind.count for kind in game.kinds.values() if kind.stated is not None} == {
        "area_board": 10, "company_board": 5, "action_board": 1, "request": 60, "daily_card": 5, "skill": 30,
        "resource": 105, "share": 60, "worker": 30, "dispatch": 60, "start_marker": 1,
    }  # fmt: skip
    assert {check.status for check in check_stated_counts(game)} == {"pass"}
    assert numbers(game, "resource") == {"normal": 60, "fine": 30, "superb": 15}
    assert numbers(game, "vp") == {"vp-1": 30, "vp-5": 15, "vp-10": 15, "vp-30": 20}
    assert numbers(game, "share") == dict.fromkeys(["red", "blue", "green", "yellow", "purple"], 12)
    assert numbers(game, "worker") == dict.fromkeys(["red", "blue", "green", "yellow", "purple"], 6)
    assert {kind.id: kind.count for kind in game.kinds.values() if kind.stated is None} == {
        "vp": 80, "round_track": 1, "zone_map": 1, "player_aid": 5, "vp_track": 1, "vp_marker": 5,
    }  # fmt: skip


def test_facts_and_switches_are_read(game: Game) -> None:
    facts = facts_of(game)
    assert (facts.rounds, facts.growth.handed_out, facts.switches["daily_model"]) == (6, 11, "draft18")


def test_what_the_draft_does_not_say_is_marked(game: Game) -> None:
    ours = {path for path, mark in game.marks.items() if mark == "provisional"}
    assert {"components.request.designs", "components.skill.designs", "components.vp.designs.vp-1.count"} <= ours
    assert {"rules.growth.layouts", "rules.rows", "rules.variants", "operations"} <= ours
    assert not {
        path for path in ours if path.startswith(("rules.majority", "rules.spaces")) and path != "rules.majority_plus"
    }
    assert not {path for path in game.marks if path.endswith(".stated")}


def test_every_kind_of_skill_is_there(game: Game) -> None:
    skills = game.kinds["skill"].designs
    assert Counter(design.fields["timing"] for design in skills) == {
        "passive": 6, "activated": 6, "on_fulfil": 11, "install": 4, "round_end": 1, "final": 2,
    }  # fmt: skip
    used = {effect.op for design in (*skills, *game.kinds["company_board"].designs) for effect in effects(design)}
    assert used == set(game.operations)


def effects(design: Design) -> tuple[Effect, ...]:
    return tuple(design.fields["effects"])


def test_twelve_lids_do_not_fit_the_eleven_of_the_draft(game: Game) -> None:
    """E19 read the other way uses all sixty dispatch workers up, but the draft hands out eleven each."""
    twelve = switch("growth_layout", "twelve")(game)
    assert result(twelve, "growth_lids") == ("fail", "computed 12, expected 11")
    assert result(twelve, "dispatch_total_exact") == ("pass", "60")
    assert "limit 3/4/5/6" in result(twelve, "growth_values")[1]


def test_square_rows_contradict_the_zones(game: Game) -> None:
    """E26 read the other way: four areas are farther from the Port than their zones say."""
    status, figures = result(switch("adjacency", "square_shift")(game), "map_zone_equals_distance")
    assert status == "fail"
    found = {part.split(" ")[0]: part[-1] for part in figures.split("; ")[1:]}
    assert found == {"p4": "2", "p5": "3", "p7": "3", "p9": "4"}


@pytest.mark.parametrize(
    ("file", "old", "new", "check", "figures"),
    [
        (
            "requests.yaml", "      - {id: FL6,",
            "      - {id: FL7, type: furniture, tier: lower, cost: [2, 0, 0], vp: 3, title: {ja: 箱, en: Box}}\n      - {id: FL6,",
            "requests_types",
            "furniture: 7 + 6, not 12 in equal parts; not foreseen: FL7 (data/xanadu/requests.yaml:{line})",
        ),
        ("map.yaml", "zone: 2, next: [p3, p6, p8]", "zone: 2, next: [p3, p6]", "map_edges", "is next to p5 (data/xanadu/map.yaml:{line}), but not the other way round"),
        ("boards.yaml", "types: [books, food],", "types: [books, food, furniture],", "icons_cover_types", "teahouse (data/xanadu/boards.yaml:{line})"),
    ],
    ids=["61st request", "one-way street", "an icon on five boards"],
)  # fmt: skip
def test_a_slip_in_a_file_is_named_with_its_line(
    tmp_path: Path, file: str, old: str, new: str, check: str, figures: str
) -> None:
    """A 61st request, a neighbour stated from one side, a type on five boards: the check says which, and where."""
    shutil.copytree(PROJECT / "data/xanadu", tmp_path / "data/xanadu")
    (tmp_path / "templates").mkdir()
    path = tmp_path / "data/xanadu" / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    line = text[: text.index(old)].count("\n") + 1
    status, shown = result(loaded(tmp_path), check)
    assert status == "fail"
    assert figures.format(line=line) in shown


def test_a_changed_effect_changes_the_text(game: Game) -> None:
    effects = (Effect("gain", {"grade": "fine", "n": 3}),)
    text = faces_of(every("skill", effects=effects, cost=2)(game))("skill/B4", "en")["card"]["text"]
    assert text == "Once per turn, for 2\u00a0{dispatch}: gain 3 fine resources at the Port."


def test_a_changed_number_changes_the_texts_that_state_it(game: Game) -> None:
    changed = after(rule("daily", to={"vp": 2, "cap": 5}), rule(restock=4))(game)
    face = faces_of(changed)("daily_card/blue", "en")
    assert "2 VP each, at most 5 VP" in face["card"]["text"]
    assert "2 VP per resource at the Port, at most 5 VP" in face["words"]["aid"]["actions"]["lines"]["fulfil"]
    assert face["words"]["aid"]["round_end"]["lines"]["restock"]["says"].startswith("Restock 4 normal resources")


def test_japanese_texts_close_their_brackets(game: Game) -> None:
    faces = faces_of(game)
    for design in game.designs():
        for text in texts_in(faces(design.id, "ja")["card"]):
            for left, right in ("【】", "「」", "（）"):
                assert text.count(left) == text.count(right), text
            assert not set("()+:") & set(text), text


def test_every_request_has_a_picture_of_its_own(game: Game) -> None:
    """No request shows its type's icon for want of a ware, no two show the same, and no ware is drawn for nobody."""
    wares = (PROJECT / "templates" / "xanadu" / "wares.svg").read_text(encoding="utf-8")
    drawn = re.findall(r'^"(\w+)": "(.*)"', wares, re.MULTILINE)
    assert sorted(name for name, _ in drawn) == sorted(
        design.id.split("/")[1] for design in game.kinds["request"].designs
    )
    assert len({picture for _, picture in drawn}) == len(drawn)


@pytest.mark.parametrize(
    ("layout", "lang"), quick(product(("eleven", "twelve"), ("ja", "en", "ja+en")), ("eleven", "ja"))
)
def test_company_boards_have_the_lids_of_each_growth_track(game: Game, layout: str, lang: str) -> None:
    """Whichever growth track is chosen (E19), every company board is drawn, with as many lids as its rows have."""
    readings = {
        name: replace(reading, value=layout) if reading.switch == "growth_layout" else reading
        for name, reading in game.readings.items()
    }
    workshop = Workshop(replace(game, readings=readings), find_project(PROJECT).resources)
    rows = game.sections["rules"]["growth"]["layouts"][layout]
    for design in game.kinds["company_board"].designs:
        board = workshop.draw_face(design, "front", lang)
        assert board is not None and not workshop.problems
        lids = {space.id: space.holds for space in find_printed_spaces(board) if space.piece == "dispatch"}
        assert lids == {f"lids-{row}": count for row, count in rows.items()}


def test_necks_reach_from_chin_to_collar() -> None:
    templates = Environment(loader=FileSystemLoader(PROJECT / "templates" / "xanadu"), autoescape=True)
    page = '<svg>{% import "scenes.svg" as scenes %}{{ scenes.guest(who, "clay", 0, 110, 60) }}</svg>'
    for who in ("porter", "farmer", "fishwife", "granny", "lady", "dancer", "monk"):
        shapes = ElementTree.fromstring(templates.from_string(page).render(who=who)).iter("path")  # noqa: S314 - our own
        items = [
            Shape(path=to_canonical_path(one.get("d", "")), fill=one.get("fill"), even_odd=True)
            for one in shapes
            if one.get("fill")
        ]
        face = Drawing(60, 110, 0, tuple(items))
        layers = FaceLayers(face, tuple(iter_visible_leaves(face)))
        assert {layers.paint_at(30.0, y / 2) for y in range(110, 140)} <= {"wood_pale", "wood_light"}, who


@dataclass(frozen=True)
class Copy:
    """A project that holds Xanadu alone."""

    root: Path

    @property
    def data(self) -> str:
        return find_project(self.root).find_folder("xanadu").relative_to(self.root).as_posix()

    def path(self, name: str) -> Path:
        return self.root / ("templates/xanadu" if name.endswith(".svg") else self.data) / name

    def plant(self, name: str, old: str, new: str) -> None:
        """Put a fault into the one place where `old` stands."""
        text = self.path(name).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        self.path(name).write_text(text.replace(old, new), encoding="utf-8")

    def line(self, name: str, text: str) -> str:
        """`data/xanadu/boards.yaml:12` of the one line that has this text in it."""
        lines = self.path(name).read_text(encoding="utf-8").splitlines()
        (number,) = [number for number, line in enumerate(lines, 1) if text in line]
        return f"{self.data}/{name}:{number}"


@pytest.fixture
def copied(room: Path, keeping: Path) -> Copy:
    """A copy of the files that tests may spoil, in the current folder; what is as it was is drawn once for all."""
    folder = find_project(PROJECT).find_folder("xanadu")
    shutil.copytree(folder, room / "data" / folder.name)
    for name in ("xanadu", "common"):
        shutil.copytree(PROJECT / "templates" / name, room / "templates" / name)
    return Copy(room)


def failures(pnp: Pnp) -> dict[str, str]:
    """The lines of the report that begin with what failed, by the id of the check; no game is played for them."""
    ran = pnp("validate", "xanadu", "--games", "0")
    failed = ran.out.partition("\nfail (")[2].partition("\n\n")[0].splitlines()[1:]
    assert ran.code == (1 if failed else 0)
    return {line.rpartition("[")[2].split(",")[0].rstrip("]"): line.strip() for line in failed}


@pytest.mark.slow  # draws all of a large game
@pytest.mark.usefixtures("copied")
def test_the_files_as_they_are_have_none_of_these_faults(pnp: Pnp) -> None:
    kinds = ("spaces.", "spaces-fit.", "count.", "map_", "icons_cover_types")
    assert [check for check in failures(pnp) if check.startswith(kinds)] == []


@pytest.mark.slow
def test_faults_are_named_together(copied: Copy, pnp: Pnp) -> None:
    """A warehouse 1 mm too small, a 61st request, a street that leads one way, an icon too many, a row of no spaces.

    A gauge without its last box, too: the group says four, the picture shows three. And a board whose gauge says three
    where the rules need five.
    """
    copied.plant(
        "area.svg",
        'width="15" height="15" rx="1" fill="{{ \'floor_\'',
        'width="14" height="15" rx="1" fill="{{ \'floor_\'',
    )
    copied.plant("requests.yaml", "{id: FL1, count: 1,", "{id: FL1, count: 2,")
    copied.plant("map.yaml", "next: [p1, p3]}", "next: [p3]}")
    copied.plant("boards.yaml", "types: [furniture, books],", "types: [furniture, books, food],")
    copied.plant("action.svg", 'data-space="worker" data-holds="{{ rules.rows[action] | length }}"', "")
    gauge = '<g id="gauge" data-space="share" data-holds="{{ card.gauge }}">\n{% for k in range(card.gauge) %}'
    copied.plant("area.svg", gauge, gauge.replace("range(card.gauge)", "range(card.gauge - 1)"))
    copied.plant(
        "area.svg", 'data-holds="{{ card.gauge }}"', "data-holds=\"{{ 3 if name == 'chime' else card.gauge }}\""
    )
    found = failures(pnp)

    assert found["spaces-fit.area_board"].startswith(
        f"{copied.line('boards.yaml', '{id: lantern,')}:9: area_board: pieces don't fit on"
    )
    assert (
        "area_board/lantern front ja (area.svg): the space 'warehouse-red' is for 6 resource of 15 x 15 mm, "
        "but has 0 places for them; 14 x 15 mm is too small"
    ) in found["spaces-fit.area_board"]
    assert found["count.request"].startswith(
        f"{copied.line('requests.yaml', 'stated: 60')}:13: request: not as many copies as the draft states"
    )
    assert found["map_edges"].startswith(copied.line("checks.yaml", "- id: map_edges"))
    assert f"({copied.line('map.yaml', 'next: [p3]}')})" in found["map_edges"]
    assert found["icons_cover_types"].startswith(copied.line("checks.yaml", "- id: icons_cover_types"))
    assert "food is on 5" in found["icons_cover_types"]
    assert found["spaces.action_board"].startswith(
        f"{copied.line('boards.yaml', '{id: action, count: 1}')}:9: action_board: the spaces of designs differ from those"
    )
    assert "action_board/action: there is no space 'row-fulfil' for 3 worker" in found["spaces.action_board"]
    assert (
        "area_board/lantern front ja (area.svg): the space 'gauge' is for 4 share of 15 x 15 mm, but has 3 places for them"
    ) in found["spaces-fit.area_board"]
    assert found["spaces.area_board"].startswith(f"{copied.line('boards.yaml', '{id: chime,')}:9")
    assert "area_board/chime: the space 'gauge' is for 3 share, but must be for 5 share" in found["spaces.area_board"]


def test_a_phrase_missing_in_one_language(copied: Copy, pnp: Pnp) -> None:
    english = "      en: \"{{ words.actions[action] }}: +{{ n }} action{{ 's' if n > 1 else '' }}\"\n"
    copied.plant("operations.yaml", english, "")
    ran = pnp("validate", "xanadu")
    line = int(copied.line("operations.yaml", "more_actions:").rpartition(":")[2]) + 5
    assert (ran.code, ran.out) == (1, "")
    assert ran.said[0].startswith(
        f"{copied.data}/operations.yaml:{line}:7: operations.more_actions.says has no text in 'en'"
    )
