"""Ids for designs whose table has none: made of what a column says, the same from draft to draft."""

import re
from hashlib import sha256
from unicodedata import combining, normalize

LONGEST = 48
"""Signs of an id: it stands in names of files."""

_OTHERS = re.compile(r"[^a-z0-9]+")


class MadeIds:
    """The ids made so far; those that are alike are numbered in their order."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def made_of(self, text: str, row: int) -> str:
        """The id of a row in which the column says this; of its number where it says nothing."""
        plain = id_of(text) or f"row-{row}"
        number = self._taken.get(plain, 0) + 1
        made = plain
        while number > 1 and (made := f"{plain}-{number}") in self._taken:
            number += 1
        self._taken[plain] = number
        self._taken.setdefault(made, 1)
        return made


def id_of(text: str) -> str:
    """Letters a to z, digits and hyphens for a text, always the same; empty for one without letters and digits.

    Accents go. What has letters of another script, or is very long, ends in some signs of its checksum.
    """
    lower = normalize("NFKD", text.casefold())
    bare = "".join(sign for sign in lower if not combining(sign))
    plain = _OTHERS.sub("-", bare).strip("-")
    whole = not any(sign.isalnum() and not sign.isascii() for sign in bare)
    if whole and len(plain) <= LONGEST:
        return plain
    mark = sha256(normalize("NFC", " ".join(text.split())).encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{plain[: LONGEST - 9].strip('-')}-{mark}" if plain else f"id-{mark}"
