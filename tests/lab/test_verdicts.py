"""Four verdicts on other readings: what each takes, the order in which to decide, and that seeds agree on them."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import Pnp
from shipped_games import PROJECT

from generator.lab.chunks import Cell, format_options, read_options
from generator.lab.result_text import format_result
from generator.lab.results import read_result
from generator.lab.verdicts import format_verdict_counts, judge_readings

from test_findings import chances, result  # isort: skip

LONGER, STILL = [1, 0] * 200, [0] * 400
NOISE = [3 * gap for gap in chances(0.0, 3)]
"""Turns differ by a standard deviation of 0.5, so 0.1 turns are too small to matter."""


def test_each_verdict() -> None:
    """In the order in which to decide; what came up and changed nothing is small, what did not come up is a task."""
    found = judge_readings(
        result({"came up": STILL, "longer": LONGER, "noise": NOISE, "never": STILL}, unreached={"never": "example X"})
    )
    assert [(one.arm, one.verdict) for one in found] == [
        ("longer", "changes"), ("noise", "unknown"), ("came up", "small"), ("never", "never"),
    ]  # fmt: skip
    assert (
        found[0].main is not None and found[0].main.measure == "turns" and found[0].size == pytest.approx(5, abs=0.01)
    )
    assert (found[2].where, found[3].where) == ("", "example X")


def test_a_proven_difference_near_the_margin_is_not_known() -> None:
    """It is not 0, but may be smaller than the margin: other games could call it too small."""
    near = [1] * 54 + [0] * 346
    (one,) = judge_readings(result({"near": near}, unreached={}))
    assert one.main is not None and one.main.stands and one.main.gap.low < 0.1 < one.main.gap.at
    assert (one.verdict, one.games > 400) == ("unknown", True)


def test_games_that_would_tell() -> None:
    """So many that the interval, which shrinks with the root of their number, is inside or outside the margin."""
    given = result({"noise": NOISE}, unreached={})
    (one,) = judge_readings(given)
    assert one.main is not None
    wanted = abs(0.1 - abs(one.main.gap.at))
    assert one.games == pytest.approx(400 * (one.main.gap.half / wanted) ** 2, rel=0.01)
    assert f"needs {one.games:,} games" in format_result(given)


def test_only_watched_games_give_verdicts() -> None:
    """An experiment of one's own has none; what was not reached is kept in the file."""
    assert "what to decide first" not in format_result(result({"never": STILL}))
    kept = result({"never": STILL}, unreached={"never": "example X"})
    kept.about = {**kept.about, "data": "d", "experiment": {"run": 1, "arms": {
        name: {"readings": {}, "values": {}} for name in kept.arms}}}  # fmt: skip
    again = read_result(kept.to_text(), "kept.json")
    assert format_result(again) == format_result(kept)
    assert format_verdict_counts(again) == "never came up: 1"


def test_options_of_a_table() -> None:
    """They are written as for `pnp play --option`, and tables that differ in them are two."""
    options = {"items": ["map", "tent"], "hand": 3, "fast": True}
    assert format_options(options) == "fast=true hand=3 items=[map,tent]"
    assert read_options(format_options(options)) == options
    assert Cell(1, ("random",), "hand=3").bot_names == "random, hand=3"


@pytest.mark.slow
def test_seeds_agree(pnp: Pnp, room: Path) -> None:
    """Other games give the same verdicts where the effect is large or nothing."""
    found = []
    for seed in ("1", "2", "3"):
        asked = (
            "lab", "readings", "journey8", "E18", "E4", "E12", "--players", "2", "--bot", "random", "--games", "800",
        )  # fmt: skip
        told = pnp(*asked, "--seed", seed, "--project", str(PROJECT.root), "--out", seed, code=0).out
        found.append([line[:35] for line in told.splitlines() if line.startswith("  E")][:4])
    assert found[0] == found[1] == found[2]
    assert [line.split()[0] for line in found[0]] == ["E18", "E4", "E18", "E12"]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_interruption_ends_it(room: Path) -> None:
    """Ctrl+C while helpers play ends them at once."""
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from generator.__main__ import main; main()"
    asked = ("lab", "readings", "journey8", "--games", "100000", "--players", "4", "--bot", "greedy", "--executor",
             "processes:2", "--project", str(PROJECT.root), "--out", "out")  # fmt: skip
    run = subprocess.Popen(
        [sys.executable, "-c", code, *asked], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert run.stderr is not None
    assert any("about" in line for line in run.stderr)
    time.sleep(5)
    begun = time.monotonic()
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=60)
    assert run.returncode == 130
    assert time.monotonic() - begun < 20  # two seconds of a machine that does nothing else
