"""Projects that come to a site and go from it, in a real browser: folders and links."""

import base64
import json
import zlib
from pathlib import Path
from typing import Any

from browser import Tab
from site_fixtures import Site, ask, click, edit, in_view, stored, told

from generator.commands.new import new_project
from generator.live.browser_bridge import FOLDERS

GAME = "data/mine/game.yaml"
ROOM = "const room = await (await navigator.storage.getDirectory()).getDirectoryHandle('mine', { create: true });"
STEPS = f"""{ROOM}
    const file = async (path, create = false) => {{
        const steps = path.split("/"), name = steps.pop();
        let home = room;
        for (const step of steps) home = await home.getDirectoryHandle(step, {{ create }});
        return home.getFileHandle(name, {{ create }});
    }};
    const text = async (path) => (await (await file(path)).getFile()).text();
    const put = async (path, said) => {{
        await new Promise((resolve) => setTimeout(resolve, 5));   // another time than what was written before
        const stream = await (await file(path, true)).createWritable();
        await stream.write(said);
        await stream.close();
    }};"""
"""A folder that the browser has itself, with the same ways as one of the reader's."""


def in_folder(tab: Tab, script: str) -> Any:
    """What a script returns that can ask for a `text` of the folder, and `put` one there."""
    return tab.run(f"(async () => {{ {STEPS} {script} }})()")


def front(tab: Tab) -> None:
    tab.run("dispatchEvent(new Event('focus'))")


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


def test_a_project_in_a_folder(home: Tab, tmp_path: Path) -> None:
    """It is opened from there, changes go there and are seen from there; what both changed is asked, never overwritten."""
    new_project(tmp_path, "mine", "blank")
    home.run(f"(async () => {{ {ROOM} window.showDirectoryPicker = async () => room; }})()")
    click(home, "Open a folder…")
    told(home, "there is no data/ in the folder mine")
    for path, data in files_of(tmp_path / "mine").items():
        in_folder(home, f"await put({json.dumps(path)}, {json.dumps(data.decode('utf-8'))});")
    click(home, "Open a folder…")
    told(home, "files opened from the folder mine")
    before = in_folder(home, f"return text('{GAME}');")
    assert stored(home, "mine", GAME) == before

    edit(home, GAME, "format: 1", "format: 1 # here")
    says(home, "saved in the folder mine")
    assert in_folder(home, f"return text('{GAME}');") == before.replace("format: 1", "format: 1 # here")

    in_folder(
        home,
        f"await put('{GAME}', (await text('{GAME}')).replace('# here', '# outside')); await put('data/mine/more.yaml', '');",
    )
    front(home)
    told(home, "2 files were changed in the folder, and were read again")
    assert "format: 1 # outside" in in_view(home, "return text;")
    assert "format: 1 # outside" in stored(home, "mine", GAME)

    in_folder(home, f"await put('{GAME}', (await text('{GAME}')).replace('# outside', '# theirs'));")
    edit(home, GAME, "# outside", "# ours")
    told(home, f"{GAME} was changed here and in the folder, and not alike")
    assert "# theirs" in in_folder(home, f"return text('{GAME}');")
    assert "# ours" in stored(home, "mine", GAME)
    front(home)
    click(home, "Keep this page's")
    home.wait("document.querySelectorAll('.offers li').length === 0")
    home.run("import('./synced.js').then((synced) => synced.look())")
    assert "# ours" in in_folder(home, f"return text('{GAME}');")

    in_folder(home, f"await put('{GAME}', (await text('{GAME}')).replace('# ours', '# theirs'));")
    edit(home, GAME, "# ours", "# again")
    told(home, f"{GAME} was changed here and in the folder, and not alike")
    click(home, "Take the folder's")
    told(home, f"{GAME} was changed in the folder, and was read again")
    assert "# theirs" in in_view(home, "return text;")
    in_folder(
        home,
        "await (await (await room.getDirectoryHandle('data')).getDirectoryHandle('mine')).removeEntry('more.yaml');",
    )
    front(home)
    told(home, "data/mine/more.yaml was changed in the folder")
    assert "data/mine/more.yaml" not in home.run("document.getElementById('files').textContent")


def a_link(site: Site, data: bytes, more: str = "") -> str:
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    coded = base64.urlsafe_b64encode(packing.compress(data) + packing.flush()).decode().rstrip("=")
    return f"{site.url}games/#project=x{more}&files={coded}"


def test_links_that_are_no_projects(site: Site, home: Tab) -> None:
    """Too long, a bomb, cut short, no project, of a starter that there is not: each is told, and nothing is opened."""
    names = ask(home, "projects", "return await projects.names();")
    for address, words in {
        a_link(site, bytes(20 * 2**20)): "it unpacks to more than 8 MiB",
        a_link(site, b"no archive"): "not a readable zip archive",
        a_link(site, b"x" * 1000)[:-6]: "damaged or was cut short",
        f"{site.url}games/#project=x&files=%%%": "damaged or was cut short",
        f"{site.url}games/#project=x&files={'A' * 40_000}": "longer than 32 kB",
    }.items():
        home.run(f"location.href = {json.dumps(address)}")
        told(home, words)
    assert ask(home, "projects", "return await projects.names();") == names
    assert home.run("document.querySelectorAll('.offers li').length") == 0
