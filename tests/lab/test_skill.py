"""`pnp lab skill`: what games of a known truth say of strength and luck, and that equal work gives equal files."""

import json
import sys
from collections.abc import Callable
from math import log10
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Pnp
from shipped_games import PROJECT
from tests_support import quick

sys.path.append(str(Path(__file__).parent))

from cards_project import KnownProject

from generator.books.measure_names import Interval
from generator.lab.chunks import Setup
from generator.lab.experiment import UNCHANGED
from generator.lab.skill_result import Match, SkillLot, SkillResult, estimate_luck, make_rung, play_lot, rate_bots
from generator.lab.skill_run import read_skill_file
from generator.lab.strengths import estimate_luck_shares

JOURNEY8 = ("lab", "skill", "journey8", "--bot", "random", "--bot", "greedy", "--project", str(PROJECT.root))
RESULT = Path("out/journey8/lab-skill.json")


pytestmark = pytest.mark.usefixtures("room")


@pytest.fixture
def known(pnp: Pnp, room: Path) -> Callable[..., SkillResult]:
    """What the command finds in a known game."""

    def skill(name: str, *asked: str, players: int = 2) -> SkillResult:
        project = KnownProject(room, name, players, fields=12)
        pnp("lab", "skill", name, "--players", str(players), *asked, *project.options, code=0)
        found = read_skill_file(room / "out" / name / "lab-skill.json")
        assert found is not None
        return found

    return skill


@pytest.mark.parametrize(("players", "truth"), [(2, 0.95), (3, 0.81 + 0.18 / 2 + 0.01 / 3)])
def test_who_always_bids_most(known: Callable[..., SkillResult], players: int, truth: float) -> None:
    """Greedy wins as many games as paper says, and is rated by that share."""
    result = known("bids", "--bot", "random", "--bot", "greedy", "--games", "600", "--deals", "0", players=players)
    (match,) = result.played_ladder(players)
    found = make_rung(result, match)
    assert (found.seeds, found.fair, match) == (600, 1 / players, Match(players, "greedy", "random"))
    assert not found.share.excludes_value(truth) and found.share.half < 0.02
    points = rate_bots(result, players)[1]
    assert abs(points.points - 400 * log10(truth * (players - 1) / (1 - truth))) < 2 * points.error < 80


@pytest.mark.parametrize(
    ("name", "truth"),
    [("coin", (0, 1, 0)), ("bids", (0, 0, 1)), ("majority", (1 / 4, 1 / 4, 1 / 2)), ("race", (0, 1, 0))],
    ids=["a toss after the deal", "no chance at all", "a third of each", "dice"],
)
def test_what_is_luck(known: Callable[..., SkillResult], name: str, truth: tuple[float, ...]) -> None:
    """Of pure luck all is luck, of pure skill nothing; where several things decide, each gets its part."""
    result = known(name, "--bot", "random", "--deals", "300", "--games", "1")
    found = estimate_luck(result, 2, "random")
    assert [one.excludes_value(share) for one, share in zip(found, truth, strict=True)] == [False] * 3, found
    assert all(one.half < 0.09 for one in found)
    assert sum(one.at for one in found) == pytest.approx(1, abs=0.02)


def test_pure_luck_is_all_luck(known: Callable[..., SkillResult]) -> None:
    """When nobody has a choice, equal chances give equal games: that is known for certain."""
    found = estimate_luck(known("coin", "--bot", "random", "--deals", "50", "--games", "1", players=3), 3, "random")
    assert found[2] == Interval(0, 0, 0)


def test_where_nothing_differs(pnp: Pnp, known: Callable[..., SkillResult]) -> None:
    """Two that always bid most always share: there is nothing that luck could have a part of."""
    result = known("bids", "--bot", "greedy", "--deals", "5")
    assert estimate_luck(result, 2, "greedy") == (Interval(0, 0, 1),) * 3
    told = pnp("lab", "show", "out/bids/lab-skill.json").out.splitlines()
    assert told[-3].split() == ["greedy", "5", "deals", "nothing", "differs"]


