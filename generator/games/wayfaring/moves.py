"""Names for all that a wayfaring table tells apart by whole numbers: zones, moves, operations, moments, endings."""

MOST_PLAYERS = 4
"""Rows have room for so many seats, whoever plays."""

# Where a card lies (`s.at`). To HAND, UP (of a path), DOWN and AREA a seat is added.
DECK, DISCARDS, DISPLAY, CHARACTERS, STACK = range(1, 6)
HAND, UP, DOWN, AREA = 10, 20, 30, 40

# Moves that need nothing more to be said: ending a main phase, not answering, passing, moving, going without.
DONE, DECLINE, PASS, GO, SKIP = range(5)

# Kinds of moves. To each is added with what: a design of the deck, an entry (a card that can lie in an area), a seat.
ARGUMENT = 255
PLACE, TROUBLE, RECRUIT, CURSE, USE, PLAY = range(1 << 8, 7 << 8, 1 << 8)
THROW, SET, TAKE, RECALL, DISMISS, JOIN, LEAVE, TARGET, BURY = range(7 << 8, 16 << 8, 1 << 8)

# A trouble is placed with a design, and on the path of a seat: the seat stands above the bits of the design.
SEAT_SHIFT = 6
TROUBLE_DESIGN = (1 << SEAT_SHIFT) - 1

# Operations of effects, costs and conditions (`f.op`); OP_END closes a list of them. Those up to OP_SKIP_MAIN2 need no
# choice, those from OP_VISITED on are conditions.
OP_END, OP_VITALITY, OP_MARK, OP_APPEAR, OP_NEGATE, OP_SKIP_MAIN2 = range(6)
OP_FATIGUE, OP_DISCARD, OP_PLACE, OP_MOVE, OP_BURY, OP_RECALL, OP_DISMISS, OP_JOIN, OP_LEAVE, OP_RECOVER = range(6, 16)
OP_VISITED, OP_TERRAIN, OP_TROUBLES, OP_COMPANIONS, OP_CURSED, OP_HAND_MAX = range(16, 22)
OPERATIONS = {name.removeprefix("OP_").lower(): code for name, code in globals().items() if name.startswith("OP_")}
"""By the names that operations have in the data."""

# Moments of a turn (`s.stage`), in their order: what comes next once nothing is pending.
DRAW, MAIN_1, MOVE, MOVED, MAIN_2, END_CURSES, END_HAND, END_REFILL = range(8)

# What the seat is to choose (`s.wait`): an action of a main phase, an answer, moving or passing, what an effect asks.
WAIT_MAIN, WAIT_ANSWER, WAIT_MOVE, WAIT_STEP = range(4)

# What is declared and waits for answers (`s.item_what`): recruiting, an intervention card, an ability of timing
# Intervention, one for the own turn, the move, and what was placed.
ITEM_RECRUIT, ITEM_CARD, ITEM_ABILITY, ITEM_OWN, ITEM_MOVE, ITEM_PLACED = range(1, 7)

# What follows when all steps of an effect, cost or deed are done (`s.frame_then`): an ability whose cost was paid
# is declared, a character joins, the card is discarded, the card of a path has taken effect.
THEN_NOTHING, THEN_ITEM, THEN_COMPANION, THEN_DISCARDED, THEN_ARRIVED = range(5)

# How the game ended (`s.ending`).
BY_MEMORIES, BY_RECALL, BY_LASTING, BY_FAINTING_LAST, BY_TURNS = range(1, 6)

# Why a seat is out (`s.out`).
BY_PASS, BY_HAND = 1, 2

# Holes in the rules (`s.hole`).
HOLE_EMPTY_DECK, HOLE_TURNS = 1, 2
