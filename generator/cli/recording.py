"""Commands about what was printed and what changed since: record, changed."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli.group import pnp
from generator.cli.options import (
    FORMAT,
    GAMES,
    LANGS,
    PRINTING,
    PROJECT,
    open_project,
    order_from_options,
    path_from_here,
    progress,
    say_files,
    say_notes,
)
from generator.cli.orders import order_of
from generator.cli.output import say, say_text

if TYPE_CHECKING:
    from generator.commands.record import RecordOrder
    from generator.load.project import Project

REPLACE = click.option("--replace", "replaced", is_flag=True, help="Let a record of this name be replaced.")


def record_of(options: dict[str, Any], project: "Project") -> "RecordOrder | None":
    """What a build is to record; wrong usage with a part of a game, ProblemsFound where a record would be lost."""
    from generator.commands.record import RecordOrder, refuse

    if options["record"] is None:
        if options["replaced"]:
            raise click.UsageError("--replace is for a record: name it with --record")
        return None
    if options["only"] or options["copies"] is not None:
        raise click.UsageError("--record keeps what is in the whole box: leave --only and --copies out")
    order = order_from_options(RecordOrder, options, name=options["record"])
    refuse(project, options["games"], order)
    return order


@pnp.command()
@click.argument("name")
@GAMES
@LANGS
@REPLACE
@PROJECT
@click.pass_obj
def record(obj: Path | None, /, **options: Any) -> None:
    """Keep what the GAMES look like now as records/<game>/NAME.json, so that `pnp changed` can tell what changed.

    Do it when you print; `pnp build --record NAME` does both.
    """
    from generator.commands.record import RecordOrder, record_games
    from generator.versions.records import FOLDER

    project = open_project(obj, options)
    order = order_from_options(RecordOrder, options, out=project.root / FOLDER)
    say_files(record_games(project, options["games"], order, progress()))


@pnp.command()
@PRINTING
@click.option("--since", default="", metavar="A", help="A record, git:REV or another game (default: newest record).")
@click.option("--until", default="", metavar="B", help="The same (default: the project as it is).")
@FORMAT
@click.pass_obj
def changed(obj: Path | None, /, **options: Any) -> None:
    """Print only what changed in the GAMES since they were recorded: changed.<lang>.pdf and changed-list.<lang>.pdf.

    All copies of new and changed designs, the missing copies of others; the list says what to take out of the box. A
    changed template or palette counts, a comment or the draft's number does not.
    """
    from generator.commands.changed import ChangeOrder
    from generator.commands.changed import make_changes as compare_games
    from generator.commands.printing import PrintOrder
    from generator.versions.change_text import as_data, change_lines

    if options["copies"] is not None:
        raise click.UsageError("pnp changed prints as many copies as the box lacks: leave --copies out")
    project = open_project(obj, options)
    asked = ChangeOrder(options["since"], options["until"], order_of(options, project, PrintOrder))
    found = compare_games(project, options["games"], asked, progress())
    files, gone = ([path_from_here(path) for path in paths] for paths in (found.files, found.removed))
    if options["form"] == "json":
        data = as_data(found.games) | {"files": files, "removed_files": gone}
        say_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    else:
        for line in (line for game in found.games for line in change_lines(game)):
            say(line)
        for path in files:
            say(path)
        for path in gone:
            say(f"{path}: removed, it no longer holds")
    say_notes(found.notes)
