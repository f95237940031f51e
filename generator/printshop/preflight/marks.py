"""What a page shows, mark by mark: where it lies, in what colour, how large."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, NamedTuple

from generator.dataclass import dataclass
from generator.printshop.preflight.colours import StatedColour
from generator.printshop.preflight.geometry import Box

Kind = Literal["fill", "stroke", "text", "image", "shading"]


@dataclass(frozen=True, slots=True, eq=False)
class FontFacts:
    """What a font of a file is: how its codes are read and whether a printer can trust it.

    Each is equal to itself alone, as the font of the file is. Widths are in ems by code, `wide` for codes without one.
    `blank` and `missing` are codes that show nothing and codes that show the box of a missing glyph.
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
    """A bitmap: pixels, bits of a component, and the most ink that it lays anywhere.

    `ink` is None where it can't be told; `inkiest` is the place of the most ink as fractions of width and height.
    """

    pixels: tuple[int, int]
    bits: int
    stencil: bool = False
    soft: bool = False
    ink: float | None = None
    inkiest: tuple[float, float] = (0.0, 0.0)


class PageMark(NamedTuple):
    """One thing on a page. `box` in mm from the page's top left corner, y down.

    `size` is the height of type or the width of a pen, and `across` a picture's width and height as it is printed, all
    in points. `tag` is the innermost marked content. A `straight` fill has no curves. `edges` are the upright and level
    stretches of a drawn line, each as a box without width or height. `overprint` is 2 where zeros leave plates alone.
    What is `blended` is mixed with what lies below otherwise than by covering it, in that mode. What is `solid` fills
    its box.
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
