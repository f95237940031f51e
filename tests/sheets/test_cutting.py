"""Faces that are cut out: what shows of them, the line to cut along, and what is seen from behind."""

from pathlib import Path

import pytest
from packed_cases import LEAF, TALL, token

from generator.base.display_list import Drawing, Group, Shape, StampPlace, TextFrame
from generator.base.geometry import Rect
from generator.base.outlines import rectangle_path
from generator.drawing.pdf.page_images import render_drawing_png
from generator.game.piece_outlines import make_ellipse_path, make_hexagon_path
from generator.sheets.page_marks import cut_face, find_cut_line, find_face_outline, is_cut_straight, mirror_back_outline
from generator.text.fonts import FontBook

GREEN = "#00ff00"
U = "M 0 0 L 6 0 L 6 12 L 14 12 L 14 0 L 20 0 L 20 20 L 0 20 Z"
CIRCLE = make_ellipse_path(Rect(0, 0, 20, 20))


def face(width: float = 20, height: float = 20, bleed: float = 3.0) -> Drawing:
    """A face that is green as far as its bleed goes."""
    ground = Shape(rectangle_path(Rect(0, 0, width, height).grow(bleed)), fill=GREEN)
    return Drawing(width, height, bleed, (ground,), "en", "green")


def pixel(drawing: Drawing, x: float, y: float) -> tuple[int, ...]:
    """The colour of a printed face at a point (mm), on white paper that goes 3 mm beyond it."""
    inks = {"ink": (0.0, 0.0, 0.0), "#ffffff": (1.0, 1.0, 1.0), GREEN: (0.0, 1.0, 0.0)}
    paper = Drawing(26, 26, 0, (Group(drawing.items, (1.0, 0.0, 0.0, 1.0, 3.0, 3.0)),))
    image = render_drawing_png(paper, 508, FontBook({}, Path), inks.__getitem__, Path)
    return image.getpixel((round((x + 3) * 20), round((y + 3) * 20)))[:3]  # type: ignore[index]


WHITE, FULL, BLACK = (255, 255, 255), (0, 255, 0), (0, 0, 0)


@pytest.mark.parametrize(
    ("outline", "points"),
    [
        (CIRCLE, {(10, 10): FULL, (10, -0.7): FULL, (10, -1.1): WHITE, (1.5, 1.5): WHITE, (0, 10): BLACK}),
        (U, {(3, 5): FULL, (10, 5): WHITE, (6.7, 5): FULL, (7.2, 5): WHITE, (13.3, 5): FULL, (10, 11.3): FULL}),
        (mirror_back_outline(U, 20), {(3, 5): FULL, (10, 5): WHITE, (6.7, 5): FULL, (10, 11.3): FULL, (-0.7, 10): FULL}),
        ("", {(-0.7, -0.7): FULL, (20.7, 20.7): FULL, (-1.1, 10): WHITE, (0, 10): BLACK}),
    ],
    ids=["circle", "u", "u from behind", "rectangle"],
)  # fmt: skip
def test_a_face_shows_as_far_as_its_reach_and_no_farther(outline, points):
    """Printed, the art goes on for the reach beyond the outline, on all its sides, and the cut line is dark over it."""
    drawing = cut_face(face(), outline, 1.0)
    for (x, y), colour in points.items():
        found = pixel(drawing, x, y)
        near = all(abs(a - b) < 90 for a, b in zip(found, colour, strict=True))
        assert near, ((x, y), found)


def test_the_cut_line_lies_over_the_art():
    """Art first, then a white casing and a dark solid line along the outline itself; without `line` only the art."""
    drawing = cut_face(face(), CIRCLE, 1.0)
    art, casing, line = drawing.items
    assert isinstance(art, Group)
    assert art.items == face().items
    assert isinstance(casing, Group)
    (light,) = casing.items
    assert [shape.role for shape in (light, line)] == ["cut", "cut"]
    assert light.path == line.path == CIRCLE
    assert light.width > line.width > 0
    assert (light.stroke, line.stroke, line.dash) == ("#ffffff", "ink", ())
    assert cut_face(face(), CIRCLE, 1.0, line=False).items == (art,)


@pytest.mark.parametrize("outline", [CIRCLE, U, make_hexagon_path(Rect(0, 0, 20, 20))], ids=["circle", "u", "hexagon"])
def test_no_white_rim_stays_on_a_piece(outline):
    """Printed, the casing of the cut line is white outside of it alone: on the piece the art reaches up to the line."""
    drawing = cut_face(face(), outline, 1.0)
    # Across the middle of the left edge: the dark line ends 0.044 mm inside, its casing 0.176 mm outside.
    assert pixel(drawing, 0.1, 10) == FULL
    assert min(pixel(drawing, -0.1, 10)) > 200


def test_the_line_between_dark_neighbours_can_be_found():
    """A straight piece shares its line with neighbours that cover the casing: a narrow light one lies below it."""
    light, line = (item for item in cut_face(face(), "", 1.0).items if isinstance(item, Shape))
    assert (light.path, light.stroke, line.stroke) == (line.path, "#ffffff", "ink")
    assert 0.03 < (light.width - line.width) / 2 < 0.06, "mm that stay on each side of an exact cut"


def test_the_bleed_is_what_is_left_of_it():
    """Never more than the face has or the reach allows, and enough for the outer half of the line."""
    assert cut_face(face(bleed=3), CIRCLE, 1.0).bleed == 1.0
    assert cut_face(face(bleed=0.5), CIRCLE, 1.0).bleed == 0.5
    assert cut_face(face(bleed=0), CIRCLE, 1.0).bleed == pytest.approx(0.176, abs=0.001)
    assert cut_face(face(bleed=0), CIRCLE, 1.0, line=False).bleed == 0


def test_all_else_of_a_face_stays():
    frame, stamp = TextFrame(1, 1, 5, 5, 8, "rule", "text", ("text",)), StampPlace(5, 5)
    given = Drawing(20, 20, 1, (), "en", "title", "what it shows", (stamp,), (frame,))
    drawing = cut_face(given, "", 1.0)
    assert (drawing.width, drawing.height, drawing.lang, drawing.title) == (20, 20, "en", "title")
    assert (drawing.description, drawing.stamps, drawing.frames) == ("what it shows", (stamp,), (frame,))


def test_a_straight_piece_is_told_by_its_cut_line():
    """A rectangle without folds can share its cut lines; a round one, a leaf and a net cannot."""
    square = cut_face(face(), "", 1.0)
    assert is_cut_straight(square)
    assert is_cut_straight(face())
    assert find_cut_line(square) == "M 0 0 L 20 0 L 20 20 L 0 20 Z"
    assert not is_cut_straight(cut_face(face(), CIRCLE, 1.0))
    assert not is_cut_straight(cut_face(face(), make_hexagon_path(Rect(0, 0, 20, 20 * TALL)), 1.0))
    fold = Shape("M 0 10 L 20 10", stroke="ink", dash=(1.0, 1.0), role="fold")
    assert not is_cut_straight(Drawing(20, 20, 1, (*square.items, fold)))


def test_an_outline_is_seen_on_both_faces():
    leaf = token("leaf", 20, 20, "rectangle", outline=LEAF, back="red")
    assert leaf.back is not None
    assert find_face_outline(leaf, leaf.front) == LEAF
    assert find_face_outline(leaf, leaf.back) == "M 20 10 L 10 0 L 0 0 L 0 10 L 10 20 L 20 20 Z"
    square = token("square", 20, 20, back="red")
    assert find_face_outline(square, square.front) == ""
