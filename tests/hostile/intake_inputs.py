"""Bad inputs from elsewhere: archives, projects of other programs, workbooks, translations and results of the lab."""

import io
import json
import re
import struct
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from hostile_base import LANTERNS, picture, workbook
from hostile_inputs import DATA, FORGED, TRUSTED, Case, Content, Sparse, _broken, _spoilt

NUMBERS = (
    "1.2.3", "...", ".", "1e999", "-1e999", "nan", "inf", "-inf", "١٢", "１２", "²", "1_000", "0x1F", "-5", "0", "0.0", "",
    "1" * 400, "9" * 5000, "1,5", "1.", ".5", "1e-9", "99999999", "True", "None", "1 2", "+3", "\x00", "½",
)  # fmt: skip
NAMES = (
    "../../../../../evil.svg", "..\\..\\..\\evil.svg", "a/../../../../../../evil.svg", "./x/../../../../../evil.png", "C:\\evil.svg",
    "con.svg", "a\x00b.svg", "a\nb.svg", "\u202egvs.svg", "a" * 300 + ".svg", "x/" * 300 + "y.svg", "data/made/game.yaml",
    ".git/hooks/post-commit.svg", "deck.svg/inner.svg", "deck.svg", " .svg", "a/./b.svg", "a//b.svg", "CARD.SVG", "card.svg",
    "é" * 200 + ".png", "\ud7ff.png", "IMPORT.md", "templates/x.svg", "~/.profile.svg",
)  # fmt: skip
PROJECTS: Mapping[str, Mapping[str, str]] = {
    "squib": {
        "deck.rb": "require 'squib'\nSquib::Deck.new(width: '2.75in', height: 1125, dpi: 300) do\n  csv file: 'deck.csv'\n"
        "  text str: data['title'], x: 1\n  save_pdf trim: '0.125in'\nend\n",
        "config.yml": "dpi: 300\n",
        "layout.yml": "name:\n  x: 10\n",
    },
    "nandeck": {
        "deck.txt": 'UNIT=CM\nCARDSIZE=6.3,8.8\nLINK="deck.csv"\nLINKMULTI=count\n[more]=a|b|c\nTEXT=1,[title],0,0,6,2\n'
    },
    "cardmaker": {
        "deck.cmp": '<?xml version="1.0" encoding="utf-16"?>\n<Project>\n<Layout Name="Cards" width="900" height="600" dpi="300">'
        '\n<Element type="Text" name="T" variable="@[title]"/>\n<Reference RelativePath="deck.csv"/>\n</Layout>\n</Project>\n'
    },
    "magic": {
        "set": "mse version: 2.0.0\ngame: magic\nset info:\n\ttitle: Wood\ncard:\n\tname: <b>Fox</b>\n\timage: image1\n"
        "\trule text:\n\t\t<kw-0>Quick</kw-0>, *one*.\ncard:\n\tname: Owl\n\tcost: 2\n"
    },
    "folder": {"more.csv": "name,art\nFox,fox.png\nOwl,owl\n"},
    "component-studio": {"cards.csv": "name,quantity,Front\nFox,2,yes\nOwl,1,no\n"},
}
"""Good projects of the programs whose projects are read; each has a table and pictures besides."""

LOOPS = (
    "csv ", "rect x: 1\n", "\n", " ", "[a]=1|2\n", "LINK=deck.csv\n", "LINK=none.csv\n", "card:\n\tname: x\n", "<t1>",
    "{", "a,",
)  # fmt: skip
"""What is repeated tens of thousands of times."""

IMPORT = ("import", "x", "made")


def _project(pick: Random) -> dict[str, bytes]:
    """A good project of another program."""
    texts = {"deck.csv": "id,count,title,art\na,2,Fox,fox.png\nb,1,Owl,owl.svg\n", **PROJECTS[pick.choice(list(PROJECTS))]}  # fmt: skip
    return {name: text.encode() for name, text in texts.items()} | {
        "fox.png": picture("PNG", (20, 20)), "owl.svg": LANTERNS["templates/lanterns/art/hill.svg"].encode(), "image1": picture("JPEG", (20, 20)),
    }  # fmt: skip


