"""Games that ship: the lab's files are the same, byte for byte, whoever plays and whether the rules are compiled."""

import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from conftest import Pnp
from shipped_games import PROJECT
from tests_support import quick

HERE = ("--project", str(PROJECT.root), "--anew")
READINGS = {
    "fortuna": ("E10", "E3"),
    "journey8": ("E18", "E4"),
    "journey18": ("E13", "E20"),
    "wayfaring": ("E9", "E23"),
    "xanadu": ("E42", "E56"),
}
ASKED = {
    "readings": ("lab", "readings", "journey8", "E18", "--players", "2", "--games", "450"),
    "cards": ("lab", "cards", "journey8", "--players", "2", "--games", "450"),
    "skill": (*("lab", "skill", "journey8", "--bot", "random", "--bot", "greedy", "--players", "2"), *("--games", "30", "--deals", "15")),
}  # fmt: skip
"""What each command asks; more lots of games than one worker is given at once."""

WALKING = """\
import sys

from generator.rules.engine.kernel import CompiledMode, iter_members, kernel


@kernel
def count(bits):
    found = 0
    for _ in iter_members(bits):
        found += 1
    return found


@kernel
def total(bits):
    found = 0
    for one in iter_members(bits):
        found += one
    return found


mode = CompiledMode(sys.argv[1])
print([int(mode.prepare_kernel({"count": count, "total": total}[name])(0b10110)) for name in sys.argv[2:]])
"""


@pytest.mark.parametrize("what", ASKED)
@pytest.mark.parametrize(
    "crew", quick(["processes:1", "processes:2", "processes:7", "threads:3"], "processes:2", rest="release")
)
@pytest.mark.slow
def test_whoever_plays(what: str, crew: str, pnp: Pnp, tmp_path: Path) -> None:
    """Readings, cards, skill: by one, two and seven processes, and by three threads."""
    files = []
    for out, crew_here in (("once", "processes:1"), ("again", crew)):
        pnp(*ASKED[what], *HERE, "--out", str(tmp_path / out), "--executor", crew_here, code=0)
        files.append((tmp_path / out / "journey8" / f"lab-{what}.json").read_bytes())
    assert files[0] == files[1]


@pytest.mark.parametrize("what", quick(ASKED, "readings", rest="release"))
@pytest.mark.slow
def test_a_cluster_plays(what: str, pnp: Pnp, tmp_path: Path) -> None:
    """The same by two workers of a cluster, in processes of their own."""
    pytest.importorskip("distributed")
    plain = pnp(*ASKED[what], *HERE, "--out", str(tmp_path / "once"), "--executor", "processes:1")
    script = (
        "import distributed, subprocess, sys\n"
        "if __name__ == '__main__':\n"
        "    options = dict(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50)\n"
        "    with distributed.LocalCluster(**options) as cluster:\n"
        "        crew = f'dask:{cluster.scheduler_address}'\n"
        "        command = [sys.executable, '-m', 'generator', *sys.argv[1:], '--executor', crew]\n"
        "        sys.exit(subprocess.run(command, check=False).returncode)\n"
    )
    (tmp_path / "cluster.py").write_text(script)
    command = [sys.executable, str(tmp_path / "cluster.py"), *ASKED[what], *HERE, "--out", str(tmp_path / "cluster")]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (plain.code, ran.returncode) == (0, 0), ran.stderr
    name = f"journey8/lab-{what}.json"
    assert (tmp_path / "once" / name).read_bytes() == (tmp_path / "cluster" / name).read_bytes()


@pytest.mark.parametrize(
    ("name", "bot"), quick(product(READINGS, ("random", "greedy")), ("fortuna", "random"), rest="release")
)
@pytest.mark.slow
def test_compiled_and_interpreted(
    name: str, bot: str, pnp: Pnp, tmp_path: Path, kernels: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some readings of each game, a few games of each."""
    monkeypatch.setattr("generator.lab.experiment_runs.kernel_folder", lambda *_: Path(kernels))
    games = {"random": "40", "greedy": "4"}[bot]
    asked = ("lab", "readings", name, *READINGS[name], "--games", games, "--bot", bot, *HERE)
    files = []
    for out, more in (("plain", ()), ("fast", ("--fast",))):
        pnp(*asked, *more, "--out", str(tmp_path / out), "--executor", "processes:1", code=0)
        files.append((tmp_path / out / name / "lab-readings.json").read_bytes())

    assert files[0] == files[1]
    assert files[0].count(b'"identical"') >= 2, "the arms were played"


@pytest.mark.slow
def test_a_walk_through_a_set_is_compiled_by_each_process(tmp_path: Path) -> None:
    """Whoever finds it on the disk can still compile what else goes through it; wayfaring failed by two processes."""
    pytest.importorskip("numba")
    (tmp_path / "walking.py").write_text(WALKING)
    said = []
    for name in ("count", "total"):
        command = [sys.executable, "walking.py", str(tmp_path / "kernels"), name]
        ran = subprocess.run(
            command,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(PROJECT.root)},
            capture_output=True,
            text=True,
            check=False,
        )
        said.append(ran.stdout or ran.stderr[-300:])

    assert said == ["[3]\n", "[7]\n"]
