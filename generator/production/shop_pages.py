"""Shop pages: one face a page, with boxes, bleed and marks; and the files of a run of cards."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from generator.base.colour import REGISTRATION
from generator.base.display_list import Drawing, Group, Item, PlacedSymbol, Shape, Symbol, TextRun, format_mm
from generator.base.files import fill_name_pattern, number_duplicates
from generator.base.geometry import MM_PER_PT, Matrix, Rect, Size
from generator.base.outlines import rectangle_path
from generator.game.presets import Marks, Order, Product, Shop
from generator.game.print_pages import Page, Placement, Turn

INSET = 0.2
"""How far inside the end of the bleed art is mirrored (mm), so that no seam shows."""

_BEYOND = 1.0  # mm; the face's own edge clips there
_SLACK = 1e-3


def extend_art(face: Drawing, trim: Size, reach: float) -> Drawing:
    """Return the face at the size `trim`, with art that reaches `reach` mm beyond it, or unchanged if it does.

    The contents keep their size. At the end of the face's own bleed its background and art are mirrored, so that no
    paper shows.
    """
    dx, dy = (trim.width - face.width) / 2, (trim.height - face.height) / 2
    drawn = Rect(dx, dy, face.width, face.height).grow(face.bleed)
    wanted = Rect(0, 0, trim.width, trim.height).grow(reach)
    at_home = abs(dx) < _SLACK / 2 and abs(dy) < _SLACK / 2
    short = not drawn.contains(wanted, _SLACK)
    if at_home and not short:
        return face
    items: tuple[Item, ...] = (PlacedSymbol(_make_symbol(face.items, face), (1, 0, 0, 1, dx, dy), True, "art"),)
    ground = _drop_text(face.items) if short else ()
    if ground:
        axes = drawn.grow(-min(INSET, face.bleed / 2))
        items = (*items, *_mirror_symbol(_make_symbol(ground, face), axes, wanted, (dx, dy)))
    return face._replace(
        width=trim.width,
        height=trim.height,
        bleed=reach,
        items=items,
        stamps=tuple([stamp._replace(x=stamp.x + dx, y=stamp.y + dy) for stamp in face.stamps]),
        frames=tuple([frame._replace(x=frame.x + dx, y=frame.y + dy) for frame in face.frames]),
    )


def _make_symbol(items: tuple[Item, ...], face: Drawing) -> Symbol:
    bleed = face.bleed
    return Symbol("face", items, (-bleed, -bleed, face.width + 2 * bleed, face.height + 2 * bleed))


def _drop_text(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Return the background, art and frame items without text, so that mirrored text is not read or searched twice."""
    kept: list[Item] = []
    for item in items:
        if isinstance(item, Group):
            inner = _drop_text(item.items)
            if inner:
                kept.append(item._replace(items=inner, data=()))
        elif not isinstance(item, TextRun) and item.role in ("ground", "art", "frame"):
            kept.append(item)
    return tuple(kept)


def _mirror_symbol(symbol: Symbol, axes: Rect, wanted: Rect, shift: tuple[float, float]) -> Iterator[Group]:
    """Yield mirror images of the symbol about the sides and corners of `axes`, as far as `wanted` extends beyond them.

    `shift` is the place of the symbol itself (mm). A line that crosses a side of `axes` has no step there.
    """
    whole = axes.unite(wanted)
    across = list(_iter_spans(whole.x, axes.x, axes.right, whole.right, shift[0]))
    down = list(_iter_spans(whole.y, axes.y, axes.bottom, whole.bottom, shift[1]))
    for column, row in product(across, down):
        if column.is_mirrored or row.is_mirrored:
            matrix: Matrix = (column.scale, 0.0, 0.0, row.scale, column.shift, row.shift)
            strip = Rect(column.start, row.start, column.end - column.start, row.end - row.start)
            yield Group((PlacedSymbol(symbol, matrix, clip=True, role="art"),), clip=rectangle_path(strip))


@dataclass(frozen=True, slots=True)
class _Span:
    """A part of one axis, and the scale and shift that map the symbol there: unchanged, or mirrored (scale < 0)."""

    start: float
    end: float
    scale: float
    shift: float

    @property
    def is_mirrored(self) -> bool:
        return self.scale < 0


def _iter_spans(start: float, low: float, high: float, end: float, shift: float) -> Iterator[_Span]:
    """Yield the span from `low` to `high`, and mirrored spans before and after it if `start` and `end` are beyond."""
    if low - start > _SLACK:
        yield _Span(start - _BEYOND, low, -1.0, 2 * low - shift)
    yield _Span(low, high, 1.0, shift)
    if end - high > _SLACK:
        yield _Span(high, end + _BEYOND, -1.0, 2 * high - shift)


