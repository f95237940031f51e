"""The commands `lab cards`, `skill`, `sweep` and `run`: experiments of each kind."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from generator.base.errors import InvalidInput
from generator.books.measure_names import WIN_IN_TURN
from generator.commands.command_line import say
from generator.commands.options import open_project, order_from_options
from generator.lab.card_experiments import make_restricted_arms, plan_cards
from generator.lab.card_records import CardWishes
from generator.lab.commands.lab_group import (
    BOTS,
    SAVE,
    SEED,
    TABLES,
    bots_option,
    lab,
    limit_options,
    make_default_effort,
    make_effort,
    make_experiment,
    open_named_game,
    play_and_report,
    players_option,
    save_experiment,
    tell_result,
)
from generator.lab.experiment import UNCHANGED, Experiment, make_strategy_arms
from generator.lab.experiment_file import read_aimed_sweep, read_experiment
from generator.lab.experiment_runs import LabGame, find_smallest, make_cells
from generator.lab.skill_result import SkillQuestion, SkillWork
from generator.lab.skill_run import CostEstimate, format_skill, run_skill
from generator.lab.sweep_text import format_smallest
from generator.lab.sweeps import SweepGrid, SweepRange, parse_range


@lab.command()
@click.argument("game")
@click.option(
    "--played",
    multiple=True,
    metavar="ZONE",
    help="Count a card as played if it moves from a hand to this zone, such as `set`; repeatable.",
)
@click.option("--better", multiple=True, metavar="FIELD", help="Field whose larger numbers are better; repeatable.")
@click.option("--worse", multiple=True, metavar="FIELD",
              help="Field whose larger numbers are worse, such as `cost`; repeatable.")  # fmt: skip
@click.option(
    "--without",
    multiple=True,
    metavar="CARD",
    help="Measure what a player loses without this card, kind of card, or `each` card; repeatable.",
)
@click.option("--may", multiple=True, metavar="MOVE",
              help="Move with the card that --without still allows, such as `discard`; repeatable.")  # fmt: skip
@players_option("Play with N players (default: the maximum); repeatable, with one report for all.")
@BOTS
@SEED
@SAVE
@limit_options()
@click.pass_obj
def cards(obj: Path | None, /, **options: Any) -> None:
    """Report how often each card is drawn, played and wins."""
    of = open_named_game(obj, options)
    cells = make_cells(of, options["players"] or (of.game.players.most,), options["bots"])
    games = {"games": options["games"]} if options["games"] else {}
    if options["without"]:
        refuse_until(options)
        arms = make_restricted_arms(of, options["without"], options["may"], cells[0].players)
        experiment = Experiment(arms, cells, options["run"], (WIN_IN_TURN,), **games)
        save_experiment(of, experiment, options)
        play_and_report(of, experiment, "lab-without.json", options)
    else:
        wishes = order_from_options(CardWishes, options)
        experiment = Experiment(UNCHANGED, cells, options["run"], wishes=wishes, **games)
        save_experiment(of, experiment, options)
        follow_cards(of, experiment, wishes, "lab-cards.json", options)


def follow_cards(
    lab_game: LabGame, experiment: Experiment, wishes: CardWishes, name: str, options: dict[str, Any]
) -> None:
    """Play an experiment that tracks cards, store it as `name`, and print the result. Refuse --until."""
    refuse_until(options)
    play_and_report(lab_game, replace(experiment, cards=plan_cards(lab_game, experiment.cells, wishes)), name, options)


def refuse_until(options: dict[str, Any]) -> None:
    """Raise a usage error if --until is given, because results about cards can't stop early."""
    if options["until"]:
        raise click.UsageError("--until does not work here; use --games or --for")


@lab.command()
@click.argument("game")
@click.argument("names", nargs=-1, metavar="[STRATEGY ...]")
@players_option("Play with N players (default: the fewest and the most); repeatable.")
@bots_option("Bot in the other seats; repeatable.", "greedy")
@SEED
@limit_options()
@click.pass_obj
def strategies(obj: Path | None, /, **options: Any) -> None:
    """Find strategies of one sentence that win too often.

    They play against bots. data/GAME/play.yaml lists them under `strategies`. Name STRATEGIES to play only these.
    """
    refuse_until(options)
    of = open_named_game(obj, options)
    arms = make_strategy_arms(of.game, of.rules, options["names"])
    players = options["players"] or tuple({of.game.players.fewest: 0, of.game.players.most: 0})
    experiment = replace(make_experiment(of, arms, players, {**options, "saved": None}), measures=(WIN_IN_TURN,))
    play_and_report(of, experiment, "lab-strategies.json", options)


_LADDER = ("random", "greedy", "search:50", "search:200")
_TOLD_FROM = 20.0
"""The estimated time is printed before play if it is at least this long (seconds)."""


@lab.command()
@click.argument("game")
@players_option("Play with N players (default: the minimum); repeatable.")
@bots_option(f"Bot to play with, the weakest first; repeatable (default: {', '.join(_LADDER)}).")
@click.option("--grid", "pairs", is_flag=True, help="Play all pairs of bots (default: only neighbours in strength).")
@click.option(
    "--deals",
    type=click.IntRange(0, 1_000_000),
    metavar="N",
    help="Number of deals to measure luck with, each played 10 times (default: 200, or 0 for bots that search).",
)
@SEED
@SAVE
@limit_options("Play N seeds of each match (default: 400, fewer for bots that search).")
@click.pass_obj
def skill(obj: Path | None, /, **options: Any) -> None:
    """Measure how much better players win, and the share of luck.

    Bots of increasing strength play each other. The report rates each bot and splits the luck by its sources.
    """
    of = open_named_game(obj, options)
    players = tuple(sorted(set(options["players"]))) or (of.game.players.fewest,)
    cells = make_cells(of, players, tuple(dict.fromkeys(options["bots"])) or _LADDER)
    work = SkillWork(options["games"], options["deals"], options["pairs"])
    experiment = Experiment(UNCHANGED, cells, options["run"], skill=work)
    save_experiment(of, experiment, options)
    compare_bots(of, experiment, work, "lab-skill.json", options)


