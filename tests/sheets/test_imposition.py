"""Trims and clips: where pieces lie on the paper, what is left free, and which pieces it can't take."""

from math import ceil

import pytest
from conftest import Pnp
from hypothesis import given
from hypothesis import strategies as st
from sheet_cases import deck, lay, margins, on, piece, printable, prints, typeset
from tests_support import TinyProject, examples

from generator.base.geometry import MARGIN, Rect, Size, parse_margins
from generator.sheets.imposition import MARK_ROOM, list_grids
from generator.sheets.place_pieces import DoesNotFit
from generator.sheets.settings import find_free_areas
from generator.sheets.sheet_pages import iter_sheet_pages
from generator.sheets.slug import CLEARANCE, SPOT_DEPTH, Slug, Spot

few = examples(25)


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
        assert all(printable(page, case.settings).contains(placement.clip) for placement in page.placements)


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
@given(
    st.floats(60, 450),
    st.floats(60, 450),
    st.floats(10, 150),
    st.floats(10, 150),
    st.floats(0, 9),
    st.booleans(),
    margins(),
)
def test_grids_are_centred_in_the_margins_and_the_fullest_comes_first(width, height, across, down, gap, folded, margin):
    """A folded sheet has its fold in the middle of the paper, so both sides beside the fold have the wider margin."""
    paper, piece_size, (top, right, bottom, left) = Size(width, height), Size(across, down), margin
    found = list(list_grids(paper, margin, gap, 3, piece_size, folded))
    assert [grid.capacity for grid in found] == sorted((grid.capacity for grid in found), reverse=True)
    for grid in found:
        art = grid.art
        assert art.x + art.right == pytest.approx(width + (0 if grid.fold == "vertical" else left - right))
        assert art.y + art.bottom == pytest.approx(height + (0 if grid.fold == "horizontal" else top - bottom))
        assert Rect(left, top, width - left - right, height - top - bottom).grow(-2).contains(art)


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
    found = list(list_grids(Size(width, height), MARGIN, 0, 3, Size(across, down)))
    assert (found[0].capacity if found else 0) == most


@pytest.mark.slow
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
    assert len(lay(deck(20, 63.5, 88.9, bleed=0), on("Letter", margin=parse_margins("4mm")))[0].placements) == 9


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


@pytest.mark.parametrize(("cards", "sheets"), [(20, [7, 7, 6]), (9, [9]), (27, [9, 9, 9]), (10, [5, 5])])
def test_stacked_sheets_lie_in_order_after_cutting(cards: int, sheets: list[int]) -> None:
    """Put the sheets on each other, cut, and lay each stack on the next: the cards are in order."""
    pages = lay(deck(cards, 63, 88), on("A4", backs="none", stacked=True))
    assert [len(page.placements) for page in pages] == sheets
    places = [placement.trim for placement in pages[0].placements]
    stacks = [[p.id for page in pages for p in page.placements if p.trim == place] for place in places]
    assert [name for stack in stacks for name in stack] == [one.id for one in deck(cards, 63, 88)]


def test_pieces_of_one_size_with_unlike_bleeds_share_a_grid():
    both = [piece("a", 63, 88, 0), piece("b", 63, 88, 3)]
    page = lay(both, on("A4", backs="none"))[0]
    assert page.placements[0].clip == page.placements[0].trim
    assert page.placements[1].clip.y == page.placements[1].trim.y - 3


def test_the_widest_bleed_decides_how_many_fit():
    """One card with bleed among bleedless ones: Letter takes 8 to a sheet and all ink stays in reach."""
    chosen = on("Letter", margin=parse_margins("4mm"), backs="none")
    pages = lay([*deck(9, 63.5, 88.9, 0), piece("bled", 63.5, 88.9, 3)], chosen)
    assert [len(page.placements) for page in pages] == [8, 2]
    assert all(printable(page, chosen).contains(placement.clip) for page in pages for placement in page.placements)


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
        fullest = next(iter(list_grids(across, MARGIN, gap, 3.0, Size(40, 55), folded)))
        assert max(fullest.columns, fullest.rows) == number, (length, fullest)


LANES = (0.0, *(MARK_ROOM + n * (SPOT_DEPTH + CLEARANCE) for n in (1, 2, 3)))
"""How deep a free strip may be: nothing, or room for marks and some rows of words."""


@pytest.mark.parametrize("axis", ["vertical", "horizontal", None])
def test_an_area_ends_at_its_strips(axis):
    """At each edge it goes to what the printer reaches, or leaves whole rows; turned sheets have them on both sides."""
    settings = on("A4")
    printable = settings.printable
    found = find_free_areas(settings, "a label", False, axis)
    assert found
    for area in found:
        box = area.box
        left, right = box.x - printable.x, printable.right - box.right
        top, bottom = box.y - printable.y, printable.bottom - box.bottom
        for depth in (left, right, top, bottom):
            assert any(depth == pytest.approx(lane) for lane in LANES), depth
        assert max(left, right, top, bottom) == pytest.approx(LANES[1])
        assert axis != "vertical" or left == pytest.approx(right)
        assert axis != "horizontal" or top == pytest.approx(bottom)


