"""`pnp play`: a person at the terminal, bots alone, saved games; wrong wishes and spoilt files are told, never a traceback."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Pnp, Ran
from rules_project import RULES, RulesProject
from shipped_games import PROJECT
from tests_support import enter

from generator.play import play_setup
from generator.play.play_setup import parse_option, parse_seed
from generator.rules.engine.table import Seed

Play = Pnp


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RulesProject:
    return enter(RulesProject(tmp_path / "project"), monkeypatch)


@pytest.fixture
def play(project: RulesProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Plays the game with these options, typing these lines."""

    def command(*arguments: str, typed: str = "") -> Ran:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        ran = pnp("play", "higher", "--trust-rules", *arguments)
        assert "Traceback" not in ran.err
        return ran

    return command


def test_a_whole_game_at_the_terminal(play: Play) -> None:
    """First choices to the end; the result is the last thing shown, and nothing is asked after it."""
    ran = play("--lang", "en", "--players", "3", typed="1\n" * 9)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Higher, draft 3: players 3, seed 1/0\n")
    assert ran.out.count("player 1, type a number") == 3
    assert ran.out.splitlines()[-4] == "The end"


def test_the_games_first_language_is_the_usual_one(play: Play) -> None:
    out = play().out
    assert out.startswith("高い札　草案3　2人　シード 1/0\n")
    assert "  手札2: 見えないもの3\n" in out
    assert "の札を出す\n" in out


def test_at_one_screen_everybody_is_asked_who_could_answer() -> None:
    """Two people are both asked in every window of wayfaring; one person among bots only where there is a choice."""
    game, rules = play_setup.load_game_and_rules(PROJECT, "wayfaring", trusted=False)
    assert (
        play_setup.set_up_human_game(game, rules, play_setup.Seating(2, (1, 2))).table.box.numbers["ask_everyone"] == 1
    )
    assert play_setup.set_up_human_game(game, rules, play_setup.Seating(2, (1,))).table.box.numbers["ask_everyone"] == 0
    own = play_setup.Seating(2, (1, 2), options={"ask_everyone": False})
    assert play_setup.set_up_human_game(game, rules, own).table.box.numbers["ask_everyone"] == 0


def test_two_people_at_one_terminal(play: Play) -> None:
    out = play("--lang", "en", "--seat", "1", "--seat", "2", typed="1\n1\n").out
    first, second = out.split("player 1, type a number", 1)
    assert "  hand 2: 3 unseen\n" in first
    assert "  hand 1: 2 unseen\n" in second.split("player 2, type a number")[0]


def test_what_one_person_typed_does_not_come_back_for_the_next(play: Play) -> None:
    readline = pytest.importorskip("readline", reason="this Python edits no lines")
    readline.add_history("play c7")
    play("--lang", "en", "--seat", "1", typed="1\n")
    assert readline.get_current_history_length() == 1, "one person alone keeps the lines"
    play("--lang", "en", "--seat", "1", "--seat", "2", typed="1\n")
    assert readline.get_current_history_length() == 0


@pytest.mark.parametrize("typed", ["", "1\n", "q\n", "1\nq\n"])
def test_leaving_is_no_failure(play: Play, typed: str) -> None:
    """The end of input leaves the game as `q` does."""
    ran = play("--lang", "en", typed=typed)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("Left before the end.\n")