def projects(pick: Random, _files: Mapping[str, bytes]) -> Case:
    """Projects with numbers that are none, with careless mistakes, and with something repeated without end."""
    files = _project(pick)
    name = pick.choice([one for one in files if not one.endswith(("png", "image1"))])
    text, way = files[name].decode(), pick.randrange(4)
    if way < 2 and (numbers := list(re.finditer(r"\d+(?:\.\d+)?", text))):
        found = pick.choice(numbers)
        text = text[: found.start()] + pick.choice(NUMBERS) + text[found.end() :]
    elif way == 2:
        at = pick.randrange(len(text) + 1)
        text = text[:at] + pick.choice(LOOPS) * pick.choice([100, 3_000, 60_000]) + text[at:]
    else:
        text = _broken(pick, text)
    files[name] = text.encode("utf-8", "replace")
    if pick.random() < 0.1:
        files[name] = _spoilt(pick, files[name])
    return Case("project", f"{name} {text[:40]}", {f"x/{one}": data for one, data in files.items()}, (IMPORT,))


def _zip(pick: Random, files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    method = pick.choice(
        [zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2]
    )
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


FIELDS = ((4, "H"), (6, "H"), (8, "H"), (10, "H"), (16, "L"), (20, "L"), (24, "L"), (28, "H"), (30, "H"), (42, "L"))
"""What an archive's list says of a file: version, flags, method, times, sum, sizes, lengths, offset."""


def archives(pick: Random, _files: Mapping[str, bytes]) -> Case:
    """Archives that are torn, locked, too new, have other names than files may have, or unpack without end."""
    files = _project(pick)
    way, name = pick.randrange(6), ""
    if way == 0:
        name = pick.choice(NAMES)
        files[name] = pick.choice(
            [LANTERNS["templates/lanterns/art/hill.svg"].encode(), b"x", files["fox.png"], b"id,title\na,b\n"]
        )
    elif way == 1:
        size = pick.choice([1_000, 40_000_000, 100_000_000])
        files[pick.choice(["bomb.png", "deck.csv", "owl.svg", "deck.rb", "set"])] = (
            pick.choice([b"\0", b"a", b"\n"]) * size
        )
    elif way == 2:
        files |= {
            f"{pick.choice(['a/', ''])}t{number}.csv": b"id,title\na,b\n" for number in range(pick.choice([50, 210]))
        }
    data = bytearray(_zip(pick, files))
    if way == 3:
        at, form = pick.choice(FIELDS)
        for found in re.finditer(b"PK\x01\x02", bytes(data)):
            limit = 65_535 if form == "H" else 2**32 - 1
            value = pick.choice([0, 1, 8, 12, 14, 93, 99, 0x41, limit // 2, limit, pick.randrange(limit)])
            struct.pack_into(f"<{form}", data, found.start() + at, value)
    content: Content = bytes(data)
    if way == 4:
        content = _spoilt(pick, bytes(data))
    elif way == 5:
        content = pick.choice(
            [b"PK\5\6" + bytes(18), b"PK", b"", bytes(data)[:-30], bytes(data)[30:], Sparse(600 << 20)]
        )
    suffix = pick.choice([".zip", ".zip", ".mse-set"])
    return Case("archive", name or str(way), {f"x{suffix}": content}, (("import", f"x{suffix}", "made"),))


ODS = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">'
    '<office:body><office:spreadsheet><table:table table:name="Lamps">%s</table:table></office:spreadsheet></office:body>'
    "</office:document-content>"
)
PIECES = (
    '<text:s text:c="1000"/>', "a", "&amp;", "<text:p/>", "<table:table-row/>", "<table:table-cell/>", "<text:tab/>",
    '<table:table-cell table:number-columns-repeated="700"><text:p>x</text:p></table:table-cell>', "<x/>", "<x>",
    '<table:table-row table:number-rows-repeated="99999"><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row>',
    '<table:table-cell office:value-type="float" office:value="1e999"/>', "<c/>", "<row/>", "<si/>", "<row><c><v>1</v></c></row>",
    '<c t="s"><v>-1</v></c>', '<c t="inlineStr"><is><t>x</t></is></c>', '<row r="9"/>', "<c><f>1</f></c>", "<is><t>a</t></is>",
)  # fmt: skip


def sheets(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Workbooks and spreadsheets with something repeated, spoilt inside or outside, packed in any way."""
    more = pick.choice(PIECES) * pick.choice([1, 100, 20_000, 400_000])
    suffix = pick.choice(["xlsx", "ods"])
    if suffix == "xlsx":
        data = workbook({"Lamps": {"A1": "id", "B1": "title", "A2": "hall", "B2": "Hall"}}, extra=f"<row>{more}</row>")
    else:
        cells = [
            f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in ("id", "title", "hall", more)
        ]
        rows = f"<table:table-row>{cells[0]}{cells[1]}</table:table-row><table:table-row>{cells[2]}{cells[3]}</table:table-row>"
        content = ODS % rows
        if pick.random() < 0.3:
            content = _broken(pick, content.replace("><", ">\n<"))
        encoding = pick.choice(
            ["", "", "", '<?xml version="1.0" encoding="shift_jis"?>', '<?xml version="1.0" encoding="nope"?>']
        )
        data = _zip(pick, {"mimetype": b"x", "content.xml": (encoding + content).encode()})
    if pick.random() < 0.3:
        data = _spoilt(pick, data)
    name = f"lamps.{suffix}"
    kinds = files[f"{DATA}/components.yaml"].decode().replace("designs: lamps.csv", f"designs: {name}")
    return Case(
        "sheet",
        f"{name} {more[:40]}",
        {f"{DATA}/{name}": data, f"{DATA}/components.yaml": kinds.encode()},
        (("list",),),
    )


def csv_tables(pick: Random, _files: Mapping[str, bytes]) -> Case:
    """Tables of nothing but newlines or separators, with long cells, many columns and rows."""
    text = LANTERNS["data/lanterns/lamps.csv"]
    at = pick.randrange(len(text) + 1)
    more = pick.choice(["\n", "\r", "\r\n", ",", ";", "a,", '"', '"",', "=1\n", "x\n", "\t", "a" * 40]) * pick.choice(
        [1, 800, 200_000]
    )
    text = pick.choice([more, text[:at] + more + text[at:]])
    return Case("csv", more[:20], {f"{DATA}/lamps.csv": text.encode()}, (("list",),))


def translations(pick: Random, _files: Mapping[str, bytes]) -> Case:
    """PO files with texts without end, escapes that mean nothing, and other encodings."""
    times = pick.choice([1, 30, 5_000, 300_000])
    more = pick.choice(
        ['"0123456789"\n', '"\\q"\n', '""\n', "x\n", "# a\n", "\n", "#, fuzzy\n", '"\\\\', 'msgid "a"\nmsgstr "b"\n']
    )
    head = 'msgid ""\nmsgstr "Language: de\\n"\n\nmsgctxt "components.card.name"\nmsgid "Card"\nmsgstr "Karte"\n'
    name, text = "x.po", head + more * times
    data = text.encode()
    if pick.random() < 0.3:
        data = _spoilt(pick, data)
    return Case(
        "translation", f"{name} {more[:20]}", {name: data}, (("translate", "import", "lanterns", name, "--to", "de"),)
    )


_CELL = {"arm": "as it is", "players": 2, "bots": ["greedy"], "games": 3}
_ARM: dict[str, dict[str, object]] = {"readings": {}, "values": {}}
_ABOUT = {"format": 1, "key": "k", "game": "lanterns", "draft": "1", "data": "0", "rules": "0", "program": "1"}
RESULTS: Sequence[dict[str, object]] = (
    {
        **_ABOUT, "arms": ["as it is", "E1"], "whole": {"turns": 1, "win of seat 1": 6}, "shares": ["win of seat 1"], "looked": 0,
        "experiment": {"arms": {"as it is": _ARM, "E1": {"readings": {"E1": False}, "values": {}}}, "run": 1, "measures": []},
        "asked": {"question": {}, "labels": {}, "aims": {"turns": {"low": 1, "high": 2, "fair": False}},
                  "margins": {"turns": 0.5}, "confidence": 0.95},
        "cells": [
            {**_CELL, "measures": {"turns": {"4": 1, "5": 2}, "win of seat 1": {"0": 1, "6": 2}}},
            {**_CELL, "arm": "E1", "measures": {"turns": {"4": 3}, "win of seat 1": {"0": 3}}, "identical": 1,
             "differences": {"turns": {"-1": 2, "0": 1}, "win of seat 1": {"-6": 2, "0": 1}}},
        ],
    },
    {
        **_ABOUT, "kind": "skill", "whole": 6, "skill": {"players": [2], "bots": ["random", "greedy"], "run": 1, "again": 10},
        "matches": [{"players": 2, "one": "greedy", "others": "random", "seeds": 3, "wins": {"6": 1, "12": 2}, "faults": 0, "endless": 0}],
        "deals": [{"players": 2, "bot": "greedy", "alike": alike, "deals": [[36, 24, 200], [30, 30, 220], [24, 36, 210]],
                   "faults": 0, "endless": 0} for alike in ("deal", "chance")],
    },
    {**_ABOUT, "arms": ["as it is"], "deals": [{"arm": "as it is", "deal": 0, "moves": [1, 2], "width": 5, "tried": 7}]},
)  # fmt: skip
VALUES = (
    *FORGED,
    -1,
    0, 1,
    2**70,
    1e308,
    -0.5,
    "7", "-1", "x",
    {},
    [],
    [[]],
    {"a": {"b": []}},
    None, True,
    {"-3": 1},
    {"9" * 30: 1},
)  # fmt: skip


def dumped(result: Mapping[str, object], indent: int | None = 1) -> bytes:
    return json.dumps(result, indent=indent).encode()


def results(pick: Random, _files: Mapping[str, bytes]) -> Case:
    """Results of the lab in which something is missing, of another type, negative, zero or nested rubbish."""
    result = json.loads(json.dumps(pick.choice(RESULTS)))
    for _ in range(pick.choice([1, 1, 1, 2])):
        places = [(result, key) for key in result]
        for inner, key in places:
            value = inner[key]
            places += [
                (value, one)
                for one in (value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ())
            ]
        inner, key = pick.choice(places)
        if pick.random() < 0.3:
            del inner[key]
        elif isinstance(inner, dict) and pick.random() < 0.2:
            inner[pick.choice(["1e3", "-", "x", "9" * 40, ""])] = inner.pop(key)
        else:
            inner[key] = pick.choice(VALUES)
        if not result:
            break
    said = (
        dumped(result, pick.choice([None, 1]))
        .decode()
        .replace('"turns"', pick.choice(['"turns"', '"turns"', '"turn"']), 1)
    )
    data = _spoilt(pick, said.encode()) if pick.random() < 0.1 else said.encode()
    ways = (("lab", "show", "x.json"), ("lab", "show", "x.json", "--html", TRUSTED), ("lab", "show", "x.json", "x.json"))  # fmt: skip
    return Case("result", said[:40], {"x.json": data}, (pick.choice(ways),))


KINDS: Sequence[tuple[Callable[[Random, Mapping[str, bytes]], Case], int]] = (
    (archives, 6), (projects, 7), (sheets, 4), (csv_tables, 2), (translations, 4), (results, 7),
)  # fmt: skip


@dataclass
class IntakeInputs:
    """The bad inputs of one seed; `files` are those of the good game."""

    seed: int
    files: Mapping[str, bytes]

    def case(self, number: int) -> Case:
        """The input of this number: the same for the same seed, whatever else is asked for."""
        pick = Random(f"{self.seed}/{number}")
        (kind,) = pick.choices([kind for kind, _ in KINDS], [weight for _, weight in KINDS])
        return kind(pick, self.files)
