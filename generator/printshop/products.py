"""Which of a shop's products a card is printed as: the nearest size, within what the shop's preset tolerates."""

from collections.abc import Sequence

from generator.dataclass import dataclass
from generator.model.preset import Product, Shop, add_bleed
from generator.units import Size

_SLACK = 1e-6
_SAME = 0.02
"""Mm of difference that nobody sees: between inches and millimetres of one size."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A product and how a card lies on it: on its side or not.

    `wider` and `higher` are how much further out the product is cut at each edge than the card, mm.
    """

    product: Product
    turned: bool
    wider: float
    higher: float

    @property
    def over(self) -> float:
        """The most that is cut off the card at an edge, mm."""
        return max(0.0, -self.wider, -self.higher)

    @property
    def under(self) -> float:
        """The most that the card's ground has to fill at an edge, mm."""
        return max(0.0, self.wider, self.higher)

    @property
    def difference(self) -> float:
        """The most that it differs at an edge, mm."""
        return max(self.over, self.under)

    @property
    def note(self) -> str:
        """What the difference does, in words; empty where it is the card's own size."""
        said = []
        if self.under > _SAME / 2:
            said.append(f"the ground goes on for up to {self.under:.2f} mm at an edge")
        if self.over > _SAME / 2:
            said.append(f"up to {self.over:.2f} mm are cut off at an edge")
        return "; ".join(said)


def fit(size: Size, shop: Shop) -> Fit | None:
    """The product nearest to a card of this size; None where all differ by more than the shop's tolerance.

    A shop without products makes any size: the product is then the card itself.
    """
    if not shop.products:
        return Fit(_own(size, shop), False, 0.0, 0.0)
    fits = [found for product in shop.products for found in _both_ways(size, product)]
    near = [found for found in fits if 2 * found.difference <= shop.tolerance + _SLACK]
    return min(near, key=_difference) if near else None


def reach(product: Product) -> float:
    """How far its art goes beyond the cut, mm; the larger of both ways where they differ."""
    return max(product.full.width - product.trim.width, product.full.height - product.trim.height) / 2


def nearest(size: Size, products: Sequence[Product]) -> Product:
    """The product that differs least from a size, whatever the tolerance; there is at least one."""
    return min((found for product in products for found in _both_ways(size, product)), key=_difference).product


def _both_ways(size: Size, product: Product) -> tuple[Fit, Fit]:
    return _fit(size, product, turned=False), _fit(size.turned(), product, turned=True)


def _fit(size: Size, product: Product, *, turned: bool) -> Fit:
    wider, higher = (product.trim.width - size.width) / 2, (product.trim.height - size.height) / 2
    return Fit(product, turned, round(wider, 4), round(higher, 4))


def _difference(found: Fit) -> tuple[float, bool]:
    return found.difference, found.turned


def _own(size: Size, shop: Shop) -> Product:
    name = f"{size.width:g}x{size.height:g}mm"
    return Product(name, f"{size.width:g} x {size.height:g} mm", size, add_bleed(size, shop.bleed), shop.safe)
