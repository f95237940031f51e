"""Sequences: draws pieces in columns or in a line, and figures before and after, with named parts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias

from generator.base import outlines
from generator.base.display_list import Group, Item, Paint, PlacedSymbol, Shape, TextRun, visit_items
from generator.base.geometry import Matrix, Rect, map_point, map_rect, multiply
from generator.base.languages import phrase
from generator.base.outlines import clip_box, rectangle_path
from generator.books.rulebook.piece_pictures import (
    Anchor,
    Anchored,
    Laid,
    PiecePicture,
    WordLine,
    enclose_boxes,
    measure_pieces,
    round_matrix,
)
from generator.drawing.svg.face_areas import ClippedPlace, enter_item, measure_ink_box
from generator.text.fonts import FontBook


class Part(NamedTuple):
    """A named part of a face: its box, and True if it consists of words only."""

    box: Rect
    words: bool


def find_face_parts(items: Sequence[Item], matrix: Matrix, fonts: FontBook) -> dict[str, Part]:
    """Return the box of each named group in a face that paints something. Of repeated ids the first counts."""
    found: dict[str, Part] = {}
    for group, at in visit_items(items, matrix, lambda holder, around: multiply(around, holder.matrix)):
        if isinstance(group, Group) and group.id and group.id not in found:
            leaves = [*_iter_leaves((group,), at, fonts)]
            box = enclose_boxes(box for box, _ in leaves)
            if box is not None:
                found[group.id] = Part(box, all(words for _, words in leaves))
    return found


def _iter_leaves(items: Sequence[Item], matrix: Matrix, fonts: FontBook) -> Iterator[tuple[Rect, bool]]:
    """Yield the box that is visible, after `matrix` and clipping, of every painted item, with True if it is text."""
    around: ClippedPlace = (matrix, ())
    for item, (at, clips) in visit_items(items, around, enter_item):
        if not isinstance(item, (Group, PlacedSymbol)):
            if isinstance(item, Shape):
                whole = outlines.find_bounds(item.path, at) if item.path and (item.fill or item.stroke) else None
            elif isinstance(item, TextRun):
                whole = measure_ink_box(item, at, fonts)
            else:
                whole = map_rect(at, Rect(item.x, item.y, item.width, item.height))
            if (box := clip_box(whole, clips)) is not None:
                yield box, isinstance(item, TextRun)


_FINE = 0.05


def anchor_pieces(laid: Sequence[Laid]) -> Anchored:
    """Return placed pieces as a figure, in which each piece is named by its number, from 1."""
    items = tuple([piece.place_piece(round_matrix(matrix), scale) for piece, matrix, scale in laid])
    anchors = {
        str(number): Anchor(measure_pieces([one]), move_path(one[0].outline, one[1]), (number - 1,))
        for number, one in enumerate(laid, start=1)
    }
    return Anchored(items, measure_pieces(laid), anchors)


def move_path(path: str, matrix: Matrix) -> str:
    """Return a path transformed by a matrix, with curves replaced by short lines."""
    drawn = []
    for loop in outlines.flatten_path(path, _FINE):
        spots = [map_point(matrix, point) for point in loop.points]
        drawn.append("M " + " L ".join(f"{x:.3f} {y:.3f}" for x, y in spots) + " Z")
    return " ".join(drawn) or rectangle_path(Rect(0, 0, 0, 0))


def find_piece_parts(laid: Sequence[Laid], fonts: FontBook) -> Mapping[str, Part]:
    """Return the named parts of pieces: those of the first piece by id, of others by `2 id`, `3 id` ..."""
    found: dict[str, Part] = {}
    for number, (piece, matrix, _) in enumerate(laid, start=1):
        whole = outlines.find_bounds(piece.outline, matrix) or Rect(0, 0, 0, 0)
        for name, part in find_face_parts(piece.symbol.items, matrix, fonts).items():
            if part.box.overlaps(whole):
                cut = part._replace(box=part.box.intersect(whole))
                found[f"{number} {name}" if number > 1 else name] = cut
    return found


def find_piece_words(laid: Sequence[Laid], fonts: FontBook) -> tuple[Rect, ...]:
    """Return the boxes of all texts on the pieces, in the figure's mm."""
    leaves = (leaf for piece, matrix, _ in laid for leaf in _iter_leaves(piece.symbol.items, matrix, fonts))
    return tuple([box for box, words in leaves if words])


