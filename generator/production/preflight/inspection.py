"""The inspection: all checks of a PDF in order, including those of the whole file and of PDF/X."""

import io
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pikepdf
from PIL import Image

from generator.base.geometry import MM_PER_INCH
from generator.drawing.pdf.page_images import render_page
from generator.production.finish_pdf import Standard
from generator.production.preflight import box_checks, content_rules, file_rules, paint_checks
from generator.production.preflight.box_checks import cut_box
from generator.production.preflight.check_input import (
    DPI,
    GRAVE,
    FileCheck,
    FileLook,
    Found,
    Ghostscript,
    PageCheck,
    PageLook,
    PagesSeen,
    Plates,
    alike,
    file_check,
    page_check,
)
from generator.production.preflight.paint_checks import marks_on_ground
from generator.production.preflight.pdf_colours import FontFacts, PageMark
from generator.production.preflight.pdf_document import (
    BROKEN,
    File,
    UnreadPage,
    hidden_layers,
    inherited_entry,
    move_box,
    open_file,
    points_box,
    reason,
)
from generator.production.preflight.pdfx_file import OpenPdf, Rule
from generator.production.preflight.preflight_report import GENERAL, Finding, Report, Rules, Severity, in_page_order
from generator.production.preflight.stream_reader import page_marks
from generator.production.preflight.stream_state import INVISIBLE, SWITCHED_OFF, TRANSFER, FileFacts

_HARMLESS = ("/Link", "/Popup", "/PrinterMark", "/TrapNet")
_UNSEEN = 0b10  # the flag of hidden annotations
_MOST = 500


@page_check("content", "Content can be read to its end, and everybody sees the same of it.")
def content(look: PageLook) -> Iterator[Found]:
    """Report content that can't be read: a printer may fail on what our reader can't read."""
    yield from _unseen(look)
    for what, times in sorted(Counter(look.troubles).items())[:12]:
        severity: Severity = "error" if any(part in what for part in GRAVE) else "warning"
        often = f" ({times} times)" if times > 1 else ""
        yield Found(severity, f"{what}{often}", "write the file anew with another program")


def _unseen(look: PageLook) -> Iterator[Found]:
    """Report invisible type, layers that are off, white type on bare paper, and curves that a press may ignore."""
    for aside in sorted(look.asides):
        yield Found("warning", f"the page has {aside}", _REMEDIES[aside])
    white = [mark for mark in look.shown if mark.kind == "text" and mark.colour.white and not look.on_ground(mark)]
    if white and not look.unread:
        hint = "remove it, or give it a colour"
        yield Found("warning", "white type on bare paper", hint, white[0].box, times=len(white))


@page_check("annotations", "Pages carry no notes, form fields or films.")
def annotations(look: PageLook) -> Iterator[Found]:
    """Report annotations: they print or not, depending on the machine. Links are harmless except for PDF/X."""
    try:
        found = list(look.sheet.obj.get("/Annots", []))[:_MOST]
    except BROKEN:
        found = []
    for annotation in found:
        try:
            kind = str(annotation.get("/Subtype", ""))
            harmless = kind in _HARMLESS and not (kind == "/Link" and look.rules.standard)
            if harmless or int(annotation.get("/F", 0)) & _UNSEEN:
                continue
            box = move_box(points_box(annotation["/Rect"]), look.sheet.view.base)
        except BROKEN:
            yield Found("warning", "a broken annotation", "remove it")
            continue
        name = ascii(kind.removeprefix("/"))[1:-1]
        yield Found("warning", f"an annotation ({name})", "remove it, or flatten it into the page", box)


@file_check("damage", "The file is whole, can be read whole, and is of a kind that all programs know.")
def damage(look: FileLook) -> Iterator[Found]:
    """Report damage: a truncated file may still be readable, but a page or a picture may be missing."""
    if look.seen.unread:
        what = f"the file is too large to be checked whole: nothing from page {look.seen.unread[0]} on was looked at"
        yield Found("error", what, "split it, or save it with simpler art")
    version = str(look.file.pdf.pdf_version)
    if version >= "2" and not look.rules.standard:
        yield Found("note", f"the file is PDF {version}, younger than many programs", "save it as PDF 1.7 or older")
    if look.file.mended:
        what = "the file is damaged: its list of objects is missing or wrong, and was guessed"
        yield Found("error", what, "save or fetch it anew; its end may be missing")


_REMEDIES = {
    INVISIBLE: "remove it: some programs print it",
    SWITCHED_OFF: "delete the layer: some programs print it",
    TRANSFER: "save the file without it: it changes all tones on some machines, and none on others",
}


@file_check("scripts", "The file does nothing by itself.")
def scripts(look: FileLook) -> Iterator[Found]:
    """Report programs in a file: shops and careful readers refuse them."""
    root = look.file.pdf.Root
    try:
        names = root.get("/Names", {})
        if "/JavaScript" in names or _acts(root.get("/OpenAction")) or "/AA" in root:
            yield Found("error", "the file holds a script", "save it without JavaScript and actions")
        if "/EmbeddedFiles" in names:
            yield Found("warning", "other files are attached", "save it without attachments")
        form = root.get("/AcroForm")
        if isinstance(form, pikepdf.Dictionary) and "/XFA" in form:
            yield Found("error", "the file is an XFA form, which most programs can't show", "print it to a plain PDF")
    except BROKEN:
        yield Found("warning", "the file's catalogue is broken", "write the file anew with another program")


def _acts(action: Any) -> bool:
    """Return True if the action on opening is more than going to a page."""
    return isinstance(action, pikepdf.Dictionary) and str(action.get("/S", "")) not in ("/GoTo", "")


