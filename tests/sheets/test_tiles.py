"""Boards that are too large for the paper: their parts, the strips between them, and the picture they make up."""

from dataclasses import replace
from itertools import product

import pypdfium2
import pytest
from conftest import Pnp
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageFilter
from sheet_cases import Print, cut_marks, label, margins, on, piece, rulers, runs, segments, text_box
from tests_support import TinyProject, examples

from generator.base.display_list import Group, Item, Shape, TextRun
from generator.base.geometry import Rect, Size
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.pdf.page_images import render_drawing_png, render_page
from generator.game.load_game import load_game
from generator.game.print_pages import Page, Piece
from generator.game.project import find_project
from generator.sheets.board_tiles import LAP, LEAST_PART, Tile, split_board, write_part_notes
from generator.sheets.imposition import mirror_rect
from generator.sheets.page_marks import place_furniture
from generator.sheets.place_pieces import DoesNotFit
from generator.sheets.settings import SheetSettings
from generator.sheets.sheet_pages import iter_sheet_pages
from generator.sheets.slug import Slug

few = examples(25)

LONGEST = label(999, 999, "0" * 8, "front")


def typeset(text: str, x: float, y: float, size: float, anchor: str, angle: float) -> tuple[Item, ...]:
    """One run; what is anchored in its middle (a strip's words) stands on a strip and is marked by its font."""
    font = "strip" if anchor == "middle" else "slug"
    return (TextRun(x, y, size, font, tuple(range(len(text))), tuple(text), angle=angle),)


def board(width: float, height: float, bleed: float = 3.0, back: str | None = None, name: str = "board") -> Piece:
    return piece(name, width, height, bleed, back)._replace(lie="tiled")


def lay(pieces: list[Piece], chosen: SheetSettings) -> tuple[Page, ...]:
    """The pages with the stand-in label, typesetter and digest."""
    return tuple(iter_sheet_pages(pieces, chosen, label, typeset, lambda drawing: drawing.title))


@st.composite
def settings_of_paper(draw: st.DrawFn) -> SheetSettings:
    """Paper from A5 to A2 and what the printer reaches of it."""
    paper = Size(draw(st.floats(148, 430)), draw(st.floats(148, 594)))
    return SheetSettings(paper, "test paper", margin=draw(margins()))


sizes = st.builds(Size, st.floats(20, 1000), st.floats(20, 1000))
bleeds = st.sampled_from([0.0, 3.0, 5.0])


@st.composite
def prints(draw: st.DrawFn, backs: tuple[str, ...] = ("none", "separate", "long", "short", "fold")) -> Print:
    """A board of any size laid out on any paper."""
    chosen = replace(draw(settings_of_paper()), backs=draw(st.sampled_from(backs)))
    size = draw(sizes)
    pieces = [board(size.width, size.height, draw(bleeds), back="back")]
    return Print(pieces, chosen, lay(pieces, chosen))


def on_board(part: Tile, box: Rect) -> Rect:
    """A box of the part's page, counted from the board's corner."""
    slot = part.get_slot(0)
    return box.move(-slot.x, -slot.y)


def cut_out(part: Tile) -> Rect:
    """What is left of a part's sheet after its four cuts."""
    (left, right), (top, bottom) = part.list_cuts(range(1))
    return Rect(left, top, right - left, bottom - top)


def outlines(items: tuple[Item, ...], role: str) -> list[Rect]:
    """The boxes of all closed outlines with a role."""
    boxes = []
    for shape in (item for item in items if isinstance(item, Shape) and item.role == role):
        for outline in shape.path.removesuffix(" Z").split(" Z "):
            xs, ys = zip(*[tuple(map(float, point.split())) for point in outline[2:].split(" L ")], strict=True)
            boxes.append(Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)))
    return boxes


