"""The command `lab cards`: what each card is worth."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli.laboratory.experiments import HOW_MUCH, SAVE, SEED, game_of, lab, play_out, save_experiment
from generator.cli.options import order_from_options

if TYPE_CHECKING:
    from generator.commands.laboratory.experiments import LabGame
    from generator.lab.cards.following import CardWishes
    from generator.lab.experiment import Experiment


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
@SEED
@SAVE
@HOW_MUCH
@click.pass_obj
def cards(obj: Path | None, /, **options: Any) -> None:
    """Tell of each card of GAME how often it is drawn and played, and who wins with it."""
    from generator.commands.laboratory.cards import arms_without
    from generator.commands.laboratory.experiments import cells_of
    from generator.lab.cards.following import CardWishes
    from generator.lab.experiment import Experiment, as_it_is
    from generator.lab.naming import WIN_IN_TURN

    of = game_of(obj, options)
    cells = cells_of(of, options["players"] or (of.game.players.most,), options["bots"])
    games = {"games": options["games"]} if options["games"] else {}
    if options["without"]:
        refuse_until(options)
        arms = arms_without(of, options["without"], options["may"], cells[0].players)
        experiment = Experiment(arms, cells, options["run"], (WIN_IN_TURN,), **games)
        save_experiment(of, experiment, options)
        play_out(of, experiment, "lab-without.json", options)
    else:
        wishes = order_from_options(CardWishes, options)
        experiment = Experiment(as_it_is(), cells, options["run"], wishes=wishes, **games)
        save_experiment(of, experiment, options)
        follow_cards(of, experiment, wishes, "lab-cards.json", options)


def follow_cards(
    of: "LabGame", experiment: "Experiment", wishes: "CardWishes", name: str, options: dict[str, Any]
) -> None:
    """Plays an experiment that asks for cards to be followed, and tells of each."""
    from generator.commands.laboratory.cards import card_plan

    refuse_until(options)
    play_out(of, replace(experiment, cards=card_plan(of, experiment.cells, wishes)), name, options)


def refuse_until(options: dict[str, Any]) -> None:
    """Wrong usage where shares of cards are to be known so exactly."""
    if options["until"]:
        raise click.UsageError(
            "--until is for shares of the whole game; say how many with --games, or how long with --for"
        )
