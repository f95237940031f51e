"""The smallest change that meets the aims: found where paper says it is, confirmed on fresh games, honest where there is none."""

import json
from collections import Counter
from pathlib import Path

import pytest
from conftest import Pnp, Ran
from urn_project import UrnProject

from generator.lab.chunks import Cell
from generator.lab.findings import is_settled, judge_aim, judge_arms
from generator.lab.measures import BROKEN, Sums
from generator.lab.results import MeasureAim, Question, Result

RED, WHITE = "components.ball.designs.red.count", "components.ball.designs.white.count"
AIMS = """\
format: 1
game: urn
question: {en: "What makes the first seat fair?"}
arms: {as it is: {}}
measures: {first seat: {share of wins: seat 1}, length: turns}
aims: {first seat: {within: 8pp, of: fair}, length: {between: [2, 4]}}
decide: {at most: 2000 games}
run: 3
"""


@pytest.fixture
def smallest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp) -> Pnp:
    """The command on the game whose truth is on paper."""
    monkeypatch.chdir(UrnProject(tmp_path / "project").root)
    Path("aims.yaml").write_text(AIMS, encoding="utf-8")

    def command(*ranges: str) -> Ran:
        how = ("--aims", "aims.yaml", "--trust-rules", "--executor", "processes:1", "--out", "out")
        return pnp("lab", "sweep", "urn", *ranges, *how)

    return command


def answer(ran: Ran) -> list[str]:
    """What is told after the empty line that ends the games."""
    assert ran.code == 0, ran.err
    return ran.out.split("\n\n")[-2].splitlines()


@pytest.mark.slow
def test_it_is_found_where_paper_says(smallest: Pnp) -> None:
    """Half of 3 rounds are won with as many red balls as white: 4 of 5 white ones less is less than 4 red ones more."""
    said = answer(smallest(f"{RED}=1..5", f"{WHITE}=1..5"))
    assert said[0] == "The smallest change: ball.red.count=1 ball.white.count=1"
    assert [line.split()[3] for line in said[1:]] == ["first", "length"]
    data = json.loads(Path("out/urn/lab-sweep-confirmed-1.json").read_text(encoding="utf-8"))
    assert (data["experiment"]["run"], data["looked"]) == (4, 2000), "games that nobody has chosen by, looked at early"
    assert data["arms"][0] == "ball.red.count=1 ball.white.count=1"
    assert data["cells"][0]["games"] < 2000


@pytest.mark.slow
def test_fewer_numbers_come_before_smaller_sizes(smallest: Pnp) -> None:
    """2 red and 2 white changes two numbers by 1.6 in all, 5 red and 5 white one by 4: the latter is the smaller change."""
    assert (
        answer(smallest(f"{RED}=1,2,5", f"{WHITE}=2,5"))[0]
        == "The smallest change: ball.red.count=5 ball.white.count=5"
    )


def test_none_of_those_tried(smallest: Pnp) -> None:
    """Nothing is confirmed where nothing is left."""
    ran = smallest(f"{RED}=1..2", "rules.idle=3..4")
    assert "screened in 200 games of run 3 each: 4 points, 4 miss an aim\n" in ran.out
    assert answer(ran) == ["No tested change meets the aims."]
    assert not Path("out/urn/lab-sweep-confirmed-1.json").exists()


def test_what_is_not_known_is_not_claimed(smallest: Pnp) -> None:
    """4 red balls win 41.7 %, a third of a point too few: 2,000 games can't tell."""
    ran = smallest(f"{RED}=4")
    assert ran.code == 2, "one value is no range"
    assert answer(smallest(f"{RED}=1,4")) == [
        "No tested change is known to meet the aims; undecided: ball.red.count=4",
        "More games may decide it: raise `at most` in the experiment.",
    ]


def test_no_change_is_needed(smallest: Pnp) -> None:
    """Where the game as it is meets its aims."""
    Path("aims.yaml").write_text(AIMS.replace("{within: 8pp, of: fair}", "{between: [2%, 16%]}"), encoding="utf-8")
    assert answer(smallest(f"{RED}=1..3"))[0] == "No change is needed: the game meets the aims as it is."


