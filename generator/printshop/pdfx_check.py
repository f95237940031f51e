"""Holds a PDF against PDF/X-4 or PDF/X-1a:2003 by our own reading of them; every fault with its page and rule.

No certified preflight: what a font's program or a profile's tables hold is not looked into (veraPDF looks into fonts).
"""

import io

import pikepdf

from generator.printshop.findings import Finding
from generator.printshop.foreign_pdf import BROKEN, reason
from generator.printshop.pdfx import (
    colour_rules,
    content_rules,
    file_rules,
    page_rules,
    said_rules,
    transparency_rules,
)
from generator.printshop.pdfx.rule import Rule
from generator.printshop.pdfx.subject import OpenPdf
from generator.printshop.standards import Standard

_MODULES = (file_rules, said_rules, page_rules, content_rules, colour_rules, transparency_rules)

RULES = tuple(one for module in _MODULES for one in vars(module).values() if isinstance(one, Rule))
"""Every rule, in the order in which they are asked."""

NO_PDF = "no-pdf"
"""The rule that a file breaks which can't be opened at all, or not without a password."""


def pdfx_faults(pdf: bytes, standard: Standard) -> tuple[Finding, ...]:
    """Every breach of the standard, by page, those of the file as a whole (page 0) first; none is a clean bill."""
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
