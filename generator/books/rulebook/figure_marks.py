"""Figure marks: numbers in figures and texts that refer to each other; arrows, highlights and faded pieces."""

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from generator.base.display_list import Group, Item, Paint, PlacedSymbol, Shape, Symbol, visit_items
from generator.base.errors import InvalidInput, Place, Problem, did_you_mean
from generator.base.geometry import Point, Rect
from generator.books.page.blocks import Block, Figure, Text, change_texts, iter_blocks_within
from generator.books.rulebook.piece_pictures import Anchor, Anchored, WordLine
from generator.drawing.faces.face_marks import RING_IN_TEXT
from generator.game.model import Game
from generator.game.rich_text import RING, Icon


@dataclass(frozen=True, slots=True)
class PlaceMark(Icon):
    """A number in a ring for a place on the table. The other numbers in rings are callouts of figures."""


class Ring(NamedTuple):
    """A number in a ring. The flag is True for a place on the table, False for a callout of a figure."""

    number: int
    place: bool


def find_mentioned_rings(blocks: Iterable[Block]) -> set[Ring]:
    """Return the numbers in rings that the texts of blocks mention."""
    found = set[Ring]()

    def read(text: Text) -> Text:
        for inline in text:
            if isinstance(inline, Icon) and inline.name.startswith(RING):
                found.add(Ring(int(inline.name.removeprefix(RING)), isinstance(inline, PlaceMark)))
        return text

    for block in blocks:
        change_texts(block, read)
    return found


def find_shown_rings(blocks: Iterable[Block]) -> set[Ring]:
    """Return the numbers in rings that the figures among the blocks show."""
    figures = (block for block in iter_blocks_within(blocks) if isinstance(block, Figure))
    return {
        Ring(int(item.symbol.name.removeprefix(RING)), not figure.key)
        for figure in figures
        for item, _ in visit_items(figure.drawing.items, True, lambda _holder, inside: inside)
        if isinstance(item, PlacedSymbol) and item.symbol.name.startswith(RING)
    }


_MENTION = "callout:"


class CalloutNumbers:
    """Collects a book's numbered parts; a mention means the last figure before it, else the first after it."""

    def __init__(self, paint: Paint, problems: list[Problem]):
        self._paint, self._problems = paint, problems
        self._figures: list[Mapping[str, int]] = []
        self._mentions: list[tuple[str, Place | None, int]] = []

    def add_figure(self, names: Sequence[str]) -> None:
        """Add a figure with these callouts; the first is number 1."""
        self._figures.append({name: number for number, name in enumerate(names, start=1)})

    def mention_part(self, name: str, place: Place | None) -> Icon:
        """Return a placeholder for a part's number, which is filled in when all figures are known."""
        self._mentions.append((name, place, len(self._figures)))
        return Icon(f"{_MENTION}{len(self._mentions) - 1}")

    def resolve_mentions(self, blocks: Sequence[Block]) -> tuple[Block, ...]:
        """Replace all placeholders in the blocks by numbers. Report mentions of parts that no figure numbers."""
        known = [name for figure in self._figures for name in figure]
        numbers = []
        for name, place, at in self._mentions:
            nearest = [*reversed(self._figures[:at]), *self._figures[at:]]
            number = next((figure[name] for figure in nearest if name in figure), 0)
            numbers.append(number)
            if not number:
                hint = did_you_mean(name, known) if known else "give a figure `callouts:`"
                self._problems.append(Problem(place, f"no figure calls out '{name}'", hint))
        if not numbers:
            return tuple(blocks)

        def resolve(text: Text) -> Text:
            return tuple(
                [
                    Icon(f"{RING}{numbers[int(inline.name.removeprefix(_MENTION))]}", self._paint, RING_IN_TEXT)
                    if isinstance(inline, Icon) and inline.name.startswith(_MENTION)
                    else inline
                    for inline in text
                ]
            )

        return tuple([change_texts(block, resolve) for block in blocks])


_PLACE = re.compile(r"(?<!\\)\{place:([^{}|\n]+)\}")


