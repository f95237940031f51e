"""What the lab found is kept beside the data, printed beside its entry, and told when it is of another state."""

import sys
from pathlib import Path

import pytest
from conftest import Pnp
from shipped_games import GAMES, workshop
from tests_support import enter

sys.path.append(str(Path(__file__).parent))

from urn_project import UrnProject

from generator.books.rulebook.rulebook_play import FindingLines, RulebookPlay
from generator.checks.validation_games import check_findings
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.lab.experiment import make_reading_arms
from generator.rules.registry import load_rules

GAME, FOUND = "data/urn/game.yaml", "data/urn/findings.yaml"
ASKED = ("lab", "readings", "urn", "--trust-rules", "--executor", "processes:1", "--out", "out")
KEPT = (*ASKED, "--games", "200", "--bot", "random", "--keep-findings")
AGAIN = "run pnp lab readings urn --keep-findings again"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UrnProject:
    """A project whose rules leave two passages open; how the first is read changes who wins, the second nothing."""
    made = UrnProject(tmp_path / "project")
    made.change("data/urn/rules.py", '"red": red}', '"red": red + 2 * (options.get("ball") == "away")}')
    return enter(made, monkeypatch)


def told(project: UrnProject, lang: str) -> list[list[str]]:
    """The lines of each entry, and behind them those of the games' state, as a book would print them."""
    from generator.commands.rulebook import find_engine

    opened = find_project(project.root)
    game = load_game(opened.find_folder("urn"), opened.resources)
    lines = FindingLines(game, lang, RulebookPlay(game, find_engine(opened, game, trusted=True)), [])
    return [*(list(lines.list_lines(reading)) for reading in game.readings.values()), list(lines.list_tables())]


def test_kept_and_printed(project: UrnProject, pnp: Pnp) -> None:
    """One line an entry in each language; numbers as exact as their interval supports; all that is not certain is so."""
    ran = pnp(*KEPT, code=0)
    assert FOUND in ran.out + ran.err
    opened = find_project(project.root)
    (table,) = load_game(opened.find_folder("urn"), opened.resources).findings

    assert (table.run, table.games, table.players, table.bots) == (1, 200, 2, ("random",))
    assert [(one.reading, one.value) for one in table.entries] == [("E1", "away"), ("E2", "youngest")]
    assert [one.verdict for one in table.entries] == ["changes", "never"]
    assert table.entries[0].size > 1 and len(table.entries[0].change) == 3 and not table.entries[1].change
    english, _, games = told(project, "en")
    assert english[0].startswith("In games between programs: changes the game: ") and "\u00b1" in english[0]
    assert told(project, "en")[1] == ["In games between programs: never came up"]
    assert told(project, "ja")[1] == ["プログラム同士の対局では：一度も起きなかった"]
    assert games[0].startswith("200 of each reading, 2 players (random players), run 1")


def test_another_state_is_told(project: UrnProject, pnp: Pnp) -> None:
    """Other numbers and other rules are told, in validate and in the book; other texts are the same game."""
    assert pnp(*KEPT).code == 0
    good = (project.root / GAME).read_text("utf-8")
    fine = (
        "the lab's findings match the current game; 200 games of each reading, changes the game: 1, never came up: 1\n"
    )
    stale = f"rules or numbers have changed since the lab tested other readings; {AGAIN} [findings.2.random]"
    assert fine in (out := pnp("validate", "--trust-rules", "--games", "0").out) and "findings.2.random" in out
    for old, new, holds in (
        ("Is a ball put back?", "Is it put back?", True),
        ("rounds: 3", "rounds: 4", False),
        ("value: back", "value: away", False),
    ):
        project.write(GAME, good.replace(old, new))
        assert (stale in pnp("validate", "--trust-rules", "--games", "0").out) is not holds, new
        assert any("another state" in line for line in told(project, "en")[2]) is not holds, new
    project.write(GAME, good)
    project.write("data/urn/rules.py", (project.root / "data/urn/rules.py").read_text("utf-8") + "\nMORE = 1\n")
    assert stale in pnp("validate", "--trust-rules", "--games", "0").out


def test_findings_do_not_begin_the_games_anew(project: UrnProject, pnp: Pnp) -> None:
    """They are no part of what is played: the next games join those that are there."""
    assert pnp(*KEPT).code == 0
    kept = (project.root / FOUND).read_bytes()
    assert pnp(*KEPT).code == 0
    assert (project.root / FOUND).read_bytes() == kept
    assert [path.name for path in Path("out/urn").iterdir()] == ["lab-readings.json"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"E1"', '"E9"', "a finding names E9, but urn has no such reading; remove it, or "),
        ('"away"', '"gone"', "a finding names 'gone', which is not a choice of E1; remove it, or "),
        ("run: 1", "run: -1", "findings"),
        (
            '"never"',
            '"maybe"',
            "is 'maybe', which is not a valid choice; known: 'changes', 'unknown', 'small' or 'never'",
        ),
        ('"verdict": "never"', '"verdict": "small", "change": [1, 2]', "findings"),
    ],
)
def test_findings_are_checked_like_all_data(project: UrnProject, pnp: Pnp, old: str, new: str, said: str) -> None:
    """Entries and choices that there are not, and what is no number, are told with their place."""
    assert pnp(*KEPT).code == 0
    project.change(FOUND, old, new)
    ran = pnp("validate", "--trust-rules", "--games", "0", code=1)
    assert f"{FOUND}:" in ran.err and said in ran.err


def test_all_entries_or_none(project: UrnProject, pnp: Pnp) -> None:
    """A file about some entries alone would look as if nothing were known of others."""
    ran = pnp(*KEPT, "E1")
    assert ran.code != 0 and "covers all entries" in ran.err
    assert not (project.root / FOUND).exists()


@pytest.mark.parametrize("name", GAMES)
def test_shipped_games_are_told_as_they_are(name: str) -> None:
    """What is printed in their books of notes was found with the rules and numbers that they have."""
    game = workshop(name).game
    for check in check_findings(game, load_rules(game)):
        assert check.status == "pass", check.figures
    answered = {one.reading for table in game.findings for one in table.entries}
    assert answered <= {arm.name.split()[0] for arm in make_reading_arms(game, load_rules(game))[1:]}
