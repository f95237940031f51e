"""Lines of text in the slug: the sheet's label and notes, set at 6 pt and broken only where the room demands it."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, reduce
from typing import Literal, TypeAlias
from unicodedata import east_asian_width

from generator.model.drawing import Item
from generator.sheets.slug import Side, Slug, Spot
from generator.units import MM_PER_PT, Rect

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
    return sum(map(_ems, text)) * size * MM_PER_PT


def take_lines(
    slug: Slug, text: str, prefer: Sequence[Side] = LABEL_SIDES, *, torn: bool = True
) -> list[tuple[str, Spot]] | None:
    """Spots for the text: whole where one is long enough, else two even lines with nothing between; else None.

    Only a text that must be there may be `torn` into more lines, at any edges. Lines are broken at spaces.
    """
    words = text.split()
    for lines, sides in _whole(words, prefer):
        taken = _whole_lines(slug, lines, sides)
        if taken is not None:
            return taken
    return _split_lines(slug, words, prefer) if torn else None


def _whole(words: Sequence[str], prefer: Sequence[Side]) -> Iterator[tuple[tuple[str, ...], Sequence[Side]]]:
    """The text on one line anywhere, then on two at each edge."""
    yield (" ".join(words),), prefer
    if len(words) > 1:
        halves = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
        even = min(halves, key=lambda pair: max(map(reach, pair)))
        yield from ((even, (side,)) for side in prefer)


def _whole_lines(slug: Slug, lines: Sequence[str], sides: Sequence[Side]) -> list[tuple[str, Spot]] | None:
    """A spot for each line, with nothing else between them; where that can't be, the slug stays as it was."""
    before = len(slug.spots)
    spots = [spot for line in lines if (spot := slug.take(INSET + reach(line), sides)) is not None]
    together = reduce(Rect.united, (spot.box for spot in spots)) if spots else None
    if len(spots) < len(lines) or any(together.meets(other.box) for other in slug.spots[:before] if together):
        del slug.spots[before:]
        return None
    return list(zip(lines, spots, strict=True))


def _split_lines(slug: Slug, words: Sequence[str], sides: Sequence[Side]) -> list[tuple[str, Spot]] | None:
    """Lines at any edges, each as long as finds room."""
    lines: list[tuple[str, Spot]] = []
    while words:
        for number in range(len(words), 0, -1):
            line = " ".join(words[:number])
            spot = slug.take(INSET + reach(line), sides)
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


@cache
def _ems(char: str) -> float:
    if east_asian_width(char) in "WFA":
        return 1.0
    return 0.9 if char.isupper() or char in "mw%@&+=<>" else 0.62
