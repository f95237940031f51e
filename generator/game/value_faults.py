"""Faults of values and slips in YAML text: what is wrong, what to write instead, and its place."""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from string import Formatter
from typing import Any, NamedTuple

from generator.base.errors import Problem, did_you_mean, find_similar_name, format_path, join_words, raise_problems
from generator.base.geometry import format_num, parse_mm
from generator.game.data_fields import id_from_text
from generator.game.data_shapes import KEY, DataShape, KeyedShape, Path, ShapeFinding, find_known_keys, read_shape
from generator.game.schema import DAY
from generator.game.source import Source

QUOTING = "\"'"

_DOUBLE, _SINGLE = r'(?s)"(?:[^"\\]|\\.)*+"', r"'(?:[^']|'')*+'"
_ESCAPE = r'(?s)\\(?:[0abt\tnvfre "/\\N_LP\n\r]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|(\\)'

_WIDE = (
    r"(?:^\s*(?:- +)*|[{,，｛]\s*)[\w-]+\s*(?P<colon>：)"
    r"|(?P<comma>，)(?=\s*[\w-]+\s*[:：])"
    r"|(?:^\s*-?|[:：,，{\[])\s*(?P<opens>[｛［“”‘])"
    r"|(?P<closes>[｝］])(?=\s*(?:$|[,}\]]))"
    r"|(?P<space>\u3000)(?=\s*[\w-]+\s*:)"
)
"""Full-width characters and curly quotes in place of YAML's own."""

PLAIN_SIGNS = str.maketrans("\xa0\u3000：，｛｝［］“”‘’", "  :,{}[]\"\"''")
_CURLY = r"[“‘]([^”’:,\n\[\]{}]*,[^”’:\n\[\]{}]*)[”’]"
ODD_SPACES = {"\xa0": "no-break space", "\u3000": "full-width space"}
_TEXTS = r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'"


class Slip(NamedTuple):
    """A mistake: its offset in the text, the fault and the remedy."""

    at: int
    what: str
    hint: str


class SlipFound(Exception):
    """The error that carries a mistake found in a text."""

    def __init__(self, at: int, what: str, hint: str):
        super().__init__(what)
        self.slip = Slip(at, what, hint)


def find_text_line(text: str, at: int) -> int:
    """Return the line, from 1, of an offset in a text."""
    return text.count("\n", 0, at) + 1


def find_text_column(text: str, at: int) -> int:
    """Return the column, from 0, of an offset in a text; a byte order mark has none."""
    start = text.rfind("\n", 0, at) + 1
    return at - start - (start == 0 and text.startswith("\ufeff"))


def find_quoted_end(text: str, at: int) -> int:
    """Return the offset after the text in quotes that begins at `at`. Raise SlipFound if unclosed or badly escaped."""
    sign = text[at]
    found = re.compile(_DOUBLE if sign == '"' else _SINGLE).match(text, at)
    if found is None:
        raise make_unclosed_slip(text, at)
    if sign == '"' and (wrong := next((one for one in re.finditer(_ESCAPE, found[0]) if one[1]), None)):
        shown = found[0][wrong.start() : wrong.start() + 2]
        what = f"`{shown}` has no meaning in double quotes"
        raise SlipFound(at + wrong.start(), what, "write `\\\\` for a backslash, or put the text in single quotes")
    return found.end()


def make_unclosed_slip(text: str, at: int) -> SlipFound:
    """Return the error for a quote that is never closed."""
    sign = text[at]
    hint = f"write a second `{sign}` where the text ends"
    if sign == "'":
        hint += '; if this one is an apostrophe, put the whole text in double quotes ("...")'
    return SlipFound(at, "the quote that opens here is never closed", hint)


