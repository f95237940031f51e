"""Cut-out pictures in files that know no transparency: mixed with what lies below them, as they look elsewhere."""

import hashlib
import io
import subprocess
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest import Pnp, Tool
from PIL import Image, ImageChops, ImageDraw, ImageFilter
from press_samples import BOOK, PALETTE, block, game, operators, printed, screen_only, words
from tests_support import TinyProject

from generator.base.colour import Inks, Rgb, rgb_from_hex
from generator.base.display_list import Drawing, Gradient, Group, Item, Mask, Picture, PlacedSymbol, Shape, Symbol
from generator.base.geometry import IDENTITY, Rect, Size
from generator.base.outlines import rectangle_path
from generator.drawing.pdf.document import write_pdf
from generator.drawing.pdf.page_images import render_items_png, render_page
from generator.game.print_pages import Document, Page, Placement
from generator.production.preflight.preflight import find_pdfx_faults
from generator.production.preflight.stream_state import find_most_ink
from generator.production.press_colour import PressInks
from generator.production.transparency import Flattening, blend_on_screen

Shown = tuple[int, int, int, int]

FACE = Rect(0, 0, 60, 90)

TEMPLATE = """\
<svg xmlns="http://www.w3.org/2000/svg">
  <defs>
    <linearGradient id="sky" x1="0" y1="0" x2="1" y2="1">
      <stop offset="0" stop-color="#1040c0"/><stop offset="1" stop-color="#e0d020"/>
    </linearGradient>
    <g id="turned"><image href="cut.png" width="20" height="20"/></g>
  </defs>
  <rect x="-3" y="-3" width="46" height="66" fill="url(#sky)" data-role="ground"/>
  <text x="3" y="12" font-family="body" font-size="12pt" fill="#801020">Below the picture</text>
  <text x="3" y="30" font-family="body" font-size="30pt" fill="#ffffff">WHITE</text>
  <path d="M0 35 L40 5" stroke="red" stroke-width="0.5"/>
  <image href="cut.png" x="5" y="5" width="30" height="30"/>
  <g transform="rotate(30 20 48)"><use href="#turned" x="12" y="38"/></g>
  <image href="cut.png" x="-3" y="45" width="15" height="15"/>
</svg>
"""


