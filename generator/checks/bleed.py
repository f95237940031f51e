"""Whether colour that touches the cut goes on beyond it, so that a cut a little aside shows no white edge."""

import math
from collections.abc import Iterable, Iterator

from generator.checks.context import PAPER, Context, Face, pictures, srgb
from generator.checks.layers import Ground, Layers
from generator.checks.record import Check, first_entries
from generator.checks.seen import Seen, leaves_of
from generator.model import outline
from generator.model.drawing import Drawing, Gradient, Picture, Shape
from generator.model.game import Game
from generator.model.geometry import Matrix
from generator.units import Rect

_STEP = 1.0
"""How far apart the spots along an edge lie, mm."""

_NEAR = 0.15
"""How far inside the cut colour counts as touching it, mm: nobody cuts more exactly."""

_EDGE = 0.05
"""How much short of its end colour is looked for, mm, so that rounding at the very end doesn't matter."""

_INSIDE = 1e-6
"""How far inside its edges a rectangle surely covers a spot, mm."""


def bleeds(game: Game, context: Context) -> Iterator[Check]:
    """One check for each kind with bleed: wherever ground, art or frame touches the cut, it reaches the bleed's end.

    Looked at every mm along each side. An outline that crosses the cut may slant by up to 45 degrees. White is paper:
    a face without a ground at an edge needs no bleed there.
    """
    for kind in game.kinds.values():
        if not kind.bleed:
            continue
        lacking: list[tuple[Face, str]] = []
        touched = looked = 0
        edges: dict[tuple[Seen, ...], _Edge] = {}
        for face in pictures(game, kind, context):
            looked += 1
            along = _along_cut(face.drawing, leaves_of(face.drawing, context))
            edge = edges.get(along)
            if edge is None:
                edge = edges[along] = _Edge(game, face.drawing, along)
            touched += sum(edge.touches.values())
            lacking.extend((face, told) for told in edge.lacking())
        check, sentence = f"bleed.{kind.id}", f"{kind.id}: colour at the cut goes on for {kind.bleed:g} mm"
        if lacking:
            wrong = f"{kind.id}: colour touches the cut but doesn't go on for {kind.bleed:g} mm"
            figures = first_entries(f"{face}: {told}" for face, told in lacking)
            yield Check(check, "bleed", "fail", wrong, figures, lacking[0][0].design.place)
        else:
            figures = f"{looked} different faces, colour at {touched} mm of their edges"
            yield Check(check, "bleed", "pass" if looked else "undecided", sentence, figures, kind.place)


class _Edge:
    """What lies along the four sides of a face: `touches` counts the spots at which colour meets the cut."""

    def __init__(self, game: Game, drawing: Drawing, along: tuple[Seen, ...]):
        self._game, self._drawing = game, drawing
        self._layers = Layers(drawing, along)
        self._coloured = _coloured(game, along)
        self.touches: dict[str, int] = {}
        self._reach: dict[str, float] = {}
        for side in ("top", "right", "bottom", "left"):
            self._follow(side)

    def lacking(self) -> Iterator[str]:
        """The sides with too little, and how far the colour reaches there at worst."""
        bleed = self._drawing.bleed
        for side, reach in self._reach.items():
            if reach < bleed:
                yield f"{side} {reach:g} of {bleed:g} mm"

    def _follow(self, side: str) -> None:
        drawing = self._drawing
        along = drawing.width if side in ("top", "bottom") else drawing.height
        self.touches[side], self._reach[side] = 0, drawing.bleed
        for step in range(int(along / _STEP)):
            at = (step + 0.5) * _STEP
            if self._has_colour(side, at, -_NEAR):
                self.touches[side] += 1
                self._reach[side] = min(self._reach[side], self._bleed_width(side, at))

    def _bleed_width(self, side: str, at: float) -> float:
        """How far colour goes on beyond the cut at a spot, within half a mm; the whole bleed where it does."""
        bleed = self._drawing.bleed
        if all(self._goes_on(side, at, depth) for depth in _depths(bleed, 1.0)):
            return bleed
        reached = 0.0
        for depth in _depths(bleed, 0.5):
            if not self._goes_on(side, at, depth):
                break
            reached = depth
        return reached

    def _goes_on(self, side: str, at: float, depth: float) -> bool:
        """Whether the colour at a spot of a side is found `depth` mm beyond the cut, straight on or slanting."""
        slants = (0.0, -depth / 2, depth / 2, -depth, depth)
        return any(self._has_colour(side, at + slant, depth - _EDGE) for slant in slants)

    def _has_colour(self, side: str, at: float, out: float) -> bool:
        """Whether colour shows at `at` mm along a side, `out` mm beyond the cut."""
        drawing = self._drawing
        if side in ("top", "bottom"):
            x, y = at, -out if side == "top" else drawing.height + out
        else:
            x, y = -out if side == "left" else drawing.width + out, at
        for left, top, right, bottom in self._coloured:
            if left < x < right and top < y < bottom:
                return True
        return _is_colour(self._game, self._layers.top(x, y))


def _is_colour(game: Game, paint: Ground) -> bool:
    return isinstance(paint, (Gradient, Picture)) or srgb(game, paint) != PAPER


def _coloured(game: Game, along: tuple[Seen, ...]) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of the coloured rectangles among the leaves, none where a leaf paints paper.

    Where nothing paints paper, colour lies wherever any leaf does, whichever is on top: most faces are so made.
    """
    shapes = [one.leaf for one in along if isinstance(one.leaf, Shape)]
    if not all(_is_colour(game, paint) for leaf in shapes for paint in (leaf.fill, leaf.stroke) if paint):
        return []
    filled = [(one, one.box) for one in along if isinstance(one.leaf, Shape) and one.leaf.fill and one.box]
    return [
        (box.x + _INSIDE, box.y + _INSIDE, box.right - _INSIDE, box.bottom - _INSIDE)
        for one, box in filled
        if isinstance(one.leaf, Shape) and _is_upright(one.leaf.path, one.matrix)
        if all(_is_upright(path, matrix) for path, matrix, _ in one.clips)
    ]


def _is_upright(path: str, matrix: Matrix) -> bool:
    """Whether a path is a rectangle with level edges."""
    box = outline.bounds(path)
    return box is not None and matrix[1] == matrix[2] == 0 and path == outline.rectangle(box)


def _along_cut(drawing: Drawing, leaves: Iterable[Seen]) -> tuple[Seen, ...]:
    """The leaves that decide about a face's bleed; faces of one kind often share them."""
    middle = Rect(0, 0, drawing.width, drawing.height).grown(-2 * _NEAR)
    return tuple(one for one in leaves if _matters(one, middle))


def _matters(one: Seen, middle: Rect) -> bool:
    """Whether a leaf is coloured area that may reach the cut; most of a face's leaves lie in its middle."""
    return one.role in ("ground", "art", "frame") and one.box is not None and not middle.holds(one.box)


def _depths(bleed: float, step: float) -> Iterator[float]:
    """Every step of the way through the bleed, its end last."""
    yield from (number * step for number in range(1, math.ceil(bleed / step)))
    yield bleed
