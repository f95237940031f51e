"""Checks of boxes, sizes and the number of pages."""

from collections.abc import Iterator

from generator.model.preset import Product
from generator.printshop.findings import Severity
from generator.printshop.preflight.document import UnreadPage
from generator.printshop.preflight.geometry import Box, intersection
from generator.printshop.preflight.look import FileLook, Found, PageLook, file_check, page_check
from generator.printshop.preflight.rules import Rules
from generator.units import MM_PER_PT

_SLACK = 0.4  # mm: sizes that differ by less are the same
_SMALLEST, _LARGEST = 3 * MM_PER_PT, 14_400 * MM_PER_PT  # what the format of PDF lets a page be
_NESTED = (
    ("TrimBox", "BleedBox"), ("BleedBox", "MediaBox"), ("TrimBox", "MediaBox"), ("TrimBox", "CropBox"),
)  # fmt: skip


def cut_box(sheet: UnreadPage, rules: Rules) -> Box | None:
    """Where a page will be cut smaller (mm in its view): by its TrimBox, else as the shop's products are cut."""
    trim, whole = sheet.boxes.get("TrimBox"), sheet.whole
    trim = trim and intersection(trim, whole)
    if trim and _area(trim) > 0 and not _alike(trim, whole):
        return trim
    if not rules.shop:
        return None
    for product in rules.products:
        for turned in (False, True):
            wide, high = _sides(product.full.width, product.full.height, turned)
            if abs(whole[2] - wide) <= _SLACK and abs(whole[3] - high) <= _SLACK:
                width, height = _sides(product.trim.width, product.trim.height, turned)
                left, top = (whole[2] - width) / 2, (whole[3] - height) / 2
                return (left, top, left + width, top + height)
    return whole if trim or any(_makes(product, whole) for product in rules.products) else None


def _sides(width: float, height: float, turned: bool) -> tuple[float, float]:
    return (height, width) if turned else (width, height)


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _alike(one: Box, other: Box) -> bool:
    return all(abs(a - b) <= _SLACK for a, b in zip(one, other, strict=True))


def _makes(product: Product, cut: Box) -> bool:
    """Whether a product is cut to this size, upright or on its side."""
    wide, high = sorted((cut[2] - cut[0], cut[3] - cut[1]))
    narrow, tall = sorted((product.trim.width, product.trim.height))
    return abs(wide - narrow) <= _SLACK and abs(high - tall) <= _SLACK


def size_words(box: Box) -> str:
    """Width and height of a box as a reader expects them."""
    return f"{box[2] - box[0]:.1f} x {box[3] - box[1]:.1f} mm"


@page_check("boxes", "Each page says where it is cut; its boxes are sound and lie in each other.")
def boxes(look: PageLook) -> Iterator[Found]:
    """MediaBox around BleedBox around TrimBox; all of them larger than nothing."""
    severity: Severity
    stated = look.sheet.boxes
    narrow, wide = sorted(look.sheet.view.size)
    if narrow < _SMALLEST or wide > _LARGEST:
        what = f"the page is {size_words(look.sheet.whole)}: many programs open none that small or large"
        yield Found("warning", what, f"make pages of {_SMALLEST:.0f} to {_LARGEST:.0f} mm")
    for name in look.sheet.bad:
        yield Found("error", f"the {name} is no usable box", "write four numbers: left, low, right, high")
    empty = [name for name, box in stated.items() if _area(box) <= 0 and name != "MediaBox"]
    for name in empty:
        yield Found("error", f"the {name} has no area", "write four numbers: left, low, right, high")
    if not {"TrimBox", "ArtBox"} & (set(stated) | set(look.sheet.bad)):
        severity = "error" if look.rules.shop and look.rules.standard else "warning"
        what = "the page has no TrimBox, so nothing says where it is cut"
        yield Found(severity, what, "let the program that makes the PDF write its TrimBox")
    for inner, outer in _NESTED:
        if inner not in stated or outer not in stated or inner in empty or outer in empty:
            continue
        if not _inside(stated[inner], stated[outer]):
            severity = "warning" if outer == "CropBox" else "error"
            yield Found(severity, f"the {inner} reaches out of the {outer}", f"make the {outer} at least as large")

    yield from _no_bleed_box(look)
    yield from _turned(look)


