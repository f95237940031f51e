"""Tuck boxes of real games and of a stranger's: dressed, with bleed, on paper that holds them, or a problem in words."""

import io
import re
from functools import cache
from itertools import product
from math import hypot
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest import ROOT, Pnp
from PIL import Image
from shipped_games import GAMES, SWEPT
from tests_support import TinyProject, page_count, quick

from generator.base.display_list import Group, PlacedSymbol, TextRun, walk_leaves
from generator.base.geometry import MARGIN, invert_matrix, map_point, paper_size
from generator.base.languages import phrase
from generator.base.outlines import flatten_path, is_point_inside
from generator.checks.visible_items import Context, find_leaves
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.pdf.page_images import render_page
from generator.drawing.svg.face_areas import measure_glyph_boxes
from generator.game.load_game import load_game
from generator.game.model import CUBE_FACES
from generator.game.print_pages import Document
from generator.game.project import find_project
from generator.production.boxes import (
    BoxContents,
    BoxOrder,
    BoxSettings,
    add_boxes,
    build_boxes,
    draw_walls,
    group_decks,
)
from generator.sheets.page_marks import find_cut_line

LETTERED = {"fortuna": "FRTVNA", "xanadu": "FORWARDERofANADU"}
"""What is left of titles in whose lettering a wheel is the O and two carrying poles are the X."""

PAPERS = (("A4", paper_size("A4")), ("A3", paper_size("A3")))


@cache
def made(
    name: str, lang: str, stock: float = 0.3, root: Path = ROOT
) -> tuple[Workshop, tuple[BoxContents, ...], Document]:
    """A game's boxes."""
    project = find_project(root, None)
    game = load_game(project.find_folder(name), project.resources)
    settings = BoxSettings(stock, 0.0, PAPERS, MARGIN, "ink", "#ffffff")
    contents = group_decks(game)
    workshop = Workshop(add_boxes(game, contents, settings), project.resources)
    return workshop, contents, build_boxes(workshop, contents, lang, settings)


@cache
def rendered(name: str, lang: str, page: int, dpi: float = 100) -> Image.Image:
    """A page of a game's boxes in pixels."""
    workshop, _, document = made(name, lang)
    out = io.BytesIO()
    workshop.write_document(document, out)
    return render_page(out.getvalue(), page, dpi)


def words(document: Document, page: int) -> str:
    """All letters of a page's net in drawing order, those of the notes beside it left out."""
    items = document.pages[page].placements[0].drawing.items
    return "".join(leaf.text for leaf, _ in walk_leaves(items) if isinstance(leaf, TextRun))


def bare(text: str) -> str:
    """A text without its spaces: line breaks swallow them."""
    return "".join(text.split())


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("name", SWEPT)
def test_only_the_bottom_names_the_draft(name: str, lang: str) -> None:
    workshop, contents, _ = made(name, lang)
    draft = bare(phrase("draft", lang, draft=workshop.game.draft))
    for number, content in enumerate(contents):
        for face, wall in draw_walls(workshop, content, number, lang).items():
            said = bare("".join(leaf.text for leaf, _ in walk_leaves(wall.items) if isinstance(leaf, TextRun)))
            assert (draft in said) == (face == "bottom"), (content.kinds[0].id, face)


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("name", SWEPT)
def test_every_deck_has_its_box(name: str, lang: str) -> None:
    """All cards of a size go into one box that names the game, the number of cards and the draft."""
    workshop, contents, document = made(name, lang)
    game = workshop.game
    cards = sum(kind.count for kind in game.kinds.values() if kind.form == "card" and "tuck_box" not in kind.id)
    assert sum(content.count for content in contents) == cards > 0
    assert len(document.pages) == len(contents)
    for number, content in enumerate(contents):
        text = bare(words(document, number))
        title = bare(game.title[lang])
        # A cover may set the working title's note apart, and the lettering draw a letter or a comma as a picture.
        said = LETTERED.get(name, title.split("（")[0].split("(")[0])
        assert re.sub("[、,]", "", said).upper() in re.sub("[、,]", "", text).upper()
        assert str(content.count) in text
        assert bare({"ja": "草案", "en": "draft"}[lang] + game.draft) in text


