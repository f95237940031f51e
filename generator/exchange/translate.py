"""The commands of `translate`: export texts for translators, and import translations."""

from pathlib import Path
from typing import Any

import click

from generator.commands.options import OUT, PROJECT, open_project, progress, say_files, say_notes


@click.group()
def translate() -> None:
    """Export texts for translators and import translations."""


GAME = click.argument("game")


@translate.command("export")
@GAME
@click.option("--to", "lang", required=True, metavar="LANG", help="Language to translate to, such as de, fr or pt-BR.")
@click.option("--from", "source", default="", metavar="LANG", help="Language to translate from (default: English).")
@click.option(
    "--dpi",
    type=click.IntRange(0, 600),
    default=100,
    show_default=True,
    help="Resolution of the pictures in pixels per inch; use 0 for no pictures.",
)
@OUT
@PROJECT
@click.pass_obj
def export_command(obj: Path | None, /, **options: Any) -> None:
    """Export all texts of a GAME and its books to a PO file.

    The file includes existing translations. pnp adds pictures that show where each text is printed.
    """
    from generator.exchange.translate_game import TextExport, export_texts

    project = open_project(obj, options)
    order = TextExport(options["lang"], options["out"], options["dpi"])
    done = export_texts(project, options["game"], options["source"], order, progress())
    say_files(done.files)
    say_notes(done.notes)


@translate.command("import")
@GAME
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--to", "lang", default="", metavar="LANG", help="Language of the translation, if the file does not name it."
)
@PROJECT
@click.pass_obj
def import_command(obj: Path | None, /, **options: Any) -> None:
    """Import a translated PO file into a GAME.

    pnp writes data/GAME/translations/LANG.po and the translated books. If the file has errors, pnp reports all of them
    and writes nothing. It also reports texts that don't fit their piece.
    """
    from generator.exchange.translate_game import import_texts

    project = open_project(obj, options)
    done = import_texts(
        project, options["game"], options["file"], options["lang"], progress(), trusted=options["trusted"]
    )
    say_files(done.files)
    say_notes(done.notes)


@translate.command("pseudo")
@GAME
@click.option("--from", "source", default="", metavar="LANG", help="Language to translate from (default: English).")
@click.option(
    "--dpi",
    type=click.IntRange(30, 600),
    default=100,
    show_default=True,
    help="Resolution of the pictures in pixels per inch.",
)
@OUT
@PROJECT
@click.pass_obj
def pseudo_command(obj: Path | None, /, **options: Any) -> None:
    """Test a GAME with fake translations before you translate.

    pnp shows texts that would not fit, that can't be translated, or that are cut off.
    """
    from generator.exchange.pseudo_language import show_pseudo

    project = open_project(obj, options)
    where = options["out"], options["dpi"]
    done = show_pseudo(project, options["game"], options["source"], *where, progress(), trusted=options["trusted"])
    say_files(done.files)
    say_notes(done.notes)
