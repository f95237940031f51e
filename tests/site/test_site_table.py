"""The table of a site: the same page, asked of the Python in it."""

from collections.abc import Callable

import pytest
from browser import Tab
from site_fixtures import OPEN, Site, stored
from table_cases import GAMES
from table_tabs import check_one_page, check_whole_game, choices_on, sit_down
from test_page_notes import today
from tests_support import quick

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", quick(GAMES, "fortuna", rest="release"))
def test_a_whole_game_in_a_site(browser: Callable[[], Tab], site: Site, name: str) -> None:
    tab = browser()
    tab.size(1280, 860)
    sit_down(tab, f"{site.url}games/", name)
    assert tab.run(OPEN)
    check_whole_game(tab, name)
    own = (f"{site.url}games/", f"{site.url}favicon.ico", "about:", "data:", "blob:")  # a browser asks for an icon
    assert [url for url in tab.requests if not url.startswith(own)] == []
    assert [said for said in tab.complaints if "favicon.ico" not in said] == []


def test_from_the_workbench_to_the_table_and_back(home: Tab) -> None:
    """Play this game shows the table in the same document, and Python is not begun again."""
    begun = len([url for url in home.requests if "worker.js" in url])
    check_one_page(home)
    assert len([url for url in home.requests if "worker.js" in url]) == begun


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


def test_a_note_about_a_move_is_stored_with_the_project(browser: Callable[[], Tab], site: Site) -> None:
    """It goes where the workbench keeps files, unless another tab has the project open."""
    tab, other = browser(), browser()
    moves = choices_on("fortuna", 1)
    sit_down(tab, f"{site.url}games/", "fortuna", moves=moves)
    buttons = "document.querySelectorAll('#log .note-on')"
    tab.run(f"{buttons}[0].click()")
    tab.wait("document.getElementById('note').open")
    tab.run("document.getElementById('note-text').value = 'Why so?'; document.getElementById('note-go').click()")
    tab.wait("!document.getElementById('note').open", "the note to be stored")
    assert "Why so?" in stored(tab, "", f"sessions/fortuna/{today()}-1.yaml")
    sit_down(other, f"{site.url}games/", "fortuna", moves=moves)
    other.run(f"{buttons}[0].click()")
    other.run("document.getElementById('note-text').value = 'Lost'; document.getElementById('note-go').click()")
    other.wait("document.getElementById('note-said').textContent.includes('open in another tab')")
    assert "Lost" not in stored(tab, "", f"sessions/fortuna/{today()}-1.yaml")
