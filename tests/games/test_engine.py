"""What every game's rules stand on: names for numbers, facts, settings, states as tables, hands; the games keep to it."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shipped_games import GAMES, game_and_rules, workshop
from tests_support import TinyProject

from generator.base.errors import Problem, ProblemsFound
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project
from generator.rules.engine.contract import Box, State, row_field
from generator.rules.engine.facts import (
    CardPool,
    FactReader,
    code_name_from_choice,
    codes,
    find_code_name,
    find_known_name,
    find_range_start,
    iter_texts,
    read_entries,
    read_list,
    read_number,
    read_seat,
    require_known_names,
    switch_codes,
)
from generator.rules.engine.kernel import INTERPRETED, CompiledMode, Record, draw_below, insert, kernel, remove, shuffle
from generator.rules.engine.settings import apply_options, encode_settings, read_choices, read_settings
from generator.rules.registry import PACKAGE, list_program_rules

FORTUNA = workshop("fortuna").game


@codes
class Suit:
    """Ranges of numbers."""

    RED, BLUE = 10, 20


@switch_codes("ten_value")
class Ten:
    """A switch of Fortuna."""

    ZERO, TEN, NONE = 0, 5, 7


@kernel
def painted(s: Record, number: int) -> int:
    """Reads names in a loop, as kernels do, and a field of its own name."""
    total = s.painted
    for i in range(number):
        total += Suit.RED if i < 3 else Suit.BLUE
    return total


@given(st.lists(st.integers(0, 2**32 - 1), min_size=4, max_size=4), st.integers(0, 5), st.integers(0, 40))
def test_shuffling_draws_the_chances_that_any_other_choice_would(rng: list[int], start: int, end: int) -> None:
    cards, mixed, other = list(range(45)), list(range(45)), rng.copy()
    for last in range(start + 1, end):
        at = start + draw_below(other, last - start + 1)
        cards[last], cards[at] = cards[at], cards[last]
    shuffle(rng, mixed, start, end)
    assert (mixed, rng) == (cards, other)


def test_a_box_is_opened_once() -> None:
    _, rules = game_and_rules("fortuna")
    (switch, values), *_ = ((name, known) for name, known in read_choices(FORTUNA).items() if len(known) > 1)
    one, other = ({switch: value} for value in values[:2])
    box = rules.box(FORTUNA, 3, one)
    assert rules.box(FORTUNA, 3, dict(one)) is box
    assert rules.box(FORTUNA, 4, one) is not box
    assert rules.box(FORTUNA, 3, other) is not box
    assert rules.box(replace(FORTUNA, draft="other"), 3, one).game.draft == "other"


def test_names_are_told_of_numbers() -> None:
    assert find_code_name(Suit, 20) == "blue"
    assert (find_range_start(Suit, 10), find_range_start(Suit, 19), find_range_start(Suit, 25)) == (10, 10, 20)
    assert (code_name_from_choice(False), code_name_from_choice(5), code_name_from_choice("5x6")) == ("FALSE", "IS_5", "IS_5X6")  # fmt: skip
    with pytest.raises(LookupError, match="Suit has no name for 11"):
        find_code_name(Suit, 11)


@pytest.mark.parametrize("names", [{}, {"A": 1, "B": 1}, {"A": True}, {"A": "1"}])
def test_names_that_name_no_numbers_are_refused(names: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="should name whole numbers"):
        codes(type("Wrong", (), names))


@pytest.mark.slow
def test_compiled_kernels_read_the_same_names() -> None:
    pytest.importorskip("numba")
    mode = CompiledMode()
    assert mode.prepare_kernel(painted)(mode.make_record({"painted": 1}), 5) == 71
    assert painted(INTERPRETED.make_record({"painted": 1}), 5) == 71


def test_a_copy_has_rows_of_its_own() -> None:
    record = INTERPRETED.make_record(
        {"turn": 3, "pass": 7, "hand": [1, 2], "in": [4], "spread": [[5], [6]], "none": []}
    )
    twin = INTERPRETED.copy(record)
    record.hand[0], record.turn = 9, 4
    getattr(record, "in")[0] = 8
    record.spread[0][0] = 0
    assert INTERPRETED.read_numbers(twin) == {"turn": 3, "pass": 7, "hand": [1, 2], "in": [4], "spread": [[0], [6]], "none": []}  # fmt: skip


@given(st.lists(st.integers(0, 50), max_size=8, unique=True), st.data())
def test_hands_stay_in_order(cards: list[int], data: st.DataObject) -> None:
    hand = [99, *[0] * len(cards), 99]
    for number, card in enumerate(cards):
        insert(hand, 1, 1 + number, card)
    assert hand == [99, *sorted(cards), 99]
    if cards:
        gone = data.draw(st.sampled_from(cards))
        remove(hand, 1, 1 + len(cards), gone)
        assert hand == [99, *sorted(set(cards) - {gone}), 0, 99]


def test_settings_become_readings() -> None:
    """The game says what is played; kernels read it by the switches' names; the game that was given is as it was."""
    game = apply_options(FORTUNA, 3, {"ten_value": "ten", "zero_all_in": True})
    assert read_settings(game) == {**FORTUNA.switches, "ten_value": "ten", "zero_all_in": True}
    found = encode_settings(game, [Ten])
    assert (found["ten_value"], found["zero_all_in"]) == (Ten.TEN, 1)
    assert "end_pile_exhausted" not in found
    assert encode_settings(FORTUNA, [Ten])["ten_value"] == Ten.ZERO


