"""One cell of a table to the value that YAML would hold there, and texts protected from a spreadsheet's guesses."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from unicodedata import normalize

from generator.errors import ProblemsFound, Unfit
from generator.load.wording import describe_value
from generator.load.yaml_source import parse_yaml, plain_number
from generator.model.data_fields import FieldSpec
from generator.model.source import Map, Seq, Spot

PROTECTED = re.compile(r"'(?:\s*\Z|[=+\-@']|[0-9][0-9.,:/%-]*\Z)")
"""A text whose apostrophe only keeps a spreadsheet from taking what follows for a formula, a number or a date."""

_BARE = re.compile(r"[=+\-@]|[0-9][0-9.,:/%-]*\Z|\s*\Z")
_BOTH = re.compile(r"[-+]?[1-9][0-9]{0,2}[.,][0-9]{3}\Z")
"""What is a thousand or a one with decimals."""

_COMMA = re.compile(r"[-+]?(?:0|[1-9][0-9]*),[0-9]+\Z")
_GROUPED = r"[-+]?[1-9][0-9]{{0,2}}(?:{group}[0-9]{{3}})+(?:{point}[0-9]+)?"
_WORDY = ("text", "words")
_NESTED = ("effects", "list")
_TRUTH = {"true": True, "false": False}
_INSIDE = "cell"


def unprotect(text: str) -> str:
    """The text without the apostrophe that protects it."""
    return text[1:] if PROTECTED.match(text) else text


def protect(text: str) -> str:
    """The text with an apostrophe in front where a spreadsheet, or `unprotect`, would change it."""
    return f"'{text}" if _BARE.match(text) or PROTECTED.match(text) else text


def cell_value(text: str, spec: FieldSpec, spot: Spot) -> Any:
    """The value of a cell that is not empty, for a field of that type; parts of a list stand at the cell's spot.

    What does not fit the type stays a text for whoever checks types; Unfit for a list that can't be read.
    """
    if spec.type == "list" and not text.lstrip().startswith("["):
        return _read_list(text, spec, spot)
    return _READERS.get(spec.type, _name)(text, spec, spot)


def _text(text: str, _spec: FieldSpec, _spot: Spot) -> str:
    return unprotect(text)


def _name(text: str, _spec: FieldSpec, _spot: Spot) -> str:
    return unprotect(text.strip())


def _number(text: str, spec: FieldSpec, _spot: Spot) -> int | float | str:
    """A number however it is spelled, if it can be but one; Unfit where it may be two."""
    plain = normalize("NFKC", text).strip().replace("\N{MINUS SIGN}", "-")
    whole = spec.type == "integer"
    if _BOTH.match(plain) and ("," in plain) is not whole:
        large, small = re.sub("[.,]", "", plain), plain.replace(",", ".")
        hint = f"write {large}, or {_as_whole(float(small), whole=True)}"
        raise Unfit(f"{describe_value(plain)} may be {large} or {_as_whole(float(small), whole=True)}", hint)
    value = plain_number(plain)
    if isinstance(value, str):
        value = plain_number(_without_groups(plain))
    return text.strip() if isinstance(value, str) else _as_whole(value, whole=whole)


def _as_whole(value: float, *, whole: bool) -> int | float:
    """3 for 3.0 where a whole number is wanted."""
    return int(value) if whole and isinstance(value, float) and value.is_integer() else value


def _without_groups(text: str) -> str:
    """A number as YAML writes it: without signs between thousands, with a point before its decimals."""
    for group, point in (
        (",", "."),
        (".", ","),
        (" ", "."),
        (" ", ","),
        ("'", "."),
        ("\N{RIGHT SINGLE QUOTATION MARK}", "."),
    ):
        if re.fullmatch(_GROUPED.format(group=re.escape(group), point=re.escape(point)), text):
            return text.replace(group, "").replace(point, ".")
    return text.replace(",", ".") if _COMMA.match(text) else text


def _boolean(text: str, _spec: FieldSpec, _spot: Spot) -> bool | str:
    return _TRUTH.get(text.strip().lower(), text.strip())


def _choice(text: str, spec: FieldSpec, _spot: Spot) -> str | int:
    """The choice that is written so: a number before a text of the same digits, which is to be protected."""
    plain = text.strip()
    if PROTECTED.match(plain):
        return plain[1:]
    return next((choice for choice in spec.choices if isinstance(choice, int) and str(choice) == plain), plain)


def _read_list(text: str, spec: FieldSpec, spot: Spot) -> Seq:
    """Entries with a bar between them; one in a text needs space around it, as ruby has bars too."""
    entry = replace(spec, type=spec.of or "text")
    if entry.type in _NESTED:
        raise Unfit(f"{describe_value(text)} is no list of this kind", "write it as in YAML, in [ ]")
    values = Seq()
    for part in re.split(r"(?<=\s)\|(?=\s)" if entry.type in _WORDY else r"\|", text):
        if not part.strip():
            raise Unfit("an entry of the list is empty", "take one | out; `[]` is an empty list")
        values.append(cell_value(part.strip(), entry, spot))
        values.values_at.append(spot)
    return values


def _flow(text: str, spec: FieldSpec, spot: Spot) -> Any:
    """A list as YAML writes it; around operations the brackets may be left out."""
    plain = text.strip()
    if spec.type == "effects" and plain.startswith("{"):
        plain = f"[{plain}]"
    if not plain.startswith("["):
        raise Unfit(f"{describe_value(plain)} is no list of operations", "write {op: ...}, {op: ...}")
    try:
        return _at_spot(parse_yaml(f"{_INSIDE}: {plain}".replace("\n", "\n "), _INSIDE)[_INSIDE], spot)
    except ProblemsFound as found:
        first = found.problems[0]
        raise Unfit(first.what, first.hint) from found


def _at_spot(value: Any, spot: Spot) -> Any:
    """The same with every part at one spot. A parser's limit of depth holds here too."""
    if isinstance(value, Seq):
        listed = Seq()
        listed.extend(_at_spot(part, spot) for part in value)
        listed.values_at = [spot] * len(value)
        return listed
    if isinstance(value, Map):
        mapped = Map()
        mapped.update({key: _at_spot(part, spot) for key, part in value.items()})
        mapped.keys_at = mapped.values_at = dict.fromkeys(value, spot)
        return mapped
    return value


_READERS: dict[str, Callable[[str, FieldSpec, Spot], Any]] = {
    "integer": _number,
    "number": _number,
    "text": _text,
    "words": _text,
    "boolean": _boolean,
    "choice": _choice,
    "effects": _flow,
    "list": _flow,
}
