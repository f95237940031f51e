"""Builds that are killed, run out of disk, find their places taken, or are three at once: nothing lost, mixed or left."""

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests_support import STAR, TINY_GAME, TINY_TEMPLATE

from generator.base.errors import ProblemsFound
from generator.commands.build import BuildOrder
from generator.commands.orders import carry_out
from generator.game.project import find_project

pytestmark = [pytest.mark.release, pytest.mark.skipif(os.name != "posix", reason="processes are forked")]  # fmt: skip

GAMES = ("one", "two", "three")
SEED = 13
MOMENTS = 100


class Builder:
    """A project of three games in two states; builds run in processes of their own, two at a time where asked."""

    def __init__(self, root: Path):
        self.root, self.out = root, root / "output"
        self.states: list[dict[str, bytes]] = []
        for state in (0, 1):
            self.change(state)
            assert self.ended(self.start()) == 0
            self.states.append(self.files())

    def change(self, state: int) -> None:
        """Bring the data of all games into a state."""
        for game in GAMES:
            text = TINY_GAME.replace("title: Tiny", f"title: Tiny {game} {state}")
            for name, data in (("data", text), ("templates", TINY_TEMPLATE), ("icons", STAR)):
                path = (
                    self.root
                    / {
                        "data": f"data/{game}/game.yaml",
                        "templates": f"templates/{game}/card.svg",
                        "icons": f"templates/{game}/icons/star.svg",
                    }[name]
                )
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(data)

    def build(self, processes: int) -> None:
        project = find_project(self.root)
        order = BuildOrder((), self.out, plays=0)
        carry_out(project, (), order, lambda _doing: None, processes=processes)

    def start(self, processes: int = 1, before: Callable[[], None] = lambda: None) -> int:
        """A build in another process: its number."""
        child = os.fork()
        if not child:
            code = 1
            try:
                os.setpgid(0, 0)
                before()
                self.build(processes)
                code = 0
            except ProblemsFound as found:
                os.write(2, "".join(f"{problem}\n" for problem in found.problems).encode())
                code = 3
            finally:
                os._exit(code)
        return child

    def ended(self, child: int) -> int:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def files(self) -> dict[str, bytes]:
        found = (path for path in self.out.rglob("*") if not path.is_dir())
        return {path.relative_to(self.out).as_posix(): path.read_bytes() for path in found}

    def hidden(self) -> list[Path]:
        """What a build has left that is none of its files."""
        return list(self.out.rglob(".*"))


@pytest.fixture
def builder(tmp_path: Path) -> Builder:
    return Builder(tmp_path)


def dying(touch: int) -> Callable[[], None]:
    """Have the process kill itself before its so many-th touch of something hidden: trays, parts, the note, locks."""
    touches = 0

    def count(event: str, arguments: Any) -> None:
        nonlocal touches
        if event in ("open", "os.mkdir", "os.rename", "os.link", "os.remove", "os.rmdir"):
            touches += any(".pnp-" in str(one) for one in arguments)
            if touches == touch:
                os.kill(os.getpid(), signal.SIGKILL)

    return lambda: sys.addaudithook(count)


def test_a_hundred_kills(builder: Builder, capsys: pytest.CaptureFixture[str]) -> None:
    """Killed at any moment: every file is whole, from one build or the other, and the next build makes all good."""
    chance = random.Random(SEED)
    begun = time.monotonic()
    builder.ended(builder.start(2))
    long = time.monotonic() - begun
    seen = {"left": 0, "between": 0, "new": 0}
    for moment in range(MOMENTS):
        builder.change(0)
        assert builder.ended(builder.start(1 + moment % 2)) == 0
        assert builder.files() == builder.states[0]
        builder.change(1)
        if moment % 2:
            child = builder.start(2)
            time.sleep(chance.uniform(0, 1.2 * long))
            os.kill(child, signal.SIGKILL)
        else:
            child = builder.start(1 + moment // 2 % 2, dying(chance.randint(1, 150)))
        builder.ended(child)
        after = builder.files()
        for name, old in builder.states[0].items():
            assert after[name] in (old, builder.states[1][name]), f"moment {moment}: {name} is lost or torn"
        mixed = {
            name for name in builder.states[0] if after[name] == builder.states[1][name] != builder.states[0][name]
        }
        differing = {name for name in builder.states[0] if builder.states[0][name] != builder.states[1][name]}
        seen["left"] += bool(builder.hidden())
        seen["new"] += mixed == differing
        seen["between"] += bool(mixed) and mixed != differing
        assert builder.ended(builder.start(1 + moment % 2)) == 0
        assert builder.files() == builder.states[1]
        assert builder.hidden() == []
    with capsys.disabled():
        print(f"\n{MOMENTS} kills: {seen}")  # noqa: T201 - whoever runs it wants the numbers

    assert seen["left"] > 10, "the kills hit"


@pytest.mark.parametrize("most", [10, 1_000, 4_000, 0])
def test_a_full_disk(builder: Builder, most: int) -> None:
    builder.change(0)
    most = most or max(map(len, builder.states[0].values())) - 1

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    assert builder.ended(builder.start(1, limit)) == 3
    assert builder.files() == builder.states[1]
    assert builder.hidden() == []


@pytest.mark.parametrize("taken", ["one/validation.txt", "three/sheets.en.pdf", "two/components.en.pdf"])
def test_a_place_that_is_taken(builder: Builder, taken: str) -> None:
    builder.change(0)
    (builder.out / taken).unlink()
    (builder.out / taken).mkdir()
    for processes in (1, 2):
        assert builder.ended(builder.start(processes)) == 3
        assert builder.files() == {name: data for name, data in builder.states[1].items() if name != taken}
        assert builder.hidden() == []


def test_a_file_that_may_not_change(builder: Builder) -> None:
    chattr = shutil.which("chattr")
    target = builder.out / "three/sheets.en.pdf"
    if chattr is None or subprocess.run([chattr, "+i", target], check=False, capture_output=True).returncode:
        pytest.skip("no file can be made immutable here")
    try:
        builder.change(0)
        assert builder.ended(builder.start()) == 3
        assert builder.files() == builder.states[1]
        assert builder.hidden() == []
    finally:
        subprocess.run([chattr, "-i", target], check=True)


def test_three_builds_at_once(builder: Builder) -> None:
    for round_ in range(5):
        builder.change(round_ % 2)
        children = [builder.start(processes) for processes in (1, 2, 1)]
        assert [builder.ended(child) for child in children] == [0, 0, 0]
        assert builder.files() == builder.states[round_ % 2]
        assert builder.hidden() == []
