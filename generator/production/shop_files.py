"""Shop files: which cards are printed as which product, the contents of each file, order.txt and manifest.json."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.base.display_list import Drawing
from generator.base.errors import Place, Problem, join_lines
from generator.base.files import fill_name_pattern, number_duplicates
from generator.base.geometry import Size
from generator.game.model import Design, FaceName, Game, Kind
from generator.game.presets import Product, Shop, add_bleed
from generator.game.print_pages import Page
from generator.production.shop_pages import (
    FaceSide,
    Imprint,
    ShopCard,
    SlugLabel,
    build_face_page,
    build_run_pages,
    number_spreads,
)

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


ORDER, MANIFEST = "order.txt", "manifest.json"


@dataclass(frozen=True, slots=True)
class FaceLocation:
    """The place of a face: its file, and in a PDF the pages of all its copies (from 1)."""

    file: str
    pages: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        """Return the file with its pages, as text for people."""
        if not self.pages:
            return self.file
        first, last = self.pages[0], self.pages[-1]
        return f"{self.file} page {first}" if first == last else f"{self.file} pages {first} to {last}"


@dataclass(frozen=True, slots=True)
class OrderLine:
    """A card of the order, with the places of its faces. Without a back its other side stays blank."""

    card: ShopCard
    front: FaceLocation
    back: FaceLocation | None


@dataclass(frozen=True, slots=True)
class OrderPart:
    """Everything ordered of one product, and its files."""

    product: Product
    lines: tuple[OrderLine, ...]
    files: tuple[str, ...]

    @property
    def copies(self) -> int:
        """Return the number of cards."""
        return sum(line.card.count for line in self.lines)


@dataclass(frozen=True, slots=True)
class OrderSheet:
    """An order of one game in one language (or two on a card) at one shop."""

    game: Game
    shop: Shop
    edition: str
    parts: tuple[OrderPart, ...]
    plan: OrderPlan
    notes: tuple[str, ...] = ()

    def to_text(self) -> str:
        """Return the order as text for people."""
        return join_lines(self._iter_lines())

    def _iter_lines(self) -> Iterator[str]:
        game, shop = self.game, self.shop
        title = game.title[self.edition.split("+", maxsplit=1)[0]]
        yield ", ".join(filter(None, [f"{title} ({game.id})", f"draft {game.draft}", game.date, self.edition]))
        yield f"for {shop.name} (preset {shop.id}: {shop.source}, {shop.date})"
        yield from _iter_paragraph(
            "Unconfirmed figures: compare them with the shop's own before you pay", shop.unverified
        )
        for part in self.parts:
            yield ""
            product = part.product
            trim, full, pixels = product.trim, product.full, product.pixels
            cut = f"cut to {trim.width:g} x {trim.height:g} mm, with bleed {full.width:g} x {full.height:g} mm"
            dots = f", {pixels[0]} x {pixels[1]} pixels" if pixels else ""
            yield f"{part.copies} x {product.name}: {cut}{dots}"
            for line in part.lines:
                back = line.back.words if line.back else "blank"
                yield f"  {line.card.count:>3} x {line.card.id:<28} front {line.front.words}, back {back}"
        left = [f"{out.kind} ({out.count}): {out.why}" for out in self.plan.left_out]
        yield from _iter_paragraph("Left out, to be made elsewhere", left)
        notes = [*self.plan.notes, *self.notes, *([shop.note] if shop.note else [])]
        yield from _iter_paragraph("Notes", notes)
        yield ""
        yield "Files that are not named here are no part of the order."

    def to_json(self) -> str:
        """Return the order as JSON for programs."""
        game, shop = self.game, self.shop
        preset = {"id": shop.id, "name": shop.name, "source": shop.source, "date": shop.date}
        data = {
            "format": 1, "game": game.id, "draft": game.draft, "date": game.date, "language": self.edition,
            "preset": preset | {"unverified": list(shop.unverified)},
            "parts": [_part_to_data(part) for part in self.parts],
            "left_out": [{"kind": out.kind, "count": out.count, "why": out.why} for out in self.plan.left_out],
            "notes": [*self.plan.notes, *self.notes],
        }  # fmt: skip
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _iter_paragraph(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"{title}:"
        yield from (f"  {line}" for line in lines)


def _part_to_data(part: OrderPart) -> Mapping[str, Any]:
    product = part.product
    return {
        "product": product.id, "trim_mm": [product.trim.width, product.trim.height],
        "full_mm": [product.full.width, product.full.height],
        "pixels": list(product.pixels) if product.pixels else None, "copies": part.copies, "files": list(part.files),
        "cards": [
            {
                "id": line.card.id,
                "count": line.card.count,
                "turned": line.card.turned,
                "front": _location_to_data(line.front),
                "back": _location_to_data(line.back) if line.back else None,
            }
            for line in part.lines
        ],
    }  # fmt: skip


def _location_to_data(where: FaceLocation) -> Mapping[str, Any]:
    return {"file": where.file, "pages": list(where.pages)} if where.pages else {"file": where.file}


Digest = Callable[[Drawing], str]

_BLANK_FIELDS = dict.fromkeys(("kind", "design", "side", "number", "count"), "all")
"""The placeholders of the file name pattern for a file that holds many faces."""


@dataclass(frozen=True, slots=True)
class ShopFile:
    """A file to write: its name without a suffix, and its pages. A picture is one page."""

    name: str
    pages: tuple[Page, ...]


@dataclass(frozen=True, slots=True)
class _NamedFace:
    """A face with a file of its own: its card, its side and its name."""

    card: ShopCard
    side: FaceSide
    name: str


def plan_shop_files(
    run: ProductRun, shop: Shop, game: str, lang: str, digest: Digest, label: SlugLabel | None = None
) -> tuple[OrderPart, tuple[ShopFile, ...]]:
    """Return the order's part and the files of a run, as the shop wants them."""
    if shop.upload == "pdf" and shop.files == "product":
        return _plan_one_file(run, shop, game, lang, label)
    return _plan_face_files(run, shop, game, lang, digest, label)


