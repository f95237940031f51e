"""The cut plan: followed with a knife that only cuts right across, it frees every piece, and no shorter one does."""

import re
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sheet_cases import deck, lay, on, runs
from tests_support import examples

from generator.base.geometry import MARGIN, Rect, Size, paper_size
from generator.sheets.imposition import Grid, list_grids
from generator.sheets.sheet_pages import CutPlan, plan_cuts

few = examples(60)


@st.composite
def sheets(draw: st.DrawFn) -> tuple[Grid, int]:
    """A grid on random paper, with or without gap and fold, and how many of its slots are taken."""
    paper = Size(draw(st.floats(150, 430)), draw(st.floats(150, 430)))
    gap, bleed = draw(st.sampled_from([0.0, 0.5, 3.0, 6.0])), draw(st.sampled_from([0.0, 3.0]))
    piece = Size(draw(st.floats(15, 110)), draw(st.floats(15, 110)))
    found = list(list_grids(paper, MARGIN, gap, bleed, piece, folded=draw(st.booleans())))
    assume(found)
    grid = draw(st.sampled_from(found[:20]))
    return grid, draw(st.integers(1, grid.capacity))


def stacked(plan: CutPlan, paper: Rect) -> list[Rect]:
    """The parts of a sheet after all cuts; each cut goes right across every part that it meets."""
    parts = [paper]
    for cut in plan.cuts:
        parts = [piece for part in parts for piece in divided(part, cut.axis, cut.at)]
    return parts


def divided(part: Rect, axis: str, at: float) -> list[Rect]:
    """A part after one straight cut; whole where the cut passes it by."""
    if axis == "vertical" and part.x < at < part.right:
        return [Rect(part.x, part.y, at - part.x, part.height), Rect(at, part.y, part.right - at, part.height)]
    if axis == "horizontal" and part.y < at < part.bottom:
        return [Rect(part.x, part.y, part.width, at - part.y), Rect(part.x, at, part.width, part.bottom - at)]
    return [part]


def freed(plan: CutPlan, grid: Grid, taken: int) -> bool:
    """Whether every piece lies alone, cut at its trim on all sides."""
    parts = stacked(plan, sheet(grid))
    return all(any(same(part, grid.get_slot(n)) for part in parts) for n in range(taken))


def sheet(grid: Grid) -> Rect:
    """The paper as it is cut: a folded one is half as large."""
    width, height = grid.paper.width, grid.paper.height
    return Rect(0, 0, width / (1 + (grid.fold == "vertical")), height / (1 + (grid.fold == "horizontal")))


def same(one: Rect, other: Rect) -> bool:
    """Whether two boxes are one to two thousandths of a millimetre."""
    return one.grow(0.002).contains(other) and other.grow(0.002).contains(one)


@few
@given(sheets())
def test_the_plan_frees_every_piece_and_none_of_its_cuts_can_be_spared(case: tuple[Grid, int]) -> None:
    """Without any one of its cuts some piece is left untrimmed; a cut makes edges on one line, so fewer can't do."""
    grid, taken = case
    plan = plan_cuts(grid, range(taken))
    assert plan is not None
    assert freed(plan, grid, taken)
    for spared in plan.cuts:
        others = tuple(cut for cut in plan.cuts if cut is not spared)
        assert not freed(plan._replace(strips=(), pieces=others[:-1], last=others[-1]), grid, taken)


def assert_marked(grid: Grid, taken: int) -> None:
    """Cuts a sheet of paper as its plan says; asserts that the mark of each cut lies on what is being cut then.

    The last cut alone has none: whoever trims the fourth edge of a corner has cut its marks off with the other three.
    """
    plan = plan_cuts(grid, range(taken))
    assert plan is not None
    strips = [sheet(grid)]
    for cut in plan.strips:
        (whole,) = [part for part in strips if divided(part, cut.axis, cut.at) != [part]]
        beside_fold = grid.fold is not None and grid.fold != cut.axis
        assert len(seen(grid, cut.axis, cut.at, whole)) == (1 if beside_fold else 2), (cut, "is not marked at its ends")
        strips.remove(whole)
        strips += divided(whole, cut.axis, cut.at)
    # The strip that came off first lies on top; what is left of it is cut with all those below it.
    first = min(strips, key=lambda strip: (strip.y, strip.x))
    for cut in plan.pieces:
        assert seen(grid, cut.axis, cut.at, first), (cut, "has lost its mark")
        first = divided(first, cut.axis, cut.at)[-1]
    slot = grid.get_slot(0)
    along, across = (slot.bottom, slot.height) if plan.last.axis == "horizontal" else (slot.right, slot.width)
    assert plan.last.at == pytest.approx(along - across, abs=0.001), "it trims the first strip's outer edge"
    assert plan.size == pytest.approx(across, abs=0.001), "by the size that it leaves"


