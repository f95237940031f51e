"""The blocks of a book one by one, whatever holds them, and their texts changed."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from generator.pages.blocks import Arranged, Block, Box, Figure, Heading, Listing, Paragraph, Table, Text, Upright

_B = TypeVar("_B", bound=Block)


def every_block(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the blocks in order, each followed by those that it holds."""
    for block in blocks:
        yield block
        if isinstance(block, Box | Arranged):
            yield from every_block(block.blocks)
        elif isinstance(block, Listing):
            for entry in block.entries:
                yield from every_block(entry)


def change_texts(block: _B, change: Callable[[Text], Text]) -> _B:
    """Return the block with all of its texts changed, those of the blocks that it holds included."""
    if isinstance(block, Heading | Paragraph):
        return replace(block, text=change(block.text))
    if isinstance(block, Listing):
        return replace(block, entries=tuple(_change_all(entry, change) for entry in block.entries))
    if isinstance(block, Table):
        rows = tuple(tuple(map(change, row)) for row in block.rows)
        return replace(block, head=tuple(map(change, block.head)), rows=rows, caption=change(block.caption))
    if isinstance(block, Figure):
        return replace(block, caption=change(block.caption), key=tuple(map(change, block.key)))
    if isinstance(block, Box):
        return replace(block, title=change(block.title), blocks=_change_all(block.blocks, change))
    if isinstance(block, Arranged):
        return replace(block, blocks=_change_all(block.blocks, change))
    if isinstance(block, Upright):
        return replace(block, title=change(block.title), paragraphs=tuple(map(change, block.paragraphs)))
    return block


def _change_all(blocks: Iterable[Block], change: Callable[[Text], Text]) -> tuple[Block, ...]:
    return tuple(change_texts(block, change) for block in blocks)
