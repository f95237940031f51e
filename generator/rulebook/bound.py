"""A book's files: its pages, the booklet and the web page; what earlier runs made of the same book is taken."""

import io
from dataclasses import replace
from typing import NamedTuple

from generator.cache.reads import PICTURED
from generator.cache.store import fingerprint
from generator.faces.workshop import Workshop
from generator.games.registry import OWN_SUFFIX
from generator.model.drawing import Paint
from generator.model.game import Game
from generator.model.sheet import Document
from generator.pages.blocks import Book, without_places
from generator.pages.book import typeset
from generator.pages.booklet import booklet
from generator.pages.web import html
from generator.rulebook.played import RulebookPlay
from generator.rulebook.source import read_book
from generator.rulebook.volumes import RULEBOOK, Volume


class Bound(NamedTuple):
    """The bytes of the three files: two PDFs and HTML. The booklet of a book that is not folded is empty."""

    pages: bytes
    booklet: bytes
    web: bytes


def bind_book(
    workshop: Workshop, lang: str, played: RulebookPlay, page: str, accent: Paint, volume: Volume = RULEBOOK
) -> Bound:
    """A book of a language; ProblemsFound with everything wrong with it.

    While data and templates are as they were, it isn't even read again; else it is read, and set again if its content
    differs. Where it is written doesn't count: that is only told of problems, and a book with problems is not kept.
    What a stranger's rules say is asked for each time: they may be any program.
    """
    kept = workshop.kept
    if kept is None:
        return _make_book(read_book(workshop, lang, played, volume), workshop, page, accent)
    game = workshop.game
    trusted = not game.rules_module.endswith(OWN_SUFFIX)
    whole = (kept.game, lang, page, accent, volume.name)
    content = kept.get("rulebook", str, *whole) if trusted else None
    known = kept.get("book", Bound, content) if content is not None else None
    if known is None:
        book = read_book(workshop, lang, played, volume)
        content = fingerprint((without_places(book), page, accent, _shown_by_name(game)))
        known = kept.get("book", Bound, content)
        if known is None:
            known = _make_book(book, workshop, page, accent)
            kept.put("book", tuple(known), content, rests_on=PICTURED)
        if trusted:
            kept.put("rulebook", content, *whole)
    return Bound(*known)


def _make_book(book: Book, workshop: Workshop, page: str, accent: Paint) -> Bound:
    document = typeset(book, workshop, page, accent)
    web = html(book, workshop, accent)
    folded = _pdf(booklet(document), workshop) if book.folded else b""
    return Bound(_pdf(document, workshop), folded, web.encode("utf-8"))


def _pdf(document: Document, workshop: Workshop) -> bytes:
    out = io.BytesIO()
    workshop.write(document, out)
    return out.getvalue()


def _shown_by_name(game: Game) -> tuple[object, ...]:
    """What a book names and its pages show: fonts, icons, colours; and who made the game."""
    icons = [replace(icon, place=None) for icon in game.icons.values()]
    colours = [(name, replace(colour, place=None)) for name, colour in game.palette.items()]
    fonts = [(name, replace(family, place=None)) for name, family in game.fonts.items()]
    return game.credit, game.languages, icons, colours, fonts
