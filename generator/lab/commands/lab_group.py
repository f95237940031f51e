"""The command `lab`: its options, reports, solved deals, and stored results."""

import os
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from generator.commands.command_line import STOPPED, say, say_text
from generator.commands.options import (
    LANG,
    OUT,
    PROJECT,
    Command,
    combine_options,
    open_project,
    path_from_here,
    progress,
    say_files,
)
from generator.lab.arms import Arm
from generator.lab.card_experiments import format_any_result, format_comparison
from generator.lab.chunks import Cell, Crew, parse_crew
from generator.lab.experiment import UNCHANGED, Experiment, Limit, name_course_measures
from generator.lab.experiment_file import write_experiment
from generator.lab.experiment_runs import (
    Effort,
    LabGame,
    make_cells,
    open_lab_game,
    read_result_file,
    require_libraries,
    run_experiment,
    run_solver,
    spread_grids,
    write_experiment_schema,
)
from generator.lab.reports.result_report import write_report
from generator.lab.results import Result
from generator.lab.skill_run import format_skill, read_skill_file
from generator.lab.sweeps import SweepGrid
from generator.lab.win_solver import WIN, Search, format_solved
from generator.play.play_setup import parse_option

_KINDS = ("pdf", "html")
_USUAL, _MORE, _MANY = 1000, 2000, 1_000_000
"""Default number of games of each arm, the same for readings, and the maximum if a precision is given."""


def _parse_seconds(_context: click.Context, _option: click.Parameter, text: str | None) -> float:
    if text is None:
        return 0.0
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    if not found or float(found[1]) <= 0:
        raise click.BadParameter("write a time such as 90s, 2m or 1h")
    return float(found[1]) * {"s": 1, "": 1, "m": 60, "h": 3600}[found[2]]


def _parse_points(_context: click.Context, _option: click.Parameter, text: str | None) -> float:
    """Return a precision such as 0.5pp (half width in percentage points) as a share, 0.005; 0 without the option."""
    if text is None:
        return 0.0
    found = re.fullmatch(r"(\d+(?:\.\d+)?)pp", text)
    if not found or not 0 < float(found[1]) < 100:
        raise click.BadParameter("write a precision in percentage points, such as 0.5pp")
    return float(found[1]) / 100


def parse_crew_option(_context: click.Context, _option: click.Parameter, text: str | None) -> Crew:
    """Return the workers of the option --executor, by default one process per processor. Raise BadParameter."""
    try:
        return parse_crew(text or f"processes:{os.cpu_count() or 1}")
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def limit_options(
    games: str = "Play N games for each variant and number of players (default: 1000).",
) -> Callable[[Command], Command]:
    """Return a decorator that adds the options for how much to play, and with which workers."""
    return combine_options((
        click.option("--games", type=click.IntRange(1, 100_000_000), metavar="N", help=games),
        click.option("--for", "seconds", metavar="TIME", callback=_parse_seconds,
                     help="Stop after a time, such as 90s, 2m or 1h."),
        click.option("--until", metavar="POINTS", callback=_parse_points,
                     help="Stop when each share is known to this precision, such as 0.5pp."),
        click.option("--executor", "crew", metavar="KIND:N", callback=parse_crew_option,
                     help="Workers: processes:2, threads:2 or dask:tcp://HOST:PORT (default: one process per core)."),
        click.option("--resume/--anew", default=True, help="Continue earlier results (default), or start again."),
        click.option("--fast", is_flag=True, help="Compile the rules first (needs the extra `lab`)."),
        OUT,
        PROJECT,
    ))  # fmt: skip


SEED = click.option("--seed", "run", type=click.IntRange(0, 2**63 - 1), default=1, metavar="N", show_default=True,
                    help="Seed of the run; its games are numbered from 0.")  # fmt: skip
SAVE = click.option("--save", "saved", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
                    help="Also write the experiment to this file, for `pnp lab run`.")  # fmt: skip


def players_option(text: str) -> Callable[[Command], Command]:
    """Return a decorator that adds the option --players, numbers of players, with this help."""
    return click.option("--players", type=click.IntRange(1), multiple=True, metavar="N", help=text)


def bots_option(text: str, *bots: str) -> Callable[[Command], Command]:
    """Return a decorator that adds the option --bot, which can be repeated, with this help and these by default."""
    return click.option("--bot", "bots", multiple=True, metavar="BOT", default=bots, show_default=bool(bots), help=text)


