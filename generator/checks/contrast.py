"""Whether text can be read on what lies under it."""

from collections.abc import Iterator, Sequence

from generator.checks.context import Context, Face, pictures, srgb
from generator.checks.layers import Ground, Layers
from generator.checks.record import Check, first_entries
from generator.checks.seen import Seen, leaves_of
from generator.model.colour import contrast
from generator.model.drawing import Gradient, Paint, Picture, Shape, TextRun
from generator.model.game import Game
from generator.svg.inked import glyph_boxes

LEAST_CONTRAST = 4.5
"""WCAG 2.2, success criterion 1.4.3 (AA)."""


def text_stands_out(game: Game, context: Context) -> Iterator[Check]:
    """One check for each kind: every run of text has a contrast of 4.5 or more with what lies directly under it.

    Looked at under the first, middle and last inked glyph. A line around the letters counts as their ground, too. On a
    gradient every stop counts; where some stops would do and others not, and on bitmaps, it is undecided.
    """
    for kind in game.kinds.values():
        spots: list[tuple[float | None, Face, str]] = []
        for face in pictures(game, kind, context):
            leaves = leaves_of(face.drawing, context)
            layers = Layers(face.drawing, leaves)
            beside = _shapes_beside(leaves)
            for at, one in enumerate(leaves):
                if isinstance(one.leaf, TextRun):
                    line = _line_around(one, [leaves[other] for other in beside[at]], context)
                    ratios = _contrasts(game, context, layers, one, at)
                    spots.extend((_better(game, ratio, one.leaf, line), face, one.leaf.text) for ratio in ratios)
        if spots:
            yield _contrast_check(kind.id, spots)


def _contrast_check(kind: str, spots: Sequence[tuple[float | None, Face, str]]) -> Check:
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
        figures = first_entries(f"{face}: '{text}' {ratio:.1f}" for (face, text), (ratio, _) in ordered)
        sentence = f"{kind}: text is hard to read on its ground (contrast under {LEAST_CONTRAST:g})"
        return Check(check, "colour", "fail", sentence, figures, ordered[0][1][1].design.place)
    if unsure:
        figures = first_entries(f"{face}: '{text}'" for face, text in unsure)
        sentence = f"{kind}: text stands on a picture or a gradient; look whether it can be read"
        return Check(check, "colour", "undecided", sentence, figures, next(iter(unsure.values())).design.place)
    sentence = f"{kind}: text stands out from its ground (contrast {LEAST_CONTRAST:g} or more)"
    return Check(check, "colour", "pass", sentence, f"least {least:.1f}, at {len(spots)} spots")


def _contrasts(game: Game, context: Context, layers: Layers, one: Seen, at: int) -> Iterator[float | None]:
    """The contrast of a run with its ground at up to three spots; None where it can't be told."""
    if not isinstance(one.leaf, TextRun):
        return
    boxes = list(glyph_boxes(one.leaf, one.matrix, context))
    text = srgb(game, one.leaf.paint)
    for box in (
        {0: boxes[0], len(boxes) // 2: boxes[len(boxes) // 2], len(boxes) - 1: boxes[-1]}.values() if boxes else ()
    ):
        ground = layers.told(box.x + box.width / 2, box.y + box.height / 2, below=at)
        yield None if text is None or one.mixed else _against(game, text, ground)


def _shapes_beside(leaves: Sequence[Seen]) -> list[list[int]]:
    """Return for each leaf the numbers of the nearest leaves before and after it that are no text."""
    found: list[list[int]] = [[] for _ in leaves]
    for order in (range(len(leaves)), range(len(leaves) - 1, -1, -1)):
        last = -1
        for at in order:
            if last >= 0:
                found[at].append(last)
            if not isinstance(leaves[at].leaf, TextRun):
                last = at
    return found


def _line_around(run: Seen, beside: Sequence[Seen], context: Context) -> Paint | None:
    """The paint of the line that goes around the letters of a run: drawn before its text, or after it."""
    for line in beside:
        if isinstance(line.leaf, Shape) and line.role == "text" and line.leaf.stroke:
            boxes = glyph_boxes(run.leaf, run.matrix, context) if isinstance(run.leaf, TextRun) else ()
            if not line.mixed and not line.leaf.fill and line.box and all(line.box.holds(box) for box in boxes):
                return line.leaf.stroke
    return None


def _better(game: Game, ratio: float | None, run: TextRun, line: Paint | None) -> float | None:
    """The contrast of a run with its ground, or with the line around it where that is enough."""
    text, edge = srgb(game, run.paint), srgb(game, line) if line is not None else None
    around = contrast(text, edge) if text is not None and edge is not None else 0.0
    return max(ratio or 0.0, around) if around >= LEAST_CONTRAST else ratio


def _against(game: Game, text: str, ground: Ground | None) -> float | None:
    if ground is None or isinstance(ground, Picture):
        return None
    paints = [paint for _, paint in ground.stops] if isinstance(ground, Gradient) else [ground]
    colours = [srgb(game, paint) for paint in paints]
    ratios = [contrast(text, colour) for colour in colours if colour is not None]
    if not ratios or len(ratios) < len(colours) or (min(ratios) < LEAST_CONTRAST <= max(ratios)):
        return None
    return min(ratios)
