"""The net of a tuck box, folded in space: its walls meet, its cards fit, its flaps lie where they should and clear."""

import math

import pytest
from folding_cases import Point, Space, apart, folded, near
from hypothesis import assume, given
from hypothesis import strategies as st

from generator.base.geometry import Rect, Size, map_point
from generator.base.outlines import flatten_path, is_point_inside, split_subpaths
from generator.game.piece_outlines import measure_double_area
from generator.production.box_net import ART_OVERLAP, BOX_CLEARANCE, BoxedDeck, TuckBox, fit_tuck_box

SLACK = 0.35
"""Lid and floor are 0.3 mm narrower at each side than the walls between which they come."""


@st.composite
def decks(draw: st.DrawFn) -> BoxedDeck:
    """Any deck that somebody may have, sleeved or not, of any stock."""
    card = Size(draw(st.floats(30, 120)), draw(st.floats(40, 150)))
    sleeve = draw(st.sampled_from([0.0, 0.05, 0.12]))
    return BoxedDeck(card, draw(st.integers(1, 200)), draw(st.floats(0.08, 0.6)), sleeve)


def polygon(path: str) -> list[Point]:
    (only,) = split_subpaths(path)
    return [only.start, *(segment[-1] for segment in only.segments)]


def parts_of(box: TuckBox) -> dict[str, list[Point]]:
    """Every part of the net as a polygon: walls from where their pictures lie, flaps from what is left of the outline."""
    net = box.build_net()
    parts = {}
    for face, matrix in net.faces.items():
        size = box.face_size(face)
        corners = [(0.0, 0.0), (size.width, 0.0), (size.width, size.height), (0.0, size.height)]
        parts[str(face)] = [map_point(matrix, corner) for corner in corners]
    side, foot = map(polygon, net.glue)
    parts |= {"glue": side, "foot": foot}
    w, d, lid = box.width, box.depth, box.tuck + box.depth
    floor = lid + box.height
    points = flatten_path(net.outline, 0.01)[0].points
    for name, x, y, way in (
        ("dust right above", w, lid, -1),
        ("dust left above", 2 * w + d, lid, -1),
        ("dust right below", w, floor, 1),
        ("dust left below", 2 * w + d, floor, 1),
    ):
        own = [p for p in points if x + 0.1 <= p[0] <= x + d - 0.1 and (p[1] - y) * way >= -0.01]
        parts[name] = _around(own)
    lid_left, lid_right = w + d + 0.5, 2 * w + d - 0.5
    parts["tuck"] = _around([p for p in points if p[1] <= box.tuck + 0.01 and lid_left < p[0] < lid_right])
    return parts


def _around(points: list[Point]) -> list[Point]:
    """The corners of a convex part in order around its middle."""
    x, y = sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)
    return sorted(set(points), key=lambda p: math.atan2(p[1] - y, p[0] - x))


def shut(box: TuckBox) -> dict[str, list[Space]]:
    """All parts of the box when it is closed; the back lies at z = 0, the front at z = depth."""
    made = folded(parts_of(box), box.build_net().folds, "back")
    assert set(made) == set(parts_of(box)), "every part hangs together with the back"
    return made


def box_around(points: list[Space]) -> tuple[Space, Space]:
    low, high = (tuple(pick(p[axis] for p in points) for axis in range(3)) for pick in (min, max))
    return low, high  # type: ignore[return-value]


@given(decks(), st.floats(0.08, 0.6))
def test_walls_meet(deck: BoxedDeck, board: float) -> None:
    """The front comes to lie before the back, the side's free edge at the front's, lid and floor at its ends."""
    box = fit_tuck_box(deck, board)
    made = shut(box)
    x = box.width + box.depth  # the back's left edge in the net, seen from outside: the box's right wall hangs there
    top, foot = box.tuck + box.depth, box.tuck + box.depth + box.height
    low, high = box_around(made["front"])
    assert near(low, (x, top, box.depth), 0.02) and near(high, (x + box.width, foot, box.depth), 0.02)
    # The corner of the front that is free in the net, and where the glue flap's fold lies.
    assert near(made["front"][0], made["left"][1], 0.02) and near(made["front"][3], made["left"][2], 0.02)
    for wall, level in (("top", top), ("bottom", foot)):
        low, high = box_around(made[wall])
        assert near(low, (x, level, 0), SLACK) and near(high, (x + box.width, level, box.depth), SLACK), wall


