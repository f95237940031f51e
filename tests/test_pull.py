"""`pnp pull`: tables by address, from a server on this computer; what is kept, what is told, what is refused."""

import io
import json
import socket
import threading
import zipfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.request import Request

import pytest
from click.testing import CliRunner
from openpyxl import Workbook
from tables_project import TablesProject

from generator.base import files
from generator.base.errors import InvalidInput, ProblemsFound
from generator.base.files import no_progress
from generator.commands.command_line import pnp
from generator.exchange.pull_tables import (
    GuardedRedirects,
    fetch_table,
    find_table_address,
    pull_tables,
    suffix_from_bytes,
)
from generator.game.project import find_project

HEADER = "id,count,title.ja,title.en,value,kind\n"
FIRST = HEADER + "a,1,あ,A,1,sun\nb,1,い,B,2,sun\nc,1,う,C,3,moon\n"
SECOND = HEADER + "a,1,あ,A,1,sun\nc,1,う,C,4,moon\nd,1,え,D,5,sun\ne,1,お,E,5,sun\n"


class Web:
    """What a server on this computer says of each path: status, headers and body; `asked` are the paths so far."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.asked: list[str] = []
        self.address = ""
        self.never = threading.Event()

    def put(self, path: str, body: str | bytes, kind: str = "text/csv", status: int = 200, **headers: str) -> str:
        """Say this at a path; the address of it."""
        raw = body.encode() if isinstance(body, str) else body
        self.pages[path] = (status, {"Content-Type": kind, **headers}, raw)
        return self.address + path


@pytest.fixture
def web() -> Iterator[Web]:
    """A server of this computer that ends with the test."""
    said = Web()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            said.asked.append(self.path)
            if self.path == "/never":
                said.never.wait(60)
                return
            status, headers, body = said.pages.get(self.path, (404, {}, b""))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_told: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.002,), daemon=True)
    thread.start()
    said.address = f"http://127.0.0.1:{server.server_address[1]}"
    yield said
    said.never.set()
    server.shutdown()
    server.server_close()
    thread.join()


Pull = Callable[[], tuple[int, list[str]]]


@pytest.fixture
def pull(kites: TablesProject) -> Pull:
    """Run the command; its exit code and the lines it says, without the game's folder."""

    def run() -> tuple[int, list[str]]:
        found = find_project(kites.root)
        try:
            pulled = pull_tables(found, (), no_progress)
        except ProblemsFound as stopped:
            return 1, [str(problem) for problem in stopped.problems]
        lines = [*pulled.lines, *map(str, pulled.problems)]
        return int(bool(pulled.problems)), [line.replace("data/kites/", "") for line in lines]

    return run


def named(kites: TablesProject, address: str) -> None:
    kites.change("designs: kites.csv", f"designs: {address}")


def test_a_table_is_fetched_kept_and_compared(kites: TablesProject, web: Web, pull: Pull) -> None:
    """A copy with date and checksum lies in the project; pulling again says which rows are new, gone and changed."""
    named(kites, web.put("/deck", FIRST))
    place = "game.yaml:32:14"
    assert kites.problems() == [f"{place}: this table was never downloaded; run `pnp pull`"]

    assert pull() == (0, ["pulled/kite.csv: new, 3 rows"])
    (note,) = json.loads((kites.root / "data/kites/pulled/pulled.json").read_text(encoding="utf-8"))
    assert (note["address"], note["file"]) == (f"{web.address}/deck", "kite.csv")
    assert note["sha256"] == sha256(FIRST.encode()).hexdigest()
    assert note["fetched"].endswith("+00:00")
    assert [design.id for design in kites.load().kinds["kite"].designs] == ["kite/a", "kite/b", "kite/c"]

    assert pull() == (0, [f"pulled/kite.csv: nothing has changed since {note['fetched'][:10]}"])
    web.put("/deck", SECOND)
    assert pull() == (0, ["pulled/kite.csv: 2 rows added (d, e), 1 row taken out (b), 1 row changed (c)"])
    assert len(kites.load().kinds["kite"].designs) == 4
    web.put("/deck", SECOND.replace("\n", "\r\n"))
    assert pull() == (0, ["pulled/kite.csv: no row has changed"])


