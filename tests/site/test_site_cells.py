"""Tables as cells and files that readers add, as the browser asks for them: what is stored, and what is refused."""

import csv
import io
import json
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from generator.base.errors import ProblemsFound
from generator.live.browser_bridge import MOST_BYTES, Inside
from generator.live.project_files import TableText

PATH = "data/mine/kites.csv"


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Inside:
    """A project from the starter `csv`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "room").mkdir()
    from generator.commands.new import new_project

    new_project(tmp_path, "mine", "csv", ("en",))
    return Inside(str(tmp_path / "mine"))


def changed(tmp_path: Path, raw: bytes, *changes: dict[str, object]) -> bytes:
    (tmp_path / "a.csv").write_bytes(raw)
    return TableText(tmp_path / "a.csv", "a.csv").change(list(changes))


@pytest.mark.parametrize(
    ("raw", "change", "made"),
    [
        (b"id,title\r\na,  One \r\n", {"row": 2, "column": 1, "text": "b"}, b"id,title\r\nb,  One \r\n"),
        (b'a;"x";y\nb;"z, ""q""";""\n', {"row": 2, "column": 1, "text": "c;d"}, b'a;"x";y\n"c;d";"z, ""q""";""\n'),
        (b'a,"x"\n', {"row": 1, "column": 2, "text": 'say "so"'}, b'a,"say ""so"""\n'),
        (b"a,b\n1,2", {"row": 2, "column": 2, "text": "two\nlines"}, b'a,b\n1,"two\nlines"'),
        (b"a,b\n1,2", {"row": 3, "column": 2, "text": "x"}, b"a,b\n1,2\n,x\n"),
        (b"a,b\r\n1,2\r\n", {"row": 3, "column": 1, "text": "x"}, b"a,b\r\n1,2\r\nx\r\n"),
        (b"a,b,c\n1\n2,3,4\n", {"row": 2, "column": 3, "text": "x"}, b"a,b,c\n1,,x\n2,3,4\n"),
        (b"a,b\n1,2\n3,4\n", {"row": 2, "gone": True}, b"a,b\n3,4\n"),
        (b"a\tb\n1\t2\n", {"row": 2, "column": 2, "text": "3"}, b"a\tb\n1\t3\n"),
        (b"\xef\xbb\xbfa,b\n1,2\n", {"row": 2, "column": 2, "text": "é"}, "\ufeffa,b\n1,é\n".encode()),
        ("a,凧\n1,2\n".encode("cp932"), {"row": 2, "column": 1, "text": "日"}, "a,凧\n日,2\n".encode("cp932")),
        ("\ufeffa,凧\n1,2\n".encode("utf-16-le"), {"row": 2, "column": 1, "text": "日"}, "\ufeffa,凧\n日,2\n".encode("utf-16-le")),
        (b"sep=;\na;b\n1;2\n", {"row": 3, "column": 1, "text": "9"}, b"sep=;\na;b\n9;2\n"),
    ],
)  # fmt: skip
def test_a_changed_cell_leaves_all_other_bytes(tmp_path: Path, raw: bytes, change: dict[str, object], made: bytes) -> None:  # fmt: skip
    assert changed(tmp_path, raw, change) == made


def test_many_changes_at_once(tmp_path: Path) -> None:
    """As from a spreadsheet: over the right edge and below the last row, with line ends in cells."""
    pasted = [["x", "1, 2", "new"], ["y", "a\nb", "more"], ["z", "", "last"]]
    changes = [{"row": 2 + row, "column": 1 + at, "text": text} for row, cells in enumerate(pasted) for at, text in enumerate(cells)]  # fmt: skip
    raw = changed(tmp_path, b"id,title\n1,2\n3,4\n", *changes)
    assert list(csv.reader(io.StringIO(raw.decode(), newline=""))) == [["id", "title"], *pasted]


def test_nothing_changed_is_nothing_written(tmp_path: Path) -> None:
    raw = b'\xef\xbb\xbfa;"b"\r\n\r\n"1"; 2 ;\r\n'
    assert changed(tmp_path, raw) == raw
    assert changed(tmp_path, raw, {"row": 3, "column": 1, "text": "1"}) == raw


def test_a_letter_that_the_tables_encoding_lacks_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ProblemsFound, match=r"a.csv: the table is in Shift_JIS, which has no '🎲'; save the table as"):
        changed(tmp_path, "凧,1\n".encode("cp932"), {"row": 1, "column": 2, "text": "🎲"})


