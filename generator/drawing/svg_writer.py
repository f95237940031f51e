"""Compact SVG files and figures of web pages, and the content policy of such pages."""

import base64
import hashlib
import io
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import ceil, cos, log10, radians, sin
from pathlib import Path
from typing import Protocol

from PIL import Image

from generator.base.display_list import (
    Drawing,
    Gradient,
    Group,
    Item,
    Paint,
    Picture,
    Placed,
    Shape,
    Symbol,
    TextRun,
    walk,
)
from generator.base.geometry import IDENTITY, MM_PER_PT, Matrix, Rect
from generator.base.outlines import rectangle
from generator.base.picture_files import opaque, picture_file
from generator.drawing.pdf.resources import solid

Step = tuple[str, tuple[float, ...]]
"""A letter of M L Q C Z with its absolute points."""

_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def escaped(text: str) -> str:
    """Return a text for use in an element or a double-quoted attribute, without characters that XML forbids."""
    return "".join([_ESCAPES.get(char, char) for char in text if not _FORBIDDEN.match(char)])


def short(value: float, places: int = 3) -> str:
    """Return a number in SVG's shortest form: `.5`, `-12`, `0`."""
    text = f"{value:.{places}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    if text.startswith("0."):
        return text[1:]
    if text.startswith("-0."):
        return f"-{text[2:]}"
    return "0" if text in ("-0", "") else text


def listed(values: Iterable[float], places: int = 3) -> str:
    """Return numbers in a row, with a space only where two would run together."""
    return _joined([short(value, places) for value in values])


@lru_cache(maxsize=1 << 14)
def short_path(outline: str, places: int) -> str:
    """Return a canonical outline in relative commands. Points keep `places` decimals; errors don't add up."""
    parts = outline.split(" ")
    steps: list[Step] = []
    at = 0
    while at < len(parts):
        count = {"M": 2, "L": 2, "C": 6, "Z": 0}[parts[at]]
        steps.append((parts[at], tuple(map(float, parts[at + 1 : at + 1 + count]))))
        at += 1 + count
    return relative(steps, places)


def relative(steps: Iterable[Step], places: int) -> str:
    """Return absolute steps as SVG path data in relative commands."""
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
        numbers = _joined([_short_step(value, places) for value in moved])
        repeats = command == last or (command == "l" and last == "m")
        out.append(numbers if repeats and numbers[0] == "-" else f"{' ' if repeats else command}{numbers}")
        x, y = spots[-2:]
        if command == "m":
            start_x, start_y = x, y
        last = command
    return "".join(out)


@lru_cache(maxsize=1 << 16)
def _short_step(value: int, places: int) -> str:
    """Return a number given in units of the last decimal. Most steps are small and frequent."""
    return short(value / 10**places, places)


def transform(by: Matrix) -> str:
    """Return the shortest value of a `transform` attribute for a matrix."""
    a, b, c, d, e, f = by
    if b == c == 0:
        moved = f"translate({short(e)} {short(f)})" if round(e, 3) or round(f, 3) else ""
        if a == d == 1:
            return moved
        factors = (a,) if a == d else (a, d)
        return f"{moved}scale({' '.join(map(factor, factors))})"
    return f"matrix({' '.join([*map(factor, (a, b, c, d)), short(e), short(f)])})"


def factor(value: float) -> str:
    """Return a factor with six significant digits, since art can use units of any size."""
    text = f"{value:.6g}"
    return short(value, 10) if "e" in text else short(float(text), 10)


def label(number: int) -> str:
    """Return the id of a definition. Its dot keeps it apart from the ids of users."""
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return f"g.{digits}"


def _joined(numbers: Iterable[str]) -> str:
    out = ""
    for text in numbers:
        out += text if not out or text[0] == "-" else f" {text}"
    return out


# A drawing shows what its PDF shows, cut at the trim. Type comes as outlines, so that no font is needed; its
# characters
# stand in the description. Paints are resolved; nothing is asked of the network.

_PLAIN = {"JPEG": ("L", "RGB"), "PNG": ("1", "L", "LA", "P", "RGB", "RGBA")}


def data_uri(path: Path) -> str:
    """Return the picture as a `data:` address. Raise ProblemsFound if it can't be read."""
    picture, data = picture_file(path)
    kind = picture.format or ""
    if picture.mode not in _PLAIN.get(kind, ()):
        kind, data = "PNG", _png(picture)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(data).decode('ascii')}"


def _png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    depth = "RGBA" if picture.has_transparency_data else "RGB"
    plain = (opaque(picture) if picture.mode.startswith("I") else picture).convert(depth)
    plain.info = {}
    plain.save(out, format="PNG", compress_level=6)
    return out.getvalue()


