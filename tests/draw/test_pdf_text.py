"""Text in a PDF: found, copied and read aloud as it was set, in both languages."""

import subprocess
from pathlib import Path

import pypdfium2
from pdf_samples import (
    document,
    face,
    font,
    pdf,
    placed,
    sheet,
    words,
)

from generator.game.print_pages import Document

HERE = Path(__file__).parent


def both_languages() -> Document:
    """A sheet with a face in each language."""
    japanese = face(
        words("珍獣を一枚選び、場に出す。", "gothic", 3, 10, 9),
        words("（ヴィア・アンティカ）", "mincho", 3, 20, 9),
        width=63,
        height=40,
        lang="ja",
    )
    english = face(
        words("Draw two cards, discard an office", "sans", 3, 10, 9),
        words("waffle: AVATAR – “Fortuna”", "italic", 3, 20, 9),
        width=63,
        height=40,
        lang="en",
    )
    return document(sheet(placed(japanese, 5, 5), placed(english, 5, 50), width=80, height=100))


LINES = ("珍獣を一枚選び、場に出す。", "（ヴィア・アンティカ）", "Draw two cards, discard an office", "waffle: AVATAR – “Fortuna”")  # fmt: skip


def test_text_is_found_as_it_was_set(tool, tmp_path):
    """Poppler reads every line of both languages whole and in order, ligatures as letters."""
    path = tmp_path / "both.pdf"
    path.write_bytes(pdf(both_languages()))
    read = subprocess.run([tool("pdftotext"), path, "-"], capture_output=True, check=True).stdout.decode()
    assert tuple(line for line in read.replace("\f", "").splitlines() if line) == LINES


def test_text_is_found_by_another_reader_too():
    made = pypdfium2.PdfDocument(pdf(both_languages()))
    page = made[0]
    text = page.get_textpage()
    read = text.get_text_range().replace("\r", "")
    for part in (text, page, made):
        part.close()
    assert tuple(line for line in read.split("\n") if line.strip()) == LINES


def test_a_hyphen_set_by_hyphenation_joins_the_word(tool, tmp_path):
    """A reader gets U+00AD where a word was broken, and a hyphen where one was written."""
    run = words("re-use hyphen-")
    hyphen = font("sans").find_glyph("-")
    assert run.glyphs[-1] == hyphen
    broken = run._replace(clusters=(*run.clusters[:-1], "\u00ad"))
    path = tmp_path / "broken.pdf"
    path.write_bytes(pdf(document(sheet(placed(face(broken, width=60, height=20)), width=60, height=20))))
    read = subprocess.run([tool("pdftotext"), path, "-"], capture_output=True, check=True).stdout.decode()
    assert read.strip() == "re-use hyphen\u00ad"
