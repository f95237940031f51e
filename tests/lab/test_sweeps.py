"""`pnp lab sweep`: ranges, the arms that they are, grids on common seeds, told and kept."""

import json
from pathlib import Path

import pytest
from conftest import Pnp, Ran
from tests_support import enter
from urn_project import UrnProject

from generator.base.errors import InvalidInput
from generator.lab.statistics import share_interval
from generator.lab.sweeps import is_range, parse_range

FILE = Path("out/urn/lab-sweep.json")
RED, WHITE = "components.ball.designs.red.count", "components.ball.designs.white.count"
HOW = ("--trust-rules", "--executor", "processes:1", "--out", "out")


@pytest.fixture
def urn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UrnProject:
    return enter(UrnProject(tmp_path / "project"), monkeypatch)


@pytest.fixture
def sweep(urn: UrnProject, pnp: Pnp) -> Pnp:
    """The command on it."""

    def command(*arguments: str, games: str = "400") -> Ran:
        return pnp("lab", "sweep", "urn", *arguments, "--games", games, *HOW)

    return command


def told() -> dict[str, dict[str, dict[str, int]]]:
    data = json.loads(FILE.read_text(encoding="utf-8"))
    return {cell["arm"]: cell["measures"] for cell in data["cells"]}


@pytest.mark.parametrize(
    ("text", "values", "times"),
    [
        ("3..7", (3, 4, 5, 6, 7), False),
        ("3..8:2", (3, 5, 7), False),
        ("0.5..2:0.5", (0.5, 1, 1.5, 2), False),
        ("-1..1", (-1, 0, 1), False),
        ("1,2,4,2", (1, 2, 4), False),
        ("4", (4,), False),
        ("printed,declared", ("printed", "declared"), False),
        ("true,false", (True, False), False),
        ("*1..3", (1, 2, 3), True),
        ("*0.5,2", (0.5, 2), True),
    ],
)
def test_what_a_range_stands_for(text: str, values: tuple[object, ...], times: bool) -> None:
    """Numbers, whole where they are whole, words, truths; repeated ones once."""
    axis = parse_range("rules.hand", text)
    assert (axis.values, axis.times) == (values, times)
    assert list(map(type, axis.values)) == list(map(type, values))


def test_which_values_are_ranges() -> None:
    """A number, a word and a sentence stand for themselves."""
    assert all(map(is_range, ("3..7", "1,2", "*2", "a,b", "*")))
    assert not any(map(is_range, (3, "3", "red wine", "red, wine", "a.b", "", True, "..")))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the range '' has no values; write 3..7, 3..7:2, 1,2,4, or *1..3 to multiply what there is"),
        ("7..3", "the range '7..3' has no values; write it from low to high, with a step above 0"),
        ("3..7:0", "the range '3..7:0' has no values; write it from low to high, with a step above 0"),
        ("3..", "the range '3..' has no values; write 3..7, 3..7:2, 1,2,4, or *1..3 to multiply what there is"),
        ("1,,2", "the range '1,,2' has no values; write 3..7, 3..7:2, 1,2,4, or *1..3 to multiply what there is"),
        ("*", "the range '*' has no values; write 3..7, 3..7:2, 1,2,4, or *1..3 to multiply what there is"),
        ("*two", "'*two' can't be used to multiply; write numbers above 0 after the *, such as *1..3"),
        ("*0..2", "'*0..2' can't be used to multiply; write numbers above 0 after the *, such as *1..3"),
        ("1..900", "'1..900' has 201 values, more than 200; write a step, such as 10..500:10"),
    ],
)
def test_ranges_without_values(text: str, said: str) -> None:
    """Each with a way out."""
    with pytest.raises(InvalidInput) as found:
        parse_range("rules.hand", text)
    assert f"{found.value}; {found.value.hint}" == said


