"""Groups with an opacity, a blend or a mask: what the hash, the PDF, the SVG and the pixels say of them."""

import io
from pathlib import Path

import pikepdf
import pytest

from generator.base.colour import Rgb, rgb_from_hex
from generator.base.display_list import Drawing, FaceHasher, Group, Item, Mask, Paint, Shape
from generator.base.geometry import Rect, Size
from generator.base.outlines import rectangle_path
from generator.drawing.pdf.document import write_pdf
from generator.drawing.pdf.page_images import render_drawing_png
from generator.drawing.svg_writer import write_svg
from generator.game.print_pages import Document, Page
from generator.text.fonts import FontBook

BOOK = FontBook({}, lambda _: None)
WHOLE = Shape(rectangle_path(Rect(0, 0, 10, 10)), "#ff0000")
HALF = Shape(rectangle_path(Rect(0, 0, 5, 10)), "#ffffff")
RED = (255, 0, 0)


def rgb(paint: Paint) -> Rgb:
    return rgb_from_hex(paint)


def face(*items: Item) -> Drawing:
    return Drawing(10, 10, 0, items)


def pixels(*items: Item) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The colours left and right of the middle."""
    shown = render_drawing_png(face(*items), 25.4, BOOK, rgb, Path)
    left, right = shown.getpixel((2, 5)), shown.getpixel((7, 5))
    assert isinstance(left, tuple) and isinstance(right, tuple)
    return left, right


VARIANTS = [
    Group((WHOLE,)),
    Group((WHOLE,), opacity=0.5),
    Group((WHOLE,), opacity=0.25),
    Group((WHOLE,), blend="multiply"),
    Group((WHOLE,), mask=Mask((HALF,))),
    Group((WHOLE,), mask=Mask((HALF,), alpha=True)),
]


def test_each_way_of_mixing_has_its_hash() -> None:
    hasher = FaceHasher(str)
    assert len({hasher.hash(face(group)) for group in VARIANTS}) == len(VARIANTS)
    assert hasher.hash(face(Group((WHOLE,), opacity=1.0))) == hasher.hash(face(VARIANTS[0]))


def test_two_things_that_are_clearer_together_do_not_shine_through_each_other() -> None:
    (left, _), (alone, _) = pixels(Group((WHOLE, WHOLE), opacity=0.5)), pixels(Group((WHOLE,), opacity=0.5))
    assert left == alone
    assert left[0] == 255 and abs(left[1] - 127) <= 1


def test_a_mask_shows_what_is_light_in_it() -> None:
    assert pixels(Group((WHOLE,), mask=Mask((HALF,)))) == (RED, (255, 255, 255))
    grey = Shape(rectangle_path(Rect(0, 0, 10, 10)), "#808080")
    assert abs(pixels(Group((WHOLE,), mask=Mask((grey,))))[0][1] - 127) <= 2


def test_colours_are_multiplied_with_those_below() -> None:
    ground = Shape(rectangle_path(Rect(0, 0, 5, 10)), "#0000ff")
    assert pixels(ground, Group((WHOLE,), blend="multiply")) == ((0, 0, 0), RED)


@pytest.mark.parametrize("group", VARIANTS[1:])
def test_the_svg_of_a_face_says_the_same(group: Group) -> None:
    said = write_svg(face(group), BOOK, str)
    assert ('opacity=".5"' in said) == (group.opacity == 0.5)
    assert ("mix-blend-mode:multiply" in said) == (group.blend == "multiply")
    assert ("<mask" in said) == (group.mask is not None)


def test_a_line_begins_within_its_dashes() -> None:
    line = Shape("M 0 5 L 10 5", None, "#000000", 2.0, dash=(5.0, 5.0))
    later = Shape("M 0 5 L 10 5", None, "#000000", 2.0, dash=(5.0, 5.0), dash_from=5.0)
    assert pixels(line) == ((0, 0, 0), (255, 255, 255))
    assert pixels(later) == ((255, 255, 255), (0, 0, 0))
    assert FaceHasher(str).hash(face(line)) != FaceHasher(str).hash(face(later))


def test_what_needs_no_transparency_has_none_in_its_file() -> None:
    for group, wanted in zip(VARIANTS[:2], (False, True), strict=True):
        out = io.BytesIO()
        write_pdf(Document("", "", (Page(Size(10, 10), "front", 1, (), (group,)),)), BOOK, rgb, Path, out)
        with pikepdf.open(out) as pdf:
            assert ("/ExtGState" in pdf.pages[0].Resources) is wanted
