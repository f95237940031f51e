"""The commands of the lab: what they need, what they say, what they refuse."""

import subprocess
import sys
from importlib import util
from pathlib import Path

import pytest
from conftest import Pnp
from shipped_games import PROJECT

HERE = ("--project", str(PROJECT.root), "--out", "out", "--executor", "processes:1")


pytestmark = pytest.mark.usefixtures("room")


@pytest.mark.parametrize("missing", [("scipy",), ("numpy", "scipy")], ids=" ".join)
def test_libraries_that_are_not_installed(pnp: Pnp, monkeypatch: pytest.MonkeyPatch, missing: tuple[str, ...]) -> None:
    """One is told which extra brings them, before anything is read or played."""
    found = util.find_spec
    monkeypatch.setattr(
        "generator.lab.experiment_runs.find_spec", lambda name: None if name in missing else found(name)
    )
    lacking = "scipy, which is" if missing == ("scipy",) else "numpy and scipy, which are"
    words = f"the lab needs {lacking} not installed; install the program with its extra `lab`\n"
    for command in (("readings", "journey8"), ("report", "journey8"), ("run", "none.yaml"), ("show", "none.json")):
        more = () if command[0] == "show" else HERE
        ran = pnp("lab", *command, *more)
        assert (ran.code, ran.err) == (1, words)


