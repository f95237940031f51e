"""The compiler of the page's scripts, and what else npm has for tests of them."""

import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.commands.settings import cache_folder
from generator.live.routes import PAGE
from generator.live.site_runtime import Pinned, fetch_missing, open_runtime_folder, read_verified

COMPILER = Pinned(
    "typescript-5.9.3.tgz", "10e108c9cf7d5f2879053dff18515fb405abf2ccef63eaaf017d9c571687a1d3", "typescript", "5.9.3"
)
"""The compiler, Apache-2.0: it comes from npm into the cache, and is never part of the program."""

TYPES = Path(__file__).with_name("page.d.ts")
ANSWERS = PAGE.with_name("answers.d.ts")

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
def unpack(tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Callable[[Pinned], Path]:
    """Return the folder of a package of npm."""
    tool("npm")

    def unpacked(pinned: Pinned) -> Path:
        kept = open_runtime_folder(cache_folder())
        fetch_missing(kept, (pinned,), print)
        folder = tmp_path_factory.mktemp("package")
        with tarfile.open(fileobj=io.BytesIO(read_verified(kept / pinned.file, pinned.sha256))) as package:
            package.extractall(folder, filter="data")
        return folder / "package"

    return unpacked


@pytest.fixture(scope="session")
def compiler(tool: Callable[[str], str], unpack: Callable[[Pinned], Path]) -> list[str]:
    """The command that checks scripts."""
    return [tool("node"), str(unpack(COMPILER) / "lib" / "tsc.js"), *OPTIONS]
