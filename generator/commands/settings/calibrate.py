"""Calibrating a printer: the sheet to measure it with, and what was measured, kept in the user's settings folder."""

from dataclasses import replace
from pathlib import Path

from generator.athome.calibration import calibration
from generator.delivery import delivery
from generator.errors import ProblemsFound
from generator.load.printers import printer_file, printer_text
from generator.load.project import bundled_root
from generator.model.printer import Printer
from generator.model.resources import Resources
from generator.model.sheet import Backs
from generator.units import Size


def print_calibration(paper: Size, backs: Backs, target: Path, printer: Printer | None = None) -> Path:
    """Write the calibration sheet, its back corrected for a printer; ValueError where the paper is too small."""
    sheet = calibration(paper, backs, Resources((bundled_root(),)), printer)
    with delivery() as files:
        files.write(target, sheet.write)
        return files.hand_over()[0]


def store_printer(settings: Path, printer: Printer) -> Path:
    """Write a printer's file, in place of one of that name; ValueError for a name that is no file's name."""
    try:
        with delivery() as files:
            files.put(printer_file(settings, printer.name), printer_text(printer).encode("utf-8"))
            return files.hand_over()[0]
    except ProblemsFound as found:
        hint = "let its folder be written to, or name another settings folder in PNP_HOME"
        raise ProblemsFound([replace(problem, hint=hint) for problem in found.problems]) from found
