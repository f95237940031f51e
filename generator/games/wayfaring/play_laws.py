"""What must hold at a wayfaring table after every choice: the named checks of the data that only games can answer."""

from generator.games.engine.kernel import Record, kernel
from generator.games.wayfaring.play_codes import (
    AREA,
    BY_FAINTING_LAST,
    BY_HAND,
    BY_LASTING,
    BY_MEMORIES,
    BY_PASS,
    BY_RECALL,
    CHARACTERS,
    DECK,
    DISCARDS,
    DISPLAY,
    DOWN,
    HAND,
    MAIN_1,
    MAIN_2,
    STACK,
    UP,
)
from generator.games.wayfaring.play_end import needed

LAWS = (
    "TC-20", "TC-21", "TC-22", "TC-23", "TC-24", "TC-25", "TC-26", "TC-28", "TC-29", "TC-30", "TC-31", "TC-32",
    "TC-35", "TC-36",
)  # fmt: skip
"""In the order of the numbers that `broken` answers."""


@kernel
def _decks_right(s: Record, f: Record) -> int:
    """Whether the zones of all cards in both decks say so."""
    for place in range(s.deck_count):
        if s.at[s.deck[(s.deck_top + place) % f.deck_cards]] != DECK:
            return 0
    for place in range(s.line_count):
        if s.at[s.line[(s.line_top + place) % (f.cards - f.deck_cards)]] != CHARACTERS:
            return 0
    return 1


@kernel
def _all_there(s: Record, f: Record) -> int:
    """TC-20: zones tell the same of every card as decks, hands, paths and areas do.

    Numbers of cards are added up in one number, eight bits for each seat or deck.
    """
    decks = hands = ups = downs = areas = 0
    for card in range(f.cards):
        zone = s.at[card]
        one = 1 << zone % 10 * 8
        if zone >= AREA:
            areas += one
        elif zone >= DOWN:
            downs += one
        elif zone >= UP:
            ups += one
        elif zone >= HAND:
            hands += one
        elif zone != STACK:
            decks += one
    decks -= s.deck_count << DECK * 8
    decks -= s.discard_count << DISCARDS * 8
    decks -= s.shown << DISPLAY * 8
    decks -= s.line_count << CHARACTERS * 8
    for seat in range(s.players):
        hands -= s.held[seat] << seat * 8
        ups -= s.memories[seat] << seat * 8
        downs -= (s.length[seat] - s.memories[seat]) << seat * 8
        areas -= (s.companions[seat] + s.cursed[seat]) << seat * 8
    same = decks == 0 and hands == 0 and ups == 0 and downs == 0 and areas == 0
    return _decks_right(s, f) if same else 0


@kernel
def _paths_in_shape(s: Record, f: Record) -> int:
    """TC-21: face-up cards, then face-down ones."""
    for seat in range(s.players):
        for place in range(s.length[seat]):
            zone = UP if place < s.memories[seat] else DOWN
            if s.at[s.path[seat * f.deck_cards + place]] != zone + seat:
                return 0
    return 1


@kernel
def _placed_rightly(s: Record, f: Record) -> int:
    """TC-22: destinations by the owner, troubles by others."""
    for seat in range(s.players):
        for place in range(s.length[seat]):
            at = seat * f.deck_cards + place
            designs = f.destination_designs if s.by[at] == seat else f.trouble_designs
            if designs >> f.design[s.path[at]] & 1 == 0:
                return 0
    return 1


@kernel
def _limits_kept(s: Record, f: Record) -> int:
    """TC-23: actions ① to ③ in a turn."""
    total = most = 0
    for seat in range(s.players):
        total += s.troubled[seat]
        most = max(most, s.troubled[seat])
    troubles = most if f.trouble_limit else total
    kept = s.placed <= f.per_turn_destination and s.recruited <= f.per_turn_recruit
    return 1 if kept and troubles <= f.per_turn_trouble else 0


@kernel
def _drawn_rightly(s: Record, f: Record) -> int:
    """TC-25: nothing in the first turn, then the number stated unless the deck was out."""
    if s.stage < MAIN_1 or s.nothing_drawn:
        return 1
    return 1 if s.drawn == (0 if s.turn == 1 else f.rule_draw) else 0


