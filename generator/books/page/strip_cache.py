"""Strips of blocks that an earlier run has composed: reused while the block and all that it is set with are equal."""

from collections.abc import Sequence
from dataclasses import astuple
from typing import Any, NamedTuple

from generator.base.cache import hash_value
from generator.books.page.blocks import (
    Block,
    Box,
    Figure,
    Inline,
    Link,
    Listing,
    Paragraph,
    Table,
    Term,
    Text,
    change_texts,
    drop_block_places,
    iter_blocks_within,
)
from generator.books.page.page_style import Look
from generator.books.page.strips import Lane, Strip
from generator.drawing.faces.game_drawing import Workshop
from generator.game.game_cache import PictureTable


class ComposedBlock(NamedTuple):
    """The strips of a block, and the composer's counters after it."""

    strips: Sequence[Strip]
    counters: tuple[int, ...]


class StripCache:
    """Strips of one book in columns `height` mm high, without blocks with links: page numbers are not known before."""

    def __init__(self, workshop: Workshop, look: Look, height: float):
        self._table: PictureTable[Any] | None = workshop.open_table("strips", _is_composed_block, look.lang, apart=True)
        self._digests = workshop.block_digests
        names = [(icon.id, icon.name[look.lang]) for icon in workshop.game.icons.values()] if self._table else []
        self._look = hash_value((astuple(look.format), look.lang, look.accent, height, names)) if self._table else ""

    def make_key(self, block: Block, lane: Lane, counters: tuple[int, ...]) -> str:
        """Return the key of a block in a lane that begins with these counters; empty if it can't be cached."""
        if self._table is None or not isinstance(block, Paragraph | Listing | Table | Figure | Box):
            return ""
        known = self._digests.get(id(block))
        if known is None:
            known = self._digests[id(block)] = block, _digest_block(block)
        return known[1] and hash_value((known[1], self._look, lane.x, lane.width, lane.part, counters))

    def get(self, key: str) -> ComposedBlock | None:
        """Return the strips with this key, or None if there are none."""
        found = self._table.get(key) if self._table is not None and key else None
        return ComposedBlock(*found) if found is not None else None

    def put(self, key: str, composed: ComposedBlock) -> None:
        """Store the strips of a block that was composed without problems."""
        if self._table is not None and key:
            self._table.put(key, tuple(composed))


def _is_composed_block(value: Any) -> bool:
    """Return True if a value from the cache is a composed block."""
    if not isinstance(value, tuple) or len(value) != 2 or not all(isinstance(part, tuple) for part in value):
        return False
    return all(isinstance(strip, Strip) for strip in value[0]) and all(isinstance(one, int) for one in value[1])


def _digest_block(block: Block) -> str:
    """Return a digest of a block, or nothing for one with links. Only problems with terms are reported at a place."""
    inlines: list[Inline] = []

    def collect(text: Text) -> Text:
        inlines.extend(text)
        return text

    change_texts(block, collect)
    if any(isinstance(inline, Link) for inline in inlines):
        return ""
    located = any(isinstance(inline, Term) for inline in inlines)
    places = [one.origin for one in iter_blocks_within([block])] if located else []
    return hash_value((drop_block_places([block]), places))
