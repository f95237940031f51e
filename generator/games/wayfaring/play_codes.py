"""The whole numbers that the kernels of wayfaring tell things apart by: zones, moves, steps, moments of a turn."""

# Where a card lies (`s.at`). The last ones have a seat added.
DECK = 1
DISCARDS = 2
DISPLAY = 3
CHARACTERS = 4
STACK = 5
HAND = 10
UP = 20
DOWN = 30
AREA = 40

MOST_PLAYERS = 4
"""Rows have room for so many seats, whoever plays."""

# Moves: what is done, and in the lowest eight bits with what: a design of the deck, a card of the areas, or a seat.
ARGUMENT = 255
DONE = 0
DECLINE = 1
PASS = 2
GO = 3
SKIP = 4
PLACE = 1 << 8
TROUBLE = 2 << 8
RECRUIT = 3 << 8
CURSE = 4 << 8
USE = 5 << 8
PLAY = 6 << 8
THROW = 7 << 8
SET = 8 << 8
TAKE = 9 << 8
RECALL = 10 << 8
DISMISS = 11 << 8
JOIN = 12 << 8
LEAVE = 13 << 8
TARGET = 14 << 8
BURY = 15 << 8
SEAT_SHIFT = 6
"""A trouble's argument is its design with the seat above these bits."""

# Operations, by their places here (`f.op`). Those up to LAST_AT_ONCE need no choice.
OPERATIONS = (
    "", "vitality", "mark", "appear", "negate", "skip_main2",
    "fatigue", "discard", "place", "move", "bury", "recall", "dismiss", "join", "leave", "recover",
    "visited", "terrain", "troubles", "companions", "cursed", "hand_max",
)  # fmt: skip
END = 0
OP_VITALITY = 1
OP_MARK = 2
OP_APPEAR = 3
OP_NEGATE = 4
OP_SKIP_MAIN2 = 5
LAST_AT_ONCE = 5
OP_FATIGUE = 6
OP_DISCARD = 7
OP_PLACE = 8
OP_MOVE = 9
OP_BURY = 10
OP_RECALL = 11
OP_DISMISS = 12
OP_JOIN = 13
OP_LEAVE = 14
OP_RECOVER = 15
OP_VISITED = 16
OP_TERRAIN = 17
OP_TROUBLES = 18
OP_COMPANIONS = 19
OP_CURSED = 20
OP_HAND_MAX = 21

# Moments of a turn (`s.stage`): what comes next once nothing is pending.
DRAW = 0
MAIN_1 = 1
MOVE = 2
MOVED = 3
MAIN_2 = 4
END_CURSES = 5
END_HAND = 6
END_REFILL = 7

# What the seat is to choose (`s.wait`).
WAIT_MAIN = 0
WAIT_ANSWER = 1
WAIT_MOVE = 2
WAIT_STEP = 3

# Items that wait for answers (`s.item_what`).
ITEM_RECRUIT = 1
ITEM_CARD = 2
ITEM_ABILITY = 3
ITEM_OWN = 4
ITEM_MOVE = 5
ITEM_PLACED = 6

# What follows when all steps of an effect, cost or deed are done (`s.frame_then`).
THEN_NOTHING = 0
THEN_ITEM = 1
THEN_COMPANION = 2
THEN_DISCARDED = 3
THEN_ARRIVED = 4

# How the game ended (`s.ending`).
BY_MEMORIES = 1
BY_RECALL = 2
BY_LASTING = 3
BY_FAINTING_LAST = 4
BY_TURNS = 5

# Why a seat is out (`s.out`).
BY_PASS = 1
BY_HAND = 2

# Readings (`f.faint_check`, `f.resolution`): their places in SWITCHES.
AT_ONCE = 1
AT_END_OF_TURN = 2

# Holes in the rules (`s.hole`).
HOLE_EMPTY_DECK = 1
HOLE_TURNS = 2
