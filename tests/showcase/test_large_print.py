"""`--large-print`: the same pieces and pages, the square root of two as large, and nothing else of them changed."""

import io
from collections.abc import Callable
from math import isclose
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from tests_support import TinyProject

from generator.base.display_list import Group, Shape, walk_leaves
from generator.base.geometry import Rect, Size
from generator.base.outlines import find_bounds
from generator.drawing.faces.face_variants import ENLARGEMENT, enlarge_document, enlarge_kind, make_enlarger
from generator.drawing.faces.game_drawing import Workshop
from generator.game.load_game import load_game
from generator.game.print_pages import Bookmark, Document, Page, PageLink
from generator.game.project import find_project

Pnp = Callable[..., Any]
BOOK = "# The game\n\nTake a card.\n"


def test_a_face_grows_with_all_that_is_on_it(tiny: TinyProject) -> None:
    """Size, bleed, shapes and the record of its texts, each by the same; equal faces stay one object."""
    project = find_project(tiny.root)
    game = load_game(project.find_folder("tiny"), project.resources)
    workshop, enlarge = Workshop(game, project.resources), make_enlarger()
    face = workshop.draw_face(next(iter(game.designs())), "front", "en")
    assert face is not None

    large = enlarge(face)

    assert enlarge(face) is large
    assert (large.width, large.height, large.bleed) == (40 * ENLARGEMENT, 60 * ENLARGEMENT, face.bleed * ENLARGEMENT)
    before, after = (
        [find_bounds(leaf.path, at) for leaf, at in walk_leaves(one.items) if isinstance(leaf, Shape)]
        for one in (face, large)
    )
    assert before and len(before) == len(after)
    for small, grown in zip(before, after, strict=True):
        assert small and grown and isclose(grown.right, small.right * ENLARGEMENT)
    assert [frame.size for frame in large.frames] == [frame.size * ENLARGEMENT for frame in face.frames]


def test_where_it_is_cut_grows_too(tiny: TinyProject) -> None:
    """Corner, safe zone and an outline of its own: a guide and a cut line lie where the face says."""
    project = find_project(tiny.root)
    kind = load_game(project.find_folder("tiny"), project.resources).kinds["card"]
    large = enlarge_kind(kind)
    assert (large.size, large.corner, large.safe) == (Size(40 * ENLARGEMENT, 60 * ENLARGEMENT), 3 * ENLARGEMENT, 3 * ENLARGEMENT)  # fmt: skip
    assert large.designs == kind.designs


def test_links_of_a_book_stay_on_their_words() -> None:
    link = PageLink(Rect(10, 20, 30, 4), 0, 100)
    page = Page(Size(148, 210), "front", 1, (), (Shape("M 0 0 L 1 0 Z", "ink"),), (link,))
    book = Document("Book", "en", (page,), outline=(Bookmark("Part", 1, 0, 50),))
    large = enlarge_document(book)
    (grown,) = large.pages
    assert isclose(grown.size.width, 210, abs_tol=0.8) and isclose(grown.size.height, 297, abs_tol=0.8)
    assert (grown.links[0].box.x, grown.links[0].y) == (10 * ENLARGEMENT, 100 * ENLARGEMENT)
    assert large.outline[0].y == 50 * ENLARGEMENT
    assert isinstance(grown.items[0], Group)


def sizes(path: Path) -> set[tuple[int, int]]:
    with pikepdf.open(io.BytesIO(path.read_bytes())) as pdf:
        boxes = [[float(side) for side in page.mediabox] for page in pdf.pages]
    return {(round(box[2] * 25.4 / 72), round(box[3] * 25.4 / 72)) for box in boxes}


def test_sheets_and_books_come_in_large_print(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the usual files and not in their place: sheets on the same paper, an A5 book on A4."""
    tiny.write("templates/tiny/rulebook.en.md", BOOK)
    monkeypatch.chdir(tiny.root)
    out = tiny.root / "output" / "tiny"

    assert pnp("sheets", "tiny").code == pnp("sheets", "tiny", "--large-print").code == 0
    assert pnp("rulebook", "tiny", "--large-print").code == 0

    assert {path.name for path in out.iterdir()} == {
        *("sheets.en.pdf", "sheets-large-print.en.pdf", "rulebook-large-print.en.pdf"),
    }
    assert sizes(out / "sheets-large-print.en.pdf") == {(210, 297)}
    assert sizes(out / "rulebook-large-print.en.pdf") == {(209, 297)}
    with pikepdf.open(out / "sheets-large-print.en.pdf") as pdf:
        assert len(pdf.pages) == 1


@pytest.mark.parametrize(
    "asked",
    [("sheets", "--numbers"), ("sheets", "--prototype"), ("rulebook", "--page", "Letter"), ("rulebook", "--epub")],
)
def test_what_has_no_large_print_is_wrong_usage(
    tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, ...]
) -> None:
    """Marks that would lie beside their places, and files that readers enlarge themselves."""
    monkeypatch.chdir(tiny.root)
    ran = pnp(*asked, "--large-print")
    assert ran.code == 2
    assert "--large-print" in ran.err
