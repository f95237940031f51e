"""Picture files: checks, opens and converts bitmaps; reads and writes PNG in plain Python."""

import base64
import io
import re
import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.base.cache import RecentValues, hash_bytes
from generator.base.errors import InvalidInput, Place, locate_fault
from generator.base.files import read_file

if TYPE_CHECKING:
    from PIL import Image


_PNG = b"\x89PNG\r\n\x1a\n"
"""The bytes before the first chunk."""

_WHOLE = ((0, 0, 1, 1),)
_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))
"""The passes of an interlaced PNG: where each begins, and its pixel distance across and down."""

_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_GREY_TYPE, _COLOURS, _PALETTE, _WITH_ALPHA = 0, 2, 3, (4, 6)
_LAST_FILTER = 4
_OPAQUE = 255

PICTURE_LEVEL = 4
"""Compression level of large pictures: level 6 takes two to four times as long, for 3 to 9 percent less."""


class PngHeader(NamedTuple):
    """The header of a PNG."""

    width: int
    height: int
    depth: int
    colour: int
    interlaced: bool

    @property
    def channels(self) -> int:
        """The number of values of each pixel."""
        return _CHANNELS[self.colour]

    def iter_passes(self) -> Iterator[tuple[tuple[int, int, int, int], int, int, int]]:
        """Yield each pass with pixels: (x, y, dx, dy: first and step), bytes per row, rows, pixels per row."""
        for x, y, dx, dy in _PASSES if self.interlaced else _WHOLE:
            across, rows = (self.width - x + dx - 1) // dx, (self.height - y + dy - 1) // dy
            if across > 0 and rows > 0:
                yield (x, y, dx, dy), (across * self.depth * self.channels + 7) // 8, rows, across

    @property
    def size(self) -> int:
        """The number of bytes of all rows, including each row's filter byte."""
        return sum(rows * (1 + row) for _, row, rows, _ in self.iter_passes())


def read_png_header(data: bytes) -> PngHeader:
    """Return the header of a PNG with valid chunks."""
    width, height, depth, colour, _, _, interlaced = struct.unpack_from(">IIBBBBB", data, 16)
    return PngHeader(width, height, depth, colour, bool(interlaced))


