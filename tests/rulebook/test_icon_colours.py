"""Icons in a book: their own colours where these are plain on paper, large in legends, coloured in texts that need it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulebook_project import DATA, BookProject
from small_book import ACCENT, ROOT, text, workshop

from generator.base.colour import measure_contrast
from generator.base.display_list import Group, Item, PlacedSymbol, Shape, walk_leaves
from generator.base.files import Resources
from generator.base.geometry import IDENTITY, Matrix, multiply
from generator.books.page.blocks import Paragraph, Table
from generator.books.page.page_style import Look, find_page_format
from generator.books.page.strips import Lane
from generator.books.page.tables import TableSetter
from generator.books.page.text_setter import TextSetter
from generator.books.rulebook.inline_text import PLAIN, IconColours
from generator.books.web_page import make_web_page
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Colour
from generator.game.rich_text import Icon

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
