"""Cards in ascending order within a row, as hands hold them: kernels."""

from generator.games.engine.kernel import Row, kernel


@kernel
def insert(cards: Row, start: int, end: int, card: int) -> None:
    """A card comes to its place in the ascending cards[start:end], which then reach to `end`."""
    at = end
    while at > start and cards[at - 1] > card:
        cards[at] = cards[at - 1]
        at -= 1
    cards[at] = card


@kernel
def remove(cards: Row, start: int, end: int, card: int) -> None:
    """A card leaves cards[start:end], where it lies; the others close up, and a 0 comes behind them."""
    at = start
    while cards[at] != card:
        at += 1
    last = end - 1
    while at < last:
        cards[at] = cards[at + 1]
        at += 1
    cards[last] = 0
