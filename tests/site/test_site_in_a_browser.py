"""A site in a real browser: served as plain files on loopback, with no other line."""

import functools
import hashlib
import http.server
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import browser as driving
import pytest
from browser import Tab

from generator.cli.stored import cache_folder
from generator.load.project import find_project
from generator.site.folder import make_site
from generator.site.runtime import runtime_folder, runtime_of

ROOT = Path(__file__).parents[2]

LONG = 600.0
"""Seconds that a busy machine may take to begin Python in a browser; tests go on as soon as it has."""

OPEN = "document.documentElement?.dataset.site === 'open'"
KEPT = "/works without a line/.test(document.querySelector('.note')?.textContent)"
FACE = "document.querySelector('[data-key=\"en:front:reel/1-wheat\"]')"
DATA = "data/fortuna/components.yaml"


class Plain(http.server.SimpleHTTPRequestHandler):
    """What any web server does, and nothing else."""

    def log_message(self, *_said: Any) -> None:
        """Silent."""


class Site:
    """A folder served on loopback, until it is not."""

    def __init__(self, folder: Path):
        self._server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Plain, directory=str(folder))
        )
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def end(self) -> None:
        """Nobody answers there any more."""
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module", autouse=True)
def patience() -> Iterator[None]:
    """The browser's tests wait longer here."""
    before, driving.PATIENCE = driving.PATIENCE, LONG
    yield
    driving.PATIENCE = before


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, tool: Callable[[str], str]) -> Path:
    """The site of Fortuna, in a folder below the root of the server: it may stand anywhere."""
    for program in ("npm", "node"):
        tool(program)
    home = tmp_path_factory.mktemp("www")
    kept = runtime_folder(cache_folder())
    make_site(find_project(ROOT, ROOT), ("fortuna",), home / "games", runtime_of(None, kept, print), print)
    return home


@pytest.fixture(scope="module")
def tab(browser: Callable[[], Tab], folder: Path) -> Iterator[tuple[Tab, Site]]:
    """The site, open for the first time and kept."""
    site = Site(folder)
    found = browser()
    found.size(1300, 850)
    found.call("Page.navigate", url=f"{site.url}games/#fortuna/components")
    found.wait(f"{OPEN} && {KEPT} && {FACE}?.classList.contains('drawn')", "the first visit")
    yield found, site
    site.end()


def run(tab: Tab, *words: str) -> dict[str, Any]:
    """Run a command in the page: exit code, what was made by sha256, what was said."""
    return dict(
        tab.run(f"""(async () => {{
            const machine = await import("./machine.js");
            let said = "";
            const {{ code, made }} = await machine.command({json.dumps(words)}, (text) => {{ said += text; }});
            const sums = {{}};
            for (const path of made) {{
                const sum = await crypto.subtle.digest("SHA-256", await machine.ask("read", path));
                sums[path] = [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
            }}
            return {{ code, said, made: sums }};
        }})()""")
    )


def edit(tab: Tab, path: str, before: str, after: str) -> None:
    """Change a text in the editor, as typing does."""
    assert tab.run(f"""(async () => {{
        const editor = await import("./editor.js");
        await editor.go({json.dumps(path)}, 1);
        const text = document.getElementById("text");
        const found = text.value.includes({json.dumps(before)});
        text.value = text.value.replace({json.dumps(before)}, {json.dumps(after)});
        text.dispatchEvent(new Event("input"));
        return found;
    }})()""")


def test_the_first_visit(tab: tuple[Tab, Site]) -> None:
    """Everything comes from the site itself, nothing complains, and the page says what it loads."""
    page, site = tab

    strangers = [url for url in page.requests if not url.startswith((f"{site.url}games/", "about:", "data:", "blob:"))]
    assert (strangers, page.complaints) == ([], [])
    assert len(page.requests) > 20, "the test must see requests"


def test_a_card_follows_an_edit(tab: tuple[Tab, Site]) -> None:
    """What is typed is drawn without being asked for, and stored in this browser."""
    page, _ = tab
    before = page.run(f"{FACE}.dataset.version")
    edit(page, "data/fortuna/game.yaml", 'draft:     "2"', 'draft:     "3"')  # it stands in each card's stamp
    page.wait(f"{FACE}.dataset.version !== {json.dumps(before)} && {FACE}.dataset.version", "another picture")
    assert page.wait("document.getElementById('subtitle').textContent.includes('draft 3')")
    edit(page, "data/fortuna/game.yaml", 'draft:     "3"', 'draft:     "2"')
    page.wait(f"{FACE}.dataset.version === {json.dumps(before)}", "the first picture again")


def test_a_broken_file_is_told_at_its_line(tab: tuple[Tab, Site]) -> None:
    """The line is marked in the editor, the problem stands below it, and both go when it is mended."""
    page, _ = tab
    edit(page, DATA, "\nicons:\n", "\nicons: ]\n")
    page.wait("document.querySelectorAll('#wrong li').length > 0", "the problem")
    said = page.run("document.getElementById('wrong').textContent")
    line = page.run("document.getElementById('text').value.split('\\n').indexOf('icons: ]') + 1")
    assert said.startswith(f"{DATA}:{line}:")
    assert page.run("document.querySelector('.lines .marked').textContent").endswith(str(line))
    edit(page, DATA, "\nicons: ]\n", "\nicons:\n")
    page.wait("document.querySelectorAll('#wrong li, .lines .marked').length === 0", "the problem's end")


def test_what_is_printed_is_the_same(tab: tuple[Tab, Site], pnp: Callable[..., Any], tmp_path: Path) -> None:
    """Sheets, rulebook, booklet and web page of Fortuna have the bytes that this machine's Python writes."""
    page, _ = tab
    for command in ("sheets", "rulebook"):
        there = run(page, command, "fortuna", "--lang", "en")
        assert pnp("--project", str(ROOT), command, "fortuna", "--lang", "en", "--out", str(tmp_path)).code == 0
        here = {
            f"output/{path.relative_to(tmp_path).as_posix()}": hashlib.sha256(path.read_bytes()).hexdigest()
            for path in tmp_path.rglob("*.*")
        }
        assert there["code"] == 0, there["said"]
        assert there["made"] == here
        assert here, "the test must see files"
        shutil.rmtree(tmp_path / "fortuna")


def test_what_can_not_be_had_is_named(tab: tuple[Tab, Site]) -> None:
    """A command that needs what no browser has says so, and a wrong one is told as in a terminal."""
    page, _ = tab
    assert "needs pikepdf" in run(page, "shop", "fortuna")["said"]
    wrong = run(page, "sheets", "fortune")
    assert wrong["code"] == 1
    assert "unknown game 'fortune'" in wrong["said"]
