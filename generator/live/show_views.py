"""Views of a game on show: its catalogue, print sheets, rulebook and checks."""

import hashlib
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from generator.base.dataclass import dataclass
from generator.base.display_list import Drawing, FaceHasher
from generator.base.errors import Problem, ProblemsFound
from generator.base.geometry import paper_size, plain
from generator.books.rulebook.book_templates import volume_languages
from generator.books.rulebook.read_book import read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.books.web_page import html
from generator.checks.check_report import Check, as_json
from generator.checks.painted_items import Context
from generator.checks.validation import run_checks
from generator.checks.validation_games import Rehearsal, with_play
from generator.commands.orders import unmade_editions
from generator.commands.print_sheets import PrintOrder, lay_sheets
from generator.drawing.faces.game_drawing import Workshop, accent
from generator.game.model import Design, Game, Kind
from generator.game.print_pages import Page
from generator.game.project import Project
from generator.game.rich_text import MarkupError, Words, parse_markup, plain_text
from generator.live.game_show import Show
from generator.rules.engine.contract import Rules
from generator.rules.registry import checking_functions, trusted_folder
from generator.sheets.settings import SheetSettings

NAMES = ("name", "title")
"""Fields with the name of a design. The first existing one counts."""

FEW = 12
"""Largest number of different values of a field for a filter."""


def list_entry(show: Show) -> dict[str, Any]:
    """Return the entry in the list of games. A game that never could be read has its folder's name."""
    game = show.game
    return {
        "id": show.name,
        "title": dict(game.title.items()) if game else {},
        "draft": game.draft if game else "",
        "languages": list(game.languages) if game else [],
        "count": sum(kind.count for kind in game.kinds.values()) if game else 0,
        "generation": show.generation,
        "problems": len(show.problems),
    }


def game_entry(show: Show) -> dict[str, Any]:
    """Return everything but pictures and their words."""
    game, workshop = show.game, show.workshop
    if game is None or workshop is None:
        return {
            **list_entry(show),
            "stale": True,
            "kinds": [],
            "filters": [],
            "book": False,
            "problems": problem_entries(show),
        }
    kinds = [_kind(workshop, kind) for kind in game.kinds.values()]
    return {
        **list_entry(show),
        "stale": show.stale,
        "kinds": kinds,
        "filters": _filters(game),
        "book": _has_book(workshop),
        "problems": problem_entries(show),
    }


def _has_book(workshop: Workshop) -> bool:
    """Return True if there is a rulebook, or a started one."""
    try:
        return bool(volume_languages(workshop))
    except ProblemsFound:
        return True


def problem_entries(show: Show) -> list[dict[str, Any]]:
    """Return the problems of a game, each with the affected designs."""
    return [{**_problem(problem), "designs": list(designs)} for problem, designs in show.told]


def _problem(problem: Problem) -> dict[str, Any]:
    place = problem.place
    return {"place": str(place) if place else "", "what": problem.what, "hint": problem.hint}


def _kind(workshop: Workshop, kind: Kind) -> dict[str, Any]:
    return {
        "id": kind.id,
        "name": dict(kind.name.items()),
        "width": round(kind.size.width, 3),
        "height": round(kind.size.height, 3),
        "form": kind.form,
        "corner": kind.corner if kind.form == "card" and not kind.outline else 0,
        "outlined": bool(kind.outline),
        "count": kind.count,
        "stated": kind.stated,
        "option": kind.option if kind.left_out else "",
        "designs": [_design(workshop, kind, design) for design in kind.designs],
    }


def _design(workshop: Workshop, kind: Kind, design: Design) -> dict[str, Any]:
    fields = {name: value for name, value in design.fields.items() if _plain(value) is not None}
    return {
        "id": design.id,
        "name": {lang: _name(workshop, kind, design, lang) for lang in workshop.game.languages},
        "count": design.count,
        "faces": list(kind.faces(design)),
        "place": str(design.place),
        "fields": {name: _plain(value) for name, value in fields.items()},
    }


def _name(workshop: Workshop, kind: Kind, design: Design, lang: str) -> str:
    """Return the reader's name of a design, or the kind's name if it has none that can be read."""
    own = next((name for name in NAMES if design.fields.get(name)), None)
    try:
        said = workshop.artist.says(design, lang, "card", own) if own else ""
        text = plain_text(parse_markup(str(said))).replace("\n", " ") if said else ""
    except (ProblemsFound, MarkupError):
        text = ""  # drawing the face reports its problems
    return text or kind.name[lang]


