"""The command that compares two states of a game: diff."""

import json
from pathlib import Path
from typing import Any

import click

from generator.cli.group import pnp
from generator.cli.options import OUT, PROJECT, open_project, path_from_here, progress
from generator.cli.output import say, say_text
from generator.cli.stored import trusts


@pnp.command()
@click.argument("since", metavar="A")
@click.argument("until", metavar="[B]", default="")
@click.option("--game", default="", metavar="GAME", help="Of which game, where A and B do not say it.")
@click.option("--lang", "languages", multiple=True, metavar="LANG", help="Texts of this language alone; repeatable.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html", "pdf"]),
    default="text",
    show_default=True,
    help="On the terminal (text, json), or as diff.<lang>.html and diff.<lang>.pdf.",
)
@OUT
@click.option("--all", "whole", is_flag=True, help="Leave nothing out of the text.")
@click.option("--exit-code", is_flag=True, help="End with 1 where anything differs.")
@PROJECT
@click.pass_obj
def diff(obj: Path | None, /, **options: Any) -> None:
    """Compare two states of a game: components, numbers, switches, wording and the sentences of the books.

    A and B are records, git:REV, games (as two drafts of one) or folders of projects; B is the project as it is if it
    is left out.
    """
    from generator.commands.diff import DiffOrder, open_comparison, write_pages
    from generator.versions.difference_text import as_data, difference_lines

    explicit, project = options["trusted"], open_project(obj, options)
    names = (options["since"], options["until"], options["game"])
    order = DiffOrder(*names, options["languages"], lambda root: explicit or trusts(project.root, root) or trusts(root))
    with open_comparison(project, order, progress()) as found:
        if options["form"] == "json":
            say_text(json.dumps(as_data(found.found), ensure_ascii=False, indent=2) + "\n")
        elif options["form"] == "text":
            for line in difference_lines(found.found, whole=options["whole"]):
                say(line)
        else:
            for path in write_pages(project, found, options["form"], options["languages"], options["out"], progress()):
                say(path_from_here(path))
        differs = not found.found.is_empty
    if differs and options["exit_code"]:
        raise SystemExit(1)
