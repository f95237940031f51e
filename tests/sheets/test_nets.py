"""Nets fold up: the cube closes, its pictures stand upright, the pawn's sides meet; checked by folding them in space."""

from itertools import combinations, pairwise
from math import dist

import pytest
from folding_cases import Space, turned
from hypothesis import given
from hypothesis import strategies as st

from generator.base.geometry import Point, Rect, map_point
from generator.base.outlines import Loop, is_point_inside, split_subpaths
from generator.game.model import CUBE_FACES, FaceName
from generator.sheets.nets import Net, make_cube_net, make_standee_net, measure_flap

edges = st.floats(5, 120).map(lambda edge: round(edge, 3))

UP: Space = (0, -1, 0)
BEHIND: Space = (0, 0, 1)
BEFORE: Space = (0, 0, -1)
OUTWARD: dict[FaceName, Space] = {"front": BEFORE, "back": BEHIND, "left": (-1, 0, 0), "right": (1, 0, 0), "top": UP, "bottom": (0, 1, 0)}  # fmt: skip
"""Which way each side of a cube looks."""
UPWARD: dict[FaceName, Space] = {**dict.fromkeys(("front", "back", "left", "right"), UP), "top": BEHIND, "bottom": BEFORE}  # fmt: skip
"""Where a picture's head points: turned about its upright axis every wall reads upright, tipped over so do the lids."""


def polygon(path: str) -> list[Point]:
    (only,) = split_subpaths(path)
    assert only.closed
    return [only.start, *(segment[-1] for segment in only.segments)]


def box(x: float, y: float, width: float, height: float) -> list[Point]:
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def face_corners(net: Net, face: FaceName, size: tuple[float, float]) -> list[Point]:
    """Where the face's corners lie in the net: its own top left first, clockwise."""
    return [map_point(net.faces[face], corner) for corner in box(0, 0, *size)]


def flat(point: Point) -> Space:
    return point[0], point[1], 0.0


def near(a: Space | Point, b: Space | Point, slack: float = 0.003) -> bool:
    """Whether two points are one, but for the rounding of paths."""
    return dist(a, b) < slack


class FoldedCube:
    """A cube's net folded by its own fold lines: every part hangs on the part with which it shares one."""

    def __init__(self, edge: float):
        self.edge, self.net = edge, make_cube_net(edge)
        self.faces = {face: face_corners(self.net, face, (edge, edge)) for face in self.net.faces}
        self.flaps = [polygon(path) for path in self.net.glue]
        parts: list[list[Point]] = [*self.faces.values(), *self.flaps]
        self.in_space: dict[int, list[Space]] = {}
        self._unfold(parts, list(self.faces).index("front"), [])
        assert len(self.in_space) == len(parts), "every part hangs together with the front"

    def _unfold(self, parts: list[list[Point]], at: int, turns: list[tuple[Space, Space, int]]) -> None:
        points = [flat(point) for point in parts[at]]
        for a, b, sign in reversed(turns):
            points = [turned(point, a, b, sign) for point in points]
        self.in_space[at] = points
        for a, b in self.net.folds:
            for other, part in enumerate(parts):
                if other not in self.in_space and _has_side(parts[at], a, b) and _has_side(part, a, b):
                    self._unfold(parts, other, [*turns, _backwards(flat(a), flat(b), part)])

    def side(self, face: FaceName) -> list[Space]:
        return self.in_space[list(self.faces).index(face)]

    def flap(self, number: int) -> list[Space]:
        return self.in_space[len(self.faces) + number]


def _has_side(part: list[Point], a: Point, b: Point) -> bool:
    sides = pairwise([*part, part[0]])
    return any((near(p, a) and near(q, b)) or (near(p, b) and near(q, a)) for p, q in sides)


def _backwards(a: Space, b: Space, part: list[Point]) -> tuple[Space, Space, int]:
    """The quarter turn about a fold that takes the part behind the paper's plane."""
    middle = sum(x for x, _ in part) / len(part), sum(y for _, y in part) / len(part), 0.0
    return a, b, 1 if turned(middle, a, b, 1)[2] > 0 else -1


def difference(a: Space, b: Space, edge: float) -> Space:
    x, y, z = (round((q - p) / edge, 2) for p, q in zip(a, b, strict=True))
    return x, y, z


def middle(points: list[Space]) -> Space:
    x, y, z = (sum(axis) / len(points) for axis in zip(*points, strict=True))
    return x, y, z


