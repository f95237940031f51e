"""What a stranger's project holds, whatever program it was made with."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import PurePosixPath

from generator.dataclass import dataclass
from generator.units import Size, plain

POKER = Size(63.0, 88.0)
"""What a card measures, mm, where nothing says another size."""

LONGEST_PATH = 200
"""Characters of a cell that may name a file."""

_LEAST_SIDE, _MOST_SIDE = 5.0, 2000.0
"""Millimetres of a card's sides; anything else is a slip of the pen."""

_FIGURE = re.compile(r"(?:[0-9]{1,9}(?:[.][0-9]{0,9})?|[.][0-9]{1,9})")


def figure(text: str) -> float | None:
    """Return a plain decimal number such as `2.75`, or None for anything else, such as `1.2.3`, `nan` or `1e999`."""
    return float(text) if _FIGURE.fullmatch(text.strip()) else None


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that could not come over: the file as its owner knows it, the line (0: the file as a whole), what."""

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}" if self.line else f"{self.file}: {self.what}"


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table: its file in the project it comes from, the bytes, and which sheet of a workbook it is, by name.

    `marked` is true where its texts were made into those of this program: what marks bold and italic is no plain sign.
    """

    file: str
    data: bytes
    sheet: str = ""
    marked: bool = False


@dataclass(frozen=True, slots=True)
class FoundDeck:
    """Cards of one size from one table: a kind to be.

    `size` (mm) is that of the cut card. `counts` is the heading of the number of copies where the program says which.
    """

    name: str
    table: FoundTable
    size: Size = POKER
    counts: str = ""


@dataclass(slots=True)
class FoundProject:
    """What was read: the program it was made with, decks, pictures by their paths, and what could not come over."""

    program: str
    decks: list[FoundDeck] = field(default_factory=list)
    pictures: dict[str, bytes] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    _names: dict[str, str] = field(default_factory=dict)

    def card_size(self, file: str, line: int, width: float | None, height: float | None, usual: Size) -> Size:
        """Return a card's size in mm; report a size that no card has or that is no number, and return the usual one."""
        sides = [round(side, 2) for side in (width, height) if side is not None]
        if len(sides) == 2 and all(_LEAST_SIDE <= side <= _MOST_SIDE for side in sides):
            return Size(*sides)
        taken = f"{plain(usual.width)} x {plain(usual.height)} mm"
        what = f"the size of the cards is not one that cards can have, so they are {taken} now"
        self.unread.append(Unread(file, line, f"{what}; write `size:` in components.yaml"))
        return usual

    def picture_names(self) -> Mapping[str, str]:
        """Return each picture's path by what a table may call it: `/a/fox.png`, an end as `fox.png`, a stem as `fox.`.

        The first picture has a name that several could have. All pictures must have been found before.
        """
        if not self._names:
            for path in self.pictures:
                lower = path.casefold()
                name = PurePosixPath(lower)
                ends = [
                    lower[at + 1 :] for at, sign in enumerate(lower) if sign == "/" and len(lower) - at <= LONGEST_PATH
                ]
                for known in (f"/{lower}", lower, *ends, f"{name.stem}."):
                    self._names.setdefault(known, path)
        return self._names

    def leave(self, file: str, found: Mapping[str, Sequence[int]], why: Mapping[str, str], other: str) -> None:
        """Commands by name with the lines where they stand: each is told once, with what is to be done instead."""
        self.unread += _told(file, found, why, other)


def _told(file: str, found: Mapping[str, Sequence[int]], why: Mapping[str, str], other: str) -> Iterator[Unread]:
    for name, lines in found.items():
        times = f" ({len(lines)} times)" if len(lines) > 1 else ""
        yield Unread(file, lines[0], f"`{name}`{times}: {why.get(name, other)}")
