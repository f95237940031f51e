"""The whole inspection: open, read page by page, ask every check, put the findings in order."""

import io
import warnings
from collections.abc import Callable, Iterator

import pikepdf
from PIL import Image

from generator.printshop.findings import Report, in_page_order
from generator.printshop.foreign_pdf import BROKEN
from generator.printshop.pdfx_check import pdfx_faults
from generator.printshop.preflight import edge, page_boxes, paint_checks, whole_file
from generator.printshop.preflight.document import File, UnreadPage, hidden_layers, inherited_entry, open_file
from generator.printshop.preflight.interpreter import page_marks
from generator.printshop.preflight.look import (
    FileCheck,
    FileLook,
    Found,
    PageCheck,
    PageLook,
    PagesSeen,
    alike,
    file_check,
    page_check,
)
from generator.printshop.preflight.marks import FontFacts, PageMark
from generator.printshop.preflight.page_boxes import cut_box
from generator.printshop.preflight.plates import DPI, Ghostscript, Plates
from generator.printshop.preflight.rules import GENERAL, Rules
from generator.printshop.preflight.stack import marks_on_ground
from generator.printshop.preflight.state import FileFacts
from generator.printshop.standards import Standard
from generator.units import MM_PER_INCH
from generator.writers.png import render_page

_SAID_BY = {
    "encryption": "encryption", "media-box": "boxes", "trim-or-art": "boxes", "boxes-nested": "boxes",
    "annotations": "annotations", "fonts-embedded": "fonts", "operators": "content", "readable": "content",
    "printed-colours": "rgb", "device-colours": "rgb", "opaque": "transparency", "no-soft-masks": "transparency",
    "no-blending": "transparency", "actions": "scripts", "embedded-files": "scripts",
}  # fmt: skip
"""Rules of PDF/X and the check that names the place of the same fault."""

_NAMES = {"pdfx4": "PDF/X-4", "pdfx1a": "PDF/X-1a:2003"}


@file_check("standard", "The file keeps to the PDF/X standard that the shop wants.")
def standard(look: FileLook) -> Iterator[Found]:
    """Each rule that is broken, on its page."""
    if look.rules.standard not in _NAMES:
        return
    wanted: Standard = "pdfx4" if look.rules.standard == "pdfx4" else "pdfx1a"
    for fault in pdfx_faults(look.file.data, wanted):
        if _SAID_BY.get(fault.check) not in look.found:
            what = f"not {_NAMES[wanted]}: {fault.what} ({fault.check})"
            yield Found("error", what, f"export the file as {_NAMES[wanted]}", page=fault.page)


_SLACK = 0.06  # points
_SMALL_ROLES = {"RT": 3.5, "RP": 3.5, "Artifact": 4.0}


def _types(look: PageLook) -> Iterator[PageMark]:
    return (mark for mark in look.shown if mark.kind == "text")


def _least(look: PageLook, mark: PageMark) -> float:
    return min(_SMALL_ROLES.get(mark.tag, look.rules.type), look.rules.type)


@page_check("type-size", "Type is large enough to be read.")
def type_size(look: PageLook) -> Iterator[Found]:
    """Five points; what is tagged as ruby or as no part of the text may be smaller."""
    for where, small in alike(mark for mark in _types(look) if mark.size < _least(look, mark) - _SLACK):
        least = min(small, key=lambda mark: mark.size)
        what, hint = f"type of {least.size:.1f} pt{where}", f"set type in at least {_least(look, least):g} pt"
        yield Found("warning", what, hint, least.box, times=len(small))


@page_check("reversed-type", "Light type on a dark ground is bold or large enough not to fill up with ink.")
def reversed_type(look: PageLook) -> Iterator[Found]:
    """Ink spreads into thin light strokes."""
    for mark in _types(look):
        least = look.rules.reversed_type
        if mark.colour.light and mark.size < least - _SLACK and not _bold(mark.font):
            what = f"light type of {mark.size:.1f} pt that is not bold"
            yield Found("warning", what, f"make it bold or at least {least:g} pt", mark.box)


def _bold(font: FontFacts | None) -> bool:
    return font is not None and font.bold


@page_check("missing-glyphs", "Every character has its glyph.")
def missing_glyphs(look: PageLook) -> Iterator[Found]:
    """Glyph 0 is an empty box."""
    for mark in _types(look):
        if mark.missing and mark.font is not None:
            what = f"a character has no glyph in {_name(mark.font)}"
            yield Found("error", what, "choose a font that has it", mark.box)