class PlaceNumbers:
    """The numbers of places on the table, in the order in which `text` mentions them; `paint` is their colour."""

    def __init__(self, game: Game, text: str, paint: Paint):
        self._plan, self._paint = game.tabletop, paint
        names = (found[1].strip() for found in _PLACE.finditer(text))
        self._numbers = {name: number for number, name in enumerate(dict.fromkeys(names), start=1)}
        self._mentioned: dict[str, Place | None] = {}
        self._shown: set[str] = set()
        self.picture_failed = False

    def show_number(self, name: str) -> int | None:
        """Return the number of a place and record that a picture shows it; None if the text doesn't mention it."""
        self._shown.add(name)
        return self._numbers.get(name)

    def mention_place(self, name: str, place: Place | None) -> PlaceMark:
        """Return the number of a place for use in a text."""
        self._mentioned.setdefault(name, place)
        return PlaceMark(f"{RING}{self._numbers.get(name, 0)}", self._paint, RING_IN_TEXT)

    def find_unseen(self) -> Iterator[Problem]:
        """Yield a problem for each place in the text that no picture shows, unless a picture with a problem may."""
        places = self._plan.places if self._plan is not None else {}
        for name, place in self._mentioned.items():
            if name in self._shown or (self.picture_failed and name in places):
                continue
            if name in places:
                hint = "add a `tabletop` block that shows it, or remove the mark"
            else:
                hint = did_you_mean(name, places) if places else "write the section `tabletop:` (docs/rulebook.md)"
            yield Problem(place, f"the place '{name}' is in no picture of the table", hint)


def find_free_spot(pieces: Sequence[Rect], board: Rect, others: Sequence[Rect]) -> Rect:
    """Return the leftmost square beside a piece for a number: free and inside `board`; if there is none, any."""
    spots, side = list[Rect](), RING_IN_TEXT
    for piece in pieces:
        x, y = piece.x + (piece.width - side) / 2, piece.y + (piece.height - side) / 2
        corners = (x, piece.y - side), (piece.x - side, y), (piece.right, y), (x, piece.bottom)
        spots += [Rect(*corner, side, side) for corner in corners]
    free = [spot for spot in spots if board.contains(spot) and not any(map(spot.overlaps, (*pieces, *others)))]
    return min(free or spots, key=lambda spot: (spot.x, -spot.y))


FADED = 0.35
"""Remaining opacity of a faded piece."""

_HALO, _HALO_WHITE = 0.9, 1.3
"""Width of the line around a highlighted piece, and of the white that separates it from its neighbours (mm)."""

_ARROW, _CASING = 0.7, 1.5
_HEAD, _HALF = 2.6, 1.25
"""Length and half width of an arrow head (mm)."""

_AWAY = 0.7
"""Gap between an arrow's ends and the things that it connects (mm)."""

_BENDS = (0.0, 0.18, -0.18, 0.32, -0.32, 0.5, -0.5, 0.75, -0.75)
"""How far an arrow may bend, as a share of its length, the best first; positive values bend upwards."""

_BEND_PRICE, _OVER_PRICE = 14.0, 40.0
"""Costs added to an arrow's length (mm): for bending, and for crossing a piece."""

_STEPS = 24
_STEEP = 0.25
"""Sine of the minimum angle between an arrow and the edge at its start or target."""

_SIGN, _TO_SIGN = 4.5, 5.5
"""Size of the symbol where an arrow leaves and re-enters a figure, and its distance from the figure (mm)."""

_WHITE: Paint = "#ffffff"
_LABEL_GAP = 0.8


class Arrow(NamedTuple):
    """An arrow with words. With a symbol `around`, it leaves at the right and re-enters at the left."""

    start: str
    end: str
    says: str = ""
    around: Symbol | None = None


Typeset = Callable[[str], WordLine]


class _CurvedArrow(NamedTuple):
    """The curve of an arrow: a quadratic Bézier curve with two ends and one control point."""

    start: Point
    handle: Point
    end: Point

    def point_at(self, share: float) -> Point:
        rest = 1 - share
        return (
            rest * rest * self.start[0] + 2 * rest * share * self.handle[0] + share * share * self.end[0],
            rest * rest * self.start[1] + 2 * rest * share * self.handle[1] + share * share * self.end[1],
        )

    @property
    def spots(self) -> list[Point]:
        return [self.point_at(step / _STEPS) for step in range(_STEPS + 1)]


