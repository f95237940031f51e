"""The part of SVG that templates may use."""

import re

from generator.base.errors import did_you_mean

PAINTED = frozenset(
    [
        *("fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit"),
        *("stroke-dasharray", "fill-rule", "clip-rule", "color", "font-family", "font-size", "font-weight"),
        *("font-style", "text-anchor", "letter-spacing", "font-feature-settings"),
    ]
)
"""Inherited properties, as attributes or in `style`."""

_ALL = PAINTED | {"id", "style", "transform", "clip-path"}
_VIEW = frozenset(["viewBox", "preserveAspectRatio"])
_BOX = frozenset(["x", "y", "width", "height"])
_LINK = frozenset(["href", "xlink:href"])
_WORDS = frozenset(["text-role", "lang", "writing-mode", "aloud"])
_FLOW = frozenset(["line-height", "text-align", "text-indent", "valign", "hyphenate", "phrases", "text-wrap"])
_SHADE = frozenset(["id", "gradientUnits", "gradientTransform", "spreadMethod"]) | _LINK

SHAPES = frozenset(["rect", "circle", "ellipse", "line", "polyline", "polygon", "path"])

_PLAIN: dict[str, frozenset[str]] = {
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
    "textbox": _ALL - {"text-anchor"} | _WORDS | _BOX | _FLOW | {"min-size"},
    "stamp": frozenset(["x", "y", "font-size", "text-anchor", "fill", "note", "id"]),
    "image": _ALL | _BOX | _LINK | {"preserveAspectRatio", "fit", "focus", "rx", "ry"},
    "linearGradient": _SHADE | {"x1", "y1", "x2", "y2"},
    "radialGradient": _SHADE | {"cx", "cy", "r", "fx", "fy"},
    "stop": frozenset(["id", "offset", "stop-color", "style"]),
    "clipPath": frozenset(["id", "clipPathUnits", "transform"]),
    "title": frozenset(["id"]),
    "desc": frozenset(["id"]),
}

CLEARED = frozenset(
    [
        *("fill-opacity", "stroke-opacity", "paint-order", "stroke-dashoffset"),
        *("marker", "marker-start", "marker-mid", "marker-end"),
    ]
)
"""Further inherited properties of what paints."""

EFFECTS = frozenset(["opacity", "mask", "filter", "mix-blend-mode", "shadow"])
"""Properties of a template's element that apply to all that it draws. They are not inherited."""

STYLED = (
    PAINTED
    | CLEARED
    | EFFECTS
    | frozenset(
        [
            *("clip-path", "transform", "stop-color", "stop-opacity", "mask-type"),
            *("flood-color", "flood-opacity", "color-interpolation-filters"),
        ]
    )
)
"""Attributes that may also be properties in `style` and style sheets."""

_HOLDING = PAINTED | CLEARED | {"id", "style", "class"}
"""Attributes of what holds drawn elements: these inherit its paints."""

_PAINTING = SHAPES | {"g", "use", "text", "textbox", "image", "svg"}
_STEP = frozenset(["id", "in", "result", "x", "y", "width", "height", "color-interpolation-filters", "style"])
_FLOOD = frozenset(["flood-color", "flood-opacity"])
_TABLE = frozenset(["type", "tableValues", "slope", "intercept", "amplitude", "exponent", "offset"])

FILTER_STEPS: dict[str, frozenset[str]] = {
    "feGaussianBlur": _STEP | {"stdDeviation"},
    "feOffset": _STEP | {"dx", "dy"},
    "feFlood": _STEP | _FLOOD,
    "feDropShadow": _STEP | _FLOOD | {"dx", "dy", "stdDeviation"},
    "feMerge": _STEP,
    "feBlend": _STEP | {"in2", "mode"},
    "feComposite": _STEP | {"in2", "operator", "k1", "k2", "k3", "k4"},
    "feColorMatrix": _STEP | {"type", "values"},
    "feComponentTransfer": _STEP,
    "feMorphology": _STEP | {"operator", "radius"},
    "feTurbulence": _STEP | {"type", "baseFrequency", "numOctaves", "seed", "stitchTiles"},
    "feDisplacementMap": _STEP | {"in2", "scale", "xChannelSelector", "yChannelSelector"},
    "feTile": _STEP,
}
FILTER_PARTS: dict[str, frozenset[str]] = {
    "feMergeNode": frozenset(["in"]),
    **dict.fromkeys(("feFuncR", "feFuncG", "feFuncB", "feFuncA"), _TABLE),
}

