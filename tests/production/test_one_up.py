"""One face a page: boxes within boxes, art to the bleed's end, marks outside it, backs behind their fronts."""

import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from generator.base.colour import REGISTRATION
from generator.base.display_list import Drawing, Group, Shape, TextRun, walk_leaves
from generator.base.geometry import MM_PER_INCH, Rect, Size
from generator.drawing.pdf.document import write_pdf
from generator.drawing.pdf.page_images import render_page
from generator.game.presets import Marks, Product, Shop
from generator.game.print_pages import Document, Page
from generator.production.shop import find_nearest_fit, fit_product
from generator.production.shop_pages import (
    ARM,
    Imprint,
    ShopCard,
    build_face_page,
    build_run_pages,
    draw_shop_marks,
    extend_art,
    frame_page,
    number_spreads,
)

DPI = 127.0  # five pixels a millimetre
SCALE = DPI / MM_PER_INCH
RED, BLUE = (192, 32, 32), (32, 32, 192)
PAINTS = {"red": RED, "blue": BLUE, "ink": (0, 0, 0)}

sides = st.floats(20, 300).map(lambda side: round(side, 2))
edges = st.floats(0, 20).map(lambda edge: round(edge, 2))
marks = st.sampled_from(["none", "western", "japanese"])


def rect(x: float, y: float, width: float, height: float, fill: str) -> Shape:
    right, bottom = round(x + width, 3), round(y + height, 3)
    return Shape(f"M {x} {y} L {right} {y} L {right} {bottom} L {x} {bottom} Z", fill=fill, role="ground")


def card_face(width: float = 40, height: float = 60, bleed: float = 3, paint: str = "red") -> Drawing:
    """A ground out to the bleed with a blue box in the middle, off-centre above."""
    ground = rect(-bleed, -bleed, width + 2 * bleed, height + 2 * bleed, paint)
    return Drawing(width, height, bleed, (ground, rect(width / 2 - 5, 5, 10, 10, "blue")))


def product(trim: Size, edge: float) -> Product:
    return Product("it", "It", trim, Size(trim.width + 2 * edge, trim.height + 2 * edge), 3.0)


def picture(page: Page) -> Image.Image:
    out = io.BytesIO()
    write_pdf(Document("", "en", (page,)), None, _rgb, str, out)  # type: ignore[arg-type]  # there is no text
    return render_page(out.getvalue(), 0, DPI)


def _rgb(paint: str) -> tuple[float, float, float]:
    red, green, blue = PAINTS.get(paint, (0, 0, 0))
    return red / 255, green / 255, blue / 255


@given(sides, sides, edges, edges, marks)
def test_boxes_lie_within_each_other(width: float, height: float, across: float, down: float, kind: Marks) -> None:
    """Media holds bleed, bleed holds trim; trim is as large as the product and in the middle."""
    made = Product("it", "It", Size(width, height), Size(width + 2 * across, height + 2 * down), 3.0)
    size, trim, bleed = frame_page(made, kind)
    assert Rect(0, 0, size.width, size.height).contains(bleed)
    assert bleed.contains(trim)
    assert (trim.width, trim.height) == (width, height)
    assert trim.x == pytest.approx(size.width - trim.right)
    assert trim.y == pytest.approx(size.height - trim.bottom)


@given(sides, sides, edges, st.sampled_from(["western", "japanese"]))
def test_marks_keep_out_of_the_bleed_and_on_the_page(width: float, height: float, edge: float, kind: Marks) -> None:
    """Every line of a mark lies between the bleed's end and the page's, in the colour that is on all plates."""
    size, trim, bleed = frame_page(product(Size(width, height), edge), kind)
    page = Rect(0, 0, size.width, size.height)
    (group,) = draw_shop_marks(kind, trim, bleed, page)
    assert isinstance(group, Group) and group.clip_even_odd
    inside, outside = bleed.grow(-0.01), page.grow(0.01)
    shapes = [leaf for leaf, _ in walk_leaves((group,)) if isinstance(leaf, Shape)]
    points = [point for shape in shapes for point in _line(shape.path)]

    assert {(shape.stroke, shape.role) for shape in shapes} == {(REGISTRATION, "mark")}
    assert len(points) >= 16
    for x, y in points:
        assert outside.x <= x <= outside.right and outside.y <= y <= outside.bottom
        assert not (inside.x < x < inside.right and inside.y < y < inside.bottom)


