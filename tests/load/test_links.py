"""Links out of a project are said and refused, as a stranger's project may bring them; the user may allow them."""

import os
from pathlib import Path

import pytest
from conftest import Pnp
from tests_support import TinyProject

pytestmark = pytest.mark.skipif(os.name != "posix", reason="making links takes a right of its own there")

MINE = "replace the link with the files; if it is your own: `pnp --allow-links ...`"
OUT = "remove the link, and name the folder with --out; if it is your own: `pnp --allow-links ...`"


def moved(project: TinyProject, name: str) -> Path:
    """Move a folder of a project, or a new one, out of it; a link leads there."""
    outside = project.root.parent / "outside" / name.replace("/", "-")
    outside.parent.mkdir(exist_ok=True)
    folder = project.root / name
    if folder.exists():
        folder.rename(outside)
    else:
        folder.parent.mkdir(parents=True, exist_ok=True)
        outside.mkdir()
    folder.symlink_to(outside)
    return outside


@pytest.mark.parametrize("name", ["data", "data/tiny", "templates", "templates/tiny", "templates/tiny/icons", "fonts"])
def test_a_link_that_is_read(tiny: TinyProject, pnp: Pnp, name: str) -> None:
    """Folders of data, templates and fonts are in the project, or it is refused; with leave they may be elsewhere."""
    outside = moved(tiny, name)
    for command in ("sheets", "list", "validate"):
        ran = pnp(command)
        assert (ran.code, ran.said) == (1, [f"{name}: this link leads out of the project, to {outside}; {MINE}"])
    assert not (tiny.root / "output").exists()
    assert pnp("--allow-links", "list").code == 0


@pytest.mark.parametrize("name", ["output", "output/tiny", "output/tiny/tts", "records", "records/tiny"])
def test_a_link_that_is_written_through(tiny: TinyProject, pnp: Pnp, name: str) -> None:
    outside = moved(tiny, name)
    for command in (("sheets",), ("record", "one"), ("export", "tts")):
        ran = pnp(*command)
        assert (ran.code, ran.said) == (1, [f"{name}: this link leads out of the project, to {outside}; {OUT}"])
    assert list(outside.iterdir()) == []


def test_what_the_user_allows(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = moved(tiny, "output")
    assert pnp("--allow-links", "sheets").code == 0
    assert (outside / "tiny/sheets.en.pdf").is_file()
    (outside / "tiny/sheets.en.pdf").unlink()
    monkeypatch.setenv("PNP_ALLOW_LINKS", "1")
    assert pnp("sheets").code == 0
    assert (outside / "tiny/sheets.en.pdf").is_file()


def test_links_within_the_project(tiny: TinyProject, pnp: Pnp) -> None:
    (tiny.root / "printed/tiny").mkdir(parents=True)
    (tiny.root / "output").symlink_to("printed")
    (tiny.root.parent / "another-name").symlink_to(tiny.root)
    tiny.write("data/other/game.yaml", (tiny.root / "data/tiny/game.yaml").read_text())
    (tiny.root / "templates/other").symlink_to("tiny")
    assert pnp("--project", str(tiny.root.parent / "another-name"), "sheets").code == 0
    assert (tiny.root / "printed/other/sheets.en.pdf").is_file()


def test_a_record_that_is_elsewhere(tiny: TinyProject, pnp: Pnp, tmp_path: Path) -> None:
    assert pnp("record", "one").code == 0
    (tiny.root / "records/tiny/one.json").rename(tmp_path / "one.json")
    (tiny.root / "records/tiny/one.json").symlink_to(tmp_path / "one.json")
    assert pnp("changed").said[0].startswith("records/tiny/one.json: this link leads out of the project, to ")


def test_another_project_to_compare_with(tiny: TinyProject, pnp: Pnp) -> None:
    other = TinyProject(tiny.root.parent / "other")
    moved(other, "templates")
    ran = pnp("diff", str(other.root))
    assert (ran.code, "this link leads out of the project" in ran.err) == (1, True)
    assert pnp("--allow-links", "diff", str(other.root)).code == 0


def test_a_loop_of_links_ends(tiny: TinyProject, pnp: Pnp) -> None:
    (tiny.root / "output").symlink_to("output")
    (tiny.root / "templates/round").symlink_to("..")
    assert pnp("list").code == 0
