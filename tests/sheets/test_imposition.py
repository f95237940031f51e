"""Trims and clips: where pieces lie on the paper."""

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sheet_cases import deck, lay, on, piece, prints
from tests_support import examples

from generator.base.geometry import Rect, Size
from generator.game.print_pages import Page
from generator.sheets.imposition import Grid, list_grids

few = examples(25)


def _printable(page: Page, margin: float) -> Rect:
    return Rect(0, 0, page.size.width, page.size.height).grow(-margin)


@few
@given(prints())
def test_no_two_trims_of_a_page_overlap(case):
    for page in case.pages:
        trims = [placement.trim for placement in page.placements]
        assert not any(a.overlaps(b) for i, a in enumerate(trims) for b in trims[:i])


@few
@given(prints())
def test_all_bleed_lies_in_reach_of_the_printer(case):
    for page in case.pages:
        assert all(_printable(page, case.settings.margin).contains(placement.clip) for placement in page.placements)


@few
@given(prints())
def test_bleed_is_whole_outwards_and_never_on_a_neighbours_trim(case):
    for page in case.pages:
        for placement in page.placements:
            whole = placement.trim.grow(placement.drawing.bleed)
            others = [other.trim for other in page.placements if other is not placement]
            assert placement.clip.contains(placement.trim)
            assert whole.contains(placement.clip)
            assert not any(placement.clip.overlaps(other) for other in others)
            alone = not any(placement.trim.grow(case.settings.gap + 0.1).overlaps(other) for other in others)
            if alone and page.side == "front":
                assert placement.clip.contains(whole)


@few
@given(prints(backs=("none", "long", "short", "fold")))
def test_every_piece_is_printed_once_in_order(case):
    placed = [p.id for page in case.fronts for p in page.placements if p.drawing.title == p.id]
    assert sorted(placed) == sorted(piece.id for piece in case.pieces)
    if case.settings.backs in ("long", "short"):
        assert placed == [piece.id for piece in case.pieces]
        assert len(case.fronts) == ceil(len(case.pieces) / len(case.fronts[0].placements))


@few
@given(st.floats(60, 450), st.floats(60, 450), st.floats(10, 150), st.floats(10, 150), st.floats(0, 9), st.booleans())
def test_grids_are_centred_and_the_fullest_comes_first(width, height, across, down, gap, folded):
    paper, piece_size = Size(width, height), Size(across, down)
    found = list(list_grids(paper, 5, gap, 3, piece_size, folded))
    assert [grid.capacity for grid in found] == sorted((grid.capacity for grid in found), reverse=True)
    for grid in found:
        art = grid.art
        assert art.x + art.right == pytest.approx(width)
        assert art.y + art.bottom == pytest.approx(height)
        assert Rect(0, 0, width, height).grow(-5 - 2).contains(art)


@few
@given(st.floats(60, 450), st.floats(60, 450), st.floats(10, 150), st.floats(10, 150))
def test_no_grid_is_missed(width, height, across, down):
    """The first grid holds as many as counting by steps over the paper finds, upright or turned."""

    def count(room: float, side: float) -> int:
        number, used = 0, side
        while used <= room + 1e-9:
            number, used = number + 1, used + side
        return number

    room_x, room_y = width - 2 * (5 + 2 + 3), height - 2 * (5 + 2 + 3)
    most = max(count(room_x, across) * count(room_y, down), count(room_x, down) * count(room_y, across))
    found = list(list_grids(Size(width, height), 5, 0, 3, Size(across, down)))
    assert (found[0].capacity if found else 0) == most


@few
@given(prints(backs=("none", "long")), st.randoms(use_true_random=False))
def test_order_of_pieces_changes_nothing_but_who_lies_where(case, random):
    pieces = [piece(p.id, p.front.width, p.front.height, p.front.bleed) for p in case.pieces]
    shuffled = list(pieces)
    random.shuffle(shuffled)

    def places(of):
        return [(page.side, [(p.trim, p.clip, p.turn) for p in page.placements]) for page in lay(of, case.settings)]

    assert places(shuffled) == places(pieces)


def test_nine_poker_cards_on_a4():
    """63 x 88 mm with 3 mm bleed and 5 mm margin: three by three, first trim at 10.5, 16.5, all places exact."""
    front = lay(deck(9), on("A4"))[0]
    trims = [placement.trim for placement in front.placements]
    assert trims == [Rect(10.5 + 63 * x, 16.5 + 88 * y, 63, 88) for y in range(3) for x in range(3)]
    assert {placement.turn for placement in front.placements} == {0}


