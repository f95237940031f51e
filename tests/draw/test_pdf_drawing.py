"""What a PDF looks like: tiny drawings as letters, and pairs of drawings that must not differ by a pixel."""

from math import cos, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdf_samples import (
    BOOK,
    block,
    box,
    document,
    face,
    font,
    palette,
    pdf,
    placed,
    sheet,
    shown,
    spelled,
    symbol,
    words,
)
from PIL import ImageChops
from tests_support import examples

from generator.base.display_list import Gradient, Group, PlacedSymbol, Shape, TextRun
from generator.base.geometry import MM_PER_PT, Rect
from generator.drawing.pdf.page_images import render_page


def drawn(*items, width=4, height=4):
    return spelled(shown(*items, width=width, height=height, dpi=254), 10)


def page(*placements, items=(), width=4, height=4):
    made = pdf(document(sheet(*placements, items=items, width=width, height=height)))
    return spelled(render_page(made, 0, 254), 10)


def same(one, other):
    """Whether two drawings' pixels are equal but for rounding at edges."""
    pixels = [shown(*items, width=20, height=20, dpi=127).convert("L") for items in (one, other)]
    return ImageChops.difference(*pixels).getextrema()[1] <= 24


def test_y_runs_down_from_the_top_left_corner():
    assert page(items=(block(0, 0, 1, 2), block(3, 3, 1, 1, "#0000ff"))) == "R...\nR...\n....\n...B"


def test_later_items_cover_earlier_ones_and_marks_cover_faces():
    drawing = face(block(0, 0, 3, 3), block(1, 1, 3, 3, "#00ff00"))
    assert page(placed(drawing), items=(block(2, 2, 1, 1, "#0000ff"),)) == "RRR.\nRGGG\nRGBG\n.GGG"


@pytest.mark.parametrize(
    ("turn", "letters"),
    [
        (0, ".....\n.RRG.\n...B.\n....."),
        (90, ".....\n..R..\n..R..\n.BG.."),
        (180, ".....\n.B...\n.GRR.\n....."),
        (270, ".....\n.GB..\n.R...\n.R..."),
    ],
)
def test_a_face_is_turned_clockwise_onto_its_trim(turn, letters):
    drawing = face(block(0, 0, 2, 1), block(2, 0, 1, 1, "#00ff00"), block(2, 1, 1, 1, "#0000ff"), width=3, height=2)
    assert page(placed(drawing, 1, 1, turn), width=5) == letters


def test_only_the_clip_is_printed():
    drawing = face(block(-9, -9, 30, 30), block(0, 0, 2, 2, "#0000ff"), width=2, height=2, bleed=1)
    trim = placed(drawing, 2, 2)
    assert page(trim, width=6, height=6) == "......\n.RRRR.\n.RBBR.\n.RBBR.\n.RRRR.\n......"
    narrow = trim._replace(clip=Rect(2, 1, 2, 3))
    assert page(narrow, width=6, height=6) == "......\n..RR..\n..BB..\n..BB..\n......\n......"
    wide = trim._replace(clip=Rect(0, 0, 6, 6))
    assert page(wide, width=6, height=6) == page(trim, width=6, height=6)


def test_the_clip_stays_put_when_the_face_is_turned():
    drawing = face(block(0, 0, 3, 1), width=3, height=1)
    turned = placed(drawing, 1, 0, 90, clip=Rect(1, 1, 1, 2))
    assert page(turned) == "....\n.R..\n.R..\n...."


def test_groups_move_clip_and_leave_no_trace():
    group = Group((block(0, 0, 2, 2, "#00ff00"),), (1, 0, 0, 1, 1, 1), clip=box(0, 0, 1, 2))
    around = (block(0, 3, 1, 1), group, block(2, 3, 1, 1, "#00ff00"), block(3, 3, 1, 1))
    assert drawn(*around) == "....\n.G..\n.G..\nR.GR"


