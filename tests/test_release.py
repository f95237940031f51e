"""What a release is made of: the same bytes from the same commit, versions pinned by hashes, and what stops it."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT, Pnp
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from generator import __version__

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

in_a_checkout = pytest.mark.skipif(
    os.name != "posix" or not (ROOT / ".git").exists(), reason="a release is made in a checkout, by bash"
)


def sums(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


@pytest.mark.release
@in_a_checkout
def test_the_same_commit_gives_the_same_bytes(tmp_path: Path) -> None:
    """Built twice at different times, with another umask and in another zone; the sdist makes the same wheel (.ci/dist)."""
    for name, umask, zone in (("one", "022", "UTC"), ("two", "077", "Asia/Tokyo")):
        command = ["bash", "-c", f"umask {umask}; exec .ci/dist {tmp_path / name} {sys.executable}"]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True, env=os.environ | {"TZ": zone})
    assert sums(tmp_path / "one") == sums(tmp_path / "two")
    wheel, sdist = (next((tmp_path / "one").glob(end)) for end in ("*.whl", "*.tar.gz"))
    assert __version__ in wheel.name and __version__ in sdist.name
    with zipfile.ZipFile(wheel) as opened:
        inside = set(opened.namelist())
        metadata = opened.read(next(name for name in inside if name.endswith("METADATA"))).decode()
    assert {"generator/bundled/docs/faq.md", "generator/py.typed"} <= inside
    assert any(name.startswith("generator/bundled/packs/cards/") for name in inside)
    assert "Provides-Extra: lab\n" in metadata and "Requires-Python: >=3.11\n" in metadata
    with tarfile.open(sdist) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {"constraints.txt", "action.yml", "mkdocs.yml", ".ci/run", "tests/conftest.py", "CHANGELOG.md"} <= names


@pytest.mark.release
@in_a_checkout
def test_from_nothing_to_a_printed_starter(tmp_path: Path) -> None:
    """In an empty home, with Python alone on the path, by the lines of README (.ci/room)."""
    subprocess.run([".ci/dist", tmp_path, sys.executable], cwd=ROOT, check=True, capture_output=True)
    ran = subprocess.run([".ci/room", *tmp_path.glob("*.whl")], cwd=ROOT, check=False, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert re.search(r"from nothing to a printed starter: \d+ s, 13 files\n", ran.stdout)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert (
        "python3 -m venv tools " in readme and ". tools/bin/activate " in readme and "pip install ~/Downloads" in readme
    )
    assert "pnp new windy-hill --lang en\ncd windy-hill\npnp build\n" in readme


def test_what_it_says_of_itself(pnp: Pnp) -> None:
    """`pnp --version`, the wheel's name in README, and a classifier for each Python that is tried."""
    assert pnp("--version").out == f"pnp, version {__version__}\n"
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)
    named = re.findall(r"print_and_play_generator-([\d.]+)-py3", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert set(named) == {__version__}
    tried = re.search(r"^versions=\((.*)\)$", (ROOT / ".ci/pythons").read_text(encoding="utf-8"), re.MULTILINE)
    assert tried is not None
    classed = [found[1] for found in map(re.compile(r".* :: (3\.\d+)").fullmatch, PROJECT["classifiers"]) if found]
    assert classed == tried[1].split()
    assert PROJECT["requires-python"] == f">={classed[0]}"


def test_no_text_installs_by_a_name_that_is_not_ours_yet() -> None:
    """Until the name is registered whoever registers it could give readers anything: a file or a checkout is named."""
    documents = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("packs/**/*.md"), ROOT / "action.yml"]
    assert len(documents) > 30
    command = re.compile(
        r"(?:pip|pipx|uv|uvx|uv tool) (?:install|run|add) (?:-\S+ )*(?:print[-_]and[-_]play[-_]generator|pnp)(?![-\w])"
    )
    assert command.search("pip install print-and-play-generator")
    assert [path.name for path in documents if command.search(path.read_text(encoding="utf-8"))] == []


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A commit of what the release looks at before it makes anything."""
    root = tmp_path / "checkout"
    (root / "generator").mkdir(parents=True)
    shutil.copytree(ROOT / ".ci", root / ".ci")
    (root / "generator/__init__.py").write_text('__version__ = "7.1.0"\n', encoding="utf-8")
    (root / "README.md").write_text("pip install print_and_play_generator-7.1.0-py3-none-any.whl\n", encoding="utf-8")
    (root / "CHANGELOG.md").write_text("## [7.1.0] - 2026-01-31\n", encoding="utf-8")
    git(root, "init", "--quiet")
    keep(root)
    return root


def git(root: Path, *words: str) -> None:
    me = ("-c", "user.name=me", "-c", "user.email=me@example.org")
    subprocess.run(["git", *me, *words], cwd=root, check=True, capture_output=True)


def keep(root: Path) -> None:
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "--allow-empty", "-m", "as it is")


def refused(root: Path) -> str:
    """Why there is no release; empty where nothing stood against it, and the building began."""
    ran = subprocess.run([".ci/release", "--tried"], cwd=root, check=False, capture_output=True, text=True)
    found = re.search(r"^no release: (.*)$", ran.stderr, re.MULTILINE)
    return found[1] if found else ""


@pytest.mark.slow
@in_a_checkout
def test_what_stops_a_release(checkout: Path) -> None:
    """A tree that differs, a version without its place in the change log, a tag elsewhere, another wheel in README."""
    (checkout / "new").write_text("", encoding="utf-8")
    assert refused(checkout).startswith("the tree differs from its commit")
    keep(checkout)
    (checkout / "CHANGELOG.md").write_text("## [Unreleased]\n## [7x1.0] - 2026-01-31\n", encoding="utf-8")
    keep(checkout)
    assert refused(checkout).startswith('CHANGELOG.md has no heading "## [7.1.0] - YEAR-MONTH-DAY"')
    (checkout / "CHANGELOG.md").write_text("## [7.1.0] - 2026-01-31\n", encoding="utf-8")
    keep(checkout)
    git(checkout, "tag", "v7.1.0", "HEAD~1")
    assert refused(checkout).startswith("the tag v7.1.0 is at another commit")
    git(checkout, "tag", "-d", "v7.1.0")
    (checkout / "README.md").write_text("print_and_play_generator-7.0.0-py3-none-any.whl", encoding="utf-8")
    keep(checkout)
    assert refused(checkout) == "README.md names another wheel than that of 7.1.0"


PROJECT_LOCKED = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = [line for extra in PROJECT_LOCKED["optional-dependencies"].values() for line in extra]


def locked(name: str) -> dict[str, str]:
    """The versions that a file pins, by the names of their packages."""
    text = re.sub(r"\s*\\\n\s*", " ", (ROOT / name).read_text("utf-8"))
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[^ ]+( ; .*?)?( --hash=sha256:[0-9a-f]{64})+", line) for line in lines)
    return {canonicalize_name(line.split("==")[0]): line.split("==")[1].split()[0] for line in lines}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("constraints.txt", [*PROJECT_LOCKED["dependencies"], "hatchling>=1.27"]),
        ("constraints-dev.txt", [*PROJECT_LOCKED["dependencies"], *EXTRAS]),
    ],
)
def test_every_dependency_is_pinned_by_hash(name: str, wanted: list[str]) -> None:
    """Within the bounds of pyproject.toml; `make lock` writes the file."""
    versions = locked(name)
    assert len(versions) > 15
    assert [
        line
        for line in map(Requirement, wanted)
        if versions.get(canonicalize_name(line.name), "0") not in line.specifier
    ] == []


def test_both_files_pin_the_same_versions() -> None:
    dev = locked("constraints-dev.txt")
    assert [name for name, version in locked("constraints.txt").items() if dev.get(name) != version] == []