def test_options_of_the_rules_are_set_as_well() -> None:
    options = {"hand": {"value": "free", "choices": ("free", "ordered")}}
    game = replace(FORTUNA, sections={**FORTUNA.sections, "rules": {**FORTUNA.sections["rules"], "options": options}})
    assert read_settings(apply_options(game, 3, {"hand": "ordered"}))["hand"] == "ordered"
    assert read_settings(game)["hand"] == "free"


def test_all_that_is_wrong_with_settings_is_told_at_once() -> None:
    options = {"tenvalue": 1, "zero_all_in": 1, "number_fix": "live", "items": "?", "open": "maybe"}
    own = {"items": (), "open": (False, True)}
    further = [Problem(None, "the option items is ?")]
    with pytest.raises(ProblemsFound) as found:
        apply_options(
            FORTUNA, 9, options, unplayable={"number_fix: live": "nobody knows how"}, own=own, further=further
        )

    assert [str(problem).split(": ", 1)[-1] for problem in found.value.problems[:1]] == [
        "fortuna does not support 9 players; it is for 3 to 4 players"
    ]
    assert [str(problem) for problem in found.value.problems[1:]] == [
        "fortuna has no option 'tenvalue'; did you mean 'ten_value'?",
        "number_fix: live can't be played: nobody knows how; choose another value for number_fix",
        "the option items is ?",
        "the option open does not allow 'maybe'; it can be false, true",
        "the option zero_all_in does not allow '1'; it can be false, true",
    ]


def test_a_state_is_made_from_its_table() -> None:
    """Each field at 0, rows as long as the box asks for; those that every game has are there."""
    table = State(supplies=2, phase="a phase", hands=row_field("cards", "seats", "width", 2))
    box = Box(FORTUNA, 3, {}, {"width": 5}, ())
    assert table.make_fields(box) == {
        "rng": [0] * 4,
        "players": 0, "seat": 0, "over": 0, "turn": 0, "hole": 0,
        "short": [0, 0],
        "phase": 0,
        "hands": [0] * 40,
    }  # fmt: skip
    assert table.make_fields(box)["rng"] is not table.make_fields(box)["rng"]


# The five games