def list_names(names: Sequence[str], lang: str) -> str:
    """Join names to one text; a repeated name appears once, with its count."""
    shown = [f"{name} ×{number}" if number > 1 else name for name, number in Counter(names).items()]
    return phrase("and", lang).join(shown)


Towards: TypeAlias = Literal["down", "up", "right", "left"]
TOWARDS: tuple[Towards, ...] = ("down", "up", "right", "left")
"""Directions in which later cards of a column are placed."""

HEAD = 0.26
"""Visible share of a covered card in the direction of the column."""

_BETWEEN = 3.0
_SMALL, _MARKED = 0.5, 0.3
"""A piece below this share of the tallest height is put onto the card before it, at this share of its width."""

_LABEL_GAP = 0.8
_GAP = 2.0
_ENDS_GAP = 1.6
_DASHES = (1.4, 1.0)
ARROW_ROOM = 12.0
"""Space for the arrow between a figure before and a figure after (mm)."""

_SHAFT, _HEAD_LONG, _HEAD_HALF = 0.5, 2.2, 1.1

Ends: TypeAlias = tuple[WordLine, WordLine]
"""Words to write at the first and at the last piece of an ordered figure."""


class CardColumn(NamedTuple):
    """A column of cards in order, each with its anchor name. `names` are anchors for the whole column."""

    names: Sequence[str]
    pieces: Sequence[tuple[str, PiecePicture]]
    label: WordLine | None


def draw_card_grid(
    columns: Sequence[CardColumn], towards: Towards, scale: float, first_whole: bool, ends: Ends | None, paint: Paint
) -> Anchored:
    """Draw columns (or rows, if later cards are left or right) of overlapping cards; small pieces lie on cards.

    A column without cards is a dashed outline of the tallest, in `paint`. The heads of covered cards stay visible;
    `first_whole` shows all of the first card. `ends` are words at the first and last card, with an arrow between.
    """
    upright = towards in ("down", "up")
    items: list[Item] = []
    anchors: dict[str, Anchor] = {}
    words: list[Rect] = []
    across = 0.0
    model = max((piece for _, pieces, _ in columns for _, piece in pieces), key=lambda piece: piece.height)
    room = Rect(-model.width * scale / 2, -model.height * scale / 2, model.width * scale, model.height * scale)
    free_place = Anchored((_draw_dashed_box(room, paint),), room, {})
    drawn = [_overlap_cards(one.pieces, towards, scale, first_whole) if one.pieces else free_place for one in columns]
    blocks = [(column.names, block, column.label) for column, block in zip(columns, drawn, strict=True)]
    high = max((line.height + _LABEL_GAP for _, _, line in blocks if line is not None), default=0.0)
    label_wide = max((line.width + _GAP for _, _, line in blocks if line is not None), default=0.0)
    for names, block, label in blocks:
        wide = max(block.box.width, label.width if label and upright else 0.0)
        if upright:
            x = across + (wide - block.box.width) / 2 - block.box.x
            y = high - block.box.y if towards == "down" else -block.box.bottom
        else:
            x = label_wide - block.box.x if towards == "right" else -block.box.right
            y = across - block.box.y
        placed = block.move_by(x, y)
        if label is not None:
            if upright:
                top = 0.0 if towards == "down" else _LABEL_GAP
                spot = Rect(across + (wide - label.width) / 2, top, label.width, label.height)
            else:
                middle = across + (block.box.height - label.height) / 2
                spot = Rect(0.0 if towards == "right" else _GAP, middle, label.width, label.height)
            items.append(label.draw_at(spot.x, spot.y))
            words.append(spot)
        begin = len(items)
        anchors |= placed.number_anchors(begin)
        anchors |= {name: Anchor(placed.box, "", tuple(range(begin, begin + len(placed.items)))) for name in names}
        items += placed.items
        across += (wide if upright else block.box.height) + _BETWEEN
    box = enclose_boxes([*(one.box for one in anchors.values()), *words]) or Rect(0, 0, 1, 1)
    figure = Anchored(tuple(items), box, anchors, tuple(words))
    return _add_ends(figure, ends, towards, paint) if ends else figure


