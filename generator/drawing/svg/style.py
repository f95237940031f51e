"""Styles: the inherited properties of elements, and their readers."""

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from generator.base.display_list import Paint, Role
from generator.base.errors import InvalidInput, did_you_mean
from generator.base.geometry import MM_PER_PT, PT_PER_MM
from generator.drawing.svg.tree import ArtNotes, Declaration, Element
from generator.drawing.svg.values import (
    LARGEST,
    AlphaColour,
    LengthBasis,
    parse_colour,
    parse_length,
    parse_lengths,
    parse_number,
    parse_share,
    read_choice,
    read_name,
)
from generator.text.glyph_cache import Features


class PaintLink(NamedTuple):
    """A reference to a gradient or pattern by id, and the paint to use if it does not exist."""

    name: str
    instead: "AlphaColour | Literal['current', 'gone'] | None" = "gone"


UnresolvedPaint: TypeAlias = AlphaColour | PaintLink | Literal["current", "context-fill", "context-stroke"] | None
"""A paint before it is resolved. `none` is None."""

INK = AlphaColour("ink")
CURRENT = "currentColor"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Style:
    """Inherited properties of an element. Equal styles are one object. Lengths and `size` are in user units.

    `spacing` is a length, or in ems if its second part is True. `color` and `role` are unset at first, except in art
    files. `custom` are CSS's variables. `points` is a template's `size` in points. If a style `is_clear`, something may
    show through its paints, or lines are below their fills.
    """

    color: AlphaColour | None = None
    fill: UnresolvedPaint = INK
    stroke: UnresolvedPaint = None
    fill_opacity: float = 1.0
    stroke_opacity: float = 1.0
    width: float = 1.0
    cap: Literal["butt", "round", "square"] = "butt"
    join: Literal["miter", "round", "bevel"] = "miter"
    miter: float = 4.0
    dash: tuple[float, ...] = ()
    dash_from: float = 0.0
    even_odd: bool = False
    clip_even_odd: bool = False
    visible: bool = True
    order: tuple[str, ...] = ("fill", "stroke", "markers")
    markers: tuple[str, str, str] = ("", "", "")
    families: tuple[str, ...] = ()
    size: float = 8.0 * MM_PER_PT
    weight: int = 400
    italic: bool = False
    small_caps: bool = False
    features: Features = ()
    anchor: Literal["start", "middle", "end"] = "start"
    spacing: tuple[float, bool] = (0.0, False)
    word_spacing: tuple[float, bool] = (0.0, False)
    preserved: bool = False
    right_to_left: bool = False
    vertical: bool = False
    baseline: str = "auto"
    capitals: str = "none"
    role: Role | Literal[""] = ""
    custom: tuple[tuple[str, str], ...] = ()
    points: float = 8.0
    is_clear: bool = False

    @property
    def is_stroke_first(self) -> bool:
        """Return True if lines are below their fills."""
        return self.order.index("stroke") < self.order.index("fill")


INITIAL = Style()
_FIELDS = tuple(field.name for field in fields(Style))
_KEPT = ("inherit", "unset", "revert")
_MARKERS = ("marker-start", "marker-mid", "marker-end")


def apply_cascade(root: Element, notes: ArtNotes) -> None:
    """Set `rules` (declarations of style sheets) and `properties` (these and attributes merged) of all elements."""
    sheets = [node for node in root.iter_elements() if node.tag == "style" and node.text.strip()]
    ruled: dict[Element, list[Declaration]] = {}
    if sheets:
        from generator.drawing.svg.style_sheets import apply_sheets  # needs two libraries; icons have none

        ruled = apply_sheets(root, sheets, notes)
    for element in root.iter_elements():
        element.rules = tuple(ruled.get(element, ()))
        element.properties = element.merge_declarations()


@lru_cache(maxsize=64)
def make_initial_style(current: Paint) -> Style:
    """Return the style that the outermost element of an art file inherits. `current` is the tint of an icon."""
    return Style(color=AlphaColour(current or "ink"), size=16.0)


_URL = r"(?s)url\(\s*(['\"]?)(.*?)\1\s*\)\s*(.*)\Z"


def parse_reference(text: str) -> str:
    """Return the id in `url(#id)`, or an empty string for other text."""
    match = re.match(_URL, text.strip())
    return match[2][1:] if match and match[2].startswith("#") else ""


Complain = Callable[[str, str, ValueError], None]
"""Function that reports a property, its value and what is wrong with it."""


