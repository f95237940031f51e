"""Font files: reads their tables, finds damage, checks licences; results of shaping, and fast numbers."""

import struct
from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise, product
from mmap import mmap
from pathlib import Path
from sys import byteorder
from typing import Any, NamedTuple, Protocol

from generator.base.cache import hash_bytes
from generator.base.errors import InvalidInput
from generator.base.files import map_file, read_file
from generator.game.project import find_bundled_root

_MOST_OF_A_DIRECTORY = 1000  # bytes
_FIXED_PITCH, _SERIF, _SYMBOLIC, _ITALIC = 1, 2, 4, 64


FontData = bytes | mmap
"""The bytes of a font file, in memory or on disk."""


def open_font_file(path: Path) -> FontData:
    """Return the bytes of a font file. Those of the program's own fonts, of some megabytes, stay on disk."""
    return (is_own_font(path) and map_file(path)) or read_file(path, "font")


def is_own_font(path: Path) -> bool:
    """Return True for a font that comes with the program."""
    return path.parent == find_bundled_root() / "fonts"


def hash_font(data: FontData) -> str:
    """Return the hash of a font: of all bytes, or for one of the program's own of its start, with all checksums."""
    return hash_bytes(data if isinstance(data, bytes) else data[:_MOST_OF_A_DIRECTORY])


class FontTables:
    """The tables of one TrueType or OpenType file."""

    def __init__(self, data: FontData):
        count = struct.unpack_from(">H", data, 4)[0]
        entries = [struct.unpack_from(">4sIII", data, 12 + 16 * index) for index in range(count)]
        self._data = data
        self._places = {tag.decode("latin-1"): (offset, size) for tag, _, offset, size in entries}

    def get_table(self, tag: str) -> bytes:
        """Return the bytes of a table, empty if the font has none of that tag."""
        offset, size = self._places.get(tag, (0, 0))
        return self._data[offset : offset + size]

    def read_box(self) -> tuple[float, float, float, float]:
        """Return the box around all glyphs, 1/1000 em: left, bottom, right, top."""
        head = self.get_table("head")
        upem = struct.unpack_from(">H", head, 18)[0]
        left, bottom, right, top = (value * 1000 / upem for value in struct.unpack_from(">4h", head, 36))
        return left, bottom, right, top

    def read_italic_angle(self) -> float:
        """Return degrees anticlockwise from upright; negative for a font that leans right."""
        post = self.get_table("post")
        return float(struct.unpack_from(">i", post, 4)[0]) / 65536 if len(post) >= 8 else 0.0

    def read_flags(self) -> int:
        """Return the descriptor's flags: always symbolic, since glyph numbers are no standard Latin encoding."""
        post, os2 = self.get_table("post"), self.get_table("OS/2")
        flags = _SYMBOLIC
        if len(post) >= 16 and struct.unpack_from(">I", post, 12)[0]:
            flags |= _FIXED_PITCH
        if len(os2) >= 42:
            family, serif_style = os2[30], os2[33]
            if family in (1, 2, 3, 4, 5, 7) or (family == 0 and os2[32] == 2 and 2 <= serif_style <= 10):
                flags |= _SERIF
        if self.read_italic_angle():
            flags |= _ITALIC
        return flags

    def estimate_stem(self) -> int:
        """Return the usual stem's width in 1/1000 em, estimated from the weight class as no table states it."""
        os2 = self.get_table("OS/2")
        weight = struct.unpack_from(">H", os2, 4)[0] if len(os2) >= 6 else 400
        return round(50 + (weight / 65) ** 2)

    def read_postscript_name(self) -> str:
        """Return the font's PostScript name (name 6), or `Font` if it has none."""
        names = self.get_table("name")
        count, strings = struct.unpack_from(">HH", names, 2) if len(names) >= 6 else (0, 0)
        for index in range(count):
            platform, _, _, meaning, size, offset = struct.unpack_from(">6H", names, 6 + 12 * index)
            if meaning == 6:
                raw = names[strings + offset : strings + offset + size]
                return raw.decode("mac-roman" if platform == 1 else "utf-16-be")
        return "Font"


def is_variable(data: FontData) -> bool:
    """Return True if a font file has axes, such as that of its weight."""
    count = int.from_bytes(data[4:6], "big")
    return any(data[at : at + 4] == b"fvar" for at in range(12, 12 + 16 * count, 16))


def read_features(table: bytes) -> frozenset[str]:
    """Return the tags of the features in a GSUB or GPOS table; empty without such a table."""
    if len(table) < 10:
        return frozenset()
    start = int.from_bytes(table[6:8], "big")
    count = int.from_bytes(table[start : start + 2], "big")
    places = range(start + 2, min(start + 2 + 6 * count, len(table) - 3), 6)
    return frozenset(table[at : at + 4].decode("latin-1") for at in places)


_TRIED = "HAaxo0.あ漢"
"""Characters whose glyphs are tested, if the font has them."""

