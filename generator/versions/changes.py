"""The command `changed`: prints only the cards changed since a snapshot."""

import json
from pathlib import Path
from typing import Any

import click

from generator.commands.command_line import say, say_text
from generator.commands.options import FORMAT, open_project, path_from_here, progress, say_notes
from generator.commands.print_sheets import PrintOrder
from generator.commands.sheets import PRINTING, print_order_from_options
from generator.versions.print_changes import ChangeOrder, change_lines, changes_to_data, make_changes


@click.command("changed")
@PRINTING
@click.option(
    "--since",
    default="",
    metavar="A",
    help="Old version: a snapshot, git:REV or another game (default: newest snapshot).",
)
@click.option(
    "--until",
    default="",
    metavar="B",
    help="New version: a snapshot, git:REV or another game (default: current project).",
)
@FORMAT
@click.pass_obj
def print_changed(obj: Path | None, /, **options: Any) -> None:
    """Print only the cards changed since a snapshot.

    pnp prints all copies of new and changed designs, and the missing copies of the others. A changed template or
    palette counts as a change; a comment or the draft number does not. changed-list.<lang>.pdf lists what to take out
    of the box.
    """
    if options["copies"] is not None:
        raise click.UsageError("pnp changed counts the missing copies itself; leave --copies out")
    project = open_project(obj, options)
    asked = ChangeOrder(options["since"], options["until"], print_order_from_options(options, project, PrintOrder))
    found = make_changes(project, options["games"], asked, progress())
    files, gone = ([path_from_here(path) for path in paths] for paths in (found.files, found.removed))
    if options["form"] == "json":
        data = changes_to_data(found.games) | {"files": files, "removed_files": gone}
        say_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    else:
        for line in (line for game in found.games for line in change_lines(game)):
            say(line)
        for path in files:
            say(path)
        for path in gone:
            say(f"{path}: removed, it no longer holds")
    say_notes(found.notes)
