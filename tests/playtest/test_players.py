"""Players and bots: what they choose, and what several lead together."""

from collections.abc import Sequence
from dataclasses import replace

import nim
import pytest
from shipped_games import PROJECT, game_and_rules
from small_games import BOXES, higher
from tests_support import quick

from generator.play import game_loop
from generator.play.batch import MatchRunner
from generator.play.bot_registry import MOST_PLAYOUTS, TableBots, assign_bots, find_bot, list_bot_names
from generator.play.game_loop import CHANGES, COURSE_FIGURES, LAST, fill_course_figures
from generator.play.series import Series, common_length, pad_rows
from generator.rules.engine.contract import Box, Rules, Supply
from generator.rules.engine.kernel import INTERPRETED, CompiledMode, InterpretedMode
from generator.rules.engine.table import Seed, Table

HOARDED = replace(higher.RULES, supplies=(Supply("cards", "card"),))
EVERY_BOT = (*list_bot_names(HOARDED), "search:20")
MIXED = ("search:20", "random", "greedy"), ("look-ahead:3", "hoard:cards", "look-ahead"), ("greedy", "random", "greedy")


def at_a_table(rules: Rules, box: Box, seed: Seed, bots: Sequence[str]) -> Table:
    """A game that bots play one choice after the other."""
    table, seated = Table(rules, box, seed), TableBots(rules, box, seed, bots)
    while not table.is_over:
        table.apply(seated.choose(table.state, table.list_legal_moves()))
    return table


@pytest.mark.parametrize("bots", [*((bot,) for bot in EVERY_BOT), *MIXED], ids=",".join)
def test_a_table_of_bots_plays_the_game_of_the_batch(bots: tuple[str, ...]) -> None:
    matches = MatchRunner(HOARDED, BOXES[1], bots)
    for number in range(6):
        table = at_a_table(HOARDED, BOXES[1], Seed(1, number), bots)
        batch = matches.play(Seed(1, number))
        told = 0
        for move in table.moves:
            told = game_loop.extend_digest(told, move)
        assert (table.compute_scores(), len(table.moves), told) == (batch.scores, batch.moves, batch.digest)


def test_each_seat_has_its_own_bot() -> None:
    """Who searches wins at Nim from a random player, on whatever seat: the seats of a table are not mixed up."""
    for seat in range(2):
        bots = tuple("search:60" if seat == other else "random" for other in range(2))
        games = [MatchRunner(nim.RULES, nim.box_of(10), bots).play(Seed(1, game)) for game in range(40)]
        assert sum(game.places[seat] == 1 for game in games) > 34


@pytest.mark.parametrize("heap", [5, 6, 7, 9, 10, 11])
def test_search_finds_a_forced_win(heap: int) -> None:
    """In Nim it leaves a multiple of four, though nothing but the end of a game tells it why."""
    box = nim.box_of(heap)
    for game in range(3):
        table, bot = Table(nim.RULES, box, Seed(1, game)), TableBots(nim.RULES, box, Seed(1, game), ("search:400",))
        assert bot.choose(table.state, table.list_legal_moves()) == heap % 4


@pytest.mark.slow
def test_more_playouts_are_not_worse() -> None:
    found = []
    for playouts in (4, 40, 400):
        right = 0
        for heap in (5, 6, 7, 9, 10, 11, 13):
            for game in range(6):
                box, seed = nim.box_of(heap), Seed(2, game)
                table, bot = Table(nim.RULES, box, seed), TableBots(nim.RULES, box, seed, (f"search:{playouts}",))
                right += bot.choose(table.state, table.list_legal_moves()) == heap % 4
        found.append(right)

    assert found == sorted(found)
    assert found[0] < 30
    assert found[-1] > 39