@pytest.mark.slow
def test_it_goes_on_and_is_the_same_whoever_plays(smallest: Pnp, pnp: Pnp) -> None:
    """Asked again it plays nothing; two processes give the same files."""
    asked = (f"{RED}=1..5", f"{WHITE}=1,5")
    first = smallest(*asked).out
    files = {path.name: path.read_bytes() for path in Path("out/urn").iterdir()}
    again = smallest(*asked).out
    other = pnp(
        "lab", "sweep", "urn", *asked, "--aims", "aims.yaml", "--trust-rules", "--executor", "processes:2", "--out", "o"
    )
    assert len(files) == 2
    assert first == again == other.out
    assert files == {path.name: path.read_bytes() for path in Path("out/urn").iterdir()}
    assert files == {path.name: path.read_bytes() for path in Path("o/urn").iterdir()}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (AIMS.replace("aims:", "# aims:"), "aims.yaml: the experiment has no aims; write some, for example {length: {between: [35, 45]}}"),
        (AIMS.replace("game: urn", "game: jug"), "aims.yaml:2:7: unknown game 'jug'; there is only urn"),
    ],
)  # fmt: skip
def test_files_without_aims(smallest: Pnp, text: str, told: str) -> None:
    """Told before any game."""
    Path("aims.yaml").write_text(text, encoding="utf-8")
    ran = smallest(f"{RED}=1..2")
    assert ran.code == 1
    assert ran.said[0].startswith(told.partition(";")[0])
    assert not Path("out").exists()


TABLE = Cell(2, ("random", "random"))


def of(turns: dict[int, int], wins: int = 50, looked: int = 0, broken: int = 0) -> Result:
    """100 games of one arm, of which seat 1 has won so many."""
    games = sum(turns.values())
    measures = {"turns": Counter(turns), "won": Counter({1: wins, 0: games - wins}), BROKEN: Counter({1: broken, 0: 1})}
    aims = Question(aims={"turns": MeasureAim(3, 5), "won": MeasureAim(-0.2, 0.2, fair=True)})
    whole = {"turns": 1, "won": 1, BROKEN: 1}
    shares = frozenset({"won", BROKEN})
    return Result({}, "k", ("a",), whole, shares, {(TABLE, "a"): Sums(games, measures)}, looked, aims)


def test_verdicts_of_the_middle() -> None:
    """It lies within the limits if fewer than half lie below and fewer than half above; the limits are included."""
    for looked in (0, 200):
        told = [
            judge_aim(of(turns, looked=looked), "turns", MeasureAim(3, 5), TABLE, "a", 0.95)
            for turns in ({3: 100}, {2: 20, 5: 80}, {2: 100}, {6: 80, 3: 20}, {2: 48, 3: 52}, {5: 45, 6: 55})
        ]
        assert told == ["met", "met", "missed", "missed", "open", "open"]


def test_all_aims_are_to_be_met() -> None:
    """One missed is enough to miss; a broken law misses all; nobody knows of an arm without games."""
    assert judge_arms(of({4: 100}), [TABLE], 0.95) == {"a": "met"}
    assert judge_arms(of({4: 100}, wins=95), [TABLE], 0.95) == {"a": "missed"}
    assert judge_arms(of({4: 100}, wins=70), [TABLE], 0.95) == {"a": "open"}
    assert judge_arms(of({4: 100}, broken=1), [TABLE], 0.95) == {"a": "missed"}
    assert judge_arms(of({4: 100}), [TABLE, Cell(3, ("random",) * 3)], 0.95) == {"a": "open"}


def test_when_one_may_stop() -> None:
    """As soon as the first that meets is known, with all before it missed; or when none is left."""
    assert is_settled(["missed", "met", "open"])
    assert is_settled(["missed", "missed"])
    assert not is_settled(["missed", "open", "met"])
    assert not is_settled(["open"])