@pytest.mark.slow
@pytest.mark.parametrize("name", SWEPT)
@pytest.mark.parametrize("stock", [0.05, 0.6])
def test_boxes_of_thin_and_thick_stock(name: str, stock: float) -> None:
    """The templates have room for their words on the narrowest spine and on a wide one; A3 is there when A4 is small."""
    workshop, _, document = made(name, "ja", stock)
    assert not workshop.problems
    assert {frozenset((page.size.width, page.size.height)) for page in document.pages} <= {frozenset((210, 297)), frozenset((297, 420))}  # fmt: skip


@pytest.mark.parametrize("name", SWEPT)
def test_the_net_lies_within_what_printers_reach(name: str) -> None:
    """Every net with its bleed and all notes keep clear of the paper's margin, on the page and in the pixels."""
    _, _, document = made(name, "en")
    for number, page in enumerate(document.pages):
        (placement,) = page.placements
        assert placement.trim.x >= 5 and placement.trim.right <= page.size.width - 5
        assert placement.trim.y >= 5 and placement.trim.bottom <= page.size.height - 5
        image = rendered(name, "en", number).convert("L").point(lambda value: 255 if value < 250 else 0)
        left, top, right, bottom = image.getbbox() or (0, 0, 0, 0)
        edge = 2.5 / 25.4 * 100  # the bleed may reach into the margin, the net itself not
        assert left >= edge and top >= edge and right <= image.width - edge and bottom <= image.height - edge


@pytest.mark.parametrize("name", SWEPT)
def test_walls_are_inked_to_beyond_their_cuts(name: str) -> None:
    """No wall has a white spot at its edges, nor 1 mm outside where it is cut: real bleed, seen in the pixels."""
    _, contents, document = made(name, "en")
    for number, content in enumerate(contents):
        settings = BoxSettings(0.3, 0.0, PAPERS, MARGIN, "ink", "#ffffff")
        box = content.make_box(settings)
        net, trim = box.build_net(), document.pages[number].placements[0].trim
        image = rendered(name, "en", number)
        loops = flatten_path(find_cut_line(document.pages[number].placements[0].drawing))

        def ink(x: float, y: float, image: Image.Image = image, at: Any = trim) -> bool:
            pixel = image.getpixel((int((at.x + x) / 25.4 * 100), int((at.y + y) / 25.4 * 100)))
            return pixel != (255, 255, 255)

        front = [(-1.0, t) for t in (0.2, 0.5, 0.8)]
        lid = box.tuck + box.depth
        outside = [(x, lid + box.height * t) for x, t in front]
        outside += [(box.width * t, lid + box.height + 1.0) for t in (0.2, 0.5, 0.8)]
        outside += [(box.width * t, lid - 1.0) for t in (0.1, 0.9)]
        outside += [(box.width + box.depth + box.width * t, -1.0) for t in (0.2, 0.5, 0.8)]
        for x, y in outside:
            assert not is_point_inside(loops, x, y), "the point is beyond the cut"
            assert ink(x, y), (name, number, x, y)
        for face in CUBE_FACES:
            size = box.face_size(face)
            for u, v in (
                (0.6, 0.6),
                (size.width - 0.6, 0.6),
                (size.width - 0.6, size.height - 0.6),
                (0.6, size.height - 0.6),
            ):
                assert ink(*map_point(net.faces[face], (u, v))), (name, number, face)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "lang"), quick(product(GAMES, ("ja", "en")), ("fortuna", "ja"), ("journey8", "en")))
def test_the_notch_cuts_no_words(name: str, lang: str) -> None:
    """On the front no letter comes nearer to the thumb's notch than half a millimetre."""
    workshop, contents, _ = made(name, lang)
    context = Context({}, workshop.fonts, workshop.draw_silhouette)
    for number, content in enumerate(contents):
        box = content.make_box(BoxSettings(0.3, 0.0, PAPERS, MARGIN, "ink", "#ffffff"))
        front = draw_walls(workshop, content, number, lang)["front"]
        for one in find_leaves(front, context):
            if isinstance(one.leaf, TextRun):
                for letter in measure_glyph_boxes(one.leaf, one.matrix, context.fonts):
                    across = max(letter.x - box.width / 2, box.width / 2 - letter.right, 0.0)
                    assert hypot(across, max(letter.y, 0.0)) > box.notch + 0.5, one.leaf.text


