"""Forwarder of Xanadu, draft 18, as it is played: the rules for tables, bots and tests."""

from typing import Any

from generator.games.engine.contract import Box, Hole, Rules, Supply
from generator.games.engine.kernel import Record, Row, kernel
from generator.games.xanadu.play_actions import (
    begin_carry,
    count,
    improve,
    legal_count,
    legal_load,
    legal_pay,
    legal_shift,
    legal_upgrade,
    move_load,
    pay,
    use_daily_card,
)
from generator.games.xanadu.play_box import UNPLAYABLE, box, most_moves
from generator.games.xanadu.play_codes import (
    ACT,
    CARRY,
    COMPANY,
    COUNT_FINES,
    COUNT_NORMALS,
    COUNT_SUPERBS,
    COUNTED,
    DRAFT,
    DROP,
    END,
    FACE_UP,
    FINES,
    GAIN,
    GOODS,
    GRADES,
    GROW,
    IMPROVE,
    KEEP,
    LOAD,
    NAME,
    NORMALS,
    OFFER,
    OFFICE,
    OPEN_OFFICE,
    PAID,
    PAY,
    PICK_COMPANY,
    PLACES,
    PRE,
    PUT,
    REFRESH,
    RESEARCH,
    RESUME,
    ROUND_OVER,
    ROUNDS,
    ROWS,
    SEARCH,
    SEATS,
    SHIFT,
    SPACES,
    START,
    STEPS,
    SUPERBS,
    SUPPLIES,
    TURN_OVER,
    TURN_UP,
)
from generator.games.xanadu.play_figures import MEASURES, measure, note_refused
from generator.games.xanadu.play_questions import ask
from generator.games.xanadu.play_round import (
    begin_round,
    end_round,
    go_on_growing,
    legal_growth,
    legal_name,
    legal_office,
    open_office,
    refresh,
    skip_growth,
    take_lid,
)
from generator.games.xanadu.play_score import broken, demand, place, score
from generator.games.xanadu.play_setup import blind, keep, legal_company, legal_keep, pick_company, set_up
from generator.games.xanadu.play_situations import arrange
from generator.games.xanadu.play_skills import carry_on, legal_offer, legal_search, legal_turn_up, take_offer
from generator.games.xanadu.play_stock import replace_card
from generator.games.xanadu.play_told import follow, observe, tell
from generator.games.xanadu.play_turn import (
    drop,
    end_turn,
    legal_act,
    legal_drop,
    legal_gain,
    legal_pre,
    put_gain,
    settle,
    turn_move,
)
from generator.games.xanadu.play_value import value
from generator.games.xanadu.play_words import say, write
from generator.games.xanadu.play_zones import zones

# ---------------------------------------------------------------------------------------------------------------------
# State. Rows by seat, by seat and place, or by tier are flat; places are numbered as the map has them.


def state(box: Box) -> dict[str, Any]:
    """The fields of a state; lengths are the same for any number of players."""
    scalars = (
        *("players", "seat", "over", "turn", "hole", "phase", "round", "start", "at", "been", "mixed"),
        *("row", "left", "gains", "last", "used", "chosen", "from_place", "to_place", "kept_from", "kept_to"),
        *("source", "area", "took_normals", "took_fines", "doing", "step", "much", "base", "waiting", "offered"),
        *("asks", "paying", "took_superbs", "lids_left", "crew"),
        *("least_normals", "least_crew", "most_stuck", "most_waiting", "most_shares", "pushed"),
    )
    cards: Any = box.numbers["cards"]
    skills: Any = box.numbers["skills"]
    by_seat = ("company", "vp", "hands", "reserve", "free", "shares", "hand", "placed", "pack", "up", "limit", "carry")
    more = ("anywhere", "office", "passes", "turns", "done", "done_daily", "order", "seen_vp")
    rows = {
        "rng": 4,
        "short": SUPPLIES,
        "board": PLACES,
        "stock": GRADES,
        "coins": 4,
        "goods": SEATS * PLACES * GRADES,
        "load": SEATS * PLACES,
        "lids": SEATS * 5,
        "more": SEATS * ROWS,
        "daily": SEATS * 3,
        "dealt": SEATS * 3,
        "market": 20,
        "deck": 2 * cards,
        "gone": 2 * cards,
        "deck_n": 2,
        "gone_n": 2,
        "rows": ROWS * SPACES,
        "row_n": ROWS,
        "gauge": PLACES,
        "boxes": PLACES,
        "tokens": PLACES * SEATS,
        "seen_gauge": PLACES,
        "seen_boxes": PLACES,
        "refused": GRADES,
        "vp_after": ROUNDS,
        "scratch": max(skills, PLACES),
        **dict.fromkeys((*by_seat, *more), SEATS),
    }
    return {**dict.fromkeys(scalars, 0), **{name: [0] * length for name, length in rows.items()}}


# ---------------------------------------------------------------------------------------------------------------------
# Moves


@kernel
def legal(s: Record, f: Record, moves: Row) -> int:
    """What the seat may choose, by phase."""
    phase = s.phase
    if phase == ACT:
        return legal_act(s, f, moves)
    if phase == PRE:
        return legal_pre(s, f, moves)
    if phase == GAIN:
        return legal_gain(s, f, moves)
    if phase == PAY:
        return legal_pay(s, f, moves)
    if phase == LOAD:
        return legal_load(s, f, moves)
    if NORMALS <= phase <= SUPERBS:
        return legal_count(s, f, moves)
    if phase == GROW:
        return legal_growth(s, f, moves)
    return legal_seldom(s, f, moves)


