"""Styles of templates: colours, fonts, strokes and other inherited properties."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from generator.base.display_list import Gradient, Item, Paint, Role
from generator.base.errors import InvalidInput, did_you_mean
from generator.base.geometry import MM_PER_PT, PT_PER_MM, scan_numbers
from generator.drawing.svg.elements import CLEARED, EFFECTS, PAINTED, suggest_attribute
from generator.drawing.svg.values import LengthBasis, parse_colour, parse_length, parse_number, parse_ratio, read_choice
from generator.text.glyph_cache import Features

_ABSOLUTE = LengthBasis(math.nan, math.nan, math.nan, "mm")
_EM = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+))\s*em")
_WHOLE = re.compile(r"[0-9]{1,4}")
_WEIGHTS = {"normal": 400, "bold": 700}
_FEATURE = re.compile(r"['\"]?([A-Za-z0-9]{4})['\"]?(?:\s+(on|off|[0-9]{1,3}))?")
_SWITCHED = {None: 1, "on": 1, "off": 0}
_ROLES: dict[str, Role] = {
    "ground": "ground",
    "art": "art",
    "frame": "frame",
    "text": "text",
    "icon": "icon",
    "cut": "cut",
    "fold": "fold",
    "glue": "glue",
}

CURRENT = "currentColor"


@dataclass(frozen=True, slots=True, eq=False)
class Style:
    """Inherited properties of an element. Equal styles are one object. `fill`, `stroke`: also `url(#id)`, currentColor.

    They may also be `#rrggbbaa`: such a style, or one with an opacity, is `clear`. With `stroke_first` the line is
    below the fill. Lengths are in mm, `size` in points. `spacing` is in mm, or in ems if its second part is True.
    `color` and `role` are empty until set.
    """

    fill: str | None = "ink"
    stroke: str | None = None
    width: float = 1.0
    cap: Literal["butt", "round", "square"] = "butt"
    join: Literal["miter", "round", "bevel"] = "miter"
    miter: float = 4.0
    dash: tuple[float, ...] = ()
    even_odd: bool = False
    clip_even_odd: bool = False
    color: Paint = ""
    family: str = ""
    size: float = 8.0
    weight: int = 400
    italic: bool = False
    anchor: Literal["start", "middle", "end"] = "start"
    spacing: tuple[float, bool] = (0.0, False)
    role: Role | Literal[""] = ""
    fill_opacity: float = 1.0
    stroke_opacity: float = 1.0
    stroke_first: bool = False
    clear: bool = False
    features: Features = ()


class VeiledGradient(NamedTuple):
    """A gradient with transparency; the greys of `alphas` are its opacity."""

    gradient: Gradient
    alphas: Gradient


Tiles: TypeAlias = tuple[Item, ...]
"""The repeated items of a pattern."""


INITIAL = Style()
_FIELDS = tuple(field.name for field in fields(Style))


class Paints:
    """The colours that a game's templates may use."""

    def __init__(self, palette: Iterable[str]):
        self.names = frozenset(palette) | {"ink"}
        self._read: dict[str, Paint | None] = {}

    def read_paint(self, text: str) -> Paint | None:
        """Return the paint of a colour, `#rrggbbaa` if it is transparent, or None for `none`. Raise InvalidInput."""
        try:
            return self._read[text]
        except KeyError:
            paint = self._read[text] = self._parse_paint(text.strip())
            return paint

    def _parse_paint(self, text: str) -> Paint | None:
        if text in self.names:
            return text
        if text == "none":
            return None
        tint = parse_colour(text)
        if tint is not None:
            return tint.paint if tint.alpha >= 1 else f"{tint.paint}{round(255 * tint.alpha):02x}"
        known = [*self.names, "black", "white", "none", CURRENT]
        raise InvalidInput(f"unknown colour '{text}'", did_you_mean(text, known))

    def read_inherited(self, text: str) -> Paint | None:
        """Return the paint of a colour that may also be `currentColor` or `url(#id)`. Return None for `none`."""
        text = text.strip()
        return text if text == CURRENT or text.startswith("url(") else self.read_paint(text)

    def read_opaque(self, text: str) -> Paint:
        """Return the paint of a colour without its transparency. `none` is black."""
        return split_alpha(self.read_paint(text) or "ink")[0]


