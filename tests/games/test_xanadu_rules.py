"""Xanadu's arithmetic, by the worked examples of its rules and by laws that hold for all numbers."""

from collections.abc import Iterable, Mapping
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples
from xanadu_game import loaded

from generator.rules.engine.kernel import INTERPRETED
from generator.rules.xanadu import state as m
from generator.rules.xanadu.data import (
    ACTIONS,
    Area,
    Growth,
    Placement,
    Space,
    facts_of,
    figure_places,
    find_edges,
    measure_distances,
    stated_edges,
)
from generator.rules.xanadu.offers import find_removable
from generator.rules.xanadu.outlook import (
    Shortfall,
    compute_worth,
    count_starts,
    count_steps,
    find_cheapest,
    find_shortfalls,
    list_payments,
    list_states,
    make_change,
    most_normals,
    most_tokens,
    worker_round,
)
from generator.rules.xanadu.stock import empty_full_rows, stand_worker

FIGURE = ("□◆□", "□□", "□□□", "□□")
GROWTH = Growth(
    by_round=(1, 1, 1, 2, 2, 0),
    lids={"warehouse": 2, "transport": 2, "quality": 2, "worker": 1, "skill": 4},
    opens_worker=("warehouse", "transport", "quality"),
    limit=(3, 4, 5),
    restock=(0, 1, 2),
    carry=(1, 2, 2),
    transport_actions=(0, 0, 1),
    upgrade_actions=(0, 1, 2),
    workers=(3, 4),
)
ROWS = {"fulfil": (1, 2, 3), "transport": (1, 2, 3), "upgrade": (1, 2, 3)}
SPACES = {number: Space(number, number, 3 - number) for number in (1, 2, 3)}
EMPTY: dict[str, tuple[int, ...]] = dict.fromkeys(ROWS, ())
A, B, C, D = range(4)

Goods = tuple[int, int, int]
goods = st.tuples(*[st.integers(0, 4)] * 3)


def town() -> dict[str, Area]:
    """The places of the figure, without what they say is next to them."""
    spots = enumerate(figure_places(FIGURE))
    return {f"p{n}": Area(row, x, 0, ()) for n, (row, x, _) in spots}


def test_rows_of_two_lie_in_the_gaps() -> None:
    """W02: the figure gives ten places, 18 pairs of neighbours, and distances that are the zones."""
    pairs = find_edges(town(), "offset")
    assert [(row, x) for row, x, _ in figure_places(FIGURE)] == [
        (0, 0), (0, 2), (0, 4), (1, 1), (1, 3), (2, 0), (2, 2), (2, 4), (3, 1), (3, 3),
    ]  # fmt: skip
    assert len(pairs) == 18
    assert measure_distances("p1", pairs) == {
        "p1": 0, "p0": 1, "p2": 1, "p3": 1, "p4": 1, "p5": 2, "p6": 2, "p7": 2, "p8": 3, "p9": 3,
    }  # fmt: skip


def test_square_rows_have_twelve_pairs() -> None:
    """E26 read the other way: fewer neighbours, and p9 is four steps away."""
    pairs = find_edges(town(), "square_shift")
    assert len(pairs) == 12
    assert [measure_distances("p1", pairs)[name] for name in ("p4", "p5", "p7", "p9")] == [2, 3, 3, 4]


def test_an_island_has_no_distance() -> None:
    assert measure_distances("a", {frozenset("ab"), frozenset("cd")}) == {"a": 0, "b": 1}
    assert stated_edges({"a": Area(0, 0, 0, ("b",)), "b": Area(0, 2, 1, ())}) == {("a", "b")}


@pytest.mark.parametrize(
    ("have", "cost", "pays"),
    [
        ((0, 3, 0), (0, 1, 1), False),
        ((0, 0, 2), (0, 1, 1), True),
        ((5, 1, 0), (0, 2, 0), False),
        ((0, 1, 1), (0, 2, 0), True),
        ((2, 0, 0), (3, 0, 0), False),
    ],
)
def test_higher_grades_pay_for_lower_ones(have: Goods, cost: Goods, pays: bool) -> None:
    """W06: the draft's own example is the fourth; number never makes up for grade."""
    assert bool(list_payments(have, cost)) is pays


