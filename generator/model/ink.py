"""Inks: what a paint becomes in a file, on screen or on a press, and the shape of whatever decides that."""

from typing import Literal, Protocol, TypeAlias

from generator.dataclass import dataclass
from generator.model.drawing import Paint, Role

Rgb: TypeAlias = tuple[float, float, float]
"""Red, green and blue, 0 to 1."""

Cmyk: TypeAlias = tuple[float, float, float, float]
"""Cyan, magenta, yellow and black, 0 to 1."""

Space = Literal["gray", "rgb", "cmyk", "spot"]

Overprint = Literal["never", "plates", "darkening"]
"""How inks that may overprint do so: not at all, on plates of their own, or, where a plate is shown as a grey picture,
by darkening what is below."""

REGISTRATION: Paint = "#000000"
"""What marks beside the trim (role `mark`) are drawn in that every plate must show; elsewhere it is plain black."""

EVERY_PLATE = "All"
"""The spot ink that stands for every plate there is (PDF's own name for it)."""


@dataclass(frozen=True, slots=True)
class Ink:
    """What a paint is printed with.

    `values` are 0 to 1: for `gray` 0 is black, for `cmyk` and `spot` 1 is solid ink. A `spot` ink has its name and the
    process colours that stand for it (`alternate`). One that may `overprint` leaves the plates below as they are, which
    a writer grants small type and thin lines only: below a large area they would show through.
    """

    space: Space
    values: tuple[float, ...]
    spot: str = ""
    alternate: Cmyk | None = None
    overprint: bool = False


@dataclass(frozen=True, slots=True)
class Bitmap:
    """Pixels in rows from the top, 8 bits a channel; `alpha` has one byte for each pixel, or none at all.

    `name` is what messages call the picture. One that is `lossy` is packed as a JPEG again where it was changed.
    """

    space: Literal["gray", "rgb", "cmyk"]
    width: int
    height: int
    pixels: bytes
    alpha: bytes = b""
    name: str = ""
    lossy: bool = False


class Inks(Protocol):
    """What resolves paints and bitmaps for a writer."""

    @property
    def keeps_pictures(self) -> bool:
        """Whether picture files go in as they are; else each is given to `bitmap` once."""

    @property
    def overprints(self) -> Overprint:
        """How inks that may overprint do so; unless never, every thing must say whether it does."""

    def ink(self, paint: Paint, role: Role) -> Ink:
        """What a paint is printed with on a thing of that role."""

    def bitmap(self, bitmap: Bitmap) -> Bitmap:
        """A picture's pixels as they are printed."""
