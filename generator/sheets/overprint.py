"""What a copy's front bears beside its design: that it is a prototype, and which card of its kind it is."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate

from generator.faces.stamp import bears_stamp, foot
from generator.faces.workshop import Workshop
from generator.model.drawing import Drawing, Group, Item, Shape, TextRun
from generator.model.edition import first_language
from generator.model.game import Design, FaceName, Kind
from generator.model.geometry import turn_into_box
from generator.model.phrases import phrase
from generator.model.sheet import Piece
from generator.sheets.guides import rounded_box
from generator.sheets.marks import DARK, LIGHT, LINE
from generator.sheets.two_languages import IN_SECOND
from generator.units import MM_PER_PT, Rect, Size

MARK_PT = 4.5
MARK_HEIGHT = 2.2
MARK_INSET = 0.5
"""From the trim to the prototype mark, mm: together they stay within the usual safe zone, where no text stands."""

_BASELINE = 1.62
_PADDING = 0.9
_STAMP_REACH = 12.0
"""Half of how long a stamp may be, mm."""


class Overprinter:
    """Overprints the fronts of one game in one edition; the hash of a face knows nothing of it.

    `prototype` puts a mark into the margin of each flat front that has room, clear of all texts. `numbers` puts the
    card's number within its kind (12/49) into the stamp of each card. `copies` of each design are printed, else their
    counts.
    """

    def __init__(self, workshop: Workshop, edition: str, *, prototype: bool, numbers: bool, copies: int | None):
        self._workshop, self._edition = workshop, edition
        self._prototype, self._numbers, self._copies = prototype, numbers, copies
        self._bare: dict[int, tuple[Drawing, Drawing, str]] = {}
        self._marks: dict[int, tuple[Drawing, tuple[Item, ...]]] = {}
        self._designs = {design.id: design for design in workshop.game.designs()}
        self._before: dict[str, int] = {}
        for kind in workshop.game.kinds.values():
            counts = [self._count(design) for design in kind.designs]
            starts = accumulate(counts, initial=0)
            self._before |= {design.id: start for design, start in zip(kind.designs, starts, strict=False)}

    def face(self, design: Design, face: FaceName) -> Drawing | None:
        """A face as it is printed for all copies: without its stamp where that differs from copy to copy."""
        drawing = self._workshop.printed(self._edition, design, face)
        if drawing is None or face != "front" or not self._has_numbers(design):
            return drawing
        return self._split_stamp(drawing)[0]

    def items(self, piece: Piece) -> tuple[Item, ...]:
        """What is printed over a copy's front, face coordinates."""
        name, _, copy = piece.id.partition("#")
        design, number = self._designs[name], int(copy.partition(IN_SECOND)[0])
        return (*self._stamp(design, number), *(self._mark(piece, design) if self._prototype else ()))

    def _count(self, design: Design) -> int:
        return design.count if self._copies is None else self._copies

    def _kind(self, design: Design) -> Kind:
        return self._workshop.game.kinds[design.kind]

    def _has_numbers(self, design: Design) -> bool:
        return self._numbers and self._kind(design).form == "card" and bears_stamp(self._kind(design))

    def _split_stamp(self, drawing: Drawing) -> tuple[Drawing, str]:
        """The face without its stamp, the same for the same face, and the stamp's text."""
        known = self._bare.get(id(drawing))
        if known is None:
            runs = [item for item in drawing.items if isinstance(item, TextRun) and item.role == "stamp"]
            text = "".join(run.text for run in runs if (run.y, run.angle) == (runs[0].y, runs[0].angle))
            items = tuple(item for item in drawing.items if not (isinstance(item, TextRun) and item.role == "stamp"))
            known = self._bare[id(drawing)] = (drawing, replace(drawing, items=items), text)
        return known[1:]

    def _stamp(self, design: Design, copy: int) -> Iterator[Item]:
        """The stamp that `face` left out, with the number before it."""
        drawing = self._workshop.face(design, "front", self._edition)
        printed = self._workshop.printed(self._edition, design, "front")
        if drawing is None or printed is None or not self._has_numbers(design):
            return
        of = sum(map(self._count, self._kind(design).designs))
        number = f"{self._before[design.id] + copy}/{of}"
        _, stamp = self._split_stamp(printed)
        for place in drawing.stamps or (foot(drawing, self._kind(design)),):
            yield from self._workshop.stamp_line(" · ".join(filter(None, [number, stamp])), place)

    def _mark(self, piece: Piece, design: Design) -> tuple[Item, ...]:
        front = piece.front.drawn()
        if not bears_stamp(self._kind(design)):
            return ()
        known = self._marks.get(id(front))
        if known is None:
            stamps = self._workshop.face(design, "front", self._edition)
            avoid = list(_texts(front, stamps, self._kind(design)))
            word = phrase("prototype", first_language(self._edition))
            known = self._marks[id(front)] = (front, tuple(self._label_items(front, word, avoid)))
        return known[1]

    def _label_items(self, front: Drawing, word: str, avoid: list[Rect]) -> Iterator[Item]:
        """A white label with the word, upright at the head or turned at a side."""
        runs = self._workshop.typeset(word, 0.0, 0.0, MARK_PT, "start", 0.0)
        size = Size(self._width(runs) + 2 * _PADDING, MARK_HEIGHT)
        box, angle = min(_places(front, size), key=lambda place: sum(_overlap(place[0], text) for text in avoid))
        lying = Rect(0, 0, size.width, size.height)
        shape = Shape(path=rounded_box(lying, size.height / 2), fill=LIGHT, stroke=DARK, width=LINE, role="mark")
        text = self._workshop.typeset(word, size.width / 2, _BASELINE, MARK_PT, "middle", 0.0)
        turn = turn_into_box(box, 270 if angle else 0)
        yield Group((shape, *text), turn)

    def _width(self, runs: tuple[Item, ...]) -> float:
        advances = [
            self._workshop.advance(run.font, glyph) for run in runs if isinstance(run, TextRun) for glyph in run.glyphs
        ]
        return sum(advances) * MARK_PT * MM_PER_PT / 1000


def _places(front: Drawing, size: Size) -> Iterator[tuple[Rect, int]]:
    """Where the label may lie, the best first, and how far it is turned there."""
    across, down, inset = front.width, front.height, MARK_INSET
    for share in (0.5, 0.75, 0.25):
        yield Rect(across * share - size.width / 2, inset, size.width, size.height), 0
    for share in (0.5, 0.7, 0.3):
        middle = down * share - size.width / 2
        yield Rect(inset, middle, size.height, size.width), 270
        yield Rect(across - inset - size.height, middle, size.height, size.width), 270
    yield Rect((across - size.width) / 2, down - inset - size.height, size.width, size.height), 0


def _texts(front: Drawing, unstamped: Drawing | None, kind: Kind) -> Iterator[Rect]:
    """Where texts stand on a front, its stamps included."""
    for frame in front.frames:
        yield Rect(frame.x, frame.y, frame.width, frame.height)
    for stamp in (unstamped.stamps or (foot(unstamped, kind),)) if unstamped else ():
        height = stamp.size * MM_PER_PT
        along, across = (_STAMP_REACH, height) if stamp.angle % 180 == 0 else (height, _STAMP_REACH)
        yield Rect(stamp.x - along, stamp.y - across, 2 * along, 2 * across)


def _overlap(one: Rect, other: Rect) -> float:
    width = min(one.right, other.right) - max(one.x, other.x)
    height = min(one.bottom, other.bottom) - max(one.y, other.y)
    return width * height if width > 0 and height > 0 else 0.0
