"""Inks in a PDF: the operators, colour spaces and overprint that a press must find, and none of a screen's colours."""

import io
from pathlib import Path

import pikepdf
import pytest
from pdf_samples import BOOK, block, box, document, face, palette, sheet, symbol, twice, words
from PIL import Image
from test_pdf_contents import picture, quarters

from generator.base.colour import Bitmap, Ink
from generator.base.display_list import Gradient, Group, PlacedSymbol, Shape
from generator.drawing.pdf.document import write_pdf
from generator.drawing.pdf.page_images import render_page

RED, GOLD, GREY = "#ff0000", "#c0a000", "#808080"
INKS = {
    "ink": Ink("cmyk", (0, 0, 0, 1), overprint=True),
    RED: Ink("cmyk", (0, 1, 0.9, 0)),
    GOLD: Ink("spot", (1.0,), "DIC 156", (0.1, 0.3, 0.8, 0)),
    "#c0a040": Ink("spot", (0.5,), "DIC 156", (0.1, 0.3, 0.8, 0)),
    GREY: Ink("gray", (0.4,)),
    "#203040": Ink("rgb", (0.125, 0.188, 0.251)),
}


class Press:
    """Inks by a table; a colour bitmap becomes cyan all over, a grey one stays."""

    keeps_pictures = False
    overprints = "plates"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.bitmaps: list[Bitmap] = []

    def ink(self, paint: str, role: str) -> Ink:
        self.asked.append((paint, role))
        return INKS[paint]

    def bitmap(self, bitmap: Bitmap) -> Bitmap:
        """Cyan for colours."""
        self.bitmaps.append(bitmap)
        if bitmap.space != "rgb":
            return bitmap
        return bitmap._replace(space="cmyk", pixels=b"\xff\0\0\0" * (bitmap.width * bitmap.height))


def printed(*items, press=None, page_items=()):
    """The PDF of one face with these items."""
    out = io.BytesIO()
    made = document(sheet(*twice(face(*items, width=40, height=40)), items=page_items, width=40, height=40))
    write_pdf(made, BOOK, palette, Path, out, press or Press())
    return out.getvalue()


def operators(*items, **more):
    """The operators of the face, each as text with its operands, resource names as what they stand for."""
    with pikepdf.open(io.BytesIO(printed(*items, **more))) as pdf:
        (form,) = (o for o in pdf.pages[0].Resources.XObject.values() if o.Subtype == "/Form")
        return spelled_out(form)


def spelled_out(form):
    """The operators of a form: `/E5 gs` reads `over 1 1 gs` (stroke, fill), `/C3 cs` reads `DIC 156 cs`."""
    states = form.Resources.get("/ExtGState", {})
    spaces = form.Resources.get("/ColorSpace", {})
    lines = []
    for operands, operator in pikepdf.parse_content_stream(form):
        if str(operator) == "gs":
            state = states[str(operands[0])]
            assert int(state.OPM) == int(state.OP or state.op)
            lines.append(f"over {int(state.OP)} {int(state.op)} gs")
        elif str(operator) in ("cs", "CS"):
            lines.append(f"{str(spaces[str(operands[0])][1])[1:]} {operator}")
        else:
            lines.append(" ".join([*map(str, operands), str(operator)]))
    return lines


def objects(pdf, subtype=None):
    return [o for o in pdf.objects if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == subtype]


def test_paints_are_chosen_in_their_own_space():
    """CMYK, grey and RGB inks have their device operators, for fills and strokes alike."""
    both = Shape(box(0, 0, 9, 9), fill=RED, stroke=GREY, width=1)
    said = operators(both, block(1, 1, 2, 2, "#203040"))
    assert [line for line in said if line.split()[-1] in ("k", "K", "g", "G", "rg", "RG")] == ["0 1 0.9 0 k", "0.4 G", "0.125 0.188 0.251 rg"]  # fmt: skip


def test_a_spot_ink_is_a_separation():
    pdf = pikepdf.open(io.BytesIO(printed(block(0, 0, 9, 9, GOLD), Shape("M 0 0 L 9 9", stroke=GOLD, width=1))))
    (form,) = (o for o in pdf.pages[0].Resources.XObject.values() if o.Subtype == "/Form")
    (space,) = form.Resources.ColorSpace.values()
    assert [str(part) for part in space[:3]] == ["/Separation", "/DIC 156", "/DeviceCMYK"]
    assert [float(value) for value in space[3].C1] == [0.1, 0.3, 0.8, 0]
    assert [float(value) for value in space[3].C0] == [0, 0, 0, 0]
    chosen = [line for line in spelled_out(form) if line.split()[-1] in ("cs", "CS", "scn", "SCN")]
    assert chosen == ["DIC 156 cs", "1 scn", "DIC 156 CS", "1 SCN"]
    pdf.close()


