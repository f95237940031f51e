"""What a site is made of: pinned files held against their sums, parts packed alike each time, the one live page."""

import gzip
import hashlib
import io
import json
import re
import tarfile
from importlib.metadata import distributions
from pathlib import Path

import pytest

from generator.base.errors import ProblemsFound
from generator.base.extensions import GROUP, OWN
from generator.commands.new import GUIDES, LAYOUTS
from generator.live import site_runtime
from generator.live.routes import PAGE
from generator.live.site import collect_program_files, collect_starter_files, pack_tar
from generator.live.site_runtime import PACKAGES, RUNTIME, WHEELS, Pinned, load_runtime, make_scripts


def test_a_packed_folder_is_the_same_each_time() -> None:
    """Neither the order nor the hour shows, and what went in comes out, long names too."""
    files = {"generator/a.py": b"a" * 1000, "x" * 90 + "/" + "y" * 90: b"", "b": bytes(513)}
    made = pack_tar(files)
    assert made == pack_tar(dict(reversed(files.items())))
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(made))) as archive:
        assert {one.name: archive.extractfile(one).read() for one in archive} == files  # type: ignore[union-attr]


def test_a_site_finds_the_optional_packages(tmp_path: Path) -> None:
    """The program of a site has the metadata by which commands such as `pnp changed` are found."""
    for path, data in collect_program_files():
        if ".dist-info/" in path:
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_bytes(data)
    (found,) = distributions(path=[str(tmp_path)])

    assert found.name == OWN
    assert {point.name for point in found.entry_points.select(group=GROUP)} == {
        *("exchange", "lab", "live", "production", "versions"),
    }


def test_a_folder_without_the_runtime_is_told(tmp_path: Path) -> None:
    """Every file that is missing or not what it should be, at once, and nobody is asked for it."""
    (tmp_path / WHEELS[0].file).write_bytes(b"another")
    with pytest.raises(ProblemsFound) as found:
        load_runtime(tmp_path, tmp_path, print)
    said = str(found.value)
    assert f"{RUNTIME.file}: the file can't be read" in said
    assert f"{WHEELS[0].file}: the file has the wrong content (sha256); delete it" in said
    assert f"{WHEELS[1].file}: the file can't be read" in said


def test_a_registry_that_can_not_be_reached_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without npm, or where it fails, the message says what to do; nothing is left behind."""
    monkeypatch.setattr(site_runtime, "find_program", lambda *_names: None)
    with pytest.raises(
        ProblemsFound, match=r"npm, which gets pyodide.* is not installed; install Node.js, or .*--runtime"
    ):
        load_runtime(None, tmp_path, lambda _doing: None)
    monkeypatch.setattr(site_runtime, "find_program", lambda *_names: "/bin/false")
    with pytest.raises(ProblemsFound, match=r"can't be downloaded: ; check your connection"):
        load_runtime(None, tmp_path, lambda _doing: None)
    assert list(tmp_path.iterdir()) == []


def test_what_projects_begin_from_is_whole() -> None:
    files = dict(collect_starter_files())
    assert {path.split("/")[1] for path in files if path.startswith("starters/")} >= {*LAYOUTS, "cards", "board", "csv"}
    assert {f"docs/{name}" for names in GUIDES.values() for name in names} <= set(files)
    assert not [path for path in files if "__pycache__" in path]


def package(name: str, script: str) -> tuple[Pinned, bytes]:
    """A package of npm's with this script, and what pins it."""
    said = {"exports": {"import": "./dist/index.js", "require": "./dist/index.cjs"}, "license": "MIT"}
    files = {"package.json": json.dumps(said), "dist/index.js": script, "LICENSE": "Anybody may."}
    data = pack_tar({f"package/{path}": text.encode() for path, text in files.items()})
    return Pinned(f"{name}.tgz", hashlib.sha256(data).hexdigest(), name, "1.0"), data


def test_packages_become_scripts_that_ask_for_each_other() -> None:
    """By their files in one folder; a text that only looks like an import stays, and nobody outside is asked."""
    first = package(
        "@house/door", "import { a } from 'crel';\nexport { b } from \"crel\";\nlet c = \" from 'crel'\";\n"
    )
    door, crel = make_scripts(dict([first, package("crel", "export const a = 1, b = 2;\n")]))
    assert (door.file, crel.file) == ("house-door.js", "crel.js")
    asked = "import { a } from './crel.js';\nexport { b } from \"./crel.js\";\nlet c = \" from 'crel'\";\n"
    assert door.text.decode() == asked
    assert (door.licence, door.terms) == ("MIT", b"Anybody may.")
    with pytest.raises(LookupError):
        make_scripts(dict([first]))


def test_without_the_editors_packages_there_is_a_plain_field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no error that they can't be had, but what is wrong with one that is there is told."""
    monkeypatch.setattr(site_runtime, "PARTS", ("pyodide-lock.json",))
    monkeypatch.setattr(site_runtime, "FURTHER", ())
    monkeypatch.setattr(site_runtime, "WHEELS", ())
    data = pack_tar({"package/pyodide-lock.json": b'{"packages": {}}'})
    pinned = RUNTIME._replace(sha256=hashlib.sha256(data).hexdigest())
    monkeypatch.setattr(site_runtime, "RUNTIME", pinned)
    (tmp_path / pinned.file).write_bytes(data)

    named = load_runtime(tmp_path, tmp_path, print)
    assert named.editor == ()
    assert f"has no {PACKAGES[0].file} and {len(PACKAGES) - 1} more" in named.lacking
    monkeypatch.setattr(site_runtime, "find_program", lambda *_names: None)
    fetched = load_runtime(None, tmp_path, print)
    assert fetched.editor == ()
    assert "npm, which gets codemirror-" in fetched.lacking
    monkeypatch.setattr(site_runtime, "PACKAGES", PACKAGES[:1])
    (tmp_path / PACKAGES[0].file).write_bytes(b"another")
    with pytest.raises(ProblemsFound, match=r"codemirror-.*: the file has the wrong content \(sha256\)"):
        load_runtime(tmp_path, tmp_path, print)


def test_the_live_page_may_stand_anywhere() -> None:
    addresses = {
        f"{path.name}: {found}"
        for path in PAGE.iterdir()
        for found in re.findall(
            r"""(?:href|src)="(/[^"]*)|["'`](/[a-z][^"'`]*)["'`]""", path.read_text(encoding="utf-8")
        )
    }
    assert len(list(PAGE.iterdir())) > 5, "the test must see the page"
    assert not addresses