LINE = 0.25 * MM_PER_PT
ARM = 9.0
"""Length of Japanese corner marks and centre marks from the bleed (mm)."""
STANDOFF, WESTERN = 1.0, 6.0
"""Distance of Western marks from the bleed, and their length (mm)."""
CENTRE_BAR, CENTRE_AT = 20.0, 4.5
"""Largest length of the bar across a centre mark, and its distance from the bleed (mm)."""
SLUG = 12.0
"""Free space around the bleed on a page with marks (mm)."""

MarkLine = tuple[tuple[float, float], ...]


def measure_slug(marks: Marks) -> float:
    """Return the free space that a page needs around the bleed (mm)."""
    return 0.0 if marks == "none" else SLUG


def draw_shop_marks(marks: Marks, trim: Rect, bleed: Rect, page: Rect) -> tuple[Item, ...]:
    """Draw cut marks (none, Japanese or Western) around `trim`, outside of `bleed`; `page` is the printed area."""
    if marks == "none":
        return ()
    lines = list(_draw_japanese_marks(trim, bleed) if marks == "japanese" else _draw_western_marks(trim, bleed))
    outside = f"{rectangle_path(page)} {rectangle_path(bleed)}"
    # Corners inside the bleed's end run along it: half of their line would be on the art.
    paths = ["M " + " L ".join(f"{format_mm(x)} {format_mm(y)}" for x, y in line) for line in lines]
    shapes = tuple([Shape(path=path, stroke=REGISTRATION, width=LINE, role="mark") for path in paths])
    return (Group(shapes, clip=outside, clip_even_odd=True),)


def _draw_japanese_marks(trim: Rect, bleed: Rect) -> Iterator[MarkLine]:
    """Yield two hooks that cross at each corner: 内トンボ for the trim's edges, 外トンボ for those of the bleed."""
    for left in (True, False):
        inner_x, outer_x, far_x = (
            (trim.x, bleed.x, bleed.x - ARM) if left else (trim.right, bleed.right, bleed.right + ARM)
        )
        for top in (True, False):
            inner_y, outer_y, far_y = (
                (trim.y, bleed.y, bleed.y - ARM) if top else (trim.bottom, bleed.bottom, bleed.bottom + ARM)
            )
            yield (far_x, outer_y), (inner_x, outer_y), (inner_x, far_y)
            yield (far_x, inner_y), (outer_x, inner_y), (outer_x, far_y)
    yield from _draw_centre_marks(trim, bleed)


def _draw_centre_marks(trim: Rect, bleed: Rect) -> Iterator[MarkLine]:
    """Yield センタートンボ: in the middle of each side a line outwards with a bar across."""
    x, y = trim.x + trim.width / 2, trim.y + trim.height / 2
    wide, high = min(CENTRE_BAR, trim.width / 2) / 2, min(CENTRE_BAR, trim.height / 2) / 2
    for edge, sign in ((bleed.y, -1), (bleed.bottom, 1)):
        yield (x, edge), (x, edge + sign * ARM)
        yield (x - wide, edge + sign * CENTRE_AT), (x + wide, edge + sign * CENTRE_AT)
    for edge, sign in ((bleed.x, -1), (bleed.right, 1)):
        yield (edge, y), (edge + sign * ARM, y)
        yield (edge + sign * CENTRE_AT, y - high), (edge + sign * CENTRE_AT, y + high)


def _draw_western_marks(trim: Rect, bleed: Rect) -> Iterator[MarkLine]:
    """Yield two lines at each corner, which would meet at the trim's corner."""
    for x in (trim.x, trim.right):
        yield (x, bleed.y - STANDOFF), (x, bleed.y - STANDOFF - WESTERN)
        yield (x, bleed.bottom + STANDOFF), (x, bleed.bottom + STANDOFF + WESTERN)
    for y in (trim.y, trim.bottom):
        yield (bleed.x - STANDOFF, y), (bleed.x - STANDOFF - WESTERN, y)
        yield (bleed.right + STANDOFF, y), (bleed.right + STANDOFF + WESTERN, y)


FaceSide = Literal["front", "back"]

SlugLabel = Callable[[str, float, float], tuple[Item, ...]]
"""Sets a line of small type in the slug: the text, and the start of its baseline (page mm)."""

_LABEL_INSET = 1.5


@dataclass(frozen=True, slots=True)
class ShopCard:
    """A design of a run: its number of copies and both drawn faces; `turned` lies on its side."""

    id: str
    count: int
    front: Drawing
    back: Drawing | None = None
    turned: bool = False

    @property
    def kind(self) -> str:
        """Return the id of its kind."""
        return self.id.split("/", maxsplit=1)[0]


