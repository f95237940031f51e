"""What to write instead of a wrong value: the value that was most likely meant, or the form that it needs."""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from generator.errors import did_you_mean, nearest
from generator.load.yaml.slips import ODD_SPACES, PLAIN_SIGNS, wide_sign
from generator.units import length, plain

_YES, _NO = ("yes", "y", "on", "true", "1"), ("no", "n", "off", "false", "0")
_DAYS = (
    re.compile(r"(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})"),
    re.compile(r"(?P<day>[0-9]{1,2})\.\s?(?P<month>[0-9]{1,2})\.\s?(?P<year>[0-9]{4})"),
)
_COLOURS = {
    "black": "#000000", "white": "#ffffff", "grey": "#808080", "gray": "#808080", "red": "#ff0000", "green": "#008000",
    "blue": "#0000ff", "yellow": "#ffff00", "orange": "#ffa500",
    "purple": "#800080", "brown": "#a52a2a", "pink": "#ffc0cb",
}  # fmt: skip
_HEX = re.compile(r"#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_SIZE = re.compile(r"\s*([0-9.]+)\s*([a-z]*)\s*[xX×*]\s*([0-9.]+)\s*([a-z]*)\s*")


def suggest_number(value: Any, *, whole: bool) -> str:
    """Return how to write a number that was written as something else."""
    if isinstance(value, float) and whole and math.isfinite(value):
        return f"write {math.floor(value)} or {math.ceil(value)}"
    digits = re.sub(r"[,_\s](?=[0-9]{3}\b)", "", value.strip()) if isinstance(value, str) else ""
    if re.fullmatch(r"[-+]?[0-9]{1,15}" if whole else r"[-+]?[0-9]{1,15}(\.[0-9]+)?", digits):
        right = plain(float(digits)) if "." in digits else str(int(digits))
        return f"write {right}, without quotes" if right == value else f"write {right}"
    return "write digits only" if whole else "write digits, with a point for decimals"


def suggest_truth(value: Any) -> str:
    """Return how to write yes or no."""
    word = str(value).strip().lower()
    right = "true" if word in _YES else "false" if word in _NO else "true or false"
    return f"write {right}, without quotes" if right == value else f"write {right}"


def suggest_text(value: Any, name: str = "") -> str:
    """Return how to write a text that looks like a number."""
    if not isinstance(value, int) or isinstance(value, bool):
        return "put it in quotes"
    return f'write `{name}: "{value}"`' if name and not name.isdecimal() else f'put it in quotes: "{value}"'


def suggest_day(value: Any) -> str:
    """Return how to write a date."""
    for form in _DAYS:
        if found := form.fullmatch(str(value).strip()):
            return f"write {found['year']}-{int(found['month']):02}-{int(found['day']):02}"
    return "write year, month and day, as in 2026-01-31"


def suggest_colour(value: Any) -> str:
    """Return how to write a colour."""
    word = str(value).strip().lower()
    if found := _HEX.fullmatch(word):
        digits = found[1] if len(found[1]) == 6 else "".join(sign * 2 for sign in found[1])
        return f'write "#{digits}"'
    if word.startswith("#"):
        return f"write six digits; this one has {len(word) - 1}"
    named = _COLOURS.get(word)
    return f'write "{named}" for {word}' if named else "write it so, in quotes"


def suggest_size(value: Any) -> str:
    """Return a size in mm for one that is written with units or an x; empty if it can't be read as one."""
    if isinstance(value, str) and (found := _SIZE.fullmatch(value.lower())):
        width, width_unit, height, unit = found.groups()
        sides: list[Any] = [width + (width_unit or unit), height + unit]
    elif isinstance(value, list) and len(value) == 2 and any(isinstance(side, str) for side in value):
        sides = value
    else:
        return ""
    try:
        shown = ", ".join(
            plain(round(length(side.replace('"', "in") if isinstance(side, str) else side), 2)) for side in sides
        )
    except (TypeError, ValueError):
        return ""
    return f"write [{shown}], in mm"


def suggest_inches(sides: list[Any]) -> str:
    """Return a size in mm for two numbers that are too small unless they are inches."""
    return f"if these are inches, write [{', '.join(plain(round(length(f'{side}in'), 2)) for side in sides)}], in mm"


def explain_name(name: Any, value: Any, known: Iterable[str], where: str, noun: str = "field") -> tuple[str, str]:
    """Return what is wrong with a name that is not known (`where` says in what), and what to do."""
    text, known = str(name), list(known)
    odd = next((sign for sign in text if ord(sign) in PLAIN_SIGNS), "")
    if odd:
        what, hint = wide_sign(odd)
        return what, "delete it" if odd in ODD_SPACES else hint
    if text == "<<":
        return "merging with `<<` is not supported", "write the values out here"
    if value is None:
        head, colon, rest = text.partition(":")
        if colon and rest:
            return f"a space is missing after the colon of `{head}:`", f"write `{head}: {rest}`"
        word, *others = re.split(r"[\s=]+", text)
        if others and word in known:
            return f"a colon is missing after `{word}`", f"write `{word}: {' '.join(others)}`"
        if others:
            return f"the comma before `{text}` ends the text", "put the whole text with its comma in quotes"
    return f"unknown {noun} '{text}'{where}", did_you_mean(text, known)


def meant_name(name: Any, known: Iterable[str]) -> str:
    """Return the known name that a wrong one stands for; empty if there is none."""
    names = frozenset(known)
    stem = re.match(r"[\w-]*", str(name).translate(PLAIN_SIGNS).strip())
    return stem[0] if stem and stem[0] in names else nearest(str(name), names)


def missing_names(names: Iterable[str], written: Mapping[Any, Any], known: Iterable[str]) -> list[str]:
    """Return the names that are missing, without those that are there but written wrongly."""
    fields = list(known)
    wrong = [name for name in written if name not in fields]
    missing = [name for name in names if name not in written]
    return [one for one in missing if all(meant_name(name, [one]) != one for name in wrong)]
