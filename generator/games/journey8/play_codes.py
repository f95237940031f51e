"""What the numbers in draft 8's states and moves stand for. Nothing here comes from the data."""

# What the seat has to choose now: the field `phase`.
TURN, EXTRA, DECLARE, DECLARE_LEFT, GIVE, TAKE, EVENT, KEEP, DONE = range(9)

# Moves. A card, a seat or a declaration is added to the number of its kind of move.
PASS = 0
STOP = 1
PLAY = 100
AS = 200
LEFT_AS = 400
GIVE_TO = 600
TAKE_FROM = 620
APPLY = 700
HOLD = 800

PER_COLOUR = 32
"""A declaration is the place of its colour times this, and the place of its number."""

MOST_CARDS, MOST_COLOURS, MOST_NUMBERS = 60, 6, 32
"""What fits into the numbers of moves, and into the bits of a whole number."""

# How hand numbers count: the field `mode`.
NORMAL, REVERSE, IGNORED = range(3)
MODE_NAMES = ("normal", "reverse", "ignored")

# Operations of effects.
GAIN, DROP, TURN_OVER, TURN_BACK, GIVE_AWAY, TAKE_ONE, TAKE_EACH, ALL_GAIN, DISCARD = range(9)
OPERATIONS = {
    "gain": GAIN,
    "drop": DROP,
    "turn": TURN_OVER,
    "turn_back": TURN_BACK,
    "give": GIVE_AWAY,
    "take_one": TAKE_ONE,
    "take_each": TAKE_EACH,
    "all_gain": ALL_GAIN,
    "discard_this": DISCARD,
}

# The two sides of a counter.
SONE, COHERENCE = range(2)
SIDES = {"sone": SONE, "coherence": COHERENCE}

# Whether a card may be passed over: the fact `passing`.
FREE, FORBIDDEN, LIMITED = range(3)
PASSING = {"free": FREE, "forbidden": FORBIDDEN, "hand_limit": LIMITED}

# In which order held events are applied: the fact `event_order`.
FROM_START, FROM_NEXT, BY_NUMBER = range(3)
EVENT_ORDER = {"from_start": FROM_START, "from_next": FROM_NEXT, "by_number": BY_NUMBER}

# Which cards of a hand are thrown away after the events: the fact `pair_discard`.
NO_PAIRS, BY_NUMBERS, BY_COLOURS = range(3)
PAIR_DISCARD = {"off": NO_PAIRS, "number": BY_NUMBERS, "colour": BY_COLOURS}

# Laws, by their places in `laws`, from 1.
LAWS = (
    "C8-CONS-CARD",
    "C8-CONS-COUNTER",
    "C8-RISES",
    "C8-NONNEG",
    "C8-ONE-EXTRA",
    "C8-TURNS",
    "C8-DRAW",
    "C8-ROW",
)
CARDS_KEPT, COUNTERS_KEPT, RISES, NOT_NEGATIVE, ONE_EXTRA, TURNS, DRAWN, ROW = range(1, 9)