_FINE = 2
"""Decimals of a length in mm: a hundredth is less than a screen's pixel at ten times the size."""

_SMALL, _LARGE = 24.0, 1000.0
"""Symbols use their own units: smaller ones need one more decimal, symbols above the second size one fewer."""

_INSIDE = 0.99
"""Share of the radius at which a radial gradient's focus is placed if it is on the circle or outside."""


class GlyphSource(Protocol):
    """The parts of a font that the writer needs (implemented in `text/fonts.py`)."""

    @property
    def upem(self) -> int:
        """The font's units per em."""

    def advance(self, glyph: int) -> float:
        """Return the advance of a glyph (1/1000 em)."""

    def outline(self, glyph: int) -> tuple[Step, ...]:
        """Return the glyph's outline in the font's units, y up."""


class GlyphFonts(Protocol):
    """A source of fonts, like `FontBook`."""

    def font(self, key: str) -> GlyphSource:
        """Return the font with the key that text runs carry."""


_REFERRED = re.compile(r'(?:href="|url\()#([^")]+)')


class Definitions:
    """Definitions shared by the SVG of one page: glyphs, symbols, clips, gradients, pictures, each with its id.

    `palette` returns a paint as `#rrggbb`, and `pictures` the file of a picture's source.
    """

    def __init__(self, fonts: GlyphFonts, palette: Callable[[Paint], str], pictures: Callable[[str], Path] = Path):
        self._fonts, self._palette, self._paths = fonts, palette, pictures
        self._bodies: dict[str, str] = {}
        self._glyphs: dict[tuple[str, int], str] = {}
        self._symbols: dict[int, tuple[Symbol, str]] = {}
        self._images: dict[str, str] = {}

    def written(self, page: str | None = None) -> str:
        """Return all definitions so far, or those that a page needs, as the content of a `<defs>`."""
        needed = set(self._bodies.values()) if page is None else self._needed(page)
        named = [(body, name) for body, name in self._bodies.items() if name in needed]
        return "".join([body.replace(" id=''", f' id="{name}"', 1) for body, name in named])

    def _needed(self, page: str) -> set[str]:
        """Return the ids that a page refers to, and those that their definitions refer to."""
        bodies = {name: body for body, name in self._bodies.items()}
        needed, waiting = set[str](), [page]
        while waiting:
            found = {name for name in _REFERRED.findall(waiting.pop()) if name in bodies} - needed
            needed |= found
            waiting += [bodies[name] for name in found]
        return needed

    def define(self, body: str) -> str:
        """Return the id of an element that is defined once; `body` leaves it blank as `id=''`."""
        return self._bodies.setdefault(body, label(len(self._bodies)))

    def content(self, items: Sequence[Item], places: int = _FINE) -> str:
        """Return items as elements; lengths have this number of decimals."""
        return "".join([self._item(item, places) for item in items])

    def symbol(self, symbol: Symbol) -> str:
        """Return the id of a symbol, not clipped to its box."""
        known = self._symbols.get(id(symbol))
        if known is None:
            inner = self.content(symbol.items, _decimals(max(symbol.box[2:])))
            known = self._symbols[id(symbol)] = (
                symbol,
                self.define(f"<symbol id='' overflow=\"visible\">{inner}</symbol>"),
            )
        return known[1]

    def _item(self, item: Item, places: int) -> str:
        if isinstance(item, Shape):
            return self._shape(item, places)
        if isinstance(item, TextRun):
            return self._run(item)
        if isinstance(item, Placed):
            return "" if _flat(item.matrix) else self.use(item)
        if isinstance(item, Group):
            return self._group(item, places)
        return self._picture(item)

    def use(self, placed: Placed) -> str:
        """Return a symbol at its place."""
        clip = self._clip(rectangle(Rect(*placed.symbol.box)), 3) if placed.clip else ""
        return f'<use href="#{self.symbol(placed.symbol)}"{clip}{_moved(placed.matrix)}/>'

    def _clip(self, outline: str, places: int, even_odd: bool = False) -> str:
        # Not a symbol's own viewBox: librsvg does not clip to it if the symbol is turned.
        rule = ' clip-rule="evenodd"' if even_odd else ""
        name = self.define(f"<clipPath id=''><path d=\"{short_path(outline, places)}\"{rule}/></clipPath>")
        return f' clip-path="url(#{name})"'

    def _group(self, group: Group, places: int) -> str:
        if _flat(group.matrix):
            return ""
        places = _within(places, group.matrix)
        inner = self.content(group.items, places)
        clip = self._clip(group.clip, places, group.clip_even_odd) if group.clip else ""
        if not inner or not (clip or group.matrix != IDENTITY or group.as_one):
            return inner
        return f"<g{clip}{self._mixed(group, places)}{_moved(group.matrix)}>{inner}</g>"

    def _mixed(self, group: Group, places: int) -> str:
        """Return the attributes of a group painted as one. Masks use the coordinates of its contents."""
        words = [f' opacity="{short(group.opacity, 4)}"'] if group.opacity < 1 else []
        if group.blend != "normal":
            words.append(f' style="mix-blend-mode:{group.blend}"')
        if group.mask is not None:
            kind = ' mask-type="alpha"' if group.mask.alpha else ""
            edge = 'maskUnits="userSpaceOnUse" x="-10000" y="-10000" width="20000" height="20000"'
            name = self.define(f"<mask id='' {edge}{kind}>{self.content(group.mask.items, places)}</mask>")
            words.append(f' mask="url(#{name})"')
        return "".join(words)

    def _shape(self, shape: Shape, places: int) -> str:
        stroke = shape.stroke if shape.width > 0 else None
        if not shape.path or (shape.fill is None and stroke is None):
            return ""
        words = [f'<path d="{short_path(shape.path, places)}"', self._fill(shape.fill)]
        if shape.even_odd and shape.fill is not None:
            words.append(' fill-rule="evenodd"')
        if stroke is not None:
            words.append(f' stroke="{self._colour(stroke)}"{_pen(shape)}')
        return "".join([*words, "/>"])

    def _fill(self, fill: Paint | Gradient | None) -> str:
        if isinstance(fill, Gradient):
            paint = solid(fill)
            if paint is None:
                return f' fill="url(#{self.define(self._gradient(fill))})"'
            fill = paint
        if fill is None:
            return ' fill="none"'
        colour = self._colour(fill)
        return "" if colour == "#000" else f' fill="{colour}"'

    def _colour(self, paint: Paint) -> str:
        colour = self._palette(paint)
        return f"#{colour[1::2]}" if colour[1::2] == colour[2::2] else colour

    def _gradient(self, gradient: Gradient) -> str:
        stops = "".join(
            [
                f'<stop offset="{short(offset, 4)}" stop-color="{self._colour(paint)}"/>'
                for offset, paint in gradient.stops
            ]
        )
        linear = gradient.kind == "linear"
        values = gradient.line if linear else _focused(gradient.line)
        names = ("x1", "y1", "x2", "y2") if linear else ("cx", "cy", "r", "fx", "fy")
        numbers = " ".join([f'{name}="{short(value, 4)}"' for name, value in zip(names, values, strict=True)])
        turned = "" if gradient.matrix == IDENTITY else f' gradientTransform="{transform(gradient.matrix)}"'
        kind = f"{gradient.kind}Gradient"
        return f"<{kind} id='' gradientUnits=\"userSpaceOnUse\" {numbers}{turned}>{stops}</{kind}>"

    def _run(self, run: TextRun) -> str:
        if not run.glyphs:
            return ""
        font = self._fonts.font(run.font)
        scale = run.size * MM_PER_PT / font.upem
        uses = []
        for glyph, (x, y) in zip(run.glyphs, _pens(run, font, scale), strict=True):
            name = self._glyph(run.font, font, glyph)
            if name:
                spot = "".join([f' {axis}="{value}"' for axis, value in (("x", x), ("y", y)) if value])
                uses.append(f'<use href="#{name}"{spot}/>')
        if not uses:
            return ""
        along, across = cos(radians(run.angle)) * scale, sin(radians(run.angle)) * scale
        put = _moved((along, across, -across, along, run.x, run.y))
        return f"<g{self._fill(run.paint)}{put}>{''.join(uses)}</g>"

    def _glyph(self, key: str, font: GlyphSource, glyph: int) -> str:
        """Return the id of a glyph's outline, or an empty string for a blank."""
        found = self._glyphs.get((key, glyph))
        if found is None:
            outline = _glyph_path(font.outline(glyph), 0 if font.upem >= 500 else 2)
            found = self._glyphs[key, glyph] = self.define(f"<path id='' d=\"{outline}\"/>") if outline else ""
        return found

    def _picture(self, picture: Picture) -> str:
        name = self._images.get(picture.asset)
        if name is None:
            uri = data_uri(self._paths(picture.source))
            body = f'<image id=\'\' width="1" height="1" preserveAspectRatio="none" href="{uri}"/>'
            name = self._images[picture.asset] = self.define(body)
        place = (picture.width, 0.0, 0.0, picture.height, picture.x, picture.y)
        return "" if _flat(place) else f'<use href="#{name}"{_moved(place)}/>'


