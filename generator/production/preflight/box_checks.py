"""Box checks: page boxes, sizes, page count, bleed and distance to the cut."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby

from PIL import Image

from generator.base.geometry import MM_PER_PT
from generator.game.presets import Product
from generator.production.preflight.inspection import (
    CheckFinding,
    FileContext,
    PageContext,
    PreflightRules,
    Severity,
    file_check,
    page_check,
)
from generator.production.preflight.pdf_colours import PageMark, StatedColour
from generator.production.preflight.pdf_document import PageBox, UnreadPage, intersect_boxes, is_box_within

_SLACK = 0.4  # mm: smaller differences of size don't count
_SMALLEST, _LARGEST = 3 * MM_PER_PT, 14_400 * MM_PER_PT  # limits of a page in PDF
_NESTED = (
    ("TrimBox", "BleedBox"), ("BleedBox", "MediaBox"), ("TrimBox", "MediaBox"), ("TrimBox", "CropBox"),
)  # fmt: skip


def find_cut_box(sheet: UnreadPage, rules: PreflightRules) -> PageBox | None:
    """Return the box that a page will be cut to (mm): its TrimBox, else the shop's product. None if it isn't cut."""
    trim, whole = sheet.boxes.get("TrimBox"), sheet.whole
    trim = trim and intersect_boxes(trim, whole)
    if trim and _measure_area(trim) > 0 and not _is_alike(trim, whole):
        return trim
    if not rules.shop:
        return None
    for product in rules.products:
        upright, turned = (product.full, product.trim), (product.full.swap_sides(), product.trim.swap_sides())
        for full, cut in (upright, turned):
            if abs(whole[2] - full.width) <= _SLACK and abs(whole[3] - full.height) <= _SLACK:
                left, top = (whole[2] - cut.width) / 2, (whole[3] - cut.height) / 2
                return (left, top, left + cut.width, top + cut.height)
    return whole if trim or any(_is_product_size(product, whole) for product in rules.products) else None


def _measure_area(box: PageBox) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _is_alike(one: PageBox, other: PageBox) -> bool:
    return all(abs(a - b) <= _SLACK for a, b in zip(one, other, strict=True))


def _is_product_size(product: Product, cut: PageBox) -> bool:
    """Return True if a product is cut to this size, in either orientation."""
    wide, high = sorted((cut[2] - cut[0], cut[3] - cut[1]))
    narrow, tall = sorted((product.trim.width, product.trim.height))
    return abs(wide - narrow) <= _SLACK and abs(high - tall) <= _SLACK


def format_box_size(box: PageBox) -> str:
    """Return width and height of a box as text."""
    return f"{box[2] - box[0]:.1f} x {box[3] - box[1]:.1f} mm"


@page_check("boxes")
def check_boxes(look: PageContext) -> Iterator[CheckFinding]:
    """Check that the MediaBox contains the BleedBox, the BleedBox the TrimBox, and that none is empty."""
    severity: Severity
    stated = look.sheet.boxes
    narrow, wide = sorted(look.sheet.view.size)
    if narrow < _SMALLEST or wide > _LARGEST:
        what = f"the page is {format_box_size(look.sheet.whole)}, a size that many programs can't open"
        yield CheckFinding("warning", what, f"make pages of {_SMALLEST:.0f} to {_LARGEST:.0f} mm")
    for name in look.sheet.bad:
        yield CheckFinding("error", f"the {name} is not a valid box", "write four numbers: left, bottom, right, top")
    empty = [name for name, box in stated.items() if _measure_area(box) <= 0 and name != "MediaBox"]
    for name in empty:
        yield CheckFinding("error", f"the {name} has no area", "write four numbers: left, bottom, right, top")
    if not {"TrimBox", "ArtBox"} & (set(stated) | set(look.sheet.bad)):
        severity = "error" if look.rules.shop and look.rules.standard else "warning"
        what = "the page has no TrimBox, which says where to cut"
        yield CheckFinding(severity, what, "set the TrimBox in the program that writes the PDF")
    for inner, outer in _NESTED:
        if inner not in stated or outer not in stated or inner in empty or outer in empty:
            continue
        if not is_box_within(stated[inner], stated[outer], 0.05):
            severity = "warning" if outer == "CropBox" else "error"
            hint = f"make the {outer} at least as large"
            yield CheckFinding(severity, f"the {inner} extends beyond the {outer}", hint)
    yield from _check_bleed_box(look)
    turn = look.sheet.turn
    if turn:  # only by an entry, which layout programs may ignore
        severity = "warning" if look.rules.shop or turn % 90 else "note"
        hint = "rotate the art itself; some programs ignore this entry"
        yield CheckFinding(severity, f"the page is rotated by {turn} degrees (/Rotate)", hint)


def _check_bleed_box(look: PageContext) -> Iterator[CheckFinding]:
    """Report a BleedBox smaller than the bleed: layout programs that use it cut off existing art."""
    stated, cut, wanted = look.sheet.boxes, look.cut, look.rules.bleed
    if cut is None or "TrimBox" not in stated or "BleedBox" not in stated:
        return
    bleed, trim = stated["BleedBox"], stated["TrimBox"]
    out = min(trim[0] - bleed[0], trim[1] - bleed[1], bleed[2] - trim[2], bleed[3] - trim[3])
    least = wanted if look.rules.shop else min(wanted, 1.0)
    if -_SLACK < out < least - 0.1 and not _is_alike(cut, look.sheet.whole):
        severity: Severity = "error" if look.rules.shop else "warning"
        what = (
            "the BleedBox equals the TrimBox" if out < 0.1 else f"the BleedBox is {out:.1f} mm larger than the TrimBox"
        )
        yield CheckFinding(
            severity, f"{what}, so art beyond the cut may be lost", f"make it {wanted:.4g} mm larger on each side"
        )


@page_check("size")
def check_size(look: PageContext) -> Iterator[CheckFinding]:
    """Check that the cut size is a product's, and that pages without marks end at the bleed."""
    if not look.rules.products:
        return
    cut = look.cut or look.sheet.trim
    made = [product for product in look.rules.products if _is_product_size(product, cut)]
    if not made:
        known = ", ".join(f"{p.id} {p.trim.width:g} x {p.trim.height:g}" for p in look.rules.products)
        what = f"{look.rules.name} has no product of {format_box_size(cut)}"
        yield CheckFinding("error", what, f"choose one of: {known}")
        return
    wide, high = sorted((made[0].full.width, made[0].full.height))
    narrow, tall = sorted(look.sheet.view.size)
    if not look.rules.marks and (abs(wide - narrow) > _SLACK or abs(high - tall) > _SLACK) and look.cut is not None:
        what = f"the page is {format_box_size(look.sheet.whole)}, not {wide:.1f} x {high:.1f} mm with bleed"
        yield CheckFinding("error", what, "export pages of exactly that size, without marks")


