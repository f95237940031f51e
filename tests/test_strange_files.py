"""Files, names and links of strangers are read within bounds, lead nowhere else, and take no special file's place."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Tab
from conftest import Pnp
from tests_support import TINY_GAME, TinyProject

from generator.base.errors import InvalidInput, ProblemsFound
from generator.base.files import is_file, is_folder, list_files, read_file, to_relative_path, write_in_folder
from generator.base.output_files import open_delivery
from generator.commands.new import make_project, new_project
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.live.site import collect_game_files

ART = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
HOSTILE = (
    "/etc/owned.svg", "../../owned.svg", "a/../../owned.svg", "a//b.svg", "./a.svg", "a/.", "", "..\\owned.svg",
    "C:/owned.svg", "C:owned.svg", "\\\\host\\share.svg", "a\nb.svg", "a\x1b[2J.svg", "a\u202egvs.exe", "a\ud800.svg",
    "nul", "a/CON.svg", "com1 .svg", "a./b.svg", ".. /b.svg", f"{'a' * 256}.svg",
)  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_names_that_could_lead_elsewhere_are_refused(name: str) -> None:
    """No absolute name, `..`, backslash, drive, control character, empty part or device passes, on any system."""
    with pytest.raises(InvalidInput):
        to_relative_path(name)


@pytest.mark.parametrize("name", ["a.svg", "img/Fuchs & Ähre.png", ".hidden", "絵　札/狐.png", "a..b", "console.svg"])
def test_plain_names_are_accepted(name: str) -> None:
    assert to_relative_path(name).as_posix() == name


def test_import_rejects_archive_members_that_lead_outside(
    tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "place").mkdir()
    owned = tmp_path / "owned.svg"
    outside = (owned.as_posix(), "../owned.svg", "../../../../owned.svg", "a/../../../../owned.svg", "..\\owned.svg")
    with zipfile.ZipFile(tmp_path / "place" / "x.zip", "w") as archive:
        archive.writestr("deck.csv", "name,cost\nFox,1\n")
        for name in (*outside, "fine.svg", "both.svg", "both.svg/inner.svg"):
            archive.writestr(name, ART)

    monkeypatch.chdir(tmp_path / "place")
    pnp("import", "x.zip", "game", code=0)

    made = tmp_path / "place" / "game"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["place"]
    assert sorted(path.name for path in (tmp_path / "place").iterdir()) == ["game", "x.zip"]
    drawn = {path.relative_to(made / "templates/game").as_posix() for path in (made / "templates/game").rglob("*.svg")}
    assert {"fine.svg", "both.svg/inner.svg"} <= drawn
    assert "owned.svg" not in {Path(name).name for name in drawn}
    listed = (made / "IMPORT.md").read_text(encoding="utf-8")
    assert all(name in listed for name in (*outside, "both.svg"))


def test_site_refuses_links_that_lead_outside(tmp_path: Path, tiny: TinyProject) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret", encoding="utf-8")
    hidden = tiny.root / ".git" / "config"
    write_in_folder(tiny.root, ".git/config", b"secret")
    drawn = tiny.root / "templates" / "tiny"
    (drawn / "within.txt").symlink_to(next(drawn.glob("*.svg")))
    project = find_project(tiny.root, tiny.root)
    game = load_game(tiny.root / "data" / "tiny", project.resources)

    assert "templates/tiny/within.txt" in dict(collect_game_files(project, [game]))

    (drawn / "out.txt").symlink_to(secret)
    (tiny.root / "data" / "tiny" / "up.txt").symlink_to("../../.git/config")
    (drawn / "device.txt").symlink_to(os.devnull)
    with pytest.raises(ProblemsFound) as found:
        dict(collect_game_files(project, [game]))

    assert hidden.exists()
    assert [Path(one.place.file).name for one in found.value.problems if one.place] == [
        "up.txt", "device.txt", "out.txt",
    ]  # fmt: skip


def test_files_are_written_below_their_folder_alone(tmp_path: Path) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    home.mkdir()
    other.mkdir()
    (home / "linked").symlink_to(other)
    (home / "file.txt").symlink_to(other / "file.txt")
    os.mkfifo(home / "pipe")
    (home / "back").symlink_to(home)

    for name in ("../x", "linked/x", "file.txt", "pipe", str(other / "x")):
        with pytest.raises(ProblemsFound):
            write_in_folder(home, name, b"-")
    write_in_folder(home, "back/a/b.txt", b"-")

    assert not any(other.iterdir())
    assert (home / "a/b.txt").read_bytes() == b"-"


def test_files_below_a_folder_are_its_own(tmp_path: Path) -> None:
    """Links out of it, dangling links, circles and pipes are left out; a link to a file within is listed."""
    home = tmp_path / "home"
    write_in_folder(home, "b/a.txt", b"-")
    write_in_folder(tmp_path, "out/secret.txt", b"-")
    (home / "out").symlink_to(tmp_path / "out")
    (home / "secret.txt").symlink_to(tmp_path / "out" / "secret.txt")
    (home / "none").symlink_to("nowhere")
    (home / "circle").symlink_to("circle")
    (home / "same.txt").symlink_to("b/a.txt")
    os.mkfifo(home / "pipe")
    assert [path.relative_to(home).as_posix() for path in list_files(home)] == ["b/a.txt", "same.txt"]


def refused(path: Path, contents: str = "data") -> str:
    """What is said of a file that is not read."""
    with pytest.raises(InvalidInput) as unfit:
        read_file(path, contents)  # type: ignore[arg-type]
    return f"{unfit.value}; {unfit.value.hint}"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such files")
def test_a_file_without_a_size_is_read_to_its_end() -> None:
    path = Path("/proc/self/limits")
    assert path.stat().st_size == 0
    assert read_file(path, "data") == path.read_bytes() != b""


@pytest.mark.parametrize("contents", ["data", "table", "markup", "picture", "font", "profile", "record", "saved game", "list", "module", "kept"])  # fmt: skip
def test_a_huge_file_is_refused_unread(tmp_path: Path, contents: str) -> None:
    with (tmp_path / "huge").open("wb") as stream:
        stream.truncate(3 * 1024**3)
    assert refused(tmp_path / "huge", contents).startswith("the file has 3,221,225,472 bytes, more than ")


@pytest.mark.skipif(os.name != "posix", reason="only there files are devices and pipes")
def test_what_is_no_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    no_plain_file = "the file can't be read: it is a device, pipe or socket; use a plain file instead"
    found = {name: refused(tmp_path / name) for name in (".", "pipe", "link", "none", "n" * 5000, "null\0", "\ud800")}

    assert found == {
        ".": "the file can't be read: it is a folder; name a file",
        "pipe": no_plain_file,
        "link": no_plain_file,
        "none": "the file can't be read: No such file or directory; check that it exists and that you may read it",
        "n" * 5000: "the file can't be read: File name too long; check that it exists and that you may read it",
        "null\0": "the file can't be read: the name is not a valid file name; rename it",
        "\ud800": "the file can't be read: the name is not a valid file name; rename it",
    }


@pytest.mark.parametrize("name", ["n" * 5000, "null\0", "\ud800"], ids=["long", "null", "half a character"])
def test_names_that_no_file_can_have_name_none(tmp_path: Path, name: str) -> None:
    assert not is_file(tmp_path / name)
    assert not is_folder(tmp_path / name)


@pytest.mark.skipif(os.name != "posix", reason="pipes are made")
@pytest.mark.parametrize(
    "name", ["data/tiny/more.yaml", "fonts/own.ttf", "templates/tiny/card.svg", "templates/tiny/icons/star.svg"]
)
def test_a_pipe_in_a_files_place(tiny: TinyProject, pnp: Pnp, name: str) -> None:
    tiny.write("data/tiny/game.yaml", TINY_GAME.replace("SourceSans3_400Regular.ttf", "own.ttf"))
    (tiny.root / "fonts").mkdir()
    source = Path(__file__).parent.parent / "fonts" / "SourceSans3_400Regular.ttf"
    shutil.copyfile(source, tiny.root / "fonts/own.ttf")
    (tiny.root / name).unlink(missing_ok=True)
    os.mkfifo(tiny.root / name)
    ran = pnp("sheets", code=1)
    assert "the file can't be read: it is a device, pipe or socket; use a plain file instead" in ran.err


@pytest.mark.skipif(os.name != "posix", reason="links are made")
def test_a_template_that_is_a_link_out(tiny: TinyProject, pnp: Pnp) -> None:
    (tiny.root / "templates/tiny/card.svg").unlink()
    (tiny.root / "templates/tiny/card.svg").symlink_to("/dev/zero")
    ran = pnp("sheets", code=1)
    place = "data/tiny/game.yaml:15:12"
    what = "the template 'card.svg' is a link that leads out of the folder; copy the file there"
    assert ran.said == [f"{place}: {what}"]


def test_pipes_sockets_and_devices_keep_their_places(tmp_path: Path) -> None:
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


@pytest.mark.slow
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
def test_written_pages_have_a_policy_and_work(room: Path, pnp: Pnp, browser: Callable[[], Tab]) -> None:
    """Each page forbids what it does not need; the browser finds nothing to complain of, and its script still runs."""
    root = Path(__file__).parents[1]
    for command in (
        ["--project", str(root), "rulebook", "fortuna", "--lang", "en"],
        ["--project", str(root), "read-aloud", "fortuna", "--lang", "en"],
        ["--project", str(root), "diff", "journey8", "journey18", "--format", "html", "--lang", "en"],
        ["new", "--from", "gallery"],
    ):
        pnp(*command, code=0)
    pages = sorted(room.rglob("*.html"))
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
