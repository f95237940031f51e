"""The pictures of docs/rulebook.md: what stands above each, set as a book of the game that it speaks of."""

import io
import re
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from PIL import Image, ImageChops

from generator.books.page.book_pages import set_book_on_sheet, typeset_book
from generator.books.rulebook.book_templates import NOTES, QUICK_START
from generator.books.rulebook.read_book import read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.drawing.pdf.page_images import render_page
from generator.game.load_game import load_game
from generator.game.print_pages import Document
from generator.game.project import find_project
from generator.rules.registry import load_rules

HERE = Path(__file__).parent
GAME, LANG = "fortuna", "en"
PAGES, QUICK = "guides/book-pages.png", "guides/book-quick-start.png"
"""The pictures that show whole pages; the others show what stands on one."""

_DPI, _PAGES_DPI, _QUICK_DPI = 110.0, 84.0, 70.0
_HEAD, _FOOT = 12.5, 14.5
"""mm of a page above and below its text, with its running head and its number."""

_GAP, _GROUND, _COLOURS = 12, (236, 232, 224), 64
_SHOWN = re.compile(
    r"^````\n((?:(?!^````$).)*)^````\n\n!\[[^]]*\]\((guides/book-[\w-]+\.png)\)$", re.MULTILINE | re.DOTALL
)


def of_books() -> None:
    """Write docs/guides/book-*.png."""
    text = (HERE / "rulebook.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("data", "templates"):
            for part in (GAME, "common"):
                if (HERE.parent / name / part).exists():
                    shutil.copytree(HERE.parent / name / part, root / name / part)
        shutil.copytree(HERE.parent / "fonts", root / "fonts")
        for block, name in _SHOWN.findall(text):
            template = root / "templates" / GAME / NOTES.get_template_name(LANG)
            template.write_text(block, encoding="utf-8")
            pages = list(_pages(root, _PAGES_DPI if name == PAGES else _DPI))
            _save(_beside(pages[1:]) if name == PAGES else _trimmed(pages[1]), name)
        _save(_beside(list(_pages(HERE.parent, _QUICK_DPI, quick=True))), QUICK)


def _pages(root: Path, dpi: float, *, quick: bool = False) -> Iterable[Image.Image]:
    """The pages of a project's book of notes, or of its quick start."""
    project = find_project(root)
    shop = Workshop(load_game(project.find_folder(GAME), project.resources), project.resources)
    played = RulebookPlay(shop.game, lambda: load_rules(shop.game, project.find_folder(GAME)))
    paint = find_accent(shop.game.palette)
    if quick:
        document = set_book_on_sheet(read_book(shop, LANG, played, QUICK_START), shop, accent=paint)
    else:
        document = typeset_book(replace(read_book(shop, LANG, played, NOTES), imprint=()), shop, accent=paint)
    return _drawn(document, shop, dpi)


def _drawn(document: Document, shop: Workshop, dpi: float) -> Iterable[Image.Image]:
    out = io.BytesIO()
    shop.write_document(document, out)
    return [render_page(out.getvalue(), number, dpi) for number in range(len(document.pages))]


def _trimmed(page: Image.Image) -> Image.Image:
    """What stands on a page, without the paper around it."""
    dot = _DPI / 25.4
    inner = page.crop((0, round(_HEAD * dot), page.width, page.height - round(_FOOT * dot)))
    box = ImageChops.difference(inner, Image.new("RGB", inner.size, (255, 255, 255))).getbbox()
    left, top, right, bottom = box or (0, 0, *inner.size)
    made = Image.new("RGB", (right - left + 2 * _GAP, bottom - top + 2 * _GAP), (255, 255, 255))
    made.paste(inner.crop((left, top, right, bottom)), (_GAP, _GAP))
    return made


def _beside(pages: Sequence[Image.Image]) -> Image.Image:
    """Pages on a ground."""
    width = sum(page.width + _GAP for page in pages) + _GAP
    made = Image.new("RGB", (width, pages[0].height + 2 * _GAP), _GROUND)
    for number, page in enumerate(pages):
        made.paste(page, (_GAP + number * (page.width + _GAP), _GAP))
    return made


def _save(picture: Image.Image, name: str) -> None:
    picture.quantize(_COLOURS).save(HERE / name, optimize=True)


if __name__ == "__main__":
    of_books()
