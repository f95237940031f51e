"""What is told of that nobody chose, and what one must know to choose: the words of the five games at the table."""

import ast
import re
from importlib import import_module
from inspect import findsource
from random import Random
from typing import Any

import engine_laws as laws
import pytest
from shipped_games import GAMES, game_and_rules, workshop

from generator.play.example_runs import find_move
from generator.play.table_text import MoveReporter
from generator.rules.engine.contract import Message
from generator.rules.engine.settings import encode_settings
from generator.rules.engine.table import Seed, Table


def table_of(name: str, players: int, given: dict[str, Any] | None = None, seed: int = 1) -> Table:
    game, rules = game_and_rules(name)
    box = rules.box(game, players, {})
    return Table(rules, box, Seed(seed)) if given is None else Table.arrange(rules, box, Seed(seed), given)


def heard(table: Table, move: str, seat: int = 1) -> list[str]:
    """What a seat (from 0) is told of a move and what comes of it, without spaces around."""
    (told,) = MoveReporter(table, (seat,), "en").make_move(find_move(table, move)).values()
    return [line.strip() for line in told.format_lines("en")]


def phrases(said: tuple[Message, ...]) -> list[str]:
    return [one.phrase for one in said]


def test_a_forced_pass_is_told_and_warned_of() -> None:
    """Who ends Main 1 without a card ahead reads so before; everybody hears that it is a pass, and which."""
    table = table_of("wayfaring", 2, {"hand 1": ["D05", "D06"], "hand 2": ["D01", "D02"]})
    warned = table.describe_move(find_move(table, "done"), "en")
    assert warned == "end this main phase (no card ahead: the move will be pass 1 of 2)"
    assert "player 1 has no card ahead and passes the move (pass 1 of 2)" in heard(table, "done")


def test_a_forced_loss_is_called_one() -> None:
    table = table_of("wayfaring", 2, {"hand 1": ["D05", "D06"], "hand 2": ["D01", "D02"], "marks 1": 2})
    assert "fainting!" in table.describe_move(find_move(table, "done"), "en")
    told = heard(table, "done")
    assert table.is_over
    assert told[1:5] == [
        "player 1 has no card ahead and passes the move",
        "player 1 has passed once too often and faints",
        "all others have fainted: player 2 wins (travel memories: 0)",
        "places: winners, then who is still in the game (most memories first), then who fainted later"
        " (of equals, more memories)",
    ]


def test_fainting_without_dropping_out_is_told() -> None:
    game, rules = game_and_rules("wayfaring")
    given = {"turn": 1, "hand 1": ["D02"], "path 1": ["D03+", "D04+"], "hand 2": ["D05", "D06"]}
    table = Table.arrange(rules, rules.box(game, 2, {"fainting": "rest"}), Seed(1), given)
    assert (
        "player 1 faints, but is not out: draws up to 3 cards, gives back all pass markers and loses the memory"
        " furthest in the future (up to 1)"
    ) in heard(table, "place D02")


def test_hands_that_are_drawn_anew_are_shown() -> None:
    game, rules = game_and_rules("wayfaring")
    shown = 0
    for number in range(400):
        table = Table(rules, rules.box(game, 4, {}), Seed(5, number))
        told = table.list_consequences(0)
        assert phrases(told) == ["redrawn"] * table.state.redraws
        for one in told:
            kinds = [card.kind for card in one.values["cards"]]
            assert len(kinds) == 6
            assert "destination" not in kinds
            shown += 1
    assert shown, "the test must see hands that are drawn anew"


def test_one_reads_to_what_one_answers() -> None:
    game, rules = game_and_rules("wayfaring")
    asked = set()
    for number in range(6):

        def watch(now: Table, legal: tuple[int, ...]) -> None:
            if "decline" in [now.write_move(move) for move in legal]:
                status = phrases(now.observe(now.seat).status)
                assert status[0].startswith("at_")
                assert status[1].startswith("answer_")
                asked.add(status[1])

        laws.play(Table(rules, rules.box(game, 3, {}), Seed(6, number)), Random(number), watch)
    assert {"answer_recruit", "answer_card", "answer_done"} <= asked


