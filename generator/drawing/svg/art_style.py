"""Styles of elements in art files: properties, inherited and computed."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from generator.base.display_list import Paint
from generator.base.errors import InvalidInput
from generator.drawing.svg.tree import ArtNotes, Element
from generator.drawing.svg.values import (
    BLACK,
    LARGEST,
    AlphaColour,
    LengthBasis,
    parse_colour,
    parse_length,
    parse_lengths,
    parse_number,
    parse_share,
)


class PaintLink(NamedTuple):
    """A paint by the id of a gradient or pattern, and what stands for it where there is none."""

    name: str
    instead: "AlphaColour | Literal['current', 'gone'] | None" = "gone"


UnresolvedPaint: TypeAlias = AlphaColour | PaintLink | Literal["current", "context-fill", "context-stroke"] | None
"""A paint before it is resolved: none is None."""


_INK = AlphaColour("ink")


@dataclass(frozen=True, slots=True)
class ArtStyle:
    """Inherited properties; lengths in user units, `spacing` and `word_spacing` too. `custom` are CSS's variables."""

    color: AlphaColour = BLACK
    fill: UnresolvedPaint = _INK
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
    size: float = 16.0
    weight: int = 400
    italic: bool = False
    small_caps: bool = False
    anchor: Literal["start", "middle", "end"] = "start"
    spacing: float = 0.0
    word_spacing: float = 0.0
    preserved: bool = False
    right_to_left: bool = False
    vertical: bool = False
    baseline: str = "auto"
    capitals: str = "none"
    custom: tuple[tuple[str, str], ...] = ()


_URL = re.compile(r"url\(\s*(['\"]?)(.*?)\1\s*\)\s*(.*)\Z", re.DOTALL)
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*(?:\([^()]*\))?[^()]*))?\)")
_SIZES = {
    "xx-small": 9.6,
    "x-small": 12.0,
    "small": 13.33,
    "medium": 16.0,
    "large": 19.2,
    "x-large": 24.0,
    "xx-large": 32.0,
}
_FONT = re.compile(
    r"(?P<before>.*?)(?P<size>[\d.]+(?:px|pt|pc|mm|cm|in|em|ex|rem|%|q)|(?:xx?-)?(?:small|large)|medium)"
    r"(?:\s*/\s*(?P<leading>\S+))?\s+(?P<family>.+)\Z",
    re.DOTALL | re.IGNORECASE,
)
_ORDER = ("fill", "stroke", "markers")
_MARKERS = ("marker-start", "marker-mid", "marker-end")
_KEPT = ("inherit", "unset", "revert")


def parse_reference(text: str) -> str:
    """Return the id in `url(#id)`, or an empty string for other text."""
    match = _URL.match(text.strip())
    return match[2][1:] if match and match[2].startswith("#") else ""


