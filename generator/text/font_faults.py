"""What is damaged in a font file: its tables are looked through and a subset is tried, before anything is set in it."""

import struct
from array import array
from collections.abc import Iterable
from sys import byteorder
from typing import Any, Protocol

from generator.errors import Unfit
from generator.text.font_tables import FontTables

_TRIED = "HAaxo0.あ漢"
"""Characters whose glyphs are drawn and cut out on trial; a font need not have them."""

_WIDEST = 8000.0
"""Of a glyph, 1/1000 em: beyond that its width was not what the font's maker wrote."""

_MOST_SUMMED = 2_000_000
"""Bytes of a table whose checksum is worked out: the outlines of thousands of characters would take too long."""

_LOOKS_AWAY = 8  # where `head` keeps a sum over the whole file
BROKEN = (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError, struct.error)
"""What reading a damaged font ends in."""


_SFNT = (b"\x00\x01\x00\x00", b"true", b"OTTO")
_RESTRICTED, _LICENCE_BITS, _NO_SUBSET, _BITMAP_ONLY = 0x0002, 0x000F, 0x0100, 0x0200


class UnfitFont(Unfit):
    """A file that can't be used as a font; its message says why."""


class Opened(Protocol):
    """What is asked of a font."""

    data: bytes

    def glyph(self, char: str) -> int:
        """The glyph of one character, 0 when the font has none."""

    def advance(self, glyph: int) -> float:
        """How far the pen moves after a glyph."""

    def outline(self, glyph: int) -> Any:
        """A glyph's outline."""

    def subset(self, glyphs: Iterable[int]) -> bytes:
        """A font file with only these glyphs."""


def check_font(font: Opened) -> list[str]:
    """Return the tables whose checksums are wrong, as some programs write them.

    Raise Unfit for a font whose tables contradict each other, or of which no subset can be made.
    """
    try:
        wrong = _check_tables(font)
        glyphs = [glyph for glyph in map(font.glyph, _TRIED) if glyph]
        for glyph in glyphs:
            _check_glyph(font, glyph)
        tables = FontTables(font.subset([0, *glyphs]))
        for table in (FontTables(font.data), tables):
            table.box(), table.flags(), table.stem(), table.postscript_name()
    except Unfit:
        raise
    except BROKEN as error:
        raise Unfit("it is damaged: no part of it can be cut out and embedded", "copy the file anew") from error
    return wrong


def _check_glyph(font: Opened, glyph: int) -> None:
    font.outline(glyph)
    if not 0 <= font.advance(glyph) <= _WIDEST:
        raise _damaged("hmtx", "gives letters a width that they can't have")


def _check_tables(font: Opened) -> list[str]:
    data = memoryview(font.data)  # a Japanese font has megabytes, and nobody needs them twice
    (count,) = struct.unpack_from(">H", data, 4)
    tables, wrong = {}, []
    for at in range(12, 12 + 16 * count, 16):
        tag, checksum, offset, size = struct.unpack_from(">4sIII", data, at)
        name = tag.decode("latin-1")
        if offset + size > len(data):
            raise _damaged(name, "reaches beyond the end of the file")
        tables[name] = table = data[offset : offset + size]
        if size <= _MOST_SUMMED and checksum and name != "DSIG" and _sum(table, name) != checksum:
            wrong.append(name)
    (upem,) = struct.unpack_from(">H", tables["head"], 18)
    (glyphs,) = struct.unpack_from(">H", tables["maxp"], 4)
    (widths,) = struct.unpack_from(">H", tables["hhea"], 34)
    if not 16 <= upem <= 16384:
        raise _damaged("head", f"says that an em has {upem} units")
    if not 0 < widths <= glyphs or len(tables["hmtx"]) < 2 * (widths + glyphs):
        raise _damaged("hmtx", f"has no widths for {glyphs} glyphs")
    if "glyf" in tables:
        _check_outlines(tables, glyphs)
    return wrong


def _check_outlines(tables: dict[str, memoryview], glyphs: int) -> None:
    (long,) = struct.unpack_from(">h", tables["head"], 50)
    size, scale = (4, 1) if long else (2, 2)
    loca = tables.get("loca", memoryview(b""))
    if len(loca) < size * (glyphs + 1):
        raise _damaged("loca", f"has no places for {glyphs} glyphs")
    starts = _numbers(loca[: size * (glyphs + 1)], "I" if long else "H")
    if starts.tolist() != sorted(starts) or starts[-1] * scale > len(tables["glyf"]):
        raise _damaged("loca", "places glyphs where there are none")


def _damaged(table: str, how: str) -> Unfit:
    return Unfit(f"it is damaged: its table '{table}' {how}", "copy the file anew")


def _numbers(table: memoryview, kind: str) -> "array[int]":
    numbers = array(kind)
    numbers.frombytes(table)
    if byteorder == "little":
        numbers.byteswap()
    return numbers


def _sum(table: memoryview, name: str) -> int:
    rest = len(table) % 4
    numbers = _numbers(table[: len(table) - rest], "I")
    numbers.append(int.from_bytes(bytes(table[len(table) - rest :]).ljust(4, b"\0"), "big"))
    return (sum(numbers) - (numbers[_LOOKS_AWAY // 4] if name == "head" else 0)) % 2**32


def check_kind(data: bytes) -> None:
    """`UnfitFont` for a file that is of another kind than the fonts that can be used."""
    magic = data[:4]
    if magic == b"ttcf":
        raise UnfitFont("it is a collection of fonts; extract the single font (.ttf or .otf)")
    if magic in (b"wOFF", b"wOF2"):
        raise UnfitFont("it is a web font; use the .ttf or .otf file")
    if magic not in _SFNT:
        raise UnfitFont("it is not a TrueType or OpenType font")


def check_face(face: Any) -> None:
    """`UnfitFont` for a face, as HarfBuzz has opened it, that lacks what is needed or must not be embedded."""
    tables = set(face.table_tags)
    if not {"cmap", "head", "hhea", "hmtx", "maxp"} <= tables or not tables & {"glyf", "CFF "} or not face.glyph_count:
        raise UnfitFont("it is damaged or has no outlines", "copy the file anew")
    bits = _licence_bits(face)
    if bits & _LICENCE_BITS == _RESTRICTED:
        raise UnfitFont("its licence forbids embedding (fsType 2); use a font that may be embedded")
    if bits & _BITMAP_ONLY:
        raise UnfitFont("its licence allows only bitmaps to be embedded (fsType 512); use another font")


def may_be_subset(face: Any) -> bool:
    """Whether a part of the font may be embedded."""
    return not _licence_bits(face) & _NO_SUBSET


def _licence_bits(face: Any) -> int:
    table = bytes(face.reference_table("OS/2").data)
    return int(struct.unpack_from(">H", table, 8)[0]) if len(table) >= 10 else 0
