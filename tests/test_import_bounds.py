"""`pnp import` of what careless or hostile people write: numbers that are none, loops, damaged archives, huge tables."""

import io
import zipfile
from pathlib import Path

import pytest
from import_cases import game_of, room, write

from generator.base.errors import ProblemsFound
from generator.exchange.import_project import import_project

__all__ = ["room"]

ODD_NUMBERS = {
    "a Squib width": ({"deck.rb": "Squib::Deck.new(width: 1.2.3) do\n csv file: 'deck.csv'\nend\n"}, "deck.rb:1: the size", 63.0),
    "a Squib trim": ({"deck.rb": "Squib::Deck.new do\n csv file: 'deck.csv'\n save_pdf trim: '1..2mm'\nend\n"}, "deck.rb:1: the size", 63.0),
    "a Squib config": (
        {"deck.rb": "Squib::Deck.new do\n csv file: 'deck.csv'\nend\n", "config.yml": "# x\ndpi: ...\n"},
        "config.yml:2: `dpi` is no number above zero: 300 is used", 63.5,
    ),
    "a nanDECK size": ({"deck.txt": "CARDSIZE=6.3.3,8\nLINK=deck.csv\n"}, "deck.txt:1: the size of the cards", 60.0),
    "an endless nanDECK size": ({"deck.txt": "LINK=deck.csv\nCARDSIZE=1e999,nan\n"}, "deck.txt:2: the size of the cards", 60.0),
    "Arabic digits": ({"deck.txt": "CARDSIZE=\u0661\u0662,8\nLINK=deck.csv\n"}, "deck.txt:1: the size of the cards", 60.0),
    "a CardMaker width": (
        {"a.cmp": "<Project><Layout Name='a' width='1_000' height='inf'><Reference RelativePath='deck.csv'/></Layout></Project>"},
        "a.cmp:1: the size of the cards is not one that cards can have, so they are 63 x 88 mm now; write `size:` in", 63.0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD_NUMBERS)
def test_numbers_that_are_none_are_reported(room: Path, name: str) -> None:
    """At their line, with the value that is used instead."""
    files, said, width = ODD_NUMBERS[name]
    write(room / "odd", {**files, "deck.csv": "title,x\nFox,1\n"})
    made = import_project(room, Path("odd"), "made")
    assert [str(one) for one in made.unread if str(one).startswith(said)], made.unread
    assert game_of(room / "made").kinds["deck"].size.width == width


LOOPS = {
    "tables on one line": ("deck.rb", "Squib::Deck.new do\n" + "csv " * 200_000 + "\n csv file: 'deck.csv'\nend\n"),
    "commands": ("deck.rb", "Squib::Deck.new do\n csv file: 'deck.csv'\n" + "rect x: 1\n" * 50_000 + "end\n"),
    "empty lines": ("deck.rb", "Squib::Deck.new do\n csv file: 'deck.csv'\n" + "\n" * 200_000 + "end\n"),
    "links": ("deck.txt", "CARDSIZE=6,9\n" + "LINK=deck.csv\n" * 20_000),
    "spaces": ("deck.txt", "CARDSIZE=6,9\nLINK=deck.csv\n[a]=" + " " * 200_000 + "x\n"),
    "elements": (
        "a.cmp",
        "<Project><Layout Name='a' width='900' height='600'><Reference RelativePath='deck.csv'/>"
        + "<Element name='a'/>\n" * 50_000 + "</Layout></Project>",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOPS)
def test_what_is_repeated_without_end_is_read_once(room: Path, name: str) -> None:
    file, text = LOOPS[name]
    write(room / "long", {file: text, "deck.csv": "title,x\nFox,1\n"})
    made = import_project(room, Path("long"), "made")
    assert list(game_of(room / "made").kinds) == ["deck"]
    assert len(made.unread) == len({(one.file, one.line, one.what) for one in made.unread})


@pytest.mark.slow
def test_bounds_of_an_import_name_the_limit(room: Path) -> None:
    wide = ",".join(f"h{number}" for number in range(60)) + "\n" + ",".join("x" * 60) + "\n"
    rows = "name,x\n" + "".join(f"Card {number},1\n" for number in range(20_001))
    write(room / "many", {f"t{number:03}.csv": "name,x\nFox,1\n" for number in range(202)})
    write(room / "large", {"a.csv": wide, "b.csv": rows, "c.csv": ",".join("h" * 800) + "\n" + "x\n"})
    many, large = import_project(room, Path("many"), "made"), import_project(room, Path("large"), "large-deck")
    assert [one.file for one in many.unread] == ["t200.csv", "t201.csv"]
    assert "takes at most 200 tables and 64 MiB of them; import the rest as another project" in str(many.unread[0])
    said = "\n".join(map(str, large.unread))
    assert "a.csv:1: 20 columns are read, but not on the template yet: it shows 40 at first" in said
    assert "b.csv: the table did not come over: an import takes at most 20,000 cards and 400,000 cells" in said
    assert "c.csv:1: the table did not come over: the row has 800 cells, and a table has at most 702 columns" in said


def damaged(files: dict[str, bytes], at: int, value: bytes, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive whose list says something else of each file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    raw = bytearray(out.getvalue())
    for start in range(len(raw) - 46):
        if raw[start : start + 4] == b"PK\1\2":
            raw[start + at : start + at + len(value)] = value
    return bytes(raw)


ARCHIVES = {
    "a version of 9.9": damaged({"a.csv": b"a,b\n1,2\n"}, 6, b"\x63\0"),
    "a password": damaged({"a.csv": b"a,b\n1,2\n"}, 8, b"\1\0"),
    "an unknown method": damaged({"a.csv": b"a,b\n1,2\n"}, 10, b"\x5d\0"),
    "no lzma": damaged({"a.csv": b"a,b\n1,2\n"}, 10, b"\x0e\0"),
    "another sum": damaged({"a.csv": b"a,b\n1,2\n"}, 16, b"\0\0\0\0"),
    "elsewhere": damaged({"a.csv": b"a,b\n1,2\n"}, 42, b"\xff\xff\xff\x7f"),
    "a set that is damaged": damaged({"set": b"mse version: 1\n"}, 42, b"\1\0\0\0"),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_damaged_archives_are_reported(room: Path, name: str) -> None:
    (room / "x.zip").write_bytes(ARCHIVES[name])
    with pytest.raises(ProblemsFound, match="the file is not a readable zip archive"):
        import_project(room, Path("x.zip"), "made")
