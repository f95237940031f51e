"""A deck of two cards that a print shop would take as it is, and ways to spoil it."""

import io
from collections.abc import Callable

import pikepdf
from conftest import ROOT
from pikepdf import Array, Dictionary, Name
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from generator.production.preflight.inspection import Finding

MM = 72 / 25.4
WIDTH, HEIGHT, BLEED = 63.0, 88.0, 3.0
FONT = "CardSans"

Draw = Callable[["Card"], None]
Change = Callable[[pikepdf.Pdf], None]


class Card:
    """A page of ReportLab's, drawn on in mm from the top left corner of the trim, y down."""

    def __init__(self, canvas: Canvas):
        self.canvas = canvas

    def y(self, y: float) -> float:
        return (HEIGHT + BLEED - y) * MM

    def x(self, x: float) -> float:
        return (x + BLEED) * MM

    def box(self, x: float, y: float, width: float, height: float, cmyk: tuple[float, ...] = (0, 0.2, 0.5, 0)) -> None:
        self.canvas.setFillColorCMYK(*cmyk)
        self.canvas.rect(self.x(x), self.y(y + height), width * MM, height * MM, stroke=0, fill=1)

    def text(
        self, x: float, y: float, text: str = "Wheat", size: float = 9, cmyk: tuple[float, ...] = (0, 0, 0, 1)
    ) -> None:
        self.canvas.setFillColorCMYK(*cmyk)
        self.canvas.setFont(FONT, size)
        self.canvas.drawString(self.x(x), self.y(y), text)

    def unseen(self, x: float, y: float) -> None:
        """A line of type that doesn't show."""
        words = self.canvas.beginText(self.x(x), self.y(y))
        words.setFont(FONT, 9)
        words.setTextRenderMode(3)
        words.textOut("Wheat")
        self.canvas.drawText(words)

    def line(self, x: float, y: float, to_x: float, to_y: float, width: float) -> None:
        self.canvas.setStrokeColorCMYK(0, 0, 0, 1)
        self.canvas.setLineWidth(width)
        self.canvas.line(self.x(x), self.y(y), self.x(to_x), self.y(to_y))

    def rounded(self, x: float, y: float, height: float, radius: float, width: float) -> None:
        """A frame with round corners that reaches far beyond the card but at its left, so many points thick."""
        self.canvas.setStrokeColorCMYK(0, 0, 0, 1)
        self.canvas.setLineWidth(width)
        self.canvas.roundRect(self.x(x), self.y(y + height), 100 * MM, height * MM, radius * MM)

    def picture(self, x: float, y: float, width: float, image: Image.Image) -> None:
        high = width * image.height / image.width
        place = (self.x(x), self.y(y + high), width * MM, high * MM)
        self.canvas.drawImage(ImageReader(image), *place)


def plain(pixels: int, colour: tuple[int, ...] = (0, 60, 120, 0), mode: str = "CMYK") -> Image.Image:
    return Image.new(mode, (pixels, pixels), colour)


def _good(card: Card) -> None:
    card.box(-BLEED, -BLEED, WIDTH + 2 * BLEED, HEIGHT + 2 * BLEED, (0.1, 0.1, 0.3, 0))
    card.box(10, 30, 40, 30)
    card.text(10, 20)
    card.line(10, 65, 50, 65, 0.5)
    card.picture(20, 35, 20, plain(240))


def deck(plant: Draw | None = None, change: Change | None = None, pages: int = 2, good: Draw = _good) -> bytes:
    """Cards of 63 x 88 mm with 3 mm of bleed; `plant` draws something more on the second, `change` rewrites the file."""
    if FONT not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(FONT, ROOT / "fonts" / "SourceSans3_400Regular.ttf"))
    out = io.BytesIO()
    size = ((WIDTH + 2 * BLEED) * MM, (HEIGHT + 2 * BLEED) * MM)
    canvas = Canvas(out, size, invariant=1, initialFontName=FONT, pageCompression=0)
    for page in range(pages):
        good(Card(canvas))
        if plant and page == 1:
            plant(Card(canvas))
        canvas.setTrimBox((BLEED * MM, BLEED * MM, (BLEED + WIDTH) * MM, (BLEED + HEIGHT) * MM))
        canvas.setBleedBox((0, 0, *size))
        canvas.showPage()
    canvas.save()
    return changed(out.getvalue(), _for_press, *([change] if change else []))


def _for_press(pdf: pikepdf.Pdf) -> None:
    """Name the press: the profile's figures are nobody's business here, its four inks are."""
    profile = pdf.make_stream(b"profile")
    profile["/N"] = 4
    intent = Dictionary(Type=Name.OutputIntent, S=Name.GTS_PDFX, DestOutputProfile=profile)
    pdf.Root.OutputIntents = Array([pdf.make_indirect(intent)])


def changed(data: bytes, *changes: Change) -> bytes:
    """A PDF after changes."""
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for change in changes:
            change(pdf)
        out = io.BytesIO()
        pdf.save(out, static_id=True)
        return out.getvalue()


def added(operators: str) -> Change:
    """Write operators at the end of the second page's content."""

    def change(pdf: pikepdf.Pdf) -> None:
        pdf.pages[1].contents_add(pdf.make_stream(operators.encode()))

    return change


def said(findings: tuple[Finding, ...]) -> list[tuple[str, str, int]]:
    return [(finding.check, finding.severity, finding.page) for finding in findings]
