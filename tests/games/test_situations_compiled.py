"""Situations of the data's examples are the same in compiled records as in plain ones."""

from pathlib import Path

import pytest
from shipped_games import SWEPT, workshop

from generator.rules.engine.kernel import INTERPRETED, CompiledMode, seed_chance
from generator.rules.registry import load_rules


@pytest.mark.parametrize("name", SWEPT)
def test_every_situation_is_the_same_compiled(name: str, tmp_path: Path) -> None:
    """Numbers that a record gives back are good wherever those of the data are: nothing has to be compiled to see it."""
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    game = workshop(name).game
    rules, compiled = load_rules(game), CompiledMode(str(tmp_path))
    assert rules is not None
    assert game.examples, "the test must see situations"
    for example in game.examples:
        box = rules.box(game, example.players, example.options)
        numbers = []
        for mode in (INTERPRETED, compiled):
            state = mode.make_record(rules.state(box))
            state.players = box.players
            seed_chance(state.rng, 1, 2)
            rules.arrange(state, box, example.given)
            numbers.append(mode.read_numbers(state))
        assert numbers[0] == numbers[1], example.id
