"""The other views of a game: pages of its print sheets as pictures, its rulebook, what its checks find."""

import hashlib
import io
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from generator.checks.context import Context
from generator.checks.record import Check
from generator.checks.report import as_json
from generator.checks.run import run_checks
from generator.commands.editions import unmade_editions
from generator.commands.printing import PrintOrder, lay_sheets
from generator.commands.rehearsal import Rehearsal, with_play
from generator.dataclass import dataclass
from generator.errors import ProblemsFound
from generator.faces.accent import accent
from generator.faces.workshop import Workshop
from generator.games.engine.contract import Rules
from generator.games.registry import checking_functions, trusted_folder
from generator.load.project import Project
from generator.model.drawing import Drawing, FaceHasher
from generator.model.game import Game
from generator.model.sheet import Page
from generator.model.sizes import paper_size
from generator.pages.web import html
from generator.rulebook.played import RulebookPlay
from generator.rulebook.source import read_book
from generator.rulebook.volumes import volume_languages
from generator.sheets.settings import SheetSettings

DPI = 132.0
"""Of a sheet's picture: small type can be read, and a page takes a few hundredths of a second."""

PAPER = "A4"
"""Where the reader names no other."""

LANGUAGE = "en"
"""Of the data's own sentences in what checks say, as in `pnp validate`."""


@dataclass(frozen=True, slots=True)
class Sheets:
    """The print sheets of a game in one language as the PDF that `pnp sheets` writes, and what is on each page."""

    pdf: bytes
    pages: tuple[dict[str, Any], ...]
    lock: Lock

    def picture(self, page: int) -> bytes:
        """A page (from 0) as PNG. IndexError where there is none."""
        from generator.writers.png import screen_png

        with self.lock:  # pdfium is not made for two at a time
            return screen_png(self.pdf, page, DPI)


_PDFIUM = Lock()


def sheets_of(workshop: Workshop, lang: str, paper: str = PAPER) -> Sheets:
    """Lay and write a game's print sheets, in a language or two (`ja+en`), on a named paper.

    ProblemsFound with everything wrong, KeyError for an unknown paper.
    """
    order = PrintOrder((lang,), Path(), sheets=SheetSettings(paper_size(paper), paper))
    printed = lay_sheets(workshop, order, lambda _doing: None)
    problems = list(unmade_editions([workshop.game], order.languages, printed))
    if problems:
        raise ProblemsFound(problems)
    document = printed[lang]
    out = io.BytesIO()
    workshop.write(document, out)
    hasher = FaceHasher(workshop.hex)
    pages = [_page(number, page, workshop, hasher) for number, page in enumerate(document.pages)]
    return Sheets(out.getvalue(), tuple(pages), _PDFIUM)


def _page(number: int, page: Page, workshop: Workshop, hasher: FaceHasher) -> dict[str, Any]:
    marks = hasher.hash(Drawing(page.size.width, page.size.height, 0.0, page.items))
    placed = [(placed.id, workshop.digest(placed.drawing), placed.trim, placed.turn) for placed in page.placements]
    return {
        "number": number,
        "sheet": page.sheet,
        "side": page.side,
        "width": page.size.width,
        "height": page.size.height,
        "holds": list(dict.fromkeys(placed.id.split("#")[0] for placed in page.placements)),
        "version": hashlib.sha256(repr((marks, placed)).encode()).hexdigest()[:16],
    }


def book_of(project: Project, workshop: Workshop, lang: str, *, trusted: bool) -> str | None:
    """The rulebook's web page; None if it has none in that language. ProblemsFound with everything wrong."""
    if lang not in volume_languages(workshop):
        return None
    played = RulebookPlay(workshop.game, _engine(project, workshop.game, trusted))
    return html(read_book(workshop, lang, played), workshop, accent(workshop.game.palette), scripted=False)


def findings_of(project: Project, workshop: Workshop, *, trusted: bool) -> tuple[Check, ...]:
    """What `pnp validate` says without playing."""
    game = workshop.game
    functions = checking_functions(game, trusted_folder(project.folder(game.id), trusted))
    drawings = workshop.draw_all(game.designs(), game.languages)
    context = Context(dict(drawings), workshop.ink, workshop.advance, cache(workshop.silhouette))
    return run_checks(game, context, workshop.compute, functions, LANGUAGE)


def play_checks(
    project: Project, game: Game, checks: tuple[Check, ...], games: int, *, trusted: bool
) -> tuple[Check, ...]:
    """The checks with what a few games between bots show; ProblemsFound for rules that fail."""
    rehearsal = Rehearsal(games=games, processes=1, trusted=trusted)
    return with_play(game, project.folder(game.id), project.root, rehearsal, checks)


def report(game: Game, checks: tuple[Check, ...]) -> Any:
    """The checks as `pnp validate --format json` has them."""
    return json.loads(as_json([(game, checks)], LANGUAGE))["games"][0]


def _engine(project: Project, game: Game, trusted: bool) -> Callable[[], Rules | None]:
    from generator.games.registry import rules_of

    return lambda: rules_of(game, trusted_folder(project.folder(game.id), trusted))
