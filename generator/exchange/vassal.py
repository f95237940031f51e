"""Vassal: a game as a module, with its pieces and their traits."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, count
from xml.etree import ElementTree

from generator.base.archives import zipped
from generator.base.dataclass import dataclass
from generator.base.files import distinct
from generator.base.geometry import MM_PER_INCH, Rect, Size
from generator.base.languages import first_language, phrase
from generator.commands.orders import Job, Made
from generator.exchange.picture_album import Album, Asset, KeyedArticle, Picturing, Pile, largest_dpi, piles_of
from generator.exchange.table_articles import ArticleLot, OnlineOrder, in_rows, online_editions
from generator.game.model import CUBE_FACES

CTRL = 130
"""The number for Ctrl in Vassal's key strokes."""


def keys(letter: str) -> str:
    """Return the stroke of a letter (A-Z) with Ctrl."""
    return f"{ord(letter)},{CTRL}"


def sequence(delimiter: str, *tokens: object) -> str:
    """Join tokens into one text that Vassal can split again.

    A delimiter within a token gets a backslash; a token that would be read as escaped or quoted is put in quotes.
    """
    return delimiter.join(_token(str(token), delimiter) for token in tokens)


def _token(text: str, delimiter: str) -> str:
    escaped = text.replace(delimiter, f"\\{delimiter}")
    quoted = text.startswith("\\") or (text.startswith("'") and text.endswith("'"))
    return f"'{escaped}'" if quoted else escaped


@dataclass(frozen=True, slots=True)
class Trait:
    """A property of a piece: its constant part, and its state at the start of the game."""

    type: str
    state: str = ""


def mask(back: str, command: str, name: str) -> Trait:
    """Return a card that can lie face down: others see this picture and name, its owner a small picture on it."""
    return Trait("obs;" + sequence(";", keys("F"), back, command, "I", name, "player:"), "null;")


def sides(images: Sequence[str], turn: str, roll: str = "") -> Trait:
    """Return a piece with several pictures: one command shows the next, `roll` (if given) a random one."""
    shown = sequence(",", *images), sequence(",", *("" for _ in images))
    turned = ("", 128, "", turn, 128, "", "", 128, "", "", "", 1, "false", 0, 0, *shown, "true", "")
    rolled = (keys("R") if roll else "", roll, "false", "", 1)
    return Trait("emb2;" + sequence(";", *turned, *rolled, 1, "true", "", keys("F"), "", "", "1.0"), "1")


def back_to(deck: str, command: str) -> Trait:
    """Return a card that goes back to its deck by a command."""
    return Trait("return;" + sequence(";", command, keys("B"), deck, "", "", 2, "false", deck))


def marks(**values: str) -> Trait:
    """Return the values of a piece that can be searched and listed."""
    return Trait("mark;" + sequence(",", *values), sequence(",", *values.values()))


def fixed() -> Trait:
    """Return the trait of a piece that can't be selected, moved or stacked."""
    return Trait("immob;" + sequence(";", "nZ", "V", "R", ""))


def clone(command: str) -> Trait:
    """Return the command that copies a piece."""
    return Trait("clone;" + sequence(";", command, keys("C"), ""))


def delete(command: str) -> Trait:
    """Return the command that deletes a piece."""
    return Trait("delete;" + sequence(";", command, keys("D"), ""))


def definition(name: str, image: str, number: int, traits: Sequence[Trait]) -> str:
    """Return a piece with its traits, the outermost first, as the text of its slot `number`."""
    basic = Trait("piece;" + sequence(";", "", "", image, name), sequence(";", "null", 0, 0, number, 0))
    *_, whole = accumulate(reversed(traits), _around, initial=basic)
    return "+/" + sequence("/", "null", whole.type, whole.state)


def _around(inner: Trait, outer: Trait) -> Trait:
    """Return a trait wrapped around another."""
    return Trait(sequence("\t", outer.type, inner.type), sequence("\t", outer.state, inner.state))


VASSAL_VERSION = "3.7.0"
"""The oldest version that opens the module. From 3.5 on `buildFile.xml` describes it."""

TABLE_COLOUR = "53,82,74"

ROW, EDGE, GAP = 900.0, 40.0, 14.0
"""Length of a row of the table, space around everything and between piles (mm)."""

HAND = Size(900, 300)
"""Size of a hand's window (pixels)."""

LAYERS = 10
"""Number of cards of a deck that are visible below each other."""

