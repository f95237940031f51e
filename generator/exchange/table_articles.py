"""Pieces for online tables: designs with names, copies and sides, in decks and rows; an album of their pictures."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil
from pathlib import Path

import click
from PIL import Image

from generator.base.archives import to_plain_key
from generator.base.display_list import Drawing
from generator.base.errors import Problem, raise_problems
from generator.base.files import number_duplicates, to_safe_name
from generator.base.geometry import MM_PER_INCH, Rect, Size
from generator.base.languages import first_language, second_language
from generator.base.output_files import Delivery
from generator.books.check_list import find_design_names
from generator.commands.options import GAMES, LANGS, ONLY, OUT, PROJECT, Command, combine_options
from generator.commands.orders import GameOutput, Job, Order, editions_of
from generator.drawing.faces.game_drawing import DesignNamer, Workshop, collect_design_texts, strip_markup
from generator.game.model import Design, FaceName, Game, Kind
from generator.rules.engine.table import piece_name
from generator.sheets.page_marks import mirror_back_outline
from generator.sheets.pieces import pick_designs
from generator.sheets.raster import cut_away, encode_png, make_cut_page, make_face_page, render_pages

NAMING = ("name", "title")
"""Fields left out of a piece's text, because they are its name."""


@dataclass(frozen=True, slots=True)
class Article:
    """A design for an online table: name, text, copies, drawings of its sides, and their hashes (hex)."""

    id: str
    name: str
    says: str
    count: int
    faces: Mapping[FaceName, Drawing]
    digests: Mapping[FaceName, str]

    @property
    def front(self) -> Drawing:
        """Return the side that every design has."""
        return self.faces["front"]

    @property
    def back(self) -> Drawing | None:
        """Return the other side, or None if it stays blank."""
        return self.faces.get("back")


@dataclass(frozen=True, slots=True)
class ArticleLot:
    """The pieces of one kind, in the order of the data, and the kind's name without markup."""

    kind: Kind
    name: str
    articles: tuple[Article, ...]


def make_lots(
    workshop: Workshop, edition: str, designs: Sequence[Design], called: DesignNamer, spare: int = 0
) -> list[ArticleLot]:
    """Return the designs by kind, drawn in one or two languages. Raise ProblemsFound with everything wrong.

    A design without copies is left out, or gets `spare` copies. `called` gives a design its name.
    """
    problems: list[Problem] = []
    workshop.draw_all(designs, [edition])
    found = list(_iter_lots(workshop, edition, designs, called, spare, problems))
    raise_problems([*workshop.problems, *problems])
    return found


def _iter_lots(
    workshop: Workshop,
    edition: str,
    designs: Sequence[Design],
    called: DesignNamer,
    spare: int,
    problems: list[Problem],
) -> Iterator[ArticleLot]:
    game, lang = workshop.game, first_language(edition)
    for kind in game.kinds.values():
        articles = []
        for design in designs:
            count = design.count or spare
            if design.kind != kind.id or not count:
                continue
            drawn = {face: workshop.draw_face(design, face, edition) for face in kind.faces(design)}
            faces = {face: drawing for face, drawing in drawn.items() if drawing is not None}
            if len(faces) < len(drawn):
                continue  # see the workshop's problems
            digests = {face: workshop.digest_face(drawing) for face, drawing in faces.items()}
            texts = collect_design_texts(workshop.artist, game, design, lang, called, problems, without=NAMING)
            says = "\n".join(texts.values())
            articles.append(Article(design.id, called(design, lang), says, count, faces, digests))
        if articles:
            name = strip_markup(game, kind.name[lang], lang, called, kind.place, problems)
            yield ArticleLot(kind, " ".join(name.split()), tuple(articles))


@dataclass(frozen=True, slots=True)
class ArticleDeck:
    """Cards that form one pile. With `own_backs` their backs differ; otherwise all have the first card's back."""

    name: str
    articles: tuple[Article, ...]
    own_backs: bool = False

    @property
    def cards(self) -> int:
        """Return the number of cards in it."""
        return sum(article.count for article in self.articles)


def split_decks(lot: ArticleLot) -> list[ArticleDeck]:
    """Return the decks of a kind: cards with equal backs; all cards with a unique back. Number several decks."""
    by_back: dict[str, list[Article]] = {}
    for article in lot.articles:
        by_back.setdefault(article.digests.get("back", ""), []).append(article)
    shared = [articles for articles in by_back.values() if len(articles) > 1]
    single = [articles[0] for articles in by_back.values() if len(articles) == 1]
    piles: list[tuple[Sequence[Article], bool]] = [(articles, False) for articles in shared]
    if single:
        piles.append((single, len(single) > 1))
    order = {article.id: at for at, article in enumerate(lot.articles)}
    piles.sort(key=lambda pile: order[pile[0][0].id])
    many = len(piles) > 1
    return [
        ArticleDeck(f"{lot.name} {n}" if many else lot.name, tuple(articles), own)
        for n, (articles, own) in enumerate(piles, 1)
    ]


def is_fixed_board(lot: ArticleLot) -> bool:
    """Return True for a kind with a single board without a back, which can be fixed to the table."""
    return (
        lot.kind.form == "board" and len(lot.articles) == 1 and lot.articles[0].count == 1 and not lot.articles[0].back
    )


