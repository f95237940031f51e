"""Chunks on a cluster: the same figures, workers that are lost, schedulers that do not answer."""

import subprocess
import sys
from pathlib import Path

import pytest
from shipped_games import PROJECT

from generator.base.errors import ProblemsFound
from generator.lab.arms import Arm
from generator.lab.chunks import Cell, Crew, Setup, play_chunks, split_chunks

CLUSTER = """\
import os, signal, sys
from pathlib import Path

import distributed

from generator.base.errors import ProblemsFound
from generator.lab import chunks as executors
from generator.lab.arms import Arm
from generator.lab.chunks import Cell, Setup, split_chunks

root, mark = Path(sys.argv[1]), Path(sys.argv[2])
chosen = executors.play


def lost_once(setup, key, chunk):
    from generator.lab.chunks import play

    if chunk.first and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return play(setup, key, chunk)


def lost_always(setup, key, chunk):
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    arms = Arm("as it is"), Arm("no passing", {"E18": "forbidden"}), Arm("two cards", values={"rules.hand": 2})
    setup, names = Setup(root, "journey8", False, arms), tuple(arm.name for arm in arms)
    chunks = list(split_chunks(Cell(2, ("random",) * 2), names, ("turns", "win of seat 1"), 1, 900))
    here = list(executors.play_chunks(setup, "key", chunks, executors.parse_crew("processes:1")))
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        crew = executors.parse_crew(f"dask:{cluster.scheduler_address}")
        print(list(executors.play_chunks(setup, "key", chunks, crew)) == here)
        executors.play = lost_once
        print(list(executors.play_chunks(setup, "key", chunks, crew)) == here, mark.exists())
        executors.play = lost_always
        try:
            list(executors.play_chunks(setup, "key", chunks[:1], crew))
        except ProblemsFound as found:
            print(found)
"""


@pytest.mark.slow
def test_a_cluster_of_two_workers(tmp_path: Path) -> None:
    """It plays the same, one of its workers killed or not; if all are, that is told."""
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER, encoding="utf-8")
    asked = [sys.executable, str(script), str(PROJECT.root), str(tmp_path / "mark")]
    ran = subprocess.run(asked, capture_output=True, text=True, check=False, cwd=PROJECT.root)
    assert ran.stdout.splitlines() == [
        "True",
        "True True",
        "the workers of the cluster failed repeatedly on the same games; check their logs",
    ], ran.stderr


def refusal(address: str) -> str:
    """What is said where games are to be played by a cluster at this address."""
    setup = Setup(PROJECT.root, "journey8", False, (Arm("as it is"),))
    chunks = list(split_chunks(Cell(2, ("random",) * 2), ("as it is",), ("turns",), 1, 10))
    with pytest.raises(ProblemsFound) as found:
        list(play_chunks(setup, "key", chunks, Crew("dask", 8, address)))
    return str(found.value)


@pytest.mark.parametrize(
    "address", [pytest.param("tcp://127.0.0.1:9", marks=pytest.mark.slow), "nowhere", "tcp://127.0.0.1:many"]
)
def test_a_scheduler_that_does_not_answer(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """The address is told, and how one is started."""
    pytest.importorskip("distributed")
    monkeypatch.setattr("generator.lab.chunks._PATIENCE", 1)
    assert refusal(address) == f"no scheduler answers at {address}; start it with `dask scheduler`, then start workers"


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """One is told which extra brings it."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    told = refusal("tcp://127.0.0.1:9")
    assert told == "dask.distributed is not installed; install the program with its extra `cluster`"
