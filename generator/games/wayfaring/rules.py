"""The Wayfaring Book as it is played: `RULES`, from the box to the end of the game."""

from generator.games.engine.contract import REPEATS, SECRETS, Hole, Measure, Rules, Supply
from generator.games.wayfaring.box import ASK_EVERYONE, MARKERS, box
from generator.games.wayfaring.examples import arrange, ask
from generator.games.wayfaring.figures import redraw_chance_at
from generator.games.wayfaring.laws import broken, demand, measure
from generator.games.wayfaring.legal import legal, most
from generator.games.wayfaring.moves import LAWS
from generator.games.wayfaring.score import place, score, value
from generator.games.wayfaring.sight import blind, follow, observe, tell
from generator.games.wayfaring.state import STATE
from generator.games.wayfaring.turns import apply, deal, set_up
from generator.games.wayfaring.words import say, write, zones

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
    tell=tell,
    follow=follow,
    laws=LAWS,
    supplies=(Supply("pass_markers", MARKERS),),
    holes=(Hole("empty_deck", "E28"), Hole("no_end_in_sight")),
    measures=(Measure("TC-34", "some first hand was drawn anew", chance=redraw_chance_at),),
    measure=measure,
    answers={"TC-27": SECRETS, "TC-33": REPEATS},
    shared={ASK_EVERYONE: True},
)
