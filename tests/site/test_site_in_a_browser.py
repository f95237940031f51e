"""A site in a real browser: served as plain files on loopback, with no other line."""

import hashlib
import json
import lzma
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser import Tab
from site_fixtures import KEPT, LONG, OPEN, ROOT, Site, click, edit, in_view, told
from tests_support import quick

FACE = "document.querySelector('[data-key=\"en:front:reel/1-wheat\"]')"
DATA = "data/fortuna/components.yaml"


@pytest.fixture(scope="module")
def tab(browser: Callable[[], Tab], site: Site) -> tuple[Tab, Site]:
    """The site, open for the first time and kept."""
    found = browser()
    found.size(1300, 850)
    found.call("Page.navigate", url=f"{site.url}games/#fortuna/components")
    found.wait(f"{OPEN} && {KEPT} && {FACE}?.classList.contains('drawn')", "the first visit")
    return found, site


def run(tab: Tab, *words: str) -> dict[str, Any]:
    """Run a command in the page: exit code, what was made by sha256, what was said."""
    return dict(
        tab.run(f"""(async () => {{
            const machine = await import("./machine.js");
            await (await import("./editor.js")).finishTyping();
            let said = "";
            const {{ code, made }} = await machine.runCommand({json.dumps(words)}, (text) => {{ said += text; }});
            const sums = {{}};
            for (const path of made) {{
                const sum = await crypto.subtle.digest("SHA-256", await machine.ask("read", path));
                sums[path] = [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
            }}
            return {{ code, said, made: sums }};
        }})()""")
    )


MARKED = """const { forEachDiagnostic } = await import("./codemirror/codemirror-lint.js"), lines = [];
forEachDiagnostic(view.state, (_, from) => lines.push(view.state.doc.lineAt(from).number));
return lines;"""
"""The lines that are marked as wrong."""


def choose(tab: Tab, words: str) -> int:
    """Select words of the open text with the focus in it; the number of their line."""
    return int(
        in_view(
            tab,
            f"""const anchor = text.indexOf({json.dumps(words)}), head = anchor + {len(words)};
            view.dispatch({{ selection: {{ anchor, head }}, scrollIntoView: true }});
            view.focus();
            return view.state.doc.lineAt(anchor).number;""",
        )
    )


def with_control(tab: Tab, key: str) -> None:
    common = {"key": key, "code": f"Key{key.upper()}", "windowsVirtualKeyCode": ord(key.upper()), "modifiers": 2}
    for sort in ("rawKeyDown", "keyUp"):
        tab.call("Input.dispatchKeyEvent", type=sort, **common)


def test_the_first_visit(tab: tuple[Tab, Site]) -> None:
    """Everything comes from the site itself, nothing complains; Python's memory of when it was made is taken up."""
    page, site = tab
    assert page.run("document.documentElement.dataset.started") == "as it was"
    strangers = [url for url in page.requests if not url.startswith((f"{site.url}games/", "about:", "data:", "blob:"))]
    assert (strangers, page.complaints) == ([], [])
    assert len(page.requests) > 20, "the test must see requests"


@pytest.mark.slow
def test_what_a_visitor_loads_is_small(site_folder: Path) -> None:
    """All five games together, and what each first card needs besides its fonts and the page."""
    folder = site_folder / "games"
    sizes = json.loads((folder / "site.json").read_text(encoding="utf-8"))["parts"]
    first = [
        sum(sizes[part].values()) for part in ("runtime", "program", "games", "start", "starters", "page", "editor")
    ]
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 50e6
    assert 10e6 < sum(first) < 20e6


def test_a_card_follows_an_edit(tab: tuple[Tab, Site]) -> None:
    page, _ = tab
    before = page.run(f"{FACE}.dataset.version")
    edit(page, "data/fortuna/game.yaml", 'draft:     "2"', 'draft:     "3"')  # it stands in each card's stamp
    page.wait(f"{FACE}.dataset.version !== {json.dumps(before)} && {FACE}.dataset.version", "another picture")
    assert page.wait("document.getElementById('subtitle').textContent.includes('draft 3')")
    edit(page, "data/fortuna/game.yaml", 'draft:     "3"', 'draft:     "2"')
    page.wait(f"{FACE}.dataset.version === {json.dumps(before)}", "the first picture again")


