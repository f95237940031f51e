"""Tokens of all shapes and random prints of them, for the tests of packing; measures outlines by means of its own."""

import math

from hypothesis import strategies as st
from sheet_cases import lay, margins

from generator.base.display_list import Drawing, Shape
from generator.base.geometry import Rect, Size
from generator.base.outlines import rectangle_path
from generator.game.piece_outlines import outline_from_shape
from generator.game.print_pages import Page, Piece, Placement
from generator.sheets.page_marks import cut_face, mirror_back_outline
from generator.sheets.place_pieces import DoesNotFit
from generator.sheets.settings import SheetSettings

TALL = 2 / math.sqrt(3)
"""How much higher than wide a hexagon is."""

LEAF = "M 0 10 L 10 0 L 20 0 L 20 10 L 10 20 L 0 20 Z"


def token(
    name: str,
    width: float,
    height: float,
    shape: str = "square",
    *,
    bleed: float = 1.5,
    back: str | None = None,
    outline: str = "",
    reach: float = 1.0,
) -> Piece:
    """A token as the maker of pieces makes it: cut out with at most 1 mm beyond, its line on the front only."""
    where = outline or outline_from_shape(shape, Size(width, height))  # type: ignore[arg-type]
    ground = Shape(rectangle_path(Rect(0, 0, width, height).grow(bleed)), fill="#8a6a3a")
    front = cut_face(Drawing(width, height, bleed, (ground,), title=name), where, min(bleed, reach))
    behind = None
    if back is not None:
        face = Drawing(width, height, bleed, (ground,), title=back)
        behind = cut_face(face, mirror_back_outline(where, width), min(bleed, reach), line=False)
    return Piece(name, front, behind, lie="packed", shape=shape)  # type: ignore[arg-type]


def tokens(kind: str, number: int, width: float, height: float, shape: str = "square", **more: object) -> list[Piece]:
    return [token(f"{kind}#{n}", width, height, shape, **more) for n in range(1, number + 1)]  # type: ignore[arg-type]


class Packed:
    """Lots of equal tokens, settings and the pages that came of them; shows only the first two where a test fails."""

    def __init__(self, lots: list[list[Piece]], settings: SheetSettings, pages: tuple[Page, ...]):
        self.lots, self.settings, self.pages = lots, settings, pages

    def __repr__(self) -> str:
        told = [
            (len(lot), lot[0].shape, lot[0].front.width, lot[0].front.height, lot[0].front.bleed) for lot in self.lots
        ]
        return f"Packed({told}, backs {[lot[0].back is not None for lot in self.lots]}, {self.settings})"

    @property
    def pieces(self) -> dict[str, Piece]:
        return {piece.id: piece for lot in self.lots for piece in lot}

    @property
    def fronts(self) -> list[Page]:
        return [page for page in self.pages if page.side == "front"]


def front_placements(page: Page) -> list[Placement]:
    """The fronts on a page, without the backs beside them on a fold sheet."""
    return [placement for placement in page.placements if placement.drawing.title == placement.id]


@st.composite
def lots(draw: st.DrawFn) -> list[list[Piece]]:
    """One to five lots of up to 30 equal tokens."""
    found = []
    for n in range(draw(st.integers(1, 5))):
        shape = draw(st.sampled_from(["square", "rectangle", "round", "hexagon", "flat-hexagon", "leaf", "ellipse"]))
        width = draw(st.integers(16, 120)) / 2
        heights = {"square": width, "round": width, "hexagon": width * TALL, "flat-hexagon": width / TALL}
        height = heights.get(shape, draw(st.integers(16, 120)) / 2)
        outline = ""
        if shape == "leaf":
            width = height = 20.0
            shape, outline = "rectangle", LEAF
        back = draw(st.sampled_from([None, "red", "blue"]))
        bleed = draw(st.sampled_from([0.0, 1.0, 1.5]))
        shape = "round" if shape == "ellipse" else shape
        number = draw(st.integers(1, 30))
        found.append(tokens(f"k{n}", number, width, height, shape, bleed=bleed, back=back, outline=outline))
    return found


@st.composite
def packed(draw: st.DrawFn, backs: tuple[str, ...] = ("none", "separate", "long", "short", "fold")) -> Packed:
    """Random tokens packed on random paper; where some don't fit, small ones."""
    settings = SheetSettings(
        Size(draw(st.floats(180, 430)), draw(st.floats(180, 430))),
        "test paper",
        margin=draw(margins()),
        gap=draw(st.sampled_from([0.0, 0.0, 1.0, 3.0, 6.0])),
        backs=draw(st.sampled_from(backs)),  # type: ignore[arg-type]
    )
    several = draw(lots())
    try:
        pages = lay([piece for lot in several for piece in lot], settings)
    except DoesNotFit:
        several = [tokens("k", 12, 12, 12, "square", back="red")]
        pages = lay(several[0], settings)
    return Packed(several, settings, pages)


def polygon(piece: Piece, trim: Rect, turn: int = 0) -> list[tuple[float, float]]:
    """The corners of a piece's outline on the page; 64 points on the curve for a round one."""
    width, height = piece.front.width, piece.front.height
    if piece.shape == "round":
        angles = [2 * math.pi * n / 64 for n in range(64)]
        points = [(width / 2 * (1 + math.cos(a)), height / 2 * (1 + math.sin(a))) for a in angles]
    elif piece.shape == "hexagon":
        points = [(width / 2, 0), (width, height / 4), (width, height * 3 / 4)]
        points += [(width - x, height - y) for x, y in points]
    elif piece.shape == "flat-hexagon":
        points = [(width / 4, 0), (width * 3 / 4, 0), (width, height / 2)]
        points += [(width - x, height - y) for x, y in points]
    elif piece.front.items[-1].path.count("L") == 5:  # type: ignore[union-attr]
        points = [(10, 0), (20, 0), (20, 10), (10, 20), (0, 20), (0, 10)]
    else:
        points = [(0, 0), (width, 0), (width, height), (0, height)]
    if turn == 90:
        points = [(height - y, x) for x, y in points]
    return [(trim.x + x, trim.y + y) for x, y in points]


def apart(one: list[tuple[float, float]], other: list[tuple[float, float]]) -> float:
    """How far two convex polygons are from each other; negative where they overlap (the least way to part them)."""
    best = -math.inf
    for first, second in ((one, other), (other, one)):
        turning = 1 if _area(first) > 0 else -1
        for (x0, y0), (x1, y1) in zip(first, [*first[1:], first[0]], strict=True):
            length = math.dist((x0, y0), (x1, y1))
            normal = turning * (y1 - y0) / length, turning * (x0 - x1) / length
            best = max(best, min((x - x0) * normal[0] + (y - y0) * normal[1] for x, y in second))
    if best <= 0:
        return best
    return min(
        _to_side(p, a, b)
        for first, second in ((one, other), (other, one))
        for p in first
        for a, b in zip(second, [*second[1:], second[0]], strict=True)
    )


def _area(points: list[tuple[float, float]]) -> float:
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, [*points[1:], points[0]], strict=True))


def _to_side(p: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = min(1.0, max(0.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)))
    return math.dist(p, (a[0] + t * dx, a[1] + t * dy))
