"""Eight screens in light and dark, Japanese and English, on a desktop and a phone: axe finds nothing wrong with them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import Tab
from conftest import ROOT
from serve_cases import served
from site_fixtures import Site
from table_tabs import MOST, OVER, choices_on, sit_down
from tests_support import quick

from generator.commands.new import new_project
from generator.commands.settings import cache_folder
from generator.live.site_runtime import Pinned, fetch_missing, open_runtime_folder, read_package_file, read_verified

pytestmark = pytest.mark.slow

AXE = Pinned(
    "axe-core-4.14.1.tgz", "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745", "axe-core", "4.14.1"
)
"""The checker, MPL-2.0: it comes from npm into the cache, and is never part of the program."""

RULES = 20
"""So many of its rules at least must have looked at a screen."""

ASK = """axe.run().then(({ violations, passes }) => JSON.stringify([passes.length, violations.map(({ id, nodes }) =>
    `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).slice(0, 3).join("; ")}`)]))"""


@pytest.fixture(scope="session")
def axe(tool: Callable[[str], str]) -> str:
    """The script of the checker."""
    tool("npm")
    kept = open_runtime_folder(cache_folder())
    fetch_missing(kept, (AXE,), print)
    return read_package_file(read_verified(kept / AXE.file, AXE.sha256), "axe.min.js").decode()


def find_faults(tab: Tab, axe: str, screen: str) -> list[str]:
    """Return what the checker finds on the page as it is, in light and in dark, on a desktop and on a phone."""
    found = []
    for wide, high in ((1280, 800), (390, 844)):
        for dark in (False, True):
            tab.size(wide, high, dark=dark)
            tab.run(axe + "; document.getAnimations().forEach((one) => one.finish()); 1")
            passes, faults = json.loads(tab.run(ASK))
            assert passes >= RULES, (screen, passes)
            found += [f"{screen}, {wide} px, {'dark' if dark else 'light'}: {fault}" for fault in faults]
    return found


def turn_to(tab: Tab, url: str, lang: str) -> None:
    """Choose the language of the page, then open an address of it."""
    tab.call("Page.navigate", url=url.partition("#")[0].rpartition("/")[0] + "/icon.svg")
    tab.wait("document.readyState === 'complete' && location.pathname.endsWith('/icon.svg')")
    tab.run(f"localStorage.setItem('pnp.page', {json.dumps(json.dumps({'lang': lang}))})")
    tab.call("Page.navigate", url=url)


LANGUAGES = pytest.mark.parametrize("lang", quick(["en", "ja"], "ja", rest="release"))


def test_a_fault_is_found(browser: Callable[[], Tab], axe: str) -> None:
    tab = browser()
    tab.call(
        "Page.navigate", url="data:text/html,<title>x</title><main><h1>x</h1><button></button><img src='x'></main>"
    )
    tab.run(axe + "; 1")
    _, faults = json.loads(tab.run(ASK))
    assert {fault.split(":")[0] for fault in faults} >= {"button-name", "image-alt", "html-has-lang"}


@LANGUAGES
def test_the_start_page(browser: Callable[[], Tab], site: Site, axe: str, lang: str) -> None:
    tab = browser()
    turn_to(tab, f"{site.url}games/index.html", lang)
    tab.wait("document.querySelectorAll('.fans').length > 1", "the start page")
    assert tab.run("document.documentElement.lang") == lang
    assert find_faults(tab, axe, "start") == []


@LANGUAGES
def test_the_live_page_and_its_files(browser: Callable[[], Tab], axe: str, lang: str, tmp_path: Path) -> None:
    """Components, sheets, findings, figures; an open text and open cells beside them; the table without rules."""
    new_project(tmp_path, "my-game", "csv", ("ja", "en"))
    [table] = [path.name for path in (tmp_path / "my-game/data/my-game").glob("*.csv")]
    tab, found = browser(), []
    with served(tmp_path / "my-game", editable=True) as client:
        for view, there in (
            ("components", ".face.drawn"),
            ("sheets", "#sheets img, #sheets svg"),
            ("findings", "#findings .sums"),
            ("figures", "#figures iframe, #figures h2, #figures h1"),
        ):
            turn_to(tab, f"{client.server.url}#my-game/{view}", lang)
            tab.wait(f"document.querySelector({json.dumps(there)}) !== null", view)
            assert tab.run("document.documentElement.lang") == lang
            found += find_faults(tab, axe, view)
        turn_to(tab, f"{client.server.url}#my-game/components", lang)
        tab.wait("document.querySelector('button[data-word=open_files]') !== null", "the workbench")
        tab.run("document.querySelector('button[data-word=open_files]').click()")
        for path, there in (("game.yaml", "#text"), (table, ".cells tr th .face.drawn")):
            tab.run(f"import('./editor.js').then((editor) => editor.go('data/my-game/{path}', 1))")
            tab.wait(f"document.querySelector({json.dumps(there)}) !== null", path)
            found += find_faults(tab, axe, path)
        turn_to(tab, f"{client.server.url}play.html#my-game", lang)
        tab.wait("document.querySelector('[data-stack] img')?.complete", "the table without rules")
        found += find_faults(tab, axe, "free table")
        tab.call("Page.navigate", url="about:blank")
    assert found == []


@LANGUAGES
def test_the_table_and_its_results(browser: Callable[[], Tab], axe: str, lang: str) -> None:
    tab, found = browser(), []
    with served(ROOT, "fortuna") as client:
        tab.size(1280, 800)
        for screen, number in (("table", 5), ("results", MOST)):
            sit_down(tab, client.server.url, "fortuna", moves=choices_on("fortuna", number), lang=lang)
            assert tab.run(OVER) is (screen == "results")
            found += find_faults(tab, axe, screen)
        tab.call("Page.navigate", url="about:blank")
    assert found == []


@LANGUAGES
def test_a_seat_in_a_room(browser: Callable[[], Tab], axe: str, lang: str) -> None:
    tab = browser()
    with served(ROOT, "fortuna", seats="Anna,Ben,Cleo") as client:
        room = client.server.room
        assert room is not None
        tab.size(390, 844)
        turn_to(tab, room.guest_url, lang)
        tab.wait("document.querySelectorAll('.room-seats button').length > 0", "the seats")
        found = find_faults(tab, axe, "seats")
        tab.run("document.querySelector('.room-seats button').click()")
        tab.wait("document.querySelector('.area.own .piece') !== null", "the own hand")
        found += find_faults(tab, axe, "room")
        tab.run("localStorage.clear()")
        tab.call("Page.navigate", url="about:blank")
    assert found == []
