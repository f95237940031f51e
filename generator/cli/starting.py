"""The command that begins a project: new."""

from pathlib import Path

import click

from generator.cli.group import pnp
from generator.cli.options import path_from_here


@pnp.command()
@click.argument("name")
@click.option(
    "--from",
    "starter",
    type=click.Choice(["cards", "board", "csv"]),
    default="cards",
    show_default=True,
    help="A card game; a board with tokens and pawns; the card game with its cards in a spreadsheet.",
)
@click.option(
    "--lang",
    "langs",
    type=click.Choice(["ja", "en"]),
    multiple=True,
    help="In this language alone, instead of in both.",
)
def new(name: str, starter: str, langs: tuple[str, ...]) -> None:
    """Make a project in the new folder NAME: a small game that builds at once, to be changed into your own."""
    from generator.commands.new import new_project

    for path in new_project(Path.cwd(), name, starter, langs):
        click.echo(path_from_here(path))
    click.echo(
        f"\nNow:  cd {name}\n      pnp build\n\nThen open README.md there: it says what to change in which file."
    )
