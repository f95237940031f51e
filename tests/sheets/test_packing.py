"""Packed pieces and small boards: nothing overlaps, everything is there once, and paper is saved."""

import math
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packed_cases import LEAF, TALL, Packed, apart, front_placements, packed, polygon, token, tokens
from sheet_cases import at, box, cut_marks, deck, lay, on, piece, printable, rulers, runs, segments, shapes, text_box
from tests_support import examples, quick

from generator.base.geometry import Rect, Size
from generator.game.piece_outlines import compute_regular_size
from generator.game.print_pages import Backs, Page, Piece
from generator.sheets.packing import LotLayout, iter_trim_blocks
from generator.sheets.page_marks import find_cut_line, is_cut_straight
from generator.sheets.place_pieces import DoesNotFit
from generator.sheets.settings import SheetSettings, find_free_areas

few = examples(40)

CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))


def is_straight(piece: Piece) -> bool:
    return piece.shape in ("square", "rectangle") and piece.front.items[-1].path.count("L") == 3  # type: ignore[union-attr]


@few
@given(packed())
def test_every_piece_is_printed_once(case):
    fronts = [placement.id for page in case.fronts for placement in front_placements(page)]
    assert sorted(fronts) == sorted(case.pieces)
    backed = sorted(name for name, piece in case.pieces.items() if piece.back) if case.settings.backs != "none" else []
    backs = [p.id for page in case.pages for p in page.placements if p.drawing.title in ("red", "blue")]
    assert sorted(backs) == backed
    for page in case.pages:
        for placement in page.placements:
            piece = case.pieces[placement.id]
            size = (piece.front.width, piece.front.height)
            assert (placement.trim.width, placement.trim.height) == pytest.approx(
                size[:: -1 if placement.turn in (90, 270) else 1], abs=6e-4
            )


@pytest.mark.slow
@examples(12)  # every outline against every other takes a while
@given(packed())
def test_nothing_overlaps(case):
    """Outlines keep what scissors need, straight pieces at least the gap, and no bleed reaches over another piece.

    Bleeds of different sizes don't meet at all. In one block two may share a corner of waste: where the last row ends.
    """
    least = max(case.settings.gap, 2.0)
    for page in case.fronts:
        placed = [(p, case.pieces[p.id], polygon(case.pieces[p.id], p.trim, p.turn)) for p in front_placements(page)]
        for (one, mine, outline), (other, its, its_outline) in combinations(placed, 2):
            if not one.trim.grow(least + 4).overlaps(other.trim):
                continue
            distance = apart(outline, its_outline)
            if is_straight(mine) and is_straight(its):
                assert distance >= case.settings.gap - 1e-6
                assert not one.clip.overlaps(other.trim) and not other.clip.overlaps(one.trim)
                assert one.trim.width == other.trim.width or not one.clip.overlaps(other.clip)
            else:
                assert distance >= least - 1e-3
                assert distance >= min(mine.front.bleed, least / 2) + min(its.front.bleed, least / 2) - 1e-3


@few
@given(packed())
def test_all_that_is_printed_lies_in_reach_and_clear_of_rulers_and_label(case):
    for page in case.pages:
        others = [text_box(run) for run in runs(page)] + [box(segments(ruler)) for ruler in rulers(page)]
        others += [box(segments(line)) for line in shapes(page, "fold")]
        assert len(others) >= 4
        assert cut_marks(page) == []
        for placement in page.placements:
            assert printable(page, case.settings).contains(placement.clip)
            assert not any(other.overlaps(placement.clip) for other in others)


@few
@given(packed())
def test_a_piece_has_its_bleed_wherever_no_neighbour_is_near(case):
    for page in case.fronts:
        for placement in front_placements(page):
            piece, clip, trim = case.pieces[placement.id], placement.clip, placement.trim
            assert clip.contains(trim)
            around = (trim.x - clip.x, trim.y - clip.y, clip.right - trim.right, clip.bottom - trim.bottom)
            least = min(piece.front.bleed, (case.settings.gap if is_straight(piece) else max(case.settings.gap, 2)) / 2)
            assert min(around) >= least - 1e-6
            assert max(around) <= piece.front.bleed + 1e-6


