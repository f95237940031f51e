"""A stranger's game brings its rules: they run when they are trusted and never else, and their faults are told."""

import json
import re
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from conftest import Pnp
from rules_project import RULES, RulesProject
from tests_support import enter

from generator.rules.engine.contract import Rules

MODULE = "data/higher/rules.py"
GAME = "data/higher/game.yaml"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RulesProject:
    """The project, in the current folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    return enter(RulesProject(tmp_path / "project"), monkeypatch)


REFUSED = (
    "data/higher/game.yaml:9:15: the rules module 'rules.py' is a Python program, which pnp does not run without permission; "
    "if you trust its author, add --trust-rules, or type `pnp trust` once"
)


@pytest.mark.parametrize("command", [("validate",), ("build",), ("play", "higher")])
def test_rules_do_not_run_unasked(project: RulesProject, pnp: Pnp, command: tuple[str, ...]) -> None:
    project.write(MODULE, f"open('ran', 'w').close()\n{RULES}")
    ran = pnp(*command)
    assert (ran.code, ran.out, ran.said) == (1, "", [REFUSED])
    assert not (project.root / "ran").exists()


@pytest.mark.parametrize("command", [("list",), ("sheets",), ("schema",)])
def test_what_needs_no_rules_does_not_ask_for_them(project: RulesProject, pnp: Pnp, command: tuple[str, ...]) -> None:
    project.write(MODULE, f"open('ran', 'w').close()\n{RULES}")
    assert pnp(*command).code == 0
    assert not (project.root / "ran").exists()


def test_a_trusted_game_is_validated_by_playing(project: RulesProject, pnp: Pnp) -> None:
    """Examples hold, games end for each number of players; JSON says the same as text."""
    ran = pnp("validate", "--trust-rules")
    assert ran.code == 0, ran.out + ran.err
    assert "  example.highest   playing the example gives the stated result; moves: 2, answers: 3\n" in ran.out
    for players in (2, 3, 4):
        turns = 3 * players
        assert (
            f"  play.{players}            {players} players: every game ends; 20 by random: {turns}-{turns} turns"
            in ran.out
        )
    checks = json.loads(pnp("validate", "--trust-rules", "--format", "json").out)["games"][0]["checks"]
    assert {check["id"]: check["status"] for check in checks if check["kind"] == "play"} == {"play.repeats": "pass", **{f"{what}.{players}": "pass" for what in ("play", "wins") for players in (2, 3, 4)}}  # fmt: skip


STORY = """
from collections.abc import Iterator
from dataclasses import replace

from generator.rules.engine.contract import State
from generator.rules.engine.story import Story, choose, offer, story


@story
def game(s: Record, f: Record) -> None:
    while s.over == 0:
        card = choose(0, cards_of_the_seat)
        apply(s, f, card)


@offer
def cards_of_the_seat(s: Record, f: Record) -> Iterator[int]:
    for card in range(f.number):
        if s.at[card] == s.seat:
            yield card


STATE = State()
TOLD = Story(game, STATE, set_up)


def state_with_phase(box: Box) -> dict[str, Any]:
    return {**state(box), "phase": 0}


