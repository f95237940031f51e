"""Projects that come to a site and go from it, in a real browser: folders and links."""

import json
from pathlib import Path
from typing import Any

from browser import Tab
from site_fixtures import Site, ask, begin, click, edit, files_of, in_view, says, stored, told

from generator.commands.new import new_project

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


def test_an_error_of_a_project_that_was_left_ends_no_other(home: Tab) -> None:
    """Its Python may wait for a file when it is given up, and fail for that afterwards."""
    home.run("""window.begun = [];
        window.Worker = class extends Worker { constructor(...all) { super(...all); begun.push(this); } }; undefined""")
    for name in ("left", "open"):
        begin(home, name)
    answers = "machine.ask('hello').then(() => true), new Promise((done) => setTimeout(done, 20_000, false))"
    script = (
        f"begun[0].dispatchEvent(new ErrorEvent('error', {{ message: 'late' }})); return Promise.race([{answers}]);"
    )
    assert ask(home, "machine", script)
    assert home.run("begun.length") == 2


def test_a_project_in_a_folder(home: Tab, tmp_path: Path) -> None:
    new_project(tmp_path, "mine", "blank")
    home.run(f"(async () => {{ {ROOM} window.showDirectoryPicker = async () => room; }})()")
    click(home, "Open a folder…")
    told(home, "The folder mine has no data/.")
    for path, data in files_of(tmp_path / "mine").items():
        in_folder(home, f"await put({json.dumps(path)}, {json.dumps(data.decode('utf-8'))});")
    click(home, "Open a folder…")
    told(home, "The folder mine is open. Changes are saved there.")
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
    told(home, "2 files were changed in the folder and are loaded again.")
    assert "format: 1 # outside" in in_view(home, "return text;")
    assert "format: 1 # outside" in stored(home, "mine", GAME)

    in_folder(home, f"await put('{GAME}', (await text('{GAME}')).replace('# outside', '# theirs'));")
    edit(home, GAME, "# outside", "# ours")
    told(home, f"{GAME} was changed here and by another program.")
    assert "# theirs" in in_folder(home, f"return text('{GAME}');")
    assert "# ours" in stored(home, "mine", GAME)
    front(home)
    click(home, "Keep this page's version")
    home.wait("document.querySelectorAll('.offers li').length === 0")
    home.run("import('./synced.js').then((synced) => synced.look())")
    assert "# ours" in in_folder(home, f"return text('{GAME}');")

    in_folder(home, f"await put('{GAME}', (await text('{GAME}')).replace('# ours', '# theirs'));")
    edit(home, GAME, "# ours", "# again")
    told(home, f"{GAME} was changed here and by another program.")
    click(home, "Use the file's version")
    told(home, f"{GAME} was changed in the folder and is loaded again.")
    assert "# theirs" in in_view(home, "return text;")
    in_folder(
        home,
        "await (await (await room.getDirectoryHandle('data')).getDirectoryHandle('mine')).removeEntry('more.yaml');",
    )
    front(home)
    told(home, "data/mine/more.yaml was changed in the folder")
    assert "data/mine/more.yaml" not in home.run(
        "[...document.querySelectorAll('#files [data-path]')].map((one) => one.dataset.path)"
    )


def test_a_link_that_is_no_project(site: Site, home: Tab) -> None:
    names = ask(home, "projects", "return await projects.listNames();")
    home.run(f"location.href = '{site.url}games/#project=x&files=%%%'")
    told(home, "damaged or incomplete")
    assert ask(home, "projects", "return await projects.listNames();") == names
    assert home.run("document.querySelectorAll('.offers li').length") == 0
