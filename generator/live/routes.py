"""Routes: from an address to an answer. No name in a request leads to the disk."""

import json
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_args
from urllib.parse import parse_qs, unquote_to_bytes

from generator.base.errors import ProblemsFound
from generator.base.files import BOUNDS, list_folder, read_file
from generator.base.geometry import PAPER_SIZES
from generator.commands.rulebook import PAGES
from generator.drawing.faces.draw_face import FaceKey
from generator.drawing.templates.functions import qr
from generator.game.model import FaceName
from generator.live.element_boxes import read_order
from generator.live.gallery import Gallery
from generator.live.game_show import ShownFace
from generator.live.project_files import ProjectFiles, read_question
from generator.live.room import HOST, Room, read_room_order
from generator.live.show_views import BOOKS, PAPER, Sheets
from generator.live.table_answers import PlayRoom
from generator.live.table_request import Gone, Query, is_never_gone

Wanted = TypeVar("Wanted")
PAGE = Path(__file__).with_name("page")

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
}

PAGE_POLICY = "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; object-src 'none'; "
"""Policy of the page: request only this server, run no script inside the page, show pictures that it has read."""

CLOSED_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
"""Policy of pictures and rulebooks: show only their own content."""

FILE_POLICY, FRAMED_POLICY = f"{CLOSED_POLICY}frame-ancestors 'none'", f"{CLOSED_POLICY}frame-ancestors 'self'"

PDF_POLICY = "frame-ancestors 'none'"
"""Policy of PDFs: browsers show them in a page of their own, which needs its styles."""

CACHE_NEVER, CACHE_ONE_DAY = "no-store", "private, max-age=86400, immutable"

MOST_FACES = 400
"""Largest number of faces in one request: more than any screen shows, and harmless."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: status, type and content, the browser's policy for it, and its cache header."""

    status: HTTPStatus
    type: str
    body: bytes
    policy: str = FILE_POLICY
    cache: str = CACHE_NEVER


class PageOrder(NamedTuple):
    """A request that may change something: method, target, the key of the target, the client's address.

    `seen` is the SHA-256 of the file that the page knows, '' for no file, or None if it states none.
    """

    method: str
    target: str
    key: str
    peer: str
    seen: str | None


class AcceptedOrder(NamedTuple):
    """What carries out an order, given the body of its request; the body's type and largest size (bytes)."""

    carry_out: Callable[[bytes], Reply]
    type: str = "application/json"
    most: int = 9_999


_BINARY, _JSON = "application/octet-stream", "application/json; charset=utf-8"
_MOST_BYTES = BOUNDS["picture"][0]
_IN_ROOM = {"face", "faces", "words", *BOOKS}
"""Routes that are open in a room, besides those of its table."""


