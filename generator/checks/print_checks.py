"""Print checks: bleed, contrast of text, safe zone and resolution of pictures."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path

from generator.base import outlines
from generator.base.colour import measure_contrast
from generator.base.display_list import Drawing, Gradient, Picture, Shape, TextRun
from generator.base.geometry import MM_PER_INCH, Matrix, Rect
from generator.base.picture_files import open_picture_file
from generator.checks.check_report import Check, Status, format_first_entries
from generator.checks.visible_items import (
    PAPER,
    Context,
    Face,
    FaceLayers,
    Ground,
    PaintedItem,
    find_ink_box,
    find_leaves,
    list_distinct_faces,
    paint_to_srgb,
)
from generator.drawing.svg.face_areas import measure_glyph_boxes
from generator.game.model import Game, Kind
from generator.game.piece_outlines import mirror_outline

_STEP = 1.0
"""Distance between the test spots along an edge (mm)."""

_NEAR = 0.15
"""Distance inside the cut at which colour counts as touching it (mm): the accuracy of cutting."""

_EDGE = 0.05
"""Distance from the tested spot to the outer end of the bleed (mm), to allow for rounding."""

_INSIDE = 1e-6
"""A rectangle covers all spots that are at least this far inside its edges (mm)."""


def check_face_bleed(game: Game, context: Context) -> Iterator[Check]:
    """Check for each kind with bleed that art at the cut reaches the end of the bleed.

    Each side is tested every mm. An outline that crosses the cut may slant by up to 45 degrees. White counts as bare
    paper, so a face needs no bleed at a white edge.
    """
    for kind in game.kinds.values():
        if not kind.bleed:
            continue
        lacking: list[tuple[Face, str]] = []
        touched = looked = 0
        edges: dict[tuple[PaintedItem, ...], _FaceEdges] = {}
        for face in list_distinct_faces(game, kind, context):
            looked += 1
            measure = partial(_measure_edges, game, context, face.drawing, edges)
            touches, missing = context.measure_face("bleed", tuple[int, tuple[str, ...]], face.drawing, measure)
            touched += touches
            lacking.extend((face, told) for told in missing)
        check, sentence = f"bleed.{kind.id}", f"{kind.id}: colour at the cut goes on for {kind.bleed:g} mm"
        if lacking:
            wrong = f"{kind.id}: colour touches the cut but doesn't go on for {kind.bleed:g} mm"
            figures = format_first_entries(f"{face}: {told}" for face, told in lacking)
            yield Check(check, "bleed", "fail", wrong, figures, lacking[0][0].design.place)
        else:
            figures = f"different faces: {looked}; colour meets the cut along {touched} mm"
            yield Check(check, "bleed", "pass" if looked else "undecided", sentence, figures, kind.place)


def _measure_edges(
    game: Game, context: Context, drawing: Drawing, edges: dict[tuple[PaintedItem, ...], "_FaceEdges"]
) -> tuple[int, tuple[str, ...]]:
    """Return at how many spots colour meets the cut, and a text for each side that lacks bleed.

    The areas at the cut decide about it. Faces of one kind often share them: `edges` keeps the measured ones by areas.
    """
    middle = Rect(0, 0, drawing.width, drawing.height).grow(-2 * _NEAR)
    along = tuple(
        one
        for one in find_leaves(drawing, context)
        if one.role in ("ground", "art", "frame") and one.box is not None and not middle.contains(one.box)
    )
    if along not in edges:
        edges[along] = _FaceEdges(game, drawing, along)
    return sum(edges[along].touches.values()), tuple(edges[along].list_lacking())


class _FaceEdges:
    """The four sides of a face. `touches` counts for each side the test spots at which colour meets the cut."""

    def __init__(self, game: Game, drawing: Drawing, along: tuple[PaintedItem, ...]):
        self._game, self._drawing = game, drawing
        self._layers = FaceLayers(drawing, along)
        self._coloured = _find_coloured_boxes(game, along)
        self.touches: dict[str, int] = {}
        self._reach: dict[str, float] = {}
        for side in ("top", "right", "bottom", "left"):
            length = drawing.width if side in ("top", "bottom") else drawing.height
            self.touches[side], self._reach[side] = 0, drawing.bleed
            for step in range(int(length / _STEP)):
                at = (step + 0.5) * _STEP
                if self._has_colour(side, at, -_NEAR):
                    self.touches[side] += 1
                    self._reach[side] = min(self._reach[side], self._measure_bleed(side, at))

    def list_lacking(self) -> Iterator[str]:
        """Yield a text for each side with too little bleed: the side and the least width of colour beyond the cut."""
        bleed = self._drawing.bleed
        for side, reach in self._reach.items():
            if reach < bleed:
                yield f"{side} {reach:g} of {bleed:g} mm"

    def _measure_bleed(self, side: str, at: float) -> float:
        """Return how far (mm) colour reaches past the cut, `at` mm along a side: steps of 0.5 mm, at most the bleed."""
        bleed = self._drawing.bleed
        if all(self._has_colour_beyond(side, at, depth) for depth in _iter_depths(bleed, 1.0)):
            return bleed
        reached = 0.0
        for depth in _iter_depths(bleed, 0.5):
            if not self._has_colour_beyond(side, at, depth):
                break
            reached = depth
        return reached

    def _has_colour_beyond(self, side: str, at: float, depth: float) -> bool:
        """Return True if colour is `depth` mm beyond the cut, `at` mm along a side or shifted by up to `depth` mm."""
        slants = (0.0, -depth / 2, depth / 2, -depth, depth)
        return any(self._has_colour(side, at + slant, depth - _EDGE) for slant in slants)

    def _has_colour(self, side: str, along: float, out: float) -> bool:
        """Return True if there is colour `along` mm from a side's left or top end, `out` mm beyond the cut."""
        drawing = self._drawing
        if side in ("top", "bottom"):
            x, y = along, -out if side == "top" else drawing.height + out
        else:
            x, y = -out if side == "left" else drawing.width + out, along
        for left, top, right, bottom in self._coloured:
            if left < x < right and top < y < bottom:
                return True
        return _is_colour(self._game, self._layers.paint_at(x, y))


