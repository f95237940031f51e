"""A real browser, and the page open in it: whoever asks for a `tab` has a `client` of the games that it shows."""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack

import pytest
from browser import Tab, chromium
from page_cases import DRAWN
from serve_cases import Client, served
from table_cases import ROOT
from table_tabs import sit_down


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], Tab]]:
    """One browser for all; the tests are skipped where there is none, and fail in CI."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        if os.environ.get("CI"):
            pytest.fail("chromium is not installed; .ci/run should have installed it")
        pytest.skip("chromium is not installed")
    with chromium(program, tmp_path_factory.mktemp("browser")) as new:
        yield new


@pytest.fixture
def tab(browser: Callable[[], Tab], client: Client) -> Iterator[Tab]:
    """The page, open on the tiny game with both pictures drawn; afterwards nothing must have complained."""
    found = browser()
    found.size(1200, 800)
    found.open(client.server.url)
    found.run("localStorage.clear()")
    found.open(f"{client.server.url}#tiny/components")
    found.wait(f"document.getElementById('components').dataset.game === 'tiny' && {DRAWN} === 2", "two pictures")
    yield found
    assert found.complaints == []
    strangers = [url for url in found.requests if not url.startswith((client.server.url, "about:", "data:"))]
    assert strangers == [], "a request left the machine"
    assert len(found.requests) > 5, "the test must see requests"
    found.run("localStorage.clear()")
    found.call("Page.navigate", url="about:blank")  # a page whose server has gone would go on looking for it


@pytest.fixture
def table(browser: Callable[[], Tab]) -> Iterator[Callable[..., Tab]]:
    """Opens the table of a game; afterwards nothing must have complained, and nothing have left the machine."""
    tab, servers = browser(), list[str]()
    with ExitStack() as stack:

        def opened(
            name: str,
            *,
            people: str = "1",
            wide: int = 1280,
            high: int = 860,
            moves: Sequence[int] = (),
            speed: float = 1000,
        ) -> Tab:
            url = stack.enter_context(served(ROOT, name)).server.url
            servers.append(url)
            tab.size(wide, high)
            sit_down(tab, url, name, people=people, moves=moves, speed=speed)
            return tab

        yield opened
        assert tab.complaints == []
        own = (*servers, "about:", "data:", "blob:")
        assert [url for url in tab.requests if not url.startswith(own)] == [], "a request left the machine"
        tab.run("localStorage.clear()")
        tab.call("Page.navigate", url="about:blank")
