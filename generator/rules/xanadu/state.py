"""The state of Forwarder of Xanadu: its fields, names for whole numbers, and skills as operations."""

from collections.abc import Iterator
from typing import Any

from generator.base.errors import Problem, ProblemsFound
from generator.game.model import Design, Effect, Game
from generator.rules.engine.contract import State, row_field
from generator.rules.engine.facts import code_name_from_choice, code_numbers, codes, pack_members
from generator.rules.engine.kernel import Value, kernel
from generator.rules.xanadu.data import ACTIONS, GOODS

SEATS, PLACES, GRADES, ROWS, SPACES, LID_ROWS = 5, 10, 3, 3, 8, 5
"""Companies, places of the town, grades of goods, rows of the action board, spaces in a row or boxes of a gauge,
rows of lids on a company board."""

DAILY_MOST, MARKET_MOST, SKILLS, SUPPLIES, ROUNDS = 3, 20, 40, 10, 6
"""The most requests in a Daily row, slots of the Market, and skills; supplies; rounds whose VP are stored."""

PACKED = 7
"""The most of a grade that packed goods can have: three bits."""

DISPATCHED = SEATS
"""The owner number of a dispatch worker in a row of the action board: it is for hire and belongs to no company.

Other workers have the number of their seat.
"""

DAILY_ROW = MARKET_MOST
"""The first source number of the own Daily row; smaller ones are slots of the Market."""

SOURCES, COUNTS = 24, 400


@codes
class Chance:
    """Purposes of random numbers: the town, the skills to draft, the order of a deck of requests (+ tier)."""

    TOWN, SKILLS, REQUESTS, UPPER_REQUESTS = 0, 1, 2, 3


@codes
class Phase:
    """The choice that the seat has."""

    ACT, PLACING, GAIN, PAY, COUNT, LOAD, OFFER, DROP = range(8)
    SHIFT, STEPS, SEARCH, TURN_UP = range(8, 12)
    COMPANY, DRAFT, OFFICE, NAME, ENDED, GROW = range(12, 18)


@codes
class Move:
    """Moves: one number has one meaning in every state. The argument in the comment is added to it."""

    COMPANY = 0  # + company
    KEEP = 10  # + skill
    PLACE = 100  # + row
    DISPATCH = 104  # + row: a dispatch worker fills its next space, before the turn's worker is placed
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
    """Rows of the action board, and their actions."""

    FULFIL, TRANSPORT, UPGRADE = range(3)


@codes
class Lid:
    """Rows of lids on a company board."""

    WAREHOUSE, TRANSPORT, QUALITY, WORKER, SKILL = range(5)


@codes
class Op:
    """Operations of skills, by their names in the data: done once, always in force, or scored at the end."""

    EARN, GAIN, MOVE, UPGRADE, RESEARCH, REFRESH, ACT, HIRE, PLACE_SHARE = range(9)
    MORE_ACTIONS, CARRY_MORE, HOLD_MORE, UPGRADE_ANYWHERE = range(10, 14)
    SCORE_AREAS, SCORE_GOODS, SCORE_GRADES, SCORE_LANDMARKS, SCORE_STAFF, SCORE_FIRSTS = range(20, 26)


@codes
class Origin:
    """The origin of a fulfilled request, for skills that look for it."""

    ANY, MARKET, DAILY = range(3)


@codes
class Tier:
    """The tiers of requests; a skill asks for ANY if requests of both will do."""

    ANY, LOWER, UPPER = range(-1, 2)


@codes
class Piece:
    """Pieces that may run short, as in RULES.supplies: goods by grade, then these, then VP by value."""

    DISPATCH, SHARE, WORKER, COIN = range(3, 7)


@codes
class Hole:
    """Holes in the rules that a game has met: 1 + the index in RULES.holes."""

    NONE, WORKERS, MARKET, GROWTH, STANDSTILL = range(5)


@codes
class Law:
    """Laws of play: 1 + the index in RULES.laws."""

    KEPT, PIECES, LIMITS, ROWS, GAUGES, VP, DAILY, LENGTH, COINS = range(9)


@kernel
def pack_goods(normals: int, fines: int, superbs: int) -> int:
    """Return goods as one number, up to PACKED of each grade, for payments and loads."""
    return normals * 64 + fines * 8 + superbs


@kernel
def goods_of(goods: int, grade: int) -> int:
    """Return the number of goods of a grade in packed goods."""
    return (goods >> (3 * (2 - grade))) & PACKED


