"""The benches measure the same deck in every run, change rules one place at a time, and write their figures down."""

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


FEW, MORE = 78, 234


@pytest.mark.slow
def test_sheets_keep_their_budget_of_instructions(
    bench: Callable[[str], ModuleType], tool: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As whole processes without a cache: a small deck, and each card more. A busy machine counts the same."""
    tool("valgrind")
    sheets = bench("sheets")
    for name in ("PNP_NO_CACHE", "PYTHONDONTWRITEBYTECODE"):
        monkeypatch.setenv(name, "")  # put back afterwards
    sheets.prepare_environment()
    counts: dict[str, dict[int, int]] = {}
    for size in (FEW, MORE):
        for contender in sheets.prepare(tmp_path, size)[:2]:
            sheets.timed(contender.command)  # the first run compiles Python's modules
            counts.setdefault(contender.name, {})[size] = sheets.instructions(contender.command)
    floor, ours = counts["floor"], counts["pnp"]
    few = ours[FEW] / floor[FEW]
    each = (ours[MORE] - ours[FEW]) / (floor[MORE] - floor[FEW])
    assert few <= sheets.BUDGETS["78 cards"], f"{few:.3f} times the floor at {FEW} cards"
    assert each <= sheets.BUDGETS["each card more"], f"{each:.3f} times the floor for each card more"


BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path.append(str(BENCH))

import mutate_rules  # noqa: E402 - the bench is no package

SOURCE = '''"""Numbers in texts, such as 7, stay."""

日 = 3  # 4


def rule(a: int, b: int) -> bool:
    """Nor 8 here."""
    return a[0] < b <= 12 and (a) == (b) and not a is None
'''


def test_every_place_is_found_and_changed(tmp_path: Path) -> None:
    path = tmp_path / "play.py"
    path.write_text(SOURCE, encoding="utf-8")
    found = list(mutate_rules.changes(path, "play.py"))
    assert [str(change) for change in found] == [
        "play.py:3: 3 -> 4", "play.py:8: 0 -> 1", "play.py:8: < -> <=", "play.py:8: <= -> <", "play.py:8: 12 -> 13",
        "play.py:8: and -> or", "play.py:8: == -> !=", "play.py:8: and -> or",
    ]  # fmt: skip
    whole = SOURCE.encode()
    assert [whole[change.start : change.end].decode() for change in found] == [change.old for change in found]


@pytest.mark.slow  # runs tests in processes of their own, one until its time is up
def test_a_change_that_a_test_passes_survives(tmp_path: Path) -> None:
    (tmp_path / "play.py").write_text(
        "TURNS = 3\nCOLOUR = 5\n\n\ndef count():\n    n = 0\n    while n != 6:\n        n += 2\n    return n\n"
    )
    (tmp_path / "test_it.py").write_text(
        "import play\n\n\ndef test_it():\n    assert play.TURNS == 3\n    assert play.count() == 6\n"
    )
    before = (tmp_path / "play.py").read_bytes()
    found = {str(change): change for change in mutate_rules.changes(tmp_path / "play.py", "play.py")}

    def survives(name: str) -> bool:
        return mutate_rules.survives(tmp_path, found[name], "test_it.py", 600)  # as long as a busy machine may take

    assert not survives("play.py:1: 3 -> 4")
    assert survives("play.py:2: 5 -> 6")
    assert not mutate_rules.survives(tmp_path, found["play.py:7: 6 -> 7"], "test_it.py", 3)
    assert (tmp_path / "play.py").read_bytes() == before


DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "browser.md"


def test_figures_replace_those_of_the_last_run(bench: Callable[[str], ModuleType]) -> None:
    """Write tables between the document's two lines, and change nothing else."""
    site = bench("site")
    text = DOCUMENT.read_text(encoding="utf-8")
    once = site.written(text, "| a |\n")
    before, after = text.split(site.BEGIN)[0], text.split(site.END)[1]
    assert once == f"{before}{site.BEGIN}| a |\n{site.END}{after}"
    assert site.written(once, "| b |\n") == once.replace("| a |", "| b |")
    assert "together" in text.split(site.BEGIN)[1].split(site.END)[0], "a run has written into it"
    with pytest.raises(ValueError, match="the document has no lines"):
        site.written(text.replace(site.END, ""), "")
