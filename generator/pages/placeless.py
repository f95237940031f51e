"""Books without the places where they are written: by what they say, one knows whether one was kept before."""

from collections.abc import Iterable
from dataclasses import replace

from generator.pages.blocks import NOWHERE, Arranged, Block, Book, Box, Figure, Listing


def without_places(book: Book) -> Book:
    """The same book with all origins left out: what it says, wherever that is written.

    A figure for less room shows what the figure shows: its drawing tells both.
    """
    picture = replace(book.cover.picture, origin=NOWHERE, smaller=None) if book.cover.picture is not None else None
    cover = replace(book.cover, picture=picture, origin=NOWHERE)
    return replace(book, cover=cover, blocks=_blocks_without_places(book.blocks), origin=NOWHERE)


def _blocks_without_places(blocks: Iterable[Block]) -> tuple[Block, ...]:
    return tuple(map(_without_origin, blocks))


def _without_origin(block: Block) -> Block:
    if isinstance(block, Listing):
        return replace(block, entries=tuple(map(_blocks_without_places, block.entries)), origin=NOWHERE)
    if isinstance(block, Box | Arranged):
        return replace(block, blocks=_blocks_without_places(block.blocks), origin=NOWHERE)
    if isinstance(block, Figure):
        return replace(block, origin=NOWHERE, smaller=None)
    return replace(block, origin=NOWHERE)
