"""Fortuna's rules as they are played."""

from generator.games.engine.contract import Box, Hole, Rules, Supply
from generator.games.fortuna.box import UNPLAYABLE, box
from generator.games.fortuna.examples import arrange, ask
from generator.games.fortuna.laws import broken, demand
from generator.games.fortuna.legal import legal
from generator.games.fortuna.moves import LAWS
from generator.games.fortuna.outlook import value
from generator.games.fortuna.score import place, score
from generator.games.fortuna.sight import blind, follow, observe
from generator.games.fortuna.state import STATE
from generator.games.fortuna.turns import apply, deal, set_up
from generator.games.fortuna.words import say, write, zones


def most(box: Box) -> int:
    """A pass for each card held and two ways to play each number, or an amount for each discard."""
    return max(box.number("width") + 2 * box.number("numbers"), box.number("cards"))


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
    supplies=(Supply("cards to draw", "reel", "E24"),),
    holes=(Hole("nothing to draw", "E24"), Hole("no card to pass with", "E23")),
    unplayable=UNPLAYABLE,
)
