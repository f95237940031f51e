"""Commands that make files: build, sheets, rulebook."""

from pathlib import Path
from typing import Any

import click

from generator.cli.group import pnp
from generator.cli.options import GAMES, OUT, PAGES, PRINTING, PROJECT, TRUST, opened, order_of, progress, shown


@pnp.command()
@PRINTING
@TRUST
@click.pass_obj
def build(obj: Path | None, /, **options: Any) -> None:
    """Make everything of the GAMES (default: all): print sheets in each language and a validation report."""
    from generator import pipeline
    from generator.rehearsal import Rehearsal

    order, rehearsal = order_of(options), Rehearsal(trusted=options["trust_rules"])
    result = pipeline.build(opened(obj, options), options["games"], order, progress(), rehearsal)
    for path in result.files:
        click.echo(shown(path))
    if result.failed:
        click.echo(f"validation: {len(result.failed)} failed; see validation.txt, or run pnp validate", err=True)


@pnp.command()
@PRINTING
@click.pass_obj
def sheets(obj: Path | None, /, **options: Any) -> None:
    """Make only the print sheets of the GAMES."""
    from generator import pipeline

    order = order_of(options)
    for path in pipeline.sheets(opened(obj, options), options["games"], order, progress()).files:
        click.echo(shown(path))


@pnp.command()
@GAMES
@click.option("--lang", "languages", multiple=True, metavar="LANG", help="Only this language; repeatable.")
@OUT
@click.option(
    "--page", type=click.Choice(PAGES, case_sensitive=False), default="A5", show_default=True, help="Paper size."
)
@TRUST
@PROJECT
@click.pass_obj
def rulebook(obj: Path | None, /, **options: Any) -> None:
    """Make only the rulebooks of the GAMES: pages, a booklet to fold, and a web page, in each language."""
    from generator import pipeline
    from generator.press import BookOrder

    order = BookOrder(options["languages"], options["out"], options["page"])
    project, games = opened(obj, options), options["games"]
    for path in pipeline.rulebooks(project, games, order, progress(), trusted=options["trust_rules"]).files:
        click.echo(shown(path))
