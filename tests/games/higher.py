"""A complete small game, as a stranger would bring it: everyone plays a card, the highest takes the trick."""

from collections.abc import Mapping
from typing import Any

from generator.game.model import Game
from generator.rules.engine.contract import Box, Message, Options, Rules, Zones
from generator.rules.engine.kernel import Record, Row, kernel, shuffle


def box(game: Game, players: int, options: Options) -> Box:
    """Every card of the kind `card`, its strength by its place in the data."""
    cards = tuple(copy for design in game.kinds["card"].designs for copy in design.copies())
    strength = [int(game.design(copy.split("#")[0]).fields["strength"]) for copy in cards]
    return Box(game, players, options, {"strength": strength, "hand": 3, "number": len(cards)}, cards)


def state(box: Box) -> dict[str, Any]:
    """`at` says where each card lies: -1 the deck, a seat's hand from 0, `10 + seat` won by a seat, 30 in the trick."""
    number = len(box.cards)
    fields = dict.fromkeys(("players", "seat", "over", "turn", "hole", "leader", "best"), 0)
    return fields | {"rng": [0] * 4, "short": [0], "deck": [0] * number, "at": [0] * number, "slot": [0] * number}


@kernel
def set_up(s: Record, f: Record) -> None:
    """Shuffles and deals."""
    for card in range(f.number):
        s.deck[card], s.at[card] = card, -1
    shuffle(s.rng, s.deck, 0, f.number)
    for place in range(s.players * f.hand):
        s.at[s.deck[place]] = place % s.players
    s.best = -1


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    """Any card of the hand."""
    number = 0
    for card in range(f.number):
        if s.at[card] == s.seat:
            moves[number] = card
            number += 1
    return number


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Plays a card; the last of a trick decides it."""
    s.at[move] = 30
    s.turn += 1
    if s.best < 0 or f.strength[move] > f.strength[s.best]:
        s.best, s.leader = move, s.seat
    s.seat = (s.seat + 1) % s.players
    if s.turn % s.players == 0:
        for card in range(f.number):
            if s.at[card] == 30:
                s.at[card] = 10 + s.leader
        s.seat, s.best = s.leader, -1
        s.over = 1 if s.turn == s.players * f.hand else 0


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    for card in range(f.number):
        if 10 <= s.at[card] < 30:
            points[s.at[card] - 10] += 1


@kernel
def place(s: Record, f: Record, places: Row) -> None:
    """One more than the number of seats with more cards."""
    for seat in range(s.players):
        places[seat] = 1
        for other in range(s.players):
            mine = theirs = 0
            for card in range(f.number):
                mine += s.at[card] == 10 + seat
                theirs += s.at[card] == 10 + other
            if theirs > mine:
                places[seat] += 1


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    """Cards won by the seat."""
    mine = 0
    for card in range(f.number):
        mine += s.at[card] == 10 + seat
    return mine


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """The cards that the seat can't see, in ascending order, are mixed and put where such cards lay."""
    unseen = slots = 0
    for card in range(f.number):
        s.deck[card] = 0
        if s.at[card] < 10 and s.at[card] != seat:
            s.deck[unseen] = card
            unseen += 1
    for zone in range(-1, s.players):
        for card in range(f.number):
            if zone != seat and s.at[card] == zone:
                s.slot[slots] = zone
                slots += 1
    shuffle(s.rng, s.deck, 0, unseen)
    for i in range(unseen):
        s.at[s.deck[i]] = s.slot[i]


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    taken[0] = 0


def zones(s: Record, box: Box) -> Zones:
    """Deck, hands, trick and what each seat has won."""
    found: dict[str, dict[str, int]] = {}
    for card, copy in enumerate(box.cards):
        at = s.at[card]
        name = "deck" if at < 0 else "trick" if at == 30 else f"hand {at + 1}" if at < 10 else f"won {at - 9}"
        found.setdefault(name, {})[copy] = 1
    return found


def write(s: Record, box: Box, move: int) -> str:
    return f"play {box.cards[move].split('/')[1].split('#')[0]}"


def say(s: Record, box: Box, move: int) -> Message:
    return Message("play", {"card": box.game.design(box.cards[move].split("#")[0])})


def arrange(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    """`hands: [[3, 9], [4, 8]]`: the strengths that each seat holds; all other cards are in the deck."""
    s.best, s.at = -1, [-1] * len(box.cards)
    for seat, hand in enumerate(given["hands"]):
        for strength in hand:
            if strength not in box.numbers["strength"]:
                raise ValueError(f"there is no card of strength {strength}")
            s.at[box.numbers["strength"].index(strength)] = seat


def ask(s: Record, box: Box, question: str, words: tuple[str, ...]) -> Any:
    """`best of 1`: the strength of the best card that a seat holds."""
    if question != "best":
        raise LookupError(f"unknown question '{question}'")
    return max(box.numbers["strength"][card] for card in range(len(box.cards)) if s.at[card] == int(words[1]) - 1)


@kernel
def broken(s: Record, f: Record) -> int:
    return 0


RULES = Rules(
    box=box, state=state, set_up=set_up, legal=legal, apply=apply, score=score, place=place, value=value, blind=blind,
    demand=demand, most=lambda box: len(box.cards), zones=zones, write=write, say=say, arrange=arrange, ask=ask,
    broken=broken,
)  # fmt: skip
