"""Commands that make files: build, sheets, rulebook."""

import os
from pathlib import Path
from typing import Any

import click

from generator.cli.group import pnp
from generator.cli.options import GAMES, OUT, PAGES, PRINTING, PROJECT, TRUST, opened, progress, say_notes, shown
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
    from generator.commands import build as building
    from generator.commands.rehearsal import Rehearsal

    project = opened(obj, options)
    record = record_of(options, project)
    order, rehearsal = order_of(options, project), Rehearsal(trusted=options["trust_rules"])
    result = building.build(project, options["games"], order, progress(), rehearsal, record, store_of(options))
    for path in result.files:
        click.echo(shown(path))
    say_notes(result.notes)
    if result.failed:
        click.echo(f"validation: {len(result.failed)} failed; see validation.txt, or run pnp validate", err=True)


@pnp.command()
@PRINTING
@REUSE
@click.pass_obj
def sheets(obj: Path | None, /, **options: Any) -> None:
    """Make only the print sheets of the GAMES."""
    from generator.commands import sheets as printing

    project = opened(obj, options)
    order, store = order_of(options, project), store_of(options)
    made = printing.sheets(project, options["games"], order, progress(), store, os.cpu_count() or 1)
    for path in made.files:
        click.echo(shown(path))
    say_notes(made.notes)


@pnp.command()
@GAMES
@click.option("--lang", "languages", multiple=True, metavar="LANG", help="Only this language; repeatable.")
@OUT
@click.option(
    "--page", type=click.Choice(PAGES, case_sensitive=False), default="A5", show_default=True, help="Paper size."
)
@TRUST
@REUSE
@PROJECT
@click.pass_obj
def rulebook(obj: Path | None, /, **options: Any) -> None:
    """Make only the rulebooks of the GAMES: pages, a booklet to fold, and a web page, in each language."""
    from generator.commands.rulebook import BookOrder, rulebooks

    order = BookOrder(options["languages"], options["out"], options["page"])
    project, games = opened(obj, options), options["games"]
    trusted, store, processes = options["trust_rules"], store_of(options), os.cpu_count() or 1
    made = rulebooks(project, games, order, progress(), trusted=trusted, store=store, processes=processes)
    for path in made.files:
        click.echo(shown(path))
