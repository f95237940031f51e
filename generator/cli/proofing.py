"""Commands that make what goes with the sheets: proofs, die lines, boxes."""

from pathlib import Path
from typing import Any

import click

from generator.cli.group import pnp
from generator.cli.options import (
    GAMES,
    OUT,
    PRINTING,
    PROJECT,
    opened,
    progress,
    shown,
)
from generator.cli.orders import order_of, paper_named

LANG = click.option("--lang", "languages", multiple=True, metavar="LANG", help="Only this language; repeatable.")
ONLY = click.option(
    "--only", multiple=True, metavar="PATTERN", help="Only components with such an id ('reel/6-*'); repeatable."
)


@pnp.command()
@GAMES
@LANG
@OUT
@ONLY
@PROJECT
@click.pass_obj
def proof(obj: Path | None, /, **options: Any) -> None:
    """Make proofs of the GAMES: every design under three colour blindnesses, in grey, and with trim and safe zone."""
    from generator.commands.proof import ProofOrder, proofs

    order = ProofOrder(options["languages"], options["out"], options["only"])
    for path in proofs(opened(obj, options), options["games"], order, progress()):
        click.echo(shown(path))


@pnp.command()
@PRINTING
@click.option("--format", "form", type=click.Choice(["svg", "dxf"]), default="svg", show_default=True)
@click.pass_obj
def dielines(obj: Path | None, /, **options: Any) -> None:
    """Make die lines for a cutting machine, at the very places of the sheets that the same options print."""
    from generator.commands.dielines import dielines as made

    if options["backs"] == "fold":
        raise click.BadParameter("a folded sheet can't be laid into a machine", param_hint="--backs")
    if options["stock"]:
        raise click.BadParameter("perforated sheets need no cutting machine", param_hint="--stock")
    project = opened(obj, options)
    for path in made(project, options["games"], order_of(options, project), options["form"], progress()):
        click.echo(shown(path))


@pnp.command()
@GAMES
@LANG
@OUT
@click.option("--deck", default="", metavar="KIND", help="A box for this kind of cards alone.")
@click.option("--stock", default="0.30mm", show_default=True, help="How thick a card is; the box is of the same stock.")
@click.option("--sleeve", default="0mm", show_default=True, help="The film of the sleeves that the cards are in.")
@click.option("--paper", default="A4", show_default=True, help="What holds the net; A3 where this one is too small.")
@click.option("--margin", default="5mm", show_default=True, help="What the printer can't reach at each edge.")
@PROJECT
@click.pass_obj
def boxes(obj: Path | None, /, **options: Any) -> None:
    """Make tuck boxes for the decks of the GAMES: nets to cut, fold and glue, dressed in the game's own art."""
    from generator.commands.boxes import BoxOrder, make_boxes

    stock, sleeve, margin = (_length(options, name) for name in ("stock", "sleeve", "margin"))
    if not _LEAST_STOCK <= stock <= _MOST_STOCK:
        raise click.BadParameter(f"from {_LEAST_STOCK:g} to {_MOST_STOCK:g} mm", param_hint="--stock")
    if sleeve > _MOST_FILM:
        raise click.BadParameter(f"the film of a sleeve is {_MOST_FILM:g} mm at most", param_hint="--sleeve")
    order = BoxOrder(
        options["languages"], options["out"], options["deck"], stock, sleeve, paper_named(options["paper"]), margin
    )
    for path in make_boxes(opened(obj, options), options["games"], order, progress()):
        click.echo(shown(path))


_LEAST_STOCK, _MOST_STOCK, _MOST_FILM = 0.05, 2.0, 1.0


def _length(options: dict[str, Any], name: str) -> float:
    """An option that is a length, mm; anything else, or a negative one, is wrong usage."""
    from generator.units import length

    try:
        found = length(options[name])
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=f"--{name}") from error
    if found < 0:
        raise click.BadParameter("must not be negative", param_hint=f"--{name}")
    return found