@kernel
def _out_rightly(s: Record, f: Record) -> int:
    """TC-26: pass markers, and why seats are out."""
    for seat in range(s.players):
        if s.marks[seat] < 0 or s.marks[seat] > f.rule_passes:
            return 0
        if s.out[seat] == BY_PASS and s.out_marks[seat] != f.rule_passes:
            return 0
        if s.out[seat] == BY_HAND and s.out_hand[seat] != 0:
            return 0
    return 1


@kernel
def _winners_rightly(s: Record, f: Record) -> int:
    """TC-30: winners have their memories and a card, or are the last, or had most of those who fainted together."""
    if s.over == 0:
        return 1
    active = best = 0
    for seat in range(s.players):
        active += 1 if s.out[seat] == 0 else 0
        best = max(best, s.out_memories[seat] if s.out_turn[seat] == s.turn else 0)
    for seat in range(s.players):
        if s.winners >> seat & 1:
            goal = s.memories[seat] >= needed(s, f, seat)
            if s.ending == BY_MEMORIES and (not goal or s.held[seat] == 0):
                return 0
            if s.ending == BY_RECALL and not goal:
                return 0
            if s.ending == BY_LASTING and (active != 1 or s.out[seat] != 0):
                return 0
            if s.ending == BY_FAINTING_LAST and (active != 0 or s.out_turn[seat] != s.turn):
                return 0
    return 1


@kernel
def _out_is_empty(s: Record, f: Record) -> int:
    """TC-31: who is out owns no card, where E10 says so."""
    for seat in range(s.players):
        if s.out[seat] and f.elimination_cards == 0:
            owned = s.held[seat] + s.length[seat] + s.companions[seat] + s.cursed[seat]
            if owned > 0 or s.hand[seat] != 0 or s.area[seat] != 0:
                return 0
    return 1


@kernel
def _stack_empty(s: Record, f: Record) -> int:
    """TC-32: nothing is declared outside main phases, but for moves where E20 lets them be answered."""
    main = s.stage in (MAIN_1, MAIN_2)
    return 1 if s.items == 0 or main or f.answers_move else 0


@kernel
def _hands_hold(s: Record, f: Record) -> int:
    """TC-35: with nothing pending everybody has a card, where E52 says so."""
    if s.over or s.frames > 0 or s.items > 0 or f.faint_check == 2:
        return 1
    for seat in range(s.players):
        if s.out[seat] == 0 and s.held[seat] == 0:
            return 0
    return 1


@kernel
def _memories_stay(s: Record, f: Record) -> int:
    """TC-36: no memory is lost, unless by a rest (E54)."""
    for seat in range(s.players):
        if s.out[seat] == 0 and s.memories[seat] != s.most_memories[seat] and f.fainting == 0:
            return 0
    return 1


@kernel
def _broken_by_cards(s: Record, f: Record) -> int:
    """The laws of where cards lie."""
    if _all_there(s, f) == 0:
        return 1
    if _paths_in_shape(s, f) == 0:
        return 2
    if _placed_rightly(s, f) == 0:
        return 3
    if _out_is_empty(s, f) == 0:
        return 11
    return 14 if _memories_stay(s, f) == 0 else 0


@kernel
def _broken_by_play(s: Record, f: Record) -> int:
    """The laws of how the game is played."""
    if _limits_kept(s, f) == 0:
        return 4
    if s.faulty_deal:
        return 5
    if _drawn_rightly(s, f) == 0:
        return 6
    if _out_rightly(s, f) == 0:
        return 7
    if s.reshuffled > f.rule_reshuffles:
        return 8
    if s.turn > f.rule_turns or (s.over and s.winners == 0):
        return 9
    if _winners_rightly(s, f) == 0:
        return 10
    if _stack_empty(s, f) == 0:
        return 12
    return 13 if _hands_hold(s, f) == 0 else 0


@kernel
def broken(s: Record, f: Record) -> int:
    """1 + the place of a law that does not hold, or 0."""
    law = _broken_by_cards(s, f)
    return law if law > 0 else _broken_by_play(s, f)
