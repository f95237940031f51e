"""Draft 8 as it is played: its rules in kernels over the cards and counters that the box prints."""

from generator.games.engine.contract import TIES, WINS, Box, Measure, Rules, Supply
from generator.games.engine.kernel import Record, Row, kernel
from generator.games.journey8.facts import COUNTERS
from generator.games.journey8.play_box import box, state
from generator.games.journey8.play_codes import (
    APPLY,
    AS,
    DECLARE,
    EVENT,
    EXTRA,
    FREE,
    GIVE,
    GIVE_TO,
    HOLD,
    KEEP,
    LAWS,
    LEFT_AS,
    LIMITED,
    PASS,
    PER_COLOUR,
    PLAY,
    STOP,
    TAKE,
    TAKE_FROM,
)
from generator.games.journey8.play_events import (
    decline,
    keep,
    next_event,
    next_of_colour,
    run_events,
    start_event,
    take,
)
from generator.games.journey8.play_examples import arrange, ask
from generator.games.journey8.play_pieces import give, give_forced, leave_hand, recipients
from generator.games.journey8.play_score import blind, broken, demand, measure, place, score, value
from generator.games.journey8.play_texts import say, write, zones
from generator.games.journey8.play_told import follow, observe
from generator.games.journey8.play_turn import compare, deal, declare, declare_left, end_turn, play_card, set_up

# Legal moves


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    """The choices of the phase."""
    phase = s.phase
    if phase <= EXTRA:
        return plays(s, f, moves, phase)
    if phase == GIVE:
        return recipients(s, moves, GIVE_TO)
    if phase == EVENT:
        return events(s, f, moves)
    if phase == TAKE:
        return givers(s, moves)
    if phase == KEEP:
        return kept(s, f, moves)
    return declarations(s, f, moves)


@kernel
def plays(s: Record, f: Record, moves: Row, phase: int) -> int:
    """Any card of the hand, or none where that is allowed; of cards that are alike, only the first."""
    base = s.seat * f.cards
    end = base + s.held[s.seat]
    number = 0
    if phase == EXTRA:
        moves[0] = STOP
        number = 1
    elif f.passing == FREE or (f.passing == LIMITED and end - base <= f.hand_limit) or end == base:
        moves[0] = PASS
        number = 1
    last = -1
    for at in range(base, end):
        card = s.hand[at]
        if f.alike[card] != last:
            last = f.alike[card]
            moves[number] = PLAY + card
            number += 1
    return number


@kernel
def declarations(s: Record, f: Record, moves: Row) -> int:
    """What the joker may be: of colours and numbers that come to the same, only the first ones.

    Colours matter as far as they are those of the other card, numbers as far as they differ from the other's; all
    matter in a declaration that lasts.
    """
    own = 1 if s.phase == DECLARE else 0
    left = s.story[s.laid - 2]
    open_left = 0
    if f.joker[left] == 1 and (f.lasts == 0 or s.said[s.laid - 2] == 0):
        open_left = 1
    both = open_left * f.joker[s.card] * (1 - f.lasts)
    other = s.new_colour
    if own == 1:
        other = f.colour[left] if f.joker[left] == 0 else (s.said[s.laid - 2] - 1) // PER_COLOUR
    new = 0
    if own == 0 and both == 1:
        while f.numbers[new] != s.new_number:
            new += 1
    first = AS if own == 1 else LEFT_AS
    number = strange = 0
    for colour in range(f.colours):
        if f.always_same == 1 or (own == 1 and both == 1):
            wanted = 1 if colour == 0 else 0
        elif (own == 1 and f.lasts == 1) or colour == other:
            wanted = 1
        else:
            strange += 1
            wanted = 1 if strange == 1 else 0
        if wanted == 1:
            for at in range(f.count):
                if both == 0 or (own == 1 and f.opens[at] == 1) or (own == 0 and f.pair[new][at] == 1):
                    moves[number] = first + colour * PER_COLOUR + at
                    number += 1
    return number


@kernel
def events(s: Record, f: Record, moves: Row) -> int:
    """Any of the cards to be applied next, or none of them where that is allowed."""
    number = 0
    if f.optional == 1:
        moves[0] = STOP
        number = 1
    at = next_event(s, f, 0)
    while at < s.held[s.seat]:
        moves[number] = APPLY + s.hand[s.seat * f.cards + at]
        number += 1
        at = next_event(s, f, at + 1)
    return number


@kernel
def givers(s: Record, moves: Row) -> int:
    """Any other player who has sone."""
    number = 0
    for seat in range(s.players):
        if seat != s.seat and s.sone[seat] > 0:
            moves[number] = TAKE_FROM + seat
            number += 1
    return number


@kernel
def kept(s: Record, f: Record, moves: Row) -> int:
    """Any card of the colour of which one stays."""
    number = 0
    at = next_of_colour(s, f, 0)
    while at < s.held[s.seat]:
        moves[number] = HOLD + s.hand[s.seat * f.cards + at]
        number += 1
        at = next_of_colour(s, f, at + 1)
    return number


# Moves


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Carries out the choice and goes on to the next."""
    if move == PASS:
        end_turn(s, f)
    elif move == STOP:
        if s.phase == EVENT:
            decline(s, f)
            run_events(s, f)
        else:
            end_turn(s, f)
    elif move < AS:
        leave_hand(s, f, s.seat, move - PLAY)
        play_card(s, f, move - PLAY)
    elif move < LEFT_AS:
        declare(s, f, move - AS)
    elif move < GIVE_TO:
        declare_left(s, f, move - LEFT_AS)
    elif move < APPLY:
        settle(s, f, move)
    elif move < HOLD:
        start_event(s, move - APPLY)
        run_events(s, f)
    else:
        keep(s, f, move - HOLD)


@kernel
def settle(s: Record, f: Record, move: int) -> None:
    """Sone goes to or comes from the player chosen; then play or the event goes on."""
    if move < TAKE_FROM:
        give(s, move - GIVE_TO)
        give_forced(s)
        if s.phase == GIVE:
            return
    else:
        take(s, f, move - TAKE_FROM)
    if s.scoring == 1:
        run_events(s, f)
    else:
        compare(s, f)


def most(box: Box) -> int:
    """All cards of the box or all declarations, and one move more."""
    return max(len(box.cards), len(box.numbers["numbers"]) * int(box.numbers["colours"])) + 1  # type: ignore[arg-type]


RULES = Rules(
    box=box,
    state=state,
    set_up=set_up,
    legal=legal,
    apply=apply,
    score=score,
    place=place,
    value=value,
    blind=blind,
    demand=demand,
    most=most,
    zones=zones,
    write=write,
    say=say,
    arrange=arrange,
    ask=ask,
    broken=broken,
    deal=deal,
    observe=observe,
    follow=follow,
    laws=LAWS,
    supplies=(Supply("counters", COUNTERS, "E12", "C8-COUNTER-BOUND"),),
    measures=(
        Measure("S8-REVERSE", "ended in Reverse"),
        Measure("S8-SUDDEN", "ended with the last key"),
        Measure("S8-HAND", "cards in all hands at the end"),
        Measure("S8-EVENT-VALUE", "hundredths of a point that an effect brought its holder"),
        Measure("S8-EVENT-VALUE", "and was worth"),
    ),
    measure=measure,
    answers={"S8-COUNTERS": "counters", "S8-SEAT": WINS, "S8-TIES": TIES},
)
