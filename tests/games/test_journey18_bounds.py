"""Bounds of journey18 that call a state hopeless never do so on the way to a win; equal keys are equal states."""

from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest
from game_changes import rule
from journey18_tables import GAME, arranged

from generator.lab import win_search
from generator.lab.win_solver import Search, Solver, _Proof
from generator.play.bot_registry import TableBots
from generator.rules.engine.contract import Box
from generator.rules.engine.kernel import INTERPRETED, Record, kernel
from generator.rules.engine.table import Seed, Table
from generator.rules.journey18.rules import RULES


@kernel
def no_bound(s: Record, f: Record) -> int:
    return 0


UNBOUND = replace(RULES, hopeless=no_bound)


def _box(change: Any = None, **options: Any) -> Box:
    return RULES.box(change(GAME) if change else GAME, 1, options)


def _hopeless(table: Table) -> bool:
    return bool(RULES.hopeless(table.state, INTERPRETED.make_record(table.box.numbers)))


WAYS = [
    ("as it is", _box()),
    ("tent", _box(items=["tent"])),
    ("map and rucksack", _box(items=["map", "rucksack"])),
    ("many solved a turn", _box(solve_per_turn="many_sequential")),
    ("letters at the ends of a turn", _box(letter_windows="turn_start_end", yellow="optional")),
    ("memories cost 2", _box(rule("memory_cost", to=2))),
]


@pytest.mark.slow
@pytest.mark.parametrize(("_", "box"), WAYS)
def test_no_state_on_the_way_to_a_win_is_called_hopeless(_: str, box: Box) -> None:
    solver, won = Solver(UNBOUND, box, Search((12,), 1)), 0
    for deal in range(12):
        moves = solver.solve_deal(Seed(5, deal)).moves
        if moves is None:
            continue
        won += 1
        table = Table(RULES, box, Seed(5, deal))
        for move in moves:
            assert not _hopeless(table), (deal, table.moves)
            table.apply(move)
        if won == 2:
            break
    assert won, "the test must see wins"


def test_what_is_called_hopeless_is_lost() -> None:
    """The ends of random games: where a bound says that no win can follow, going through everything finds none."""
    box, ended = _box(), defaultdict[int, int](int)
    for deal in range(12):
        table, bot = Table(RULES, box, Seed(9, deal)), TableBots(RULES, box, Seed(9, deal), ("random",))
        while not table.is_over:
            if table.state.ndeck < 2 and _hopeless(table):
                search = _Proof(UNBOUND, box, table.state, 3000, INTERPRETED)
                ended[search.search(table.state, INTERPRETED.make_record(box.numbers))[0]] += 1
                break
            table.apply(bot.choose(table.state, table.list_legal_moves()))
    assert ended[win_search.WON] == 0
    assert ended[win_search.LOST] > 3, "the test must see losses"


ALL = ["red", "green", "blue", "yellow", "white"]
NEARLY = {"solved": ALL[:4], "white": 3, "black": [4, 5], "phase": "end"}


