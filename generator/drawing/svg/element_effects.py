"""Effects on elements of a template: filters, masks, opacity, blending, patterns."""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from generator.base.display_list import ArtNote, Blend, Group, Item, PlacedSymbol, TextRun
from generator.base.errors import InvalidInput, did_you_mean
from generator.base.geometry import IDENTITY, MM_PER_INCH, MM_PER_PT, Matrix, Rect, find_scale, map_box, multiply
from generator.base.outlines import Track, bound_items, make_track
from generator.base.path_data import transform_path_data
from generator.drawing.svg.outline_painter import fade_items
from generator.drawing.svg.scene import Scene
from generator.drawing.svg.shape_outlines import measure_items
from generator.drawing.svg.shapes import (
    TemplateNotes,
    TemplateReaderState,
    TemplateWalker,
    find_referred,
    open_state,
    read_shape_outline,
)
from generator.drawing.svg.style import INITIAL, Style
from generator.drawing.svg.texts import add_text_problem, read_text_box, set_words
from generator.drawing.svg.tree import MOST_ELEMENTS, Element, find_link
from generator.drawing.svg.values import AlphaColour, parse_length, parse_ratio, parse_share
from generator.drawing.svg.vocabulary import EFFECTS, SHAPES
from generator.text.fonts import FontBook
from generator.text.glyph_rows import SetText

DPI = 300.0
"""Resolution of the pictures that replace shadows and other filters."""

_MOST_PIXELS = 8_000_000
"""Maximum pixels of one such picture. Larger ones get a lower resolution."""

_COST_OF_ELEMENT = 4_000
"""Filter cost (see filters.py) that counts as one element."""

_BLENDS: dict[str, Blend] = {"normal": "normal", "multiply": "multiply", "screen": "screen"}
_FUNCTION = re.compile(r"([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)", re.IGNORECASE)
Items: TypeAlias = tuple[Item, ...]
_COMMAS = re.compile(r",(?![^(]*\))")


def apply_effects(scene: Scene, element: Element, items: Items, style: Style, matrix: Matrix) -> Items:
    """Return the items filtered, masked, with opacity, blended. `matrix` converts their coordinates to the face's."""
    given = {name: text for name, text in element.properties.items() if name in EFFECTS}
    own = Element(element.tag, given, element.at)
    covers: float = scene.read_value(own, "opacity", parse_share, 1.0)
    blend: Blend = scene.read_value(own, "mix-blend-mode", _parse_blend, "normal")
    steps = [name for name in ("filter", "shadow") if given.get(name, "none") != "none"]
    if len(steps) == 2:
        scene.add_problem(element, "an element has either a filter or a shadow", "put a <g> around it for the other")
    elif steps and items:
        items = _ElementFilter(scene, own, items, style, matrix).apply(steps[0])
    if given.get("mask", "none") != "none" and items:
        target = find_referred(scene, own, own.attributes["mask"], frozenset(["mask"]), "mask")
        if target is not None:
            state, node = open_state(scene), Element(own.tag, {}, own.at, None)
            link = f"url(#{target.attributes['id']})"
            items = tuple(TemplateWalker(state, items).mask_items(node, state.make_context(), [*items], link))
    if blend != "normal" and items and covers > 0:
        return (Group(items, opacity=covers, blend=blend),)
    return tuple(fade_items(items, covers))


def _parse_blend(text: str) -> Blend:
    if text not in _BLENDS:
        raise InvalidInput(f"'{text}' is not available", did_you_mean(text, _BLENDS))
    return _BLENDS[text]


# Filters