def test_holes_follow_the_winding_asked_for():
    """Even-odd cuts a hole where outlines overlap, in fills, group clips and gradients; nonzero doesn't."""
    ring = f"{box(0, 0, 4, 4)} {box(1, 1, 2, 2)}"
    hollow, full = "RRRR\nR..R\nR..R\nRRRR", "RRRR\nRRRR\nRRRR\nRRRR"
    red = Gradient("linear", (0, 0, 1, 0), ((0, "#ff0000"), (1, "#ff0000")))
    for even_odd, letters in ((True, hollow), (False, full)):
        assert drawn(Shape(ring, fill="#ff0000", even_odd=even_odd)) == letters
        assert drawn(Shape(ring, fill=red, even_odd=even_odd)) == letters
        assert drawn(Group((block(0, 0, 4, 4),), clip=ring, clip_even_odd=even_odd)) == letters


def test_a_stroke_lies_over_its_fill():
    assert drawn(Shape(box(1, 1, 2, 2), fill="#ff0000", stroke="ink", width=0.6)) == "....\n.RR.\n.RR.\n...."
    assert drawn(Shape(box(0.5, 0.5, 3, 3), fill="#ff0000", stroke="ink", width=1)) == "KKKK\nKRRK\nKRRK\nKKKK"


def test_strokes_have_width_caps_and_dashes():
    line = Shape("M 1 2 L 3 2", stroke="ink", width=2)
    assert drawn(line) == "....\n.KK.\n.KK.\n...."
    assert drawn(line._replace(cap="square")) == "....\nKKKK\nKKKK\n...."
    assert drawn(line._replace(dash=(1.0,))) == "....\n.K..\n.K..\n...."
    assert drawn(line._replace(dash=(0.0, 0.0))) == drawn(line)


def test_corners_are_joined_as_asked():
    corner = Shape("M 0 1 L 3 1 L 3 4", stroke="ink", width=2)
    assert drawn(corner) == "KKKK\nKKKK\n..KK\n..KK"
    for other, shows in ((corner, 0), (corner._replace(join="bevel"), 255), (corner._replace(miter=1.0), 255)):
        assert shown(other, dpi=254).getpixel((38, 1))[0] == shows


def test_a_stroke_without_width_and_a_shape_without_paint_show_nothing():
    path = box(1, 1, 2, 2)
    image = shown(Shape(path, stroke="ink"), Shape(path), Shape("", fill="ink"), dpi=254)
    assert image.getcolors() == [(1600, (255, 255, 255))]


def test_symbols_are_cut_at_their_box_only_when_asked():
    spill = symbol(block(0, 0, 1, 1, "#0000ff"), block(1, 1, 2, 2), size=2)
    for clip, letters in ((True, "B...\n.R..\n....\n...."), (False, "B...\n.RR.\n.RR.\n....")):
        assert drawn(PlacedSymbol(spill, (1, 0, 0, 1, 0, 0), clip=clip)) == letters
    both = [
        PlacedSymbol(spill, (1, 0, 0, 1, x, y), clip=cut) for x, y, cut in ((0, 0, False), (2, 2, True), (-2, 1, False))
    ]
    assert drawn(*both) == "B...\n.RR.\nRRB.\nR..R"


def test_a_symbol_is_not_coloured_by_what_came_before():
    """A form sets what it needs: pen, colour, font and letter-spacing around it don't reach inside."""
    inside = (Shape("M 0 10 L 20 10", stroke="ink", width=1), words("AVATAR", x=2, y=8))
    spaced = words("AVATAR", x=2, y=18, paint="#00ff00")
    spaced = spaced._replace(advances=tuple(step + 300 for step in spaced.advances))
    before = (Shape("M 0 19 L 20 19", stroke="#ff0000", width=2, cap="round", dash=(1.0, 2.0)), spaced)
    put = PlacedSymbol(symbol(*inside, size=20), (1, 0, 0, 1, 0, 0))
    assert same((*before, put), (*before, *inside))


def test_what_has_no_extent_is_left_out():
    """A group or symbol that is squeezed flat neither shows nor spoils the rest."""
    flat = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    items = (Group((block(0, 0, 9, 9),), flat), PlacedSymbol(symbol(block(0, 0, 9, 9)), flat), block(1, 1, 1, 1))
    assert drawn(*items) == "....\n.R..\n....\n...."


moves = st.tuples(st.floats(-3, 3), st.floats(-3, 3), st.floats(0.5, 1.5), st.floats(0, 360))


