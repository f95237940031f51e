"""The games that `pnp new` makes keep the laws of every game."""

from pathlib import Path

import pytest
from engine_laws import (
    boxes_of,
    check_blind,
    check_conservation,
    check_modes_agree,
    check_texts,
    check_undo_save_replay,
)

from generator.commands.new import new_project
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project
from generator.rules.engine.contract import Rules
from generator.rules.engine.kernel import CompiledMode
from generator.rules.engine.table import Table
from generator.rules.registry import load_rules


@pytest.fixture(params=["cards", "tricks"])
def played(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Game, Rules]:
    """A new game with its rules switched on."""
    new_project(tmp_path, "windy", request.param)
    path = tmp_path / "windy/data/windy/game.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("# rules_module", "rules_module"), encoding="utf-8")
    game = load_game(path.parent, find_project(tmp_path / "windy", tmp_path / "windy").resources)
    rules = load_rules(game, path.parent)
    assert rules is not None
    return game, rules


@pytest.mark.slow
def test_pieces_words_and_views_are_right(played: tuple[Game, Rules]) -> None:
    """No piece gets lost, every move has words, undo and replay agree, and nobody sees what is hidden."""
    game, rules = played
    boxes = boxes_of(rules, game)
    check_conservation(rules, boxes, 3)
    check_texts(rules, boxes, 2)
    check_undo_save_replay(rules, boxes, 2)
    check_blind(rules, boxes, 2, _list_hidden)


def _list_hidden(table: Table, seat: int) -> set[str]:
    """Return the hands of others, and what lies face down."""
    own = f"hand {seat + 1}"
    return {name for name in table.list_zones() if name in ("deck", "shore") or name.startswith("hand")} - {own}


@pytest.mark.slow
def test_compiled_games_are_the_same(played: tuple[Game, Rules]) -> None:
    pytest.importorskip("numba")
    game, rules = played
    check_modes_agree(rules, boxes_of(rules, game)[:1], 2, CompiledMode())
