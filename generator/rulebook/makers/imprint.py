"""A book's last lines: who made the game and which edition it is, or the state of a draft with its hash."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from generator.faces.stamp import HASH_SHOWN
from generator.faces.workshop import Workshop
from generator.model.game import Game
from generator.model.phrases import phrase
from generator.pages.blocks import Arranged, Block, Box, Figure, Listing
from generator.rulebook.makers.covers import player_facts

SaidLine: TypeAlias = tuple[tuple[str | int, ...], str]
"""The path of the data that a line is taken from, and the line."""


def credited_lines(game: Game, lang: str) -> Iterator[SaidLine]:
    """The lines at the end of a book for players: who made the game, whom to ask, which edition it is."""
    for number, line in enumerate(game.credits):
        words = phrase("credited", lang, role=line.role[lang], who=line.name[lang])
        yield ("credits", number, "name"), words
    if game.contact is not None and game.contact[lang]:
        yield ("contact",), game.contact[lang]
    version = phrase("version", lang, version=game.version) if game.version else ""
    edition = (version, phrase("draft_of", lang, draft=game.draft), game.date)
    yield ("draft",), " · ".join(part for part in (*edition, *dict(player_facts(game, lang)).values()) if part)


def state_lines(workshop: Workshop, lang: str, written: str, blocks: Iterable[Block]) -> Iterator[SaidLine]:
    """The lines at the end of a book that says its state, by the path of the data that they are taken from."""
    game = workshop.game
    seen = hashlib.sha256(written.encode())
    for figure in _figures(blocks):
        seen.update(workshop.digest(figure.drawing).encode())
    name = "imprint" if game.date else "imprint_undated"
    yield ("draft",), phrase(name, lang, draft=game.draft, date=game.date, hash=seen.hexdigest()[:HASH_SHOWN])
    for section, line in (("credit", game.credit), ("licence", game.licence)):
        if line[lang]:
            yield (section,), line[lang]


def _figures(blocks: Iterable[Block]) -> Iterator[Figure]:
    for block in blocks:
        if isinstance(block, Figure):
            yield block
        elif isinstance(block, Box | Arranged):
            yield from _figures(block.blocks)
        elif isinstance(block, Listing):
            for entry in block.entries:
                yield from _figures(entry)
