"""The scripts of the page and of a site fit together: names, parameters, imports, and nothing is unused (TypeScript)."""

import io
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.commands.settings import cache_folder
from generator.live.routes import PAGE
from generator.live.site import OWN_PAGE
from generator.live.site_runtime import Pinned, fetch_missing, open_runtime_folder, read_verified

pytestmark = pytest.mark.slow

COMPILER = Pinned(
    "typescript-5.9.3.tgz", "10e108c9cf7d5f2879053dff18515fb405abf2ccef63eaaf017d9c571687a1d3", "typescript", "5.9.3"
)
"""The compiler, Apache-2.0: it comes from npm into the cache, and is never part of the program."""

TYPES = Path(__file__).with_name("page.d.ts")

OPTIONS = [
    "--noEmit",
    "--allowJs",
    "--checkJs",
    "--noUnusedLocals",
    "--noUnusedParameters",
    "--noFallthroughCasesInSwitch",
    "--target",
    "es2023",
    "--module",
    "esnext",
    "--moduleResolution",
    "bundler",
    "--lib",
    "es2023,dom,dom.iterable,dom.asynciterable",
]


@pytest.fixture(scope="session")
def compiler(tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that checks scripts."""
    tool("npm")
    kept = open_runtime_folder(cache_folder())
    fetch_missing(kept, (COMPILER,), print)
    folder = tmp_path_factory.mktemp("typescript")
    with tarfile.open(fileobj=io.BytesIO(read_verified(kept / COMPILER.file, COMPILER.sha256))) as package:
        package.extractall(folder, filter="data")
    return [tool("node"), str(folder / "package" / "lib" / "tsc.js"), *OPTIONS]


def list_faults(compiler: list[str], folder: Path) -> list[str]:
    """Return what the compiler says of the scripts in a folder."""
    shutil.copy(TYPES, folder)
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
