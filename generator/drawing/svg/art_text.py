"""Text of art files: place its characters, choose its fonts, draw its glyphs."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import NamedTuple

from generator.base.display_list import Item, TextRun
from generator.base.errors import InvalidInput
from generator.base.geometry import PT_PER_MM, make_rotation, make_translation, map_point, multiply
from generator.base.outlines import make_track
from generator.drawing.svg.reader_state import NodeContext, ReaderState
from generator.drawing.svg.shape_outlines import read_path_data
from generator.drawing.svg.style import Style
from generator.drawing.svg.tree import Element
from generator.drawing.svg.values import AlphaColour, list_numbers, parse_length, parse_lengths, parse_share
from generator.drawing.svg.vocabulary import SHAPES
from generator.text.fonts import Font

MOST_CHARACTERS = 20_000
"""Maximum characters of a text, and maximum positioned characters of a drawing, since checks compare each."""


@dataclass(slots=True)
class Char:
    """A character with its style, position and shift; None where it follows the previous character."""

    char: str
    node: Element
    spot: NodeContext
    rise: float
    path: Element | None = None
    x: float | None = None
    y: float | None = None
    dx: float | None = None
    dy: float | None = None
    rotate: float | None = None


class TextCharacters:
    """Gathers the characters of a drawing's texts."""

    def __init__(self, desk: ReaderState):
        self._desk = desk

    def collect_characters(self, node: Element, spot: NodeContext) -> list[Char]:
        """Return the characters of a <text> without collapsed blanks; none, with a note, if it is too long."""
        chars: list[Char] = []
        if (
            sum(len(part) for one in node.iter_elements() for part in one.parts if isinstance(part, str))
            > MOST_CHARACTERS
        ):
            self._desk.notes.add(node.at, f"a text has more than {MOST_CHARACTERS:,} characters and is ignored")
            return []
        self._collect_within(node, spot, chars, None, 0.0)
        while chars and chars[-1].char == " " and not chars[-1].spot.style.preserved:
            chars.pop()
        return chars

    def _collect_within(
        self, node: Element, spot: NodeContext, chars: list[Char], path: Element | None, rise: float
    ) -> None:
        start = len(chars)
        for part in node.parts:
            if isinstance(part, str):
                self._add_characters(part, node, spot, chars, path, rise)
            elif part.tag in ("tspan", "a", "textPath", "tref"):
                if part.properties.get("display", "") == "none":
                    continue
                style = self._desk.derive_style(spot.style, part, spot.measure)
                within = replace(self._desk.go_deeper(spot, part, 1), style=style)
                along = path
                if part.tag == "textPath":
                    along = self._desk.ids.get(part.attributes.get("href", "").strip().removeprefix("#"))
                    if along is None or along.tag not in SHAPES:
                        self._desk.notes.add(part.at, "text follows a path that is not in the file and is ignored")
                        continue
                within_rise = rise + self._read_baseline_shift(part, spot.style, within)
                self._collect_within(part, within, chars, along, within_rise)
        self._read_positions(node, spot, chars[start:])

    def _add_characters(
        self, text: str, node: Element, spot: NodeContext, chars: list[Char], path: Element | None, rise: float
    ) -> None:
        style = spot.style
        if style.capitals == "uppercase" or style.small_caps:
            text = text.upper()
        elif style.capitals == "lowercase":
            text = text.lower()
        for given in text:
            char = " " if given in "\t\n\r" else given
            if char == " " and not style.preserved:
                before = chars[-1] if chars else None
                if before is None or (before.char == " " and not before.spot.style.preserved):
                    continue
            chars.append(Char(char, node, spot, rise, path))

    def _read_positions(self, node: Element, spot: NodeContext, chars: Sequence[Char]) -> None:
        if node.tag == "textPath":
            return
        measure = spot.measure._replace(em=spot.style.size)
        for name, axis in (("x", "x"), ("y", "y"), ("dx", "x"), ("dy", "y")):
            text = node.attributes.get(name)
            if not text:
                continue
            try:
                values = parse_lengths(text, measure, axis)
            except InvalidInput as mistake:
                self._desk.notes.add(node.at, f"{name}: {mistake}")
                continue
            for char, value in zip(chars, values, strict=False):
                if getattr(char, name) is None:
                    setattr(char, name, value)
        turns = list_numbers(node.attributes.get("rotate", ""))
        if turns:
            for at, char in enumerate(chars):
                if char.rotate is None:
                    char.rotate = turns[min(at, len(turns) - 1)]

    def _read_baseline_shift(self, node: Element, parent: Style, spot: NodeContext) -> float:
        text = node.properties.get("baseline-shift", "").strip().lower()
        if text in ("", "baseline", "inherit", "initial"):
            return 0.0
        if text in ("super", "sub"):
            return parent.size * (0.4 if text == "super" else -0.2)
        size = spot.style.size
        try:
            return parse_length(text, spot.measure._replace(em=size, width=size, height=size))
        except InvalidInput as mistake:
            self._desk.notes.add(node.at, f"baseline-shift: {mistake}")
            return 0.0


