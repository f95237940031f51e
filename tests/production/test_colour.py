"""Colours for printing: what a press and a black printer are given for each paint and picture."""

import hashlib
import io
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pikepdf
import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageCms
from press_samples import FOGRA39, PALETTE, SCREEN_OPERATORS, block, game, operators, printed, spaces, words
from shipped_games import SWEPT
from tests_support import examples

from generator.base.colour import REGISTRATION, Bitmap, Ink, grey_from_rgb
from generator.base.display_list import Gradient, Picture, Role
from generator.base.errors import ProblemsFound
from generator.base.files import Resources
from generator.base.geometry import Rect, Size
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.pdf.pdf_pictures import GreyInks
from generator.game.load_game import load_game
from generator.game.model import Colour
from generator.game.print_pages import Document, Page, Placement
from generator.production.press_colour import PressInks, limit_bitmap, limit_inks, measure_coverage

COLOURS = st.from_regex(r"\A#[0-9a-f]{6}\Z")
INKS = st.tuples(*[st.floats(0, 1)] * 4)
PRESS = PressInks(game())


def plates(ink: Ink) -> float:
    """How much ink lies on one spot, in percent: 400 for four solid plates."""
    return 100 * ((1 - ink.values[0]) if ink.space == "gray" else sum(ink.values))


def littlecms(*colours):
    """What LittleCMS itself says of some colours, relative colorimetric with black point compensation."""
    transform = ImageCms.buildTransform(
        ImageCms.createProfile("sRGB"),
        str(FOGRA39),
        "RGB",
        "CMYK",
        ImageCms.Intent.RELATIVE_COLORIMETRIC,
        ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )
    row = Image.frombytes("RGB", (len(colours), 1), b"".join(bytes.fromhex(colour[1:]) for colour in colours))
    done = ImageCms.applyTransform(row, transform)
    return [tuple(value / 255 for value in done.getpixel((at, 0))) for at in range(len(colours))]


def process(ink):
    return ink.alternate if ink.space == "spot" else ink.values


