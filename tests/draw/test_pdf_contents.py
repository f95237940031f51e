"""Gradients, pictures and text in a PDF: what readers accept, see and copy."""

import base64
import hashlib
import io
import struct
import subprocess
import zlib
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import pikepdf
import pypdfium2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pdf_samples import block, box, document, face, font, pdf, placed, reread, sheet, shown, spelled, words
from PIL import Image
from tests_support import examples

from generator.base.display_list import Gradient, Picture, Shape
from generator.base.errors import InvalidInput
from generator.base.picture_files import (
    check_picture_bytes,
    encode_png,
    join_packed_rows,
    read_checked_picture,
    read_plain_png,
)
from generator.game.print_pages import Document


def drawn(*items, width=4, height=4):
    return spelled(shown(*items, width=width, height=height, dpi=254), 10)


def fade(*stops, line=(1, 0, 3, 0), kind="linear", matrix=(1, 0, 0, 1, 0, 0)):
    """A 4 mm square filled with a gradient, a pixel a mm, only the first row."""
    shape = Shape(box(0, 0, 4, 4), fill=Gradient(kind, line, stops, matrix))
    return drawn(shape).split("\n")[0]


RED, GREEN, BLUE = "#ff0000", "#00ff00", "#0000ff"


def test_gradients_are_padded_at_both_ends():
    letters = fade((0, RED), (1, BLUE))
    assert (letters[0], letters[3]) == ("R", "B")
    assert "?" in letters


@pytest.mark.parametrize(
    ("stops", "letters"),
    [
        (((0, RED), (0.5, RED), (0.5, BLUE), (1, BLUE)), "RRBB"),
        (((0.5, RED), (0.5, BLUE)), "RRBB"),
        (((0.0, RED), (0.0, BLUE), (1, BLUE)), "RBBB"),
        (((0.0, RED), (1.0, RED), (1, BLUE)), "RRRB"),
        (((0.0, RED), (0.5, RED), (0.2, BLUE), (0.3, GREEN), (1, GREEN)), "RRGG"),
        (((-1, RED), (0.5, RED), (0.5, RED), (0.5, GREEN), (7, GREEN)), "RRGG"),
    ],
)
def test_stops_may_stand_on_one_spot(stops, letters):
    """Two stops at one offset make a hard edge, even at the ends; a stop that goes back counts where the last was."""
    assert fade(*stops) == letters


def test_a_gradient_without_extent_is_its_last_colour():
    stops = ((0, RED), (1, BLUE))
    assert fade(*stops, line=(1, 0, 1, 0)) == "BBBB"
    assert fade(*stops, line=(1, 0, 0, 1, 0), kind="radial") == "BBBB"
    assert fade((0.5, GREEN)) == "GGGG"
    assert fade(*stops, matrix=(1, 0, 1, 0, 0, 0)) == "BBBB"


def test_gradients_follow_their_matrix():
    edge = ((0.5, RED), (0.5, BLUE))
    assert fade(*edge, matrix=(1, 0, 0, 1, 1, 0)) == "RRRB"
    assert fade(*edge, line=(0, 1, 0, 3), matrix=(0, 1, 1, 0, 0, 0)) == "RRBB"


@pytest.mark.parametrize("focus", [(2, 2), (2.5, 2), (3, 2), (9, 2)])
def test_radial_gradients_reach_everywhere(focus):
    stops = ((0, RED), (0.99, RED), (0.99, BLUE), (1, BLUE))
    rings = Gradient("radial", (2, 2, 1, *focus), stops)
    letters = drawn(Shape(box(0, 0, 4, 4), fill=rings))
    assert letters == "BBBB\nBRRB\nBRRB\nBBBB"


