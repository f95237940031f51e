"""The end of a round: growth, workers, new goods, the start player, both scorings; then the next round begins."""

from generator.games.engine.kernel import Record, kernel
from generator.games.xanadu import moves as m
from generator.games.xanadu.effects import do_once
from generator.games.xanadu.laws import note_round
from generator.games.xanadu.moves import Grade, Hole, Lid, Move, Phase, Piece, Reading
from generator.games.xanadu.score import score_final, score_majority
from generator.games.xanadu.stock import all_daily, gain, lids_off, meet, pay_dispatch, recount, restock_of


@kernel
def end_round(s: Record, f: Record) -> None:
    """After the last turn of a round: growth, or in the last round the final scoring."""
    if s.round == f.rounds:
        score_final(s, f)
        note_round(s)
        s.over, s.phase = 1, Phase.ENDED
        return
    s.at, s.seat = 0, s.order[0]
    s.lids_left = f.by_round[s.round - 1]
    s.phase = Phase.GROW


# ---------------------------------------------------------------------------------------------------------------------
# Growth


@kernel
def gate_cost(s: Record, f: Record, seat: int) -> int:
    """The dispatch workers that must be paid before the next skill may be placed, with the reading "vp_threshold"."""
    if f.skill_gate != Reading.VP_THRESHOLD:
        return 0
    missing = f.gate[lids_off(s, seat, Lid.SKILL)] - s.vp[seat]
    return max(0, (missing + f.rebate - 1) // f.rebate)


@kernel
def removable(s: Record, f: Record, seat: int) -> int:
    """The rows that a lid may be taken from, as bits; the extra worker waits until one of its rows is empty."""
    rows, opened = 0, 0
    for row in range(m.LID_ROWS):
        if lids_off(s, seat, row) < f.lids[row]:
            rows |= 1 << row
        elif f.opens[row] == 1:
            opened = 1
    return rows if opened else rows & ~(1 << Lid.WORKER)


@kernel
def take_lid(s: Record, f: Record, move: int) -> None:
    """A lid comes off; its effect holds at once."""
    seat = s.seat
    s.free[seat] += 1
    s.lids_left -= 1
    if move >= Move.SKILL:
        pay_dispatch(s, seat, gate_cost(s, f, seat))
        s.lids[seat * m.LID_ROWS + Lid.SKILL] += 1
        place_skill(s, f, move - Move.SKILL)
        return
    row = move - Move.LID
    s.lids[seat * m.LID_ROWS + row] += 1
    recount(s, f, seat)
    bare = lids_off(s, seat, row) == f.lids[row]
    if bare and row == Lid.TRANSPORT and f.transport_level2 == Reading.SECOND_OFFICE:
        s.phase = Phase.OFFICE


@kernel
def place_skill(s: Record, f: Record, skill: int) -> None:
    """A skill goes from hand to the company board, and what it does as it is placed is done."""
    s.hand[s.seat] &= ~(1 << skill)
    s.placed[s.seat] |= 1 << skill
    recount(s, f, s.seat)
    s.waiting = f.install_mask & (1 << skill)
    s.base, s.phase = Phase.GROW, Phase.RESUME


@kernel
def open_office(s: Record, place: int) -> None:
    """An area becomes the second office."""
    s.office[s.seat] = place + 1
    s.phase = Phase.GROW


@kernel
def skip_growth(s: Record) -> None:
    """No lid may come off: a hole in the rules; the seat goes without."""
    meet(s, Hole.GROWTH)
    s.lids_left = 0


@kernel
def go_on_growing(s: Record, f: Record) -> None:
    """The next seat when one has taken its lids off; after the last one the rest of the round's end."""
    while s.lids_left == 0:
        s.at += 1
        if s.at == s.players:
            s.phase = Phase.REFRESH
            return
        s.seat = s.order[s.at]
        s.lids_left = f.by_round[s.round - 1]


# ---------------------------------------------------------------------------------------------------------------------
# Workers, goods, and who begins


@kernel
def take_workers(s: Record, f: Record, seat: int) -> None:
    """Workers from the stock, as many as are due and there (E03); by a reading, others are called back from rows."""
    due = f.workers[lids_off(s, seat, Lid.WORKER)]
    if s.reserve[seat] < due:
        s.short[Piece.WORKER] += 1
        meet(s, Hole.WORKERS)
        if f.worker_shortage == Reading.RECALL:
            recall(s, seat, due - s.reserve[seat])
    got = min(due, s.reserve[seat])
    s.reserve[seat] -= got
    s.hands[seat] += got


@kernel
def recall(s: Record, seat: int, missing: int) -> None:
    """Own workers come back from the rows, those farthest right first; gaps close."""
    for space in range(m.SPACES - 1, -1, -1):
        for row in range(m.ROWS):
            if missing > 0 and space < s.row_n[row] and s.rows[row * m.SPACES + space] == seat:
                last = row * m.SPACES + s.row_n[row] - 1
                for n in range(row * m.SPACES + space, last):
                    s.rows[n] = s.rows[n + 1]
                s.rows[last] = 0
                s.row_n[row] -= 1
                s.reserve[seat] += 1
                missing -= 1


@kernel
def restock(s: Record, f: Record, seat: int) -> None:
    """New normal resources come to the Port, and what skills bring at the end of a round."""
    gain(s, f, seat, Grade.NORMAL, restock_of(s, f, seat))
    extra = s.placed[seat] & f.round_end_mask
    if extra:
        s.seat = seat
        for skill in range(f.skills):
            if extra & (1 << skill):
                for n in range(f.effects[skill]):
                    do_once(s, f, f.op[skill][n], f.op_a[skill][n], f.op_n[skill][n])


@kernel
def refresh(s: Record, f: Record) -> None:
    """Workers and Daily rows, then new goods seat by seat, then the start player's marker and the interim scoring."""
    for n in range(s.players):
        take_workers(s, f, s.order[n])
        s.up[s.order[n]] = all_daily(s, f, s.order[n])
    for n in range(s.players):
        restock(s, f, s.order[n])
    s.been |= 1 << s.start
    everybody = s.been == (1 << s.players) - 1
    if s.round == f.interim:
        score_majority(s, f, f.pay_interim)
    if f.start_player == Reading.ONCE_THEN_LOWEST_VP_CHOOSES and everybody:
        s.seat = last_in_vp(s)
        s.phase = Phase.NAME
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
    return last


@kernel
def set_order(s: Record, f: Record) -> None:
    """Seats of a round: clockwise from the start player, or by a reading (E52) from the most VP to the fewest."""
    for n in range(s.players):
        seat = (s.start + n) % s.players
        at = n
        if f.start_player == Reading.VP_ORDER:
            while at > 0 and s.vp[s.order[at - 1]] < s.vp[seat]:
                s.order[at] = s.order[at - 1]
                at -= 1
        s.order[at] = seat


@kernel
def begin_round(s: Record, f: Record) -> None:
    """The first seat of a new round that has a worker is to choose; with no worker anywhere the game can't go on."""
    note_round(s)
    s.round += 1
    set_order(s, f)
    if f.start_player == Reading.VP_ORDER:
        s.start = s.order[0]
    for n in range(s.players):
        if s.hands[s.order[n]] > 0:
            s.at, s.seat, s.phase = n, s.order[n], Phase.PLACING
            return
    s.hole, s.over, s.phase = Hole.STANDSTILL, 1, Phase.ENDED
