"""The rules of The Wayfaring Book as played, with laws and examples."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from generator.rules.engine.contract import REPEATS, SECRETS, Box, Hole, Measure, Questions, Supply, answer_question
from generator.rules.engine.facts import (
    CardPool,
    find_known_name,
    read_list,
    read_number,
    read_seat,
    require_known_names,
)
from generator.rules.engine.kernel import Record, Row, kernel
from generator.rules.wayfaring.data import redraw_chance_at
from generator.rules.wayfaring.effects import count_needed
from generator.rules.wayfaring.moves import most_moves, say, write, zones
from generator.rules.wayfaring.pieces import discard_card, lay_down, put_in_area, put_in_hand, turn_up
from generator.rules.wayfaring.score import blind, follow, observe, rank_seats, score, tell, value
from generator.rules.wayfaring.state import ASK_EVERYONE, LAWS, MARKERS, Ending, Law, Out, Stage, Zone, make_box
from generator.rules.wayfaring.turns import STORY, hand_out, lay_out


@kernel
def _all_there(s: Record, f: Record) -> int:
    """Return 1 if the zones in `s.at` agree with the cards counted in decks, hands, paths and areas (TC-20), else 0.

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
    for place in range(s.deck_count if same else 0):
        same &= s.at[s.deck[(s.deck_top + place) % f.deck_cards]] == Zone.DECK
    for place in range(s.line_count if same else 0):
        same &= s.at[s.line[(s.line_top + place) % f.characters_printed]] == Zone.CHARACTERS
    return 1 if same else 0


@kernel
def _winners_rightly(s: Record, f: Record) -> int:
    """Return 0 if winners contradict `s.ending` (enough memories, the last seat left, all fainted: TC-30), else 1."""
    if s.over == 0:
        return 1
    active = best = 0
    for seat in range(s.players):
        active += 1 if s.out[seat] == 0 else 0
        best = max(best, s.out_memories[seat] if s.out_turn[seat] == s.turn else 0)
    for seat in range(s.players):
        if s.winners >> seat & 1:
            goal = s.memories[seat] >= count_needed(s, f, seat)
            if s.ending == Ending.MEMORIES and (not goal or s.held[seat] == 0):
                return 0
            if s.ending == Ending.RECALL and not goal:
                return 0
            if s.ending == Ending.LASTING and (active != 1 or s.out[seat] != 0):
                return 0
            last = s.out_turn[seat] == s.turn and s.out_memories[seat] == best
            if s.ending == Ending.FAINTING_LAST and (active != 0 or not last):
                return 0
    return 1


@kernel
def _broken_by_cards(s: Record, f: Record) -> int:
    """Return a Law about the places of cards that does not hold, or 0."""
    if not _all_there(s, f):
        return Law.CARDS
    for seat in range(s.players):
        for place in range(s.length[seat]):
            at = seat * f.deck_cards + place
            # TC-21: face-up cards, then face-down ones. TC-22: the owner placed destinations, others troubles.
            if s.at[s.path[at]] != seat + (Zone.UP if place < s.memories[seat] else Zone.DOWN):
                return Law.PATHS
            designs = f.destination_designs if s.by[at] == seat else f.trouble_designs
            if designs >> f.design[s.path[at]] & 1 == 0:
                return Law.PLACED
        # TC-31: seats that are out own no card, if E10 says so.
        if s.out[seat] and f.elimination_cards_dispose:
            owned = s.held[seat] + s.length[seat] + s.companions[seat] + s.cursed[seat]
            if owned > 0 or s.hand[seat] != 0 or s.area[seat] != 0:
                return Law.OUT_EMPTY
        # TC-36: no memory is lost, unless by a rest (E54).
        if s.out[seat] == 0 and s.memories[seat] != s.most_memories[seat] and f.fainting_eliminate:
            return Law.MEMORIES
    return 0


