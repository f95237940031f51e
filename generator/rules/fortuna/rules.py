"""The rules of Fortuna as played, with examples, views and the bots' valuation."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from generator.rules.engine.contract import Box, Hole, Message, Observation, Questions, Supply, answer_question
from generator.rules.engine.facts import (
    CardPool,
    find_range_start,
    iter_texts,
    read_entries,
    read_number,
    read_seat,
    require_known_names,
)
from generator.rules.engine.kernel import Record, kernel, shuffle
from generator.rules.engine.table import visible_zones
from generator.rules.fortuna.data import UNPLAYABLE, facts_of, list_values, make_box, set_points
from generator.rules.fortuna.state import (
    LAWS,
    Move,
    Phase,
    best_icon,
    best_promise,
    can_be,
    card_name,
    closed_numbers,
    count_values,
    demand,
    find_broken_law,
    iter_chain,
    rank_seats,
    say,
    score,
    write,
    zones,
)
from generator.rules.fortuna.turns import STORY, full_size, put_in_hand

POINT = 100
"""The unit of the valuation: the worth of one point."""

BEST, NEXT = 72, 28
"""The weight of the best set of a hand one turn ahead, and of the second best two turns ahead, in hundredths."""

CARD = 11
"""The worth of a card in hand, for each turn to come up to FORESEEN."""

FORESEEN = 3
"""The number of turns considered in advance."""

COMING = 6
"""The promise of a card in a hand that is not known yet, relative to the weight of the best set."""

PACE = 8
"""The assumed number of cards drawn in a turn: above the real one, because distant turns are worth less."""


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    """Value a state for a seat: its points, those of the set being laid out, and its hand's worth in later turns."""
    total: int = POINT * s.points[seat]
    if s.over:
        return total
    turns, held = turns_left(s, f, seat), s.hand_n[seat]
    if s.seat == seat and s.phase == Phase.CARDS:
        total += POINT * best_promise(s, f)
        size = s.set_number if s.set_number > 0 else s.used
        held += s.used - size + (max(0, size - f.refill_minus) if s.trigger == 0 else 0)
        total += COMING * held if turns > 0 else 0
    elif s.seat == seat and s.phase == Phase.FILL:
        total += POINT * full_size(s, f) * best_icon(f, s.tally)
        held = max(0, s.used - f.refill_minus) if s.trigger == 0 else 0
        total += COMING * held if turns > 0 else 0
    elif turns > 0:
        total += hand_worth(s, f, seat, turns)
    return total + CARD * held * min(turns, FORESEEN)


@kernel
def turns_left(s: Record, f: Record, seat: int) -> int:
    """Return roughly how many turns the seat still begins."""
    if s.trigger > 0:
        return 1 if s.seat < seat else 0
    turns: int = s.main_n // (PACE * s.players) + (1 if s.seat <= seat else 0)
    return max(1, turns)


@kernel
def hand_worth(s: Record, f: Record, seat: int, turns: int) -> int:
    """Return the value of the two best sets that the hand can make, or of the best one if `turns` is 1."""
    counted, closed, held = count_values(s, f, seat), closed_numbers(s, f, seat), s.hand_n[seat]
    reach = held + s.discards if s.trigger == 0 or f.all_in_after_trigger else 0
    best = second = number = 0
    while counted > 0:
        able = counted & f.most_counted
        counted >>= f.bits
        found = 0
        if able > 0 and closed >> number & 1 == 0:
            if number == 0:
                found = min(able, f.zero_set_max) * most_alike(s, f, seat, number, f.zero_set_max)
            elif able >= number or (able == held and number <= reach):
                found = number * most_alike(s, f, seat, number, number)
        if found > best:
            best, second = found, best
        elif found > second:
            second = found
        number += 1
    return (BEST * best + (NEXT * second if turns > 1 else 0)) * POINT // 100


@kernel
def most_alike(s: Record, f: Record, seat: int, number: int, most: int) -> int:
    """Return the count of the most frequent icon among hand cards that may count as the number, up to `most`."""
    tally, start = 0, seat * f.width
    for i in range(start, start + s.hand_n[seat]):
        if can_be(s, f, s.hand[i], number):
            tally += f.unit[s.hand[i]]
    return min(most, best_icon(f, tally))


