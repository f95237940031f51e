"""What a PDF's font descriptor says of a font file, read from the file's own tables (head, OS/2, post, name)."""

import struct

_FIXED_PITCH, _SERIF, _SYMBOLIC, _ITALIC = 1, 2, 4, 64


class FontTables:
    """The tables of one TrueType or OpenType file."""

    def __init__(self, data: bytes):
        count = struct.unpack_from(">H", data, 4)[0]
        entries = [struct.unpack_from(">4sIII", data, 12 + 16 * index) for index in range(count)]
        self._data = data
        self._places = {tag.decode("latin-1"): (offset, size) for tag, _, offset, size in entries}

    def table(self, tag: str) -> bytes:
        """The bytes of a table, empty when the font has none of that tag."""
        offset, size = self._places.get(tag, (0, 0))
        return self._data[offset : offset + size]

    def box(self) -> tuple[float, float, float, float]:
        """The box around all glyphs, 1/1000 em: left, bottom, right, top."""
        head = self.table("head")
        upem = struct.unpack_from(">H", head, 18)[0]
        left, bottom, right, top = (value * 1000 / upem for value in struct.unpack_from(">4h", head, 36))
        return left, bottom, right, top

    def italic_angle(self) -> float:
        """Degrees anticlockwise from upright; a font that leans right has a negative one."""
        post = self.table("post")
        return float(struct.unpack_from(">i", post, 4)[0]) / 65536 if len(post) >= 8 else 0.0

    def flags(self) -> int:
        """The descriptor's bit set: always symbolic, since glyph numbers are no standard Latin encoding."""
        post, os2 = self.table("post"), self.table("OS/2")
        flags = _SYMBOLIC
        if len(post) >= 16 and struct.unpack_from(">I", post, 12)[0]:
            flags |= _FIXED_PITCH
        if len(os2) >= 42:
            family, serif_style = os2[30], os2[33]
            if family in (1, 2, 3, 4, 5, 7) or (family == 0 and os2[32] == 2 and 2 <= serif_style <= 10):
                flags |= _SERIF
        if self.italic_angle():
            flags |= _ITALIC
        return flags

    def stem(self) -> int:
        """The usual stem's width in 1/1000 em, estimated from the weight class as no table states it."""
        os2 = self.table("OS/2")
        weight = struct.unpack_from(">H", os2, 4)[0] if len(os2) >= 6 else 400
        return round(50 + (weight / 65) ** 2)

    def postscript_name(self) -> str:
        """The font's PostScript name (name 6), `Font` when the file has none."""
        names = self.table("name")
        count, strings = struct.unpack_from(">HH", names, 2) if len(names) >= 6 else (0, 0)
        for index in range(count):
            platform, _, _, meaning, size, offset = struct.unpack_from(">6H", names, 6 + 12 * index)
            if meaning == 6:
                raw = names[strings + offset : strings + offset + size]
                return raw.decode("mac-roman" if platform == 1 else "utf-16-be")
        return "Font"


def is_variable(data: bytes) -> bool:
    """Whether a font file has axes, along which its weight can be chosen."""
    count = int.from_bytes(data[4:6], "big")
    return any(data[at : at + 4] == b"fvar" for at in range(12, 12 + 16 * count, 16))


def features_of(table: bytes) -> frozenset[str]:
    """The tags of the features in a GSUB or GPOS table; none where there is no such table."""
    if len(table) < 10:
        return frozenset()
    start = int.from_bytes(table[6:8], "big")
    count = int.from_bytes(table[start : start + 2], "big")
    places = range(start + 2, min(start + 2 + 6 * count, len(table) - 3), 6)
    return frozenset(table[at : at + 4].decode("latin-1") for at in places)
