"""The Wayfaring Book as it is played: `RULES`, from the box to the end of the game."""

from generator.games.engine.contract import REPEATS, SECRETS, Box, Hole, Measure, Rules, Supply
from generator.games.engine.kernel import Record, Row, kernel
from generator.games.wayfaring.checks import redraw_at_a_table
from generator.games.wayfaring.play_box import ASK_EVERYONE, MARKERS, box
from generator.games.wayfaring.play_codes import MOST_PLAYERS
from generator.games.wayfaring.play_deal import deal, set_up
from generator.games.wayfaring.play_examples import arrange, ask
from generator.games.wayfaring.play_flow import apply
from generator.games.wayfaring.play_laws import LAWS, broken
from generator.games.wayfaring.play_legal import legal
from generator.games.wayfaring.play_seen import blind, place, score, value
from generator.games.wayfaring.play_told import follow, observe, tell
from generator.games.wayfaring.play_words import say, write, zones
from generator.games.wayfaring.play_zones import state


@kernel
def demand(s: Record, f: Record, taken: Row) -> None:
    """The pass markers that lie with players."""
    taken[0] = 0
    for seat in range(s.players):
        taken[0] += s.marks[seat]


@kernel
def measure(s: Record, f: Record, told: Row) -> None:
    """Whether a first hand was drawn anew."""
    told[0] = 1 if s.redraws > 0 else 0


def most(table: Box) -> int:
    """Each design of the hand in each way that it can be used, and all cards that can lie in areas."""
    designs, entries = table.numbers["deck_designs"], table.numbers["area_cards"]
    return 1 + designs * (MOST_PLAYERS + 2) + 2 * entries  # type: ignore[operator]


def _redraw(table: Box) -> float:
    return redraw_at_a_table(table.game, table.players)


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
    tell=tell,
    follow=follow,
    laws=LAWS,
    supplies=(Supply("pass_markers", MARKERS),),
    holes=(Hole("empty_deck", "E28"), Hole("no_end_in_sight")),
    measures=(Measure("TC-34", "some first hand was drawn anew", chance=_redraw),),
    measure=measure,
    answers={"TC-27": SECRETS, "TC-33": REPEATS},
    shared={ASK_EVERYONE: True},
)
