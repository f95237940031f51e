"""The turns of Draft 8: deal, legal moves, moves and laws."""

from generator.rules.engine.contract import Box
from generator.rules.engine.kernel import Record, Row, kernel, next_chances, shuffle
from generator.rules.journey8.score import (
    begin_scoring,
    draw_card,
    gain_counters,
    give_forced,
    give_sone,
    lay_out,
    leave_hand,
    next_event,
    next_of_colour,
    next_recipient,
    put_in_hand,
    run_events,
    start_event,
    start_giving,
    take_from,
    throw_away,
    throw_pairs_away,
    turn_over,
)
from generator.rules.journey8.state import PER_COLOUR, Chance, Law, Mode, Move, Phase, Side


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    """Fill in the choices of the phase."""
    phase = s.phase
    if phase <= Phase.EXTRA:
        return fill_plays(s, f, moves, phase)
    if phase == Phase.GIVE:
        number = 0
        other = next_recipient(s, 0)
        while other < s.players:
            moves[number] = Move.GIVE + other
            number += 1
            other = next_recipient(s, other + 1)
        return number
    if phase == Phase.EVENT:
        # The cards to be applied next, and none of them if allowed.
        number = 0
        if f.event_optional:
            moves[0] = Move.STOP
            number = 1
        at = next_event(s, f, 0)
        while at < s.held[s.seat]:
            moves[number] = Move.EVENT + s.hand[s.seat * f.cards + at]
            number += 1
            at = next_event(s, f, at + 1)
        return number
    if phase == Phase.TAKE:
        number = 0
        for seat in range(s.players):
            if seat != s.seat and s.sone[seat] > 0:
                moves[number] = Move.TAKE + seat
                number += 1
        return number
    if phase == Phase.KEEP:
        number = 0
        at = next_of_colour(s, f, 0)
        while at < s.held[s.seat]:
            moves[number] = Move.KEEP + s.hand[s.seat * f.cards + at]
            number += 1
            at = next_of_colour(s, f, at + 1)
        return number
    return fill_declarations(s, f, moves)


@kernel
def fill_plays(s: Record, f: Record, moves: Row, phase: int) -> int:
    """Fill in the cards of the hand, and passing if allowed; of equal cards, only the first."""
    base = s.seat * f.cards
    end = base + s.held[s.seat]
    number = 0
    if phase == Phase.EXTRA:
        moves[0] = Move.STOP
        number = 1
    elif f.pass_free or (f.pass_hand_limit and end - base <= f.hand_limit) or end == base:
        moves[0] = Move.PASS
        number = 1
    last = -1
    for at in range(base, end):
        card = s.hand[at]
        if f.alike[card] != last:
            last = f.alike[card]
            moves[number] = Move.PLAY + card
            number += 1
    return number


@kernel
def fill_declarations(s: Record, f: Record, moves: Row) -> int:
    """Fill in declarations of the joker; of those with the same effect, only the first ones.

    Colours matter if they are those of the other card, numbers if they differ from the other's; all matter in a
    declaration that lasts.
    """
    own = 1 if s.phase == Phase.DECLARE else 0
    left = s.story[s.laid - 2]
    open_left = 0
    if f.joker[left] and (not f.joker_memory_keep_declared or s.said[s.laid - 2] == 0):
        open_left = 1
    both = open_left * f.joker[s.card] * (1 - f.joker_memory_keep_declared)
    other = s.new_colour
    if own:
        other = f.colour[left] if f.joker[left] == 0 else (s.said[s.laid - 2] - 1) // PER_COLOUR
    new = 0
    if own == 0 and both:
        while f.numbers[new] != s.new_number:
            new += 1
    first = Move.AS if own else Move.LEFT_AS
    number = strange = 0
    for colour in range(f.colours):
        if f.joker_colour_always_same or (own and both):
            wanted = 1 if colour == 0 else 0
        elif (own and f.joker_memory_keep_declared) or colour == other:
            wanted = 1
        else:
            strange += 1
            wanted = 1 if strange == 1 else 0
        if wanted:
            for at in range(f.count):
                if both == 0 or (own and f.opens[at]) or (own == 0 and f.pair[new][at]):
                    moves[number] = first + colour * PER_COLOUR + at
                    number += 1
    return number


def most_moves(box: Box) -> int:
    """Return a bound: all cards of the box or all declarations, and one move more."""
    return max(len(box.cards), len(box.numbers["numbers"]) * int(box.numbers["colours"])) + 1  # type: ignore[arg-type]


@kernel
def set_up(s: Record, f: Record) -> None:
    """Deal a new game and begin its first turn."""
    deal(s, f)
    begin_turn(s, f)


