"""Views of a game for the live page: its catalogue, print sheets, rulebook and checks."""

import hashlib
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from generator.base.display_list import Drawing, FaceHasher
from generator.base.errors import Problem, ProblemsFound
from generator.base.extensions import find_additions
from generator.base.geometry import format_num, paper_size
from generator.books.rulebook.book_files import BookOptions, make_book_files
from generator.books.rulebook.book_templates import QUICK_START, RULEBOOK, Volume, find_volume_languages
from generator.books.rulebook.read_book import read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.books.web_page import make_web_page
from generator.checks.check_report import Check, checks_to_json
from generator.checks.validation import run_checks
from generator.checks.validation_games import ValidationPlay, add_game_checks
from generator.checks.visible_items import Context
from generator.commands.orders import missing_editions
from generator.commands.print_sheets import PrintOrder, impose_sheets
from generator.commands.rulebook import find_engine
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.game.model import Design, Game, Kind
from generator.game.print_pages import Page
from generator.game.project import Project
from generator.game.rich_text import MarkupError, Words, parse_markup, to_plain_text
from generator.live.game_show import Show
from generator.play.play_setup import load_playable_rules, resume_saved_text
from generator.rules.registry import load_checks, trusted_folder
from generator.sheets.settings import SheetSettings

NAMES = ("name", "title")
"""Fields that can hold the name of a design; the first existing one is used."""

MOST_FILTER_VALUES = 12
"""A field is offered as a filter if it has at most this many different values."""


def make_list_entry(show: Show) -> dict[str, Any]:
    """Return the game's entry in the list of games. A game that was never readable has its folder's name."""
    game = show.game
    return {
        "id": show.name, "title": dict(game.title.items()) if game else {}, "draft": game.draft if game else "",
        "languages": list(game.languages) if game else [],
        "count": sum(kind.count for kind in game.kinds.values()) if game else 0, "generation": show.generation,
        "problems": len(show.problems),
    }  # fmt: skip


def make_game_entry(show: Show) -> dict[str, Any]:
    """Return the game's data for the page: kinds, designs, filters and problems, without pictures and words."""
    game, workshop = show.game, show.workshop
    if game is None or workshop is None:
        return {
            **make_list_entry(show), "stale": True, "kinds": [], "filters": [], "book": False,
            "problems": list_problem_entries(show),
        }  # fmt: skip
    return {
        **make_list_entry(show), "stale": show.is_stale,
        "filters": list(_iter_small_fields(game.designs(), game)), "book": _has_book(workshop),
        "problems": list_problem_entries(show),
        "kinds": [{
            "id": kind.id, "name": dict(kind.name.items()), "width": round(kind.size.width, 3),
            "height": round(kind.size.height, 3), "form": kind.form,
            "corner": kind.corner if kind.form == "card" and not kind.outline else 0, "outlined": bool(kind.outline),
            "count": kind.count, "stated": kind.stated, "option": kind.option if kind.left_out else "",
            "designs": [_make_design_entry(workshop, kind, design) for design in kind.designs],
        } for kind in game.kinds.values()],
    }  # fmt: skip


def _has_book(workshop: Workshop) -> bool:
    """Return True if the game has a rulebook's template in some language."""
    try:
        return bool(find_volume_languages(workshop))
    except ProblemsFound:
        return True


def list_problem_entries(show: Show) -> list[dict[str, Any]]:
    """Return the problems of a game with the designs that they affect."""
    return [
        {"place": str(one.place or ""), "what": one.what, "hint": one.hint, "designs": list(designs)}
        for one, designs in show.design_problems
    ]


def _make_design_entry(workshop: Workshop, kind: Kind, design: Design) -> dict[str, Any]:
    fields = {name: value for name, value in design.fields.items() if _plain_value(value) is not None}
    return {
        "id": design.id,
        "name": {lang: _find_name(workshop, kind, design, lang) for lang in workshop.game.languages},
        "count": design.count,
        "faces": list(kind.faces(design)),
        "place": str(design.place),
        "fields": {name: _plain_value(value) for name, value in fields.items()},
    }