_HANDLING = (
    "ForwardToKeyBuffer",
    "Scroller",
    "ForwardToChatter",
    "MenuDisplayer",
    "MapCenterer",
    "PieceMover",
    "KeyBufferer",
)
"""Components that let players view and take a map's pieces and give them commands. Vassal adds none by itself."""


@dataclass(frozen=True, slots=True)
class ModuleTexts:
    """The module's texts about the game, in its language; `seats` are the sides to choose from."""

    title: str
    version: str
    credit: str
    lang: str
    seats: tuple[str, ...]


def vassal_piles(lots: Sequence[ArticleLot], album: Album, dpi: int) -> tuple[list[Pile], float]:
    """Return the piles, and the dpi of all pictures: Vassal shows pictures at their size in pixels."""
    fine = min((largest_dpi(lot.kind.size, dpi) for lot in lots), default=float(dpi))
    pictured = piles_of(
        lots,
        album,
        lambda kind: Picturing(fine, True, CUBE_FACES if kind.form == "cube" else ("front", "back")),
    )
    return pictured, fine


def module(said: ModuleTexts, piles: Sequence[Pile], dpi: float, assets: Mapping[str, Asset]) -> bytes:
    """Return the module's archive: the build file, the entry in the list of modules, and the pictures."""
    files = [
        ("buildFile.xml", _xml(_game(said, piles, dpi))),
        ("moduledata", _xml(_listed(said))),
        *((f"images/{asset.name}", asset.data) for asset in assets.values()),
    ]
    return zipped(files)


def _xml(root: ElementTree.Element) -> bytes:
    written: bytes = ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True)
    return written + b"\n"


def _under(parent: ElementTree.Element, component: str, /, **attributes: object) -> ElementTree.Element:
    """Add a component of the build file below another. Omitted attributes have Vassal's default values."""
    values = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in attributes.items()}
    return ElementTree.SubElement(parent, f"VASSAL.build.{component}", values)


def _listed(said: ModuleTexts) -> ElementTree.Element:
    root = ElementTree.Element("data", {"version": "1"})
    texts = {"version": said.version, "VassalVersion": VASSAL_VERSION, "dateSaved": "0", "description": said.credit}
    for name, text in (texts | {"name": said.title}).items():
        ElementTree.SubElement(root, name).text = text
    return root


def _game(said: ModuleTexts, piles: Sequence[Pile], dpi: float) -> ElementTree.Element:
    pieces = sum(pile.cards for pile in piles)
    texts = {"name": said.title, "version": said.version, "description": said.credit}
    numbers = {"VassalVersion": VASSAL_VERSION, "nextPieceSlotId": str(pieces + 1)}
    root = ElementTree.Element("VASSAL.build.GameModule", texts | numbers)
    _under(root, "module.BasicCommandEncoder")
    roster = _under(root, "module.PlayerRoster")
    for seat in said.seats:
        ElementTree.SubElement(roster, "entry").text = seat
    _under(root, "module.GlobalOptions")
    _under(root, "module.PrototypesContainer")
    _table(root, said.lang, piles, dpi / MM_PER_INCH)
    for seat in said.seats:
        name = phrase("table_hand", said.lang, player=seat)
        owned = {"side": seat.replace(",", "\\,"), "visible": False, "launch": True, "buttonName": name}
        hand = _under(root, "module.PlayerHand", mapName=name, **owned)
        _board(hand, name, HAND)
        _handled(hand)
    return root


def _board(table: ElementTree.Element, name: str, size: Size) -> None:
    """Add the plain board for a map's pieces. It must come before them."""
    picker = _under(table, "module.map.BoardPicker")
    measures = {"width": round(size.width), "height": round(size.height), "color": TABLE_COLOUR}
    _under(picker, "module.map.boardPicker.Board", name=name, reversible=False, **measures)


def _handled(table: ElementTree.Element) -> None:
    for name in _HANDLING:
        _under(table, f"module.map.{name}")