_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class BoxLayout:
    """Boxes laid out: their positions and total size, in the unit of the boxes."""

    boxes: tuple[Rect, ...]
    size: Size


def lay_boxes_in_rows(sizes: Sequence[Size], width: float, gap: float) -> BoxLayout:
    """Lay boxes in rows from the top left, `gap` apart.

    A row is at most `width` long, except for a single longer box.
    """
    boxes: list[Rect] = []
    x = y = high = longest = 0.0
    for size in sizes:
        if x and x + size.width > width + _SLACK:
            x, y, high = 0.0, y + high + gap, 0.0
        boxes.append(Rect(x, y, size.width, size.height))
        high = max(high, size.height)
        longest = max(longest, x + size.width)
        x += size.width + gap
    return BoxLayout(tuple(boxes), Size(longest, y + high))


ONLINE = combine_options([GAMES, LANGS, OUT, ONLY, PROJECT])
"""The options of every export for online tables, besides its resolution."""


def dpi_option(usual: int, what: str) -> Callable[[Command], Command]:
    """Return a decorator that adds the option --dpi, the resolution of faces, by default `usual`, with help `what`."""
    return click.option("--dpi", type=click.IntRange(36, 600), default=usual, show_default=True, help=what)


def url_option(what: str) -> Callable[[Command], Command]:
    """Return a decorator that adds the option --url, the address of the files on the web, with `what` as help."""
    return click.option("--url", default="", metavar="BASE", help=what)


@dataclass(frozen=True, slots=True)
class OnlineOrder(Order):
    """Options of every export for online tables; `dpi` is the highest resolution of a face."""

    dpi: int = 300

    def make(self, job: Job) -> GameOutput:
        """Make the files of one game, edition by edition."""
        editions: list[str] = []
        written: set[str] = set()
        for edition, lots in iter_online_editions(job, self):
            self.write_edition(job, edition, lots, written)
            editions.append(edition)
        return GameOutput(tuple(editions))

    def write_edition(self, job: Job, edition: str, lots: list[ArticleLot], written: set[str]) -> None:
        """Write the files of an edition. `written` are the names of pictures that earlier editions have written."""
        raise NotImplementedError

    def name_files(self, game: Game, edition: str) -> str:
        """Return the common part of an edition's file names. A selection must not replace the whole game."""
        return f"{'selection' if self.only else game.id}.{edition}"


def iter_online_editions(job: Job, order: OnlineOrder) -> Iterator[tuple[str, list[ArticleLot]]]:
    """Yield each edition of a game with its pieces. A design named with --only gets at least one copy."""
    workshop, game = job.workshop, job.workshop.game
    designs = pick_designs(game, order.only)
    if not designs:
        return
    called = player_names(workshop)
    for edition in editions_of(game, order.languages):
        job.progress(f"{game.id}: faces ({edition})")
        found = make_lots(workshop, edition, designs, called, spare=1 if order.only else 0)
        if found and (not second_language(edition) or workshop.has_both_languages(edition)):
            yield edition, found


def player_names(workshop: Workshop) -> DesignNamer:
    """Return a function that names a design: as players call it, by its own name, or by kind and id."""
    problems: list[Problem] = []
    names = find_design_names(workshop, problems)
    raise_problems(problems)

    def name_of(design: Design, lang: str) -> str:
        own = names[design.id].get(lang, "")
        if own and workshop.game.kinds[design.kind].called is None:
            return own
        return piece_name(workshop.game, design.id, lang)

    return name_of


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
        """Return one face, as it looks when cut, as a picture of this resolution."""
        return self.render_faces([drawing], dpi)[0]

    def cut_out(self, image: Image.Image, kind: Kind, side: FaceName, dpi: float) -> Image.Image:
        """Return the picture as RGBA, transparent beyond the kind's outline (mirrored for backs) and round corners."""
        outline = kind.outline
        if outline and kind.template_side(side) == "back":
            outline = mirror_back_outline(outline, kind.size.width)
        corner = kind.corner if kind.form == "card" else 0.0
        (cut,) = render_pages(self._workshop, [make_cut_page(kind.size.width, kind.size.height, corner, outline)], dpi)
        return cut_away(image, cut)

    def keep_picture(self, stem: str, image: Image.Image, dpi: float) -> str:
        """Store a picture as a PNG file named by `stem` and a hash, equal ones only once. Return its address."""
        shown = hashlib.sha256(f"{image.mode} {image.size}".encode() + image.tobytes()).hexdigest()
        if shown not in self._kept:
            name = f"{stem}-{shown[:HASH_IN_NAME]}.png"
            self._kept[shown] = self._keep_asset(name, lambda: encode_png(image, dpi))
        return self._kept[shown]

    def keep_file(self, stem: str, suffix: str, data: bytes) -> str:
        """Store any other file, named by `stem`, a hash and `suffix`. Return its address."""
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
    """Return the faces on each sheet: evenly filled, as few sheets as stay legible. `most` is the highest dpi."""
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
    """Return a game's piles: decks of cards, other pieces one by one. Store their pictures, as `picturing` says."""
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