def iter_png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the name and contents of each chunk of a PNG."""
    at = len(_PNG)
    while at + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        yield kind, data[at + 8 : at + 8 + length]
        at += 12 + length  # length, kind, content, checksum


def join_packed_rows(data: bytes) -> bytes:
    """Return the compressed pixel data of a PNG (all IDAT chunks)."""
    return b"".join(content for kind, content in iter_png_chunks(data) if kind == b"IDAT")


def read_plain_png(data: bytes) -> tuple[str, tuple[int, int], bytes] | None:
    """Return mode (L or RGB), size and compressed rows of a PNG that needs no conversion; None for other pictures."""
    if not _is_simple_png(data):
        return None
    head, packed = read_png_header(data), join_packed_rows(data)
    mode = {_GREY_TYPE: "L", _COLOURS: "RGB"}.get(head.colour)
    return (mode, (head.width, head.height), packed) if mode and _has_whole_rows(head, packed) else None


def _is_simple_png(data: bytes) -> bool:
    """Return True for a PNG of 8 bits a channel without palette, transparent colour, interlacing and rotation."""
    head = read_png_header(data) if data.startswith(_PNG) else None
    if head is None or head.depth != _BYTE or head.interlaced or head.colour == _PALETTE:
        return False
    return not {b"tRNS", b"eXIf"}.intersection(kind for kind, _ in iter_png_chunks(data))


_WHOLE_ROWS: RecentValues[str, bool] = RecentValues(10_000)
"""Whether the rows of a PNG are whole: they are unpacked when the picture is checked, and not again to print it."""


def _has_whole_rows(head: PngHeader, packed: bytes) -> bool:
    key = hash_bytes(repr(head).encode() + packed)
    whole = _WHOLE_ROWS.get(key)
    if whole is None:
        unpacking, rows = zlib.decompressobj(), b""
        with suppress(zlib.error):
            rows = unpacking.decompress(packed, head.size + 1)
        whole = unpacking.eof and not unpacking.unused_data and len(rows) == head.size
        whole = whole and max(rows[:: 1 + head.width * head.channels]) <= _LAST_FILTER
        _WHOLE_ROWS.put(key, whole)
    return whole


def _is_whole_png(data: bytes) -> bool:
    """Return True for a simple PNG with whole rows, and nothing behind them that Pillow would have to read."""
    kinds = [kind for kind, _ in iter_png_chunks(data)] if _is_simple_png(data) else []
    behind = kinds[kinds.index(b"IDAT") + kinds.count(b"IDAT") :] if b"IDAT" in kinds else [b""]
    settled = {b"tEXt", b"tIME", b"IEND"}.issuperset(behind)
    return settled and _has_whole_rows(read_png_header(data), join_packed_rows(data))


def read_png_layers(data: bytes) -> tuple[str, bytes, bytes]:
    """Return a valid PNG's mode (L or RGB), its pixels, and their opacity; b"" if all are opaque."""
    head = read_png_header(data)
    chunks = dict(iter_png_chunks(data))
    samples = _unpack_samples(head, join_packed_rows(data))
    hidden = chunks.get(b"tRNS", b"")
    if head.colour == _PALETTE:
        colours = bytearray(3 * len(samples))
        for channel in range(3):  # indices beyond the palette become grey, as in Pillow
            values = chunks[b"PLTE"][channel::3][:256]
            colours[channel::3] = samples.translate(values + bytes(range(len(values), 256)))
        mode, pixels = "RGB", bytes(colours)
        alpha = samples.translate(hidden.ljust(256, b"\xff")[:256])
    elif head.colour in _WITH_ALPHA:
        mode, pixels = "L", samples[::2]
        if head.colour != _WITH_ALPHA[0]:
            mode, pixels = "RGB", _join_channels([samples[channel::4] for channel in range(3)])
        elif head.depth > _BYTE:  # as Pillow reads it
            mode, pixels = "RGB", _join_channels([pixels] * 3)
        alpha = samples[head.channels - 1 :: head.channels]
    else:
        mode, pixels, alpha = ("L" if head.colour == _GREY_TYPE else "RGB"), samples, b""
        if hidden:  # like Pillow, compare only the lower bytes
            many, colour = head.channels, hidden[1 : 2 * head.channels : 2]
            step = range(0, len(samples), many)
            alpha = bytes([0 if samples[at : at + many] == colour else _OPAQUE for at in step])
    return mode, pixels, b"" if alpha.count(_OPAQUE) == len(alpha) else alpha