def fade_figure_items(figure: Anchored, pale: Collection[int]) -> Anchored:
    """Return the figure with some items (by number) mixed with opaque white, so that nothing below shows through."""
    paths = {one.items[0]: one.path for one in figure.anchors.values() if len(one.items) == 1}
    items = list(figure.items)
    for at in pale:
        paper = (Shape(paths[at], _WHITE, role="ground"),) if at in paths else ()
        items[at] = Group((*paper, Group((items[at],), opacity=FADED)))
    return replace(figure, items=tuple(items))


def highlight_anchors(figure: Anchored, names: Sequence[str], paint: Paint) -> Anchored:
    """Return the figure with a coloured line around the named things: behind pieces, above anything else."""
    items, above = list(figure.items), list[Item]()
    box = figure.box
    for name in names:
        anchor = figure.anchors[name]
        piece = len(anchor.items) == 1
        halo = [
            Shape(anchor.path, stroke=line, width=width * (2 if piece else 1), join="round", role="mark")
            for line, width in ((_WHITE, _HALO_WHITE), (paint, _HALO))
        ]
        if piece:
            items[anchor.items[0]] = Group((*halo, items[anchor.items[0]]))
        else:
            above += halo
        box = box.unite(anchor.box.grow(_HALO_WHITE))
    return replace(figure, items=(*items, *above), box=box)


def route_arrows_around(figure: Anchored, arrows: Sequence[Arrow]) -> tuple[Anchored, list[Arrow]]:
    """Split each arrow that goes around the figure into two, which end at a symbol at the right and at the left."""
    items, anchors, found, box = list(figure.items), dict(figure.anchors), list[Arrow](), figure.box
    for number, arrow in enumerate(arrows):
        if arrow.around is None:
            found.append(arrow)
            continue
        out, back = f"around {number} out", f"around {number} back"
        for name, end, x in (
            (out, arrow.start, figure.box.right + _TO_SIGN),
            (back, arrow.end, figure.box.x - _TO_SIGN - _SIGN),
        ):
            row = figure.anchors[end].box
            place = Rect(x, row.y + (row.height - _SIGN) / 2, _SIGN, _SIGN)
            anchors[name] = Anchor(place, items=(len(items),))
            left, top, width, height = arrow.around.box
            scale = place.width / max(width, height)
            shift = place.x - left * scale, place.y - top * scale
            items.append(PlacedSymbol(arrow.around, (scale, 0.0, 0.0, scale, *shift)))
            box = box.unite(place)
        found += [Arrow(arrow.start, out), Arrow(back, arrow.end, arrow.says)]
    return replace(figure, items=tuple(items), anchors=anchors, box=box), found


def draw_arrows(figure: Anchored, arrows: Sequence[Arrow], typeset: Typeset, paint: Paint) -> Anchored:
    """Return the figure with arrows and words, which `typeset` sets. Raise InvalidInput if one finds no free place."""
    drawn: list[Item] = []
    words = list(figure.words)
    box = figure.box
    bows: list[_CurvedArrow] = []
    for arrow in arrows:
        bow = _choose_curve(figure, arrow, words, bows)
        bows.append(bow)
        drawn += _draw_arrow(bow, paint)
        for x, y in bow.spots:
            box = box.unite(Rect(x, y, 0, 0).grow(_HALF))
    for arrow, bow in zip(arrows, bows, strict=True):
        if arrow.says:
            line = typeset(arrow.says)
            place = _place_label(figure, bow, bows, words, line.width, line.height)
            if place is None:
                what = f"the words '{arrow.says}' don't fit in the picture"
                raise InvalidInput(what, "use fewer words, or a larger picture")
            words.append(place)
            drawn.append(line.draw_at(place.x, place.y))
            box = box.unite(place)
    return replace(figure, items=(*figure.items, *drawn), box=box, words=tuple(words))


