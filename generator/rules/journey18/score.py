"""What a state of journey18 is worth: points, a value for bots, laws of play, keys and bounds for a search of wins."""

from generator.rules.engine.kernel import Record, Row, kernel
from generator.rules.journey18.state import NONE, SUIT_BITS, Law, Op, Phase, Result, Supply, pawn_days


@kernel
def points_now(s: Record, f: Record) -> int:
    """Return the points of the trip if it ended in a win now."""
    # The points for locations whose events all show one key icon.
    total = 0
    for day in range(f.last):
        number = s.ncolumn[day]
        if number == 0 or number < f.least[s.place[day]]:
            continue
        start = day * f.rows
        agree = 1
        for i in range(start + 1, start + number):
            if f.key[s.column[i]] != f.key[s.column[start]]:
                agree = 0
        if agree == 1:
            total += f.single_points if number == 1 else f.key_points
    return s.ndeck * f.deck_points + s.letters * f.letter_points + total - f.penalty


@kernel
def score(s: Record, f: Record, points: Row) -> None:
    """Fill in the present points; a failed trip has none."""
    points[0] = 0 if s.result == Result.LOST else points_now(s, f)


@kernel
def rank_seats(s: Record, f: Record, places: Row) -> None:
    """Fill in the place: first for a trip that reached its end, second for any other."""
    places[0] = 1 if s.result == Result.WON else 2


# It reads what lies open and how many cards the deck has. The weights were found by trying: thousands of games by a bot
# that looks ahead, keeping each change that made it win more often.

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
    """Return the value of the state: solved stories, then the distance to the next ones, or to the end."""
    if s.result == Result.WON:
        return REACHED + 100 * points_now(s, f)
    solved: int = f.letters - s.on_stories
    if s.result == Result.LOST:
        return 1000 * solved - REACHED
    if s.solved == f.stories:
        return STORY * solved + value_homecoming(s, f)
    off = (pawn_days(s, f) - 3 * f.last) % f.days
    rest: int = DECK * s.ndeck + LETTER * s.letters + (BALANCED if off == 0 else 0)
    return STORY * solved + rest + stories_near(s, f)


@kernel
def value_homecoming(s: Record, f: Record) -> int:
    """Return the value of the rest of the trip after all stories are solved."""
    total: int = DECK_END * s.ndeck + LETTER_END * s.letters
    for which in range(2):
        if s.black[which] == f.last:
            total += HOME
    off = (pawn_days(s, f) - 3 * f.last) % f.days
    if off == 0:
        total += BALANCED_END
    elif s.letters > 0 and (off == s.letters or off == f.days - s.letters):
        total += MENDABLE
    if s.phase == Phase.CARD and s.black[1] == f.last:
        for i in range(s.nhand):
            far = f.number[s.hand[i]]
            if s.white + far == f.last and (s.black[0] + f.move_total - far) % f.days == f.last:
                total += ONE_MORE
    return total


@kernel
def stories_near(s: Record, f: Record) -> int:
    """Return how near the unsolved stories are to be solved, valued by the events of each suit in place and in hand."""
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
        near = value_nearness(
            s, of_suit(white, suit), of_suit(earlier, suit), of_suit(later, suit), of_suit(held, suit)
        )
        total += EVERY * near // 100
        second = max(second, min(best, near))
        best = max(best, near)
    return total + best + SECOND * second // 100


@kernel
def of_suit(marks: int, suit: int) -> int:
    """Return the count of events of a suit in `marks`, a number that packs the counts of all suits."""
    return (marks >> (SUIT_BITS * suit)) & ((1 << SUIT_BITS) - 1)


@kernel
def marks_at(s: Record, f: Record, day: int) -> int:
    """Return the counts of events at a day's location by suit, packed for `of_suit`."""
    total = 0
    for i in range(day * f.rows, day * f.rows + s.ncolumn[day]):
        total += f.mark[s.column[i]]
    return total


@kernel
def value_nearness(s: Record, white: int, earlier: int, later: int, held: int) -> int:
    """Return the value of the pawns' places for a suit, given its events at each pawn's place and `held` in hand."""
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


# Laws of play


