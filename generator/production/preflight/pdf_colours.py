"""Colours and marks of a PDF: colour spaces, plates, ink, and the marks on a page."""

import itertools
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal, NamedTuple

import pikepdf

from generator.base.dataclass import dataclass
from generator.production.preflight.pdf_document import Box, figure, unpack

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
class Space:
    """A colour space. `device`: its colours depend on the machine; `names` are the plates of a spot space.

    `table` belongs to an indexed space: its colours, with `components` bytes each.
    """

    family: Family
    components: int
    device: bool = False
    names: tuple[str, ...] = ()
    table: bytes | None = None

    @property
    def indexed(self) -> bool:
        """Return True if values are numbers of colours in a table."""
        return self.table is not None


GRAY = Space("gray", 1, device=True)
RGB = Space("rgb", 3, device=True)
CMYK = Space("cmyk", 4, device=True)
PATTERN = Space("pattern", 0)
UNKNOWN = Space("unknown", 0)


@dataclass(frozen=True, slots=True)
class StatedColour:
    """A colour as the file states it: values 0..1 in its space, empty for several (a picture, a shading).

    `most` is the largest ink of a shading in percent, None if unknown. `listed` is the indexed space that the colour
    comes from.
    """

    space: Space
    values: tuple[float, ...] = ()
    most: float | None = None
    listed: Space | None = None

    @property
    def chosen(self) -> Space:
        """Return the space that was chosen for the colour. The next colour is stated in it, too."""
        return self.listed or self.space

    @property
    def white(self) -> bool:
        """Return True if the colour leaves the paper bare."""
        if not self.values:
            return False
        if self.space.family in ("gray", "rgb"):
            return min(self.values) >= 0.999
        return self.space.family in ("cmyk", "spot") and max(self.values) <= 0.001

    @property
    def light(self) -> bool:
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
        return ink_of(self.space, self.values)


BLACK = StatedColour(GRAY, (0.0,))


def ink_of(space: Space, values: tuple[float, ...]) -> float | None:
    """Return the sum of all plates (percent) of values in a space that names its inks, else None."""
    if space.family == "gray":
        return 100 * (1 - values[0])
    if space.family == "spot" and space.names == ("All",):
        return 400 * values[0]
    return 100 * sum(values) if space.family in ("cmyk", "spot") else None


def first_colour(space: Space) -> StatedColour:
    """Return the first colour after choosing a space."""
    if space.indexed:
        return colour(space, (0.0,))
    if space.family not in _STARTS:
        return StatedColour(space)
    if space.family == "cmyk":
        return StatedColour(space, (0.0, 0.0, 0.0, 1.0))
    return StatedColour(space, (_STARTS[space.family],) * space.components)


def colour(space: Space, values: tuple[float, ...]) -> StatedColour:
    """Return a colour from the operands of `sc` or `scn`. Look up an indexed one."""
    if space.table is not None:
        plain = Space(space.family, space.components, space.device, space.names)
        return StatedColour(plain, _entry(space, values), listed=space)
    if space.components and len(values) != space.components:
        raise ValueError(f"a colour of {space.components} components has {len(values)} values")
    if space.family == "lab":
        return StatedColour(space, values)
    return StatedColour(space, tuple(min(1.0, max(0.0, value)) for value in values))