def test_the_board_of_xanadu_is_told() -> None:
    """Areas with zone and neighbours, lids by row, the next space of each row, actions left, Daily cards face down."""
    table = table_of("xanadu", 3)
    for company in ("red", "green", "purple"):
        table.apply(find_move(table, f"company {company}"))
    sight = table.observe(1)
    assert phrases(sight.status) == ["at_placing", "next_space", "next_space", "next_space"]
    assert [name for name in sight.facts if name.startswith("place")] == [f"place {n}" for n in range(10)]
    assert sight.facts["player 2"].values["warehouse"] == "0/2"

    table.apply(find_move(table, "place fulfil"))
    assert table.observe(1).status[0].values["left"] == 1
    assert heard(table, "daily") == ["player 1                            use the Daily card"]
    assert "player 1: +3 VP, now 3" in heard(table, "normal 3")
    assert [lying.turned for lying in table.observe(2).zones["daily 1"]] == [False, False, False, True]


def test_what_an_own_path_hides_is_known_to_who_laid_it() -> None:
    given = {"hand 1": ["T01", "D05", "D06"], "hand 2": ["D01", "D02"], "path 2": ["D07-"]}
    table = table_of("wayfaring", 2, given)
    table.apply(find_move(table, "trouble T01 2"))
    assert [lying.piece.split("#")[0] for lying in table.observe(0).zones["ahead 2"]][-1] == "trouble/T01"
    assert [lying.piece for lying in table.observe(1).zones["ahead 2"]][-1] == ""


def test_a_lost_trip_says_why() -> None:
    """journey18: an empty deck loses, and a loop is told of."""
    game, rules = game_and_rules("journey18")
    box, told = rules.box(game, 1, {}), set()
    for number in range(12):
        table = Table(rules, box, Seed(7, number))

        def watch(now: Table, _legal: tuple[int, ...]) -> None:
            told.update(phrases(now.list_consequences(0)))

        laws.play(table, Random(number), watch)
        watch(table, ())
        assert phrases(table.list_consequences(0))[-1] in ("arrived", "no_card_left")
    assert {"looped", "no_card_left"} <= told


@pytest.mark.parametrize("name", GAMES)
def test_stories_name_the_readings_that_they_ask(name: str) -> None:
    """A function names the entry of each flag it asks; "E20 on" is true of such a flag, "E7 off" of all of them."""
    game, source = workshop(name).game, findsource(import_module(f"generator.rules.{name}.turns"))[0]
    values = encode_settings(game)
    switches = sorted(
        (one.switch, one.id) for one in game.readings.values() if one.switch
    )  # `solve` before `solve_per_turn`
    asked = {flag: entry for switch, entry in switches for flag in values if re.fullmatch(f"{switch}(_.*)?", flag)}
    wrong, stated = [], 0
    for part in ast.parse("".join(source)).body:  # the docstring, functions
        lines = source[part.lineno - 1 : part.end_lineno]
        flags = [[flag for flag in re.findall(r"\bf\.(\w+)", line) if flag in asked] for line in lines]
        every = [flag for line in flags for flag in line]
        wrong += [(part.lineno, flag) for flag in every if not re.search(rf"\b{asked[flag]}\b", "".join(lines))]
        for line, here in zip(lines, flags, strict=True):
            for entry, said in re.findall(r"\b(E\d+[a-z]?) (on|off)\b", line):
                held = [values[flag] for flag in here or every if asked[flag] == entry]
                wrong += [(part.lineno, entry, said)] if not held or any(held) != (said == "on") else []
                stated += 1
    assert wrong == []
    assert stated > 2, "the test must see statements"