@kernel
def find_broken_law(s: Record, f: Record) -> int:
    """Return the number of the first law (see Law) that does not hold, or 0 if all hold."""
    law = find_lost_pieces(s, f)
    if law > 0:
        return law
    if s.drift != 0:
        return Law.RESIDUE
    for day in range(f.days):
        if s.ncolumn[day] > f.room[s.place[day]] or (day == f.last and s.ncolumn[day] > 0):
            return Law.OVERFULL
    if s.over == 0:
        if s.nhand != f.hand + s.held + (f.draw if s.phase == Phase.CARD else 0):
            return Law.HAND_SIZE
        # All other choices can be declined, or have pawns that can move.
        if s.nhand == 0 and s.phase in (Phase.CARD, Phase.RETURN):
            return Law.NO_CHOICE
    if s.solves > 1 and f.solve_per_turn_1:
        return Law.SOLVED_TWICE
    if s.result == Result.WON:
        within = s.turn >= f.fewest_turns and s.loops >= f.fewest_loops and points_now(s, f) <= f.most_points
        return 0 if within else Law.OUT_OF_BOUNDS
    return 0


@kernel
def find_lost_pieces(s: Record, f: Record) -> int:
    """Return the first broken law among those that count cards and letters, or 0. An empty deck may stop a draw."""
    if has_cards_apart(s, f) == 0:
        return Law.CARDS_LOST
    solved = 0
    for suit in range(f.suits):
        solved += (s.solved >> suit) & 1
    if s.on_stories + s.letters + s.spent != f.letters or s.on_stories + solved != f.letters:
        return Law.LETTERS_LOST
    kept = 0 if f.tent == 1 else s.loops * f.loop_cost
    if s.result != Result.LOST and s.ndeck != f.events - f.hand - s.turn * f.draw - kept + s.adventures - s.held:
        return Law.DECK_COUNT
    if s.result != Result.LOST and s.nthrown != s.sevens + s.overflows + kept - s.adventures:
        return Law.DISCARD_COUNT
    return 0


@kernel
def has_cards_apart(s: Record, f: Record) -> int:
    """Return 1 if every event is in exactly one place, else 0."""
    seen = 0
    number = s.ndeck + s.nhand + s.nthrown
    for i in range(s.ndeck):
        seen |= 1 << s.deck[i]
    for i in range(s.nhand):
        seen |= 1 << s.hand[i]
    for card in range(f.events):
        if s.thrown[card] == 1:
            seen |= 1 << card
    if s.playing != NONE:
        seen |= 1 << s.playing
        number += 1
    for day in range(f.days):
        number += s.ncolumn[day]
        for i in range(day * f.rows, day * f.rows + s.ncolumn[day]):
            seen |= 1 << s.column[i]
    return 1 if number == f.events and seen == (1 << f.events) - 1 else 0


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    """Fill `taken`, by Supply, with the numbers of events off the deck and of letters off their stories."""
    taken[Supply.EVENTS] = f.events - s.ndeck
    taken[Supply.LETTERS] = f.letters - s.on_stories


# A search of wins

CARD_BITS = 6
CARDS_A_NUMBER = 10
"""The number of cards packed into a number; 0 is no card."""


