"""The same work by Typst's package, which holds the whole compiler.

    PYTHON typst_peer.py sheets|pictures|book|table CARDS.json TARGET

Digests are made beforehand: Typst has none.
"""

import json
import sys
import tempfile
from pathlib import Path

import deck
import typst

HERE = Path(__file__).resolve().parent
FONTS = HERE.parent / "fonts"


def main(kind: str, source: Path, target: Path) -> None:
    """Print the cards of a JSON file as a PDF, or as PNG into the folder `target`."""
    cards = json.loads(source.read_text(encoding="utf-8"))
    for card in cards:
        card["digest"] = deck.make_digest(card, 6)
    with tempfile.TemporaryDirectory() as room:
        given = {"title": deck.TITLE, "draft": deck.DRAFT, "kind": kind}
        panels = (deck.PANEL, deck.PANEL_ON_ART)
        for name, value in (("cards", cards), ("icons", deck.ICONS), ("palette", deck.PALETTE), ("panels", panels)):
            path = Path(room, f"{name}.json")
            path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
            given[name] = path.as_posix()
        output, template = target, HERE / ("book.typ" if kind in {"book", "table"} else "cards.typ")
        if kind == "pictures":
            target.mkdir(parents=True, exist_ok=True)
            output = target / "c{0p}.png"
        typst.compile(
            template, output=output, root="/", font_paths=[FONTS], ignore_system_fonts=True, sys_inputs=given, ppi=300.0
        )


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
