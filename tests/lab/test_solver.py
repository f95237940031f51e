"""What the solver says of deals is true: held against a game that is gone through completely, by other means."""

from dataclasses import replace
from itertools import permutations
from math import comb
from pathlib import Path

import pytest
from cards_project import StairsProject
from known.stairs import GIVE_UP, RULES

from generator.base.errors import ProblemsFound
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.lab import win_search
from generator.lab.win_solver import DealOutcome, Search, Solver
from generator.rules.engine.contract import Box, Rules
from generator.rules.engine.kernel import CompiledMode, Record, kernel
from generator.rules.engine.table import Seed, Table, replay_game

SMALL = Search((1, 3), 100)


def rises_in_two_rows(cards: tuple[int, ...], tops: tuple[int, int] = (-1, -1)) -> bool:
    """Every way of laying the cards is tried."""
    if not cards:
        return True
    first, rest = cards[0], cards[1:]
    ways = [(first, tops[1]), (tops[0], first)]
    return any(rises_in_two_rows(rest, way) for at, way in enumerate(ways) if tops[at] < first)


@kernel
def no_bound(s: Record, f: Record) -> int:
    return 0


def deck_of(box: Box, deal: int) -> tuple[int, ...]:
    return tuple(Table(RULES, box, Seed(1, deal)).state.deck)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    StairsProject(tmp_path)
    project = find_project(tmp_path)
    return RULES.box(load_game(project.find_folder("stairs"), project.resources), 1, {})


def test_paper_says_the_same_as_trying() -> None:
    """The orders that can be won are counted by Catalan's numbers."""
    for cards in (3, 4, 5):
        assert sum(map(rises_in_two_rows, permutations(range(cards)))) == comb(2 * cards, cards) // (cards + 1)


@pytest.mark.parametrize("rules", [RULES, replace(RULES, hopeless=no_bound)], ids=["bounds", "no bounds"])
@pytest.mark.parametrize("search", [SMALL, Search((), 100), Search((50,), 100)], ids=["narrow", "none", "wide"])
def test_every_order_of_five_cards(box: Box, rules: Rules, search: Search) -> None:
    """All 120 orders are met; 42 are won, by moves that win, and 78 are proven lost, whichever search does it."""
    solver, known = Solver(rules, box, search), dict[tuple[int, ...], DealOutcome]()
    for deal in range(1000):
        deck = deck_of(box, deal)
        if deck not in known:
            known[deck] = solver.solve_deal(Seed(1, deal))

    assert len(known) == 120
    assert not any(outcome.open for outcome in known.values())
    assert {deck for deck, one in known.items() if one.moves is not None} == set(filter(rises_in_two_rows, known))
    assert sum(one.moves is not None for one in known.values()) == 42
    for outcome in known.values():
        if outcome.moves is not None:
            assert replay_game(RULES, box, Seed(1, outcome.deal), outcome.moves).compute_places() == (1,)


def test_too_little_search_leaves_deals_open(box: Box) -> None:
    """Without room to go through everything a deal stays open: it is never called lost."""
    solver = Solver(replace(RULES, hopeless=no_bound), box, Search((), 2))
    found = {deck_of(box, deal): solver.solve_deal(Seed(1, deal)) for deal in range(200)}
    assert all(one.open for one in found.values() if one.moves is None)
    assert any(one.open for deck, one in found.items() if not rises_in_two_rows(deck))


def test_states_are_told_apart_by_all_of_their_key(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all states have one hash nothing changes: a loss is proven by whole keys."""
    monkeypatch.setattr(win_search, "mix", lambda *_: 0)
    solver = Solver(replace(RULES, hopeless=no_bound), box, Search((), 100))
    for deal in range(100):
        assert (solver.solve_deal(Seed(1, deal)).moves is not None) == rises_in_two_rows(deck_of(box, deal))


def test_a_win_that_no_table_plays_is_a_fault(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a search calls a win counts only when an ordinary table has played it."""
    monkeypatch.setattr("generator.lab.win_solver._Beam.win", lambda *_: ((GIVE_UP,), 1))
    deal = next(deal for deal in range(99) if rises_in_two_rows(deck_of(box, deal)))
    with pytest.raises(RuntimeError, match="don't win it"):
        Solver(RULES, box, SMALL).solve_deal(Seed(1, deal))


def test_only_games_of_one_player_with_a_key(box: Box) -> None:
    """Anything else is a problem with a way out."""
    with pytest.raises(ProblemsFound, match="one player"):
        Solver(RULES, replace(box, players=2), SMALL)
    with pytest.raises(ProblemsFound, match="`key`"):
        Solver(replace(RULES, key=None), box, SMALL)


@pytest.mark.release
def test_compiled_says_the_same(box: Box) -> None:
    """The same outcomes with the same moves, by the same number of tries."""
    pytest.importorskip("numba")
    plain, fast = Solver(RULES, box, SMALL), Solver(RULES, box, SMALL, CompiledMode())
    for deal in range(150):
        assert fast.solve_deal(Seed(1, deal)) == plain.solve_deal(Seed(1, deal))
