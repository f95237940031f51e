"""Filters of drawings and templates: resvg runs them on a picture of what they change."""

import base64
import io
import math
import re
from collections.abc import Callable, Sequence
from xml.sax.saxutils import quoteattr

from PIL import Image

from generator.base.display_list import Item, Picture
from generator.base.errors import InvalidInput
from generator.base.geometry import Matrix, Rect, invert_matrix, multiply
from generator.base.outlines import find_bounds
from generator.drawing.svg.reader_state import NodeContext, ReaderState
from generator.drawing.svg.shape_outlines import draw_rect_path, measure_items
from generator.drawing.svg.style import parse_reference
from generator.drawing.svg.tree import Element
from generator.drawing.svg.values import AlphaColour, list_numbers, parse_length, parse_lengths, parse_number

_LENGTH = re.compile(r"[-+]?[\d.]+(?:e[-+]?\d+)?(?:px|pt|pc|mm|cm|in|q|em|rem)?(?=\s|$)", re.IGNORECASE)


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

_MOST_PIXELS = 300_000_000
"""So many may all steps of all filters of a drawing make together: ten seconds of work."""

_BESIDE, _AT_LEAST = 6, 100_000
"""What every filter costs beside its steps, in steps and in pixels: drawing its source, keeping what it makes."""

_MOST_STEPS = 60
_FURTHEST = 30_000.0
"""Pixels by which a step may move or blur at most."""

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
        self.region = x, y, width, height = desk.read_region(target, spot, self.user if in_box else None)
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
    """One filter on some items: its steps as markup for resvg, and the picture that resvg makes of them."""

    def __init__(self, desk: ReaderState, frame: _FilterFrame, items: list[Item], spot: NodeContext):
        self._desk, self._frame, self._items, self._spot = desk, frame, items, spot

    def run_steps(self, steps: Sequence[Element]) -> list[Item]:
        """Return the result of the steps on the items. What the last step puts on top unchanged stays as it is."""
        frame, desk = self._frame, self._desk
        if frame.box is None:
            return []
        desk.count_drawn(steps[0], len(steps))
        cost = sum(count_work(step, max(frame.scale) * frame.fine) for step in steps)
        desk.softened += round(round(frame.box.width * frame.box.height * frame.fine**2) * (cost + _BESIDE)) + _AT_LEAST
        if len(steps) > _MOST_STEPS or desk.softened > _MOST_PIXELS:
            what = "the filters of this drawing are too much work: they are left out from here on"
            desk.notes.add(steps[0].at, f"{what}; use fewer or smaller ones, or export the drawing as PNG")
            return self._items
        top = sharp_on_top(steps[-1], first=len(steps) == 1)
        below = "".join(map(self._write_step, steps if top is None else [*steps[:-1], *_put_below(steps[-1], top)]))
        made = self._render_steps(below) if below else None
        if made is None and below:
            return self._items
        desk.notes.add(steps[0].at, "what a filter makes is drawn as a picture, not as lines")
        on_top = list(self._items) if top is not None else []
        seen = made.getchannel("A").getbbox() if made is not None else None
        if made is None or seen is None:
            return on_top
        across, down = frame.box.width / made.width, frame.box.height / made.height
        out = io.BytesIO()
        made.crop(seen).save(out, format="PNG", compress_level=6)
        kept = desk.around.store_picture(out.getvalue())
        x, y, width, height = seen[0], seen[1], seen[2] - seen[0], seen[3] - seen[1]
        place = (frame.box.x + x * across, frame.box.y + y * down, width * across, height * down)
        return [Picture(kept.asset, kept.source, *place, desk.role), *on_top]

    def _render_steps(self, steps: str) -> Image.Image | None:
        """Return the result of filter steps on a picture of the items, or None (and a note) if that is not possible."""
        box, fine, spot = self._frame.box or Rect(0, 0, 1, 1), self._frame.fine, self._spot
        source = self._desk.around.render_items(tuple(self._items), box, fine)
        matrix = multiply((fine, 0.0, 0.0, fine, -box.x * fine, -box.y * fine), spot.matrix)
        back = invert_matrix(matrix)
        try:
            import resvg_py  # few drawings have filters; browsers lack it
        except ImportError:
            self._desk.notes.add("", "a filter is left out: it needs the package resvg_py, which is not installed here")
            return None
        if back is None:
            return None
        out = io.BytesIO()
        source.save(out, format="PNG", compress_level=1)
        data = base64.b64encode(out.getvalue()).decode("ascii")
        x, y, width, height = self._frame.region
        region = f'x="{x!r}" y="{y!r}" width="{width!r}" height="{height!r}" filterUnits="userSpaceOnUse"'
        markup = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{source.width}" height="{source.height}">'
            f'<filter id="f" {region}>{steps}</filter><g transform="{_write_matrix(matrix)}" filter="url(#f)">'
            f'<image transform="{_write_matrix(back)}" width="{source.width}" height="{source.height}"'
            f' style="image-rendering:optimizeSpeed" href="data:image/png;base64,{data}"/></g></svg>'
        )
        try:
            made = resvg_py.svg_to_bytes(svg_string=markup, skip_system_fonts=True)
        except BaseException as error:  # what resvg does not expect is no Exception
            if not isinstance(error, ValueError) and type(error).__name__ != "PanicException":
                raise
            raise UnknownStep("a value") from error
        return Image.open(io.BytesIO(bytes(made))).convert("RGBA")

    def _write_step(self, step: Element) -> str:
        """Return a step as markup, with plain colours, and lengths in user units."""
        if step.tag not in STEPS:
            raise UnknownStep(f"<{step.tag}>")
        given = {name: text for name, text in (*step.attributes.items(), *step.properties.items()) if name in _PASSED}
        if step.tag == "feImage" and not given.get("href", "").startswith("data:image/"):
            raise UnknownStep("<feImage> with a picture outside the drawing")
        for name in ("flood-color", "lighting-color"):
            if name in given:
                given[name] = self._read_colour(given[name])
        if "numOctaves" in given:  # more make no difference, but resvg counts them all
            given["numOctaves"] = str(int(min(10, max(0, (list_numbers(given["numOctaves"]) or [1])[0]))))
        for name in _LENGTHS & given.keys():
            try:
                given[name] = self._convert_length(name, given[name])
            except InvalidInput as mistake:
                raise UnknownStep(f"{name}: {mistake}") from mistake
        if step.tag.startswith("fe") and step.tag not in _PARTS:
            given["color-interpolation-filters"] = "linearRGB" if is_linear(step) else "sRGB"
        inner = "".join(map(self._write_step, step.children))
        head = " ".join(f"{name}={quoteattr(text)}" for name, text in given.items())
        return f"<{step.tag} {head}>{inner}</{step.tag}>"

    def _convert_length(self, name: str, text: str) -> str:
        user, numbers = self._frame.user, parse_lengths(text, self._spot.measure, "y" if name[-1] in "yt" else "x")
        if self._frame.by_box:
            sizes = (user.height,) if name in ("y", "dy", "height") else (user.width, user.height)
            start = {"x": user.x, "y": user.y}.get(name, 0.0)
            shares = [number * size + start for number, size in zip([*numbers, *numbers][:2], sizes * 2, strict=False)]
            numbers = shares[: len(numbers) if name in _PAIRS else 1]
        most = _FURTHEST / max(self._frame.fine * max(self._frame.scale), 1e-9)
        return " ".join([repr(min(most, max(-most, number))) for number in numbers])

    def _read_colour(self, text: str) -> str:
        current = text.strip().lower() == "currentcolor"
        try:
            told = self._desk.resolve_current(self._spot.style) if current else self._desk.styles.read_colour(text)
        except ValueError:
            told = AlphaColour("#000000")
        red, green, blue = (round(255 * part) for part in self._desk.around.find_screen_colour(told.paint))
        return f"rgba({red},{green},{blue},{told.alpha:g})"


