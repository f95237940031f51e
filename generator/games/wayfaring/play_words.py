"""A wayfaring table in words: where the cards lie, and moves in notation and in phrases."""

from typing import Any

from generator.games.contract import Box, Said, Zones
from generator.games.kernel import INTERPRETED, Record
from generator.games.wayfaring.play_codes import (
    AREA,
    ARGUMENT,
    BURY,
    CHARACTERS,
    CURSE,
    DECK,
    DECLINE,
    DISCARDS,
    DISMISS,
    DISPLAY,
    DONE,
    DOWN,
    GO,
    HAND,
    JOIN,
    LEAVE,
    MOST_PLAYERS,
    PASS,
    PLACE,
    PLAY,
    RECALL,
    RECRUIT,
    SEAT_SHIFT,
    SET,
    SKIP,
    STACK,
    TAKE,
    TARGET,
    THROW,
    TROUBLE,
    UP,
    USE,
    WAIT_MOVE,
)
from generator.games.wayfaring.play_legal import ends_empty

_ZONES = {
    DECK: "deck",
    DISCARDS: "discards",
    DISPLAY: "display",
    CHARACTERS: "characters",
    STACK: "stack",
}
_OF_SEATS = {HAND: "hand", UP: "path", DOWN: "ahead", AREA: "area"}
ZONES = _ZONES | {zone + seat: f"{name} {seat + 1}" for zone, name in _OF_SEATS.items() for seat in range(MOST_PLAYERS)}
"""What each zone is called: `deck`, `hand 1` ..."""

_PLAIN = {DONE: "done", DECLINE: "decline", PASS: "pass", GO: "move", SKIP: "skip"}
_WITH_DESIGN = {
    PLACE: "place",
    CURSE: "curse",
    PLAY: "play",
    THROW: "discard",
    SET: "set",
    TAKE: "take",
    RECALL: "recall",
}
_WITH_CHARACTER = {RECRUIT: "recruit", USE: "use", DISMISS: "dismiss", JOIN: "join", LEAVE: "leave"}
_WITH_SEAT = {TARGET: "target", BURY: "bury"}


def zones(s: Record, box: Box) -> Zones:
    """Every card where it lies, face-down cards of paths as `ahead`; pass markers with players or in supply."""
    found: dict[str, dict[str, int]] = {}
    for copy, zone in zip(box.cards, s.at, strict=True):
        found.setdefault(ZONES[zone], {})[copy] = 1
    left = dict(box.counted)
    for seat in range(s.players):
        for marker, number in tuple(left.items()):
            taken = min(int(s.marks[seat]), number)
            if taken:
                found.setdefault(f"marks {seat + 1}", {})[marker] = taken
                left[marker] -= taken
    found["supply"] = {marker: number for marker, number in left.items() if number}
    return found


def piece(box: Box, move: int) -> str:
    """The design that a move is about, `destination/D02`; empty for none."""
    what = move & ARGUMENT
    kind = move - what
    if kind in _WITH_CHARACTER:
        return _design(box, box.numbers["first_area"] + what)  # type: ignore[operator]
    if kind == TROUBLE:
        what &= (1 << SEAT_SHIFT) - 1
    elif kind not in _WITH_DESIGN:
        return ""
    return _design(box, box.numbers["first"][what])  # type: ignore[index]


def _design(box: Box, card: Any) -> str:
    return str(box.cards[card]).partition("#")[0]


def write(s: Record, box: Box, move: int) -> str:
    """`place D02`, `trouble T01 2`, `recruit P05`, `discard D03`, `target 2`, `done` ..."""
    if move in _PLAIN:
        return _PLAIN[move]
    what = move & ARGUMENT
    kind = move - what
    if kind in _WITH_SEAT:
        return f"{_WITH_SEAT[kind]} {what + 1}"
    name = piece(box, move).split("/")[1]
    if kind == TROUBLE:
        return f"trouble {name} {(what >> SEAT_SHIFT) + 1}"
    return f"{(_WITH_DESIGN | _WITH_CHARACTER)[kind]} {name}"


def say(s: Record, box: Box, move: int) -> Said:
    """The phrase of the data for the move, with the card's name and the number of a seat.

    An action that is sure to end in fainting has a phrase of its own that says so.
    """
    what = move & ARGUMENT
    kind = move - what
    if move == GO and s.wait != WAIT_MOVE:
        return Said("move_again")
    if move == SKIP:
        return Said("skip_move" if s.kind == GO else "skip_set")
    last = "_last" if ends_empty(s, INTERPRETED.record(box.numbers), move) else ""
    if move in _PLAIN:
        return Said(_PLAIN[move] + last)
    if kind in _WITH_SEAT:
        return Said(_WITH_SEAT[kind], {"seat": what + 1})
    card = box.game.design(piece(box, move))
    if kind == TROUBLE:
        return Said("trouble" + last, {"card": card, "seat": (what >> SEAT_SHIFT) + 1})
    return Said((_WITH_DESIGN | _WITH_CHARACTER)[kind] + last, {"card": card})