def test_a_gradient_shape_keeps_its_stroke():
    shape = Shape(box(1, 1, 2, 2), fill=Gradient("linear", (0, 0, 1, 0), ((0, RED), (1, RED))), stroke="ink", width=2)
    assert drawn(shape) == "KKKK\nKKKK\nKKKK\nKKKK"
    thin = shape._replace(width=0.2)
    assert drawn(thin) == "....\n.RR.\n.RR.\n...."


def test_shared_gradients_are_one_shading():
    fade = Gradient("linear", (0, 0, 4, 0), ((0.0, "ink"), (1.0, "paper")))
    moved = fade._replace(matrix=(1.0, 0.0, 0.0, 1.0, 2.0, 0.0))
    shapes = [Shape(block(0, y, 4, 1).path, fill=fill) for y, fill in enumerate((fade, moved, fade))]
    with reread(document(sheet(placed(face(*shapes))))) as made:
        shadings = [o for o in made.objects if isinstance(o, pikepdf.Dictionary) and "/ShadingType" in o]
        assert len(shadings) == 1
        assert shadings[0].ColorSpace == "/DeviceGray"
        assert list(shadings[0].Extend) == [True, True]


def test_different_gradients_are_different_shadings():
    """Another line or other stops make another gradient; one without extent makes none."""
    stops = ((0.0, "#ff0000"), (1.0, "#0000ff"))
    fades = [
        Gradient("linear", (0, 0, 4, 0), stops),
        Gradient("linear", (0, 0, 3, 0), stops),
        Gradient("linear", (0, 0, 4, 0), stops[:1]),
        Gradient("linear", (0, 0, 0, 0), stops),
        Gradient("radial", (0, 0, 0, 0, 0), stops),
        Gradient("linear", (0, 0, 2, 0), stops, (1, 2, 2, 4, 0, 0)),
    ]
    with reread(document(sheet(placed(face(*(Shape("M 0 0 L 1 1 L 0 1 Z", fill=fill) for fill in fades)))))) as made:
        shadings = [o for o in made.objects if isinstance(o, pikepdf.Dictionary) and "/ShadingType" in o]
        assert len(shadings) == 3
        assert [str(entry.ColorSpace) for entry in shadings] == ["/DeviceRGB"] * 3


@given(st.lists(st.floats(-0.5, 1.5), min_size=2, max_size=8), st.booleans())
@examples(30)
def test_stops_make_a_function_that_readers_accept(offsets, ordered):
    """Whatever the offsets, the bounds between 0 and 1 increase, and there is one piece more than bounds."""
    stops = [(round(offset, 2), f"#{at:02x}0000") for at, offset in enumerate(sorted(offsets) if ordered else offsets)]
    shape = Shape("M 0 0 L 1 1 L 0 1 Z", fill=Gradient("linear", (0, 0, 4, 0), tuple(stops)))
    with reread(document(sheet(items=(shape,)))) as made:
        (shading,) = [o for o in made.objects if isinstance(o, pikepdf.Dictionary) and "/ShadingType" in o]
        function = shading.Function
        if function.FunctionType == 3:
            bounds = [0.0, *(float(bound) for bound in function.Bounds), 1.0]
            assert all(one < other for one, other in pairwise(bounds))
            assert len(function.Functions) == len(bounds) - 1
            assert list(function.Encode) == [0, 1] * len(function.Functions)


def picture(image, folder, name, x=0, y=0, width=4, height=4, **how):
    path = folder / name
    image.save(path, **how)
    return Picture(hashlib.sha256(path.read_bytes()).hexdigest(), str(path), x, y, width, height)


def quarters(mode="RGB"):
    """Red, green, blue and black, clockwise from the top left without black's place being left out."""
    image = Image.new("RGB", (2, 2))
    for spot, colour in {(0, 0): (255, 0, 0), (1, 0): (0, 255, 0), (0, 1): (0, 0, 255), (1, 1): (0, 0, 0)}.items():
        image.putpixel(spot, colour)
    return image.convert(mode)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P"])