def _is_colour(game: Game, paint: Ground) -> bool:
    return isinstance(paint, (Gradient, Picture)) or paint_to_srgb(game, paint) != PAPER


def _find_coloured_boxes(game: Game, along: tuple[PaintedItem, ...]) -> list[tuple[float, float, float, float]]:
    """Return left, top, right and bottom (mm) of the coloured rectangles of the items, or [] if any is paper-white.

    Without white, there is colour wherever any item is, whichever is on top. Most faces are like this.
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
    """Return True if a path is a rectangle whose edges are horizontal and vertical on the face after `matrix`."""
    box = outlines.find_bounds(path)
    return box is not None and matrix[1] == matrix[2] == 0 and path == outlines.rectangle_path(box)


def _iter_depths(bleed: float, step: float) -> Iterator[float]:
    """Yield `step` and its multiples that are less than the bleed, then the bleed (mm)."""
    yield from (number * step for number in range(1, math.ceil(bleed / step)))
    yield bleed


LEAST_CONTRAST = 4.5
"""Minimum contrast of WCAG 2.2, success criterion 1.4.3 (AA)."""


def check_contrast(game: Game, context: Context) -> Iterator[Check]:
    """Check for each kind that all text has a contrast of 4.5 or more with its background.

    The background is tested under the first, middle and last visible glyph. A line around the letters also counts as
    background. On a gradient, every stop counts. The check is undecided on bitmaps, and if only some stops suffice.
    """
    for kind in game.kinds.values():
        spots: list[tuple[float | None, Face, str]] = []
        for face in list_distinct_faces(game, kind, context):
            measure = partial(_measure_face_contrasts, game, context, face.drawing)
            found = context.measure_face("contrast", tuple[tuple[float | None, str], ...], face.drawing, measure)
            spots += [(ratio, face, text) for ratio, text in found]
        if spots:
            yield _make_contrast_check(kind.id, spots)


def _measure_face_contrasts(game: Game, context: Context, drawing: Drawing) -> tuple[tuple[float | None, str], ...]:
    """Return for each tested spot of the texts the contrast with background or outline (None: unknown) and the text."""
    leaves = find_leaves(drawing, context)
    layers, beside = FaceLayers(drawing, leaves), _find_neighbours(leaves)
    spots: list[tuple[float | None, str]] = []
    for at, one in enumerate(leaves):
        if isinstance(one.leaf, TextRun):
            around = _measure_outline_contrast(game, one, [leaves[other] for other in beside[at]], context)
            ratios = _measure_contrasts(game, context, layers, one, at)
            better = (max(ratio or 0.0, around) if around >= LEAST_CONTRAST else ratio for ratio in ratios)
            spots += [(ratio, one.leaf.text) for ratio in better]
    return tuple(spots)


def _make_contrast_check(kind: str, spots: Sequence[tuple[float | None, Face, str]]) -> Check:
    check = f"contrast.{kind}"
    poor: dict[tuple[str, str], tuple[float, Face]] = {}
    unsure: dict[tuple[str, str], Face] = {}
    least = min((ratio for ratio, _, _ in spots if ratio is not None), default=0.0)
    for ratio, face, text in spots:
        name = (str(face), text.strip()[:12])
        if ratio is None:
            unsure.setdefault(name, face)
        elif ratio < LEAST_CONTRAST and ratio < poor.get(name, (LEAST_CONTRAST, face))[0]:
            poor[name] = (ratio, face)
    if poor:
        ordered = sorted(poor.items(), key=lambda entry: entry[1][0])
        figures = format_first_entries(f"{face}: '{text}' {ratio:.1f}" for (face, text), (ratio, _) in ordered)
        sentence = f"{kind}: text is hard to read on its background (contrast under {LEAST_CONTRAST:g})"
        return Check(check, "colour", "fail", sentence, figures, ordered[0][1][1].design.place)
    if unsure:
        figures = format_first_entries(f"{face}: '{text}'" for face, text in unsure)
        sentence = f"{kind}: text is on a picture or a gradient; check that it is readable"
        return Check(check, "colour", "undecided", sentence, figures, next(iter(unsure.values())).design.place)
    sentence = f"{kind}: text contrasts with its background (contrast {LEAST_CONTRAST:g} or more)"
    return Check(check, "colour", "pass", sentence, f"least {least:.1f}, at {len(spots)} spots")


def _measure_contrasts(
    game: Game, context: Context, layers: FaceLayers, item: PaintedItem, index: int
) -> Iterator[float | None]:
    """Yield the contrast of a text run with its background at up to three spots, None for an unknown contrast.

    `index` is the number of the run in drawing order; only items below it count as background.
    """
    if not isinstance(item.leaf, TextRun):
        return
    boxes = list(measure_glyph_boxes(item.leaf, item.matrix, context.fonts))
    text = paint_to_srgb(game, item.leaf.paint)
    wanted = {0, len(boxes) // 2, len(boxes) - 1} if boxes else ()
    for box in (boxes[at] for at in sorted(wanted)):
        ground = layers.unmixed_paint_at(box.x + box.width / 2, box.y + box.height / 2, below=index)
        yield None if text is None or item.mixed else _contrast_with(game, text, ground)


def _find_neighbours(leaves: Sequence[PaintedItem]) -> list[list[int]]:
    """Return for each item the indices of the nearest non-text items below and above it, where a text's outline is."""
    found: list[list[int]] = [[] for _ in leaves]
    for order in (range(len(leaves)), range(len(leaves) - 1, -1, -1)):
        last = -1
        for at in order:
            if last >= 0:
                found[at].append(last)
            if not isinstance(leaves[at].leaf, TextRun):
                last = at
    return found


