"""A path of wayfaring and what can be read off it: memories, places visited, and the card that comes next."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from generator.games.wayfaring.facts import Facts
from generator.model.game import Effect

DESTINATION, TROUBLE = "destination", "trouble"


class Placed(NamedTuple):
    """A card on a path: a destination with its terrain, or a trouble without one."""

    card: str
    face_up: bool
    kind: str = DESTINATION
    terrain: str = ""


Path = Sequence[Placed]
"""The cards of a path from the past to the future."""


def in_shape(path: Path) -> bool:
    """Whether all face-up cards lie on the past side of all face-down ones."""
    return not any(later.face_up and not card.face_up for card, later in pairwise(path))


def memories(path: Path) -> int:
    """The face-up cards: a trouble counts as well as a destination."""
    return sum(card.face_up for card in path)


def visited(path: Path, terrain: str = "") -> int:
    """The face-up destinations, all or those of one terrain."""
    seen = [card for card in path if card.face_up and card.kind == DESTINATION]
    return sum(not terrain or card.terrain == terrain for card in seen)


def troubles(path: Path) -> int:
    """The face-up troubles."""
    return sum(card.face_up and card.kind == TROUBLE for card in path)


def next_card(path: Path) -> int | None:
    """Where the face-down card lies that is moved onto, the one furthest in the past; None if there is none."""
    return next((place for place, card in enumerate(path) if not card.face_up), None)


def last_hidden(path: Path) -> int | None:
    """Where the face-down card lies that can be buried, the one furthest in the future; None if there is none."""
    return next((place for place in reversed(range(len(path))) if not path[place].face_up), None)


def moved(path: Path) -> tuple[Placed, ...]:
    """The path after a move, before the card's effect; ValueError if there is nothing to move onto."""
    place = next_card(path)
    if place is None:
        raise ValueError("there is no face-down card to move onto")
    return (*path[:place], path[place]._replace(face_up=True), *path[place + 1 :])


def placed(path: Path, card: Placed) -> tuple[Placed, ...]:
    """The path with another card, face down at the future end."""
    return (*path, card._replace(face_up=False))


def recalled(path: Path, card: Placed) -> tuple[Placed, ...]:
    """The path with a card from the discards, face up at the past end; nothing happens on arrival."""
    return (card._replace(face_up=True), *path)


def needed(curses: Iterable[Effect], facts: Facts) -> int:
    """The memories that win for a player under these curses."""
    return facts.memories + sum(int(curse.values["n"]) for curse in curses if curse.op == "need_more")


def won_by_move(path: Path, need: int, hand: int) -> bool:
    """Whether a move has won, once its effects are done: enough memories, and a card in hand."""
    return memories(path) >= need and hand > 0


def won_by_effect(path: Path, need: int, hand: int, *, needs_hand: bool = False) -> bool:
    """Whether a card laid face up without a move has won; by E53, an empty hand may be no matter."""
    return memories(path) >= need and (hand > 0 or not needs_hand)
