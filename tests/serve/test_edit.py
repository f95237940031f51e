"""Files that the page of `pnp serve --edit` writes: on the wire, and in a real browser."""

import errno
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from browser import Tab
from page_cases import PICTURE
from PIL import Image
from serve_cases import PATIENCE, Client, expect_soon, save, served
from tests_support import TinyProject

from generator.base.output_files import Delivery
from generator.live import project_files
from generator.live.serve import PageServer

DATA = "data/tiny/game.yaml"


@pytest.fixture
def client(tiny: TinyProject) -> Iterator[Client]:
    with served(tiny.root, editable=True) as found:
        yield found


def send(client: Client, method: str, target: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
    """The status and body for a request as the page sends it, but for these headers; an empty one is left out."""
    own = f"127.0.0.1:{client.server.port}"
    kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
    usual = {"Origin": f"http://{own}", "Content_Type": kind, "Sec_Fetch_Site": "same-origin"}
    named = {name.replace("_", "-"): value for name, value in (usual | headers).items() if value}
    line = HTTPConnection(own, timeout=PATIENCE)
    sent = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    with closing(line):
        line.request(method, client.home + target, sent, named)
        answer = line.getresponse()
        return answer.status, answer.read()


def at(path: str) -> str:
    return f"/file/{quote(path, safe='')}"


def seen(data: bytes) -> dict[str, str]:
    """The header by which the page says which version it knows."""
    return {"If_Match": f'"{sha256(data).hexdigest()}"'}


NEW = {"If_None_Match": "*"}


def all_files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_the_page_reads_and_writes_a_file(client: Client, tiny: TinyProject) -> None:
    before = (tiny.root / DATA).read_bytes()
    assert send(client, "GET", at(DATA)) == (200, before)
    after = before.replace(b"title: One", b"title: Uno")
    assert send(client, "PUT", at(DATA), after, **seen(before)) == (200, b"{}")
    assert (tiny.root / DATA).read_bytes() == after


def test_files_are_made_renamed_and_deleted(client: Client, tiny: TinyProject) -> None:
    first, second = "data/tiny/more/new.csv", "data/tiny/other.csv"
    assert send(client, "PUT", at(first), b"a,b\n", **NEW)[0] == 200
    assert json.loads(send(client, "POST", "/ask", ["files"])[1]) == sorted([first, *json_files(client)])
    assert send(client, "PUT", at(second), b"a,b\n", **NEW)[0] == 200
    assert send(client, "DELETE", at(first), **seen(b"a,b\n"), Content_Type="") == (200, b"{}")
    assert not (tiny.root / first).exists() and (tiny.root / second).read_bytes() == b"a,b\n"
    assert send(client, "GET", at(first)) == (204, b"")


def json_files(client: Client) -> list[str]:
    found = json.loads(send(client, "POST", "/ask", ["files"])[1])
    return [path for path in found if not path.endswith("new.csv")]


# An editor that saves at the same time.


def test_a_file_that_an_editor_has_saved_meanwhile_stays(client: Client, tiny: TinyProject) -> None:
    before = (tiny.root / DATA).read_bytes()
    save(tiny.root / DATA, before.decode().replace("title: One", "title: Due"))
    theirs = (tiny.root / DATA).read_bytes()
    for method, body in (("PUT", before.replace(b"title: One", b"title: Uno")), ("DELETE", None)):
        assert send(client, method, at(DATA), body, **seen(before))[0] == 412
        assert send(client, method, at(DATA), body, **NEW)[0] == 412
        assert send(client, method, at(DATA), body)[0] == 428, "the page must say what it knows"
        assert send(client, method, at(DATA), body, If_Match="*")[0] == 428
    (tiny.root / DATA).unlink()
    assert send(client, "PUT", at(DATA), before, **seen(before))[0] == 412, "it was deleted"
    assert not (tiny.root / DATA).exists()
    assert theirs != before


def test_of_pages_that_write_at_once_one_wins(
    client: Client, tiny: TinyProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, statuses, deliver = (tiny.root / DATA).read_bytes(), list[int](), project_files.deliver_file
    ready = threading.Barrier(8)

    def deliver_slowly(*given: Any, **how: Any) -> Any:
        time.sleep(0.1)  # the others come between the look at the file and its change
        return deliver(*given, **how)

    monkeypatch.setattr(project_files, "deliver_file", deliver_slowly)

    def write(number: int) -> None:
        ready.wait(PATIENCE)
        statuses.append(send(client, "PUT", at(DATA), before + b"# %d\n" % number, **seen(before))[0])

    writers = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    assert sorted(statuses) == [200, *[412] * 7]
    assert (tiny.root / DATA).read_bytes()[len(before) :] in {b"# %d\n" % number for number in range(8)}


# Strangers.

FOREIGN = [
    {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": ""}, {"Sec_Fetch_Site": "cross-site"},
    {"Sec_Fetch_Site": "same-site"}, {"Host": "evil.example"}, {"Content_Type": "text/plain"}, {"Content_Type": ""},
]  # fmt: skip


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_another_origin_changes_nothing(client: Client, tiny: TinyProject, headers: dict[str, str]) -> None:
    files, before = all_files(tiny.root), (tiny.root / DATA).read_bytes()
    assert send(client, "PUT", at(DATA), b"x", **seen(before), **headers)[0] == 403
    assert send(client, "PUT", at("data/tiny/new.yaml"), b"x", **NEW, **headers)[0] == 403
    assert send(client, "POST", "/ask", ["files"], **headers)[0] == 403
    if "Content_Type" not in headers:  # to delete, nothing is sent
        assert send(client, "DELETE", at(DATA), **seen(before), **headers)[0] == 403
    assert all_files(tiny.root) == files


def test_a_browser_asks_in_vain_whether_another_origin_may(client: Client) -> None:
    status, _ = send(client, "OPTIONS", at(DATA), Origin="http://evil.example", Access_Control_Request_Method="PUT")
    assert status == 405


@pytest.mark.parametrize("home", ["", "/", "/AAAAAAAAAAAAAAAAAAAAAA", "/é", "//", "/{}x"])
def test_an_old_secret_opens_nothing(client: Client, tiny: TinyProject, home: str) -> None:
    """The secret of an earlier run, none, or a part of it: no page, no file, no order."""
    files, before = all_files(tiny.root), (tiny.root / DATA).read_bytes()
    client.home = quote(home.format(client.server.key))
    assert send(client, "PUT", at(DATA), b"x", **seen(before))[0] == 405
    assert send(client, "DELETE", at(DATA), **seen(before))[0] == 405
    assert send(client, "POST", "/ask", ["files"])[0] == 405
    for target in ("/", "/games.json", at(DATA), "/face/tiny/en/card%2Fone/front.svg", "/events"):
        assert send(client, "GET", target)[0] == 404
    assert all_files(tiny.root) == files


def test_each_run_has_a_secret_of_its_own(client: Client, tiny: TinyProject) -> None:
    with PageServer(client.server.gallery, 0, editable=True) as other:
        assert other.key != client.server.key and len(other.key) >= 22
        assert other.url == f"http://127.0.0.1:{other.port}/{other.key}/"
    assert client.json("/games.json")["edits"] is True
    with served(tiny.root) as reader:
        before = (tiny.root / DATA).read_bytes()
        assert reader.json("/games.json")["edits"] is False
        assert reader.get("/edit.json")[0].status == reader.get(at(DATA))[0].status == 404
        assert send(reader, "PUT", at(DATA), b"x", **seen(before))[0] == 405
        assert send(reader, "POST", "/ask", ["files"])[0] == 405
        assert (tiny.root / DATA).read_bytes() == before


# Paths.


@pytest.fixture
def links(tiny: TinyProject, tmp_path: Path) -> Path:
    """A file outside of the project, a hidden one in it, and links to both and to their folders."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.yaml").write_text("secret", encoding="utf-8")
    (tiny.root / ".git").mkdir()
    (tiny.root / ".git" / "config.yaml").write_text("secret", encoding="utf-8")
    (tiny.root / "output").mkdir(exist_ok=True)
    (tiny.root / "output" / "made.yaml").write_text("secret", encoding="utf-8")
    (tiny.root / "pnp.toml").write_text("", encoding="utf-8")
    home = tiny.root / "data" / "tiny"
    for name, to in (("out", outside), ("git", tiny.root / ".git"), ("made", tiny.root / "output")):
        (home / name).symlink_to(to)
    (home / "link.yaml").symlink_to(outside / "secret.yaml")
    (home / ".hidden.yaml").write_text("secret", encoding="utf-8")
    return outside


PATHS = [
    "../outside/secret.yaml", "data/../../outside/secret.yaml", "/etc/passwd", "data/tiny/../../pnp.toml", "data//tiny.yaml",
    "data/tiny/out/secret.yaml", "data/tiny/link.yaml", "data/tiny/git/config.yaml", "data/tiny/made/made.yaml",
    ".git/config.yaml", "output/made.yaml", "pnp.toml", "data", "data/tiny/.hidden.yaml", "data/__pycache__/x.yaml",
    "data\\tiny\\game.yaml", "data/tiny/a\0.yaml", "data/tiny/con.yaml", "data/tiny/x.yaml:stream", "letters/tiny/one.yaml", "",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS, ids=repr)
def test_paths_stay_in_the_project(client: Client, tiny: TinyProject, links: Path, path: str) -> None:
    files, there = all_files(tiny.root) | all_files(links), seen(b"secret")
    asked = [
        send(client, "GET", at(path)), send(client, "PUT", at(path), b"x", **NEW), send(client, "PUT", at(path), b"x", **there),
        send(client, "DELETE", at(path), **there), send(client, "POST", "/ask", ["table", path, ["en"]]),
        send(client, "POST", "/ask", ["use", path, "card"]), send(client, "POST", f"/cells/{quote(path, safe='')}", b"[]\n"),
        send(client, "POST", "/ask", ["hint", path, "x", 0, ["en"]]),
    ]  # fmt: skip
    for status, body in asked:
        assert status in (204, 400, 404, 405) or list(json.loads(body)) == ["problems"], (status, body)
        assert b"secret" not in body.replace(b"secret.yaml", b"")
    assert all_files(tiny.root) | all_files(links) == files
    assert path not in json.loads(send(client, "POST", "/ask", ["files"])[1])


def test_a_link_within_the_project_stays_a_link(client: Client, tiny: TinyProject) -> None:
    link = tiny.root / "data" / "tiny" / "same.yaml"
    before = (tiny.root / DATA).read_bytes()
    link.symlink_to("game.yaml")
    assert send(client, "PUT", at("data/tiny/same.yaml"), before + b"#\n", **seen(before))[0] == 200
    assert link.is_symlink() and (tiny.root / DATA).read_bytes() == before + b"#\n"
    assert send(client, "DELETE", at("data/tiny/same.yaml"), **seen(before + b"#\n"))[0] == 200
    assert not link.is_symlink() and (tiny.root / DATA).exists()


@pytest.mark.parametrize(
    ("path", "data", "said"),
    [
        ("data/tiny/a.exe", b"MZ", "files that end in .exe are of no use here"),
        ("templates/tiny/a.png", b"text", "is not a PNG"),
        (f"{DATA}/a.yaml", b"x", "is both a file and a folder"),
        ("data/tiny", b"x", "files without an ending"),
    ],
)
def test_what_no_project_has_is_not_written(
    client: Client, tiny: TinyProject, path: str, data: bytes, said: str
) -> None:
    files = all_files(tiny.root)
    status, body = send(client, "PUT", at(path), data, **NEW)
    assert status == 200 and said in json.loads(body)["problems"][0]
    assert all_files(tiny.root) == files


def test_a_folder_that_takes_no_file_is_explained(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where only others may write; the superuser may write everywhere."""

    def refuse(_delivery: Delivery, _folder: Path) -> Path:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Delivery, "open_temporary_folder", refuse)
    status, body = send(client, "PUT", at("data/tiny/a.yaml"), b"x", **NEW)
    assert (
        status == 200 and "can't be written: Permission denied; allow writing there" in json.loads(body)["problems"][0]
    )


# Sizes.


def test_a_file_is_not_larger_than_the_program_reads(client: Client, tiny: TinyProject) -> None:
    """The server refuses it before it comes."""
    line = socket.create_connection(("127.0.0.1", client.server.port), timeout=PATIENCE)
    own = f"127.0.0.1:{client.server.port}"
    head = [f"PUT {client.home}{at('data/tiny/new.yaml')} HTTP/1.1", f"Host: {own}", f"Origin: http://{own}",
            "Content-Type: application/octet-stream", "If-None-Match: *", f"Content-Length: {2**27 + 1}", "", ""]  # fmt: skip
    line.sendall("\r\n".join(head).encode())
    assert line.recv(12) == b"HTTP/1.1 413"
    line.close()
    assert not (tiny.root / "data/tiny/new.yaml").exists()


def test_a_file_that_comes_in_part_is_not_written(client: Client, tiny: TinyProject) -> None:
    own, before = f"127.0.0.1:{client.server.port}", (tiny.root / DATA).read_bytes()
    head = [f"PUT {client.home}{at(DATA)} HTTP/1.1", f"Host: {own}", f"Origin: http://{own}", "Content-Length: 100",
            "Content-Type: application/octet-stream", f'If-Match: "{sha256(before).hexdigest()}"', "", "title"]  # fmt: skip
    assert client.raw("\r\n".join(head).encode()) == b""
    assert (tiny.root / DATA).read_bytes() == before


# Questions.


@pytest.mark.parametrize(
    "question",
    [b"", b"{", b"[" * 99_999, b"{}", b"[]", b'"files"', b'["files", 1]', b'["find", "data"]', b'["table", "a.csv"]',
     b'["table", "a.csv", [1]]', b'["hint", "a", "b", true, []]', b'[["files"]]', b'["write", "a", "b", ""]', b"\xff"],
)  # fmt: skip
def test_what_is_no_question_is_refused(client: Client, question: bytes) -> None:
    assert send(client, "POST", "/ask", question, Content_Type="application/json")[0] == 400


def test_the_page_asks_what_it_needs_to_know(client: Client) -> None:
    assert client.json("/edit.json")["takes"] == {"bytes": 2**27}
    text = (client.server.gallery.root / DATA).read_text(encoding="utf-8")
    offered = json.loads(send(client, "POST", "/ask", ["offers", DATA, f"{text}pal", len(text) + 3, ["en"]])[1])
    assert {"rules", "setup"} & {one["name"] for one in offered["names"]}
    status, place = send(client, "POST", "/admit/table.csv?game=tiny", b"a,b\n")
    assert (status, json.loads(place)) == (200, "data/tiny/table.csv")
    assert "problems" in json.loads(send(client, "POST", "/admit/a.png?game=tiny", b"text")[1])


CHANGES = [
    b"", b"[]", b"{}", b"[1]", b'[{"row": 0, "column": 1, "text": ""}]', b'[{"row": 1, "column": 1e9, "text": ""}]',
    b'[{"row": 1, "column": 99999, "text": ""}]', b'[{"row": 1, "gone": 1}]', b'[{"row": 1, "column": 1, "text": 1}]',
    b'[{"row": 1, "column": 1, "text": "", "x": 1}]', b"[" * 99_999,
]  # fmt: skip


@pytest.mark.parametrize("changes", CHANGES, ids=lambda changes: changes[:50].decode())
def test_what_are_no_changes_of_cells_is_refused(client: Client, changes: bytes) -> None:
    assert send(client, "POST", "/cells/data%2Ftiny%2Fa.csv", changes + b"\na,b\n")[0] == 400


def test_cells_change_in_the_table_that_the_page_knows(client: Client, tiny: TinyProject) -> None:
    """Another program may have changed the file: what it wrote is not mixed with what the page shows."""
    (tiny.root / "data/tiny/a.csv").write_bytes(b"other\n")
    changes = b'[{"row": 2, "column": 1, "text": "x\\ny"}]\n'
    assert send(client, "POST", "/cells/data%2Ftiny%2Fa.csv", changes + b"a,b\n1,2\n") == (200, b'a,b\n"x\ny",2\n')
    assert (tiny.root / "data/tiny/a.csv").read_bytes() == b"other\n"


# The command.


def test_the_command_prints_the_secret_and_names_files_from_the_project(
    tiny: TinyProject, tmp_path: Path, pnp: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it is called: the page finds the lines of cards and problems by these names."""
    found = list[Any]()

    def look(server: PageServer) -> None:
        found.extend([server.url, server.gallery.get_game("tiny"), server.routes.answer("/codemirror/x.js")])
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PNP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(PageServer, "serve_forever", look)
    ran = pnp("serve", "--edit", "--port", "0", "--project", str(tiny.root), code=0)
    assert found[0] in ran.out and "texts are edited in a plain field" in ran.out
    assert not (tmp_path / "cache").exists(), "nothing is downloaded or made"
    monkeypatch.setattr("generator.live.serve.load_editor", lambda *_given: ((), ""))
    assert pnp("serve", "--edit", "--port", "0", "--project", str(tiny.root), code=0).out.startswith("http://")
    assert [one["place"].split(":")[0] for one in found[1]["kinds"][0]["designs"]] == [DATA, DATA]
    assert found[2].status == 404


# In the browser.

TEXT = "document.querySelector('.edit textarea')"
SAID = "document.querySelector('.editing > [role=status]').textContent"


def type_in_place(tab: Tab, before: str, after: str) -> None:
    """Replace a word in the open file, as by marking it and typing."""
    tab.run(
        f"""(() => {{ const text = {TEXT}, from = text.value.indexOf({json.dumps(before)});
        text.focus(); text.setSelectionRange(from, from + {len(before)}); }})()"""
    )
    tab.type(after)


def click(tab: Tab, words: str) -> None:
    """Press the button that is called so, in the workbench or above it."""
    find = f"[...document.querySelectorAll('button')].find((one) => one.textContent === {json.dumps(words)})"
    tab.wait(f"Boolean({find})", words)
    tab.run(f"{find}.click()")


def show(tab: Tab, path: str) -> None:
    """Open a file by the tree."""
    entry = f"document.querySelector('#files [data-path=\"{path}\"]')"
    tab.wait(f"Boolean({entry})", path)
    tab.run(f"{entry}.click()")


def open_data(tab: Tab) -> None:
    click(tab, "Files…")
    show(tab, DATA)
    tab.wait(f"{TEXT}.value.includes('title: One')")


@pytest.mark.slow
def test_a_word_that_is_typed_in_the_page_is_in_the_file_and_on_the_card(tab: Tab, tiny: TinyProject) -> None:
    old = tab.run(f"{PICTURE}.src")
    open_data(tab)
    type_in_place(tab, "title: One", "title: Uno")
    tab.wait(f"{SAID} === 'saved'")
    assert "title: Uno" in (tiny.root / DATA).read_text(encoding="utf-8")
    tab.wait(f"{PICTURE}?.src && {PICTURE}.src !== {json.dumps(old)}", "the new picture")
    tab.wait("document.querySelector('[data-design=\"card/one\"]').textContent.includes('Uno')")
    for word in (" dos", " tres", " cuatro"):  # the cursor stays where it was, whatever the server tells meanwhile
        tab.type(word)
        expect_soon(lambda typed=f"{word},": typed in (tiny.root / DATA).read_text(encoding="utf-8"))
    assert "title: Uno dos tres cuatro," in (tiny.root / DATA).read_text(encoding="utf-8")
    assert tab.run("document.querySelector('.offers li')") is None


@pytest.mark.slow
def test_the_page_offers_both_versions_of_a_file_that_an_editor_has_saved(tab: Tab, tiny: TinyProject) -> None:
    file = tiny.root / DATA
    open_data(tab)
    for choice, kept in (("Keep this page's version", "title: Mine"), ("Use the file's version", "title: Theirs")):
        text = file.read_text(encoding="utf-8")
        word = text[text.index("title: ", text.index("designs")) :].split(",")[0].split("}")[0]
        theirs = text.replace(word, "title: Theirs")
        type_in_place(tab, word, "title: Mine")  # counts after 250 ms
        save(file, theirs)
        tab.wait("document.querySelector('.offers li') !== null", "a question")
        tab.wait(f"{SAID}.startsWith('not saved')")
        assert file.read_text(encoding="utf-8") == theirs, "the other version stays until the reader chooses"
        assert tab.run(f"{TEXT}.value.includes('title: Mine')"), "what was typed stays, too"
        click(tab, choice)
        tab.wait(f"document.querySelector('.offers li') === null && {TEXT}.value.includes({json.dumps(kept)})", choice)
        expect_soon(lambda wanted=kept: wanted in file.read_text(encoding="utf-8"))
        assert tab.run(f"{TEXT}.value") == file.read_text(encoding="utf-8")
    tab.complaints[:] = [one for one in tab.complaints if "412" not in one]  # the console tells of each answer


@pytest.mark.slow
def test_what_an_editor_saves_comes_into_the_page(tab: Tab, tiny: TinyProject) -> None:
    open_data(tab)
    save(tiny.root / DATA, (tiny.root / DATA).read_text(encoding="utf-8").replace("title: One", "title: Elsewhere"))
    tab.wait(f"{TEXT}.value.includes('title: Elsewhere')")
    assert tab.run(f"{TEXT}.value") == (tiny.root / DATA).read_text(encoding="utf-8")
    (tiny.root / "data/tiny/more.csv").write_text("a,b\n", encoding="utf-8")
    tab.wait("document.querySelector('[data-path=\"data/tiny/more.csv\"]') !== null", "the new file in the tree")


@pytest.mark.slow
def test_a_table_is_changed_by_its_cells_and_files_by_the_tree(tab: Tab, tiny: TinyProject) -> None:
    table = tiny.root / "data/tiny/list.csv"
    table.write_bytes(b"a,b\r\n1,2\r\n")
    open_data(tab)
    show(tab, "data/tiny/list.csv")
    cell = 'document.querySelector(\'.cells tr[data-row="2"] [data-column="2"]\')'
    tab.wait(f"{cell}?.value === '2'")
    tab.run(f"{cell}.focus(); {cell}.select()")
    tab.type("two")
    tab.press("Enter")
    expect_soon(lambda: table.read_bytes() == b"a,b\r\n1,two\r\n")
    Image.new("RGB", (7, 5)).save(tiny.root / "templates/tiny/dot.png")
    show(tab, "templates/tiny/dot.png")
    tab.wait("document.querySelector('.picture-pane').textContent.includes('7 × 5 pixels')", "the picture")
    show(tab, "data/tiny/list.csv")
    tab.wait("document.querySelector('.tree summary').textContent === 'data/tiny/list.csv'")
    click(tab, "Rename…")
    tab.run("document.getElementById('path').value = 'data/tiny/other.csv'")
    click(tab, "OK")
    expect_soon(lambda: (tiny.root / "data/tiny/other.csv").exists() and not table.exists())
    assert (tiny.root / "data/tiny/other.csv").read_bytes() == b"a,b\r\n1,two\r\n"
    tab.run("confirm = () => true")
    tab.wait("document.querySelector('.tree summary').textContent === 'data/tiny/other.csv'")
    click(tab, "Delete")
    expect_soon(lambda: not (tiny.root / "data/tiny/other.csv").exists())
