"""Pictures in PDF: embeds JPEG files and plain PNG files unchanged, and all others without loss."""

import io
import zlib
from pathlib import Path
from typing import Any, Literal, NamedTuple

from PIL import Image, ImageChops, ImageFilter

from generator.base.colour import Bitmap, Ink, Inks, Overprint, grey_from_rgb, rgb_from_hex
from generator.base.display_list import Paint, Role
from generator.base.picture_files import (
    PICTURE_LEVEL,
    decode_layers,
    filter_rows,
    has_decoders,
    name_picture,
    open_picture_file,
    read_plain_png,
    split_transparency,
)
from generator.drawing.pdf.objects import add_object, make_stream
from generator.game.model import Game

_SPACES = {"L": "/DeviceGray", "RGB": "/DeviceRGB", "CMYK": "/DeviceCMYK"}
_MODES = {"gray": "L", "rgb": "RGB", "cmyk": "CMYK"}
_NAMES: dict[str, Literal["gray", "rgb", "cmyk"]] = {"L": "gray", "RGB": "rgb", "CMYK": "cmyk"}
_QUALITY = 95  # of a converted JPEG: the second loss must be invisible
_OPAQUE = 255


def write_picture(document: Any, path: Path, inks: Inks) -> int:
    """Write the picture in the PDF's inks; return its object number. Raise ProblemsFound if it can't be read."""
    if inks.keeps_pictures and (plain := read_plain_png(open_picture_file(path, decode=False)[1])):
        return add_object(document, _make_packed_stream(*plain))
    picture, data = open_picture_file(path)
    if not inks.keeps_pictures:
        given = split_pixels(picture, data, name_picture(path))
        made = inks.bitmap(given)
        if picture.format != "JPEG":
            return _write_pixels(document, made)
        if made == given:
            return add_object(document, _make_jpeg_stream(picture, data))
        out = io.BytesIO()
        result = Image.frombytes(_MODES[made.space], (made.width, made.height), made.pixels)
        result.save(out, format="JPEG", quality=_QUALITY, subsampling=0)
        with Image.open(out) as packed:
            return add_object(document, _make_jpeg_stream(packed, out.getvalue()))
    if picture.format == "JPEG" and picture.mode in _SPACES:
        return add_object(document, _make_jpeg_stream(picture, data))
    return _write_pixels(document, split_pixels(picture, data, name_picture(path)))


class StencilledPicture(NamedTuple):
    """A compressed four-ink picture with hard edges: its stencil mask hides or shows each pixel."""

    entries: str
    rows: bytes
    stencil: bytes


def stencil_picture(picture: Image.Image, alpha: Image.Image) -> StencilledPicture:
    """Return the picture (CMYK) with the pixels hidden where `alpha` is zero."""
    stencil, hidden = b"", alpha.point(lambda value: 0 if value else _OPAQUE, "1")
    if hidden.getbbox():
        size = f"/Type/XObject/Subtype/Image/Width {hidden.width}/Height {hidden.height}"
        stencil = make_stream(f"{size}/ImageMask true/BitsPerComponent 1", hidden.tobytes())
    form = picture.mode, picture.size
    entries = _format_entries(*form) + _format_packing(*form)
    return StencilledPicture(entries, zlib.compress(filter_rows(*form, picture.tobytes()), PICTURE_LEVEL), stencil)


def write_stencilled(document: Any, stencilled: StencilledPicture) -> int:
    """Write the picture and its mask to a document. Return the object number of the picture."""
    mask = f"/Mask {add_object(document, stencilled.stencil)} 0 R" if stencilled.stencil else ""
    return add_object(document, make_stream(stencilled.entries + mask, stencilled.rows, packed=True))


