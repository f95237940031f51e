"""A wayfaring table in words: where the cards lie, and moves in notation and in phrases."""

from typing import Any

from generator.games.engine.codes import name_of
from generator.games.engine.contract import Box, Said, Zones
from generator.games.engine.kernel import INTERPRETED, Record
from generator.games.wayfaring.legal import ends_empty
from generator.games.wayfaring.moves import (
    ARGUMENT,
    MOST_PLAYERS,
    SEAT_SHIFT,
    TROUBLE_DESIGN,
    Item,
    Move,
    Stage,
    Wait,
    Zone,
)

_ZONES = {
    Zone.DECK: "deck",
    Zone.DISCARDS: "discards",
    Zone.DISPLAY: "display",
    Zone.CHARACTERS: "characters",
    Zone.STACK: "stack",
}
_OF_SEATS = {Zone.HAND: "hand", Zone.UP: "path", Zone.DOWN: "ahead", Zone.AREA: "area"}
ZONES = _ZONES | {zone + seat: f"{name} {seat + 1}" for zone, name in _OF_SEATS.items() for seat in range(MOST_PLAYERS)}
"""What each zone is called: `deck`, `hand 1` ..."""

_WORDS = {Move.GO: "move", Move.THROW: "discard"}
"""Where a move is called otherwise than in the kernels."""

_WITH_ENTRY = (Move.RECRUIT, Move.USE, Move.DISMISS, Move.JOIN, Move.LEAVE)
_WITH_SEAT = (Move.TARGET, Move.BURY)


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
        *(int(s.item_card[item]) for item in reversed(range(s.items)) if s.item_what[item] == Item.CARD),
    ]
    line = len(s.line)
    characters = [int(s.line[(s.line_top + at) % line]) for at in range(s.line_count)]
    lying = dict.fromkeys([*characters, *paths, *(card for card in declared if s.at[card] == Zone.STACK)])
    return [card for card in range(len(box.cards)) if card not in lying] + list(lying)


def piece(box: Box, move: int) -> str:
    """The design that a move is about, `destination/D02`; empty for none."""
    kind, what = _parts(move)
    if kind < Move.PLACE or kind in _WITH_SEAT:
        return ""
    numbers: Any = box.numbers
    card = numbers["first_area"] + what if kind in _WITH_ENTRY else numbers["first"][what & TROUBLE_DESIGN]
    return str(box.cards[card].partition("#")[0])


def _parts(move: int) -> tuple[int, int]:
    """The kind of a move, and with what it is made."""
    what = move & ARGUMENT if move >= Move.PLACE else 0
    return move - what, what


def _word(kind: int) -> str:
    return _WORDS.get(kind) or name_of(Move, kind)


def write(s: Record, box: Box, move: int) -> str:
    """`place D02`, `trouble T01 2`, `recruit P05`, `discard D03`, `target 2`, `done` ..."""
    kind, what = _parts(move)
    if kind in _WITH_SEAT:
        return f"{_word(kind)} {what + 1}"
    card = piece(box, move).rpartition("/")[2]
    seat = str((what >> SEAT_SHIFT) + 1) if kind == Move.TROUBLE else ""
    return " ".join(filter(None, (_word(kind), card, seat)))


def say(s: Record, box: Box, move: int) -> Said:
    """The phrase of the data for the move, with the card's name and the number of a seat.

    An action that is sure to end in fainting has a phrase of its own that says so.
    """
    kind, what = _parts(move)
    if move == Move.GO and s.wait != Wait.MOVE:
        return Said("move_again")
    if move == Move.SKIP:
        return Said("skip_move" if s.kind == Move.GO else "skip_set")
    if move == Move.DONE and s.stage == Stage.MAIN_1 and s.wait == Wait.MAIN and s.length[s.seat] == s.memories[s.seat]:
        return _said_without_a_way(s, box)
    if kind in _WITH_SEAT:
        return Said(_word(kind), {"seat": what + 1})
    phrase = _word(kind) + ("_last" if ends_empty(s, INTERPRETED.record(box.numbers), move) else "")
    values: dict[str, Any] = {"card": box.game.design(piece(box, move))} if kind >= Move.PLACE else {}
    if kind == Move.TROUBLE:
        values["seat"] = (what >> SEAT_SHIFT) + 1
    return Said(phrase, values)


def _said_without_a_way(s: Record, box: Box) -> Said:
    """Ending the first main phase with no card ahead: the pass that follows is nobody's choice."""
    passes: Any = box.numbers["rule_passes"]
    if not box.numbers["forced_pass_counts"]:
        return Said("done_no_way")
    if s.marks[s.seat] >= passes:
        return Said("done_fainting")
    return Said("done_passing", {"number": s.marks[s.seat] + 1, "passes": passes})
