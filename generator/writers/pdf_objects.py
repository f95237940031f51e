"""Finished PDF objects: numbers as short as they can be, streams compressed once."""

import re
import string
import zlib
from functools import lru_cache
from typing import Protocol

from generator.model.geometry import Matrix

_COMMAND = re.compile(r" ?([MLCZ]) ?")
_BRACKETS = re.compile(r"[\\()]")
_NAME_LETTERS = frozenset(string.ascii_letters + string.digits + "+-_.")
_OPERATORS = {"M": " m", "L": " l", "C": " c", "Z": "h"}


class Objects(Protocol):
    """Where finished objects go: a `PdfFile`."""

    def reserve(self) -> int:
        """The number of an object that comes later."""

    def fill(self, number: int, body: str | bytes) -> None:
        """What lies between `obj` and `endobj` of a reserved number."""


def add(document: Objects, body: bytes | str) -> int:
    """Put a finished object into the document and say its number: a stream as bytes, anything else as text."""
    number = document.reserve()
    document.fill(number, body)
    return number


def stream(entries: str, data: bytes, packed: bool = False) -> bytes:
    """A stream object with dictionary `entries`; Flate-compressed unless it comes `packed` with its filter."""
    if not packed:
        data, entries = compressed(data), f"{entries}/Filter/FlateDecode"
    return b"<<%s/Length %d>>\nstream\n%s\nendstream\n" % (entries.encode("ascii"), len(data), data)


def compressed(data: bytes) -> bytes:
    """Flate data. Most streams are one card's kilobyte: with a window to match, zlib starts eight times faster."""
    if len(data) > 1 << 13:
        return zlib.compress(data, 6)
    packer = zlib.compressobj(6, zlib.DEFLATED, 13, 6)
    return packer.compress(data) + packer.flush()


@lru_cache(maxsize=1 << 14)
def number(value: float, places: int = 3) -> str:
    """A PDF number with at most `places` decimals, never with an exponent: `12.5`, `-3`, `0`."""
    text = f"{value:.{places}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def numbers(values: tuple[float, ...] | list[float], places: int = 3) -> str:
    """Numbers separated by spaces."""
    return " ".join([number(value, places) for value in values])


@lru_cache(maxsize=4096)
def transform(values: Matrix) -> str:
    """The `cm` operator; the factors keep six significant digits, since art may come in units of any size."""
    a, b, c, d, e, f = values
    return f"{_factor(a)} {_factor(b)} {_factor(c)} {_factor(d)} {number(e, 4)} {number(f, 4)} cm"


def _factor(value: float) -> str:
    text = f"{value:.6g}"
    if "e" in text:
        return number(value, 10)
    return "0" if text == "-0" else text


@lru_cache(maxsize=4096)
def path(outline: str) -> str:
    """The path operators of a canonical outline ("M 0 0 L 63 0 Z" -> "0 0 m 63 0 l h")."""
    parts = _COMMAND.split(outline)
    return " ".join(
        [coordinates + _OPERATORS[letter] for letter, coordinates in zip(parts[1::2], parts[2::2], strict=True)]
    )


def name(text: str) -> str:
    """A PDF name object: every byte outside the plain letters, digits and `+-_.` spelled as #xx."""
    return "/" + "".join(
        char if char in _NAME_LETTERS else "".join(f"#{b:02X}" for b in char.encode()) for char in text
    )


def said_string(text: str) -> str:
    """A PDF text string as short as can be, for what is said often: plain characters in parentheses."""
    if not (text.isascii() and text.isprintable()):
        return text_string(text)
    plain = _BRACKETS.sub(r"\\\g<0>", text)
    return f"({plain})"


def text_string(text: str) -> str:
    """A PDF text string in UTF-16BE with its mark, as hex: `<FEFF00AD>`."""
    return f"<FEFF{text.encode('utf-16-be').hex().upper()}>"
