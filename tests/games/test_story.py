"""A story told from top to bottom plays as the same function run by Python, and what can't be a story is reported."""

import importlib.util
import random
import sys
import textwrap
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.base.errors import ProblemsFound
from generator.rules.engine import contract
from generator.rules.engine.contract import State, row_field
from generator.rules.engine.facts import codes
from generator.rules.engine.kernel import INTERPRETED, CompiledMode, Mode, Record, kernel
from generator.rules.engine.story import Story, choose, mark_start, offer, once, story


@codes
class Phase:
    """Choices."""

    TAKE, GIVE, REPEAT = 4, 5, 7


MOST = 3


@kernel
def is_over(s: Record) -> int:
    """Return 1 when the heap is gone."""
    return 1 if s.heap <= 0 else 0


@story
def game(s: Record, f: Record) -> None:
    """Play with every kind of statement: loops within loops, breaks, parts used twice, an early end."""
    rounds = 0
    while not is_over(s):
        s.seat = s.turn % s.players
        s.turn += 1
        taken: int = choose(Phase.TAKE, list_numbers, min(MOST, s.heap))
        s.heap -= taken
        if taken == 2:
            give(s, f, taken, 1)
            again = ask_again(s, f)
            if again:
                s.heap += 1
            else:
                continue
        elif taken == f.unlucky and s.turn > 6:
            return
        for other in range(taken):
            if other == 2:
                break
            if s.heap == 4:
                s.marks[0] += 1
                continue
            gain = give(s, f, other, 2)
            s.marks[s.seat] += gain
        else_part = 0
        for mark in range(s.players):
            else_part += s.marks[mark]
        s.marks[0] += else_part + other
        rounds += 1
    s.marks[1] += rounds
    s.over = 1


@story
def give(s: Record, f: Record, most: int, gain: int) -> int:
    """Give a number to a player, for which there is a reward."""
    while True:
        to = choose(Phase.GIVE, list_numbers, s.players)
        if to == s.seat + 1:
            return gain + 5
        if to <= f.unlucky:
            break
        gain += 1
    s.marks[to - 1] += most
    return gain


@story
def ask_again(s: Record, f: Record) -> int:
    """Return the answer."""
    return choose(Phase.REPEAT, list_answers)


@offer
def list_numbers(s: Record, f: Record, most: int) -> Iterator[int]:
    """Offer the numbers from 1, without the unlucky one for the second seat."""
    for number in range(1, most + 1):
        if number != f.unlucky or s.seat != 1:
            yield number


@offer
def list_answers(s: Record, f: Record) -> Iterator[int]:
    """Offer no, and sometimes yes."""
    yield 0
    if s.heap > f.unlucky:
        yield from list_numbers(s, f, 1)


STATE = State(phase="a Phase", heap="what is left", marks=row_field("points", "seats"))
STORY = Story(game, STATE)
FIELDS = {"players": 2, "seat": 0, "over": 0, "turn": 0, "phase": 0, "heap": 12, "marks": [0, 0]}
FACTS = {"unlucky": 3}


class Pause(Exception):
    """Python has come to the next choice."""


def play_by_python(moves: list[int], monkeypatch: pytest.MonkeyPatch) -> tuple[Record, list[int]]:
    """Run the functions as they are with these moves. Return the state, and the moves offered then (none at the end)."""
    s, f, left, offered = INTERPRETED.make_record(FIELDS), INTERPRETED.make_record(FACTS), list(moves), []

    def choose_next(phase: int, offered_by: Callable[..., Iterator[int]], *more: int) -> int:
        s.phase = phase
        if not left:
            offered.extend(offered_by(s, f, *more))
            raise Pause
        return left.pop(0)

    monkeypatch.setitem(globals(), "choose", choose_next)
    try:
        game(s, f)
    except Pause:
        pass
    finally:
        monkeypatch.undo()
    return s, offered