class Routes:
    """Answers for the games of a gallery. With `files` a page may change them: then each address begins with `key`.

    With a room there is only its table: an address begins with a key, and shows what the key's owner may see.
    """

    def __init__(
        self,
        gallery: Gallery,
        *,
        files: ProjectFiles | None = None,
        key: str = "",
        scripts: Mapping[str, bytes] | None = None,
        room: Room | None = None,
    ):
        self._gallery, self._tables = gallery, PlayRoom(gallery.lend_game)
        self._files, self._key, self._scripts = files, key, scripts or {}
        self.orders = {"edit": _carry_order(read_order, gallery.edit_template)}
        self.orders["note"] = _carry_order(_read_note, gallery.keep_note)
        self._room, self._index = room, "play.html" if room else "index.html"
        # Read once: a request names one of these or nothing.
        self._page = {path.name: read_file(path, "own") for path in list_folder(PAGE) if path.suffix in _TYPES}
        self._page |= self._scripts
        papers = {name: [named.size.width, named.size.height] for name, named in PAPER_SIZES.items()}
        self._routes: Mapping[tuple[str, int], Callable[..., Reply]] = {
            ("games.json", 1): lambda _asked: _make_json_reply({"games": gallery.list_games(), "edits": bool(key)}),
            ("papers.json", 1): lambda _asked: _make_json_reply({"papers": papers, "usual": PAPER, "pages": PAGES}),
            ("game", 2): self._answer_game, ("boxes", 5): self._answer_boxes, ("faces", 2): self._answer_faces,
            ("words", 2): self._answer_words, ("face", 5): partial(self._answer_drawn, ShownFace.to_svg),
            ("guides", 5): partial(self._answer_drawn, ShownFace.guides_to_svg), ("sheets", 3): self._answer_sheets,
            ("sheet", 4): self._answer_sheet, ("pdf", 4): self._answer_pdf,
            **{(one, 3): partial(self._answer_book, partial(gallery.make_book, volume=one)) for one in BOOKS},
            ("figures", 3): partial(self._answer_book, gallery.make_figures),
            ("findings", 2): self._answer_findings, ("edit.json", 1): self._answer_edit, ("file", 2): self._answer_file,
        }  # fmt: skip

    def open_target(self, target: str) -> tuple[str, str]:
        """Return a request's target without the key of a room, and the key; '' if no key fits."""
        if self._room is None and not self._key:
            return target, ""
        key, slash, rest = target[1:].partition("/")
        room = self._room
        known = room.find_viewer(key) is not None if room else secrets.compare_digest(key.encode(), self._key.encode())
        return (f"/{rest}", key) if known and slash and target.startswith("/") else ("", "")

    def find_order(self, order: PageOrder) -> AcceptedOrder | None:
        """Return what carries out an order, or None if there is none of this method at this target."""
        if self._room is not None:
            if (order.method, order.target) != ("POST", "/order"):
                return None
            return AcceptedOrder(partial(_carry_in_room, self._room, order))
        parsed = _parse_target(order.target)
        if self._files is None or parsed is None:
            return None
        match order.method, *parsed[0]:
            case "POST", "edit":
                return AcceptedOrder(self.orders["edit"])
            case "POST", "note":  # it may hold the moves of a game
                return AcceptedOrder(self.orders["note"], most=_MOST_BYTES)
            case "POST", "ask":
                return AcceptedOrder(_carry_order(read_question, self._files.answer_question), most=_MOST_BYTES)
            case "POST", "admit", name:
                admit, game = self._files.admit, parsed[1].get("game", [""])[0]
                return AcceptedOrder(lambda data: _make_json_reply(admit(name, data, game)), _BINARY, _MOST_BYTES)
            case "POST", "cells", path:
                return AcceptedOrder(partial(_change_cells, self._files, path), _BINARY, _MOST_BYTES)
            case "PUT" | "DELETE", "file", path:
                write = partial(_write_file, self._files, path, order)
                return AcceptedOrder(write, _BINARY, _MOST_BYTES if order.method == "PUT" else 0)
        return None

    def answer(self, target: str, gone: Gone = is_never_gone, key: str = "", peer: str = "") -> Reply:
        """Return the answer to a request's target, `/path?query`; `gone` returns True once the client has gone.

        In a room `key` is that of the target, and `peer` the address of the client.
        """
        parsed = _parse_target(target)
        if parsed is None:
            return make_refusal(HTTPStatus.NOT_FOUND)
        steps, asked = parsed
        name = "/".join(steps) or self._index
        if name in self._page:
            around = "'self'" if name == "play.html" and self._room is None else "'none'"  # the workbench
            policy = f"{PAGE_POLICY}frame-ancestors {around}" if name.endswith(".html") else FILE_POLICY
            return Reply(HTTPStatus.OK, _TYPES[Path(name).suffix], self._page[name], policy)
        kind = (steps[0], len(steps))
        route = self._routes.get(kind) if self._room is None or steps[0] in _IN_ROOM else None
        if kind == ("table", 3):
            route = partial(self._answer_table, gone, key, peer)
        elif kind == ("invitation.svg", 1) and self._room is not None and self._room.find_viewer(key) == HOST:
            return Reply(HTTPStatus.OK, _TYPES[".svg"], draw_code(self._room.guest_url).encode())
        return reply_or_explain(partial(route, asked, *steps[1:])) if route else make_refusal(HTTPStatus.NOT_FOUND)

    def _answer_game(self, _asked: Query, name: str) -> Reply:
        game = self._gallery.get_game(name)
        return _make_json_reply({**game, "editable": self._files is not None} if game else None)

    def _answer_edit(self, _asked: Query) -> Reply:
        """Reply with what the page's editor needs to begin; not found (404) if the page may not change files."""
        scripts = {name: len(text) for name, text in self._scripts.items()}
        about = {"parts": {"editor": scripts}, "takes": {"bytes": _MOST_BYTES}}
        return _make_json_reply(about if self._files else None)

    def _answer_file(self, _asked: Query, path: str) -> Reply:
        if self._files is None:
            return make_refusal(HTTPStatus.NOT_FOUND)
        data = self._files.read(path)
        return Reply(HTTPStatus.NO_CONTENT if data is None else HTTPStatus.OK, _BINARY, data or b"")

    def _answer_boxes(self, _asked: Query, name: str, lang: str, design: str, file: str) -> Reply:
        key = _parse_key(f"{lang}:{file.removesuffix('.json')}:{design}") if self._files else None
        return _make_json_reply(self._gallery.list_boxes(name, key) if key else None)

    def _answer_faces(self, asked: Query, name: str) -> Reply:
        keys = [key for key in map(_parse_key, asked.get("face", [])) if key is not None]
        faces = self._gallery.draw_faces(name, keys)
        return _make_json_reply({"faces": faces} if faces is not None else None)

    def _answer_words(self, asked: Query, name: str) -> Reply:
        words = self._gallery.read_words(name, asked.get("of", [""])[0])
        return _make_json_reply({"words": words} if words is not None else None)

    def _answer_drawn(
        self, write: Callable[[ShownFace], str], query: Query, name: str, lang: str, design: str, file: str
    ) -> Reply:
        key = _parse_key(f"{lang}:{file.removesuffix('.svg')}:{design}") if file.endswith(".svg") else None
        try:
            found = self._gallery.draw_picture(name, key, write) if key else None
        except OSError:  # a picture file of the face was just removed; the next reading reports it
            found = None
        version, text = found or ("", "")
        cache = CACHE_ONE_DAY if query.get("v") == [version] else CACHE_NEVER
        return _make_reply(text.encode() if found else None, _TYPES[".svg"], FILE_POLICY, cache)

    def _make_sheets(self, asked: Query, name: str, lang: str) -> Sheets | None:
        """Return sheets of the requested paper or the default one, or None for an unknown paper or game."""
        paper = asked.get("paper", [PAPER])[0]
        return self._gallery.make_sheets(name, lang, paper) if paper in PAPER_SIZES else None

    def _answer_sheets(self, asked: Query, name: str, lang: str) -> Reply:
        sheets = self._make_sheets(asked, name, lang)
        return _make_json_reply({"pages": sheets.pages} if sheets else None)

    def _answer_sheet(self, query: Query, name: str, lang: str, file: str) -> Reply:
        found = re.fullmatch(r"([0-9]{1,5})\.png", file)
        sheets = self._make_sheets(query, name, lang) if found else None
        if not (found and sheets and (number := int(found[1])) < len(sheets.pages)):
            return make_refusal(HTTPStatus.NOT_FOUND)
        current = query.get("v") == [sheets.pages[number]["version"]]
        cache = CACHE_ONE_DAY if current else CACHE_NEVER
        return Reply(HTTPStatus.OK, "image/png", sheets.render_page(number), FILE_POLICY, cache)

    def _answer_book(self, make: Callable[[str, str], bytes | None], _asked: Query, name: str, file: str) -> Reply:
        book = make(name, file.removesuffix(".html")) if file.endswith(".html") else None
        return _make_reply(book, _TYPES[".html"], FRAMED_POLICY)

    def _answer_pdf(self, asked: Query, name: str, what: str, file: str) -> Reply:
        """Reply with the PDF `file` (LANGUAGE.pdf) of sheets or a book (`what`), in the query's paper or page size."""
        lang, page, made = file.removesuffix(".pdf"), asked.get("page", [PAGES[0]])[0], None
        if what == "sheets" and file.endswith(".pdf"):
            made = sheets.pdf if (sheets := self._make_sheets(asked, name, lang)) else None
        elif what in BOOKS and page in PAGES and file.endswith(".pdf"):
            made = self._gallery.make_book(name, lang, what, page)
        return _make_reply(made, "application/pdf", PDF_POLICY)

    def _answer_findings(self, asked: Query, name: str) -> Reply:
        play = asked.get("play") == ["few"]
        return _make_json_reply(self._gallery.run_checks(name, asked.get("lang", [""])[0], play=play))

    def _answer_table(self, gone: Gone, key: str, peer: str, asked: Query, name: str, what: str) -> Reply:
        if self._room is None:
            found = self._tables.answer(name, what, asked, gone)
            return _make_json_reply(found and {**found, "edits": bool(self._key)})
        if not self._room.is_allowed(self._room.name_guest(key, peer)):
            return make_refusal(HTTPStatus.TOO_MANY_REQUESTS)
        return _make_json_reply(self._room.answer(key, name, what, asked))


