"""The check of PDF/X where the shop wants it: our own reading of the standard, less what other checks said better."""

from collections.abc import Iterator

from generator.printshop.pdfx_check import pdfx_faults
from generator.printshop.preflight.look import FileLook, Found, file_check
from generator.printshop.standards import Standard

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
        if _SAID_BY.get(fault.rule) not in look.found:
            what = f"not {_NAMES[wanted]}: {fault.what} ({fault.rule})"
            yield Found("error", what, f"export the file as {_NAMES[wanted]}", page=fault.page)
