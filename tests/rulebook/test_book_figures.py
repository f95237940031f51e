"""Figures of components, and icons that stay plain on white and on paper."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from math import hypot
from pathlib import Path

import pytest
from figure_parts import figure, ids, placed_pieces
from hypothesis import given
from hypothesis import strategies as st
from rulebook_project import DATA, BookProject
from small_book import ACCENT, ROOT, text, workshop

from generator.base import outlines
from generator.base.colour import measure_contrast
from generator.base.display_list import Group, Item, PlacedSymbol, Shape, Symbol, walk_leaves
from generator.base.errors import InvalidInput
from generator.base.files import Resources
from generator.base.geometry import IDENTITY, Matrix, Rect, find_scale, map_point, multiply
from generator.books.page.blocks import Paragraph, Table
from generator.books.page.page_style import Look, find_page_format
from generator.books.page.strips import Lane
from generator.books.page.tables import TableSetter
from generator.books.page.text_setter import TextSetter
from generator.books.rulebook.inline_text import PLAIN, IconColours
from generator.books.rulebook.piece_pictures import (
    GAP,
    WIDTH,
    Laid,
    PiecePicture,
    drawing_from_pieces,
    fan_pieces,
    lay_in_column,
    lay_on_board,
    lay_pieces_in_rows,
    measure_pieces,
)
from generator.books.web_page import make_web_page
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.svg.face_areas import PrintedSpace
from generator.game.model import Colour
from generator.game.rich_text import Icon

SPACES = """\
<g id="gauge" data-space="card" data-holds="2"><rect x="2" y="20" width="10" height="15" stroke="ink" fill="none"/>
  <rect x="20" y="20" width="10" height="15" stroke="ink" fill="none"/></g>
