"""Filters of drawings and templates: resvg runs their steps, and a picture replaces what they change."""

import base64
import io
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from generator.base.display_list import Group, Item, Picture
from generator.base.errors import InvalidInput
from generator.base.geometry import Rect, invert_matrix, map_rect, multiply
from generator.base.picture_files import open_picture_file, save_picture
from generator.drawing.svg.reader_state import AS_A_PICTURE, NodeContext, ReaderState, find_image
from generator.drawing.svg.shape_outlines import measure_items
from generator.drawing.svg.style import parse_reference
from generator.drawing.svg.tree import Element, find_link
from generator.drawing.svg.values import AlphaColour, list_numbers, parse_length, parse_lengths, parse_share

if TYPE_CHECKING:
    from PIL import Image

try:
    import resvg_py
except ImportError:  # as in browsers
    resvg_py = None  # type: ignore[assignment]

NOT_INSTALLED = "filters and shadows need the library resvg_py, which is not installed: they are left out"

_LENGTH = re.compile(r"(?<!\S)[-+]?[\d.]+(?:e[-+]?\d+)?(?:px|pt|pc|mm|cm|in|q|em|rem)?(?=\s|$)", re.IGNORECASE)
_AMOUNT = re.compile(r"\s*([-+]?(\d+\.?\d*|\.\d+)(%|deg|grad|rad|turn)?)?\s*")
_COLOUR_FUNCTIONS = frozenset(
    ["brightness", "contrast", "grayscale", "hue-rotate", "invert", "opacity", "saturate", "sepia"]
)

_STEPS = {
    **dict.fromkeys(["feOffset", "feFlood", "feMerge", "feBlend", "feComposite", "feColorMatrix", "feTile"], 1.0),
    **dict.fromkeys(["feComponentTransfer", "feMorphology", "feDisplacementMap", "feConvolveMatrix"], 1.0),
    **dict.fromkeys(["feDiffuseLighting", "feSpecularLighting", "feDropShadow"], 1.0),
    **dict.fromkeys(["feGaussianBlur", "feImage", "feTurbulence"], 2.0),
}
"""The steps that are drawn, with their cost for each pixel in tenths of a microsecond. Attributes may add to it."""

_PARTS = frozenset(
    ["feFuncR", "feFuncG", "feFuncB", "feFuncA", "feMergeNode", "feDistantLight", "fePointLight", "feSpotLight"]
)
_TAPS = 20
"""Number of neighbouring pixels that a step may read for one unit of cost."""

_REGION = ("x", "y", "width", "height")
_LENGTHS = {"x": "x", "y": "y", "width": "x", "height": "y", "dx": "x", "dy": "y", "stdDeviation": "", "radius": ""}
"""Attributes that are lengths, with their axis. The others are for both axes, one value for each."""

_STEPS_MADE = "url(#f_)"
"""Reference to the filter made of the steps that a run writes."""

_OPAQUE = "1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 0 1"
_SRGB = {"color-interpolation-filters": "sRGB"}
_WORD = re.compile(r"[A-Za-z0-9 -]+")
_FURTHEST = 1e6
"""Largest number in a filter: no picture has as many pixels, and resvg fails on much larger numbers."""

_FINE = 1500
"""Pixels along the longer side of what a filter covers, at most: 600 dpi on a card 63 mm wide."""

_FINEST = 6000
"""Maximum pixels along the longer side of the whole drawing; smaller parts need fewer."""

_MOST_PIXELS = 150_000_000
"""Maximum cost of all filters of a drawing: about fifteen seconds of work."""

_BESIDE, _AT_LEAST = 6, 100_000
"""Cost of a filter besides its steps, per pixel and at least: drawing its source, storing its result."""

_MOST_STEPS = 60
_FUNCTION = re.compile(r"([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)|url\([^)]*\)", re.IGNORECASE)

