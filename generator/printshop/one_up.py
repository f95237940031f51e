"""One face a page for print shops: true trim and bleed boxes, art out to the bleed's end, marks outside it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from generator.model.drawing import Drawing, Item
from generator.model.preset import Marks, Order, Product
from generator.model.sheet import Page, Placement, Turn
from generator.printshop.corner_marks import mark_items, slug
from generator.printshop.edges import on_cut
from generator.units import Rect, Size

Side = Literal["front", "back"]

Label = Callable[[str, float, float], tuple[Item, ...]]
"""A line of small type in the slug: the text, and where its baseline starts (page mm)."""

_LABEL_INSET = 1.5


@dataclass(frozen=True, slots=True)
class Card:
    """One design of a run: how often it is wanted, and both faces as they are drawn; `turned` lies on its side."""

    id: str
    count: int
    front: Drawing
    back: Drawing | None = None
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Imprint:
    """How pages are made for a shop: marks, which face comes when, and whether every copy has pages of its own."""

    marks: Marks = "none"
    order: Order = "alternating"
    each_copy: bool = False


@dataclass(frozen=True, slots=True)
class Spread:
    """Where a card's faces lie in the file: page numbers from 1 of every copy's front and back; 0 for no page."""

    card: Card
    fronts: tuple[int, ...]
    backs: tuple[int, ...]


def frame(product: Product, marks: Marks) -> tuple[Size, Rect, Rect]:
    """The page of a product, its trim and its bleed on it."""
    edge = slug(marks)
    full, trim = product.full, product.trim
    bleed = Rect(edge, edge, full.width, full.height)
    cut = Rect(edge + (full.width - trim.width) / 2, edge + (full.height - trim.height) / 2, trim.width, trim.height)
    return Size(full.width + 2 * edge, full.height + 2 * edge), cut, bleed


def face_page(
    card: Card, side: Side, product: Product, marks: Marks = "none", label: Label | None = None, number: int = 1
) -> Page:
    """The page of a card's `front` or `back`; blank where it has no back."""
    size, trim, bleed = frame(product, marks)
    face = card.front if side == "front" else card.back
    placements: tuple[Placement, ...] = ()
    if face is not None:
        reach = max(trim.x - bleed.x, trim.y - bleed.y)
        cut = product.trim.turned() if card.turned else product.trim
        placements = (Placement(card.id, on_cut(face, cut, reach), trim, bleed, _turn(card, side)),)
    items = mark_items(marks, trim, bleed, Rect(0, 0, size.width, size.height))
    if label is not None and marks != "none":
        items += label(f"{card.id} · {side}", _LABEL_INSET, size.height - _LABEL_INSET)
    return Page(size, side, number, placements, items, trim=trim, bleed=bleed)


def _turn(card: Card, side: Side) -> Turn:
    """A back on its side is turned the other way: it is seen from behind."""
    if not card.turned:
        return 0
    return 90 if side == "front" else 270


def spreads(cards: Sequence[Card], imprint: Imprint) -> tuple[Spread, ...]:
    """On which pages every card lies. Where none of them has a back, there are fronts only."""
    backed = any(card.back is not None for card in cards)
    copies = [card.count if imprint.each_copy else 1 for card in cards]
    total, done = sum(copies), 0
    found = []
    for card, count in zip(cards, copies, strict=True):
        places = range(done, done + count)
        if not backed:
            fronts, backs = tuple(n + 1 for n in places), (0,) * count
        elif imprint.order == "alternating":
            fronts, backs = tuple(2 * n + 1 for n in places), tuple(2 * n + 2 for n in places)
        else:
            fronts, backs = tuple(n + 1 for n in places), tuple(total + n + 1 for n in places)
        found.append(Spread(card, fronts, backs))
        done += count
    return tuple(found)


def one_up(cards: Sequence[Card], product: Product, imprint: Imprint, label: Label | None = None) -> tuple[Page, ...]:
    """The pages of a run in the order of `spreads`."""
    numbered: dict[int, Page] = {}
    for spread in spreads(cards, imprint):
        numbered.update(_copies(spread.card, "front", spread.fronts, product, imprint.marks, label))
        numbered.update(_copies(spread.card, "back", spread.backs, product, imprint.marks, label))
    return tuple(numbered[n] for n in sorted(numbered))


def _copies(
    card: Card, side: Side, numbers: tuple[int, ...], product: Product, marks: Marks, label: Label | None
) -> Iterator[tuple[int, Page]]:
    wanted = [n for n in numbers if n]
    if wanted:
        made = face_page(card, side, product, marks, label, wanted[0])
        for n in wanted:
            yield n, replace(made, sheet=n)