def _put_below(last: Element, top: str) -> list[Element]:
    """Return the steps that make what the last step puts below its source."""

    def step(tag: str, **given: str) -> Element:
        made = Element(tag, given, last.at)
        made.properties = {"color-interpolation-filters": "linearRGB" if is_linear(last) else "sRGB"}
        return made

    given = {**last.attributes, **last.properties}
    if top == "shadow":
        deviation, dx, dy = (given.get(name, "2") for name in ("stdDeviation", "dx", "dy"))
        flood = {name: given[name] for name in ("flood-color", "flood-opacity") if name in given}
        return [
            step("feGaussianBlur", **{"in": "SourceAlpha", "stdDeviation": deviation}),
            step("feOffset", dx=dx, dy=dy, result="pnp-soft"),
            step("feFlood", **flood),
            step("feComposite", in2="pnp-soft", operator="in"),
        ]
    if top == "other" and not given.get("in2"):
        return []
    merge = step("feMerge")
    for name in [given["in2"]] if top == "other" else [child.attributes.get("in", "") for child in last.children[:-1]]:
        merge.add_child(Element("feMergeNode", {"in": name}, last.at))
    return [merge]


def count_work(step: Element, fine: float) -> float:
    """Return how much a step costs for each pixel, with `fine` pixels to a unit. One that blurs costs about 1."""

    def read(name: str) -> float:
        return min(1e6, max(map(abs, list_numbers(step.attributes.get(name, ""))), default=0.0))

    return 1 + len(step.children) + (read("radius") * fine) ** 2 / 5 + read("order") ** 2 / 4 + read("numOctaves")


def _write_matrix(matrix: Matrix) -> str:
    return f"matrix({' '.join(map(repr, matrix))})"


_LIGHTS = frozenset(["feDistantLight", "fePointLight", "feSpotLight"])
_PARTS = frozenset(["feMergeNode", "feFuncR", "feFuncG", "feFuncB", "feFuncA"]) | _LIGHTS
STEPS = _PARTS | frozenset(
    [
        *("feBlend", "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix", "feDiffuseLighting"),
        *("feDisplacementMap", "feDropShadow", "feFlood", "feGaussianBlur", "feImage", "feMerge", "feMorphology"),
        *("feOffset", "feSpecularLighting", "feTile", "feTurbulence"),
    ]
)
"""The steps of filters and their parts."""

_PAIRS = frozenset(["stdDeviation", "radius"])
_LENGTHS = frozenset(["x", "y", "width", "height", "dx", "dy"]) | _PAIRS
_PASSED = _LENGTHS | frozenset(
    [
        *("in", "in2", "result", "mode", "operator", "k1", "k2", "k3", "k4", "type", "values", "tableValues", "slope"),
        *("intercept", "amplitude", "exponent", "offset", "order", "kernelMatrix", "divisor", "bias", "targetX"),
        *("targetY", "edgeMode", "preserveAlpha", "scale", "xChannelSelector", "yChannelSelector", "surfaceScale"),
        *("diffuseConstant", "specularConstant", "specularExponent", "azimuth", "elevation", "z", "pointsAtX"),
        *("pointsAtY", "pointsAtZ", "limitingConeAngle", "baseFrequency", "numOctaves", "seed", "stitchTiles"),
        *("flood-color", "flood-opacity", "lighting-color", "href", "preserveAspectRatio"),
    ]
)
"""Attributes and properties of steps that resvg gets; nothing else of a file reaches it."""