@pytest.mark.parametrize("name", quick(GAMES, "fortuna"))
def test_names_in_the_list_of_contents_stay_whole(name: str) -> None:
    """No line of what is in a box ends within the Japanese name of a kind."""
    workshop, contents, _ = made(name, "ja")
    for number, content in enumerate(contents):
        names = [bare(kind.name["ja"]) for kind in content.kinds]
        walls = draw_walls(workshop, content, number, "ja").values()
        lists = [frame for wall in walls for frame in wall.frames if all(kind in bare(frame.text) for kind in names)]
        for frame in lists:
            assert all(any(kind in bare(line) for line in frame.lines) for kind in names), frame.lines


def test_a_template_gets_the_decks_faces(tiny: TinyProject) -> None:
    """A group `deck-back` shows the deck's back, true to size and with its bleed behind the wall's edges."""
    tiny.change("data/tiny/game.yaml", "    front: card\n", "    front: card\n    back: back\n")
    drawn = '<rect x="{{ -bleed }}" y="{{ -bleed }}" width="46" height="66" fill="red"/>'
    tiny.write("templates/tiny/back.svg", f'<svg xmlns="http://www.w3.org/2000/svg">{drawn}</svg>')
    workshop, (content,), document = made("tiny", "en", root=tiny.root)
    back = workshop.draw_face(content.designs[0], "back", "en")
    assert back is not None
    groups = _groups(document.pages[0].placements[0].drawing.items)
    ((placed_back,),) = (group.items for group in groups if group.id.startswith("deck-back"))
    assert isinstance(placed_back, PlacedSymbol) and placed_back.symbol.items == back.items
    assert placed_back.symbol.box[:2] == (-back.bleed, -back.bleed), "it goes on behind the wall's edges"
    assert placed_back.matrix[:4] == pytest.approx((1, 0, 0, 1)) and invert_matrix(placed_back.matrix) is not None


@pytest.mark.parametrize(
    ("name", "lang"),
    quick(product(["fortuna", "journey8", "wayfaring", "xanadu"], ("ja", "en")), "fortuna", ("journey8", "en")),
)
def test_the_back_of_a_box_sells_the_game(name: str, lang: str) -> None:
    """The hook, all steps and three fronts of the deck stand on the back of the large box."""
    workshop, contents, _ = made(name, lang)
    number = max(range(len(contents)), key=lambda n: contents[n].count)
    back = draw_walls(workshop, contents[number], number, lang)["back"]
    text = bare("".join(leaf.text for leaf, _ in walk_leaves(back.items) if isinstance(leaf, TextRun)))
    for said in (workshop.game.hook, *workshop.game.steps):
        assert bare(said[lang].split("{{")[0]).upper() in text.upper()
    assert {group.id for group in _groups(back.items)} >= {"deck-front-1", "deck-front-2", "deck-front-3"}


def _groups(items: tuple[Any, ...]) -> list[Group]:
    found = []
    for item in items:
        if isinstance(item, Group):
            found += [item, *_groups(item.items)]
    return found


def test_a_strangers_game_has_boxes(tiny: TinyProject, pnp: Pnp) -> None:
    """A project without a template of its own gets the plain box with its cards, its title and its accent."""
    assert pnp("boxes", code=0).out == "output/tiny/boxes.en.pdf\n"
    assert page_count(tiny.root / "output/tiny/boxes.en.pdf") == 1
    image = render_page(tiny.root / "output/tiny/boxes.en.pdf", 0, 60)
    seen = {pixel for _, pixel in image.getcolors(1 << 20) or ()}
    assert {(0xC0, 0x20, 0x20), (0xF0, 0xE8, 0xD8)} <= seen, "its red all over, its cards' ground in front"