@given(edges)
def test_six_squares_become_a_cube(edge: float) -> None:
    """Folded backwards, each face lies where its name says, its picture's head where a player wants it, not mirrored."""
    cube = FoldedCube(edge)
    assert set(cube.faces) == set(CUBE_FACES)
    x, y, _ = middle([flat(corner) for corner in cube.faces["front"]])
    heart = (x, y, edge / 2)
    for face in CUBE_FACES:
        corners = cube.side(face)
        out = difference(heart, middle(corners), edge)
        assert out == pytest.approx([half / 2 for half in OUTWARD[face]], abs=0.01), face
        assert difference(corners[3], corners[0], edge) == pytest.approx(UPWARD[face], abs=0.01), face
        right, up = difference(corners[0], corners[1], edge), UPWARD[face]
        # Seen from outside with its head up, a picture's right-hand side is up x outward in these axes.
        o = OUTWARD[face]
        want = (up[1] * o[2] - up[2] * o[1], up[2] * o[0] - up[0] * o[2], up[0] * o[1] - up[1] * o[0])
        assert right == pytest.approx(want, abs=0.01), face


@given(edges)
def test_free_edges_meet_in_pairs_with_one_flap_each(edge: float) -> None:
    cube = FoldedCube(edge)
    free: list[tuple[FaceName, Space, Space, bool]] = []
    bases = [(flap[0], flap[3]) for flap in cube.flaps]
    for face, corners in cube.faces.items():
        shared = [other for name, other in cube.faces.items() if name != face]
        for at, (a, b) in enumerate(pairwise([*corners, corners[0]])):
            if not any(_has_side(other, a, b) for other in shared):
                flapped = sum(_has_side([a, b], *base) for base in bases)
                assert flapped <= 1
                space = cube.side(face)
                free.append((face, space[at], space[(at + 1) % 4], bool(flapped)))
    assert len(free) == 14
    for face, a, b, flapped in free:
        pairs = [
            (other, has)
            for other, c, d, has in free
            if other != face and ((near(a, c) and near(b, d)) or (near(a, d) and near(b, c)))
        ]
        assert len(pairs) == 1, (face, "each free edge meets just one other")
        assert pairs[0][1] != flapped, (face, pairs[0][0], "one flap for two edges")


def under(cube: FoldedCube, number: int) -> tuple[FaceName, list[Point]]:
    """The face behind which a flap lies, and the flap's corners in that face's own coordinates."""
    points = cube.flap(number)
    for face in CUBE_FACES:
        origin, right, _, below = cube.side(face)
        axes = [difference(origin, corner, cube.edge) for corner in (right, below)]
        depth = [
            sum(p * q for p, q in zip(OUTWARD[face], difference(origin, point, 1), strict=True)) for point in points
        ]
        if max(map(abs, depth)) < 0.02:
            ways = [difference(origin, point, 1) for point in points]
            return face, [(_dot(way, axes[0]), _dot(way, axes[1])) for way in ways]
    raise AssertionError(f"flap {number} lies behind no face")


def _dot(a: Space, b: Space) -> float:
    return sum(p * q for p, q in zip(a, b, strict=True))


def apart(one: list[Point], other: list[Point]) -> bool:
    """Whether two convex polygons share no area: a line along a side of one of them has them on its two sides."""
    for shape in (one, other):
        for (x0, y0), (x1, y1) in pairwise([*shape, shape[0]]):
            nx, ny = y1 - y0, x0 - x1
            ends = [[(x - x0) * nx + (y - y0) * ny for x, y in points] for points in (one, other)]
            slack = 0.02 * dist((x0, y0), (x1, y1))
            if max(ends[0]) <= min(ends[1]) + slack or max(ends[1]) <= min(ends[0]) + slack:
                return True
    return False


@given(edges)
def test_flaps_overlap_nothing_flat_or_folded(edge: float) -> None:
    """In the net no part covers another; folded, each flap lies within the face it is glued to, clear of other flaps."""
    cube = FoldedCube(edge)
    for one, other in combinations([*cube.faces.values(), *cube.flaps], 2):
        assert apart(one, other)
    lying: dict[FaceName, list[list[Point]]] = {}
    for number in range(len(cube.flaps)):
        face, flap = under(cube, number)
        assert all(-0.02 <= value <= edge + 0.02 for point in flap for value in point)
        lying.setdefault(face, []).append(flap)
    for flaps in lying.values():
        for one, other in combinations(flaps, 2):
            assert apart(one, other)


@given(edges)
def test_flaps_are_for_fingers(edge: float) -> None:
    """A flap is four tenths of the edge deep, 4 mm at least from 9 mm on, and its free end half of the edge or more."""
    depth = measure_flap(edge)
    if 10 <= edge <= 25:
        assert depth == pytest.approx(0.4 * edge)
    assert depth >= 4 or edge < 9
    for path in make_cube_net(edge).glue:
        base, near_end, far_end, _ = polygon(path)
        assert dist(near_end, far_end) >= 0.45 * edge
        assert dist(base, near_end) >= depth


