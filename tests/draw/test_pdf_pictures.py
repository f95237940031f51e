"""Pictures in a PDF: the right way up, in their own colours, once each and as small as they came."""

import hashlib
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest
from pdf_samples import (
    block,
    document,
    face,
    placed,
    reread,
    sheet,
    shown,
)
from PIL import Image

from generator.base.display_list import Picture


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
    """A PNG of any colour mode keeps its colours and its top is up."""
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
    made, (image,) = images(art, replace(art, x=1), replace(art, source=str(copy)))
    assert image.read_raw_bytes() == Path(art.source).read_bytes()
    assert (image.Filter, image.ColorSpace, int(image.Width)) == ("/DCTDecode", "/DeviceRGB", 16)
    made.close()


def test_cmyk_jpegs_are_not_negatives(tmp_path):
    """Adobe's inverted CMYK shows as the colours that were saved."""
    art = picture(Image.new("CMYK", (8, 8), (0, 255, 255, 0)), tmp_path, "c.jpg", quality=95)
    red, green, blue = shown(art).getpixel((2, 2))
    assert red > 180
    assert max(green, blue) < 90


def test_pngs_are_packed_as_pngs_are(tmp_path):
    """Pixels are predicted from their neighbours: a smooth picture stays small and any reader unpacks it."""
    ramp = Image.linear_gradient("L").convert("RGB")
    made, (image,) = images(picture(ramp, tmp_path, "ramp.png"))
    assert len(image.read_raw_bytes()) < 2500
    assert pikepdf.PdfImage(image).as_pil_image().convert("RGB").tobytes() == ramp.tobytes()
    made.close()


def test_grey_with_alpha_stays_grey(tmp_path):
    """A half-transparent grey PNG is grey with a mask."""
    art = Image.new("LA", (2, 1), (90, 255))
    art.putpixel((0, 0), (90, 10))
    made, found = images(picture(art, tmp_path, "la.png"))
    assert [str(image.ColorSpace) for image in found] == ["/DeviceGray", "/DeviceGray"]
    assert [image.SMask.objgen for image in found if "/SMask" in image] == [found[0].objgen]
    made.close()


def test_greys_stay_grey_and_idle_alpha_is_dropped(tmp_path):
    """A grey PNG is DeviceGray; an alpha channel that hides nothing makes no mask."""
    made, found = images(picture(quarters("L"), tmp_path, "l.png"), picture(quarters("RGBA"), tmp_path, "a.png", y=1))
    assert [str(image.ColorSpace) for image in found] == ["/DeviceGray", "/DeviceRGB"]
    assert not any("/SMask" in image for image in found)
    made.close()
