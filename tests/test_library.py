"""The program as a library: the page's own lines run, and say what the command line says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

from generator.base.errors import ProblemsFound
from generator.library import OpenGame, open_game

PAGE = ROOT / "docs" / "library.md"


@pytest.fixture(scope="module")
def game() -> OpenGame:
    return open_game(ROOT, "fortuna")


@pytest.mark.slow
def test_the_pages_lines_run(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    said = ""
    for block in blocks:
        code = block.replace('open_game(".", ', f"open_game({str(ROOT)!r}, ")
        run = [sys.executable, "-c", code]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(run, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
        assert done.returncode == 0, done.stderr
        said += done.stdout

    assert len(blocks) == 2
    assert (tmp_path / "wheat.svg").read_text(encoding="utf-8").startswith("<svg ")
    assert (tmp_path / "wheat.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "output" / "fortuna" / "sheets.en.pdf").read_bytes().startswith(b"%PDF")
    assert re.match(r"\d+ moves, scores \(\d+, \d+, \d+\)\n", said)
    assert said.endswith(f"{open_game(ROOT, 'fortuna').title['en']}\n")


def test_a_face_is_as_it_is_printed(game: OpenGame) -> None:
    wheat, other = (game.face(f"reel/{name}", lang="en") for name in ("6-wheat", "5-wheat"))
    assert (wheat.width, wheat.height) == (63.0, 88.0)
    assert "6" in wheat.words()
    assert wheat.digest != other.digest
    assert sum(game.designs.values()) > 50


def test_what_is_not_there_is_said(game: OpenGame) -> None:
    with pytest.raises(KeyError, match="no design 'reel/6-whaet'; did you mean 'reel/6-wheat'"):
        game.face("reel/6-whaet")
    with pytest.raises(KeyError, match="no language 'fr'"):
        game.face("reel/6-wheat", lang="fr")
    with pytest.raises(ValueError, match="reel/6-wheat has no left"):
        game.face("reel/6-wheat", "left")  # type: ignore[arg-type]


def test_several_games_are_not_guessed() -> None:
    with pytest.raises(ProblemsFound, match="there are 5 games"):
        open_game(ROOT)


def test_problems_are_those_of_the_command_line(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "broken"
    folder.mkdir(parents=True)
    (folder / "game.yaml").write_text("title: 3\n", encoding="utf-8")
    with pytest.raises(ProblemsFound) as found:
        open_game(tmp_path)
    assert len(found.value.problems) > 1
    assert any(
        str(problem).startswith("data/broken/game.yaml:1:8") or "game.yaml:1:8" in str(problem)
        for problem in found.value.problems
    )


@pytest.mark.slow  # draws all of a game for its checks
def test_checks_and_play(game: OpenGame) -> None:
    """The checks that `validate --games 0` tells; equal seeds deal equal games."""
    first, again, other = (game.play(players=3, seed=seed) for seed in (3, 3, 4))
    told = [list(one.bots_play("en")) for one in (first, again, other)]
    assert {check.status for check in game.checks()} == {"pass", "undecided"}
    assert told[0] == told[1] != told[2]
    assert first.scores == again.scores
    assert all(one.over and not one.legal("en") for one in (first, again, other))


def test_a_person_chooses(game: OpenGame) -> None:
    """Bots play up to a person's seat, which may only make one of the moves that are allowed."""
    table = game.play(players=3, people=[2], seed=5)
    list(table.bots_play("ja"))
    (move, words), *_ = table.legal("ja").items()
    assert table.seat == 2
    assert table.make(move, "ja") == words
    with pytest.raises(ValueError, match="not a legal move"):
        table.make(999_999, "ja")