@pytest.mark.parametrize("kind", ["fonts", "profiles"])
def test_bundled_files_are_those_of_their_readme(kind):
    """Each font and profile is the unmodified file whose sha256 its README states, and none is missing there."""
    readme = (ROOT / kind / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| `([^`]+)` .*`([0-9a-f]{64})` \|$", readme, re.MULTILINE)
    files = {path.name: path for suffix in ("ttf", "otf", "icc") for path in (ROOT / kind).glob(f"*.{suffix}")}
    assert {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()} == dict(rows)
    assert rows


def test_colours_are_converted_by_the_profile():
    """Paints without inks of their own get what LittleCMS gives, relative colorimetric, black points matched."""
    colours = ["#c02020", "#0b271d", "#12392b", "#ff0000", "#f8f2e3", "#1a3f73"]
    assert [PRESS.ink(colour, "art").values for colour in colours] == littlecms(*colours)
    assert PRESS.ink("red", "art") == Ink("cmyk", littlecms("#c02020")[0])
    assert [round(100 * value) for value in PRESS.ink("#ff0000", "art").values] == [0, 97, 98, 0]


def test_inks_of_the_palette_come_before_the_profile():
    """An entry's own CMYK is printed to the percent, whatever its screen colour is."""
    assert PRESS.ink("jade", "art") == Ink("cmyk", (0.85, 0.3, 0.65, 0.25))


def test_dark_type_takes_fewer_inks_unless_the_palette_states_them():
    """Converted dark type is 200 % at most, black taking over, and black alone where it is hardly coloured.

    Areas, light type and stated inks stay as they are.
    """
    inks = PressInks(
        game(
            moss=Colour("#0b271d"),
            sand=Colour("#e2d5b6"),
            soot=Colour("#211f1e"),
            own=Colour("#0b271d", (90.0, 60.0, 80.0, 60.0)),
        )
    )

    area, type_ = inks.ink("moss", "art").values, inks.ink("moss", "text").values
    assert sum(area) > 2.5
    assert sum(type_) == pytest.approx(2.0)
    assert type_[3] > area[3]
    assert inks.ink("soot", "text").values[:3] == (0, 0, 0)
    assert sum(inks.ink("soot", "art").values[:3]) > 1
    assert inks.ink("sand", "text") == inks.ink("sand", "art")
    assert inks.ink("own", "text").values == pytest.approx((0.9, 0.6, 0.8, 0.6))


def test_ink_is_solid_black_and_may_overprint():
    """`ink` is black alone, solid; it may overprint, and nothing else does."""
    assert PRESS.ink("ink", "text") == Ink("cmyk", (0, 0, 0, 1), overprint=True)
    assert not any(PRESS.ink(paint, "text").overprint for paint in (*PALETTE, "#000000") if paint != "ink")


def test_greys_are_black_ink_alone():
    """Greys use one plate: none of it for white, all of it for black, more for each darker step between."""
    blacks = []
    for level in range(255, -1, -1):
        *colours, black = PRESS.ink(f"#{level:02x}{level:02x}{level:02x}", "art").values
        assert colours == [0, 0, 0]
        blacks.append(black)
    assert (blacks[0], blacks[-1]) == (0, 1)
    assert all(lighter < darker for lighter, darker in pairwise(blacks))


def test_greys_look_as_on_screen():
    """A printed grey is as light, between paper and solid black, as the screen's: by the profile's own account."""
    seen = ImageCms.buildTransform(str(FOGRA39), ImageCms.createProfile("LAB"), "CMYK", "LAB", 1)

    def luminance(black):
        light = ImageCms.applyTransform(Image.new("CMYK", (1, 1), (0, 0, 0, round(255 * black))), seen)
        return ((light.getpixel((0, 0))[0] / 2.55 + 16) / 116) ** 3

    solid = luminance(1)
    for level in (32, 96, 128, 200, 240):
        printed_light = (luminance(PRESS.ink(f"#{level:02x}{level:02x}{level:02x}", "art").values[3]) - solid) / (
            1 - solid
        )
        value = level / 255
        assert printed_light == pytest.approx(((value + 0.055) / 1.055) ** 2.4, abs=0.012)


def test_spot_inks_have_a_plate_or_not():
    """A spot ink is its plate with its process colours beside it; without spots it is these."""
    gold = PRESS.ink("gold", "art")
    neon = PRESS.ink("neon", "art")
    assert gold == Ink("spot", (1.0,), "DIC 156", (0.2, 0.35, 0.8, 0.1))
    assert (neon.spot, neon.alternate) == ("PANTONE 806 C", littlecms("#ff5f8a")[0])
    without = PressInks(game(), spots=False)
    assert without.ink("gold", "art") == without.ink("gold", "text") == Ink("cmyk", (0.2, 0.35, 0.8, 0.1))
    assert [(note.what, note.hint) for note in without.notes] == [
        ("'gold' is printed in the four inks, because the shop has no plate for 'DIC 156'", "to keep it, use your own preset with `spots: true` if the shop prints it"),
    ]  # fmt: skip
    assert not [note for note in PRESS.notes if "DIC 156" in note.what]


def test_registration_is_on_every_plate():
    """Marks in the registration paint are on all plates; the same black on a face is black ink."""
    assert PRESS.ink(REGISTRATION, "mark") == Ink("spot", (1.0,), "All", (1, 1, 1, 1))
    assert PRESS.ink(REGISTRATION, "text") == Ink("cmyk", (0, 0, 0, 1))


@pytest.mark.slow
@given(st.one_of(COLOURS, st.sampled_from(sorted(PALETTE))), st.sampled_from(get_args(Role)), st.floats(100, 400))
@examples(300)
def test_every_paint_is_within_bounds(paint, role, limit):
    """Any paint on anything is between nothing and solid on every plate, and within the limit together."""
    if (paint, role) == (REGISTRATION, "mark"):
        return
    ink = PressInks(game(), limit=limit).ink(paint, role)
    assert len(process(ink)) == 4
    assert all(0 <= value <= 1 for value in process(ink))
    assert 100 * sum(process(ink)) <= limit + 1e-9
    assert plates(ink) <= limit + 1e-9


@given(INKS, st.floats(100, 400))
def test_the_limit_takes_no_more_than_it_must(inks, limit):
    """What is within the limit stays; what is over it comes to it exactly, its black no lighter, colours no darker."""
    done = limit_inks(inks, limit)
    if 100 * sum(inks) <= limit:
        assert done == inks
        return
    assert 100 * sum(done) == pytest.approx(limit)
    assert done[3] >= inks[3]
    assert all(-1e-12 <= after <= before for after, before in zip(done[:3], inks[:3], strict=True))


@given(st.lists(st.tuples(*[st.integers(0, 255)] * 4), min_size=1, max_size=9), st.floats(100, 400))
def test_bitmaps_are_limited_as_paints_are(pixels, limit):
    """Every pixel comes out as a paint of these inks would, rounded down to a step, and none is over the limit."""
    image = Image.frombytes("CMYK", (len(pixels), 1), bytes(value for pixel in pixels for value in pixel))
    done = limit_bitmap(image, limit)
    assert measure_coverage(image) == pytest.approx(max(map(sum, pixels)) / 2.55)
    assert measure_coverage(done) <= limit + 1e-6
    for at, pixel in enumerate(pixels):
        wanted = limit_inks(tuple(value / 255 for value in pixel), limit)
        assert done.getpixel((at, 0)) == pytest.approx([value * 255 for value in wanted], abs=1.001)


def test_stated_inks_over_the_limit_are_problems():
    """An entry whose own CMYK is too much is told with place, name and total, before anything is written."""
    heavy = Colour("#101010", (80.0, 70.0, 70.0, 90.0))
    inks = PressInks(game(heavy=heavy), limit=300)
    assert [str(problem) for problem in inks.problems] == [
        "data/x/look.yaml:9:3: 'heavy' takes 310 % ink, but the press's limit is 300 %; "
        "in `cmyk:`, use more black and less of the other inks"
    ]
    assert plates(inks.ink("heavy", "art")) == pytest.approx(300)
    assert inks.notes == ()
    assert not PressInks(game(heavy=heavy), limit=310).problems


def test_converted_paints_over_the_limit_are_notes():
    """A paint that the profile made too heavy is printed within the limit, and a note says so, once."""
    inks = PressInks(game(), limit=240)
    before = inks.notes
    total = round(100 * sum(littlecms("#0b271d")[0]))
    for role in ("art", "text"):
        inks.ink("night", role)
    assert before == ()
    assert [note.what for note in inks.notes] == [
        f"'night' takes {total} % ink, but the limit is 240 %: pnp replaced colour with black"
    ]
    assert not inks.problems


def test_a_limit_leaves_room_for_black():
    """A limit below solid black is a mistake of the caller."""
    with pytest.raises(ValueError, match="80 %"):
        PressInks(game(), limit=80)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "the file can't be read: No such file or directory"),
        (b"no profile at all", "this is not an ICC colour profile"),
        (b"", "this is not an ICC colour profile"),
        ("sRGB", "this colour profile is for RGB (mntr), not for a press with four inks (prtr)"),
        (FOGRA39.read_bytes()[:3000], "this colour profile is cut short: 3000 of "),
        ((3000).to_bytes(4, "big") + FOGRA39.read_bytes()[4:3000], "this colour profile doesn't say which inks give a colour"),
    ],
)  # fmt: skip
def test_what_is_no_press_profile_is_refused(content, said, tmp_path):
    """A missing file, another file, a screen's profile and a torn one are problems with the file's name."""
    path = tmp_path / "mine.icc"
    if content == "sRGB":
        content = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ProblemsFound) as found:
        PressInks(game(), path)
    (problem,) = found.value.problems
    assert problem.what.startswith(said)
    assert problem.place.file == path.as_posix()
    assert problem.hint


def rgb(*pixels, alpha=b""):
    return Bitmap("rgb", len(pixels), 1, b"".join(bytes(pixel) for pixel in pixels), alpha, "art.png")


def test_pictures_are_converted_as_paints_are():
    """Every pixel of a colour picture has the inks of a paint of its colour."""
    done = PRESS.bitmap(rgb((192, 32, 32), (255, 0, 0)))
    assert (done.space, done.width, done.height) == ("cmyk", 2, 1)
    assert [value / 255 for value in done.pixels] == [v for inks in littlecms("#c02020", "#ff0000") for v in inks]


def test_pictures_without_colour_are_black_ink_alone():
    """A picture in greys, whatever its channels, is one plate with the greys of paints; printed black stays black."""
    for bitmap in (rgb((0, 0, 0), (128,) * 3, (255,) * 3), Bitmap("gray", 3, 1, bytes((0, 128, 255)))):
        done = PRESS.bitmap(bitmap)
        assert done.space == "gray"
        assert [255 - value for value in done.pixels] == pytest.approx(
            [255 * PRESS.ink(colour, "art").values[3] for colour in ("#000000", "#808080", "#ffffff")], abs=0.51
        )


def test_separated_pictures_keep_their_inks():
    """A CMYK picture goes through as it is, but for what is over the limit."""
    bitmap = Bitmap("cmyk", 2, 1, bytes((255, 0, 0, 0, 200, 200, 200, 200)), b"", "art.jpg")
    inks = PressInks(game(), limit=300)
    done = inks.bitmap(bitmap)
    assert PRESS.bitmap(bitmap) == bitmap
    light = bitmap._replace(pixels=bytes((190,) * 8), lossy=True)
    assert inks.bitmap(light) == light  # 298 %: needn't be packed again
    assert done.pixels[:4] == bitmap.pixels[:4]
    assert sum(done.pixels[4:]) <= 765
    assert [str(note) for note in inks.notes] == [
        "art.jpg: it takes 314 % ink, but the limit is 300 %: pnp replaced colour with black"
    ]


@pytest.mark.parametrize("limit", [320, 280, 200])
def test_a_jpeg_stays_within_the_limit_when_packed(limit, tmp_path):
    """What a JPEG's packing adds is reckoned with: no pixel of the file is over the limit, even of noise."""
    dark = [Image.effect_noise((200, 200), 50).point(lambda value: max(0, value - 90)) for _ in range(3)]
    path = tmp_path / "noise.jpg"
    Image.merge("RGB", dark).save(path, quality=95)
    pdf = printed(PressInks(game(), limit=limit), Picture("a", str(path), 0, 0, 60, 60))
    with pikepdf.open(io.BytesIO(pdf)) as read:
        (image,) = (o for o in read.objects if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Image")
        assert (str(image.Filter), str(image.ColorSpace)) == ("/DCTDecode", "/DeviceCMYK")
        unpacked = Image.open(io.BytesIO(image.read_raw_bytes()))
        assert limit - 40 < measure_coverage(unpacked) <= limit


def test_transparency_is_kept():
    """The alpha of a picture goes along as it is."""
    bitmap = rgb((255, 0, 0), (255, 0, 0), alpha=bytes((255, 0)))
    assert PRESS.bitmap(bitmap).alpha == bitmap.alpha


def test_a_black_printer_shows_every_colour_as_light_as_it_is():
    """Greys stay as they are; colours become the grey of their luminance; pictures too, to a step of 255."""
    inks = GreyInks(game())

    assert inks.ink("ink", "text") == Ink("gray", (0.0,))
    assert inks.ink("grey", "art") == Ink("gray", (128 / 255,))
    assert inks.ink("#00ff00", "art").values[0] == pytest.approx(((0.7152 ** (1 / 2.4)) * 1.055) - 0.055)
    assert inks.ink("gold", "art").space == "gray"
    pixels = [(255, 0, 0), (0, 255, 0), (29, 102, 83), (7, 7, 8), (200, 180, 20), (128, 128, 128)]
    done = inks.bitmap(rgb(*pixels))
    assert done.space == "gray"
    assert list(done.pixels) == pytest.approx(
        [255 * grey_from_rgb(tuple(v / 255 for v in pixel)) for pixel in pixels], abs=1.5
    )
    assert inks.bitmap(done) == done


@given(st.tuples(*[st.floats(0, 1)] * 3))
def test_a_grey_is_no_lighter_than_the_lightest_channel(colour):
    """The grey of a colour lies between its darkest and its lightest channel, down to the deepest black."""
    assert min(colour) - 1e-6 <= grey_from_rgb(colour) <= max(colour) + 1e-6


def everything(folder):
    """A face with all that can be painted, in all kinds of paint."""
    photo, logo = folder / "photo.jpg", folder / "logo.png"
    Image.effect_noise((40, 40), 60).convert("RGB").resize((40, 40)).save(photo)
    art = Image.linear_gradient("L").resize((40, 40))
    Image.merge("RGB", (art, art.rotate(90), art.rotate(180))).save(photo, quality=90)
    Image.merge("RGBA", (art, art.rotate(90), art.rotate(180), art)).save(logo)
    pictures = [
        Picture(hashlib.sha256(path.read_bytes()).hexdigest(), str(path), 5, 5 + 25 * at, 20, 20)
        for at, path in enumerate((photo, logo))
    ]
    fade = Gradient("linear", (0, 0, 60, 0), ((0, "red"), (0.5, "gold"), (1, "grey")))
    return (
        block(0, 0, 60, 90, "night")._replace(fill=fade, role="ground"),
        *pictures,
        block(30, 10, 20, 20, "gold", stroke="ink", width=0.3),
        block(30, 40, 20, 20, "jade", stroke="red", width=2.0),
        words("Black", 30, 70),
        words("Red", 30, 80, paint="red"),
    )


def test_nothing_of_a_screen_is_left_on_a_press(tmp_path):
    """A press's file holds no RGB and no device grey but in pictures without colour."""
    pdf = printed(PRESS, *everything(tmp_path), marks=(words("mark", role="mark"),))
    used = {line.split()[-1] for line in operators(pdf)}
    assert not used & SCREEN_OPERATORS
    assert {"k", "K", "scn", "gs", "sh"} <= used
    assert spaces(pdf) == {"DeviceCMYK", "DeviceGray", "DIC 156"}  # the grey is the mask of logo.png


def test_black_type_is_on_one_plate(tmp_path):
    """Text in ink is 0 0 0 1 k and overprints."""
    lines = list(operators(printed(PRESS, words("Black"))))
    assert [line for line in lines if line.endswith(" k")] == ["0 0 0 1 k"]
    assert any(line.endswith(" gs") for line in lines)


def test_a_black_printer_is_given_greys_alone(tmp_path):
    """A file for a black printer has device grey everywhere and no plates to speak of."""
    pdf = printed(GreyInks(game()), *everything(tmp_path))
    used = {line.split()[-1] for line in operators(pdf)}
    assert not used & {"rg", "RG", "k", "K", "scn", "SCN", "cs", "CS", "gs"}
    assert spaces(pdf) == {"DeviceGray"}


def test_the_same_picture_gives_the_same_bytes(tmp_path):
    """Colour management depends on nothing but game, picture and profile."""
    items = everything(tmp_path)
    assert printed(PressInks(game(), limit=280), *items) == printed(PressInks(game(), limit=280), *items)


@pytest.mark.slow
@pytest.mark.parametrize("name", SWEPT)
def test_every_game_can_be_separated(name):
    """A face of each kind of each game resolves to press inks and nothing of the screen, within 300 %."""
    resources = Resources((ROOT,))
    made = load_game(ROOT / "data" / name, resources)
    shop = Workshop(made, resources)
    lang, pages = made.languages[0], []
    for kind in made.kinds.values():
        design = kind.designs[0]
        for face in kind.faces(design)[:2]:
            drawing = shop.draw_printed(lang, design, face)
            trim = Rect(0, 0, drawing.width, drawing.height)
            pages.append(Page(Size(trim.width, trim.height), "front", 1, (Placement("x#1", drawing, trim, trim),)))
    out, inks = io.BytesIO(), PressInks(made, limit=300)
    shop.write_document(Document("x", lang, tuple(pages)), out, inks)
    lines = list(operators(out.getvalue()))

    assert not inks.problems
    assert not {line.split()[-1] for line in lines} & SCREEN_OPERATORS
    assert spaces(out.getvalue()) <= {"DeviceCMYK"}
    totals = [sum(map(float, line.split()[:4])) for line in lines if line.split()[-1] in ("k", "K")]
    assert totals
    assert max(totals) <= 3.0 + 0.002


@pytest.mark.skipif(shutil.which("gs") is None, reason="Ghostscript is not installed")
def test_ghostscript_makes_exactly_the_plates_expected(tmp_path):
    """An independent separator finds four process plates and the spot's, each with what belongs on it."""
    items = (
        block(0, 0, 60, 90, "jade"),
        block(10, 10, 20, 20, "gold"),
        block(10, 40, 20, 20, "gold")._replace(stroke="ink", width=1.0),
        block(40, 10, 10, 10, "ink"),
        words("HHHHHH", 5, 80, 24),
    )
    path = tmp_path / "x.pdf"
    path.write_bytes(printed(PRESS, *items))
    subprocess.run(
        ["gs", "-q", "-dBATCH", "-dNOPAUSE", "-dPDFSTOPONWARNING", "-sDEVICE=tiffsep", "-r127",
         f"-sOutputFile={tmp_path / 'plate'}%d.tif", str(path)],
        check=True, capture_output=True,
    )  # fmt: skip
    plates = {p.name: p for p in tmp_path.glob("plate*(*).tif")}
    names = {re.search(r"\((.+)\)", name).group(1): p for name, p in plates.items()}
    assert set(names) == {"Cyan", "Magenta", "Yellow", "Black", "DIC 156"}

    def inked(x, y):
        """Percent of ink on each plate at a place in mm, sorted by name: black, cyan, spot, magenta, yellow."""
        found = []
        for name in sorted(names):
            with Image.open(names[name]) as plate:
                found.append(round((255 - plate.getpixel((int(x * 5), int(y * 5)))) / 2.55))
        return found

    assert inked(55, 5) == pytest.approx([25, 85, 0, 30, 65], abs=1)
    assert inked(20, 20) == pytest.approx([0, 0, 100, 0, 0], abs=1)
    assert inked(45, 15) == pytest.approx([100, 0, 0, 0, 0], abs=1)  # an area knocks out
    assert inked(10.3, 50) == pytest.approx([100, 0, 100, 0, 0], abs=1)  # a line overprints what it lies on
    row = [inked(x / 5 + 5, 78) for x in range(60)]
    assert [100, 85, 0, 30, 65] in row  # type overprints


def test_the_profile_comes_with_the_package():
    """An installed program finds its profile: the wheel and the source archive carry it and its licence."""
    assert '"profiles" = "generator/bundled/profiles"' in (ROOT / "pyproject.toml").read_text("utf-8")
    assert Path(ROOT / "profiles" / "licences" / "FOGRA39L_coated.txt").read_text("utf-8").startswith("FOGRA39L")