class StyleBook:
    """A cache of styles by properties. `names` are the palette's colours, which are used by their names."""

    def __init__(self, names: frozenset[str]):
        self.names = names
        self._derived: dict[tuple[Any, ...], Style] = {}
        self._equal: dict[tuple[Any, ...], Style] = {}
        self._readers: dict[str, tuple[str, Callable[[str, LengthBasis], Any]]] = {
            **_READERS,
            "fill": ("fill", lambda text, _: self.read_paint(text)),
            "stroke": ("stroke", lambda text, _: self.read_paint(text)),
            "color": ("color", lambda text, _: self.read_colour(text)),
        }

    def derive_style(self, parent: Style, element: Element, basis: LengthBasis, complain: Complain) -> Style:
        """Return an element's style: what it inherits from `parent`, and its own. Report and ignore unusable values."""
        given = element.properties
        preserved = element.attributes.get("xml:space")
        if not given and preserved is None:
            return parent
        key = (parent, tuple(given.items()), preserved, basis[1:])
        found = self._derived.get(key)
        return found or self._work_out(parent, given, preserved, basis, key, complain)

    def _work_out(
        self,
        parent: Style,
        given: dict[str, str],
        preserved: str | None,
        basis: LengthBasis,
        key: tuple[Any, ...],
        complain: Complain,
    ) -> Style:
        values = {name: getattr(parent, name) for name in _FIELDS}
        if preserved is not None:
            values["preserved"] = preserved == "preserve"
        faults = 0
        for name, text in self._expand_properties(parent, given, values):
            reader = self._readers.get(name)
            if reader is None or text in _KEPT or (name == "color" and text.lower() == "currentcolor"):
                continue
            field, read = reader
            if text == "initial":
                values[field] = getattr(make_initial_style("ink") if basis.units == "px" else INITIAL, field)
                continue
            em = parent.size if field == "size" else values["size"]
            try:
                values[field] = read(text, basis._replace(em=em))
            except ValueError as mistake:
                faults += 1
                complain(name, text, mistake)
        values["points"] = round(values["size"] * PT_PER_MM, 6)
        values["is_clear"] = (
            min(values["fill_opacity"], values["stroke_opacity"]) < 1
            or values["order"].index("stroke") < values["order"].index("fill")
            or any(isinstance(values[name], AlphaColour) and values[name].alpha < 1 for name in ("fill", "stroke"))
        )
        style = self._equal.setdefault(tuple(values.values()), Style(**values))
        if not faults:  # complaints must be repeated each time
            self._derived[key] = style
        return style

    def _expand_properties(self, parent: Style, given: dict[str, str], values: dict[str, Any]) -> list[tuple[str, str]]:
        """Return properties, shorthands and variables expanded, font-size first; markers, variables go to `values`."""
        words = given
        custom = {name: value for name, value in given.items() if name.startswith("--")}
        if custom:
            values["custom"] = tuple({**dict(parent.custom), **custom}.items())
        if values["custom"]:
            variables = dict(values["custom"])
            words = {name: _substitute_variables(value, variables) for name, value in given.items()}
        if "font" in words:
            words = dict(_parse_font(words["font"])) | words
        if "marker" in words:
            words = dict.fromkeys(_MARKERS, words["marker"]) | words
        if any(name in words for name in _MARKERS):
            values["markers"] = tuple(
                [
                    parse_reference(words[name]) if words.get(name, "inherit") != "inherit" else before
                    for name, before in zip(_MARKERS, parent.markers, strict=True)
                ]
            )
        return (
            sorted(words.items(), key=lambda pair: pair[0] != "font-size") if "font-size" in words else [*words.items()]
        )

    def read_paint(self, text: str) -> UnresolvedPaint:
        """Return a paint. Raise InvalidInput if the text is not a paint."""
        if text in self.names:
            return AlphaColour(text)
        lower = text.lower()
        if lower == "none":
            return None
        if lower == "currentcolor":
            return "current"
        if lower in ("context-fill", "context-stroke"):
            return lower  # type: ignore[return-value]  # one of them
        match = re.match(_URL, text)
        if match is None:
            return self.read_colour(text, ("none", CURRENT))
        rest = match[3].partition("icc-color")[0].strip()
        instead: Any = "gone"
        if rest:
            instead = self.read_paint(rest)
        return PaintLink(match[2].removeprefix("#"), instead)

    def read_colour(self, text: str, words: tuple[str, ...] = ()) -> AlphaColour:
        """Return a colour of the palette or of CSS. Raise InvalidInput for other text, with one of `words` as hint."""
        text = text.strip()
        if text in self.names:
            return AlphaColour(text)
        found = parse_colour(text.partition("icc-color")[0])
        if found is None:
            raise InvalidInput(f"unknown colour '{text}'", did_you_mean(text, [*self.names, "black", "white", *words]))
        return found


