"""More than forty ways in which people save a table: each is taken as it is, or told in one exact sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from table_files import csv_file, ods_cell, ods_file, ods_sheet, xlsx_file

from generator.base.errors import ProblemsFound
from generator.game.load_game import load_game
from generator.game.project import find_project

GAME = Path(__file__).with_name("ways_to_save.txt").read_text("utf-8")

HEAD = ["id", "count", "title", "cost"]
ROWS = [HEAD, ["fox", 2, "The Fox", 3], ["owl", 1, "An Owl; wise, old", 4]]
"""What all of those that are taken say, in their own way."""

TAKEN = ["fox x2 The Fox 3", "owl x1 An Owl; wise, old 4"]
MADE = ["the-fox x2 The Fox 3", "an-owl-wise-old x1 An Owl; wise, old 4"]


@dataclass(frozen=True)
class Way:
    """A table as somebody has saved it: its name and bytes, more of the kind's YAML, and what comes of it.

    `taken` has a line for each design; `told` what is said instead, without the folder.
    """

    file: str
    raw: bytes
    taken: Sequence[str] = ()
    told: str = ""
    yaml: Sequence[str] = ()
    langs: Sequence[str] = ("en",)


def way(
    file: str, rows: Any, *expected: str, yaml: Sequence[str] = (), langs: Sequence[str] = ("en",), **more: Any
) -> Way:
    raw = rows if isinstance(rows, bytes) else csv_file(rows, **more)
    return Way(file, raw, expected or TAKEN, "", yaml, langs)


def told(file: str, rows: Any, said: str, yaml: Sequence[str] = (), langs: Sequence[str] = ("en",), **more: Any) -> Way:
    """A table of which this is said, after its name."""
    raw = rows if isinstance(rows, bytes) else csv_file(rows, **more)
    return Way(file, raw, (), said, yaml, langs)


def headed(*heading: str) -> list[list[Any]]:
    return [list(heading), *ROWS[1:]]


def without(*columns: int) -> list[list[Any]]:
    return [[cell for at, cell in enumerate(row) if at not in columns] for row in ROWS]


def with_column(heading: str, *cells: Any) -> list[list[Any]]:
    return [[*row, cell] for row, cell in zip(ROWS, (heading, *cells), strict=True)]


def cost(text: str, heading: str = "cost") -> list[list[str]]:
    return [["id", "title", heading], ["a", "A", text]]


BAD = [["id", "title", "cost"], *([f"c{n}", f"C{n}", "x" if n % 2 else "7"] for n in range(78))]
DATED = [[*HEAD, "edited"], [*ROWS[1], date(2026, 11, 22)], [*ROWS[2], None]]
MERGED = [["Deck of the fox", None, None, None], [None], *ROWS]
BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
LONG = '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
FAR = '<table:table-row table:number-rows-repeated="90000"><table:table-cell office:value-type="string" table:number-columns-repeated="700"><text:p>x</text:p></table:table-cell></table:table-row>'


def merge_title(book: Any) -> None:
    book.active.merge_cells("A1:D1")


def merge_below(book: Any) -> None:
    book.active.merge_cells("C2:C3")


def hide(book: Any) -> None:
    book.create_sheet("Deck")
    book["Deck"].sheet_state = "hidden"


DECK_LINE = "game.yaml:22:14: "
WAYS = {
    # --- CSV and its relatives
    "as the guide has it": way("deck.csv", ROWS),
    "UTF-8 with a byte order mark, from Excel": way("deck.csv", ROWS, encoding="utf-8-sig"),
    "semicolons, from a German Excel": way("deck.csv", ROWS, separator=";"),
    "tabs": way("deck.tsv", ROWS, separator="\t"),
    "Unicode text of Excel: UTF-16 and tabs": way("deck.txt", ROWS, separator="\t", encoding="utf-16"),
    "bars": way("deck.csv", ROWS, separator="|"),
    "sep=; above": way("deck.csv", b"sep=;\r\n" + csv_file(ROWS, ";")),
    "ends of lines of an old Mac": way("deck.csv", ROWS, ends="\r"),
    "everything in quotes, from LibreOffice": way("deck.csv", ROWS, quoting=1, ends="\n"),
    "a name with spaces, from Google Sheets": way("My Deck - Sheet1.csv", ROWS),
    "Shift_JIS, from a Japanese Excel": way(
        "deck.csv", headed("id", "枚数", "title", "cost"), langs=("ja",), encoding="cp932"
    ),
    "a Western Excel's CSV": told(
        "deck.csv", [*ROWS, ["vélo", 1, "Vélo", 1]],
        "deck.csv:4: byte 0xE9 in line 4 of the text is not UTF-8; save it as `CSV UTF-8`", encoding="cp1252",
    ),
    "a workbook with the wrong name": told(
        "deck.csv", xlsx_file(ROWS), "deck.csv: the file is a workbook, not a text file; change its name to end in .xlsx or .ods"
    ),
    "an empty file": told("deck.csv", b"", "deck.csv: the table is empty; write the field names in its first row"),
    "rows that end early": told(
        "deck.csv", b"id,count,title,cost\nfox,2\nowl,1,Owl\neel,1\nape,1\n",
        "deck.csv:2:2: rows 2, 4 and 5: the row has 2 cells, but the header has 4; "
        "write 4 cells separated by commas; leave cells without a value empty\n"
        "deck.csv:3:3: row 3: the row has 3 cells, but the header has 4; "
        "write 4 cells separated by commas; leave cells without a value empty",
    ),
    "a quote that is never closed": told(
        "deck.csv", b'id,title\nfox,"The Fox\n',
        "deck.csv:2: a double quote in this row is never closed; close it, or double it inside a text",
    ),
    "a formula that nobody worked out": told(
        "deck.csv", [["id", "title", "cost"], ["a", "A", "=1+2"]],
        "deck.csv:2:3: cell C2, column 'cost': the cell is a formula: '=1+2'; write its result; if it is a text, "
        "put `'` in front",
    ),
    # --- headings
    "capitals": way("deck.csv", headed("ID", "Count", "Title", "COST")),
    "spaces round them, and line breaks": way("deck.csv", headed(" id", "count ", "\nTitle ", " cost ")),
    "Qty": way("deck.csv", headed("id", "Qty", "title", "cost")),
    "Anzahl": way("deck.csv", headed("id", "Anzahl", "title", "cost"), separator=";"),
    "of two words": way(
        "deck.csv", [["Title", "Flavour Text"], ["A", "Once"]], "a x1 A Once"
    ),
    "with hyphens and in full width": way(
        "deck.csv", [["Ｔｉｔｌｅ", "flavour-text"], ["A", "Once"]], "a x1 A Once"
    ),
    "with a language, in brackets": way(
        "deck.csv", [["id", "Title (EN)", "Title (JA)"], ["a", "Fox", "狐"]], "a x1 狐/Fox", langs=("ja", "en")
    ),
    "other names, with columns:": way(
        "deck.csv", headed("id", "How many", "Card name", "Price"),
        yaml=['columns: {How many: count, "card NAME": title, Price: cost}'],
    ),
    "a heading that columns: misspells": told(
        "deck.csv", headed("id", "count", "title", "Price"),
        "deck.csv:1:4: the column 'Price' is not a field of this kind; declare it under `fields:`, or write `ignore: [Price]`\n"
        "game.yaml:23:15: the table has no heading 'Prise'; did you mean 'Price'?", yaml=["columns: {Prise: cost}"],
    ),
    "a field that columns: misspells": told(
        "deck.csv", headed("id", "count", "title", "Price"),
        "game.yaml:23:22: the heading 'Price' means 'cots', but this kind has no such field; did you mean 'cost'?",
        yaml=["columns: {Price: cots}"],
    ),
    "a column of notes": told(
        "deck.csv", with_column("Notes", "too strong?", ""),
        "deck.csv:1:5: the column 'Notes' is not a field of this kind; declare it under `fields:`, or write `ignore: [Notes]`",
    ),
    "a column of notes, with ignore:": way("deck.csv", with_column("Notes", "too strong?", ""), yaml=["ignore: notes"]),
    "columns by a pattern": way("deck.csv", with_column("Internal use", "x", ""), yaml=['ignore: ["internal *"]']),
    "everything else, with *": way("deck.csv", with_column("", "x", "y"), yaml=['ignore: "*"']),
    "several that nobody knows": told(
        "deck.csv", [["id", "title", "Tilte", "Art?", "x", "y", "z", "true"], ["a", "A", *"123456"]],
        "deck.csv:1:3: the columns 'Tilte', 'Art?', 'x', 'y' and 2 more are not fields of this kind; did you mean 'title' "
        "by 'Tilte'? Else declare them under `fields:`, or write `ignore: [Tilte, \"Art?\", x, y, z, \"true\"]`",
    ),
    "cells beside the table": told(
        "deck.csv", with_column("", "", "x"),
        "deck.csv:3:5: cell E3: 'x' is in a column without a name; name the column, or write `ignore: [\"\"]`",
    ),
    "a heading twice": told(
        "deck.csv", headed("id", "title", "title", "cost"),
        "deck.csv:1:3: the column 'title' is given twice (first as column 2); keep one of them",
    ),
    "two columns that could be the count": told(
        "deck.csv", with_column("Copies", 1, 1),
        "deck.csv:1:5: the column 'Copies' means 'count', as 'count' in column 2 does; write `ignore: [Copies]`, or the other one",
    ),
    "a required column missing": told(
        "deck.csv", [["id", "Name"], ["a", "A"]],
        "deck.csv:1:1: the table has no column 'title'; add it, or say which heading means it: `columns: {Name: title}`\n"
        "deck.csv:1:2: the column 'Name' is not a field of this kind; declare it under `fields:`, or write `ignore: [Name]`",
    ),
    # --- what stands above the header
    "a title row above": way("deck.csv", [["Deck of the fox", "", "", ""], *ROWS]),
    "a title, a date and an empty row above": way("deck.csv", [["Fox"], ["count of 2026-11-22"], [], *ROWS]),
    "a title above that is called as an optional field": way("deck.csv", [["Cost", "", "", ""], *ROWS]),
    "a title above that is called as the required one": way("deck.csv", [["Title", "", "", ""], *ROWS]),
    # --- ids
    "no ids: made of the title": way("deck.csv", without(0), *MADE),
    "the same title twice": way("deck.csv", [["Title"], ["Fox"], ["Fox!"], ["fox"]], "fox x1 Fox", "fox-2 x1 Fox!", "fox-3 x1 fox"),
    "Japanese titles": way(
        "deck.csv", [["title", "cost"], ["日の出", 1], ["日の入り", 2], ["Café Noir", 3]],
        "id-09772f40 x1 日の出 1", "id-cc4e971b x1 日の入り 2", "cafe-noir x1 Café Noir 3", langs=("ja",),
    ),
    "made of another column": way(
        "deck.csv", [["Code", "Title"], ["A/1", "Fox"], ["A/2", "Fox"]], "a-1 x1 Fox", "a-2 x1 Fox", yaml=["id_from: Code"]
    ),
    "made of what is missing": told(
        "deck.csv", without(0), "game.yaml:23:14: `id_from` names 'Nr', but the table has no such heading; known: cost, count, title",
        yaml=["id_from: Nr"],
    ),
    "ids with spaces": told(
        "deck.csv", [["ID", "title"], *([f"Event {n}", "A"] for n in range(1, 40))],
        "deck.csv:2:1: column 'ID', rows 2, 3, 4 and 36 more: the id 'Event 1' has other characters than "
        "letters, digits, - and _ (elsewhere 'Event 2', 'Event 3', 'Event 4' and 35 more); `id_from: ID` makes "
        "ids of this column",
    ),
    "ids with spaces, with id_from:": way("deck.csv", [["ID", "title"], ["Event 1", "A"]], "event-1 x1 A", yaml=["id_from: ID"]),
    "no title where one is wanted": told(
        "deck.csv", [["title", "cost"], ["", 3]],
        "deck.csv:2:1: cell A2, column 'title': the cell is empty; fill the cell, or declare the field with "
        "`optional: true`",
    ),
    # --- numbers and truth
    "3.0": way("deck.csv", cost("3.0"), "a x1 A 3"),
    "1,000": way("deck.csv", cost("1,000"), "a x1 A 1000"),
    "1.000,5": way("deck.csv", cost("1.000,5", "weight"), "a x1 A 1000.5", separator=";"),
    "1 000 000 with narrow spaces": way("deck.csv", cost("1\u202f000\u202f000"), "a x1 A 1000000"),
    "full width and a typographer's minus": way("deck.csv", [["id", "title", "cost"], ["a", "A", "３"], ["b", "B", "−3"]], "a x1 A 3", "b x1 B -3"),
    "1.000 where a whole number is wanted": told(
        "deck.csv", cost("1.000"), "deck.csv:2:3: cell C2, column 'cost': '1.000' may be 1000 or 1; write 1000, or 1"
    ),
    "1,500 where decimals may be": told(
        "deck.csv", cost("1,500", "weight"),
        "deck.csv:2:3: cell C2, column 'weight': '1,500' may be 1500 or 1.5; write 1500, or 1.5",
    ),
    "a currency": told(
        "deck.csv", cost("$3"), "deck.csv:2:3: cell C2, column 'cost': must be a whole number, not '$3'; write digits only"
    ),
    "39 words in a column of numbers": told(
        "deck.csv", BAD,
        "deck.csv:3:3: column 'cost', rows 3, 5, 7 and 36 more: must be a whole number, not 'x'; write digits only",
    ),
    "tick boxes down to the end of the sheet": way(
        "deck.csv", [["title", "Wild"], ["A", "TRUE"], ["B", "FALSE"], *([["", "FALSE"]] * 990)], "a x1 A True", "b x1 B False"
    ),
    # --- workbooks
    "an Excel workbook": way("deck.xlsx", xlsx_file(ROWS)),
    "a sheet of a workbook": way("deck.xlsx:Sheet1", xlsx_file(ROWS)),
    "a merged title above the header": way("deck.xlsx", xlsx_file(MERGED, merge_title)),
    "merged cells in the table": told(
        "deck.xlsx", xlsx_file(ROWS, merge_below),
        "deck.xlsx:2:3: cell C2, column 'title': the cells C2:C3 are merged: only the first of them has a value; split "
        "them and fill each cell\n"
        "deck.xlsx:3:3: cell C3, column 'title': the cell is empty; fill the cell, or declare the field with `optional: true`",
    ),
    "dates in a column that is ignored": way("deck.xlsx", xlsx_file(DATED), yaml=["ignore: [Edited]"]),
    "dates in a column that counts": told(
        "deck.xlsx", xlsx_file(DATED),
        "deck.xlsx:2:5: cell E2, column 'edited': the cell contains a date or a time; format the column as Text "
        "and type it again",
        yaml=["columns: {edited: flavour_text}"],
    ),
    "a hidden sheet": told(
        "deck.xlsx:Deck", xlsx_file(ROWS, hide), "deck.xlsx:Deck: the sheet 'Deck' is hidden; unhide it, or name another"
    ),
    "a workbook with a header of its own": told(
        "deck.xlsx", xlsx_file([["Naam", "Prijs"], ["A", 3]]),
        "deck.xlsx:1:1: the header names no field: it reads 'Naam, Prijs'; one of the first rows names the fields; "
        "`columns: {Name: title}` says what another heading means",
    ),
    "an old Excel workbook": told(
        "deck.xls", b"\xd0\xcf\x11\xe0", DECK_LINE + "pnp can't read the format of the table 'deck.xls'; save it as an Excel workbook (.xlsx)",
    ),
    "Apple's Numbers": told(
        "deck.numbers", b"PK", DECK_LINE + "pnp can't read the format of the table 'deck.numbers'; export it from Numbers as CSV or Excel",
    ),
    # --- OpenDocument
    "LibreOffice's own form": way("deck.ods", ods_file(ods_sheet(ROWS))),
    "a sheet of it by its name": way("deck.ods:The deck", ods_file(ods_sheet([["x"]], "Notes"), ods_sheet(ROWS, "The deck"))),
    "the first sheet that is not hidden": way("deck.ods", ods_file(ods_sheet([["x"]], "Old", "hidden"), ods_sheet(ROWS))),
    "empty rows to the end of the sheet": way("deck.ods", ods_file(ods_sheet(ROWS, after=LONG))),
    "a date in a column that counts": told(
        "deck.ods", ods_file(ods_sheet([["id", "title"], ["a", '<table:table-cell office:value-type="date" office:date-value="2026-11-22"><text:p>22.11.26</text:p></table:table-cell>']])),
        "deck.ods:2:2: cell B2, column 'title': the cell contains a date or a time; format the column as Text "
        "and type it again",
    ),
    "merged cells": told(
        "deck.ods", ods_file(ods_sheet([["id", "title"], ["a", ods_cell("A", 'table:number-rows-spanned="2" table:number-columns-spanned="1"')]])),
        "deck.ods:2:2: cell B2, column 'title': the cells that begin here are merged: only the first of them has "
        "a value; split them and fill each cell",
    ),
    "a number that is shown otherwise": told(
        "deck.ods", ods_file(ods_sheet([["id", "title"], ["a", '<table:table-cell office:value-type="float" office:value="7"><text:p>007</text:p></table:table-cell>']])),
        "deck.ods:2:2: cell B2, column 'title': the number 7 is shown otherwise, as '007'; format the column as Text and type it again",
    ),
    "a sheet that it does not have": told(
        "deck.ods:Dekc", ods_file(ods_sheet(ROWS, "Deck")),
        "deck.ods:Dekc: the spreadsheet has no sheet 'Dekc'; did you mean 'Deck'?",
    ),
    "entities that grow": told(
        "deck.ods", ods_file(ods_sheet(ROWS), before=BOMB),
        "deck.ods: the file can't be read as a spreadsheet; save it again as an OpenDocument spreadsheet (.ods), "
        "without a password",
    ),
    "a cell that says it is repeated without end": told(
        "deck.ods", ods_file(ods_sheet(ROWS, after=FAR)),
        "deck.ods:4: the row says that it is repeated: the table would have more than 2,000,000 cells; clear the "
        "cells outside the table",
    ),
    "no archive at all": told(
        "deck.ods", b"PK\x03\x04rest",
        "deck.ods: the file can't be read as a spreadsheet; save it again as an OpenDocument spreadsheet (.ods), "
        "without a password",
    ),
}  # fmt: skip


def load(root: Path, one: Way) -> list[str]:
    """What comes of a way: a line for each design, or for each problem."""
    langs = one.langs
    words = "{ja: x, en: x}" if len(langs) > 1 else "X"
    fonts = ", ".join(f"{lang}: {{regular: [x.ttf]}}" for lang in langs)
    text = GAME.format(title=words, langs=", ".join(langs), fonts=fonts)
    text += f'    designs: "{one.file}"\n' + "".join(f"    {line}\n" for line in one.yaml)
    folder = root / "data/deck"
    folder.mkdir(parents=True)
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    path = folder / one.file.partition(":")[0]
    path.write_bytes(one.raw)
    found = find_project(root, root)
    try:
        game = load_game(found.find_folder("deck"), found.resources)
    except ProblemsFound as stopped:
        return [str(problem).removeprefix("data/deck/") for problem in stopped.problems]
    return [_line(design, langs) for design in game.kinds["card"].designs]


def _line(design: Any, langs: Sequence[str]) -> str:
    said = [design.id.removeprefix("card/"), f"x{design.count}", "/".join(design.fields["title"][lang] for lang in langs)]  # fmt: skip
    return " ".join(
        map(str, [*said, *(value for name, value in design.fields.items() if name != "title" and value is not None)])
    )


@pytest.mark.parametrize("name", WAYS)
def test_each_way_is_taken_or_told(tmp_path: Path, name: str) -> None:
    one = WAYS[name]
    assert load(tmp_path, one) == (list(one.taken) or one.told.split("\n"))


def test_there_are_more_than_forty() -> None:
    plain = [one for one in WAYS.values() if one.taken and not one.yaml]
    assert len(WAYS) > 60
    assert len(plain) > 30
