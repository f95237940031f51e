"""Tabletop Simulator: exports a game as a saved object, laid out on the table, or into a save that exists."""

import json
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

import click
from PIL import Image, ImageStat

from generator.base.display_list import format_mm
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.files import read_file
from generator.base.geometry import MM_PER_INCH, Size
from generator.base.languages import first_language, phrase
from generator.books.page.book_pages import typeset_book
from generator.books.rulebook.book_templates import find_volume_languages
from generator.books.rulebook.read_book import read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.commands.command_line import say
from generator.commands.options import open_project, parse_address, run_order
from generator.commands.orders import Job
from generator.commands.rulebook import find_engine
from generator.drawing.faces.game_drawing import find_accent
from generator.exchange.simulator_objects import (
    BOX,
    CIRCLE,
    HEX,
    ROUNDED,
    CardSheet,
    Guids,
    ObjectLabel,
    ObjectState,
    make_bag,
    make_card,
    make_deck,
    make_figurine,
    make_model,
    make_pdf_object,
    make_saved_object,
    make_tile,
    make_token,
    move_object,
)
from generator.exchange.table_articles import (
    ONLINE,
    Album,
    Article,
    ArticleDeck,
    ArticleLot,
    OnlineOrder,
    choose_grid,
    dpi_option,
    faces_per_sheet,
    fill_sheet,
    largest_dpi,
    lay_boxes_in_rows,
    piece_dpi,
    render_thumbnail,
    split_decks,
    url_option,
)
from generator.game.model import CUBE_FACES, FaceName, Game, Kind

COLUMNS = 3

_Corner = tuple[int, int, int]

CORNERS: Mapping[FaceName, tuple[_Corner, _Corner, _Corner, _Corner]] = {
    "front": ((-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)),
    "back": ((1, -1, -1), (-1, -1, -1), (-1, 1, -1), (1, 1, -1)),
    "left": ((-1, -1, -1), (-1, -1, 1), (-1, 1, 1), (-1, 1, -1)),
    "right": ((1, -1, 1), (1, -1, -1), (1, 1, -1), (1, 1, 1)),
    "top": ((-1, 1, 1), (1, 1, 1), (1, 1, -1), (-1, 1, -1)),
    "bottom": ((-1, -1, -1), (1, -1, -1), (1, -1, 1), (-1, -1, 1)),
}
"""Corners of each side from outside: lower left, lower right, upper right, upper left; y up, z to the viewer."""


def build_cube_mesh(edge: float, pixels: int) -> str:
    """Return an OBJ mesh of a cube of `edge` table units. Its picture has faces of `pixels` pixels, as `CUBE_FACES`."""
    lines = ["o cube"]
    for face in CUBE_FACES:
        lines += [f"v {' '.join(format_mm(axis * edge / 2) for axis in corner)}" for corner in CORNERS[face]]
    inset = 0.5 / pixels  # half a pixel, so that no neighbour is visible at the edges
    for at in range(len(CUBE_FACES)):
        row, column = divmod(at, COLUMNS)
        left, right = (column + inset) / COLUMNS, (column + 1 - inset) / COLUMNS
        bottom, top = (1 - row + inset) / 2, (2 - row - inset) / 2
        lines += [f"vt {u:.6f} {v:.6f}" for u, v in ((left, bottom), (right, bottom), (right, top), (left, top))]
    for face in CUBE_FACES:
        along = (axis[0] if len(set(axis)) == 1 else 0 for axis in zip(*CORNERS[face], strict=True))
        lines.append(f"vn {' '.join(map(str, along))}")
    for at in range(len(CUBE_FACES)):
        first, normal = at * 4 + 1, at + 1
        for triangle in ((0, 1, 2), (0, 2, 3)):
            lines.append("f " + " ".join(f"{first + n}/{first + n}/{normal}" for n in triangle))
    return "\n".join(lines) + "\n"


def join_cube_faces(faces: Mapping[FaceName, Image.Image]) -> Image.Image:
    """Return six faces of one size in one picture, three to a row."""
    width, height = faces["front"].size
    picture = Image.new("RGB", (COLUMNS * width, 2 * height), "white")
    for at, face in enumerate(CUBE_FACES):
        row, column = divmod(at, COLUMNS)
        picture.paste(faces[face], (column * width, row * height))
    return picture


