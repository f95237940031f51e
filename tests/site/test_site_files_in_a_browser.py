"""A stranger's spreadsheet and pictures in the site, by clicking: files, cells, cards, and the desktop's bytes."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from browser import Tab
from PIL import Image
from site_fixtures import ask, begin, click, files_of, stored, told

CELLS = "data/beasts/deck.csv"
PASTED = 'Fox\t1\tgrove\t3\tBeast\t"Say ""no"".\nRest."\tbeast1.png\nOwl\t1\tember\t4\tBird\tFly.\tbeast0.png\n'
"""Two rows, as a spreadsheet puts them on the clipboard: the first over the last of the table, the second below."""

HEADINGS = ["Title", "Qty", "Realm", "Cost", "Type", "Text", "Picture"]


def choose_files(tab: Tab, paths: list[Path]) -> None:
    """Choose files of this computer by the page's own field."""
    root = tab.call("DOM.getDocument")["root"]["nodeId"]
    field = tab.call("DOM.querySelector", nodeId=root, selector="#add")["nodeId"]
    tab.call("DOM.setFileInputFiles", nodeId=field, files=[str(path) for path in paths])


def write_deck(folder: Path) -> list[Path]:
    """A table of five cards, with a picture of each sort that a site decodes, and two that it can't have."""
    rows = []
    for at, (form, mode) in enumerate(
        (("png", "RGBA"), ("png", "P"), ("jpg", "RGB"), ("jpg", "CMYK"), ("webp", "RGBA"))
    ):
        picture = Image.radial_gradient("L").resize((90, 60)).convert("RGB")
        if mode == "RGBA":
            picture.putalpha(Image.linear_gradient("L").resize((90, 60)))
        (picture.quantize(9) if mode == "P" else picture.convert(mode)).save(folder / f"beast{at}.{form}")
        rows.append([f"Beast {at}", 2, "moon", at, "Beast", "Draw, then rest.", f"beast{at}.{form}"])
    (folder / "empty.png").write_bytes(b"")
    (folder / "song.mp3").write_bytes(b"ID3")
    with (folder / "deck.csv").open("w", newline="", encoding="utf-8-sig") as out:
        csv.writer(out).writerows([HEADINGS, *rows])
    return sorted(folder.iterdir())


def cell(row: int, column: int) -> str:
    return f'document.querySelector(\'.cells tr[data-row="{row}"] [data-column="{column}"]\')'


def rows(tab: Tab) -> list[list[str]]:
    return list(csv.reader(io.StringIO(stored(tab, "beasts", CELLS).lstrip("\ufeff"), newline="")))


def pressed(tab: Tab, at: list[float]) -> None:
    for sort in ("mousePressed", "mouseReleased"):
        tab.call("Input.dispatchMouseEvent", type=sort, x=at[0], y=at[1], button="left", clickCount=1)