@few
@given(packed())
def test_the_same_pieces_always_lie_the_same(case):
    assert lay([piece for lot in case.lots for piece in lot], case.settings) == case.pages


@few
@given(packed(backs=("none", "long", "fold")))
def test_packing_never_takes_more_sheets_than_one_lot_on_a_sheet(case):
    alone = [lay(lot, case.settings) for lot in case.lots]
    assert len(case.fronts) <= sum(page.side == "front" for pages in alone for page in pages)


def the_table(back: str | None = None) -> list[Piece]:
    """What a game with many tokens has: 306 pieces of six kinds."""
    return [
        *tokens("goods", 60, 15, 15, "square", back=back),
        *tokens("coin", 45, 15, 15, "square", back=back),
        *tokens("crew", 80, 20, 20, "round", back=back),
        *tokens("point", 60, 15, 15, "round", back=back),
        *tokens("field", 60, 16, 16 * TALL, "hexagon", back=back),
        *tokens("first", 1, 35, 35, "round", back=back),
    ]


@pytest.mark.parametrize(
    ("backs", "sheets"), quick([("none", 2), ("long", 2), ("short", 2), ("separate", 2), ("fold", 4)], "long", "fold")
)
def test_a_table_full_of_tokens_takes_two_sheets(backs, sheets):
    """105 squares of 15 mm, 80 round of 20 mm, 60 of 15 mm, one of 35 mm and 60 hexagons of 16 mm: two sheets of A4.

    With backs to fold behind, each half as large, four. One kind on a sheet would take six.
    """
    pages = lay(the_table("red" if backs != "none" else None), on("A4", backs=backs))
    assert sum(page.side == "front" for page in pages) == sheets
    kinds = ("goods", "coin", "crew", "point", "field", "first")
    alone = [lay([p for p in the_table() if p.id.startswith(kind)], on("A4", backs="none")) for kind in kinds]
    assert sum(map(len, alone)) == 6


def test_each_sheet_is_shaped_for_its_pieces():
    """Six plates need the height beside upright rulers, twelve others the width above level ones: two sheets do."""
    high, wide = tokens("high", 6, 96, 95, "rectangle"), tokens("wide", 12, 66, 69.8, "rectangle")
    pages = lay([*high, *wide], on("A4", backs="none"))
    assert sorted(len(page.placements) for page in pages) == [6, 12]


def centres(page: Page) -> list[tuple[float, float]]:
    return [(p.trim.x + p.trim.width / 2, p.trim.y + p.trim.height / 2) for p in page.placements]


@pytest.mark.parametrize("gap", [0.0, 5.0])
@pytest.mark.parametrize(
    ("width", "height", "shape"), [(20, 20, "round"), (20, 20 * TALL, "hexagon"), (20 * TALL, 20, "flat-hexagon")]
)
def test_round_ones_and_hexagons_nest_like_honeycomb(width, height, shape, gap):
    """Every inner piece has six neighbours at exactly its width and the gap, 2 mm at least; none is nearer."""
    (page, *_) = lay(tokens("t", 120, width, height, shape), on("A4", backs="none", gap=gap))
    pitch = 20 + max(gap, 2.0)
    middles = centres(page)
    distances = [math.dist(a, b) for a, b in combinations(middles, 2)]
    assert min(distances) == pytest.approx(pitch, abs=1e-3)
    near = [sum(math.dist(a, b) < pitch + 0.01 for b in middles) - 1 for a in middles]
    assert near.count(6) >= len(middles) / 3
    assert max(near) == 6


