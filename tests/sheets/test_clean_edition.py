"""The clean edition: faces without draft, hash and note, on sheets whose margins still name the draft."""

import re
from pathlib import Path

import pytest
from conftest import Pnp
from shipped_games import GAMES, SWEPT, workshop
from tests_support import TinyProject

from generator.base.display_list import Item, TextRun, walk_leaves
from generator.commands.print_sheets import PrintLook, PrintOrder, impose_sheets
from generator.game.print_pages import Document


def sheets(game: str, **look: bool) -> Document:
    order = PrintOrder(("ja",), Path("unused"), look=PrintLook(**look))
    return impose_sheets(workshop(game), order, lambda _doing: None)["ja"]


def stamp_runs(document: Document) -> int:
    """The number of stamps on the faces of a document."""
    faces = (placement.drawing.to_drawing() for page in document.pages for placement in page.placements)
    return sum(isinstance(leaf, TextRun) and leaf.role == "stamp" for face in faces for leaf in leaves(face.items))


def leaves(items: tuple[Item, ...]) -> list[Item]:
    return [leaf for leaf, _ in walk_leaves(items)]


@pytest.mark.slow
@pytest.mark.parametrize("game", SWEPT)
@pytest.mark.parametrize("colours", ["plain", "low_ink", "high_contrast", "large_print"])
def test_clean_faces_have_no_stamp_and_their_sheets_name_the_draft(game: str, colours: str) -> None:
    also = {} if colours == "plain" else {colours: True}
    assert stamp_runs(sheets(game, **also)) > 0
    clean = sheets(game, clean=True, **also)
    assert stamp_runs(clean) == 0
    for page in clean.pages:
        words = "".join(leaf.text for leaf in leaves(page.items) if isinstance(leaf, TextRun))
        assert re.search(rf"草案 ?{workshop(game).game.draft}", words), words


@pytest.mark.parametrize("game", GAMES)
def test_small_and_shaped_pieces_of_the_games_never_bear_a_stamp(game: str) -> None:
    shop = workshop(game)
    for kind in shop.game.kinds.values():
        if kind.form in ("card", "board", "pad") and not kind.outline:
            continue
        for face in kind.faces(kind.designs[0]):
            drawing = shop.draw_printed("ja", kind.designs[0], face)
            assert drawing is not None
            assert not any(isinstance(leaf, TextRun) and leaf.role == "stamp" for leaf in leaves(drawing.items))


@pytest.mark.slow
def test_the_option_reaches_the_files(tiny: TinyProject, pnp: Pnp) -> None:
    """`--clean` changes sheets and their pictures, and marks on faces can't be asked for beside it."""
    assert pnp("sheets", "--out", "plain").code == 0
    assert pnp("sheets", "--clean", "--out", "clean").code == 0
    plain, clean = ((tiny.root / name / "tiny/sheets.en.pdf").read_bytes() for name in ("plain", "clean"))
    assert plain != clean
    assert pnp("images", "--sheets", "--dpi", "72", "--out", "plain").code == 0
    assert pnp("images", "--sheets", "--dpi", "72", "--clean", "--out", "clean").code == 0
    plain, clean = (next((tiny.root / name).rglob("*.png")).read_bytes() for name in ("plain", "clean"))
    assert plain != clean
    for other in ("--numbers", "--prototype"):
        ran = pnp("sheets", "--clean", other)
        assert (ran.code, "--clean excludes --prototype and --numbers" in ran.err) == (2, True)
    assert pnp("images", "--clean", "--stamp").code == 2
