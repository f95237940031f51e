"""Vassal: exports a game as a module, with its pieces and their traits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, repeat
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import click

from generator.base.archives import zip_files
from generator.base.files import number_duplicates
from generator.base.geometry import MM_PER_INCH, Size
from generator.base.languages import first_language, phrase
from generator.commands.options import open_project, run_order
from generator.commands.orders import Job
from generator.exchange.table_articles import (
    ONLINE,
    Album,
    ArticleLot,
    KeyedArticle,
    OnlineOrder,
    PictureSettings,
    Pile,
    dpi_option,
    largest_dpi,
    lay_boxes_in_rows,
    make_piles,
)
from generator.game.model import CUBE_FACES

CTRL = 130
"""Vassal's code for the Ctrl key."""


def make_stroke(letter: str) -> str:
    """Return Vassal's notation for Ctrl with a letter (A-Z)."""
    return f"{ord(letter)},{CTRL}"


def join_tokens(delimiter: str, *tokens: object) -> str:
    """Join tokens into one text that Vassal can split again.

    A delimiter within a token gets a backslash; a token that would be read as escaped or quoted is put in quotes.
    """
    parts = []
    for text in map(str, tokens):
        escaped = text.replace(delimiter, f"\\{delimiter}")
        quoted = text.startswith("\\") or (text.startswith("'") and text.endswith("'"))
        parts.append(f"'{escaped}'" if quoted else escaped)
    return delimiter.join(parts)


@dataclass(frozen=True, slots=True)
class Trait:
    """A trait: one ability or property of a Vassal piece, as its definition and its state at the start of the game."""

    type: str
    state: str = ""


def make_mask(back: str, command: str, name: str) -> Trait:
    """Return the trait with the menu item `command`, which turns a card: others then see the file `back` and `name`."""
    return Trait("obs;" + join_tokens(";", make_stroke("F"), back, command, "I", name, "player:"), "null;")


def make_sides(images: Sequence[str], turn: str, roll: str = "") -> Trait:
    """Return the trait of a piece with several pictures. The menu item `turn` shows the next, `roll` a random one."""
    shown = join_tokens(",", *images), join_tokens(",", *("" for _ in images))
    turned = ("", 128, "", turn, 128, "", "", 128, "", "", "", 1, "false", 0, 0, *shown, "true", "")
    rolled = (make_stroke("R") if roll else "", roll, "false", "", 1)
    return Trait("emb2;" + join_tokens(";", *turned, *rolled, 1, "true", "", make_stroke("F"), "", "", "1.0"), "1")


def make_return(deck: str, command: str) -> Trait:
    """Return the trait with the menu item `command`, which sends a card back to the deck of this name."""
    return Trait("return;" + join_tokens(";", command, make_stroke("B"), deck, "", "", 2, "false", deck))


def make_marks(**values: str) -> Trait:
    """Return the trait that gives a piece named values, which players can search."""
    return Trait("mark;" + join_tokens(",", *values), join_tokens(",", *values.values()))


FIXED = Trait("immob;nZ;V;R;")
"""The trait that prevents selecting, moving and stacking a piece."""


def define_piece(name: str, image: str, number: int, traits: Sequence[Trait]) -> str:
    """Return Vassal's text for a piece with its traits, the outermost first; `number` is that of its slot."""
    basic = Trait("piece;" + join_tokens(";", "", "", image, name), join_tokens(";", "null", 0, 0, number, 0))
    for outer in reversed(traits):
        basic = Trait(join_tokens("\t", outer.type, basic.type), join_tokens("\t", outer.state, basic.state))
    return "+/" + join_tokens("/", "null", basic.type, basic.state)


VASSAL_VERSION = "3.7.0"
"""The oldest Vassal version that can open the module; the format is that since 3.5."""

TABLE_COLOUR = "53,82,74"

ROW, EDGE, GAP = 900.0, 40.0, 14.0
"""Length of a row of piles on the map, margin of the map, gap between piles (mm)."""

HAND = Size(900, 300)
"""Size of the window with a player's hand (pixels)."""

LAYERS = 10
"""How many cards of a deck are drawn as a visible stack."""

_HANDLING = (
    "ForwardToKeyBuffer", "Scroller", "ForwardToChatter", "MenuDisplayer", "MapCenterer", "PieceMover", "KeyBufferer",
)  # fmt: skip
"""Components that a map needs so that players can view, move and command pieces; Vassal adds none by itself."""


@dataclass(frozen=True, slots=True)
class ModuleTexts:
    """The module's texts in the game's language; `seats` are the names of the players' sides."""

    title: str
    version: str
    credit: str
    lang: str
    seats: tuple[str, ...]


