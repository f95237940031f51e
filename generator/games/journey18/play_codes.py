"""What numbers stand for in journey18's states and moves: steps of a turn, operations of effects, kinds of moves."""

# Steps of a turn, `s.step`. Those marked * wait for a choice if there is one to make; the others run by themselves.
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

# Operations of effects; a row of them ends with 0.
STEP_BLACK = 1
SWAP_EVENTS = 2
DRAW_CARDS = 3
RETURN_CARDS = 4
COPY_NEIGHBOUR = 5
BRING_BLACK = 6

# Moves: each kind has a hundred numbers of its own for the card, suit or pair of days that it names, so that there can
# be no more than a hundred cards and ten days.
PASS = 0  # use no letter, decline an effect, solve nothing
DRAW = 1
APART = 2  # the memories used together end here: the next one counts the letters anew
PLAY = 100
TOP = 200  # return a card to the top of the deck
BOTTOM = 300
COPY = 400
SOLVE_STORY = 500
MOVE_BLACK = 600  # where the black pawns then stand: 10 * one day + the other, from 0, the earlier day first
MEMORY = 700  # the same by a Location Memory
RECALL = 800  # an Adventure Memory
SWAP = 1000  # 100 * one card + the other, the lower one first

WON = 1
LOST = 2

# Places in RULES.supplies
EVENTS_SUPPLY = 0
LETTERS_SUPPLY = 1

# What `s.playing` holds when no card is in play, and a place in `s.at` that is no location's
NONE = -1
