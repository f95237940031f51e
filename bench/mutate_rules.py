"""Do tests notice each changed rule? Changes the program in one place at a time and runs what should notice.

    nice python bench/mutate_rules.py                          # all five games, every 20th change
    nice python bench/mutate_rules.py xanadu --every 5         # one game
    nice python bench/mutate_rules.py load sheets record --every 60

In a copy of the project every whole number of a target's sources is raised by one, every comparison turned into its
neighbour, every `and` into `or` and back. Targets are games (what generator/rules/<game> plays by) and rooms.
A game's changes are first held against its examples and its marks (tests/golden/<game>-marks.txt), in a fork of one
process that has all else loaded: that takes a second or so. What plays on unchanged, and every change of a room, goes
through the target's tests, interpreted. A change that passes these too is a survivor: nothing holds it, or it changes
nothing.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIED = (
    *("generator", "data", "templates", "fonts", "tests", "bench", "presets", "profiles", "packs", "docs"),
    *("pyproject.toml", "README.md"),
)
GAMES = ("fortuna", "journey18", "journey8", "wayfaring", "xanadu")
ROOMS = ("load", "sheets", "record")

FLIPPED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
}
JOINED: dict[type[ast.boolop], tuple[str, str]] = {ast.And: ("and", "or"), ast.Or: ("or", "and")}


NOT_PLAYED = ("__init__", "data", "rules")
"""Files of a game that no move runs through, beside its checks."""


@dataclass(frozen=True, slots=True)
class Target:
    """What is changed, and what should notice: test files or folders, and for a game its marks before them."""

    sources: tuple[Path, ...]
    tests: tuple[str, ...]
    game: str = ""


def target(name: str) -> Target:
    """A game or a room by its name."""
    if name in GAMES:
        files = sorted((ROOT / "generator/rules" / name).glob("*.py"))
        sources = [path for path in files if path.stem not in NOT_PLAYED and not path.stem.endswith("checks")]
        tests = sorted((ROOT / "tests/games").glob(f"test_{name}_*.py"), key=lambda path: "play" not in path.stem)
        return Target(tuple(sources), tuple(path.relative_to(ROOT).as_posix() for path in tests), name)
    return Target(tuple(sorted((ROOT / "generator" / name).glob("*.py"))), (f"tests/{name}",))


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
        elif isinstance(node, ast.BoolOp):
            found += _joints(node, text, starts, name)
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


def _joints(node: ast.BoolOp, text: bytes, starts: list[int], name: str) -> Iterator[Change]:
    """Every `and` or `or` between two parts; brackets and comments may stand around it."""
    old, new = JOINED[type(node.op)]
    for left, right in zip(node.values, node.values[1:], strict=False):
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


def passes(folder: Path, tests: tuple[str, ...], seconds: float) -> bool:
    """Whether the tests pass in the copy, without those that compile; what takes too long does not."""
    options = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", "not compiled and not modes_agree")
    command = (sys.executable, "-m", "pytest", *options, *tests)
    with subprocess.Popen(
        command,
        cwd=folder,
        env=_environment(folder),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as run:
        try:
            return run.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, 9)
            return False


class SameGames:
    """The process that holds a game of the copy against its marks, again after each change."""

    def __init__(self, folder: Path, game: str, seconds: int):
        command = (sys.executable, str(folder / "bench" / "same_games.py"), game, str(seconds))
        self._run = subprocess.Popen(
            command, cwd=folder, env=_environment(folder), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def are_played(self) -> bool:
        """Whether the sources as they are now play every game as the marks say."""
        ask, answer = self._run.stdin, self._run.stdout
        if ask is None or answer is None:
            raise RuntimeError("there are pipes")
        ask.write("\n")
        ask.flush()
        return answer.readline() == "same\n"

    def close(self) -> None:
        """Ends the process."""
        self._run.communicate()


@dataclass
class Figures:
    """What became of the changes of a target."""

    tried: int = 0
    by_marks: int = 0
    by_tests: int = 0
    survivors: list[Change] = field(default_factory=list)


class Bench:
    """A copy of the project in which a target is changed."""

    def __init__(self, folder: Path, chosen: Target, seconds: int):
        self._folder, self._target, self._seconds = folder, chosen, seconds
        self._games = SameGames(folder, chosen.game, seconds) if chosen.game else None
        if self._games is not None and not self._games.are_played():
            raise SystemExit(f"{chosen.game} is not played as its marks say")
        if not passes(folder, chosen.tests, 10 * seconds):
            raise SystemExit(f"{', '.join(chosen.tests)} do not pass as they are")

    def judge(self, change: Change, figures: Figures) -> None:
        """Makes the change, looks who notices, and takes it back."""
        figures.tried += 1
        with changed(self._folder, change):
            if self._games is not None and not self._games.are_played():
                figures.by_marks += 1
            elif passes(self._folder, self._target.tests, self._seconds):
                figures.survivors.append(change)
                print(f"  {change}", flush=True)
            else:
                figures.by_tests += 1

    def close(self) -> None:
        """Ends what it began."""
        if self._games is not None:
            self._games.close()


@contextmanager
def changed(folder: Path, change: Change) -> Iterator[None]:
    """The source with the change, for a while."""
    path = folder / change.file
    whole = path.read_bytes()
    path.write_bytes(whole[: change.start] + change.new.encode() + whole[change.end :])
    try:
        yield
    finally:
        path.write_bytes(whole)


def survives(folder: Path, change: Change, test: str, seconds: float) -> bool:
    """Whether the test passes with the change."""
    with changed(folder, change):
        return passes(folder, (test,), seconds)


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "PNP_NO_CACHE": "1"}


def main() -> None:
    """Change, test, tell the survivors and the sums."""
    options = _options()
    print(
        "| target | changes | tried | noticed by examples and marks | by tests | survived |\n|---|---|---|---|---|---|"
    )
    for name in options.targets or GAMES:
        chosen = target(name)
        every = [change for path in chosen.sources for change in changes(path, path.relative_to(ROOT).as_posix())]
        first = random.Random(options.seed).randrange(options.every)  # noqa: S311 - which changes, no secret
        figures = Figures()
        with tempfile.TemporaryDirectory() as scratch:
            bench = Bench(workplace(Path(scratch)), chosen, options.seconds)
            for change in every[first :: options.every]:
                bench.judge(change, figures)
            bench.close()
        row = (name, len(every), figures.tried, figures.by_marks, figures.by_tests, len(figures.survivors))
        print(f"| {' | '.join(map(str, row))} |", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join((*GAMES, *ROOMS))}")
    parser.add_argument("--every", type=int, default=20, metavar="N", help="only every N-th change")
    parser.add_argument("--seed", type=int, default=1, help="which of the N comes first")
    parser.add_argument("--seconds", type=int, default=120, help="tests that take longer count as failed")
    options = parser.parse_args()
    unknown = set(options.targets) - {*GAMES, *ROOMS}
    if unknown:
        parser.error(f"unknown targets: {', '.join(sorted(unknown))}")
    return options


if __name__ == "__main__":
    main()