@pytest.mark.parametrize(
    ("given", "hopeless"),
    [
        # X25 of the dossier is won in the next turn.
        ({"solved": ALL, "white": 3, "black": [4, 7], "hand": ["R4"], "letters": 0}, False),
        # Days 3, 5 and 7 add up to 1 more than a round: without a letter only a red or white event could mend that.
        ({"solved": ALL, "white": 3, "black": [5, 7], "hand": ["R4"], "letters": 0}, False),
        ({"solved": ALL, "white": 3, "black": [5, 7], "hand": ["G4"], "deck": ["B1"], "letters": 0}, True),
        ({"solved": ALL, "white": 3, "black": [5, 7], "hand": ["G4"], "deck": ["B1"], "letters": 1}, False),
        # White lacks two events: two turns and the last one, a loop on the way; its own letter may bring a card back.
        ({**NEARLY, "columns": {4: ["W1"]}, "hand": ["W5"], "deck": ["W6", "R1", "R2"], "letters": 0}, False),
        ({**NEARLY, "columns": {4: ["W1"]}, "hand": ["W5"], "deck": ["W6", "R1"], "letters": 0}, True),
        ({**NEARLY, "columns": {4: ["W1"]}, "hand": ["W5"], "deck": ["W6", "R1"], "letters": 2}, False),
    ],
)
def test_what_is_left_is_enough_or_not(given: dict[str, Any], hopeless: bool) -> None:
    used = {card for name in ("hand", "deck") for card in given.get(name, ())}
    used |= {card for cards in given.get("columns", {}).values() for card in cards}
    rest = [f"{suit}{number}" for suit in "RGBYW" for number in range(1, 7) if f"{suit}{number}" not in used]
    table = arranged({**given, "discard": rest} if "deck" in given else given)
    assert _hopeless(table) is hopeless


def test_states_with_equal_keys_go_on_alike() -> None:
    """All that can happen within some turns: what has the same key has the same moves, and the same keys after them."""
    box = _box()
    facts, row, keys = (INTERPRETED.make_record(box.numbers), INTERPRETED.make_row(RULES.most(box)), INTERPRETED.make_row(1000))  # fmt: skip

    def key(state: Record) -> tuple[int, ...]:
        return tuple(keys[: RULES.key(state, facts, keys)])  # type: ignore[misc]  # it has one

    def after(state: Record) -> tuple[Any, ...]:
        ends = []
        for move in row[: RULES.legal(state, facts, row)]:
            twin = INTERPRETED.copy(state)
            RULES.apply(twin, facts, move)
            ends.append((move, twin.result if twin.over else key(twin), twin))
        return tuple(ends)

    met = 0
    for deal in range(6):
        table, bot = Table(RULES, box, Seed(3, deal)), TableBots(RULES, box, Seed(3, deal), ("greedy",))
        while not table.is_over and table.state.turn < 8:
            table.apply(bot.choose(table.state, table.list_legal_moves()))
        known, waiting = dict[tuple[int, ...], Any](), [table.state] if not table.is_over else []
        while waiting and len(known) < 250:
            state = waiting.pop(0)
            ends = after(state)
            found = [end[:2] for end in ends]
            if key(state) in known:
                met += 1
                assert known[key(state)] == found
                continue
            known[key(state)] = found
            waiting += [end[2] for end in ends if not end[2].over]
    assert met > 100, "the test must see equal states"


IN_AN_EFFECT = {"phase": "event", "white": 3, "black": [2, 5], "columns": {3: ["R4", "W4", "B2"], 5: ["G1"]}}
"""The red event's effect waits, white's and blue's are due."""


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("white", 4), ("black", [1, 5]), ("solved", 3), ("letters", 2), ("phase", 9), ("fired", 8), ("job", 29)),
        *(("todo", [3, -1, 13, 0, 0]), ("next", 2), ("line", 1), ("left", 0), ("source", 9), ("power", 2)),
        *(("nhand", 1), ("ndeck", 3), ("playing", 20)),
    ],
)
def test_what_counts_is_in_the_key(field: str, value: Any) -> None:
    assert _keys_with(field, value) != _keys_with("turn", 1)


@pytest.mark.parametrize(
    ("field", "value"),
    [*((name, 3) for name in ("turn", "loops", "spent", "overflows", "known_top", "held", "before", "solves", "rest"))],
)
def test_what_only_tells_is_not(field: str, value: int) -> None:
    assert _keys_with(field, value) == _keys_with("turn", 1)


def _keys_with(field: str, value: Any) -> list[int]:
    table, keys = arranged(IN_AN_EFFECT), INTERPRETED.make_row(1000)
    setattr(table.state, field, value)
    assert RULES.key is not None
    return keys[: RULES.key(table.state, INTERPRETED.make_record(table.box.numbers), keys)]
