"""The same sheets and pictures by skia-python.

PYTHON skia_peer.py sheets|pictures CARDS.json TARGET
"""

import json
import sys
from pathlib import Path
from typing import Any

import deck
import skia

MM, DPI = 72 / 25.4, 300
A4 = (595.28, 841.89)


class Printer:
    """Draws cards on canvases whose unit is 1 mm."""

    def __init__(self) -> None:
        face = skia.Typeface.MakeFromFile(str(Path(__file__).parent.parent / "fonts" / deck.FONT))
        self.fonts = {size: skia.Font(face, size / MM) for size in (20, 11, 7.5, 6, 5, 4)}
        for font in self.fonts.values():
            font.setSubpixel(True)
            font.setLinearMetrics(True)
        self.paints = {
            name: self._make_paint(value)
            for name, value in (*deck.PALETTE.items(), ("black", "#000000"), ("white", "#ffffff"))
        }
        self.frame = self._make_paint(deck.PALETTE["bronze"], Style=skia.Paint.kStroke_Style, StrokeWidth=0.6)
        self.icons = {name: _trace(outlines) for name, outlines in deck.ICONS.items()}
        self.widths: dict[str, float] = {}

    @staticmethod
    def _make_paint(colour: str, **options: Any) -> Any:
        return skia.Paint(Color=0xFF000000 | int(colour[1:], 16), AntiAlias=True, **options)

    def _draw_lines(self, canvas: Any, lines: list[deck.Line], width: float, colour: str) -> None:
        self.paints[colour].setStrokeWidth(width / MM)
        for line in lines:
            canvas.drawLine(*line, self.paints[colour])

    def draw_sheet(self, canvas: Any, cards: list[dict[str, Any]], label: str) -> None:
        """Draw one page."""
        for slot, card in enumerate(cards):
            row, column = divmod(slot, deck.COLUMNS)
            canvas.save()
            canvas.translate(deck.LEFT + column * deck.WIDTH, deck.TOP + row * deck.HEIGHT)
            self.draw_card(canvas, card)
            canvas.restore()
        for width, paint in ((1.0, "white"), (0.25, "black")):
            self._draw_lines(canvas, deck.make_cut_marks(len(cards)), width, paint)
        lines, captions = deck.make_rulers()
        self._draw_lines(canvas, lines, 0.25, "black")
        for x, y, caption in captions:
            canvas.drawString(caption, x, y, self.fonts[6], self.paints["black"])
        canvas.drawString(label, 12, 297 - deck.MARGIN - 0.7, self.fonts[6], self.paints["black"])

    def draw_card(self, canvas: Any, card: dict[str, Any]) -> None:
        """Draw one card, the origin at its upper left corner."""
        paint, number, title = self.paints[card["icon"]], str(card["number"]), card["title"]
        if "art" in card:
            canvas.drawImageRect(skia.Image.open(card["art"]), skia.Rect.MakeWH(deck.WIDTH, deck.HEIGHT))
        left, top, width, height, radius = deck.PANEL_ON_ART if "art" in card else deck.PANEL
        panel = skia.RRect.MakeRectXY(skia.Rect.MakeXYWH(left, top, width, height), radius, radius)
        canvas.drawRRect(panel, self.paints["parchment"])
        canvas.drawRRect(panel, self.frame)
        for x, y, side in ((20.5, 14, 22), (50, 6.5, 6)):
            canvas.save()
            canvas.translate(x, y)
            canvas.scale(side / 100, side / 100)
            canvas.drawPath(self.icons[card["icon"]], paint)
            canvas.restore()
        for angle in (0, 180):
            canvas.save()
            canvas.rotate(angle, deck.WIDTH / 2, deck.HEIGHT / 2)
            canvas.drawString(number, 7, 13, self.fonts[20], paint)
            canvas.restore()
        black, bronze, room = self.paints["black"], self.paints["bronze"], self.fonts[11].measureText(title)
        canvas.drawString(title, (deck.WIDTH - room) / 2, 43, self.fonts[11], black)
        for char in set(card["text"]) - self.widths.keys():
            self.widths[char] = self.fonts[7.5].measureText(char)
        for at, line in enumerate(deck.break_lines(card["text"], self.widths, 49)):
            canvas.drawString(line, 7, 49.3 + at * 7.5 * 1.5 / MM, self.fonts[7.5], black)
        canvas.drawString(f"試し刷りの札 {number}番", 7, 78, self.fonts[5], bronze)
        digest = deck.make_digest(card, 6)
        canvas.drawString(f"草案{deck.DRAFT} · {digest}", 7, 81.5, self.fonts[4], bronze)


def _trace(outlines: tuple[str, ...]) -> Any:
    path = skia.PathBuilder()
    steps = iter(" ".join(outlines).split())
    draw = {"M": (path.moveTo, 2), "L": (path.lineTo, 2), "C": (path.cubicTo, 6), "Z": (path.close, 0)}
    for command in steps:
        call, figures = draw[command]
        call(*(float(next(steps)) for _ in range(figures)))
    return path.detach()


def main(kind: str, source: Path, target: Path) -> None:
    """Print the cards of a JSON file as a PDF, or as PNG into the folder `target`."""
    cards, printer = json.loads(source.read_text(encoding="utf-8")), Printer()
    if kind == "pictures":
        target.mkdir(parents=True, exist_ok=True)
        for card in cards:
            surface = skia.Surface(round(deck.WIDTH / 25.4 * DPI), round(deck.HEIGHT / 25.4 * DPI))
            surface.getCanvas().scale(DPI / 25.4, DPI / 25.4)
            printer.draw_card(surface.getCanvas(), card)
            surface.makeImageSnapshot().save(str(target / f"c{card['number']:04}.png"), skia.kPNG)
        return
    stream = skia.FILEWStream(str(target))
    with skia.PDF.MakeDocument(stream) as document:
        for label, sheet in deck.split_sheets(cards):
            with document.page(*A4) as canvas:
                canvas.scale(MM, MM)
                printer.draw_sheet(canvas, sheet, label)
    stream.flush()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