def _unpack_samples(head: PngHeader, packed: bytes) -> bytes:
    """Return a PNG's packed rows as one byte for each channel of each pixel; of 16 bits the higher byte."""
    packed_rows = zlib.decompressobj().decompress(packed, head.size)
    step = max(1, head.depth * head.channels // 8)
    out, at, many = bytearray(head.width * head.height * head.channels), 0, head.channels
    for (x, y, dx, dy), length, count, across in head.iter_passes():
        rows = _imaging().unfilter(packed_rows[at : at + count * (1 + length)], length, step)
        at += count * (1 + length)
        for number in range(count):
            values = _unpack_row(rows[number * length : (number + 1) * length], head)[: across * many]
            first = (y + number * dy) * head.width * many
            for channel in range(many):
                out[first + x * many + channel : first + head.width * many : dx * many] = values[channel::many]
    return bytes(out)


def _unpack_row(row: bytes, head: PngHeader) -> bytes:
    if head.depth >= 8:
        if head.colour == _GREY_TYPE and head.depth > _BYTE:  # grey alone is divided, as by to_opaque
            return bytes([int((high << 8 | low) * (1 / 257)) for high, low in zip(row[::2], row[1::2], strict=True)])
        return row[:: head.depth // 8]
    most = (1 << head.depth) - 1
    scale = 1 if head.colour == _PALETTE else _OPAQUE // most
    shifts = range(8 - head.depth, -1, -head.depth)
    return bytes([(value >> shift & most) * scale for value in row for shift in shifts])


def filter_rows(mode: str, size: tuple[int, int], pixels: bytes) -> bytes:
    """Return pixels (L, RGB, RGBA or CMYK) as a PNG's rows, uncompressed, each with the filter that Pillow chooses."""
    if not has_decoders():
        return bytes(_imaging().filter_rows(pixels, size[0] * len(mode), len(mode)))
    from PIL import Image

    # PNG has no pixels of four inks, but others of four bytes. What Pillow packs with depends on how it was built.
    rows = save_picture(Image.frombytes("RGBA" if mode == "CMYK" else mode, size, pixels), compress_level=0)
    return zlib.decompress(join_packed_rows(rows))


def save_picture(picture: "Image.Image", form: str = "PNG", **how: Any) -> bytes:
    """Return a picture as a file of this format. The options are Pillow's."""
    out = io.BytesIO()
    picture.save(out, format=form, **how)
    return out.getvalue()


def encode_png(mode: str, size: tuple[int, int], packed: bytes) -> bytes:
    """Return a PNG file (mode L, RGB or RGBA; size in pixels) of rows that are filtered and compressed already."""
    colour = next(colour for colour, channels in _CHANNELS.items() if channels == len(mode))
    parts = ((b"IHDR", struct.pack(">IIBBBBB", *size, 8, colour, 0, 0, 0)), (b"IDAT", packed), (b"IEND", b""))
    return _PNG + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )


MOST_PIXELS = 60_000_000
MOST_DECODED = 3_000_000_000
"""Maximum number of pixels to decode: each scan of a progressive JPEG decodes all of them again."""

_AT_ONCE = 1 << 24
_SCAN, _END = b"\xff\xda", b"\xff\xd9"
_GREY_MODES = ("1", "L", "LA")

KNOWN_FORMATS = "PNG, JPEG, WebP, GIF, TIFF or AVIF"
"""The picture formats that can be read. A file's extension does not matter."""

_BEGINNINGS = (
    ("PNG", "PngImagePlugin", re.compile(rb"\x89PNG\r\n\x1a\n")),
    ("JPEG", "JpegImagePlugin", re.compile(rb"\xff\xd8\xff")),
    ("GIF", "GifImagePlugin", re.compile(rb"GIF8[79]a")),
    ("WEBP", "WebPImagePlugin", re.compile(rb"RIFF....WEBP", re.DOTALL)),
    ("TIFF", "TiffImagePlugin", re.compile(rb"II\*\0|MM\0\*|II\+\0|MM\0\+")),
    ("AVIF", "AvifImagePlugin", re.compile(rb"....ftypavi[fs]|....ftypmi[fa]", re.DOTALL)),
)
"""The first bytes of each format, and the Pillow module that reads it."""

_PRINTED = frozenset(["1", "L", "LA", "La", "P", "PA", "RGB", "RGBA", "RGBa", "RGBX", "CMYK", "YCbCr", "I"])
"""Pillow's pixel modes that can be converted to grey, RGB or CMYK, besides the 16-bit ones (`I;16...`)."""

_SCANNED = ("JPEG", "MPO")
_WITH_FRAMES = ("PNG", "GIF", "WEBP", "TIFF", "AVIF")
_ORIENTATION = 0x0112
"""The Exif tag that states how the camera was rotated."""

_FLIPPED = 4
"""Above this orientation, width and height are exchanged."""

_BYTE = 8
_UNREADABLE_HERE = "save it as PNG, JPEG or WebP without animation, or use the installed program"


class PixelSize(NamedTuple):
    """Width and height of a picture in pixels after rotation, and True if the file contains several pictures."""

    width: int
    height: int
    first_of_several: bool


def read_checked_picture(path: Path, name: str) -> tuple[bytes, PixelSize]:
    """Return the bytes and size of a picture file. Raise InvalidInput if it is damaged (all of it is decoded) or unfit.

    Messages call the picture `name`.
    """
    try:
        data = read_file(path, "picture")
    except InvalidInput as unfit:
        raise InvalidInput(f"the picture '{name}': {unfit}", unfit.hint) from unfit
    return data, check_picture_bytes(data, name)


def check_picture_bytes(data: bytes, name: str) -> PixelSize:
    """Return a picture's size. Raise InvalidInput if it is damaged (all of it is decoded), too large or unprintable."""
    with _open_picture(data, name) as picture:
        width, height = picture.size
        if width * height > MOST_PIXELS:
            raise InvalidInput(*_explain_too_large(name, f"{width} x {height}"))
        if not (picture.mode in _PRINTED or picture.mode.startswith("I;16")):
            what = f"the picture '{name}' has pixels that are not printed ({picture.mode})"
            raise InvalidInput(what, "save it as grey, RGB or CMYK with 8 or 16 bits a channel")
        if picture.format in _SCANNED and data.count(_SCAN) * width * height > MOST_DECODED:
            raise InvalidInput(f"the picture '{name}' has too many layers of refinement", "save it as a plain JPEG")
        whole = _is_whole_png(data)
        if not has_decoders():
            _check_undecoded(picture, data, name)
        elif not whole:
            picture.load()
            # Faults of its colours show when they are converted; a single pixel is enough for that.
            if picture.has_transparency_data or picture.mode != "CMYK":
                split_transparency(picture.crop((0, 0, 1, 1)))
        # The extra picture that a phone adds to a photograph (MPO) is no further frame.
        several = picture.format in _WITH_FRAMES and bool(getattr(picture, "is_animated", False))
        width, height = turn_upright(picture, data).size
    if picture.format == "PNG":
        with _open_picture(data, name) as picture:
            picture.verify()  # the checksums, which decoding doesn't look at
            if not whole and _has_missing_rows(data):
                raise InvalidInput(f"the picture '{name}' is damaged: it ends before its last row", "save it again")
    return PixelSize(width, height, several)


def has_decoders() -> bool:
    """Return True if Pillow has its compiled part. In a browser, another module stands for it."""
    return not hasattr(_imaging(), "STANDS_IN")


def _imaging() -> Any:
    from PIL import _imaging

    return _imaging


_READABLE = {"PNG": ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"), "JPEG": ("L", "RGB", "CMYK"), "WEBP": ("RGB", "RGBA")}
"""Formats and pixel modes that are read without Pillow's decoders."""


def decode_layers(picture: "Image.Image", data: bytes) -> tuple[str, tuple[int, int], bytes, bytes]:
    """Return mode (L, RGB or CMYK), size, pixels and opacity (b"" if all are opaque) without Pillow's decoders."""
    if data.startswith(_PNG):
        mode, pixels, alpha = read_png_layers(data)
    else:
        form = "JPEG" if data.startswith(b"\xff\xd8") else "WEBP"
        mode, alpha, pixels = picture.mode, b"", _imaging().decode(form, picture.mode, data)
        if mode in ("RGB", "RGBA"):
            mode, alpha, pixels = "RGB", pixels[3::4], _join_channels([pixels[channel::4] for channel in range(3)])
            alpha = b"" if alpha.count(_OPAQUE) == len(alpha) else alpha
    if (orientation := _read_orientation(data)) == 1:
        return mode, picture.size, pixels, alpha
    width, height = picture.size
    size = (height, width) if orientation > _FLIPPED else (width, height)
    pixels, alpha = (
        _imaging().turn(layer, size, step, orientation) for layer, step in ((pixels, len(mode)), (alpha, 1))
    )
    return mode, picture.size, pixels, alpha


def flatten_layers(mode: str, pixels: bytes, alpha: bytes | None) -> bytes:
    """Return pixels (L, RGB or CMYK) as RGB; with an alpha (b"": opaque) as RGBA; without Pillow's decoders."""
    if mode == "CMYK":
        mode, pixels = "RGB", _imaging().mix_inks(pixels)
    channels = [pixels] * 3 if mode == "L" else [pixels[channel::3] for channel in range(3)]
    return _join_channels(channels if alpha is None else [*channels, alpha or b"\xff" * len(channels[0])])


def _join_channels(channels: list[bytes]) -> bytes:
    joined = bytearray(len(channels[0]) * len(channels))
    for at, channel in enumerate(channels):
        joined[at :: len(channels)] = channel
    return bytes(joined)


def _check_undecoded(picture: "Image.Image", data: bytes, name: str) -> None:
    """Raise InvalidInput for a picture that only Pillow's compiled part can read, and for a damaged one."""
    form, what = picture.format or "", f"the picture '{name}'"
    if picture.mode not in _READABLE.get(form, ()) or getattr(picture, "is_animated", False):
        raise InvalidInput(f"{what} is {form} in a form ({picture.mode}) which this site can't read", _UNREADABLE_HERE)
    if form == "JPEG" and data.rfind(_END) < data.rfind(_SCAN):
        raise InvalidInput(f"{what} is damaged: it ends before its last row", "save it again")
    if form == "PNG" and read_png_header(data).depth > _BYTE and dict(iter_png_chunks(data)).get(b"tRNS"):
        raise InvalidInput(f"{what} has 16 bits and a transparent colour, which this site can't read", _UNREADABLE_HERE)
    upright = turn_upright(picture, data)
    if form == "WEBP" or upright is not picture:
        decode_layers(upright, data)


def _read_orientation(data: bytes) -> int:
    """Return how the camera was rotated, by the number of Exif; 1 is upright."""
    from PIL import Image

    if data.startswith(_PNG):
        exif = Image.Exif()
        exif.load(dict(iter_png_chunks(data)).get(b"eXIf", b""))
    else:
        exif = Image.open(io.BytesIO(data)).getexif()
    orientation = int(exif.get(_ORIENTATION, 1))
    return orientation if orientation in range(2, 9) else 1


@contextmanager
def _open_picture(data: bytes, name: str) -> "Iterator[Image.Image]":
    """Yield the picture in some bytes. Raise InvalidInput for any fault, also one found while the block decodes it."""
    from PIL import Image, UnidentifiedImageError

    form, plugin = next(((form, plugin) for form, plugin, begins in _BEGINNINGS if begins.match(data)), ("", ""))
    if not form:
        raise InvalidInput(
            f"'{name}' is not a {KNOWN_FORMATS} picture, although its name says so", "save it as one of these"
        )
    if form not in _READABLE and not has_decoders():
        raise InvalidInput(f"the picture '{name}' is {form}, which this site can't read", _UNREADABLE_HERE)
    try:
        import_module(f"PIL.{plugin}")  # only this one: Pillow itself would load all its plugins
        with warnings.catch_warnings():
            # Our own limit is lower than PIL's warning limit; other warnings do not matter.
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=(form,)) as picture:
                yield picture
    except InvalidInput:
        raise
    except Image.DecompressionBombError:
        raise InvalidInput(*_explain_too_large(name, "far too many")) from None
    except (UnidentifiedImageError, ImportError):  # the latter by an older Pillow
        raise InvalidInput(*_explain_unreadable(name, form)) from None
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - damaged bytes end in whatever PIL's decoders stumble over
        told = " ".join(str(error).split())
        raise InvalidInput(f"the picture '{name}' is damaged{': ' if told else ''}{told}", "save it again") from None


def _has_missing_rows(data: bytes) -> bool:
    """Return True if a PNG with valid chunks has too few rows, which PIL would fill up."""
    missing, packed, unpacking = read_png_header(data).size, join_packed_rows(data), zlib.decompressobj()
    while missing > 0 and (piece := unpacking.decompress(packed, min(missing, _AT_ONCE))):
        missing, packed = missing - len(piece), unpacking.unconsumed_tail
    return missing > 0


_DATA = "data:image/"


def read_picture_bytes(path: Path) -> bytes:
    """Return the bytes of a picture, given as a file's path or as embedded data (`data:image/png;base64,`)."""
    text = path.as_posix()
    if text.startswith(_DATA):
        return base64.urlsafe_b64decode(text.partition(",")[2])
    return read_file(path, "picture")


def name_picture(path: Path) -> str:
    """Return the user's name for a picture: its file's name, if it has a file."""
    return "a picture without a file" if path.as_posix().startswith("data:") else path.name


def open_picture_file(path: Path, decode: bool = True) -> "tuple[Image.Image, bytes]":
    """Return a picture that was checked before, with its bytes. Raise ProblemsFound if it was damaged since.

    With `decode` unset, no pixels of a PNG may be read: it is not decoded, and faults in its pixels are not found.
    """
    from PIL import Image

    with locate_fault(Place(path.as_posix())):
        data = read_picture_bytes(path)
        with _open_picture(data, path.name) as picture:
            held = turn_upright(picture, data)
            if held is not picture:
                return held, data
            if picture.format not in ("JPEG", "" if decode else "PNG") and has_decoders():
                picture.load()
                return picture, data
        return Image.open(io.BytesIO(data)), data  # most are embedded unchanged, and need no further decoding


def turn_upright(picture: "Image.Image", data: bytes) -> "Image.Image":
    """Return the picture rotated upright by its Exif tag; the same object if it is upright already.

    Without decoders, the result has no pixels: decode_layers reads them.
    """
    from PIL import Image, ImageOps

    if has_decoders():
        # Pillow would decode a PNG to look for more than its Exif chunk.
        turned = _read_orientation(data) if data.startswith(_PNG) else picture.getexif().get(_ORIENTATION, 1)
        return picture if turned == 1 else ImageOps.exif_transpose(picture)
    if (orientation := _read_orientation(data)) == 1:
        return picture
    upright = Image.Image()
    upright._mode, upright.info = picture.mode, picture.info
    width, height = picture.size
    upright._size = (height, width) if orientation > _FLIPPED else (width, height)
    return upright


def split_transparency(picture: "Image.Image") -> "tuple[Image.Image, Image.Image | None]":
    """Return the picture without its alpha channel, and that channel, or None if nothing is transparent."""
    if not picture.has_transparency_data:
        return to_opaque(picture), None
    layered = picture.convert("LA" if picture.mode in _GREY_MODES else "RGBA")
    alpha = layered.getchannel("A")
    return to_opaque(layered), None if alpha.getextrema() == (255, 255) else alpha


def to_opaque(picture: "Image.Image") -> "Image.Image":
    """Return the picture in grey, RGB or CMYK with 8 bits a channel. Grey stays grey, for black ink."""
    if picture.mode == "CMYK":
        return picture
    if picture.mode in _GREY_MODES:
        return picture.convert("L")
    if picture.mode.startswith("I"):  # 16 bits of grey: Pillow's own conversion would clip at 255
        return picture.convert("I").point(lambda value: value / 257).convert("L")
    return picture.convert("RGB")


def _explain_too_large(name: str, size: str) -> tuple[str, str]:
    most = MOST_PIXELS // 1_000_000
    return f"the picture '{name}' has {size} pixels, more than {most} million", "600 dpi at its printed size is enough"


def _explain_unreadable(name: str, form: str) -> tuple[str, str]:
    from PIL import __version__, features

    if form in ("AVIF", "WEBP") and not features.check(form.lower()):
        return f"'{name}' is {form}, which Pillow {__version__} doesn't read here", "save it as PNG, or update Pillow"
    return f"the picture '{name}' is damaged: no {form} can be read from it", "save it again"
