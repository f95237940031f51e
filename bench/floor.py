"""The same sheets as the program's, written straight to ReportLab: no YAML, no templates, no rules of typesetting.

    python floor.py CARDS.json OUT.pdf [FONT.ttf]

This is the yardstick: what someone who knows ReportLab well writes for this one deck and no other. What repeats (panel,
icons, cut marks) is a form; text goes through ReportLab's own TTFont with its C code; lines are filled greedily by
character widths.
"""

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

import deck
from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

PAGE = (210 * mm, 297 * mm)
RULES_SIZE, RULES_LEADING = 7.5, 1.5
TITLE_SIZE = 11.0


def main(source: Path, target: Path, font: Path) -> None:
    """Print the cards of a JSON file."""
    rl_config.useA85 = 0  # smaller and faster, and every reader takes it
    cards = json.loads(source.read_text(encoding="utf-8"))
    pdfmetrics.registerFont(TTFont("body", str(font)))
    canvas = Canvas(str(target), pagesize=PAGE, pageCompression=1)
    canvas.setTitle(f"{deck.TITLE} – 印刷用シート")
    _forms(canvas)
    printer = _Printer(canvas)
    for label, sheet in deck.split_sheets(cards):
        printer.sheet(sheet, label)
    canvas.save()


def _forms(canvas: Any) -> None:
    colours = {name: HexColor(value) for name, value in deck.PALETTE.items()}
    for name, (left, top, width, height, radius) in (("panel", deck.PANEL), ("panel_on_art", deck.PANEL_ON_ART)):
        canvas.beginForm(name, 0, 0, deck.WIDTH * mm, deck.HEIGHT * mm)
        canvas.setFillColor(colours["parchment"])
        canvas.setStrokeColor(colours["bronze"])
        canvas.setLineWidth(0.6 * mm)
        canvas.roundRect(left * mm, (deck.HEIGHT - top - height) * mm, width * mm, height * mm, radius * mm, fill=1)
        canvas.endForm()
    for name, outlines in deck.ICONS.items():
        canvas.beginForm(name, 0, 0, 100, 100)
        canvas.setFillColor(colours[name])
        for outline in outlines:
            canvas.drawPath(_path(canvas, outline), stroke=0, fill=1)
        canvas.endForm()
    canvas.beginForm("rulers", 0, 0, *PAGE)
    _rulers(canvas)
    canvas.endForm()


def _path(canvas: Any, outline: str) -> Any:
    path = canvas.beginPath()
    steps = iter(outline.split())
    draw = {"M": (path.moveTo, 1), "L": (path.lineTo, 1), "C": (path.curveTo, 3), "Z": (path.close, 0)}
    for command in steps:
        call, points = draw[command]
        pairs = [(float(next(steps)), 100 - float(next(steps))) for _ in range(points)]
        call(*(value for pair in pairs for value in pair))
    return path


def _rulers(canvas: Any) -> None:
    canvas.setLineWidth(0.25)
    canvas.setFont("body", 6)
    lines, captions = deck.make_rulers()
    for line in lines:
        canvas.line(*_flip(line))
    for x, y, caption in captions:
        canvas.drawString(x * mm, PAGE[1] - y * mm, caption)


def _flip(line: deck.Line) -> deck.Line:
    x1, y1, x2, y2 = line
    return x1 * mm, PAGE[1] - y1 * mm, x2 * mm, PAGE[1] - y2 * mm


