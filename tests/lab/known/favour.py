"""A game whose truth is on paper: a card that is worth +0.10 of wins to who draws it, the others nothing.

Each of two seats draws three of ten cards and lays down two, whichever it likes. Then chance decides: seat 1 wins with
0.5 + what its cards favour it - what the other's favour the other. With a card of 0.07 its holder wins 0.57 of the games,
and who has not drawn it 3/7 x 0.43 + 4/7 x 0.5 = 0.47.

With `laid` only those favour it that it has laid, less what they cost; of a card of 0.5 a seat that lays two of three at
random lays down 3/10 x 2/3 and wins 0.5 of that more: who may not lay it loses 0.10 of its wins.

With `ahead` one of the seats, by chance, wins 0.2 more, and it draws two cards more on its first turn: whoever has a
card wins more often then, though the card does nothing.
"""

from dataclasses import replace
from typing import Any

from known import bare

from generator.game.model import Game
from generator.rules.engine.contract import Box, Message, Options, Zones
from generator.rules.engine.kernel import Record, Row, draw_below, kernel, shuffle

DECK, TABLE = -1, 10
HAND, MORE, LEAD = 3, 2, 200


def box(game: Game, players: int, options: Options) -> Box:
    """The cards with what they favour less what they cost, in thousandths."""
    designs = game.kinds["card"].designs
    cards = tuple(copy for design in designs for copy in design.copies())
    worth = [design.fields["favour"] - design.fields["cost"] for design in designs for _ in design.copies()]
    rules = game.sections["rules"]
    numbers = {"cards": len(cards), "favour": worth, "ahead": rules["ahead"], "laid": rules["laid"]}
    return Box(game, players, options, numbers, cards)


def state(box: Box) -> dict[str, Any]:
    """`at` has -1 for the deck, a seat, or 10 + a seat whose table it lies on; `ahead` the seat that is, or -1."""
    fields = dict.fromkeys(("players", "seat", "over", "turn", "hole", "next", "ahead", "winner"), 0)
    number = len(box.cards)
    return fields | {"rng": [0] * 4, "short": [0], "at": [0] * number, "deck": [0] * number}


@kernel
def draw(s: Record, seat: int, number: int) -> None:
    for _ in range(number):
        s.at[s.deck[s.next]] = seat
        s.next += 1


@kernel
def set_up(s: Record, f: Record) -> None:
    """Shuffles and deals."""
    for card in range(f.cards):
        s.deck[card] = card
        s.at[card] = -1
    shuffle(s.rng, s.deck, 0, f.cards)
    draw(s, 0, HAND)
    draw(s, 1, HAND)
    s.ahead = draw_below(s.rng, 2) if f.ahead else -1


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    """Any card of the hand."""
    number = 0
    for card in range(f.cards):
        if s.at[card] == s.seat:
            moves[number] = card
            number += 1
    return number


@kernel
def favoured(s: Record, f: Record, seat: int) -> int:
    """What a seat's cards are worth to it."""
    worth = LEAD if s.ahead == seat else 0
    for card in range(f.cards):
        if s.at[card] == TABLE + seat or (s.at[card] == seat and f.laid == 0):
            worth += f.favour[card]
    return worth


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Lays a card down; after two of each seat it is decided who wins."""
    s.at[move] = TABLE + s.seat
    if s.turn < 2 and s.ahead == s.seat:
        draw(s, s.seat, MORE)
    s.turn += 1
    s.seat = 1 - s.seat
    if s.turn == 4:
        s.over = 1
        chance = 500 + favoured(s, f, 0) - favoured(s, f, 1)
        s.winner = 0 if draw_below(s.rng, 1000) < chance else 1


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    for seat in range(2):
        points[seat] = 1 if s.over == 1 and s.winner == seat else 0


@kernel
def place(s: Record, f: Record, places: Row) -> None:
    for seat in range(2):
        places[seat] = 1 if s.winner == seat else 2


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    """What it has on the table."""
    worth = 0
    for card in range(f.cards):
        if s.at[card] == TABLE + seat:
            worth += f.favour[card]
    return worth


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """Mixes the deck and the other's hand, from the order of the cards."""
    other, hidden = 1 - seat, 0
    held = 0
    for card in range(f.cards):
        if s.at[card] == -1 or s.at[card] == other:
            held += s.at[card] == other
            s.deck[hidden] = card
            hidden += 1
    shuffle(s.rng, s.deck, 0, hidden)
    for place in range(hidden):
        s.at[s.deck[place]] = other if place < held else -1
    for place in range(hidden - 1, -1, -1):
        s.deck[f.cards - hidden + place] = s.deck[place]
    s.next = f.cards - hidden + held
    for place in range(s.next):
        s.deck[place] = 0


def zones(s: Record, box: Box) -> Zones:
    """Deck, hands, tables."""
    found: dict[str, dict[str, int]] = {}
    for card, copy in enumerate(box.cards):
        at = s.at[card]
        name = "deck" if at == DECK else f"table {at - TABLE + 1}" if at >= TABLE else f"hand {at + 1}"
        found.setdefault(name, {})[copy] = 1
    return found


def write(s: Record, box: Box, move: int) -> str:
    return f"lay {box.cards[move].split('/')[1]}"


def say(s: Record, box: Box, move: int) -> Message:
    return Message("lay", {"card": box.game.design(box.cards[move].split("#")[0])})


RULES = replace(
    bare.RULES, box=box, state=state, set_up=set_up, legal=legal, apply=apply, score=score, place=place,
    value=value, blind=blind, most=lambda box: len(box.cards), zones=zones, write=write, say=say,
)  # fmt: skip