_PHASES = {
    Phase.ACTION: "at_action",
    Phase.CARDS: "at_cards",
    Phase.FILL: "at_fill",
    Phase.DISCARD: "at_discard",
    Phase.DECLARE: "at_declare",
    Phase.FROM: "at_wheel",
    Phase.TO: "at_wheel",
    Phase.AMOUNT: "at_wheel",
}


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """Shuffle both piles and all other hands; the main deck's row collects them first, in ascending order."""
    for i in range(s.main_n):
        s.under[s.main[i]] = -1
    for i in range(s.end_n):
        s.under[s.end[i]] = -1
    for other in range(s.players):
        if other != seat:
            for i in range(other * f.width, other * f.width + s.hand_n[other]):
                s.under[s.hand[i]] = -1
    unseen = 0
    for card in range(f.cards):
        if s.under[card] < 0:
            s.under[card] = 0
            s.main[unseen] = card
            unseen += 1
    shuffle(s.rng, s.main, 0, unseen)
    for i in range(s.end_n):
        unseen -= 1
        s.end[i] = s.main[unseen]
    for other in range(s.players):
        if other != seat:
            number = s.hand_n[other]
            s.hand_n[other] = 0
            for _ in range(number):
                unseen -= 1
                put_in_hand(s, f, other, s.main[unseen])
    for i in range(s.main_n, f.cards):
        s.main[i] = 0


def observe(s: Record, box: Box, seat: int) -> Observation:
    """Return everything except both piles and other hands."""
    laid = visible_zones(zones(s, box), seat, closed=("main", "end"), own=("hand",))
    there = tuple(f"{pile}: {s.count[pile]}" for pile in range(box.get_number("numbers")) if s.count[pile])
    piles = Message("piles" if there else "no_piles", {"piles": there, "total": box.get_number("wheel_total")})
    return Observation(laid, tuple(_describe_status(s, box)), {"piles": piles})


def _describe_status(s: Record, box: Box) -> Iterator[Message]:
    if s.over or s.phase not in _PHASES:
        return
    rounds = (s.turn + s.players - 1) // s.players
    number = int(s.set_number) or box.get_number("zero_set_max")
    values = {
        "turn": int(s.turn),
        "round": rounds,
        "seat": s.seat + 1,
        "number": int(s.set_number),
        "picked": int(s.used),
        "wanted": number,
        "need": int(s.need),
        "left": int(s.left),
        "pile": int(s.pile),
    }
    yield Message(_PHASES[int(s.phase)], values)
    if s.trigger:
        yield Message("end_near", {"number": int(s.end_n)})


def follow(before: Record | None, after: Record, box: Box, _seat: int) -> Iterator[Message]:
    """Report points for sets, the opening of the End pile, forced moves of the Wheel, and the end."""
    if before is None:
        return
    for seat in range(after.players):
        if after.points[seat] != before.points[seat]:
            more = int(after.points[seat] - before.points[seat])
            yield Message("scores", {"seat": seat + 1, "more": more, "points": int(after.points[seat])})
    if before.phase == Phase.TO and after.phase != Phase.AMOUNT and before.count[before.source] == 1:
        yield Message("one_moved", {"source": int(before.source)})
    if after.wheeled and after.phase == Phase.FROM and before.phase not in (Phase.FROM, Phase.TO, Phase.AMOUNT):
        total = box.get_number("wheel_total")
        yield Message("wheel_turns", {"pile": int(after.pile), "cards": int(after.count[after.pile]), "total": total})
    if after.trigger and not before.trigger:
        yield Message("end_opened")
    if after.over:
        yield Message("decided")


GIVEN = ("seat", "hands", "drawn", "draws", "main", "end", "piles", "sets", "trigger")


