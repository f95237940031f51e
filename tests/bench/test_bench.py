"""The benches measure the same deck in every run, change rules one place at a time, and write their figures down."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pypdfium2
import pytest
from PIL import Image

from generator.game.load_game import load_game
from generator.game.project import find_project

BENCH = Path(__file__).resolve().parents[2] / "bench"
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
    source, target = tmp_path / "cards.json", tmp_path / "cards.pdf"
    deck.write_cards(source, 10)
    subprocess.run([sys.executable, BENCH / "floor.py", source, target], check=True)
    document = pypdfium2.PdfDocument(target)
    pages = ["".join(page.get_textpage().get_text_bounded().split()) for page in document]
    document.close()
    cards = deck.cards(10)
    assert [[card.number for card in cards if card.text in page] for page in pages] == [list(range(1, 10)), [10]]


@pytest.mark.slow
def test_nothing_is_measured_that_was_not_printed(bench: Load, deck: ModuleType, tmp_path: Path) -> None:
    """A PDF that lacks cards, or shows other cards, stops the bench instead of looking fast."""
    sheets, source, target = bench("sheets"), tmp_path / "cards.json", tmp_path / "cards.pdf"
    deck.write_cards(source, 10)
    command = (sys.executable, str(BENCH / "floor.py"), str(source), str(target))
    assert bench("processes").time_process(command).peak > 10
    assert sheets.check_sheets(target, 10).startswith("2 pages, ")
    with pytest.raises(SystemExit, match="has 2 pages, not 3 to 3"):
        sheets.check_sheets(target, 19)
    with pytest.raises(SystemExit, match="not on page 2"):
        sheets.check_sheets(target, 11)
    with pytest.raises(SystemExit, match="pictures are missing on page 1"):
        sheets.check_sheets(target, 10, art=True)


def test_pictures_must_show_their_art(bench: Load, tmp_path: Path) -> None:
    """A picture of another size, a picture without its art and a missing picture stop the bench."""
    sheets, made, art = bench("sheets"), tmp_path / "made", tmp_path / "art"
    for folder, size in ((art, (744, 1039)), (made, (745, 1039))):
        folder.mkdir()
        for name in "ab":
            Image.new("RGB", size, "navy").save(folder / f"{name}.png")
    assert sheets.check_pictures(made, art).startswith("2 PNG, ")
    Image.new("RGB", (744, 1039), "red").save(made / "b.png")
    with pytest.raises(SystemExit, match=r"b\.png does not show"):
        sheets.check_pictures(made, art)
    Image.new("RGB", (372, 520), "navy").save(made / "b.png")
    with pytest.raises(SystemExit, match=r"b\.png does not show"):
        sheets.check_pictures(made, art)
    (made / "b.png").unlink()
    with pytest.raises(SystemExit, match="1 pictures of 2"):
        sheets.check_pictures(made, art)


def test_a_failing_program_is_reported(bench: Load) -> None:
    with pytest.raises(SystemExit, match="no such deck"):
        bench("processes").time_process([sys.executable, "-c", "raise ValueError('no such deck')"])


FEW, MORE = 78, 234


@pytest.mark.slow
def test_sheets_keep_their_budget_of_instructions(
    bench: Callable[[str], ModuleType], tool: Callable[[str], str], tmp_path: Path
) -> None:
    """As whole processes without a cache: a small deck, and each card more. A busy machine counts the same."""
    tool("valgrind")
    sheets, processes = bench("sheets"), bench("processes")
    counts: dict[str, dict[int, int]] = {}
    for size in (FEW, MORE):
        for program in sheets.prepare(size, tmp_path)[:2]:
            processes.time_process(program.command)  # the first run compiles Python's modules
            counts.setdefault(program.name, {})[size] = processes.count_instructions(program.command)
    floor, ours = counts["ReportLab"], counts["pnp"]
    few = ours[FEW] / floor[FEW]
    each = (ours[MORE] - ours[FEW]) / (floor[MORE] - floor[FEW])
    assert few <= sheets.BUDGETS["78 cards"], f"{few:.3f} times the floor at {FEW} cards"
    assert each <= sheets.BUDGETS["each card more"], f"{each:.3f} times the floor for each card more"


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


def test_figures_replace_those_of_the_last_run(bench: Load) -> None:
    """Write tables between a document's two lines, and change nothing else."""
    report, name = bench("report"), "bench/site.py --write"
    text = DOCUMENT.read_text(encoding="utf-8")
    once = report.replace_tables(text, name, "| a |\n")
    before, _, rest = text.partition(f"<!-- {name} -->\n")
    table, _, after = rest.partition("<!-- end -->\n")
    assert once == f"{before}<!-- {name} -->\n| a |\n<!-- end -->\n{after}"
    assert report.replace_tables(once, name, "| b |\n") == once.replace("| a |", "| b |")
    assert "together" in table, "a run has written into it"
    with pytest.raises(ValueError, match="the document has no lines"):
        report.replace_tables(text.replace("<!-- end -->", ""), name, "")


def test_the_readme_has_a_place_for_every_group(bench: Load) -> None:
    run, report = bench("run"), bench("report")
    text = (BENCH / "README.md").read_text(encoding="utf-8")
    for group in (*run.GROUPS, *run.SCRIPTS):
        assert report.replace_tables(text, f"bench/run.py {group}", "| new |\n").count("| new |") == 1


def test_an_aim_that_is_missed_is_said(bench: Load) -> None:
    """Medians count, ratios are to the first program, and a program that did not run says why."""
    report, cases = bench("report"), bench("cases")
    runs = [cases.Run(wall, wall / 2, 50.0) for wall in (1.0, 9.0, 2.0)]
    floor, ours = (
        cases.Result("c", "floor", runs[:1], instructions=100),
        cases.Result("c", "pnp", runs, instructions=300),
    )
    absent = cases.Result("c", "other", output="not installed")
    rows = list(report.write_rows([floor, ours, absent], cases.Aims(ratio=1.9, wall=2, peak=49)))
    assert rows[1].startswith("| c | pnp | 2.000 | 1.000 to 9.000 | 1.000 | 2.00 | 0 | 3.00 | 50 |")
    assert rows[1].endswith("| 1.9 x CPU: MISSED; 2 s: met; 49 MiB: MISSED |\n")
    assert rows[2] == "| c | other |  |  |  |  |  |  |  | not installed |  |\n"


@pytest.mark.parametrize("edited", ["fortuna, a card edited", "xanadu, a word edited"])
def test_a_build_without_its_edit_stops_the_bench(bench: Load, tmp_path: Path, edited: str) -> None:
    """A PDF must show the words of the edit, with the number of the run."""
    builds = bench("builds")
    edit = builds.EDITS[edited]
    build = builds.Build(tmp_path, (edited.split(",", maxsplit=1)[0],), edit, empty=True)
    build.prepare(1)
    changed = (tmp_path / "project" / edit.file).read_text(encoding="utf-8")
    assert edit.new.format(builds.FIRST + 1) in changed
    for name in {"sheets.en.pdf", "rulebook.en.pdf", edit.shown}:
        path = tmp_path / "out" / build.games[0] / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with pypdfium2.PdfDocument.new() as document:
            document.new_page(100, 100)
            document.save(path)
    with pytest.raises(SystemExit, match="does not show"):
        build.check(tmp_path / "out")
