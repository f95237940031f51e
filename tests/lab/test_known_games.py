"""Games whose truth is on paper: the lab finds each within its interval."""

import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import Pnp

sys.path.append(str(Path(__file__).parent))

from cards_project import KnownProject
from known import race

from generator.books.measure_names import Interval
from generator.lab.experiment_runs import read_result_file
from generator.lab.findings import measure_interval


@pytest.fixture
def found(pnp: Pnp, room: Path) -> Callable[..., Mapping[str, Interval]]:
    """What `pnp lab report` finds of a known game: its measures with their intervals."""

    def report(name: str, players: int = 2, games: int = 2000, **rules: int) -> Mapping[str, Interval]:
        project = KnownProject(room, name, players, **rules)
        asked = ("--players", str(players), "--games", str(games), *project.options)
        pnp("lab", "report", name, *asked, code=0)
        result = read_result_file(room / "out" / name / "lab-report.json")
        (sums,) = result.cells.values()
        assert sums.games == games
        return {measure: measure_interval(result, measure, histogram) for measure, histogram in sums.measures.items()}

    return report


def holds(found: Interval, truth: float | Fraction, width: float) -> bool:
    """Whether the truth lies in an interval that says something: half of it is no wider than so much."""
    return not found.excludes_value(float(truth)) and found.half < width


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_coin_of_as_many_sides_as_seats(found: Callable[..., Mapping[str, Interval]], players: int) -> None:
    """Each seat wins one in so many games."""
    coin = found("coin", players)
    assert all(holds(coin[f"win of seat {seat + 1}"], 1 / players, 0.03) for seat in range(players))
    assert coin["turns"] == Interval(1, 1, 1)


@pytest.mark.parametrize("players", [2, 3])
def test_a_race_of_dice(found: Callable[..., Mapping[str, Interval]], players: int) -> None:
    """Who throws first wins more often, by so much as sums of dice say; as long as they say."""
    dice = found("race", players, fields=12)
    for seat, truth in enumerate(race.wins(12, players)):
        assert holds(dice[f"win of seat {seat + 1}"], truth, 0.03)
    assert holds(dice["turns"], race.turns(12, players), 0.1)
    assert dice["win of seat 1"].excludes_value(1 / players)


@pytest.mark.slow
def test_gamblers_ruin(found: Callable[..., Mapping[str, Interval]]) -> None:
    """Who has 3 coins ruins who has 5 in 3 of 8 games, which have 15 turns in the mean."""
    ruin = found("ruin", first=3, second=5)
    assert holds(ruin["win of seat 1"], 3 / 8, 0.03)
    assert holds(ruin["turns"], 15, 0.8)
    assert ruin["spread"] == Interval(8, 8, 8)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4])
def test_a_seat_that_is_2_points_better(found: Callable[..., Mapping[str, Interval]], players: int) -> None:
    """20,000 games tell it from a fair share."""
    planted = found("planted", players, games=20_000)
    assert holds(planted["win of seat 1"], 1 / players + 0.02, 0.01)
    assert planted["win of seat 1"].excludes_value(1 / players)
