"""Columns in a PDF: read in their order by every reader, and drawn where the setter put them."""

import io
import subprocess
import unicodedata
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from column_cases import EM, book, ink, put, put_line, runs
from pdf_samples import document, palette, placed, sheet

from generator.base.display_list import Drawing, FaceHasher, TextRun
from generator.drawing.pdf.content import find_column
from generator.drawing.pdf.document import write_pdf
from generator.drawing.pdf.page_images import render_drawing_png
from generator.text.glyph_rows import SetText

TEXT = "「珍獣屋」は、ー（2枚）〜……12月の夜に!!カードAとFortuna 2048を3!?捨てた。"
LANGUAGE = "ja"


def face(*texts: SetText) -> Drawing:
    """A face of 50 x 80 mm with these texts."""
    return Drawing(50, 80, 0, tuple(item for text in texts for item in text.items), LANGUAGE)


def pdf(drawing: Drawing) -> bytes:
    """A PDF of one face."""
    out = io.BytesIO()
    page = sheet(placed(drawing), width=drawing.width, height=drawing.height)
    write_pdf(document(page, lang=LANGUAGE), book(), palette, Path, out)
    return out.getvalue()


def by_poppler(made: bytes, tool: Any, folder: Path) -> list[str]:
    """The lines that pdftotext reads in the order of the content, compatibility forms as letters."""
    path = folder / "columns.pdf"
    path.write_bytes(made)
    read = subprocess.run([tool("pdftotext"), "-raw", path, "-"], capture_output=True, check=True).stdout.decode()
    return unicodedata.normalize("NFKC", read.replace("\f", "")).splitlines()


def by_pdfium(made: bytes) -> str:
    """What Pdfium reads, as one string without spaces."""
    opened = pypdfium2.PdfDocument(made)
    page = opened[0]
    text = page.get_textpage()
    read = text.get_text_range()
    for part in (text, page, opened):
        part.close()
    return "".join(read.split())


@pytest.mark.parametrize("family", ["mincho", "body"])
def test_columns_are_read_one_by_one(family: str, tool: Any, tmp_path: Path) -> None:
    done = put(TEXT, height=15 * EM, family=family)
    lines = by_poppler(pdf(face(done)), tool, tmp_path)
    assert "".join(lines) == unicodedata.normalize("NFKC", TEXT)
    assert len(lines) <= len(done.frame.lines) == 3
    assert by_pdfium(pdf(face(done))) == TEXT.replace(" ", "")


def test_a_column_ends_at_its_foot_and_at_a_reading() -> None:
    base, reading, rest, following = items = tuple(runs(put("{女神|めがみ}の\n夜", height=20)))
    assert [find_column(items, at) for at in range(4)] == [[base], [reading], [rest], [following]]
    mixed = runs(put("あ12いFortunaう", family="body"))
    assert find_column(tuple(mixed), 0) == mixed
    assert len(mixed) == 5
    lower, upper = runs(put_line("下", 20, 50)), runs(put_line("上", 20, 48))
    assert find_column((*upper, *lower), 0) == [*upper, *lower]
    assert find_column((*lower, *upper), 0) == lower


def test_readings_and_neighbours_are_read_apart(tool: Any, tmp_path: Path) -> None:
    done = put("{女神|めがみ}の運命。", height=20)
    assert by_pdfium(pdf(face(done))) == "女神めがみの運命。"
    above, below = put_line("上の文", 20, 10), put_line("下の文", 20, 50)
    assert by_poppler(pdf(face(above, below)), tool, tmp_path) == ["上の文", "下の文"]


def test_variants_are_read_with_their_selectors(tool: Any, tmp_path: Path) -> None:
    done = put("辻\U000e0101と葛\U000e0100")
    assert by_poppler(pdf(face(done)), tool, tmp_path) == ["辻\U000e0101と葛\U000e0100"]


def test_ink_is_where_the_setter_says() -> None:
    done = put("「珍獣屋」は、12月の夜に!!ABCとA。", height=25, family="body")
    dpi, grey = 254, 10
    image = render_drawing_png(face(done), dpi, book(), palette, Path).convert("L")
    boxes = [box for run in runs(done) for box in ink(run)]
    assert len(boxes) == 21
    for left, top, right, bottom in boxes:
        cut = image.crop((int(left * grey) - 1, int(top * grey) - 1, int(right * grey) + 2, int(bottom * grey) + 2))
        dark = cut.point(lambda level: 255 if level < 128 else 0).getbbox()
        assert dark is not None
        assert dark[0] <= 3 and dark[1] <= 3 and dark[2] >= cut.width - 4 and dark[3] >= cut.height - 4
        image.paste(255, (int(left * grey) - 1, int(top * grey) - 1, int(right * grey) + 2, int(bottom * grey) + 2))
    assert image.getextrema()[0] > 200


def test_places_count_for_the_face_hash() -> None:
    (run,) = runs(put("あい"))
    moved = TextRun(
        run.x, run.y, run.size, run.font, run.glyphs, run.clusters, places=((0.0, 0.0), (0.0, run.places[1][1] + 0.01))
    )
    hasher = FaceHasher(str)
    assert hasher.hash(Drawing(50, 80, 0, (run,))) == hasher.hash(Drawing(50, 80, 0, (runs(put("あい"))[0],)))
    assert hasher.hash(Drawing(50, 80, 0, (run,))) != hasher.hash(Drawing(50, 80, 0, (moved,)))
