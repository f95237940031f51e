"""Does a game's test notice each changed rule? Changes its engine in one place at a time and runs the test.

    python bench/mutate_rules.py GAME [--every 5] [--seconds 60]

Every whole number of generator/games/<game>/play*.py is raised by one, every comparison turned into its neighbour, in a
copy of the project. A change that tests/games/test_<game>_play.py passes is a survivor: a rule that nothing holds.
"""

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("generator", "data", "templates", "fonts", "tests", "pyproject.toml", "README.md")

FLIPPED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
}


@dataclass(frozen=True, slots=True)
class Change:
    """One place in a source: bytes `start` to `end` of the file become `new`."""

    file: str
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.old} -> {self.new}"


def changes(path: Path, name: str) -> Iterator[Change]:
    """Every change of a source file, in its order; kernels and what feeds them, texts left alone."""
    text = path.read_bytes()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[operator]
            found.append(Change(name, node.lineno, start, end, str(node.value), str(node.value + 1)))
        elif isinstance(node, ast.Compare):
            found += _comparisons(node, text, starts, name)
    yield from sorted(found, key=lambda change: change.start)


def _comparisons(node: ast.Compare, text: bytes, starts: list[int], name: str) -> Iterator[Change]:
    sides = [node.left, *node.comparators]
    for operator, left, right in zip(node.ops, sides, sides[1:], strict=False):
        if type(operator) not in FLIPPED:
            continue
        old, new = FLIPPED[type(operator)]
        after = starts[left.end_lineno - 1] + left.end_col_offset  # type: ignore[operator]
        start = text.index(old.encode(), after, starts[right.lineno - 1] + right.col_offset)
        yield Change(name, left.lineno, start, start + len(old), old, new)


def workplace(folder: Path) -> Path:
    """A copy of what the test needs."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".hypothesis"))
        else:
            shutil.copy(source, folder / name)
    return folder


def passes(folder: Path, test: str, seconds: float) -> bool:
    """Whether the test passes in the copy; one that takes too long does not."""
    command = (sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", test)
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as run:
        try:
            return run.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, 9)
            return False


def survives(folder: Path, change: Change, test: str, seconds: float) -> bool:
    """Whether the test passes with the change."""
    path = folder / change.file
    whole = path.read_bytes()
    path.write_bytes(whole[: change.start] + change.new.encode() + whole[change.end :])
    try:
        return passes(folder, test, seconds)
    finally:
        path.write_bytes(whole)


def main() -> None:
    """Change, test, tell the survivors."""
    options = _options()
    test = f"tests/games/test_{options.game}_play.py"
    sources = sorted((ROOT / "generator/games" / options.game).glob("play*.py"))
    every = [change for path in sources for change in changes(path, path.relative_to(ROOT).as_posix())]
    chosen = every[:: options.every]
    with tempfile.TemporaryDirectory() as scratch:
        desks: SimpleQueue[Path] = SimpleQueue()
        for number in range(options.processes):
            desks.put(workplace(Path(scratch, str(number))))
        first = desks.get()
        if not passes(first, test, options.seconds):
            raise SystemExit(f"{test} does not pass as it is")
        desks.put(first)

        def tried(change: Change) -> bool:
            desk = desks.get()
            try:
                return survives(desk, change, test, options.seconds)
            finally:
                desks.put(desk)

        with ThreadPoolExecutor(options.processes) as pool:
            survivors = []
            for change, survived in zip(chosen, pool.map(tried, chosen), strict=True):
                if survived:
                    survivors.append(change)
                    print(change, flush=True)
    print(f"{options.game}: {len(survivors)} of {len(chosen)} changes survive (of {len(every)} that there are)")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="a game of generator/games")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th change")
    parser.add_argument("--seconds", type=float, default=60, help="a test that takes longer counts as failed")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N", help="so many at a time")
    return parser.parse_args()


if __name__ == "__main__":
    main()
