"""The command `lab skill`: how much a game asks of its players, and how much is luck."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli.laboratory.experiments import (
    HOW_MUCH,
    SAVE,
    SEED,
    STOPPED,
    game_of,
    lab,
    save_experiment,
    usual_effort,
)
from generator.cli.options import path_from_here
from generator.cli.output import say, say_text

if TYPE_CHECKING:
    from generator.commands.laboratory.experiments import LabGame
    from generator.commands.laboratory.skill import Costs
    from generator.lab.experiment import Experiment
    from generator.lab.skill.result import SkillWork

_LADDER = ("random", "greedy", "search:50", "search:200")
_TOLD_FROM = 20.0
"""Seconds: what takes less need not be told of beforehand."""


@lab.command()
@click.argument("game")
@click.option(
    "--players",
    "players",
    type=click.IntRange(1),
    multiple=True,
    metavar="N",
    help="Only with N players; repeatable (default: the fewest).",
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="BOT",
    help=f"Who plays, the weakest first; repeatable (default: {', '.join(_LADDER)}).",
)
@click.option("--grid", "pairs", is_flag=True, help="Play all pairs, not only each against the one below it.")
@click.option(
    "--deals",
    type=click.IntRange(0, 1_000_000),
    metavar="N",
    help="Deals for the share of luck, each played 10 times (default: 200; none of bots that search).",
)
@SEED
@SAVE
@HOW_MUCH
@click.pass_obj
def skill(obj: Path | None, /, **options: Any) -> None:
    """How much better players win of GAME: a ladder of bots, their ratings, the share of luck by its sources."""
    from generator.commands.laboratory.experiments import cells_of
    from generator.lab.experiment import Experiment, as_it_is
    from generator.lab.skill.result import SkillWork

    of = game_of(obj, options)
    players = tuple(sorted(set(options["players"]))) or (of.game.players.fewest,)
    cells = cells_of(of, players, tuple(dict.fromkeys(options["bots"])) or _LADDER)
    work = SkillWork(options["games"], options["deals"], options["pairs"])
    experiment = Experiment(as_it_is(), cells, options["run"], skill=work)
    save_experiment(of, experiment, options)
    hold_bots(of, experiment, work, "lab-skill.json", options)


def hold_bots(of: "LabGame", experiment: "Experiment", work: "SkillWork", name: str, options: dict[str, Any]) -> None:
    """Plays an experiment that holds bots against each other, and tells; ends with 130 where Ctrl+C has stopped it."""
    from generator.commands.laboratory.skill import measure_skill
    from generator.lab.skill.result import SkillQuestion
    from generator.lab.skill.told import skill_text

    if options["until"]:
        raise click.UsageError("lab skill stops after --games, --deals or --for, not by --until")
    if options["games"]:
        work = replace(work, seeds=options["games"])
    players = tuple(dict.fromkeys(cell.players for cell in experiment.cells))
    bots = tuple(dict.fromkeys(cell.bots[0] for cell in experiment.cells))
    target = Path(options["out"]) / of.game.id / name
    asked = SkillQuestion(players, bots, experiment.run)
    result, stopped = measure_skill(of, asked, work, target, usual_effort(options), _tell_costs)
    say_text(skill_text(result))
    say(path_from_here(target), err=True)
    if stopped:
        sys.exit(STOPPED)


def _tell_costs(costs: "Costs") -> None:
    if costs.seconds < _TOLD_FROM:
        return
    for players, games in costs.games.items():
        each = ", ".join(f"{bot} {seconds:.2g} s" for bot, seconds in games.items())
        say(f"a game of {players} by {each}", err=True)
    minutes = costs.seconds / 60
    told = f"{minutes:.0f} min" if minutes >= 1 else f"{costs.seconds:.0f} s"
    say(f"about {told} in all; --for stops earlier, Ctrl+C keeps what was played", err=True)
