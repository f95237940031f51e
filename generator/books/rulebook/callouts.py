"""Callouts: numbers around a picture of a piece, with lines (leaders) to its parts; annotations of figures."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from operator import itemgetter
from typing import Literal, NamedTuple, TypeAlias

from generator.base.display_list import Item, Paint, PlacedSymbol, Shape
from generator.base.errors import InvalidInput, Place, did_you_mean
from generator.base.geometry import Point, Rect
from generator.books.page.blocks import Text
from generator.books.rulebook.figure_marks import (
    Arrow,
    CalloutNumbers,
    draw_arrows,
    fade_figure_items,
    highlight_anchors,
    route_arrows_around,
)
from generator.books.rulebook.inline_text import InlineReader
from generator.books.rulebook.manuscript import BlockBody
from generator.books.rulebook.piece_pictures import Anchored, Laid, PieceFaces
from generator.books.rulebook.sequences import find_piece_parts, find_piece_words
from generator.drawing.faces.face_marks import RING_SIDE, draw_circle_path
from generator.drawing.faces.game_drawing import Workshop
from generator.game.rich_text import RING

# A leader is horizontal or vertical over the piece, the shortest way that crosses no words. It bends at most once, in
# the margin, if its number had to make room for others. Leaders never meet.

RADIUS = 2.0
"""Radius of the ring around a number (mm)."""

GAP = 3.6
"""Distance from the edge of the piece to the rings (mm)."""

MARGIN = GAP + 2 * RADIUS
"""Space for the numbers on each side that has some (mm)."""

PITCH = 2 * RADIUS + 0.8
"""Minimum distance between numbers (mm)."""

Side: TypeAlias = Literal["left", "right", "top", "bottom"]
_SIDES: tuple[Side, ...] = ("top", "left", "right", "bottom")

_APART = 1.0
"""Minimum distance between two leaders on the piece (mm)."""

_CLEAR = 0.3
"""Minimum distance between a leader line and words (mm)."""

_SHARES = (0.5, 0.35, 0.65, 0.2, 0.8, 0.08, 0.92)
"""Where a leader may end, as a share of the part's width or height, the best first."""

_BEYOND = 0.9
_INTO = 1.2
"""Distance from the edge of a part to the leader's dot (mm): outside words and small parts, inside others."""

_LINE_HEIGHT = 3.0
"""Height of the lines in which the parts of a piece are read (mm)."""

_SMALL = 8.0
"""Parts up to this size are not covered with a dot (mm)."""

_KEPT = 120
_UPRIGHT_PRICE, _ASIDE_PRICE, _OVER_PRICE, _SHIFT_PRICE = 7.0, 9.0, 6.0, 0.8
"""Costs (mm) of a number above or below, a dot far from the middle, a part crossed, and each mm along the edge."""


class Target(NamedTuple):
    """A part of a piece that gets a number: its name, its box, and whether it consists of words only."""

    name: str
    box: Rect
    words: bool = False


class Leader(NamedTuple):
    """The line from a part to its number: the dot, the point at the piece's edge, the middle of the ring (mm)."""

    name: str
    side: Side
    dot: Point
    exit: Point
    ring: Point

    @property
    def straight(self) -> bool:
        """Return True if the line has no bend at the piece's edge."""
        across = 1 if self.side in ("left", "right") else 0
        return abs(self.exit[across] - self.ring[across]) < 0.05


_Way = tuple[float, Side, Point, Point, Rect]
"""A possible leader: cost, side, dot, the point where it leaves the piece, and the area it occupies."""


