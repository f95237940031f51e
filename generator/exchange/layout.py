"""The commands of `layout`: templates for drawing programs."""

from pathlib import Path
from typing import Any

import click

from generator.commands.options import PROJECT, open_project, say_files, say_notes


@click.group()
def layout() -> None:
    """Edit templates in a drawing program."""


@layout.command()
@click.argument("template", metavar="GAME/KIND")
@click.option("--design", "design", default="", metavar="ID", help="Card to show (default: the first of its kind).")
@click.option("--lang", default="", metavar="LANG", help="Language of that card (default: the game's first).")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="File to write (default: KIND.layout.svg beside the template, where its pictures are found).",
)
@PROJECT
@click.pass_obj
def export(obj: Path | None, /, **options: Any) -> None:
    """Write a template as an SVG for Inkscape.

    GAME/KIND is a kind of component, or the path of a template. Texts keep their {{ ... }}; frames, pictures and icons
    have names. A real card is beside the drawing. pnp lists what only code can draw. Save the edited file as
    templates/GAME/KIND.svg.
    """
    from generator.exchange.layout_export import export_layout

    project = open_project(obj, {**options, "languages": ()})
    done = export_layout(project, options["template"], options["design"], options["lang"], options["out"])
    say_files(done.files)
    say_notes(done.notes)
