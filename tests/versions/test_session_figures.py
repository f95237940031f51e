"""Figures of sessions: known statistics, those of the lab's games, and intervals that hold."""

import random
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import pytest
from conftest import Pnp
from session_project import TRUST, SessionProject, played
from shipped_games import game_and_rules
from tests_support import enter

from generator.game.model import Game
from generator.play.play_setup import Seating, set_up_human_game
from generator.rules.engine.contract import Rules
from generator.rules.engine.table import Seed
from generator.rules.registry import load_rules
from generator.versions.session_report import (
    MEASURES,
    find_value,
    make_table_session,
    mean_interval,
    measure_games,
    play_bot_games,
    share_interval,
)
from generator.versions.sessions import Session


def own_game(project: SessionProject) -> tuple[Game, Rules]:
    game = project.open_game().game
    rules = load_rules(game, project.root / "data/higher")
    assert rules is not None
    return game, rules


def thirty_sessions() -> list[Session]:
    """Minutes 31 to 60; scores n and n - 4; the first seat wins 12 of 30, shares 6; 8 of 20 known wins from behind."""
    found = []
    for n in range(30):
        ranks = (1, 2) if n < 12 else (1, 1) if n < 18 else (2, 1)
        half = () if n % 3 == 0 else ((3 - ranks.index(1) - 1,) if n % 3 == 1 else (ranks.index(1) + 1,))
        found.append(played((float(n), float(n - 4)), ranks, minutes=31 + n, turns=20, half=half))
    return found


def test_thirty_sessions_have_the_statistics_that_they_were_made_with() -> None:
    found = {measure: measure_games(thirty_sessions(), measure) for measure in MEASURES}
    assert {name: one and (one.games, round(one.interval.at, 6)) for name, one in found.items()} == {
        "minutes": (30, 45.5), "turns": (30, 20.0), "best": (30, 14.5), "spread": (30, 4.0),
        "first": (30, 0.5), "comeback": (20, 0.4),
    }  # fmt: skip
    minutes, first = found["minutes"], found["first"]
    assert minutes and first
    assert minutes.interval.half == pytest.approx(3.2873, abs=1e-4)  # 2.0452 * 8.8034 / sqrt(30)
    assert (first.interval.low, first.interval.high) == pytest.approx((0.3130, 0.6870), abs=1e-4)


@pytest.mark.parametrize(
    ("game", "known"),
    [
        (played((9.0, 4.0), (1, 2), ordered=False, half=(2,)), {"best": 9.0, "spread": 5.0, "first": None, "comeback": 1.0}),
        (played((9.0, 9.0, 1.0), (1, 1, 3), half=(2, 3)), {"best": 9.0, "spread": 8.0, "first": 0.5, "comeback": 0.0}),
        (played((7.0,), (2,), half=(1,), turns=4), {"best": 7.0, "spread": None, "first": None, "comeback": None, "turns": 4}),
        (Session("x", "3", 2, minutes=40), {"minutes": 40, "best": None, "first": None, "comeback": None, "turns": None}),
    ],
)  # fmt: skip
def test_what_a_session_does_not_tell_is_not_guessed(game: Session, known: dict[str, float | None]) -> None:
    assert {name: find_value(name, game) for name in known} == known


@pytest.mark.parametrize(("name", "players", "games"), [("higher", 2, 25), ("higher", 3, 25), ("fortuna", 3, 60)])
def test_saved_games_of_bots_have_the_figures_of_the_series(
    tmp_path: Path, name: str, players: int, games: int
) -> None:
    """Points after each turn, turns, places: the same from the moves of a saved game as from a series of games."""
    game, rules = game_and_rules("fortuna") if name == "fortuna" else own_game(SessionProject(tmp_path))
    series = list(play_bot_games(game, rules, players, "random", games))
    for number, wanted in enumerate(series):
        sitting = set_up_human_game(game, rules, Seating(players, (), "random", Seed(1, number)))
        for _ in sitting.play_bots("en"):
            pass
        made = make_table_session("", sitting, ())
        assert (made.seats, made.turns, made.half) == (wanted.seats, wanted.turns, wanted.half)
        assert {one: find_value(one, made) for one in MEASURES} == {one: find_value(one, wanted) for one in MEASURES}
    assert {find_value("comeback", one) for one in series} == {0.0, 1.0}