def test_a_spot_ink_has_one_plate():
    tint = block(9, 0, 9, 9, "#c0a040")._replace(role="frame")
    pdf = pikepdf.open(io.BytesIO(printed(block(0, 0, 9, 9, GOLD), tint, words("x", paint=GOLD))))
    plates = [o for o in pdf.objects if isinstance(o, pikepdf.Array) and o[0] == "/Separation"]
    (form,) = (o for o in pdf.pages[0].Resources.XObject.values() if o.Subtype == "/Form")
    assert len(plates) == 1
    assert [line for line in spelled_out(form) if line.endswith("scn")] == ["1 scn", "0.5 scn", "1 scn"]
    pdf.close()


def state_at(lines, operator):
    """The overprint in force at each use of an operator."""
    now, found, saved = "nothing said", [], []
    for line in lines:
        if line.endswith("gs"):
            now = line
        elif line == "q":
            saved.append(now)
        elif line == "Q":
            now = saved.pop()
        elif line.split()[-1] == operator:
            found.append(now)
    return found


def test_small_black_type_and_thin_black_lines_overprint():
    """Type up to 24 points and lines up to 1 mm in ink leave the plates below alone; larger ones and areas do not."""
    thin, thick = (Shape("M 0 0 L 9 9", stroke="ink", width=width) for width in (1.0, 1.1))
    said = operators(words("a", size=24), words("b", size=25), thin, thick, block(0, 0, 9, 9, "ink"))
    assert state_at(said, "Tj") + state_at(said, "TJ") == ["over 1 1 gs", "over 0 0 gs"]
    assert state_at(said, "S") == ["over 1 0 gs", "over 0 0 gs"]
    assert state_at(said, "f") == ["over 0 0 gs"]


def test_a_black_edge_overprints_its_own_fill_alone():
    said = operators(Shape(box(0, 0, 9, 9), fill=RED, stroke="ink", width=0.3))
    assert state_at(said, "B") == ["over 1 0 gs"]


def test_only_ink_overprints():
    """Colours, spot inks, gradients and pictures knock out, whatever was drawn before them."""
    line = Shape("M 0 0 L 9 9", stroke="ink", width=0.3)
    fade = Shape(box(0, 0, 4, 4), fill=Gradient("linear", (0, 0, 4, 0), ((0, RED), (1, "ink"))))
    said = operators(line, block(0, 0, 1, 1, RED), line, block(0, 0, 1, 1, GOLD), line, fade, words("x", paint=RED))
    assert state_at(said, "f") == ["over 0 0 gs"] * 2
    assert state_at(said, "sh") == ["over 0 0 gs"]
    assert state_at(said, "Tj") == ["over 0 0 gs"]


def test_pictures_knock_out(tmp_path):
    art = picture(quarters(), tmp_path, "q.png")
    said = operators(words("a"), art)
    assert state_at(said, "Do") == ["over 0 0 gs"]


def test_symbols_and_groups_say_for_themselves_whether_they_overprint():
    inside = symbol(block(0, 0, 1, 1, RED), name="icon:y")
    line = Shape("M 0 0 L 9 9", stroke="ink", width=0.3)
    group = Group((block(0, 0, 1, 1, RED),), matrix=(1, 0, 0, 1, 5, 5))
    data = printed(line, PlacedSymbol(inside, (1, 0, 0, 1, 0, 0)), group, line)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        forms = {len(spelled_out(form)): spelled_out(form) for form in objects(pdf, "/Form")}
        small, large = forms[min(forms)], forms[max(forms)]
        assert state_at(small, "f") == ["over 0 0 gs"]
        assert state_at(large, "S") == ["over 1 0 gs"] * 2
        assert state_at(large, "f") == ["over 0 0 gs"]