@file_check("sizes")
def check_sizes(look: FileContext) -> Iterator[CheckFinding]:
    """Check that all pages have one size. A page on its side is common at home, but wrong in a deck."""
    shapes: dict[tuple[float, float], int] = {}
    for sheet, cut in zip(look.file.sheets, look.cuts, strict=True):
        # If one page doesn't say how it is cut, compare paper sizes.
        box = sheet.whole if cut is None or None in look.cuts else cut
        sides = (round(box[2] - box[0]), round(box[3] - box[1]))
        shape = sides if look.rules.shop else (min(sides), max(sides))
        shapes.setdefault(shape, sheet.number)
    if len(shapes) > 1:
        said = ", ".join(f"{wide} x {high} mm (page {page})" for (wide, high), page in shapes.items())
        severity: Severity = "error" if look.rules.shop else "warning"
        yield CheckFinding(severity, f"the pages have {len(shapes)} sizes: {said}", "save one file for each size")


@file_check("count")
def check_count(look: FileContext) -> Iterator[CheckFinding]:
    """Report an odd page count: an error if fronts and backs alternate, else a note if the file asks for duplex."""
    pages = len(look.file.sheets)
    if pages % 2 and look.rules.alternating:
        what = f"the file has {pages} pages, but fronts and backs alternate"
        yield CheckFinding("error", what, "give every card a back, or add an empty page")
    elif pages % 2 and pages > 1 and not look.rules.shop:
        duplex = look.file.pdf.Root.get("/ViewerPreferences", {}).get("/Duplex", "")
        if str(duplex).startswith("/DuplexFlip"):
            what = f"the file has {pages} pages for two-sided printing, so a second copy starts on a back"
            yield CheckFinding("note", what, "start every copy on a new sheet")


