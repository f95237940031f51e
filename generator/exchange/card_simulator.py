"""Card Game Simulator: exports a game as an archive with cards, decks and boards."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import click
from PIL import Image

from generator.base.archives import to_plain_key, zip_files
from generator.base.files import number_duplicates, to_safe_name
from generator.base.geometry import MM_PER_INCH, Rect, Size
from generator.base.languages import first_language
from generator.commands.options import open_project, run_order
from generator.commands.orders import Job
from generator.exchange.table_articles import (
    ONLINE,
    Album,
    Article,
    ArticleDeck,
    ArticleLot,
    OnlineOrder,
    dpi_option,
    is_fixed_board,
    largest_dpi,
    lay_boxes_in_rows,
    split_decks,
)
from generator.game.model import FaceName
from generator.sheets.raster import encode_png

MAT = 36 * MM_PER_INCH
"""Side of the mat, the background picture of the table (mm). A larger board gets a larger mat."""

MAT_DPI, MAT_COLOUR, MAT_EDGE, MAT_GAP = 60.0, "#35524a", 250.0, 20.0
"""Resolution (dpi) and colour of the mat's picture; space for cards beside the boards and between them (mm)."""


@dataclass(frozen=True, slots=True)
class SimulatedCard:
    """A piece as the simulator's card: its id, its set (the kind), and the id of its back."""

    article: Article
    id: str
    set: str
    back: str


