"""Presets: the classes of print shops, papers, sleeves and printers, and the shapes of their files."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, get_args

from generator.base.errors import InvalidInput, Place, Problem, did_you_mean
from generator.base.geometry import (
    CARD_SIZES,
    MARGIN,
    PAPER_SIZES,
    Margins,
    Matrix,
    Rect,
    Size,
    parse_margins,
    parse_mm,
)
from generator.game.data_fields import COMPUTED, About
from generator.game.data_shapes import (
    ANY,
    NUMBER,
    TEXT,
    ChoiceShape,
    ConvertedShape,
    DataShape,
    KeyEntry,
    ListShape,
    MapShape,
    OptionalShape,
    PlainShape,
)
from generator.game.print_pages import Turn
from generator.game.schema import DAY, check_day, shape_from_class

PresetKind = Literal["shop", "stock", "sleeve", "paper", "pictures", "costs", "cutter"]
Corner = Literal["top-left", "top-right", "bottom-left", "bottom-right"]
Upload = Literal["pdf", "png"]
Marks = Literal["none", "western", "japanese"]
PrintColour = Literal["cmyk", "rgb"]
Order = Literal["alternating", "fronts-then-backs"]
Copies = Literal["each", "once"]
Files = Literal["product", "face"]
Scene = Literal["fan", "hand", "table", "box", "title"]
"""The subject of a picture for a shop page: fanned cards, held cards, the whole table, the box, the title alone."""

ShopForm = Literal["card", "board", "pad"]
PresetId = Annotated[str, "preset id"]
Length = Annotated[float, "length"]
"""Millimetres; the data may use other units: `0.125in`."""

_REQUIRED = About(default=...)
"""The mark of a required field. The model has a default only because fields of a subclass need one."""

_NO_SIZE = Size(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Preset:
    """What all presets have: an id, a name, and where the figures come from (`source`, looked up on `date`).

    `unverified` names the unconfirmed figures (`bleed`, `products.mini-deck`), `sources` has other sources of single
    ones.
    """

    id: str
    name: str
    source: str
    date: str
    kind: PresetKind = "shop"
    unverified: Annotated[tuple[str, ...], COMPUTED] = ()
    sources: Mapping[str, str] = field(default_factory=dict, hash=False)
    note: str = ""
    place: Place | None = None

    def check_figures(self, used: tuple[str, ...] | None = None) -> Problem | None:
        """Return a warning that names the unconfirmed figures, or None. With `used`, only these figures count."""
        doubtful = [name for name in self.unverified if used is None or name in used]
        if not doubtful:
            return None
        what = f"the preset {self.id} has unconfirmed figures: {', '.join(doubtful)}"
        return Problem(self.place, what, "compare them with the product or the shop's requirements before you pay")


@dataclass(frozen=True, slots=True)
class Product:
    """A size that a shop makes, mm: what is cut out (`trim`) and how large its page or picture is (`full`).

    `pixels` is the exact width and height of the picture for shops that take pictures; `safe` is the minimum distance
    of text from the cut, `corner` the radius of the cut.
    """

    id: Annotated[PresetId, About(default=...)]
    name: str
    trim: Size
    full: Annotated[Size, About(default=None)]
    safe: Annotated[Length, About(default=None)]
    corner: Length = 0.0
    pixels: Annotated[tuple[int, int] | None, About(min_length=2, max_length=2)] = None


@dataclass(frozen=True, slots=True)
class Shop(Preset):
    """How a print shop wants its files.

    Lengths are mm. Without `products`, the shop makes any size. A card may be `tolerance` mm smaller or larger than the
    product that it is printed as. `standard` is `pdfx1a`, `pdfx4` or empty; `condition` is the registry's name of the
    printing condition and `profile` its ICC file in profiles/, empty if it may not be distributed. `ink_limit` is the
    maximum ink in per cent, or None if the shop states none. `file` is the pattern of file names.
    """

    upload: Annotated[Upload, _REQUIRED] = "pdf"
    standard: Literal["", "pdfx1a", "pdfx4"] = ""
    colour: PrintColour = "cmyk"
    condition: str = ""
    registry: str = "http://www.color.org"
    profile: str = ""
    spots: bool = False
    ink_limit: Annotated[float | None, About(ge=100, le=400)] = None
    bleed: Annotated[Length, _REQUIRED] = 3.0
    safe: Annotated[Length, _REQUIRED] = 3.0
    dpi: Annotated[float, About(ge=36, le=2400)] = 300.0
    marks: Marks = "none"
    order: Order = "alternating"
    copies: Copies = "once"
    files: Files = "product"
    file: str = "{game}-{product}-{lang}"
    previews: bool = False
    forms: tuple[ShopForm, ...] = ("card",)
    tolerance: Annotated[Length, About(le=10)] = 1.0
    products: tuple[Product, ...] = ()


def add_bleed(trim: Size, bleed: float) -> Size:
    """Return a size with bleed (mm) on all sides."""
    return Size(round(trim.width + 2 * bleed, 4), round(trim.height + 2 * bleed, 4))


@dataclass(frozen=True, slots=True)
class Paper(Preset):
    """Plain paper as a home printer takes it: its size, and the strips at its edges that are not reached, mm."""

    size: Annotated[Size, _REQUIRED] = _NO_SIZE
    margin: Margins = MARGIN


@dataclass(frozen=True, slots=True)
class Stock(Preset):
    """A perforated sheet: `columns` x `rows` cells from (`left`, `top`) on, `gap_x` and `gap_y` apart; mm."""

    paper: Annotated[Size, _REQUIRED] = _NO_SIZE
    left: Annotated[Length, _REQUIRED] = 0.0
    top: Annotated[Length, _REQUIRED] = 0.0
    columns: Annotated[int, About(default=..., ge=1, le=100)] = 1
    rows: Annotated[int, About(default=..., ge=1, le=100)] = 1
    cell: Annotated[Size, _REQUIRED] = _NO_SIZE
    gap_x: Length = 0.0
    gap_y: Length = 0.0
    SLACK: ClassVar[float] = 0.01
    """Tolerance (mm): a card that is smaller than its cell by less than this fills it."""

    def get_cell(self, index: int) -> Rect:
        """Return a cell's place (mm), counted from 0 at the upper left, row by row."""
        row, column = divmod(index, self.columns)
        x = self.left + column * (self.cell.width + self.gap_x)
        return Rect(x, self.top + row * (self.cell.height + self.gap_y), self.cell.width, self.cell.height)

    def find_turn(self, card: Size) -> Turn | None:
        """Return the turn (0 if possible, else 90 degrees) with which a cut card fits a cell; None if it does not."""
        if card.width <= self.cell.width + self.SLACK and card.height <= self.cell.height + self.SLACK:
            return 0
        turned = card.swap_sides()
        if turned.width <= self.cell.width + self.SLACK and turned.height <= self.cell.height + self.SLACK:
            return 90
        return None


