"""The names of the numbers that the kernels work with: moves, phases, pieces, what skills do, readings, laws, holes."""

from generator.games.engine.codes import codes
from generator.games.engine.kernel import kernel

SEATS, PLACES, GRADES, ROWS, SPACES, LID_ROWS = 5, 10, 3, 3, 8, 5
"""Companies, places of the town, grades of goods, rows of the action board, spaces in a row or boxes of a gauge,
rows of lids on a company board."""

DAILY_MOST, MARKET_MOST, SKILLS, SUPPLIES, ROUNDS = 3, 20, 40, 10, 6
"""Requests in a Daily row, slots of the Market, and skills at most; supplies; rounds of which the VP are kept."""

PACKED = 7
"""The most of a grade that packed goods can have: three bits."""

HIRED = SEATS
"""Whose piece a dispatch worker is in a row of the action board; others are of a seat."""

DAILY_ROW = MARKET_MOST
"""Sources of a request below it are slots of the Market, those from it on are places in one's own Daily row."""

SOURCES, COUNTS = 24, 400


@codes
class Chance:
    """What chances are drawn for: the town, the skills to draft, the order of a deck of requests (+ tier)."""

    TOWN, SKILLS, REQUESTS, UPPER_REQUESTS = 0, 1, 2, 3


@codes
class Phase:
    """What the seat is to choose; from RESUME on nobody chooses, and `apply` goes on by itself."""

    ACT, PLACING, GAIN, PAY, COUNT, LOAD, OFFER, DROP = range(8)
    SHIFT, STEPS, SEARCH, TURN_UP = range(8, 12)
    COMPANY, DRAFT, OFFICE, NAME, ENDED, GROW = range(12, 18)
    RESUME, PAID, COUNTED, TURN_OVER, ROUND_OVER, REFRESH = range(18, 24)


@codes
class Move:
    """Moves: one number means the same in every state. What the comment names is added to it."""

    COMPANY = 0  # + company
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
    TURN_UP = 185  # + place in the Daily row, the Daily card after the requests
    PUT = 200  # + place: a resource that was gained
    FULFIL = 300  # + place * SOURCES + source
    CARRY = 600  # + from * PLACES + to
    UPGRADE = 700  # + place * GRADES + grade
    LID = 800  # + row of lids
    SKILL = 810  # + skill
    OFFICE = 850  # + place
    START = 870  # + seat
    GOODS = 1000  # + goods, see `packed`
    COUNT = 1600  # + grade * COUNTS + how many go back for the Daily card


@codes
class Grade:
    """Grades of goods, from the lowest."""

    NORMAL, FINE, SUPERB = range(3)


@codes
class Action:
    """Rows of the action board, and the actions that they give."""

    FULFIL, TRANSPORT, UPGRADE = range(3)


@codes
class Lid:
    """Rows of lids on a company board."""

    WAREHOUSE, TRANSPORT, QUALITY, WORKER, SKILL = range(5)


@codes
class Op:
    """Operations of skills, as the data call them: done once, always in force, or scored at the end."""

    EARN, GAIN, MOVE, UPGRADE, RESEARCH, REFRESH, ACT, HIRE, PLACE_SHARE = range(9)
    MORE_ACTIONS, CARRY_MORE, HOLD_MORE, UPGRADE_ANYWHERE = range(10, 14)
    SCORE_AREAS, SCORE_GOODS, SCORE_GRADES, SCORE_LANDMARKS, SCORE_STAFF, SCORE_FIRSTS = range(20, 26)


@codes
class Origin:
    """Where a fulfilled request came from, as skills look for it."""

    ANY, MARKET, DAILY = range(3)


@codes
class Tier:
    """Tiers of requests; skills may look for any."""

    ANY, LOWER, UPPER = range(-1, 2)


@codes
class Piece:
    """Pieces that may run short, as RULES.supplies lists them: goods by grade, then these, then VP by value."""

    DISPATCH, SHARE, WORKER, COIN = range(3, 7)


@codes
class Hole:
    """Holes in the rules that a game has met: 1 + the place in RULES.holes."""

    NONE, WORKERS, MARKET, GROWTH, STANDSTILL = range(5)


@codes
class Law:
    """Laws of play: 1 + the place in RULES.laws."""

    KEPT, PIECES, LIMITS, ROWS, GAUGES, VP, DAILY, LENGTH, COINS = range(9)


@codes
class Reading:
    """What switches and options can be set to, as the data call it: `f.reset_scope == Reading.BOARD`."""

    PARTIAL, RECALL, UNLIMITED = range(3)  # worker_shortage, normal_shortage
    ROW, BOARD = range(10, 12)  # reset_scope
    IMMEDIATE, AFTER_TURN, NO_COMPLETE = range(20, 23)  # dispatch_fill
    ANY, CHOSEN_ROW_ONLY = range(30, 32)  # dispatch_rows
    OWN_TURN, BEFORE_PLACEMENT = range(40, 42)  # research_timing
    SLOT, ALL_VACANT = range(50, 52)  # research_refill
    ILLEGAL, WASTED = range(60, 62)  # impossible_fulfil
    NEXT, PLAYERS, IGNORE = range(70, 73)  # absent_rank
    ONE_PER_AREA, ONE_TOTAL = range(80, 82)  # gain_outside
    ACTION, TURN = range(90, 92)  # transport_scope
    ROTATE, ONCE_THEN_LOWEST_VP_CHOOSES, VP_ORDER = range(100, 103)  # start_player
    OFF, DISPATCH_123, BY_WAREHOUSE = range(110, 113)  # pass_action, port_limit
    DRAFT18, ONE_SHOT, NONE, VP_THRESHOLD = range(120, 124)  # daily_model, skill_gate
    EXTRA_ACTION, SECOND_OFFICE, RESTOCK = range(130, 133)  # transport_level2
    STANDARD, ADVANCED = range(140, 142)  # style


@kernel
def packed(normals: int, fines: int, superbs: int) -> int:
    """Goods as one number, none of a grade above PACKED: what is paid, and what is carried."""
    return normals * 64 + fines * 8 + superbs


@kernel
def goods_of(goods: int, grade: int) -> int:
    """How many of a grade there are in packed goods."""
    return (goods >> (3 * (2 - grade))) & PACKED