@lru_cache(maxsize=4096)
def parse_declarations(text: str) -> tuple[tuple[str, str], ...]:
    """Return the (property, value) pairs of a `style` attribute."""
    pairs = []
    for part in text.split(";"):
        if part.strip():
            name, colon, value = part.partition(":")
            if not colon or not value.strip():
                raise InvalidInput(f"'{part.strip()}' is not a property", "write name: value")
            pairs.append((name.strip(), value.strip()))
    return tuple(pairs)


def font_points(text: str) -> float:
    """Return a font size in points. A number without a unit is mm, as everywhere in SVG."""
    size = round(parse_length(text, _ABSOLUTE) * PT_PER_MM, 6)
    if size <= 0:
        raise InvalidInput(f"font size '{text}' is not above 0")
    return size


def _parse_weight(text: str) -> int:
    if text in _WEIGHTS:
        return _WEIGHTS[text]
    if not _WHOLE.fullmatch(text) or not 100 <= int(text) <= 900:
        raise InvalidInput(f"'{text}' is not a weight", "use normal, bold, or a number from 100 to 900")
    return int(text)


def _parse_features(text: str) -> Features:
    """Return the OpenType features of a `font-feature-settings` value (CSS, quotes optional)."""
    if text.strip() == "normal":
        return ()
    found = {}
    for part in text.split(","):
        feature = _FEATURE.fullmatch(part.strip())
        if feature is None:
            what = f"'{part.strip()}' is not an OpenType feature"
            raise InvalidInput(what, "write e.g. 'smcp', 'onum' 1, 'liga' off")
        found[feature[1]] = _SWITCHED[feature[2]] if feature[2] in _SWITCHED else int(feature[2])
    return tuple(found.items())


def _parse_positive(text: str) -> float:
    value = parse_length(text, _ABSOLUTE)
    if value < 0:
        raise InvalidInput(f"'{text}' is negative")
    return value


def _parse_dash(text: str) -> tuple[float, ...]:
    if text == "none":
        return ()
    found, rest = scan_numbers(text)
    if rest:
        raise InvalidInput(f"'{rest[:20]}' is not a length")
    values = tuple(parse_length(f"{value!r}{unit}", _ABSOLUTE) for value, unit in found)
    if any(value < 0 for value in values):
        raise InvalidInput(f"'{text}' has a negative dash")
    if not any(values):
        return ()
    return values if len(values) % 2 == 0 else values * 2


def parse_opacity(text: str) -> float:
    """Return an opacity from 0 to 1."""
    return min(1.0, max(0.0, parse_ratio(text)))


def split_alpha(paint: Paint) -> tuple[Paint, float]:
    """Return a colour without its transparency, and its opacity."""
    return (paint[:7], int(paint[7:], 16) / 255) if len(paint) == 9 and paint[0] == "#" else (paint, 1.0)


def _parse_paint_order(text: str) -> bool:
    words = text.split()
    if not words or any(word not in ("normal", "fill", "stroke", "markers") for word in words):
        raise InvalidInput(f"'{text}' is not a valid paint-order", "write stroke to draw lines below their shapes")
    return words[0] == "stroke"


def parse_length_or_ems(text: str) -> tuple[float, bool]:
    """Return a length in mm, or in ems if it has that unit."""
    if text == "normal":
        return (0.0, False)
    em = _EM.fullmatch(text)
    return (float(em[1]), True) if em else (parse_length(text, _ABSOLUTE), False)


def convert_spacing(style: Style) -> float:
    """Return letter spacing in 1/1000 em of the style's font size."""
    value, in_em = style.spacing
    return value * 1000 if in_em else value * 1000 / (style.size * MM_PER_PT)


def parse_role(text: str) -> Role:
    """Return a `data-role`."""
    if text not in _ROLES:
        raise InvalidInput(f"unknown data-role '{text}'", did_you_mean(text, _ROLES))
    return _ROLES[text]


