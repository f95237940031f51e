"""Figure setter: a picture with caption and key as one strip, or beside the text after it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import ceil, floor, hypot, inf
from operator import itemgetter

from generator.base.display_list import Drawing, Group, Item, PlacedSymbol, Symbol, Tag, TextRun, get_inner_items
from generator.base.errors import Place, Problem
from generator.base.geometry import Rect
from generator.books.page.blocks import Block, Figure, Paragraph, Text, id_from_design
from generator.books.page.strips import Lane, Strip, StripSize, Thing, snap_to_grid, stack_strips
from generator.books.page.text_setter import TextSetter
from generator.books.page.text_strips import (
    PARAGRAPH_GAP,
    add_room_above,
    find_baseline,
    find_paragraph_style,
    set_text_strips,
    strips_from_lines,
    thing_from_line,
)
from generator.game.rich_text import RING, Icon

LEAST_EMS = 13.0
"""Minimum width of a key beside its picture (em)."""

GAP = 5.0
"""Space between the picture and the key beside it, and between two columns of a key (mm)."""

_INDENT = 1.7
_BETWEEN = 0.35
"""Space between two entries of a key (share of the distance between lines)."""

_RING_EMS = 1.25

_Entry = tuple[list[Thing], float]


class _KeySetter:
    """Sets the keys of figures: numbered explanations of their parts."""

    def __init__(self, setter: TextSetter):
        self._setter = setter
        self._style = replace(setter.look.note, paint="ink")

    def measure_beside(self, picture: float, column: float) -> float:
        """Return the width of a key beside a picture in a column (widths in mm), or 0 if there is too little room."""
        room = column - picture - GAP
        return room if room >= LEAST_EMS * self._style.em else 0.0

    def set_key(self, figure: Figure, width: float, columns: int, part: int) -> tuple[list[Thing], float]:
        """Return the key from (0, 0), `width` mm wide in balanced columns, with tags of `part`, and its height."""
        wide = (width - GAP * (columns - 1)) / columns
        entries = [
            self._set_entry(text, number, wide, part, figure.origin.get_part_place(number - 1))
            for number, text in enumerate(figure.key, start=1)
        ]
        between = _BETWEEN * self._style.pitch
        things: list[Thing] = []
        tall = 0.0
        for column, some in enumerate(_split_columns(entries, columns)):
            y = 0.0
            for lines, high in some:
                things += [thing.move_by(column * (wide + GAP), y) for thing in lines]
                y += high + between
            tall = max(tall, y - between)
        return things, tall

    def _set_entry(self, text: Text, number: int, width: float, part: int, place: Place | None) -> _Entry:
        style, look = self._style, self._setter.look
        item = (Tag("L", part + 1, listing="Decimal"), Tag("LI", number))
        indent = _INDENT * style.em
        drop = find_baseline(look, style, style.pitch)
        ring = (Icon(f"{RING}{number}", look.accent, _RING_EMS * style.em),)
        mark = self._setter.set_lines(ring, style, 2 * indent, place)[0]
        box = Rect(0, 0, indent, style.pitch)
        things = [thing_from_line(mark, "list", 0.0, drop, box, part, (*item, Tag("Lbl", 1)))]
        lines = self._setter.set_lines(text, style, width - indent, place)
        for at, line in enumerate(lines):
            box = Rect(indent, at * style.pitch, width - indent, style.pitch)
            things.append(thing_from_line(line, "list", 0.0, drop, box, part, (*item, Tag("LBody", 2))))
        return things, max(1, len(lines)) * style.pitch


def _split_columns(entries: Sequence[_Entry], columns: int) -> list[Sequence[_Entry]]:
    """Split the entries of a key into one or two columns of about the same height, in their order."""
    if columns == 1:
        return [entries]
    total = sum(high for _, high in entries)
    taken, at = 0.0, 0
    while at < len(entries) and taken + entries[at][1] / 2 < total / 2:
        taken += entries[at][1]
        at += 1
    at = max(at, ceil(len(entries) / 2) if len({high for _, high in entries}) == 1 else 1)
    return [entries[:at], entries[at:]]


LEAST_SCALE = 0.5
"""Minimum scale of a picture in its column; larger pictures are an error."""

TALLEST_SHARE = 0.8
"""Maximum share of a column's height for a figure, so that the titles above it fit in the same column."""

