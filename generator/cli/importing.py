"""The command import: a project of what another program has."""

from pathlib import Path

import click

from generator.cli.group import pnp
from generator.cli.options import QUIET, VERBOSE, is_quiet, path_from_here, progress
from generator.cli.output import say, say_text
from generator.errors import in_one_line

_MOST_SHOWN = 20
"""So many files, and things that did not come over, are shown."""


@pnp.command(name="import")
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("name", default="")
@click.option(
    "--as",
    "program",
    type=click.Choice(["squib", "nandeck", "cardmaker", "component-studio", "magic-set-editor", "tables"]),
    help="What it was made with; else its files tell.",
)
@QUIET
@VERBOSE
def import_(source: Path, name: str, program: str | None) -> None:
    """Make a project in the folder NAME of another program's: SOURCE is its folder, a .zip or an .mse-set.

    Tables stay as they are, and nothing of it is run. What could not come over is listed, in IMPORT.md too.
    """
    from generator.commands.begin.bring import bring

    made = bring(Path.cwd(), source, name, program or "", progress())
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
        say_text(f"\nNow:  cd {in_one_line(path_from_here(made.root))}\n      pnp build\n")
