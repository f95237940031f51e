"""Files of strangers are read whole and within bounds, or refused at once: no device, pipe or endless file is read."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Ran
from tests_support import TINY_GAME, TinyProject

from generator.base.errors import InvalidInput
from generator.base.files import is_file, is_folder, read_file


def refused(path: Path, contents: str = "data") -> str:
    """What is said of a file that is not read."""
    with pytest.raises(InvalidInput) as unfit:
        read_file(path, contents)  # type: ignore[arg-type]
    return f"{unfit.value}; {unfit.value.hint}"


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
@pytest.mark.parametrize("name", ["fonts/own.ttf", "templates/tiny/card.svg", "templates/tiny/icons/star.svg"])
def test_a_pipe_in_a_files_place(tiny: TinyProject, pnp: Callable[..., Ran], name: str) -> None:
    """It is called what it is, wherever a file was looked for by its name; nobody waits for it."""
    tiny.write("data/tiny/game.yaml", TINY_GAME.replace("SourceSans3_400Regular.ttf", "own.ttf"))
    (tiny.root / "fonts").mkdir()
    source = Path(__file__).parent.parent / "fonts" / "SourceSans3_400Regular.ttf"
    shutil.copyfile(source, tiny.root / "fonts/own.ttf")
    (tiny.root / name).unlink()
    os.mkfifo(tiny.root / name)
    ran = pnp("sheets")
    assert ran.code == 1
    assert "the file can't be read: it is a device, pipe or socket; use a plain file instead" in ran.err


@pytest.mark.skipif(os.name != "posix", reason="links are made")
def test_a_template_that_is_a_link_out(tiny: TinyProject, pnp: Callable[..., Ran]) -> None:
    """It is refused as what it is, not as a name that nobody knows."""
    (tiny.root / "templates/tiny/card.svg").unlink()
    (tiny.root / "templates/tiny/card.svg").symlink_to("/dev/zero")
    ran = pnp("sheets")
    assert ran.code == 1
    place = "data/tiny/game.yaml:15:12"
    what = "the template 'card.svg' is a link that leads out of the folder; copy the file there"
    assert ran.said == [f"{place}: {what}"]
