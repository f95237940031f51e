"""The short commands `import`, `pull` and `read-aloud`."""

from pathlib import Path
from typing import Any

import click

from generator.base.errors import ProblemsFound, to_one_line
from generator.commands.command_line import say, say_text
from generator.commands.options import (
    GAMES,
    LANG,
    ONLY,
    OUT,
    PROJECT,
    QUIET,
    VERBOSE,
    AddedChoice,
    is_quiet,
    open_project,
    order_from_options,
    parse_address,
    path_from_here,
    progress,
    say_done,
)
from generator.commands.orders import carry_out

_MOST_SHOWN = 20
"""Maximum number of files, and of things not imported, that the command lists."""


@click.command(name="import")
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("name", default="")
@click.option(
    "--as",
    "program",
    type=AddedChoice("importers"),
    help="Program that made SOURCE (default: recognise it from its files).",
)
@QUIET
@VERBOSE
def import_(source: Path, name: str, program: str | None) -> None:
    """Convert a project of another program.

    SOURCE is a folder, a .zip or an .mse-set. pnp writes the new project to the folder NAME. It copies tables
    unchanged and runs no code from SOURCE. IMPORT.md lists everything that could not be converted.
    """
    from generator.exchange.import_project import import_project

    made = import_project(Path.cwd(), source, name, program or "", progress())
    shown = [] if is_quiet() else [path_from_here(path) for path in made.files]
    for path in shown[:_MOST_SHOWN]:
        say(path)
    if len(shown) > _MOST_SHOWN:
        say(f"and {len(shown) - _MOST_SHOWN} more")
    if made.unread:
        things = "1 thing" if len(made.unread) == 1 else f"{len(made.unread)} things"
        say(err=True)
        say(f"From {made.program}; {things} did not come over (IMPORT.md lists all):", err=True)
        for one in made.unread[:_MOST_SHOWN]:
            say(f"{one}", err=True)
        if len(made.unread) > _MOST_SHOWN:
            say(f"and {len(made.unread) - _MOST_SHOWN} more", err=True)
    if shown:
        say_text(f"\nNow:  cd {to_one_line(path_from_here(made.root))}\n      pnp build\n")


@click.command()
@GAMES
@PROJECT
@click.pass_obj
def pull(obj: Path | None, /, **options: Any) -> None:
    """Download the tables that a game reads from the web.

    pnp keeps a copy of each table in the project and lists what changed. Every other command reads the copies and
    needs no connection.
    """
    from generator.exchange.pull_tables import pull_tables

    pulled = pull_tables(open_project(obj, options), options["games"], progress())
    for line in pulled.lines:
        say(line)
    if pulled.problems:
        raise ProblemsFound(pulled.problems)


@click.command()
@GAMES
@LANG
@OUT
@ONLY
@click.option(
    "--url",
    default="",
    metavar="BASE",
    help="Web address where you will put the page; QR codes on the page and labels lead to it.",
)
@click.option(
    "--braille",
    is_flag=True,
    help="Also write read-aloud.<lang>.brf for braille embossers, in English and German (needs liblouis).",
)
@PROJECT
@click.pass_obj
def read_aloud(obj: Path | None, /, **options: Any) -> None:
    """Write every piece as text for screen readers.

    pnp writes OUT/<game>/read-aloud.<lang>.txt and .html. Icons appear by name.
    """
    from generator.exchange.read_aloud import AloudOrder

    project = open_project(obj, options)
    order = order_from_options(AloudOrder, options | {"url": parse_address(options["url"])})
    done = carry_out(project, options["games"], order, progress())
    say_done(done)