def test_compiled_rules_need_their_compiler(pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--fast` without numba is told before any game."""
    found = util.find_spec
    monkeypatch.setattr(
        "generator.lab.experiment_runs.find_spec", lambda name: None if name == "numba" else found(name)
    )
    assert pnp("lab", "report", "journey8", "--fast", *HERE).err == (
        "the lab needs numba, which is not installed; install the program with its extra `lab`\n"
    )


@pytest.mark.slow
def test_compiled_rules_play_the_same(pnp: Pnp, kernels: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the byte, by threads and by processes."""
    monkeypatch.setattr("generator.lab.experiment_runs.kernel_folder", lambda *_: Path(kernels))
    asked = ("lab", "readings", "journey8", "E18", "--players", "2", "--games", "300", "--project", str(PROJECT.root))
    files = []
    for more in (
        ("--executor", "processes:1"),
        ("--fast", "--executor", "threads:2"),
        ("--fast", "--executor", "processes:2"),
    ):
        pnp(*asked, "--out", f"out{len(files)}", *more, code=0)
        files.append(Path(f"out{len(files)}/journey8/lab-readings.json").read_bytes())

    assert files[0] == files[1] == files[2]


@pytest.mark.slow  # plays and reports twice
def test_a_game_alone_is_reported(pnp: Pnp) -> None:
    """`lab GAME` is `lab report GAME`; a command that is slightly wrong is no game."""
    few = ("journey8", "--players", "2", "--games", "5", *HERE)
    alone, whole = pnp("lab", *few), pnp("lab", "report", *few, "--anew")
    assert (alone.code, alone.out) == (0, whole.out)
    assert (
        pnp("lab", "journey9", *HERE).err == f"{PROJECT.root}/data: unknown game 'journey9'; did you mean 'journey8'?\n"
    )
    wrong = pnp("lab", "reading", "journey8", *HERE, code=2)
    assert "No such command 'reading'. Did you mean 'readings'?" in wrong.err


@pytest.mark.parametrize(
    "asked",
    [
        (["--help"], ["lab", "--help"], ["lab", "run", "--help"]),
        pytest.param((["validate", "journey8", "--games", "3"],), marks=pytest.mark.slow),
    ],
    ids=["help", "games"],
)
def test_other_commands_import_none_of_them(asked: tuple[list[str], ...]) -> None:
    """Neither help nor a validation with games waits for numpy, scipy or the cluster."""
    code = (
        "import sys\nfrom generator.commands.command_line import main\n"
        f"for asked in {asked!r}:\n    sys.argv = ['pnp', *asked]\n"
        "    try:\n        main()\n    except SystemExit:\n        pass\n"
        "    print(asked, *({name.split('.')[0] for name in sys.modules} & {'numpy', 'scipy', 'distributed', 'numba'}))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PROJECT.root)
    assert [line for line in run.stdout.splitlines() if line.startswith("[")] == [str(each) for each in asked]


def test_report_tells_of_every_number_of_players(pnp: Pnp) -> None:
    """Length, seats, scores, ties, supplies; the seats' shares of all numbers of players add up."""
    ran = pnp("lab", "report", "journey8", "--games", "40", *HERE)
    assert (ran.code, ran.err) == (0, "out/journey8/lab-report.json\n")
    assert [line for line in ran.out.splitlines() if "games of each arm" in line] == [
        f"{players} players, random: 40 games of each arm" for players in (2, 3, 4)
    ]
    for part in ran.out.split("games of each arm")[1:]:
        shares = [float(line.split()[4]) for line in part.splitlines() if "win of seat" in line]
        assert sum(shares) == pytest.approx(100, abs=2)
        for name in ("turns", "decisions", "best score", "spread", "ties", "counters", "endless"):
            assert name in part


def test_readings_tell_what_stands_first(pnp: Pnp) -> None:
    """Verdicts first; then each table, where what changes nothing is one line with how many games were the same."""
    ran = pnp("lab", "readings", "journey8", "E18", "--games", "200", "--players", "4", "--bot", "random", *HERE)
    assert ran.err.startswith("4 players, random: 200 games of each of 3 readings\nabout ")
    verdicts, lines = ran.out.splitlines()[2:7], ran.out.splitlines()[5:]
    assert verdicts[0] == "what to decide first, by turns, points, seats and endings:"
    assert verdicts[1].startswith("  E18 forbidden   changes the game  best score -")
    assert verdicts[2] == "  E18 hand_limit  never came up     it matters in example E18-limit"
    assert verdicts[3] == "  too small: within 5 % of the games or 0.2 standard deviations"
    assert lines[3] == " significant differences from 'as it is', of 22 tested (Holm):"
    assert lines[4] == "  E18 forbidden (0.0 % identical games)"
    assert [line.split()[0] for line in lines[5:-3]] == ["turns", "decisions", "best"]
    assert lines[-3] == "  not significant: E18 hand_limit (100.0 % identical games)"
    assert lines[-1] == "Bots are not people: skilled players may get other results."
    assert pnp("lab", "show", "out/journey8/lab-readings.json").out == ran.out


@pytest.mark.slow
def test_until_each_share_is_known(pnp: Pnp) -> None:
    """The result says that somebody has looked; going on from there plays nothing more."""
    asked = ("lab", "report", "journey8", "--players", "2", "--until", "8pp", *HERE)
    ran = pnp(*asked)
    halves = [line.split("(")[1].split(")")[0].split(" to ") for line in ran.out.splitlines() if "win of" in line]
    first = Path("out/journey8/lab-report.json").read_bytes()
    assert "intervals of 95 %, which hold at every look" in ran.out
    assert pnp(*asked).out == ran.out
    assert Path("out/journey8/lab-report.json").read_bytes() == first
    assert all(12 < float(high) - float(low) < 18.5 for low, high in halves)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("readings", "journey8", "--bot", "gredy"), "unknown bot 'gredy'; did you mean 'greedy'?"),
        (("report", "journey8", "--players", "9"), "journey8 does not support 9 players; it is for 2 to 4 players"),
        (("readings", "journey8", "E180"), "E180 is not a reading of journey8; did you mean 'E18'?"),
        (("report", "journey"), f"{PROJECT.root}/data: unknown game 'journey'; did you mean 'journey8'?"),
        (("skill", "journey8", "--bot", "gredy"), "unknown bot 'gredy'; did you mean 'greedy'?"),
        (("skill", "journey8", "--players", "9"), "journey8 does not support 9 players; it is for 2 to 4 players"),
        (
            ("solve", "journey18", "--arm", "E99=yes"),
            "arm 'E99=yes': journey18 has no reading 'E99'; did you mean 'E9'?",
        ),
        (
            ("solve", "fortuna", "--games", "5"),
            "data/fortuna/game.yaml:25:10: fortuna is for 4 players, but pnp solves only games for one "
            "player; choose a game for one player",
        ),
    ],
    ids=str,
)
def test_what_there_is_not(pnp: Pnp, asked: tuple[str, ...], told: str) -> None:
    """Bots, numbers of players, entries, games; nothing is written."""
    ran = pnp("lab", *asked, *HERE)
    assert (ran.code, ran.out, ran.err) == (1, "", f"{told}\n")
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("command", "option", "told"),
    [
        (
            "report",
            "--executor dask",
            "the executor dask needs the address of its scheduler, such as dask:tcp://HOST:8786",
        ),
        ("report", "--executor thread:2", "unknown executor 'thread'; did you mean 'threads'?"),
        ("report", "--executor threads:0", "threads needs a number from 1 to 256, as threads:2"),
        ("report", "--until 0pp", "write a precision in percentage points, such as 0.5pp"),
        ("report", "--for soon", "write a time such as 90s, 2m or 1h"),
        ("skill", "--until 1pp", "--until does not work with lab skill; use --games, --deals or --for"),
    ],
)
def test_options_that_are_none(pnp: Pnp, command: str, option: str, told: str) -> None:
    """Wrong usage ends with 2."""
    ran = pnp("lab", command, "journey8", *HERE, *option.split())
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert not Path("out").exists()


@pytest.mark.slow
def test_progress_tells_what_is_known(pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """How far, how long, and what stands so far."""
    said: list[str] = []
    monkeypatch.setattr("generator.lab.commands.lab_group.progress", lambda: said.append)
    pnp("lab", "readings", "journey8", "E18", "--games", "400", "--players", "4", "--bot", "random", *HERE)
    assert said[0] == "journey8: looking for games in which 2 of 2 readings matter"
    assert [line.partition(", about")[0] for line in said if " lots " in line or not line][-3:] == [
        "journey8: 1 of 2 lots of games", "journey8: 2 of 2 lots of games", "",
    ]  # fmt: skip
    assert "s left; so far changes the game: 1" in said[-2]
