"""Backs: a simulation that turns or folds the printed sheet and looks where each back comes to lie."""

import pytest
from hypothesis import given
from sheet_cases import at, deck, lay, on, piece, prints, rulers, runs, segments, shapes
from tests_support import examples

from generator.base.geometry import Rect
from generator.game.print_pages import Page, Placement
from generator.sheets.imposition import resolve_backs

few = examples(25)

CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))


def _seen_through(page: Page, point: tuple[float, float], edge_upright: bool) -> tuple[float, float]:
    """Where a point of a back page lies, seen through the paper, after a turn about an upright or a level edge."""
    x, y = point
    return (page.size.width - x, y) if edge_upright else (x, page.size.height - y)


def _assert_behind(front: Placement, back: Placement, page: Page, edge_upright: bool) -> None:
    """A reader who turns the card sideways sees the back upright: left becomes right and the head stays up."""
    for across, down in CORNERS:
        seen = _seen_through(page, at(back, 1 - across, down), edge_upright)
        assert seen == pytest.approx(at(front, across, down), abs=1e-6)


@few
@given(prints(backs=("long", "short")))
def test_a_duplex_back_lies_behind_its_front_head_to_head(case):
    upright_paper = case.settings.paper.height >= case.settings.paper.width
    edge_upright = upright_paper if case.settings.backs == "long" else not upright_paper
    for number, page in enumerate(case.pages):
        if page.side == "back":
            front = case.pages[number - 1]
            assert (front.side, front.sheet) == ("front", page.sheet)
            fronts = {placement.id: placement for placement in front.placements}
            assert len(fronts) == len(front.placements)
            for back in page.placements:
                _assert_behind(fronts[back.id], back, page, edge_upright)


@few
@given(prints(backs=("long", "short")))
def test_every_second_page_is_a_back(case):
    backed = {p.id for p in case.pieces if p.back}
    turns = ["front", "back"] if backed else ["front"]
    assert [page.side for page in case.pages] == (turns * len(case.pages))[: len(case.pages)]
    assert {p.id for page in case.backs for p in page.placements} == backed


@few
@given(prints(backs=("fold",)))
def test_a_folded_back_lies_behind_its_front_head_to_head(case):
    found = 0
    for page in case.pages:
        lines = shapes(page, "fold")
        if not lines:
            assert all(placement.drawing.title == placement.id for placement in page.placements)
            continue
        ((x1, y1, x2, _),) = segments(lines[-1])
        upright = x1 == x2
        assert (x1 if upright else y1) == pytest.approx(
            (page.size.width if upright else page.size.height) / 2, abs=1e-3
        )
        fronts = {p.id: p for p in page.placements if p.drawing.title == p.id}
        backs = {p.id: p for p in page.placements if p.drawing.title != p.id}
        assert set(fronts) == set(backs)
        for name, back in backs.items():
            _assert_behind(fronts[name], back, page, upright)
        middle = Rect(x1 - 1.9, 0, 3.8, page.size.height) if upright else Rect(0, y1 - 1.9, page.size.width, 3.8)
        assert not any(middle.overlaps(placement.trim) for placement in page.placements)
        found += len(backs)
    assert found == sum(p.back is not None for p in case.pieces)


@few
@given(prints(backs=("separate",)))
def test_separate_backs_follow_all_fronts_in_the_fronts_places(case):
    assert list(case.pages) == case.fronts + case.backs
    back_of = {p.id: p.back.title if p.back else "" for p in case.pieces}
    for page in case.fronts:
        assert len({back_of[placement.id] for placement in page.placements}) == 1
    assert sum(len(page.placements) for page in case.backs) == sum(map(bool, back_of.values()))
    by_sheet = {page.sheet: page for page in case.fronts}
    for page in case.backs:
        front = by_sheet[page.sheet]
        assert [(p.id, p.trim, p.turn) for p in page.placements] == [(p.id, p.trim, p.turn) for p in front.placements]


@few
@given(prints(backs=("none",)))
def test_fronts_without_backs_fill_their_sheets(case):
    assert not case.backs
    assert [placement.id for page in case.pages for placement in page.placements] == [p.id for p in case.pieces]
    assert len({len(page.placements) for page in case.pages[:-1]}) <= 1
    assert len(case.pages[-1].placements) <= len(case.pages[0].placements)


