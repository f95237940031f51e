"""A project that somebody opens from a zip: what is taken of it, and what is refused."""

import io
import zipfile
from collections.abc import Mapping

import pytest

from generator.base.errors import ProblemsFound
from generator.live import browser_bridge
from generator.live.browser_bridge import unpack_project


def zipped(files: Mapping[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return out.getvalue()


def refusal(data: bytes) -> str:
    with pytest.raises(ProblemsFound) as found:
        unpack_project(data)
    return str(found.value)


def test_a_folder_in_the_zip_is_no_matter() -> None:
    files = {"data/tiny/game.yaml": b"a", "templates/tiny/card.svg": b"b"}
    more = {"README.md": b"-", "output/x.pdf": b"-", "data/.git/config": b"-", ".git/data/x": b"-"}
    assert unpack_project(zipped(files | more)) == files
    assert unpack_project(zipped({f"my games/{name}": data for name, data in (files | more).items()})) == files


def test_names_never_lead_out() -> None:
    """Neither upwards, nor to the root, nor by the other system's slashes."""
    files = {"data/tiny/game.yaml": b"a"}
    wild = {"data/../../etc/x": b"-", "/data/tiny/y.yaml": b"-", "data/..\\x.yaml": b"-", "../data/z.yaml": b"-"}
    assert unpack_project(zipped(files | wild)) == files


def test_a_bomb_ends_at_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_bridge, "MOST_BYTES", 3 * 1024 * 1024)
    bomb = zipped({"data/a.yaml": bytes(2 * 1024 * 1024), "data/b.yaml": bytes(2 * 1024 * 1024)})
    assert len(bomb) < 10_000, "the test must have a bomb"
    assert "unpacks to more than 3 MiB; remove files" in refusal(bomb)


def test_too_many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_bridge, "MOST_FILES", 2)
    assert "3 files, more than 2" in refusal(zipped({f"data/{name}.yaml": b"" for name in "abc"}))


def test_what_is_no_project() -> None:
    """No zip, a damaged one, and one without data are each told as what they are."""
    whole = zipped({"data/tiny/game.yaml": bytes(range(256)) * 40})
    spoilt = bytearray(whole)
    spoilt[49:52] = b"\xff" * 3  # behind the first name: what is packed begins with a kind that there is not
    assert "not a readable zip archive" in refusal(b"anything")
    assert "not a readable zip archive (Error -3" in refusal(bytes(spoilt))
    assert "it contains no data/" in refusal(zipped({"cards/game.yaml": b"x"}))


def test_a_file_that_is_a_folder_as_well() -> None:
    both = {"data/tiny": b"a", "data/tiny/game.yaml": b"b"}
    assert "data/tiny is both a file and a folder" in refusal(zipped(both))
    assert "data/tiny is both a file and a folder" in refusal(zipped(dict(reversed(both.items()))))


def test_a_part_of_a_project_needs_no_data() -> None:
    """The rest is there already; everything else holds for it too."""
    files = {"templates/tiny/card.svg": b"b"}
    assert unpack_project(zipped(files | {"templates/../../etc/x": b"-"}), part=True) == files
