"""The command that fetches tables from the web: pull."""

from pathlib import Path
from typing import Any

import click

from generator.cli.group import pnp
from generator.cli.options import GAMES, PROJECT, open_project, progress
from generator.cli.output import say
from generator.errors import ProblemsFound


@pnp.command()
@GAMES
@PROJECT
@click.pass_obj
def pull(obj: Path | None, /, **options: Any) -> None:
    """Fetch the tables that the GAMES name by address, and keep a copy of each in the project.

    It says what has changed in them. Every other command takes the copies and asks nobody.
    """
    from generator.commands.pull.tables import pull_tables

    pulled = pull_tables(open_project(obj, options), options["games"], progress())
    for line in pulled.lines:
        say(line)
    if pulled.problems:
        raise ProblemsFound(pulled.problems)
