"""Equal work gives equal files: whoever plays it, in how many parts, whatever dies meanwhile."""

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Pnp
from shipped_games import PROJECT
from tests_support import quick, refuse_new_files

from generator.lab import experiment_runs as lab
from generator.lab.measures import Sums
from generator.lab.results import Result

sys.path.append(str(Path(__file__).parent))

import lab_runs

ASKED = (
    "lab", "readings", "journey8", "E18", "E4", "--players", "2", "--bot", "random", "--project", str(PROJECT.root),
)  # fmt: skip
RESULT = Path("out/journey8/lab-readings.json")


@pytest.fixture
def played(pnp: Pnp, room: Path) -> Callable[..., bytes]:
    """Plays the experiment in an empty folder, and hands out the result's bytes."""

    def play(*options: str, code: int = 0) -> bytes:
        ran = pnp(*ASKED, "--out", "out", *options)
        assert ran.code == code, ran.err
        return RESULT.read_bytes()

    return play


@pytest.fixture(scope="module")
def shown() -> list[bytes]:
    """What the tests of this file have played at once, to be played by the first alone."""
    return []


@pytest.fixture
def once(shown: list[bytes], played: Callable[..., bytes]) -> bytes:
    """What 450 games of each arm show, played by one process at once; the file is there."""
    if not shown:
        shown.append(played("--games", "450", "--executor", "processes:1"))
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_bytes(shown[0])
    return shown[0]


@pytest.mark.slow
@pytest.mark.parametrize("crew", quick(["processes:2", "processes:7", "threads:3"], "processes:2"))
def test_whoever_plays(crew: str, once: bytes, played: Callable[..., bytes]) -> None:
    """Two and seven processes, three threads."""
    assert once.count(b'"games": 450') == 4
    assert played("--games", "450", "--executor", crew, "--anew") == once


@pytest.mark.slow
def test_in_parts(once: bytes, played: Callable[..., bytes]) -> None:
    """Games are added to those that are there, in the middle of a round too."""
    RESULT.unlink()
    first = played("--games", "130", "--executor", "processes:1")
    assert first != once
    assert played("--games", "450", "--executor", "processes:1") == once
    assert played("--games", "100", "--executor", "processes:1") == once, "nothing is taken away"


@pytest.mark.slow  # starts processes twice
def test_a_lost_worker(
    once: bytes, played: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A chunk whose process is killed is played again."""
    monkeypatch.setenv("LAB_TEST_MARK", str(tmp_path / "killed"))
    monkeypatch.setattr("generator.lab.chunks.play", lab_runs.lost_once)
    assert played("--games", "450", "--executor", "processes:2", "--anew") == once
    assert (tmp_path / "killed").exists()


@pytest.mark.slow
def test_workers_lost_again_and_again(played: Callable[..., bytes], pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is told, and what was played before stays."""
    before = played("--games", "200", "--executor", "processes:1")
    monkeypatch.setattr("generator.lab.chunks.play", lab_runs.lost_always)
    assert played("--games", "450", "--executor", "processes:2", code=1) == before
    assert pnp(*ASKED, "--out", "out", "--games", "450", "--executor", "processes:2").err.splitlines()[-1] == (
        "the workers failed 3 times in a row on the same games; check the memory, or use fewer workers with --executor"
    )


@pytest.mark.slow
def test_interrupted(once: bytes, played: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl+C keeps whole chunks, ends with 130, and one may go on."""
    join = Result.join

    def stop(result: Result, *chunk: Any) -> None:
        if result.cells:
            raise KeyboardInterrupt
        join(result, *chunk)

    monkeypatch.setattr(Result, "join", stop)
    part = played("--games", "450", "--executor", "processes:1", "--anew", code=130)
    monkeypatch.setattr(Result, "join", join)

    assert part.count(b'"games": 200') == 4
    assert played("--games", "450", "--executor", "processes:1") == once


@pytest.mark.slow
def test_nothing_played_leaves_what_was_there(
    once: bytes, played: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scheduler that does not answer costs no games, those that were to be played anew neither."""
    monkeypatch.setattr("generator.lab.chunks._PATIENCE", 1)
    assert played("--executor", "dask:tcp://127.0.0.1:9", "--anew", code=1) == once


@pytest.mark.slow
def test_time_is_up(played: Callable[..., bytes], once: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the time that was given no further chunk is begun; that is no failure."""
    clock = iter(range(0, 10_000, 30))
    monkeypatch.setattr("generator.lab.experiment.monotonic", lambda: next(clock))
    assert played("--games", "450", "--for", "40s", "--executor", "processes:1", "--anew").count(b'"games": 400') == 4


def test_stopped_in_the_middle_of_joining() -> None:
    """A chunk counts for all arms, or for none."""

    class Stopping(Sums):
        @property
        def games(self) -> int:
            raise KeyboardInterrupt

        games = games.setter(lambda self, value: None)

    result = Result({}, "", ("a", "b"), {}, frozenset())
    with pytest.raises(KeyboardInterrupt):
        result.join(lab_runs.table(2), {"a": Sums(3), "b": Stopping()})

    assert not result.cells


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "hint"), [(errno.ENOSPC, "free some space"), (errno.EACCES, "allow writing there")])
def test_the_disk_refuses(once: bytes, pnp: Pnp, monkeypatch: pytest.MonkeyPatch, fault: int, hint: str) -> None:
    """That is known before any game is played, and what was there stays."""
    refuse_new_files(monkeypatch, fault)
    monkeypatch.setattr("generator.lab.experiment_runs.play_experiment", lab_runs.no_game)
    ran = pnp(*ASKED, "--out", "out", "--games", "900")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.splitlines()[-1] == (
        f"{RESULT}: the file can't be written: {os.strerror(fault)}; {hint}, or choose another folder with --out"
    )
    assert RESULT.read_bytes() == once


@pytest.mark.slow
def test_other_rules_begin_anew(
    once: bytes, played: Callable[..., bytes], pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What other rules have shown is put aside, and taken up again when they are back; no other file is written over."""
    stamps = lab.stamps_of
    monkeypatch.setattr(lab, "stamps_of", lambda *of: {**stamps(*of), "data": "other"})
    other = played("--games", "20", "--executor", "processes:1")
    monkeypatch.setattr(lab, "stamps_of", stamps)

    assert other.count(b'"games": 20') == 4
    assert len(list(RESULT.parent.iterdir())) == 2, "both are kept"
    assert played("--games", "20", "--executor", "processes:1") == once
    RESULT.write_text("my notes")
    assert pnp(*ASKED, "--out", "out").err.splitlines()[-1] == (
        f"{RESULT}:1:1: this file is not a result of the lab: Expecting value; name a file that `pnp lab` wrote"
    )
    assert RESULT.read_text() == "my notes"
