"""Faces and templates of earlier runs: used when nothing that they rest on has changed, and never when something has."""

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kept_project as kp
import pytest
from tests_support import TinyProject

from generator.base import cache
from generator.base.cache import RecentValues, Store, hash_value
from generator.base.display_list import Drawing
from generator.drawing.faces.draw_face import Artist
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.templates.game_templates import Templates
from generator.drawing.templates.sandbox import Sandbox
from generator.game import game_cache
from generator.game.load_game import load_game
from generator.game.project import find_project


@pytest.fixture
def game(tmp_path: Path) -> kp.KeptProject:
    return kp.KeptProject(tmp_path / "project")


@pytest.fixture
def kept_here(tmp_path: Path) -> Store:
    return Store(tmp_path / "kept")


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How many faces were rendered from their templates, and how many drawn from their markup."""
    done = {"rendered": 0, "drawn": 0}

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            done[name] += 1
            return function(*args, **options)

        return call

    monkeypatch.setattr(Templates, "render_face", counted("rendered", Templates.render_face))
    monkeypatch.setattr(Artist, "_set_markup", counted("drawn", Artist._set_markup))
    return done


Edit = Callable[[kp.KeptProject], None]


def edit(file: str, old: str, new: str) -> Edit:
    return lambda game: game.change(file, old, new)


EDITS: dict[str, Edit] = {
    "text": edit(kp.GAME, "Nothing.", "Something."),
    "number": edit(kp.GAME, "hand: 3", "hand: 4"),
    "named component": edit(kp.GAME, "name: Two", "name: Deux"),
    "size": edit(kp.GAME, "[40, 60]", "[41, 60]"),
    "height": edit(kp.GAME, "[40, 60]", "[40, 62]"),
    "bleed": edit(kp.GAME, "    front: card", "    bleed: 2\n    front: card"),
    "icon's colour": edit(kp.GAME, "Moon, colour: blue", "Moon, colour: red"),
    "icon's art": edit(kp.GAME, "art: star}", "art: sun}"),
    "family": edit(kp.GAME, "[Body.ttf]", "[SourceSans3_700Bold.ttf]"),
    "template": edit(kp.CARD, 'font-size="12pt"', 'font-size="11pt"'),
    "included": edit(kp.FRAME, "#f0e8d8", "#f0e8d9"),
    "icon": edit(kp.STAR, "M50 5", "M50 6"),
    "art": edit(kp.COMMON_FLAG, 'height="5"', 'height="6"'),
    "art of its own": lambda game: game.write(kp.FLAG, kp.FILES[kp.COMMON_FLAG].replace("red", "blue")),
    "picture": lambda game: game.write(kp.PICTURE, kp.dot(90)),
    "font": lambda game: game.write(kp.FONT, kp.font("SourceSans3_700Bold.ttf")),
}


def prepared(game: kp.KeptProject) -> None:
    game.write("templates/small/icons/sun.svg", kp.FILES[kp.STAR].replace("M50 5", "M50 15"))


def test_what_did_not_change_is_not_drawn_again(game: kp.KeptProject, kept_here: Store, work: dict[str, int]) -> None:
    """A second run of an unchanged game renders no template and draws no face; the faces are equal."""
    first = dict(game.faces(kept_here))
    assert work == {"rendered": 4, "drawn": 4}, "three fronts, and a back for them all"
    assert dict(game.faces(kept_here)) == first
    assert work == {"rendered": 4, "drawn": 4}


@pytest.mark.parametrize(
    ("change", "rendered", "drawn"),
    [
        (edit(kp.GAME, "Nothing.", "Something."), 1, 1),
        (edit(kp.GAME, "hand: 3", "hand: 4"), 1, 1),
        (edit(kp.GAME, "name: Two", "name: Deux"), 2, 2),
        (edit(kp.GAME, "title: Small", "# a remark\ntitle: Small"), 0, 0),
        (edit(kp.GAME, "#2040a0", "#2040a1"), 0, 0),
        (edit(kp.CARD, 'font-size="12pt"', 'font-size="11pt"'), 3, 3),
    ],
    ids=["card", "number", "name that another card shows", "comment", "colour's value", "template"],
)
def test_only_what_changed_is_made_again(
    game: kp.KeptProject, kept_here: Store, work: dict[str, int], change: Edit, rendered: int, drawn: int
) -> None:
    """A template is run again only for the faces that read what has changed."""
    game.faces(kept_here)
    change(game)
    before = dict(work)
    game.faces(kept_here)
    assert work == {"rendered": before["rendered"] + rendered, "drawn": before["drawn"] + drawn}


@pytest.mark.parametrize("name", EDITS)
def test_every_change_is_seen(game: kp.KeptProject, kept_here: Store, name: str) -> None:
    """After a change of anything that faces rest on they are those of a run without a store, in this run and later."""
    prepared(game)
    before = dict(game.faces(kept_here))
    EDITS[name](game)
    clean = dict(game.faces(None))
    assert clean != before, "the edit must show"
    assert dict(game.faces(kept_here)) == clean
    assert dict(game.faces(kept_here)) == clean


def test_another_program_draws_anew(
    game: kp.KeptProject, kept_here: Store, work: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    game.faces(kept_here)
    monkeypatch.setattr(game_cache, "hash_program", lambda: "another")
    before = work["drawn"]
    game.faces(kept_here)
    assert work["drawn"] - before == 4


def test_another_project_has_faces_of_its_own(
    game: kp.KeptProject, kept_here: Store, work: dict[str, int], tmp_path: Path
) -> None:
    copy = kp.KeptProject(tmp_path / "copy")
    copy.change(kp.STAR, "M50 5", "M50 6")
    for project in (game, copy):
        project.faces(kept_here)
    assert work["drawn"] == 8
    for project in (game, copy):
        assert dict(project.faces(kept_here)) == dict(project.faces(None))
    assert work["drawn"] == 8 + 8, "only those without a store"


def test_problems_are_told_each_time(game: kp.KeptProject, kept_here: Store) -> None:
    game.change(kp.GAME, "Nothing.", "Nothing {sun}.")
    said = []
    for _ in range(2):
        shop = game.workshop(kept_here)
        shop.draw_all(shop.game.designs(), shop.game.languages)
        shop.save_faces()
        said.append([str(problem) for problem in shop.problems])
    assert said[0] == said[1]
    assert len(said[0]) == 1 and "unknown icon 'sun'" in said[0][0]


def test_a_broken_font_is_told_each_time(game: kp.KeptProject, kept_here: Store) -> None:
    game.faces(kept_here)
    game.write(kp.FONT, b"no font")
    for _ in range(2):
        shop = game.workshop(kept_here)
        shop.draw_all(shop.game.designs(), shop.game.languages)
        shop.save_faces()
        assert any("is not a TrueType" in str(problem) for problem in shop.problems)


def test_a_font_that_was_missing_is_found(game: kp.KeptProject, kept_here: Store) -> None:
    game.change(kp.GAME, "[Body.ttf]", "[Heavy.ttf, Body.ttf]")
    before = dict(game.faces(kept_here))
    game.write("fonts/Heavy.ttf", kp.font("SourceSans3_700Bold.ttf"))
    clean = dict(game.faces(None))
    assert clean != before
    assert dict(game.faces(kept_here)) == clean


def test_a_file_that_changes_meanwhile_spoils_nothing(game: kp.KeptProject, kept_here: Store) -> None:
    shop = game.workshop(kept_here)
    assert shop.kept is not None
    shop.kept.reads.note_file("art", "art/flag.svg", "another state")
    shop.draw_all(shop.game.designs(), shop.game.languages)
    shop.save_faces()
    assert list(kept_here.folder.iterdir()) == []


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[: data.find(b"One")] + b"Two" + data[data.find(b"One") + 3 :],
        lambda data: b"somebody else's" + data,
        lambda data: pickle.dumps({"not": "ours"}),
    ],
    ids=["empty", "cut off", "another text", "foreign", "bare"],
)
def test_a_damaged_file_is_replaced(
    game: kp.KeptProject, kept_here: Store, work: dict[str, int], damage: Callable[[bytes], bytes]
) -> None:
    first = dict(game.faces(kept_here))
    for path in kept_here.folder.iterdir():
        path.write_bytes(damage(path.read_bytes()))
    before = work["drawn"]
    assert dict(game.faces(kept_here)) == first
    assert work["drawn"] - before == 4
    game.faces(kept_here)
    assert work["drawn"] - before == 4


@pytest.mark.skipif(os.name != "posix", reason="Windows' user folders are the user's by themselves")
def test_a_folder_open_to_others_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    there = Store(tmp_path / "open")
    there.put("a", 1)
    assert there.get("a") is None
    assert list((tmp_path / "open").iterdir()) == []


def test_a_folder_that_cannot_be_made_is_no_problem(tmp_path: Path, game: kp.KeptProject) -> None:
    (tmp_path / "file").write_text("a file stands there")
    assert dict(game.faces(Store(tmp_path / "file"))) == dict(game.faces(None))


def test_the_oldest_go_first(tmp_path: Path) -> None:
    there = Store(tmp_path / "kept", room=4_500)
    for at, name in enumerate("abcde"):
        there.put(name, b"x" * 1_000)
        os.utime(there.folder / name, (1_000 + at, 1_000 + at))
    assert there.get("a") == b"x" * 1_000
    there.remove_oldest()
    assert sorted(path.name for path in there.folder.iterdir()) == ["a", "c", "d", "e"]
    there.put("f", b"x" * 2_000)
    assert there.get("f") is None, "one value must not drive out all others"


def test_fingerprints_tell_content_alone() -> None:
    part = ("a", 1.5, frozenset({1}))
    assert hash_value((part, part)) == hash_value((part, ("a", 1.5, frozenset({1}))))
    assert len({hash_value(value) for value in (1, 1.0, True, "1", b"1", (1,), [1], None, -0.0, 0.0)}) == 10


def test_every_library_is_in_the_fingerprint_of_the_program() -> None:
    project = (kp.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    needed = project.split("\ndependencies = [")[1].split("\n]")[0]
    names = [line.split('"')[1] for line in needed.splitlines() if line.strip().startswith('"')]
    plain = {name.split(">")[0].split("[")[0] for name in names}
    assert plain and plain <= set(cache.LIBRARIES)


def drawn(tiny: TinyProject) -> tuple[list[Drawing | None], list[str]]:
    """The fronts of the tiny game, opened anew, and what is wrong with them."""
    project = find_project(tiny.root)
    shop = Workshop(load_game(project.find_folder("tiny"), project.resources), project.resources)
    return [shop.draw_face(design, "front", "en") for design in shop.game.designs()], [
        str(one) for one in shop.problems
    ]


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The files that are compiled from now on."""
    files: list[str | None] = []
    really = Sandbox._generate

    def generate(
        self: Sandbox, source: object, name: str | None, filename: str | None, defer_init: bool = False
    ) -> str:
        files.append(filename)
        return really(self, source, name, filename, defer_init)  # type: ignore[arg-type]

    monkeypatch.setattr(Sandbox, "_generate", generate)
    return files


