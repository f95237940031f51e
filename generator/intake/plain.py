"""A folder of tables and pictures, and what all programs' projects have in common with it."""

import re
from pathlib import PurePosixPath
from xml.sax.saxutils import unescape

from generator.archives import archive_faults, open_archive
from generator.errors import Unfit
from generator.files import BOUNDS
from generator.intake.files import MOST_UNPACKED, StrangersFiles
from generator.intake.found import FoundDeck, FoundProject, FoundTable, Unread
from generator.model.resources import PICTURES

TABLES = (".csv", ".tsv", ".xlsx", ".xlsm", ".ods")
ART = (*PICTURES, ".svg")
FONTS = (".ttf", ".otf", ".ttc", ".woff", ".woff2")

MOST_DECKS = 200
"""Tables that come over; of more, and of more than 64 MiB together, the rest is another project's."""

_MOST_PICTURES = 5_000
_SHEETS = "xl/workbook.xml"
"""The part of a workbook that names its sheets."""


def read_plain(files: StrangersFiles, found: FoundProject) -> None:
    """Each table of the folder is a deck."""
    for name in files.ending(*TABLES):
        add_deck(files, found, name)


def add_deck(files: StrangersFiles, found: FoundProject, table: str, name: str = "", **more: object) -> None:
    """A table of the project as a deck, called as its file is unless a name is given."""
    sheet = str(more.pop("sheet", ""))
    try:
        data = files.read(table, "table")
    except Unfit as unfit:
        found.unread.append(Unread(table, 0, f"{unfit}; {unfit.hint}"))
        return
    left = BOUNDS["table"][0] - sum(len(deck.table.data) for deck in found.decks)
    if len(found.decks) >= MOST_DECKS or len(data) > left:
        what = f"this table: an import takes at most {MOST_DECKS} tables and {BOUNDS['table'][0] >> 20} MiB of them"
        found.unread.append(Unread(table, 0, f"{what}; import the rest as another project"))
        return
    sheet = _sheet_name(data, int(sheet)) if sheet.isdecimal() else sheet
    called = name or sheet or PurePosixPath(table).stem
    found.decks.append(FoundDeck(called, FoundTable(table, data, sheet), **more))  # type: ignore[arg-type]


def _sheet_name(workbook: bytes, number: int) -> str:
    """The name of a workbook's sheet, counted from 0; empty, which is the first, where it can't be told."""
    try:
        with archive_faults(), open_archive(workbook) as archive:
            part = archive.getinfo(_SHEETS)
            text = archive.read(part).decode("utf-8") if part.file_size < MOST_UNPACKED >> 6 else ""
    except Unfit:
        return ""
    names = [
        unescape(name, {"&quot;": '"', "&apos;": "'"})
        for name in re.findall(r'<(?:\w+:)?sheet\s[^>]*?\bname="([^"]*)"', text)
    ]
    return names[number] if 0 < number < len(names) else ""


def take_pictures(files: StrangersFiles, found: FoundProject) -> None:
    """All pictures of the project, within bounds, and a word on fonts, which do not come over by themselves."""
    left = MOST_UNPACKED
    for name in files.ending(*ART)[:_MOST_PICTURES]:
        try:
            data = files.read(name, "markup" if name.lower().endswith(".svg") else "picture")
        except Unfit as unfit:
            found.unread.append(Unread(name, 0, f"{unfit}; {unfit.hint}"))
            continue
        left -= len(data)
        if left < 0:
            found.unread.append(Unread(name, 0, "this picture and those after it: together they are too large"))
            return
        found.pictures[name] = data
    for name in files.ending(*ART)[_MOST_PICTURES : _MOST_PICTURES + 1]:
        found.unread.append(Unread(name, 0, f"this picture and those after it: there are more than {_MOST_PICTURES:,}"))
    for name in files.ending(*FONTS):
        found.unread.append(
            Unread(name, 0, "a font: copy it into fonts/ and name it in look.yaml, if its licence allows")
        )
