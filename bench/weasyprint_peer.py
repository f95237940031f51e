"""The same sheets, book and table by WeasyPrint, from HTML.

PYTHON weasyprint_peer.py sheets|book|table CARDS.json OUT.pdf
"""

import base64
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import deck
import weasyprint

FONT_FACE = f"@font-face{{font-family:body;src:url('{(Path(__file__).parent.parent / 'fonts' / deck.FONT).as_uri()}')}}"
SHEETS = f"""{FONT_FACE}
@page{{size:210mm 297mm;margin:0}}
body{{margin:0;font-family:body}}
section{{position:relative;width:210mm;height:297mm;break-after:page;overflow:hidden}}
section:last-child{{break-after:auto}}
.card{{position:absolute;width:{deck.WIDTH}mm;height:{deck.HEIGHT}mm}}
.card>*,section>img{{position:absolute;margin:0;line-height:1}}
section>img{{left:0;top:0}}
.n{{left:7mm;top:6mm;font-size:20pt}}
.r{{transform:rotate(180deg);left:0;top:0;width:{deck.WIDTH}mm;height:{deck.HEIGHT}mm}}
.r span{{position:absolute;left:7mm;top:6mm;font-size:20pt}}
.t{{left:7mm;top:39.5mm;width:49mm;font-size:11pt;text-align:center}}
.x{{left:7mm;top:46.6mm;width:49mm;font-size:7.5pt;line-height:1.5}}
.c{{left:7mm;top:76.4mm;font-size:5pt;color:{deck.PALETTE["bronze"]}}}
.s{{left:7mm;top:80.2mm;font-size:4pt;color:{deck.PALETTE["bronze"]}}}
.l{{position:absolute;left:12mm;top:289.5mm;font-size:6pt}}
.p{{box-sizing:border-box;background:{deck.PALETTE["parchment"]};border:.6mm solid {deck.PALETTE["bronze"]}}}"""
BOOK = f"""{FONT_FACE}
@page{{size:A5;margin:17mm 16mm 18mm;@bottom-center{{content:counter(page);font:7pt body}}}}
body{{font:8.5pt/1.7 body;text-align:justify}}
h1{{font-size:18pt;break-before:page}}
h2{{font-size:11pt}}
table{{border-collapse:collapse;width:100%}}
td{{border-bottom:.25pt solid #888;padding:.6mm;vertical-align:top}}
thead{{display:table-header-group}}"""


def main(kind: str, source: Path, target: Path) -> None:
    """Print the cards of a JSON file."""
    cards = json.loads(source.read_text(encoding="utf-8"))
    parts = {"sheets": write_sheets, "book": write_book, "table": write_table}[kind](cards)
    style = SHEETS if kind == "sheets" else BOOK
    page = f'<html lang="ja"><title>{deck.TITLE}</title><style>{style}</style><body>{"".join(parts)}</body></html>'
    weasyprint.HTML(string=page).write_pdf(target)


def write_sheets(cards: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a section of HTML for each sheet."""
    size, icons = deck.COLUMNS * deck.ROWS, {name: _draw_icon(name) for name in deck.ICONS}
    rulers, captions = deck.make_rulers()
    words = "".join(
        f'<text x="{x}" y="{y}" font-size="2.1" font-family="body">{word}</text>' for x, y, word in captions
    )
    scale = _draw_lines(rulers, 0.25, "#000") + words
    marks = {slots: _draw_page(scale + _draw_marks(slots)) for slots in {size, len(cards) % size} - {0}}
    for label, sheet in deck.split_sheets(cards):
        faces = "".join(_write_card(slot, card, icons[card["icon"]]) for slot, card in enumerate(sheet))
        yield f'<section>{faces}<img src="{marks[len(sheet)]}"><div class="l">{label}</div></section>'


def _write_card(slot: int, card: dict[str, Any], icon: str) -> str:
    row, column = divmod(slot, deck.COLUMNS)
    number, paint = card["number"], deck.PALETTE[card["icon"]]
    left, top, width, height, radius = deck.PANEL_ON_ART if "art" in card else deck.PANEL
    digest = deck.make_digest(card, 6)
    art = f'<img src="{Path(card["art"]).as_uri()}" style="width:100%;height:100%">' if "art" in card else ""
    panel = f"left:{left}mm;top:{top}mm;width:{width}mm;height:{height}mm;border-radius:{radius}mm"
    return (
        f'<div class="card" style="left:{deck.LEFT + column * deck.WIDTH}mm;top:{deck.TOP + row * deck.HEIGHT}mm">{art}'
        f'<div class="p" style="{panel}"></div>'
        f'<img src="{icon}" style="left:20.5mm;top:14mm;width:22mm">'
        f'<img src="{icon}" style="left:50mm;top:6.5mm;width:6mm">'
        f'<div class="n" style="color:{paint}">{number}</div>'
        f'<div class="r" style="color:{paint}"><span>{number}</span></div>'
        f'<p class="t">{card["title"]}</p><p class="x">{card["text"]}</p><p class="c">試し刷りの札 {number}番</p>'
        f'<p class="s">草案{deck.DRAFT} · {digest}</p></div>'
    )


def _draw_icon(name: str) -> str:
    paths = "".join(f'<path d="{outline}"/>' for outline in deck.ICONS[name])
    fill = deck.PALETTE[name]
    return _embed(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" fill="{fill}">{paths}</svg>')


def _draw_page(content: str) -> str:
    return _embed(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 210 297">{content}</svg>'
    )


def _draw_marks(slots: int) -> str:
    lines = deck.make_cut_marks(slots)
    return _draw_lines(lines, 1, "#fff") + _draw_lines(lines, 0.25, "#000")


def _draw_lines(lines: list[deck.Line], width: float, colour: str) -> str:
    path = " ".join(f"M{x1} {y1}L{x2} {y2}" for x1, y1, x2, y2 in lines)
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width * 25.4 / 72}"/>'


def _embed(svg: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def write_book(cards: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the chapters."""
    for start in range(0, len(cards), deck.CHAPTER):
        chapter = cards[start : start + deck.CHAPTER]
        yield f"<h1>{chapter[0]['title']}の巻</h1>"
        for card in chapter:
            yield f"<h2>{card['title']}</h2><p>{card['text'] * 2}</p>"
            yield f"<ul><li>{card['title']}を取る</li><li>{card['title']}を置く</li></ul>"
        rows = "".join(f"<tr><td>{card['number']}<td>{card['title']}</tr>" for card in chapter)
        yield f"<table><thead><tr><td>番号<td>名</tr></thead>{rows}</table>"


def write_table(cards: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the table's rows."""
    yield "<table><thead><tr><td>番号<td>名<td>文</tr></thead>"
    for card in cards:
        yield f"<tr>{''.join(f'<td>{cell}' for cell in deck.make_table_row(card))}</tr>"
    yield "</table>"


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