def place_leaders(targets: Sequence[Target], piece: Rect, words: Sequence[Rect]) -> list[Leader]:
    """Return lines from parts to numbers beside the piece, in reading order; InvalidInput if one must cross `words`."""
    ways = {target.name: [*_iter_leaders(target, targets, piece, words)] for target in targets}
    for name, found in ways.items():
        if not found:
            what = f"every line to '{name}' would cross words"
            raise InvalidInput(what, "leave it out, or show the piece by itself")
    order = sorted(ways, key=lambda name: (len(ways[name]), min(way[0] for way in ways[name])))
    states: list[tuple[float, dict[str, _Way]]] = [(0.0, {})]
    for name in order:
        ahead = [(cost + way[0], chosen, way) for cost, chosen in states for way in ways[name]]
        ahead.sort(key=itemgetter(0))
        fitting = (
            (cost, {**chosen, name: way})
            for cost, chosen, way in ahead
            if not any(way[4].overlaps(other[4]) for other in chosen.values())
            and (sum(other[1] == way[1] for other in chosen.values()) * PITCH <= _measure_extent(piece, way[1]))
        )
        states = [*islice(fitting, _KEPT)]
        if not states:
            what = f"no place is left for the number of '{name}'"
            raise InvalidInput(what, "make the picture taller, or use fewer callouts")
    made = [(cost, _number_leaders(chosen, piece)) for cost, chosen in states]
    read = {target.name: _find_reading_place(target.name, target.box) for target in targets}

    def measure_price(state: tuple[float, list[Leader]]) -> float:
        along = [(one, int(one.side in ("left", "right"))) for one in state[1]]
        return state[0] + _SHIFT_PRICE * sum(abs(one.ring[axis] - one.exit[axis]) for one, axis in along)

    return sorted(min(made, key=measure_price)[1], key=lambda one: read[one.name])


def _find_reading_place(name: str, box: Rect) -> tuple[int, int, float]:
    """Return a key that sorts parts by their piece (`2 part`), then by line from the top, then from the left."""
    number = name.partition(" ")[0]
    return int(number) if number.isdecimal() else 1, round((box.y + box.height / 2) / _LINE_HEIGHT), box.x


def _iter_leaders(target: Target, targets: Sequence[Target], piece: Rect, words: Sequence[Rect]) -> Iterator[_Way]:
    """Yield possible lines from a part straight to an edge of the piece, with their cost; none crosses other words."""
    box = target.box.intersect(piece)
    own = target.box.grow(_CLEAR)
    hurdles = [each.grow(_CLEAR) for each in words if not own.contains(each)]
    others = [other.box for other in targets if other.name != target.name and not other.box.contains(target.box)]
    for side in _SIDES:
        for share in _SHARES:
            outside = target.words or (box.width if side in ("left", "right") else box.height) <= _SMALL
            x, y = box.x + share * box.width, box.y + share * box.height
            dot = _place_beside(box, side, x, y, -_INTO)
            if outside or any(word.grow(_AROUND).contains(Rect(*dot, 0, 0)) for word in words):
                dot = _place_beside(box, side, x, y, _BEYOND)
            way = _place_beside(piece.unite(Rect(*dot, 0, 0)), side, *dot, 0.0)
            x, y = min(dot[0], way[0]), min(dot[1], way[1])
            line = Rect(x, y, abs(dot[0] - way[0]), abs(dot[1] - way[1]))
            if any(line.overlaps(hurdle) for hurdle in hurdles):
                continue
            long = line.width + line.height
            over = sum(line.grow(_CLEAR).overlaps(other) for other in others)
            aside = abs(share - 0.5) * _ASIDE_PRICE * min(1.0, _measure_extent(box, side) / 6)
            upright = _UPRIGHT_PRICE if side in ("top", "bottom") else 0.0
            yield long + over * _OVER_PRICE + aside + upright, side, dot, way, line.grow(_APART / 2)


def _measure_extent(box: Rect, side: Side) -> float:
    return box.height if side in ("left", "right") else box.width


def _place_beside(box: Rect, side: Side, x: float, y: float, far: float) -> Point:
    """Return the point `far` mm beyond one side of a box, level with (x, y)."""
    if side == "left":
        return box.x - far, y
    if side == "right":
        return box.right + far, y
    return (x, box.y - far) if side == "top" else (x, box.bottom + far)


def _number_leaders(chosen: Mapping[str, _Way], piece: Rect) -> list[Leader]:
    """Return the chosen ways as leaders, with the rings of their numbers spread along each edge so as not to touch."""
    made = []
    for side in _SIDES:
        level = side in ("left", "right")
        here = sorted([(way[3][1] if level else way[3][0], name) for name, way in chosen.items() if way[1] == side])
        first = piece.y if level else piece.x
        places = spread_evenly([at for at, _ in here], first, first + _measure_extent(piece, side))
        for (_, name), place in zip(here, places, strict=True):
            _, _, dot, way, _ = chosen[name]
            made.append(Leader(name, side, dot, way, _place_beside(piece, side, place, place, GAP + RADIUS)))
    return made


