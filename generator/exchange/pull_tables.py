"""Downloads the web tables of a game into the project, and reports what changed."""

import re
import ssl
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from http.client import HTTPException
from ipaddress import ip_address
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, quote, urlsplit, urlunsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

import click

from generator import __version__
from generator.base.archives import open_archive
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound, join_first_words, raise_problems
from generator.base.files import BOUNDS, ProgressListener, is_file, read_file
from generator.base.output_files import open_delivery
from generator.commands.command_line import say
from generator.commands.options import GAMES, PROJECT, open_project, progress
from generator.game.data_fields import id_from_text
from generator.game.project import Project, parse_all
from generator.game.table_designs import (
    DesignTable,
    header_from_kind,
    iter_kinds_with_tables,
    read_languages,
    read_table_designs,
)
from generator.game.table_files import (
    FOLDER,
    NOTE,
    PulledTable,
    format_note,
    is_address,
    is_unchanged,
    parse_rows,
    read_note,
    split_sheet_name,
)
from generator.game.table_header import Header

_GOOGLE = "docs.google.com"
_SHEETS = re.compile(r"/spreadsheets(?:/u/[0-9]+)?/d/(e/)?([A-Za-z0-9_-]+)(?:/|\Z)")
_NUMBER = re.compile(r"[0-9]+\Z")


def find_table_address(address: str) -> str:
    """Return the address to download: for a page of Google Sheets, that of the sheet as CSV."""
    parts = urlsplit(address)
    found = _SHEETS.match(parts.path) if parts.hostname == _GOOGLE else None
    asked = parse_qs(parts.query) | parse_qs(parts.fragment)
    if not found or "output" in asked or "format" in asked:
        return address
    gid = next((number for number in asked.get("gid", []) if _NUMBER.match(number)), "")
    published, sheet = found[1], found[2]
    form = f"e/{sheet}/pub?output=csv&single=true" if published and gid else f"e/{sheet}/pub?output=csv"
    form = form if published else f"{sheet}/export?format=csv"
    return f"https://{_GOOGLE}/spreadsheets/d/{form}{f'&gid={gid}' if gid else ''}"


LONGEST_FETCH = 60.0
"""Time limit for the whole download (seconds)."""

_SILENCE = 20.0
"""Time limit while the server sends nothing (seconds)."""

_CHUNK = 1 << 16
_TABLES = frozenset([
    "", "text/csv", "text/plain", "text/tab-separated-values", "text/comma-separated-values", "application/csv",
    "application/octet-stream", "binary/octet-stream", "application/download", "application/force-download",
    "application/zip", "application/x-zip-compressed", "application/vnd.ms-excel",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.ms-excel.sheet.macroenabled.12", "application/vnd.oasis.opendocument.spreadsheet",
])  # fmt: skip
"""Content types that servers use for tables, and for files of unknown type."""

_SHARE = "share it with everyone who has the link, or use the address of a CSV, XLSX or ODS file"


def fetch_table(address: str, seconds: float = LONGEST_FETCH) -> bytes:
    """Return the bytes at an address. Raise InvalidInput if that fails, takes over `seconds` or is too large."""
    wanted = _check_address(address)
    answers = SimpleQueue[bytes | BaseException]()
    # A server that sends a byte now and then would block any other wait for ever.
    Thread(target=_put_answer, args=(wanted, answers), daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except Empty:
        raise InvalidInput(f"the file did not arrive within {seconds:g} seconds", "try again") from None
    if isinstance(answer, BaseException):
        raise answer
    return answer


def suffix_from_bytes(raw: bytes) -> str:
    """Return the file suffix for a table with these bytes. Raise InvalidInput if they can't be a table."""
    if raw.startswith(b"PK\x03\x04"):
        try:
            with open_archive(raw) as archive:
                names = set(archive.namelist())
        except InvalidInput as error:
            raise InvalidInput("the downloaded file is damaged", "try again") from error
        for name, suffix in (("content.xml", ".ods"), ("xl/workbook.xml", ".xlsx")):
            if name in names:
                return suffix
        raise InvalidInput(
            "the download is an archive, not a spreadsheet", "use the address of a CSV, XLSX or ODS file"
        )
    if raw.startswith(b"\xd0\xcf\x11\xe0"):
        raise InvalidInput("the download is an old Excel workbook (.xls)", "save it as .xlsx there")
    start = raw[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if not start:
        raise InvalidInput("the downloaded file is empty", "open it in a browser")
    if start.startswith((b"<!doctype", b"<html", b"<?xml")):
        raise InvalidInput("the download is a web page, not a table", _SHARE)
    return ".csv"


def _check_address(address: str, *, local: bool = True) -> str:
    """Return the address in valid form. Raise InvalidInput if it is invalid, or this computer's without `local`."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        raise InvalidInput(f"it is not a web address: {error}", "copy it from the browser") from error
    if not host or not address.isprintable() or parts.username is not None:
        raise InvalidInput("it is not the address of a public file", "copy it from the browser")
    if parts.scheme != "https" and not (parts.scheme == "http" and _is_this_computer(host)):
        raise InvalidInput("it does not begin with https://", "use https, because data sent over http can be altered")
    if _is_this_computer(host) and not local:
        raise InvalidInput("the server redirects to this computer", "name another address")
    path, query = quote(parts.path, safe="/%:@!$&'()*+,;=~"), quote(parts.query, safe="/%:@!$&'()*+,;=~?")
    return urlunsplit((parts.scheme, parts.netloc, path, query, ""))


def _is_this_computer(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


class GuardedRedirects(HTTPRedirectHandler):
    """Follows redirects only to https. Only an address of this computer may redirect to this computer."""

    def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Request | None:
        """Return the request for a redirect's target. Raise InvalidInput if that is not allowed."""
        here = urlsplit(req.full_url).hostname or ""
        try:
            _check_address(newurl, local=_is_this_computer(here))
        except InvalidInput:
            fp.close()
            raise
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _build_opener(address: str) -> OpenerDirector:
    """Return an opener for the web only, not for files or ftp; without a proxy if `address` is of this computer."""
    opener = OpenerDirector()
    local = _is_this_computer(urlsplit(address).hostname or "")
    for handler in (
        ProxyHandler({} if local else None),
        HTTPHandler(),
        HTTPSHandler(context=ssl.create_default_context()),
        HTTPDefaultErrorHandler(),
        GuardedRedirects(),
        HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    opener.addheaders = []
    return opener


def _put_answer(address: str, answers: "SimpleQueue[bytes | BaseException]") -> None:
    """Download the address and put its content, or the exception, into the queue."""
    try:
        answers.put(_read_address(address))
    except HTTPError as error:
        refused = error.code in (401, 403)
        what = "the server says that the file is not public" if refused else f"the server answers {error.code}"
        hint = _SHARE if refused else "open the address in a browser"
        error.close()
        answers.put(InvalidInput(f"{what} ({error.reason})" if error.reason else what, hint))
    except (URLError, HTTPException, OSError) as error:
        reason = getattr(error, "reason", error)
        answers.put(InvalidInput(f"the server can't be reached: {reason}", "check your connection and try again"))
    except Exception as error:  # noqa: BLE001 - whoever waits for the answer raises it
        answers.put(error)


def _read_address(address: str) -> bytes:
    asked = Request(address, headers={"User-Agent": f"print-and-play-generator/{__version__}"})  # noqa: S310 - _checked
    asked.add_header("Accept-Encoding", "identity")
    most, _ = BOUNDS["table"]
    with _build_opener(address).open(asked, timeout=_SILENCE) as answer:
        kind = answer.headers.get_content_type() if "Content-Type" in answer.headers else ""
        if kind not in _TABLES:
            told = "is a web page, not a table" if kind == "text/html" else f"has the type {kind}"
            raise InvalidInput(f"the download {told}", _SHARE)
        if answer.headers.get("Content-Encoding", "identity") not in ("identity", ""):
            raise InvalidInput("the server sent compressed data, which pnp did not request", "name another address")
        raw = bytearray()
        while chunk := answer.read(_CHUNK):
            raw += chunk
            if len(raw) > most:
                raise InvalidInput(f"the file has more than {most:,} bytes", "split it into several kinds")
        if (length := answer.headers.get("Content-Length", "")).isdecimal() and int(length) != len(raw):
            raise InvalidInput(f"{len(raw):,} of {int(length):,} bytes came", "try again")
        return bytes(raw)


_NAMED = 6
"""Maximum number of changed rows that a report names by id."""


@click.command()
@GAMES
@PROJECT
@click.pass_obj
def pull(obj: Path | None, /, **options: Any) -> None:
    """Download the tables that a game reads from the web.

    pnp keeps a copy of each table in the project and lists what changed. Every other command reads the copies and
    needs no connection.
    """
    pulled = pull_tables(open_project(obj, options), options["games"], progress())
    for line in pulled.lines:
        say(line)
    raise_problems(pulled.problems)


@dataclass(frozen=True, slots=True)
class _WebTable:
    """A table on the web that the data name: address, sheet, place in the data, kind, and allowed columns."""

    address: str
    sheet: str
    place: Place
    kind: str
    header: Header


@dataclass(frozen=True, slots=True)
class PullResult:
    """The result of a download: a line for each copy, and problems. If a download failed, its copy is unchanged."""

    lines: tuple[str, ...]
    problems: tuple[Problem, ...]


def pull_tables(project: Project, names: tuple[str, ...], progress: ProgressListener) -> PullResult:
    """Download all web tables of the named games, or of all games. `progress` is told each address.

    Raise ProblemsFound if there are no addresses, or if the data can't be read.
    """
    lines: list[str] = []
    problems: list[Problem] = []
    any_there = False
    for name in project.choose_games(names):
        game = _GameTables(project, project.find_folder(name))
        wanted = list(game.find_wanted())
        any_there = any_there or bool(wanted)
        for address in dict.fromkeys(one.address for one in wanted):
            progress(address)
            game.pull_table([one for one in wanted if one.address == address])
        game.store_copies()
        lines += game.lines
        problems += game.problems
    progress("")
    if not any_there:
        what = "no kind of these games reads a table from the web"
        raise ProblemsFound([Problem(None, what, "write `designs: https://...` into one")])
    return PullResult(tuple(lines), tuple(problems))


class _GameTables:
    def __init__(self, project: Project, folder: Path):
        self.resources, self.folder = project.resources, folder
        self.kept = {one.address: one for one in read_note(folder, project.resources)}
        self.lines: list[str] = []
        self.problems: list[Problem] = []
        self._new: dict[str, bytes] = {}
        self._gone: list[Path] = []

    def find_wanted(self) -> Iterator[_WebTable]:
        """Yield every web table that the data name."""
        files = parse_all(self.folder, self.resources)
        for one in iter_kinds_with_tables(files, self.resources):
            header = header_from_kind(one.kind, read_languages(files, self.resources))
            for entry, place in one.entries:
                if isinstance(entry, str) and is_address(entry.strip()):
                    yield _WebTable(*split_sheet_name(entry), place, one.name, header)

    def pull_table(self, wanted: Sequence[_WebTable]) -> None:
        """Download one address, which several kinds may use. If it can't be used, keep the old copy."""
        first = wanted[0]
        before = self._read_copy(first.address)
        stays = f"; the copy of {before[0].fetched[:10]} stays" if before else ""
        try:
            raw = fetch_table(find_table_address(first.address))
            suffix = suffix_from_bytes(raw)
        except InvalidInput as unfit:
            what = f"{first.address} can't be fetched: {unfit}{stays}"
            self.problems.append(Problem(first.place, what, unfit.hint))
            return
        name = self._choose_name(first, suffix)
        shown = self.resources.display_path(self.folder / FOLDER / name)
        try:
            now = [self._read_designs(one, raw, suffix, shown) for one in wanted]
        except ProblemsFound as found:
            for problem in found.problems:
                self.problems.append(
                    Problem(first.place, f"the download can't be used: {problem.what}{stays}", problem.hint)
                )
            return
        if before and before[1] == raw:
            self.lines.append(f"{shown}: nothing has changed since {before[0].fetched[:10]}")
            return
        for one, (designs, unread) in zip(wanted, now, strict=True):
            said = f"new, {_format_row_count(len(designs))}"
            if before:
                ending = before[0].file.rpartition(".")[2]
                try:
                    old, _ = self._read_designs(one, before[1], f".{ending}", before[0].file)
                    said = _describe_changes(old, designs)
                except ProblemsFound:
                    said += "; the copy before could not be read"
            self.lines.append(f"{shown}: {said}{unread}")
        if before and before[0].file != name:
            self._gone.append(self.folder / FOLDER / before[0].file)
        when = datetime.now(UTC).isoformat(timespec="seconds")
        self.kept[first.address] = PulledTable(first.address, name, when, sha256(raw).hexdigest())
        self._new[name] = raw

    def store_copies(self) -> None:
        """Write all new copies, and the record of their hashes, together."""
        if not self._new:
            return
        with open_delivery() as files:
            for name, raw in self._new.items():
                files.put(self.folder / FOLDER / name, raw, at_home=True)
            files.put(self.folder / FOLDER / NOTE, format_note(self.kept.values()), at_home=True)
            files.hand_over()
        for path in self._gone:  # for example, it was CSV and is a workbook now
            path.unlink(missing_ok=True)

    def _read_copy(self, address: str) -> tuple[PulledTable, bytes] | None:
        """Return the record and bytes of the old copy, or None if it is missing. Report a copy that the user edited."""
        kept = self.kept.get(address)
        path = self.folder / FOLDER / kept.file if kept else self.folder
        if kept is None or not is_file(path):
            return None
        try:
            raw = read_file(path, "table")
        except InvalidInput:
            return None  # it is replaced
        if not is_unchanged(raw, kept):
            self.lines.append(f"{self.resources.display_path(path)}: you changed this copy; pnp downloads it again")
        return kept, raw

    def _choose_name(self, wanted: _WebTable, suffix: str) -> str:
        """Return the file name of a copy: the old name, else the kind's and `suffix`, with a number if it is taken."""
        kept = self.kept.get(wanted.address)
        if kept and kept.file.endswith(suffix):
            return kept.file
        taken = {one.file.partition(".")[0] for one in self.kept.values() if one is not kept}
        stem, number = id_from_text(wanted.kind) or "table", 1
        name = stem
        while name in taken:
            number += 1
            name = f"{stem}-{number}"
        return f"{name}{suffix}"

    def _read_designs(self, wanted: _WebTable, raw: bytes, suffix: str, display_name: str) -> tuple[DesignTable, str]:
        """Return a table's designs, and a note on unreadable rows ("": none). Raise ProblemsFound if it has no rows."""
        rows = parse_rows(raw, suffix, display_name, wanted.sheet, wanted.header, self.resources)
        designs = read_table_designs(rows, wanted.header)
        if not designs and not rows.problems:
            raise ProblemsFound([Problem(None, "there is nothing below its header", "open it in a browser")])
        return designs, "; run `pnp build` to see its errors" if rows.problems else ""


def _describe_changes(before: Iterable[Mapping[str, Any]], after: Iterable[Mapping[str, Any]]) -> str:
    """Describe changes of designs: `2 rows added (a, b), 1 row changed (c)`."""
    old, new = ({str(design.get("id", "")): design for design in designs} for designs in (before, after))
    found = {
        "added": [name for name in new if name not in old],
        "taken out": [name for name in old if name not in new],
        "changed": [name for name in new if name in old and new[name] != old[name]],
    }
    said = []
    for how, ids in found.items():
        if ids:
            said.append(f"{_format_row_count(len(ids))} {how} ({join_first_words(ids, _NAMED)})")
    return ", ".join(said) or "no row has changed"


def _format_row_count(number: int) -> str:
    return "1 row" if number == 1 else f"{number:,} rows"
