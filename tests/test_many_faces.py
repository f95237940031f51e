"""Very many faces: drawn when their pages are laid, with the same bytes as ever and memory for the designs alone."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from shipped_games import SWEPT
from tests_support import TinyProject, quick

from generator.base.errors import ProblemsFound
from generator.base.geometry import Size
from generator.commands import sheets
from generator.commands.orders import carry_out
from generator.commands.sheets import SheetsOrder
from generator.game.project import find_project
from generator.sheets.settings import SheetSettings

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "bench"))

import deck  # noqa: E402 - the bench is no package

CARDS = 50_000
MOST_MIB = 285
"""Peak memory of the whole command: 257 MiB were measured."""


def printed(game: str, out: Path, backs: str) -> dict[str, bytes]:
    settings = SheetSettings(Size(210.0, 297.0), backs=backs)  # type: ignore[arg-type]
    made = carry_out(find_project(ROOT), (game,), SheetsOrder((), out, sheets=settings), lambda _doing: None)
    return {path.name: path.read_bytes() for path in made.files}


@pytest.mark.parametrize("backs", quick(["long", "separate", "fold", "none"], "long", rest="release"))
@pytest.mark.parametrize("game", SWEPT)
def test_faces_in_passing_give_the_same_bytes(
    game: str, backs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = printed(game, tmp_path / "at_once", backs)
    monkeypatch.setattr(sheets, "FEW_FACES", 0)
    monkeypatch.setattr("generator.drawing.faces.game_drawing.AT_HAND", 10)
    assert printed(game, tmp_path / "in_passing", backs) == at_once


@pytest.mark.parametrize("few", [1_000, 0])
def test_faces_in_passing_give_the_same_problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    tiny = TinyProject(tmp_path)
    tiny.change("data/tiny/game.yaml", "count: 2, title: One", "count: 2, title: '{nothing}'")
    tiny.change("data/tiny/game.yaml", "count: 3, title: Two", "count: 0, title: ☃")
    tiny.change("data/tiny/game.yaml", "stated: 5", "stated: 2")
    monkeypatch.setattr(sheets, "FEW_FACES", few)
    with pytest.raises(ProblemsFound) as found:
        carry_out(find_project(tmp_path), ("tiny",), SheetsOrder((), tmp_path / "out"), lambda _doing: None)

    assert [problem.what for problem in found.value.problems] == [
        "the text of card/one (en) shows the unknown icon 'nothing'",
        "U+2603 '☃' has no glyph in family 'body' (text of card/two (en))",
    ]
    assert not list((tmp_path / "out").rglob("*.pdf"))


@pytest.mark.release
def test_a_deck_of_fifty_thousand_cards_takes_little_memory(tmp_path: Path) -> None:
    deck.write_project(tmp_path, 1)
    cards = tmp_path / "data/bench/cards.yaml"
    head = cards.read_text(encoding="utf-8").split("    designs:\n")[0].replace("stated: 1\n", f"stated: {CARDS}\n")
    cards.write_text(f"{head}    designs: deck.csv\n", encoding="utf-8")
    with (tmp_path / "data/bench/deck.csv").open("w", encoding="utf-8", newline="") as table:
        writer = csv.writer(table)
        writer.writerow(["id", "number", "icon", "title", "text"])
        writer.writerows(
            [f"c{card.number}", card.number, card.icon, card.title, card.text] for card in deck.cards(CARDS)
        )
    pnp = [sys.executable, "-m", "generator", "--project", str(tmp_path), "sheets", "--backs", "none", "--no-cache"]
    meter = [sys.executable, "-I", "-S", str(ROOT / "bench/meter.py"), *pnp, "--out", str(tmp_path / "out")]
    done = subprocess.run(meter, cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["peak"] < MOST_MIB