def _find_name(workshop: Workshop, kind: Kind, design: Design, lang: str) -> str:
    """Return the name of a design for readers, or its kind's name if it has none."""
    own = next((name for name in NAMES if design.fields.get(name)), None)
    try:
        said = workshop.artist.read_field(design, lang, "card", own) if own else ""
        text = to_plain_text(parse_markup(str(said))).replace("\n", " ") if said else ""
    except (ProblemsFound, MarkupError):
        text = ""  # drawing the face reports its problems
    return text or kind.name[lang]


def _plain_value(value: Any) -> str | None:
    """Return a value as text for search and filters, or None for long texts, effects and missing values."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return format_num(value)
    if isinstance(value, str) and value and "\n" not in value and "{" not in value:
        return value
    if isinstance(value, tuple) and value and all(isinstance(part, (str, int)) for part in value):
        return ", ".join(map(str, value))
    return None


def _iter_small_fields(designs: Iterable[Design], game: Game) -> Iterator[dict[str, Any]]:
    values: dict[str, Counter[str]] = {}
    for design in designs:
        for name, value in design.fields.items():
            plain = _plain_value(value)
            if plain is not None and name not in NAMES:
                values.setdefault(name, Counter())[plain] += 1
    for name, counted in values.items():
        if 2 <= len(counted) <= MOST_FILTER_VALUES and sum(counted.values()) >= 2 * len(counted):
            shown = [{"value": value, "label": _make_label(game, value), "designs": n} for value, n in counted.items()]
            yield {
                "field": name,
                "values": sorted(shown, key=lambda entry: float(entry["value"]))
                if all(value.lstrip("-").replace(".", "", 1).isdecimal() for value in counted)
                else shown,
            }


def _make_label(game: Game, value: str) -> Mapping[str, str]:
    """Return the label of a filter's value: the name of the icon with this id, if there is one, else the value."""
    icon = game.icons.get(value)
    words = icon.name if icon else Words(dict.fromkeys(game.languages, value.replace("_", " ")))
    return dict(words.items())


DPI = 132.0
"""Resolution of a sheet's picture: small type is legible, and a page takes only some hundredths of a second."""

PAPER = "A4"
"""The default paper."""


LANGUAGE = "en"
"""Language in which checks show sentences from the data, as `pnp validate` does."""


@dataclass(frozen=True, slots=True)
class Sheets:
    """A game's print sheets in one language: the PDF of `pnp sheets`, and what lies on each page, for the live page."""

    pdf: bytes
    pages: tuple[dict[str, Any], ...]
    lock: Lock

    def render_page(self, page: int) -> bytes:
        """Return a page (from 0) as PNG. Raise IndexError if there is none."""
        from generator.drawing.pdf.page_images import render_screen_png

        with self.lock:  # pdfium is not thread-safe
            return render_screen_png(self.pdf, page, DPI)


_PDFIUM = Lock()


def lay_show_sheets(workshop: Workshop, lang: str, paper: str = PAPER) -> Sheets:
    """Make print sheets in a language or two (`ja+en`). Raise ProblemsFound, or KeyError for an unknown paper."""
    order = PrintOrder((lang,), Path(), sheets=SheetSettings(paper_size(paper), paper))
    printed = impose_sheets(workshop, order, lambda _doing: None)
    problems = list(missing_editions([workshop.game], order.languages, printed))
    if problems:
        raise ProblemsFound(problems)
    document = printed[lang]
    out = io.BytesIO()
    workshop.write_document(document, out)
    hasher = FaceHasher(workshop.hex_of_paint)
    pages = [_make_page_entry(number, page, workshop, hasher) for number, page in enumerate(document.pages)]
    return Sheets(out.getvalue(), tuple(pages), _PDFIUM)


