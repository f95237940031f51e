"""What a reader has made in a site stays theirs: in a full browser, in two tabs, and when long work is stopped."""

import base64
import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import pytest
from browser import Tab
from site_fixtures import OPEN, PROJECT, Site, ask, begin, click, edit, in_view, says, stored, told

STORED = """async (project, path, words) => {
    const all = await (await import("./projects.js")).listStored(project);
    const data = all.find((one) => one.path === path)?.data;
    return data && new TextDecoder().decode(data).includes(words);
}"""
"""Whether a text is stored with these words in it."""


def game(name: str) -> str:
    return f"data/{name}/game.yaml"


def choose(tab: Tab, name: str) -> None:
    tab.run(f"{PROJECT}.value = {json.dumps(name)}; {PROJECT}.dispatchEvent(new Event('change'))")


def saved(tab: Tab) -> Mapping[str, str]:
    """The texts of the zip that the page gives when one saves."""
    tab.run("""window.savedAs = "";
        window.made ??= URL.createObjectURL;
        URL.createObjectURL = (blob) => {
            const reader = new FileReader();
            reader.onload = () => { window.savedAs = reader.result.split(",")[1]; };
            reader.readAsDataURL(blob);
            return made.call(URL, blob);
        };""")
    click(tab, "Save as a zip")
    data = base64.b64decode(tab.wait("window.savedAs", "the zip"))
    tab.run("URL.createObjectURL = window.made; undefined")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = [name for name in archive.namelist() if name.startswith("data/")]
        return {name: archive.read(name).decode("utf-8", "replace") for name in names}


REFUSED = """import("./projects.js").then((projects) => projects.create("trial", [["data/trial/x", new Uint8Array(9)]])
    .then(async (name) => { await projects.forget(name); return false; }, () => true))"""
"""Whether the browser refuses: it believes for half a minute what it once knew of its room."""


@contextmanager
def no_room(tab: Tab, site: Site) -> Iterator[None]:
    """A browser whose storage is full."""
    origin = site.url.rstrip("/")
    tab.call("Storage.overrideQuotaForOrigin", origin=origin, quotaSize=1)
    try:
        tab.wait(REFUSED, "a storage that is full")
        yield
    finally:
        tab.call("Storage.overrideQuotaForOrigin", origin=origin)


@pytest.mark.slow
def test_a_full_storage_loses_nothing(home: Tab, site: Site) -> None:
    """What can't be stored is told, stays in the page, goes into a zip, and is stored with the next change that can be."""
    path, other = game("fortuna"), "data/fortuna/look.yaml"
    with no_room(home, site):
        edit(home, path, "format: 1", "format: 1 # kept here")
        says(home, "The storage of this browser is full, so the change was not stored. Save the project as a zip")
        assert stored(home, "", path) == ""
        assert "format: 1 # kept here" in in_view(home, "return text;")
        assert "format: 1 # kept here" in saved(home)[path]
        home.run("document.getElementById('called').value = 'more'")
        click(home, "Begin")
        home.wait("document.querySelector('.note').textContent.includes('is full')")
        assert ask(home, "projects", "return await projects.listNames();") == []

    ask(home, "editor", f"await editor.go({json.dumps(other)}, 1);")
    in_view(home, "view.dispatch({ changes: { from: 0, insert: '# and this\\n' } });")
    says(home, "stored in this browser")
    assert "format: 1 # kept here" in stored(home, "", path)
    assert stored(home, "", other).startswith("# and this\n")
    ask(home, "projects", "await projects.forget('');")


@pytest.mark.slow
def test_long_work_is_stopped(home: Tab) -> None:
    """While a command runs the page answers and stores; stopped, the project is open again with all that was typed."""
    path = game("fortuna")
    edit(home, path, 'draft:     "2"', 'draft:     "3"')
    says(home, "stored in this browser")
    click(home, "Make")
    home.run("document.getElementById('line').value = 'validate fortuna --games 10000000'")
    click(home, "Run")
    told(home, "Running")
    home.run("""import("./machine.js").then((machine) => machine.ask("archive", "project"))
        .then((archive) => { window.answered = archive.length; }, (error) => { window.answered = error.message; }); undefined""")
    click(home, "Files")
    assert home.run("!document.querySelector('.editing').closest('[hidden]')")
    in_view(
        home,
        """const from = text.indexOf('draft:     "3"'); view.dispatch({ changes: { from, to: from + 14, insert: 'draft:     "4"' } });""",
    )
    home.wait(f"({STORED})('', {json.dumps(path)}, 'draft:     \"4\"')", "what was typed meanwhile, stored")
    assert home.run("window.answered") is None, "the command must still run"

    click(home, "Stop")
    told(home, "The program was stopped.")
    assert home.wait("window.answered") == "The program was stopped."
    home.wait("document.getElementById('subtitle').textContent.includes('draft 4')")
    assert 'draft:     "4"' in saved(home)[path]
    click(home, "Make")
    home.run("document.getElementById('line').value = 'list fortuna'")
    click(home, "Run")
    told(home, "Done")
    ask(home, "projects", "await projects.forget('');")