def test_pictures_stand_upright_and_fill_their_box(mode, tmp_path):
    art = picture(quarters().convert(mode, **({"palette": 1} if mode == "P" else {})), tmp_path, "q.png")
    image = shown(art, dpi=254)
    corners = [image.getpixel(spot) for spot in ((1, 1), (38, 1), (1, 38), (38, 38))]
    assert corners == [(255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 0, 0)]


def test_transparent_pixels_show_what_is_below(tmp_path):
    """An alpha channel lets the ground through, half or whole; grey pictures too."""
    for mode, colour in (("RGBA", (0, 0, 255)), ("LA", (0, 0, 0))):
        art = Image.new(mode, (4, 1), (*colour, 255) if mode == "RGBA" else (0, 255))
        for x, alpha in enumerate((0, 128, 255, 255)):
            art.putpixel((x, 0), (*colour, alpha) if mode == "RGBA" else (0, alpha))
        image = shown(block(0, 0, 4, 4), picture(art, tmp_path, f"{mode}.png"), dpi=254)
        assert image.getpixel((2, 5)) == (255, 0, 0)
        assert image.getpixel((38, 5)) == colour
        assert image.getpixel((15, 5))[0] == pytest.approx(127, abs=3)


def test_deep_greys_keep_their_shade(tmp_path):
    """16-bit grey isn't cut off to white."""
    art = Image.new("I;16", (1, 1), 0x8080)
    assert shown(picture(art, tmp_path, "deep.png")).getpixel((2, 2)) == (128, 128, 128)


