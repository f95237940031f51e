"""Filters of art files: their steps and regions, and the pictures that replace what they change."""

import io
import math
import re
from collections.abc import Callable, Sequence

from PIL import Image

from generator.base.display_list import Item, Picture
from generator.base.errors import InvalidInput
from generator.base.geometry import Rect
from generator.base.outlines import find_bounds
from generator.drawing.svg.filter_pixels import (
    MIXES,
    TO_ALPHA,
    apply_colour_matrix,
    blacken_picture,
    blur_picture,
    combine_arithmetically,
    compose_pictures,
    fill_picture,
    lay_over,
    make_hue_matrix,
    make_saturation_matrix,
    mask_picture,
    mix_pictures,
    shift_picture,
    spread_picture,
    to_linear_light,
    to_screen_colours,
)
from generator.drawing.svg.reader_state import NodeContext, ReaderState
from generator.drawing.svg.shape_outlines import draw_rect_path, measure_items
from generator.drawing.svg.style import parse_reference
from generator.drawing.svg.tree import Element
from generator.drawing.svg.values import (
    AlphaColour,
    list_numbers,
    parse_length,
    parse_lengths,
    parse_number,
    parse_share,
)

_LENGTH = re.compile(r"[-+]?[\d.]+(?:e[-+]?\d+)?(?:px|pt|pc|mm|cm|in|q|em|rem)?(?=\s|$)", re.IGNORECASE)


_HUGE = 1e9


class UnknownStep(Exception):
    """A filter asks for what is not drawn here; its text names it."""


def is_linear(step: Element) -> bool:
    """Return True if a step computes in linear light."""
    node: Element | None = step
    while node is not None:
        found = node.properties.get("color-interpolation-filters")
        if found:
            return found.strip() != "sRGB"
        node = node.parent
    return True


def sharp_on_top(last: Element, first: bool) -> str | None:
    """Return how the last step puts the source on top: `merge`, `other` or `shadow`. Return None if it doesn't."""
    given = last.attributes
    if any(name in given for name in ("x", "y", "width", "height")):
        return None
    if last.tag == "feMerge":
        parts = [*last.children]
        return "merge" if len(parts) > 1 and parts[-1].attributes.get("in", "").strip() == "SourceGraphic" else None
    source = given.get("in", "SourceGraphic" if first else "").strip() == "SourceGraphic"
    if last.tag == "feDropShadow":
        return "shadow" if source else None
    if last.tag == "feBlend" and (last.properties.get("mode") or given.get("mode", "normal")).strip() == "normal":
        return "other" if source else None
    if last.tag == "feComposite" and given.get("operator", "over").strip() == "over":
        return "other" if source else None
    return None


def compute_levels(function: Element | None) -> list[int]:
    """Return the new value of each level of a channel."""
    if function is None:
        return list(range(256))
    given = function.attributes
    kind, values = given.get("type", "identity").strip(), list_numbers(given.get("tableValues", ""))

    def read(name: str, default: float) -> float:
        return (list_numbers(given.get(name, "")) or [default])[0]

    def at(level: float) -> float:
        if kind == "linear":
            return read("slope", 1.0) * level + read("intercept", 0.0)
        if kind == "gamma":
            return _raise_level(level, read("exponent", 1.0)) * read("amplitude", 1.0) + read("offset", 0.0)
        if kind == "discrete" and values:
            return values[min(int(level * len(values)), len(values) - 1)]
        if kind == "table" and values:
            step = level * (len(values) - 1)
            low = min(int(step), max(len(values) - 2, 0))
            high = min(low + 1, len(values) - 1)
            return values[low] + (values[high] - values[low]) * (step - low)
        return level

    return [round(255 * min(1.0, max(0.0, at(level / 255)))) for level in range(256)]


def _raise_level(level: float, exponent: float) -> float:
    try:
        return float(level**exponent)
    except (OverflowError, ZeroDivisionError):
        return _HUGE


