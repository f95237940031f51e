"""What a file is held against: the general rules of the trade, or what one print shop asks for."""

from generator.dataclass import dataclass
from generator.model.preset import Product, Shop


@dataclass(frozen=True, slots=True)
class Rules:
    """Lengths are mm, sizes of type and lines points, ink is percent.

    `shop` is true when somebody else cuts the pages. A picture is held against `dpi`: under three quarters it is poor,
    under half of it unusable. `flat` forbids transparency. `ink_stated` says that the limit is the shop's own.
    """

    name: str = "general rules"
    shop: bool = False
    products: tuple[Product, ...] = ()
    bleed: float = 3.0
    safe: float = 3.0
    dpi: float = 300.0
    bitmap_dpi: float = 550.0
    ink_limit: float = 330.0
    ink_stated: bool = False
    cmyk: bool = False
    spots: bool = True
    standard: str = ""
    flat: bool = False
    marks: bool = True
    alternating: bool = False
    pictures_only: bool = False
    line: float = 0.25
    type: float = 5.0
    reversed_type: float = 6.0
    rich_black_type: float = 14.0
    inks_type: float = 7.0


GENERAL = Rules()


def shop_rules(shop: Shop) -> Rules:
    """What a print shop's preset asks for."""
    return Rules(
        name=shop.id,
        shop=True,
        products=shop.products,
        bleed=shop.bleed,
        safe=shop.safe,
        dpi=shop.dpi,
        ink_limit=shop.ink_limit or GENERAL.ink_limit,
        ink_stated=shop.ink_limit is not None,
        cmyk=shop.colour == "cmyk",
        spots=shop.spots,
        standard=shop.standard,
        flat=shop.standard == "pdfx1a",
        marks=shop.marks != "none",
        alternating=shop.order == "alternating" and shop.copies == "each",
        pictures_only=shop.upload == "png",
    )