def _no_bleed_box(look: PageLook) -> Iterator[Found]:
    """A BleedBox that leaves less than the bleed: whoever lays out pages by it cuts off the art that is there."""
    stated, cut, wanted = look.sheet.boxes, look.cut, look.rules.bleed
    if cut is None or "TrimBox" not in stated or "BleedBox" not in stated:
        return
    bleed, trim = stated["BleedBox"], stated["TrimBox"]
    out = min(trim[0] - bleed[0], trim[1] - bleed[1], bleed[2] - trim[2], bleed[3] - trim[3])
    least = wanted if look.rules.shop else min(wanted, 1.0)
    if -_SLACK < out < least - 0.1 and not _alike(cut, look.sheet.whole):
        severity: Severity = "error" if look.rules.shop else "warning"
        what = "the BleedBox is the TrimBox" if out < 0.1 else f"the BleedBox is {out:.1f} mm larger than the TrimBox"
        yield Found(
            severity, f"{what}, so art beyond the cut may be left out", f"make it {wanted:.4g} mm larger on each side"
        )


def _turned(look: PageLook) -> Iterator[Found]:
    """A page that is turned by an entry alone: programs that lay out pages may not look at it."""
    turn = look.sheet.turn
    if turn:
        severity: Severity = "warning" if look.rules.shop or turn % 90 else "note"
        hint = "turn the art itself: some programs that lay out pages pass over the entry"
        yield Found(severity, f"the page is turned by {turn} degrees (/Rotate)", hint)


def _inside(inner: Box, outer: Box, slack: float = 0.05) -> bool:
    return (
        inner[0] >= outer[0] - slack
        and inner[1] >= outer[1] - slack
        and inner[2] <= outer[2] + slack
        and inner[3] <= outer[3] + slack
    )


@page_check("size", "Each page has the size of something that the shop makes.")
def size(look: PageLook) -> Iterator[Found]:
    """The cut size is a product's, and without marks the page ends where the bleed does."""
    if not look.rules.products:
        return
    cut = look.cut or look.sheet.trim
    made = [product for product in look.rules.products if _makes(product, cut)]
    if not made:
        known = ", ".join(f"{p.id} {p.trim.width:g} x {p.trim.height:g}" for p in look.rules.products)
        hint = f"{look.rules.name} makes {known}"
        yield Found("error", f"nothing is made in {size_words(cut)}", hint)
        return
    wide, high = sorted((made[0].full.width, made[0].full.height))
    narrow, tall = sorted(look.sheet.view.size)
    if not look.rules.marks and (abs(wide - narrow) > _SLACK or abs(high - tall) > _SLACK) and look.cut is not None:
        what = f"the page is {size_words(look.sheet.whole)}, not {wide:.1f} x {high:.1f} mm with bleed"
        yield Found("error", what, "make pages of exactly that size, without marks around")


@file_check("sizes", "All pages have one size.")
def sizes(look: FileLook) -> Iterator[Found]:
    """One page on its side among others is usual at home, and wrong in a deck."""
    shapes: dict[tuple[float, float], int] = {}
    for sheet, cut in zip(look.file.sheets, look.cuts, strict=True):
        # Where one doesn't say how it is cut, paper is compared with paper.
        box = sheet.whole if cut is None or None in look.cuts else cut
        sides = (round(box[2] - box[0]), round(box[3] - box[1]))
        shape = sides if look.rules.shop else (min(sides), max(sides))
        shapes.setdefault(shape, sheet.number)
    if len(shapes) > 1:
        said = ", ".join(f"{wide} x {high} mm (page {page})" for (wide, high), page in shapes.items())
        severity: Severity = "error" if look.rules.shop else "warning"
        yield Found(severity, f"the pages have {len(shapes)} sizes: {said}", "make a file for each size")


@file_check("count", "The number of pages is what the shop expects.")
def count(look: FileLook) -> Iterator[Found]:
    """Fronts and backs in turn make an even number, as do both sides of paper."""
    pages = len(look.file.sheets)
    if pages % 2 and look.rules.alternating:
        what = f"{pages} pages: fronts and backs in turn make an even number"
        yield Found("error", what, "give every card a back, or the last leaf an empty one")
    elif pages % 2 and pages > 1 and not look.rules.shop and _duplex(look):
        what = f"{pages} pages for a printer that prints both sides"
        yield Found("note", what, "let every copy begin on a new sheet")


def _duplex(look: FileLook) -> bool:
    wishes = look.file.pdf.Root.get("/ViewerPreferences", {})
    return str(wishes.get("/Duplex", "")).startswith("/DuplexFlip")


@file_check("empty", "No page is empty.")
def empty_pages(look: FileLook) -> Iterator[Found]:
    """It may be a card without a back, or a page that lost its picture: who made it knows."""
    for page in look.seen.empty:
        yield Found("note", "the page is empty", "leave it out unless it is meant", page=page)


@file_check("upload", "The shop takes PDF files.")
def upload(look: FileLook) -> Iterator[Found]:
    """Some shops take pictures alone."""
    if look.rules.pictures_only:
        hint = f"make them with pnp shop --preset {look.rules.name}"
        yield Found("warning", f"{look.rules.name} takes PNG pictures, not PDF", hint)
