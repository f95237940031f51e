"""A 50 mm and a 2 inch ruler on every printed page: a print dialogue that scales is found out before the first cut."""

from dataclasses import dataclass

from generator.model.drawing import Item, Shape, number
from generator.sheets.label import BASELINE, LABEL_PT, Typeset, reach
from generator.sheets.marks import DARK, LINE
from generator.sheets.slug import Side, Slug, Spot
from generator.units import MM_PER_INCH

RULER_SIDES: tuple[Side, ...] = ("top", "bottom", "left", "right")

_FOOT = 2.6
_CAPTION_SPACE = 1.0


@dataclass(frozen=True, slots=True)
class Ruler:
    """A scale of `length` mm with a tick every `step` mm, each `middle`th of them longer and each `major`th longest."""

    caption: str
    length: float
    step: float
    middle: int
    major: int

    @property
    def room(self) -> float:
        """The length of the spot that it needs with its caption, mm."""
        return self.length + _CAPTION_SPACE + reach(self.caption)


METRIC = Ruler("50 mm", 50.0, 1.0, 5, 10)
IMPERIAL = Ruler("2 in", 2 * MM_PER_INCH, MM_PER_INCH / 8, 4, 8)
RULERS = (METRIC, IMPERIAL)


def take_rulers(slug: Slug) -> list[tuple[Ruler, Spot]] | None:
    """A spot for each ruler, or None when one finds no room."""
    taken: list[tuple[Ruler, Spot]] = []
    for ruler in RULERS:
        spot = slug.take(ruler.room, RULER_SIDES)
        if spot is None:
            return None
        taken.append((ruler, spot))
    return taken


def ruler_items(ruler: Ruler, spot: Spot, typeset: Typeset) -> tuple[Item, ...]:
    """The scale as one hairline path (role `mark`), whose first segment is exactly `length` mm, and its caption."""
    parts = [_line(spot, (0, _FOOT), (ruler.length, _FOOT))]
    for tick in range(round(ruler.length / ruler.step) + 1):
        height = 2.2 if tick % ruler.major == 0 else 1.6 if tick % ruler.middle == 0 else 1.0
        along = tick * ruler.step
        parts.append(_line(spot, (along, _FOOT), (along, _FOOT - height)))
    x, y = spot.at(ruler.length + _CAPTION_SPACE, BASELINE)
    scale = Shape(path=" ".join(parts), stroke=DARK, width=LINE, role="mark")
    return (scale, *typeset(ruler.caption, x, y, LABEL_PT, "start", spot.angle))


def _line(spot: Spot, start: tuple[float, float], end: tuple[float, float]) -> str:
    x1, y1 = spot.at(*start)
    x2, y2 = spot.at(*end)
    return f"M {number(x1)} {number(y1)} L {number(x2)} {number(y2)}"