@dataclass(frozen=True, slots=True)
class SleeveSize:
    """A sleeve by its inner size, and the names of the card sizes that it is sold for."""

    id: Annotated[PresetId, About(default=...)]
    name: str
    inner: Size
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sleeves(Preset):
    """The sleeves of one table of sizes. A card fits with `least` to `most` mm of play in width and in height."""

    least: Length = 0.0
    most: Length = 4.0
    sleeves: Annotated[tuple[SleeveSize, ...], _REQUIRED] = ()

    def find_fitting(self, card: Size) -> tuple[SleeveSize, ...]:
        """Return the sleeves that fit a card, the tightest first."""
        slack = 1e-6
        fits = []
        for sleeve in self.sleeves:
            plays = (sleeve.inner.width - card.width, sleeve.inner.height - card.height)
            if all(self.least - slack <= play <= self.most + slack for play in plays):
                fits.append((sum(plays), sleeve.id, sleeve))
        return tuple(sleeve for _, _, sleeve in sorted(fits, key=lambda fit: fit[:2]))


@dataclass(frozen=True, slots=True)
class PictureSize:
    """A picture of a shop page: its width and height in pixels, what it shows, and whether the title is on it."""

    id: Annotated[PresetId, About(default=...)]
    name: str
    pixels: Annotated[tuple[int, int], About(min_length=2, max_length=2)]
    scene: Scene
    titled: bool = False


