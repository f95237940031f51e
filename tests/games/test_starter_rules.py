"""The rules that the starter `cards` brings obey the laws of every game, interpreted and compiled."""

from functools import cache
from pathlib import Path

import engine_laws as laws
import observation_laws as sights
import pytest

from generator.commands.new import new_project
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.rules.engine.contract import Box, Rules
from generator.rules.engine.kernel import CompiledMode
from generator.rules.engine.table import Table
from generator.rules.registry import load_rules

NAMED = "rules_module: rules.py"


@cache
def rules_and_boxes(folder: Path) -> tuple[Rules, list[Box]]:
    """The rules of a new project that names them, and a box for each number of players."""
    new_project(folder, "windy", "cards")
    path = folder / "windy/data/windy/game.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace(f"# {NAMED}", NAMED), encoding="utf-8")
    game = load_game(path.parent, find_project(folder / "windy").resources)
    rules = load_rules(game, path.parent)
    assert rules is not None
    return rules, laws.boxes_of(rules, game)


def test_cards_are_conserved(tmp_path: Path) -> None:
    laws.check_conservation(*rules_and_boxes(tmp_path), 5)


def test_moves_have_texts(tmp_path: Path) -> None:
    laws.check_texts(*rules_and_boxes(tmp_path), 10)


def test_undo_and_saves_are_exact(tmp_path: Path) -> None:
    laws.check_undo_save_replay(*rules_and_boxes(tmp_path), 3)


def test_nobody_sees_hidden_cards(tmp_path: Path) -> None:
    """What a bot thinks over knows neither the deck nor other hands."""

    def hidden(now: Table, seat: int) -> set[str]:
        return {"deck", *(f"hand {other + 1}" for other in range(now.box.players) if other != seat)}

    laws.check_blind(*rules_and_boxes(tmp_path), 3, hidden)


@pytest.mark.parametrize(
    ("games", "share"), [(2, 20), pytest.param(5, 1, marks=pytest.mark.release)], ids=["a sample", "every state"]
)
def test_what_looks_alike_is_shown_and_told_alike(tmp_path: Path, games: int, share: int) -> None:
    """Displays, told moves and who is called give away nothing that a seat can't see."""
    rules, boxes = rules_and_boxes(tmp_path)
    for check in (sights.check_sights, sights.check_tellings, sights.check_callings):
        check(rules, boxes, games, share)


@pytest.mark.release  # to compile takes many times as long as to play
def test_compiled_rules_play_the_same(tmp_path: Path) -> None:
    laws.check_modes_agree(*rules_and_boxes(tmp_path), 3, CompiledMode(str(tmp_path / "kernels")))
