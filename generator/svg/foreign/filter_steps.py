"""Steps of filters by their attributes: what they lay on top, what their tables say, CSS's functions as steps."""

import re

from generator.errors import Unfit
from generator.svg.foreign.desk import Station
from generator.svg.foreign.measures import length, lengths, number_of, numbers
from generator.svg.foreign.nodes import Node

_LENGTH = re.compile(r"[-+]?[\d.]+(?:e[-+]?\d+)?(?:px|pt|mm|cm|in|em|rem)?(?=\s|$)", re.IGNORECASE)


_HUGE = 1e9


class UnknownStep(Exception):
    """A filter asks for what is not drawn here; its text names it."""


def is_linear(step: Node) -> bool:
    """Whether a step reckons in linear light."""
    node: Node | None = step
    while node is not None:
        found = node.declared.get("color-interpolation-filters")
        if found:
            return found.strip() != "sRGB"
        node = node.parent
    return True


def sharp_on_top(last: Node, first: bool) -> str | None:
    """How the last step lays the source over the rest: `merge`, `other`, `shadow`; None where it doesn't."""
    given = last.attributes
    if any(name in given for name in ("x", "y", "width", "height")):
        return None
    if last.tag == "feMerge":
        parts = [*last.children]
        return "merge" if len(parts) > 1 and parts[-1].attributes.get("in", "").strip() == "SourceGraphic" else None
    source = given.get("in", "SourceGraphic" if first else "").strip() == "SourceGraphic"
    if last.tag == "feDropShadow":
        return "shadow" if source else None
    if last.tag == "feBlend" and (last.declared.get("mode") or given.get("mode", "normal")).strip() == "normal":
        return "other" if source else None
    if last.tag == "feComposite" and given.get("operator", "over").strip() == "over":
        return "other" if source else None
    return None


def levels(function: Node | None) -> list[int]:
    """What each level of a channel becomes."""
    if function is None:
        return list(range(256))
    given = function.attributes
    kind, values = given.get("type", "identity").strip(), numbers(given.get("tableValues", ""))

    def read(name: str, default: float) -> float:
        return (numbers(given.get(name, "")) or [default])[0]

    def at(level: float) -> float:
        if kind == "linear":
            return read("slope", 1.0) * level + read("intercept", 0.0)
        if kind == "gamma":
            return _power(level, read("exponent", 1.0)) * read("amplitude", 1.0) + read("offset", 0.0)
        if kind == "discrete" and values:
            return values[min(int(level * len(values)), len(values) - 1)]
        if kind == "table" and values:
            step = level * (len(values) - 1)
            low = min(int(step), max(len(values) - 2, 0))
            high = min(low + 1, len(values) - 1)
            return values[low] + (values[high] - values[low]) * (step - low)
        return level

    return [round(255 * min(1.0, max(0.0, at(level / 255)))) for level in range(256)]


def _power(level: float, exponent: float) -> float:
    try:
        return float(level**exponent)
    except (OverflowError, ZeroDivisionError):
        return _HUGE


def steps_of_function(name: str, inner: str, spot: Station) -> list[Node]:
    """A CSS filter function as steps."""

    def step(tag: str, **given: str) -> list[Node]:
        made = Node(tag, given, "", None)
        made.declared = {"color-interpolation-filters": "sRGB"} if tag != "feDropShadow" else {}
        return [made]

    try:
        if name == "blur":
            return step("feGaussianBlur", stdDeviation=repr(length(inner or "0", spot.measure)))
        if name == "drop-shadow":
            found = _LENGTH.findall(inner)
            colour = _LENGTH.sub("", inner).strip() or "currentColor"
            values = lengths(" ".join(found), spot.measure)
            soft = values[2] if len(values) > 2 else 0.0
            made = step("feDropShadow", dx=repr(values[0]), dy=repr(values[1]), stdDeviation=repr(soft))
            made[0].attributes["flood-color"] = colour
            return made
        if name == "hue-rotate":
            return step("feColorMatrix", type="hueRotate", values=str((numbers(inner) or [0.0])[0]))
        amount = (number_of(inner.rstrip("% ")) / (100 if inner.strip().endswith("%") else 1)) if inner.strip() else 1.0
    except (Unfit, ValueError, IndexError) as error:
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
