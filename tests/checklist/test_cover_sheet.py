"""The cover sheet shows all sheets in small, leaves the sheets behind it as they are, and says how to make the game."""

from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from conftest import Ran
from list_pages import Listed, name_of, shipped
from tests_support import TinyProject

from generator.base.display_list import Group
from generator.base.geometry import paper_size
from generator.books.check_list import add_cover_sheet
from generator.books.inventory import make_inventory
from generator.commands.sheets import load_sleeves
from generator.drawing.faces.game_drawing import find_accent
from generator.game.print_pages import Backs, Document
from generator.game.project import find_project
from generator.sheets.settings import SheetSettings

Pnp = Callable[..., Ran]


def cover(one: Listed, backs: Backs = "long") -> Document:
    settings = SheetSettings(paper_size("A4"), "A4", backs=backs)
    sleeves = load_sleeves(find_project(Path(__file__)))
    return add_cover_sheet(
        one.workshop, one.sheets, settings, sleeves, "sheets", find_accent(one.workshop.game.palette)
    )


def things(document: Document, role: str) -> list[Group]:
    """The things of a role on the cover."""
    cover = [item for page in document.pages if page.sheet == 0 for item in page.items]
    return [item for item in cover if isinstance(item, Group) and item.id == role]


def texts(document: Document, wanted: str) -> str:
    found = [group for group in things(document, "text") if name_of(group).startswith(wanted)]
    return "\n".join("".join(getattr(item, "text", "") for item in group.items) for group in found)


@pytest.mark.slow
@pytest.mark.parametrize("backs", ["long", "fold", "none"])
def test_the_sheets_follow_as_they_were_on_their_own_paper(backs: Backs) -> None:
    """An even number of pages comes first, so that each front still has its own back behind it."""
    one = shipped("fortuna", backs=backs)["en"]
    made = cover(one, backs)
    before = len(made.pages) - len(one.sheets.pages)
    assert before and before % 2 == 0
    assert made.pages[before:] == one.sheets.pages
    assert [page.side for page in made.pages[:before]] == ["front", "back"] * (before // 2)
    assert {page.sheet for page in made.pages[:before]} == {0}
    assert all(page.items for page in made.pages[:before]), "printers skip an empty page"


@pytest.mark.slow
def test_each_sheet_has_a_small_picture_within_its_frame() -> None:
    one = shipped("journey18")["ja"]
    made = cover(one)
    frames = [group.matrix[4:] for group in things(made, "artifact") if name_of(group).startswith("small")]
    fronts = [page for page in one.sheets.pages if page.side == "front"]
    assert len(frames) == len(fronts) == 8
    shown = list(made.pages[0].placements)
    assert [put.drawing for put in shown] == [put.drawing for page in fronts for put in page.placements]
    for (x, y), page in zip(frames, fronts, strict=True):
        for put in page.placements:
            small = shown.pop(0)
            assert small.scale == pytest.approx(small.trim.height / put.trim.height) and small.scale < 0.2
            assert small.trim.x == pytest.approx(x + put.trim.x * small.scale, abs=0.001)
            assert small.trim.y == pytest.approx(y + put.trim.y * small.scale, abs=0.001)


def test_the_cuts_are_those_that_the_sheet_numbers() -> None:
    """The count comes from the placed fronts; the numbers at the marks come from the grid."""
    for backs in ("long", "fold"):
        one = shipped("fortuna", backs=backs)["en"]
        face = lambda design, side, one=one: one.workshop.draw_face(design, side, "en")  # noqa: E731
        stock = make_inventory(one.workshop.game, one.sheets.pages, backs, face, one.workshop.digest_face)
        printed = {  # the numbers are the only type of 4 pt
            page.sheet: {getattr(item, "text", "") for item in page.items if getattr(item, "size", 0) == 4.0}
            for page in one.sheets.pages
            if page.side == "front"
        }
        numbered = {sheet: max(map(int, found), default=0) for sheet, found in printed.items() if found - {""}}
        group = stock.groups[0]
        assert group.cuts == numbered[group.first] > 4, (backs, numbered)


@pytest.mark.slow
def test_it_names_papers_folds_and_sleeves() -> None:
    made = cover(shipped("journey18")["en"])
    assert "250 g/m²" in texts(made, "stock 1-6") and "up to 8 cuts" in texts(made, "stock 1-6")
    assert "80 g/m²" in texts(made, "stock 7") and "160 g/m²" in texts(made, "stock 8")
    assert "cuts" not in texts(made, "stock 8"), "cubes and pawns are cut out one by one"
    assert "63 × 88 mm: Standard card game" in texts(made, "sleeve")
    assert {name_of(group) for group in things(made, "picture")} == {"fold cube", "fold standee"}


def test_only_who_asks_gets_one(tiny: TinyProject, pnp: Pnp) -> None:
    """A page number of the PDF is one of the sheets, unless the user wants the cover."""
    file = tiny.root / "output/tiny/sheets.en.pdf"
    assert pnp("sheets").code == 0
    with pikepdf.open(file) as plain:
        pages = len(plain.pages)
    assert pnp("sheets", "--cover-sheet").code == 0
    with pikepdf.open(file) as covered:
        assert len(covered.pages) == pages + 2


@pytest.mark.parametrize("option", [("--only", "card/one"), ("--copies", "1"), ("--large-print",)])
def test_it_describes_the_whole_game_only(tiny: TinyProject, pnp: Pnp, option: tuple[str, ...]) -> None:
    ran = pnp("sheets", "--cover-sheet", *option)
    assert ran.code == 2 and "--cover-sheet describes the whole game" in ran.err
    assert not list(tiny.root.rglob("*.pdf"))


@pytest.mark.slow
def test_a_size_without_a_common_sleeve_is_named() -> None:
    made = cover(shipped("xanadu")["en"])
    assert "63 × 126 mm: no common sleeve" in texts(made, "sleeve")