UNIT = 0.035
"""Units of the table per mm: its own playing card, 63 x 88 mm, is 2.2 x 3.1 units."""

CARD_HIGH, TILE_SHORT, TOKEN_LONG, FIGURINE_HIGH = 88 * UNIT, 2.0, 3.7, 2.5
"""Table units at scale 1: height of a card, short side of a tile, long side of a token, height of a figure."""

BAG, BOOK = Size(3.0, 3.0), Size(12.0, 12.0)
"""Space for a bag and for a PDF on the table (table units)."""

ROW, GAP = 44.0, 1.0

LEAST_SIDE = 300
"""Smallest short side of a small piece's picture (pixels): players look at it as closely as at a card."""

LARGE_CORNER = 1 / 8
"""A corner radius above this share of a piece's side makes a tile with rounded corners."""


@dataclass(frozen=True, slots=True)
class TableObject:
    """An object with the space that it needs on the table (table units)."""

    state: ObjectState
    room: Size


class Packer:
    """Makes the objects of one game. Numbers of card sheets are unique, so that decks can be merged."""

    def __init__(self, album: Album, scope: str, dpi: int, sheets: int = 0):
        self._album, self._dpi, self._guids = album, dpi, Guids(scope)
        self._sheets = sheets

    def make_things(self, lot: ArticleLot) -> Iterator[TableObject]:
        """Yield the objects of a kind: decks of cards; single pieces, or bags for several copies.

        Cards in the simulator's decks are rectangles, so cards with an outline become pieces.
        """
        if lot.kind.form == "card" and not lot.kind.outline:
            for pile in split_decks(lot):
                yield self._make_deck(lot.kind, pile)
            return
        for article in lot.articles:
            label = ObjectLabel(article.name, article.says, (lot.kind.id,))
            one = self._make_piece(lot.kind, article, label)
            if article.count == 1:
                yield TableObject(one, _size_on_table(lot.kind.size))
                continue
            copies = [self._copy_object(one, f"{article.id}#{n}") for n in range(1, article.count + 1)]
            front = self._album.render_face(article.front, MM_PER_INCH)
            bagged = ObjectLabel(f"{article.name} ×{article.count}", "", (lot.kind.id,))
            red, green, blue = (round(mean / 255, 3) for mean in ImageStat.Stat(front.convert("RGB")).mean)
            guid = self._guids.make_guid(f"bag {article.id}")
            yield TableObject(make_bag(guid, bagged, copies, (red, green, blue)), BAG)

    def make_book(self, title: str, address: str) -> TableObject:
        """Return an object that shows the rulebook's PDF."""
        return TableObject(make_pdf_object(self._guids.make_guid("rulebook"), ObjectLabel(title), address), BOOK)

    def _make_deck(self, kind: Kind, pile: ArticleDeck) -> TableObject:
        scale = kind.size.height * UNIT / CARD_HIGH
        cards: list[ObjectState] = []
        start = 0
        for faces in faces_per_sheet(len(pile.articles), kind.size, self._dpi):
            articles = pile.articles[start : start + faces]
            start += faces
            self._sheets += 1
            on_sheet = self._make_card_sheet(kind, articles, own_backs=pile.own_backs)
            for slot, article in enumerate(articles):
                for n in range(1, article.count + 1):
                    label = ObjectLabel(article.name, article.says, (kind.id,))
                    alone = pile.cards == 1
                    guid = self._guids.make_guid(f"{article.id}#{n}")
                    cards.append(make_card(guid, label, on_sheet, slot, scale, face_up=alone))
        room = _size_on_table(kind.size)
        if len(cards) == 1:
            return TableObject(cards[0], room)
        guid = self._guids.make_guid(f"deck {pile.articles[0].id}")
        return TableObject(make_deck(guid, ObjectLabel(pile.name, "", (kind.id,)), cards, scale), room)

    def _make_card_sheet(self, kind: Kind, articles: Sequence[Article], *, own_backs: bool) -> CardSheet:
        grid = choose_grid(len(articles), kind.size, self._dpi)
        fronts = self._album.render_faces([article.front for article in articles], grid.dpi)
        white = Image.new("RGB", fronts[0].size, "white")
        backs = [white if each.back is None else self._album.render_face(each.back, grid.dpi) for each in articles]
        hidden = white if own_backs else backs[0]
        face = self._album.keep_picture(f"{kind.id}-cards", fill_sheet(grid, fronts, hidden), grid.dpi)
        if own_backs:
            back = self._album.keep_picture(f"{kind.id}-backs", fill_sheet(grid, backs, hidden), grid.dpi)
        elif articles[0].back is None:
            back = self._album.keep_blank()
        else:
            dpi = largest_dpi(kind.size, self._dpi)
            back = self._album.keep_picture(f"{kind.id}-back", self._album.render_face(articles[0].back, dpi), dpi)
        return CardSheet(self._sheets, face, back, grid.columns, grid.rows, own_backs)

    def _make_piece(self, kind: Kind, article: Article, label: ObjectLabel) -> ObjectState:
        guid = self._guids.make_guid(f"{article.id}#1")
        dpi = piece_dpi(kind.size, self._dpi, LEAST_SIDE)
        if kind.form == "cube":
            faces = dict(zip(article.faces, self._album.render_faces(list(article.faces.values()), dpi), strict=True))
            picture = self._album.keep_picture(f"{article.id}-cube", join_cube_faces(faces), dpi)
            written = build_cube_mesh(kind.size.width * UNIT, faces["front"].width).encode("ascii")
            return make_model(guid, label, self._album.keep_file(f"{kind.id}-cube", ".obj", written), picture)
        front = self._album.render_face(article.front, dpi)
        back = None if article.back is None else self._album.render_face(article.back, dpi)
        if kind.outline:
            shape = {"round": CIRCLE, "hexagon": HEX}.get(kind.shape)
        else:
            rounded = kind.form == "token" and kind.corner > LARGE_CORNER * min(kind.size.width, kind.size.height)
            shape = ROUNDED if rounded else BOX
        if shape is None:
            sides = [self._album.cut_out(front, kind, "front", dpi)]
            sides += [] if back is None else [self._album.cut_out(back, kind, "back", dpi)]
            images = [self._album.keep_picture(f"{article.id}-{n}", side, dpi) for n, side in enumerate(sides, 1)]
            return make_token(guid, label, images, max(kind.size.width, kind.size.height) * UNIT / TOKEN_LONG)
        seen = self._album.keep_picture(f"{article.id}-front", front, dpi)
        if kind.form == "standee":
            behind = seen if back is None else self._album.keep_picture(f"{article.id}-back", back, dpi)
            return make_figurine(guid, label, (seen, behind), kind.size.height * UNIT / FIGURINE_HIGH)
        below = self._album.keep_blank() if back is None else self._album.keep_picture(f"{article.id}-back", back, dpi)
        scale = min(kind.size.width, kind.size.height) * UNIT / TILE_SHORT
        return make_tile(guid, label, (seen, below), shape, scale)

    def _copy_object(self, original: ObjectState, label: str) -> ObjectState:
        """Return a copy of an object with an id from `label`; for the first copy's label (`…#1`), the object itself."""
        if label.endswith("#1"):
            return original
        guid = self._guids.make_guid(label)
        states = {at: {**state, "GUID": guid} for at, state in original.get("States", {}).items()}
        return {**original, "GUID": guid, **({"States": states} if states else {})}


