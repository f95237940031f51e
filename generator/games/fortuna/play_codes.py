"""The integers by which Fortuna's kernels know moves, phases, laws and holes."""

# Moves. Each begins a range: a card, a number or a pile is added.
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

MOST_CARDS = 500
"""More cards than this would not fit the ranges above."""

# Phases: which moves are expected. In the first two and the last, nobody has a choice.
AT_DRAW, AT_REFILL, AT_ACTION, AT_CARDS, AT_FILL, AT_DISCARD, AT_DECLARE, AT_FROM, AT_TO, AT_AMOUNT, AT_END = range(11)

# What a turn was used for.
PASSED, PLAYED = 1, 2

# What happens once the End pile is empty.
FINISH_TURN, IMMEDIATE, FAILED_DRAW = range(3)

LAWS = ("FC-20", "FC-21", "FC-22", "FC-23", "FC-25", "FC-26", "FC-27", "FC-28", "FC-29", "FC-31", "FC-32")
CARDS_LOST, NO_PASS, PASS_HAND, PLAY_HAND, WHEEL_ONLY, LATE_REFILL, TURNS, END_LEFT, LENGTH, SCORE, TWICE = range(1, 12)
"""Laws by their place in LAWS, from 1."""

NOTHING_TO_DRAW, EMPTY_HAND = 1, 2
"""Holes by their place in RULES.holes, from 1."""

ICON_BITS = 8
ICON_MASK = 255
"""Icons of a set are tallied in one integer, so many bits for each."""