@kernel
def deal(s: Record, f: Record) -> None:
    """Shuffle all cards, lay some aside, deal hands, counters and the first story card."""
    for card in range(f.cards):
        s.deck[card] = card
    shuffle(next_chances(s.rng, Chance.DECK), s.deck, 0, f.cards)
    for i in range(f.removed):
        s.removed[i] = draw_card(s)
    s.aside = f.removed
    s.supply = f.counters
    for seat in range(s.players):
        gain_counters(s, f, seat, Side.SONE, f.sone)
    for _ in range(f.hand):
        for seat in range(s.players):
            put_in_hand(s, f, seat, draw_card(s))
    for _ in range(f.story):
        lay_out(s, draw_card(s))
    s.given_out = f.counters - s.supply
    s.first = (f.cards - s.top + f.draw - 1) // f.draw


@kernel
def begin_turn(s: Record, f: Record) -> None:
    """Draw a card for the seat that has the turn."""
    s.plays = 0
    s.first_key = 0
    s.seat = s.current
    if s.top == f.cards:
        s.dry = 1
    for _ in range(f.draw):
        if s.top < f.cards:
            put_in_hand(s, f, s.current, draw_card(s))
    s.phase = Phase.TURN


@kernel
def end_turn(s: Record, f: Record) -> None:
    """End the game if the deck is empty or there are enough keys; otherwise begin the next turn."""
    s.turn += 1
    if s.top == f.cards or 0 < f.key_end <= s.keys_laid:
        begin_scoring(s, f)
    else:
        s.current += 1
        if s.current == s.players:
            s.current = 0
        begin_turn(s, f)


@kernel
def play_card(s: Record, f: Record, card: int) -> None:
    """Lay a card at the story's right end and go on until a choice is due: a declaration, a recipient, a turn."""
    lay_out(s, card)
    s.plays += 1
    s.card = card
    if s.laid == 1:
        after_play(s, f, 0)
    elif f.joker[card]:
        s.phase = Phase.DECLARE
    else:
        s.new_colour = f.colour[card]
        s.new_number = f.number[card]
        face_left(s, f)


@kernel
def declare_left(s: Record, f: Record, said: int) -> None:
    """Declare the joker to the left of the new card, then compare the neighbours.

    Its colour is `said // PER_COLOUR`, its number `f.numbers[said % PER_COLOUR]`.
    """
    s.left_colour = said // PER_COLOUR
    s.left_number = f.numbers[said % PER_COLOUR]
    meet_neighbour(s, f)


@kernel
def face_left(s: Record, f: Record) -> None:
    """Compare with the left neighbour; a joker there must be declared first unless its declaration lasts."""
    left = s.story[s.laid - 2]
    if f.joker[left] == 0:
        s.left_colour = f.colour[left]
        s.left_number = f.number[left]
        meet_neighbour(s, f)
    elif f.joker_memory_keep_declared and s.said[s.laid - 2] > 0:
        declare_left(s, f, s.said[s.laid - 2] - 1)
    else:
        s.phase = Phase.DECLARE_LEFT


@kernel
def meet_neighbour(s: Record, f: Record) -> None:
    """Compare colours, then numbers; between them, recipients of sone may have to be chosen."""
    same = 1 if s.new_colour == s.left_colour else 0
    if f.joker_colour_always_same and (f.joker[s.card] or f.joker[s.story[s.laid - 2]] == 1):
        same = 1
    if same:
        start_giving(s, s.current, (s.players - 1) * f.gift, f.gift)
        if s.phase == Phase.GIVE:
            return
    compare_numbers(s, f)


@kernel
def compare_numbers(s: Record, f: Record) -> None:
    """Compare numbers: a larger one brings sone, a smaller one turns it, an equal one makes the card a key."""
    rise = s.new_number - s.left_number
    key = 0
    if rise > 0:
        s.rises += gain_counters(s, f, s.current, Side.SONE, rise)
    elif rise < 0:
        turn_over(s, s.current, -rise)
    else:
        key = 1
        s.keys[s.laid - 1] = 1
        s.keys_laid += 1
    after_play(s, f, key)