RULES = replace(RULES, state=state_with_phase, set_up=TOLD.set_up, legal=TOLD.legal, apply=TOLD.apply)
"""


@pytest.mark.slow
def test_a_story_plays_the_same_games(project: RulesProject, pnp: Pnp) -> None:
    plain = pnp("validate", "--trust-rules").out
    project.write(MODULE, RULES + STORY)
    assert pnp("validate", "--trust-rules").out == plain


def test_a_mistake_in_a_story_is_told_at_its_line(project: RulesProject, pnp: Pnp) -> None:
    text = RULES + STORY.replace("card = choose(0, cards_of_the_seat)", "card = choose(0, cards_of_the_seat) + 1")
    project.write(MODULE, text)
    line = 1 + text[: text.index("card = choose")].count("\n")
    assert pnp("validate", "--trust-rules").said == [
        f"{MODULE}:{line}:16: a choice stands inside an expression; write `answer = choose(...)` on a line of its own"
    ]


@pytest.mark.slow
def test_the_number_of_games_is_chosen(project: RulesProject, pnp: Pnp) -> None:
    """So many at random, a twentieth by others, a two-hundredth looking ahead; with 0 the examples alone."""
    many = pnp("validate", "--trust-rules", "--games", "400").out
    assert "400 by random: " in many
    assert "; 20 by greedy: " in many
    assert "; 2 by look-ahead: " in many
    none = pnp("validate", "--trust-rules", "--games", "0", code=0)
    assert "example.highest" in none.out
    assert "play." not in none.out
    assert pnp("validate", "--games", "-1").code == 2


@pytest.mark.slow
def test_any_number_of_processes_says_the_same(project: RulesProject, pnp: Pnp) -> None:
    one, three = (pnp("validate", "--trust-rules", "--games", "300", "--processes", n).out for n in ("1", "3"))
    assert one == three
    assert "300 by random" in one


@pytest.mark.slow
def test_the_report_of_a_build_is_the_same_again(project: RulesProject, pnp: Pnp) -> None:
    report = project.root / "output/higher/validation.txt"
    assert pnp("build", "--trust-rules").code == 0
    first = report.read_bytes()
    assert b"20 by random" in first
    assert pnp("build", "--trust-rules").code == 0
    assert report.read_bytes() == first


@pytest.mark.slow  # to compile takes many times as long as to play
def test_compiled_games_give_the_same_report(project: RulesProject, pnp: Pnp, tmp_path: Path) -> None:
    """--fast changes nothing but the time; compiled rules are kept by the state of all sources."""
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    arguments = ("validate", "--trust-rules", "--games", "30", "--processes", "1")
    assert pnp(*arguments, "--fast").out == pnp(*arguments).out
    (kept,) = (tmp_path / "settings/pnp/kernels").iterdir()
    assert any(kept.rglob("*.nbi"))


def test_fast_without_the_compiler_says_what_to_install(
    project: RulesProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    ran = pnp("validate", "--trust-rules", "--fast")
    assert (ran.code, ran.out) == (1, "")
    assert ran.said == ["numba is not installed, and --fast needs it; install the program with its extra `fast`"]


def test_rules_import_the_engine_by_its_names_of_version_1(project: RulesProject, pnp: Pnp) -> None:
    """A project that was started with version 1.0 still plays."""
    project.write(MODULE, RULES.replace("generator.rules.engine.", "generator.games.engine."))
    assert "generator.games.engine.contract" in (project.root / MODULE).read_text(encoding="utf-8")
    assert pnp("validate", "--trust-rules").code == 0


FAULTS = [
    ("import nothing_like_this\n", "", "", "can't be loaded: ModuleNotFoundError: No module named 'nothing_like_this'"),
    ("import sys\nsys.exit('no')\n", "", "", "can't be loaded: SystemExit: no"),
    ("def (\n", "", "", "can't be loaded: SyntaxError: "),
    ("", "RULES = Rules(", "OTHER = Rules(", "has no `RULES`; see generator/rules/engine/contract.py for what it must be"),
    ("", "    cards = tuple(", "    raise RuntimeError('no cards')\n    cards = tuple(", "fails: RuntimeError: no cards"),
    ("", 'kinds["card"]', 'kinds["kard"]', "fails: KeyError: 'kard'"),
    ("", "    s.at[move] = 30\n", "    s.at[99] = 30\n", "fails: IndexError: list assignment index out of range"),
    ("", "    s.at[move] = 30\n", "    raise SystemExit('bye')\n", "fails: SystemExit: bye"),
    ("", "        points[s.at", "        points[1 // 0 + s.at", "fails: ZeroDivisionError: "),
    ("", "    s.best = -1\n", "    raise RuntimeError('no start')\n", "fails: RuntimeError: no start"),
    ("", "    return number\n", "    raise RuntimeError('no moves')\n", "fails: RuntimeError: no moves"),
    ("", "    return number\n", "    return None\n", "fails: TypeError: 'NoneType' object"),
    ("", "    return number\n", "    return 'many'\n", "fails: TypeError: 'str' object"),
    ("", "    return number\n", "    return 1_000_000\n", "fails: IndexError: list index out of range"),
    ("", "RULES = Rules(", "RULES = 5 or Rules(", "has no `RULES`; see generator/rules/engine/contract.py"),
    ("", " legal=legal,", "", "can't be loaded: TypeError: "),
    ("", " legal=legal,", " legal=None,", "has no function for legal in its `RULES`; see generator/rules/engine/contract"),
    ("", " box=box,", " box=lambda *_: None,", "fails: AttributeError: 'NoneType' object"),
    ("", " state=state,", " state=lambda *_: None,", "fails: AttributeError: 'NoneType' object"),
]  # fmt: skip


AT_A_LINE = {
    told
    for _, _, new, told in FAULTS
    if any(part in told for part in ("can't be loaded", "RuntimeError", "KeyError", "SystemExit", "ZeroDivision"))
    or "[99]" in new
}


@pytest.mark.parametrize(
    ("before", "old", "new", "told"), FAULTS, ids=[f"{fault[3][:40]} {fault[2].strip()[:20]}" for fault in FAULTS]
)
@pytest.mark.parametrize(
    "command", [("validate", "--processes", "1"), ("validate", "--processes", "2"), ("play", "higher", "--bots-only")]
)
def test_rules_that_raise_are_told(
    project: RulesProject, pnp: Pnp, command: tuple[str, ...], before: str, old: str, new: str, told: str
) -> None:
    """At import, in the box, in set-up, in a move, in scoring, with functions that are none or answer wrongly: one problem at the faulty line, or at the module's name if no line of it fails; exit code 1, no traceback."""
    assert old in RULES
    project.write(MODULE, before + (RULES.replace(old, new, 1) if old else RULES))
    ran = pnp(*command, "--trust-rules")
    assert (ran.code, ran.out) == (1, "")
    place = "data/higher/game.yaml:9:15"
    if told in AT_A_LINE:
        start = RULES.index("RULES = Rules(" if new == "" and old else old) if old else 0
        place = f"{MODULE}:{RULES[:start].count(chr(10)) + max(1, before.count(chr(10)))}"
    assert ran.said[0].startswith(f"{place}: the rules module 'rules.py' {told}"), ran.err
    assert len(ran.said) <= 2
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("places[seat] = 1\n", "places[seat] = 0\n", "fails: ValueError: `place` gives 0, "),
        ('"play"', '"lay"', "the rules make a move 'lay', which has no words; add `lay: ...` to `moves`"),
        (
            'else "trick" if',
            'else "pile" if',
            "game.yaml:41:3: the rules use a zone 'pile', which has no name; add `pile: ...` to `zones`",
        ),
        (
            "    return number\n",
            "    moves[number] = moves[0]\n    return number + 1\n",
            "; offers yield ascending numbers, each once",
        ),
    ],
)
def test_validate_finds_wrong_places_names_and_offers(
    project: RulesProject, pnp: Pnp, old: str, new: str, told: str
) -> None:
    assert old in RULES
    project.write(MODULE, RULES.replace(old, new))
    assert told in pnp("validate", "--trust-rules", "--games", "3", "--processes", "1", code=1).err


