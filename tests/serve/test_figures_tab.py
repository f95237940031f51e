"""The figures tab of the live page: what `pnp figures` writes, as the game is now."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from browser import Tab
from serve_cases import Client, data_file, save, served
from tests_support import TinyProject

FRAME = "document.querySelector('#figures iframe:not(.coming)')"


@pytest.fixture
def client(tiny: TinyProject) -> Iterator[Client]:
    with served(tiny.root) as found:
        yield found


def page_of_command(tiny: TinyProject, pnp: Any) -> str:
    out = tiny.root / "output"
    assert pnp("figures", "--project", str(tiny.root), "--format", "html", "--out", str(out)).code == 0
    return (out / "tiny" / "figures.en.html").read_text(encoding="utf-8")


def test_figures_have_the_bytes_of_the_command(client: Client, tiny: TinyProject, pnp: Any) -> None:
    answer, body = client.get("/figures/tiny/en.html")
    assert (answer.status, body.decode()) == (200, page_of_command(tiny, pnp))
    assert "frame-ancestors 'self'" in str(answer.getheader("Content-Security-Policy"))
    for target in ("/figures/tiny/xx.html", "/figures/nobody/en.html", "/figures/tiny/en.pdf"):
        assert client.get(target)[0].status == 404


def test_figures_follow_a_change(tab: Tab, tiny: TinyProject, pnp: Any) -> None:
    shown = "document.getElementById('figures').text"
    tab.run("document.getElementById('tab-figures').click()")
    tab.wait(f"{FRAME} !== null && {shown} === {json.dumps(page_of_command(tiny, pnp))}", "the figures")
    data = data_file(tiny)
    save(data, data.read_text(encoding="utf-8").replace("title: One, ", "title: Thirty31, "))
    after = page_of_command(tiny, pnp)
    assert "Thirty31" in after
    tab.wait(f"{shown} === {json.dumps(after)}", "the new figures")
    tab.wait(f"{FRAME}?.contentDocument.body.textContent.includes('Thirty31')", "the new figures in their frame")
    save(data, data.read_text(encoding="utf-8").replace("components:", "componets:"))
    tab.wait("document.querySelector('#figures .unmade, #problems:not([hidden])') !== null", "the problems")
    assert tab.run(f"{FRAME} !== null"), "the last good figures stay"
