"""What examples give of a situation, read as it may be wrong: names, numbers, lists, and cards by their names.

All raise ValueError with what is wrong, in words.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from generator.errors import did_you_mean

_K = TypeVar("_K", bound=str)


def only(given: Iterable[Any], names: Collection[str]) -> None:
    """Nothing is given but what has one of these names."""
    for name in given:
        if name not in names:
            raise ValueError(f"'{name}' can't be given; {did_you_mean(str(name), names)}")


def one_of(name: Any, known: Collection[_K], what: str) -> _K:
    """A name that is known."""
    for one in known:
        if one == name:
            return one
    raise ValueError(f"there is no {what} '{name}'; {did_you_mean(str(name), known)}")


def whole(value: Any, name: str, least: int, most: int | None = None) -> int:
    """A number within its bounds; where it is the name of an entry, YAML may have it as a text."""
    number = int(value) if str(value).isdecimal() and not isinstance(value, bool) else -1
    if number < least or (most is not None and number > most):
        bounds = f"{least} or more" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} is '{value}'; it should be a number {bounds}")
    return number


def seat_of(value: Any, players: int) -> int:
    """A seat, which people count from 1, from 0."""
    return whole(value, "a seat", 1, players) - 1


def read_list(value: Any, name: str) -> Sequence[Any]:
    """A list."""
    if isinstance(value, (list, tuple)):
        return value
    raise ValueError(f"{name} is '{value}'; it should be a list, such as [6L1, 5H]")


def entries(value: Any, name: str) -> Iterable[tuple[Any, Any]]:
    """The entries of a table by numbers."""
    if isinstance(value, Mapping):
        return value.items()
    raise ValueError(f"{name} should be given as {{1: ..., 2: ...}}")


class Pool:
    """Cards that lie nowhere yet; each is given out once.

    `cards` are the cards that a name may mean, the one to take first in front: one for the name of a copy, all copies
    for that of a design. A copy that is `named` by itself somewhere is not given out for its design.
    """

    def __init__(self, cards: Mapping[str, Sequence[int]], named: Collection[str] = ()):
        self._cards = cards
        self._kept = {card for name in named for card in cards.get(name, ()) if len(cards[name]) == 1}
        self.free = sorted({card for copies in cards.values() for card in copies})

    def take(self, names: Any, where: str) -> list[int]:
        """The cards that are named there, in this order."""
        return [self.one(str(name)) for name in read_list(names, where)]

    def one(self, name: str) -> int:
        """A card of this name."""
        copies = self._cards[one_of(name, self._cards, "card")]
        left = [card for card in copies if card in self.free and (len(copies) == 1 or card not in self._kept)]
        if not left:
            raise ValueError(f"the card {name} is named more often than it is there")
        self.free.remove(left[0])
        return left[0]

    def any(self, number: int, fitting: Collection[int] | None = None, *, last: bool = False) -> list[int]:
        """So many of the cards that are left, or of those that fit: the first ones, or the last."""
        there = [card for card in self.free if fitting is None or card in fitting]
        if number > len(there):
            raise ValueError(f"{number} cards are wanted, and only {len(there)} are left")
        found = there[len(there) - number :] if last else there[:number]
        self.free = [card for card in self.free if card not in found]
        return found


def texts(value: Any) -> Iterable[str]:
    """All texts that are given anywhere: names of cards among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (Mapping, list, tuple)):
        for part in value.values() if isinstance(value, Mapping) else value:
            yield from texts(part)