def test_an_interruption_leaves_the_game(
    project: RulesProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Interrupted(io.StringIO):
        def readline(self, *_: Any) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", Interrupted())
    ran = pnp("play", "higher", "--trust-rules", "--lang", "en", "--save", "game.json")

    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("Saved to game.json.\nLeft before the end.\n")
    assert Path("game.json").is_file()


def test_bots_alone(play: Play) -> None:
    short = play("--bots-only", "--lang", "en", "--seed", "1/5").out
    whole = play("--bots-only", "--lang", "en", "--seed", "1/5", "--transcript").out
    assert short.splitlines()[0] == whole.splitlines()[0] == "Higher, draft 3: players 2, seed 1/5"
    assert short.splitlines()[1:] == whole.splitlines()[-2:]
    assert whole.count("  play c") == 6
    assert whole == play("--bots-only", "--lang", "en", "--seed", "1/5", "--transcript").out
    assert whole != play("--bots-only", "--lang", "en", "--seed", "1/6", "--transcript").out


def test_a_persons_game_can_be_written_down(play: Play) -> None:
    out = play("--lang", "en", "--transcript", typed="1\n1\n1\n").out
    assert "\nSet-up\n" in out
    assert out.count("\nThe end\n") == 2


def test_what_a_report_tells_of_can_be_played_again(project: RulesProject, play: Play, pnp: Pnp) -> None:
    hole = RULES.replace(
        "    s.turn += 1\n", "    s.turn += 1\n    if s.turn == 2 and f.strength[move] == 7:\n        s.hole = 1\n"
    )
    hole = hole.replace("    broken=broken,\n", "    broken=broken,\n    holes=(Hole('seven'),),\n")
    project.write("data/higher/rules.py", hole.replace("import Box,", "import Box, Hole,"))
    report = pnp("validate", "--trust-rules", "--games", "60").out
    (found,) = (line for line in report.splitlines() if "[hole.seven]" in line)
    words = found.split("first in ")[1].split(" [")[0].split()
    course = play(*words, "--bots-only", "--transcript", "--lang", "en").out.split("Course\n")[1]
    assert words[0::2] == ["--players", "--bot", "--seed"]
    assert "play the 7" in course.splitlines()[1]


def test_a_saved_game_goes_on(play: Play) -> None:
    """Saved after the first choice and resumed it ends as it does when played through; q and s save."""
    through = play("--lang", "en", "--players", "3", "--seed", "4", "--bot", "random", typed="1\n" * 9).out
    begun = play(
        "--lang", "en", "--players", "3", "--seed", "4", "--bot", "random", "--save", "a.json", typed="1\ns\n1\nq\n"
    )
    assert begun.out.count("Saved to a.json.\n") == 2
    resumed = play("--lang", "en", "--resume", "a.json", typed="1\n" * 9).out
    assert resumed.splitlines()[0] == through.splitlines()[0]
    assert resumed.splitlines()[-3:] == through.splitlines()[-3:]
    assert play("--lang", "en", "--resume", "a.json", typed="s\n").out.count("Saved to a.json.\n") == 2


def test_saving_nowhere(play: Play) -> None:
    """`s` without a file says how to have one; a file that can't be written is told and the game goes on."""
    told = "This game can’t be saved. To save games, start with --save FILE.\n"
    assert play("--lang", "en", typed="s\nq\n").out.count(told) == 2, "at once, and when it is asked for"
    Path("folder").mkdir()
    Path("file").write_text("")
    ran = play("--lang", "en", "--save", "file/a.json", typed="s\n1\nq\n1\n")
    assert ran.code == 0
    assert ran.out.count("file/a.json: the file can't be written: ") >= 2
    assert "name another file with --save" in ran.out
    assert ran.out.count("player 1, type a number") == 3


def saved(play: Play) -> dict[str, Any]:
    play("--save", "a.json", typed="1\nq\n")
    document: dict[str, Any] = json.loads(Path("a.json").read_text())
    return document


@pytest.mark.parametrize("length", [0, 1, 40, -3])
def test_a_save_that_is_cut_off(play: Play, length: int) -> None:
    """It is told at its name, with exit code 1, and is left as it is."""
    saved(play)
    part = Path("a.json").read_bytes()[:length]
    Path("a.json").write_bytes(part)
    ran = play("--resume", "a.json")
    assert (ran.code, ran.out) == (1, "")
    assert re.fullmatch(
        r"a\.json:\d+:\d+: this is not a complete saved game: .*; name a file that --save wrote", ran.err.strip()
    )
    assert Path("a.json").read_bytes() == part


@pytest.mark.parametrize(
    "name", ["format", "game", "draft", "players", "options", "seed", "moves", "people", "bot", "box"]
)
def test_a_save_that_was_edited(play: Play, name: str) -> None:
    changed = {**saved(play), name: {"moves": [0], "players": 3, "people": [2]}.get(name, "other")}
    Path("a.json").write_text(json.dumps(changed, indent=1))
    ran = play("--resume", "a.json")
    assert (ran.code, ran.out) == (1, "")
    line = Path("a.json").read_text().splitlines().index(f' "digest": "{changed["digest"]}"') + 1
    assert ran.said == [f"a.json:{line}:12: the saved game was edited; restore the file, or start a new game"]


@pytest.mark.parametrize("content", ["[]", "3", "{}", '"x"', "null"])
def test_other_json_is_no_save(play: Play, content: str) -> None:
    Path("a.json").write_text(content)
    assert play("--resume", "a.json").said == ["a.json:1: this is not a saved game; name a file that --save wrote"]


FORGED = {
    "format": ["x", True, None, 1.0, 1, 3],
    "game": [None, 3, ["higher"]],
    "draft": [None, ["3"]],
    "players": [99, "2", [2], None, 0, True, 2.0],
    "options": [None, [], "x", {"nope": 1}, {"x": {"y": 1}}],
    "seed": [None, 7, [], [1], [1, -1], ["1", 0], [1.5, 0], [1, 2**32]],
    "moves": [None, 3, ["1"], [0.5], [[1]], [10**9], [-1]],
    "people": [None, 1, ["1"], [0], [99], [True]],
    "bot": [None, ["random"], "nope", "hoard", "hoard:nope"],
    "box": [None, 3, "0"],
}


@pytest.mark.parametrize(("name", "value"), [*((name, value) for name, values in FORGED.items() for value in [*values, KeyError])], ids=str)  # fmt: skip
def test_a_forged_save_is_told_at_its_value(play: Play, name: str, value: object) -> None:
    """Anybody can work out the digest: what is missing or can't be is one problem, at the line that says it."""
    forged = {key: part for key, part in saved(play).items() if key != "digest"} | {name: value}
    if value is KeyError:
        del forged[name]
    text = json.dumps({**forged, "digest": play_setup._digest_value(forged)}, indent=1)
    Path("a.json").write_text(text)
    ran = play("--resume", "a.json")
    line = next((n for n, row in enumerate(text.splitlines(), 1) if row.startswith(f' "{name}":')), 1)
    assert (ran.code, ran.out, len(ran.said)) == (1, "", 1)
    assert ran.said[0].startswith(f"a.json:{line}:")


def test_files_that_are_none(play: Play) -> None:
    Path("folder").mkdir()
    Path("b.json").write_bytes(b"\xff\xfe\x00")
    for name in ("missing.json", "folder", "b.json"):
        ran = play("--resume", name)
        assert ran.code == 1
        assert ran.said[0].startswith(f"{name}:")


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("game.yaml", "draft: 3", "draft: 4", "the saved game uses draft 3, but the data is now draft 4"),
        ("game.yaml", "strength: 19}", "strength: 30}", "the numbers, readings or components have changed since"),
        ("game.yaml", "id: c19, count: 1", "id: c19, count: 2", "the numbers, readings or components have changed since"),
        ("rules.py", '"hand": 3', '"hand": 4', "the numbers, readings or components have changed since"),
        ("rules.py", "if s.at[card] == s.seat:", "if s.at[card] == s.seat and card > 9:", "the rules have changed since"),
    ],
)  # fmt: skip
def test_a_save_of_other_data(project: RulesProject, play: Play, file: str, old: str, new: str, told: str) -> None:
    """A new draft, other numbers, another count, other rules: the game can't go on, and the file says why."""
    play("--save", "a.json", "--seed", "2", typed="1\nq\n")
    assert play("--resume", "a.json").code == 0
    project.change(f"data/higher/{file}", old, new)
    ran = play("--resume", "a.json")
    assert (ran.code, ran.out) == (1, "")
    assert re.sub(r":\d+:\d+", "", ran.said[0], count=1).startswith(f"a.json: {told}")


