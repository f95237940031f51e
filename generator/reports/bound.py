"""A report's files: pages and a web page, from the same blocks."""

import io

from generator.faces.accent import accent
from generator.faces.workshop import Workshop
from generator.pages.blocks import Book
from generator.pages.book import typeset
from generator.pages.web import html
from generator.reports.report import PAGE


def report_pdf(book: Book, workshop: Workshop) -> bytes:
    """The pages; ProblemsFound with what can't be set."""
    out = io.BytesIO()
    workshop.write(typeset(book, workshop, PAGE, accent(workshop.game.palette)), out)
    return out.getvalue()


def report_html(book: Book, workshop: Workshop) -> bytes:
    """The web page; ProblemsFound as before."""
    return html(book, workshop, accent(workshop.game.palette)).encode()
