"""What games were measured by: wins by seat with intervals, and checks of the data that numbers decide."""

from dataclasses import replace

from test_checks_played import GAME, RULES, played, playtest, tally, well
from tiny_game import game, words

from generator.checks.check_report import Check
from generator.checks.game_checks import check_repeats, check_supplies, count_wins, decide_measures, find_unknown_checks
from generator.game.data_fields import CheckSpec
from generator.game.model import Reading
from generator.rules.engine.contract import REPEATS, SECRETS, TIES, WINS, Measure, Supply

RULES = replace(RULES, box=lambda game, players, options: players)  # type: ignore[arg-type, return-value]
ASKED = Check("M1", "rules", "undecided", "how many stones lie there")


def asked(games: dict[tuple[int, str], object], *measures: Measure, **parts: object) -> Check:
    """The check M1 as games with these measures decide it."""
    test = replace(playtest(games, measures=measures, **parts), rules=replace(RULES, measures=measures, **parts))  # type: ignore[arg-type]
    (check,) = decide_measures(GAME, test, (ASKED,))
    return check


def with_numbers(*numbers: int) -> object:
    return tally(*(played(n, measured=(number,)) for n, number in enumerate(numbers)))


def test_numbers_answer_a_check_by_bot() -> None:
    games = {
        (2, "random"): with_numbers(1, 2, 3),
        (3, "greedy"): with_numbers(4, 4),
        (3, "hoard:a"): with_numbers(0),
        (3, "hoard:b"): with_numbers(2),
    }
    check = asked(games, Measure("M1", "stones"), Measure("other", "never told"))
    assert check.status == "pass"
    assert check.figures == "stones: 1 to 3, mean 2.0 by random, always 4 by greedy, 0 to 2, mean 1.0 by hoarders"


def test_a_yes_or_no_is_told_as_a_share() -> None:
    """With the interval that holds it with 95 %."""
    assert asked({(2, "random"): with_numbers(0, 1, 1, 1)}, Measure("M1", "ended early")).figures == (
        "ended early: 75.0% (30.1% to 95.4% at 95 %) by random"
    )


def test_a_bound_that_games_pass_fails_with_a_seed() -> None:
    games = {(2, "random"): with_numbers(2, 2), (3, "random"): with_numbers(2, 3, 4, 4), (4, "random"): with_numbers(9)}
    most = Measure("M1", "stones", at_most=int)  # type: ignore[arg-type]
    check = asked(games, most)
    assert check.status == "fail"
    assert check.figures.endswith("; beyond 3 at most first in --players 3 --bot random --seed 1/2")
    least = Measure("M1", "stones", at_least=lambda box: 3)
    assert asked(games, least).figures.endswith("; beyond 3 at least first in --players 2 --bot random --seed 1/0")


def test_a_share_that_chance_can_not_bring_about_fails() -> None:
    """Random games alone count: for each number of players how often, how often is right, and what can still be."""
    half = Measure("M1", "heads", chance=lambda _: 0.5)
    right = asked({(2, "random"): with_numbers(*[0, 1] * 20), (2, "greedy"): with_numbers(*[0] * 90)}, half)
    wrong = asked({(2, "random"): with_numbers(*[0] * 40)}, half)
    assert (right.status, right.figures) == ("pass", "heads: 2 players 20 of 40, 50.00% where 50.00% is right")
    assert wrong.status == "fail"
    assert "2 players 0 of 40, 0.00% where 50.00% is right" in wrong.figures


def test_wins_are_told_by_seat_with_intervals() -> None:
    """A shared win counts for both; few games by a bot are left to the program that reads the values."""
    tied = tally(*(played(n, places=(1, 1) if n == 0 else (2, 1)) for n in range(8)))
    (check,) = count_wins(GAME, playtest({(2, "random"): tied, (2, "greedy"): well(1)}))

    assert (check.id, check.status, check.sentence) == ("wins.2", "pass", "2 players: who wins, by seat")
    assert check.figures == (
        "8 by random: seat 1 12.5% (2.2% to 47.1% at 95 %), seat 2 100.0% (67.6% to 100.0% at 95 %), "
        "ties 12.5% (2.2% to 47.1% at 95 %)"
    )
    random, greedy = check.values["games"]
    assert (random["bot"], greedy["bot"]) == ("random", "greedy")
    assert random["wins"][0] == {"games": 1, "low": 0.022417, "high": 0.470888}
    assert random["turns"] == {"least": 2, "median": 2, "most": 2}
    assert random["choices"] == {"least": 3, "median": 3, "most": 3}


