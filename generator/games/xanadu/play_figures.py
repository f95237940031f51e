"""What games of draft 18 are measured by, as kernels: refused upgrades, stocks at their lowest, gauges, VP by round."""

from collections.abc import Callable

from generator.games.engine.contract import Box, Measure
from generator.games.engine.kernel import Record, Row, kernel
from generator.games.xanadu.play_codes import (
    ACT,
    OP_ACT,
    PLACES,
    PRE,
    ROUNDS,
    ROWS,
    SPACES,
    STEPS,
    UPGRADE,
)
from generator.games.xanadu.play_skills import can_do, miss, miss_upgrades


@kernel
def note_refused(s: Record, f: Record) -> None:
    """Counts upgrades and skills that the seat can't choose now because the stock lacks what they would bring."""
    if s.stock[0] > 0 and s.stock[1] > 0 and s.stock[2] > 0 and s.crew > 0:
        return
    if s.phase == STEPS or (s.phase == ACT and s.row == UPGRADE and s.left > 0):
        for place in range(PLACES):
            elsewhere = s.phase == ACT and s.office[s.seat] == place + 1
            if place == f.port or s.anywhere[s.seat] == 1 or elsewhere:
                miss_upgrades(s, s.seat, place)
    if s.phase in (PRE, ACT):
        ready = s.placed[s.seat] & f.activated_mask & ~s.used
        for skill in range(f.skills):
            if ready & (1 << skill):
                note_unusable(s, f, skill)


@kernel
def note_unusable(s: Record, f: Record, skill: int) -> None:
    """Counts what a skill that could be paid for at this time lacks, if nothing that it does can be done."""
    if s.free[s.seat] < f.cost[skill] or (f.after_placing[skill] == 1 and s.phase != ACT):
        return
    for n in range(f.effects[skill]):
        op = f.op[skill][n]
        if not (op == OP_ACT and s.phase != ACT) and can_do(s, f, s.seat, op, f.op_a[skill][n]) == 1:
            return
    for n in range(f.effects[skill]):
        miss(s, f, s.seat, f.op[skill][n], f.op_a[skill][n])


@kernel
def note_turn(s: Record, f: Record) -> None:
    """After a turn: workers that wait in the rows, of one company and of all."""
    waiting = 0
    for seat in range(s.players):
        own = 0
        for row in range(ROWS):
            for n in range(s.row_n[row]):
                own += 1 if s.rows[row * SPACES + n] == seat else 0
        s.most_stuck = max(s.most_stuck, own)
        waiting += own
    s.most_waiting = max(s.most_waiting, waiting)


@kernel
def note_round(s: Record) -> None:
    """After a round, with its scoring: all VP."""
    if 0 < s.round <= ROUNDS:
        total = 0
        for seat in range(s.players):
            total += s.vp[seat]
        s.vp_after[s.round - 1] = total


@kernel
def measure(s: Record, f: Record, told: Row) -> None:
    """The numbers of MEASURES, in their order."""
    told[0] = s.least_normals
    told[1], told[2] = s.refused[1], s.refused[2]
    told[3], told[4] = s.most_stuck, s.most_waiting
    told[5] = s.most_shares
    told[6], told[7] = 0, s.pushed
    for place in range(PLACES):
        boxes = f.gauge[s.board[place]]
        told[6] += 1 if boxes > 0 and s.boxes[place] == boxes else 0
    told[8] = s.mixed
    told[9] = s.least_crew
    for n in range(ROUNDS):
        told[10 + n] = (2 * s.vp_after[n] + s.players) // (2 * s.players)


def _waiting_at_most(box: Box) -> int:
    """Between turns every row has a free space."""
    lengths = box.numbers["row_len"]
    return sum(length - 1 for length in lengths)  # type: ignore[union-attr, operator, misc]


def _number(name: str) -> Callable[[Box], int]:
    return lambda box: int(box.numbers[name])  # type: ignore[arg-type]


MEASURES = (
    Measure("sim_normals_in_use_max", "normal resources left in the stock at the least", at_least=lambda _: 1),
    Measure("sim_stockout_fine", "times that an upgrade to fine was refused"),
    Measure("sim_stockout_superb", "times that an upgrade to superb was refused"),
    Measure("sim_workers_stuck_max", "workers of one company on the board between turns at most"),
    Measure("sim_workers_stuck_max", "workers of all companies there at most", at_most=_waiting_at_most),
    Measure("sim_share_tokens_max", "share tokens of one company on gauges at most", at_most=_number("start_shares")),
    Measure("sim_full_gauges", "gauges full at the end"),
    Measure("sim_full_gauges", "tokens pushed out"),
    Measure("sim_deck_reshuffle", "decks made anew from discards"),
    Measure("sim_dispatch_stock_min", "dispatch workers left in the stock at the least", at_least=lambda _: 0),
    *(Measure("sim_vp_by_round", f"VP of a player, on average, after round {n}") for n in range(1, ROUNDS + 1)),
)
