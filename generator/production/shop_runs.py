"""Shop runs: which cards are printed as which product, and which are left out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from generator.base.display_list import Drawing
from generator.base.errors import Place, Problem
from generator.base.geometry import Size
from generator.game.model import Design, FaceName, Game, Kind
from generator.game.presets import Product, Shop, add_bleed
from generator.production.shop_pages import ShopCard

_SLACK = 1e-6
_SAME = 0.02
"""Sizes that differ by at most this count as equal (mm): inch and mm figures of one size are rounded."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The product chosen for a card; the card is `turned` by 90 degrees if that fits better.

    `wider` and `higher`: by how much the product exceeds the card at each side edge, and at top and bottom (mm).
    """

    product: Product
    turned: bool
    wider: float
    higher: float

    @property
    def cut_width(self) -> float:
        """Return the widest strip of the card that the shop cuts off at an edge (mm), or 0."""
        return max(0.0, -self.wider, -self.higher)

    @property
    def fill_width(self) -> float:
        """Return the widest strip at an edge that the card's background must fill (mm)."""
        return max(0.0, self.wider, self.higher)

    @property
    def difference(self) -> float:
        """Return the largest difference at an edge (mm)."""
        return max(self.cut_width, self.fill_width)

    @property
    def note(self) -> str:
        """Return the effect of the difference as text, or an empty string if the sizes are equal."""
        said = []
        if self.fill_width > _SAME / 2:
            said.append(f"the ground goes on for up to {self.fill_width:.2f} mm at an edge")
        if self.cut_width > _SAME / 2:
            said.append(f"up to {self.cut_width:.2f} mm are cut off at an edge")
        return "; ".join(said)


def fit_product(size: Size, shop: Shop) -> Fit | None:
    """Return the product nearest to a card of this size, or None if all exceed the shop's tolerance.

    A shop without products makes any size: the product is then the card itself.
    """
    if not shop.products:
        name = f"{size.width:g} x {size.height:g} mm"
        product = Product(name.replace(" ", ""), name, size, add_bleed(size, shop.bleed), shop.safe)
        return Fit(product, False, 0.0, 0.0)
    fits = [found for product in shop.products for found in _fit_both_ways(size, product)]
    near = [found for found in fits if 2 * found.difference <= shop.tolerance + _SLACK]
    return min(near, key=_difference_key) if near else None


def measure_reach(product: Product) -> float:
    """Return how far art must extend beyond the product's cut (mm): the larger of both directions."""
    return max(product.full.width - product.trim.width, product.full.height - product.trim.height) / 2


def find_nearest_product(size: Size, products: Sequence[Product]) -> Product:
    """Return the product that differs least from a size, whatever the tolerance. There must be one."""
    return min((found for product in products for found in _fit_both_ways(size, product)), key=_difference_key).product


def _fit_both_ways(size: Size, product: Product) -> tuple[Fit, Fit]:
    return _try_fit(size, product, turned=False), _try_fit(size.swap_sides(), product, turned=True)


def _try_fit(size: Size, product: Product, *, turned: bool) -> Fit:
    wider, higher = (product.trim.width - size.width) / 2, (product.trim.height - size.height) / 2
    return Fit(product, turned, round(wider, 4), round(higher, 4))


def _difference_key(found: Fit) -> tuple[float, bool]:
    return found.difference, found.turned


UNSAID = 1.0
"""Extending art by up to this much beyond its own bleed (mm) needs no note: the cutter never reaches that far."""

DrawFace = Callable[[Design, FaceName], Drawing | None]


@dataclass(frozen=True, slots=True)
class ProductRun:
    """All cards of a game that are printed as one product, in the order of the data."""

    product: Product
    cards: tuple[ShopCard, ...]

    @property
    def copies(self) -> int:
        """Return the number of cards including copies."""
        return sum(card.count for card in self.cards)


@dataclass(frozen=True, slots=True)
class LeftOutKind:
    """A kind that the shop does not print, with the reason."""

    kind: str
    count: int
    why: str
    place: Place | None

    def to_problem(self, game: Game) -> Problem:
        """Return it as a warning: the pieces must be made elsewhere."""
        what = f"{game.id}: {self.kind} ({self.count}) is left out: {self.why}"
        return Problem(self.place, what, "print it with pnp sheets, or use another shop")


@dataclass(frozen=True, slots=True)
class OrderPlan:
    """An order: runs, kinds left out, and notes about the effect of the shop's sizes on the cards."""

    runs: tuple[ProductRun, ...]
    left_out: tuple[LeftOutKind, ...]
    notes: tuple[str, ...]


def plan_order(
    game: Game, shop: Shop, designs: Sequence[Design], draw: DrawFace, copies: int | None = None
) -> OrderPlan:
    """Return the runs of the designs with `copies` of each, or their counts. Leave out designs that can't be drawn."""
    runs: dict[str, tuple[Product, list[ShopCard]]] = {}
    left_out: list[LeftOutKind] = []
    notes: list[str] = []
    for kind in game.kinds.values():
        wanted = [d for d in designs if d.kind == kind.id and (d.count if copies is None else copies)]
        if not wanted:
            continue
        found, why = _choose_product(kind, shop)
        if found is None:
            count = sum(d.count if copies is None else copies for d in wanted)
            left_out.append(LeftOutKind(kind.id, count, why, game.places.place("components", kind.id, "size")))
            continue
        notes += _iter_notes(kind, found)
        _, cards = runs.setdefault(found.product.id, (found.product, []))
        for design in wanted:
            front, back = draw(design, "front"), draw(design, "back") if design.back else None
            if front is not None and (back is not None or not design.back):
                count = design.count if copies is None else copies
                cards.append(ShopCard(design.id, count, front, back, found.turned))
    made = tuple(ProductRun(product, tuple(cards)) for product, cards in runs.values() if cards)
    return OrderPlan(made, tuple(left_out), tuple(notes))


def _choose_product(kind: Kind, shop: Shop) -> tuple[Fit | None, str]:
    """Return the product of a kind, or None and the reason."""
    if kind.form not in shop.forms:
        return None, f"{shop.name} prints no {kind.form}s"
    if kind.outline:
        return None, f"its outline is not a rectangle, and {shop.name} cuts only straight"
    found = fit_product(kind.size, shop)
    if found is not None:
        return found, ""
    near = find_nearest_product(kind.size, shop.products)
    size = f"{kind.size.width:g} x {kind.size.height:g} mm"
    return None, f"{shop.name} has no product of {size}; the nearest is {near.id}, {_format_size(near)}"


def _format_size(product: Product) -> str:
    return f"{product.trim.width:g} x {product.trim.height:g} mm"


def _iter_notes(kind: Kind, fitting: Fit) -> Iterable[str]:
    product = fitting.product
    if fitting.note:
        size = f"{kind.size.width:g} x {kind.size.height:g} mm"
        yield f"{kind.id}: {size} is printed as {product.id}, {_format_size(product)}: {fitting.note}"
    safe = kind.safe + min(fitting.wider, fitting.higher)
    if safe < product.safe - 0.01:
        yield (
            f"{kind.id}: text may be only {safe:.2f} mm from the cut, but the shop requires {product.safe:g} mm; "
            "raise `safe` of the kind and run pnp validate"
        )
    if kind.bleed < measure_reach(product) + fitting.fill_width - UNSAID:
        yield f"{kind.id}: its bleed is {kind.bleed:g} mm; beyond it the edge of the art is mirrored"