def test_a_spreadsheet_and_pictures_become_cards(home: Tab, pnp: Callable[..., Any], tmp_path: Path) -> None:
    """Files are added, the table takes the place of the cards, cells are changed and pasted, and the sheets are equal."""
    (tmp_path / "deck").mkdir()
    home.run("window.confirm = () => true")
    begin(home, "beasts", "fantasy")
    home.run("[...document.querySelectorAll('button')].find((one) => one.textContent === 'Files…').click()")
    choose_files(home, write_deck(tmp_path / "deck"))
    told(home, "6 files added: stored in this browser")
    told(home, "empty.png: the file is empty, it has 0 bytes")
    told(home, "song.mp3: files that end in .mp3 are of no use here")
    click(home, "Card")
    told(home, f"{CELLS} is now the list of Card")
    home.wait("document.querySelectorAll('.cells .face.drawn').length >= 3", "the cards beside their rows")
    assert home.run("[...document.querySelectorAll('#names-3 option')].map((one) => one.value)") == ["moon", "ember", "grove"]  # fmt: skip

    home.run(f"(() => {{ const cell = {cell(3, 3)}; cell.focus(); cell.value = 'nothing'; cell.blur(); }})()")
    home.wait(f"{cell(3, 3)}.closest('td').classList.contains('wrong-cell')", "the wrong cell")
    click(home, "Undo")
    home.wait("document.querySelectorAll('.wrong-cell').length === 0", "the problem's end")
    assert stored(home, "beasts", CELLS).encode() == (tmp_path / "deck/deck.csv").read_bytes()

    home.run(f"""(() => {{ const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", {json.dumps(PASTED)});
        {cell(6, 1)}.focus();
        {cell(6, 1)}.dispatchEvent(new ClipboardEvent("paste", {{ clipboardData, bubbles: true, cancelable: true }})); }})()""")  # fmt: skip
    told(home, "2 rows pasted")
    assert rows(home)[5:] == [
        ["Fox", "1", "grove", "3", "Beast", 'Say "no".\nRest.', "beast1.png"],
        ["Owl", "1", "ember", "4", "Bird", "Fly.", "beast0.png"],
    ]
    home.wait("document.querySelectorAll('.cells th[data-shows^=\"card/\"]').length === 6", "the new card")

    look = "document.querySelector('.design[data-design=\"card/owl\"] .look')"
    home.run(f"document.getElementById('tab-components').click(); {look}.scrollIntoView({{ block: 'center' }})")
    at = home.run(f"(() => {{ const at = {look}.getBoundingClientRect(); return [at.x + 20, at.y + 20]; }})()")
    pressed(home, at)
    home.wait(f"document.activeElement === {cell(7, 1)}", "the card's row")
    assert home.run("document.querySelector('.design.here').dataset.design") == "card/owl"
    assert home.run("document.getElementById('detail').open") is False

    made = home.run("""(async () => {
        const machine = await import("./machine.js");
        const { code } = await machine.command(["sheets", "beasts"], () => {});
        const read = async (path) => [...await machine.ask("read", path)];
        const files = {};
        for (const path of await machine.ask("files")) files[path] = await read(path);
        return { code, files, sheets: await read("output/beasts/sheets.en.pdf") };
    })()""")
    assert made["code"] == 0
    for path, data in made["files"].items():
        (tmp_path / "here" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "here" / path).write_bytes(bytes(data))
    assert "templates/beasts/pictures/beast4.webp" in files_of(tmp_path / "here")
    assert pnp("--project", str(tmp_path / "here"), "sheets", "beasts", "--out", str(tmp_path / "out")).code == 0
    assert bytes(made["sheets"]) == (tmp_path / "out/beasts/sheets.en.pdf").read_bytes()

    name_a_file(home)


def name_a_file(home: Tab) -> None:
    """New, another name, and gone; names that lead out of the project are refused."""
    click(home, "New…")
    home.run("document.getElementById('path').value = '../out.yaml'")
    click(home, "OK")
    told(home, "the name can't be used: it is absolute, or has an empty part, '.' or '..'")
    home.run("document.getElementById('path').value = 'templates/beasts/note.md'")
    click(home, "OK")
    told(home, "templates/beasts/note.md: stored in this browser")
    click(home, "Rename…")
    home.run("document.getElementById('path').value = 'templates/beasts/more.md'")
    click(home, "OK")
    told(home, "templates/beasts/note.md is now templates/beasts/more.md")
    assert ask(home, "machine", "return (await machine.ask('files')).filter((path) => path.endsWith('.md'));") == ["templates/beasts/more.md"]  # fmt: skip
    click(home, "Delete")
    told(home, "templates/beasts/more.md was deleted")
    assert ask(home, "machine", "return (await machine.ask('files')).filter((path) => path.endsWith('.md'));") == []
    home.run("document.querySelector('#files [data-path$=\"beast4.webp\"]').click()")
    home.wait("document.querySelector('.seen p')?.textContent.startsWith('90 × 60 pixels')", "the picture")
