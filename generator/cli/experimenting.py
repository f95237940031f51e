"""The command lab: experiments with a game's rules and numbers."""

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli.group import pnp
from generator.cli.options import OUT, PROJECT, TRUST, open_project, path_from_here, progress, several

if TYPE_CHECKING:
    from generator.commands.lab import Effort, Subject
    from generator.lab.arms import Arm
    from generator.lab.executors import Crew

_STOPPED = 130


def _seconds(_context: click.Context, _option: click.Parameter, text: str | None) -> float:
    """A time such as 90s, 2m, 1h."""
    if text is None:
        return 0.0
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    if not found or float(found[1]) <= 0:
        raise click.BadParameter("write a time as 90s, 2m or 1h")
    return float(found[1]) * {"s": 1, "": 1, "m": 60, "h": 3600}[found[2]]


def _crew(_context: click.Context, _option: click.Parameter, text: str | None) -> "Crew":
    from generator.lab.executors import crew_of

    try:
        return crew_of(text or f"processes:{os.cpu_count() or 1}")
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


EFFORT = several(
    (
        click.option("--games", type=click.IntRange(1, 100_000_000), default=1000, show_default=True, metavar="N",
                     help="Play N games of each arm at each table."),
        click.option("--for", "seconds", metavar="TIME", callback=_seconds, help="Stop after 90s, 2m, 1h."),
        click.option("--players", "players", type=click.IntRange(1), multiple=True, metavar="N",
                     help="Only with N players; repeatable. By default with the most."),
        click.option("--bot", "bots", multiple=True, metavar="BOT", default=("random",), show_default=True,
                     help="Who plays; repeatable."),
        click.option("--seed", "run", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True,
                     help="The run: its games are numbered from 0."),
        click.option("--executor", "crew", metavar="KIND:N", callback=_crew,
                     help="processes:2, threads:2 or dask:tcp://HOST:PORT (default: a process for each core)."),
        click.option("--resume/--anew", default=True, help="Add to what was played before (default), or begin anew."),
        click.option("--fast", is_flag=True, help="Compile the rules first; needs the extra `lab`."),
    )
)  # fmt: skip


@pnp.group()
def lab() -> None:
    """Experiments: what a reading, a number or a card does to a game, from many games on common seeds."""


@lab.command()
@click.argument("game")
@click.argument("entries", nargs=-1, metavar="[E10 ...]")
@EFFORT
@OUT
@TRUST
@PROJECT
@click.pass_obj
def readings(obj: Path | None, /, **options: Any) -> None:
    """Hold every other reading of GAME's open passages, or only those of the ENTRIES, against the one in force."""
    from generator.commands import lab as command
    from generator.lab.experiment import Experiment, readings_in_question
    from generator.lab.told import readings_table

    of, effort = _subject(obj, options), _effort(options)
    arms = readings_in_question(of.game, of.rules, tuple(options["entries"]))
    experiment = Experiment(arms, tuple(_cells(of, options)), options["run"])
    target = Path(options["out"]) / of.game.id / "lab-readings.json"
    result, stopped = command.carry_out(of, experiment, target, effort)
    click.echo(readings_table(result), nl=False)
    click.echo(path_from_here(target), err=True)
    if stopped:
        sys.exit(_STOPPED)


def _subject(obj: Path | None, options: dict[str, Any]) -> "Subject":
    from generator.commands.lab import subject

    return subject(open_project(obj, options), options["game"], trusted=options["trusted"])


def _effort(options: dict[str, Any]) -> "Effort":
    from generator.commands.lab import Effort

    return Effort(
        games=options["games"],
        seconds=options["seconds"],
        crew=options["crew"],
        trusted=options["trusted"],
        kernels=Path(click.get_app_dir("pnp"), "kernels") if options["fast"] else None,
        anew=not options["resume"],
        told=progress(),
    )


def _cells(of: "Subject", options: dict[str, Any]) -> Any:
    from generator.lab.chunks import Cell

    for players in options["players"] or (of.game.players.most,):
        for bot in options["bots"]:
            yield Cell(players, (bot,) * players)


def _arms_given(_context: click.Context, _option: click.Parameter, texts: tuple[str, ...]) -> tuple["Arm", ...]:
    """Other ways to play, named by what they say: a name with a dot is a value's place in the data."""
    from generator.commands.session import option_of
    from generator.lab.arms import Arm

    arms = []
    for text in texts:
        try:
            given = dict(option_of(part) for part in text.split())
        except ValueError as error:
            raise click.BadParameter(str(error)) from error
        values = {name: value for name, value in given.items() if "." in name}
        arms.append(Arm(text, {name: value for name, value in given.items() if name not in values}, values))
    return tuple(arms)


@lab.command()
@click.argument("game")
@click.option(
    "--arm",
    "arms",
    multiple=True,
    metavar="'NAME=VALUE ...'",
    callback=_arms_given,
    help="Also by other readings (E13=optional) and numbers (rules.loop_cost=2); repeatable.",
)
@click.option(
    "--played",
    type=click.IntRange(0, 1_000_000),
    default=200,
    show_default=True,
    metavar="N",
    help="Deals that bots play, who don't know the order of the cards.",
)
@click.option(
    "--states",
    type=click.IntRange(1, 10_000_000),
    default=20_000,
    show_default=True,
    metavar="N",
    help="Go through so many states to prove a loss.",
)
@EFFORT
@OUT
@TRUST
@PROJECT
@click.pass_obj
def solve(obj: Path | None, /, **options: Any) -> None:
    """How many deals of a GAME for one player can be won: the order of the cards known, and by bots without it."""
    from dataclasses import replace

    from generator.commands import lab as command
    from generator.lab.arms import Arm
    from generator.lab.chunks import Cell
    from generator.lab.experiment import AS_IT_IS, Experiment
    from generator.lab.winning.solver import Search
    from generator.lab.winning.told import WIN, solved_table

    of, effort = _subject(obj, options), _effort(options)
    arms = (Arm(AS_IT_IS), *options["arms"])
    target = Path(options["out"]) / of.game.id / "lab-solve.json"
    search = Search(states=options["states"])
    solved, stopped = command.solve(of, arms, options["run"], search, target, effort)
    played = None
    if options["played"] and not stopped:
        bots = dict.fromkeys((*options["bots"], "look-ahead"))
        cells = tuple(Cell(1, (bot,)) for bot in bots)
        experiment = Experiment(arms, cells, options["run"], (WIN,))
        few = replace(effort, games=min(options["played"], effort.games), seconds=0.0)
        played, stopped = command.carry_out(of, experiment, target.with_name("lab-solve-bots.json"), few)
    click.echo(solved_table(solved, played), nl=False)
    click.echo(path_from_here(target), err=True)
    if stopped:
        sys.exit(_STOPPED)
