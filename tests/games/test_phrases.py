"""Whatever the rules of the five games may say at the table has words in the data, in every language."""

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType

import engine_laws as laws
import pytest
from shipped_games import GAMES, workshop
from tests_support import quick

from generator.rules.engine.contract import Message
from generator.rules.engine.table import Table, move_text
from generator.rules.registry import load_rules


def written(module: ModuleType) -> Iterator[str]:
    """The phrases that a game's modules name: where something is said, and in tables of the module that tells."""
    for path in Path(str(module.__file__)).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Message" and node.args:
                one = node.args[0]
                for phrase in (one.body, one.orelse) if isinstance(one, ast.IfExp) else (one,):
                    if isinstance(phrase, ast.Constant):
                        yield str(phrase.value)
    for name, table in vars(module).items():
        if (
            name != "UNPLAYABLE"
            and isinstance(table, dict)
            and all(isinstance(phrase, str) for phrase in table.values())
        ):
            yield from (phrase for phrase in table.values() if "." not in phrase)


@pytest.mark.parametrize("name", quick(GAMES, *(name for name in GAMES if name != "xanadu")))
def test_all_phrases_have_words(name: str) -> None:
    game = workshop(name).game
    rules = load_rules(game)
    assert rules is not None
    assert rules.observe is not None
    assert rules.follow is not None
    assert len(found := set(written(import_module(rules.follow.__module__)))) > 10, "the test must see phrases"
    assert found - set(game.moves) == set()
    told: dict[str, Message] = {}
    look, follow = rules.observe, rules.follow

    def watch(now: Table, _legal: tuple[int, ...]) -> None:
        sight = look(now.state, now.box, now.seat)
        for said in (*sight.status, *sight.facts.values(), *follow(now.previous_state, now.state, now.box, now.seat)):
            told.setdefault(said.phrase, said)

    for table in laws.tables(rules, laws.boxes_of(rules, game)[:2], 3):
        laws.play(table, Random(table.seed.game), watch)
        watch(table, ())
    for said in told.values():
        for lang in game.languages:
            assert "{" not in move_text(game, said, lang)
    assert len(told) > 5, "the test must see phrases"