def test_a_sweep_finds_what_paper_says(sweep: Pnp) -> None:
    """Rounds won among three: p = 1/6 to 5/10; the truth lies within each point's interval."""
    assert sweep(f"{RED}=1..5", games="1000").code == 0
    found = told()
    for red in range(1, 6):
        p = red / (red + 5)
        wins = found["as it is" if red == 1 else f"ball.red.count={red}"]["win of seat 1"]
        games = share_interval(wins.get("2", 0), 1000, 0.999)
        assert games.low < p * p * (3 - 2 * p) < games.high
    assert len(found) == 5


def test_what_changes_nothing_is_found_as_that(sweep: Pnp) -> None:
    """A number that no rule reads: identical games, exactly, no measure moves; and what is not swept has one arm."""
    ran = sweep("rules.idle=3..6")

    assert ran.code == 0, ran.err
    assert " by rules.idle, compared with 'as it is'; *: significant among 24 differences (Holm):\n" in ran.out
    assert (
        "  not significant: turns, decisions, best score, spread, ties, win of seat 1, win of seat 2, endless\n"
        "  100 % identical games: idle=3, idle=5, idle=6\n"
    ) in ran.out
    lines = json.loads(FILE.read_text(encoding="utf-8"))["cells"]
    assert [line["arm"] for line in lines] == ["as it is", "idle=3", "idle=5", "idle=6"]
    for line in lines[1:]:
        assert line["identical"] == 400
        assert all(gaps == {"0": 400} for gaps in line["differences"].values())


def test_one_number_is_a_curve_and_two_are_a_map(sweep: Pnp) -> None:
    """Turns are the rounds, exactly; the point that the data have is the base."""
    one = sweep("rules.rounds=1..5:2")
    two = sweep("rules.rounds=1..5:2", "components.ball.designs.*.count=*1..2")
    assert "    1  1.0 (1.0 to 1.0)  -2.0*     (-2.0 to -2.0)  0.0 % identical games\n" in one.out
    assert "    3  3.0 (3.0 to 3.0)  as it is\n" in one.out
    assert (
        "  turns\n       *1    *2\n    1  1.0*  1.0*\n    3  3.0=  3.0\n    5  5.0*  5.0*\n    each to ±0 or less\n"
        in two.out
    )
    assert "  100 % identical games: rounds=3 ball.*.count=*2\n" in two.out


def test_a_point_that_can_not_be_played_says_why(sweep: Pnp) -> None:
    """The others are played; where none is left, nothing is."""
    ran = sweep(f"{WHITE}=0,5", f"{RED}=0..2")

    assert ran.code == 0, ran.err
    assert "  can't be played: ball.white.count=0 ball.red.count=0: the urn has no balls; print one\n" in ran.out
    assert (
        "  win of seat 1\n       0        1          2\n    0  -        100.00 %*  100.00 %*\n    5  0.00 %*" in ran.out
    )
    assert "100 % the same" not in ran.out
    assert len(told()) == 5
    assert sweep("components.ball.designs.*.count=0,-1").said == [
        "data/urn/game.yaml:18:7: arm 'ball.*.count=0': the urn has no balls; print one",
        "data/urn/game.yaml:18:26: arm 'ball.*.count=-1': count is -1, but must be at least 0; change the number",
        "data/urn/game.yaml:19:28: arm 'ball.*.count=-1': count is -1, but must be at least 0; change the number",
        "3 problems",
    ]


def test_what_is_saved_is_what_was_played(sweep: Pnp, pnp: Pnp) -> None:
    """`pnp lab run` of the file gives the same bytes: an arm with ranges is a sweep."""
    assert sweep("rules.rounds=1..3", f"{RED}=*1..2", "--save", "s.yaml", games="30").code == 0
    first = FILE.read_bytes()
    pnp("lab", "run", "s.yaml", *HOW, code=0)
    assert Path("out/urn/lab-s.json").read_bytes() == first
    assert '"sweep": {"rules": {"rounds": "1..3"}, "components": {"ball.designs.red.count": "*1..2"}}' in Path(
        "s.yaml"
    ).read_text(encoding="utf-8")