def test_people_of_a_saved_game_have_their_names(tmp_path: Path) -> None:
    game, rules = own_game(SessionProject(tmp_path))
    sitting = set_up_human_game(game, rules, Seating(3, (1, 3), "random", Seed(1, 0)))
    while not sitting.table.is_over:
        for _ in sitting.play_bots("en"):
            pass
        if sitting.is_waiting:
            sitting.make_move(sitting.table.list_legal_moves()[0], "en")
    made = make_table_session("x", sitting, ("Mika",))
    assert [(seat.name, seat.bot) for seat in made.seats] == [("Mika", ""), ("", "random"), ("", "")]
    assert (made.has_bots, made.seed, made.moves) == (True, "1/0", tuple(sitting.table.moves))


def test_a_saved_game_keeps_its_figures_in_its_file(tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    project = enter(SessionProject(tmp_path), monkeypatch)
    game, rules = own_game(project)
    for number in range(3):
        pnp("play", "higher", "--bots-only", "--save", "game.json", "--seed", f"1/{number}", TRUST, code=0)
        pnp("session", "import", "higher", "game.json", "--date", "2026-11-24", TRUST, code=0)
    series = list(play_bot_games(game, rules, 2, "greedy", 3))
    assert [(one.seats, one.turns, one.half) for one in project.read()] == [
        (one.seats, one.turns, one.half) for one in series
    ]


def test_intervals_are_those_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    chance = random.Random(4)
    for number in (2, 3, 4, 5, 6, 11, 30, 101, 400):
        values = [chance.gauss(40, 9) for _ in range(number)]
        low, high = stats.t.interval(0.95, number - 1, fmean(values), stats.sem(values))
        found = mean_interval(values)
        assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9)
        for seen in {0, 1, number // 2, number}:
            exact = stats.binomtest(seen, number).proportion_ci(0.95, "exact")
            one = share_interval([1.0] * seen + [0.0] * (number - seen))
            assert (one.low, one.high) == pytest.approx((exact.low, exact.high), abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("games", [3, 8])
def test_intervals_hold_in_simulation(seed: int, games: int) -> None:
    """In 95 % of all months the interval has the true value; exact limits of shares have it at least as often."""
    chance, months = random.Random(seed), 600
    held = {"mean": 0, "share": 0}
    for _ in range(months):
        mean = mean_interval([chance.gauss(40, 9) for _ in range(games)])
        share = share_interval([float(chance.random() < 0.4) for _ in range(games)])
        held["mean"] += mean.low <= 40 <= mean.high
        held["share"] += share.low <= 0.4 <= share.high
    assert abs(held["mean"] / months - 0.95) < 0.03
    assert held["share"] / months > 0.94


def test_shared_wins_widen_the_interval_and_few_games_do_too() -> None:
    whole, shared = share_interval([1.0, 0.0] * 4), share_interval([0.5] * 8)
    assert (whole.at, shared.at) == (0.5, 0.5)
    assert (whole.low, whole.high) == (shared.low, shared.high)
    assert share_interval([0.5, 0.0, 0.0, 0.0]).low == 0.0 < share_interval([1.0, 0.0, 0.0, 0.0]).low
    assert share_interval([0.5, 1.0, 1.0, 1.0]).low == share_interval([0.0, 1.0, 1.0, 1.0]).low
    halves = [mean_interval([1.0, 2.0] * n).half for n in (1, 2, 4, 8)]
    assert all(first > second for first, second in pairwise(halves))
    assert mean_interval([60.0]).half == mean_interval([60.0, 60.0]).half == float("inf")
