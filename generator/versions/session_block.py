"""The block `sessions` of a book of notes: what people said and did, on a page."""

from collections.abc import Iterable

from generator.books.page.blocks import Block
from generator.books.rulebook.book_templates import find_volume_languages
from generator.books.rulebook.manuscript import BlockBody
from generator.books.rulebook.read_book import read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.drawing.faces.game_drawing import Workshop
from generator.versions.session_report import SessionReport, list_drafts
from generator.versions.sessions import SessionGame, read_sessions


def open_session_game(workshop: Workshop, played: RulebookPlay) -> SessionGame:
    """Return the things that sessions of a game refer to."""
    languages = find_volume_languages(workshop)
    root = workshop.resources.roots[0]
    return SessionGame(root, workshop.game, languages, lambda lang: read_book(workshop, lang, played))


def make_session_block(workshop: Workshop, lang: str, played: RulebookPlay, body: BlockBody) -> Iterable[Block]:
    """Return the figures, readings and gaps of the draft that was played last, or nothing without sessions.

    Raise ProblemsFound for wrong sessions.
    """
    body.check_keys()
    of = open_session_game(workshop, played)
    sessions = read_sessions(of, workshop.resources.display_path)
    return SessionReport(of, sessions, list_drafts(sessions)[-1], lang).iter_page(2) if sessions else ()