def crossings(points: list[Point]) -> list[tuple[int, int]]:
    """Which sides of a closed outline cross or touch where they should not."""
    sides = list(pairwise([*points, points[0]]))
    found = []
    for (i, one), (j, other) in combinations(enumerate(sides), 2):
        if j - i in (1, len(sides) - 1):
            continue
        if _meet(*one, *other):
            found.append((i, j))
    return found


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    def turn(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    slack = 1e-6
    return (
        turn(a, b, c) * turn(a, b, d) <= slack
        and turn(c, d, a) * turn(c, d, b) <= slack
        and not (
            max(a[0], b[0]) < min(c[0], d[0]) - slack
            or max(c[0], d[0]) < min(a[0], b[0]) - slack
            or max(a[1], b[1]) < min(c[1], d[1]) - slack
            or max(c[1], d[1]) < min(a[1], b[1]) - slack
        )
    )


sizes = st.tuples(*[st.floats(8, 90).map(lambda side: round(side, 3))] * 2, st.floats(3, 40).map(lambda f: round(f, 3)))


@given(edges, sizes)
def test_one_cut_goes_round_everything(edge: float, size: tuple[float, float, float]) -> None:
    """The outline is one closed line that does not cross itself, fills the net's box and holds all faces and flaps."""
    width, height, _ = size
    for net, face_size in ((make_cube_net(edge), (edge, edge)), (make_standee_net(*size), (width, height))):
        points = polygon(net.outline)
        assert crossings(points) == []
        xs, ys = [x for x, _ in points], [y for _, y in points]
        assert (min(xs), min(ys)) == (0, 0)
        assert (max(xs), max(ys)) == pytest.approx((net.width, net.height), abs=0.001)
        loop = (Loop(tuple(points), closed=True),)
        for part in [*(face_corners(net, face, face_size) for face in net.faces), *map(polygon, net.glue)]:
            x, y = sum(x for x, _ in part) / len(part), sum(y for _, y in part) / len(part)
            for corner in part:  # drawn in a little: what touches the outline is inside
                assert is_point_inside(loop, corner[0] + (x - corner[0]) * 0.01, corner[1] + (y - corner[1]) * 0.01)


@given(edges, sizes)
def test_bleed_stays_off_other_faces(edge: float, size: tuple[float, float, float]) -> None:
    width, height, _ = size
    for net, face_size in ((make_cube_net(edge), (edge, edge)), (make_standee_net(*size), (width, height))):
        assert set(net.clips) == set(net.faces)
        shown = {}
        for face, clip in net.clips.items():
            whole = Rect(0, 0, *face_size)
            assert clip.contains(whole)
            assert whole.grow(1).contains(clip)
            surrounded = len(net.faces) == 6 and face == "front"
            assert (clip == whole) == surrounded, "a cube's front alone has neighbours on all sides"
            shown[face] = [
                map_point(net.faces[face], corner) for corner in box(clip.x, clip.y, clip.width, clip.height)
            ]
        for face, other in [(a, b) for a in net.faces for b in net.faces if a != b]:
            assert apart(shown[face], face_corners(net, other, face_size))


@given(sizes)
def test_a_standee_stands(size: tuple[float, float, float]) -> None:
    """Folded at the head, the faces lie back to back with their heads at the fold; equal feet at their foot ends."""
    width, height, foot = size
    net = make_standee_net(*size)
    front, back = (face_corners(net, face, (width, height)) for face in ("front", "back"))
    levels = sorted({a[1] for a, b in net.folds})
    assert all(a[1] == b[1] and {a[0], b[0]} == {0, width} for a, b in net.folds)
    assert len(levels) == 3
    head = levels[1]
    assert [corner[1] for corner in (*front[:2], *back[:2])] == pytest.approx([head] * 4)
    # Turned over about the head, the back's picture is seen upright and not mirrored from behind.
    behind = [(x, 2 * head - y) for x, y in back]
    assert behind == [pytest.approx(corner) for corner in (front[1], front[0], front[3], front[2])]
    # The front stands upright above its foot, the other foot is as long and at the other end.
    assert [corner[1] for corner in (*front[2:], *back[2:])] == pytest.approx([levels[2]] * 2 + [levels[0]] * 2)
    assert levels[0] == pytest.approx(foot)
    assert net.height - levels[2] == pytest.approx(foot)
    feet = sorted(polygon(path) for path in net.glue)
    assert [sorted({y for _, y in part}) for part in feet] == [pytest.approx([0, levels[0]], abs=0.001), pytest.approx([levels[2], net.height], abs=0.001)]  # fmt: skip
