"""The files of a shop's order and what lies in each: PDFs of a product or of a face, or pictures of every face."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from generator.dataclass import dataclass
from generator.model.drawing import Drawing
from generator.model.preset import Shop
from generator.model.sheet import Page
from generator.printshop.file_names import distinct, fill_pattern
from generator.printshop.one_up import Card, Imprint, Label, Side, face_page, one_up, spreads
from generator.printshop.order_sheet import OrderLine, OrderPart, Where
from generator.printshop.runs import ProductRun

Digest = Callable[[Drawing], str]


@dataclass(frozen=True, slots=True)
class ShopFile:
    """One file to be written: its name without a suffix, and its pages; a picture is one page."""

    name: str
    pages: tuple[Page, ...]


@dataclass(frozen=True, slots=True)
class _Shown:
    """A face that gets a file of its own: whose it is, and what it is called."""

    card: Card
    side: Side
    name: str


def shop_files(
    run: ProductRun, shop: Shop, game: str, lang: str, digest: Digest, label: Label | None = None
) -> tuple[OrderPart, tuple[ShopFile, ...]]:
    """A run as the shop wants it: the order's part and its files."""
    if shop.upload == "pdf" and shop.files == "product":
        return _one_file(run, shop, game, lang, label)
    return _file_a_face(run, shop, game, lang, digest, label)


def _one_file(
    run: ProductRun, shop: Shop, game: str, lang: str, label: Label | None
) -> tuple[OrderPart, tuple[ShopFile, ...]]:
    imprint = Imprint(shop.marks, shop.order, shop.copies == "each")
    name = fill_pattern(shop.file, {**_blank(), "game": game, "lang": lang, "product": run.product.id})
    file = f"{name}.pdf"
    lines = tuple(
        OrderLine(spread.card, Where(file, spread.fronts), Where(file, spread.backs) if spread.card.back else None)
        for spread in spreads(run.cards, imprint)
    )
    return OrderPart(run.product, lines, (file,)), (ShopFile(name, one_up(run.cards, run.product, imprint, label)),)


def _file_a_face(
    run: ProductRun, shop: Shop, game: str, lang: str, digest: Digest, label: Label | None
) -> tuple[OrderPart, tuple[ShopFile, ...]]:
    """A file for each front, and one for each different back of a kind."""
    suffix = ".png" if shop.upload == "png" else ".pdf"
    faces: dict[str, _Shown] = {}
    places: list[tuple[Card, str, str]] = []
    names = _back_names(run.cards, digest)
    for card in run.cards:
        front = f"front {card.id}"
        faces[front] = _Shown(card, "front", card.id)
        back = ""
        if card.back is not None:
            back = f"back {_kind(card)} {digest(card.back)} {card.turned}"
            faces.setdefault(back, _Shown(card, "back", names[_kind(card), digest(card.back)]))
        places.append((card, front, back))
    width = max(3, len(str(len(run.cards))))
    numbers = {card.id: f"{n:0{width}}" for n, card in enumerate(run.cards, 1)}
    fields = {**_blank(), "game": game, "lang": lang, "product": run.product.id}
    named = distinct(
        fill_pattern(
            shop.file,
            {
                **fields,
                "kind": _kind(face.card),
                "design": face.name,
                "side": face.side,
                "number": numbers[face.card.id],
                "count": str(face.card.count),
            },
        )
        for face in faces.values()
    )
    where = {key: Where(f"{name}{suffix}") for key, name in zip(faces, named, strict=True)}
    lines = tuple(OrderLine(card, where[front], where[back] if back else None) for card, front, back in places)
    pages = [face_page(face.card, face.side, run.product, shop.marks, label) for face in faces.values()]
    files = tuple(ShopFile(name, (page,)) for name, page in zip(named, pages, strict=True))
    return OrderPart(run.product, lines, tuple(each.file for each in where.values())), files


def _back_names(cards: Sequence[Card], digest: Digest) -> dict[tuple[str, str], str]:
    """What each different back is called: its kind where all of the kind share it, else the first card with it."""
    backs = list(dict.fromkeys(_backs(cards, digest)))
    kinds = Counter(kind for kind, _ in backs)
    first = {(_kind(card), digest(card.back)): card.id for card in reversed(cards) if card.back is not None}
    return {back: back[0] if kinds[back[0]] == 1 else first[back] for back in backs}


def _backs(cards: Sequence[Card], digest: Digest) -> Iterator[tuple[str, str]]:
    for card in cards:
        if card.back is not None:
            yield _kind(card), digest(card.back)


def _kind(card: Card) -> str:
    return card.id.split("/", maxsplit=1)[0]


def _blank() -> dict[str, str]:
    """Names that a pattern may hold and that say nothing of a file with many faces."""
    return {"kind": "all", "design": "all", "side": "all", "number": "all", "count": "all"}