class _ElementFilter:
    def __init__(self, scene: Scene, own: Element, items: Items, style: Style, matrix: Matrix):
        self._scene, self._own, self._items, self._style = scene, own, items, style
        self._desk = TemplateReaderState(scene)
        self._desk.role, self._desk.ids = style.role or "art", {**scene.ids}
        self._notes = self._desk.notes = TemplateNotes(scene)
        self._desk.fineness = self._choose_resolution
        self._current = self._desk.resolve_current(style)
        self._spot = replace(self._desk.make_context(), style=replace(INITIAL, color=self._current))
        self._scale, self._coarse = find_scale(matrix) or 1.0, DPI
        self._box, self._black = bound_items(items), True

    def apply(self, name: str) -> Items:
        """Return the items with the element's effect of the attribute `name`, `filter` or `shadow`, applied."""
        from generator.drawing.svg.filters import NOT_INSTALLED, filter_items, has_renderer, run_steps

        if self._box is None:
            return self._items
        text = self._own.attributes[name].strip()
        shadows = self._read_shadows(text) if name == "shadow" else []
        if not shadows and (name == "shadow" or not self._check_filters(text)):
            return self._items
        if not has_renderer():
            self._scene.marks.append(ArtNote(NOT_INSTALLED))
            return self._items
        if self._scene.weight > MOST_ELEMENTS:
            return self._items
        items: list[Item] = [*self._items]
        if shadows:
            items = run_steps(self._desk, self._spot, items, shadows)
        else:
            node = Element(self._own.tag, {}, self._own.at, None)
            node.properties = {"filter": text}
            box = measure_items(self._items) or self._box
            items = filter_items(self._desk, node, self._spot, items, lambda _node, _spot: box)
        self._scene.weight += self._desk.softened // _COST_OF_ELEMENT
        if self._notes.pictured:
            place = self._scene.place_of(self._own)
            said = f"{place.file}: shadows and filters are drawn as pictures of {DPI:g} dpi"
            if self._coarse < DPI - 1:
                said = f"{place}: the filter covers so much that its picture has {self._coarse:.0f} dpi"
            self._scene.marks.append(ArtNote(said))
        if shadows and self._black and len(items) > len(self._items):
            # Black darkens what is below and removes none of its inks. On screens the result is the same.
            items[0] = Group((items[0],), blend="multiply")
        return tuple(items)

    def _choose_resolution(self, box: Rect) -> float:
        """Return the number of pixels to a unit: the print's resolution, or fewer for very large pictures."""
        wanted = DPI / MM_PER_INCH * self._scale
        fine = min(wanted, math.sqrt(_MOST_PIXELS / (box.width * box.height)))
        self._coarse = min(self._coarse, DPI * fine / wanted)
        return fine

    def _check_filters(self, text: str) -> bool:
        """Return True if all filters of an element can be drawn. Add problems if not."""
        from generator.drawing.svg.filters import UnknownStep, parse_filter_function

        told = ""
        if text.startswith("url("):
            return find_referred(self._scene, self._own, text, frozenset(["filter"]), "filter") is not None
        try:
            for function in _FUNCTION.finditer(text):
                parse_filter_function(function[1].lower(), function[2], self._spot)
        except UnknownStep as unknown:
            told = f"{unknown} is not known here"
        if not told and (not text or _FUNCTION.sub("", text).strip()):
            told = f"'{text[:40]}' is not a filter"
        if told:
            what = f"filter: {told}"
            self._scene.add_problem(self._own, what, "write url(#id), blur(1mm) or drop-shadow(...)")
        return not told

    def _read_shadows(self, text: str) -> list[Element]:
        """Return the shadows given as `x y blur colour`, separated by commas."""
        try:
            shadows = [self._read_shadow(part.split()) for part in _COMMAS.split(text)]
        except ValueError as mistake:
            what = f"shadow: {mistake}"
            self._scene.add_problem(self._own, what, getattr(mistake, "hint", "") or _SHADOW)
            return []
        if len(shadows) > _MOST_SHADOWS:
            self._scene.add_problem(self._own, f"shadow: {len(shadows)} shadows; {_MOST_SHADOWS} are the most")
            return []
        return shadows

    def _read_shadow(self, words: list[str]) -> Element:
        """Return one shadow as a filter step from words: offset right and down, blur, colour, perhaps opacity in %."""
        covers = 1.0
        if words and words[-1].endswith("%"):
            covers = min(1.0, max(0.0, parse_ratio(words.pop())))
        if len(words) != 4:
            raise InvalidInput(f"'{' '.join(words)[:40]}' is not x, y, blur and colour")
        across, down, soft = map(parse_length, words[:3])
        if soft < 0:
            raise InvalidInput(f"the blur '{words[2]}' is negative")
        paint = self._scene.studio.styles.read_paint(words[3])
        paint = self._current if paint == "current" else paint
        if not isinstance(paint, AlphaColour):
            raise InvalidInput(f"'{words[3]}' is no colour for a shadow")
        colour, own = paint
        self._black = self._black and colour in _BLACK
        # Half the blur, as in CSS: the edge of the shadow is as wide as the blur on either side.
        numbers = {"dx": across, "dy": down, "stdDeviation": soft / 2, "flood-opacity": covers * own}
        given = {"flood-color": colour, **{name: f"{value:.6g}" for name, value in numbers.items()}}
        return Element("feDropShadow", given | {"in": "SourceGraphic"}, self._own.at, None)


_MOST_SHADOWS = 8
_BLACK = ("ink", "#000000")
_SHADOW = 'write x, y, blur and colour: shadow="1mm 1mm 2mm ink 50%"'


_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}
_SLACK = 0.05
"""Length (mm) by which a text may exceed its path without notice."""


