"""What a site is made of: pinned files held against their sums, parts packed alike each time, the one live page."""

import gzip
import io
import re
import tarfile
from pathlib import Path

import pytest

from generator.errors import ProblemsFound
from generator.serve.routes import PAGE
from generator.site import runtime
from generator.site.packing import packed
from generator.site.runtime import RUNTIME, WHEELS, runtime_of


def test_a_packed_folder_is_the_same_each_time() -> None:
    """Neither the order nor the hour shows, and what went in comes out, long names too."""
    files = {"generator/a.py": b"a" * 1000, "x" * 90 + "/" + "y" * 90: b"", "b": bytes(513)}
    made = packed(files)

    assert made == packed(dict(reversed(files.items())))
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(made))) as archive:
        assert {one.name: archive.extractfile(one).read() for one in archive} == files  # type: ignore[union-attr]


def test_a_folder_without_the_runtime_is_told(tmp_path: Path) -> None:
    """Every file that is missing or not what it should be, at once, and nobody is asked for it."""
    (tmp_path / WHEELS[0].file).write_bytes(b"another")
    with pytest.raises(ProblemsFound) as found:
        runtime_of(tmp_path, tmp_path, print)

    said = str(found.value)
    assert f"{RUNTIME.file}: the file can't be read" in said
    assert f"{WHEELS[0].file}: the file does not hold what it should (sha256); remove it" in said
    assert f"{WHEELS[1].file}: the file can't be read" in said


def test_a_registry_that_can_not_be_reached_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without npm, or where it fails, the message says what to do; nothing is left behind."""
    monkeypatch.setattr(runtime, "program_path", lambda *_names: None)
    with pytest.raises(
        ProblemsFound, match=r"npm, which gets pyodide.* is not installed; install Node.js, or .*--runtime"
    ):
        runtime_of(None, tmp_path, lambda _doing: None)
    monkeypatch.setattr(runtime, "program_path", lambda *_names: "/bin/false")
    with pytest.raises(ProblemsFound, match=r"can't be had: ; look whether the registry can be reached"):
        runtime_of(None, tmp_path, lambda _doing: None)

    assert list(tmp_path.iterdir()) == []


def test_the_live_page_may_stand_anywhere() -> None:
    """A site need not be at the root of its server: nothing that the page asks for begins with a slash."""
    addresses = {
        f"{path.name}: {found}"
        for path in PAGE.iterdir()
        for found in re.findall(
            r"""(?:href|src)="(/[^"]*)|["'`](/[a-z][^"'`]*)["'`]""", path.read_text(encoding="utf-8")
        )
    }

    assert len(list(PAGE.iterdir())) > 5, "the test must see the page"
    assert not addresses
