"""`pnp build` writes the check list; a stranger's game gets one too, and what can't be set is a problem with a place."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from conftest import Ran
from list_pages import Listed, groups, inks, listed, name_of, opened
from tests_support import TinyProject

from generator.base.geometry import Rect
from generator.game.project import find_project

GAME = "data/tiny/game.yaml"
Pnp = Callable[..., Ran]


def names(tiny: TinyProject) -> list[str]:
    return sorted(path.name for path in (tiny.root / "output").rglob("*.pdf"))


def read(path: Path, pdftotext: str) -> str:
    done = subprocess.run([pdftotext, "-raw", str(path), "-"], capture_output=True, check=True)
    return re.sub(r"\s", "", done.stdout.decode())


def texts(one: Listed) -> dict[str, str]:
    """The texts of a list by their names."""
    return {
        name_of(group): "".join(getattr(item, "text", "") for item in group.items)
        for _, group in groups(one.made, "text")
    }


def test_build_writes_it_and_sheets_does_not(tiny: TinyProject, pnp: Pnp) -> None:
    """One check list for each language, beside the sheets; `pnp sheets` makes sheets alone."""
    assert pnp("sheets").code == 0
    assert names(tiny) == ["sheets.en.pdf"]
    assert pnp("build").code == 0
    assert names(tiny) == ["components.en.pdf", "sheets.en.pdf"]


@pytest.mark.parametrize("option", [("--only", "card/one"), ("--copies", "1")])
def test_a_selection_has_no_check_list(tiny: TinyProject, pnp: Pnp, option: tuple[str, str]) -> None:
    """A list speaks of the whole game, so that a selection's must not stand in its place."""
    assert pnp("build", *option).code == 0
    assert names(tiny) == ["selection.en.pdf"]


@pytest.mark.slow
def test_a_long_game_of_a_stranger_has_as_many_pages_as_it_needs(
    tiny: TinyProject, pnp: Pnp, tool: Callable[[str], str]
) -> None:
    """300 designs with names of up to 100 characters: all there, in the margins, none on top of another."""
    words = "Grandmother’s extraordinarily complicated clockwork nightingale that nobody may ever wind up again"
    rows = "".join(
        f'      - {{id: d{n}, count: {n % 12 + 1}, title: "No. {n} {words[: n % 80]}", value: 1}}\n' for n in range(300)
    )
    tiny.change(GAME, "    stated: 5\n", "")
    tiny.change(GAME, "      - {id: one, count: 2, title: One, value: 1, mark: star}\n", rows)
    tiny.change(GAME, "      - {id: two, count: 3, title: Two, value: 2}\n", "")
    tiny.change("templates/tiny/card.svg", '<textbox x="5" y="15" width="30" height="10"', TALL)
    assert pnp("build").code == 0
    path = tiny.root / "output/tiny/components.en.pdf"
    text = read(path, tool("pdftotext"))

    for n in range(300):
        assert re.sub(r"\s", "", f"No. {n} {words[: n % 80]}") in text
    with pikepdf.open(path) as pdf:
        assert len(pdf.pages) > 4
    one = listed(opened(find_project(tiny.root), "tiny"))["en"]
    assert len([tick for _, tick in groups(one.made, "tick") if "/" in name_of(tick)]) == 300
    for page in one.made.pages:
        things = [(group, box) for group, box in inks(one, page) if group.id != "artifact"]
        room = Rect(0, 0, page.size.width, page.size.height).grow(-13)
        assert [(name_of(group), box) for group, box in things if not room.contains(box, 0.1)] == []
        heads = [name_of(group) for group, _ in things if name_of(group) == "kind card"]
        assert len(heads) == 1 or page.sheet == len(one.made.pages), "the kind's name is repeated on every page"


TALL = '<textbox x="5" y="15" width="30" height="40"'


def test_a_name_that_is_a_book_is_a_problem(tiny: TinyProject, pnp: Pnp) -> None:
    """What finds no room even small is told with its line; the sheets alone still print."""
    tiny.change(GAME, "title: Two", f'title: "{"rigmarole " * 200}"')
    tiny.change("templates/tiny/card.svg", "{{ card.title }}", "Title")
    line = next(n for n, row in enumerate((tiny.root / GAME).read_text().splitlines(), 1) if "rigmarole" in row)
    ran = pnp("build")
    assert ran.code == 1
    assert f"{GAME}:{line}:" in ran.err and "too long for the check list" in ran.err
    assert pnp("sheets").code == 0