def test_a_broken_file_is_told_at_its_line(tab: tuple[Tab, Site]) -> None:
    page, _ = tab
    edit(page, DATA, "\nicons:\n", "\nicons: ]\n")
    page.wait("document.querySelectorAll('#wrong li').length > 0", "the problem")
    said = page.run("document.getElementById('wrong').textContent")
    line = in_view(page, "return text.split('\\n').indexOf('icons: ]') + 1;")
    assert said.startswith(f"{DATA}:{line}:")
    assert in_view(page, MARKED) == [line]
    edit(page, DATA, "\nicons: ]\n", "\nicons:\n")
    page.wait("document.querySelectorAll('#wrong li').length === 0", "the problem's end")
    assert in_view(page, MARKED) == []


@pytest.mark.slow
def test_the_editor_by_keyboard(tab: tuple[Tab, Site]) -> None:
    """A wrong value is marked at its line while one types, taken back, and a right one completed; Tab leaves again."""
    page, _ = tab
    right = "number: 1, icon: wheat"
    page.run("[...document.querySelectorAll('button')].find((one) => one.textContent === 'Files…').click()")
    page.run(f"import('./editor.js').then((editor) => editor.go({json.dumps(DATA)}, 1))")
    before = in_view(page, "return text;")
    assert right in before

    line = choose(page, right)
    page.type("number: 1, icon: nothing")
    shown = "document.getElementById('text').shadowRoot"
    page.wait(f"{shown}.querySelector('.cm-lint-marker-error') !== null", "the mark")
    found = in_view(
        page,
        """const mark = view.root.querySelector(".cm-lint-marker-error").getBoundingClientRect();
        const block = view.lineBlockAtHeight((mark.top + mark.bottom) / 2 - view.documentTop);
        return view.state.doc.lineAt(block.from).number;""",
    )
    assert (found, in_view(page, MARKED)) == (line, [line])
    with_control(page, "z")
    assert in_view(page, "return text;") == before
    page.wait("document.querySelectorAll('#wrong li').length === 0", "the problem's end")

    choose(page, right)
    page.type("number: 1, icon: ")
    page.type("whe")
    page.wait(f"{shown}.querySelector('.cm-tooltip-autocomplete li[aria-selected]')?.textContent.startsWith('wheat')")
    time.sleep(0.2)  # so long after it opens CodeMirror takes no key for it
    page.press("Enter")
    page.wait(f"!{shown}.querySelector('.cm-tooltip-autocomplete')", "the end of the list")
    assert in_view(page, "return text;") == before

    page.press("Escape")
    page.press("Tab")
    assert page.run("document.activeElement.id") != "text"
    assert page.complaints == []


def check_same_files(page: Tab, pnp: Callable[..., Any], folder: Path, *words: str) -> None:
    """Hold what a command makes in the page against what it makes here: the same files with the same bytes."""
    there = run(page, *words)
    assert there["code"] == 0, there["said"]
    assert pnp("--project", str(ROOT), *words, "--out", str(folder)).code == 0
    here = {
        f"output/{path.relative_to(folder).as_posix()}": hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*.*")
    }
    assert there["made"] == here
    assert here, "the test must see files"


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", quick(["fortuna", "journey8", "journey18", "wayfaring", "xanadu"], "fortuna", rest="release")
)
def test_the_sheets_are_the_same(game: str, tab: tuple[Tab, Site], pnp: Callable[..., Any], tmp_path: Path) -> None:
    check_same_files(tab[0], pnp, tmp_path, "sheets", game)


def test_save_pdf_gives_the_file(tab: tuple[Tab, Site], pnp: Callable[..., Any], tmp_path: Path) -> None:
    """A browser's own download would ask the web server, which has no such file."""
    page, site = tab
    page.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    page.call("Page.navigate", url=f"{site.url}games/#fortuna/sheets")
    page.wait("document.querySelector('.leaf') && document.getElementById('save-pdf').offsetWidth > 0", "the sheets")
    page.run("document.getElementById('save-pdf').click()")
    [name] = wait_for_files(tmp_path, "*.pdf")
    assert pnp("--project", str(ROOT), "sheets", "fortuna", "--lang", "en", "--out", str(tmp_path / "here")).code == 0
    assert name.read_bytes() == (tmp_path / "here/fortuna/sheets.en.pdf").read_bytes()
    page.run("location.hash = '#fortuna/components'")
    page.wait(f"{FACE}?.offsetWidth > 0", "the cards")


def wait_for_files(folder: Path, pattern: str) -> list[Path]:
    """Return what a browser has saved in a folder."""
    until = time.monotonic() + LONG
    while not (found := list(folder.glob(pattern))) and time.monotonic() < until:
        time.sleep(0.1)
    return found


