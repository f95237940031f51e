"""The commands `export`, `translate`, `pull` and `read-aloud`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from generator.base.errors import ProblemsFound, to_one_line
from generator.commands.command_line import say, say_text
from generator.commands.options import (
    GAMES,
    LANG,
    LANGS,
    ONLY,
    OUT,
    PROJECT,
    QUIET,
    VERBOSE,
    AddedChoice,
    Command,
    combine_options,
    is_quiet,
    open_project,
    order_from_options,
    parse_address,
    path_from_here,
    progress,
    say_done,
    say_files,
    say_notes,
)

_MOST_SHOWN = 20
"""Largest number of files, and of things not imported, to list."""


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


ONLINE = combine_options([GAMES, LANGS, OUT, ONLY, PROJECT])


def _dpi_option(usual: int, what: str) -> Callable[[Command], Command]:
    return click.option("--dpi", type=click.IntRange(36, 600), default=usual, show_default=True, help=what)


def _url_option(what: str) -> Callable[[Command], Command]:
    return click.option("--url", default="", metavar="BASE", help=what)


@click.command()
@ONLINE
@_url_option("Web address where you will put the files (default: files on this computer).")
@_dpi_option(300, "Maximum resolution of a face in pixels per inch; large faces get less.")
@click.option("--no-rulebook", is_flag=True, help="Omit the rulebook.")
@click.pass_obj
def tts(obj: Path | None, /, **options: Any) -> None:
    """Export to Tabletop Simulator, as a saved object.

    The object contains everything in the box of the game.
    """
    from generator.commands.orders import carry_out
    from generator.exchange.tabletop_simulator import TtsOrder

    project = open_project(obj, options)
    order = order_from_options(
        TtsOrder, options | {"url": parse_address(options["url"])}, rulebook=not options["no_rulebook"]
    )
    say_done(carry_out(project, options["games"], order, progress()))
    if not order.url:
        say(
            "The saved objects name files on this machine. For friends, put the files on the web and "
            "export again with --url https://...",
            err=True,
        )


@click.command()
@ONLINE
@_url_option("Also write lists for the deck editor, with pictures at this web address.")
@_dpi_option(150, "Resolution of a face in pixels per inch.")
@click.pass_obj
def pcio(obj: Path | None, /, **options: Any) -> None:
    """Export to PlayingCards.io, as a room."""
    from generator.commands.orders import carry_out
    from generator.exchange.playing_cards import PcioOrder

    project = open_project(obj, options)
    order = order_from_options(PcioOrder, options | {"url": parse_address(options["url"])})
    say_done(carry_out(project, options["games"], order, progress()))


@click.command()
@ONLINE
@_dpi_option(200, "Resolution of a face in pixels per inch.")
@click.pass_obj
def cgs(obj: Path | None, /, **options: Any) -> None:
    """Export to Card Game Simulator, as an archive."""
    from generator.commands.orders import carry_out
    from generator.exchange.card_simulator import CgsOrder

    project = open_project(obj, options)
    order = order_from_options(CgsOrder, options)
    say_done(carry_out(project, options["games"], order, progress()))


@click.command()
@ONLINE
@_dpi_option(100, "Resolution of a face in pixels per inch; it sets the size on the screen.")
@click.pass_obj
def vassal(obj: Path | None, /, **options: Any) -> None:
    """Export to Vassal, as a module."""
    from generator.commands.orders import carry_out
    from generator.exchange.vassal import VassalOrder

    project = open_project(obj, options)
    order = order_from_options(VassalOrder, options)
    say_done(carry_out(project, options["games"], order, progress()))


@click.command()
@ONLINE
@_dpi_option(300, "Resolution of a face in pixels per inch.")
@click.pass_obj
def images(obj: Path | None, /, **options: Any) -> None:
    """Export a picture of every face, with a list of them.

    Tabletopia, Screentop and similar sites accept the pictures.
    """
    from generator.exchange.face_folder import FolderOrder, export_images

    made = export_images(
        open_project(obj, options), options["games"], order_from_options(FolderOrder, options), progress()
    )
    say_done(made)
    for path in made.removed:
        say(f"{path_from_here(path)}: removed, because the game no longer has it")


@click.command(name="csv")
@GAMES
@click.option(
    "--kind", "kinds", multiple=True, metavar="KIND", help="Kind of component to export (default: all); repeatable."
)
@OUT
@PROJECT
@click.pass_obj
def csv_(obj: Path | None, /, **options: Any) -> None:
    """Export component tables to edit in a spreadsheet.

    pnp writes OUT/<game>/csv/<kind>.csv. To use a table, move it next to the YAML file and write its name after
    `designs:` in place of the list.
    """
    from generator.commands.orders import carry_out
    from generator.exchange.csv_tables import CsvOrder

    project = open_project(obj, options)
    order = order_from_options(
        CsvOrder, options, languages=(), data=project.resources.display_path(project.root / "data")
    )
    done = carry_out(project, options["games"], order, progress())
    say_done(done)
    say("Put one beside the YAML file and write its name after `designs:` in place of the list.", err=True)


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
    from generator.commands.orders import carry_out
    from generator.exchange.read_aloud import AloudOrder

    project = open_project(obj, options)
    order = order_from_options(AloudOrder, options | {"url": parse_address(options["url"])})
    done = carry_out(project, options["games"], order, progress())
    say_done(done)
