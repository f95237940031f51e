"""Faces on nets and faces that are cut out: what shows of them, the line to cut along, what is seen from behind."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packed_cases import LEAF, TALL, token

from generator.base.display_list import Drawing, Group, Shape, StampPlace, TextFrame, walk_leaves
from generator.base.geometry import Rect, Size, map_point
from generator.base.outlines import find_bounds, rectangle_path
from generator.checks.visible_items import iter_visible_leaves
from generator.drawing.pdf.page_images import render_drawing_png
from generator.game.model import CUBE_FACES, FaceName, Form, Kind
from generator.game.piece_outlines import make_ellipse_path, make_hexagon_path
from generator.game.rich_text import Words
from generator.sheets.nets import Net, draw_net, make_cube_net, make_standee_net
from generator.sheets.page_marks import cut_face, find_cut_line, find_face_outline, is_cut_straight, mirror_back_outline
from generator.sheets.pieces import PieceMaker
from generator.text.fonts import FontBook


def face(paint: str, width: float, height: float, bleed: float = 3.0) -> Drawing:
    """A face that is one flat colour far beyond its bleed."""
    everywhere = rectangle_path(Rect(0, 0, width, height).grow(99))
    return Drawing(width, height, bleed, (Shape(path=everywhere, fill=paint),), title=paint)


def made_kind(form: Form, width: float, height: float, foot: float = 0.0) -> Kind:
    return Kind("k", Words({"en": "K"}), Size(width, height), (), form=form, foot=foot)


def painted(drawing: Drawing) -> dict[str, Rect]:
    """What may show of each flat colour, in the net's coordinates."""
    shown = {}
    for one in iter_visible_leaves(drawing):
        if isinstance(one.leaf, Shape) and one.leaf.role == "art":
            ((path, matrix, _),) = one.clips
            box = find_bounds(path, matrix)
            assert box is not None
            shown[str(one.leaf.fill)] = box
    return shown


