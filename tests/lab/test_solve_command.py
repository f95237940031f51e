"""`pnp lab solve`: the same file whoever solves, gone on with where it stopped, and a table that tells the lines apart."""

import json
from pathlib import Path

import pytest
from cards_project import StairsProject
from conftest import Pnp, Ran

from generator.lab import experiment_runs as lab
from generator.lab.statistics import exact_limits
from generator.lab.win_solver import DealOutcome, SolvedDeals, read_solved, winnable_limits

FILE = Path("out/stairs/lab-solve.json")


@pytest.fixture
def solve(tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> Pnp:
    """The command on the game of five cards."""
    StairsProject(tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")

    def command(*arguments: str) -> Ran:
        return pnp("lab", "solve", "stairs", "--trust-rules", "--executor", "processes:1", "--out", "out", *arguments)

    return command


@pytest.mark.slow
def test_every_deal_with_what_became_of_it(solve: Pnp) -> None:
    """A line for each deal, and as many in the table; those who don't know the cards are told apart, on the same deals."""
    ran = solve("--games", "60", "--played", "40")
    assert ran.code == 0, ran.err
    data = json.loads(FILE.read_text(encoding="utf-8"))
    lines = data["deals"]
    won, lost = [line for line in lines if "moves" in line], [line for line in lines if "lost" in line]
    assert [line["deal"] for line in lines] == list(range(60))
    assert len(won) + len(lost) == 60
    assert {line["lost"] for line in lost} <= {"hopeless", "searched"}
    assert f"{len(won)} won, {len(lost)} lost" in ran.out
    assert ran.out.count(" of 40\n") == 2
    assert [line.split()[0] for line in ran.out.splitlines()[3:]] == ["look-ahead", "random"]


@pytest.mark.slow
def test_the_same_file_whoever_solves_and_however_often(solve: Pnp) -> None:
    """Deals that the file has are not solved again; two processes and one give the same bytes."""
    solve("--games", "25", "--played", "0")
    solve("--games", "70", "--played", "0")
    gone_on = FILE.read_bytes()
    ran = solve("--games", "70", "--played", "0", "--anew", "--executor", "processes:2")
    assert ran.code == 0, ran.err
    assert FILE.read_bytes() == gone_on


@pytest.mark.slow
def test_deals_of_other_rules_are_not_taken_over(solve: Pnp) -> None:
    """Another question begins anew; the first one's deals are put aside, and are there when it is asked again."""
    solve("--games", "20", "--played", "0")
    first = FILE.read_bytes()
    solve("--games", "10", "--played", "0", "--states", "50")
    second = json.loads(FILE.read_text(encoding="utf-8"))
    assert json.loads(first)["key"] != second["key"]
    assert len(second["deals"]) == 10
    assert FILE.with_name(f"lab-solve.{json.loads(first)['key'][:8]}.json").read_bytes() == first
    solve("--games", "5", "--played", "0")
    assert FILE.read_bytes() == first


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "out/stairs/lab-solve.json:1:2: this file is not a result of the lab: Expecting property name enclosed in double quotes; name a file that `pnp lab solve` wrote",),
        ("[]", "out/stairs/lab-solve.json:1:1: this file is not a result of the lab: the file must be `name: value` pairs, not a list; name a file that `pnp lab solve` wrote"),
        (
            '{"format": 7, "key": "k", "arms": [], "deals": []}',
            "out/stairs/lab-solve.json:1:12: this file is not a result of the lab: the format 7 is not known; move the file, and run the command again",
        ),
    ],
)  # fmt: skip
def test_nobodys_file_is_written_over(solve: Pnp, text: str, told: str) -> None:
    """A file that holds no solved deals is told, and stays."""
    FILE.parent.mkdir(parents=True)
    FILE.write_text(text, encoding="utf-8")
    ran = solve("--games", "5", "--played", "0")
    assert (ran.code, ran.said) == (1, [told])
    assert FILE.read_text(encoding="utf-8") == text


@pytest.mark.slow
def test_what_is_solved_is_kept_meanwhile(solve: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each minute, and when something goes wrong in the middle: the next run goes on from there."""
    seen: list[int] = []
    lots = lab.solve_deals

    def watched(*asked: object) -> object:
        for number, lot in enumerate(lots(*asked), 1):  # type: ignore[arg-type]
            if number > 1:
                seen.append(len(json.loads(FILE.read_text(encoding="utf-8"))["deals"]))
            if number == 4:
                raise RuntimeError("the machine is unplugged")
            yield lot

    monkeypatch.setattr(lab, "solve_deals", watched)
    monkeypatch.setattr("generator.lab.experiment.SAVED_EVERY", -1.0)
    assert solve("--games", "60", "--played", "0").code != 0
    assert seen == [10, 20, 30]
    assert len(json.loads(FILE.read_text(encoding="utf-8"))["deals"]) == 40


def test_what_is_written_is_read_again() -> None:
    """Every kind of outcome comes back as it was."""
    outcomes = [
        DealOutcome(0, (1, 2), width=5, tried=7),
        DealOutcome(1, (), tried=0),
        DealOutcome(2, lost="hopeless"),
        DealOutcome(3, lost="searched", tried=9),
        DealOutcome(4, tried=100),
    ]
    solved = SolvedDeals(
        {"game": "x", "draft": "1"}, "key", ("as it is",), {("as it is", one.deal): one for one in outcomes}
    )
    assert read_solved(solved.to_text(), "file") == solved


def test_an_open_deal_is_neither_won_nor_lost() -> None:
    """It widens the interval on both sides: 90 of 100 won, 4 open."""
    outcomes = [DealOutcome(n, (1,)) for n in range(90)] + [DealOutcome(n) for n in range(90, 94)]
    outcomes += [DealOutcome(n, lost="searched") for n in range(94, 100)]
    assert winnable_limits(outcomes) == (exact_limits(90, 100)[0], exact_limits(94, 100)[1])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(("--arm", "rules"), "write name=value"), (("--arm", "rules.no_such=3"), "no_such")],
)  # fmt: skip
def test_wrong_arms(solve: Pnp, arguments: tuple[str, ...], told: str) -> None:
    """Told, and nothing is written."""
    ran = solve("--games", "5", *arguments)
    assert ran.code != 0
    assert told in ran.err
    assert "Traceback" not in ran.err
    assert not FILE.exists()
