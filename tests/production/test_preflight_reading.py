"""What the reader of content streams sees: where marks lie, in what colour, how large, and what does not show."""

import io
from math import cos, radians, sin

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Name

from generator.base.geometry import PT_PER_MM, Matrix
from generator.production.preflight.pdf_colours import PageMark
from generator.production.preflight.pdf_document import (
    PageBox,
    chain_matrices,
    find_hidden_layers,
    make_view,
    move_box,
    open_file,
)
from generator.production.preflight.stream_reader import read_page_marks
from generator.production.preflight.stream_state import FileFacts

NUMBERS = st.floats(-50, 50).map(lambda value: round(value, 3))
MATRICES = st.tuples(*[NUMBERS] * 6)
BOXES = st.tuples(NUMBERS, NUMBERS, st.floats(0, 50), st.floats(0, 50)).map(
    lambda b: (b[0], b[1], b[0] + b[2], b[1] + b[3])
)


def form(pdf: pikepdf.Pdf, content: bytes, **entries: object) -> pikepdf.Stream:
    """A form XObject of 200 x 200."""
    made = pdf.make_stream(content)
    made.update({"/Type": Name.XObject, "/Subtype": Name.Form, "/BBox": Array([0, 0, 200, 200])})
    for key, value in entries.items():
        made[f"/{key}"] = value
    return made


def read(content: bytes, rotate: int = 0, resources: object = None) -> list[PageMark]:
    """The marks of a page of 100 x 200 mm with this content."""
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(100 * PT_PER_MM, 200 * PT_PER_MM))
    page = pdf.pages[0].obj
    page.Contents = pdf.make_stream(content)
    page.Rotate = rotate
    if callable(resources):
        page.Resources = resources(pdf)
    out = io.BytesIO()
    pdf.save(out)
    file = open_file("a.pdf", out.getvalue())
    sheet = file.sheets[0]
    supplies = FileFacts(find_hidden_layers(file.pdf))
    marks, troubles, _ = read_page_marks(sheet.obj, sheet.obj.get("/Resources"), sheet.view.base, sheet.whole, supplies)
    assert troubles == []
    return marks


def mm(*values: float) -> str:
    return " ".join(f"{value * PT_PER_MM:.4f}" for value in values)


CORNER = f"{mm(10, 170, 20, 10)} re f".encode()  # 10 mm from the left, 20 mm from the top, 20 x 10 mm


@pytest.mark.parametrize(
    ("rotate", "box"),
    [(0, (10, 20, 30, 30)), (90, (170, 10, 180, 30)), (180, (70, 170, 90, 180)), (270, (20, 70, 30, 90))],
)
def test_places_are_those_that_a_reader_sees(rotate: int, box: PageBox) -> None:
    """A page that is turned is measured as it is shown, from its top left corner."""
    (mark,) = read(CORNER, rotate)
    assert mark.box == pytest.approx(box, abs=0.01)


def test_matrices_add_up_and_end_with_their_brackets() -> None:
    """`cm` moves what follows until `Q`; a pen is as thick as its thinner direction."""
    first, second = read(f"q 2 0 0 0.5 {mm(10, 170)} cm 0 0 10 10 re 1 w S Q {mm(0, 200, 10, 0)} re S".encode())
    assert first.size == pytest.approx(0.5)
    assert first.box[0] == pytest.approx(10, abs=0.2)
    assert second.size == pytest.approx(1)
    assert second.box[1] == 0, "what reaches beyond the page is cut off"


def test_forms_are_read_through_their_matrix_and_box() -> None:
    """A form in a form: both matrices count, the inner box cuts, sizes shrink with them."""

    def resources(pdf: pikepdf.Pdf) -> Dictionary:
        inner = form(pdf, b"0 0 1 rg 0 0 500 500 re f 4 w 0 0 m 10 0 l S", BBox=Array([0, 0, 20, 20]))
        outer = form(pdf, b"0.5 0 0 0.5 0 0 cm /I Do", Matrix=Array([2, 0, 0, 2, 0, 0]))
        outer.Resources = Dictionary(XObject=Dictionary(I=inner))
        return Dictionary(XObject=Dictionary(O=outer))

    fill, stroke = read(f"q 0.5 0 0 0.5 {mm(10, 100)} cm /O Do Q".encode(), resources=resources)

    assert fill.colour.space.family == "rgb"
    assert fill.colour.values == (0, 0, 1)
    assert fill.box[2] - fill.box[0] == pytest.approx(10 / PT_PER_MM, abs=0.01)
    assert stroke.size == pytest.approx(2)


def test_a_form_takes_the_colour_of_its_place() -> None:
    """One form drawn in two colours is two marks of these colours, though it is read once for each."""

    def resources(pdf: pikepdf.Pdf) -> Dictionary:
        return Dictionary(XObject=Dictionary(F=form(pdf, b"0 0 9 9 re f")))

    marks = read(b"1 0 0 rg /F Do 0 1 0 0 k /F Do /F Do", resources=resources)
    assert [mark.colour.values for mark in marks] == [(1, 0, 0), (0, 1, 0, 0), (0, 1, 0, 0)]