class StyleReader:
    """Works out styles. `names` are the palette's colours, which may be used by their names as in all templates."""

    def __init__(self, names: frozenset[str], notes: ArtNotes):
        self._names, self._notes = names, notes

    def derive_style(self, parent: ArtStyle, node: Element, measure: LengthBasis) -> ArtStyle:
        """Return the style of an element inside another. Add a note for invalid values and ignore them."""
        given = node.declared
        preserved = node.attributes.get("xml:space")
        if not given and preserved is None:
            return parent
        found: dict[str, Any] = {}
        if preserved is not None:
            found["preserved"] = preserved == "preserve"
        custom = {name: value for name, value in given.items() if name.startswith("--")}
        if custom:
            found["custom"] = tuple({**dict(parent.custom), **custom}.items())
        variables = dict(found.get("custom", parent.custom))
        words = {name: _substitute_variables(value, variables) for name, value in given.items()}
        for short in ("font", "marker"):
            if short in words:
                text = words.pop(short)
                words = dict(_parse_font(text) if short == "font" else dict.fromkeys(_MARKERS, text)) | words
        if "font-size" in words:
            found["size"] = self._read_size(node, words["font-size"], parent.size)
        here = measure._replace(em=found.get("size", parent.size))
        for name, value in words.items():
            found |= self._read_property(node, name, value, here)
        if any(name in words for name in _MARKERS):
            found["markers"] = tuple(
                [
                    parse_reference(words[name]) if words.get(name, "inherit") != "inherit" else before
                    for name, before in zip(_MARKERS, parent.markers, strict=True)
                ]
            )
        return replace(parent, **found)

    def _read_property(self, node: Element, name: str, value: str, measure: LengthBasis) -> dict[str, Any]:
        reader = _READERS.get(name)
        if reader is None or value in _KEPT or (name == "color" and value.lower() == "currentcolor"):
            return {}
        field, read = reader
        if value == "initial":
            return {field: getattr(_INITIAL, field)}
        try:
            return {field: read(self, value, measure)}
        except (InvalidInput, ValueError):
            self._notes.add(node.at, f"{name}: '{value[:40]}' is not understood")
            return {}

    def read_value(self, style: ArtStyle, node: Element, name: str, default: str = "") -> str:
        """Return the value of a property that isn't inherited."""
        text = node.declared.get(name, default)
        return _substitute_variables(text, dict(style.custom)) if "var(" in text else text

    def _read_size(self, node: Element, text: str, parent: float) -> float:
        text = text.strip().lower()
        if text in ("inherit", "unset"):
            return parent
        if text in _SIZES or text == "initial":
            return _SIZES.get(text, 16.0)
        if text in ("larger", "smaller"):
            return parent * 1.2 if text == "larger" else parent / 1.2
        try:
            size = parse_length(text, LengthBasis(parent, parent, parent), "x")
        except InvalidInput:
            self._notes.add(node.at, f"font-size: '{text[:40]}' is not understood")
            return parent
        return size if 0 <= size < 1e6 else parent

    def read_paint(self, text: str) -> UnresolvedPaint:
        """Return a paint. Raise ValueError if the text is not a paint."""
        text = text.strip()
        match = _URL.match(text)
        if match:
            rest = match[3].strip()
            instead: Any = "gone"
            if rest.lower() == "none":
                instead = None
            elif rest.lower() == "currentcolor":
                instead = "current"
            elif rest:
                instead = self.read_colour(rest.partition("icc-color")[0])
            return PaintLink(match[2].removeprefix("#"), instead)
        lower = text.lower()
        if lower == "none":
            return None
        if lower == "currentcolor":
            return "current"
        if lower == "context-fill":
            return "context-fill"
        if lower == "context-stroke":
            return "context-stroke"
        return self.read_colour(text.partition("icc-color")[0].strip())

    def read_colour(self, text: str) -> AlphaColour:
        """Return a colour of the palette or of CSS. Raise ValueError for any other text."""
        text = text.strip()
        if text in self._names:
            return AlphaColour(text)
        found = parse_colour(text)
        if found is None:
            raise InvalidInput(f"'{text}' is not a colour")
        return found

    def resolve_colour(self, style: ArtStyle, coat: AlphaColour | Literal["current"] | None) -> AlphaColour | None:
        """Return a colour, with `current` replaced by the style's colour."""
        return style.color if coat == "current" else coat


def _substitute_variables(value: str, variables: dict[str, str]) -> str:
    for _ in range(8):
        match = _VARIABLE.search(value) if "var(" in value else None
        if match is None or len(value) > 10_000:
            break
        value = value[: match.start()] + variables.get(match[1], (match[2] or "").strip()) + value[match.end() :]
    return value


@lru_cache(maxsize=256)
def _parse_font(text: str) -> tuple[tuple[str, str], ...]:
    match = _FONT.match(text.strip())
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


def _read_dash(_: StyleReader, text: str, measure: LengthBasis) -> tuple[float, ...]:
    if text.strip().lower() in ("none", ""):
        return ()
    values = tuple(parse_lengths(text, measure))
    if not any(value > 0 for value in values) or any(value < 0 for value in values):
        return ()
    return values if len(values) % 2 == 0 else values * 2


def _read_width(_: StyleReader, text: str, measure: LengthBasis) -> float:
    value = parse_length(text, measure)
    if value < 0:
        raise InvalidInput("it is negative")
    return value


