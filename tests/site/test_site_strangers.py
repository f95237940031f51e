"""What strangers hand to a site: zips, links and projects that mean no good, and a newer version of the site itself."""

import base64
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from browser import Tab, chromium
from rules_project import RULES, TEMPLATE, RulesProject
from site_fixtures import OPEN, PROJECT, Site, ask, begin, click, edit, files_of, stored, told

from generator.live.browser_bridge import MOST_BYTES

NOTE = "document.querySelector('.note').textContent"


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip with just these names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return out.getvalue()


def open_zip(tab: Tab, name: str, data: bytes) -> None:
    """Choose a zip, as in the browser's own dialog."""
    tab.run(f"""(async () => {{
        const bytes = Uint8Array.from(atob("{base64.b64encode(data).decode()}"), (letter) => letter.charCodeAt(0));
        const lent = new DataTransfer(), field = document.getElementById("zip");
        lent.items.add(new File([bytes], {json.dumps(name)}));
        field.files = lent.files;
        field.dispatchEvent(new Event("change"));
    }})()""")


@pytest.mark.slow
def test_zips_that_mean_no_good(home: Tab) -> None:
    before = home.run(f"{PROJECT}.value"), ask(home, "projects", "return await projects.listNames();")
    game = b"format: 1\n"
    for name, files, words in (
        ("bomb.zip", {"data/x/game.yaml": game, "data/x/bomb": bytes(MOST_BYTES)}, "it unpacks to more than 200 MiB"),
        (
            "out.zip",
            {"../data/x/game.yaml": game, "/data/x/game.yaml": game, "..\\data\\x": game},
            "it contains no data/",
        ),
        ("none.zip", {}, "it contains no data/"),
    ):
        home.run("document.querySelector('.note').textContent = ''")
        open_zip(home, name, zipped(files))
        home.wait(f"{NOTE}.includes({json.dumps(words)})", words)
    assert (home.run(f"{PROJECT}.value"), ask(home, "projects", "return await projects.listNames();")) == before
    assert ask(home, "machine", "return (await machine.ask('files')).includes('data/fortuna/game.yaml');") is True


RUN = "top.ran = 1; localStorage.setItem(`ran`, 1)"
MARKS = "[window.ran ?? '', localStorage.getItem('ran') ?? '']"
EVIL = {
    "script": (f"<script>{RUN}</script>", "<script> is not supported"),
    "onload": (f'<rect x="1" y="1" width="2" height="2" onload="{RUN}"/>', "unknown attribute 'onload'"),
    "link": (f'<a href="javascript:{RUN}"><rect width="2" height="2"/></a>', "<a> is not supported"),
}
"""What would run in a page, and what is said of it."""


@pytest.mark.slow
def test_a_strangers_project_runs_no_script(home: Tab, browser: Callable[[], Tab], tmp_path: Path) -> None:
    RulesProject(tmp_path)
    good = files_of(tmp_path)
    for name, (evil, words) in EVIL.items():
        files = good | {"templates/higher/card.svg": TEMPLATE.replace("</svg>", f"{evil}</svg>").encode()}
        open_zip(home, f"{name}.zip", zipped(files))
        told(home, f"Opened as the project {name}")
        home.wait(f"document.getElementById('wrong').textContent.includes({json.dumps(words)})", words)
    evil = f"<img src=x onerror='{RUN}'><script>{RUN}</script>"
    data = good["data/higher/game.yaml"].decode()
    for what in ("高い札", "札", "Higher", "Cards", "Somebody"):
        assert f": {what}" in data
        data = data.replace(f": {what}", f': "{evil}"', 1)
    open_zip(home, "texts.zip", zipped(good | {"data/higher/game.yaml": data.encode()}))
    told(home, "Opened as the project texts")
    home.run("location.hash = '#higher/components'")
    picture = "document.querySelector('img.picture[src*=\"face/higher/\"]')"
    home.wait(f"document.body.innerText.includes('<img src=x') && {picture} !== null", "its texts and pictures")
    alone = browser()
    alone.call("Page.navigate", url=home.run(f"{picture}.src"))
    alone.wait("document.documentElement?.localName === 'svg' && document.documentElement.children.length > 0")
    assert home.run(MARKS) == ["", ""]
    assert alone.run(MARKS) == ["", ""]
    alone.call("Page.close")


@pytest.mark.slow
def test_a_strangers_rules_run_when_the_reader_says_so(home: Tab, tmp_path: Path) -> None:
    """Before the tick nothing of them is run and the command says why; after it they run, and no more once it is taken back."""
    project = RulesProject(tmp_path)
    project.write("data/higher/rules.py", f"open('records-ran', 'w').close()\n{RULES}")
    open_zip(home, "rules.zip", zipped(files_of(tmp_path)))
    told(home, "Opened as the project rules")
    ran = "return await machine.ask('read', 'records-ran').then(() => true, () => false);"
    for ticked in (False, True, False):
        if home.run("document.getElementById('trusted').checked") != ticked:
            home.run("document.getElementById('trusted').click()")
            told(home, "The rules of this project " + ("run until you close this tab." if ticked else "don't run."))
        assert home.run("document.getElementById('trusted').checked") == ticked
        home.run("document.getElementById('line').value = 'validate higher --games 0'")
        click(home, "Run")
        home.wait(f"{NOTE}.includes({json.dumps('Done' if ticked else 'ended with code 1.')})", "the command's end")
        said = home.run("document.querySelector('.log').textContent")
        assert ("which pnp does not run without permission" in said) != ticked
        assert ask(home, "machine", ran) == ticked


@pytest.mark.slow
def test_a_link_goes_to_its_end(home: Tab, site: Site, tool: Callable[[str], str], tmp_path: Path) -> None:
    """The start page asks before it opens a link; the project has the sender's texts and languages."""
    path, cards = "data/lent/game.yaml", "data/lent/components.yaml"
    home.run("document.getElementById('spoken').value = 'en'")
    begin(home, "lent")
    edit(home, path, "format: 1", "format: 1 # sent")
    click(home, "Link")
    told(home, "This link holds 1 file (")
    address = home.run("document.getElementById('link').value")
    with chromium(tool("chromium"), tmp_path) as new:
        theirs = new()
        theirs.call("Page.navigate", url=address)
        theirs.wait("document.querySelector('.start-link')?.textContent.includes('lent')", "the question")
        assert not theirs.run(OPEN)
        click(theirs, "Open it")
        theirs.wait(f"{OPEN} && {PROJECT}?.value === 'lent'", "the project")
        assert stored(theirs, "lent", cards) == stored(home, "lent", cards) != ""
        assert "format: 1 # sent" in stored(theirs, "lent", path)
        assert "format: 1 # sent" in ask(
            theirs, "machine", f"return new TextDecoder().decode(await machine.ask('read', '{path}'));"
        )
