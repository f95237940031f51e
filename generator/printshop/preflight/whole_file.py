"""Checks of what is not for print: scripts, notes, passwords, broken content, damaged files."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pikepdf

from generator.printshop.findings import Severity
from generator.printshop.foreign_pdf import BROKEN
from generator.printshop.preflight.geometry import move_box, points_box
from generator.printshop.preflight.look import GRAVE, FileLook, Found, PageLook, file_check, page_check
from generator.printshop.preflight.state import INVISIBLE, SWITCHED_OFF, TRANSFER

_HARMLESS = ("/Link", "/Popup", "/PrinterMark", "/TrapNet")
_UNSEEN = 0b10  # the flag of annotations that are hidden
_MOST = 500


@page_check("content", "Content can be read to its end, and everybody sees the same of it.")
def content(look: PageLook) -> Iterator[Found]:
    """What our reader stumbles over, a printer may."""
    yield from _unseen(look)
    for what, times in sorted(Counter(look.troubles).items())[:12]:
        severity: Severity = "error" if any(part in what for part in GRAVE) else "warning"
        often = f" ({times} times)" if times > 1 else ""
        yield Found(severity, f"{what}{often}", "write the file anew with another program")


def _unseen(look: PageLook) -> Iterator[Found]:
    """Invisible type, layers that are off, white type on bare paper; curves that a press may or may not obey."""
    for aside in sorted(look.asides):
        yield Found("warning", f"the page has {aside}", _REMEDIES[aside])
    white = [mark for mark in look.shown if mark.kind == "text" and mark.colour.white and not look.on_ground(mark)]
    if white and not look.unread:
        hint = "remove it, or give it a colour"
        yield Found("warning", "white type on bare paper", hint, white[0].box, times=len(white))


@page_check("annotations", "Pages carry no notes, form fields or films.")
def annotations(look: PageLook) -> Iterator[Found]:
    """They print or not as the machine likes; links are harmless but for the standards of print."""
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
    """What was cut short on its way is often readable in part, and then a page or a picture may be missing."""
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
    """Programs in a file are refused by shops and by careful readers."""
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
    """Whether what happens on opening is more than going to a page."""
    return isinstance(action, pikepdf.Dictionary) and str(action.get("/S", "")) not in ("/GoTo", "")


@file_check("encryption", "The file is not encrypted.")
def encryption(look: FileLook) -> Iterator[Found]:
    """It opens here without a password, but may forbid what a shop must do."""
    if look.file.encrypted:
        severity: Severity = "error" if look.rules.shop else "warning"
        yield Found(severity, "the file is encrypted", "save it without restrictions")