def read_property(style: Style, element: Element, name: str) -> str:
    """Return an element's value of a property that isn't inherited, or ''; `style` has the variables in it."""
    text = element.properties.get(name, "")
    return _substitute_variables(text, dict(style.custom)) if "var(" in text else text


_VARIABLE = r"var\(\s*(--[\w-]+)\s*(?:,([^()]*(?:\([^()]*\))?[^()]*))?\)"


def _substitute_variables(value: str, variables: dict[str, str]) -> str:
    for _ in range(8):
        match = re.search(_VARIABLE, value) if "var(" in value else None
        if match is None or len(value) > 10_000:
            break
        value = value[: match.start()] + variables.get(match[1], (match[2] or "").strip()) + value[match.end() :]
    return value


_FONT = (
    r"(?si)(?P<before>.*?)(?P<size>[\d.]+(?:px|pt|pc|mm|cm|in|em|ex|rem|%|q)|(?:xx?-)?(?:small|large)|medium)"
    r"(?:\s*/\s*(?P<leading>\S+))?\s+(?P<family>.+)\Z"
)


@lru_cache(maxsize=256)
def _parse_font(text: str) -> tuple[tuple[str, str], ...]:
    match = re.match(_FONT, text.strip())
    if match is None:
        return ()
    found = {"font-size": match["size"], "font-family": match["family"]}
    for word in match["before"].lower().split():
        if word in ("italic", "oblique"):
            found["font-style"] = word
        elif word in ("bold", "bolder", "lighter") or word.isdigit():
            found["font-weight"] = word
        elif word == "small-caps":
            found["font-variant"] = word
    return tuple(found.items())


# Readers of values, each with the basis of lengths

_SIZES = {
    "xx-small": 0.6,
    "x-small": 0.75,
    "small": 13.33 / 16,
    "medium": 1.0,
    "large": 1.2,
    "x-large": 1.5,
    "xx-large": 2.0,
}
"""Named font sizes as parts of the initial one."""


def read_font_size(text: str, basis: LengthBasis) -> float:
    """Return a font size in user units. Percentages and ems refer to the size around it."""
    word = text.strip().lower()
    if word in _SIZES:
        return _SIZES[word] * (16.0 if basis.units == "px" else INITIAL.size)
    if word in ("larger", "smaller"):
        return basis.em * 1.2 if word == "larger" else basis.em / 1.2
    size = parse_length(text, basis._replace(width=basis.em, height=basis.em), "x")
    if size < 0 or (size == 0 and basis.units == "mm"):
        raise InvalidInput(f"font size '{text}' is not above 0")
    if size >= 1e6:
        raise InvalidInput(f"'{text}' is too large")
    return size


def parse_length_or_ems(text: str, basis: LengthBasis) -> tuple[float, bool]:
    """Return a length in mm, or in ems if it has that unit. In art files it is always a length."""
    text = text.strip().lower()
    if text == "normal":
        return (0.0, False)
    if basis.units == "mm" and text.endswith("em") and not text.endswith("rem"):
        return (parse_number(text[:-2]), True)
    return (parse_length(text, basis._replace(width=basis.em, height=basis.em), "x"), False)


def convert_spacing(style: Style) -> float:
    """Return letter spacing in 1/1000 em of the style's font size."""
    value, in_em = style.spacing
    return value * 1000 if in_em else value * 1000 / (style.points * MM_PER_PT)


def _read_width(text: str, basis: LengthBasis) -> float:
    value = parse_length(text, basis)
    if value < 0:
        raise InvalidInput(f"'{text}' is negative")
    return value


def _read_dash(text: str, basis: LengthBasis) -> tuple[float, ...]:
    if text.lower() in ("none", ""):
        return ()
    values = tuple(parse_lengths(text, basis))
    if any(value < 0 for value in values):
        raise InvalidInput(f"'{text}' has a negative dash")
    if not any(values):
        return ()
    return values if len(values) % 2 == 0 else values * 2


def _read_miter(text: str, _: LengthBasis) -> float:
    value = parse_number(text, LARGEST)
    if not 1 <= value < 1e6:
        raise InvalidInput(f"'{text}' is not a number from 1")
    return value


