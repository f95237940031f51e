"""The score of The Wayfaring Book: points, places, and what a seat sees."""

from collections.abc import Iterator, Mapping
from typing import Any

from generator.rules.engine.contract import Box, Message, Observation
from generator.rules.engine.kernel import Record, Row, kernel, shuffle, take_out
from generator.rules.engine.table import visible_zones
from generator.rules.wayfaring.effects import count_needed
from generator.rules.wayfaring.moves import zones
from generator.rules.wayfaring.pieces import shuffle_line
from generator.rules.wayfaring.state import ARGUMENT, SEAT_SHIFT, Ending, Item, Move, Op, Out, Stage, Wait, Zone


@kernel
def count_memories(s: Record, seat: int) -> int:
    """Return the memories of a seat, or those it had when it dropped out."""
    return s.out_memories[seat] if s.out[seat] else s.memories[seat]


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    """Fill `points` with each seat's memories; seats that dropped out have those of that moment."""
    for seat in range(s.players):
        points[seat] = count_memories(s, seat)


@kernel
def _find_merit(s: Record, seat: int) -> int:
    """Return a seat's rank value: winners, seats in the game, then seats out (later first); then memories."""
    if s.winners >> seat & 1:
        return 1 << 20
    return s.out_turn[seat] * 100 + s.out_memories[seat] if s.out[seat] else (1 << 18) + s.memories[seat]


@kernel
def rank_seats(s: Record, f: Record, places: Row) -> None:
    """Fill in places: one more than the number of seats that did better."""
    for seat in range(s.players):
        places[seat] = 1
        for other in range(s.players):
            if _find_merit(s, other) > _find_merit(s, seat):
                places[seat] += 1


FAINTS, WEAKENS = 200, 100
"""The worth of a trouble that leaves its owner at most one card, or two: found by thousands of games."""


@kernel
def value_threats(s: Record, f: Record, seat: int) -> int:
    """Return the worth to a seat (a memory is 100) of troubles that may soon make others faint, divided by the others.

    All other troubles help those on whose path they lie: they become memories.
    """
    worth = left = 0
    for owner in range(s.players):
        if owner == seat or s.out[owner]:
            continue
        left += 1
        for at in range(owner * f.deck_cards + s.memories[owner], owner * f.deck_cards + s.length[owner]):
            step = f.effect[f.design[s.path[at]]]
            if s.by[at] != owner and f.op[step] == Op.FATIGUE:
                over = s.held[owner] - f.times[step]
                worth += FAINTS if over <= 1 else WEAKENS if over == 2 else 0
    return worth // max(1, left)


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    """Return how good the state is for a seat: memories (100 each), hand, path, companions, threats, others' chance."""
    if s.over:
        return 1_000_000 if s.winners >> seat & 1 else -1_000_000
    if s.out[seat]:
        return -1_000_000
    held, ahead = s.held[seat], s.length[seat] - s.memories[seat]
    worth = 100 * (s.memories[seat] + f.rule_memories - count_needed(s, f, seat)) - 40 * s.marks[seat]
    worth += 60 * min(held, 2) + 25 * min(max(held - 2, 0), 2) + 4 * max(held - 4, 0)
    worth += 35 * min(ahead, 2) + 5 * max(ahead - 2, 0) + 15 * s.companions[seat]
    if held == 0:
        worth -= 500
    most = 0
    for other in range(s.players):
        if other != seat and s.out[other] == 0:
            most = max(most, s.memories[other] * 20 + min(s.held[other], 3) * 5)
    return worth - most + value_threats(s, f, seat)


_PHASES = {Stage.MAIN_1: "at_main_1", Stage.MOVE: "at_move", Stage.MOVED: "at_move", Stage.MAIN_2: "at_main_2"}
_ITEMS = {
    Item.RECRUIT: "answer_recruit",
    Item.CARD: "answer_card",
    Item.ABILITY: "answer_ability",
    Item.OWN: "answer_ability",
    Item.MOVE: "answer_move",
    Item.PLACED: "answer_placed",
}
_ENDINGS = {
    Ending.MEMORIES: "won_by_memories",
    Ending.RECALL: "won_by_memories",
    Ending.LASTING: "won_by_lasting",
    Ending.FAINTING_LAST: "won_by_fainting_last",
    Ending.TURNS: "won_by_turns",
}


def observe(s: Record, box: Box, seat: int) -> Observation:
    """Return what a seat sees: not decks, other hands, nor face-down cards that others placed (unless by E12)."""
    f = box.make_facts()
    known = {
        box.cards[s.path[owner * f.deck_cards + place]]
        for owner in range(s.players)
        for place in range(s.memories[owner], s.length[owner])
        if is_known_to(s, f, seat, owner, place)
    }
    laid = visible_zones(zones(s, box), seat, closed=("deck", "characters", "ahead"), own=("hand",), known=known)
    facts = {f"player {other + 1}": _describe_standing(s, box, f, other) for other in range(s.players)}
    return Observation(laid, tuple(_describe_status(s, box, f)), facts)