def _line(path: str) -> tuple[tuple[float, float], ...]:
    words = [word for word in path.split() if word not in "ML"]
    return tuple((float(x), float(y)) for x, y in zip(words[::2], words[1::2], strict=True))


def test_japanese_corners_lead_to_trim_and_bleed() -> None:
    """Each corner has the two hooks of the trade: one leads to the trim's edge, one to the bleed's, both ways."""
    size, trim, bleed = frame_page(product(Size(40, 60), 3), "japanese")
    (group,) = draw_shop_marks("japanese", trim, bleed, Rect(0, 0, size.width, size.height))
    lines = [_line(leaf.path) for leaf, _ in walk_leaves((group,)) if isinstance(leaf, Shape)]
    corners = {line for line in lines if len(line) == 3}
    assert len(corners) == 8
    assert ((bleed.x - ARM, bleed.y), (trim.x, bleed.y), (trim.x, bleed.y - ARM)) in corners
    assert ((bleed.x - ARM, trim.y), (bleed.x, trim.y), (bleed.x, bleed.y - ARM)) in corners
    assert ((bleed.right + ARM, bleed.bottom), (trim.right, bleed.bottom), (trim.right, bleed.bottom + ARM)) in corners
    middle = [line for line in lines if len(line) == 2 and line[0][0] == line[1][0] == trim.x + trim.width / 2]
    assert len(middle) == 2  # above and below


def test_the_blank_bleed_shows_no_mark() -> None:
    """On paper, too: within the bleed of a blank side not one pixel is touched by a mark."""
    made = product(Size(40, 60), 3)
    page = build_face_page(ShopCard("a", 1, card_face()), "back", made, "japanese")
    shown = picture(page).convert("L")
    bleed = page.bleed
    assert bleed is not None
    left, top, right, bottom = (round(value * SCALE) for value in (bleed.x, bleed.y, bleed.right, bleed.bottom))
    assert shown.crop((left, top, right, bottom)).getextrema() == (255, 255)
    assert shown.getextrema()[0] < 128, "there are marks around it"


def test_art_reaches_the_end_of_a_larger_bleed() -> None:
    """A face with 3 mm of bleed on a product with 5 mm and a larger cut leaves no paper at any edge."""
    page = build_face_page(ShopCard("a", 1, card_face()), "front", product(Size(41, 61.5), 5))
    shown = picture(page)
    for x in range(1, shown.width - 1, 7):
        assert shown.getpixel((x, 1)) == RED and shown.getpixel((x, shown.height - 2)) == RED
    for y in range(1, shown.height - 1, 7):
        assert shown.getpixel((1, y)) == RED and shown.getpixel((shown.width - 2, y)) == RED


def test_what_a_face_shows_is_never_scaled() -> None:
    """On a larger cut the picture keeps its size and lies in the middle."""
    page = build_face_page(ShopCard("a", 1, card_face()), "front", product(Size(42, 64), 5))
    shown = picture(page).convert("RGB")
    blue = [
        (x, y) for x in range(shown.width) for y in range(shown.height) if shown.getpixel((x, y)) == BLUE
    ]  # the box of 10 x 10 mm, 5 mm below the face's upper edge
    xs, ys = [x for x, _ in blue], [y for _, y in blue]
    assert (max(xs) - min(xs) + 1, max(ys) - min(ys) + 1) == (50, 50)
    assert (min(xs), min(ys)) == (round((5 + 1 + 15) * SCALE), round((5 + 2 + 5) * SCALE))


def test_the_mirrored_edge_bears_no_text() -> None:
    """Ground and art are repeated beyond the bleed, words never, whatever role they have."""
    word = TextRun(5, 5, 8, "body", (1,), ("a",), role="art")
    inner = Group((word, rect(0, 0, 5, 5, "blue")))
    face = card_face()._replace(items=(*card_face().items, word, inner))
    leaves = [leaf for leaf, _ in walk_leaves(extend_art(face, Size(41, 61), 5).items)]
    assert sum(isinstance(leaf, TextRun) for leaf in leaves) == 2
    assert sum(isinstance(leaf, Shape) for leaf in leaves) == 3 * 9


