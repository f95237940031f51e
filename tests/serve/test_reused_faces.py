"""The live page reuses faces after an edit: they are those of a fresh start, and only what read the change is drawn."""

from pathlib import Path
from typing import Any

import pytest
from reads_project import CHANGES, GAME, PATHS, Reads, changed
from tests_support import quick

from generator.drawing.faces.draw_face import FaceKey
from generator.drawing.faces.game_drawing import Workshop
from generator.game.project import find_project
from generator.live.file_watch import ChangeScope
from generator.live.game_show import Show


def show_all(show: Show) -> dict[FaceKey, str]:
    """Return the version of the picture of each face, drawn where needed."""
    found = {}
    for key in show.iter_faces():
        picture = show.peek_picture(key)
        assert picture is not None and picture.workshop is show.workshop
        found[key] = picture.version
        assert picture.version == show.get_version(key)
    return found


def start(game: Reads) -> Show:
    show = Show(find_project(game.root), "reads")
    show.read()
    return show


def save(game: Reads, show: Show, file: str, text: str) -> None:
    """Write a file and read it as the watcher does."""
    game.write(file, text)
    data = file.startswith("data")
    show.read(ChangeScope(frozenset(["reads"]), data=data, templates=not data))


@pytest.fixture
def game(tmp_path: Path) -> Reads:
    return Reads(tmp_path / "project")


@pytest.mark.slow
@pytest.mark.parametrize("path", quick(zip(PATHS), (("rules", "hand"),), (("words", "greeting", "en"),)), ids=lambda path: ".".join(map(str, path)))  # fmt: skip
def test_any_value_may_change(game: Reads, path: tuple[Any, ...]) -> None:
    show = start(game)
    before = show_all(show)
    for text in (changed(path), GAME):
        save(game, show, "data/reads/game.yaml", text)
        assert show_all(show) == show_all(start(game))
    assert show_all(show) == before


@pytest.mark.parametrize("name", CHANGES)
def test_anything_else_may_change(game: Reads, name: str) -> None:
    show = start(game)
    before = show_all(show)
    save(game, show, *CHANGES[name])
    assert before != show_all(show) == show_all(start(game))


@pytest.mark.parametrize(
    ("old", "new"),
    [('red: "#c02020"', 'red: "#c02121"'), ("draft: 1", "draft: 2"), ("back: back", "back: back\n    corner: 4")],
    ids=["colour", "draft", "corner"],
)
def test_what_surrounds_a_face_may_change(game: Reads, old: str, new: str) -> None:
    show = start(game)
    before = show_all(show)
    assert GAME.count(old) == 1
    save(game, show, "data/reads/game.yaml", GAME.replace(old, new))
    assert before != show_all(show) == show_all(start(game))


def test_only_faces_that_read_it_are_drawn(game: Reads, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    really = Workshop.draw_printed

    def draw(self: Workshop, lang: str, design: Any, face: Any) -> Any:
        drawn.append(design.kind)
        return really(self, lang, design, face)

    monkeypatch.setattr(Workshop, "draw_printed", draw)
    show = start(game)
    show_all(show)
    for path, kinds in ((("rules", "unread"), []), (("rules", "prices", 2), ["mark", "mark"])):
        drawn.clear()
        save(game, show, "data/reads/game.yaml", changed(path))
        show_all(show)
        assert drawn == kinds
        save(game, show, "data/reads/game.yaml", GAME)
        show_all(show)
