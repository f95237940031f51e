"""A real browser, and the page open in it: whoever asks for a `tab` has a `client` of the games that it shows."""

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from browser import Tab, chromium
from page_cases import DRAWN
from serve_cases import Client


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
