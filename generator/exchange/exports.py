"""The commands of `export`: online tables, pictures and spreadsheets."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from generator.commands.command_line import say
from generator.commands.options import (
    GAMES,
    LANGS,
    ONLY,
    OUT,
    PROJECT,
    Command,
    combine_options,
    open_project,
    order_from_options,
    parse_address,
    path_from_here,
    progress,
    say_done,
)
from generator.commands.orders import carry_out

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
    from generator.exchange.csv_tables import CsvOrder

    project = open_project(obj, options)
    order = order_from_options(
        CsvOrder, options, languages=(), data=project.resources.display_path(project.root / "data")
    )
    done = carry_out(project, options["games"], order, progress())
    say_done(done)
    say("Put one beside the YAML file and write its name after `designs:` in place of the list.", err=True)
