"""Damaged fonts are refused when they are opened, at the line that names them; whole ones pass."""

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.base.errors import Place
from generator.game.model import FontFamily
from generator.text.fonts import FontBook

ROOT = Path(__file__).parent.parent.parent
WHOLE = (ROOT / "fonts/SourceSans3_400Regular.ttf").read_bytes()
NAMED = Place("data/tale/look.yaml", 7, 3)


def entry(tag: str) -> int:
    (count,) = struct.unpack_from(">H", WHOLE, 4)
    return next(at for at in range(12, 12 + 16 * count, 16) if WHOLE[at : at + 4] == tag.encode())


def changed(at: int, new: bytes) -> bytes:
    return WHOLE[:at] + new + WHOLE[at + len(new) :]


def in_table(tag: str, offset: int, new: bytes) -> bytes:
    """The font with other bytes in a table, whose checksum is set to nothing, as if it had none."""
    at = entry(tag)
    start = struct.unpack_from(">I", WHOLE, at + 8)[0] + offset
    return changed(start, new)[: at + 4] + bytes(4) + changed(start, new)[at + 8 :]


DAMAGED: dict[str, Callable[[], bytes]] = {
    "cut off": lambda: WHOLE[: len(WHOLE) // 2],
    "a table beyond the end": lambda: changed(entry("glyf") + 8, struct.pack(">I", len(WHOLE))),
    "a table without a name": lambda: changed(entry("name"), b"\xff\xff\xff\xff"),
    "no such many tables": lambda: changed(4, b"\xff\xff"),
    "noise in the names": lambda: changed(struct.unpack_from(">I", WHOLE, entry("name") + 8)[0], b"\xff" * 64),
    "an em of nothing": lambda: in_table("head", 18, b"\0\0"),
    "too few widths": lambda: in_table("hhea", 34, b"\xff\xff"),
    "places in disorder": lambda: in_table("loca", 40, b"\xff" * 8),
    "names of nothing": lambda: in_table("name", 2, b"\xff\xff\xff\xff"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_fonts_are_refused_where_they_are_named(tmp_path: Path, name: str) -> None:
    path = tmp_path / "f.ttf"
    path.write_bytes(DAMAGED[name]())
    book = FontBook({"body": FontFamily({"en": ("f.ttf",)}, {}, {}, place=NAMED)}, lambda _name: path)
    assert book.get_chain("body", "en") == ()
    (problem,) = book.problems
    assert str(problem).startswith(f"{NAMED}: the font file 'f.ttf' can't be used: it is damaged")


def test_a_font_with_a_wrong_checksum_is_used_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "f.ttf"
    path.write_bytes(changed(entry("glyf") + 4, b"\1\2\3\4"))
    book = FontBook({"body": FontFamily({"en": ("f.ttf",)}, {}, {}, place=NAMED)}, lambda _name: path)
    assert len(book.get_chain("body", "en")) == 1
    assert book.problems == []
    (note,) = book.notes
    assert note.startswith("the checksum of 'glyf' in the font file 'f.ttf' is wrong: the font is used as it is; copy")


def test_the_fonts_that_come_with_the_program_are_whole() -> None:
    names = [path.name for path in sorted((ROOT / "fonts").glob("*.ttf"))]
    book = FontBook({"all": FontFamily({"en": tuple(names)}, {}, {}, place=NAMED)}, lambda name: ROOT / "fonts" / name)
    assert len(book.get_chain("all", "en")) == len(names) > 10
    assert book.problems == []
