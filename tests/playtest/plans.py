"""Plans carried out at once, for tests that want only what comes out."""

from generator.play.batch import GamePlan, Opener, PlanRow, run_plan
from generator.play.tally import Tally


def carry_out(plan: GamePlan, opener: Opener, processes: int = 1) -> dict[PlanRow, Tally]:
    """The tally of each row of a plan."""
    tallies: dict[PlanRow, Tally] = {}
    for _ in run_plan(plan, opener, processes, tallies):
        pass
    return {row: tallies.get(row, Tally()) for row in plan.games}