def test_the_names_that_a_column_takes(inside: Inside) -> None:
    said = json.loads(inside.ask(json.dumps(["table", PATH, ["en"]])) or "")
    columns = {one["field"]: [name["name"] for name in one["names"]] for one in said["columns"]}
    assert columns["kind"] == ["sun", "swallow", "diamond", "hexagon"]
    assert said["rows"][0][:3] == ["id", "count", "kind"]
    assert said["header"] == 1


def picture(size: tuple[int, int] = (4, 4), form: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size).save(out, format=form)
    return out.getvalue()


def test_files_go_where_they_belong(inside: Inside) -> None:
    places = {
        "fox.png": (picture(), "templates/mine/pictures/fox.png"),
        "Fox 2.JPG": (picture(form="JPEG"), "templates/mine/pictures/Fox 2.JPG"),
        "deck.xlsx": (b"PK", "data/mine/deck.xlsx"),
        "a.otf": (b"OTTO", "fonts/a.otf"),
        "back.svg": (b"<svg/>", "templates/mine/back.svg"),
        "data/mine/more.yaml": (b"", "data/mine/more.yaml"),
    }
    assert {name: inside.admit(name, data, "mine") for name, (data, _) in places.items()} == {
        name: path for name, (_, path) in places.items()
    }
    assert inside.admit("fox.png", picture(), "") == "templates/mine/pictures/fox.png", "the page has no game yet"


_BOMB = b"".join(
    (b"\x89PNG\r\n\x1a\n", *(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    for kind, data in ((b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(bytes(9))), (b"IEND", b""))))
)  # fmt: skip


@pytest.mark.parametrize(
    ("path", "data", "said"),
    [
        ("a.png", b"", "a.png: the file is empty, it has 0 bytes; save it again"),
        ("a.png", b"GIF87a or so", "damaged"),
        ("a.png", b"text", "is not a PNG, JPEG, WebP"),
        ("a.png", _BOMB, "pixels, more than 60 million"),
        ("a.ttf", b"text", "it is not a font, despite its name"),
        ("a.exe", b"MZ", "files that end in .exe are of no use here; add files that end in .png"),
        ("a", b"x", "files without an ending are of no use here"),
        ("../a.csv", b"x", "the name can't be used: it is absolute, or has an empty part, '.' or '..'"),
        ("/etc/a.csv", b"x", "the name can't be used"),
        ("data\\a.csv", b"x", "it has a backslash or a colon"),
        ("output/a.csv", b"x", "the project has no place for it; begin its path with data"),
        ("data/mine/.git/a.csv", b"x", "the project has no place for it"),
        ("data/mine/kites.csv/a.csv", b"x", "is both a file and a folder"),
        ("data/mine/con.csv", b"x", "the name of a device on Windows"),
        ("a.csv", bytes(MOST_BYTES), "a project has at most 5,000 files with 200 MiB; remove files"),
    ],
)
def test_files_that_a_project_can_not_have_are_refused(inside: Inside, path: str, data: bytes, said: str) -> None:
    with pytest.raises(ProblemsFound) as found:
        inside.admit(path, data, "mine")
    assert said in str(found.value)


@pytest.mark.slow
def test_a_table_takes_the_place_of_a_list(inside: Inside, tmp_path: Path) -> None:
    """The comments around it stay, and the game has the table's cards."""
    file = tmp_path / "mine/data/mine/components.yaml"
    text = file.read_text(encoding="utf-8")
    (tmp_path / "mine/data/mine/short.csv").write_text("id,title\nturn,Your turn\nend,The end\n", encoding="utf-8")
    changed, made = json.loads(inside.ask('["use", "data/mine/short.csv", "summary"]') or "")
    assert changed == "data/mine/components.yaml" and file.read_text(encoding="utf-8") == text, "the page writes it"
    file.write_text(made, encoding="utf-8")
    assert made.startswith(text[: text.index("    designs:\n      - {id: turn")])
    assert made.endswith("    designs: short.csv\n") or "    designs: short.csv\n" in made
    while inside.work():
        pass
    game = json.loads(inside.answer("/game/mine")[-1])
    assert [len(kind["designs"]) for kind in game["kinds"] if kind["id"] == "summary"] == [2]
    with pytest.raises(ProblemsFound, match="the designs of 'nothing' were not found"):
        inside.ask('["use", "data/mine/short.csv", "nothing"]')
