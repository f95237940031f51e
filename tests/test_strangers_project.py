"""Strangers' projects and tables of other tools, as they are, build and are printed."""

import csv
import io
import re
import subprocess
import sys
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from conftest import Pnp, Tool
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from tests_support import ProjectFolder

from generator.drawing.pdf.page_images import render_page


def own_font(path: Path) -> None:
    """A font of the stranger's: every letter a block, drawn here."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzäöüß0123456789 .,-"
    names = [".notdef", *(f"g{n}" for n in range(len(letters)))]
    pen = TTGlyphPen(None)
    for point in ((50, 0), (50, 600), (450, 600), (450, 0)):
        (pen.moveTo if point == (50, 0) else pen.lineTo)(point)
    pen.closePath()
    block, blank = pen.glyph(), TTGlyphPen(None).glyph()
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(char): f"g{n}" for n, char in enumerate(letters)})
    space = f"g{letters.index(' ')}"
    builder.setupGlyf({name: blank if name in (".notdef", space) else block for name in names})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (500, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Feder", "styleName": "Regular", "psName": "Feder-Regular"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, fsType=0)
    builder.setupPost()
    builder.save(path)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Twenty cards of 90 x 50 mm in German."""
    root = ProjectFolder(tmp_path / "kraehenpost", "kraehenpost").root
    (root / "fonts").mkdir()
    own_font(root / "fonts/Feder.ttf")
    return root


