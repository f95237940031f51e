"""Commands for those who see little or nothing: read-aloud, in braille too."""

from pathlib import Path
from typing import Any

import click

from generator.cli.group import pnp
from generator.cli.options import (
    GAMES,
    LANG,
    ONLY,
    OUT,
    PROJECT,
    address,
    open_project,
    order_from_options,
    progress,
    say_done,
)


@pnp.command()
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
    from generator.commands.order import carry_out
    from generator.commands.showing.aloud import AloudOrder

    order = order_from_options(AloudOrder, options | {"url": address(options["url"])})
    done = carry_out(open_project(obj, options), options["games"], order, progress())
    say_done(done)