@few
@given(sizes, bleeds, settings_of_paper(), st.booleans())
def test_the_windows_make_up_the_board(size, bleed, chosen, backed):
    parts = split_board(chosen, size, bleed, LONGEST, backed)
    windows = [on_board(part, part.window) for part in parts]
    whole = Rect(0, 0, parts[0].board.width, parts[0].board.height)
    assert parts[0].board in (size, size.swap_sides())
    assert not any(a.overlaps(b) for i, a in enumerate(windows) for b in windows[:i])
    assert all(whole.contains(window) for window in windows)
    assert sum(w.width * w.height for w in windows) == pytest.approx(size.width * size.height)
    assert max(w.width for w in windows) - min(w.width for w in windows) < 1
    assert max(w.height for w in windows) - min(w.height for w in windows) < 1
    assert len({part.name for part in parts}) == len(parts) == parts[0].columns * parts[0].rows
    assert parts[0].name == "A1"


@few
@given(sizes, bleeds, settings_of_paper(), st.booleans())
def test_every_join_has_its_strip_on_one_side(size, bleed, chosen, backed):
    """The part before a join goes on under the next by 6 to 10 mm, the next is cut at the join; edges are the board's."""
    parts = {(part.column, part.row): part for part in split_board(chosen, size, bleed, LONGEST, backed)}
    for (column, row), part in parts.items():
        window, cut = on_board(part, part.window), on_board(part, cut_out(part))
        assert (cut.x, cut.y) == pytest.approx((window.x, window.y), abs=0.001)
        for after, strip in (
            ((column + 1, row), cut.right - window.right),
            ((column, row + 1), cut.bottom - window.bottom),
        ):
            assert 5.998 <= strip <= 10.002 if after in parts else strip == pytest.approx(0, abs=0.002)
    last = max(parts)
    edges = on_board(parts[0, 0], cut_out(parts[0, 0])), on_board(parts[last], cut_out(parts[last]))
    assert (edges[0].x, edges[0].y) == pytest.approx((0, 0), abs=0.002)
    assert (edges[1].right, edges[1].bottom) == pytest.approx(
        (parts[last].board.width, parts[last].board.height), abs=0.002
    )


@few
@given(prints())
def test_every_part_is_in_reach_with_all_that_belongs_to_it(case):
    """Bleed, strips and lap lie where the printer reaches; marks, rulers and the label stand clear of them."""
    chosen = case.settings
    for page in case.pages:
        clip = page.placements[0].clip
        assert chosen.printable.grow(-2).contains(clip)
        scales = [shape for shape in rulers(page) if shape.stroke]
        assert len(scales) == 2
        words = [run for run in runs(page) if run.font == "slug"]
        assert " ".join(run.text for run in words).count(f"sheet {page.sheet}/") == 1
        assert not any(text_box(run).overlaps(clip) for run in words)
        marks = [Rect(min(a, c), min(b, d), abs(c - a), abs(d - b)) for a, b, c, d in cut_marks(page)]
        assert not any(mark.overlaps(clip) for mark in marks)
        assert not any(Rect(*part[:2], 0, 0).overlaps(clip) for scale in scales for part in segments(scale))
        duplex_back = page.side == "back" and chosen.backs in ("long", "short")
        beside_its_back = len(page.placements) == 2
        assert len(marks) == (0 if duplex_back else 12 if beside_its_back else 8)


@few
@given(prints())
def test_a_board_is_never_scaled(case):
    front = case.pieces[0].front
    for page in case.pages:
        for placement in page.placements:
            size = Size(front.width, front.height)
            lying = size.swap_sides() if placement.turn in (90, 270) else size
            trim = placement.trim
            assert (trim.width, trim.height) == pytest.approx((lying.width, lying.height), abs=0.002)