_SIMPLE: dict[str, tuple[str, Callable[[str], Any]]] = {
    "stroke-width": ("width", _parse_positive),
    "stroke-linecap": ("cap", read_choice({name: name for name in ("butt", "round", "square")})),
    "stroke-linejoin": ("join", read_choice({name: name for name in ("miter", "round", "bevel")})),
    "stroke-miterlimit": ("miter", parse_number),
    "stroke-dasharray": ("dash", _parse_dash),
    "fill-rule": ("even_odd", read_choice({"nonzero": False, "evenodd": True})),
    "clip-rule": ("clip_even_odd", read_choice({"nonzero": False, "evenodd": True})),
    "font-family": ("family", lambda text: text.strip().strip("'\"")),
    "font-size": ("size", font_points),
    "font-weight": ("weight", _parse_weight),
    "font-feature-settings": ("features", _parse_features),
    "font-style": ("italic", read_choice({"normal": False, "italic": True})),
    "text-anchor": ("anchor", read_choice({name: name for name in ("start", "middle", "end")})),
    "letter-spacing": ("spacing", parse_length_or_ems),
    "data-role": ("role", parse_role),
    "fill-opacity": ("fill_opacity", parse_opacity),
    "stroke-opacity": ("stroke_opacity", parse_opacity),
    "paint-order": ("stroke_first", _parse_paint_order),
}

Complain = Callable[[str, str], None]


class StyleBook:
    """A cache of styles by attributes. The same attributes under the same parent give the same object."""

    def __init__(self, paints: Paints):
        self.paints = paints
        self._derived: dict[tuple[Style, tuple[tuple[str, str], ...]], Style] = {}
        self._equal: dict[tuple[Any, ...], Style] = {}
        self._readers: dict[str, tuple[str, Callable[[str], Any]]] = {
            **_SIMPLE,
            "fill": ("fill", paints.read_inherited),
            "stroke": ("stroke", paints.read_inherited),
            "color": ("color", paints.read_opaque),
        }

    def derive_style(self, parent: Style, attributes: Mapping[str, str], complain: Complain) -> Style:
        """Return the style of an element below `parent`. Report unusable values by `complain(what, hint)`."""
        key = tuple([pair for pair in attributes.items() if pair[0] in _STYLED])
        if not key:
            return parent
        found = self._derived.get((parent, key))
        return found or self._work_out(parent, key, complain)

    def _work_out(self, parent: Style, given: tuple[tuple[str, str], ...], complain: Complain) -> Style:
        complaints: list[str] = []

        def note(what: str, hint: str) -> None:
            complaints.append(what)
            complain(what, hint)

        values = {name: getattr(parent, name) for name in _FIELDS}
        for name, text in _read_declarations(given, note):
            if text == "inherit" or (name == "color" and text == CURRENT):
                continue
            field, read = self._readers[name]
            try:
                values[field] = read(text)
            except ValueError as mistake:
                what = str(mistake) if str(mistake).startswith("unknown") else f"{name}: {mistake}"
                note(what, getattr(mistake, "hint", ""))
        values["clear"] = (
            values["fill_opacity"] < 1 or values["stroke_opacity"] < 1 or values["stroke_first"]
            or _is_clear(values["fill"]) or _is_clear(values["stroke"])
        )  # fmt: skip
        style = self._equal.setdefault(tuple(values.values()), Style(**values))
        if not complaints:  # complaints must be repeated each time
            self._derived[parent, given] = style
        return style


def _is_clear(paint: Paint | None) -> bool:
    return paint is not None and len(paint) == 9 and paint[0] == "#"


_STYLED = PAINTED | CLEARED | {"data-role", "style"}


def _read_declarations(given: tuple[tuple[str, str], ...], complain: Complain) -> list[tuple[str, str]]:
    """Return attributes first, then the declarations of `style`, which override them."""
    pairs = [pair for pair in given if pair[0] != "style"]
    for name, text in given:
        if name == "style":
            try:
                parts = parse_declarations(text)
            except InvalidInput as mistake:
                complain(f"style: {mistake}", mistake.hint)
                continue
            for part in parts:
                if part[0] in PAINTED or part[0] in CLEARED:
                    pairs.append(part)
                elif part[0] != "clip-path" and part[0] not in EFFECTS:
                    complain(f"unknown property '{part[0]}' in style", suggest_attribute(part[0], PAINTED))
    return pairs
