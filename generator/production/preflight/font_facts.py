"""Facts of a font in a PDF: its codes, widths, and whether it is embedded."""

import re
from itertools import pairwise
from typing import Any

import pikepdf

from generator.production.preflight.pdf_colours import FontFacts
from generator.production.preflight.pdf_document import float_from_pdf, unpack_stream

_PROGRAMS = ("/FontFile", "/FontFile2", "/FontFile3")
_BLANKS = {"0020", "00A0", "3000", "0009", "000A", "000D", "200B", "00AD"}
_BLANK_NAMES = {"/space", "/nbspace", "/uni00A0", "/uni0020", "/nonbreakingspace", "/tab"}
_PAIR = re.compile(rb"<([0-9A-Fa-f]{1,8})>\s*<([0-9A-Fa-f]{1,8})>")
_TRIPLE = re.compile(rb"<([0-9A-Fa-f]{1,8})>\s*<([0-9A-Fa-f]{1,8})>\s*<([0-9A-Fa-f]{1,8})>")
_CHARS = re.compile(rb"beginbfchar(.*?)endbfchar", re.DOTALL)
_RANGES = re.compile(rb"beginbfrange(.*?)endbfrange", re.DOTALL)
_CODES = re.compile(rb"begincodespacerange\s*<([0-9A-Fa-f]+)>")
_LONGEST_MAP = 4_000_000
_MOST_WIDTHS = 70_000


def read_font_facts(font: Any) -> FontFacts:
    """Return the facts of a font dictionary. Raise ValueError or similar if it is too broken to read."""
    kind = str(font.get("/Subtype", "/Unknown")).removeprefix("/")
    name = str(font.get("/BaseFont", font.get("/Name", "/unnamed"))).removeprefix("/")
    if kind == "Type0":
        return _read_composite(font, name)
    descriptor = font.get("/FontDescriptor")
    first = int(font.get("/FirstChar", 0))
    unit = abs(float_from_pdf(font.get("/FontMatrix", [0.001])[0])) if kind == "Type3" else 0.001
    widths = {
        first + index: float_from_pdf(width) * unit for index, width in enumerate(list(font.get("/Widths", []))[:256])
    }
    blank, missing = _read_named_codes(font)
    return FontFacts(
        name, kind, kind == "Type3" or _is_embedded(descriptor), variable=_is_variable(descriptor),
        bold=_is_bold(descriptor, name), widths=widths, blank=blank | _read_blank_codes(font), missing=missing,
    )  # fmt: skip


def _read_composite(font: Any, name: str) -> FontFacts:
    inner = font["/DescendantFonts"][0]
    descriptor = inner.get("/FontDescriptor")
    encoding = font.get("/Encoding", "/Identity-H")
    named = "" if isinstance(encoding, pikepdf.Stream) else str(encoding)
    code_bytes, vertical = 2, named.endswith("-V") or named == "/V"
    if isinstance(encoding, pikepdf.Stream):
        found = _CODES.search(unpack_stream(encoding, _LONGEST_MAP))
        code_bytes = max(1, len(found[1]) // 2) if found else 2
        vertical = encoding.get("/WMode") == 1
    # Only an identity encoding shows that code 0 is glyph 0, the box of a missing glyph.
    missing = frozenset({0}) if named.startswith("/Identity") else frozenset()
    return FontFacts(
        name,
        "Type0",
        _is_embedded(descriptor),
        variable=_is_variable(descriptor),
        bold=_is_bold(descriptor, name),
        code_bytes=code_bytes,
        vertical=vertical,
        widths=dict(_read_cid_widths(inner.get("/W", []))) if code_bytes == 2 else {},
        wide=float_from_pdf(inner.get("/DW", 1000)) / 1000,
        blank=_read_blank_codes(font),
        missing=missing,
    )


def _read_cid_widths(rows: Any) -> list[tuple[int, float]]:
    """Return the widths of a /W array: `c [w1 w2 ...]` and `first last w`."""
    found: list[tuple[int, float]] = []
    parts, at = list(rows), 0
    while at + 1 < len(parts) and len(found) < _MOST_WIDTHS:
        start, follows = int(parts[at]), parts[at + 1]
        if isinstance(follows, pikepdf.Array):
            found += [(start + index, float_from_pdf(width) / 1000) for index, width in enumerate(list(follows))]
            at += 2
        elif at + 2 < len(parts):
            end = min(int(follows), start + _MOST_WIDTHS)
            found += [(code, float_from_pdf(parts[at + 2]) / 1000) for code in range(start, end + 1)]
            at += 3
        else:
            break
    return found


def _is_embedded(descriptor: Any) -> bool:
    return descriptor is not None and any(key in descriptor for key in _PROGRAMS)


def _is_bold(descriptor: Any, name: str) -> bool:
    if re.search(r"bold|black|heavy|[-_](sb|eb)\b", name, re.IGNORECASE):
        return True
    if descriptor is None:
        return False
    return int(descriptor.get("/FontWeight", 400)) >= 600 or float_from_pdf(descriptor.get("/StemV", 80)) >= 120


def _is_variable(descriptor: Any) -> bool:
    """Return True if the embedded TrueType or OpenType program still has its axes (`fvar`)."""
    if descriptor is None:
        return False
    for key in ("/FontFile2", "/FontFile3"):
        program = descriptor.get(key)
        if isinstance(program, pikepdf.Stream):
            data = unpack_stream(program)
            tables = int.from_bytes(data[4:6], "big")
            if data[:4] in (b"\0\1\0\0", b"true", b"OTTO"):
                return any(data[12 + 16 * n : 16 + 16 * n] == b"fvar" for n in range(min(tables, 100)))
    return False


def _read_named_codes(font: Any) -> tuple[frozenset[int], frozenset[int]]:
    """Return two sets of codes of a simple font: those that its encoding names as spaces, and those named .notdef."""
    blank, missing = {0x20}, set()
    encoding = font.get("/Encoding")
    differences: Any = encoding.get("/Differences", []) if isinstance(encoding, pikepdf.Dictionary) else []
    code = 0
    for entry in list(differences):
        if not isinstance(entry, pikepdf.Name):
            code = int(entry)
            continue
        blank.discard(code)
        if str(entry) in _BLANK_NAMES:
            blank.add(code)
        elif str(entry) == "/.notdef":
            missing.add(code)
        code += 1
    return frozenset(blank), frozenset(missing)


def _read_blank_codes(font: Any) -> frozenset[int]:
    """Return the codes that the Unicode map calls spaces."""
    table = font.get("/ToUnicode")
    if not isinstance(table, pikepdf.Stream):
        return frozenset()
    text = unpack_stream(table, _LONGEST_MAP)
    blank: set[int] = set()
    for block in _CHARS.findall(text):
        blank |= {int(code, 16) for code, to in _PAIR.findall(block) if to.decode().upper().zfill(4) in _BLANKS}
    for block in _RANGES.findall(text):
        for low, high, to in _TRIPLE.findall(block):
            if low == high and to.decode().upper().zfill(4) in _BLANKS:
                blank.add(int(low, 16))
    return frozenset(blank)


def split_codes(font: FontFacts, text: bytes) -> list[int]:
    """Split the bytes of a PDF string into character codes of `code_bytes` bytes each."""
    if font.code_bytes == 1:
        return list(text)
    step = font.code_bytes
    marks = [*range(0, len(text), step), len(text)]
    return [int.from_bytes(text[start:end], "big") for start, end in pairwise(marks)]
