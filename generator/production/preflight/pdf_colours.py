"""Colours, fonts and marks of a PDF: colour spaces, plates, ink, facts of fonts, and the marks on a page."""

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import pikepdf

from generator.production.preflight.pdf_document import PageBox, float_from_pdf, unpack_stream

Family = Literal["gray", "rgb", "cmyk", "lab", "spot", "pattern", "unknown"]

_DEEPEST = 8
_LONGEST_TABLE = 1_000_000
_MOST_FUNCTIONS = 1_000
_DEVICE: dict[str, tuple[Family, int]] = {
    "/DeviceGray": ("gray", 1), "/G": ("gray", 1), "/DeviceRGB": ("rgb", 3), "/RGB": ("rgb", 3),
    "/DeviceCMYK": ("cmyk", 4), "/CMYK": ("cmyk", 4),
}  # fmt: skip
_BY_COMPONENTS: dict[int, Family] = {1: "gray", 3: "rgb", 4: "cmyk"}
_STARTS: dict[Family, float] = {"gray": 0.0, "rgb": 0.0, "cmyk": 0.0, "lab": 0.0, "spot": 1.0}


@dataclass(frozen=True, slots=True)
class ColourSpace:
    """A colour space. `device`: its colours depend on the machine; `names` are the inks of a spot colour space.

    `table` belongs to an indexed space: its colours, with `components` bytes each.
    """

    family: Family
    components: int
    device: bool = False
    names: tuple[str, ...] = ()
    table: bytes | None = None

    @property
    def is_indexed(self) -> bool:
        """Return True if values are numbers of colours in a table."""
        return self.table is not None


GRAY = ColourSpace("gray", 1, device=True)
RGB = ColourSpace("rgb", 3, device=True)
CMYK = ColourSpace("cmyk", 4, device=True)
PATTERN = ColourSpace("pattern", 0)
UNKNOWN = ColourSpace("unknown", 0)


@dataclass(frozen=True, slots=True)
class StatedColour:
    """A colour as the file states it: values 0..1 in its space, empty for several (a picture, a shading).

    `most` is the largest ink of a shading in percent, None if unknown. `listed` is the indexed space that the colour
    comes from.
    """

    space: ColourSpace
    values: tuple[float, ...] = ()
    most: float | None = None
    listed: ColourSpace | None = None

    @property
    def chosen_space(self) -> ColourSpace:
        """Return the space that the page selected: the indexed space if the colour comes from its table."""
        return self.listed or self.space

    @property
    def is_white(self) -> bool:
        """Return True if the colour leaves the paper bare."""
        if not self.values:
            return False
        if self.space.family in ("gray", "rgb"):
            return min(self.values) >= 0.999
        return self.space.family in ("cmyk", "spot") and max(self.values) <= 0.001

    @property
    def is_light(self) -> bool:
        """Return True if the colour is so close to white that type in it needs a darker background."""
        if not self.values:
            return False
        if self.space.family in ("gray", "rgb"):
            return min(self.values) >= 0.9
        return self.space.family in ("cmyk", "spot") and sum(self.values) <= 0.1

    @property
    def ink(self) -> float | None:
        """Return the sum of all plates in percent, or None if it needs a profile (RGB) or is unknown."""
        if not self.values:
            return self.most
        return sum_inks(self.space, self.values)


BLACK = StatedColour(GRAY, (0.0,))


def sum_inks(space: ColourSpace, values: tuple[float, ...]) -> float | None:
    """Return the sum of all plates (percent) of values in a space that names its inks, else None."""
    if space.family == "gray":
        return 100 * (1 - values[0])
    if space.family == "spot" and space.names == ("All",):
        return 400 * values[0]
    return 100 * sum(values) if space.family in ("cmyk", "spot") else None


def make_first_colour(space: ColourSpace) -> StatedColour:
    """Return the colour that PDF uses right after a space is selected."""
    if space.is_indexed:
        return make_colour(space, (0.0,))
    if space.family not in _STARTS:
        return StatedColour(space)
    if space.family == "cmyk":
        return StatedColour(space, (0.0, 0.0, 0.0, 1.0))
    return StatedColour(space, (_STARTS[space.family],) * space.components)