def make_vassal_piles(lots: Sequence[ArticleLot], album: Album, dpi: int) -> tuple[list[Pile], float]:
    """Return the piles, and the dpi of all their pictures: Vassal shows pictures pixel by pixel."""
    fine = min((largest_dpi(lot.kind.size, dpi) for lot in lots), default=float(dpi))
    pictured = make_piles(
        lots, album, lambda kind: PictureSettings(fine, True, CUBE_FACES if kind.form == "cube" else ("front", "back"))
    )
    return pictured, fine


def build_module(texts: ModuleTexts, piles: Sequence[Pile], dpi: float, assets: Mapping[str, bytes]) -> bytes:
    """Return the module's archive: the build file, the entry in the list of modules, and the pictures (`assets`)."""
    root = ElementTree.Element("data", {"version": "1"})
    entries = {"version": texts.version, "VassalVersion": VASSAL_VERSION, "dateSaved": "0", "description": texts.credit}
    for name, text in (entries | {"name": texts.title}).items():
        ElementTree.SubElement(root, name).text = text
    files = [
        ("buildFile.xml", _to_xml(_build_game(texts, piles, dpi))),
        ("moduledata", _to_xml(root)),
        *((f"images/{name}", data) for name, data in assets.items()),
    ]
    return zip_files(files)


def _to_xml(root: ElementTree.Element) -> bytes:
    written: bytes = ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True)
    return written + b"\n"


def _add_component(parent: ElementTree.Element, component: str, /, **attributes: object) -> ElementTree.Element:
    """Add a component (a class in VASSAL.build) below another. Attributes left out have Vassal's defaults."""
    values = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in attributes.items()}
    return ElementTree.SubElement(parent, f"VASSAL.build.{component}", values)


def _build_game(module_texts: ModuleTexts, piles: Sequence[Pile], dpi: float) -> ElementTree.Element:
    pieces = sum(pile.cards for pile in piles)
    texts = {"name": module_texts.title, "version": module_texts.version, "description": module_texts.credit}
    numbers = {"VassalVersion": VASSAL_VERSION, "nextPieceSlotId": str(pieces + 1)}
    root = ElementTree.Element("VASSAL.build.GameModule", texts | numbers)
    _add_component(root, "module.BasicCommandEncoder")
    roster = _add_component(root, "module.PlayerRoster")
    for seat in module_texts.seats:
        ElementTree.SubElement(roster, "entry").text = seat
    _add_component(root, "module.GlobalOptions")
    _add_component(root, "module.PrototypesContainer")
    _add_table(root, module_texts.lang, piles, dpi / MM_PER_INCH)
    for seat in module_texts.seats:
        name = phrase("table_hand", module_texts.lang, player=seat)
        owned = {"side": seat.replace(",", "\\,"), "visible": False, "launch": True, "buttonName": name}
        hand = _add_component(root, "module.PlayerHand", mapName=name, **owned)
        _add_board(hand, name, HAND)
        _add_handling(hand)
    return root


def _add_board(table: ElementTree.Element, name: str, size: Size) -> None:
    """Add an empty board of this size (pixels) to a map. It must be added before the pieces."""
    picker = _add_component(table, "module.map.BoardPicker")
    measures = {"width": round(size.width), "height": round(size.height), "color": TABLE_COLOUR}
    _add_component(picker, "module.map.boardPicker.Board", name=name, reversible=False, **measures)


def _add_handling(table: ElementTree.Element) -> None:
    for name in _HANDLING:
        _add_component(table, f"module.map.{name}")


