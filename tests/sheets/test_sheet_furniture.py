"""What is printed around the cards: cut marks, rulers, label, guides; and what happens when there is no room."""

import pytest
from hypothesis import given
from sheet_cases import (
    box,
    cut_marks,
    deck,
    label,
    lay,
    on,
    piece,
    printable,
    prints,
    rulers,
    runs,
    segments,
    shapes,
    text_box,
    typeset,
)
from tests_support import examples

from generator.base.display_list import Drawing, TextFrame
from generator.base.geometry import MARGIN, Rect
from generator.game.print_pages import Page, Piece
from generator.sheets.settings import SheetSettings
from generator.sheets.sheet_pages import iter_sheet_pages
from generator.sheets.slug import Slug, Spot, estimate_width, take_lines

few = examples(15)


def _marked(page: Page, chosen: SheetSettings) -> bool:
    return page.side == "front" or chosen.backs == "separate"


@few
@given(prints())
def test_every_cut_line_has_a_mark_at_both_ends(case):
    for page in case.pages:
        if _marked(page, case.settings):
            parts = cut_marks(page)
            for trim in (placement.trim for placement in page.placements):
                for x in (trim.x, trim.right):
                    ends = [y1 for x1, y1, x2, _ in parts if x1 == x2 and abs(x1 - x) < 2e-3]
                    assert min(ends) < trim.y
                    assert max(ends) > trim.bottom
                for y in (trim.y, trim.bottom):
                    ends = [x1 for x1, y1, _, y2 in parts if y1 == y2 and abs(y1 - y) < 2e-3]
                    assert min(ends) < trim.x
                    assert max(ends) > trim.right


@few
@given(prints())
def test_marks_keep_off_the_art_and_within_the_printers_reach(case):
    """Half a millimetre from every clip, at least 1.5 mm long, inside the printable sheet."""
    for page in case.pages:
        room = printable(page, case.settings)
        for part in cut_marks(page):
            mark = box([part])
            assert room.contains(mark, slack=2e-3)
            assert mark.width + mark.height >= 1.5 - 2e-3
            assert not any(placement.clip.grow(0.5).overlaps(mark, slack=2e-3) for placement in page.placements)


@few
@given(prints())
def test_rulers_are_exact_and_everything_has_a_place_of_its_own(case):
    """50 mm and 50.8 mm on every page; rulers, texts, marks and faces are apart, and all within the printer's reach."""
    for page in case.pages:
        scales = rulers(page)
        lengths = [max(box(segments(scale)).width, box(segments(scale)).height) for scale in scales]
        assert lengths == pytest.approx([50, 50.8], abs=1e-9)
        scale_boxes = [box(segments(scale)) for scale in scales]
        taken = scale_boxes + [text_box(run) for run in runs(page)]
        room = printable(page, case.settings)
        assert all(room.contains(one, slack=2e-3) for one in taken)
        assert not any(a.overlaps(b) for i, a in enumerate(taken) for b in taken[:i])
        lines = [box([part]).grow(0.2) for part in cut_marks(page)]
        lines += [box([part]).grow(0.2) for shape in shapes(page, "fold") for part in segments(shape)]
        others = lines + [placement.clip for placement in page.placements]
        assert not any(one.overlaps(other) for one in taken for other in others)


@few
@given(prints())
def test_the_label_stands_whole_on_every_page_at_six_points(case):
    """Sheet, number of sheets, side and digest are there, if need be in several lines; only numbers of cuts are small."""
    total = max(page.sheet for page in case.pages)
    for page in case.pages:
        text = " ".join(run.text for run in runs(page))
        assert f"Fortuna 0.3 sheet {page.sheet}/{total} {page.side} " in text
        assert all(run.size >= 6 or (run.size == 4 and run.text.isdigit()) for run in runs(page))
        assert {"50 mm", "2 in"} <= {run.text for run in runs(page)}


@examples(5)
@given(prints())
def test_pages_are_repeatable(case):
    assert lay(case.pieces, case.settings) == case.pages


def test_marks_are_dark_on_a_wider_white_casing_beneath():
    casing, line = [
        shape for shape in shapes(lay(deck(9), on("A4"))[0], "mark") if shape not in rulers(lay(deck(9), on("A4"))[0])
    ]
    assert casing.path == line.path
    assert (casing.stroke, line.stroke) == ("#ffffff", "ink")
    assert casing.width > 2 * line.width
    assert line.width == pytest.approx(0.25 * 25.4 / 72)