def split_pixels(picture: Image.Image, data: bytes, name: str) -> Bitmap:
    """Return a picture (file bytes `data`, `name` for messages) as pixels of 8 bits a channel, with needed alpha."""
    if not has_decoders():
        mode, size, pixels, hidden = decode_layers(picture, data)
        return Bitmap(_NAMES[mode], *size, pixels, hidden, name, picture.format == "JPEG")
    opaque, alpha = split_transparency(picture)
    space, transparency = _NAMES[opaque.mode], alpha.tobytes() if alpha else b""
    return Bitmap(space, opaque.width, opaque.height, opaque.tobytes(), transparency, name, picture.format == "JPEG")


def _write_pixels(document: Any, made: Bitmap) -> int:
    def make_layer(mode: str, pixels: bytes, entries: str = "") -> bytes:
        size = (made.width, made.height)
        return _make_packed_stream(mode, size, zlib.compress(filter_rows(mode, size, pixels), PICTURE_LEVEL), entries)

    mask = f"/SMask {add_object(document, make_layer('L', made.alpha))} 0 R" if made.alpha else ""
    return add_object(document, make_layer(_MODES[made.space], made.pixels, mask))


def _make_jpeg_stream(picture: Image.Image, data: bytes) -> bytes:
    entries = _format_entries(picture.mode, picture.size) + "/Filter/DCTDecode"
    if picture.mode == "CMYK" and "adobe" in picture.info:
        entries += "/Decode[1 0 1 0 1 0 1 0]"  # Adobe's programs write CMYK inverted
    return make_stream(entries, data, packed=True)


def _make_packed_stream(mode: str, size: tuple[int, int], packed: bytes, entries: str = "") -> bytes:
    return make_stream(f"{_format_entries(mode, size)}{entries}{_format_packing(mode, size)}", packed, packed=True)


def _format_packing(mode: str, size: tuple[int, int]) -> str:
    return f"/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors {len(mode)}/BitsPerComponent 8/Columns {size[0]}>>"


def _format_entries(mode: str, size: tuple[int, int]) -> str:
    return f"/Type/XObject/Subtype/Image/Width {size[0]}/Height {size[1]}/ColorSpace{_SPACES[mode]}/BitsPerComponent 8"


_STEPS = 33  # of a table from colours to greys: errors are at most half a step of 255


class GreyInks:
    """Inks for a printer with black only: every colour becomes the grey of the same lightness."""

    keeps_pictures = False
    overprints: Overprint = "never"

    def __init__(self, game: Game):
        self._game = game
        self._table: ImageFilter.Color3DLUT | None = None

    def ink(self, paint: Paint, role: Role) -> Ink:  # noqa: ARG002 - all roles alike
        """Return a paint (hex, or a name in the game's palette) as a grey, for any role."""
        colour = paint if paint.startswith("#") else self._game.palette[paint].srgb
        return Ink("gray", (grey_from_rgb(rgb_from_hex(colour)),))

    def bitmap(self, bitmap: Bitmap) -> Bitmap:
        """Return a picture in greys."""
        image = remove_transparency(bitmap)
        if not is_grey(image):
            if self._table is None:
                self._table = ImageFilter.Color3DLUT.generate(_STEPS, lambda *rgb: (grey_from_rgb(rgb),) * 3)
            image = image.convert("RGB").filter(self._table)
        return replace_pixels(image.getchannel(0), bitmap.alpha, bitmap)


def remove_transparency(bitmap: Bitmap) -> Image.Image:
    """Return a bitmap as an image without its transparency."""
    return Image.frombytes(_MODES[bitmap.space], (bitmap.width, bitmap.height), bitmap.pixels)


def replace_pixels(image: Image.Image, alpha: bytes, source: Bitmap) -> Bitmap:
    """Return a bitmap with new pixels (grey or four inks) and opacity, and everything else from `source`."""
    space: Literal["gray", "cmyk"] = "gray" if image.mode == "L" else "cmyk"
    return source._replace(space=space, pixels=image.tobytes(), alpha=alpha)


def is_grey(image: Image.Image) -> bool:
    """Return True if all pixels are grey; False for pictures in four inks, which are separated already."""
    if image.mode != "RGB":
        return image.mode == "L"
    red, green, blue = image.split()
    return all(ImageChops.difference(red, other).getbbox() is None for other in (green, blue))