def test_search_takes_what_the_game_gives() -> None:
    """Where nothing can be won a search still plays on: alone at a table, and against two others."""
    for players in (1, 3):
        assert MatchRunner(nim.RULES, nim.box_of(9, players), ("search:8",)).play(Seed(1, 0)).ended


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("search:0", "search takes 1 to"),
        ("search:many", "search takes 1 to"),
        (f"search:{MOST_PLAYOUTS + 1}", "search takes 1 to"),
        ("look-ahead:0", "unknown bot 'look-ahead:0'; look-ahead takes 1 to 1000 looks: look-ahead:20"),
        ("look-ahead:", "look-ahead takes 1 to"),
        ("look-ahead:1001", "look-ahead takes 1 to"),
        ("search", "did you mean 'search:200'"),
        ("hoard:card", "did you mean 'hoard:cards'"),
    ],
)
def test_unknown_bots_are_told_a_way_out(name: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        find_bot(name, HOARDED)


def test_bots_are_one_or_one_for_each_seat() -> None:
    assert assign_bots(("greedy",), 3) == ("greedy",) * 3
    with pytest.raises(ValueError, match="2 bots for 3 seats"):
        Series(higher.RULES, BOXES[1], INTERPRETED, bots=("greedy", "random"))


@pytest.mark.slow  # to compile takes many times as long as to play
@pytest.mark.parametrize(
    "bots",
    quick([((EVERY_BOT[-1],),), *((bots,) for bots in MIXED)], ((EVERY_BOT[-1],),), rest="release"),
    ids=",".join,
)
def test_compiled_bots_choose_alike(bots: tuple[str, ...], request: pytest.FixtureRequest) -> None:
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    plain, fast = (
        list(map(int, Series(HOARDED, BOXES[1], mode, bots=bots).game_figures(1, 0, 12)))
        for mode in (INTERPRETED, CompiledMode(request.getfixturevalue("kernels")))
    )
    assert plain == fast


@pytest.mark.release
def test_compiled_bots_choose_alike_in_a_shipped_game(request: pytest.FixtureRequest) -> None:
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    game, rules = game_and_rules("journey8")
    box = rules.box(game, 3, {})
    plain, fast = (
        list(map(int, Series(rules, box, mode, bots=("search:10", "greedy", "look-ahead")).game_figures(1, 0, 3)))
        for mode in (INTERPRETED, CompiledMode(request.getfixturevalue("kernels")))
    )
    assert plain == fast


def test_rows_of_common_lengths_hold_the_same() -> None:
    """A few cards more or less make rows of the same lengths, with zeros behind; nothing is cut off."""
    lengths = [common_length(number) for number in range(200)]
    one, other = (pad_rows({"n": number, "deck": [7] * number, "seats": [[1] * number] * 3}) for number in (20, 23))
    assert all(number <= length <= max(8, number * 3 // 2) for number, length in enumerate(lengths))
    assert lengths == sorted(lengths)
    assert one["n"] == 20
    assert one["deck"] == [7] * 20 + [0] * 4
    assert one["seats"] == [[1] * 20 + [0] * 4] * 3 + [[0] * 24] * 5
    assert [len(one["deck"]), len(one["seats"])] == [len(other["deck"]), len(other["seats"])]


class LongerRows(InterpretedMode):
    """Plain Python with rows as long as where kernels are compiled."""

    by_length = True


@pytest.mark.parametrize("name", PROJECT.games)
def test_no_kernel_asks_for_the_length_of_a_row(name: str) -> None:
    game, rules = game_and_rules(name)
    assert rules.roomy
    box = rules.box(game, next(iter(game.players)), {})
    tight, wide = (Series(rules, box, mode).game_figures(1, 0, 3) for mode in (INTERPRETED, LongerRows()))
    assert tight == wide


def test_a_shared_lead_is_no_lead() -> None:
    """Only a player who is ahead alone takes the lead: drawing level is no change, nor is going on from it."""
    points = [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (2, 3)]
    course = [len(points), *(each for turn in points for each in turn)]
    told = [0] * COURSE_FIGURES
    fill_course_figures(course, 2, told, 0)
    assert (told[CHANGES], told[LAST]) == (1, 100)