def compare_bots(
    lab_game: LabGame, experiment: Experiment, work: SkillWork, name: str, options: dict[str, Any]
) -> None:
    """Play an experiment that compares bots, store it as `name`, print the result. Exit with 130 after Ctrl+C."""
    if options["until"]:
        raise click.UsageError("--until does not work with lab skill; use --games, --deals or --for")
    if options["games"]:
        work = replace(work, seeds=options["games"])
    players = tuple(dict.fromkeys(cell.players for cell in experiment.cells))
    bots = tuple(dict.fromkeys(cell.bots[0] for cell in experiment.cells))
    target = Path(options["out"]) / lab_game.game.id / name
    asked = SkillQuestion(players, bots, experiment.run)
    result, stopped = run_skill(lab_game, asked, work, target, make_default_effort(options), _report_costs)
    tell_result(format_skill(result), target, stopped=stopped)


def _report_costs(costs: CostEstimate) -> None:
    if costs.seconds < _TOLD_FROM:
        return
    for players, games in costs.games.items():
        each = ", ".join(f"{bot} {seconds:.2g} s" for bot, seconds in games.items())
        say(f"a game of {players} by {each}", err=True)
    minutes = costs.seconds / 60
    told = f"{minutes:.0f} min" if minutes >= 1 else f"{costs.seconds:.0f} s"
    say(f"about {told} in all; --for stops earlier, Ctrl+C keeps what was played", err=True)


_SCREENED = 200
"""Games of each point in the first round, which drops points that clearly miss an aim."""

_SECTIONS = ("rules", "components")


def _parse_axes(_context: click.Context, _argument: click.Parameter, texts: tuple[str, ...]) -> tuple[SweepRange, ...]:
    axes = list[SweepRange]()
    for text in texts:
        name, equals, values = text.partition("=")
        if not (name and equals):
            raise click.BadParameter(f"'{text}' is not a range; write rules.hand=3..7")
        if "." in name and name.partition(".")[0] not in _SECTIONS:
            raise click.BadParameter(f"'{name}' is neither in `rules` nor in `components`; write rules.hand=3..7")
        if name in [axis.name for axis in axes]:
            raise click.BadParameter(f"'{name}' is given twice; write its values in one range")
        try:
            axes.append(parse_range(name, values))
        except InvalidInput as error:
            raise click.BadParameter(f"{name}: {error}; {error.hint}") from error
    if all(len(axis.values) == 1 for axis in axes):
        raise click.BadParameter("each name has only one value; write a range such as rules.hand=3..7")
    return tuple(axes)


@lab.command()
@click.argument("game")
@click.argument("axes", nargs=-1, required=True, metavar="NAME=RANGE...", callback=_parse_axes)
@click.option(
    "--screen",
    "walks",
    type=click.IntRange(2, 200),
    metavar="N",
    help="Find out which numbers matter, with N walks of Morris' method instead of all combinations.",
)
@click.option("--aims", "aimed_at", type=click.Path(path_type=Path), metavar="FILE.yaml",
              help="Find the smallest change that meets the aims of this experiment.")  # fmt: skip
@TABLES
@limit_options("Play N games for each variant and number of players (default: 1000; with --aims 200).")
@click.pass_obj
def sweep(obj: Path | None, /, **options: Any) -> None:
    """Play GAME with every combination of some values.

    Example: rules.hand=3..7 'components.reel.designs.*.count=*1..3'. A RANGE is 3..7, 3..7:2, 1,2,4, or *1..3. *1..3
    multiplies the value in the data. A * in a NAME matches anything.
    """
    grid = SweepGrid("sweep", options["axes"], walks=options["walks"] or 0, run=options["run"])
    if options["walks"] and (options["aimed_at"] or options["saved"]):
        raise click.UsageError("--screen excludes --aims and --save; screen first, then sweep the numbers that matter")
    if options["aimed_at"]:
        project = open_project(obj, options)
        of, experiment = read_aimed_sweep(
            project, options["game"], options["aimed_at"], grid, trusted=options["trusted"]
        )
        target = Path(options["out"]) / of.game.id / "lab-sweep.json"
        screening = {**options, "games": options["games"] or _SCREENED}
        found, stopped = find_smallest(of, experiment, target, make_effort(experiment, screening))
        tell_result(format_smallest(found), target, stopped=stopped)
        return
    of = open_named_game(obj, options)
    players = options["players"] or (of.game.players.most,)
    play_and_report(
        of,
        make_experiment(of, UNCHANGED, players, options, (grid,)),
        f"lab-{'screen' if grid.walks else 'sweep'}.json",
        options,
    )


@lab.command()
@click.argument("file", type=click.Path(path_type=Path))
@limit_options("Play N games for each variant and number of players (default: as FILE says, or 1000).")
@click.pass_obj
def run(obj: Path | None, /, **options: Any) -> None:
    """Play the experiment in FILE.yaml (see `pnp guide lab`)."""
    of, experiment = read_experiment(open_project(obj, options), options["file"], trusted=options["trusted"])
    name = f"lab-{options['file'].stem}.json"
    if experiment.skill is not None:
        compare_bots(of, experiment, experiment.skill, name, options)
    elif experiment.wishes is not None:
        follow_cards(of, experiment, experiment.wishes, name, options)
    else:
        play_and_report(of, experiment, name, options)
