"""What a stranger's project holds, whatever program it was made with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from generator.dataclass import dataclass
from generator.units import Size

POKER = Size(63.0, 88.0)
"""What a card measures, mm, where nothing says another size."""


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

    def leave(self, file: str, found: Mapping[str, Sequence[int]], why: Mapping[str, str], other: str) -> None:
        """Commands by name with the lines where they stand: each is told once, with what is to be done instead."""
        self.unread += _told(file, found, why, other)


def _told(file: str, found: Mapping[str, Sequence[int]], why: Mapping[str, str], other: str) -> Iterator[Unread]:
    for name, lines in found.items():
        times = f" ({len(lines)} times)" if len(lines) > 1 else ""
        yield Unread(file, lines[0], f"`{name}`{times}: {why.get(name, other)}")
