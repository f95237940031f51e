"""Programs are found where they are installed, never in the folder that the user happens to be in."""

import os
from pathlib import Path

import pytest

from generator.base import processes


def _installed(folder: Path, name: str) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_a_program_is_found_by_its_whole_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first name that is installed counts, in the first folder of PATH that has it."""
    wanted = _installed(tmp_path / "two", "gs")
    _installed(tmp_path / "three", "gs")
    (tmp_path / "one" / "gs").mkdir(parents=True)
    entries = (tmp_path / "one", tmp_path / "two", tmp_path / "three")
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, entries)))
    assert processes.find_program("gswin64c", "gs") == str(wanted)
    assert processes.find_program("gswin64c") is None


@pytest.mark.parametrize("path", ["", ".", os.pathsep, "bin", f".{os.pathsep}bin{os.pathsep}"])
def test_the_current_folder_is_never_asked(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project from elsewhere may hold a program called git: an empty or relative entry of PATH doesn't lead to it."""
    _installed(tmp_path, "git")
    _installed(tmp_path / "bin", "git")
    monkeypatch.chdir(tmp_path)
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
    """A text that happens to be called so is passed over, and so is an entry of PATH that is no folder."""
    (tmp_path / "git").write_text("", encoding="utf-8")
    monkeypatch.setenv("PATH", os.pathsep.join((str(tmp_path), "/" + "x" * 5000)))
    assert processes.find_program("git") is None
