"""Forwarder of Xanadu, draft 18: its rules as they are played."""

from generator.games.engine.contract import Hole, Rules, Supply
from generator.games.xanadu.box import UNPLAYABLE, box, most_moves
from generator.games.xanadu.examples import arrange, ask
from generator.games.xanadu.laws import MEASURES, broken, demand, measure
from generator.games.xanadu.legal import legal
from generator.games.xanadu.outlook import value
from generator.games.xanadu.score import place, score
from generator.games.xanadu.sight import blind, follow, observe, tell
from generator.games.xanadu.state import STATE
from generator.games.xanadu.turns import apply, set_up
from generator.games.xanadu.words import say, write, zones

RULES = Rules(
    box=box,
    state=STATE.fresh,
    set_up=set_up,
    roomy=True,
    effort=32,
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