_WIDEST = 8000.0
"""Largest plausible width of a glyph (1/1000 em); a larger one means damage."""

_MOST_SUMMED = 2_000_000
"""Larger tables (bytes) are not checked by their checksum, because that would take too long."""

_LOOKS_AWAY = 8  # offset of the whole file's checksum in `head`
BROKEN = (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError, struct.error)
"""The exceptions that reading a damaged font can raise."""


_SFNT = (b"\x00\x01\x00\x00", b"true", b"OTTO")
_RESTRICTED, _LICENCE_BITS, _NO_SUBSET, _BITMAP_ONLY = 0x0002, 0x000F, 0x0100, 0x0200


class InvalidFont(InvalidInput):
    """A file that can't be used as a font; the message states the reason."""


class OpenFont(Protocol):
    """The methods that a font must have for checks and subsetting."""

    data: FontData

    def find_glyph(self, char: str) -> int:
        """Return the glyph of one character, 0 if the font has none."""

    def measure_advance(self, glyph: int) -> float:
        """Return the pen's movement after a glyph (1/1000 em)."""

    def draw_outline(self, glyph: int) -> Any:
        """Return a glyph's outline."""

    def subset(self, glyphs: Iterable[int]) -> bytes:
        """Return a font file with only these glyphs."""


def check_font(font: OpenFont) -> list[str]:
    """Return the tables with wrong checksums. Raise InvalidInput for contradictory tables, or without a subset."""
    try:
        wrong = _check_tables(font)
        glyphs = [glyph for glyph in map(font.find_glyph, _TRIED) if glyph]
        for glyph in glyphs:
            font.draw_outline(glyph)
            if not 0 <= font.measure_advance(glyph) <= _WIDEST:
                raise _make_fault("hmtx", "gives letters a width that they can't have")
        tables = FontTables(font.subset([0, *glyphs]))
        for table in (FontTables(font.data), tables):
            table.read_box(), table.read_flags(), table.estimate_stem(), table.read_postscript_name()
    except InvalidInput:
        raise
    except BROKEN as error:
        raise InvalidInput("it is damaged: no part of it can be cut out and embedded", "copy the file anew") from error
    return wrong


def _check_tables(font: OpenFont) -> list[str]:
    data = memoryview(font.data)  # avoids a copy: a Japanese font has megabytes
    (count,) = struct.unpack_from(">H", data, 4)
    tables, wrong = {}, []
    for at in range(12, 12 + 16 * count, 16):
        tag, checksum, offset, size = struct.unpack_from(">4sIII", data, at)
        name = tag.decode("latin-1")
        if offset + size > len(data):
            raise _make_fault(name, "reaches beyond the end of the file")
        tables[name] = table = data[offset : offset + size]
        if size <= _MOST_SUMMED and checksum and name != "DSIG" and _compute_checksum(table, name) != checksum:
            wrong.append(name)
    (upem,) = struct.unpack_from(">H", tables["head"], 18)
    (glyphs,) = struct.unpack_from(">H", tables["maxp"], 4)
    (widths,) = struct.unpack_from(">H", tables["hhea"], 34)
    if not 16 <= upem <= 16384:
        raise _make_fault("head", f"says that an em has {upem} units")
    if not 0 < widths <= glyphs or len(tables["hmtx"]) < 2 * (widths + glyphs):
        raise _make_fault("hmtx", f"has no widths for {glyphs} glyphs")
    if "glyf" in tables:
        (long,) = struct.unpack_from(">h", tables["head"], 50)
        size, scale = (4, 1) if long else (2, 2)
        loca = tables.get("loca", memoryview(b""))
        if len(loca) < size * (glyphs + 1):
            raise _make_fault("loca", f"has no places for {glyphs} glyphs")
        starts = _unpack_numbers(loca[: size * (glyphs + 1)], "I" if long else "H").tolist()
        if starts != sorted(starts) or starts[-1] * scale > len(tables["glyf"]):
            raise _make_fault("loca", "places glyphs where there are none")
    return wrong


def _make_fault(table: str, how: str) -> InvalidInput:
    return InvalidInput(f"it is damaged: its table '{table}' {how}", "copy the file anew")


def _unpack_numbers(table: memoryview, kind: str) -> "array[int]":
    numbers = array(kind)
    numbers.frombytes(table)
    if byteorder == "little":
        numbers.byteswap()
    return numbers


