"""Pages and faces rendered as PNG and JPEG at any resolution."""

import io
import math
from collections.abc import Callable, Iterator, Sequence

from PIL import Image, ImageStat

from generator.base.display_list import Drawing, Shape, walk_leaves
from generator.base.errors import Problem, ProblemsFound
from generator.base.geometry import MM_PER_INCH, Rect, Size, find_scale, format_num
from generator.base.picture_files import PICTURE_LEVEL, save_picture
from generator.drawing.faces.face_marks import draw_rounded_box
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.pdf.page_images import render_page
from generator.game.model import Design, Kind
from generator.game.print_pages import Document, Page, Placement


def encode_png(image: Image.Image, dpi: float) -> bytes:
    """Return a PNG file that states its `dpi`; equal pixels give equal bytes."""
    clean = image.copy()
    clean.info = {}
    return save_picture(clean, compress_level=PICTURE_LEVEL, dpi=(dpi, dpi))


def encode_jpeg(image: Image.Image, dpi: float) -> bytes:
    """Return a JPEG file for viewing that states its `dpi`."""
    return save_picture(image.convert("RGB"), "JPEG", quality=88, subsampling=0, dpi=(round(dpi), round(dpi)))


def encode_webp(image: Image.Image) -> bytes:
    """Return a small WebP file for viewing; transparent pixels stay so."""
    return save_picture(image, "WEBP", quality=80, method=6)


_MOST_FINER = 60_000_000
MOST_PIXELS = 200_000_000
"""Maximum number of pixels of one picture (A3 at 940 dpi). Rendering needs about ten bytes for each."""


def render_pages(workshop: Workshop, pages: Sequence[Page], dpi: float, lang: str = "") -> Iterator[Image.Image]:
    """Yield every page at this dpi on white, in screen colours. Raise ProblemsFound if a picture would be too large.

    pdfium draws no line thinner than a pixel, so pages with thinner lines are drawn larger and then reduced.
    """
    largest = max((page.size for page in pages), key=lambda size: size.width * size.height, default=Size(0, 0))
    inches = largest.width * largest.height / MM_PER_INCH**2
    if inches * dpi**2 > MOST_PIXELS:
        size = f"{format_num(largest.width)} x {format_num(largest.height)} mm"
        what = f"a picture of {size} has too many pixels at {format_num(dpi)} dpi"
        raise ProblemsFound([Problem(None, what, f"write --dpi {int(math.sqrt(MOST_PIXELS / inches))} or less")])
    out = io.BytesIO()
    workshop.write_document(Document("", lang, tuple(pages)), out)
    pdf = out.getvalue()
    for number, page in enumerate(pages):
        by = _find_oversampling(page, dpi)
        image = render_page(pdf, number, dpi * by)
        pixels = tuple([max(1, round(side * dpi / MM_PER_INCH)) for side in (page.size.width, page.size.height)])
        yield image.resize((pixels[0], pixels[1]), Image.Resampling.BOX) if by > 1 else image


_FINEST = 4


def _find_oversampling(page: Page, dpi: float) -> int:
    """Return the factor by which a page is enlarged so that its thinnest line is a pixel wide, up to a limit."""
    thinnest = 1.0
    for items in (page.items, *(placement.drawing.items for placement in page.placements)):
        for item, matrix in walk_leaves(items):
            if isinstance(item, Shape) and item.stroke and item.width > 0:
                thinnest = min(thinnest, item.width * find_scale(matrix) * dpi / MM_PER_INCH)
    pixels = page.size.width * page.size.height * (dpi / MM_PER_INCH) ** 2
    affordable = math.isqrt(int(_MOST_FINER / max(pixels, 1.0)))
    return max(1, min(math.ceil(1 / max(thinnest, 1 / _FINEST)), affordable))


def measure_ink_share(image: Image.Image) -> float:
    """Return how dark a picture is on average, from 0 (white) to 1 (black all over), as the share of ink on it."""
    return 1 - sum(ImageStat.Stat(image.convert("RGB")).mean) / (3 * 255)


def make_face_page(face: Drawing, bleed: bool) -> Page:
    """Return a page with the face as it looks when cut, or with its bleed around it."""
    edge = face.bleed if bleed else 0.0
    trim = Rect(edge, edge, face.width, face.height)
    page = trim.grow(edge)
    return Page(Size(page.width, page.height), "front", 1, (Placement("", face, trim, page),))


def make_cut_page(width: float, height: float, corner: float, outline: str = "") -> Page:
    """Return a page that is black inside the outline (or a box with rounded corners) and white outside."""
    path = outline or draw_rounded_box(Rect(0, 0, width, height), corner)
    return Page(Size(width, height), "front", 1, (), (Shape(path=path, fill="#000000", role="cut"),))


def cut_away(image: Image.Image, cut: Image.Image) -> Image.Image:
    """Return the picture, transparent wherever the picture `cut` is white."""
    shown = image.convert("RGBA")
    shown.putalpha(cut.convert("L").point(lambda value: 255 - value))
    return shown


def draw_fronts(
    workshop: Workshop, designs: Sequence[Design], lang: str, find_dpi: Callable[[Drawing], float]
) -> Iterator[tuple[Kind, Image.Image]]:
    """Yield kind and picture, transparent outside the piece, of each design with a front; `find_dpi` gives its dpi."""
    workshop.draw_all(designs, [lang])
    for design in designs:
        kind, face = workshop.game.kinds[design.kind], workshop.draw_face(design, "front", lang)
        if face is not None:
            cut = make_cut_page(face.width, face.height, kind.corner if kind.form == "card" else 0.0, kind.outline)
            pages = (make_face_page(face, bleed=False), cut)
            image, mask = render_pages(workshop, pages, find_dpi(face), lang)
            yield kind, cut_away(image, mask)


_FINER = 2
"""Factor by which pictures for screens are drawn larger and then reduced, to smooth thin lines and slanted edges."""


def render_exactly(workshop: Workshop, page: Page, pixels: tuple[int, int], lang: str = "") -> Image.Image:
    """Return a page in exactly this many pixels. The page must have the same aspect ratio."""
    dpi = pixels[0] * _FINER / (page.size.width / MM_PER_INCH)
    (image,) = render_pages(workshop, [page], dpi, lang)
    return image.resize(pixels, Image.Resampling.LANCZOS)


def halve_png(data: bytes) -> bytes:
    """Return a PNG file at half its size, for lists."""
    with Image.open(io.BytesIO(data)) as picture:
        half = picture.resize((picture.width // 2, picture.height // 2), Image.Resampling.LANCZOS)
    return encode_png(half, 96.0)
