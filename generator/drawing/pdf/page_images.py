"""Page images: pages of a PDF as PNG and JPEG at any resolution, rendered by PDFium."""

import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal

import pypdfium2
import pypdfium2.raw
from PIL import Image

from generator.base.colour import Rgb
from generator.base.display_list import Drawing, Group, Item, Paint
from generator.base.geometry import MM_PER_INCH, PT_PER_INCH, Rect, Size
from generator.base.picture_files import encode_png, save_picture
from generator.drawing.pdf.document import write_pdf
from generator.game.print_pages import Document, Page, Placement
from generator.text.fonts import FontBook


def render_page(pdf: bytes | Path, page: int, dpi: float) -> Image.Image:
    """Return a page (counted from 0) on white, in RGB. Raise IndexError if there is no such page.

    The picture has the whole number of pixels nearest to the page's size and shows the whole page, so that edges are
    not half a pixel of paper.
    """
    return _render_mode(pdf, page, dpi, "RGB")


def _render_mode(pdf: bytes | Path, page: int, dpi: float, mode: Literal["RGB", "RGBA"]) -> Image.Image:
    with _open_bitmap(pdf, page, dpi, mode) as bitmap:
        picture: Image.Image = bitmap.to_pil().convert(mode).copy()  # a copy: the bitmap's memory is freed
        return picture


@contextmanager
def _open_bitmap(
    pdf: bytes | Path, page: int, dpi: float, mode: Literal["RGB", "RGBA"], flags: int = 0
) -> Iterator[pypdfium2.PdfBitmap]:
    kind, ground = (pypdfium2.raw.FPDFBitmap_BGR, 255) if mode == "RGB" else (pypdfium2.raw.FPDFBitmap_BGRA, 0)
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        if not 0 <= page < len(document):
            raise IndexError(f"page {page} of {len(document)}")
        leaf = document[page]  # closed with its document
        width, height = (max(1, round(side * dpi / PT_PER_INCH)) for side in leaf.get_size())
        bitmap = pypdfium2.PdfBitmap.new_native(width, height, kind)
        try:
            bitmap.fill_rect((ground, ground, ground, ground), 0, 0, width, height)
            pypdfium2.raw.FPDF_RenderPageBitmap(bitmap, leaf, 0, 0, width, height, 0, pypdfium2.raw.FPDF_ANNOT | flags)
            yield bitmap
        finally:
            bitmap.close()


_QUICK = 3
"""Compression level of PNGs for which somebody waits."""


def render_screen_png(pdf: bytes | Path, page: int, dpi: float) -> bytes:
    """Return a page (counted from 0) as a PNG file for the screen. Raise IndexError if there is no such page.

    This works without Pillow, which may be missing when the program runs in a browser.
    """
    with _open_bitmap(pdf, page, dpi, "RGB", pypdfium2.raw.FPDF_REVERSE_BYTE_ORDER) as bitmap:
        width, height, stride = bitmap.width, bitmap.height, bitmap.stride
        pixels = bytes(bitmap.buffer)
    rows = b"".join(b"\0" + pixels[at : at + 3 * width] for at in range(0, stride * height, stride))
    return encode_png("RGB", (width, height), zlib.compress(rows, _QUICK))


def render_page_png(pdf: bytes | Path, page: int, dpi: float) -> bytes:
    """Return a page (counted from 0) as a PNG file. Raise IndexError if there is no such page."""
    return save_picture(render_page(pdf, page, dpi), compress_level=6, dpi=(dpi, dpi))


_LARGEST_PAGE = 1000.0
"""Maximum side (mm) of the temporary page on which items are rendered: PDF readers accept no more than 5 m."""


def render_items_png(
    items: tuple[Item, ...],
    box: Rect,
    scale: float,
    fonts: FontBook,
    palette: Callable[[Paint], Rgb],
    pictures: Callable[[str], Path],
) -> Image.Image:
    """Render items in a box: RGBA, transparent, `scale` pixels per unit. `pictures` returns the file of a source."""
    fine = min(1.0, _LARGEST_PAGE / max(box.width, box.height))
    by = (fine, 0.0, 0.0, fine, -box.x * fine, -box.y * fine)
    page = Page(Size(box.width * fine, box.height * fine), "front", 1, (), (Group(items, by),))
    out = io.BytesIO()
    write_pdf(Document("", "", (page,)), fonts, palette, pictures, out)
    return _render_mode(out.getvalue(), 0, scale / fine * MM_PER_INCH, "RGBA")


def render_drawing_png(
    drawing: Drawing, dpi: float, fonts: FontBook, palette: Callable[[Paint], Rgb], pictures: Callable[[str], Path]
) -> Image.Image:
    """Return an image of a face as cut, at `dpi` pixels per inch. `pictures` returns the file of a source."""
    trim = Rect(0, 0, drawing.width, drawing.height)
    sheet = Page(Size(trim.width, trim.height), "front", 1, (Placement("", drawing, trim, trim),))
    out = io.BytesIO()
    write_pdf(Document(drawing.title, drawing.lang, (sheet,)), fonts, palette, pictures, out)
    return render_page(out.getvalue(), 0, dpi)