@pytest.mark.parametrize("bot", ["random", "greedy"])
@pytest.mark.parametrize("players", [2, 3])
def test_a_bot_against_itself(room: Path, bot: str, players: int) -> None:
    """On the same seeds it wins exactly its fair share, with every single one."""
    KnownProject(room, "bids", players)
    setup = Setup(room, "bids", trusted=True, arms=UNCHANGED)
    match = Match(players, bot, bot)
    played = play_lot(setup, f"{bot} {players}", SkillLot(match, 1, 0, 50))
    result = SkillResult({}, "", sum(played.wins) // len(played.wins), {match: played})
    assert len(played.wins) == 1
    found = make_rung(result, match).share
    assert (found.at, found.low, found.high) == pytest.approx((1 / players,) * 3, abs=1e-12)


def test_a_seed_is_played_from_every_seat(room: Path) -> None:
    """In a race the seat that throws first wins more often; that is no skill."""
    KnownProject(room, "race", 2, fields=3)
    setup = Setup(room, "race", trusted=True, arms=UNCHANGED)
    played = play_lot(setup, "seats", SkillLot(Match(2, "greedy", "random"), 1, 0, 200))
    assert dict(played.wins) == {2: 200}


@pytest.fixture(scope="module")
def shown() -> list[bytes]:
    """What the tests of this file have played at once, to be played by the first alone."""
    return []


@pytest.fixture
def once(shown: list[bytes], pnp: Pnp) -> bytes:
    """What 60 seeds and 24 deals show, played by one process at once; the file is there."""
    if not shown:
        assert pnp(*JOURNEY8, "--out", "out", "--games", "60", "--deals", "24", "--executor", "processes:1").code == 0
        shown.append(RESULT.read_bytes())
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_bytes(shown[0])
    return shown[0]


@pytest.mark.slow
@pytest.mark.parametrize("crew", quick(["processes:2", "threads:3"], "processes:2"))
def test_whoever_plays(crew: str, once: bytes, pnp: Pnp) -> None:
    """Two processes, three threads; to the byte."""
    ran = pnp(*JOURNEY8, "--out", "out", "--games", "60", "--deals", "24", "--executor", crew, "--anew")
    assert (ran.code, RESULT.read_bytes()) == (0, once)


@pytest.mark.slow
def test_in_parts(once: bytes, pnp: Pnp) -> None:
    """Played in parts it is the same, to the byte."""
    RESULT.unlink()
    for games, deals in (("30", "7"), ("60", "24"), ("10", "3")):
        pnp(*JOURNEY8, "--out", "out", "--games", games, "--deals", deals, "--executor", "processes:1")
    assert RESULT.read_bytes() == once, "lots are added, and nothing is taken away"


@pytest.mark.slow  # plays searching bots twice
def test_whoever_searches(pnp: Pnp) -> None:
    """A search goes by the seed alone: played by one process or by two, its games come out the same, to the byte."""
    files = []
    for crew in ("processes:1", "processes:2"):
        asked = ("--bot", "search:6", "--games", "3", "--deals", "0", "--executor", crew, "--anew")
        pnp(*JOURNEY8[:3], *JOURNEY8[5:], *asked, "--out", "out", code=0)
        files.append(RESULT.read_bytes())
    assert files[0] == files[1]
    assert [match["one"] for match in json.loads(files[0])["matches"]] == ["search:6"]


@pytest.mark.slow
def test_interrupted(once: bytes, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl+C keeps whole lots, ends with 130, and one may go on."""
    join, joined = SkillResult.join, list[Any]()

    def stop(result: SkillResult, *lot: Any) -> None:
        if len(joined) == 5:
            raise KeyboardInterrupt
        joined.append(lot)
        join(result, *lot)

    asked = (*JOURNEY8, "--out", "out", "--games", "60", "--deals", "24", "--executor", "processes:1")
    monkeypatch.setattr(SkillResult, "join", stop)
    assert pnp(*asked, "--anew").code == 130
    monkeypatch.setattr(SkillResult, "join", join)
    part = RESULT.read_bytes()

    assert part != once and b'"seeds": 20' in part
    assert pnp(*asked).code == 0
    assert RESULT.read_bytes() == once


@pytest.mark.slow
def test_time_is_up(pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the time that was given no further lot is begun; a little of everything is known."""
    clock = iter(range(0, 10_000, 10))
    monkeypatch.setattr("generator.lab.experiment.monotonic", lambda: next(clock))
    pnp(*JOURNEY8, "--out", "out", "--games", "60", "--deals", "24", "--for", "55s", "--executor", "processes:1")
    found = read_skill_file(RESULT)
    assert found is not None
    assert [played.number for played in found.matches.values()] == [20]
    assert [len(played.deals) for played in found.tables.values()] == [20, 20, 4, 2]


@pytest.mark.slow
def test_all_pairs_join_the_ladder(pnp: Pnp) -> None:
    """The grid goes on from the ladder's games; a line and a column for each bot."""
    asked = (*JOURNEY8, "--bot", "look-ahead", "--deals", "0", "--games", "20", "--out", "out")
    ladder = pnp(*asked, "--executor", "processes:1").out
    before = {line for line in RESULT.read_text().splitlines() if '"one"' in line}
    told = pnp(*asked, "--grid", "--executor", "processes:1").out

    assert "all pairs" not in ladder and "share of luck" not in told
    assert {line.rstrip(",") for line in before} <= {line.rstrip(",") for line in RESULT.read_text().splitlines()}
    rows = [line.split() for line in told.splitlines() if line.startswith("  ")][-4:]
    assert rows[0] == ["random", "greedy", "look-ahead"]
    shares = [[None if text == "-" else float(text) for text in row[1:]] for row in rows[1:]]
    for at in range(3):
        assert shares[at][at] is None
        for other in range(at):
            assert (shares[at][other] or 0) + (shares[other][at] or 0) == pytest.approx(100, abs=0.11)


@pytest.mark.slow
def test_alone(pnp: Pnp) -> None:
    """Who plays alone is held against the one below with the same deals; there are no ratings."""
    asked = ("--bot", "random", "--bot", "greedy", "--games", "10", "--deals", "4", "--out", "out")
    ran = pnp("lab", "skill", "journey18", *asked, "--project", str(PROJECT.root), "--executor", "processes:1", code=0)
    assert " additional wins of each bot over the next weaker one, on the same seeds:" in ran.out.splitlines()
    assert "Elo" not in ran.out and "ratings" not in ran.out


def test_broken_laws_are_told_and_not_counted(once: bytes, pnp: Pnp) -> None:
    """A match in which one was broken has no figures."""
    data = json.loads(once)
    data["matches"][0]["faults"] = 3
    data["deals"][0]["endless"] = 2
    RESULT.write_text(json.dumps(data))
    told = pnp("lab", "show", str(RESULT)).out
    assert "2 players, greedy against random: a law is broken in 3 games; their figures are left out" in told
    assert "2 players, random: 2 games did not end and were stopped" in told
    assert "each seed once" not in told and "share of luck" in told


def test_what_takes_long_is_told_beforehand(pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """How long a game of each bot takes, and all of them."""
    clock = iter(range(0, 10_000, 2))
    monkeypatch.setattr("generator.lab.skill_run.process_time", lambda: next(clock))
    ran = pnp(*JOURNEY8, "--out", "out", "--games", "4", "--deals", "0", "--executor", "processes:1")
    first, second, _ = ran.err.splitlines()
    assert first.startswith("a game of 2 by greedy ") and ", random " in first
    assert second.startswith("about ") and second.endswith(" in all; --for stops earlier, Ctrl+C keeps what was played")


def test_files_that_are_no_results(pnp: Pnp) -> None:
    """Nobody's file is written over; a broken result is told as one."""
    RESULT.parent.mkdir(parents=True)
    RESULT.write_text("my notes")
    ran = pnp(*JOURNEY8, "--out", "out", "--games", "1", "--deals", "0")
    assert (ran.code, RESULT.read_text()) == (1, "my notes")
    assert ran.err == f"{RESULT} is not a result of `pnp lab skill`; move it, or choose another folder with --out\n"
    RESULT.write_text('{"kind": "skill", "format": 1}')
    ran = pnp("lab", "show", str(RESULT))
    assert (ran.code, ran.said[0]) == (
        1, f"{RESULT}:1:1: this file is not a result of the lab: 'data' is missing; name a file that `pnp lab skill` "
        "wrote"
    )  # fmt: skip


def test_shares_of_luck_near_all_hold_with_few_deals() -> None:
    """Deals that settle 90 % are lopsided: limits symmetrical about the share would hold 91 of 100 times."""
    chance = np.random.default_rng(3)
    held = 0
    for _ in range(1000):
        won = chance.binomial(10, chance.beta(1 / 18, 1 / 18, 50)).tolist()
        held += not estimate_luck_shares([[(n, 10 - n, 10) for n in won]], 10)[0].excludes_value(0.9)
    assert 930 <= held <= 985