def _make_page_entry(number: int, page: Page, workshop: Workshop, hasher: FaceHasher) -> dict[str, Any]:
    marks = hasher.hash(Drawing(page.size.width, page.size.height, 0.0, page.items))
    placed = [(placed.id, workshop.digest_face(placed.drawing), placed.trim, placed.turn) for placed in page.placements]
    return {
        "number": number, "sheet": page.sheet, "side": page.side, "width": page.size.width,
        "height": page.size.height,
        "holds": list(dict.fromkeys(placed.id.split("#")[0] for placed in page.placements)),
        "version": hashlib.sha256(repr((marks, placed)).encode()).hexdigest()[:16],
    }  # fmt: skip


BOOKS = {volume.name: volume for volume in (RULEBOOK, QUICK_START)}
"""Books that the page shows, by name."""


def list_books(workshop: Workshop, lang: str) -> list[str]:
    """Return the names of the books that a game has in a language, such as `rulebook`; also those with errors."""
    try:
        return [name for name, volume in BOOKS.items() if lang in find_volume_languages(workshop, volume)]
    except ProblemsFound:
        return list(BOOKS)


def write_book(
    project: Project, workshop: Workshop, lang: str, volume: Volume, page: str, *, trusted: bool
) -> bytes | None:
    """Return a book as a web page, or as the PDF of `pnp rulebook` if a `page` size is given.

    Return None without a book in that language. `trusted`: its own code may run. Raise ProblemsFound with all problems.
    """
    game, accent = workshop.game, find_accent(workshop.game.palette)
    if lang not in find_volume_languages(workshop, volume):
        return None
    played = RulebookPlay(game, find_engine(project, game, trusted=trusted))
    if page:
        return make_book_files(workshop, lang, played, BookOptions(page), accent, volume).pages
    return make_web_page(read_book(workshop, lang, played, volume), workshop, accent, scripted=False).encode()


def write_figures(project: Project, workshop: Workshop, lang: str, *, trusted: bool) -> bytes:
    """Return the page of `pnp figures --format html`. Raise ProblemsFound with all problems."""
    from generator.commands.figures import FiguresOrder, make_figure_page, measure_game  # loads pdfium

    order = FiguresOrder((), None, (), SheetSettings(paper_size(PAPER), PAPER), trusted)
    return make_figure_page(workshop, measure_game(project, workshop, order), lang)


def keep_page_note(project: Project, workshop: Workshop, note: Mapping[str, Any], *, trusted: bool) -> str:
    """Store a note in the playtest session of today. Return the shown path of its file. Raise ProblemsFound."""
    played = RulebookPlay(workshop.game, find_engine(project, workshop.game, trusted=trusted))
    game, table = workshop.game, None
    if "table" in note:
        rules = load_playable_rules(game, project.find_folder(game.id), trusted)
        table = resume_saved_text(game, rules, note["table"], "the saved game")
    for addition in find_additions("note_keepers").entries.values():
        kept: Path = addition.load(Callable)(workshop, played, note, datetime.now(), table)
        return project.resources.display_path(kept)
    raise ProblemsFound([Problem(None, "this installation stores no notes", "install the whole program")])


def run_show_checks(project: Project, workshop: Workshop, lang: str = LANGUAGE, *, trusted: bool) -> tuple[Check, ...]:
    """Run the checks of `pnp validate` that play no games; with `trusted` also those in the game's own folder."""
    game = workshop.game
    functions = load_checks(game, trusted_folder(project.find_folder(game.id), trusted))
    drawings = workshop.draw_all(game.designs(), game.languages)
    context = Context(dict(drawings), workshop.fonts, cache(workshop.draw_silhouette))
    return run_checks(game, context, workshop.artist.compute_value, functions, lang)


def play_checks(
    project: Project, game: Game, checks: tuple[Check, ...], games: int, *, trusted: bool
) -> tuple[Check, ...]:
    """Return the checks and the results of `games` games between bots. Raise ProblemsFound if the rules fail."""
    rehearsal = ValidationPlay(games=games, processes=1, trusted=trusted)
    return add_game_checks(game, project.find_folder(game.id), project.root, rehearsal, checks)


def report_checks(game: Game, checks: tuple[Check, ...], lang: str) -> Any:
    """Return the checks as the JSON of `pnp validate --format json`."""
    return json.loads(checks_to_json([(game, checks)], lang))["games"][0]
