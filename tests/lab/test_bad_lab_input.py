"""All that can be wrong with what the lab is asked: each told once, where it stands, with a way out; nothing is lost."""

import errno
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Pnp, Ran
from lab_runs import no_game
from tests_support import enter, refuse_new_files
from urn_project import UrnProject

from generator.lab import experiment_runs as lab

HOW = ("--trust-rules", "--executor", "processes:1", "--out", "out")
HEAD = "format: 1\ngame: urn\nmeasures: [turns]\narms:\n  as it is: {}\n"


@pytest.fixture(autouse=True)
def urn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UrnProject:
    return enter(UrnProject(tmp_path / "project"), monkeypatch)


def run(pnp: Pnp, text: str, *more: str) -> Ran:
    Path("e.yaml").write_text(text, encoding="utf-8")
    return pnp("lab", "run", "e.yaml", "--games", "4", *HOW, *more)


WRONG = {
    "an arm of nothing known": ("  a: {reading: {E1: away}}\n", ["e.yaml:6:7: unknown field 'reading' in arms.a; did you mean 'readings'?"]),
    "an arm that there is not": ("compare: all against b\n", ["e.yaml:6:10: there is no arm 'b'; known: as it is"]),
    "compared with a range": (
        '  a: {rules: {rounds: "1..3"}}\ncompare: all against a\n',
        ["e.yaml:7:10: the arm 'a' has ranges; known: as it is"],
    ),
    "an unknown reading": ("  a: {readings: {E3: away}}\n", ["e.yaml:6:22: arm 'a': urn has no reading 'E3'; did you mean 'E2'?"]),
    "an unknown way to read it": ("  a: {readings: {E1: gone}}\n", ["e.yaml:6:22: arm 'a': the option ball does not allow 'gone'; it can be back, away"]),
    "an unknown way to read a switch that the rules never ask for": (
        "  a: {readings: {first: oldest}}\n",
        ["e.yaml:6:25: arm 'a': the option first does not allow 'oldest'; it can be anybody, youngest"],
    ),
    "readings that exclude each other": (
        "  a: {readings: {E1: away, ball: back}}\n",
        ['e.yaml:6:34: arm \'a\': ball has two values: "away" and "back"; write two arms'],
    ),
    "a reading that other numbers exclude": (
        "  a: {readings: {E1: away}, rules: {rounds: 7}}\n",
        ["e.yaml:6:3: arm 'a': there are fewer balls than rounds; put them back (E1), or print more"],
    ),
    "arms that can't be printed": (
        "  a: {components: {ball.designs.red.count: 0, ball.designs.white.count: 0}}\n"
        "  b: {components: {ball.designs.red.count: -1}}\n"
        "  c: {components: {ball.designs.red.count: many}}\n"
        "  d: {components: {ball.designs.green.count: 1}}\n",
        [
            "data/urn/game.yaml:18:7: arm 'a': the urn has no balls; print one",
            "data/urn/game.yaml:18:26: arm 'b': count is -1, but must be at least 0; change the number",
            "data/urn/game.yaml:18:26: arm 'c': count must be a whole number, not 'many'; write digits only",
            "e.yaml:9:46: arm 'd': the data have no value 'components.ball.designs.green.count'; "
            "write its path, as `rules.hand`; tables stay as they are",
            "4 problems",
        ],
    ),
    "ranges without values": (
        '  a: {rules: {rounds: "3..1", idle: "*"}, readings: {E1: "back,,away"}}\n',
        [
            "e.yaml:6:23: the range '3..1' has no values; write it from low to high, with a step above 0",
            "e.yaml:6:37: the range '*' has no values; write 3..7, 3..7:2, 1,2,4, or *1..3 to multiply what there is",
            "2 problems",
        ],
    ),
    "ranges of what there is not": (
        '  a: {rules: {rnds: "1..3"}, components: {ball.designs.*.title: "*1..2"}}\n',
        [
            "e.yaml:6:21: the data have no value 'rules.rnds'; write its path, as `rules.hand`; tables stay as they are",
            "e.yaml:6:65: the data have no number 'components.ball.designs.*.title'; "
            "write its path, as `rules.hand`; tables stay as they are",
            "2 problems",
        ],
    ),
    "a range of a reading with an unknown way": (
        '  a: {readings: {E1: "away,gone"}, rules: {rounds: 7}}\n',
        [
            "e.yaml:6:3: arm 'E1=away rounds=7': there are fewer balls than rounds; put them back (E1), or print more",
            "e.yaml:6:22: arm 'E1=gone rounds=7': the option ball does not allow 'gone'; it can be back, away",
            "2 problems",
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "told"), WRONG.values(), ids=WRONG.keys())
def test_experiments_that_can_not_be_played(pnp: Pnp, text: str, told: list[str]) -> None:
    """All that is wrong with any arm at once, before any game, and nothing is written."""
    ran = run(pnp, HEAD + text)
    assert (ran.code, ran.said) == (1, told)
    assert not Path("out").exists()


def test_an_arm_that_breaks_a_law(pnp: Pnp) -> None:
    """It is played, told, and its figures are left out."""
    ran = run(pnp, HEAD + "  cursed: {rules: {curse: 1}}\n")
    assert ran.code == 0
    assert (
        "cursed, 2 players, random: a law is broken in 4 games; their figures are left out\n"
        "\n2 players, random: 4 games of each arm\n"
        " significant differences from 'as it is', of 0 tested (Holm):\n  none\n\n"
    ) in ran.out


def test_points_that_break_a_law(pnp: Pnp) -> None:
    """In a sweep, too."""
    ran = pnp("lab", "sweep", "urn", "rules.curse=0..1", "rules.rounds=1..3", "--games", "200", *HOW)
    assert "curse=1 rounds=1, 2 players, random: a law is broken in 200 games; their figures are left out\n" in ran.out
    assert "  turns\n       1     2     3\n    0  1.0*  2.0*  3.0=\n    1  -     -     -\n    each to" in ran.out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("my notes", "out/urn/lab-e.json:1:1: this file is not a result of the lab: Expecting value; name a file that `pnp lab` wrote"),
        ('{"format": 9}', "out/urn/lab-e.json:1:12: this file is not a result of the lab: the format 9 is not known; move the file, and run the command again"),
    ],
)  # fmt: skip
def test_nobodys_file_is_written_over(pnp: Pnp, text: str, told: str) -> None:
    """What stands where the result would go and is none stays there."""
    kept = Path("out/urn/lab-e.json")
    kept.parent.mkdir(parents=True)
    kept.write_text(text, encoding="utf-8")
    assert run(pnp, HEAD).said == [told]
    assert kept.read_text(encoding="utf-8") == text