def arrange(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    """Arrange a situation at the start of a turn, which then draws; with `drawn: true`, after its draw.

    `seat` (from 1) has the turn. `hands`: cards by seat. `draws`: the next cards to draw; `main`: the number of cards
    in the main deck. `end`: cards of the End pile from the top, or their number. `piles`: cards by number, the top
    last, or their number. `sets`: by seat and number, a list of cards or {up, down}. `trigger: true`: pulled by the
    start player in this round. Cards that are not named fill the decks; those left over are out of play.
    """
    require_known_names(given, GIVEN)
    f = box.make_facts()
    named: dict[str, list[int]] = {}  # by copy (`6L1`) and by design (`6L`)
    for card in range(len(box.cards)):
        name = card_name(box, card)
        named[name] = [card]
        named.setdefault(name[:-1], []).append(card)
    cards = CardPool(named, {name for name in iter_texts(given) if name in named})
    seat, late = read_seat(given.get("seat", 1), box.players) + 1, bool(given.get("trigger", False))
    if late and seat == 1:
        raise ValueError("the start player has no turn after the end trigger, only later seats")
    for number, names in read_entries(given.get("hands", {}), "hands"):
        at, hand = read_seat(number, box.players), cards.take(names, f"the hand of seat {number}")
        if len(hand) > f.width:
            raise ValueError(f"seat {number} holds {len(hand)} cards, and nobody ever holds more than {f.width}")
        for card in hand:
            put_in_hand(s, f, at, card)
    _lay_sets(s, f, box, cards, given.get("sets", {}))
    counted = _lay_named_piles(s, f, cards, given.get("piles", {}))
    draws, end = (
        cards.take(given.get("draws", []), "draws"),
        given.get("end", max(0, f.end_pile + 1 - (seat if late else 1))),
    )
    ends = end if isinstance(end, int) else cards.take(end, "end")
    for pile, number in counted:  # any card of the number will do that nothing else names
        printed = [card for card in cards.free if f.number[card] == pile]
        if number > len(printed):
            raise ValueError(f"only {len(printed)} cards with a {pile} are left: name the cards of this pile")
        _lay_pile(s, pile, cards.take_any(number, printed, last=True))
    _lay_decks(s, f, cards, draws, ends, given.get("main"), untouched=not late)
    s.turn = box.players + seat - 1
    if late:
        s.trigger = box.players + 1
        s.first_end = max(0, f.end_pile - s.end_n - (seat - 2) * f.draw)
    if not given.get("drawn", False):
        STORY.begin(s, f)
        return
    s.turn += 1
    s.seat, s.phase = seat - 1, Phase.ACTION
    if s.hand_n[seat - 1] == 0:
        raise ValueError(f"seat {seat} has drawn, and yet no card")


def _lay_sets(s: Record, f: Record, box: Box, cards: CardPool, given: Any) -> None:
    for seat, own in read_entries(given, "sets"):
        at = read_seat(seat, box.players)
        for number, laid in read_entries(own, f"sets of seat {seat}"):
            sides = laid if isinstance(laid, Mapping) else {"up": laid}
            if "up" not in sides:
                raise ValueError(f"a set of {number} needs cards face up")
            up, down = cards.take(sides["up"], "a set"), cards.take(sides.get("down", []), "a set")
            value = read_number(number, "a set's number", 0, f.numbers - 1)
            size = len(up) + len(down)
            if size != value and not (value == 0 and f.zero_set_min <= size <= f.zero_set_max):
                raise ValueError(f"a set of {value} can't have {size} cards")
            place = at * f.numbers + value
            s.up[place], s.down[place] = _chain_cards(s, up), _chain_cards(s, down)
            s.owned[at] |= 1 << value
            s.sets[at] += 1
            s.laid += size
            showing = sum(f.unit[card] for card in (up + down if f.face_down_icons_count else up))
            s.points[at] += size * best_icon(f, showing)


def _lay_named_piles(s: Record, f: Record, cards: CardPool, given: Any) -> list[tuple[int, int]]:
    """Lay the piles whose cards are named; return the others with their numbers of cards."""
    counted = []
    for number, laid in read_entries(given, "piles"):
        pile = read_number(number, "a pile", 0, f.numbers - 1)
        if not f.piles[pile]:
            raise ValueError(f"there is no pile for the number {pile}")
        if isinstance(laid, int):
            counted.append((pile, laid))
        else:
            _lay_pile(s, pile, cards.take(laid, "a pile"))
    return counted


def _lay_pile(s: Record, pile: int, there: list[int]) -> None:
    s.top[pile], s.count[pile] = _chain_cards(s, there), len(there)
    s.discards += len(there)


def _lay_decks(
    s: Record, f: Record, cards: CardPool, draws: list[int], end: int | list[int], main_n: Any, *, untouched: bool
) -> None:
    """Fill the main deck (`main_n` cards, first `draws`) and the End pile (`end`: cards or number) with free cards."""
    ends = cards.take_any(read_number(end, "end", 0, f.end_pile), last=True)[::-1] if isinstance(end, int) else end
    rest = len(draws) + len(cards.free) if untouched and len(ends) >= f.end_pile else 0
    number = read_number(rest if main_n is None else main_n, "main", 0, f.cards)
    if number < len(draws):
        raise ValueError(f"{len(draws)} cards are to be drawn from a main deck of {number}")
    main = draws + cards.take_any(number - len(draws))
    for row, name, deck in ((s.main, "main_n", main), (s.end, "end_n", ends)):
        if len(deck) > len(row):
            raise ValueError(f"{len(deck)} cards are more than the pile has")
        setattr(s, name, len(deck))
        for at, card in enumerate(reversed(deck)):
            row[at] = card


def _list_playable(s: Record, box: Box, seat: int) -> list[int]:
    """Return the numbers of sets that the seat could play if it were its choice."""
    moves = [0] * (2 * len(box.cards))
    f = box.make_facts()
    now = (s.seat, s.phase)
    s.seat, s.phase = seat, Phase.ACTION
    number = STORY.legal(s, f, moves)
    s.seat, s.phase = now
    sets = (move for move in moves[:number] if find_range_start(Move, move) in (Move.PLAY, Move.ALL_IN))
    return sorted({move - find_range_start(Move, move) for move in sets})


def _compute_worth(s: Record, box: Box, seat: int, number: int) -> int:
    """Return the points of a seat's set of this number, computed by the rules' arithmetic and not by the kernels."""
    facts, switches = facts_of(box.game)
    place = seat * len(s.top) + number
    up, down = list(iter_chain(s, s.up[place])), list(iter_chain(s, s.down[place]))
    showing = up + down if switches.face_down_icons == "count" else up
    return set_points(len(up + down), [box.find_design(card).fields["icon"] for card in showing], facts.wild)


def _chain_cards(s: Record, cards: list[int]) -> int:
    """Stack cards, the last one on top; return the top as the state stores it: its index plus 1, or 0 for none."""
    top = 0
    for card in cards:
        s.under[card] = top
        top = card + 1
    return top


def _list_values(s: Record, box: Box, number: str, discards: str = "") -> list[int]:
    """Return the numbers that a card may count as over so many discards, '' for those now on the pile of its number."""
    over = read_number(discards, "a number of discards", 0) if discards else int(s.count[_read_pile(s, number)])
    return list(list_values(read_number(number, "a number", 0), over, *facts_of(box.game)))


def _read_pile(s: Record, number: str) -> int:
    return read_number(number, "a number", 0, len(s.top) - 1)


QUESTIONS: Questions = {
    "reach": _list_values,
    "numbers": lambda s, box, seat="": _list_playable(s, box, read_seat(seat, box.players) if seat else int(s.seat)),
    "pile": lambda s, box, number: [card_name(box, card) for card in iter_chain(s, s.top[_read_pile(s, number)])],
    "hands": lambda s, box: [int(s.hand_n[seat]) for seat in range(box.players)],
    "worth": lambda s, box, seat, number: _compute_worth(s, box, read_seat(seat, box.players), _read_pile(s, number)),
    "round": lambda s, box: (int(s.turn) - 1) // box.players,
    "trigger": lambda s, _box: bool(s.trigger),
}
"""What examples may ask.

`reach 6 2`: the numbers that a 6 may count as over 2 discards; `reach 6`: over the present ones. `numbers`, `numbers
2`: the numbers of which the seat could play a set. `pile 5`: its cards from the top. `hands`: their sizes. `worth 1 5`:
points for seat 1's set of 5. `round`: from 1 in the round of the situation. `trigger`: true if it was pulled.
"""


def most_moves(box: Box) -> int:
    """Return a bound: a pass for each card held and two ways to play each number, or an amount for each discard."""
    return max(box.get_number("width") + 2 * box.get_number("numbers"), box.get_number("cards"))


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
    follow=follow,
    laws=LAWS,
    supplies=(Supply("cards to draw", "reel", "E24"),),
    holes=(Hole("nothing to draw", "E24"), Hole("no card to pass with", "E23")),
    unplayable=UNPLAYABLE,
)
