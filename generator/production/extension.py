"""Registers the commands and files of the production package with the program."""

from generator.base.extensions import Entry, Extension

EXTENSION = Extension(
    commands={
        "preflight": Entry(
            "generator.production.preflight.preflight:preflight", "Check PDF files for print faults", "Check"
        ),
        "proof": Entry(
            "generator.production.proof:proof", "Preview colour blindness, greyscale, trim and safe area", "Check"
        ),
        "presets": Entry(
            "generator.production.presets:presets", "List papers, perforated stock, sleeves and print shops", "Print"
        ),
        "calibrate": Entry(
            "generator.production.calibrate:calibrate", "Measure and correct how a printer shifts the backs", "Print"
        ),
        "boxes": Entry("generator.production.boxes:boxes", "Draw tuck boxes for the decks", "Print"),
        "dielines": Entry("generator.production.dielines:dielines", "Draw cut lines for a cutting machine", "Print"),
        "shop": Entry("generator.production.shop:shop", "Export files for a print shop", "Print"),
        "pack": Entry("generator.production.pack:pack", "Pack a zip for print-and-play sites", "Share"),
        "showcase": Entry("generator.production.showcase:showcase", "Render pictures for a shop page", "Share"),
    }
)
