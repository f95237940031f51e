"""Routes: from an address to an answer. No name in a request leads to the disk."""

import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, get_args
from urllib.parse import parse_qs, unquote_to_bytes

from generator.base.dataclass import dataclass
from generator.base.errors import ProblemsFound
from generator.base.files import entries_of, read_file
from generator.base.geometry import PAPER_SIZES
from generator.drawing.faces.game_drawing import FaceKey
from generator.game.model import FaceName
from generator.live.gallery import Gallery
from generator.live.game_show import ShownFace
from generator.live.show_views import PAPER
from generator.live.table_answers import PlayRoom
from generator.live.table_request import Gone, never

PAGE = Path(__file__).with_name("page")

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
}

OWN = "default-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'; frame-ancestors 'none'"
"""Policy of the page: request only this server, and run no script inside the page."""

SHUT = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
"""Policy of pictures and rulebooks: show only their own content."""

ALONE, FRAMED = f"{SHUT}frame-ancestors 'none'", f"{SHUT}frame-ancestors 'self'"

NOT_KEPT, KEPT = "no-store", "private, max-age=86400, immutable"

MOST_FACES = 400
"""Largest number of faces in one request: more than any screen shows, and harmless."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: status, type and content, the browser's policy for it, and its cache header."""

    status: HTTPStatus
    type: str
    body: bytes
    policy: str = ALONE
    cache: str = NOT_KEPT


class Routes:
    """Answers for the games of a gallery."""

    def __init__(self, gallery: Gallery):
        self._gallery, self._tables = gallery, PlayRoom(gallery.lend)
        # Read once: a request names one of these or nothing.
        self._page = {path.name: read_file(path, "own") for path in entries_of(PAGE) if path.suffix in _TYPES}
        self._routes: Mapping[tuple[str, int], Callable[..., Reply]] = {
            ("games.json", 1): self._games,
            ("papers.json", 1): self._papers,
            ("game", 2): self._game,
            ("faces", 2): self._faces,
            ("words", 2): self._words,
            ("face", 5): self._face,
            ("guides", 5): self._guides,
            ("sheets", 3): self._sheets,
            ("sheet", 4): self._sheet,
            ("rulebook", 3): self._rulebook,
            ("findings", 2): self._findings,
        }

    def answer(self, target: str, gone: Gone = never) -> Reply:
        """Return the answer to a request's target, `/path?query`; `gone` returns True once the client has gone."""
        path, _, query = target.partition("?")
        try:
            steps = [unquote_to_bytes(step).decode("utf-8") for step in path.split("/")[1:]]
            asked = parse_qs(query, max_num_fields=MOST_FACES, errors="strict")
        except ValueError:
            return refused(HTTPStatus.NOT_FOUND)
        if not path.startswith("/"):
            return refused(HTTPStatus.NOT_FOUND)
        if len(steps) == 1 and (steps[0] or "index.html") in self._page:
            return self._part(steps[0] or "index.html")
        kind = (steps[0], len(steps))
        route = partial(self._table, gone) if kind == ("table", 3) else self._routes.get(kind)
        if route is None:
            return refused(HTTPStatus.NOT_FOUND)
        try:
            return route(asked, *steps[1:])
        except ProblemsFound as found:
            return _data({"problems": [str(problem) for problem in found.problems]})

    def _part(self, name: str) -> Reply:
        policy = OWN if name.endswith(".html") else ALONE
        return Reply(HTTPStatus.OK, _TYPES[Path(name).suffix], self._page[name], policy)

    def _games(self, _asked: Any) -> Reply:
        return _data({"games": self._gallery.games()})

    def _papers(self, _asked: Any) -> Reply:
        sizes = {name: [named.size.width, named.size.height] for name, named in PAPER_SIZES.items()}
        return _data({"papers": sizes, "usual": PAPER})

    def _game(self, _asked: Any, name: str) -> Reply:
        return _data(self._gallery.game(name))

    def _faces(self, asked: Mapping[str, list[str]], name: str) -> Reply:
        keys = [key for key in map(_key, asked.get("face", [])) if key is not None]
        faces = self._gallery.faces(name, keys)
        return _data({"faces": faces} if faces is not None else None)

    def _words(self, asked: Mapping[str, list[str]], name: str) -> Reply:
        words = self._gallery.words(name, asked.get("of", [""])[0])
        return _data({"words": words} if words is not None else None)

    def _face(self, asked: Mapping[str, list[str]], *steps: str) -> Reply:
        return self._drawn(asked, steps, ShownFace.svg)

    def _guides(self, asked: Mapping[str, list[str]], *steps: str) -> Reply:
        return self._drawn(asked, steps, ShownFace.guides)

    def _drawn(
        self, asked: Mapping[str, list[str]], steps: tuple[str, ...], write: Callable[[ShownFace], str]
    ) -> Reply:
        name, lang, design, file = steps
        key = _key(f"{lang}:{file.removesuffix('.svg')}:{design}") if file.endswith(".svg") else None
        try:
            found = self._gallery.picture(name, key, write) if key else None
        except OSError:  # a picture file of the face was just removed; the next reading reports it
            found = None
        if found is None:
            return refused(HTTPStatus.NOT_FOUND)
        version, text = found
        cache = KEPT if asked.get("v") == [version] else NOT_KEPT
        return Reply(HTTPStatus.OK, _TYPES[".svg"], text.encode(), ALONE, cache)

    def _sheets(self, asked: Mapping[str, list[str]], name: str, lang: str) -> Reply:
        paper = _paper(asked)
        sheets = self._gallery.sheets(name, lang, paper) if paper else None
        return _data({"pages": sheets.pages} if sheets else None)

    def _sheet(self, asked: Mapping[str, list[str]], name: str, lang: str, file: str) -> Reply:
        number, paper = _number(file, ".png"), _paper(asked)
        sheets = self._gallery.sheets(name, lang, paper) if number is not None and paper else None
        if sheets is None or number is None or number >= len(sheets.pages):
            return refused(HTTPStatus.NOT_FOUND)
        current = asked.get("v") == [sheets.pages[number]["version"]]
        return Reply(HTTPStatus.OK, "image/png", sheets.picture(number), ALONE, KEPT if current else NOT_KEPT)

    def _rulebook(self, _asked: Any, name: str, file: str) -> Reply:
        book = self._gallery.book(name, file.removesuffix(".html")) if file.endswith(".html") else None
        if book is None:
            return refused(HTTPStatus.NOT_FOUND)
        return Reply(HTTPStatus.OK, _TYPES[".html"], book.encode(), FRAMED)

    def _findings(self, asked: Mapping[str, list[str]], name: str) -> Reply:
        return _data(self._gallery.findings(name, play=asked.get("play") == ["few"]))

    def _table(self, gone: Gone, asked: Mapping[str, list[str]], name: str, what: str) -> Reply:
        return _data(self._tables.answer(name, what, asked, gone))