def parse_filter_function(name: str, inner: str, spot: NodeContext) -> list[Element]:
    """Return the steps of a CSS filter function."""

    def step(tag: str, **given: str) -> list[Element]:
        made = Element(tag, given, "", None)
        made.properties = {"color-interpolation-filters": "sRGB"} if tag != "feDropShadow" else {}
        return [made]

    try:
        if name == "blur":
            return step("feGaussianBlur", stdDeviation=repr(parse_length(inner or "0", spot.measure)))
        if name == "drop-shadow":
            found = _LENGTH.findall(inner)
            colour = _LENGTH.sub("", inner).strip() or "currentColor"
            values = parse_lengths(" ".join(found), spot.measure)
            soft = values[2] if len(values) > 2 else 0.0
            made = step("feDropShadow", dx=repr(values[0]), dy=repr(values[1]), stdDeviation=repr(soft))
            made[0].attributes["flood-color"] = colour
            return made
        if name == "hue-rotate":
            return step("feColorMatrix", type="hueRotate", values=str((list_numbers(inner) or [0.0])[0]))
        amount = parse_number(inner.rstrip("% ")) if inner.strip() else 1.0
        if inner.strip().endswith("%"):
            amount /= 100
    except (InvalidInput, ValueError, IndexError) as error:
        raise UnknownStep(f"'{name}({inner[:20]})'") from error
    if name in ("grayscale", "saturate"):
        left = 1 - min(1.0, amount) if name == "grayscale" else amount
        return step("feColorMatrix", type="saturate", values=repr(left))
    rows = {
        "opacity": (1.0, 0.0, min(1.0, amount)),
        "brightness": (amount, 0.0, 1.0),
        "contrast": (amount, 0.5 - 0.5 * amount, 1.0),
        "invert": (1 - 2 * min(1.0, amount), min(1.0, amount), 1.0),
    }
    if name not in rows:
        raise UnknownStep(f"'{name}'")
    by, more, alpha = rows[name]
    table = f"{by} 0 0 0 {more} 0 {by} 0 0 {more} 0 0 {by} 0 {more} 0 0 0 {alpha} 0"
    return step("feColorMatrix", type="matrix", values=table)


_FINE = 1500
"""Pixels along the longer side of what a filter covers, at most: 600 dpi on a card 63 mm wide."""

_FINEST = 6000
"""Pixels along the longer side of the whole drawing, at most: what is small in it needs fewer."""

_MOST_PIXELS = 150_000_000
"""So many may all steps of all filters of a drawing make together: ten seconds of work."""

_BESIDE, _AT_LEAST = 6, 100_000
"""What every filter costs beside its steps, in steps and in pixels: drawing its source, keeping what it makes."""

_MOST_STEPS = 60
_FUNCTION = re.compile(r"([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)|url\([^)]*\)", re.IGNORECASE)

BoxOf = Callable[[Element, NodeContext], Rect | None]


def filter_items(
    desk: ReaderState, node: Element, spot: NodeContext, items: list[Item], box_of_element: BoxOf
) -> list[Item]:
    """Return the filtered items. If the filter is not supported, add a note and return them unchanged."""
    text = node.properties["filter"].strip()
    for found in _FUNCTION.finditer(text):
        try:
            if found[1] is None or found[1].lower() == "url":
                target = desk.ids.get(parse_reference(found[0]))
                if target is None or target.tag != "filter":
                    desk.notes.add(node.at, f"filter: there is no filter '{found[0][:40]}'")
                    continue
                steps = [step for step in target.children if step.tag.startswith("fe")]
                if not steps:
                    return []
                frame = _FilterFrame(desk, target, node, spot, items, box_of_element)
            else:
                target = Element("filter", {"x": "-50%", "y": "-50%", "width": "200%", "height": "200%"}, node.at, None)
                steps = parse_filter_function(found[1].lower(), found[2], spot)
                frame = _FilterFrame(desk, target, node, spot, items, box_of_element)
            items = _FilterRun(desk, frame, items, spot).run_steps(steps)
        except UnknownStep as told:
            desk.notes.add(node.at, f"{told} of a filter is not known here: the filter is left out")
    return items