@kernel
def legal_seldom(s: Record, f: Record, moves: Row) -> int:
    """The phases that come up less often."""
    phase, number = s.phase, 0
    if phase == OFFER:
        number = legal_offer(s, f, moves)
    elif phase == SHIFT:
        number = legal_shift(s, f, moves)
    elif phase == STEPS:
        moves[0] = END
        number = legal_upgrade(s, f, moves, 1, 0)
    elif phase == SEARCH:
        number = legal_search(s, f, moves, 0)
    elif phase == TURN_UP:
        number = legal_turn_up(s, f, moves)
    elif phase == COMPANY:
        number = legal_company(s, f, moves)
    elif phase == DRAFT:
        number = legal_keep(s, f, moves)
    elif phase == OFFICE:
        number = legal_office(s, f, moves)
    elif phase == NAME:
        number = legal_name(s, f, moves)
    elif phase == DROP:
        number = legal_drop(s, f, moves)
    return number


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Carries out a choice, and all that follows without one."""
    phase = s.phase
    if phase in (ACT, PRE):
        turn_move(s, f, move)
    elif phase == GAIN:
        put_gain(s, f, move - PUT)
    elif phase == PAY:
        s.paying, s.phase = move - GOODS, PAID
    elif phase == LOAD:
        move_load(s, f, move - GOODS)
    elif NORMALS <= phase <= SUPERBS:
        count(s, f, move - (COUNT_NORMALS if phase == NORMALS else COUNT_FINES if phase == FINES else COUNT_SUPERBS))
    elif phase == GROW:
        if move == END:
            skip_growth(s, f)
        else:
            take_lid(s, f, move)
    else:
        apply_seldom(s, f, move)
    go_on(s, f)


@kernel
def go_on(s: Record, f: Record) -> None:
    """What follows without a choice: payments, effects of skills, the end of a turn, the end of a round."""
    if s.phase == PAID:
        pay(s, f)
    if s.phase == COUNTED:
        use_daily_card(s, f)
    if s.phase == RESUME:
        carry_on(s, f)
    if s.phase == ACT:
        settle(s, f)
    if s.phase == TURN_OVER:
        end_turn(s, f)
    if s.phase == ROUND_OVER:
        end_round(s, f)
    if s.phase == GROW:
        go_on_growing(s, f)
    if s.phase == REFRESH:
        refresh(s, f)
    note_refused(s, f)


@kernel
def apply_seldom(s: Record, f: Record, move: int) -> None:
    """Choices of the phases that come up less often."""
    phase = s.phase
    if phase == OFFER:
        take_offer(s, f, move)
    elif phase == SHIFT:
        begin_carry(s, f, move - CARRY)
    elif phase == STEPS:
        if move == END:
            s.much = 0
            s.phase = RESUME
        else:
            improve(s, f, (move - IMPROVE) // GRADES, (move - IMPROVE) % GRADES)
    elif phase == SEARCH:
        replace_card(s, f, move - RESEARCH)
        s.much -= 1
        s.phase = RESUME
    elif phase == TURN_UP:
        s.up[s.seat] |= 1 << (move - FACE_UP)
        s.much -= 1
        s.phase = RESUME
    elif phase == COMPANY:
        pick_company(s, f, move - PICK_COMPANY)
    elif phase == DRAFT:
        keep(s, f, move - KEEP)
    elif phase == OFFICE:
        open_office(s, f, move - OPEN_OFFICE)
    elif phase == NAME:
        s.start = move - START
        begin_round(s, f)
    elif phase == DROP:
        drop(s, f, move - PUT)


RULES = Rules(
    box=box,
    state=state,
    set_up=set_up,
    legal=legal,
    apply=apply,
    score=score,
    place=place,
    value=value,
    blind=blind,
    demand=demand,
    most=most_moves,
    zones=zones,
    write=write,
    say=say,
    arrange=arrange,
    ask=ask,
    broken=broken,
    observe=observe,
    tell=tell,
    follow=follow,
    laws=(
        "sim_conservation",
        "sim_limits_kept",
        "sim_rows_open",
        "sim_gauge_prefix",
        "sim_vp_never_fall",
        "sim_daily_row_fixed",
        "sim_game_length",
        "sim_vp_total",
    ),
    supplies=(
        Supply("normal", "resource/normal", "E06"),
        Supply("fine", "resource/fine", "E06"),
        Supply("superb", "resource/superb", "E06"),
        Supply("dispatch", "dispatch", "E02"),
        Supply("share", "share", "E04"),
        Supply("worker", "worker", "E03"),
        Supply("vp-1", "vp/vp-1", "E14"),
        Supply("vp-5", "vp/vp-5", "E14"),
        Supply("vp-10", "vp/vp-10", "E14"),
        Supply("vp-30", "vp/vp-30", "E14"),
    ),
    holes=(Hole("workers", "E03"), Hole("market"), Hole("growth"), Hole("standstill")),
    measures=MEASURES,
    measure=measure,
    unplayable=UNPLAYABLE,
)
