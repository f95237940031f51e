"""Cut marks and fold line as display-list items: dark on a white casing, so that they show on any ground."""

from collections.abc import Sequence

from generator.model.drawing import Group, Item, Role, Shape, number
from generator.model.outline import rectangle
from generator.sheets.imposition import Axis
from generator.sheets.slug import Mark
from generator.units import MM_PER_PT, Rect, Size

LINE = 0.25 * MM_PER_PT
CASING = 1.0 * MM_PER_PT
DARK = "ink"
LIGHT = "#ffffff"
FOLD_DASH = (3.0, 1.5)


def fold_line(paper: Size, fold: Axis) -> float:
    """The x of a vertical or the y of a horizontal fold: the middle of the paper."""
    return round((paper.width if fold == "vertical" else paper.height) / 2, 3)


def cut_mark_items(marks: Sequence[Mark]) -> tuple[Item, ...]:
    """One casing and one line through all marks; role `mark`."""
    path = " ".join(_segment(mark.inner, mark.outer) for mark in marks)
    return cased_line(path, "mark") if path else ()


def fold_items(ends: Sequence[Mark]) -> tuple[Item, ...]:
    """A dashed line from one mark of the fold to the other, right across the gutter; role `fold`."""
    first, second = ends
    return cased_line(_segment(first.outer, second.outer), "fold", FOLD_DASH)


def cut_line_items(path: str, box: Rect) -> tuple[Item, ...]:
    """The line around a piece that is cut out by itself; `box` is what the closed path fills, role `cut`.

    Its casing lies outside alone, so that no white rim stays on the piece.
    """
    casing = Shape(path=path, stroke=LIGHT, width=CASING, join="round", role="cut")
    outside = f"{rectangle(box.grown(CASING))} {path}"
    return (
        Group((casing,), clip=outside, clip_even_odd=True),
        Shape(path=path, stroke=DARK, width=LINE, join="round", role="cut"),
    )


def cased_line(path: str, role: Role, dash: tuple[float, ...] = ()) -> tuple[Item, ...]:
    """A dark hairline over a wider white one along the same path."""
    return (
        Shape(path=path, stroke=LIGHT, width=CASING, role=role),
        Shape(path=path, stroke=DARK, width=LINE, dash=dash, role=role),
    )


def _segment(start: tuple[float, float], end: tuple[float, float]) -> str:
    return f"M {number(start[0])} {number(start[1])} L {number(end[0])} {number(end[1])}"