@few
@given(prints(backs=("long", "short")))
def test_a_back_bleeds_as_its_front_does(case):
    """Clips lie behind clips, also beside pieces with blank backs: no back's bleed shows on another piece."""
    upright = (case.settings.paper.height >= case.settings.paper.width) == (case.settings.backs == "long")
    clips = {p.id: p.clip for page in case.fronts for p in page.placements}
    for page in case.backs:
        for placement in page.placements:
            clip, there = placement.clip, clips[placement.id]
            corner = _seen_through(page, (clip.x, clip.y), upright)
            opposite = (there.right, there.y) if upright else (there.x, there.bottom)
            assert corner == pytest.approx(opposite)
            assert (clip.width, clip.height) == pytest.approx((there.width, there.height))


def test_four_cards_fold_on_a4():
    """63 x 88 mm: four turned fronts left of an upright fold and four backs on its right, 3 mm of bleed to the fold."""
    (page,) = lay(deck(4), on("A4", backs="fold"))
    fronts, backs = page.placements[:4], page.placements[4:]
    assert [p.trim for p in fronts] == [Rect(14, 22.5 + 63 * row, 88, 63) for row in range(4)]
    assert [p.trim for p in backs] == [Rect(108, 22.5 + 63 * row, 88, 63) for row in range(4)]
    assert {p.turn for p in fronts} == {90}
    assert {p.turn for p in backs} == {270}
    assert fronts[0].clip.right == backs[0].clip.x == 105
    assert len(lay(deck(5), on("A4", backs="fold"))) == 2


def test_the_fold_says_how_it_is_folded():
    folded = lay(deck(4), on("A4", backs="fold", fold_note="fold here"))[0]
    assert "fold here" in [run.text for run in runs(folded)]
    assert "fold here" not in [run.text for run in runs(lay(deck(4), on("A4", fold_note="fold here"))[0])]


def test_the_fold_is_dashed_from_edge_to_edge_on_a_white_casing():
    casing, dashes = shapes(lay(deck(4), on("A4", backs="fold"))[0], "fold")
    assert segments(dashes) == segments(casing) == [(105, 5, 105, 292)]
    assert casing.stroke == "#ffffff"
    assert casing.width > dashes.width
    assert dashes.dash
    assert not casing.dash


def test_texts_keep_off_the_fold_where_they_can():
    casing, _ = shapes(lay(deck(40, 15, 15), on("A3", backs="fold"))[0], "fold")
    assert segments(casing) == [(148.5, 5, 148.5, 415)]


def test_a_bleedless_fold_is_still_cut_away():
    """Without bleed 2 mm stay between fold and card: a folded edge is round."""
    (page,) = lay(deck(4, bleed=0), on("A4", backs="fold"))
    assert page.placements[0].trim.right == pytest.approx(103)


def test_a_sheet_without_backs_gets_a_labelled_blank_page_when_another_follows():
    first = [*deck(9, back=None), *deck(9, 40, 40)]
    pages = lay(first, on("A4"))
    assert [(page.side, len(page.placements)) for page in pages] == [("front", 9), ("back", 0), ("front", 9), ("back", 9)]  # fmt: skip
    assert len(rulers(pages[1])) == 2
    assert any("back" in run.text for run in runs(pages[1]))
    last = [*deck(9, 40, 40), *deck(9, back=None)]
    assert [page.side for page in lay(last, on("A4"))] == ["front", "back", "front"]


def test_nothing_is_duplex_when_no_piece_has_a_back():
    pieces = deck(20, back=None)
    assert resolve_backs(pieces, "long") == "none"
    assert resolve_backs(deck(1), "long") == "long"
    assert {page.side for page in lay(pieces, on("A4"))} == {"front"}


def test_unlike_backs_are_kept_apart_only_where_backs_have_sheets_of_their_own():
    pieces = [piece(f"c{n}", 63, 88, 3, ("red", "blue")[n % 2]) for n in range(4)]
    sheets = {
        mode: max(p.sheet for p in lay(pieces, on("A4", backs=mode))) for mode in ("long", "short", "fold", "none")
    }
    assert sheets == {"long": 1, "short": 1, "fold": 1, "none": 1}
    separate = lay(pieces, on("A4", backs="separate"))
    assert [[p.id for p in page.placements] for page in separate] == [["c0", "c2"], ["c1", "c3"]] * 2