_ITSELF = "convert it to paths in the drawing program, or add the font to the project"


class FontChoice:
    """Finds fonts. Adds a note if the project has none for a character."""

    def __init__(self, desk: ReaderState):
        self._desk = desk

    def find_language(self, char: Char) -> str:
        """Return the language of a character."""
        node: Element | None = char.node
        while node is not None:
            if "xml:lang" in node.attributes:
                return node.attributes["xml:lang"]
            node = node.parent
        return self._desk.lang.partition("+")[0] or "en"

    def find_font(self, char: Char) -> Font | None:
        """Return the first font that has a character. Add a note and return None if there is none."""
        fonts = self._find_chain(char)
        if char.char == " " or not char.char.isprintable():
            return fonts[0] if fonts else None
        book, lang = self._desk.around.fonts, self._desk.lang.partition("+")[0]
        others = (font for family in book.families for font in book.get_chain(family, lang))
        for font in chain(fonts, others):
            if font.find_glyph(char.char):
                return font
        self._desk.notes.add(char.node.at, f"no font of the project has '{char.char}', so it is ignored; {_ITSELF}")
        return None

    def _find_chain(self, char: Char) -> Sequence[Font]:
        style, around = char.spot.style, self._desk.around
        family, asked = around.fonts.match_family(style.families)
        if not family:
            return ()
        if not asked and not self._desk.measuring:
            wanted = style.families[0] if style.families else ""
            lacks = f"the project has no font '{wanted}': its text" if wanted else "the text names no font: it"
            self._desk.notes.add(char.node.at, f"{lacks} is set in '{family}'; {_ITSELF} (fonts:)")
        return around.fonts.get_chain(family, self._desk.lang.partition("+")[0], style.weight >= 600, style.italic)


# Type stays type where one colour fills it and nothing bends it; else it becomes outlines.

Painted = Callable[[Element, NodeContext, str], list[Item]]


class _Glyph(NamedTuple):
    """A glyph of a font, the characters it stands for, how far the pen moves (user units), and its first character."""

    font: Font
    number: int
    cluster: str
    advance: float
    rise: float
    first: Char


class _PlacedGlyph(NamedTuple):
    glyph: _Glyph
    x: float
    y: float
    angle: float
    stretch: float