def module(game: str, name: str) -> Any:
    """A module of a game; None where it has none."""
    whole = f"{PACKAGE}.{game}.{name}"
    return import_module(whole) if find_spec(whole) else None


def kernels(game: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every kernel, story and offer of a game, with its file's name."""
    for path in sorted(Path(str(import_module(f"{PACKAGE}.{game}").__file__)).parent.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            marks = {ast.unparse(mark) for mark in getattr(node, "decorator_list", ())}
            if isinstance(node, ast.FunctionDef) and marks & {"kernel", "story", "offer"}:
                yield path.name, node


def read(game: str, record: str) -> set[str]:
    """The fields of `s` or `f` that a game's kernels name."""
    return {
        part.attr
        for _, node in kernels(game)
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == record
    }


def boxes(name: str) -> tuple[Game, Box]:
    game = workshop(name).game
    return game, module(name, "rules").RULES.box(game, game.players.fewest, {})


@pytest.mark.parametrize("name", [name for name in GAMES if module(name, "state")])
def test_the_table_of_a_state_is_what_kernels_use(name: str) -> None:
    fields = module(name, "state").STATE.fields
    _, box = boxes(name)
    engine = {"rng", "players", "seat", "over", "turn", "hole", "short"}
    assert len(fields) > 20, "the test must see fields"
    assert read(name, "s") - set(fields) == set()
    assert set(fields) - read(name, "s") - engine == set()
    assert all(len(field.meaning) > 5 for field in fields.values())
    assert read(name, "f") - set(box.numbers) == set()
    kept = module(name, "turns").STORY.fields if hasattr(module(name, "turns"), "STORY") else ()
    state = INTERPRETED.make_record(module(name, "rules").RULES.state(box))
    assert set(INTERPRETED.read_numbers(state)) == {*fields, *kept}


@pytest.mark.parametrize("name", list_program_rules())
def test_each_choice_in_words_is_a_yes_or_no_of_the_box(name: str) -> None:
    game, box = boxes(name)
    now = read_settings(game)
    flags = {
        f"{setting}_{choice}".lower(): int(now[setting] == choice)
        for setting, choices in read_choices(game).items()
        for choice in choices
        if any(isinstance(other, str) for other in choices)
    }
    there = {flag: value for flag, value in flags.items() if flag in box.numbers}

    assert len(there) > 10
    assert there == {flag: box.numbers[flag] for flag in there}
    assert not [flag for flag in set(flags) - set(there) if flag.isidentifier()]
    assert read(name, "f") & set(there)


# Situations of examples


def test_a_pool_gives_each_card_once() -> None:
    pool = CardPool({"A": [0, 1, 2], "A1": [0], "A2": [1], "A3": [2], "B": [3]}, {"A1"})
    assert pool.take(["A", "A1", "B"], "hand") == [1, 0, 3]
    assert pool.take_any(1, last=True) == [2]
    for wrong in ("A", "A1", "B", "C"):
        with pytest.raises(ValueError, match=r"named more often than it exists|there is no card 'C'"):
            pool.take_one(wrong)
    with pytest.raises(ValueError, match="1 cards are wanted, and only 0 are left"):
        pool.take_any(1)


@pytest.mark.parametrize(
    ("read", "told"),
    [
        (lambda: require_known_names({"hnad": 1}, ("hand",)), "'hnad' can't be given; did you mean 'hand'?"),
        (lambda: find_known_name("bleu", ("blue", "red"), "suit"), "there is no suit 'bleu'; did you mean 'blue'?"),
        (lambda: read_number(8, "a day", 1, 7), "a day is '8'; it should be a number from 1 to 7"),
        (lambda: read_number(True, "letters", 0), "letters is 'True'; it should be a number 0 or more"),
        (lambda: read_seat(0, 3), "a seat is '0'; it should be a number from 1 to 3"),
        (lambda: read_list("A", "hand"), r"hand is 'A'; it should be a list"),
        (lambda: read_entries([1], "piles"), r"piles should be given as \{1: ..., 2: ...\}"),
    ],
)
def test_what_an_example_gives_wrongly_is_told(read: Callable[[], Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read()


def test_what_an_example_gives_is_read() -> None:
    assert (read_number("3", "a day", 1), read_seat(2, 3), find_known_name("red", ("blue", "red"), "suit")) == (3, 1, "red")  # fmt: skip
    assert list(iter_texts({1: ["A", {2: "B"}], 3: "C", 4: 5})) == ["A", "B", "C"]


RULES = """
rules:
  hand: 7
  draw: none
  discard:
  steps: [1, 2, x]
  prices: {tea: 3, silk: 5}
  best: tee
  rounds:
    - {players: 2, most: 9}
    - {players: 3, longest: 9}
  each: [{players: 2}, {players: 3}, {players: 4}]
readings:
  - {id: E1, passage: some, problem: Which?, reading: This., switch: ten_valeu, value: zero}
"""


def reader(project: TinyProject) -> FactReader:
    """A reader of the tiny game with the rules above."""
    project.write("data/tiny/rules.yaml", RULES)
    found = find_project(project.root)
    return FactReader(load_game(found.find_folder("tiny"), found.resources))


def test_facts_of_every_kind_are_read(tiny: TinyProject) -> None:
    facts = reader(tiny)
    assert facts.read_whole("hand") == 7
    assert facts.read_whole("prices", "silk") == 5
    assert facts.read_wholes("steps") == ()
    prices = facts.read_table("prices")
    assert prices == {"tea": 3, "silk": 5}
    assert facts.read_name("prices", known=prices) == ""
    clean = reader(tiny)
    assert clean.read_rows("each", columns=("players",)) == ({"players": 2}, {"players": 3}, {"players": 4})
    assert clean.read_switches(("ten_valeu",)) == {"ten_valeu": "zero"}
    clean.raise_problems()


def test_every_problem_is_told_at_once(tiny: TinyProject) -> None:
    facts = reader(tiny)
    facts.read_whole("hnad")
    facts.read_whole("draw")
    facts.read_whole("discard")
    facts.read_whole("hand", least=8)
    facts.read_wholes("steps")
    facts.read_wholes("prices")
    facts.read_table("steps")
    facts.read_name("best", known=facts.read_table("prices"))
    facts.read_rows("rounds", columns=("players", "most"))
    facts.read_rows("hand", columns=("players",))
    facts.read_switches(("ten_value",))

    with pytest.raises(ProblemsFound) as found:
        facts.raise_problems()
    assert [str(problem).removeprefix("data/tiny/rules.yaml:") for problem in found.value.problems] == [
        "3:3: rules.hnad is missing, and the rules of tiny need it; did you mean 'hand'?",
        "3:9: rules.hand must be a list of rows; write each row as `- {name: 1, other: 2}`",
        "3:9: rules.hand must be a whole number, 8 or more; write digits only",
        "4:9: rules.draw must be a whole number, 0 or more; write digits only",
        "5:11: rules.discard must be a whole number, 0 or more; write digits only",
        "6:10: rules.steps must be a list of whole numbers; write it as [1, 2, 3]",
        "6:10: rules.steps must be whole numbers by name; write it as {name: 1, other: 2}",
        "7:11: rules.prices must be a list of whole numbers; write it as [1, 2, 3]",
        "8:9: rules.best is 'tee'; did you mean 'tea'?",
        "10:5: rules.rounds has no row for 4 players; add `- {players: 4, ...}`",
        "11:7: most in entry 2 of rules.rounds is missing, and the rules of tiny need it; known: longest, players",
        "14:3: no reading has the switch 'ten_value', which these rules need; add `switch: ten_value` to its reading",
        "14:5: E1 has the switch 'ten_valeu', which these rules do not know; did you mean 'ten_value'?",
    ]
