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
"""How its key strokes say that Ctrl is held."""


def keys(letter: str) -> str:
    """The stroke of a letter (A-Z) with Ctrl held."""
    return f"{ord(letter)},{CTRL}"


def sequence(delimiter: str, *tokens: object) -> str:
    """Tokens in one text as Vassal splits them again.

    A delimiter within a token has a backslash before it; a token that a reader would take for an escaped or quoted one
    stands in quotes.
    """
    return delimiter.join(_token(str(token), delimiter) for token in tokens)


def _token(text: str, delimiter: str) -> str:
    escaped = text.replace(delimiter, f"\\{delimiter}")
    quoted = text.startswith("\\") or (text.startswith("'") and text.endswith("'"))
    return f"'{escaped}'" if quoted else escaped


@dataclass(frozen=True, slots=True)
class Trait:
    """What a piece can do or says of itself: the part that never changes, and its state when the game begins."""

    type: str
    state: str = ""


def mask(back: str, command: str, name: str) -> Trait:
    """A card that can lie face down: others see this picture and name, its owner a small one in the card's corner."""
    return Trait("obs;" + sequence(";", keys("F"), back, command, "I", name, "player:"), "null;")


def sides(images: Sequence[str], turn: str, roll: str = "") -> Trait:
    """A piece that shows one of several pictures: the next by one command, any of them by another if it has a name."""
    shown = sequence(",", *images), sequence(",", *("" for _ in images))
    turned = ("", 128, "", turn, 128, "", "", 128, "", "", "", 1, "false", 0, 0, *shown, "true", "")
    rolled = (keys("R") if roll else "", roll, "false", "", 1)
    return Trait("emb2;" + sequence(";", *turned, *rolled, 1, "true", "", keys("F"), "", "", "1.0"), "1")


def back_to(deck: str, command: str) -> Trait:
    """A card that goes back to its deck by a command."""
    return Trait("return;" + sequence(";", command, keys("B"), deck, "", "", 2, "false", deck))


def marks(**values: str) -> Trait:
    """What can be searched and listed of a piece."""
    return Trait("mark;" + sequence(",", *values), sequence(",", *values.values()))


def fixed() -> Trait:
    """What is never selected, moved or stacked."""
    return Trait("immob;" + sequence(";", "nZ", "V", "R", ""))


def clone(command: str) -> Trait:
    """Another of the same by a command."""
    return Trait("clone;" + sequence(";", command, keys("C"), ""))


def delete(command: str) -> Trait:
    """Taken away by a command."""
    return Trait("delete;" + sequence(";", command, keys("D"), ""))


def definition(name: str, image: str, number: int, traits: Sequence[Trait]) -> str:
    """A piece with its traits, the outermost first, as the text of its slot; `number` is its slot's own."""
    basic = Trait("piece;" + sequence(";", "", "", image, name), sequence(";", "null", 0, 0, number, 0))
    *_, whole = accumulate(reversed(traits), _around, initial=basic)
    return "+/" + sequence("/", "null", whole.type, whole.state)


def _around(inner: Trait, outer: Trait) -> Trait:
    """A trait with what it is put around."""
    return Trait(sequence("\t", outer.type, inner.type), sequence("\t", outer.state, inner.state))


VASSAL_VERSION = "3.7.0"
"""The oldest that opens it; from 3.5 on the module is described by `buildFile.xml`."""

TABLE_COLOUR = "53,82,74"

ROW, EDGE, GAP = 900.0, 40.0, 14.0
"""A row of the table, room around everything and between piles, mm."""

HAND = Size(900, 300)
"""The window of a hand, in pixels."""

LAYERS = 10
"""So many cards of a deck are seen, one below the other."""

_HANDLING = (
    "ForwardToKeyBuffer",
    "Scroller",
    "ForwardToChatter",
    "MenuDisplayer",
    "MapCenterer",
    "PieceMover",
    "KeyBufferer",
)
"""What lets players look at a map's pieces, take them and give commands to them; not there unless it is named."""


@dataclass(frozen=True, slots=True)
class ModuleTexts:
    """What the module says of the game, in its language; `seats` are the sides that players choose from."""

    title: str
    version: str
    credit: str
    lang: str
    seats: tuple[str, ...]


def vassal_piles(lots: Sequence[ArticleLot], album: Album, dpi: int) -> tuple[list[Pile], float]:
    """The piles and the dots an inch of all their pictures: Vassal shows a picture as large as it is."""
    fine = min((largest_dpi(lot.kind.size, dpi) for lot in lots), default=float(dpi))
    pictured = piles_of(
        lots,
        album,
        lambda kind: Picturing(fine, True, CUBE_FACES if kind.form == "cube" else ("front", "back")),
    )
    return pictured, fine


def module(said: ModuleTexts, piles: Sequence[Pile], dpi: float, assets: Mapping[str, Asset]) -> bytes:
    """The module's archive: what lies where, what the list of modules shows, and the pictures."""
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
    """A component of the build file below another; attributes that are left out have Vassal's own values."""
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
    """The plain board that a map's pieces lie on; it comes before them."""
    picker = _under(table, "module.map.BoardPicker")
    measures = {"width": round(size.width), "height": round(size.height), "color": TABLE_COLOUR}
    _under(picker, "module.map.boardPicker.Board", name=name, reversible=False, **measures)


def _handled(table: ElementTree.Element) -> None:
    for name in _HANDLING:
        _under(table, f"module.map.{name}")


def _table(root: ElementTree.Element, lang: str, piles: Sequence[Pile], dots: float) -> None:
    """The map that all players see, with everything in rows; `dots` are pixels to the mm."""
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
    """Where the middle of a piece lies on the board."""
    x, y = EDGE + box.x + box.width / 2, EDGE + box.y + box.height / 2
    return {"owningBoard": board, "useGridLocation": False, "x": round(x * dots), "y": round(y * dots)}


def _pixels(size: Size, dots: float) -> dict[str, object]:
    return {"width": round(size.width * dots), "height": round(size.height * dots)}


def _hidden(pile: Pile) -> bool:
    """Whether a pile is of cards that lie face down until they are drawn."""
    return pile.kind.form == "card" and any(shown.back for shown in pile.shown)


def _deck(pile: Pile, name: str, lang: str) -> dict[str, object]:
    """A pile that gives its cards one by one; who draws a hidden card sees it alone. Cards alone are shuffled."""
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
    """The picture of a piece that has no other, and its traits, the outermost first."""
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
        """One game's modules, one an edition."""
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
