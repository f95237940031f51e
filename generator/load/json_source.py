"""JSON that this program wrote once and anybody may have changed: strictly read, and where each value stands."""

import json
import re
from math import isfinite
from pathlib import Path
from typing import Any

from generator.errors import Place, Problem, ProblemsFound, Unfit
from generator.files import Contents, read_file
from generator.load.yaml_source import Limits, parse_yaml
from generator.model.source import Map, Source

_LIMITS = Limits(aliases=0)
_DEEPEST = 40
_PARTS = re.compile(
    r'"(?:[^"\\]|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>\\u[dD][89a-fA-F]..)|\\.)*+"'
    r"|[][{}]|(?P<number>-?(?:\d[\d.eE+-]*|NaN|Infinity))"
)
"""Texts, brackets and numbers of JSON, of numbers also those that Python alone knows."""


def read_json(path: Path, shown: str, contents: Contents, hint: str) -> tuple[Any, str]:
    """The value that a file holds, and its text; ProblemsFound, with the hint, where it is no JSON of plain values."""
    try:
        text = read_file(path, contents).decode("utf-8")
    except Unfit as unfit:
        raise ProblemsFound([Problem(Place(shown), str(unfit), hint)]) from unfit
    except UnicodeDecodeError as error:
        place = Place(shown, error.object.count(b"\n", 0, error.start) + 1)
        raise ProblemsFound([Problem(place, "it is not UTF-8", hint)]) from error
    return parse_json(text, shown, hint), text


def parse_json(text: str, shown: str, hint: str) -> Any:
    """The value that a text is; ProblemsFound, with the hint, where it is no JSON of plain values."""
    place = Place(shown)
    try:
        data = json.loads(text, parse_constant=_no_number)
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except UnicodeEncodeError:
        place, what = _odd(text, shown), "a text has half a character"
    except json.JSONDecodeError as error:
        place, what = Place(shown, error.lineno, error.colno), error.msg
    except ValueError:  # NaN and its like, or more digits than Python reads
        place, what = _odd(text, shown), "a number is none that can be counted with"
    except RecursionError:
        place, what = _odd(text, shown), "it has no end"
    else:
        if not _deeper(data, _DEEPEST):
            return data
        place, what = _odd(text, shown), "it has no end"
    raise ProblemsFound([Problem(place, what, hint)])


def source_of(text: str, shown: str) -> Source:
    """Where the values of such a text stand; as JSON is YAML too, its reader knows. The first line where it doesn't."""
    try:
        return Source(shown, parse_yaml(text, shown, _LIMITS))
    except ProblemsFound:
        return Source(shown, Map(), (1, 1))


def _deeper(value: Any, most: int) -> bool:
    """Whether values lie in values more than so many deep."""
    level = [value]
    for _ in range(most):
        inner = [part for part in level if isinstance(part, (list, dict))]
        level = [entry for part in inner for entry in (part.values() if isinstance(part, dict) else part)]
        if not level:
            return False
    return True


def _odd(text: str, shown: str) -> Place:
    """Where the first value stands that a reader of JSON stumbles over without saying so."""
    deep = 0
    for found in _PARTS.finditer(text):
        part = found[0]
        deep += (part in ("[", "{")) - (part in ("]", "}"))
        if deep > _DEEPEST or found["half"] or (found["number"] and not _finite(part)):
            before = text.rfind("\n", 0, found.start())
            return Place(shown, text.count("\n", 0, found.start()) + 1, found.start() - before)
    return Place(shown)


def _finite(number: str) -> bool:
    try:
        return isfinite(float(number))
    except ValueError:
        return False


def _no_number(name: str) -> None:
    raise ValueError(name)