@given(decks(), st.floats(0.08, 0.6))
def test_the_deck_fits_with_play(deck: BoxedDeck, board: float) -> None:
    """Between the walls, less the paper's own layers, there is the deck and the play, and hardly more."""
    box = fit_tuck_box(deck, board)
    made = shut(box)
    lows, highs = zip(*(box_around(made[wall]) for wall in ("front", "back")), strict=True)
    room = [max(high[axis] for high in highs) - min(low[axis] for low in lows) for axis in range(3)]
    # Half a thickness at each wall; dust flaps above and below; two flaps behind the front.
    inner = (room[0] - board, room[1] - 3 * board, room[2] - 3 * board)
    wanted = (deck.size.width, deck.size.height, deck.thickness)
    for measure, want, play in zip(inner, wanted, BOX_CLEARANCE, strict=True):
        assert measure >= want + play - 0.001
    assert inner[0] <= wanted[0] + BOX_CLEARANCE[0] + 0.11 and inner[1] <= wanted[1] + BOX_CLEARANCE[1] + 0.11
    assert inner[2] <= max(6.0, wanted[2] + BOX_CLEARANCE[2] + 0.11)
    assert box.inner_size == pytest.approx(inner, abs=0.001)


def test_sleeves_need_more_room() -> None:
    """Sleeved cards are 3 mm wider and higher, and each as much thicker as two films."""
    bare, sleeved = (fit_tuck_box(BoxedDeck(Size(63, 88), 50, 0.3, film), 0.3) for film in (0.0, 0.1))
    assert sleeved.width == pytest.approx(bare.width + 3) and sleeved.height == pytest.approx(bare.height + 3)
    assert sleeved.depth == pytest.approx(bare.depth + 50 * 0.2, abs=0.11)


def on_front(made: dict[str, list[Space]], name: str, box: TuckBox) -> list[Point]:
    """A flap that lies behind the front, seen from there."""
    assert all(abs(z - box.depth) < 0.02 for _, _, z in made[name]), name
    return [(x, y) for x, y, _ in made[name]]


@given(decks(), st.floats(0.08, 0.6))
def test_flaps_lie_behind_their_walls_and_clear_of_each_other(deck: BoxedDeck, board: float) -> None:
    """Glued flaps never overlap, the lid's flap passes the floor's, dust flaps don't meet, nothing sticks out."""
    box = fit_tuck_box(deck, board)
    made = shut(box)
    low, high = box_around(made["front"])
    glue, foot, tuck = (on_front(made, name, box) for name in ("glue", "foot", "tuck"))
    for flap in (glue, foot, tuck):
        assert all(low[0] - 0.02 <= x <= high[0] + 0.02 and low[1] - 0.02 <= y <= high[1] + 0.02 for x, y in flap)
    assert apart(glue, foot) and apart(tuck, foot)
    for level in ("above", "below"):
        pair = [[(x, z) for x, _, z in made[f"dust {side} {level}"]] for side in ("right", "left")]
        assert apart(*pair)
        assert all(
            low[0] - 0.02 <= x <= high[0] + 0.02 and -0.02 <= z <= box.depth + 0.02 for flap in pair for x, z in flap
        )


