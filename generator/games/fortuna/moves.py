"""The names of what Fortuna's kernels know by numbers: moves, phases, readings, laws."""

from generator.games.engine.codes import codes, reading

MOST_CARDS = 500
"""More cards than this would not fit the ranges of moves."""


@codes
class Move:
    """Each begins a range: a card, a number or a pile is added."""

    PASS = 0
    """+ card: pass, and discard it."""
    PLAY = 1000
    """+ number: begin a set of it."""
    ALL_IN = 1500
    """+ number: play the whole hand as a set of it, which discards fill up."""
    CARD = 2000
    """+ card: it belongs to the set."""
    DONE = 3000
    """The set of 0 is as large as it shall be."""
    DISCARD = 4000
    """+ card: discard it after a one-card set."""
    DECLARE = 5000
    """+ pile: the discarded card counts for it."""
    FILL = 6000
    """+ pile: its top card fills up the All-in set, face down."""
    STAY = 7000
    """Leave the discards where they are."""
    FROM = 7001
    """+ pile: the Wheel of Fortune moves its top cards ..."""
    TO = 8000
    """+ pile: ... to this one ..."""
    AMOUNT = 9000
    """+ number: ... so many of them."""


@codes
class Chance:
    """What chances are drawn for: the order of the deck, which discards fill up an All-in set."""

    DECK, FILL = 0, 1


@codes
class Phase:
    """Which moves are expected. In the first two and the last, nobody has a choice."""

    DRAW, REFILL, ACTION, CARDS, FILL, DISCARD, DECLARE, FROM, TO, AMOUNT, END = range(11)


@codes
class Use:
    """What a turn was used for."""

    PASSED, PLAYED = 1, 2


@codes
class Law:
    """The laws of play by their place in LAWS, from 1."""

    CARDS_LOST, NO_PASS, PASS_HAND, PLAY_HAND, WHEEL_ONLY, LATE_REFILL = 1, 2, 3, 4, 5, 6
    TURNS, END_LEFT, LENGTH, SCORE, TWICE = 7, 8, 9, 10, 11


LAWS = ("FC-20", "FC-21", "FC-22", "FC-23", "FC-25", "FC-26", "FC-27", "FC-28", "FC-29", "FC-31", "FC-32")
"""The data's checks that games decide."""


@codes
class Gap:
    """Where the rules are silent, by the place in RULES.holes, from 1."""

    NOTHING_TO_DRAW, EMPTY_HAND = 1, 2


# The readings that have more choices than yes and no.


@reading("same_number_scope")
class SameNumberScope:
    """Whose sets bar another of the same number."""

    PLAYER, TABLE = 0, 1


@reading("discard_key")
class DiscardKey:
    """The pile that a discard goes to: of its printed number, or of one that it may count as."""

    PRINTED, DECLARED = 0, 1


@reading("wheel_trigger")
class WheelTrigger:
    """Which discards can turn the Wheel of Fortune."""

    PASS_ONLY, ANY_DISCARD = 0, 1


@reading("wheel_condition")
class WheelCondition:
    """How a pile's number and cards compare with the total that turns the Wheel."""

    EXACT, AT_LEAST = 0, 1


@reading("wheel_destination")
class WheelDestination:
    """Where the Wheel may not move cards to."""

    NOT_SOURCE, NOT_SOURCE_NOT_DISCARDED = 0, 1


@reading("allin_source")
class AllInSource:
    """Who says which discards fill up an All-in set."""

    PLAYER_CHOICE, RANDOM = 0, 1


@reading("face_down_icons")
class FaceDownIcons:
    """Whether icons that lie face down in a set count."""

    NONE, COUNT = 0, 1


@reading("refill_counts")
class RefillCounts:
    """What a refill goes by."""

    HAND_CARDS, SET_SIZE = 0, 1


@reading("refill_in_progress")
class RefillInProgress:
    """What becomes of a refill that pulls the end trigger."""

    COMPLETE, STOP = 0, 1


@reading("end_pile_exhausted")
class EndPileExhausted:
    """What happens once the End pile is empty."""

    FINISH_TURN, IMMEDIATE, ON_FAILED_DRAW = 0, 1, 2


READINGS = (
    *(SameNumberScope, DiscardKey, WheelTrigger, WheelCondition, WheelDestination, AllInSource, FaceDownIcons),
    *(RefillCounts, RefillInProgress, EndPileExhausted),
)
