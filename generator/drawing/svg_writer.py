"""Compact SVG files and figures of web pages, and the content policy of such pages."""

import base64
import hashlib
import re
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import ceil, cos, log10, radians, sin
from pathlib import Path
from typing import TYPE_CHECKING

from generator.base.display_list import (
    Drawing,
    Gradient,
    Group,
    Item,
    Paint,
    PlacedSymbol,
    Shape,
    Symbol,
    TextRun,
    walk_leaves,
)
from generator.base.geometry import IDENTITY, MM_PER_PT, Matrix, Rect, is_flat
from generator.base.outlines import rectangle_path
from generator.base.picture_files import (
    decode_layers,
    encode_png,
    filter_rows,
    flatten_layers,
    has_decoders,
    open_picture_file,
    to_opaque,
)
from generator.drawing.pdf.resources import find_solid_paint

if TYPE_CHECKING:
    from generator.text.fonts import Font, FontBook


Step = tuple[str, tuple[float, ...]]
"""A letter of M L Q C Z with its absolute points."""

_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def escape_text(text: str) -> str:
    """Return a text for use in an element or a double-quoted attribute, without characters that XML forbids."""
    return "".join([_ESCAPES.get(char, char) for char in text if not _FORBIDDEN.match(char)])


def shorten_number(value: float, places: int = 3) -> str:
    """Return a number, rounded to `places` decimals, in SVG's shortest form: `.5`, `-12`, `0`."""
    text = f"{value:.{places}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if text.startswith("0."):
        return text[1:]
    if text.startswith("-0."):
        return f"-{text[2:]}"
    return "0" if text in ("-0", "") else text


def list_numbers(values: Iterable[float], places: int = 3) -> str:
    """Return numbers, rounded to `places` decimals, in a row, with a space only where two would run together."""
    return _join_numbers([shorten_number(value, places) for value in values])


@lru_cache(maxsize=1 << 14)
def shorten_path(outline: str, places: int) -> str:
    """Return a canonical outline in relative commands. Points keep `places` decimals; errors don't add up."""
    parts = outline.split(" ")
    steps: list[Step] = []
    at = 0
    while at < len(parts):
        count = {"M": 2, "L": 2, "C": 6, "Z": 0}[parts[at]]
        steps.append((parts[at], tuple(map(float, parts[at + 1 : at + 1 + count]))))
        at += 1 + count
    return format_relative(steps, places)


def format_relative(steps: Iterable[Step], places: int) -> str:
    """Return steps (letter, absolute points) as SVG path data in relative commands, rounded to `places` decimals."""
    grid = 10**places
    x = y = start_x = start_y = 0
    out: list[str] = []
    last = ""
    for letter, points in steps:
        if letter == "Z":
            out.append("z")
            x, y, last = start_x, start_y, "z"
            continue
        spots = [round(value * grid) for value in points]
        moved = [spot - (y if index % 2 else x) for index, spot in enumerate(spots)]
        command = letter.lower()
        if command == "l" and 0 in moved:
            command, moved = ("h", moved[:1]) if moved[1] == 0 else ("v", moved[1:])
        numbers = _join_numbers([_format_step(value, places) for value in moved])
        repeats = command == last or (command == "l" and last == "m")
        out.append(numbers if repeats and numbers[0] == "-" else f"{' ' if repeats else command}{numbers}")
        x, y = spots[-2:]
        if command == "m":
            start_x, start_y = x, y
        last = command
    return "".join(out)


@lru_cache(maxsize=1 << 16)
def _format_step(value: int, places: int) -> str:
    """Return `value`, in units of the last of `places` decimals, as text. It is cached, as most steps are small."""
    return shorten_number(value / 10**places, places)


def format_transform(by: Matrix) -> str:
    """Return the shortest value of a `transform` attribute for a matrix."""
    a, b, c, d, e, f = by
    if b == c == 0:
        moved = f"translate({shorten_number(e)} {shorten_number(f)})" if round(e, 3) or round(f, 3) else ""
        if a == d == 1:
            return moved
        factors = (a,) if a == d else (a, d)
        return f"{moved}scale({' '.join(map(format_factor, factors))})"
    return f"matrix({' '.join([*map(format_factor, (a, b, c, d)), shorten_number(e), shorten_number(f)])})"


def format_factor(value: float) -> str:
    """Return a factor with six significant digits, since art can use units of any size."""
    text = f"{value:.6g}"
    return shorten_number(value, 10) if "e" in text else shorten_number(float(text), 10)


def _join_numbers(numbers: Iterable[str]) -> str:
    out = ""
    for text in numbers:
        out += text if not out or text[0] == "-" else f" {text}"
    return out


# A drawing shows what its PDF shows, cut at the trim. Type comes as outlines, so that no font is needed; its
# characters
# stand in the description. Paints are resolved; nothing is asked of the network.