def spread_evenly(wanted: Sequence[float], first: float, last: float) -> list[float]:
    """Return positions at least PITCH apart, near the ascending `wanted` ones; if room lacks, they exceed `last`."""
    blocks: list[tuple[float, int]] = []
    for at, place in enumerate(wanted):
        mean, number = place - at * PITCH, 1
        while blocks and blocks[-1][0] > mean:
            before, many = blocks.pop()
            mean, number = (before * many + mean * number) / (many + number), many + number
        blocks.append((mean, number))
    most = last - (len(wanted) - 1) * PITCH
    means = [max(first, min(mean, most)) for mean, number in blocks for _ in range(number)]
    return [mean + at * PITCH for at, mean in enumerate(means)]


_LINE, _CASING = 0.28, 0.8
"""Width of a leader, and of the white casing that separates it from the art (mm)."""

_DOT, _AROUND = 0.55, 0.82
"""Radius of a leader's dot, and of the white area around it (mm)."""

_WHITE: Paint = "#ffffff"


def add_callouts(
    figure: Anchored, targets: Sequence[Target], words: Sequence[Rect], workshop: Workshop, paint: Paint
) -> tuple[Anchored, tuple[str, ...]]:
    """Return the figure with numbers, and the names of their targets, number 1 first.

    Raise InvalidInput if a number has no place.

    `words` are the boxes of the piece's words. Numbers follow the reading order: piece by piece, from the top.
    """
    made = place_leaders(targets, figure.box, words)
    lines = [item for one in made for item in _draw_leader(one, _WHITE, _CASING, _AROUND)]
    lines += [item for one in made for item in _draw_leader(one, paint, _LINE, _DOT)]
    rings: list[Item] = []
    box = figure.box
    for number, one in enumerate(made, start=1):
        x, y = one.ring
        sign = workshop.find_sign(f"{RING}{number}", paint)
        if sign is not None:
            shift = (1.0, 0.0, 0.0, 1.0, round(x - RING_SIDE / 2, 3), round(y - RING_SIDE / 2, 3))
            rings.append(PlacedSymbol(sign, shift, role="mark"))
        box = box.unite(Rect(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS))
    done = Anchored((*figure.items, *lines, *rings), box, figure.anchors, figure.words)
    return done, tuple([one.name for one in made])


def _draw_leader(leader: Leader, paint: Paint, width: float, radius: float) -> tuple[Item, ...]:
    spots = (leader.dot, leader.ring) if leader.straight else (leader.dot, leader.exit, leader.ring)
    path = "M " + " L ".join(f"{x:.3f} {y:.3f}" for x, y in spots)
    line = Shape(path, stroke=paint, width=width, cap="round", join="round", role="mark")
    return line, Shape(draw_circle_path(*leader.dot, radius), paint, role="mark")


KEYS = ("callouts", "arrows", "highlight", "dim")
_ARROW_KEYS = ("from", "to", "says", "around")
_REST = "rest"


class Composed(NamedTuple):
    """A figure before it becomes a drawing, its description in words, its pieces and their scale."""

    figure: Anchored
    alt: str
    laid: Sequence[Laid] = ()
    scale: float = 1.0


Key = tuple[tuple[Text, Place | None], ...]
"""The explanations of a figure's numbers, number 1 first, with their places."""


