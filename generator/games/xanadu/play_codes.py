"""What the numbers of a game being played stand for: phases, moves, operations of skills, places in rows."""

SEATS = 5
PLACES = 10
GRADES = 3
ROWS = 3
SPACES = 8
"""Most players, places of the town, grades of goods, rows of the action board, and spaces in a row."""

# Rows of the action board, and whose piece a dispatch worker is there
FULFIL, TRANSPORT, UPGRADE = range(3)
HIRED = 5

# Rows of lids on a company board
WAREHOUSE, STRENGTH, QUALITY, WORKER, SKILL = range(5)
LID_ROWS = 5

# Phases: what the seat is to choose
COMPANY, DRAFT, PRE, GAIN, ACT, PAY, NORMALS, FINES, SUPERBS, LOAD = range(10)
SHIFT, STEPS, SEARCH, TURN_UP, OFFER, GROW, OFFICE, NAME, DROP, ENDED = range(10, 20)

# Phases in which nobody chooses: what `apply` goes on with
RESUME, TURN_OVER, ROUND_OVER, REFRESH, PAID, COUNTED = range(20, 26)

# Moves. One number means the same in every state; what follows is added to it.
PICK_COMPANY = 0  # + company
KEEP = 10  # + skill
PLACE = 100  # + row
DISPATCH = 104  # + row
PASS = 108
END = 109
RESEARCH = 110  # + slot of the Market
USE = 140  # + skill
DECLINE = 180
WASTE = 181
DAILY = 182
FACE_UP = 185  # + place in the Daily row, the Daily card after the requests
PUT = 200  # + place: a resource that was gained
FULFILLING = 300  # + place * SOURCES + source: a slot of the Market, or ROW_SOURCE + place in the Daily row
SOURCES = 24
ROW_SOURCE = 20
CARRY = 600  # + from * PLACES + to
IMPROVE = 700  # + place * GRADES + grade
LID = 800  # + row of lids
SKILL_LID = 810  # + skill
OPEN_OFFICE = 850  # + place
START = 870  # + seat
GOODS = 1000  # + 64 * normals + 8 * fines + superbs, none above 7
COUNT_NORMALS = 1600  # + how many
COUNT_FINES = 2000
COUNT_SUPERBS = 2400

# Operations of skills: those done once, those always in force, those of the final scoring
OP_EARN, OP_GAIN, OP_MOVE, OP_UPGRADE, OP_RESEARCH, OP_REFRESH, OP_ACT, OP_HIRE, OP_SHARE = range(9)
OP_MORE, OP_CARRY, OP_HOLD, OP_ANYWHERE = range(10, 14)
OP_AREAS, OP_GOODS, OP_GRADES, OP_LANDMARKS, OP_STAFF, OP_FIRSTS = range(20, 26)


# Where a fulfilled request came from, as skills look for it
FROM_ANY, FROM_MARKET, FROM_DAILY = range(3)

# Supplies, in the order of RULES.supplies: goods by grade come first
SUP_DISPATCH, SUP_SHARE, SUP_WORKER, SUP_COINS = 3, 4, 5, 6
SUPPLIES = 10

# Rounds of which the VP are kept to be told
ROUNDS = 6

# Holes, 1 + place in RULES.holes
HOLE_WORKERS, HOLE_MARKET, HOLE_GROWTH, HOLE_STANDSTILL = range(1, 5)

# Laws, 1 + place in RULES.laws
LAW_PIECES, LAW_LIMITS, LAW_ROWS, LAW_GAUGES, LAW_VP, LAW_DAILY, LAW_LENGTH, LAW_COINS = range(1, 9)

# Readings, as READINGS of play_box numbers them; 0 is the one in force by default
AFTER_TURN, NO_COMPLETE = 1, 2
ONE_SHOT, NO_DAILY = 1, 2
LOWEST_NAMES, BY_VP = 1, 2
PLAYERS_LAST, IGNORED = 1, 2
LEVEL2_OFFICE, LEVEL2_RESTOCK = 1, 2
