"""What must hold at a wayfaring table after every choice: the named checks of the data that only games can answer."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.wayfaring.fainting import needed
from generator.games.wayfaring.moves import Ending, Law, Out, Stage, Zone


@kernel
def _decks_right(s: Record, f: Record) -> int:
    """Whether the zones of all cards in both decks say so."""
    for place in range(s.deck_count):
        if s.at[s.deck[(s.deck_top + place) % f.deck_cards]] != Zone.DECK:
            return 0
    for place in range(s.line_count):
        if s.at[s.line[(s.line_top + place) % f.characters_printed]] != Zone.CHARACTERS:
            return 0
    return 1


@kernel
def _all_there(s: Record, f: Record) -> int:
    """TC-20: zones tell the same of every card as decks, hands, paths and areas do.

    Each kind of zone counts its cards in one number, with a byte for each seat.
    """
    hands = ups = downs = areas = decks = 0
    for card in range(f.cards):
        zone = s.at[card]
        if zone >= Zone.AREA:
            areas += 1 << 8 * (zone - Zone.AREA)
        elif zone >= Zone.DOWN:
            downs += 1 << 8 * (zone - Zone.DOWN)
        elif zone >= Zone.UP:
            ups += 1 << 8 * (zone - Zone.UP)
        elif zone >= Zone.HAND:
            hands += 1 << 8 * (zone - Zone.HAND)
        elif zone != Zone.STACK:
            decks += 1 << 8 * zone
    decks -= s.deck_count << 8 * Zone.DECK
    decks -= s.discard_count << 8 * Zone.DISCARDS
    decks -= s.shown << 8 * Zone.DISPLAY
    decks -= s.line_count << 8 * Zone.CHARACTERS
    for seat in range(s.players):
        hands -= s.held[seat] << 8 * seat
        ups -= s.memories[seat] << 8 * seat
        downs -= (s.length[seat] - s.memories[seat]) << 8 * seat
        areas -= (s.companions[seat] + s.cursed[seat]) << 8 * seat
    same = decks == 0 and hands == 0 and ups == 0 and downs == 0 and areas == 0
    return _decks_right(s, f) if same else 0


@kernel
def _paths_in_shape(s: Record, f: Record) -> int:
    """TC-21: face-up cards, then face-down ones."""
    for seat in range(s.players):
        for place in range(s.length[seat]):
            zone = Zone.UP if place < s.memories[seat] else Zone.DOWN
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
    troubles = most if f.trouble_limit_per_opponent else total
    kept = s.placed <= f.per_turn_destination and s.recruited <= f.per_turn_recruit
    return 1 if kept and troubles <= f.per_turn_trouble else 0


@kernel
def _drawn_rightly(s: Record, f: Record) -> int:
    """TC-25: nothing in the first turn, then the number stated unless the deck was out."""
    if s.stage < Stage.MAIN_1 or s.nothing_drawn:
        return 1
    return 1 if s.drawn == (0 if s.turn == 1 else f.rule_draw) else 0


@kernel
def _out_rightly(s: Record, f: Record) -> int:
    """TC-26: pass markers, and why seats are out."""
    for seat in range(s.players):
        if s.marks[seat] < 0 or s.marks[seat] > f.rule_passes:
            return 0
        if s.out[seat] == Out.PASSED and s.out_marks[seat] != f.rule_passes:
            return 0
        if s.out[seat] == Out.EMPTY_HAND and s.out_hand[seat] != 0:
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
            if s.ending == Ending.MEMORIES and (not goal or s.held[seat] == 0):
                return 0
            if s.ending == Ending.RECALL and not goal:
                return 0
            if s.ending == Ending.LASTING and (active != 1 or s.out[seat] != 0):
                return 0
            if s.ending == Ending.FAINTING_LAST and (active != 0 or s.out_turn[seat] != s.turn):
                return 0
    return 1


@kernel
def _out_is_empty(s: Record, f: Record) -> int:
    """TC-31: who is out owns no card, where E10 says so."""
    for seat in range(s.players):
        if s.out[seat] and f.elimination_cards_dispose:
            owned = s.held[seat] + s.length[seat] + s.companions[seat] + s.cursed[seat]
            if owned > 0 or s.hand[seat] != 0 or s.area[seat] != 0:
                return 0
    return 1


@kernel
def _stack_empty(s: Record, f: Record) -> int:
    """TC-32: nothing is declared outside main phases, but for moves where E20 lets them be answered."""
    main = s.stage in (Stage.MAIN_1, Stage.MAIN_2)
    return 1 if s.items == 0 or main or f.answers_move else 0


@kernel
def _hands_hold(s: Record, f: Record) -> int:
    """TC-35: with nothing pending everybody has a card, where E52 says so."""
    if s.over or s.frames > 0 or s.items > 0 or f.faint_check_end_of_turn:
        return 1
    for seat in range(s.players):
        if s.out[seat] == 0 and s.held[seat] == 0:
            return 0
    return 1


@kernel
def _memories_stay(s: Record, f: Record) -> int:
    """TC-36: no memory is lost, unless by a rest (E54)."""
    for seat in range(s.players):
        if s.out[seat] == 0 and s.memories[seat] != s.most_memories[seat] and f.fainting_eliminate:
            return 0
    return 1


@kernel
def _broken_by_cards(s: Record, f: Record) -> int:
    """The laws of where cards lie."""
    if not _all_there(s, f):
        return Law.CARDS
    if not _paths_in_shape(s, f):
        return Law.PATHS
    if not _placed_rightly(s, f):
        return Law.PLACED
    if not _out_is_empty(s, f):
        return Law.OUT_EMPTY
    return 0 if _memories_stay(s, f) else Law.MEMORIES


@kernel
def _broken_by_play(s: Record, f: Record) -> int:
    """The laws of how the game is played."""
    if not _limits_kept(s, f):
        return Law.LIMITS
    if s.faulty_deal:
        return Law.DEAL
    if not _drawn_rightly(s, f):
        return Law.DRAWN
    if not _out_rightly(s, f):
        return Law.OUT
    if s.reshuffled > f.rule_reshuffles:
        return Law.RESHUFFLES
    if s.turn > f.rule_turns or (s.over and s.winners == 0):
        return Law.END
    if not _winners_rightly(s, f):
        return Law.WINNERS
    if not _stack_empty(s, f):
        return Law.STACK
    return 0 if _hands_hold(s, f) else Law.HANDS


@kernel
def broken(s: Record, f: Record) -> int:
    """A law that does not hold, or 0."""
    law = _broken_by_cards(s, f)
    return law if law > 0 else _broken_by_play(s, f)


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    """The pass markers that lie with players."""
    taken[0] = 0
    for seat in range(s.players):
        taken[0] += s.marks[seat]


@kernel
def measure(s: Record, f: Record, told: Row) -> None:
    """Whether a first hand was drawn anew."""
    told[0] = 1 if s.redraws > 0 else 0