_PLAIN = {"JPEG": ("L", "RGB"), "PNG": ("1", "L", "LA", "P", "RGB", "RGBA")}


def encode_data_uri(path: Path) -> str:
    """Return the picture as a `data:` address. Raise ProblemsFound if it can't be read."""
    picture, data = open_picture_file(path, decode=False)
    kind = picture.format or ""
    if picture.mode not in _PLAIN.get(kind, ()):
        picture, data = open_picture_file(path)
        depth = "RGBA" if picture.has_transparency_data else "RGB"
        if has_decoders():
            plain = (to_opaque(picture) if picture.mode.startswith("I") else picture).convert(depth)
            size, pixels = plain.size, plain.tobytes()
        else:
            mode, size, pixels, alpha = decode_layers(picture, data)
            pixels = flatten_layers(mode, pixels, alpha if depth == "RGBA" else None)
        kind, data = "PNG", encode_png(depth, size, zlib.compress(filter_rows(depth, size, pixels), 6))
    return f"data:image/{kind.lower()};base64,{base64.b64encode(data).decode('ascii')}"


_FINE = 2
"""Decimals of a length in mm: a hundredth is less than a screen's pixel at ten times the size."""

_SMALL, _LARGE = 24.0, 1000.0
"""Symbols use their own units: smaller ones need one more decimal, symbols above the second size one fewer."""

_INSIDE = 0.99
"""Share of the radius at which a radial gradient's focus is placed if it is on the circle or outside."""


_REFERRED = re.compile(r'(?:href="|url\()#([^")]+)')


