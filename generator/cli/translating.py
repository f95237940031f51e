"""The commands that send a game's texts to translators and take translations in: translate."""

from pathlib import Path
from typing import Any

import click

from generator.cli.group import pnp
from generator.cli.options import OUT, PROJECT, open_project, progress, say_files, say_notes


@pnp.group()
def translate() -> None:
    """Translate a game: its texts out to a PO file, and the translation back into the game."""


GAME = click.argument("game")


@translate.command("export")
@GAME
@click.option("--to", "lang", required=True, metavar="LANG", help="Into which language: de, fr, pt-BR.")
@click.option("--from", "source", default="", metavar="LANG", help="From which of the game's own (default: English).")
@click.option(
    "--dpi",
    type=click.IntRange(0, 600),
    default=100,
    show_default=True,
    help="Of the pictures that show where texts stand; 0: none.",
)
@OUT
@PROJECT
@click.pass_obj
def export_command(obj: Path | None, /, **options: Any) -> None:
    """Write all texts of a GAME and of its books, with the translation so far and pictures of the pieces."""
    from generator.commands.translate.texts import Export, export_texts

    project = open_project(obj, options)
    order = Export(options["lang"], options["out"], options["dpi"])
    done = export_texts(project, options["game"], options["source"], order, progress())
    say_files(done.files)
    say_notes(done.notes)


@translate.command("import")
@GAME
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--to", "lang", default="", metavar="LANG", help="Into which language, if the file does not say it.")
@PROJECT
@click.pass_obj
def import_command(obj: Path | None, /, **options: Any) -> None:
    """Take a translated FILE into a GAME: data/GAME/translations/LANG.po, and its books.

    If anything is wrong with it, all of it is told and nothing is written. What does not fit on its piece is told.
    """
    from generator.commands.translate.texts import import_texts

    project = open_project(obj, options)
    done = import_texts(
        project, options["game"], options["file"], options["lang"], progress(), trusted=options["trusted"]
    )
    say_files(done.files)
    say_notes(done.notes)


@translate.command("pseudo")
@GAME
@click.option("--from", "source", default="", metavar="LANG", help="From which of the game's own (default: English).")
@click.option("--dpi", type=click.IntRange(30, 600), default=100, show_default=True, help="Of the pictures.")
@OUT
@PROJECT
@click.pass_obj
def pseudo_command(obj: Path | None, /, **options: Any) -> None:
    """Show a GAME in a language that is none: what would not fit, what is hard-wired, what is cut off."""
    from generator.commands.translate.pseudo import show_pseudo

    project = open_project(obj, options)
    where = options["out"], options["dpi"]
    done = show_pseudo(project, options["game"], options["source"], *where, progress(), trusted=options["trusted"])
    say_files(done.files)
    say_notes(done.notes)
