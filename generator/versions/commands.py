"""The commands `record`, `changed` and `diff`."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.commands.build_options import BuildStep
from generator.commands.command_line import say, say_text
from generator.commands.options import (
    FORMAT,
    GAMES,
    LANGS,
    OUT,
    PRINTING,
    PROJECT,
    open_project,
    order_from_options,
    order_of,
    path_from_here,
    progress,
    say_files,
    say_notes,
)
from generator.commands.settings import is_project_trusted

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
"""What `pnp build --record` does."""


@click.command()
@click.argument("name")
@GAMES
@LANGS
@click.option("--replace", "replaced", is_flag=True, help=_REPLACE_HELP)
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
    from generator.commands.print_sheets import PrintOrder
    from generator.versions.print_changes import ChangeOrder, change_lines, changes_to_data
    from generator.versions.print_changes import make_changes as compare_games

    if options["copies"] is not None:
        raise click.UsageError("pnp changed counts the missing copies itself; leave --copies out")
    project = open_project(obj, options)
    asked = ChangeOrder(options["since"], options["until"], order_of(options, project, PrintOrder))
    found = compare_games(project, options["games"], asked, progress())
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


@click.command()
@click.argument("since", metavar="A")
@click.argument("until", metavar="[B]", default="")
@click.option("--game", default="", metavar="GAME", help="Game to compare, if A and B don't name one.")
@click.option(
    "--lang",
    "languages",
    multiple=True,
    metavar="LANG",
    help="Compare texts in this language (default: all); repeatable.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html", "pdf"]),
    default="text",
    show_default=True,
    help="Print text or json, or write diff.<lang>.html or diff.<lang>.pdf.",
)
@OUT
@click.option("--all", "whole", is_flag=True, help="Print all differences, without shortening the lists.")
@click.option("--exit-code", is_flag=True, help="Exit with code 1 if anything differs.")
@PROJECT
@click.pass_obj
def diff(obj: Path | None, /, **options: Any) -> None:
    """Compare two versions of a game.

    pnp compares components, numbers, switches and texts. A and B are snapshots, git:REV, games or project folders.
    Without B, pnp compares A with the current project.
    """
    from generator.versions.diff_games import (
        DiffOrder,
        difference_lines,
        difference_to_data,
        open_comparison,
        write_difference_pages,
    )

    explicit, project = options["trusted"], open_project(obj, options)
    names = (options["since"], options["until"], options["game"])
    order = DiffOrder(
        *names,
        options["languages"],
        lambda root: explicit or is_project_trusted(project.root, root) or is_project_trusted(root),
    )
    with open_comparison(project, order, progress()) as found:
        if options["form"] == "json":
            say_text(json.dumps(difference_to_data(found.found), ensure_ascii=False, indent=2) + "\n")
        elif options["form"] == "text":
            for line in difference_lines(found.found, whole=options["whole"]):
                say(line)
        else:
            for path in write_difference_pages(
                project, found, options["form"], options["languages"], options["out"], progress()
            ):
                say(path_from_here(path))
        differs = not found.found.is_empty
    if differs and options["exit_code"]:
        raise SystemExit(1)
