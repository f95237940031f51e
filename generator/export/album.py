"""Pictures of faces as files whose names hold a hash of what they show: an address never shows two pictures."""

import hashlib
from collections.abc import Callable, Mapping, Sequence

from PIL import Image

from generator.dataclass import dataclass
from generator.faces.workshop import Workshop
from generator.model.drawing import Drawing
from generator.model.game import FaceName, Kind
from generator.printshop.file_names import safe_name
from generator.printshop.raster import cut_image, cut_shape, face_page_of, page_images, png
from generator.sheets.cutting import back_outline
from generator.units import MM_PER_INCH

HASH_IN_NAME = 12
"""So many hex digits of sha256 tell pictures apart."""

BLANK_SIDE, THUMBNAIL = 64, 256
"""Pixels of a white picture, and of one that is small."""


@dataclass(frozen=True, slots=True)
class Asset:
    """A file that an online table loads."""

    name: str
    data: bytes


class Album:
    """The pictures of one export, each kept once. `address` gives where a file of a name will be found."""

    def __init__(self, workshop: Workshop, lang: str, prefix: str, address: Callable[[str], str]):
        self._workshop, self._lang, self._prefix, self._address = workshop, lang, prefix, address
        self._assets: dict[str, Asset] = {}
        self._kept: dict[str, str] = {}

    @property
    def assets(self) -> Mapping[str, Asset]:
        """Every file kept so far, by name."""
        return self._assets

    def faces(self, drawings: Sequence[Drawing], dpi: float) -> list[Image.Image]:
        """Faces as they look when cut, RGB on white; the same drawing is rendered once."""
        once = {id(drawing): drawing for drawing in drawings}
        pages = [face_page_of(drawing, False) for drawing in once.values()]
        images = dict(zip(once, page_images(self._workshop, pages, dpi, self._lang), strict=True))
        return [images[id(drawing)] for drawing in drawings]

    def face(self, drawing: Drawing, dpi: float) -> Image.Image:
        """One face as it looks when cut."""
        return self.faces([drawing], dpi)[0]

    def cut_out(self, image: Image.Image, kind: Kind, side: FaceName, dpi: float) -> Image.Image:
        """The picture of a kind's face with nothing where the outline leaves none, RGBA; a back is seen from behind."""
        outline = kind.outline
        if outline and kind.drawn_as(side) == "back":
            outline = back_outline(outline, kind.size.width)
        corner = kind.corner if kind.form == "card" else 0.0
        (cut,) = page_images(self._workshop, [cut_shape(kind.size.width, kind.size.height, corner, outline)], dpi)
        return cut_image(image, cut)

    def keep(self, stem: str, image: Image.Image, dpi: float) -> str:
        """Keep a picture as a PNG, an equal one only once; its address."""
        shown = hashlib.sha256(f"{image.mode} {image.size}".encode() + image.tobytes()).hexdigest()
        known = self._kept.get(shown)
        if known is None:
            known = self._kept[shown] = self._keep(f"{stem}-{shown[:HASH_IN_NAME]}.png", lambda: png(image, dpi))
        return known

    def keep_file(self, stem: str, suffix: str, data: bytes) -> str:
        """Keep any other file; its address."""
        return self._keep(f"{stem}-{hashlib.sha256(data).hexdigest()[:HASH_IN_NAME]}{suffix}", lambda: data)

    def blank(self) -> str:
        """The address of a white picture, for sides that stay blank."""
        return self.keep("blank", Image.new("RGB", (BLANK_SIDE, BLANK_SIDE), "white"), 72)

    def _keep(self, name: str, data: Callable[[], bytes]) -> str:
        full = f"{self._prefix}-{safe_name(name)}"
        if full not in self._assets:
            self._assets[full] = Asset(full, data())
        return self._address(full)


def thumbnail(album: Album, drawing: Drawing) -> bytes:
    """A small square PNG of a face, white beside it: what a program shows of a game among others."""
    face = album.face(drawing, THUMBNAIL * MM_PER_INCH / max(drawing.width, drawing.height))
    picture = Image.new("RGB", (THUMBNAIL, THUMBNAIL), "white")
    picture.paste(face, ((THUMBNAIL - face.width) // 2, (THUMBNAIL - face.height) // 2))
    return png(picture, 72)