BOTS = bots_option("Bot to play with; repeatable.", "random")
TABLES = combine_options((players_option("Play with N players (default: each number); repeatable."), BOTS, SEED, SAVE))


COMMAND_MODULES = {
    **dict.fromkeys(("cards", "run", "skill", "strategies", "sweep"), "experiment_kinds"),
    **dict.fromkeys(("coverage", "readings"), "rule_coverage"),
}
"""The modules of the commands that are not in this one."""


class _Experiments(click.Group):
    """The group of the lab's commands. `lab GAME` is short for `lab report GAME`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted({*super().list_commands(ctx), *COMMAND_MODULES})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, after its module is imported, or None for an unknown name."""
        if cmd_name in COMMAND_MODULES:
            import_module(f"generator.lab.commands.{COMMAND_MODULES[cmd_name]}")
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command for these words. A first word unlike any command is the name of a game."""
        from difflib import get_close_matches

        if args[0][:1].isalnum() and not get_close_matches(args[0], self.list_commands(ctx), n=1, cutoff=0.75):
            args = ["report", *args]
        return super().resolve_command(ctx, args)


@click.group(cls=_Experiments, subcommand_metavar="COMMAND|GAME [ARGS]...")
def lab() -> None:
    """Simulate many games and compare rules, numbers and cards.

    `pnp lab GAME` is short for `pnp lab report GAME`.
    """


@lab.command()
@click.argument("game")
@click.option("--course", is_flag=True, help="Also report who leads and how points grow during the games.")
@TABLES
@limit_options()
@click.pass_obj
def report(obj: Path | None, /, **options: Any) -> None:
    """Report on GAME: length, seats, scores, ties, supplies.

    The report covers every number of players.
    """
    of = open_named_game(obj, options)
    players = options["players"] or tuple(range(of.game.players.fewest, of.game.players.most + 1))
    experiment = make_experiment(of, UNCHANGED, players, options)
    if options["course"]:
        experiment = replace(experiment, measures=name_course_measures(players, of.game, of.rules))
    play_and_report(of, experiment, "lab-course.json" if options["course"] else "lab-report.json", options)


@lab.command()
@click.argument("game")
@PROJECT
@click.pass_obj
def schema(obj: Path | None, /, **options: Any) -> None:
    """Write the JSON schema for experiment files of GAME.

    Editors use data/GAME/experiment.schema.json to complete and check experiments.
    """
    say_files(write_experiment_schema(open_named_game(obj, options)))


@lab.command()
@click.argument("results", nargs=-1, required=True, metavar="RESULT [RESULT]", type=click.Path(path_type=Path))
@click.option("--pdf", is_flag=True, help="Write the report as a PDF in each language.")
@click.option("--html", is_flag=True, help="Write the report as a web page.")
@LANG
@OUT
@PROJECT
@click.pass_obj
def show(obj: Path | None, /, results: tuple[Path, ...], **options: Any) -> None:
    """Show a stored RESULT, or compare two."""
    require_libraries()
    if len(results) > 2:
        raise click.UsageError("pnp can compare at most two results; name one or two")
    if kinds := tuple(kind for kind in _KINDS if options[kind]):
        project, out, trusted = open_project(obj, options), Path(options["out"]), options["trusted"]
        for source in results:
            say_files(write_report(project, source, out, options["languages"], kinds, trusted=trusted))
        return
    if len(results) == 1 and (skill := read_skill_file(results[0])):
        say_text(format_skill(skill))
        return
    opened = [read_result_file(path) for path in results]
    say_text(format_any_result(opened[0]) if len(opened) == 1 else format_comparison(*opened))


def open_named_game(obj: Path | None, options: dict[str, Any]) -> LabGame:
    """Return the game that a command names."""
    return open_lab_game(open_project(obj, options), options["game"], trusted=options["trusted"])


def make_experiment(
    lab_game: LabGame, arms: Any, players: tuple[int, ...], options: dict[str, Any], grids: tuple[SweepGrid, ...] = ()
) -> Experiment:
    """Return the experiment that a command describes, and save it if requested."""
    cells = make_cells(lab_game, players, options["bots"])
    games = options["games"] or (_MORE if options.get("kept") is not None else _USUAL)
    experiment = Experiment(arms, cells, options["run"], games=games, grids=grids)
    save_experiment(lab_game, experiment, options)
    return spread_grids(lab_game, experiment)


def save_experiment(lab_game: LabGame, experiment: Experiment, options: dict[str, Any]) -> None:
    """Write the experiment's file and print its path if the option to save it is given."""
    if options["saved"]:
        write_experiment(experiment, lab_game.game.id, options["saved"])
        say(path_from_here(options["saved"]), err=True)


