"""The same sheets as the program's, written straight to ReportLab: no YAML, no templates, no rules of typesetting.

    python floor.py CARDS.json OUT.pdf [FONT.ttf]

This is the yardstick: what someone who knows ReportLab well writes for this one deck and no other. What repeats (panel,
icons, cut marks) is a form; text goes through ReportLab's own TTFont with its C code; lines are filled greedily by
character widths.
"""

import hashlib
import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

from deck import DRAFT, FONT, HEIGHT, ICONS, PALETTE, TITLE, WIDTH
from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

PAGE = (210 * mm, 297 * mm)
COLUMNS = ROWS = 3
LEFT, TOP = (210 - COLUMNS * WIDTH) / 2, (297 - ROWS * HEIGHT) / 2
BLEED, STANDOFF, MARGIN = 3.0, 0.5, 5.0
RULES_SIZE, RULES_LEADING = 7.5, 1.5
TITLE_SIZE = 11.0


def main(source: Path, target: Path, font: Path) -> None:
    """Print the cards of a JSON file."""
    rl_config.useA85 = 0  # smaller and faster, and every reader takes it
    deck = json.loads(source.read_text(encoding="utf-8"))
    pdfmetrics.registerFont(TTFont("body", str(font)))
    canvas = Canvas(str(target), pagesize=PAGE, pageCompression=1)
    canvas.setTitle(f"{TITLE} – 印刷用シート")
    _forms(canvas)
    printer = _Printer(canvas)
    size = COLUMNS * ROWS
    sheets = [deck[start : start + size] for start in range(0, len(deck), size)]
    for number, sheet in enumerate(sheets, 1):
        printer.sheet(sheet, f"{TITLE} · 草案{DRAFT} · シート {number}/{len(sheets)} · 表 · ja")
    canvas.save()


def _forms(canvas: Any) -> None:
    colours = {name: HexColor(value) for name, value in PALETTE.items()}
    canvas.beginForm("panel", 0, 0, WIDTH * mm, HEIGHT * mm)
    canvas.setFillColor(colours["parchment"])
    canvas.setStrokeColor(colours["bronze"])
    canvas.setLineWidth(0.6 * mm)
    canvas.roundRect(3 * mm, 3 * mm, 57 * mm, 82 * mm, 4 * mm, fill=1)
    canvas.endForm()
    for name, outlines in ICONS.items():
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
    for x, ticks, step, middle, major, caption in ((12, 50, 1.0, 5, 10, "50 mm"), (76, 16, 25.4 / 8, 4, 8, "2 in")):
        foot = PAGE[1] - (MARGIN + 2.6) * mm
        canvas.line(x * mm, foot, (x + ticks * step) * mm, foot)
        for tick in range(ticks + 1):
            at, height = (x + tick * step) * mm, 2.2 if tick % major == 0 else 1.6 if tick % middle == 0 else 1.0
            canvas.line(at, foot, at, foot + height * mm)
        canvas.drawString((x + ticks * step + 1) * mm, foot + 0.3 * mm, caption)


