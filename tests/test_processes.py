"""Processes and programs that help: several change nothing but the time, end with the one that they help, and are found."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import kept_project as kp
import pytest

from generator.base import processes
from generator.base.cache import Store
from generator.base.errors import ProblemsFound
from generator.books.rulebook import book_files
from generator.commands import build as command
from generator.commands.orders import Job, carry_out
from generator.game.project import find_project

HELPED = """
import os, sys, time
from pathlib import Path
from generator.base.processes import start_helpers

def begin(folder):
    (Path(folder) / str(os.getpid())).touch()

def work(_n):
    time.sleep(0.05)

if __name__ == "__main__":
    with start_helpers(2, begin, sys.argv[1]) as pool:
        list(pool.map(work, range(4)))
        print("ready", flush=True)
        time.sleep(600)
"""


def alive(process: int) -> bool:
    """Whether there is such a process that still does something."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no list of processes")
def test_helpers_end_with_a_process_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "helped.py"
    script.write_text(HELPED)
    (tmp_path / "there").mkdir()
    with subprocess.Popen([sys.executable, script, str(tmp_path / "there")], stdout=subprocess.PIPE) as helped:
        assert helped.stdout is not None
        assert helped.stdout.readline() == b"ready\n"
        helpers = [int(path.name) for path in (tmp_path / "there").iterdir()]
        assert helpers
        assert all(map(alive, helpers))
        os.kill(helped.pid, signal.SIGKILL)
        patience = time.monotonic() + 60
        while any(map(alive, helpers)) and time.monotonic() < patience:
            time.sleep(0.05)

    assert not [helper for helper in helpers if alive(helper)]


def test_helping_processes_import_nothing_from_the_current_folder(tmp_path: Path) -> None:
    for module in ("multiprocessing", "pickle"):
        (tmp_path / f"{module}.py").write_text("open('ran', 'w').close()\n", encoding="utf-8")
    script = tmp_path / "bin" / "script.py"
    script.parent.mkdir()
    script.write_text(
        "import multiprocessing\nfrom generator.base.processes import start_helpers\n"
        "if __name__ == '__main__':\n    multiprocessing.set_start_method('spawn')\n"
        "    with start_helpers(1, print) as pool:\n        print(pool.submit(abs, -3).result())\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert not (tmp_path / "ran").exists()
    assert done.stdout.split() == ["3"], done.stderr


def _installed(folder: Path, name: str) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_a_program_is_found_by_its_whole_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = _installed(tmp_path / "two", "gs")
    _installed(tmp_path / "three", "gs")
    (tmp_path / "one" / "gs").mkdir(parents=True)
    entries = (tmp_path / "one", tmp_path / "two", tmp_path / "three")
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, entries)))
    assert processes.find_program("gswin64c", "gs") == str(wanted)
    assert processes.find_program("gswin64c") is None


@pytest.mark.parametrize("path", ["", ".", os.pathsep, "bin", f".{os.pathsep}bin{os.pathsep}"])
def test_the_current_folder_is_never_asked(path: str, room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project from elsewhere may hold a program called git: an empty or relative entry of PATH doesn't lead to it."""
    _installed(room, "git")
    _installed(room / "bin", "git")
    monkeypatch.setenv("PATH", path)
    assert processes.find_program("git") is None


def test_windows_names_end_in_exe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = _installed(tmp_path, "git.exe")
    _installed(tmp_path, "gs.bat")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(processes, "_ENDING", ".exe")
    assert processes.find_program("git", "gs") == str(wanted)
    assert processes.find_program("gs") is None


def test_a_file_that_does_not_run_is_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "git").write_text("", encoding="utf-8")
    monkeypatch.setenv("PATH", os.pathsep.join((str(tmp_path), "/" + "x" * 5000)))
    assert processes.find_program("git") is None


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


def built(
    project: kp.KeptProject, out: Path, processes: int, store: Store | None = None, games: tuple[str, ...] = GAMES
) -> list[tuple[str, bytes]]:
    order = command.BuildOrder((), out)
    found = find_project(project.root)._replace(store=store)
    made = carry_out(found, games, order, lambda _doing: None, processes)
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


@pytest.mark.slow
@pytest.mark.skipif(multiprocessing.get_start_method() != "fork", reason="processes can't be copied here")
@pytest.mark.parametrize("fails", [False, True])
def test_a_copy_of_the_process_makes_the_books(
    games: kp.KeptProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    """Of one game, a copy of the process makes the books. If the copy fails, the process itself makes the same ones."""
    alone = built(games, tmp_path / "out", 1, games=("small",))
    true = book_files.read_book

    def read_book(*order: Any) -> Any:
        if (multiprocessing.parent_process() is None) != fails:
            raise RuntimeError("a bug")
        return true(*order)

    monkeypatch.setattr(book_files, "read_book", read_book)
    assert built(games, tmp_path / "out", 2, Store(tmp_path / "kept"), ("small",)) == alone


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 3])
def test_problems_of_all_games_come_together(games: kp.KeptProject, tmp_path: Path, processes: int) -> None:
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
    true = command.write_check_lists

    def failing(job: Job, **rest: Any) -> None:
        true(job, **rest)
        if job.workshop.game.id == "other":
            raise RuntimeError("a bug")

    monkeypatch.setattr(command, "write_check_lists", failing)
    with pytest.raises(RuntimeError, match="a bug"):
        built(games, tmp_path / "out", 1)
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == []
