"""People and bots at one table: bots choose as in a batch, undo and resuming lead to the same game."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from small_games import BOXES, higher

from generator.play.batch import MatchRunner
from generator.play.bot_registry import list_bot_names
from generator.play.human_game import HumanGame
from generator.rules.engine.contract import Supply
from generator.rules.engine.kernel import INTERPRETED, kernel
from generator.rules.engine.table import IllegalMove, Seed, Table

HOARDED = replace(higher.RULES, supplies=(Supply("cards", "card"),))


FOURTH = Seed(1, 4)


def sitting(people: Sequence[int] = (0,), bot: str = "greedy", seed: Seed = FOURTH) -> HumanGame:
    return HumanGame(Table(HOARDED, BOXES[1], seed), people, bot)


def played_on(one: HumanGame) -> HumanGame:
    """To the end, people choosing their last legal move."""
    while not one.table.is_over:
        list(one.play_bots("en"))
        if one.is_waiting:
            one.make_move(one.table.list_legal_moves()[-1], "en")
    return one


@pytest.mark.parametrize("bot", list_bot_names(HOARDED))
def test_a_reports_seed_leads_to_the_game_of_the_batch(bot: str) -> None:
    for number in range(12):
        seed = Seed(1, number)
        alone = played_on(sitting((), bot, seed)).table
        counted = MatchRunner(HOARDED, BOXES[1], (bot,)).play(seed)
        assert (alone.compute_scores(), alone.compute_places(), len(alone.moves)) == (counted.scores, counted.places, counted.moves)  # fmt: skip


def test_the_games_of_a_batch_differ() -> None:
    assert len({tuple(played_on(sitting((), "random", Seed(1, n))).table.moves) for n in range(12)}) == 12


def test_moves_and_seed_replay_a_game_of_random_moves() -> None:
    """Choices take nothing from the chances of the game, so that a transcript deals the same cards."""
    one = played_on(sitting((), "random"))
    again = Table(HOARDED, BOXES[1], one.table.seed)
    for move in one.table.moves:
        again.apply(move)
    assert INTERPRETED.read_numbers(again.state) == INTERPRETED.read_numbers(one.table.state)


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_resuming_at_any_point_is_the_same_game(bot: str) -> None:
    whole = played_on(sitting((1,), bot)).table.moves
    for length in range(len(whole)):
        resumed = sitting((1,), bot)
        resumed.replay_moves(whole[:length])
        assert played_on(resumed).table.moves == whole


def test_undo_goes_back_to_the_last_own_choice() -> None:
    """What bots did since is taken back with it; choosing alike leads to the same game."""
    one = sitting((0,))
    list(one.play_bots("en"))
    before, move = one.table.moves[:], one.table.list_legal_moves()[0]
    one.make_move(move, "en")
    list(one.play_bots("en"))
    after = one.table.moves[:]
    one.undo()
    assert one.table.moves == before
    one.make_move(move, "en")
    list(one.play_bots("en"))
    assert one.table.moves == after


def test_undo_before_any_choice_is_refused() -> None:
    one = sitting((0,), seed=Seed(1, 1))
    list(one.play_bots("en"))
    with pytest.raises(IllegalMove, match="no human player has chosen yet"):
        one.undo()
    nobody = played_on(sitting(()))
    with pytest.raises(IllegalMove):
        nobody.undo()
    assert nobody.table.is_over


def test_moves_that_do_not_fit_are_named() -> None:
    one = sitting()
    first = one.table.list_legal_moves()[0]
    with pytest.raises(IllegalMove, match="move 2: "):
        one.replay_moves([first, first])


@kernel
def stuck(s, f, moves):  # type: ignore[no-untyped-def]
    return 0 if s.turn == 4 else higher.legal(s, f, moves)


def test_a_game_that_can_not_go_on_is_left() -> None:
    one = HumanGame(Table(replace(HOARDED, legal=stuck), BOXES[0], Seed(1)), (), "random")
    made = list(one.play_bots("en"))
    assert len(made) == 4
    assert one.is_stuck
    assert not one.is_waiting
