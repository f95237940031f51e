"""Draft 8 as it is played: RULES, from the box to the end of the game."""

from generator.games.engine.contract import TIES, WINS, Measure, Rules, Supply
from generator.games.journey8.box import box
from generator.games.journey8.examples import arrange, ask
from generator.games.journey8.facts import COUNTERS
from generator.games.journey8.laws import broken, demand, measure
from generator.games.journey8.legal import legal, most
from generator.games.journey8.moves import LAWS
from generator.games.journey8.outlook import value
from generator.games.journey8.score import place, score
from generator.games.journey8.sight import blind, follow, observe
from generator.games.journey8.state import STATE
from generator.games.journey8.turns import apply, deal, set_up
from generator.games.journey8.words import say, write, zones

RULES = Rules(
    box=box,
    state=STATE.fresh,
    set_up=set_up,
    roomy=True,
    legal=legal,
    apply=apply,
    score=score,
    place=place,
    value=value,
    blind=blind,
    demand=demand,
    most=most,
    zones=zones,
    write=write,
    say=say,
    arrange=arrange,
    ask=ask,
    broken=broken,
    deal=deal,
    observe=observe,
    follow=follow,
    laws=LAWS,
    supplies=(Supply("counters", COUNTERS, "E12", "C8-COUNTER-BOUND"),),
    measures=(
        Measure("S8-REVERSE", "ended in Reverse"),
        Measure("S8-SUDDEN", "ended with the last key"),
        Measure("S8-HAND", "cards in all hands at the end"),
        Measure("S8-EVENT-VALUE", "hundredths of a point that an effect brought its holder"),
        Measure("S8-EVENT-VALUE", "and was worth"),
    ),
    measure=measure,
    answers={"S8-COUNTERS": "counters", "S8-SEAT": WINS, "S8-TIES": TIES},
)