def _measure_outline_contrast(game: Game, run: PaintedItem, beside: Sequence[PaintedItem], context: Context) -> float:
    """Return the contrast of a text run with the line around its letters, 0 without one among `beside`."""
    for line in beside:
        if isinstance(line.leaf, Shape) and line.role == "text" and line.leaf.stroke and isinstance(run.leaf, TextRun):
            boxes = measure_glyph_boxes(run.leaf, run.matrix, context.fonts)
            if not line.mixed and not line.leaf.fill and line.box and all(line.box.contains(box) for box in boxes):
                text, edge = paint_to_srgb(game, run.leaf.paint), paint_to_srgb(game, line.leaf.stroke)
                return measure_contrast(text, edge) if text is not None and edge is not None else 0.0
    return 0.0


def _contrast_with(game: Game, text: str, ground: Ground | None) -> float | None:
    if ground is None or isinstance(ground, Picture):
        return None
    paints = [paint for _, paint in ground.stops] if isinstance(ground, Gradient) else [ground]
    colours = [paint_to_srgb(game, paint) for paint in paints]
    ratios = [measure_contrast(text, colour) for colour in colours if colour is not None]
    if not ratios or len(ratios) < len(colours) or (min(ratios) < LEAST_CONTRAST <= max(ratios)):
        return None
    return min(ratios)


