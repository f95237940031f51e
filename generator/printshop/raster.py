"""Faces and pages as pixels at a print resolution, and the bytes of PNG and JPEG files that say it."""

import io
import math
from collections.abc import Iterator, Sequence

from PIL import Image

from generator.errors import Problem, ProblemsFound
from generator.faces.workshop import Workshop
from generator.model.drawing import Drawing, Shape
from generator.model.sheet import Document, Page, Placement
from generator.sheets.guides import rounded_box
from generator.units import MM_PER_INCH, Rect, Size, plain
from generator.writers.png import render_page


def png(image: Image.Image, dpi: float) -> bytes:
    """A PNG file; equal pixels give equal bytes."""
    clean = image.copy()
    clean.info = {}
    out = io.BytesIO()
    clean.save(out, format="PNG", compress_level=6, dpi=(dpi, dpi))
    return out.getvalue()


def jpeg(image: Image.Image, dpi: float) -> bytes:
    """A JPEG file for looking at."""
    out = io.BytesIO()
    image.convert("RGB").save(out, format="JPEG", quality=88, subsampling=0, dpi=(round(dpi), round(dpi)))
    return out.getvalue()


MOST_PIXELS = 200_000_000
"""Of one picture: A3 at 940 dpi. It takes some ten bytes for each while it is made."""


def _must_fit(pages: Sequence[Page], dpi: float) -> None:
    """Says which resolution fits, where the largest page has too many pixels at this one."""
    largest = max((page.size for page in pages), key=lambda size: size.width * size.height, default=Size(0, 0))
    inches = largest.width * largest.height / MM_PER_INCH**2
    if inches * dpi**2 > MOST_PIXELS:
        what = (
            f"a picture of {plain(largest.width)} x {plain(largest.height)} mm has too many pixels at {plain(dpi)} dpi"
        )
        raise ProblemsFound([Problem(None, what, f"write --dpi {int(math.sqrt(MOST_PIXELS / inches))} or less")])


def page_images(workshop: Workshop, pages: Sequence[Page], dpi: float, lang: str = "") -> Iterator[Image.Image]:
    """Every page on white, in screen colours; ProblemsFound where one has more pixels than a picture may."""
    _must_fit(pages, dpi)
    out = io.BytesIO()
    workshop.write(Document("", lang, tuple(pages)), out)
    pdf = out.getvalue()
    for number in range(len(pages)):
        yield render_page(pdf, number, dpi)


def face_page_of(face: Drawing, bleed: bool) -> Page:
    """A page that is the face as it looks when cut, or with its bleed around it."""
    edge = face.bleed if bleed else 0.0
    trim = Rect(edge, edge, face.width, face.height)
    page = trim.grown(edge)
    return Page(Size(page.width, page.height), "front", 1, (Placement("", face, trim, page),))


def cut_shape(width: float, height: float, corner: float, outline: str = "") -> Page:
    """A page that is black where a piece is and white where it was cut away: its outline, or its rounded corners."""
    path = outline or rounded_box(Rect(0, 0, width, height), corner)
    return Page(Size(width, height), "front", 1, (), (Shape(path=path, fill="#000000", role="cut"),))


def cut_image(image: Image.Image, cut: Image.Image) -> Image.Image:
    """The picture with nothing where the cut's picture is white."""
    shown = image.convert("RGBA")
    shown.putalpha(cut.convert("L").point(lambda value: 255 - value))
    return shown


_FINER = 2
"""A picture for a screen is drawn so many times as large and made smaller: hairlines and turned edges come out even."""


def exact_image(workshop: Workshop, page: Page, pixels: tuple[int, int], lang: str = "") -> Image.Image:
    """A page in exactly so many pixels, whose shape is the page's own."""
    dpi = pixels[0] * _FINER / (page.size.width / MM_PER_INCH)
    (image,) = page_images(workshop, [page], dpi, lang)
    return image.resize(pixels, Image.Resampling.LANCZOS)


def halved(data: bytes) -> bytes:
    """A PNG file in half its size, for lists."""
    with Image.open(io.BytesIO(data)) as picture:
        half = picture.resize((picture.width // 2, picture.height // 2), Image.Resampling.LANCZOS)
    return png(half, 96.0)
