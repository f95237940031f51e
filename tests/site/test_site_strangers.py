"""What strangers hand to a site: zips, links and projects that mean no good, and a newer version of the site itself."""

import base64
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from browser import Tab
from rules_project import RULES, RulesProject
from site_fixtures import ask, click, told

from generator.site.archive import FOLDERS, MOST_BYTES

NOTE = "document.querySelector('.note').textContent"
PROJECT = "document.getElementById('project')"


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


def files_of(folder: Path) -> dict[str, bytes]:
    """A project's files by their paths."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for name in FOLDERS
        for path in sorted((folder / name).rglob("*"))
        if path.is_file()
    }


@pytest.mark.slow
def test_zips_that_mean_no_good(home: Tab) -> None:
    """A bomb and names that lead out of the project are told, and nothing is opened; beside a project they are left out."""
    before = home.run(f"{PROJECT}.value"), ask(home, "projects", "return await projects.names();")
    game = b"format: 1\n"
    for name, files, words in (
        ("bomb.zip", {"data/x/game.yaml": game, "data/x/bomb": bytes(MOST_BYTES)}, "it unpacks to more than 200 MiB"),
        (
            "out.zip",
            {"../data/x/game.yaml": game, "/data/x/game.yaml": game, "..\\data\\x": game},
            "there is no data/ in it",
        ),
        ("none.zip", {}, "there is no data/ in it"),
    ):
        home.run("document.querySelector('.note').textContent = ''")
        open_zip(home, name, zipped(files))
        home.wait(f"{NOTE}.includes({json.dumps(words)})", words)
    assert (home.run(f"{PROJECT}.value"), ask(home, "projects", "return await projects.names();")) == before
    assert ask(home, "machine", "return (await machine.ask('files')).includes('data/fortuna/game.yaml');") is True


@pytest.mark.slow
def test_a_strangers_rules_run_when_the_reader_says_so(home: Tab, tmp_path: Path) -> None:
    """Before the tick nothing of them is run and the command says why; after it they run, and no more once it is taken back."""
    project = RulesProject(tmp_path)
    project.write("data/higher/rules.py", f"open('records-ran', 'w').close()\n{RULES}")
    open_zip(home, "rules.zip", zipped(files_of(tmp_path)))
    told(home, "opened from rules.zip")
    ran = "return await machine.ask('read', 'records-ran').then(() => true, () => false);"
    for ticked in (False, True, False):
        if home.run("document.getElementById('trusted').checked") != ticked:
            home.run("document.getElementById('trusted').click()")
            told(
                home,
                "rules of this project run until this tab is closed" if ticked else "rules of this project do not run",
            )
        assert home.run("document.getElementById('trusted').checked") == ticked
        home.run("document.getElementById('line').value = 'validate higher --games 0'")
        click(home, "Run")
        home.wait(f"{NOTE}.includes({json.dumps('done' if ticked else 'ended with 1')})", "the command's end")
        said = home.run("document.querySelector('.log').textContent")
        assert ("programs in data are not run unasked" in said) != ticked
        assert ask(home, "machine", ran) == ticked