STATE = State(
    chances=Chance,
    supplies=SUPPLIES,
    # The course of the game
    phase="what is to be chosen: a Phase",
    round_now="from 1; 0 while the table is set up",
    start="the start player",
    order=row_field("the seats in the order of their turns", SEATS),
    at="the place in `order` of the seat at turn",
    been="who has been start player, as bits",
    # The table
    board=row_field("by place: the area board there", PLACES),
    gauge=row_field("by place: 1 + the seat of the token in each box, three bits each, the leftmost lowest", PLACES),
    boxes=row_field("by place: how many boxes of the gauge are taken", PLACES),
    tokens=row_field("by place and seat: share tokens on the gauge", PLACES, SEATS),
    rows=row_field("by row and space: the seat of the worker there, or DISPATCHED", ROWS, SPACES),
    row_n=row_field("by row: how many spaces are taken, from the left", ROWS),
    market=row_field("by slot: the request there, -1 for none", MARKET_MOST),
    deck_n=row_field("by tier: how many requests are in the deck", 2),
    gone_n=row_field("by tier: how many are discarded", 2),
    stock=row_field("by grade: goods in the stock", GRADES),
    dispatch_stock="dispatch workers in the stock",
    coins=row_field("by kind of token, the lowest first: VP tokens that are out", 4),
    deck=row_field("requests of both decks, each from its bottom; the upper one begins at `f.cards`", 2, "cards"),
    gone=row_field("discarded requests, in the same way", 2, "cards"),
    scratch=row_field("while something is dealt: what is mixed", SKILLS),
    # The companies
    company=row_field("by seat: its company, -1 for none", SEATS),
    vp=row_field("by seat: VP", SEATS),
    hands=row_field("by seat: workers to place", SEATS),
    reserve=row_field("by seat: its workers in the stock", SEATS),
    dispatch=row_field("by seat: dispatch workers to spend", SEATS),
    shares=row_field("by seat: share tokens in hand", SEATS),
    goods=row_field("by seat, place and grade: goods in warehouses", SEATS, PLACES, GRADES),
    load=row_field("by seat and place: all goods there together", SEATS, PLACES),
    lids=row_field("by seat and row of lids: how many are off", SEATS, LID_ROWS),
    limit=row_field("by seat: how much a warehouse outside the Port holds", SEATS),
    carry=row_field("by seat: how much one transport moves", SEATS),
    more=row_field("by seat and row of the action board: additional actions", SEATS, ROWS),
    anywhere=row_field("by seat: 1 if goods are upgraded at any place", SEATS),
    office=row_field("by seat: 1 + the place of the second office, 0 for none", SEATS),
    hand=row_field("by seat: skills in hand, as bits", SEATS),
    pack=row_field("by seat: skills to draft from, as bits", SEATS),
    placed=row_field("by seat: skills on the company board, as bits", SEATS),
    daily=row_field("by seat and place: requests of the Daily row, -1 for none", SEATS, DAILY_MOST),
    up=row_field("by seat: what lies face up there, as bits; the Daily card comes after the requests", SEATS),
    passes=row_field("by seat: turns passed at a price", SEATS),
    turns=row_field("by seat: turns so far", SEATS),
    # The turn, and what is half done in it
    row="the row in which the worker of this turn stands",
    left="actions left",
    used="skills used in this turn, as bits",
    chosen="1 + the row that dispatch workers have bound this turn to, 0 for none",
    gains="normal resources gained and not yet put anywhere",
    last="the first place that the next of them may go to, beside the Port",
    from_place="1 + the place that goods are carried from, 0 for any",
    to_place="1 + the place that they are carried to, 0 for any",
    kept_from="the value of from_place for the whole turn; carrying by a skill does not change it",
    kept_to="the value of to_place for the whole turn; carrying by a skill does not change it",
    source="where the request lies that is being fulfilled",
    area="the place where it is, or was",
    paying="goods that it is paid with, packed",
    took=row_field("by grade: goods of the Port that go back for the Daily card", GRADES),
    grade="the grade of them that is to be counted next",
    doing="1 + the skill at work, 0 for none",
    waiting="skills that are to follow, as bits",
    lids_left="lids that the seat still takes off",
    # What the laws compare with
    seen_gauge=row_field("gauges when the turn began", PLACES),
    seen_boxes=row_field("taken boxes when the turn began", PLACES),
    seen_vp=row_field("VP when the turn began", SEATS),
    dealt=row_field("Daily rows as they were dealt", SEATS, DAILY_MOST),
    # What games are measured by
    least_normals="normal resources in the stock at the least",
    least_dispatch="dispatch workers in the stock at the least",
    most_stuck="workers of one company in rows between turns at most",
    most_waiting="workers of all companies there at most",
    most_shares="share tokens of one company on gauges at most",
    pushed="share tokens pushed out",
    mixed="decks made anew from discards",
    refused=row_field("by grade: upgrades that the stock could not give", GRADES),
    vp_after=row_field("by round: VP of all at its end", ROUNDS),
)


