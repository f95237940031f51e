"""Experiments as files: what they may say, all that is wrong with them at once, and that what is written is played."""

import json
from pathlib import Path

import pytest
from conftest import Pnp
from shipped_games import PROJECT

HERE = ("--project", str(PROJECT.root), "--out", "out", "--executor", "processes:1")

WHOLE = """\
format: 1
game: journey8
question: {ja: どちらか。, en: Which one?}
arms:
  no passing: {readings: {E18: forbidden}}
  as it is: {}
  two cards: {rules: {hand: 2}, components: {counter.designs.counter.count: 70}}
players: [2]
bots:
  casual: random
measures:
  length: turns
  first seat: {share of wins: seat 1}
  best: {score: best}
  second: {score: seat 2}
  shortage: {ran out: counters}
aims:
  length: {between: [10, 14]}
  first seat: {within: 20pp, of: fair}
  best: {within: 3, of: 14}
decide: {margin: {length: 1, first seat: 30pp}, confidence: 90%, at most: 4000 games}
compare: all against as it is
run: 5
"""


pytestmark = pytest.mark.usefixtures("room")


def written(text: str) -> str:
    Path("e.yaml").write_text(text, encoding="utf-8")
    return "e.yaml"


@pytest.mark.slow
def test_all_that_a_file_can_say(pnp: Pnp) -> None:
    """Arms, measures by other names, aims, margins: the answer comes as soon as the margins are decided."""
    ran = pnp("lab", "run", written(WHOLE), *HERE, code=0)
    told = json.loads(Path("out/journey8/lab-e.json").read_text(encoding="utf-8"))

    assert told["arms"] == ["as it is", "no passing", "two cards"]
    assert [cell["games"] for cell in told["cells"]] == [600, 600, 600]
    assert list(told["cells"][0]["measures"]) == [
        *("turns", "win of seat 1", "best score", "score of seat 2", "ran out: counters", "law broken")
    ]
    assert told["looked"] == 4000
    assert "intervals of 90 %, which hold at every look\nどちらか。\nWhich one?\n" in ran.out
    assert "no difference that matters (±1)" in ran.out
    assert "wanted 30 to 70 %" in ran.out
    assert "wanted 11 to 17" in ran.out


def test_what_is_wrong_with_its_shape(pnp: Pnp) -> None:
    """Every problem with its place, at once."""
    text = """\
format: 2
game: journey8
arms:
  a: {reading: {E18: forbidden}}
  b: {rules: {hand: [1, 2]}}
players: [0, many]
bots: {a: 3}
measures: {x: {a: 1, b: 2}}
aims: {x: {between: [3, 2]}, y: {within: 2pp, of: 3}}
decide: {confidence: 95, at most: many, margin: {x: 0, y: -1pp}}
compare: a with b
seats: free
"""
    assert pnp("lab", "run", written(text), *HERE, code=1).said == [
        "e.yaml:1:9: format: the format 2 is not known; write `format: 1`, or use a newer version of the program",
        "e.yaml:4:7: unknown field 'reading' in arms.a; did you mean 'readings'?",
        "e.yaml:5:21: arms.b.rules.hand: an arm changes single values; write a number, a word, true or false",
        "e.yaml:6:11: entry 1 of players is 0, but must be at least 1; change the number",
        "e.yaml:6:14: entry 2 of players must be a whole number, not 'many'; write digits only",
        "e.yaml:7:11: bots.a: no bot; write greedy, or {hoard: SUPPLY}, or a list with one for each seat",
        "e.yaml:8:15: measures.x: no measure; write a name such as turns, or one key such as {share of wins: seat 1}",
        "e.yaml:9:11: aims.x: these limits are not in order from low to high; write [35, 45] or [30%, 40%]",
        "e.yaml:9:33: aims.y: `within` and `of` have different units; write both with pp and %, or neither",
        "e.yaml:10:22: decide.confidence: a confidence is at least 50% and less than 100%; write 95%",
        "e.yaml:10:35: decide.at most: not a number of games: many; write 20000 games",
        "e.yaml:10:53: decide.margin.x: a margin must be more than 0; write the largest difference that does not "
        "matter, such as 1 or 2pp",
        "e.yaml:10:59: decide.margin.y: not an amount: -1pp; write a number, or a share such as 2pp or 50%",
        "e.yaml:11:10: compare: this is not a comparison; write `all against` and the name of an arm",
        "e.yaml:12:8: seats is 'free', which is not a valid choice; known: 'rotate' or 'as given'",
        "15 problems",
    ]