def draw_code(text: str) -> str:
    """Return the picture of a text's QR code as SVG."""
    white = '<path fill="#fff" d="M-7-7h74v74h-74z"/>'
    code = f'<path d="{qr(text, 60)}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-7 -7 74 74">{white}{code}</svg>'


def is_page(target: str) -> bool:
    """Return True for the addresses of the pages themselves, to which other sites may link."""
    path = target.partition("?")[0]
    return path == "/" or (path.count("/") == 1 and path.endswith(".html"))


def make_refusal(status: HTTPStatus) -> Reply:
    """Return an answer that refuses a request."""
    return Reply(status, "text/plain; charset=utf-8", f"{status.value} {status.phrase}\n".encode())


def _carry_order(read: Callable[[Any], Wanted | None], act: Callable[[Wanted], Any]) -> Callable[[bytes], Reply]:
    """Return a function from a request's body to a reply: `read` checks the JSON (None: bad request), `act` answers."""

    def carry_out(body: bytes) -> Reply:
        try:
            order = read(json.loads(body))
        except (ValueError, RecursionError):
            order = None
        return make_refusal(HTTPStatus.BAD_REQUEST) if order is None else _make_json_reply(act(order))

    return carry_out


def _carry_in_room(room: Room, order: PageOrder, body: bytes) -> Reply:
    if not room.is_allowed(room.name_guest(order.key, order.peer)):
        return make_refusal(HTTPStatus.TOO_MANY_REQUESTS)
    return _carry_order(read_room_order, partial(room.carry_out, order.key))(body)


