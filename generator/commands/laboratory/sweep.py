"""The lab's sweeps for aims: points screened, confirmed on fresh games, each step kept in a file of its own."""

from dataclasses import replace
from pathlib import Path

from generator.commands.laboratory.experiments import Effort, LabGame, carry_out, spread_out, written_experiment
from generator.errors import Place, Problem, ProblemsFound
from generator.lab.experiment import Experiment, Limit, as_it_is
from generator.lab.sweeps.grids import SweepGrid
from generator.lab.sweeps.smallest import Smallest
from generator.load.project import Project


def aimed(project: Project, name: str, path: Path, grid: SweepGrid, *, trusted: bool) -> tuple[LabGame, Experiment]:
    """The sweep of a game for the aims of an experiment's file: its tables, measures, run, and games at most.

    ProblemsFound for a file of another game, and one without aims.
    """
    of, written = written_experiment(project, path, trusted=trusted)
    problems = []
    if of.game.id != name:
        problems.append(Problem(Place(str(path)), f"its game is {of.game.id}, not {name}", "give a file of this game"))
    if not written.asked.aims:
        what, hint = "the experiment has no aims", "write some, as {length: {between: [35, 45]}}"
        problems.append(Problem(Place(str(path)), what, hint))
    if problems:
        raise ProblemsFound(problems)
    return of, spread_out(of, replace(written, arms=as_it_is(), grids=(grid,)))


def find_smallest(of: LabGame, experiment: Experiment, target: Path, effort: Effort) -> tuple[Smallest, bool]:
    """Screens all points into the target, then confirms what is left into files beside it; whether it was stopped.

    The confirmation plays the next run: no game that a point was chosen by speaks for it again.
    """
    screened, stopped = carry_out(of, experiment, target, effort)
    found = Smallest(screened)
    if stopped:
        return found, True
    arms = {arm.name: arm for arm in experiment.arms}
    limit = Limit(experiment.games, met=found.confidence)
    for number, lot in enumerate(found.lots(), 1):
        named = tuple(arms[point.arm] for point in lot)
        asked = replace(experiment, arms=named, grids=(), run=experiment.run + 1)
        place = target.with_name(f"{target.stem}-confirmed-{number}{target.suffix}")
        result, stopped = carry_out(of, asked, place, replace(effort, limit=limit))
        found.confirmed.append(result)
        if stopped or found.best():
            break
    return found, stopped
