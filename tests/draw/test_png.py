"""Pixels of pages and faces: as many as the size asks for, nothing of the paper at the edges, the same each time."""

import pypdfium2
import pytest
from pdf_samples import BOOK, block, document, face, palette, pdf, sheet, spelled
from tests_support import page_count

from generator.drawing.pdf.page_images import render_drawing_png, render_page


def test_pages_are_counted_from_bytes_and_files(tmp_path):
    """A PDF's pages are counted whether it is in memory or on disk."""
    made = pdf(document(sheet(), sheet(), sheet()))
    path = tmp_path / "three.pdf"
    path.write_bytes(made)
    assert page_count(made) == page_count(path) == 3


def test_each_page_is_rendered_by_its_number(tmp_path):
    """Pages are counted from 0; one that isn't there is an IndexError, never another page."""
    made = pdf(document(sheet(items=(block(0, 0, 2, 2),)), sheet(items=(block(2, 2, 2, 2, "#0000ff"),))))
    path = tmp_path / "two.pdf"
    path.write_bytes(made)
    assert spelled(render_page(made, 0, 25.4)) == "RR..\nRR..\n....\n...."
    assert spelled(render_page(path, 1, 25.4)) == "....\n....\n..BB\n..BB"
    for number in (2, -1):
        with pytest.raises(IndexError, match=f"page {number} of 2"):
            render_page(made, number, 25.4)


@pytest.mark.parametrize("dpi", [72, 100, 150, 300, 333])
def test_a_face_fills_its_picture_to_the_edge(dpi):
    image = render_drawing_png(face(block(-3, -3, 69, 94), width=63, height=88, bleed=3), dpi, BOOK, palette, None)
    assert image.size == (round(63 / 25.4 * dpi), round(88 / 25.4 * dpi))
    assert image.getcolors() == [(image.width * image.height, (255, 0, 0))]


def test_documents_are_closed(monkeypatch, tmp_path):
    """Pdfium lets go of a PDF once it is counted or rendered, also when the page isn't there."""
    kept = []

    class Kept(pypdfium2.PdfDocument):
        def __init__(self, pdf):
            super().__init__(pdf)
            kept.append(self)

    monkeypatch.setattr(pypdfium2, "PdfDocument", Kept)
    path = tmp_path / "one.pdf"
    path.write_bytes(pdf(document(sheet())))
    page_count(path)
    render_page(path, 0, 72)
    with pytest.raises(IndexError):
        render_page(path, 1, 72)
    assert [one.raw for one in kept] == [None, None, None]


def test_a_speck_still_has_a_pixel():
    assert render_drawing_png(face(width=0.1, height=0.1), 25.4, BOOK, palette, None).size == (1, 1)