def _read_note(given: Any) -> dict[str, Any] | None:
    types = {"game": str, "about": str, "text": str, "author": str, "players": int}
    found = {name: type(value) for name, value in given.items()} if isinstance(given, dict) else {}
    good = found in (types, types | {"table": str})
    return given if good else None


def _change_cells(files: ProjectFiles, path: str, body: bytes) -> Reply:
    """Reply with the changed table. The body's first line has the changes as JSON, the other lines are the table."""
    changes, _, data = body.partition(b"\n")
    changed = files.change_table(path, changes.decode("utf-8", "replace"), data)
    return make_refusal(HTTPStatus.BAD_REQUEST) if changed is None else Reply(HTTPStatus.OK, _BINARY, changed)


def _write_file(files: ProjectFiles, path: str, order: PageOrder, body: bytes) -> Reply:
    if order.seen is None:
        return make_refusal(HTTPStatus.PRECONDITION_REQUIRED)
    written = files.write(path, body if order.method == "PUT" else None, order.seen)
    return _make_json_reply({}) if written else make_refusal(HTTPStatus.PRECONDITION_FAILED)


def _parse_target(target: str) -> tuple[list[str], Query] | None:
    """Return the steps and the query of a request's target, `/path?query`, or None for what is none."""
    path, _, query = target.partition("?")
    try:
        steps = [unquote_to_bytes(step).decode("utf-8") for step in path.split("/")[1:]]
        return (steps, parse_qs(query, max_num_fields=MOST_FACES, errors="strict")) if path.startswith("/") else None
    except ValueError:
        return None


def reply_or_explain(reply: Callable[[], Reply]) -> Reply:
    """Return the result of `reply`. If it raises ProblemsFound, return the problems as JSON instead."""
    try:
        return reply()
    except ProblemsFound as found:
        return _make_json_reply({"problems": [str(problem) for problem in found.problems]})


def _make_json_reply(data: Any) -> Reply:
    return _make_reply(None if data is None else json.dumps(data, ensure_ascii=False).encode(), _JSON)


def _make_reply(body: bytes | None, type_: str, policy: str = FILE_POLICY, cache: str = CACHE_NEVER) -> Reply:
    return make_refusal(HTTPStatus.NOT_FOUND) if body is None else Reply(HTTPStatus.OK, type_, body, policy, cache)


def _parse_key(text: str) -> FaceKey | None:
    """Parse the key of a face: `ja:front:reel/6-wheat`. Return None if it is none."""
    lang, _, rest = text.partition(":")
    side, _, design = rest.partition(":")
    sides: tuple[FaceName, ...] = get_args(FaceName)
    return next(((design, face, lang) for face in sides if face == side), None) if design else None
