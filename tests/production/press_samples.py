"""What the tests of printing share: a game with a palette, and a face's PDF in some inks."""

import io
from collections.abc import Iterator
from pathlib import Path

import pikepdf
from conftest import ROOT

from generator.base.colour import Inks
from generator.base.display_list import Drawing, Item, Shape, TextRun
from generator.base.errors import Place
from generator.base.geometry import Rect, Size
from generator.drawing.pdf.document import write_pdf
from generator.game.model import Colour, FontFamily, Game, Players
from generator.game.print_pages import Document, Page, Placement
from generator.game.rich_text import Words
from generator.text.fonts import FontBook

FOGRA39 = ROOT / "profiles" / "FOGRA39L_coated.icc"
FILES = {"sans": FontFamily({"en": ("SourceSans3_400Regular.ttf",)}, {}, {})}
BOOK = FontBook(FILES, lambda name: ROOT / "fonts" / name)

PALETTE = {
    "ink": Colour("#000000", (0.0, 0.0, 0.0, 100.0)),
    "paper": Colour("#ffffff"),
    "grey": Colour("#808080"),
    "red": Colour("#c02020"),
    "night": Colour("#0b271d"),
    "jade": Colour("#1d6653", (85.0, 30.0, 65.0, 25.0)),
    "gold": Colour("#b08d3c", (20.0, 35.0, 80.0, 10.0), "DIC 156"),
    "neon": Colour("#ff5f8a", None, "PANTONE 806 C"),
}

SCREEN_OPERATORS = frozenset({"g", "G", "rg", "RG", "sc", "SC"})


def game(**colours: Colour) -> Game:
    """A game with this palette beside the usual one."""
    placed = {name: Colour(c.srgb, c.cmyk, c.spot, Place("data/x/look.yaml", 9, 3)) for name, c in colours.items()}
    title = Words({"en": "X"})
    palette = {**PALETTE, **placed}
    return Game(
        id="x",
        title=title,
        draft="1",
        date="",
        languages=("en",),
        players=Players(2, 4),
        credit=Words({}),
        licence=Words({}),
        kinds={},
        palette=palette,
        fonts=FILES,
    )


def block(x: float, y: float, wide: float, high: float, fill: str, **more: object) -> Shape:
    right, bottom = x + wide, y + high
    return Shape(f"M {x:g} {y:g} L {right:g} {y:g} L {right:g} {bottom:g} L {x:g} {bottom:g} Z", fill=fill, **more)


def words(text: str, x: float = 5, y: float = 10, size: float = 10, **more: object) -> TextRun:
    font = BOOK.get_chain("sans", "en")[0]
    shaped = font.shape(text)
    return TextRun(x, y, size, font.key, shaped.glyphs, shaped.clusters, shaped.advances, **more)


def printed(inks: Inks, *items: Item, marks: tuple[Item, ...] = ()) -> bytes:
    """The PDF of a face of 60 x 90 mm with these items, on a page of that size with these marks."""
    face = Drawing(60, 90, 0, items, "en", "")
    whole = Rect(0, 0, 60, 90)
    page = Page(Size(60, 90), "front", 1, (Placement("x#1", face, whole, whole),), marks)
    out = io.BytesIO()
    write_pdf(Document("Sample", "en", (page,)), BOOK, screen_only, Path, out, inks)
    return out.getvalue()


def screen_only(paint: str) -> tuple[float, float, float]:
    """No palette: inks are to resolve every paint."""
    raise AssertionError(f"{paint} was asked of the screen")


def operators(pdf: bytes) -> Iterator[str]:
    """All operators of all contents with their operands."""
    with pikepdf.open(io.BytesIO(pdf)) as read:
        forms = [o for o in read.objects if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Form"]
        for content in [*read.pages, *forms]:
            for operands, operator in pikepdf.parse_content_stream(content):
                yield " ".join([*map(str, operands), str(operator)])


def spaces(pdf: bytes) -> set[str]:
    """The colour spaces of all images and shadings, and the spot inks by their names."""
    found = set()
    with pikepdf.open(io.BytesIO(pdf)) as read:
        for each in read.objects:
            if isinstance(each, (pikepdf.Dictionary, pikepdf.Stream)) and "/ColorSpace" in each:
                space = each.ColorSpace
                if isinstance(space, pikepdf.Name):
                    found.add(str(space)[1:])
            elif isinstance(each, pikepdf.Array) and each[0] == "/Separation":
                found.add(str(each[1])[1:])
    return found
