"""Fortuna's cards and moves as people name them: zones, notation, words."""

from collections.abc import Iterator

from generator.games.engine.codes import begin_of, name_of
from generator.games.engine.contract import Box, Said, Zones
from generator.games.engine.kernel import Record
from generator.games.fortuna.moves import Move
from generator.model.game import Design

WRITTEN = {Move.AMOUNT: "move", Move.ALL_IN: "all-in"}
"""Moves whose word in the notation is not that of their name."""

OF_CARDS = (Move.PASS, Move.CARD, Move.DISCARD)
OF_NOTHING = (Move.STAY, Move.DONE)


def zones(s: Record, box: Box) -> Zones:
    """Decks, hands, a discard in hand; piles by number; sets by seat and number, with what lies face down apart."""
    found: dict[str, dict[str, int]] = {}

    def lies(zone: str, cards: Iterator[int]) -> None:
        here = {box.cards[card]: 1 for card in cards}
        if here:
            found[zone] = here

    width, numbers = box.number("width"), box.number("numbers")
    lies("main", (int(s.main[i]) for i in range(s.main_n)))
    lies("end", (int(s.end[i]) for i in range(s.end_n)))
    lies("discarding", iter((int(s.held) - 1,) if s.held else ()))
    for number in range(numbers):
        lies(f"pile {number}", chain(s, s.top[number]))
    for seat in range(box.players):
        lies(f"hand {seat + 1}", (int(s.hand[seat * width + i]) for i in range(s.hand_n[seat])))
        for number in range(numbers):
            if s.up[seat * numbers + number]:
                lies(f"set {seat + 1} {number}", chain(s, s.up[seat * numbers + number]))
                lies(f"set {seat + 1} {number} down", chain(s, s.down[seat * numbers + number]))
    return found


def chain(s: Record, top: int) -> Iterator[int]:
    """The cards of a pile or set, the uppermost first."""
    while top > 0:
        yield int(top) - 1
        top = s.under[top - 1]


def write(s: Record, box: Box, move: int) -> str:
    """Such as `pass 6L1`, `play 5`, `all-in 8`, `card 6W1`, `done`, `discard 1L1`, `fill 3`, `from 5`, `to 1`."""
    start = begin_of(Move, move)
    word = WRITTEN.get(start, name_of(Move, start))
    if start in OF_NOTHING:
        return word
    return f"{word} {card_name(box, move - start) if start in OF_CARDS else move - start}"


def say(s: Record, box: Box, move: int) -> Said:
    """A phrase of `moves`, with the card, the number or the pile."""
    start = begin_of(Move, move)
    phrase = name_of(Move, start)
    if start in OF_NOTHING:
        return Said(phrase)
    if start in OF_CARDS:
        return Said(phrase, {"card": design_of(box, move - start)})
    if start == Move.AMOUNT:
        return Said(phrase, {"number": move - start, "source": int(s.source), "target": int(s.target)})
    return Said(phrase, {"number": move - start})


def card_name(box: Box, card: int) -> str:
    """A copy in short: number, icon's letter, copy, as in `6W2`."""
    design, copy = box.cards[card].split("#")
    fields = box.game.design(design).fields
    return f"{fields['number']}{box.game.icons[fields['icon']].letter}{copy}"


def design_of(box: Box, card: int) -> Design:
    """The design of a copy."""
    return box.game.design(box.cards[card].split("#", maxsplit=1)[0])