def test_the_books_are_the_same(tab: tuple[Tab, Site], pnp: Callable[..., Any], tmp_path: Path) -> None:
    """So have Fortuna's rulebook, booklet, notes, quick start and web page (all games': docs/browser.md)."""
    check_same_files(tab[0], pnp, tmp_path, "rulebook", "fortuna", "--lang", "en")


def test_a_second_visit_needs_no_line(tab: tuple[Tab, Site]) -> None:
    """With the server gone the page opens as the program was when the site was made, with what was changed since."""
    page, site = tab
    edit(page, "data/fortuna/game.yaml", 'draft:     "2"', 'draft:     "7"')
    page.wait("document.getElementById('subtitle').textContent.includes('draft 7')")
    site.end()
    page.call("Page.reload")
    page.wait(f"!({OPEN})")
    page.wait(f"{OPEN} && {FACE}?.classList.contains('drawn')", "the second visit")
    assert page.run("document.documentElement.dataset.started") == "as it was"
    assert page.wait("document.getElementById('subtitle').textContent.includes('draft 7')")


def _of_another_machine(memory: bytearray) -> None:
    memory[0] ^= 1  # so many functions it had


def _full_of_holes(memory: bytearray) -> None:
    """It is taken up, and Python stumbles when it goes on, or goes round for ever."""
    start = len(memory) // 8
    memory[start:] = bytes(len(memory) - start)


def summed_anew(file: Path, content: bytes | None = None) -> None:
    """A changed file of a site is the site's own again; `content` is what it holds if it is packed."""
    told = file.with_name("site.json")
    about = json.loads(told.read_text(encoding="utf-8"))
    about["sums"][file.name.removesuffix(".bin")] = hashlib.sha256(content or file.read_bytes()).hexdigest()
    told.write_text(json.dumps(about), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("spoil", [_of_another_machine, _full_of_holes])
def test_a_spoiled_memory_is_not_taken_up(
    spoil: Callable[[bytearray], None], browser: Callable[[], Tab], site_folder: Path, patience: None, tmp_path: Path
) -> None:
    shutil.copytree(site_folder, tmp_path / "www")
    kept = tmp_path / "www" / "games" / "started.bin.bin"
    memory = bytearray(lzma.decompress(kept.read_bytes()))
    spoil(memory)
    kept.write_bytes(lzma.compress(memory, preset=0))
    summed_anew(kept, memory)
    site = Site(tmp_path / "www")
    found = browser()
    found.size(1300, 850)
    found.call("Page.navigate", url=f"{site.url}games/#fortuna/components")
    found.wait(f"{OPEN} && {FACE}?.classList.contains('drawn')", "the visit")
    site.end()

    assert found.run("document.documentElement.dataset.started") == "anew"
    assert found.complaints == []


@pytest.mark.slow
def test_a_newer_site_waits_for_the_reader(
    browser: Callable[[], Tab], site_folder: Path, patience: None, tmp_path: Path
) -> None:
    shutil.copytree(site_folder, tmp_path / "www")
    site, page = Site(tmp_path / "www"), browser()
    page.size(1300, 850)
    page.call("Page.navigate", url=f"{site.url}games/#fortuna/components")
    page.wait(f"{OPEN} && {KEPT}", "the site")
    [old] = page.run("caches.keys()")

    looks, worker = (tmp_path / "www" / "games" / name for name in ("site.css", "sw.js"))
    looks.write_text(looks.read_text(encoding="utf-8") + "/* newer */", encoding="utf-8")
    summed_anew(looks)
    version = str(old).rsplit(" ", 1)[1]
    code = worker.read_text(encoding="utf-8")
    assert version in code
    worker.write_text(code.replace(version, "another"), encoding="utf-8")
    for file in (looks, looks.with_name("site.json"), worker):
        os.utime(file, (2e9, 2e9))  # in seconds is how a line tells what is newer
    page.run("navigator.serviceWorker.getRegistration().then((found) => found.update()).then(() => 1)")
    told(page, "A newer version of this site is available.")
    newer = "fetch('site.css').then((found) => found.text()).then((text) => text.includes('newer'))"
    assert (old in page.run("caches.keys()"), page.run(newer)) == (True, False)

    click(page, "Load the newer version")
    page.wait(f"!({OPEN})")
    page.wait(f"{OPEN} && {KEPT}", "the newer site")
    assert (page.run("caches.keys()"), page.run(newer)) == ([str(old).replace(version, "another")], True)
    assert page.complaints == []
    site.end()
