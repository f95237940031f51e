"""A stranger's game of another size, one language, own fields, template and font, without rules, builds from its folder."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from conftest import Ran
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from generator.drawing.pdf.page_images import render_page

GAME = """\
format: 1
title: Krähenpost
draft: Entwurf 3
date: 2026-02-28
languages: [de]
players: {fewest: 1, most: 6}
credit: Jemand
licence: CC BY 4.0
palette: {paper: "#fff8e0", night: "#202040", moss: "#406030"}
fonts: {hand: {de: {regular: [Feder.ttf]}}}
"""

CARDS = """\
components:
  bote:
    name: Bote
    size: [90, 50]
    bleed: 2
    safe: 4
    corner: 0
    front: bote
    fields:
      name: words
      wind: {type: choice, choices: [nord, ost, sued, west]}
      flug: {type: list, of: integer, min: 1}
      nachts: boolean
    designs:
"""

TEMPLATE = """\
<svg viewBox="0 0 90 50">
  <rect x="-2" y="-2" width="94" height="54" fill="{{ 'night' if card.nachts else 'paper' }}" data-role="ground"/>
  {% for weite in card.flug %}
  <circle cx="{{ 12 + 12 * loop.index0 }}" cy="40" r="{{ weite }}" fill="moss"/>
  {% endfor %}
  <text x="5" y="12" font-family="hand" font-size="14pt" fill="{{ 'paper' if card.nachts else 'ink' }}">{{ card.name }}</text>
  <textbox x="5" y="16" width="80" height="12" font-family="hand" font-size="9pt"
    fill="{{ 'paper' if card.nachts else 'ink' }}">{{ card.wind }} {{ card.flug | join(' ') }}</textbox>
</svg>
"""


def own_font(path: Path) -> None:
    """A font of the stranger's: every letter a block, drawn here."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzäöüß0123456789 .,-"
    names = [".notdef", *(f"g{n}" for n in range(len(letters)))]
    pen = TTGlyphPen(None)
    for point in ((50, 0), (50, 600), (450, 600), (450, 0)):
        (pen.moveTo if point == (50, 0) else pen.lineTo)(point)
    pen.closePath()
    block, blank = pen.glyph(), TTGlyphPen(None).glyph()
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(char): f"g{n}" for n, char in enumerate(letters)})
    space = f"g{letters.index(' ')}"
    builder.setupGlyf({name: blank if name in (".notdef", space) else block for name in names})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (500, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Feder", "styleName": "Regular", "psName": "Feder-Regular"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, fsType=0)
    builder.setupPost()
    builder.save(path)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Twenty cards of 90 x 50 mm in German."""
    root = tmp_path / "kraehenpost"
    winds = ("nord", "ost", "sued", "west")
    rows = [
        f"      - {{id: {n}, count: 1, name: Bote {n}, wind: {winds[n % 4]}, flug: [{n % 4 + 1}, 2], nachts: {n % 2 == 0}}}\n"
        for n in range(1, 21)
    ]
    files = {"data/post/game.yaml": GAME, "data/post/karten.yaml": CARDS + "".join(rows), "templates/post/bote.svg": TEMPLATE}  # fmt: skip
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    (root / "fonts").mkdir()
    own_font(root / "fonts/Feder.ttf")
    return root


def test_a_strangers_game_builds_from_its_own_folder(project: Path, tool: Callable[[str], str]) -> None:
    """Ten cards a sheet, the stranger's font embedded, each card's words extractable, colours as drawn."""
    done = subprocess.run(
        [sys.executable, "-m", "generator", "build"], cwd=project / "data", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and re.fullmatch(r"validation: \d+ checks passed\n", done.stderr)
    pdf = project / "data/output/post/sheets.de.pdf"

    with pikepdf.open(pdf) as opened:
        assert len(opened.pages) == 2
    text = subprocess.run([tool("pdftotext"), str(pdf), "-"], capture_output=True, text=True, check=True).stdout
    for n in range(1, 21):
        assert text.count(f"Bote {n}\n") == 1
    assert "Entwurf 3" in text
    fonts = subprocess.run([tool("pdffonts"), str(pdf)], capture_output=True, text=True, check=True).stdout
    assert "Feder" in fonts
    page = render_page(pdf, 0, 50)
    colours = {page.getpixel((x, y)) for x in range(40, 380, 7) for y in range(40, 540, 7)}
    assert {(255, 248, 224), (32, 32, 64), (64, 96, 48)} <= colours


def test_a_strangers_game_is_validated_and_listed(project: Path, pnp: Callable[..., Ran]) -> None:
    """Without rules, icons or backs the generic checks still run, and nothing speaks of other games."""
    report = pnp("--project", str(project), "validate")
    listed = pnp("--project", str(project), "list").out
    assert report.code == 0, report.out
    assert "0 fail" in report.out.splitlines()[0]
    assert "post: Krähenpost, draft Entwurf 3, 1-6 players, de" in listed
    assert "20  (not stated, 20 designs, 90 x 50 mm)  Bote" in listed
    assert "ortuna" not in report.out + listed
