"""The table of a site: the same page, asked of the Python in it."""

from collections.abc import Callable

import pytest
from browser import Tab
from site_fixtures import OPEN, Site
from table_cases import GAMES
from table_tabs import check_whole_game, sit_down
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
    """Play this game opens the table of the project that is open, and the table's own way home opens the workbench."""
    home.run("document.getElementById('play').click()")
    home.wait(
        "location.pathname.endsWith('/play.html') && document.querySelectorAll('#moves button, .begin').length > 0"
    )
    home.wait(OPEN)
    home.run("document.getElementById('home').click()")
    home.wait("location.pathname.endsWith('/index.html')")
    home.wait(f"{OPEN} && document.querySelector('.face.drawn') !== null", "the workbench")
    assert home.run(OPEN)
