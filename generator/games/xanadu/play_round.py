"""The end of a round of draft 18 as kernels: growth, workers, restocking, the start player, both scorings."""

from generator.games.engine.kernel import Record, Row, kernel
from generator.games.xanadu.play_codes import (
    END,
    ENDED,
    GROW,
    HOLE_GROWTH,
    HOLE_STANDSTILL,
    HOLE_WORKERS,
    LEVEL2_OFFICE,
    LID,
    LID_ROWS,
    LOWEST_NAMES,
    NAME,
    NO_DAILY,
    OFFICE,
    OPEN_OFFICE,
    PLACES,
    PRE,
    REFRESH,
    RESUME,
    ROWS,
    SKILL,
    SKILL_LID,
    SPACES,
    START,
    STRENGTH,
    SUP_WORKER,
    WORKER,
)
from generator.games.xanadu.play_figures import note_round
from generator.games.xanadu.play_score import score_final, score_majority
from generator.games.xanadu.play_skills import do_once
from generator.games.xanadu.play_stock import gain, pay_dispatch, recount, restock_of, set_order


@kernel
def end_round(s: Record, f: Record) -> None:
    """After the last turn of a round: growth, or in the last round the final scoring."""
    if s.round == f.rounds:
        score_final(s, f)
        note_round(s)
        s.over, s.phase = 1, ENDED
        return
    s.at = 0
    s.seat = s.order[0]
    s.lids_left = f.by_round[s.round - 1]
    s.phase = GROW


