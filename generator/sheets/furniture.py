"""What is printed around the art of one page: rulers, notes, cut marks and fold line, each in a place of its own."""

from collections.abc import Collection, Hashable, Iterator, Sequence
from itertools import islice

from generator.dataclass import dataclass
from generator.model.drawing import Item, Placed, Shape, Symbol, number
from generator.model.geometry import IDENTITY
from generator.sheets.arrangement import Arrangement
from generator.sheets.label import BASELINE, LABEL_PT, Typeset, line_items, reach, take_lines
from generator.sheets.marks import DARK, LINE, cut_mark_items, fold_items, fold_line
from generator.sheets.slug import Side, Slug, Spot
from generator.units import MM_PER_INCH, Rect, Size

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


@dataclass(frozen=True, slots=True)
class Furniture:
    """The spots of both rulers and of every line of text."""

    rulers: tuple[tuple[Ruler, Spot], ...]
    lines: tuple[tuple[str, Spot], ...]


@dataclass(frozen=True, slots=True)
class _Fixed:
    """What pages with equal notes and marks share: rulers and marks, and how many words each text spot takes."""

    items: tuple[Item, ...]
    spots: tuple[tuple[int, Spot], ...]


def furnish(slug: Slug, notes: Sequence[str], order: str = "") -> Furniture | None:
    """Takes a spot for each ruler and for every line of the notes; None when one finds no room.

    The `order` of the cuts is read at one edge or not at all.
    """
    rulers = take_rulers(slug)
    if rulers is None:
        return None
    lines: list[tuple[str, Spot]] = []
    for nth, note in enumerate((*notes, order) if order else notes):
        taken = take_lines(slug, note, torn=nth < len(notes))
        if taken is None:
            return None
        lines += taken
    return Furniture(tuple(rulers), tuple(lines))


class Furnisher:
    """Furnishes the pages of one print; what does not change from page to page is made once and is one symbol."""

    def __init__(self, paper: Size, printable: Rect, typeset: Typeset, reserved: Sequence[Rect] = ()):
        self._paper, self._printable, self._typeset, self._reserved = paper, printable, typeset, reserved
        self._fixed: dict[Hashable, _Fixed | None] = {}

    def items(
        self, lie: Arrangement, notes: Sequence[str], marked: Collection[int], order: str = ""
    ) -> tuple[Item, ...] | None:
        """Rulers, the cut marks of the slots in `marked`, with a fold its line, and the notes; None without room.

        Places are found as if every slot had its marks, so that all pages of an arrangement look alike.
        """
        key = (lie, tuple([tuple(map(reach, note.split())) for note in (*notes, order)]), tuple(marked))
        if key not in self._fixed:
            self._fixed[key] = self._fix(lie, notes, marked, order)
        fixed = self._fixed[key]
        if fixed is None:
            return None
        words = iter(" ".join((*notes, order)).split())
        lines = [(" ".join(islice(words, count)), spot) for count, spot in fixed.spots]
        return (*fixed.items, *line_items(lines, self._typeset))

    def _fix(self, lie: Arrangement, notes: Sequence[str], marked: Collection[int], order: str) -> _Fixed | None:
        xs, ys = lie.cuts(range(lie.capacity))
        if lie.fold:
            (xs if lie.fold == "vertical" else ys).append(fold_line(lie.paper, lie.fold))
        for plain in (False, True):
            slug = Slug(lie.art, self._printable, sorted(xs), sorted(ys), plain).keep_free(self._reserved)
            furniture = furnish(slug, notes, order)
            if furniture is not None:
                rulers = [item for place in furniture.rulers for item in ruler_items(*place, self._typeset)]
                symbol = Symbol(
                    "rulers and marks",
                    (*rulers, *_line_items(lie, slug, marked)),
                    (0.0, 0.0, self._paper.width, self._paper.height),
                )
                spots = tuple([(len(line.split()), spot) for line, spot in furniture.lines])
                return _Fixed((Placed(symbol, IDENTITY, role="mark"),), spots)
        return None


def _line_items(lie: Arrangement, slug: Slug, marked: Collection[int]) -> Iterator[Item]:
    xs, ys = lie.cuts(marked)
    marks = [mark for x in xs for mark in slug.ends("vertical", x)]
    marks += [mark for y in ys for mark in slug.ends("horizontal", y)]
    yield from cut_mark_items(marks)
    if lie.fold:
        yield from fold_items(slug.ends(lie.fold, fold_line(lie.paper, lie.fold)))
