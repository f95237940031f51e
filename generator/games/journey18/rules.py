"""journey18 as it is played: its box, its state, and the kernels that carry it from one choice to the next."""

from typing import Any

from generator.games.engine.contract import Box, Rules, Supply
from generator.games.journey18.play_box import UNPLAYABLE, box, numbers_of
from generator.games.journey18.play_examples import arrange, ask
from generator.games.journey18.play_grid import place, score
from generator.games.journey18.play_laws import LAWS, blind, broken, demand
from generator.games.journey18.play_moves import legal
from generator.games.journey18.play_told import follow, observe
from generator.games.journey18.play_turn import apply, deal, set_up
from generator.games.journey18.play_value import value
from generator.games.journey18.play_words import say, write, zones

COUNTERS = (
    *("players", "seat", "over", "turn", "hole", "result", "step"),
    *("white", "solved", "letters", "spent", "on_stories"),
    *("ndeck", "known_top", "known_bottom", "nhand", "playing", "nthrown"),
    *("loops", "adventures", "sevens", "overflows", "held", "solves"),
    *("rest", "before", "drift", "passed", "may_solve", "power"),
    *("fired", "ntodo", "next", "source", "job", "line", "left"),
)
"""Single numbers of the state. Days count from 0; `solved` and `fired` have a bit for each suit.

`known_top` and `known_bottom` are how many cards at the ends of the deck the player has seen there. `rest` is what the
black pawns have to go, `before` the pawns' days added up before the move, `drift` by how much the last move phase
changed that; `passed` tells that letters were declined and nothing has happened since; `power` is the power of memories
used together, if that is kept, until letters are used apart. What an effect needs is told in `play_effects`.
"""


def state(box: Box) -> dict[str, Any]:
    """Everything at 0; rows as long as they can become."""
    numbers = numbers_of(box)
    events, days, rows = numbers["events"], numbers["days"], numbers["rows"]
    hand = numbers["hand_most"] + max(map(max, numbers["amount"]))
    lengths = {"rng": 4, "short": len(RULES.supplies), "black": 2, "place": days, "ncolumn": days}
    lengths |= {"column": days * rows, "todo": rows, "hand": hand, "deck": events}
    lengths |= dict.fromkeys(("thrown", "at", "used", "copied"), events)
    return dict.fromkeys(COUNTERS, 0) | {name: [0] * length for name, length in lengths.items()}


def most(box: Box) -> int:
    """Declining, letters apart, letters for all pairs of days and all discards, every swap, story, card of the hand."""
    numbers = numbers_of(box)
    events, days, suits = numbers["events"], numbers["days"], numbers["suits"]
    return int(3 + days * days + 3 * events + suits + events * (events - 1) // 2)


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
    supplies=(Supply("deck", "event", "E13b"), Supply("letters", "letter")),
    unplayable=UNPLAYABLE,
)
