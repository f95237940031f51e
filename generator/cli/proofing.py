"""Commands that make what goes with the sheets: proofs, die lines, boxes."""

from pathlib import Path
from typing import Any

import click

from generator.cli.group import pnp
from generator.cli.options import (
    GAMES,
    LANG,
    ONLY,
    OUT,
    PRINTING,
    PROJECT,
    open_project,
    order_from_options,
    progress,
    say_done,
)
from generator.cli.orders import find_paper, order_of


@pnp.command()
@GAMES
@LANG
@OUT
@ONLY
@PROJECT
@click.pass_obj
def proof(obj: Path | None, /, **options: Any) -> None:
    """Make proofs of the GAMES: every design under three colour blindnesses, in grey, and with trim and safe zone."""
    from generator.commands.order import carry_out
    from generator.commands.proof import ProofOrder

    order = order_from_options(ProofOrder, options)
    say_done(carry_out(open_project(obj, options), options["games"], order, progress()))


@pnp.command()
@PRINTING
@click.option("--format", "form", type=click.Choice(["svg", "dxf"]), default="svg", show_default=True)
@click.pass_obj
def dielines(obj: Path | None, /, **options: Any) -> None:
    """Make die lines for a cutting machine, at the very places of the sheets that the same options print."""
    from generator.commands.dielines import DieOrder
    from generator.commands.order import carry_out

    if options["backs"] == "fold":
        raise click.BadParameter("a folded sheet can't be laid into a machine", param_hint="--backs")
    if options["stock"]:
        raise click.BadParameter("perforated sheets need no cutting machine", param_hint="--stock")
    project = open_project(obj, options)
    order = order_of(options, project, DieOrder)
    say_done(carry_out(project, options["games"], order, progress()))


@pnp.command()
@GAMES
@LANG
@OUT
@click.option("--deck", default="", metavar="KIND", help="A box for this kind of cards alone.")
@click.option("--stock", default="0.30mm", show_default=True, help="How thick a card is; the box is of the same stock.")
@click.option("--sleeve", default="0mm", show_default=True, help="The film of the sleeves that the cards are in.")
@click.option("--paper", default="A4", show_default=True, help="What holds the net; A3 where this one is too small.")
@click.option("--margin", default="5mm", show_default=True, help="What the printer can't reach at each edge.")
@click.option("--clean", is_flag=True, help="Name no draft on the boxes; the notes beside the net still do.")
@PROJECT
@click.pass_obj
def boxes(obj: Path | None, /, **options: Any) -> None:
    """Make tuck boxes for the decks of the GAMES: nets to cut, fold and glue, dressed in the game's own art."""
    from generator.commands.boxes import BoxOrder
    from generator.commands.order import carry_out

    stock, sleeve, margin = (_length(options, name) for name in ("stock", "sleeve", "margin"))
    if not _LEAST_STOCK <= stock <= _MOST_STOCK:
        raise click.BadParameter(f"from {_LEAST_STOCK:g} to {_MOST_STOCK:g} mm", param_hint="--stock")
    if sleeve > _MOST_FILM:
        raise click.BadParameter(f"the film of a sleeve is {_MOST_FILM:g} mm at most", param_hint="--sleeve")
    given = {"stock": stock, "sleeve": sleeve, "margin": margin, "paper": find_paper(options["paper"])}
    order = order_from_options(BoxOrder, options | given)
    say_done(carry_out(open_project(obj, options), options["games"], order, progress()))


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