@file_check("empty")
def check_empty_pages(look: FileContext) -> Iterator[CheckFinding]:
    """Report empty pages: a card without a back, or a page that lost its picture."""
    for page in look.seen.empty:
        yield CheckFinding("note", "the page is empty", "delete it unless it is intended", page=page)


@file_check("upload")
def check_upload(look: FileContext) -> Iterator[CheckFinding]:
    """Report a PDF for a shop that takes only pictures."""
    if look.rules.pictures_only:
        hint = f"make them with pnp shop --preset {look.rules.name}"
        yield CheckFinding("warning", f"{look.rules.name} accepts PNG pictures, not PDF", hint)


_DPI = 150.0
_INSIDE, _OUTSIDE = 0.35, 0.25  # mm: distance of the samples from the cut, and from the required end of the bleed
_SHORTEST = 1.0  # mm: shorter stretches are corners of slanted shapes
_GUESS = 0.15  # mm: glyphs are assumed to be as high as is usual for their font
_PAPER = 248
_THIN = 2.0  # points: a thicker line hides that it isn't in the middle
_TOUCH = 0.05  # mm
_PATTERN = 6  # equal lines along a side: a double frame has four


@page_check("bleed")
def check_page_bleed(look: PageContext) -> Iterator[CheckFinding]:
    """Check the bleed in rendered pixels: paper beyond the cut shows as a white edge when the knife slips."""
    if look.cut is None or look.is_unread:  # a page too large to read is too large to render
        return
    stated = look.sheet.boxes.get("BleedBox")
    if look.rules.shop or stated is None or look.cut is None:
        wanted = look.rules.bleed
    else:
        out = min(look.cut[0] - stated[0], look.cut[1] - stated[1], stated[2] - look.cut[2], stated[3] - look.cut[3])
        wanted = min(out, look.rules.bleed) if out >= 1.0 else look.rules.bleed
    picture = look.pixels(_DPI)
    if picture is None:
        yield CheckFinding("error", "the page can't be rendered", "save the file again with another program")
        return
    scale = picture.width / look.sheet.view.size[0]
    for side in ("left", "top", "right", "bottom"):
        sample_ink = partial(_sample_ink, picture, scale, look.cut, side)
        yield from _find_bare_stretches(sample_ink, scale, look.cut, side, wanted)


