"""PlayingCards.io: exports a game as a room, and lists for its deck editor."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

import click

from generator.base.archives import zip_files
from generator.base.geometry import Rect, Size
from generator.base.languages import count_columns, first_language
from generator.commands.options import open_project, parse_address, run_order
from generator.commands.orders import Job
from generator.exchange.table_articles import (
    ONLINE,
    Album,
    ArticleLot,
    BoxLayout,
    OnlineOrder,
    PictureSettings,
    Pile,
    dpi_option,
    lay_boxes_in_rows,
    make_piles,
    piece_dpi,
    url_option,
)
from generator.game.model import FaceName, Kind

Widget: TypeAlias = dict[str, Any]

ROOM, HAND_HIGH = Size(1600, 1000), 180
"""Size of a room's table, and height of the players' hand at its lower edge (the table's pixels)."""

CARD_WIDE = 103 / 63
"""Largest scale (pixels per mm): at it a card is as wide as the table's own playing card, 103 pixels."""

EDGE, GAP, FRAME, LABEL, LETTER = 20.0, 14.0, 4.0, 20.0, 6.5
"""Pixels: margin of the table, gap between piles, frame around a pile, height of its name, width of a letter."""

NAME_WIDE = 140.0
"""Largest width reserved for a name (pixels). A longer name may overlap its neighbours."""

STEP = 0.97
"""Factor by which the scale is reduced, repeatedly, until everything fits the table."""

LEAST_SIDE = 120
"""Smallest shorter side of a small piece (pixels)."""

PACKAGE = "package://userassets/"
"""Prefix that widgets use for pictures inside the archive."""

SCHEMA = "8"  # from 6 on, the place of a pile is a `holder`

HEADER = ("image", "label", "item-count", "item-key")


def make_room_piles(lots: Sequence[ArticleLot], album: Album, dpi: int) -> list[Pile]:
    """Return the piles of a room, and store their pictures in the album.

    A piece with an outline is transparent beyond it. A cube shows only its front. Small pieces have more than `dpi`.
    """

    def choose_settings(kind: Kind) -> PictureSettings:
        sides: tuple[FaceName, ...] = ("front",) if kind.form == "cube" else ("front", "back")
        return PictureSettings(piece_dpi(kind.size, dpi, LEAST_SIDE), bool(kind.outline), sides)

    return make_piles(lots, album, choose_settings)


def write_room(piles: Sequence[Pile], assets: Mapping[str, bytes]) -> bytes:
    """Return the room's archive: its widgets, the pictures that they show (`assets`), and the format version."""
    scale, around, laid = _fit_table(piles)
    widgets: list[Widget] = [{"type": "hand", "id": "hand", "x": 50, "y": ROOM.height - HAND_HIGH, "z": 1}]
    for depth, (pile, box) in enumerate(zip(piles, laid.boxes, strict=True), 2):
        place = box.move(EDGE, EDGE + LABEL * around)
        widgets += (_make_board if pile.board else partial(_make_pile, frame=FRAME * around))(pile, scale, place, depth)
    files = [
        ("widgets.json", (json.dumps(widgets, ensure_ascii=False, indent=1) + "\n").encode()),
        ("schemaVersion", SCHEMA.encode()),
        *((f"userassets/{name}", data) for name, data in assets.items()),
    ]
    return zip_files(files)


def write_deck_list(pile: Pile, address: Callable[[str], str]) -> bytes:
    """Return the CSV of a pile for the deck editor: picture, name, copies, key. `address` returns a picture's URL."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(HEADER)
    for shown in pile.shown:
        writer.writerow((address(shown.front), shown.article.name, shown.article.count, shown.key))
    return out.getvalue().encode("utf-8")


def _fit_table(piles: Sequence[Pile]) -> tuple[float, float, BoxLayout]:
    """Return the largest scale at which all piles fit (pixels per mm), the scale of frames and names, and the layout.

    Frames, gaps and names shrink only when the pieces are at half their usual size, so that any number of piles fits.
    """
    scale = CARD_WIDE
    space = Size(ROOM.width - 2 * EDGE, ROOM.height - HAND_HIGH - 2 * EDGE)
    while True:
        around = min(1.0, 2 * scale / CARD_WIDE)
        laid = lay_boxes_in_rows([_measure_pile(pile, scale, around) for pile in piles], space.width, GAP * around)
        if laid.size.width <= space.width and laid.size.height <= space.height:
            return scale, around, laid
        scale *= STEP


def _measure_pile(pile: Pile, scale: float, around: float) -> Size:
    """Return a pile's size in pixels, `scale` to a mm, with its frame and name, `around` times as large as usual."""
    frame = 0.0 if pile.board else 2 * FRAME * around
    name = 0.0 if pile.board else min(count_columns(pile.name) * LETTER, NAME_WIDE) * around
    width, height = pile.size.width * scale + frame, pile.size.height * scale + frame
    return Size(max(width, name), height + LABEL * around)


def _make_board(pile: Pile, scale: float, place: Rect, depth: int) -> Iterator[Widget]:
    board = {"type": "board", "id": pile.id, "x": round(place.x, 2), "y": round(place.y, 2), "z": depth}
    width, height = round(pile.size.width * scale, 2), round(pile.size.height * scale, 2)
    yield {**board, "width": width, "height": height, "boardImage": pile.shown[0].front}


def _make_pile(pile: Pile, scale: float, place: Rect, depth: int, *, frame: float) -> Iterator[Widget]:
    """Yield a pile's widgets: its place at z `depth` with a `frame` (pixels), its deck of designs, and every copy."""
    width, height = round(pile.size.width * scale, 2), round(pile.size.height * scale, 2)
    left = place.x + (place.width - width) / 2  # centred below its name
    inside = {"x": round(left, 2), "y": round(place.y + frame, 2)}
    yield {
        "type": "holder", "id": pile.id, "label": pile.name, "x": round(left - frame, 2), "y": round(place.y, 2),
        "z": depth, "width": round(width + 2 * frame, 2), "height": round(height + 2 * frame, 2),
        "hasShuffleButton": pile.kind.form == "card" and pile.cards > 1,
    }  # fmt: skip
    cut = bool(pile.kind.outline)
    yield {
        "type": "cardDeck", "id": f"{pile.id}-deck", "parent": pile.id, **inside, "z": depth, "cardWidth": width,
        "cardHeight": height, "enlarge": True, "faceTemplate": _make_template("face", width, height, cut),
        "backTemplate": _make_template("back", width, height, cut),
        "cardTypes": {
            shown.key: {"label": shown.article.name, "face": shown.front} | ({"back": shown.back} if shown.back else {})
            for shown in pile.shown
        },
    }  # fmt: skip
    down = pile.kind.form == "card" and any(shown.back for shown in pile.shown)
    copies = [(shown.key, n) for shown in pile.shown for n in range(1, shown.article.count + 1)]
    for at, (key, n) in enumerate(copies):
        card = {"type": "card", "id": f"{key}--{n}", "deck": f"{pile.id}-deck", "cardType": key, "parent": pile.id}
        yield {**card, **inside, "z": 1000 + at, "faceup": not down}


def _make_template(side: str, width: float, height: float, cut: bool) -> Widget:
    picture = {"type": "image", "valueType": "dynamic", "value": side, "x": 0, "y": 0, "w": width, "h": height}
    colour = "transparent" if cut else "white"
    return {"includeBorder": False, "includeRadius": not cut, "objects": [{**picture, "color": colour}]}


@click.command()
@ONLINE
@url_option("Also write lists for the deck editor, with pictures at this web address.")
@dpi_option(150, "Resolution of a face in pixels per inch.")
@click.pass_obj
def pcio(obj: Path | None, /, **options: Any) -> None:
    """Export to PlayingCards.io, as a room."""
    project = open_project(obj, options)
    run_order(project, options, PcioOrder, url=parse_address(options["url"]))


@dataclass(frozen=True, slots=True)
class PcioOrder(OnlineOrder):
    """Exports each game as a room; with `url`, the address of the pictures, also lists for the deck editor."""

    dpi: int = 150
    url: str = ""

    def write_edition(self, job: Job, edition: str, lots: list[ArticleLot], written: set[str]) -> None:
        """Write a room, and with `url` its deck lists and the pictures that are not yet in `written`."""
        game, stem = job.workshop.game, self.name_files(job.workshop.game, edition)
        folder = self.out / game.id / "pcio"
        job.progress(f"{game.id}: pcio ({edition})")
        album = Album(job.workshop, first_language(edition), game.id, lambda name: f"{PACKAGE}{name}")
        lying = make_room_piles(lots, album, self.dpi)
        if self.url:
            for pile in lying:
                listed = write_deck_list(pile, lambda image: f"{self.url}/{quote(image.removeprefix(PACKAGE))}")
                job.files.put(folder / f"{stem}.{pile.id}.csv", listed)
            album.write_assets(job.files, folder, written)
        job.files.put(folder / f"{stem}.pcio", write_room(lying, album.assets))
