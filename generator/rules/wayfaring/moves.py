"""The moves of The Wayfaring Book: what may be done, in notation and in words."""

from typing import Any

from generator.rules.engine.contract import Box, Message, Zones
from generator.rules.engine.facts import find_code_name
from generator.rules.engine.kernel import Record, iter_members, kernel
from generator.rules.wayfaring.pieces import can_pay, can_refill, is_usable, situation_holds
from generator.rules.wayfaring.state import (
    ARGUMENT,
    MOST_PLAYERS,
    SEAT_SHIFT,
    TROUBLE_DESIGN,
    Item,
    Move,
    Op,
    Stage,
    Wait,
    Zone,
)


@kernel
def cards_of(f: Record, start: int) -> int:
    """Return how many cards a cost or deed takes from the hand; `start` is its first step."""
    number = 0
    step = start
    while f.op[step] != Op.END:
        if f.op[step] == Op.DISCARD:
            number += f.times[step]
        step += 1
    return number


@kernel
def spends_last(s: Record, seat: int, cards: int) -> int:
    """Return True if spending N cards empties a hand, which may be forbidden (E57)."""
    return 1 if cards > 0 and s.held[seat] <= cards else 0


@kernel
def ends_empty(s: Record, f: Record, move: int) -> int:
    """Return True if an action surely leaves the choosing seat without a card, or is a pass too many."""
    seat, what = s.seat, move & ARGUMENT
    kind = move - what
    if move == Move.PASS:
        return 1 if s.marks[seat] >= f.rule_passes else 0
    cards = back = 0
    if kind in (Move.PLACE, Move.TROUBLE, Move.CURSE, Move.PLAY):
        cards = 1
        back = can_refill(s, f, seat, f.effect[what], what) if kind == Move.PLAY else 0
    elif kind == Move.USE:
        cards, back = cards_of(f, f.cost[what]), can_refill(s, f, seat, f.ability[what], f.no_design)
    elif kind == Move.RECRUIT:
        cards = cards_of(f, f.deed[what])
    return 1 if spends_last(s, seat, cards) and back == 0 else 0


@kernel
def ability_usable(s: Record, f: Record, seat: int, entry: int) -> int:
    """Return True if an unused card in a seat's area can use its ability; `entry` is the number of its bit."""
    start, cost = f.ability[entry], f.cost[entry]
    if cost > 0:
        if can_pay(s, f, seat, cost) == 0:
            return 0
        last_forbidden = f.faint_by_own_action_forbidden and spends_last(s, seat, cards_of(f, cost))
        if last_forbidden and can_refill(s, f, seat, start, f.no_design) == 0:
            return 0
    return is_usable(s, f, seat, start, f.no_design)


@kernel
def card_usable(s: Record, f: Record, seat: int, design: int) -> int:
    """Return True if an intervention card in a seat's hand may be played."""
    start = f.effect[design]
    if f.faint_by_own_action_forbidden and spends_last(s, seat, 1) and can_refill(s, f, seat, start, design) == 0:
        return 0
    return is_usable(s, f, seat, start, design)


@kernel
def find_abilities(s: Record, f: Record, seat: int, timing: int) -> int:
    """Return the unused cards (bits) in a seat's area that have a timing; `timing` has a bit for each card with it."""
    found: int = s.area[seat] & timing & ~s.used
    if f.summoning_delay:
        found &= ~s.joined
    return found


@kernel
def is_asked(s: Record, f: Record, seat: int) -> int:
    """Return True if a seat may answer what was declared last, or is asked anyway, because all see who is asked."""
    if s.out[seat] or f.ask_everyone:
        return 0 if s.out[seat] else 1
    if s.items >= f.most_items - 1:
        return 0  # a guard of the rows: every card in the game would have to be declared
    hand = s.hand[seat] & f.intervention_designs
    if hand:
        for design in iter_members(hand):
            if card_usable(s, f, seat, design):
                return 1
    if s.area[seat]:
        for entry in iter_members(find_abilities(s, f, seat, f.intervene)):
            if ability_usable(s, f, seat, entry):
                return 1
    return 0


@kernel
def is_recruitable(s: Record, f: Record, seat: int, entry: int) -> int:
    """Return True if a seat may choose a character (bit `entry`): its situation holds, or its deed can be done."""
    deed = f.deed[entry]
    if deed > 0:
        if f.faint_by_own_action_forbidden and spends_last(s, seat, cards_of(f, deed)):
            return 0
        if f.deed_payment_as_much_as_possible or can_pay(s, f, seat, deed):
            return 1
    return situation_holds(s, f, seat, entry)


@kernel
def trouble_targets(s: Record, f: Record, seat: int) -> int:
    """Return the seats, as bits, on whose path a trouble may be placed."""
    found = 0
    total = 0
    for other in range(s.players):
        total += s.troubled[other]
        room = f.trouble_limit_total or s.troubled[other] < f.per_turn_trouble
        if room and other != seat and s.out[other] == 0 and s.length[other] > 0:
            found |= 1 << other
    return found if f.trouble_limit_per_opponent or total < f.per_turn_trouble else 0