@dataclass(frozen=True, slots=True)
class Imprint:
    """How to make a shop's pages: marks, order of fronts and backs, and whether each copy gets its own pages."""

    marks: Marks = "none"
    order: Order = "alternating"
    each_copy: bool = False


@dataclass(frozen=True, slots=True)
class Spread:
    """Page numbers (from 1) of a card's fronts and backs, one for each copy; 0 means no page."""

    card: ShopCard
    fronts: tuple[int, ...]
    backs: tuple[int, ...]


def measure_reach(product: Product) -> float:
    """Return how far art must extend beyond the product's cut (mm): the larger of both directions."""
    return max(product.full.width - product.trim.width, product.full.height - product.trim.height) / 2


def frame_page(product: Product, marks: Marks) -> tuple[Size, Rect, Rect]:
    """Return the page size of a product, and its trim and bleed on the page."""
    edge = measure_slug(marks)
    full, trim = product.full, product.trim
    bleed = Rect(edge, edge, full.width, full.height)
    cut = Rect(edge + (full.width - trim.width) / 2, edge + (full.height - trim.height) / 2, trim.width, trim.height)
    return Size(full.width + 2 * edge, full.height + 2 * edge), cut, bleed


def build_face_page(
    card: ShopCard,
    side: FaceSide,
    product: Product,
    marks: Marks = "none",
    label: SlugLabel | None = None,
    number: int = 1,
) -> Page:
    """Return the page of a card's `front` or `back`; blank if the card has no back."""
    size, trim, bleed = frame_page(product, marks)
    face = card.front if side == "front" else card.back
    placements: tuple[Placement, ...] = ()
    if face is not None:
        reach = max(trim.x - bleed.x, trim.y - bleed.y)
        cut = product.trim.swap_sides() if card.turned else product.trim
        turn: Turn = 0
        if card.turned:
            turn = 90 if side == "front" else 270  # a back is seen from behind
        placements = (Placement(card.id, extend_art(face, cut, reach), trim, bleed, turn),)
    items = draw_shop_marks(marks, trim, bleed, Rect(0, 0, size.width, size.height))
    if label is not None and marks != "none":
        items += label(f"{card.id} · {side}", _LABEL_INSET, size.height - _LABEL_INSET)
    return Page(size, side, number, placements, items, trim=trim, bleed=bleed)


def number_spreads(cards: Sequence[ShopCard], imprint: Imprint) -> tuple[Spread, ...]:
    """Return the page numbers of each card's fronts and backs, as `imprint` orders them; all backs 0 if none exists."""
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


def build_run_pages(
    cards: Sequence[ShopCard], product: Product, imprint: Imprint, label: SlugLabel | None = None
) -> tuple[Page, ...]:
    """Return the pages of a run in the order of `number_spreads`."""
    numbered: dict[int, Page] = {}
    for spread in number_spreads(cards, imprint):
        numbered.update(_copy_page(spread.card, "front", spread.fronts, product, imprint.marks, label))
        numbered.update(_copy_page(spread.card, "back", spread.backs, product, imprint.marks, label))
    return tuple(numbered[n] for n in sorted(numbered))


def _copy_page(
    card: ShopCard, side: FaceSide, numbers: tuple[int, ...], product: Product, marks: Marks, label: SlugLabel | None
) -> Iterator[tuple[int, Page]]:
    wanted = [n for n in numbers if n]
    if wanted:
        made = build_face_page(card, side, product, marks, label, wanted[0])
        for n in wanted:
            yield n, made._replace(sheet=n)


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

    def to_data(self) -> dict[str, Any]:
        """Return the file, and in a PDF the pages, as plain values for JSON."""
        return {"file": self.file, "pages": list(self.pages)} if self.pages else {"file": self.file}


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

    def to_data(self) -> dict[str, Any]:
        """Return the part for JSON."""
        product = self.product
        return {
            "product": product.id, "trim_mm": [product.trim.width, product.trim.height],
            "full_mm": [product.full.width, product.full.height],
            "pixels": list(product.pixels) if product.pixels else None, "copies": self.copies,
            "files": list(self.files),
            "cards": [
                {
                    "id": line.card.id,
                    "count": line.card.count,
                    "turned": line.card.turned,
                    "front": line.front.to_data(),
                    "back": line.back.to_data() if line.back else None,
                }
                for line in self.lines
            ],
        }  # fmt: skip


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
    """Return the lines of the order, and a file for each front and for each different back of a kind (by `digest`)."""
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
