"""The commands `export ...`: a game for other programs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from generator.cli.group import pnp
from generator.cli.options import (
    GAMES,
    LANGS,
    ONLY,
    OUT,
    PROJECT,
    Command,
    address,
    open_project,
    order_from_options,
    path_from_here,
    progress,
    say_done,
    several,
)
from generator.cli.output import say


@pnp.group()
def export() -> None:
    """Make files of a game for other programs: online tables, spreadsheets."""


ONLINE = several([GAMES, LANGS, OUT, ONLY, PROJECT])


def _dpi(usual: int, what: str) -> Callable[[Command], Command]:
    return click.option("--dpi", type=click.IntRange(36, 600), default=usual, show_default=True, help=what)


def _url(what: str) -> Callable[[Command], Command]:
    return click.option("--url", default="", metavar="BASE", help=what)


@export.command()
@ONLINE
@_url("Where the files will lie on the web; without it, on this machine.")
@_dpi(300, "The most that a face gets; fewer where 4096 pixels hold no more.")
@click.option("--no-rulebook", is_flag=True, help="Leave the rulebook out.")
@click.pass_obj
def tts(obj: Path | None, /, **options: Any) -> None:
    """Make a saved object for Tabletop Simulator, with all that lies in the box of the GAMES."""
    from generator.commands.export.tts import TtsOrder
    from generator.commands.order import carry_out

    project = open_project(obj, options)
    order = order_from_options(
        TtsOrder, options | {"url": address(options["url"])}, rulebook=not options["no_rulebook"]
    )
    say_done(carry_out(project, options["games"], order, progress()))
    if not order.url:
        say(
            "The saved objects name files on this machine. For friends, put the files on the web and "
            "export again with --url https://...",
            err=True,
        )


@export.command()
@ONLINE
@_url("Also make the lists that the deck editor takes, with pictures that will lie there.")
@_dpi(150, "Pixels of a face to the inch.")
@click.pass_obj
def pcio(obj: Path | None, /, **options: Any) -> None:
    """Make a room for PlayingCards.io of each of the GAMES."""
    from generator.commands.export.pcio import PcioOrder
    from generator.commands.order import carry_out

    order = order_from_options(PcioOrder, options | {"url": address(options["url"])})
    say_done(carry_out(open_project(obj, options), options["games"], order, progress()))


@export.command()
@ONLINE
@_dpi(200, "Pixels of a face to the inch.")
@click.pass_obj
def cgs(obj: Path | None, /, **options: Any) -> None:
    """Make an archive of each of the GAMES that Card Game Simulator imports."""
    from generator.commands.export.cgs import CgsOrder
    from generator.commands.order import carry_out

    order = order_from_options(CgsOrder, options)
    say_done(carry_out(open_project(obj, options), options["games"], order, progress()))


@export.command()
@ONLINE
@_dpi(100, "Pixels of a face to the inch; Vassal shows each as large as it is.")
@click.pass_obj
def vassal(obj: Path | None, /, **options: Any) -> None:
    """Make a module of each of the GAMES that Vassal opens."""
    from generator.commands.export.vassal import VassalOrder
    from generator.commands.order import carry_out

    order = order_from_options(VassalOrder, options)
    say_done(carry_out(open_project(obj, options), options["games"], order, progress()))


@export.command()
@ONLINE
@_dpi(300, "Pixels of a face to the inch.")
@click.pass_obj
def images(obj: Path | None, /, **options: Any) -> None:
    """Make a picture of every face with a list of them, for Tabletopia, Screentop and the like."""
    from generator.commands.export.images import FolderOrder, export_images

    made = export_images(
        open_project(obj, options), options["games"], order_from_options(FolderOrder, options), progress()
    )
    say_done(made)
    for path in made.removed:
        say(f"{path_from_here(path)}: removed, the game has it no more")


@export.command(name="csv")
@GAMES
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only this kind of component; repeatable.")
@OUT
@PROJECT
@click.pass_obj
def csv_(obj: Path | None, /, **options: Any) -> None:
    """Make a table of each kind of component of the GAMES, to be edited in a spreadsheet: OUT/<game>/csv/<kind>.csv.

    Put one beside the YAML file and write its name after `designs:` in place of the list.
    """
    from generator.commands.export.csv import CsvOrder
    from generator.commands.order import carry_out

    project = open_project(obj, options)
    order = order_from_options(CsvOrder, options, languages=(), data=project.resources.shown(project.root / "data"))
    done = carry_out(project, options["games"], order, progress())
    say_done(done)
    say("Put one beside the YAML file and write its name after `designs:` in place of the list.", err=True)