def test_one_player_wins_or_loses() -> None:
    alone = tally(*(played(n, scores=(1,), places=(1 + n % 2,)) for n in range(6)))
    (check,) = count_wins(GAME, playtest({(1, "random"): alone}))
    assert check.sentence == "1 player: how often games are won"
    assert check.figures == "6 by random: won 50.0% (18.8% to 81.2% at 95 %)"


def test_what_the_program_counts_answers_checks() -> None:
    games = {(2, "random"): well(5)}

    def told(answer: str) -> str:
        return asked(games, answers={"M1": answer}, supplies=(Supply("coins", "card"),)).figures

    assert told(WINS).startswith("2 players, 5 by random: seat 1 0.0%")
    assert told(TIES) == "2 players, 5 by random: 0.0% (0.0% to 43.4% at 95 %)"
    assert told("coins") == "always 2 by random"


def test_a_game_that_differs_the_second_time_fails() -> None:
    """The same seed must play the same game; a check of the data may ask for it, else one of ours does."""
    steady, unsteady = well(3), well(3)
    steady.add_repeat(played(0), played(0))
    unsteady.add_repeat(played(0), played(0, moves=5))
    (same,) = check_repeats(GAME, playtest({(2, "random"): steady}))
    (other,) = check_repeats(GAME, playtest({(2, "random"): steady, (3, "random"): unsteady}))
    assert (same.status, same.figures) == ("pass", "1 games played twice with the same result")
    assert (other.status, other.figures) == ("fail", "not in --players 3 --bot random --seed 1/0")
    assert asked({(2, "random"): unsteady}, answers={"M1": REPEATS}).status == "fail"
    assert not list(check_repeats(GAME, playtest({(2, "random"): steady}, answers={"M1": REPEATS})))


def test_a_secret_told_fails() -> None:
    kept, told = well(3), well(3)
    kept.add_secret_check(0, kept=True)
    told.add_secret_check(0, kept=False)
    assert asked({(2, "random"): kept}, answers={"M1": SECRETS}).figures.endswith(
        "saw hidden information in 1 random games"
    )
    failed = asked({(2, "random"): kept, (3, "random"): told}, answers={"M1": SECRETS})
    assert (failed.status, failed.figures) == ("fail", "not in --players 3 --bot random --seed 1/0")
    assert asked({(2, "greedy"): well(1)}, answers={"M1": SECRETS}) == ASKED


def test_without_games_nothing_is_decided() -> None:
    assert asked({}, Measure("M1", "stones"), answers={"M1": WINS}) == ASKED
    assert not list(count_wins(GAME, playtest({})))
    assert not list(check_repeats(GAME, playtest({})))


def test_measures_without_a_check_are_told() -> None:
    made = game(checks=(CheckSpec("M1", words("a"), undecided=True), CheckSpec("M2", words("b"), "1", "1")))
    test = playtest({}, measures=(Measure("M1", "x"), Measure("M2", "y")), answers={"M3": TIES})
    assert [check.id for check in find_unknown_checks(made, test.rules)] == ["measure.M2", "measure.M3"]


def test_pieces_that_a_move_was_refused_for_are_not_enough() -> None:
    reading = Reading("E7", "x", words("none left"), words("refused"))
    refused = tally(*(played(n, short=(int(n == 3),), peaks=(8,)) for n in range(9)))
    test = playtest({(2, "random"): refused}, supplies=(Supply("coins", "card", "E7"),))
    (check,) = check_supplies(replace(GAME, readings={"E7": reading}), test, ())
    assert "enough" not in check.sentence
    assert "wanted and lacking in 1 of 9 games at random" in check.figures
