"""What accompanies an order: a list for people (order.txt) and one for programs (manifest.json) of files and counts."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.dataclass import dataclass
from generator.errors import as_lines
from generator.model.game import Game
from generator.model.preset import Product, Shop
from generator.printshop.one_up import Card
from generator.printshop.runs import OrderPlan

ORDER, MANIFEST = "order.txt", "manifest.json"


@dataclass(frozen=True, slots=True)
class Where:
    """Where a face is to be found: its file, and in a PDF the pages of all its copies (from 1)."""

    file: str
    pages: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        """For people: the file, with its pages."""
        if not self.pages:
            return self.file
        first, last = self.pages[0], self.pages[-1]
        return f"{self.file} page {first}" if first == last else f"{self.file} pages {first} to {last}"


@dataclass(frozen=True, slots=True)
class OrderLine:
    """One card of the order, with the places of its faces; no back, and its other side stays blank."""

    card: Card
    front: Where
    back: Where | None


@dataclass(frozen=True, slots=True)
class OrderPart:
    """All that is ordered of one product, and its files with what they hold."""

    product: Product
    lines: tuple[OrderLine, ...]
    files: tuple[str, ...]

    @property
    def copies(self) -> int:
        """How many cards come out of it."""
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

    def text(self) -> str:
        """For people."""
        return as_lines(self._lines())

    def _lines(self) -> Iterator[str]:
        game, shop = self.game, self.shop
        title = game.title[self.edition.split("+", maxsplit=1)[0]]
        yield ", ".join(filter(None, [f"{title} ({game.id})", f"draft {game.draft}", game.date, self.edition]))
        yield f"for {shop.name} (preset {shop.id}: {shop.source}, {shop.date})"
        yield from _paragraph("Unconfirmed figures: hold them against the shop's own before you pay", shop.unverified)
        for part in self.parts:
            yield ""
            yield f"{part.copies} x {part.product.name}: {_cut_description(part.product)}"
            yield from (f"  {line.card.count:>3} x {line.card.id:<28} {_faces(line)}" for line in part.lines)
        left = [f"{out.kind} ({out.count}): {out.why}" for out in self.plan.left_out]
        yield from _paragraph("Left out, to be made elsewhere", left)
        notes = [*self.plan.notes, *self.notes, *([shop.note] if shop.note else [])]
        yield from _paragraph("Notes", notes)
        yield ""
        yield "Files that are not named here are no part of the order."

    def manifest(self) -> str:
        """For programs: JSON."""
        return json.dumps(self._data(), ensure_ascii=False, indent=2) + "\n"

    def _data(self) -> Mapping[str, Any]:
        game, shop = self.game, self.shop
        preset = {"id": shop.id, "name": shop.name, "source": shop.source, "date": shop.date}
        return {
            "format": 1,
            "game": game.id,
            "draft": game.draft,
            "date": game.date,
            "language": self.edition,
            "preset": preset | {"unverified": list(shop.unverified)},
            "parts": [_part(part) for part in self.parts],
            "left_out": [{"kind": out.kind, "count": out.count, "why": out.why} for out in self.plan.left_out],
            "notes": [*self.plan.notes, *self.notes],
        }


def _paragraph(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"{title}:"
        yield from (f"  {line}" for line in lines)


def _cut_description(product: Product) -> str:
    trim, full = product.trim, product.full
    said = f"cut to {trim.width:g} x {trim.height:g} mm, with bleed {full.width:g} x {full.height:g} mm"
    return f"{said}, {product.pixels[0]} x {product.pixels[1]} pixels" if product.pixels else said


def _faces(line: OrderLine) -> str:
    back = line.back.words if line.back else "blank"
    return f"front {line.front.words}, back {back}"


def _part(part: OrderPart) -> Mapping[str, Any]:
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
                "front": _where(line.front),
                "back": _where(line.back) if line.back else None,
            }
            for line in part.lines
        ],
    }


def _where(where: Where) -> Mapping[str, Any]:
    return {"file": where.file, "pages": list(where.pages)} if where.pages else {"file": where.file}
