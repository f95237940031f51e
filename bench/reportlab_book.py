"""The same book and table by ReportLab's page layout, Platypus.

python reportlab_book.py book|table CARDS.json OUT.pdf
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deck import CHAPTER, FONT, make_table_row
from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import LongTable, PageBreak, Paragraph, SimpleDocTemplate

BODY, SECTION, TITLE = (
    ParagraphStyle(str(size), fontName="body", fontSize=size, leading=size * 1.7, wordWrap="CJK", spaceAfter=size / 2)
    for size in (8.5, 11, 18)
)
LINES = [("LINEBELOW", (0, 0), (-1, -1), 0.25, "grey"), ("VALIGN", (0, 0), (-1, -1), "TOP")]
TIGHT = [(f"{side}PADDING", (0, 0), (-1, -1), 0.6 * mm) for side in ("LEFT", "RIGHT", "TOP", "BOTTOM")]


def main(kind: str, source: Path, target: Path) -> None:
    """Print the cards of a JSON file."""
    cards = json.loads(source.read_text(encoding="utf-8"))
    pdfmetrics.registerFont(TTFont("body", str(Path(__file__).parent.parent / "fonts" / FONT)))
    margins = {"leftMargin": 16 * mm, "rightMargin": 16 * mm, "topMargin": 17 * mm, "bottomMargin": 18 * mm}
    book = SimpleDocTemplate(str(target), pagesize=A5, **margins)
    book.build([_make_table(cards, "番号 名 文", (12, 28, 76))] if kind == "table" else list(_write_book(cards)))


def _write_book(cards: list[dict[str, Any]]) -> Iterator[Any]:
    for start in range(0, len(cards), CHAPTER):
        chapter = cards[start : start + CHAPTER]
        if start:
            yield PageBreak()
        yield Paragraph(f"{chapter[0]['title']}の巻", TITLE)
        for card in chapter:
            title = card["title"]
            yield Paragraph(title, SECTION)
            yield Paragraph(card["text"] * 2, BODY)
            yield Paragraph(f"{title}を取る", BODY, "•")
            yield Paragraph(f"{title}を置く", BODY, "•")
        yield _make_table(chapter, "番号 名", (12, 104))


def _make_table(cards: list[dict[str, Any]], head: str, widths: tuple[float, ...]) -> Any:
    rows = [[Paragraph(cell, BODY) for cell in make_table_row(card)[: len(widths)]] for card in cards]
    return LongTable(
        [head.split(), *rows],
        [width * mm for width in widths],
        style=[*LINES, *TIGHT, ("FONT", (0, 0), (-1, -1), "body", 8.5)],
        repeatRows=1,
    )


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
