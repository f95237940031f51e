"""How good a state of journey18 looks: the measure that bots go by.

It reads what lies open and how many cards the deck has. The weights were found by trying: thousands of games by a bot
that looks ahead, keeping each change that made it win more often.
"""

from generator.games.engine.kernel import Record, kernel
from generator.games.journey18.moves import NONE, Result, Step
from generator.games.journey18.pieces import pawn_days
from generator.games.journey18.score import points_now

REACHED = 10_000_000  # outweighs everything else
STORY = 10_000

# While stories are left
DECK = 70
LETTER = 325
BALANCED = 80  # the pawns' days add up to what the end takes
PLACED_1, PLACED_2, PLACED_3, PLACED_MORE = 60, 500, 900, 500  # events of an unsolved suit at locations
DISCARDED = 165  # each event of an unsolved suit that then is too few
MET = 63  # pawns that stand at an event of the suit
BLACK_MET = 16  # black ones among them
HELD = 38  # events of the suit in hand
BLACKS_READY, HELD_READY = 160, 160  # both black pawns stand at events of the suit; and each event of it in hand
READY = 4740  # all pawns do
EVERY, SECOND = 75, 62  # percent of this that count for every suit and for the second best; the best counts in full

# When all are solved
HOME = 900  # a black pawn on the last day
BALANCED_END, MENDABLE = 2830, 1500  # as above; or a letter can make it so
ONE_MORE = 16_000  # a card in hand takes the last two pawns home
DECK_END, LETTER_END = 300, 5575


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    """Larger is better: stories solved, then how near the next ones are, or how near the end."""
    if s.result == Result.WON:
        return REACHED + 100 * points_now(s, f)
    solved: int = f.letters - s.on_stories
    if s.result == Result.LOST:
        return 1000 * solved - REACHED
    if s.solved == f.stories:
        return STORY * solved + homecoming(s, f)
    off = (pawn_days(s, f) - 3 * f.last) % f.days
    rest: int = DECK * s.ndeck + LETTER * s.letters + (BALANCED if off == 0 else 0)
    return STORY * solved + rest + stories_near(s, f)


@kernel
def homecoming(s: Record, f: Record) -> int:
    """What is left to do when all stories are solved."""
    total: int = DECK_END * s.ndeck + LETTER_END * s.letters
    for which in range(2):
        if s.black[which] == f.last:
            total += HOME
    off = (pawn_days(s, f) - 3 * f.last) % f.days
    if off == 0:
        total += BALANCED_END
    elif s.letters > 0 and (off == s.letters or off == f.days - s.letters):
        total += MENDABLE
    if s.step == Step.CARD and s.black[1] == f.last:
        for i in range(s.nhand):
            far = f.number[s.hand[i]]
            if s.white + far == f.last and (s.black[0] + f.move_total - far) % f.days == f.last:
                total += ONE_MORE
    return total


@kernel
def stories_near(s: Record, f: Record) -> int:
    """How near unsolved stories are, by the events of each suit: packed, see `of_suit`."""
    placed = 0
    gone = 0
    for card in range(f.events):
        if s.at[card] != NONE:
            placed += f.mark[card]
        elif s.thrown[card] == 1:
            gone += f.mark[card]
    held = 0
    for i in range(s.nhand):
        held += f.mark[s.hand[i]]
    white = marks_at(s, f, s.white)
    earlier = marks_at(s, f, s.black[0])
    later = marks_at(s, f, s.black[1])
    total = 0
    best = 0
    second = 0
    for suit in range(f.suits):
        if (s.solved >> suit) & 1:
            continue
        number = of_suit(placed, suit)
        total += (
            PLACED_MORE if number > 3 else PLACED_3 if number == 3 else PLACED_2 if number == 2 else PLACED_1 * number
        )
        total -= DISCARDED * max(0, of_suit(gone, suit) - f.spare)
        near = nearness(s, of_suit(white, suit), of_suit(earlier, suit), of_suit(later, suit), of_suit(held, suit))
        total += EVERY * near // 100
        second = max(second, min(best, near))
        best = max(best, near)
    return total + best + SECOND * second // 100


SUIT_BITS = 6
SUIT_MASK = 63
"""Events are counted by suit in one integer, so many bits for each: `f.mark` has a 1 at an event's suit."""


@kernel
def of_suit(marks: int, suit: int) -> int:
    """How many events of a suit are counted."""
    return (marks >> (SUIT_BITS * suit)) & SUIT_MASK


@kernel
def marks_at(s: Record, f: Record, day: int) -> int:
    """The events at a location, by suit."""
    total = 0
    for i in range(day * f.rows, day * f.rows + s.ncolumn[day]):
        total += f.mark[s.column[i]]
    return total


@kernel
def nearness(s: Record, white: int, earlier: int, later: int, held: int) -> int:
    """How well the pawns stand for a suit with so many events where each of them stands, and so many in hand."""
    if s.black[0] == s.black[1]:
        blacks = min(2, earlier)
        pawns = min(3, white) if s.white == s.black[0] else blacks + min(1, white)
    else:
        blacks = min(1, earlier) + min(1, later)
        if s.white == s.black[0]:
            pawns = min(2, white) + min(1, later)
        elif s.white == s.black[1]:
            pawns = min(2, white) + min(1, earlier)
        else:
            pawns = blacks + min(1, white)
    total = MET * pawns + BLACK_MET * blacks + HELD * held
    if blacks == 2:
        total += BLACKS_READY + HELD_READY * held
    return total + READY if pawns == 3 else total