@pytest.mark.slow
def test_two_tabs_on_one_project(home: Tab, site: Site, browser: Callable[[], Tab]) -> None:
    begin(home, "shared")
    other = browser()
    other.size(1300, 850)
    other.call("Page.navigate", url=f"{site.url}games/")
    told_where = "This project is open in another tab. Changes in this tab are not stored."
    shared = "[...document.querySelectorAll('#start button')].find((one) => one.textContent === 'shared')"
    other.wait(f"{shared} !== undefined", "the start page")
    other.run(f"{shared}.click()")
    other.wait(OPEN, "the second tab")
    told(other, told_where)
    path = game("shared")
    edit(other, path, "format: 1", "format: 1 # second")
    says(other, "not stored: this project is open in another tab")
    edit(home, path, "format: 1", "format: 1 # first")
    home.wait(f"({STORED})('shared', {json.dumps(path)}, '# first')", "the first tab's change")
    assert told_where not in home.run("document.getElementById('bench').textContent")

    click(other, "Save as another project")
    told(other, "Saved as the project shared 2.")
    assert other.run(f"{PROJECT}.value") == "shared 2"
    assert told_where not in other.run("document.getElementById('bench').textContent")
    assert "# second" in in_view(other, "return text;")
    edit(other, path, "# second", "# second, again")
    other.wait(f"({STORED})('shared 2', {json.dumps(path)}, '# second, again')", "the second tab's change")
    assert "# first" in stored(home, "shared", path)
    assert ask(home, "projects", "return projects.getChosen();") == "shared"
    other.call("Page.close")


NEWER = """(async (work) => {
    const asked = indexedDB.open(`pnp ${new URL("./", document.baseURI).pathname}`);
    const base = await new Promise((resolve) => { asked.onsuccess = () => resolve(asked.result); });
    const deal = base.transaction(["projects", "files"], "readwrite");
    const found = work(deal.objectStore("projects"), deal.objectStore("files"));
    await new Promise((resolve) => { deal.oncomplete = resolve; });
    base.close();
    return JSON.stringify(found.map(({ result }) => result));
})"""
"""Reach into what the browser has stored, as another version of the site does."""


@pytest.mark.slow
def test_a_project_of_a_newer_site(home: Tab) -> None:
    """It is told and left alone, whether it is chosen or was open last; what was open stays, the site's games can be had."""
    begin(home, "mine")
    home.run(f"""{NEWER}((projects, files) => [projects.put({{ name: "later", format: 99, kept: "as it is" }}),
        files.put({{ project: "later", path: "data/later/game.yaml", data: "of another sort" }})])""")
    look = f"""{NEWER}((projects, files) => [projects.get("later"), files.get(["later", "data/later/game.yaml"])])"""
    before = home.run(look)
    assert "of another sort" in before
    told_so = "A newer version of this site has stored “later”, and this version can't read it. It is unchanged."
    click(home, "Stop")
    told(home, "The program was stopped.")
    choose(home, "later")
    told(home, told_so)
    assert home.run(f"{PROJECT}.value") == "mine"
    edit(home, game("mine"), "format: 1", "format: 1 # still")
    home.wait(f"({STORED})('mine', {json.dumps(game('mine'))}, '# still')", "a change of what stayed open")
    assert home.run(look) == before

    ask(home, "projects", "projects.choose('later');")
    home.call("Page.reload")
    home.wait(f"document.querySelector('.starting.failed')?.textContent.includes({json.dumps(told_so)})", "the problem")
    click(home, "Open the games of this site instead")
    home.wait(f"{OPEN} && {PROJECT}.value === ''", "the site's games")
    assert home.run(look) == before
    assert "# still" in stored(home, "mine", game("mine"))


def test_a_note_is_stored_with_the_project(home: Tab) -> None:
    """The session's file is one of the project's, in the browser and in the zip that the reader saves."""
    begin(home, "noted")
    home.run("document.getElementById('tab-components').click()")
    home.wait("document.querySelector('.design .note-on') !== null", "a note button")
    home.run("document.querySelector('.design .note-on').click()")
    home.wait("document.getElementById('note').open")
    home.run("document.getElementById('note-text').value = 'Too plain.'; document.getElementById('note-go').click()")
    home.wait("!document.getElementById('note').open", "the note to be stored")
    script = "return (await machine.ask('files')).flatMap((one) => one.path ?? one).filter((one) => String(one).startsWith('sessions/'))"
    (path,) = ask(home, "machine", script)
    assert "Too plain." in stored(home, "noted", path)