def test_what_is_clipped_away_or_switched_off_is_no_mark() -> None:
    """A clip cuts boxes and drops what lies outside; a layer that is off shows nothing, invisible type neither."""
    (cut,) = read(f"{mm(10, 170, 5, 10)} re W n ".encode() + CORNER + f" {mm(50, 50, 5, 5)} re f".encode())
    assert cut.box == pytest.approx((10, 20, 15, 30), abs=0.01)

    def layers(pdf: pikepdf.Pdf) -> Dictionary:
        groups = [pdf.make_indirect(Dictionary(Type=Name.OCG, Name=name)) for name in ("on", "off")]
        pdf.Root.OCProperties = Dictionary(OCGs=Array(groups), D=Dictionary(OFF=Array(groups[1:])))
        return Dictionary(Properties=Dictionary(A=groups[0], B=groups[1]))

    shown = read(b"/OC /A BDC 0 0 5 5 re f EMC /OC /B BDC /Span BMC 9 9 5 5 re f EMC EMC 20 20 5 5 re f", 0, layers)
    assert len(shown) == 2


def test_type_is_measured_by_its_widths_and_matrices() -> None:
    """The box of a string begins at its first and ends behind its last visible glyph, turned as the type is."""

    def resources(_pdf: pikepdf.Pdf) -> Dictionary:
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, FirstChar=97, Widths=[500, 1000])
        return Dictionary(Font=Dictionary(F=font))

    start = mm(50, 100)
    flat, turned = (
        read(f"BT /F 10 Tf {a} {b} {-b} {a} {start} Tm [(  ) 1000 (ab  )] TJ ET".encode(), 0, resources)[0]
        for a, b in ((1, 0), (0, 1))
    )

    # Two spaces of half an em, back one em: `ab` begins where the text did.
    assert flat.size == turned.size == pytest.approx(10)
    assert flat.box[0] == pytest.approx(50, abs=0.01)
    assert flat.box[2] - flat.box[0] == pytest.approx(15 / PT_PER_MM, abs=0.01)
    assert turned.box[3] - turned.box[1] == pytest.approx(15 / PT_PER_MM, abs=0.01)
    assert read(f"BT /F 10 Tf 3 Tr {start} Td (ab) Tj ET".encode(), 0, resources) == []


def test_inline_images_shadings_and_patterns_are_marks() -> None:
    """Everything that inks paper is seen: an image in the content, a gradient, the paints of a tile."""

    def resources(pdf: pikepdf.Pdf) -> Dictionary:
        blend = Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[1, 1, 1, 0.5], N=1)
        shading = Dictionary(ShadingType=2, ColorSpace=Name.DeviceCMYK, Coords=[0, 0, 99, 0], Function=blend)
        tile = form(pdf, b"0 1 0 0 k 0 0 4 4 re f", PatternType=1, PaintType=1, TilingType=1, XStep=5, YStep=5)
        return Dictionary(Shading=Dictionary(S=shading), Pattern=Dictionary(P=pdf.make_indirect(tile)))

    content = b"q 72 0 0 72 0 0 cm BI /W 2 /H 2 /BPC 8 /CS /G ID \x00\xff\x00\xff EI Q /S sh /Pattern cs /P scn 0 0 50 50 re f"
    image, gradient, tiled = read(content, 0, resources)

    assert image.picture is not None
    assert (image.kind, image.picture.pixels, image.across) == ("image", (2, 2), pytest.approx((72, 72)))
    assert (gradient.kind, gradient.colour.ink) == ("shading", 350)
    assert (tiled.kind, tiled.colour.values) == ("fill", (0, 1, 0, 0))
    assert tiled.box[2] == pytest.approx(50 / PT_PER_MM, abs=0.01)


@given(BOXES, MATRICES, MATRICES)
def test_moving_twice_reaches_around_moving_once(box: PageBox, first: Matrix, then: Matrix) -> None:
    """A box through two matrices one by one holds the box through both: nothing is lost on the way through forms."""
    once, twice = move_box(box, chain_matrices(first, then)), move_box(move_box(box, first), then)
    assert all(a >= b - 1e-3 for a, b in zip(once[:2], twice[:2], strict=True))
    assert all(a <= b + 1e-3 for a, b in zip(once[2:], twice[2:], strict=True))


@given(BOXES, NUMBERS, st.floats(0, 360))
def test_a_turned_box_holds_its_corners(box: PageBox, shift: float, angle: float) -> None:
    """Whatever the angle, each corner lies in the upright box."""
    a, b = cos(radians(angle)), sin(radians(angle))
    left, top, right, bottom = move_box(box, (a, b, -b, a, shift, -shift))
    for x, y in ((box[0], box[1]), (box[2], box[1]), (box[0], box[3]), (box[2], box[3])):
        assert left - 1e-6 <= a * x - b * y + shift <= right + 1e-6
        assert top - 1e-6 <= b * x + a * y - shift <= bottom + 1e-6


@given(st.sampled_from([0, 90, 180, 270]), st.floats(1, 2000), st.floats(1, 2000), NUMBERS, st.floats(0.1, 10))
def test_a_page_fills_its_view(rotate: int, width: float, height: float, left: float, unit: float) -> None:
    """The MediaBox is the view from (0, 0) to its size, wherever it begins, however it is turned."""
    media = (left, -left, left + width, -left + height)
    seen = make_view(media, rotate, unit)
    assert move_box(media, seen.base) == pytest.approx((0, 0, *seen.size), abs=1e-6 * (1 + width + height) * unit)


def test_an_unknown_colour_space_is_reported() -> None:
    """The page's other marks are read; the colour that nobody can know is a trouble of its own."""
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(100, 100))
    page = pdf.pages[0].obj
    page.Contents = pdf.make_stream(b"/Lost cs 0.5 sc 0 0 10 10 re f 1 0 0 rg 20 20 10 10 re f")
    marks, troubles, _ = read_page_marks(page, Dictionary(), (1, 0, 0, 1, 0, 0), (0, 0, 100, 100), FileFacts())
    assert any("Lost" in trouble for trouble in troubles), troubles
    assert (1, 0, 0) in [mark.colour.values for mark in marks]
