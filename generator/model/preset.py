"""What print shops, papers and sleeves ask for: figures with their source, and which of them nobody has confirmed."""

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Annotated, Any, Literal

from generator.dataclass import dataclass
from generator.errors import Place, Problem
from generator.model.data_fields import MADE, meta
from generator.model.resources import Resources
from generator.units import Size

PresetKind = Literal["shop", "stock", "sleeve", "paper", "pictures"]
Upload = Literal["pdf", "png"]
Marks = Literal["none", "western", "japanese"]
PrintColour = Literal["cmyk", "rgb"]
Order = Literal["alternating", "fronts-then-backs"]
Copies = Literal["each", "once"]
Files = Literal["product", "face"]
Scene = Literal["fan", "hand", "table", "box", "title"]
"""What a picture for a shop page shows: cards fanned out or held, the whole table, the box, the title alone."""

ShopForm = Literal["card", "board", "pad"]
PresetId = Annotated[str, "preset id"]
Length = Annotated[float, "length"]
"""Millimetres; the data may write other units: `0.125in`."""

_NEEDED: dict[str, Any] = {"default": ...}
"""What every file says; the model has a default only because fields of a subclass need one."""

FOLDER, SUFFIX = "presets", ".yaml"

_NO_SIZE = Size(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Preset:
    """What all presets have: an id, a name, and where the figures come from (`source`, looked up on `date`).

    `unverified` names those that nobody has confirmed (`bleed`, `products.mini-deck`), `sources` single ones that come
    from elsewhere.
    """

    id: str
    name: str
    source: str
    date: str
    kind: PresetKind = "shop"
    unverified: tuple[str, ...] = field(default=(), metadata=MADE)
    sources: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    note: str = ""
    place: Place | None = None

    def doubts(self, used: tuple[str, ...] | None = None) -> Problem | None:
        """A warning that names the unconfirmed figures, of those `used` alone where they are given; None without."""
        doubtful = [name for name in self.unverified if used is None or name in used]
        if not doubtful:
            return None
        what = f"the preset {self.id} has figures that nobody has confirmed: {', '.join(doubtful)}"
        return Problem(self.place, what, "hold them against what is sold or asked for before you pay")


@dataclass(frozen=True, slots=True)
class Product:
    """A size that a shop makes, mm: what is cut out (`trim`) and how large its page or picture is (`full`).

    `pixels` is the picture's exact width and height where the shop takes pictures; `safe` is how far from the cut text
    must stay, `corner` the radius of the cut.
    """

    id: PresetId = field(metadata=meta(default=...))
    name: str
    trim: Size
    full: Size = field(metadata=meta(default=None))
    safe: Length = field(metadata=meta(default=None))
    corner: Length = 0.0
    pixels: tuple[int, int] | None = field(default=None, metadata=meta(min_length=2, max_length=2))


@dataclass(frozen=True, slots=True)
class Shop(Preset):
    """How a print shop wants its files.

    Lengths are mm. Without `products` any size is made. A card may be `tolerance` mm smaller or larger than the product
    that it is printed as. `standard` is `pdfx1a`, `pdfx4` or empty; `condition` names the printing condition as the
    registry knows it and `profile` the ICC file in profiles/ that stands for it, empty where none may be shipped.
    `ink_limit` is the most ink in per cent, None where the shop gives none. `file` is the pattern of file names.
    """

    upload: Upload = field(default="pdf", metadata=_NEEDED)
    standard: Literal["", "pdfx1a", "pdfx4"] = ""
    colour: PrintColour = "cmyk"
    condition: str = ""
    registry: str = "http://www.color.org"
    profile: str = ""
    spots: bool = False
    ink_limit: float | None = field(default=None, metadata=meta(ge=100, le=400))
    bleed: Length = field(default=3.0, metadata=_NEEDED)
    safe: Length = field(default=3.0, metadata=_NEEDED)
    dpi: float = field(default=300.0, metadata=meta(ge=36, le=2400))
    marks: Marks = "none"
    order: Order = "alternating"
    copies: Copies = "once"
    files: Files = "product"
    file: str = "{game}-{product}-{lang}"
    previews: bool = False
    forms: tuple[ShopForm, ...] = ("card",)
    tolerance: Length = field(default=1.0, metadata=meta(le=10))
    products: tuple[Product, ...] = ()


def add_bleed(trim: Size, bleed: float) -> Size:
    """A size with bleed (mm) on all sides."""
    return Size(round(trim.width + 2 * bleed, 4), round(trim.height + 2 * bleed, 4))


@dataclass(frozen=True, slots=True)
class Paper(Preset):
    """Plain paper as a home printer takes it: its size, and the strip at each edge that is not reached, mm."""

    size: Size = field(default=_NO_SIZE, metadata=_NEEDED)
    margin: Length = 5.0


@dataclass(frozen=True, slots=True)
class Stock(Preset):
    """A perforated sheet: `columns` x `rows` cells from (`left`, `top`) on, `gap_x` and `gap_y` apart; mm."""

    paper: Size = field(default=_NO_SIZE, metadata=_NEEDED)
    left: Length = field(default=0.0, metadata=_NEEDED)
    top: Length = field(default=0.0, metadata=_NEEDED)
    columns: int = field(default=1, metadata=meta(default=..., ge=1, le=100))
    rows: int = field(default=1, metadata=meta(default=..., ge=1, le=100))
    cell: Size = field(default=_NO_SIZE, metadata=_NEEDED)
    gap_x: Length = 0.0
    gap_y: Length = 0.0


@dataclass(frozen=True, slots=True)
class SleeveSize:
    """A sleeve by its inner size, and the names of the card sizes that it is sold for."""

    id: PresetId = field(metadata=meta(default=...))
    name: str
    inner: Size
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sleeves(Preset):
    """The sleeves of one table of sizes. A card fits with `least` to `most` mm of play in width and in height."""

    least: Length = 0.0
    most: Length = 4.0
    sleeves: tuple[SleeveSize, ...] = field(default=(), metadata=_NEEDED)

    def fitting(self, card: Size) -> tuple[SleeveSize, ...]:
        """The sleeves that a card fits into, the tightest first."""
        slack = 1e-6
        fits = []
        for sleeve in self.sleeves:
            plays = (sleeve.inner.width - card.width, sleeve.inner.height - card.height)
            if all(self.least - slack <= play <= self.most + slack for play in plays):
                fits.append((sum(plays), sleeve.id, sleeve))
        return tuple(sleeve for _, _, sleeve in sorted(fits, key=lambda fit: fit[:2]))


@dataclass(frozen=True, slots=True)
class PictureSize:
    """A picture of a shop page: its width and height in pixels, what it shows, whether it bears the title."""

    id: PresetId = field(metadata=meta(default=...))
    name: str
    pixels: tuple[int, int] = field(metadata=meta(min_length=2, max_length=2))
    scene: Scene
    titled: bool = False


@dataclass(frozen=True, slots=True)
class ShopPictures(Preset):
    """The pictures of a game's page at one shop or site."""

    pictures: tuple[PictureSize, ...] = field(default=(), metadata=_NEEDED)


def preset_ids(resources: Resources) -> tuple[str, ...]:
    """The ids of all presets that there are, in order."""
    return tuple(name.removesuffix(SUFFIX) for name in resources.names(FOLDER, SUFFIX))
