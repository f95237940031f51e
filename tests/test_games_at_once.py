"""Several games at a time: the number of processes changes nothing but the time."""

from pathlib import Path
from typing import Any

import kept_project as kp
import pytest

from generator.base.cache import Store
from generator.base.errors import ProblemsFound
from generator.commands import build as command
from generator.commands.orders import Job, carry_out
from generator.game.project import find_project

GAMES = ("small", "other", "third")


@pytest.fixture
def games(tmp_path: Path) -> kp.KeptProject:
    """A project of three games, in an order that is not that of their names' letters in the folder."""
    project = kp.KeptProject(tmp_path / "project")
    for name in GAMES[1:]:
        for file in [*kp.FILES, kp.PICTURE]:
            data = (project.root / file).read_bytes()
            if "/small/" in file:
                project.write(file.replace("/small/", f"/{name}/"), data.replace(b"Small", name.title().encode()))
    return project


def built(project: kp.KeptProject, out: Path, processes: int, store: Store | None = None) -> list[tuple[str, bytes]]:
    order = command.BuildOrder((), out)
    made = carry_out(find_project(project.root), GAMES, order, lambda _doing: None, store, processes)
    return [(path.relative_to(out).as_posix(), path.read_bytes()) for path in made.files]


@pytest.mark.slow
def test_the_number_of_processes_changes_nothing(games: kp.KeptProject, tmp_path: Path) -> None:
    """One process or three, with and without what earlier runs made: the same files, in the order of the games."""
    alone = built(games, tmp_path / "out", 1)
    store = Store(tmp_path / "kept")
    assert [name.split("/")[0] for name, _ in alone] == [name for name in GAMES for _ in range(6)]
    assert built(games, tmp_path / "out", 3) == alone
    assert built(games, tmp_path / "out", 3, store) == alone
    assert built(games, tmp_path / "out", 3, store) == alone


@pytest.mark.parametrize("processes", [1, 3])
def test_problems_of_all_games_come_together(games: kp.KeptProject, tmp_path: Path, processes: int) -> None:
    """What is wrong with each game is said in the order of the games; the files stay as they were, nothing lies about."""
    built(games, tmp_path / "out", 1)
    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    for name in ("third", "small"):
        games.change(kp.GAME.replace("small", name), "Nothing.", "Nothing {sun}.")
    with pytest.raises(ProblemsFound) as found:
        built(games, tmp_path / "out", processes)
    places = [str(problem.place) for problem in found.value.problems]
    assert ["small" in places[0], "third" in places[1], len(places)] == [True, True, 2]
    assert {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()} == before


def test_a_bug_leaves_nothing_behind(games: kp.KeptProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even where the program itself fails on one game, no half of a file of another stays."""
    true = command.write_check_lists

    def failing(job: Job, *rest: Any) -> None:
        true(job, *rest)
        if job.workshop.game.id == "other":
            raise RuntimeError("a bug")

    monkeypatch.setattr(command, "write_check_lists", failing)
    with pytest.raises(RuntimeError, match="a bug"):
        built(games, tmp_path / "out", 1)
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == []
