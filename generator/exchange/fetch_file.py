"""Downloads one file from the web, within limits. No other module connects to another computer."""

import re
import ssl
from http.client import HTTPException
from ipaddress import ip_address
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

from generator import __version__
from generator.base.archives import open_archive
from generator.base.errors import InvalidInput
from generator.base.files import BOUNDS

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
    """Return the bytes of the file at an address. Raise InvalidInput if it fails, is too large or no table."""
    wanted = _check_address(address)
    answers = SimpleQueue[bytes | BaseException]()
    # A server that sends a byte now and then would block any other wait for ever.
    Thread(target=_put_answer, args=(wanted, answers), daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except Empty:
        raise InvalidInput(f"the file was not here after {seconds:g} seconds", "try again") from None
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
    """Return an opener for web addresses only: not for files or ftp."""
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
            what = (
                "the download is a web page, not a table"
                if kind == "text/html"
                else f"the download has the type {kind}"
            )
            raise InvalidInput(what, _SHARE)
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