def _choose_curve(figure: Anchored, arrow: Arrow, words: Sequence[Rect], bows: Sequence[_CurvedArrow]) -> _CurvedArrow:
    start, end = figure.anchors[arrow.start].box, figure.anchors[arrow.end].box
    others = [
        one.box
        for name, one in figure.anchors.items()
        if name not in (arrow.start, arrow.end)
        and one.items
        and not (one.box.contains(start) or one.box.contains(end))
        and not (start.contains(one.box) or end.contains(one.box))
    ]
    best: tuple[float, int, _CurvedArrow] | None = None
    hurdles = [word.grow(_ARROW / 2) for word in words]
    earlier = [spot for one in bows for spot in one.spots]
    curves = [
        (round(math.dist(bow.start, bow.end) + abs(bend) * _BEND_PRICE, 2), number, bow, abs(bend) * _BEND_PRICE)
        for number, (bow, bend) in enumerate(_iter_curves(start, end))
    ]
    for least, number, bow, bending in sorted(curves):  # no curve is shorter than the line between its ends
        if best is not None and least > best[0] + 0.01:
            break
        spots = bow.spots
        long = sum(math.dist(one, other) for one, other in pairwise(spots))
        if best is not None and (round(long + bending, 2), number) >= best[:2]:
            continue
        if any(_crosses_box(spots, hurdle) for hurdle in hurdles):
            continue
        if any(math.dist(spot, other) < _CASING for other in earlier for spot in spots):
            continue
        over = sum(any(_contains_point(other, spot) for spot in spots) for other in others)
        under = sum(_contains_point(own, spot) for own in (start, end) for spot in spots) * long / _STEPS
        price = round(long + under + bending + over * _OVER_PRICE, 2)
        if best is None or (price, number) < best[:2]:
            best = (price, number, bow)
    if best is None:
        what = f"no arrow leads from '{arrow.start}' to '{arrow.end}' without crossing words"
        raise InvalidInput(what, "show fewer things, or larger")
    return best[2]


def _contains_point(box: Rect, spot: Point) -> bool:
    return box.x < spot[0] < box.right and box.y < spot[1] < box.bottom


def _crosses_box(spots: Sequence[Point], box: Rect) -> bool:
    """Return True if a line through these points enters the box, also between two points (Liang-Barsky)."""
    left, top, right, bottom = box.x, box.y, box.right, box.bottom
    for (x0, y0), (x1, y1) in pairwise(spots):
        if (x0 <= left and x1 <= left) or (x0 >= right and x1 >= right) or (y0 <= top and y1 <= top):
            continue
        enter, leave = 0.0, 1.0
        for start, end, low, high in ((x0, x1, left, right), (y0, y1, top, bottom)):
            if start == end:
                if not low < start < high:
                    leave = -1.0
            else:
                one, other = (low - start) / (end - start), (high - start) / (end - start)
                enter, leave = max(enter, min(one, other)), min(leave, max(one, other))
        if enter < leave:
            return True
    return False


def _iter_curves(start: Rect, end: Rect) -> Iterator[tuple[_CurvedArrow, float]]:
    """Yield curves between two boxes, from edge middle or centre to another, and how much each is bent."""
    pairs = [(one, other) for one in _find_edge_middles(start) for other in _find_edge_middles(end)]
    for (one, out), (other, away) in pairs:
        long = math.dist(one, other)
        if long < 2 * _AWAY + _HEAD:
            continue
        across = ((other[1] - one[1]) / long, -(other[0] - one[0]) / long)
        if across[1] > 0 or (across[1] == 0 and across[0] > 0):
            across = (-across[0], -across[1])  # above first; left of a vertical arrow
        for bend in _BENDS:
            far = bend * long * 2
            handle = ((one[0] + other[0]) / 2 + across[0] * far, (one[1] + other[1]) / 2 + across[1] * far)
            if _leaves_box(one, out, handle) and _leaves_box(other, away, handle):
                yield _CurvedArrow(_find_direction(one, handle), handle, _find_direction(other, handle)), bend