def _entry(space: Space, values: tuple[float, ...]) -> tuple[float, ...]:
    """Return the colour with that number, or the last one if the table is shorter."""
    table, each = space.table or b"", max(1, space.components)
    start = max(0, min(round(values[0]), len(table) // each - 1)) * each
    return tuple(byte / 255 for byte in table[start : start + each])


def space_of(named: Any, spaces: Any, depth: int = 0) -> Space:
    """Return the space of a name or an array; `spaces` is the resources' /ColorSpace dictionary or None."""
    if depth > _DEEPEST:
        return UNKNOWN
    if isinstance(named, pikepdf.Name):
        name = str(named)
        # A default space of the resources replaces the device's own.
        stand_in = spaces.get(f"/Default{name.removeprefix('/Device')}") if spaces is not None else None
        if name in _DEVICE:
            if stand_in is not None:
                return space_of(stand_in, None, depth + 1)
            family, components = _DEVICE[name]
            return Space(family, components, device=True)
        if name == "/Pattern":
            return PATTERN
        found = spaces.get(name) if spaces is not None else None
        return UNKNOWN if found is None else space_of(found, spaces, depth + 1)
    if isinstance(named, pikepdf.Array) and len(named):
        return _array(named, spaces, depth)
    return UNKNOWN


def _array(parts: pikepdf.Array, spaces: Any, depth: int) -> Space:
    kind = str(parts[0])
    if len(parts) == 1:
        return space_of(parts[0], spaces, depth + 1)
    if kind == "/ICCBased":
        components = int(parts[1].get("/N", 0))
        return Space(_BY_COMPONENTS.get(components, "unknown"), components)
    if kind in ("/CalGray", "/CalRGB", "/Lab"):
        return {"/CalGray": Space("gray", 1), "/CalRGB": Space("rgb", 3), "/Lab": Space("lab", 3)}[kind]
    if kind == "/Separation":
        return Space("spot", 1, names=(_plain(parts[1]),))
    if kind == "/DeviceN":
        names = tuple(_plain(name) for name in parts[1])
        return Space("spot", len(names), names=names)
    if kind in ("/Indexed", "/I"):
        base = space_of(parts[1], spaces, depth + 1)
        return Space(base.family, base.components, base.device, base.names, _table(parts[3]))
    return PATTERN if kind == "/Pattern" else UNKNOWN


def _plain(name: Any) -> str:
    return str(name).removeprefix("/")


def _table(found: Any) -> bytes:
    return unpack(found, _LONGEST_TABLE) if isinstance(found, pikepdf.Stream) else bytes(found)


def shading_colour(shading: Any, spaces: Any) -> StatedColour:
    """Return the space of a shading, and the most ink at the ends of its functions."""
    space = space_of(shading.get("/ColorSpace", pikepdf.Name("/Unknown")), spaces)
    found = shading.get("/Function")
    functions = list(found) if isinstance(found, pikepdf.Array) else [found]
    inks = []
    if len(functions) == 1:
        for values in _ends(functions[0]):
            ink = ink_of(space, values) if len(values) == space.components else None
            inks.append(ink)
    known = [ink for ink in inks if ink is not None]
    return StatedColour(space, (), max(known) if known and len(known) == len(inks) else None)


def _ends(function: Any) -> list[tuple[float, ...]]:
    """Return the first and last colours of a function of steps. Raise ValueError for too many parts, or cycles."""
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
            found += [tuple(figure(v) for v in part.get(key, [start])) for key, start in (("/C0", 0), ("/C1", 1))]
    return found


Kind = Literal["fill", "stroke", "text", "image", "shading"]


@dataclass(frozen=True, slots=True, eq=False)
class FontFacts:
    """The facts of a font: how its codes are read, and whether a printer can rely on it.

    Each equals only itself, like the font in the file. Widths are in ems by code, `wide` for codes without one. `blank`
    and `missing` are codes that show nothing, and codes that show the box of a missing glyph.
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
    """A bitmap: pixels, bits per component, and its largest ink.

    `ink` is None if unknown; `inkiest` is the place of the most ink as fractions of width and height.
    """

    pixels: tuple[int, int]
    bits: int
    stencil: bool = False
    soft: bool = False
    ink: float | None = None
    inkiest: tuple[float, float] = (0.0, 0.0)


class PageMark(NamedTuple):
    """One thing on a page. `box` is in mm from the page's top left corner, y down.

    `size` is the height of type or the width of a pen, and `across` a picture's printed width and height, all in
    points. `tag` is the innermost marked content. A `straight` fill has no curves. `edges` are the vertical and
    horizontal stretches of a drawn line, each a box without width or height. `overprint` is 2 if zeros leave plates
    alone. `blended` is the blend mode, if not Normal. A `solid` mark fills its box.
    """

    kind: Kind
    box: Box
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
    edges: tuple[Box, ...] = ()
    blended: str = ""
    solid: bool = False
