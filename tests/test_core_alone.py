"""The core works without the optional packages: it builds, checks and plays, and passes its own tests."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from conftest import ROOT

from generator.base.extensions import Extension, find_additions

OPTIONAL = ("lab", "production", "exchange", "versions", "live")
NAMES = {name for kind in fields(Extension) for name in find_additions(kind.name).entries}
"""What the optional packages add."""

NEEDS_THEM = re.compile(
    rf"generator[./]({'|'.join(OPTIONAL)})\b|from generator import|['\"]({'|'.join(NAMES)})['\"]|--record|(from|import) (serve_cases|browser)\b"
)
CORE_TESTS = (
    *("checklist", "checks", "draw", "games", "load", "model", "pages", "playtest", "rulebook", "sheets"),
    *("test_cached_build.py", "test_folded_pieces.py", "test_processes.py"),
    *("test_library.py", "test_play.py", "test_shapes.py", "test_two_languages.py"),
)
QUICK = (
    "checks/test_visible_items.py",
    "draw/test_face.py",
    "load/test_load_game.py",
    "playtest/test_players.py",
    "rulebook/test_glossary.py",
    "sheets/test_imposition.py",
)


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a checkout without the five folders, whose metadata declare no extensions."""
    home = tmp_path_factory.mktemp("core")
    for name in ("data", "templates", "presets", "profiles", "packs", "docs", "fonts", "tests"):
        shutil.copytree(ROOT / name, home / name)
    shutil.copytree(
        ROOT / "generator",
        home / "generator",
        ignore=lambda folder, names: OPTIONAL if Path(folder) == ROOT / "generator" else (),
    )
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, home / name)
    info = home / "metadata" / "print_and_play_generator-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: print-and-play-generator\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[pnp.extensions]\n")
    return home


def run(core: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python in that checkout."""
    variables = {**os.environ, "PYTHONPATH": f"{core}{os.pathsep}{core / 'metadata'}"}
    variables.pop("PYTEST_XDIST_WORKER", None)
    command = [sys.executable, "-m", *words]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=core, env=variables)


def core_tests(core: Path) -> list[str]:
    """Return the test files of the core: those that use nothing of the optional packages."""
    files = [
        path
        for name in CORE_TESTS
        for path in sorted((core / "tests").glob(name if ".py" in name else f"{name}/test_*.py"))
    ]
    return [
        path.relative_to(core).as_posix() for path in files if not NEEDS_THEM.search(path.read_text(encoding="utf-8"))
    ]


@pytest.mark.slow
def test_the_core_builds_and_checks_a_game_alone(core: Path) -> None:
    helped = run(core, "generator", "--help")
    assert helped.returncode == 0
    assert set(re.findall(r"^  ([a-z][a-z-]+)  ", helped.stdout, re.MULTILINE)) == {
        *(
            "new",
            "guide",
            "build",
            "sheets",
            "rulebook",
            "images",
            "list",
            "validate",
            "figures",
            "trust",
            "export",
            "play",
            "schema",
        )
    }
    built = run(core, "generator", "build", "fortuna", "--lang", "en")
    assert (built.returncode, built.stderr.count("validation: ")) == (0, 1), built.stderr
    made = {path.name for path in (core / "output" / "fortuna").iterdir()}
    assert {"sheets.en.pdf", "components.en.pdf", "rulebook.en.pdf", "validation.txt"} <= made
    checked = run(core, "generator", "validate", "fortuna", "--games", "5")
    assert checked.returncode == 0, checked.stderr
    assert "--record" not in run(core, "generator", "build", "--help").stdout
    for words in (["lab", "fortuna"], ["export", "tts"], ["build", "fortuna", "--record", "a"]):
        assert run(core, "generator", *words).returncode == 2


@pytest.mark.slow
def test_tests_of_the_core_pass_alone(core: Path) -> None:
    found = run(core, "pytest", "-n", "0", "-q", "-m", "not slow", *(f"tests/{name}" for name in QUICK))

    assert found.returncode == 0, found.stdout[-3000:] + found.stderr[-1000:]
    assert {f"tests/{name}" for name in QUICK} <= {*core_tests(core)}


@pytest.mark.release
def test_all_tests_of_the_core_pass_alone(core: Path) -> None:
    files = core_tests(core)
    found = run(core, "pytest", "-n", "auto", "--dist", "loadfile", "-q", "-m", "not slow", *files)

    assert len(files) > 120
    assert found.returncode == 0, found.stdout[-6000:] + found.stderr[-1000:]
