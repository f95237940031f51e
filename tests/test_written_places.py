"""What is written takes no special file's place, leaves nothing behind when killed, and says what stands in the way."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Tab
from conftest import Ran

from generator.base.errors import ProblemsFound
from generator.base.files import write_in_folder
from generator.base.output_files import open_delivery
from generator.commands.new import make_project, new_project

Pnp = Callable[..., Ran]


def test_pipes_sockets_and_devices_keep_their_places(tmp_path: Path) -> None:
    """A file is refused where one of them has its name, also when it comes while the file is written."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "device").symlink_to(os.devnull)
    bound = socket.socket(socket.AF_UNIX)
    bound.bind(str(tmp_path / "socket"))
    for name in ("pipe", "device", "socket"):
        with open_delivery() as files, pytest.raises(ProblemsFound, match="a pipe, a socket or a device has this name"):
            files.put(tmp_path / name, b"-")
    with open_delivery() as files:
        files.put(tmp_path / "late", b"-")
        os.mkfifo(tmp_path / "late")
        with pytest.raises(ProblemsFound, match="a pipe, a socket or a device has this name"):
            files.hand_over()
    bound.close()

    assert all((tmp_path / name).is_fifo() for name in ("pipe", "late"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["device", "late", "pipe", "socket"]


def test_a_killed_beginning_is_tidied_by_the_next(tmp_path: Path) -> None:
    """Whatever a killed `pnp new` or `pnp import` has left goes when the next one begins there."""
    code = (
        "import os, signal\nfrom pathlib import Path\nfrom generator.commands.new import make_project\n"
        "def write(made, game):\n    made.mkdir()\n    os.kill(os.getpid(), signal.SIGKILL)\n"
        "make_project(Path.cwd(), 'one', write)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 1, "it has left something"
    new_project(tmp_path, "two", "blank")
    assert [path.name for path in tmp_path.iterdir()] == ["two"]


@pytest.mark.parametrize("name", ["one", "."])
def test_two_beginnings_at_once(tmp_path: Path, name: str) -> None:
    """The second is told that the project is there, not that it may not write; the first one's files stay."""
    home = tmp_path / "one"
    if name == ".":
        home.mkdir()

    def write(made: Path, _game: str) -> None:
        write_in_folder(home, "README.md", b"first")
        write_in_folder(made, "README.md", b"second")

    with pytest.raises(ProblemsFound, match="exists already"):
        make_project(home if name == "." else tmp_path, name, write)

    assert (home / "README.md").read_bytes() == b"first"
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


@pytest.mark.slow
def test_written_pages_have_a_policy_and_work(
    tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch, browser: Callable[[], Tab]
) -> None:
    """Each page forbids what it does not need; the browser finds nothing to complain of, and its script still runs."""
    root = Path(__file__).parents[1]
    monkeypatch.chdir(tmp_path)
    for command in (
        ["--project", str(root), "rulebook", "fortuna", "--lang", "en"],
        ["--project", str(root), "read-aloud", "fortuna", "--lang", "en"],
        ["--project", str(root), "diff", "journey8", "journey18", "--format", "html", "--lang", "en"],
        ["new", "--from", "gallery"],
    ):
        ran = pnp(*command)
        assert ran.code == 0, ran.err
    pages = sorted(tmp_path.rglob("*.html"))
    assert len(pages) >= 4
    for page in pages:
        assert b"default-src 'none'" in page.read_bytes(), page
        tab = browser()
        tab.call("Page.navigate", url=page.as_uri())
        tab.wait("location.protocol === 'file:' && document.readyState === 'complete'")
        assert tab.complaints == [], page
        if b"<script>" in page.read_bytes():
            assert tab.run("document.querySelector('input[type=search]') !== null"), page
        assert tab.run("fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'blocked')") == "blocked"
        assert any("Content Security Policy" in said for said in tab.complaints), page