def lay_things(things: Sequence[TableObject]) -> list[ObjectState]:
    """Return the objects in rows around the table's middle, the first row far away."""
    laid = lay_boxes_in_rows([thing.room for thing in things], ROW, GAP)
    left, far = -laid.size.width / 2, laid.size.height / 2
    return [
        move_object(thing.state, left + box.x + box.width / 2, far - box.y - box.height / 2)
        for thing, box in zip(things, laid.boxes, strict=True)
    ]


def _size_on_table(size: Size) -> Size:
    return Size(size.width * UNIT, size.height * UNIT)


PAGE = "A5"


@click.command()
@ONLINE
@url_option("Web address where you will put the files (default: files on this computer).")
@dpi_option(300, "Maximum resolution of a face in pixels per inch; large faces get less.")
@click.option("--into", type=click.Path(path_type=Path, dir_okay=False), metavar="SAVE",
              help="Put the pieces into a copy of this save; positions and scripts stay.")  # fmt: skip
@click.option("--no-rulebook", is_flag=True, help="Omit the rulebook.")
@click.pass_obj
def tts(obj: Path | None, /, **options: Any) -> None:
    """Export to Tabletop Simulator, as a saved object. The object contains everything in the box of the game."""
    project = open_project(obj, options)
    url = parse_address(options["url"])
    if not run_order(project, options, TtsOrder, url=url, rulebook=not options["no_rulebook"]).url:
        say(
            "The saved objects name files on this machine. For friends, put the files on the web and "
            "export again with --url https://...",
            err=True,
        )