def build_cgs_files(
    title: str, credit: str, lots: Sequence[ArticleLot], album: Album, dpi: int
) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of each file of a game for Card Game Simulator, in order. Pictures have at most `dpi`."""
    boards = [lot for lot in lots if is_fixed_board(lot)]
    others = [lot for lot in lots if lot not in boards]
    ids = [article.id for lot in others for article in lot.articles]
    keys = dict(zip(ids, number_duplicates(map(to_plain_key, ids)), strict=True))
    copies = Counter[Size]()
    of_cards = [each for each in others if each.kind.form == "card"]
    for each in of_cards or others:
        copies[each.kind.size] += sum(article.count for article in each.articles)
    size = max(copies, key=copies.__getitem__, default=Size(63.5, 88.9))
    backs: dict[str, tuple[str, Image.Image]] = {}
    cards: list[SimulatedCard] = []
    pictures: list[tuple[str, bytes]] = []
    for lot in others:
        fine = largest_dpi(size, dpi)
        for article, front, back in _render_sides(lot, album, fine):
            known = backs.setdefault(article.digests.get("back", lot.kind.id), (f"back-{len(backs) + 1}", back))
            key = keys[article.id]
            cards.append(SimulatedCard(article, key, lot.kind.id, known[0]))
            pictures.append((f"sets/{lot.kind.id}/{key}.png", encode_png(_pad_image(front, size, fine), fine)))
    mat = _draw_mat(boards, album) if boards else None
    yield "cgs.json", _to_json(_describe_game(title, credit, size, mat[0] if mat else None))
    entries = [
        {"id": card.id, "name": card.article.name, "set": card.set, "backs": [card.back], "kind": card.set}
        | {"text": card.article.says}
        for card in cards
    ]
    yield "AllCards.json", _to_json(entries)
    yield "AllSets.json", _to_json([{"code": lot.kind.id, "name": lot.name} for lot in others])
    yield from _write_decks(title, others, keys)
    for number, (name, image) in enumerate(backs.values()):
        picture = encode_png(_pad_image(image, size, largest_dpi(size, dpi)), dpi)
        if number == 0:
            yield "CardBack.png", picture
        yield f"backs/{name}.png", picture
    if mat:
        yield "PlayMat.png", encode_png(mat[1], MAT_DPI)
    yield from pictures


def _to_json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def _describe_game(title: str, credit: str, size: Size, mat: Size | None) -> Mapping[str, Any]:
    said = {
        "name": title, "cardNameIsUnique": False, "cardPrimaryProperty": "text",
        "cardProperties": [
            {"name": "kind", "display": "Kind", "type": "string"},
            {"name": "text", "display": "Text", "type": "string"},
        ],
        "cardSetIdentifier": "set", "cardSize": _size_in_inches(size), "deckFileTxtId": "id", "deckFileType": "txt",
        "gameDefaultCardAction": "flip", "gameStartHandCount": 0,
    }  # fmt: skip
    return said | ({"copyright": credit} if credit else {}) | ({"playMatSize": _size_in_inches(mat)} if mat else {})


def _size_in_inches(size: Size) -> Mapping[str, float]:
    return {"x": round(size.width / MM_PER_INCH, 4), "y": round(size.height / MM_PER_INCH, 4)}


def _render_sides(lot: ArticleLot, album: Album, dpi: float) -> Iterator[tuple[Article, Image.Image, Image.Image]]:
    """Yield each piece with pictures of front and back, transparent beyond the cut outline. A blank side is white."""
    kind = lot.kind
    for article in lot.articles:
        sides: list[Image.Image] = []
        for side in _FACES:
            drawing = article.faces.get(side) if side == "front" or kind.form != "cube" else None
            face = album.render_face(article.front if drawing is None else drawing, dpi)
            face = face if drawing is not None else Image.new("RGB", face.size, "white")
            sides.append(album.cut_out(face, kind, side, dpi))
        yield article, sides[0], sides[1]


_FACES: tuple[FaceName, FaceName] = ("front", "back")


def _pad_image(image: Image.Image, size: Size, dpi: float) -> Image.Image:
    """Return a piece's picture in the middle of a transparent card of `size` (mm), reduced if it is larger."""
    wide, high = (round(side * dpi / MM_PER_INCH) for side in (size.width, size.height))
    if abs(image.width - wide) <= 1 and abs(image.height - high) <= 1:
        return image
    scale = min(wide / image.width, high / image.height, 1.0)
    shown = image.resize((max(1, round(image.width * scale)), max(1, round(image.height * scale))))
    card = Image.new("RGBA", (wide, high), (0, 0, 0, 0))
    card.paste(shown, ((wide - shown.width) // 2, (high - shown.height) // 2))
    return card


def _write_decks(title: str, lots: Sequence[ArticleLot], keys: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """Yield path and text of a list for each deck and each other kind; its lines are copies, piece's key, name."""
    piles = [
        (deck.name, deck.articles)
        for lot in lots
        for deck in (split_decks(lot) if lot.kind.form == "card" else [ArticleDeck(lot.name, lot.articles)])
    ]
    names = number_duplicates(to_safe_name(name) for name, _ in piles)
    for name, (shown, articles) in zip(names, piles, strict=True):
        out = StringIO()
        out.write(f"### {' '.join(title.split())} Deck: {' '.join(shown.split())}\n")
        for article in articles:
            out.write(f"{article.count} [{keys[article.id]}] {' '.join(article.name.split())}\n")
        yield f"decks/{name}.txt", out.getvalue().encode("utf-8")


def _draw_mat(boards: Sequence[ArticleLot], album: Album) -> tuple[Size, Image.Image]:
    laid = lay_boxes_in_rows([lot.kind.size for lot in boards], MAT, MAT_GAP)
    size = Size(max(MAT, laid.size.width + 2 * MAT_EDGE), max(MAT, laid.size.height + 2 * MAT_EDGE))
    dots = MAT_DPI / MM_PER_INCH
    picture = Image.new("RGB", (round(size.width * dots), round(size.height * dots)), MAT_COLOUR)
    left, top = (size.width - laid.size.width) / 2, (size.height - laid.size.height) / 2
    for lot, box in zip(boards, laid.boxes, strict=True):
        place: Rect = box.move(left, top)
        board = album.cut_out(album.render_face(lot.articles[0].front, MAT_DPI), lot.kind, "front", MAT_DPI)
        picture.paste(board, (round(place.x * dots), round(place.y * dots)), board if board.mode == "RGBA" else None)
    return size, picture


@click.command()
@ONLINE
@dpi_option(200, "Resolution of a face in pixels per inch.")
@click.pass_obj
def cgs(obj: Path | None, /, **options: Any) -> None:
    """Export to Card Game Simulator, as an archive."""
    run_order(open_project(obj, options), options, CgsOrder)


@dataclass(frozen=True, slots=True)
class CgsOrder(OnlineOrder):
    """Exports each game as archives for Card Game Simulator: one zip of cards, decks and boards for each edition."""

    dpi: int = 200

    def write_edition(self, job: Job, edition: str, lots: list[ArticleLot], _written: set[str]) -> None:
        """Write an edition as a zip for Card Game Simulator. `_written` is unused: all pictures are in the zip."""
        game, lang, stem = job.workshop.game, first_language(edition), self.name_files(job.workshop.game, edition)
        job.progress(f"{game.id}: cgs ({edition})")
        album = Album(job.workshop, lang, game.id, str)
        credit = " ".join(f"{game.credit[lang]} {game.licence[lang]}".split())
        files = build_cgs_files(game.title[lang], credit, lots, album, self.dpi)
        archive = zip_files((f"{stem}/{name}", data) for name, data in files)
        job.files.put(self.out / game.id / "cgs" / f"{stem}.cgs.zip", archive)
