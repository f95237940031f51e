"""What is done for an editor while nobody types, in the test's own process and without pauses."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests_support import TinyProject

from generator.live import editor_server as upkeep_module
from generator.live.editor_project import OpenProject
from generator.live.editor_server import EditorProblem, ProjectUpdater
from generator.live.file_watch import ALL_CHANGED

Heard = Callable[[OpenProject, tuple[EditorProblem, ...]], bool]
Tellings = list[tuple[OpenProject, tuple[EditorProblem, ...]]]


@pytest.fixture(autouse=True)
def _no_traces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep_module.gc, "collect", lambda: 0)


def upkeep_until(enough: Heard) -> tuple[ProjectUpdater, Tellings]:
    """Return an upkeep that stops when it is enough, and all that it tells."""
    told: Tellings = []

    def hear(project: OpenProject, _game: str, said: tuple[EditorProblem, ...]) -> None:
        told.append((project, said))
        if enough(project, said):
            upkeep.stop()

    def fail(error: Exception) -> None:
        upkeep.stop()
        raise error

    upkeep = ProjectUpdater(hear, fail, quiet=0.0, rest=0.0)
    return upkeep, told


def checks(said: tuple[EditorProblem, ...]) -> list[str]:
    return [one.check for one in said if one.check]


def test_checks_and_books_are_told_after_a_rest(tiny: TinyProject) -> None:
    """What `pnp validate` would fail is told in its line, with the check's id; a book's mistake at its line."""
    tiny.change("data/tiny/game.yaml", "stated: 5", "stated: 6")
    tiny.write("templates/tiny/rulebook.en.md", "# Rules {#rules}\n\n{{ rules.nosuchnumber }}\n")
    upkeep, told = upkeep_until(lambda _, said: len(said) > 1)
    upkeep.note_change(OpenProject(tiny.root), "tiny", ALL_CHANGED)

    upkeep.run()

    (*before, (_, said)) = told
    assert not any(said for _, said in before)
    places = {str(one.problem.place): one for one in said}
    line = (tiny.root / "data/tiny/game.yaml").read_text("utf-8").splitlines().index("    stated: 6") + 1
    assert places[f"data/tiny/game.yaml:{line}:13"].check
    assert "nosuchnumber" in places["templates/tiny/rulebook.en.md:3"].problem.what


def test_a_change_of_another_project_does_not_drop_checks_that_are_under_way(
    tiny: TinyProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = TinyProject(tmp_path / "other")
    for each in (tiny, other):
        each.change("data/tiny/game.yaml", "stated: 5", "stated: 6")
    one, two = OpenProject(tiny.root), OpenProject(other.root)
    upkeep, told = upkeep_until(lambda project, said: project is two and bool(checks(said)))
    look, asked = upkeep_module.run_show_checks, []

    def look_meanwhile(*given: Any, **options: Any) -> Any:
        if not asked:
            upkeep.note_change(two, "tiny", ALL_CHANGED)
        asked.append(given[0])
        return look(*given, **options)

    monkeypatch.setattr(upkeep_module, "run_show_checks", look_meanwhile)
    upkeep.note_change(one, "tiny", ALL_CHANGED)

    upkeep.run()

    assert [project for project, said in told if checks(said)] == [one, two]
    assert asked == [one.project, one.project, two.project]
