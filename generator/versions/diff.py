"""The command `diff`: compare two versions of a game."""

import json
from pathlib import Path
from typing import Any

import click

from generator.commands.command_line import say, say_text
from generator.commands.options import OUT, PROJECT, open_project, path_from_here, progress
from generator.commands.settings import is_project_trusted
from generator.versions.diff_games import (
    DiffOrder,
    difference_lines,
    difference_to_data,
    open_comparison,
    write_difference_pages,
)


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