@dataclass(frozen=True, slots=True)
class TtsOrder(OnlineOrder):
    """Exports each game as a saved object. Without `url` it refers to the files where they are written.

    `rulebook` includes it; `trusted` allows the rules module in the game's own folder to run for its examples.
    """

    url: str = ""
    rulebook: bool = True
    trusted: bool = False
    into: Path | None = None

    def option_problems(self, games: Sequence[Game]) -> Iterable[Problem]:
        """Yield also a problem if several languages would change one save."""
        yield from OnlineOrder.option_problems(self, games)
        if self.into and len(self.languages) != 1 and any(len(game.languages) > 1 for game in games):
            yield Problem(None, "--into changes a save of one language", "add --lang, such as --lang en")

    def write_edition(self, job: Job, edition: str, lots: list[ArticleLot], written: set[str]) -> None:
        """Write a saved object, or update the save `into`. Write its pictures and its thumbnail."""
        game, lang = job.workshop.game, first_language(edition)
        folder = self.out / game.id / "tts"
        base = self.url or folder.resolve().as_uri()
        album = Album(job.workshop, lang, game.id, lambda name: f"{base}/{quote(name)}")
        known = read_save(self.into) if self.into else None
        if known and not has_pieces(known, game.kinds):
            what = f"no object has a tag of {game.id}: {', '.join(game.kinds)}"
            raise ProblemsFound([Problem(Place(str(self.into)), what, "name a save of this game, or leave --into out")])
        packer = Packer(album, f"{game.id} {edition}", self.dpi, find_last_sheet(known, game.kinds) if known else 0)
        things: list[TableObject] = []
        for lot in lots:
            job.progress(f"{game.id}: tts ({edition}), {lot.kind.id}")
            things += packer.make_things(lot)
        for title, book in self._write_rulebook(job, lang):
            things.append(packer.make_book(title, album.keep_file("rulebook", ".pdf", book)))
        name = f"{game.title[lang]} – {phrase('draft', lang, draft=game.draft)}"
        states = lay_things(things)
        save = known or make_saved_object(name, f"{game.credit[lang]} {game.licence[lang]}".strip(), states)
        if known:
            added, left = update_save(known, states, game.kinds)
            for names, what in ((added, "added"), (left, "unknown to the game, left unchanged")):
                if names:
                    say(f"{game.id}: {len(names)} {what}: {', '.join(dict.fromkeys(names))}", err=True)
        table = json.dumps(save, ensure_ascii=False, indent=2) + "\n"
        album.write_assets(job.files, folder, written)
        stem = self.name_files(game, edition)
        job.files.put(folder / f"{stem}.png", render_thumbnail(album, lots[0].articles[0].front))
        job.files.put(folder / f"{stem}.json", table.encode("utf-8"))

    def _write_rulebook(self, job: Job, lang: str) -> Iterator[tuple[str, bytes]]:
        """Yield the rulebook's title and PDF once, or nothing without a rulebook or for a selection."""
        workshop, game = job.workshop, job.workshop.game
        if not self.rulebook or self.only or lang not in find_volume_languages(workshop):
            return
        job.progress(f"{game.id}: rulebook.{lang}")
        played = RulebookPlay(game, find_engine(job.project, game, trusted=self.trusted))
        book = typeset_book(read_book(workshop, lang, played), workshop, PAGE, find_accent(game.palette))
        out = BytesIO()
        workshop.write_document(book, out)
        yield book.title, out.getvalue()


_CONTENTS = ("Description", "CardID", "CustomDeck", "CustomImage", "CustomMesh", "CustomPDF", "States")
"""What an object takes over. Its place, size, colour, scripts and id stay."""

_Key: TypeAlias = tuple[str, str, str]
"""Tag, name and sort of an object: objects with the same key are copies."""