<g id="heap" data-space="card" data-pile="yes"><rect x="2" y="40" width="10" height="15" stroke="ink" fill="none"/></g>
</svg>
"""

sizes = st.floats(5, 200, allow_nan=False)
pieces = st.lists(st.tuples(sizes, sizes), min_size=1, max_size=9)
scales = st.floats(0.1, 1.0)


def piece(width: float, height: float, name: str = "a/1") -> PiecePicture:
    path = outlines.rectangle_path(Rect(0, 0, width, height))
    return PiecePicture(name, name, Symbol(name, (), (0, 0, width, height)), path, width, height)


def made(shape: list[tuple[float, float]]) -> list[PiecePicture]:
    return [piece(*size) for size in shape]


def boxes(laid: list[Laid]) -> list[Rect]:
    return [measure_pieces([one]) for one in laid]


@given(pieces, scales)
def test_a_row_has_equal_gaps_and_one_scale(shape: list[tuple[float, float]], scale: float) -> None:
    """Pieces keep their order and stand on a line, GAP apart; rows are no wider than a column unless a piece is."""
    laid = lay_pieces_in_rows(made(shape), scale, WIDTH)
    assert [one[2] for one in laid] == [scale] * len(shape)
    for before, here in zip(boxes(laid), boxes(laid)[1:], strict=False):
        beside = here.x - before.right == pytest.approx(GAP, abs=0.01)
        assert (beside and here.bottom == pytest.approx(before.bottom, abs=0.01)) or here.bottom > before.bottom + GAP
    assert not any(one.overlaps(other) for at, one in enumerate(boxes(laid)) for other in boxes(laid)[:at])
    widest = max(width for width, _ in shape) * scale
    assert measure_pieces(laid).width <= max(WIDTH, widest) + 0.01


@given(st.integers(1, 12), sizes, sizes, scales)
def test_a_fan_turns_about_one_point(number: int, width: float, height: float, scale: float) -> None:
    """Every card's foot is as far from the point below as any other's; it leans evenly to both sides; size is kept."""
    laid = fan_pieces(made([(width, height)] * number), scale)
    feet = [map_point(matrix, (width / 2, height)) for _, matrix, _ in laid]
    whole = measure_pieces(laid)
    assert {round(hypot(*foot), 4) for foot in feet} == {round(hypot(*feet[0]), 4)}
    assert whole.x == pytest.approx(-whole.right, abs=0.01)
    for _, matrix, _ in laid:
        assert find_scale(matrix) == pytest.approx(scale)
    assert [foot[0] for foot in feet] == sorted(foot[0] for foot in feet)


@given(st.integers(2, 12), sizes, sizes, scales)
def test_a_column_shows_every_head(number: int, width: float, height: float, scale: float) -> None:
    laid = boxes(lay_in_column(made([(width, height)] * number), scale))
    for above, here in pairwise(laid):
        assert 0.15 * height * scale < here.y - above.y < 0.3 * height * scale
        assert here.x == pytest.approx(above.x)


@given(pieces, scales, st.sampled_from([lambda p, s: lay_pieces_in_rows(p, s, WIDTH), fan_pieces, lay_in_column]))
def test_a_drawing_holds_all_its_pieces(shape: list[tuple[float, float]], scale: float, lay: object) -> None:
    """Nothing lies outside the picture, whose corner is (0, 0)."""
    drawing = drawing_from_pieces(lay(made(shape), scale), "en", "x")  # type: ignore[operator]
    frame = Rect(0, 0, drawing.width, drawing.height)
    found = [matrix for matrix, _ in placed_pieces(drawing)]
    assert len(found) == len(shape)
    for (width, height), matrix in zip(shape, found, strict=True):
        box = outlines.find_bounds(outlines.rectangle_path(Rect(0, 0, width, height)), matrix)
        assert box is not None
        assert frame.contains(box, slack=0.01)


def space(holds: int | None, *places: Rect) -> PrintedSpace:
    corners = [((r.x, r.y), (r.right, r.y), (r.right, r.bottom), (r.x, r.bottom)) for r in places]
    return PrintedSpace("gauge", "card", holds, tuple(corners))


def on(space_: PrintedSpace, wanted: list[PiecePicture | None], scale: float = 0.5) -> list[Rect]:
    """Where pieces lie on a board of 100 x 100 mm, in mm of the board."""
    laid = lay_on_board(piece(100, 100, "b/1"), scale, {"gauge": space_}, {"gauge": wanted})
    assert laid[0][0].id == "b/1"
    return [Rect(box.x / scale, box.y / scale, box.width / scale, box.height / scale) for box in boxes(laid[1:])]


def middle(box: Rect) -> tuple[float, float]:
    return round(box.x + box.width / 2, 3), round(box.y + box.height / 2, 3)


def test_pieces_lie_in_the_middle_of_their_places() -> None:
    one, two, three = Rect(0, 0, 20, 12), Rect(30, 0, 20, 12), Rect(60, 0, 20, 12)
    assert [middle(box) for box in on(space(3, one, two, three), [piece(20, 12), None, piece(20, 12)])] == [(10, 6), (70, 6)]  # fmt: skip
    (turned,) = on(space(1, one), [piece(12, 20)])
    assert (middle(turned), round(turned.width, 3), round(turned.height, 3)) == ((10, 6), 20, 12)


def test_a_frame_around_places_is_none() -> None:
    frame, inner, mark = Rect(0, 0, 60, 60), Rect(5, 5, 20, 20), Rect(10, 10, 2, 2)
    other = Rect(30, 5, 20, 20)
    assert [middle(box) for box in on(space(2, frame, inner, mark, other), [piece(18, 18), piece(18, 18)])] == [(15, 15), (40, 15)]  # fmt: skip


def test_a_compartment_and_a_pile() -> None:
    four = on(space(4, Rect(0, 0, 40, 40)), [piece(18, 18)] * 4)
    assert not any(one.overlaps(other) for at, one in enumerate(four) for other in four[:at])
    assert all(Rect(0, 0, 40, 40).contains(box) for box in four)
    pile = on(space(None, Rect(0, 0, 20, 20)), [piece(18, 18)] * 3)
    assert len({middle(box) for box in pile}) == 3
    assert all(hypot(x - 10, y - 10) < 5 for x, y in map(middle, pile))


def test_more_pieces_than_a_space_holds() -> None:
    with pytest.raises(InvalidInput, match=r"^the space 'gauge' holds 1, not 2$"):
        on(space(1, Rect(0, 0, 20, 20)), [piece(18, 18)] * 2)


SHOWN = [
    ("of: [card/c3, card/c1]\nalt: ''", ["card/c3", "card/c1"], "the 3, the 1"),
    ("of: card/c3", ["card/c3"], "the 3"),
    ("show: fan\nof: [card/c3, card/c8, card/c3]", ["card/c3", "card/c8", "card/c3"], "the 3 ×2, the 8"),
    ("show: column\nof: card/c1?", [f"card/c1{n}" for n in range(10)], ", ".join(f"the 1{n}" for n in range(10))),
    ("of: card\nheight: 12", [f"card/c{n}" for n in range(20)], ", ".join(f"the {n}" for n in range(20))),
]


@pytest.mark.parametrize(("body", "designs", "alt"), SHOWN)
def test_components_by_id_pattern_or_kind(project: BookProject, body: str, designs: list[str], alt: str) -> None:
    found = figure(project, body)
    assert ids(found.drawing) == designs
    assert found.alt == alt


def test_a_face_is_the_sheets_cut_out(project: BookProject) -> None:
    """The very items of the workshop's face, clipped to the rounded outline, with a thin line around; no stamp."""
    found = figure(project, "show: one\nof: card/c3\nheight: 30")
    ((matrix, group),) = placed_pieces(found.drawing)
    clipped, edge = group.items
    game, workshop = project.workshop()
    face = workshop.draw_face(game.design("card/c3"), "front", "en")

    assert isinstance(clipped, Group)
    (art,) = clipped.items
    assert isinstance(art, PlacedSymbol)
    assert face is not None
    assert art.symbol.items == face.items
    assert clipped.clip == edge.path  # type: ignore[union-attr]
    assert "C" in clipped.clip
    assert matrix[0] == pytest.approx(30 / 60)
    assert found.drawing.height == pytest.approx(30, abs=0.5)
    assert not [leaf for leaf, _ in walk_leaves(found.drawing.items) if leaf.role == "stamp"]