def check_against_python(mode: Mode, games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    legal, apply, begin = map(mode.prepare_kernel, (STORY.legal, STORY.apply, STORY.begin))
    f, row, met = mode.make_record(FACTS), mode.make_row(9), set[int]()
    for seed in range(games):
        chance, moves = random.Random(seed), list[int]()
        s = mode.make_record({**FIELDS, **dict.fromkeys(STORY.fields, 0)})
        begin(s, f)
        while True:
            wanted, offered = play_by_python(moves, monkeypatch)
            now = mode.read_numbers(s)
            assert {name: now[name] for name in FIELDS} == INTERPRETED.read_numbers(wanted), moves
            if not offered:
                break
            assert [int(move) for move in row[: legal(s, f, row)]] == offered
            met.add(int(s.phase))
            moves.append(chance.choice(offered))
            apply(s, f, moves[-1])
        assert not any(now[name] for name in STORY.fields), "a field that nobody needs is 0"
    assert met == {Phase.TAKE, Phase.GIVE, Phase.REPEAT}


def test_a_story_plays_as_python_does(monkeypatch: pytest.MonkeyPatch) -> None:
    check_against_python(INTERPRETED, 150, monkeypatch)


@pytest.mark.slow
def test_a_compiled_story_plays_as_python_does(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    check_against_python(CompiledMode(), 50, monkeypatch)


def test_only_what_is_needed_after_a_choice_becomes_a_field() -> None:
    assert STORY.fields == ("after_give", "gain_2", "most", "other", "other_end", "rounds", "taken")


def test_a_choice_works_in_stories_only() -> None:
    with pytest.raises(RuntimeError, match="`choose` works in stories only"):
        choose(Phase.REPEAT, list_answers)


def test_a_traceback_names_the_line_of_the_story() -> None:
    s, f = (
        INTERPRETED.make_record({**FIELDS, **dict.fromkeys(STORY.fields, 0), "marks": []}),
        INTERPRETED.make_record(FACTS),
    )
    STORY.begin(s, f)
    STORY.apply(s, f, 1)
    with pytest.raises(IndexError) as error:
        STORY.apply(s, f, 2)
    spot = traceback.extract_tb(error.tb)[-1]
    assert (Path(spot.filename), spot.line) == (Path(__file__), "s.marks[to - 1] += most")
    assert STORY.apply.__code__.co_firstlineno == game.__code__.co_firstlineno


@kernel
def fill_heap(s: Record, f: Record) -> None:
    """Begin with five."""
    s.heap = 5


@story
def walk(s: Record, f: Record) -> None:
    """Halve the heap, then choose and begin anew; a situation can begin behind the halving."""
    while s.heap > 0:
        half = s.heap // 2
        mark_start(3)
        answer = choose(Phase.TAKE, list_mixed)
        s.heap -= answer + half
    s.over = 1


@offer
def list_mixed(s: Record, f: Record) -> Iterator[int]:
    """Offer a number, then others in any order and some twice."""
    yield 7
    yield from list_sorted(s, f)
    yield 1


@offer
def list_sorted(s: Record, f: Record) -> Iterator[int]:
    for number in range(4):
        yield once(number * 3 % 5 // 2 + f.unlucky)


WALK = Story(walk, STATE, fill_heap)


def test_set_up_deals_and_a_situation_begins_where_it_is_marked() -> None:
    def play(begin: Callable[..., None], heap: int, *where: int) -> int:
        s = INTERPRETED.make_record({**FIELDS, **dict.fromkeys(WALK.fields, 0), "heap": heap})
        begin(s, INTERPRETED.make_record(FACTS), *where)
        WALK.apply(s, INTERPRETED.make_record(FACTS), 1)
        return int(s.heap)

    assert WALK.fields == ("half",)
    assert (play(WALK.set_up, 0), play(WALK.begin, 9), play(WALK.begin_at, 9, 3)) == (2, 4, 8)


def test_moves_of_an_offer_can_be_sorted_in() -> None:
    s, f, row = INTERPRETED.make_record(FIELDS), INTERPRETED.make_record(FACTS), INTERPRETED.make_row(9)
    s.phase = Phase.TAKE
    assert row[: WALK.legal(s, f, row)] == [7, 3, 4, 5, 1]


HEAD = """\
from generator.rules.engine.contract import State, row_field
from generator.rules.engine.facts import codes
from generator.rules.engine.kernel import kernel
from generator.rules.engine.story import Story, choose, mark_start, offer, story
@codes
class Phase:
    PLAY, PASS = 1, 2
STATE = State(phase="a Phase", cards="how many", hand=row_field("cards", "seats"))
@offer
def list_hand(s, f):
    yield 1
def draw(s):
    s.cards -= 1
@story
def game(s, f):
"""
TAIL = """
STORY = Story(game, STATE)
"""
FIRST = HEAD.count("\n") + 1


def load(path: Path, text: str) -> Any:
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("body", "line", "wrong"),
    [
        (
            "x = choose(Phase.PLAY, list_hand)\ny = choose(Phase.PLAY, list_hand)",
            1,
            "9: line 16 already uses this phase; give each choice its own phase, or move both into one part",
        ),
        (
            "x = choose(Phase.PLAY, list_hand) - 1",
            0,
            "9: a choice stands inside an expression; write `answer = choose(...)` on a line of its own",
        ),
        (
            "while choose(Phase.PLAY, list_hand):\n    s.cards += 1",
            0,
            "11: a choice stands inside an expression; write `answer = choose(...)` on a line of its own",
        ),
        (
            "s.cards = play(s, f) + 1\n@story\ndef play(s, f):\n    return choose(Phase.PLAY, list_hand)",
            0,
            "15: the part `play` stands inside an expression; write `answer = play(...)` on a line of its own",
        ),
        (
            "while s.cards > 0:\n    s.hand[0] = 1\nx = choose(Phase.PLAY, list_hand)",
            0,
            "5: this loop never ends; change what its `while` asks, or leave it by `break`",
        ),
        (
            "while True:\n    s.hand[0] = 1\nx = choose(Phase.PLAY, list_hand)",
            0,
            "5: this loop never ends; change what its `while` asks, or leave it by `break`",
        ),
        (
            "x = choose(Phase.PLAY, list_hand)\nround_again(s, f)\n@story\ndef round_again(s, f):\n    game(s, f)",
            4,
            "5: the story goes round in a circle: game -> round_again -> game; write a loop with `while`",
        ),
        (
            "cards = choose(Phase.PLAY, list_hand)",
            0,
            "5: `cards` is also a field of the state; write `s.cards` for the field, or choose another name",
        ),
        (
            "x = choose(Phase.PLAY, list_none)\n@offer\ndef list_none(s, f):\n    return",
            2,
            "1: the offer `list_none` yields nothing; write `yield` before each move",
        ),
        (
            "x = choose(Phase.PLAY, list_all)\n@offer\ndef list_all(s, f):\n    yield from list_all(s, f)",
            2,
            "1: the offer `list_all` yields from itself; write a loop",
        ),
        (
            "x = choose(Phase.PLAY, list_two)\n@offer\ndef list_two(s, f):\n    yield from (1, 2)",
            3,
            "5: `yield from` needs an offer; write a loop, or mark the function @offer",
        ),
        (
            "x = choose(Phase.PLAY, list_two)\n@offer\ndef list_two(s, f):\n    x = yield 1",
            3,
            "9: this `yield` gives no move; write `yield move` on a line of its own",
        ),
        (
            "size = choose(Phase.PLAY, list_hand)\nx = choose(Phase.PASS, list_hand)\ns.cards = size",
            0,
            "5: no field can be named `size`, as compiled records have something of this name; rename it",
        ),
        ("mark_start(s.cards)", 0, "5: `mark_start` needs a whole number from 0; write mark_start(1)"),
        ("mark_start(1)\nmark_start(1)", 1, "5: 1 marks two spots; give each spot a number of its own"),
        ("x = choose(Phase.PLAY, draw)", 0, "28: `draw` is no offer; mark it @offer"),
        ("x = choose(s.cards, list_hand)", 0, "16: this is no phase; name one of the codes, such as Phase.PLAY"),
        ("x = choose(Phase.PLAY)", 0, "9: `choose` needs a phase and an offer; write choose(Phase.PLAY, list_hand)"),
        (
            "draw(s)\nx = choose(Phase.PLAY, list_hand)",
            0,
            "5: `draw` is no kernel; mark it @kernel, or @story if it chooses",
        ),
        ("x = chose(Phase.PLAY)", 0, "9: nothing has the name `chose`; correct it, or define it before the Story"),
        ("s.cards = 1", -1, "1: there is no choice in the story `game`; write choose(...) in it"),
        (
            "with s:\n    x = choose(Phase.PLAY, list_hand)",
            0,
            "5: a story can't choose within `with`; use `if`, `while`, or `for` with `range`",
        ),
        (
            "for card in s.hand:\n    x = choose(Phase.PLAY, list_hand)",
            0,
            "17: a story chooses only in loops over a range; write `range(end)`",
        ),
        (
            "for card in range(3):\n    card = choose(Phase.PLAY, list_hand)",
            0,
            "9: `card` counts the rounds, and the loop changes it; choose another name for one of them",
        ),
        (
            "play(s, f, 1)\n@story\ndef play(s, f):\n    x = choose(Phase.PLAY, list_hand)",
            0,
            "5: `play` needs other arguments; give it (s, f)",
        ),
        (
            "play()\n@story\ndef play():\n    x = choose(Phase.PLAY, list_hand)",
            2,
            "1: the story `play` has no state; begin its arguments with s, f",
        ),
    ],
)
def test_what_can_not_be_a_story_is_reported_at_its_line(tmp_path: Path, body: str, line: int, wrong: str) -> None:
    told, _, more = body.partition("\n@")
    text = HEAD + textwrap.indent(told, "    ") + (f"\n@{more}" if more else "") + TAIL
    with pytest.raises(ProblemsFound) as found:
        load(tmp_path / "rules.py", text)
    assert [str(problem) for problem in found.value.problems] == [f"{tmp_path}/rules.py:{FIRST + line}:{wrong}"]


def test_the_same_text_without_a_mistake_is_a_story(tmp_path: Path) -> None:
    module = load(tmp_path / "rules.py", f"{HEAD}    x = choose(Phase.PLAY, list_hand)\n{TAIL}")
    assert module.STORY.fields == ()


def test_parts_stand_in_the_file_of_their_story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = load(tmp_path / "parts.py", f"{HEAD}    x = choose(Phase.PLAY, list_hand)\n")
    monkeypatch.setitem(sys.modules, "parts", part)
    text = HEAD.replace("@codes", "from parts import game as play\n@codes") + "    play(s, f)\n" + TAIL
    with pytest.raises(ProblemsFound) as found:
        load(tmp_path / "rules.py", text)
    wrong = f"{tmp_path}/rules.py:{FIRST + 1}:5: the part `game` is in another file; move it to this file"
    assert str(found.value) == wrong


@pytest.mark.parametrize("name", ["size", "round", "base"])
def test_fields_that_compiled_records_hide_are_refused(tmp_path: Path, name: str) -> None:
    text = HEAD.replace('cards="how many"', f'{name}="how many"') + "    return\n"
    with pytest.raises(ProblemsFound) as found:
        load(tmp_path / "rules.py", text)
    assert str(found.value) == (
        f"{tmp_path}/rules.py:8:32: no field can be named `{name}`, as compiled records have something of this name; "
        "rename it"
    )


def test_no_other_name_is_hidden_by_a_compiled_record() -> None:
    numpy = pytest.importorskip("numpy")
    assert {name for name in dir(numpy.record) if name[0] != "_"} <= set(contract.RECORD_NAMES.split())
