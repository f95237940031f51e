"""A wayfaring table in words: where the cards lie, and moves in notation and in phrases."""

from typing import Any

from generator.games.engine.contract import Box, Said, Zones
from generator.games.engine.kernel import INTERPRETED, Record
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
    ITEM_CARD,
    JOIN,
    LEAVE,
    MAIN_1,
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
    WAIT_MAIN,
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
    """Every card where it lies, face-down cards of paths as `ahead`; pass markers with players or in supply.

    Paths begin in the past, declared cards with the one that is resolved first.
    """
    found: dict[str, dict[str, int]] = {}
    for card in _in_order(s, box):
        found.setdefault(ZONES[s.at[card]], {})[box.cards[card]] = 1
    left = dict(box.counted)
    for seat in range(s.players):
        for marker, number in tuple(left.items()):
            taken = min(int(s.marks[seat]), number)
            if taken:
                found.setdefault(f"marks {seat + 1}", {})[marker] = taken
                left[marker] -= taken
    found["supply"] = {marker: number for marker, number in left.items() if number}
    return found


def _in_order(s: Record, box: Box) -> list[int]:
    """All cards: those of paths, the stack and the character deck as they lie, all others in the order of the data."""
    deck: Any = box.numbers["deck_cards"]
    paths = [int(s.path[seat * deck + place]) for seat in range(s.players) for place in range(s.length[seat])]
    declared = [
        *(int(s.frame_card[frame]) for frame in reversed(range(s.frames))),
        *(int(s.item_card[item]) for item in reversed(range(s.items)) if s.item_what[item] == ITEM_CARD),
    ]
    line = len(s.line)
    characters = [int(s.line[(s.line_top + at) % line]) for at in range(s.line_count)]
    lying = dict.fromkeys([*characters, *paths, *(card for card in declared if s.at[card] == STACK)])
    return [card for card in range(len(box.cards)) if card not in lying] + list(lying)


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
    if move == DONE and s.stage == MAIN_1 and s.wait == WAIT_MAIN and s.length[s.seat] == s.memories[s.seat]:
        return _said_without_a_way(s, box)
    last = "_last" if ends_empty(s, INTERPRETED.record(box.numbers), move) else ""
    if move in _PLAIN:
        return Said(_PLAIN[move] + last)
    if kind in _WITH_SEAT:
        return Said(_WITH_SEAT[kind], {"seat": what + 1})
    card = box.game.design(piece(box, move))
    if kind == TROUBLE:
        return Said("trouble" + last, {"card": card, "seat": (what >> SEAT_SHIFT) + 1})
    return Said((_WITH_DESIGN | _WITH_CHARACTER)[kind] + last, {"card": card})


def _said_without_a_way(s: Record, box: Box) -> Said:
    """Ending the first main phase with no card ahead: the pass that follows is nobody's choice."""
    passes: Any = box.numbers["rule_passes"]
    if not box.numbers["forced_pass_counts"]:
        return Said("done_no_way")
    if s.marks[s.seat] >= passes:
        return Said("done_fainting")
    return Said("done_passing", {"number": s.marks[s.seat] + 1, "passes": passes})
