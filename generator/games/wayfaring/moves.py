"""Names for all that a wayfaring table tells apart by whole numbers: moves, zones, operations, moments, endings."""

from generator.games.engine.codes import codes

MOST_PLAYERS = 4
"""Rows have room for so many seats, whoever plays."""

ARGUMENT = 255
"""The bits of a move that say with what: a design of the deck, an entry (a card that can lie in areas), or a seat."""

SEAT_SHIFT, TROUBLE_DESIGN = 6, 63
"""A trouble goes on the path of a seat, which stands above so many bits of the argument; the design is in these."""


@codes
class Move:
    """What is done. With PLACE and those after it something is added: see ARGUMENT."""

    DONE, DECLINE, PASS, GO, SKIP = range(5)
    PLACE, TROUBLE, RECRUIT, CURSE, USE, PLAY = range(1 << 8, 7 << 8, 1 << 8)
    THROW, SET, TAKE, RECALL, DISMISS, JOIN, LEAVE, TARGET, BURY = range(7 << 8, 16 << 8, 1 << 8)


@codes
class Chance:
    """What chances are drawn for: the order of the deck and of the character deck, each time that they are mixed."""

    DECK, CHARACTERS = 0, 1


@codes
class Zone:
    """Where a card lies. To HAND, UP (of a path), DOWN and AREA a seat is added."""

    DECK, DISCARDS, DISPLAY, CHARACTERS, STACK = range(1, 6)
    HAND, UP, DOWN, AREA = 10, 20, 30, 40


@codes
class Op:
    """Operations of effects, costs and conditions, by their names in the data; END closes a list of them.

    Those up to SKIP_MAIN2 need no choice, those from VISITED on are conditions.
    """

    END, VITALITY, MARK, APPEAR, NEGATE, SKIP_MAIN2 = range(6)
    FATIGUE, DISCARD, PLACE, MOVE, BURY, RECALL, DISMISS, JOIN, LEAVE, RECOVER = range(6, 16)
    VISITED, TERRAIN, TROUBLES, COMPANIONS, CURSED, HAND_MAX = range(16, 22)


@codes
class Stage:
    """Moments of a turn, in their order: what comes next once nothing is pending."""

    DRAW, MAIN_1, MOVE, MOVED, MAIN_2, END_CURSES, END_HAND, END_REFILL = range(8)


@codes
class Wait:
    """What the seat is to choose: an action of a main phase, an answer, moving or passing, what an effect asks."""

    MAIN, ANSWER, MOVE, STEP = range(4)


@codes
class Item:
    """What is declared and waits for answers. OWN is an ability for the own turn, ABILITY one to intervene with."""

    RECRUIT, CARD, ABILITY, OWN, MOVE, PLACED = range(1, 7)


@codes
class Then:
    """What follows when all steps of an effect, cost or deed are done.

    An ability whose cost was paid is declared, a character joins, the card is discarded, that of a path has arrived.
    """

    NOTHING, ITEM, COMPANION, DISCARDED, ARRIVED = range(5)


@codes
class Ending:
    """How the game ended."""

    MEMORIES, RECALL, LASTING, FAINTING_LAST, TURNS = range(1, 6)


@codes
class Out:
    """Why a seat is out."""

    PASSED, EMPTY_HAND = 1, 2


@codes
class Gap:
    """Where the rules are silent, by the place in RULES.holes, from 1."""

    EMPTY_DECK, NO_END = 1, 2


LAWS = (
    *("TC-20", "TC-21", "TC-22", "TC-23", "TC-24", "TC-25", "TC-26"),
    *("TC-28", "TC-29", "TC-30", "TC-31", "TC-32", "TC-35", "TC-36"),
)
"""The data's checks that games decide."""


@codes
class Law:
    """The laws by their places in LAWS, from 1."""

    CARDS, PATHS, PLACED, LIMITS, DEAL, DRAWN, OUT = range(1, 8)
    RESHUFFLES, END, WINNERS, OUT_EMPTY, STACK, HANDS, MEMORIES = range(8, 15)
