"""Numbers in rings: those that the text of a book mentions, and those that its figures show."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from generator.dataclass import dataclass
from generator.model.drawing import Placed, visit
from generator.model.text import RING, Icon
from generator.pages.blocks import Block, Figure, Text
from generator.pages.references.texts import change_texts, every_block


@dataclass(frozen=True, slots=True)
class PlaceMark(Icon):
    """The number of a place on the table; all other numbers in rings are those of callouts."""


class Ring(NamedTuple):
    """A number in a ring, and whether it is that of a place on the table."""

    number: int
    place: bool


def mentioned_rings(blocks: Iterable[Block]) -> set[Ring]:
    """Return the numbers in rings that the texts of blocks mention."""
    found = set[Ring]()

    def read(text: Text) -> Text:
        for inline in text:
            if isinstance(inline, Icon) and inline.name.startswith(RING):
                found.add(Ring(int(inline.name.removeprefix(RING)), isinstance(inline, PlaceMark)))
        return text

    for block in blocks:
        change_texts(block, read)
    return found


def shown_rings(blocks: Iterable[Block]) -> set[Ring]:
    """Return the numbers in rings that the figures among the blocks show."""
    figures = (block for block in every_block(blocks) if isinstance(block, Figure))
    return {Ring(number, not figure.key) for figure in figures for number in _drawn(figure)}


def _drawn(figure: Figure) -> Iterator[int]:
    for item, _ in visit(figure.drawing.items, True, lambda _holder, inside: inside):
        if isinstance(item, Placed) and item.symbol.name.startswith(RING):
            yield int(item.symbol.name.removeprefix(RING))