def cut_out(pixels: int = 240) -> Image.Image:
    """A disc with a soft shadow on nothing."""
    image = Image.new("RGBA", (pixels, pixels), (0, 0, 0, 0))
    at = [pixels * part // 100 for part in (15, 85, 10, 97, 30, 50)]
    ImageDraw.Draw(image).ellipse((at[0], at[0], at[1], at[1]), fill=(220, 120, 40, 255))
    ImageDraw.Draw(image).ellipse((at[4], at[4], at[5], at[5]), fill=(30, 60, 160, 255))
    shadow = Image.new("L", image.size, 0)
    ImageDraw.Draw(shadow).ellipse((at[2], at[2], at[3], at[3]), fill=150)
    below = Image.new("RGBA", image.size, (0, 0, 0, 255))
    below.putalpha(shadow.filter(ImageFilter.GaussianBlur(pixels / 20)))
    return Image.alpha_composite(below, image)


def picture(folder: Path, image: Image.Image, x: float, y: float, width: float, height: float) -> Picture:
    """A picture file and its place on a face."""
    data = io.BytesIO()
    image.save(data, format="PNG")
    asset = hashlib.sha256(data.getvalue()).hexdigest()
    (folder / f"{asset}.png").write_bytes(data.getvalue())
    return Picture(asset, str(folder / f"{asset}.png"), x, y, width, height)


def plain(colour: Shown, width: int = 4, height: int = 4) -> Image.Image:
    """A picture of one colour, and nothing in its left half."""
    image = Image.new("RGBA", (width, height), colour)
    image.paste((0, 0, 0, 0), (0, 0, width // 2, height))
    return image


def test_a_group_that_is_painted_as_one_is_mixed_with_what_lies_below() -> None:
    """Half of a square over a ground becomes an opaque picture, without transparency in the file."""
    half = Group((Shape(rectangle_path(Rect(10, 10, 20, 20)), "#000000"),), opacity=0.5)
    made, flattening = flat(block(0, 0, 60, 90, "jade"), half)
    text = b"".join([thing.unparse(resolved=True) for thing in made.objects])
    assert b"/SMask" not in text
    assert b"/Transparency" not in text
    assert len(flattening.made) == 1


def write(document: Document, out: Any, inks: Inks) -> None:
    write_pdf(document, BOOK, screen_only, Path, out, inks)


def as_pixels(items: tuple[Item, ...], box: Rect, scale: float) -> Image.Image:
    return render_items_png(items, box, scale, BOOK, on_screen, Path)


def on_screen(paint: str) -> Rgb:
    """A colour of the palette, or one by its numbers, on a screen."""
    return rgb_from_hex(paint if paint.startswith("#") else PALETTE[paint].srgb)


def flat(*items: Item, inks: PressInks | None = None) -> tuple[pikepdf.Pdf, Flattening]:
    """The file of a face without transparency, and how it was made."""
    press = inks or PressInks(game())
    flattening, out = Flattening(write, press, as_pixels), io.BytesIO()
    placed = Placement("x#1", Drawing(60, 90, 0, items, "en", ""), FACE, FACE)
    document = flattening.flatten_document(Document("Sample", "en", (Page(Size(60, 90), "front", 1, (placed,)),)))
    write_pdf(document, BOOK, screen_only, Path, out, press, flattening.made)
    return pikepdf.open(out), flattening


def images(made: pikepdf.Pdf) -> list[pikepdf.Stream]:
    found = [o for o in made.objects if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Image"]
    return [image for image in found if "/ImageMask" not in image]


def percent(image: pikepdf.Stream, x: int, y: int) -> list[int]:
    return [round(value / 2.55) for value in pikepdf.PdfImage(image).as_pil_image(apply_mask=False).getpixel((x, y))]


def ordered(tiny: TinyProject, pnp: Pnp, standard: str) -> Path:
    """The shop file of the tiny game with the template above, whose shop keeps or knows no transparency."""
    tiny.write("templates/tiny/card.svg", TEMPLATE)
    cut_out().save(tiny.root / "templates/tiny/cut.png")
    ran = pnp("shop", "--preset", "mb-print", "--standard", standard, "--out", standard, "--copies", "1")
    assert "white" not in ran.err
    return tiny.root / next(line for line in ran.out.splitlines() if line.endswith(".pdf"))


def differences(one: Image.Image, other: Image.Image) -> tuple[float, float]:
    """The mean difference of two pictures in levels, and the share of pixels that differ by more than 40."""
    assert one.size == other.size
    counts = ImageChops.difference(one.convert("RGB"), other.convert("RGB")).convert("L").histogram()
    total = sum(counts)
    return sum(level * count for level, count in enumerate(counts)) / total, sum(counts[40:]) / total


@pytest.fixture
def shop(tiny: TinyProject) -> TinyProject:
    """The tiny game at a shop that takes its size."""
    preset = (Path(__file__).parents[2] / "presets" / "mb-print.yaml").read_text("utf-8")
    tiny.write("presets/mb-print.yaml", preset.replace("us-poker", "[40, 60]"))
    return tiny


def test_a_cut_out_looks_the_same_with_and_without_transparency(shop: TinyProject, pnp: Pnp) -> None:
    """On a gradient, type and lines, straight and askew, over the edge: X-1a shows what X-4 shows, and no white."""
    clear, opaque = (ordered(shop, pnp, standard) for standard in ("pdfx4", "pdfx1a"))
    with pikepdf.open(opaque) as made:
        assert not [o for o in made.objects if isinstance(o, pikepdf.Stream) and "/SMask" in o]
    seen = [render_page(path, 0, 200) for path in (clear, opaque)]
    mean, off = differences(*seen)
    assert find_pdfx_faults(opaque.read_bytes(), "pdfx1a") == ()
    assert mean < 2.5  # PDFium mixes in red, green and blue what a press mixes in inks
    assert off < 0.005


def check_plates(items: tuple[Item, ...], room: Path, gs: str, most: float, most_off: float) -> None:
    """Each plate of the flat file is that of the transparent one, but for so much on average and for so many pixels."""
    made, out = flat(*items)[0], io.BytesIO()
    made.save(out)
    flattened = separated(out.getvalue(), room / "flat", gs)
    clear = separated(printed(PressInks(game()), *items), room / "clear", gs)
    for name in ("Cyan", "Magenta", "Yellow", "Black"):
        mean, off = differences(flattened[name], clear[name])
        assert mean < most, name
        assert off < most_off, name


@pytest.mark.slow
def test_ghostscript_makes_the_same_plates_with_and_without_transparency(tool: Tool, tmp_path: Path) -> None:
    """An independent separator finds on each plate of a flat file what it finds on that of a transparent one."""
    fade = Gradient("linear", (0, 0, 20, 20), ((0, "jade"), (1, "red")))
    ground = Shape(rectangle_path(Rect(0, 0, 24, 24)), fill=fade)
    lines = (words("below", 1, 8), Shape("M 0 20 L 20 0", stroke="ink", width=0.6))
    turned = Group((picture(tmp_path, cut_out(80), 0, 0, 8, 8),), (0.8, 0.6, -0.6, 0.8, 14.0, 10.0))
    items = (ground, *lines, picture(tmp_path, cut_out(80), 2, 2, 10, 12), turned)
    check_plates(items, tmp_path, tool("gs"), 0.2, 0.001)


@pytest.mark.slow
def test_ghostscript_makes_the_same_plates_of_effects(tool: Tool, tmp_path: Path) -> None:
    """Opacity, masks and multiplying: named inks and black stay what they are, and are mixed plate by plate."""
    fade = Gradient("linear", (0, 0, 24, 0), ((0, "#000000"), (1, "#ffffff")))
    shown = Mask((Shape(rectangle_path(Rect(0, 0, 24, 24)), fill=fade),))
    items = (
        Shape(rectangle_path(Rect(0, 0, 24, 24)), fill="jade"),
        words("below", 1, 8),
        Group((block(2, 2, 8, 8, "red"), block(6, 6, 8, 8, "ink")), opacity=0.5),
        Group((block(4, 12, 16, 4, "ink"),), mask=shown),
        Group((block(14, 2, 8, 8, "red"),), (0.9, 0.1, -0.1, 0.9, 1.0, 0.0), blend="multiply"),
        Group((Group((block(2, 17, 16, 4, "jade"),), blend="multiply"), words("half", 4, 20)), opacity=0.7),
    )
    check_plates(items, tmp_path, tool("gs"), 0.5, 0.002)


def test_black_stays_black_alone_where_it_shines_through() -> None:
    """Half of black type and areas, on paper and on a tint of black, has no other ink."""
    made, _ = flat(
        block(0, 0, 60, 90, "ink"), Group((block(10, 10, 20, 20, "ink"), words("word", 12, 20)), opacity=0.5)
    )
    paper, _ = flat(Group((block(10, 10, 20, 20, "ink"),), opacity=0.5))
    assert percent(images(made)[0], 9, 9) == [0, 0, 0, 100]
    assert percent(images(paper)[0], 9, 9) == [0, 0, 0, 50]


def test_screening_is_done_in_the_colours_of_a_screen() -> None:
    """On a press black has a plate of its own, and screening plate by plate would make it white: it makes it lighter."""
    items = (block(0, 0, 60, 90, "ink"), Group((block(10, 10, 20, 20, "red"),), blend="screen"))
    made, _ = flat(*items)
    out = io.BytesIO()
    made.save(out)
    seen, wanted = render_page(out.getvalue(), 0, 72), [round(255 * part) for part in on_screen("red")]
    assert max(abs(a - b) for a, b in zip(seen.getpixel((60, 60)), wanted, strict=True)) < 40
    plain = items[:1]
    assert blend_on_screen(plain, IDENTITY, as_pixels) is plain


EFFECTS = """\
<svg xmlns="http://www.w3.org/2000/svg">
  <defs>
    <linearGradient id="sky" x1="0" y1="0" x2="1" y2="1">
      <stop offset="0" stop-color="#3080a0"/><stop offset="1" stop-color="#e0d8a0"/>
    </linearGradient>
    <linearGradient id="light"><stop stop-color="#ffffff"/><stop offset="1" stop-color="#000000"/></linearGradient>
    <mask id="fade"><rect x="3" y="3" width="16" height="16" fill="url(#light)"/></mask>
    <pattern id="dots" width="2" height="2" patternUnits="userSpaceOnUse">
      <circle cx="1" cy="1" r="0.6" fill="#802020"/></pattern>
  </defs>
  <rect x="-3" y="-3" width="46" height="66" fill="url(#sky)" data-role="ground"/>
  <rect x="3" y="3" width="16" height="16" fill="red" mask="url(#fade)"/>
  <rect x="22" y="3" width="15" height="16" fill="url(#dots)" opacity="0.6"/>
  <rect x="5" y="24" width="30" height="12" fill="#ffffff" shadow="0.5mm 0.5mm 1.5mm ink 60%"/>
  <circle cx="12" cy="45" r="5" fill="#d0a030" mix-blend-mode="multiply"/>
  <circle cx="18" cy="45" r="5" fill="#602020" mix-blend-mode="screen"/>
  <image href="cut.png" x="22" y="38" width="15" height="15"/>
  <text x="20" y="32" text-anchor="middle" font-family="body" font-size="12pt" fill="ink" stroke="#ffffff"
    stroke-width="0.6" paint-order="stroke">On top</text>
</svg>
"""


@pytest.mark.slow
def test_effects_look_the_same_on_all_ways_to_paper(shop: TinyProject, pnp: Pnp, tool: Tool) -> None:
    """Shadow, mask, opacity and a cut-out on a coloured ground: X-1a shows what X-4 does, and both what a screen does.

    Three programs render them; type that lies on top is type in all files, and both pass our preflight.
    """
    shop.write("templates/tiny/card.svg", EFFECTS)
    cut_out().save(shop.root / "templates/tiny/cut.png")
    files = {}
    for standard in ("pdfx4", "pdfx1a"):
        ran = pnp("shop", "--preset", "mb-print", "--standard", standard, "--out", standard, "--copies", "1")
        files[standard] = shop.root / next(line for line in ran.out.splitlines() if line.endswith(".pdf"))
        assert find_pdfx_faults(files[standard].read_bytes(), standard) == ()  # type: ignore[arg-type]
        assert "no errors" in pnp("preflight", str(files[standard])).out
        with pikepdf.open(files[standard]) as made:
            assert any(o.get("/Type") == "/Font" for o in made.objects if isinstance(o, pikepdf.Dictionary))
    seen = {name: render_page(path, 0, 150) for name, path in files.items()}
    mean, off = differences(seen["pdfx4"], seen["pdfx1a"])
    assert mean < 6
    assert off < 0.02
    for command in (
        [tool("gs"), "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=png16m", "-r150", "-dLastPage=1", "-sOutputFile={out}"],
        [tool("pdftoppm"), "-r", "150", "-png", "-singlefile"],
    ):
        shown = []
        for name, path in files.items():
            out = shop.root / f"{Path(command[0]).name}-{name}"
            last = [str(path)] if "gs" in Path(command[0]).name else [str(path), str(out)]
            subprocess.run([part.format(out=f"{out}.png") for part in command] + last, check=True, capture_output=True)
            shown.append(Image.open(f"{out}.png"))
        mean, off = differences(*shown)
        assert mean < 6
        assert off < 0.02


def separated(pdf: bytes, room: Path, gs: str) -> dict[str, Image.Image]:
    """The plates of a page by name, small enough that no edge counts."""
    room.mkdir()
    (room / "x.pdf").write_bytes(pdf)
    command = [gs, "-q", "-dBATCH", "-dNOPAUSE", "-dPDFSTOPONWARNING", "-sDEVICE=tiffsep", "-r300"]
    subprocess.run([*command, f"-sOutputFile={room / 'page.tif'}", room / "x.pdf"], check=True, capture_output=True)
    found = {}
    for path in room.glob("*(*).tif"):
        with Image.open(path) as plate:
            found[path.stem.partition("(")[2][:-1]] = plate.convert("L").reduce(6)
    return found


def test_one_picture_on_two_grounds_becomes_two(tmp_path: Path) -> None:
    """What lies below decides: two colours give two pictures, and the same colour twice gives one."""
    half = picture(tmp_path, Image.new("RGBA", (2, 2), (255, 255, 255, 128)), 0, 0, 10, 10)
    symbol = Symbol("art/half.svg", (half,), (0, 0, 10, 10))
    spots = [(1.0, 0.0, 0.0, 1.0, 5.0, 5.0 + 20 * at) for at in range(3)]
    grounds = [block(5, 5, 10, 10, "jade"), block(5, 25, 10, 10, "red"), block(5, 45, 10, 10, "jade")]
    made, _ = flat(*grounds, *(PlacedSymbol(symbol, spot) for spot in spots))
    assert len(images(made)) == 2
    jade = PressInks(game()).ink("jade", "art").values
    assert percent(images(made)[0], 1, 1) == pytest.approx([50 * value for value in jade], abs=1)


def test_what_a_picture_hides_nothing_of_stays_as_it_is(tmp_path: Path) -> None:
    """Where a picture shows nothing it isn't there: what lies below is the type that it was, to the pixel."""
    items = (block(0, 0, 60, 90, "jade"), words("below", 5, 10))
    art = picture(tmp_path, plain((255, 0, 0, 255)), 0, 0, 40, 20)
    made, _ = flat(*items, art)
    (image,) = images(made)
    assert (int(image.Width), int(image.Height)) == (2, 4)  # no more than what shows, in its own pixels
    out = io.BytesIO()
    made.save(out)
    whole, without = (render_page(pdf, 0, 100) for pdf in (out.getvalue(), printed(PressInks(game()), *items)))
    left = (0, 0, whole.width // 3, whole.height)
    assert whole.crop(left).tobytes() == without.crop(left).tobytes()


def test_a_stencil_has_a_bit_for_each_pixel(tmp_path: Path) -> None:
    """Holes inside a picture are stencilled: one bit a pixel, nothing soft."""
    art = Image.new("RGBA", (3, 3), (255, 0, 0, 255))
    art.putpixel((1, 1), (9, 9, 9, 0))
    made, _ = flat(block(0, 0, 60, 90, "jade"), picture(tmp_path, art, 0, 0, 30, 30))
    (image,) = images(made)
    assert image.Mask.read_bytes() == bytes((0, 0b010_00000, 0))
    assert (bool(image.Mask.ImageMask), int(image.Mask.BitsPerComponent), "/SMask" in image) == (True, 1, False)


def test_black_type_below_a_shadow_keeps_the_ground_below_it(tmp_path: Path) -> None:
    """Black that overprints has the ground's inks below it in the mixed picture too, larger black has none."""
    soft = picture(tmp_path, Image.new("RGBA", (2, 2), (255, 255, 255, 1)), 5, 5, 10, 20)
    over = Shape("M 5 10 L 15 10", stroke="ink", width=1.0)
    made, _ = flat(block(0, 0, 60, 90, "jade"), over, block(5, 15, 10, 10, "ink"), soft)
    (image,) = images(made)
    line, area = (percent(image, image.Width // 2, int(image.Height * part)) for part in (0.25, 0.75))
    assert line == pytest.approx([85, 30, 65, 100], abs=2)
    assert area == pytest.approx([0, 0, 0, 100], abs=2)


def test_a_black_shadow_darkens_the_ground_and_takes_no_colour_from_it(tmp_path: Path) -> None:
    """Half black over a colour adds black to its inks; half grey, which is lighter than black, is mixed with them."""
    shadow = picture(tmp_path, plain((0, 0, 0, 128)), 5, 5, 10, 20)
    grey = picture(tmp_path, plain((128, 128, 128, 128)), 5, 5, 10, 20)
    files = [flat(block(0, 0, 60, 90, "jade"), soft)[0] for soft in (shadow, grey)]
    (one,), (other,) = (images(made) for made in files)
    (cyan, magenta, yellow, black), mixed = (percent(each, each.Width - 2, each.Height // 2) for each in (one, other))
    assert [cyan, magenta, yellow] == pytest.approx([85, 30, 65], abs=2)
    assert black > 55
    assert mixed[0] == pytest.approx(85 / 2, abs=2)


def test_everything_below_counts(tmp_path: Path) -> None:
    """Gradients, other pictures, clear ones too, and spot inks by their process colours are mixed in."""
    fade = Gradient("linear", (0, 0, 6, 0), ((0, "#ffffff"), (1, "ink")))
    ground = Shape(rectangle_path(Rect(0, 0, 6, 3)), fill=fade)
    photo = picture(tmp_path, Image.new("RGB", (2, 2), (192, 32, 32)), 0, 3, 6, 2)
    veil = picture(tmp_path, Image.new("RGBA", (2, 2), (255, 255, 255, 128)), 0, 3, 6, 2)
    whole = picture(tmp_path, Image.new("RGBA", (2, 2), (255, 255, 255, 1)), 0, 0, 6, 9)
    made, _ = flat(ground, photo, veil, block(0, 5, 6, 4, "gold"), whole)
    last = max(images(made), key=lambda image: int(image.Height))
    middle = [percent(last, last.Width // 2, int(last.Height * y / 9)) for y in (1.5, 4, 7)]
    red = [50 * value for value in PressInks(game()).ink("red", "art").values]

    assert middle[0] == pytest.approx([0, 0, 0, 50], abs=2)
    assert middle[1] == pytest.approx(red, abs=2)
    assert middle[2] == pytest.approx([20, 35, 80, 10], abs=2)


def test_what_nobody_sees_is_left_out(tmp_path: Path) -> None:
    """A picture beyond the face, outside its group's clip or squeezed to nothing is not in the file."""
    art = plain((255, 0, 0, 255))
    beyond = picture(tmp_path, art, 70, 0, 10, 10)
    clipped = Group((picture(tmp_path, art, 20, 0, 10, 10),), clip=rectangle_path(Rect(0, 0, 5, 5)))
    squeezed = Group((picture(tmp_path, art, 5, 5, 10, 10),), matrix=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    nothing = picture(tmp_path, Image.new("RGBA", (2, 2), (0, 0, 0, 0)), 0, 0, 10, 10)
    made, flattening = flat(block(0, 0, 60, 90, "jade"), beyond, clipped, squeezed, nothing)
    assert images(made) == []
    assert not flattening.made


@pytest.mark.parametrize(
    "matrix", [(0.0, 1.0, -1.0, 0.0, 40.0, 5.0), (-1.0, 0.0, 0.0, 1.0, 50.0, 5.0), (0.8, 0.6, -0.6, 0.8, 30.0, 5.0)]
)
def test_turned_and_mirrored_pictures_lie_where_they_lay(matrix: Any, tmp_path: Path) -> None:
    """In a group that turns, mirrors or tilts it, a picture covers what it covered before."""
    art = picture(tmp_path, cut_out(120), 2, 2, 20, 30)
    items = (block(0, 0, 60, 90, "jade"), Group((words("in a group", 0, 10), art), matrix))
    made, _ = flat(*items)
    out = io.BytesIO()
    made.save(out)
    seen = [render_page(pdf, 0, 150) for pdf in (out.getvalue(), printed(PressInks(game()), *items))]
    assert differences(*seen)[1] < 0.003
    (image,) = images(made)
    assert any(line.endswith(" Do") for line in operators(out.getvalue()))
    assert "/SMask" not in image


def test_mixtures_keep_to_the_ink_limit(tmp_path: Path) -> None:
    """However heavy what lies below, no pixel takes more than the paper can."""
    inks = PressInks(game(), limit=200)
    veil = picture(tmp_path, Image.new("RGBA", (2, 2), (10, 40, 30, 128)), 5, 5, 10, 20)
    over = Shape("M 5 10 L 15 10", stroke="ink", width=1.0)
    made, _ = flat(block(0, 0, 60, 90, "jade"), over, veil, inks=inks)
    most, _ = find_most_ink(images(made)[0])
    assert 150 < most <= 200  # as preflight reads it, which no stencil keeps from looking


def test_preflight_reads_the_inks_of_a_picture_with_a_stencil(tmp_path: Path) -> None:
    """A stencil or soft mask doesn't hide how much ink a picture takes."""
    art = Image.new("RGBA", (3, 3), (11, 39, 29, 255))
    art.putpixel((1, 1), (9, 9, 9, 0))
    made, _ = flat(picture(tmp_path, art, 0, 0, 30, 30))
    soft = pikepdf.open(io.BytesIO(printed(PressInks(game()), picture(tmp_path, art, 0, 0, 30, 30))))
    found = [find_most_ink(image)[0] for image in (*images(made), *images(soft)) if image.ColorSpace == "/DeviceCMYK"]
    assert len(found) == 2
    assert min(found) > 250


def test_what_is_opaque_already_is_left_alone(tmp_path: Path) -> None:
    """A face without a transparent picture is the same object, so its bytes stay as they were."""
    face = Drawing(60, 90, 0, (picture(tmp_path, Image.new("RGBA", (2, 2), (9, 9, 9, 255)), 0, 0, 9, 9),), "en", "")
    assert Flattening(write, PressInks(game()), as_pixels).flatten_drawing(face) is face


def test_the_same_cut_outs_give_the_same_bytes(tmp_path: Path) -> None:
    """Mixing depends on nothing but the face and the press."""
    art = picture(tmp_path, cut_out(60), 2, 2, 5, 5)
    found = [list(flat(block(0, 0, 60, 90, "jade"), words("x", 2, 5), art)[1].made.items()) for _ in range(2)]
    assert found[0] == found[1] != []
