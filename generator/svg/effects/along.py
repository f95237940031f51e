"""Text on a path: a line set as usual, its glyphs led along an outline of the template."""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from generator.errors import did_you_mean
from generator.model.drawing import Item, Placed, TextRun
from generator.model.geometry import IDENTITY, Matrix, map_box, times
from generator.model.reach import reach
from generator.svg.foreign.tracks import Track, track_of
from generator.svg.outlines import transformed
from generator.svg.paint import Style
from generator.svg.scene import Scene
from generator.svg.shapes import path_of
from generator.svg.subset import SHAPES
from generator.svg.text import complain_of_text, set_words, text_box
from generator.svg.tree import Element, link
from generator.svg.values import length, ratio, transform
from generator.text.fonts import FontBook
from generator.text.textset import SetText
from generator.units import MM_PER_PT

_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}
_SLACK = 0.05
"""mm by which a text may be longer than its path: it doesn't show."""


def path_text(scene: Scene, element: Element, style: Style, matrix: Matrix) -> tuple[Item, ...]:
    """What a <text> with a <textPath> in it draws."""
    path, *others = [child for child in element.children if child.tag == "textPath"]
    if others or element.text.strip():
        scene.complain(element, "a <text> with a <textPath> holds nothing else", "write another <text>")
        return ()
    for name in ("x", "y", "writing-mode"):
        if name in element.attributes:
            scene.complain(
                element, f"{name} does nothing on text that follows a path", "use startOffset, or move the path"
            )
    track = _track(scene, path)
    straight = Element("text", {**element.attributes, "x": "0", "y": "0"}, path.at)
    at_start = scene.studio.styles.derived(style, {"text-anchor": "start"}, _silent)
    box = text_box(scene, straight, at_start, matrix)
    if track is None or box is None or box.vertical:
        return ()
    line, _ = track
    begin: float = scene.value(path, "startOffset", lambda text: _way(text, line.length), 0.0)
    bend = partial(_bent, scene, path, track, begin, style)
    return set_words(scene, straight, path.text, box, at_start, matrix, bend)


def _silent(_what: str, _hint: str) -> None:
    """An anchor that is known has nothing to complain of."""


def _way(text: str, whole: float) -> float:
    return ratio(text) * whole if text.strip().endswith("%") else length(text)


def _track(scene: Scene, path: Element) -> tuple[Track, bool] | None:
    """The line that a <textPath> follows, and whether it is closed."""
    name = link(path)
    target = scene.ids.get(name[1:]) if name.startswith("#") else None
    if target is None or target.tag not in SHAPES:
        known = [f"#{key}" for key, other in scene.ids.items() if other.tag in SHAPES]
        scene.complain(path, f"there is no path '{name}'", did_you_mean(name, known))
        return None
    outline = transformed(path_of(scene, target), scene.value(target, "transform", transform, IDENTITY))
    track = track_of(outline, IDENTITY) if outline else None
    if track is None or not track.length:
        scene.complain(path, f"the path '{name}' has no length, so no text can follow it")
        return None
    return track, outline.split(" M ")[0].endswith("Z")


def _bent(
    scene: Scene, path: Element, way: tuple[Track, bool], begin: float, style: Style, done: SetText, text: str
) -> SetText:
    """A line that begins at the origin, led along a track; a problem where it is too long for it."""
    track, closed = way
    wide = done.frame.width
    pen = begin - _SHARE[style.anchor] * wide
    over = wide - track.length if closed else max(-pen, 0.0) + max(pen + wide - track.length, 0.0)
    if over > _SLACK:
        hint = "shorten it, make it smaller, or lengthen the path"
        what = f"text of {scene.subject} does not fit its path: {over:.1f} mm too long"
        complain_of_text(scene, path, text, what, hint)

    def spot(along: float) -> tuple[float, float, float]:
        along = (pen + along) % track.length if closed else min(max(pen + along, 0.0), track.length)
        return track.at(along) or (0.0, 0.0, 0.0)

    items = tuple([turned for item in done.items for turned in _led(item, spot, scene.studio.fonts)])
    box = reach(items)
    if box is None:
        return done
    return done._replace(items=items, frame=done.frame._replace(x=box.x, y=box.y, width=box.width, height=box.height))


Spot: TypeAlias = Callable[[float], tuple[float, float, float]]
"""The point so far along a line of text, and the direction there in degrees."""


def _led(item: Item, spot: Spot, fonts: FontBook) -> Iterator[Item]:
    if isinstance(item, TextRun):
        yield from _glyph_by_glyph(item, spot, fonts)
    elif isinstance(item, Placed):
        (left, _), (right, _) = map_box(item.matrix, *_corners(item.symbol.box))
        middle = (left + right) / 2
        x, y, angle = spot(middle)
        yield Placed(item.symbol, times(_turn(x, y, angle, middle), item.matrix), item.clip, item.role)
    else:
        yield item


def _corners(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    return box[0], box[1], box[0] + box[2], box[1] + box[3]


def _turn(x: float, y: float, angle: float, middle: float) -> Matrix:
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return times((cos, sin, -sin, cos, x, y), (1.0, 0.0, 0.0, 1.0, -middle, 0.0))


def _glyph_by_glyph(run: TextRun, spot: Spot, fonts: FontBook) -> Iterator[TextRun]:
    """The glyphs of a run, each with those that belong to its characters, with its middle on the path."""
    unit = run.size * MM_PER_PT / 1000
    moves = run.advances or tuple([fonts.advance(run.font, glyph) for glyph in run.glyphs])
    pen, at = run.x, 0
    while at < len(run.glyphs):
        end = at + 1
        while end < len(run.glyphs) and not run.clusters[end]:
            end += 1
        wide = sum(moves[at:end]) * unit
        x, y, angle = spot(pen + wide / 2)
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        start_x, start_y = x - cos * wide / 2 - sin * run.y, y - sin * wide / 2 + cos * run.y
        yield run._replace(
            x=round(start_x, 6),
            y=round(start_y, 6),
            angle=round(angle, 4),
            glyphs=run.glyphs[at:end],
            clusters=run.clusters[at:end],
            advances=moves[at:end],
        )
        pen += wide
        at = end