def _draw_dashed_box(box: Rect, paint: Paint) -> Shape:
    return Shape(rectangle_path(box.grow(-0.3)), stroke=paint, width=0.5, dash=_DASHES, role="mark")


def _overlap_cards(
    pieces: Sequence[tuple[str, PiecePicture]], towards: Towards, scale: float, first_whole: bool
) -> Anchored:
    """Return cards that overlap but for their heads (upper or, in a row, left edges) and the whole first if asked."""
    upright, sign = towards in ("down", "up"), 1 if towards in ("down", "right") else -1
    small = max(piece.height for _, piece in pieces) * _SMALL
    cards: list[tuple[str, Laid]] = []
    markers: list[tuple[str, Laid]] = []
    at, below, many = 0.0, Rect(0, 0, 0, 0), 0
    for name, piece in pieces:
        wide, high = piece.width * scale, piece.height * scale
        if piece.height < small and cards:
            x = below.x + below.width * _MARKED + many * (wide + 0.6)
            markers.append((name, (piece, (scale, 0.0, 0.0, scale, x, below.y + (below.height - high) / 2), scale)))
            many += 1
            continue
        x, y = (-wide / 2, at) if upright else (at, -high / 2)
        below, many = Rect(x, y, wide, high), 0
        long = high if upright else wide
        at += sign * (long + _GAP / 2 if first_whole and not cards else long * HEAD)
        cards.append((name, (piece, (scale, 0.0, 0.0, scale, x, y), scale)))
    if sign < 0:
        cards.reverse()  # later cards are below, so that heads stay visible
    everything = [*cards, *markers]
    figure = anchor_pieces([one for _, one in everything])
    named = dict(zip([name for name, _ in everything], figure.anchors.values(), strict=True))
    boxes = [named[name].box for name, _ in (cards if sign > 0 else cards[::-1])]
    for (name, _), own, following in zip(cards if sign > 0 else cards[::-1], boxes, boxes[1:], strict=False):
        named[name] = named[name]._replace(box=_find_visible_box(own, following, towards))
    return replace(figure, anchors=named)


def _find_visible_box(own: Rect, following: Rect, towards: Towards) -> Rect:
    if not own.overlaps(following):
        return own
    if towards == "down":
        return Rect(own.x, own.y, own.width, following.y - own.y)
    if towards == "right":
        return Rect(own.x, own.y, following.x - own.x, own.height)
    return own


def draw_card_path(
    pieces: Sequence[PiecePicture], scale: float, ends: Ends | None, next_at: int | None, paint: Paint
) -> Anchored:
    """Draw cards in a line; `next_at` is the number of the next card's place, drawn as a dashed outline.

    Its anchor is `next`; the cards' anchors are their numbers. Below is an arrow from one end's words to the other's.
    """
    model = max(pieces, key=lambda piece: piece.height)
    laid: list[Laid] = []
    x = 0.0
    free: Rect | None = None
    for number in range(1, len(pieces) + 2):
        if number == next_at:
            free = Rect(x, 0.0, model.width * scale, model.height * scale)
            x += free.width + _GAP
        if number <= len(pieces):
            piece = pieces[number - 1]
            laid.append((piece, (scale, 0.0, 0.0, scale, x, (model.height - piece.height) * scale), scale))
            x += piece.width * scale + _GAP
    figure = anchor_pieces(laid)
    if free is not None:
        dashed = _draw_dashed_box(free, paint)
        x, y, arm = free.x + free.width / 2, free.y + free.height / 2, min(free.width, free.height) * 0.12
        cross = f"M {x - arm:.3f} {y:.3f} L {x + arm:.3f} {y:.3f} M {x:.3f} {y - arm:.3f} L {x:.3f} {y + arm:.3f}"
        plus = Shape(cross, stroke=paint, width=0.6, cap="round", role="mark")
        anchors = {**figure.anchors, "next": Anchor(free, "", (len(figure.items), len(figure.items) + 1))}
        figure = Anchored((*figure.items, dashed, plus), figure.box.unite(free), anchors)
    return _add_ends(figure, ends, "right", paint) if ends else figure


