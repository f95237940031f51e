"""Small boards: together on a sheet where that saves one, each as it was where it does not."""

from dataclasses import replace

import pytest
from packed_cases import tokens
from sheet_cases import deck, lay, on, piece

from generator.game.print_pages import Backs, Page, Piece
from generator.sheets.page_marks import find_cut_line, is_cut_straight


def board(name: str, width: float, height: float, back: str | None = None) -> Piece:
    return replace(piece(name, width, height, back=back), lie="tiled")


def ids(pages: tuple[Page, ...]) -> list[set[str]]:
    return [{placement.id for placement in page.placements} for page in pages if page.side == "front"]


def test_boards_that_leave_their_sheets_empty_share_one_with_tokens():
    """Three boards of one sheet each and a page of tokens: two sheets, after the cards, which lie where they did."""
    boards = [board("action/a#1", 180, 120), board("track/a#1", 180, 45), board("map/a#1", 130, 90)]
    cards, coins = deck(9), tokens("coin/c", 30, 20, 20, "round")
    pages = lay([*boards, *cards, *coins], on("A4", backs="none"))
    alone = lay(cards, on("A4", backs="none"))
    assert [placement.trim for placement in pages[0].placements] == [p.trim for p in alone[0].placements]
    assert len(pages) == 3
    assert set().union(*ids(pages)[1:]) == {one.id for one in (*boards, *coins)}


def test_a_packed_board_has_its_own_cut_line_and_its_whole_bleed():
    boards = [board("action/a#1", 180, 120), board("track/a#1", 180, 45)]
    (page,) = lay(boards, on("A4", backs="none"))
    for placement, given in zip(page.placements, boards, strict=True):
        assert (placement.id, placement.drawing.bleed) == (given.id, given.front.bleed)
        assert find_cut_line(placement.drawing) and is_cut_straight(placement.drawing)
        assert placement.clip == placement.trim.grow(given.front.bleed)
    assert find_cut_line(boards[0].front) == "", "its own drawing stays as it was"


def test_boards_stay_in_their_grid_where_nothing_is_saved():
    """One small board alone, boards that fill their sheet, and two that find no room side by side."""
    for boards in (
        [board("map/a#1", 130, 110)],
        [board(f"area/{n}#1", 150, 120) for n in range(4)],
        [board("first/a#1", 190, 200), board("second/a#1", 180, 190)],
    ):
        pages = lay(boards, on("A4", backs="none"))
        assert not any(find_cut_line(placement.drawing) for page in pages for placement in page.placements)


def test_a_kind_is_cut_in_one_way():
    """Three boards, two to a sheet: the third is not packed with tokens, as its fellows have straight cuts."""
    boards = [board(f"area/{n}#1", 150, 120) for n in range(3)]
    pages = lay([*boards, *tokens("coin/c", 4, 20, 20)], on("A4", backs="none"))
    assert ids(pages) == [{"area/0#1", "area/1#1"}, {"area/2#1"}, {f"coin/c#{n}" for n in range(1, 5)}]


@pytest.mark.parametrize(("backs", "lined"), [("long", False), ("separate", True)])
def test_backs_of_packed_boards_are_lined_where_they_are_cut_by_themselves(backs: Backs, lined: bool):
    boards = [board("action/a#1", 180, 120, back="red"), board("track/a#1", 180, 45, back="red")]
    front, back = lay(boards, on("A4", backs=backs))
    assert all(find_cut_line(placement.drawing) for placement in front.placements)
    assert [bool(find_cut_line(placement.drawing)) for placement in back.placements] == [lined, lined]
