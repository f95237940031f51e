"""Styles of elements in art files: properties, inherited and computed."""

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from generator.base.dataclass import dataclass
from generator.base.display_list import Paint
from generator.base.errors import Unfit
from generator.drawing.svg.art_tree import BLACK, Measure, Node, Notes, Tint, colour, length, lengths, number_of, share


class PaintLink(NamedTuple):
    """A paint by the id of a gradient or pattern, and what stands for it where there is none."""

    name: str
    instead: "Tint | Literal['current', 'gone'] | None" = "gone"


Coat: TypeAlias = Tint | PaintLink | Literal["current", "context-fill", "context-stroke"] | None
"""A paint before it is resolved: none is None."""


_INK = Tint("ink")


@dataclass(frozen=True, slots=True)
class ArtStyle:
    """Inherited properties; lengths in user units, `spacing` and `word_spacing` too. `custom` are CSS's variables."""

    color: Tint = BLACK
    fill: Coat = _INK
    stroke: Coat = None
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


def local_name(text: str) -> str:
    """The id in `url(#id)`; empty where it is none."""
    match = _URL.match(text.strip())
    return match[2][1:] if match and match[2].startswith("#") else ""


class Styles:
    """Works out styles. `names` are the palette's colours, which may be used by their names as in all templates."""

    def __init__(self, names: frozenset[str], notes: Notes):
        self._names, self._notes = names, notes

    def derived(self, parent: ArtStyle, node: Node, measure: Measure) -> ArtStyle:
        """The style of an element within another. What can't be understood is as if it weren't given, and told."""
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
        words = {name: _substituted(value, variables) for name, value in given.items()}
        for short in ("font", "marker"):
            if short in words:
                words = {**_spelled_out(short, words.pop(short)), **words}
        if "font-size" in words:
            found["size"] = self._size(node, words["font-size"], parent.size)
        here = measure._replace(em=found.get("size", parent.size))
        for name, value in words.items():
            found |= self._read(node, name, value, here)
        if any(name in words for name in _MARKERS):
            found["markers"] = tuple(
                [
                    local_name(words[name]) if words.get(name, "inherit") != "inherit" else before
                    for name, before in zip(_MARKERS, parent.markers, strict=True)
                ]
            )
        return replace(parent, **found)

    def _read(self, node: Node, name: str, value: str, measure: Measure) -> dict[str, Any]:
        """A property as a field of the style; nothing where it is inherited, or can't be understood (which is told)."""
        reader = _READERS.get(name)
        if reader is None or value in _KEPT or (name == "color" and value.lower() == "currentcolor"):
            return {}
        field, read = reader
        if value == "initial":
            return {field: getattr(_INITIAL, field)}
        try:
            return {field: read(self, value, measure)}
        except (Unfit, ValueError):
            self._notes.add(node.at, f"{name}: '{value[:40]}' is not understood")
            return {}

    def value(self, style: ArtStyle, node: Node, name: str, default: str = "") -> str:
        """A property that isn't inherited."""
        text = node.declared.get(name, default)
        return _substituted(text, dict(style.custom)) if "var(" in text else text

    def _size(self, node: Node, text: str, parent: float) -> float:
        text = text.strip().lower()
        if text in ("inherit", "unset"):
            return parent
        if text in _SIZES or text == "initial":
            return _SIZES.get(text, 16.0)
        if text in ("larger", "smaller"):
            return parent * 1.2 if text == "larger" else parent / 1.2
        try:
            size = length(text, Measure(parent, parent, parent), "x")
        except Unfit:
            self._notes.add(node.at, f"font-size: '{text[:40]}' is not understood")
            return parent
        return size if 0 <= size < 1e6 else parent

    def coat(self, text: str) -> Coat:
        """A paint; ValueError where it is none."""
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
                instead = self.colour(rest.partition("icc-color")[0])
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
        return self.colour(text.partition("icc-color")[0].strip())

    def colour(self, text: str) -> Tint:
        """A colour of the palette or of CSS; ValueError for any other."""
        text = text.strip()
        if text in self._names:
            return Tint(text)
        found = colour(text)
        if found is None:
            raise Unfit(f"'{text}' is not a colour")
        return found

    def painted(self, style: ArtStyle, coat: Tint | Literal["current"] | None) -> Tint | None:
        """A colour, resolved where it is the current one."""
        return style.color if coat == "current" else coat


def _substituted(value: str, variables: dict[str, str]) -> str:
    for _ in range(8):
        match = _VARIABLE.search(value) if "var(" in value else None
        if match is None or len(value) > 10_000:
            break
        value = value[: match.start()] + variables.get(match[1], (match[2] or "").strip()) + value[match.end() :]
    return value


