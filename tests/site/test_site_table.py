"""The table of a site: the same page, asked of the Python in it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser import Tab, chromium
from site_fixtures import OPEN, Site, stored
from table_cases import GAMES
from table_tabs import FRAMED, check_one_page, check_whole_game, choices_on, sit_down
from test_page_notes import today
from tests_support import quick

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", quick(GAMES, "fortuna", rest="release"))
def test_a_whole_game_in_a_site(browser: Callable[[], Tab], site: Site, name: str) -> None:
    tab = browser()
    tab.size(1280, 860)
    sit_down(tab, f"{site.url}games/", name, framed=True)
    check_whole_game(tab, name)
    own = (f"{site.url}games/", f"{site.url}favicon.ico", "about:", "data:", "blob:")  # a browser asks for an icon
    assert [url for url in tab.requests if not url.startswith(own)] == []
    assert [said for said in tab.complaints if "favicon.ico" not in said] == []


def test_from_the_workbench_to_the_table_and_back(home: Tab) -> None:
    """Play this game shows the table in the same document, and Python is not begun again."""
    begun = len([url for url in home.requests if "worker.js" in url])
    check_one_page(home)
    assert len([url for url in home.requests if "worker.js" in url]) == begun


WORKERS = "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/worker.js')).length"
"""How often the page began Python."""


def test_a_tables_address_opens_it_in_the_workbench(browser: Callable[[], Tab], site: Site) -> None:
    """The start page, a link to a moment of a game and a new load lead to one document with one Python."""
    tab = browser()
    tab.size(1300, 850)
    tab.call("Page.navigate", url=f"{site.url}games/")
    fortuna = "document.querySelector('#start a[href$=\"#fortuna\"]')"
    tab.wait(f"{fortuna} !== null", "the start page")
    tab.run(f"localStorage.removeItem('pnp.table.fortuna'), {fortuna}.click()")
    tab.wait(f"{FRAMED}?.getElementById('begin')?.open && {OPEN}", "the table")
    home, length = tab.run("[location.href, history.length]")
    assert home == f"{site.url}games/play.html#fortuna"
    tab.run(f"{FRAMED}.getElementById('begin-go').click()")
    tab.wait(f"{FRAMED}.querySelectorAll('#moves button').length > 0", "a game")
    tab.run("document.documentElement.dataset.site = 'before'")
    tab.call("Page.reload")
    tab.wait(f"{FRAMED}?.querySelectorAll('#moves button').length > 0 && {OPEN}", "the same game")
    assert tab.run("[location.href, history.length]") == [home, length], "a new load adds no step to the history"
    tab.run(f"{FRAMED}.getElementById('home').click()")
    tab.wait("location.hash === '#fortuna/components' && document.querySelector('.face.drawn')?.offsetWidth > 0")
    assert tab.run(WORKERS) == 1
    tab.run("history.back()")
    tab.wait(f"location.href === {json.dumps(home)} && {FRAMED}?.defaultView.frameElement.offsetWidth > 0", "the table")
    moves = tab.run(f"{choices_on('fortuna', 1)}.map((one) => one.toString(36)).join('.')")
    moment = f"{home}&players={GAMES['fortuna']}&people=1&bots=random&seed=1%2F3&moves={moves}"
    tab.call("Page.navigate", url="about:blank")
    tab.call("Page.navigate", url=moment)
    tab.wait(f"{FRAMED}?.querySelectorAll('#log li button').length > 0 && {OPEN}", "a moment of a game")
    assert tab.run("location.href") == moment
    tab.run(f"{FRAMED}.querySelector('#moves button').click()")
    tab.wait(f"location.href === {json.dumps(home)}", "that the game is now one's own")
    assert [said for said in tab.complaints if "favicon.ico" not in said] == []


def test_a_room_from_the_workbench_is_a_page_of_its_own(home: Tab) -> None:
    """A room has a Python of its own, so that the table leaves the workbench's document and opens it there."""
    table = "document.querySelector('iframe.table')?.contentDocument"
    home.run("document.getElementById('play').click()")
    home.wait(f"{table}?.querySelectorAll('#moves button').length > 0", "the game")
    home.run(f"{table}.getElementById('new').click()")
    home.run(f"{table}.getElementById('begin-room').click()")
    home.wait(f"!document.getElementById('project') && {OPEN}", "the table")
    home.wait("document.querySelectorAll('#room .room-seats li, #room li').length > 1", "the seats of the room")
    assert home.run("location.pathname").endswith("/play.html")
    assert not home.run("sessionStorage.getItem('pnp.room')")


@pytest.fixture
def fresh(tool: Callable[[str], str], tmp_path: Path) -> Iterator[Callable[[], Tab]]:
    """Yield a browser without tabs that already have a project open."""
    with chromium(tool("chromium"), tmp_path) as new:
        yield new


def test_a_note_about_a_move_is_stored_with_the_project(fresh: Callable[[], Tab], site: Site) -> None:
    """It goes where the workbench keeps files, unless another tab has the project open."""
    tab, other = fresh(), fresh()
    moves = choices_on("fortuna", 1)
    sit_down(tab, f"{site.url}games/", "fortuna", moves=moves, framed=True)
    buttons = "document.querySelectorAll('#log .note-on')"
    tab.run(f"{buttons}[0].click()")
    tab.wait("document.getElementById('note').open")
    tab.run("document.getElementById('note-text').value = 'Why so?'; document.getElementById('note-go').click()")
    tab.wait("!document.getElementById('note').open", "the note to be stored")
    tab.enter()
    assert "Why so?" in stored(tab, "", f"sessions/fortuna/{today()}-1.yaml")
    sit_down(other, f"{site.url}games/", "fortuna", moves=moves, framed=True)
    other.run(f"{buttons}[0].click()")
    other.run("document.getElementById('note-text').value = 'Lost'; document.getElementById('note-go').click()")
    other.wait("document.getElementById('note-said').textContent.includes('open in another tab')")
    assert "Lost" not in stored(tab, "", f"sessions/fortuna/{today()}-1.yaml")
