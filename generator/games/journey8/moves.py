"""The names of what draft 8's kernels know by numbers: moves, phases, modes, operations, readings, laws."""

from generator.games.engine.codes import codes, reading

PER_COLOUR = 32
"""A declaration is the place of its colour times this, and the place of its number."""

MOST_CARDS, MOST_COLOURS, MOST_NUMBERS = 60, 6, 32
"""What fits into the numbers of moves, and into the bits of a whole number."""


@codes
class Chance:
    """What chances are drawn for: the order of the deck."""

    DECK = 0


@codes
class Phase:
    """What the seat has to choose now; RUN is no choice: the kernels go on."""

    TURN, EXTRA, DECLARE, DECLARE_LEFT, GIVE, TAKE, EVENT, KEEP, DONE = range(9)
    RUN = -1


@codes
class Move:
    """Moves. To PLAY and those after it a card, a declaration or a seat is added."""

    PASS = 0
    STOP = 1
    PLAY = 100
    """+ card: lay it at the end of the story."""
    AS = 200
    """+ declaration: the joker that is played is this."""
    LEFT_AS = 400
    """+ declaration: the joker on its left is this."""
    GIVE = 600
    """+ seat: one sone to it."""
    TAKE = 620
    """+ seat: sone from it."""
    EVENT = 700
    """+ card: apply its effect."""
    KEEP = 800
    """+ card: of its colour, this one stays."""


@codes
class Mode:
    """How hand numbers count."""

    NORMAL, REVERSE, IGNORED = range(3)


@codes
class Op:
    """Operations of effects, by their names in the data."""

    GAIN, DROP, TURN, TURN_BACK, GIVE, TAKE_ONE, TAKE_EACH, ALL_GAIN, DISCARD_THIS = range(9)


@codes
class Side:
    """The two sides of a counter."""

    SONE, COHERENCE = range(2)


@reading("pass")
class Passing:
    """Whether a player may go without playing a card."""

    FREE, FORBIDDEN, HAND_LIMIT = range(3)


@reading("event_order")
class EventOrder:
    """In which order the events of all hands are applied."""

    FROM_START, FROM_NEXT, BY_NUMBER = range(3)


@reading("pair_discard")
class PairDiscard:
    """Which cards of a hand are thrown away after the events."""

    OFF, NUMBER, COLOUR = range(3)


LAWS = (
    *("C8-CONS-CARD", "C8-CONS-COUNTER", "C8-RISES", "C8-NONNEG"),
    *("C8-ONE-EXTRA", "C8-TURNS", "C8-DRAW", "C8-ROW"),
)
"""The data's checks that games decide."""


@codes
class Law:
    """The laws by their places in LAWS, from 1."""

    CARDS, COUNTERS, RISES, NOT_NEGATIVE, ONE_EXTRA, TURNS, DRAWN, ROW = range(1, 9)