def test_building_asks_nobody(kites: TablesProject, web: Web, pull: Pull, monkeypatch: pytest.MonkeyPatch) -> None:
    named(kites, web.put("/deck", FIRST))
    pull()
    asked = list(web.asked)

    def refused(*_told: Any) -> None:
        raise AssertionError("a connection")

    monkeypatch.setattr(socket.socket, "connect", refused)
    assert len(kites.load().kinds["kite"].designs) == 3
    assert web.asked == asked


FAILURES = {
    "not there": (404, "text/csv", b"", "the server answers 404 (Not Found); the copy of DAY stays; open the address in a browser"),
    "private": (403, "text/html", b"", "the server says that the file is not public (Forbidden); the copy of DAY stays; "),
    "a page": (200, "text/html", b"<html>Sign in</html>", "the download is a web page, not a table; the copy of DAY stays; share it with everyone who has "
    "the link, or use the address of a CSV, XLSX or ODS file"),
    "a page that says it is CSV": (200, "text/csv", b"\n<!DOCTYPE html><p>Sign in", "the download is a web page, not a table; the copy of DAY stays; "),
    "a picture": (200, "image/png", b"\x89PNG", "the download has the type image/png; the copy of DAY stays; "),
    "nothing": (200, "text/csv", b"", "the downloaded file is empty; the copy of DAY stays; "),
    "an old workbook": (200, "application/vnd.ms-excel", b"\xd0\xcf\x11\xe0rest", "the download is an old Excel workbook (.xls); the copy of DAY stays; save it as .xlsx there"),
    "a broken archive": (200, "application/octet-stream", b"PK\x03\x04rest", "the downloaded file is damaged; the copy of DAY stays; try again"),
    "another table": (200, "text/csv", b"name,price\nx,1\n", "the download can't be used: the header names no field: it reads 'name, price'; the copy of DAY stays; "),
    "a header alone": (200, "text/csv", HEADER.encode(), "the download can't be used: there is nothing below its header; the copy of DAY stays; "),
    "no text": (200, "text/csv", b"id,\x00\xff", "the download can't be used: "),
}  # fmt: skip


@pytest.mark.parametrize("failure", FAILURES)
def test_what_fails_leaves_the_last_good_copy(kites: TablesProject, web: Web, pull: Pull, failure: str) -> None:
    """A page to sign in, a table without the fields, half a file: told at the address's place, and the copy stays."""
    status, kind, body, said = FAILURES[failure]
    named(kites, web.put("/deck", FIRST))
    pull()
    day = json.loads((kites.root / "data/kites/pulled/pulled.json").read_text(encoding="utf-8"))[0]["fetched"][:10]
    before = {path: path.read_bytes() for path in (kites.root / "data/kites/pulled").iterdir()}
    web.put("/deck", body, kind, status)
    code, lines = pull()

    assert code == 1
    assert lines[0].startswith("game.yaml:32:14: ")
    assert said.replace("DAY", day) in lines[0]
    assert {path: path.read_bytes() for path in (kites.root / "data/kites/pulled").iterdir()} == before
    assert len(kites.load().kinds["kite"].designs) == 3