@given(moves)
@examples(12)
def test_a_group_draws_as_its_coordinates_moved(move):
    dx, dy, scale, angle = move
    a, b = scale * cos(radians(angle)), scale * sin(radians(angle))
    by = (a, b, -b, a, 10 + dx, 10 + dy)
    points = ((-4.0, -3.0), (4.0, -2.0), (3.0, 4.0), (-2.0, 3.0))
    there = [(by[0] * x + by[2] * y + by[4], by[1] * x + by[3] * y + by[5]) for x, y in points]

    def outline(spots):
        return "M " + " L ".join(f"{x:.3f} {y:.3f}" for x, y in spots) + " Z"

    inside = Shape(outline(points), fill="#ff0000", stroke="ink", width=0.5)
    moved = Shape(outline(there), fill="#ff0000", stroke="ink", width=0.5 * scale)
    assert same((Group((inside,), by),), (moved,))


@given(moves, st.booleans())
@examples(12)
def test_a_symbol_draws_as_its_items_in_a_group(move, clip):
    dx, dy, scale, angle = move
    a, b = scale * cos(radians(angle)), scale * sin(radians(angle))
    by = (a, b, -b, a, 8 + dx, 8 + dy)
    items = (block(1, 1, 6, 3), words("wheat 稲", "gothic", 0, 4, 9), Shape("M 0 0 L 6 6", stroke="ink", width=0.4))
    grouped = Group(items, by, clip=box(0, 0, 5, 5) if clip else "")
    assert same((PlacedSymbol(symbol(*items, size=5), by, clip=clip),), (grouped,))


def test_type_has_its_size_in_points():
    """A letter of 72 points is as tall as its outline says, and stands on its baseline."""
    face_font = font("sans")
    glyph = face_font.find_glyph("H")
    left, bottom, right, top = face_font.measure_ink(glyph)
    image = shown(TextRun(5, 30, 72, face_font.key, (glyph,), ("H",)), width=40, height=40, dpi=254)
    x1, y1, x2, y2 = ImageChops.invert(image).getbbox()
    em = 72 * MM_PER_PT * 10 / 1000
    wanted = (50 + left * em, 300 - top * em, 50 + right * em, 300 - bottom * em)
    for found, place in zip((x1, y1, x2, y2), wanted, strict=True):
        assert abs(found - place) <= 1.5


@pytest.mark.parametrize("angle", [0, 30, 90, 180, 270])
def test_text_is_turned_clockwise_about_its_start(angle):
    image = shown(words("H", x=10, y=10, size=20, angle=angle), width=20, height=20, dpi=127)
    x1, y1, x2, y2 = (side / 5 for side in ImageChops.invert(image).getbbox())
    middle = ((x1 + x2) / 2, (y1 + y2) / 2)
    along, across = cos(radians(angle)), sin(radians(angle))
    forward = (middle[0] - 10) * along + (middle[1] - 10) * across
    upward = (middle[0] - 10) * across - (middle[1] - 10) * along
    assert 1 < forward < 4
    assert 1 < upward < 4


def test_letter_spacing_moves_each_letter():
    run = words("oooooo", x=1, y=10, size=9)
    spread = run._replace(advances=tuple(step + 200 for step in run.advances))
    singles, x = [], 1.0
    for glyph, step in zip(spread.glyphs, spread.advances, strict=True):
        singles.append(TextRun(x, 10, 9, run.font, (glyph,), ("x",)))
        x += step / 1000 * 9 * MM_PER_PT
    assert same((spread,), singles)
    assert not same((spread,), (run,))
    kerned = words("AVATAR", x=1, y=10, size=9)
    assert kerned.advances != tuple(map(font("sans").measure_advance, kerned.glyphs))
    assert same((spread, kerned), (kerned, *singles))


def test_fonts_and_palette_are_those_of_the_project():
    """The sample book and palette of these tests are used as given: paper is white, ink black."""
    assert drawn(block(0, 0, 4, 4, "ink"), block(1, 1, 2, 2, "paper")) == "KKKK\nK..K\nK..K\nKKKK"
    assert palette("ink") == (0.0, 0.0, 0.0)
    assert BOOK.get_font(font("sans").key) is font("sans")