@examples(60)
@given(
    st.sampled_from(["round", "hexagon", "flat-hexagon"]), st.integers(20, 160), st.sampled_from(["A4", "Letter", "A3"])
)
def test_honeycomb_never_takes_fewer_than_rows(shape, half, paper):
    """However large the pieces: a sheet of nested ones holds as many as one of their boxes would in straight rows."""
    size = compute_regular_size(shape, half / 2)
    settings = on(paper, backs="none")
    (free, *_) = find_free_areas(settings, "", folded=False, axis=None)
    nested = LotLayout(size, 1.0, 0.0, apart=True, nest=shape)
    rows = LotLayout(size, 1.0, 0.0, apart=True)
    inside = free.shrink_region(free.box, nested.bleed, nested.pad)
    most = [
        max((block.count for block in iter_trim_blocks(manner, inside, 5000)), default=0) for manner in (nested, rows)
    ]
    assert most[0] >= most[1]
    for block in iter_trim_blocks(nested, inside, 5000):
        assert all(inside.grow(1e-6).contains(slot) for slot in block.iter_slots())


def test_squares_share_their_cut_lines():
    (page,) = lay(tokens("t", 24, 20, 20), on("A4", backs="none"))
    trims = sorted({round(p.trim.x, 3) for p in page.placements})
    assert [round(b - a, 3) for a, b in pairwise(trims)] == [20.0] * (len(trims) - 1)
    inner = [
        p
        for p in page.placements
        if any(abs(q.trim.x - p.trim.right) < 1e-6 and q.trim.y == p.trim.y for q in page.placements)
    ]
    assert inner
    assert all(p.clip.right == pytest.approx(p.trim.right) for p in inner)
    outer = [p for p in page.placements if p.trim.x == page.placements[0].trim.x]
    assert all(p.trim.x - p.clip.x == pytest.approx(1.0) for p in outer)


def test_what_is_folded_keeps_clear_of_its_neighbours():
    """A net is cut out by itself, though its outline may be a rectangle; so is a token with an outline of its own."""
    strip = token("net", 20, 60, "rectangle")
    line = strip.front.items[-1]
    nets = [
        Piece(
            f"net#{n}",
            type(strip.front)(
                20, 60, 1.0, (*strip.front.items, type(line)("M 0 30 L 20 30", stroke="ink", role="fold"))
            ),
            lie="packed",
        )
        for n in range(12)
    ]
    for pieces in (nets, tokens("leaf", 12, 20, 20, "rectangle", outline=LEAF)):
        (page,) = lay(pieces, on("A4", backs="none"))
        assert not any(a.trim.grow(0.999).overlaps(b.trim.grow(0.999)) for a, b in combinations(page.placements, 2))


def seen(page: Page, point: tuple[float, float], upright: bool) -> tuple[float, float]:
    """Where a point lies seen through the paper, turned or folded about an upright or a level line in its middle."""
    return (page.size.width - point[0], point[1]) if upright else (point[0], page.size.height - point[1])


def assert_behind(case: Packed, front: Page, back: Page, upright: bool) -> int:
    """Every back's corners are behind its front's, left and right exchanged, the head up; how many there are."""
    fronts = {p.id: p for p in front_placements(front)}
    backs = [p for p in back.placements if p.drawing.title in ("red", "blue")]
    for placement in backs:
        for across, down in CORNERS:
            there = at(fronts[placement.id], across, down)
            assert seen(back, at(placement, 1 - across, down), upright) == pytest.approx(there, abs=1e-6)
    assert {p.id for p in backs} == {name for name in fronts if case.pieces[name].back}
    return len(backs)


@few
@given(packed(backs=("long", "short")))
def test_a_packed_back_lies_behind_its_front(case):
    paper = case.settings.paper
    upright = (paper.height >= paper.width) == (case.settings.backs == "long")
    for number, page in enumerate(case.pages):
        if page.side == "back":
            assert_behind(case, case.pages[number - 1], page, upright)


