"""Draft 8 for people: where every piece lies, and moves in short notation and in words."""

from typing import Any

from generator.games.engine.contract import Box, Said, Zones
from generator.games.engine.kernel import Record
from generator.games.journey8.play_codes import (
    APPLY,
    AS,
    EVENT,
    GIVE_TO,
    HOLD,
    LEFT_AS,
    PASS,
    PER_COLOUR,
    PLAY,
    STOP,
    TAKE_FROM,
)
from generator.model.game import Design

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
    if move == PASS:
        return "pass"
    if move == STOP:
        return "stop"
    for first, word in ((HOLD, "keep"), (APPLY, "event")):
        if move >= first:
            return f"{word} {short(box, move - first)}"
    for first, word in ((TAKE_FROM, "take"), (GIVE_TO, "give")):
        if move >= first:
            return f"{word} {move - first + 1}"
    for first, word in ((LEFT_AS, "left as"), (AS, "as")):
        if move >= first:
            colour, number = said(box, move - first)
            return f"{word} {number}" if box.numbers["always_same"] else f"{word} {colour} {number}"
    return f"play {short(box, move - PLAY)}"


def say(s: Record, box: Box, move: int) -> Said:
    """The move's phrase with the card, the declaration or the player."""
    if move == PASS:
        return Said("pass")
    if move == STOP:
        return Said("apply_none" if s.phase == EVENT else "stop")
    for first, phrase in ((HOLD, "keep"), (APPLY, "event")):
        if move >= first:
            return Said(phrase, {"card": _design(box, move - first)})
    for first, phrase in ((TAKE_FROM, "take"), (GIVE_TO, "give")):
        if move >= first:
            return Said(phrase, {"player": move - first + 1})
    for first, phrase in ((LEFT_AS, "declare_left"), (AS, "declare")):
        if move >= first:
            colour, number = said(box, move - first)
            if box.numbers["always_same"]:
                return Said(f"{phrase}_number", {"number": number})
            return Said(phrase, {"colour": colour, "number": number})
    return Said("play", {"card": _design(box, move - PLAY)})


def short(box: Box, card: int) -> str:
    """A card in notation: `red-6`, `storyteller-1`."""
    return box.cards[card].split("/")[1].split("#")[0]


def said(box: Box, declared: int) -> tuple[str, int]:
    """The colour and the number of a declaration."""
    numbers: Any = box.numbers["numbers"]
    return tuple(box.game.sections["rules"]["colours"])[declared // PER_COLOUR], numbers[declared % PER_COLOUR]


def _design(box: Box, card: int) -> Design:
    return box.game.design(box.cards[card].split("#")[0])