@dataclass(frozen=True, slots=True)
class ShopPictures(Preset):
    """The pictures of a game's page at one shop or site."""

    pictures: Annotated[tuple[PictureSize, ...], _REQUIRED] = ()


_AMOUNT = About(ge=0, le=1_000_000)


@dataclass(frozen=True, slots=True)
class Costs(Preset):
    """Prices and times of one way to print on paper of one size, in a currency.

    `sheet` is the price of a sheet, `side` of printing one side, `ink` of the ink that would cover a side with black
    made of all colours. `cut` is the time for a straight cut, `outline` for cutting out a single piece (seconds).
    """

    size: Annotated[Size, _REQUIRED] = _NO_SIZE
    currency: Annotated[str, About(default=..., pattern=r"^[A-Z]{3}$")] = ""
    sheet: Annotated[float, _AMOUNT] = 0.0
    side: Annotated[float, _AMOUNT] = 0.0
    ink: Annotated[float, _AMOUNT] = 0.0
    cut: Annotated[float, _AMOUNT] = 0.0
    outline: Annotated[float, _AMOUNT] = 0.0


@dataclass(frozen=True, slots=True)
class CutterMark:
    """A black mark near a corner of the paper. Its points are given by their distances from the corner's two edges."""

    corner: Corner
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Cutter(Preset):
    """The marks that the camera of a cutting machine looks for, and the width of bare paper around them (mm)."""

    clear: Length = 1.5
    marks: Annotated[tuple[CutterMark, ...], About(default=..., min_length=1)] = ()


MOST_SHIFT = 5.0
"""Maximum shift of a printer, mm. A larger one is a slip, or the paper was inserted wrongly."""

MOST_SCALE = 0.02
"""Maximum scale error as a share of a length. With a larger one, the print dialogue scales."""


@dataclass(frozen=True, slots=True)
class Printer:
    """The adjustment of back pages that aligns them with their fronts.

    `back_x` and `back_y` move them right and down (mm, seen from the back), `scale_x` and `scale_y` stretch them about
    the paper's middle (1.002 is 100.2 %). Raise ValueError that names every figure out of range.
    """

    name: str
    back_x: float = 0.0
    back_y: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0

    def __post_init__(self) -> None:
        faults = []
        for axis, shift in (("x", self.back_x), ("y", self.back_y)):
            if not -MOST_SHIFT <= shift <= MOST_SHIFT:
                faults.append(f"back-{axis} is {shift:g} mm; it can be {MOST_SHIFT:g} mm at most either way")
        for axis, scale in (("x", self.scale_x), ("y", self.scale_y)):
            if not 1 - MOST_SCALE <= scale <= 1 + MOST_SCALE:
                least, most = 100 * (1 - MOST_SCALE), 100 * (1 + MOST_SCALE)
                faults.append(f"scale-{axis} is {100 * scale:g} %; it can be {least:g} % to {most:g} %")
        if faults:
            raise ValueError("; ".join(faults))

    def make_adjustment(self, paper: Size) -> Matrix:
        """Return the matrix from the wanted to the printed position on the back page (mm, y down)."""
        x, y = paper.width / 2, paper.height / 2
        across, down = self.scale_x, self.scale_y
        return (across, 0.0, 0.0, down, x * (1 - across) + self.back_x, y * (1 - down) + self.back_y)


_ID = PlainShape("text", {"pattern": r"^[a-z0-9][a-z0-9_-]*$"})
_LONGEST = 2000.0
"""Maximum mm of a figure: a larger one is surely a slip."""


