"""Pictures of every format are read and printed as they look; PNG files of pages and faces have the right pixels."""

import base64
import io
from pathlib import Path

import pypdfium2
import pytest
from face_games import Table, design, tale
from pdf_samples import BOOK, block, document, face, palette, pdf, sheet, spelled
from PIL import Image
from tests_support import page_count

from generator.base.display_list import Drawing, Group, Picture
from generator.base.errors import InvalidInput
from generator.base.picture_files import open_picture_file, read_checked_picture
from generator.drawing.pdf.page_images import render_drawing_png, render_page
from generator.drawing.pdf.pdf_pictures import split_pixels

WHOLE = {"WEBP": {"lossless": True}, "AVIF": {"quality": 100, "subsampling": "4:4:4"}, "TIFF": {"compression": "tiff_lzw"}}  # fmt: skip


def halves(mode: str = "RGB", size: tuple[int, int] = (40, 20)) -> Image.Image:
    image = Image.new("RGB", size, (255, 0, 0))
    image.paste((0, 0, 255), (size[0] // 2, 0, *size))
    return image.convert(mode)


def saved(image: Image.Image, form: str, **how: object) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **how)
    return out.getvalue()


def drawn(tmp_path: Path, body: str, **files: bytes) -> Drawing:
    """The face of a card with this in its template, and pictures by name without ending."""
    card = f'<svg xmlns="http://www.w3.org/2000/svg">{body}</svg>'
    table = Table(
        tmp_path, tale(design()), {"tale/card.svg": card, **{f"tale/{n}.png": data for n, data in files.items()}}
    )
    drawing = table.draw()
    assert table.complaints == []
    assert drawing is not None
    return drawing


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF", "TIFF", "AVIF"])
def test_every_format_is_read_as_it_looks(tmp_path: Path, form: str) -> None:
    """Whatever its ending says, a file's pixels come out: 40 x 20, red beside blue."""
    path = tmp_path / "p.png"
    path.write_bytes(saved(halves(), form, **WHOLE.get(form, {})))
    assert read_checked_picture(path, "p.png") == (path.read_bytes(), (40, 20, False))
    shown = split_pixels(*open_picture_file(path), "p")
    assert (shown.space, shown.width, shown.height) == ("rgb", 40, 20)
    left, right = tuple(shown.pixels[:3]), tuple(shown.pixels[117:120])
    assert max(abs(a - b) for a, b in zip((*left, *right), (255, 0, 0, 0, 0, 255), strict=True)) <= 4


@pytest.mark.parametrize("form", ["PNG", "WEBP", "GIF", "TIFF"])
def test_only_the_first_frame_is_shown_and_that_is_told(tmp_path: Path, form: str) -> None:
    moving = saved(halves(), form, save_all=True, append_images=[Image.new("RGB", (40, 20), (0, 255, 0))])
    face = drawn(tmp_path, '<image href="p.png" x="0" y="0" width="40" height="20"/>', p=moving)
    assert face.notes == ("'p.png' has several frames or pages; pnp shows the first",)
    (picture,) = face.items
    assert isinstance(picture, Picture)
    shown = split_pixels(*open_picture_file(Path(picture.source)), "p").pixels
    assert shown[0] > 200
    assert shown[1] < 50


@pytest.mark.parametrize("form", ["WEBP", "GIF", "TIFF", "AVIF"])
def test_cut_out_pictures_stay_cut_out(tmp_path: Path, form: str) -> None:
    image = halves("RGBA")
    image.paste((0, 0, 0, 0), (0, 0, 40, 5))
    path = tmp_path / "p"
    path.write_bytes(saved(image, form, **WHOLE.get(form, {})))
    read_checked_picture(path, "p")
    shown = split_pixels(*open_picture_file(path), "p")
    assert (shown.alpha[0], shown.alpha[-1]) == (0, 255)


def test_a_tiff_in_four_inks_keeps_them(tmp_path: Path) -> None:
    path = tmp_path / "p.tif"
    path.write_bytes(saved(Image.new("CMYK", (4, 4), (10, 20, 30, 40)), "TIFF"))
    shown = split_pixels(*open_picture_file(path), "p")
    assert (shown.space, tuple(shown.pixels[:4])) == ("cmyk", (10, 20, 30, 40))


def test_only_the_first_of_several_frames_is_printed(tmp_path: Path) -> None:
    path = tmp_path / "p.gif"
    path.write_bytes(saved(halves(), "GIF", save_all=True, append_images=[Image.new("RGB", (40, 20), "white")]))
    read_checked_picture(path, "p.gif")
    assert tuple(split_pixels(*open_picture_file(path), "p").pixels[:3]) == (255, 0, 0)


@pytest.mark.parametrize("form", ["JPEG", "TIFF", "WEBP"])
def test_a_picture_stands_as_the_camera_was_held(tmp_path: Path, form: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    path = tmp_path / "p"
    path.write_bytes(saved(halves(), form, exif=exif, **WHOLE.get(form, {})))
    assert read_checked_picture(path, "p")[1][:2] == (20, 40)
    shown = split_pixels(*open_picture_file(path), "p")
    assert (shown.width, shown.height) == (20, 40)
    assert shown.pixels[0] > 200 > shown.pixels[-3]


@pytest.mark.parametrize("form", ["WEBP", "GIF", "TIFF", "AVIF"])
def test_half_a_file_is_refused(tmp_path: Path, form: str, capfd: pytest.CaptureFixture[str]) -> None:
    """A file that ends too early is a damaged picture by its name, and no library says anything beside that."""
    noise = Image.effect_noise((200, 200), 90).convert("RGB")
    path = tmp_path / "p"
    path.write_bytes(saved(noise, form)[:-3000])
    with pytest.raises(InvalidInput, match="the picture 'p' is damaged"):
        read_checked_picture(path, "p")
    assert capfd.readouterr() == ("", "")


def place(drawing: Drawing) -> tuple[Picture, str]:
    """The picture of a drawing and what it is clipped to."""
    (item,) = drawing.items
    if isinstance(item, Group):
        (inner,) = item.items
        assert isinstance(inner, Picture)
        return inner, item.clip
    assert isinstance(item, Picture)
    return item, ""


@pytest.mark.parametrize(
    ("how", "x", "width", "height"),
    [
        ('fit="contain"', 0, 10, 5),
        ('fit="stretch"', 0, 10, 10),
        ('fit="cover"', -5, 20, 10),
        ('fit="cover" focus=""', -5, 20, 10),
        ('fit="cover" focus="30% 20%"', -1, 20, 10),
        ('fit="cover" focus="10% 20%"', 0, 20, 10),
        ('fit="cover" focus="right"', -10, 20, 10),
        ('preserveAspectRatio="xMidYMid slice" focus="top left"', 0, 20, 10),
    ],
)
def test_a_picture_fits_its_box_in_plain_words(tmp_path: Path, how: str, x: float, width: float, height: float) -> None:
    picture, _ = place(drawn(tmp_path, f'<image href="p.png" width="10" height="10" {how}/>', p=saved(halves(), "PNG")))
    assert (picture.x, picture.width, picture.height) == (x, width, height)


def test_a_picture_has_round_corners(tmp_path: Path) -> None:
    shown = saved(halves(), "PNG")
    _, cover = place(drawn(tmp_path / "a", '<image href="p.png" width="10" height="10" fit="cover" rx="2"/>', p=shown))
    _, contain = place(drawn(tmp_path / "b", '<image href="p.png" width="10" height="10" rx="2"/>', p=shown))
    assert cover.startswith("M 2 0 L 8 0 C")
    assert contain.startswith("M 2 2.5 L 8 2.5 C")


def test_a_picture_may_be_written_out(tmp_path: Path) -> None:
    """A `data:` address is a picture like one in a file, read from the drawing alone."""
    data = base64.b64encode(saved(halves(), "PNG")).decode()
    picture, _ = place(drawn(tmp_path, f'<image href="data:image/png;base64,{data}" width="10"/>'))
    assert (picture.width, picture.height) == (10, 5)
    assert tuple(split_pixels(*open_picture_file(Path(picture.source)), "p").pixels[:3]) == (255, 0, 0)


def test_pages_are_counted_from_bytes_and_files(tmp_path):
    made = pdf(document(sheet(), sheet(), sheet()))
    path = tmp_path / "three.pdf"
    path.write_bytes(made)
    assert page_count(made) == page_count(path) == 3


def test_each_page_is_rendered_by_its_number(tmp_path):
    """Pages are counted from 0; one that isn't there is an IndexError, never another page."""
    made = pdf(document(sheet(items=(block(0, 0, 2, 2),)), sheet(items=(block(2, 2, 2, 2, "#0000ff"),))))
    path = tmp_path / "two.pdf"
    path.write_bytes(made)
    assert spelled(render_page(made, 0, 25.4)) == "RR..\nRR..\n....\n...."
    assert spelled(render_page(path, 1, 25.4)) == "....\n....\n..BB\n..BB"
    for number in (2, -1):
        with pytest.raises(IndexError, match=f"page {number} of 2"):
            render_page(made, number, 25.4)


@pytest.mark.parametrize("dpi", [72, 100, 150, 300, 333])
def test_a_face_fills_its_picture_to_the_edge(dpi):
    image = render_drawing_png(face(block(-3, -3, 69, 94), width=63, height=88, bleed=3), dpi, BOOK, palette, None)
    assert image.size == (round(63 / 25.4 * dpi), round(88 / 25.4 * dpi))
    assert image.getcolors() == [(image.width * image.height, (255, 0, 0))]


def test_documents_are_closed(monkeypatch, tmp_path):
    """Pdfium lets go of a PDF once it is counted or rendered, also when the page isn't there."""
    kept = []

    class Kept(pypdfium2.PdfDocument):
        def __init__(self, pdf):
            super().__init__(pdf)
            kept.append(self)

    monkeypatch.setattr(pypdfium2, "PdfDocument", Kept)
    path = tmp_path / "one.pdf"
    path.write_bytes(pdf(document(sheet())))
    page_count(path)
    render_page(path, 0, 72)
    with pytest.raises(IndexError):
        render_page(path, 1, 72)
    assert [one.raw for one in kept] == [None, None, None]


def test_a_speck_still_has_a_pixel():
    assert render_drawing_png(face(width=0.1, height=0.1), 25.4, BOOK, palette, None).size == (1, 1)