_CAPTION_GAP = 1.2
_KEY_GAP = 2.4
_ASIDE = 4.0
_LEAST_CAPTION = 26.0
"""Minimum width of the caption of a figure beside text, even if the picture is narrower (mm)."""

_MOST_BESIDE = 0.5
"""Maximum share of a column's width for a picture beside text."""

_LEAST_BESIDE_EMS = 14.0

_READABLE = 6.0
"""Minimum size of words in a figure (points). Below it the figure is composed again for the available width."""

_STEPS, _CLOSER, _TRIES = 50, 0.94, 6
"""Number of scales to try, factor from one to the next, and maximum number of new compositions of a figure."""

_SIZES = (0.85, 0.93, 1.06, 1.12, 1.2, 1.3)
"""Scales that a figure may take to fill its page."""


def find_shown_designs(drawing: Drawing) -> tuple[str, ...]:
    """Return the ids of the index entries for the components that a figure shows."""
    found: dict[str, None] = {}
    waiting: list[Item] = [*drawing.items]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Group):
            design = dict(item.data).get("design")
            if design is None:
                waiting += item.items
            elif item.title:
                found[id_from_design(design, item.title)] = None
    return tuple(found)


def iter_own_type_sizes(items: Iterable[Item], scale: float = 1.0) -> Iterator[float]:
    """Yield the sizes (points, times `scale`) of a figure's own words, not of texts on the cards that it shows."""
    for item in items:
        if isinstance(item, TextRun):
            yield item.size * scale
        elif isinstance(item, Group) or (isinstance(item, PlacedSymbol) and item.symbol.name.startswith(RING)):
            a, b, _, _, _, _ = item.matrix
            yield from iter_own_type_sizes(get_inner_items(item), scale * hypot(a, b))