def _describe_status(s: Record, box: Box, f: Record) -> Iterator[Message]:
    """Yield messages on the turn and its progress, the actions left, and the declared item that the choice answers."""
    whose = {"turn": int(s.turn), "seat": s.turn_seat + 1}
    yield Message(_PHASES.get(int(s.stage), "at_end"), whose)
    if s.phase == Wait.MAIN:
        placings = max(0, f.per_turn_destination - int(s.placed))
        yield Message("left_to_do", {"placings": placings, "recruits": max(0, f.per_turn_recruit - int(s.recruited))})
    elif s.phase == Wait.ANSWER and s.items:
        top = s.items - 1
        card = box.find_design(int(s.item_card[top]))
        yield Message(_ITEMS[int(s.item_what[top])], {"seat": s.item_seat[top] + 1, "card": card})
    elif s.phase == Wait.ANSWER:
        yield Message("answer_done", {"seat": s.turn_seat + 1})
    elif s.phase == Wait.STEP and s.frames:
        yield Message("by_effect", {"card": box.find_design(int(s.frame_card[s.frames - 1]))})


def _describe_standing(s: Record, box: Box, f: Record, seat: int) -> Message:
    """Return a message on a seat: memories and those needed, cards held and ahead, passes, terrains, used abilities."""
    if s.out[seat]:
        return Message("standing_out", {"seat": seat + 1, "memories": int(s.out_memories[seat])})
    used = [box.find_design(f.first_area + at) for at in range(f.area_cards) if s.area[seat] & s.used & 1 << at]
    names: Mapping[str, Any] = box.game.sections["words"]["terrains"]
    visited = [name for at, name in enumerate(names, 1) for _ in range(s.seen[seat * f.terrains + at])]
    values: dict[str, Any] = {
        "seat": seat + 1,
        "memories": int(s.memories[seat]),
        "need": int(count_needed(s, f, seat)),
        "held": int(s.held[seat]),
        "ahead": int(s.length[seat] - s.memories[seat]),
        "marks": int(s.marks[seat]),
        "passes": f.rule_passes,
    }
    if visited:
        values["terrains"] = tuple(visited)
    if used:
        values["used"] = tuple(used)
    return Message("standing" + ("_terrains" if visited else "") + ("_used" if used else ""), values)


def tell(s: Record, box: Box, move: int, seat: int, said: Message) -> Message | None:
    """Return `said`, the move in words, as another seat gets it: no names of hidden cards; None for what is secret."""
    what = move & ARGUMENT
    kind = move - what
    if move == Move.DECLINE or (move == Move.SKIP and s.kind != Move.GO):
        return None
    if kind == Move.TROUBLE:
        if box.numbers["owner_may_peek"] and what >> SEAT_SHIFT == seat:
            return said
        return Message("trouble_hidden", {"seat": (what >> SEAT_SHIFT) + 1})
    if kind in (Move.PLACE, Move.SET):
        return Message("place_hidden" if kind == Move.PLACE else "set_hidden")
    return said


def follow(before: Record | None, after: Record, box: Box, _seat: int) -> Iterator[Message]:
    """Yield messages on redrawn first hands (without `before`), reshuffles, forced passes, fainting and the end."""
    f = box.make_facts()
    if before is None:
        # Hands without a destination lie under the deck in the order of return, the first on top.
        size = f.rule_hand
        first = int(after.deck_top) + int(after.deck_count) - size * int(after.redraws)
        for start in range(first, first + size * int(after.redraws), size):
            cards = tuple(box.find_design(int(after.deck[(start + at) % f.deck_cards])) for at in range(size))
            yield Message("redrawn", {"cards": cards})
        return
    if after.reshuffled > (before.reshuffled if after.turn == before.turn else 0):  # it counts anew each turn
        yield Message("reshuffled")
    yield from _forced_pass(before, after, f)
    for seat in range(after.players):
        if after.rested[seat] > before.rested[seat] and not after.out[seat]:
            yield Message("rests", {"seat": seat + 1, "hand": f.rest_hand, "memories": f.rest_memories})
        if after.out[seat] and not before.out[seat]:
            yield Message("faints_empty" if after.out[seat] == Out.EMPTY_HAND else "faints_passing", {"seat": seat + 1})
    if after.over:
        for seat in range(after.players):
            if after.winners >> seat & 1:
                values = {"seat": seat + 1, "memories": int(count_memories(after, seat))}
                yield Message(_ENDINGS[int(after.ending)], values)
        yield Message("ranking")