class Definitions:
    """Definitions shared by the SVG of one page: glyphs, symbols, clips, gradients, pictures, each with its id.

    `palette` returns a paint as `#rrggbb`, and `pictures` the file of a picture's source.
    """

    def __init__(self, fonts: "FontBook", palette: Callable[[Paint], str], pictures: Callable[[str], Path] = Path):
        self._fonts, self._palette, self._paths = fonts, palette, pictures
        self._bodies: dict[str, str] = {}
        self._glyphs: dict[tuple[str, int], str] = {}
        self._symbols: dict[int, tuple[Symbol, str]] = {}
        self._images: dict[str, str] = {}

    def write_definitions(self, page: str | None = None) -> str:
        """Return all definitions so far, or those that the text of a `page` refers to, as the content of a `<defs>`."""
        bodies = {name: body for body, name in self._bodies.items()}
        needed, waiting = (set(bodies), list[str]()) if page is None else (set[str](), [page])
        while waiting:
            found = {name for name in _REFERRED.findall(waiting.pop()) if name in bodies} - needed
            needed |= found
            waiting += [bodies[name] for name in found]
        named = [(name, body) for name, body in bodies.items() if name in needed]
        return "".join([body.replace(" id=''", f' id="{name}"', 1) for name, body in named])

    def define_element(self, body: str) -> str:
        """Return the id of an element that is defined once; `body` leaves it blank as `id=''`."""
        number = len(self._bodies)
        digits = ""
        while number or not digits:
            number, digit = divmod(number, 36)
            digits = _DIGITS[digit] + digits
        # The dot keeps it apart from the ids of users.
        return self._bodies.setdefault(body, f"g.{digits}")

    def write_items(self, items: Sequence[Item], places: int = _FINE) -> str:
        """Return items as elements; lengths have this number of decimals."""
        return "".join([self._write_item(item, places) for item in items])

    def _write_item(self, item: Item, places: int) -> str:
        if isinstance(item, Shape):
            return self._write_shape(item, places)
        if isinstance(item, TextRun):
            return self._write_run(item)
        if isinstance(item, PlacedSymbol):
            return "" if is_flat(item.matrix) else self.write_symbol(item)
        if isinstance(item, Group):
            return self._write_group(item, places)
        name = self._images.get(item.asset)
        if name is None:
            uri = encode_data_uri(self._paths(item.source))
            body = f'<image id=\'\' width="1" height="1" preserveAspectRatio="none" href="{uri}"/>'
            name = self._images[item.asset] = self.define_element(body)
        place = (item.width, 0.0, 0.0, item.height, item.x, item.y)
        return "" if is_flat(place) else f'<use href="#{name}"{_format_transform(place)}/>'

    def write_symbol(self, placed: PlacedSymbol) -> str:
        """Return a symbol at its place."""
        clip = self._write_clip(rectangle_path(Rect(*placed.symbol.box)), 3) if placed.clip else ""
        known = self._symbols.get(id(placed.symbol))
        if known is None:
            size = max(placed.symbol.box[2:])
            inner = self.write_items(placed.symbol.items, _FINE + (size < _SMALL) - (size > _LARGE))
            body = f"<symbol id='' overflow=\"visible\">{inner}</symbol>"
            known = self._symbols[id(placed.symbol)] = (placed.symbol, self.define_element(body))
        return f'<use href="#{known[1]}"{clip}{_format_transform(placed.matrix)}/>'

    def _write_clip(self, outline: str, places: int, even_odd: bool = False) -> str:
        # Not a symbol's own viewBox: librsvg does not clip to it if the symbol is turned.
        rule = ' clip-rule="evenodd"' if even_odd else ""
        name = self.define_element(f"<clipPath id=''><path d=\"{shorten_path(outline, places)}\"{rule}/></clipPath>")
        return f' clip-path="url(#{name})"'

    def _write_group(self, group: Group, places: int) -> str:
        if is_flat(group.matrix):
            return ""
        a, b, c, d, _, _ = group.matrix
        grown = max((a * a + b * b) ** 0.5, (c * c + d * d) ** 0.5)
        places = min(max(places + ceil(log10(grown) - 0.3), 0), 3) if grown > 0 else places
        inner = self.write_items(group.items, places)
        clip = self._write_clip(group.clip, places, group.clip_even_odd) if group.clip else ""
        if not inner or not (clip or group.matrix != IDENTITY or group.is_composited):
            return inner
        return f"<g{clip}{self._format_blending(group, places)}{_format_transform(group.matrix)}>{inner}</g>"

    def _format_blending(self, group: Group, places: int) -> str:
        """Return the attributes of a group painted as one. Masks use the coordinates of its contents."""
        words = [f' opacity="{shorten_number(group.opacity, 4)}"'] if group.opacity < 1 else []
        if group.blend != "normal":
            words.append(f' style="mix-blend-mode:{group.blend}"')
        if group.mask is not None:
            kind = ' mask-type="alpha"' if group.mask.alpha else ""
            edge = 'maskUnits="userSpaceOnUse" x="-10000" y="-10000" width="20000" height="20000"'
            name = self.define_element(f"<mask id='' {edge}{kind}>{self.write_items(group.mask.items, places)}</mask>")
            words.append(f' mask="url(#{name})"')
        return "".join(words)

    def _write_shape(self, shape: Shape, places: int) -> str:
        stroke = shape.stroke if shape.width > 0 else None
        if not shape.path or (shape.fill is None and stroke is None):
            return ""
        words = [f'<path d="{shorten_path(shape.path, places)}"', self._format_fill(shape.fill)]
        if shape.even_odd and shape.fill is not None:
            words.append(' fill-rule="evenodd"')
        if stroke is not None:
            words.append(f' stroke="{self._format_colour(stroke)}"{_format_stroke(shape)}')
        return "".join([*words, "/>"])

    def _format_fill(self, fill: Paint | Gradient | None) -> str:
        if isinstance(fill, Gradient):
            paint = find_solid_paint(fill)
            if paint is None:
                return f' fill="url(#{self.define_element(self._write_gradient(fill))})"'
            fill = paint
        if fill is None:
            return ' fill="none"'
        colour = self._format_colour(fill)
        return "" if colour == "#000" else f' fill="{colour}"'

    def _format_colour(self, paint: Paint) -> str:
        colour = self._palette(paint)
        return f"#{colour[1::2]}" if colour[1::2] == colour[2::2] else colour

    def _write_gradient(self, gradient: Gradient) -> str:
        offsets = [(shorten_number(offset, 4), self._format_colour(paint)) for offset, paint in gradient.stops]
        stops = "".join([f'<stop offset="{offset}" stop-color="{colour}"/>' for offset, colour in offsets])
        linear = gradient.kind == "linear"
        values = gradient.line if linear else _limit_focus(gradient.line)
        names = ("x1", "y1", "x2", "y2") if linear else ("cx", "cy", "r", "fx", "fy")
        numbers = " ".join([f'{name}="{shorten_number(value, 4)}"' for name, value in zip(names, values, strict=True)])
        turned = "" if gradient.matrix == IDENTITY else f' gradientTransform="{format_transform(gradient.matrix)}"'
        kind = f"{gradient.kind}Gradient"
        return f"<{kind} id='' gradientUnits=\"userSpaceOnUse\" {numbers}{turned}>{stops}</{kind}>"

    def _write_run(self, run: TextRun) -> str:
        if not run.glyphs:
            return ""
        font = self._fonts.get_font(run.font)
        scale = run.size * MM_PER_PT / font.upem
        uses = []
        for glyph, (x, y) in zip(run.glyphs, _place_pens(run, font, scale), strict=True):
            name = self._glyphs.get((run.font, glyph))
            if name is None:
                outline = _format_glyph(font.draw_outline(glyph), 0 if font.upem >= 500 else 2)
                name = self._glyphs[run.font, glyph] = (
                    self.define_element(f"<path id='' d=\"{outline}\"/>") if outline else ""
                )
            if name:
                spot = "".join([f' {axis}="{value}"' for axis, value in (("x", x), ("y", y)) if value])
                uses.append(f'<use href="#{name}"{spot}/>')
        if not uses:
            return ""
        along, across = cos(radians(run.angle)) * scale, sin(radians(run.angle)) * scale
        put = _format_transform((along, across, -across, along, run.x, run.y))
        return f"<g{self._format_fill(run.paint)}{put}>{''.join(uses)}</g>"