@kernel
def fill_key(s: Record, f: Record, keys: Row) -> int:
    """Fill in the cards in their order, pawns, stories, letters, and the progress of the turn.

    Fields that only count or record the past are left out, and so are those that the phase doesn't read. Events in no
    other zone are discarded.
    """
    number: int = (f.last * f.rows + f.events) // CARDS_A_NUMBER + 1
    for i in range(number + 9):
        keys[i] = 0
    at = 0
    for day in range(f.last):
        for row in range(f.rows):
            card = s.column[day * f.rows + row] + 1 if row < s.ncolumn[day] else 0
            keys[at // CARDS_A_NUMBER] = keys[at // CARDS_A_NUMBER] << CARD_BITS | card
            at += 1
    for i in range(f.events):
        card = s.deck[i] + 1 if i < s.ndeck else 0
        keys[at // CARDS_A_NUMBER] = keys[at // CARDS_A_NUMBER] << CARD_BITS | card
        at += 1
    for i in range(s.nhand):
        keys[number] |= 1 << s.hand[i]
    stands = (s.phase * 16 + s.white) * 16 + s.black[0]
    stands = (((stands * 16 + s.black[1]) << f.suits) | s.solved) * 64 + s.letters
    stands = stands * 64 + s.playing + 1
    stands = stands * 2 + (s.may_solve if s.phase == Phase.SOLVE else 0)
    keys[number + 1] = stands * 64 + s.power
    if Phase.STEP <= s.phase <= Phase.BRING:
        # Events still due, effects used, and the progress of the present effect
        for i in range(s.next, s.ntodo):
            half = number + 2 + (i - s.next) // CARDS_A_NUMBER
            keys[half] = keys[half] << CARD_BITS | (s.todo[i] + 1)
        keys[number + 4] = s.fired
        keys[number + 5] = ((s.source * 64 + s.job) * 64 + s.line) * 64 + s.left
        for card in range(f.events):
            if f.green_source_unused_only and s.used[card] == s.turn:
                keys[number + 6] |= 1 << card
            if f.green_copies_green_chain and s.copied[card] == s.turn:
                keys[number + 7] |= 1 << card
    return number + 8


@kernel
def is_hopeless(s: Record, f: Record) -> int:
    """Return 1 if the cards left can't be enough for the stories and the way to the last day.

    The estimate is a lower bound: it ignores the order of cards, and assumes each card in hand when it is needed.
    """
    if s.over == 1 or f.giving == 1:
        return 0
    unsolved: int = f.suits - f.letters + s.on_stories
    recalls: int = (s.letters + s.on_stories) // f.memory_cost
    moved = 1 if s.phase == Phase.BLACK else 0
    lands = 1 if moved == 1 and s.white < f.last else 0
    to_place = 0
    missing = 0
    way = 0
    for suit in range(f.suits):
        if (s.solved >> suit) & 1:
            continue
        placed = 0
        left = 0
        for card in range(f.events):
            if f.suit[card] == suit:
                if s.at[card] != NONE or (lands == 1 and s.playing == card):
                    placed += 1
                elif s.thrown[card] == 0 and (moved == 0 or s.playing != card):
                    left += 1
        missing += max(0, PAWNS - placed - left)
        if placed < PAWNS:
            to_place += PAWNS - placed
            way += find_nearest(s, f, suit, PAWNS - placed, lands)
    if unsolved == 0:
        return 1 if s.letters < f.memory_cost and is_stuck(s, f) == 1 else 0
    # The last story's letter comes when no event is wanted any more.
    if missing * f.memory_cost >= s.letters + s.on_stories and missing > 0:
        return 1
    # `to_place` doesn't count a card that is being placed: that takes no further draw, nor any way of the white pawn.
    now = 1 if s.phase in (Phase.CARD, Phase.LOOP) else 0
    may_solve = 1 if Phase.CARD <= s.phase <= Phase.SOLVE else 0
    solves = 1 if f.solve_per_turn_many_sequential else unsolved
    turns = max(to_place - now, solves - may_solve, 0) + 1
    # The white pawn stands on day `white + 1`; its way ends on the last day, after whole rounds.
    loops = max(0, -(-(s.white + way + 1 - f.last) // f.days))
    room = max(0, f.last - 1 - s.white)
    if to_place > room:
        loops = max(loops, -(-(to_place - room) // f.last))
    if s.white == f.last:
        loops = max(loops, 1)
    wanted = turns * f.draw + (0 if f.tent == 1 else loops * f.loop_cost)
    # What an effect has drawn comes back to the deck.
    return 1 if wanted > s.ndeck + max(0, s.held) + recalls else 0


PAWNS = 3


@kernel
def find_nearest(s: Record, f: Record, suit: int, wanted: int, lands: int) -> int:
    """Return the least sum of numbers of `wanted` more events of a suit; `lands`: the one in play counts as placed."""
    way = 0
    for number in range(1, f.move_total + 1):
        for card in range(f.events):
            lies = s.at[card] == NONE and (lands == 0 or s.playing != card)
            if wanted > 0 and f.suit[card] == suit and f.number[card] == number and lies:
                way += number
                wanted -= 1
    return way


@kernel
def is_stuck(s: Record, f: Record) -> int:
    """Return 1 if all stories are solved, no letter is left, and the pawns' days can't add up to the sum at the end.

    A move changes that sum by whole rounds only, if pawns together go as many days as a week has. Only an event that is
    not discarded moves a black pawn otherwise.
    """
    if f.move_total % f.days != 0 or (pawn_days(s, f) - PAWNS * f.last) % f.days == 0 or s.phase == Phase.BLACK:
        return 0
    for card in range(f.events):
        if s.thrown[card] == 0:
            line = 0
            while f.op[card][line] != Op.END:
                if f.op[card][line] in (Op.STEP_BLACK, Op.BRING_BLACK):
                    return 0
                line += 1
    return 1
