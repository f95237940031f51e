"""The pieces in which a template gives its markup: what it has written itself, and the values that it puts out."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from markupsafe import Markup

Pieces: TypeAlias = tuple[str, ...]
"""What a template has written, and `SLOT` for each value between."""

Values: TypeAlias = Sequence[str]
"""What stands in the slots, as text."""

SLOT = ""

_MARKUP = re.compile("[<>\"']")
_TAGGED = re.compile("[&<>'\"\x00-\x1f\x7f-\x9f]")
"""What tags are made of, and what a reader of markup takes for something else: numbers and words have none of it."""

_ENTITY = re.compile("&(?:amp|lt|gt|#34|#39);")
_CHARACTERS = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&#34;": '"', "&#39;": "'"}
_ODD = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML refuses or changes, or that are none."""


class Rendered(NamedTuple):
    """The markup of a face and its template file; whether it asks for the card, and for a second language.

    It is in the pieces in which the template gave it: those that the template has written are `str`, the values that it
    put out `Markup`.
    """

    pieces: tuple[str, ...]
    file: str
    by_card: bool
    bilingual: bool

    @property
    def markup(self) -> str:
        """The pieces put together."""
        return "".join(self.pieces)


class Woven(Markup):
    """What a macro gives, with the pieces that it is made of: those that a template has written are `str`."""

    pieces: tuple[str, ...] = ()


def unwoven(parts: Iterable[str]) -> tuple[str, ...]:
    """The parts, with the pieces of what macros gave in its place."""
    parts = tuple(parts)
    if Woven not in map(type, parts):
        return parts
    pieces: list[str] = []
    for part in parts:
        if type(part) is Woven and part.pieces:
            pieces += part.pieces
        else:
            pieces.append(part)
    return tuple(pieces)


def woven(given: Markup, parts: Iterable[str]) -> Markup:
    """What a macro gave, with the parts that it is made of.

    A text without tags, such as the data of a path, is a value like any other, however many parts it has.
    """
    if not _TAGGED.search(given):
        return given
    done = str.__new__(Woven, given)
    done.pieces = unwoven(parts)
    return done


def parted(pieces: Sequence[str]) -> tuple[Pieces, list[str]]:
    """What the template has written with slots between, and what it has put out there, which is no markup."""
    written, values = [], []
    for piece in pieces:
        if type(piece) is str:
            written.append(piece)
        elif piece.isspace() or _MARKUP.search(piece):
            written.append(str(piece))
        elif piece:
            written.append(SLOT)
            values.append(piece)
    return tuple(written), values


def plain_values(values: Sequence[str]) -> list[str] | None:
    """The values as the characters that a reader of the markup takes them for; None where that takes the reader."""
    plain = []
    for value in values:
        if "&" in value:
            if value.count("&") != len(_ENTITY.findall(value)):
                return None
            value = _ENTITY.sub(lambda found: _CHARACTERS[found[0]], value)  # noqa: PLW2901
        if not value.isprintable() and _ODD.search(value):
            return None
        plain.append(str(value))
    return plain
