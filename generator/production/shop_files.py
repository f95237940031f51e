"""Shop files: the contents of each, with order.txt and manifest.json."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.base.display_list import Drawing
from generator.base.errors import join_lines
from generator.base.files import fill_name_pattern, number_duplicates
from generator.game.model import Game
from generator.game.presets import Product, Shop
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
from generator.production.shop_runs import OrderPlan, ProductRun

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
            yield f"{part.copies} x {part.product.name}: {_cut_description(part.product)}"
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
        return json.dumps(self._to_data(), ensure_ascii=False, indent=2) + "\n"

    def _to_data(self) -> Mapping[str, Any]:
        game, shop = self.game, self.shop
        preset = {"id": shop.id, "name": shop.name, "source": shop.source, "date": shop.date}
        return {
            "format": 1,
            "game": game.id,
            "draft": game.draft,
            "date": game.date,
            "language": self.edition,
            "preset": preset | {"unverified": list(shop.unverified)},
            "parts": [_part_to_data(part) for part in self.parts],
            "left_out": [{"kind": out.kind, "count": out.count, "why": out.why} for out in self.plan.left_out],
            "notes": [*self.plan.notes, *self.notes],
        }


def _iter_paragraph(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"{title}:"
        yield from (f"  {line}" for line in lines)


def _cut_description(product: Product) -> str:
    trim, full = product.trim, product.full
    said = f"cut to {trim.width:g} x {trim.height:g} mm, with bleed {full.width:g} x {full.height:g} mm"
    return f"{said}, {product.pixels[0]} x {product.pixels[1]} pixels" if product.pixels else said


def _part_to_data(part: OrderPart) -> Mapping[str, Any]:
    product = part.product
    return {
        "product": product.id,
        "trim_mm": [product.trim.width, product.trim.height],
        "full_mm": [product.full.width, product.full.height],
        "pixels": list(product.pixels) if product.pixels else None,
        "copies": part.copies,
        "files": list(part.files),
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
    }


def _location_to_data(where: FaceLocation) -> Mapping[str, Any]:
    return {"file": where.file, "pages": list(where.pages)} if where.pages else {"file": where.file}


Digest = Callable[[Drawing], str]


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
    name = fill_name_pattern(shop.file, {**_make_blank_fields(), "game": game, "lang": lang, "product": run.product.id})
    file = f"{name}.pdf"
    lines = tuple(
        OrderLine(
            spread.card,
            FaceLocation(file, spread.fronts),
            FaceLocation(file, spread.backs) if spread.card.back else None,
        )
        for spread in number_spreads(run.cards, imprint)
    )
    return OrderPart(run.product, lines, (file,)), (
        ShopFile(name, build_run_pages(run.cards, run.product, imprint, label)),
    )


def _plan_face_files(
    run: ProductRun, shop: Shop, game: str, lang: str, digest: Digest, label: SlugLabel | None
) -> tuple[OrderPart, tuple[ShopFile, ...]]:
    """Return a file for each front, and one for each different back of a kind."""
    suffix = ".png" if shop.upload == "png" else ".pdf"
    faces: dict[str, _NamedFace] = {}
    places: list[tuple[ShopCard, str, str]] = []
    backs = list(dict.fromkeys((_get_kind(card), digest(card.back)) for card in run.cards if card.back is not None))
    kinds = Counter(kind for kind, _ in backs)
    first = {(_get_kind(card), digest(card.back)): card.id for card in reversed(run.cards) if card.back is not None}
    names = {back: back[0] if kinds[back[0]] == 1 else first[back] for back in backs}
    for card in run.cards:
        front = f"front {card.id}"
        faces[front] = _NamedFace(card, "front", card.id)
        back = ""
        if card.back is not None:
            back = f"back {_get_kind(card)} {digest(card.back)} {card.turned}"
            faces.setdefault(back, _NamedFace(card, "back", names[_get_kind(card), digest(card.back)]))
        places.append((card, front, back))
    width = max(3, len(str(len(run.cards))))
    numbers = {card.id: f"{n:0{width}}" for n, card in enumerate(run.cards, 1)}
    fields = {**_make_blank_fields(), "game": game, "lang": lang, "product": run.product.id}
    named = number_duplicates(
        fill_name_pattern(
            shop.file,
            {
                **fields,
                "kind": _get_kind(face.card),
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


def _get_kind(card: ShopCard) -> str:
    return card.id.split("/", maxsplit=1)[0]


def _make_blank_fields() -> dict[str, str]:
    """Return `all` for every placeholder of the file name pattern, for a file that holds many faces."""
    return {"kind": "all", "design": "all", "side": "all", "number": "all", "count": "all"}