def _read_miter(_: StyleReader, text: str, __: LengthBasis) -> float:
    value = parse_number(text, LARGEST)
    if not 1 <= value < 1e6:
        raise InvalidInput("it is below 1")
    return value


def _read_weight(_: StyleReader, text: str, __: LengthBasis) -> int:
    text = text.strip().lower()
    named = {"normal": 400, "bold": 700, "bolder": 700, "lighter": 300}
    return named[text] if text in named else int(parse_number(text, LARGEST))


def _read_families(_: StyleReader, text: str, __: LengthBasis) -> tuple[str, ...]:
    return tuple([name.strip().strip("'\"").strip() for name in text.split(",") if name.strip().strip("'\"")])


def _read_paint_order(_: StyleReader, text: str, __: LengthBasis) -> tuple[str, ...]:
    words = [word for word in text.lower().split() if word in _ORDER]
    return (*dict.fromkeys(words), *[word for word in _ORDER if word not in words])


def _read_spacing(_: StyleReader, text: str, measure: LengthBasis) -> float:
    if text.strip().lower() == "normal":
        return 0.0
    return parse_length(text, measure._replace(width=measure.em, height=measure.em), "x")


def _read_word_of(*known: str) -> Any:
    def read(_: StyleReader, text: str, __: LengthBasis) -> str:
        text = text.strip().lower()
        if text not in known:
            raise InvalidInput("it is none of them")
        return text

    return read


def _read_flag(*words: str) -> Any:
    return lambda _styles, text, _measure: text.strip().lower() in words


def _read_share(_: StyleReader, text: str, __: LengthBasis) -> float:
    return parse_share(text)


def _read_anchor(_: StyleReader, text: str, __: LengthBasis) -> str:
    text = {"left": "start", "center": "middle", "right": "end"}.get(text.strip().lower(), text.strip().lower())
    return text if text in ("start", "middle", "end") else "start"


_READERS: dict[str, tuple[str, Any]] = {
    "color": ("color", lambda styles, text, _: styles.read_colour(text)),
    "fill": ("fill", lambda styles, text, _: styles.read_paint(text)),
    "stroke": ("stroke", lambda styles, text, _: styles.read_paint(text)),
    "fill-opacity": ("fill_opacity", _read_share),
    "stroke-opacity": ("stroke_opacity", _read_share),
    "stroke-width": ("width", _read_width),
    "stroke-linecap": ("cap", _read_word_of("butt", "round", "square")),
    "stroke-linejoin": (
        "join",
        lambda _, text, __: {"round": "round", "bevel": "bevel"}.get(text.strip().lower(), "miter"),
    ),
    "stroke-miterlimit": ("miter", _read_miter),
    "stroke-dasharray": ("dash", _read_dash),
    "stroke-dashoffset": ("dash_from", lambda _, text, measure: parse_length(text, measure)),
    "fill-rule": ("even_odd", _read_flag("evenodd")),
    "clip-rule": ("clip_even_odd", _read_flag("evenodd")),
    "visibility": ("visible", _read_flag("visible")),
    "paint-order": ("order", _read_paint_order),
    "font-family": ("families", _read_families),
    "font-weight": ("weight", _read_weight),
    "font-style": ("italic", _read_flag("italic", "oblique")),
    "font-variant": ("small_caps", _read_flag("small-caps")),
    "text-anchor": ("anchor", _read_anchor),
    "letter-spacing": ("spacing", _read_spacing),
    "word-spacing": ("word_spacing", _read_spacing),
    "white-space": ("preserved", _read_flag("pre", "pre-wrap", "break-spaces")),
    "direction": ("right_to_left", _read_flag("rtl")),
    "writing-mode": ("vertical", _read_flag("tb", "tb-rl", "vertical-rl", "vertical-lr")),
    "dominant-baseline": ("baseline", lambda _, text, __: text.strip().lower()),
    "text-transform": ("capitals", lambda _, text, __: text.strip().lower()),
}
_INITIAL = ArtStyle()


def make_initial_style(current: Paint) -> ArtStyle:
    """Return the style that the outermost element inherits. `current` is the tint of an icon."""
    return replace(_INITIAL, color=AlphaColour(current or "ink"))
