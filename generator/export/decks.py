"""Which cards of a kind make a deck: those with the same back, and those that each have a back of their own."""

from collections.abc import Sequence

from generator.dataclass import dataclass
from generator.export.articles import Article, ArticleLot


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards that lie in one pile. `own_backs`: each has another back; otherwise all share that of the first."""

    name: str
    articles: tuple[Article, ...]
    own_backs: bool = False

    @property
    def cards(self) -> int:
        """How many cards are in it."""
        return sum(article.count for article in self.articles)


def decks_of(lot: ArticleLot) -> list[Deck]:
    """The decks of a kind in the order of their first cards, numbered where there are several."""
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
        Deck(f"{lot.name} {n}" if many else lot.name, tuple(articles), own)
        for n, (articles, own) in enumerate(piles, 1)
    ]


def lies_still(lot: ArticleLot) -> bool:
    """Whether a kind is the game's one board of its kind; of several, players choose and lay them."""
    return (
        lot.kind.form == "board" and len(lot.articles) == 1 and lot.articles[0].count == 1 and not lot.articles[0].back
    )