def _add_table(root: ElementTree.Element, lang: str, piles: Sequence[Pile], dots: float) -> None:
    """Add the map that all players see, with the piles in rows; `dots` is the scale in pixels per mm."""
    laid = lay_boxes_in_rows([pile.size for pile in piles], ROW, GAP)
    size = Size((laid.size.width + 2 * EDGE) * dots, (laid.size.height + 2 * EDGE) * dots)
    name = phrase("table", lang)
    table = _add_component(root, "module.Map", mapName=name, launch=False)
    _add_board(table, name, size)
    _add_handling(table)
    _add_component(table, "module.map.StackExpander")
    _add_component(table, "module.map.ImageSaver")
    _add_component(table, "module.map.Zoomer")
    _add_component(table, "module.map.CounterDetailViewer", showDeck=True, showDeckMasked=True, version="4")
    names = number_duplicates(pile.name for pile in piles)
    numbers = count(1)
    for pile, called, box in zip(piles, names, laid.boxes, strict=True):
        x, y = EDGE + box.x + box.width / 2, EDGE + box.y + box.height / 2
        place = {"owningBoard": name, "useGridLocation": False, "x": round(x * dots), "y": round(y * dots)}
        measures = {"width": round(pile.size.width * dots), "height": round(pile.size.height * dots)}
        if pile.cards == 1:
            stack, slot = _add_component(table, "module.map.SetupStack", name=called, **place), "widget.PieceSlot"
        else:
            deck = _deck_attributes(pile, called, lang) | measures | place
            stack, slot = _add_component(table, "module.map.DrawPile", **deck), "widget.CardSlot"
        for shown in chain.from_iterable(repeat(shown, shown.article.count) for shown in pile.shown):
            number, (image, traits) = next(numbers), _make_traits(pile, shown, called, lang)
            piece = _add_component(stack, slot, entryName=shown.article.name, gpid=number, **measures)
            piece.text = define_piece(shown.article.name, image, number, traits)


def _deck_attributes(pile: Pile, name: str, lang: str) -> dict[str, object]:
    """Return the attributes of a pile as a Vassal deck called `name`, from which players draw cards.

    Only the player who draws a hidden card sees it. Only cards are shuffled.
    """
    card = pile.kind.form == "card"
    shuffled = {"shuffle": "Via right-click Menu", "shuffleCommand": phrase("table_shuffle", lang)}
    return {
        "name": name, "allowMultiple": True, "allowSelect": card, "selectDisplayProperty": "$BasicName$",
        "faceDown": "Always" if pile.kind.form == "card" and any(shown.back for shown in pile.shown) else "Never",
        "drawFaceUp": False, **(shuffled if card else {"shuffle": "Never"}), "reversible": False, "draw": True,
        "color": "255,255,255", "hotkeyOnEmpty": False, "reshufflable": False, "canSave": False, "maxStack": LAYERS,
    }  # fmt: skip


def _make_traits(pile: Pile, keyed: KeyedArticle, name: str, lang: str) -> tuple[str, list[Trait]]:
    """Return the picture of a piece ("": its sides have them) and its traits; `name` is the place it returns to."""
    told = make_marks(Kind=pile.kind.id, Text=keyed.article.says)
    if pile.board:
        return keyed.front, [FIXED, told]
    traits = [make_return(name, phrase("table_return", lang))] if pile.cards > 1 else []
    if pile.kind.form == "card":
        traits += [make_mask(keyed.back, phrase("table_flip", lang), pile.name)] if keyed.back else []
        return keyed.front, [*traits, told]
    for kind, letter in (("clone", "C"), ("delete", "D")):
        words = join_tokens(";", phrase(f"table_{kind}", lang), make_stroke(letter), "")
        traits.append(Trait(f"{kind};{words}"))
    traits.append(told)
    if pile.kind.form == "cube":
        rolled = make_sides(list(keyed.sides.values()), phrase("table_next_side", lang), phrase("table_roll", lang))
        return "", [*traits, rolled]
    if keyed.back not in ("", keyed.front):
        return "", [*traits, make_sides([keyed.front, keyed.back], phrase("table_flip", lang))]
    return keyed.front, traits


@click.command()
@ONLINE
@dpi_option(100, "Resolution of a face in pixels per inch; it sets the size on the screen.")
@click.pass_obj
def vassal(obj: Path | None, /, **options: Any) -> None:
    """Export to Vassal, as a module."""
    run_order(open_project(obj, options), options, VassalOrder)


@dataclass(frozen=True, slots=True)
class VassalOrder(OnlineOrder):
    """Exports each game as a Vassal module."""

    dpi: int = 100

    def write_edition(self, job: Job, edition: str, lots: list[ArticleLot], _written: set[str]) -> None:
        """Write an edition's module for Vassal. `_written` is unused: all pictures are in the module."""
        game, lang = job.workshop.game, first_language(edition)
        job.progress(f"{game.id}: vassal ({edition})")
        credit = " ".join(f"{game.credit[lang]} {game.licence[lang]}".split())
        seats = tuple(phrase("play_player", lang, seat=n).capitalize() for n in range(1, game.players.most + 1))
        album = Album(job.workshop, lang, game.id, str)
        piles, dpi = make_vassal_piles(lots, album, self.dpi)
        said = ModuleTexts(game.title[lang], str(game.draft), credit, lang, seats)
        target = self.out / game.id / "vassal" / f"{self.name_files(game, edition)}.vmod"
        job.files.put(target, build_module(said, piles, dpi, album.assets))
