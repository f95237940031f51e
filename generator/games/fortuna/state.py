"""What the state of a game of Fortuna holds.

Cards in piles and sets are chained: each has its uppermost card plus 1 (0 for none), and `under` the next below it.
"""

from generator.games.engine.state import State, row
from generator.games.fortuna.moves import Chance

STATE = State(
    chances=Chance,
    phase="which moves are expected: a Phase",
    # where the cards are
    main_n="how many cards the main deck has",
    end_n="how many cards the End pile has",
    discards="how many cards all piles have",
    laid="how many cards all sets have",
    main=row("the main deck, its top last", "cards"),
    end=row("the End pile, its top last", "end_room"),
    under=row("of each card the next below it plus 1", "cards"),
    hand=row("the cards of a seat from seat * width on, ascending", "seats", "width"),
    hand_n=row("how many cards each seat holds", "seats"),
    top=row("the uppermost card plus 1 of each pile", "numbers"),
    count=row("how many cards each pile has", "numbers"),
    up=row("the uppermost face-up card plus 1 of the sets of a seat, from seat * numbers on", "seats", "numbers"),
    down=row("the uppermost face-down card plus 1 of them", "seats", "numbers"),
    owned=row("a bit for each number of which the seat has played a set", "seats"),
    sets=row("how many sets each seat has", "seats"),
    points=row("the points of each seat's sets", "seats"),
    # the end trigger
    trigger="the turn in which it was pulled, 0 before",
    by_refill="1 if a refill pulled it",
    first_end="how many End cards that turn took",
    # the turn that was played last
    before=row("how many cards each seat held before the draw of its turn", "seats"),
    kind="what it was used for: a Use",
    used="how many hand cards its set took",
    size="how many cards its set has",
    closed="1 if the end trigger barred its refill",
    pile="the pile of the last discard",
    wheeled="1 if that turned the Wheel of Fortune",
    # the choice at hand
    set_number="the number of the set that is being laid out",
    tally="how often it shows each icon, packed as in `score.icon_of`",
    last="the card that was picked last for it plus 1",
    need="how many cards are to fill up an All-in set",
    least="the first pile that they may still come from",
    left="how many cards are to be discarded",
    held="the card plus 1 that is being discarded and has no pile yet",
    source="the pile that the Wheel takes cards from",
    target="the pile that it takes them to",
)
