"""Screening by Morris' method: walks as it wants them, effects of functions known on paper, told and drawn."""

import json
from itertools import pairwise, product
from pathlib import Path
from statistics import mean, stdev

import pytest
from conftest import Pnp
from urn_project import UrnProject

from generator.lab.sweeps import compute_influences, make_walks, walk_length

LEVELS = (5, 4, 1, 3)


def test_a_walk_moves_each_number_once() -> None:
    """By half of its values, in an order that changes; from run to run other walks, and more begin with the same."""
    points = list(make_walks(LEVELS, 30, 7))
    long = walk_length(LEVELS)
    orders = set()

    assert (long, len(points)) == (4, 30 * 4)
    for first in range(0, len(points), long):
        moved = []
        for one, other in pairwise(points[first : first + long]):
            (axis,) = [at for at in range(len(LEVELS)) if one[at] != other[at]]
            assert abs(one[axis] - other[axis]) == LEVELS[axis] // 2
            moved.append(axis)
        assert sorted(moved) == [0, 1, 3]
        orders.add(tuple(moved))
    assert len(orders) > 3
    assert all(0 <= at < count for point in points for at, count in zip(point, LEVELS, strict=True))
    assert {point[0] for point in points} == {0, 1, 2, 3, 4}
    assert points[: 10 * long] == list(make_walks(LEVELS, 10, 7))
    assert points != list(make_walks(LEVELS, 30, 8))


def test_effects_of_a_function_known_on_paper() -> None:
    """Of 2a - 3b + ad: a straight number has no spread, b leans down, a's effect is 8 to 16 as d goes, c is none."""
    points = list(make_walks(LEVELS, 40, 1))
    means = {point: 2 * point[0] - 3 * point[1] + point[0] * point[3] for point in product(*map(range, LEVELS))}
    found = {one.axis: one for one in compute_influences(LEVELS, points, means)}

    assert set(found) == {0, 1, 3}
    assert compute_influences(LEVELS, points, means)[0].axis == 0
    assert (found[1].strength, found[1].lean, found[1].spread) == (9, -9, 0)
    assert set(found[0].effects) == {8, 12, 16}
    assert set(found[3].effects) <= {0, 2, 4, 6, 8}
    assert len(found[0].effects) == 40
    assert found[0].strength == pytest.approx(mean(found[0].effects))
    assert found[0].spread == pytest.approx(stdev(found[0].effects))
    assert found[1].half == 0


def test_effects_that_cancel_are_strong() -> None:
    """mu* does not lose what goes up here and down there; mu does."""
    points = list(make_walks((4, 4), 60, 1))
    means = {point: float(point[0] * (1 if point[1] > 1 else -1)) for point in product(range(4), range(4))}
    one = next(one for one in compute_influences((4, 4), points, means) if one.axis == 0)
    assert one.strength == 3
    assert abs(one.lean) < 1.5
    assert one.spread > 2.5


def test_points_without_figures_are_left_out() -> None:
    """Their moves say nothing."""
    points = [(0, 0), (1, 0), (1, 1), (1, 1), (1, 0), (0, 0)]
    means = {(0, 0): 1.0, (1, 0): 3.0}
    assert [(one.axis, one.effects) for one in compute_influences((2, 2), points, means)] == [(0, (2.0, 2.0))]


@pytest.mark.slow
def test_it_finds_which_numbers_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp) -> None:
    """Turns are the rounds and nothing else: 4 over the whole range, exactly; `idle` moves nothing; all is drawn."""
    monkeypatch.chdir(UrnProject(tmp_path / "project").root)
    asked = (
        *("lab", "sweep", "urn", "rules.rounds=1..5", "rules.idle=1..4", "components.ball.designs.red.count=1..4"),
        *("--screen", "4", "--games", "40", "--trust-rules", "--executor", "processes:1", "--out", "out"),
    )
    ran = pnp(*asked, code=0)

    assert " screened by Morris' method: 4 walks, drawn by 1, through 3 numbers:\n" in ran.out
    turns = ran.out.split("  turns, at each point to ±0 or less\n")[1].splitlines()[:4]
    assert [line.split() for line in turns] == [
        ["mu*", "mu", "sigma"],
        ["rules.rounds", "4", "+4", "0"],
        ["rules.idle", "0", "+0", "0"],
        ["components.ball.designs.red.count", "0", "+0", "0"],
    ]
    file = Path("out/urn/lab-screen.json")
    assert json.loads(file.read_text(encoding="utf-8"))["experiment"]["grids"][0]["walks"] == 4
    assert pnp("lab", "show", str(file)).out == ran.out
    pnp("lab", "show", str(file), "--pdf", "--html", "--trust-rules", "--out", "out", code=0)
    assert "turns, how strongly each number moves it: rounds 4 (σ 0), idle 0 (σ 0)" in file.with_suffix(
        ".en.html"
    ).read_text(encoding="utf-8")
    assert "手番の数、数ごとの効き方：rounds 4（σ 0）" in file.with_suffix(".ja.html").read_text(encoding="utf-8")
    assert pnp(*asked, "--save", "s.yaml").code == 2