@file_check("encryption", "The file is not encrypted.")
def encryption(look: FileLook) -> Iterator[Found]:
    """Report encryption: the file opens without a password, but may forbid what a shop must do."""
    if look.file.encrypted:
        severity: Severity = "error" if look.rules.shop else "warning"
        yield Found(severity, "the file is encrypted", "save it without restrictions")


# This is no certified preflight: it doesn't look into font programs or the tables of profiles (veraPDF looks into
# fonts).

_RULE_MODULES = (file_rules, content_rules)

RULES = tuple(one for module in _RULE_MODULES for one in vars(module).values() if isinstance(one, Rule))
"""All rules of PDF/X, in the order of the checks."""

NO_PDF = "no-pdf"
"""The rule broken by a file that can't be opened at all, or only with a password."""


def pdfx_faults(pdf: bytes, standard: Standard) -> tuple[Finding, ...]:
    """Return every breach of the standard, those of the whole file (page 0) first. An empty result is a clean bill."""
    try:
        opened = pikepdf.open(io.BytesIO(pdf), suppress_warnings=True)
    except pikepdf.PasswordError:
        return (Finding(NO_PDF, "error", 0, None, "the file can't be opened without a password"),)
    except BROKEN as error:
        return (Finding(NO_PDF, "error", 0, None, f"the file can't be opened: {reason(error)}"),)
    with opened:
        subject = OpenPdf(opened)
        asked = (rule for rule in RULES if standard in rule.standards)
        found = [fault for rule in asked for fault in rule.findings(subject)]
    return tuple(sorted(found, key=lambda fault: fault.page))


_SAID_BY = {
    "encryption": "encryption", "media-box": "boxes", "trim-or-art": "boxes", "boxes-nested": "boxes",
    "annotations": "annotations", "fonts-embedded": "fonts", "operators": "content", "readable": "content",
    "printed-colours": "rgb", "device-colours": "rgb", "opaque": "transparency", "no-soft-masks": "transparency",
    "no-blending": "transparency", "actions": "scripts", "embedded-files": "scripts",
}  # fmt: skip
"""Rules of PDF/X, and the check that reports the same fault with its place."""

_NAMES = {"pdfx4": "PDF/X-4", "pdfx1a": "PDF/X-1a:2003"}


@file_check("standard", "The file keeps to the PDF/X standard that the shop wants.")
def standard(look: FileLook) -> Iterator[Found]:
    """Yield each broken rule, on its page."""
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
    """Report type under five points. Ruby and artifacts may be smaller."""
    for where, small in alike(mark for mark in _types(look) if mark.size < _least(look, mark) - _SLACK):
        least = min(small, key=lambda mark: mark.size)
        what, hint = f"type of {least.size:.1f} pt{where}", f"set type in at least {_least(look, least):g} pt"
        yield Found("warning", what, hint, least.box, times=len(small))


@page_check("reversed-type", "Light type on a dark ground is bold or large enough not to fill up with ink.")
def reversed_type(look: PageLook) -> Iterator[Found]:
    """Report small light type: ink spreads into its thin strokes."""
    for mark in _types(look):
        least = look.rules.reversed_type
        if mark.colour.light and mark.size < least - _SLACK and not _bold(mark.font):
            what = f"light type of {mark.size:.1f} pt that is not bold"
            yield Found("warning", what, f"make it bold or at least {least:g} pt", mark.box)


def _bold(font: FontFacts | None) -> bool:
    return font is not None and font.bold


@page_check("missing-glyphs", "Every character has its glyph.")
def missing_glyphs(look: PageLook) -> Iterator[Found]:
    """Report glyph 0, an empty box."""
    for mark in _types(look):
        if mark.missing and mark.font is not None:
            what = f"a character has no glyph in {_name(mark.font)}"
            yield Found("error", what, "choose a font that has it", mark.box)


@page_check("fonts", "Fonts lie in the file, as outlines of one design.")
def fonts(look: PageLook) -> Iterator[Found]:
    """Report fonts that are not embedded: the printer replaces them by its own."""
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

_CHECK_MODULES = (box_checks, paint_checks)
_NAMED = (one for module in _CHECK_MODULES for one in vars(module).values())
_ALL = (*_NAMED, content, annotations, damage, scripts, encryption, type_size, reversed_type, missing_glyphs, fonts)
PAGE_CHECKS = tuple(one for one in _ALL if isinstance(one, PageCheck))
FILE_CHECKS = tuple(one for one in _ALL if isinstance(one, FileCheck))
CHECKS = (*PAGE_CHECKS, *FILE_CHECKS, standard)


def preflight(name: str, data: bytes, rules: Rules = GENERAL, ghostscript: bool = True) -> Report:
    """Inspect a PDF, called `name` in messages. Raise ProblemsFound if it can't be opened at all.

    With `ghostscript`, that program, if installed, renders plates where nothing else gives an answer.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ignore the libraries' warnings about the file
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
    """Renders pages as pixels, including what a CropBox hides, because the bleed is there."""

    def __init__(self, file: File, ghostscript: Ghostscript):
        self._file = file
        self._ghostscript = ghostscript
        self._data = b""

    def of(self, sheet: UnreadPage) -> Callable[[float], Image.Image | None]:
        """Return a function that renders a page at a dpi, or at less for a huge page. It returns None on failure."""

        def render(dpi: float) -> Image.Image | None:
            try:
                return render_page(self._uncropped(), sheet.number - 1, min(dpi, _fitting(sheet)))
            except BROKEN:
                return None

        return render

    def plates(self, sheet: UnreadPage) -> Callable[[], Plates | None]:
        """Return a function that separates a page. It returns None on failure."""

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
    """Return the dpi at which a page reaches the largest picture size."""
    width, height = (side / MM_PER_INCH for side in sheet.view.size)
    return float((_LARGEST_PICTURE / max(width * height, 1e-6)) ** 0.5)