def seen(grid: Grid, axis: str, at: float, part: Rect) -> list[tuple[float, float]]:
    """The marks of a line that lie on a part of the sheet: they begin half a millimetre beside the art."""
    art = grid.art.grow(0.5)
    ends = [(at, art.y), (at, art.bottom)] if axis == "vertical" else [(art.x, at), (art.right, at)]
    near = part.grow(0.001)
    return [(x, y) for x, y in ends if near.x <= x <= near.right and near.y <= y <= near.bottom]


@few
@given(sheets())
def test_no_cut_takes_a_mark_away_that_a_later_one_needs(case: tuple[Grid, int]) -> None:
    """Strips have a mark at both ends, pieces on the strip that lies on top; the last cut is told by a size."""
    assert_marked(*case)


@pytest.mark.parametrize("paper", ["A4", "A3", "B4", "Letter"])
@pytest.mark.parametrize("gap", [0.0, 4.0])
@pytest.mark.parametrize("folded", [False, True], ids=["flat", "folded"])
def test_cards_and_boards_of_common_sizes_keep_their_marks(paper: str, gap: float, folded: bool) -> None:
    for size in ((63, 88), (94.5, 132), (95, 135), (150, 120), (180, 120), (262, 180), (270, 190)):
        for grid in list(list_grids(paper_size(paper), MARGIN, gap, 3.0, Size(*size), folded))[:4]:
            for taken in range(1, grid.capacity + 1):
                assert_marked(grid, taken)


@few
@given(sheets())
def test_the_first_cuts_run_along_one_side_and_make_the_fewer_strips(case: tuple[Grid, int]) -> None:
    """First all cuts one way, from edge to edge; the other way would leave at least as many strips to be moved."""
    grid, taken = case
    plan = plan_cuts(grid, range(taken))
    assert plan is not None
    (first,), (then,) = {cut.axis for cut in plan.strips}, {cut.axis for cut in plan.pieces}
    assert first != then
    slots = [grid.get_slot(n) for n in range(taken)]
    rows, columns = len({round(s.y, 3) for s in slots}), len({round(s.x, 3) for s in slots})
    assert (rows if first == "horizontal" else columns) == min(rows, columns)
    assert [cut.at for cut in plan.strips] == sorted(cut.at for cut in plan.strips)
    assert plan.last.axis == first
    assert plan.last.at < plan.strips[0].at


@pytest.mark.parametrize(("columns", "rows"), list(product((1, 2, 3, 5), repeat=2)))
def test_shared_cuts_are_counted_once_and_gaps_twice(columns: int, rows: int) -> None:
    """Neighbours that touch: columns + 1 and rows + 1 cuts; with a gap between them twice columns and twice rows."""
    paper, cell = Size(300, 420), Size(40, 50)
    touching = plan_cuts(Grid(paper, cell, columns, rows, 3.0), range(columns * rows))
    apart = plan_cuts(Grid(paper, cell, columns, rows, 3.0, gap=6.0), range(columns * rows))
    assert touching is not None
    assert apart is not None
    assert len(touching.cuts) == columns + 1 + rows + 1
    assert len(apart.cuts) == 2 * columns + 2 * rows


def test_both_halves_of_a_folded_sheet_are_cut_at_once() -> None:
    grid = Grid(Size(210, 297), Size(88, 63), 1, 4, 3.0, fold="vertical")
    plan = plan_cuts(grid, range(4))
    assert plan is not None
    assert len(plan.cuts) == 2 + 5
    assert max(cut.at for cut in plan.cuts if cut.axis == "vertical") < 105


def test_the_first_sheet_of_each_layout_shows_the_order() -> None:
    """Nine-up A4: cuts 1 to 4 for the rows, 5 to 8 for the columns, numbered at both ends; later sheets are plain."""
    pages = lay(deck(20), on("A4", backs="none", cut_note="first {first} then {then} last {last}: {size}"))
    numbers = [sorted(int(run.text) for run in runs(page) if run.text.isdigit()) for page in pages]
    assert numbers == [sorted(2 * list(range(1, 9))), [], sorted(2 * list(range(1, 6)))]
    texts = [" ".join(run.text for run in runs(page)) for page in pages]
    assert "first 1–3 then 4–7 last 8: 88" in texts[0]
    assert "first" not in texts[1]
    assert "first 1 then 2–4 last 5: 88" in texts[2]


def test_numbers_stand_at_their_lines() -> None:
    """Each number is within 3 mm of its cut's line, at both ends of it, outside the art."""
    page = lay(deck(9), on("A4"))[0]
    plan = plan_cuts(Grid(Size(210, 297), Size(63, 88), 3, 3, 3.0), range(9))
    assert plan is not None
    for order, cut in enumerate(plan.cuts, 1):
        found = [run for run in runs(page) if run.text == str(order) and run.size == 4]
        assert len(found) == 2
        for run in found:
            assert abs((run.x if cut.axis == "vertical" else run.y) - cut.at) < 3
        assert not any(7.5 < run.x < 202.5 and 13.5 < run.y < 283.5 for run in found)


def test_packed_sheets_have_no_plan() -> None:
    from packed_cases import tokens

    page = lay(tokens("t", 12, 20, 20), on("A4"))[0]
    assert not [run for run in runs(page) if re.fullmatch(r"\d+", run.text)]
