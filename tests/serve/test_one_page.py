"""The table in the workbench's document, and by its own address."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser import Tab, firefox
from conftest import ROOT
from serve_cases import Client, served
from table_tabs import FRAMED, check_one_page, sit_down
from tests_support import TinyProject


@pytest.fixture(scope="module")
def fortuna() -> Iterator[Client]:
    with served(ROOT, "fortuna") as found:
        yield found


@pytest.fixture
def bench(browser: Callable[[], Tab], fortuna: Client) -> Iterator[Tab]:
    tab = browser()
    tab.size(1300, 850)
    tab.open(f"{fortuna.server.url}#fortuna/components")
    yield tab
    assert tab.complaints == []
    tab.run("localStorage.clear()")
    tab.call("Page.navigate", url="about:blank")


def test_from_the_workbench_to_the_table_and_back(bench: Tab) -> None:
    pages = [url for url in bench.requests if url.endswith("/app.js")]
    check_one_page(bench)
    assert [url for url in bench.requests if url.endswith("/app.js")] == pages


@pytest.mark.slow
def test_one_page_in_firefox(tool: Callable[[str], str], fortuna: Client, tmp_path: Path) -> None:
    with firefox(tool("firefox-esr"), tmp_path) as tab:
        tab.size(1300, 850)
        tab.go(f"{fortuna.server.url}#fortuna/components")
        tab.wait("document.querySelector('.face.drawn')?.offsetWidth > 0", "the workbench")
        check_one_page(tab)
        tab.run("document.getElementById('play').click()")
        box, made = (
            f"{FRAMED}.querySelector('#moves button[data-move]')",
            "JSON.parse(localStorage.getItem('pnp.table.fortuna')).moves.length",
        )
        before = tab.run(made)
        tab.click(tab.run(f"(({{ x, y }}) => [Math.round(x) + 9, Math.round(y) + 9])({box}.getBoundingClientRect())"))
        tab.wait(f"{made} > {before} && {FRAMED}.getElementById('banner').hidden", "a move")
        assert tab.complaints == []


def test_the_tables_own_address_shows_it_alone(bench: Tab, fortuna: Client) -> None:
    """Its way home opens the workbench, whose table is then a view of it."""
    sit_down(bench, fortuna.server.url, "fortuna")
    assert bench.run("document.querySelector('iframe, #components')") is None
    bench.run("document.getElementById('home').click()")
    bench.wait("document.querySelector('.face.drawn')?.offsetWidth > 0", "the workbench")
    assert bench.run("location.hash") == "#fortuna/components"
    bench.run("document.getElementById('play').click()")
    bench.wait(f"{FRAMED}?.querySelectorAll('#moves button').length > 0", "the same game")


def test_a_change_at_the_table_leaves_its_title(browser: Callable[[], Tab], tiny: TinyProject) -> None:
    """What the workbench learns meanwhile is there when the reader comes back."""
    with served(tiny.root) as client:
        tab = browser()
        tab.open(f"{client.server.url}#tiny/components")
        tab.run("document.getElementById('play').click()")
        tab.wait(f"{FRAMED}?.title.startsWith('Tiny')", "the table")
        title = tab.run("document.title")
        tiny.change("data/tiny/game.yaml", "title: Tiny", "title: Larger")
        tab.wait("document.getElementById('title').textContent === 'Larger'", "the new title")
        assert tab.run("document.title") == title
        tab.run("history.back()")
        tab.wait("document.title.startsWith('Larger')", "the workbench's title")
        tab.call("Page.navigate", url="about:blank")


def test_no_other_page_frames_the_table() -> None:
    """A room has no workbench, so that nothing frames its table."""
    with served(ROOT, "fortuna", ahead=False) as workbench:
        policy = workbench.get("/play.html")[0].getheader("Content-Security-Policy") or ""
        assert policy.endswith("frame-ancestors 'self'")
    with served(ROOT, "fortuna", seats="Anna,Ben,Cleo", ahead=False) as room:
        assert room.server.room is not None
        for page in ("", "play.html", "index.html"):
            answer, _ = room.get(f"/{room.server.room.host_key}/{page}")
            assert (answer.getheader("Content-Security-Policy") or "").endswith("frame-ancestors 'none'"), page
