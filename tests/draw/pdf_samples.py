"""What the writers' tests share: fonts, drawings in a line of code, and pixels spelled as letters."""

import io
from pathlib import Path

import pikepdf
from PIL import Image

from generator.base.display_list import Drawing, Item, PlacedSymbol, Shape, Symbol, TextRun
from generator.base.geometry import Rect, Size
from generator.drawing.pdf.document import write_pdf
from generator.drawing.pdf.page_images import render_drawing_png
from generator.game.model import FontFamily
from generator.game.print_pages import Document, Page, Placement
from generator.text.fonts import Font, FontBook

FONTS = Path(__file__).parent.parent.parent / "fonts"
FILES = {
    "gothic": "BIZUDPGothic_400Regular.ttf", "mincho": "BIZUDMincho_400Regular.ttf",
    "sans": "SourceSans3_400Regular.ttf", "italic": "SourceSans3_400Regular_Italic.ttf", "caps": "Cinzel_700Bold.ttf",
}  # fmt: skip
BOOK = FontBook({name: FontFamily({"en": (file,)}, {}, {}) for name, file in FILES.items()}, lambda name: FONTS / name)

INKS = {"ink": (0.0, 0.0, 0.0), "paper": (1.0, 1.0, 1.0)}
LETTERS = {"R": (255, 0, 0), "G": (0, 255, 0), "B": (0, 0, 255), "K": (0, 0, 0), ".": (255, 255, 255)}


def palette(paint: str) -> tuple[float, float, float]:
    """`ink`, `paper` and #rrggbb."""
    if paint in INKS:
        return INKS[paint]
    red, green, blue = (int(paint[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def font(name: str) -> Font:
    return BOOK.get_chain(name, "en")[0]


def box(x: float, y: float, width: float, height: float) -> str:
    points = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return "M " + " L ".join(f"{a:g} {b:g}" for a, b in points) + " Z"


def block(x: float, y: float, width: float, height: float, fill: str = "#ff0000") -> Shape:
    return Shape(box(x, y, width, height), fill=fill)


def words(text: str, name: str = "sans", x: float = 5, y: float = 10, size: float = 10, **more: object) -> TextRun:
    face = font(name)
    shaped = face.shape(text)
    return TextRun(x, y, size, face.key, shaped.glyphs, shaped.clusters, shaped.advances, **more)


def face(
    *items: Item, width: float = 4, height: float = 4, bleed: float = 0, lang: str = "en", title: str = ""
) -> Drawing:
    return Drawing(width, height, bleed, items, lang, title)


def symbol(*items: Item, size: float = 2, name: str = "icon:x") -> Symbol:
    return Symbol(name, items, (0, 0, size, size))


def twice(*drawings: Drawing) -> list[Placement]:
    """Each face two times on its page, so that it is a form: alone it would be drawn there."""
    return [placed(drawing) for drawing in drawings for _ in range(2)]


def sheet(*placements: Placement, items: tuple[Item, ...] = (), width: float = 4, height: float = 4) -> Page:
    return Page(Size(width, height), "front", 1, placements, items)


def placed(drawing: Drawing, x: float = 0, y: float = 0, turn: int = 0, clip: Rect | None = None) -> Placement:
    wide, high = (drawing.width, drawing.height) if turn % 180 == 0 else (drawing.height, drawing.width)
    trim = Rect(x, y, wide, high)
    return Placement("x#1", drawing, trim, clip or trim.grow(drawing.bleed), turn)


def document(*pages: Page, lang: str = "en", title: str = "Sample", **more: object) -> Document:
    return Document(title, lang, pages, **more)


def pdf(made: Document) -> bytes:
    out = io.BytesIO()
    write_pdf(made, BOOK, palette, Path, out)
    return out.getvalue()


def reread(made: Document) -> pikepdf.Pdf:
    """The document as an independent reader has it; to be closed."""
    return pikepdf.open(io.BytesIO(pdf(made)))


def shown(*items: Item, width: float = 4, height: float = 4, dpi: float = 25.4) -> Image.Image:
    """A drawing's pixels: one for each mm unless told otherwise."""
    return render_drawing_png(face(*items, width=width, height=height), dpi, BOOK, palette, Path)


def letter(pixel: tuple[int, int, int]) -> str:
    """The letter of a colour, one step of rounding forgiven; `?` for any other."""
    near = (name for name, colour in LETTERS.items() if max(abs(a - b) for a, b in zip(pixel, colour, strict=True)) < 2)
    return next(near, "?")


def spelled(image: Image.Image, step: int = 1) -> str:
    """Pixels as letters, a line for each row, or the middle one of each `step` x `step`; an unknown colour is `?`."""
    image = image.resize((image.width // step, image.height // step), Image.Resampling.NEAREST)
    rows = []
    for y in range(image.height):
        pixels = [image.getpixel((x, y)) for x in range(image.width)]
        rows.append("".join(map(letter, pixels)))
    return "\n".join(rows)


def sample() -> Document:
    """Two sheets with everything that a document can hold but pictures."""
    star = symbol(block(0, 0, 1, 1), Shape(box(0, 0, 2, 2), stroke="ink", width=0.2))
    front = face(
        block(-3, -3, 69, 94, "#f4ead6"),
        words("稲妻の神殿、第１章。", "gothic", 5, 10),
        words("An office of ﬁne waffles", "sans", 5, 20),
        words("Fortuna AVATAR", "caps", 5, 30, angle=30),
        width=63,
        height=88,
        bleed=3,
        lang="ja",
    )
    back = face(block(0, 0, 10, 10, "#203040"), words("Back", y=30), width=63, height=88)
    marks = (Shape("M 1 1 L 5 1", stroke="ink", width=0.1), words("1/2", "mincho", 2, 3, 4))
    first = sheet(placed(front, 5, 5), placed(front, 75, 5, 90), items=marks, width=210, height=297)
    second = sheet(placed(back, 5, 5, 180), items=(PlacedSymbol(star, (1, 0, 0, 1, 100, 100)),), width=297, height=210)
    return document(first, second, title="見本 Sample", lang="ja", date="2026-03-01", backs="long")