def test_a_small_game_needs_no_demand_laws_or_questions(project: RulesProject, pnp: Pnp) -> None:
    optional = re.compile(r" (demand|arrange|ask|broken)=\w+,")
    assert len(optional.findall(RULES)) == 4
    project.write(MODULE, optional.sub("", RULES))
    ran = pnp("validate", "--trust-rules", "--games", "3", "--processes", "1")
    assert (ran.code, ran.err) == (1, "")
    assert "the rules have no function `arrange` for situations [example.highest]" in ran.out
    assert "  play.4 " in ran.out


def test_a_missing_module_is_told(project: RulesProject, pnp: Pnp) -> None:
    text = (project.root / GAME).read_text()
    for name in ("rulez.py", "../rules.py", "/rules.py"):
        project.write(GAME, text.replace("rules_module: rules.py", f"rules_module: {name}"))
        assert pnp("validate", "--trust-rules", code=1).said == [
            f"data/higher/game.yaml:9:15: there is no rules module '{name}' beside game.yaml; name a file of this folder"
        ]


def test_an_example_that_does_not_hold_fails_at_its_place(project: RulesProject, pnp: Pnp) -> None:
    """Exit code 1, and the report says what is so instead."""
    project.change("data/higher/examples.yaml", "scores: [0, 2]", "scores: [2, 0]")
    ran = pnp("validate", "--trust-rules", "--games", "0", code=1)
    assert (
        "  data/higher/examples.yaml:3:5: playing the example gives the stated result; "
        "scores is [0, 2], not [2, 0] [example.highest]\n"
    ) in ran.out