def draw_path_text(scene: Scene, element: Element, style: Style, matrix: Matrix) -> tuple[Item, ...]:
    """Draw a <text> that contains a <textPath> along its path. Report other contents, and draw nothing then."""
    path, *others = [child for child in element.children if child.tag == "textPath"]
    if others or element.text.strip():
        scene.add_problem(element, "a <text> with a <textPath> holds nothing else", "write another <text>")
        return ()
    for name in ("x", "y", "writing-mode"):
        if name in element.attributes:
            what = f"{name} does nothing on text that follows a path"
            scene.add_problem(element, what, "use startOffset, or move the path")
    track = _find_track(scene, path)
    straight = Element("text", {**element.attributes, "x": "0", "y": "0"}, path.at)
    at_start = replace(style, anchor="start")
    box = read_text_box(scene, straight, at_start, matrix)
    if track is None or box is None or box.vertical:
        return ()
    line, _ = track

    def parse_distance(text: str) -> float:
        return parse_ratio(text) * line.length if text.strip().endswith("%") else parse_length(text)

    begin: float = scene.read_value(path, "startOffset", parse_distance, 0.0)
    bend = partial(_bend_line, scene, path, track, begin, style)
    return set_words(scene, straight, path.text, box, at_start, matrix, bend)


def _find_track(scene: Scene, path: Element) -> tuple[Track, bool] | None:
    name = find_link(path)
    target = scene.ids.get(name[1:]) if name.startswith("#") else None
    if target is None or target.tag not in SHAPES:
        known = [f"#{key}" for key, other in scene.ids.items() if other.tag in SHAPES]
        scene.add_problem(path, f"there is no path '{name}'", did_you_mean(name, known))
        return None
    outline = read_shape_outline(scene, target)
    outline, _ = transform_path_data(outline, scene.read_transform(target))
    track = make_track(outline, IDENTITY) if outline else None
    if track is None or not track.length:
        scene.add_problem(path, f"the path '{name}' has no length, so no text can follow it")
        return None
    return track, outline.split(" M ")[0].endswith("Z")


def _bend_line(
    scene: Scene,
    path: Element,
    path_length: tuple[Track, bool],
    begin: float,
    style: Style,
    set_text: SetText,
    text: str,
) -> SetText:
    """Return a line bent along a track (True: closed), anchored `begin` mm along it. Report one that is too long."""
    track, closed = path_length
    wide = set_text.frame.width
    pen = begin - _SHARE[style.anchor] * wide
    over = wide - track.length if closed else max(-pen, 0.0) + max(pen + wide - track.length, 0.0)
    if over > _SLACK:
        hint = "shorten it, make it smaller, or lengthen the path"
        what = f"text of {scene.subject} does not fit its path: {over:.1f} mm too long"
        add_text_problem(scene, path, text, what, hint)

    def spot(along: float) -> tuple[float, float, float]:
        along = (pen + along) % track.length if closed else min(max(pen + along, 0.0), track.length)
        return track.locate_point(along) or (0.0, 0.0, 0.0)

    items = tuple([turned for item in set_text.items for turned in _lead_item(item, spot, scene.studio.fonts)])
    box = bound_items(items)
    if box is None:
        return set_text
    frame = set_text.frame._replace(x=box.x, y=box.y, width=box.width, height=box.height)
    return set_text._replace(items=items, frame=frame)


Spot: TypeAlias = Callable[[float], tuple[float, float, float]]
"""Function that returns the point at a distance along a line of text, and the direction there in degrees."""


def _lead_item(item: Item, spot: Spot, fonts: FontBook) -> Iterator[Item]:
    if isinstance(item, TextRun):
        yield from _glyph_by_glyph(item, spot, fonts)
    elif isinstance(item, PlacedSymbol):
        box = item.symbol.box
        (left, _), (right, _) = map_box(item.matrix, box[0], box[1], box[0] + box[2], box[1] + box[3])
        middle = (left + right) / 2
        x, y, angle = spot(middle)
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        turn = multiply((cos, sin, -sin, cos, x, y), (1.0, 0.0, 0.0, 1.0, -middle, 0.0))
        yield PlacedSymbol(item.symbol, multiply(turn, item.matrix), item.clip, item.role)
    else:
        yield item


def _glyph_by_glyph(run: TextRun, spot: Spot, fonts: FontBook) -> Iterator[TextRun]:
    """Yield a run's glyphs, each with the others of its characters, turned, its middle where `spot` tells."""
    unit = run.size * MM_PER_PT / 1000
    moves = run.advances or tuple([fonts.measure_advance(run.font, glyph) for glyph in run.glyphs])
    pen, at = run.x, 0
    while at < len(run.glyphs):
        end = at + 1
        while end < len(run.glyphs) and not run.clusters[end]:
            end += 1
        wide = sum(moves[at:end]) * unit
        x, y, angle = spot(pen + wide / 2)
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        start_x, start_y = x - cos * wide / 2 - sin * run.y, y - sin * wide / 2 + cos * run.y
        x, y, angle = round(start_x, 6), round(start_y, 6), round(angle, 4)
        glyphs, clusters = run.glyphs[at:end], run.clusters[at:end]
        yield run._replace(x=x, y=y, angle=angle, glyphs=glyphs, clusters=clusters, advances=moves[at:end])
        pen += wide
        at = end
