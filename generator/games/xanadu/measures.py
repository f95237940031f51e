"""What games are measured by: refused upgrades, stocks at their lowest, workers that wait, gauges, VP by round."""

from typing import Any

from generator.games.engine.contract import Box, Measure
from generator.games.engine.kernel import Record, Row, kernel
from generator.games.xanadu import moves as m
from generator.games.xanadu.effects import miss, miss_upgrades, ready, timely, useful
from generator.games.xanadu.moves import Action, Grade, Phase


@kernel
def note_refused(s: Record, f: Record) -> None:
    """Counts upgrades and skills that the seat can't choose now because the stock lacks what they would bring."""
    if s.crew > 0 and s.stock[Grade.NORMAL] > 0 and s.stock[Grade.FINE] > 0 and s.stock[Grade.SUPERB] > 0:
        return
    acting = s.phase == Phase.ACT
    if s.phase == Phase.STEPS or (acting and s.row == Action.UPGRADE and s.left > 0):
        for place in range(m.PLACES):
            if place == f.port or s.anywhere[s.seat] == 1 or (acting and s.office[s.seat] == place + 1):
                miss_upgrades(s, s.seat, place)
    if acting or s.phase == Phase.PLACING:
        skills = ready(s, f)
        for skill in range(f.skills):
            if skills & (1 << skill) and timely(s, f, skill) == 1:
                note_useless(s, f, skill)


@kernel
def note_useless(s: Record, f: Record, skill: int) -> None:
    """Counts what a skill lacks, if nothing that it does can be done."""
    if useful(s, f, skill) == 0:
        for n in range(f.effects[skill]):
            miss(s, f, s.seat, f.op[skill][n], f.op_a[skill][n])


@kernel
def note_turn(s: Record, f: Record) -> None:
    """After a turn: workers that wait in the rows, of one company and of all."""
    waiting = 0
    for seat in range(s.players):
        own = f.company_workers - s.hands[seat] - s.reserve[seat]
        s.most_stuck = max(s.most_stuck, own)
        waiting += own
    s.most_waiting = max(s.most_waiting, waiting)


@kernel
def note_round(s: Record) -> None:
    """After a round, with its scoring: all VP."""
    if 0 < s.round <= m.ROUNDS:
        total = 0
        for seat in range(s.players):
            total += s.vp[seat]
        s.vp_after[s.round - 1] = total


@kernel
def measure(s: Record, f: Record, told: Row) -> None:
    """The numbers of MEASURES, in their order."""
    full = 0
    for place in range(m.PLACES):
        boxes = f.gauge[s.board[place]]
        full += 1 if boxes > 0 and s.boxes[place] == boxes else 0
    told[0] = s.least_normals
    told[1], told[2] = s.refused[Grade.FINE], s.refused[Grade.SUPERB]
    told[3], told[4] = s.most_stuck, s.most_waiting
    told[5] = s.most_shares
    told[6], told[7] = full, s.pushed
    told[8] = s.mixed
    told[9] = s.least_crew
    for n in range(m.ROUNDS):
        told[10 + n] = (2 * s.vp_after[n] + s.players) // (2 * s.players)


def _waiting_at_most(box: Box) -> int:
    """Between turns every row has a free space."""
    lengths: Any = box.numbers["row_len"]
    return sum(length - 1 for length in lengths)


MEASURES = (
    Measure("sim_normals_in_use_max", "normal resources left in the stock at the least", at_least=lambda _: 1),
    Measure("sim_stockout_fine", "times that an upgrade to fine was refused"),
    Measure("sim_stockout_superb", "times that an upgrade to superb was refused"),
    Measure("sim_workers_stuck_max", "workers of one company on the board between turns at most"),
    Measure("sim_workers_stuck_max", "workers of all companies there at most", at_most=_waiting_at_most),
    Measure(
        "sim_share_tokens_max",
        "share tokens of one company on gauges at most",
        at_most=lambda box: box.number("start_shares"),
    ),
    Measure("sim_full_gauges", "gauges full at the end"),
    Measure("sim_full_gauges", "tokens pushed out"),
    Measure("sim_deck_reshuffle", "decks made anew from discards"),
    Measure("sim_dispatch_stock_min", "dispatch workers left in the stock at the least", at_least=lambda _: 0),
    *(Measure("sim_vp_by_round", f"VP of a player, on average, after round {n}") for n in range(1, m.ROUNDS + 1)),
)
