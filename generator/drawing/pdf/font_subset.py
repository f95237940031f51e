"""A font in a PDF: the subset of the glyphs shown, their widths and characters."""

import hashlib
import struct
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from itertools import accumulate, compress
from operator import itemgetter, ne, sub
from typing import Any

import uharfbuzz as hb

from generator.drawing.pdf.objects import add_object, encode_name, encode_number, encode_text, make_stream
from generator.text.font_files import FontTables
from generator.text.fonts import Font

_STANDS_IN = {"\u00ad": "-", "\u00a0": " ", "\u2011": "-", "\u202f": " "}
"""Characters drawn with another character's glyph. The Unicode map lists the other character."""


_EVEN = 0.05
"""Differences of spacing up to this are ignored (1/1000 em)."""

_ROUNDED = 0.0051
"""Maximum rounding error of a width in the PDF (1/1000 em)."""

_LAST_CODE = 0xFFFF
_JOINERS = "\u200c\u200d"
_DEFAULT_WIDTH = 1000.0
"""Width that PDF readers assume for glyphs without an entry (1/1000 em)."""


class CidFont:
    """A font in a PDF: collects the glyphs that are shown, then writes its objects. `name` is its resource name."""

    def __init__(self, name: str, font: Font):
        self.name = name
        self._font = font
        self._texts: dict[int, str] = {}
        self._widths: dict[int, float] = {}
        self._natural: dict[int, float] = {}  # widths in the font, not rounded
        self._codes: dict[int, str] = {}
        self._further: dict[tuple[int, str], int] = {}

    def show_glyphs(
        self, glyphs: tuple[int, ...], clusters: tuple[str, ...], advances: tuple[float, ...]
    ) -> tuple[float, str]:
        """Return the letter-spacing (1/1000 em) to set, and the operators that then show the glyphs.

        `advances` are in 1/1000 em, or empty for the natural ones. A cluster is spelled out as ActualText if the
        Unicode map can't derive it: it has several glyphs, or its glyph represents other characters already.
        """
        pick = itemgetter(*glyphs) if len(glyphs) > 1 else lambda held: (held[glyphs[0]],)
        if not self._has_own_text(pick, clusters):
            self._note_glyphs(glyphs, clusters)
            if not self._has_own_text(pick, clusters):
                extra = list(map(sub, advances, map(self._widths.__getitem__, glyphs)))
                parts = []
                for start, end, spelled in self._split_spans(glyphs, clusters):
                    string = self._show_string(glyphs[start:end], extra[start:end])
                    if spelled:
                        string = f"/Span<</ActualText{encode_text(''.join(clusters[start:end]))}>>BDC {string} EMC"
                    parts.append(string)
                return 0.0, " ".join(parts)
        if len(advances) < 2:
            return 0.0, self._show_string(glyphs)
        shown = self._show_few_moved(glyphs, advances, pick(self._natural))
        if shown is not None:
            return 0.0, shown
        extra = list(map(sub, advances, map(self._widths.__getitem__, glyphs)))
        extra[-1] = extra[-2]  # no glyph follows the last one
        if max(extra) - min(extra) < _EVEN:
            return (extra[0] if abs(extra[0]) >= _EVEN else 0.0), self._show_string(glyphs)
        return 0.0, self._show_string(glyphs, extra)

    def show_apart(self, glyphs: tuple[int, ...], clusters: tuple[str, ...], spots: list[tuple[float, float]]) -> str:
        """Return the operators that show each glyph at its own spot (mm, y down); `clusters` are their characters."""
        self._note_glyphs(glyphs, clusters)
        shown: list[str] = []
        at = (0.0, 0.0)
        for glyph, (x, y) in zip(glyphs, spots, strict=True):
            here = (round(x, 3), round(y, 3))
            if shown:
                shown.append(
                    f"{encode_number(here[0] - at[0])} {encode_number(at[1] - here[1])} Td <{self._codes[glyph]}>Tj"
                )
            else:
                shown.append(f"1 0 0 -1 {encode_number(here[0])} {encode_number(here[1])} Tm <{self._codes[glyph]}>Tj")
            at = here
        return " ".join(shown)

    def show_leftward(
        self, glyphs: tuple[int, ...], clusters: tuple[str, ...], spots: list[tuple[float, float]]
    ) -> str:
        """Return the operators that show right-to-left glyphs at their places (mm, y down), from left to right.

        Readers reverse right-to-left text themselves and expect this order. They can't handle ActualText there, so a
        glyph that represents different characters gets a code for each. Glyphs without characters (a letter's dots)
        come last, as blanks.
        """
        self._note_glyphs(glyphs, clusters)
        told = [at for at in range(len(glyphs) - 1, -1, -1) if clusters[at]]
        untold = [at for at in range(len(glyphs)) if not clusters[at]]
        shown = []
        for at in (*told, *untold):
            x, y = spots[at]
            code = self._code_for(glyphs[at], clusters[at].strip(_JOINERS) or " ")
            shown.append(f"1 0 0 -1 {encode_number(x)} {encode_number(y)} Tm <{code}>Tj")
        return " ".join(shown)

    def _code_for(self, glyph: int, text: str) -> str:
        """Return the code under which a glyph represents this text, or its usual code if the font is full."""
        if self._texts.setdefault(glyph, text) == text:
            return self._codes[glyph]
        code = self._further.get((glyph, text))
        if code is None and not self._font.is_cff:  # glyphs of a bare CFF are found only by number
            code = self._glyph_count + len(self._further)
            if code > _LAST_CODE:
                return self._codes[glyph]
            self._further[glyph, text] = code
        return self._codes[glyph] if code is None else f"{code:04x}"

    @cached_property
    def _glyph_count(self) -> int:
        return int(struct.unpack_from(">H", FontTables(self._font.data).get_table("maxp"), 4)[0])

    def _has_own_text(self, pick: Callable[[dict[int, Any]], Any], clusters: tuple[str, ...]) -> bool:
        try:
            return bool(pick(self._texts) == clusters)
        except KeyError:
            return False

    def _show_few_moved(
        self, glyphs: tuple[int, ...], advances: tuple[float, ...], natural: tuple[float, ...]
    ) -> str | None:
        """Return the operators if few glyphs have advances that are not `natural`; None if all must be checked.

        They equal those of the full check: no letter-spacing, and rounding of the widths must not matter.
        """
        last = len(glyphs) - 1
        moved = [*compress(range(last), map(ne, natural, advances))]
        if not moved:
            return self._show_string(glyphs)
        extra = [(at, advances[at] - self._widths[glyphs[at]]) for at in moved]
        if len(moved) * 4 > last or max([abs(more) for _, more in extra]) < 2 * _EVEN:
            return None
        if moved[-1] == last - 1:  # no glyph follows the last one
            extra.append((last, extra[-1][1]))
        codes, parts = _format_codes(glyphs), list[str]()
        total, before, start = 0.0, 0, 0
        for at, more in extra:
            total += more
            whole = round(total)
            if abs(total - whole) + _ROUNDED * len(glyphs) >= 0.5:
                return None
            if whole != before:
                end = 4 * (at + 1)
                parts.append(f"{codes[start:end]}>{before - whole}<")
                before, start = whole, end
        return f"[<{''.join(parts)}{codes[start:]}>]TJ".replace("<>", "") if parts else f"<{codes}>Tj"

    def _note_glyphs(self, glyphs: tuple[int, ...], clusters: tuple[str, ...]) -> None:
        for index, glyph in enumerate(glyphs):
            if glyph not in self._widths:
                self._natural[glyph] = natural = self._font.measure_advance(glyph)
                self._widths[glyph] = round(natural, 2)
                self._codes[glyph] = f"{glyph:04x}"
            alone = clusters[index] and (index + 1 == len(glyphs) or clusters[index + 1])
            if glyph and alone and glyph not in self._texts:
                cluster = clusters[index]
                usual = _STANDS_IN.get(cluster)
                self._texts[glyph] = usual if usual and self._font.find_glyph(usual) == glyph else cluster

    def _split_spans(self, glyphs: tuple[int, ...], clusters: tuple[str, ...]) -> list[tuple[int, int, bool]]:
        """Split glyphs into ranges (start, end) that need ActualText for their characters (True) or don't."""
        spans: list[tuple[int, int, bool]] = []
        start = 0
        while start < len(glyphs):
            end = start + 1
            while end < len(glyphs) and not clusters[end]:
                end += 1
            spelled = end - start > 1 or self._texts.get(glyphs[start]) != clusters[start]
            if spans and spans[-1][2] == spelled:
                spans[-1] = (spans[-1][0], end, spelled)
            else:
                spans.append((start, end, spelled))
            start = end
        return spans

    def _show_string(self, glyphs: tuple[int, ...], extra: list[float] | None = None) -> str:
        """Return `Tj`, or `TJ` with `extra` spaces in whole 1/1000 em. Rounding errors are carried on, not added up."""
        if extra:
            moved = list(map(round, accumulate(extra)))
            if any(moved):
                codes, steps = map(self._codes.__getitem__, glyphs), map(sub, [0, *moved], moved)
                shown = "".join([f"{code}>{step}<" if step else code for code, step in zip(codes, steps, strict=False)])
                return f"[<{shown}>]TJ".replace("<>", "")
        return f"<{_format_codes(glyphs)}>Tj"

    def write_font(self, document: Any) -> int:
        """Add the font's objects to a document. Return the number of the font dictionary."""
        glyphs = sorted(self._widths)
        tables = FontTables(self._font.data)
        digest = hashlib.sha256(struct.pack(f">{len(glyphs)}H", *glyphs)).digest()
        tag = "".join(chr(65 + byte % 26) for byte in digest[:6])  # equal glyphs give equal tags
        base = encode_name(f"{tag}+{tables.read_postscript_name()}")
        descriptor = add_object(document, self._write_descriptor(document, base, tables, glyphs))
        kind = "0" if self._font.is_cff else f"2/CIDToGIDMap{self._map_codes(document)}"
        further = {code: self._widths[glyph] for (glyph, _), code in self._further.items()}
        usual, widths = _format_widths([*glyphs, *sorted(further)], self._widths | further)
        descendant = add_object(
            document,
            f"<</Type/Font/Subtype/CIDFontType{kind}/BaseFont{base}/FontDescriptor {descriptor} 0 R"
            f"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW {usual}/W[{widths}]>>",
        )
        texts = self._texts | {code: text for (_, text), code in self._further.items()}
        unicode_map = add_object(document, make_stream("", _format_unicode_map(texts)))
        return add_object(
            document,
            f"<</Type/Font/Subtype/Type0/BaseFont{base}/Encoding/Identity-H/DescendantFonts[{descendant} 0 R]"
            f"/ToUnicode {unicode_map} 0 R>>",
        )

    def _map_codes(self, document: Any) -> str:
        """Return the CIDToGIDMap: the identity, or a table if glyphs have additional codes."""
        if not self._further:
            return "/Identity"
        row = [0] * (max(self._further.values()) + 1)
        for glyph in self._widths:
            row[glyph] = glyph
        for (glyph, _), code in self._further.items():
            row[code] = glyph
        return f" {add_object(document, make_stream('', struct.pack(f'>{len(row)}H', *row)))} 0 R"

    def _write_descriptor(self, document: Any, base: str, tables: FontTables, glyphs: list[int]) -> str:
        font = self._font
        subset = font.subset(glyphs)
        if font.is_cff:
            file = make_stream("/Subtype/CIDFontType0C", _extract_cff(subset))
        else:
            file = make_stream(f"/Length1 {len(subset)}", subset)
        box = " ".join(str(round(value)) for value in tables.read_box())
        return (
            f"<</Type/FontDescriptor/FontName{base}/Flags {tables.read_flags()}/FontBBox[{box}]"
            f"/ItalicAngle {encode_number(tables.read_italic_angle(), 2)}/Ascent {round(font.ascent * 1000)}"
            f"/Descent {round(font.descent * 1000)}/CapHeight {round(font.cap_height * 1000)}"
            f"/StemV {tables.estimate_stem()}"
            f"/FontFile{'3' if font.is_cff else '2'} {add_object(document, file)} 0 R>>"
        )