def _plan_one_file(
    run: ProductRun, shop: Shop, game: str, lang: str, label: SlugLabel | None
) -> tuple[OrderPart, tuple[ShopFile, ...]]:
    imprint = Imprint(shop.marks, shop.order, shop.copies == "each")
    name = fill_name_pattern(shop.file, {**_BLANK_FIELDS, "game": game, "lang": lang, "product": run.product.id})
    file = f"{name}.pdf"
    lines = tuple(
        OrderLine(one.card, FaceLocation(file, one.fronts), FaceLocation(file, one.backs) if one.card.back else None)
        for one in number_spreads(run.cards, imprint)
    )
    made = ShopFile(name, build_run_pages(run.cards, run.product, imprint, label))
    return OrderPart(run.product, lines, (file,)), (made,)


def _plan_face_files(
    run: ProductRun, shop: Shop, game: str, lang: str, digest: Digest, label: SlugLabel | None
) -> tuple[OrderPart, tuple[ShopFile, ...]]:
    """Return a file for each front, and one for each different back of a kind."""
    suffix = ".png" if shop.upload == "png" else ".pdf"
    faces: dict[str, _NamedFace] = {}
    places: list[tuple[ShopCard, str, str]] = []
    backs = list(dict.fromkeys((card.kind, digest(card.back)) for card in run.cards if card.back is not None))
    kinds = Counter(kind for kind, _ in backs)
    first = {(card.kind, digest(card.back)): card.id for card in reversed(run.cards) if card.back is not None}
    names = {back: back[0] if kinds[back[0]] == 1 else first[back] for back in backs}
    for card in run.cards:
        front = f"front {card.id}"
        faces[front] = _NamedFace(card, "front", card.id)
        back = ""
        if card.back is not None:
            back = f"back {card.kind} {digest(card.back)} {card.turned}"
            faces.setdefault(back, _NamedFace(card, "back", names[card.kind, digest(card.back)]))
        places.append((card, front, back))
    width = max(3, len(str(len(run.cards))))
    numbers = {card.id: f"{n:0{width}}" for n, card in enumerate(run.cards, 1)}
    fields = {**_BLANK_FIELDS, "game": game, "lang": lang, "product": run.product.id}
    named = number_duplicates(
        fill_name_pattern(
            shop.file,
            {
                **fields,
                "kind": face.card.kind,
                "design": face.name,
                "side": face.side,
                "number": numbers[face.card.id],
                "count": str(face.card.count),
            },
        )
        for face in faces.values()
    )
    where = {key: FaceLocation(f"{name}{suffix}") for key, name in zip(faces, named, strict=True)}
    lines = tuple(OrderLine(card, where[front], where[back] if back else None) for card, front, back in places)
    pages = [build_face_page(face.card, face.side, run.product, shop.marks, label) for face in faces.values()]
    files = tuple(ShopFile(name, (page,)) for name, page in zip(named, pages, strict=True))
    return OrderPart(run.product, lines, tuple(each.file for each in where.values())), files