def test_tables_may_be_as_large_as_for_a_build(pnp: Pnp, urn: UrnProject) -> None:
    """The lab reads a table of 17 MB; one that no build would read is a problem with its place."""
    table = urn.root / "data/urn/large.csv"
    table.write_bytes(bytes(17 << 20))
    assert run(pnp, HEAD).code == 0
    with table.open("wb") as file:
        file.truncate(65 << 20)
    ran = run(pnp, HEAD)
    assert (ran.code, ran.said) == (1, [
        "data/urn/large.csv: the file has 68,157,440 bytes, more than 67,108,864; split it into several kinds",
    ])  # fmt: skip


def test_a_result_of_other_data(pnp: Pnp, urn: UrnProject) -> None:
    """It is put aside under its key, and its report says that the data have changed."""
    run(pnp, HEAD)
    first = Path("out/urn/lab-e.json").read_bytes()
    urn.change("data/urn/game.yaml", "rounds: 3", "rounds: 4")
    run(pnp, HEAD)
    aside = Path(f"out/urn/lab-e.{json.loads(first)['key'][:8]}.json")
    assert aside.read_bytes() == first
    assert Path("out/urn/lab-e.json").read_bytes() != first
    assert pnp("lab", "show", str(aside), "--html", "--lang", "en", "--out", "out", "--trust-rules").code == 0
    assert "The data have changed since" in aside.with_suffix(".en.html").read_text(encoding="utf-8")


def test_results_of_two_games(pnp: Pnp) -> None:
    """They can't be held against each other."""
    run(pnp, HEAD)
    mine = Path("out/urn/lab-e.json")
    Path("other.json").write_text(mine.read_text(encoding="utf-8").replace('"game": "urn"', '"game": "jug"'), "utf-8")
    assert pnp("lab", "show", str(mine), "other.json").said == [
        "the results are from two different games, urn and jug; name two results of the same game"
    ]


@pytest.mark.slow
def test_a_scheduler_that_does_not_answer(pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told, and what was played before stays."""
    pytest.importorskip("distributed")
    monkeypatch.setattr("generator.lab.chunks._PATIENCE", 1)
    run(pnp, HEAD)
    before = Path("out/urn/lab-e.json").read_bytes()
    ran = run(pnp, HEAD, "--games", "40", "--executor", "dask:tcp://127.0.0.1:9")
    assert (ran.code, ran.said) == (
        1, ["no scheduler answers at tcp://127.0.0.1:9; start it with `dask scheduler`, then start workers"],
    )  # fmt: skip
    assert Path("out/urn/lab-e.json").read_bytes() == before


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        (("sweep", "urn", "rules.idle=1..2"), "lab-sweep"),
        (("run", "e.yaml"), "lab-e"),
        (("report", "urn"), "lab-report"),
    ],
    ids=str,
)
def test_a_full_disk(pnp: Pnp, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, ...], name: str) -> None:
    """That is known before any game is played."""
    Path("e.yaml").write_text(HEAD, encoding="utf-8")
    refuse_new_files(monkeypatch, errno.ENOSPC)
    monkeypatch.setattr("generator.lab.experiment_runs.play_experiment", no_game)
    ran = pnp("lab", *asked, *HOW)
    assert (ran.code, ran.said) == (
        1,
        [f"out/urn/{name}.json: the file can't be written: No space left on device; " "free some space, or choose another folder with --out"],
    )  # fmt: skip


def test_a_disk_that_fills_while_games_are_played(pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was kept before stays whole."""
    run(pnp, HEAD)
    before = Path("out/urn/lab-e.json").read_bytes()
    play = lab.play_experiment

    def filled(*asked: Any) -> Any:
        refuse_new_files(monkeypatch, errno.ENOSPC)
        yield from play(*asked)

    monkeypatch.setattr(lab, "play_experiment", filled)
    ran = run(pnp, HEAD, "--games", "40")

    assert ran.code == 1
    assert ran.said[0].startswith("out/urn/lab-e.json: the file can't be written: No space left on device; ")
    assert Path("out/urn/lab-e.json").read_bytes() == before