class _FilterFrame:
    """What a filter covers, in the items' units, and how many pixels to a unit it is drawn with."""

    def __init__(
        self,
        desk: ReaderState,
        target: Element,
        node: Element,
        spot: NodeContext,
        items: Sequence[Item],
        box_of_element: BoxOf,
    ):
        given = target.attributes
        in_box = given.get("filterUnits", "objectBoundingBox").strip() != "userSpaceOnUse"
        self.user = box_of_element(node, spot) or Rect(0, 0, 0, 0)
        self.by_box = given.get("primitiveUnits", "").strip() == "objectBoundingBox"
        x, y, width, height = desk.read_region(target, spot, self.user if in_box else None)
        a, b, c, d, _, _ = spot.matrix
        self.scale = (math.hypot(a, b), math.hypot(c, d))
        box = find_bounds(draw_rect_path(x, y, width, height, spot.matrix)) if width > 0 and height > 0 else None
        self.box = box if box is not None and box.width > 0 and box.height > 0 else None
        if self.box is not None and measure_items(items, stroked=True) is not None:
            usual = min(_FINE / max(self.box.width, self.box.height), _FINEST / desk.side)
            self.fine = desk.fineness(self.box) or usual
        else:
            self.fine = 1.0


class _FilterRun:
    def __init__(self, desk: ReaderState, frame: _FilterFrame, items: list[Item], spot: NodeContext):
        self._desk, self._frame, self._items, self._spot = desk, frame, items, spot
        self._named: dict[str, Image.Image] = {}
        self._last: Image.Image | None = None
        self._source: Image.Image | None = None

    def run_steps(self, steps: Sequence[Element]) -> list[Item]:
        """Return the result of the steps on the items."""
        frame, desk = self._frame, self._desk
        if frame.box is None:
            return []
        desk.count_drawn(steps[0], len(steps))
        count = len(steps) + sum(len(step.children) for step in steps)
        pixels = round(frame.box.width * frame.box.height * frame.fine**2)
        desk.softened += pixels * (count + _BESIDE) + _AT_LEAST
        if count > _MOST_STEPS or desk.softened > _MOST_PIXELS:
            what = "the filters of this drawing are too much work: they are left out from here on"
            desk.notes.add(steps[0].at, f"{what}; use fewer or smaller ones, or export the drawing as PNG")
            return self._items
        *before, last = steps
        for step in before:
            self._run_step(step)
        top = sharp_on_top(last, first=not before)
        if top is None:
            self._run_step(last)
        else:
            self._draw_below(last, top)
        desk.notes.add(steps[0].at, "what a filter makes is drawn as a picture, not as lines")
        made = self._last
        if made is None or not made.getchannel("A").getbbox():
            return list(self._items) if top is not None else []
        return [*self._make_picture(made), *(self._items if top is not None else [])]

    def _make_picture(self, made: Image.Image) -> list[Item]:
        box, seen = self._frame.box, made.getchannel("A").getbbox()
        if box is None or seen is None:
            return []
        across, down = box.width / made.width, box.height / made.height
        x, y = box.x + seen[0] * across, box.y + seen[1] * down
        width, height = (seen[2] - seen[0]) * across, (seen[3] - seen[1]) * down
        out = io.BytesIO()
        made.crop(seen).save(out, format="PNG", compress_level=6)
        kept = self._desk.around.store_picture(out.getvalue())
        return [Picture(kept.asset, kept.source, x, y, width, height, self._desk.role)]

    def _draw_below(self, last: Element, top: str) -> None:
        if top == "shadow":
            self._last = self._cast_shadow(last, self._find_input(last, "in"))
            return
        if top == "other":
            self._last = self._find_input(last, "in2")
            return
        made: Image.Image | None = None
        for child in [*last.children][:-1]:
            part = self._find_input(child, "in")
            made = part if made is None else lay_over(made, part)
        self._last = made

    def _render_source(self) -> Image.Image:
        if self._source is None:
            box = self._frame.box or Rect(0, 0, 1, 1)  # there is one: `result` has looked
            self._source = self._desk.around.render_items(tuple(self._items), box, self._frame.fine)
        return self._source

    def _find_input(self, step: Element, name: str) -> Image.Image:
        asked = step.attributes.get(name, "").strip()
        if asked in self._named:
            return self._named[asked]
        if asked == "SourceAlpha":
            return blacken_picture(self._render_source())
        if asked in ("BackgroundImage", "BackgroundAlpha"):
            return fill_picture(self._render_source().size, "#000000", 0.0)
        if asked in ("FillPaint", "StrokePaint"):
            style = self._spot.style
            coat = style.fill if asked == "FillPaint" else style.stroke
            told = coat if isinstance(coat, AlphaColour) else self._desk.resolve_current(style)
            return fill_picture(self._render_source().size, self._format_colour(told), told.alpha)
        if asked == "SourceGraphic" or self._last is None:
            return self._render_source()
        return self._last

    def _format_colour(self, told: AlphaColour) -> str:
        return "#" + "".join([f"{round(255 * part):02x}" for part in self._desk.around.find_screen_colour(told.paint)])

    def _run_step(self, step: Element) -> None:
        if step.tag not in _STEPS:
            raise UnknownStep(f"<{step.tag}>")
        linear = is_linear(step)
        first = self._find_input(step, "in")
        if linear and step.tag in _IN_LIGHT:
            made = to_screen_colours(_STEPS[step.tag](self, step, to_linear_light(first)))
        else:
            made = _STEPS[step.tag](self, step, first)
        self._last = made = self._cut_to_region(step, made)
        if "result" in step.attributes:
            self._named[step.attributes["result"].strip()] = made

    def _find_second_input(self, step: Element) -> Image.Image:
        other = self._find_input(step, "in2")
        return to_linear_light(other) if is_linear(step) and step.tag in _IN_LIGHT else other

    def _cut_to_region(self, step: Element, made: Image.Image) -> Image.Image:
        """What a step makes, cut off at its own region, where it has one."""
        given, box = step.attributes, self._frame.box
        if box is None or not any(name in given for name in ("x", "y", "width", "height")):
            return made
        user, measure = self._frame.user, self._spot.measure
        a, _, _, d, e, f = self._spot.matrix
        edges = []
        for name, axis, size, origin, whole in (
            ("x", "x", a, e, (box.x, box.right)),
            ("y", "y", d, f, (box.y, box.bottom)),
        ):
            side = "width" if axis == "x" else "height"
            start, end = whole
            try:
                if self._frame.by_box:
                    own = (user.x, user.width) if axis == "x" else (user.y, user.height)
                    if name in given:
                        start = (own[0] + parse_share(given[name]) * own[1]) * size + origin
                    if side in given:
                        end = start + parse_share(given[side]) * own[1] * size
                else:
                    if name in given:
                        start = parse_length(given[name], measure, axis) * size + origin
                    if side in given:
                        end = start + parse_length(given[side], measure, axis) * size
            except (InvalidInput, ValueError):
                return made
            edges.append((start, end))
        (left, right), (top, bottom) = edges
        fine = self._frame.fine
        area = (
            max(0, round((left - box.x) * fine)),
            max(0, round((top - box.y) * fine)),
            min(made.width, round((right - box.x) * fine)),
            min(made.height, round((bottom - box.y) * fine)),
        )
        ground = Image.new("RGBA", made.size)
        if area[2] > area[0] and area[3] > area[1]:
            ground.paste(made.crop(area), area[:2])
        return ground

    # Lengths in pixels

    def _convert_across(self, value: float) -> float:
        if self._frame.by_box:
            value *= self._frame.user.width
        return value * self._frame.scale[0] * self._frame.fine

    def _convert_down(self, value: float) -> float:
        if self._frame.by_box:
            value *= self._frame.user.height
        return value * self._frame.scale[1] * self._frame.fine

    def _read_lengths(self, step: Element, name: str, default: float) -> list[float]:
        measure = self._spot.measure
        return self._desk.read_value(step, name, lambda text: parse_lengths(text, measure), []) or [default]

    def _read_offset(self, step: Element, default: float = 0.0) -> tuple[float, float]:
        x, y = (self._read_lengths(step, name, default)[0] for name in ("dx", "dy"))
        a, _, _, d, _, _ = self._spot.matrix
        return self._convert_across(x) * (-1 if a < 0 else 1), self._convert_down(y) * (-1 if d < 0 else 1)

    def _read_blur(self, step: Element) -> tuple[float, float]:
        values = self._read_lengths(step, "stdDeviation", 2.0 if step.tag == "feDropShadow" else 0.0)
        return max(0.0, self._convert_across(values[0])), max(0.0, self._convert_down(values[-1]))

    def _read_flood(self, step: Element) -> tuple[str, float]:
        text = step.properties.get("flood-color", step.attributes.get("flood-color", "#000000"))
        opacity = step.properties.get("flood-opacity", step.attributes.get("flood-opacity", "1"))
        try:
            current = text.lower() == "currentcolor"
            told = self._desk.resolve_current(self._spot.style) if current else self._desk.styles.read_colour(text)
            return self._format_colour(told), told.alpha * parse_share(opacity)
        except ValueError:
            return "#000000", 1.0

    # Steps

    def _cast_shadow(self, step: Element, first: Image.Image) -> Image.Image:
        soft = blur_picture(shift_picture(first, *self._read_offset(step, 2.0)), *self._read_blur(step))
        return mask_picture(fill_picture(first.size, *self._read_flood(step)), soft.getchannel("A"))

    def _run_merge(self, step: Element, first: Image.Image) -> Image.Image:
        made = fill_picture(first.size, "#000000", 0.0)
        for child in step.children:
            made = lay_over(made, self._find_input(child, "in"))
        return made

    def _run_blend(self, step: Element, first: Image.Image) -> Image.Image:
        mode = (step.properties.get("mode") or step.attributes.get("mode", "normal")).strip()
        if mode != "normal" and mode not in MIXES:
            raise UnknownStep(f"the mode '{mode[:20]}' of <feBlend>")
        return mix_pictures(first, self._find_second_input(step), mode)

    def _run_composite(self, step: Element, first: Image.Image) -> Image.Image:
        how = step.attributes.get("operator", "over").strip()
        if how == "arithmetic":
            factors = [(list_numbers(step.attributes.get(f"k{at}", "")) or [0.0])[0] for at in (1, 2, 3, 4)]
            return combine_arithmetically(first, self._find_second_input(step), factors)
        return compose_pictures(first, self._find_second_input(step), how)

    def _run_color_matrix(self, step: Element, first: Image.Image) -> Image.Image:
        kind = step.attributes.get("type", "matrix").strip()
        values = list_numbers(step.attributes.get("values", ""))
        if kind == "luminanceToAlpha":
            return apply_colour_matrix(first, TO_ALPHA)
        if kind == "saturate":
            return apply_colour_matrix(first, make_saturation_matrix(values[0] if values else 1.0))
        if kind == "hueRotate":
            return apply_colour_matrix(first, make_hue_matrix(values[0] if values else 0.0))
        return apply_colour_matrix(first, values) if len(values) == 20 else first

    def _run_transfer(self, step: Element, first: Image.Image) -> Image.Image:
        table: list[int] = []
        functions = {child.tag: child for child in step.children}
        for name in ("feFuncR", "feFuncG", "feFuncB", "feFuncA"):
            table += compute_levels(functions.get(name))
        return first.point(table)

    def _run_morphology(self, step: Element, first: Image.Image) -> Image.Image:
        values = self._read_lengths(step, "radius", 0.0)
        grown = step.attributes.get("operator", "erode").strip() == "dilate"
        return spread_picture(first, self._convert_across(values[0]), self._convert_down(values[-1]), grown)


_STEPS: dict[str, Callable[[_FilterRun, Element, Image.Image], Image.Image]] = {
    "feGaussianBlur": lambda run, step, first: blur_picture(first, *run._read_blur(step)),
    "feOffset": lambda run, step, first: shift_picture(first, *run._read_offset(step)),
    "feFlood": lambda run, step, first: fill_picture(first.size, *run._read_flood(step)),
    "feDropShadow": lambda run, step, first: lay_over(run._cast_shadow(step, first), first),
    "feMerge": _FilterRun._run_merge,
    "feBlend": _FilterRun._run_blend,
    "feComposite": _FilterRun._run_composite,
    "feColorMatrix": _FilterRun._run_color_matrix,
    "feComponentTransfer": _FilterRun._run_transfer,
    "feMorphology": _FilterRun._run_morphology,
}
_IN_LIGHT = frozenset(["feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feGaussianBlur"])
"""Steps that reckon with colours; of the others it doesn't matter in what measure these are."""
