"""The part of SVG that templates and art files may use: which elements, which attributes; hints for the rest."""

from generator.errors import did_you_mean

PAINTED = frozenset(
    [
        *("fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit"),
        *("stroke-dasharray", "fill-rule", "clip-rule", "color", "font-family", "font-size", "font-weight"),
        *("font-style", "text-anchor", "letter-spacing", "font-feature-settings"),
    ]
)
"""The properties that are inherited, as attributes or in `style`."""

_ALL = PAINTED | {"id", "style", "transform", "clip-path"}
_VIEW = frozenset(["viewBox", "preserveAspectRatio"])
_BOX = frozenset(["x", "y", "width", "height"])
_LINK = frozenset(["href", "xlink:href"])
_WORDS = frozenset(["text-role", "lang", "writing-mode"])
_FLOW = frozenset(["line-height", "text-align", "text-indent", "valign", "hyphenate", "phrases", "text-wrap"])
_SHADE = frozenset(["id", "gradientUnits", "gradientTransform", "spreadMethod"]) | _LINK

ATTRIBUTES: dict[str, frozenset[str]] = {
    "svg": _ALL | _VIEW | _BOX | {"version", "xmlns", "xmlns:xlink", "xml:lang", "xml:space"},
    "g": _ALL,
    "defs": _ALL,
    "symbol": _ALL | _VIEW,
    "use": _ALL | _BOX | _LINK | {"preserveAspectRatio"},
    "rect": _ALL | _BOX | {"rx", "ry"},
    "circle": _ALL | {"cx", "cy", "r"},
    "ellipse": _ALL | {"cx", "cy", "rx", "ry"},
    "line": _ALL | {"x1", "y1", "x2", "y2"},
    "polyline": _ALL | {"points"},
    "polygon": _ALL | {"points"},
    "path": _ALL | {"d"},
    "text": _ALL | _WORDS | _BOX | {"min-size", "textLength"},
    "textbox": _ALL | _WORDS | _BOX | _FLOW | {"min-size"},
    "stamp": frozenset(["x", "y", "font-size", "text-anchor", "fill", "id"]),
    "image": _ALL | _BOX | _LINK | {"preserveAspectRatio", "fit", "focus", "rx", "ry"},
    "linearGradient": _SHADE | {"x1", "y1", "x2", "y2"},
    "radialGradient": _SHADE | {"cx", "cy", "r", "fx", "fy"},
    "stop": frozenset(["id", "offset", "stop-color", "style"]),
    "clipPath": frozenset(["id", "clipPathUnits", "transform"]),
    "title": frozenset(["id"]),
    "desc": frozenset(["id"]),
}

NEVER_DRAWN = frozenset(["defs", "symbol", "linearGradient", "radialGradient", "stop", "clipPath", "title", "desc"])
"""Elements that others refer to, or that speak of their parent."""

SHAPES = frozenset(["rect", "circle", "ellipse", "line", "polyline", "polygon", "path"])

_TINT = "mix the tint in the palette and use it as a colour"
_INSTEAD = {
    "opacity": _TINT,
    "fill-opacity": _TINT,
    "stroke-opacity": _TINT,
    "stop-opacity": _TINT,
    "class": "write its properties as attributes or in style=",
    "filter": "draw the effect as shapes, or use a picture",
    "mask": "use clip-path",
    "pattern": "draw its shapes with <use>",
    "font-variant": 'write font-feature-settings="smcp", or {caps:text} in the text',
    "text-decoration": "write {underline:text} or {strike:text} in the text",
    "tspan": "write the text in one <text>, with **bold** or {colour:text} where needed",
    "script": "templates are drawn, not run",
    "foreignObject": "use <textbox> for flowed text",
    "a": "printed paper has no links",
    "stroke-dashoffset": "begin the line elsewhere",
}


def element_hint(tag: str) -> str:
    """A way out for an element that is not in the subset."""
    if tag == "style":
        return "write the properties as attributes or in style="
    return _INSTEAD.get(tag) or did_you_mean(tag, ATTRIBUTES)


def attribute_hint(name: str, known: frozenset[str]) -> str:
    """A way out for an attribute or property that is not in the subset."""
    return _INSTEAD.get(name) or did_you_mean(name, known)
