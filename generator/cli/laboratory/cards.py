"""The command `lab cards`: what each card is worth."""

import sys
from pathlib import Path
from typing import Any

import click

from generator.cli.laboratory.experiments import HOW_MUCH, STOPPED, game_of, lab, usual_effort
from generator.cli.options import order_from_options, path_from_here


@lab.command()
@click.argument("game")
@click.option(
    "--played",
    multiple=True,
    metavar="ZONE",
    help="Count as played only what goes from a hand there, as `set`; repeatable.",
)
@click.option("--better", multiple=True, metavar="FIELD", help="A number that is better the larger; repeatable.")
@click.option("--worse", multiple=True, metavar="FIELD", help="One that is worse the larger, as `cost`; repeatable.")
@click.option(
    "--without",
    multiple=True,
    metavar="CARD",
    help="Instead: what a seat loses that may not use this card, or kind of card, or `each`; repeatable.",
)
@click.option("--may", multiple=True, metavar="MOVE", help="A move by which it may, as `discard`; repeatable.")
@click.option(
    "--players",
    type=click.IntRange(1),
    multiple=True,
    metavar="N",
    help="With N players; repeatable, told together (default: the most).",
)
@click.option(
    "--bot", "bots", multiple=True, metavar="BOT", default=("random",), show_default=True, help="Who plays; repeatable."
)
@click.option(
    "--seed",
    "run",
    type=click.IntRange(0, 2**63 - 1),
    default=1,
    metavar="N",
    show_default=True,
    help="The run: its games are numbered from 0.",
)
@HOW_MUCH
@click.pass_obj
def cards(obj: Path | None, /, **options: Any) -> None:
    """Tell of each card of GAME how often it is drawn and played, and who wins with it."""
    from generator.commands.laboratory.cards import CardWishes, arms_without, card_plan, told_result
    from generator.commands.laboratory.experiments import carry_out, cells_of
    from generator.lab.experiment import Experiment, as_it_is
    from generator.lab.measures import WIN_IN_TURN

    if options["until"]:
        raise click.UsageError(
            "--until is for shares of the whole game; say how many with --games, or how long with --for"
        )
    of = game_of(obj, options)
    cells = cells_of(of, options["players"] or (of.game.players.most,), options["bots"])
    if options["without"]:
        arms = arms_without(of, options["without"], options["may"], cells[0].players)
        experiment = Experiment(arms, cells, options["run"], (WIN_IN_TURN,))
        name = "lab-without.json"
    else:
        experiment = Experiment(
            as_it_is(), cells, options["run"], cards=card_plan(of, cells, order_from_options(CardWishes, options))
        )
        name = "lab-cards.json"
    target = Path(options["out"]) / of.game.id / name
    result, stopped = carry_out(of, experiment, target, usual_effort(options, options["games"] or experiment.games))
    click.echo(told_result(result), nl=False)
    click.echo(path_from_here(target), err=True)
    if stopped:
        sys.exit(STOPPED)