class _Printer:
    """Puts cards on sheets."""

    def __init__(self, canvas: Any):
        self.canvas = canvas
        widths = pdfmetrics.getFont("body").face.charWidths
        self.widths = {chr(code): width for code, width in widths.items()}
        self.colours = {name: HexColor(value) for name, value in deck.PALETTE.items()}
        self.lines = partial(deck.break_lines, widths=self.widths, room=49 * mm / RULES_SIZE * 1000)
        self.marked = 0
        """How many slots the cut marks of the form `marks` belong to; sheets are full but for the last."""

    def sheet(self, cards: list[dict[str, Any]], label: str) -> None:
        """One page."""
        canvas = self.canvas
        for slot, card in enumerate(cards):
            row, column = divmod(slot, deck.COLUMNS)
            canvas.saveState()
            canvas.translate(
                (deck.LEFT + column * deck.WIDTH) * mm, PAGE[1] - (deck.TOP + (row + 1) * deck.HEIGHT) * mm
            )
            self.card(card)
            canvas.restoreState()
        if self.marked != len(cards):
            self._mark(len(cards))
        canvas.doForm(f"marks{self.marked}")
        canvas.doForm("rulers")
        canvas.setFont("body", 6)
        canvas.drawString(12 * mm, deck.MARGIN * mm + 2, label)
        canvas.showPage()

    def card(self, card: dict[str, Any]) -> None:
        """One card, the origin at its lower left corner."""
        canvas, colours, icon, number = self.canvas, self.colours, card["icon"], str(card["number"])
        if "art" in card:
            canvas.drawImage(card["art"], 0, 0, deck.WIDTH * mm, deck.HEIGHT * mm)
        canvas.doForm("panel_on_art" if "art" in card else "panel")
        for x, y, side in ((20.5, 14, 22), (50, 6.5, 6)):
            canvas.saveState()
            canvas.transform(side * mm / 100, 0, 0, side * mm / 100, x * mm, (deck.HEIGHT - y - side) * mm)
            canvas.doForm(icon)
            canvas.restoreState()
        canvas.setFillColor(colours[icon])
        canvas.setFont("body", 20)
        canvas.drawString(7 * mm, (deck.HEIGHT - 13) * mm, number)
        canvas.saveState()
        canvas.transform(-1, 0, 0, -1, deck.WIDTH * mm, deck.HEIGHT * mm)
        canvas.drawString(7 * mm, (deck.HEIGHT - 13) * mm, number)
        canvas.restoreState()
        self._texts(card)

    def _texts(self, card: dict[str, Any]) -> None:
        canvas, title = self.canvas, card["title"]
        canvas.setFillGray(0)
        canvas.setFont("body", TITLE_SIZE)
        width = sum(map(self.widths.__getitem__, title)) * TITLE_SIZE / 1000
        canvas.drawString(deck.WIDTH / 2 * mm - width / 2, (deck.HEIGHT - 43) * mm, title)
        text = canvas.beginText(7 * mm, (deck.HEIGHT - 49.3) * mm)
        text.setFont("body", RULES_SIZE, RULES_SIZE * RULES_LEADING)
        for line in self.lines(card["text"]):
            text.textLine(line)
        canvas.drawText(text)
        canvas.setFillColor(self.colours["bronze"])
        canvas.setFont("body", 5)
        canvas.drawString(7 * mm, (deck.HEIGHT - 78) * mm, f"試し刷りの札 {card['number']}番")
        canvas.setFont("body", 4)
        digest = deck.make_digest(card, 6)
        canvas.drawString(7 * mm, (deck.HEIGHT - 81.5) * mm, f"草案{deck.DRAFT} · {digest}")

    def _mark(self, taken: int) -> None:
        """The form with the cut marks of so many slots: dark hairlines on white ones."""
        canvas = self.canvas
        path = canvas.beginPath()
        for line in deck.make_cut_marks(taken):
            x1, y1, x2, y2 = _flip(line)
            path.moveTo(x1, y1)
            path.lineTo(x2, y2)
        canvas.beginForm(f"marks{taken}", 0, 0, *PAGE)
        for width, grey in ((1.0, 1), (0.25, 0)):
            canvas.setLineWidth(width)
            canvas.setStrokeGray(grey)
            canvas.drawPath(path)
        canvas.endForm()
        self.marked = taken


if __name__ == "__main__":
    _font = sys.argv[3] if len(sys.argv) > 3 else Path(__file__).parent.parent / "fonts" / deck.FONT
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(_font))