OF_TEMPLATES: dict[str, frozenset[str]] = {
    **{tag: names | {"class"} | (CLEARED | EFFECTS if tag in _PAINTING else set()) for tag, names in _PLAIN.items()},
    "style": frozenset(["id", "type"]),
    "metadata": frozenset(["id"]),
    "tspan": PAINTED | {"id", "style", "class", "x", "y"},
    "stop": _PLAIN["stop"] | {"stop-opacity", "class"},
    "textPath": frozenset(["id", "startOffset"]) | _LINK,
    "marker": _HOLDING | _VIEW | {"markerWidth", "markerHeight", "markerUnits", "refX", "refY", "orient"},
    "mask": _HOLDING | _BOX | {"maskUnits", "maskContentUnits", "mask-type"},
    "pattern": _HOLDING | _BOX | _VIEW | _LINK | {"patternUnits", "patternContentUnits", "patternTransform"},
    "filter": frozenset(["id", "filterUnits", "primitiveUnits", "color-interpolation-filters", "style"]) | _BOX,
    **FILTER_STEPS,
    **FILTER_PARTS,
}
"""The elements that templates may have, with their attributes."""

NEVER_DRAWN = frozenset(
    [
        *("defs", "symbol", "linearGradient", "radialGradient", "stop", "clipPath", "title", "desc"),
        *("mask", "pattern", "filter", "marker", "style", "metadata"),
    ]
)
"""Elements that are drawn only by reference, or that describe their parent."""

_INSTEAD = {
    "font-variant": 'write font-feature-settings="smcp", or {caps:text} in the text',
    "text-anchor": "a text box is aligned by text-align",
    "text-decoration": "write {underline:text} or {strike:text} in the text",
    "tspan": "put it into <text>",
    "script": "templates are drawn, not run",
    "foreignObject": "use <textbox> for flowed text",
    "a": "printed paper has no links",
}


_UNUSED = (
    r"font-(variant|stretch|kerning|size-adjust|optical|variation|synthesis)|text-(decoration|transform|rendering|shadow)"
    r"|(alignment|dominant)-baseline|baseline-shift|word-spacing|white-space|line-height|direction|unicode-bidi|writing-mode"
    r"|marker|stroke-dashoffset|vector-effect|visibility|display|overflow|isolation|mix-blend-mode|solid-|color-|image-|shape-"
    r"|enable-background|cursor|pointer-events|clip$|opacity|filter|mask|inline-size|text-align|text-orientation"
)
_NEUTRAL = frozenset(
    [
        *("normal", "none", "auto", "inline", "block", "visible", "baseline", "start", "accumulate", "mixed", "ltr"),
        *("lr-tb", "horizontal-tb", "srgb", "linearrgb", "0", "0px", "1", "1.25", "100%", "geometricprecision"),
    ]
)


HARMLESS = frozenset(
    [
        *("shape-inside", "shape-padding", "shape-subtract", "inline-size", "white-space", "line-height", "text-align"),
        *("font-variant", "font-stretch", "font-variation-settings", "solid-color", "solid-opacity", "isolation"),
        *("enable-background", "shape-rendering", "text-rendering", "image-rendering", "color-rendering", "overflow"),
        *("contentScriptType", "contentStyleType", "baseProfile", "text-decoration-color", "word-spacing", "class"),
        *("stroke-dashoffset", "vector-effect", "requiredFeatures", "zoomAndPan", "xml:space", "docname"),
    ]
)
"""Attributes and properties that drawing programs write everywhere, and that change little or nothing."""


def is_neutral(name: str, value: str) -> bool:
    """Return True for properties that drawing programs write and that change nothing in print."""
    return name.startswith("-") or (value.strip().lower() in _NEUTRAL and bool(re.match(_UNUSED, name)))


def has_effects(attributes: dict[str, str]) -> bool:
    """Return True if an element has effects (opacity, mask, filter ...), or may have them in its `style`."""
    if not EFFECTS.isdisjoint(attributes):
        return True
    return "style" in attributes and any(name in attributes["style"] for name in EFFECTS)


def suggest_element(tag: str) -> str:
    """Return a hint for an element that templates can't have: what to use instead, or a similar one."""
    return _INSTEAD.get(tag) or did_you_mean(tag, OF_TEMPLATES)


def suggest_attribute(name: str, known: frozenset[str]) -> str:
    """Return a hint for an attribute or property that isn't `known`: what to use instead, or a similar one."""
    return _INSTEAD.get(name) or did_you_mean(name, known)