_NO_WORDS = "skipped: these are pictures without text or icons"
_SLACK = 0.01
"""Rounding tolerance (mm)."""


def check_safe_zones(game: Game, context: Context) -> Iterator[Check]:
    """Check for each kind that no text or icon leaves the safe zone. Background, art and frames may leave it.

    The figures begin with the item that is farthest outside. A failure points to its design.
    """
    for kind in game.kinds.values():
        looked = 0
        out: list[tuple[float, Face, str]] = []
        for face in list_distinct_faces(game, kind, context):
            measure, what = partial(_measure_safe_zone, kind, face, context), f"safe zone {face.face}"
            shape = tuple[int, tuple[tuple[float, str], ...]]
            number, worst = context.measure_face(what, shape, face.drawing, measure)
            looked += number
            out.extend((by, face, told) for by, told in worst)
        out.sort(key=lambda entry: -entry[0])
        check, within = f"safe-zone.{kind.id}", f"{kind.safe:g} mm"
        if out:
            sentence = f"{kind.id}: text or icons leave the safe zone, {within} from the cut"
            figures = format_first_entries(f"{face}: {told}" for _, face, told in out)
            yield Check(check, "safe zone", "fail", sentence, figures, out[0][1].design.place)
        else:
            sentence = f"{kind.id}: text and icons stay {within} from the cut"
            figures = f"{looked} runs of text and parts of icons" if looked else _NO_WORDS
            status: Status = "pass" if looked else "undecided"
            yield Check(check, "safe zone", status, sentence, figures, kind.place)


def _measure_safe_zone(kind: Kind, face: Face, context: Context) -> tuple[int, tuple[tuple[float, str], ...]]:
    """Return how many texts and icons a face has; for each that leaves the safe zone, the excess (mm) and a text."""
    looked, worst = 0, dict[str, tuple[float, str]]()
    for one in find_leaves(face.drawing, context):
        box = find_ink_box(one, context) if one.role in ("text", "icon") else None
        if box is None:
            continue
        looked += 1
        sides = (
            (kind.safe_box.x - box.x, "left"),
            (kind.safe_box.y - box.y, "top"),
            (box.right - kind.safe_box.right, "right"),
            (box.bottom - kind.safe_box.bottom, "bottom"),
        )
        by, side = max(max(sides, key=lambda side: side[0]), _measure_outline_excess(kind, face, one, box))
        name = f"the icon {one.icon}" if one.icon else "an icon"
        if isinstance(one.leaf, TextRun) and not one.icon:
            text = one.leaf.text.strip()
            name = f"'{text[:12]}{'…' if len(text) > 12 else ''}'"
        if by > _SLACK and by > worst.get(name, (0.0, ""))[0]:
            worst[name] = (by, f"{name} by {by:.2f} mm at the {side}")
    return looked, tuple(worst.values())