_PUT_ON_TOP = {("feBlend", ""), ("feBlend", "normal"), ("feComposite", ""), ("feComposite", "over")}
BoxOf = Callable[[Element, NodeContext], Rect | None]


class UnknownStep(Exception):
    """Error: a filter uses an unsupported feature; the text names it."""


def has_renderer() -> bool:
    """Return True if filters can be drawn, which needs the optional library resvg."""
    return resvg_py is not None


def is_linear(step: Element) -> bool:
    """Return True if a step computes in linear light."""
    node: Element | None = step
    while node is not None:
        found = node.properties.get("color-interpolation-filters")
        if found:
            return found.strip() != "sRGB"
        node = node.parent
    return True


def parse_filter_function(name: str, inner: str, spot: NodeContext) -> Element | str:
    """Return a CSS filter function with the arguments `inner` as a step, or as text if it only changes colours.

    Raise UnknownStep for any other function, and for wrong arguments.
    """
    made = Element("feDropShadow" if name == "drop-shadow" else "feGaussianBlur", {}, "", None)
    made.properties = _SRGB
    try:
        if name == "blur":
            made.attributes["stdDeviation"] = repr(parse_length(inner or "0", spot.measure))
            return made
        if name == "drop-shadow":
            values = parse_lengths(" ".join(_LENGTH.findall(inner)), spot.measure)
            dx, dy, soft = values if len(values) > 2 else [*values, 0.0]
            colour = _LENGTH.sub("", inner).strip() or "currentColor"
            made.attributes |= {"dx": repr(dx), "dy": repr(dy), "stdDeviation": repr(soft), "flood-color": colour}
            return made
    except (InvalidInput, ValueError) as error:
        raise UnknownStep(f"'{name}({inner[:20]})'") from error
    if name not in _COLOUR_FUNCTIONS:
        raise UnknownStep(f"'{name}'")
    if not _AMOUNT.fullmatch(inner):
        raise UnknownStep(f"'{name}({inner[:20]})'")
    return f"{name}({inner.strip()})"


def filter_items(
    desk: ReaderState, node: Element, spot: NodeContext, items: list[Item], box_of_element: BoxOf
) -> list[Item]:
    """Return the filtered items. If the filter is not supported, add a note and return them unchanged."""
    if not has_renderer():
        desk.notes.add("", NOT_INSTALLED)
        return items
    for found in _FUNCTION.finditer(node.properties["filter"].strip()):
        try:
            if found[1] is None or found[1].lower() == "url":
                target = desk.ids.get(parse_reference(found[0]))
                if target is None or target.tag != "filter":
                    desk.notes.add(node.at, f"filter: there is no filter '{found[0][:40]}'")
                    continue
                items = _run_filter(desk, target, node, spot, items, box_of_element)
                continue
            step = parse_filter_function(found[1].lower(), found[2], spot)
            if isinstance(step, str):
                items = _FilterRun(desk, spot, items, _find_reach(spot, items, ())).draw(node, step, False)
            else:
                step.at = node.at
                items = run_steps(desk, spot, items, [step])
        except UnknownStep as told:
            desk.notes.add(node.at, f"{told} of a filter is not supported: the filter is ignored")
    return items


def _run_filter(
    desk: ReaderState, target: Element, node: Element, spot: NodeContext, items: list[Item], box_of_element: BoxOf
) -> list[Item]:
    steps = [step for step in target.children if step.tag.startswith("fe")]
    if not steps:
        return []
    given = target.attributes
    in_box = given.get("filterUnits", "objectBoundingBox").strip() != "userSpaceOnUse"
    by_box = given.get("primitiveUnits", "").strip() == "objectBoundingBox"
    box = box_of_element(node, spot) or Rect(0, 0, 0, 0)
    region = Rect(*desk.read_region(target, spot, box if in_box else None))
    return _FilterRun(desk, spot, items, region, box if by_box else None).run_steps(steps)