@kernel
def _broken_by_play(s: Record, f: Record) -> int:
    """Return a Law about the course of the game that does not hold, or 0."""
    if s.faulty_deal:
        return Law.DEAL
    # TC-25: no draw in the first turn, later the stated number unless the deck was empty.
    if s.stage >= Stage.MAIN_1 and not s.nothing_drawn and s.drawn != (0 if s.turn == 1 else f.rule_draw):
        return Law.DRAWN
    if s.reshuffled > f.rule_reshuffles:
        return Law.RESHUFFLES
    if s.turn > f.rule_turns or (s.over and s.winners == 0):
        return Law.END
    if not _winners_rightly(s, f):
        return Law.WINNERS
    # TC-32: nothing is declared outside main phases, except moves if E20 lets them be answered.
    if s.items > 0 and s.stage not in (Stage.MAIN_1, Stage.MAIN_2) and not f.answers_move:
        return Law.STACK
    return 0


@kernel
def _broken_by_seat(s: Record, f: Record) -> int:
    """Return a Law about actions, pass markers and hands of seats that does not hold, or 0."""
    settled = not (s.over or s.frames > 0 or s.items > 0 or f.faint_check_end_of_turn)
    total = most = 0
    for seat in range(s.players):
        total += s.troubled[seat]
        most = max(most, s.troubled[seat])
        # TC-26: pass markers, and why seats are out.
        if s.marks[seat] < 0 or s.marks[seat] > f.rule_passes:
            return Law.OUT
        if s.out[seat] == Out.PASSED and s.out_marks[seat] != f.rule_passes:
            return Law.OUT
        if s.out[seat] == Out.EMPTY_HAND and s.out_hand[seat] != 0:
            return Law.OUT
        # TC-35: every seat has a card when nothing is pending, if E52 says so.
        if settled and s.out[seat] == 0 and s.held[seat] == 0:
            return Law.HANDS
    # TC-23: actions ① to ③ in a turn.
    troubles = most if f.trouble_limit_per_opponent else total
    if s.placed > f.per_turn_destination or s.recruited > f.per_turn_recruit or troubles > f.per_turn_trouble:
        return Law.LIMITS
    return 0


@kernel
def find_broken_law(s: Record, f: Record) -> int:
    """Return the first Law found that does not hold in this state, or 0 if all hold."""
    law = _broken_by_cards(s, f)
    if law == 0:
        law = _broken_by_seat(s, f)
    return law if law > 0 else _broken_by_play(s, f)


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    """Fill `taken[0]` with the number of pass markers that players have; no other piece can run short."""
    taken[0] = 0
    for seat in range(s.players):
        taken[0] += s.marks[seat]


@kernel
def measure(s: Record, f: Record, told: Row) -> None:
    """Fill `told[0]` with 1 if a first hand was redrawn, else with 0 (TC-34)."""
    told[0] = 1 if s.redraws > 0 else 0


_PHASES = {
    "draw": Stage.DRAW,
    "main_1": Stage.MAIN_1,
    "move": Stage.MOVE,
    "main_2": Stage.MAIN_2,
    "end": Stage.END_CURSES,
}
_ONCE = ("deal", "turn", "seat", "phase", "deck", "rest", "discards", "characters", "display", "used")
_OF_PLAYERS = ("hand", "path", "area", "marks")