def read_save(path: Path) -> dict[str, Any]:
    """Return a save as plain values. Raise ProblemsFound if the file is none."""
    what, hint = "this is not a save of Tabletop Simulator", "name a file of its folder Saves"
    try:
        save = json.loads(read_file(path, "kept"))
        if isinstance(save, dict) and isinstance(save.get("ObjectStates"), list):
            return save
    except InvalidInput as error:
        what, hint = str(error), error.hint
    except (ValueError, RecursionError):
        what += ": it can't be read as JSON"
    raise ProblemsFound([Problem(Place(str(path)), what, hint)])


def iter_objects(states: Iterable[Any]) -> Iterator[ObjectState]:
    """Yield every object of a save, each followed by the objects in it."""
    for state in filter(lambda one: isinstance(one, dict), states):
        yield state
        yield from iter_objects(_list_contents(state))


def update_save(
    save: dict[str, Any], things: Sequence[ObjectState], tags: Collection[str]
) -> tuple[list[str], list[str]]:
    """Put a game's decks, bags and single pieces into a save. Return the names of new pieces, and of unknown ones.

    A piece that the save lacks joins the copies of its design, or a deck of its kind. A piece with one of the game's
    `tags` that the game lacks stays unchanged.
    """
    pools: dict[_Key, deque[ObjectState]] = defaultdict(deque)
    for thing in things:
        for piece in thing.get("ContainedObjects", [thing]):
            pools[_find_key(piece, tags)].append(piece)
    homes: dict[_Key, list[Any]] = {}
    left: list[str] = []
    for holder in ({"ContainedObjects": save["ObjectStates"]}, *iter_objects(save["ObjectStates"])):
        inside = [state for state in _list_contents(holder) if _find_key(state, tags)[0] and not _list_contents(state)]
        for state in inside:
            key = _find_key(state, tags)
            if "Name" in holder:
                homes.setdefault(key, holder["ContainedObjects"])
                homes.setdefault((key[0], "", str(holder["Name"])), holder["ContainedObjects"])
            if pools[key]:
                new = pools[key].popleft()
                state.update({name: new[name] for name in _CONTENTS if name in new})
            else:
                left.append(key[1])
    unused = {id(piece) for pool in pools.values() for piece in pool}
    added: list[str] = []
    for thing in things:
        whole = thing.get("ContainedObjects", [thing])
        for piece in [piece for piece in whole if id(piece) in unused]:
            added.append(str(piece["Nickname"]))
            key = _find_key(piece, tags)
            home = homes.get(key) or (homes.get((key[0], "", "Deck")) if thing["Name"] == "Deck" else None)
            if home is None and all(id(one) in unused for one in whole):
                save["ObjectStates"] += [thing] if piece is whole[0] else []
            else:
                (save["ObjectStates"] if home is None else home).append(piece)
    _number_decks(save, tags)
    return added, left


def has_pieces(save: dict[str, Any], tags: Collection[str]) -> bool:
    """Return True if any object of the save has one of the tags."""
    return any(_find_key(one, tags)[0] for one in iter_objects(save["ObjectStates"]))


def find_last_sheet(save: dict[str, Any], tags: Collection[str]) -> int:
    """Return the largest number of a picture of cards that other games use in the save, or 0."""
    others = (one for one in iter_objects(save["ObjectStates"]) if not _find_key(one, tags)[0])
    keys = [key for one in others if isinstance(one.get("CustomDeck"), dict) for key in one["CustomDeck"]]
    return max((int(key) for key in keys if key.isdecimal()), default=0)


def _number_decks(save: dict[str, Any], tags: Collection[str]) -> None:
    """Correct in each deck with cards of the game (by `tags`) the lists of its cards' numbers and pictures."""
    for state in iter_objects(save["ObjectStates"]):
        cards = _list_contents(state)
        if state.get("Name") == "Deck" and any(_find_key(card, tags)[0] for card in cards):
            state["DeckIDs"] = [card.get("CardID") for card in cards]
            state["CustomDeck"] = {at: sheet for card in cards for at, sheet in card.get("CustomDeck", {}).items()}


def _find_key(state: ObjectState, tags: Collection[str]) -> _Key:
    own = state.get("Tags")
    tag = next((tag for tag in own if tag in tags), "") if isinstance(own, list) else ""
    return tag, str(state.get("Nickname", "")), str(state.get("Name", ""))


def _list_contents(state: ObjectState) -> list[ObjectState]:
    inside = state.get("ContainedObjects")
    return [one for one in inside if isinstance(one, dict)] if isinstance(inside, list) else []