@page_check("fonts", "Fonts lie in the file, as outlines of one design.")
def fonts(look: PageLook) -> Iterator[Found]:
    """A font that is not embedded is replaced by whatever the printer has."""
    told: set[FontFacts] = set()
    for mark in _types(look):
        font = mark.font
        if font is None or font in told:
            continue
        told.add(font)
        name = _name(font)
        if not font.embedded:
            yield Found("error", f"the font {name} is not embedded", "embed all fonts when you save the PDF", mark.box)
        elif font.kind == "Type3":
            hint = "save with TrueType or PostScript outlines"
            yield Found("warning", f"the font {name} is of type 3, drawn glyph by glyph", hint, mark.box)
        elif font.variable:
            hint = "embed one instance of it, or outlines: printers show the default weight"
            yield Found("warning", f"the font {name} is embedded as a variable font", hint, mark.box)


def _name(font: FontFacts) -> str:
    head, plus, tail = font.name.partition("+")
    return ascii(tail if plus and len(head) == 6 else font.name)[1:-1]


_LARGEST_PICTURE = 60_000_000  # pixels

_MODULES = (page_boxes, edge, paint_checks, whole_file)
_NAMED = (one for module in _MODULES for one in vars(module).values())
_ALL = (*_NAMED, type_size, reversed_type, missing_glyphs, fonts)
PAGE_CHECKS = tuple(one for one in _ALL if isinstance(one, PageCheck))
FILE_CHECKS = tuple(one for one in _ALL if isinstance(one, FileCheck))
CHECKS = (*PAGE_CHECKS, *FILE_CHECKS, standard)


def preflight(name: str, data: bytes, rules: Rules = GENERAL, ghostscript: bool = True) -> Report:
    """Look over a PDF, called `name` in what is said of it; ProblemsFound when it can't be opened at all.

    With `ghostscript` that program, if it is installed, renders plates where only a rendering tells.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what libraries think of the file, nobody asked
        return _inspect(open_file(name, data), rules, ghostscript)


def _inspect(file: File, rules: Rules, ghostscript: bool) -> Report:
    supplies = FileFacts(hidden_layers(file.pdf))
    pictures = _Pictures(file, Ghostscript(ghostscript))
    seen, findings = PagesSeen(), []
    cuts = tuple(cut_box(sheet, rules) for sheet in file.sheets)
    for sheet, cut in zip(file.sheets, cuts, strict=True):
        if supplies.reading.spent:
            seen.unread.append(sheet.number)
            continue
        marks, troubles = page_marks(
            sheet.obj, inherited_entry(sheet.obj, "/Resources"), sheet.view.base, sheet.whole, supplies
        )
        lying, asides = marks_on_ground(marks), supplies.asides
        drawn = (pictures.of(sheet), pictures.plates(sheet))
        look = PageLook(file, sheet, rules, cut, marks, lying, troubles, asides, *drawn)
        seen.note(sheet.number, look.shown, unread=look.unread)
        findings += [finding for check in PAGE_CHECKS for finding in check.findings(look)]
    whole = FileLook(file, rules, cuts, seen)
    findings += [finding for check in FILE_CHECKS for finding in check.findings(whole)]
    whole = FileLook(file, rules, cuts, seen, frozenset(finding.check for finding in findings))
    findings += standard.findings(whole)
    return Report(file.name, len(file.sheets), rules.name, len(CHECKS), in_page_order(findings))


class _Pictures:
    """The pages as pixels; what a CropBox hides is shown, for bleed lies there."""

    def __init__(self, file: File, ghostscript: Ghostscript):
        self._file = file
        self._ghostscript = ghostscript
        self._data = b""

    def of(self, sheet: UnreadPage) -> Callable[[float], Image.Image | None]:
        """What renders a page at a dpi, or fewer where it is huge; None when it can't be done."""

        def render(dpi: float) -> Image.Image | None:
            try:
                return render_page(self._uncropped(), sheet.number - 1, min(dpi, _fitting(sheet)))
            except BROKEN:
                return None

        return render

    def plates(self, sheet: UnreadPage) -> Callable[[], Plates | None]:
        """What separates a page; None when that can't be done."""

        def separate() -> Plates | None:
            try:
                return self._ghostscript.separate(self._uncropped(), sheet.number, min(DPI, _fitting(sheet)))
            except BROKEN:
                return None

        return separate

    def _uncropped(self) -> bytes:
        if not self._data:
            for sheet in self._file.sheets:
                if inherited_entry(sheet.obj, "/CropBox") is not None:
                    sheet.obj["/CropBox"] = sheet.obj.get("/MediaBox", inherited_entry(sheet.obj, "/MediaBox"))
            out = io.BytesIO()
            self._file.pdf.save(out, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
            self._data = out.getvalue()
        return self._data


def _fitting(sheet: UnreadPage) -> float:
    """The dpi at which a page is as large as a picture may be."""
    width, height = (side / MM_PER_INCH for side in sheet.view.size)
    return float((_LARGEST_PICTURE / max(width * height, 1e-6)) ** 0.5)