def find_wide_sign(text: str, at: int) -> Slip | None:
    """Return the full-width character on a mistake's line that replaces one of YAML's own, or None."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    line = text[start : end if end >= 0 else len(text)]
    bare = re.sub(r"(?<!\S)#.*", "", re.sub(_TEXTS, lambda found: "x" * len(found[0]), line))
    found = re.search(_WIDE, bare)
    if found is None or (found.lastgroup == "space" and not bare[: found.start()].strip()):
        return None
    sign = found[found.lastgroup or 0]
    return Slip(start + found.start(found.lastgroup or 0), *explain_wide_sign(sign))


def explain_curly_quotes(text: str, at: int) -> tuple[str, str] | None:
    """Return the fault and remedy of a text in curly quotes with a comma, or None if none is at the offset `at`."""
    found = re.compile(_CURLY).match(text, at) if text[at : at + 1] in ("“", "‘") else None
    if found is None:
        return None
    what, hint = explain_wide_sign(found[0][0])
    return what, hint if '"' in found[1] else f'{hint}: "{found[1]}"'


def explain_wide_sign(sign: str) -> tuple[str, str]:
    """Return the fault and hint of a full-width character or a curly quote."""
    if sign in ODD_SPACES:
        return f"there is a {ODD_SPACES[sign]} here", "replace it with an ordinary space"
    if sign in "“”‘’":
        return "curly quotes have no meaning here", "write straight quotes at both ends"
    return f"the full-width sign `{sign}` has no meaning here", f"write `{sign.translate(PLAIN_SIGNS)}` instead"


_YES, _NO = ("yes", "y", "on", "true", "1"), ("no", "n", "off", "false", "0")
_DAYS = (
    r"(?P<year>[0-9]{4})[-/.](?P<month>[0-9]{1,2})[-/.](?P<day>[0-9]{1,2})",
    r"(?P<day>[0-9]{1,2})\.\s?(?P<month>[0-9]{1,2})\.\s?(?P<year>[0-9]{4})",
)
_COLOURS = {
    "black": "#000000", "white": "#ffffff", "grey": "#808080", "gray": "#808080", "red": "#ff0000", "green": "#008000",
    "blue": "#0000ff", "yellow": "#ffff00", "orange": "#ffa500",
    "purple": "#800080", "brown": "#a52a2a", "pink": "#ffc0cb",
}  # fmt: skip
_HEX = r"#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})"
_SIZE = r"\s*([0-9.]+)\s*([a-z]*)\s*[xX×*]\s*([0-9.]+)\s*([a-z]*)\s*"


def suggest_number(value: Any, *, whole: bool) -> str:
    """Return a hint how to write `value` as a number, or a `whole` number."""
    if isinstance(value, float) and whole and math.isfinite(value):
        return f"write {math.floor(value)} or {math.ceil(value)}"
    digits = re.sub(r"[,_\s](?=[0-9]{3}\b)", "", value.strip()) if isinstance(value, str) else ""
    if re.fullmatch(r"[-+]?[0-9]{1,15}" if whole else r"[-+]?[0-9]{1,15}(\.[0-9]+)?", digits):
        right = format_num(float(digits)) if "." in digits else str(int(digits))
        return f"write {right}, without quotes" if right == value else f"write {right}"
    return "write digits only" if whole else "write digits, with a point for decimals"


def suggest_truth(value: Any) -> str:
    """Return how to write yes or no."""
    word = str(value).strip().lower()
    right = "true" if word in _YES else "false" if word in _NO else "true or false"
    return f"write {right}, without quotes" if right == value else f"write {right}"


def suggest_text(value: Any, name: str = "") -> str:
    """Return how to write the text of the key `name` ("": none) that was read as another value, such as a number."""
    if not isinstance(value, int) or isinstance(value, bool):
        return "put it in quotes"
    return f'write `{name}: "{value}"`' if name and not name.isdecimal() else f'put it in quotes: "{value}"'


def suggest_day(value: Any) -> str:
    """Return how to write a date: the day that `value` means in another notation, or else an example."""
    for form in _DAYS:
        if found := re.fullmatch(form, str(value).strip()):
            return f"write {found['year']}-{int(found['month']):02}-{int(found['day']):02}"
    return "write year, month and day, as in 2026-01-31"


def suggest_colour(value: Any) -> str:
    """Return how to write a colour."""
    word = str(value).strip().lower()
    if found := re.fullmatch(_HEX, word):
        digits = found[1] if len(found[1]) == 6 else "".join(sign * 2 for sign in found[1])
        return f'write "#{digits}"'
    if word.startswith("#"):
        return f"write six digits; this one has {len(word) - 1}"
    named = _COLOURS.get(word)
    return f'write "{named}" for {word}' if named else "write it in quotes"


def suggest_size(value: Any) -> str:
    """Return a hint with the size in mm, for one written with units or an x; an empty string if it is no size."""
    if isinstance(value, str) and (found := re.fullmatch(_SIZE, value.lower())):
        width, width_unit, height, unit = found.groups()
        sides: list[Any] = [width + (width_unit or unit), height + unit]
    elif isinstance(value, list) and len(value) == 2 and any(isinstance(side, str) for side in value):
        sides = value
    else:
        return ""
    try:
        shown = ", ".join(
            format_num(round(parse_mm(side.replace('"', "in") if isinstance(side, str) else side), 2)) for side in sides
        )
    except (TypeError, ValueError):
        return ""
    return f"write [{shown}], in mm"


def suggest_inches(sides: list[Any]) -> str:
    """Return a hint with a size in mm, for two numbers that are probably inches."""
    lengths = ", ".join(format_num(round(parse_mm(f"{side}in"), 2)) for side in sides)
    return f"if these are inches, write [{lengths}], in mm"


def explain_name(name: Any, value: Any, known: Iterable[str], where: str, noun: str = "field") -> tuple[str, str]:
    """Return what is wrong with an unknown name (`where` says in what; None as `value`: no colon), and what to do."""
    text, known = str(name), list(known)
    odd = next((sign for sign in text if ord(sign) in PLAIN_SIGNS), "")
    if odd:
        what, hint = explain_wide_sign(odd)
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


def find_meant_name(name: Any, known: Iterable[str]) -> str:
    """Return the known name that a wrong one means, or an empty string."""
    names = frozenset(known)
    stem = re.match(r"[\w-]*", str(name).translate(PLAIN_SIGNS).strip())
    return stem[0] if stem and stem[0] in names else find_similar_name(str(name), names)


def find_missing_names(names: Iterable[str], written: Mapping[Any, Any], known: Iterable[str]) -> list[str]:
    """Return the `names` that `written` lacks, except those that a name in it which is not `known` may mean."""
    fields = list(known)
    wrong = [name for name in written if name not in fields]
    missing = [name for name in names if name not in written]
    return [one for one in missing if all(find_meant_name(name, [one]) != one for name in wrong)]


_TYPES = {
    "whole number": "a whole number", "number": "a number", "text": "text", "words": "text", "truth": "true or false",
    "mapping": "`name: value` pairs", "list": "a list",
}  # fmt: skip


def explain_finding(found: ShapeFinding, shape: DataShape) -> tuple[str, str]:
    """Return the fault and the hint of one finding of a shape."""
    kind, path, value, limit = found
    name = _name_path(path)
    if kind == "missing":
        return f"'{path[-1]}' is missing{_format_location(path[:-1])}", f"add `{path[-1]}: ...`"
    if kind == "unknown":
        noun = "section" if len(path) == 1 and getattr(shape, "name", "") == "GameData" else "field"
        fault = explain_name(path[-1], value, find_known_keys(shape, path[:-1]), _format_location(path[:-1]), noun)
        return _explain_misplaced(path, shape) or fault
    if path and path[-1] == "srgb" and kind in ("pattern", "text") and value is not None:
        what = f"{_name_path(path[:-1])} is {describe_value(value)}, but a colour is # and six digits (0-9, a-f)"
        return what, suggest_colour(value)
    if kind in _TYPES and value is None:
        if path[:1] == ("palette",):
            return f"{name} is empty, for a # without quotes begins a comment", "put the colour in quotes"
        return f"{name} is empty", "write it after the colon (in quotes if it begins with #)"
    if kind in _TYPES:
        what = f"{name} must be {_TYPES[kind]}, not {describe_value(value)}"
        if kind == "whole number" and re.fullmatch("0[0-9]+", str(value)):
            what = f"{name} is {value}, but a number can't begin with a zero"
        return _explain_misplaced(path, shape) or (what, _suggest_value(kind, value, path, shape))
    if kind == "choice":
        similar = did_you_mean(str(value), limit)
        hint = similar if similar.startswith("did") else f"known: {join_words(map(repr, limit), 'or')}"
        return f"{name} is {describe_value(value)}, which is not a valid choice", hint
    if kind == "pattern":
        wrong = "but a date is year-month-day" if limit == DAY else "which is not valid"
        return f"{name} is {describe_value(value)}, {wrong}", _suggest_form(limit, value)
    return _explain_limit(found, name)


def _explain_limit(found: ShapeFinding, name: str) -> tuple[str, str]:
    kind, _, value, limit = found
    if kind == "max_length":
        return f"{name} has {len(value)} characters, but may have {limit}", "shorten it"
    if kind in ("few", "many"):
        return f"{name} has {len(value)} entries, but must have {_BOUNDS[kind]} {limit}", "change the list"
    if kind in _BOUNDS:
        return f"{name} is {value}, but must be {_BOUNDS[kind]} {format_num(limit)}", "change the number"
    if kind == "key":
        return f"{name}: keys should be strings", "change it"
    if kind == "min_length":
        return f"{name}: string should have at least {limit} character{'s' * (limit > 1)}", "change it"
    return f"{name}: {limit}", getattr(limit, "hint", "") or "change it"


_BOUNDS = {"ge": "at least", "le": "at most", "few": "at least", "many": "at most"}


def _suggest_value(kind: str, value: Any, path: Path, shape: DataShape) -> str:
    if kind in ("whole number", "number"):
        return suggest_number(value, whole=kind == "whole number")
    if kind in ("text", "words"):
        return suggest_text(value, path[-1] if path and isinstance(path[-1], str) else "")
    if kind == "truth":
        return suggest_truth(value)
    if kind == "list":
        return "begin each entry with `- `" if isinstance(value, Mapping) else f"write it in brackets: [{value}]"
    names = find_known_keys(shape, path)[:_SHOWN_NAMES]
    return f"write {{{', '.join(f'{name}: ...' for name in names)}}}" if names else "write it as `name: value` lines"


_SHOWN_NAMES = 2


def _explain_misplaced(path: Path, shape: DataShape) -> tuple[str, str] | None:
    """Return the fault and hint of a section that is indented, and so belongs to the one before it; else None."""
    if len(path) != 2 or not isinstance(shape, KeyedShape) or path[1] not in shape.entries or path[0] == path[1]:
        return None
    return f"`{path[1]}` is a section of its own, but is indented below `{path[0]}`", "begin its line without spaces"


def drop_consequences(found: Sequence[ShapeFinding]) -> Iterator[ShapeFinding]:
    """Yield findings that do not follow from another, such as a missing name that is present but misspelt."""
    seen: set[tuple[str, Path]] = set()
    for one in found:
        around = one.path[:-1]
        if one.kind == "missing" and isinstance(one.value, Mapping):
            unknown = [other.path[-1] for other in found if other.kind == "unknown" and other.path[:-1] == around]
            if any(find_meant_name(name, [one.path[-1]]) for name in unknown):
                continue
        if one.kind in ("list", "mapping") and one.path and isinstance(one.path[-1], int):
            if (one.kind, around) in seen:
                continue
            seen.add((one.kind, around))
        yield one


def read_source(shape: DataShape, source: Source) -> Any:
    """Return the value of a source as the shape reads it. Raise ProblemsFound with all its faults."""
    value, found = read_shape(shape, source.value)
    problems = []
    for one in drop_consequences(found):
        path, at_key = find_finding_path(one)
        place = source.key_place(*path) if at_key else source.place(*path)
        problems.append(Problem(place, *explain_finding(one, shape)))
    raise_problems(problems)
    return value


def find_finding_path(found: ShapeFinding) -> tuple[Path, bool]:
    """Return the path of a finding, and True if its place is that of the key."""
    path = tuple(step for step in found.path if step != KEY)
    return path, found.kind == "unknown" or KEY in found.path


def _name_path(path: Path) -> str:
    return format_path(["name" if step == KEY else step for step in path]) or "the file"


def describe_value(value: Any) -> str:
    """Return a value as a message shows it."""
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"'{value}'" if len(value) <= 40 else f"'{value[:37]}...'"
    if isinstance(value, Mapping):
        return "a mapping"
    return "a list" if isinstance(value, list) else str(value)


def _format_location(path: tuple[Any, ...]) -> str:
    return f" in {_name_path(path)}" if path else ""


def _suggest_form(pattern: str, value: str) -> str:
    if pattern == DAY:
        return suggest_day(value)
    if pattern == r"^E[0-9]+[a-z]?$":
        return "write it as E1, E2 ..."
    if pattern.startswith("^[a-z]{2,3}"):
        return "write a language as its code, such as en or ja"
    return f"use lower-case letters, digits, - and _: `{id_from_text(value) or 'name'}`"


def find_blanks(text: str) -> frozenset[str]:
    """Return the {names} in a text. Raise ValueError for a single brace."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def check_blanks(noun: str, text: str, known: Collection[str] | None) -> Iterator[tuple[str, str]]:
    """Yield the fault and remedy of each {name} in `text` not in `known` (None: any plain one), or with a format."""
    shown = text if len(text) <= 60 else f"{text[:57]}..."
    try:
        parts = [part for part in Formatter().parse(text) if part[1] is not None]
    except ValueError:
        example = next(iter(known or ()), "name")
        yield f"{noun} '{shown}' has a single brace", f"write names as {{{example}}}"
        return
    for _, name, form, conversion in parts:
        if not str(name).isidentifier() if known is None else name not in known:
            yield f"{noun} names '{{{name}}}'", did_you_mean(str(name), known or ())
        elif form or conversion:
            yield f"{noun} gives '{name}' a form of its own", f"write {{{name}}} and nothing else in the braces"