@few
@given(packed(backs=("fold",)))
def test_a_packed_back_folds_behind_its_front(case):
    for page in case.pages:
        lines = shapes(page, "fold")
        names = {p.id for p in page.placements}
        assert {case.pieces[name].back is not None for name in names} == {bool(lines)}
        if lines:
            ((x1, y1, x2, _),) = segments(lines[-1])
            upright = x1 == x2
            assert assert_behind(case, page, page, upright) == len(names)
            line = (
                Rect(x1 - 1.999, 0, 3.998, page.size.height) if upright else Rect(0, y1 - 1.999, page.size.width, 3.998)
            )
            assert not any(line.overlaps(placement.trim) for placement in page.placements)


def test_a_packed_trim_keeps_clear_of_the_fold():
    """A folded edge is round: the largest piece that a fold sheet takes ends 2 mm before the fold, or its bleed."""
    for bleed, clear in ((1.0, 2.0), (3.0, 3.0)):
        with pytest.raises(DoesNotFit) as caught:
            lay(tokens("plate", 1, 280, 280, bleed=bleed, reach=bleed, back="red"), on("A4", backs="fold"))
        room = caught.value.misfits[0].room
        assert room is not None
        plate = tokens("plate", 1, room.width, room.height, "rectangle", bleed=bleed, reach=bleed, back="red")
        (page,) = lay(plate, on("A4", backs="fold"))
        assert page.placements[0].trim.bottom == pytest.approx(297 / 2 - clear)


@few
@given(packed(backs=("separate",)))
def test_packed_pieces_with_one_back_have_sheets_of_their_own(case):
    back_of = {name: piece.back.title if piece.back else "" for name, piece in case.pieces.items()}
    fronts = {page.sheet: page for page in case.fronts}
    for page in case.pages:
        assert len({back_of[p.id] for p in page.placements}) == 1
        if page.side == "back":
            there = fronts[page.sheet]
            assert [(p.id, p.trim, p.turn) for p in page.placements] == [
                (p.id, p.trim, p.turn) for p in there.placements
            ]


@few
@given(packed(backs=("none",)))
def test_packed_fronts_lie_as_if_they_had_no_backs(case):
    bare = lay([piece._replace(back=None) for lot in case.lots for piece in lot], case.settings)
    assert [page.placements for page in case.pages] == [page.placements for page in bare]


def test_cards_lie_as_if_there_were_no_tokens():
    cards = deck(11)
    alone = lay(cards, on("A4", backs="none"))
    pages = lay([*tokens("t", 3, 20, 20), *cards], on("A4", backs="none"))
    assert [page.placements for page in pages[:-1]] == [page.placements for page in alone]
    assert {p.id for p in pages[-1].placements} == {"t#1", "t#2", "t#3"}


def test_a_long_piece_that_fits_only_turned_is_turned():
    """A strip longer than the paper is high lies on its side, on a sheet of its own, its back behind it."""
    paper = SheetSettings(Size(297, 210), "A4 on its side", backs="long")
    strips, squares = tokens("strip", 2, 20, 270, "rectangle", back="red"), tokens("t", 4, 20, 20, back="red")
    pages = lay([*strips, *squares], paper)
    assert [[(p.id, p.turn) for p in page.placements] for page in pages] == [
        [(f"t#{n}", 0) for n in range(1, 5)],
        [(f"t#{n}", 180) for n in range(1, 5)],
        [("strip#1", 90), ("strip#2", 90)],
        [("strip#1", 90), ("strip#2", 90)],
    ]
    assert assert_behind(Packed([strips, squares], paper, pages), pages[2], pages[3], upright=False) == 2