class FigureAnnotator:
    """Draws arrows, highlights and numbers that a block asks for over its figure, and reports those that fail."""

    def __init__(self, faces: PieceFaces, inline: InlineReader, numbers: CalloutNumbers, paint: Paint):
        """Store the helpers; `paint` is the accent colour of the book, and problems are added to those of `faces`."""
        self._faces, self._inline, self._numbers, self._paint = faces, inline, numbers, paint
        self._problems = faces.problems

    def annotate_figure(self, body: BlockBody, composed: Composed) -> tuple[Composed, Key] | None:
        """Return a block's figure, `composed`, with its annotations and the key to its numbers; None for problems."""
        before = len(self._problems)
        arrows = []
        for inner in body.read_bodies("arrows"):
            inner.check_keys(*_ARROW_KEYS)
            ends = [self._find_anchor(inner, key, inner.get_text(key), composed) for key in ("from", "to")]
            if ends[0] is not None and ends[1] is not None:
                name, workshop = inner.get_text("around"), self._faces.workshop
                symbol = (
                    workshop.find_sign(name, workshop.game.icons[name].colour) if name in workshop.game.icons else None
                )
                if name and symbol is None:
                    inner.add_problem(f"there is no icon '{name}'", did_you_mean(name, workshop.game.icons), "around")
                arrows.append(Arrow(ends[0], ends[1], inner.get_text("says"), symbol))
        lit = self._read_names(body, "highlight", composed)
        pale = [] if body.read_word("dim") == _REST else self._read_names(body, "dim", composed)
        if len(self._problems) > before:
            return None
        figure = composed.figure
        if body.read_word("dim") == _REST:
            shown = {*lit, *(name for arrow in arrows for name in (arrow.start, arrow.end))}
            if not shown:
                what = "`dim: rest` needs something in `highlight`"
                body.add_problem(what, "add `highlight`", "dim")
                return None
            kept = {at for name in shown for at in figure.anchors[name].items}
            figure = fade_figure_items(figure, {at for one in figure.anchors.values() for at in one.items} - kept)
        elif pale:
            figure = fade_figure_items(figure, {at for name in pale for at in figure.anchors[name].items})
        figure = highlight_anchors(figure, lit, self._paint)
        try:
            place = body.place("arrows") if arrows else None
            figure, arrows = route_arrows_around(figure, arrows)
            figure = draw_arrows(figure, arrows, lambda words: self._faces.set_line_of_words(words, place), self._paint)
        except InvalidInput as mistake:
            body.add_problem(str(mistake), mistake.hint, "arrows")
            return None
        alt = "; ".join([composed.alt, *(arrow.says for arrow in arrows if arrow.says)])
        composed = composed._replace(figure=figure, alt=alt)
        return self._add_callouts(body, composed) if "callouts" in body else (composed, ())

    def _read_names(self, body: BlockBody, key: str, made: Composed) -> list[str]:
        named = [self._find_anchor(body, key, str(name), made) for name in body.read_entries(key)]
        return [name for name in named if name is not None]

    def _find_anchor(self, body: BlockBody, key: str, name: str, composed: Composed) -> str | None:
        known = composed.figure.anchors
        if name in known:
            return name
        body.add_problem(f"the figure has no '{name}'", did_you_mean(name, known), key)
        return None

    def _add_callouts(self, body: BlockBody, composed: Composed) -> tuple[Composed, Key] | None:
        """Return `composed` with the numbers that the block asks for, and their explanations; None for a problem."""
        inner, fonts = body.read_inner("callouts"), self._faces.workshop.fonts
        parts = find_piece_parts(composed.laid, fonts)
        known = [*parts, *composed.figure.anchors]
        names = [str(name) for name in body.read_mapping("callouts")]
        before = len(self._problems)
        if not names:
            body.add_problem("there is nothing in callouts", "write `callouts: {part: words}`", "callouts")
        targets = []
        for name in names:
            anchor = composed.figure.anchors.get(name)
            if name in parts:
                targets.append(Target(name, *parts[name]))
            elif anchor is not None:
                targets.append(Target(name, anchor.box))
            else:
                what = f"{composed.alt} has no part '{name}'"
                hint = did_you_mean(name, known) if parts else 'give an element of its template an id="..."'
                inner.add_problem(what, hint, name)
        if len(self._problems) > before:
            return None
        words = (*find_piece_words(composed.laid, fonts), *composed.figure.words)
        try:
            figure, numbered = add_callouts(composed.figure, targets, words, self._faces.workshop, self._paint)
        except InvalidInput as mistake:
            body.add_problem(str(mistake), mistake.hint, "callouts")
            return None
        self._numbers.add_figure(numbered)
        texts = [self._inline.read_plain(inner.get_text(name), inner.place(name)) for name in numbered]
        places = [inner.place(name, begins=True) for name in numbered]
        return composed._replace(figure=figure), tuple(zip(texts, places, strict=True))