@lru_cache(maxsize=1 << 13)
def _glyph_path(outline: tuple[Step, ...], places: int) -> str:
    """Return a glyph's outline (y up) as path data with y down."""
    return relative([(letter, tuple(_upside(points))) for letter, points in outline], places)


def svg(
    drawing: Drawing, fonts: GlyphFonts, palette: Callable[[Paint], str], pictures: Callable[[str], Path] = Path
) -> str:
    """Return a drawing as an SVG file of its own."""
    definitions = Definitions(fonts, palette, pictures)
    shown = figure(drawing, definitions, drawing.title, f'width="{short(drawing.width)}mm"')
    opened, rest = shown.split(">", 1)
    defined = definitions.written()
    store = f"<defs>{defined}</defs>" if defined else ""
    return f'{opened} xmlns="http://www.w3.org/2000/svg">{store}{rest}\n'


def figure(drawing: Drawing, definitions: Definitions, alt: str, attributes: str = "") -> str:
    """Return a drawing as an `<svg>` in a page that holds its definitions: an image named `alt`.

    Its characters become its description.
    """
    lang = f' lang="{escaped(drawing.lang)}"' if drawing.lang else ""
    size = f'viewBox="0 0 {short(drawing.width)} {short(drawing.height)}"'
    more = f" {attributes}" if attributes else ""
    said = spoken(drawing)
    described = f"<desc>{escaped(said)}</desc>" if said else ""
    content = definitions.content(drawing.items)
    return f'<svg {size}{more} role="img" aria-label="{escaped(alt)}"{lang}>{described}{content}</svg>'