class _Printer:
    """Puts cards on sheets."""

    def __init__(self, canvas: Any):
        self.canvas = canvas
        widths = pdfmetrics.getFont("body").face.charWidths
        self.widths = {chr(code): width for code, width in widths.items()}
        self.colours = {name: HexColor(value) for name, value in PALETTE.items()}
        self.lines = partial(_lines, widths=self.widths, room=49 * mm / RULES_SIZE * 1000)
        self.marked = 0
        """How many slots the cut marks of the form `marks` belong to; sheets are full but for the last."""

    def sheet(self, cards: list[dict[str, Any]], label: str) -> None:
        """One page."""
        canvas = self.canvas
        for slot, card in enumerate(cards):
            row, column = divmod(slot, COLUMNS)
            canvas.saveState()
            canvas.translate((LEFT + column * WIDTH) * mm, PAGE[1] - (TOP + (row + 1) * HEIGHT) * mm)
            self.card(card)
            canvas.restoreState()
        if self.marked != len(cards):
            self._mark(len(cards))
        canvas.doForm(f"marks{self.marked}")
        canvas.doForm("rulers")
        canvas.setFont("body", 6)
        digest = hashlib.sha256(repr(cards).encode()).hexdigest()[:8]
        canvas.drawString(12 * mm, MARGIN * mm + 2, f"{label} · {digest}")
        canvas.showPage()

    def card(self, card: dict[str, Any]) -> None:
        """One card, the origin at its lower left corner."""
        canvas, colours, icon, number = self.canvas, self.colours, card["icon"], str(card["number"])
        canvas.doForm("panel")
        for x, y, side in ((20.5, 14, 22), (50, 6.5, 6)):
            canvas.saveState()
            canvas.transform(side * mm / 100, 0, 0, side * mm / 100, x * mm, (HEIGHT - y - side) * mm)
            canvas.doForm(icon)
            canvas.restoreState()
        canvas.setFillColor(colours[icon])
        canvas.setFont("body", 20)
        canvas.drawString(7 * mm, (HEIGHT - 13) * mm, number)
        canvas.saveState()
        canvas.transform(-1, 0, 0, -1, WIDTH * mm, HEIGHT * mm)
        canvas.drawString(7 * mm, (HEIGHT - 13) * mm, number)
        canvas.restoreState()
        self._texts(card)

    def _texts(self, card: dict[str, Any]) -> None:
        canvas, title = self.canvas, card["title"]
        canvas.setFillGray(0)
        canvas.setFont("body", TITLE_SIZE)
        width = sum(map(self.widths.__getitem__, title)) * TITLE_SIZE / 1000
        canvas.drawString(WIDTH / 2 * mm - width / 2, (HEIGHT - 43) * mm, title)
        text = canvas.beginText(7 * mm, (HEIGHT - 49.3) * mm)
        text.setFont("body", RULES_SIZE, RULES_SIZE * RULES_LEADING)
        for line in self.lines(card["text"]):
            text.textLine(line)
        canvas.drawText(text)
        canvas.setFillColor(self.colours["bronze"])
        canvas.setFont("body", 5)
        canvas.drawString(7 * mm, (HEIGHT - 78) * mm, f"試し刷りの札 {card['number']}番")
        canvas.setFont("body", 4)
        digest = hashlib.sha256(repr(card).encode()).hexdigest()[:6]
        canvas.drawString(7 * mm, (HEIGHT - 81.5) * mm, f"草案{DRAFT} · {digest}")

    def _mark(self, taken: int) -> None:
        """The form with the cut marks of so many slots: dark hairlines on white ones."""
        canvas = self.canvas
        columns, rows = min(taken, COLUMNS), -(-taken // COLUMNS)
        path = canvas.beginPath()
        for x in (LEFT + n * WIDTH for n in range(columns + 1)):
            for a, b in ((MARGIN, TOP - BLEED - STANDOFF), (297 - TOP + BLEED + STANDOFF, 297 - MARGIN)):
                path.moveTo(x * mm, a * mm)
                path.lineTo(x * mm, b * mm)
        for y in (297 - TOP - n * HEIGHT for n in range(rows + 1)):
            for a, b in ((MARGIN, LEFT - BLEED - STANDOFF), (210 - LEFT + BLEED + STANDOFF, 210 - MARGIN)):
                path.moveTo(a * mm, y * mm)
                path.lineTo(b * mm, y * mm)
        canvas.beginForm(f"marks{taken}", 0, 0, *PAGE)
        for width, grey in ((1.0, 1), (0.25, 0)):
            canvas.setLineWidth(width)
            canvas.setStrokeGray(grey)
            canvas.drawPath(path)
        canvas.endForm()
        self.marked = taken


def _lines(text: str, widths: dict[str, float], room: float) -> list[str]:
    """The text in lines of at most `room`, 1/1000 em, broken anywhere."""
    lines, start, used = [], 0, 0.0
    for at, char in enumerate(text):
        width = widths[char]
        if used + width > room:
            lines.append(text[start:at])
            start, used = at, 0.0
        used += width
    lines.append(text[start:])
    return lines


if __name__ == "__main__":
    _font = sys.argv[3] if len(sys.argv) > 3 else Path(__file__).parent.parent / "fonts" / FONT
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(_font))