@kernel
def gate_cost(s: Record, f: Record, seat: int) -> int:
    """The dispatch workers that must be paid before the next skill may be placed, with the reading "vp_threshold"."""
    if f.skill_gate == 0:
        return 0
    missing = f.gate[s.lids[seat * LID_ROWS + SKILL]] - s.vp[seat]
    return max(0, (missing + f.rebate - 1) // f.rebate)  # type: ignore[no-any-return]


@kernel
def legal_growth(s: Record, f: Record, moves: Row) -> int:
    """The rows with a lid that may come off; for a skill's lid, each skill that may be placed."""
    number, off = 0, s.seat * LID_ROWS
    opened = 0
    for row in range(LID_ROWS):
        if f.opens[row] == 1 and s.lids[off + row] == f.lids[row]:
            opened = 1
    for row in range(SKILL):
        if s.lids[off + row] < f.lids[row] and (row != WORKER or opened == 1):
            moves[number] = LID + row
            number += 1
    if s.lids[off + SKILL] < f.lids[SKILL] and gate_cost(s, f, s.seat) <= s.free[s.seat] + 1:
        for skill in range(f.skills):
            if s.hand[s.seat] & (1 << skill):
                moves[number] = SKILL_LID + skill
                number += 1
    if number == 0:
        moves[0] = END
        number = 1
    return number


@kernel
def take_lid(s: Record, f: Record, move: int) -> None:
    """A lid comes off; its effect holds at once. A skill is placed, and what it does then is done."""
    seat = s.seat
    row = SKILL if move >= SKILL_LID else move - LID
    cost = gate_cost(s, f, seat) if row == SKILL else 0
    s.lids[seat * LID_ROWS + row] += 1
    s.free[seat] += 1
    s.lids_left -= 1
    if row == SKILL:
        skill = move - SKILL_LID
        pay_dispatch(s, seat, cost)
        s.hand[seat] &= ~(1 << skill)
        s.placed[seat] |= 1 << skill
        recount(s, f, seat)
        s.base = GROW
        s.waiting = f.install_mask & (1 << skill)
        s.phase = RESUME
    else:
        recount(s, f, seat)
        if row == STRENGTH and f.transport_level2 == LEVEL2_OFFICE and s.lids[seat * LID_ROWS + row] == f.lids[row]:
            s.phase = OFFICE


@kernel
def legal_office(s: Record, f: Record, moves: Row) -> int:
    """Any area but the Port."""
    number = 0
    for place in range(PLACES):
        if place != f.port:
            moves[number] = OPEN_OFFICE + place
            number += 1
    return number


@kernel
def open_office(s: Record, f: Record, place: int) -> None:
    """An area becomes the second office."""
    s.office[s.seat] = place + 1
    s.phase = GROW


@kernel
def go_on_growing(s: Record, f: Record) -> None:
    """The next seat when one has taken its lids off; after the last one the rest of the round's end."""
    while s.lids_left == 0:
        s.at += 1
        if s.at == s.players:
            s.phase = REFRESH
            return
        s.seat = s.order[s.at]
        s.lids_left = f.by_round[s.round - 1]


@kernel
def skip_growth(s: Record, f: Record) -> None:
    """No lid may come off: a hole in the rules; the seat goes without."""
    if s.hole == 0:
        s.hole = HOLE_GROWTH
    s.lids_left = 0


@kernel
def take_workers(s: Record, f: Record, seat: int) -> None:
    """Workers from the stock, as many as are due and there (E03); by a reading, others are called back from rows."""
    due = f.workers[s.lids[seat * LID_ROWS + WORKER]]
    if s.reserve[seat] < due:
        s.short[SUP_WORKER] += 1
        if s.hole == 0:
            s.hole = HOLE_WORKERS
        if f.worker_shortage == 1:
            recall(s, seat, due - s.reserve[seat])
    got = min(due, s.reserve[seat])
    s.reserve[seat] -= got
    s.hands[seat] += got


@kernel
def recall(s: Record, seat: int, missing: int) -> None:
    """Own workers come back from the rows, those farthest right first; gaps close."""
    for space in range(SPACES - 1, -1, -1):
        for row in range(ROWS):
            if missing > 0 and space < s.row_n[row] and s.rows[row * SPACES + space] == seat:
                for n in range(space, s.row_n[row] - 1):
                    s.rows[row * SPACES + n] = s.rows[row * SPACES + n + 1]
                s.row_n[row] -= 1
                s.rows[row * SPACES + s.row_n[row]] = 0
                s.reserve[seat] += 1
                missing -= 1


@kernel
def refresh(s: Record, f: Record) -> None:
    """Workers and Daily rows, then new goods seat by seat, then the start player's marker and the interim scoring."""
    for n in range(s.players):
        seat = s.order[n]
        take_workers(s, f, seat)
        s.up[seat] = 0 if f.daily_model == NO_DAILY else 1 << f.daily_n
        for card in range(f.daily_n):
            if s.daily[seat * 3 + card] >= 0:
                s.up[seat] |= 1 << card
    for n in range(s.players):
        seat = s.order[n]
        gain(s, f, seat, 0, restock_of(s, f, seat))
        extra = s.placed[seat] & f.round_end_mask
        if extra:
            s.seat = seat
            for skill in range(f.skills):
                if extra & (1 << skill):
                    for k in range(f.effects[skill]):
                        do_once(s, f, f.op[skill][k], f.op_a[skill][k], f.op_n[skill][k])
    s.been |= 1 << s.start
    everybody = s.been == (1 << s.players) - 1
    if s.round == f.interim:
        score_majority(s, f, 0)
    if f.start_player == LOWEST_NAMES and everybody:
        s.seat = last_in_vp(s)
        s.phase = NAME
        return
    s.start = (s.start + 1) % s.players
    begin_round(s, f)


@kernel
def last_in_vp(s: Record) -> int:
    """The seat with the fewest VP; of several the first clockwise after the start player."""
    last = (s.start + 1) % s.players
    for n in range(2, s.players + 1):
        seat = (s.start + n) % s.players
        if s.vp[seat] < s.vp[last]:
            last = seat
    return last  # type: ignore[no-any-return]


@kernel
def legal_name(s: Record, f: Record, moves: Row) -> int:
    """Any seat may be named start player."""
    for seat in range(s.players):
        moves[seat] = START + seat
    return s.players  # type: ignore[no-any-return]


@kernel
def begin_round(s: Record, f: Record) -> None:
    """The first seat of a new round that has a worker is to choose; with no worker anywhere the game can't go on."""
    note_round(s)
    s.round += 1
    set_order(s, f)
    if f.start_player == 2:
        s.start = s.order[0]
    for n in range(s.players):
        if s.hands[s.order[n]] > 0:
            s.at, s.seat, s.phase = n, s.order[n], PRE
            return
    s.hole, s.over, s.phase = HOLE_STANDSTILL, 1, ENDED