def most_moves(table: Box) -> int:
    """Return a bound: each design of the hand in each use, and all cards that can lie in areas."""
    return 1 + table.get_number("deck_designs") * (MOST_PLAYERS + 2) + 2 * table.get_number("area_cards")


_ZONES = {
    Zone.DECK: "deck",
    Zone.DISCARDS: "discards",
    Zone.DISPLAY: "display",
    Zone.CHARACTERS: "characters",
    Zone.STACK: "stack",
}
_OF_SEATS = {Zone.HAND: "hand", Zone.UP: "path", Zone.DOWN: "ahead", Zone.AREA: "area"}
ZONES = _ZONES | {zone + seat: f"{name} {seat + 1}" for zone, name in _OF_SEATS.items() for seat in range(MOST_PLAYERS)}
"""The name of each zone: `deck`, `hand 1` ..."""

_WORDS = {Move.GO: "move", Move.THROW: "discard"}
"""Words of moves that differ from the names in the kernels."""

_WITH_ENTRY = (Move.RECRUIT, Move.USE, Move.DISMISS, Move.JOIN, Move.LEAVE)
_WITH_SEAT = (Move.TARGET, Move.BURY)


def zones(s: Record, box: Box) -> Zones:
    """Return every card in its place, face-down path cards as `ahead`; pass markers with players or in supply.

    Paths begin in the past; of declared cards, the one resolved first comes first.
    """
    found: dict[str, dict[str, int]] = {}
    for card in _list_cards_in_order(s, box):
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


def _list_cards_in_order(s: Record, box: Box) -> list[int]:
    """Return all cards: paths, the stack and the character deck in order, all others in the order of the data."""
    deck = box.get_number("deck_cards")
    paths = [int(s.path[seat * deck + place]) for seat in range(s.players) for place in range(s.length[seat])]
    declared = [
        *(int(s.frame_card[frame]) for frame in reversed(range(s.frames))),
        *(int(s.item_card[item]) for item in reversed(range(s.items)) if s.item_what[item] == Item.CARD),
    ]
    line = len(s.line)
    characters = [int(s.line[(s.line_top + at) % line]) for at in range(s.line_count)]
    lying = dict.fromkeys([*characters, *paths, *(card for card in declared if s.at[card] == Zone.STACK)])
    return [card for card in range(len(box.cards)) if card not in lying] + list(lying)


def find_piece(box: Box, move: int) -> str:
    """Return the design of a move, `destination/D02`, or an empty text if it has none."""
    kind, what = _split_move(move)
    if kind < Move.PLACE or kind in _WITH_SEAT:
        return ""
    if kind in _WITH_ENTRY:
        return box.find_design(box.get_number("first_area") + what).id
    return box.find_design(box.get_row("first")[what & TROUBLE_DESIGN]).id


def _split_move(move: int) -> tuple[int, int]:
    """Return the kind of a move and its argument."""
    what = move & ARGUMENT if move >= Move.PLACE else 0
    return move - what, what


def _format_kind(kind: int) -> str:
    return _WORDS.get(kind) or find_code_name(Move, kind)


def write(s: Record, box: Box, move: int) -> str:
    """Return the notation: `place D02`, `trouble T01 2`, `recruit P05`, `discard D03`, `target 2`, `done` ..."""
    kind, what = _split_move(move)
    if kind in _WITH_SEAT:
        return f"{_format_kind(kind)} {what + 1}"
    card = find_piece(box, move).rpartition("/")[2]
    seat = str((what >> SEAT_SHIFT) + 1) if kind == Move.TROUBLE else ""
    return " ".join(filter(None, (_format_kind(kind), card, seat)))


def say(s: Record, box: Box, move: int) -> Message:
    """Return the phrase of a move with its card and seat; an action that surely ends in fainting has its own phrase."""
    kind, what = _split_move(move)
    if move == Move.GO and s.phase != Wait.MOVE:
        return Message("move_again")
    if move == Move.SKIP:
        return Message("skip_move" if s.kind == Move.GO else "skip_set")
    if (
        move == Move.DONE
        and s.stage == Stage.MAIN_1
        and s.phase == Wait.MAIN
        and s.length[s.seat] == s.memories[s.seat]
    ):
        # Without a card ahead, to be done forces a pass.
        passes = box.get_number("rule_passes")
        if not box.numbers["forced_pass_counts"]:
            return Message("done_no_way")
        if s.marks[s.seat] >= passes:
            return Message("done_fainting")
        return Message("done_passing", {"number": s.marks[s.seat] + 1, "passes": passes})
    if kind in _WITH_SEAT:
        return Message(_format_kind(kind), {"seat": what + 1})
    phrase = _format_kind(kind) + ("_last" if ends_empty(s, box.make_facts(), move) else "")
    values: dict[str, Any] = {"card": box.game.design(find_piece(box, move))} if kind >= Move.PLACE else {}
    if kind == Move.TROUBLE:
        values["seat"] = (what >> SEAT_SHIFT) + 1
    return Message(phrase, values)