@pytest.mark.parametrize(
    ("have", "cost", "spent"),
    [((2, 2, 1), (2, 1, 0), (2, 1, 0)), ((0, 2, 1), (1, 1, 0), (0, 2, 0)), ((1, 0, 3), (1, 1, 1), (1, 0, 2))],
)
def test_the_cheapest_payment_spends_low_grades(have: Goods, cost: Goods, spent: Goods) -> None:
    """W07."""
    assert find_cheapest(have, cost) == spent


@given(goods, goods)
@examples(60)
def test_no_payment_is_cheaper(have: Goods, cost: Goods) -> None:
    ways = [
        spent
        for spent in product(*(range(n + 1) for n in have))
        if sum(spent) == sum(cost) and all(sum(spent[g:]) >= sum(cost[g:]) for g in range(3))
    ]
    assert sorted(list_payments(have, cost)) == sorted(ways)
    if ways:
        assert find_cheapest(have, cost) == min(ways, key=lambda spent: (spent[2], spent[1]))
    else:
        with pytest.raises(ValueError, match="does not pay for"):
            find_cheapest(have, cost)


@pytest.mark.parametrize(
    ("cost", "needed", "vp"),
    [
        ((2, 0, 0), 0, 3),
        ((1, 2, 0), 2, 7),
        ((0, 1, 1), 3, 7),
        ((0, 0, 2), 4, 9),
        ((1, 2, 1), 4, 12),
        ((0, 1, 2), 5, 12),
    ],
)
def test_requests_are_priced_by_grade_and_number(cost: Goods, needed: int, vp: int) -> None:
    assert count_steps(cost, (0, 1, 2)) == needed
    assert compute_worth(cost, (1, 2, 4), 1) == vp


@pytest.mark.parametrize(
    ("vp", "tokens"),
    [(97, {30: 3, 10: 0, 5: 1, 1: 2}), (100, {30: 3, 10: 1, 5: 0, 1: 0}), (149, {30: 4, 10: 2, 5: 1, 1: 4})],
)
def test_change_in_few_tokens(vp: int, tokens: dict[int, int]) -> None:
    """W40."""
    assert make_change(vp, (1, 5, 10, 30)) == tokens


@given(st.integers(0, 300))
@examples(40)
def test_change_is_exact_and_within_bounds(vp: int) -> None:
    tokens = make_change(vp, (1, 5, 10, 30))
    assert sum(value * number for value, number in tokens.items()) == vp
    bounds = most_tokens(300, (1, 5, 10, 30))
    assert all(number <= bounds[value] for value, number in tokens.items())
    assert most_tokens(30, (1, 5, 10, 30))[30] == 1
    assert most_tokens(149, (1, 5, 10, 30)) == {1: 4, 5: 1, 10: 2, 30: 4}


def rows_with_lids(off: Mapping[str, int]) -> list[str]:
    """The rows that a lid may be taken from where so many are off."""
    s = INTERPRETED.make_record({"lids": list(off.values())})
    opens = [int(row in GROWTH.opens_worker) for row in GROWTH.lids]
    rows = find_removable(s, INTERPRETED.make_record({"lids": list(GROWTH.lids.values()), "opens": opens}), 0)
    return [name for n, name in enumerate(GROWTH.lids) if rows >> n & 1]


def test_the_extra_worker_needs_an_empty_row() -> None:
    """W24: one lid off each row opens nothing; the second of one row does."""
    off = {"warehouse": 1, "transport": 1, "quality": 1, "worker": 0, "skill": 0}
    assert rows_with_lids(off) == ["warehouse", "transport", "quality", "skill"]
    assert "worker" in rows_with_lids({**off, "quality": 2})
    assert "worker" not in rows_with_lids({**off, "skill": 4})
    assert rows_with_lids({**off, "quality": 2, "worker": 1}) == ["warehouse", "transport", "skill"]