def test_a_large_or_broken_off_file_is_refused(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """More bytes than a table may have are not read to their end; fewer than were promised are no table."""
    short = web.put("/short", FIRST, **{"Content-Length": "100000"})
    with pytest.raises(InvalidInput, match=r"can't be reached|bytes came"):
        fetch_table(short)
    monkeypatch.setitem(files.BOUNDS, "table", (20, "split it"))
    with pytest.raises(InvalidInput, match="more than 20 bytes"):
        fetch_table(web.put("/long", FIRST))
    with pytest.raises(InvalidInput, match="sent compressed data"):
        fetch_table(web.put("/packed", b"x", **{"Content-Encoding": "gzip"}))


def test_a_server_that_says_nothing_does_not_hold_us(web: Web) -> None:
    with pytest.raises(InvalidInput, match=r"did not arrive within 0\.1 seconds"):
        fetch_table(f"{web.address}/never", seconds=0.1)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://example.org/deck.csv", "it does not begin with https://"),
        ("ftp://example.org/deck.csv", "it does not begin with https://"),
        ("file:///etc/passwd", "it is not the address of a public file"),
        ("https://me:secret@example.org/deck.csv", "it is not the address of a public file"),
        ("https://[::1/deck.csv", "it is not a web address: "),
        ("https://", "it is not the address of a public file"),
    ],
)
def test_other_addresses_are_not_asked(address: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        fetch_table(address)


def test_redirects_are_followed_where_an_address_may_lead(web: Web) -> None:
    web.put("/deck", FIRST)
    assert fetch_table(web.put("/moved", b"", status=302, Location="/deck")) == FIRST.encode()
    for there in ("http://example.org/deck", "file:///etc/passwd", "ftp://example.org/x"):
        with pytest.raises(InvalidInput, match=r"does not begin with https|answers 302"):
            fetch_table(web.put("/away", b"", status=302, Location=there))
    with pytest.raises(InvalidInput, match="answers 302"):
        fetch_table(web.put("/circle", b"", status=302, Location="/circle"))


SHEET = "https://docs.google.com/spreadsheets/d/1AbC-d_E"
GOOGLE = {
    f"{SHEET}/edit#gid=0": f"{SHEET}/export?format=csv&gid=0",
    f"{SHEET}/edit?gid=12#gid=12": f"{SHEET}/export?format=csv&gid=12",
    f"{SHEET}/edit?usp=sharing": f"{SHEET}/export?format=csv",
    f"{SHEET}": f"{SHEET}/export?format=csv",
    "https://docs.google.com/spreadsheets/u/1/d/1AbC-d_E/view#gid=7": f"{SHEET}/export?format=csv&gid=7",
    f"{SHEET}/export?format=xlsx": f"{SHEET}/export?format=xlsx",
    "https://docs.google.com/spreadsheets/d/e/2PACX-1v/pubhtml?gid=3&single=true": "https://docs.google.com/spreadsheets/d/e/2PACX-1v/pub?output=csv&single=true&gid=3",
    "https://docs.google.com/spreadsheets/d/e/2PACX-1v/pubhtml": "https://docs.google.com/spreadsheets/d/e/2PACX-1v/pub?output=csv",
    "https://docs.google.com/spreadsheets/d/e/2PACX-1v/pub?output=csv": "https://docs.google.com/spreadsheets/d/e/2PACX-1v/pub?output=csv",
    "https://docs.google.com.example.org/spreadsheets/d/1AbC/edit": "https://docs.google.com.example.org/spreadsheets/d/1AbC/edit",
    "https://example.org/spreadsheets/d/1AbC/edit": "https://example.org/spreadsheets/d/1AbC/edit",
}  # fmt: skip


@pytest.mark.parametrize("address", GOOGLE)
def test_a_google_sheet_is_asked_for_its_cells(address: str) -> None:
    assert find_table_address(address) == GOOGLE[address]


def test_workbooks_and_several_kinds_share_an_address(kites: TablesProject, web: Web, pull: Pull) -> None:
    book = Workbook()
    for title, name in (("One", "a"), ("Two", "b")):
        sheet = book.create_sheet(title)
        sheet.append(("Id", "Title JA", "title_en"))
        sheet.append((name, "あ", name.upper()))
    stream = io.BytesIO()
    book.save(stream)
    web.put("/book.xlsx", stream.getvalue(), "application/octet-stream")
    kites.change(
        "    designs: kites.csv\n",
        f'    designs: "{web.address}/book.xlsx:One"\n'
        "  more: {name: {ja: 他, en: More}, size: [30, 30], front: x, fields: {title: words}, "
        f'designs: ["{web.address}/book.xlsx:Two", kites.csv]}}\n',
    )
    kites.write("data/kites/kites.csv", "id,title.ja,title.en\nc,う,C\n")

    assert pull() == (0, [["pulled/kite.xlsx", "One"][0] + ": new, 1 row", "pulled/kite.xlsx: new, 1 row"])
    assert web.asked == ["/book.xlsx"]
    game = kites.load()
    assert [design.id for design in game.designs()] == ["kite/a", "more/b", "more/c"]
    assert str(game.kinds["more"].designs[0].place) == "data/kites/pulled/kite.xlsx:Two:2:1"
    assert str(game.kinds["more"].designs[1].place) == "data/kites/kites.csv:2:1"


def test_what_is_a_workbook_now_leaves_no_csv_behind(kites: TablesProject, web: Web, pull: Pull) -> None:
    named(kites, f"[{web.put('/deck', FIRST)}, {web.put('/more', FIRST.replace('a,1', 'x,1'))}]")
    pull()
    folder = kites.root / "data/kites/pulled"
    book = Workbook()
    book.active.append(("nothing", "known"))
    stream = io.BytesIO()
    book.save(stream)
    web.put("/deck", stream.getvalue())
    web.put("/more", SECOND)
    assert pull()[0] == 1
    assert sorted(path.name for path in folder.iterdir()) == ["kite-2.csv", "kite.csv", "pulled.json"]

    book.active.delete_rows(1)
    for row in (("id", "title.ja", "title.en"), ("z", "あ", "Z")):
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    web.put("/deck", stream.getvalue())
    assert pull()[0] == 0
    assert sorted(path.name for path in folder.iterdir()) == ["kite-2.csv", "kite.xlsx", "pulled.json"]


def test_a_copy_that_was_changed_by_hand_is_told(kites: TablesProject, web: Web, pull: Pull) -> None:
    """What somebody wrote into the copy would be lost with the next pull: it is a problem at once; git's line ends are none."""
    named(kites, web.put("/deck", FIRST))
    pull()
    copy = kites.root / "data/kites/pulled/kite.csv"
    copy.write_bytes(FIRST.replace("\n", "\r\n").encode())
    assert kites.load().kinds["kite"].count == 3
    copy.write_bytes(FIRST.replace("A,1", "A,9").encode())
    (said,) = kites.problems()
    assert said.startswith("pulled/kite.csv: this copy was changed after its download (")
    assert said.endswith("change the table at its address and run `pnp pull`, or write `pulled/kite.csv` in its place")
    assert pull()[1][0] == "pulled/kite.csv: you changed this copy; pnp downloads it again"
    assert kites.load().kinds["kite"].count == 3


@pytest.mark.parametrize("note", ["", '{"a": 1}', "[1]", '[{"address": "x"}]', '[{"address": "x", "file": "../../x.csv", "fetched": "", "sha256": ""}]', '[{"address": "x", "file": "x.csv", "fetched": 1, "sha256": ""}]', "[" * 100_000])  # fmt: skip
def test_a_damaged_note_is_told(kites: TablesProject, web: Web, pull: Pull, note: str) -> None:
    named(kites, web.put("/deck", FIRST))
    kites.write("data/kites/pulled/pulled.json", note)
    assert kites.problems() == [
        "pulled/pulled.json: the list of downloaded tables can't be read; delete it and run `pnp pull`"
    ]


def test_the_command_says_what_it_did(kites: TablesProject, web: Web) -> None:
    """Lines for what came, problems with exit code 1; without an address there is nothing to do, which is said."""
    run = CliRunner().invoke
    none = run(pnp, ["pull"])
    assert "no kind of these games reads a table from the web; write `designs: https://...` into one" in str(
        none.exception
    )
    named(kites, web.put("/deck", FIRST))
    done = run(pnp, ["pull", "kites"])
    assert (done.exit_code, done.output) == (0, "data/kites/pulled/kite.csv: new, 3 rows\n")
    web.put("/deck", b"", status=500)
    failed = run(pnp, ["pull"])
    assert isinstance(failed.exception, ProblemsFound)
    assert "the server answers 500" in str(failed.exception)


def test_an_archive_is_known_by_what_is_in_it() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("readme.txt", "x")
    with pytest.raises(InvalidInput, match="the download is an archive, not a spreadsheet"):
        suffix_from_bytes(stream.getvalue())


def test_a_server_elsewhere_does_not_lead_to_this_computer() -> None:
    """Whoever answers for an address can't make us ask what only this computer can reach."""
    answer = io.BytesIO(b"moved")
    with pytest.raises(InvalidInput, match="the server redirects to this computer"):
        GuardedRedirects().redirect_request(
            Request("https://example.org/x"), answer, 302, "", {}, "http://127.0.0.1:8080/x"
        )
    assert answer.closed