def _measure_outline_excess(kind: Kind, face: Face, item: PaintedItem, box: Rect) -> tuple[float, str]:
    """Return by how many mm a text is too close to the piece's outline, and the side with the largest excess.

    The distance is measured at the middles of the sides of the text's box. Icons return 0, because they are seldom
    boxes and may extend into a corner of the outline.
    """
    path = kind.outline
    if not path or not isinstance(item.leaf, TextRun):
        return (0.0, "")
    if kind.template_side(face.face) == "back":
        path = mirror_outline(path, kind.size.width)
    loops, x, y = outlines.flatten_path(path), box.x + box.width / 2, box.y + box.height / 2
    spots = (((box.x, y), "left"), ((x, box.y), "top"), ((box.right, y), "right"), ((x, box.bottom), "bottom"))
    return max(
        (
            kind.safe - outlines.measure_distance(loops, *spot) * (1 if outlines.is_point_inside(loops, *spot) else -1),
            side,
        )
        for spot, side in spots
    )


FINE_ENOUGH = 200
"""Pixels per inch below which a printed picture looks coarse; print shops ask for 300."""


def check_printed_resolution(game: Game, context: Context) -> Iterator[Check]:
    """Check for each kind that every picture has 200 pixels per inch at its printed size.

    A coarse picture makes the check undecided, because it can be printed and the designer may want it.
    """
    size = cache(lambda source: open_picture_file(Path(source), decode=False)[0].size)
    for kind in game.kinds.values():
        shown: dict[tuple[str, str], float] = {}
        coarse: dict[tuple[str, str], str] = {}
        for face in list_distinct_faces(game, kind, context):
            measure = partial(_measure_resolutions, face.drawing, context, size)
            pictures = context.measure_face("resolution", tuple[tuple[str, float, str], ...], face.drawing, measure)
            for source, dpi, told in pictures:
                key = (face.design.id, source)
                if dpi < shown.get(key, math.inf):
                    shown[key] = dpi
                    name = "a picture in a data address"
                    if not source.startswith("data:"):
                        name = "/".join(Path(source).parts[-2:])
                    coarse[key] = f"{face.design.id}: {name} has {told}"
        below = [key for key, dpi in shown.items() if dpi < FINE_ENOUGH]
        check = f"resolution.{kind.id}"
        if below:
            places = {design.id: design.place for design in kind.designs}
            sentence = f"{kind.id}: pictures have less than {FINE_ENOUGH} dpi as they are printed; use larger ones"
            figures = format_first_entries((coarse[key] for key in sorted(below, key=lambda key: shown[key])), most=12)
            yield Check(check, "picture", "undecided", sentence, figures, places[below[0][0]])
        elif shown:
            figures = f"{len({source for _, source in shown})} pictures, the coarsest {min(shown.values()):.0f} dpi"
            sentence = f"{kind.id}: pictures have at least {FINE_ENOUGH} dpi as they are printed"
            yield Check(check, "picture", "pass", sentence, figures, kind.place)


def _measure_resolutions(
    drawing: Drawing, context: Context, size: Callable[[str], tuple[int, int]]
) -> tuple[tuple[str, float, str], ...]:
    """Return source, pixels per inch and a text about both for each picture; `size` returns a file's pixels (x, y)."""
    found = []
    for one in find_leaves(drawing, context):
        if isinstance(one.leaf, Picture) and one.box is not None:
            across, down = size(one.leaf.source)
            a, b, c, d, *_ = one.matrix
            wide, high = one.leaf.width * math.hypot(a, b), one.leaf.height * math.hypot(c, d)
            dpi = min(across / wide, down / high) * MM_PER_INCH
            found.append((one.leaf.source, dpi, f"{dpi:.0f} dpi at {one.box.width:.3g} x {one.box.height:.3g} mm"))
    return tuple(found)


def check_missing_pictures(game: Game, _context: Context) -> Iterator[Check]:
    """Report for each picture field the designs that leave it empty."""
    for kind in game.kinds.values():
        for name, spec in kind.fields.items():
            lacking = [design for design in kind.designs if spec.type == "picture" and design.fields.get(name) is None]
            if lacking:
                sentence = f"{kind.id}: designs have no picture in {spec.folder or 'the templates'}"
                figures = f"{len(lacking)} of {len(kind.designs)}: " + format_first_entries(one.id for one in lacking)
                yield Check(f"{name}.{kind.id}", "picture", "undecided", sentence, figures, lacking[0].place)