def spoken(drawing: Drawing) -> str:
    """Return the characters of a drawing line by line in drawing order, each line once, without stamps."""
    lines: list[str] = []
    at: tuple[float, ...] | None = None
    for item, matrix in walk(drawing.items):
        if not isinstance(item, TextRun) or item.role == "stamp":
            continue
        here = (*matrix, item.x if item.angle or item.stands else item.y)
        if lines and here == at:
            lines[-1] += item.text
        else:
            lines.append(item.text)
        at = here
    return "\n".join(dict.fromkeys([line.strip() for line in lines if line.strip()]))


def _pens(run: TextRun, font: GlyphSource, scale: float) -> list[tuple[int, int]]:
    """Return the origin of each glyph in the font's units from the run's start, y down."""
    if run.places:
        return [(round(x / scale), round(y / scale)) for x, y in run.places]
    pens, pen = [], 0.0
    for advance in run.advances or map(font.advance, run.glyphs):
        pens.append((round(pen), 0))
        pen += advance * font.upem / 1000
    return pens


def _upside(points: tuple[float, ...]) -> list[float]:
    return [-value if index % 2 else value for index, value in enumerate(points)]


def _pen(shape: Shape) -> str:
    """Return the attributes of a stroke that differ from SVG's defaults."""
    words = [] if shape.width == 1 else [f' stroke-width="{short(shape.width, 4)}"']
    if shape.cap != "butt":
        words.append(f' stroke-linecap="{shape.cap}"')
    if shape.join != "miter":
        words.append(f' stroke-linejoin="{shape.join}"')
    elif shape.miter != 4:
        words.append(f' stroke-miterlimit="{factor(max(1.0, shape.miter))}"')
    if any(shape.dash):
        words.append(f' stroke-dasharray="{listed(shape.dash)}"')
        if shape.dash_from:
            words.append(f' stroke-dashoffset="{short(shape.dash_from, 4)}"')
    return "".join(words)


def _focused(line: tuple[float, ...]) -> tuple[float, ...]:
    cx, cy, r, fx, fy = line
    away = ((fx - cx) ** 2 + (fy - cy) ** 2) ** 0.5
    if away > _INSIDE * r:
        fx, fy = cx + (fx - cx) * _INSIDE * r / away, cy + (fy - cy) * _INSIDE * r / away
    return (cx, cy, r, fx, fy)


def _moved(by: Matrix) -> str:
    value = transform(by)
    return f' transform="{value}"' if value else ""


def _decimals(size: float) -> int:
    return _FINE + (size < _SMALL) - (size > _LARGE)


def _within(places: int, by: Matrix) -> int:
    """Return the decimals for lengths that a matrix enlarges or reduces."""
    a, b, c, d, _, _ = by
    grown = max((a * a + b * b) ** 0.5, (c * c + d * d) ** 0.5)
    return min(max(places + ceil(log10(grown) - 0.3), 0), 3) if grown > 0 else places


def _flat(matrix: Matrix) -> bool:
    """Return True if the matrix flattens everything to a line or point, which is invisible."""
    a, b, c, d, _, _ = matrix
    return a * d == b * c


def policy_meta(script: str = "") -> str:
    """Return the `<meta>` that allows a page its own styles, embedded pictures, and the one inline script given."""
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    scripts = f"script-src 'sha256-{digest}'; " if script else ""
    allowed = f"{scripts}style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    return f'<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; {allowed}">'
