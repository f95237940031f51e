"""The cases of cards: print sheets of four decks, and cards with art as PDF and PNG; see README.md."""

import sys
from functools import partial
from pathlib import Path

import deck
import pypdfium2
from cases import NO_PEERS, Aims, Peers, Program, check_pdf
from PIL import Image
from processes import HERE, PNP

SIZES = (78, 780, 7_800, 50_000)
AIMS = {78: Aims(ratio=1.2, peak=60), 780: Aims(ratio=0.9, peak=70), 7_800: Aims(ratio=0.8, peak=120, size=5_000)}

LARGEST = {
    "Typst": (7_800, "left out: about 8 GB, estimated"),
    "WeasyPrint": (780, "left out: minutes"),
    "skia": (50_000, ""),
}
"""The largest deck of each peer, and why it gets no larger one."""

ART_CARDS = 110

BUDGETS = {"78 cards": 1.49, "each card more": 1.82}
"""At most so many times the floor's instructions, held by a test: what has been reached, and 1 to 2 %."""

PER_SHEET = deck.COLUMNS * deck.ROWS


def prepare(size: int, folder: Path, peers: Peers = NO_PEERS, *, art: bool = False) -> list[Program]:
    """Write the deck in each program's form; return what prints its sheets: ReportLab, pnp, the peers."""
    project, cards = _write_deck(folder, size, art)
    check = partial(check_sheets, size=size, art=art)
    target, out = folder / f"reportlab-{size}.pdf", folder / f"out-{size}"
    floor = (sys.executable, str(HERE / "floor.py"), str(cards), str(target))
    pnp = (*PNP, "--project", str(project), "sheets", "--backs", "none", "--out", str(out))
    found = [Program("ReportLab", floor, target, check), Program("pnp", pnp, out / "bench" / "sheets.ja.pdf", check)]
    for name, (largest, reason) in LARGEST.items():
        other, note = folder / f"{name}-{size}.pdf", reason if size > largest else ""
        found.append(peers.make_program(name, "sheets", cards, other, check, note))
    return found


def prepare_pictures(folder: Path, peers: Peers) -> list[Program]:
    """Write the deck with art; return what makes a PNG of 300 dpi of each card."""
    project, cards = _write_deck(folder, ART_CARDS, art=True)
    check = partial(check_pictures, art=project / "templates/bench/art")
    pnp = (*PNP, "--project", str(project), "images", "--lang", "ja", "--out", str(folder / "out"))
    return [
        Program("pnp", pnp, folder / "out" / "bench" / "images", check),
        *(
            peers.make_program(name, "pictures", cards, folder / f"{name}-pictures", check)
            for name in ("Typst", "skia")
        ),
    ]


def _write_deck(folder: Path, size: int, art: bool) -> tuple[Path, Path]:
    """Return the project's folder and the peers' JSON file."""
    project, cards = folder / f"project-{size}", folder / f"cards-{size}.json"
    if not cards.exists():
        deck.write_project(project, size, art=art)
        deck.write_cards(cards, size, project / "templates/bench/art" if art else None)
    return project, cards


def check_sheets(target: Path, size: int, art: bool = False) -> str:
    """Return pages and size; stop unless all sheets are there, with the first and last card's texts and pictures."""
    cards, pages = deck.cards(size), -(-size // PER_SHEET)
    first, last = ((str(card.number), card.title, card.text) for card in (cards[0], cards[-1]))
    told = check_pdf(target, range(pages, pages + 1), first, last)
    if art:
        with pypdfium2.PdfDocument(target) as document:
            for number, expected in ((0, PER_SHEET), (pages - 1, size - (pages - 1) * PER_SHEET)):
                images = document[number].get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE])
                if len(list(images)) < expected:
                    raise SystemExit(f"{target}: pictures are missing on page {number + 1}")
    return told


def check_pictures(target: Path, art: Path) -> str:
    """Return number and size of the PNG files; stop unless each card has one of 300 dpi that shows its art."""
    made, given = sorted(target.glob("*.png")), sorted(art.glob("*.png"))
    if len(made) != len(given):
        raise SystemExit(f"{target} has {len(made)} pictures of {len(given)}")
    for path, source in ((made[0], given[0]), (made[-1], given[-1])):
        with Image.open(path) as picture, Image.open(source) as original:
            near = all(abs(a - b) <= 1 for a, b in zip(picture.size, original.size, strict=True))
            beside = (original.width - 24, original.height // 2, original.width - 16, original.height // 2 + 8)
            shown, drawn = (one.convert("RGB").crop(beside).resize((1, 1)).tobytes() for one in (picture, original))
            if not near or any(abs(a - b) > 24 for a, b in zip(shown, drawn, strict=True)):  # beside the panel
                raise SystemExit(f"{path} does not show {source} at 300 dpi")
    return f"{len(made)} PNG, {sum(path.stat().st_size for path in made) // 1000:,} kB"
