"""What a face reads: after any change of any value of the data, faces of earlier runs are those of a clean run."""

from pathlib import Path
from typing import Any

import pytest
from reads_project import FILES, GAME, PATHS, Reads, changed
from tests_support import quick

from generator.base.cache import Store
from generator.base.display_list import Drawing
from generator.drawing.faces.draw_face import FaceKey
from generator.drawing.templates.game_templates import Templates


@pytest.fixture
def game(tmp_path: Path) -> Reads:
    return Reads(tmp_path / "project")


@pytest.mark.parametrize("path", quick(zip(PATHS), (("rules", "hand"),), (("words", "greeting", "en"),)), ids=lambda path: ".".join(map(str, path)))  # fmt: skip
def test_any_value_may_change(game: Reads, tmp_path: Path, path: tuple[Any, ...]) -> None:
    store = Store(tmp_path / "kept")
    game.faces(store)
    game.write("data/reads/game.yaml", changed(path))
    clean = game.faces(None)
    assert not clean[1]
    assert game.faces(store) == clean
    game.write("data/reads/game.yaml", GAME)
    assert game.faces(store) == game.faces(None)


def test_the_project_reads_in_many_ways(game: Reads) -> None:
    drawn, problems = game.faces(None)
    assert not problems
    assert all(drawn.values())
    unread = [path for path in PATHS if _faces_after(game, path) == drawn]
    assert {path[0] for path in unread} <= {"draft", "date", "players", "credit", "licence", "rules", "components"}
    assert ("rules", "unread") in unread and ("rules", "hand") not in unread


def _faces_after(game: Reads, path: tuple[Any, ...]) -> dict[FaceKey, Drawing | None]:
    game.write("data/reads/game.yaml", changed(path))
    return game.faces(None)[0]


@pytest.mark.parametrize("name", FILES)
def test_anything_else_may_change(game: Reads, tmp_path: Path, name: str) -> None:
    store = Store(tmp_path / "kept")
    before = game.faces(store)
    game.write(*FILES[name])
    clean = game.faces(None)
    assert not clean[1]
    assert clean != before
    assert game.faces(store) == clean


def test_a_new_outline_is_compared_with_the_texts(game: Reads, tmp_path: Path) -> None:
    store = Store(tmp_path / "kept")
    game.faces(store)
    outline = "M 10 10 L 30 10 L 30 30 L 10 30 Z"
    game.write("data/reads/game.yaml", GAME.replace("front: mark", f'front: mark\n    outline: "{outline}"'))
    clean = game.faces(None)
    assert any("outline" in problem for problem in clean[1])
    assert game.faces(store) == clean


def test_only_faces_that_read_it_are_rendered(game: Reads, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[str] = []
    really = Templates.render_face

    def render(self: Templates, name: str, *more: Any) -> Any:
        rendered.append(name)
        return really(self, name, *more)

    monkeypatch.setattr(Templates, "render_face", render)
    store = Store(tmp_path / "kept")
    game.faces(store)
    rendered.clear()
    game.write("data/reads/game.yaml", changed(("rules", "unread")))
    game.faces(store)
    assert rendered == []
    rendered.clear()
    game.write("data/reads/game.yaml", changed(("rules", "prices", 2)))
    game.faces(store)
    assert rendered.count("mark.svg") == 3 and "card.svg" not in rendered