def _table(root: ElementTree.Element, lang: str, piles: Sequence[Pile], dots: float) -> None:
    """Add the map for all players, with everything in rows; `dots` is in pixels per mm."""
    laid = in_rows([pile.size for pile in piles], ROW, GAP)
    size = Size((laid.size.width + 2 * EDGE) * dots, (laid.size.height + 2 * EDGE) * dots)
    name = phrase("table", lang)
    table = _under(root, "module.Map", mapName=name, launch=False)
    _board(table, name, size)
    _handled(table)
    _under(table, "module.map.StackExpander")
    _under(table, "module.map.ImageSaver")
    _under(table, "module.map.Zoomer")
    _under(table, "module.map.CounterDetailViewer", showDeck=True, showDeckMasked=True, version="4")
    names = distinct(pile.name for pile in piles)
    numbers = count(1)
    for pile, called, box in zip(piles, names, laid.boxes, strict=True):
        place, measures = _middle(box, dots, name), _pixels(pile.size, dots)
        if pile.cards == 1:
            stack, slot = _under(table, "module.map.SetupStack", name=called, **place), "widget.PieceSlot"
        else:
            deck = _deck(pile, called, lang) | measures | place
            stack, slot = _under(table, "module.map.DrawPile", **deck), "widget.CardSlot"
        for shown in _copies(pile):
            number, (image, traits) = next(numbers), _looks(pile, shown, called, lang)
            piece = _under(stack, slot, entryName=shown.article.name, gpid=number, **measures)
            piece.text = definition(shown.article.name, image, number, traits)


def _copies(pile: Pile) -> Iterator[KeyedArticle]:
    for shown in pile.shown:
        yield from [shown] * shown.article.count


def _middle(box: Rect, dots: float, board: str) -> dict[str, object]:
    """Return the position of a piece's middle on the board."""
    x, y = EDGE + box.x + box.width / 2, EDGE + box.y + box.height / 2
    return {"owningBoard": board, "useGridLocation": False, "x": round(x * dots), "y": round(y * dots)}


def _pixels(size: Size, dots: float) -> dict[str, object]:
    return {"width": round(size.width * dots), "height": round(size.height * dots)}


def _hidden(pile: Pile) -> bool:
    """Return True for a pile of cards that lie face down until somebody draws them."""
    return pile.kind.form == "card" and any(shown.back for shown in pile.shown)


def _deck(pile: Pile, name: str, lang: str) -> dict[str, object]:
    """Return a pile that gives its cards one by one.

    Only the player who draws a hidden card sees it. Only cards are shuffled.
    """
    card = pile.kind.form == "card"
    shuffled = {"shuffle": "Via right-click Menu", "shuffleCommand": phrase("table_shuffle", lang)}
    return {
        "name": name,
        "allowMultiple": True,
        "allowSelect": card,
        "selectDisplayProperty": "$BasicName$",
        "faceDown": "Always" if _hidden(pile) else "Never",
        "drawFaceUp": False,
        **(shuffled if card else {"shuffle": "Never"}),
        "reversible": False,
        "draw": True,
        "color": "255,255,255",
        "hotkeyOnEmpty": False,
        "reshufflable": False,
        "canSave": False,
        "maxStack": LAYERS,
    }


def _looks(pile: Pile, shown: KeyedArticle, name: str, lang: str) -> tuple[str, list[Trait]]:
    """Return the default picture of a piece, and its traits, the outermost first."""
    told = marks(Kind=pile.kind.id, Text=shown.article.says)
    if pile.board:
        return shown.front, [fixed(), told]
    traits = [back_to(name, phrase("table_return", lang))] if pile.cards > 1 else []
    if pile.kind.form == "card":
        traits += [mask(shown.back, phrase("table_flip", lang), pile.name)] if shown.back else []
        return shown.front, [*traits, told]
    traits += [clone(phrase("table_clone", lang)), delete(phrase("table_delete", lang)), told]
    if pile.kind.form == "cube":
        rolled = sides(list(shown.sides.values()), phrase("table_next_side", lang), phrase("table_roll", lang))
        return "", [*traits, rolled]
    if shown.back not in ("", shown.front):
        return "", [*traits, sides([shown.front, shown.back], phrase("table_flip", lang))]
    return shown.front, traits


@dataclass(frozen=True, slots=True)
class VassalOrder(OnlineOrder):
    """A module of each game."""

    dpi: int = 100

    def make(self, job: Job) -> Made:
        """Make one game's modules, one for each edition."""
        game, editions = job.workshop.game, list[str]()
        for edition, found in online_editions(job, self):
            job.progress(f"{game.id}: vassal ({edition})")
            lang, stem = first_language(edition), f"{'selection' if self.only else game.id}.{edition}"
            credit = " ".join(f"{game.credit[lang]} {game.licence[lang]}".split())
            seats = tuple(phrase("play_player", lang, seat=n).capitalize() for n in range(1, game.players.most + 1))
            album = Album(job.workshop, lang, game.id, str)
            piles, dpi = vassal_piles(found, album, self.dpi)
            said = ModuleTexts(game.title[lang], str(game.draft), credit, lang, seats)
            job.files.put(self.out / game.id / "vassal" / f"{stem}.vmod", module(said, piles, dpi, album.assets))
            editions.append(edition)
        return Made(tuple(editions))