@kernel
def after_play(s: Record, f: Record, key: int) -> None:
    """Allow a further play after a key that was the turn's first card; otherwise end the turn."""
    s.card = -1
    if s.plays == 1:
        s.first_key = key
    enough = 1 if 0 < f.key_end <= s.keys_laid else 0
    if enough and f.end_check_immediate:
        s.turn += 1
        begin_scoring(s, f)
    elif s.first_key and s.plays <= f.extra_plays and s.held[s.current] > 0 and (enough == 0 or f.extra_after_third):
        s.phase = Phase.EXTRA
    else:
        end_turn(s, f)


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Carry out the choice and go on to the next."""
    if move == Move.PASS:
        end_turn(s, f)
    elif move == Move.STOP:
        if s.phase == Phase.EVENT:
            # Apply none of the owner's cards that could come next.
            place = next_event(s, f, 0)
            while place < s.held[s.seat]:
                s.done |= 1 << s.hand[s.seat * f.cards + place]
                place = next_event(s, f, 0)
            run_events(s, f)
        else:
            end_turn(s, f)
    elif move < Move.AS:
        leave_hand(s, f, s.seat, move - Move.PLAY)
        play_card(s, f, move - Move.PLAY)
    elif move < Move.LEFT_AS:
        said = move - Move.AS
        s.new_colour = said // PER_COLOUR
        s.new_number = f.numbers[said % PER_COLOUR]
        if f.joker_memory_keep_declared:
            s.said[s.laid - 1] = 1 + said
        face_left(s, f)
    elif move < Move.GIVE:
        declare_left(s, f, move - Move.LEFT_AS)
    elif move < Move.EVENT:
        settle_choice(s, f, move)
    elif move < Move.KEEP:
        start_event(s, move - Move.EVENT)
        run_events(s, f)
    else:
        # Discard all other cards of the card's colour.
        card = move - Move.KEEP
        base = s.seat * f.cards
        at = s.held[s.seat] - 1
        while at >= 0:
            other = s.hand[base + at]
            if other != card and f.colour[other] == f.colour[card]:
                throw_away(s, f, s.seat, other)
            at -= 1
        throw_pairs_away(s, f)


@kernel
def settle_choice(s: Record, f: Record, move: int) -> None:
    """Move sone to or from the chosen player, then continue the play or the event."""
    if move < Move.TAKE:
        give_sone(s, move - Move.GIVE)
        give_forced(s)
        if s.phase == Phase.GIVE:
            return
    else:
        take_from(s, s.seat, move - Move.TAKE, f.effect[s.card][3 * (s.op - 1) + 2])
    if s.scoring:
        run_events(s, f)
    else:
        compare_numbers(s, f)


@kernel
def find_broken_law(s: Record, f: Record) -> int:
    """Return the first law that does not hold, by its index in `laws` from 1."""
    sone = coherence = 0
    for seat in range(s.players):
        if s.sone[seat] < 0 or s.coherence[seat] < 0:
            return Law.NOT_NEGATIVE
        sone += s.sone[seat]
        coherence += s.coherence[seat]
    if has_all_cards(s, f) == 0:
        return Law.CARDS
    if sone + coherence + s.supply != f.counters or (f.supply_finite and s.supply < 0):
        return Law.COUNTERS
    if s.scoring == 0 and sone + coherence != s.given_out + s.rises:
        return Law.RISES
    if s.plays > 1 + s.first_key * f.extra_plays:
        return Law.ONE_EXTRA
    if s.turn > s.first or (s.scoring and s.key_end == 0 and s.turn != s.first):
        return Law.TURNS
    if s.dry:
        return Law.DRAWN
    return Law.ROW if s.laid > f.longest else 0


@kernel
def has_all_cards(s: Record, f: Record) -> int:
    """Return 1 if every card of the box lies in exactly one place, else 0."""
    number = s.aside + f.cards - s.top + s.laid + s.thrown
    seen = 0
    for i in range(s.aside):
        seen += 1 << s.removed[i]
    for i in range(s.top, f.cards):
        seen += 1 << s.deck[i]
    for i in range(s.laid):
        seen += 1 << s.story[i]
    for i in range(s.thrown):
        seen += 1 << s.discards[i]
    for seat in range(s.players):
        number += s.held[seat]
        for at in range(seat * f.cards, seat * f.cards + s.held[seat]):
            seen += 1 << s.hand[at]
    return 1 if number == f.cards and seen == (1 << f.cards) - 1 else 0


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    """Fill in the counters that players have."""
    total = 0
    for seat in range(s.players):
        total += s.sone[seat] + s.coherence[seat]
    taken[0] = total


@kernel
def measure(s: Record, f: Record, told: Row) -> None:
    """Fill in RULES.measures in their order: reverse, the last key, cards held, results and worth of effects."""
    told[0] = 1 if s.mode == Mode.REVERSE else 0
    told[1] = s.key_end
    told[2] = s.held_at_end
    told[3] = 100 * s.brought // max(1, s.applied)
    told[4] = 100 * s.promised // max(1, s.applied)
