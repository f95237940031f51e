"""The scripts of the page and of a site fit together (TypeScript), and have no construct that ESLint warns of."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from script_fixtures import ANSWERS, TYPES

from generator.live.routes import PAGE
from generator.live.site import OWN_PAGE
from generator.live.site_runtime import Pinned

pytestmark = pytest.mark.slow

LINTER = {
    "linter.mjs": Pinned(
        "eslint-linter-browserify-10.11.0.tgz",
        "5ad57636e68d94ee6ff740d3f3ce535f8cdbe73c79709f0cd253118f6dce744f",
        "eslint-linter-browserify",
        "10.11.0",
    ),
    "src/index.js": Pinned(
        "eslint-js-10.0.1.tgz",
        "8ecd352ee99b1c8291bee007f43d58356ae5057782de9635563aec2e604dcee2",
        "@eslint/js",
        "10.0.1",
    ),
    "index.js": Pinned(
        "globals-17.12.0.tgz", "beadd5981449de06f51b2c5a023b254c8fd2a351e8c706580b4c28764048b7e6", "globals", "17.12.0"
    ),
}
"""ESLint without its files and commands, its recommended rules, and the names that browsers define (MIT): what to load."""


@pytest.fixture(scope="session")
def linter(tool: Callable[[str], str], unpack: Callable[[Pinned], Path]) -> list[str]:
    """The command that lints scripts."""
    return [tool("node"), str(TYPES.with_name("lint.mjs")), *(str(unpack(LINTER[name]) / name) for name in LINTER)]


def list_faults(compiler: list[str], folder: Path) -> list[str]:
    """Return what the compiler says of the scripts in a folder."""
    for types in (TYPES, ANSWERS):
        shutil.copy(types, folder)
    scripts = sorted(path.name for path in folder.iterdir())
    done = subprocess.run([*compiler, *scripts], cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    faults = [line for line in done.stdout.splitlines() if "error TS" in line]
    assert bool(faults) == bool(done.returncode), done.stdout + done.stderr
    return faults


def copy_scripts(folder: Path, target: Path) -> None:
    for path in folder.glob("*.*js"):
        shutil.copy(path, target)


def test_the_live_page(compiler: list[str], tmp_path: Path) -> None:
    copy_scripts(PAGE, tmp_path)
    assert list_faults(compiler, tmp_path) == []


def test_a_site(compiler: list[str], tmp_path: Path) -> None:
    """Its own scripts take the place of those of the page; what the page loads only to change files is not in use."""
    copy_scripts(PAGE, tmp_path)
    (tmp_path / "edit.js").unlink()
    copy_scripts(OWN_PAGE, tmp_path)
    assert list_faults(compiler, tmp_path) == []


def test_mistakes_are_found(compiler: list[str], tmp_path: Path) -> None:
    """A name that is nowhere, one that the other script doesn't have, too many values, one that nobody uses."""
    (tmp_path / "one.js").write_text("export function add(a, b) { return a + b; }\n", encoding="utf-8")
    other = 'import { add, ad } from "./one.js";\nconst left = 1;\nadd(1, 2, 3);\nad(nowhere);\n'
    (tmp_path / "other.js").write_text(other, encoding="utf-8")
    codes = {fault.partition("error ")[2].partition(":")[0] for fault in list_faults(compiler, tmp_path)}
    assert codes == {"TS2554", "TS2305", "TS2304", "TS6133"}


def test_scripts_know_what_answers_hold(compiler: list[str], tmp_path: Path) -> None:
    shutil.copy(PAGE / "state.js", tmp_path)
    lines = ['import { ask, hear } from "./state.js";', 'ask(["games.json"]).then((one) => one.games[0].none);']
    lines += [
        'ask(["table", "a", "at"]).then((one) => one.choices[0].none);',
        'hear(null, "faces", (one) => one.none);',
    ]
    (tmp_path / "other.js").write_text("\n".join(lines), encoding="utf-8")
    faults = list_faults(compiler, tmp_path)
    assert ["Property 'none' does not exist" in fault for fault in faults] == [True] * 3
    lines = [
        line.replace("none", "id" if "games" in line else "move" if "table" in line else "faces") for line in lines
    ]
    (tmp_path / "other.js").write_text("\n".join(lines), encoding="utf-8")
    assert list_faults(compiler, tmp_path) == []


def lint_scripts(linter: list[str], folder: Path) -> list[str]:
    scripts = sorted(map(str, folder.glob("*.*js")))
    done = subprocess.run([*linter, *scripts], capture_output=True, text=True, timeout=300, check=True)
    return done.stdout.splitlines()


@pytest.mark.parametrize("folder", [PAGE, OWN_PAGE])
def test_scripts_pass_eslint(linter: list[str], folder: Path) -> None:
    assert lint_scripts(linter, folder) == []


def test_eslint_finds_faults(linter: list[str], tmp_path: Path) -> None:
    """It finds what the compiler allows; an unnecessary exception from a rule is a fault, too."""
    lines = ["var a = 1;", "if (a == 2) debugger;", "try { a(); } catch { }", "{ const a = 3; a(a); }"]
    lines += ["new Promise((done) => setTimeout(done, 9));", "let b = 4; b(a), a(b);", "nowhere();"]
    lines += ["a(); // eslint-disable-line no-undef"]
    (tmp_path / "one.js").write_text("\n".join(lines), encoding="utf-8")
    found = {tuple(fault.split(" ")[:2]) for fault in lint_scripts(linter, tmp_path)}
    expected = {
        (1, "no-var"),
        (2, "eqeqeq"),
        (2, "no-debugger"),
        (3, "no-empty"),
        (4, "no-shadow"),
        (6, "prefer-const"),
    }
    expected |= {(5, "no-promise-executor-return"), (6, "no-sequences"), (6, "no-unused-expressions"), (7, "no-undef")}
    assert found == {(f"one.js:{line}", f"{rule}:") for line, rule in expected} | {("one.js:8", "null:")}
