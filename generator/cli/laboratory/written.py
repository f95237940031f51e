"""The command `lab run`: an experiment that is written down, of whatever kind."""

from pathlib import Path
from typing import Any

import click

from generator.cli.laboratory.cards import follow_cards
from generator.cli.laboratory.experiments import HOW_MUCH, lab, play_out
from generator.cli.laboratory.skill import hold_bots
from generator.cli.options import open_project


@lab.command()
@click.argument("file", type=click.Path(path_type=Path))
@HOW_MUCH
@click.pass_obj
def run(obj: Path | None, /, **options: Any) -> None:
    """Play the experiment that FILE.yaml describes (docs/lab.md)."""
    from generator.commands.laboratory.experiments import written_experiment

    of, experiment = written_experiment(open_project(obj, options), options["file"], trusted=options["trusted"])
    name = f"lab-{options['file'].stem}.json"
    if experiment.skill is not None:
        hold_bots(of, experiment, experiment.skill, name, options)
    elif experiment.wishes is not None:
        follow_cards(of, experiment, experiment.wishes, name, options)
    else:
        play_out(of, experiment, name, options)