def fewest(size: Size, bleed: float, chosen: SheetSettings) -> int:
    """The fewest equal parts with strips of 6 mm that find room, both ways round: tried out one by one."""

    def lengths(length: float, parts: int) -> set[float]:
        if parts == 1:
            return {length + 2 * bleed}
        share = length / parts
        return {bleed + share + 6, LAP + share + bleed, *([LAP + share + 6] if parts > 2 else [])}

    def fits(width: float, height: float, notes: tuple[str, ...]) -> bool:
        art = Rect((chosen.paper.width - width) / 2, (chosen.paper.height - height) / 2, width, height)
        if not chosen.printable.grow(-2).contains(art):
            return False
        return place_furniture(Slug(art, chosen.printable, plain=True), notes) is not None

    def most(length: float) -> int:
        return max(1, int(length // LEAST_PART))

    best = 10_000
    for lying in (size, size.swap_sides()):
        for columns, rows in product(range(1, most(lying.width) + 1), range(1, most(lying.height) + 1)):
            if columns * rows >= best:
                continue
            last = Tile(chosen.paper, lying, columns, rows, columns - 1, rows - 1, 6, bleed)
            notes = (*write_part_notes(last, chosen), LONGEST)
            if all(fits(w, h, notes) for w, h in product(lengths(lying.width, columns), lengths(lying.height, rows))):
                best = columns * rows
    return best


@few
@given(sizes, bleeds, settings_of_paper())
def test_no_way_of_parting_takes_fewer_sheets(size, bleed, chosen):
    assert len(split_board(chosen, size, bleed, LONGEST)) == fewest(size, bleed, chosen)


def test_the_strip_is_as_wide_as_the_fewest_sheets_allow():
    """10 mm where there is room; 6 mm where that saves a sheet."""
    chosen = on("A4")
    assert {part.overlap for part in split_board(chosen, Size(300, 150), 3, LONGEST)} == {10.0}
    tight = split_board(chosen, Size(190, 534), 3, LONGEST)
    assert (len(tight), {part.overlap for part in tight}) == (2, {6.0})


@few
@given(prints(backs=("long", "short")))
def test_a_parts_back_lies_behind_its_front(case):
    """Seen through the paper, trim and clip of a back are its front's, and art goes on beyond the ends of strips."""
    for front, back in zip(case.fronts, case.backs, strict=True):
        before, behind = front.placements[0], back.placements[0]
        upright = front.size.height >= front.size.width
        axis = "vertical" if (case.settings.backs == "long") == upright else "horizontal"
        assert behind.trim == mirror_rect(before.trim, front.size, axis)
        assert behind.clip == mirror_rect(before.clip, front.size, axis)
        assert not outlines(back.items, "glue")
        assert not [run for run in runs(back) if run.font == "strip"]
        verticals = [x for x, _, other, _ in cut_marks(front) if x == other]
        horizontals = [y for _, y, _, other in cut_marks(front) if y == other]
        assert (
            min(before.clip.right - max(verticals), before.clip.bottom - max(horizontals))
            >= min(LAP, before.drawing.bleed) - 0.001
        )


@pytest.mark.parametrize("backs", ["fold", "separate"])
def test_a_back_that_is_not_printed_behind_its_front_is_a_board_of_its_own(backs):
    """In the modes without duplex a large board's back comes in parts too, not mirrored, with marks and strips."""
    pages = lay([board(300, 400, back="back")], on("A4", backs=backs))
    fronts, behind = ([page for page in pages if page.side == side] for side in ("front", "back"))
    assert [page.sheet for page in behind] == [page.sheet for page in fronts] == [1, 2, 3, 4]
    for front, back in zip(fronts, behind, strict=True):
        assert back.placements[0].drawing.title == "back"
        assert back.placements[0].trim == front.placements[0].trim
        assert outlines(back.items, "glue") == outlines(front.items, "glue")
        assert cut_marks(back) == cut_marks(front)
    assert not outlines(fronts[3].items, "glue")
    assert all(outlines(page.items, "glue") for page in fronts[:3])


@few
@given(sizes, bleeds, settings_of_paper(), st.booleans())
def test_nothing_is_printed_over_the_window(size, bleed, chosen, backed):
    """Triangles and words stand in the strips; the points of the triangles touch the join; strips' tint ends at cuts."""
    for part in split_board(chosen, size, bleed, LONGEST, backed):
        window, cut = part.window, cut_out(part)
        triangles = outlines(part.draw_overlay(), "mark")
        assert not any(box.overlaps(window, 0.002) for box in triangles)
        reached = [min(abs(box.x - window.right), abs(box.y - window.bottom)) for box in triangles]
        assert max(reached, default=0) < 0.002
        words = list(part.make_captions("{part} {next}"))
        assert all(cut.contains(Rect(x, y, 0, 0)) and not window.contains(Rect(x, y, 0, 0)) for _, x, y, _, _ in words)
        tint = outlines(part.draw_overlay(), "glue")[-1:]
        for box in tint:
            if part.column < part.columns - 1:
                assert box.right == pytest.approx(cut.right, abs=0.002)
            if part.row < part.rows - 1:
                assert box.bottom == pytest.approx(cut.bottom, abs=0.002)
        assert len(words) == (part.column < part.columns - 1) + (part.row < part.rows - 1)
        assert bool(tint) == bool(words)


def test_strips_say_what_goes_where():
    first, second, third, last = lay([board(300, 400)], on("A4", backs="none"))

    def words(page: Page, font: str) -> list[str]:
        return [run.text for run in runs(page) if run.font == font]

    assert words(first, "strip") == ["A1: glue B1 here", "A1: glue A2 here"]
    assert words(second, "strip") == ["B1: glue B2 here"]
    assert words(third, "strip") == ["A2: glue B2 here"]
    assert words(last, "strip") == []
    assert [" ".join(words(page, "slug")).count("of 2 x 2") for page in (first, second, third, last)] == [1] * 4
    assert "part B2 of 2 x 2" in " ".join(words(last, "slug"))


@few
@given(sizes, bleeds, settings_of_paper())
def test_words_stand_in_the_middle_of_the_tint(size, bleed, chosen):
    """Half an x-height above the baseline lies half-way between the tint's edge and the cut, and of the window's side."""
    up = 0.36 * 8 * 25.4 / 72
    for part in split_board(chosen, size, bleed, LONGEST, False):
        window, cut = part.window, cut_out(part)
        for _, x, y, _, angle in part.make_captions("{part} {next}"):
            if angle:
                middle = (window.right + LAP + cut.right) / 2, window.y + window.height / 2
                assert (x - up, y) == pytest.approx(middle, abs=0.01)
            else:
                middle = window.x + window.width / 2, (window.bottom + LAP + cut.bottom) / 2
                assert (x, y - up) == pytest.approx(middle, abs=0.01)


def test_each_copy_has_sheets_of_its_own():
    pages = lay([board(300, 400, name="b#1"), board(300, 400, name="b#2")], on("A4", backs="none"))
    assert [page.placements[0].id for page in pages] == ["b#1"] * 4 + ["b#2"] * 4
    assert [page.sheet for page in pages] == list(range(1, 9))


def test_boards_that_the_paper_takes_are_left_whole():
    """A board that fits lies in a grid, as cards do, and bears no strip; a card that is too large never comes in parts."""
    (page,) = lay([board(180, 260)], on("A4", backs="none"))
    assert page.placements[0].clip == page.placements[0].trim.grow(3)
    assert not outlines(page.items, "glue")
    with pytest.raises(DoesNotFit):
        lay([piece("card", 300, 400)], on("A4"))


def test_a_board_too_large_to_lie_beside_its_back_has_it_on_another_sheet():
    front, back = lay([board(180, 260, back="back")], on("A4", backs="fold"))
    assert (front.side, back.side) == ("front", "back")
    assert front.placements[0].trim == back.placements[0].trim
    assert not outlines(front.items, "glue")


def test_guides_end_with_the_part():
    """Trim and safe zone of the whole board are shown as far as the part is; they don't cross the marks around it."""
    for page in lay([board(300, 400)], on("A4", backs="none", guides=True)):
        clip = page.placements[0].clip
        groups = [item for item in page.items if isinstance(item, Group)]
        assert len(groups) == 1
        assert outlines((Shape(path=groups[0].clip, role="guide"),), "guide")[0].contains(clip, 0.001)
        assert not [item for item in page.items if isinstance(item, Shape) and item.role == "guide"]


def test_paper_without_room_for_any_part_is_said_to_be_the_trouble():
    with pytest.raises(DoesNotFit) as caught:
        lay([board(300, 400)], SheetSettings(Size(60, 60), "a scrap"))
    assert str(caught.value).startswith("board is 300 x 400 mm: a scrap takes no part of it with cut marks, rulers and")


BOARD = """\
  map:
    name: Map
    form: board
    size: [400, 300]
    front: map
    stated: 1
    designs:
      - {id: only, count: 1}
setup:
"""

MAP = """\
<svg xmlns="http://www.w3.org/2000/svg">
  <rect x="-3" y="-3" width="406" height="306" fill="#204060" data-role="ground"/>
  {% for n in range(12) %}
  <circle cx="{{ 30 + 31 * n }}" cy="{{ 40 + (n * 67) % 230 }}" r="{{ 12 + n }}" fill="#f0{{ 40 + 4 * n }}80"/>
  {% endfor %}
  <path d="M 0 0 L 400 300 M 10 290 L 390 150" stroke="#c02020" stroke-width="4"/>
</svg>
"""

DOTS = 2  # to the millimetre: all edges of the parts below lie between dots


def unlike(one: Image.Image, other: Image.Image) -> float:
    """The share of dots that differ visibly; a softened edge is no difference."""
    soft = [image.convert("RGB").filter(ImageFilter.BoxBlur(1)) for image in (one, other)]
    grey = ImageChops.difference(*soft).convert("L")
    return sum(grey.histogram()[40:]) / (grey.width * grey.height)


def test_the_parts_of_a_strangers_board_make_up_its_picture(tiny: TinyProject, pnp: Pnp) -> None:
    """400 x 300 mm on A4: four sheets, whose windows laid side by side show the board's face, turned."""
    tiny.change("data/tiny/game.yaml", "setup:\n", BOARD)
    tiny.write("templates/tiny/map.svg", MAP)
    assert pnp("sheets", "tiny", "--only", "map/*").code == 0
    pdf = tiny.root / "output/tiny/selection.en.pdf"
    assert len(pypdfium2.PdfDocument(pdf)) == 4
    # The middle of the page holds 3 mm of bleed, 150 x 200 mm of board, 10 mm of strip or 2 mm of lap.
    lefts, tops = (26.5, 29.5), (45.0, 48.0)
    put_together = Image.new("RGB", (300 * DOTS, 400 * DOTS))
    for number, (row, column) in enumerate(product(range(2), range(2))):
        page = render_page(pdf, number, DOTS * 25.4)
        left, top = round(lefts[column] * DOTS), round(tops[row] * DOTS)
        window = page.crop((left, top, left + 150 * DOTS, top + 200 * DOTS))
        put_together.paste(window, (column * 150 * DOTS, row * 200 * DOTS))
    face = face_of(tiny, "map/only").transpose(Image.Transpose.ROTATE_270)
    assert unlike(put_together, face) < 0.001
    assert unlike(ImageChops.offset(put_together, DOTS, 0), face) > 0.005


def face_of(project: TinyProject, design: str) -> Image.Image:
    """A design's front with its stamp, as it looks when cut."""
    found = find_project(project.root)
    workshop = Workshop(load_game(found.find_folder("tiny"), found.resources), found.resources)
    chosen = next(d for d in workshop.game.designs() if d.id == design)
    drawing = workshop.draw_printed("en", chosen, "front")
    assert drawing is not None
    return render_drawing_png(
        drawing, DOTS * 25.4, workshop.fonts, workshop.rgb_of_paint, lambda source: project.root / source
    )
