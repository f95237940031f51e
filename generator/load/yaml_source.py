"""One YAML file to plain values that know their line and column, within limits that no file of a game needs to pass.

Scalars follow YAML 1.2: only true, false, null, decimal integers and decimals (with an exponent, if need be: 1e-05)
are special, so `NO`, `12:30`, `010` and `2026-11-20` are words.
"""

from pathlib import Path

from generator.errors import Place, Problem, ProblemsFound, Unfit
from generator.files import read_file
from generator.load.yaml.events import read_events
from generator.load.yaml.scalars import LIMITS, Limits, plain_number
from generator.model.source import Map, Spot

__all__ = ["LIMITS", "Limits", "parse_yaml", "plain_number", "read_yaml"]


def read_yaml(path: Path, shown: str, limits: Limits = LIMITS) -> Map:
    """The mapping that a file holds; ProblemsFound with every fault that parsing can know."""
    return parse_yaml(_read_text(path, shown), shown, limits)


def _read_text(path: Path, shown: str) -> str:
    try:
        raw = read_file(path, "data")
    except Unfit as unfit:
        raise _stop(shown, str(unfit), unfit.hint) from unfit
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise _stop(shown, "the file is saved as UTF-16", "save it as UTF-8 in your editor", (1, 1)) from error
        line = before.count(b"\n") + 1
        column = len(before.rsplit(b"\n", 1)[-1].decode("utf-8", "replace")) + 1
        what = f"the file is not saved as UTF-8: byte 0x{raw[error.start]:02X} here"
        raise _stop(shown, what, "save it as UTF-8 in your editor", (line, column)) from error


def parse_yaml(text: str, shown: str, limits: Limits = LIMITS) -> Map:
    """The mapping that a YAML text holds; `shown` is the file's name in messages. ProblemsFound."""
    return read_events(text, shown, limits)


def _stop(shown: str, what: str, hint: str, spot: Spot = (0, 0)) -> ProblemsFound:
    return ProblemsFound([Problem(Place(shown, *spot), what, hint)])
