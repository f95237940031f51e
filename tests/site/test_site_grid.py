"""A table's cells in a real browser, beside a slow worker in place of Python: whatever is typed when, nothing is lost."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browser import Tab
from site_fixtures import Site

from generator.live.routes import PAGE
from generator.live.site import OWN_PAGE

pytestmark = pytest.mark.slow

WORKER = """const files = { a: "id,title\\none,One\\ntwo,Two\\n", b: "id,title\\nx,X\\n" };
const rows = (path) => files[path].trimEnd().split("\\n").map((row) => row.split(","));
const bytes = (path) => new TextEncoder().encode(files[path]);
const steps = {
  begin: () => ({}),
  table: (path) => ({ rows: rows(path), header: 1, columns: [{ field: "id", names: [] }, { field: "title", names: [] }] }),
  read: bytes,
  write(path, data) { files[path] = new TextDecoder().decode(data); },
  cells(path, changes) {
    const [before, now] = [bytes(path), rows(path)];
    for (const { row, column, text, gone } of JSON.parse(changes)) {
      if (text === "refused") throw new Error("a letter is refused");
      if (gone) now.splice(row - 1, 1);
      else (now[row - 1] ??= ["", ""])[column - 1] = text;
    }
    files[path] = `${now.map((row) => row.join(",")).join("\\n")}\\n`;
    return [before, bytes(path)];
  },
};
let turn = Promise.resolve(), gate, release;
addEventListener("message", ({ data: { id, what, values } }) => {
  if (what === "shut") gate = new Promise((resolve) => { release = resolve; });
  if (what === "release") release();
  if (!steps[what]) return postMessage({ id });
  turn = turn.then(() => new Promise((resolve) => setTimeout(resolve, 60))).then(() => gate).then(() => {
    try { postMessage({ id, value: steps[what](...values) }); } catch (error) { postMessage({ id, problem: error.message }); }
  });
});"""
"""Answers as the worker with Python does, but for the cells alone: each answer takes a while, between `shut` and `release` all wait."""

BEGIN = """(async () => {
    const machine = await import("./machine.js"), { makeGrid } = await import("./grid.js"), { box } = await import("./notes.js");
    await machine.begin({}, () => {});
    const kept = {};
    const cells = makeGrid({ keep: async (path, data) => { kept[path] = new TextDecoder().decode(data); return ""; }, told() {}, look() {} });
    document.body.replaceChildren(cells.box, box);
    cells.box.hidden = false;
    await cells.open("a");
    Object.assign(window, { cells, kept, machine, cell: (row, column) => document.querySelector(`tr[data-row="${row}"] [data-column="${column}"]`) });
    window.type = (row, column) => { cell(row, column).focus(); cell(row, column).select(); };
})()"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, patience: None) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("grid")
    for home in (PAGE, OWN_PAGE):
        shutil.copytree(home, folder, dirs_exist_ok=True)
    (folder / "worker.js").write_text(WORKER, encoding="utf-8")
    found = Site(folder)
    yield found
    found.end()


@pytest.fixture
def tab(browser: Callable[[], Tab], place: Site) -> Tab:
    """The table `a` as cells."""
    found = browser()
    found.call("Emulation.setFocusEmulationEnabled", enabled=True)
    found.call("Page.navigate", url=f"{place.url}tar.js")
    found.wait("location.pathname === '/tar.js' && document.readyState === 'complete'")
    found.run(BEGIN)
    return found


def write(tab: Tab, row: int, column: int, text: str) -> None:
    """Type into a cell, and stay there."""
    tab.run(f"type({row}, {column})")
    tab.type(text)


def settle(tab: Tab) -> Any:
    """The files of both tables, as they are kept and as Python has them."""
    tab.run("cells.settled()")
    return tab.run("""(async () => { const text = async (path) => new TextDecoder().decode(await machine.ask("read", path));
        return [kept, { a: await text("a"), b: await text("b") }]; })()""")


A, B = "id,title\none,One\ntwo,Two\n", "id,title\nx,X\n"


def test_what_is_typed_outlives_a_new_reading(tab: Tab) -> None:
    """The table is read again while a cell is open: its text and its focus stay, and the other's change does too."""
    write(tab, 2, 2, "First")
    tab.run(
        """machine.ask("write", "a", new TextEncoder().encode("id,title\\none,One\\ntwo,Other\\n")); void (window.reading = cells.open("a"))"""
    )
    tab.type("!")
    tab.run("reading")
    assert tab.run("[document.activeElement === cell(2, 2), cell(2, 2).value, cell(3, 2).value]") == [
        True,
        "First!",
        "Other",
    ]
    tab.type("?")
    made = "id,title\none,First!?\ntwo,Other\n"
    assert settle(tab) == [{"a": made}, {"a": made, "b": B}]


def test_a_change_goes_to_the_file_in_which_it_was_made(tab: Tab) -> None:
    """Another table is opened before the change is stored, and while its cells are on their way."""
    tab.run("machine.ask('shut')")
    write(tab, 2, 2, "First")
    assert tab.run("cells.busy()") is True
    tab.run("void (window.reading = cells.open('b'))")
    write(tab, 3, 2, "Second")
    tab.run("machine.ask('release')")
    tab.run("reading")
    made = "id,title\none,First\ntwo,Second\n"
    assert tab.run("cell(2, 2).value") == "X"
    assert settle(tab) == [{"a": made}, {"a": made, "b": B}]


def test_typing_goes_on_while_changes_are_stored(tab: Tab) -> None:
    """A row is added and filled from cell to cell, after a paste that draws all cells anew."""
    tab.run("""(() => { const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", "uno\\tUno\\ndue\\tDue");
        cell(2, 1).focus();
        cell(2, 1).dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })); })()""")
    tab.run("[...document.querySelectorAll('button')].find((one) => one.textContent === 'Add a row').click()")
    tab.type("tre")
    tab.press("Tab")
    tab.type("Tre")
    made = "id,title\nuno,Uno\ndue,Due\ntre,Tre\n"
    assert settle(tab) == [{"a": made}, {"a": made, "b": B}]
    assert tab.run("[cells.busy(), cell(4, 1).value, cell(4, 2).value]") == [False, "tre", "Tre"]


def test_what_is_refused_stays_in_its_cell(tab: Tab) -> None:
    """It is told, it can be stored once it is right, and Undo takes back what was stored alone."""
    write(tab, 2, 2, "refused")
    assert settle(tab) == [{}, {"a": A, "b": B}]
    assert tab.run("[document.querySelector('.note').textContent, cell(2, 2).value]") == [
        "a letter is refused",
        "refused",
    ]
    write(tab, 3, 1, "second")
    tab.run("cells.settled()")
    tab.run("[...document.querySelectorAll('button')].find((one) => one.textContent === 'Undo').click()")
    assert settle(tab) == [{"a": A}, {"a": A, "b": B}]