def test_examples_that_name_unknown_things_are_told(project: RulesProject, pnp: Pnp) -> None:
    project.write(
        "data/higher/examples.yaml",
        "examples:\n"
        "  - {id: a, players: 2, given: {hands: [[99], []]}, expect: {over: false}}\n"
        "  - {id: b, players: 2, given: {hands: [[3], [4]]}, do: [play c9], expect: {over: false}}\n"
        "  - {id: c, players: 2, given: {hands: [[3], [4]]}, expect: {worst of 1: 3}}\n",
    )
    ran = pnp("validate", "--trust-rules", "--games", "0", code=1)

    assert "; given: there is no card of strength 99 [example.a]" in ran.out
    assert "; move 1: 'play c9' is not a legal move; choose from [play c3] [example.b]" in ran.out
    assert "; worst of 1: unknown question 'worst' [example.c]" in ran.out


def test_an_endless_game_fails_with_a_seed(project: RulesProject, pnp: Pnp) -> None:
    project.write(
        MODULE, RULES.replace("        s.over = 1 if s.turn == s.players * f.hand else 0\n", "        s.over = 0\n")
    )
    ran = pnp("validate", "--trust-rules", "--games", "3", code=1)

    assert "2 players: games don't end; 3 of 3 by random don't end (--seed 1/0) [play.2]" in ran.out
    shown = pnp(
        "play", "higher", "--trust-rules", "--bots-only", "--transcript", "--bot", "random", "--seed", "1/0", "--lang",
        "en",
    )  # fmt: skip
    assert shown.code == 0
    assert "Stopped after 6 moves: this game does not end." in shown.out


def test_switches_that_can_not_be_played_are_undecided(project: RulesProject, pnp: Pnp) -> None:
    readings = (
        "readings:\n  - {id: E1, problem: {ja: a, en: a}, reading: {ja: b, en: b}, switch: twice, value: true, "
        "choices: [true, false]}\n"
    )
    project.write("data/higher/readings.yaml", readings)
    project.write(
        MODULE,
        RULES.replace(
            "    broken=broken,\n", "    broken=broken,\n    unplayable={'twice: true': 'nobody knows how'},\n"
        ),
    )
    ran = pnp("validate", "--trust-rules", code=0)
    played = pnp("play", "higher", "--trust-rules", "--bots-only", code=1)

    assert "the rules can't be played with the readings in force; twice: true: nobody knows how [play]" in ran.out
    assert played.said == ["data/higher/readings.yaml:2:3: twice: true: nobody knows how; choose another value"]
    assert pnp("play", "higher", "--trust-rules", "--bots-only", "--option", "twice=false").code == 0


def test_classes_of_a_module_work(project: RulesProject, pnp: Pnp) -> None:
    lines = "from __future__ import annotations\nfrom dataclasses import dataclass\n\n\n@dataclass\nclass Card:\n    strength: int\n\n"
    project.write(MODULE, RULES.replace("from collections.abc", lines + "from collections.abc", 1))
    assert pnp("validate", "--trust-rules", "--games", "0").code == 0


def test_the_guide_names_every_part_of_rules() -> None:
    guide = (Path(__file__).parent.parent / "docs/rules.md").read_text(encoding="utf-8")
    named = {
        name for row in re.findall(r"^\| (`.*?`) \|", guide, re.MULTILINE) for name in re.findall(r"`(\w+)\(", row)
    }
    functions = {field.name for field in fields(Rules)} - {"laws", "supplies", "holes", "unplayable", "measures", "answers", "shared", "roomy", "effort"}  # fmt: skip
    assert named == functions
