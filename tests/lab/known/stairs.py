"""A game for one player whose truth is on paper: cards come one by one, each onto one of two rows that may only rise.

Who knows the order of n cards wins it if no three of them fall: as many orders as the n-th Catalan number do that, 42 of
the 120 orders of five cards.
"""

from dataclasses import replace
from typing import Any

from known import bare

from generator.game.model import Game
from generator.rules.engine.contract import Box, Message, Options, Zones
from generator.rules.engine.kernel import Record, Row, kernel, shuffle

GIVE_UP = 2


def box(game: Game, players: int, options: Options) -> Box:
    """Every card of the kind `card`, its strength by its place in the data."""
    cards = tuple(copy for design in game.kinds["card"].designs for copy in design.copies())
    return Box(game, players, options, {"number": len(cards)}, cards)


def state(box: Box) -> dict[str, Any]:
    """`deck` is the order of the cards; `laid` how many lie, `top` the strength on top of each row, from 1."""
    fields = dict.fromkeys(("players", "seat", "over", "turn", "hole", "laid", "won"), 0)
    return fields | {"rng": [0] * 4, "short": [0], "deck": [0] * len(box.cards), "top": [0, 0]}


@kernel
def set_up(s: Record, f: Record) -> None:
    for card in range(f.number):
        s.deck[card] = card
    shuffle(s.rng, s.deck, 0, f.number)


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    """The rows that the next card may come onto, or giving up."""
    number = 0
    for row in range(2):
        if s.top[row] <= s.deck[s.laid]:
            moves[number] = row
            number += 1
    moves[number] = GIVE_UP
    return number + 1


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Lays the card; the last one wins."""
    s.turn += 1
    if move == GIVE_UP:
        s.over = 1
        return
    s.top[move] = s.deck[s.laid] + 1
    s.laid += 1
    if s.laid == f.number:
        s.won = 1
        s.over = 1


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    points[0] = s.laid


@kernel
def place(s: Record, f: Record, places: Row) -> None:
    places[0] = 1 if s.won == 1 else 2


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    return -abs(s.top[0] - s.top[1])


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """Mixes what has not been laid, but for the card to be laid."""
    for at in range(s.laid + 1, f.number):
        for other in range(at + 1, f.number):
            if s.deck[other] < s.deck[at]:
                s.deck[at], s.deck[other] = s.deck[other], s.deck[at]
    shuffle(s.rng, s.deck, s.laid + 1, f.number)


@kernel
def key(s: Record, f: Record, keys: Row) -> int:
    """The rows, the lower one first, and what is left of the deck."""
    keys[0] = min(s.top[0], s.top[1])
    keys[1] = max(s.top[0], s.top[1])
    for at in range(f.number):
        keys[2 + at] = -1 if at < s.laid else s.deck[at]
    return 2 + f.number


@kernel
def hopeless(s: Record, f: Record) -> int:
    """1 when a card that is to come is lower than both rows."""
    for at in range(s.laid, f.number):
        if s.deck[at] < s.top[0] and s.deck[at] < s.top[1]:
            return 1
    return 0


def zones(s: Record, box: Box) -> Zones:
    """Deck and what has been laid."""
    names = ["laid" if at < s.laid else "deck" for at in range(len(box.cards))]
    return {
        name: {box.cards[s.deck[at]]: 1 for at, one in enumerate(names) if one == name} for name in dict.fromkeys(names)
    }


def write(s: Record, box: Box, move: int) -> str:
    return "give up" if move == GIVE_UP else f"row {move + 1}"


def say(s: Record, box: Box, move: int) -> Message:
    return Message("give_up") if move == GIVE_UP else Message("lay", {"n": move + 1})


RULES = replace(
    bare.RULES, box=box, state=state, set_up=set_up, legal=legal, apply=apply, score=score, place=place,
    value=value, blind=blind, most=lambda box: 3, zones=zones, write=write, say=say, key=key, hopeless=hopeless,
)  # fmt: skip