def images(*items):
    made = reread(document(sheet(placed(face(*items)), placed(face(*items, width=5)))))
    found = [o for o in made.objects if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Image"]
    return made, found


def test_a_jpeg_goes_in_as_it_is(tmp_path):
    """A JPEG's bytes aren't touched, and the same asset is written once, wherever its file lies."""
    art = picture(quarters().resize((16, 16)), tmp_path, "q.jpg", quality=90)
    copy = tmp_path / "copy.jpg"
    copy.write_bytes(Path(art.source).read_bytes())
    made, (image,) = images(art, art._replace(x=1), art._replace(source=str(copy)))
    assert image.read_raw_bytes() == Path(art.source).read_bytes()
    assert (image.Filter, image.ColorSpace, int(image.Width)) == ("/DCTDecode", "/DeviceRGB", 16)
    made.close()


def test_cmyk_jpegs_are_not_negatives(tmp_path):
    art = picture(Image.new("CMYK", (8, 8), (0, 255, 255, 0)), tmp_path, "c.jpg", quality=95)
    red, green, blue = shown(art).getpixel((2, 2))
    assert red > 180
    assert max(green, blue) < 90


@pytest.mark.parametrize(("mode", "space"), [("RGB", "/DeviceRGB"), ("L", "/DeviceGray")])
def test_a_plain_png_goes_in_as_it_is(tmp_path, mode, space):
    """Its compressed rows aren't touched, and readers see its pixels."""
    ramp = Image.linear_gradient("L").convert(mode)
    made, (image,) = images(picture(ramp, tmp_path, "ramp.png", compress_level=1))
    assert image.read_raw_bytes() == join_packed_rows((tmp_path / "ramp.png").read_bytes())
    assert image.ColorSpace == space
    assert pikepdf.PdfImage(image).as_pil_image().convert(mode).tobytes() == ramp.tobytes()
    made.close()


def test_other_pngs_are_packed_as_pngs_are(tmp_path):
    ramp = Image.linear_gradient("L").convert("RGBA")
    made, (image,) = images(picture(ramp, tmp_path, "ramp.png"))
    assert len(image.read_raw_bytes()) < 2500
    assert pikepdf.PdfImage(image).as_pil_image().convert("RGB").tobytes() == ramp.convert("RGB").tobytes()
    made.close()


ROWS = bytes([1, *range(6), 4, *range(6)])
"""Two rows of two pixels in red, green and blue, each with its filter."""

TURNED = struct.pack(">4sIHHHIHHI", b"MM\0*", 8, 1, 0x0112, 3, 1, 6, 0, 0)
"""The Exif data of a picture that a camera held sideways took."""


def plain_png(rows: bytes = ROWS, more: bytes = b"", mode: str = "RGB", **header: int) -> bytes:
    """A PNG of 2 x 2 pixels with a further chunk, and fields of its header changed by their places."""
    data = encode_png(mode, (2, 2), zlib.compress(rows) + more)
    for name, value in header.items():
        at = {"depth": 24, "colour": 25, "interlaced": 28}[name]
        data = data[:at] + bytes([value]) + data[at + 1 :]
    return data


def test_a_png_is_plain_if_its_rows_can_be_used():
    assert read_plain_png(plain_png()) == ("RGB", (2, 2), zlib.compress(ROWS))


@pytest.mark.parametrize(
    "data",
    [
        plain_png(ROWS[:-1]),
        plain_png(ROWS + b"\0"),
        plain_png(more=b"\0"),
        plain_png(bytes([5, *ROWS[1:]])),
        plain_png(depth=16),
        plain_png(colour=3),
        plain_png(interlaced=1),
        plain_png(mode="RGBA"),
        plain_png()[:33] + struct.pack(">I4s6sI", 6, b"tRNS", bytes(6), 0) + plain_png()[33:],
        plain_png()[:33] + struct.pack(">I4s", len(TURNED), b"eXIf") + TURNED + bytes(4) + plain_png()[33:],
        plain_png()[:-20],
        b"\xff\xd8\xff",
    ],
    ids=["few", "many", "behind", "filter", "deep", "palette", "interlaced", "alpha", "key", "turned", "cut", "jpeg"],
)
def test_a_png_is_not_plain_if_it_needs_a_conversion_or_is_damaged(data):
    assert read_plain_png(data) is None


@given(st.integers(1, 5), st.integers(1, 5), st.sampled_from(["L", "RGB"]), st.data())
def test_plain_pngs_keep_every_pixel(wide, high, mode, data):
    pixels = data.draw(st.binary(min_size=wide * high * len(mode), max_size=wide * high * len(mode)))
    out = io.BytesIO()
    Image.frombytes(mode, (wide, high), pixels).save(out, "PNG")
    source = "data:image/png;base64," + base64.urlsafe_b64encode(out.getvalue()).decode()
    made, (image,) = images(Picture(hashlib.sha256(out.getvalue()).hexdigest(), source, 0, 0, 4, 4))
    assert pikepdf.PdfImage(image).as_pil_image().convert(mode).tobytes() == pixels
    made.close()


def test_a_plain_png_is_unpacked_once(tmp_path, monkeypatch):
    """It is not decoded to check it, and what its check found out is known when it is printed."""
    begun, unpack = [], zlib.decompressobj
    monkeypatch.setattr(zlib, "decompressobj", lambda *how: begun.append(how) or unpack(*how))
    monkeypatch.setattr("PIL.ImageFile.ImageFile.load", lambda _picture: pytest.fail("decoded"))
    art = picture(Image.effect_noise((30, 20), 80).convert("RGB"), tmp_path, "plain.png")
    read_checked_picture(Path(art.source), "plain.png")
    made, (image,) = images(art)
    assert len(begun) == 1
    assert image.read_raw_bytes() == join_packed_rows(Path(art.source).read_bytes())
    made.close()


def test_grey_with_alpha_stays_grey(tmp_path):
    art = Image.new("LA", (2, 1), (90, 255))
    art.putpixel((0, 0), (90, 10))
    made, found = images(picture(art, tmp_path, "la.png"))
    assert [str(image.ColorSpace) for image in found] == ["/DeviceGray", "/DeviceGray"]
    assert [image.SMask.objgen for image in found if "/SMask" in image] == [found[0].objgen]
    made.close()


def test_greys_stay_grey_and_idle_alpha_is_dropped(tmp_path):
    made, found = images(picture(quarters("L"), tmp_path, "l.png"), picture(quarters("RGBA"), tmp_path, "a.png", y=1))
    assert [str(image.ColorSpace) for image in found] == ["/DeviceGray", "/DeviceRGB"]
    assert not any("/SMask" in image for image in found)
    made.close()


def saved(mode: str = "RGB", kind: str = "PNG", size: tuple[int, int] = (40, 30), **how: object) -> bytes:
    out = io.BytesIO()
    Image.linear_gradient("L").resize(size).convert(mode).save(out, format=kind, **how)
    return out.getvalue()


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(*chunks: bytes, colour: int = 2, depth: int = 8, rows: bytes = zlib.compress(bytes(31 * 40 * 4))) -> bytes:
    """A PNG of 40 x 30 pixels made of parts."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 30, depth, colour, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(chunks) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


JPEG = saved(kind="JPEG", size=(400, 300))
PNG = saved()
BOMB = zlib.compress(bytes(80_000_000))
DAMAGED = {
    "JPEG cut in the middle": JPEG[: len(JPEG) // 2],
    "JPEG cut near its end": JPEG[:-20],
    "PNG cut": PNG[: len(PNG) * 2 // 3],
    "a wrong checksum": PNG[:-20] + bytes([PNG[-20] ^ 1]) + PNG[-19:],
    "data that don't unpack": png(rows=b"\x78\x9cnonsense"),
    "too few rows": png(rows=zlib.compress(bytes(5 * 121))),
    "an unknown filter of rows": png(rows=zlib.compress(b"\x09" + bytes(31 * 40 * 4))),
    "no palette": png(colour=3, rows=zlib.compress(bytes(30 * 41))),
    "torn transparency": png(chunk(b"tRNS", b"\0")),
    "torn gamma": png(chunk(b"gAMA", b"")),
    "torn resolution": png(chunk(b"pHYs", b"\0")),
    "torn animation": png(chunk(b"acTL", b"\0")),
    "a bomb of text": png(chunk(b"zTXt", b"a\0\0" + BOMB)),
    "a bomb of a profile": png(chunk(b"iCCP", b"a\0\0" + BOMB)),
    "an impossible depth": png(depth=3),
    "a scan again and again": JPEG[:-2] + b"\xff\xda\0\x0c\3\1\0\2\x11\3\x11\0\x3f\0" * 30_000 + JPEG[-2:],
    "nothing": b"",
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_pictures_are_refused(tmp_path: Path, name: str) -> None:
    """Whatever PIL stumbles over, at once or while it decodes, is said of the picture by its name."""
    path = tmp_path / "p.png"
    path.write_bytes(DAMAGED[name])
    with pytest.raises(InvalidInput, match=r"picture|'art/p\.png' is not") as unfit:
        read_checked_picture(path, "art/p.png")
    assert "art/p.png" in str(unfit.value)
    assert unfit.value.hint


BEHIND = {"text": chunk(b"tEXt", b"a\0b"), "time": chunk(b"tIME", bytes(7)), "bomb": chunk(b"zTXt", b"a\0\0" + BOMB)}
BEHIND |= {"profile": chunk(b"iCCP", b"a\0\0" + BOMB), "end": chunk(b"IEND", b"")}
"""Chunks that a PNG may have behind its rows."""


@given(
    st.lists(st.sampled_from([*BEHIND, "rows"]), max_size=3),
    st.sampled_from([None, 5, -1]),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(1, 255)), max_size=1),
    st.sampled_from([0, 0, 1, 5, 121]),
    st.sampled_from([0, 2, 3, 4, 6]),
)
@example(["bomb"], None, [], 0, 2)
@example(["text", "rows"], 5, [], 0, 2)
def test_a_png_is_refused_alike_whether_it_is_decoded_or_not(behind, cut, changed, filtered, colour):
    """What is true of the rows of a PNG is the same as what Pillow says when it decodes them."""
    rows = bytearray(30 * (1 + 40 * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]))
    rows[0] = filtered
    packed = zlib.compress(bytes(rows))
    data = bytearray(png(colour=colour, rows=packed[:cut])[:-12])
    data += b"".join(chunk(b"IDAT", packed[cut:]) if name == "rows" else BEHIND[name] for name in behind)
    data += chunk(b"IEND", b"")
    for at, by in changed:
        data[at % len(data)] ^= by

    def check() -> object:
        try:
            return check_picture_bytes(bytes(data), "p")
        except InvalidInput:
            return "refused"

    found = check()
    with patch("generator.base.picture_files._is_whole_png", lambda _data: False):
        assert check() == found


@pytest.mark.parametrize(("mode", "kind"), [("RGB", "PNG"), ("RGBA", "PNG"), ("P", "PNG"), ("1", "PNG"), ("LA", "PNG"), ("I;16", "PNG"), ("L", "JPEG"), ("CMYK", "JPEG")])  # fmt: skip
def test_whole_pictures_pass(tmp_path: Path, mode: str, kind: str) -> None:
    path = tmp_path / "p.png"
    for how in ({}, {"progressive": True}) if kind == "JPEG" else ({},):
        path.write_bytes(saved(mode, kind, **how))
        assert read_checked_picture(path, "p.png") == (path.read_bytes(), (40, 30, False))


HERE = Path(__file__).parent


def both_languages() -> Document:
    """A sheet with a face in each language."""
    japanese = face(
        words("珍獣を一枚選び、場に出す。", "gothic", 3, 10, 9),
        words("（ヴィア・アンティカ）", "mincho", 3, 20, 9),
        width=63,
        height=40,
        lang="ja",
    )
    english = face(
        words("Draw two cards, discard an office", "sans", 3, 10, 9),
        words("waffle: AVATAR – “Fortuna”", "italic", 3, 20, 9),
        width=63,
        height=40,
        lang="en",
    )
    return document(sheet(placed(japanese, 5, 5), placed(english, 5, 50), width=80, height=100))


LINES = ("珍獣を一枚選び、場に出す。", "（ヴィア・アンティカ）", "Draw two cards, discard an office", "waffle: AVATAR – “Fortuna”")  # fmt: skip


def test_text_is_found_as_it_was_set(tool, tmp_path):
    path = tmp_path / "both.pdf"
    path.write_bytes(pdf(both_languages()))
    read = subprocess.run([tool("pdftotext"), path, "-"], capture_output=True, check=True).stdout.decode()
    assert tuple(line for line in read.replace("\f", "").splitlines() if line) == LINES


def test_text_is_found_by_another_reader_too():
    made = pypdfium2.PdfDocument(pdf(both_languages()))
    page = made[0]
    text = page.get_textpage()
    read = text.get_text_range().replace("\r", "")
    for part in (text, page, made):
        part.close()
    assert tuple(line for line in read.split("\n") if line.strip()) == LINES


def test_a_hyphen_set_by_hyphenation_joins_the_word(tool, tmp_path):
    """A reader gets U+00AD where a word was broken, and a hyphen where one was written."""
    run = words("re-use hyphen-")
    hyphen = font("sans").find_glyph("-")
    assert run.glyphs[-1] == hyphen
    broken = run._replace(clusters=(*run.clusters[:-1], "\u00ad"))
    path = tmp_path / "broken.pdf"
    path.write_bytes(pdf(document(sheet(placed(face(broken, width=60, height=20)), width=60, height=20))))
    read = subprocess.run([tool("pdftotext"), path, "-"], capture_output=True, check=True).stdout.decode()
    assert read.strip() == "re-use hyphen\u00ad"