@lru_cache(maxsize=256)
def _font_parts(text: str) -> tuple[tuple[str, str], ...]:
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


def _spelled_out(name: str, text: str) -> dict[str, str]:
    """What a property that stands for several says of each."""
    return dict(_font_parts(text)) if name == "font" else dict.fromkeys(_MARKERS, text)


def _dash(_: Styles, text: str, measure: Measure) -> tuple[float, ...]:
    if text.strip().lower() in ("none", ""):
        return ()
    values = tuple(lengths(text, measure))
    if not any(value > 0 for value in values) or any(value < 0 for value in values):
        return ()
    return values if len(values) % 2 == 0 else values * 2


def _width(_: Styles, text: str, measure: Measure) -> float:
    value = length(text, measure)
    if value < 0:
        raise Unfit("it is negative")
    return value


def _miter(_: Styles, text: str, __: Measure) -> float:
    value = number_of(text)
    if not 1 <= value < 1e6:
        raise Unfit("it is below 1")
    return value


def _weight(_: Styles, text: str, __: Measure) -> int:
    text = text.strip().lower()
    named = {"normal": 400, "bold": 700, "bolder": 700, "lighter": 300}
    return named[text] if text in named else int(number_of(text))


def _families(_: Styles, text: str, __: Measure) -> tuple[str, ...]:
    return tuple([name.strip().strip("'\"").strip() for name in text.split(",") if name.strip().strip("'\"")])


def _order(_: Styles, text: str, __: Measure) -> tuple[str, ...]:
    words = [word for word in text.lower().split() if word in _ORDER]
    return (*dict.fromkeys(words), *[word for word in _ORDER if word not in words])


def _spacing(_: Styles, text: str, measure: Measure) -> float:
    if text.strip().lower() == "normal":
        return 0.0
    return length(text, measure._replace(width=measure.em, height=measure.em), "x")


def _word(*known: str) -> Any:
    def read(_: Styles, text: str, __: Measure) -> str:
        text = text.strip().lower()
        if text not in known:
            raise Unfit("it is none of them")
        return text

    return read


def _is(*words: str) -> Any:
    return lambda _styles, text, _measure: text.strip().lower() in words


def _share(_: Styles, text: str, __: Measure) -> float:
    return share(text)


def _anchor(_: Styles, text: str, __: Measure) -> str:
    text = {"left": "start", "center": "middle", "right": "end"}.get(text.strip().lower(), text.strip().lower())
    return text if text in ("start", "middle", "end") else "start"


_READERS: dict[str, tuple[str, Any]] = {
    "color": ("color", lambda styles, text, _: styles.colour(text)),
    "fill": ("fill", lambda styles, text, _: styles.coat(text)),
    "stroke": ("stroke", lambda styles, text, _: styles.coat(text)),
    "fill-opacity": ("fill_opacity", _share),
    "stroke-opacity": ("stroke_opacity", _share),
    "stroke-width": ("width", _width),
    "stroke-linecap": ("cap", _word("butt", "round", "square")),
    "stroke-linejoin": (
        "join",
        lambda _, text, __: {"round": "round", "bevel": "bevel"}.get(text.strip().lower(), "miter"),
    ),
    "stroke-miterlimit": ("miter", _miter),
    "stroke-dasharray": ("dash", _dash),
    "stroke-dashoffset": ("dash_from", lambda _, text, measure: length(text, measure)),
    "fill-rule": ("even_odd", _is("evenodd")),
    "clip-rule": ("clip_even_odd", _is("evenodd")),
    "visibility": ("visible", _is("visible")),
    "paint-order": ("order", _order),
    "font-family": ("families", _families),
    "font-weight": ("weight", _weight),
    "font-style": ("italic", _is("italic", "oblique")),
    "font-variant": ("small_caps", _is("small-caps")),
    "text-anchor": ("anchor", _anchor),
    "letter-spacing": ("spacing", _spacing),
    "word-spacing": ("word_spacing", _spacing),
    "white-space": ("preserved", _is("pre", "pre-wrap", "break-spaces")),
    "direction": ("right_to_left", _is("rtl")),
    "writing-mode": ("vertical", _is("tb", "tb-rl", "vertical-rl", "vertical-lr")),
    "dominant-baseline": ("baseline", lambda _, text, __: text.strip().lower()),
    "text-transform": ("capitals", lambda _, text, __: text.strip().lower()),
}
_INITIAL = ArtStyle()


def initial(current: Paint) -> ArtStyle:
    """What the outermost element inherits; `current` is the tint of an icon."""
    return replace(_INITIAL, color=Tint(current or "ink"))