def test_marks_reach_the_printable_edge_unless_a_ruler_stands_there():
    """On nine-up A4 all marks at the sides and for each upright line one at top or bottom run to the 5 mm margin."""
    parts = cut_marks(lay(deck(9), on("A4"))[0])
    level = [part for part in parts if part[1] == part[3]]
    assert sorted({(part[0], part[2]) for part in level}) == [(7, 5), (203, 205)]
    whole = {x for x, _, _, end in parts if end in (5, 292)}
    assert {10.5, 73.5, 136.5, 199.5} <= whole


def test_duplex_backs_have_no_marks_and_separate_backs_have():
    assert not cut_marks(lay(deck(3), on("A4"))[1])
    assert cut_marks(lay(deck(3), on("A4", backs="separate"))[1])


def test_both_pages_of_a_sheet_have_their_rulers_in_the_same_places():
    pages = lay(deck(11), on("A4"))
    assert len({tuple(shape.path for shape in rulers(page)) for page in pages}) == 1
    assert len(pages) == 4


def test_small_tokens_keep_a_whole_mark_on_every_line():
    page = lay(deck(200, 20, 20), on("A4"))[0]
    parts = cut_marks(page)
    shortened = [part for part in parts if part[0] == part[2] and part[3] not in (5, 292)]
    assert shortened
    for x, *_ in shortened:
        assert any(part[0] == part[2] == x and part[3] in (5, 292) for part in parts)


def test_a_ruler_has_a_tick_for_every_millimetre_and_eighth_of_an_inch():
    """51 ticks and 17 ticks, all standing on the scale."""
    metric, imperial = rulers(lay(deck(1), on("A4"))[0])
    assert len(segments(metric)) == 1 + 51
    assert len(segments(imperial)) == 1 + 17
    (x1, foot, x2, _), *ticks = segments(metric)
    assert [tick[0] for tick in ticks] == pytest.approx([x1 + n for n in range(51)])
    assert x2 - x1 == pytest.approx(50, abs=1e-9)
    assert all(tick[1] == foot > tick[3] for tick in ticks)


def test_the_digest_tells_pages_apart_and_stays_while_they_do():
    """Eight hex digits that change with a face, a place or a back, and with nothing else."""

    def digests(pieces: list[Piece], chosen: SheetSettings) -> list[str]:
        seen: list[str] = []
        name = lambda n, of, digest, side: seen.append(digest) or label(n, of, digest, side)  # noqa: E731
        list(iter_sheet_pages(pieces, chosen, name, typeset, title))
        return [digest for digest in seen if digest != "00000000"]

    def title(drawing: Drawing) -> str:
        return drawing.title

    usual = digests(deck(2), on("A4"))
    assert len(set(usual)) == 2
    assert all(len(digest) == 8 and set(digest) <= set("0123456789abcdef") for digest in usual)
    assert digests(deck(2), on("A4", guides=True)) == usual
    assert digests(deck(2, back="other"), on("A4"))[0] == usual[0]
    assert digests(deck(2, back="other"), on("A4"))[1] != usual[1]
    assert digests([*deck(1), piece("new", 63, 88)], on("A4"))[0] != usual[0]
    assert digests(deck(2), on("A4", gap=0.5))[0] != usual[0]


def test_guides_show_trim_safe_zone_bleed_and_text_frames():
    """Magenta trim, cyan dashed safe zone, orange bleed edge, grey frame: only on demand, turned with the card."""
    frame = TextFrame(5, 6, 20, 10, 8.0, "title", "x", ("x",))
    card = Piece("c", Drawing(130, 60, 3, (), frames=(frame,)), safe=4.0, corner=0.0)
    other = Piece("d", Drawing(130, 60, 3, (), frames=(frame,)), safe=4.0, corner=2.5)
    assert not shapes(lay([card], on("A5"))[0], "guide")
    page = lay([card, other], on("A5", guides=True))[0]
    first, second = page.placements
    assert (len(page.placements), first.turn) == (2, 90)
    bleed, text, safe, trim = shapes(page, "guide")[:4]
    assert [shape.stroke for shape in (bleed, text, safe, trim)] == ["#f7941d", "#8c8c8c", "#00aeef", "#ff00ff"]
    assert [bool(shape.dash) for shape in (bleed, text, safe, trim)] == [False, False, True, False]
    assert _corners(bleed.path) == first.clip
    assert _corners(safe.path) == first.trim.grow(-4)
    assert _corners(trim.path) == first.trim
    # Turned clockwise, the frame's 6 mm from the head are 6 mm from the right, its 5 mm from the left are from the top.
    assert _corners(text.path) == Rect(first.trim.right - 6 - 10, first.trim.y + 5, 10, 20)
    assert shapes(page, "guide")[7].path.count("C") == 4
    assert _corners(shapes(page, "guide")[7].path.replace("C", "L")) == second.trim