def play_and_report(
    lab_game: LabGame, experiment: Experiment, name: str, options: dict[str, Any], effort: Effort | None = None
) -> Result:
    """Play the experiment, store it as `name`, print result and path, return the result. Exit with 130 after Ctrl+C."""
    target = Path(options["out"]) / lab_game.game.id / name
    result, stopped = run_experiment(lab_game, experiment, target, effort or make_effort(experiment, options))
    tell_result(format_any_result(result), target, stopped=stopped)
    return result


def tell_result(text: str, target: Path, *, stopped: bool) -> None:
    """Print a result and the path of its file. Exit with 130 if Ctrl+C stopped the command."""
    say_text(text)
    say(path_from_here(target), err=True)
    if stopped:
        sys.exit(STOPPED)


def make_effort(experiment: Experiment, options: dict[str, Any]) -> Effort:
    """Return how much to play and with which workers, from the options of `limit_options`."""
    games = options["games"] or (max(_MANY, experiment.games) if options["until"] else experiment.games)
    return make_default_effort(options, games, decided=bool(experiment.asked.margins) and not options["games"])


def make_default_effort(options: dict[str, Any], games: int = _USUAL, *, decided: bool = False) -> Effort:
    """Return the effort for `games` games or the time in the options; `decided`: until all margins are decided."""
    return Effort(
        limit=Limit(games, options["until"], decided),
        seconds=options["seconds"],
        crew=options["crew"],
        trusted=options["trusted"],
        kernels=Path(click.get_app_dir("pnp"), "kernels") if options["fast"] else None,
        anew=not options["resume"],
        told=progress(),
    )


def _parse_arms(_context: click.Context, _option: click.Parameter, texts: tuple[str, ...]) -> tuple[Arm, ...]:
    """Parse texts such as `E3=ten` or `rules.hand=4`; return an arm for each, named after its changes."""
    arms = []
    for text in texts:
        try:
            given = dict(parse_option(part) for part in text.split())
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
    callback=_parse_arms,
    help="Also solve with other readings (E13=optional) or numbers (rules.loop_cost=2); repeatable.",
)
@click.option("--played", type=click.IntRange(0, 1_000_000), default=200, show_default=True, metavar="N",
              help="Number of deals that bots play without knowing the order of the cards.")  # fmt: skip
@click.option("--states", type=click.IntRange(1, 10_000_000), default=20_000, show_default=True, metavar="N",
              help="Maximum number of states to search before a deal counts as undecided.")  # fmt: skip
@bots_option("Bot to play the deals with; repeatable. The look-ahead bot always plays.", "random")
@SEED
@limit_options("Search N deals (default: 1000).")
@click.pass_obj
def solve(obj: Path | None, /, **options: Any) -> None:
    """Count the deals of a solitaire GAME that can be won.

    pnp searches each deal with the order of the cards known. Bots then play without knowing it.
    """
    of, arms = open_named_game(obj, options), (*UNCHANGED, *options["arms"])
    cells = tuple(Cell(1, (bot,)) for bot in dict.fromkeys((*options["bots"], "look-ahead")))
    played_too = Experiment(arms, cells, options["run"], (WIN,), games=options["played"] or 1)
    effort = make_effort(played_too, options)
    deals = options["games"] or _USUAL
    target = Path(options["out"]) / of.game.id / "lab-solve.json"
    search = Search(states=options["states"])
    solved, stopped = run_solver(of, arms, options["run"], search, deals, target, effort)
    played = None
    if options["played"] and not stopped:
        few = replace(effort, limit=Limit(min(options["played"], deals), 0.0, decided=False), seconds=0.0)
        played, stopped = run_experiment(of, played_too, target.with_name("lab-solve-bots.json"), few)
    tell_result(format_solved(solved, played), target, stopped=stopped)