def test_a_game_may_bring_its_own_box(tiny: TinyProject, pnp: Pnp) -> None:
    """templates/<game>/tuck_box.svg goes before the plain one; what is wrong in it is said with line and column."""
    ground = '<rect x="{{ -bleed }}" y="{{ -bleed }}" width="400" height="400" fill="#2040c0"/>'
    tiny.write("templates/tiny/tuck_box.svg", f'<svg xmlns="http://www.w3.org/2000/svg">\n{ground}\n</svg>\n')
    assert pnp("boxes").code == 0
    colours = render_page(tiny.root / "output/tiny/boxes.en.pdf", 0, 60).getcolors(1 << 20) or ()
    assert (0x20, 0x40, 0xC0) in {pixel for _, pixel in colours}
    tiny.write("templates/tiny/tuck_box.svg", f'<svg xmlns="http://www.w3.org/2000/svg">\n{ground}\n<blob/></svg>\n')
    assert pnp("boxes", code=1).said[0].startswith("templates/tiny/tuck_box.svg:3:1: <blob> is not supported")


def test_a_title_too_long_for_its_box_is_told_where_the_game_says_it(tiny: TinyProject, pnp: Pnp) -> None:
    """The plain box is the program's own: who uses it can change the title, not the template."""
    tiny.change("data/tiny/game.yaml", "title: Tiny", f"title: Tiny {'and very long ' * 30}")
    ran = pnp("boxes", code=1)
    told = [line for line in ran.said if "does not fit its box" in line]
    assert told and all(line.startswith("data/tiny/game.yaml:2:8: text of tuck_box_0_") for line in told), ran.err


@pytest.mark.slow
@pytest.mark.parametrize("name", quick(GAMES, "fortuna"))
def test_clean_boxes_name_no_draft(name: str) -> None:
    """With `clean` no wall says which draft it is; the notes beside the net still do."""
    project = find_project(ROOT, None)
    game = load_game(project.find_folder(name), project.resources)
    draft = phrase("draft", "ja", draft=game.draft)
    for clean in (True, False):
        settings = BoxSettings(0.3, 0.0, PAPERS, MARGIN, "ink", "#ffffff", clean)
        shop = Workshop(add_boxes(game, group_decks(game), settings), project.resources)
        document = build_boxes(shop, group_decks(game), "ja", settings)
        said = "".join(words(document, page) for page in range(len(document.pages)))
        assert (bare(draft) in bare(said)) is not clean
        assert not bare(said).endswith("·")


def test_a_box_that_no_paper_holds(tiny: TinyProject, pnp: Pnp) -> None:
    """Not even A3: the deck, the net's size and both papers are named at the kind's place in the data."""
    tiny.change("data/tiny/game.yaml", "{id: one, count: 2,", "{id: one, count: 900,")
    tiny.change("data/tiny/game.yaml", "stated: 5", "stated: 903")
    ran = pnp("boxes", code=1)
    assert ran.said[0].startswith("data/tiny/game.yaml:14:11: the box for 903 cards of 40 x 60 mm unfolds to")
    assert "A4 or A3 does not hold it" in ran.err
    tiny.change("data/tiny/game.yaml", "count: 900", "count: 100")
    tiny.change("data/tiny/game.yaml", "stated: 903", "stated: 103")
    assert pnp("boxes").code == 0
    with pikepdf.open(tiny.root / "output/tiny/boxes.en.pdf") as pdf:
        assert float(pdf.pages[0].mediabox[2]) > 0


def test_a_single_deck_leaves_the_others_file_alone(tiny: TinyProject, pnp: Pnp) -> None:
    """--deck writes a file of its own name; the same input gives the same bytes."""
    assert pnp("boxes", "--deck", "card").out == "output/tiny/box-card.en.pdf\n"
    first = (tiny.root / "output/tiny/box-card.en.pdf").read_bytes()
    assert pnp("boxes", "--deck", "card").code == 0
    assert (tiny.root / "output/tiny/box-card.en.pdf").read_bytes() == first
    assert BoxOrder((), Path(), deck="card").file != BoxOrder((), Path()).file