def is_page(target: str) -> bool:
    """Return True for the addresses of the pages themselves, to which other sites may link."""
    path = target.partition("?")[0]
    return path == "/" or (path.count("/") == 1 and path.endswith(".html"))


def refused(status: HTTPStatus) -> Reply:
    """Return an answer that refuses a request."""
    return Reply(status, "text/plain; charset=utf-8", f"{status.value} {status.phrase}\n".encode())


def _data(data: Any) -> Reply:
    if data is None:
        return refused(HTTPStatus.NOT_FOUND)
    return Reply(HTTPStatus.OK, "application/json; charset=utf-8", json.dumps(data, ensure_ascii=False).encode())


def _paper(asked: Mapping[str, list[str]]) -> str:
    """Return the requested paper, the default one, or an empty string for an unknown one."""
    name = asked.get("paper", [PAPER])[0]
    return name if name in PAPER_SIZES else ""


def _number(file: str, suffix: str) -> int | None:
    """Return the number in a file name, up to five digits, or None."""
    number = file.removesuffix(suffix)
    return int(number) if file != number and re.fullmatch("[0-9]{1,5}", number) else None


def _key(text: str) -> FaceKey | None:
    """Parse the key of a face: `ja:front:reel/6-wheat`. Return None if it is none."""
    lang, _, rest = text.partition(":")
    side, _, design = rest.partition(":")
    sides: tuple[FaceName, ...] = get_args(FaceName)
    return next(((design, face, lang) for face in sides if face == side), None) if design else None