def run_steps(desk: ReaderState, spot: NodeContext, items: list[Item], steps: Sequence[Element]) -> list[Item]:
    """Return the items after blurs and shadows (`steps`) at their full size. All shadows are below the items."""
    run = _FilterRun(desk, spot, items, _find_reach(spot, items, steps))
    if len(steps) < 2:
        return run.run_steps(steps)
    run.merge([run.write_shadow(step) for step in reversed(steps)], False)
    return run.draw(steps[0], _STEPS_MADE, True)


def _find_reach(spot: NodeContext, items: Sequence[Item], steps: Sequence[Element]) -> Rect:
    """Return the box around the items and the result of these steps in user units; empty without items."""
    back = invert_matrix(spot.matrix)
    box = measure_items(items, back, stroked=True) if back is not None else None
    if box is None:
        return Rect(0, 0, 0, 0)
    room = 0.005 * max(box.width, box.height)
    for step in steps:
        far = max(abs(float(step.attributes.get(name, "0"))) for name in ("dx", "dy"))
        room += 3 * float(step.attributes.get("stdDeviation", "0")) + far
    return box.grow(room)


class _FilterRun:
    """One filter: its steps as markup for resvg, and its result for the items.

    All is drawn in user units, upright as the filter sees them; the picture is turned with the element afterwards.
    """

    def __init__(
        self, desk: ReaderState, spot: NodeContext, items: list[Item], region: Rect, by_box: Rect | None = None
    ):
        self._desk, self._spot, self._items, self._region, self._by_box = desk, spot, items, region, by_box
        a, b, c, d, _, _ = spot.matrix
        self._scales = (math.hypot(a, b), math.hypot(c, d))
        self._back = invert_matrix(spot.matrix) if region.width > 0 and region.height > 0 else None
        self._fine = 1.0
        if self._back is not None and measure_items(items, stroked=True) is not None:
            box = map_rect(spot.matrix, region)
            self._fine = desk.fineness(box) or min(_FINE / max(box.width, box.height), _FINEST / desk.side)
        self._parts: list[str] = []
        self._named: dict[str, str] = {}
        self._last, self._cost = "SourceGraphic", 0.0

    def run_steps(self, steps: Sequence[Element]) -> list[Item]:
        """Return the result of the steps on the items. A source that they put on top stays unchanged."""
        self._desk.count_drawn(steps[0], len(steps))
        *before, last = steps
        for step in before:
            self._write_step(step)
        below = self._write_below(last, first=not before)
        if not below:
            self._write_step(last)
        return self.draw(steps[0], _STEPS_MADE, below)

    def _write_below(self, last: Element, first: bool) -> bool:
        """Write what the last step (`first`: the only one) puts below the source; False if that is not on top."""
        given, parts = {**last.attributes, **last.properties}, last.children
        if any(name in given for name in _REGION):
            return False
        if last.tag == "feMerge" and len(parts) > 1 and parts[-1].attributes.get("in", "").strip() == "SourceGraphic":
            self.merge([self._find_input(part, "in") for part in parts[:-1]], is_linear(last))
        elif given.get("in", "SourceGraphic" if first else "").strip() != "SourceGraphic":
            return False
        elif last.tag == "feDropShadow":
            self.merge([self.write_shadow(last)], False)
        elif (last.tag, given.get("mode", given.get("operator", ""))) in _PUT_ON_TOP:
            self.merge([self._find_input(last, "in2")], False)
        else:
            return False
        return True

    # What resvg makes

    def draw(self, node: Element, filters: str, below: bool) -> list[Item]:
        """Return the result of `filters` (a CSS value) as a picture; with `below`, the items are on top of it."""
        kept = self._items if below else []
        if self._back is None:
            return kept
        desk, (across, down), region = self._desk, self._scales, self._region
        box = Rect(region.x * across, region.y * down, region.width * across, region.height * down)
        pixels = round(box.width * box.height * self._fine**2)
        desk.softened += round(pixels * (self._cost + _BESIDE)) + _AT_LEAST
        if len(self._parts) > _MOST_STEPS or desk.softened > _MOST_PIXELS:
            what = "the filters of this drawing are too complex: the rest are ignored"
            desk.notes.add(node.at, f"{what}; use fewer or smaller ones, or export the drawing as PNG")
            return self._items
        upright = multiply((across, 0.0, 0.0, down, 0.0, 0.0), self._back)
        source = desk.around.render_items((Group(tuple(self._items), upright),), box, self._fine)
        desk.notes.add(node.at, AS_A_PICTURE)
        try:
            made = self._render(source, filters)
        except ValueError:
            desk.notes.add(node.at, "resvg can't draw a filter: it is left out")
            return self._items
        seen = made.getchannel("A").getbbox()
        if seen is None:
            return kept
        stored = desk.around.store_picture(save_picture(made.crop(seen), compress_level=6))
        wide, high = region.width / made.width, region.height / made.height
        left, top, right, bottom = seen
        shown = (region.x + left * wide, region.y + top * high, (right - left) * wide, (bottom - top) * high)
        a, b, c, d, e, f = self._spot.matrix
        if b == c == 0 < min(a, d):
            shown = (a * shown[0] + e, d * shown[1] + f, a * shown[2], d * shown[3])
            return [Picture(stored.asset, stored.source, *shown, desk.role), *kept]
        return [Group((Picture(stored.asset, stored.source, *shown, desk.role),), self._spot.matrix), *kept]

    def _render(self, source: "Image.Image", filters: str) -> "Image.Image":
        from PIL import Image

        sides = [f"{getattr(self._region, name):.9g}" for name in _REGION]
        box = " ".join(f'{name}="{side}"' for name, side in zip(_REGION, sides, strict=True))
        box += ' preserveAspectRatio="none"'
        markup = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{source.width}" height="{source.height}" '
            f'viewBox="{" ".join(sides)}" preserveAspectRatio="none">'
            f'<filter id="f_" filterUnits="userSpaceOnUse" {box}>{"".join(self._parts)}</filter><g filter="{filters}">'
            f'<image {box} image-rendering="optimizeSpeed" href="{_encode_picture(source)}"/>'
            "</g></svg>"
        )
        made = resvg_py.svg_to_bytes(svg_string=markup, skip_system_fonts=True)
        return Image.open(io.BytesIO(made)).convert("RGBA")

    # The steps as markup. Every result has a name, and every step names its inputs.

    def _add(self, tag: str, given: dict[str, str], body: str = "", cost: float = 1.0) -> str:
        name = f"r{len(self._parts)}"
        told = " ".join(f"{key}={quoteattr(value)}" for key, value in {**given, "result": name}.items())
        self._parts.append(f"<{tag} {told}>{body}</{tag}>")
        self._cost += cost
        return name

    def merge(self, names: Sequence[str], linear: bool) -> None:
        """Put named results on top of each other as the last step, mixed in linear RGB if `linear`."""
        light = {"color-interpolation-filters": "linearRGB"} if linear else _SRGB
        self._last = self._add("feMerge", light, "".join(f'<feMergeNode in="{name}"/>' for name in names))

    def write_shadow(self, step: Element) -> str:
        """Write the shadow of a step without its source, and return its name."""
        given = {"dx": "2", "dy": "2", "stdDeviation": "2", **self._read_given(step)}
        soft = {**_SRGB, "in": self._find_input(step, "in"), "stdDeviation": given["stdDeviation"]}
        soft["in"] = self._add("feGaussianBlur", soft, cost=2.0)
        moved = self._add("feOffset", {**_SRGB, "in": soft["in"], "dx": given["dx"], "dy": given["dy"]})
        colour = {name: given[name] for name in ("flood-color", "flood-opacity")}
        flood = self._add("feFlood", {**_SRGB, **colour})
        return self._add("feComposite", {**_SRGB, "operator": "in", "in": flood, "in2": moved})

    def _write_step(self, step: Element) -> None:
        tag = step.tag
        if tag not in _STEPS:
            raise UnknownStep(f"<{tag}>")
        given, cost = self._read_given(step), _STEPS[tag] + len(step.children)
        source, other = self._find_input(step, "in"), self._find_input(step, "in2")
        body = "".join(self._write_part(child) for child in step.children if child.tag in _PARTS)
        own = {name: given[name] for name in _REGION if name in given}
        if tag == "feDropShadow":
            names = (self.write_shadow(step), source)
            tag, given, body = "feMerge", own, "".join(f'<feMergeNode in="{name}"/>' for name in names)
        elif tag == "feMorphology":
            tag, (source, moved) = "feOffset", self._spread(given, source)
            given = {**own, **moved}
        elif tag == "feComposite" and given.get("operator") == "lighter":
            given |= {"operator": "arithmetic", "k2": "1", "k3": "1"}
        elif tag == "feDisplacementMap":
            other = self._write_displacement(given, other)
        elif tag == "feImage":
            given["href"] = self._find_image(step)
        elif tag.endswith("Lighting"):
            given["surfaceScale"] = repr(_take_number(given, "surfaceScale", 1.0) * max(self._scales) * self._fine)
        elif tag == "feTurbulence":
            cost *= max(1.0, _take_number(given, "numOctaves", 1.0))
        elif tag == "feConvolveMatrix":
            order = list_numbers(given.get("order", "")) or [3.0]
            cost += abs(order[0] * order[-1]) / _TAPS
        light = "linearRGB" if is_linear(step) else "sRGB"
        given |= {"color-interpolation-filters": light, "in": source, "in2": other}
        self._last = self._add(tag, given, body, cost)
        if "result" in step.attributes:
            self._named[step.attributes["result"].strip()] = self._last

    def _write_part(self, part: Element) -> str:
        given = self._read_given(part)
        if part.tag == "feMergeNode":
            given["in"] = self._find_input(part, "in")
        return f"<{part.tag} {' '.join(f'{name}={quoteattr(value)}' for name, value in given.items())}/>"

    def _spread(self, given: dict[str, str], source: str) -> tuple[str, dict[str, str]]:
        """Thicken or thin `source` as attributes `given` say, axis by axis (faster). Return its name and offset."""
        fine = [scale * self._fine or 1.0 for scale in self._scales]
        reach = [float(value) for value in given.get("radius", "0").split()] or [0.0]
        most = round(self._region.width * fine[0] + self._region.height * fine[1])
        ways = [min(round(value * by), most) for value, by in zip((reach[0], reach[-1]), fine, strict=True)]
        if min(reach) < 0 or max(ways) < 1:
            return source, {}
        how = {"operator": given.get("operator", "erode"), **_SRGB}
        for pixels in ((max(ways[0], 1), 1), (1, max(ways[1], 1))):
            radius = " ".join(f"{(way - 0.4) / by:.9g}" for way, by in zip(pixels, fine, strict=True))
            source = self._add("feMorphology", {**how, "in": source, "radius": radius}, cost=1 + sum(pixels) / 9)
        return source, {"dx": f"{-1 / fine[0]:.9g}", "dy": f"{-1 / fine[1]:.9g}"}

    def _write_displacement(self, given: dict[str, str], map_name: str) -> str:
        """Correct the attributes `given` for resvg, which scales twice. Return the map, opaque if no alpha is read."""
        by = _take_number(given, "scale", 0.0)
        if by < 0:
            raise UnknownStep("a negative scale of <feDisplacementMap>")
        given["scale"] = repr(math.sqrt(by))
        if "A" in (given.get("xChannelSelector", "A"), given.get("yChannelSelector", "A")):
            return map_name
        return self._add("feColorMatrix", {**_SRGB, "in": map_name, "values": _OPAQUE})

    def _find_image(self, step: Element) -> str:
        name = find_link(step)
        if name.startswith("#"):
            raise UnknownStep("an element in <feImage>")
        shown = find_image(self._desk, step, name) if name else None
        if shown is None or shown.picture is None:
            raise UnknownStep("the picture of <feImage>")
        return _encode_picture(open_picture_file(Path(shown.picture.source))[0])

    def _find_input(self, step: Element, name: str) -> str:
        asked = step.attributes.get(name, "").strip()
        if asked in self._named or asked in ("SourceGraphic", "SourceAlpha"):
            return self._named.get(asked, asked)
        if asked in ("BackgroundImage", "BackgroundAlpha", "FillPaint", "StrokePaint"):
            style = self._spot.style
            coat = style.stroke if asked == "StrokePaint" else style.fill
            told = coat if isinstance(coat, AlphaColour) else self._desk.resolve_current(style)
            covers = told.alpha if asked.endswith("Paint") else 0.0
            flood = {"flood-color": self._format_colour(told), "flood-opacity": repr(covers)}
            self._named[asked] = self._add("feFlood", flood)
            return self._named[asked]
        return self._last

    def _read_given(self, step: Element) -> dict[str, str]:
        """Return the attributes of a step for resvg, with lengths in user units and colours as #rrggbb."""
        given: dict[str, str] = {}
        for name, text in {**step.attributes, **step.properties}.items():
            if not name.isalnum():  # another program's, or read below
                continue
            values = self._read_lengths(step, name) if name in _LENGTHS else list_numbers(text)
            if values:
                given[name] = " ".join(f"{min(max(value, -_FURTHEST), _FURTHEST):.9g}" for value in values)
            elif name not in _LENGTHS and _WORD.fullmatch(text.strip()):
                given[name] = text.strip()
        if step.tag in ("feFlood", "feDropShadow"):
            given["flood-color"], given["flood-opacity"] = self._read_colour(step, "flood-color", "#000000")
        elif step.tag.endswith("Lighting"):
            given["lighting-color"], _ = self._read_colour(step, "lighting-color", "#ffffff")
        return given

    def _read_lengths(self, step: Element, name: str) -> list[float]:
        measure, box, axis = self._spot.measure, self._by_box, _LENGTHS[name]
        if box is not None:
            measure = measure._replace(width=1.0, height=1.0)
        values: list[float] = self._desk.read_value(step, name, lambda text: parse_lengths(text, measure, axis), [])
        values = values[:1] if axis else [*values[:1], *values[-1:]]
        if box is None or step.tag not in _STEPS:
            return values
        sizes = {"x": (box.width,), "y": (box.height,), "": (box.width, box.height)}[axis]
        start = {"x": box.x, "y": box.y}.get(name, 0.0)
        return [start + value * size for value, size in zip(values, sizes, strict=False)]

    def _read_colour(self, step: Element, name: str, default: str) -> tuple[str, str]:
        given = {**step.attributes, **step.properties}
        text = given.get(name, default)
        try:
            current = text.lower() == "currentcolor"
            told = self._desk.resolve_current(self._spot.style) if current else self._desk.styles.read_colour(text)
            return self._format_colour(told), repr(told.alpha * parse_share(given.get("flood-opacity", "1")))
        except ValueError:
            return default, "1"

    def _format_colour(self, told: AlphaColour) -> str:
        return "#" + "".join([f"{round(255 * part):02x}" for part in self._desk.around.find_screen_colour(told.paint)])


def _take_number(given: dict[str, str], name: str, default: float) -> float:
    return (list_numbers(given.get(name, "")) or [default])[0]


def _encode_picture(picture: "Image.Image") -> str:
    data = save_picture(picture.convert("RGBA"), compress_level=1)
    return "data:image/png;base64," + base64.b64encode(data).decode("ascii")