def test_a_folded_area_ends_at_the_fold():
    settings = on("A4")
    found = find_free_areas(settings, "a label", True, None)
    assert {area.fold for area in found} == {"vertical", "horizontal"}
    for area in found:
        if area.fold == "vertical":
            assert area.box.right == pytest.approx(settings.paper.width / 2)
        else:
            assert area.box.bottom == pytest.approx(settings.paper.height / 2)


@pytest.mark.parametrize("side", ["top", "bottom", "left", "right"])
def test_a_spot_is_offered_on_both_sides_of_a_taken_one(side):
    """As near as two spots may come, twice the clearance of a mark, so that a mark can pass between them."""
    slug = Slug(Rect(50, 50, 200, 200), Rect(0, 0, 300, 300))
    along = side in ("top", "bottom")
    slug.spots.append(Spot(Rect(140, 0, 20, 3) if along else Rect(0, 140, 3, 20), side))
    offered = set()
    for lane in slug._iter_lanes(side):
        for spot in slug._iter_candidates(lane, side, 30):
            offered.add((spot.box.x, spot.box.right) if along else (spot.box.y, spot.box.bottom))
    assert (140 - 2 * CLEARANCE - 30, 140 - 2 * CLEARANCE) in offered
    assert (160 + 2 * CLEARANCE, 160 + 2 * CLEARANCE + 30) in offered


def test_all_pieces_too_large_are_named_at_once_with_what_fits():
    pieces = [*deck(2, 300, 300), piece("b", 63, 88), piece("board", 200, 290)]
    with pytest.raises(DoesNotFit) as caught:
        lay(pieces, on("A4"))
    first, second = caught.value.misfits
    assert first.ids == ("c#1", "c#2")
    assert (second.ids, second.size, second.paper_name) == (("board",), Size(200, 290), "A4")
    assert str(second) == "board is 200 x 290 mm: A4 takes at most 190 x 270 mm with bleed, cut marks and rulers"
    assert str(caught.value).splitlines() == [str(first), str(second)]


@pytest.mark.parametrize("backs", ["none", "fold"])
@pytest.mark.parametrize("turned", [False, True])
def test_the_largest_piece_that_is_named_fits_and_no_larger_one(backs, turned):
    """`room` is exact: that size is laid out, a tenth of a millimetre more in either direction is not."""
    chosen = on("A4", backs=backs)
    with pytest.raises(DoesNotFit) as caught:
        lay(deck(1, 400, 400), chosen)
    room = caught.value.misfits[0].room
    assert room is not None
    width, height = (room.height, room.width) if turned else (room.width, room.height)
    assert len(lay(deck(1, width, height), chosen)[0].placements) >= 1
    for larger in ((width + 0.1, height), (width, height + 0.1)):
        with pytest.raises(DoesNotFit):
            lay(deck(1, *larger), chosen)


def test_a_label_without_room_is_said_to_be_the_trouble():
    chosen = on("Hagaki", backs="none")
    with pytest.raises(DoesNotFit) as caught:
        list(iter_sheet_pages(deck(1), chosen, lambda *_: "word " * 200, typeset, lambda drawing: drawing.title))
    assert "has no room beside it for rulers and the sheet's label 'word word" in str(caught.value)


GAME = "data/tiny/game.yaml"


@pytest.mark.parametrize(
    ("size", "copies", "options", "said"),
    [
        ("us-poker", 18, (), ["note: tiny: card: 8 to a sheet on A4; 9 with --margin 4mm (3 sheets become 2)"]),
        ("us-poker", 18, ("--margin", "4mm"), []),
        ("us-poker", 8, (), []),
        ("us-poker", 10, (), []),
        ("jp-poker", 18, (), []),
        ("us-poker", 9, ("--paper", "Letter"), ["note: tiny: card: 8 to a sheet on Letter; 9 with --margin 1mm (2 sheets become 1)"]),
        ("us-poker", 9, ("--paper", "Letter", "--margin", "1mm"), []),
    ],
)  # fmt: skip
def test_what_one_more_card_costs(tiny: TinyProject, pnp: Pnp, size: str, copies: int, options: tuple[str, ...], said: list[str]) -> None:  # fmt: skip
    """Nine poker cards are a matter of the margin; which, and how many sheets it saves, is told in a line."""
    tiny.change(GAME, "size: [40, 60]", f"size: {size}")
    tiny.change(GAME, "    stated: 5\n", "")
    tiny.change(GAME, "count: 2", f"count: {copies - 3}")
    tiny.change(
        "templates/tiny/card.svg", 'x="-3" y="-3" width="46" height="66"', 'x="-3" y="-3" width="70" height="95"'
    )
    ran = pnp("sheets", *options)
    assert (ran.code, [line for line in ran.said if "to a sheet" in line]) == (0, said)
