"""How players of wayfaring win, faint, rest and drop out."""

from generator.games.engine.kernel import Record, kernel
from generator.games.wayfaring.play_codes import (
    AREA,
    AT_END_OF_TURN,
    BY_FAINTING_LAST,
    BY_HAND,
    BY_LASTING,
    BY_MEMORIES,
    BY_PASS,
    BY_TURNS,
    HAND,
    HOLE_TURNS,
    ITEM_CARD,
    STACK,
    THEN_DISCARDED,
    UP,
)
from generator.games.wayfaring.play_zones import discard, draw, off_path, out_of_area, under_deck, under_line


@kernel
def needed(s: Record, f: Record, seat: int) -> int:
    """The memories that win for a seat."""
    number: int = f.rule_memories
    if s.cursed[seat]:
        for entry in range(f.area_cards):
            if s.area[seat] >> entry & 1:
                number += f.need_more[entry]
    return number


@kernel
def has_won(s: Record, f: Record, seat: int) -> int:
    """Whether a seat has memories enough and a card in hand."""
    if s.memories[seat] < f.rule_memories or s.held[seat] == 0:
        return 0
    return 1 if s.memories[seat] >= needed(s, f, seat) else 0


@kernel
def win(s: Record, winners: int, ending: int) -> None:
    """Ends the game; whatever is pending is dropped."""
    if s.over == 0:
        s.over, s.winners, s.ending = 1, winners, ending


# Dropping out


@kernel
def drop_pending(s: Record, f: Record, seat: int) -> None:
    """What a seat has declared leaves the stack without effect, and so does what it is carrying out."""
    if s.frames > 0 and s.frame_seat[0] == seat:
        for top in range(s.frames):
            if s.frame_then[top] == THEN_DISCARDED and s.at[s.frame_card[top]] == STACK:
                discard(s, f, s.frame_card[top])
        s.frames = 0
    kept = 0
    for item in range(s.items):
        if s.item_seat[item] != seat:
            s.item_what[kept] = s.item_what[item]
            s.item_card[kept] = s.item_card[item]
            s.item_seat[kept] = s.item_seat[item]
            kept += 1
        elif s.item_what[item] == ITEM_CARD:
            discard(s, f, s.item_card[item])
    if kept < s.items:
        s.items, s.asked = kept, 0


@kernel
def _dispose_path(s: Record, f: Record, seat: int) -> None:
    start = seat * f.deck_cards
    for place in range(start, start + s.length[seat]):
        card = s.path[place]
        if s.at[card] == UP + seat:
            discard(s, f, card)
        else:
            under_deck(s, f, card)
        s.path[place], s.by[place] = 0, 0
    s.length[seat], s.memories[seat] = 0, 0
    for terrain in range(f.terrains):
        s.seen[seat * f.terrains + terrain] = 0


@kernel
def _dispose(s: Record, f: Record, seat: int) -> None:
    """Puts all cards of a seat that drops out where E10 says."""
    for card in range(f.deck_cards):
        if s.at[card] == HAND + seat:
            discard(s, f, card)
    s.hand[seat], s.held[seat] = 0, 0
    _dispose_path(s, f, seat)
    for entry in range(f.area_cards):
        if s.at[f.first_area + entry] == AREA + seat:
            out_of_area(s, f, seat, entry)
            if f.characters >> entry & 1:
                under_line(s, f, entry)
            else:
                discard(s, f, f.first_area + entry)


@kernel
def _drop_out(s: Record, f: Record, seat: int) -> None:
    s.out[seat], s.out_turn[seat] = BY_HAND if s.held[seat] == 0 else BY_PASS, s.turn
    s.out_marks[seat], s.out_hand[seat], s.out_memories[seat] = s.marks[seat], s.held[seat], s.memories[seat]
    s.marks[seat] = 0
    if f.elimination_cards == 0:
        _dispose(s, f, seat)


@kernel
def _rest(s: Record, f: Record, seat: int) -> None:
    """The stand-in for dropping out (E54)."""
    s.rested[seat] += 1
    found = 1
    while s.held[seat] < f.rest_hand and found:
        found = draw(s, f, seat)
    for _ in range(f.rest_memories):
        if s.memories[seat] > 0:
            discard(s, f, off_path(s, f, seat, s.memories[seat] - 1))


@kernel
def faint(s: Record, f: Record, seat: int) -> None:
    """A seat faints, by its empty hand or else by a pass; the turn player's turn is lost."""
    drop_pending(s, f, seat)
    if seat == s.turn_seat:
        s.turn_lost = 1
    if f.fainting:
        _rest(s, f, seat)
        if s.held[seat] > 0:
            s.marks[seat] = 0
            return
    _drop_out(s, f, seat)


@kernel
def last_left(s: Record, fainted: int) -> None:
    """Ends the game when one seat is left, or none: then most memories of those who fainted together win (E55)."""
    left = number = best = winners = 0
    for seat in range(s.players):
        if s.out[seat] == 0:
            left |= 1 << seat
            number += 1
        elif fainted >> seat & 1:
            if s.out_memories[seat] > best or winners == 0:
                best, winners = s.out_memories[seat], 0
            if s.out_memories[seat] == best:
                winners |= 1 << seat
    if number == 1:
        win(s, left, BY_LASTING)
    elif number == 0:
        win(s, winners, BY_FAINTING_LAST)


@kernel
def faint_empty(s: Record, f: Record) -> int:
    """Everybody with an empty hand faints at the same time; answers who did, as bits."""
    fainted = 0
    for seat in range(s.players):
        if s.held[seat] == 0 and s.out[seat] == 0:
            fainted |= 1 << seat
    if fainted:
        for step in range(s.players):
            seat = (s.turn_seat + step) % s.players
            if fainted >> seat & 1:
                faint(s, f, seat)
        last_left(s, fainted)
    return fainted


@kernel
def settle(s: Record, f: Record) -> None:
    """Nothing is pending: empty hands faint, then somebody may have won."""
    if f.faint_check != AT_END_OF_TURN:
        faint_empty(s, f)
    if s.over:
        return
    for step in range(s.players):
        seat = (s.turn_seat + step) % s.players
        if s.memories[seat] >= f.rule_memories and s.out[seat] == 0 and has_won(s, f, seat):
            win(s, 1 << seat, BY_MEMORIES)


@kernel
def stop(s: Record, f: Record) -> None:
    """The last turn is over: most memories win, then most cards in hand."""
    best = -1
    winners = 0
    for seat in range(s.players):
        merit = s.memories[seat] * (f.deck_cards + 1) + s.held[seat]
        if s.out[seat] == 0 and merit >= best:
            winners = (winners if merit == best else 0) | 1 << seat
            best = merit
    if s.hole == 0:
        s.hole = HOLE_TURNS
    win(s, winners, BY_TURNS)