@given(decks(), st.floats(0.08, 0.6))
def test_the_outline_is_all_parts_and_no_more(deck: BoxedDeck, board: float) -> None:
    """What is cut out has the area of its parts less the thumb's notch; parts don't overlap in the flat net."""
    box = fit_tuck_box(deck, board)
    (loop,) = flatten_path(box.build_net().outline, 0.005)
    parts = parts_of(box)
    whole = sum(abs(measure_double_area(tuple(points))) / 2 for points in parts.values())
    notch = math.pi * box.notch**2 / 2
    assert abs(measure_double_area(loop.points)) / 2 == pytest.approx(whole - notch, rel=0.002)
    names = sorted(parts)
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            assert apart(parts[one], parts[other], 0.02), (one, other)


@given(decks(), st.floats(0.08, 0.6))
def test_art_reaches_beyond_cuts_and_never_onto_another_wall(deck: BoxedDeck, board: float) -> None:
    """Each picture covers its wall; over cuts and flaps it goes on for 2 mm, over a fold to another picture it stops."""
    box = fit_tuck_box(deck, board)
    net = box.build_net()
    walls = {face: _net_box(net.faces[face], Rect(0, 0, *_sides(box, face))) for face in net.faces}
    shown = {face: _net_box(net.faces[face], net.clips[face]) for face in net.faces}
    for face, wall in walls.items():
        assert shown[face].contains(wall, 0.001), face
        need = box.face_bleed(face)
        clip = net.clips[face]
        assert clip.x >= -need and clip.y >= -need, "the template draws as far as that"
        assert clip.right <= wall.width + need + 0.001 and clip.bottom <= wall.height + need + 0.001
        for other, second in walls.items():
            if other != face and {face, other} not in ({"top", "front"}, {"bottom", "front"}):
                # Beside lid and floor there are 0.3 mm of air; nothing else may lap over.
                assert not shown[face].overlaps(second, 0.31), (face, other)
    front = shown["front"]
    assert (front.x, front.y) == pytest.approx((-ART_OVERLAP, box.tuck + box.depth - ART_OVERLAP))
    tip = shown["top"]
    assert tip.y == pytest.approx(-ART_OVERLAP), "the lid's flap is covered to beyond its end"
    foot = polygon(net.glue[1])
    assert shown["bottom"].bottom == pytest.approx(min(y for _, y in foot) + ART_OVERLAP)


def _sides(box: TuckBox, face: str) -> tuple[float, float]:
    size = box.face_size(face)  # type: ignore[arg-type]
    return size.width, size.height


def _net_box(matrix: tuple[float, ...], box: Rect) -> Rect:
    corners = [map_point(matrix, p) for p in ((box.x, box.y), (box.right, box.bottom))]  # type: ignore[arg-type]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


@given(decks())
def test_a_thumb_finds_the_notch(deck: BoxedDeck) -> None:
    """In the middle of the front's upper edge a half disc is cut away, and only there."""
    box = fit_tuck_box(deck, 0.3)
    loops = flatten_path(box.build_net().outline, 0.005)
    top, middle = box.tuck + box.depth, box.width / 2
    assert not is_point_inside(loops, middle, top + 0.95 * box.notch)
    assert is_point_inside(loops, middle, top + 1.05 * box.notch)
    assert is_point_inside(loops, middle - 1.05 * box.notch, top + 0.05) and is_point_inside(
        loops, middle + 1.05 * box.notch, top + 0.05
    )


def test_no_box_for_nothing() -> None:
    """A deck of no cards is refused."""
    with pytest.raises(ValueError, match="at least one card"):
        fit_tuck_box(BoxedDeck(Size(63, 88), 0, 0.3), 0.3)


@given(decks())
def test_folds_are_crossed_by_no_cut(deck: BoxedDeck) -> None:
    """Each fold runs inside the outline from edge to edge."""
    box = fit_tuck_box(deck, 0.3)
    assume(box.depth > 1)
    loops = flatten_path(box.build_net().outline, 0.005)
    for (x0, y0), (x1, y1) in box.build_net().folds:
        for step in range(1, 20):
            x, y = x0 + (x1 - x0) * step / 20, y0 + (y1 - y0) * step / 20
            assert is_point_inside(loops, x + 1e-4, y + 1e-4) or is_point_inside(loops, x - 1e-4, y - 1e-4)
