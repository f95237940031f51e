"""Names and links that others made lead nowhere else: not in archives, not in projects, not when files are written."""

import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Ran
from tests_support import TinyProject

from generator.base.errors import InvalidInput, ProblemsFound
from generator.base.files import list_files, to_relative_path, write_in_folder
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.live.site import collect_game_files

Pnp = Callable[..., Ran]

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
    ran = pnp("import", "x.zip", "game")

    assert ran.code == 0, ran.err
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
    """Neither a name nor a link nor a device takes what is written elsewhere."""
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