def _compute_checksum(table: memoryview, name: str) -> int:
    rest = len(table) % 4
    numbers = _unpack_numbers(table[: len(table) - rest], "I")
    numbers.append(int.from_bytes(bytes(table[len(table) - rest :]).ljust(4, b"\0"), "big"))
    return (sum(numbers) - (numbers[_LOOKS_AWAY // 4] if name == "head" else 0)) % 2**32


def check_kind(data: FontData) -> None:
    """Raise `InvalidFont` for a file of another kind than the supported fonts."""
    magic = data[:4]
    if magic == b"ttcf":
        raise InvalidFont("it is a collection of fonts; extract the single font (.ttf or .otf)")
    if magic in (b"wOFF", b"wOF2"):
        raise InvalidFont("it is a web font; use the .ttf or .otf file")
    if magic not in _SFNT:
        raise InvalidFont("it is not a TrueType or OpenType font")


def check_face(face: Any) -> None:
    """Raise `InvalidFont` for a HarfBuzz face that lacks required tables or must not be embedded."""
    tables = set(face.table_tags)
    if not {"cmap", "head", "hhea", "hmtx", "maxp"} <= tables or not tables & {"glyf", "CFF "} or not face.glyph_count:
        raise InvalidFont("it is damaged or has no outlines", "copy the file anew")
    bits = _read_licence_bits(face)
    if bits & _LICENCE_BITS == _RESTRICTED:
        raise InvalidFont("its licence forbids embedding (fsType 2); use a font that may be embedded")
    if bits & _BITMAP_ONLY:
        raise InvalidFont("its licence allows only bitmaps to be embedded (fsType 512); use another font")


def can_be_subset(face: Any) -> bool:
    """Return True if the font's licence bits allow embedding a subset."""
    return not _read_licence_bits(face) & _NO_SUBSET


def _read_licence_bits(face: Any) -> int:
    table = bytes(face.reference_table("OS/2").data)
    return int(struct.unpack_from(">H", table, 8)[0]) if len(table) >= 10 else 0


class ShapedText(NamedTuple):
    """A text shaped by HarfBuzz: parallel tuples, one entry for each glyph.

    `clusters` are the characters of each glyph ("" for further glyphs of a cluster). `advances` and `rises` (the upward
    shift of a glyph) are in 1/1000 em. `natural`: the glyphs' own advances place every glyph.
    """

    glyphs: tuple[int, ...]
    clusters: tuple[str, ...]
    advances: tuple[float, ...]
    rises: tuple[float, ...]
    width: float
    natural: bool


class ShapedColumn(NamedTuple):
    """A text shaped downwards, as in `ShapedText`. `turned`: the glyphs include the font's forms for columns."""

    glyphs: tuple[int, ...]
    clusters: tuple[str, ...]
    advances: tuple[float, ...]
    turned: bool


def split_clusters(text: str, starts: list[int]) -> tuple[str, ...]:
    """Return the characters of each glyph, given the start of each glyph's cluster. None are lost."""
    if starts == list(range(len(text))):
        return tuple(text)
    begins = sorted(set(starts))
    spans = dict(zip(begins, pairwise([0, *begins[1:], len(text)]), strict=False))
    return tuple(
        "" if index and start == starts[index - 1] else text[slice(*spans[start])] for index, start in enumerate(starts)
    )


def scale_advances(advances: tuple[float, ...], ratio: float) -> tuple[float, ...]:
    """Return advances scaled by `ratio`, the size of these glyphs relative to the text around them."""
    return advances if ratio == 1 else tuple([advance * ratio for advance in advances])


MANY = 100
"""After this many numbers a font's digits are tested for independence, which takes as long as shaping them."""

Manner = tuple[str, bool]
"""A language, and whether ligatures are allowed."""


class Numerals:
    """Sets a font's numbers without shaping each one; `shape` shapes a text, `glyph` and `advance` find a digit's."""

    def __init__(
        self,
        shape: Callable[[str, str, bool], ShapedText],
        glyph: Callable[[str], int],
        advance: Callable[[int], float],
    ):
        self._shape, self._glyph, self._advance = shape, glyph, advance
        self._met: Counter[Manner] = Counter()
        self._apart: dict[Manner, bool] = {}
        self._digits: dict[str, tuple[int, float]] = {}

    def compose_number(self, text: str, lang: str, ligatures: bool) -> ShapedText | None:
        """Return a shaped number without calling HarfBuzz; None if HarfBuzz is needed."""
        if not (text.isascii() and text.isdigit()):
            return None
        manner = lang, ligatures
        apart = self._apart.get(manner)
        if apart is None:
            self._met[manner] += 1
            if self._met[manner] <= MANY:
                return None
            row = _make_digit_row()
            apart = self._apart[manner] = self._shape(row, *manner) == self._join_digits(row)
        return self._join_digits(text) if apart else None

    def _join_digits(self, text: str) -> ShapedText:
        digits = self._digits
        if not digits:
            digits |= {digit: (glyph := self._glyph(digit), self._advance(glyph)) for digit in "0123456789"}
        glyphs, advances = zip(*map(digits.__getitem__, text), strict=True)
        return ShapedText(glyphs, tuple(text), advances, (0.0,) * len(glyphs), sum(advances), natural=True)


@cache
def _make_digit_row() -> str:
    """Return a row of 1,002 digits that contains every possible sequence of three, after de Bruijn."""
    words = ("".join(word) for size in (1, 3) for word in product("0123456789", repeat=size))
    lyndon = sorted(word for word in words if all(word < word[turn:] + word[:turn] for turn in range(1, len(word))))
    row = "".join(lyndon)
    return row + row[:2]
