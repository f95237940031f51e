"""Rules of PDF/X about pages: their boxes, and what may lie on them besides their content."""

from collections.abc import Iterator

from pikepdf import Page

from generator.printshop.pdfx.rule import Found, rule
from generator.printshop.pdfx.subject import OpenPdf
from generator.printshop.pdfx.values import Box, box, part, row, word

_SLACK_PT = 0.01
"""Boxes are written with so few decimals that one may reach over another by this much."""


def _inherited_box(page: Page, key: str) -> Box | None:
    """The page's own box, or that of the tree above it."""
    holder: object = page.obj
    for _ in range(50):
        found = part(holder, key)
        if found is not None:
            return box(found)
        holder = part(holder, "/Parent")
    return None


def _own_box(page: Page, key: str) -> Box | None:
    return box(part(page.obj, key))


def _has_area(paper: Box | None) -> bool:
    return paper is not None and paper[0] < paper[2] and paper[1] < paper[3]


def _within(inner: Box, outer: Box) -> bool:
    lower = inner[0] >= outer[0] - _SLACK_PT and inner[1] >= outer[1] - _SLACK_PT
    return lower and inner[2] <= outer[2] + _SLACK_PT and inner[3] <= outer[3] + _SLACK_PT


@rule("media-box", "Every page has a MediaBox with an area.")
def media_box(subject: OpenPdf) -> Iterator[Found]:
    """The paper that it needs."""
    for number, page in subject.pages:
        if not _has_area(_inherited_box(page, "/MediaBox")):
            yield number, "the page has no MediaBox with an area"


@rule("trim-or-art", "Every page has either a TrimBox or an ArtBox.")
def trim_or_art(subject: OpenPdf) -> Iterator[Found]:
    """Where it is cut; never both, never none."""
    for number, page in subject.pages:
        trim, art = _own_box(page, "/TrimBox"), _own_box(page, "/ArtBox")
        if (trim is None) == (art is None):
            yield number, "the page has both a TrimBox and an ArtBox" if trim else "the page has no TrimBox"


@rule("boxes-nested", "The cut lies inside the bleed, the bleed inside the paper.")
def boxes_nested(subject: OpenPdf) -> Iterator[Found]:
    """TrimBox (or ArtBox) in BleedBox in MediaBox; a CropBox may not cut off what is trimmed."""
    for number, page in subject.pages:
        media, crop = _inherited_box(page, "/MediaBox"), _inherited_box(page, "/CropBox")
        if not _has_area(media):
            continue  # media-box says so
        bleed = _own_box(page, "/BleedBox")
        inner = [(key, _own_box(page, f"/{key}")) for key in ("TrimBox", "ArtBox")]
        outer = [("BleedBox", bleed), ("CropBox", crop), ("MediaBox", media)]
        pairs = [(small, large) for small in inner for large in outer]
        pairs += [(("BleedBox", bleed), outer[2]), (("CropBox", crop), outer[2])]
        for (name, small), (around, large) in pairs:
            if small and large and not _within(small, large):
                yield number, f"the {name} reaches out of the {around}"


@rule("not-separated", "No page is one ink of a separated page.")
def not_separated(subject: OpenPdf) -> Iterator[Found]:
    """A page holds all its inks."""
    for number, page in subject.pages:
        if part(page.obj, "/SeparationInfo") is not None:
            yield number, "the page is only one ink of a page"


@rule("annotations", "Annotations and form fields lie outside the bleed.")
def annotations(subject: OpenPdf) -> Iterator[Found]:
    """They are not printed; traps and printers' marks are free."""
    for number, page in subject.pages:
        keep_out = _own_box(page, "/BleedBox") or _own_box(page, "/TrimBox") or _own_box(page, "/ArtBox")
        for annotation in row(part(page.obj, "/Annots")):
            kind, place = word(part(annotation, "/Subtype")), box(part(annotation, "/Rect"))
            if kind in {"/TrapNet", "/PrinterMark"} or keep_out is None or place is None:
                continue
            across = place[0] < keep_out[2] and place[2] > keep_out[0]
            if across and place[1] < keep_out[3] and place[3] > keep_out[1]:
                yield number, f"an annotation ({kind[1:] or 'without a kind'}) lies on what is printed"