def test_caption_alt_and_side(project: BookProject) -> None:
    found = figure(project, "of: card\nside: beside\ncaption: All of **them**\nalt: In words")
    assert (found.alt, found.place) == ("In words", "beside")
    assert [part.text for part in found.caption] == ["All of ", "them"]  # type: ignore[union-attr]
    assert found.drawing.width <= 46.5


def test_a_board_with_pieces(project: BookProject) -> None:
    project.change("templates/higher/card.svg", "</svg>\n", SPACES)
    found = figure(project, "show: board\nof: card/c1\nheight: 60\npieces:\n  gauge: [~, card/c2]\n  heap: card/c3")
    assert ids(found.drawing) == ["card/c1", "card/c2", "card/c3"]
    matrices = [matrix for matrix, _ in placed_pieces(found.drawing)]
    assert {round(hypot(matrix[0], matrix[1]), 4) for matrix in matrices} == {1.0}
    x, y = map_point(matrices[1], (20, 30))
    left, top = map_point(matrices[0], (25, 27.5))
    assert (x, y) == pytest.approx((left, top), abs=0.01)


def test_too_much_on_a_board_is_told(project: BookProject) -> None:
    project.change("templates/higher/card.svg", "</svg>\n", SPACES)
    for pieces_, message in (
        ("gaueg: card/c2", "card/c1 has no space 'gaueg'; did you mean 'gauge'?"),
        ("gauge: [card/c2, card/c3, card/c4]", "the space 'gauge' holds 2, not 3; take some away"),
    ):
        project.body(f"```figure\nshow: board\nof: card/c1\npieces: {{{pieces_}}}\n```\n")
        assert project.problems() == [f"templates/higher/rulebook.en.md:4: {message}"]


