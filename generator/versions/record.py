"""The command `record`, and the option of `build` that does the same."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.commands.build import BuildStep
from generator.commands.options import GAMES, LANGS, PROJECT, open_project, order_from_options, progress, say_files
from generator.commands.settings import REUSE

if TYPE_CHECKING:
    from generator.game.project import Project
    from generator.versions.record_games import RecordOrder


_REPLACE_HELP = "Overwrite an existing snapshot of this name."


def _make_record_order(options: dict[str, Any], project: "Project") -> "RecordOrder | None":
    """Return the order to record a build, or None.

    Raise a usage error for a part of a game, and ProblemsFound if an existing record would be lost.
    """
    from generator.versions.record_games import RecordOrder, check_recordable

    if options["record"] is None:
        if options["replaced"]:
            raise click.UsageError("--replace needs a snapshot; name it with --snapshot")
        return None
    if options["only"] or options["copies"] is not None:
        raise click.UsageError("--snapshot saves the whole box; leave --only and --copies out")
    order = order_from_options(RecordOrder, options, name=options["record"])
    check_recordable(project, options["games"], order)
    return order


def _list_record_files(project: "Project", order: "RecordOrder", files: Iterable[Path]) -> tuple[Path, ...]:
    from generator.versions.record_games import record_files

    return record_files(project, order, files)


RECORD_STEP = BuildStep(
    (
        click.Option(
            ["--snapshot", "--record", "record"],
            metavar="NAME",
            help="Save a snapshot in records/<game>/NAME.json, for `pnp changed`.",
        ),
        click.Option(["--replace", "replaced"], is_flag=True, help=_REPLACE_HELP),
    ),
    _make_record_order,
    _list_record_files,
)
"""The options and files of `pnp build --snapshot` (formerly `--record`)."""


@click.command()
@click.argument("name")
@GAMES
@LANGS
@click.option("--replace", "replaced", is_flag=True, help=_REPLACE_HELP)
@REUSE
@PROJECT
@click.pass_obj
def record(obj: Path | None, /, **options: Any) -> None:
    """Save a snapshot of the game as you print it.

    pnp writes records/<game>/NAME.json. Later `pnp changed` compares the game with it. To print and save in one step,
    use `pnp build --snapshot NAME`.
    """
    from generator.versions.record_games import RecordOrder, record_games
    from generator.versions.records import FOLDER

    project = open_project(obj, options)
    order = order_from_options(RecordOrder, options, out=project.root / FOLDER)
    say_files(record_games(project, options["games"], order, progress()))