def _sample_ink(picture: Image.Image, scale: float, cut: PageBox, side: str, out: float) -> list[bool]:
    """Return for each pixel along a side of the cut whether it has ink, `out` mm outside (negative: inside).

    `scale` is in pixels per mm. There is no ink beyond the edges of the picture.
    """
    upright = side in ("left", "right")
    edge = {"left": cut[0] - out, "right": cut[2] + out, "top": cut[1] - out, "bottom": cut[3] + out}[side]
    low, high = (cut[1], cut[3]) if upright else (cut[0], cut[2])
    start, end, at = int(low * scale), int(high * scale), int(edge * scale // 1)
    if not 0 <= at < picture.size[0 if upright else 1]:
        return [False] * (end - start)
    strip = picture.crop((at, start, at + 1, end) if upright else (start, at, end, at + 1))
    return [min(values) < _PAPER for values in zip(*(band.tobytes() for band in strip.split()), strict=True)]


def _find_bare_stretches(
    sample_ink: Callable[[float], list[bool]], scale: float, cut: PageBox, side: str, wanted: float
) -> Iterator[CheckFinding]:
    """Yield a finding for each stretch where ink reaches the cut, but not `wanted` mm beyond; `scale`: samples a mm."""
    inside = sample_ink(-_INSIDE)
    outside = _widen_runs(sample_ink(max(wanted - _OUTSIDE, 0.1)), round(scale * wanted))
    missing = [here and not there for here, there in zip(inside, outside, strict=True)]
    at = 0
    for bare, run in groupby(missing):
        length = len(list(run))
        if bare and length >= _SHORTEST * scale:
            reach = 0.0  # how far art extends beyond the cut there
            while reach < wanted and sample_ink(reach + 0.05)[at + length // 2]:
                reach += 0.05
            yield _bare_stretch(cut, side, (at / scale, length / scale), round(reach * 4) / 4, wanted)
        at += length


def _widen_runs(row: list[bool], distance: int) -> list[bool]:
    """Return the row with True also wherever a value within `distance` pixels is True, so that slanted art counts."""
    near, last = [False] * len(row), -distance - 1
    for at, true in enumerate(row):
        last = at if true else last
        near[at] = at - last <= distance
    last = len(row) + distance
    for at in range(len(row) - 1, -1, -1):
        last = at if row[at] else last
        near[at] = near[at] or last - at <= distance
    return near


def _bare_stretch(cut: PageBox, side: str, along: tuple[float, float], reach: float, wanted: float) -> CheckFinding:
    start, length = along
    left, top, right, bottom = cut
    box = {
        "left": (left, top + start, left, top + start + length),
        "right": (right, top + start, right, top + start + length),
        "top": (left + start, top, left + start + length, top),
        "bottom": (left + start, bottom, left + start + length, bottom),
    }[side]
    what = f"art reaches the {side} cut for {length:.0f} mm, but has {reach:g} mm of bleed"
    return CheckFinding("error", what, f"extend it {wanted:.4g} mm beyond the cut", box)


@page_check("safe-text")
def check_safe_text(look: PageContext) -> Iterator[CheckFinding]:
    """Check the distance of type to the cut: the knife may touch it, or it looks off centre."""
    if look.cut is None:
        return
    for mark in look.shown:
        if mark.kind != "text":
            continue
        box = mark.box
        distance = min(box[0] - look.cut[0], box[1] - look.cut[1], look.cut[2] - box[2], look.cut[3] - box[3])
        if distance < -0.3:
            yield CheckFinding(
                "error", "the cut goes through type", f"keep it {look.rules.safe:.4g} mm inside the cut", mark.box
            )
        elif distance < look.rules.safe - _GUESS:
            what = f"type is {max(distance, 0):.1f} mm from the cut"
            yield CheckFinding("warning", what, f"keep it {look.rules.safe:.4g} mm inside the cut", mark.box)


@page_check("safe-line")
def check_safe_line(look: PageContext) -> Iterator[CheckFinding]:
    """Check thin lines along the cut: their distance to the edge shows how far the cut is off, even 0.1 mm.

    Skip the lines of a pattern: one with its next line beyond the cut, or with many equal lines. Its end is invisible.
    """
    if look.cut is None:
        return
    runs = list(_lines_along(look, look.cut))
    alike = Counter(_get_style(mark, side) for mark, side, _ in runs)
    patterns = {style for style, lines in alike.items() if lines >= _PATTERN}
    patterns |= {_get_style(mark, side) for mark, side, near in runs if near < -_TOUCH}
    told: set[tuple[int, str]] = set()
    for mark, side, near in runs:
        if _get_style(mark, side) in patterns or (id(mark), side) in told:
            continue
        if -_TOUCH <= near < look.rules.safe / 2 - _TOUCH:
            told.add((id(mark), side))
            what = f"a line is {max(near, 0):.1f} mm from the {side} cut"
            hint = f"keep lines {look.rules.safe / 2:.2g} mm away, or use a background with bleed"
            yield CheckFinding("warning", what, hint, mark.box)


def _get_style(mark: PageMark, side: str) -> tuple[StatedColour, float, str]:
    """Return colour, width (points) and side, which are equal for all lines of a pattern."""
    return mark.colour, round(mark.size, 1), side


def _lines_along(look: PageContext, cut: PageBox) -> Iterator[tuple[PageMark, str, float]]:
    """Yield thin lines parallel to a side and at least half as long: line, side, distance inside the cut (mm)."""
    for mark in look.marks:  # also those beyond the cut: they show that a pattern continues
        if mark.kind == "stroke" and mark.size <= _THIN and not mark.colour.is_white:
            half = mark.size * MM_PER_PT / 2
            for left, top, right, bottom in mark.edges:
                if right - left < _TOUCH and min(bottom, cut[3]) - max(top, cut[1]) >= (cut[3] - cut[1]) / 2:
                    yield mark, "left", left - cut[0] - half
                    yield mark, "right", cut[2] - right - half
                if bottom - top < _TOUCH and min(right, cut[2]) - max(left, cut[0]) >= (cut[2] - cut[0]) / 2:
                    yield mark, "top", top - cut[1] - half
                    yield mark, "bottom", cut[3] - bottom - half