def test_a_save_of_another_game(project: RulesProject, play: Play, pnp: Pnp) -> None:
    saved(play)
    for name in ("game.yaml", "rules.py"):
        project.write(f"data/lower/{name}", (project.root / f"data/higher/{name}").read_text())
    assert pnp("play", "lower", "--trust-rules", "--resume", "a.json").said == [
        "a.json:3:10: this is a saved game of higher, not of lower; run `pnp play higher`"
    ]


A_GAME_FOR = "data/higher/game.yaml:6:10: higher is a game for"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--players", "5"), f"{A_GAME_FOR} 2 to 4 players, not for 5; change --players"),
        (("--players", "1"), f"{A_GAME_FOR} 2 to 4 players, not for 1; change --players"),
        (("--seat", "3"), "there is no seat 3 with 2 players; seats are 1 to 2"),
        (("--bot", "greddy"), "unknown bot 'greddy'; did you mean 'greedy'?"),
        (("--option", "hand=4"), "higher has no option 'hand'; there are none to choose from"),
        (("--lang", "fr"), "data/higher/game.yaml:5:12: higher has no texts in 'fr'; known: en, ja"),
    ],
)
def test_what_contradicts_the_game(play: Play, arguments: tuple[str, ...], told: str) -> None:
    """Exit code 1, and what there is instead."""
    ran = play(*arguments)
    assert (ran.code, ran.out, ran.said) == (1, "", [told])