def test_the_same_bytes_whoever_plays_and_however_often(sweep: Pnp, pnp: Pnp) -> None:
    """Two processes, threads, and games joined later; shown again it says the same."""
    asked = ("rules.rounds=1..3", f"{RED}=1..2")
    sweep(*asked, games="100")
    gone_on = sweep(*asked, games="450")
    first = FILE.read_bytes()
    for executor in ("processes:2", "threads:2"):
        assert sweep(*asked, "--anew", "--executor", executor, games="450").code == 0
        assert FILE.read_bytes() == first
    assert pnp("lab", "show", str(FILE)).out == gone_on.out


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("rules.rounds", "'rules.rounds' is not a range; write rules.hand=3..7"),
        ("rules.rounds=", "rules.rounds: the range '' has no values; write 3..7, 3..7:2, 1,2,4, or *1..3"),
        ("rules.rounds=3", "each name has only one value; write a range such as rules.hand=3..7"),
        ("moves.draw=1,2", "'moves.draw' is neither in `rules` nor in `components`; write rules.hand=3..7"),
        ("E1=*1..2", "E1: the reading E1 can't be multiplied; write its values, separated by commas"),
    ],
)
def test_ranges_that_are_none(sweep: Pnp, asked: str, said: str) -> None:
    """Wrong usage ends with 2."""
    ran = sweep(asked)
    assert ran.code == 2
    assert said in " ".join(ran.err.split())


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("rules.round=1..2",), "the data have no value 'rules.round'; write its path, as `rules.hand`; tables stay as they are"),
        (("components.ball.designs.*.title=*1..2",), "the data have no number 'components.ball.designs.*.title'; write its path, as `rules.hand`; tables stay as they are"),
        (("rules.idle=1..40", "rules.rounds=1..40"), "'sweep' has 1,600 points, more than 1,000; write fewer values, or screen the numbers first: --screen"),
        (("E7=a,b",), "arm 'E7=a': urn has no reading 'E7'; did you mean 'E2'?"),
    ],
)  # fmt: skip
def test_what_the_data_have_not(sweep: Pnp, asked: tuple[str, ...], said: str) -> None:
    """Told before anything is played."""
    ran = sweep(*asked)
    assert (ran.code, ran.said[0]) == (1, said)
    assert not FILE.exists()


def pages(pnp: Pnp, *more: str) -> dict[str, bytes]:
    """The reports of the result that was kept, by their names."""
    pnp("lab", "show", str(FILE), "--pdf", "--html", "--trust-rules", "--out", "out", *more, code=0)
    return {path.name: path.read_bytes() for path in FILE.parent.glob("lab-sweep.*.*")}


def test_a_report_has_a_map_of_two_numbers(sweep: Pnp, pnp: Pnp) -> None:
    """Each field has what its games came to; a point that can't be played says why; in both languages, to the byte."""
    sweep("rules.rounds=1..2", f"{WHITE}=0,5")
    found = pages(pnp)

    assert sorted(found) == [f"lab-sweep.{lang}.{kind}" for lang in ("en", "ja") for kind in ("html", "pdf")]
    for lang, title, alt in (
        (
            "en",
            "What other numbers would change",
            "turns, point by point: rounds = 1 ball.white.count = 0: 1, rounds = 1 ball.white.count = 5: 1, ",
        ),
        (
            "ja",
            "数を変える実験",
            "手番の数、変え方ごと：rounds = 1 ball.white.count = 0: 1、rounds = 1 ball.white.count = 5: 1、",
        ),
    ):
        page = found[f"lab-sweep.{lang}.html"].decode()
        assert title in page
        said = page.partition("<script")[0]
        assert "readings" not in said
        assert "読み方" not in said
        assert alt in page
    assert pages(pnp) == found


def test_a_report_has_a_curve_of_one_number(sweep: Pnp, pnp: Pnp) -> None:
    """What can't be played stands on the first page, the curve has the rest."""
    sweep(f"{WHITE}=0,2,5", f"{RED}=0")
    page = pages(pnp, "--lang", "en")["lab-sweep.en.html"].decode()
    assert "ball.white.count=0 ball.red.count=0 can’t be played: the urn has no balls; print one" in page
    assert "A dot is the mean of its games" in page
    assert "Each field has the mean" not in page