def arrange(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    """Arrange the situation `given` in an example, up to the first choice. Raise ValueError if it is impossible."""
    require_known_names(given, [*_ONCE, *(f"{name} {seat + 1}" for name in _OF_PLAYERS for seat in range(box.players))])
    if given.get("deal") and set(given) - {"deal", "deck", "characters"}:
        raise ValueError("with 'deal', only 'deck' and 'characters' can be given")
    f = box.make_facts()
    pool = CardPool(box.list_cards_by_name())
    deck, characters = (pool.take(given.get(name, ()), name) for name in ("deck", "characters"))
    if any(card >= f.deck_cards for card in deck) or any(card < f.deck_cards for card in characters):
        raise ValueError("characters have a deck of their own")
    if given.get("deal"):
        lay_out(s, f)
        s.deck[:] = deck + _list_rest(f, pool, deck_cards=True)
        s.line[:] = characters + _list_rest(f, pool, deck_cards=False)
        hand_out(s, f)
        STORY.begin(s, f)
        return
    for seat in range(box.players):
        _place_seat(s, f, pool, seat, given)
    for card in pool.take(given.get("discards", ()), "discards"):
        discard_card(s, f, card)
    for card in pool.take(given.get("display", ()), "display"):
        if not f.characters >> max(card - f.first_area, 0) & 1:
            raise ValueError("display: only characters are there")
        s.at[card] = Zone.DISPLAY
        s.display |= 1 << (card - f.first_area)
        s.shown += 1
    for seat in range(box.players):
        if f"hand {seat + 1}" not in given:
            # A card that has no effect in the hand of a seat without the turn: the last trouble.
            troubles = [card for card in pool.free if card < f.deck_cards and f.trouble_designs >> f.design[card] & 1]
            put_in_hand(s, f, seat, pool.take_any(1, troubles, last=True)[0])
    _place_decks(s, f, pool, deck, characters, find_known_name(given.get("rest", "deck"), ("deck", "discards"), "rest"))
    s.turn_seat = s.seat = read_seat(given.get("seat", 1), s.players)
    s.turn = read_number(given.get("turn", 2), "turn", 1)
    s.stage = _PHASES[find_known_name(given.get("phase", "main_1"), _PHASES, "phase")]
    s.drawn = f.rule_draw if s.turn > 1 and s.stage > Stage.DRAW else 0
    named = box.list_cards_by_name()
    for name in read_list(given.get("used", ()), "used"):
        for card in named[find_known_name(name, named, "card")]:
            s.used |= 1 << (card - f.first_area) if card >= f.first_area else 0
    STORY.begin(s, f)


def _list_rest(f: Record, pool: CardPool, *, deck_cards: bool) -> list[int]:
    """Return the cards left in the pool, in the order of the data: of the deck (`deck_cards`) or of the characters."""
    return [card for card in pool.free if (card < f.deck_cards) == deck_cards]


def _place_seat(s: Record, f: Record, pool: CardPool, seat: int, given: Mapping[str, Any]) -> None:
    """Lay out hand, path, area and pass markers of one player as `given` says: `hand 1`, `path 1` ..."""
    hand, path, area, marks = (f"{name} {seat + 1}" for name in _OF_PLAYERS)
    for card in pool.take(given.get(hand, ()), hand):
        if card >= f.deck_cards:
            raise ValueError("characters are never in a hand")
        put_in_hand(s, f, seat, card)
    up = True
    for text in map(str, read_list(given.get(path, ()), path)):
        if text[-1] not in "+-" or (text[-1] == "+" and not up):
            raise ValueError(f"{path}: each card ends in + (face up) or -, and those with + come first")
        up = text[-1] == "+"
        card = pool.take_one(text[:-1])
        design = 1 << f.design[card] if card < f.deck_cards else 0
        if not design & (f.destination_designs | f.trouble_designs):
            raise ValueError(f"{path}: only destinations and troubles lie there")
        lay_down(s, f, seat, card, seat if design & f.destination_designs else (seat + 1) % s.players)
        if up:
            turn_up(s, f, seat)
    for card in pool.take(given.get(area, ()), area):
        if card < f.first_area:
            raise ValueError(f"{area}: only characters and cursed items lie there")
        put_in_area(s, f, seat, card - f.first_area)
    s.marks[seat] = read_number(given.get(marks, 0), marks, 0, f.rule_passes)


def _place_decks(s: Record, f: Record, pool: CardPool, deck: list[int], characters: list[int], rest: str) -> None:
    """Fill both decks, `deck` and `characters` on top. Deck cards left over go below or, by `rest`, onto "discards"."""
    left = _list_rest(f, pool, deck_cards=True)
    line = characters + _list_rest(f, pool, deck_cards=False)
    cards = deck + (left if rest == "deck" else [])
    s.deck[: len(cards)], s.line[: len(line)] = cards, line
    s.deck_count, s.line_count = len(cards), len(line)
    for card in cards:
        s.at[card] = Zone.DECK
    for card in line:
        s.at[card] = Zone.CHARACTERS
    if rest == "discards":
        for card in left:
            discard_card(s, f, card)


# Questions


def _list_path(s: Record, box: Box, seat: str) -> list[str]:
    """Return the names of the cards on the path of a seat ("1" ...), the past first, with + if face up, else -."""
    at = read_seat(seat, box.players)
    cards = [int(s.path[at * box.get_number("deck_cards") + place]) for place in range(s.length[at])]
    return [f"{box.name_card(card)}{'+' if n < s.memories[at] else '-'}" for n, card in enumerate(cards)]


def _list_deck(s: Record, box: Box, start: int, number: int) -> list[str]:
    """Return the names of `number` cards of the deck from place `start` on; its top card has place 0."""
    size = box.get_number("deck_cards")
    return [box.name_card(s.deck[(s.deck_top + start + place) % size]) for place in range(number)]


def _list_entries(box: Box, entries: int) -> list[str]:
    first, number = box.get_number("first_area"), box.get_number("area_cards")
    return [box.name_card(first + n) for n in range(number) if entries >> n & 1]


QUESTIONS: Questions = {
    "turn": lambda s, _box: int(s.turn),
    "recruited": lambda s, _box: int(s.recruited),
    "redraws": lambda s, _box: int(s.redraws),
    "reshuffles": lambda s, _box: int(s.reshuffled),
    "out": lambda s, _box: [seat + 1 for seat in range(s.players) if s.out[seat]],
    "winners": lambda s, _box: [seat + 1 for seat in range(s.players) if s.winners >> seat & 1],
    "phase": lambda s, _box: next(name for name, stage in reversed(_PHASES.items()) if s.stage >= stage),
    "used": lambda s, box: _list_entries(box, int(s.used)),
    "advanced": lambda s, box: _list_entries(box, int(s.display) & box.get_number("advanced")),  # on display
    "top": lambda s, box, cards: _list_deck(s, box, 0, read_number(cards, "cards", 1, s.deck_count)),
    "bottom": lambda s, box, cards: _list_deck(
        s, box, s.deck_count - int(cards), read_number(cards, "cards", 1, s.deck_count)
    ),
    "path": _list_path,
    "marks": lambda s, box, seat: int(s.marks[read_seat(seat, box.players)]),
    "memories": lambda s, box, seat: int(s.memories[read_seat(seat, box.players)]),
    "visited": lambda s, box, seat: int(s.seen[read_seat(seat, box.players) * box.get_number("terrains")]),
}
"""What examples may ask: `path 2`, `used`, `marks 2` ...; `top 2` and `bottom 2` are that many cards of the deck."""


RULES = STORY.make_rules(
    box=make_box,
    roomy=True,
    score=score,
    place=rank_seats,
    value=value,
    blind=blind,
    demand=demand,
    most=most_moves,
    zones=zones,
    write=write,
    say=say,
    arrange=arrange,
    ask=partial(answer_question, QUESTIONS),
    broken=find_broken_law,
    observe=observe,
    tell=tell,
    follow=follow,
    laws=LAWS,
    supplies=(Supply("pass_markers", MARKERS),),
    holes=(Hole("empty_deck", "E28"), Hole("no_end_in_sight")),
    measures=(Measure("TC-34", "some first hand was drawn anew", chance=redraw_chance_at),),
    measure=measure,
    answers={"TC-27": SECRETS, "TC-33": REPEATS},
    shared={ASK_EVERYONE: True},
)
