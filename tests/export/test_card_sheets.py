"""Sheets of cards: as few as leave the cards legible, each within the limits, every face in its slot."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from generator.base.display_list import Drawing
from generator.base.geometry import Size
from generator.exchange.table_articles import (
    LEGIBLE,
    Article,
    ArticleLot,
    SlotGrid,
    choose_grid,
    faces_per_sheet,
    fill_sheet,
    largest_dpi,
    lay_boxes_in_rows,
    split_decks,
)
from generator.game.model import Kind
from generator.game.rich_text import Words

SIZES = st.builds(Size, st.floats(20, 200), st.floats(20, 200))
POKER = Size(63, 88)


def pixels(side: float, dpi: float) -> int:
    return round(side * dpi / 25.4)


@given(st.integers(1, 69), SIZES, st.integers(36, 600))
@example(69, POKER, 300)
def test_a_grid_keeps_the_limits(faces: int, size: Size, most: int) -> None:
    """2 to 10 columns, 2 to 7 rows, 4096 pixels, a slot more than faces, no more dots than asked for."""
    grid = choose_grid(faces, size, most)
    assert 2 <= grid.columns <= 10 and 2 <= grid.rows <= 7 and grid.slots > faces
    assert grid.columns * pixels(size.width, grid.dpi) <= 4096
    assert grid.rows * pixels(size.height, grid.dpi) <= 4096
    assert grid.dpi <= most


@given(st.integers(1, 69), SIZES, st.integers(36, 600), st.integers(2, 10), st.integers(2, 7))
@example(30, POKER, 600, 7, 5)
def test_no_grid_shows_larger_faces(faces: int, size: Size, most: int, columns: int, rows: int) -> None:
    """Every other grid with room for them shows the faces no larger, or as large with no fewer slots."""
    grid = choose_grid(faces, size, most)
    if columns * rows <= faces:
        return
    possible = min(most, 4096 // columns * 25.4 / size.width, 4096 // rows * 25.4 / size.height)
    assert int(possible) <= grid.dpi
    assert int(possible) < grid.dpi or columns * rows >= grid.slots


@given(st.integers(1, 400), SIZES, st.integers(36, 600))
@example(60, POKER, 300)
@example(3, Size(200, 200), 600)
def test_faces_are_shared_out_evenly_and_legibly(faces: int, size: Size, most: int) -> None:
    """All faces come on sheets that differ by one at most; none has more than 69, or is less legible than it could be."""
    sheets = faces_per_sheet(faces, size, most)
    best = choose_grid(1, size, most).dpi
    assert sum(sheets) == faces and max(sheets) <= 69 and max(sheets) - min(sheets) <= 1
    assert all(choose_grid(n, size, most).dpi >= min(LEGIBLE, most, best) for n in sheets)
    fewer = len(sheets) - 1
    if fewer and -(-faces // fewer) <= 69:
        assert choose_grid(-(-faces // fewer), size, most).dpi < min(LEGIBLE, most, best), "one sheet less would do"


@pytest.mark.parametrize("faces", [0, 70])
def test_a_sheet_has_1_to_69_faces(faces: int) -> None:
    """No grid for none, or for more than the program takes."""
    with pytest.raises(ValueError, match="at most 69"):
        choose_grid(faces, POKER, 300)


@given(st.integers(1, 20))
def test_every_face_is_in_its_slot(faces: int) -> None:
    """Slots run in rows from the top left; the last one shows the back, the rest is white."""
    grid = choose_grid(faces, POKER, 36)
    images = [Image.new("RGB", (5, 7), (n, 0, 0)) for n in range(1, faces + 1)]
    made = fill_sheet(grid, images, Image.new("RGB", (50, 70), (0, 200, 0)))
    assert made.size == (grid.columns * 5, grid.rows * 7)
    seen = [made.getpixel((n % grid.columns * 5 + 2, n // grid.columns * 7 + 3)) for n in range(grid.slots)]
    blank = [(255, 255, 255)] * (grid.slots - faces - 1)
    assert seen == [*((n, 0, 0) for n in range(1, faces + 1)), *blank, (0, 200, 0)]


@given(SIZES, st.floats(36, 10000))
def test_a_single_picture_keeps_the_limit(size: Size, most: float) -> None:
    """A board of any size has at most 4096 pixels at a side."""
    dpi = largest_dpi(size, most)
    assert dpi <= most and max(pixels(size.width, dpi), pixels(size.height, dpi)) <= 4096


@given(st.lists(SIZES, min_size=1, max_size=30), st.floats(50, 500), st.floats(0.1, 20))
def test_rows_never_overlap(sizes: list[Size], width: float, gap: float) -> None:
    """Boxes in rows keep their sizes and their order, lie apart, and within the size that is told."""
    laid = lay_boxes_in_rows(sizes, width, gap)
    assert [Size(box.width, box.height) for box in laid.boxes] == sizes
    for n, box in enumerate(laid.boxes):
        assert box.right <= laid.size.width + 1e-6 and box.bottom <= laid.size.height + 1e-6
        assert box.x == 0 or box.right <= width + 1e-6
        for other in laid.boxes[:n]:
            assert not box.grow(gap / 2).overlaps(other.grow(gap / 2))
            assert (other.y, other.x) < (box.y, box.x)


def article(name: str, back: str) -> Article:
    """A card with such a back; none for an empty one."""
    drawing = Drawing(63, 88, 3, ())
    faces = {"front": drawing, "back": drawing} if back else {"front": drawing}
    return Article(name, name, "", 1, faces, {"front": name} | ({"back": back} if back else {}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("backs", "decks"),
    [
        ("AAA", ["K:012"]),
        ("ABAB", ["K 1:02", "K 2:13"]),
        ("ABC", ["K:012 own"]),
        ("ABAC", ["K 1:02", "K 2:13 own"]),
        ("ABA", ["K 1:02", "K 2:1"]),
        ("--", ["K:01"]),
    ],
)
def test_decks_are_told_by_their_backs(backs: str, decks: list[str]) -> None:
    """Cards with one back are a deck; those that each have their own are one with a sheet of backs."""
    kind = Kind("k", Words({"en": "K"}), POKER, ())
    lot = ArticleLot(kind, "K", tuple(article(str(n), back.strip("-")) for n, back in enumerate(backs)))
    told = [f"{d.name}:{''.join(a.id for a in d.articles)}{' own' * d.own_backs}" for d in split_decks(lot)]
    assert told == decks


def test_slots_are_counted() -> None:
    """A grid has as many slots as columns times rows."""
    assert SlotGrid(7, 5, 200).slots == 35
