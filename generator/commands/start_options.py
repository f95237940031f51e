"""Options of new, import and guide."""

from pathlib import Path

import click

from generator.base.errors import did_you_mean
from generator.commands.command_line import say, say_text
from generator.commands.new import CURRENT_FOLDER, STARTERS, new_project
from generator.commands.options import AddedChoice, path_from_here

GALLERY = "gallery"


@click.command()
@click.argument("name", required=False)
@click.option(
    "--from",
    "starter",
    type=AddedChoice("starters", STARTERS, GALLERY),
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
        _show_gallery(langs)
        return
    if name is None:
        raise click.UsageError("Missing argument 'NAME'.")
    for path in new_project(Path.cwd(), name, starter, langs):
        say(path_from_here(path))
    steps = ["pnp build"] if name == CURRENT_FOLDER else [f"cd {name}", "pnp build"]
    say_text(
        "\nNow:  " + "\n      ".join(steps) + "\n\nThen open README.md there: it says what to change in which file.\n"
    )


def _show_gallery(langs: tuple[str, ...]) -> None:
    """Write the page with all starters and print its path."""
    from generator.commands.starter_gallery import write_gallery

    made = write_gallery(Path.cwd(), langs)
    for name, line in made.lines.items():
        say(f"{name:<10}{line}")
    say()
    say(f"{path_from_here(made.page)} shows each. Begin with one:  pnp new my-game --from {next(iter(made.lines))}")


@click.command()
@click.argument("name", required=False)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Write all guides into this folder.")
def guide(name: str | None, out: Path | None) -> None:
    """Print the guide NAME; without a name, list all of them.

    --out docs writes them with their pictures, to be read in an editor or on a page.
    """
    from generator.commands.guide import GUIDES, copy_guides
    from generator.commands.guide import read_guide as text_of

    if out is not None:
        if name is not None:
            raise click.UsageError("--out writes all guides; leave NAME out")
        for path in copy_guides(out):
            say(path_from_here(path))
        return
    if name is None:
        for each, about in GUIDES.items():
            say(f"{each:<22}{about}")
        return
    if name not in GUIDES:
        raise click.UsageError(f"There is no guide '{name}'; {did_you_mean(name, GUIDES)}")
    say_text(text_of(name))