def test_a_character_without_glyph_is_a_problem(tiny: TinyProject, pnp: Pnp) -> None:
    """A name that no font can show is not printed with boxes in it."""
    tiny.change(GAME, "title: Two", "title: Two \U0001f9ff")
    tiny.change("templates/tiny/card.svg", "{{ card.title }}", "Title")
    ran = pnp("build")
    assert ran.code == 1
    assert f"{GAME}:" in ran.err and "U+1F9FF" in ran.err and "check list" in ran.err


def test_names_are_as_the_cards_say_them(tiny: TinyProject) -> None:
    """`{{ }}` is filled in, readings and marks of emphasis are left out; a name without a template is its own."""
    tiny.change(GAME, "title: One", 'title: "{crane|kreɪn} **{{ card.value + 6 }}**"')
    said = texts(listed(opened(find_project(tiny.root), "tiny"))["en"])
    assert said["name card/one"] == "crane 7"


def test_what_is_not_included_stands_at_the_end(tiny: TinyProject, pnp: Pnp, tool: Callable[[str], str]) -> None:
    """Each thing that players bring has a line and a box to tick; a game that needs nothing has no such section."""
    assert pnp("build").code == 0
    path = tiny.root / "output/tiny/components.en.pdf"
    assert "Notincluded" not in read(path, tool("pdftotext"))
    tiny.change(GAME, "setup:\n", "not_included: [a pencil, 'a bag for {{ rules.marbles }} marbles']\nsetup:\n")
    tiny.change(GAME, "palette:\n", "rules: {marbles: 40}\npalette:\n")
    assert pnp("build").code == 0
    text = read(path, tool("pdftotext"))
    assert text.index("Notincluded") < text.index("apencil") and "abagfor40marbles" in text
    one = listed(opened(find_project(tiny.root), "tiny"))["en"]
    assert sum(name_of(tick).startswith("not included") for _, tick in groups(one.made, "tick")) == 2


def test_a_missing_translation_of_what_is_not_included_is_a_problem(tiny: TinyProject, pnp: Pnp) -> None:
    """It is said with its line and what to add."""
    tiny.change(GAME, "languages: [en]", "languages: [en, ja]")
    tiny.change(GAME, "setup:\n", "not_included:\n  - {en: a pencil}\nsetup:\n")
    line = next(n for n, row in enumerate((tiny.root / GAME).read_text().splitlines(), 1) if "a pencil" in row)
    ran = pnp("build")
    assert ran.code == 1
    assert any(
        said.startswith(f"{GAME}:{line}:") and "entry 1 of not_included has no text in 'ja'" in said
        for said in ran.said
    ), ran.err


def test_a_board_in_tiles_and_a_token_are_listed_as_one_piece(tiny: TinyProject, pnp: Pnp) -> None:
    """However many sheets a board is printed on, it is ticked once; tokens share a sheet of their own."""
    tiny.change(GAME, "setup:\n", TOKENS + "setup:\n")
    tiny.write("templates/tiny/blank.svg", '<svg><rect x="-3" y="-3" width="500" height="500" fill="red"/></svg>')
    one = listed(opened(find_project(tiny.root), "tiny"))["en"]
    text = "".join(texts(one).values())
    ticks = [name_of(group) for _, group in groups(one.made, "tick")]

    assert ticks.count("map/map") == ticks.count("coin/coin") == 1
    tiles = len({page.sheet for page in one.sheets.pages for placed in page.placements if placed.id == "map/map#1"})
    assert tiles > 1
    assert f"Map ({tiles} parts): cut at the marks" in text
    assert "Coin: cut out one by one" in text
    assert texts(one)["total"] == "13 pieces"
    held = [words.rsplit("·", 1)[1] for name, words in texts(one).items() if name.startswith("held")]
    assert [words.strip() for words in held] == ["5 pieces", "1 piece", "7 pieces"]
    sheets = [tick for tick in ticks if tick.startswith("sheets")]
    assert len(sheets) == 3


TOKENS = """\
  coin: {name: Coin, form: token, shape: round, size: 20, bleed: 1, safe: 1, front: blank, designs: [{id: coin, count: 7}]}
  map: {name: Map, form: board, size: [300, 250], front: blank, designs: [{id: map}]}
"""