def test_a_company_can_look_thirty_six_ways() -> None:
    """W25 and the count of states: seven lids, 36 states, 19 with the extra worker, 10 with all skills."""
    found = list_states(GROWTH.removed_lids, GROWTH)
    assert (GROWTH.removed_lids, GROWTH.handed_out, len(found)) == (7, 11, 36)
    assert sum(off["worker"] for off in found) == 19
    assert sum(off["skill"] == 4 for off in found) == 10
    assert all(sum(off.values()) == 7 for off in found)
    assert len(list_states(0, GROWTH)) == 1


def test_the_extra_worker_comes_after_round_three() -> None:
    assert worker_round(GROWTH) == 3
    short = Growth(**{name: getattr(GROWTH, name) for name in Growth.__slots__} | {"by_round": (1, 1)})
    assert worker_round(short) is None


def board(placements: Iterable[tuple[int, str]], whole_board: int = 0) -> dict[str, tuple[int, ...]]:
    """The seats whose workers stand in each row after these placements."""
    s = INTERPRETED.make_record(
        {"rows": [0] * m.ROWS * m.SPACES, "row_n": [0] * m.ROWS, "reserve": [0] * 4, "dispatch_stock": 0}
    )
    f = INTERPRETED.make_record({"row_len": [3] * m.ROWS, "reset_scope_board": whole_board})
    for seat, action in placements:
        stand_worker(s, ACTIONS.index(action), seat)
        empty_full_rows(s, f)
    return {action: tuple(s.rows[row * m.SPACES : row * m.SPACES + s.row_n[row]]) for row, action in enumerate(ACTIONS)}


def test_a_full_row_empties() -> None:
    """W03: the third worker clears its row and no other; E07 read the other way, all of them."""
    before = [(A, "transport"), (B, "transport"), (C, "fulfil")]
    assert board(before) == {**EMPTY, "transport": (A, B), "fulfil": (C,)}
    assert board([*before, (C, "transport")]) == {**EMPTY, "fulfil": (C,)}
    assert board([*before, (C, "transport")], whole_board=1) == EMPTY


@pytest.mark.parametrize(
    ("placements", "normals"), [(0, 0), (1, 2), (2, 4), (3, 6), (12, 15), (15, 18), (18, 21), (24, 27)]
)
def test_the_most_normals_leave_rows_unfinished(placements: int, normals: int) -> None:
    """W42: one for each placement and one more for each row that stays open, three at most."""
    assert most_normals(placements, ROWS, SPACES) == normals


@given(st.lists(st.sampled_from(sorted(ROWS)), max_size=20))
@examples(40)
def test_no_order_of_placements_brings_more(actions: list[str]) -> None:
    gained = 0
    for n, action in enumerate(actions):
        standing = len(board((A, before) for before in actions[:n])[action])
        gained += SPACES[ROWS[action][standing]].normals
    assert gained <= most_normals(len(actions), ROWS, SPACES)


def test_workers_can_get_stuck() -> None:
    """W34: after two rounds A has five workers on the board and takes one back; nobody places what is not in hand."""
    f, t, u = "fulfil", "transport", "upgrade"
    first = [(A, f), (B, u), (C, u), (A, f), (B, u), (C, u), (A, t), (B, u), (C, u)]
    second = [(B, u), (C, u), (A, t), (B, u), (C, u), (A, u), (B, u), (C, u), (A, u)]
    rounds = [[Placement(*one) for one in turns] for turns in (first, second)]
    facts = facts_of(loaded())
    assert list(find_shortfalls(rounds, facts)) == [Shortfall(1, (3, 3, 3)), Shortfall(2, (1, 3, 3))]
    with pytest.raises(ValueError, match="round 1: seat 0 has no worker left"):
        list(find_shortfalls([[Placement(A, f)] * 4], facts))


@pytest.mark.parametrize(("players", "times"), [(3, (2, 2, 2)), (4, (2, 2, 1, 1)), (5, (2, 1, 1, 1, 1))])
def test_the_marker_goes_round(players: int, times: tuple[int, ...]) -> None:
    """W41."""
    assert count_starts(players, 6) == times