CHANGES = {"earn", "gain", "move", "upgrade", "research", "refresh", "hire"}
FITS = {
    "passive": {"more_actions", "carry_more", "hold_more", "upgrade_anywhere"},
    "activated": CHANGES | {"act"},
    "on_fulfil": CHANGES | {"act", "place_share"},
    "install": CHANGES,
    "round_end": {"earn", "gain", "hire"},
    "final": {"score_areas", "score_goods", "score_grades", "score_landmarks", "score_staff", "score_firsts"},
}
"""The operations that can be played at each time: a share needs an area, more actions need a turn."""

AS_THEY_ARE = ("cost", "on_zone", "on_own_area", "optional", "after_placing")
"""Fields of skills that have the same name in kernels: numbers, and truths as 1 or 0."""

WORTHS = ("vp", "fine", "dispatch")
SECOND_WORTHS = ("superb", "skill")
"""The pay of a final-scoring operation for one thing of a kind, and for one of another kind."""


def skill_numbers(game: Game) -> dict[str, Value]:
    """Return skills by number, then the companies' final-scoring skills. Raise ProblemsFound if unplayable.

    `op`, `op_a`, `op_b` and `op_n` are the effects of each: the operation, its argument, and the number. A final score
    is worth `op_a` each and at most `op_n`; `op_b` is the second worth if there are two.
    """
    skills = [design for design in game.kinds["skill"].designs for _ in range(design.count)]
    companies = game.kinds["company_board"].designs
    wrong = [fault for skill in game.kinds["skill"].designs for fault in _find_faults(skill, skill.fields["timing"])]
    wrong += [fault for company in companies for fault in _find_faults(company, "final")]
    if wrong:
        raise ProblemsFound(wrong)
    types, colours = list(game.sections["rules"]["types"]), [board.fields["company"] for board in companies]
    cards = [skill.fields for skill in skills]
    return {
        "skills": len(cards),
        "colour": [colours.index(card["colour"]) if card["colour"] in colours else -1 for card in cards],
        "on_type": [1 << types.index(card["on_type"]) if card["on_type"] else 0 for card in cards],
        "on_tier": [code_numbers(Tier)[code_name_from_choice(card["on_tier"] or "any")] for card in cards],
        "on_source": [code_numbers(Origin)[code_name_from_choice(card["on_source"] or "any")] for card in cards],
        **{name: [int(card[name] or 0) for card in cards] for name in AS_THEY_ARE},
        **{f"{timing}_mask": pack_members(card["timing"] == timing for card in cards) for timing in FITS},
        **_encode_operations(
            [[_encode_effect(effect) for effect in card.fields["effects"]] for card in (*skills, *companies)]
        ),
    }


def _encode_operations(cards: list[list[tuple[int, int, int, int]]]) -> dict[str, Value]:
    """Return each card's number of effects, and their `op`, `op_a`, `op_b` and `op_n`, padded to equal lengths."""
    longest = max(map(len, cards))
    padded = [rows + [(0, 0, 0, 0)] * (longest - len(rows)) for rows in cards]
    return {
        "effects": [len(rows) for rows in cards],
        **{
            name: [[row[n] for row in rows] for rows in padded] for n, name in enumerate(("op", "op_a", "op_b", "op_n"))
        },
        "carry_more": sum(row[3] for rows in cards for row in rows if row[0] == Op.CARRY_MORE),
    }


def _encode_effect(effect: Effect) -> tuple[int, int, int, int]:
    """Return an effect as operation, argument or worth, second worth, and number or cap."""
    values = effect.values
    if "grade" in values:
        takes = GOODS.index(values["grade"])
    elif "action" in values:
        takes = ACTIONS.index(values["action"])
    else:
        takes = _find_first(values, WORTHS)
    return (
        code_numbers(Op)[effect.op.upper()],
        takes,
        _find_first(values, SECOND_WORTHS),
        _find_first(values, ("n", "cap")),
    )


def _find_first(values: Any, names: tuple[str, ...]) -> int:
    return next((int(values[name]) for name in names if name in values), 0)


def _find_faults(card: Design, timing: str) -> Iterator[Problem]:
    for effect in card.fields["effects"]:
        if effect.op not in FITS[timing]:
            what = f"{card.id} is {timing}, and '{effect.op}' can't be played then"
            yield Problem(card.place, what, f"it can do {', '.join(sorted(FITS[timing]))}")
