"""The cards of wayfaring as its data have them: kinds, printed copies, and the parts that their effects stand in."""

from collections.abc import Iterator
from typing import NamedTuple

from generator.games.engine.facts import kind_of
from generator.model.game import Design, Effect, Game

DESTINATION, TROUBLE, CHARACTERS = "destination", "trouble", "character"

DECK = (DESTINATION, TROUBLE, "cursed", "intervention")
"""The kinds of cards that are shuffled together as the deck."""

CARDS = (*DECK, CHARACTERS)

KIND_MARKED = ("arrival", "intervention")
"""The parts whose steps may be marked with a kind of companion."""

_EFFECTS = {DESTINATION: "arrival", TROUBLE: "occurrence", "intervention": "intervention"}
"""What the effects of a kind of card are; those of all others are abilities."""

_PARTS = ("cost", "deed", "situation", "curse")


class Part(NamedTuple):
    """A step, cost or condition of a design: the design, the part of it where it stands, and the printed copies."""

    card: Design
    part: str
    effect: Effect
    copies: int


def count(game: Game, kind: str) -> int:
    """How many cards of a kind are printed."""
    return kind_of(game, kind).count


def printed(game: Game, kind: str) -> Iterator[Design]:
    """The cards of a kind, a design as often as it is printed."""
    return (card for card in kind_of(game, kind).designs for _ in range(card.count))


def parts_of(game: Game) -> Iterator[Part]:
    """Everything that the cards can do or ask for, in the order of the data."""
    for kind in CARDS:
        for card in kind_of(game, kind).designs:
            fields = {_EFFECTS.get(kind, "ability"): "effects", **{part: part for part in _PARTS}}
            for part, field in fields.items():
                for effect in card.fields.get(field) or ():
                    yield Part(card, part, effect, card.count)
