"""Draft 8 for people: where every piece lies, and moves in short notation and in words."""

from typing import Any

from generator.games.engine.codes import begin_of, name_of
from generator.games.engine.contract import Box, Said, Zones
from generator.games.engine.kernel import Record
from generator.games.journey8.moves import PER_COLOUR, Move, Phase
from generator.model.game import Design

_WITH_CARD = (Move.PLAY, Move.EVENT, Move.KEEP)
_WITH_SEAT = (Move.GIVE, Move.TAKE)
_DECLARED = {Move.AS: "declare", Move.LEFT_AS: "declare_left"}

# Zones


def zones(s: Record, box: Box) -> Zones:
    """Removed cards, deck, story (left to right), discards, hands, and each player's sone and coherence.

    Where players have more counters than the box, the rest are substitutes, which are not listed.
    """
    rows = {
        "removed": s.removed[: s.aside],
        "deck": s.deck[s.top :],
        "story": s.story[: s.laid],
        "discards": s.discards[: s.thrown],
    }
    for seat in range(s.players):
        first = seat * len(box.cards)
        rows[f"hand {seat + 1}"] = s.hand[first : first + s.held[seat]]
    found = {name: {box.cards[card]: 1 for card in row} for name, row in rows.items()}
    return {**found, **_counters(s, box)}


def _counters(s: Record, box: Box) -> dict[str, dict[str, int]]:
    """The box's counters, those of players first."""
    ((counter, left),) = box.counted.items()
    found = {}
    for seat in range(s.players):
        for side, number in (("sone", int(s.sone[seat])), ("coherence", int(s.coherence[seat]))):
            found[f"{side} {seat + 1}"] = min(number, left)
            left -= min(number, left)
    found["supply"] = left
    return {zone: {counter: number} if number else {} for zone, number in found.items()}


# Moves


def write(s: Record, box: Box, move: int) -> str:
    """`pass`, `play red-6`, `as red 1`, `left as blue 7`, `give 2`, `event red-6`, `keep red-5`, `stop`."""
    kind, what = _parts(move)
    words = [name_of(Move, kind).replace("_", " ")]
    if kind in _WITH_CARD:
        words.append(short(box, what))
    elif kind in _WITH_SEAT:
        words.append(str(what + 1))
    elif kind in _DECLARED:
        words += [str(word) for word in said(box, what)[1 if box.numbers["always_same"] else 0 :]]
    return " ".join(words)


def say(s: Record, box: Box, move: int) -> Said:
    """The move's phrase with the card, the declaration or the player."""
    kind, what = _parts(move)
    if kind in _WITH_CARD:
        return Said(name_of(Move, kind), {"card": design_of(box, what)})
    if kind in _WITH_SEAT:
        return Said(name_of(Move, kind), {"player": what + 1})
    if kind in _DECLARED:
        colour, number = said(box, what)
        if box.numbers["always_same"]:
            return Said(f"{_DECLARED[kind]}_number", {"number": number})
        return Said(_DECLARED[kind], {"colour": colour, "number": number})
    return Said("apply_none" if s.phase == Phase.EVENT else name_of(Move, kind))


def _parts(move: int) -> tuple[int, int]:
    """The kind of a move, and with what it is made."""
    kind = begin_of(Move, move)
    return kind, move - kind


def short(box: Box, card: int) -> str:
    """A card in notation: `red-6`, `storyteller-1`."""
    return box.cards[card].split("/")[1].split("#")[0]


def said(box: Box, declared: int) -> tuple[str, int]:
    """The colour and the number of a declaration."""
    numbers: Any = box.numbers["numbers"]
    return tuple(box.game.sections["rules"]["colours"])[declared // PER_COLOUR], numbers[declared % PER_COLOUR]


def design_of(box: Box, card: int) -> Design:
    """The design that a card of the box is printed from."""
    return box.game.design(box.cards[card].split("#")[0])
