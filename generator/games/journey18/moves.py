"""The names of what journey18's kernels know by numbers: moves, steps of a turn, operations, readings, laws."""

from generator.games.engine.codes import codes, reading

MOST_CARDS, MOST_DAYS = 100, 10
"""What the numbers of moves have room for."""

NONE = -1
"""What `playing` holds when no card is in play, a place in `at` that is no location's, and no neighbour."""


@codes
class Move:
    """Each kind has a hundred numbers for the card, suit or pair of days that it names: so no more cards and days."""

    PASS = 0
    """Use no letter, decline an effect, solve nothing."""
    DRAW = 1
    APART = 2
    """The memories used together end here: the next one counts the letters anew."""
    PLAY = 100
    TOP = 200
    """Return a card to the top of the deck."""
    BOTTOM = 300
    COPY = 400
    SOLVE = 500
    BLACK = 600
    """Where the black pawns then stand: see `pieces.pair`."""
    MEMORY = 700
    """The same by a Location Memory."""
    RECALL = 800
    """An Adventure Memory."""
    SWAP = 1000
    """Two cards: see `pieces.swap_of`."""


@codes
class Chance:
    """What chances are drawn for: how the locations lie, the order of the deck."""

    PLACES, DECK = 0, 1


@codes
class Step:
    """The steps of a turn. Those marked * wait for a choice if there is one to make; the others run by themselves."""

    START = 0  # * letters before the draw
    REFILL = 1
    CARD = 2  # * which card to play
    LOOP = 3  # * letters before a loop takes its card
    ADVANCE = 4  # the white pawn
    BLACK = 5  # * the black pawns
    PLACE = 6
    EVENTS = 7  # which event is next
    EFFECT = 8  # * the operations of its effect
    SOLVE = 9  # * which story, letters before that
    END = 10  # * letters after it
    CHECK = 11


@codes
class Op:
    """The operations of effects, by their names in the data; END closes a row of them."""

    END, STEP_BLACK, SWAP_EVENTS, DRAW_CARDS, RETURN_CARDS, COPY_NEIGHBOUR, BRING_BLACK = range(7)


@codes
class Side:
    """Where a neighbour of an event lies."""

    NEARER, FARTHER, DAY_BEFORE, DAY_AFTER = range(4)


@codes
class Result:
    """How the trip ended."""

    WON, LOST = 1, 2


@codes
class Supply:
    """Places in RULES.supplies."""

    EVENTS, LETTERS = 0, 1


@codes
class Law:
    """The laws of play by their place in LAWS, from 1."""

    CARDS_LOST, LETTERS_LOST, DECK_COUNT, DISCARD_COUNT, RESIDUE = 1, 2, 3, 4, 5
    OVERFULL, HAND_SIZE, NO_CHOICE, SOLVED_TWICE, OUT_OF_BOUNDS = 6, 7, 8, 9, 10


LAWS = (
    *("C18-CONS-CARD", "C18-CONS-LETTER", "C18-DECK-ID", "C18-DISCARD-ID", "C18-MOD7"),
    *("C18-CAP", "C18-HAND-SIZE", "C18-LEGAL", "C18-ONE-SOLVE", "C18-BOUND"),
)
"""The data's checks that games decide."""


# The readings that have more choices than yes and no.


@reading("suit_once")
class SuitOnce:
    """What uses up a suit's effects for the turn: one that was applied, or the first card whatever becomes of it."""

    APPLIED, FIRST_CARD_ONLY = 0, 1


@reading("yellow")
class Yellow:
    """Whether yellow's draw may be declined."""

    FORCED, OPTIONAL = 0, 1


@reading("yellow_empty")
class YellowEmpty:
    """What yellow does when the deck has no card for it."""

    LOSE, SKIP = 0, 1


@reading("blue_pair")
class BluePair:
    """Which pairs blue may swap: of one number, or of its own."""

    ANY_EQUAL, OWN_NUMBER = 0, 1


@reading("green_copies_green")
class GreenCopiesGreen:
    """Whether green may copy green, which copies on."""

    FALSE, CHAIN = 0, 1


@reading("green_source")
class GreenSource:
    """Which effects green may copy."""

    ANY, UNUSED_ONLY = 0, 1


@reading("solve")
class Solve:
    """Whether a story that can be solved must be."""

    OPTIONAL, FORCED = 0, 1


@reading("solve_per_turn")
class SolvePerTurn:
    """How many stories may be solved in a turn."""

    IS_1, MANY_SEQUENTIAL = 0, 1


@reading("letter_windows")
class LetterWindows:
    """When letters may be used."""

    ALL, TURN_START_END = 0, 1


@reading("memory_power")
class MemoryPower:
    """How far a Location Memory moves: the letters before or after its cost, or the stories solved."""

    BEFORE, AFTER, SOLVED_COUNT = 0, 1, 2


@reading("memory_multi")
class MemoryMulti:
    """Whether each of several memories counts the letters anew."""

    SEQUENTIAL, SIMULTANEOUS = 0, 1


@reading("memory_direction")
class MemoryDirection:
    """Whether a memory's steps all go one way."""

    SINGLE, PER_STEP = 0, 1


@reading("radio")
class Radio:
    """When the Radio shows the top of the deck."""

    ALWAYS, NAMED_MOMENTS = 0, 1


@reading("tent_empty")
class TentEmpty:
    """What becomes of a loop with the Tent when the deck is empty."""

    LOSE, SAFE = 0, 1


READINGS = (
    *(SuitOnce, Yellow, YellowEmpty, BluePair, GreenCopiesGreen, GreenSource, Solve, SolvePerTurn, LetterWindows),
    *(MemoryPower, MemoryMulti, MemoryDirection, Radio, TentEmpty),
)
