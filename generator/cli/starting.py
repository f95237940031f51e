"""The commands that begin: new makes a project, import one of what another program has, guide tells how to go on."""

from pathlib import Path

import click

from generator.cli.group import pnp
from generator.cli.options import QUIET, VERBOSE, is_quiet, path_from_here, progress
from generator.cli.output import say, say_text
from generator.errors import did_you_mean, in_one_line

GALLERY = "gallery"
_STARTERS = (
    "cards", "board", "csv", "blank",
    "fantasy", "economy", "stats", "tarot", "domino", "hexagons", "mat", "dice", "standee",
)  # fmt: skip


@pnp.command()
@click.argument("name", required=False)
@click.option(
    "--from",
    "starter",
    type=click.Choice([*_STARTERS, GALLERY]),
    default="cards",
    show_default=True,
    help="A whole small game (cards, board, csv: its cards in a spreadsheet), blank, or a layout; gallery shows them.",
)
@click.option(
    "--lang",
    "langs",
    type=click.Choice(["ja", "en"]),
    multiple=True,
    help="In this language alone, instead of in both.",
)
def new(name: str | None, starter: str, langs: tuple[str, ...]) -> None:
    """Make a project in the folder NAME (. is this one) that builds at once, to be changed into your own.

    Files that are there already stay as they are. --from gallery writes a page with pictures of what to begin from.
    """
    if starter == GALLERY:
        _show(langs)
        return
    if name is None:
        raise click.UsageError("Missing argument 'NAME'.")
    from generator.commands.begin.new import HERE, new_project

    for path in new_project(Path.cwd(), name, starter, langs):
        say(path_from_here(path))
    steps = ["pnp build"] if name == HERE else [f"cd {name}", "pnp build"]
    say_text(
        "\nNow:  " + "\n      ".join(steps) + "\n\nThen open README.md there: it says what to change in which file.\n"
    )


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


_MOST_SHOWN = 20
"""So many files, and things that did not come over, are shown."""


def _show(langs: tuple[str, ...]) -> None:
    """The page of all that a project can begin from, and where it lies."""
    from generator.commands.begin.gallery import gallery

    made = gallery(Path.cwd(), langs)
    for name, line in made.lines.items():
        say(f"{name:<10}{line}")
    say()
    say(f"{path_from_here(made.page)} shows each. Begin with one:  pnp new my-game --from {next(iter(made.lines))}")


@pnp.command()
@click.argument("name", required=False)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Write all guides into this folder.")
def guide(name: str | None, out: Path | None) -> None:
    """Print the guide NAME; without a name, list all of them.

    --out docs writes them with their pictures, to be read in an editor or on a page.
    """
    from generator.commands.begin.guides import GUIDES, copy_guides
    from generator.commands.begin.guides import guide as text_of

    if out is not None:
        if name is not None:
            raise click.UsageError("--out writes all guides; leave NAME out")
        for path in copy_guides(out):
            say(path_from_here(path))
        return
    if name is None:
        for each, about in GUIDES.items():
            say(f"{each:<14}{about}")
        return
    if name not in GUIDES:
        raise click.UsageError(f"There is no guide '{name}'; {did_you_mean(name, GUIDES)}")
    say_text(text_of(name))