def _to_length(value: Any) -> Any:
    """Return the mm of a text such as `0.125in`. Other values are left to the checks of a number."""
    return parse_mm(value) if isinstance(value, str) else value


_MILLIMETRES = ConvertedShape(NUMBER.with_limits({"ge": 0, "le": _LONGEST}), before=_to_length)


def _to_size(value: Any) -> Any:
    """Return the size of a name, or of width and height as lengths. Raise InvalidInput for anything else."""
    if isinstance(value, str):
        named = CARD_SIZES.get(value) or PAPER_SIZES.get(value)
        if named is None:
            raise InvalidInput(f"unknown size '{value}'", did_you_mean(value, [*CARD_SIZES, *PAPER_SIZES]))
        return named.size
    if not isinstance(value, list) or len(value) != 2:
        raise InvalidInput("a size is a name, or [width, height]", "write jp-poker, or [63, 88]")
    sides = [_to_length(side) for side in value]
    lengths = [side for side in sides if isinstance(side, (int, float)) and not isinstance(side, bool)]
    if len(lengths) < 2 or not all(0 < side <= _LONGEST for side in lengths):
        what = f"the sides of a size are lengths up to {_LONGEST:g} mm"
        raise InvalidInput(what, "write [63, 88], or [2.5in, 3.5in]")
    return Size(round(float(lengths[0]), 4), round(float(lengths[1]), 4))


def _check_verified(value: Any) -> Any:
    if isinstance(value, bool) or (isinstance(value, list) and all(isinstance(name, str) for name in value)):
        return value
    what = "verified must be true, false or a list of figures"
    raise InvalidInput(what, "write [bleed, products.poker], or false")


_COMMON = (
    KeyEntry("id", _ID),
    KeyEntry("kind", ChoiceShape(get_args(PresetKind))),
    KeyEntry("name", TEXT),
    KeyEntry("source", TEXT.with_limits({"min_length": 1}), about="where the figures come from"),
    KeyEntry(
        "date", ConvertedShape(TEXT.with_limits({"pattern": DAY}), after=check_day), about="when they were looked up"
    ),
    KeyEntry("verified", ConvertedShape(ANY, before=_check_verified)),
    KeyEntry("sources", MapShape(TEXT, TEXT), {}, "figures whose source is another"),
    KeyEntry("note", TEXT, ""),
)
"""Keys of every preset. `verified` is true, false, or a list of the verified figures."""

_CORNERS = {"min_length": 3, "max_length": 100}

_WRITTEN: dict[Any, DataShape] = {
    PresetId: _ID,
    Length: _MILLIMETRES,
    Size: ConvertedShape(ANY, before=_to_size),
    Margins: ConvertedShape(ANY, before=lambda value: parse_margins(str(value))),
    tuple[tuple[float, float], ...]: ListShape(ListShape(_MILLIMETRES, {"min_length": 2, "max_length": 2}), _CORNERS),
    tuple[int, int]: ListShape(PlainShape("whole number", {"ge": 16, "le": 8000})),
    tuple[int, int] | None: OptionalShape(ListShape(PlainShape("whole number", {"ge": 1, "le": 20000}))),
}
"""Shapes of types that preset files write differently from the model."""

_WRITTEN |= {
    part: shape_from_class(part, part.__name__, _WRITTEN) for part in (Product, SleeveSize, PictureSize, CutterMark)
}

PRESETS: dict[PresetKind, type[Preset]] = {
    "shop": Shop, "stock": Stock, "sleeve": Sleeves, "paper": Paper, "pictures": ShopPictures, "costs": Costs,
    "cutter": Cutter,
}  # fmt: skip
"""The class of each kind of preset."""

SCHEMAS = {kind: shape_from_class(made, made.__name__, _WRITTEN, first=_COMMON) for kind, made in PRESETS.items()}
"""The shape of each kind's files."""

UNCLAIMED = frozenset(
    {*(entry.name for entry in _COMMON), "file", "forms", "profile", "registry", "spots", "tolerance"}
)
"""Fields that are no facts from the source: names, and our own choices."""
