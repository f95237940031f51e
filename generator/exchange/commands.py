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
    help="What it was made with; else its files tell.",
)
@QUIET
@VERBOSE
def import_(source: Path, name: str, program: str | None) -> None:
    """Make a project in the folder NAME of another program's: SOURCE is its folder, a .zip or an .mse-set.

    Tables stay as they are, and nothing of it is run. What could not come over is listed, in IMPORT.md too.
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
@_url_option("Where the files will lie on the web; without it, on this machine.")
@_dpi_option(300, "The most that a face gets; fewer where 4096 pixels hold no more.")
@click.option("--no-rulebook", is_flag=True, help="Leave the rulebook out.")
@click.pass_obj
def tts(obj: Path | None, /, **options: Any) -> None:
    """Make a saved object for Tabletop Simulator, with all that lies in the box of the GAMES."""
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
@_url_option("Also make the lists that the deck editor takes, with pictures that will lie there.")
@_dpi_option(150, "Pixels of a face to the inch.")
@click.pass_obj
def pcio(obj: Path | None, /, **options: Any) -> None:
    """Make a room for PlayingCards.io of each of the GAMES."""
    from generator.commands.orders import carry_out
    from generator.exchange.playing_cards import PcioOrder

    order = order_from_options(PcioOrder, options | {"url": parse_address(options["url"])})
    say_done(carry_out(open_project(obj, options), options["games"], order, progress()))


@click.command()
@ONLINE
@_dpi_option(200, "Pixels of a face to the inch.")
@click.pass_obj
def cgs(obj: Path | None, /, **options: Any) -> None:
    """Make an archive of each of the GAMES that Card Game Simulator imports."""
    from generator.commands.orders import carry_out
    from generator.exchange.card_simulator import CgsOrder

    order = order_from_options(CgsOrder, options)
    say_done(carry_out(open_project(obj, options), options["games"], order, progress()))


@click.command()
@ONLINE
@_dpi_option(100, "Pixels of a face to the inch; Vassal shows each as large as it is.")
@click.pass_obj
def vassal(obj: Path | None, /, **options: Any) -> None:
    """Make a module of each of the GAMES that Vassal opens."""
    from generator.commands.orders import carry_out
    from generator.exchange.vassal import VassalOrder

    order = order_from_options(VassalOrder, options)
    say_done(carry_out(open_project(obj, options), options["games"], order, progress()))


@click.command()
@ONLINE
@_dpi_option(300, "Pixels of a face to the inch.")
@click.pass_obj
def images(obj: Path | None, /, **options: Any) -> None:
    """Make a picture of every face with a list of them, for Tabletopia, Screentop and the like."""
    from generator.exchange.face_folder import FolderOrder, export_images

    made = export_images(
        open_project(obj, options), options["games"], order_from_options(FolderOrder, options), progress()
    )
    say_done(made)
    for path in made.removed:
        say(f"{path_from_here(path)}: removed, the game has it no more")


@click.command(name="csv")
@GAMES
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only this kind of component; repeatable.")
@OUT
@PROJECT
@click.pass_obj
def csv_(obj: Path | None, /, **options: Any) -> None:
    """Make a table of each kind of component of the GAMES, to be edited in a spreadsheet: OUT/<game>/csv/<kind>.csv.

    Put one beside the YAML file and write its name after `designs:` in place of the list.
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
    from generator.exchange.translate_game import TextExport, export_texts

    project = open_project(obj, options)
    order = TextExport(options["lang"], options["out"], options["dpi"])
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
    from generator.exchange.translate_game import import_texts

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
    """Fetch the tables that the GAMES name by address, and keep a copy of each in the project.

    It says what has changed in them. Every other command takes the copies and asks nobody.
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
    "--url", default="", metavar="BASE", help="Where the page will lie: QR codes lead to it, on the page and on labels."
)
@click.option(
    "--braille", is_flag=True, help="Also read-aloud.<lang>.brf for embossers, English and German (liblouis)."
)
@PROJECT
@click.pass_obj
def read_aloud(obj: Path | None, /, **options: Any) -> None:
    """Write what every piece of the GAMES says, icons by name: OUT/<game>/read-aloud.<lang>.txt and .html."""
    from generator.commands.orders import carry_out
    from generator.exchange.read_aloud import AloudOrder

    order = order_from_options(AloudOrder, options | {"url": parse_address(options["url"])})
    done = carry_out(open_project(obj, options), options["games"], order, progress())
    say_done(done)
