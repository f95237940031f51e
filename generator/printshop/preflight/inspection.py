"""The whole inspection: open, read page by page, ask every check, put the findings in order."""

import io
import warnings
from collections.abc import Callable

import pikepdf
from PIL import Image

from generator.printshop.foreign_pdf import BROKEN
from generator.printshop.preflight.document import File, Sheet, hidden_layers, inherited, open_file
from generator.printshop.preflight.edge import bleed, safe_line, safe_text
from generator.printshop.preflight.findings import Report, in_page_order
from generator.printshop.preflight.interpreter import page_marks
from generator.printshop.preflight.lettering_checks import fonts, missing_glyphs, reversed_type, type_size
from generator.printshop.preflight.look import FileCheck, FileLook, PageCheck, PageLook, Seen
from generator.printshop.preflight.page_boxes import boxes, count, cut_of, empty_pages, size, sizes, upload
from generator.printshop.preflight.paint_checks import (
    hairlines,
    ink,
    intent,
    mixed_colours,
    registration,
    resolution,
    rgb,
    rich_black_type,
    spots,
    transparency,
    white_overprint,
)
from generator.printshop.preflight.plates import DPI, Ghostscript, Plates
from generator.printshop.preflight.rules import GENERAL, Rules
from generator.printshop.preflight.stack import grounded
from generator.printshop.preflight.standard import standard
from generator.printshop.preflight.state import Supplies
from generator.printshop.preflight.whole_file import annotations, content, damage, encryption, scripts
from generator.units import MM_PER_INCH
from generator.writers.png import render_page

_LARGEST_PICTURE = 60_000_000  # pixels

PAGE_CHECKS: tuple[PageCheck, ...] = (
    boxes, size, bleed, safe_text, safe_line,
    resolution, hairlines, ink, registration,
    rich_black_type, white_overprint, rgb, transparency,
    type_size, reversed_type, missing_glyphs,
    fonts, content, annotations,
)  # fmt: skip
FILE_CHECKS: tuple[FileCheck, ...] = (
    sizes, count, empty_pages, upload,
    mixed_colours, intent, spots, scripts, encryption, damage,
)  # fmt: skip
CHECKS: tuple[PageCheck | FileCheck, ...] = (*PAGE_CHECKS, *FILE_CHECKS, standard)


def preflight(name: str, data: bytes, rules: Rules = GENERAL, ghostscript: bool = True) -> Report:
    """Look over a PDF, called `name` in what is said of it; ProblemsFound when it can't be opened at all.

    With `ghostscript` that program, if it is installed, renders plates where only a rendering tells.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what libraries think of the file, nobody asked
        return _inspected(open_file(name, data), rules, ghostscript)


def _inspected(file: File, rules: Rules, ghostscript: bool) -> Report:
    supplies = Supplies(hidden_layers(file.pdf))
    pictures = _Pictures(file, Ghostscript(ghostscript))
    seen, findings = Seen(), []
    cuts = tuple(cut_of(sheet, rules) for sheet in file.sheets)
    for sheet, cut in zip(file.sheets, cuts, strict=True):
        if supplies.reading.spent:
            seen.unread.append(sheet.number)
            continue
        marks, troubles = page_marks(
            sheet.obj, inherited(sheet.obj, "/Resources"), sheet.view.base, sheet.whole, supplies
        )
        lying, asides = grounded(marks), supplies.asides
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

    def of(self, sheet: Sheet) -> Callable[[float], Image.Image | None]:
        """What renders a page at a dpi, or fewer where it is huge; None when it can't be done."""

        def render(dpi: float) -> Image.Image | None:
            try:
                return render_page(self._uncropped(), sheet.number - 1, min(dpi, _fitting(sheet)))
            except BROKEN:
                return None

        return render

    def plates(self, sheet: Sheet) -> Callable[[], Plates | None]:
        """What separates a page; None when that can't be done."""

        def separate() -> Plates | None:
            try:
                return self._ghostscript.separated(self._uncropped(), sheet.number, min(DPI, _fitting(sheet)))
            except BROKEN:
                return None

        return separate

    def _uncropped(self) -> bytes:
        if not self._data:
            for sheet in self._file.sheets:
                if inherited(sheet.obj, "/CropBox") is not None:
                    sheet.obj["/CropBox"] = sheet.obj.get("/MediaBox", inherited(sheet.obj, "/MediaBox"))
            out = io.BytesIO()
            self._file.pdf.save(out, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
            self._data = out.getvalue()
        return self._data


def _fitting(sheet: Sheet) -> float:
    """The dpi at which a page is as large as a picture may be."""
    width, height = (side / MM_PER_INCH for side in sheet.view.size)
    return float((_LARGEST_PICTURE / max(width * height, 1e-6)) ** 0.5)