def test_a_face_that_fits_stays_as_it_is() -> None:
    """Where cut and bleed are the face's own, nothing is made anew."""
    face = card_face()
    assert extend_art(face, Size(40, 60), 3.0) is face
    assert extend_art(face, Size(40, 60), 2.0) is face
    assert extend_art(face, Size(40, 60), 3.5) is not face


@given(edges, st.floats(-2, 2), st.floats(-2, 2))
def test_a_face_on_a_cut_has_its_size(reach: float, wider: float, higher: float) -> None:
    """Whatever the shop cuts, the new face has that size and bleed, and frames move with the picture."""
    face = card_face()
    trim = Size(round(40 + wider, 3), round(60 + higher, 3))
    made = extend_art(face, trim, reach)
    if made is not face:
        assert (made.width, made.height, made.bleed) == (trim.width, trim.height, reach)
    else:
        assert abs(wider) < 0.01 and abs(higher) < 0.01 and reach <= 3.001


def test_a_card_on_its_side_has_its_back_behind_it() -> None:
    """A lying card on an upright product: its back is turned so that its upper edge is where the front's is."""
    face = card_face(60, 40)
    made = product(Size(40, 60), 3)
    card = ShopCard("a", 1, face, face, turned=True)
    front, back = (picture(build_face_page(card, side, made)) for side in ("front", "back"))
    mirrored = back.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    # The box stands near the upper edge: seen through the paper both lie on the same spot.
    assert _blue_at(front) == pytest.approx(_blue_at(mirrored), abs=1)
    assert _blue_at(front)[0] > front.width / 2, "the front is turned clockwise"


def _blue_at(image: Image.Image) -> tuple[float, float]:
    spots = [(x, y) for x in range(image.width) for y in range(image.height) if image.getpixel((x, y)) == BLUE]
    assert spots
    return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)


def test_pages_come_in_the_shops_order() -> None:
    """Front and back in turn, or all fronts first; every copy or every design; no backs where nobody has one."""
    face = card_face()
    cards = [ShopCard("a", 2, face, face), ShopCard("b", 1, face)]
    each, once = Imprint(each_copy=True), Imprint()
    last = Imprint(order="fronts-then-backs", each_copy=True)
    assert [(s.fronts, s.backs) for s in number_spreads(cards, each)] == [((1, 3), (2, 4)), ((5,), (6,))]
    assert [(s.fronts, s.backs) for s in number_spreads(cards, once)] == [((1,), (2,)), ((3,), (4,))]
    assert [(s.fronts, s.backs) for s in number_spreads(cards, last)] == [((1, 2), (4, 5)), ((3,), (6,))]
    assert [s.backs for s in number_spreads([replace(cards[0], back=None)], each)] == [(0, 0)]
    pages = build_run_pages(cards, product(Size(40, 60), 3), each)
    assert [page.side for page in pages] == ["front", "back"] * 3
    assert [bool(page.placements) for page in pages] == [True] * 5 + [False]


def test_the_nearest_product_is_taken() -> None:
    """A card is printed as the product that differs least, on its side if need be, within the tolerance."""
    shop = Shop("it", "It", "", "", products=(product(Size(63.5, 88.9), 3.175), product(Size(62.992, 87.884), 3.4)))
    near = fit_product(Size(63, 88), shop)
    lying = fit_product(Size(88, 63), shop)
    assert near is not None and lying is not None
    assert near.product is shop.products[1] and not near.turned
    assert "up to 0.06 mm are cut off" in near.note
    assert lying.product is shop.products[1] and lying.turned
    assert fit_product(Size(63.5, 90.2), shop) is None
    assert find_nearest_fit(Size(63.5, 90.2), shop.products).product is shop.products[0]
    only = fit_product(Size(63, 88), replace(shop, products=shop.products[:1]))
    assert only is not None and only.note == "the ground goes on for up to 0.45 mm at an edge"


@given(sides, sides)
def test_without_products_any_size_is_made(width: float, height: float) -> None:
    """A shop that cuts to order takes the card as it is, with its bleed around it."""
    found = fit_product(Size(width, height), Shop("it", "It", "", "", bleed=3.0))
    assert found is not None and found.note == "" and not found.turned
    assert found.product.trim == Size(width, height)
    assert found.product.full.width == pytest.approx(width + 6)
