"""What all tests share: golden files behind one flag, tools that may be missing, and a tiny project to break."""

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests_support import TinyProject

from generator import cli

GOLDEN = Path(__file__).parent / "golden"
ROOT = Path(__file__).parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """One flag rewrites every golden file."""
    parser.addoption("--update-golden", action="store_true", help="write golden files instead of comparing with them")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Hold a text against tests/golden/<name>; an absent file fails too, so that no comparison passes on nothing."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        assert text, f"nothing to compare with {name}"
        assert path.is_file(), f"{path} is missing: run pytest --update-golden and read what it wrote"
        assert text == path.read_text(encoding="utf-8")

    return compare


@pytest.fixture
def tool() -> Callable[[str], str]:
    """The path of a program; without it the test is skipped on a user's machine, and fails in CI."""

    def find(name: str) -> str:
        path = shutil.which(name)
        if path is None:
            if os.environ.get("CI"):
                pytest.fail(f"{name} is not installed; .ci/run should have installed it")
            pytest.skip(f"{name} is not installed")
        return path

    return find


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TinyProject:
    """A tiny project in an empty folder, which is the current one."""
    project = TinyProject(tmp_path / "project")
    monkeypatch.chdir(project.root)
    return project


@dataclass(frozen=True)
class Ran:
    """What a command left: exit code and what it said."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> list[str]:
        """The lines on standard error."""
        return self.err.splitlines()


@pytest.fixture
def pnp(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """The command `pnp`, run in this process as a shell would run it."""

    def command(*arguments: str) -> Ran:
        monkeypatch.setattr("sys.argv", ["pnp", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            cli.run()
        said = capsys.readouterr()
        return Ran(int(stopped.value.code or 0), said.out, said.err)

    return command
