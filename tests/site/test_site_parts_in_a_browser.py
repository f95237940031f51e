"""What a site stores, its folders and its links, each by itself in a real browser: no Python begins here."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Tab
from site_fixtures import Site

from generator.live.routes import PAGE
from generator.live.site import OWN_PAGE


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, patience: None) -> Iterator[Site]:
    """The scripts of the page, served."""
    folder = tmp_path_factory.mktemp("scripts")
    for home in (PAGE, OWN_PAGE):
        shutil.copytree(home, folder, dirs_exist_ok=True)
    found = Site(folder)
    yield found
    found.end()


@pytest.fixture(scope="module")
def new(browser: Callable[[], Tab], place: Site) -> Callable[[], Tab]:
    """What opens a tab that shows one of the scripts, and can ask for all of them."""

    def tab() -> Tab:
        found = browser()
        found.call("Page.navigate", url=f"{place.url}tar.js")
        found.wait("location.pathname === '/tar.js' && document.readyState === 'complete'")
        return found

    return tab


@pytest.fixture(scope="module")
def page(new: Callable[[], Tab]) -> Tab:
    return new()


COMMON = """const folders = await import("./folder.js"), link = await import("./link.js"), projects = await import("./projects.js");
    const bytes = (text) => new TextEncoder().encode(text), text = (data) => new TextDecoder().decode(data);
    const why = (promise) => promise.then(() => "", (error) => error.message);
    const moment = () => new Promise((resolve) => setTimeout(resolve, 10));
    const room = async (name) => (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
    const takes = { folders: ["data", "templates"], files: 5000, bytes: 2 ** 20 }, PATH = "data/mine/game.yaml";"""


def ask(tab: Tab, script: str) -> Any:
    """What a script returns that knows the scripts that are tried here."""
    return tab.run(f"(async () => {{ {COMMON} {script} }})()")


def test_a_file_of_a_folder_is_never_written_over_unseen(page: Tab) -> None:
    """A file that was changed there since it was read stays as it is; one that is alike by now is no clash."""
    script = """const home = await room("written");
        const first = await folders.write(home, PATH, bytes("one"), undefined);
        await moment();
        const second = await folders.write(home, PATH, bytes("another"), first);
        const refused = await folders.write(home, PATH, bytes("mine"), first);
        const created = await folders.write(home, PATH, bytes("mine"), undefined);
        const alike = await folders.write(home, PATH, bytes("another"), first);
        const now = await (await folders.there(home, PATH)).text();
        return [first !== second, refused, created, alike === second, now];"""
    assert ask(page, script) == [True, None, None, True, "another"]


def test_what_has_changed_where(page: Tab) -> None:
    """There alone it is taken, here alone it goes back, on both sides it is a clash; so with files that are gone or new."""
    script = """const home = await room("compared");
        const mark = await folders.write(home, PATH, bytes("there"), undefined);
        const found = async (...stored) => {
            const { taken, back, clashes } = await folders.compareFiles(await folders.listFiles(home, takes), stored);
            return [taken.map(([path, data]) => `${path} ${data && text(data)}`), back, clashes];
        };
        const known = { path: PATH, data: bytes("here"), mark, ours: false };
        return [await found(known), await found({ ...known, ours: true }), await found({ ...known, mark: "1/1" }),
            await found({ ...known, mark: "1/1", ours: true }), await found({ ...known, mark: "1/1", ours: true, data: bytes("there") }),
            await found(known, { path: "data/gone", mark: "1/1" }, { path: "data/ours", mark: "1/1", ours: true }, { path: "data/new", ours: true })];"""
    game = "data/mine/game.yaml"
    assert ask(page, script) == [
        [[], [], []],
        [[], [game], []],
        [[f"{game} there"], [], []],
        [[], [], [game]],
        [[f"{game} there"], [], []],
        [["data/gone null"], ["data/new"], ["data/ours"]],
    ]


def test_the_bounds_of_a_folder(page: Tab) -> None:
    """Only what a project holds is counted, hidden files are not; too many files and too many bytes are told."""
    script = """const home = await room("bounds");
        for (const path of [PATH, "data/.git/x", "output/big", "data/__pycache__/x"]) await folders.write(home, path, bytes("four"), undefined);
        const names = [...(await folders.listFiles(home, takes)).keys()];
        return [names, await why(folders.listFiles(home, { ...takes, files: 0 })), await why(folders.listFiles(home, { ...takes, bytes: 3 }))];"""
    names, many, large = ask(page, script)
    assert names == ["data/mine/game.yaml"]
    assert "more than 0 files" in many
    assert "Remove files that the project does not need" in large


def test_a_link_goes_out_as_it_comes_in(page: Tab) -> None:
    script = """const address = await link.write({ project: "my \\u0000 <b>", program: "1", from: "cards", called: "mine" }, bytes("x".repeat(9999)));
        location.hash = new URL(address).hash;
        const before = link.isThere();
        const { name, from, called, program, archive } = await link.read();
        return [before, name, from, called, program, text(archive).length, link.isThere(), address.length < 300];"""
    assert ask(page, script) == [True, "my <b>", "cards", "mine", "1", 9999, False, True]


def test_links_that_hold_no_project(page: Tab) -> None:
    """Too long to be given, too long to be read, cut short, and a bomb, whose unpacking ends at its bound."""
    script = """const read = (hash) => { location.hash = hash; return why(link.read()); };
        const whole = new URL(await link.write({ project: "x" }, crypto.getRandomValues(new Uint8Array(500)))).hash;
        const bomb = new URL(await link.write({ project: "x" }, new Uint8Array(20 * 2 ** 20))).hash;
        return [await why(link.write({ project: "x" }, crypto.getRandomValues(new Uint8Array(40_000)))), await read(`${whole}${"A".repeat(33_000)}`),
            await read(whole.slice(0, -40)), await read("#project=x&files=%%%"), await read(bomb)];"""
    long, longer, cut, none, bomb = ask(page, script)
    assert "needs a link of 53 kB, but 32 kB is the limit" in long
    assert "longer than 32 kB. Ask for a zip" in longer
    assert "damaged or incomplete" in cut
    assert "damaged or incomplete" in none
    assert "its files have more than 8 MiB" in bomb


def test_what_is_not_stored_is_kept_until_it_can_be(page: Tab) -> None:
    script = """const name = await projects.create("full", [[PATH, bytes("old")]]);
        projects.choose(name);
        const put = IDBObjectStore.prototype.put;
        IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
        const said = await why(projects.keep(name, PATH, bytes("new")));
        IDBObjectStore.prototype.put = put;
        const seen = async () => [text((await projects.listStored(name))[0].data), text((await projects.listFiles(name))[0][1]), projects.countUnstored()];
        const before = await seen();
        await projects.keep(name, "data/mine/words.yaml", bytes("words"));
        return [said, before, await seen()];"""
    said, before, after = ask(page, script)
    assert "is full, so the change was not stored. Save the project as a zip" in said
    assert (before, after) == (["old", "new", 1], ["new", "new", 0])


def test_a_name_is_never_taken_over_and_a_tick_neither(page: Tab) -> None:
    script = """const name = await projects.create("lent", [[PATH, bytes("first")]]);
        projects.trust("lent 2", true);
        const second = await projects.create("lent", [[PATH, bytes("second")]]);
        projects.trust(name, true);
        const first = text((await projects.listStored(name))[0].data);
        await projects.forget(name);
        return [second, first, projects.isTrusted(second), projects.isTrusted(name), await projects.create("", [])];"""
    assert ask(page, script) == ["lent 2", "first", False, False, "project"]


def test_two_tabs(new: Callable[[], Tab], page: Tab) -> None:
    other = new()
    assert ask(page, "projects.choose('mine'); return [await projects.hold('mine'), await projects.hold('mine')];") == [True, True]  # fmt: skip
    assert ask(other, "projects.choose('theirs'); return [await projects.hold('mine'), projects.getChosen()];") == [False, "theirs"]  # fmt: skip
    assert ask(page, "return projects.getChosen();") == "mine"
    assert ask(page, "return projects.hold('another');") is True
    assert ask(other, "await moment(); return projects.hold('mine');") is True
    other.call("Page.close")


HELD = """const put = IDBObjectStore.prototype.put;
let left = 150;
IDBObjectStore.prototype.put = function (value) {
    const again = () => { this.get(["no", "such"]).onsuccess = again; };
    left -= 1;
    if (left === 0) again();
    return put.call(this, value);
};"""
"""What is being saved is half there, and stays so for as long as the tab is open."""


def test_a_tab_that_is_closed_in_the_middle_of_saving(new: Callable[[], Tab], page: Tab) -> None:
    for wait in (0, 5, 60):  # ms; 0: closed while it is held
        tab = new()
        ask(
            tab,
            f"""{"" if wait else HELD}
            const files = Array.from({{ length: 300 }}, (_, at) => [`data/x/${{at}}.yaml`, new Uint8Array(100_000)]);
            projects.create("closed {wait}", files).catch(() => {{}});
            await new Promise((resolve) => setTimeout(resolve, {wait or 400}));""",
        )
        tab.call("Page.close")
        script = f"return [(await projects.listStored('closed {wait}')).length, (await projects.listNames()).includes('closed {wait}')];"
        there = ask(page, script)
        assert there in ([0, False], [300, True] if wait else [0, False])


NEWER = """const asked = indexedDB.open(`pnp ${new URL("./", document.baseURI).pathname}`);
    const base = await new Promise((resolve) => { asked.onsuccess = () => resolve(asked.result); });
    base.transaction("projects", "readwrite").objectStore("projects").put({ name: "later", format: 2, kept: "as it is" });
    const found = base.transaction("projects").objectStore("projects").get("later");
    await new Promise((resolve) => { found.onsuccess = resolve; });
    base.close();"""


def test_the_start_page_and_the_storage_speak_japanese(new: Callable[[], Tab], place: Site) -> None:
    """The page is in the language that was chosen last, and in another as soon as that is chosen."""
    tab = new()
    tab.run("localStorage.setItem('pnp.page', JSON.stringify({ lang: 'ja' }))")
    tab.call("Page.navigate", url=f"{place.url}index.html")
    tab.wait("document.title === 'プリント＆プレイ'")
    ask(tab, f"await projects.listNames(); {NEWER}")
    script = """const start = await import("./start.js"), { phrase } = await import("./words.js");
        const game = { id: "g", title: { en: "Kites", ja: "凧" }, players: [2, 4], pictures: { en: [], ja: [] } };
        start.choose({ games: [game], from: [{ id: "blank", pictures: { en: [] } }], takes, docs: "" }, [], "");
        const put = IDBObjectStore.prototype.put;
        IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
        const full = await why(projects.keep("", PATH, bytes("new")));
        IDBObjectStore.prototype.put = put;
        return [document.documentElement.lang, document.getElementById("start").innerText, full, await why(projects.listFiles("later")),
            phrase(["other_version", { path: "site.css" }])];"""
    lang, shown, *said = ask(tab, script)
    assert lang == "ja"
    assert [
        one for one in ("遊んでみる", "2–4人", "カード1枚だけ", "zip または図（SVG）を開く…") if one not in shown
    ] == []
    assert [one.split("。")[0] for one in said] == [
        "ブラウザーの保存領域がいっぱいで、変更を保存できませんでした",
        "「later」はこのサイトの新しい版で保存されたもので、この版では読めません",
        "site.css はこのサイトの別の版のものです",
    ]
    tab.run("document.querySelector('#start .langs [lang=en]').click()")
    shown = tab.run("document.getElementById('start').innerText")
    assert [one for one in ("Play one of these", "2–4 players", "One card, nothing else") if one not in shown] == []
    assert tab.run("[document.documentElement.lang, document.title, JSON.parse(localStorage['pnp.page']).lang]") == [
        "en", "Print and play", "en",
    ]  # fmt: skip
    tab.run("localStorage.clear()")
    tab.call("Page.close")


def test_what_a_newer_site_has_stored(new: Callable[[], Tab], page: Tab) -> None:
    """A project of a newer one is neither opened nor changed; so is the storage itself, and both are told."""
    ask(page, NEWER)
    said = ask(
        page,
        """return [await why(projects.listFiles("later")), await why(projects.keep("later", PATH, bytes("x"))),
            await why(projects.forget("later")), (await projects.listNames()).includes("later")];""",
    )
    assert said[3] is True
    assert all("A newer version of this site has stored “later”" in one for one in said[:3])
    other = new()
    other.run(
        """new Promise((resolve) => { indexedDB.open(`pnp ${new URL("./", document.baseURI).pathname}`, 2).onsuccess = resolve; })"""
    )
    assert "A newer version of this site has stored data" in ask(
        page, "return why(projects.keep('lent 2', PATH, bytes('x')));"
    )
    assert "A newer version of this site has stored data" in ask(page, "return why(projects.listFiles('lent 2'));")
    other.call("Page.close")


def test_no_file_of_another_version_is_taken(browser: Callable[[], Tab], tmp_path: Path, patience: None) -> None:
    """What the line has by now is held against what the site was: a renewed file is refused, and none of it kept."""
    for script in (OWN_PAGE / "sw.js", PAGE / "plain.js"):
        shutil.copy(script, tmp_path)
    for name in ("first.txt", "second.txt"):
        (tmp_path / name).write_text("as it was", encoding="utf-8")
    sums = dict.fromkeys(("first.txt", "second.txt"), hashlib.sha256(b"as it was").hexdigest())
    (tmp_path / "site.json").write_text(json.dumps({"sums": sums, "packed": []}), encoding="utf-8")
    site, page = Site(tmp_path), browser()
    page.call("Page.navigate", url=f"{site.url}plain.js")
    page.wait("document.body?.textContent.includes('textarea')")
    page.run("""new Promise((done) => { navigator.serviceWorker.addEventListener("controllerchange", done);
        navigator.serviceWorker.register("sw.js"); }).then(() => 1)""")

    asked = """(async () => { const found = await fetch("%s"); return [found.status, await found.text()]; })()"""
    assert page.run(asked % "first.txt") == [200, "as it was"]
    for name in ("first.txt", "second.txt"):
        (tmp_path / name).write_text("renewed", encoding="utf-8")
    assert page.run(asked % "first.txt") == [200, "as it was"]
    said = json.dumps(["other_version", {"path": "second.txt"}], separators=(",", ":"))
    assert page.run(asked % "second.txt") == [409, said]
    (tmp_path / "second.txt").write_text("as it was", encoding="utf-8")
    os.utime(tmp_path / "second.txt", (2e9, 2e9))  # in seconds is how a line tells what is newer
    assert page.run(asked % "second.txt") == [200, "as it was"]
    site.end()
