"""The picture album of an export: stores pictures of faces once each, makes sheets of cards and piles."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil
from pathlib import Path

from PIL import Image

from generator.base.archives import to_plain_key
from generator.base.display_list import Drawing
from generator.base.files import number_duplicates, to_safe_name
from generator.base.geometry import MM_PER_INCH, Size
from generator.base.output_files import Delivery
from generator.drawing.faces.game_drawing import Workshop
from generator.exchange.table_articles import Article, ArticleDeck, ArticleLot, is_fixed_board, split_decks
from generator.game.model import FaceName, Kind
from generator.sheets.page_marks import mirror_back_outline
from generator.sheets.raster import cut_away, encode_png, make_cut_page, make_face_page, render_pages

HASH_IN_NAME = 12
"""Number of hex digits of the hash in the file names of pictures."""

BLANK_SIDE, THUMBNAIL = 64, 256
"""Side of the picture for a blank side, and of a thumbnail (pixels)."""


class Album:
    """Stores the pictures of one export, each once. `address` returns the address for a file name.

    `assets` are the files stored so far, by name.
    """

    def __init__(self, workshop: Workshop, lang: str, prefix: str, address: Callable[[str], str]):
        self._workshop, self._lang, self._prefix, self._address = workshop, lang, prefix, address
        self.assets: dict[str, bytes] = {}
        self._kept: dict[str, str] = {}

    def render_faces(self, drawings: Sequence[Drawing], dpi: float) -> list[Image.Image]:
        """Return the faces as cut, RGB on white. A drawing that occurs several times is rendered once."""
        once = {id(drawing): drawing for drawing in drawings}
        pages = [make_face_page(drawing, False) for drawing in once.values()]
        images = dict(zip(once, render_pages(self._workshop, pages, dpi, self._lang), strict=True))
        return [images[id(drawing)] for drawing in drawings]

    def render_face(self, drawing: Drawing, dpi: float) -> Image.Image:
        """Return one face as it looks when cut."""
        return self.render_faces([drawing], dpi)[0]

    def cut_out(self, image: Image.Image, kind: Kind, side: FaceName, dpi: float) -> Image.Image:
        """Return the picture as RGBA, transparent beyond the kind's outline, which is mirrored for backs."""
        outline = kind.outline
        if outline and kind.template_side(side) == "back":
            outline = mirror_back_outline(outline, kind.size.width)
        corner = kind.corner if kind.form == "card" else 0.0
        (cut,) = render_pages(self._workshop, [make_cut_page(kind.size.width, kind.size.height, corner, outline)], dpi)
        return cut_away(image, cut)

    def keep_picture(self, stem: str, image: Image.Image, dpi: float) -> str:
        """Store a picture as a PNG file, equal ones only once. Return its address."""
        shown = hashlib.sha256(f"{image.mode} {image.size}".encode() + image.tobytes()).hexdigest()
        if shown not in self._kept:
            name = f"{stem}-{shown[:HASH_IN_NAME]}.png"
            self._kept[shown] = self._keep_asset(name, lambda: encode_png(image, dpi))
        return self._kept[shown]

    def keep_file(self, stem: str, suffix: str, data: bytes) -> str:
        """Store any other file. Return its address."""
        return self._keep_asset(f"{stem}-{hashlib.sha256(data).hexdigest()[:HASH_IN_NAME]}{suffix}", lambda: data)

    def keep_blank(self) -> str:
        """Store a white picture for blank sides. Return its address."""
        return self.keep_picture("blank", Image.new("RGB", (BLANK_SIDE, BLANK_SIDE), "white"), 72)

    def _keep_asset(self, name: str, data: Callable[[], bytes]) -> str:
        full = f"{self._prefix}-{to_safe_name(name)}"
        if full not in self.assets:
            self.assets[full] = data()
        return self._address(full)

    def write_assets(self, files: Delivery, folder: Path, written: set[str]) -> None:
        """Write the files that are not in `written`, and add them there: editions share pictures without words."""
        for name in (one for one in self.assets if one not in written):
            files.put(folder / name, self.assets[name])
        written.update(self.assets)


