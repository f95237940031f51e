"""The smallest games that show what a check does: one kind of 20 x 30 mm cards, faces built from a few shapes."""

from types import SimpleNamespace
from typing import Any

from generator.base.display_list import Drawing, Item, PlacedSymbol, Shape, Symbol, TextFrame, TextRun
from generator.base.errors import Place
from generator.base.geometry import Rect, Size
from generator.base.outlines import rectangle_path
from generator.checks.visible_items import Context
from generator.game.model import Colour, Design, Game, IconEntry, Kind, Players
from generator.game.rich_text import Words
from generator.game.source import Source


def place(line: int) -> Place:
    return Place("data/tiny/game.yaml", line, 3)


def words(text: str) -> Words:
    """The same text in the tiny game's two languages, told apart by a mark."""
    return Words({"ja": f"{text}（日）", "en": text})


def design(
    name: str = "a", count: int = 1, kind: str = "card", line: int = 10, back: str = "", **fields: Any
) -> Design:
    return Design(f"{kind}/{name}", kind, count, "front", back, fields, Source("data/tiny/game.yaml", {}, (line, 3)))


def kind(*designs: Design, name: str = "card", stated: int | None = None, **more: Any) -> Kind:
    """A kind of 20 x 30 mm with 2 mm bleed and 3 mm safe zone."""
    return Kind(
        name,
        words(name),
        Size(20, 30),
        designs,
        **{"stated": stated, "bleed": 2.0, "safe": 3.0, "place": place(5), **more},
    )


def icon(name: str, colour: str = "ink", line: int = 20) -> IconEntry:
    return IconEntry(name, words(name), colour, place=place(line))


def game(*kinds: Kind, **more: Any) -> Game:
    """A game for 2 or 3 players in Japanese and English."""
    icons = {entry.id: entry for entry in more.pop("icons", ())}
    facts: dict[str, Any] = {
        "id": "tiny",
        "title": words("Tiny"),
        "draft": "1",
        "date": "2026-11-20",
        "languages": ("ja", "en"),
        "players": Players(2, 3),
        "credit": words("Somebody"),
        "licence": words("all rights reserved"),
        "kinds": {entry.id: entry for entry in kinds},
        "palette": {"ink": Colour("#000000"), "red": Colour("#c02020"), "paper": Colour("#ffffff")},
        "icons": icons,
    }
    return Game(**{**facts, **more})


def box(x: float, y: float, width: float, height: float, fill: Any = "red", role: Any = "art", **more: Any) -> Shape:
    return Shape(rectangle_path(Rect(x, y, width, height)), fill, role=role, **more)


GROUND = box(-2, -2, 24, 34, "red", "ground")
"""A ground that fills the card and its bleed."""


def drawing(*items: Item, frames: tuple[TextFrame, ...] = ()) -> Drawing:
    return Drawing(20, 30, 2, items, frames=frames)


def run(text: str, x: float, y: float, size: float = 20.0, paint: str = "ink", **more: Any) -> TextRun:
    """A run whose glyph numbers are the characters' codes; see `context` for how wide they are."""
    return TextRun(x, y, size, "tiny", tuple(map(ord, text)), tuple(text), paint=paint, **more)


def wheat(x: float, y: float, name: str = "wheat", role: Any = "icon") -> PlacedSymbol:
    """An icon 4 mm large, drawn in a square of 100 units."""
    symbol = Symbol(
        f"icon:{name}", (Shape(rectangle_path(Rect(0, 0, 100, 100)), "ink", role="icon"),), (0, 0, 100, 100)
    )
    return PlacedSymbol(symbol, (0.04, 0, 0, 0.04, x, y), role=role)


def ink(_font: str, glyph: int) -> tuple[float, float, float, float] | None:
    """Every character is a block of 500 x 700, set 100 in; g hangs down by 200; a space is blank."""
    return None if chr(glyph) == " " else (100, -200 if chr(glyph) == "g" else 0, 600, 700)


def context(
    faces: dict[tuple[str, str, str], Drawing | None] | Drawing | None = None, masks: dict[str, Any] | None = None
) -> Context:
    """What the checks see: the faces given, or one drawing as the front of card/a in both languages."""
    if isinstance(faces, Drawing):
        faces = {("card/a", "front", lang): faces for lang in ("ja", "en")}
    fonts = SimpleNamespace(measure_ink=ink, measure_advance=lambda *_: 700.0)
    return Context(faces or {}, fonts, (masks or {}).get)
