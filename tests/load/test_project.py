"""The project is found upwards or by name; where there is none, the way to start is said."""

from pathlib import Path

import pytest
from tests_support import TinyProject

from generator.base.errors import ProblemsFound
from generator.game.project import find_bundled_root, find_project


def test_the_nearest_folder_upwards_is_the_project(tiny: TinyProject) -> None:
    below = tiny.root / "templates" / "tiny"
    assert find_project(below).root == tiny.root
    assert find_project(below).games == ("tiny",)


def test_no_project_says_how_to_start(tmp_path: Path) -> None:
    with pytest.raises(ProblemsFound) as found:
        find_project(tmp_path)
    assert str(found.value) == (
        "there is no project here; no data/ in this folder or a parent folder; create one with `pnp new "
        "my-game`, change to its folder, or name it with --project DIR"
    )


def test_a_named_folder_must_be_a_project(tmp_path: Path) -> None:
    with pytest.raises(ProblemsFound, match="there is no project in this folder: it has no data/"):
        find_project(tmp_path, tmp_path)


def test_unknown_games_are_named_with_the_nearest(tiny: TinyProject) -> None:
    project = find_project(tiny.root)
    assert project.choose_games(("tiny", "tiny")) == ("tiny",)
    with pytest.raises(ProblemsFound, match="unknown game 'tyni'; did you mean 'tiny'"):
        project.choose_games(("tyni",))


def test_a_project_without_games_says_so(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with pytest.raises(ProblemsFound, match=r"it contains no game; write data/<your game>/game\.yaml"):
        find_project(tmp_path).choose_games(())


def test_bundled_files_are_found_after_the_projects_own(tiny: TinyProject) -> None:
    resources = find_project(tiny.root).resources
    name = "SourceSans3_400Regular.ttf"
    assert resources.find("fonts", name) == find_bundled_root() / "fonts" / name
    own = tiny.write(f"fonts/{name}", b"mine")
    assert resources.find("fonts", name) == own


def test_files_outside_the_project_are_not_found(tiny: TinyProject, tmp_path: Path) -> None:
    """Neither `..` nor a link leads out of a root, and that is noticed."""
    (tmp_path / "secret.png").write_bytes(b"x")
    (tiny.root / "templates/link.png").symlink_to(tmp_path / "secret.png")
    resources = find_project(tiny.root).resources
    for name in ("../../secret.png", "link.png"):
        assert resources.find("templates", name) is None
        assert resources.leaves_root("templates", name)
    assert not resources.leaves_root("templates", "nothing.png")


def test_an_unfinished_game_is_left_alone_until_it_is_named(tiny: TinyProject) -> None:
    tiny.write("data/_next/game.yaml", "format: 1\n")
    project = find_project(tiny.root)
    assert project.games == ("tiny",)
    assert project.choose_games(()) == ("tiny",)
    assert project.choose_games(("next",)) == ("next",)
    assert project.find_folder("next") == tiny.root / "data/_next"