def test_raised_cards_of_a_row(project: BookProject) -> None:
    level = figure(project, "of: [card/c1, card/c2, card/c3]\nheight: 30")
    found = figure(project, "of: [card/c1, card/c2, card/c3]\nheight: 30\nraised: [2]")
    tops = [round(matrix[5], 1) for matrix, _ in placed_pieces(found.drawing)]

    assert tops == pytest.approx([tops[0], tops[0] - 15, tops[0]])
    assert found.drawing.height == pytest.approx(level.drawing.height + 15, abs=0.01)
    many = figure(project, "of: card/c?\nheight: 40\nraised: [1, 6]")
    found_boxes = [
        outlines.find_bounds(outlines.rectangle_path(Rect(0, 0, 40, 60)), matrix)
        for matrix, _ in placed_pieces(many.drawing)
    ]
    boxes_ = [box for box in found_boxes if box is not None]
    assert not any(one.overlaps(other) for at, one in enumerate(boxes_) for other in boxes_[:at])
    starts = [at for at, box in enumerate(boxes_) if at == 0 or box.x < boxes_[at - 1].x]
    rows = [boxes_[start:end] for start, end in pairwise([*starts, len(boxes_)])]
    lifted = [round(max(box.bottom for box in row) - box.bottom, 1) for row in rows for box in row]
    assert len(rows) > 2
    assert [at for at, lift in enumerate(lifted, start=1) if lift == pytest.approx(20, abs=0.1)] == [1, 6]


RAISED_WRONG = [
    ("show: fan\nof: card/c1\nraised: [1]", "4: `raised` says nothing in a fan; leave it out; it goes with `show: row, situation, change`"),
    ("of: [card/c1, card/c2]\nraised: [3]", "3: figure.raised has 3, but there are 1 to 2; change the number"),
    ("example: highest\nraised: [1]", "3: `raised` does not say in which zone; write `raised: {zone: [numbers]}`"),
    ("example: highest\nraised: {hnad 1: [1]}", "3: figure.raised has no key 'hnad 1'; did you mean 'hand 1'?"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "message"), RAISED_WRONG)
def test_what_cannot_be_raised_is_told(project: BookProject, body: str, message: str) -> None:
    project.body(f"```figure\n{body}\n```\n")
    assert project.problems() == [f"templates/higher/rulebook.en.md:{message}"]


PLAIN_STAR = '<svg viewBox="0 0 9 9"><path d="M0 0L9 9L0 9Z" fill="currentColor"/></svg>'
LINED_STAR = (
    '<svg viewBox="0 0 9 9"><path d="M0 0L9 9L0 9Z" fill="currentColor" stroke="#101010" stroke-width="1"/></svg>'
)
COLOURS = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


def starred(folder: Path, art: str, palette: Mapping[str, str]) -> Workshop:
    """A game with one icon in the colour `wine`."""
    icons = folder / "templates/harbour/icons"
    icons.mkdir(parents=True, exist_ok=True)
    (icons / "star.svg").write_text(art, encoding="utf-8")
    game = replace(workshop().game, palette={name: Colour(srgb) for name, srgb in palette.items()})
    return Workshop(game, Resources((folder, ROOT), shown_from=folder))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("icons")


@given(own=COLOURS, paper=COLOURS)
def test_an_icon_is_plain_on_white_and_on_paper(folder: Path, own: str, paper: str) -> None:
    shop = starred(folder, PLAIN_STAR, {"wine": own, "paper": paper, "ink": "#000000"})
    paint = IconColours(shop)["star"]
    assert measure_contrast(shop.hex_of_paint(paint), "#ffffff") >= PLAIN
    if measure_contrast(own, "#ffffff") >= PLAIN * 1.25:  # no ground of a page is darker than that
        assert paint == "wine"


def test_a_light_icon_with_a_dark_line_keeps_its_colour(folder: Path) -> None:
    palette = {"wine": "#fdfaf3", "ink": "#000000"}
    assert IconColours(starred(folder, LINED_STAR, palette))["star"] == "wine"
    assert IconColours(starred(folder, PLAIN_STAR, palette))["star"] != "wine"
    pale = LINED_STAR.replace("#101010", "#eeeeee")
    assert IconColours(starred(folder, pale, palette))["star"] != "wine"


