"""The command `export`: the group of all exports, which packages add."""

import click

from generator.commands.command_line import CommandTable


@click.group(cls=CommandTable)
def export() -> None:
    """Export to online tables and spreadsheets."""
