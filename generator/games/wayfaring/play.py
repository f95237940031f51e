"""The Wayfaring Book as it is played: `RULES`, from the box to the end of the game."""

from generator.games.contract import Box, Hole, Rules, Supply
from generator.games.kernel import Record, Row, kernel
from generator.games.wayfaring.play_box import MARKERS, box
from generator.games.wayfaring.play_codes import MOST_PLAYERS
from generator.games.wayfaring.play_deal import deal, set_up
from generator.games.wayfaring.play_examples import arrange, ask
from generator.games.wayfaring.play_flow import apply
from generator.games.wayfaring.play_laws import LAWS, broken
from generator.games.wayfaring.play_legal import legal
from generator.games.wayfaring.play_seen import blind, place, score, value
from generator.games.wayfaring.play_words import say, write, zones
from generator.games.wayfaring.play_zones import state


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    """The pass markers that lie with players."""
    taken[0] = 0
    for seat in range(s.players):
        taken[0] += s.marks[seat]


def most(table: Box) -> int:
    """Each design of the hand in each way that it can be used, and all cards that can lie in areas."""
    designs, entries = table.numbers["deck_designs"], table.numbers["area_cards"]
    return 1 + designs * (MOST_PLAYERS + 2) + 2 * entries  # type: ignore[operator]


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
    laws=LAWS,
    supplies=(Supply("pass_markers", MARKERS),),
    holes=(Hole("nothing_to_draw", "E28"), Hole("no_end_in_sight")),
)