def test_texts_show_the_colour_of_icons_that_mean_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`colour_tells` gives an icon its own colour in running text, made plain; others take that of the text."""
    project = BookProject(tmp_path / "project")
    monkeypatch.chdir(project.root)
    icons = """\
icons:
  rose: {name: {ja: 赤, en: Red}, colour: red, colour_tells: true}
  lemon: {name: {ja: 黄, en: Yellow}, colour: lemon, colour_tells: true}
  star: {name: {ja: 星, en: Star}, colour: red}
palette:
  lemon: "#ffee55"
"""
    project.change(DATA, "palette:\n", icons)
    for name in ("rose", "lemon", "star"):
        project.write(f"templates/higher/icons/{name}.svg", PLAIN_STAR)
    project.body("{rose} {lemon} {star}")
    (paragraph,) = project.book().blocks

    assert isinstance(paragraph, Paragraph)
    rose, lemon, star = (part for part in paragraph.text if isinstance(part, Icon))
    assert (rose, star) == (Icon("rose", "red"), Icon("star"))
    assert lemon.colour.startswith("#")
    assert measure_contrast(lemon.colour, "#ffffff") >= PLAIN


def shown(items: tuple[Item, ...], matrix: Matrix) -> Iterator[tuple[PlacedSymbol, Matrix]]:
    """The icons among items, each with the matrix that takes it to where the items are taken by theirs."""
    for item in items:
        if isinstance(item, Group):
            yield from shown(item.items, multiply(matrix, item.matrix))
        elif isinstance(item, PlacedSymbol):
            yield item, multiply(matrix, item.matrix)


@pytest.mark.parametrize("lang", ["ja", "en"])
@given(height=st.floats(0.5, 20))
def test_a_tall_icon_stands_free_in_its_row(lang: str, height: float) -> None:
    look, shop = Look(find_page_format("A5"), lang, ACCENT), workshop()
    setter = TextSetter(shop, look, "{}")
    table = Table((), (((Icon("star", "sand", height),), text("Star")),), ("centre", "left"))
    (row,) = TableSetter(setter, 200.0).set_table(table, Lane(0.0, 100.0, 1))
    things = [(thing, (1.0, 0.0, 0.0, 1.0, thing.box.x, thing.box.y)) for thing in row.things]
    ((icon, matrix),) = [found for thing, moved in things for found in shown(thing.items, moved)]
    _, top, _, tall = icon.symbol.box
    upper, lower = matrix[3] * top + matrix[5], matrix[3] * (top + tall) + matrix[5]

    assert lower - upper == pytest.approx(height, abs=0.01)
    assert {leaf.fill for leaf, _ in walk_leaves(icon.symbol.items) if isinstance(leaf, Shape)} == {"sand"}
    assert upper > 0.3
    assert next(thing.box.y for thing in row.things if thing.role == "artifact") - lower > 0.3
    (words,) = [thing.box for thing in row.things if thing.role == "table" and not list(shown(thing.items, IDENTITY))]
    assert words.y + words.height / 2 == pytest.approx((upper + lower) / 2, abs=0.6)


def test_a_legend_on_the_web_page_shows_icons_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = BookProject(tmp_path / "project")
    monkeypatch.chdir(project.root)
    project.change(
        DATA, "palette:\n", 'icons:\n  star: {name: {ja: 星, en: Star}, colour: pale}\npalette:\n  pale: "#ffee55"\n'
    )
    project.write("templates/higher/icons/star.svg", PLAIN_STAR)
    project.body("{star}\n\n```legend\nof: star\n```")
    made, shop = project.book(), project.workshop()[1]
    page = make_web_page(made, shop)

    assert page.count('<svg class="icon"') == 1
    assert page.count('<svg class="large icon"') == 1
    assert f'fill="{IconColours(shop)["star"]}"' in page
