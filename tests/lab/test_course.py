"""How games go: leads and points after each part of the turns, held against games that are gone through one by one."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import Pnp
from shipped_games import PROJECT, game_and_rules

sys.path.append(str(Path(__file__).parent))

from cards_project import KnownProject

from generator.lab.chunks import Cell, Setup
from generator.lab.experiment import UNCHANGED
from generator.lab.experiment_runs import read_result_file
from generator.lab.findings import measure_interval
from generator.lab.measures import COURSE_MEASURES, LEADS, STEPS
from generator.play.bot_registry import TableBots
from generator.play.series import Series
from generator.rules.engine.kernel import INTERPRETED
from generator.rules.engine.table import Seed, Table

HERE = ("--project", str(PROJECT.root), "--out", "out", "--executor", "processes:1")


pytestmark = pytest.mark.usefixtures("room")


def points_by_turn(rules: Any, box: Any, seed: Seed) -> list[tuple[int, ...]]:
    """What each seat had before the first move, and after each turn, in a random game at an ordinary table."""
    table, bot = Table(rules, box, seed), TableBots(rules, box, seed, ("random",))
    facts = INTERPRETED.make_record(box.numbers)

    def points() -> tuple[int, ...]:
        row = [0] * box.players
        rules.score(table.state, facts, row)
        return tuple(row)

    found, turn = [points()], table.state.turn
    while not table.is_over:
        table.apply(bot.choose(table.state, table.list_legal_moves()))
        if table.state.turn != turn or table.is_over:
            turn = table.state.turn
            found.append(points())
    return found


def leaders(points: Sequence[int]) -> set[int]:
    return {seat for seat, has in enumerate(points) if has == max(points)}


@pytest.mark.parametrize("game", ["fortuna", "journey8", "xanadu"])
def test_what_is_told_of_a_course(game: str) -> None:
    """Every column is what somebody finds who writes down the points at the table."""
    of, rules = game_and_rules(game)
    box = rules.box(of, 3, {})
    series = Series(rules, box, INTERPRETED, followed=True)
    width, told = len(series.columns), series.game_figures(1, 0, 8)
    for number in range(8):
        row = dict(zip(series.columns, told[number * width : (number + 1) * width], strict=True))
        course = points_by_turn(rules, box, Seed(1, number))
        turns = len(course) - 1
        alone = [(at, leaders(points)) for at, points in enumerate(course) if len(leaders(points)) == 1]
        changes = [at for (_, before), (at, now) in pairwise(alone) if now != before]

        assert row["lead changes"] == len(changes)
        assert row["last lead change"] == (100 * changes[-1] // turns if changes else 0)
        assert row["led at half"] == sum(1 << seat for seat in leaders(course[turns // 2]))
        assert row["led at end"] == sum(1 << seat for seat in leaders(course[-1]))
        for step in range(1, 11):
            points = course[turns * step // 10]
            assert (row[f"best at {step}"], row[f"worst at {step}"]) == (max(points), min(points))


def test_games_are_followed_only_when_asked() -> None:
    """Otherwise points are counted once a game, at its end."""
    game, rules = game_and_rules("journey8")
    counted: list[int] = []

    def score(s: Any, f: Any, points: Any) -> None:
        counted.append(s.turn)
        rules.score(s, f, points)

    watched = replace(rules, score=score)
    box = rules.box(game, 2, {})
    Series(watched, box, INTERPRETED).game_figures(1, 0, 5)
    assert len(counted) == 5
    Series(watched, box, INTERPRETED, followed=True).game_figures(1, 0, 5)
    assert len(counted) > 5 + 5 * 8


@pytest.mark.slow
def test_all_else_is_the_same(pnp: Pnp, room: Path) -> None:
    """A report with the course of the games has the other figures of one without; it is kept beside that."""
    asked = ("lab", "report", "journey8", "--players", "2", "--games", "20")
    here = ("--project", str(PROJECT.root), "--out", str(room / "out"), "--executor", "processes:1")
    assert pnp(*asked, *here).code == 0 == pnp(*asked, "--course", *here).code
    plain, followed = (read_result_file(room / f"out/journey8/lab-{name}.json") for name in ("report", "course"))
    (before,), (after,) = plain.cells.values(), followed.cells.values()
    assert not COURSE_MEASURES & set(before.measures)
    assert set(after.measures) >= COURSE_MEASURES
    assert {name: after.measures[name] for name in before.measures} == before.measures


def test_a_coin_has_no_course(pnp: Pnp, room: Path) -> None:
    """After half of its one turn nobody leads: of all who are equal one is taken. At the end the winner leads."""
    project = KnownProject(room, "coin", 3)
    assert pnp("lab", "report", "coin", "--course", "--players", "3", "--games", "300", *project.options).code == 0
    result = read_result_file(room / "out/coin/lab-course.json")
    (sums,) = result.cells.values()
    found = {name: measure_interval(result, name, sums.measures[name]) for name in COURSE_MEASURES}
    assert [found[name].at for name in LEADS] == pytest.approx([0, 0, 0, 1 / 3, 1])
    assert [found[f"best score: {step}"].at for step in STEPS] == [0] * 9 + [1]


def test_who_is_ahead_in_a_ruin(pnp: Pnp, room: Path) -> None:
    """Of 2 and 6 coins the second leads nearly always; at the end the winner has all."""
    project = KnownProject(room, "ruin", 2, first=2, second=6)
    ran = pnp("lab", "report", "ruin", "--course", "--games", "500", *project.options)
    result = read_result_file(room / "out/ruin/lab-course.json")
    (sums,) = result.cells.values()
    assert sums.measures["best score: 100%"] == {8: 500} and sums.measures["worst score: 100%"] == {0: 500}
    assert measure_interval(result, "leader wins: end", sums.measures["leader wins: end"]).at == 1
    assert 0.75 < measure_interval(result, "leader wins: half", sums.measures["leader wins: half"]).at < 0.95
    rows = [line.split() for line in ran.out.splitlines()]
    assert ["after", "this", "share", "of", "the", "turns", *STEPS] in rows
    (middle,) = [row for row in rows if row[:3] == ["best", "score,", "median"]]
    assert (len(middle), middle[-1]) == (3 + len(STEPS), "8")


def test_where_most_points_do_not_win(pnp: Pnp) -> None:
    """Who has most points leads in nothing there: that is said, and no figures of it are."""
    ran = pnp("lab", "report", "journey8", "--course", "--players", "3", "--games", "60", *HERE)
    assert "  the leader is not shown: most points at the end win only 5 % of the games" in ran.out.splitlines()
    assert "lead changes" not in ran.out and "leader wins" not in ran.out
    assert "best score, median" in ran.out


def test_alone_nobody_leads(pnp: Pnp) -> None:
    """The points of a player alone are followed, and no leads."""
    ran = pnp("lab", "report", "journey18", "--course", "--games", "20", *HERE, code=0)
    assert "best score, median" in ran.out and "worst score" not in ran.out and "the leader" not in ran.out


def test_in_an_experiment_of_ones_own(pnp: Pnp, room: Path) -> None:
    """A file may ask for any of them by its name, in all arms on the same seeds."""
    (room / "lead.yaml").write_text(
        "format: 1\ngame: fortuna\narms: {as it is: {}, declared: {readings: {E10: declared}}}\nplayers: [3]\n"
        "measures:\n  tension: lead changes\n  runaway: {leader wins: half}\n  half: {best score: 50%}\n"
        "aims: {runaway: {between: [30%, 70%]}, half: {between: [5, 20]}}\n",
        encoding="utf-8",
    )
    ran = pnp("lab", "run", "lead.yaml", "--games", "60", *HERE, code=0)
    assert [line.split()[:3] for line in ran.out.splitlines() if "wanted" in line][:2] == [["as", "it", "is"], ["as", "it", "is"]]  # fmt: skip
    result = read_result_file(room / "out/fortuna/lab-lead.json")
    assert all("leader wins: half" in sums.measures for sums in result.cells.values())


def test_worker_processes_follow_too(room: Path) -> None:
    """A table that follows its games is another than one that does not."""
    KnownProject(room, "race", 2, fields=9)
    player = Setup(room, "race", trusted=True, arms=UNCHANGED).make_player()
    cell = Cell(2, ("random", "random"))
    one, other = player.find_table("as it is", cell), player.find_table("as it is", cell, followed=True)
    assert one is not other and one is player.find_table("as it is", cell)
    assert set(other.columns) - set(one.columns) >= {"lead changes", "best at 10"}