def test_what_the_game_has_not(pnp: Pnp) -> None:
    """Numbers of players, bots, arms, measures; shares that are none."""
    text = """\
format: 1
game: journey8
arms: {a: {}, b: {rules: {hand: 2}}}
players: [2, 9]
bots: {x: gredy, y: [random, random, random]}
compare: all against c
"""
    assert pnp("lab", "run", written(text), *HERE).said == [
        "e.yaml:4:14: journey8 does not support 9 players; it is for 2 to 4 players",
        "e.yaml:5:11: unknown bot 'gredy'; did you mean 'greedy'?",
        "e.yaml:5:21: 3 bots for 2 seats; write one bot for all seats, or one for each",
        "e.yaml:5:21: 3 bots for 9 seats; write one bot for all seats, or one for each",
        "e.yaml:6:10: there is no arm 'c'; known: a, b",
        "5 problems",
    ]
    text = """\
format: 1
game: journey8
arms: {a: {}, b: {rules: {hand: 2}}}
measures: {length: turns, seat: {share of wins: seat 7}, won: win of seat 1, best: best score}
aims: {length: {between: [3%, 4%]}, lenght: {between: [3, 4]}, won: {between: [1, 2]}, best: {within: 2, of: fair}}
decide: {margin: {length: 1pp}}
"""
    assert pnp("lab", "run", written(text), *HERE).said == [
        "e.yaml:4:33: journey8 has no measure 'win of seat 7'; did you mean 'win of seat 4'?",
        "e.yaml:5:16: 'length' is no share; write a number, without pp and %",
        "e.yaml:5:37: there is no measure 'lenght' in this experiment; did you mean 'length'?",
        "e.yaml:5:69: 'won' is a share; write it with pp or %, such as 2pp",
        "e.yaml:5:94: 'best' is no share; leave out `of: fair`",
        "e.yaml:6:27: 'length' is no share; write a number, without pp and %",
        "6 problems",
    ]