class TextPainter:
    """Draws the texts of one drawing; `painted` fills and strokes outlines."""

    def __init__(self, desk: ReaderState, painted: Painted):
        self._desk, self._painted, self._choice = desk, painted, FontChoice(desk)

    def draw_text(self, node: Element, spot: NodeContext) -> list[Item]:
        """Return the items of a <text>, set in chunks, one from each given x, y or path."""
        chars = TextCharacters(self._desk).collect_characters(node, spot)
        if not chars:
            return []
        self._desk.count_drawn(node, len(chars) // 4)
        if any(char.spot.style.vertical for char in chars):
            self._desk.notes.add(node.at, "vertical text is set in horizontal lines; convert it to paths")
        items: list[Item] = []
        x = y = 0.0
        starts = [at for at, char in enumerate(chars) if not at or char.x is not None or char.y is not None
                  or char.path is not chars[at - 1].path]  # fmt: skip
        for start, end in pairwise([*starts, len(chars)]):
            chunk = chars[start:end]
            glyphs = self._shape_chunk(chunk)
            put, x, y = self._place_glyphs(chunk, glyphs, x, y)
            items += self._draw_glyphs(put)
        return items

    # Glyphs

    def _shape_chunk(self, chunk: Sequence[Char]) -> list[_Glyph]:
        found: list[_Glyph] = []
        at = 0
        while at < len(chunk):
            font = self._choice.find_font(chunk[at])
            end = at + 1
            while (
                end < len(chunk)
                and _is_joined(chunk[end - 1], chunk[end])
                and self._choice.find_font(chunk[end]) is font
            ):
                end += 1
            if font is not None:
                found += self._shape_glyphs(chunk[at:end], font)
            at = end
        return found

    def _shape_glyphs(self, chars: Sequence[Char], font: Font) -> Iterator[_Glyph]:
        style = chars[0].spot.style
        text = "".join([char.char for char in chars])
        shaped = font.shape(text, self._choice.find_language(chars[0]), not style.spacing[0])
        at = 0
        for number, cluster, advance, rise in zip(
            shaped.glyphs, shaped.clusters, shaped.advances, shaped.rises, strict=True
        ):
            first = chars[min(at, len(chars) - 1)]
            wide = advance * style.size / 1000 + style.spacing[0] * (1 if cluster else 0)
            if cluster == " ":
                wide += style.word_spacing[0]
            yield _Glyph(font, number, cluster, wide, rise * style.size / 1000, first)
            at += len(cluster)

    # Places

    def _place_glyphs(
        self, chunk: Sequence[Char], glyphs: Sequence[_Glyph], x: float, y: float
    ) -> tuple[list[_PlacedGlyph], float, float]:
        first = chunk[0]
        x, y = x if first.x is None else first.x, y if first.y is None else first.y
        spare, stretch = self._fit_to_length(chunk, glyphs)
        total = sum(glyph.advance * stretch + spare for glyph in glyphs) - (spare if glyphs else 0)
        moved = sum(char.dx or 0.0 for char in chunk[1:])
        style = first.spot.style
        anchor = {"start": 0.0, "middle": 0.5, "end": 1.0}[style.anchor]
        if style.right_to_left:
            anchor = 1 - anchor
        pen = -anchor * (total + moved)
        drop = first.dy or 0.0
        pen += first.dx or 0.0
        put: list[_PlacedGlyph] = []
        for at, glyph in enumerate(glyphs):
            char = glyph.first
            if at and char is not glyphs[at - 1].first:
                pen += char.dx or 0.0
                drop += char.dy or 0.0
            rise = char.rise + self._compute_baseline(glyph) + glyph.rise
            turn = char.rotate or 0.0
            if char.path is None:
                put.append(_PlacedGlyph(glyph, x + pen, y + drop - rise, turn, stretch))
            else:
                spot = self._find_point(char.path, char, pen + glyph.advance * stretch / 2)
                if spot is not None:
                    px, py, angle = spot
                    lean, half = math.radians(angle), glyph.advance * stretch / 2
                    up = rise - drop
                    px += -math.cos(lean) * half + math.sin(lean) * up
                    py += -math.sin(lean) * half - math.cos(lean) * up
                    put.append(_PlacedGlyph(glyph, px, py, angle + turn, stretch))
            pen += glyph.advance * stretch + spare
        return put, x + pen, y + drop

    def _fit_to_length(self, chunk: Sequence[Char], glyphs: Sequence[_Glyph]) -> tuple[float, float]:
        """Return the space that `textLength` adds after each glyph, and the factor by which it stretches each."""
        node: Element | None = chunk[0].node
        while node is not None and "textLength" not in node.attributes and node.tag != "text":
            node = node.parent
        if node is None or "textLength" not in node.attributes or len(glyphs) < 1:
            return 0.0, 1.0
        spot = chunk[0].spot
        wanted = self._desk.read_value(node, "textLength", lambda text: parse_length(text, spot.measure, "x"), 0.0)
        natural = sum(glyph.advance for glyph in glyphs)
        if wanted <= 0 or natural <= 0 or (any(char.node is not node for char in chunk) and node.tag != "text"):
            return 0.0, 1.0
        if node.attributes.get("lengthAdjust", "").strip() == "spacingAndGlyphs":
            return 0.0, wanted / natural
        return ((wanted - natural) / (len(glyphs) - 1) if len(glyphs) > 1 else 0.0), 1.0

    def _compute_baseline(self, glyph: _Glyph) -> float:
        style, font = glyph.first.spot.style, glyph.font
        named = glyph.first.node.properties.get("alignment-baseline", "auto").strip()
        word = named if named not in ("auto", "baseline", "") else style.baseline
        heights = {
            "middle": -font.cap_height * 0.36,
            "central": -(font.ascent + font.descent) / 2,
            "hanging": -font.ascent * 0.8,
            "text-before-edge": -font.ascent,
            "text-top": -font.ascent,
            "before-edge": -font.ascent,
            "text-after-edge": -font.descent,
            "text-bottom": -font.descent,
            "after-edge": -font.descent,
            "ideographic": -font.descent,
            "mathematical": -font.ascent / 2,
        }
        return heights.get(word, 0.0) * style.size

    def _find_point(self, node: Element, char: Char, way: float) -> tuple[float, float, float] | None:
        data = read_path_data(node, char.spot.measure, self._desk.notes)
        line = make_track(data, self._desk.read_transform(node, "transform", char.spot))
        if line is None:
            return None
        on = char.node
        while on.tag != "textPath" and on.parent is not None:
            on = on.parent
        text = on.attributes.get("startOffset", "0").strip()
        try:
            start = parse_share(text) * line.length if text.endswith("%") else parse_length(text, char.spot.measure)
        except (InvalidInput, ValueError):
            start = 0.0
        return line.locate_point(start + way)

    # Items

    def _draw_glyphs(self, put: Sequence[_PlacedGlyph]) -> list[Item]:
        items: list[Item] = []
        at = 0
        while at < len(put):
            end = at + 1
            while end < len(put) and _is_same_run(put[end - 1], put[end]):
                end += 1
            items += self._draw_run(put[at:end])
            at = end
        return items

    def _draw_run(self, put: Sequence[_PlacedGlyph]) -> list[Item]:
        spot, node = put[0].glyph.first.spot, put[0].glyph.first.node
        if spot.style.size <= 0:
            return []
        lines = self._draw_decorations(put)
        run = self._make_run(put)
        if run is not None:
            return [*lines[0], run, *lines[1]] if spot.style.visible else []
        data = "".join(map(_draw_outline, put))
        shapes = self._painted(replace_tag(node), replace(spot, style=replace(spot.style, even_odd=False)), data)
        return [*lines[0], *(shapes if data else []), *lines[1]]

    def _make_run(self, put: Sequence[_PlacedGlyph]) -> TextRun | None:
        """Return a run of type, or None if it must be drawn as outlines."""
        desk, first = self._desk, put[0]
        spot = first.glyph.first.spot
        style = spot.style
        fill = style.color if style.fill == "current" else style.fill
        if desk.clipping or desk.measuring or desk.masking or first.stretch != 1:
            return None
        if not isinstance(fill, AlphaColour) or fill.alpha * style.fill_opacity < 1 or style.stroke is not None:
            return None
        a, b, c, d, _, _ = spot.matrix
        scale = math.hypot(a, b)
        if abs(a - d) > 1e-4 * scale or abs(b + c) > 1e-4 * scale or not scale:
            return None
        turned = round(math.degrees(math.atan2(b, a)) + first.angle, 4)
        x, y = map_point(spot.matrix, (first.x, first.y))
        advances = tuple([1000 * glyph.glyph.advance / style.size for glyph in put])
        return TextRun(
            x,
            y,
            style.size * scale * PT_PER_MM,
            first.glyph.font.key,
            tuple([glyph.glyph.number for glyph in put]),
            tuple([glyph.glyph.cluster for glyph in put]),
            _compute_pen_gaps(put, advances, style.size),
            desk.paint_of_colour(fill),
            turned % 360,
            "text" if desk.role == "art" else desk.role,
        )

    def _draw_decorations(self, put: Sequence[_PlacedGlyph]) -> tuple[list[Item], list[Item]]:
        first, last = put[0], put[-1]
        node: Element | None = first.glyph.first.node
        words: set[str] = set()
        while node is not None and node.tag in ("tspan", "text", "a", "textPath"):
            words |= set(node.properties.get("text-decoration", "").lower().split())
            node = node.parent
        below, through = list[Item](), list[Item]()
        style = first.glyph.first.spot.style
        for word, height, out in (
            ("underline", -0.11, below),
            ("overline", 0.8, below),
            ("line-through", 0.28, through),
        ):
            if word in words:
                end = last.x + last.glyph.advance * last.stretch - first.x
                y = -height * style.size
                data = f"M0 {y!r}h{end!r}v{style.size * 0.05!r}h{-end!r}z"
                by = multiply(make_translation(first.x, first.y), make_rotation(first.angle))
                spot = first.glyph.first.spot.move_by(by)
                out.extend(self._painted(replace_tag(first.glyph.first.node), spot, data))
        return below, through


def replace_tag(node: Element) -> Element:
    """Return a bare <text> at the same place, as which the outline of a text is painted."""
    return Element("text", {}, node.at, None)


def _compute_pen_gaps(put: Sequence[_PlacedGlyph], advances: tuple[float, ...], size: float) -> tuple[float, ...]:
    ways = [1000 * math.hypot(after.x - before.x, after.y - before.y) / size for before, after in pairwise(put)]
    signs = [
        -1.0 if (after.x - before.x) * math.cos(math.radians(before.angle))
        + (after.y - before.y) * math.sin(math.radians(before.angle)) < 0 else 1.0
        for before, after in pairwise(put)
    ]  # fmt: skip
    return (*[way * sign for way, sign in zip(ways, signs, strict=True)], advances[-1])


def _draw_outline(put: _PlacedGlyph) -> str:
    glyph = put.glyph
    size = glyph.first.spot.style.size / glyph.font.upem
    outer = multiply(make_translation(put.x, put.y), make_rotation(put.angle))
    by = multiply(outer, (size * put.stretch, 0.0, 0.0, -size, 0.0, 0.0))
    steps = []
    for letter, points in glyph.font.draw_outline(glyph.number):
        spots = [map_point(by, (points[at], points[at + 1])) for at in range(0, len(points), 2)]
        steps.append(letter + " ".join([f"{x:.9g} {y:.9g}" for x, y in spots]))
    return "".join(steps)


def _is_joined(before: Char, after: Char) -> bool:
    return (
        before.spot is after.spot
        and before.node is after.node
        and not (after.dx or after.dy)
        and before.rotate is None
        and after.rotate is None
    )


def _is_same_run(before: _PlacedGlyph, after: _PlacedGlyph) -> bool:
    one, other = before.glyph, after.glyph
    return (
        one.font is other.font
        and one.first.spot is other.first.spot
        and one.first.path is None
        and other.first.path is None
        and before.angle == after.angle
        and not before.angle
        and abs(before.y - after.y) < 1e-6
    )
