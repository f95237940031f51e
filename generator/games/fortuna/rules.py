"""Fortuna's rules as they are played."""

from typing import Any

from generator.games.engine.contract import Box, Hole, Rules, Supply
from generator.games.fortuna.play_box import UNPLAYABLE, box, state
from generator.games.fortuna.play_codes import LAWS
from generator.games.fortuna.play_examples import arrange, ask
from generator.games.fortuna.play_moves import apply, legal
from generator.games.fortuna.play_seen import blind, broken, demand, place, score, value
from generator.games.fortuna.play_told import follow, observe
from generator.games.fortuna.play_turn import deal, set_up
from generator.games.fortuna.play_words import say, write, zones


def most(box: Box) -> int:
    """A pass for each card held and two ways to play each number, or an amount for each discard."""
    facts: dict[str, Any] = dict(box.numbers)
    return int(max(facts["width"] + 2 * facts["numbers"], facts["cards"]))


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