def _read_weight(text: str, _: LengthBasis) -> int:
    text = text.lower()
    named = {"normal": 400, "bold": 700, "bolder": 700, "lighter": 300}
    if text in named:
        return named[text]
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and 100 <= int(text) <= 900):
        raise InvalidInput(f"'{text}' is not a weight", "use normal, bold, or a number from 100 to 900")
    return int(text)


_FEATURE = r"['\"]?([A-Za-z0-9]{4})['\"]?(?:\s+(on|off|[0-9]{1,3}))?"
_SWITCHED = {None: 1, "on": 1, "off": 0}


def _read_features(text: str, _: LengthBasis) -> Features:
    """Return the OpenType features of a `font-feature-settings` value (CSS, quotes optional)."""
    if text == "normal":
        return ()
    found = {}
    for part in text.split(","):
        feature = re.fullmatch(_FEATURE, part.strip())
        if feature is None:
            what = f"'{part.strip()}' is not an OpenType feature"
            raise InvalidInput(what, "write e.g. 'smcp', 'onum' 1, 'liga' off")
        found[feature[1]] = _SWITCHED[feature[2]] if feature[2] in _SWITCHED else int(feature[2])
    return tuple(found.items())


_ORDER = ("fill", "stroke", "markers")


def _read_paint_order(text: str, _: LengthBasis) -> tuple[str, ...]:
    words = text.lower().split()
    if not words or any(word not in ("normal", *_ORDER) for word in words):
        raise InvalidInput(f"'{text}' is not a valid paint-order", "write stroke to draw lines below their shapes")
    named = [word for word in words if word != "normal"]
    return (*dict.fromkeys(named), *[word for word in _ORDER if word not in named])


_read_role = read_name("data-role", ("ground", "art", "frame", "text", "icon", "cut", "fold", "glue"))


def _choose(*words: str, **others: Any) -> Callable[[str, LengthBasis], Any]:
    """Return a reader of one of some words, each for itself or for another value."""
    read = read_choice(
        {**{word: word for word in words}, **{name.replace("_", "-"): to for name, to in others.items()}}
    )
    return lambda text, _: read(text.lower())


def _flag(*words: str) -> Callable[[str, LengthBasis], bool]:
    return lambda text, _: text.lower() in words


_READERS: dict[str, tuple[str, Callable[[str, LengthBasis], Any]]] = {
    "fill-opacity": ("fill_opacity", lambda text, _: parse_share(text)),
    "stroke-opacity": ("stroke_opacity", lambda text, _: parse_share(text)),
    "stroke-width": ("width", _read_width),
    "stroke-linecap": ("cap", _choose("butt", "round", "square")),
    "stroke-linejoin": ("join", _choose("miter", "round", "bevel", arcs="miter", miter_clip="miter")),
    "stroke-miterlimit": ("miter", _read_miter),
    "stroke-dasharray": ("dash", _read_dash),
    "stroke-dashoffset": ("dash_from", parse_length),
    "fill-rule": ("even_odd", _choose(nonzero=False, evenodd=True)),
    "clip-rule": ("clip_even_odd", _choose(nonzero=False, evenodd=True)),
    "visibility": ("visible", _flag("visible")),
    "paint-order": ("order", _read_paint_order),
    "font-family": (
        "families",
        lambda text, _: tuple([name for part in text.split(",") if (name := part.strip().strip("'\"").strip())]),
    ),
    "font-size": ("size", read_font_size),
    "font-weight": ("weight", _read_weight),
    "font-style": ("italic", _choose(normal=False, italic=True, oblique=True)),
    "font-variant": ("small_caps", _flag("small-caps")),
    "font-feature-settings": ("features", _read_features),
    "text-anchor": ("anchor", _choose("start", "middle", "end", left="start", center="middle", right="end")),
    "letter-spacing": ("spacing", parse_length_or_ems),
    "word-spacing": ("word_spacing", parse_length_or_ems),
    "white-space": ("preserved", _flag("pre", "pre-wrap", "break-spaces")),
    "direction": ("right_to_left", _flag("rtl")),
    "writing-mode": ("vertical", _flag("tb", "tb-rl", "vertical-rl", "vertical-lr")),
    "dominant-baseline": ("baseline", lambda text, _: text.lower()),
    "text-transform": ("capitals", lambda text, _: text.lower()),
    "data-role": ("role", lambda text, _: _read_role(text)),
}