def _find_edge_middles(box: Rect) -> list[tuple[Point, Point]]:
    """Return the middles of a box's edges with their outward directions, and its centre without a direction."""
    x, y = box.x + box.width / 2, box.y + box.height / 2
    return [
        ((box.right, y), (1, 0)), ((box.x, y), (-1, 0)), ((x, box.y), (0, -1)), ((x, box.bottom), (0, 1)),
        ((x, y), (0, 0)),
    ]  # fmt: skip


def _leaves_box(spot: Point, out: Point, handle: Point) -> bool:
    """Return True if a curve leaves the box at `spot` steeply enough, not along the edge; `out` is its normal."""
    if out == (0, 0):
        return True
    away = (handle[0] - spot[0]) * out[0] + (handle[1] - spot[1]) * out[1]
    return away > _STEEP * math.dist(spot, handle)


def _find_direction(spot: Point, other: Point) -> Point:
    long = math.dist(spot, other) or 1.0
    return spot[0] + (other[0] - spot[0]) / long * _AWAY, spot[1] + (other[1] - spot[1]) / long * _AWAY


def _draw_arrow(bow: _CurvedArrow, paint: Paint) -> tuple[Item, ...]:
    """Return an arrow in `paint`: its line over a wider white one, and its head."""
    (x0, y0), (x, y) = bow.handle, bow.end
    if math.dist(bow.handle, bow.end) < 1e-6:
        x0, y0 = bow.start
    long = math.dist((x0, y0), (x, y)) or 1.0
    along, aside = ((x - x0) / long, (y - y0) / long), (-(y - y0) / long, (x - x0) / long)
    neck = (x - along[0] * _HEAD, y - along[1] * _HEAD)
    left = (neck[0] + aside[0] * _HALF, neck[1] + aside[1] * _HALF)
    right = (neck[0] - aside[0] * _HALF, neck[1] - aside[1] * _HALF)
    (x0, y0), (hx, hy), (x, y) = bow.start, bow.handle, (neck[0] + along[0] * 0.3, neck[1] + along[1] * 0.3)
    bends = (x0 + (hx - x0) * 2 / 3, y0 + (hy - y0) * 2 / 3, x + (hx - x) * 2 / 3, y + (hy - y) * 2 / 3, x, y)
    shaft = f"M {x0:.3f} {y0:.3f} C " + " ".join(f"{value:.3f}" for value in bends)
    head = "M " + " L ".join(f"{px:.3f} {py:.3f}" for px, py in (bow.end, left, right)) + " Z"
    return (
        Shape(shaft, stroke=_WHITE, width=_CASING, cap="round", role="mark"),
        Shape(head, _WHITE, _WHITE, _CASING - _ARROW, join="round", role="mark"),
        Shape(shaft, stroke=paint, width=_ARROW, cap="round", role="mark"),
        Shape(head, paint, role="mark"),
    )


def _place_label(
    figure: Anchored, bow: _CurvedArrow, bows: Sequence[_CurvedArrow], words: Sequence[Rect], wide: float, high: float
) -> Rect | None:
    """Return the best box (mm) for an arrow's words, clear of words and arrows, if possible of pieces; or None."""
    x, y = bow.point_at(0.5)
    lines = [one.spots for one in bows]
    pieces = [one.box for one in figure.anchors.values() if one.items]
    best: tuple[float, Rect] | None = None
    gap = _LABEL_GAP + _CASING / 2
    for far in range(0, 40, 2):
        for cx, cy in (
            (x, y - gap - high / 2 - far),
            (x, y + gap + high / 2 + far),
            (x + gap + wide / 2 + far, y),
            (x - gap - wide / 2 - far, y),
        ):
            box = Rect(cx - wide / 2, cy - high / 2, wide, high)
            if any(box.overlaps(other) for other in words) or any(
                _crosses_box(line, box.grow(_CASING / 2)) for line in lines
            ):
                continue
            price = far + 100.0 * any(box.overlaps(other) for other in pieces)
            if best is None or price < best[0]:
                best = (price, box)
    return best[1] if best else None
