"""Ruby: small readings over the characters that they belong to, the base spread where the reading is wider."""

from typing import NamedTuple

from generator.model.drawing import Paint, TextRun
from generator.model.text import Ruby
from generator.text.fonts import Font
from generator.text.kinsoku import TRAILS, Edge
from generator.text.typecase import Sort, Typecase
from generator.units import MM_PER_PT

SMALLEST = 3.5  # pt
_ABOVE, _BELOW = 860.0, 100.0  # 1/1000 em: how high a base's ink reaches, how deep a reading's


class RubyReading(NamedTuple):
    """A reading as it is set; lengths in 1/1000 em of the base's type, `ratio` the reading's size by the base's.

    `base` is the width of the characters below with what was added to them; `shift` moves the reading off their centre.
    """

    sorts: tuple[Sort, ...]
    ratio: float
    width: float
    base: float
    spread: float
    shift: float
    paint: Paint

    @property
    def height(self) -> float:
        """How far its baseline lies above the base's."""
        return _ABOVE + _BELOW * self.ratio

    def runs(self, x: float, y: float, size: float, paint: Paint) -> list[TextRun]:
        """Its runs from x (mm) on the baseline y."""
        small = size * self.ratio
        scale = small * MM_PER_PT / 1000
        runs: list[TextRun] = []
        row: list[Sort] = []
        for sort in (*self.sorts, None):
            if row and (sort is None or sort.font is not row[0].font):
                runs.append(self._run(row, x, y, small, self.paint or paint))
                x += sum(part.width + self.spread for part in row) * scale
                row = []
            if sort is not None:
                row.append(sort)
        return runs

    def _run(self, row: list[Sort], x: float, y: float, size: float, paint: Paint) -> TextRun:
        font = row[0].font
        moves: list[float] = []
        for sort in row:
            moves += sort.advances
            moves[-1] += self.spread
        glyphs = tuple(glyph for sort in row for glyph in sort.glyphs)
        clusters = tuple(cluster for sort in row for cluster in sort.clusters)
        natural = not self.spread and all(sort.natural for sort in row)
        key = font.key if font else ""
        return TextRun(x, y, size, key, glyphs, clusters, () if natural else tuple(moves), paint)


def ruby_size(size: float) -> float:
    """The size of the readings over type of `size` pt."""
    return max(size / 2, SMALLEST)


def ruby_sorts(ruby: Ruby, case: Typecase, size: float, paint: Paint, before: str, behind: str) -> list[Sort]:
    """The sorts of a base with its readings; a line may break between the groups only.

    `before` and `behind` are the characters next to it: a reading may overhang kana by half of its own em.
    """
    ratio = ruby_size(size) / size
    groups = list(zip(ruby.base, ruby.reading, strict=True))
    sorts: list[Sort] = []
    for index, (base, reading) in enumerate(groups):
        left = ratio * 500 if index == 0 and _is_kana(before) else 0.0
        right = ratio * 500 if index == len(groups) - 1 and _is_kana(behind) else 0.0
        sorts += _group(_flat(case, base), _flat(case, reading), ratio, paint, (left, right))
    return sorts


def _group(
    base: list[Sort], reading: list[Sort], ratio: float, paint: Paint, overhang: tuple[float, float]
) -> list[Sort]:
    """One unbreakable group; its last sort carries the reading."""
    if not base or not reading:
        return base
    wide, natural = sum(sort.width for sort in base), sum(sort.width for sort in reading) * ratio
    excess = natural - wide
    spread = 0.0
    if excess < 0 and len(reading) > 1:
        spread = min(-excess / len(reading), 500.0 * ratio)
    left = min(overhang[0], max(excess, 0.0) / 2)
    right = min(overhang[1], max(excess, 0.0) / 2)
    added = max(excess - left - right, 0.0)
    each = added / len(base)
    set_width = natural + spread * (len(reading) - 1)
    mark = RubyReading(tuple(reading), ratio, set_width, wide + added, spread / ratio, (right - left) / 2, paint)
    lead, trail = base[0].lead, base[-1].trail
    sorts = [
        sort._replace(
            lead=int(Edge.GLUE),
            trail=TRAILS[Edge.GLUE],
            width=sort.width + (each if index < len(base) - 1 else 0.0),
            advances=(*sort.advances[:-1], sort.advances[-1] + (each if index < len(base) - 1 else 0.0)),
            left=0.0,
            right=0.0,
            natural=sort.natural and not each,
        )
        for index, sort in enumerate(base)
    ]
    if each:
        sorts = [_pad(each / 2), *sorts, _pad(each / 2)]
    sorts[0] = sorts[0]._replace(lead=lead)
    sorts[-1] = sorts[-1]._replace(trail=trail, rarity=sorts[-1].rarity._replace(mark=mark))
    return sorts


def _pad(width: float) -> Sort:
    none: Font | None = None
    return Sort("", int(Edge.GLUE), TRAILS[Edge.GLUE], width, none, natural=False)


def _flat(case: Typecase, text: str) -> list[Sort]:
    return [sort for sort in case.sorts(text) if sort.glyphs]


def _is_kana(char: str) -> bool:
    return "\u3041" <= char <= "\u30ff" if char else False
