"""What lies in one place of an online table: decks of cards, piles of alike pieces, boards, with their pictures."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from generator.dataclass import dataclass
from generator.export.album import Album
from generator.export.archive import plain_key
from generator.export.articles import Article, ArticleLot
from generator.export.decks import Deck, decks_of, lies_still
from generator.model.game import FaceName, Kind
from generator.printshop.file_names import distinct
from generator.units import Size


@dataclass(frozen=True, slots=True)
class Picturing:
    """How the faces of a kind become pictures: dots an inch, whether they end at the cut, and which sides."""

    dpi: float
    cut: bool
    sides: Sequence[FaceName]


@dataclass(frozen=True, slots=True)
class KeyedArticle:
    """An article with a key that names it on the table, and the addresses of those of its sides that are shown."""

    article: Article
    key: str
    sides: Mapping[FaceName, str]

    @property
    def front(self) -> str:
        """The address of its front."""
        return self.sides["front"]

    @property
    def back(self) -> str:
        """The address of its back; empty where it stays blank."""
        return self.sides.get("back", "")


@dataclass(frozen=True, slots=True)
class Pile:
    """What lies in one place: cards or pieces of one size in a pile, or a board that fills its place."""

    id: str
    name: str
    kind: Kind
    shown: tuple[KeyedArticle, ...]
    board: bool

    @property
    def size(self) -> Size:
        """Of a card or piece, in mm."""
        return self.kind.size

    @property
    def cards(self) -> int:
        """How many cards or pieces lie in it."""
        return sum(shown.article.count for shown in self.shown)


def piles_of(lots: Sequence[ArticleLot], album: Album, picturing: Callable[[Kind], Picturing]) -> list[Pile]:
    """The piles of a game in the order of its kinds, their pictures kept in the album."""
    found = []
    ids = [article.id for lot in lots for article in lot.articles]
    keys = dict(zip(ids, distinct(map(plain_key, ids)), strict=True))
    for lot in lots:
        shown = {each.article.id: each for each in _keyed(lot, keys, album, picturing(lot.kind))}
        for deck in _decks(lot):
            inside = tuple(shown[article.id] for article in deck.articles)
            found.append(Pile(f"pile-{inside[0].key}", deck.name, lot.kind, inside, lies_still(lot)))
    return found


def _decks(lot: ArticleLot) -> list[Deck]:
    """Cards by their backs; of other pieces a pile for each design, as players take them one by one."""
    if lot.kind.form == "card":
        return decks_of(lot)
    return [Deck(article.name, (article,)) for article in lot.articles]


def _keyed(lot: ArticleLot, keys: Mapping[str, str], album: Album, how: Picturing) -> Iterator[KeyedArticle]:
    """The articles of a kind with the pictures of their sides."""
    wanted = [(a, side, a.faces[side]) for a in lot.articles for side in how.sides if side in a.faces]
    images = album.faces([drawing for _, _, drawing in wanted], how.dpi)
    kept: dict[str, dict[FaceName, str]] = {}
    for (article, side, _), face in zip(wanted, images, strict=True):
        image = album.cut_out(face, lot.kind, side, how.dpi) if how.cut else face
        kept.setdefault(article.id, {})[side] = album.keep(f"{keys[article.id]}-{side}", image, how.dpi)
    for article in lot.articles:
        yield KeyedArticle(article, keys[article.id], kept[article.id])
