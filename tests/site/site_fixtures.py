"""The site of all games, made once for every test that opens it, and served as any web server would."""

import functools
import http.server
import json
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import browser as driving
import pytest
from browser import Tab
from conftest import ROOT
from filelock import FileLock

from generator.commands.settings import cache_folder
from generator.game.project import find_project
from generator.live.project_files import FOLDERS
from generator.live.site import make_site
from generator.live.site_runtime import load_runtime, open_runtime_folder

LONG = 600.0
"""Seconds that a busy machine may take to begin Python in a browser; tests go on as soon as it has."""

KEPT = "/works offline|オフラインでも/.test(document.querySelector('.note')?.textContent)"
OPEN = "document.documentElement?.dataset.site === 'open'"
PROJECT = "document.getElementById('project')"


class Plain(http.server.SimpleHTTPRequestHandler):
    """What any web server does, and what some do: names that end in `.gz` are said to be packed on their way."""

    def end_headers(self) -> None:
        if self.path.endswith(".gz"):
            self.send_header("Content-Encoding", "gzip")
        super().end_headers()

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
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory, tool: Callable[[str], str]) -> Path:
    """The site of all games, in a folder below the root of the server: it may stand anywhere. All workers share one."""
    for program in ("npm", "node"):
        tool(program)
    own = tmp_path_factory.getbasetemp()
    home = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "www"
    with FileLock(f"{home}.lock"):
        if not home.exists():
            kept = open_runtime_folder(cache_folder())
            make_site(find_project(ROOT, ROOT), (), home / "games", load_runtime(None, kept, print), print)
    return home


@pytest.fixture(scope="module")
def patience() -> Iterator[None]:
    before, driving.PATIENCE = driving.PATIENCE, LONG
    yield
    driving.PATIENCE = before


@pytest.fixture(scope="module")
def site(site_folder: Path, patience: None) -> Iterator[Site]:
    found = Site(site_folder)
    yield found
    found.end()


@pytest.fixture(scope="module")
def home(browser: Callable[[], Tab], site: Site) -> Tab:
    """The site, open in a tab with Fortuna's components and the workbench."""
    page = browser()
    page.size(1300, 850)
    page.call("Page.navigate", url=f"{site.url}games/#fortuna/components")
    page.wait(f"{OPEN} && {KEPT}", "the site")
    return page


VIEW = """(await import("./codemirror/codemirror-view.js")).EditorView.findFromDOM(
    document.getElementById("text").shadowRoot.querySelector(".cm-editor"))"""
"""The editor's field."""


def in_view(tab: Tab, script: str) -> Any:
    """What a script returns that knows the field as `view` and its text as `text`."""
    return tab.run(f"(async () => {{ const view = {VIEW}, text = view.state.doc.toString(); {script} }})()")


def edit(tab: Tab, path: str, before: str, after: str) -> None:
    """Change a text in the editor, as typing does."""
    tab.run(f"import('./editor.js').then((editor) => editor.go({json.dumps(path)}, 1))")
    assert in_view(
        tab,
        f"""const from = text.indexOf({json.dumps(before)});
        if (from >= 0) view.dispatch({{ changes: {{ from, to: from + {len(before)}, insert: {json.dumps(after)} }} }});
        return from >= 0;""",
    )


def click(tab: Tab, words: str) -> None:
    """Press the button that is called so, in the workbench."""
    tab.run(
        f"""[...document.querySelectorAll("button")].filter((one) => one.textContent === {json.dumps(words)}).at(-1).click()"""
    )


def ask(tab: Tab, module: str, script: str) -> Any:
    """What a script returns that knows one of the page's modules by its name."""
    return tab.run(f"""(async () => {{ const {module} = await import("./{module}.js"); {script} }})()""")


def stored(tab: Tab, project: str, path: str) -> str:
    """A text as it is stored in the browser; nothing where it is not."""
    script = f"""const all = await projects.listStored({json.dumps(project)});
        const found = all.find((one) => one.path === {json.dumps(path)});
        return found?.data ? new TextDecoder().decode(found.data) : "";"""
    return str(ask(tab, "projects", script))


def told(tab: Tab, words: str) -> None:
    """Wait until the workbench says these words, wherever in it."""
    tab.wait(f"document.getElementById('bench').textContent.includes({json.dumps(words)})", words)


def begin(tab: Tab, name: str, starter: str = "blank") -> None:
    """Begin a new project by the page's own form."""
    tab.run(f"""document.getElementById("called").value = {json.dumps(name)};
        document.getElementById("starter").value = {json.dumps(starter)};""")
    click(tab, "Begin")
    told(tab, f"Opened as the project {name}")
    tab.wait(f"{PROJECT}.value === {json.dumps(name)}")


def says(tab: Tab, words: str) -> None:
    tab.wait(f"document.querySelector('.editing').textContent.includes({json.dumps(words)})", words)


def files_of(folder: Path) -> dict[str, bytes]:
    """A project's files by their paths."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for name in FOLDERS
        for path in sorted((folder / name).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
