"""journey18 as it is played."""

from generator.games.engine.contract import Box, Rules, Supply
from generator.games.journey18.bounds import hopeless, key
from generator.games.journey18.box import UNPLAYABLE, box
from generator.games.journey18.examples import arrange, ask
from generator.games.journey18.laws import broken, demand
from generator.games.journey18.legal import legal
from generator.games.journey18.moves import LAWS
from generator.games.journey18.outlook import value
from generator.games.journey18.score import place, score
from generator.games.journey18.sight import blind, follow, observe
from generator.games.journey18.state import STATE
from generator.games.journey18.turns import apply, deal, set_up
from generator.games.journey18.words import say, write, zones


def most(box: Box) -> int:
    """Declining, letters apart, letters for all pairs of days and all discards, every swap, story, card of the hand."""
    events, days, suits = (box.number(name) for name in ("events", "days", "suits"))
    return 3 + days * days + 3 * events + suits + events * (events - 1) // 2


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
    key=key,
    hopeless=hopeless,
    observe=observe,
    follow=follow,
    laws=LAWS,
    supplies=(Supply("deck", "event", "E13b"), Supply("letters", "letter")),
    unplayable=UNPLAYABLE,
)