def test_a_game_that_is_opened_again_compiles_nothing(tiny: TinyProject, compiled: list[str | None]) -> None:
    tiny.change("templates/tiny/card.svg", "<rect", "<!-- of this test alone --><rect")
    first = drawn(tiny)
    assert compiled.count("templates/tiny/card.svg") == 1
    compiled.clear()
    assert drawn(tiny) == first
    assert compiled == []
    tiny.change("templates/tiny/card.svg", "#f0e8d8", "#d8e8f0")
    assert drawn(tiny) != first
    assert compiled == ["templates/tiny/card.svg"]


def test_an_expression_of_the_data_is_compiled_once(tiny: TinyProject, compiled: list[str | None]) -> None:
    project = find_project(tiny.root)
    for _ in range(2):
        shop = Workshop(load_game(project.find_folder("tiny"), project.resources), project.resources)
        compute = shop.artist.compute_value
        assert (compute("[2, 3] | sum + 1000009", {}), compute("[2, 4] | sum + 1000009", {})) == (1000014, 1000015)
    assert len(compiled) == 2


def test_a_problem_keeps_its_place(tiny: TinyProject) -> None:
    """Both times a wrong value is told at its line and column, also where another file has been compiled before it."""
    tiny.change("templates/tiny/card.svg", 'height="66"', 'height="tall"')
    (first, *_) = told = drawn(tiny)[1]
    assert first.startswith("templates/tiny/card.svg:2:")
    assert drawn(tiny)[1] == told
    tiny.write(
        "templates/tiny/before.svg",
        '<svg xmlns="http://www.w3.org/2000/svg"><rect width="{{ 20 }}" height="20"/></svg>',
    )
    before = "  before: {name: Before, size: [20, 20], front: before, designs: [{id: a}]}\n"
    tiny.change("data/tiny/game.yaml", "components:\n", f"components:\n{before}")
    assert drawn(tiny)[1] == told


def test_keeps_at_least_the_latest() -> None:
    memory: RecentValues[int, str] = RecentValues(3)
    for number in range(4):
        memory.put(number, str(number))
    assert [memory.get(number) for number in (1, 2, 3)] == ["1", "2", "3"]
    for number in range(10, 16):
        memory.put(number, str(number))
    assert memory.get(1) is None
    assert memory.get(15) == "15"


def test_what_is_asked_for_stays() -> None:
    memory: RecentValues[str, int] = RecentValues(3)
    memory.put("often", 1)
    for number in range(50):
        memory.put(str(number), number)
        assert memory.get("often") == 1
