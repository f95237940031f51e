"""What the production package adds to the program."""

from generator.base.extensions import Entry, Extension

_HOME = "generator.production.commands"
EXTENSION = Extension(
    commands={
        "images": Entry(f"{_HOME}:images", "Export each card and piece as a PNG", "Make"),
        "preflight": Entry(f"{_HOME}:preflight", "Check PDF files for print faults", "Check"),
        "proof": Entry(f"{_HOME}:proof", "Preview colour blindness, greyscale, trim and safe area", "Check"),
        "presets": Entry(f"{_HOME}:presets", "List papers, perforated stock, sleeves and print shops", "Print"),
        "calibrate": Entry(f"{_HOME}:calibrate", "Measure and correct how a printer shifts the backs", "Print"),
        "boxes": Entry(f"{_HOME}:boxes", "Draw tuck boxes for the decks", "Print"),
        "dielines": Entry(f"{_HOME}:dielines", "Draw cut lines for a cutting machine", "Print"),
        "shop": Entry(f"{_HOME}:shop", "Export files for a print shop", "Print"),
        "pack": Entry(f"{_HOME}:pack", "Pack a zip for print-and-play sites", "Share"),
        "showcase": Entry(f"{_HOME}:showcase", "Render pictures for a shop page", "Share"),
    }
)
