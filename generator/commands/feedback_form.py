"""Feedback form: an A5 page for each seat on which players write what they think, and the same as a table."""

import csv
import io
from collections.abc import Sequence
from dataclasses import replace

from generator.base.display_list import Group, Paint, Shape
from generator.base.geometry import Margins, Size, paper_size
from generator.base.languages import count_columns, phrase
from generator.base.path_data import to_canonical_path
from generator.books.page.blocks import Artwork, Lettering, Part, Row, RuledLine, Stack
from generator.books.page.list_pages import ListPages
from generator.books.page.page_style import FACTS, SMALL, TEXT, TITLE
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.templates.functions import qr
from generator.game.print_pages import Document, Page
from generator.rules.engine.table import piece_name
from generator.sheets.settings import SheetSettings

NOTES = (("about", "note"), ("about2", "note2"), ("about3", "note3"))
"""Columns of what a note is about and of its text: an answer has up to three notes."""

COLUMNS = ("date", "table", "draft", "record", "players", "minutes", "seat", "name", "place", "score")
"""The other columns of an answer."""

_WRITTEN_LINES = (("date", "players", "minutes"), ("name", "place", "score"))
_QR, _LINE, _MARGIN = 22.0, 9.5, 8.0
_MOST_NAMES = 800
"""Maximum number of columns of the list of names. Kinds with many designs are named without them."""


def find_column_headings(column: str, lang: str) -> list[str]:
    """Return the headings that mean a column of answers in a language; the first one is that of our own form."""
    words = column.rstrip("0123456789")
    number = column.removeprefix(words)
    return [f"{one} {number}".strip() for one in phrase(f"session_column_{words}", lang).split("|")]


def make_feedback_form(workshop: Workshop, lang: str, accent: Paint, address: str) -> Document:
    """Return a form with a page for each seat and rules in `accent`. Its QR code has the address, or game and draft.

    Raise ProblemsFound with every text that can't be set, and ValueError for an address that no code can hold.
    """
    game = workshop.game
    settings = SheetSettings(paper_size("A5"), "A5", Margins(*[_MARGIN] * 4))
    pages = ListPages(workshop, settings, lang, accent, "the feedback form")
    title, draft = game.title[lang], phrase("draft_named", lang, draft=game.draft)
    code = Shape(to_canonical_path(qr(address or f"{game.id} {game.draft}", _QR)), "ink", role="frame")
    width = pages.width
    sheets: list[Page] = []
    for seat in range(1, game.players.most + 1):
        heading = Lettering(title, replace(TITLE, paint=accent), width - _QR - 4, game.places.place("title"))
        facts = [phrase("session_form", lang), draft, phrase("session_form_seat", lang, n=seat)]
        left = Stack((heading, *(Lettering(fact, TEXT, width - _QR - 4, above=1.6) for fact in facts)))
        picture = Artwork(Size(_QR, _QR), (Group((code,)),), "code")
        parts: list[Part] = [Row(((0.0, left), (width - _QR, picture))), RuledLine(width, accent, 0.8, above=3.0)]
        parts += [
            _make_fields([find_column_headings(one, lang)[0] for one in names], width) for names in _WRITTEN_LINES
        ]
        parts.append(Lettering(phrase("session_form_ask", lang), replace(TEXT, bold=True), width, above=5.0))
        for about, note in NOTES:
            parts += [
                _make_fields([find_column_headings(one, lang)[0].rstrip(" 0123456789")], width) for one in (about, note)
            ]
            parts.append(Stack((Lettering(" ", FACTS, width), RuledLine(width, above=_LINE - 4.5)), above=1.0))
        parts.append(Lettering(phrase("session_form_names", lang), replace(FACTS, bold=True), width, above=5.0))
        parts += [Lettering(line, SMALL, width, above=0.8) for line in _list_names(workshop, lang)]
        foot = Lettering(f"{title} · {draft}", FACTS, pages.foot_width)
        sheets += pages.make_document(title, parts, foot, game.subject(lang)).pages
    name = f"{title} – {phrase('session_form', lang)}"
    return Document(name, lang, tuple(sheets), subject=game.subject(lang), date=game.date)


def _make_fields(names: Sequence[str], width: float) -> Part:
    """Return labels side by side across `width` mm, above a line to write on."""
    pitch = width / len(names)
    labels = tuple((at * pitch, Lettering(name, FACTS, pitch - 1)) for at, name in enumerate(names))
    return Stack((Row(labels), RuledLine(width, above=_LINE - 4.5)), above=3.0)


def _list_names(workshop: Workshop, lang: str) -> list[str]:
    """Return lines for the page: each kind with its designs' names, as far as there is room, and the others in one."""
    game, room, lines, others = workshop.game, _MOST_NAMES, list[str](), list[str]()
    for kind in game.kinds.values():
        names = dict.fromkeys(piece_name(game, design.id, lang) for design in kind.designs if design.count)
        line = f"{kind.name[lang]}: {phrase('and', lang).join(names)}"
        if len(names) > 1 and count_columns(line) < room:
            lines.append(line)
            room -= count_columns(line)
        else:
            others.append(kind.name[lang])
    return [*lines, phrase("and", lang).join(others)]


def make_feedback_table(workshop: Workshop, lang: str) -> bytes:
    """Return the form as CSV with a row for each seat, to be filled in and imported."""
    game, out = workshop.game, io.StringIO()
    columns = [*COLUMNS, *(one for pair in NOTES for one in pair)]
    rows = csv.writer(out)
    rows.writerow([*(find_column_headings(one, lang)[0] for one in columns), *game.readings])
    for seat in range(1, game.players.most + 1):
        known = {"draft": game.draft, "seat": seat}
        rows.writerow([*(known.get(one, "") for one in columns), *("" for _ in game.readings)])
    return out.getvalue().encode("utf-8-sig")