def render_thumbnail(album: Album, drawing: Drawing) -> bytes:
    """Return a small square PNG of a face on white, for a program's list of games."""
    face = album.render_face(drawing, THUMBNAIL * MM_PER_INCH / max(drawing.width, drawing.height))
    picture = Image.new("RGB", (THUMBNAIL, THUMBNAIL), "white")
    picture.paste(face, ((THUMBNAIL - face.width) // 2, (THUMBNAIL - face.height) // 2))
    return encode_png(picture, 72)


MOST_SIDE = 4096
"""Largest side of a picture that every online table accepts (pixels)."""

COLUMNS, ROWS = range(2, 11), range(2, 8)

MOST_FACES = 69
"""Largest number of faces on a sheet. The last slot shows what others see of a hidden card."""

LEGIBLE = 200.0
"""Below this resolution (dpi) small print is hard to read; another sheet is used instead."""


@dataclass(frozen=True, slots=True)
class SlotGrid:
    """Columns and rows of a sheet of card faces, and their resolution (dpi)."""

    columns: int
    rows: int
    dpi: int

    @property
    def slots(self) -> int:
        """Return the number of slots."""
        return self.columns * self.rows


def choose_grid(faces: int, size: Size, most: int) -> SlotGrid:
    """Return the grid with room for `faces` + 1 faces at the highest dpi, at most `most`.

    Of equal grids, return the one with the fewest slots. Raise ValueError for no faces or too many for a sheet.
    """
    if not 1 <= faces <= MOST_FACES:
        raise ValueError(f"{faces} faces on a sheet of at most {MOST_FACES}")
    grids = []
    for columns, rows in product(COLUMNS, ROWS):
        if columns * rows > faces:  # each slot is rounded up to whole pixels
            wide = MOST_SIDE // columns * MM_PER_INCH / size.width
            high = MOST_SIDE // rows * MM_PER_INCH / size.height
            grids.append(SlotGrid(columns, rows, max(1, int(min(most, wide, high)))))
    return max(grids, key=lambda grid: (grid.dpi, -grid.slots, grid.columns))


def faces_per_sheet(faces: int, size: Size, most: int) -> list[int]:
    """Return the number of faces on each sheet: evenly filled, with as few sheets as stay legible."""
    wanted = min(LEGIBLE, most, choose_grid(1, size, most).dpi)
    sheets = ceil(faces / MOST_FACES)
    while choose_grid(ceil(faces / sheets), size, most).dpi < wanted:
        sheets += 1
    whole, over = divmod(faces, sheets)
    return [whole + (sheet < over) for sheet in range(sheets)]


def fill_sheet(grid: SlotGrid, faces: Sequence[Image.Image], hidden: Image.Image) -> Image.Image:
    """Return a picture with the faces in the grid's slots, `hidden` in the last slot, and white in free ones."""
    width, height = faces[0].size
    picture = Image.new("RGB", (grid.columns * width, grid.rows * height), "white")
    for slot, face in (*enumerate(faces), (grid.slots - 1, hidden.resize((width, height)))):
        row, column = divmod(slot, grid.columns)
        picture.paste(face, (column * width, row * height))
    return picture


def largest_dpi(size: Size, most: float) -> float:
    """Return the dpi of a single picture: at most `most`, and within the pixels that a table accepts."""
    return min(most, *((MOST_SIDE - 1) * MM_PER_INCH / side for side in (size.width, size.height)))


def piece_dpi(size: Size, most: float, least: int) -> float:
    """Return the dpi of a piece other than a card: above `most` so that its short side has `least` pixels, if small."""
    return largest_dpi(size, max(most, least * MM_PER_INCH / min(size.width, size.height)))


@dataclass(frozen=True, slots=True)
class PictureSettings:
    """How the faces of a kind become pictures: dpi, `cut` (transparent beyond the outline), and the sides needed."""

    dpi: float
    cut: bool
    sides: Sequence[FaceName]


@dataclass(frozen=True, slots=True)
class KeyedArticle:
    """A piece with its id on the online table (`key`), and the addresses of the pictures of its sides."""

    article: Article
    key: str
    sides: Mapping[FaceName, str]

    @property
    def front(self) -> str:
        """Return the address of its front."""
        return self.sides["front"]

    @property
    def back(self) -> str:
        """Return the address of its back, or an empty string if it stays blank."""
        return self.sides.get("back", "")


@dataclass(frozen=True, slots=True)
class Pile:
    """What is at one place of an online table: a pile of cards, equal pieces, or a fixed board."""

    id: str
    name: str
    kind: Kind
    shown: tuple[KeyedArticle, ...]
    board: bool

    @property
    def size(self) -> Size:
        """Return the size of a card or piece (mm)."""
        return self.kind.size

    @property
    def cards(self) -> int:
        """Return the number of cards or pieces in it."""
        return sum(shown.article.count for shown in self.shown)


def make_piles(lots: Sequence[ArticleLot], album: Album, picturing: Callable[[Kind], PictureSettings]) -> list[Pile]:
    """Return the piles of a game by kind: decks of cards, other pieces one by one. Store their pictures."""
    found = []
    ids = [article.id for lot in lots for article in lot.articles]
    keys = dict(zip(ids, number_duplicates(map(to_plain_key, ids)), strict=True))
    for lot in lots:
        shown = {each.article.id: each for each in _key_articles(lot, keys, album, picturing(lot.kind))}
        # Players take cards by their backs, and other pieces one by one.
        single = [ArticleDeck(article.name, (article,)) for article in lot.articles]
        for deck in split_decks(lot) if lot.kind.form == "card" else single:
            inside = tuple(shown[article.id] for article in deck.articles)
            found.append(Pile(f"pile-{inside[0].key}", deck.name, lot.kind, inside, is_fixed_board(lot)))
    return found


def _key_articles(
    lot: ArticleLot, keys: Mapping[str, str], album: Album, settings: PictureSettings
) -> Iterator[KeyedArticle]:
    wanted = [(a, side, a.faces[side]) for a in lot.articles for side in settings.sides if side in a.faces]
    images = album.render_faces([drawing for _, _, drawing in wanted], settings.dpi)
    kept: dict[str, dict[FaceName, str]] = {}
    for (article, side, _), face in zip(wanted, images, strict=True):
        image = album.cut_out(face, lot.kind, side, settings.dpi) if settings.cut else face
        kept.setdefault(article.id, {})[side] = album.keep_picture(f"{keys[article.id]}-{side}", image, settings.dpi)
    for article in lot.articles:
        yield KeyedArticle(article, keys[article.id], kept[article.id])