def corners(box: Rect) -> list[tuple[float, float]]:
    return [(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]


def home(net: Net, name: FaceName, width: float, height: float) -> Rect:
    points = [map_point(net.faces[name], corner) for corner in corners(Rect(0, 0, width, height))]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


bleeds = st.sampled_from([0.0, 0.4, 1.0, 3.0])


@given(st.floats(5, 60).map(lambda edge: round(edge, 3)), bleeds)
def test_art_crosses_no_fold(edge: float, bleed: float) -> None:
    """Each face shows all of itself, up to a millimetre of its bleed over cuts and flaps, and nothing on another face."""
    standee = make_standee_net(edge, edge * 2, edge / 2)
    for net, width, height in ((make_cube_net(edge), edge, edge), (standee, edge, edge * 2)):
        drawing = draw_net(net, {name: face(name, width, height, bleed) for name in net.faces})
        assert drawing.bleed == pytest.approx(max(min(bleed, 1), 25.4 / 72))
        shown = painted(drawing)
        assert set(shown) == set(net.faces)
        reach = 0.0
        for name, box in shown.items():
            here = home(net, name, width, height)
            assert box.contains(here, 0.002)
            assert here.grow(min(bleed, 1)).contains(box, 0.002)
            reach = max(reach, here.x - box.x, box.right - here.right, here.y - box.y, box.bottom - here.bottom)
            for other in net.faces:
                assert other == name or not box.overlaps(home(net, other, width, height), 0.002)
        assert reach == pytest.approx(min(bleed, 1), abs=0.002)


def test_tint_below_lines_above() -> None:
    """Glue tint lies under the faces, folds and cut over them; the cut is solid, the folds dashed, both seen on black."""
    net = make_cube_net(12)
    drawing = draw_net(net, {name: face("#000000", 12, 12) for name in CUBE_FACES})
    shapes = [leaf for leaf, _ in walk_leaves(drawing.items) if isinstance(leaf, Shape)]
    assert [shape.role for shape in shapes] == ["glue", *["art"] * 6, "fold", "fold", "cut", "cut"]
    tint, folds, cuts = shapes[0], shapes[-4:-2], shapes[-2:]
    assert tint.path == " ".join(net.glue)
    assert isinstance(tint.fill, str)
    assert 0xD0 <= int(tint.fill[1:3], 16) < 0xFF
    assert [bool(line.dash) for line in (*folds, *cuts)] == [False, True, False, False]
    assert [line.stroke for line in (*folds, *cuts)] == ["#ffffff", "ink", "#ffffff", "ink"]
    assert {line.path.count("M") for line in folds} == {len(net.folds)}
    assert find_cut_line(drawing) == net.outline


def test_no_white_rim_stays_on_the_piece() -> None:
    net = make_standee_net(20, 30, 10)
    drawing = draw_net(net, {"front": face("#000000", 20, 30), "back": face("#000000", 20, 30)})
    casings = [item for item in drawing.items if isinstance(item, Group) and not item.id]
    assert len(casings) == 1
    assert casings[0].clip_even_odd
    assert casings[0].clip.endswith(net.outline)
    outer = find_bounds(casings[0].clip)
    assert outer is not None
    assert outer.contains(Rect(0, 0, net.width, net.height).grow(0.3))


def test_a_net_without_a_face_is_refused() -> None:
    sides = {name: face(name, 12, 12) for name in CUBE_FACES if name != "top"}
    with pytest.raises(ValueError, match="needs top"):
        draw_net(make_cube_net(12), sides)


def test_each_form_lies_in_its_way() -> None:
    """Cards and pads in rows and boards tiled, as drawn; tokens, standees and cubes packed, all paper in their drawing."""
    front, back = face("red", 20, 20), face("blue", 20, 20)
    lies: dict[Form, str] = {}
    forms: tuple[Form, ...] = ("card", "pad", "board", "token", "standee", "cube")
    for form in forms:
        sides: dict[FaceName, Drawing] = {"front": front, "back": back}
        if form == "cube":
            sides = dict.fromkeys(CUBE_FACES, front)
        piece = PieceMaker(made_kind(form, 20, 20, foot=10)).make_piece("k/a#1", sides)
        lies[form] = piece.lie
        zone = Rect(0, 0, piece.front.width, piece.front.height).grow(-piece.safe)
        assert (zone.width > 0) == (form not in ("standee", "cube")), "a net as a whole has no safe zone"
        if form in ("card", "pad", "board"):
            assert piece.front is front
            assert piece.back is back
        elif form == "token":
            assert (piece.front.width, piece.front.bleed) == (20, 1.5)
            assert piece.back is not None
        else:
            assert piece.back is None
    assert lies == {
        **dict.fromkeys(("card", "pad"), "rows"),
        "board": "tiled",
        **dict.fromkeys(("token", "standee", "cube"), "packed"),
    }
    assert (piece.front.width, piece.front.height) == (4 * 20 + 8, 3 * 20 + 2 * 8)


def test_a_pawn_without_a_back_looks_the_same_from_behind() -> None:
    making = PieceMaker(made_kind("standee", 20, 30, foot=12))
    front, back = face("red", 20, 30), face("blue", 20, 30)
    one, two = making.make_piece("k/a#1", {"front": front}), making.make_piece("k/b#1", {"front": front, "back": back})
    colours = [
        [leaf.fill for leaf, _ in walk_leaves(piece.front.items) if isinstance(leaf, Shape) and leaf.role == "art"]
        for piece in (one, two)
    ]
    assert colours == [["red", "red"], ["red", "blue"]]
    assert (one.front.width, one.front.height) == (20, 2 * (30 + 12))


@pytest.mark.parametrize("form", ["token", "standee", "cube"])
def test_the_same_faces_give_the_same_object(form: Form) -> None:
    making = PieceMaker(made_kind(form, 20, 20, foot=10))
    front, back = face("red", 20, 20), face("blue", 20, 20)
    names: tuple[FaceName, ...] = CUBE_FACES if form == "cube" else ("front", "back")
    sides: dict[FaceName, Drawing] = {name: back if name == "back" else front for name in names}
    first, copy = making.make_piece("k/a#1", sides), making.make_piece("k/b#1", dict(sides))
    other = making.make_piece("k/c#1", {**sides, "front": front._replace(title="other")})
    assert first.front is copy.front
    assert first.back is copy.back
    assert other.front is not first.front
    if form == "token":
        assert other.back is first.back


def test_a_tokens_back_is_mirrored_and_lined_only_where_it_is_cut() -> None:
    kind = replace(made_kind("token", 20, 20), outline="M 0 0 L 20 0 L 0 20 Z")
    sides: dict[FaceName, Drawing] = {"front": face("red", 20, 20), "back": face("blue", 20, 20)}
    for lined in (False, True):
        piece = PieceMaker(kind, lined).make_piece("k/a#1", sides)
        assert piece.back is not None
        assert find_cut_line(piece.front) == kind.outline
        line = find_cut_line(piece.back)
        assert bool(line) == lined
        if lined:
            words = line.replace("Z", "").replace("M", "L").split("L")
            assert {tuple(map(float, word.split())) for word in words if word.strip()} == {(20, 0), (0, 0), (20, 20)}


GREEN = "#00ff00"
U = "M 0 0 L 6 0 L 6 12 L 14 12 L 14 0 L 20 0 L 20 20 L 0 20 Z"
CIRCLE = make_ellipse_path(Rect(0, 0, 20, 20))


def face_cut(width: float = 20, height: float = 20, bleed: float = 3.0) -> Drawing:
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
    drawing = cut_face(face_cut(), outline, 1.0)
    for (x, y), colour in points.items():
        found = pixel(drawing, x, y)
        near = all(abs(a - b) < 90 for a, b in zip(found, colour, strict=True))
        assert near, ((x, y), found)


def test_the_cut_line_lies_over_the_art():
    """Art first, then a white casing and a dark solid line along the outline itself; without `line` only the art."""
    drawing = cut_face(face_cut(), CIRCLE, 1.0)
    art, casing, line = drawing.items
    assert isinstance(art, Group)
    assert art.items == face_cut().items
    assert isinstance(casing, Group)
    (light,) = casing.items
    assert [shape.role for shape in (light, line)] == ["cut", "cut"]
    assert light.path == line.path == CIRCLE
    assert light.width > line.width > 0
    assert (light.stroke, line.stroke, line.dash) == ("#ffffff", "ink", ())
    assert cut_face(face_cut(), CIRCLE, 1.0, line=False).items == (art,)


@pytest.mark.parametrize("outline", [CIRCLE, U, make_hexagon_path(Rect(0, 0, 20, 20))], ids=["circle", "u", "hexagon"])
def test_no_white_rim_stays_on_a_piece(outline):
    """Printed, the casing of the cut line is white outside of it alone: on the piece the art reaches up to the line."""
    drawing = cut_face(face_cut(), outline, 1.0)
    # Across the middle of the left edge: the dark line ends 0.044 mm inside, its casing 0.176 mm outside.
    assert pixel(drawing, 0.1, 10) == FULL
    assert min(pixel(drawing, -0.1, 10)) > 200


def test_the_line_between_dark_neighbours_can_be_found():
    light, line = (item for item in cut_face(face_cut(), "", 1.0).items if isinstance(item, Shape))
    assert (light.path, light.stroke, line.stroke) == (line.path, "#ffffff", "ink")
    assert 0.03 < (light.width - line.width) / 2 < 0.06, "mm that stay on each side of an exact cut"


def test_the_bleed_is_what_is_left_of_it():
    assert cut_face(face_cut(bleed=3), CIRCLE, 1.0).bleed == 1.0
    assert cut_face(face_cut(bleed=0.5), CIRCLE, 1.0).bleed == 0.5
    assert cut_face(face_cut(bleed=0), CIRCLE, 1.0).bleed == pytest.approx(0.176, abs=0.001)
    assert cut_face(face_cut(bleed=0), CIRCLE, 1.0, line=False).bleed == 0


def test_all_else_of_a_face_stays():
    frame, stamp = TextFrame(1, 1, 5, 5, 8, "rule", "text", ("text",)), StampPlace(5, 5)
    given = Drawing(20, 20, 1, (), "en", "title", "what it shows", (stamp,), (frame,))
    drawing = cut_face(given, "", 1.0)
    assert (drawing.width, drawing.height, drawing.lang, drawing.title) == (20, 20, "en", "title")
    assert (drawing.description, drawing.stamps, drawing.frames) == ("what it shows", (stamp,), (frame,))


def test_a_straight_piece_is_told_by_its_cut_line():
    square = cut_face(face_cut(), "", 1.0)
    assert is_cut_straight(square)
    assert is_cut_straight(face_cut())
    assert find_cut_line(square) == "M 0 0 L 20 0 L 20 20 L 0 20 Z"
    assert not is_cut_straight(cut_face(face_cut(), CIRCLE, 1.0))
    assert not is_cut_straight(cut_face(face_cut(), make_hexagon_path(Rect(0, 0, 20, 20 * TALL)), 1.0))
    fold = Shape("M 0 10 L 20 10", stroke="ink", dash=(1.0, 1.0), role="fold")
    assert not is_cut_straight(Drawing(20, 20, 1, (*square.items, fold)))


def test_an_outline_is_seen_on_both_faces():
    leaf = token("leaf", 20, 20, "rectangle", outline=LEAF, back="red")
    assert leaf.back is not None
    assert find_face_outline(leaf, leaf.front) == LEAF
    assert find_face_outline(leaf, leaf.back) == "M 20 10 L 10 0 L 0 0 L 0 10 L 10 20 L 20 20 Z"
    square = token("square", 20, 20, back="red")
    assert find_face_outline(square, square.front) == ""