def _forced_pass(before: Record, after: Record, f: Record) -> Iterator[Message]:
    """Yield a message if the Move phase passed without a choice because there was no card ahead."""
    seat = int(before.turn_seat)
    same_turn = after.turn == before.turn
    passed = after.stage > Stage.MOVE if same_turn else before.skip_main2 or after.out[seat] == Out.PASSED
    if before.stage == Stage.MAIN_1 and before.phase != Wait.STEP and (passed or after.out[seat] == Out.PASSED):
        values = {"seat": seat + 1, "passes": f.rule_passes}
        if not f.forced_pass_counts or after.out[seat]:
            yield Message("forced_pass", values)
        else:
            yield Message("forced_pass_counts", {**values, "number": int(after.marks[seat])})


# What can't be seen


@kernel
def is_known_to(s: Record, f: Record, seat: int, owner: int, place: int) -> int:
    """Return True if a seat knows the face-down card at a place of the owner's path: it placed or, by E12, owns it."""
    if s.by[owner * f.deck_cards + place] == seat:
        return 1
    return 1 if f.owner_may_peek and owner == seat else 0


@kernel
def _is_unseen(s: Record, f: Record, seat: int, card: int) -> int:
    at = s.at[card]
    if at == Zone.DECK:
        return 1
    if Zone.HAND <= at < Zone.HAND + s.players:
        return 1 if at != Zone.HAND + seat else 0
    if Zone.DOWN <= at < Zone.DOWN + s.players:
        owner = at - Zone.DOWN
        for place in range(s.memories[owner], s.length[owner]):
            if s.path[owner * f.deck_cards + place] == card:
                return 1 - is_known_to(s, f, seat, owner, place)
    return 0


@kernel
def _gather_unseen(s: Record, f: Record, seat: int) -> int:
    """Put all cards that a seat can't see, shuffled, at the front of `s.deck`. Return how many; they get places later.

    In `s.at` they have a negative number until they have a place again.
    """
    number = 0
    for card in range(f.deck_cards):
        if _is_unseen(s, f, seat, card):
            number += 1
            s.at[card] = -s.at[card]
    for place in range(f.deck_cards):
        s.deck[place] = 0
    found = 0
    for card in range(f.deck_cards):
        if s.at[card] < 0:
            s.deck[found] = card
            found += 1
    shuffle(s.rng, s.deck, 0, number)
    return number


@kernel
def _pick_gathered(s: Record, f: Record, number: int, designs: int) -> int:
    """Take and return the first of `number` gathered cards with a design in the set, else the last; close the gap."""
    at = 0
    while at < number - 1 and designs >> f.design[s.deck[at]] & 1 == 0:
        at += 1
    return take_out(s.deck, at, number)


@kernel
def _deal_paths(s: Record, f: Record, seat: int, number: int) -> int:
    """Deal gathered cards onto face-down places unknown to the seat; each keeps its kind. Return how many are left."""
    for owner in range(s.players):
        for place in range(s.memories[owner], s.length[owner]):
            if is_known_to(s, f, seat, owner, place) == 0:
                at = owner * f.deck_cards + place
                own = s.by[at] == owner
                card = _pick_gathered(s, f, number, f.destination_designs if own else f.trouble_designs)
                s.path[at] = card
                s.at[card] = Zone.DOWN + owner
                number -= 1
    return number


@kernel
def _deal_hand(s: Record, f: Record, seat: int, number: int) -> int:
    """Deal a hidden hand from `number` cards; one that is to discard destinations has some. Return how many remain."""
    sure = 0
    if s.phase == Wait.STEP and s.kind == Move.THROW and s.seat == seat and s.options == f.destination_designs:
        sure = s.frame_left[s.frames - 1]
    s.hand[seat] = 0
    for card in range(s.held[seat]):
        picked = _pick_gathered(s, f, number, f.destination_designs if card < sure else -1)
        number -= 1
        s.at[picked] = Zone.HAND + seat
        s.hand[seat] |= 1 << f.design[picked]
    return number


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """Shuffle what a seat can't see: decks, other hands and face-down cards that it doesn't know.

    A seat remembers what it placed on paths, but forgets cards that were open once and are hidden now.
    """
    number = _gather_unseen(s, f, seat)
    number = _deal_paths(s, f, seat, number)
    for other in range(s.players):
        if other != seat:
            number = _deal_hand(s, f, other, number)
    for place in range(number):
        s.at[s.deck[place]] = Zone.DECK
    s.deck_top, s.deck_count = 0, number
    shuffle_line(s, f)