def test_a_strangers_game_builds_from_its_own_folder(project: Path, tool: Tool) -> None:
    """Ten cards a sheet, the stranger's font embedded, each card's words extractable, colours as drawn."""
    done = subprocess.run(
        [sys.executable, "-m", "generator", "build"], cwd=project / "data", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and re.fullmatch(r"validation: \d+ checks passed\n", done.stderr)
    pdf = project / "data/output/post/sheets.de.pdf"

    with pikepdf.open(pdf) as opened:
        assert len(opened.pages) == 2
    text = subprocess.run([tool("pdftotext"), str(pdf), "-"], capture_output=True, text=True, check=True).stdout
    for n in range(1, 21):
        assert text.count(f"Bote {n}\n") == 1
    assert "Entwurf 3" in text
    fonts = subprocess.run([tool("pdffonts"), str(pdf)], capture_output=True, text=True, check=True).stdout
    assert "Feder" in fonts
    page = render_page(pdf, 0, 50)
    colours = {page.getpixel((x, y)) for x in range(40, 380, 7) for y in range(40, 540, 7)}
    assert {(255, 248, 224), (32, 32, 64), (64, 96, 48)} <= colours


def test_a_strangers_game_is_validated_and_listed(project: Path, pnp: Pnp) -> None:
    """Without rules, icons or backs the generic checks still run, and nothing speaks of other games."""
    report = pnp("--project", str(project), "validate")
    listed = pnp("--project", str(project), "list").out
    assert report.code == 0, report.out
    assert "0 fail" in report.out.splitlines()[0]
    assert "post: Krähenpost, draft Entwurf 3, 1-6 players, de" in listed
    assert "20  (not stated, 20 designs, 90 x 50 mm)  Bote" in listed
    assert "ortuna" not in report.out + listed


GAME_TABLES = """\
format: 1
title: Other people's decks
draft: 1
date: 2026-01-31
languages: [en]
players: {fewest: 2, most: 4}
credit: Somebody
licence: all rights reserved
fonts:
  body: {en: {regular: [SourceSans3_400Regular.ttf]}}
components:
"""
TEMPLATE_TABLES = """\
<svg xmlns="http://www.w3.org/2000/svg">
  <textbox x="5" y="8" width="50" height="10" font-family="body" font-size="10pt">{{ card.%s }}</textbox>
  <textbox x="5" y="20" width="50" height="55" font-family="body" font-size="7pt">{{ card.%s or '' }}</textbox>
</svg>
"""

# As `Squib.xlsx` and `Squib.csv` read them: capitals, Qty, file names of pictures, no ids.
SQUIB = """\
Name,Qty,Level,Image,Description,Playtest notes
Lock pick,3,1,lock-pick.svg,"Open a door.
Draw one.",too weak?
Grappling hook,2,3,hook.svg,Climb,
Decoy,,2,decoy.svg,,
"""

# As nanDECK links them: semicolons, Western decimals, whatever heading; saved by Excel with a mark.
NANDECK = """\
Ship list 3.1;;;;
;;;;
Copies;Title Of Card;Weight (t);Text;_script
2;Galleon;1.250,5;Carries four.;x
1;Sloop;0,5;Carries one: fast!;y
"""

# As Google Sheets saves it: ticks down to the end, thousands, notes, a column of formulas that are worked out.
GOOGLE = [
    ["id", "Title", "Price", "Rare", "Text", "Notes", "Total"],
    ["Event 1", "Harvest", "1,200", "TRUE", "Everybody gains 2.", "from Ann", "1,200"],
    ["Event 2", "Storm", "3.0", "FALSE", "Nobody sails.", "", "1,203"],
    ["Event 3", "Storm", "", "FALSE", "", "", "1,203"],
    *([["", "", "", "FALSE", "", "", ""]] * 40),
]

KINDS = {
    "squib": """\
    fields: {name: text, level: integer, description: {type: text, optional: true}}
    ignore: [image, playtest notes]
    designs: deck.csv
""",
    "nandeck": """\
    fields: {title: words, weight: number, text: text}
    columns: {Title of card: title, Weight (t): weight}
    ignore: [_script]
    designs: deck.csv
""",
    "google": """\
    fields: {title: words, price: {type: integer, optional: true}, rare: boolean, text: {type: text, optional: true}}
    id_from: id
    ignore: [Notes, Total]
    designs: My deck - Sheet1.csv
""",
}
"""All that the YAML has to say of each table: three or four lines."""

DECKS = {
    "squib": (SQUIB.encode(), ("name", "description"), ["lock-pick x3", "grappling-hook x2", "decoy x1"], "Open a door."),
    "nandeck": (b"\xef\xbb\xbf" + NANDECK.replace("\n", "\r\n").encode(), ("title", "text"), ["galleon x2", "sloop x1"], "Carries four."),
    "google": (b"", ("title", "text"), ["event-1 x1", "event-2 x1", "event-3 x1"], "Everybody gains 2."),
}  # fmt: skip


def google_csv() -> bytes:
    """The rows as Google writes them: commas, CRLF, no mark."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows(GOOGLE)
    return text.getvalue().encode()


@pytest.mark.parametrize("deck", DECKS)
def test_a_strangers_deck_is_printed_as_it_is(deck: str, pnp: Pnp, room: Path) -> None:
    raw, shown, designs, text = DECKS[deck]
    raw = raw or google_csv()
    name = KINDS[deck].split("designs: ")[1].strip()
    game = f"{GAME_TABLES}  {deck}:\n    name: A card\n    size: us-poker\n    front: card\n{KINDS[deck]}"
    for path, content in (
        (f"data/{deck}/game.yaml", game.encode()),
        (f"data/{deck}/{name}", raw),
        (f"templates/{deck}/card.svg", (TEMPLATE_TABLES % shown).encode()),
    ):
        (room / path).parent.mkdir(parents=True, exist_ok=True)
        (room / path).write_bytes(content)
    listed = pnp("list", "--format", "json")
    ran = pnp("sheets", "--backs", "none")
    assert (listed.code, ran.code, ran.err, pnp("export", "csv").code) == (0, 0, "", 0)
    rows = list(csv.DictReader((room / f"output/{deck}/csv/{deck}.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert [f"{row['id']} x{row.get('count') or 1}" for row in rows if row["id"]][: len(designs)] == designs
    pdf = pypdfium2.PdfDocument(room / f"output/{deck}/sheets.en.pdf")
    words = "".join(page.get_textpage().get_text_range() for page in pdf)
    pdf.close()
    copies = int(designs[0].rpartition("x")[2])
    assert words.count(text) == copies
    assert (room / f"data/{deck}/{name}").read_bytes() == raw
    assert len(KINDS[deck].splitlines()) <= 4