def _format_codes(glyphs: tuple[int, ...]) -> str:
    return struct.pack(f">{len(glyphs)}H", *glyphs).hex()


def _extract_cff(data: bytes) -> bytes:
    """Return the CFF table of a font, with characters numbered like its glyphs.

    Japanese fonts use Adobe's numbers instead. PDF readers accept a bare CFF since version 1.3; a whole OpenType file
    would have to be CID-keyed already.
    """
    whole = hb.SubsetInput()
    whole.keep_everything()
    whole.flags |= hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.CFF_IDENTITY_CHARSET
    return FontTables(bytes(hb.subset(hb.Face(data), whole).blob.data)).get_table("CFF ")


def _format_widths(glyphs: list[int], widths: dict[int, float]) -> tuple[str, str]:
    """Return the default width and the W array of the others: `first [w w w]` for each run of numbers.

    The default is the commonest whole width, since it must be an integer. With any other number, readers assume 1000
    and misplace every glyph that uses it.
    """
    whole = Counter(widths[glyph] for glyph in glyphs if widths[glyph].is_integer())
    usual = whole.most_common(1)[0][0] if whole else _DEFAULT_WIDTH
    runs: list[tuple[int, list[str]]] = []
    for glyph in glyphs:
        if widths[glyph] == usual:
            continue
        if runs and glyph == runs[-1][0] + len(runs[-1][1]):
            runs[-1][1].append(encode_number(widths[glyph], 2))
        else:
            runs.append((glyph, [encode_number(widths[glyph], 2)]))
    return encode_number(usual, 0), "".join(f"{first}[{' '.join(values)}]" for first, values in runs)


def _format_unicode_map(texts: dict[int, str]) -> bytes:
    lines = [
        "/CIDInit /ProcSet findresource begin",
        "12 dict begin",
        "begincmap",
        "/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def",
        "/CMapName /Adobe-Identity-UCS def",
        "/CMapType 2 def",
        "1 begincodespacerange",
        "<0000> <FFFF>",
        "endcodespacerange",
    ]
    pairs = [f"<{glyph:04X}> <{text.encode('utf-16-be').hex().upper()}>" for glyph, text in sorted(texts.items())]
    for start in range(0, len(pairs), 100):
        block = pairs[start : start + 100]
        lines += [f"{len(block)} beginbfchar", *block, "endbfchar"]
    lines += ["endcmap", "CMapName currentdict /CMap defineresource pop", "end", "end", ""]
    return "\n".join(lines).encode("ascii")