def test_everything_that_contradicts_is_told_at_once(play: Play) -> None:
    ran = play("--players", "9", "--bot", "x", "--option", "y=1")
    assert ran.code == 1
    assert ran.said[-1] == "3 problems"


def test_values_of_switches_are_held_against_their_choices(project: RulesProject, play: Play) -> None:
    project.write(
        "data/higher/readings.yaml",
        "readings:\n  - {id: E1, problem: {ja: a, en: a}, reading: {ja: b, en: b}, switch: twice, value: true, "
        "choices: [true, false]}\n",
    )
    assert play("--option", "twice=maybe").said == ["the option twice does not allow 'maybe'; it can be true, false"]
    assert "  twice: false\n" in play("--option", "twice=false").out


@pytest.mark.parametrize(
    "arguments",
    [
        ("--players", "two"), ("--players", "0"), ("--seat", "0"), ("--seed", "1/x"), ("--seed", "1/2/3"),
        ("--seed", "-1"), ("--seed", "99999999999"), ("--option", "twice"), ("--option", "=1"),
        ("--bots-only", "--seat", "1"), ("--resume", "a.json", "--players", "2"),
        ("--resume", "a.json", "--seed", "1/0"), ("--resume", "a.json", "--bots-only"), ("--unknown",),
    ],
)  # fmt: skip
def test_wrong_usage_is_exit_code_2(play: Play, arguments: tuple[str, ...]) -> None:
    ran = play(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "Usage: " in ran.err


def test_unknown_games_and_games_without_rules(project: RulesProject, pnp: Pnp) -> None:
    unknown = pnp("play", "hihger")
    assert (unknown.code, unknown.said) == (1, ["data: unknown game 'hihger'; did you mean 'higher'?"])
    project.change("data/higher/game.yaml", "rules_module: rules.py\n", "")
    none = pnp("play", "higher")
    assert (none.code, none.said) == (
        1,
        [
            "data/higher/game.yaml:2:8: higher has no Python rules, so pnp can't play it; name one in game.yaml, "
            "as `rules_module: rules.py`; docs/rules.md shows how to write it"
        ],
    )


def test_seeds_and_options_are_read() -> None:
    assert (parse_seed("1/17"), parse_seed("3")) == (Seed(1, 17), Seed(3, 0))
    assert [parse_option(f"a={value}")[1] for value in ("true", "false", "12", "off", "[x, 2]", "[]", "a=b")] == [*(True, False, 12, "off"), *(["x", 2], [], "a=b")]  # fmt: skip