def test_neighbours_share_the_cut_line_and_outer_sides_keep_their_bleed():
    """On a full 3 x 3 sheet the corner card bleeds outwards only and the middle card not at all."""
    clips = [placement.clip for placement in lay(deck(9), on("A4"))[0].placements]
    assert clips[0] == Rect(7.5, 13.5, 66, 91)
    assert clips[4] == Rect(73.5, 104.5, 63, 88)
    assert clips[8] == Rect(136.5, 192.5, 66, 91)


def test_a_side_towards_an_empty_slot_keeps_its_bleed():
    """The last card of a sheet that isn't full bleeds into the free slot beside and below it."""
    clips = [placement.clip for placement in lay(deck(2), on("A4"))[0].placements]
    assert clips[1] == Rect(73.5, 13.5, 66, 94)


def test_a_gap_is_shared_between_two_bleeds():
    """4 mm of gap give 2 mm of bleed each; 6 mm and more give all 3."""
    for gap, inner in ((4.0, 2.0), (6.0, 3.0), (8.0, 3.0)):
        first = lay(deck(4), on("A4", gap=gap))[0].placements[0]
        assert first.clip.right - first.trim.right == pytest.approx(inner)
        assert first.trim.x - first.clip.x == pytest.approx(3)


def test_eight_american_poker_cards_on_letter():
    """With 3 mm bleed, marks and 5 mm margin Letter takes 8 turned cards, not 9: 9 would leave 6.35 mm at the ends."""
    placements = lay(deck(8, 63.5, 88.9), on("Letter"))[0].placements
    assert {placement.turn for placement in placements} == {90}
    assert placements[0].trim.x == pytest.approx(19.05)
    assert placements[0].trim.y == pytest.approx(12.7)
    assert len(placements) == 8


def test_nine_american_poker_cards_on_letter_without_bleed():
    """A 4 mm margin and no bleed leave just the room for marks: nine."""
    assert len(lay(deck(20, 63.5, 88.9, bleed=0), on("Letter", margin=4))[0].placements) == 9


def test_ten_business_cards_on_a4_lie_where_the_perforation_is():
    """91 x 55 mm: two columns of five, 14 mm from the left and 11 mm from the top."""
    placements = lay(deck(10, 91, 55), on("A4"))[0].placements
    assert len(placements) == 10
    assert placements[0].trim == Rect(14, 11, 91, 55)


def test_sizes_have_sheets_of_their_own_in_order_of_appearance():
    mixed = [piece("a", 63, 88), piece("b", 40, 40), piece("c", 63, 88), piece("d", 40, 40)]
    pages = lay(mixed, on("A4", backs="none"))
    assert [[p.id for p in page.placements] for page in pages] == [["a", "c"], ["b", "d"]]
    assert [page.sheet for page in pages] == [1, 2]


def test_pieces_of_one_size_with_unlike_bleeds_share_a_grid():
    both = [piece("a", 63, 88, 0), piece("b", 63, 88, 3)]
    page = lay(both, on("A4", backs="none"))[0]
    assert page.placements[0].clip == page.placements[0].trim
    assert page.placements[1].clip.y == page.placements[1].trim.y - 3


def test_the_widest_bleed_decides_how_many_fit():
    """One card with bleed among bleedless ones: Letter takes 8 to a sheet and all ink stays in reach."""
    pages = lay([*deck(9, 63.5, 88.9, 0), piece("bled", 63.5, 88.9, 3)], on("Letter", margin=4, backs="none"))
    assert [len(page.placements) for page in pages] == [8, 2]
    assert all(_printable(page, 4).contains(placement.clip) for page in pages for placement in page.placements)


def test_a_grid_knows_its_slots_by_rows():
    """Index 4 of three columns is the second of the second row."""
    grid = Grid(Size(210, 297), Size(63, 88), 3, 3, 3.0)
    assert grid.get_slot(4) == Rect(73.5, 104.5, 63, 88)


@pytest.mark.parametrize("gap", [0.0, 2.0, 5.0])
@pytest.mark.parametrize("folded", [False, True], ids=["flat", "folded"])
def test_a_row_that_just_fits_is_not_given_away(gap: float, folded: bool) -> None:
    """There is one gap fewer than there are pieces: paper for exactly three of them takes three, a hair less takes two.

    `2 * 10` mm are what marks, margin and bleed need at both edges; with a fold one of them is the fold's 3 mm.
    """
    room = 3 * 40 + 2 * gap
    for length, number in ((room, 3), (room - 0.01, 2)):
        wide = 2 * (length + 10 + 3) if folded else length + 2 * 10
        across = Size(wide, 75 if not folded else 2 * (55 + 10 + 3) - 0.01)
        fullest = next(iter(list_grids(across, 5.0, gap, 3.0, Size(40, 55), folded)))
        assert max(fullest.columns, fullest.rows) == number, (length, fullest)