def test_all_arms_are_opened_before_any_game(pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unknown values, readings that can't be played, data that contradict: each with its arm, at once."""
    monkeypatch.setattr("generator.lab.experiment_runs.play_experiment", lambda *_: pytest.fail("a game was played"))
    text = """\
format: 1
game: fortuna
arms:
  as it is: {}
  a: {readings: {E12: live}}
  b: {readings: {E10: never}}
  c: {rules: {hnd: 2}, readings: {E100: x}}
  d: {components: {reel.designs.6-wheat.count: -1}}
"""
    ran = pnp("lab", "run", written(text), *HERE, code=1)

    assert [line.removeprefix(f"{PROJECT.root}/") for line in ran.said] == [
        "data/fortuna/components.yaml:67:34: arm 'd': count is -1, but must be at least 0; change the number",
        "e.yaml:5:3: arm 'a': number_fix: live can't be played: "
        "nobody has said what becomes of a set whose number changes or meets another (E12); "
        "choose another value for number_fix",
        "e.yaml:6:23: arm 'b': the option discard_key does not allow 'never'; it can be printed, declared",
        "e.yaml:7:20: arm 'c': the data have no value 'rules.hnd'; write its path, as `rules.hand`; tables stay as they are",
        "e.yaml:7:41: arm 'c': fortuna has no reading 'E100'; did you mean 'E10'?",
        "5 problems",
    ]


def test_games_that_are_none(pnp: Pnp) -> None:
    """An unknown game, one without rules, no file, no YAML."""
    assert pnp("lab", "run", written("format: 1\ngame: journey\narms: {a: {}}\n"), *HERE).said == [
        "e.yaml:2:7: unknown game 'journey'; did you mean 'journey8'?"
    ]
    assert pnp("lab", "run", written("format: 1\ngame: [\n"), *HERE).code == 1
    assert pnp("lab", "run", "none.yaml", *HERE).said == [
        "none.yaml: the file can't be read: No such file or directory; check that it exists and that you may read it"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("command", [("readings", "journey8", "E18", "E11"), ("report", "journey8")], ids=" ".join)
def test_what_a_command_saves_is_what_it_played(pnp: Pnp, command: tuple[str, ...]) -> None:
    """`pnp lab run` of the file gives the same result. Only the command searches for readings that no game reaches."""
    more = ("--players", "2", "--players", "3", "--seed", "7", "--games", "30", "--save", "kept.yaml")
    assert pnp("lab", *command, *more, *HERE).code == 0
    first = Path(f"out/journey8/lab-{command[0]}.json").read_bytes().replace(b',\n  "unreached": {}', b"")
    assert pnp("lab", "run", "kept.yaml", *HERE).code == 0
    assert Path("out/journey8/lab-kept.json").read_bytes() == first
    assert first.count(b'"games": 30') == (16 if command[0] == "readings" else 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("cards", ("--players", "2", "--games", "20", "--played", "story")),
        ("skill", ("--bot", "random", "--bot", "greedy", "--bot", "look-ahead", "--games", "1", "--deals", "0", "--grid")),
    ],
    ids=["cards", "skill"],
)  # fmt: skip
def test_what_counts_by_itself_is_saved_too(pnp: Pnp, command: str, words: tuple[str, ...]) -> None:
    """Followed cards, and bots against each other: the file plays the same, to the byte."""
    first = pnp("lab", command, "journey8", *words, "--seed", "7", "--save", "e.yaml", *HERE, code=0)
    assert pnp("lab", "run", "e.yaml", *HERE).out == first.out
    assert Path("out/journey8/lab-e.json").read_bytes() == Path(f"out/journey8/lab-{command}.json").read_bytes()


def test_what_does_not_go_with_what_counts_by_itself(pnp: Pnp) -> None:
    """Arms, measures and the like beside followed cards or bots against each other, each at its place."""
    text = (
        "format: 1\ngame: journey8\narms: {a: {rules: {hand: 2}}, b: {}}\nbots: {x: [random, greedy]}\n"
        "players: [2]\nmeasures: [turns]\ncompare: all against b\ncards: {}\nskill: {}\n"
    )
    counts = "measures the unchanged game"
    assert pnp("lab", "run", written(text), *HERE).said == [
        f"e.yaml:3:1: `cards` {counts}; write {{as it is: {{}}}}",
        f"e.yaml:6:1: `cards` {counts}: `measures` can't be combined with it; write two experiments",
        f"e.yaml:7:1: `cards` {counts}: `compare` can't be combined with it; write two experiments",
        f"e.yaml:9:1: `cards` {counts}: `skill` can't be combined with it; write two experiments",
        "4 problems",
    ]
    begun = "format: 1\ngame: journey8\narms: {a: {}}\nbots: {x: [random, greedy]}\n"
    assert pnp("lab", "run", written(f"{begun}skill: {{games: -1}}\n"), *HERE).said == [
        "e.yaml:5:16: skill.games is -1, but must be at least 0; change the number"
    ]
    assert pnp("lab", "run", written(f"{begun}players: [2]\nskill: {{}}\n"), *HERE).said == [
        "e.yaml:4:1: each bot plays against the one below it; write one for each name"
    ]


@pytest.mark.slow
def test_another_arm_to_compare_with_is_another_experiment(pnp: Pnp) -> None:
    """Differences from one arm are never joined with those from another."""
    text = "format: 1\ngame: journey8\narms: {a: {}, b: {rules: {hand: 2}}}\nplayers: [2]\nmeasures: [turns]\n"
    gaps = []
    for base in ("a", "b"):
        assert pnp("lab", "run", written(f"{text}compare: all against {base}\n"), "--games", "40", *HERE).code == 0
        told = json.loads(Path("out/journey8/lab-e.json").read_text(encoding="utf-8"))
        gaps.append({int(gap): games for gap, games in told["cells"][1]["differences"]["turns"].items()})
    assert gaps[1] == {-gap: games for gap, games in gaps[0].items()}


def test_bots_that_differ(pnp: Pnp) -> None:
    """Each sits at every seat once; who looks before choosing wins more than who does not, wherever it sits."""
    text = "format: 1\ngame: journey8\narms: {a: {}}\nplayers: [2]\nbots: {x: [random, greedy]}\nseats: rotate\n"
    assert pnp("lab", "run", written(text), "--games", "60", *HERE).code == 0
    told = json.loads(Path("out/journey8/lab-e.json").read_text(encoding="utf-8"))
    assert [cell["bots"] for cell in told["cells"]] == [["greedy", "random"], ["random", "greedy"]]
    for cell, seat in zip(told["cells"], (1, 2), strict=True):
        won = {int(value): games for value, games in cell["measures"][f"win of seat {seat}"].items()}
        lost = {int(value): games for value, games in cell["measures"][f"win of seat {3 - seat}"].items()}
        assert sum(value * games for value, games in won.items()) > sum(value * games for value, games in lost.items())


@pytest.mark.slow
def test_going_without_a_card_as_a_file(pnp: Pnp) -> None:
    """What `lab cards --without` saves plays the same; what such an arm can't be is told with its place."""
    asked = ("lab", "cards", "journey8", "--without", "blue-7", "--may", "give", "--players", "2", "--games", "30")
    ran = pnp(*asked, "--save", "e.yaml", *HERE, code=0)
    again = pnp("lab", "run", "e.yaml", *HERE)
    played, replayed = (
        json.loads(Path(f"out/journey8/lab-{name}.json").read_text("utf-8")) for name in ("without", "e")
    )

    assert again.out == ran.out
    assert (played["cells"], played["key"]) == (replayed["cells"], replayed["key"])
    text = Path("e.yaml").read_text("utf-8")
    wrong = text.replace("bookmark/blue-7", "bookmark/blue-9").replace('"may": ["give"]', '"may": ["gave"]')
    wrong = wrong.replace(': "win of the seat in turn"', ': "turns"')
    *said, _ = pnp("lab", "run", written(wrong), *HERE).said
    assert [line.split(": ", 1)[1].split(";")[0] for line in said] == [
        "journey8 has no card 'bookmark/blue-9'",
        "no move of journey8 is called 'gave'",
        "'turns' can't be measured in games with `without`",
    ]
    assert all(line.startswith("e.yaml:") for line in said)
