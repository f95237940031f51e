"""Errors of counting in the five games' data: each is a failure that tells what was found and what was expected."""

from pathlib import Path
from shutil import copytree

import pytest
import yaml
from game_changes import results
from shipped_games import GAMES, PROJECT, SWEPT
from tests_support import quick

from generator.checks.check_report import check_setup_pieces, check_stated_counts
from generator.game.load_game import load_game

ERRORS = yaml.safe_load((Path(__file__).parent / "planted_errors.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A copy of each game's data."""
    copies = tmp_path_factory.mktemp("data")
    return {name: Path(copytree(PROJECT.find_folder(name), copies / name)) for name in GAMES}


def check_folder(folder: Path) -> dict[str, tuple[str, str]]:
    """Status and figures by id of the checks that take neither drawings nor play."""
    game = load_game(folder, PROJECT.resources)
    generic = (check for look in (check_stated_counts, check_setup_pieces) for check in look(game))
    return {**results(game), **{check.id: (check.status, check.figures) for check in generic}}


@pytest.mark.parametrize("name", SWEPT)
def test_nothing_fails_without_an_error(folders: dict[str, Path], name: str) -> None:
    assert "fail" not in {status for status, _ in check_folder(folders[name]).values()}


@pytest.mark.parametrize(("name", "file", "right", "wrong", "check", "told"), quick(map(tuple, ERRORS), "fortuna"))
def test_a_planted_error_fails_with_both_numbers(
    folders: dict[str, Path], name: str, file: str, right: str, wrong: str, check: str, told: str
) -> None:
    path = folders[name] / file
    text = path.read_text(encoding="utf-8")
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    try:
        status, figures = check_folder(folders[name])[check]
    finally:
        path.write_text(text, encoding="utf-8")
    assert status == "fail"
    assert told in figures


def test_there_are_enough_errors_of_each_game() -> None:
    assert len(ERRORS) >= 60
    assert all(sum(error[0] == name for error in ERRORS) >= 10 for name in GAMES)
