"""Commands that make files: build, sheets, rulebook."""

import os
from pathlib import Path
from typing import Any

import click

from generator.cli.group import pnp
from generator.cli.options import (
    GAMES,
    LANG,
    OUT,
    PAGES,
    PRINTING,
    PROJECT,
    TRUST,
    open_project,
    order_from_options,
    progress,
    say_files,
    say_notes,
)
from generator.cli.orders import order_of
from generator.cli.recording import record_of
from generator.cli.stored import REUSE, store_of


@pnp.command()
@PRINTING
@TRUST
@REUSE
@click.option("--record", metavar="NAME", help="Keep what is printed as records/<game>/NAME.json, for `pnp changed`.")
@click.option("--replace", "replaced", is_flag=True, help="Let a record of this name be replaced.")
@click.pass_obj
def build(obj: Path | None, /, **options: Any) -> None:
    """Make everything of the GAMES (default: all): print sheets in each language and a validation report."""
    from generator.commands.build import BuildOrder
    from generator.commands.order import carry_out
    from generator.commands.record import record_files

    project = open_project(obj, options)
    record = record_of(options, project)
    order = order_of(options, project, BuildOrder, record=record)
    done = carry_out(project, options["games"], order, progress(), store_of(options), os.cpu_count() or 1)
    say_files(record_files(project, record, done.files) if record else done.files)
    say_notes(done.notes)
    if done.failed:
        click.echo(f"validation: {len(done.failed)} failed; see validation.txt, or run pnp validate", err=True)


@pnp.command()
@PRINTING
@REUSE
@click.pass_obj
def sheets(obj: Path | None, /, **options: Any) -> None:
    """Make only the print sheets of the GAMES."""
    from generator.commands.order import carry_out
    from generator.commands.sheets import SheetsOrder

    project = open_project(obj, options)
    order = order_of(options, project, SheetsOrder)
    done = carry_out(project, options["games"], order, progress(), store_of(options), os.cpu_count() or 1)
    say_files(done.files)
    say_notes(done.notes)


@pnp.command()
@GAMES
@LANG
@OUT
@click.option(
    "--page", type=click.Choice(PAGES, case_sensitive=False), default="A5", show_default=True, help="Paper size."
)
@click.option("--leaflet", is_flag=True, help="Also a leaflet: A4 or Letter pages in two columns, without a cover.")
@click.option("--epub", is_flag=True, help="Also an EPUB for e-readers.")
@click.option("--proof", is_flag=True, help="Tell what an editor would mark: empty feet, torn boxes, stray lines.")
@TRUST
@REUSE
@PROJECT
@click.pass_obj
def rulebook(obj: Path | None, /, **options: Any) -> None:
    """Make only the books of the GAMES: pages, a booklet to fold, a web page and a quick start, in each language."""
    from generator.commands.order import carry_out
    from generator.commands.rulebook import BookOrder

    order, project = order_from_options(BookOrder, options), open_project(obj, options)
    done = carry_out(project, options["games"], order, progress(), store_of(options), os.cpu_count() or 1)
    say_files(done.files)
    say_notes(done.notes)
