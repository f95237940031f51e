"""Decks of other tools, their tables as they are: one of Squib's, one of nanDECK's, one from a Google Sheet, printed."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest
from conftest import Ran

Pnp = Callable[..., Ran]

GAME = """\
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
TEMPLATE = """\
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
def test_a_strangers_deck_is_printed_as_it_is(
    deck: str, pnp: Pnp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With three or four lines about the table every card of it is on the sheets; the file is as it was."""
    raw, shown, designs, text = DECKS[deck]
    raw = raw or google_csv()
    name = KINDS[deck].split("designs: ")[1].strip()
    game = f"{GAME}  {deck}:\n    name: A card\n    size: us-poker\n    front: card\n{KINDS[deck]}"
    for path, content in (
        (f"data/{deck}/game.yaml", game.encode()),
        (f"data/{deck}/{name}", raw),
        (f"templates/{deck}/card.svg", (TEMPLATE % shown).encode()),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    listed = pnp("list", "--format", "json")
    ran = pnp("sheets", "--backs", "none")
    table = pnp("export", "csv")

    assert (listed.code, ran.code, ran.err, table.code) == (0, 0, "", 0)
    rows = list(
        csv.DictReader((tmp_path / f"output/{deck}/csv/{deck}.csv").read_text(encoding="utf-8-sig").splitlines())
    )
    assert [f"{row['id']} x{row.get('count') or 1}" for row in rows if row["id"]][: len(designs)] == designs
    pdf = pypdfium2.PdfDocument(tmp_path / f"output/{deck}/sheets.en.pdf")
    words = "".join(page.get_textpage().get_text_range() for page in pdf)
    pdf.close()
    copies = int(designs[0].rpartition("x")[2])
    assert words.count(text) == copies
    assert (tmp_path / f"data/{deck}/{name}").read_bytes() == raw
    assert len(KINDS[deck].splitlines()) <= 4