def _add_ends(figure: Anchored, ends: Ends, towards: Towards, paint: Paint) -> Anchored:
    """Return the figure with an arrow in `paint` along it, `towards` its last piece, between the words of `ends`."""
    one, other = ends if towards in ("right", "down") else ends[::-1]
    box = figure.box
    if towards in ("right", "left"):
        y = box.bottom + _ENDS_GAP
        right = max(box.right, box.x + one.width + other.width + 12)
        spots = (Rect(box.x, y, one.width, one.height), Rect(right - other.width, y, other.width, other.height))
        middle = y + one.height * 0.5
        tips = ((spots[0].right + 1.5, middle), (spots[1].x - 1.5, middle))
    else:
        wide = max(one.width, other.width)
        x = box.x - _ENDS_GAP - wide
        bottom = max(box.bottom, box.y + one.height + other.height + 8)
        spots = (
            Rect(x + (wide - one.width) / 2, box.y, one.width, one.height),
            Rect(x + (wide - other.width) / 2, bottom - other.height, other.width, other.height),
        )
        tips = ((x + wide / 2, spots[0].bottom + 0.8), (x + wide / 2, spots[1].y - 0.8))
    arrow = tips if towards in ("right", "down") else tips[::-1]
    drawn = [line.draw_at(spot.x, spot.y) for line, spot in zip((one, other), spots, strict=True)]
    whole = enclose_boxes([box, *spots]) or box
    items = (*figure.items, *draw_straight_arrow(*arrow, paint), *drawn)
    taken = enclose_boxes(spots) or box
    return Anchored(items, whole, figure.anchors, (*figure.words, taken))


def draw_straight_arrow(start: tuple[float, float], end: tuple[float, float], paint: Paint) -> tuple[Item, ...]:
    """Return the shaft and head of an arrow from `start` to `end` (mm), which must be level or upright."""
    (x0, y0), (x, y) = start, end
    along = ((x > x0) - (x < x0), (y > y0) - (y < y0))
    neck = (x - along[0] * _HEAD_LONG, y - along[1] * _HEAD_LONG)
    aside = (along[1] * _HEAD_HALF, along[0] * _HEAD_HALF)
    corners = ((x, y), (neck[0] + aside[0], neck[1] + aside[1]), (neck[0] - aside[0], neck[1] - aside[1]))
    head = "M " + " L ".join(f"{px:.3f} {py:.3f}" for px, py in corners) + " Z"
    shaft = f"M {x0:.3f} {y0:.3f} L {neck[0]:.3f} {neck[1]:.3f}"
    return Shape(shaft, stroke=paint, width=_SHAFT, cap="round", role="mark"), Shape(head, paint, role="mark")


def draw_change(before: Anchored, after: Anchored, words: Ends, width: float, paint: Paint) -> Anchored:
    """Draw two figures below their words with an arrow between, one below the other if they are too wide.

    Both keep their positions: unchanged pieces are at the same height, or equally far from the left. The anchors are
    those of both, prefixed with `before` and `after`.
    """
    aside = before.box.width + ARROW_ROOM + after.box.width <= width
    head = words[0].height + _LABEL_GAP
    if aside:
        y = head - min(before.box.y, after.box.y)
        first = before.move_by(-before.box.x, y)
        x = first.box.right + ARROW_ROOM
        second = after.move_by(x - after.box.x, y)
        labels = (0.0, 0.0), (x, 0.0)
        y = (head + max(first.box.bottom, second.box.bottom)) / 2
        arrow = draw_straight_arrow((first.box.right + 3.0, y), (x - 3.0, y), paint)
    else:
        left = -min(before.box.x, after.box.x)
        first = before.move_by(left, head - before.box.y)
        y = first.box.bottom + ARROW_ROOM * 0.75
        second = after.move_by(left, y + head - after.box.y)
        labels = (0.0, 0.0), (0.0, y)
        x = max(words[0].width, words[1].width) / 2
        arrow = draw_straight_arrow((x, first.box.bottom + 1.4), (x, y - 1.2), paint)
    items = [*first.items, *second.items]
    anchors = first.number_anchors(0, "before ") | second.number_anchors(len(first.items), "after ")
    spots = [Rect(x, y, line.width, line.height) for line, (x, y) in zip(words, labels, strict=True)]
    items += [*arrow, *(line.draw_at(spot.x, spot.y) for line, spot in zip(words, spots, strict=True))]
    box = enclose_boxes([first.box, second.box, *spots]) or first.box
    return Anchored(tuple(items), box, anchors, (*first.words, *second.words, *spots))
