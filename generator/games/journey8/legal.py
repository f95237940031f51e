"""Which moves there are in draft 8: kernels."""

from generator.games.engine.contract import Box
from generator.games.engine.kernel import Record, Row, kernel
from generator.games.journey8.events import next_event, next_of_colour
from generator.games.journey8.moves import PER_COLOUR, Move, Passing, Phase
from generator.games.journey8.pieces import next_recipient


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    """The choices of the phase."""
    phase = s.phase
    if phase <= Phase.EXTRA:
        return plays(s, f, moves, phase)
    if phase == Phase.GIVE:
        return recipients(s, moves, Move.GIVE)
    if phase == Phase.EVENT:
        return events(s, f, moves)
    if phase == Phase.TAKE:
        return givers(s, moves)
    if phase == Phase.KEEP:
        return kept(s, f, moves)
    return declarations(s, f, moves)


@kernel
def plays(s: Record, f: Record, moves: Row, phase: int) -> int:
    """Any card of the hand, or none where that is allowed; of cards that are alike, only the first."""
    base = s.seat * f.cards
    end = base + s.held[s.seat]
    number = 0
    if phase == Phase.EXTRA:
        moves[0] = Move.STOP
        number = 1
    elif f.passing == Passing.FREE or (f.passing == Passing.HAND_LIMIT and end - base <= f.hand_limit) or end == base:
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
def declarations(s: Record, f: Record, moves: Row) -> int:
    """What the joker may be: of colours and numbers that come to the same, only the first ones.

    Colours matter as far as they are those of the other card, numbers as far as they differ from the other's; all
    matter in a declaration that lasts.
    """
    own = 1 if s.phase == Phase.DECLARE else 0
    left = s.story[s.laid - 2]
    open_left = 0
    if f.joker[left] and (f.lasts == 0 or s.said[s.laid - 2] == 0):
        open_left = 1
    both = open_left * f.joker[s.card] * (1 - f.lasts)
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
        if f.always_same or (own and both):
            wanted = 1 if colour == 0 else 0
        elif (own and f.lasts) or colour == other:
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


@kernel
def events(s: Record, f: Record, moves: Row) -> int:
    """Any of the cards to be applied next, or none of them where that is allowed."""
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


@kernel
def givers(s: Record, moves: Row) -> int:
    """Any other player who has sone."""
    number = 0
    for seat in range(s.players):
        if seat != s.seat and s.sone[seat] > 0:
            moves[number] = Move.TAKE + seat
            number += 1
    return number


@kernel
def kept(s: Record, f: Record, moves: Row) -> int:
    """Any card of the colour of which one stays."""
    number = 0
    at = next_of_colour(s, f, 0)
    while at < s.held[s.seat]:
        moves[number] = Move.KEEP + s.hand[s.seat * f.cards + at]
        number += 1
        at = next_of_colour(s, f, at + 1)
    return number


@kernel
def recipients(s: Record, moves: Row, first: int) -> int:
    """Fills the row with moves, `first` and a seat, for each recipient to choose from; answers how many."""
    number = 0
    other = next_recipient(s, 0)
    while other < s.players:
        moves[number] = first + other
        number += 1
        other = next_recipient(s, other + 1)
    return number


def most(box: Box) -> int:
    """All cards of the box or all declarations, and one move more."""
    return max(len(box.cards), len(box.numbers["numbers"]) * int(box.numbers["colours"])) + 1  # type: ignore[arg-type]
