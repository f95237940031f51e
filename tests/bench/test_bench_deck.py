"""The bench's deck is the same in every run, and its yardstick prints all of it."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pypdfium2
import pytest

from generator.game.load_game import load_game
from generator.game.project import find_project

Load = Callable[[str], ModuleType]


@pytest.fixture
def deck(bench: Load) -> ModuleType:
    return bench("deck")


def test_a_larger_deck_begins_with_the_smaller_one(deck: ModuleType) -> None:
    assert deck.cards(200)[:78] == deck.cards(78)


def test_the_deck_is_the_same_in_every_python(deck: ModuleType) -> None:
    """The first card is known by heart: a table of last year can be set beside one of today."""
    first = deck.cards(1)[0]
    assert (first.number, first.icon, first.title) == (1, "moon", "幻の狼の群れ")
    assert first.text.startswith("隣の人が扇を捨てたとき、帆を張って6つ先の島へ向かう。")


def test_every_card_of_the_largest_deck_differs(deck: ModuleType) -> None:
    """7,800 different rules texts of 80 to 86 characters under titles of 5 to 8: no cache may hold whole cards."""
    cards = deck.cards(7800)
    assert len({card.text for card in cards}) == 7800
    assert {len(card.text) for card in cards} == set(range(80, 87))
    assert {len(card.title) for card in cards} == {5, 6, 7, 8}
    assert {card.icon for card in cards} == set(deck.ICONS)
    assert len(deck.ICONS) == 5


def test_the_project_holds_the_same_cards(deck: ModuleType, tmp_path: Path) -> None:
    """What `pnp` reads from YAML is what the yardstick reads from JSON."""
    deck.write_project(tmp_path, 12)
    project = find_project(tmp_path, tmp_path)
    game = load_game(project.find_folder("bench"), project.resources)
    read = [{name: design.fields[name] for name in ("number", "icon")} for design in game.designs()]
    texts = [(design.fields["title"]["ja"], design.fields["text"]["ja"]) for design in game.designs()]
    cards = deck.cards(12)
    assert read == [{"number": card.number, "icon": card.icon} for card in cards]
    assert texts == [(card.title, card.text) for card in cards]


def test_the_yardstick_prints_every_card(bench: Load, deck: ModuleType, tmp_path: Path) -> None:
    sheets, source, target = bench("sheets"), tmp_path / "cards.json", tmp_path / "cards.pdf"
    deck.write_cards(source, 10)
    subprocess.run([sys.executable, sheets.HERE / "floor.py", source, target], check=True)
    document = pypdfium2.PdfDocument(target)
    pages = ["".join(page.get_textpage().get_text_bounded().split()) for page in document]
    document.close()
    cards = deck.cards(10)
    assert [[card.number for card in cards if card.text in page] for page in pages] == [list(range(1, 10)), [10]]


def test_nothing_is_measured_that_was_not_printed(bench: Load, deck: ModuleType, tmp_path: Path) -> None:
    """A PDF that lacks cards, or shows other cards, stops the bench instead of looking fast."""
    sheets, source, target = bench("sheets"), tmp_path / "cards.json", tmp_path / "cards.pdf"
    printed = sheets.Contender(
        "floor", (sys.executable, str(sheets.HERE / "floor.py"), str(source), str(target)), target
    )
    deck.write_cards(source, 10)
    assert sheets.timed(printed.command).peak > 10
    assert sheets.checked_pages(printed, 10) == 2
    with pytest.raises(SystemExit, match="printed 2 pages for 19 cards"):
        sheets.checked_pages(printed, 19)
    with pytest.raises(SystemExit, match="not on page 2"):
        sheets.checked_pages(printed, 11)


def test_a_failing_program_is_reported(bench: Load) -> None:
    with pytest.raises(SystemExit, match="no such deck"):
        bench("sheets").timed([sys.executable, "-c", "raise ValueError('no such deck')"])