def test_packed_pieces_that_are_too_large_are_named_with_what_fits():
    pieces = [*tokens("disc", 2, 250, 250, "round"), *deck(1, 300, 300), *tokens("plate", 1, 205, 280, "rectangle")]
    with pytest.raises(DoesNotFit) as caught:
        lay(pieces, on("A4", backs="none"))
    assert [misfit.ids for misfit in caught.value.misfits] == [("c#1",), ("disc#1", "disc#2"), ("plate#1",)]
    assert (
        str(caught.value.misfits[1]) == "disc#1 is 250 x 250 mm: A4 takes at most 198 x 279.5 mm with bleed and rulers"
    )
    assert len(lay(tokens("plate", 1, 198, 279.5, "rectangle"), on("A4", backs="none"))) == 1
    for larger in ((198.1, 279.5), (198, 279.6)):
        with pytest.raises(DoesNotFit):
            lay(tokens("plate", 1, *larger, "rectangle"), on("A4", backs="none"))


def test_guides_follow_the_outline():
    """With guides shown, a round token's trim is its circle and a leaf's the leaf, on its back seen from behind."""
    pieces = [token("disc#1", 20, 20, "round", back="red"), token("leaf#1", 20, 20, "rectangle", outline=LEAF, back="red")]  # fmt: skip
    front, back = lay(pieces, on("A4", guides=True))
    trims = [shape.path for shape in shapes(front, "guide") if shape.stroke == "#ff00ff"]
    assert sorted(path.count("C") for path in trims) == [0, 4]
    assert LEAF in trims
    behind = [shape.path for shape in shapes(back, "guide") if shape.stroke == "#ff00ff"]
    assert "M 20 10 L 10 0 L 0 0 L 0 10 L 10 20 L 20 20 Z" in behind


def test_sheets_are_numbered_on_from_cards_to_tokens():
    """Sheets count from 1 without a gap, whatever lies on them."""
    pages = lay([*tokens("t", 200, 30, 30), *deck(11)], on("A4", backs="none"))
    assert len(pages) > 4
    assert [page.sheet for page in pages] == list(range(1, len(pages) + 1))


def board(name: str, width: float, height: float, back: str | None = None) -> Piece:
    return piece(name, width, height, back=back)._replace(lie="tiled")


def ids(pages: tuple[Page, ...]) -> list[set[str]]:
    return [{placement.id for placement in page.placements} for page in pages if page.side == "front"]


def test_boards_that_leave_their_sheets_empty_share_one_with_tokens():
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
    for placement, wanted in zip(page.placements, boards, strict=True):
        assert (placement.id, placement.drawing.bleed) == (wanted.id, wanted.front.bleed)
        assert find_cut_line(placement.drawing) and is_cut_straight(placement.drawing)
        assert placement.clip == placement.trim.grow(wanted.front.bleed)
    assert find_cut_line(boards[0].front) == "", "its own drawing stays as it was"


def test_boards_stay_in_their_grid_where_nothing_is_saved():
    for boards in (
        [board("map/a#1", 130, 110)],
        [board(f"area/{n}#1", 150, 120) for n in range(4)],
        [board("first/a#1", 190, 200), board("second/a#1", 180, 190)],
    ):
        pages = lay(boards, on("A4", backs="none"))
        assert not any(find_cut_line(placement.drawing) for page in pages for placement in page.placements)


def test_a_kind_is_cut_in_one_way():
    boards = [board(f"area/{n}#1", 150, 120) for n in range(3)]
    pages = lay([*boards, *tokens("coin/c", 4, 20, 20)], on("A4", backs="none"))
    assert ids(pages) == [{"area/0#1", "area/1#1"}, {"area/2#1"}, {f"coin/c#{n}" for n in range(1, 5)}]


@pytest.mark.parametrize(("backs", "lined"), [("long", False), ("separate", True)])
def test_backs_of_packed_boards_are_lined_where_they_are_cut_by_themselves(backs: Backs, lined: bool):
    boards = [board("action/a#1", 180, 120, back="red"), board("track/a#1", 180, 45, back="red")]
    front, back = lay(boards, on("A4", backs=backs))
    assert all(find_cut_line(placement.drawing) for placement in front.placements)
    assert [bool(find_cut_line(placement.drawing)) for placement in back.placements] == [lined, lined]