class FigureSetter:
    """Sets figures in columns `height` mm high."""

    def __init__(self, setter: TextSetter, height: float):
        self._setter, self._height = setter, height
        self._keys = _KeySetter(setter)

    def set_figure(self, figure: Figure, lane: Lane) -> Strip:
        """Return a centred figure as one strip, with its caption and half a line of space below it."""
        unit = self._setter.look.unit
        natural = self._resize_figure(figure, lane, 1.0)
        told = len(self._setter.problems)
        resized = (self._resize_figure(figure, lane, size) for size in (() if figure.firm else _SIZES))
        others = {each.height: each for each in resized}
        del self._setter.problems[told:]  # these repeat at every size
        sizes = tuple(others[height] for height in sorted(others) if height != natural.height)
        terms = (term for thing in natural.things for term in thing.terms)
        shown = tuple(dict.fromkeys((*find_shown_designs(figure.drawing), *terms)))
        strip = Strip(natural.height, natural.things, PARAGRAPH_GAP * unit, snap=True, terms=shown, sizes=sizes)
        return strip._replace(floats=True, stretch=2)

    def _resize_figure(self, figure: Figure, lane: Lane, size: float) -> StripSize:
        unit = self._setter.look.unit
        size *= self._setter.look.format.pictures
        if figure.key:
            things, tall, wide = self._set_with_key(figure, lane, size)
        else:
            things, tall, wide = self._set_things(figure, (lane.width, lane.width), lane.part, size)
        left = lane.x + (lane.width - wide) / 2
        height = snap_to_grid(tall, unit) + unit
        return StripSize(height, tuple(thing.move_by(left, (height - unit - tall) / 2) for thing in things))

    def set_beside(self, figure: Figure, following: Sequence[Block], lane: Lane) -> tuple[list[Strip], int] | None:
        """Return the next blocks with the figure at their right, and how many these are; None if it does not fit."""
        look, width = self._setter.look, lane.width
        unit, pitch = look.unit, look.body.pitch
        if figure.drawing.width > width * _MOST_BESIDE or figure.key:
            return None
        least = max(figure.drawing.width, _LEAST_CAPTION if figure.caption else 0.0)
        things, tall, wide = self._set_things(figure, (figure.drawing.width, least), lane.part)
        narrow = look.fit_characters(width - wide - _ASIDE)
        if narrow < _LEAST_BESIDE_EMS * look.body.em:
            return None
        rows = ceil((tall + 0.3 * pitch) / pitch - 1e-6)
        text, rest, taken, tail = self._wrap_around(following, lane, narrow, rows)
        if not text or stack_strips(text, unit)[1] < tall / 3:
            return None
        lines, bottom = stack_strips(text, unit)
        picture = [thing.move_by(lane.x + width - wide, 0.2 * pitch) for thing in things]
        height = max(bottom, snap_to_grid(tall + 0.3 * pitch, unit))
        shown = [*find_shown_designs(figure.drawing), *(term for thing in things for term in thing.terms)]
        terms = tuple(dict.fromkeys([*shown, *(term for strip in text for term in strip.terms)]))
        above = PARAGRAPH_GAP * unit
        both = Strip(height, (*picture, *lines), above, True, keep=tail, flows=False, terms=terms)
        instead = [self.set_figure(figure, lane)]
        for at, block in enumerate(following[:taken]):
            if isinstance(block, Paragraph):
                style = find_paragraph_style(look, block)
                below = replace(lane, part=lane.part + 1 + at)
                strips = set_text_strips(self._setter, block.text, style, below, block.origin.place)
                instead += add_room_above(strips, above)
        both = both._replace(instead=tuple(instead), covers=1 + len(rest))
        return [both, *rest], taken

    def _wrap_around(
        self, following: Sequence[Block], lane: Lane, narrow: float, rows: int
    ) -> tuple[list[Strip], list[Strip], int, bool]:
        """Return strips beside the figure (`rows` lines `narrow` mm wide), strips below it, and the paragraph count.

        The last value is True if the figure must not be separated from the text that follows.
        """
        look = self._setter.look
        pitch, unit = look.body.pitch, look.unit
        text: list[Strip] = []
        rest: list[Strip] = []
        taken, keep = 0, False
        for block in following:
            left = rows - ceil(stack_strips(text, unit)[1] / pitch - 1e-6)
            if not isinstance(block, Paragraph) or block.role == "note" or left <= 1:
                break
            style = find_paragraph_style(look, block)
            composed = self._setter.compose_text(block.text, style, block.origin.place)
            lines = composed.break_lines(lane.width, left, narrow)
            strips = strips_from_lines(lines, look, style, replace(lane, part=lane.part + 1 + taken))
            taken += 1
            text += add_room_above(strips[:left], PARAGRAPH_GAP * unit if text else 0.0)
            rest = strips[left:]
            if rest:
                keep = len(rest) == 1 or min(len(strips), left) < 2
                rest = [strip._replace(keep=at == len(rest) - 2) for at, strip in enumerate(rest)]
                rest[0] = rest[0]._replace(snap=True)
                break
        return text, rest, taken, keep

    def _set_with_key(self, figure: Figure, lane: Lane, size: float) -> tuple[list[Thing], float, float]:
        """Return a figure (its picture times `size`), key and caption from (0, 0), with their height and width (mm)."""
        column, part = lane.width, lane.part
        beside = self._keys.measure_beside(figure.drawing.width, column)
        key, tall = self._keys.set_key(figure, beside or column, 1 if beside or len(figure.key) == 1 else 2, part)
        bare = replace(figure, caption=())
        if beside:
            things, high, wide = self._set_things(bare, (figure.drawing.width, figure.drawing.width), part, size)
            middle = max(high, tall)
            things = [thing.move_by(0.0, (middle - high) / 2) for thing in things]
            key = [thing.move_by(wide + GAP, (middle - tall) / 2) for thing in key]
        else:
            things, high, _ = self._set_things(bare, (column, column), part, size, _KEY_GAP + tall)
            key = [thing.move_by(0.0, high + _KEY_GAP) for thing in key]
            middle = high + _KEY_GAP + tall
        whole = (Tag("Div", part),)
        things += [thing.put_within(whole) for thing in key]
        below, deep = self._set_caption(figure, column, part)
        return [*things, *(thing.move_by(0.0, middle) for thing in below)], middle + deep, column

    def _set_caption(self, figure: Figure, width: float, part: int) -> tuple[list[Thing], float]:
        """Return the caption below y = 0 and its height (mm) with the gap above. `part` is the number of its tags."""
        if not figure.caption:
            return [], 0.0
        style = replace(self._setter.look.note, paint="ink")
        drop = find_baseline(self._setter.look, style, style.pitch)
        lines = self._setter.set_lines(figure.caption, style, width, figure.origin.place)
        things = []
        for at, line in enumerate(lines):
            box = Rect(0, _CAPTION_GAP + at * style.pitch, width, style.pitch)
            x = 0.0 if len(lines) > 1 else (width - line.width) / 2
            tags = (Tag("Div", part), Tag("Caption", part + 2))
            things.append(thing_from_line(line, "caption", x, drop, box, part, tags))
        return things, _CAPTION_GAP + style.pitch * len(lines)

    def _set_things(
        self, figure: Figure, widths: tuple[float, float], part: int, size: float = 1.0, more: float = 0.0
    ) -> tuple[list[Thing], float, float]:
        """Return the picture and its caption from (0, 0), with their height and width (mm).

        `widths` are the maximum of the picture and of both together; `more` is the height below the picture. `size`
        scales it, if there is room. `part` is the number of their tags.
        """
        width, wide = widths
        drawing = figure.drawing
        room = self._height * TALLEST_SHARE
        scale = min(1.0, width / drawing.width)
        place = figure.origin.place
        caption, below = self._set_caption(figure, wide, part)
        scale = min(scale, (room - below - more) / drawing.height)
        if scale < LEAST_SCALE:
            what = f"the figure '{figure.alt}' is {drawing.width:.0f} x {drawing.height:.0f} mm"
            most = f"{width / LEAST_SCALE:.0f} x {room / LEAST_SCALE:.0f} mm at most"
            hint = f"make it fit {most}, or choose a larger page"
            self._setter.problems.append(Problem(place, f"{what}: too large for its column", hint))
        fitting = min(scale * size, width / drawing.width, (room - below - more) / drawing.height)
        scale = max(fitting, min(scale, LEAST_SCALE))
        drawing, scale = _make_readable(figure, scale, width)
        high = drawing.height * scale
        left = (wide - drawing.width * scale) / 2
        symbol = Symbol(f"figure:{figure.alt}", drawing.items, (0.0, 0.0, drawing.width, drawing.height))
        placed = PlacedSymbol(symbol, (scale, 0.0, 0.0, scale, 0.0, 0.0), clip=True, role="art")
        around = (Tag("Div", part),) if caption or figure.key else ()
        tags = (*around, Tag("Figure", part, alt=figure.alt)) if figure.alt else ()
        box = Rect(left, 0, drawing.width * scale, high)
        things = [Thing("figure", box, (placed,), part=part, alt=figure.alt, tags=tags)]
        things += [thing.move_by(0.0, high) for thing in caption]
        return things, high + below, wide


def _make_readable(figure: Figure, scale: float, width: float) -> tuple[Drawing, float]:
    """Return a figure's drawing and scale, composed again if its words would be too small at `scale`.

    The result is no higher, and no wider than `width` (mm). If no composition is legible, its words are as large as
    possible.
    """
    high = figure.drawing.height * scale
    best, by = (_find_least_type(figure.drawing, scale), figure.drawing, scale), scale
    for _ in range(_TRIES):
        if best[0] >= _READABLE or figure.smaller is None:
            break
        drawing = figure.smaller(max(1, floor(by * _STEPS)) / _STEPS, floor(width))
        by *= _CLOSER
        if drawing is not None:
            fits = min(1.0, width / drawing.width, high / drawing.height)
            best = max(best, (_find_least_type(drawing, fits), drawing, fits), key=itemgetter(0))
    return best[1:]


def _find_least_type(drawing: Drawing, scale: float) -> float:
    return min(iter_own_type_sizes(drawing.items, scale), default=inf)