def make_colour(space: ColourSpace, values: tuple[float, ...]) -> StatedColour:
    """Return a colour from operands of `sc` or `scn`; look up an indexed one. Raise ValueError for a wrong number."""
    if space.table is not None:
        plain = ColourSpace(space.family, space.components, space.device, space.names)
        table, each = space.table or b"", max(1, space.components)
        start = max(0, min(round(values[0]), len(table) // each - 1)) * each
        return StatedColour(plain, tuple(byte / 255 for byte in table[start : start + each]), listed=space)
    if space.components and len(values) != space.components:
        raise ValueError(f"a colour of {space.components} components has {len(values)} values")
    if space.family == "lab":
        return StatedColour(space, values)
    return StatedColour(space, tuple(min(1.0, max(0.0, value)) for value in values))


def read_space(named: Any, spaces: Any, depth: int = 0) -> ColourSpace:
    """Return a named or listed space, or UNKNOWN; `spaces` is the resources' /ColorSpace dictionary or None."""
    if depth > _DEEPEST:
        return UNKNOWN
    if isinstance(named, pikepdf.Name):
        name = str(named)
        # A default space of the resources replaces the device's own.
        stand_in = spaces.get(f"/Default{name.removeprefix('/Device')}") if spaces is not None else None
        if name in _DEVICE:
            if stand_in is not None:
                return read_space(stand_in, None, depth + 1)
            family, components = _DEVICE[name]
            return ColourSpace(family, components, device=True)
        if name == "/Pattern":
            return PATTERN
        found = spaces.get(name) if spaces is not None else None
        return UNKNOWN if found is None else read_space(found, spaces, depth + 1)
    if isinstance(named, pikepdf.Array) and len(named):
        return _read_array(named, spaces, depth)
    return UNKNOWN


def _read_array(parts: pikepdf.Array, spaces: Any, depth: int) -> ColourSpace:
    kind = str(parts[0])
    if len(parts) == 1:
        return read_space(parts[0], spaces, depth + 1)
    if kind == "/ICCBased":
        components = int(parts[1].get("/N", 0))
        return ColourSpace(_BY_COMPONENTS.get(components, "unknown"), components)
    if kind in ("/CalGray", "/CalRGB", "/Lab"):
        return {"/CalGray": ColourSpace("gray", 1), "/CalRGB": ColourSpace("rgb", 3), "/Lab": ColourSpace("lab", 3)}[
            kind
        ]
    if kind == "/Separation":
        return ColourSpace("spot", 1, names=(_strip_slash(parts[1]),))
    if kind == "/DeviceN":
        names = tuple(_strip_slash(name) for name in parts[1])
        return ColourSpace("spot", len(names), names=names)
    if kind in ("/Indexed", "/I"):
        base = read_space(parts[1], spaces, depth + 1)
        found = parts[3]
        return ColourSpace(
            base.family,
            base.components,
            base.device,
            base.names,
            unpack_stream(found, _LONGEST_TABLE) if isinstance(found, pikepdf.Stream) else bytes(found),
        )
    return PATTERN if kind == "/Pattern" else UNKNOWN


def _strip_slash(name: Any) -> str:
    return str(name).removeprefix("/")


def read_shading_colour(shading: Any, spaces: Any) -> StatedColour:
    """Return a gradient's colour space, with the most ink of its end colours; it has no colour values."""
    space = read_space(shading.get("/ColorSpace", pikepdf.Name("/Unknown")), spaces)
    found = shading.get("/Function")
    functions = list(found) if isinstance(found, pikepdf.Array) else [found]
    inks = []
    if len(functions) == 1:
        for values in _read_end_colours(functions[0]):
            ink = sum_inks(space, values) if len(values) == space.components else None
            inks.append(ink)
    known = [ink for ink in inks if ink is not None]
    return StatedColour(space, (), max(known) if known and len(known) == len(inks) else None)


def _read_end_colours(function: Any) -> list[tuple[float, ...]]:
    """Return the end colours of a gradient, stop by stop. Raise ValueError if it has too many parts or a cycle."""
    waiting, found, read = [function], list[tuple[float, ...]](), 0
    while waiting:
        part, read = waiting.pop(), read + 1
        if read > _MOST_FUNCTIONS:
            raise ValueError(f"a gradient of more than {_MOST_FUNCTIONS} functions")
        if part is None:
            continue
        if part.get("/FunctionType") == 3:
            waiting += itertools.islice(part.get("/Functions", []), _MOST_FUNCTIONS)
        elif part.get("/FunctionType") == 2:
            found += [
                tuple(float_from_pdf(v) for v in part.get(key, [start])) for key, start in (("/C0", 0), ("/C1", 1))
            ]
    return found


MarkKind = Literal["fill", "stroke", "text", "image", "shading"]


@dataclass(frozen=True, slots=True, eq=False)
class FontFacts:
    """The facts of a font: how its codes are read, and whether a printer can rely on it.

    Objects compare by identity, like the fonts in the file. `widths` are in ems by code, `wide` for codes without one.
    `blank` are codes that show nothing, `missing` are codes that show the box of a missing glyph.
    """

    name: str
    kind: str
    embedded: bool
    variable: bool = False
    bold: bool = False
    code_bytes: int = 1
    vertical: bool = False
    widths: Mapping[int, float] = field(default_factory=dict)
    wide: float = 0.5
    blank: frozenset[int] = frozenset()
    missing: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A bitmap: its pixels, bits per component, and largest ink sum (percent).

    `ink` is None if unknown; `inkiest` is the place of the most ink as fractions of width and height.
    """

    pixels: tuple[int, int]
    bits: int
    stencil: bool = False
    soft: bool = False
    ink: float | None = None
    inkiest: tuple[float, float] = (0.0, 0.0)


class PageMark(NamedTuple):
    """One painted thing on a page. `box` is in mm from the page's top left corner, y down.

    `size` is the height of type or the line width, and `across` a picture's printed width and height, all in points.
    `tag` is a marked-content tag (see `find_tag`). A `straight` fill has no curves. `edges` are the vertical and
    horizontal stretches of a line, each a box without width or height. `overprint` is 2 if inks of 0 % leave the ink
    below. `blended` is the blend mode, if not Normal. A `solid` mark fills its box.
    """

    kind: MarkKind
    box: PageBox
    colour: StatedColour
    size: float = 0.0
    font: FontFacts | None = None
    picture: PagePicture | None = None
    across: tuple[float, float] = (0.0, 0.0)
    see_through: bool = False
    overprint: int = 0
    missing: bool = False
    straight: bool = False
    tag: str = ""
    edges: tuple[PageBox, ...] = ()
    blended: str = ""
    solid: bool = False


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
    """Return (code, width in ems) for each code in a /W array, written `c [w1 w2 ...]` and `first last w`."""
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
