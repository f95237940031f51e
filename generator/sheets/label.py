"""Lines of text in the slug: the sheet's label and notes, set at 6 pt and broken only where the room demands it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias
from unicodedata import east_asian_width

from generator.model.drawing import Item
from generator.sheets.slug import Side, Slug, Spot
from generator.units import MM_PER_PT

Label: TypeAlias = Callable[[int, int, str, str], str]
"""(sheet from 1, number of sheets, eight hex digits of what is on the page, "front" or "back") -> the label's text."""

Typeset: TypeAlias = Callable[[str, float, float, float, Literal["start", "middle", "end"], float], tuple[Item, ...]]
"""(text, x, y, size in pt, anchor start|middle|end, degrees clockwise) -> items; (x, y) is the baseline point in mm."""

LABEL_PT = 6.0
BASELINE = 2.3
"""From a spot's upper edge to the baseline, mm: ascenders above and descenders below stay inside the spot."""

INSET = 1.5
"""From the beginning of a spot to the text, mm: beside a cut mark a letter must not read as part of it."""

LABEL_SIDES: tuple[Side, ...] = ("bottom", "top", "right", "left")


def reach(text: str, size: float = LABEL_PT) -> float:
    """The most room in mm that a line may need in any usual face at `size` pt; the typesetter knows the true length."""
    return sum(_ems(char) for char in text) * size * MM_PER_PT


def take_lines(slug: Slug, text: str, prefer: Sequence[Side] = LABEL_SIDES) -> list[tuple[str, Spot]] | None:
    """Spots for the text, whole where one is long enough, else in several lines broken at spaces; None if too long."""
    lines: list[tuple[str, Spot]] = []
    words = text.split()
    while words:
        for number in range(len(words), 0, -1):
            line = " ".join(words[:number])
            spot = slug.take(INSET + reach(line), prefer)
            if spot is not None:
                lines.append((line, spot))
                words = words[number:]
                break
        else:
            return None
    return lines


def line_items(lines: Sequence[tuple[str, Spot]], typeset: Typeset) -> Iterator[Item]:
    """The lines as the typesetter sets them, turned where the strip is upright."""
    for line, spot in lines:
        x, y = spot.at(INSET, BASELINE)
        yield from typeset(line, x, y, LABEL_PT, "start", spot.angle)


def _ems(char: str) -> float:
    if east_asian_width(char) in "WFA":
        return 1.0
    return 0.9 if char.isupper() or char in "mw%@&+=<>" else 0.62