@lru_cache(maxsize=1 << 13)
def _format_glyph(outline: tuple[Step, ...], places: int) -> str:
    """Return a glyph's outline (y up) as path data with y down."""
    flipped = [
        (letter, tuple([-value if index % 2 else value for index, value in enumerate(points)]))
        for letter, points in outline
    ]
    return format_relative(flipped, places)


def write_svg(drawing: Drawing, fonts: "FontBook", palette: Callable[[Paint], str]) -> str:
    """Return a drawing as the text of an SVG file. `palette` returns the colour of a paint as SVG has it."""
    definitions = Definitions(fonts, palette, Path)
    shown = write_figure(drawing, definitions, drawing.title, f'width="{shorten_number(drawing.width)}mm"')
    opened, rest = shown.split(">", 1)
    defined = definitions.write_definitions()
    store = f"<defs>{defined}</defs>" if defined else ""
    return f'{opened} xmlns="http://www.w3.org/2000/svg">{store}{rest}\n'


def write_figure(drawing: Drawing, definitions: Definitions, alt: str, attributes: str = "") -> str:
    """Return a drawing as `<svg>` with `attributes`; `alt` names it, its text describes it, the page defines it."""
    lang = f' lang="{escape_text(drawing.lang)}"' if drawing.lang else ""
    size = f'viewBox="0 0 {shorten_number(drawing.width)} {shorten_number(drawing.height)}"'
    more = f" {attributes}" if attributes else ""
    said = read_drawing_text(drawing)
    described = f"<desc>{escape_text(said)}</desc>" if said else ""
    content = definitions.write_items(drawing.items)
    return f'<svg {size}{more} role="img" aria-label="{escape_text(alt)}"{lang}>{described}{content}</svg>'


def read_drawing_text(drawing: Drawing) -> str:
    """Return the characters of a drawing line by line in drawing order, each line once, without stamps."""
    lines: list[str] = []
    at: tuple[float, ...] | None = None
    for item, matrix in walk_leaves(drawing.items):
        if not isinstance(item, TextRun) or item.role == "stamp":
            continue
        here = (*matrix, item.x if item.angle or item.is_upright else item.y)
        if lines and here == at:
            lines[-1] += item.text
        else:
            lines.append(item.text)
        at = here
    return "\n".join(dict.fromkeys([line.strip() for line in lines if line.strip()]))


def _place_pens(run: TextRun, font: "Font", scale: float) -> list[tuple[int, int]]:
    if run.places:
        return [(round(x / scale), round(y / scale)) for x, y in run.places]
    pens, pen = [], 0.0
    for advance in run.advances or map(font.measure_advance, run.glyphs):
        pens.append((round(pen), 0))
        pen += advance * font.upem / 1000
    return pens


def _format_stroke(shape: Shape) -> str:
    words = [] if shape.width == 1 else [f' stroke-width="{shorten_number(shape.width, 4)}"']
    if shape.cap != "butt":
        words.append(f' stroke-linecap="{shape.cap}"')
    if shape.join != "miter":
        words.append(f' stroke-linejoin="{shape.join}"')
    elif shape.miter != 4:
        words.append(f' stroke-miterlimit="{format_factor(max(1.0, shape.miter))}"')
    if any(shape.dash):
        words.append(f' stroke-dasharray="{list_numbers(shape.dash)}"')
        if shape.dash_from:
            words.append(f' stroke-dashoffset="{shorten_number(shape.dash_from, 4)}"')
    return "".join(words)


def _limit_focus(line: tuple[float, ...]) -> tuple[float, ...]:
    cx, cy, r, fx, fy = line
    away = ((fx - cx) ** 2 + (fy - cy) ** 2) ** 0.5
    if away > _INSIDE * r:
        fx, fy = cx + (fx - cx) * _INSIDE * r / away, cy + (fy - cy) * _INSIDE * r / away
    return (cx, cy, r, fx, fy)


def _format_transform(by: Matrix) -> str:
    value = format_transform(by)
    return f' transform="{value}"' if value else ""


def write_policy(script: str = "") -> str:
    """Return the `<meta>` that allows a page its own styles, embedded pictures, and the one inline script given."""
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    scripts = f"script-src 'sha256-{digest}'; " if script else ""
    allowed = f"{scripts}style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    return f'<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; {allowed}">'
