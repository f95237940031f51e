"""Registration marks: what a cutting machine's camera looks for on a printed sheet before it cuts."""

from typing import Literal, TypeAlias

from generator.model.drawing import Item, Shape, number
from generator.model.outline import rectangle
from generator.units import Rect, Size

Registration: TypeAlias = Literal["silhouette"]

INSET, SQUARE, ARM, THICK = 10.0, 5.0, 5.0, 1.0
"""mm, as the open card templates for Silhouette machines have them: the distance from the paper's edges, the side of
the square at the upper left, length and thickness of the angles at the upper right and lower left."""

CLEAR = 1.5
"""How much bare paper a camera needs around a mark, mm."""


def mark_boxes(paper: Size) -> tuple[Rect, ...]:
    """The boxes around the three marks that must stay bare."""
    return tuple([box.grown(CLEAR) for box in _boxes(paper)])


def registration_marks(paper: Size) -> tuple[str, ...]:
    """The three marks as closed paths to be filled, page coordinates: square, right angle, lower angle."""
    square, right, lower = _boxes(paper)
    return (
        rectangle(square),
        _path(
            *((right.x, right.y), (right.right, right.y), (right.right, right.bottom)),
            *((right.right - THICK, right.bottom), (right.right - THICK, right.y + THICK), (right.x, right.y + THICK)),
        ),
        _path(
            *((lower.x, lower.y), (lower.x + THICK, lower.y), (lower.x + THICK, lower.bottom - THICK)),
            *((lower.right, lower.bottom - THICK), (lower.right, lower.bottom), (lower.x, lower.bottom)),
        ),
    )


def registration_items(paper: Size) -> tuple[Item, ...]:
    """The marks as they are printed, in black ink alone; role `mark`."""
    return (Shape(" ".join(registration_marks(paper)), fill="ink", role="mark"),)


def _boxes(paper: Size) -> tuple[Rect, Rect, Rect]:
    return (
        Rect(INSET, INSET, SQUARE, SQUARE),
        Rect(paper.width - INSET - ARM, INSET, ARM, ARM),
        Rect(INSET, paper.height - INSET - ARM, ARM, ARM),
    )


def _path(*points: tuple[float, float]) -> str:
    return f"M {' L '.join(f'{number(x)} {number(y)}' for x, y in points)} Z"
