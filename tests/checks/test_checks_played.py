"""What games say about box and rules: each outcome has its sentence, its figures and a seed to see it again."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from tiny_game import design, game, kind, place, words

from generator.checks.check_report import Check
from generator.checks.game_checks import (
    Playtest,
    check_examples,
    check_games_end,
    check_holes,
    check_shown_choices,
    check_supplies,
    decide_laws,
    find_unknown_checks,
    report_unplayable,
)
from generator.game.data_fields import CheckSpec
from generator.game.model import Example, Reading
from generator.play.batch import PlanRow
from generator.play.tally import PlayedGame, Tally
from generator.rules.engine.contract import Hole, Rules, Supply

DEFAULTS = ("laws", "supplies", "holes", "measures", "measure", "answers", "unplayable")
RULES = Rules(
    **dict.fromkeys(name for name in Rules.__slots__ if name not in DEFAULTS)  # type: ignore[arg-type]
)
E7 = Reading("E7", "なくなったら", words("none left"), words("take nothing"), place=place(50))
COINS = kind(design("gold", 3), design("iron", 5), stated=8)
GAME = game(COINS, readings={"E7": E7})


def played(number: int, **differing: Any) -> PlayedGame:
    """A game of two turns that went well."""
    usual: dict[str, Any] = {
        "ended": True, "moves": 4, "choices": 3, "turns": 2, "widest": 2,
        "scores": (1, 5),
        "places": (2, 1),
        "peaks": (2,),
        "short": (0,),
        "broken": 0, "hole": 0, "digest": 0,
    }  # fmt: skip
    return PlayedGame(number, **{**usual, **differing})


def tally(*games: PlayedGame) -> Tally:
    """The sums of these games."""
    sums = Tally()
    for one in games:
        sums.add(one)
    return sums


def playtest(tallies: Mapping[PlanRow, Tally], faults: Mapping[str, list[str]] | None = None, **parts: Any) -> Playtest:
    """These games of run 1, by rules with these supplies, holes or laws."""
    return Playtest(replace(RULES, **parts), 1, tallies, faults or {}, {})


def well(number: int = 20) -> Tally:
    return tally(*(played(n) for n in range(number)))


SUPPLY = {"supplies": (Supply("coins", "card"),)}
FORESEEN = {"supplies": (Supply("coins", "card", "E7"),)}


def supply_check(test: Playtest, made: Any = GAME, checks: tuple[Check, ...] = ()) -> Check:
    """The only check of a supply."""
    (check,) = check_supplies(made, test, checks)
    return check


def test_enough_pieces_pass_with_peak_and_bound() -> None:
    """The printed number, the peak, and how seldom running out must be when nobody saw it."""
    check = supply_check(playtest({(2, "random"): well(), (2, "greedy"): well(1)}, **SUPPLY))
    assert (check.id, check.status, check.sentence) == ("supply.coins", "pass", "there are enough: coins")
    assert check.figures == (
        "8 printed; at most 2 in use at a time; wanted and lacking in none of 21 games (at random: at most 13.91% at 95 %)"
    )
    assert check.place == place(5)


def test_the_peak_names_the_bot_that_came_to_it() -> None:
    hoard = tally(played(0, peaks=(6,)))
    check = supply_check(playtest({(2, "random"): well(), (3, "hoard:coins"): hoard}, **SUPPLY))
    assert "; at most 6 in use at a time (by hoard:coins; 2 at random); " in check.figures


def test_too_few_pieces_fail_with_share_interval_and_seed() -> None:
    """Shares of random games have their interval; other bots are counted apart; the first game can be replayed."""
    short = tally(*(played(n, short=(int(n in (7, 9)),), peaks=(8,)) for n in range(20)))
    hoard = tally(played(0, short=(3,), peaks=(8,)))
    check = supply_check(playtest({(3, "random"): short, (3, "hoard:coins"): hoard, (2, "random"): well()}, **SUPPLY))
    assert (check.status, check.sentence) == ("fail", "there are too few: coins")
    assert check.figures == (
        "8 printed; at most 8 in use at a time; wanted and lacking in 2 of 40 games at random (1.4% to 16.5% at 95 %), "
        "1 of 1 by other bots, first in --players 3 --bot hoard:coins --seed 1/0"
    )


def test_the_first_game_is_the_first_of_its_row() -> None:
    short = tally(*(played(n, short=(int(n in (7, 9)),)) for n in range(20)))
    assert supply_check(playtest({(3, "random"): short}, **SUPPLY)).figures.endswith(
        "first in --players 3 --bot random --seed 1/7"
    )


def test_bots_with_spaces_in_their_names_are_quoted() -> None:
    """What is printed can be pasted behind `pnp play GAME`."""
    short = tally(played(4, short=(1,)))
    check = supply_check(playtest({(2, "hoard:all coins"): short}, **SUPPLY))
    assert check.figures.endswith("first in --players 2 --bot 'hoard:all coins' --seed 1/4")


def test_running_out_may_be_foreseen() -> None:
    short = tally(played(0, short=(1,)))
    check = supply_check(playtest({(2, "random"): short}, **FORESEEN))
    assert (check.status, check.reading) == ("pass", "E7")
    assert check.sentence == "they may run out, and a reading says what happens then: coins"
    assert supply_check(playtest({(2, "random"): well()}, **FORESEEN)).sentence == "there are enough: coins"


def test_a_supply_may_be_one_design() -> None:
    check = supply_check(playtest({(2, "random"): well()}, supplies=(Supply("gold", "card/gold"),)))
    assert check.figures.startswith("3 printed; ")


def test_a_number_is_suggested_where_the_draft_has_none() -> None:
    silent = game(replace(COINS, stated=None), readings={"E7": E7})
    short = tally(played(0, short=(1,), peaks=(8,)))
    assert supply_check(playtest({(2, "random"): well()}, **SUPPLY), silent).figures.endswith(
        "; the draft gives no number: 2 is the least that no game exceeded"
    )
    assert supply_check(playtest({(2, "random"): short}, **SUPPLY), silent).figures.endswith(
        "; the draft gives no number: more than 8 are needed if they must never run out"
    )


def test_an_exact_bound_is_told_with_the_check_that_gives_it() -> None:
    worst = Check("worst_case", "rules", "pass", "coins last", "54 of 60")
    test = playtest({(2, "random"): well()}, supplies=(Supply("coins", "card", bound="worst_case"),))
    assert supply_check(test, checks=(worst,)).figures.endswith("; for certain, by worst_case: 54 of 60")


def test_without_games_nothing_is_said_of_pieces_and_holes() -> None:
    test = playtest({}, holes=(Hole("tie", "E7"),), **SUPPLY)
    assert not list(check_supplies(GAME, test, ()))
    assert not list(check_holes(GAME, test))
    assert not list(check_games_end(GAME, test))


def test_other_readings_without_an_example_are_named() -> None:
    shown = {"E7 none_left: stop": ["F-1"], "E7 none_left: skip": []}
    (lacking,) = check_shown_choices(GAME, replace(playtest({}), shown=shown))
    assert (lacking.id, lacking.status, lacking.place) == ("readings.shown", "undecided", place(50))
    assert lacking.figures == "E7 none_left: skip"
    (complete,) = check_shown_choices(GAME, replace(playtest({}), shown={"E7 none_left: stop": ["F-1"]}))
    assert (complete.status, complete.figures) == ("pass", "other readings: 1")
    assert not list(check_shown_choices(GAME, playtest({}))), "there is no other reading"


def test_an_example_that_is_printed_beside_a_reading_must_show_it() -> None:
    """One without words is not printed; one whose options choose what is in force shows nothing either."""
    reading = replace(E7, switch="none_left", value="take", choices=("take", "stop"))
    told, mute, other = (
        Example(name, says, 2, {"none_left": "stop"}, {}, (), {}, place(4))
        for name, says in (("E7-stop", words("it stops")), ("E7-mute", None), ("F-1", words("it ends")))
    )
    lacking = replace(GAME, readings={"E7": reading}, examples=(mute, told, other))
    shown = replace(playtest({}), shown={"E7 none_left: stop": ["F-1"]})
    passed, idle = check_shown_choices(lacking, shown)
    assert (passed.id, passed.status) == ("readings.shown", "pass")
    assert (idle.id, idle.status, idle.figures, idle.place) == ("readings.idle", "undecided", "E7-stop", place(4))
    (passed,) = check_shown_choices(lacking, replace(shown, shown={"E7 none_left: stop": ["E7-stop"]}))
    assert passed.status == "pass"


def test_holes_of_the_rules() -> None:
    met = tally(*(played(n, hole=int(n == 3)) for n in range(20)))
    one, other = (playtest({(2, "random"): games}, holes=(Hole("tie", "E7"),)) for games in (well(), met))
    unread = playtest({(2, "random"): met}, holes=(Hole("tie"),))
    unknown = playtest({(2, "random"): met}, holes=(Hole("tie", "E99"),))

    (unmet,) = check_holes(GAME, one)
    assert (unmet.id, unmet.status, unmet.sentence) == ("hole.tie", "pass", "the rules say what to do")
    assert unmet.figures == "met in none of 20 games (at random: at most 13.91% at 95 %)"
    (found,) = check_holes(GAME, other)
    assert (found.status, found.reading, found.place) == ("finding", "E7", place(50))
    assert found.sentence == "the draft does not say what to do"
    assert found.figures == (
        "met in 1 of 20 games at random (0.9% to 23.6% at 95 %), first in --players 2 --bot random --seed 1/3"
    )
    assert [check.status for test in (unread, unknown) for check in check_holes(GAME, test)] == ["fail", "fail"]


def test_games_that_end_are_described_by_bot() -> None:
    rows = {(2, "random"): well(2), (2, "hoard:a"): well(1), (2, "hoard:b"): tally(played(0, turns=9)), (3, "x"): well(1)}  # fmt: skip
    two, three = check_games_end(GAME, playtest(rows))
    assert (two.id, two.status, two.sentence) == ("play.2", "pass", "2 players: every game ends")
    assert two.figures == (
        "2 by random: 2-2 turns, median 2, 3-3 choices, median 3, between 2 moves at most, scores 1 to 5, median 1; "
        "2 by hoarders: 2-9 turns, median 2, 3-3 choices, median 3, between 2 moves at most, scores 1 to 5, median 1"
    )
    assert three.id == "play.3"


def test_endless_games_fail_with_a_seed() -> None:
    endless = tally(played(0), played(1, ended=False), played(2, ended=False))
    (check,) = check_games_end(GAME, playtest({(2, "random"): well(), (2, "greedy"): endless}))
    assert (check.status, check.sentence) == ("fail", "2 players: games don't end")
    assert check.figures == "2 of 3 by greedy don't end (--seed 1/1)"


LAW = Check("L1", "rules", "undecided", "seven cards in each hand")


def test_laws_are_decided_by_games() -> None:
    """An undecided check that the rules watch over passes or fails; others stay as they are; no game decides nothing."""
    others = (replace(LAW, id="L2"), Check("x", "rules", "fail", "y"))
    broken = tally(*(played(n, broken=int(n > 4)) for n in range(9)))

    def decided(tallies: dict[PlanRow, Tally]) -> tuple[Check, ...]:
        return decide_laws(playtest(tallies, laws=("L1",)), (LAW, *others))

    held = decided({(2, "random"): well(), (3, "random"): well(1)})
    assert held[0] == replace(LAW, status="pass", figures="held after each of 84 moves in 21 games")
    assert held[1:] == others
    (failed, *_) = decided({(2, "random"): well(), (3, "random"): broken})
    assert (failed.status, failed.figures) == ("fail", "broken in --players 3 --bot random --seed 1/5")
    assert decided({}) == (LAW, *others)


def test_laws_without_a_check_are_told() -> None:
    checks = (CheckSpec("L1", words("a"), undecided=True), CheckSpec("L2", words("b"), "1", "1"))
    rules = replace(RULES, laws=("L1", "L2", "L3"))
    assert [check.id for check in find_unknown_checks(game(COINS, checks=checks), rules)] == ["law.L2", "law.L3"]


@pytest.mark.parametrize(
    ("faults", "status", "figures"), [([], "pass", "moves: 1, answers: 2"), (["a", "b"], "fail", "a; b")]
)
def test_examples(faults: list[str], status: str, figures: str) -> None:
    """One check for each example, at its place; every fault is told."""
    example = Example("X1", None, 2, {}, {}, ("play c1",), {"seat": 1, "over": False}, place(60))
    (check,) = check_examples(game(COINS, examples=(example,)), playtest({}, {"X1": faults}))
    assert (check.id, check.kind, check.status, check.figures) == ("example.X1", "example", status, figures)
    assert check.place == place(60)


def test_what_can_not_be_played_is_undecided() -> None:
    (check,) = report_unplayable(GAME, ["a: b: why", "c: d: so"])
    assert (check.id, check.status, check.figures) == ("play", "undecided", "a: b: why; c: d: so")
