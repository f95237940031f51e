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
    help="Starter: a small game (cards, board, csv), an empty project (blank) or a layout; gallery shows all.",
)
@click.option(
    "--lang",
    "langs",
    type=click.Choice(["ja", "en"]),
    multiple=True,
    help="Language of the project (default: both).",
)
def new(name: str | None, starter: str, langs: tuple[str, ...]) -> None:
    """Start a project from a starter.

    pnp creates the folder NAME with a project that builds at once. Change it into your own game. Use . for the current
    folder; pnp keeps the files in it. Run `pnp new --from gallery` to see pictures of all starters.
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
        "\nNow:  "
        + "\n      ".join(steps)
        + "\n\nThen open README.md in the new folder. It explains which file to change.\n"
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
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Write all guides to this folder.")
def guide(name: str | None, out: Path | None) -> None:
    """Print a guide.

    Without NAME, pnp lists all guides. Use --out docs to write them to a folder, with their pictures.
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
        raise click.UsageError(f"unknown guide '{name}'; {did_you_mean(name, GUIDES)}")
    say_text(text_of(name))