def _plain(value: Any) -> str | None:
    """Return a value to search or filter by, or None for texts, effects and missing values."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return plain(value)
    if isinstance(value, str) and value and "\n" not in value and "{" not in value:
        return value
    if isinstance(value, tuple) and value and all(isinstance(part, (str, int)) for part in value):
        return ", ".join(map(str, value))
    return None


def _filters(game: Game) -> list[dict[str, Any]]:
    """Return the fields that divide designs into a few groups: suits, colours, numbers, terrains."""
    return list(_with_few_values(game.designs(), game))


def _with_few_values(designs: Iterable[Design], game: Game) -> Iterator[dict[str, Any]]:
    values: dict[str, Counter[str]] = {}
    for design in designs:
        for name, value in design.fields.items():
            plain = _plain(value)
            if plain is not None and name not in NAMES:
                values.setdefault(name, Counter())[plain] += 1
    for name, counted in values.items():
        if 2 <= len(counted) <= FEW and sum(counted.values()) >= 2 * len(counted):
            shown = [{"value": value, "label": _label(game, value), "designs": n} for value, n in counted.items()]
            yield {"field": name, "values": sorted(shown, key=_by_number) if _numbers(counted) else shown}


def _label(game: Game, value: str) -> Mapping[str, str]:
    """Return a value in the words of the game, if an icon has its name."""
    icon = game.icons.get(value)
    words = icon.name if icon else Words(dict.fromkeys(game.languages, value.replace("_", " ")))
    return dict(words.items())


def _numbers(values: Iterable[str]) -> bool:
    return all(value.lstrip("-").replace(".", "", 1).isdecimal() for value in values)


def _by_number(entry: dict[str, Any]) -> float:
    return float(entry["value"])


DPI = 132.0
"""Resolution of a sheet's picture: small type is readable, and a page takes a few hundredths of a second."""

PAPER = "A4"
"""The default paper."""

LANGUAGE = "en"
"""The language of the data's own sentences in checks, as in `pnp validate`."""


@dataclass(frozen=True, slots=True)
class Sheets:
    """The print sheets of a game in one language as the PDF of `pnp sheets`, and the contents of each page."""

    pdf: bytes
    pages: tuple[dict[str, Any], ...]
    lock: Lock

    def picture(self, page: int) -> bytes:
        """Return a page (from 0) as PNG. Raise IndexError if there is none."""
        from generator.drawing.pdf.page_images import screen_png

        with self.lock:  # pdfium is not thread-safe
            return screen_png(self.pdf, page, DPI)


_PDFIUM = Lock()


def sheets_of(workshop: Workshop, lang: str, paper: str = PAPER) -> Sheets:
    """Lay and write a game's print sheets, in a language or two (`ja+en`), on a named paper.

    Raise ProblemsFound with everything wrong, KeyError for an unknown paper.
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
    """Return the rulebook's web page, or None without one in that language. Raise ProblemsFound with all problems."""
    if lang not in volume_languages(workshop):
        return None
    played = RulebookPlay(workshop.game, _engine(project, workshop.game, trusted))
    return html(read_book(workshop, lang, played), workshop, accent(workshop.game.palette), scripted=False)


def findings_of(project: Project, workshop: Workshop, *, trusted: bool) -> tuple[Check, ...]:
    """Return the checks of `pnp validate` without playing."""
    game = workshop.game
    functions = checking_functions(game, trusted_folder(project.folder(game.id), trusted))
    drawings = workshop.draw_all(game.designs(), game.languages)
    context = Context(dict(drawings), workshop.ink, workshop.advance, cache(workshop.silhouette))
    return run_checks(game, context, workshop.compute, functions, LANGUAGE)


def play_checks(
    project: Project, game: Game, checks: tuple[Check, ...], games: int, *, trusted: bool
) -> tuple[Check, ...]:
    """Return the checks with the results of a few games between bots. Raise ProblemsFound if the rules fail."""
    rehearsal = Rehearsal(games=games, processes=1, trusted=trusted)
    return with_play(game, project.folder(game.id), project.root, rehearsal, checks)


def report(game: Game, checks: tuple[Check, ...]) -> Any:
    """Return the checks as in `pnp validate --format json`."""
    return json.loads(as_json([(game, checks)], LANGUAGE))["games"][0]


def _engine(project: Project, game: Game, trusted: bool) -> Callable[[], Rules | None]:
    from generator.rules.registry import rules_of

    return lambda: rules_of(game, trusted_folder(project.folder(game.id), trusted))