@pytest.mark.parametrize(("backs", "turn"), [("short", 180), ("fold", 270)])
def test_guides_turn_with_backs(backs, turn):
    frame = TextFrame(5, 6, 20, 10, 8.0, "title", "x", ("x",))
    card = Piece("c", Drawing(63, 88, 3, ()), Drawing(63, 88, 3, (), frames=(frame,)))
    page = lay([card], on("A4", backs=backs, guides=True))[-1]
    placement = page.placements[-1]
    assert placement.turn == turn
    (text,) = [shape for shape in shapes(page, "guide") if shape.stroke == "#8c8c8c"]
    trim = placement.trim
    expected = {
        180: Rect(trim.right - 5 - 20, trim.bottom - 6 - 10, 20, 10),
        270: Rect(trim.x + 6, trim.bottom - 5 - 20, 10, 20),
    }
    assert _corners(text.path) == expected[turn]


def _corners(path: str) -> Rect:
    numbers = [float(word) for word in path.split() if word not in "MLCZ"]
    xs, ys = numbers[::2], numbers[1::2]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def test_a_postcard_takes_one_poker_card():
    """Paper where the rulers don't stand side by side: they and the label are spread over the strips."""
    page = lay(deck(1), on("Hagaki"))[0]
    assert len(page.placements) == 1
    assert len(rulers(page)) == 2
    assert len({box(segments(scale)).y for scale in rulers(page)}) == 2


def test_reach_is_never_less_than_the_text_in_a_wide_face():
    """The room kept for a text holds full-width characters at 1 em and capitals at 0.9 em."""
    assert estimate_width("運命", 6) == pytest.approx(2 * 6 * 25.4 / 72)
    assert estimate_width("MW", 10) == pytest.approx(1.8 * 10 * 25.4 / 72)
    assert estimate_width("", 6) == 0


@pytest.mark.parametrize(("name", "value"), [("margin", MARGIN._replace(left=-1)), ("gap", -1)])
def test_negative_lengths_are_refused(name, value):
    with pytest.raises(ValueError, match=f"the {name} is -1 mm"):
        on("A4", **{name: value})


def test_no_pieces_no_pages():
    assert lay([], on("A4")) == ()


def test_the_order_of_cuts_is_read_at_one_edge() -> None:
    """Whole where an edge has room for it, else in two even lines at one edge, else not at all; a label may be torn."""
    order = "cut these first and those next " * 3
    for wide, lines in ((180, 1), (120, 2), (75, 0)):
        slug = Slug(Rect(20, 20, wide - 40, 200), Rect(0, 0, wide, 240), plain=True)
        slug.spots.append(Spot(Rect(0, 0, 19.9, 240), "left"))
        slug.spots.append(Spot(Rect(wide - 19.9, 0, 19.9, 240), "right"))
        taken = take_lines(slug, order, torn=False)
        assert [text for text, _ in taken or ()] == {
            1: [order.strip()],
            2: ["cut these first and those next cut these first", "and those next cut these first and those next"],
            0: [],
        }[lines]
        assert len({spot.side for _, spot in taken or ()}) <= 1
        assert len(slug.spots) == 2 + lines, "what found no place keeps none"
    assert len(take_lines(slug, order) or ()) > 2


def test_nothing_stands_within_the_order_of_cuts() -> None:
    order = "cut these first and those next " * 3
    slug = Slug(Rect(20, 20, 220, 200), Rect(0, 0, 260, 240), plain=True)
    slug.spots.append(Spot(Rect(0, 0, 19.9, 240), "left"))
    slug.spots.append(Spot(Rect(240.1, 0, 19.9, 240), "right"))
    slug.spots.append(Spot(Rect(0, 0, 260, 19.9), "top"))
    for row in range(6):
        slug.spots.append(Spot(Rect(100, 221 + 3.2 * row, 60, 3.1), "bottom"))
    assert take_lines(slug, order, torn=False) is None
    del slug.spots[3:]
    assert take_lines(slug, order, torn=False) is not None


def test_spots_lie_at_the_printable_edge_and_beside_each_other() -> None:
    """The first lane of each side ends where the printer's reach does; the next spot is a millimetre from the first."""
    printable = Rect(5, 7, 200, 280)
    edges = {"top": Rect(5, 7, 60, 3), "bottom": Rect(5, 284, 60, 3), "left": Rect(5, 7, 3, 60)}
    for side, place in {**edges, "right": Rect(202, 7, 3, 60)}.items():
        slug = Slug(Rect(25, 27, 160, 240), printable, plain=True)
        first, second = slug.take_spot(60, (side,)), slug.take_spot(60, (side,))  # type: ignore[arg-type]
        assert first and second
        assert first.box == place
        along = (61, 0) if side in ("top", "bottom") else (0, 61)
        assert (second.box.x - place.x, second.box.y - place.y) == along
