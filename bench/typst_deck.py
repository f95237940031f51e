"""The same sheets by Typst's package: reads what `floor.py` reads.

    PYTHON typst_deck.py CARDS.json OUT.pdf

PYTHON is one that has the package `typst`, which holds the whole compiler. Digests are made beforehand: Typst has none.
"""

import hashlib
import json
import sys
import tempfile
from pathlib import Path

import typst
from deck import DRAFT, ICONS, PALETTE, TITLE

HERE = Path(__file__).resolve().parent
FONTS = HERE.parent / "fonts"


def main(source: Path, target: Path) -> None:
    """Print the cards of a JSON file."""
    cards = json.loads(source.read_text(encoding="utf-8"))
    for card in cards:
        card["digest"] = hashlib.sha256(repr(card).encode()).hexdigest()[:6]
    with tempfile.TemporaryDirectory() as room:
        given = {"title": TITLE, "draft": DRAFT}
        for name, value in (("cards", cards), ("icons", ICONS), ("palette", PALETTE)):
            path = Path(room, f"{name}.json")
            path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
            given[name] = path.as_posix()
        typst.compile(
            HERE / "cards.typ", output=target, root="/", font_paths=[FONTS], ignore_system_fonts=True, sys_inputs=given
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