@pytest.mark.parametrize(
    ("stops", "space", "first", "last"),
    [
        ((RED, "ink"), "/DeviceCMYK", [0, 1, 0.9, 0], [0, 0, 0, 1]),
        ((GOLD, RED), "/DeviceCMYK", [0.1, 0.3, 0.8, 0], [0, 1, 0.9, 0]),
        (("#c0a040", RED), "/DeviceCMYK", [0.05, 0.15, 0.4, 0], [0, 1, 0.9, 0]),
        ((GREY, RED), "/DeviceCMYK", [0, 0, 0, 0.6], [0, 1, 0.9, 0]),
        ((GREY, GREY), "/DeviceGray", [0.4], [0.4]),
        (("#203040", RED), "/DeviceCMYK", [0.126, 0.063, 0, 0.749], [0, 1, 0.9, 0]),
    ],
)
def test_gradients_run_between_inks(stops, space, first, last):
    fade = Gradient("linear", (0, 0, 4, 0), tuple(enumerate(stops)))
    with pikepdf.open(io.BytesIO(printed(Shape(box(0, 0, 4, 4), fill=fade)))) as pdf:
        (shading,) = (o for o in pdf.objects if isinstance(o, pikepdf.Dictionary) and "/ShadingType" in o)
        assert str(shading.ColorSpace) == space
        assert [float(value) for value in shading.Function.C0] == pytest.approx(first, abs=0.001)
        assert [float(value) for value in shading.Function.C1] == pytest.approx(last, abs=0.001)


def images(*items, press=None):
    """The images of a PDF with these items."""
    with pikepdf.open(io.BytesIO(printed(*items, press=press))) as pdf:
        found = []
        for each in objects(pdf, "/Image"):
            masked = "/SMask" in each
            if masked:
                del each["/SMask"]
            seen = pikepdf.PdfImage(each).as_pil_image()
            found.append((str(each.ColorSpace), str(each.Filter), masked, seen))
        return found


def test_a_bitmap_is_converted_once(tmp_path):
    art, press = picture(quarters(), tmp_path, "q.png"), Press()
    ((space, packing, masked, seen),) = images(art, art._replace(x=5), press=press)
    assert (space, packing, masked) == ("/DeviceCMYK", "/FlateDecode", False)
    assert (seen.mode, seen.tobytes()) == ("CMYK", b"\xff\0\0\0" * 4)
    (given,) = press.bitmaps
    assert (given.space, given.width, given.height, given.name) == ("rgb", 2, 2, "q.png")
    assert given.pixels == quarters().tobytes()


def test_a_converted_jpeg_stays_a_jpeg_and_no_negative(tmp_path):
    art = picture(Image.effect_noise((64, 64), 40).convert("RGB"), tmp_path, "n.jpg", quality=90)
    ((space, packing, _, _),) = images(art)
    assert (space, packing) == ("/DeviceCMYK", "/DCTDecode")
    red, _, blue = render_page(printed(art._replace(width=40, height=40)), 0, 25.4).getpixel((20, 20))
    assert red < 60
    assert blue > 150


def test_a_jpeg_that_needs_no_change_goes_in_as_it_is(tmp_path):
    art = picture(Image.effect_noise((64, 64), 40), tmp_path, "g.jpg", quality=90)
    with pikepdf.open(io.BytesIO(printed(art))) as pdf:
        (image,) = objects(pdf, "/Image")
        assert image.read_raw_bytes() == Path(art.source).read_bytes()


def test_transparency_is_kept_as_a_mask(tmp_path):
    art = Image.new("RGBA", (2, 1), (255, 0, 0, 255))
    art.putpixel((0, 0), (255, 0, 0, 7))
    press = Press()
    found = images(picture(art, tmp_path, "a.png"), press=press)
    assert press.bitmaps[0].alpha == bytes((7, 255))
    assert sorted((space, masked) for space, _, masked, _ in found) == [("/DeviceCMYK", True), ("/DeviceGray", False)]


def test_inks_are_told_the_role():
    press = Press()
    fade = Gradient("linear", (0, 0, 4, 0), ((0, RED), (1, "ink")))
    ground = block(0, 0, 1, 1)._replace(role="ground")
    printed(words("a", role="stamp"), ground, ground._replace(fill=fade, role="frame"), press=press)
    assert press.asked == [("ink", "stamp"), (RED, "ground"), (RED, "frame"), ("ink", "frame")]


def test_screen_colours_know_no_plates():
    out = io.BytesIO()
    write_pdf(document(sheet(*twice(face(words("a"), block(0, 0, 1, 1))))), BOOK, palette, Path, out)
    with pikepdf.open(io.BytesIO(out.getvalue())) as pdf:
        (form,) = objects(pdf, "/Form")
        assert "/ExtGState" not in form.Resources
        assert "/ColorSpace" not in form.Resources
        assert {line.split()[-1] for line in spelled_out(form)}.isdisjoint({"k", "K", "cs", "CS", "gs"})
